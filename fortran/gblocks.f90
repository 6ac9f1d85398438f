! Module hesca_gblocks: generalized blocks for Fortran.
!
! Functions, arguments and errors are those of include/hesca/experimental/gblock.h, layouts
! those of hesca_layout_*.  Generalized blocks, layouts and tilings are
! type(c_ptr); processes, rows, columns and blocks count from 0.
module hesca_gblocks
   use, intrinsic :: iso_c_binding
   use hesca_grid
   implicit none
   private

   ! hesca_layout_kind, hesca_gblock_deal
   integer(c_int), parameter, public :: HESCA_CARTESIAN = 0
   integer(c_int), parameter, public :: HESCA_ROW_BASED = 1
   integer(c_int), parameter, public :: HESCA_COLUMN_BASED = 2
   integer(c_int), parameter, public :: HESCA_DEAL_RECTANGLES = 0
   integer(c_int), parameter, public :: HESCA_DEAL_IN_TURN = 1

   type, bind(C), public :: hesca_gblock_info
      integer(c_int) :: kind, deal
      integer(c_int64_t) :: m, n
      integer(c_int) :: mb, nb, lp, lq, nprow, npcol
      real(c_double) :: imbalance
   end type

   public :: hesca_gblock_create, hesca_gblock_of_tiling, hesca_gblock_near
   public :: hesca_gblock_free, hesca_gblock_get_info, hesca_gblock_layout
   public :: hesca_gblock_height, hesca_gblock_width, hesca_gblock_owner
   public :: hesca_gblock_locr, hesca_gblock_locc
   public :: hesca_gblock_predict, hesca_gblock_tune

   interface
      ! speed(nprow*npcol): row by row
      integer(c_int) function hesca_gblock_create(kind, deal, m, n, mb, nb, &
         lp, lq, nprow, npcol, speed, ranks, gblock) bind(C)
         import
         integer(c_int), value :: kind, deal
         integer(c_int64_t), value :: m, n
         integer(c_int), value :: mb, nb, lp, lq, nprow, npcol
         real(c_double), intent(in), optional :: speed(*)
         integer(c_int), intent(in), optional :: ranks(*)
         type(c_ptr), intent(out) :: gblock
      end function

      integer(c_int) function hesca_gblock_of_tiling(tiling, m, n, mb, nb, &
         ranks, gblock) bind(C)
         import
         type(c_ptr), value :: tiling
         integer(c_int64_t), value :: m, n
         integer(c_int), value :: mb, nb
         integer(c_int), intent(in), optional :: ranks(*)
         type(c_ptr), intent(out) :: gblock
      end function

      integer(c_int) function hesca_gblock_near(layout, speed, lp, lq, &
         moved, gblock) bind(C)
         import
         type(c_ptr), value :: layout
         real(c_double), intent(in), optional :: speed(*)
         integer(c_int), value :: lp, lq
         real(c_double), intent(inout), optional :: moved
         type(c_ptr), intent(out) :: gblock
      end function

      subroutine hesca_gblock_free(gblock) bind(C)
         import
         type(c_ptr), value :: gblock
      end subroutine

      type(hesca_gblock_info) function hesca_gblock_get_info(gblock) bind(C)
         import
         type(c_ptr), value :: gblock
      end function

      type(c_ptr) function hesca_gblock_layout(gblock) bind(C)
         import
         type(c_ptr), value :: gblock
      end function

      integer(c_int) function hesca_gblock_height(gblock, prow, pcol) bind(C)
         import
         type(c_ptr), value :: gblock
         integer(c_int), value :: prow, pcol
      end function

      integer(c_int) function hesca_gblock_width(gblock, prow, pcol) bind(C)
         import
         type(c_ptr), value :: gblock
         integer(c_int), value :: prow, pcol
      end function

      integer(c_int) function hesca_gblock_owner(gblock, i, j, prow, pcol) &
         bind(C)
         import
         type(c_ptr), value :: gblock
         integer(c_int64_t), value :: i, j
         integer(c_int), intent(inout) :: prow, pcol
      end function

      integer(c_int64_t) function hesca_gblock_locr(gblock, rows, prow, &
         pcol) bind(C)
         import
         type(c_ptr), value :: gblock
         integer(c_int64_t), value :: rows
         integer(c_int), value :: prow, pcol
      end function

      integer(c_int64_t) function hesca_gblock_locc(gblock, cols, prow, &
         pcol) bind(C)
         import
         type(c_ptr), value :: gblock
         integer(c_int64_t), value :: cols
         integer(c_int), value :: prow, pcol
      end function

      integer(c_int) function hesca_gblock_predict(gblock, job, machine, &
         host, forecast) bind(C)
         import
         type(c_ptr), value :: gblock
         type(hesca_job), intent(in) :: job
         type(hesca_machine), intent(in) :: machine
         integer(c_int), intent(in) :: host(*)
         type(hesca_forecast), intent(inout) :: forecast
      end function

      integer(c_int) function hesca_gblock_tune(job, machine, nprow, npcol, &
         host, most, ranks, gblock, forecast) bind(C)
         import
         type(hesca_job), intent(in) :: job
         type(hesca_machine), intent(in) :: machine
         integer(c_int), value :: nprow, npcol, most
         integer(c_int), intent(in) :: host(*)
         integer(c_int), intent(in), optional :: ranks(*)
         type(c_ptr), intent(out) :: gblock
         type(hesca_forecast), intent(inout), optional :: forecast
      end function
   end interface
end module

! Module hesca_matrices: matrices partitioned into rectangles, or into columns
! of blocks, for Fortran.
!
! Functions, arguments and errors are those of include/hesca/experimental/tiling.h and
! include/hesca/experimental/groups.h.  Tilings, groups and models are type(c_ptr);
! processors, rows, columns and blocks count from 0.  Fortran does not tell
! capitals: hesca_tiling_kind is HESCA_KIND_ here.
module hesca_matrices
   use, intrinsic :: iso_c_binding
   implicit none
   private

   ! hesca_tiling_kind, hesca_tiling_cut, hesca_goal
   integer(c_int), parameter, public :: HESCA_KIND_CARTESIAN = 0
   integer(c_int), parameter, public :: HESCA_KIND_ROWS = 1
   integer(c_int), parameter, public :: HESCA_KIND_COLUMNS = 2
   integer(c_int), parameter, public :: HESCA_KIND_RECURSIVE = 3
   integer(c_int), parameter, public :: HESCA_TILING_PROPORTIONAL = 0
   integer(c_int), parameter, public :: HESCA_TILING_LEAST_TIME = 1
   integer(c_int), parameter, public :: HESCA_GOAL_TIME = 0
   integer(c_int), parameter, public :: HESCA_GOAL_SUM = 1
   integer(c_int), parameter, public :: HESCA_GOAL_MAX = 2
   integer(c_int), parameter, public :: HESCA_GOAL_BOTH = 3

   type, bind(C), public :: hesca_rect
      integer(c_int64_t) :: row, col, height, width
   end type

   public :: hesca_tiling_create_grid, hesca_tiling_create_free
   public :: hesca_tiling_create_strips, hesca_tiling_create_recursive
   public :: hesca_tiling_free, hesca_tiling_parts, hesca_tiling_rows
   public :: hesca_tiling_cols, hesca_tiling_grid, hesca_tiling_at
   public :: hesca_tiling_rect, hesca_tiling_owner
   public :: hesca_tiling_common_rows, hesca_tiling_common_cols
   public :: hesca_tiling_time, hesca_tiling_ideal, hesca_tiling_imbalance
   public :: hesca_tiling_sum, hesca_tiling_max, hesca_tiling_sum_bound
   public :: hesca_tiling_max_bound, hesca_tiling_locr, hesca_tiling_locc
   public :: hesca_tiling_count, hesca_tiling_diagonal
   public :: hesca_tiling_triangle
   public :: hesca_groups_create, hesca_groups_free, hesca_groups_blocks
   public :: hesca_groups_count, hesca_groups_first, hesca_groups_owner

   interface
      ! hesca/experimental/tiling.h
      integer(c_int) function hesca_tiling_create_grid(p, q, speed, m, n, &
         kind, cut, tiling) bind(C)
         import
         integer(c_int), value :: p, q
         integer(c_int64_t), value :: m, n
         integer(c_int), value :: kind, cut
         type(c_ptr), intent(in), optional :: speed(p*q)
         type(c_ptr), intent(out) :: tiling
      end function

      integer(c_int) function hesca_tiling_create_free(p, speed, m, n, kind, &
         goal, tiling) bind(C)
         import
         integer(c_int), value :: p
         integer(c_int64_t), value :: m, n
         integer(c_int), value :: kind, goal
         type(c_ptr), intent(in), optional :: speed(p)
         type(c_ptr), intent(out) :: tiling
      end function

      integer(c_int) function hesca_tiling_create_strips(p, speed, m, n, &
         kind, goal, tiling) bind(C)
         import
         integer(c_int), value :: p
         integer(c_int64_t), value :: m, n
         integer(c_int), value :: kind, goal
         type(c_ptr), intent(in), optional :: speed(p)
         type(c_ptr), intent(out) :: tiling
      end function

      integer(c_int) function hesca_tiling_create_recursive(p, speed, m, n, &
         tiling) bind(C)
         import
         integer(c_int), value :: p
         integer(c_int64_t), value :: m, n
         type(c_ptr), intent(in), optional :: speed(p)
         type(c_ptr), intent(out) :: tiling
      end function

      subroutine hesca_tiling_free(tiling) bind(C)
         import
         type(c_ptr), value :: tiling
      end subroutine

      integer(c_int) function hesca_tiling_parts(tiling) bind(C)
         import
         type(c_ptr), value :: tiling
      end function

      integer(c_int64_t) function hesca_tiling_rows(tiling) bind(C)
         import
         type(c_ptr), value :: tiling
      end function

      integer(c_int64_t) function hesca_tiling_cols(tiling) bind(C)
         import
         type(c_ptr), value :: tiling
      end function

      subroutine hesca_tiling_grid(tiling, nprow, npcol) bind(C)
         import
         type(c_ptr), value :: tiling
         integer(c_int), intent(out) :: nprow, npcol
      end subroutine

      integer(c_int) function hesca_tiling_at(tiling, myrow, mycol) bind(C)
         import
         integer(c_int), value :: myrow, mycol
         type(c_ptr), value :: tiling
      end function

      type(hesca_rect) function hesca_tiling_rect(tiling, i) bind(C)
         import
         integer(c_int), value :: i
         type(c_ptr), value :: tiling
      end function

      integer(c_int) function hesca_tiling_owner(tiling, row, col) bind(C)
         import
         integer(c_int64_t), value :: row, col
         type(c_ptr), value :: tiling
      end function

      integer(c_int64_t) function hesca_tiling_common_rows(tiling, i, k) &
         bind(C)
         import
         integer(c_int), value :: i, k
         type(c_ptr), value :: tiling
      end function

      integer(c_int64_t) function hesca_tiling_common_cols(tiling, i, k) &
         bind(C)
         import
         integer(c_int), value :: i, k
         type(c_ptr), value :: tiling
      end function

      real(c_double) function hesca_tiling_time(tiling) bind(C)
         import
         type(c_ptr), value :: tiling
      end function

      real(c_double) function hesca_tiling_ideal(tiling) bind(C)
         import
         type(c_ptr), value :: tiling
      end function

      real(c_double) function hesca_tiling_imbalance(tiling) bind(C)
         import
         type(c_ptr), value :: tiling
      end function

      integer(c_int64_t) function hesca_tiling_sum(tiling) bind(C)
         import
         type(c_ptr), value :: tiling
      end function

      integer(c_int64_t) function hesca_tiling_max(tiling) bind(C)
         import
         type(c_ptr), value :: tiling
      end function

      real(c_double) function hesca_tiling_sum_bound(tiling) bind(C)
         import
         type(c_ptr), value :: tiling
      end function

      real(c_double) function hesca_tiling_max_bound(tiling) bind(C)
         import
         type(c_ptr), value :: tiling
      end function

      integer(c_int64_t) function hesca_tiling_locr(tiling, i, rows) bind(C)
         import
         integer(c_int), value :: i
         integer(c_int64_t), value :: rows
         type(c_ptr), value :: tiling
      end function

      integer(c_int64_t) function hesca_tiling_locc(tiling, i, cols) bind(C)
         import
         integer(c_int), value :: i
         integer(c_int64_t), value :: cols
         type(c_ptr), value :: tiling
      end function

      integer(c_int64_t) function hesca_tiling_count(tiling, i, rows, cols) &
         bind(C)
         import
         integer(c_int), value :: i
         integer(c_int64_t), value :: rows, cols
         type(c_ptr), value :: tiling
      end function

      integer(c_int64_t) function hesca_tiling_diagonal(tiling, i, order, k) &
         bind(C)
         import
         integer(c_int), value :: i
         integer(c_int64_t), value :: order, k
         type(c_ptr), value :: tiling
      end function

      integer(c_int64_t) function hesca_tiling_triangle(tiling, i, order, k, &
         uplo) bind(C)
         import
         integer(c_int), value :: i
         integer(c_int64_t), value :: order, k
         type(c_ptr), value :: tiling
         character(kind=c_char), value :: uplo
      end function

      ! hesca/experimental/groups.h
      integer(c_int) function hesca_groups_create(p, speed, n, nb, groups) &
         bind(C)
         import
         integer(c_int), value :: p
         type(c_ptr), intent(in), optional :: speed(p)
         integer(c_int64_t), value :: n, nb
         type(c_ptr), intent(out) :: groups
      end function

      subroutine hesca_groups_free(groups) bind(C)
         import
         type(c_ptr), value :: groups
      end subroutine

      integer(c_int64_t) function hesca_groups_blocks(groups) bind(C)
         import
         type(c_ptr), value :: groups
      end function

      integer(c_int64_t) function hesca_groups_count(groups) bind(C)
         import
         type(c_ptr), value :: groups
      end function

      integer(c_int64_t) function hesca_groups_first(groups, k) bind(C)
         import
         type(c_ptr), value :: groups
         integer(c_int64_t), value :: k
      end function

      integer(c_int) function hesca_groups_owner(groups, block) bind(C)
         import
         type(c_ptr), value :: groups
         integer(c_int64_t), value :: block
      end function
   end interface
end module

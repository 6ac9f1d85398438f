! Module hesca_grid: processes placed in grids, for Fortran.
!
! Functions, arguments and errors are those of include/hesca/experimental/place.h and
! include/hesca/experimental/grid.h; processes, hosts and places count from 0.  Machines are
! read with hesca_machine_read(), or made and then filled in,
!
!     machine = hesca_machine_default()
!     err = hesca_machine_set_hosts(machine, names)
!     call c_f_pointer(machine%host, hosts, [machine%nhosts])
!     hosts%speed = [1d0, 2d0]
!
! with type(hesca_host), pointer :: hosts(:), and freed with
! hesca_machine_clear().
module hesca_grid
   use, intrinsic :: iso_c_binding
   implicit none
   private

   ! hesca_routine
   integer(c_int), parameter, public :: HESCA_GEMM = 0
   integer(c_int), parameter, public :: HESCA_POTRF = 1
   integer(c_int), parameter, public :: HESCA_GESV = 2

   type, bind(C), public :: hesca_costs
      real(c_double) :: startup, message, byte, copy
   end type

   type, bind(C), public :: hesca_link
      type(hesca_costs) :: alone, crowded
   end type

   integer(c_int), parameter, public :: HESCA_HOST_MAX = 64

   type, bind(C), public :: hesca_host
      character(kind=c_char) :: name(HESCA_HOST_MAX)
      real(c_double) :: speed, cores, memory
   end type

   type, bind(C), public :: hesca_wire
      real(c_double) :: startup, rate
   end type

   ! Arrays are c_ptr to those of C: of hesca_host, hesca_wire.
   type, bind(C), public :: hesca_machine
      type(hesca_link) :: node, net
      integer(c_int) :: nhosts
      type(c_ptr) :: host, wire
      integer(c_int) :: nmodels
      type(c_ptr) :: model
   end type

   type, bind(C), public :: hesca_job
      integer(c_int) :: routine = HESCA_GEMM
      integer(c_int64_t) :: n = 0
      integer(c_int) :: nb = 64
   end type

   type, bind(C), public :: hesca_forecast
      real(c_double) :: seconds, compute, communicate, bound, ideal
   end type

   type, bind(C), public :: hesca_place_limits
      integer(c_int) :: nprocs, most
      real(c_double) :: per_core, bytes
   end type

   type, bind(C), public :: hesca_grid_info
      integer(c_int) :: placed
      real(c_double) :: seconds, unplaced
      character(kind=c_char) :: why(240)
      character(kind=c_char) :: hosts(160)
   end type

   public :: hesca_machine_default, hesca_machine_set_hosts
   public :: hesca_machine_read, hesca_machine_clear
   public :: hesca_routine_find, hesca_job_flops, hesca_job_bytes
   public :: hesca_job_speed, hesca_forecast_make
   public :: hesca_place_limits_default, hesca_place_counts
   public :: hesca_place_grid, hesca_place_grid_by_speed, hesca_place_shape
   public :: hesca_grid_place, hesca_grid_auto

   interface
      ! machine.h
      integer(c_int) function c_machine_read(path, machine) &
            bind(C, name='hesca_machine_read')
         import
         character(kind=c_char), intent(in) :: path(*)
         type(hesca_machine), intent(inout) :: machine
      end function

      type(hesca_machine) function hesca_machine_default() bind(C)
         import
      end function

      integer(c_int) function c_machine_set_hosts(machine, n, name) &
            bind(C, name='hesca_machine_set_hosts')
         import
         type(hesca_machine), intent(inout) :: machine
         integer(c_int), value :: n
         type(c_ptr), intent(in) :: name(*)
      end function

      subroutine hesca_machine_clear(machine) bind(C)
         import
         type(hesca_machine), intent(inout) :: machine
      end subroutine

      ! place.h
      integer(c_int) function c_routine_find(name, routine) &
            bind(C, name='hesca_routine_find')
         import
         character(kind=c_char), intent(in) :: name(*)
         integer(c_int), intent(inout) :: routine
      end function

      real(c_double) function hesca_job_flops(job) bind(C)
         import
         type(hesca_job), intent(in) :: job
      end function

      real(c_double) function hesca_job_bytes(job) bind(C)
         import
         type(hesca_job), intent(in) :: job
      end function

      real(c_double) function hesca_job_speed(machine, job, host, nprocs) &
            bind(C)
         import
         type(hesca_machine), intent(in) :: machine
         type(hesca_job), intent(in) :: job
         integer(c_int), value :: host, nprocs
      end function

      integer(c_int) function hesca_forecast_make(machine, job, nprow, npcol, &
            host, forecast) bind(C)
         import
         type(hesca_machine), intent(in) :: machine
         type(hesca_job), intent(in) :: job
         integer(c_int), value :: nprow, npcol
         integer(c_int), intent(in) :: host(*)
         type(hesca_forecast), intent(inout) :: forecast
      end function

      type(hesca_place_limits) function hesca_place_limits_default() bind(C)
         import
      end function

      integer(c_int) function hesca_place_counts(machine, job, limits, &
            count) bind(C)
         import
         type(hesca_machine), intent(in) :: machine
         type(hesca_job), intent(in), optional :: job
         type(hesca_place_limits), intent(in) :: limits
         integer(c_int), intent(inout) :: count(*)
      end function

      integer(c_int) function hesca_place_grid(machine, job, nprocs, host, &
            nprow, npcol, process, forecast) bind(C)
         import
         type(hesca_machine), intent(in) :: machine
         type(hesca_job), intent(in) :: job
         integer(c_int), value :: nprocs, nprow, npcol
         integer(c_int), intent(in) :: host(*)
         integer(c_int), intent(inout) :: process(*)
         type(hesca_forecast), intent(inout), optional :: forecast
      end function

      integer(c_int) function hesca_place_grid_by_speed(machine, job, nprocs, &
            host, nprow, npcol, process, forecast) bind(C)
         import
         type(hesca_machine), intent(in) :: machine
         type(hesca_job), intent(in) :: job
         integer(c_int), value :: nprocs, nprow, npcol
         integer(c_int), intent(in) :: host(*)
         integer(c_int), intent(inout) :: process(*)
         type(hesca_forecast), intent(inout), optional :: forecast
      end function

      integer(c_int) function hesca_place_shape(machine, job, nprocs, host, &
            nprow, npcol, process, forecast) bind(C)
         import
         type(hesca_machine), intent(in) :: machine
         type(hesca_job), intent(in) :: job
         integer(c_int), value :: nprocs
         integer(c_int), intent(in) :: host(*)
         integer(c_int), intent(inout) :: nprow, npcol
         integer(c_int), intent(inout), optional :: process(*)
         type(hesca_forecast), intent(inout), optional :: forecast
      end function

      ! grid.h
      integer(c_int) function hesca_grid_place(comm, nprow, npcol, ordered, &
            choose, process, info) bind(C, name='hesca_grid_place_f')
         import
         integer(c_int), value :: comm, nprow, npcol, choose
         integer(c_int), intent(in), optional :: ordered(*)
         integer(c_int), intent(inout) :: process(*)
         type(hesca_grid_info), intent(inout), optional :: info
      end function

      integer(c_int) function c_grid_auto(n, nb, routine, nprow, npcol) &
            bind(C, name='hesca_grid_auto')
         import
         integer(c_int64_t), value :: n
         integer(c_int), value :: nb
         character(kind=c_char), intent(in) :: routine(*)
         integer(c_int), intent(inout) :: nprow, npcol
      end function
   end interface

   ! The order of a matrix as a default integer, too.
   interface hesca_grid_auto
      module procedure grid_auto, grid_auto_long
   end interface

contains

   integer(c_int) function hesca_machine_read(path, machine)
      character(*), intent(in) :: path
      type(hesca_machine), intent(inout) :: machine
      hesca_machine_read = c_machine_read(trim(path)//c_null_char, machine)
   end function

   integer(c_int) function hesca_machine_set_hosts(machine, names)
      type(hesca_machine), intent(inout) :: machine
      character(*), intent(in) :: names(:)
      character(kind=c_char, len=len(names) + 1), target :: text(size(names))
      integer :: k
      do k = 1, size(names)
         text(k) = trim(names(k))//c_null_char
      end do
      hesca_machine_set_hosts = c_machine_set_hosts(machine, size(names), &
                                                    [(c_loc(text(k)), k=1, size(names))])
   end function

   logical function hesca_routine_find(name, routine)
      character(*), intent(in) :: name
      integer(c_int), intent(inout) :: routine
      hesca_routine_find = &
         c_routine_find(trim(name)//c_null_char, routine) /= 0
   end function

   integer(c_int) function grid_auto_long(n, nb, routine, nprow, npcol)
      integer(c_int64_t), intent(in) :: n
      integer(c_int), intent(in) :: nb
      character(*), intent(in) :: routine
      integer(c_int), intent(inout) :: nprow, npcol
      grid_auto_long = &
         c_grid_auto(n, nb, trim(routine)//c_null_char, nprow, npcol)
   end function

   integer(c_int) function grid_auto(n, nb, routine, nprow, npcol)
      integer(c_int), intent(in) :: n, nb
      character(*), intent(in) :: routine
      integer(c_int), intent(inout) :: nprow, npcol
      grid_auto = grid_auto_long(int(n, c_int64_t), nb, routine, nprow, npcol)
   end function

end module

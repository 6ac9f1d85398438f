! Module hesca_models: speeds as functions of problem size that are built by
! measuring, and loads that others cause, for Fortran.
!
! Functions, arguments and errors are those of include/hesca/experimental/build.h and
! include/hesca/experimental/load.h.  What may be NULL in C may be left out, the arguments
! after it by name.
!
! A kernel is a bind(C) function, passed by c_funloc():
!
!     integer(c_int) function kernel(size, point, seconds, data) bind(C)
!        real(c_double), value :: size
!        type(hesca_knot), intent(inout) :: point
!        real(c_double), intent(out) :: seconds
!        type(c_ptr), value :: data
!
!     err = hesca_build_gbbp(hesca_build_options(a=100, b=6400), &
!                            c_funloc(kernel), c_null_ptr, model, report)
!     call c_f_pointer(report%point, points, [report%npoints])
!     call hesca_build_report_clear(report)
!     call hesca_speed_free(model)
module hesca_models
   use, intrinsic :: iso_c_binding
   implicit none
   private

   ! What a kernel may return besides a negative hesca_status.
   integer(c_int), parameter, public :: HESCA_BUILD_MEASURED = 0
   integer(c_int), parameter, public :: HESCA_BUILD_TOO_LARGE = 1
   integer(c_int), parameter, public :: HESCA_BUILD_STOP = 2

   ! HESCA_BUILD_NAIVE of C, which differs from a function in case only.
   integer(c_int), parameter, public :: HESCA_BUILD_NAIVE_POINTS = 20
   real(c_double), parameter, public :: HESCA_LOAD_MOST = 0.99_c_double

   ! progress: c_funloc() of a bind(C) subroutine (npoints, seconds, next,
   ! data), an integer(c_int), two real(c_double) and a type(c_ptr), all by
   ! value.
   type, bind(C), public :: hesca_build_options
      real(c_double) :: a, b
      integer(c_int) :: measure_end = 0
      real(c_double) :: eps = 0, minlen = 0
      integer(c_int) :: most = 0
      real(c_double) :: seconds = 0
      integer(c_int) :: doubling = 0, confirm = 0
      type(c_funptr) :: progress = c_null_funptr
      type(c_ptr) :: progress_data = c_null_ptr
   end type

   ! point: of npoints type(hesca_knot); seconds: of as many real(c_double).
   type, bind(C), public :: hesca_build_report
      integer(c_int) :: npoints = 0
      type(c_ptr) :: point = c_null_ptr, seconds = c_null_ptr
      real(c_double) :: total = 0, naive_seconds = 0
      integer(c_int) :: changed = 0, is_complete = 0
   end type

   public :: hesca_build_gbbp, hesca_build_naive, hesca_build_report_clear
   public :: hesca_load_create, hesca_load_free, hesca_load_add
   public :: hesca_load_at, hesca_load_predict, hesca_load_band

   interface
      ! hesca/experimental/build.h
      integer(c_int) function hesca_build_gbbp(options, kernel, data, model, &
         report) bind(C)
         import
         type(hesca_build_options), intent(in) :: options
         type(c_funptr), value :: kernel
         type(c_ptr), value :: data
         type(c_ptr), intent(out) :: model
         type(hesca_build_report), intent(out), optional :: report
      end function

      integer(c_int) function hesca_build_naive(n, options, kernel, data, &
         model, report) bind(C)
         import
         integer(c_int), value :: n
         type(hesca_build_options), intent(in) :: options
         type(c_funptr), value :: kernel
         type(c_ptr), value :: data
         type(c_ptr), intent(out) :: model
         type(hesca_build_report), intent(out), optional :: report
      end function

      subroutine hesca_build_report_clear(report) bind(C)
         import
         type(hesca_build_report), intent(inout) :: report
      end subroutine

      ! hesca/experimental/load.h
      integer(c_int) function hesca_load_create(history, window, period, &
         cores, load) bind(C)
         import
         integer(c_int), value :: history, window, cores
         real(c_double), value :: period
         type(c_ptr), intent(out) :: load
      end function

      subroutine hesca_load_free(load) bind(C)
         import
         type(c_ptr), value :: load
      end subroutine

      integer(c_int) function hesca_load_add(load, observed) bind(C)
         import
         type(c_ptr), value :: load
         real(c_double), value :: observed
      end function

      subroutine hesca_load_at(load, t, least, most) bind(C)
         import
         type(c_ptr), value :: load
         real(c_double), value :: t
         real(c_double), intent(out) :: least, most
      end subroutine

      integer(c_int) function hesca_load_predict(load, ideal, least, most) &
         bind(C)
         import
         type(c_ptr), value :: load
         real(c_double), value :: ideal
         real(c_double), intent(out) :: least, most
      end function

      integer(c_int) function hesca_load_band(load, speed, ideal, low, high) &
         bind(C)
         import
         type(c_ptr), value :: load
         real(c_double), value :: speed, ideal
         real(c_double), intent(out) :: low, high
      end function
   end interface
end module

! Module hesca_sets: speeds as functions of problem size, and sets partitioned
! by them, for Fortran.
!
! Functions, arguments and errors are those of include/hesca/experimental/speed.h and
! include/hesca/experimental/shares.h.  Models and shares are type(c_ptr), several models an
! array of them; processors and elements count from 0.  What may be NULL in C
! may be left out, the arguments after it by name.
!
!     type(c_ptr) :: model(2), shares
!     err = hesca_speed_create_constant(3d0, unlimited, model(1))
!     err = hesca_speed_create(size(knots), knots, 1d6, model(2))
!     err = hesca_shares_create(2, model, 1000_c_int64_t, shares)
!     mine = hesca_shares_count(shares, 0)
!     call hesca_shares_free(shares)
!
! where unlimited is ieee_value(1d0, ieee_positive_inf).
module hesca_sets
   use, intrinsic :: iso_c_binding
   implicit none
   private

   real(c_double), parameter, public :: HESCA_SPEED_NEAR = 0.01_c_double
   integer(c_int), parameter, public :: HESCA_KNOTS_MAX = 100000

   ! hesca_shares_method
   integer(c_int), parameter, public :: HESCA_SHARES_ROOT = 0
   integer(c_int), parameter, public :: HESCA_SHARES_BASIC = 1
   integer(c_int), parameter, public :: HESCA_SHARES_MODIFIED = 2
   integer(c_int), parameter, public :: HESCA_SHARES_COMBINED = 3
   integer(c_int), parameter, public :: HESCA_SHARES_GREEDY = 4

   type, bind(C), public :: hesca_knot
      real(c_double) :: size, speed, low, high
   end type

   ! line: c_funloc() of a bind(C) subroutine (state, slope, elements), a
   ! type(c_ptr) and two real(c_double), all by value.
   type, bind(C), public :: hesca_shares_options
      integer(c_int) :: method = HESCA_SHARES_ROOT
      integer(c_int) :: by_log = 0, rounds = 0
      type(c_funptr) :: line = c_null_funptr
      type(c_ptr) :: state = c_null_ptr
   end type

   public :: hesca_speed_create_constant, hesca_speed_create
   public :: hesca_speed_create_monotone, hesca_speed_merge
   public :: hesca_speed_copy, hesca_speed_free, hesca_speed_knots
   public :: hesca_speed_limit, hesca_speed_at, hesca_speed_band
   public :: hesca_speed_time, hesca_speed_size, hesca_shares_create
   public :: hesca_shares_create_by, hesca_shares_steps
   public :: hesca_shares_rounds, hesca_shares_create_weighted
   public :: hesca_shares_create_ordered, hesca_shares_free
   public :: hesca_shares_parts, hesca_shares_elements, hesca_shares_count
   public :: hesca_shares_weight, hesca_shares_owner, hesca_shares_first
   public :: hesca_shares_place, hesca_shares_time, hesca_shares_ideal
   public :: hesca_shares_is_exact

   interface
      ! hesca/experimental/speed.h
      integer(c_int) function hesca_speed_create_constant(speed, limit, &
         model) bind(C)
         import
         real(c_double), value :: speed, limit
         type(c_ptr), intent(out) :: model
      end function

      integer(c_int) function hesca_speed_create(n, knot, limit, model) &
         bind(C)
         import
         integer(c_int), value :: n
         type(hesca_knot), intent(in) :: knot(n)
         real(c_double), value :: limit
         type(c_ptr), intent(out) :: model
      end function

      integer(c_int) function hesca_speed_create_monotone(n, point, limit, &
         model, changed) bind(C)
         import
         integer(c_int), value :: n
         type(hesca_knot), intent(in) :: point(n)
         real(c_double), value :: limit
         type(c_ptr), intent(out) :: model
         integer(c_int), intent(out), optional :: changed
      end function

      integer(c_int) function hesca_speed_merge(model, point, weight, &
         merged, changed) bind(C)
         import
         type(c_ptr), value :: model
         type(hesca_knot), intent(in) :: point
         real(c_double), value :: weight
         type(c_ptr), intent(out) :: merged
         integer(c_int), intent(out), optional :: changed
      end function

      integer(c_int) function hesca_speed_copy(model, limit, copy) bind(C)
         import
         type(c_ptr), value :: model
         real(c_double), value :: limit
         type(c_ptr), intent(out) :: copy
      end function

      subroutine hesca_speed_free(model) bind(C)
         import
         type(c_ptr), value :: model
      end subroutine

      type(c_ptr) function hesca_speed_knots(model, n) bind(C)
         import
         type(c_ptr), value :: model
         integer(c_int), intent(out) :: n
      end function

      real(c_double) function hesca_speed_limit(model) bind(C)
         import
         type(c_ptr), value :: model
      end function

      real(c_double) function hesca_speed_at(model, x) bind(C)
         import
         type(c_ptr), value :: model
         real(c_double), value :: x
      end function

      subroutine hesca_speed_band(model, x, low, high) bind(C)
         import
         type(c_ptr), value :: model
         real(c_double), value :: x
         real(c_double), intent(out) :: low, high
      end subroutine

      real(c_double) function hesca_speed_time(model, x) bind(C)
         import
         type(c_ptr), value :: model
         real(c_double), value :: x
      end function

      real(c_double) function hesca_speed_size(model, time) bind(C)
         import
         type(c_ptr), value :: model
         real(c_double), value :: time
      end function

      ! hesca/experimental/shares.h
      integer(c_int) function hesca_shares_create(p, speed, n, shares) &
         bind(C)
         import
         integer(c_int), value :: p
         integer(c_int64_t), value :: n
         type(c_ptr), intent(in), optional :: speed(p)
         type(c_ptr), intent(out) :: shares
      end function

      integer(c_int) function hesca_shares_create_by(p, speed, n, options, &
         shares) bind(C)
         import
         integer(c_int), value :: p
         integer(c_int64_t), value :: n
         type(c_ptr), intent(in), optional :: speed(p)
         type(hesca_shares_options), intent(in), optional :: options
         type(c_ptr), intent(out) :: shares
      end function

      integer(c_int64_t) function hesca_shares_steps(shares) bind(C)
         import
         type(c_ptr), value :: shares
      end function

      integer(c_int) function hesca_shares_rounds(shares) bind(C)
         import
         type(c_ptr), value :: shares
      end function

      integer(c_int) function hesca_shares_create_weighted(p, speed, n, &
         weight, shares) bind(C)
         import
         integer(c_int), value :: p
         integer(c_int64_t), value :: n
         type(c_ptr), intent(in), optional :: speed(p)
         integer(c_int64_t), intent(in), optional :: weight(n)
         type(c_ptr), intent(out) :: shares
      end function

      integer(c_int) function hesca_shares_create_ordered(p, speed, n, &
         weight, reorder, shares) bind(C)
         import
         integer(c_int), value :: p
         integer(c_int64_t), value :: n
         integer(c_int), value :: reorder
         type(c_ptr), intent(in), optional :: speed(p)
         integer(c_int64_t), intent(in), optional :: weight(n)
         type(c_ptr), intent(out) :: shares
      end function

      subroutine hesca_shares_free(shares) bind(C)
         import
         type(c_ptr), value :: shares
      end subroutine

      integer(c_int) function hesca_shares_parts(shares) bind(C)
         import
         type(c_ptr), value :: shares
      end function

      integer(c_int64_t) function hesca_shares_elements(shares) bind(C)
         import
         type(c_ptr), value :: shares
      end function

      integer(c_int64_t) function hesca_shares_count(shares, i) bind(C)
         import
         integer(c_int), value :: i
         type(c_ptr), value :: shares
      end function

      integer(c_int64_t) function hesca_shares_weight(shares, i) bind(C)
         import
         integer(c_int), value :: i
         type(c_ptr), value :: shares
      end function

      integer(c_int) function hesca_shares_owner(shares, e) bind(C)
         import
         integer(c_int64_t), value :: e
         type(c_ptr), value :: shares
      end function

      integer(c_int64_t) function hesca_shares_first(shares, i) bind(C)
         import
         integer(c_int), value :: i
         type(c_ptr), value :: shares
      end function

      integer(c_int) function hesca_shares_place(shares, k) bind(C)
         import
         integer(c_int), value :: k
         type(c_ptr), value :: shares
      end function

      real(c_double) function hesca_shares_time(shares) bind(C)
         import
         type(c_ptr), value :: shares
      end function

      real(c_double) function hesca_shares_ideal(shares) bind(C)
         import
         type(c_ptr), value :: shares
      end function

      integer(c_int) function hesca_shares_is_exact(shares) bind(C)
         import
         type(c_ptr), value :: shares
      end function
   end interface
end module

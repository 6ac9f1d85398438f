! Module hesca_dense: dense linear algebra on matrices in any layouts, for
! Fortran.
!
! Arguments, their meaning and their errors are those of include/hesca/experimental/dense.h;
! rows and columns count from 0.  Names begin with hesca_dense_, because Fortran
! cannot tell hesca_gemm from HESCA_GEMM, a routine of module hesca_grid.
! Scalars are passed as they are, of the type that the first argument tells;
! a matrix tells where its local array is by c_loc().
!
!     c = hesca_matrix(layout, 0, 0, c_loc(local), size(local, 1))
!     err = hesca_dense_gemm(HESCA_D, 'N', 'T', m, n, k, 1d0, a, b, 0d0, c, comm)
module hesca_dense
   use, intrinsic :: iso_c_binding
   implicit none
   private

   ! hesca_type
   integer(c_int), parameter, public :: HESCA_S = 0
   integer(c_int), parameter, public :: HESCA_D = 1
   integer(c_int), parameter, public :: HESCA_C = 2
   integer(c_int), parameter, public :: HESCA_Z = 3

   type, bind(C), public :: hesca_matrix
      type(c_ptr) :: layout = c_null_ptr
      integer(c_int64_t) :: i = 0, j = 0
      type(c_ptr) :: local = c_null_ptr
      integer(c_int64_t) :: lld = 1
   end type

   public :: hesca_dense_gemm, hesca_dense_potrf, hesca_dense_potrs
   public :: hesca_dense_getrf, hesca_dense_getrs

   interface
      integer(c_int) function hesca_dense_gemm(type, transa, transb, m, n, k, &
            alpha, a, b, beta, c, comm) bind(C, name='hesca_gemm_f')
         import
         integer(c_int), value :: type, comm
         character(kind=c_char), value :: transa, transb
         integer(c_int64_t), value :: m, n, k
         type(*), intent(in) :: alpha, beta
         type(hesca_matrix), intent(in) :: a, b, c
      end function

      integer(c_int) function hesca_dense_getrf(type, m, n, a, ipiv, comm, &
            info) bind(C, name='hesca_getrf_f')
         import
         integer(c_int), value :: type, comm
         integer(c_int64_t), value :: m, n
         type(hesca_matrix), intent(in) :: a
         integer(c_int64_t), intent(out) :: ipiv(*)
         integer(c_int64_t), intent(out) :: info
      end function

      integer(c_int) function hesca_dense_getrs(type, trans, n, nrhs, a, &
            ipiv, b, comm) bind(C, name='hesca_getrs_f')
         import
         integer(c_int), value :: type, comm
         character(kind=c_char), value :: trans
         integer(c_int64_t), value :: n, nrhs
         type(hesca_matrix), intent(in) :: a, b
         integer(c_int64_t), intent(in) :: ipiv(*)
      end function

      integer(c_int) function hesca_dense_potrf(type, uplo, n, a, comm, info) &
            bind(C, name='hesca_potrf_f')
         import
         integer(c_int), value :: type, comm
         character(kind=c_char), value :: uplo
         integer(c_int64_t), value :: n
         type(hesca_matrix), intent(in) :: a
         integer(c_int64_t), intent(out) :: info
      end function

      integer(c_int) function hesca_dense_potrs(type, uplo, n, nrhs, a, b, &
            comm) bind(C, name='hesca_potrs_f')
         import
         integer(c_int), value :: type, comm
         character(kind=c_char), value :: uplo
         integer(c_int64_t), value :: n, nrhs
         type(hesca_matrix), intent(in) :: a, b
      end function
   end interface
end module

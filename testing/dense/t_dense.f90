! SPDX-License-Identifier: BSD-3-Clause
! Dense linear algebra from Fortran, on 2 x 2 processes: products and systems
! of which every element is known, and errors.
program t_dense
   use, intrinsic :: iso_c_binding
   use hesca
   implicit none
   include 'mpif.h'
   integer(c_int64_t), parameter :: n = 23, zero = 0
   integer :: rank, nprocs, failures, total, ierr
   type(c_ptr) :: cyclic, blocks

   call mpi_init(ierr)
   call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
   call mpi_comm_size(MPI_COMM_WORLD, nprocs, ierr)
   failures = 0
   ierr = hesca_layout_create_cyclic(n, n, 3, 2, 0, 1, 2, 2, [0, 1, 2, 3], &
                                     cyclic)
   call check(ierr == HESCA_SUCCESS, hesca_text())
   ierr = hesca_layout_create_generalized(n, n, 2, 2, [5_c_int64_t, 2_c_int64_t], &
                                          [3_c_int64_t, 4_c_int64_t], [3, 1, 0, 2], blocks)
   call check(ierr == HESCA_SUCCESS, hesca_text())
   call products
   call systems
   call factors
   call hesca_layout_free(cyclic)
   call hesca_layout_free(blocks)
   call mpi_allreduce(failures, total, 1, MPI_INTEGER, MPI_SUM, &
                      MPI_COMM_WORLD, ierr)
   call mpi_finalize(ierr)
   if (total > 0) stop 1

contains

   subroutine check(ok, what)
      logical, intent(in) :: ok
      character(*), intent(in) :: what
      if (ok) return
      failures = failures + 1
      print *, 'rank', rank, ': ', what
   end subroutine

   ! Element (i,j) is i + x j where this process has it.
   subroutine make(layout, x, local, matrix)
      type(c_ptr), intent(in) :: layout
      real(c_double), intent(in) :: x
      real(c_double), allocatable, target, intent(out) :: local(:, :)
      type(hesca_matrix), intent(out) :: matrix
      integer(c_int64_t) :: locr, locc, i, j, il, jl
      integer(c_int) :: owner
      ierr = hesca_layout_local_size(layout, rank, locr, locc)
      allocate (local(max(locr, 1_c_int64_t), max(locc, 1_c_int64_t)))
      do j = 0, n - 1
         do i = 0, n - 1
            ierr = hesca_layout_locate(layout, i, j, owner, il, jl)
            if (owner == rank) local(il + 1, jl + 1) = i + x*j
         end do
      end do
      matrix = hesca_matrix(layout, zero, zero, c_loc(local), &
                            size(local, 1, c_int64_t))
   end subroutine

   ! sum over l of (i + 2 l) (l + 3 j), less (i + j)
   subroutine products
      real(c_double), allocatable, target :: a(:, :), b(:, :), c(:, :)
      type(hesca_matrix) :: ma, mb, mc
      integer(c_int64_t) :: i, j, l, il, jl
      integer(c_int) :: owner
      real(c_double) :: must
      call make(cyclic, 2d0, a, ma)
      call make(blocks, 3d0, b, mb)
      call make(blocks, 1d0, c, mc)
      ierr = hesca_dense_gemm(HESCA_D, 'N', 'N', n, n, n, 1d0, ma, mb, -1d0, &
                              mc, MPI_COMM_WORLD)
      call check(ierr == HESCA_SUCCESS, hesca_text())
      do j = 0, n - 1
         do i = 0, n - 1
            ierr = hesca_layout_locate(blocks, i, j, owner, il, jl)
            if (owner /= rank) cycle
            must = -(i + j)
            do l = 0, n - 1
               must = must + (i + 2*l)*(l + 3*j)
            end do
            call check(c(il + 1, jl + 1) == must, 'a product is wrong')
         end do
      end do
      ierr = hesca_dense_gemm(HESCA_D, 'N', 'X', n, n, n, 1d0, ma, mb, -1d0, &
                              mc, MPI_COMM_WORLD)
      call check(ierr == HESCA_ERR_ARG .and. hesca_error_info() == 3, &
                 'transb = X was taken: '//hesca_text())
      ierr = hesca_dense_syrk(HESCA_D, 'L', 'N', n, n, 1d0, ma, 0d0, mc, &
                              MPI_COMM_WORLD)
      call check(ierr == HESCA_SUCCESS, hesca_text())
      do j = 0, n - 1
         do i = j, n - 1
            ierr = hesca_layout_locate(blocks, i, j, owner, il, jl)
            if (owner /= rank) cycle
            must = 0
            do l = 0, n - 1
               must = must + (i + 2*l)*(j + 2*l)
            end do
            call check(c(il + 1, jl + 1) == must, 'a square is wrong')
         end do
      end do
   end subroutine

   ! A of which all rows are known sums, times ones.
   subroutine systems
      real(c_double), allocatable, target :: a(:, :), b(:, :)
      type(hesca_matrix) :: ma, mb
      integer(c_int64_t) :: ipiv(n), info, i, j, il, jl
      integer(c_int) :: owner
      call make(blocks, 2d0, a, ma)
      call make(cyclic, 1d0, b, mb)
      do i = 0, n - 1
         ierr = hesca_layout_locate(blocks, i, i, owner, il, jl)
         if (owner == rank) a(il + 1, jl + 1) = a(il + 1, jl + 1) + 1000
         do j = 0, n - 1
            ierr = hesca_layout_locate(cyclic, i, j, owner, il, jl)
            if (owner == rank) b(il + 1, jl + 1) = n*i + n*(n - 1) + 1000
         end do
      end do
      ierr = hesca_dense_getrf(HESCA_D, n, n, ma, ipiv, MPI_COMM_WORLD, info)
      call check(ierr == HESCA_SUCCESS .and. info == 0, hesca_text())
      call check(all(ipiv == [(i, i=0, n - 1)]), 'pivots are wrong')
      ierr = hesca_dense_getrs(HESCA_D, 'N', n, n, ma, ipiv, mb, &
                               MPI_COMM_WORLD)
      call check(ierr == HESCA_SUCCESS, hesca_text())
      do j = 0, n - 1
         do i = 0, n - 1
            ierr = hesca_layout_locate(cyclic, i, j, owner, il, jl)
            if (owner == rank) &
               call check(abs(b(il + 1, jl + 1) - 1) < 1d-12, &
                          'a solution is wrong')
         end do
      end do
      ! X (1000 I) = 2 B, X all ones; the upper triangle does not count.
      a = 1000
      b = 500
      do i = 0, n - 1
         do j = 0, i - 1
            ierr = hesca_layout_locate(blocks, i, j, owner, il, jl)
            if (owner == rank) a(il + 1, jl + 1) = 0
         end do
      end do
      ierr = hesca_dense_trsm(HESCA_D, 'R', 'L', 'N', 'N', n, n, 2d0, ma, mb, &
                              MPI_COMM_WORLD)
      call check(ierr == HESCA_SUCCESS, hesca_text())
      call check(all(abs(b - 1) < 1d-12), 'a solution from the right is wrong')
   end subroutine

   ! A = n I + ones has the row sums 2 n, and the leading minors of A - 2 n I
   ! are negative.
   subroutine factors
      real(c_double), allocatable, target :: a(:, :), b(:, :)
      type(hesca_matrix) :: ma, mb
      integer(c_int64_t) :: i, il, jl, info
      integer(c_int) :: owner
      call make(blocks, 0d0, a, ma)
      call make(cyclic, 0d0, b, mb)
      a = 1
      b = 2*n
      do i = 0, n - 1
         ierr = hesca_layout_locate(blocks, i, i, owner, il, jl)
         if (owner == rank) a(il + 1, jl + 1) = n + 1
      end do
      ierr = hesca_dense_potrf(HESCA_D, 'U', n, ma, MPI_COMM_WORLD, info)
      call check(ierr == HESCA_SUCCESS .and. info == 0, hesca_text())
      ierr = hesca_dense_potrs(HESCA_D, 'U', n, n, ma, mb, MPI_COMM_WORLD)
      call check(ierr == HESCA_SUCCESS, hesca_text())
      call check(all(abs(b - 1) < 1d-12), 'a solution is wrong')
      a = -a
      ierr = hesca_dense_potrf(HESCA_D, 'U', n, ma, MPI_COMM_WORLD, info)
      call check(ierr == HESCA_SUCCESS .and. info == 1, 'A is not definite')
   end subroutine
end program

! SPDX-License-Identifier: BSD-3-Clause
! 4. The same in Fortran, through the module hesca.
!
!   mpif90 04_plan.f90 -o 04_plan $(pkg-config --cflags --libs hesca-fortran)
!   mpiexec -n 4 ./04_plan
program plan_example
   use, intrinsic :: iso_c_binding
   use hesca
   use mpi
   implicit none
   integer(c_int64_t), parameter :: m = 1000, n = 600
   integer(c_int64_t) :: i, j, il, jl, lda, ldb, locc
   integer :: rank, nprocs, owner, wrong, all_wrong, ierr
   type(c_ptr) :: a, b, plan
   type(hesca_plan_info) :: info
   double precision, allocatable :: x(:, :), y(:, :)

   call mpi_init(ierr)
   call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
   call mpi_comm_size(MPI_COMM_WORLD, nprocs, ierr)

   ! Blocks of 8 x 8 on one column of processes; one block column each.
   call check(hesca_layout_create_cyclic(m, n, 8, 8, 0, 0, nprocs, 1, &
                                         layout=a))
   call check(hesca_layout_create_cyclic(m, n, int(m), int(n)/nprocs + 1, 0, &
                                         0, 1, nprocs, layout=b))
   call check(hesca_layout_local_size(a, rank, lda, locc))
   allocate (x(lda, locc))
   call check(hesca_layout_local_size(b, rank, ldb, locc))
   allocate (y(ldb, locc), source=0d0)
   do j = 0, n - 1
      do i = 0, m - 1
         call check(hesca_layout_locate(a, i, j, owner, il, jl))
         if (owner == rank) x(il + 1, jl + 1) = 1000d0*i + j
      end do
   end do

   call check(hesca_plan_create(HESCA_ALL, m, n, hesca_matrix(a), &
                                hesca_matrix(b), 8_c_size_t, &
                                MPI_COMM_WORLD, plan))
   call check(hesca_plan_execute(plan, x, lda, y, ldb))
   call check(hesca_plan_get_info(plan, info))

   wrong = 0
   do j = 0, n - 1
      do i = 0, m - 1
         call check(hesca_layout_locate(b, i, j, owner, il, jl))
         if (owner == rank) then
            if (y(il + 1, jl + 1) /= 1000d0*i + j) wrong = wrong + 1
         end if
      end do
   end do
   call mpi_allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, &
                      MPI_COMM_WORLD, ierr)
   if (rank == 0) print '(i0,a,i0,a,i0,a,i0,a)', info%nsteps, ' steps; ', &
      info%bytes_moved, ' of ', info%bytes_total, &
      ' bytes change their process; ', all_wrong, ' wrong elements'
   call hesca_plan_free(plan)
   call hesca_layout_free(a)
   call hesca_layout_free(b)
   call mpi_finalize(ierr)
   if (all_wrong > 0) error stop 1

contains

   subroutine check(err)
      integer(c_int), intent(in) :: err
      integer :: ierror
      if (err == HESCA_SUCCESS) return
      print *, hesca_text()
      call mpi_abort(MPI_COMM_WORLD, 1, ierror)
   end subroutine

end program

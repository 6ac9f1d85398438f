! SPDX-License-Identifier: BSD-3-Clause
! 17. The heterogeneous Cholesky factorization in Fortran: speeds, the
! generalized block of least predicted time, A = L L', and A x = b.
!
!   mpif90 17_hohe_cholesky.f90 -o 17_hohe_cholesky \
!       $(pkg-config --cflags --libs hesca-fortran)
!   mpiexec -n 4 ./17_hohe_cholesky 1000 5 1 2 1
!
! Arguments: the order, and a speed for each process (all equal).
program hohe_cholesky
   use, intrinsic :: iso_c_binding
   use hesca
   use mpi
   implicit none
   integer(c_int), parameter :: r = 32 ! elements of a block
   integer(c_int64_t), parameter :: zero = 0, one = 1
   integer(c_int64_t) :: n, info
   integer :: rank, nprocs, nprow, npcol, ierr
   double precision :: begin, seconds, ratio
   type(c_ptr) :: blocks, rows
   type(hesca_matrix) :: ma, mb
   double precision, allocatable, target :: a(:, :), b(:, :)

   call mpi_init(ierr)
   call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
   call mpi_comm_size(MPI_COMM_WORLD, nprocs, ierr)
   n = nint(argument(1, 500d0))
   nprow = int(sqrt(dble(nprocs)))
   do while (mod(nprocs, nprow) /= 0)
      nprow = nprow - 1
   end do
   npcol = nprocs/nprow

   ! A where the work is, b in blocks of 64 rows on all processes.
   call cut
   call check(hesca_layout_create_cyclic(n, one, 64, 1, 0, 0, nprocs, 1, &
                                         layout=rows))
   call make(hesca_gblock_layout(blocks), a, ma)
   call make(rows, b, mb)
   call fill

   begin = mpi_wtime()
   call check(hesca_dense_potrf(HESCA_D, 'L', n, ma, MPI_COMM_WORLD, info))
   if (info > 0) error stop 'A is not positive definite'
   call check(hesca_dense_potrs(HESCA_D, 'L', n, one, ma, mb, MPI_COMM_WORLD))
   seconds = mpi_wtime() - begin

   ratio = residual()
   if (rank == 0) print '(a,4(i0,a),a)', 'order ', n, ' on ', nprow, 'x', &
      npcol, ' processes in ', nint(1d3*seconds), ' ms: residual ', &
      trim(merge('small    ', 'too large', ratio < 1))
   call hesca_gblock_free(blocks)
   call hesca_layout_free(rows)
   call mpi_finalize(ierr)
   if (.not. ratio < 1) error stop 1

contains

   ! The diagonal outweighs the rest.
   double precision function element(i, j)
      integer(c_int64_t), intent(in) :: i, j
      element = 1/(1 + dble(abs(i - j)))
      if (i == j) element = n
   end function

   ! Every process is a host, and sits in the grid in the order of ranks.
   subroutine cut
      type(hesca_machine) :: machine
      type(hesca_host), pointer :: hosts(:)
      character(16) :: names(nprocs)
      integer :: k
      do k = 1, nprocs
         write (names(k), '(a,i0)') 'process', k - 1
      end do
      machine = hesca_machine_default()
      call check(hesca_machine_set_hosts(machine, names))
      call c_f_pointer(machine%host, hosts, [machine%nhosts])
      hosts%speed = [(argument(1 + k, 1d0), k=1, nprocs)]
      call check(hesca_gblock_tune(hesca_job(HESCA_ROUTINE_POTRF, n, r), machine, &
                                   nprow, npcol, [(k, k=0, nprocs - 1)], 0, &
                                   gblock=blocks))
      call hesca_machine_clear(machine)
   end subroutine

   ! This process's part of a matrix.
   subroutine make(layout, local, matrix)
      type(c_ptr), intent(in) :: layout
      double precision, allocatable, target, intent(out) :: local(:, :)
      type(hesca_matrix), intent(out) :: matrix
      integer(c_int64_t) :: locr, locc
      call check(hesca_layout_local_size(layout, rank, locr, locc))
      allocate (local(max(locr, 1_c_int64_t), max(locc, 1_c_int64_t)))
      matrix = hesca_matrix(layout, zero, zero, c_loc(local), &
                            size(local, 1, c_int64_t))
   end subroutine

   ! b(i) = n - i, from 0
   subroutine fill
      integer(c_int64_t) :: i, j, il, jl
      integer(c_int) :: owner
      do i = 0, n - 1
         do j = 0, n - 1
            call check(hesca_layout_locate(ma%layout, i, j, owner, il, jl))
            if (owner == rank) a(il + 1, jl + 1) = element(i, j)
         end do
         call check(hesca_layout_locate(rows, i, zero, owner, il, jl))
         if (owner == rank) b(il + 1, 1) = n - i
      end do
   end subroutine

   ! ||A x - b|| / (n eps ||A|| ||x||) in the maximum norm.
   double precision function residual()
      double precision :: x(n), row(n), worst, norm
      integer(c_int64_t) :: i, j, il, jl
      integer(c_int) :: owner
      x = 0
      do i = 0, n - 1
         call check(hesca_layout_locate(rows, i, zero, owner, il, jl))
         if (owner == rank) x(i + 1) = b(il + 1, 1)
      end do
      call mpi_allreduce(MPI_IN_PLACE, x, int(n), MPI_DOUBLE_PRECISION, &
                         MPI_SUM, MPI_COMM_WORLD, ierr)
      worst = 0
      norm = 0
      do i = 0, n - 1
         row = [(element(i, j), j=0, n - 1)]
         worst = max(worst, abs(dot_product(row, x) - (n - i)))
         norm = max(norm, sum(abs(row)))
      end do
      residual = worst/(n*epsilon(1d0)*norm*maxval(abs(x)))
   end function

   ! Argument k of the command line, or what stands for it.
   double precision function argument(k, default)
      integer, intent(in) :: k
      double precision, intent(in) :: default
      character(24) :: text
      call get_command_argument(k, text)
      argument = default
      if (text /= '') read (text, *) argument
   end function

   subroutine check(err)
      integer(c_int), intent(in) :: err
      integer :: ierror
      if (err == HESCA_SUCCESS) return
      print *, hesca_text()
      call mpi_abort(MPI_COMM_WORLD, 1, ierror)
   end subroutine

end program

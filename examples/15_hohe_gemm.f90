! SPDX-License-Identifier: BSD-3-Clause
! 15. The heterogeneous matrix multiplication in Fortran: speeds, the
! generalized block of least predicted time, hesca_gemm().
!
!   mpif90 15_hohe_gemm.f90 -o 15_hohe_gemm \
!       $(pkg-config --cflags --libs hesca-fortran)
!   mpiexec -n 4 ./15_hohe_gemm 1000 5 1 2 1
!
! Arguments: the order, and a speed for each process (all equal).
program hohe_gemm
   use, intrinsic :: iso_c_binding
   use hesca
   use mpi
   implicit none
   integer(c_int), parameter :: r = 16 ! elements of a block
   integer(c_int64_t), parameter :: zero = 0
   integer(c_int64_t) :: n
   integer :: rank, nprocs, nprow, npcol, wrong, all_wrong, ierr
   double precision :: begin, seconds
   type(c_ptr) :: blocks, layout
   type(hesca_gblock_info) :: info
   type(hesca_matrix) :: ma, mb, mc
   double precision, allocatable, target :: a(:, :), b(:, :), c(:, :)

   call mpi_init(ierr)
   call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
   call mpi_comm_size(MPI_COMM_WORLD, nprocs, ierr)
   n = nint(argument(1, 500d0))
   nprow = int(sqrt(dble(nprocs)))
   do while (mod(nprocs, nprow) /= 0)
      nprow = nprow - 1
   end do
   npcol = nprocs/nprow

   call cut
   layout = hesca_gblock_layout(blocks)
   call make(a, ma)
   call make(b, mb)
   call make(c, mc)
   call fill

   begin = mpi_wtime()
   call check(hesca_dense_gemm(HESCA_D, 'N', 'N', n, n, n, 1d0, ma, mb, 0d0, &
                               mc, MPI_COMM_WORLD))
   seconds = mpi_wtime() - begin

   call count_wrong
   call mpi_allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, &
                      MPI_COMM_WORLD, ierr)
   info = hesca_gblock_get_info(blocks)
   if (rank == 0) print '(a,5(i0,a))', 'order ', n, ' on ', nprow, 'x', &
      npcol, ' processes in ', nint(1d3*seconds), ' ms: ', all_wrong, &
      ' wrong elements'
   call hesca_gblock_free(blocks)
   call mpi_finalize(ierr)
   if (all_wrong > 0) error stop 1

contains

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
      call check(hesca_gblock_tune(hesca_job(HESCA_ROUTINE_GEMM, n, r), machine, &
                                   nprow, npcol, [(k, k=0, nprocs - 1)], 0, &
                                   gblock=blocks))
      call hesca_machine_clear(machine)
   end subroutine

   ! This process's part of a matrix.
   subroutine make(local, matrix)
      double precision, allocatable, target, intent(out) :: local(:, :)
      type(hesca_matrix), intent(out) :: matrix
      integer(c_int64_t) :: locr, locc
      call check(hesca_layout_local_size(layout, rank, locr, locc))
      allocate (local(max(locr, 1_c_int64_t), max(locc, 1_c_int64_t)))
      matrix = hesca_matrix(layout, zero, zero, c_loc(local), &
                            size(local, 1, c_int64_t))
   end subroutine

   ! A(i,j) = i + 2 j, B(i,j) = 3 i + 4 j
   subroutine fill
      integer(c_int64_t) :: i, j, il, jl
      integer(c_int) :: owner
      do j = 0, n - 1
         do i = 0, n - 1
            call check(hesca_layout_locate(layout, i, j, owner, il, jl))
            if (owner /= rank) cycle
            a(il + 1, jl + 1) = i + 2*j
            b(il + 1, jl + 1) = 3*i + 4*j
         end do
      end do
   end subroutine

   ! sum over l of (i + 2 l) (3 l + 4 j), and how many differ from it here.
   subroutine count_wrong
      integer(c_int64_t) :: i, j, il, jl
      integer(c_int) :: owner
      double precision :: sum, squares, must
      sum = dble(n)*(n - 1)/2
      squares = sum*(2*n - 1)/3
      wrong = 0
      do j = 0, n - 1
         do i = 0, n - 1
            call check(hesca_layout_locate(layout, i, j, owner, il, jl))
            if (owner /= rank) cycle
            must = 6*squares + (3*i + 8*j)*sum + 4d0*i*j*n
            if (abs(c(il + 1, jl + 1) - must) > 1d-10*must) wrong = wrong + 1
         end do
      end do
   end subroutine

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

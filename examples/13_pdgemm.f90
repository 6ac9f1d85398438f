! SPDX-License-Identifier: BSD-3-Clause
! 13. Matrix multiplication by ScaLAPACK (HMPI thesis, Figure 3.1), with no
! word of HESCA: on hosts of different speed, start more processes on the
! faster ones, and let HESCA place them in the grid (HeHo); or start one for
! each processor, and let HESCA compute in proportion to speed (HoHe).
!
!   mpif90 13_pdgemm.f90 -o 13_pdgemm -lscalapack
!   hesca run --machine FILE -- ./13_pdgemm
!   mpiexec -n 6 -env LD_PRELOAD libhesca_scalapack.so ./13_pdgemm 2 3 2000
!   mpiexec -n 4 -env LD_PRELOAD libhesca_scalapack.so -env HESCA_MACHINE FILE \
!       -env HESCA_GEMM hohe -env HESCA_VERBOSE 1 ./13_pdgemm 2 2 2000
!
! Arguments: rows and columns of the grid (the most square one of all
! processes), order of the matrices (600).
program gemm
   implicit none
   integer, parameter :: nb = 64
   integer :: rank, nprocs, ictxt, nprow, npcol, myrow, mycol
   integer :: n, np, nq, info, i, j
   integer :: desca(9), descb(9), descc(9)
   double precision, allocatable :: a(:, :), b(:, :), c(:, :)
   double precision :: row, col, wrong(1), seconds(1)
   integer(kind=8) :: start, finish, rate
   integer, external :: numroc, indxl2g

   call blacs_pinfo(rank, nprocs)
   nprow = argument(1, most_square(nprocs))
   npcol = argument(2, nprocs/nprow)
   n = argument(3, 600)

   ! Define the process grid.
   call blacs_get(-1, 0, ictxt)
   call blacs_gridinit(ictxt, 'Row-major', nprow, npcol)
   call blacs_gridinfo(ictxt, nprow, npcol, myrow, mycol)

   if (myrow >= 0) then
      np = numroc(n, nb, myrow, 0, nprow)
      nq = numroc(n, nb, mycol, 0, npcol)
      call descinit(desca, n, n, nb, nb, 0, 0, ictxt, max(1, np), info)
      call descinit(descb, n, n, nb, nb, 0, 0, ictxt, max(1, np), info)
      call descinit(descc, n, n, nb, nb, 0, 0, ictxt, max(1, np), info)
      allocate (a(max(1, np), nq), b(max(1, np), nq), c(max(1, np), nq))

      ! A(i,k) = i + k, B(k,j) = k - j, C(i,j) = 1.
      do j = 1, nq
         col = indxl2g(j, nb, mycol, 0, npcol)
         do i = 1, np
            row = indxl2g(i, nb, myrow, 0, nprow)
            a(i, j) = row + col
            b(i, j) = row - col
            c(i, j) = 1
         end do
      end do

      call blacs_barrier(ictxt, 'All')
      call system_clock(start, rate)
      call pdgemm('No transpose', 'No transpose', n, n, n, 1d0, a, 1, 1, &
                  desca, b, 1, 1, descb, 1d0, c, 1, 1, descc)
      call system_clock(finish)
      seconds = dble(finish - start)/dble(rate)
      call dgamx2d(ictxt, 'All', ' ', 1, 1, seconds, 1, i, j, -1, -1, -1)

      wrong = 0
      do j = 1, nq
         col = indxl2g(j, nb, mycol, 0, npcol)
         do i = 1, np
            row = indxl2g(i, nb, myrow, 0, nprow)
            if (c(i, j) /= expected(row, col, dble(n))) wrong = wrong + 1
         end do
      end do
      call dgsum2d(ictxt, 'All', ' ', 1, 1, wrong, 1, -1, -1)
      if (myrow == 0 .and. mycol == 0) &
         print '(a,i0,a,i0,a,i0,a,i0,a,i0,a)', 'order ', n, ' on ', nprow, &
         'x', npcol, ' processes in ', nint(1d3*seconds(1)), ' ms: ', &
         int(wrong(1)), ' wrong elements'
      call blacs_gridexit(ictxt)
   end if
   call blacs_exit(0)
   if (myrow >= 0) then
      if (wrong(1) > 0) error stop 1
   end if

contains

   ! Argument k of the command line, or what stands for it.
   integer function argument(k, default)
      integer, intent(in) :: k, default
      character(len=12) :: text
      call get_command_argument(k, text)
      argument = default
      if (text /= '') read (text, *) argument
   end function

   ! The largest divisor of p that is not above its square root.
   integer function most_square(p)
      integer, intent(in) :: p
      most_square = int(sqrt(dble(p)))
      do while (mod(p, most_square) /= 0)
         most_square = most_square - 1
      end do
   end function

   ! 1 + sum over k of (i + k) (k - j); exact, as are all sums on the way.
   double precision function expected(i, j, n)
      double precision, intent(in) :: i, j, n
      expected = 1 + (i - j)*n*(n + 1)/2 + n*(n + 1)*(2*n + 1)/6 - i*j*n
   end function
end program

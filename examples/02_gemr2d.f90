! SPDX-License-Identifier: BSD-3-Clause
! 2. The same in Fortran: still plain ScaLAPACK.
!
!   mpif90 02_gemr2d.f90 -o 02_gemr2d -lscalapack
!   mpiexec -n 4 -env LD_PRELOAD libhesca_scalapack.so -env HESCA_VERBOSE 1 \
!       ./02_gemr2d
program gemr2d
   implicit none
   integer, parameter :: n = 500
   integer :: rank, nprocs, line, square, info, p, q, i, j
   integer :: nprow, npcol, myrow, mycol, lld
   integer :: desca(9), descb(9)
   double precision, allocatable :: a(:, :), b(:, :)
   double precision :: wrong(1)
   integer, external :: numroc, indxl2g

   call blacs_pinfo(rank, nprocs)
   q = merge(2, 1, nprocs > 1)
   p = nprocs/q
   call blacs_get(-1, 0, line)
   square = line
   call blacs_gridinit(line, 'R', 1, nprocs)
   call blacs_gridinit(square, 'R', p, q)

   call blacs_gridinfo(line, nprow, npcol, myrow, mycol)
   call descinit(desca, n, n, 16, 16, 0, 0, line, n, info)
   allocate (a(n, max(1, numroc(n, 16, mycol, 0, npcol))))
   do j = 1, numroc(n, 16, mycol, 0, npcol)
      do i = 1, n
         a(i, j) = 1000d0*i + indxl2g(j, 16, mycol, 0, npcol)
      end do
   end do

   call blacs_gridinfo(square, nprow, npcol, myrow, mycol)
   descb = -1   ! what a process outside of the grid passes
   if (myrow >= 0) then
      lld = max(1, numroc(n, 64, myrow, 0, nprow))
      call descinit(descb, n, n, 64, 64, 0, 0, square, lld, info)
      allocate (b(lld, max(1, numroc(n, 64, mycol, 0, npcol))))
   else
      allocate (b(1, 1))
   end if

   call pdgemr2d(n, n, a, 1, 1, desca, b, 1, 1, descb, line)

   wrong = 0
   if (myrow >= 0) then
      do j = 1, numroc(n, 64, mycol, 0, npcol)
         do i = 1, numroc(n, 64, myrow, 0, nprow)
            if (b(i, j) /= 1000d0*indxl2g(i, 64, myrow, 0, nprow) + &
                indxl2g(j, 64, mycol, 0, npcol)) wrong = wrong + 1
         end do
      end do
   end if
   call dgsum2d(line, 'All', ' ', 1, 1, wrong, 1, -1, -1)
   if (rank == 0) print '(a,i0,a,i0,a,i0,a,i0,a)', &
      '500 x 500 from 1x', nprocs, ' to ', p, 'x', q, ' processes: ', &
      int(wrong(1)), ' wrong elements'
   call blacs_exit(0)
   if (wrong(1) > 0) error stop 1
end program

! SPDX-License-Identifier: BSD-3-Clause
! 11. Shares of processors, in Fortran.  The rows of a triangle, of which row i has
! i elements, go to three processors in contiguous chunks, such that all finish
! at nearly the same time; which processor comes first is found, too.
!
!   gfortran 11_chunks.f90 -o 11_chunks $(pkg-config --cflags --libs hesca-fortran)
!   ./11_chunks
program chunks
   use, intrinsic :: iso_c_binding
   use hdpi
   implicit none
   integer(c_int), parameter :: n = 600, p = 3
   real(c_double), parameter :: speeds(p) = [5, 2, 1] ! elements per second
   integer(c_int) :: rows(n), np(2*p), err, i, k, first, wrong
   real(c_double) :: metric

   rows = [(i, i=1, n)]
   err = Partition_ordered_set(p, 1, speeds, n=n, w=rows, &
            processor_reordering=1, type_of_metric=SYSTEM_DEFINED, &
            umf=c_null_funptr, metric=metric, np=np)
   if (err /= 0) error stop 'no chunks'

   first = 1
   wrong = 0
   do k = 1, p ! pairs of processor and rows
      associate (who => np(2*k - 1), many => np(2*k))
         print '(a, i0, a, i0, a, i0, a, i0, a)', 'processor ', who, &
            ': rows ', first, ' to ', first + many - 1, ', ', &
            sum(rows(first:first + many - 1)), ' elements'
         do i = first, first + many - 1
            if (Get_set_processor(i - 1, n, p, 1, np) /= who) wrong = wrong + 1
         end do
         first = first + many
      end associate
   end do
   print '(i0, a, f6.3, a, i0, a)', n, ' rows, ', 100*metric, &
      ' % above the ideal time, ', wrong, ' wrong'
   if (wrong /= 0) error stop 1
end program

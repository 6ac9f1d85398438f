! SPDX-License-Identifier: BSD-3-Clause
! HMPI in Fortran: a group of the fastest processes, and a sum over them.
!
!     mpiexec -n 4 26_hmpi_group
!
! The model is C, made by hmpicc from models/simple.mpc and compiled by a C
! compiler; its address is all that Fortran needs.
program ranks
   use, intrinsic :: iso_c_binding
   use hmpi
   use mpi
   implicit none
   type(HMPI_Group) :: gid
   type(c_ptr) :: none
   interface
      type(c_ptr) function simple() bind(C, name='hesca_model_simple_address')
         import
      end function
   end interface
   integer :: err, p(1), comm, rank, total, mpierr

   if (HMPI_Init(0, none) /= HMPI_SUCCESS) stop 1
   p = (HMPI_Group_size(HMPI_COMM_WORLD_GROUP) + 1)/2
   err = HMPI_SUCCESS
   if (HMPI_Is_host() /= 0) err = HMPI_Group_create(gid, simple(), p, 1)
   if (HMPI_Is_free() /= 0) err = HMPI_Group_create(gid, simple(), p, 0)
   if (HMPI_Is_member(gid) /= 0) then
      comm = HMPI_Get_fortran_comm(gid)
      call MPI_Comm_rank(comm, rank, mpierr)
      call MPI_Allreduce(rank + 1, total, 1, MPI_INTEGER, MPI_SUM, comm, mpierr)
      if (HMPI_Is_parent(gid) /= 0) &
         print '(i0,a,i0)', p, ' processes, the sum of their ranks from 1 is ', &
         total
      err = min(err, HMPI_Group_free(gid))
   end if
   if (HMPI_Finalize(0) /= HMPI_SUCCESS .or. err /= HMPI_SUCCESS) stop 1
end program

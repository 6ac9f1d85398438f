! SPDX-License-Identifier: BSD-3-Clause
! Processes placed in grids from Fortran: functions that are not
! collective agree with each other and with numbers worked out here, and
! collective ones with them.  HESCA_NODE_SIZE=1 makes a host of each process.
program t_grid
   use, intrinsic :: iso_c_binding
   use hesca
   implicit none
   include 'mpif.h'
   character(*), parameter :: path = 't_grid.machine'
   integer, parameter :: nb = 32
   integer(c_int64_t), parameter :: n = 2000
   integer :: rank, nprocs, failures, total, ierr, k
   integer, allocatable :: host(:)
   type(hesca_machine) :: machine
   type(hesca_job) :: job

   interface
      integer(c_int) function setenv(name, value, overwrite) bind(C)
         import
         character(kind=c_char), intent(in) :: name(*), value(*)
         integer(c_int), value :: overwrite
      end function
   end interface

   call mpi_init(ierr)
   call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
   call mpi_comm_size(MPI_COMM_WORLD, nprocs, ierr)
   failures = 0
   if (rank == 0) call write_machine
   call mpi_barrier(MPI_COMM_WORLD, ierr)
   ierr = setenv('HESCA_MACHINE'//c_null_char, path//c_null_char, 1)
   ierr = setenv('HESCA_JOB'//c_null_char, 'gemm,2000,32'//c_null_char, 1)
   ierr = hesca_machine_read(path, machine)
      call check(ierr == HESCA_SUCCESS .and. &
              machine%nhosts == nprocs, hesca_text())
   host = [(k, k=0, nprocs - 1)]
   job = hesca_job(HESCA_ROUTINE_GEMM, n, nb)
   call jobs
   call numbers
   call placements
   call grids
   call errors
   call hesca_machine_clear(machine)
   call check(machine%nhosts == 0, 'a machine that was freed')
   call mpi_allreduce(failures, total, 1, MPI_INTEGER, MPI_SUM, &
                      MPI_COMM_WORLD, ierr)
   if (rank == 0) then
      open (10, file=path)
      close (10, status='delete')
   end if
   call mpi_finalize(ierr)
   if (total > 0) stop 1

contains

   subroutine check(ok, what)
      logical, intent(in) :: ok
      character(*), intent(in) :: what
      if (ok) return
      failures = failures + 1
      print *, 'rank', rank, 'failed: ', what
   end subroutine

   ! Host 1 is the slowest.
   integer function speed(k)
      integer, intent(in) :: k
      speed = merge(1, k + 2, k == 1)
   end function

   subroutine write_machine
      open (10, file=path)
      write (10, '(a)') 'hesca-machine 1'
      do k = 0, nprocs - 1
         write (10, '(a,i0,a,i0)') 'host node', k, ' speed ', speed(k)
      end do
      write (10, '(a)') 'others startup 50us rate 1Gbit/s'
      close (10)
   end subroutine

   subroutine jobs
      integer(c_int) :: routine
      routine = -1
      call check(hesca_routine_find('pdpotrf', routine) .and. &
                 routine == HESCA_ROUTINE_POTRF, 'pdpotrf')
      call check(.not. hesca_routine_find('qr', routine), 'qr')
      call check(hesca_job_flops(job) == 1.6d10, 'flops')
      call check(hesca_job_bytes(job) == 9.6d7, 'bytes')
      call check(hesca_job_speed(machine, job, 0, nprocs) == &
                 2*hesca_job_speed(machine, job, 1, nprocs), 'speeds')
   end subroutine

   ! As many processes as the host is faster than the slowest.
   subroutine numbers
      type(hesca_place_limits) :: limits
      integer(c_int) :: count(nprocs)
      limits = hesca_place_limits_default()
      count = -1
      ierr = hesca_place_counts(machine, limits=limits, count=count)
      call check(ierr == HESCA_SUCCESS, hesca_text())
      call check(all(count == [(speed(k), k=0, nprocs - 1)]), 'counts')
      limits%nprocs = nprocs
      ierr = hesca_place_counts(machine, job, limits, count)
      call check(ierr == HESCA_SUCCESS .and. sum(count) == nprocs, 'so many')
   end subroutine

   subroutine placements
      type(hesca_forecast) :: placed, again
      integer(c_int) :: process(nprocs), nprow, npcol
      integer :: places
      places = nprocs - 1
      ierr = hesca_place_grid(machine, job, nprocs, host, 1, places, &
            process, placed)
      call check(ierr == HESCA_SUCCESS, hesca_text())
      call check(process(1) == 0 .and. all([(any(process(:places) == k), &
                 k=2, nprocs - 1)]), 'the fastest and the first')
      ierr = hesca_forecast_make(machine, job, 1, places, &
            host(process(:places) + 1), again)
      call check(ierr == HESCA_SUCCESS .and. again%seconds == placed%seconds .and. &
                 again%seconds >= again%compute .and. again%ideal > 0, &
                 'what is predicted')
      ierr = hesca_place_grid_by_speed(machine, job, nprocs, host, 1, &
            places, process)
      call check(ierr == HESCA_SUCCESS .and. &
                 all(process(:places) == [0, (nprocs - k, k=1, places - 1)]), &
                 'the fastest first')
      ierr = hesca_place_shape(machine, job, nprocs, host, nprow, npcol, &
            process, placed)
      call check(ierr == HESCA_SUCCESS .and. &
                 nprow*npcol <= nprocs .and. &
                 placed%seconds <= again%seconds, 'the best shape')
   end subroutine

   ! All processes together find what each finds alone.
   subroutine grids
      type(hesca_grid_info) :: info
      integer(c_int) :: mine(nprocs), all_of(nprocs), p, q, nprow, npcol
      integer :: places
      places = nprocs - 1
      ierr = hesca_place_grid(machine, job, nprocs, host, places, 1, mine)
      ierr = hesca_grid_place(MPI_COMM_WORLD, places, 1, choose=1, &
            process=all_of, info=info)
      call check(ierr == HESCA_SUCCESS, hesca_text())
      call check(info%placed == 1 .and. info%seconds < info%unplaced .and. &
                 all(mine(:places) == all_of(:places)), 'a placed grid')
      ! Exchanged among themselves only, the first stays.
      ierr = hesca_grid_place(MPI_COMM_WORLD, 1, 2, [2, 1], 0, all_of, info)
      call check(ierr == HESCA_SUCCESS .and. &
                 all(all_of(:2) == [2, 1]) .and. info%placed == 0, &
                 'a map')
      ierr = hesca_place_shape(machine, job, nprocs, host, p, q)
      ierr = hesca_grid_auto(n, nb, 'dgemm', nprow, npcol)
      call check(ierr == HESCA_SUCCESS .and. nprow == p .and. npcol == q, 'the shape')
      ierr = hesca_grid_auto(2000, nb, 'gemm', nprow, npcol)
      call check(ierr == HESCA_SUCCESS .and. nprow == p .and. npcol == q, &
                 'the shape, n of 4 bytes')
   end subroutine

   subroutine errors
      integer(c_int) :: process(nprocs), nprow, npcol
      nprow = -7
      npcol = -7
      ierr = hesca_machine_read('no such file', machine)
      call check(ierr == HESCA_ERR_PARAM .and. machine%nhosts == nprocs, 'no file')
      ierr = hesca_grid_place(MPI_COMM_WORLD, 0, 1, choose=1, &
            process=process)
      call check(ierr == HESCA_ERR_ARG .and. &
                 index(hesca_text(), 'nprow, is 0') > 0, hesca_text())
      ierr = hesca_grid_auto(n, nb, 'qr', nprow, npcol)
      call check(ierr == HESCA_ERR_ARG .and. nprow == -7 .and. npcol == -7 .and. &
                 index(hesca_text(), '''qr''') > 0, hesca_text())
      ierr = hesca_grid_auto(0, nb, 'gemm', nprow, npcol)
      call check(ierr == HESCA_ERR_ARG .and. hesca_error_info() == 1, hesca_text())
   end subroutine
end program

! SPDX-License-Identifier: BSD-3-Clause
! Functions that only programs in C called before the Fortran modules were made
! from the headers: strings, structs, callbacks and communicators arrive.
module modules_callbacks
   use, intrinsic :: iso_c_binding
   use hesca
   implicit none
   integer :: looks = 0

contains

   integer(c_int) function monitor(machine, data) bind(C)
      type(hesca_machine), intent(inout) :: machine
      type(c_ptr), value :: data
      real(c_double), pointer :: startup
      call c_f_pointer(data, startup)
      machine%net%alone%startup = startup
      monitor = HESCA_SUCCESS
   end function

   integer(c_int) function over(what) bind(C)
      type(c_ptr), value :: what
      looks = looks + 1
      over = 0
      if (looks == 3 .and. .not. c_associated(what)) over = 7
   end function
end module

program t_modules
   use, intrinsic :: iso_c_binding
   use hesca
   use modules_callbacks
   implicit none
   include 'mpif.h'
   integer :: rank, failures, total, ierr

   call mpi_init(ierr)
   call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
   failures = 0
   call strings
   call machines
   call broadcasts
   call exchanges
   call agreements
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
      print '(a,i0,2a)', 'process ', rank, ': ', what
   end subroutine

   subroutine strings
      character(300) :: text
      type(hesca_param_info), pointer :: param
      call check(hesca_engine_name(HESCA_ENGINE_OWN) == 'own', 'engine')
      call check(hesca_engine_name(99) == '', 'no engine')
      call check(hesca_routine_name(HESCA_ROUTINE_POTRF) == 'potrf', 'routine')
      call check(hesca_shares_method_name(HESCA_SHARES_ROOT) == 'root', &
                 'method')
      call check(hesca_error_set(HESCA_ERR_PARAM, 3, 'a text  ') == &
                 HESCA_ERR_PARAM, 'error_set')
      call check(hesca_text() == 'a text' .and. hesca_error_info() == 3, &
                 'text')
      call check(len(hesca_strerror(HESCA_ERR_ARG)) > 0, 'strerror')
      call check(.not. hesca_params_finding(1000, text), 'finding')
      call c_f_pointer(hesca_param(0), param)
      call check(index(hesca_string(param%name), 'HESCA_') == 1, 'param')
   end subroutine

   subroutine machines
      type(hesca_machine) :: machine, copy
      type(hesca_costs) :: costs
      type(c_ptr) :: speed
      character(:), allocatable :: text
      integer(c_int) :: err
      machine = hesca_machine_default()
      err = hesca_machine_set_hosts(machine, ['one  ', 'other'])
      call check(err == HESCA_SUCCESS, hesca_text())
      call check(hesca_machine_find_host(machine, 'other') == 1 .and. &
                 hesca_machine_find_host(machine, 'third') == -1, 'hosts')
      costs = hesca_machine_costs(machine, 0, 1d0)
      call check(abs(costs%startup - machine%net%alone%startup) <= 0, 'costs')
      err = hesca_speed_create_constant(3d0, 1d6, speed)
      err = hesca_machine_set_speed(machine, 1, 'gemm', speed)
      call hesca_speed_free(speed)
      call check(err == HESCA_SUCCESS .and. machine%nmodels == 1, 'set_speed')
      call check(hesca_machine_check(machine) == HESCA_SUCCESS, 'check')
      err = hesca_machine_copy(machine, copy)
      call hesca_machine_clear(machine)
      speed = hesca_machine_speed(copy, 1, 'gemm')
      call check(abs(hesca_speed_at(speed, 5d0) - 3d0) < 1d-12, 'speed')
      call check(.not. c_associated(hesca_machine_speed(copy, 0, 'gemm')), &
                 'no speed')
      err = hesca_machine_format(copy, text)
      call check(err == HESCA_SUCCESS .and. &
                 index(text, 'hesca-machine 1') == 1, 'format')
      call hesca_machine_clear(copy)
   end subroutine

   ! Process 0 reaches 2 sooner by 1: 1 + 2 seconds instead of 9.
   subroutine broadcasts
      real(c_double), target :: cost(3, 3)
      real(c_double) :: reached(3), bound
      type(hesca_broadcast_problem) :: problem
      type(hesca_broadcast) :: b
      type(hesca_broadcast_algorithm), pointer :: algorithm
      type(hesca_send), pointer :: sends(:)
      type(c_ptr) :: ecef
      integer(c_int) :: err
      cost = 9
      cost(2, 1) = 1
      cost(3, 2) = 2
      problem%nproc = 3
      problem%cost = c_loc(cost)
      ecef = hesca_broadcast_algorithm_find('ecef')
      call check(c_associated(ecef), 'ecef')
      call check(.not. c_associated(hesca_broadcast_algorithm_find('x')), 'x')
      call c_f_pointer(ecef, algorithm)
      call check(hesca_string(algorithm%name) == 'ecef', 'name')
      err = hesca_broadcast_find(ecef, problem, b)
      call check(err == HESCA_SUCCESS .and. b%n == 2 .and. &
                 abs(b%finish - 3) < 1d-12, 'broadcast')
      call c_f_pointer(b%send, sends, [b%n])
      call check(sends(2)%src == 1 .and. sends(2)%dest == 2 .and. &
                 abs(sends(2)%start - 1) < 1d-12, 'second send')
      call check(hesca_broadcast_check(problem, b) == HESCA_SUCCESS, 'check')
      err = hesca_broadcast_reach(problem, reached)
      err = hesca_broadcast_bound(problem, bound)
      call check(abs(reached(3) - 3) < 1d-12 .and. abs(bound - 3) < 1d-12, &
                 'bound')
      call hesca_broadcast_clear(b)
      call check(b%n == 0, 'clear')
   end subroutine

   ! 0 sends to 1 and to 2, for 1 and 2 seconds: they follow each other.
   subroutine exchanges
      type(hesca_events) :: events
      type(hesca_timetable) :: t
      type(hesca_event) :: list(2)
      type(hesca_lateness) :: late
      integer(c_signed_char) :: missed(2)
      integer(c_int) :: err
      list(1) = hesca_event(src=0, dest=1, bytes=8, seconds=1)
      list(2) = hesca_event(src=0, dest=2, bytes=8, seconds=2)
      err = hesca_events_init(events, 3, 2_c_int64_t, list)
      call check(err == HESCA_SUCCESS .and. events%n == 2, 'events')
      err = hesca_timetable_of_steps(t, events, 2_c_int64_t, &
                                     [0_c_int64_t, 1_c_int64_t])
      call check(err == HESCA_SUCCESS .and. abs(t%finish - 3) < 1d-12, &
                 'timetable')
      call check(hesca_timetable_check(t, events) == HESCA_SUCCESS, 'steps')
      late = hesca_timetable_lateness(t, [5d0, 1d0], missed)
      call check(late%missed == 1 .and. abs(late%most - 2) < 1d-12 .and. &
                 all(missed == [0, 1]), 'lateness')
      call check(c_associated(hesca_heuristic_find('openshop')), 'openshop')
      call hesca_timetable_clear(t)
      call hesca_events_clear(events)
   end subroutine

   subroutine agreements
      real(c_double), target :: startup
      type(hesca_machine) :: machine
      type(hesca_params) :: params
      type(hesca_wait_info) :: info
      type(c_ptr) :: lacks
      integer(c_int) :: err
      integer(c_int64_t) :: before
      err = hesca_params_serve(MPI_COMM_WORLD, params, lacks)
      call check(err == HESCA_SUCCESS .and. hesca_string(lacks) == '', 'serve')
      err = hesca_wait_agree(MPI_COMM_WORLD, info)
      call check(err == HESCA_SUCCESS .and. info%load >= 1, 'wait_agree')
      call check(hesca_wait_until(c_funloc(over), c_null_ptr) == 7 .and. &
                 looks == 3, 'wait_until')
      startup = 0.25
      call hesca_machine_set_monitor(c_funloc(monitor), c_loc(startup))
      before = hesca_machine_refreshes()
      err = hesca_machine_refresh(MPI_COMM_WORLD)
      call check(err == HESCA_SUCCESS .and. &
                 hesca_machine_refreshes() == before + 1, 'refresh')
      err = hesca_machine_agreed(MPI_COMM_WORLD, machine)
      call check(err == HESCA_SUCCESS .and. &
                 abs(machine%net%alone%startup - 0.25) < 1d-12, 'agreed')
      call hesca_machine_clear(machine)
      call hesca_machine_set_monitor(c_null_funptr, c_null_ptr)
   end subroutine
end program

! SPDX-License-Identifier: BSD-3-Clause
! Plain ScaLAPACK calls and the module hesca in one program: pdgemr2d, a plan
! and hesca_redistribute deliver the same bits, there and back, and errors come
! back as codes with a text.
program t_fortran
   use, intrinsic :: iso_c_binding
   use hesca
   implicit none
   include 'mpif.h'
   integer, parameter :: m = 61, n = 47, mb = 5, nb = 3, mb2 = 4, nb2 = 7
   integer :: rank, nprocs, ictxt, ctxta, ctxtb, failures, total, ierr, k
   integer :: pa, qa, pb, qb, lda, ldb, ca, cb
   integer :: desca(9), descb(9)
   integer, allocatable :: ranks(:)
   double precision, allocatable :: a(:, :), b(:, :), x(:, :), back(:, :)
   integer, external :: numroc

   call mpi_init(ierr)
   call blacs_pinfo(rank, nprocs)
   failures = 0

   ! A on a column of processes, B on a grid as square as it gets, a line for
   ! all of them around both.
   pa = nprocs
   qa = 1
   pb = int(sqrt(real(nprocs)))
   qb = nprocs/pb
   call blacs_get(-1, 0, ictxt)
   ctxta = ictxt
   ctxtb = ictxt
   call blacs_gridinit(ictxt, 'R', 1, nprocs)
   call blacs_gridinit(ctxta, 'R', pa, qa)
   call blacs_gridinit(ctxtb, 'R', pb, qb)
   call describe(ctxta, mb, nb, desca, lda, ca)
   call describe(ctxtb, mb2, nb2, descb, ldb, cb)
   allocate (a(lda, max(1, ca)), back(lda, max(1, ca)))
   allocate (b(ldb, max(1, cb)), x(ldb, max(1, cb)))
   call random_number(a)
   b = -1
   x = -1
   back = a + 1

   call pdgemr2d(m, n, a, 1, 1, desca, b, 1, 1, descb, ictxt)
   call by_plan
   call check(all(transfer(b, 0_c_int64_t, size(b)) == &
                  transfer(x, 0_c_int64_t, size(x))), 'the plan differs')
   x = -1
   call by_redistribute
   call check(all(transfer(b, 0_c_int64_t, size(b)) == &
                  transfer(x, 0_c_int64_t, size(x))), &
              'hesca_redistribute differs')
   x = -1
   call by_generalized
   call check(all(transfer(b, 0_c_int64_t, size(b)) == &
                  transfer(x, 0_c_int64_t, size(x))), &
              'through generalized blocks it differs')
   call hesca_pdgemr2d(m, n, b, 1, 1, descb, back, 1, 1, desca, ictxt)
   if (desca(2) /= -1) call compare_back
   call errors
   call collectives

   call mpi_allreduce(failures, total, 1, MPI_INTEGER, MPI_SUM, &
                      MPI_COMM_WORLD, ierr)
   if (rank == 0) print *, 't_fortran:', total, 'failed'
   call blacs_exit(1)
   call mpi_finalize(ierr)
   if (total /= 0) error stop 1

contains

   ! Process r has r + 1 numbers for each; what root has goes to all, and to
   ! the last one.
   subroutine collectives
      integer(c_int64_t) :: sc(0:nprocs - 1), sd(0:nprocs - 1)
      integer(c_int64_t) :: rc(0:nprocs - 1), rd(0:nprocs - 1)
      real(c_double) :: have((rank + 1)*nprocs), got(nprocs*(nprocs + 1)/2)
      type(hesca_coll_info) :: info
      integer :: err, r
      have = rank
      got = -1
      do r = 0, nprocs - 1
         sc(r) = rank + 1
         sd(r) = r*(rank + 1)
         rc(r) = r + 1
         rd(r) = r*(r + 1)/2
      end do
      err = hesca_alltoallv(have, sc, sd, got, rc, rd, 8_c_size_t, &
                            MPI_COMM_WORLD, info)
      call check(err == HESCA_SUCCESS .and. info%segments == 1, hesca_text())
      do r = 0, nprocs - 1
         call check(all(got(rd(r) + 1:rd(r) + rc(r)) == r), &
                    'hesca_alltoallv differs')
      end do
      err = hesca_bcast(have, 8_c_int64_t, nprocs - 1, MPI_COMM_WORLD)
      call check(err == HESCA_SUCCESS .and. have(1) == nprocs - 1, &
                 'hesca_bcast differs')
      have(1) = rank
      err = hesca_multicast(have, 8_c_int64_t, 0, min(1, nprocs - 1), &
                            [nprocs - 1], MPI_COMM_WORLD, info)
      call check(err == HESCA_SUCCESS .and. &
                 have(1) == merge(0, rank, rank == nprocs - 1), &
                 'hesca_multicast differs')
   end subroutine

   subroutine check(ok, text)
      logical, intent(in) :: ok
      character(*), intent(in) :: text
      if (ok) return
      failures = failures + 1
      print *, 'rank', rank, 'of', nprocs, ': ', text, '; ', hesca_text()
   end subroutine

   ! A descriptor, the leading dimension and the local columns.
   subroutine describe(ctxt, mblock, nblock, desc, lld, columns)
      integer, intent(in) :: ctxt, mblock, nblock
      integer, intent(out) :: desc(9), lld, columns
      integer :: nprow, npcol, myrow, mycol, info
      desc = -1
      lld = 1
      columns = 0
      call blacs_gridinfo(ctxt, nprow, npcol, myrow, mycol)
      if (myrow < 0) return
      lld = max(1, numroc(m, mblock, myrow, 0, nprow))
      columns = numroc(n, nblock, mycol, 0, npcol)
      call descinit(desc, m, n, mblock, nblock, 0, 0, ctxt, lld, info)
   end subroutine

   subroutine compare_back
      integer :: locr
      locr = numroc(m, mb, rank, 0, pa)
      call check(all(back(1:locr, 1:ca) == a(1:locr, 1:ca)), 'not A again')
   end subroutine

   subroutine by_plan
      type(c_ptr) :: la, lb, plan
      type(hesca_plan_info) :: info
      allocate (ranks(pb*qb))
      ranks = [(k, k=0, pb*qb - 1)]
      call check(hesca_layout_create_cyclic(int(m, c_int64_t), &
                 int(n, c_int64_t), mb, nb, 0, 0, pa, qa, layout=la) == &
                 HESCA_SUCCESS, 'layout of A')
      call check(hesca_layout_create_cyclic(int(m, c_int64_t), &
                 int(n, c_int64_t), mb2, nb2, 0, 0, pb, qb, ranks, lb) == &
                 HESCA_SUCCESS, 'layout of B')
      call check(hesca_plan_create(HESCA_ALL, int(m, c_int64_t), &
                 int(n, c_int64_t), hesca_matrix(la), hesca_matrix(lb), &
                 8_c_size_t, MPI_COMM_WORLD, plan) == HESCA_SUCCESS, 'plan')
      call check(hesca_plan_execute(plan, a, int(lda, c_int64_t), x, &
                 int(ldb, c_int64_t)) == HESCA_SUCCESS, 'execution')
      call check(hesca_plan_get_info(plan, info) == HESCA_SUCCESS, 'info')
      call check(info%bytes_total == 8*m*n .and. info%a%nprow == pa .and. &
                 info%b%nb == nb2 .and. info%schedule(1) /= ' ', 'its values')
      call hesca_plan_free(plan)
      call hesca_layout_free(la)
      call hesca_layout_free(lb)
   end subroutine

   ! From A to a column of processes, each of which has one row of every
   ! generalized block more than the one before, and from there to B; without
   ! ranks there, with them here.
   subroutine by_generalized
      type(c_ptr) :: la, lg, lb
      integer(c_int64_t) :: heights(nprocs), locr, locc, il, jl
      integer(c_int64_t), parameter :: widths(1) = [10]
      double precision, allocatable :: g(:, :)
      integer :: owner
      heights = [(k - 1, k=1, nprocs)]
      heights(1) = merge(1, 0, nprocs == 1)
      call check(hesca_layout_create_cyclic(int(m, c_int64_t), &
                 int(n, c_int64_t), mb, nb, 0, 0, pa, qa, layout=la) == &
                 HESCA_SUCCESS, 'layout of A')
      call check(hesca_layout_create_generalized(int(m, c_int64_t), &
                 int(n, c_int64_t), nprocs, 1, heights, widths, layout=lg) == &
                 HESCA_SUCCESS, 'a layout in generalized blocks')
      heights = mb2
      call check(hesca_layout_create_generalized(int(m, c_int64_t), &
                 int(n, c_int64_t), pb, qb, heights(:pb), &
                 [(int(nb2, c_int64_t), k=1, qb)], ranks, lb) == &
                 HESCA_SUCCESS, 'layout of B')
      call check(hesca_layout_local_size(lg, rank, locr, locc) == &
                 HESCA_SUCCESS .and. (locr > 0 .eqv. rank > 0 .or. &
                 nprocs == 1), 'sizes')
      call check(hesca_layout_locate(lg, 1_c_int64_t, 3_c_int64_t, owner, il, &
                 jl) == HESCA_SUCCESS .and. owner == merge(2, nprocs - 1, &
                 nprocs > 2) .and. jl == 3, 'places')
      allocate (g(max(1_c_int64_t, locr), locc))
      call copy(la, a, int(lda, c_int64_t), lg, g, max(1_c_int64_t, locr))
      call copy(lg, g, max(1_c_int64_t, locr), lb, x, int(ldb, c_int64_t))
      call hesca_layout_free(la)
      call hesca_layout_free(lg)
      call hesca_layout_free(lb)
      call check(hesca_layout_create_generalized(1_c_int64_t, 1_c_int64_t, 1, &
                 1, [-1_c_int64_t], widths, layout=la) == HESCA_ERR_ARG .and. &
                 hesca_error_info() == 5 .and. .not. c_associated(la), &
                 'a height of -1')
   end subroutine

   ! All of one matrix to another.
   subroutine copy(from, y, ldy, to, z, ldz)
      type(c_ptr), intent(in) :: from, to
      integer(c_int64_t), intent(in) :: ldy, ldz
      double precision, intent(in) :: y(ldy, *)
      double precision, intent(inout) :: z(ldz, *)
      type(c_ptr) :: plan
      call check(hesca_plan_create(HESCA_ALL, int(m, c_int64_t), &
                 int(n, c_int64_t), hesca_matrix(from), hesca_matrix(to), &
                 8_c_size_t, MPI_COMM_WORLD, plan) == HESCA_SUCCESS, 'plan')
      call check(hesca_plan_execute(plan, y, ldy, z, ldz) == HESCA_SUCCESS, &
                 'execution')
      call hesca_plan_free(plan)
   end subroutine

   ! What this process knows of the matrix of a descriptor.
   function side_of(desc) result(side)
      integer, intent(in) :: desc(9)
      type(hesca_side) :: side
      if (desc(2) == -1) return
      side%member = 1
      call blacs_gridinfo(desc(2), side%nprow, side%npcol, side%myrow, &
                          side%mycol)
      side%m = desc(3)
      side%n = desc(4)
      side%mb = desc(5)
      side%nb = desc(6)
      side%lld = desc(9)
   end function

   subroutine by_redistribute
      type(hesca_plan_info) :: info
      type(hesca_cache_info) :: cache
      integer :: repeat, own, code
      ! Contexts share plans with MPI_COMM_WORLD.
      call MPI_Comm_dup(MPI_COMM_WORLD, own, code)
      do repeat = 1, 2
         call check(hesca_redistribute(HESCA_SUCCESS, HESCA_ALL, &
                    int(m, c_int64_t), int(n, c_int64_t), side_of(desca), a, &
                    side_of(descb), x, 8_c_size_t, own, info) == &
                    HESCA_SUCCESS, 'redistribution')
         call check(info%cached == repeat - 1, 'the cache')
         call check(info%plan_seconds > 0 .and. info%plan_seconds < 1000, &
                    'seconds of planning')
      end do
      call check(hesca_cache_get_info(own, cache) == &
                 HESCA_SUCCESS .and. cache%plans == 1 .and. cache%bytes > 0 &
                 .and. cache%bytes < 2**20 .and. cache%hits == 1 .and. &
                 cache%misses == 1 .and. cache%dropped == 0, 'plans kept')
   end subroutine

   subroutine set(name, value)
      character(*), intent(in) :: name, value
      interface
         integer(c_int) function setenv(name, value, overwrite) bind(C)
            import
            character(kind=c_char), intent(in) :: name(*), value(*)
            integer(c_int), value :: overwrite
         end function
      end interface
      call check(setenv(name//c_null_char, value//c_null_char, 1_c_int) == 0, &
                 'setenv')
   end subroutine

   subroutine errors
      type(c_ptr) :: layout
      integer :: err
      type(hesca_params) :: params, mine
      err = hesca_layout_create_cyclic(1_c_int64_t, 1_c_int64_t, 0, 1, 0, 0, &
                                       1, 1, layout=layout)
      call check(err == HESCA_ERR_ARG .and. hesca_error_info() == 3 .and. &
                 index(hesca_text(), 'mb, is 0') > 0, 'mb = 0 is accepted')
      call check(.not. c_associated(layout), 'a layout after an error')
      err = hesca_redistribute(HESCA_SUCCESS, HESCA_ALL, -1_c_int64_t, &
                               1_c_int64_t, side_of(desca), a, &
                               side_of(descb), x, 8_c_size_t, MPI_COMM_WORLD)
      call check(err == HESCA_ERR_ARG .and. hesca_error_info() == 3, &
                 'm = -1 is accepted')
      call check(hesca_machine_refresh(MPI_COMM_WORLD) == HESCA_SUCCESS, &
                 'the same machine')
      call check(hesca_machine_refresh(MPI_COMM_NULL) == HESCA_ERR_ARG, &
                 'no communicator')
      call check(hesca_params_agreed(MPI_COMM_WORLD, params) == &
                 HESCA_SUCCESS .and. params%buffer >= 65536, 'parameters')
      call check(hesca_params_read(mine) == HESCA_SUCCESS .and. &
                 mine%buffer == params%buffer, 'parameters read alone')
      mine%disable(:7) = transfer('trmr2d'//c_null_char, mine%disable, 7)
      call check(hesca_params_disabled(mine, 'pdtrmr2d') .and. .not. &
                 hesca_params_disabled(mine, 'pdgemr2d '), 'HESCA_DISABLE')
      call check(all(mine%schedule(:5) == transfer('auto'//c_null_char, &
                 mine%schedule, 5)) .and. mine%transport == &
                 HESCA_TRANSPORT_AUTO .and. mine%cache == 2**24 .and. &
                 mine%timeout == 0 .and. mine%node_size == 0, 'defaults')
      call set('HESCA_TRANSPORT', 'lend')
      call set('HESCA_CACHE', '3M')
      call set('HESCA_TIMEOUT', '2.5')
      call set('HESCA_NODE_SIZE', '7')
      call set('HESCA_WAIT', 'polite')
      call check(hesca_params_read(mine) == HESCA_SUCCESS .and. &
                 mine%transport == HESCA_TRANSPORT_SINGLE_COPY .and. &
                 mine%cache == 3*2**20 .and. mine%timeout == 2.5 .and. &
                 mine%node_size == 7 .and. mine%wait == HESCA_WAIT_POLITE &
                 .and. mine%buffer == params%buffer, &
                 'the parameters that were set')
      call check(verify(hesca_version(), '0123456789.') == 0 .and. &
                 len(hesca_version()) >= 5, 'hesca_version')
      call check(index(hesca_strerror(HESCA_ERR_ARG), 'illegal') > 0, &
                 'the meaning of a code')
      err = hesca_error_set(HESCA_ERR_MISMATCH, 7, 'my own  ')
      call check(err == HESCA_ERR_MISMATCH .and. hesca_error_info() == 7 &
                 .and. hesca_text() == 'my own', 'an error of the caller')
   end subroutine

end program

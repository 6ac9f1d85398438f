! SPDX-License-Identifier: BSD-3-Clause
! Ragged layouts and generalized blocks from Fortran: every interface once,
! against the worked example of the HMPI thesis, Figure 5.5.
program t_gblock_fortran
   use, intrinsic :: iso_c_binding
   use hesca
   implicit none
   integer(c_int64_t), parameter :: n = 14
   real(c_double), parameter :: speed(9) = [.11d0, .25d0, .05d0, .17d0, &
                                .09d0, .08d0, .05d0, .17d0, .03d0]
   integer(c_int64_t), parameter :: heights(9) = [2, 3, 2, 3, 1, 3, 1, 2, 1]
   integer(c_int64_t), parameter :: widths(3) = [2, 3, 1]
   integer(c_int64_t), parameter :: locr(9) = [6, 8, 6, 6, 2, 6, 2, 4, 2]
   integer(c_int64_t), parameter :: locc(3) = [6, 6, 2]
   integer :: failures = 0

   call layouts
   call blocks
   call tilings
   call near
   call times
   if (failures > 0) stop 1

contains

   subroutine check(ok, what)
      logical, intent(in) :: ok
      character(*), intent(in) :: what
      if (ok) return
      failures = failures + 1
      print '(2a)', 'failed: ', what
   end subroutine

   ! All elements are where they are said to be, and so many.
   subroutine check_layout(x, what)
      type(c_ptr), intent(in) :: x
      character(*), intent(in) :: what
      integer(c_int64_t) :: i, j, il, jl, gi, gj, r, c
      integer(c_int) :: rank, k
      do j = 0, n - 1
         do i = 0, n - 1
            call check(hesca_layout_locate(x, i, j, rank, il, jl) == &
                       HESCA_SUCCESS, what//': locate')
            call check(hesca_layout_global(x, rank, il, jl, gi, gj) == &
                       HESCA_SUCCESS .and. gi == i .and. gj == j, &
                       what//': global')
         end do
      end do
      do k = 0, 8
         call check(hesca_layout_local_size(x, k, r, c) == HESCA_SUCCESS &
                    .and. r == locr(k + 1) .and. &
                    c == locc(mod(k, 3) + 1), what//': local size')
      end do
   end subroutine

   subroutine layouts
      type(c_ptr) :: x
      integer(c_int) :: row(18), col(6), p, q, k
      integer(c_int64_t) :: r, c
      call check(hesca_layout_create_column_based(n, n, 3, 3, heights, &
                 widths, layout=x) == HESCA_SUCCESS, hesca_text())
      call check_layout(x, 'column-based')
      call hesca_layout_free(x)
      col = [0, 0, 1, 1, 1, 2]
      k = 1
      do q = 0, 2
         do p = 0, 2
            row(k:k + int(heights(3*p + q + 1)) - 1) = p
            k = k + int(heights(3*p + q + 1))
         end do
      end do
      call check(hesca_layout_create_by_owners(HESCA_COLUMN_BASED, n, n, 1, 1, &
                 6, 6, 3, 3, row, col, layout=x) == HESCA_SUCCESS, &
                 hesca_text())
      call check_layout(x, 'assigned')
      call hesca_layout_free(x)
      call check(hesca_layout_create_row_based(n, n, 3, 3, &
                 [2_c_int64_t, 3_c_int64_t, 1_c_int64_t], &
                 [2_c_int64_t, 3_c_int64_t, 1_c_int64_t, 3_c_int64_t, &
                  1_c_int64_t, 2_c_int64_t, 2_c_int64_t, 3_c_int64_t, &
                  1_c_int64_t], layout=x) == HESCA_SUCCESS, hesca_text())
      call check(hesca_layout_local_size(x, 4, r, c) == HESCA_SUCCESS .and. &
                 r == 6 .and. c == 2, 'row-based')
      call hesca_layout_free(x)
   end subroutine

   subroutine blocks
      type(c_ptr) :: g
      type(hesca_gblock_info) :: x
      integer(c_int) :: p, q, k
      call check(hesca_gblock_create(HESCA_COLUMN_BASED, &
                 HESCA_ASSIGN_RECTANGLES, n, n, 1, 1, 6, 6, 3, 3, speed, &
                 gblock=g) == HESCA_SUCCESS, hesca_text())
      call check_layout(hesca_gblock_layout(g), 'its layout')
      x = hesca_gblock_get_info(g)
      call check(x%kind == HESCA_COLUMN_BASED .and. x%assignment == 0 .and. &
                 x%m == n .and. x%n == n .and. x%mb == 1 .and. x%nb == 1 &
                 .and. x%lp == 6 .and. x%lq == 6 .and. x%nprow == 3 .and. &
                 x%npcol == 3, 'info')
      call check(abs(1/x%imbalance - .90d0) < .005d0, 'imbalance')
      do k = 0, 8
         p = k/3
         q = mod(k, 3)
         call check(hesca_gblock_height(g, p, q) == heights(k + 1) .and. &
                    hesca_gblock_width(g, p, q) == widths(q + 1), 'cut')
         call check(hesca_gblock_locr(g, n, p, q) == locr(k + 1) .and. &
                    hesca_gblock_locc(g, n, p, q) == locc(q + 1), 'counts')
      end do
      call check(hesca_gblock_owner(g, 9_c_int64_t, 8_c_int64_t, p, q) == &
                 HESCA_SUCCESS .and. p == 1 .and. q == 1, 'owner')
      call hesca_gblock_free(g)
      call check(hesca_gblock_create(HESCA_COLUMN_BASED, &
                 HESCA_ASSIGN_CYCLIC, n, n, 1, 1, 2, 6, 3, 3, speed, &
                 gblock=g) == HESCA_ERR_ARG .and. .not. c_associated(g), &
                 'lp below nprow')
   end subroutine

   subroutine tilings
      type(c_ptr) :: t, g
      integer(c_int) :: p, q
      call check(hesca_tiling_create_grid(2, 2, m=5_c_int64_t, &
                 n=5_c_int64_t, kind=HESCA_KIND_ROWS, &
                 cut=HESCA_TILING_PROPORTIONAL, tiling=t) == HESCA_SUCCESS, &
                 hesca_text())
      call check(hesca_gblock_of_tiling(t, n, n, 2, 2, gblock=g) == &
                 HESCA_SUCCESS, hesca_text())
      call check(hesca_gblock_owner(g, 4_c_int64_t, 0_c_int64_t, p, q) == &
                 HESCA_SUCCESS .and. &
                 hesca_tiling_at(t, p, q) == &
                 hesca_tiling_owner(t, 4_c_int64_t, 0_c_int64_t), 'tiling')
      call hesca_gblock_free(g)
      call hesca_tiling_free(t)
   end subroutine

   subroutine near
      type(c_ptr) :: x, g
      real(c_double) :: moved
      call check(hesca_layout_create_cyclic(512_c_int64_t, 512_c_int64_t, &
                 64, 64, 0, 0, 2, 2, layout=x) == HESCA_SUCCESS, hesca_text())
      call check(hesca_gblock_near(x, [.6d0, .6d0, .2d0, .2d0], 4, 2, &
                 moved, g) == HESCA_SUCCESS, hesca_text())
      call check(abs(moved - .25d0) < 1d-12, 'a quarter moves')
      call hesca_gblock_free(g)
      call hesca_layout_free(x)
   end subroutine

   subroutine times
      character(*), parameter :: path = 't_gblock_fortran.machine'
      type(hesca_machine) :: machine
      type(hesca_job) :: job
      type(hesca_forecast) :: f, again
      type(c_ptr) :: g
      open (10, file=path)
      write (10, '(a)') 'hesca-machine 1', 'host a speed 3', &
         'host b speed 1', 'others startup 50us rate 1Gbit/s', &
         'inside a startup 1us rate 5GB/s', 'inside b startup 1us rate 5GB/s'
      close (10)
      call check(hesca_machine_read(path, machine) == HESCA_SUCCESS, &
                 hesca_text())
      job = hesca_job(HESCA_ROUTINE_POTRF, 2000_c_int64_t, 50)
      call check(hesca_gblock_tune(job, machine, 2, 1, [0, 1], 0, &
                 gblock=g, forecast=f) == HESCA_SUCCESS, hesca_text())
      call check(hesca_gblock_predict(g, job, machine, [0, 1], again) == &
                 HESCA_SUCCESS .and. again%seconds == f%seconds .and. &
                 f%seconds > f%ideal, 'forecast')
      call hesca_gblock_free(g)
      call hesca_machine_clear(machine)
      open (10, file=path)
      close (10, status='delete')
   end subroutine
end program

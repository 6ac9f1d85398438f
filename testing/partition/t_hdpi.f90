! SPDX-License-Identifier: BSD-3-Clause
! Every function of module hdpi, with arguments left out and with callbacks,
! and one of each of modules hesca_sets, hesca_models, hesca_matrices and
! hesca_graphs, through module hesca: against numbers worked out by hand.
module callbacks
   use, intrinsic :: iso_c_binding
   use hesca, only: hesca_knot
   implicit none
   integer :: calls = 0

contains

   ! What is asked for is known: 1500 elements of 3 processors.
   real(c_double) function sum_of(p, speeds, actual, ideal) bind(C)
      integer(c_int), value :: p
      real(c_double), intent(in) :: speeds(p)
      integer(c_int), intent(in) :: actual(p), ideal(p)
      calls = calls + 1
      sum_of = sum(actual)
      if (any(speeds <= 0) .or. any(abs(actual - ideal) > 1)) sum_of = -1
   end function

   real(c_double) function all_squares(p, speeds, m, n) bind(C)
      integer(c_int), value :: p, m, n
      real(c_double), intent(in) :: speeds(p)
      calls = calls + 1
      all_squares = 2*sum(sqrt(speeds/sum(speeds)*m*n/(1d0*m*n)))
   end function

   ! Beaumont et al. (2001): columns of consecutive processors.
   real(c_double) function columns(c, q, p, speeds, previous, r) bind(C)
      integer(c_int), value :: c, q, p
      real(c_double), intent(in) :: speeds(p)
      type(c_ptr), value :: previous
      integer(c_int), intent(out) :: r
      type(c_ptr), pointer :: rows(:)
      real(c_double), pointer :: row(:)
      real(c_double) :: area(p), value
      integer :: k
      calls = calls + 1
      call c_f_pointer(previous, rows, [c])
      call c_f_pointer(rows(c), row, [p + 1])
      area = speeds/sum(speeds)
      columns = huge(columns)
      do k = c - 1, q - 1
         if (c == 1 .and. k > 0) exit
         value = 1 + (q - k)*sum(area(k + 1:q))
         if (c > 1) value = value + row(k + 1)
         if (value >= columns) cycle
         columns = value
         r = k
      end do
   end function

   ! The largest half perimeter.
   real(c_double) function largest(p, w, h, trow, tcol) bind(C)
      integer(c_int), value :: p
      integer(c_int), intent(in) :: w(p), h(p, p), trow(p), tcol(p)
      integer :: k
      calls = calls + 1
      largest = maxval([(w(k) + h(k, k), k=1, p)])
      if (any(trow < 0) .or. any(tcol < 0)) largest = -1
   end function

   ! A constant speed, the caller's, takes half a second to measure.
   integer(c_int) function constant(size, point, seconds, data) bind(C)
      real(c_double), value :: size
      type(hesca_knot), intent(inout) :: point
      real(c_double), intent(out) :: seconds
      type(c_ptr), value :: data
      real(c_double), pointer :: speed
      call c_f_pointer(data, speed)
      point = hesca_knot(size, speed, speed, speed)
      seconds = 0.5d0
      constant = 0
   end function

   subroutine count_calls(npoints, seconds, next, data) bind(C)
      integer(c_int), value :: npoints
      real(c_double), value :: seconds, next
      type(c_ptr), value :: data
      if (seconds == 0.5d0*npoints .and. next >= 100 .and. &
          .not. c_associated(data)) calls = calls + 1
   end subroutine

   ! Nothing can be made better.
   real(c_double) function content(p, pn, speeds, psizes, mlimits, m, n, w, &
                                   h, trow, tcol) bind(C)
      integer(c_int), value :: p, pn, m, n
      real(c_double), intent(in), optional :: speeds(pn, p)
      integer(c_int), intent(in), optional :: psizes(pn, p), mlimits(p)
      integer(c_int), intent(inout) :: w(p), h(p, p), trow(p), tcol(p)
      integer :: k
      calls = calls + 1
      content = -1
      if (present(psizes) .or. present(mlimits) .or. .not. present(speeds)) &
         calls = calls + 1000
      if (sum([(w(k)*h(k, k), k=1, p)]) /= m*n) calls = calls + 1000
      if (any(trow + [(h(k, k), k=1, p)] > m)) calls = calls + 1000
      if (any(tcol + w > n)) calls = calls + 1000
   end function
end module

program t_hdpi
   use, intrinsic :: iso_c_binding
   use, intrinsic :: ieee_arithmetic
   use hesca
   use hdpi
   use callbacks
   implicit none
   integer :: failures = 0
   ! Three processors of four knots: one that pages, one that is flat, one that
   ! rises.
   real(c_double), parameter :: speeds(4, 3) = reshape( &
      [200d0, 200d0, 100d0, 50d0, 100d0, 100d0, 100d0, 100d0, &
       40d0, 60d0, 80d0, 80d0], [4, 3])
   integer(c_int), parameter :: sizes(4, 3) = reshape( &
      [100, 400, 800, 1000, 100, 400, 800, 1000, 100, 400, 800, 1000], [4, 3])

   call sets
   call weighted_sets
   call grids
   call triangles
   call linear
   call graphs
   call trees
   call c_sets
   call c_models
   call c_matrices
   call c_graphs
   print *, 't_hdpi:', failures, 'failed'
   if (failures /= 0) error stop 1

contains

   subroutine check(ok, text)
      logical, intent(in) :: ok
      character(*), intent(in) :: text
      if (ok) return
      failures = failures + 1
      print *, text, '; ', hesca_text()
   end subroutine

   logical function near(x, y)
      real(c_double), intent(in) :: x, y
      near = abs(x - y) <= 1d-9*abs(y)
   end function

   ! ------------------------------------------------ module hdpi

   subroutine sets
      real(c_double) :: metric
      integer(c_int) :: np(4), err, i
      err = Partition_unordered_set(3, 4, speeds, sizes, n=1500, &
               type_of_metric=SYSTEM_DEFINED, umf=c_null_funptr, &
               metric=metric, np=np)
      call check(err == 0 .and. all(np(:3) == [687, 535, 278]), 'functions')
      call check(near(1 + metric, 5.359897172237d0/5.354955939726d0), &
                 'their metric')
      err = Partition_unordered_set(3, 4, speeds, sizes, [600, 700, 1200], &
               1500, type_of_metric=-1, umf=c_null_funptr, np=np)
      call check(err == 0 .and. all(np(:3) == [600, 583, 317]), 'limits')
      err = Partition_unordered_set(3, 4, speeds, sizes, [300, 450, 700], &
               1500, type_of_metric=-1, umf=c_null_funptr, np=np)
      call check(err == -1 .and. index(hesca_text(), 'mlimits') > 0, &
                 'limits below n')
      calls = 0
      err = Partition_unordered_set(3, 4, speeds, sizes, n=1500, &
               type_of_metric=USER_SPECIFIED, umf=c_funloc(sum_of), &
               metric=metric, np=np)
      call check(err == 0 .and. calls == 1 .and. near(metric, 1500d0), &
                 'a metric of mine')
      err = Partition_unordered_set(3, 1, n=100, type_of_metric=-1, &
               umf=c_null_funptr, np=np)
      call check(err == 0 .and. all(np(:3) == [34, 33, 33]), 'all alike')
      err = Partition_ordered_set(3, 4, speeds, sizes, n=1500, &
               processor_reordering=0, type_of_metric=-1, &
               umf=c_null_funptr, np=np)
      call check(err == 0 .and. all(np == [0, 687, 1222, 1500]), 'in order')
      call check(Get_set_processor(686, 1500, 3, 0, np) == 0 .and. &
                 Get_set_processor(687, 1500, 3, 0, np) == 1 .and. &
                 Get_set_processor(1499, 1500, 3, 0, np) == 2 .and. &
                 Get_set_processor(1500, 1500, 3, 0, np) == -1, 'who has')
      call check(all([(Get_my_partition(i, 3, [5d0, 3d0, 2d0], 7), &
                       i=0, 2)] == [4, 2, 1]), 'my partition')
      call check(Get_my_partition(0, 2, n=9) == 5, 'mine of equal ones')
      err = Partition_unordered_set(0, 1, n=1, type_of_metric=-1, &
               umf=c_null_funptr, np=np)
      call check(err == -1 .and. index(hesca_text(), 'p, is 0') > 0, 'p = 0')
   end subroutine

   subroutine weighted_sets
      integer(c_int), parameter :: w(8) = [4, 1, 3, 2, 6, 2, 5, 1]
      real(c_double), parameter :: s(3) = [3, 1, 2]
      integer(c_int) :: np(8), err, k
      err = Partition_unordered_set(3, 1, s, n=8, w=w, type_of_metric=-1, &
               umf=c_null_funptr, np=np)
      call check(err == 0 .and. all([(sum(w, mask=np == k), k=0, 2)] == &
                 [12, 4, 8]), 'weights')
      err = Partition_ordered_set(3, 1, s, n=8, w=w, &
               processor_reordering=0, type_of_metric=-1, &
               umf=c_null_funptr, np=np)
      call check(err == 0 .and. all(np(:4) == [0, 5, 5, 8]), &
                 'weights in order')
      err = Partition_ordered_set(3, 1, s, n=8, w=w, &
               processor_reordering=1, type_of_metric=-1, &
               umf=c_null_funptr, np=np)
      call check(err == 0 .and. all(np(:6) == [1, 1, 0, 4, 2, 3]), &
                 'processors in another order')
      call check(Get_set_processor(0, 8, 3, 1, np) == 1 .and. &
                 Get_set_processor(4, 8, 3, 1, np) == 0 .and. &
                 Get_set_processor(5, 8, 3, 1, np) == 2, 'who has, then')
   end subroutine

   ! HMPI thesis, figure 5.5.
   subroutine grids
      real(c_double), parameter :: s(3, 3) = reshape( &
         [.11d0, .25d0, .05d0, .17d0, .09d0, .08d0, .05d0, .17d0, .03d0], &
         [3, 3])
      integer(c_int) :: w(3, 3), h(3, 3, 3, 3), trow(3, 3), tcol(3, 3)
      integer(c_int) :: ci(6, 6), cj(6, 6), r(3, 3), c(3, 3), err, i, j
      type(Processor) :: root
      err = Partition_matrix_2d(3, 3, 1, s, m=6, n=6, &
               type_of_distribution=COLUMN_BASED, w=w, h=h, trow=trow, &
               tcol=tcol, ci=ci, cj=cj)
      call check(err == 0, 'a grid')
      call check(all(w(:, 1) == [2, 3, 1]) .and. all(w(:, 3) == w(:, 1)), &
                 'widths')
      call check(all([((h(j, i, j, i), j=1, 3), i=1, 3)] == &
                 [2, 3, 2, 3, 1, 3, 1, 2, 1]), 'heights')
      call check(all([trow] == [0, 0, 0, 2, 3, 2, 5, 4, 5]), 'first rows')
      call check(all([tcol] == [0, 2, 5, 0, 2, 5, 0, 2, 5]), 'first columns')
      ! h[0][1][0][0], [0][1][1][0], [1][0][2][1], [0][0][1][1]
      call check(h(1, 1, 2, 1) == 2 .and. h(1, 2, 2, 1) == 1 .and. &
                 h(2, 3, 1, 2) == 1 .and. h(2, 2, 1, 1) == 0, 'overlaps')
      do i = 0, 5
         do j = 0, 5
            err = Get_matrix_processor(i, j, 3, 3, w, h, trow, tcol, &
                                       COLUMN_BASED, root)
            call check(err == 0 .and. root%i == ci(j + 1, i + 1) .and. &
                       root%j == cj(j + 1, i + 1), 'who has an element')
         end do
      end do
      err = Get_matrix_processor(3, 4, 3, 3, w, h, &
               type_of_distribution=COLUMN_BASED, root=root)
      call check(err == 0 .and. root%i == 1 .and. root%j == 1, 'that of (3,4)')
      call check(Get_my_width(1, 1, 3, 3, s, COLUMN_BASED, 6, 6) == 3 .and. &
                 Get_my_height(1, 1, 3, 3, s, COLUMN_BASED, 6, 6) == 1, &
                 'mine')
      call check(Get_my_width(0, 1, 2, 3, type_of_distribution=CARTESIAN, &
                              m=4, n=9) == 3, 'a width of equal ones')
      call check(Get_diagonal(0, 0, 3, 3, w, h, trow, tcol) == 2 .and. &
                 Get_diagonal(1, 1, 3, 3, w, h) == 1, 'diagonals')
      err = Get_trow_tcol(3, w, h, r, c)
      call check(err == 0 .and. all(r == trow) .and. all(c == tcol), 'corners')
      err = Partition_matrix_2d(3, 3, 1, s, m=6, n=6, &
               type_of_distribution=COLUMN_BASED, w=w, h=h)
      call check(err == 0, 'a grid alone')
   end subroutine

   ! HMPI thesis, figure 5.10: columns of 7, 5 and 4.
   subroutine triangles
      integer(c_int), parameter :: height(3, 3) = reshape( &
         [4, 6, 5, 6, 6, 5, 6, 4, 6], [3, 3]) ! (j, i)
      integer(c_int) :: w(3, 3), h(3, 3, 3, 3), top(3, 3), left(3, 3)
      integer(c_int) :: i, j, k, l
      do i = 1, 3
         w(:, i) = [7, 5, 4]
         left(:, i) = [0, 7, 12]
         top(:, i) = sum(height(:, :i - 1), dim=2)
      end do
      do i = 1, 3
         do j = 1, 3
            do k = 1, 3
               do l = 1, 3
                  h(l, k, j, i) = max(0, min(top(j, i) + height(j, i), &
                     top(l, k) + height(l, k)) - max(top(j, i), top(l, k)))
               end do
            end do
         end do
      end do
      call check(Get_my_elements(32, 16, 2, 0, 3, 3, w, h, top, left, &
                 COLUMN_BASED, 'L') == 126, 'elements')
      call check(Get_my_elements(32, 16, 1, 1, 3, 3, w, h, &
                 type_of_distribution=COLUMN_BASED, upper_or_lower='L') == &
                 60, 'elements, corners left out')
      call check(Get_my_kk_elements(32, 16, 4, 2, 0, 3, 3, w, h, top, left, &
                 COLUMN_BASED, 'L') == 78, 'elements from row 4 on')
      call check(Get_my_kk_elements(32, 16, 4, 1, 1, 3, 3, w, h, &
                 type_of_distribution=COLUMN_BASED, upper_or_lower='L') == &
                 60, 'the same, corners left out')
      call check(Get_my_elements(32, 16, 2, 0, 3, 3, w, h, top, left, &
                 COLUMN_BASED, 'X') == -1, 'no triangle X')
   end subroutine

   ! Areas 2 3 5 6 8 of 24 make columns {2 3 5} and {6 8}.
   subroutine linear
      real(c_double), parameter :: s(5) = [2, 3, 5, 6, 8]
      integer(c_int) :: w(5), h(5, 5), trow(5), tcol(5), c(24, 24)
      integer(c_int) :: err, k
      real(c_double) :: value
      err = Partition_matrix_1d_dp(5, 1, s, m=24, n=24, lb=c_null_funptr, &
               dpf=c_null_funptr, type_of_distribution=COLUMN_BASED, w=w, &
               h=h, trow=trow, tcol=tcol, c=c)
      call check(err == 0 .and. all(w == [10, 10, 10, 14, 14]) .and. &
                 all([(h(k, k), k=1, 5)] == [5, 7, 12, 10, 14]), 'columns')
      call check(all([(count(c == k - 1) - w(k)*h(k, k), k=1, 5)] == 0), &
                 'owners')
      w = 0
      calls = 0
      err = Partition_matrix_1d_dp(5, 1, s, m=24, n=24, &
               lb=c_funloc(all_squares), dpf=c_funloc(columns), &
               type_of_distribution=COLUMN_BASED, w=w, h=h, trow=trow, &
               tcol=tcol)
      call check(err == 0 .and. calls >= 15 .and. &
                 all(w == [10, 10, 10, 14, 14]), 'columns of mine')
      calls = 0
      err = Partition_matrix_1d_iterative(5, 1, s, m=24, n=24, &
               lb=c_null_funptr, cf=c_funloc(largest), w=w, h=h, trow=trow, &
               tcol=tcol, c=c)
      value = largest(5, w, h, trow, tcol)
      call check(err == 0 .and. calls > 2 .and. value >= 28 .and. &
                 value <= 30, 'candidates')
      w = 0
      err = Partition_matrix_1d_dp(5, 1, s, m=24, n=24, lb=c_null_funptr, &
               dpf=c_null_funptr, type_of_distribution=COLUMN_BASED, w=w, h=h)
      call check(err == 0 .and. all(w == [10, 10, 10, 14, 14]), &
                 'columns without corners')
      err = Partition_matrix_1d_iterative(5, 1, s, m=24, n=24, &
               lb=c_null_funptr, cf=c_null_funptr, w=w, h=h)
      call check(err == 0 .and. sum([(w(k)*h(k, k), k=1, 5)]) == 576, &
                 'candidates without corners')
      calls = 0
      w = 0
      h = 0
      trow = 0
      tcol = 0
      err = Partition_matrix_1d_refining(5, 1, s, m=24, n=24, &
               lb=c_null_funptr, rf=c_funloc(content), w=w, h=h, trow=trow, &
               tcol=tcol, c=c)
      call check(err == 0 .and. calls == 1, 'refinement')
      call check(all([(count(c == k - 1) - w(k)*h(k, k), k=1, 5)] == 0), &
                 'owners after it')
   end subroutine

   ! A 4 x 4 grid: vertex i + 4 j has neighbours left, right, above, below,
   ! which are of another colour.
   subroutine square(xadj, adjacency, colour)
      integer(c_int), intent(out) :: xadj(17), adjacency(48), colour(16)
      integer, parameter :: di(4) = [-1, 1, 0, 0], dj(4) = [0, 0, -1, 1]
      integer :: i, j, k, n
      n = 0
      xadj(1) = 0
      do j = 0, 3
         do i = 0, 3
            colour(i + 4*j + 1) = mod(i + j, 2)
            do k = 1, 4
               if (i + di(k) < 0 .or. i + di(k) > 3 .or. j + dj(k) < 0 .or. &
                   j + dj(k) > 3) cycle
               n = n + 1
               adjacency(n) = i + di(k) + 4*(j + dj(k))
            end do
            xadj(i + 4*j + 2) = n
         end do
      end do
   end subroutine

   ! Edges between parts, each once.
   integer function cut_of(xadj, adjacency, vp)
      integer(c_int), intent(in) :: xadj(:), adjacency(:), vp(:)
      integer :: v
      cut_of = 0
      do v = 1, size(xadj) - 1
         cut_of = cut_of + count(vp(adjacency(xadj(v) + 1:xadj(v + 1)) + 1) &
                                 /= vp(v))
      end do
      cut_of = cut_of/2
   end function

   subroutine graphs
      integer(c_int) :: xadj(17), adjacency(48), colour(16), vp(16)
      integer(c_int) :: cut, err, v
      integer(c_int), parameter :: hptr(4) = [0, 3, 6, 8]
      integer(c_int), parameter :: hind(8) = [0, 1, 2, 3, 4, 5, 2, 3]
      call square(xadj, adjacency, colour)
      err = Partition_graph(2, 1, [3d0, 1d0], n=16, m=24, xadj=xadj, &
               adjacency=adjacency, nopts=0, vp=vp, edgecut=cut)
      call check(err == 0 .and. count(vp == 0) == 12 .and. &
                 cut == cut_of(xadj, adjacency, vp) .and. cut <= 6, 'a graph')
      err = Partition_graph(2, 1, n=16, m=24, vwgt=[(1, v=1, 16)], &
               xadj=xadj, adjacency=adjacency, adjwgt=[(2, v=1, 48)], &
               nopts=0, vp=vp, edgecut=cut)
      call check(err == 0 .and. count(vp == 0) == 8 .and. &
                 cut == 2*cut_of(xadj, adjacency, vp), 'with weights')
      err = Partition_bipartite_graph(2, 1, [3d0, 1d0], n=16, m=24, &
               vtype=colour, xadj=xadj, adjacency=adjacency, &
               type_of_partitioning=PARTITION_SUBSET, &
               nopts=0, vp=vp, edgecut=cut)
      call check(err == 0 .and. count(vp == 0) == 12 .and. &
                 count(vp == 0 .and. colour == 1) == 6 .and. cut == &
                 cut_of(xadj, adjacency, vp), 'a bipartite graph')
      err = Partition_hypergraph(2, 1, nv=6, nedges=3, hptr=hptr, hind=hind, &
               nopts=0, vp=vp, edgecut=cut)
      call check(err == 0 .and. cut == 1 .and. all(vp(1:3) == vp(1)) .and. &
                 all(vp(4:6) == 1 - vp(1)), 'a hypergraph')
   end subroutine

   ! A path of six vertices, its edges from parent to child.
   subroutine trees
      integer(c_int) :: vp(6), cut, err, v
      err = Partition_tree(2, 1, [2d0, 1d0], n=6, nedges=5, &
               xadj=[0, 1, 2, 3, 4, 5, 5], adjacency=[1, 2, 3, 4, 5], vp=vp, &
               edgecut=cut)
      call check(err == 0 .and. cut == 1 .and. count(vp == 0) == 4 .and. &
                 count(vp(2:) /= vp(:5)) == 1, 'a tree')
      err = Partition_tree(2, 1, [2d0, 1d0], n=6, nedges=5, &
               nwgt=[6, 1, 1, 1, 1, 2], xadj=[0, 1, 2, 3, 4, 5, 5], &
               adjacency=[1, 2, 3, 4, 5], adjwgt=[(3, v=1, 5)], vp=vp, &
               edgecut=cut)
      call check(err == 0 .and. cut == 3 .and. all(vp == &
                 [0, 0, 0, 1, 1, 1]), 'a tree with weights')
   end subroutine

   ! ------------------------------------------------ module hesca

   subroutine make_models(model)
      type(c_ptr), intent(out) :: model(3)
      type(hesca_knot) :: knot(4)
      integer :: i, j
      do i = 1, 3
         do j = 1, 4
            knot(j) = hesca_knot(real(sizes(j, i), c_double), speeds(j, i), &
                                 speeds(j, i), speeds(j, i))
         end do
         call check(hesca_speed_create(4, knot, &
                    ieee_value(1d0, ieee_positive_inf), model(i)) == &
                    HESCA_SUCCESS, 'a model')
      end do
   end subroutine

   subroutine c_speeds(model)
      type(c_ptr), intent(in) :: model
      type(c_ptr) :: other, knots
      type(hesca_knot), pointer :: knot(:)
      real(c_double) :: low, high
      integer(c_int) :: n, changed, err
      knots = hesca_speed_knots(model, n)
      call c_f_pointer(knots, knot, [n])
      call check(n == 4 .and. near(knot(3)%speed, 100d0), 'its knots')
      call check(near(hesca_speed_at(model, 600d0), 150d0) .and. &
                 near(hesca_speed_time(model, 600d0), 4d0) .and. &
                 near(hesca_speed_size(model, 4d0), 600d0), 'its values')
      call hesca_speed_band(model, 600d0, low, high)
      call check(near(low, 150d0) .and. near(high, 150d0), 'its band')
      err = hesca_speed_copy(model, 700d0, other)
      call check(err == HESCA_SUCCESS, 'a copy')
      call check(near(hesca_speed_limit(other), 700d0), 'its limit')
      call hesca_speed_free(other)
      err = hesca_speed_merge(model, hesca_knot(600, 140, 140, 140), 1d0, &
                              other, changed)
      call check(err == HESCA_SUCCESS .and. changed == 0, 'merged')
      call check(near(hesca_speed_at(other, 600d0), 140d0), 'what it learnt')
      call hesca_speed_free(other)
      err = hesca_speed_create_monotone(2, [hesca_knot(1, 1, 1, 1), &
               hesca_knot(2, 4, 4, 4)], 9d0, other, changed)
      call check(err == HESCA_SUCCESS .and. changed == 1, 'made monotone')
      call hesca_speed_free(other)
      err = hesca_speed_create_constant(-1d0, 9d0, other)
      call check(err == HESCA_ERR_ARG .and. .not. c_associated(other), &
                 'speed -1')
   end subroutine

   subroutine c_sets
      type(c_ptr) :: model(3), x
      type(hesca_shares_options) :: how
      integer(c_int64_t), parameter :: w(8) = [4, 1, 3, 2, 6, 2, 5, 1]
      integer(c_int) :: i, err
      call make_models(model)
      call c_speeds(model(1))
      err = hesca_shares_create(3, model, 1500_c_int64_t, x)
      call check(err == HESCA_SUCCESS, 'shares')
      call check(all([(hesca_shares_count(x, i), i=0, 2)] == &
                 [687, 535, 278]), 'their counts')
      call check(hesca_shares_parts(x) == 3 .and. &
                 hesca_shares_elements(x) == 1500 .and. &
                 hesca_shares_owner(x, 687_c_int64_t) == 1 .and. &
                 hesca_shares_first(x, 2) == 1222 .and. &
                 hesca_shares_weight(x, 0) == 687 .and. &
                 hesca_shares_place(x, 1) == 1 .and. &
                 hesca_shares_rounds(x) == 1 .and. &
                 hesca_shares_is_exact(x) == 1 .and. &
                 abs(hesca_shares_time(x) - 5.359897172237d0) < 1d-9 .and. &
                 abs(hesca_shares_ideal(x) - 5.354955939726d0) < 1d-9, &
                 'what they are')
      call hesca_shares_free(x)
      how%method = HESCA_SHARES_MODIFIED
      err = hesca_shares_create_by(3, model, 1500_c_int64_t, how, x)
      call check(err == HESCA_SUCCESS, 'shares by a method')
      call check(hesca_shares_steps(x) == 9 .and. &
                 hesca_shares_count(x, 2) == 278, 'its steps')
      call hesca_shares_free(x)
      err = hesca_shares_create_weighted(2, n=8_c_int64_t, weight=w, shares=x)
      call check(err == HESCA_SUCCESS, 'weighted shares')
      call check(hesca_shares_weight(x, 0) == 12, 'their weight')
      call hesca_shares_free(x)
      err = hesca_shares_create_ordered(2, n=8_c_int64_t, weight=w, &
                                        reorder=0, shares=x)
      call check(err == HESCA_SUCCESS, 'ordered shares')
      call check(near(hesca_shares_time(x), 14d0), 'their time')
      call hesca_shares_free(x)
      do i = 1, 3
         call hesca_speed_free(model(i))
      end do
   end subroutine

   subroutine c_matrices
      type(c_ptr) :: model(5), t
      type(hesca_rect) :: r
      real(c_double), parameter :: s(5) = [2, 3, 5, 6, 8]
      integer(c_int64_t), parameter :: n = 24
      integer(c_int) :: i, p, q
      do i = 1, 5
         call check(hesca_speed_create_constant(s(i), 1d9, model(i)) == &
                    HESCA_SUCCESS, 'a speed')
      end do
      call check(hesca_tiling_create_strips(5, model, n, n, &
                 HESCA_KIND_COLUMNS, HESCA_GOAL_SUM, t) == HESCA_SUCCESS, &
                 'strips')
      r = hesca_tiling_rect(t, 4)
      call check(r%height == 14 .and. r%width == 14 .and. &
                 hesca_tiling_owner(t, r%row, r%col) == 4 .and. &
                 hesca_tiling_parts(t) == 5 .and. &
                 hesca_tiling_rows(t) == 24 .and. &
                 hesca_tiling_cols(t) == 24, 'a rectangle')
      call check(hesca_tiling_sum(t) == 106 .and. &
                 hesca_tiling_max(t) == 28 .and. &
                 abs(hesca_tiling_sum_bound(t) - 24*4.35203d0) < 1d-3 .and. &
                 hesca_tiling_max_bound(t) <= 28 .and. &
                 hesca_tiling_imbalance(t) >= 1 .and. &
                 hesca_tiling_time(t) >= hesca_tiling_ideal(t), 'its goals')
      call check(hesca_tiling_common_cols(t, 3, 4) == 14 .and. &
                 hesca_tiling_common_rows(t, 3, 4) == 0, 'what is common')
      call check(hesca_tiling_locr(t, 4, 2*n) == 28 .and. &
                 hesca_tiling_locc(t, 4, 2*n) == 28 .and. &
                 hesca_tiling_count(t, 4, 2*n, n) == 28*14 .and. &
                 sum([(hesca_tiling_diagonal(t, i, n, 0_c_int64_t), &
                       i=0, 4)]) == n .and. &
                 sum([(hesca_tiling_triangle(t, i, n, 0_c_int64_t, 'U'), &
                       i=0, 4)]) == n*(n + 1)/2, 'of a matrix of blocks')
      call hesca_tiling_free(t)
      call check(hesca_tiling_create_grid(2, 2, model, n, n, &
                 HESCA_KIND_ROWS, HESCA_TILING_PROPORTIONAL, t) == &
                 HESCA_SUCCESS, 'a grid')
      call check(hesca_tiling_at(t, 1, 0) == 2, 'who is where')
      call hesca_tiling_free(t)
      call check(hesca_tiling_create_free(4, m=n, n=n, &
                 kind=HESCA_KIND_CARTESIAN, goal=HESCA_GOAL_BOTH, tiling=t) &
                 == HESCA_SUCCESS, 'any grid')
      call hesca_tiling_grid(t, p, q)
      call check(p == 2 .and. q == 2, 'a square one')
      call hesca_tiling_free(t)
      call check(hesca_tiling_create_recursive(5, model, n, n, t) == &
                 HESCA_SUCCESS, 'halves of halves')
      call hesca_tiling_free(t)
      ! HMPI thesis 4.6: the slowest first.
      call check(hesca_groups_create(3, [model(4), model(2), model(1)], n, &
                 2_c_int64_t, t) == HESCA_SUCCESS, 'columns of blocks')
      call check(hesca_groups_blocks(t) == 12 .and. &
                 hesca_groups_count(t) >= 2 .and. &
                 hesca_groups_first(t, 0_c_int64_t) == 0 .and. &
                 hesca_groups_owner(t, 0_c_int64_t) == 2 .and. &
                 hesca_groups_owner(t, 12_c_int64_t) == -1, 'their groups')
      call hesca_groups_free(t)
      do i = 1, 5
         call hesca_speed_free(model(i))
      end do
   end subroutine

   subroutine c_models
      real(c_double), target :: speed = 50
      type(hesca_build_options) :: options
      type(hesca_build_report) :: report
      type(hesca_knot), pointer :: point(:)
      real(c_double), pointer :: seconds(:)
      real(c_double) :: low, high
      type(c_ptr) :: model, load
      integer(c_int) :: err(6)
      integer :: i
      ! Flat: both ends, one step further, and the middle.
      options = hesca_build_options(a=100, b=6400, measure_end=1, &
                                    progress=c_funloc(count_calls))
      calls = 0
      call check(hesca_build_gbbp(options, c_funloc(constant), c_loc(speed), &
                 model, report) == HESCA_SUCCESS, 'bisection')
      call c_f_pointer(report%point, point, [report%npoints])
      call c_f_pointer(report%seconds, seconds, [report%npoints])
      call check(calls == 4 .and. report%npoints == 4 .and. &
                 report%is_complete == 1 .and. report%changed == 0 .and. &
                 near(report%total, 2d0) .and. all(seconds == 0.5d0), &
                 'its report')
      call check(all([point%size] == [100, 6400, 200, 3300]) .and. &
                 near(hesca_speed_at(model, 500d0), 50d0), 'its points')
      call hesca_speed_free(model)
      call hesca_build_report_clear(report)
      call check(.not. c_associated(report%point), 'a report that is clear')
      call check(hesca_build_naive(4, hesca_build_options(a=100, b=500), &
                 c_funloc(constant), c_loc(speed), model) == HESCA_SUCCESS, &
                 'equal steps')
      call check(near(hesca_speed_limit(model), 500d0), 'their end')
      call hesca_speed_free(model)
      ! Six loads, averages of up to three.
      call check(hesca_load_create(6, 3, 1d0, 1, load) == HESCA_SUCCESS, &
                 'loads')
      err = [(hesca_load_add(load, 0.1d0*merge(i, 6 - i, i < 5)), i=1, 6)]
      call check(all(err == HESCA_SUCCESS), 'six of them')
      ! 0.1, 0.2, 0.3, 0.4, 0.1, 0
      call hesca_load_at(load, 1d0, low, high)
      call check(low == 0 .and. near(high, 0.4d0), 'of one')
      call hesca_load_at(load, 3d0, low, high)
      call check(near(low, 0.5d0/3) .and. near(high, 0.3d0), 'of three')
      err(1) = hesca_load_predict(load, 10d0, low, high)
      call check(err(1) == HESCA_SUCCESS .and. near(low, 0.5d0/3) .and. &
                 near(high, 0.3d0), 'met')
      err(1) = hesca_load_band(load, 10d0, 0.5d0, low, high)
      call check(err(1) == HESCA_SUCCESS .and. near(low, 6d0) .and. &
                 near(high, 10d0), 'their band')
      call check(hesca_load_add(load, -1d0) == HESCA_ERR_ARG, 'below 0')
      call check(index(hesca_text(), 'observed') > 0, 'a text about it')
      call hesca_load_free(load)
   end subroutine

   subroutine c_graphs
      integer(c_int64_t), target :: xadj(7) = [0, 1, 3, 5, 7, 9, 10]
      integer(c_int64_t), target :: near_to(10) = [1, 0, 2, 1, 3, 2, 4, 3, 5, 4]
      integer(c_int64_t), target :: hptr(3) = [0, 3, 6]
      integer(c_int64_t), target :: hind(6) = [0, 1, 2, 3, 4, 5]
      type(hesca_graph) :: g
      type(hesca_hypergraph) :: h
      type(c_ptr) :: x
      integer(c_int), pointer :: part(:)
      integer(c_int) :: i
      g = hesca_graph(n=6, xadj=c_loc(xadj), adjacency=c_loc(near_to))
      h = hesca_hypergraph(n=6, nedges=2, hptr=c_loc(hptr), hind=c_loc(hind))
      call check(hesca_engine_is_built(HESCA_ENGINE_OWN) == 1, 'an engine')
      call check(hesca_cut_graph(2, graph=g, how=hesca_cut_options( &
                 engine=HESCA_ENGINE_OWN), cut=x) == HESCA_SUCCESS, 'a cut')
      call c_f_pointer(hesca_cut_part(x), part, [6])
      call check(hesca_cut_parts(x) == 2 .and. count(part == 0) == 3 .and. &
                 hesca_cut_weight(x) == 1 .and. hesca_cut_edges(x) == 1 &
                 .and. hesca_cut_volume(x) == 2 .and. &
                 hesca_cut_count(x, 0) == 3 .and. &
                 hesca_cut_load(x, 1) == 3 .and. &
                 near(hesca_cut_target(x, 0), 3d0) .and. &
                 hesca_cut_subset_load(x, 0, 1) == 3 .and. &
                 near(hesca_cut_subset_target(x, 0, 1), 3d0) .and. &
                 hesca_cut_deviation(x) == 0 .and. &
                 near(hesca_cut_time(x), 3d0) .and. &
                 hesca_cut_raw_deviation(x) >= 0 .and. &
                 hesca_cut_raw_weight(x) >= 0 .and. &
                 hesca_cut_engine(x) == HESCA_ENGINE_OWN .and. &
                 hesca_cut_is_exact(x) == 0, 'what it is')
      call hesca_cut_free(x)
      call check(hesca_cut_hypergraph(2, hypergraph=h, cut=x) == &
                 HESCA_SUCCESS, 'of a hypergraph')
      call check(hesca_cut_weight(x) == 0, 'its weight')
      call hesca_cut_free(x)
      call check(hesca_cut_tree(3, tree=g, cut=x) == HESCA_SUCCESS, &
                 'of a tree')
      call check(all([(hesca_cut_count(x, i), i=0, 2)] == 2) .and. &
                 hesca_cut_is_exact(x) == 1, 'its parts')
      call hesca_cut_free(x)
   end subroutine
end program

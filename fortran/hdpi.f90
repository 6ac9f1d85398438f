! Module hdpi: the Heterogeneous Data Partitioning Interface for Fortran.
!
! Functions, arguments and errors are those of include/hdpi.h.  Processors,
! elements, rows and columns count from 0; an array [p][pn] of C is (pn, p)
! here, [p][q][p][q] is (q, p, q, p).  What may be NULL in C may be left out,
! the arguments after it by name:
!
!     err = Partition_unordered_set(3, 1, speeds, n=100, type_of_metric=0, &
!                                   umf=c_null_funptr, np=np)
!
! Callbacks are C function pointers: c_funloc() of a bind(C) procedure that
! fits one of the abstract interfaces below; c_null_funptr for none.
module hdpi
   use, intrinsic :: iso_c_binding
   implicit none
   private

   integer(c_int), parameter, public :: SYSTEM_DEFINED = 0
   integer(c_int), parameter, public :: USER_SPECIFIED = 1
   integer(c_int), parameter, public :: CARTESIAN = 0
   integer(c_int), parameter, public :: ROW_BASED = 1
   integer(c_int), parameter, public :: COLUMN_BASED = 2
   integer(c_int), parameter, public :: RECURSIVE = 3
   integer(c_int), parameter, public :: PARTITION_SUBSET = 0
   integer(c_int), parameter, public :: PARTITION_OTHER = 1

   type, bind(C), public :: Processor
      integer(c_int) :: i, j
   end type

   public :: User_defined_metric, Get_lower_bound, DP_function
   public :: Iterative_function, Refining_function
   public :: Partition_unordered_set, Partition_ordered_set
   public :: Get_set_processor, Get_my_partition
   public :: Partition_matrix_2d, Partition_matrix_1d_dp
   public :: Partition_matrix_1d_iterative, Partition_matrix_1d_refining
   public :: Get_matrix_processor, Get_my_width, Get_my_height
   public :: Get_diagonal, Get_my_elements, Get_my_kk_elements
   public :: Get_trow_tcol
   public :: Partition_graph, Partition_bipartite_graph
   public :: Partition_hypergraph, Partition_tree

   abstract interface
      real(c_double) function User_defined_metric(p, speeds, actual, ideal) &
         bind(C)
         import
         integer(c_int), value :: p
         real(c_double), intent(in) :: speeds(p)
         integer(c_int), intent(in) :: actual(p), ideal(p)
      end function

      real(c_double) function Get_lower_bound(p, speeds, m, n) bind(C)
         import
         integer(c_int), value :: p, m, n
         real(c_double), intent(in) :: speeds(p)
      end function

      ! previous_values: an array of pointers to rows, as in C.
      real(c_double) function DP_function(rowsorcolumns, rectangles, p, &
                                          speeds, previous_values, r) bind(C)
         import
         integer(c_int), value :: rowsorcolumns, rectangles, p
         real(c_double), intent(in) :: speeds(p)
         type(c_ptr), value :: previous_values
         integer(c_int), intent(out) :: r
      end function

      real(c_double) function Iterative_function(p, w, h, trow, tcol) bind(C)
         import
         integer(c_int), value :: p
         integer(c_int), intent(in) :: w(p), h(p, p), trow(p), tcol(p)
      end function

      real(c_double) function Refining_function(p, pn, speeds, psizes, &
                                                mlimits, m, n, w, h, trow, &
                                                tcol) bind(C)
         import
         integer(c_int), value :: p, pn, m, n
         real(c_double), intent(in), optional :: speeds(pn, p)
         integer(c_int), intent(in), optional :: psizes(pn, p), mlimits(p)
         integer(c_int), intent(inout) :: w(p), h(p, p), trow(p), tcol(p)
      end function
   end interface

   interface
      ! sets
      integer(c_int) function Partition_unordered_set(p, pn, speeds, psizes, &
         mlimits, n, w, type_of_metric, umf, metric, np) &
         bind(C, name='Partition_unordered_set')
         import
         integer(c_int), value :: p, pn, n, type_of_metric
         real(c_double), intent(in), optional :: speeds(pn, p)
         integer(c_int), intent(in), optional :: psizes(pn, p), mlimits(p)
         integer(c_int), intent(in), optional :: w(n)
         type(c_funptr), value :: umf
         real(c_double), intent(out), optional :: metric
         integer(c_int), intent(out) :: np(*)
      end function

      integer(c_int) function Partition_ordered_set(p, pn, speeds, psizes, &
         mlimits, n, w, processor_reordering, type_of_metric, umf, metric, &
         np) bind(C, name='Partition_ordered_set')
         import
         integer(c_int), value :: p, pn, n, processor_reordering
         integer(c_int), value :: type_of_metric
         real(c_double), intent(in), optional :: speeds(pn, p)
         integer(c_int), intent(in), optional :: psizes(pn, p), mlimits(p)
         integer(c_int), intent(in), optional :: w(n)
         type(c_funptr), value :: umf
         real(c_double), intent(out), optional :: metric
         integer(c_int), intent(out) :: np(*)
      end function

      integer(c_int) function Get_set_processor(i, n, p, &
         processor_reordering, np) bind(C, name='Get_set_processor')
         import
         integer(c_int), value :: i, n, p, processor_reordering
         integer(c_int), intent(in) :: np(*)
      end function

      integer(c_int) function Get_my_partition(i, p, speeds, n) &
         bind(C, name='Get_my_partition')
         import
         integer(c_int), value :: i, p, n
         real(c_double), intent(in), optional :: speeds(p)
      end function

      ! matrices
      integer(c_int) function Partition_matrix_2d(p, q, pn, speeds, psizes, &
         mlimits, m, n, type_of_distribution, w, h, trow, tcol, ci, cj) &
         bind(C, name='Partition_matrix_2d')
         import
         integer(c_int), value :: p, q, pn, m, n, type_of_distribution
         real(c_double), intent(in), optional :: speeds(pn, q, p)
         integer(c_int), intent(in), optional :: psizes(pn, q, p)
         integer(c_int), intent(in), optional :: mlimits(q, p)
         integer(c_int), intent(out) :: w(q, p), h(q, p, q, p)
         integer(c_int), intent(out), optional :: trow(q, p), tcol(q, p)
         integer(c_int), intent(out), optional :: ci(n, m), cj(n, m)
      end function

      integer(c_int) function Partition_matrix_1d_dp(p, pn, speeds, psizes, &
         mlimits, m, n, lb, dpf, type_of_distribution, w, h, trow, tcol, c) &
         bind(C, name='Partition_matrix_1d_dp')
         import
         integer(c_int), value :: p, pn, m, n, type_of_distribution
         real(c_double), intent(in), optional :: speeds(pn, p)
         integer(c_int), intent(in), optional :: psizes(pn, p), mlimits(p)
         type(c_funptr), value :: lb, dpf
         integer(c_int), intent(out) :: w(p), h(p, p)
         integer(c_int), intent(out), optional :: trow(p), tcol(p), c(n, m)
      end function

      integer(c_int) function Partition_matrix_1d_iterative(p, pn, speeds, &
         psizes, mlimits, m, n, lb, cf, w, h, trow, tcol, c) &
         bind(C, name='Partition_matrix_1d_iterative')
         import
         integer(c_int), value :: p, pn, m, n
         real(c_double), intent(in), optional :: speeds(pn, p)
         integer(c_int), intent(in), optional :: psizes(pn, p), mlimits(p)
         type(c_funptr), value :: lb, cf
         integer(c_int), intent(out) :: w(p), h(p, p)
         integer(c_int), intent(out), optional :: trow(p), tcol(p), c(n, m)
      end function

      integer(c_int) function Partition_matrix_1d_refining(p, pn, speeds, &
         psizes, mlimits, m, n, lb, rf, w, h, trow, tcol, c) &
         bind(C, name='Partition_matrix_1d_refining')
         import
         integer(c_int), value :: p, pn, m, n
         real(c_double), intent(in), optional :: speeds(pn, p)
         integer(c_int), intent(in), optional :: psizes(pn, p), mlimits(p)
         type(c_funptr), value :: lb, rf
         integer(c_int), intent(inout) :: w(p), h(p, p), trow(p), tcol(p)
         integer(c_int), intent(out), optional :: c(n, m)
      end function

      integer(c_int) function Get_matrix_processor(r, c, p, q, w, h, trow, &
         tcol, type_of_distribution, root) &
         bind(C, name='Get_matrix_processor')
         import
         integer(c_int), value :: r, c, p, q, type_of_distribution
         integer(c_int), intent(in) :: w(q, p), h(q, p, q, p)
         integer(c_int), intent(in), optional :: trow(q, p), tcol(q, p)
         type(Processor), intent(out) :: root
      end function

      integer(c_int) function Get_my_width(i, j, p, q, speeds, &
         type_of_distribution, m, n) bind(C, name='Get_my_width')
         import
         integer(c_int), value :: i, j, p, q, type_of_distribution, m, n
         real(c_double), intent(in), optional :: speeds(q, p)
      end function

      integer(c_int) function Get_my_height(i, j, p, q, speeds, &
         type_of_distribution, m, n) bind(C, name='Get_my_height')
         import
         integer(c_int), value :: i, j, p, q, type_of_distribution, m, n
         real(c_double), intent(in), optional :: speeds(q, p)
      end function

      integer(c_int) function Get_diagonal(i, j, p, q, w, h, trow, tcol) &
         bind(C, name='Get_diagonal')
         import
         integer(c_int), value :: i, j, p, q
         integer(c_int), intent(in) :: w(q, p), h(q, p, q, p)
         integer(c_int), intent(in), optional :: trow(q, p), tcol(q, p)
      end function

      integer(c_int) function Get_my_elements(n, g, i, j, p, q, w, h, trow, &
         tcol, type_of_distribution, upper_or_lower) &
         bind(C, name='Get_my_elements')
         import
         integer(c_int), value :: n, g, i, j, p, q, type_of_distribution
         integer(c_int), intent(in) :: w(q, p), h(q, p, q, p)
         integer(c_int), intent(in), optional :: trow(q, p), tcol(q, p)
         character(kind=c_char), value :: upper_or_lower
      end function

      integer(c_int) function Get_my_kk_elements(n, g, k, i, j, p, q, w, h, &
         trow, tcol, type_of_distribution, upper_or_lower) &
         bind(C, name='Get_my_kk_elements')
         import
         integer(c_int), value :: n, g, k, i, j, p, q, type_of_distribution
         integer(c_int), intent(in) :: w(q, p), h(q, p, q, p)
         integer(c_int), intent(in), optional :: trow(q, p), tcol(q, p)
         character(kind=c_char), value :: upper_or_lower
      end function

      integer(c_int) function Get_trow_tcol(m, w, h, trow, tcol) &
         bind(C, name='Get_trow_tcol')
         import
         integer(c_int), value :: m
         integer(c_int), intent(in) :: w(m, m), h(m, m, m, m)
         integer(c_int), intent(out) :: trow(m, m), tcol(m, m)
      end function

      ! graphs and trees
      integer(c_int) function Partition_graph(p, pn, speeds, psizes, &
         mlimits, n, m, vwgt, xadj, adjacency, adjwgt, nopts, options, vp, &
         edgecut) bind(C, name='Partition_graph')
         import
         integer(c_int), value :: p, pn, n, m, nopts
         real(c_double), intent(in), optional :: speeds(pn, p)
         integer(c_int), intent(in), optional :: psizes(pn, p), mlimits(p)
         integer(c_int), intent(in), optional :: vwgt(n)
         integer(c_int), intent(in) :: xadj(n + 1), adjacency(*)
         integer(c_int), intent(in), optional :: adjwgt(*), options(nopts)
         integer(c_int), intent(out) :: vp(n), edgecut
      end function

      integer(c_int) function Partition_bipartite_graph(p, pn, speeds, &
         psizes, mlimits, n, m, vtype, vwgt, xadj, adjacency, adjwgt, &
         type_of_partitioning, nopts, options, vp, edgecut) &
         bind(C, name='Partition_bipartite_graph')
         import
         integer(c_int), value :: p, pn, n, m, type_of_partitioning, nopts
         real(c_double), intent(in), optional :: speeds(pn, p)
         integer(c_int), intent(in), optional :: psizes(pn, p), mlimits(p)
         integer(c_int), intent(in) :: vtype(n)
         integer(c_int), intent(in), optional :: vwgt(n)
         integer(c_int), intent(in) :: xadj(n + 1), adjacency(*)
         integer(c_int), intent(in), optional :: adjwgt(*), options(nopts)
         integer(c_int), intent(out) :: vp(n), edgecut
      end function

      integer(c_int) function Partition_hypergraph(p, pn, speeds, psizes, &
         mlimits, nv, nedges, vwgt, hptr, hind, hwgt, nopts, options, vp, &
         edgecut) bind(C, name='Partition_hypergraph')
         import
         integer(c_int), value :: p, pn, nv, nedges, nopts
         real(c_double), intent(in), optional :: speeds(pn, p)
         integer(c_int), intent(in), optional :: psizes(pn, p), mlimits(p)
         integer(c_int), intent(in), optional :: vwgt(nv)
         integer(c_int), intent(in) :: hptr(nedges + 1), hind(*)
         integer(c_int), intent(in), optional :: hwgt(nedges), options(nopts)
         integer(c_int), intent(out) :: vp(nv), edgecut
      end function

      integer(c_int) function Partition_tree(p, pn, speeds, psizes, mlimits, &
         n, nedges, nwgt, xadj, adjacency, adjwgt, vp, edgecut) &
         bind(C, name='Partition_tree')
         import
         integer(c_int), value :: p, pn, n, nedges
         real(c_double), intent(in), optional :: speeds(pn, p)
         integer(c_int), intent(in), optional :: psizes(pn, p), mlimits(p)
         integer(c_int), intent(in), optional :: nwgt(n)
         integer(c_int), intent(in) :: xadj(n + 1), adjacency(*)
         integer(c_int), intent(in), optional :: adjwgt(*)
         integer(c_int), intent(out) :: vp(n), edgecut
      end function
   end interface
end module

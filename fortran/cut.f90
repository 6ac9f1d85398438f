! Module hesca_graphs: graphs, hypergraphs and trees partitioned, for Fortran.
!
! Functions, arguments and errors are those of include/hesca/experimental/cut.h.  Cuts and
! models are type(c_ptr); processors and vertices count from 0.  Fortran does
! not tell capitals: hesca_cut_objective is HESCA_OBJECTIVE_ here.
module hesca_graphs
   use, intrinsic :: iso_c_binding
   implicit none
   private

   ! hesca_engine, hesca_cut_objective
   integer(c_int), parameter, public :: HESCA_ENGINE_AUTO = 0
   integer(c_int), parameter, public :: HESCA_ENGINE_OWN = 1
   integer(c_int), parameter, public :: HESCA_ENGINE_METIS = 2
   integer(c_int), parameter, public :: HESCA_ENGINE_SCOTCH = 3
   integer(c_int), parameter, public :: HESCA_OBJECTIVE_EDGES = 0
   integer(c_int), parameter, public :: HESCA_OBJECTIVE_CONNECTIVITY = 1

   type, bind(C), public :: hesca_cut_options
      integer(c_int) :: engine = HESCA_ENGINE_AUTO
      integer(c_int) :: objective = HESCA_OBJECTIVE_EDGES
      real(c_double) :: tolerance = 0
      integer(c_int) :: nopts = 0
      type(c_ptr) :: options = c_null_ptr
   end type

   ! Arrays are c_loc() of targets, or c_null_ptr.
   type, bind(C), public :: hesca_graph
      integer(c_int64_t) :: n = 0
      type(c_ptr) :: xadj = c_null_ptr, adjacency = c_null_ptr
      type(c_ptr) :: vwgt = c_null_ptr, adjwgt = c_null_ptr
      type(c_ptr) :: vtype = c_null_ptr
   end type

   type, bind(C), public :: hesca_hypergraph
      integer(c_int64_t) :: n = 0, nedges = 0
      type(c_ptr) :: vwgt = c_null_ptr
      type(c_ptr) :: hptr = c_null_ptr, hind = c_null_ptr
      type(c_ptr) :: hwgt = c_null_ptr
   end type

   public :: hesca_engine_is_built, hesca_cut_graph, hesca_cut_hypergraph
   public :: hesca_cut_tree, hesca_cut_free, hesca_cut_parts
   public :: hesca_cut_part, hesca_cut_weight, hesca_cut_edges
   public :: hesca_cut_volume, hesca_cut_count, hesca_cut_load
   public :: hesca_cut_target, hesca_cut_subset_load
   public :: hesca_cut_subset_target, hesca_cut_deviation, hesca_cut_time
   public :: hesca_cut_raw_deviation, hesca_cut_raw_weight
   public :: hesca_cut_engine, hesca_cut_is_exact

   interface
      ! hesca/experimental/cut.h
      integer(c_int) function hesca_engine_is_built(engine) bind(C)
         import
         integer(c_int), value :: engine
      end function

      integer(c_int) function hesca_cut_graph(p, speed, graph, how, cut) &
         bind(C)
         import
         integer(c_int), value :: p
         type(c_ptr), intent(in), optional :: speed(p)
         type(hesca_graph), intent(in) :: graph
         type(hesca_cut_options), intent(in), optional :: how
         type(c_ptr), intent(out) :: cut
      end function

      integer(c_int) function hesca_cut_hypergraph(p, speed, hypergraph, &
         how, cut) bind(C)
         import
         integer(c_int), value :: p
         type(c_ptr), intent(in), optional :: speed(p)
         type(hesca_hypergraph), intent(in) :: hypergraph
         type(hesca_cut_options), intent(in), optional :: how
         type(c_ptr), intent(out) :: cut
      end function

      integer(c_int) function hesca_cut_tree(p, speed, tree, cut) bind(C)
         import
         integer(c_int), value :: p
         type(c_ptr), intent(in), optional :: speed(p)
         type(hesca_graph), intent(in) :: tree
         type(c_ptr), intent(out) :: cut
      end function

      subroutine hesca_cut_free(cut) bind(C)
         import
         type(c_ptr), value :: cut
      end subroutine

      integer(c_int) function hesca_cut_parts(cut) bind(C)
         import
         type(c_ptr), value :: cut
      end function

      type(c_ptr) function hesca_cut_part(cut) bind(C)
         import
         type(c_ptr), value :: cut
      end function

      integer(c_int64_t) function hesca_cut_weight(cut) bind(C)
         import
         type(c_ptr), value :: cut
      end function

      integer(c_int64_t) function hesca_cut_edges(cut) bind(C)
         import
         type(c_ptr), value :: cut
      end function

      integer(c_int64_t) function hesca_cut_volume(cut) bind(C)
         import
         type(c_ptr), value :: cut
      end function

      integer(c_int64_t) function hesca_cut_count(cut, i) bind(C)
         import
         integer(c_int), value :: i
         type(c_ptr), value :: cut
      end function

      integer(c_int64_t) function hesca_cut_load(cut, i) bind(C)
         import
         integer(c_int), value :: i
         type(c_ptr), value :: cut
      end function

      real(c_double) function hesca_cut_target(cut, i) bind(C)
         import
         integer(c_int), value :: i
         type(c_ptr), value :: cut
      end function

      integer(c_int64_t) function hesca_cut_subset_load(cut, subset, i) &
         bind(C)
         import
         integer(c_int), value :: subset, i
         type(c_ptr), value :: cut
      end function

      real(c_double) function hesca_cut_subset_target(cut, subset, i) &
         bind(C)
         import
         integer(c_int), value :: subset, i
         type(c_ptr), value :: cut
      end function

      real(c_double) function hesca_cut_deviation(cut) bind(C)
         import
         type(c_ptr), value :: cut
      end function

      real(c_double) function hesca_cut_time(cut) bind(C)
         import
         type(c_ptr), value :: cut
      end function

      real(c_double) function hesca_cut_raw_deviation(cut) bind(C)
         import
         type(c_ptr), value :: cut
      end function

      integer(c_int64_t) function hesca_cut_raw_weight(cut) bind(C)
         import
         type(c_ptr), value :: cut
      end function

      integer(c_int) function hesca_cut_engine(cut) bind(C)
         import
         type(c_ptr), value :: cut
      end function

      integer(c_int) function hesca_cut_is_exact(cut) bind(C)
         import
         type(c_ptr), value :: cut
      end function
   end interface
end module

! Module hesca: the public C interface of libhesca for Fortran.
!
! Arguments, their meaning and their errors are those of include/hesca/*.h;
! rows and columns count from 0.  Communicators are Fortran's integer handles:
! comm as it is with "use mpi", comm%MPI_VAL with "use mpi_f08".  Arrays are
! passed as they are, of any type and rank.
!
!     type(c_ptr) :: a, b, plan
!     err = hesca_layout_create_cyclic(m, n, 64, 64, 0, 0, 2, 2, ranks, a)
!     err = hesca_plan_create(HESCA_ALL, m, n, a, 0_c_int64_t, 0_c_int64_t, &
!                             b, 0_c_int64_t, 0_c_int64_t, 8_c_size_t, comm, plan)
!     err = hesca_plan_execute(plan, x, lda, y, ldb)
!     if (err /= HESCA_SUCCESS) print *, hesca_text()
module hesca
   use, intrinsic :: iso_c_binding
   use hesca_dense
   use hesca_gblocks
   use hesca_graphs
   use hesca_grid
   use hesca_matrices
   use hesca_models
   use hesca_sets
   implicit none
   private

   ! hesca_status
   integer(c_int), parameter, public :: HESCA_SUCCESS = 0
   integer(c_int), parameter, public :: HESCA_ERR_ARG = -1
   integer(c_int), parameter, public :: HESCA_ERR_NOMEM = -2
   integer(c_int), parameter, public :: HESCA_ERR_MPI = -3
   integer(c_int), parameter, public :: HESCA_ERR_PARAM = -4
   integer(c_int), parameter, public :: HESCA_ERR_MISMATCH = -5
   integer(c_int), parameter, public :: HESCA_ERR_UNSUPPORTED = -6

   ! hesca_part
   integer(c_int), parameter, public :: HESCA_ALL = 0
   integer(c_int), parameter, public :: HESCA_UPPER = 1
   integer(c_int), parameter, public :: HESCA_UPPER_STRICT = 2
   integer(c_int), parameter, public :: HESCA_LOWER = 3
   integer(c_int), parameter, public :: HESCA_LOWER_STRICT = 4

   ! hesca_fallback, hesca_onerror, hesca_transport, hesca_wait,
   ! hesca_placement, hesca_compute, in hesca_params
   integer(c_int), parameter, public :: HESCA_FALLBACK_SILENT = 0
   integer(c_int), parameter, public :: HESCA_FALLBACK_PRINT = 1
   integer(c_int), parameter, public :: HESCA_FALLBACK_ERROR = 2
   integer(c_int), parameter, public :: HESCA_ONERROR_ABORT = 0
   integer(c_int), parameter, public :: HESCA_ONERROR_RETURN = 1
   integer(c_int), parameter, public :: HESCA_TRANSPORT_AUTO = 0
   integer(c_int), parameter, public :: HESCA_TRANSPORT_MPI = 1
   integer(c_int), parameter, public :: HESCA_TRANSPORT_SHM = 2
   integer(c_int), parameter, public :: HESCA_TRANSPORT_LEND = 3
   integer(c_int), parameter, public :: HESCA_WAIT_AUTO = 0
   integer(c_int), parameter, public :: HESCA_WAIT_SPIN = 1
   integer(c_int), parameter, public :: HESCA_WAIT_POLITE = 2
   integer(c_int), parameter, public :: HESCA_PLACEMENT_OFF = 0
   integer(c_int), parameter, public :: HESCA_PLACEMENT_AUTO = 1
   integer(c_int), parameter, public :: HESCA_PLACEMENT_SPEED = 2
   integer(c_int), parameter, public :: HESCA_PLACEMENT_MAP = 3
   integer(c_int), parameter, public :: HESCA_COMPUTE_AUTO = 0
   integer(c_int), parameter, public :: HESCA_COMPUTE_REAL = 1
   integer(c_int), parameter, public :: HESCA_COMPUTE_HOHE = 2
   integer(c_int), parameter, public :: HESCA_COMPUTE_GRID = 3

   type, bind(C), public :: hesca_shape
      integer(c_int) :: nprow, npcol, mb, nb
   end type

   type, bind(C), public :: hesca_plan_info
      type(hesca_shape) :: a, b
      character(kind=c_char) :: schedule(32), transport(16)
      integer(c_int) :: nsteps
      integer(c_int64_t) :: bytes_total, bytes_moved
      real(c_double) :: predicted_seconds
      integer(c_int) :: cached
      real(c_double) :: plan_seconds
   end type

   type, bind(C), public :: hesca_cache_info
      integer(c_int) :: plans
      integer(c_size_t) :: bytes
      integer(c_int64_t) :: hits, misses, dropped
   end type

   type, bind(C), public :: hesca_side
      integer(c_int) :: member = 0
      integer(c_int) :: nprow = 0, npcol = 0
      integer(c_int) :: myrow = 0, mycol = 0
      integer(c_int64_t) :: m = 0, n = 0
      integer(c_int) :: mb = 0, nb = 0
      integer(c_int) :: rsrc = 0, csrc = 0
      integer(c_int64_t) :: i = 0, j = 0
      integer(c_int64_t) :: lld = 0
   end type

   type, bind(C), public :: hesca_coll_info
      character(kind=c_char) :: schedule(32)
      integer(c_int) :: segments, checkpoints, changes
      real(c_double) :: bound_seconds, predicted_seconds
   end type

   type, bind(C), public :: hesca_params
      integer(c_int) :: verbose, fallback, fallback_set, onerror, transport
      integer(c_size_t) :: buffer, cache
      real(c_double) :: timeout
      integer(c_int) :: node_size
      integer(c_int) :: checkpoint
      integer(c_int) :: wait, placement, placement_gridmap
      integer(c_int) :: gemm, potrf, getrf
      integer(c_int64_t) :: job_order
      integer(c_int) :: job_block
      character(kind=c_char) :: job_routine(32)
      character(kind=c_char) :: map(256)
      character(kind=c_char) :: schedule(32)
      character(kind=c_char) :: exchange(32)
      character(kind=c_char) :: bcast(32)
      character(kind=c_char) :: machine(256)
      character(kind=c_char) :: trace(256)
      character(kind=c_char) :: disable(256)
      integer(c_int64_t) :: findings
   end type

   public :: hesca_layout_create_cyclic, hesca_layout_create_generalized
   public :: hesca_layout_create_column_based, hesca_layout_create_row_based
   public :: hesca_layout_create_dealt, hesca_layout_free
   public :: hesca_layout_local_size, hesca_layout_locate
   public :: hesca_layout_global
   public :: hesca_plan_create, hesca_plan_execute, hesca_plan_free
   public :: hesca_plan_get_info, hesca_redistribute, hesca_cache_get_info
   public :: hesca_machine_refresh
   public :: hesca_alltoallv, hesca_bcast, hesca_multicast
   public :: hesca_params_read, hesca_params_agreed, hesca_params_disabled
   public :: hesca_strerror, hesca_error_info, hesca_error_set, hesca_text
   public :: hesca_version

   ! speeds and loads: module hesca_models
   public :: HESCA_BUILD_MEASURED, HESCA_BUILD_TOO_LARGE, HESCA_BUILD_STOP
   public :: HESCA_BUILD_NAIVE_POINTS, HESCA_LOAD_MOST
   public :: hesca_build_options, hesca_build_report
   public :: hesca_build_gbbp, hesca_build_naive, hesca_build_report_clear
   public :: hesca_load_create, hesca_load_free, hesca_load_add
   public :: hesca_load_at, hesca_load_predict, hesca_load_band

   ! generalized blocks: module hesca_gblocks
   public :: HESCA_CARTESIAN, HESCA_ROW_BASED, HESCA_COLUMN_BASED
   public :: HESCA_DEAL_RECTANGLES, HESCA_DEAL_IN_TURN, hesca_gblock_info
   public :: hesca_gblock_create, hesca_gblock_of_tiling, hesca_gblock_near
   public :: hesca_gblock_free, hesca_gblock_get_info, hesca_gblock_layout
   public :: hesca_gblock_height, hesca_gblock_width, hesca_gblock_owner
   public :: hesca_gblock_locr, hesca_gblock_locc
   public :: hesca_gblock_predict, hesca_gblock_tune

   ! who sits where: module hesca_grid
   public :: HESCA_S, HESCA_D, HESCA_C, HESCA_Z
   public :: hesca_matrix, hesca_dense_gemm
   public :: hesca_dense_getrf, hesca_dense_getrs
   public :: hesca_dense_potrf, hesca_dense_potrs
   public :: HESCA_GEMM, HESCA_POTRF, HESCA_GESV
   public :: hesca_costs, hesca_link, hesca_machine, hesca_job
   public :: hesca_forecast, hesca_place_limits, hesca_grid_info
   public :: HESCA_HOST_MAX, hesca_host, hesca_wire
   public :: hesca_machine_default, hesca_machine_set_hosts
   public :: hesca_machine_read, hesca_machine_clear
   public :: hesca_routine_find, hesca_job_flops, hesca_job_bytes
   public :: hesca_job_speed, hesca_forecast_make
   public :: hesca_place_limits_default, hesca_place_counts
   public :: hesca_place_grid, hesca_place_grid_by_speed, hesca_place_shape
   public :: hesca_grid_place, hesca_grid_auto

   ! how much for whom: modules hesca_sets, hesca_matrices, hesca_graphs
   public :: HESCA_SPEED_NEAR, HESCA_KNOTS_MAX, HESCA_SHARES_ROOT
   public :: HESCA_SHARES_BASIC, HESCA_SHARES_MODIFIED
   public :: HESCA_SHARES_COMBINED, HESCA_SHARES_GREEDY
   public :: HESCA_KIND_CARTESIAN, HESCA_KIND_ROWS, HESCA_KIND_COLUMNS
   public :: HESCA_KIND_RECURSIVE, HESCA_TILING_PROPORTIONAL
   public :: HESCA_TILING_LEAST_TIME, HESCA_GOAL_TIME, HESCA_GOAL_SUM
   public :: HESCA_GOAL_MAX, HESCA_GOAL_BOTH, HESCA_ENGINE_AUTO
   public :: HESCA_ENGINE_OWN, HESCA_ENGINE_METIS, HESCA_ENGINE_SCOTCH
   public :: HESCA_OBJECTIVE_EDGES, HESCA_OBJECTIVE_CONNECTIVITY
   public :: hesca_knot, hesca_shares_options, hesca_rect
   public :: hesca_cut_options, hesca_graph, hesca_hypergraph
   public :: hesca_speed_create_constant, hesca_speed_create
   public :: hesca_speed_create_monotone, hesca_speed_merge
   public :: hesca_speed_copy, hesca_speed_free, hesca_speed_knots
   public :: hesca_speed_limit, hesca_speed_at, hesca_speed_band
   public :: hesca_speed_time, hesca_speed_size, hesca_shares_create
   public :: hesca_shares_create_by, hesca_shares_steps
   public :: hesca_shares_rounds, hesca_shares_create_weighted
   public :: hesca_shares_create_ordered, hesca_shares_free
   public :: hesca_shares_parts, hesca_shares_elements, hesca_shares_count
   public :: hesca_shares_weight, hesca_shares_owner, hesca_shares_first
   public :: hesca_shares_place, hesca_shares_time, hesca_shares_ideal
   public :: hesca_shares_is_exact, hesca_tiling_create_grid
   public :: hesca_tiling_create_free, hesca_tiling_create_strips
   public :: hesca_tiling_create_recursive, hesca_tiling_free
   public :: hesca_tiling_parts, hesca_tiling_rows, hesca_tiling_cols
   public :: hesca_tiling_grid, hesca_tiling_at, hesca_tiling_rect
   public :: hesca_tiling_owner, hesca_tiling_common_rows
   public :: hesca_tiling_common_cols, hesca_tiling_time
   public :: hesca_tiling_ideal, hesca_tiling_imbalance, hesca_tiling_sum
   public :: hesca_tiling_max, hesca_tiling_sum_bound
   public :: hesca_tiling_max_bound, hesca_tiling_locr, hesca_tiling_locc
   public :: hesca_tiling_count, hesca_tiling_diagonal
   public :: hesca_tiling_triangle, hesca_engine_is_built, hesca_cut_graph
   public :: hesca_cut_hypergraph, hesca_cut_tree, hesca_cut_free
   public :: hesca_cut_parts, hesca_cut_part, hesca_cut_weight
   public :: hesca_cut_edges, hesca_cut_volume, hesca_cut_count
   public :: hesca_cut_load, hesca_cut_target, hesca_cut_subset_load
   public :: hesca_cut_subset_target, hesca_cut_deviation, hesca_cut_time
   public :: hesca_cut_raw_deviation, hesca_cut_raw_weight
   public :: hesca_cut_engine, hesca_cut_is_exact
   public :: hesca_groups_create, hesca_groups_free, hesca_groups_blocks
   public :: hesca_groups_count, hesca_groups_first, hesca_groups_owner

   interface
      ! status.h
      integer(c_int) function hesca_error_info() bind(C)
         import
      end function

      type(c_ptr) function hesca_error_text() bind(C)
         import
      end function

      type(c_ptr) function c_strerror(err) bind(C, name='hesca_strerror')
         import
         integer(c_int), value :: err
      end function

      type(c_ptr) function c_version() bind(C, name='hesca_version')
         import
      end function

      integer(c_int) function c_error_set(err, info, text) &
            bind(C, name='hesca_error_set')
         import
         integer(c_int), value :: err, info
         character(kind=c_char), intent(in) :: text(*)
      end function

      integer(c_size_t) function strlen(s) bind(C)
         import
         type(c_ptr), value :: s
      end function

      ! layout.h
      integer(c_int) function hesca_layout_create_cyclic(m, n, mb, nb, rsrc, &
            csrc, nprow, npcol, ranks, layout) bind(C)
         import
         integer(c_int64_t), value :: m, n
         integer(c_int), value :: mb, nb, rsrc, csrc, nprow, npcol
         integer(c_int), intent(in), optional :: ranks(*)
         type(c_ptr), intent(out) :: layout
      end function

      integer(c_int) function hesca_layout_create_generalized(m, n, nprow, &
            npcol, heights, widths, ranks, layout) bind(C)
         import
         integer(c_int64_t), value :: m, n
         integer(c_int), value :: nprow, npcol
         integer(c_int64_t), intent(in) :: heights(*), widths(*)
         integer(c_int), intent(in), optional :: ranks(*)
         type(c_ptr), intent(out) :: layout
      end function

      ! heights(nprow*npcol): row by row
      integer(c_int) function hesca_layout_create_column_based(m, n, nprow, &
            npcol, heights, widths, ranks, layout) bind(C)
         import
         integer(c_int64_t), value :: m, n
         integer(c_int), value :: nprow, npcol
         integer(c_int64_t), intent(in) :: heights(*), widths(*)
         integer(c_int), intent(in), optional :: ranks(*)
         type(c_ptr), intent(out) :: layout
      end function

      ! widths(nprow*npcol): row by row
      integer(c_int) function hesca_layout_create_row_based(m, n, nprow, &
            npcol, heights, widths, ranks, layout) bind(C)
         import
         integer(c_int64_t), value :: m, n
         integer(c_int), value :: nprow, npcol
         integer(c_int64_t), intent(in) :: heights(*), widths(*)
         integer(c_int), intent(in), optional :: ranks(*)
         type(c_ptr), intent(out) :: layout
      end function

      ! rowowner(lp), column-based (lp, npcol); colowner(lq), row-based (lq,
      ! nprow)
      integer(c_int) function hesca_layout_create_dealt(kind, m, n, mb, nb, &
            lp, lq, nprow, npcol, rowowner, colowner, ranks, layout) bind(C)
         import
         integer(c_int), value :: kind
         integer(c_int64_t), value :: m, n
         integer(c_int), value :: mb, nb, lp, lq, nprow, npcol
         integer(c_int), intent(in) :: rowowner(*), colowner(*)
         integer(c_int), intent(in), optional :: ranks(*)
         type(c_ptr), intent(out) :: layout
      end function

      subroutine hesca_layout_free(layout) bind(C)
         import
         type(c_ptr), value :: layout
      end subroutine

      integer(c_int) function hesca_layout_local_size(layout, rank, locr, &
            locc) bind(C)
         import
         type(c_ptr), value :: layout
         integer(c_int), value :: rank
         integer(c_int64_t), intent(out) :: locr, locc
      end function

      integer(c_int) function hesca_layout_locate(layout, i, j, rank, il, jl) &
            bind(C)
         import
         type(c_ptr), value :: layout
         integer(c_int64_t), value :: i, j
         integer(c_int), intent(out) :: rank
         integer(c_int64_t), intent(out) :: il, jl
      end function

      integer(c_int) function hesca_layout_global(layout, rank, il, jl, i, j) &
            bind(C)
         import
         type(c_ptr), value :: layout
         integer(c_int), value :: rank
         integer(c_int64_t), value :: il, jl
         integer(c_int64_t), intent(inout) :: i, j
      end function

      ! redist.h
      integer(c_int) function hesca_plan_create(part, m, n, a, ia, ja, b, ib, &
            jb, esize, comm, plan) bind(C, name='hesca_plan_create_f')
         import
         integer(c_int), value :: part
         integer(c_int64_t), value :: m, n, ia, ja, ib, jb
         type(c_ptr), value :: a, b
         integer(c_size_t), value :: esize
         integer(c_int), value :: comm
         type(c_ptr), intent(out) :: plan
      end function

      integer(c_int) function hesca_plan_execute(plan, a, lda, b, ldb) bind(C)
         import
         type(c_ptr), value :: plan
         type(*), intent(in) :: a(*)
         integer(c_int64_t), value :: lda, ldb
         type(*) :: b(*)
      end function

      subroutine hesca_plan_free(plan) bind(C)
         import
         type(c_ptr), value :: plan
      end subroutine

      integer(c_int) function hesca_plan_get_info(plan, info) bind(C)
         import
         type(c_ptr), value :: plan
         type(hesca_plan_info), intent(out) :: info
      end function

      integer(c_int) function hesca_redistribute(status, part, m, n, sa, a, &
            sb, b, esize, comm, info) bind(C, name='hesca_redistribute_f')
         import
         integer(c_int), value :: status, part
         integer(c_int64_t), value :: m, n
         type(hesca_side), intent(in) :: sa, sb
         type(*), intent(in) :: a(*)
         type(*) :: b(*)
         integer(c_size_t), value :: esize
         integer(c_int), value :: comm
         type(hesca_plan_info), intent(out), optional :: info
      end function

      integer(c_int) function hesca_cache_get_info(comm, info) &
            bind(C, name='hesca_cache_get_info_f')
         import
         integer(c_int), value :: comm
         type(hesca_cache_info), intent(out) :: info
      end function

      ! coll.h
      integer(c_int) function hesca_alltoallv(send, sendcounts, sdispls, &
            recv, recvcounts, rdispls, esize, comm, info) &
            bind(C, name='hesca_alltoallv_f')
         import
         type(*), intent(in) :: send(*)
         type(*) :: recv(*)
         integer(c_int64_t), intent(in) :: sendcounts(*), sdispls(*)
         integer(c_int64_t), intent(in) :: recvcounts(*), rdispls(*)
         integer(c_size_t), value :: esize
         integer(c_int), value :: comm
         type(hesca_coll_info), intent(out), optional :: info
      end function

      integer(c_int) function hesca_bcast(buffer, bytes, root, comm, info) &
            bind(C, name='hesca_bcast_f')
         import
         type(*) :: buffer(*)
         integer(c_int64_t), value :: bytes
         integer(c_int), value :: root, comm
         type(hesca_coll_info), intent(out), optional :: info
      end function

      integer(c_int) function hesca_multicast(buffer, bytes, root, ndest, &
            dest, comm, info) bind(C, name='hesca_multicast_f')
         import
         type(*) :: buffer(*)
         integer(c_int64_t), value :: bytes
         integer(c_int), value :: root, ndest, comm
         integer(c_int), intent(in) :: dest(*)
         type(hesca_coll_info), intent(out), optional :: info
      end function

      ! param.h
      integer(c_int) function hesca_params_read(params) bind(C)
         import
         type(hesca_params), intent(out) :: params
      end function

      integer(c_int) function c_params_disabled(params, routine) &
            bind(C, name='hesca_params_disabled')
         import
         type(hesca_params), intent(in) :: params
         character(kind=c_char), intent(in) :: routine(*)
      end function

      integer(c_int) function hesca_params_agreed(comm, params) &
            bind(C, name='hesca_params_agreed_f')
         import
         integer(c_int), value :: comm
         type(hesca_params), intent(out) :: params
      end function

      ! monitor.h
      integer(c_int) function hesca_machine_refresh(comm) &
            bind(C, name='hesca_machine_refresh_f')
         import
         integer(c_int), value :: comm
      end function
   end interface

contains

   ! A string of C as one of Fortran.
   function string(s) result(text)
      type(c_ptr), intent(in) :: s
      character(:), allocatable :: text
      character(kind=c_char), pointer :: chars(:)
      integer :: k
      call c_f_pointer(s, chars, [strlen(s)])
      allocate (character(size(chars)) :: text)
      do k = 1, size(chars)
         text(k:k) = chars(k)
      end do
   end function

   ! The text of the last failure, hesca_error_text() as a Fortran string.
   function hesca_text() result(text)
      character(:), allocatable :: text
      text = string(hesca_error_text())
   end function

   ! The meaning of a code.
   function hesca_strerror(err) result(text)
      integer(c_int), intent(in) :: err
      character(:), allocatable :: text
      text = string(c_strerror(err))
   end function

   ! The version of libhesca, as '0.1.0'.
   function hesca_version() result(text)
      character(:), allocatable :: text
      text = string(c_version())
   end function

   function hesca_error_set(err, info, text) result(code)
      integer(c_int), intent(in) :: err, info
      character(*), intent(in) :: text
      integer(c_int) :: code
      code = c_error_set(err, info, trim(text)//c_null_char)
   end function

   function hesca_params_disabled(params, routine) result(yes)
      type(hesca_params), intent(in) :: params
      character(*), intent(in) :: routine
      logical :: yes
      yes = c_params_disabled(params, trim(routine)//c_null_char) /= 0
   end function

end module

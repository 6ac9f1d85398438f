!> The C functions of HESCA for Fortran: what is not said here is in the
!> headers hesca/layout.h, hesca/redist.h, hesca/param.h and hesca/status.h.
!>
!> - Layouts and plans are type(c_ptr); rows and columns count from 0.
!> - Numbers of rows, columns and elements are integer(c_int64_t), bytes
!>   integer(c_size_t), all others integer(c_int).
!> - Matrices are arrays of any type and shape, stored without gaps; a process
!>   that owns nothing of one passes any array, it is not looked at.
!> - Communicators are those of "use mpi"; with "use mpi_f08" pass comm%MPI_VAL.
module hesca
    use, intrinsic :: iso_c_binding, only: c_char, c_f_pointer, c_int, &
        c_int64_t, c_null_char, c_ptr, c_size_t
    implicit none
    private

    ! hesca/status.h
    integer(c_int), parameter, public :: &
        HESCA_SUCCESS = 0, HESCA_ERR_ARG = -1, HESCA_ERR_NOMEM = -2, &
        HESCA_ERR_MPI = -3, HESCA_ERR_PARAM = -4, HESCA_ERR_MISMATCH = -5, &
        HESCA_ERR_UNSUPPORTED = -6
    public :: hesca_strerror, hesca_error_text, hesca_error_info, &
        hesca_error_set

    ! hesca/layout.h
    public :: hesca_layout_create_cyclic, hesca_layout_free, &
        hesca_layout_local_size, hesca_layout_locate

    ! hesca/redist.h
    integer(c_int), parameter, public :: &
        HESCA_ALL = 0, HESCA_UPPER = 1, HESCA_UPPER_STRICT = 2, &
        HESCA_LOWER = 3, HESCA_LOWER_STRICT = 4
    public :: hesca_shape, hesca_plan_info, hesca_side, hesca_plan_create, &
        hesca_plan_execute, hesca_plan_free, hesca_plan_get_info, &
        hesca_redistribute

    ! hesca/param.h
    integer(c_int), parameter, public :: &
        HESCA_FALLBACK_SILENT = 0, HESCA_FALLBACK_PRINT = 1, &
        HESCA_FALLBACK_ERROR = 2, HESCA_ONERROR_ABORT = 0, &
        HESCA_ONERROR_RETURN = 1
    public :: hesca_params, hesca_params_read, hesca_params_agreed, &
        hesca_params_disabled

    public :: hesca_string

    type, bind(C) :: hesca_shape
        integer(c_int) :: nprow, npcol, mb, nb
    end type

    type, bind(C) :: hesca_plan_info
        type(hesca_shape) :: a, b
        character(kind=c_char) :: schedule(32) !< see hesca_string()
        integer(c_int) :: nsteps
        integer(c_int64_t) :: bytes_total, bytes_moved
        integer(c_int) :: cached
    end type

    type, bind(C) :: hesca_side
        integer(c_int) :: member = 0
        integer(c_int) :: nprow = 1, npcol = 1, myrow = 0, mycol = 0
        integer(c_int64_t) :: m = 0, n = 0
        integer(c_int) :: mb = 1, nb = 1, rsrc = 0, csrc = 0
        integer(c_int64_t) :: i = 0, j = 0, lld = 1
    end type

    type, bind(C) :: hesca_params
        integer(c_int) :: verbose, fallback, onerror
        integer(c_size_t) :: buffer
        character(kind=c_char) :: schedule(32), disable(256)
    end type

    interface
        ! Without ranks process (p,q) has rank p npcol + q: pass layout by
        ! its name then.
        function hesca_layout_create_cyclic(m, n, mb, nb, rsrc, csrc, nprow, &
                npcol, ranks, layout) result(err) bind(C)
            import :: c_int, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n
            integer(c_int), value :: mb, nb, rsrc, csrc, nprow, npcol
            integer(c_int), intent(in), optional :: ranks(*)
            type(c_ptr), intent(out) :: layout
            integer(c_int) :: err
        end function

        subroutine hesca_layout_free(layout) bind(C)
            import :: c_ptr
            type(c_ptr), value :: layout
        end subroutine

        function hesca_layout_local_size(layout, rank, locr, locc) &
                result(err) bind(C)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: layout
            integer(c_int), value :: rank
            integer(c_int64_t), intent(out) :: locr, locc
            integer(c_int) :: err
        end function

        function hesca_layout_locate(layout, i, j, rank, il, jl) result(err) &
                bind(C)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: layout
            integer(c_int64_t), value :: i, j
            integer(c_int), intent(out) :: rank
            integer(c_int64_t), intent(out) :: il, jl
            integer(c_int) :: err
        end function

        function hesca_plan_create(part, m, n, a, ia, ja, b, ib, jb, esize, &
                comm, plan) result(err) bind(C, name="hesca_plan_create_f")
            import :: c_int, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: part
            integer(c_int64_t), value :: m, n, ia, ja, ib, jb
            type(c_ptr), value :: a, b
            integer(c_size_t), value :: esize
            integer, value :: comm
            type(c_ptr), intent(out) :: plan
            integer(c_int) :: err
        end function

        function hesca_plan_execute(plan, a, lda, b, ldb) result(err) bind(C)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: plan
            type(*), intent(in) :: a(*)
            integer(c_int64_t), value :: lda
            type(*), intent(inout) :: b(*)
            integer(c_int64_t), value :: ldb
            integer(c_int) :: err
        end function

        subroutine hesca_plan_free(plan) bind(C)
            import :: c_ptr
            type(c_ptr), value :: plan
        end subroutine

        function hesca_plan_get_info(plan, info) result(err) bind(C)
            import :: c_int, c_ptr, hesca_plan_info
            type(c_ptr), value :: plan
            type(hesca_plan_info), intent(out) :: info
            integer(c_int) :: err
        end function

        function hesca_redistribute(status, part, m, n, sa, a, sb, b, esize, &
                comm, info) result(err) bind(C, name="hesca_redistribute_f")
            import :: c_int, c_int64_t, c_size_t, hesca_plan_info, hesca_side
            integer(c_int), value :: status, part
            integer(c_int64_t), value :: m, n
            type(hesca_side), intent(in) :: sa, sb
            type(*), intent(in) :: a(*)
            type(*), intent(inout) :: b(*)
            integer(c_size_t), value :: esize
            integer, value :: comm
            type(hesca_plan_info), intent(out), optional :: info
            integer(c_int) :: err
        end function

        function hesca_params_read(params) result(err) bind(C)
            import :: c_int, hesca_params
            type(hesca_params), intent(out) :: params
            integer(c_int) :: err
        end function

        function hesca_params_agreed(comm, params) result(err) &
                bind(C, name="hesca_params_agreed_f")
            import :: c_int, hesca_params
            integer, value :: comm
            type(hesca_params), intent(out) :: params
            integer(c_int) :: err
        end function

        function hesca_error_info() result(info) bind(C)
            import :: c_int
            integer(c_int) :: info
        end function
    end interface

    ! The functions with strings, as C has them.
    interface
        function c_strlen(s) result(n) bind(C, name="strlen")
            import :: c_ptr, c_size_t
            type(c_ptr), value :: s
            integer(c_size_t) :: n
        end function

        function c_strerror(err) result(s) bind(C, name="hesca_strerror")
            import :: c_int, c_ptr
            integer(c_int), value :: err
            type(c_ptr) :: s
        end function

        function c_error_text() result(s) bind(C, name="hesca_error_text")
            import :: c_ptr
            type(c_ptr) :: s
        end function

        function c_error_set(err, info, text) result(code) &
                bind(C, name="hesca_error_set")
            import :: c_char, c_int
            integer(c_int), value :: err, info
            character(kind=c_char), intent(in) :: text(*)
            integer(c_int) :: code
        end function

        function c_params_disabled(params, routine) result(yes) &
                bind(C, name="hesca_params_disabled")
            import :: c_char, c_int, hesca_params
            type(hesca_params), intent(in) :: params
            character(kind=c_char), intent(in) :: routine(*)
            integer(c_int) :: yes
        end function
    end interface

contains

    !> A string of C, such as info%schedule, as one of Fortran.
    pure function hesca_string(s) result(text)
        character(kind=c_char), intent(in) :: s(:)
        character(len=:), allocatable :: text
        integer :: k, n
        n = size(s)
        do k = size(s), 1, -1
            if (s(k) == c_null_char) n = k - 1
        end do
        allocate (character(len=n) :: text)
        do k = 1, n
            text(k:k) = s(k)
        end do
    end function

    function fortran_string(s) result(text)
        type(c_ptr), intent(in) :: s
        character(len=:), allocatable :: text
        character(kind=c_char), pointer :: chars(:)
        call c_f_pointer(s, chars, [c_strlen(s)])
        text = hesca_string(chars)
    end function

    function hesca_strerror(err) result(text)
        integer(c_int), intent(in) :: err
        character(len=:), allocatable :: text
        text = fortran_string(c_strerror(err))
    end function

    function hesca_error_text() result(text)
        character(len=:), allocatable :: text
        text = fortran_string(c_error_text())
    end function

    function hesca_error_set(err, info, text) result(code)
        integer(c_int), intent(in) :: err, info
        character(len=*), intent(in) :: text
        integer(c_int) :: code
        code = c_error_set(err, info, trim(text)//c_null_char)
    end function

    function hesca_params_disabled(params, routine) result(yes)
        type(hesca_params), intent(in) :: params
        character(len=*), intent(in) :: routine
        logical :: yes
        yes = c_params_disabled(params, trim(routine)//c_null_char) /= 0
    end function
end module

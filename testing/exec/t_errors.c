/* Every error of the public calls, provoked on all processes and on one alone:
 * all return the same code with the same text, nothing is written, nobody
 * hangs, and the next call works. */
#include "exec/stage.h"
#include "hesca/param.h"
#include "hesca/redist.h"
#include "testing/check.h"
#include <stddef.h>
#include <string.h>

enum { M = 12, N = 10, PROCS = 16, TEXT = 240 };

static int rank, size;

/* ------------------------------------------------ failures to order
 *
 * These stand in front of the functions of the same name, and fail when told
 * so. */
static int fail_alloc;
static const char *fail_mpi = "";

void *
aligned_alloc(size_t alignment, size_t n)
{
    void *x = NULL;
    if (fail_alloc || posix_memalign(&x, alignment, n) != 0)
        return NULL;
    return x;
}

/* Whether HESCA gets the one above; valgrind puts its own in front.  The
 * compiler must not know what is called: it takes memory that nobody uses for
 * granted. */
static int
can_fail_alloc(void)
{
    void *(*volatile allocate)(size_t, size_t) = aligned_alloc;
    fail_alloc = 1;
    void *x = allocate(64, 64);
    fail_alloc = 0;
    free(x);
    if (x != NULL && rank == 0)
        printf("skipped: no memory\n");
    return x == NULL;
}

static int
is_to_fail(const char *function)
{
    return strcmp(fail_mpi, function) == 0;
}

int
MPI_Comm_idup(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request)
{
    return is_to_fail("MPI_Comm_idup") ? MPI_ERR_OTHER
                                       : PMPI_Comm_idup(comm, copy, request);
}

int
MPI_Comm_set_attr(MPI_Comm comm, int keyval, void *value)
{
    return is_to_fail("MPI_Comm_set_attr")
               ? MPI_ERR_OTHER
               : PMPI_Comm_set_attr(comm, keyval, value);
}

int
MPI_Iallgather(const void *out, int nout, MPI_Datatype otype, void *in,
               int nin, MPI_Datatype itype, MPI_Comm comm,
               MPI_Request *request)
{
    return is_to_fail("MPI_Iallgather")
               ? MPI_ERR_OTHER
               : PMPI_Iallgather(out, nout, otype, in, nin, itype, comm,
                                 request);
}

int
MPI_Ibcast(void *x, int n, MPI_Datatype type, int root, MPI_Comm comm,
           MPI_Request *request)
{
    return is_to_fail("MPI_Ibcast")
               ? MPI_ERR_OTHER
               : PMPI_Ibcast(x, n, type, root, comm, request);
}

int
MPI_Ialltoall(const void *out, int nout, MPI_Datatype tout, void *in, int nin,
              MPI_Datatype tin, MPI_Comm comm, MPI_Request *request)
{
    return is_to_fail("MPI_Ialltoall")
               ? MPI_ERR_OTHER
               : PMPI_Ialltoall(out, nout, tout, in, nin, tin, comm, request);
}

/* ------------------------------------------------ what all must agree on */

/* All have the code, the text and the number of rank 0. */
static void
check_same(const char *what, int err)
{
    char text[TEXT] = "";
    int code[2] = {err, hesca_error_info()};
    snprintf(text, sizeof text, "%s", hesca_error_text());
    MPI_Bcast(text, sizeof text, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(code, 2, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK(err == code[0], "%s: %d on rank %d, %d on rank 0", what, err, rank,
          code[0]);
    if (err == HESCA_SUCCESS)
        return;
    CHECK(strcmp(text, hesca_error_text()) == 0,
          "%s: '%s' on rank %d, '%s' on rank 0", what, hesca_error_text(),
          rank, text);
    CHECK(hesca_error_info() == code[1],
          "%s: info %d on rank %d, %d on rank "
          "0",
          what, hesca_error_info(), rank, code[1]);
}

/* The expected failure: its code, argument number (0: any), and two words of
 * its text. */
static void
check_failed(const char *what, int err, int expected, int info,
             const char *routine, const char *word)
{
    check_same(what, err);
    CHECK(err == expected, "%s, rank %d: %d, not %d (%s)", what, rank, err,
          expected, hesca_error_text());
    if (err == HESCA_SUCCESS)
        return;
    CHECK(info == 0 || hesca_error_info() == info,
          "%s, rank %d: info %d, not %d (%s)", what, rank, hesca_error_info(),
          info, hesca_error_text());
    CHECK(strstr(hesca_error_text(), routine) != NULL &&
              strstr(hesca_error_text(), word) != NULL,
          "%s, rank %d, wanted '%s' and '%s': %s", what, rank, routine, word,
          hesca_error_text());
}

/* ------------------------------------------------ one problem
 *
 * A is M + 2 x N on a size x 1 grid, B is M x N + 3 on 1 x size; sub(A) begins
 * at (2,0), sub(B) at (0,3). */
static hesca_layout *la, *lb;
static double a[(M + 2) * N], b[M * (N + 3)];
static int64_t lda, ldb;
static int64_t a_count, b_count; /* elements of the submatrix */

static void
create_problem(void)
{
    int64_t locr, locc;
    if (hesca_layout_create_cyclic(M + 2, N, 2, 3, 0, 0, size, 1, NULL, &la) <
            0 ||
        hesca_layout_create_cyclic(M, N + 3, 4, 1, 0, size - 1, 1, size, NULL,
                                   &lb) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    hesca_layout_local_size(la, rank, &lda, &locc);
    hesca_layout_local_size(lb, rank, &ldb, &locr);
    for (int64_t i = 0; i < M; ++i)
        for (int64_t j = 0; j < N; ++j) {
            int owner;
            int64_t il, jl;
            hesca_layout_locate(la, i + 2, j, &owner, &il, &jl);
            a_count += owner == rank;
            hesca_layout_locate(lb, i, j + 3, &owner, &il, &jl);
            b_count += owner == rank;
        }
}

static double
element(int64_t i, int64_t j)
{
    return (double)(1000 * i + j) + 0.5;
}

static void
fill(void)
{
    for (size_t k = 0; k < sizeof a / sizeof *a; ++k)
        a[k] = -1;
    for (size_t k = 0; k < sizeof b / sizeof *b; ++k)
        b[k] = -2;
    for (int64_t i = 0; i < M; ++i)
        for (int64_t j = 0; j < N; ++j) {
            int owner;
            int64_t il, jl;
            hesca_layout_locate(la, i + 2, j, &owner, &il, &jl);
            if (owner == rank)
                a[jl * lda + il] = element(i, j);
        }
}

/* B holds what it is to hold: sub(A), or nothing of it. */
static void
check_b(const char *what, int copied)
{
    int64_t wrong = 0, touched = 0, here = 0;
    for (size_t k = 0; k < sizeof b / sizeof *b; ++k)
        touched += b[k] < -2 || b[k] > -2;
    for (int64_t i = 0; copied && i < M; ++i)
        for (int64_t j = 0; j < N; ++j) {
            int owner;
            int64_t il, jl;
            hesca_layout_locate(lb, i, j + 3, &owner, &il, &jl);
            if (owner != rank)
                continue;
            ++here;
            wrong += b[jl * ldb + il] < element(i, j) ||
                     b[jl * ldb + il] > element(i, j);
        }
    CHECK(touched == here && wrong == 0,
          "%s, rank %d: %lld elements of B written, not %lld; %lld wrong",
          what, rank, (long long)touched, (long long)here, (long long)wrong);
}

/* ------------------------------------------------ hesca_plan_create */

typedef struct {
    int part;
    int64_t m, n, ia, ja, ib, jb;
    const hesca_layout *a, *b;
    size_t esize;
    int no_plan;
} plan_args;

static plan_args
good_args(void)
{
    return (plan_args){.part = HESCA_ALL,
                       .m = M,
                       .n = N,
                       .a = la,
                       .ia = 2,
                       .b = lb,
                       .jb = 3,
                       .esize = sizeof(double)};
}

static int
create(const plan_args *x, MPI_Comm comm, hesca_plan **plan)
{
    *plan = (hesca_plan *)(void *)plan; /* must be set, also on errors */
    const int err = hesca_plan_create(
        (hesca_part)x->part, x->m, x->n, x->a, x->ia, x->ja, x->b, x->ib,
        x->jb, x->esize, comm, x->no_plan ? NULL : plan);
    if (x->no_plan)
        *plan = NULL;
    return err;
}

/* A redistribution that is right must work, whatever was before. */
static void
check_still_works(const char *what, MPI_Comm comm)
{
    const plan_args good = good_args();
    hesca_plan *plan;
    int err = create(&good, comm, &plan);
    CHECK(err == HESCA_SUCCESS && plan != NULL, "after %s, rank %d: %d, %s",
          what, rank, err, hesca_error_text());
    if (err < 0)
        return;
    fill();
    err = hesca_plan_execute(plan, a, lda, b, ldb);
    CHECK(err == HESCA_SUCCESS, "after %s, rank %d: %d, %s", what, rank, err,
          hesca_error_text());
    check_b(what, 1);
    hesca_plan_free(plan);
}

/* What to do wrong: an illegal value; what must be said of it. */
typedef struct {
    const char *what;
    size_t field; /* in plan_args */
    int64_t value;
    int info;
    const char *word;
} mistake;

#define FIELD(x) offsetof(plan_args, x)

static const mistake illegal[] = {
    {"part = 5", FIELD(part), 5, 1, "part"},
    {"part = -1", FIELD(part), -1, 1, "part"},
    {"m = -1", FIELD(m), -1, 2, "m, is -1"},
    {"m = -2^63", FIELD(m), INT64_MIN, 2, "m, is -9223372036854775808"},
    {"m too large", FIELD(m), M + 1, 5, "ia, is 2"},
    {"m = 2^63 - 1", FIELD(m), INT64_MAX, 5, "ia, is 2"},
    {"n = -1", FIELD(n), -1, 3, "n, is -1"},
    {"n too large", FIELD(n), N + 1, 6, "ja, is 0"},
    {"n = 2^63 - 1", FIELD(n), INT64_MAX, 6, "ja, is 0"},
    {"a = NULL", FIELD(a), 0, 4, "a, is NULL"},
    {"ia = -1", FIELD(ia), -1, 5, "ia, is -1"},
    {"ia = -2^63 + M", FIELD(ia), INT64_MIN + M, 5, "ia, is -92233720368"},
    {"ia too large", FIELD(ia), 3, 5, "ia, is 3"},
    {"ia = 2^63 - 1", FIELD(ia), INT64_MAX, 5, "ia, is 9223372036854775807"},
    {"ja = -1", FIELD(ja), -1, 6, "ja, is -1"},
    {"ja too large", FIELD(ja), 1, 6, "ja, is 1"},
    {"b = NULL", FIELD(b), 0, 7, "b, is NULL"},
    {"ib = -1", FIELD(ib), -1, 8, "ib, is -1"},
    {"ib too large", FIELD(ib), 1, 8, "ib, is 1"},
    {"jb = -1", FIELD(jb), -1, 9, "jb, is -1"},
    {"jb too large", FIELD(jb), 4, 9, "jb, is 4"},
    {"jb = 2^63 - 1", FIELD(jb), INT64_MAX, 9, "jb, is 9223372036854775807"},
    {"esize = 0", FIELD(esize), 0, 10, "esize, is 0"},
    {"plan = NULL", FIELD(no_plan), 1, 12, "plan, is NULL"},
};

static void
set_field(plan_args *x, size_t field, int64_t value)
{
    char *at = (char *)x + field;
    const int small = (int)value;
    const size_t bytes = (size_t)value;
    const hesca_layout *none = NULL;
    if (field == FIELD(part) || field == FIELD(no_plan))
        memcpy(at, &small, sizeof small);
    else if (field == FIELD(esize))
        memcpy(at, &bytes, sizeof bytes);
    else if (field == FIELD(a) || field == FIELD(b))
        memcpy(at, &none, sizeof none);
    else
        memcpy(at, &value, sizeof value);
}

/* culprit: the only rank that does it, or -1 for all. */
static int
is_culprit(int culprit)
{
    return culprit < 0 || culprit == rank;
}

static void
describe(char *text, size_t n, const char *routine, const char *what,
         int culprit)
{
    if (culprit < 0)
        snprintf(text, n, "%s, %s on all of %d", routine, what, size);
    else
        snprintf(text, n, "%s, %s on rank %d of %d", routine, what, culprit,
                 size);
}

static const char CREATE[] = "hesca_plan_create";

static void
create_one(const plan_args *x, MPI_Comm comm, const char *what, int expected,
           int info, const char *word)
{
    hesca_plan *plan;
    const int err = create(x, comm, &plan);
    check_failed(what, err, expected, info,
                 expected == HESCA_ERR_UNSUPPORTED ? "" : CREATE, word);
    CHECK(err == HESCA_SUCCESS || plan == NULL, "%s, rank %d: a plan", what,
          rank);
    if (err == HESCA_SUCCESS)
        hesca_plan_free(plan);
}

static void
create_illegal(MPI_Comm comm)
{
    char what[200];
    for (size_t k = 0; k < sizeof illegal / sizeof *illegal; ++k)
        for (int culprit = -1; culprit < size; ++culprit) {
            plan_args x = good_args();
            const mistake *t = &illegal[k];
            if (is_culprit(culprit))
                set_field(&x, t->field, t->value);
            describe(what, sizeof what, CREATE, t->what, culprit);
            create_one(&x, comm, what, HESCA_ERR_ARG, t->info, t->word);
        }
    check_still_works("illegal arguments", comm);
}

/* Layouts on ranks that the communicator does not have. */
static void
create_far_ranks(MPI_Comm comm)
{
    const int ranks[] = {size};
    char what[200];
    hesca_layout *far;
    if (hesca_layout_create_cyclic(M + 2, N + 3, 2, 3, 0, 0, 1, 1, ranks,
                                   &far) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int culprit = -1; culprit < size; ++culprit)
        for (int of_b = 0; of_b < 2; ++of_b) {
            plan_args x = good_args();
            if (is_culprit(culprit) && of_b)
                x.b = far;
            else if (is_culprit(culprit))
                x.a = far;
            describe(what, sizeof what, CREATE,
                     of_b ? "b on far ranks" : "a on far ranks", culprit);
            create_one(&x, comm, what, HESCA_ERR_ARG, of_b ? 7 : 4, "rank");
        }
    hesca_layout_free(far);
}

/* Legal, but not what the others say. */
static const mistake different[] = {
    {"part", FIELD(part), HESCA_LOWER, 1, "part"},
    {"m", FIELD(m), M - 1, 2, "m"},
    {"m = 0", FIELD(m), 0, 2, "m"},
    {"n", FIELD(n), N - 1, 3, "n"},
    {"n = 0", FIELD(n), 0, 3, "n"},
    {"ia", FIELD(ia), 1, 5, "ia"},
    {"jb", FIELD(jb), 0, 9, "jb"},
    {"esize", FIELD(esize), 4, 10, "esize"},
    {"esize = 2^40", FIELD(esize), (int64_t)1 << 40, 10, "esize"},
};

static void
create_mismatch(MPI_Comm comm)
{
    char what[200];
    for (size_t k = 0; k < sizeof different / sizeof *different; ++k)
        for (int culprit = 0; culprit < size; ++culprit) {
            plan_args x = good_args();
            const mistake *t = &different[k];
            if (is_culprit(culprit))
                set_field(&x, t->field, t->value);
            describe(what, sizeof what, CREATE, t->what, culprit);
            create_one(&x, comm, what, HESCA_ERR_MISMATCH, t->info, t->word);
        }
    check_still_works("a mismatch", comm);
}

/* Layouts that differ in one property only, where all others have space for
 * sub(A) in a larger matrix, too. */
static void
create_other_layouts(MPI_Comm comm)
{
    char what[200];
    int swapped[PROCS];
    for (int k = 0; k < size; ++k)
        swapped[k] = k;
    swapped[0] = size - 1;
    swapped[size - 1] = 0;
    for (int k = 0; k < 9; ++k)
        for (int culprit = 0; culprit < size; ++culprit) {
            plan_args x = good_args();
            hesca_layout *other = NULL;
            const int of_b = k >= 5;
            const int err =
                k < 5
                    ? hesca_layout_create_cyclic(
                          M + 2 + (k == 0), N + (k == 1), 2 + (k == 2), 3,
                          k == 3, 0, size, 1, k == 4 ? swapped : NULL, &other)
                    : hesca_layout_create_cyclic(
                          M, N + 3, 4, 1 + (k == 5), 0, k == 6 ? 0 : size - 1,
                          k == 7 ? size : 1, k == 7 ? 1 : size,
                          k == 8 ? swapped : NULL, &other);
            /* csrc does not fit the size x 1 grid of case 7. */
            if (k == 7 && err < 0)
                hesca_layout_create_cyclic(M, N + 3, 4, 1, 0, 0, size, 1, NULL,
                                           &other);
            if (is_culprit(culprit) && of_b)
                x.b = other;
            else if (is_culprit(culprit))
                x.a = other;
            snprintf(what, sizeof what, "%s, layout variant %d on rank %d",
                     CREATE, k, culprit);
            create_one(&x, comm, what, HESCA_ERR_MISMATCH, of_b ? 7 : 4,
                       of_b ? "b" : "a");
            hesca_layout_free(other);
        }
    check_still_works("different layouts", comm);
}

/* Generalized blocks of one size on the same processes, but cut elsewhere. */
static void
create_other_heights(MPI_Comm comm)
{
    int64_t heights[PROCS], widths[1] = {1};
    char what[200];
    for (int p = 0; p < size; ++p)
        heights[p] = p == 0 ? 1 : p == 1 ? 3 : 2;
    for (int culprit = 0; culprit < size && size > 1; ++culprit) {
        plan_args x = good_args();
        hesca_layout *other = NULL;
        hesca_layout_create_generalized(M + 2, N, size, 1, heights, widths,
                                        NULL, &other);
        if (is_culprit(culprit))
            x.a = other;
        snprintf(what, sizeof what, "%s, other heights on rank %d", CREATE,
                 culprit);
        create_one(&x, comm, what, HESCA_ERR_MISMATCH, 4, "a");
        hesca_layout_free(other);
    }
    check_still_works("other heights", comm);
}

/* Several processes fail, each in its own way: the smallest code is told, and
 * among equal ones that of the lowest rank. */
static void
create_several(MPI_Comm comm)
{
    plan_args x = good_args();
    x.m = rank == 0 ? -77 : M;
    x.esize = rank == 1 ? 0 : sizeof(double);
    x.ia = rank == 2 ? -5 : 2;
    create_one(&x, comm, "different errors, 0 first", HESCA_ERR_ARG, 2,
               "m, is -77");
    x = good_args();
    x.m = rank == size - 1 ? -78 : M;
    x.esize = rank == 0 ? 0 : sizeof(double);
    create_one(&x, comm, "different errors, 0 first", HESCA_ERR_ARG,
               size == 1 ? 2 : 10, size == 1 ? "m, is -78" : "esize");
}

static void
create_unsupported(MPI_Comm comm)
{
    plan_args x = good_args();
    x.esize = (size_t)INT32_MAX + 1;
    create_one(&x, comm, "elements of 2^31 bytes", HESCA_ERR_UNSUPPORTED, 0,
               "2147483648");
    check_still_works("large elements", comm);
}

static void
create_without_comm(void)
{
    const plan_args x = good_args();
    hesca_plan *plan;
    int err = create(&x, MPI_COMM_NULL, &plan);
    check_failed("MPI_COMM_NULL", err, HESCA_ERR_ARG, 0, "", "communicator");
    CHECK(plan == NULL, "MPI_COMM_NULL: a plan");
    hesca_params params;
    err = hesca_params_agreed(MPI_COMM_NULL, &params);
    check_failed("MPI_COMM_NULL", err, HESCA_ERR_ARG, 0, "", "communicator");
    err = hesca_params_agreed(MPI_COMM_WORLD, NULL);
    check_failed("no params", err, HESCA_ERR_ARG, 2, "hesca_params_agreed",
                 "params");
}

/* ------------------------------------------------ hesca_plan_execute */

typedef struct {
    const void *a;
    int64_t lda;
    void *b;
    int64_t ldb;
} arrays;

static const char EXECUTE[] = "hesca_plan_execute";

/* Whether a culprit owns something, so that its mistake counts. */
static int
counts(int culprit, int64_t count)
{
    int here = is_culprit(culprit) && count > 0, somewhere;
    MPI_Allreduce(&here, &somewhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return somewhere;
}

static void
execute_illegal(MPI_Comm comm)
{
    static const char *const name[] = {"a = NULL",      "lda too small",
                                       "lda = -1",      "b = NULL",
                                       "ldb too small", "ldb = -2^63"};
    static const int info[] = {2, 3, 3, 4, 5, 5};
    const plan_args good = good_args();
    hesca_plan *plan;
    char what[200];
    int err = create(&good, comm, &plan);
    CHECK(err == HESCA_SUCCESS, "rank %d: %s", rank, hesca_error_text());
    if (err < 0)
        return;
    for (int k = 0; k < 6; ++k)
        for (int culprit = -1; culprit < size; ++culprit) {
            arrays x = {a, lda, b, ldb};
            if (is_culprit(culprit)) {
                x.a = k == 0 ? NULL : x.a;
                x.lda = k == 1 ? lda - 1 : k == 2 ? -1 : lda;
                x.b = k == 3 ? NULL : x.b;
                x.ldb = k == 4 ? ldb - 1 : k == 5 ? INT64_MIN : ldb;
            }
            if (!counts(culprit, k < 3 ? a_count : b_count))
                continue;
            describe(what, sizeof what, EXECUTE, name[k], culprit);
            fill();
            err = hesca_plan_execute(plan, x.a, x.lda, x.b, x.ldb);
            check_failed(what, err, HESCA_ERR_ARG, info[k], EXECUTE,
                         k < 3 ? "a" : "b");
            check_b(what, 0);
        }
    fill();
    err = hesca_plan_execute(plan, a, lda, b, ldb);
    CHECK(err == HESCA_SUCCESS, "rank %d: %s", rank, hesca_error_text());
    check_b("the same plan after its errors", 1);
    hesca_plan_info info_of;
    CHECK(hesca_plan_get_info(NULL, &info_of) == HESCA_ERR_ARG &&
              hesca_error_info() == 1,
          "no plan");
    CHECK(hesca_plan_get_info(plan, NULL) == HESCA_ERR_ARG &&
              hesca_error_info() == 2,
          "no info");
    hesca_plan_free(plan);
    hesca_plan_free(NULL);
    err = hesca_plan_execute(NULL, a, lda, b, ldb);
    check_failed("no plan", err, HESCA_ERR_ARG, 1, EXECUTE, "plan, is NULL");
}

/* No staging memory. */
static void
execute_no_memory(MPI_Comm comm)
{
    const plan_args good = good_args();
    hesca_plan *plan;
    char what[200];
    int err = create(&good, comm, &plan);
    CHECK(err == HESCA_SUCCESS, "rank %d: %s", rank, hesca_error_text());
    if (err < 0)
        return;
    for (int culprit = -1; culprit < size; ++culprit) {
        describe(what, sizeof what, EXECUTE, "no memory", culprit);
        fill();
        hesca_stage_free(); /* it is kept from call to call */
        fail_alloc = is_culprit(culprit);
        err = hesca_plan_execute(plan, a, lda, b, ldb);
        fail_alloc = 0;
        check_failed(what, err, HESCA_ERR_NOMEM, 0, "staging", "bytes");
        check_b(what, 0);
        err = hesca_plan_execute(plan, a, lda, b, ldb);
        CHECK(err == HESCA_SUCCESS, "%s, again: %s", what, hesca_error_text());
        check_b(what, 1);
    }
    hesca_plan_free(plan);
}

/* ------------------------------------------------ hesca_redistribute */

typedef struct {
    int status, part;
    int64_t m, n;
    hesca_side sa, sb;
    int no_sa, no_sb;
    const void *a;
    void *b;
    size_t esize;
} call;

static call
good_call(void)
{
    return (call){.status = HESCA_SUCCESS,
                  .part = HESCA_ALL,
                  .m = M,
                  .n = N,
                  .sa = {.member = 1,
                         .nprow = size,
                         .npcol = 1,
                         .myrow = rank,
                         .m = M + 2,
                         .n = N,
                         .mb = 2,
                         .nb = 3,
                         .i = 2,
                         .lld = lda},
                  .sb = {.member = 1,
                         .nprow = 1,
                         .npcol = size,
                         .mycol = rank,
                         .m = M,
                         .n = N + 3,
                         .mb = 4,
                         .nb = 1,
                         .csrc = size - 1,
                         .j = 3,
                         .lld = ldb},
                  .a = a,
                  .b = b,
                  .esize = sizeof(double)};
}

static const char REDIST[] = "hesca_redistribute";

static int
redistribute(const call *x, MPI_Comm comm, hesca_plan_info *info)
{
    return hesca_redistribute(
        x->status, (hesca_part)x->part, x->m, x->n, x->no_sa ? NULL : &x->sa,
        x->a, x->no_sb ? NULL : &x->sb, x->b, x->esize, comm, info);
}

static void
call_one(const call *x, MPI_Comm comm, const char *what, int expected,
         int info, const char *word)
{
    hesca_plan_info ignored;
    fill();
    const int err = redistribute(x, comm, &ignored);
    check_failed(what, err, expected, info, REDIST, word);
    check_b(what, 0);
}

/* cached: what the call must say of its plan, -1: either. */
static void
check_call_works(const char *what, MPI_Comm comm, int cached)
{
    const call good = good_call();
    hesca_plan_info info;
    fill();
    const int err = redistribute(&good, comm, &info);
    CHECK(err == HESCA_SUCCESS, "after %s, rank %d: %d, %s", what, rank, err,
          hesca_error_text());
    check_b(what, 1);
    CHECK(cached < 0 || info.cached == cached, "after %s, rank %d: cached %d",
          what, rank, info.cached);
}

/* Fields of a side, in their order, as hesca_error_info() counts them. */
enum {
    NPROW = 2,
    NPCOL,
    MYROW,
    MYCOL,
    ROWS,
    COLS,
    MB,
    NB,
    RSRC,
    CSRC,
    I,
    J,
    LLD
};

static void
set_side(hesca_side *s, int field, int64_t value)
{
    int *const small[] = {
        [NPROW] = &s->nprow, [NPCOL] = &s->npcol, [MYROW] = &s->myrow,
        [MYCOL] = &s->mycol, [MB] = &s->mb,       [NB] = &s->nb,
        [RSRC] = &s->rsrc,   [CSRC] = &s->csrc,   [LLD] = NULL};
    int64_t *const large[] = {[ROWS] = &s->m,
                              [COLS] = &s->n,
                              [I] = &s->i,
                              [J] = &s->j,
                              [LLD] = &s->lld};
    if (small[field] != NULL)
        *small[field] = (int)value;
    else
        *large[field] = value;
}

static void
call_illegal(MPI_Comm comm)
{
    static const struct {
        int field;
        int64_t value;
        const char *word;
    } list[] = {
        {NPROW, 0, "nprow"},    {NPROW, -3, "nprow"},   {NPCOL, 0, "npcol"},
        {MYROW, -1, "myrow"},   {MYROW, 1000, "myrow"}, {MYCOL, -1, "mycol"},
        {MYCOL, 1000, "mycol"}, {ROWS, -1, "m of"},     {COLS, -1, "n of"},
        {MB, 0, "mb"},          {MB, INT32_MIN, "mb"},  {NB, 0, "nb"},
        {RSRC, -1, "rsrc"},     {RSRC, 1000, "rsrc"},   {CSRC, -1, "csrc"},
        {CSRC, 1000, "csrc"},   {I, -1, "i"},           {I, M, "i"},
        {I, INT64_MAX, "i"},    {J, -1, "j"},           {J, N, "j"},
        {J, INT64_MAX, "j"},    {LLD, 0, "leading"},    {LLD, -1, "leading"},
    };
    char what[200], field[50];
    for (int of_b = 0; of_b < 2; ++of_b)
        for (size_t k = 0; k < sizeof list / sizeof *list; ++k)
            for (int culprit = -1; culprit < size; ++culprit) {
                call x = good_call();
                if (list[k].field == LLD &&
                    !counts(culprit, of_b ? b_count : a_count))
                    continue;
                if (is_culprit(culprit))
                    set_side(of_b ? &x.sb : &x.sa, list[k].field,
                             list[k].value);
                snprintf(field, sizeof field, "%s = %lld of %s", list[k].word,
                         (long long)list[k].value, of_b ? "B" : "A");
                describe(what, sizeof what, REDIST, field, culprit);
                call_one(&x, comm, what, HESCA_ERR_ARG,
                         (of_b ? 700 : 500) + list[k].field, list[k].word);
            }
    check_call_works("illegal sides", comm, -1);
}

static void
call_illegal_scalars(MPI_Comm comm)
{
    static const struct {
        const char *what;
        int info;
        const char *word;
    } list[] = {{"part = 9", 2, "part"},   {"m = -1", 3, "m, is -1"},
                {"n = -4", 4, "n, is -4"}, {"sa = NULL", 5, "sa"},
                {"sb = NULL", 7, "sb"},    {"esize = 0", 9, "esize"},
                {"a = NULL", 6, "NULL"},   {"b = NULL", 8, "NULL"},
                {"m too large", 512, "i"}, {"n too large", 513, "j"}};
    char what[200];
    for (int k = 0; k < 10; ++k)
        for (int culprit = -1; culprit < size; ++culprit) {
            call x = good_call();
            if (k == 6 || k == 7)
                if (!counts(culprit, k == 6 ? a_count : b_count))
                    continue;
            if (is_culprit(culprit)) {
                x.part = k == 0 ? 9 : x.part;
                x.m = k == 1 ? -1 : k == 8 ? M + 1 : x.m;
                x.n = k == 2 ? -4 : k == 9 ? N + 1 : x.n;
                x.no_sa = k == 3;
                x.no_sb = k == 4;
                x.esize = k == 5 ? 0 : x.esize;
                x.a = k == 6 ? NULL : x.a;
                x.b = k == 7 ? NULL : x.b;
            }
            describe(what, sizeof what, REDIST, list[k].what, culprit);
            call_one(&x, comm, what, HESCA_ERR_ARG, list[k].info,
                     list[k].word);
        }
    check_call_works("illegal arguments", comm, -1);
}

static void
call_mismatch(MPI_Comm comm)
{
    static const struct {
        int field, of_b;
        int64_t value;
        const char *word;
    } list[] = {
        {NPROW, 0, 30, "nprow of A"}, {NPCOL, 0, 2, "npcol of A"},
        {ROWS, 0, M + 7, "A"},        {COLS, 0, N + 7, "A"},
        {MB, 0, 3, "mb of A"},        {NB, 0, 4, "nb of A"},
        {RSRC, 0, 1, "rsrc of A"},    {I, 0, 1, "i of A"},
        {NPROW, 1, 2, "nprow of B"},  {NPCOL, 1, 30, "npcol of B"},
        {ROWS, 1, M + 7, "B"},        {COLS, 1, N + 7, "B"},
        {MB, 1, 3, "mb of B"},        {NB, 1, 4, "nb of B"},
        {CSRC, 1, 0, "csrc of B"},    {J, 1, 0, "j of B"},
    };
    char what[200];
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k)
        for (int culprit = 0; culprit < size; ++culprit) {
            call x = good_call();
            if (is_culprit(culprit))
                set_side(list[k].of_b ? &x.sb : &x.sa, list[k].field,
                         list[k].value);
            describe(what, sizeof what, REDIST, list[k].word, culprit);
            call_one(&x, comm, what, HESCA_ERR_MISMATCH,
                     (list[k].of_b ? 700 : 500) + list[k].field, list[k].word);
        }
    for (int k = 0; k < 6; ++k)
        for (int culprit = 0; culprit < size; ++culprit) {
            static const char *const word[] = {"part",  "m", "n",
                                               "esize", "m", "n"};
            static const int info[] = {2, 3, 4, 9, 3, 4};
            call x = good_call();
            if (is_culprit(culprit)) {
                x.part = k == 0 ? HESCA_UPPER : x.part;
                x.m = k == 1 ? M - 1 : k == 4 ? 0 : x.m;
                x.n = k == 2 ? N - 1 : k == 5 ? 0 : x.n;
                x.esize = k == 3 ? 4 : x.esize;
            }
            describe(what, sizeof what, REDIST,
                     k < 4    ? word[k]
                     : k == 4 ? "m = 0"
                              : "n = 0",
                     culprit);
            call_one(&x, comm, what, HESCA_ERR_MISMATCH, info[k], word[k]);
        }
    check_call_works("a mismatch", comm, -1);
}

/* Positions of a grid that no process of the communicator has. */
static void
call_missing(MPI_Comm comm)
{
    char what[200];
    for (int of_b = 0; of_b < 2; ++of_b) {
        const int info = (of_b ? 700 : 500) + NPROW;
        for (int culprit = -1; culprit < size; ++culprit) {
            call x = good_call();
            if (is_culprit(culprit))
                *(of_b ? &x.sb.member : &x.sa.member) = 0;
            describe(what, sizeof what, REDIST,
                     of_b ? "not in B's grid" : "not in A's grid", culprit);
            /* All outside, or the only one: nobody knows the grid. */
            call_one(&x, comm, what, HESCA_ERR_ARG, info,
                     culprit < 0 || size == 1 ? "nprow" : "grid");
        }
        call x = good_call();
        *(of_b ? &x.sb.npcol : &x.sa.nprow) = size + 3;
        describe(what, sizeof what, REDIST, "a grid that is too large", -1);
        call_one(&x, comm, what, HESCA_ERR_ARG, info, "grid");
        x = good_call(); /* two in one place, none in another */
        if (rank == size - 1)
            *(of_b ? &x.sb.mycol : &x.sa.myrow) = 0;
        if (size > 1) {
            describe(what, sizeof what, REDIST, "two in one place", size - 1);
            call_one(&x, comm, what, HESCA_ERR_ARG, info - NPROW + MYROW,
                     "both say");
        }
    }
    check_call_works("missing positions", comm, -1);
}

/* Nothing to copy, for all: nothing is looked at, not even illegal values. */
static void
call_empty(MPI_Comm comm)
{
    for (int k = 0; k < 2; ++k) {
        hesca_plan_info info;
        call x = good_call();
        x.m = k == 0 ? 0 : M;
        x.n = k == 0 ? N : 0;
        x.sa.mb = x.sb.nprow = -1;
        x.sb.lld = -1;
        x.a = x.b = NULL;
        fill();
        const int err = redistribute(&x, comm, &info);
        CHECK(err == HESCA_SUCCESS && strcmp(info.schedule, "none") == 0,
              "empty, rank %d: %d, %s, schedule %s", rank, err,
              hesca_error_text(), info.schedule);
        check_b("empty", 0);
    }
}

/* Errors that the caller brings along. */
static void
call_status(MPI_Comm comm)
{
    char what[200], text[100];
    for (int culprit = -1; culprit < size; ++culprit) {
        call x = good_call();
        if (is_culprit(culprit))
            x.status = hesca_error_set(HESCA_ERR_ARG, 602,
                                       "hesca_redistribute was told 4711");
        describe(what, sizeof what, REDIST, "a status", culprit);
        call_one(&x, comm, what, HESCA_ERR_ARG, 602, "4711");
    }
    /* The smallest code wins; then the lowest rank. */
    call x = good_call();
    snprintf(text, sizeof text, "hesca_redistribute: told by %d", rank);
    x.status = hesca_error_set(
        rank == size - 1 ? HESCA_ERR_UNSUPPORTED : HESCA_ERR_ARG, rank, text);
    snprintf(text, sizeof text, "told by %d", size - 1);
    call_one(&x, comm, "the smallest code", HESCA_ERR_UNSUPPORTED, size - 1,
             text);
    snprintf(text, sizeof text, "hesca_redistribute: told by %d", rank);
    x.status = rank > 0 || size == 1
                   ? hesca_error_set(HESCA_ERR_MISMATCH, 100 + rank, text)
                   : HESCA_SUCCESS;
    snprintf(text, sizeof text, "told by %d", size > 1);
    call_one(&x, comm, "the lowest rank", HESCA_ERR_MISMATCH, 100 + (size > 1),
             text);
    check_call_works("a status", comm, -1);
}

/* Errors of calls whose plan is in the cache leave it there. */
static void
call_cached(MPI_Comm comm)
{
    char what[200];
    check_call_works("nothing", comm, -1);
    for (int culprit = -1; culprit < size; ++culprit) {
        call x = good_call();
        check_call_works("the last error", comm, 1);
        if (!counts(culprit, b_count))
            continue;
        if (is_culprit(culprit))
            x.sb.lld = ldb - 1;
        describe(what, sizeof what, REDIST, "lld too small, cached", culprit);
        call_one(&x, comm, what, HESCA_ERR_ARG, 700 + LLD, "leading");
        x = good_call();
        x.m = is_culprit(culprit) && culprit >= 0 && size > 1 ? M - 1 : M;
        describe(what, sizeof what, REDIST, "other m, cached", culprit);
        if (culprit >= 0 && size > 1)
            call_one(&x, comm, what, HESCA_ERR_MISMATCH, 3, "m");
    }
    check_call_works("errors of cached calls", comm, 1);
}

/* No staging memory, for a plan that is new and for one from the cache. */
static void
call_no_memory(MPI_Comm comm)
{
    char what[200];
    for (int culprit = -1; culprit < size; ++culprit) {
        call x = good_call();
        x.n = N - 1 - (culprit + 1) % 3;
        for (int again = 0; again < 2; ++again) {
            describe(what, sizeof what, REDIST,
                     again ? "no memory, cached" : "no memory", culprit);
            hesca_stage_free();
            fail_alloc = is_culprit(culprit);
            fill();
            const int err = redistribute(&x, comm, NULL);
            fail_alloc = 0;
            check_failed(what, err, HESCA_ERR_NOMEM, 0, "staging", "bytes");
            check_b(what, 0);
        }
        check_call_works(what, comm, -1);
    }
}

static void
call_without_comm(void)
{
    const call x = good_call();
    fill();
    const int err = redistribute(&x, MPI_COMM_NULL, NULL);
    check_failed("MPI_COMM_NULL", err, HESCA_ERR_ARG, 0, "", "communicator");
    check_b("MPI_COMM_NULL", 0);
}

static void
call_unsupported(MPI_Comm comm)
{
    call x = good_call();
    x.esize = (size_t)INT32_MAX + 1;
    fill();
    const int err = redistribute(&x, comm, NULL);
    check_failed("elements of 2^31 bytes", err, HESCA_ERR_UNSUPPORTED, 0, "",
                 "2147483648");
    check_b("elements of 2^31 bytes", 0);
    check_call_works("large elements", comm, -1);
}

/* ------------------------------------------------ parameters, MPI */

/* A value that only rank 0 reads: malformed there, every call complains, and
 * again; malformed elsewhere, nobody minds. */
static void
malformed_parameter(const char *name, const char *value)
{
    for (int culprit = 0; culprit < (size > 1 ? 2 : 1); ++culprit) {
        MPI_Comm comm;
        hesca_params params;
        char what[200];
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (culprit == 0 ? rank == 0 : rank > 0)
            setenv(name, value, 1);
        describe(what, sizeof what, "hesca_params_agreed", value, culprit);
        for (int again = 0; again < 2; ++again) {
            const int err = hesca_params_agreed(comm, &params);
            if (culprit > 0) {
                CHECK(err == HESCA_SUCCESS, "%s: %d, %s", what, err,
                      hesca_error_text());
                check_still_works(what, comm);
                check_call_works(what, comm, again);
                continue;
            }
            const plan_args x = good_args();
            const call y = good_call();
            hesca_plan *plan;
            check_failed(what, err, HESCA_ERR_PARAM, 0, name, value);
            hesca_error_set(HESCA_ERR_ARG, rank, "something else");
            const int created = create(&x, comm, &plan);
            check_failed(what, created, HESCA_ERR_PARAM, 0, name, value);
            CHECK(plan == NULL, "%s: a plan", what);
            hesca_error_set(HESCA_ERR_ARG, rank, "something else");
            fill();
            const int called = redistribute(&y, comm, NULL);
            check_failed(what, called, HESCA_ERR_PARAM, 0, name, value);
            check_b(what, 0);
        }
        unsetenv(name);
        MPI_Comm_free(&comm);
    }
}

/* Functions of MPI that fail, on all processes. */
static void
failing_mpi(void)
{
    static const char *const functions[] = {"MPI_Comm_idup", "MPI_Iallgather",
                                            "MPI_Ibcast", "MPI_Comm_set_attr"};
    const plan_args good = good_args();
    hesca_plan *plan;
    MPI_Comm comm;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; ++k) {
        const call x = good_call();
        PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
        fail_mpi = functions[k];
        int err = create(&good, comm, &plan);
        fail_mpi = "";
        check_failed(functions[k], err, HESCA_ERR_MPI, 0, functions[k], ":");
        CHECK(plan == NULL, "%s: a plan", functions[k]);
        fail_mpi = functions[k];
        fill();
        err = redistribute(&x, comm, NULL);
        fail_mpi = "";
        check_failed(functions[k], err, HESCA_ERR_MPI, 0, functions[k], ":");
        check_b(functions[k], 0);
        check_still_works(functions[k], comm);
        check_call_works(functions[k], comm, 0);
        MPI_Comm_free(&comm);
    }
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    setenv("HESCA_SCHEDULE", "alltoall", 1);
    int err = create(&good, comm, &plan);
    CHECK(err == HESCA_SUCCESS, "rank %d: %s", rank, hesca_error_text());
    unsetenv("HESCA_SCHEDULE");
    if (size > 1) { /* alone, nothing is exchanged */
        fail_mpi = "MPI_Ialltoall";
        err = hesca_plan_execute(plan, a, lda, b, ldb);
        fail_mpi = "";
        check_failed("MPI_Ialltoall", err, HESCA_ERR_MPI, 0, "MPI_Ialltoall",
                     ":");
    }
    fill();
    err = hesca_plan_execute(plan, a, lda, b, ldb);
    CHECK(err == HESCA_SUCCESS, "rank %d: %s", rank, hesca_error_text());
    check_b("the same plan after MPI_Ialltoall", 1);
    hesca_plan_free(plan);
    MPI_Comm_free(&comm);
}

/* A communicator with a parameter of its own. */
static MPI_Comm
with_parameter(const char *name, const char *value)
{
    MPI_Comm comm;
    hesca_params params;
    char before[100];
    const char *now = getenv(name);
    snprintf(before, sizeof before, "%s", now == NULL ? "" : now);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    setenv(name, value, 1);
    CHECK(hesca_params_agreed(comm, &params) == HESCA_SUCCESS, "%s", value);
    setenv(name, before, 1); /* an empty one counts as not set */
    return comm;
}

/* Errors that are found before there is a schedule. */
static void
errors_of_planning(void)
{
    MPI_Comm comm = with_parameter("HESCA_SCHEDULE", "auto");
    create_illegal(comm);
    create_far_ranks(comm);
    create_several(comm);
    create_unsupported(comm);
    if (size > 1) {
        create_mismatch(comm);
        create_other_layouts(comm);
        create_other_heights(comm);
        call_mismatch(comm);
    }
    call_illegal(comm);
    call_illegal_scalars(comm);
    call_missing(comm);
    call_empty(comm);
    call_status(comm);
    call_unsupported(comm);
    MPI_Comm_free(&comm);
}

/* A schedule that does not apply: an error that tells what does, or, where the
 * user has said so, auto. */
static void
errors_of_choosing(void)
{
    static const char *const fallback[] = {"", "error", "print", "silent"};
    const char *now = getenv("HESCA_FALLBACK");
    char before[20];
    snprintf(before, sizeof before, "%s", now == NULL ? "" : now);
    for (int k = 0; k < 4; ++k) {
        const int is_error = k < 2;
        hesca_plan *plan;
        setenv("HESCA_FALLBACK", fallback[k], 1);
        MPI_Comm comm = with_parameter("HESCA_SCHEDULE", "hybrid:99");
        const plan_args good = good_args();
        const call x = good_call();
        int err = create(&good, comm, &plan);
        if (is_error)
            check_failed("hybrid:99", err, HESCA_ERR_PARAM, 0, "hybrid:99",
                         "bruck");
        CHECK(
            (err == HESCA_SUCCESS) == !is_error && (plan == NULL) == is_error,
            "HESCA_FALLBACK=%s: %d, %s", fallback[k], err, hesca_error_text());
        hesca_plan_free(plan);
        fill();
        err = redistribute(&x, comm, NULL);
        CHECK((err == HESCA_SUCCESS) == !is_error, "HESCA_FALLBACK=%s: %d, %s",
              fallback[k], err, hesca_error_text());
        check_b(fallback[k], !is_error);
        MPI_Comm_free(&comm);
    }
    setenv("HESCA_FALLBACK", before, 1);
}

/* A machine file that cannot be read. */
static void
errors_of_machine(void)
{
    setenv("HESCA_MACHINE", "/nowhere/at/all", 1);
    hesca_params params;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const int err = hesca_params_agreed(comm, &params);
    check_failed("HESCA_MACHINE", err, HESCA_ERR_PARAM, 0, "/nowhere/at/all",
                 ":");
    unsetenv("HESCA_MACHINE");
    MPI_Comm_free(&comm);
}

static void
errors_of_executing(const char *schedule)
{
    const char *now = getenv("HESCA_TRANSPORT");
    char transport[20];
    snprintf(transport, sizeof transport, "%s", now == NULL ? "" : now);
    MPI_Comm comm = with_parameter("HESCA_SCHEDULE", schedule);
    execute_illegal(comm);
    call_cached(comm);
    MPI_Comm_free(&comm);
    if (size == 1 || !can_fail_alloc())
        return;
    /* Staging memory is for messages through MPI. */
    setenv("HESCA_TRANSPORT", "mpi", 1);
    comm = with_parameter("HESCA_SCHEDULE", schedule);
    execute_no_memory(comm);
    call_no_memory(comm);
    MPI_Comm_free(&comm);
    setenv("HESCA_TRANSPORT", transport, 1);
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > PROCS) {
        if (rank == 0)
            printf("at most %d processes\n", PROCS);
        MPI_Finalize();
        return 77;
    }
    /* Nothing is random here: what is printed of a case reproduces it. */
    create_problem();
    check_still_works("nothing", MPI_COMM_WORLD);
    errors_of_planning();
    errors_of_choosing();
    errors_of_machine();
    errors_of_executing("direct");
    errors_of_executing("direct-async");
    errors_of_executing("alltoall");
    errors_of_executing("indirect");
    errors_of_executing("hybrid:0");
    create_without_comm();
    call_without_comm();
    malformed_parameter("HESCA_BUFFER", "64k");
    malformed_parameter("HESCA_BUFFER", "1");
    malformed_parameter("HESCA_SCHEDULE", "fastest");
    malformed_parameter("HESCA_DISABLE", "pdgemm");
    failing_mpi();
    hesca_layout_free(la);
    hesca_layout_free(lb);
    const int failed = check_done("t_errors");
    MPI_Finalize();
    return failed;
}

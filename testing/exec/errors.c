/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of t_errors share: failures to order, what all processes must
 * agree on, and one small problem. */
#include "testing/exec/errors.h"
#include "testing/check.h"
#include <string.h>

int rank, size;

/* ------------------------------------------------ failures to order
 *
 * These stand in front of the functions of the same name, and fail on
 * request. */
int fail_alloc;
const char *fail_mpi = "";

void *
aligned_alloc(size_t alignment, size_t n)
{
    void *x = NULL;
    if (fail_alloc || posix_memalign(&x, alignment, n) != 0)
        return NULL;
    return x;
}

/* Whether HESCA gets the one above; valgrind puts its own in front.  The
 * compiler must not know what is called: it assumes that memory that is never
 * used can be allocated. */
int
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
PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request)
{
    return is_to_fail("MPI_Comm_idup") ? MPI_ERR_OTHER
                                       : MPI_Comm_idup(comm, copy, request);
}

int
PMPI_Comm_set_attr(MPI_Comm comm, int keyval, void *value)
{
    return is_to_fail("MPI_Comm_set_attr")
               ? MPI_ERR_OTHER
               : MPI_Comm_set_attr(comm, keyval, value);
}

int
PMPI_Iallgather(const void *out, int nout, MPI_Datatype otype, void *in,
                int nin, MPI_Datatype itype, MPI_Comm comm,
                MPI_Request *request)
{
    return is_to_fail("MPI_Iallgather")
               ? MPI_ERR_OTHER
               : MPI_Iallgather(out, nout, otype, in, nin, itype, comm,
                                request);
}

int
PMPI_Ibcast(void *x, int n, MPI_Datatype type, int root, MPI_Comm comm,
            MPI_Request *request)
{
    return is_to_fail("MPI_Ibcast")
               ? MPI_ERR_OTHER
               : MPI_Ibcast(x, n, type, root, comm, request);
}

int
PMPI_Ialltoall(const void *out, int nout, MPI_Datatype tout, void *in, int nin,
               MPI_Datatype tin, MPI_Comm comm, MPI_Request *request)
{
    return is_to_fail("MPI_Ialltoall")
               ? MPI_ERR_OTHER
               : MPI_Ialltoall(out, nout, tout, in, nin, tin, comm, request);
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
void
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
 */
hesca_layout *la, *lb;
double a[(M + 2) * N], b[M * (N + 3)];
int64_t lda, ldb, a_count, b_count;

void
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

void
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
void
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

/* ------------------------------------------------ the rank in error */

int
is_culprit(int culprit)
{
    return culprit < 0 || culprit == rank;
}

void
describe(char *text, size_t n, const char *routine, const char *what,
         int culprit)
{
    if (culprit < 0)
        snprintf(text, n, "%s, %s on all of %d", routine, what, size);
    else
        snprintf(text, n, "%s, %s on rank %d of %d", routine, what, culprit,
                 size);
}

int
counts(int culprit, int64_t count)
{
    int here = is_culprit(culprit) && count > 0, somewhere;
    MPI_Allreduce(&here, &somewhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return somewhere;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts come and go: tens of thousands of calls leave memory and the
 * numbers of communicators and windows as they were; a context has one
 * duplicate, made at its first call and freed with it; all contexts share a
 * window; and a context that takes the number of an earlier one is not taken
 * for it.
 *
 * The program has MPI functions of its own in front of those that create and
 * free communicators and windows, and counts.  HESCA_TEST_PERCENT sets the
 * number of calls.
 */
#define _GNU_SOURCE /* mallinfo2 */
#include "hesca/experimental/param.h"
#include "hesca/scalapack.h"
#include "testing/check.h"
#include "testing/count.h"
#include "testing/memory.h"
#include "testing/shim/blacs.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------ memory */

static void
check_memory(const char *when, memory before, long ncalls)
{
    /* Pages that malloc and MPI touch late, and one step of a pool of MPI's;
     * one leaked word for each of 18,000 calls would be more. */
    enum { RESIDENT_SLACK = 2048, HEAP_SLACK = 128, WARM = 100 };
    const memory after = memory_now();
    if (ncalls < WARM)
        return;
    CHECK(after.resident - before.resident < RESIDENT_SLACK,
          "%s: resident memory grows from %ld to %ld kB in %ld calls", when,
          before.resident, after.resident, ncalls);
    CHECK(after.heap - before.heap < HEAP_SLACK,
          "%s: memory from malloc grows from %ld to %ld kB in %ld calls", when,
          before.heap, after.heap, ncalls);
}

/* ------------------------------------------------ matrices */

enum { M = 17, N = 13, MOST = M * N, PATIENCE = 100 };

typedef struct {
    int desc[9];
    int nprow, npcol, myrow, mycol, locr, locc;
    double x[MOST];
} matrix;

static int rank, nprocs;

static void
matrix_init(matrix *a, int ictxt, int mb, int nb)
{
    const int desc[] = {1, ictxt, M, N, mb, nb, 0, 0, M};
    memcpy(a->desc, desc, sizeof desc);
    a->locr = a->locc = 0;
    if (ictxt < 0)
        return;
    Cblacs_gridinfo(ictxt, &a->nprow, &a->npcol, &a->myrow, &a->mycol);
    a->locr = numroc_(&desc[2], &desc[4], &a->myrow, &desc[6], &a->nprow);
    a->locc = numroc_(&desc[3], &desc[5], &a->mycol, &desc[7], &a->npcol);
}

static int
global(int local, int nb, int iproc, int count_procs)
{
    return (local / nb * count_procs + iproc) * nb + local % nb;
}

/* Give A its elements, or return how many of B differ from them. */
static int
matrix_visit(matrix *a, int salt, int fill)
{
    int wrong = 0;
    for (int q = 0; q < a->locc; ++q)
        for (int p = 0; p < a->locr; ++p) {
            const int i = global(p, a->desc[4], a->myrow, a->nprow);
            const int j = global(q, a->desc[5], a->mycol, a->npcol);
            const double value = 1000 * i + j + 1e6 * (salt % 1000);
            if (fill)
                a->x[q * M + p] = value;
            else
                wrong += a->x[q * M + p] != value;
        }
    return wrong;
}

static char hanging[128]; /* the current call, for hangs() */

static void
hangs(int sig)
{
    (void)sig;
    if (write(STDOUT_FILENO, hanging, strlen(hanging)) < 0)
        _exit(2);
    _exit(1);
}

/* One call, complete and right, that creates no more than so many
 * communicators that stay; others, two at most, only for a window. */
static void
copy(matrix *a, matrix *b, int ictxt, int salt, int most, const char *what)
{
    const long before = count_created, freed_before = count_freed,
               windows = count_opened;
    matrix_visit(a, salt, 1);
    memset(b->x, 0, sizeof b->x);
    snprintf(hanging, sizeof hanging, "%s, call %d, rank %d hangs\n", what,
             salt, rank);
    alarm(PATIENCE);
    hesca_Cpdgemr2d(M, N, a->x, 1, 1, a->desc, b->x, 1, 1, b->desc, ictxt);
    alarm(0);
    const int wrong = matrix_visit(b, salt, 0);
    CHECK(wrong == 0,
          "%s, call %d, rank %d of %d: %d of %d elements of B on a %d x %d "
          "grid, A on %d x %d",
          what, salt, rank, nprocs, wrong, b->locr * b->locc, b->nprow,
          b->npcol, a->nprow, a->npcol);
    const long gone = count_freed - freed_before;
    CHECK(count_created - before - gone <= most &&
              gone <= 2 * (count_opened - windows),
          "%s, call %d, rank %d of %d: %ld communicators created, %ld freed, "
          "%ld windows created",
          what, salt, rank, nprocs, count_created - before, gone,
          count_opened - windows);
}

/* Grids of all processes, in different shapes and orders. */
static int
some_grid(int k)
{
    int ranks[64];
    for (int p = 0; p < nprocs; ++p)
        ranks[p] = k % 2 ? nprocs - 1 - p : (p + k) % nprocs;
    const int nprow = k % 3 == 0   ? 1
                      : k % 3 == 1 ? nprocs
                                   : (nprocs % 2 ? 1 : 2);
    return grid_of(ranks, nprow, nprocs / nprow);
}

static void
grid_free(int ictxt)
{
    if (ictxt >= 0)
        Cblacs_gridexit(ictxt);
}

/* ------------------------------------------------ the tests */

static void
same_contexts(int ncalls)
{
    const char *what = "same contexts";
    const long live = count_created - count_freed;
    const int ictxt[] = {some_grid(0), some_grid(1), some_grid(2)};
    matrix a, b;
    memory warm = {0, 0};
    for (int k = 0; k < ncalls; ++k) {
        if (k == ncalls / 10)
            warm = memory_now();
        matrix_init(&a, ictxt[1], 1 + k % 3, 2);
        matrix_init(&b, ictxt[2], 4, 1 + k % 2);
        copy(&a, &b, ictxt[0], k, k == 0, what);
    }
    check_memory(what, warm, ncalls - ncalls / 10);
    for (int k = 0; k < 3; ++k)
        grid_free(ictxt[k]);
    CHECK(count_created - count_freed == live,
          "%s, rank %d: %ld communicators left", what, rank,
          count_created - count_freed - live);
}

/* Two calls, then other contexts. */
static void
new_contexts(int ncalls)
{
    const char *what = "new contexts";
    const long live = count_created - count_freed;
    matrix a, b;
    memory warm = {0, 0};
    for (int k = 0; k < ncalls; k += 2) {
        if (k == ncalls / 20 * 2)
            warm = memory_now();
        const int ictxt[] = {some_grid(k / 2), some_grid(k / 6),
                             some_grid(k / 4)};
        matrix_init(&a, ictxt[1], 2, 2);
        matrix_init(&b, ictxt[2], 3, 1);
        copy(&a, &b, ictxt[0], k, 1, what);
        copy(&b, &a, ictxt[0], k + 1, 0, what);
        for (int g = 0; g < 3; ++g)
            grid_free(ictxt[(g + k / 2) % 3]);
        CHECK(count_created - count_freed == live,
              "%s, rank %d: %ld communicators left after call %d", what, rank,
              count_created - count_freed - live, k);
    }
    check_memory(what, warm, ncalls - ncalls / 10);
}

/* Run f with stderr in a file, and count the lines that contain some text. */
static int
lines_with(const char *text, void (*f)(void *), void *argument)
{
    char line[512];
    int n = 0;
    FILE *paper = tmpfile();
    const int terminal = dup(STDERR_FILENO);
    if (paper == NULL || terminal < 0)
        abort();
    dup2(fileno(paper), STDERR_FILENO);
    f(argument);
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    rewind(paper);
    while (fgets(line, sizeof line, paper) != NULL)
        n += strstr(line, text) != NULL;
    fclose(paper);
    return n;
}

enum { NAROUND = 5, ROUNDS = 4 };

typedef struct {
    int around[NAROUND], a, b, round;
} alternation;

static void
alternate(void *argument)
{
    const alternation *x = argument;
    matrix a, b;
    for (int k = 0; k < NAROUND; ++k) {
        matrix_init(&a, x->a, 2, 3);
        matrix_init(&b, x->b, 5, 1);
        copy(&a, &b, x->around[k], 10 * x->round + k, x->round == 0,
             "alternating contexts");
    }
}

/* Each enclosing context keeps its own plan. */
static void
alternating_contexts(void)
{
    alternation x = {.a = some_grid(1), .b = some_grid(5)};
    int nroot = 0;
    setenv("HESCA_VERBOSE", "1", 1);
    for (int k = 0; k < NAROUND; ++k) {
        int nprow, npcol, myrow, mycol;
        x.around[k] = some_grid(k);
        Cblacs_gridinfo(x.around[k], &nprow, &npcol, &myrow, &mycol);
        nroot += myrow == 0 && mycol == 0;
    }
    for (x.round = 0; x.round < ROUNDS; ++x.round) {
        const char *text = x.round == 0 ? "new plan" : "cached plan";
        const int n = lines_with(text, alternate, &x);
        CHECK(n == nroot, "rank %d, round %d: %d lines with \"%s\", not %d",
              rank, x.round, n, text, nroot);
    }
    unsetenv("HESCA_VERBOSE");
    for (int k = 0; k < NAROUND; ++k)
        grid_free(x.around[k]);
    grid_free(x.a);
    grid_free(x.b);
}

/* The next permutation in lexicographic order; 0 after the last one. */
static int
next_permutation(int *x, int n)
{
    int i = n - 2, j = n - 1;
    while (i >= 0 && x[i] > x[i + 1])
        --i;
    if (i < 0)
        return 0;
    while (x[j] < x[i])
        --j;
    const int t = x[i];
    x[i] = x[j];
    x[j] = t;
    for (int l = i + 1, r = n - 1; l < r; ++l, --r) {
        const int s = x[l];
        x[l] = x[r];
        x[r] = s;
    }
    return 1;
}

/* A context, A's, B's or the enclosing one, always has the same number and
 * shape, but processes in any order: every process finds in its arguments the
 * bits of an earlier call, and with four processes some also sit where they
 * sat then. */
static void
reused_number(int who)
{
    static const char *const names[] = {"A's number reused",
                                        "B's number reused",
                                        "the context's number reused"};
    const int nprow = who == 0 ? 1 : who == 1 ? 2 : nprocs;
    const int fixed[2] = {some_grid(0), some_grid(2)};
    int order[64], number = -1, call = 0;
    for (int k = 0; k < nprocs; ++k)
        order[k] = k;
    do {
        matrix a, b;
        const int ictxt = grid_of(order, nprow, nprocs / nprow);
        CHECK(number < 0 || number == ictxt,
              "%s: BLACS gives the number %d, not %d again", names[who], ictxt,
              number);
        number = ictxt;
        matrix_init(&a, who == 0 ? ictxt : fixed[1], 2, 2);
        matrix_init(&b, who == 1 ? ictxt : fixed[1], 3, 1);
        for (int k = 0; k < 2; ++k) {
            const int is_first = who == 2 ? k == 0 : call == 0;
            copy(&a, &b, who == 2 ? ictxt : fixed[0], call, is_first,
                 names[who]);
            ++call;
        }
        grid_free(ictxt);
    } while (next_permutation(order, nprocs));
    grid_free(fixed[0]);
    grid_free(fixed[1]);
}

/* The same number for one half of the processes, then for the other, then for
 * all. */
static void
reused_by_others(void)
{
    int halves[2][64], all[64];
    const long live = count_created - count_freed;
    for (int p = 0; p < nprocs; ++p) {
        halves[0][p] = p;
        halves[1][p] = p + nprocs / 2;
        all[p] = p;
    }
    for (int k = 0; k < 30; ++k) {
        const int n = k % 3 < 2 ? nprocs / 2 : nprocs;
        const int ictxt =
            k % 3 < 2 ? grid_of(halves[k % 3], 1, n) : grid_of(all, n, 1);
        matrix a, b;
        if (ictxt >= 0) {
            matrix_init(&a, ictxt, 2, 2);
            matrix_init(&b, ictxt, 3, 1);
            copy(&a, &b, ictxt, k, 1, "reused by others");
            grid_free(ictxt);
        }
        CHECK(count_created - count_freed == live,
              "rank %d: %ld communicators left", rank,
              count_created - count_freed - live);
    }
}

/* All contexts are on the processes of the first one, so that they need but
 * its window. */
static void
check_windows(void)
{
    hesca_params params;
    if (hesca_params_read(&params) < 0)
        abort();
    const long expected =
        nprocs > 1 && params.transport != HESCA_TRANSPORT_MPI;
    if (params.node_size > 0) /* a node's processes depend on the context */
        CHECK(count_opened > 0 && count_opened < nprocs,
              "rank %d: %ld windows", rank, count_opened);
    else
        CHECK(count_opened == expected, "rank %d: %ld windows, not %ld", rank,
              count_opened, expected);
    CHECK(count_closed == 0, "rank %d: %ld windows freed early", rank,
          count_closed);
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    Cblacs_pinfo(&rank, &nprocs);
    if (nprocs % 2 != 0) {
        fprintf(stderr, "start it on an even number of processes\n");
        return 99;
    }
    signal(SIGALRM, hangs);
    const int ncalls = check_cases(nprocs > 2 ? 20 : 2000);
    /* More processes than cores make BLACS wait long for a grid. */
    const int nnew = nprocs > 2 ? ncalls / 20 : ncalls;
    const double start = MPI_Wtime();
    const long before = count_created;
    const int kept = some_grid(0);
    CHECK(count_created > before,
          "rank %d: communicators of BLACS are not counted", rank);
    same_contexts(ncalls);
    const double middle = MPI_Wtime();
    new_contexts(nnew);
    const double end = MPI_Wtime();
    alternating_contexts();
    for (int who = 0; who < 3; ++who)
        reused_number(who);
    reused_by_others();
    if (rank == 0)
        printf("%d processes: %.1f s for %d calls in the same contexts, %.1f "
               "s for %d in new ones\n",
               nprocs, middle - start, ncalls, end - middle, nnew);
    /* What is left at the end is HESCA's to free, in MPI_Finalize. */
    matrix a, b;
    matrix_init(&a, kept, 2, 2);
    matrix_init(&b, kept, 3, 1);
    /* So is the duplicate of MPI_COMM_WORLD, made with the first grid. */
    const long live = count_created - count_freed - 1;
    copy(&a, &b, kept, 0, 1, "a context that is left");
    check_windows();
    int failed = check_done("t_contexts");
    MPI_Finalize();
    if (count_created - count_freed != live) {
        fprintf(stderr, "rank %d: %ld communicators left by MPI_Finalize\n",
                rank, count_created - count_freed - live);
        failed = 1;
    }
    if (count_opened != count_closed) {
        fprintf(stderr, "rank %d: %ld of %ld windows left by MPI_Finalize\n",
                rank, count_opened - count_closed, count_opened);
        failed = 1;
    }
    return failed;
}

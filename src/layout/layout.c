#include "layout/layout.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    int rank, at;
} seat;

static int
by_rank(const void *x, const void *y)
{
    const seat *a = x, *b = y;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->at < b->at ? -1 : 1;
}

static const char CYCLIC[] = "hesca_layout_create_cyclic";
static const char GENERALIZED[] = "hesca_layout_create_generalized";

/* No rank is negative or repeats another. */
static int
check_ranks(const char *routine, int info, const int *ranks, int n)
{
    int bad = n;
    seat *seats = ranks == NULL ? NULL : malloc((size_t)n * sizeof *seats);
    if (ranks == NULL)
        return HESCA_SUCCESS;
    if (seats == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %d ranks", routine, n);
    for (int k = 0; k < n; ++k)
        seats[k] = (seat){ranks[k], k};
    qsort(seats, (size_t)n, sizeof *seats, by_rank);
    for (int k = 0; k < n; ++k)
        if ((seats[k].rank < 0 ||
             (k > 0 && seats[k].rank == seats[k - 1].rank)) &&
            seats[k].at < bad)
            bad = seats[k].at;
    free(seats);
    if (bad == n)
        return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_ARG, info,
                      "%s: argument %d, ranks[%d], is %d: must be at least 0 "
                      "and appear once",
                      routine, info, bad, ranks[bad]);
}

/* least: 0 or 1 */
static int
check_least(const char *routine, int info, const char *name, int64_t value,
            int least)
{
    if (value >= least)
        return HESCA_SUCCESS;
    return hesca_fail_arg(routine, info, name, value,
                          least == 0 ? "at least 0" : "at least 1");
}

/* nprow and npcol, which is the next argument. */
static int
check_grid(const char *routine, int info, int nprow, int npcol)
{
    const int err = check_least(routine, info, "nprow", nprow, 1);
    if (err < 0 || (npcol >= 1 && npcol <= INT32_MAX / nprow))
        return err;
    return hesca_fail_arg(routine, info + 1, "npcol", npcol,
                          "at least 1, and nprow x npcol below 2^31");
}

static int
check_cyclic(int64_t m, int64_t n, int mb, int nb, int rsrc, int csrc,
             int nprow, int npcol, const int *ranks)
{
    int err;
    HESCA_TRY(err, check_least(CYCLIC, 1, "m", m, 0));
    HESCA_TRY(err, check_least(CYCLIC, 2, "n", n, 0));
    HESCA_TRY(err, check_least(CYCLIC, 3, "mb", mb, 1));
    HESCA_TRY(err, check_least(CYCLIC, 4, "nb", nb, 1));
    HESCA_TRY(err, check_grid(CYCLIC, 7, nprow, npcol));
    if (rsrc < 0 || rsrc >= nprow)
        return hesca_fail_arg(CYCLIC, 5, "rsrc", rsrc, "in 0 ... nprow - 1");
    if (csrc < 0 || csrc >= npcol)
        return hesca_fail_arg(CYCLIC, 6, "csrc", csrc, "in 0 ... npcol - 1");
    err = check_ranks(CYCLIC, 9, ranks, nprow * npcol);
fail:
    return err;
}

/* Heights or widths of the parts of a generalized block. */
static int
check_lengths(int info, const char *name, const int64_t *length, int n)
{
    const int64_t most = (int64_t)1 << 62;
    int64_t left = most;
    if (length == NULL)
        return hesca_fail_null(GENERALIZED, info, name);
    for (int p = 0; p < n; ++p) {
        if (length[p] < 0 || length[p] > left)
            return hesca_fail(HESCA_ERR_ARG, info,
                              "%s: argument %d, %s[%d], is %lld: must be at "
                              "least 0, and the sum at most 2^62",
                              GENERALIZED, info, name, p,
                              (long long)length[p]);
        left -= length[p];
    }
    if (left < most)
        return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_ARG, info,
                      "%s: argument %d, %s: the sum is 0: must be at least 1",
                      GENERALIZED, info, name);
}

static int
check_generalized(int64_t m, int64_t n, int nprow, int npcol,
                  const int64_t *heights, const int64_t *widths,
                  const int *ranks)
{
    int err;
    HESCA_TRY(err, check_least(GENERALIZED, 1, "m", m, 0));
    HESCA_TRY(err, check_least(GENERALIZED, 2, "n", n, 0));
    HESCA_TRY(err, check_grid(GENERALIZED, 3, nprow, npcol));
    HESCA_TRY(err, check_lengths(5, "heights", heights, nprow));
    HESCA_TRY(err, check_lengths(6, "widths", widths, npcol));
    err = check_ranks(GENERALIZED, 7, ranks, nprow * npcol);
fail:
    return err;
}

/* A layout without axes. */
static hesca_layout *
allocate(int nprow, int npcol, const int *ranks)
{
    const size_t nprocs = (size_t)nprow * (size_t)npcol;
    hesca_layout *x = calloc(1, sizeof *x);
    if (x == NULL || (x->ranks = malloc(nprocs * sizeof *x->ranks)) == NULL) {
        hesca_fail(HESCA_ERR_NOMEM, 0, "layout on %d x %d processes", nprow,
                   npcol);
        free(x);
        return NULL;
    }
    x->nprow = nprow;
    x->npcol = npcol;
    for (size_t k = 0; k < nprocs; ++k)
        x->ranks[k] = ranks == NULL ? (int)k : ranks[k];
    return x;
}

int
hesca_layout_create_cyclic(int64_t m, int64_t n, int mb, int nb, int rsrc,
                           int csrc, int nprow, int npcol, const int *ranks,
                           hesca_layout **layout)
{
    int err;
    hesca_layout *x = NULL;
    if (layout == NULL)
        return hesca_fail_null(CYCLIC, 10, "layout");
    HESCA_TRY(err,
              check_cyclic(m, n, mb, nb, rsrc, csrc, nprow, npcol, ranks));
    x = allocate(nprow, npcol, ranks);
    HESCA_TRY(err, x == NULL ? HESCA_ERR_NOMEM : HESCA_SUCCESS);
    x->mb = mb;
    x->nb = nb;
    HESCA_TRY(err, hesca_axis_cyclic(&x->rows, m, mb, rsrc, nprow));
    HESCA_TRY(err, hesca_axis_cyclic(&x->cols, n, nb, csrc, npcol));
fail:
    if (err < 0) {
        hesca_layout_free(x);
        x = NULL;
    }
    *layout = x;
    return err;
}

/* The block size that all owners have in common, 0 if there is none. */
static int
common_length(const int64_t *length, int n)
{
    for (int p = 1; p < n; ++p)
        if (length[p] != length[0])
            return 0;
    return length[0] <= INT32_MAX ? (int)length[0] : 0;
}

int
hesca_layout_create_generalized(int64_t m, int64_t n, int nprow, int npcol,
                                const int64_t *heights, const int64_t *widths,
                                const int *ranks, hesca_layout **layout)
{
    int err;
    hesca_layout *x = NULL;
    if (layout == NULL)
        return hesca_fail_null(GENERALIZED, 8, "layout");
    HESCA_TRY(err,
              check_generalized(m, n, nprow, npcol, heights, widths, ranks));
    x = allocate(nprow, npcol, ranks);
    HESCA_TRY(err, x == NULL ? HESCA_ERR_NOMEM : HESCA_SUCCESS);
    x->mb = common_length(heights, nprow);
    x->nb = common_length(widths, npcol);
    HESCA_TRY(err, hesca_axis_generalized(&x->rows, m, nprow, heights));
    HESCA_TRY(err, hesca_axis_generalized(&x->cols, n, npcol, widths));
fail:
    if (err < 0) {
        hesca_layout_free(x);
        x = NULL;
    }
    *layout = x;
    return err;
}

hesca_layout *
hesca_layout_copy(const hesca_layout *from)
{
    hesca_layout *x = allocate(from->nprow, from->npcol, from->ranks);
    if (x == NULL)
        return NULL;
    x->mb = from->mb;
    x->nb = from->nb;
    if (hesca_axis_copy(&x->rows, &from->rows) < 0 ||
        hesca_axis_copy(&x->cols, &from->cols) < 0) {
        hesca_layout_free(x);
        x = NULL;
    }
    return x;
}

void
hesca_layout_free(hesca_layout *layout)
{
    if (layout == NULL)
        return;
    hesca_axis_clear(&layout->rows);
    hesca_axis_clear(&layout->cols);
    free(layout->ranks);
    free(layout);
}

int
hesca_layout_equal(const hesca_layout *x, const hesca_layout *y)
{
    const size_t nprocs = (size_t)x->nprow * (size_t)x->npcol;
    return x->nprow == y->nprow && x->npcol == y->npcol && x->mb == y->mb &&
           x->nb == y->nb && hesca_axis_equal(&x->rows, &y->rows) &&
           hesca_axis_equal(&x->cols, &y->cols) &&
           memcmp(x->ranks, y->ranks, nprocs * sizeof *x->ranks) == 0;
}

int
hesca_layout_coords(const hesca_layout *layout, int rank, int *prow, int *pcol)
{
    for (int k = 0; k < layout->nprow * layout->npcol; ++k)
        if (layout->ranks[k] == rank) {
            *prow = k / layout->npcol;
            *pcol = k % layout->npcol;
            return 1;
        }
    return 0;
}

int
hesca_layout_local_size(const hesca_layout *layout, int rank, int64_t *locr,
                        int64_t *locc)
{
    static const char me[] = "hesca_layout_local_size";
    int prow, pcol;
    if (layout == NULL)
        return hesca_fail_null(me, 1, "layout");
    if (locr == NULL || locc == NULL)
        return hesca_fail_null(me, locr == NULL ? 3 : 4,
                               locr == NULL ? "locr" : "locc");
    *locr = *locc = 0;
    if (hesca_layout_coords(layout, rank, &prow, &pcol)) {
        *locr = hesca_axis_count(&layout->rows, prow, layout->rows.n);
        *locc = hesca_axis_count(&layout->cols, pcol, layout->cols.n);
    }
    return HESCA_SUCCESS;
}

/* Owner and local index of global index i. */
static int
locate(const hesca_axis *x, int64_t i, int64_t *local)
{
    const hesca_piece *p = hesca_axis_piece(x, i % x->period);
    *local = i / x->period * x->share[p->owner] + p->local +
             (i % x->period - p->offset);
    return p->owner;
}

int
hesca_layout_locate(const hesca_layout *layout, int64_t i, int64_t j,
                    int *rank, int64_t *il, int64_t *jl)
{
    const char *me = "hesca_layout_locate";
    if (layout == NULL)
        return hesca_fail_null(me, 1, "layout");
    if (rank == NULL)
        return hesca_fail_null(me, 4, "rank");
    if (il == NULL || jl == NULL)
        return hesca_fail_null(me, il == NULL ? 5 : 6,
                               il == NULL ? "il" : "jl");
    if (i < 0 || i >= layout->rows.n)
        return hesca_fail_arg(me, 2, "i", i, "a row of the matrix");
    if (j < 0 || j >= layout->cols.n)
        return hesca_fail_arg(me, 3, "j", j, "a column of the matrix");
    *rank = layout->ranks[locate(&layout->rows, i, il) * layout->npcol +
                          locate(&layout->cols, j, jl)];
    return HESCA_SUCCESS;
}

size_t
hesca_layout_memory(const hesca_layout *x)
{
    return sizeof *x + hesca_axis_memory(&x->rows) +
           hesca_axis_memory(&x->cols) +
           (size_t)x->nprow * (size_t)x->npcol * sizeof *x->ranks;
}

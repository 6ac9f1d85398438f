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

/* The first position of a rank that is negative or repeats another; -1: all
 * are right. */
static int
bad_rank(const int *ranks, int n)
{
    int bad = n;
    seat *seats = malloc((size_t)n * sizeof *seats);
    if (seats == NULL)
        return -1; /* allocate() fails next, and says so */
    for (int k = 0; k < n; ++k)
        seats[k] = (seat){ranks[k], k};
    qsort(seats, (size_t)n, sizeof *seats, by_rank);
    for (int k = 0; k < n; ++k)
        if ((seats[k].rank < 0 ||
             (k > 0 && seats[k].rank == seats[k - 1].rank)) &&
            seats[k].at < bad)
            bad = seats[k].at;
    free(seats);
    return bad < n ? bad : -1;
}

static int
check(int64_t m, int64_t n, int mb, int nb, int rsrc, int csrc, int nprow,
      int npcol, const int *ranks)
{
    const struct {
        const char *name;
        int64_t value;
        int ok;
        const char *must;
    } rule[] = {
        {"m", m, m >= 0, "at least 0"},
        {"n", n, n >= 0, "at least 0"},
        {"mb", mb, mb >= 1, "at least 1"},
        {"nb", nb, nb >= 1, "at least 1"},
        {"rsrc", rsrc, rsrc >= 0 && rsrc < nprow, "in 0 ... nprow - 1"},
        {"csrc", csrc, csrc >= 0 && csrc < npcol, "in 0 ... npcol - 1"},
        {"nprow", nprow, nprow >= 1, "at least 1"},
        {"npcol", npcol,
         npcol >= 1 && (nprow < 1 || npcol <= INT32_MAX / nprow),
         "at least 1, and nprow x npcol below 2^31"},
    };
    const int order[] = {0, 1, 2, 3, 6, 7, 4, 5}; /* the grid before sources */
    for (int k = 0; k < 8; ++k)
        if (!rule[order[k]].ok)
            return hesca_fail_arg("hesca_layout_create_cyclic", order[k] + 1,
                                  rule[order[k]].name, rule[order[k]].value,
                                  rule[order[k]].must);
    const int bad = ranks == NULL ? -1 : bad_rank(ranks, nprow * npcol);
    if (bad >= 0)
        return hesca_fail(HESCA_ERR_ARG, 9,
                          "hesca_layout_create_cyclic: argument 9, ranks[%d], "
                          "is %d: must be at least 0 and appear once",
                          bad, ranks[bad]);
    return HESCA_SUCCESS;
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
        return hesca_fail(
            HESCA_ERR_ARG, 10,
            "hesca_layout_create_cyclic: argument 10, layout, is NULL");
    HESCA_TRY(err, check(m, n, mb, nb, rsrc, csrc, nprow, npcol, ranks));
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
    int prow, pcol;
    if (layout == NULL || locr == NULL || locc == NULL)
        return hesca_fail(HESCA_ERR_ARG,
                          layout == NULL ? 1
                          : locr         ? 4
                                         : 3,
                          "hesca_layout_local_size: an argument is NULL");
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
    if (layout == NULL || rank == NULL || il == NULL || jl == NULL)
        return hesca_fail(HESCA_ERR_ARG,
                          layout == NULL ? 1
                          : rank == NULL ? 4
                          : il == NULL   ? 5
                                         : 6,
                          "%s: an argument is NULL", me);
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

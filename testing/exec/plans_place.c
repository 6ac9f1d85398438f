/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts of t_plan: random ones, and owners by ScaLAPACK's rules. */
#include "layout/layout.h"
#include "testing/check.h"
#include "testing/exec/plans.h"

static int
put_lengths(char *text, size_t room, const int64_t *length, int n)
{
    int at = 0;
    for (int p = 0; p < n; ++p)
        at += snprintf(text + at, room - (size_t)at, "%s%d", p > 0 ? "," : "",
                       (int)length[p]);
    return at;
}

/* The layout of x; the text, up to the ranks, and its length. */
static int
create_generalized(place *x, int *at)
{
    const size_t room = sizeof x->text;
    *at = snprintf(x->text, room, "%dx%d at (%d,%d) in ", (int)x->m, (int)x->n,
                   (int)x->i, (int)x->j);
    *at +=
        put_lengths(x->text + *at, room - (size_t)*at, x->heights, x->nprow);
    *at += snprintf(x->text + *at, room - (size_t)*at, " x ");
    *at += put_lengths(x->text + *at, room - (size_t)*at, x->widths, x->npcol);
    return hesca_layout_create_generalized(x->m, x->n, x->nprow, x->npcol,
                                           x->heights, x->widths, x->ranks,
                                           &x->layout);
}

static int
create_cyclic(place *x, int *at)
{
    *at =
        snprintf(x->text, sizeof x->text,
                 "%lldx%lld in %dx%d on %dx%d from (%d,%d) at (%lld,%lld)",
                 (long long)x->m, (long long)x->n, x->mb, x->nb, x->nprow,
                 x->npcol, x->rsrc, x->csrc, (long long)x->i, (long long)x->j);
    return hesca_layout_create_cyclic(x->m, x->n, x->mb, x->nb, x->rsrc,
                                      x->csrc, x->nprow, x->npcol, x->ranks,
                                      &x->layout);
}

static int
put_table(char *text, size_t room, const table *x, int k)
{
    int at = 0;
    for (int i = 0; i < x->period; ++i)
        at += snprintf(text + at, room - (size_t)at, "%x", x->owner[k][i]);
    return at;
}

/* Of a line that cuts the other dimension by lengths. */
static void
count_lengths(const table *x, int k, int64_t *length, int step)
{
    for (int i = 0; i < x->period; ++i)
        ++length[x->owner[k][i] * step];
}

static int
create_by_lengths(place *x)
{
    int64_t heights[PROCS] = {0}, widths[PROCS] = {0};
    if (x->kind == HESCA_COLUMN_BASED) {
        for (int q = 0; q < x->npcol; ++q)
            count_lengths(&x->rows, q, heights + q, x->npcol);
        count_lengths(&x->cols, 0, widths, 1);
        return hesca_layout_create_column_based(x->m, x->n, x->nprow, x->npcol,
                                                heights, widths, x->ranks,
                                                &x->layout);
    }
    count_lengths(&x->rows, 0, heights, 1);
    for (int p = 0; p < x->nprow; ++p)
        count_lengths(&x->cols, p, widths + p * x->npcol, 1);
    return hesca_layout_create_row_based(
        x->m, x->n, x->nprow, x->npcol, heights, widths, x->ranks, &x->layout);
}

/* Every nb-th entry of a table. */
static void
list_owners(const table *x, int nb, int *owner)
{
    for (int k = 0; k < x->ncuts; ++k)
        for (int i = 0; i < x->period; i += nb)
            *owner++ = x->owner[k][i];
}

static int
create_by_owners(place *x, int mb, int nb)
{
    int rows[PROCS * PERIOD], cols[PROCS * PERIOD];
    list_owners(&x->rows, mb, rows);
    list_owners(&x->cols, nb, cols);
    return hesca_layout_create_by_owners(
        x->kind, x->m, x->n, mb, nb, x->rows.period / mb, x->cols.period / nb,
        x->nprow, x->npcol, rows, cols, x->ranks, &x->layout);
}

/* The layout; mb and nb are set to its own. */
static int
create_ragged(place *x, int *at)
{
    const size_t room = sizeof x->text;
    *at = snprintf(x->text, room, "%dx%d at (%d,%d), kind %d,", (int)x->m,
                   (int)x->n, (int)x->i, (int)x->j, (int)x->kind);
    for (int k = 0; k < x->rows.ncuts + x->cols.ncuts; ++k) {
        const int is_row = k < x->rows.ncuts;
        *at += snprintf(x->text + *at, room - (size_t)*at, " ");
        *at += put_table(x->text + *at, room / 2 - (size_t)*at,
                         is_row ? &x->rows : &x->cols,
                         is_row ? k : k - x->rows.ncuts);
        if (*at > (int)room / 3)
            break;
    }
    const int err = x->is_ragged == 1 ? create_by_lengths(x)
                                      : create_by_owners(x, x->mb, x->nb);
    if (err == HESCA_SUCCESS) {
        x->mb = x->layout->mb;
        x->nb = x->layout->nb;
    }
    return err;
}

void
create(place *x)
{
    int at;
    const int err = x->is_ragged        ? create_ragged(x, &at)
                    : x->is_generalized ? create_generalized(x, &at)
                                        : create_cyclic(x, &at);
    at += snprintf(x->text + at, sizeof x->text - (size_t)at, ", ranks");
    for (int k = 0; k < x->nprow * x->npcol; ++k)
        at += snprintf(x->text + at, sizeof x->text - (size_t)at, " %d",
                       x->ranks[k]);
    CHECK(err == HESCA_SUCCESS, "{%s}: %s", x->text, hesca_error_text());
    if (err < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

/* A random grid of some of the ranks first ... end - 1. */
place
random_place(int m, int n, int first, int end)
{
    const int nprocs = end - first;
    place x = {.i = 0};
    x.i = check_uniform(0, 1) * check_uniform(0, 20);
    x.j = check_uniform(0, 1) * check_uniform(0, 20);
    x.nprow = check_uniform(1, nprocs);
    x.npcol = check_uniform(1, nprocs / x.nprow);
    x.m = x.i + m + check_uniform(0, 1) * check_uniform(0, 5);
    x.n = x.j + n + check_uniform(0, 1) * check_uniform(0, 5);
    x.mb = check_block(m);
    x.nb = check_block(n);
    x.rsrc = check_uniform(0, x.nprow - 1);
    x.csrc = check_uniform(0, x.npcol - 1);
    for (int k = 0; k < nprocs; ++k)
        x.ranks[k] = first + k;
    for (int k = nprocs - 1; k > 0; --k) {
        const int other = check_uniform(0, k), r = x.ranks[k];
        x.ranks[k] = x.ranks[other];
        x.ranks[other] = r;
    }
    create(&x);
    return x;
}

/* The same grid with blocks that are multiples, so that there is a pattern; or
 * with other ones, which share a factor. */
place
similar_place(const place *x)
{
    place y = *x;
    const int shift = check_uniform(0, 1) ? x->mb : 1;
    y.mb = check_uniform(0, 2) ? x->mb * check_uniform(1, 7)
                               : check_uniform(1, 9);
    y.nb = check_uniform(0, 2) ? x->nb * check_uniform(1, 7)
                               : check_uniform(1, 9);
    if (check_uniform(0, 1) && y.i >= shift)
        y.i -= shift;
    y.rsrc = check_uniform(0, y.nprow - 1);
    create(&y);
    return y;
}

/* Lengths that are equal, or any; what all have, or 0. */
static int
random_lengths(int n, int64_t *length)
{
    const int kind = check_uniform(0, 2), most = check_uniform(1, 9);
    int common = 1;
    for (int p = 0; p < n; ++p)
        length[p] = kind == 0                 ? most
                    : check_uniform(0, 4) > 0 ? check_uniform(1, most)
                                              : 0;
    if (kind > 0)
        length[check_uniform(0, n - 1)] = check_uniform(1, most);
    for (int p = 1; p < n; ++p)
        common = common && length[p] == length[0];
    return common ? (int)length[0] : 0;
}

/* The same grid, and the same submatrix, in generalized blocks. */
void
generalize(place *x)
{
    hesca_layout_free(x->layout);
    x->is_generalized = 1;
    x->rsrc = x->csrc = 0;
    x->mb = random_lengths(x->nprow, x->heights);
    x->nb = random_lengths(x->npcol, x->widths);
    create(x);
}

/* Owners in order, each with some indices, so many in all, or none. */
static void
fill_in_order(signed char *owner, int period, int nowners)
{
    int length[PROCS] = {0};
    for (int i = 0; i < period; ++i)
        ++length[check_uniform(0, nowners - 1)];
    for (int p = 0, i = 0; p < nowners; ++p)
        for (int k = 0; k < length[p]; ++k)
            owner[i++] = (signed char)p;
}

static void
random_table(table *x, int period, int nb, int ncuts, int nowners,
             int by_lengths)
{
    *x = (table){.period = period * nb, .ncuts = ncuts};
    for (int k = 0; k < ncuts; ++k)
        if (by_lengths)
            fill_in_order(x->owner[k], x->period, nowners);
        else
            for (int i = 0; i < period; ++i) {
                const int p = check_uniform(0, nowners - 1);
                for (int e = 0; e < nb; ++e)
                    x->owner[k][i * nb + e] = (signed char)p;
            }
}

void
make_ragged(place *x)
{
    hesca_layout_free(x->layout);
    x->is_generalized = 0;
    x->is_ragged = check_uniform(1, 2);
    x->kind = (hesca_layout_kind)check_uniform(2 - x->is_ragged, 2);
    x->mb = x->is_ragged == 2 ? check_uniform(1, 5) : 1;
    x->nb = x->is_ragged == 2 ? check_uniform(1, 5) : 1;
    x->rsrc = x->csrc = 0;
    random_table(&x->rows, check_uniform(1, 14), x->mb,
                 x->kind == HESCA_COLUMN_BASED ? x->npcol : 1, x->nprow,
                 x->is_ragged == 1);
    random_table(&x->cols, check_uniform(1, 14), x->nb,
                 x->kind == HESCA_ROW_BASED ? x->nprow : 1, x->npcol,
                 x->is_ragged == 1);
    create(x);
}

/* A in generalized blocks whose widths are equal, and B, whose widths are a
 * multiple: rows stay, however they are cut, so that there is a pattern. */
place
stretch(place *a)
{
    const int k = check_uniform(1, 7);
    generalize(a);
    hesca_layout_free(a->layout);
    a->nb = check_uniform(1, 4);
    for (int q = 0; q < a->npcol; ++q)
        a->widths[q] = a->nb;
    create(a);
    place b = *a;
    b.nb *= k;
    for (int q = 0; q < b.npcol; ++q)
        b.widths[q] = b.nb;
    create(&b);
    return b;
}

/* Position of a rank in the grid, -1 if it is not in it. */
int
position(const place *x, int rank)
{
    for (int k = 0; k < x->nprow * x->npcol; ++k)
        if (x->ranks[k] == rank)
            return k;
    return -1;
}

cuts
rows_of(const place *x, int pcol)
{
    if (x->is_ragged)
        return (cuts){.owner = x->rows.owner[x->rows.ncuts > 1 ? pcol : 0],
                      .period = x->rows.period};
    return (cuts){x->mb,    x->rsrc,
                  x->nprow, x->is_generalized ? x->heights : NULL,
                  NULL,     0};
}

cuts
cols_of(const place *x, int prow)
{
    if (x->is_ragged)
        return (cuts){.owner = x->cols.owner[x->cols.ncuts > 1 ? prow : 0],
                      .period = x->cols.period};
    return (cuts){x->nb,    x->csrc,
                  x->npcol, x->is_generalized ? x->widths : NULL,
                  NULL,     0};
}

/* Where the part of process p begins in a generalized block; p = np: its
 * size. */
static int64_t
begin_of(cuts c, int p)
{
    int64_t sum = 0;
    for (int q = 0; q < p; ++q)
        sum += c.length[q];
    return sum;
}

static int
indxg2p(cuts c, int64_t i)
{
    int p = 0;
    if (c.owner != NULL)
        return c.owner[i % c.period];
    if (c.length == NULL)
        return (int)((i / c.nb + c.src) % c.np);
    for (int64_t left = i % begin_of(c, c.np); left >= c.length[p]; ++p)
        left -= c.length[p];
    return p;
}

int
owner_of(const place *x, int64_t i, int64_t j)
{
    int p, q;
    if (x->is_ragged && x->cols.ncuts > 1) {
        p = indxg2p(rows_of(x, 0), x->i + i);
        q = indxg2p(cols_of(x, p), x->j + j);
    } else {
        q = indxg2p(cols_of(x, 0), x->j + j);
        p = indxg2p(rows_of(x, q), x->i + i);
    }
    return x->ranks[p * x->npcol + q];
}

/* By counting. */
static int64_t
nth_of(cuts c, int64_t il, int iproc)
{
    int64_t share = 0;
    for (int i = 0; i < c.period; ++i)
        share += c.owner[i] == iproc;
    int64_t left = il % share;
    int i = 0;
    while (c.owner[i] != iproc || left-- > 0)
        ++i;
    return il / share * c.period + i;
}

/* TOOLS/indxl2g.f, counted from 0. */
int64_t
indxl2g(cuts c, int64_t il, int iproc)
{
    if (c.owner != NULL)
        return nth_of(c, il, iproc);
    if (c.length != NULL)
        return il / c.length[iproc] * begin_of(c, c.np) + begin_of(c, iproc) +
               il % c.length[iproc];
    return c.np * c.nb * (il / c.nb) + il % c.nb +
           (c.np + iproc - c.src) % c.np * c.nb;
}

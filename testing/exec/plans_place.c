/* Layouts of t_plan: random ones, and who owns what by ScaLAPACK's rules. */
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

void
create(place *x)
{
    int at;
    const int err =
        x->is_generalized ? create_generalized(x, &at) : create_cyclic(x, &at);
    at += snprintf(x->text + at, sizeof x->text - (size_t)at, ", ranks");
    for (int k = 0; k < x->nprow * x->npcol; ++k)
        at += snprintf(x->text + at, sizeof x->text - (size_t)at, " %d",
                       x->ranks[k]);
    CHECK(err == HESCA_SUCCESS, "{%s}: %s", x->text, hesca_error_text());
    if (err < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static int
random_block(int n)
{
    switch (check_uniform(0, 4)) {
    case 0:
        return 1;
    case 1:
        return 1 << check_uniform(0, 4);
    case 2:
        return check_uniform(1, n + 1);
    case 3:
        return n + check_uniform(1, 9);
    default:
        return check_uniform(1, 9);
    }
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
    x.mb = random_block(m);
    x.nb = random_block(n);
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
rows_of(const place *x)
{
    return (cuts){x->mb, x->rsrc, x->nprow,
                  x->is_generalized ? x->heights : NULL};
}

cuts
cols_of(const place *x)
{
    return (cuts){x->nb, x->csrc, x->npcol,
                  x->is_generalized ? x->widths : NULL};
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
    if (c.length == NULL)
        return (int)((i / c.nb + c.src) % c.np);
    for (int64_t left = i % begin_of(c, c.np); left >= c.length[p]; ++p)
        left -= c.length[p];
    return p;
}

int
owner_of(const place *x, int64_t i, int64_t j)
{
    const int p = indxg2p(rows_of(x), x->i + i);
    const int q = indxg2p(cols_of(x), x->j + j);
    return x->ranks[p * x->npcol + q];
}

/* TOOLS/indxl2g.f, counted from 0. */
int64_t
indxl2g(cuts c, int64_t il, int iproc)
{
    if (c.length != NULL)
        return il / c.length[iproc] * begin_of(c, c.np) + begin_of(c, iproc) +
               il % c.length[iproc];
    return c.np * c.nb * (il / c.nb) + il % c.nb +
           (c.np + iproc - c.src) % c.np * c.nb;
}

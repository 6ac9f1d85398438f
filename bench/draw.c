/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/splitmix.h"
#include "gemr2d.h"
#include <math.h>
#include <string.h>

#define LENGTH(list) ((int)(sizeof(list) / sizeof *(list)))

const char *const draw_class_name[DRAW_CLASSES] = {"vectors", "thin",
                                                   "12 x 12 and more"};

/* lo ... hi */
static int
uniform(uint64_t *state, int lo, int hi)
{
    return lo + (int)(hesca_splitmix(state) % (uint64_t)(hi - lo + 1));
}

/* lo ... hi, each order of magnitude equally often. */
static int
magnitude(uint64_t *state, double lo, double hi)
{
    const double x = (double)(hesca_splitmix(state) >> 11) * 0x1p-53;
    return (int)(lo * pow(hi / lo, x) + 0.5);
}

draw_class
draw_class_of(const timing_case *c)
{
    const int least = c->m < c->n ? c->m : c->n;
    return least == 1            ? DRAW_VECTOR
           : least < DRAW_SQUARE ? DRAW_THIN
                                 : DRAW_BLOCK;
}

/* A block size along n rows or columns on p processes: often a power of two,
 * sometimes a block for each process, sometimes anything. */
static int
draw_block(uint64_t *state, int n, int p)
{
    static const int usual[] = {1, 1, 2, 2, 3, 4, 8, 16, 32, 64, 96, 128, 256};
    switch (uniform(state, 0, 7)) {
    case 0:
        return (n - 1) / p + 1;
    case 1:
        return uniform(state, 1, 100);
    default:
        return usual[uniform(state, 0, LENGTH(usual) - 1)];
    }
}

/* A grid of all processes, or now and then of some of them. */
static void
draw_side(uint64_t *state, const timing_case *c, int nprocs, distribution *d)
{
    int used = nprocs;
    if (uniform(state, 0, 9) == 0) {
        used = uniform(state, 1, nprocs);
        d->first = uniform(state, 0, nprocs - used);
    }
    do
        d->nprow = uniform(state, 1, used);
    while (used % d->nprow != 0);
    d->npcol = used / d->nprow;
    d->mb = draw_block(state, c->m, d->nprow);
    d->nb = draw_block(state, c->n, d->npcol);
    d->i = d->j = 1;
    if (uniform(state, 0, 3) == 0) {
        d->rsrc = uniform(state, 0, d->nprow - 1);
        d->csrc = uniform(state, 0, d->npcol - 1);
    }
    if (uniform(state, 0, 3) == 0) {
        d->i = uniform(state, 1, 40);
        d->j = uniform(state, 1, 40);
    }
}

/* A third each of vectors, thin matrices and all others. */
static void
draw_shape(uint64_t *state, double most, timing_case *c)
{
    const int elements = magnitude(state, most < 256 ? 1 : 256, most);
    int least = 1;
    switch (uniform(state, 0, 2)) {
    case 0:
        break;
    case 1:
        least = uniform(state, 2, DRAW_SQUARE - 1);
        break;
    default:
        least = magnitude(state, DRAW_SQUARE,
                          sqrt(elements) > DRAW_SQUARE ? sqrt(elements)
                                                       : DRAW_SQUARE);
    }
    const int longest = elements / least > least ? elements / least : least;
    const int tall = uniform(state, 0, 1);
    c->m = tall ? longest : least;
    c->n = tall ? least : longest;
}

int
draw_cases(int n, uint64_t seed, int64_t max_bytes, int nprocs,
           case_list *list)
{
    static const int esize[] = {4, 4, 8, 8, 16}; /* as in CASE_TYPES */
    uint64_t state = seed;
    while (list->n < n) {
        timing_case c = {.uplo = 'U', .diag = 'N'};
        const int type = uniform(&state, 0, LENGTH(esize) - 1);
        c.type = CASE_TYPES[type];
        draw_shape(&state, (double)max_bytes / esize[type], &c);
        draw_side(&state, &c, nprocs, &c.a);
        draw_side(&state, &c, nprocs, &c.b);
        c.context_a = uniform(&state, 0, 1);
        /* The matrix around a thin submatrix would be many times as large. */
        if (extent(c.m, c.a.i) * extent(c.n, c.a.j) * esize[type] > max_bytes)
            c.a.i = c.a.j = 1;
        if (extent(c.m, c.b.i) * extent(c.n, c.b.j) * esize[type] > max_bytes)
            c.b.i = c.b.j = 1;
        if (case_settle(&c, nprocs) == NULL && !cases_add(list, &c))
            return 0;
    }
    return 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The cases of a sweep.  Not every size with every grid and every pair of
 * blocks, which would take days, but from a common middle along one direction
 * at a time:
 *
 *   size   two typical redistributions in all sizes
 *   block  one grid, two sizes: block sizes beside each other in the list 1,
 * 2, 8, 32, 128, N/P, both ways, and from one end of it to the other shape two
 * sizes: 1-D grids, tall matrices, and no change at all
 *
 * Matrices are of doubles. */
#include "gemr2d.h"
#include <string.h>

#define LENGTH(list) ((int)(sizeof(list) / sizeof *(list)))

enum { ESIZE = 8, SHARE = 0 }; /* SHARE: blocks of N/P, one for each process */

/* Rows and columns of the square matrices: 8 KiB to 800 MB.  Each is ten times
 * as large as the one before, or nearly. */
static const int sizes[] = {32, 100, 320, 1000, 3200, 10000};

/* Of the parts that do not go through all sizes: 8 MB and 82 MB. */
static const int middle[] = {1000, 3200};

/* Grids of all processes, as case_settle() wants them. */
enum { SQUARE, COLUMN, ROW };
static const struct {
    int nprow, npcol;
} grids[] = {[SQUARE] = {0, 0}, [COLUMN] = {0, 1}, [ROW] = {1, 0}};

typedef struct {
    int grid, nb;
} sketch;

static const struct {
    int part;
    const char *name;
    int tall; /* 1: 100 times as many rows as columns, as many bytes */
    sketch a, b;
} table[] = {
    {SWEEP_SIZE, "larger blocks", 0, {SQUARE, 32}, {SQUARE, 128}},
    {SWEEP_SIZE, "other grid", 0, {COLUMN, 64}, {SQUARE, 64}},
    {SWEEP_BLOCK, "blocks 1 to 2", 0, {SQUARE, 1}, {SQUARE, 2}},
    {SWEEP_BLOCK, "blocks 2 to 1", 0, {SQUARE, 2}, {SQUARE, 1}},
    {SWEEP_BLOCK, "blocks 2 to 8", 0, {SQUARE, 2}, {SQUARE, 8}},
    {SWEEP_BLOCK, "blocks 8 to 2", 0, {SQUARE, 8}, {SQUARE, 2}},
    {SWEEP_BLOCK, "blocks 8 to 32", 0, {SQUARE, 8}, {SQUARE, 32}},
    {SWEEP_BLOCK, "blocks 32 to 8", 0, {SQUARE, 32}, {SQUARE, 8}},
    {SWEEP_BLOCK, "blocks 32 to 128", 0, {SQUARE, 32}, {SQUARE, 128}},
    {SWEEP_BLOCK, "blocks 128 to 32", 0, {SQUARE, 128}, {SQUARE, 32}},
    {SWEEP_BLOCK, "blocks 128 to N/P", 0, {SQUARE, 128}, {SQUARE, SHARE}},
    {SWEEP_BLOCK, "blocks N/P to 128", 0, {SQUARE, SHARE}, {SQUARE, 128}},
    {SWEEP_BLOCK, "blocks 1 to N/P", 0, {SQUARE, 1}, {SQUARE, SHARE}},
    {SWEEP_BLOCK, "blocks N/P to 1", 0, {SQUARE, SHARE}, {SQUARE, 1}},
    {SWEEP_SHAPE, "1-D, rows to columns", 0, {COLUMN, 64}, {ROW, 64}},
    {SWEEP_SHAPE, "1-D, rows", 0, {COLUMN, 32}, {COLUMN, 128}},
    {SWEEP_SHAPE, "1-D, columns", 0, {ROW, 32}, {ROW, 128}},
    {SWEEP_SHAPE, "tall", 1, {SQUARE, 32}, {SQUARE, 128}},
    {SWEEP_SHAPE, "tall, 1-D, rows", 1, {COLUMN, 32}, {COLUMN, 128}},
    {SWEEP_SHAPE, "tall, 1-D to 2-D", 1, {COLUMN, 64}, {SQUARE, 64}},
    {SWEEP_SHAPE, "same layout", 0, {SQUARE, 64}, {SQUARE, 64}},
};

static int64_t
bytes_of(int n)
{
    return (int64_t)n * n * ESIZE;
}

/* The blocks along one side of the matrix: SHARE is n / p, and two that are
 * larger than that are halved together, so that a small matrix, too, has a
 * block for every process.  Returns 1 if that was necessary. */
static int
settle_blocks(int n, int pa, int pb, int *a, int *b)
{
    const int share_a = (n + pa - 1) / pa, share_b = (n + pb - 1) / pb;
    const int share = share_a < share_b ? share_a : share_b;
    int halved = 0;
    while (*a > share || *b > share) {
        *a = *a > 1 ? *a / 2 : *a;
        *b = *b > 1 ? *b / 2 : *b;
        halved = 1;
    }
    *a = *a == SHARE ? share_a : *a;
    *b = *b == SHARE ? share_b : *b;
    return halved;
}

static distribution
side(const sketch *s)
{
    const distribution d = {.nprow = grids[s->grid].nprow,
                            .npcol = grids[s->grid].npcol,
                            .mb = s->nb,
                            .nb = s->nb,
                            .i = 1,
                            .j = 1};
    return d;
}

/* Row k of the table for a matrix as large as n x n.  Returns 0 for block
 * sizes that are too large for it. */
static int
draft(int k, int n, int nprocs, timing_case *c)
{
    const timing_case fresh = {
        .type = 'd',
        .uplo = 'U',
        .diag = 'N',
        .m = table[k].tall ? 10 * n : n,
        .n = table[k].tall ? n / 10 : n,
        .memory = 3 * bytes_of(n), /* A, B, and a copy of one of them */
        .a = side(&table[k].a),
        .b = side(&table[k].b),
    };
    *c = fresh;
    strcpy(c->name, table[k].name);
    case_settle(c, nprocs);
    const int mb =
        settle_blocks(c->m, c->a.nprow, c->b.nprow, &c->a.mb, &c->b.mb);
    const int nb =
        settle_blocks(c->n, c->a.npcol, c->b.npcol, &c->a.nb, &c->b.nb);
    return table[k].part != SWEEP_BLOCK || (!mb && !nb);
}

/* Two rows of the table can describe one case on few processes, and two sizes
 * can become one that fits. */
static int
listed(const case_list *list, const timing_case *c)
{
    for (int k = 0; k < list->n; ++k) {
        const timing_case *l = list->item + k;
        if (l->m == c->m && l->n == c->n &&
            memcmp(&l->a, &c->a, sizeof c->a) == 0 &&
            memcmp(&l->b, &c->b, sizeof c->b) == 0)
            return 1;
    }
    return 0;
}

/* The largest of the sizes that is neither above n nor too large. */
static int
fitting(int n, int64_t max_bytes)
{
    int s = LENGTH(sizes) - 1;
    while (s > 0 && (sizes[s] > n || bytes_of(sizes[s]) > max_bytes))
        --s;
    return sizes[s];
}

int
sweep_cases(int parts, int64_t max_bytes, int nprocs, case_list *list)
{
    for (int k = 0; k < LENGTH(table); ++k) {
        const int all = table[k].part == SWEEP_SIZE;
        const int *n = all ? sizes : middle;
        if (!(table[k].part & parts))
            continue;
        for (int s = 0; s < (all ? LENGTH(sizes) : LENGTH(middle)); ++s) {
            timing_case c;
            if (draft(k, fitting(n[s], max_bytes), nprocs, &c) &&
                !listed(list, &c) && !cases_add(list, &c))
                return 0;
        }
    }
    return 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The oracle for axes: the owner of every index, and its local index, found by
 * assigning one index after the other. */
#ifndef HESCA_TESTING_ASSIGN_H
#define HESCA_TESTING_ASSIGN_H

#include "layout/axis.h"
#include "testing/check.h"
#include <string.h>

typedef struct {
    hesca_axis axis; /* what is tested */
    int64_t n;
    int nowners;
    int nb, src;    /* nb = 0: pieces of different lengths */
    int *owner;     /* [n] */
    int64_t *local; /* [n] */
    char text[200]; /* for messages */
} assign_axis;

enum { DEAL_PIECES = 12, DEAL_OWNERS = 24 };

/* Assign n indices in pieces, cyclically. */
static inline void
assign_indices(assign_axis *x, int npieces, const int *length,
               const int *owner)
{
    int64_t *have = calloc((size_t)x->nowners, sizeof *have);
    int piece = 0, left = length[0];
    x->owner = malloc(((size_t)x->n + 1) * sizeof *x->owner);
    x->local = malloc(((size_t)x->n + 1) * sizeof *x->local);
    for (int64_t i = 0; i < x->n; ++i) {
        while (left == 0) {
            piece = (piece + 1) % npieces;
            left = length[piece];
        }
        x->owner[i] = owner[piece];
        x->local[i] = have[owner[piece]]++;
        --left;
    }
    free(have);
}

static inline assign_axis
assign_cyclic(int n, int nb, int src, int nprocs)
{
    assign_axis x = {.n = n, .nowners = nprocs, .nb = nb, .src = src};
    int *length = malloc((size_t)nprocs * sizeof *length);
    int *owner = malloc((size_t)nprocs * sizeof *owner);
    for (int k = 0; k < nprocs; ++k) {
        length[k] = nb;
        owner[k] = (src + k) % nprocs;
    }
    assign_indices(&x, nprocs, length, owner);
    if (hesca_axis_cyclic(&x.axis, n, nb, src, nprocs) < 0)
        abort();
    snprintf(x.text, sizeof x.text, "n=%d nb=%d src=%d nprocs=%d", n, nb, src,
             nprocs);
    free(length);
    free(owner);
    return x;
}

/* Generalized blocks. */
static inline assign_axis
assign_generalized(int n, int nowners, const int64_t *length)
{
    assign_axis x = {.n = n, .nowners = nowners, .nb = (int)length[0]};
    int each[DEAL_OWNERS], owner[DEAL_OWNERS];
    int at = snprintf(x.text, sizeof x.text, "n=%d lengths", n);
    for (int p = 0; p < nowners; ++p) {
        each[p] = (int)length[p];
        owner[p] = p;
        x.nb = length[p] == length[0] ? x.nb : 0;
        at +=
            snprintf(x.text + at, sizeof x.text - (size_t)at, " %d", each[p]);
    }
    assign_indices(&x, nowners, each, owner);
    if (hesca_axis_generalized(&x.axis, n, nowners, length) < 0)
        abort();
    return x;
}

/* Some have nothing, but not all. */
static inline void
assign_random_lengths(int nowners, int most, int64_t *length)
{
    for (int p = 0; p < nowners; ++p)
        length[p] = check_uniform(0, 3) ? check_uniform(1, most) : 0;
    length[check_uniform(0, nowners - 1)] = check_uniform(1, most);
}

static inline assign_axis
assign_random_generalized(int n, int max_procs)
{
    int64_t length[DEAL_OWNERS];
    const int nowners = check_uniform(1, max_procs);
    assign_random_lengths(nowners, check_uniform(1, 7), length);
    return assign_generalized(n, nowners, length);
}

/* Pieces of any lengths and owners: what an axis may be, though no layout
 * makes it.  Copying an axis derives what pieces imply. */
static inline assign_axis
assign_pieces(int n, int npieces, const int *length, const int *owner,
              int nowners)
{
    assign_axis x = {.n = n, .nowners = nowners};
    hesca_piece piece[DEAL_PIECES] = {{0}};
    hesca_axis raw = {
        .n = n, .nowners = nowners, .npieces = npieces, .piece = piece};
    int at =
        snprintf(x.text, sizeof x.text, "n=%d nprocs=%d pieces", n, nowners);
    for (int k = 0; k < npieces; ++k) {
        piece[k].offset = raw.period;
        piece[k].length = length[k];
        piece[k].owner = owner[k];
        raw.period += length[k];
        at += snprintf(x.text + at, sizeof x.text - (size_t)at, " %d:%d",
                       owner[k], length[k]);
    }
    assign_indices(&x, npieces, length, owner);
    if (hesca_axis_copy(&x.axis, &raw) < 0)
        abort();
    return x;
}

static inline void
assign_shuffle(int *x, int n)
{
    for (int k = n - 1; k > 0; --k) {
        const int other = check_uniform(0, k), t = x[k];
        x[k] = x[other];
        x[other] = t;
    }
}

static inline assign_axis
assign_random_cyclic(int n, int max_procs)
{
    const int nprocs = check_uniform(1, max_procs);
    const int nb = check_block(n);
    return assign_cyclic(n, nb, check_uniform(0, nprocs - 1), nprocs);
}

static inline assign_axis
assign_random_pieces(int n, int max_procs)
{
    int length[DEAL_PIECES], owner[DEAL_PIECES];
    const int nowners = check_uniform(1, max_procs);
    const int npieces = check_uniform(1, DEAL_PIECES);
    for (int k = 0; k < npieces; ++k) {
        length[k] = check_uniform(1, 7);
        owner[k] = check_uniform(0, nowners - 1);
    }
    return assign_pieces(n, npieces, length, owner, nowners);
}

static inline void
assign_clear(assign_axis *x)
{
    hesca_axis_clear(&x->axis);
    free(x->owner);
    free(x->local);
}

/* How many indices below i an owner has. */
static inline int64_t
assign_count(const assign_axis *x, int owner, int64_t i)
{
    int64_t count = 0;
    for (int64_t k = 0; k < i; ++k)
        count += x->owner[k] == owner;
    return count;
}

#endif

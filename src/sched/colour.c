/* SPDX-License-Identifier: BSD-3-Clause */
#include "sched/colour.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

/* left[c * nleft + p] and right[c * nright + q]: partner in colour c, or -1.
 */
typedef struct {
    int nleft, nright, ncolours;
    int *left, *right;
} colouring;

int
hesca_largest_degree(int nleft, int nright, const int64_t *weight)
{
    int most = 0;
    for (int p = 0; p < nleft; ++p) {
        int degree = 0;
        for (int q = 0; q < nright; ++q)
            degree += weight[(int64_t)p * nright + q] > 0;
        most = degree > most ? degree : most;
    }
    for (int q = 0; q < nright; ++q) {
        int degree = 0;
        for (int p = 0; p < nleft; ++p)
            degree += weight[(int64_t)p * nright + q] > 0;
        most = degree > most ? degree : most;
    }
    return most;
}

/* The first colour from c on, cyclically, that vertex v of a side does not
 * use.  There is one, since its degree is at most ncolours. */
static int
free_colour(const int *side, int n, int v, int c, int ncolours)
{
    while (side[(int64_t)c * n + v] >= 0)
        c = (c + 1) % ncolours;
    return c;
}

static void
join(colouring *x, int c, int p, int q)
{
    x->left[(int64_t)c * x->nleft + p] = q;
    x->right[(int64_t)c * x->nright + q] = p;
}

/* Colour f is free at p, colour g is free at q, and q uses f: exchange f and g
 * along the path that begins at q with f.  The path alternates between the
 * sides.  It cannot end at p, since it arrives at the side of p by f, which p
 * does not use.  Afterwards f is free at q, too. */
static void
exchange(colouring *x, int q, int f, int g)
{
    int right = q;
    int left = x->right[(int64_t)f * x->nright + right];
    x->right[(int64_t)f * x->nright + right] = -1;
    while (left >= 0) {
        const int next = x->left[(int64_t)g * x->nleft + left];
        join(x, g, left, right);
        if (next < 0) {
            x->left[(int64_t)f * x->nleft + left] = -1;
            break;
        }
        const int after = x->right[(int64_t)f * x->nright + next];
        join(x, f, left, next);
        if (after < 0)
            x->right[(int64_t)g * x->nright + next] = -1;
        right = next;
        left = after;
    }
}

static void
add(colouring *x, int p, int q)
{
    /* Searches begin at p + q, which distributes the colours and keeps most
     * searches and paths short.  For complete graphs the result is a Latin
     * square. */
    const int f =
        free_colour(x->left, x->nleft, p, (p + q) % x->ncolours, x->ncolours);
    const int g = free_colour(x->right, x->nright, q, f, x->ncolours);
    if (g != f)
        exchange(x, q, f, g);
    join(x, f, p, q);
}

int
hesca_colour_edges(int nleft, int nright, const int64_t *weight, int *ncolours,
                   int **to)
{
    colouring x = {.nleft = nleft, .nright = nright};
    *to = NULL;
    *ncolours = x.ncolours = hesca_largest_degree(nleft, nright, weight);
    if (x.ncolours == 0)
        return HESCA_SUCCESS;
    const size_t nl = (size_t)x.ncolours * (size_t)nleft;
    const size_t nr = (size_t)x.ncolours * (size_t)nright;
    x.left = malloc(nl * sizeof *x.left);
    x.right = malloc(nr * sizeof *x.right);
    if (x.left == NULL || x.right == NULL) {
        free(x.left);
        free(x.right);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d steps of %d processes",
                          x.ncolours, nleft);
    }
    memset(x.left, -1, nl * sizeof *x.left);
    memset(x.right, -1, nr * sizeof *x.right);
    for (int p = 0; p < nleft; ++p)
        for (int q = 0; q < nright; ++q)
            if (weight[(int64_t)p * nright + q] > 0)
                add(&x, p, q);
    free(x.right);
    *to = x.left;
    return HESCA_SUCCESS;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic programming for a time T: min_weight[v][S] is the minimal weight of
 * the piece of v, open towards its parent, if the closed pieces below it use
 * processors of S only.  The piece of a child continues into its parent, or is
 * closed on a processor k of S whose capacity for T it does not exceed.  O(n
 * 3^p) for each T; T is found by bisection among the times of partitions. */
#include "base/status.h"
#include "partition/tree/rooted.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const hesca_rooted *r;
    unsigned sets;       /* 2^p */
    int64_t *capacity;   /* [p] for T */
    int64_t *min_weight; /* [n][sets] */
    int64_t
        *closed; /* [sets] of one child: min_weight, 0 if it can be closed */
    int64_t *joined;      /* [sets] */
    unsigned short *used; /* [n][sets] the subset of S used below v, including
                             its own piece if that is closed; S is for its
                             parent and the children before v */
    unsigned *of;         /* [n] S of each vertex in read_back() */
} search;

/* --- dynamic programming for one time ---
 * Children are joined from the end of the order, so min_weight of a vertex is
 * complete when it is joined itself. */

/* A processor of S on which the piece of v can be closed, while the pieces
 * below it use the rest of S; -1: none. */
static int
closing_processor(const search *s, int64_t v, unsigned set)
{
    for (int k = 0; k < s->r->x->p; ++k)
        if ((set >> k & 1u) != 0 &&
            s->min_weight[(size_t)v * s->sets + (set & ~(1u << k))] <=
                s->capacity[k])
            return k;
    return -1;
}

/* Join child v with its parent u: S is divided between v and the children
 * before. */
static void
join(search *s, int64_t u, int64_t v)
{
    int64_t *before = s->min_weight + (size_t)u * s->sets;
    unsigned short *used = s->used + (size_t)v * s->sets;
    for (unsigned set = 0; set < s->sets; ++set)
        s->closed[set] = closing_processor(s, v, set) >= 0
                             ? 0
                             : s->min_weight[(size_t)v * s->sets + set];
    for (unsigned set = 0; set < s->sets; ++set) {
        s->joined[set] = INT64_MAX;
        for (unsigned sub = set;; sub = (sub - 1) & set) {
            const int64_t load = before[set & ~sub] + s->closed[sub];
            if (load < s->joined[set]) {
                s->joined[set] = load;
                used[set] = (unsigned short)sub;
            }
            if (sub == 0)
                break;
        }
    }
    memcpy(before, s->joined, s->sets * sizeof *before);
}

/* Whether there is a partition within the time. */
static int
is_feasible(search *s, double time)
{
    const hesca_rooted *r = s->r;
    for (int k = 0; k < r->x->p; ++k)
        s->capacity[k] = hesca_rooted_capacity(r, k, time);
    for (int64_t v = 0; v < r->x->n; ++v)
        for (unsigned set = 0; set < s->sets; ++set)
            s->min_weight[(size_t)v * s->sets + set] = hesca_weight(r->x, v);
    for (int64_t i = r->x->n - 1; i > 0; --i)
        join(s, r->parent[r->order[i]], r->order[i]);
    return closing_processor(s, 0, s->sets - 1) >= 0;
}

/* The pieces of the last time, which was feasible.  Children are visited in
 * the reverse of the order in which they were joined. */
static void
read_back(search *s, int *piece)
{
    const hesca_rooted *r = s->r;
    piece[0] = closing_processor(s, 0, s->sets - 1);
    s->of[0] = (s->sets - 1) & ~(1u << piece[0]);
    for (int64_t i = 1; i < r->x->n; ++i) {
        const int64_t v = r->order[i], u = r->parent[v];
        const unsigned sub = s->used[(size_t)v * s->sets + s->of[u]];
        const int k = closing_processor(s, v, sub);
        s->of[u] &= ~sub;
        s->of[v] = k >= 0 ? sub & ~(1u << k) : sub;
        piece[v] = k >= 0 ? k : piece[u];
    }
}

/* Bisection.  Invariant: there is no partition within low, and that of piece
 * takes high. */
static int
bisect(search *s, double high, int *piece)
{
    double low = 0;
    int err = HESCA_SUCCESS;
    while (high > 0) {
        double mid = low > 0 ? sqrt(low) * sqrt(high) : high / 16;
        const int is_last =
            high - low <= 1e-12 * high || !(mid > low && mid < high);
        if (is_last)
            mid = nextafter(high, 0);
        if (is_feasible(s, mid)) {
            read_back(s, piece);
            HESCA_TRY(err, hesca_rooted_makespan(s->r, piece, &high));
        } else if (is_last)
            break;
        else
            low = mid;
    }
fail:
    return err;
}

int
hesca_tree_exact(const hesca_rooted *r, int *piece)
{
    const size_t n = (size_t)r->x->n, sets = (size_t)1 << r->x->p;
    search s = {.r = r,
                .sets = (unsigned)sets,
                .capacity = malloc((size_t)r->x->p * sizeof *s.capacity),
                .min_weight = malloc(n * sets * sizeof *s.min_weight + 1),
                .closed = malloc(sets * sizeof *s.closed),
                .joined = malloc(sets * sizeof *s.joined),
                .used = malloc(n * sets * sizeof *s.used + 1),
                .of = malloc(n * sizeof *s.of + 1)};
    double time;
    int err = HESCA_SUCCESS;
    if (s.capacity == NULL || s.min_weight == NULL || s.closed == NULL ||
        s.joined == NULL || s.used == NULL || s.of == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0,
                             "tree of %zu vertices in %d parts", n, r->x->p));
    HESCA_TRY(err, hesca_rooted_makespan(r, piece, &time));
    if (n > 0 && !isfinite(time)) {
        /* The heuristic found no partition: decide whether one exists. */
        if (!is_feasible(&s, INFINITY))
            HESCA_TRY(err, hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                                      "no %d connected parts are within the "
                                      "limits",
                                      r->x->p));
        read_back(&s, piece);
        HESCA_TRY(err, hesca_rooted_makespan(r, piece, &time));
    }
    HESCA_TRY(err, bisect(&s, time, piece));
fail:
    free(s.capacity);
    free(s.min_weight);
    free(s.closed);
    free(s.joined);
    free(s.used);
    free(s.of);
    return err;
}

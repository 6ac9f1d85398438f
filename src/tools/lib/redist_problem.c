/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/lib/redist_problem.h"
#include "base/status.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------ the problem
 * Indices of a request are from 1, those of a problem from 0. */

static int
make_generalized(const request_layout *x, int64_t m, int64_t n,
                 const int *ranks, hesca_layout **layout)
{
    int64_t *length = malloc((size_t)(x->nprow + x->npcol) * sizeof *length);
    if (length == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "heights and widths");
    const char *heights = x->heights, *widths = x->widths;
    for (int p = 0; p < x->nprow; ++p)
        length[p] = request_layout_next(&heights, x->mb);
    for (int q = 0; q < x->npcol; ++q)
        length[x->nprow + q] = request_layout_next(&widths, x->nb);
    const int err = hesca_layout_create_generalized(
        m, n, x->nprow, x->npcol, length, length + x->nprow, ranks, layout);
    free(length);
    return err;
}

/* The layout of the smallest matrix with this submatrix. */
static int
make_layout(const request_layout *x, int64_t m, int64_t n,
            hesca_layout **layout)
{
    const int nprocs = x->nprow * x->npcol;
    int *ranks = malloc((size_t)nprocs * sizeof *ranks);
    if (ranks == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d ranks", nprocs);
    for (int k = 0; k < nprocs; ++k)
        ranks[k] = x->first + k;
    const int err =
        request_layout_is_generalized(x)
            ? make_generalized(x, m, n, ranks, layout)
            : hesca_layout_create_cyclic(m, n, x->mb, x->nb, x->rsrc, x->csrc,
                                         x->nprow, x->npcol, ranks, layout);
    free(ranks);
    return err;
}

int
redist_problem_problem(hesca_problem *p, const request *r)
{
    const int64_t ia = r->ia - 1, ja = r->ja - 1;
    const int64_t ib = r->ib - 1, jb = r->jb - 1;
    hesca_layout *a = NULL, *b = NULL;
    int err;
    HESCA_TRY(err, make_layout(&r->a, ia + r->m, ja + r->n, &a));
    HESCA_TRY(err, make_layout(&r->b, ib + r->m, jb + r->n, &b));
    HESCA_TRY(err, hesca_problem_init(p, (hesca_part)r->part, r->m, r->n, a,
                                      ia, ja, b, ib, jb, (size_t)r->esize));
fail:
    hesca_layout_free(a);
    hesca_layout_free(b);
    return err;
}

/* ------------------------------------------------ its processes
 * Ranks are ascending and occur once. */

/* The grids have consecutive ranks: those of one, then those of the other
 * beyond them. */
static int
list_ranks(redist_problem *s)
{
    const request_layout *lo = &s->asked->a, *hi = &s->asked->b;
    if (hi->first < lo->first) {
        lo = hi;
        hi = &s->asked->a;
    }
    const int lo_end = lo->first + lo->nprow * lo->npcol;
    const int hi_end = hi->first + hi->nprow * hi->npcol;
    s->rank = malloc((size_t)(lo_end - lo->first + hi_end - hi->first) *
                     sizeof *s->rank);
    if (s->rank == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a list of processes");
    for (int r = lo->first; r < lo_end; ++r)
        s->rank[s->nprocs++] = r;
    for (int r = hi->first > lo_end ? hi->first : lo_end; r < hi_end; ++r)
        s->rank[s->nprocs++] = r;
    return HESCA_SUCCESS;
}

int
redist_problem_find(const redist_problem *s, int64_t rank)
{
    int lo = 0, hi = s->nprocs; /* it is not below lo, nor at hi or above */
    while (hi - lo > 1) {
        const int mid = lo + (hi - lo) / 2;
        if (s->rank[mid] <= rank)
            lo = mid;
        else
            hi = mid;
    }
    return s->rank[lo] == rank ? lo : -1;
}

/* ------------------------------------------------ all of it
 * After an error the problem is empty. */

/* Rank r is on host r modulo their number. */
static int
find_network(redist_problem *s, const hesca_machine *m)
{
    const int n = s->rank[s->nprocs - 1] + 1;
    int *host = malloc((size_t)n * sizeof *host);
    if (host == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", n);
    for (int r = 0; r < n; ++r)
        host[r] = r % m->nhosts;
    const int err = hesca_network_of_hosts(m, n, host, &s->network);
    free(host);
    return err;
}

static int
read_costs(redist_problem *s, const char *path)
{
    hesca_machine machine = hesca_machine_default();
    int err = HESCA_SUCCESS;
    s->machine = s->asked->machine != NULL ? s->asked->machine : path;
    if (s->machine[0] == '\0')
        s->machine = NULL;
    if (s->machine != NULL)
        HESCA_TRY(err, hesca_machine_read(s->machine, &machine));
    const int differ = machine.nhosts > 0 && !s->asked->one_node;
    if (differ)
        HESCA_TRY(err, find_network(s, &machine));
    s->links = hesca_link_costs_make(
        hesca_machine_costs(&machine, s->asked->one_node, s->asked->load),
        differ ? &s->network : NULL);
fail:
    hesca_machine_clear(&machine);
    return err;
}

int
redist_problem_make(redist_problem *s, const request *asked,
                    const char *machine)
{
    int err;
    memset(s, 0, sizeof *s);
    s->asked = asked;
    HESCA_TRY(err, list_ranks(s));
    HESCA_TRY(err, read_costs(s, machine));
    HESCA_TRY(err, redist_problem_problem(&s->problem, asked));
fail:
    if (err < 0)
        redist_problem_clear(s);
    return err;
}

void
redist_problem_clear(redist_problem *s)
{
    hesca_problem_clear(&s->problem);
    hesca_network_clear(&s->network);
    free(s->rank);
    memset(s, 0, sizeof *s);
}

/* ------------------------------------------------ description
 * The text never exceeds its array. */

/* A list as given, or its beginning if it is long. */
static int
put_lengths(char *text, size_t room, const char *list, int nb)
{
    const int most = 30;
    if (list == NULL)
        return snprintf(text, room, "%d", nb);
    int n = (int)strcspn(list, "x");
    if (n <= most)
        return snprintf(text, room, "%.*s", n, list);
    for (n = most; n > 0 && list[n - 1] != ','; --n)
        ;
    return snprintf(text, room, "%.*s...", n, list);
}

static void
describe_side(const request_layout *x, int64_t i, int64_t j, char text[160])
{
    const size_t room = 160;
    size_t n = (size_t)snprintf(text, room, "%dx%d grid", x->nprow, x->npcol);
    if (x->first > 0)
        n +=
            (size_t)snprintf(text + n, room - n, " from rank %d on", x->first);
    n += (size_t)snprintf(text + n, room - n, " ");
    n += (size_t)put_lengths(text + n, room - n, x->heights, x->mb);
    n += (size_t)snprintf(text + n, room - n, "x");
    n += (size_t)put_lengths(text + n, room - n, x->widths, x->nb);
    n += (size_t)snprintf(text + n, room - n, " blocks");
    if (x->rsrc > 0 || x->csrc > 0)
        n += (size_t)snprintf(text + n, room - n, " from (%d,%d) on", x->rsrc,
                              x->csrc);
    if (i > 1 || j > 1)
        snprintf(text + n, room - n, " at (%lld,%lld)", (long long)i,
                 (long long)j);
}

void
redist_problem_describe(const redist_problem *s,
                        char text[REDIST_PROBLEM_TEXT])
{
    const request *r = s->asked;
    char a[160], b[160];
    int length;
    const char *part = request_item(REQUEST_PARTS, r->part, &length);
    describe_side(&r->a, r->ia, r->ja, a);
    describe_side(&r->b, r->ib, r->jb, b);
    snprintf(
        text, REDIST_PROBLEM_TEXT,
        "%lld x %lld elements of %lld bytes%s%.*s, %s -> %s, %d processes",
        (long long)r->m, (long long)r->n, (long long)r->esize,
        r->part == HESCA_ALL ? "" : ", ", r->part == HESCA_ALL ? 0 : length,
        part, a, b, s->nprocs);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Direct schedules: partners agree in every step, no process sends or receives
 * twice in a step, every pair meets once, and no schedule has fewer steps. */
#include "base/arith.h"
#include "sched/axis_rounds.h"
#include "sched/circulant.h"
#include "sched/colour.h"
#include "sched/sched.h"
#include "testing/assign.h"
#include "testing/place.h"
#include "testing/unit.h"

enum { MOST = PLACE_MOST };

/* The most partners of any process on one side, from counts. */
static int
most_of(int nleft, int nright, const int64_t *count, int of_right)
{
    int degree[MOST * MOST] = {0}, most = 0;
    for (int p = 0; p < nleft; ++p)
        for (int q = 0; q < nright; ++q)
            degree[of_right ? q : p] += count[p * nright + q] > 0;
    for (int k = 0; k < MOST * MOST; ++k)
        most = degree[k] > most ? degree[k] : most;
    return most;
}

static int
largest_degree(int nleft, int nright, const int64_t *count)
{
    const int left = most_of(nleft, nright, count, 0);
    const int right = most_of(nleft, nright, count, 1);
    return left > right ? left : right;
}

/* ------------------------------------------------ edge colouring */

static void
check_colouring(int nleft, int nright, const int64_t *weight, int number)
{
    int n = -1, *to = (int *)(void *)&n;
    const int most = largest_degree(nleft, nright, weight);
    CHECK(hesca_largest_degree(nleft, nright, weight) == most,
          "graph %d, %d + %d: degree %d", number, nleft, nright, most);
    CHECK(hesca_colour_edges(nleft, nright, weight, &n, &to) == HESCA_SUCCESS,
          "graph %d", number);
    CHECK(n == most && (to != NULL) == (most > 0),
          "graph %d, %d + %d: %d colours for degree %d", number, nleft, nright,
          n, most);
    for (int p = 0; p < nleft; ++p)
        for (int q = 0; q < nright; ++q) {
            int times = 0;
            for (int c = 0; c < n; ++c)
                times += to[c * nleft + p] == q;
            CHECK(times == (weight[p * nright + q] > 0),
                  "graph %d, %d + %d: edge (%d,%d) %d times", number, nleft,
                  nright, p, q, times);
        }
    for (int c = 0; c < n; ++c) {
        int taken[64] = {0};
        for (int p = 0; p < nleft; ++p) {
            const int q = to[c * nleft + p];
            CHECK(-1 <= q && q < nright && (q < 0 || !taken[q]),
                  "graph %d, %d + %d: colour %d at %d twice", number, nleft,
                  nright, c, q);
            if (0 <= q && q < nright)
                taken[q] = 1;
        }
    }
    free(to);
}

static void
colouring(void)
{
    int64_t weight[30 * 30];
    for (int c = 0; c < check_cases(2000); ++c) {
        const int nleft = check_uniform(1, c % 50 ? 12 : 30);
        const int nright = check_uniform(1, c % 50 ? 12 : 30);
        const int density = check_uniform(0, 100);
        for (int k = 0; k < nleft * nright; ++k)
            weight[k] = check_uniform(1, 100) <= density
                            ? 1 + (int64_t)(check_random() >> 3)
                            : 0;
        check_colouring(nleft, nright, weight, c);
    }
    /* Regular graphs, complete, empty, stars. */
    for (int n = 1; n <= 30; ++n)
        for (int degree = 0; degree <= n; ++degree) {
            for (int k = 0; k < n * n; ++k)
                weight[k] = (k % n + k / n * 7) % n < degree;
            check_colouring(n, n, weight, 100000 + 100 * n + degree);
            for (int k = 0; k < n * n; ++k)
                weight[k] = k / n == 0 && k % n < degree;
            check_colouring(n, n, weight, 200000 + 100 * n + degree);
            check_colouring(n * n < 60 ? n * n : n, 1, weight,
                            300000 + 100 * n + degree);
        }
}

/* ------------------------------------------------ rounds */

/* What LIM's Theorem 2 serves, found from the block sizes; or R_x(1,P), where
 * all owners meet themselves, found from the pieces. */
typedef struct {
    int applies, dual;
    int64_t k, shift; /* fine blocks from the origin of the coarse axis */
} factor;

/* Whether both axes have the same owners for more than their two periods. */
static int
are_alike(const assign_axis *a, int64_t ia, const assign_axis *b, int64_t ib)
{
    const int64_t far = 2 * (a->axis.period + b->axis.period);
    for (int64_t i = 0; i < far; ++i) {
        const int p =
            hesca_axis_piece(&a->axis, (ia + i) % a->axis.period)->owner;
        const int q =
            hesca_axis_piece(&b->axis, (ib + i) % b->axis.period)->owner;
        if (p != q)
            return 0;
    }
    return a->nowners == b->nowners;
}

static factor
factor_of(const assign_axis *a, int64_t ia, const assign_axis *b, int64_t ib,
          int most)
{
    factor f = {.k = 1};
    if (are_alike(a, ia, b, ib))
        f.applies = most == 1;
    if (a->nb == 0 || b->nb == 0 || a->nowners != b->nowners)
        return f;
    f.dual = a->nb > b->nb;
    const int64_t fine = f.dual ? b->nb : a->nb;
    const int64_t coarse = f.dual ? a->nb : b->nb;
    const int64_t shift = f.dual ? ib - ia : ia - ib;
    f.k = coarse / fine;
    f.shift = shift / fine;
    f.applies = coarse % fine == 0 && shift % fine == 0 && f.k <= a->nowners &&
                f.k == most;
    return f;
}

/* The rounds of all owners. */
typedef struct {
    int n, npa, npb, circulant;
    int *to, *from; /* [n * npa], [n * npb] */
} table;

/* As every pair of owners sees them; circulant, or by the counts alone. */
static table
tabulate(const assign_axis *a, int64_t ia, const assign_axis *b, int64_t ib,
         const int64_t *count, int by_axis, const char *text)
{
    const int npa = a->nowners, npb = b->nowners;
    const int most = largest_degree(npa, npb, count);
    table t = {.npa = npa, .npb = npb};
    for (int k = 0; k < npa || k < npb; ++k) {
        const int p = k < npa ? k : -1, q = k < npb ? k : -1;
        hesca_rounds r;
        CHECK((by_axis ? hesca_rounds_axis(&r, &a->axis, ia, p, &b->axis, ib,
                                           q, count, most)
                       : hesca_rounds_pairs(&r, npa, p, npb, q, count,
                                            most)) == HESCA_SUCCESS,
              "%s", text);
        if (k == 0) {
            t.n = r.n;
            t.circulant = r.circulant;
            t.to = malloc((size_t)(r.n * npa + 1) * sizeof *t.to);
            t.from = malloc((size_t)(r.n * npb + 1) * sizeof *t.from);
        }
        CHECK(r.n == t.n && r.circulant == t.circulant,
              "%s: owner %d has %d rounds, not %d", text, k, r.n, t.n);
        for (int i = 0; i < r.n && i < t.n; ++i) {
            CHECK((p >= 0 || r.to[i] == -1) && (q >= 0 || r.from[i] == -1),
                  "%s: round %d of nobody", text, i);
            if (p >= 0)
                t.to[i * npa + p] = r.to[i];
            if (q >= 0)
                t.from[i * npb + q] = r.from[i];
        }
        hesca_rounds_clear(&r);
        hesca_rounds_clear(&r); /* may be cleared twice */
    }
    return t;
}

static void
table_clear(table *t)
{
    free(t->to);
    free(t->from);
}

/* Round i pairs owner j of the fine blocks, counted from the origin of the
 * coarse axis, with P_s(i,j). */
static void
check_circulant(const table *r, const factor *f, const assign_axis *a,
                const assign_axis *b, const int64_t *count, const char *text)
{
    const int np = a->nowners;
    const hesca_circulant c = hesca_circulant_make(f->k, np);
    const assign_axis *fine = f->dual ? b : a, *coarse = f->dual ? a : b;
    for (int i = 0; i < r->n; ++i)
        for (int j = 0; j < np; ++j) {
            const int x = (int)hesca_mod(j + f->shift + fine->src, np);
            const int y =
                (int)((hesca_circulant_dest(&c, i, j) + coarse->src) % np);
            const int p = f->dual ? y : x, q = f->dual ? x : y;
            const int expected = count[p * np + q] > 0 ? q : -1;
            CHECK(r->to[i * np + p] == expected,
                  "%s: in round %d, %d sends to %d, not %d", text, i, p,
                  r->to[i * np + p], expected);
        }
}

static void
check_rounds(const table *r, const int64_t *count, const char *text)
{
    const int npa = r->npa, npb = r->npb;
    for (int p = 0; p < npa; ++p)
        for (int q = 0; q < npb; ++q) {
            int times = 0;
            for (int i = 0; i < r->n; ++i) {
                times += r->to[i * npa + p] == q;
                CHECK((r->to[i * npa + p] == q) == (r->from[i * npb + q] == p),
                      "%s: round %d, %d sends to %d, %d receives from %d",
                      text, i, p, r->to[i * npa + p], q, r->from[i * npb + q]);
            }
            CHECK(times == (count[p * npb + q] > 0),
                  "%s: %d and %d meet %d times", text, p, q, times);
        }
    for (int i = 0; i < r->n * npa; ++i)
        CHECK(-1 <= r->to[i] && r->to[i] < npb, "%s: to %d", text, r->to[i]);
    for (int i = 0; i < r->n * npb; ++i)
        CHECK(-1 <= r->from[i] && r->from[i] < npa, "%s: from %d", text,
              r->from[i]);
}

/* 1 if the order was circulant. */
static int
check_axes(const assign_axis *a, int64_t ia, const assign_axis *b, int64_t ib,
           int64_t n)
{
    int64_t *count = malloc((size_t)(a->nowners * b->nowners) * sizeof *count);
    char text[500];
    snprintf(text, sizeof text, "%lld of {%s} at %lld and {%s} at %lld",
             (long long)n, a->text, (long long)ia, b->text, (long long)ib);
    hesca_overlap_count(&a->axis, ia, &b->axis, ib, n, count);
    const int most = largest_degree(a->nowners, b->nowners, count);
    const factor f = factor_of(a, ia, b, ib, most);
    table r = tabulate(a, ia, b, ib, count, 1, text);
    CHECK(r.n == most, "%s: %d rounds of %d and %d, degree %d", text, r.n,
          r.npa, r.npb, most);
    check_rounds(&r, count, text);
    if (a->nowners > 1) /* alone, any order is the same */
        CHECK(r.circulant == f.applies, "%s: circulant %d, K = %lld", text,
              r.circulant, (long long)f.k);
    if (r.circulant && f.applies)
        check_circulant(&r, &f, a, b, count, text);
    const int circulant = r.circulant;
    table_clear(&r);
    r = tabulate(a, ia, b, ib, count, 0, text);
    CHECK(r.n == most && !r.circulant, "%s: %d rounds of pairs, degree %d",
          text, r.n, most);
    check_rounds(&r, count, text);
    table_clear(&r);
    free(count);
    return circulant;
}

static assign_axis
random_axis(int n)
{
    switch (check_uniform(0, 6)) {
    case 0:
        return assign_random_pieces(n, 8);
    case 1:
        return assign_random_generalized(n, 8);
    default:
        return assign_random_cyclic(n, 12);
    }
}

static void
random_rounds(void)
{
    int circulant = 0;
    for (int c = 0; c < check_cases(4000); ++c) {
        const int n = check_uniform(0, 15) ? check_uniform(1, 300) : 0;
        const int ia = check_uniform(0, 40), ib = check_uniform(0, 40);
        assign_axis a = random_axis(ia + n), b = random_axis(ib + n);
        circulant += check_axes(&a, ia, &b, ib, n);
        assign_clear(&a);
        assign_clear(&b);
    }
    CHECK(circulant > 10, "only %d circulant", circulant);
}

/* A multiple of the block size, or nearly: both sides of what is served. */
static void
nearly_circulant(void)
{
    int circulant = 0;
    for (int c = 0; c < check_mean_of(4000); ++c) {
        const int np = check_uniform(2, 12), x = check_uniform(1, 5);
        const int k = check_uniform(1, np + 1);
        const int coarse = k * x + (check_uniform(0, 9) == 0);
        const int n = check_uniform(1, 3 * k * x * np);
        const int ib = check_uniform(0, 60), odd = check_uniform(0, 5) == 0;
        const int ia = ib % x + x * check_uniform(0, 60 / x) + odd;
        const int npb = check_uniform(0, 9) ? np : np - 1;
        const int asrc = check_uniform(0, np - 1);
        const int bsrc = check_uniform(0, npb - 1);
        assign_axis a = assign_cyclic(ia + n, x, asrc, np);
        assign_axis b = assign_cyclic(ib + n, coarse, bsrc, npb);
        if (check_uniform(0, 1))
            circulant += check_axes(&a, ia, &b, ib, n);
        else
            circulant += check_axes(&b, ib, &a, ia, n);
        assign_clear(&a);
        assign_clear(&b);
    }
    CHECK(circulant > 1000, "only %d circulant", circulant);
}

/* ------------------------------------------------ two dimensions */

/* A problem, and the schedules of all processes. */
typedef struct {
    const place *a, *b;
    int m, n, nprocs;
    int64_t rows[MOST * MOST], cols[MOST * MOST];
    hesca_problem problem;
    hesca_schedule schedule[MOST];
    char text[900];
} world;

static void
make_world(world *w, const place *a, const place *b, int m, int n, int nprocs)
{
    w->a = a;
    w->b = b;
    w->m = m;
    w->n = n;
    w->nprocs = nprocs;
    snprintf(w->text, sizeof w->text, "%dx%d, {%s} to {%s} among %d", m, n,
             a->text, b->text, nprocs);
    place_common(a, b, 0, m, w->rows);
    place_common(a, b, 1, n, w->cols);
    CHECK(hesca_problem_init(&w->problem, HESCA_ALL, m, n, a->layout, a->i,
                             a->j, b->layout, b->i, b->j, 8) == HESCA_SUCCESS,
          "%s", w->text);
    for (int p = 0; p < nprocs; ++p) {
        w->schedule[p] = (hesca_schedule){.nsteps = -1};
        CHECK(hesca_steps_fill(&w->problem, p, &w->schedule[p]) ==
                  HESCA_SUCCESS,
              "%s: process %d", w->text, p);
    }
}

static void
clear_world(world *w)
{
    for (int p = 0; p < w->nprocs; ++p)
        hesca_schedule_clear(&w->schedule[p]);
    hesca_problem_clear(&w->problem);
}

/* Elements that rank p of A and q of B have in common. */
static int64_t
common_elements(const world *w, int p, int q)
{
    int r, c, s, d;
    if (!hesca_layout_coords(w->a->layout, p, &r, &c) ||
        !hesca_layout_coords(w->b->layout, q, &s, &d))
        return 0;
    return w->rows[r * w->b->nprow + s] * w->cols[c * w->b->npcol + d];
}

static int
is_at(const hesca_layout *x, const hesca_peer *peer)
{
    int prow, pcol;
    return hesca_layout_coords(x, peer->rank, &prow, &pcol) &&
           prow == peer->prow && pcol == peer->pcol;
}

/* In every step both ends know of each other, and of the same count. */
static void
check_partners(const world *w)
{
    for (int p = 0; p < w->nprocs; ++p)
        for (int t = 0; t < w->schedule[p].nsteps; ++t) {
            const hesca_step *mine = &w->schedule[p].step[t];
            const hesca_peer *to = &mine->dest, *from = &mine->src;
            CHECK(-1 <= to->rank && to->rank < w->nprocs && -1 <= from->rank &&
                      from->rank < w->nprocs,
                  "%s: process %d, step %d: to %d, from %d", w->text, p, t,
                  to->rank, from->rank);
            if (to->rank >= 0) {
                const hesca_peer *x = &w->schedule[to->rank].step[t].src;
                CHECK(x->rank == p && x->count == to->count &&
                          is_at(w->a->layout, x) && is_at(w->b->layout, to),
                      "%s: step %d, %d sends %lld to %d, which receives "
                      "%lld from %d",
                      w->text, t, p, (long long)to->count, to->rank,
                      (long long)x->count, x->rank);
            }
            if (from->rank >= 0) {
                const hesca_peer *x = &w->schedule[from->rank].step[t].dest;
                CHECK(x->rank == p && x->count == from->count,
                      "%s: step %d, %d receives %lld from %d, which sends "
                      "%lld to %d",
                      w->text, t, p, (long long)from->count, from->rank,
                      (long long)x->count, x->rank);
            }
        }
}

/* Every pair with something in common meets once, with all of it. */
static void
check_meetings(const world *w)
{
    for (int p = 0; p < w->nprocs; ++p)
        for (int q = 0; q < w->nprocs; ++q) {
            const int64_t expected = common_elements(w, p, q);
            int64_t got = 0;
            int times = 0;
            for (int t = 0; t < w->schedule[p].nsteps; ++t)
                if (w->schedule[p].step[t].dest.rank == q) {
                    got += w->schedule[p].step[t].dest.count;
                    ++times;
                }
            CHECK(times == (expected > 0) && got == expected,
                  "%s: %d sends to %d in %d steps %lld elements, not %lld",
                  w->text, p, q, times, (long long)got, (long long)expected);
        }
}

/* No process is twice the destination, or the source, of one step. */
static void
check_contention(const world *w)
{
    for (int t = 0; t < w->schedule[0].nsteps; ++t) {
        int sends[MOST] = {0}, receives[MOST] = {0};
        for (int p = 0; p < w->nprocs; ++p) {
            const hesca_step *step = &w->schedule[p].step[t];
            if (step->dest.rank >= 0)
                ++receives[step->dest.rank];
            if (step->src.rank >= 0)
                ++sends[step->src.rank];
        }
        for (int p = 0; p < w->nprocs; ++p)
            CHECK(sends[p] <= 1 && receives[p] <= 1,
                  "%s: step %d, %d sends %d times and receives %d times",
                  w->text, t, p, sends[p], receives[p]);
    }
}

static void
check_world(const world *w)
{
    /* As many as the most partners of a process: there cannot be fewer. */
    int64_t pairs[MOST * MOST];
    for (int p = 0; p < w->nprocs; ++p)
        for (int q = 0; q < w->nprocs; ++q)
            pairs[p * w->nprocs + q] = common_elements(w, p, q);
    const int expected = largest_degree(w->nprocs, w->nprocs, pairs);
    int same = 1;
    for (int p = 0; p < w->nprocs; ++p) {
        CHECK(w->schedule[p].nsteps == expected,
              "%s: process %d has %d steps, not %d", w->text, p,
              w->schedule[p].nsteps, expected);
        same = same && w->schedule[p].nsteps == expected;
    }
    if (!same)
        return;
    check_partners(w);
    check_meetings(w);
    check_contention(w);
}

static void
random_steps(void)
{
    world *w = malloc(sizeof *w);
    for (int c = 0; c < check_cases(1200); ++c) {
        const int nprocs = check_uniform(1, 12);
        const int m = check_uniform(0, 19) ? check_uniform(1, 60) : 0;
        const int n = check_uniform(0, 19) ? check_uniform(1, 60) : 0;
        place a = place_random(m, n, nprocs);
        place b = place_random(m, n, nprocs);
        make_world(w, &a, &b, m, n, nprocs);
        check_world(w);
        clear_world(w);
        hesca_layout_free(a.layout);
        hesca_layout_free(b.layout);
    }
    free(w);
}

/* R_x(K,P) as it is: step i of process j sends to P_s(i,j), or for the dual,
 * process P_s(i,j) to j; all processes send and receive in every step. */
static void
check_factor(world *w, int k, int np, int x, int dual, int by_rows)
{
    const int n = 2 * k * np * x;
    place fine = {.m = by_rows ? n : 3,
                  .n = by_rows ? 3 : n,
                  .mb = x,
                  .nb = x,
                  .nprow = by_rows ? np : 1,
                  .npcol = by_rows ? 1 : np};
    for (int p = 0; p < np; ++p)
        fine.ranks[p] = p;
    place coarse = fine;
    coarse.mb = coarse.nb = k * x;
    place_create(&fine);
    place_create(&coarse);
    make_world(w, dual ? &coarse : &fine, dual ? &fine : &coarse, fine.m,
               fine.n, np);
    check_world(w);
    const hesca_circulant c = hesca_circulant_make(k, np);
    for (int j = 0; j < np; ++j)
        for (int i = 0; i < k; ++i) {
            const int d = (int)hesca_circulant_dest(&c, i, j);
            const hesca_step *step = &w->schedule[j].step[i];
            CHECK((dual ? step->src.rank : step->dest.rank) == d,
                  "R_%d(%d,%d), dual %d: step %d, process %d: to %d, from %d",
                  x, k, np, dual, i, j, step->dest.rank, step->src.rank);
            CHECK(step->src.rank >= 0 && step->dest.rank >= 0 &&
                      step->dest.count == 3 * n / np / k,
                  "R_%d(%d,%d), dual %d: step %d, process %d", x, k, np, dual,
                  i, j);
        }
    clear_world(w);
    hesca_layout_free(fine.layout);
    hesca_layout_free(coarse.layout);
}

static void
factors(void)
{
    world *w = malloc(sizeof *w);
    for (int np = 1; np <= MOST; ++np)
        for (int k = 1; k <= np; ++k)
            for (int variant = 0; variant < 4; ++variant)
                check_factor(w, k, np, variant + 1, variant & 1, variant >> 1);
    free(w);
}

/* More pairs of processes than are ordered one by one: the few that meet still
 * do, though in more steps than partners.  A is on 3000 x 1 processes, B on
 * 1 x 2000 others, sub(A) has a row on each of the first two, sub(B) a column
 * on each of the first three. */
static void
many_processes(void)
{
    enum { NA = 3000, NB = 2000 };
    int *ranks = malloc(NB * sizeof *ranks);
    hesca_layout *a, *b;
    hesca_problem problem;
    hesca_schedule x[2] = {{.nsteps = -1}}, y[3] = {{.nsteps = -1}};
    hesca_schedule other = {.nsteps = -1};
    for (int k = 0; k < NB; ++k)
        ranks[k] = NA + k;
    if (hesca_layout_create_cyclic(NA, 3, 1, 1, 0, 0, NA, 1, NULL, &a) < 0 ||
        hesca_layout_create_cyclic(2, NB, 1, 1, 0, 0, 1, NB, ranks, &b) < 0 ||
        hesca_problem_init(&problem, HESCA_ALL, 2, 3, a, 0, 0, b, 0, 0, 8) < 0)
        abort();
    for (int r = 0; r < 2; ++r)
        hesca_steps_fill(&problem, r, &x[r]);
    for (int d = 0; d < 3; ++d)
        hesca_steps_fill(&problem, NA + d, &y[d]);
    hesca_steps_fill(&problem, NA + 77, &other);
    for (int r = 0; r < 2; ++r) {
        int met[3] = {0};
        CHECK(x[r].nsteps == other.nsteps && x[r].nsteps <= 6, "%d steps",
              x[r].nsteps);
        for (int t = 0; t < x[r].nsteps; ++t) {
            const hesca_peer *to = &x[r].step[t].dest;
            const int d = to->rank - NA;
            if (to->rank < 0)
                continue;
            CHECK(0 <= d && d < 3 && to->count == 1, "%d sends to %d", r,
                  to->rank);
            if (d < 0 || d >= 3)
                continue;
            ++met[d];
            CHECK(y[d].nsteps == x[r].nsteps && y[d].step[t].src.rank == r,
                  "step %d: %d sends to %d", t, r, to->rank);
        }
        for (int d = 0; d < 3; ++d)
            CHECK(met[d] == 1, "%d and %d meet %d times", r, d, met[d]);
        hesca_schedule_clear(&x[r]);
    }
    for (int t = 0; t < other.nsteps; ++t)
        CHECK(other.step[t].dest.rank < 0 && other.step[t].src.rank < 0,
              "step %d: one who has nothing", t);
    for (int d = 0; d < 3; ++d)
        hesca_schedule_clear(&y[d]);
    hesca_schedule_clear(&other);
    hesca_problem_clear(&problem);
    hesca_layout_free(a);
    hesca_layout_free(b);
    free(ranks);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(colouring),    UNIT(random_rounds), UNIT(nearly_circulant),
        UNIT(random_steps), UNIT(factors),       UNIT(many_processes)};
    unit_begin("sched/t_steps", 20260105);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

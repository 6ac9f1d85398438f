/* SPDX-License-Identifier: BSD-3-Clause */
/* Schedules that combine and forward: carried out on paper, for all small
 * R_x(K,P) and for random problems; their steps against LIM's formulas. */
#include "base/arith.h"
#include "sched/sched.h"
#include "testing/place.h"
#include "testing/unit.h"

/* ------------------------------------------------ on paper */

/* The schedule of every process of a problem. */
typedef struct {
    const hesca_problem *problem;
    int nprocs;
    hesca_schedule of[64];
    char text[1000];
} plans;

static void
make_plans(plans *x, const hesca_problem *p, const hesca_solver *s, int degree,
           int nprocs, const char *text)
{
    const hesca_choice choice = {.solver = s, .degree = degree};
    x->problem = p;
    x->nprocs = nprocs;
    snprintf(x->text, sizeof x->text, "%s:%d, %s", s->name, degree, text);
    for (int r = 0; r < nprocs; ++r)
        CHECK(hesca_schedule_init(&choice, p, r, &x->of[r]) == HESCA_SUCCESS,
              "%s", x->text);
}

static void
clear_plans(plans *x)
{
    for (int r = 0; r < x->nprocs; ++r)
        hesca_schedule_clear(&x->of[r]);
}

static int
is_same(hesca_packet p, hesca_packet q)
{
    return p.r == q.r && p.c == q.c && p.s == q.s && p.d == q.d;
}

/* The source of a packet, and its destination. */
static int
begin_of(const hesca_problem *p, hesca_packet k)
{
    return p->a->ranks[k.r * p->a->npcol + k.c];
}

static int
end_of(const hesca_problem *p, hesca_packet k)
{
    return p->b->ranks[k.s * p->b->npcol + k.d];
}

/* Partners agree, so that none sends to two or receives from two. */
static void
check_partners(const plans *x)
{
    for (int r = 0; r < x->nprocs; ++r) {
        const hesca_schedule *mine = &x->of[r];
        CHECK(mine->nsteps == x->of[0].nsteps &&
                  mine->order == HESCA_ORDER_STORE_FORWARD,
              "%s: process %d has %d steps", x->text, r, mine->nsteps);
        for (int t = 0; t < mine->nsteps; ++t) {
            const int dest = mine->step[t].dest.rank;
            const int src = mine->step[t].src.rank;
            CHECK(dest < 0 || x->of[dest].step[t].src.rank == r,
                  "%s: step %d, %d sends to %d", x->text, t, r, dest);
            CHECK(src < 0 || x->of[src].step[t].dest.rank == r,
                  "%s: step %d, %d receives from %d", x->text, t, r, src);
        }
    }
}

/* Move the packets by hand, lane by lane; what arrives is what the receiver's
 * schedule says it has. */
static void
carry(const plans *x, int64_t lane)
{
    hesca_packet held[64], next[64];
    const int nsteps = x->of[0].nsteps;
    for (int r = 0; r < x->nprocs; ++r) {
        held[r] = hesca_store_forward_packet(x->of[r].store_forward, lane, 0);
        CHECK(held[r].r < 0 || begin_of(x->problem, held[r]) == r,
              "%s: lane %d, %d begins with a packet of %d", x->text, (int)lane,
              r, begin_of(x->problem, held[r]));
    }
    for (int t = 0; t < nsteps; ++t) {
        memcpy(next, held, sizeof next);
        for (int r = 0; r < x->nprocs; ++r)
            if (hesca_store_forward_moves(x->of[r].store_forward, lane, t)) {
                const int src = x->of[r].step[t].src.rank;
                const hesca_packet none = {-1, -1, -1, -1};
                next[r] = src < 0 ? none : held[src];
            }
        memcpy(held, next, sizeof held);
        for (int r = 0; r < x->nprocs; ++r) {
            const hesca_packet said = hesca_store_forward_packet(
                x->of[r].store_forward, lane, t + 1);
            CHECK(is_same(said, held[r]),
                  "%s: lane %d after step %d, %d has (%d,%d)->(%d,%d), not "
                  "(%d,%d)->(%d,%d)",
                  x->text, (int)lane, t, r, held[r].r, held[r].c, held[r].s,
                  held[r].d, said.r, said.c, said.s, said.d);
        }
    }
    for (int r = 0; r < x->nprocs; ++r)
        CHECK(held[r].r < 0 || end_of(x->problem, held[r]) == r,
              "%s: lane %d ends at %d, not %d", x->text, (int)lane, r,
              end_of(x->problem, held[r]));
}

/* Every pair that has something in common has one packet. */
static void
check_pairs(const plans *x)
{
    const hesca_problem *p = x->problem;
    const int na = p->a->nprow * p->a->npcol, nb = p->b->nprow * p->b->npcol;
    int *times = calloc((size_t)(na * nb), sizeof *times);
    for (int r = 0; r < x->nprocs; ++r)
        for (int64_t i = 0;
             i < hesca_store_forward_lanes(x->of[r].store_forward); ++i) {
            const hesca_packet k =
                hesca_store_forward_packet(x->of[r].store_forward, i, 0);
            if (k.r >= 0)
                ++times[(k.r * p->a->npcol + k.c) * nb + k.s * p->b->npcol +
                        k.d];
        }
    for (int a = 0; a < na; ++a)
        for (int b = 0; b < nb; ++b) {
            const int64_t n =
                hesca_problem_common(p, a / p->a->npcol, a % p->a->npcol,
                                     b / p->b->npcol, b % p->b->npcol);
            CHECK(times[a * nb + b] <= 1 && (times[a * nb + b] == 1 || n == 0),
                  "%s: %d packets from %d to %d", x->text, times[a * nb + b],
                  a, b);
        }
    free(times);
}

/* A shift carries at most half of the lanes: LIM Corollary 2. */
static void
check_carried(const plans *x)
{
    const hesca_store_forward *relay = x->of[0].store_forward;
    const int64_t lanes = hesca_store_forward_lanes(relay);
    for (int64_t t = 0; t < hesca_store_forward_steps(relay); ++t) {
        int64_t n = 0;
        for (int64_t i = 0; i < lanes; ++i)
            n += hesca_store_forward_moves(relay, i, t);
        const int is_shift =
            t < relay->npre || t >= relay->npre + relay->ndeliver;
        CHECK(n == hesca_store_forward_carried(relay, t) && n > 0 &&
                  (!is_shift || 2 * n <= lanes),
              "%s: step %d carries %d of %d lanes", x->text, (int)t, (int)n,
              (int)lanes);
    }
}

/* Degree d has at most d + ceil(lanes / 2^d) steps, or those of the highest
 * degree. */
static void
check_steps(const plans *x, int degree)
{
    const hesca_store_forward *relay = x->of[0].store_forward;
    const hesca_store_forward_kind kind = relay->nring > 0
                                              ? HESCA_STORE_FORWARD_CIRCLE
                                              : HESCA_STORE_FORWARD_GRID;
    hesca_store_forward highest;
    hesca_store_forward_init(&highest, x->problem, kind,
                             hesca_store_forward_degree(x->problem, kind), -1);
    const int64_t bound =
        degree + ((hesca_store_forward_lanes(relay) - 1) >> degree) + 1;
    CHECK(hesca_store_forward_steps(relay) <=
              hesca_max(bound, hesca_store_forward_steps(&highest)),
          "%s: %d steps", x->text, (int)hesca_store_forward_steps(relay));
    hesca_store_forward_clear(&highest);
}

static void
check_relay(const hesca_problem *p, const hesca_solver *s, int degree,
            int nprocs, const char *text)
{
    plans x;
    make_plans(&x, p, s, degree, nprocs, text);
    check_partners(&x);
    check_pairs(&x);
    check_carried(&x);
    check_steps(&x, s->has_degrees ? degree : 0);
    for (int64_t i = 0; i < hesca_store_forward_lanes(x.of[0].store_forward);
         ++i)
        carry(&x, i);
    clear_plans(&x);
}

static void
check_all_degrees(const hesca_problem *p, int nprocs, const char *text)
{
    const hesca_solver *h = &hesca_solver_hybrid;
    for (int d = 0; d <= h->degree(h, p); ++d)
        check_relay(p, h, d, nprocs, text);
    check_relay(p, &hesca_solver_indirect, 0, nprocs, text);
    check_relay(p, &hesca_solver_bruck, 0, nprocs, text);
}

/* ------------------------------------------------ R_x(K,P) */

/* The problem in one dimension: rows or columns, R_x(K,P) or its dual. */
static void
make_circulant(hesca_problem *p, int64_t n, int x, int y, int np, int along)
{
    hesca_layout *a, *b;
    const int64_t m = along ? 1 : n, k = along ? n : 1;
    if (hesca_layout_create_cyclic(m, k, x, x, 0, 0, along ? 1 : np,
                                   along ? np : 1, NULL, &a) < 0 ||
        hesca_layout_create_cyclic(m, k, y, y, 0, 0, along ? 1 : np,
                                   along ? np : 1, NULL, &b) < 0 ||
        hesca_problem_init(p, HESCA_ALL, m, k, a, 0, 0, b, 0, 0, 8) < 0)
        abort();
    hesca_layout_free(a);
    hesca_layout_free(b);
}

static void
small_circulant(void)
{
    for (int np = 2; np <= 13; ++np)
        for (int k = 1; k <= np + 3; ++k)
            for (int dual = 0; dual < 2; ++dual) {
                hesca_problem p;
                char text[80];
                snprintf(text, sizeof text, "R_2(%d,%d)%s", k, np,
                         dual ? ", dual" : "");
                make_circulant(&p, 4L * k * np, dual ? 2 * k : 2,
                               dual ? 2 : 2 * k, np, k % 2);
                check_all_degrees(&p, np, text);
                hesca_problem_clear(&p);
            }
}

static int
log2_up(int n)
{
    int bits = 0;
    while (1 << bits < n)
        ++bits;
    return bits;
}

static int
steps_of(const hesca_problem *p, const hesca_solver *s, int degree)
{
    const hesca_choice choice = {.solver = s, .degree = degree};
    hesca_schedule x;
    CHECK(hesca_schedule_init(&choice, p, 0, &x) == HESCA_SUCCESS, "%s",
          s->name);
    const int n = x.nsteps;
    hesca_schedule_clear(&x);
    return n;
}

/* Sum of prime factors; the least k1 + k2 with k1 k2 = k, k if it is prime. */
static int
sum_of_factors(int k)
{
    int sum = 0;
    for (int f = 2; k > 1; ++f)
        for (; k % f == 0; k /= f)
            sum += f;
    return sum;
}

static int
least_pair(int k)
{
    int best = k;
    for (int f = 2; f < k; ++f)
        if (k % f == 0 && f + k / f < best)
            best = f + k / f;
    return best;
}

/* The fewest deliveries that d shifts along K' and G leave: of ceil(K' / 2^a)
 * ceil(G / 2^b), a + b = d. */
static int
fewest_left(int k1, int g, int d)
{
    int best = k1 * g;
    for (int a = 0; a <= d; ++a) {
        const int left = (((k1 - 1) >> a) + 1) * (((g - 1) >> (d - a)) + 1);
        best = left < best ? left : best;
    }
    return best;
}

/* What became of Theorem 3 (iii): of `all` cases d shifts alone miss it in
 * `aligned`, and in `contradicted` it promises fewer steps than (ii). */
typedef struct {
    int all, aligned, contradicted;
} theorem;

/* hybrid:d takes d + ceil(K / 2^d) steps at most or, where that is less than
 * indirect takes by (ii), as many as indirect, one more.  Where d shifts are
 * enough it has no others. */
static void
check_hybrid(const hesca_problem *p, int k, int np, int d, theorem *t)
{
    const int g = (int)hesca_gcd(k, np), k1 = k / g;
    const int indirect = log2_up(k1) + log2_up(g) + 1;
    const int bound = d + ((k - 1) >> d) + 1;
    const int aligned = d + fewest_left(k1, g, d);
    const int n = steps_of(p, &hesca_solver_hybrid, d);
    CHECK(n <= (bound > indirect ? bound : indirect),
          "R(%d,%d): hybrid:%d takes %d steps, not %d", k, np, d, n, bound);
    CHECK(aligned > bound || n == aligned,
          "R(%d,%d): hybrid:%d takes %d steps, not %d", k, np, d, n, aligned);
    CHECK(n <= bound || (n == indirect && n == bound + 1),
          "R(%d,%d): hybrid:%d takes %d steps, indirect %d", k, np, d, n,
          indirect);
    t->all += 1;
    t->aligned += aligned > bound;
    t->contradicted += n > bound;
}

/* LIM Table 1 and Theorem 3, for all K < P <= 64.  Part (iii) does not hold
 * for d shifts as printed: R_x(9,12) with d = 1 is nine lanes in a 3 x 3
 * square, which no one shift pairs up in less than six. */
static void
theorem_three(void)
{
    theorem t = {0};
    for (int np = 2; np <= 64; ++np)
        for (int k = 1; k < np; ++k) {
            const int g = (int)hesca_gcd(k, np), k1 = k / g;
            const int most = log2_up(k1) + log2_up(g);
            hesca_problem p;
            make_circulant(&p, (int64_t)k * np, k % 3 ? 1 : k, k % 3 ? k : 1,
                           np, 1);
            const int indirect = steps_of(&p, &hesca_solver_indirect, 0);
            CHECK(indirect == most + 1 && indirect <= log2_up(k) + 2,
                  "R(%d,%d): indirect takes %d steps", k, np, indirect);
            CHECK(steps_of(&p, &hesca_solver_direct, 0) == k &&
                      steps_of(&p, &hesca_solver_async, 0) == k,
                  "R(%d,%d): direct", k, np);
            CHECK(steps_of(&p, &hesca_solver_multiphase, 0) ==
                      (k == 1 ? 1 : sum_of_factors(k)),
                  "R(%d,%d): multiphase takes %d steps", k, np,
                  steps_of(&p, &hesca_solver_multiphase, 0));
            CHECK(steps_of(&p, &hesca_solver_two_phase, 0) == least_pair(k),
                  "R(%d,%d): two-phase takes %d steps", k, np,
                  steps_of(&p, &hesca_solver_two_phase, 0));
            CHECK(hesca_solver_hybrid.degree(&hesca_solver_hybrid, &p) == most,
                  "R(%d,%d): degree", k, np);
            for (int d = 0; d <= most; ++d)
                check_hybrid(&p, k, np, d, &t);
            hesca_problem_clear(&p);
        }
    CHECK(t.all == 10860 && t.aligned == 435 && t.contradicted == 136,
          "%d cases, %d beyond d shifts, %d beyond all", t.all, t.aligned,
          t.contradicted);
}

/* LIM section 1: "when K=31 and P=64, the redistribution can be performed in 6
 * communication steps"; before it took 31. */
static void
thirty_one(void)
{
    hesca_problem p;
    make_circulant(&p, 31 * 64, 1, 31, 64, 1);
    CHECK(steps_of(&p, &hesca_solver_indirect, 0) == 6, "indirect");
    CHECK(steps_of(&p, &hesca_solver_direct, 0) == 31, "direct");
    CHECK(steps_of(&p, &hesca_solver_multiphase, 0) == 31, "multiphase");
    CHECK(steps_of(&p, &hesca_solver_two_phase, 0) == 31, "two-phase");
    hesca_problem_clear(&p);
}

/* LIM Figure 9: the shifts of R_x(6,9), then the last permutation. */
static void
six_nine(void)
{
    hesca_problem p;
    plans x;
    make_circulant(&p, 6 * 9, 1, 6, 9, 1);
    make_plans(&x, &p, &hesca_solver_indirect, 0, 9, "R(6,9)");
    CHECK(x.of[0].nsteps == 4, "%d steps", x.of[0].nsteps);
    for (int j = 0; j < 9; ++j) {
        const int dest[4] = {(j + 6) % 9, j / 3 * 3 + (j + 2) % 3,
                             j / 3 * 3 + (j + 1) % 3, 0};
        for (int t = 0; t < 3; ++t)
            CHECK(x.of[j].step[t].dest.rank == dest[t],
                  "step %d: %d sends to %d, not %d", t, j,
                  x.of[j].step[t].dest.rank, dest[t]);
    }
    clear_plans(&x);
    hesca_problem_clear(&p);
}

/* ------------------------------------------------ beyond LIM */

static void
random_relays(void)
{
    int patterned = 0;
    for (int c = 0; c < check_cases(400); ++c) {
        const int nprocs = check_uniform(1, 12);
        const int m = check_uniform(1, 30), n = check_uniform(1, 30);
        place a = place_random(m, n, nprocs), b = place_random(m, n, nprocs);
        if (check_uniform(0, 1)) { /* the same grid, other blocks */
            hesca_layout_free(b.layout);
            b = a;
            b.mb = a.mb * check_uniform(1, 4);
            b.nb = check_uniform(0, 1) ? a.nb * check_uniform(1, 4)
                                       : check_uniform(1, 9);
            place_create(&b);
        }
        hesca_problem p;
        char text[900];
        snprintf(text, sizeof text, "%dx%d, {%s} to {%s}", m, n, a.text,
                 b.text);
        CHECK(hesca_problem_init(&p, HESCA_ALL, m, n, a.layout, a.i, a.j,
                                 b.layout, b.i, b.j, 8) == HESCA_SUCCESS,
              "%s", text);
        patterned += hesca_store_forward_is_patterned(&p);
        check_all_degrees(&p, nprocs, text);
        hesca_problem_clear(&p);
        hesca_layout_free(a.layout);
        hesca_layout_free(b.layout);
    }
    CHECK(patterned > 20, "only %d with patterns", patterned);
}

/* A problem between layouts in generalized blocks on the same grid. */
typedef struct {
    int nprow, npcol, m, n;
    int64_t heights[2][PLACE_MOST], widths[2][PLACE_MOST]; /* of A, of B */
} blocks;

static void
make_generalized(hesca_problem *p, const blocks *x)
{
    hesca_layout *side[2];
    for (int k = 0; k < 2; ++k)
        if (hesca_layout_create_generalized(x->m, x->n, x->nprow, x->npcol,
                                            x->heights[k], x->widths[k], NULL,
                                            &side[k]) < 0)
            abort();
    if (hesca_problem_init(p, HESCA_ALL, x->m, x->n, side[0], 0, 0, side[1], 0,
                           0, 8) < 0)
        abort();
    hesca_layout_free(side[0]);
    hesca_layout_free(side[1]);
}

/* Processes in the circle of a schedule; 0: it has a pattern. */
static int
circle_of(const hesca_problem *p, const hesca_solver *s)
{
    const hesca_choice choice = {.solver = s};
    hesca_schedule x;
    CHECK(hesca_schedule_init(&choice, p, 0, &x) == HESCA_SUCCESS, "%s",
          s->name);
    const int n = x.store_forward->nring;
    hesca_schedule_clear(&x);
    return n;
}

static void
check_serves(const hesca_problem *p, int serves, const char *text)
{
    static const hesca_solver *const legged[] = {
        &hesca_solver_lcm, &hesca_solver_gcd, &hesca_solver_multiphase,
        &hesca_solver_two_phase};
    for (int k = 0; k < 4; ++k)
        CHECK((legged[k]->degree(legged[k], p) >= 0) == serves, "%s: %s", text,
              legged[k]->name);
}

/* R_x(K,P) along the columns and rows that stay, which are cut unevenly:
 * the pattern of R_x(K,P) serves.  Where columns are cut unevenly, too, none
 * does, and packets go round the circle. */
static void
check_generalized(int k, int np, int nprow)
{
    blocks x = {.nprow = nprow, .npcol = np, .m = 4 * nprow + 3};
    const int nb = check_uniform(1, 3), dual = check_uniform(0, 1);
    hesca_problem p, q;
    char text[80];
    snprintf(text, sizeof text, "R_%d(%d,%d) on %d rows, dual %d", nb, k, np,
             nprow, dual);
    for (int r = 0; r < nprow; ++r)
        x.heights[0][r] = x.heights[1][r] = r % 3 == 2 ? 0 : r + 1;
    for (int c = 0; c < np; ++c) {
        x.widths[dual][c] = nb;
        x.widths[!dual][c] = k * nb;
    }
    x.n = 2 * k * nb * np + 1;
    make_generalized(&p, &x);
    make_circulant(&q, x.n, dual ? k * nb : nb, dual ? nb : k * nb, np, 1);
    CHECK(hesca_store_forward_is_patterned(&p) &&
              circle_of(&p, &hesca_solver_indirect) == 0 &&
              circle_of(&p, &hesca_solver_hybrid) == 0,
          "%s: no pattern", text);
    for (int d = 0; d <= hesca_solver_hybrid.degree(&hesca_solver_hybrid, &q);
         ++d)
        CHECK(steps_of(&p, &hesca_solver_hybrid, d) ==
                  steps_of(&q, &hesca_solver_hybrid, d),
              "%s: hybrid:%d takes %d steps", text, d,
              steps_of(&p, &hesca_solver_hybrid, d));
    check_serves(&p, 1, text);
    check_all_degrees(&p, nprow * np, text);
    hesca_problem_clear(&p);
    hesca_problem_clear(&q);
    x.heights[1][0] += 1;
    x.widths[1][np - 1] += 1;
    make_generalized(&p, &x);
    CHECK(!hesca_store_forward_is_patterned(&p) &&
              circle_of(&p, &hesca_solver_indirect) == nprow * np &&
              circle_of(&p, &hesca_solver_hybrid) == nprow * np &&
              steps_of(&p, &hesca_solver_indirect, 0) == log2_up(nprow * np),
          "%s: a pattern", text);
    check_serves(&p, 0, text);
    check_all_degrees(&p, nprow * np, text);
    hesca_problem_clear(&p);
}

static void
generalized_blocks(void)
{
    for (int np = 2; np <= 7; ++np)
        for (int k = 1; k <= np; ++k)
            for (int nprow = 2; nprow <= 4; ++nprow)
                check_generalized(k, np, nprow);
}

/* Legs follow each other, from A to B. */
static void
check_phases(const hesca_problem *p, const hesca_solver *s, const char *text)
{
    const hesca_choice choice = {.solver = s};
    hesca_schedule x;
    int steps = 0;
    CHECK(hesca_schedule_init(&choice, p, 0, &x) == HESCA_SUCCESS, "%s", text);
    CHECK(x.order == HESCA_ORDER_MULTIPHASE && x.nphases >= 1,
          "%s: %s has %d phases", text, s->name, x.nphases);
    for (int k = 0; k < x.nphases; ++k) {
        const hesca_problem *phase = &x.phase[k].problem;
        const hesca_problem *last = k == 0 ? NULL : &x.phase[k - 1].problem;
        CHECK(phase->m == p->m && phase->n == p->n && phase->part == p->part &&
                  phase->esize == p->esize,
              "%s: %s, phase %d is another matrix", text, s->name, k);
        CHECK(hesca_layout_equal(phase->a, last == NULL ? p->a : last->b) &&
                  phase->ia == (last == NULL ? p->ia : last->ib) &&
                  phase->ja == (last == NULL ? p->ja : last->jb),
              "%s: %s, phase %d begins elsewhere", text, s->name, k);
        CHECK(hesca_store_forward_is_patterned(phase) ||
                  s == &hesca_solver_lcm || s == &hesca_solver_gcd,
              "%s: %s, phase %d has no pattern", text, s->name, k);
        steps += x.phase[k].schedule.nsteps;
        if (k + 1 == x.nphases)
            CHECK(hesca_layout_equal(phase->b, p->b) && phase->ib == p->ib &&
                      phase->jb == p->jb,
                  "%s: %s ends elsewhere", text, s->name);
    }
    CHECK(steps == x.nsteps, "%s: %s has %d steps", text, s->name, x.nsteps);
    hesca_schedule_clear(&x);
}

static void
random_phases(void)
{
    static const hesca_solver *const legged[] = {
        &hesca_solver_lcm, &hesca_solver_gcd, &hesca_solver_multiphase,
        &hesca_solver_two_phase};
    int served[4] = {0};
    for (int c = 0; c < check_cases(1000); ++c) {
        const int nprocs = check_uniform(1, 12);
        const int m = check_uniform(1, 30), n = check_uniform(1, 30);
        place a = place_random(m, n, nprocs), b = a;
        b.mb = check_uniform(0, 1) ? a.mb * check_uniform(1, 12)
                                   : check_uniform(1, 12);
        b.nb = check_uniform(0, 1) ? a.nb : check_uniform(1, 12);
        b.i = check_uniform(0, a.i);
        b.j = check_uniform(0, 1) ? a.j : 0;
        place_create(&b);
        hesca_problem p;
        char text[900];
        snprintf(text, sizeof text, "%dx%d, {%s} to {%s}", m, n, a.text,
                 b.text);
        const int dual = check_uniform(0, 1);
        const place *from = dual ? &b : &a, *to = dual ? &a : &b;
        CHECK(hesca_problem_init(&p, HESCA_ALL, m, n, from->layout, from->i,
                                 from->j, to->layout, to->i, to->j,
                                 8) == HESCA_SUCCESS,
              "%s", text);
        for (int k = 0; k < 4; ++k)
            if (legged[k]->degree(legged[k], &p) == 0) {
                check_phases(&p, legged[k], text);
                ++served[k];
            }
        hesca_problem_clear(&p);
        hesca_layout_free(a.layout);
        hesca_layout_free(b.layout);
    }
    for (int k = 0; k < 4; ++k)
        CHECK(served[k] > 50, "%s served only %d", legged[k]->name, served[k]);
}

/* LIM Table 1, last row: pairwise prime x, y and P. */
static void
prime_blocks(void)
{
    int count = 0;
    for (int np = 3; np <= 32; ++np)
        for (int x = 2; x < np; ++x)
            for (int y = x + 1; y < np; ++y) {
                hesca_problem p;
                if (hesca_gcd(x, y) > 1 || hesca_gcd(x, np) > 1 ||
                    hesca_gcd(y, np) > 1)
                    continue;
                make_circulant(&p, (int64_t)x * y * np, x, y, np, 1);
                const int bound = log2_up(x) + log2_up(y) + 4;
                const int lcm = steps_of(&p, &hesca_solver_lcm, 0);
                const int gcd = steps_of(&p, &hesca_solver_gcd, 0);
                CHECK(lcm <= bound && gcd <= bound,
                      "cyclic(%d) to cyclic(%d) on %d: %d and %d steps", x, y,
                      np, lcm, gcd);
                hesca_problem_clear(&p);
                ++count;
            }
    CHECK(count > 100, "only %d", count);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(small_circulant), UNIT(theorem_three),      UNIT(thirty_one),
        UNIT(six_nine),        UNIT(generalized_blocks), UNIT(random_relays),
        UNIT(random_phases),   UNIT(prime_blocks)};
    unit_begin("sched/t_store_forward", 20261121);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "sched/store_forward.h"
#include "base/arith.h"
#include "base/status.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const hesca_packet none = {-1, -1, -1, -1};

/* --- bits ---
 * The lane numbers i1 and i2 of both axes are split into low bits, which are
 * aligned by shifts, and high bits, which distinguish deliveries. */

/* Least number of bits that distinguish n numbers. */
static int
log2_up(int64_t n)
{
    int bits = 0;
    while ((int64_t)1 << bits < n)
        ++bits;
    return bits;
}

/* Number of different values of 0 ... n - 1 without their lowest bits. */
static int64_t
shortened(int64_t n, int bits)
{
    return (n + ((int64_t)1 << bits) - 1) >> bits;
}

/* Ranges of the numbers of a lane: i1 and i2 of the rows, i1 and i2 of the
 * columns. */
static void
dimensions(const hesca_pattern *axis, int64_t size[4])
{
    for (int k = 0; k < 2; ++k) {
        size[2 * k] = axis[k].table.k1;
        size[2 * k + 1] = axis[k].table.g;
    }
}

static int
largest_degree(const hesca_pattern *axis)
{
    int64_t size[4];
    int sum = 0;
    dimensions(axis, size);
    for (int k = 0; k < 4; ++k)
        sum += log2_up(size[k]);
    return sum;
}

/* Assign `degree` bits to the numbers from k on, such that the least number of
 * deliveries is left; `left` is the factor of the numbers before k.  At
 * equality rows come before columns, and LIM's K' before its G. */
static void
assign_bits(const int64_t size[4], int k, int degree, int64_t left,
            int bits[4], int64_t *least, int best[4])
{
    if (k == 4) {
        if (degree == 0 && (*least == 0 || left < *least)) {
            *least = left;
            memcpy(best, bits, 4 * sizeof *best);
        }
        return;
    }
    const int most = (int)hesca_min(degree, log2_up(size[k]));
    for (bits[k] = most; bits[k] >= 0; --bits[k])
        assign_bits(size, k + 1, degree - bits[k],
                    left * shortened(size[k], bits[k]), bits, least, best);
}

/* Align `degree` bits.  If their shifts and deliveries are more than the
 * degree + ceil(lanes / 2^degree) steps of LIM's Theorem 3 (iii), align the
 * least larger number of bits with which they are not; if there is none, the
 * least number with the fewest steps. */
static void
choose_bits(hesca_store_forward *x, int degree)
{
    const int64_t bound =
        degree + shortened(hesca_store_forward_lanes(x), degree);
    const int most = largest_degree(x->axis);
    int64_t size[4], steps = INT64_MAX;
    int best[4] = {0};
    dimensions(x->axis, size);
    for (int d = degree; d <= most && steps > bound; ++d) {
        int64_t left = 0;
        int bits[4], assigned[4];
        assign_bits(size, 0, d, 1, bits, &left, assigned);
        if (d + left < steps) {
            steps = d + left;
            memcpy(best, assigned, sizeof best);
        }
    }
    for (int k = 0; k < 2; ++k) {
        x->bits[k][0] = best[2 * k];
        x->bits[k][1] = best[2 * k + 1];
        x->groups[k] = shortened(size[2 * k], best[2 * k]) *
                       shortened(size[2 * k + 1], best[2 * k + 1]);
    }
}

/* List the shifts.  Those of a dual axis are in reverse order and follow the
 * deliveries. */
static void
list_shifts(hesca_store_forward *x)
{
    for (int k = 0; k < 2; ++k)
        for (int dim = 0; dim < 2; ++dim)
            for (int bit = 0; bit < x->bits[k][dim]; ++bit) {
                const hesca_shift s = {k, dim, bit};
                if (x->axis[k].dual)
                    x->post[x->npost++] = s;
                else
                    x->pre[x->npre++] = s;
            }
    for (int i = 0; i < x->npost / 2; ++i) {
        const hesca_shift s = x->post[i];
        x->post[i] = x->post[x->npost - 1 - i];
        x->post[x->npost - 1 - i] = s;
    }
}

/* --- construction ---
 * Grid: both grids have the same shape, and an axis without a pattern uses
 * shifts.  Circle: axis 0 is the circle, and axis 1 has one owner. */

/* Find the patterns of both axes; an axis without one gets shifts.  Return the
 * number of patterns, 0 if the layouts are not products on equal grids. */
static int
find_patterns(const hesca_problem *p, hesca_pattern axis[2])
{
    if (p->a->nprow != p->b->nprow || p->a->npcol != p->b->npcol ||
        !hesca_layout_is_product(p->a) || !hesca_layout_is_product(p->b))
        return 0;
    const int rows =
        hesca_pattern_find(&axis[0], p->a->rows, p->ia, p->b->rows, p->ib);
    const int cols =
        hesca_pattern_find(&axis[1], p->a->cols, p->ja, p->b->cols, p->jb);
    if (!rows)
        axis[0] = hesca_pattern_shifts(p->a->nprow);
    if (!cols)
        axis[1] = hesca_pattern_shifts(p->a->npcol);
    return rows + cols;
}

static int
compare(const void *x, const void *y)
{
    const int a = *(const int *)x, b = *(const int *)y;
    return a < b ? -1 : a > b;
}

/* The ranks of both grids, ascending, without duplicates. */
static void
list_ranks(const hesca_problem *p, int *rank)
{
    const int na = p->a->nprow * p->a->npcol, nb = p->b->nprow * p->b->npcol;
    int n = 0;
    memcpy(rank, p->a->ranks, (size_t)na * sizeof *rank);
    memcpy(rank + na, p->b->ranks, (size_t)nb * sizeof *rank);
    qsort(rank, (size_t)(na + nb), sizeof *rank, compare);
    for (int k = 0; k < na + nb; ++k)
        if (n == 0 || rank[n - 1] != rank[k])
            rank[n++] = rank[k];
    assert(n == p->nprocs);
}

/* Position of a rank in the circle; -1 if it is not in it. */
static int
ring_position(const hesca_store_forward *x, int rank)
{
    const int *at =
        bsearch(&rank, x->ring, (size_t)x->nring, sizeof *x->ring, compare);
    return at == NULL ? -1 : (int)(at - x->ring);
}

static int
make_circle(hesca_store_forward *x)
{
    const hesca_layout *a = x->problem->a, *b = x->problem->b;
    const int na = a->nprow * a->npcol, nb = b->nprow * b->npcol;
    int *all = malloc(3 * (size_t)(na + nb) * sizeof *all);
    if (all == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a circle of %d processes",
                          na + nb);
    x->ring = all;
    list_ranks(x->problem, all);
    x->ring_a = all + x->nring;
    x->ring_b = all + 2 * x->nring;
    memset(x->ring_a, -1, 2 * (size_t)x->nring * sizeof *all);
    for (int k = 0; k < na; ++k)
        x->ring_a[ring_position(x, a->ranks[k])] = k;
    for (int k = 0; k < nb; ++k)
        x->ring_b[ring_position(x, b->ranks[k])] = k;
    x->a_at[0] = x->b_at[0] = ring_position(x, x->iproc);
    return HESCA_SUCCESS;
}

static void
find_place(const hesca_layout *grid, int iproc, int at[2])
{
    at[0] = at[1] = -1;
    hesca_layout_coords(grid, iproc, &at[0], &at[1]);
}

int
hesca_store_forward_degree(const hesca_problem *p,
                           hesca_store_forward_kind kind)
{
    hesca_pattern axis[2];
    if (kind == HESCA_STORE_FORWARD_GRID)
        return find_patterns(p, axis) > 0 ? largest_degree(axis) : -1;
    return log2_up(p->nprocs);
}

int
hesca_store_forward_is_patterned(const hesca_problem *p)
{
    hesca_pattern axis[2];
    return find_patterns(p, axis) == 2;
}

int
hesca_store_forward_init(hesca_store_forward *x, const hesca_problem *p,
                         hesca_store_forward_kind kind, int degree, int iproc)
{
    int err = HESCA_SUCCESS;
    *x = (hesca_store_forward){.problem = p, .iproc = iproc};
    if (kind == HESCA_STORE_FORWARD_CIRCLE) {
        x->nring = p->nprocs;
        x->axis[0] = hesca_pattern_shifts(p->nprocs);
        x->axis[1] = hesca_pattern_shifts(1);
        x->a_at[0] = x->b_at[0] = -1;
        if (iproc >= 0)
            HESCA_TRY(err, make_circle(x));
    } else {
        find_patterns(p, x->axis);
        find_place(p->a, iproc, x->a_at);
        find_place(p->b, iproc, x->b_at);
    }
    choose_bits(x, degree);
    list_shifts(x);
    /* In a circle, lanes whose high bits are 0 need no delivery: the shifts
     * bring them to their destination. */
    x->ndeliver = x->groups[0] * x->groups[1] - (x->nring > 0);
fail:
    return err;
}

void
hesca_store_forward_clear(hesca_store_forward *x)
{
    free(x->ring); /* holds all three arrays */
    memset(x, 0, sizeof *x);
}

/* --- lanes and partners ---
 * Before its delivery a packet is on a process of A, after it on a process of
 * B.  All processes move the same lanes in a step, so every packet that leaves
 * a lane is replaced by a received one. */

int64_t
hesca_store_forward_steps(const hesca_store_forward *x)
{
    return x->npre + x->ndeliver + x->npost;
}

int64_t
hesca_store_forward_lanes(const hesca_store_forward *x)
{
    return x->axis[0].table.k * x->axis[1].table.k;
}

/* The lane of one axis that belongs to a lane. */
static int64_t
lane_of(const hesca_store_forward *x, int64_t lane, int axis)
{
    const int64_t n = x->axis[1].table.k;
    return axis == 0 ? lane / n : lane % n;
}

/* The delivery that moves a lane, counted from 0; -1: it needs none. */
static int64_t
delivery_of(const hesca_store_forward *x, int64_t lane)
{
    int64_t group = 0;
    for (int k = 0; k < 2; ++k) {
        const int64_t i = lane_of(x, lane, k), g = x->axis[k].table.g;
        const int *bits = x->bits[k];
        group = group * x->groups[k] +
                (i / g >> bits[0]) * shortened(g, bits[1]) +
                (i % g >> bits[1]);
    }
    return group - (x->nring > 0);
}

/* The lane of an axis that a delivery moves and that no shift moves: its low
 * bits are 0. */
static int64_t
delivered_lane(const hesca_store_forward *x, int64_t delivery, int axis)
{
    const int64_t all = delivery + (x->nring > 0);
    const int64_t group = axis == 0 ? all / x->groups[1] : all % x->groups[1];
    const int64_t g = x->axis[axis].table.g;
    const int *bits = x->bits[axis];
    const int64_t n = shortened(g, bits[1]);
    return ((group / n) << bits[0]) * g + ((group % n) << bits[1]);
}

static int
has_bit(const hesca_store_forward *x, int64_t lane, const hesca_shift *s)
{
    const int64_t i = lane_of(x, lane, s->axis), g = x->axis[s->axis].table.g;
    return (s->dim == 0 ? i / g : i % g) >> s->bit & 1;
}

/* The distance by which shifts begin ... end - 1 move a lane along an axis. */
static hesca_position
distance(const hesca_store_forward *x, int64_t lane, int axis,
         const hesca_shift *s, int64_t begin, int64_t end)
{
    hesca_position d = {0, 0};
    for (int64_t t = begin; t < end; ++t)
        if (s[t].axis == axis && has_bit(x, lane, &s[t])) {
            d.j1 += s[t].dim == 0 ? (int64_t)1 << s[t].bit : 0;
            d.j2 += s[t].dim == 1 ? (int64_t)1 << s[t].bit : 0;
        }
    return d;
}

/* The rank with owner numbers (r,c) in a grid, or in the circle. */
static int
rank_at(const hesca_store_forward *x, const hesca_layout *grid, int r, int c)
{
    return x->nring > 0 ? x->ring[r] : grid->ranks[r * grid->npcol + c];
}

static int
shifted_rank(const hesca_store_forward *x, const hesca_layout *grid,
             const int at[2], const hesca_shift *s, int sign)
{
    const hesca_pattern *t = &x->axis[s->axis];
    const int64_t far = sign * ((int64_t)1 << s->bit);
    int to[2] = {at[0], at[1]};
    if (at[0] < 0)
        return -1;
    to[s->axis] = hesca_pattern_owner(
        t, hesca_pattern_move(t, hesca_pattern_position(t, at[s->axis]),
                              s->dim == 0 ? far : 0, s->dim == 1 ? far : 0));
    return rank_at(x, grid, to[0], to[1]);
}

/* The owner that lane i of an axis joins with a given one: an owner of the
 * coarser blocks with one of the finer blocks, or vice versa. */
static int
partner(const hesca_pattern *t, int64_t i, int owner, int owner_is_fine)
{
    return owner_is_fine
               ? hesca_pattern_coarse(t, i, hesca_pattern_position(t, owner))
               : hesca_pattern_owner(t, hesca_pattern_fine(t, i, owner));
}

static int
delivery_rank(const hesca_store_forward *x, int64_t delivery, const int at[2],
              int from_a)
{
    int to[2];
    if (at[0] < 0)
        return -1;
    for (int k = 0; k < 2; ++k)
        to[k] = partner(&x->axis[k], delivered_lane(x, delivery, k), at[k],
                        x->axis[k].dual != from_a);
    return rank_at(x, from_a ? x->problem->b : x->problem->a, to[0], to[1]);
}

void
hesca_store_forward_peers(const hesca_store_forward *x, int64_t step,
                          int *dest, int *src)
{
    const int64_t delivery = step - x->npre, post = delivery - x->ndeliver;
    if (delivery < 0) {
        const hesca_shift *s = &x->pre[step];
        *dest = shifted_rank(x, x->problem->a, x->a_at, s, -1);
        *src = shifted_rank(x, x->problem->a, x->a_at, s, 1);
    } else if (post < 0) {
        *dest = delivery_rank(x, delivery, x->a_at, 1);
        *src = delivery_rank(x, delivery, x->b_at, 0);
    } else {
        const hesca_shift *s = &x->post[post];
        *dest = shifted_rank(x, x->problem->b, x->b_at, s, 1);
        *src = shifted_rank(x, x->problem->b, x->b_at, s, -1);
    }
}

int
hesca_store_forward_moves(const hesca_store_forward *x, int64_t lane,
                          int64_t step)
{
    const int64_t delivery = step - x->npre, post = delivery - x->ndeliver;
    if (delivery < 0)
        return has_bit(x, lane, &x->pre[step]);
    if (post < 0)
        return delivery_of(x, lane) == delivery;
    return has_bit(x, lane, &x->post[post]);
}

/* --- numbers of lanes ---
 * They are computed from the ranges of lane numbers, without a loop over all
 * lanes. */

/* Number of integers in 0 ... n - 1 that have a bit set. */
static int64_t
with_bit(int64_t n, int bit)
{
    const int64_t half = (int64_t)1 << bit;
    return n / (2 * half) * half + hesca_max(0, n % (2 * half) - half);
}

/* Number of integers in 0 ... n - 1 that are `high` without their lowest bits.
 */
static int64_t
with_head(int64_t n, int bits, int64_t high)
{
    return hesca_min(n, (high + 1) << bits) - (high << bits);
}

int64_t
hesca_store_forward_carried(const hesca_store_forward *x, int64_t step)
{
    const int64_t delivery = step - x->npre, post = delivery - x->ndeliver;
    int64_t lanes = 1;
    if (delivery < 0 || post >= 0) {
        const hesca_shift *s = delivery < 0 ? &x->pre[step] : &x->post[post];
        const hesca_circulant *t = &x->axis[s->axis].table;
        const int64_t n = s->dim == 0 ? t->k1 : t->g;
        return hesca_store_forward_lanes(x) / n * with_bit(n, s->bit);
    }
    for (int k = 0; k < 2; ++k) {
        const hesca_circulant *t = &x->axis[k].table;
        const int64_t i = delivered_lane(x, delivery, k);
        const int *bits = x->bits[k];
        lanes *= with_head(t->k1, bits[0], i / t->g >> bits[0]) *
                 with_head(t->g, bits[1], i % t->g >> bits[1]);
    }
    return lanes;
}

/* --- packets ---
 * A packet is identified by its source and destination, which are computed
 * from its lane, the step and the process that holds it. */

/* The owner numbers, along one axis, of the packet in a lane. */
static void
trace(const hesca_store_forward *x, int64_t lane, int64_t step, int axis,
      int *a, int *b)
{
    const hesca_pattern *t = &x->axis[axis];
    const int64_t i = lane_of(x, lane, axis);
    const int delivered = step - x->npre > delivery_of(x, lane);
    const int here = delivered ? x->b_at[axis] : x->a_at[axis];
    /* The distance of the finer end is that of the shifts before this step, or
     * of those after it. */
    const int64_t post = hesca_max(0, step - x->npre - x->ndeliver);
    if (delivered != t->dual) { /* the coarser end is here */
        const int other = partner(t, i, here, 0);
        *a = delivered ? other : here;
        *b = delivered ? here : other;
        return;
    }
    const hesca_position d =
        delivered
            ? distance(x, lane, axis, x->post, post, x->npost)
            : distance(x, lane, axis, x->pre, 0, hesca_min(step, x->npre));
    const hesca_position end =
        hesca_pattern_move(t, hesca_pattern_position(t, here), d.j1, d.j2);
    const int fine = hesca_pattern_owner(t, end);
    const int coarse = hesca_pattern_coarse(t, i, end);
    *a = delivered ? coarse : fine;
    *b = delivered ? fine : coarse;
}

hesca_packet
hesca_store_forward_packet(const hesca_store_forward *x, int64_t lane,
                           int64_t step)
{
    const int delivered = step - x->npre > delivery_of(x, lane);
    hesca_packet p;
    if ((delivered ? x->b_at[0] : x->a_at[0]) < 0)
        return none;
    trace(x, lane, step, 0, &p.r, &p.s);
    trace(x, lane, step, 1, &p.c, &p.d);
    if (x->nring == 0)
        return p;
    const int a = x->ring_a[p.r], b = x->ring_b[p.s];
    const int acols = x->problem->a->npcol, bcols = x->problem->b->npcol;
    if (a < 0 || b < 0)
        return none;
    return (hesca_packet){a / acols, a % acols, b / bcols, b % bcols};
}

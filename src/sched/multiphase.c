/* SPDX-License-Identifier: BSD-3-Clause */
#include "sched/multiphase.h"
#include "base/arith.h"
#include "base/status.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- intermediate block sizes ---
 * The blocks of an axis are in the order from A to B, and every phase between
 * two of them has a pattern.  All have the same offset of the submatrix. */

/* The factor of k by which the next phase changes the block size. */
static int64_t
next_factor(int64_t k, int two)
{
    int64_t best = k;
    for (int64_t f = 2; f * f <= k; ++f)
        if (k % f == 0) {
            best = f;
            if (!two)
                break; /* the least factor is prime; the last one found is the
                          nearest to sqrt k */
        }
    return best;
}

int
hesca_phase_blocks_factors(hesca_phase_blocks *blocks, const hesca_axis *a,
                           int64_t ia, const hesca_axis *b, int64_t ib,
                           int two)
{
    hesca_pattern t;
    int src;
    if (!hesca_pattern_find(&t, a, ia, b, ib))
        return 0;
    *blocks = (hesca_phase_blocks){.n = 0};
    if (t.table.k == 1)
        return 1;
    const int64_t fine = hesca_axis_is_cyclic(t.dual ? b : a, &src);
    const int64_t coarse = hesca_axis_is_cyclic(t.dual ? a : b, &src);
    if (coarse > INT_MAX)
        return 0;
    int64_t left = coarse / fine;
    blocks->origin = hesca_mod(t.dual ? ia : ib, coarse);
    while (left > 1) {
        const int64_t f = next_factor(left, two);
        left /= f;
        if (left > 1)
            blocks->nb[blocks->n++] = fine * (coarse / fine / left);
        if (two)
            break;
    }
    for (int k = 0; t.dual && k < blocks->n / 2; ++k) {
        const int64_t nb = blocks->nb[k];
        blocks->nb[k] = blocks->nb[blocks->n - 1 - k];
        blocks->nb[blocks->n - 1 - k] = nb;
    }
    return 1;
}

int
hesca_phase_blocks_common(hesca_phase_blocks *blocks, const hesca_axis *a,
                          int64_t ia, const hesca_axis *b, int64_t ib, int lcm)
{
    int src;
    *blocks = (hesca_phase_blocks){.n = 0};
    if (hesca_axis_coincide(a, ia, b, ib))
        return 1;
    const int64_t x = hesca_axis_is_cyclic(a, &src);
    const int64_t y = hesca_axis_is_cyclic(b, &src);
    if (a->nowners != b->nowners || x == 0 || y == 0)
        return 0;
    const int64_t most = (int64_t)INT_MAX + 1;
    const int64_t g = hesca_gcd(x, y), m = hesca_lcm_below(x, y, most);
    if ((ia - ib) % g != 0 || m == most)
        return 0;
    blocks->nb[0] = lcm ? m : g;
    blocks->n = blocks->nb[0] != x && blocks->nb[0] != y;
    blocks->origin = ia % g;
    if (lcm) {
        /* The offset that is ia modulo x and ib modulo y, by the Chinese
         * remainder theorem. */
        int64_t u, v;
        hesca_gcd_ext(x / g, y / g, &u, &v);
        const int64_t k = hesca_mod((ib - ia) / g * u, y / g);
        blocks->origin = hesca_mod(ia + k * x, m);
    }
    return 1;
}

/* --- layouts ---
 * Every intermediate layout is on the grid of A.  An axis is that of A, a
 * stop, or that of B. */

/* One axis of a layout, after some of its changes. */
typedef struct {
    const hesca_axis *axis; /* of A or of B; NULL for a stop */
    int64_t n, origin;      /* n is set for a stop only */
    int nb;                 /* block size of a stop; otherwise any */
} cut;

static cut
cut_at(const hesca_phase_blocks *blocks, int done, const hesca_axis *a,
       int64_t ia, const hesca_axis *b, int64_t ib, int64_t n)
{
    if (done == 0)
        return (cut){.axis = a, .origin = ia, .nb = 1};
    if (done > blocks->n)
        return (cut){.axis = b, .origin = ib, .nb = 1};
    return (cut){NULL, blocks->origin + n, blocks->origin,
                 (int)blocks->nb[done - 1]};
}

static int
copy_axis(hesca_axis *to, const cut *c)
{
    hesca_axis_clear(to);
    return c->axis == NULL ? HESCA_SUCCESS : hesca_axis_copy(to, c->axis);
}

/* The layout on A's processes with these rows and columns. */
static int
make_stop(const hesca_problem *p, const cut *rows, const cut *cols,
          hesca_layout **layout)
{
    const hesca_layout *a = p->a;
    int err;
    HESCA_TRY(err, hesca_layout_create_cyclic(rows->n, cols->n, rows->nb,
                                              cols->nb, 0, 0, a->nprow,
                                              a->npcol, a->ranks, layout));
    if (rows->axis != NULL)
        HESCA_TRY(err, copy_axis((*layout)->rows, rows));
    if (cols->axis != NULL)
        HESCA_TRY(err, copy_axis((*layout)->cols, cols));
    return HESCA_SUCCESS;
fail:
    hesca_layout_free(*layout);
    *layout = NULL;
    return err;
}

/* --- phases ---
 * Phase k leads from layout k to layout k + 1; layout 0 is A and layout n is
 * B, so the phases form a chain. */

static int
count_phases(const hesca_multiphase_way *x)
{
    if (x->together)
        return (x->rows.n > x->cols.n ? x->rows.n : x->cols.n) + 1;
    return x->rows.n + x->cols.n + 1 + (x->rows.n > 0 && x->cols.n > 0);
}

/* Numbers of changes of the rows and of the columns after k of n phases.  If
 * the axes do not change together, all changes of the rows come first.  An
 * axis without blocks changes in the last phase. */
static void
progress(const hesca_multiphase_way *x, int k, int n, int *rows, int *cols)
{
    if (k == n) {
        *rows = x->rows.n + 1;
        *cols = x->cols.n + 1;
    } else if (x->together) {
        *rows = x->rows.n > 0 ? k : 0;
        *cols = x->cols.n > 0 ? k : 0;
    } else {
        const int first = x->rows.n + (x->rows.n > 0 && x->cols.n > 0);
        *rows = k < first ? k : first;
        *cols = k < first ? 0 : k - first;
    }
}

/* The layout of the matrix after k phases, and the first row and column of the
 * submatrix in it. */
static int
make_layout(const hesca_problem *p, const hesca_multiphase_way *x, int k,
            int n, hesca_layout **layout, int64_t *i, int64_t *j)
{
    int r, c, err = HESCA_SUCCESS;
    progress(x, k, n, &r, &c);
    const cut rows =
        cut_at(&x->rows, r, p->a->rows, p->ia, p->b->rows, p->ib, p->m);
    const cut cols =
        cut_at(&x->cols, c, p->a->cols, p->ja, p->b->cols, p->jb, p->n);
    *i = rows.origin;
    *j = cols.origin;
    if (k > 0 && k < n)
        return make_stop(p, &rows, &cols, layout);
    *layout = hesca_layout_copy(k == 0 ? p->a : p->b);
    if (*layout == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "a layout");
    return err;
}

/* The problem of phase k of n. */
static int
make_problem(const hesca_problem *p, const hesca_multiphase_way *x, int k,
             int n, hesca_problem *phase)
{
    hesca_layout *a = NULL, *b = NULL;
    int64_t ia, ja, ib, jb;
    int err;
    HESCA_TRY(err, make_layout(p, x, k, n, &a, &ia, &ja));
    HESCA_TRY(err, make_layout(p, x, k + 1, n, &b, &ib, &jb));
    HESCA_TRY(err, hesca_problem_init(phase, p->part, p->m, p->n, a, ia, ja, b,
                                      ib, jb, p->esize));
fail:
    hesca_layout_free(a);
    hesca_layout_free(b);
    return err;
}

int
hesca_multiphase_fill(const hesca_problem *p, const hesca_multiphase_way *way,
                      int iproc, hesca_schedule *schedule)
{
    const int n = count_phases(way);
    const hesca_choice choice = {.solver = way->solver};
    int err = HESCA_SUCCESS;
    schedule->order = HESCA_ORDER_MULTIPHASE;
    schedule->phase = calloc((size_t)n, sizeof *schedule->phase);
    if (schedule->phase == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d phases", n);
    for (int k = 0; k < n; ++k) {
        hesca_phase *phase = &schedule->phase[k];
        schedule->nphases = k + 1;
        HESCA_TRY(err, make_problem(p, way, k, n, &phase->problem));
        HESCA_TRY(err, hesca_schedule_init(&choice, &phase->problem, iproc,
                                           &phase->schedule));
        schedule->nsteps += phase->schedule.nsteps;
    }
fail:
    return err;
}

double
hesca_multiphase_predict(const hesca_problem *p,
                         const hesca_multiphase_way *way,
                         const hesca_link_costs *links)
{
    const int n = count_phases(way);
    double seconds = 0;
    for (int k = 0; k < n; ++k) {
        hesca_problem phase;
        if (make_problem(p, way, k, n, &phase) < 0)
            return -1;
        const hesca_workload work = hesca_workload_most(&phase);
        const double part =
            way->solver->predict(way->solver, &phase, &work, 0, links);
        hesca_problem_clear(&phase);
        if (part < 0)
            return -1;
        seconds += part;
    }
    return seconds;
}

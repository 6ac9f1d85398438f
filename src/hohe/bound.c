/* SPDX-License-Identifier: BSD-3-Clause */
/* The least time of a routine on a layout, from what each process must compute
 * and which elements it must receive.
 *
 * An element (i,j) of the result is the sum over k of products (i,k) (k,j): of
 * A and B, of L and U, of L and its transpose.  Of a factorization k ends
 * before the panel of min(i,j), because what is inside a panel may be computed
 * elsewhere: hesca_getrf() factors a panel on one process.  So of row i a
 * process needs the elements of the left factor in the columns before some
 * index, and of column j those of the right factor in the rows before another
 * one.  Cost: O(order) for each process, in O(order) memory. */
#include "base/arith.h"
#include "base/status.h"
#include "hohe/gblock_walk.h"
#include "layout/layout.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char ROUTINE[] = "hesca_bound_make";

/* Of one factor, by row (of the right one by column): how many leading
 * elements are needed. */
typedef struct {
    int64_t *need;           /* by the unit that was looked at last */
    int64_t *first, *second; /* the largest of all units, and the next */
    int *unit;               /* the unit that needs first[] */
} factor;

/* Processes in units, which are hosts or the processes themselves. */
typedef struct {
    const hesca_layout *layout, *source;
    const hesca_job *job;
    const hesca_machine *machine;
    const int *host; /* [nprocs] */
    int nprocs;
    const int *unit; /* [nprocs] */
    int *own;        /* [nprocs] the unit of each process if it is its own */
    factor left, right;
    double *speed; /* [nprocs] operations per second, with a core */
} bound;

/* --- parts of layouts ---
 * Pure functions of layout and place. */

typedef struct {
    const hesca_axis *row, *col;
    int p, q;
    int64_t nrows, ncols;
} part;

static part
part_of(const hesca_layout *x, int l)
{
    part a = {.p = l / x->npcol, .q = l % x->npcol};
    a.row = hesca_layout_row_axis(x, a.q);
    a.col = hesca_layout_col_axis(x, a.p);
    a.nrows = hesca_axis_count(a.row, a.p, a.row->n);
    a.ncols = hesca_axis_count(a.col, a.q, a.col->n);
    return a;
}

static int64_t
row_of(const part *a, int64_t local)
{
    return hesca_axis_global(a->row, a->p, local);
}

static int64_t
col_of(const part *a, int64_t local)
{
    return hesca_axis_global(a->col, a->q, local);
}

/* Terms of an element whose smaller index is k that only its owner can add. */
static int64_t
terms(const bound *x, int64_t k)
{
    return x->job->routine == HESCA_ROUTINE_GEMM ? x->job->n
                                                 : k / x->job->nb * x->job->nb;
}

static int
is_triangle(const bound *x)
{
    return x->job->routine == HESCA_ROUTINE_POTRF;
}

/* --- computing --- */

/* Operations of process l. */
static double
work_of(const bound *x, int l)
{
    const part a = part_of(x->layout, l);
    double sum = 0, above = 0;
    int64_t r = 0;
    for (int64_t c = 0; c < a.ncols; ++c) {
        const int64_t j = col_of(&a, c);
        for (int64_t i; r < a.nrows && (i = row_of(&a, r)) < j; ++r)
            above += (double)terms(x, i);
        sum += (double)terms(x, j) * (double)(a.nrows - r);
        sum += is_triangle(x) ? 0 : above;
    }
    return 2 * sum;
}

/* A process has at most a core, and those of a host its cores. */
static void
bound_computing(const bound *x, hesca_bound *b)
{
    double all = 0;
    b->compute = 0;
    for (int h = 0; h < x->machine->nhosts; ++h) {
        const double cores = x->machine->host[h].cores;
        double sum = 0, most = 0, speed = 0;
        int count = 0;
        for (int l = 0; l < x->nprocs; ++l) {
            if (x->host[l] != h)
                continue;
            const double work = work_of(x, l);
            speed = x->speed[l];
            sum += work;
            most = fmax(most, work);
            ++count;
        }
        if (count == 0)
            continue;
        all += speed * fmin(cores, count);
        b->compute =
            fmax(b->compute, fmax(most / (speed * fmin(cores, 1)),
                                  sum / (speed * fmin(cores, count))));
    }
    b->ideal = hesca_job_flops(x->job) / all;
    b->compute = fmax(b->compute, b->ideal);
}

/* --- elements that move ---
 * need[] belongs to one unit; first, second and unit to all of them, after
 * rank_needs() was called for each. */

static void
raise_to(int64_t *x, int64_t value)
{
    *x = hesca_max(*x, value);
}

/* What process l needs. */
static void
add_needs(const bound *x, int l)
{
    const part a = part_of(x->layout, l);
    int64_t *left = x->left.need, *right = x->right.need;
    if (a.nrows == 0 || a.ncols == 0)
        return;
    const int64_t last = row_of(&a, a.nrows - 1);
    for (int64_t r = 0; r < a.nrows; ++r) {
        const int64_t i = row_of(&a, r);
        const int64_t cols =
            is_triangle(x) ? hesca_axis_count(a.col, a.q, i + 1) : a.ncols;
        if (cols > 0)
            raise_to(&left[i], terms(x, hesca_min(i, col_of(&a, cols - 1))));
    }
    for (int64_t c = 0; c < a.ncols; ++c) {
        const int64_t j = col_of(&a, c);
        if (!is_triangle(x))
            raise_to(&right[j], terms(x, hesca_min(j, last)));
        else if (last >= j)
            raise_to(&left[j], terms(x, j));
    }
}

static void
find_needs(const bound *x, int unit)
{
    const size_t bytes = (size_t)x->job->n * sizeof(int64_t);
    memset(x->left.need, 0, bytes);
    memset(x->right.need, 0, bytes);
    for (int l = 0; l < x->nprocs; ++l)
        if (x->unit[l] == unit)
            add_needs(x, l);
}

static void
rank_needs(const bound *x, const factor *f, int unit)
{
    for (int64_t i = 0; i < x->job->n; ++i)
        if (f->need[i] > f->first[i]) {
            f->second[i] = f->first[i];
            f->first[i] = f->need[i];
            f->unit[i] = unit;
        } else
            raise_to(&f->second[i], f->need[i]);
}

/* Leading elements of row or column i of a factor that the unit needs, or
 * (others) that any other unit needs. */
static int64_t
needed(const factor *f, int64_t i, int unit, int others)
{
    return !others              ? f->need[i]
           : f->unit[i] == unit ? f->second[i]
                                : f->first[i];
}

/* Of the elements needed, those that the unit has. */
static double
count_own(const bound *x, int unit, int others)
{
    const hesca_layout *from =
        x->job->routine == HESCA_ROUTINE_GEMM ? x->source : x->layout;
    int64_t sum = 0;
    for (int l = 0; l < x->nprocs; ++l) {
        if (x->unit[l] != unit)
            continue;
        const part a = part_of(from, l);
        for (int64_t r = 0; r < a.nrows; ++r)
            sum += hesca_axis_count(
                a.col, a.q, needed(&x->left, row_of(&a, r), unit, others));
        for (int64_t c = 0; c < a.ncols; ++c)
            sum += hesca_axis_count(
                a.row, a.p, needed(&x->right, col_of(&a, c), unit, others));
    }
    return (double)sum;
}

static double
count_received(const bound *x, int unit)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < x->job->n; ++i)
        sum += x->left.need[i] + x->right.need[i];
    return (double)sum - count_own(x, unit, 0);
}

/* The highest rate of the wires between a unit and the others, in or out; 0:
 * there are no others. */
static double
rate_of(const bound *x, int unit, int out)
{
    const hesca_machine *m = x->machine;
    double rate = 0;
    for (int l = 0; l < x->nprocs; ++l)
        for (int k = 0; k < x->nprocs && x->unit[l] == unit; ++k) {
            const int from = out ? x->host[l] : x->host[k];
            const int to = out ? x->host[k] : x->host[l];
            if (x->unit[k] != unit)
                rate = fmax(rate, m->wire[from * m->nhosts + to].rate);
        }
    return rate;
}

static double
seconds(const bound *x, int unit, int out, double elements)
{
    return elements > 0
               ? elements * (double)sizeof(double) / rate_of(x, unit, out)
               : 0;
}

static void
bound_messages(bound *x, const int *unit, int nunits, hesca_bound *b)
{
    const size_t n = (size_t)x->job->n;
    x->unit = unit;
    for (int f = 0; f < 2; ++f) {
        const factor *z = f == 0 ? &x->left : &x->right;
        memset(z->first, 0, n * sizeof *z->first);
        memset(z->second, 0, n * sizeof *z->second);
        memset(z->unit, 0, n * sizeof *z->unit);
    }
    for (int u = 0; u < nunits; ++u) {
        find_needs(x, u);
        rank_needs(x, &x->left, u);
        rank_needs(x, &x->right, u);
        b->receive = fmax(b->receive, seconds(x, u, 0, count_received(x, u)));
    }
    for (int u = 0; u < nunits; ++u)
        b->send = fmax(b->send, seconds(x, u, 1, count_own(x, u, 1)));
}

/* --- the call --- */

static int
allocate(factor *f, size_t n)
{
    f->need = malloc(n * sizeof *f->need);
    f->first = malloc(n * sizeof *f->first);
    f->second = malloc(n * sizeof *f->second);
    f->unit = malloc(n * sizeof *f->unit);
    return f->need != NULL && f->first != NULL && f->second != NULL &&
           f->unit != NULL;
}

static void
clear(factor *f)
{
    free(f->need);
    free(f->first);
    free(f->second);
    free(f->unit);
}

static int
find_speeds(bound *x)
{
    hesca_job product = *x->job;
    product.routine = HESCA_ROUTINE_GEMM;
    for (int l = 0; l < x->nprocs; ++l) {
        const int h = x->host[l];
        x->own[l] = l;
        x->speed[l] =
            fmax(hesca_job_speed(x->machine, x->job, h, x->nprocs),
                 hesca_job_speed(x->machine, &product, h, x->nprocs));
        if (!(x->speed[l] > 0))
            return hesca_fail(HESCA_ERR_ARG, 4,
                              "%s: a share of the matrix does not fit into "
                              "the memory of host %s",
                              ROUTINE, x->machine->host[h].name);
    }
    return HESCA_SUCCESS;
}

static int
check_layout(int info, const char *name, const hesca_layout *x, int64_t n,
             const hesca_layout *like)
{
    if (hesca_layout_m(x) != n || hesca_layout_n(x) != n)
        return hesca_fail(HESCA_ERR_ARG, info,
                          "%s: argument %d, %s, is of order %lld x %lld, the "
                          "job of %lld",
                          ROUTINE, info, name, (long long)hesca_layout_m(x),
                          (long long)hesca_layout_n(x), (long long)n);
    if (x->nprow != like->nprow || x->npcol != like->npcol)
        return hesca_fail(HESCA_ERR_ARG, info,
                          "%s: argument %d, %s, is on a grid of %d x %d, not "
                          "%d x %d",
                          ROUTINE, info, name, x->nprow, x->npcol, like->nprow,
                          like->npcol);
    return HESCA_SUCCESS;
}

static int
check(const bound *x, const hesca_bound *result)
{
    int err;
    if (x->layout == NULL)
        return hesca_fail_null(ROUTINE, 1, "layout");
    HESCA_TRY(err, hesca_gblock_check_job(ROUTINE, 3, x->job));
    HESCA_TRY(err, check_layout(1, "layout", x->layout, x->job->n, x->layout));
    HESCA_TRY(err, check_layout(2, "source", x->source, x->job->n, x->layout));
    if (x->machine == NULL)
        return hesca_fail_null(ROUTINE, 4, "machine");
    if (x->host == NULL)
        return hesca_fail_null(ROUTINE, 5, "host");
    if (result == NULL)
        return hesca_fail_null(ROUTINE, 6, "bound");
    err = hesca_gblock_check_hosts(
        ROUTINE, 5, x->machine, x->layout->nprow * x->layout->npcol, x->host);
fail:
    return err;
}

int
hesca_bound_make(const hesca_layout *layout, const hesca_layout *source,
                 const hesca_job *job, const hesca_machine *machine,
                 const int *host, hesca_bound *result)
{
    bound x = {.layout = layout,
               .source = source != NULL ? source : layout,
               .job = job,
               .machine = machine,
               .host = host};
    hesca_bound b = {.receive = 0, .send = 0};
    int err;
    HESCA_TRY(err, check(&x, result));
    x.nprocs = layout->nprow * layout->npcol;
    x.own = malloc((size_t)x.nprocs * sizeof *x.own);
    x.speed = malloc((size_t)x.nprocs * sizeof *x.speed);
    const int left = allocate(&x.left, (size_t)job->n);
    const int right = allocate(&x.right, (size_t)job->n);
    if (x.own == NULL || x.speed == NULL || !left || !right)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0,
                                  "a bound for %d processes", x.nprocs));
    HESCA_TRY(err, find_speeds(&x));
    bound_computing(&x, &b);
    bound_messages(&x, host, machine->nhosts, &b);
    bound_messages(&x, x.own, x.nprocs, &b);
    b.seconds = fmax(b.compute, fmax(b.receive, b.send));
    *result = b;
fail:
    clear(&x.left);
    clear(&x.right);
    free(x.own);
    free(x.speed);
    return err;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicted time of P?POTRS and P?GETRS with many right-hand sides, two
 * triangles one after the other, and of P?TRSM, one triangle.
 *
 * ScaLAPACK's P?TRSM (2.2) either multicasts the triangle along process rows
 * and the solution along columns, which is like a product with as many
 * operations; or leaves the triangle in place: for each block of rows of B
 * sums are combined along process rows, the process column that has the
 * diagonal block solves, and the others wait.  It chooses by an estimate of
 * volumes, in which the latter is nearly free on one process row if the
 * triangle is not transposed.
 *
 * HESCA's leaves B in place and multicasts (dense/solve_wide.c), or, with few
 * right-hand sides, leaves the triangle in place (dense/solve.c).
 * Constants: 127 cases on 12 clusters, doc/hohe-measured.md; those of few
 * right-hand sides: .6/.6/.2/.2 as 2x2 and .9/.3 in a row and a column. */
#include "base/arith.h"
#include "base/status.h"
#include "dense/solve.h"
#include "hohe/hohe_choose.h"
#include "machine/routine_costs.h"
#include <math.h>

/* Time of a multicast triangle relative to a product with as many operations;
 * of sums along process rows, relative to one message for each doubling of
 * processes. */
static const double PRODUCT = 1.18, COMBINED = 1.5;

/* Messages of HoHe for a triangle, by the elements of a square and of X.  Much
 * of A arrives while nothing else is sent; X is waited for. */
static const double TRIANGLE = 0.39, SOLUTION = 1.55;

/* With few right-hand sides: operations per byte of a triangle that is read
 * from memory; the part of messages that is not hidden by products. */
static const double READING = 3, SENT = 0.5;

/* Time of ScaLAPACK's for a row that is exchanged between processes, relative
 * to noticing a message. */
static const double EXCHANGED = 1.15;

static int
triangles(const hesca_hohe_job *job)
{
    return job->solves ? 2 : 1;
}

static int64_t
right_hand_sides(const hesca_hohe_job *job)
{
    return job->right ? job->m : job->n;
}

int
hesca_hohe_is_narrow(const hesca_hohe_job *job)
{
    const hesca_side *b = &job->home;
    const int64_t rows = (job->m - 1) / b->mb + 1;
    const int64_t cols = (job->n - 1) / b->nb + 1;
    return (job->solves || job->routine == HESCA_ROUTINE_TRSM) &&
           !hesca_solve_is_spread(job->k, right_hand_sides(job),
                                  hesca_min(rows, b->nprow) *
                                      hesca_min(cols, b->npcol),
                                  (int64_t)b->nprow * b->npcol);
}

static double
slowest(const hesca_hohe_scales *x,
        double (*speed)(const hesca_hohe_scales *, int))
{
    const int n = x->job->home.nprow * x->job->home.npcol;
    double least = INFINITY;
    for (int k = 0; k < n; ++k)
        least = fmin(least, speed(x, k));
    return least;
}

/* Seconds that solving block by block takes besides operations: two
 * consecutive messages for each block, each noticed by the slowest process,
 * and reading of the triangles, which is hidden by `computing` seconds. */
static double
waits(const hesca_hohe_scales *x, int64_t block, double computing)
{
    const hesca_hohe_job *job = x->job;
    const double order = (double)job->k;
    const double speed = slowest(x, hesca_hohe_message_speed);
    const double bytes = order * order / 2 / job->home.nprow /
                         job->home.npcol * (double)hesca_type_size(job->type);
    return triangles(job) *
           (2 * (order / (double)block + 1) *
                (hesca_hohe_latency(x) + hesca_wakeup_seconds(speed)) +
            fmax(0, READING * bytes / speed - computing / triangles(job)));
}

/* ------------------------------------------------ ScaLAPACK
 * The left side, triangles of order m, n right-hand sides, a p x q grid. */

/* The choice of P?TRSM. */
static int
is_multicast(const hesca_hohe_job *job, int transposed)
{
    const double m = (double)job->m, n = (double)job->n;
    const double p = job->home.nprow, q = job->home.npcol;
    const double a = q > 1 ? m / p / 2 : 0, x = p > 1 ? n / q : 0;
    const double longer = fmax(m / p, m / q);
    if (!transposed)
        return m * (a + x) <= 2 * n * ((p > 1 ? m : 0) + (q > 1));
    return m * (a + fmin(1.3 * x, x + longer / 2)) <=
           2 * n * (m * ((p > 1) + (q > 1)) + longer);
}

/* Seconds per byte of a message: on the wire, and of the processor that
 * sends it. */
static double
per_byte(const hesca_hohe_scales *x, int from, int to)
{
    const hesca_machine *m = x->machine;
    const hesca_wire wire = m->wire[(size_t)x->host[from] * (size_t)m->nhosts +
                                    (size_t)x->host[to]];
    return 1 / wire.rate + hesca_handling(wire, HESCA_BLACS_HANDLING,
                                          hesca_hohe_message_speed(x, from));
}

/* The same of the slowest message in process rows, or columns as well. */
static double
slowest_byte(const hesca_hohe_scales *x, int all)
{
    const int q = x->job->home.npcol, n = x->job->home.nprow * q;
    double longest = 0;
    for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l)
            if (k != l && (k / q == l / q || (all && k % q == l % q)))
                longest = fmax(longest, per_byte(x, k, l));
    return longest;
}

/* Seconds of a triangle that stays in place. */
static double
in_turn(const hesca_hohe_scales *x)
{
    const hesca_hohe_job *job = x->job;
    const int p = job->home.nprow, q = job->home.npcol;
    const double m = (double)job->m, n = (double)job->n;
    const double bytes = m * n / p * (double)hesca_type_size(job->type);
    const double operations =
        m * m * n * hesca_hohe_per_operation(job->type) / p / q;
    double computing = 0;
    for (int j = 0; j < q; ++j) {
        double slowest = INFINITY;
        for (int i = 0; i < p; ++i)
            slowest = fmin(slowest, hesca_hohe_speed_at(x, i * q + j));
        computing += operations / slowest;
    }
    return computing + COMBINED * log2(q) * bytes * slowest_byte(x, 0);
}

/* Seconds of interchanging rows one by one. */
static double
interchanges(const hesca_hohe_scales *x)
{
    const double between = 1 - 1.0 / x->job->home.nprow;
    return EXCHANGED * between * (double)x->job->m *
           hesca_wakeup_seconds(slowest(x, hesca_hohe_message_speed));
}

int
hesca_hohe_weigh_solve(const hesca_hohe_scales *x, double *seconds,
                       hesca_forecast *made)
{
    const hesca_hohe_job *job = x->job;
    const hesca_job same = hesca_hohe_square_job(job);
    const double m = (double)job->m, n = (double)job->n;
    const double square = (double)same.n * (double)same.n;
    const int p = job->home.nprow, q = job->home.npcol;
    /* L then U, both transposed or not; L then its transpose, or the reverse
     */
    const int is_lu = job->routine == HESCA_ROUTINE_GESV;
    const int transposed[] = {is_lu && job->transa, !is_lu || job->transa};
    double product;
    int err;
    HESCA_TRY(err,
              hesca_forecast_scaled(x->machine, &same, p, q, x->host,
                                    m * m / square, 2 * m * n / square, made));
    product = hesca_hohe_seconds(job, &same, p, q, made);
    *seconds = 0;
    for (int k = 0; k < 2; ++k)
        *seconds += is_multicast(job, transposed[k]) ? PRODUCT * product / 2
                                                     : in_turn(x);
    *seconds += waits(x, job->home.mb, *seconds);
    if (is_lu)
        *seconds += interchanges(x);
fail:
    return err;
}

double
hesca_hohe_triangle_seconds(const hesca_hohe_scales *x, double product)
{
    const hesca_hohe_job *job = x->job;
    return job->right || is_multicast(job, job->transa) ? product : in_turn(x);
}

/* ------------------------------------------------ HoHe */

hesca_gblock_traffic
hesca_hohe_solve_traffic(const hesca_hohe_job *job, double square)
{
    const double order = (double)job->k;
    const double others = (double)right_hand_sides(job);
    const double times = triangles(job) / square;
    const double a = times * TRIANGLE * order * order;
    const double x = times * SOLUTION * order * others;
    return (hesca_gblock_traffic){.forwards = 1,
                                  .along_rows = job->right ? x : a,
                                  .along_cols = job->right ? a : x};
}

double
hesca_hohe_narrow_seconds(const hesca_hohe_scales *x)
{
    const hesca_hohe_job *job = x->job;
    const int p = job->home.nprow, q = job->home.npcol;
    const double order = (double)job->k;
    const double others = (double)right_hand_sides(job);
    const double sent = order * others * (double)hesca_type_size(job->type) *
                        ((p > 1) + (q > 1)) * slowest_byte(x, 1);
    const double computing = triangles(job) * order * order * others *
                             hesca_hohe_per_operation(job->type) / p / q /
                             slowest(x, hesca_hohe_speed_at);
    return computing + SENT * triangles(job) * sent +
           waits(x, hesca_min(HESCA_SOLVE_WIDEST, job->home.mb), computing);
}

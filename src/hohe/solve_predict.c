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
 * HESCA's leaves B in place and multicasts (dense/solve_wide.c).
 * Constants: 127 cases on 12 clusters, doc/hohe.md. */
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

/* Whether B stays in place. */
static int
is_wide(const hesca_hohe_job *job)
{
    const hesca_side *b = &job->home;
    const int64_t rows = (job->m - 1) / b->mb + 1;
    const int64_t cols = (job->n - 1) / b->nb + 1;
    return hesca_solve_is_spread(
        job->m, job->n, hesca_min(rows, b->nprow) * hesca_min(cols, b->npcol),
        (int64_t)b->nprow * b->npcol);
}

/* Seconds that solving block by block waits for messages: two consecutive ones
 * for each block of two triangles. */
static double
waits(const hesca_hohe_scales *x)
{
    const hesca_hohe_job *job = x->job;
    return 4 * ((double)job->m / job->home.mb + 1) * hesca_hohe_latency(x);
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

/* The same of the slowest message in process rows. */
static double
slowest_byte(const hesca_hohe_scales *x)
{
    const int p = x->job->home.nprow, q = x->job->home.npcol;
    double slowest = 0;
    for (int i = 0; i < p; ++i)
        for (int j = 0; j < q; ++j)
            for (int k = 0; k < q; ++k)
                if (j != k)
                    slowest = fmax(slowest, per_byte(x, i * q + j, i * q + k));
    return slowest;
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
    return computing + COMBINED * log2(q) * bytes * slowest_byte(x);
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
    *seconds = waits(x);
    for (int k = 0; k < 2; ++k)
        *seconds += is_multicast(job, transposed[k]) ? PRODUCT * product / 2
                                                     : in_turn(x);
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
    const double others = (double)(job->right ? job->m : job->n);
    const double times = (job->solves ? 2 : 1) / square;
    const double a = times * TRIANGLE * order * order;
    const double x = times * SOLUTION * order * others;
    return (hesca_gblock_traffic){.forwards = !job->solves || is_wide(job),
                                  .along_rows = job->right ? x : a,
                                  .along_cols = job->right ? a : x};
}

double
hesca_hohe_solve_waits(const hesca_hohe_scales *x)
{
    return is_wide(x->job) ? 0 : waits(x);
}

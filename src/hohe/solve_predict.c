/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicted time of P?POTRS and P?GETRS with many right-hand sides.
 *
 * Operations are those of a product.  On several process rows ScaLAPACK's
 * P?TRSM multicasts both triangles along process rows, and the solutions of
 * both along columns.  On one row it leaves the triangle in place: the owner
 * of a block of columns solves for all right-hand sides, while the others wait
 * for them; so processes compute one after the other, and all of B is summed
 * up and sent for each triangle.  HESCA's leaves B in place
 * (dense/solve_wide.c). Constants: 24 cases of orders 300 to 2000 with 125 to
 * 4000 right-hand sides, on 1x3, 1x5, 2x2 and 3x1 hosts that differ, 1 Gbit/s.
 */
#include "base/arith.h"
#include "base/status.h"
#include "dense/solve.h"
#include "hohe/hohe_choose.h"
#include "place/site.h"
#include <math.h>

/* Time of solving relative to a product with the same number of operations. */
static const double ORIGINAL = 1.6, HOHE = 1.3;

/* Messages, one after the other, of a block of both triangles on one process
 * row, for each doubling of processes. */
static const double IN_TURN = 26;

/* One of LEAST processes must have some of B: dense/solve_wide.c. */
enum { LEAST = 4 };

/* Whether B stays in place. */
static int
is_wide(const hesca_hohe_job *job)
{
    const hesca_side *b = &job->home;
    const int64_t rows = (job->m - 1) / b->mb + 1;
    const int64_t cols = (job->n - 1) / b->nb + 1;
    const int64_t holders =
        hesca_min(rows, b->nprow) * hesca_min(cols, b->npcol);
    return hesca_solve_is_many(job->m, job->n) &&
           holders * LEAST >= (int64_t)b->nprow * b->npcol;
}

/* Seconds that solving block by block waits for messages: two consecutive ones
 * for each block of two triangles. */
static double
waits(const hesca_hohe_scales *x)
{
    const hesca_hohe_job *job = x->job;
    return 4 * ((double)job->m / job->home.mb + 1) * hesca_hohe_latency(x);
}

/* Seconds per byte of the slowest wire. */
static double
slowest_wire(const hesca_hohe_scales *x)
{
    const hesca_machine *m = x->machine;
    const int n = x->job->home.nprow * x->job->home.npcol;
    double rate = INFINITY;
    for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l)
            if (k != l)
                rate =
                    fmin(rate, m->wire[(size_t)x->host[k] * (size_t)m->nhosts +
                                       (size_t)x->host[l]]
                                   .rate);
    return 1 / rate;
}

/* ScaLAPACK's on one process row. */
static double
in_turn(const hesca_hohe_scales *x)
{
    const hesca_hohe_job *job = x->job;
    const double m = (double)job->m, n = (double)job->n;
    const int q = job->home.npcol;
    const double bytes = 2 * m * n * (double)hesca_type_size(job->type);
    const double blocks = m / job->home.mb + 1;
    double computing = 0;
    for (int k = 0; k < q; ++k)
        computing += 2 * m * m * n * hesca_hohe_per_operation(job->type) / q /
                     hesca_hohe_speed_at(x, k);
    return computing + log2(q) * (bytes * slowest_wire(x) +
                                  IN_TURN * blocks * hesca_hohe_latency(x));
}

hesca_gblock_traffic
hesca_hohe_solve_traffic(const hesca_hohe_job *job, double square)
{
    const double m = (double)job->m, n = (double)job->n;
    return (hesca_gblock_traffic){.forwards = is_wide(job),
                                  .along_rows = m * m / square,
                                  .along_cols = 2 * m * n / square};
}

int
hesca_hohe_weigh_solve(const hesca_hohe_scales *x, double *seconds,
                       hesca_forecast *made)
{
    const hesca_hohe_job *job = x->job;
    const hesca_job same = hesca_hohe_square_job(job);
    const hesca_gblock_traffic t =
        hesca_hohe_solve_traffic(job, (double)same.n * (double)same.n);
    const int p = job->home.nprow, q = job->home.npcol;
    int err;
    HESCA_TRY(err, hesca_forecast_scaled(x->machine, &same, p, q, x->host,
                                         t.along_rows, t.along_cols, made));
    *seconds =
        p == 1 && q > 1
            ? in_turn(x)
            : ORIGINAL * hesca_hohe_seconds(job, &same, p, q, made) + waits(x);
fail:
    return err;
}

double
hesca_hohe_solve_seconds(const hesca_hohe_scales *x, double product)
{
    return HOHE * product + (is_wide(x->job) ? 0 : waits(x));
}

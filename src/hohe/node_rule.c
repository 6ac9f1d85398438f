/* SPDX-License-Identifier: BSD-3-Clause */
/* The cores of one node, for which no machine is known: rules of sizes instead
 * of predictions, as measured (doc/hohe-measured.md). */
#include "base/arith.h"
#include "dense/kernels.h"
#include "hohe/hohe_choose.h"
#include <math.h>

/* The least order and block from which on HESCA's kernels were never slower by
 * more than noise, and mostly faster, where it was measured: type double,
 * grids of 1x2 and 2x1, blocks of 16 to 128, Haswell and AVX-512 kernels;
 * other types with fewer orders and blocks (doc/hohe-measured.md). */
typedef struct {
    double order;
    int block;
    int is_row; /* on one row of processes alone */
} node_rule;

static const node_rule least_on_node[HESCA_ROUTINE_ORMQR + 1] = {
    [HESCA_ROUTINE_GEMM] = {200, 1, 0},
    [HESCA_ROUTINE_POTRF] = {500, 48, 0},
    [HESCA_ROUTINE_GESV] = {150, 16, 0},
    [HESCA_ROUTINE_SYRK] = {1000, 1, 0},
    [HESCA_ROUTINE_TRSM] = {300, 1, 1},
    [HESCA_ROUTINE_POTRI] = {300, 16, 0},
    [HESCA_ROUTINE_GETRI] = {200, 16, 0},
    [HESCA_ROUTINE_GEQRF] = {300, 32, 0},
    [HESCA_ROUTINE_ORMQR] = {1000, 32, 0},
};
static const node_rule upper_potrf = {1500, 32, 1}, tall_potrf = {1500, 32, 0},
                       tall_ormqr = {300, 32, 0}, tall_potri = {500, 16, 0},
                       tall_getri = {2000, 16, 0};

/* The same where processes outnumber cores, so that each wait of ScaLAPACK's
 * routines is for a process that must get a core first: measured with 3, 4 and
 * 8 processes on two cores, type double. Solving, of the order of the matrix,
 * too. */
static const node_rule least_crowded[HESCA_ROUTINE_ORMQR + 1] = {
    [HESCA_ROUTINE_GEMM] = {100, 1, 0},  [HESCA_ROUTINE_POTRF] = {200, 1, 0},
    [HESCA_ROUTINE_GESV] = {64, 1, 0},   [HESCA_ROUTINE_SYRK] = {200, 1, 0},
    [HESCA_ROUTINE_TRSM] = {200, 1, 0},  [HESCA_ROUTINE_POTRI] = {200, 1, 0},
    [HESCA_ROUTINE_GETRI] = {200, 1, 0}, [HESCA_ROUTINE_GEQRF] = {200, 1, 0},
    [HESCA_ROUTINE_ORMQR] = {250, 1, 0},
};
static const double least_solve_crowded = 250;

/* Sides of very different length are for ScaLAPACK's, unless all are so long
 * that moving them is little of the time, or the routine is P?GEMM. */

enum {
    MEASURED_ON = 2, /* processes */
    LONGEST = 4,     /* side by the shortest */
    SHORT = 800,     /* a shortest side to which LONGEST applies; always to
                        that of a matrix that is factored */
    TALL = 2         /* rows by columns of P?GEQRF on several process rows */
};

/* P?GEMM of any shape: the shortest side at least THIN, or for long sums of an
 * order of LONG_ORDER; where processes outnumber cores, CROWDED.  Measured
 * with 280 random shapes and all transpositions, blocks of 16 to 128, on 1x2
 * and 2x1, and 80 on 1x3, 2x2, 1x4 and 4x1. */
enum { THIN = 80, THIN_LONG = 32, LONG = 200, LONG_ORDER = 250, CROWDED = 50 };

static const node_rule *
rule_of(const hesca_hohe_job *job, int crowded)
{
    if (crowded)
        return &least_crowded[job->routine];
    if (job->routine == HESCA_ROUTINE_POTRF && job->upper)
        return &upper_potrf;
    if (job->routine == HESCA_ROUTINE_POTRF && job->home.nprow > 1)
        return &tall_potrf;
    if (job->routine == HESCA_ROUTINE_ORMQR && job->home.nprow > 1)
        return &tall_ormqr;
    if (job->routine == HESCA_ROUTINE_POTRI && job->home.nprow > 1)
        return &tall_potri;
    if (job->routine == HESCA_ROUTINE_GETRI && job->home.nprow > 1)
        return &tall_getri;
    return &least_on_node[job->routine];
}

/* \param [in] order  Of the square job, as for two processes. */
static int
multiplies_well(const hesca_hohe_job *job, double order, int crowded)
{
    const int64_t least = hesca_min(hesca_min(job->m, job->n), job->k);
    if (crowded)
        return least >= CROWDED &&
               order >= least_crowded[HESCA_ROUTINE_GEMM].order;
    return (least >= THIN &&
            order >= least_on_node[HESCA_ROUTINE_GEMM].order) ||
           (least >= THIN_LONG && job->k >= LONG && order >= LONG_ORDER);
}

int
hesca_hohe_wins_on_node(const hesca_hohe_job *job, int crowded)
{
    const node_rule *r = rule_of(job, crowded);
    const int has_k = job->routine != HESCA_ROUTINE_POTRF &&
                      job->routine != HESCA_ROUTINE_GESV;
    const int64_t least =
        hesca_min(hesca_min(job->m, job->n), has_k ? job->k : INT64_MAX);
    const int64_t most =
        hesca_max(hesca_max(job->m, job->n), has_k ? job->k : 0);
    if (job->solves)
        return crowded && (double)job->m >= least_solve_crowded;
    if (!crowded && hesca_type_is_complex(job->type) &&
        job->routine >= HESCA_ROUTINE_SYRK &&
        job->routine != HESCA_ROUTINE_GEQRF)
        return 0; /* gains of 0.99 to 1.03, of P?UNMQR 0.88 to 1.04 */
    if (!crowded && job->routine == HESCA_ROUTINE_GEQRF &&
        job->home.nprow > 1 && job->m > TALL * job->n)
        return 0; /* one process factors all rows of a panel: 0.97 */
    /* More processes wait for each other as a larger part of their time. */
    const double p = (double)job->home.nprow * job->home.npcol;
    const double smaller = sqrt(MEASURED_ON / p), by = crowded ? 1 : smaller;
    if (job->routine == HESCA_ROUTINE_GEMM)
        return multiplies_well(job, (double)hesca_hohe_square_job(job).n * by,
                               crowded);
    return (double)least * by >= r->order && job->home.nb >= r->block &&
           (!r->is_row || job->home.nprow == 1) &&
           (most <= LONGEST * least || (has_k && least >= SHORT) ||
            job->routine == HESCA_ROUTINE_TRSM);
}

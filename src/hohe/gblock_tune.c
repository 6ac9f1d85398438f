/* SPDX-License-Identifier: BSD-3-Clause */
/* The generalized block with the least predicted time of a job. */
#include "base/arith.h"
#include "base/status.h"
#include "hohe/gblock.h"
#include "hohe/gblock_walk.h"
#include <math.h>
#include <stdlib.h>

static const char ROUTINE[] = "hesca_gblock_tune";

/* Relative gain below which a candidate does not replace the best. */
static const double SLACK = 1e-3;

enum { MOST = 96 };

/* The best candidate so far. */
typedef struct {
    hesca_gblock *g;
    hesca_forecast forecast;
} choice;

/* Try a size with all kinds and orders; a block becomes the best, or is
 * freed. */
static int
try_size(hesca_gblock_walk *w, hesca_gblock_info x, const int *ranks,
         choice *best)
{
    static const hesca_layout_kind kind[] = {
        HESCA_CARTESIAN, HESCA_COLUMN_BASED, HESCA_ROW_BASED};
    int err = HESCA_SUCCESS;
    for (int k = 0; k < 6; ++k) {
        hesca_gblock *g;
        hesca_forecast f;
        HESCA_TRY(err, hesca_gblock_create(
                           kind[k % 3], (hesca_gblock_assignment)(k / 3), x.m,
                           x.n, x.mb, x.nb, x.lp, x.lq, x.nprow, x.npcol,
                           w->speed, ranks, &g));
        hesca_gblock_walk_all(w, g, &f);
        if (best->g == NULL ||
            f.seconds < best->forecast.seconds * (1 - SLACK)) {
            hesca_gblock_free(best->g);
            *best = (choice){g, f};
        } else {
            hesca_gblock_free(g);
        }
    }
fail:
    return err;
}

static int
check(const hesca_job *job, const hesca_machine *machine, int nprow, int npcol,
      const int *host, int most)
{
    int err;
    HESCA_TRY(err, hesca_gblock_check_job(ROUTINE, 1, job));
    if (machine == NULL || host == NULL)
        return hesca_fail_null(ROUTINE, machine == NULL ? 2 : 5,
                               machine == NULL ? "machine" : "host");
    if (nprow < 1)
        return hesca_fail_arg(ROUTINE, 3, "nprow", nprow, "at least 1");
    if (npcol < 1 || npcol > INT32_MAX / nprow)
        return hesca_fail_arg(ROUTINE, 4, "npcol", npcol,
                              "at least 1, and nprow x npcol below 2^31");
    if (most < 0)
        return hesca_fail_arg(ROUTINE, 6, "most", most, "at least 0");
fail:
    return err;
}

/* Try all sizes with blocks of order job->nb. */
static int
try_blocks(const hesca_job *job, const hesca_machine *machine, int nprow,
           int npcol, const int *host, int most, const int *ranks,
           choice *best)
{
    hesca_gblock_walk w = {.nprocs = 0};
    int err;
    HESCA_TRY(err, check(job, machine, nprow, npcol, host, most));
    HESCA_TRY(err, hesca_gblock_walk_init(&w, ROUTINE, job, machine, nprow,
                                          npcol, host, 5));
    hesca_gblock_info x = {.m = job->n,
                           .n = job->n,
                           .mb = job->nb,
                           .nb = job->nb,
                           .nprow = nprow,
                           .npcol = npcol};
    const int64_t least = hesca_max(nprow, npcol);
    const int64_t blocks = (job->n - 1) / job->nb + 1;
    const int64_t last = hesca_min(most > 0 ? most : MOST, blocks);
    for (int64_t l = least; l <= hesca_max(least, last); ++l) {
        x.lp = x.lq = (int)l;
        HESCA_TRY(err, try_size(&w, x, ranks, best));
    }
fail:
    hesca_gblock_walk_clear(&w);
    return err;
}

int
hesca_gblock_tune(const hesca_job *job, const hesca_machine *machine,
                  int nprow, int npcol, const int *host, int most,
                  const int *ranks, hesca_gblock **gblock,
                  hesca_forecast *forecast)
{
    static const int all[] = {16, 32, 64, 128};
    const int any = job != NULL && job->nb == 0;
    choice best = {.g = NULL};
    int err = HESCA_SUCCESS;
    if (gblock == NULL)
        return hesca_fail_null(ROUTINE, 8, "gblock");
    if (!any)
        HESCA_TRY(err, try_blocks(job, machine, nprow, npcol, host, most,
                                  ranks, &best));
    for (size_t k = 0; any && k < sizeof all / sizeof *all; ++k) {
        const hesca_job one = {job->routine, job->n, all[k]};
        HESCA_TRY(err, try_blocks(&one, machine, nprow, npcol, host, most,
                                  ranks, &best));
    }
    if (forecast != NULL)
        *forecast = best.forecast;
fail:
    if (err < 0) {
        hesca_gblock_free(best.g);
        best.g = NULL;
    }
    *gblock = best.g;
    return err;
}

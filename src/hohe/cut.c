/* SPDX-License-Identifier: BSD-3-Clause */
/* home, cut and gblock describe the same elements of sub(C). */
#include "hohe/cut.h"
#include "base/status.h"
#include "hohe/hohe_choose.h"
#include "overlap/problem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Make the generalized block that is nearest to a block-cyclic layout on the
 * grid. */
static int
make_near(const hesca_hohe_job *job, int nprow, int npcol, const double *speed,
          hesca_hohe_cut *cut)
{
    const hesca_side *h = &job->home;
    const int at_home = cut->process == NULL;
    const int rsrc = at_home ? (int)((h->i / h->mb + h->rsrc) % nprow) : 0;
    const int csrc = at_home ? (int)((h->j / h->nb + h->csrc) % npcol) : 0;
    hesca_layout *own = NULL;
    int err;
    HESCA_TRY(err, hesca_layout_create_cyclic(cut->rows, cut->cols, h->mb,
                                              h->nb, rsrc, csrc, nprow, npcol,
                                              cut->process, &own));
    HESCA_TRY(err,
              hesca_gblock_near(own, speed, 0, 0, &cut->moved, &cut->gblock));
    cut->cut = hesca_gblock_layout(cut->gblock);
fail:
    hesca_layout_free(own);
    return err;
}

/* Both layouts but for the choice of processes. */
static int
begin(const hesca_hohe_job *job, hesca_hohe_cut *cut)
{
    const hesca_side *h = &job->home;
    memset(cut, 0, sizeof *cut);
    cut->power = 1;
    cut->i = h->i % h->mb;
    cut->j = h->j % h->nb;
    cut->rows = cut->i + job->m;
    cut->cols = cut->j + job->n;
    return hesca_layout_create_cyclic(h->m, h->n, h->mb, h->nb, h->rsrc,
                                      h->csrc, h->nprow, h->npcol, NULL,
                                      &cut->home);
}

int
hesca_hohe_cut_init(const hesca_hohe_job *job, const double *speed,
                    hesca_hohe_cut *cut)
{
    const int nprow = job->home.nprow, npcol = job->home.npcol;
    double *even = NULL;
    int err;
    HESCA_TRY(err, begin(job, cut));
    if (hesca_hohe_is_narrow(job)) {
        even = malloc((size_t)nprow * (size_t)npcol * sizeof *even);
        if (even == NULL)
            HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "shares"));
        for (int k = 0; k < nprow * npcol; ++k)
            even[k] = 1;
    }
    HESCA_TRY(err,
              make_near(job, nprow, npcol, even != NULL ? even : speed, cut));
fail:
    free(even);
    if (err < 0)
        hesca_hohe_cut_clear(cut);
    return err;
}

int
hesca_hohe_cut_init_power(const hesca_hohe_job *job, const double *speed,
                          double power, hesca_hohe_cut *cut)
{
    const int n = job->home.nprow * job->home.npcol;
    const int halves = (int)lround(2 * power);
    double *share = malloc((size_t)n * sizeof *share), most = 0;
    int err;
    if (share == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "shares");
    for (int k = 0; k < n; ++k)
        most = fmax(most, speed[k]);
    for (int k = 0; k < n; ++k) {
        share[k] = 1;
        for (int i = 0; i < halves; ++i)
            share[k] *= sqrt(speed[k] / most);
    }
    HESCA_TRY(err, hesca_hohe_cut_init(job, halves == 2 ? speed : share, cut));
    cut->power = power;
fail:
    free(share);
    return err;
}

/* The part of sub(C) that changes its process. */
static int
find_moved(const hesca_hohe_job *job, hesca_hohe_cut *cut)
{
    const hesca_side *h = &job->home;
    hesca_problem p;
    int64_t bytes = 0;
    int err;
    HESCA_TRY(err,
              hesca_problem_init(&p, HESCA_ALL, job->m, job->n, cut->home,
                                 h->i, h->j, cut->cut, cut->i, cut->j, 1));
    err = hesca_problem_moved(&p, &bytes);
    cut->moved = (double)bytes / (double)job->m / (double)job->n;
    hesca_problem_clear(&p);
fail:
    return err;
}

int
hesca_hohe_cut_init_on(const hesca_hohe_job *job, int nprow, int npcol,
                       const int *process, const double *speed,
                       hesca_hohe_cut *cut)
{
    const size_t n = (size_t)nprow * (size_t)npcol;
    double *at = malloc(n * sizeof *at);
    int err;
    HESCA_TRY(err, begin(job, cut));
    cut->process = malloc(n * sizeof *cut->process);
    if (at == NULL || cut->process == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "a grid"));
    memcpy(cut->process, process, n * sizeof *process);
    for (size_t k = 0; k < n; ++k)
        at[k] = speed[process[k]];
    HESCA_TRY(err, make_near(job, nprow, npcol, at, cut));
    HESCA_TRY(err, find_moved(job, cut));
fail:
    free(at);
    if (err < 0)
        hesca_hohe_cut_clear(cut);
    return err;
}

void
hesca_hohe_cut_clear(hesca_hohe_cut *cut)
{
    hesca_layout_free(cut->home);
    hesca_gblock_free(cut->gblock);
    free(cut->process);
    memset(cut, 0, sizeof *cut);
}

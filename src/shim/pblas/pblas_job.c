/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program calls most, for its next run: HESCA_JOB=auto. */
#include "shim/blacs/blacs.h"
#include "shim/pblas/pregrid.h"
#include "shim/shim.h"
#include <math.h>
#include <stdatomic.h>

enum { DTYPE_, CTXT_, MB_ = 4, BLOCK_CYCLIC_2D_INB = 2 };

/* Less than this is no run to learn from. */
static const double LEAST = 1e-3;

/* Calls of a routine on grids of one shape in blocks of one size, in which
 * this process was at (0,0); its order is that of the longest. */
enum { MOST = 32 };
static struct {
    hesca_job job;
    int nprow, npcol;
    double seconds, longest;
} called[MOST];
static int ncalled;

static hesca_params params;
static int nprocs;

/* ------------------------------------------------ the end */

/* MPI_Finalize begins by freeing the attributes of MPI_COMM_SELF. */
static int
keep(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self, (void)key, (void)value, (void)extra;
    int most = 0;
    for (int k = 1; k < ncalled; ++k)
        if (called[k].seconds > called[most].seconds)
            most = k;
    if (ncalled > 0 && called[most].seconds >= LEAST)
        hesca_hohe_keep_job(&params, &called[most].job, called[most].nprow,
                            called[most].npcol, nprocs);
    return MPI_SUCCESS;
}

/* Whether jobs are kept, found out once. */
static int
keeps(void)
{
    static _Atomic int answer = -1;
    int key = MPI_KEYVAL_INVALID;
    if (answer >= 0)
        return answer;
    hesca_report_lock();
    const int is_first = answer < 0;
    if (is_first)
        answer = hesca_params_read(&params) == HESCA_SUCCESS &&
                 hesca_hohe_keeps_jobs(&params) && !hesca_params_none();
    hesca_report_unlock();
    if (is_first && answer) {
        PMPI_Comm_size(MPI_COMM_WORLD, &nprocs);
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, keep, &key, NULL);
        PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    }
    return answer;
}

/* ------------------------------------------------ calls
 * Those inside of another one are parts of its time. */

static _Thread_local int depth;

double
hesca_pblas_job_begin(void)
{
    return depth++ == 0 && !hesca_inside_original && keeps() ? PMPI_Wtime()
                                                             : -1;
}

static void
enter(const hesca_job *job, int nprow, int npcol, double seconds)
{
    int k = 0;
    while (k < ncalled &&
           (called[k].job.routine != job->routine ||
            called[k].job.nb != job->nb || called[k].nprow != nprow ||
            called[k].npcol != npcol))
        ++k;
    if (k == MOST)
        return;
    if (k == ncalled) {
        ++ncalled;
        called[k].job = *job;
        called[k].nprow = nprow;
        called[k].npcol = npcol;
    }
    called[k].seconds += seconds;
    if (seconds > called[k].longest) {
        called[k].longest = seconds;
        called[k].job.n = job->n;
    }
}

void
hesca_pblas_job_end(double start, hesca_routine routine, double order,
                    const hesca_int *desc)
{
    --depth;
    if (start < 0 || !(order >= 1 && order <= 1e9) ||
        hesca_blacs_find() == NULL || desc[CTXT_] < 0)
        return;
    const double seconds = PMPI_Wtime() - start;
    const int64_t nb =
        desc[desc[DTYPE_] == BLOCK_CYCLIC_2D_INB ? MB_ + 2 : MB_];
    int nprow, npcol, myrow, mycol;
    hesca_blacs_grid(desc[CTXT_], &nprow, &npcol, &myrow, &mycol);
    if (nprow < 1 || npcol < 1 || myrow != 0 || mycol != 0 || nb < 1 ||
        nb > 1000000)
        return;
    const hesca_job job = {routine, (int64_t)llround(order), (int)nb};
    hesca_report_lock();
    enter(&job, nprow, npcol, seconds);
    hesca_report_unlock();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What HESCA_VERBOSE shows of process grids. */
#define _POSIX_C_SOURCE 200809L
#include "shim/blacs/gridinit.h"
#include "shim/figures.h"
#include "shim/shim.h"
#include <stdio.h>
#include <string.h>

enum { SHORT = 16 };

/* Grids in whose making this process was rank 0. */
static struct {
    long placed, left;
    double seconds, unplaced; /* predicted for placed grids */
} count;

static const char *
name_of(const hesca_grid_call *c)
{
    return hesca_grid_is_map(c) ? "blacs_gridmap" : "blacs_gridinit";
}

static int
is_root(MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank == 0;
}

static void
append_row(char *text, const hesca_grid_call *c, const int *process, int p)
{
    for (int q = 0; q < c->npcol; ++q)
        hesca_report_append(text, " %d", process[p * c->npcol + q]);
}

static void
append_placed(char *text, const hesca_grid_call *c, const hesca_params *params,
              const int *process, const hesca_grid_info *info)
{
    if ((int64_t)c->nprow * c->npcol <= SHORT)
        for (int p = 0; p < c->nprow; ++p) {
            hesca_report_append(text, p == 0 ? ", ranks" : " /");
            append_row(text, c, process, p);
        }
    if (info->hosts[0] != '\0')
        hesca_report_append(text, ", on %s", info->hosts);
    if (info->seconds > 0)
        hesca_report_append(text, ", predicted %.4g s for %s,%lld,%d",
                            info->seconds, params->job_routine,
                            (long long)params->job_order, params->job_block);
    if (info->unplaced > 0)
        hesca_report_append(text, " instead of %.4g s", info->unplaced);
}

static void
tell_map(const hesca_grid_call *c, const int *process)
{
    for (int p = 0; p < c->nprow; ++p) {
        char text[HESCA_REPORT_LINE] = "";
        append_row(text, c, process, p);
        hesca_report_line("  process row %d:%s", p, text);
    }
}

void
hesca_grid_report(const hesca_grid_call *c, const hesca_params *params,
                  MPI_Comm comm, const int *process,
                  const hesca_grid_info *info)
{
    char text[HESCA_REPORT_LINE] = "";
    int size;
    if ((params->verbose == 0 && !HESCA_FIGURES) || !is_root(comm))
        return;
    if (params->verbose > 0)
        hesca_report_begin(params, comm);
    PMPI_Comm_size(comm, &size);
    hesca_report_append(text, "%s %d x %d of %d processes, %s: %s", name_of(c),
                        c->nprow, c->npcol, size,
                        info->placed ? "placed" : "not placed", info->why);
    if (info->placed)
        append_placed(text, c, params, process, info);
    if (params->verbose > 0 && !params->summary)
        hesca_log_line(text);
    hesca_report_lock();
    count.placed += info->placed;
    count.left += !info->placed;
    if (info->placed && info->seconds > 0 && info->unplaced > 0) {
        count.seconds += info->seconds;
        count.unplaced += info->unplaced;
    }
    hesca_report_unlock();
    if (params->verbose >= 2 && process != NULL)
        tell_map(c, process);
}

void
hesca_grid_report_error(const hesca_grid_call *c, MPI_Comm comm,
                        const char *why)
{
    if (is_root(comm))
        hesca_report_line("%s %d x %d: %s; not placed", name_of(c), c->nprow,
                          c->npcol, why);
}

void
hesca_grid_report_figures(double grids[4])
{
    hesca_report_lock();
    grids[0] = (double)count.placed;
    grids[1] = (double)count.left;
    grids[2] = count.seconds;
    grids[3] = count.unplaced;
    hesca_report_unlock();
}

void
hesca_grid_report_summary(void)
{
    char gain[160] = "";
    if (count.seconds > 0)
        snprintf(gain, sizeof gain,
                 "; the routine of HESCA_JOB takes %.3g s on those placed "
                 "instead of %.3g s, predicted",
                 count.seconds, count.unplaced);
    if (count.placed + count.left > 0)
        hesca_report_line("summary: process grids: %ld placed by HESCA, "
                          "%ld as the BLACS place them%s",
                          count.placed, count.left, gain);
}

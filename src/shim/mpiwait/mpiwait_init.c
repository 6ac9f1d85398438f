/* SPDX-License-Identifier: BSD-3-Clause */
/* How to wait is agreed once, in MPI_Init: what one process does in a
 * collective call all others have to do.  MPI_Init may have passed by this
 * library (Open MPI's Fortran names call PMPI_Init; a profiler in front); then
 * the first communicator made of MPI_COMM_WORLD is the occasion. */
#define _POSIX_C_SOURCE 200809L
#include "shim/fallback.h"
#include "shim/figures.h"
#include "shim/integer_width.h"
#include "shim/mpiwait/mpiwait.h"
#include "shim/shim.h"
#include <stdio.h>

_Atomic int hesca_mpiwait_on;

static double load; /* > 0 where waits yield: processes per core */
static atomic_flag is_decided = ATOMIC_FLAG_INIT;

static void
report(const char *where, const hesca_wait_info *info, int err)
{
    if (err < 0)
        hesca_report_line("%s: %s; waiting is left to MPI", where,
                          hesca_error_text());
    else if (info->params.summary)
        return;
    else if (info->yields && info->params.wait == HESCA_WAIT_POLITE)
        hesca_report_line("MPI's blocking calls yield: HESCA_WAIT is polite");
    else if (info->yields)
        hesca_report_line("MPI's blocking calls yield: %.3g processes per %s "
                          "where there are most",
                          info->load,
                          info->quota ? "core of a CPU quota" : "core");
    else if (info->params.verbose >= 2)
        hesca_report_line("MPI's blocking calls wait as MPI does: %s",
                          info->params.wait == HESCA_WAIT_SPIN
                              ? "HESCA_WAIT is spin"
                              : "every process has a core");
}

static void
report_split(const hesca_params *mine)
{
    char text[300];
    if (mine->fallback != HESCA_FALLBACK_SILENT &&
        hesca_launch_is_split(text, sizeof text) > 0)
        hesca_log_line(text);
}

void
hesca_mpiwait_decide(const char *where)
{
    hesca_params mine;
    hesca_wait_info info;
    int rank, size, runs = 0;
    PMPI_Initialized(&runs);
    if (!runs || atomic_flag_test_and_set(&is_decided))
        return;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    /* Only this process's own environment can forbid communication here. */
    hesca_params_read(&mine);
    if (size == 1)
        report_split(&mine);
    if (size == 1 || hesca_params_disabled(&mine, "wait")) {
        hesca_fallback_report_findings(&mine, rank == 0);
        if (!hesca_params_none())
            hesca_figures_begin(&mine, 0, size == 1);
        return;
    }
    hesca_caller_set(where);
    int err = hesca_wait_agree(MPI_COMM_WORLD, &info);
    hesca_caller_set(NULL);
    hesca_fallback_report_findings(&info.params, rank == 0);
    if (info.lacks[0] != '\0')
        hesca_fallback_report_machine(&info.params, info.lacks,
                                      MPI_COMM_WORLD);
    /* What is malformed has its default, and is reported by now. */
    if (err == HESCA_ERR_PARAM)
        err = HESCA_SUCCESS;
    if (rank == 0 && info.params.verbose > 0)
        hesca_report_begin(&info.params, MPI_COMM_WORLD);
    if (rank == 0 && (err < 0 || info.params.verbose > 0))
        report(where, &info, err);
    if (err == HESCA_SUCCESS)
        hesca_figures_begin(&info.params, info.load, 1);
    if (!info.yields)
        return;
    hesca_mpiwait_know_world();
    hesca_mpiwait_prepare_end(info.one_node);
    hesca_mpiwait_on = 1;
    load = info.load;
}

/* All that can be known now is reported now. */
static void
begin(const char *where)
{
    hesca_mpiwait_decide(where);
    hesca_width_fits();
}

void
hesca_mpiwait_report_summary(void)
{
    if (load > 0)
        hesca_report_line("summary: waiting: %.3g processes per core; this "
                          "process slept %.3g s in waits, measured, in which "
                          "others had its core",
                          load, hesca_wait_slept());
}

HESCA_MPIWAIT(Init)(int *argc, char ***argv)
{
    const int err = hesca_mpiwait_original.Init(argc, argv);
    if (err == MPI_SUCCESS)
        begin("MPI_Init");
    return err;
}

HESCA_MPIWAIT(Init_thread)
(int *argc, char ***argv, int required, int *provided)
{
    const int err =
        hesca_mpiwait_original.Init_thread(argc, argv, required, provided);
    if (err == MPI_SUCCESS)
        begin("MPI_Init_thread");
    return err;
}

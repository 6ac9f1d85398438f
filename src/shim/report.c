/* SPDX-License-Identifier: BSD-3-Clause */
/* What HESCA_VERBOSE shows: that HESCA is active, each call, a summary. */
#define _POSIX_C_SOURCE 200809L
#include "hesca/version.h"
#include "shim/blacs/gridinit.h"
#include "shim/fallback.h"
#include "shim/figures.h"
#include "shim/mpiwait/mpiwait.h"
#include "shim/pblas/pblas.h"
#include "shim/shim.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------ counts
 * They change under the lock; only rank 0 of a communicator counts a call. */

/* Of all counts of reports; several threads may be in calls. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void
hesca_report_lock(void)
{
    pthread_mutex_lock(&lock);
}

void
hesca_report_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* Calls in which this process was rank 0 of the communicator, by routine. */
static struct {
    long served, cached, left;
    double bytes, moved, seconds;
    double left_seconds;
    long predicted;  /* calls for which ScaLAPACK's own is predicted: */
    double compared; /* their seconds, */
    double original; /* and its */
} count[NTYPES][NKINDS];

/* A number of bytes for people: "81.9 MB". */
typedef struct {
    char text[24];
} amount;

static amount
bytes(double n)
{
    static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
    amount x;
    int k = 0;
    while (n >= 999.95 && k < 4) {
        n /= 1000;
        ++k;
    }
    snprintf(x.text, sizeof x.text, "%.*f %s", k > 0, n, unit[k]);
    return x;
}

/* ------------------------------------------------ lines
 * Calls that are left for one reason have one line; their number follows in
 * the summary. */

void
hesca_report_line(const char *format, ...)
{
    char line[HESCA_REPORT_LINE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    hesca_log_line(line);
}

enum { KINDS = 64, SHOWN = 240 }; /* beyond them each line is printed */
static struct {
    uint64_t cause;
    long more; /* lines that were not printed */
    char first[SHOWN];
} left[KINDS];
static int nleft;

void
hesca_report_left(const hesca_params *params, int asked, const char *line)
{
    const uint64_t cause = hesca_fallback_cause(line);
    int k = 0;
    hesca_report_lock();
    while (k < nleft && left[k].cause != cause)
        ++k;
    const int is_new = k == nleft;
    if (is_new && nleft < KINDS) {
        left[nleft].cause = cause;
        snprintf(left[nleft++].first, SHOWN, "%s", line);
    }
    const int prints =
        !asked || params->verbose >= 2 || (is_new && !params->summary);
    if (!prints && k < KINDS)
        ++left[k].more;
    hesca_report_unlock();
    if (prints)
        hesca_log_line(line);
}

static void
summarize_left(void)
{
    for (int k = 0; k < nleft; ++k)
        if (left[k].more > 0)
            hesca_report_line("summary: %ld more like: %s", left[k].more,
                              left[k].first);
}

/* ------------------------------------------------ the first line and the last
 * A process prints them once, before and after all others of its own. */

/* MPI_Finalize begins by freeing the attributes of MPI_COMM_SELF; so the
 * summary needs no wrapper of MPI_Finalize, which is left to profilers. */
static int
summary(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self, (void)key, (void)value, (void)extra;
    for (int t = 0; t < NTYPES; ++t)
        for (int k = 0; k < NKINDS; ++k) {
            const hesca_call call = {.type = (hesca_element)t,
                                     .kind = (hesca_kind)k};
            if (count[t][k].served + count[t][k].left == 0)
                continue;
            char original[160] = "";
            if (count[t][k].predicted > 0)
                snprintf(original, sizeof original,
                         "; calls of 1 MB and more: %ld, %.3g s, by "
                         "ScaLAPACK %.3g s, predicted to a factor of 2",
                         count[t][k].predicted, count[t][k].compared,
                         count[t][k].original);
            hesca_report_line(
                "summary: p%s: %ld calls by HESCA (%ld with a "
                "cached plan), %ld by ScaLAPACK; %s copied, %s between "
                "processes, %.6f s, measured%s",
                hesca_call_name(&call), count[t][k].served, count[t][k].cached,
                count[t][k].left, bytes(count[t][k].bytes).text,
                bytes(count[t][k].moved).text, count[t][k].seconds, original);
        }
    hesca_pblas_report_summary();
    hesca_grid_report_summary();
    hesca_mpiwait_report_summary();
    summarize_left();
    return MPI_SUCCESS;
}

void
hesca_report_append(char *text, const char *format, ...)
{
    const size_t n = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + n, HESCA_REPORT_LINE - n, format, args);
    va_end(args);
}

/* The first line, and the order for the last ones. */
void
hesca_report_begin(const hesca_params *params, MPI_Comm comm)
{
    static atomic_flag is_begun = ATOMIC_FLAG_INIT;
    const amount buffer = bytes((double)params->buffer);
    int size, key = MPI_KEYVAL_INVALID;
    if (atomic_flag_test_and_set(&is_begun))
        return;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, summary, &key, NULL);
    PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    if (params->summary)
        return;
    hesca_report_line("version %s is active for p?gemr2d, p?trmr2d, p?gemm, "
                      "p?potrf, p?potrs, p?posv, p?getrf, p?getrs, p?gesv, "
                      "those of HESCA_REGRID and blacs_gridinit; %d "
                      "processes, schedule %s, buffer %s%s%s",
                      HESCA_VERSION, size, params->schedule, buffer.text,
                      params->disable[0] != '\0' ? ", disabled: " : "",
                      params->disable);
}

/* ------------------------------------------------ a line for each call
 * Only rank 0 prints. */

static int
is_root(MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank == 0;
}

/* Seconds of ScaLAPACK's own routine on processes of one node that have a core
 * each: it copies row by row of blocks, and looks at all pairs of blocks;
 * large copies miss the caches.  Fitted to 442 cases of time_gemr2d on 2
 * processes; of those above 1 MB nine in ten are within a factor of 2.  Of
 * smaller ones most of the time is that processes wait for each other.
 * \return negative: these processes are others, or the matrix is smaller. */
static double
predict_original(const hesca_call *call, const hesca_plan_info *info)
{
    const hesca_shape a = info->a, b = info->b;
    const int np_a = a.nprow * a.npcol, np_b = b.nprow * b.npcol;
    const int np = np_a < np_b ? np_a : np_b;
    if (info->bytes_total < 1000000 || hesca_mpiwait_on ||
        strstr(info->transport, "mpi") != NULL || np < 1 || a.mb < 1 ||
        a.nb < 1 || b.mb < 1 || b.nb < 1)
        return -1;
    const double m = (double)call->m, n = (double)call->n;
    const double rows = m / a.mb + m / b.mb + 2;
    const double cols = n / a.nb + n / b.nb + 2;
    const double size = (double)info->bytes_total / np, cache = 3.9e6;
    return 2.8e-6 + 3.4e-10 * size +
           8.1e-10 * (size > cache ? size - cache : 0) +
           2.4e-10 * rows * n / np + 2.6e-9 * rows + 2.9e-9 * cols +
           7.1e-11 * rows * cols;
}

void
hesca_report_call(const hesca_call *call, const hesca_params *params,
                  MPI_Comm comm, const hesca_plan_info *info, double seconds)
{
    const double total = (double)info->bytes_total;
    const double moved = (double)info->bytes_moved;
    const double original = predict_original(call, info);
    const hesca_shape a = info->a, b = info->b;
    char planning[90] = "";
    if (!is_root(comm))
        return;
    if (params->verbose > 0)
        hesca_report_begin(params, comm);
    if (params->verbose >= 2)
        snprintf(planning, sizeof planning,
                 ", of which planning %.6f s; predicted %.6f s without it",
                 info->plan_seconds, info->predicted_seconds);
    if (params->verbose > 0 && !params->summary)
        hesca_report_line(
            "p%s %lld x %lld, %dx%d grid %dx%d blocks -> %dx%d grid "
            "%dx%d blocks, %s (%d steps, %s plan), %s, %s between "
            "processes by %s, %.6f s%s",
            hesca_call_name(call), (long long)call->m, (long long)call->n,
            a.nprow, a.npcol, a.mb, a.nb, b.nprow, b.npcol, b.mb, b.nb,
            info->schedule, info->nsteps, info->cached ? "cached" : "new",
            bytes(total).text, bytes(moved).text, info->transport, seconds,
            planning);
    hesca_report_lock();
    ++count[call->type][call->kind].served;
    count[call->type][call->kind].cached += info->cached;
    count[call->type][call->kind].bytes += total;
    count[call->type][call->kind].moved += moved;
    count[call->type][call->kind].seconds += seconds;
    if (original >= 0) {
        ++count[call->type][call->kind].predicted;
        count[call->type][call->kind].compared += seconds;
        count[call->type][call->kind].original += original;
    }
    hesca_report_unlock();
}

void
hesca_report_original(const hesca_call *call, const hesca_params *params,
                      MPI_Comm comm, const char *why, int asked)
{
    char line[HESCA_REPORT_LINE] = "";
    if (!is_root(comm))
        return;
    if (params->verbose > 0)
        hesca_report_begin(params, comm);
    hesca_report_lock();
    ++count[call->type][call->kind].left;
    hesca_report_unlock();
    if (HESCA_FIGURES) {
        char name[HESCA_PAGE_NAME];
        snprintf(name, sizeof name, "p%s", hesca_call_name(call));
        hesca_figures_left(name, why);
    }
    if (params->verbose == 0 && asked)
        return;
    hesca_report_append(line, "p%s %lld x %lld left to ScaLAPACK: %s",
                        hesca_call_name(call), (long long)call->m,
                        (long long)call->n, why);
    hesca_report_left(params, asked, line);
}

void
hesca_report_original_took(const hesca_call *call, MPI_Comm comm,
                           double seconds)
{
    if (!is_root(comm))
        return;
    hesca_report_lock();
    count[call->type][call->kind].left_seconds += seconds;
    hesca_report_unlock();
}

/* ------------------------------------------------ figures for the page */

static void
describe(hesca_element t, hesca_kind k, hesca_page_routine *r)
{
    const hesca_call call = {.type = t, .kind = k};
    *r = (hesca_page_routine){.name = "p"};
    snprintf(r->name + 1, sizeof r->name - 1, "%s", hesca_call_name(&call));
    r->calls[HESCA_PAGE_HESCA] = (double)count[t][k].served;
    r->calls[HESCA_PAGE_ORIGINAL] = (double)count[t][k].left;
    r->seconds[HESCA_PAGE_HESCA] = count[t][k].seconds;
    r->seconds[HESCA_PAGE_ORIGINAL] = count[t][k].left_seconds;
    r->cached = (double)count[t][k].cached;
    r->copied = count[t][k].bytes;
    r->moved = count[t][k].moved;
    r->measured = count[t][k].compared;
    r->original = count[t][k].original;
}

int
hesca_report_figures(hesca_page_routine *r, int most)
{
    int n = 0;
    hesca_report_lock();
    for (int t = 0; t < NTYPES; ++t)
        for (int k = 0; k < NKINDS && n < most; ++k)
            if (count[t][k].served + count[t][k].left > 0)
                describe((hesca_element)t, (hesca_kind)k, &r[n++]);
    hesca_report_unlock();
    return n;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "shim/fallback.h"
#include "base/hash.h"
#include "shim/shim.h"
#include <ctype.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------ what has been reported
 *
 * Every process keeps it, not only the one that prints: a smaller context has
 * another rank 0, which has seen what was reported in a larger one. */

enum { CAUSES = 64 }; /* beyond them a process is silent */
static uint64_t reported[CAUSES];
static int nreported;

static int
is_new(uint64_t cause)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int k = 0;
    pthread_mutex_lock(&lock);
    while (k < nreported && reported[k] != cause)
        ++k;
    const int is = k == nreported && nreported < CAUSES;
    if (is)
        reported[nreported++] = cause;
    pthread_mutex_unlock(&lock);
    return is;
}

uint64_t
hesca_fallback_cause(const char *text)
{
    uint64_t h = HESCA_HASH;
    for (; *text != '\0'; ++text)
        if (!isdigit((unsigned char)*text))
            h = hesca_hash_mix(h, (unsigned char)*text);
    return h;
}

static int
is_root(MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank == 0;
}

/* ------------------------------------------------ reports */

void
hesca_fallback_report_findings(const hesca_params *params, int root)
{
    char text[400];
    hesca_params mine;
    if (params->findings == 0 || params->fallback == HESCA_FALLBACK_SILENT)
        return;
    /* What is malformed will be the error of each routine. */
    if (params->fallback == HESCA_FALLBACK_ERROR &&
        hesca_params_read(&mine) < 0)
        return;
    if (!is_new(params->findings))
        return;
    for (int i = 0; root && hesca_params_finding(i, text, sizeof text); ++i)
        hesca_log_line(text);
}

void
hesca_fallback_report_machine(const hesca_params *params, const char *missing,
                              MPI_Comm comm)
{
    char cause[HESCA_PATH_MAX + 400];
    /* Of a file of other hosts each context names another process. */
    const int is_of_others = strncmp(missing, "process ", 8) == 0;
    snprintf(cause, sizeof cause, "HESCA_MACHINE %s %s", params->machine,
             is_of_others ? "process" : missing);
    if (hesca_fallback_is_news(params, cause) && is_root(comm))
        hesca_report_line("HESCA_MACHINE cannot be used: %s; redistributions "
                          "go on without it, other routines are left to "
                          "ScaLAPACK",
                          missing);
}

/* ------------------------------------------------ the rule */

int
hesca_fallback_params(MPI_Comm comm, hesca_params *params)
{
    const char *missing = NULL;
    const int err = hesca_params_serve(comm, params, &missing);
    if (params->findings != 0)
        hesca_fallback_report_findings(params, is_root(comm));
    if (missing != NULL && err == HESCA_SUCCESS)
        hesca_fallback_report_machine(params, missing, comm);
    return err;
}

int
hesca_fallback_is_error(int err, const hesca_params *params)
{
    return err < 0 && params->fallback == HESCA_FALLBACK_ERROR;
}

int
hesca_fallback_is_news(const hesca_params *params, const char *why)
{
    return params->fallback == HESCA_FALLBACK_PRINT &&
           is_new(hesca_fallback_cause(why));
}

void
hesca_fallback_text(int err, char *text, size_t room)
{
    if (err == HESCA_ERR_NOMEM)
        snprintf(text, room, "%s: %s", hesca_strerror(err),
                 hesca_error_text());
    else
        snprintf(text, room, "%s", hesca_error_text());
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* HESCA_MACHINE=auto: the machine of a communicator from the cache, or
 * measured now.
 *
 * Hosts with the same processors, quota and cores whose speeds hardly differ
 * are equal, and so are links of about the same rate: what is left between
 * them is the noise of a short measurement. */
#define _GNU_SOURCE /* sched_getaffinity, RTLD_DEFAULT */
#include "survey/survey.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/sort.h"
#include "base/status.h"
#include "dense/kernels.h"
#include "exec/agree.h"
#include "survey/cache.h"
#include "wait/quota.h"
#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds to spend, in all. */
static const double SPEEDS = 0.3, LINKS = 1;

/* Time of one round of the tournament of hosts, at least. */
static const double ROUND = 0.04;

/* Speeds of equal hosts, and rates of equal links, differ by less from their
 * median; and startups by so many seconds, since an exhausted quota delays
 * them. */
static const double EQUAL_SPEED = 0.06, EQUAL_LINK = 0.25,
                    EQUAL_STARTUP = 2e-4;

/* Half a confidence interval that is too wide to keep the speed. */
static const double TOO_WIDE = 0.1;

/* ------------------------------------------------ facts
 * What is known of a host without measuring. */

enum { MASK = CPU_SETSIZE / 64 };

typedef struct {
    uint64_t processor, mask[MASK]; /* kind; cores of this process */
    double quota;
} facts;

static uint64_t
hash_text(uint64_t h, const char *text)
{
    return text == NULL ? h : hesca_hash_bytes(h, text, strlen(text));
}

/* The kind of processor by the system, and the kernels that BLAS has for
 * it. */
static uint64_t
find_processor(void)
{
    char line[200];
    uint64_t h = HESCA_HASH;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "model name", 10) == 0) {
            h = hash_text(h, line);
            break;
        }
    if (f != NULL)
        fclose(f);
    char *(*corename)(void) = NULL;
    *(void **)&corename = dlsym(RTLD_DEFAULT, "openblas_get_corename");
    return hash_text(h, corename != NULL ? corename() : "");
}

static facts
find_facts(void)
{
    facts f = {.processor = find_processor(), .quota = hesca_quota()};
    cpu_set_t mask;
    CPU_ZERO(&mask);
    if (sched_getaffinity(0, sizeof mask, &mask) == 0)
        for (int k = 0; k < CPU_SETSIZE; ++k)
            if (CPU_ISSET((size_t)k, &mask))
                f.mask[k / 64] |= (uint64_t)1 << k % 64;
    return f;
}

/* The cores of a host: all that its processes may use, as far as the quota
 * goes; a quota of less than one slows down one process as well as many. */
static double
cores_of(const facts *all, const int *host, int n, int h)
{
    uint64_t mask[MASK] = {0};
    double quota = 0;
    int cores = 0;
    for (int r = 0; r < n; ++r) {
        for (int k = 0; k < MASK && host[r] == h; ++k)
            mask[k] |= all[r].mask[k];
        if (host[r] == h)
            quota = all[r].quota;
    }
    for (int k = 0; k < MASK; ++k)
        cores += __builtin_popcountll(mask[k]);
    if (cores < 1)
        cores = 1;
    return quota > 0 && fmax(quota, 1) < cores ? fmax(quota, 1) : cores;
}

/* By host, on all processes: the facts of its first process, and cores. */
static int
gather(const hesca_comm *c, hesca_survey *x, facts *of)
{
    const facts mine = find_facts();
    facts *all = malloc((size_t)c->size * sizeof *all);
    int *host = malloc((size_t)c->size * sizeof *host), err = HESCA_SUCCESS;
    MPI_Request request;
    if (all == NULL || host == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", c->size);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_MPI(err, Iallgather, &mine, sizeof mine, MPI_BYTE, all, sizeof mine,
              MPI_BYTE, c->mpi, &request);
    HESCA_TRY(err, hesca_comm_wait(c, 1, &request));
    HESCA_MPI(err, Iallgather, &x->mine, 1, MPI_INT, host, 1, MPI_INT, c->mpi,
              &request);
    HESCA_TRY(err, hesca_comm_wait(c, 1, &request));
    for (int i = 0; i < x->n; ++i) {
        of[i] = all[x->host[i].first];
        x->host[i].cores = cores_of(all, host, c->size, i);
    }
fail:
    free(all);
    free(host);
    return err;
}

/* What a machine file in the cache depends on. */
static uint64_t
key_of(const hesca_survey *x, const facts *of)
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    int len;
    uint64_t h = HESCA_HASH;
    PMPI_Get_library_version(mpi, &len);
    h = hesca_hash_bytes(h, mpi, strcspn(mpi, "\n"));
    for (int i = 0; i < x->n; ++i) {
        const int quota = (int)lround(100 * of[i].quota);
        h = hash_text(h, x->host[i].name);
        h = hesca_hash_mix(h, of[i].processor);
        h = hesca_hash_mix(h, (uint64_t)quota);
        h = hesca_hash_mix(h, (uint64_t)lround(x->host[i].cores));
        h = hesca_hash_mix(h, (uint64_t)x->host[i].nprocs);
    }
    return h;
}

/* ------------------------------------------------ measuring */

enum { ORDER = 160 };

static void
multiply(void *work)
{
    const double alpha = 1, beta = 0;
    double *a = work, *b = a + ORDER * ORDER, *c = b + ORDER * ORDER;
    hesca_kernel_gemm(HESCA_D, 'N', 'N', ORDER, ORDER, ORDER, &alpha, a, ORDER,
                      b, ORDER, &beta, c, ORDER);
}

/* Replace values that are close to the median of those marked by it: within a
 * part of it, or an amount. */
static void
level(double *x, const char *marked, int n, double part, double amount,
      double *sorted)
{
    double ends[2];
    int count = 0;
    for (int i = 0; i < n; ++i)
        if (marked[i])
            sorted[count++] = x[i];
    if (count < 2)
        return;
    const double middle = hesca_median(sorted, count, ends);
    for (int i = 0; i < n; ++i)
        if (marked[i] && fabs(x[i] - middle) <= part * middle + amount)
            x[i] = middle;
}

/* Hosts with the same facts. */
static void
level_speeds(hesca_survey *x, const facts *of, double *value, double *sorted,
             char *marked)
{
    const int n = x->n;
    for (int i = 0; i < n; ++i)
        value[i] = x->host[i].speed;
    for (int i = 0; i < n; ++i) {
        int first = i;
        for (int j = 0; j < n; ++j) {
            marked[j] = of[j].processor == of[i].processor &&
                        fabs(of[j].quota - of[i].quota) < 0.01 &&
                        x->host[j].cores == x->host[i].cores;
            if (marked[j] && j < first)
                first = j;
        }
        if (first == i)
            level(value, marked, n, EQUAL_SPEED, 0, sorted);
    }
    for (int i = 0; i < n; ++i)
        x->host[i].speed = value[i];
}

/* Links between hosts; those that were not measured are as the median. */
static void
level_links(hesca_survey *x, double *value, double *sorted, char *marked)
{
    const int n = x->n, all = n * n;
    for (int what = 0; what < 2; ++what) {
        double ends[2], middle = 0;
        int count = 0;
        for (int k = 0; k < all; ++k) {
            const hesca_survey_link *l = &x->link[k];
            marked[k] = l->rate > 0 && k / n != k % n;
            value[k] = what == 0 ? l->startup : l->rate;
            if (marked[k])
                sorted[count++] = value[k];
        }
        if (count > 0)
            middle = hesca_median(sorted, count, ends);
        level(value, marked, all, EQUAL_LINK, what == 0 ? EQUAL_STARTUP : 0,
              sorted);
        for (int k = 0; k < all; ++k) {
            if (k / n == k % n || count == 0)
                continue;
            *(what == 0 ? &x->link[k].startup : &x->link[k].rate) =
                marked[k] ? value[k] : middle;
        }
    }
}

/* On rank 0. */
static int
level_all(hesca_survey *x, const facts *of)
{
    const size_t n = (size_t)x->n * (size_t)x->n;
    double *value = malloc(2 * n * sizeof *value);
    char *marked = malloc(n);
    int err = HESCA_SUCCESS;
    if (value == NULL || marked == NULL) {
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "links of %d hosts", x->n);
    } else {
        level_speeds(x, of, value, value + n, marked);
        level_links(x, value, value + n, marked);
    }
    free(value);
    free(marked);
    return err;
}

static int
measure(const hesca_comm *c, const facts *of, hesca_survey *x)
{
    double *work = calloc(3 * ORDER * ORDER, sizeof *work);
    const hesca_survey_kernel kernel = {multiply, work,
                                        2.0 * ORDER * ORDER * ORDER};
    const int rounds = (int)(LINKS / ROUND);
    int err = HESCA_SUCCESS;
    if (work == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "a measurement of speed");
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    for (int k = 0; k < 2 * ORDER * ORDER; ++k)
        work[k] = 1e-3 * (k % 97);
    HESCA_TRY(err, hesca_survey_speeds(
                       c, SPEEDS, hesca_kernels_fit() ? &kernel : NULL, x));
    HESCA_TRY(err, hesca_survey_links(c, LINKS, rounds, x));
    err = c->rank == 0 ? level_all(x, of) : HESCA_SUCCESS;
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
fail:
    free(work);
    return err;
}

/* ------------------------------------------------ what is said */

/* Names of hosts whose speed is not certain. */
static int
list_uncertain(const hesca_survey *x, char *text, size_t room)
{
    int n = 0;
    text[0] = '\0';
    for (int i = 0; i < x->n; ++i) {
        const hesca_survey_host *h = &x->host[i];
        if (h->share >= HESCA_SURVEY_BUSY && h->width <= TOO_WIDE)
            continue;
        const size_t at = strlen(text);
        if (at + 80 < room)
            snprintf(text + at, room - at, "%s%.60s", n > 0 ? ", " : "",
                     h->name);
        ++n;
    }
    return n;
}

/* Speeds as "2 of speed 1, 2 of 0.333". */
static void
describe(const hesca_machine *m, char *text, size_t room)
{
    text[0] = '\0';
    for (int i = 0; i < m->nhosts; ++i) {
        int same = 0, first = 1;
        for (int j = 0; j < m->nhosts; ++j) {
            const int is = m->host[j].speed == m->host[i].speed;
            same += is;
            first &= !is || j >= i;
        }
        const size_t at = strlen(text);
        if (first && at + 40 < room)
            snprintf(text + at, room - at, "%s%d of %s%.3g",
                     at > 0 ? ", " : "", same, at > 0 ? "" : "speed ",
                     m->host[i].speed);
    }
}

static void
report(const hesca_comm *c, const hesca_machine *m, const char *from,
       const char *uncertain)
{
    char speeds[200];
    double slowest = INFINITY, fastest = 0;
    if (c->params.verbose < 1)
        return;
    describe(m, speeds, sizeof speeds);
    for (int k = 0; k < m->nhosts * m->nhosts; ++k)
        if (k / m->nhosts != k % m->nhosts) {
            slowest = fmin(slowest, m->wire[k].rate);
            fastest = fmax(fastest, m->wire[k].rate);
        }
    hesca_log("machine: %d hosts, %s, links of %.3g to %.3g MB/s; %s%s%s",
              m->nhosts, speeds, 1e-6 * slowest, 1e-6 * fastest, from,
              uncertain[0] != '\0' ? "; busy while it was measured: " : "",
              uncertain);
}

/* ------------------------------------------------ the machine */

/* On rank 0: from the cache.
 * \return 1, or 0 if it is not there. */
static int
recall(const char *path, hesca_machine *m)
{
    const hesca_failure before = *hesca_failure_get();
    if (!hesca_cache_is_whole(path))
        return 0;
    *m = hesca_machine_default();
    if (hesca_machine_read(path, m) == HESCA_SUCCESS)
        return 1;
    hesca_failure_set(&before);
    return 0;
}

/* On rank 0: into the cache. */
static void
keep(const char *path, const hesca_machine *m)
{
    char *text;
    if (hesca_machine_format(m, &text) != HESCA_SUCCESS)
        return;
    hesca_cache_write(path, text);
    free(text);
}

/* The machine, on rank 0, whatever is found of it. */
static int
make(hesca_comm *c, hesca_survey *x, const facts *of, hesca_machine *m)
{
    char path[HESCA_CACHE_PATH] = "", from[HESCA_CACHE_PATH + 40] = "";
    char uncertain[200] = "";
    int known = 0, err = HESCA_SUCCESS;
    const int has_path =
        c->rank == 0 && hesca_cache_path("machine", key_of(x, of), path);
    if (has_path)
        known = recall(path, m);
    HESCA_TRY(err, hesca_comm_bcast(c, &known, 1, MPI_INT));
    if (known) {
        snprintf(from, sizeof from, "from %s", path);
    } else {
        const double start = PMPI_Wtime();
        HESCA_TRY(err, measure(c, of, x));
        *m = hesca_machine_default();
        err = c->rank == 0 ? hesca_survey_enter(x, m) : HESCA_SUCCESS;
        HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
        const int certain =
            list_uncertain(x, uncertain, sizeof uncertain) == 0;
        if (has_path && certain)
            keep(path, m);
        snprintf(from, sizeof from, "measured in %.1f s%s%s",
                 PMPI_Wtime() - start, has_path && certain ? ", kept in " : "",
                 has_path && certain ? path : "");
    }
    if (c->rank == 0)
        report(c, m, from, uncertain);
fail:
    return err;
}

static int
find(hesca_comm *c)
{
    hesca_machine m = {0};
    hesca_survey x = {0};
    facts *of = NULL;
    int err;
    HESCA_TRY(err, hesca_survey_begin(c, &x));
    of = malloc((size_t)x.n * sizeof *of);
    err = of == NULL ? hesca_fail(HESCA_ERR_NOMEM, 0, "%d hosts", x.n)
                     : HESCA_SUCCESS;
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err, gather(c, &x, of));
    HESCA_TRY(err, make(c, &x, of, &m));
    HESCA_TRY(err, hesca_comm_bcast(c, &m, sizeof m, MPI_BYTE));
    HESCA_TRY(err, hesca_directory_replace(c, &m));
    hesca_directory_keep(&c->machine);
fail:
    free(of);
    hesca_survey_clear(&x);
    return err;
}

int
hesca_survey_ensure(hesca_comm *c)
{
    int err;
    if (!c->wants_survey)
        return HESCA_SUCCESS;
    c->wants_survey = 0;
    if (c->node.n == c->size) {
        if (c->rank == 0 && c->params.verbose > 0)
            hesca_log("machine: one host, %d processes: nothing to measure",
                      c->size);
        return HESCA_SUCCESS;
    }
    err = find(c);
    if (err == HESCA_ERR_MPI)
        return err;
    if (err < 0 && c->rank == 0 && c->params.verbose > 0)
        hesca_log("machine: not known: %s", hesca_error_text());
    return HESCA_SUCCESS;
}

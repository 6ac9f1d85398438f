/* SPDX-License-Identifier: BSD-3-Clause */
/* HESCA_MACHINE=auto: the machine of a communicator from the cache, or
 * measured now.
 *
 * Hosts with the same processors, quota and cores whose speeds hardly differ
 * are equal, and so are links of about the same rate: what is left between
 * them is the noise of a short measurement.  A host that was busy counts as
 * the others of its kind. */
#define _GNU_SOURCE /* sched_getaffinity, RTLD_DEFAULT */
#include "survey/survey.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/sort.h"
#include "base/status.h"
#include "dense/kernels.h"
#include "exec/agree.h"
#include "survey/cache.h"
#include "survey/learn.h"
#include "wait/quota.h"
#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Seconds to spend, in all: on speeds before and after links, each a number of
 * the usual periods of a quota. */
static const double SPEEDS = 0.2, SPEEDS_AGAIN = 0.1, LINKS = 1;

/* Time of one round of the tournament of hosts, at least. */
static const double ROUND = 0.04;

/* Speeds of equal hosts, and rates of equal links, differ by less from their
 * median; speeds also by less than so many mean widths of those that are
 * certain, and startups by so many seconds, since an exhausted quota delays
 * them. */
static const double EQUAL_SPEED = 0.12, EQUAL_LINK = 0.25, EQUAL_WIDTHS = 3,
                    EQUAL_STARTUP = 2e-4;

/* Half a confidence interval that is too wide to keep the speed, or the rate
 * of a link. */
static const double TOO_WIDE = 0.1, UNSURE = 0.2;

/* ------------------------------------------------ facts
 * What is known of a host without measuring. */

enum { MASK = CPU_SETSIZE / 64 };

typedef struct {
    uint64_t processor, mask[MASK]; /* kind; cores of this process */
    double quota, cores;            /* the latter by gather() */
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

/* By host, on all processes: the facts of its first process, and its cores. */
static int
gather(const hesca_comm *c, const hesca_survey *x, facts *of)
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
        of[i].cores = cores_of(all, host, c->size, i);
    }
fail:
    free(all);
    free(host);
    return err;
}

/* What a machine file in the cache depends on.  Speeds are those of a process
 * that has a core, and links are measured between hosts: numbers of processes,
 * and of the cores that they may use, change neither. */
static uint64_t
key_of(const hesca_survey *x, const facts *of)
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    int len;
    uint64_t h = hash_text(HESCA_HASH, "with a unit");
    PMPI_Get_library_version(mpi, &len);
    h = hesca_hash_bytes(h, mpi, strcspn(mpi, "\n"));
    for (int i = 0; i < x->n; ++i) {
        const int quota = (int)lround(100 * of[i].quota);
        h = hash_text(h, x->host[i].name);
        h = hesca_hash_mix(h, of[i].processor);
        h = hesca_hash_mix(h, (uint64_t)quota);
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

/* Whether a speed is to be believed. */
static int
is_certain(const hesca_survey_host *h)
{
    return h->share >= HESCA_SURVEY_BUSY && h->width <= TOO_WIDE;
}

int
hesca_survey_level(int n, const int *kind, const char *certain, double part,
                   double amount, double *value)
{
    double *sorted = malloc((size_t)n * sizeof *sorted), ends[2];
    if (sorted == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d values of a survey", n);
    for (int k = 0; k < n; ++k) {
        int known = 0, count = 0;
        if (kind[k] != k)
            continue;
        for (int i = k; i < n; ++i)
            known += kind[i] == k && certain[i];
        for (int i = k; i < n; ++i)
            if (kind[i] == k && (certain[i] || (known == 0 && value[i] > 0)))
                sorted[count++] = value[i];
        const double middle =
            count > 0 ? hesca_median(sorted, count, ends) : 0;
        for (int i = k; i < n && count > 0; ++i)
            if (kind[i] == k && (!certain[i] || fabs(value[i] - middle) <=
                                                    part * middle + amount))
                value[i] = middle;
    }
    free(sorted);
    return HESCA_SUCCESS;
}

/* What is levelled: of hosts, or of links. */
typedef struct {
    double *value;
    int *kind;
    char *certain;
} levels;

/* Hosts with the same facts are of one kind. */
static int
level_speeds(hesca_survey *x, const facts *of, levels l)
{
    const int n = x->n;
    double width = 0;
    int known = 0;
    for (int i = 0; i < n; ++i) {
        int first = 0;
        while (of[first].processor != of[i].processor ||
               fabs(of[first].quota - of[i].quota) >= 0.01 ||
               of[first].cores != of[i].cores)
            ++first;
        l.kind[i] = first;
        l.certain[i] = (char)is_certain(&x->host[i]);
        l.value[i] = x->host[i].speed;
        width += l.certain[i] ? x->host[i].width : 0;
        known += l.certain[i];
    }
    width /= known > 0 ? known : 1;
    const int err = hesca_survey_level(n, l.kind, l.certain,
                                       fmax(EQUAL_SPEED, EQUAL_WIDTHS * width),
                                       0, l.value);
    for (int i = 0; i < n; ++i)
        x->host[i].speed = l.value[i];
    return err;
}

/* Whether a rate is to be believed: it is repeated, or, if there is a reason
 * to expect another one than those of other links, the other direction has it,
 * too. */
static int
is_certain_link(const hesca_survey *x, int from, int to, int expects)
{
    const hesca_survey_link *a = &x->link[from * x->n + to];
    const hesca_survey_link *b = &x->link[to * x->n + from];
    if (a->rate <= 0 || !is_certain(&x->host[from]) ||
        !is_certain(&x->host[to]))
        return 0;
    return a->rate_width <= UNSURE ||
           (expects && b->rate > 0 &&
            fabs(log(a->rate / b->rate)) < EQUAL_LINK);
}

/* Links between hosts; those that were not measured are like the others. */
static int
level_links(hesca_survey *x, levels l, int expects)
{
    const int n = x->n, first = 1; /* that of host 0 to 1 */
    int err = HESCA_SUCCESS;
    for (int what = 0; what < 2 && err == HESCA_SUCCESS; ++what) {
        for (int k = 0; k < n * n; ++k) {
            const hesca_survey_link *a = &x->link[k];
            l.kind[k] = k / n == k % n ? -1 : first;
            l.certain[k] = (char)is_certain_link(x, k / n, k % n, expects);
            l.value[k] = what == 0 ? a->startup : a->rate;
        }
        err = hesca_survey_level(n * n, l.kind, l.certain, EQUAL_LINK,
                                 what == 0 ? EQUAL_STARTUP : 0, l.value);
        for (int k = 0; k < n * n; ++k)
            if (l.kind[k] == first)
                *(what == 0 ? &x->link[k].startup : &x->link[k].rate) =
                    l.value[k];
    }
    return err;
}

/* On rank 0.
 * \param [in] of  NULL: speeds were not measured. */
static int
level_all(hesca_survey *x, const facts *of)
{
    const size_t n = (size_t)x->n * (size_t)x->n;
    const levels l = {calloc(n, sizeof *l.value), calloc(n, sizeof *l.kind),
                      calloc(n, 1)};
    int err;
    if (l.value == NULL || l.kind == NULL || l.certain == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "links of %d hosts", x->n));
    if (of != NULL)
        HESCA_TRY(err, level_speeds(x, of, l));
    err = level_links(x, l, of == NULL);
fail:
    free(l.value);
    free(l.kind);
    free(l.certain);
    return err;
}

int
hesca_survey_level_speeds(const hesca_comm *c, hesca_survey *x)
{
    const size_t n = (size_t)x->n;
    const levels l = {malloc(n * sizeof *l.value), malloc(n * sizeof *l.kind),
                      malloc(n)};
    facts *of = malloc(n * sizeof *of);
    int err = HESCA_SUCCESS;
    if (l.value == NULL || l.kind == NULL || l.certain == NULL || of == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "speeds of %d hosts", x->n);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err, gather(c, x, of));
    HESCA_TRY(err, hesca_agree(c, level_speeds(x, of, l), 0, NULL));
fail:
    free(l.value);
    free(l.kind);
    free(l.certain);
    free(of);
    return err;
}

/* kernel->work: to free with free(); NULL without memory. */
static hesca_survey_kernel
make_kernel(void)
{
    double *work = calloc(3 * ORDER * ORDER, sizeof *work);
    for (int k = 0; work != NULL && k < 2 * ORDER * ORDER; ++k)
        work[k] = 1e-3 * (k % 97);
    return (hesca_survey_kernel){multiply, work, 2.0 * ORDER * ORDER * ORDER};
}

void
hesca_survey_flops(double seconds, hesca_survey *x)
{
    const hesca_survey_kernel kernel = make_kernel();
    x->flops = kernel.work != NULL && hesca_kernels_fit()
                   ? hesca_survey_speed(&kernel, seconds)
                   : 0;
    free(kernel.work);
}

/* Two measurements of one host: what a neighbour on the same core takes is
 * processor time that the process had, and only another moment shows it. */
static void
combine(const hesca_survey_host *before, hesca_survey_host *h)
{
    const double part = SPEEDS / (SPEEDS + SPEEDS_AGAIN);
    const double apart = fabs(log(before->speed / h->speed)) / 2;
    h->speed = part * before->speed + (1 - part) * h->speed;
    h->share = part * before->share + (1 - part) * h->share;
    h->width = fmax(apart, fmax(before->width, h->width));
}

static int
measure(const hesca_comm *c, const facts *of, hesca_survey *x)
{
    const hesca_survey_kernel kernel = make_kernel();
    const hesca_survey_kernel *at_hand = hesca_kernels_fit() ? &kernel : NULL;
    const int rounds = (int)(LINKS / ROUND);
    hesca_survey_host *before = malloc((size_t)x->n * sizeof *before);
    int err = HESCA_SUCCESS;
    if (kernel.work == NULL || before == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "a measurement of speed");
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err, hesca_survey_speeds(c, SPEEDS, at_hand, x));
    memcpy(before, x->host, (size_t)x->n * sizeof *before);
    HESCA_TRY(err, hesca_survey_links(c, LINKS, rounds, x));
    HESCA_TRY(err, hesca_survey_speeds(c, SPEEDS_AGAIN, at_hand, x));
    for (int i = 0; i < x->n; ++i)
        combine(&before[i], &x->host[i]);
    x->flops = at_hand != NULL ? x->host[0].speed : 0;
    err = c->rank == 0 ? level_all(x, of) : HESCA_SUCCESS;
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
fail:
    free(kernel.work);
    free(before);
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
        if (is_certain(h))
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
report(const hesca_comm *c, const hesca_machine *m, const char *from)
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
    hesca_log("machine: %d hosts, %s, links of %.3g to %.3g MB/s; %s",
              m->nhosts, speeds, 1e-6 * slowest, 1e-6 * fastest, from);
}

/* ------------------------------------------------ the machine */

/* What was measured under load counts for a while only; files of their own. */
static const char *const kind[2] = {"machine", "busy"};
static const double WHILE = 600; /* seconds */

/* On rank 0: from the cache.
 * \param [in] busy  0 or 1: of kind[].
 * \return 1, or 0 if it is not there. */
static int
recall(int busy, uint64_t key, char *path, hesca_machine *m)
{
    const hesca_failure before = *hesca_failure_get();
    struct stat file;
    if (!hesca_cache_path(kind[busy], key, path) ||
        !hesca_cache_is_whole(path) || stat(path, &file) != 0 ||
        (busy && difftime(time(NULL), file.st_mtime) > WHILE))
        return 0;
    *m = hesca_machine_default();
    if (hesca_machine_read(path, m) == HESCA_SUCCESS)
        return 1;
    hesca_failure_set(&before);
    return 0;
}

/* The cores that these processes may use, not those of an earlier run. */
static void
set_cores(const hesca_survey *x, hesca_machine *m)
{
    for (int i = 0; i < x->n; ++i) {
        const int k = hesca_machine_find_host(m, x->host[i].name);
        if (k >= 0)
            m->host[k].cores = x->host[i].cores;
    }
}

/* On rank 0: into the cache.
 * \return 1, or 0 if that failed. */
static int
keep(int busy, uint64_t key, char *path, const hesca_machine *m)
{
    char *text;
    int kept;
    if (!hesca_cache_path(kind[busy], key, path) ||
        hesca_machine_format(m, &text) != HESCA_SUCCESS)
        return 0;
    kept = hesca_cache_write(path, text);
    free(text);
    return kept;
}

/* Of the files where the machine is kept, on rank 0; 0: nowhere.  And where it
 * is from. */
static _Thread_local uint64_t kept_as;
static _Thread_local char source[HESCA_CACHE_PATH + 300];

/* The machine, on rank 0, whatever is found of it. */
static int
make(hesca_comm *c, hesca_survey *x, const facts *of, hesca_machine *m)
{
    char path[HESCA_CACHE_PATH] = "", uncertain[200] = "";
    int known = 0, err = HESCA_SUCCESS;
    const uint64_t key = key_of(x, of);
    if (c->rank == 0) {
        known = recall(0, key, path, m) || recall(1, key, path, m);
        kept_as = key;
    }
    HESCA_TRY(err, hesca_comm_bcast(c, &known, 1, MPI_INT));
    if (known) {
        snprintf(source, sizeof source, "from %s", path);
        if (c->rank == 0)
            set_cores(x, m);
    } else if (c->params.learn == HESCA_LEARN_FROZEN) {
        HESCA_TRY(err, hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                                  "no earlier run has kept it, and "
                                  "HESCA_LEARN is frozen"));
    } else {
        const double start = PMPI_Wtime();
        HESCA_TRY(err, measure(c, of, x));
        *m = hesca_machine_default();
        err = c->rank == 0 ? hesca_survey_enter(x, m) : HESCA_SUCCESS;
        HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
        const int busy = list_uncertain(x, uncertain, sizeof uncertain) > 0;
        const int kept = c->rank == 0 && keep(busy, key, path, m);
        snprintf(source, sizeof source, "measured in %.1f s%s%s%s%s",
                 PMPI_Wtime() - start, kept ? ", kept in " : "",
                 kept ? path : "",
                 busy ? "; uncertain, because busy or unsteady while it was "
                        "measured: "
                      : "",
                 uncertain);
    }
    if (c->rank == 0)
        report(c, m, source);
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
    for (int i = 0; i < x.n; ++i)
        x.host[i].cores = of[i].cores;
    HESCA_TRY(err, make(c, &x, of, &m));
    HESCA_TRY(err, hesca_comm_bcast(c, &m, sizeof m, MPI_BYTE));
    HESCA_TRY(err, hesca_directory_replace(c, &m));
    hesca_directory_keep(&c->machine);
fail:
    free(of);
    hesca_survey_clear(&x);
    return err;
}

/* One node needs no machine: a rule knows its cores. */
static int
is_to_be_found(const hesca_comm *c)
{
    if (!c->params.find_machine || c->machine.nhosts > 0)
        return 0;
    if (c->node.n < c->size)
        return 1;
    if (c->rank == 0 && c->params.verbose > 0)
        hesca_log("machine: one host, %d processes: nothing to measure",
                  c->size);
    return 0;
}

int
hesca_survey_ensure(hesca_comm *c)
{
    int err = HESCA_SUCCESS;
    if (!c->wants_survey)
        return HESCA_SUCCESS;
    c->wants_survey = 0;
    if (is_to_be_found(c))
        err = find(c);
    if (err < 0 && err != HESCA_ERR_MPI && c->rank == 0 &&
        c->params.verbose > 0)
        hesca_log("machine: not known: %s", hesca_error_text());
    if (err == HESCA_SUCCESS)
        err = hesca_learn_start(c, c->params.find_machine ? kept_as : 0);
    return err == HESCA_ERR_MPI ? err : HESCA_SUCCESS;
}

/* ------------------------------------------------ links again */

/* Enter what was measured.
 * \return The largest change of a rate, as a logarithm. */
static double
enter_links(const hesca_comm *c, const hesca_survey *x, hesca_machine *m)
{
    double most = 0;
    for (int k = 0; k < x->n * x->n; ++k) {
        const int from = c->host[x->host[k / x->n].first];
        const int to = c->host[x->host[k % x->n].first];
        hesca_wire *w = &m->wire[from * m->nhosts + to];
        if (from == to || x->link[k].rate <= 0)
            continue;
        most = fmax(most, fabs(log(x->link[k].rate / w->rate)));
        *w = (hesca_wire){x->link[k].startup, x->link[k].rate};
    }
    return most;
}

int
hesca_survey_links_again(hesca_comm *c, double least, int *changed)
{
    hesca_machine m = {0};
    hesca_survey x = {0};
    int err;
    *changed = 0;
    HESCA_TRY(err, hesca_survey_begin(c, &x));
    HESCA_TRY(err, hesca_survey_links(c, LINKS, (int)(LINKS / ROUND), &x));
    for (int i = 0; i < x.n; ++i) /* measured when there was nothing to do */
        x.host[i].share = 1;
    err = c->rank == 0 ? level_all(&x, NULL) : HESCA_SUCCESS;
    if (err == HESCA_SUCCESS && c->rank == 0)
        err = hesca_machine_copy(&c->machine, &m);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    if (c->rank == 0)
        *changed = enter_links(c, &x, &m) > least;
    HESCA_TRY(err, hesca_comm_bcast(c, changed, 1, MPI_INT));
    if (*changed) {
        HESCA_TRY(err, hesca_comm_bcast(c, &m, sizeof m, MPI_BYTE));
        err = hesca_directory_replace(c, &m);
        m = (hesca_machine){0};
    }
fail:
    hesca_machine_clear(&m);
    hesca_survey_clear(&x);
    return err;
}

/* ------------------------------------------------ for hesca probe */

const char *
hesca_survey_source(void)
{
    return source;
}

/* One host: there is no speed to compare with, and no link. */
static int
describe_host(hesca_comm *c, hesca_machine *m)
{
    hesca_survey x = {0};
    facts of;
    int err;
    HESCA_TRY(err, hesca_survey_begin(c, &x));
    HESCA_TRY(err, gather(c, &x, &of));
    x.host[0].speed = 1;
    x.host[0].cores = of.cores;
    err = c->rank == 0 ? hesca_survey_enter(&x, m) : HESCA_SUCCESS;
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    snprintf(source, sizeof source, "one host, nothing to measure");
fail:
    hesca_survey_clear(&x);
    return err;
}

int
hesca_survey_machine(hesca_comm *c, hesca_machine *m)
{
    int err;
    *m = hesca_machine_default();
    HESCA_TRY(err, hesca_survey_ensure(c));
    if (c->machine.nhosts == 0 && c->node.n == c->size)
        return describe_host(c, m);
    if (c->machine.nhosts == 0)
        err = hesca_failure_get()->err < 0
                  ? hesca_failure_get()->err
                  : hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                               "HESCA_MACHINE is not auto");
    else if (c->rank == 0)
        err = hesca_machine_copy(&c->machine, m);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
fail:
    return err;
}

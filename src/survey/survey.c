/* SPDX-License-Identifier: BSD-3-Clause */
/* HESCA_MACHINE=auto: the machine of a communicator from the cache, or
 * measured now. */
#include "survey/survey.h"
#include "base/log.h"
#include "base/status.h"
#include "dense/kernels.h"
#include "exec/agree.h"
#include "survey/cache.h"
#include "survey/facts.h"
#include "survey/learn.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Seconds to spend, in all: on speeds before and after links, nearly two and
 * one of the usual periods of a quota, and on links. */
static const double SPEEDS = 0.18, SPEEDS_AGAIN = 0.1, LINKS = 1;

/* Time of one round of the tournament of hosts, at least. */
static const double ROUND = 0.04;

/* ------------------------------------------------ measuring */

/* Of the product that is measured. */
enum { ORDER = 160 };

void
hesca_survey_flops(double seconds, hesca_survey *x)
{
    const hesca_survey_kernel kernel = hesca_survey_dgemm(ORDER);
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
measure(const hesca_comm *c, const hesca_facts *of, hesca_survey *x)
{
    const hesca_survey_kernel kernel = hesca_survey_dgemm(ORDER);
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
    err = c->rank == 0 ? hesca_survey_level_all(x, of) : HESCA_SUCCESS;
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
        if (hesca_survey_is_certain(h))
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
make(hesca_comm *c, hesca_survey *x, const hesca_facts *of, hesca_machine *m)
{
    char path[HESCA_CACHE_PATH] = "", uncertain[200] = "";
    int known = 0, err = HESCA_SUCCESS;
    const uint64_t key = hesca_facts_key(x, of);
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
    hesca_facts *of = NULL;
    int err;
    HESCA_TRY(err, hesca_survey_begin(c, &x));
    of = malloc((size_t)x.n * sizeof *of);
    err = of == NULL ? hesca_fail(HESCA_ERR_NOMEM, 0, "%d hosts", x.n)
                     : HESCA_SUCCESS;
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err, hesca_facts_gather(c, &x, of));
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
    err = c->rank == 0 ? hesca_survey_level_all(&x, NULL) : HESCA_SUCCESS;
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
    hesca_facts of;
    int err;
    HESCA_TRY(err, hesca_survey_begin(c, &x));
    HESCA_TRY(err, hesca_facts_gather(c, &x, &of));
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

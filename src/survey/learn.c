/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* SYS_gettid */
#include "survey/learn.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/status.h"
#include "dense/kernels.h"
#include "exec/agree.h"
#include "exec/directory.h"
#include "survey/cache.h"
#include "survey/survey.h"
#include "wait/quota.h"
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Notes that a process needs before it tells the others of them first. */
enum { NOTES_FIRST = 4 };

/* Seconds of processor time, had or wanted, or of time, that a note needs: a
 * few periods of a quota. */
static const double ENOUGH = 0.25;

/* Seconds between two looks at the quota and the small product, which are to
 * take no larger part of the time of calls on all processes together, because
 * these wait for each other; the product's order, and how often it is
 * repeated. */
static const double BETWEEN = 0.5, MOST_OF_TIME = 0.01;
static const double BETWEEN_MOST = 2; /* where processes are many */
enum { ORDER = 128, TIMES = 3 };

/* The part of what a quota gave that others than the program's processes used,
 * from which on they count as neighbours. */
static const double NEIGHBOURS = 0.1;

/* Of a thread: nanoseconds that it ran, and that it was ready to run. */
typedef struct {
    double ran, ready;
} processor_time;

struct hesca_learning {
    uint64_t key; /* (rank 0) of the cache; 0: none */
    int changed, is_frozen;
    hesca_memory memory;
    hesca_survey_kernel product; /* the small one */
    double rate, quota;          /* its speed, and the quota, now */
    double rate_doubt;           /* of that speed, a logarithm */
    hesca_learn_mean had;        /* the part of what the quota leaves */
    double base;                 /* the speed that the others know; 0: none */
    double base_quota;           /* quota then */
    long thread;                 /* whose schedstat is open; 0: none */
    int schedstat;
    processor_time from;   /* at the beginning of the call */
    double ran, ready;     /* since the last note, seconds */
    double group, own;     /* used till then: of the quota; by this process */
    hesca_learn_mean link; /* measured by modelled rate */
    double nearest;        /* of those since the last note; 0: none */
    double noted;          /* when that was; 0: never */
    double link_usual;     /* what all agree on; 0: nothing yet */
    double link_base;      /* the rate that the others know */
    int inside;            /* between enter and leave */
    int heard;             /* some process is changed */
    int wonders;           /* this process has reason to doubt the links */
    int doubts;            /* some process has */
    double again;          /* when links may be measured again */
};

/* ------------------------------------------------ what a process sees */

/* Files that stay open: to open one takes a hundredth of a call of some ms. */
enum { FILES = 8 };
static _Atomic int nfiles;

static void
close_file(hesca_learning *l)
{
    if (l->thread == 0)
        return;
    l->thread = 0;
    --nfiles;
    close(l->schedstat);
}

static processor_time
read_processor_time(hesca_learning *l)
{
    const long thread = syscall(SYS_gettid);
    processor_time t = {0, 0};
    char text[80];
    if (l->thread != thread) {
        close_file(l);
        l->schedstat =
            open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
        if (l->schedstat < 0)
            return t;
        l->thread = thread;
        ++nfiles;
    }
    const ssize_t n = pread(l->schedstat, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    if (sscanf(text, "%lf %lf", &t.ran, &t.ready) != 2)
        t = (processor_time){0, 0};
    if (nfiles > FILES)
        close_file(l);
    return t;
}

static double
seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Operations per second of processor time; the best of several. */
static double
measure_rate(const hesca_survey_kernel *product)
{
    double least = INFINITY;
    for (int k = 0; k < TIMES; ++k) {
        const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
        product->run(product->work);
        least = fmin(least, seconds_of(CLOCK_THREAD_CPUTIME_ID) - start);
    }
    return product->operations / fmax(least, 1e-9);
}

/* What a quota leaves of a processor. */
static double
part_of(double quota)
{
    return quota > 0 && quota < 1 ? quota : 1;
}

/* Whether somebody else used the quota since the last question, or might have:
 * not all systems tell. */
static int
has_neighbour(hesca_learning *l, int nsiblings)
{
    const double group = l->group, own = l->own;
    const double quota = hesca_quota_below("", &l->group);
    l->own = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    return quota == 0 || l->group < 0 || group < 0 ||
           l->group - group - nsiblings * (l->own - own) >
               NEIGHBOURS * (l->group - group);
}

/* A note, if enough was seen.  A quota delays a process that is ready, too,
 * and more or less than its part where it also waits for messages, so what it
 * had is its part unless it has a neighbour; processes that share cores are no
 * neighbours of each other. */
static void
note_processor(hesca_learning *l, const hesca_comm *c)
{
    const double wanted = l->ran + l->ready;
    double had = 1;
    if (wanted < ENOUGH)
        return;
    if (has_neighbour(l, c->node.n) && !c->crowded)
        had = fmin(fmax(l->ran / wanted / part_of(l->quota), 1e-3), 1);
    hesca_learn_add(&l->had, had);
    l->ran = l->ready = 0;
}

static hesca_learn_note
speed_of(const hesca_learning *l)
{
    if (l->had.count == 0)
        return (hesca_learn_note){0, 0};
    return (hesca_learn_note){
        l->rate * part_of(l->quota) * exp(l->had.usual),
        hypot(l->rate_doubt, hesca_learn_doubt(&l->had))};
}

/* The link that differs least from the model, in this call and in those since
 * the last note. */
static void
note_links(hesca_comm *c)
{
    hesca_learning *l = c->learning;
    const double usual = l->link_usual > 0 ? l->link_usual : 1;
    const double now = PMPI_Wtime();
    for (int r = 0; r < c->size; ++r) {
        const double rate = hesca_link_rates_take(c->rates, r);
        if (rate == 0 || c->host[r] == c->host[c->rank])
            continue;
        const hesca_wire *w =
            &c->machine
                 .wire[c->host[r] * c->machine.nhosts + c->host[c->rank]];
        const double x = rate / w->rate;
        if (l->nearest == 0 ||
            fabs(log(x / usual)) < fabs(log(l->nearest / usual)))
            l->nearest = x;
    }
    if (l->nearest == 0 || now - l->noted < ENOUGH)
        return;
    hesca_learn_add(&l->link, l->nearest);
    l->nearest = 0;
    l->noted = now;
}

static hesca_learn_note
links_of(const hesca_learning *l)
{
    if (l->link.count == 0)
        return (hesca_learn_note){0, 0};
    return (hesca_learn_note){exp(l->link.usual), hesca_learn_doubt(&l->link)};
}

/* The quota and the speed of the small product, of this thread: they are the
 * same for all communicators. */
static _Thread_local struct {
    double quota;
    hesca_learn_mean rate;
    double at, took;        /* when, and what it cost, seconds */
    double entered, inside; /* a call; seconds in calls since then */
} seen;

static void
look(hesca_learning *l, int nprocs)
{
    const double now = PMPI_Wtime();
    const double due = fmin(nprocs * seen.took / MOST_OF_TIME, BETWEEN_MOST);
    if (seen.at == 0 || (now - seen.at > BETWEEN && seen.inside > due)) {
        const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
        seen.quota = hesca_quota();
        hesca_learn_add(&seen.rate, measure_rate(&l->product));
        seen.took = (seconds_of(CLOCK_THREAD_CPUTIME_ID) - start) /
                    part_of(seen.quota);
        seen.at = PMPI_Wtime();
        seen.inside = 0;
    }
    if (l->quota != seen.quota) /* what was seen was under the old one */
        l->ran = l->ready = 0;
    l->quota = seen.quota;
    l->rate = exp(seen.rate.usual);
    l->rate_doubt = hesca_learn_doubt(&seen.rate);
}

void
hesca_learn_enter(hesca_comm *c)
{
    hesca_learning *l = c->learning;
    if (!hesca_learn_is_active(c))
        return;
    look(l, c->size);
    l->from = read_processor_time(l);
    l->inside = 1;
    seen.entered = PMPI_Wtime();
}

void
hesca_learn_leave(hesca_comm *c)
{
    hesca_learning *l = c->learning;
    if (l == NULL || !l->inside)
        return;
    const processor_time now = read_processor_time(l);
    l->inside = 0;
    seen.inside += PMPI_Wtime() - seen.entered;
    l->ran += 1e-9 * (now.ran - l->from.ran);
    l->ready += 1e-9 * (now.ready - l->from.ready);
    note_processor(l, c);
    note_links(c);
}

/* ------------------------------------------------ what all agree on */

/* Words; the least one counts. */
enum { CHANGE = -1, DOUBT = -2 };

static int
differs(hesca_learn_note x, double from, double least)
{
    return fabs(log(x.mean / from)) > fmax(least, HESCA_LEARN_NOISE * x.doubt);
}

static int
has_link_changed(const hesca_learning *l)
{
    return l->link_usual == 0
               ? l->link.count >= NOTES_FIRST
               : l->link.count >= 2 && differs(links_of(l), l->link_base,
                                               HESCA_LEARN_LINK_CHANGE);
}

int64_t
hesca_learn_word(const hesca_comm *c)
{
    const hesca_learning *l = c->learning;
    if (l == NULL)
        return 0;
    if (l->wonders)
        return DOUBT;
    if (l->base <= 0)
        return l->had.count >= NOTES_FIRST ? CHANGE : 0;
    return has_link_changed(l) ||
                   part_of(l->quota) != part_of(l->base_quota) ||
                   differs(speed_of(l), l->base, HESCA_LEARN_CHANGE)
               ? CHANGE
               : 0;
}

void
hesca_learn_heard(hesca_comm *c, int64_t word)
{
    if (c->learning == NULL || word >= 0)
        return;
    c->learning->heard = 1;
    c->learning->doubts |= word == DOUBT;
}

int
hesca_learn_has_heard(const hesca_comm *c)
{
    return c->learning != NULL && c->learning->heard;
}

/* What all processes noted, and what follows. */
typedef struct {
    hesca_learn_note *note, *link; /* [n] */
    double *model;                 /* [n] */
    double *speed, *links;         /* [nhosts] factors */
} changes;

/* The new speeds, relative to the fastest; those about as fast as a host that
 * has not changed are equal to it. */
static void
enter_speeds(hesca_machine *m, const double *factor)
{
    double most = 0;
    for (int h = 0; h < m->nhosts; ++h) {
        double *speed = &m->host[h].speed;
        if (factor[h] == 1)
            continue;
        *speed *= factor[h];
        for (int i = 0; i < m->nhosts; ++i)
            if (factor[i] == 1 &&
                fabs(log(*speed / m->host[i].speed)) < HESCA_LEARN_SAME)
                *speed = m->host[i].speed;
    }
    for (int h = 0; h < m->nhosts; ++h)
        most = fmax(most, m->host[h].speed);
    for (int h = 0; h < m->nhosts; ++h)
        m->host[h].speed /= most;
}

/* A port serves both directions of its links. */
static void
enter_rates(hesca_machine *m, const double *factor)
{
    for (int i = 0; i < m->nhosts; ++i)
        for (int j = 0; j < m->nhosts; ++j)
            if (i != j)
                m->wire[i * m->nhosts + j].rate *=
                    hesca_learn_link(factor[i], factor[j]);
}

/* Append the hosts whose factor is not 1. */
static void
append(char *text, size_t size, const hesca_machine *m, const double *factor,
       const char *what)
{
    for (int h = 0; h < m->nhosts; ++h) {
        const size_t n = strlen(text);
        if (factor[h] != 1 && n + 120 < size)
            snprintf(text + n, size - n, "%s%.60s %s %.3g times as fast",
                     n > 0 ? ", " : "", m->host[h].name, what, factor[h]);
    }
}

static void
report(const hesca_comm *c, const hesca_machine *m, const changes *x)
{
    char text[600] = "";
    if (c->rank != 0 || c->params.verbose < 1)
        return;
    append(text, sizeof text, m, x->speed, "is");
    append(text, sizeof text, m, x->links, "has links that are");
    hesca_log("machine: changed: %s as before, relative to the others", text);
}

/* Keep the machine for later communicators, and for the next run. */
static void
keep(hesca_comm *c)
{
    c->learning->changed = 1;
    if (c->params.find_machine)
        hesca_directory_keep(&c->machine);
}

/* Replace the machine, on all processes; rank 0 has the new one. */
static int
replace(hesca_comm *c, const changes *x)
{
    hesca_machine m = {0};
    int err =
        c->rank == 0 ? hesca_machine_copy(&c->machine, &m) : HESCA_SUCCESS;
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    if (c->rank == 0) {
        enter_speeds(&m, x->speed);
        enter_rates(&m, x->links);
        report(c, &m, x);
    }
    HESCA_TRY(err, hesca_comm_bcast(c, &m, sizeof m, MPI_BYTE));
    HESCA_TRY(err, hesca_directory_replace(c, &m));
    keep(c);
fail:
    return err;
}

/* By rank; a host has its cores for all its processes here. */
static void
list_model(const hesca_comm *c, double *model)
{
    const hesca_machine *m = &c->machine;
    for (int r = 0; r < c->size; ++r) {
        int beside = 0;
        for (int q = 0; q < c->size; ++q)
            beside += c->host[q] == c->host[r];
        const double part = m->host[c->host[r]].cores / beside;
        model[r] = m->host[c->host[r]].speed * (part < 1 ? part : 1);
    }
}

static int
gather(hesca_comm *c, changes *x)
{
    enum { MEMBERS = sizeof(hesca_learn_note) / sizeof(double) };
    const hesca_learn_note speed = speed_of(c->learning);
    const hesca_learn_note link = links_of(c->learning);
    MPI_Request request[2];
    int err;
    HESCA_MPI(err, Iallgather, &speed, MEMBERS, MPI_DOUBLE, x->note, MEMBERS,
              MPI_DOUBLE, c->mpi, &request[0]);
    HESCA_MPI(err, Iallgather, &link, MEMBERS, MPI_DOUBLE, x->link, MEMBERS,
              MPI_DOUBLE, c->mpi, &request[1]);
    HESCA_TRY(err, hesca_comm_wait(c, 2, request));
    list_model(c, x->model);
    for (int r = 0; c->rank == 0 && c->params.verbose >= 2 && r < c->size; ++r)
        hesca_log(
            "machine: rank %d of model speed %.3g noted %.3g GFLOP/s "
            "within %.0f %%, and links %.3g times as fast within %.0f %%",
            r, x->model[r], 1e-9 * x->note[r].mean, 100 * x->note[r].doubt,
            x->link[r].mean, 100 * x->link[r].doubt);
fail:
    return err;
}

/* Whether something has changed; the same on all processes. */
static int
compare(hesca_comm *c, changes *x)
{
    hesca_learning *l = c->learning;
    const int nhosts = c->machine.nhosts;
    const int speeds = hesca_learn_compare(c->size, c->host, x->model, x->note,
                                           nhosts, x->speed);
    if (speeds < 0)
        return speeds;
    const int links = hesca_learn_compare_links(
        c->size, c->host, x->link, nhosts, &l->link_usual, x->links);
    return links < 0 ? links : speeds || links;
}

/* From now on, a change is one from what all know; links are compared with the
 * model as it is now. */
static void
forget(hesca_learning *l, int changed)
{
    l->base = speed_of(l).mean;
    l->base_quota = l->quota;
    if (changed)
        l->link = (hesca_learn_mean){0};
    l->link_base = l->link.count > 0 ? exp(l->link.usual) : l->link_usual;
    l->nearest = 0;
}

/* Processes doubt no more until twenty times as long has passed. */
static int
measure_links(hesca_comm *c)
{
    const double start = PMPI_Wtime();
    int changed = 0;
    const int err =
        hesca_survey_links_again(c, HESCA_LEARN_LINK_CHANGE, &changed);
    const double seconds = PMPI_Wtime() - start;
    c->learning->again = start + 21 * seconds;
    if (c->rank == 0 && c->params.verbose >= 1)
        hesca_log("machine: calls take another time, and the speeds are the "
                  "same: links measured again in %.2g s, %s",
                  seconds, changed ? "changed" : "the same");
    if (changed)
        keep(c);
    return err;
}

void
hesca_learn_doubt_links(hesca_comm *c)
{
    if (c->learning != NULL && PMPI_Wtime() >= c->learning->again)
        c->learning->wonders = 1;
}

int
hesca_learn_exchange(hesca_comm *c)
{
    hesca_learning *l = c->learning;
    changes x = {0};
    int err = HESCA_SUCCESS, changed = 0;
    if (l == NULL || !l->heard)
        return HESCA_SUCCESS;
    const size_t n = (size_t)c->size, hosts = (size_t)c->machine.nhosts;
    x.note = malloc(2 * n * sizeof *x.note);
    x.model = malloc((n + 2 * hosts) * sizeof *x.model);
    if (x.note == NULL || x.model == NULL) {
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "speeds of %zu processes", n);
    } else {
        x.link = x.note + n;
        x.speed = x.model + n;
        x.links = x.speed + hosts;
    }
    l->heard = 0;
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err, gather(c, &x));
    changed = compare(c, &x);
    HESCA_TRY(err,
              hesca_agree(c, changed < 0 ? changed : HESCA_SUCCESS, 0, NULL));
    forget(l, changed);
    if (changed)
        err = replace(c, &x);
    else if (l->doubts)
        err = measure_links(c);
    l->doubts = l->wonders = 0;
fail:
    free(x.note);
    free(x.model);
    return err == HESCA_ERR_MPI ? err : HESCA_SUCCESS;
}

/* ------------------------------------------------ beginning and end */

static void
destroy(hesca_learning *l)
{
    if (l == NULL)
        return;
    close_file(l);
    free(l->product.work);
    free(l);
}

/* On rank 0: what was learnt is for the next run. */
static void
save(const hesca_comm *c, const hesca_learning *l)
{
    char path[HESCA_CACHE_PATH], *text;
    if (l->changed && hesca_cache_path("machine", l->key, path) &&
        hesca_machine_format(&c->machine, &text) == HESCA_SUCCESS) {
        hesca_cache_write(path, text);
        free(text);
    }
    if (l->memory.changed && hesca_cache_path("calls", l->key, path))
        hesca_memory_write(path, &l->memory);
}

static void
finish(hesca_comm *c)
{
    if (c->learning != NULL && c->rank == 0 && c->learning->key != 0)
        save(c, c->learning);
    destroy(c->learning);
    c->learning = NULL;
    hesca_link_rates_destroy(c->rates);
    c->rates = NULL;
}

/* Whether its speeds can be compared: those of models depend on sizes. */
static int
can_learn(const hesca_comm *c)
{
    const int wants = c->params.find_machine
                          ? c->params.learn != HESCA_LEARN_OFF
                          : c->params.learn == HESCA_LEARN_ON;
    return wants && c->host != NULL && c->machine.nmodels == 0 && c->size > 1;
}

static hesca_learning *
create(void)
{
    hesca_learning *l = calloc(1, sizeof *l);
    if (l == NULL)
        return NULL;
    l->product = hesca_survey_dgemm(ORDER);
    if (l->product.work == NULL) {
        destroy(l);
        return NULL;
    }
    return l;
}

int
hesca_learn_start(hesca_comm *c, uint64_t key)
{
    char path[HESCA_CACHE_PATH];
    hesca_learning *l = NULL;
    hesca_link_rates *rates = NULL;
    int err = HESCA_SUCCESS;
    if (!can_learn(c))
        return err;
    if (!hesca_kernels_fit())
        err = hesca_fail(HESCA_ERR_UNSUPPORTED, 0, "BLAS has 64-bit INTEGERs");
    else if ((l = create()) == NULL ||
             (rates = hesca_link_rates_create(c->size)) == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "speeds of the processes");
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    l->key = key;
    l->is_frozen = c->params.learn == HESCA_LEARN_FROZEN;
    if (c->rank == 0 && key != 0 && hesca_cache_path("calls", key, path))
        hesca_memory_read(path, &l->memory);
    HESCA_TRY(err,
              hesca_comm_bcast(c, &l->memory, sizeof l->memory, MPI_BYTE));
    if (!l->is_frozen) { /* now, so that the first call takes no longer */
        look(l, c->size);
        has_neighbour(l, c->node.n);
    }
    c->learning = l;
    c->rates = rates;
    c->drop[HESCA_STATE_LEARN] = finish;
    return err;
fail:
    destroy(l);
    hesca_link_rates_destroy(rates);
    return err;
}

/* ------------------------------------------------ times of calls */

int
hesca_learn_is_active(const hesca_comm *c)
{
    return c->learning != NULL && !c->learning->is_frozen;
}

/* Speeds count in steps of 10 %, the rates of links in steps of a half. */
uint64_t
hesca_learn_key(const hesca_comm *c, uint64_t key)
{
    const hesca_machine *m = &c->machine;
    double rates = 0;
    for (int r = 0; r < c->size; ++r) {
        const int host = c->host[r];
        key = hesca_hash_mix(
            key, (uint64_t)(int64_t)lround(10 * log(m->host[host].speed)));
        rates += log(m->wire[host * m->nhosts + c->host[0]].rate) / c->size;
    }
    return hesca_hash_mix(key, (uint64_t)(int64_t)lround(2 * rates));
}

const hesca_memory_record *
hesca_learn_recall(const hesca_comm *c, uint64_t key)
{
    return c->learning == NULL ? NULL
                               : hesca_memory_find(&c->learning->memory, key);
}

void
hesca_learn_remember(hesca_comm *c, const hesca_memory_record *record)
{
    if (hesca_learn_is_active(c))
        hesca_memory_enter(&c->learning->memory, record);
}

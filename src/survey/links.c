/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs of messages between hosts.
 *
 * All pairs of hosts meet in the rounds of a tournament, one process of each
 * host, so that no link carries two measurements at once.  One process of each
 * pair leads: it requests messages of some size, in one direction or the
 * other, and measures the time from the first byte until the answer, which is
 * short: an acknowledgement, or the request itself.  So the two directions of
 * a link are measured separately, except for the startup: each direction has
 * half of a round trip.
 *
 * The startup is half the time of one byte and its answer, the lower quartile
 * of its repetitions: disturbances, such as an exhausted quota or a sleeping
 * process, only make a trip longer.  As they may last, the startup is measured
 * before the rate and after it, and the smaller value is used.  The rate is
 * the slope of a line through the medians of three sizes, of which the largest
 * lasts so long that buffers of sockets and switches hardly matter.
 *
 * Messages are repeated, those three sizes interleaved, until the 95 %
 * confidence intervals of these quantiles, by order statistics, are within 5 %
 * of them each way, up to a maximal number and time. */
#include "base/sort.h"
#include "base/status.h"
#include "exec/agree.h"
#include "machine/tournament.h"
#include "survey/survey.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIZES = 3, /* the longest by 4, 2 and 1 */
    TIMES_LEAST = 6,
    TIMES_LATE = 3, /* when time is up */
    TIMES_LONG = 100,
    TIMES_SHORT = 1000,
    BYTES_FIRST = 4096, /* of the search for the longest size */
    BYTES_MOST = 1 << 24
};

static const double NARROW = 0.05, SHORTEST = 2e-3, LONGEST = 0.1; /* s */

enum { ORDER = HESCA_TAG_SURVEY, DATA, ANSWER }; /* tags */
enum { TO_FOLLOWER, TO_LEADER, END };

typedef struct {
    int64_t bytes;
    int direction;
} order;

typedef struct {
    const hesca_comm *c;
    char *buffer; /* [BYTES_MOST] */
    int peer;
    int err;                         /* of MPI; measuring stops then */
    double time[SIZES][TIMES_SHORT]; /* of the messages being repeated */
} meter;

/* ------------------------------------------------ messages
 * The follower answers each request, so one message of data is under way. */

static MPI_Request
send(const meter *m, const void *data, int64_t n, int tag)
{
    MPI_Request request;
    PMPI_Isend(data, (int)n, MPI_BYTE, m->peer, tag, m->c->mpi, &request);
    return request;
}

static MPI_Request
receive(const meter *m, void *data, int64_t n, int tag)
{
    MPI_Request request;
    PMPI_Irecv(data, (int)n, MPI_BYTE, m->peer, tag, m->c->mpi, &request);
    return request;
}

static void
await(meter *m, int n, MPI_Request *request)
{
    const int err = hesca_comm_wait(m->c, n, request);
    if (err < 0)
        m->err = err;
}

static void
await_one(meter *m, MPI_Request request)
{
    await(m, 1, &request);
}

/* Seconds of a message to the follower and its answer.  It is ready when the
 * clock starts. */
static double
time_to_follower(meter *m, int64_t bytes)
{
    const order o = {bytes, TO_FOLLOWER};
    char ready, answer;
    MPI_Request request[2] = {send(m, &o, sizeof o, ORDER),
                              receive(m, &ready, 1, ANSWER)};
    await(m, 2, request);
    request[1] = receive(m, &answer, 1, ANSWER);
    const double start = PMPI_Wtime();
    request[0] = send(m, m->buffer, bytes, DATA);
    await(m, 2, request);
    return PMPI_Wtime() - start;
}

/* Seconds of a request and the message that it requests. */
static double
time_to_leader(meter *m, int64_t bytes)
{
    const order o = {bytes, TO_LEADER};
    MPI_Request request[2];
    request[1] = receive(m, m->buffer, bytes, DATA);
    const double start = PMPI_Wtime();
    request[0] = send(m, &o, sizeof o, ORDER);
    await(m, 2, request);
    return PMPI_Wtime() - start;
}

static void
follow(meter *m)
{
    const char word = 0;
    while (m->err == HESCA_SUCCESS) {
        order o = {0, END};
        await_one(m, receive(m, &o, sizeof o, ORDER));
        if (o.direction == END)
            return;
        if (o.direction == TO_LEADER) {
            await_one(m, send(m, m->buffer, o.bytes, DATA));
            continue;
        }
        const MPI_Request data = receive(m, m->buffer, o.bytes, DATA);
        await_one(m, send(m, &word, 1, ANSWER));
        await_one(m, data);
        await_one(m, send(m, &word, 1, ANSWER));
    }
}

/* ------------------------------------------------ quantiles
 * There is at least one time. */

static const double QUARTILE = 0.25, MEDIAN = 0.5;

/* A quantile of n times, and half the width of its confidence interval,
 * relative to it. */
static double
quantile(const double *time, int n, double part, double *width)
{
    double x[TIMES_SHORT], ends[2];
    memcpy(x, time, (size_t)n * sizeof *x);
    const double t = hesca_quantile(x, n, part, ends);
    *width = (ends[1] - ends[0]) / 2 / t;
    return t;
}

/* Seconds per byte, by least squares. */
static double
slope(const int64_t *bytes, const double *seconds)
{
    double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
    for (int s = 0; s < SIZES; ++s) {
        mean_x += (double)bytes[s] / SIZES;
        mean_y += seconds[s] / SIZES;
    }
    for (int s = 0; s < SIZES; ++s) {
        const double x = (double)bytes[s] - mean_x;
        xy += x * (seconds[s] - mean_y);
        xx += x * x;
    }
    return xy / xx;
}

/* ------------------------------------------------ one link
 * The leader decides on sizes and repetitions; the follower obeys
 * requests. */

typedef double timer(meter *m, int64_t bytes);

/* The size that lasts this many seconds twice in a row: a message may have
 * been lost, and the first one sets up connections. */
static int64_t
find_bytes(meter *m, timer *timed, double seconds)
{
    int64_t bytes = BYTES_FIRST;
    timed(m, bytes);
    while (bytes < BYTES_MOST && m->err == HESCA_SUCCESS &&
           (timed(m, bytes) < seconds || timed(m, bytes) < seconds))
        bytes *= 2;
    return bytes;
}

/* Repeat messages of several sizes, interleaved, up to a maximal number, as
 * long as one more is expected to end within so many seconds: a quantile of
 * their times, and the widest of the intervals.  Returns the number of
 * repetitions. */
static int
repeat(meter *m, timer *timed, int sizes, const int64_t *bytes, int most,
       double seconds, double part, double *found, double *width)
{
    double(*time)[TIMES_SHORT] = m->time;
    const double begin = PMPI_Wtime();
    int n = 0, late = 0;
    do {
        *width = 0;
        for (int s = 0; s < sizes; ++s)
            time[s][n] = timed(m, bytes[s]);
        ++n;
        for (int s = 0; s < sizes; ++s) {
            double w;
            found[s] = quantile(time[s], n, part, &w);
            *width = fmax(*width, w);
        }
        late = (PMPI_Wtime() - begin) * (n + 1) / n > seconds;
    } while (
        m->err == HESCA_SUCCESS && n < most &&
        (n < TIMES_LATE || (!late && (n < TIMES_LEAST || *width > NARROW))));
    return n;
}

/* Update the startup if it is smaller than before. */
static void
measure_startup(meter *m, timer *timed, double seconds, hesca_survey_link *l)
{
    const int64_t one = 1;
    double trip, width;
    repeat(m, timed, 1, &one, TIMES_SHORT, seconds, QUARTILE, &trip, &width);
    if (l->startup == 0 || trip / 2 < l->startup) {
        l->startup = trip / 2;
        l->startup_width = width;
    }
}

static hesca_survey_link
measure(meter *m, timer *timed, double seconds)
{
    const double begin = PMPI_Wtime();
    const double longest = fmin(fmax(seconds / 20, SHORTEST), LONGEST);
    const int64_t most = find_bytes(m, timed, longest);
    const int64_t bytes[SIZES] = {most / 4, most / 2, most};
    hesca_survey_link l = {.bytes = (double)most};
    const double startup = seconds / 20; /* twice */
    double middle[SIZES];
    measure_startup(m, timed, startup, &l);
    l.times = repeat(m, timed, SIZES, bytes, TIMES_LONG,
                     seconds - startup - (PMPI_Wtime() - begin), MEDIAN,
                     middle, &l.rate_width);
    measure_startup(m, timed, startup, &l);
    const double each = slope(bytes, middle);
    l.rate = each > 0 ? 1 / each : (double)most / middle[SIZES - 1];
    return l;
}

/* Lead one pair: one direction, and the other one if there is a result for it.
 */
static void
lead(meter *m, double seconds, hesca_survey_link *there,
     hesca_survey_link *back)
{
    const order end = {0, END};
    *there =
        measure(m, time_to_follower, back != NULL ? seconds / 2 : seconds);
    if (back != NULL)
        *back = measure(m, time_to_leader, seconds / 2);
    await_one(m, send(m, &end, sizeof end, ORDER));
}

/* ------------------------------------------------ all links
 * A process is in one pair per round; a barrier separates rounds. */

/* The part of this process in one round of the tournament. */
static void
meet(meter *m, const hesca_survey *x, int round, double seconds)
{
    const int me = hesca_survey_host_of(x, m->c->rank);
    const int other = me < 0 ? -1 : hesca_tournament_partner(x->n, round, me);
    if (other < 0)
        return;
    m->peer = x->host[other].first;
    if (me < other)
        lead(m, seconds, &x->link[me * x->n + other],
             &x->link[other * x->n + me]);
    else
        follow(m);
}

/* Within hosts, all concurrently. */
static void
meet_inside(meter *m, const hesca_survey *x, double seconds)
{
    for (int i = 0; i < x->n; ++i) {
        const hesca_survey_host *h = &x->host[i];
        if (h->second < 0)
            continue;
        m->peer = m->c->rank == h->first ? h->second : h->first;
        if (m->c->rank == h->first)
            lead(m, seconds, &x->link[i * x->n + i], NULL);
        else if (m->c->rank == h->second)
            follow(m);
    }
}

/* Every link is measured by one process: elsewhere it is 0. */
static void
collect(meter *m, hesca_survey *x)
{
    const int n = x->n * x->n * (int)(sizeof *x->link / sizeof(double));
    MPI_Request request;
    if (m->c->rank == 0)
        PMPI_Ireduce(MPI_IN_PLACE, x->link, n, MPI_DOUBLE, MPI_SUM, 0,
                     m->c->mpi, &request);
    else
        PMPI_Ireduce(x->link, NULL, n, MPI_DOUBLE, MPI_SUM, 0, m->c->mpi,
                     &request);
    await_one(m, request);
}

static void
run_rounds(meter *m, hesca_survey *x, double seconds, int most)
{
    const int all = hesca_tournament_rounds(x->n);
    const int rounds = most < all ? most : all;
    const int begins = m->c->rank == 0 && x->progress != NULL;
    int inside = 0;
    for (int i = 0; i < x->n && most >= x->n; ++i)
        inside |= x->host[i].second >= 0;
    for (int r = 0; r < rounds + inside; ++r) {
        MPI_Request request;
        if (begins)
            x->progress("hesca: links of %d hosts, round %d of %d, %.1f s "
                        "each",
                        x->n, r + 1, rounds + inside,
                        seconds / (rounds + inside));
        PMPI_Ibarrier(m->c->mpi, &request);
        await_one(m, request);
        if (r < rounds)
            meet(m, x, r, seconds / (rounds + inside));
        else
            meet_inside(m, x, seconds / (rounds + inside));
    }
    if (begins)
        x->progress(NULL);
}

int
hesca_survey_links(const hesca_comm *c, double seconds, int rounds,
                   hesca_survey *x)
{
    meter m = {.c = c, .buffer = calloc(BYTES_MOST, 1)};
    int err = m.buffer == NULL
                  ? hesca_fail(HESCA_ERR_NOMEM, 0, "messages of the probe")
                  : HESCA_SUCCESS;
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    memset(m.buffer, 1, BYTES_MOST);
    run_rounds(&m, x, seconds, rounds);
    collect(&m, x);
    err = m.err;
fail:
    free(m.buffer);
    return err;
}

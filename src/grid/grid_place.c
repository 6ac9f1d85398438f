/* SPDX-License-Identifier: BSD-3-Clause */
/* Placement of processes in a grid. The inputs of the decision are agreed;
 * then each process computes the same decision locally
 * (hesca/experimental/place.h). */
#include "base/status.h"
#include "exec/agree.h"
#include "exec/comm.h"
#include "grid/grid_map.h"
#include "hesca/experimental/grid.h"
#include "survey/program.h"
#include "survey/survey.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char routine[] = "hesca_grid_place";

/* What another order must gain by prediction: the processes of a placed grid
 * may have no connections yet, which the first calls there set up. */
static const double PLACED_GAIN = 0.05;

/* The grid to be placed. */
typedef struct {
    hesca_comm *c;
    int keeps_order; /* hesca_grid_keep_order() */
    int nprow, npcol, places;
    int n;        /* processes to choose from */
    int *rank;    /* [n] their ranks; the first one stays at place 0 */
    int *host;    /* [n] their hosts */
    int *ordered; /* [places] the program's order */
    int *process; /* [places] what is decided */
    int *at;      /* [places] of work space: hosts, or positions in rank */
    hesca_job job;
    hesca_grid_map map;
    hesca_grid_info info;
} placing;

/* --- arguments ---
 * Local checks; the caller agrees on their result. */

static int
check_order(const hesca_comm *c, int places, const int *ordered)
{
    char *seen = calloc((size_t)c->size, 1);
    int err = HESCA_SUCCESS;
    if (seen == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %d ranks", routine,
                          c->size);
    for (int k = 0; k < places && err == HESCA_SUCCESS; ++k) {
        if (ordered[k] < 0 || ordered[k] >= c->size)
            err = hesca_fail_arg(routine, 4, "an entry of ordered", ordered[k],
                                 "a rank of comm");
        else if (seen[ordered[k]]++)
            err = hesca_fail_arg(routine, 4, "an entry of ordered", ordered[k],
                                 "there only once");
    }
    free(seen);
    return err;
}

static int
check(const hesca_comm *c, int nprow, int npcol, const int *ordered,
      const int *process)
{
    if (nprow < 1)
        return hesca_fail_arg(routine, 2, "nprow", nprow, "at least 1");
    if (npcol < 1)
        return hesca_fail_arg(routine, 3, "npcol", npcol, "at least 1");
    if ((int64_t)nprow * npcol > c->size)
        return hesca_fail(HESCA_ERR_ARG, 2,
                          "%s: arguments 2 and 3: a grid of %d x %d has more "
                          "places than there are processes, %d",
                          routine, nprow, npcol, c->size);
    if (process == NULL)
        return hesca_fail_null(routine, 6, "process");
    return ordered == NULL ? HESCA_SUCCESS
                           : check_order(c, nprow * npcol, ordered);
}

/* --- candidates ---
 * rank[0] is the process that stays at place 0. */

static void
release(placing *p)
{
    free(p->rank);
    free(p->host);
    free(p->ordered);
    free(p->process);
    free(p->at);
    free(p->map.data);
}

/* List the candidates: the one that stays at place 0 first. */
static void
list(placing *p, int choose)
{
    int n = 0;
    p->rank[n++] = p->ordered[0];
    if (choose)
        for (int r = 0; r < p->c->size; ++r) {
            if (r != p->ordered[0])
                p->rank[n++] = r;
        }
    else
        for (; n < p->places; ++n)
            p->rank[n] = p->ordered[n];
    p->n = n;
    for (int k = 0; k < n && p->c->host != NULL; ++k)
        p->host[k] = p->c->host[p->rank[k]];
}

/* Set up p; the arguments are valid. */
static int
prepare(placing *p, const int *ordered, int choose)
{
    const size_t places = (size_t)p->nprow * (size_t)p->npcol;
    const size_t most = (size_t)p->c->size;
    const hesca_params *params = &p->c->params;
    p->places = (int)places;
    p->rank = malloc(most * sizeof(int));
    p->host = calloc(most, sizeof(int));
    p->ordered = malloc(places * sizeof(int));
    p->process = malloc(places * sizeof(int));
    p->at = malloc(places * sizeof(int));
    if (p->rank == NULL || p->host == NULL || p->ordered == NULL ||
        p->process == NULL || p->at == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: a grid of %d x %d", routine,
                          p->nprow, p->npcol);
    for (int k = 0; k < p->places; ++k)
        p->ordered[k] = p->process[k] = ordered == NULL ? k : ordered[k];
    list(p, choose);
    p->job = (hesca_job){.n = params->job_order, .nb = params->job_block};
    hesca_routine_find(params->job_routine, &p->job.routine);
    return HESCA_SUCCESS;
}

/* --- what is predicted ---
 * Predictions are pure functions of agreed inputs. */

/* Predicted time with these processes at the places; 0 if the memory of their
 * hosts is too small, which is the only possible argument error here. */
static int
forecast(const placing *p, const int *process, double *seconds)
{
    hesca_forecast f = {0};
    for (int k = 0; k < p->places; ++k)
        p->at[k] = p->c->host[process[k]];
    const int err = hesca_forecast_make(&p->c->machine, &p->job, p->nprow,
                                        p->npcol, p->at, &f);
    *seconds = f.seconds;
    return err == HESCA_ERR_ARG ? HESCA_SUCCESS : err;
}

static double
speed_on(const placing *p, int host)
{
    return hesca_job_speed(&p->c->machine, &p->job, host, p->places);
}

/* --- hosts ---
 * host[k] is the host of candidate k; only called if hosts are known. */

static int
count_on(const int *host, int n, int which)
{
    int count = 0;
    for (int k = 0; k < n; ++k)
        count += host[k] == which;
    return count;
}

/* Whether wires inside the hosts in use, or between them, differ in cost;
 * in_use[h] is 1 for the hosts in use. */
static int
wires_differ(const hesca_machine *m, const char *in_use)
{
    const hesca_wire *first[2] = {NULL, NULL}; /* between hosts, inside */
    for (int i = 0; i < m->nhosts; ++i)
        for (int j = 0; j < m->nhosts && in_use[i]; ++j) {
            const hesca_wire *w =
                &m->wire[(size_t)i * (size_t)m->nhosts + (size_t)j];
            const hesca_wire **f = &first[i == j];
            if (!in_use[j])
                continue;
            if (*f == NULL)
                *f = w;
            if (w->startup != (*f)->startup || w->rate != (*f)->rate)
                return 1;
        }
    return 0;
}

/* Whether the placement matters: whether hosts differ in the speed of a
 * process, in memory or in wires. */
static int
hosts_differ(const placing *p, int *differ)
{
    const hesca_machine *m = &p->c->machine;
    char *in_use = calloc((size_t)m->nhosts, 1);
    double speed = 0, cores = 0, share = 0, memory = 0;
    if (in_use == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %d hosts", routine,
                          m->nhosts);
    *differ = 0;
    for (int k = 0; k < p->n; ++k) {
        const int h = p->host[k];
        if (in_use[h])
            continue;
        in_use[h] = 1;
        const double s = speed_on(p, h), c = m->host[h].cores;
        const double each = c / count_on(p->host, p->n, h);
        const double part = s * (each < 1 ? each : 1);
        if (k == 0) {
            memory = m->host[h].memory;
            speed = s;
            cores = c;
            share = part;
        }
        *differ |= s != speed || c != cores || part != share ||
                   m->host[h].memory != memory;
    }
    *differ |= wires_differ(m, in_use);
    free(in_use);
    return HESCA_SUCCESS;
}

/* "3 node0, 1 node2": the grid's processes on each host. */
static void
format_hosts(placing *p)
{
    const hesca_machine *m = &p->c->machine;
    char *text = p->info.hosts;
    size_t room = sizeof p->info.hosts;
    if (p->c->host == NULL)
        return;
    for (int k = 0; k < p->places; ++k)
        p->at[k] = p->c->host[p->process[k]];
    for (int h = 0; h < m->nhosts; ++h) {
        const int count = count_on(p->at, p->places, h);
        char one[HESCA_HOST_MAX + 16];
        if (count == 0)
            continue;
        const int len = snprintf(one, sizeof one, "%s%d %s",
                                 text == p->info.hosts ? "" : ", ", count,
                                 m->host[h].name);
        if ((size_t)len + sizeof ", ..." > room) {
            strcpy(text, ", ...");
            return;
        }
        memcpy(text, one, (size_t)len + 1);
        text += len;
        room -= (size_t)len;
    }
}

/* --- decisions ---
 * process[] starts as the program's order and is replaced as a whole;
 * info.why is always set. */

static int
is_in_order(const placing *p)
{
    const size_t size = (size_t)p->places * sizeof *p->process;
    return memcmp(p->process, p->ordered, size) == 0;
}

static void why(placing *p, const char *format, const char *what)
    __attribute__((format(printf, 2, 0)));

static void
why(placing *p, const char *format, const char *what)
{
    snprintf(p->info.why, sizeof p->info.why, format, what);
}

static int
choose_by_model(placing *p)
{
    const hesca_machine *m = &p->c->machine;
    const int by_speed = p->c->params.placement == HESCA_PLACEMENT_SPEED;
    hesca_forecast best;
    int err;
    HESCA_TRY(err, forecast(p, p->ordered, &p->info.unplaced));
    err = (by_speed ? hesca_place_grid_by_speed : hesca_place_grid)(
        m, &p->job, p->n, p->host, p->nprow, p->npcol, p->at, &best);
    if (err == HESCA_ERR_ARG) { /* memory is too small */
        why(p, "%s", hesca_error_text());
        return HESCA_SUCCESS;
    }
    HESCA_TRY(err, err);
    p->info.seconds = best.seconds;
    if (!by_speed && p->info.unplaced > 0 &&
        !((1 + PLACED_GAIN) * best.seconds < p->info.unplaced)) {
        p->info.seconds = p->info.unplaced;
        why(p, "no other order is predicted to be faster%s",
            best.seconds < p->info.unplaced ? " by 5 %" : "");
        return HESCA_SUCCESS;
    }
    for (int k = 0; k < p->places; ++k)
        p->process[k] = p->rank[p->at[k]];
    why(p, "%s",
        !by_speed        ? "by prediction"
        : is_in_order(p) ? "the fastest are first in order, too"
                         : "the fastest first");
fail:
    return err;
}

static int
decide_by_machine(placing *p)
{
    int err = HESCA_SUCCESS, differ = 1;
    if (p->c->host == NULL) {
        why(p, "%.230s",
            p->c->unusable.err < 0 ? p->c->unusable.text
                                   : "no machine is known (HESCA_MACHINE)");
        return HESCA_SUCCESS;
    }
    if (p->c->params.placement == HESCA_PLACEMENT_AUTO)
        HESCA_TRY(err, hosts_differ(p, &differ));
    if (differ)
        HESCA_TRY(err, choose_by_model(p));
    else
        why(p,
            "by HESCA_MACHINE its hosts are equal in speed, cores and links%s",
            "");
fail:
    return err;
}

/* Whether a map has the same processes as the program's order; neither has a
 * rank twice. */
static int
is_same_set(const placing *p, const int *map)
{
    for (int k = 0; k < p->places; ++k)
        if (count_on(p->ordered, p->places, map[k]) == 0)
            return 0;
    return 1;
}

static int
decide_by_map(placing *p, int choose)
{
    const char *path = p->c->params.map;
    const int *map = hesca_grid_map_find(&p->map, p->nprow, p->npcol);
    int err = HESCA_SUCCESS;
    if (map == NULL) {
        why(p, "%.200s has no grid of this shape", path);
        return HESCA_SUCCESS;
    }
    if (!choose && !is_same_set(p, map)) {
        why(p, "%.200s has other processes in it", path);
        return HESCA_SUCCESS;
    }
    memcpy(p->process, map, (size_t)p->places * sizeof *map);
    why(p, is_in_order(p) ? "%.200s has the same order" : "by %.200s", path);
    if (p->c->host != NULL) {
        HESCA_TRY(err, forecast(p, p->ordered, &p->info.unplaced));
        HESCA_TRY(err, forecast(p, p->process, &p->info.seconds));
    }
fail:
    return err;
}

static int
decide(placing *p, int choose)
{
    int err = HESCA_SUCCESS;
    if (p->keeps_order) {
        why(p, "%s", "the communicator keeps its order (HMPI)");
        format_hosts(p);
        return HESCA_SUCCESS;
    }
    switch (p->c->params.placement) {
    case HESCA_PLACEMENT_OFF:
        why(p, "%s is off", "HESCA_PLACEMENT");
        break;
    case HESCA_PLACEMENT_MAP:
        HESCA_TRY(err, decide_by_map(p, choose));
        break;
    default:
        HESCA_TRY(err, decide_by_machine(p));
    }
    p->info.placed = !is_in_order(p);
    format_hosts(p);
fail:
    return err;
}

/* Rank 0 reads the map and broadcasts it or its failure. */
static int
share_map(placing *p)
{
    hesca_comm *c = p->c;
    struct {
        int n;
        hesca_failure failure;
    } got;
    int err = HESCA_SUCCESS;
    memset(&got, 0, sizeof got);
    if (c->rank == 0 && hesca_grid_map_read(c->params.map, p->nprow, p->npcol,
                                            c->size, &p->map) < 0)
        got.failure = *hesca_failure_get();
    got.n = p->map.n;
    HESCA_TRY(err, hesca_comm_bcast(c, &got, sizeof got, MPI_BYTE));
    if (got.failure.err < 0)
        return hesca_failure_set(&got.failure);
    p->map.n = got.n;
    if (c->rank > 0) {
        p->map.data = malloc((size_t)got.n * sizeof(int));
        if (p->map.data == NULL)
            err = hesca_fail(HESCA_ERR_NOMEM, 0, "a map of %d numbers", got.n);
    }
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err, hesca_comm_bcast(c, p->map.data, (size_t)got.n, MPI_INT));
fail:
    return err;
}

/* HESCA_JOB=auto: rank 0 reads what the last run of the program called; once
 * for a communicator. */
static int
find_job(hesca_comm *c)
{
    hesca_program last;
    int err = HESCA_SUCCESS;
    if (!c->params.find_job)
        return err;
    c->params.find_job = 0;
    if (!hesca_program_is_read(&c->params))
        return err;
    memset(&last, 0, sizeof last);
    if (c->rank == 0)
        hesca_program_read(c->params.program, &last);
    HESCA_TRY(err, hesca_comm_bcast(c, &last, sizeof last, MPI_BYTE));
    if (last.nprocs > 0) {
        strcpy(c->params.job_routine, hesca_routine_name(last.job.routine));
        c->params.job_order = last.job.n;
        c->params.job_block = last.job.nb;
    }
fail:
    return err;
}

/* --- communicators that keep their order ---
 * Those that have an attribute of this key, which is made when the first is
 * marked. */

static int order_key = MPI_KEYVAL_INVALID;

int
hesca_grid_keep_order(MPI_Comm comm)
{
    int err = HESCA_SUCCESS;
    if (order_key == MPI_KEYVAL_INVALID)
        HESCA_MPI(err, Comm_create_keyval, MPI_COMM_NULL_COPY_FN,
                  MPI_COMM_NULL_DELETE_FN, &order_key, NULL);
    HESCA_MPI(err, Comm_set_attr, comm, order_key, NULL);
fail:
    return err;
}

static int
keeps_order(MPI_Comm comm)
{
    void *value;
    int found = 0;
    if (order_key != MPI_KEYVAL_INVALID)
        PMPI_Comm_get_attr(comm, order_key, &value, &found);
    return found;
}

/* --- the public function ---
 * All processes return the same placement or the same error. */

int
hesca_grid_place(MPI_Comm comm, int nprow, int npcol, const int *ordered,
                 int choose, int *process, hesca_grid_info *info)
{
    placing p = {.nprow = nprow, .npcol = npcol};
    int err;
    hesca_caller_enter(routine);
    HESCA_TRY(err, hesca_comm_get_anywhere(comm, &p.c));
    HESCA_TRY(err, hesca_survey_ensure(p.c));
    HESCA_TRY(err, find_job(p.c));
    p.keeps_order = keeps_order(comm);
    err = check(p.c, nprow, npcol, ordered, process);
    if (err == HESCA_SUCCESS)
        err = prepare(&p, ordered, choose);
    HESCA_TRY(err, hesca_agree(p.c, err, 0, NULL));
    if (p.c->params.placement == HESCA_PLACEMENT_MAP && !p.keeps_order)
        HESCA_TRY(err, share_map(&p));
    HESCA_TRY(err, hesca_agree(p.c, decide(&p, choose), 0, NULL));
    memcpy(process, p.process, (size_t)p.places * sizeof *process);
    if (info != NULL)
        *info = p.info;
fail:
    release(&p);
    return err;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_alltoallv(): irregular total exchange over links that differ. */
#include "base/status.h"
#include "coll/alltoallv_order.h"
#include "coll/alltoallv_phases.h"
#include "coll/ordered_sendrecv.h"
#include "exec/agree.h"
#include "exec/transfer.h"
#include "hesca/experimental/coll.h"
#include <stdlib.h>
#include <string.h>

#define ROUTINE "hesca_alltoallv"

/* A call. */
typedef struct {
    hesca_comm *comm;
    const char *send;
    const int64_t *sendcounts, *sdispls;
    char *recv;
    const int64_t *recvcounts, *rdispls;
    int64_t esize;
    int64_t *counts; /* [size * 2 size] of every process, its sendcounts, then
                        its recvcounts */
    hesca_link_costs links;
} call;

/* --- arguments ---
 * After it all processes have the counts of all, and have agreed that they
 * match. */

static int
check_counts(const call *x, const int64_t *counts, const int64_t *displs,
             const void *buffer, int info)
{
    static const char *const name[] = {"sendcounts", "sdispls", "recvcounts",
                                       "rdispls"};
    const int k = info == 2 ? 0 : 2;
    int64_t bytes, most = 0;
    if (counts == NULL || displs == NULL)
        return hesca_fail_null(ROUTINE, info + (counts != NULL),
                               name[k + (counts != NULL)]);
    for (int r = 0; r < x->comm->size; ++r) {
        if (counts[r] < 0)
            return hesca_fail(HESCA_ERR_ARG, info,
                              ROUTINE ": argument %d, %s[%d], is %lld: must "
                                      "be >= 0",
                              info, name[k], r, (long long)counts[r]);
        if (__builtin_mul_overflow(counts[r], x->esize, &bytes))
            return hesca_fail(HESCA_ERR_ARG, info,
                              ROUTINE ": argument %d, %s[%d], is %lld: too "
                                      "many elements of %lld bytes",
                              info, name[k], r, (long long)counts[r],
                              (long long)x->esize);
        most = counts[r] > most ? counts[r] : most;
    }
    if (buffer == NULL && most > 0)
        return hesca_fail(HESCA_ERR_ARG, info - 1,
                          ROUTINE ": argument %d, %s, is NULL, but %s asks "
                                  "for %lld elements",
                          info - 1, info == 2 ? "send" : "recv", name[k],
                          (long long)most);
    return HESCA_SUCCESS;
}

static int
check(const call *x)
{
    int err = HESCA_SUCCESS;
    if (x->esize < 1)
        return hesca_fail_arg(ROUTINE, 7, "esize", x->esize, "must be >= 1");
    HESCA_TRY(err, check_counts(x, x->sendcounts, x->sdispls, x->send, 2));
    HESCA_TRY(err, check_counts(x, x->recvcounts, x->rdispls, x->recv, 5));
fail:
    return err;
}

static int64_t
sends(const call *x, int from, int to)
{
    return x->counts[(int64_t)from * 2 * x->comm->size + to];
}

static int64_t
receives(const call *x, int to, int from)
{
    return x->counts[(int64_t)to * 2 * x->comm->size + x->comm->size + from];
}

/* Gather the counts of all processes on all processes; all find the same pair
 * that differs. */
static int
share_counts(call *x)
{
    const int size = x->comm->size;
    const size_t row = (size_t)size * sizeof *x->counts;
    int64_t *mine;
    MPI_Request request;
    int err = HESCA_SUCCESS;
    x->counts = malloc((2 * (size_t)size + 2) * row);
    if (x->counts == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "counts of %d processes", size);
    HESCA_TRY(err, hesca_agree(x->comm, err, 0, NULL));
    mine = x->counts + (int64_t)2 * size * size;
    memcpy(mine, x->sendcounts, row);
    memcpy(mine + size, x->recvcounts, row);
    HESCA_MPI(err, Iallgather, mine, 2 * size, MPI_INT64_T, x->counts,
              2 * size, MPI_INT64_T, x->comm->mpi, &request);
    HESCA_TRY(err, hesca_comm_wait(x->comm, 1, &request));
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j)
            if (sends(x, i, j) != receives(x, j, i))
                return hesca_fail(HESCA_ERR_MISMATCH, 2,
                                  ROUTINE ": process %d sends %lld elements "
                                          "to %d, which expects %lld",
                                  i, (long long)sends(x, i, j), j,
                                  (long long)receives(x, j, i));
fail:
    return err;
}

/* --- the order ---
 * Pure, from agreed counts and costs, so all processes have the same
 * timetable. */

static int
make_events(const call *x, hesca_events *events)
{
    const int size = x->comm->size;
    int64_t n = 0;
    hesca_event *list = malloc((size_t)size * (size_t)size * sizeof *list);
    if (list == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "messages of %d processes",
                          size);
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
            const double bytes = (double)sends(x, i, j) * (double)x->esize;
            if (i != j && bytes > 0)
                list[n++] = (hesca_event){
                    i, j, bytes, hesca_link_seconds(&x->links, i, j, bytes)};
        }
    const int err = hesca_events_init(events, size, n, list);
    free(list);
    return err;
}

static int
make_plan(call *x, hesca_coll_info *info)
{
    hesca_events events;
    int err;
    x->links = hesca_comm_link_costs(x->comm, 1);
    HESCA_TRY(err, make_events(x, &events));
    HESCA_TRY(err, hesca_alltoallv_order_make(x->comm, &events));
    const hesca_alltoallv_order *k = x->comm->alltoallv;
    *info =
        (hesca_coll_info){.segments = 1, .predicted_seconds = k->plan.finish};
    strcpy(info->schedule, k->name);
    HESCA_TRY(err, hesca_events_bound(&k->events, NULL, &info->bound_seconds));
fail:
    return err;
}

/* --- the exchange ---
 * Counts match on all processes; every process executes the same phases. */

/* This process's messages of a phase, in their order. */
static void
list_messages(const call *x, const hesca_phases *p, hesca_ordered_message *out,
              hesca_ordered_message *in)
{
    const hesca_events *e = &x->comm->alltoallv->events;
    const int me = x->comm->rank;
    for (int k = 0; k < p->nout; ++k) {
        const int to = e->dest[p->out[k]];
        /* Messages that are sent are only read. */
        out[k] = (hesca_ordered_message){
            .rank = to,
            .at = (char *)(uintptr_t)x->send + x->sdispls[to] * x->esize,
            .bytes = x->sendcounts[to] * x->esize,
            .piece = hesca_transfer_piece(&x->links, me, to)};
    }
    for (int k = 0; k < p->nin; ++k) {
        const int from = e->src[p->in[k]];
        in[k] = (hesca_ordered_message){
            .rank = from,
            .at = x->recv + x->rdispls[from] * x->esize,
            .bytes = x->recvcounts[from] * x->esize,
            .piece = hesca_transfer_piece(&x->links, from, me)};
    }
}

static void
copy_own(const call *x)
{
    const int me = x->comm->rank;
    if (x->sendcounts[me] > 0)
        memcpy(x->recv + x->rdispls[me] * x->esize,
               x->send + x->sdispls[me] * x->esize,
               (size_t)(x->sendcounts[me] * x->esize));
}

/* The predicted times, for a trace. */
static int
predict(const call *x, const char *schedule, hesca_trace *trace)
{
    const hesca_alltoallv_order *k = x->comm->alltoallv;
    if (x->comm->params.trace[0] == '\0' || x->comm->rank > 0)
        return HESCA_SUCCESS;
    return hesca_trace_add_timetable(trace, HESCA_TRACE_PREDICTED, schedule,
                                     &k->events, &k->plan);
}

static int
exchange(call *x, hesca_coll_info *info)
{
    const size_t size = (size_t)x->comm->size;
    hesca_phases p;
    hesca_record *record = NULL;
    hesca_trace trace = {.n = 0};
    hesca_ordered_message *out = malloc(2 * size * sizeof *out);
    int err = predict(x, info->schedule, &trace);
    if (out == NULL)
        err =
            hesca_fail(HESCA_ERR_NOMEM, 0, "messages of %zu processes", size);
    const int phased = hesca_phases_init(&p, x->comm);
    err = phased < 0 ? phased : err;
    HESCA_TRY(err, hesca_agree(x->comm, err, 0, NULL));
    HESCA_TRY(err, hesca_record_begin(x->comm, HESCA_SUCCESS, &record));
    hesca_phases_start(&p);
    copy_own(x);
    while (hesca_phases_next(&p)) {
        list_messages(x, &p, out, out + size);
        HESCA_TRY(err, hesca_ordered_run(x->comm, p.nout, out, p.nin,
                                         out + size, record));
        HESCA_TRY(err, hesca_phases_check(&p, out, out + size));
    }
    info->checkpoints = p.checkpoints;
    info->changes = p.changes;
    err = hesca_record_end(record, info->schedule, &trace);
    record = NULL;
fail:
    hesca_record_drop(record);
    hesca_trace_clear(&trace);
    hesca_phases_clear(&p);
    free(out);
    return err;
}

int
hesca_alltoallv(const void *send, const int64_t *sendcounts,
                const int64_t *sdispls, void *recv, const int64_t *recvcounts,
                const int64_t *rdispls, size_t esize, MPI_Comm comm,
                hesca_coll_info *info)
{
    call x = {.send = send,
              .sendcounts = sendcounts,
              .sdispls = sdispls,
              .recv = recv,
              .recvcounts = recvcounts,
              .rdispls = rdispls,
              .esize = esize > INT64_MAX ? 0 : (int64_t)esize};
    hesca_coll_info done;
    int err;
    hesca_caller_enter(ROUTINE);
    HESCA_TRY(err, hesca_comm_get(comm, &x.comm));
    hesca_common common = {"esize", 7, 1, x.esize};
    HESCA_TRY(err, hesca_agree(x.comm, check(&x), 0, NULL));
    HESCA_TRY(err, hesca_agree_common(x.comm, ROUTINE, 1, &common, NULL));
    HESCA_TRY(err, share_counts(&x));
    err = hesca_agree(x.comm, make_plan(&x, &done), 0, NULL);
    if (err < 0)
        hesca_alltoallv_order_drop(x.comm); /* some process may have failed */
    HESCA_TRY(err, err);
    HESCA_TRY(err, exchange(&x, &done));
    if (info != NULL)
        *info = done;
fail:
    free(x.counts);
    return err;
}

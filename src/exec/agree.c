/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/agree.h"
#include "base/status.h"
#include "exec/window.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- one round ---
 * A round takes part in one exchange with two neighbours, by the same
 * transport on all processes (all_local is global). */

/* Exchange n values with two neighbours by MPI. */
static int
exchange_by_mpi(const hesca_comm *c, int to, int from, int n,
                const int64_t *value, int64_t *got)
{
    MPI_Request request[2];
    int err;
    HESCA_MPI(err, Irecv, got, n, MPI_INT64_T, from, HESCA_TAG_AGREE, c->mpi,
              request);
    HESCA_MPI(err, Isend, value, n, MPI_INT64_T, to, HESCA_TAG_AGREE, c->mpi,
              request + 1);
    HESCA_TRY(err, hesca_comm_wait(c, 2, request));
fail:
    return err;
}

/* The same through the window, where it takes a fraction of a microsecond. */
static void
exchange_by_shm(const hesca_comm *c, int to, int from, int n,
                const int64_t *value, int64_t *got)
{
    hesca_channel *out = &c->window->out[c->slot[to]];
    hesca_channel *in = &c->window->in[c->slot[from]];
    const size_t size = (size_t)n * sizeof *value;
    hesca_backoff wait = hesca_backoff_begin(c->yields);
    const int reports = c->params.timeout > 0;
    char what[80];
    char *room;
    const char *record;
    if (reports)
        snprintf(what, sizeof what, "rank %d to take what it was sent", to);
    while ((room = hesca_channel_room(out, size)) == NULL)
        hesca_comm_pause(c, &wait, what);
    if (reports)
        snprintf(what, sizeof what, "rank %d to take part", from);
    memcpy(room, value, size);
    hesca_channel_push(out, size);
    wait = hesca_backoff_begin(c->yields);
    while ((record = hesca_channel_peek(in, size)) == NULL)
        hesca_comm_pause(c, &wait, what);
    memcpy(got, record, size);
    hesca_channel_pop(in, size);
}

/* At most HESCA_AGREE_MAX values. */
static int
agree_few(const hesca_comm *c, int n, int64_t *value)
{
    int64_t got[HESCA_AGREE_MAX];
    int err = HESCA_SUCCESS;
    for (int step = 1; step < c->size; step *= 2) {
        const int to = (c->rank + step) % c->size;
        const int from = (c->rank - step + c->size) % c->size;
        if (c->all_local)
            exchange_by_shm(c, to, from, n, value, got);
        else
            HESCA_TRY(err, exchange_by_mpi(c, to, from, n, value, got));
        for (int k = 0; k < n; ++k)
            value[k] = got[k] < value[k] ? got[k] : value[k];
    }
fail:
    return err;
}

/* --- agreement ---
 * All processes pass the same n.  After it, they hold the same values and
 * return the same status, unless MPI failed. */

int
hesca_agree_min(const hesca_comm *c, int n, int64_t *value)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < n; k += HESCA_AGREE_MAX) {
        const int few = n - k < HESCA_AGREE_MAX ? n - k : HESCA_AGREE_MAX;
        HESCA_TRY(err, agree_few(c, few, value + k));
    }
fail:
    return err;
}

/* v[0]: the smallest status first, then the smallest rank that has it. */
static void
state(const hesca_comm *c, int err, int n, const int64_t *value, int64_t *v)
{
    assert(n < HESCA_AGREE_MAX);
    if (err < 0 && hesca_failure_get()->err != err)
        hesca_fail(err, 0, "%s",
                   hesca_strerror(err)); /* no reason is recorded */
    v[0] = err < 0 ? ((int64_t)err * INT32_MAX) + c->rank : 0;
    if (n > 0)
        memcpy(v + 1, value, (size_t)n * sizeof *v);
}

/* The minima are known: take them, or the failure of v[0]'s rank. */
static int
conclude(const hesca_comm *c, int n, const int64_t *v, int64_t *value)
{
    if (v[0] == 0) {
        if (n > 0)
            memcpy(value, v + 1, (size_t)n * sizeof *v);
        return HESCA_SUCCESS;
    }
    const int root = (int)((v[0] % INT32_MAX + INT32_MAX) % INT32_MAX);
    hesca_failure failure = *hesca_failure_get();
    MPI_Request request;
    int failed;
    HESCA_MPI(failed, Ibcast, &failure, sizeof failure, MPI_BYTE, root, c->mpi,
              &request);
    HESCA_TRY(failed, hesca_comm_wait(c, 1, &request));
    return hesca_failure_set(&failure);
fail:
    return failed;
}

int
hesca_agree(const hesca_comm *c, int err, int n, int64_t *value)
{
    int64_t v[HESCA_AGREE_MAX];
    state(c, err, n, value, v);
    const int sent = hesca_agree_min(c, n + 1, v);
    return sent < 0 ? sent : conclude(c, n, v, value);
}

int
hesca_agree_begin(const hesca_comm *c, int err, int n, const int64_t *value,
                  hesca_agreement *a)
{
    int done;
    a->n = n;
    a->request = MPI_REQUEST_NULL;
    state(c, err, n, value, a->v);
    if (c->all_local)
        return hesca_agree_min(c, n + 1, a->v);
    HESCA_MPI(done, Iallreduce, MPI_IN_PLACE, a->v, n + 1, MPI_INT64_T,
              MPI_MIN, c->mpi, &a->request);
fail:
    return done;
}

int
hesca_agree_end(const hesca_comm *c, hesca_agreement *a, int64_t *value)
{
    int err = HESCA_SUCCESS;
    if (a->request != MPI_REQUEST_NULL)
        HESCA_TRY(err, hesca_comm_wait(c, 1, &a->request));
    err = conclude(c, a->n, a->v, value);
fail:
    return err;
}

/* The status to return if the values of argument k differ. */
static int
differ(const hesca_common *common, const hesca_slack *slack, int k)
{
    const int where = slack != NULL ? slack[k].where : 0;
    return where == HESCA_ALWAYS || (where > 0 && common[where - 1].value == 1)
               ? slack[k].err
               : HESCA_ERR_MISMATCH;
}

int
hesca_agree_common(const hesca_comm *c, const char *routine, int n,
                   hesca_common *common, const hesca_slack *slack)
{
    /* All x are equal if and only if the minimum of -x is minus that of x. */
    int64_t v[2 * HESCA_AGREE_MAX];
    int err;
    assert(n <= HESCA_AGREE_MAX);
    for (int k = 0; k < n; ++k) {
        v[2 * k] = common[k].known ? common[k].value : INT64_MAX;
        v[2 * k + 1] = common[k].known ? -common[k].value : INT64_MAX;
    }
    HESCA_TRY(err, hesca_agree_min(c, 2 * n, v));
    for (int k = 0; k < n; ++k) {
        if (v[2 * k] == INT64_MAX)
            return hesca_fail(HESCA_ERR_ARG, common[k].info,
                              "%s: no process knows %s", routine,
                              common[k].name);
        if (v[2 * k] != -v[2 * k + 1]) {
            const int found = differ(common, slack, k);
            if (found < 0)
                err = hesca_fail(found, common[k].info,
                                 "%s: %s differs among the processes: %lld on "
                                 "some, %lld on others",
                                 routine, common[k].name, (long long)v[2 * k],
                                 -(long long)v[2 * k + 1]);
            if (found == HESCA_ERR_MISMATCH)
                return err;
        }
        common[k].value = v[2 * k];
    }
fail:
    return err;
}

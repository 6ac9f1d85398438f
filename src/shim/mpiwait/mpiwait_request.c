/* SPDX-License-Identifier: BSD-3-Clause */
/* Completing requests: a blocking call becomes a loop over the call that looks
 * for the same and returns, MPI_Test for MPI_Wait and so on.
 *
 * These are the only looks that MPI promises to get every kind of request done
 * by: MPI_Request_get_status() makes no progress with a nonblocking file
 * operation (MPICH 4.0), calls the query function of a generalized request
 * once more, and reports an error that the completing call reports again.
 *
 * MPI_Waitall is made of MPI_Testsome.  MPI_Testall asks for the errors of
 * complete requests while others are not, which calls query functions at every
 * look and fails for partitioned requests and persistent collective ones
 * (MPICH 4.0). */
#include "shim/mpiwait/mpiwait.h"
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------ one request */

typedef struct {
    int (*test)(MPI_Request *, int *, MPI_Status *);
    MPI_Request *request;
    MPI_Status *status;
    int err;
} one;

static int
is_one_over(void *what)
{
    one *x = what;
    int flag = 0;
    x->err = x->test(x->request, &flag, x->status);
    return x->err != MPI_SUCCESS || flag;
}

int
hesca_mpiwait_wait(MPI_Request *request, MPI_Status *status)
{
    one x = {hesca_mpiwait_original.Test, request, status, MPI_SUCCESS};
    hesca_mpiwait_until(is_one_over, &x);
    return x.err;
}

int
hesca_mpiwait_finish(MPI_Request *request)
{
    one x = {PMPI_Test, request, MPI_STATUS_IGNORE, MPI_SUCCESS};
    hesca_wait_until(is_one_over, &x);
    return x.err;
}

HESCA_MPIWAIT(Wait)(MPI_Request *request, MPI_Status *status)
{
    if (HESCA_MPIWAIT_OFF || request == NULL || *request == MPI_REQUEST_NULL)
        HESCA_MPIWAIT_PASS(hesca_mpiwait_original.Wait(request, status));
    return hesca_mpiwait_wait(request, status);
}

/* ------------------------------------------------ one or some of a list */

typedef struct {
    int n;
    MPI_Request *requests;
    int count, *which; /* those that were found complete; count is
                          MPI_UNDEFINED if none is active */
    MPI_Status *statuses;
    int err;
} list;

/* Whether there is nothing to wait for, or a wrong argument, which the
 * blocking call is to find. */
static int
is_trivial(int n, const MPI_Request *requests)
{
    return HESCA_MPIWAIT_OFF || n <= 0 || requests == NULL;
}

static int
is_any_over(void *what)
{
    list *x = what;
    int flag = 0;
    x->err = hesca_mpiwait_original.Testany(x->n, x->requests, x->which, &flag,
                                            x->statuses);
    return x->err != MPI_SUCCESS || flag;
}

static int
are_some_over(void *what)
{
    list *x = what;
    x->count = 0;
    x->err = hesca_mpiwait_original.Testsome(x->n, x->requests, &x->count,
                                             x->which, x->statuses);
    return x->err != MPI_SUCCESS || x->count != 0;
}

HESCA_MPIWAIT(Waitany)
(int n, MPI_Request requests[], int *which, MPI_Status *status)
{
    list x = {.n = n, .requests = requests, .which = which};
    x.statuses = status;
    if (is_trivial(n, requests) || which == NULL)
        HESCA_MPIWAIT_PASS(
            hesca_mpiwait_original.Waitany(n, requests, which, status));
    hesca_mpiwait_until(is_any_over, &x);
    if (x.err != MPI_SUCCESS || *which != MPI_UNDEFINED)
        return x.err;
    return hesca_mpiwait_original.Waitany(n, requests, which, status);
}

HESCA_MPIWAIT(Waitsome)
(int n, MPI_Request requests[], int *count, int which[], MPI_Status statuses[])
{
    list x = {.n = n, .requests = requests, .which = which};
    x.statuses = statuses;
    if (is_trivial(n, requests) || count == NULL || which == NULL)
        HESCA_MPIWAIT_PASS(hesca_mpiwait_original.Waitsome(n, requests, count,
                                                           which, statuses));
    hesca_mpiwait_until(are_some_over, &x);
    *count = x.count;
    if (x.err != MPI_SUCCESS || x.count != MPI_UNDEFINED)
        return x.err;
    return hesca_mpiwait_original.Waitsome(n, requests, count, which,
                                           statuses);
}

/* ------------------------------------------------ all of a list */

enum { FEW = 16 }; /* requests that need no memory from the heap */

typedef struct {
    int which[FEW];
    MPI_Status found[FEW];
    MPI_Request live[FEW];
    void *heap;
} room;

typedef struct {
    list some;    /* from request first on */
    int n, first; /* requests before first are complete */
    /* [n] the same as requests, but null where one was found complete: MPICH
     * 4.0 finds a persistent collective one again and again. */
    MPI_Request *live;
    MPI_Request *requests;
    MPI_Status *statuses; /* NULL: ignored */
} waitall;

/* Lists of n; 0 if there is no memory. */
static int
make_room(room *r, waitall *x)
{
    const size_t n = (size_t)x->n;
    r->heap = NULL;
    x->some.statuses = r->found;
    x->some.which = r->which;
    x->live = r->live;
    if (n > FEW) {
        r->heap = malloc(
            n * (sizeof *r->found + sizeof *r->live + sizeof *r->which));
        if (r->heap == NULL)
            return 0;
        x->some.statuses = r->heap;
        x->live = (MPI_Request *)(void *)(x->some.statuses + n);
        x->some.which = (int *)(void *)(x->live + n);
    }
    memcpy(x->live, x->requests, n * sizeof *x->live);
    return 1;
}

/* Requests that are not active get the status that MPI gives a null one. */
static void
clear_statuses(const waitall *x)
{
    MPI_Request null = MPI_REQUEST_NULL;
    MPI_Status empty;
    int flag;
    if (x->statuses == NULL)
        return;
    memset(&empty, 0, sizeof empty);
    PMPI_Test(&null, &flag, &empty);
    empty.MPI_ERROR = MPI_SUCCESS;
    for (int k = 0; k < x->n; ++k)
        x->statuses[k] = empty;
}

/* Put what MPI_Testsome found into its places. */
static void
take(waitall *x)
{
    for (int k = 0; k < x->some.count; ++k) {
        const int at = x->first + x->some.which[k];
        x->requests[at] = x->live[at];
        x->live[at] = MPI_REQUEST_NULL;
        if (x->statuses == NULL)
            continue;
        x->statuses[at] = x->some.statuses[k];
        if (x->some.err == MPI_SUCCESS)
            x->statuses[at].MPI_ERROR = MPI_SUCCESS;
    }
    while (x->first < x->n && x->live[x->first] == MPI_REQUEST_NULL)
        ++x->first;
}

/* A request has failed: MPI lets MPI_Waitall return then.  What is not
 * complete is pending, and the program can ask for it again; so the error
 * handler is called once for each call of the program. */
static void
mark_pending(const waitall *x)
{
    for (int k = x->first; x->statuses != NULL && k < x->n; ++k)
        if (x->live[k] != MPI_REQUEST_NULL)
            x->statuses[k].MPI_ERROR = MPI_ERR_PENDING;
}

static int
are_all_over(void *what)
{
    waitall *x = what;
    int class = MPI_SUCCESS;
    x->some.n = x->n - x->first;
    x->some.requests = x->live + x->first;
    if (!are_some_over(&x->some))
        return 0;
    if (x->some.err != MPI_SUCCESS)
        PMPI_Error_class(x->some.err, &class);
    if (x->some.count == MPI_UNDEFINED ||
        (class != MPI_SUCCESS && class != MPI_ERR_IN_STATUS))
        return 1;
    take(x);
    if (class == MPI_ERR_IN_STATUS)
        mark_pending(x);
    return class == MPI_ERR_IN_STATUS || x->first == x->n;
}

HESCA_MPIWAIT(Waitall)(int n, MPI_Request requests[], MPI_Status statuses[])
{
    waitall x = {.n = n, .requests = requests};
    room r;
    /* GCC takes MPICH's constant for an array of no elements. */
    MPI_Status *volatile ignore = MPI_STATUSES_IGNORE;
    if (is_trivial(n, requests) || (statuses == NULL && ignore != NULL))
        HESCA_MPIWAIT_PASS(
            hesca_mpiwait_original.Waitall(n, requests, statuses));
    x.statuses = statuses == ignore ? NULL : statuses;
    if (!make_room(&r, &x))
        return hesca_mpiwait_original.Waitall(n, requests, statuses);
    clear_statuses(&x);
    hesca_mpiwait_until(are_all_over, &x);
    free(r.heap);
    return x.some.err;
}

/* A request is complete when MPI_Request_get_status() says so, which leaves it
 * as it is: the call that was asked for then completes it, in its own way with
 * statuses, errors and persistent requests. */
#include "shim/polite.h"

typedef struct {
    int n;
    MPI_Request *requests;
} list;

/* An error ends the wait, too: it is for the call that completes to tell. */
static int
is_complete(MPI_Request request)
{
    int flag = 0;
    return PMPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE) !=
               MPI_SUCCESS ||
           flag;
}

static int
one(void *what)
{
    return is_complete(*(MPI_Request *)what);
}

/* Requests that were found complete are not asked for again. */
static int
all(void *what)
{
    list *x = what;
    while (x->n > 0 && is_complete(*x->requests)) {
        ++x->requests;
        --x->n;
    }
    return x->n <= 0;
}

/* Null requests do not count, unless there are no others. */
static int
any(void *what)
{
    const list *x = what;
    int nulls = 0;
    for (int k = 0; k < x->n; ++k) {
        const int null = x->requests[k] == MPI_REQUEST_NULL;
        if (!null && is_complete(x->requests[k]))
            return 1;
        nulls += null;
    }
    return nulls == x->n;
}

static void
wait_for(hesca_wait_over *over, int n, MPI_Request *requests)
{
    list x = {n, requests};
    if (n > 0 && requests != NULL)
        hesca_wait_until(over, &x);
}

int
hesca_polite_wait(MPI_Request *request, MPI_Status *status)
{
    hesca_wait_until(one, request);
    return hesca_polite_next.Wait(request, status);
}

int
hesca_polite_finish(MPI_Request *request)
{
    hesca_wait_until(one, request);
    return PMPI_Wait(request, MPI_STATUS_IGNORE);
}

HESCA_POLITE(Wait)(MPI_Request *request, MPI_Status *status)
{
    if (HESCA_POLITE_OFF || request == NULL)
        return hesca_polite_next.Wait(request, status);
    return hesca_polite_wait(request, status);
}

HESCA_POLITE(Waitall)(int n, MPI_Request requests[], MPI_Status statuses[])
{
    if (!HESCA_POLITE_OFF)
        wait_for(all, n, requests);
    return hesca_polite_next.Waitall(n, requests, statuses);
}

HESCA_POLITE(Waitany)
(int n, MPI_Request requests[], int *which, MPI_Status *status)
{
    if (!HESCA_POLITE_OFF)
        wait_for(any, n, requests);
    return hesca_polite_next.Waitany(n, requests, which, status);
}

HESCA_POLITE(Waitsome)
(int n, MPI_Request requests[], int *count, int which[], MPI_Status statuses[])
{
    if (!HESCA_POLITE_OFF)
        wait_for(any, n, requests);
    return hesca_polite_next.Waitsome(n, requests, count, which, statuses);
}

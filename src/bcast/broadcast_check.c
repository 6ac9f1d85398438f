/* SPDX-License-Identifier: BSD-3-Clause */
/* Check of a broadcast from its sends alone, independent of the algorithm. */
#include "base/status.h"
#include "bcast/growth.h"
#include <math.h>
#include <stdlib.h>

/* The state of every process after the sends so far. */
typedef struct {
    const hesca_broadcast_problem *problem;
    double *has;       /* arrival of the first copy; INFINITY: none */
    double *send_free; /* time from which on it can send again */
    double *recv_free; /* time from which on it can receive again */
    int *got;          /* number of copies */
    char *wanted;
} states;

/* Equal up to rounding: times are sums that may be added in another order. */
static int
is_close(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static int
is_before(double a, double b)
{
    return a < b && !is_close(a, b);
}

static int
wrong(const hesca_send *s, const char *why)
{
    return hesca_fail(HESCA_ERR_ARG, 0,
                      "broadcast: from %d to %d, at %g to %g s: %s", s->src,
                      s->dest, s->start, s->end, why);
}

static int
check_send(states *k, const hesca_send *s)
{
    const hesca_broadcast_problem *x = k->problem;
    if (s->src < 0 || s->src >= x->nproc || s->dest < 0 ||
        s->dest >= x->nproc || s->src == s->dest)
        return wrong(s, "no such processes");
    const double cost = hesca_broadcast_cost(x, s->src, s->dest);
    if (isinf(cost))
        return wrong(s, "no such link");
    if (!is_close(s->end, s->start + cost))
        return wrong(s, "takes another time");
    if (!k->wanted[s->dest] && !x->relays)
        return wrong(s, "the receiver is no destination");
    if (is_before(s->start, k->has[s->src]))
        return wrong(s, "the sender does not have the message");
    if (is_before(s->start, k->send_free[s->src]))
        return wrong(s, "the sender is busy");
    if (is_before(s->start, k->recv_free[s->dest]))
        return wrong(s, "the receiver is busy");
    k->send_free[s->src] = s->start + hesca_broadcast_busy(x, s->src, s->dest);
    k->recv_free[s->dest] = s->end;
    k->has[s->dest] = fmin(k->has[s->dest], s->end);
    ++k->got[s->dest];
    return HESCA_SUCCESS;
}

static int
check_received(const states *k, const hesca_broadcast *b)
{
    double finish = 0;
    for (int j = 0; j < k->problem->nproc; ++j) {
        if (k->got[j] > (k->problem->copies == 2 ? 2 : 1))
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "broadcast: process %d receives %d times", j,
                              k->got[j]);
        if (!k->wanted[j])
            continue;
        if (k->got[j] == 0)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "broadcast: process %d receives nothing", j);
        finish = fmax(finish, k->has[j]);
    }
    if (!is_close(finish, b->finish))
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: finishes at %g s, not %g", finish,
                          b->finish);
    return HESCA_SUCCESS;
}

static int
check_all(states *k, const hesca_broadcast *b)
{
    const int root = k->problem->root;
    hesca_broadcast_wanted(k->problem, k->wanted);
    for (int i = 0; i < k->problem->nproc; ++i)
        k->has[i] = i == root ? 0 : INFINITY;
    for (int e = 0; e < b->n; ++e) {
        const hesca_send *s = &b->send[e];
        if (e > 0 && s->start < s[-1].start)
            return wrong(s, "begins before the one before it");
        const int err = check_send(k, s);
        if (err < 0)
            return err;
        if (s->dest == root)
            return wrong(s, "root receives");
    }
    return check_received(k, b);
}

int
hesca_broadcast_check(const hesca_broadcast_problem *problem,
                      const hesca_broadcast *b)
{
    const size_t n = (size_t)problem->nproc;
    states k = {.problem = problem,
                .has = calloc(3 * n, sizeof *k.has),
                .got = calloc(n, sizeof *k.got),
                .wanted = malloc(n)};
    int err = HESCA_SUCCESS;
    if (k.has == NULL || k.got == NULL || k.wanted == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "times of %d processes",
                                  problem->nproc));
    k.send_free = k.has + n;
    k.recv_free = k.send_free + n;
    HESCA_TRY(err, check_all(&k, b));
fail:
    free(k.has);
    free(k.got);
    free(k.wanted);
    return err;
}

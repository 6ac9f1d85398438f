/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/concurrent.h"
#include "base/status.h"
#include "bcast/growth.h"
#include "bcast/tree.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- ports ---
 * Each port has at most one message at a time, of any problem.  A send begins
 * when its sender has the message and both ports are free. */

/* Growing broadcasts, and the state of the ports that they share. */
typedef struct {
    int n, nproc;
    const hesca_broadcast_problem *problem;
    hesca_broadcast *b;
    double *has;       /* [n * nproc] arrival; INFINITY: not yet */
    double *send_free; /* [nproc] time from which on each can send */
    double *recv_free; /* [nproc] time from which on each can receive */
} ports;

/* A planned send. */
typedef struct {
    int src, dest, problem;
    double begin; /* in its own broadcast, without the others */
    double after; /* seconds from its begin until everything that depends on
                     it has ended */
    int done;
} task;

static int
begin(ports *p)
{
    const size_t all = (size_t)p->n * (size_t)p->nproc;
    p->has = malloc((all + 2 * (size_t)p->nproc) * sizeof *p->has);
    *p->b = (hesca_broadcast){.send = malloc(all * sizeof *p->b->send)};
    if (p->has == NULL || p->b->send == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d problems of %d processes",
                          p->n, p->nproc);
    p->send_free = p->has + all;
    p->recv_free = p->send_free + p->nproc;
    for (size_t k = 0; k < all; ++k)
        p->has[k] = INFINITY;
    for (int c = 0; c < p->n; ++c)
        p->has[(size_t)c * (size_t)p->nproc + (size_t)p->problem[c].root] = 0;
    for (int i = 0; i < p->nproc; ++i)
        p->send_free[i] = p->recv_free[i] = 0;
    return HESCA_SUCCESS;
}

static double
earliest(const ports *p, int c, int src, int dest)
{
    return fmax(p->has[(size_t)c * (size_t)p->nproc + (size_t)src],
                fmax(p->send_free[src], p->recv_free[dest]));
}

static void
send(ports *p, int c, int src, int dest)
{
    const hesca_broadcast_problem *x = &p->problem[c];
    const double start = earliest(p, c, src, dest);
    const double end = start + hesca_broadcast_cost(x, src, dest);
    p->b->send[p->b->n++] = (hesca_send){
        .src = src, .dest = dest, .problem = c, .start = start, .end = end};
    p->send_free[src] = start + hesca_broadcast_busy(x, src, dest);
    p->recv_free[dest] = end;
    p->has[(size_t)c * (size_t)p->nproc + (size_t)dest] = end;
    p->b->finish = fmax(p->b->finish, end);
}

static int
check(int n, const hesca_broadcast_problem *problem)
{
    if (n < 1)
        return hesca_fail(HESCA_ERR_ARG, 0, "%d problems: must be >= 1", n);
    for (int c = 0; c < n; ++c) {
        const int err = hesca_broadcast_problem_check(&problem[c]);
        if (err < 0)
            return err;
        if (problem[c].nproc != problem[0].nproc)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "problem %d has %d processes, problem 0 has %d",
                              c, problem[c].nproc, problem[0].nproc);
    }
    return HESCA_SUCCESS;
}

/* --- one after the other ---
 * The sends of a problem begin after the finish of the previous one. */

/* The broadcast of problem c alone, one copy to each destination. */
static int
make_one(const hesca_broadcast_algorithm *algorithm,
         const hesca_broadcast_problem *problem, int c, hesca_broadcast *b)
{
    hesca_broadcast_problem x = problem[c];
    x.copies = 1;
    return hesca_broadcast_find(algorithm, &x, b);
}

int
hesca_concurrent_sequential(const hesca_broadcast_algorithm *algorithm, int n,
                            const hesca_broadcast_problem *problem,
                            hesca_broadcast *b)
{
    int err;
    *b = (hesca_broadcast){.n = 0};
    HESCA_TRY(err, check(n, problem));
    b->send = malloc((size_t)n * (size_t)problem->nproc * sizeof *b->send);
    if (b->send == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "%d problems of %d processes",
                             n, problem->nproc));
    for (int c = 0; c < n; ++c) {
        hesca_broadcast one;
        HESCA_TRY(err, make_one(algorithm, problem, c, &one));
        for (int k = 0; k < one.n; ++k) {
            hesca_send *s = &b->send[b->n++];
            *s = one.send[k];
            s->problem = c;
            s->start += b->finish;
            s->end += b->finish;
        }
        b->finish += one.finish;
        hesca_broadcast_clear(&one);
    }
fail:
    if (err < 0)
        hesca_broadcast_clear(b);
    return err;
}

/* --- interleaved ---
 * Every candidate schedule is complete or has finish INFINITY; the result is
 * the best one, and never worse than one after the other. */

/* List the sends of each problem alone; list[] has room for all. */
static int
plan_tasks(const hesca_broadcast_algorithm *algorithm, int n,
           const hesca_broadcast_problem *problem, task *list, int *ntasks)
{
    int err = HESCA_SUCCESS;
    *ntasks = 0;
    for (int c = 0; c < n; ++c) {
        hesca_broadcast one;
        hesca_tree t = {.problem = NULL};
        HESCA_TRY(err, make_one(algorithm, problem, c, &one));
        err = hesca_tree_init(&t, &problem[c]);
        if (err == HESCA_SUCCESS)
            hesca_tree_read(&t, &one);
        for (int k = 0; k < one.n && err == HESCA_SUCCESS; ++k) {
            const hesca_send *s = &one.send[k];
            list[*ntasks].src = s->src;
            list[*ntasks].dest = s->dest;
            list[*ntasks].problem = c;
            list[*ntasks].begin = s->start;
            list[*ntasks].after = s->end - s->start + t.tail[s->dest];
            ++*ntasks;
        }
        hesca_tree_clear(&t);
        hesca_broadcast_clear(&one);
        HESCA_TRY(err, err);
    }
fail:
    return err;
}

/* Whether x comes before y if both can begin at the same time. */
static int
is_first(const task *x, const task *y, int by_begin)
{
    if (by_begin && x->begin != y->begin)
        return x->begin < y->begin;
    return x->after > y->after;
}

/* Merge the tasks: the next send is always one that can begin first. */
static int
merge(ports *p, task *list, int ntasks, int by_begin)
{
    const int err = begin(p);
    if (err < 0)
        return err;
    for (int k = 0; k < ntasks; ++k)
        list[k].done = 0;
    for (int left = ntasks; left > 0; --left) {
        double least = INFINITY;
        int best = -1;
        for (int k = 0; k < ntasks; ++k) {
            if (list[k].done)
                continue;
            const double t =
                earliest(p, list[k].problem, list[k].src, list[k].dest);
            if (t < least || (t == least && best >= 0 &&
                              is_first(&list[k], &list[best], by_begin))) {
                least = t;
                best = k;
            }
        }
        list[best].done = 1;
        send(p, list[best].problem, list[best].src, list[best].dest);
    }
    return HESCA_SUCCESS;
}

typedef struct {
    int problem, src, dest;
    double end;
} edge;

/* Update the best edge by those of problem c. */
static void
find_edge(const ports *p, const char *wanted, int c, edge *best)
{
    const size_t at = (size_t)c * (size_t)p->nproc;
    for (int i = 0; i < p->nproc; ++i) {
        if (isinf(p->has[at + (size_t)i]))
            continue;
        for (int j = 0; j < p->nproc; ++j) {
            if (!wanted[at + (size_t)j] || !isinf(p->has[at + (size_t)j]))
                continue;
            const double end = earliest(p, c, i, j) +
                               hesca_broadcast_cost(&p->problem[c], i, j);
            if (end < best->end)
                *best = (edge){.problem = c, .src = i, .dest = j, .end = end};
        }
    }
}

/* Earliest completing edge first over all problems, without relays; the finish
 * is INFINITY if relays are needed. */
static int
grow(ports *p)
{
    char *wanted = malloc((size_t)p->n * (size_t)p->nproc);
    int err, left = 0;
    HESCA_TRY(err, begin(p));
    if (wanted == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "%d problems of %d processes",
                             p->n, p->nproc));
    for (int c = 0; c < p->n; ++c) {
        hesca_broadcast_wanted(&p->problem[c],
                               wanted + (size_t)c * (size_t)p->nproc);
        left += hesca_broadcast_ndest(&p->problem[c]);
    }
    for (; left > 0; --left) {
        edge best = {.end = INFINITY};
        for (int c = 0; c < p->n; ++c)
            find_edge(p, wanted, c, &best);
        if (isinf(best.end)) {
            p->b->finish = INFINITY;
            break;
        }
        send(p, best.problem, best.src, best.dest);
    }
fail:
    free(wanted);
    return err;
}

/* Store the better one of best and the result in p, and clear the other. */
static void
store_better(hesca_broadcast *best, ports *p)
{
    hesca_broadcast *worse = p->b;
    if (p->b->finish < best->finish) {
        const hesca_broadcast other = *best;
        *best = *p->b;
        *p->b = other;
    }
    hesca_broadcast_clear(worse);
    free(p->has);
    p->has = NULL;
}

int
hesca_concurrent_interleaved(const hesca_broadcast_algorithm *algorithm, int n,
                             const hesca_broadcast_problem *problem,
                             hesca_broadcast *b)
{
    hesca_broadcast other = {.n = 0};
    task *tasks = NULL;
    int err, ntasks;
    HESCA_TRY(err, hesca_concurrent_sequential(algorithm, n, problem, b));
    ports p = {
        .n = n, .nproc = problem->nproc, .problem = problem, .b = &other};
    tasks = malloc((size_t)n * (size_t)problem->nproc * sizeof *tasks);
    if (tasks == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "%d problems of %d processes", n,
                         problem->nproc);
    if (err == HESCA_SUCCESS)
        err = plan_tasks(algorithm, n, problem, tasks, &ntasks);
    for (int way = 0; way < 3 && err == HESCA_SUCCESS; ++way) {
        err = way < 2 ? merge(&p, tasks, ntasks, way) : grow(&p);
        if (err < 0)
            p.b->finish = INFINITY;
        store_better(b, &p);
    }
    if (err == HESCA_SUCCESS)
        hesca_broadcast_sort(b);
fail:
    free(tasks);
    if (err < 0)
        hesca_broadcast_clear(b);
    return err;
}

/* --- checks ---
 * Each broadcast must be valid alone, and no port may have two messages at a
 * time.  Sends are sorted by start. */

static int
check_ports(int n, const hesca_broadcast_problem *problem,
            const hesca_broadcast *b, double *send_free, double *recv_free)
{
    for (int k = 0; k < b->n; ++k) {
        const hesca_send *s = &b->send[k];
        const double slack = 1e-9 * fabs(s->start);
        if (s->problem < 0 || s->problem >= n)
            return hesca_fail(HESCA_ERR_ARG, 0, "there is no problem %d",
                              s->problem);
        if (s->start < send_free[s->src] - slack ||
            s->start < recv_free[s->dest] - slack)
            return hesca_fail(
                HESCA_ERR_ARG, 0,
                "problem %d: from %d to %d at %g s: a port is busy",
                s->problem, s->src, s->dest, s->start);
        send_free[s->src] =
            s->start +
            hesca_broadcast_busy(&problem[s->problem], s->src, s->dest);
        recv_free[s->dest] = s->end;
    }
    return HESCA_SUCCESS;
}

/* Check each broadcast alone; one[] has room for all sends. */
static int
check_each(int n, const hesca_broadcast_problem *problem,
           const hesca_broadcast *b, hesca_send *one)
{
    for (int c = 0; c < n; ++c) {
        hesca_broadcast x = {.send = one};
        hesca_broadcast_problem once = problem[c];
        once.copies = 1;
        for (int k = 0; k < b->n; ++k)
            if (b->send[k].problem == c)
                one[x.n++] = b->send[k];
        for (int k = 0; k < x.n; ++k)
            x.finish = fmax(x.finish, one[k].end);
        const int err = hesca_broadcast_check(&once, &x);
        if (err < 0)
            return err;
    }
    return HESCA_SUCCESS;
}

int
hesca_concurrent_check(int n, const hesca_broadcast_problem *problem,
                       const hesca_broadcast *b)
{
    const size_t nproc = (size_t)problem->nproc;
    double *free_at = calloc(2 * nproc, sizeof *free_at);
    hesca_send *one = malloc((size_t)(b->n + 1) * sizeof *one);
    int err = HESCA_SUCCESS;
    if (free_at == NULL || one == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%d sends", b->n));
    HESCA_TRY(err, check_each(n, problem, b, one));
    HESCA_TRY(err, check_ports(n, problem, b, free_at, free_at + nproc));
fail:
    free(free_at);
    free(one);
    return err;
}

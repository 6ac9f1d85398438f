/* SPDX-License-Identifier: BSD-3-Clause */
#include "hmpi/hmpi_registry.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    int groups; /* it is in */
    hesca_hmpi_place at;
    int leaves;   /* times that it is to leave where it waits next */
    int meets;    /* what it has called HMPI_Host_rendezvous() with; -1: less
                     than 1, 0: it has not */
    int64_t came; /* there, by order */
    int is_lost;  /* it has ended */
} process;

typedef struct group {
    int64_t id;
    int parent, n;
    int *rank;   /* [n] */
    int missing; /* confirmations */
    struct group *next;
} group;

struct hesca_hmpi_registry {
    int nprocs;
    process *process;
    double *speed; /* [nprocs] */
    int *parent;   /* [nparents] processes that want to create, in order */
    int nparents, is_creating; /* the first of them has its candidates */
    group *group; /* the newest first; while it lacks confirmations, it is
                     what the first parent creates */
    int64_t last_id, meetings;
    int is_absorbing; /* R2 */
    int is_over;
    char *text; /* scratch: a state */
    hesca_hmpi_send *send;
    void *self;
};

hesca_hmpi_registry *
hesca_hmpi_registry_create(int nprocs, const double *speed,
                           hesca_hmpi_send *send, void *self)
{
    const size_t n = (size_t)nprocs;
    hesca_hmpi_registry *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->nprocs = nprocs;
    r->send = send;
    r->self = self;
    r->process = calloc(n, sizeof *r->process);
    r->speed = malloc(n * sizeof *r->speed);
    r->parent = malloc(n * sizeof *r->parent);
    r->text = malloc(n * (sizeof(double) + 1));
    if (r->process == NULL || r->speed == NULL || r->parent == NULL ||
        r->text == NULL) {
        hesca_hmpi_registry_free(r);
        return NULL;
    }
    memcpy(r->speed, speed, n * sizeof *r->speed);
    return r;
}

static void
group_free(group *g)
{
    free(g->rank);
    free(g);
}

void
hesca_hmpi_registry_free(hesca_hmpi_registry *r)
{
    if (r == NULL)
        return;
    while (r->group != NULL) {
        group *g = r->group;
        r->group = g->next;
        group_free(g);
    }
    free(r->process);
    free(r->speed);
    free(r->parent);
    free(r->text);
    free(r);
}

static int
is_free(const hesca_hmpi_registry *r, int rank)
{
    return rank != 0 && r->process[rank].groups == 0;
}

static void
answer(hesca_hmpi_registry *r, int rank, hesca_hmpi_type type, int64_t a)
{
    r->send(r->self, rank, type, a, NULL, 0);
}

/* Speeds, and whether each process is free; to be chosen it must wait, too. */
static void
answer_state(hesca_hmpi_registry *r, int rank, hesca_hmpi_type type)
{
    const size_t n = (size_t)r->nprocs;
    memcpy(r->text, r->speed, n * sizeof(double));
    for (int k = 0; k < r->nprocs; ++k)
        r->text[n * sizeof(double) + (size_t)k] =
            is_free(r, k) && (type == HESCA_HMPI_STATE_IS ||
                              r->process[k].at == HESCA_HMPI_AT_CREATE);
    r->send(r->self, rank, type, 0, r->text, n * (sizeof(double) + 1));
}

/* --- waiting places --- */

static int
can_leave(const process *p)
{
    return p->at == HESCA_HMPI_AT_CREATE || p->at == HESCA_HMPI_AT_DESTROY;
}

static void
leave(hesca_hmpi_registry *r, int rank)
{
    r->process[rank].at = HESCA_HMPI_NOWHERE;
    answer(r, rank, HESCA_HMPI_LEAVE, 0);
}

/* R1, for those that are not chosen. */
static void
leave_all(hesca_hmpi_registry *r)
{
    for (int k = 0; k < r->nprocs; ++k)
        if (is_free(r, k) && can_leave(&r->process[k]))
            leave(r, k);
}

static void
end_all(hesca_hmpi_registry *r)
{
    for (int k = 0; k < r->nprocs; ++k)
        if (r->process[k].at != HESCA_HMPI_AT_FINALIZE)
            return;
    r->is_over = 1;
    for (int k = 0; k < r->nprocs; ++k)
        answer(r, k, HESCA_HMPI_LEAVE, 0);
}

static int
wait_at(hesca_hmpi_registry *r, int rank, int64_t at)
{
    process *p = &r->process[rank];
    if (at < HESCA_HMPI_AT_CREATE || at > HESCA_HMPI_AT_FINALIZE ||
        p->at != HESCA_HMPI_NOWHERE ||
        (at != HESCA_HMPI_AT_FINALIZE && !is_free(r, rank)))
        return -1;
    p->at = (hesca_hmpi_place)at;
    if (at == HESCA_HMPI_AT_FINALIZE) {
        p->leaves = 0;
        if (rank == 0) /* R4 */
            leave_all(r);
        end_all(r);
    } else if (p->leaves > 0 || r->process[0].at == HESCA_HMPI_AT_FINALIZE) {
        p->leaves -= p->leaves > 0;
        leave(r, rank);
    }
    return 0;
}

static int
notify(hesca_hmpi_registry *r, int rank)
{
    if (rank != 0)
        return -1;
    if (!r->is_absorbing)
        for (int k = 0; k < r->nprocs; ++k) {
            process *p = &r->process[k];
            if (!is_free(r, k) || p->at == HESCA_HMPI_AT_FINALIZE)
                continue;
            if (can_leave(p))
                leave(r, k);
            else
                ++p->leaves;
        }
    r->is_absorbing = 0;
    answer(r, rank, HESCA_HMPI_DONE, 0);
    return 0;
}

/* --- creation --- */

/* Begin the next creation, if all free processes wait for it.  Those that wait
 * for the host to tell them to go on come here afterwards; if the host is here
 * itself, it has forgotten them. */
static void
advance(hesca_hmpi_registry *r)
{
    if (r->is_creating || r->nparents == 0)
        return;
    for (int k = 0; r->parent[0] == 0 && k < r->nprocs; ++k)
        if (r->process[k].at == HESCA_HMPI_AT_DESTROY)
            leave(r, k);
    for (int k = 0; k < r->nprocs; ++k)
        if (is_free(r, k) && r->process[k].at != HESCA_HMPI_AT_CREATE &&
            r->process[k].at != HESCA_HMPI_AT_FINALIZE)
            return;
    r->is_creating = 1;
    answer_state(r, r->parent[0], HESCA_HMPI_CANDIDATES);
}

static int
begin(hesca_hmpi_registry *r, int rank)
{
    if (is_free(r, rank) || r->process[rank].at != HESCA_HMPI_NOWHERE)
        return -1;
    for (int k = 0; k < r->nparents; ++k)
        if (r->parent[k] == rank)
            return -1;
    r->parent[r->nparents++] = rank;
    return 0;
}

/* The first creation is over. */
static void
end_creation(hesca_hmpi_registry *r)
{
    --r->nparents;
    memmove(r->parent, r->parent + 1, (size_t)r->nparents * sizeof *r->parent);
    r->is_creating = 0;
    r->is_absorbing = 1;
}

static int
is_creator(const hesca_hmpi_registry *r, int rank)
{
    return r->is_creating && r->nparents > 0 && r->parent[0] == rank &&
           (r->group == NULL || r->group->missing == 0);
}

static int
cancel(hesca_hmpi_registry *r, int rank)
{
    if (!is_creator(r, rank))
        return -1;
    end_creation(r);
    leave_all(r);
    answer(r, rank, HESCA_HMPI_DONE, 0);
    return 0;
}

/* Whether the ranks are the parent and different candidates. */
static int
are_candidates(const hesca_hmpi_registry *r, int parent, int n,
               const int32_t *rank)
{
    int parents = 0;
    for (int k = 0; k < n; ++k) {
        if (rank[k] < 0 || rank[k] >= r->nprocs)
            return 0;
        if (rank[k] == parent)
            ++parents;
        else if (!is_free(r, rank[k]) ||
                 r->process[rank[k]].at != HESCA_HMPI_AT_CREATE)
            return 0;
        for (int j = 0; j < k; ++j)
            if (rank[j] == rank[k])
                return 0;
    }
    return parents == 1;
}

static void
tell_to_go(hesca_hmpi_registry *r, const group *g)
{
    for (int k = 0; k < g->n; ++k)
        answer(r, g->rank[k], HESCA_HMPI_GO, g->id);
    end_creation(r);
}

/* Bytes: n, the ranks, and what only the members understand. */
static int
commit(hesca_hmpi_registry *r, int rank, const char *bytes, size_t size)
{
    int32_t n;
    if (!is_creator(r, rank) || size < sizeof n)
        return -1;
    memcpy(&n, bytes, sizeof n);
    if (n < 1 || n > r->nprocs || size < ((size_t)n + 1) * sizeof n)
        return -1;
    group *g = calloc(1, sizeof *g);
    int32_t *list = malloc((size_t)n * sizeof *list);
    if (g == NULL || list == NULL ||
        (g->rank = malloc((size_t)n * sizeof *g->rank)) == NULL)
        goto fail;
    memcpy(list, bytes + sizeof n, (size_t)n * sizeof n);
    if (!are_candidates(r, rank, n, list))
        goto fail;
    g->id = ++r->last_id;
    g->parent = rank;
    g->n = n;
    g->missing = n - 1;
    g->next = r->group;
    r->group = g;
    for (int k = 0; k < n; ++k) {
        process *p = &r->process[list[k]];
        g->rank[k] = list[k];
        ++p->groups;
        if (list[k] == rank)
            continue;
        p->at = HESCA_HMPI_NOWHERE;
        p->leaves = 0;
        r->send(r->self, list[k], HESCA_HMPI_EMPLOYED, g->id, bytes, size);
    }
    free(list);
    leave_all(r);
    if (g->missing == 0)
        tell_to_go(r, g);
    return 0;
fail:
    if (g != NULL)
        group_free(g);
    free(list);
    return -1;
}

static int
confirm(hesca_hmpi_registry *r, int rank, int64_t id)
{
    group *g = r->group;
    if (g == NULL || g->id != id || g->missing == 0 || rank == g->parent)
        return -1;
    if (--g->missing == 0)
        tell_to_go(r, g);
    return 0;
}

static int
free_group(hesca_hmpi_registry *r, int rank, int64_t id)
{
    group **at = &r->group;
    while (*at != NULL && (*at)->id != id)
        at = &(*at)->next;
    group *g = *at;
    if (g == NULL || g->parent != rank || g->missing > 0)
        return -1;
    *at = g->next;
    for (int k = 0; k < g->n; ++k)
        --r->process[g->rank[k]].groups;
    group_free(g);
    r->is_absorbing = 0; /* R3 */
    answer(r, rank, HESCA_HMPI_DONE, 0);
    return 0;
}

/* --- rendezvous ---
 * The host meets one process, if it has said 1, or all members of a group; of
 * one that it is not in it may not know the size. */

static void
end_meeting(hesca_hmpi_registry *r, int rank)
{
    r->process[rank].meets = 0;
    answer(r, rank, HESCA_HMPI_DONE, 0);
}

/* The one that has come first. */
static int
meet_one(hesca_hmpi_registry *r)
{
    int first = -1;
    for (int k = 1; k < r->nprocs; ++k)
        if (r->process[k].meets == 1 &&
            (first < 0 || r->process[k].came < r->process[first].came))
            first = k;
    if (first >= 0)
        end_meeting(r, first);
    return first >= 0;
}

static int
meet_group(hesca_hmpi_registry *r, const group *g)
{
    const int host = r->process[0].meets;
    int has_host = 0, others = 0;
    for (int k = 0; k < g->n; ++k) {
        has_host |= g->rank[k] == 0;
        others += g->rank[k] != 0 && r->process[g->rank[k]].meets == g->n;
    }
    if (others == 0 || others < g->n - has_host ||
        (host != g->n && (has_host || host > 0)))
        return 0;
    for (int k = 0; k < g->n; ++k)
        if (g->rank[k] != 0)
            end_meeting(r, g->rank[k]);
    return 1;
}

static void
try_to_meet(hesca_hmpi_registry *r)
{
    const int host = r->process[0].meets;
    int done = host != 0 && r->nprocs == 1;
    if (host == 1)
        done = done || meet_one(r);
    for (const group *g = r->group; host != 0 && !done && g != NULL;
         g = g->next)
        done = meet_group(r, g);
    if (done)
        end_meeting(r, 0);
}

static int
meet(hesca_hmpi_registry *r, int rank, int64_t count)
{
    process *p = &r->process[rank];
    if (p->meets != 0 || p->at != HESCA_HMPI_NOWHERE || count > r->nprocs ||
        (rank != 0 && count < 1))
        return -1;
    p->meets = count < 1 ? -1 : (int)count;
    p->came = ++r->meetings;
    try_to_meet(r);
    return 0;
}

/* --- requests --- */

static int
set_speeds(hesca_hmpi_registry *r, int rank, const void *bytes, size_t size)
{
    const size_t n = (size_t)r->nprocs;
    if (size != n * sizeof *r->speed)
        return -1;
    for (size_t k = 0; k < n; ++k) {
        double x;
        memcpy(&x, (const char *)bytes + k * sizeof x, sizeof x);
        if (x > 0)
            r->speed[k] = x;
    }
    answer(r, rank, HESCA_HMPI_DONE, 0);
    return 0;
}

int
hesca_hmpi_registry_receive(hesca_hmpi_registry *r, int rank,
                            const hesca_hmpi_message *m, const void *bytes)
{
    int err = -1;
    switch (m->type) {
    case HESCA_HMPI_BEGIN:
        err = begin(r, rank);
        break;
    case HESCA_HMPI_COMMIT:
        err = commit(r, rank, bytes, (size_t)m->n);
        break;
    case HESCA_HMPI_CANCEL:
        err = cancel(r, rank);
        break;
    case HESCA_HMPI_WAIT:
        err = wait_at(r, rank, m->a);
        break;
    case HESCA_HMPI_CONFIRM:
        err = confirm(r, rank, m->a);
        break;
    case HESCA_HMPI_FREE:
        err = free_group(r, rank, m->a);
        break;
    case HESCA_HMPI_NOTIFY:
        err = notify(r, rank);
        break;
    case HESCA_HMPI_MEET:
        err = meet(r, rank, m->a);
        break;
    case HESCA_HMPI_SPEEDS:
        err = set_speeds(r, rank, bytes, (size_t)m->n);
        break;
    case HESCA_HMPI_STATE:
        answer_state(r, rank, HESCA_HMPI_STATE_IS);
        err = 0;
        break;
    default:
        break;
    }
    if (err < 0)
        answer(r, rank, HESCA_HMPI_REFUSED, m->type);
    advance(r);
    return err;
}

void
hesca_hmpi_registry_lose(hesca_hmpi_registry *r, int rank)
{
    r->process[rank].is_lost = 1;
    for (int k = 0; k < r->nprocs; ++k)
        if (!r->process[k].is_lost)
            answer(r, k, HESCA_HMPI_LOST, rank);
}

int
hesca_hmpi_registry_is_over(const hesca_hmpi_registry *r)
{
    return r->is_over;
}

int
hesca_hmpi_registry_waits(const hesca_hmpi_registry *r, int rank)
{
    const process *p = &r->process[rank];
    if (p->at != HESCA_HMPI_NOWHERE || p->meets != 0)
        return 1;
    for (int k = 0; k < r->nparents; ++k)
        if (r->parent[k] == rank && !(k == 0 && r->is_creating))
            return 1;
    return r->group != NULL && r->group->missing > 0 &&
           r->group->parent == rank;
}

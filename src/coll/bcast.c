/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_bcast(), hesca_multicast(): one message to many processes over links
 * that differ. */
#include "base/arith.h"
#include "base/hash.h"
#include "base/status.h"
#include "bcast/pipeline.h"
#include "coll/pipelined_bcast.h"
#include "exec/agree.h"
#include "exec/staging.h"
#include "exec/transfer.h"
#include "hesca/experimental/coll.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Plans that are cached; the most recently used ones stay. */
enum { CACHED = 64 };

/* Segments of less than PIECE_LEAST bytes cost more than they gain; there are
 * at most PIECES_MOST. */
enum { PIECE_LEAST = 8192, PIECES_MOST = 512 };

/* The arguments of a call. */
typedef struct {
    const char *routine;
    void *buffer;
    int64_t bytes;
    int root;
    int to_all; /* else to dest */
    int ndest;
    const int *dest;
} call;

struct hesca_bcast_plan {
    int64_t bytes;
    int root, ndest;
    int *dest; /* [ndest] */
    int to_all;
    int relays; /* some process outside of dest forwards */
    hesca_pipelined_bcast part;
    hesca_child *child;
    hesca_coll_info info;
    hesca_broadcast tree;
    hesca_bcast_plan *next;
};

/* --- arguments ---
 * Checked locally, then agreed: after agree() all processes have valid and
 * equal arguments. */

static int
check_dest(const call *x, int size)
{
    char *seen = calloc((size_t)size + 1, 1);
    int err = HESCA_SUCCESS;
    if (seen == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", size);
    for (int k = 0; k < x->ndest && err == HESCA_SUCCESS; ++k) {
        const int d = x->dest[k];
        const char *must = d < 0 || d >= size ? "a rank of the communicator"
                           : d == x->root     ? "another one than root"
                           : seen[d]          ? "there only once"
                                              : NULL;
        if (must != NULL)
            err = hesca_fail(HESCA_ERR_ARG, 5,
                             "%s: argument 5, dest[%d], is %d: must be %s",
                             x->routine, k, d, must);
        else
            seen[d] = 1;
    }
    free(seen);
    return err;
}

static int
check(const call *x, int size, int rank)
{
    const int multi = !x->to_all;
    if (x->bytes < 0)
        return hesca_fail_arg(x->routine, 2, "bytes", x->bytes,
                              "must be >= 0");
    if (x->root < 0 || x->root >= size)
        return hesca_fail_arg(x->routine, 3, "root", x->root,
                              "must be a rank of the communicator");
    if (multi && (x->ndest < 0 || x->ndest >= size))
        return hesca_fail_arg(x->routine, 4, "ndest", x->ndest,
                              "must be from 0 to P - 1");
    if (multi && x->dest == NULL && x->ndest > 0)
        return hesca_fail(HESCA_ERR_ARG, 5,
                          "%s: argument 5, dest, is NULL, but ndest is %d",
                          x->routine, x->ndest);
    const int err = multi ? check_dest(x, size) : HESCA_SUCCESS;
    int takes_part = !multi || rank == x->root;
    for (int k = 0; err == HESCA_SUCCESS && k < x->ndest; ++k)
        takes_part |= x->dest[k] == rank;
    if (err == HESCA_SUCCESS && takes_part && x->bytes > 0 &&
        x->buffer == NULL)
        return hesca_fail(HESCA_ERR_ARG, 1,
                          "%s: argument 1, buffer, is NULL, but bytes is %lld",
                          x->routine, (long long)x->bytes);
    return err;
}

static int64_t
digest(const call *x)
{
    uint64_t h = HESCA_HASH;
    for (int k = 0; k < x->ndest; ++k)
        h = hesca_hash_mix(h, (uint64_t)x->dest[k]);
    return hesca_hash_end(h);
}

/* Agree on errors and on arguments that differ. */
static int
agree(hesca_comm *c, const call *x)
{
    static const char *const name[4] = {"bytes", "root", "ndest", "dest"};
    int64_t v[8];
    int err = check(x, c->size, c->rank);
    const int64_t all[4] = {x->bytes, x->root, x->ndest,
                            err < 0 ? 0 : digest(x)};
    for (int k = 0; k < 4; ++k) {
        v[2 * k] = err < 0 ? 0 : all[k];
        v[2 * k + 1] = -v[2 * k];
    }
    HESCA_TRY(err, hesca_agree(c, err, 8, v));
    for (int k = 0; k < 4; ++k)
        if (v[2 * k] != -v[2 * k + 1])
            return hesca_fail(HESCA_ERR_MISMATCH, k + 2,
                              "%s: argument %d, %s, differs among the "
                              "processes",
                              x->routine, k + 2, name[k]);
fail:
    return err;
}

/* --- plans ---
 * The cache changes at the same calls on all processes, so all find the
 * same plan. */

static void
free_plan(hesca_bcast_plan *p)
{
    if (p == NULL)
        return;
    hesca_broadcast_clear(&p->tree);
    free(p->dest);
    free(p->child);
    free(p);
}

static void
free_plans(hesca_comm *c)
{
    while (c->bcasts != NULL) {
        hesca_bcast_plan *p = c->bcasts;
        c->bcasts = p->next;
        free_plan(p);
    }
}

/* Find the plan of such a call, which becomes the first; NULL: none. */
static hesca_bcast_plan *
find(hesca_comm *c, const call *x)
{
    for (hesca_bcast_plan **link = &c->bcasts; *link != NULL;
         link = &(*link)->next) {
        hesca_bcast_plan *p = *link;
        if (p->bytes != x->bytes || p->root != x->root ||
            p->to_all != x->to_all ||
            (!p->to_all &&
             (p->ndest != x->ndest ||
              (x->ndest > 0 &&
               memcmp(p->dest, x->dest, (size_t)x->ndest * sizeof *x->dest) !=
                   0))))
            continue;
        *link = p->next;
        p->next = c->bcasts;
        return c->bcasts = p;
    }
    return NULL;
}

static void
add_to_cache(hesca_comm *c, hesca_bcast_plan *p)
{
    int n = 1;
    p->next = c->bcasts;
    c->bcasts = p;
    c->drop[HESCA_STATE_BCAST] = free_plans;
    while (p->next != NULL && n < CACHED) {
        p = p->next;
        ++n;
    }
    free_plan(p->next);
    p->next = NULL;
}

/* The least cost of a link, whatever the machine file says: the algorithms
 * require costs > 0. */
static const double LEAST = 1e-12;

/* Describe the message and its links; *link, to be freed, holds the links if
 * they differ. */
static int
describe(const hesca_comm *c, const hesca_bcast_plan *p,
         hesca_pipeline_problem *m, double **link)
{
    const hesca_link_costs o = hesca_comm_link_costs(c, 1);
    const size_t n = (size_t)c->size * (size_t)c->size;
    *link = NULL;
    *m = (hesca_pipeline_problem){
        .nproc = c->size,
        .equal = {fmax(o.costs.startup, LEAST), 1 / fmax(o.costs.byte, LEAST)},
        .bytes = (double)p->bytes,
        .root = p->root,
        .ndest = p->ndest,
        .dest = p->to_all ? NULL : p->dest,
        /* A process that forwards needs memory for the message. */
        .relays = (uint64_t)p->bytes <= c->params.buffer};
    if (o.network == NULL)
        return HESCA_SUCCESS;
    *link = malloc(2 * n * sizeof **link);
    if (*link == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "links of %d processes",
                          c->size);
    for (size_t k = 0; k < n; ++k) {
        const hesca_wire w = hesca_network_wire(
            o.network, (int)(k / (size_t)c->size), (int)(k % (size_t)c->size));
        (*link)[k] = fmax(w.startup, LEAST);
        (*link)[n + k] = w.rate;
    }
    m->startup = *link;
    m->rate = *link + n;
    return HESCA_SUCCESS;
}

static int
most_pieces(int64_t bytes)
{
    return (int)hesca_clamp(bytes / PIECE_LEAST, 1, PIECES_MOST);
}

/* The tree of the algorithm that the user names, with the best number of
 * segments. */
static int
plan_named(const hesca_broadcast_algorithm *algorithm,
           const hesca_pipeline_problem *m, hesca_pipeline *p)
{
    const size_t n = (size_t)m->nproc;
    double *cost = malloc(n * n * sizeof *cost);
    int err = HESCA_SUCCESS;
    if (cost == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "costs of %d processes",
                          m->nproc);
    hesca_pipeline_cost(m, 1, cost);
    const hesca_broadcast_problem problem = {.nproc = m->nproc,
                                             .cost = cost,
                                             .root = m->root,
                                             .ndest = m->ndest,
                                             .dest = m->dest,
                                             .relays = m->relays &&
                                                       algorithm->relays};
    HESCA_TRY(err, hesca_broadcast_find(algorithm, &problem, &p->tree));
    p->algorithm = algorithm->name;
    HESCA_TRY(err,
              hesca_pipeline_tune(m, &p->tree, most_pieces((int64_t)m->bytes),
                                  &p->segments, &p->seconds));
fail:
    free(cost);
    return err;
}

static int
is_wanted(const hesca_pipeline_problem *m, int rank)
{
    if (m->dest == NULL)
        return rank != m->root;
    for (int k = 0; k < m->ndest; ++k)
        if (m->dest[k] == rank)
            return 1;
    return 0;
}

/* Lower bound: all bytes reach a process over one link, at best its
 * fastest. */
static double
bound(const hesca_pipeline_problem *m)
{
    double most = m->equal.startup + m->bytes / m->equal.rate;
    if (m->startup == NULL)
        return most;
    most = 0;
    for (int j = 0; j < m->nproc; ++j) {
        double least = INFINITY;
        for (int i = 0; i < m->nproc; ++i) {
            const size_t k = (size_t)i * (size_t)m->nproc + (size_t)j;
            if (i != j)
                least = fmin(least, m->startup[k] + m->bytes / m->rate[k]);
        }
        if (is_wanted(m, j))
            most = fmax(most, least);
    }
    return most;
}

/* Find this process's parent and children in the tree. */
static int
find_part(hesca_bcast_plan *p, const hesca_pipeline_problem *m,
          const hesca_link_costs *links, int rank, int segments)
{
    int n = 0;
    p->part.parent = -1;
    for (int k = 0; k < p->tree.n; ++k) {
        const hesca_send *s = &p->tree.send[k];
        n += s->src == rank;
        if (s->dest == rank) {
            p->part.parent = s->src;
            p->part.parent_piece = hesca_transfer_piece(links, s->src, rank);
        }
        p->relays |= !is_wanted(m, s->dest);
    }
    p->child = malloc(((size_t)n + 1) * sizeof *p->child);
    if (p->child == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", n);
    for (int k = 0; k < p->tree.n; ++k)
        if (p->tree.send[k].src == rank)
            p->child[p->part.nchildren++] = (hesca_child){
                p->tree.send[k].dest,
                hesca_transfer_piece(links, rank, p->tree.send[k].dest)};
    p->part.child = p->child;
    p->part.bytes = p->bytes;
    p->part.piece = (p->bytes + segments - 1) / segments;
    return HESCA_SUCCESS;
}

static int
find_tree(const hesca_comm *c, hesca_bcast_plan *p)
{
    const hesca_link_costs links = hesca_comm_link_costs(c, 1);
    const int named = strcmp(c->params.bcast, "auto") != 0;
    double *link = NULL;
    hesca_pipeline best = {.segments = 1};
    hesca_pipeline_problem m;
    int err;
    HESCA_TRY(err, describe(c, p, &m, &link));
    HESCA_TRY(err,
              named
                  ? plan_named(hesca_broadcast_algorithm_find(c->params.bcast),
                               &m, &best)
                  : hesca_pipeline_init(&m, most_pieces(p->bytes), &best));
    p->tree = best.tree;
    best.tree = (hesca_broadcast){.n = 0};
    HESCA_TRY(err, find_part(p, &m, &links, c->rank, best.segments));
    p->info = (hesca_coll_info){.segments = best.segments,
                                .bound_seconds = bound(&m),
                                .predicted_seconds = best.seconds};
    strcpy(p->info.schedule, best.algorithm);
fail:
    hesca_pipeline_clear(&best);
    free(link);
    return err;
}

static int
make_plan(const hesca_comm *c, const call *x, hesca_bcast_plan **plan)
{
    hesca_bcast_plan *p = calloc(1, sizeof *p);
    int err = HESCA_SUCCESS;
    *plan = NULL;
    if (p == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "plan of a broadcast");
    p->bytes = x->bytes;
    p->root = x->root;
    p->to_all = x->to_all;
    p->ndest = x->ndest;
    p->dest = malloc(((size_t)p->ndest + 1) * sizeof *p->dest);
    if (p->dest == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "%d destinations", p->ndest));
    if (p->ndest > 0)
        memcpy(p->dest, x->dest, (size_t)p->ndest * sizeof *p->dest);
    HESCA_TRY(err, find_tree(c, p));
    *plan = p;
    return HESCA_SUCCESS;
fail:
    free_plan(p);
    return err;
}

static int
get_plan(hesca_comm *c, const call *x, hesca_bcast_plan **plan)
{
    int err = HESCA_SUCCESS;
    *plan = find(c, x);
    if (*plan != NULL)
        return HESCA_SUCCESS;
    err = make_plan(c, x, plan);
    if ((err = hesca_agree(c, err, 0, NULL)) < 0) {
        free_plan(*plan);
        *plan = NULL;
        return err;
    }
    add_to_cache(c, *plan);
    return HESCA_SUCCESS;
}

/* --- the call ---
 * Processes outside of root and dest take part if they forward. */

/* The predicted times of all sends of all pieces, for a trace. */
static int
predict(const hesca_comm *c, const hesca_bcast_plan *p, hesca_trace *trace)
{
    const int pieces = p->info.segments;
    const int64_t nsends = (int64_t)p->tree.n * pieces;
    hesca_send *send = malloc(((size_t)nsends + 1) * sizeof *send);
    hesca_trace_row row = {.kind = HESCA_TRACE_PREDICTED};
    double *link = NULL, seconds;
    hesca_pipeline_problem m;
    int err = HESCA_SUCCESS;
    if (send == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld sends", (long long)nsends);
    HESCA_TRY(err, describe(c, p, &m, &link));
    HESCA_TRY(err, hesca_pipeline_list(&m, &p->tree, pieces, send, &seconds));
    strcpy(row.schedule, p->info.schedule);
    row.bytes = m.bytes / pieces;
    for (int64_t k = 0; k < nsends; ++k) {
        row.src = send[k].src;
        row.dest = send[k].dest;
        row.start = send[k].start;
        row.end = send[k].end;
        HESCA_TRY(err, hesca_trace_add(trace, &row));
    }
fail:
    free(send);
    free(link);
    return err;
}

/* Address of the message on this process; NULL: there is no memory to forward
 * it. */
static char *
place_of(hesca_comm *c, const hesca_bcast_plan *p, const call *x)
{
    int forwards = c->rank != x->root && !p->to_all;
    for (int k = 0; k < p->ndest; ++k)
        forwards &= p->dest[k] != c->rank;
    if (forwards && p->part.parent >= 0)
        return hesca_staging_get(c, HESCA_STAGING_MESSAGES, (size_t)p->bytes);
    return x->buffer;
}

static int
carry_out(hesca_comm *c, const hesca_bcast_plan *p, const call *x)
{
    const int traced = c->params.trace[0] != '\0';
    hesca_pipelined_bcast part = p->part;
    hesca_record *record = NULL;
    hesca_trace trace = {.n = 0};
    int err = HESCA_SUCCESS;
    part.at = place_of(c, p, x);
    if (part.at == NULL && (part.parent >= 0 || part.nchildren > 0))
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "%lld bytes to forward",
                         (long long)p->bytes);
    if (traced && c->rank == 0 && err == HESCA_SUCCESS)
        err = predict(c, p, &trace);
    if (p->relays || traced)
        HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err, hesca_record_begin(c, HESCA_SUCCESS, &record));
    HESCA_TRY(err, hesca_pipelined_bcast_run(c, &part, record));
    err = hesca_record_end(record, p->info.schedule, &trace);
    record = NULL;
fail:
    hesca_record_drop(record);
    hesca_trace_clear(&trace);
    hesca_staging_release(c);
    return err;
}

static int
problem(const call *x, MPI_Comm comm, hesca_coll_info *info)
{
    hesca_comm *c;
    hesca_bcast_plan *p = NULL;
    int err;
    hesca_caller_enter(x->routine);
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    HESCA_TRY(err, agree(c, x));
    const int nothing =
        x->bytes == 0 || c->size == 1 || (!x->to_all && x->ndest == 0);
    if (!nothing) {
        HESCA_TRY(err, get_plan(c, x, &p));
        HESCA_TRY(err, carry_out(c, p, x));
    }
    if (info != NULL)
        *info = nothing ? (hesca_coll_info){.schedule = "none"} : p->info;
fail:
    return err;
}

int
hesca_bcast(void *buffer, int64_t bytes, int root, MPI_Comm comm,
            hesca_coll_info *info)
{
    const call x = {"hesca_bcast", buffer, bytes, root, 1, 0, NULL};
    return problem(&x, comm, info);
}

int
hesca_multicast(void *buffer, int64_t bytes, int root, int ndest,
                const int *dest, MPI_Comm comm, hesca_coll_info *info)
{
    const call x = {"hesca_multicast", buffer, bytes, root, 0, ndest, dest};
    return problem(&x, comm, info);
}

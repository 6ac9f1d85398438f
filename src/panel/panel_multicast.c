/* SPDX-License-Identifier: BSD-3-Clause */
/* Panel multicast.
 *
 * Both ends of a message know its size from the layouts, so only elements are
 * sent. The messages of a pair have one tag and are begun in the order of
 * panels at both ends, so MPI matches them in order. Receives are posted into
 * a staging buffer when a panel is begun, and unpacked when they complete. A
 * message is packed once for all processes that receive the same data. */
#include "base/arith.h"
#include "base/status.h"
#include "exec/staging.h"
#include "panel/panel_multicast_job.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- messages ---
 * Positions are those of the whole matrix, so both ends compute the same
 * chunks. */

static hesca_message
message(const hesca_panel_mcast *s, const hesca_lane_pair *across,
        const hesca_lane_pair *along, hesca_motion motion)
{
    const int cols = s->what.along == HESCA_COLS;
    const hesca_lane_pair *r = cols ? across : along;
    const hesca_lane_pair *c = cols ? along : across;
    return (hesca_message){.problem = &s->problem,
                           .rows = &r->overlap,
                           .cols = &c->overlap,
                           .runs = &r->runs,
                           .motion = motion};
}

/* Slices k0 ... k1 - 1 of the indices f0 ... f1 - 1 across, by position. */
static hesca_chunk
chunk(const hesca_panel_mcast *s, const hesca_lane_pair *across,
      const hesca_lane_pair *along, hesca_slab x)
{
    const int64_t f = hesca_overlap_below(&across->overlap, x.f0);
    const int64_t f1 = hesca_overlap_below(&across->overlap, x.f1);
    const int64_t k = hesca_overlap_below(&along->overlap, x.k0);
    const int64_t k1 = hesca_overlap_below(&along->overlap, x.k1);
    return s->what.along == HESCA_COLS ? (hesca_chunk){k, k1, f, f1}
                                       : (hesca_chunk){f, f1, k, k1};
}

static int64_t
elements(hesca_chunk x)
{
    return (x.c1 - x.c0) * (x.r1 - x.r0);
}

int64_t
hesca_mcast_elements(const hesca_panel_mcast *s, const hesca_lane_pair *across,
                     const hesca_lane_pair *along, hesca_slab slab)
{
    return elements(chunk(s, across, along, slab));
}

/* The address that index 0 across of slice 0 would have: messages refer to
 * indices of the whole matrix. */
static char *
origin(const hesca_panel_mcast *s, const hesca_mcast_incoming *x)
{
    const hesca_share to = s->lists.mine;
    const int64_t k0 = x->slab.k0;
    const int64_t before =
        hesca_axis_count(to.axis, to.owner, to.origin + x->slab.f0);
    const int64_t skip = s->what.along == HESCA_COLS ? before + k0 * x->ldp
                                                     : k0 + before * x->ldp;
    return (char *)((uintptr_t)x->panel - (uintptr_t)skip * s->what.esize);
}

static int
npieces(int64_t bytes, int64_t piece)
{
    return (int)((bytes + piece - 1) / piece);
}

/* --- creating and freeing ---
 * Sizes are upper bounds over all panels; nothing is allocated later. */

/* The longest message of a lane. */
static int64_t
longest(const hesca_panel_mcast *s, const hesca_lane_pair *across)
{
    return across->overlap.total * s->what.width * (int64_t)s->what.esize;
}

static int64_t
in_requests(const hesca_panel_mcast *s)
{
    const hesca_panel_mcast_lists *x = &s->lists;
    int64_t n = 0;
    if (s->what.shared != NULL)
        return 0;
    for (int k = 0; k < x->npeers; ++k)
        n += npieces(longest(s, &x->in_across.pair[x->peer[k].across]),
                     x->peer[k].piece);
    return n;
}

static int64_t
dest_requests(const hesca_panel_mcast_dests *to, int64_t bytes)
{
    int64_t n = 0;
    for (int k = 0; k < to->n; ++k)
        n += npieces(bytes, to->piece[k]);
    return n;
}

static int64_t
out_requests(const hesca_panel_mcast *s)
{
    const hesca_panel_mcast_lists *x = &s->lists;
    int64_t n = 0;
    if (s->what.shared != NULL)
        return 0;
    for (int g = 0; g < x->ngroups; ++g)
        n +=
            dest_requests(&x->group[g].to,
                          longest(s, &x->out_across.pair[x->group[g].across]));
    return n;
}

static int64_t
forward_requests(const hesca_panel_mcast *s)
{
    const hesca_panel_mcast_lists *x = &s->lists;
    int64_t n = 0;
    for (int k = 0; k < x->npeers; ++k)
        n += dest_requests(&x->peer[k].to,
                           longest(s, &x->in_across.pair[x->peer[k].across]));
    return n;
}

static int64_t
in_bytes(const hesca_panel_mcast *s)
{
    const hesca_panel_mcast_lists *x = &s->lists;
    return x->receives && s->what.shared == NULL
               ? x->count * s->what.width * (int64_t)s->what.esize
               : 0;
}

static int64_t
out_bytes(const hesca_panel_mcast *s)
{
    const hesca_panel_mcast_lists *x = &s->lists;
    int64_t n = 0;
    for (int g = 0; g < x->ngroups && s->what.shared == NULL; ++g)
        n += longest(s, &x->out_across.pair[x->group[g].across]);
    return n;
}

/* Allocate n + 1 elements; NULL on overflow. */
static void *
get(int64_t n, size_t size)
{
    size_t bytes;
    if (n < 0 || __builtin_mul_overflow((size_t)n + 1, size, &bytes))
        return NULL;
    return malloc(bytes);
}

static void *
get_block(int64_t bytes)
{
    return bytes < 0 ? NULL : hesca_staging_block((size_t)bytes + 1);
}

static int
allocate(hesca_panel_mcast *s)
{
    const int64_t in = in_requests(s), out = out_requests(s);
    const int64_t forwards = forward_requests(s);
    int ok = 1;
    s->nincoming = s->depth + s->lists.relays;
    s->incoming = calloc((size_t)s->nincoming, sizeof *s->incoming);
    s->outgoing = calloc((size_t)s->depth + 1, sizeof *s->outgoing);
    s->finished = get(in, sizeof *s->finished);
    s->status = get(in, sizeof *s->status);
    ok = s->incoming != NULL && s->outgoing != NULL && s->finished != NULL &&
         s->status != NULL;
    for (int k = 0; ok && k < s->nincoming; ++k) {
        hesca_mcast_incoming *x = &s->incoming[k];
        x->memory = get_block(in_bytes(s));
        x->arrival = get(s->lists.npeers, sizeof *x->arrival);
        x->request = get(in, sizeof(MPI_Request));
        x->forwarded.request = get(forwards, sizeof(MPI_Request));
        ok = x->memory != NULL && x->arrival != NULL && x->request != NULL &&
             x->forwarded.request != NULL;
    }
    for (int k = 0; ok && k < s->depth + 1; ++k) {
        hesca_mcast_outgoing *x = &s->outgoing[k];
        x->memory = get_block(out_bytes(s));
        x->request = get(out, sizeof(MPI_Request));
        ok = x->memory != NULL && x->request != NULL;
    }
    if (ok)
        return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_NOMEM, 0,
                      "%d panels of %lld slices on their way", s->depth,
                      (long long)s->what.width);
}

int64_t
hesca_panel_mcast_bytes(const hesca_comm *c,
                        const hesca_panel_mcast_spec *what, int depth)
{
    int64_t in, out;
    hesca_panel_mcast_room(c, what, &in, &out);
    const int more = what->forwards != 0;
    return ((depth + more) * in + (depth + 1) * out) * (int64_t)what->esize;
}

/* Whether MPI has a tag for every source. */
static int
has_tags(const hesca_comm *c, const hesca_panel_mcast_spec *what, int tag)
{
    const int64_t sources = (int64_t)what->source->nprow * what->source->npcol;
    int *most, found;
    PMPI_Comm_get_attr(c->mpi, MPI_TAG_UB, &most, &found);
    return found && tag + HESCA_TAG_STRIDE * sources <= *most;
}

int
hesca_panel_mcast_create(const hesca_comm *c,
                         const hesca_panel_mcast_spec *what, int tag,
                         int depth, hesca_panel_mcast **result)
{
    hesca_panel_mcast *s = calloc(1, sizeof *s);
    int err = HESCA_SUCCESS;
    *result = NULL;
    if (s == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "panel multicast");
    s->c = c;
    s->what = *what;
    if (s->what.width <= 0 || s->what.width > what->k)
        s->what.width = what->k;
    if (what->shared != NULL)
        s->what.need = 0; /* so that all owners write their parts */
    s->what.forwards =
        what->forwards && what->shared == NULL && has_tags(c, what, tag);
    s->depth = depth;
    const int cols = what->along == HESCA_COLS;
    s->problem = (hesca_problem){.part = HESCA_ALL,
                                 .m = cols ? what->extent : what->k,
                                 .n = cols ? what->k : what->extent,
                                 .esize = what->esize};
    HESCA_TRY(err, hesca_panel_mcast_lists_init(&s->lists, c, &s->what, tag));
    HESCA_TRY(err, allocate(s));
    *result = s;
    return HESCA_SUCCESS;
fail:
    hesca_panel_mcast_free(s);
    return err;
}

void
hesca_panel_mcast_free(hesca_panel_mcast *s)
{
    if (s == NULL)
        return;
    hesca_panel_mcast_lists_clear(&s->lists);
    for (int k = 0; s->incoming != NULL && k < s->nincoming; ++k) {
        hesca_staging_unblock(s->incoming[k].memory);
        free(s->incoming[k].arrival);
        free(s->incoming[k].request);
        free(s->incoming[k].forwarded.request);
    }
    for (int k = 0; s->outgoing != NULL && k < s->depth + 1; ++k) {
        hesca_staging_unblock(s->outgoing[k].memory);
        free(s->outgoing[k].request);
    }
    free(s->incoming);
    free(s->outgoing);
    free(s->finished);
    free(s->status);
    free(s);
}

int64_t
hesca_panel_mcast_count(const hesca_panel_mcast *s, int64_t f0)
{
    const hesca_share to = s->lists.mine;
    if (s->lists.count == 0)
        return 0;
    return s->lists.count -
           hesca_axis_count(to.axis, to.owner, to.origin + f0) +
           hesca_axis_count(to.axis, to.owner, to.origin);
}

/* Send the same bytes to all destinations: of a message at `at` the pieces
 * that end in bytes begin + 1 ... end. */
static int
send_to(const hesca_panel_mcast *s, hesca_mcast_outgoing *x, const char *at,
        int64_t bytes, int64_t begin, int64_t end,
        const hesca_panel_mcast_dests *to, int tag)
{
    int err = HESCA_SUCCESS;
    for (int h = 0; h < to->n && begin < end; ++h)
        for (int64_t k = begin / to->piece[h] * to->piece[h];
             k < bytes && hesca_min(k + to->piece[h], bytes) <= end;
             k += to->piece[h]) {
            const int n = (int)hesca_min(to->piece[h], bytes - k);
            hesca_comm_sent(s->c, to->rank[h], n);
            HESCA_MPI(err, Isend, at + k, n, MPI_BYTE, to->rank[h], tag,
                      s->c->mpi, &x->request[x->nrequests]);
            ++x->nrequests;
        }
fail:
    return err;
}

/* --- receiving ---
 * Pieces are forwarded as they arrive, so that a panel is at the end of a long
 * line hardly later than at its beginning.  A message is unpacked when all of
 * its pieces have arrived and have been forwarded. */

static int
post_arrival(const hesca_panel_mcast *s, hesca_mcast_incoming *x,
             const hesca_mcast_arrival *a)
{
    int err = HESCA_SUCCESS;
    for (int64_t at = 0; at < a->bytes; at += a->peer->piece) {
        const int n = (int)hesca_min(a->peer->piece, a->bytes - at);
        HESCA_MPI(err, Irecv, a->at + at, n, MPI_BYTE, a->peer->rank,
                  a->peer->tag, s->c->mpi, &x->request[x->nrequests]);
        ++x->nrequests;
    }
fail:
    return err;
}

static int
post_arrivals(hesca_panel_mcast *s, hesca_mcast_incoming *x)
{
    const hesca_panel_mcast_lists *l = &s->lists;
    char *at = x->memory;
    int err = HESCA_SUCCESS;
    x->narrivals = x->missing = x->nrequests = 0;
    for (int k = 0; k < l->npeers; ++k) {
        const hesca_panel_mcast_peer *p = &l->peer[k];
        hesca_mcast_arrival *a = &x->arrival[x->narrivals];
        const hesca_chunk t = chunk(s, &l->in_across.pair[p->across],
                                    &l->in_along.pair[p->along], x->slab);
        const int64_t bytes = elements(t) * (int64_t)s->what.esize;
        if (bytes == 0)
            continue;
        *a = (hesca_mcast_arrival){.peer = p,
                                   .chunk = t,
                                   .at = at,
                                   .bytes = bytes,
                                   .first = x->nrequests};
        at += bytes;
        ++x->narrivals;
        HESCA_TRY(err, post_arrival(s, x, a));
    }
    x->missing = x->narrivals;
fail:
    return err;
}

static void
unpack(const hesca_panel_mcast *s, const hesca_mcast_incoming *x,
       const hesca_mcast_arrival *a)
{
    const hesca_panel_mcast_lists *l = &s->lists;
    const hesca_message msg =
        message(s, &l->in_across.pair[a->peer->across],
                &l->in_along.pair[a->peer->along], HESCA_UNPACK);
    hesca_chunk_move(&msg, a->chunk, a->at, 0, origin(s, x), x->ldp);
}

static void
copy_local(const hesca_panel_mcast *s, const hesca_mcast_incoming *x,
           const void *local, int64_t lld)
{
    const hesca_lane_pair *across = s->lists.own_across.pair;
    const hesca_lane_pair *along = s->lists.own_along.pair;
    const hesca_chunk t = chunk(s, across, along, x->slab);
    const hesca_message msg = message(s, across, along, HESCA_COPY);
    if (elements(t) > 0)
        hesca_chunk_move(&msg, t, local, lld, origin(s, x), x->ldp);
}

/* Whether a message of the same source in an earlier panel has not been
 * forwarded: MPI matches the messages of a source in the order of panels. */
static int
is_behind(const hesca_panel_mcast *s, int64_t t, const hesca_mcast_arrival *a)
{
    for (int64_t u = s->ready; u < t; ++u) {
        const hesca_mcast_incoming *x = &s->incoming[u % s->nincoming];
        for (int k = 0; k < x->narrivals; ++k)
            if (x->arrival[k].peer == a->peer &&
                x->arrival[k].passed < x->arrival[k].bytes)
                return 1;
    }
    return 0;
}

/* Forward what has arrived of a message of panel t, from its beginning on. */
static int
forward(const hesca_panel_mcast *s, int64_t t, hesca_mcast_incoming *x,
        hesca_mcast_arrival *a)
{
    const int64_t begin = a->passed;
    int err;
    if (a->peer->to.n > 0 && is_behind(s, t, a))
        return HESCA_SUCCESS;
    for (int64_t k = begin / a->peer->piece;
         a->passed < a->bytes && x->request[a->first + k] == MPI_REQUEST_NULL;
         ++k)
        a->passed = hesca_min((k + 1) * a->peer->piece, a->bytes);
    HESCA_TRY(err, send_to(s, &x->forwarded, a->at, a->bytes, begin, a->passed,
                           &a->peer->to, a->peer->tag));
    if (a->passed == a->bytes) {
        unpack(s, x, a);
        --x->missing;
    }
fail:
    return err;
}

/* Test the messages of panel t. One call for all of them, because each call
 * lets MPI poll, which takes time. */
static int
test_incoming(hesca_panel_mcast *s, int64_t t)
{
    hesca_mcast_incoming *x = &s->incoming[t % s->nincoming];
    int n = 0, err = HESCA_SUCCESS;
    if (x->missing == 0)
        return HESCA_SUCCESS;
    HESCA_MPI(err, Testsome, x->nrequests, x->request, &n, s->finished,
              s->status);
    for (int k = 0; k < x->narrivals; ++k)
        if (x->arrival[k].passed < x->arrival[k].bytes)
            HESCA_TRY(err, forward(s, t, x, &x->arrival[k]));
fail:
    return err;
}

/* --- sending ---
 * Outgoing buffers are reused only when all of their sends are complete. */

static int
test_outgoing(hesca_mcast_outgoing *x)
{
    int err = HESCA_SUCCESS;
    for (int flag = 1; flag && x->done < x->nrequests; x->done += flag)
        HESCA_MPI(err, Test, &x->request[x->done], &flag, MPI_STATUS_IGNORE);
fail:
    return err;
}

/* Wait until own sends are complete. */
static int
finish_outgoing(hesca_panel_mcast *s, hesca_mcast_outgoing *x)
{
    hesca_backoff wait = hesca_comm_backoff(s->c);
    int err = HESCA_SUCCESS;
    HESCA_TRY(err, test_outgoing(x));
    while (x->done < x->nrequests) {
        hesca_comm_pause(s->c, &wait, "its panels to be received");
        HESCA_TRY(err, hesca_panel_mcast_advance(s, NULL));
        HESCA_TRY(err, test_outgoing(x));
    }
    x->nrequests = x->done = 0;
fail:
    return err;
}

static int
send(hesca_panel_mcast *s, hesca_mcast_outgoing *x, hesca_slab slab,
     const void *local, int64_t lld)
{
    const hesca_lane_pair *along = s->lists.out_along.pair;
    char *at = x->memory;
    int err = HESCA_SUCCESS;
    for (int g = 0; g < s->lists.ngroups; ++g) {
        const hesca_panel_mcast_group *group = &s->lists.group[g];
        const hesca_lane_pair *across =
            &s->lists.out_across.pair[group->across];
        const hesca_chunk t = chunk(s, across, along, slab);
        const int64_t bytes = elements(t) * (int64_t)s->what.esize;
        const hesca_message msg = message(s, across, along, HESCA_PACK);
        if (bytes == 0)
            continue;
        hesca_chunk_move(&msg, t, local, lld, at, 0);
        HESCA_TRY(err,
                  send_to(s, x, at, bytes, 0, bytes, &group->to, group->tag));
        at += bytes;
    }
fail:
    return err;
}

/* --- the panels ---
 * waited <= ready <= begun <= waited + depth. */

int
hesca_panel_mcast_begin(hesca_panel_mcast *s, int64_t k0, int64_t k1,
                        int64_t f0, const void *local, int64_t lld,
                        void *panel, int64_t ldp)
{
    const hesca_slab slab = {k0, k1, f0, s->what.extent};
    return hesca_panel_mcast_begin_slab(s, slab, local, lld, panel, ldp);
}

int
hesca_panel_mcast_begin_slab(hesca_panel_mcast *s, hesca_slab slab,
                             const void *local, int64_t lld, void *panel,
                             int64_t ldp)
{
    hesca_mcast_incoming *in = &s->incoming[s->begun % s->nincoming];
    hesca_mcast_outgoing *out = &s->outgoing[s->begun % (s->depth + 1)];
    int err = HESCA_SUCCESS;
    assert(0 <= slab.k0 && slab.k0 <= slab.k1 && slab.k1 <= s->what.k);
    assert(slab.k1 - slab.k0 <= s->what.width);
    assert(0 <= slab.f0 && slab.f0 <= slab.f1 && slab.f1 <= s->what.extent);
    assert(s->begun - s->waited < s->depth);
    HESCA_TRY(err, finish_outgoing(s, &in->forwarded));
    in->slab = slab;
    in->panel = panel;
    in->ldp = ldp;
    in->missing = 0;
    if (s->what.shared != NULL) {
        hesca_mcast_expect_shared(s, in);
        if (s->lists.keeps)
            copy_local(s, in, local, lld);
        hesca_mcast_publish(s);
        ++s->begun;
        return err;
    }
    if (s->lists.receives)
        HESCA_TRY(err, post_arrivals(s, in));
    if (s->lists.sends) {
        HESCA_TRY(err, finish_outgoing(s, out));
        HESCA_TRY(err, send(s, out, slab, local, lld));
    }
    if (s->lists.keeps)
        copy_local(s, in, local, lld);
    ++s->begun;
fail:
    return err;
}

/* Whether all of it has been sent. */
static int
test_all(hesca_mcast_outgoing *x, int *over)
{
    const int err = test_outgoing(x);
    *over = x->done == x->nrequests;
    return err;
}

/* Test the oldest incomplete panel and the oldest outgoing one; MPI makes
 * progress with the others meanwhile, unless they are to be forwarded. */
int
hesca_panel_mcast_advance(hesca_panel_mcast *s, int64_t *ready)
{
    int err = HESCA_SUCCESS;
    for (int64_t t = s->ready; t < s->begun; ++t) {
        hesca_mcast_incoming *x = &s->incoming[t % s->nincoming];
        if (s->what.shared != NULL)
            hesca_mcast_test_shared(s, x);
        else
            HESCA_TRY(err, test_incoming(s, t));
        if (x->missing == 0 && s->ready == t)
            ++s->ready;
        else if (!s->lists.relays)
            break;
    }
    for (int k = 0, over = 1; over && k < s->depth + 1; ++k)
        HESCA_TRY(err, test_all(&s->outgoing[(s->begun + k) % (s->depth + 1)],
                                &over));
    for (int k = 0, over = 1; over && k < s->nincoming; ++k)
        HESCA_TRY(
            err,
            test_all(&s->incoming[(s->begun + k) % s->nincoming].forwarded,
                     &over));
fail:
    if (ready != NULL)
        *ready = s->ready;
    return err;
}

/* Describe the message that the oldest panel waits for. */
static void
awaited(const hesca_panel_mcast *s, char *text, size_t size)
{
    const hesca_mcast_incoming *x = &s->incoming[s->waited % s->nincoming];
    int rank = -1;
    for (int k = 0; k < x->narrivals && rank < 0; ++k)
        if (x->arrival[k].passed < x->arrival[k].bytes)
            rank = x->arrival[k].peer->rank;
    snprintf(text, size, "panel %lld from rank %d", (long long)s->waited,
             rank);
}

/* Advance all; *late is a multicast the awaited panel of which is incomplete,
 * or NULL. */
static int
advance_all(int n, hesca_panel_mcast *const *s, const hesca_panel_mcast **late)
{
    int err = HESCA_SUCCESS;
    *late = NULL;
    for (int k = 0; k < n; ++k) {
        HESCA_TRY(err, hesca_panel_mcast_advance(s[k], NULL));
        if (s[k]->ready <= s[k]->waited)
            *late = s[k];
    }
fail:
    return err;
}

int
hesca_panel_mcast_wait_all(int n, hesca_panel_mcast *const *s)
{
    const hesca_comm *c = s[0]->c;
    const hesca_panel_mcast *late;
    hesca_backoff wait = hesca_comm_backoff(c);
    char text[64] = "";
    int err = HESCA_SUCCESS;
    HESCA_TRY(err, advance_all(n, s, &late));
    while (late != NULL) {
        if (c->params.timeout > 0)
            awaited(late, text, sizeof text);
        hesca_comm_pause(c, &wait, text);
        HESCA_TRY(err, advance_all(n, s, &late));
    }
    for (int k = 0; k < n; ++k) {
        assert(s[k]->waited < s[k]->begun);
        ++s[k]->waited;
    }
fail:
    return err;
}

int
hesca_panel_mcast_wait(hesca_panel_mcast *s)
{
    return hesca_panel_mcast_wait_all(1, &s);
}

int
hesca_panel_mcast_end(hesca_panel_mcast *s)
{
    int err = HESCA_SUCCESS;
    while (s->waited < s->begun)
        HESCA_TRY(err, hesca_panel_mcast_wait(s));
    for (int k = 0; k < s->depth + 1; ++k)
        HESCA_TRY(err, finish_outgoing(s, &s->outgoing[k]));
    for (int k = 0; k < s->nincoming; ++k)
        HESCA_TRY(err, finish_outgoing(s, &s->incoming[k].forwarded));
fail:
    return err;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "panel/panel_transpose.h"
#include "base/activity.h"
#include "base/arith.h"
#include "base/status.h"
#include "exec/staging.h"
#include "exec/transfer.h"
#include <stdlib.h>
#include <string.h>

/* One panel in flight. */
typedef struct {
    int64_t width, f0, f1;
    char *want;
    int64_t ldw;
    char *in, *out; /* messages, one after the other */
    MPI_Request *receive, *send;
    int64_t nreceive, nsend; /* requests that were posted */
    int64_t received, sent;  /* and those that are complete */
    int from;                /* members with unpacked messages */
    int64_t piece;           /* completed requests of that member */
    int is_sent;             /* all sends were posted */
    hesca_panel_transpose_source *source; /* [n] if shared */
} slot;

/* The processes of a line (a process column or row) exchange slices. */
struct hesca_panel_transpose {
    const hesca_comm *comm;
    hesca_panel_transpose_spec what;
    int tag, depth;
    int n, me;   /* members of the line; n = 0: not in the grid */
    int *rank;   /* [n] */
    int uniform; /* all members want the same slices of this process */
    hesca_share has, wants;
    hesca_overlap
        *out; /* [n] own slices that a member wants; if uniform, only out[0] */
    hesca_overlap *in; /* [n] a member's slices that this process wants */
    int64_t piece;     /* most bytes of an MPI message */
    slot *slot;        /* [depth] */
    int64_t begun, posted, ready;
};

/* --- creating ---
 * in and out depend on the layout only; sizes are bounds over all panels. */

static const hesca_axis *
axis(const hesca_layout *x, hesca_dim dim, int prow, int pcol)
{
    return dim == HESCA_ROWS ? hesca_layout_row_axis(x, pcol)
                             : hesca_layout_col_axis(x, prow);
}

/* The indices that a process has or wants: its rows or its columns. */
static hesca_share
share(const hesca_panel_transpose_spec *w, hesca_dim dim, int prow, int pcol)
{
    return (hesca_share){.axis = axis(w->layout, dim, prow, pcol),
                         .owner = dim == HESCA_ROWS ? prow : pcol,
                         .origin = dim == HESCA_ROWS ? w->i : w->j};
}

static hesca_dim
other(hesca_dim dim)
{
    return dim == HESCA_ROWS ? HESCA_COLS : HESCA_ROWS;
}

static int
make_overlaps(hesca_panel_transpose *t, int prow, int pcol)
{
    const hesca_panel_transpose_spec *w = &t->what;
    const int by_rows = w->has == HESCA_ROWS;
    int err = HESCA_SUCCESS;
    t->has = share(w, w->has, prow, pcol);
    t->wants = share(w, other(w->has), prow, pcol);
    t->uniform = 1;
    for (int k = 0; k < t->n; ++k) {
        const int p = by_rows ? k : prow, q = by_rows ? pcol : k;
        t->rank[k] = w->layout->ranks[p * w->layout->npcol + q];
        t->uniform &= share(w, other(w->has), p, q).axis == t->wants.axis;
    }
    for (int k = 0; k < t->n; ++k) {
        const int p = by_rows ? k : prow, q = by_rows ? pcol : k;
        if (k == 0 || !t->uniform)
            HESCA_TRY(err, hesca_overlap_init(&t->out[k], t->has,
                                              share(w, other(w->has), p, q),
                                              w->extent));
        HESCA_TRY(err, hesca_overlap_init(&t->in[k], share(w, w->has, p, q),
                                          t->wants, w->extent));
    }
fail:
    return err;
}

static const hesca_overlap *
out_of(const hesca_panel_transpose *t, int member)
{
    return &t->out[t->uniform ? 0 : member];
}

/* Bytes of a message. */
static int64_t
bytes_of(const hesca_panel_transpose *t, const slot *s, const hesca_overlap *o)
{
    return (hesca_overlap_below(o, s->f1) - hesca_overlap_below(o, s->f0)) *
           s->width * (int64_t)t->what.esize;
}

static int64_t
pieces_of(const hesca_panel_transpose *t, int64_t bytes)
{
    return (bytes + t->piece - 1) / t->piece;
}

static int
allocate_slot(hesca_panel_transpose *t, slot *s)
{
    int64_t in = 0, out = 0, nin = 0, nout = 0;
    s->width = t->what.width;
    s->f1 = t->what.extent;
    for (int k = 0; k < t->n; ++k) {
        const int64_t to = bytes_of(t, s, out_of(t, k));
        const int64_t from = bytes_of(t, s, &t->in[k]);
        if (k != t->me && t->what.shared == NULL) {
            in += from;
            nin += pieces_of(t, from);
            nout += pieces_of(t, to);
        }
        if ((k == 0 || !t->uniform) && t->what.shared == NULL)
            out += to;
    }
    s->source = malloc(((size_t)t->n + 1) * sizeof *s->source);
    s->in = hesca_staging_block((size_t)in + 1);
    s->out = hesca_staging_block((size_t)out + 1);
    s->receive = malloc((size_t)(nin + 1) * sizeof(MPI_Request));
    s->send = malloc((size_t)(nout + 1) * sizeof(MPI_Request));
    s->is_sent = 1;
    if (s->in == NULL || s->out == NULL || s->receive == NULL ||
        s->send == NULL || s->source == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "panels of %lld and %lld bytes",
                          (long long)in, (long long)out);
    return HESCA_SUCCESS;
}

static int
allocate(hesca_panel_transpose *t)
{
    const size_t n = (size_t)t->n;
    t->rank = calloc(n + 1, sizeof *t->rank);
    t->out = calloc(n + 1, sizeof *t->out);
    t->in = calloc(n + 1, sizeof *t->in);
    t->slot = calloc((size_t)t->depth, sizeof *t->slot);
    if (t->rank != NULL && t->out != NULL && t->in != NULL && t->slot != NULL)
        return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_NOMEM, 0,
                      "a panel transpose among %d processes", t->n);
}

int
hesca_panel_transpose_create(const hesca_comm *c,
                             const hesca_panel_transpose_spec *what, int tag,
                             int depth, hesca_panel_transpose **result)
{
    int err, prow = 0, pcol = 0;
    hesca_panel_transpose *t = *result = calloc(1, sizeof *t);
    if (t == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a panel transpose of %zu bytes",
                          sizeof *t);
    t->comm = c;
    t->what = *what;
    t->tag = tag;
    t->depth = depth;
    t->piece = c->slow ? HESCA_SHORT_PIECE : 1 << 30;
    if (hesca_layout_coords(what->layout, c->rank, &prow, &pcol)) {
        t->n = what->has == HESCA_ROWS ? what->layout->nprow
                                       : what->layout->npcol;
        t->me = what->has == HESCA_ROWS ? prow : pcol;
    }
    HESCA_TRY(err, allocate(t));
    if (t->n > 0)
        HESCA_TRY(err, make_overlaps(t, prow, pcol));
    for (int k = 0; k < depth; ++k)
        HESCA_TRY(err, allocate_slot(t, &t->slot[k]));
fail:
    if (err < 0) {
        hesca_panel_transpose_free(t);
        *result = NULL;
    }
    return err;
}

void
hesca_panel_transpose_free(hesca_panel_transpose *t)
{
    if (t == NULL)
        return;
    for (int k = 0; k < t->n; ++k) {
        if (t->out != NULL)
            hesca_overlap_clear(&t->out[k]);
        if (t->in != NULL)
            hesca_overlap_clear(&t->in[k]);
    }
    for (int k = 0; t->slot != NULL && k < t->depth; ++k) {
        hesca_staging_unblock(t->slot[k].in);
        hesca_staging_unblock(t->slot[k].out);
        free(t->slot[k].receive);
        free(t->slot[k].send);
        free(t->slot[k].source);
    }
    free(t->slot);
    free(t->rank);
    free(t->out);
    free(t->in);
    free(t);
}

/* --- moving elements ---
 * Slices of a message are in the order of global indices. */

/* The local index at which panels begin. */
static int64_t
base(hesca_share s, int64_t f0)
{
    return hesca_axis_count(s.axis, s.owner, s.origin + f0);
}

/* The slices from position pos on, which end before position end. */
static hesca_stretch
stretch_at(const hesca_overlap *o, int64_t pos, int64_t end)
{
    hesca_stretch x = hesca_overlap_at(o, pos);
    x.len = hesca_min(x.len, end - pos);
    return x;
}

/* Copy slices between two arrays. */
static void
copy(const hesca_panel_transpose *t, int64_t width, char *dst, int64_t ldd,
     int64_t dst_at, const char *src, int64_t lds, int64_t src_at, int64_t len)
{
    const int64_t esize = (int64_t)t->what.esize;
    const int by_rows = t->what.has == HESCA_ROWS;
    const int64_t n = by_rows ? width : len, m = by_rows ? len : width;
    const hesca_activity before = hesca_activity_enter(HESCA_ACTIVITY_COPIES);
    dst += (by_rows ? dst_at : dst_at * ldd) * esize;
    src += (by_rows ? src_at : src_at * lds) * esize;
    for (int64_t k = 0; k < n; ++k)
        memcpy(dst + k * ldd * esize, src + k * lds * esize,
               (size_t)(m * esize));
    hesca_activity_leave(before);
}

/* Leading dimension of a message with count slices. */
static int64_t
message_ld(const hesca_panel_transpose *t, int64_t width, int64_t count)
{
    return t->what.has == HESCA_ROWS ? count : width;
}

static void
pack(const hesca_panel_transpose *t, const slot *s, const hesca_overlap *o,
     const char *have, int64_t ldh, char *message)
{
    const int64_t first = hesca_overlap_below(o, s->f0);
    const int64_t end = hesca_overlap_below(o, s->f1);
    const int64_t ld = message_ld(t, s->width, end - first);
    const int64_t a0 = base(t->has, s->f0);
    hesca_stretch x;
    for (int64_t pos = first; pos < end; pos += x.len) {
        x = stretch_at(o, pos, end);
        copy(t, s->width, message, ld, pos - first, have, ldh, x.a - a0,
             x.len);
    }
}

static void
unpack(const hesca_panel_transpose *t, const slot *s, const hesca_overlap *o,
       const char *message)
{
    const int64_t first = hesca_overlap_below(o, s->f0);
    const int64_t end = hesca_overlap_below(o, s->f1);
    const int64_t ld = message_ld(t, s->width, end - first);
    const int64_t b0 = base(t->wants, s->f0);
    hesca_stretch x;
    for (int64_t pos = first; pos < end; pos += x.len) {
        x = stretch_at(o, pos, end);
        copy(t, s->width, s->want, s->ldw, x.b - b0, message, ld, pos - first,
             x.len);
    }
}

/* Copy the slices that a member has. */
static void
copy_from(const hesca_panel_transpose *t, const slot *s, int member,
          const char *have, int64_t ldh)
{
    const hesca_overlap *o = &t->in[member];
    const hesca_share has = {t->has.axis, member, t->has.origin};
    const int64_t a0 = base(has, s->f0), b0 = base(t->wants, s->f0);
    const int64_t end = hesca_overlap_below(o, s->f1);
    hesca_stretch x;
    for (int64_t pos = hesca_overlap_below(o, s->f0); pos < end;
         pos += x.len) {
        x = stretch_at(o, pos, end);
        copy(t, s->width, s->want, s->ldw, x.b - b0, have, ldh, x.a - a0,
             x.len);
    }
}

/* --- messages ---
 * Members send and receive panels in the same order; slot t % depth is
 * reused when its sends are complete. */

static int
receive(hesca_panel_transpose *t, slot *s, char *at, int64_t bytes, int rank)
{
    int err = HESCA_SUCCESS;
    for (int64_t done = 0; done < bytes; done += t->piece) {
        const int n = (int)hesca_min(t->piece, bytes - done);
        HESCA_MPI(err, Irecv, at + done, n, MPI_BYTE, rank, t->tag,
                  t->comm->mpi, &s->receive[s->nreceive]);
        ++s->nreceive;
    }
fail:
    return err;
}

static int
send(hesca_panel_transpose *t, slot *s, const char *at, int64_t bytes,
     int rank)
{
    int err = HESCA_SUCCESS;
    for (int64_t done = 0; done < bytes; done += t->piece) {
        const int n = (int)hesca_min(t->piece, bytes - done);
        hesca_comm_sent(t->comm, rank, n);
        HESCA_MPI(err, Isend, at + done, n, MPI_BYTE, rank, t->tag,
                  t->comm->mpi, &s->send[s->nsend]);
        ++s->nsend;
    }
fail:
    return err;
}

int
hesca_panel_transpose_expect(hesca_panel_transpose *t, int64_t width,
                             int64_t f0, int64_t f1, void *want, int64_t ldw,
                             const hesca_panel_transpose_source *from)
{
    slot *s = &t->slot[t->begun % t->depth];
    char *at = s->in;
    int err;
    /* The previous sends from this slot are complete by now, or nearly so. */
    HESCA_TRY(err, hesca_comm_wait(t->comm, (int)(s->nsend - s->sent),
                                   s->send + s->sent));
    s->width = width;
    s->f0 = f0;
    s->f1 = f1;
    s->want = want;
    s->ldw = ldw;
    s->nreceive = s->nsend = s->received = s->sent = 0;
    s->from = 0;
    s->piece = 0;
    s->is_sent = 0;
    ++t->begun;
    if (t->what.shared != NULL) {
        memcpy(s->source, from, (size_t)t->n * sizeof *from);
        return err;
    }
    for (int k = 0; k < t->n; ++k) {
        const int64_t bytes = bytes_of(t, s, &t->in[k]);
        if (k == t->me)
            continue;
        HESCA_TRY(err, receive(t, s, at, bytes, t->rank[k]));
        at += bytes;
    }
fail:
    return err;
}

/* Begin with the next member, so that not all send to the same one. */
int
hesca_panel_transpose_send(hesca_panel_transpose *t, const void *have,
                           int64_t ldh)
{
    slot *s = &t->slot[t->posted % t->depth];
    char *at = s->out;
    int err = HESCA_SUCCESS;
    ++t->posted;
    s->is_sent = 1;
    if (t->n == 0 || t->what.shared != NULL)
        return err;
    if (t->uniform && t->n > 1)
        pack(t, s, t->out, have, ldh, at);
    for (int d = 1; d < t->n; ++d) {
        const int k = (t->me + d) % t->n;
        const hesca_overlap *o = out_of(t, k);
        const int64_t bytes = bytes_of(t, s, o);
        if (!t->uniform)
            pack(t, s, o, have, ldh, at);
        HESCA_TRY(err, send(t, s, at, bytes, t->rank[k]));
        if (!t->uniform)
            at += bytes;
    }
    copy_from(t, s, t->me, have, ldh);
fail:
    return err;
}

/* Unpack what has arrived. */
static int
advance_in(hesca_panel_transpose *t, slot *s)
{
    char *at = s->in;
    int err = HESCA_SUCCESS, done = 1;
    for (int k = 0; k < s->from; ++k)
        at += k == t->me ? 0 : bytes_of(t, s, &t->in[k]);
    while (s->from < t->n) {
        const hesca_overlap *o = &t->in[s->from];
        const int64_t bytes = s->from == t->me ? 0 : bytes_of(t, s, o);
        for (; s->piece < pieces_of(t, bytes); ++s->piece, ++s->received) {
            HESCA_MPI(err, Test, &s->receive[s->received], &done,
                      MPI_STATUS_IGNORE);
            if (!done)
                return err;
        }
        if (bytes > 0)
            unpack(t, s, o, at);
        at += bytes;
        ++s->from;
        s->piece = 0;
    }
fail:
    return err;
}

/* Copy the slices of the members that have them: panel k. */
static void
advance_shared(hesca_panel_transpose *t, slot *s, int64_t k)
{
    const hesca_segment *x = t->what.shared;
    while (s->from < t->n) {
        const hesca_panel_transpose_source *a = &s->source[s->from];
        const hesca_segment_counts *c =
            &x->counts[a->writer * HESCA_SEGMENT_USERS + t->what.user];
        if (atomic_load_explicit(&c->published, memory_order_acquire) <
            hesca_segment_stamp(x, k + 1))
            return;
        copy_from(t, s, s->from, a->have, a->ldh);
        ++s->from;
    }
}

static int
advance_out(slot *s)
{
    int err = HESCA_SUCCESS, done = 1;
    for (; s->sent < s->nsend; ++s->sent) {
        HESCA_MPI(err, Test, &s->send[s->sent], &done, MPI_STATUS_IGNORE);
        if (!done)
            return err;
    }
fail:
    return err;
}

int
hesca_panel_transpose_advance(hesca_panel_transpose *t)
{
    int err = HESCA_SUCCESS;
    for (int64_t k = hesca_max(0, t->begun - t->depth); k < t->begun; ++k) {
        slot *s = &t->slot[k % t->depth];
        HESCA_TRY(err, advance_out(s));
        if (t->what.shared != NULL)
            advance_shared(t, s, k);
        else
            HESCA_TRY(err, advance_in(t, s));
        if (k == t->ready && s->is_sent && s->from == t->n)
            ++t->ready;
    }
fail:
    return err;
}

int64_t
hesca_panel_transpose_ready(const hesca_panel_transpose *t)
{
    return t->ready;
}

static int
is_over(const hesca_panel_transpose *t)
{
    for (int k = 0; k < t->depth; ++k)
        if (t->slot[k].sent < t->slot[k].nsend)
            return 0;
    return t->ready == t->posted;
}

int
hesca_panel_transpose_end(hesca_panel_transpose *t)
{
    hesca_backoff wait = hesca_backoff_begin(t->comm->yields);
    int err;
    HESCA_TRY(err, hesca_panel_transpose_advance(t));
    while (!is_over(t)) {
        hesca_comm_pause(t->comm, &wait, "its slices to be received");
        HESCA_TRY(err, hesca_panel_transpose_advance(t));
    }
fail:
    return err;
}

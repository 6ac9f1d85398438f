/* SPDX-License-Identifier: BSD-3-Clause */
/* Cholesky factorization by panels; the next panels are factored and sent
 * while the trailing triangle is updated by the current one.
 *
 * Described for UPLO = 'L'; for 'U' exchange rows and columns.  A panel is a
 * few columns that every process row has in one process, with a diagonal block
 * that is in one process.
 * 1. The owner of the diagonal block factors it, and sends it by a small
 *    broadcast to the owners of rows of the panel below it, and its info to
 *    all processes.
 * 2. These processes solve for their rows.
 * 3. The rows go by a panel multicast to all processes that own these rows of
 *    the matrix, and from these by a panel transpose to the owners of the
 *    columns with the same indices: slices of the next two panels' columns at
 *    once, all others when the next one is in flight.
 * 4. Every process updates its part of the trailing triangle: the columns of
 *    the next panels by each panel, all others by a group of panels at once,
 *    for which BLAS is faster.  Between nodes, where messages take longer than
 *    BLAS, groups are narrower; but the first one, if the matrix arrives
 *    meanwhile (exec/background.h), is of some panels that arrive first: until
 *    it ends, no other columns are needed.
 * A panel goes through 1 to 3 as soon as all panels before it have updated its
 * columns, while these are still updating the rest of the triangle.  So the
 * latency of hosts that are slow to answer is hidden, for AHEAD panels.
 * Between nodes long panels are cut into chunks of rows, which go through 2
 * and 3 one by one: the next panel begins when the first chunk is here.  So
 * panels of different owners are on their way at the same time.
 * Messages progress between the strips of step 4.  Operands, results and
 * pieces do not depend on when messages arrive.
 *
 * If a diagonal block is not positive definite all processes receive its info
 * with that panel and stop: panels before it are factored and applied, as in
 * LAPACK.
 * Source: HMPI thesis, Cholesky factorization of its chapter 5 (steps
 * 2 to 6), after Kalinov and Lastovetsky (2001). There the whole of L21 goes
 * to the other process columns; here a process receives the rows that it
 * needs. */
#include "base/arith.h"
#include "base/status.h"
#include "dense/args.h"
#include "dense/factor.h"
#include "dense/potrf_job.h"
#include "exec/agree.h"
#include <string.h>

/* --- the update ---
 * A panel is applied to a later one exactly once, in the order of panels
 * (applied); to all columns beyond those that are known, with its group. */

/* Floating-point operations (real double) between two tests of messages: some
 * milliseconds. */
static const double PIECE = 3e8, PIECE_FAR = 6e7;

/* Bytes of a chunk of a panel, at least. */
static const int64_t CHUNK = 128 * 1024;

/* Update by panels t ... end - 1 of a group. */
static void
update(const hesca_potrf_job *x, int64_t t, int64_t end, hesca_rectangle b)
{
    const hesca_potrf_panel *p = &x->panel[t % x->depth],
                            *last = &x->panel[(end - 1) % x->depth];
    const hesca_slices has = {p->has, p->ld_has,
                              x->upper ? hesca_local_col(&x->part, p->k1)
                                       : hesca_local_row(&x->part, p->k1)};
    const hesca_slices wants = {p->wants, p->ld_wants,
                                x->upper ? hesca_local_row(&x->part, p->k1)
                                         : hesca_local_col(&x->part, p->k1)};
    hesca_triangle_update(&x->trailing, last->k1 - p->k0,
                          x->upper ? wants : has, x->upper ? has : wants, b);
}

/* The first panel of the group of panel t, and that of the next group. */
static int64_t
group_begin(const hesca_potrf_job *x, int64_t t)
{
    return hesca_potrf_group_begin(x, hesca_potrf_group_of(x, t));
}

static int64_t
group_end(const hesca_potrf_job *x, int64_t t)
{
    return hesca_potrf_group_begin(x, hesca_potrf_group_of(x, t) + 1);
}

/* Chunk r of the rows of panel p; the first has the panel's own. */
static hesca_rectangle
chunk_of(const hesca_potrf_job *x, const hesca_potrf_panel *p, int r)
{
    const hesca_local *a = &x->part;
    const int64_t i = r == 0 ? p->k0 : hesca_potrf_chunk_end(x, p, r - 1);
    const int64_t j = hesca_potrf_chunk_end(x, p, r);
    return x->upper ? (hesca_rectangle){hesca_local_row(a, p->k0),
                                        hesca_local_row(a, p->k1),
                                        hesca_local_col(a, i),
                                        hesca_local_col(a, j)}
                    : (hesca_rectangle){hesca_local_row(a, i),
                                        hesca_local_row(a, j),
                                        hesca_local_col(a, p->k0),
                                        hesca_local_col(a, p->k1)};
}

/* Update chunk r of panel s by those of its predecessors before `end`: by its
 * last one alone, by those of a group before that at once.  So what is added
 * up does not depend on when they have come. */
static int
apply(hesca_potrf_job *x, int64_t s, int64_t end, int r)
{
    hesca_potrf_panel *to = &x->panel[s % x->depth];
    int64_t *applied = &to->applied[r];
    int err = HESCA_SUCCESS;
    while (*applied < end) {
        const int64_t t = *applied;
        const int64_t most = t < s - 1 ? hesca_min(group_end(x, t), s - 1) : s;
        *applied = hesca_min(end, most);
        update(x, t, *applied, chunk_of(x, to, r));
        HESCA_TRY(err, hesca_potrf_advance(x));
    }
fail:
    return err;
}

/* The number of this process's columns before column k. */
static int64_t
local_line(const hesca_potrf_job *x, int64_t k)
{
    return x->upper ? hesca_local_row(&x->part, k)
                    : hesca_local_col(&x->part, k);
}

/* Whether this process's columns before the local column `end` have
 * arrived. */
static int
has_arrived(const hesca_potrf_job *x, int64_t end)
{
    return x->copies == NULL ||
           local_line(
               x, hesca_min(hesca_background_arrived(x->copies), x->n)) >= end;
}

/* Whether the rows that update chunk r of panel s are here. */
static int
may_apply(const hesca_potrf_job *x, int64_t s, int r)
{
    const hesca_potrf_panel *p = &x->panel[s % x->depth];
    return s == 0 ||
           hesca_potrf_has_rows(x, s - 1, hesca_potrf_chunk_end(x, p, r));
}

/* Whether panel t and what updates its first chunk are here, and other
 * processes do not need the memory of its group any more.  The first panel
 * begins in factor(). */
static int
may_begin(const hesca_potrf_job *x, int64_t t)
{
    const int64_t before = hesca_potrf_group_begin(
        x, hesca_potrf_group_of(x, t) - x->ngroups + 1);
    return t > 0 && has_arrived(x, local_line(x, x->panel[t % x->depth].k1)) &&
           hesca_potrf_is_near(x, t - 1) && may_apply(x, t, 0) &&
           x->panel[(t - 1) % x->depth].info == 0 &&
           (t - 3 < x->now || hesca_potrf_is_over(x, t - 3)) &&
           hesca_panel_mcast_is_released(x->mcast, before);
}

/* Update the next chunk of the first panel that has one left.
 * \param [out] progress  1: done; else unchanged. */
static int
apply_next(hesca_potrf_job *x, int *progress)
{
    int err = HESCA_SUCCESS;
    for (int64_t s = x->sent / x->nchunks; s < x->begun; ++s) {
        hesca_potrf_panel *p = &x->panel[s % x->depth];
        if (p->nupdated == x->nchunks)
            continue;
        if (!may_apply(x, s, p->nupdated))
            break;
        HESCA_TRY(err, apply(x, s, s, p->nupdated));
        ++p->nupdated;
        *progress = 1;
        err = hesca_potrf_advance(x);
        break;
    }
fail:
    return err;
}

/* Begin panels ahead, as far as the panels before them are here, and go on
 * with those that have begun. */
static int
look_ahead(hesca_potrf_job *x)
{
    int err = HESCA_SUCCESS;
    for (int progress = 1; progress;) {
        progress = 0;
        if (x->begun < x->known && may_begin(x, x->begun)) {
            HESCA_TRY(err, apply(x, x->begun, x->begun, 0));
            HESCA_TRY(err, hesca_potrf_begin(x, x->begun));
            progress = 1;
        }
        HESCA_TRY(err, apply_next(x, &progress));
    }
fail:
    return err;
}

/* Wait for this process's columns before the local column `end`. */
static int
await_columns(hesca_potrf_job *x, int64_t end)
{
    hesca_backoff wait = hesca_comm_backoff(x->c);
    int err = HESCA_SUCCESS;
    while (!has_arrived(x, end)) {
        hesca_comm_pause(x->c, &wait, "columns");
        HESCA_TRY(err, hesca_potrf_advance(x));
        HESCA_TRY(err, look_ahead(x));
    }
fail:
    return err;
}

/* --- the queue ---
 * Its strips do not depend on when they are computed. */

static int
has_rest(const hesca_potrf_job *x)
{
    const hesca_rectangle *b = &x->rest.left;
    return b->c0 < b->c1 && b->r0 < b->r1;
}

/* Whether the next strip has arrived. */
static int
has_next(const hesca_potrf_job *x)
{
    const hesca_potrf_queue *q = &x->rest;
    return has_rest(x) &&
           has_arrived(x, x->upper
                              ? hesca_min(q->left.r0 + q->strip, q->left.r1)
                              : hesca_min(q->left.c0 + q->strip, q->left.c1));
}

/* Begin the queue of panels t ... end - 1 of a group; the last one is done. */
static void
begin_rest(hesca_potrf_job *x, int64_t t, int64_t end)
{
    const hesca_triangle *part = &x->trailing;
    const hesca_potrf_panel *last = &x->panel[(x->known - 1) % x->depth];
    const double complexity = hesca_type_is_complex(x->type) ? 4 : 1;
    const hesca_rectangle b = {hesca_local_row(&x->part, last->k1), part->row1,
                               hesca_local_col(&x->part, last->k1),
                               part->col1};
    const int64_t at_once = hesca_min(end - t, x->span);
    const int64_t width =
        x->panel[(t + at_once - 1) % x->depth].k1 - x->panel[t % x->depth].k0;
    const int64_t across = x->upper ? b.c1 - b.c0 : b.r1 - b.r0;
    const double line =
        2 * complexity * (double)hesca_max(across, 1) * (double)width;
    const double piece = hesca_comm_is_node(x->c) ? PIECE : PIECE_FAR;
    const int64_t most = hesca_clamp((int64_t)(piece / line / 64), 1, 1 << 20);
    x->rest = (hesca_potrf_queue){t, end, at_once, b, 64 * most};
}

/* Update the next strip, when it has arrived. */
static int
update_strip(hesca_potrf_job *x)
{
    hesca_potrf_queue *q = &x->rest;
    hesca_rectangle b = q->left;
    int err = HESCA_SUCCESS;
    if (x->upper)
        q->left.r0 = b.r1 = hesca_min(b.r0 + q->strip, b.r1);
    else
        q->left.c0 = b.c1 = hesca_min(b.c0 + q->strip, b.c1);
    HESCA_TRY(err, await_columns(x, x->upper ? b.r1 : b.c1));
    for (int64_t t = q->t, end; t < q->end; t = end) {
        end = hesca_min(t + q->at_once, q->end);
        update(x, t, end, b);
        HESCA_TRY(err, hesca_potrf_advance(x));
        HESCA_TRY(err, look_ahead(x));
    }
fail:
    return err;
}

/* Whether the strips behind index k have not been updated. */
static int
waits_for(const hesca_potrf_job *x, int64_t k)
{
    return has_rest(x) &&
           (x->upper ? x->rest.left.r0 : x->rest.left.c0) < local_line(x, k);
}

/* So many of `of` equal parts of what is left. */
static int
update_part(hesca_potrf_job *x, int64_t of)
{
    const hesca_potrf_queue *q = &x->rest;
    const int64_t all =
        x->upper ? q->left.r1 - q->left.r0 : q->left.c1 - q->left.c0;
    const int64_t strips = q->strip > 0 ? (all - 1) / q->strip + 1 : 0;
    int err = HESCA_SUCCESS;
    for (int64_t k = 0; has_rest(x) && k * of < strips; ++k)
        HESCA_TRY(err, update_strip(x));
fail:
    return err;
}

/* Wait for panel t. Begin later panels if possible, since other processes may
 * wait for them. */
static int
await(hesca_potrf_job *x, int64_t t)
{
    hesca_backoff wait = hesca_comm_backoff(x->c);
    int err = HESCA_SUCCESS;
    HESCA_TRY(err, hesca_potrf_advance(x));
    HESCA_TRY(err, look_ahead(x));
    while (!hesca_potrf_is_over(x, t)) {
        if (has_next(x)) {
            HESCA_TRY(err, update_strip(x));
            continue;
        }
        hesca_comm_pause(x->c, &wait, "a panel");
        HESCA_TRY(err, hesca_potrf_advance(x));
        HESCA_TRY(err, look_ahead(x));
    }
fail:
    return err;
}

/* Find the bounds of the panels up to HESCA_POTRF_AHEAD after panel t, and
 * apply the groups before that of t to them. */
static int
find_bounds(hesca_potrf_job *x, int64_t t)
{
    int err = HESCA_SUCCESS;
    int64_t k0 = x->known == 0 ? 0 : x->panel[(x->known - 1) % x->depth].k1;
    for (; x->known <= t + HESCA_POTRF_AHEAD && k0 < x->n; ++x->known) {
        hesca_potrf_panel *p = &x->panel[x->known % x->depth];
        p->k0 = k0;
        p->k1 = k0 = hesca_potrf_panel_end(x, k0);
        for (int r = 0; r < x->nchunks; ++r)
            p->applied[r] = group_begin(x, t);
        while (waits_for(x, p->k1))
            HESCA_TRY(err, update_strip(x));
    }
fail:
    return err;
}

/* Update panel s by those before `end`, when it has arrived. */
static int
update_panel(hesca_potrf_job *x, int64_t s, int64_t end)
{
    int err;
    HESCA_TRY(err, await_columns(x, local_line(x, x->panel[s % x->depth].k1)));
    for (int r = 0; r < x->nchunks; ++r) {
        HESCA_TRY(err, apply(x, s, end, r));
        HESCA_TRY(err, look_ahead(x));
    }
fail:
    return err;
}

/* The end of a group: its panels before `end` update the panels that are
 * known; the others are queued. */
static int
end_group(hesca_potrf_job *x, int64_t end)
{
    int err = HESCA_SUCCESS;
    HESCA_TRY(err, update_part(x, 1));
    hesca_panel_mcast_release(x->mcast, group_begin(x, end - 1));
    for (int64_t s = end; s < x->known; ++s)
        HESCA_TRY(err, update_panel(x, s, end));
    begin_rest(x, group_begin(x, end - 1), end);
fail:
    return err;
}

/* Step 4 for panel t, which is here: the next panel, then the one behind it,
 * which has waited for the panel before t as well, then a part of the
 * queue. */
static int
step(hesca_potrf_job *x, int64_t t)
{
    int err;
    HESCA_TRY(err, find_bounds(x, t));
    HESCA_TRY(err, look_ahead(x));
    for (int64_t s = t + 1; s < hesca_min(t + 3, x->known); ++s)
        HESCA_TRY(err, update_panel(x, s, t + 1));
    HESCA_TRY(err, update_part(x, group_end(x, t) - t));
    if (t + 1 == group_end(x, t))
        HESCA_TRY(err, end_group(x, t + 1));
fail:
    return err;
}

/* --- the factorization ---
 * Memory of panel t - depth is reused after hesca_potrf_is_over(t - depth). */

static int
factor(hesca_potrf_job *x)
{
    int err = HESCA_SUCCESS;
    if (x->n == 0 || !x->part.here)
        return err;
    HESCA_TRY(err, find_bounds(x, 0));
    HESCA_TRY(err, await_columns(x, local_line(x, x->panel[0].k1)));
    HESCA_TRY(err, hesca_potrf_begin(x, 0));
    for (int64_t t = 0; x->panel[t % x->depth].k1 < x->n; ++t) {
        x->now = t;
        HESCA_TRY(err, await(x, t));
        if (x->panel[t % x->depth].info > 0) {
            x->info = x->panel[t % x->depth].info;
            if (t > group_begin(x, t))
                HESCA_TRY(err, end_group(x, t));
            HESCA_TRY(err, update_part(x, 1));
            break;
        }
        HESCA_TRY(err, step(x, t));
    }
    HESCA_TRY(err, hesca_panel_mcast_end(x->mcast));
    HESCA_TRY(err, hesca_panel_transpose_end(x->near));
    HESCA_TRY(err, hesca_panel_transpose_end(x->far));
fail:
    return err;
}

/* --- the call ---
 * info is the same on all processes of comm: the minimum of those > 0. */

/* Bytes on this process for each column of panels in so many chunks. */
static double
room(const hesca_comm *c, hesca_type type, int64_t n, const hesca_matrix *a,
     int64_t nchunks)
{
    int64_t m = 0, k = 0;
    if (hesca_layout_local_size(a->layout, c->rank, &m, &k) < 0)
        return 0;
    const int64_t slices = hesca_min(m, n) + hesca_min(k, n);
    return (3. * HESCA_POTRF_SPAN + HESCA_POTRF_FLIGHT * (double)nchunks) *
           (double)hesca_max(slices, 1) * (double)hesca_type_size(type);
}

/* The width of panels that fit into HESCA_BUFFER on this process. */
static int64_t
widest(const hesca_comm *c, hesca_type type, int64_t n, const hesca_matrix *a)
{
    const double most = (double)c->params.buffer / room(c, type, n, a, 1);
    return most < HESCA_POTRF_WIDEST ? hesca_max((int64_t)most, 1)
                                     : HESCA_POTRF_WIDEST;
}

/* The number of chunks of a panel: between nodes, for messages that are not
 * too short, if they fit into HESCA_BUFFER as well. */
static int64_t
count_chunks(const hesca_comm *c, hesca_type type, int upper, int64_t n,
             const hesca_matrix *a)
{
    const int lines = upper ? a->layout->npcol : a->layout->nprow;
    const int64_t bytes =
        n / lines * HESCA_POTRF_WIDEST * (int64_t)hesca_type_size(type);
    int64_t k = hesca_clamp(bytes / CHUNK, 1, HESCA_POTRF_CHUNKS);
    while (k > 1 && HESCA_POTRF_WIDEST * room(c, type, n, a, k) >
                        (double)c->params.buffer)
        --k;
    return hesca_comm_is_node(c) ? 1 : k;
}

/* The number of panels of a group, so that it is as wide as room() allows,
 * where blocks are narrower than panels may be. */
static void
find_span(hesca_potrf_job *x)
{
    int64_t width = 1;
    for (int64_t k0 = 0, k1; k0 < x->n; k0 = k1) {
        k1 = hesca_potrf_panel_end(x, k0);
        width = hesca_max(width, k1 - k0);
    }
    x->span =
        hesca_min(3 * HESCA_POTRF_SPAN * x->widest / (x->ngroups * width),
                  HESCA_POTRF_SPAN_MOST);
    x->lead = x->span;
    x->widest = width;
}

/* The panels of the first group, of a matrix that arrives meanwhile: those of
 * the columns that arrive first. */
static void
find_lead(hesca_potrf_job *x)
{
    const int64_t first = hesca_background_first(x->copies);
    int64_t k1 = hesca_potrf_panel_end(x, 0), n = 1;
    while (k1 < first && n < HESCA_POTRF_SPAN) {
        k1 = hesca_potrf_panel_end(x, k1);
        n += k1 <= first;
    }
    x->lead = hesca_max(x->lead, n);
}

static int
place_of(const hesca_layout *layout, int rank)
{
    for (int k = 0; k < layout->nprow * layout->npcol; ++k)
        if (layout->ranks[k] == rank)
            return k;
    return -1;
}

int
hesca_potrf_and_copy(hesca_type type, char uplo, int64_t n,
                     const hesca_matrix *a, hesca_background *copies,
                     MPI_Comm comm, int64_t *info)
{
    hesca_potrf_job x = {.n = n, .copies = copies};
    hesca_comm *c;
    int err, made = 0;
    hesca_caller_enter("hesca_potrf");
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    hesca_args args = hesca_args_begin("hesca_potrf", c);
    x.type = hesca_args_type(&args, 1, type);
    x.upper = hesca_args_letter(&args, 2, "uplo", uplo, "LU") == 'U';
    hesca_args_size(&args, 3, "n", n);
    hesca_args_matrix(&args, 4, "a", a, n, n);
    hesca_args_pointer(&args, 6, "info", info);
    int64_t least[2] = {1, 1}; /* what all have room for */
    if (args.err == HESCA_SUCCESS) {
        least[0] = widest(c, x.type, n, a);
        least[1] = count_chunks(c, x.type, x.upper, n, a);
    }
    HESCA_TRY(err, hesca_args_agree(&args, 2, least));
    x.widest = least[0];
    x.nchunks = (int)least[1];
    x.chunk = hesca_max((n + x.nchunks - 1) / x.nchunks, 1);
    x.c = c;
    x.esize = (int64_t)hesca_type_size(type);
    x.a = *a;
    x.part = hesca_local_make(a->layout, a->i, a->j, c->rank);
    x.ngroups = hesca_comm_is_node(c) ? 3 : HESCA_POTRF_GROUPS;
    find_span(&x);
    if (!hesca_comm_is_node(c))
        find_lead(&x);
    x.depth = 3 * hesca_max(x.span, HESCA_POTRF_SPAN);
    x.place = place_of(a->layout, c->rank);
    made = 1;
    HESCA_TRY(err, hesca_potrf_share(&x, c));
    HESCA_TRY(err, hesca_agree(c, hesca_potrf_make(&x), 0, NULL));
    HESCA_TRY(err, factor(&x));
    HESCA_TRY(err, hesca_background_end(copies));
    x.info = x.info > 0 ? x.info : INT64_MAX;
    HESCA_TRY(err, hesca_agree_min(c, 1, &x.info));
    *info = x.info < INT64_MAX ? x.info : 0;
fail:
    if (made)
        hesca_potrf_clear(&x);
    return err;
}

int
hesca_potrf(hesca_type type, char uplo, int64_t n, const hesca_matrix *a,
            MPI_Comm comm, int64_t *info)
{
    return hesca_potrf_and_copy(type, uplo, n, a, NULL, comm, info);
}

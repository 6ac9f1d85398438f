/* SPDX-License-Identifier: BSD-3-Clause */
/* The inverse of a matrix from its triangular factors, in place, in one sweep
 * over blocks.
 *
 * Described for P L U.  L^-1 consists of block rows Y_k and U^-1 of block
 * columns Z_k, and U^-1 L^-1 is the sum of all Z_k Y_k.  Where the factors
 * have been used, the inverses begin: the block rows below k have, in their
 * columns up to k, what Y of these rows will be multiplied by L^-1 of.  So for
 * blocks k = 0, 1, ...:
 * 1. columns k of L and rows k of U, from the diagonal on, go by panel
 *    multicasts to all owners of these rows, and columns; they are known from
 *    the beginning, so this is done ahead.  They are zero in A then.
 * 2. The owners of block row k solve L_kk Y_k = (A_k and the identity), up to
 *    column k, and Y_k goes by a panel multicast to all owners of these
 * columns. Likewise Z_k U_kk = (A_k and the identity), up to row k.  A is zero
 * there then.
 * 3. A := A - L_k Y_k below block k, A := A - Z_k U_k to the right of it, and
 *    A := A + Z_k Y_k above and to the left of these.
 * Blocks are narrow where those of the layout are; so step 1 and 3 are those
 * of a group of blocks at once, and within a group step 2 subtracts what the
 * blocks before have to add, and step 3 updates the rows and columns of the
 * next group first: while its blocks are solved, the update goes on.  One
 * message per block is on the critical path.
 *
 * Of a symmetric matrix, L L', Z_k is Y_k', which every process gets by a
 * panel transpose from its process row, and only one triangle is updated; of
 * U' U rows and columns are exchanged.
 *
 * Operations: 2/3 n^3 (symmetric) and 4/3 n^3, as many as ScaLAPACK's P?POTRI
 * and P?GETRI take in two sweeps.  Operands and pieces do not depend on when
 * messages arrive.
 * Source: Bientinesi, Gunter, van de Geijn, Families of Algorithms Related to
 * the Inversion of a Symmetric Positive Definite Matrix (2008), whose sweeps
 * of ?TRTRI and ?LAUUM are joined here; of P L U, Du Croz and Higham,
 * Stability of Methods for Matrix Inversion (1992), method D. */
#include "base/arith.h"
#include "base/status.h"
#include "dense/column_interchange.h"
#include "dense/inverse_job.h"
#include "exec/agree.h"
#include "exec/staging.h"
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS = HESCA_INVERSE_SLOTS,
    BLOCK = 64, /* widest */
    LEAST = 64, /* columns of a group */
    MOST = 256, /* enough for BLAS to run at full speed */
    GROUPS = 8, /* so many at least: the first has nothing to overlap with */
    BLOCKS = 8, /* of a group, at most */
    LINE = 64,  /* bytes of a cache line, at which panels begin */
    TAG = HESCA_TAG_PANEL_MCAST,
    TAG_TRANSPOSE = TAG + 4,
    TAG_INTERCHANGE = TAG + 40
};

/* --- what is sent --- */

static hesca_panel_mcast_spec
make_spec(const hesca_inverse_job *x, int by_rows)
{
    return (hesca_panel_mcast_spec){.source = x->a.layout,
                                    .i = x->a.i,
                                    .j = x->a.j,
                                    .along = by_rows ? HESCA_COLS : HESCA_ROWS,
                                    .extent = x->n,
                                    .k = x->n,
                                    .target = x->a.layout,
                                    .by = by_rows ? HESCA_ROWS : HESCA_COLS,
                                    .origin = by_rows ? x->a.i : x->a.j,
                                    .need_from = by_rows ? x->a.j : x->a.i,
                                    .need = x->n,
                                    .esize = (size_t)x->esize};
}

static void
describe(hesca_inverse_job *x, const hesca_factors *f)
{
    for (int upper = 0; upper < 2; ++upper) {
        hesca_inverse_side *s = &x->side[x->nsides];
        if (!(upper ? f->upper : f->lower))
            continue;
        *s = (hesca_inverse_side){.upper = upper};
        s->factor_spec = make_spec(x, !upper);
        s->solution_spec = make_spec(x, upper);
        if (!f->upper || !f->lower) /* for the transpose */
            s->solution_spec.need = 0;
        ++x->nsides;
    }
}

/* Indices that this process has of a panel. */
static int64_t
count_of(const hesca_inverse_job *x, const hesca_panel_mcast_spec *what)
{
    return what->by == HESCA_ROWS ? x->here.r1 - x->here.r0
                                  : x->here.c1 - x->here.c0;
}

/* Bytes of memory for each slice of a group. */
static int64_t
room(const hesca_inverse_job *x)
{
    int64_t bytes = 0;
    for (int k = 0; k < x->nsides; ++k) {
        const hesca_panel_mcast_spec *factor = &x->side[k].factor_spec;
        const hesca_panel_mcast_spec *solution = &x->side[k].solution_spec;
        bytes +=
            SLOTS * x->esize * (count_of(x, factor) + count_of(x, solution));
        if (x->nsides == 1) /* the transpose */
            bytes += (SLOTS + 4) * x->esize * count_of(x, factor);
        if (!hesca_panel_mcast_may_share(x->c, factor))
            bytes += hesca_panel_mcast_bytes(x->c, factor, SLOTS) +
                     hesca_panel_mcast_bytes(x->c, solution, 2);
    }
    return bytes;
}

/* --- blocks ---
 * They follow from the layout and the agreed memory: rows of a block are in
 * one process of every process column, columns in one of every process row,
 * where that is needed. */

static int64_t
block_end(const hesca_inverse_job *x, int64_t k, int64_t most)
{
    int64_t end = hesca_min(k + most, x->n);
    for (int s = 0; s < x->nsides; ++s)
        end = x->side[s].upper ? hesca_local_cols_end(&x->part, k, end)
                               : hesca_local_rows_end(&x->part, k, end);
    return end;
}

static int
find_blocks(hesca_inverse_job *x, int64_t affordable)
{
    const int64_t most = hesca_clamp(affordable, 1, BLOCK);
    const int64_t wanted =
        hesca_clamp(x->n / GROUPS / LEAST * LEAST, LEAST, MOST);
    for (int64_t k = 0; k < x->n; k = block_end(x, k, most))
        ++x->nblocks;
    x->end = malloc((size_t)(x->nblocks + 1) * sizeof *x->end);
    if (x->end == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld blocks",
                          (long long)x->nblocks);
    x->end[0] = 0;
    x->widest = 1;
    for (int64_t b = 0; b < x->nblocks; ++b) {
        x->end[b + 1] = block_end(x, x->end[b], most);
        x->widest = hesca_max(x->widest, x->end[b + 1] - x->end[b]);
    }
    x->span =
        hesca_clamp(hesca_min(wanted, affordable) / x->widest, 1, BLOCKS);
    x->ngroups = (x->nblocks + x->span - 1) / x->span;
    x->width = x->span * x->widest;
    return HESCA_SUCCESS;
}

/* --- memory ---
 * All of it is allocated before the first message. */

/* Whether some process shares panels with another one; those that are
 * transposed are read by all. */
static int
is_shared(const hesca_inverse_job *x, const hesca_panel_mcast_spec *what)
{
    const hesca_layout *layout = x->a.layout;
    const int members = what->by == HESCA_ROWS ? layout->npcol : layout->nprow;
    return hesca_panel_mcast_may_share(x->c, what) &&
           (members > 1 || what->read_by_all);
}

/* Place panels in shared memory from `at` on; s == NULL: their size alone,
 * which is global. */
static int64_t
place_shared(const hesca_inverse_job *x, hesca_inverse_side *side,
             hesca_panel_mcast_spec *what, hesca_segment *s, int64_t at)
{
    int nteams, team;
    int64_t most;
    const int is_factor = what == &side->factor_spec;
    char **panel = is_factor ? side->factor_at : side->solution_at;
    if (!is_shared(x, what))
        return 0;
    hesca_panel_mcast_teams(x->c, what, &nteams, &team, &most);
    const int64_t bytes =
        (hesca_max(most, 1) * x->width * x->esize + LINE - 1) / LINE * LINE;
    if (s != NULL) {
        what->shared = s;
        what->user = 2 * side->upper + !is_factor;
        if (!is_factor) {
            side->team = team;
            side->team_bytes = SLOTS * bytes;
        }
    }
    for (int k = 0; k < SLOTS && s != NULL; ++k)
        panel[k] = s->memory + at + (team * SLOTS + k) * bytes;
    return nteams * SLOTS * bytes;
}

static int
share(hesca_inverse_job *x)
{
    int64_t bytes = 0;
    int err = HESCA_SUCCESS;
    for (int k = 0; k < x->nsides; ++k) {
        hesca_inverse_side *s = &x->side[k];
        s->solution_spec.read_by_all = x->nsides == 1;
        bytes += place_shared(x, s, &s->factor_spec, NULL, 0);
        bytes += place_shared(x, s, &s->solution_spec, NULL, 0);
    }
    if (bytes > 0)
        HESCA_TRY(err, hesca_segment_get(x->c, bytes, &x->shared));
    if (x->shared == NULL)
        return err;
    bytes = 0;
    for (int k = 0; k < x->nsides; ++k) {
        hesca_inverse_side *s = &x->side[k];
        bytes += place_shared(x, s, &s->factor_spec, x->shared, bytes);
        bytes += place_shared(x, s, &s->solution_spec, x->shared, bytes);
    }
fail:
    return err;
}

/* Bytes of a panel of this process's own. */
static int64_t
own_bytes(const hesca_inverse_job *x, const hesca_panel_mcast_spec *what)
{
    return what->shared != NULL
               ? 0
               : (count_of(x, what) * x->width * x->esize + LINE) / LINE *
                     LINE;
}

static int
make_memory(hesca_inverse_job *x)
{
    const int64_t cols = x->here.c1 - x->here.c0;
    int64_t bytes = 0;
    for (int k = 0; k < x->nsides; ++k)
        bytes += own_bytes(x, &x->side[k].factor_spec) +
                 own_bytes(x, &x->side[k].solution_spec);
    const hesca_panel_mcast_spec turned = make_spec(x, !x->side[0].upper);
    bytes += x->nsides == 1 ? own_bytes(x, &turned) : 0;
    x->memory = hesca_staging_block((size_t)(SLOTS * bytes) + 1);
    x->saved = malloc((size_t)(x->widest * x->width * x->esize));
    x->col_index = malloc((size_t)(cols + 1) * sizeof *x->col_index);
    if (x->memory == NULL || x->saved == NULL || x->col_index == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "panels of %lld bytes",
                          (long long)bytes);
    hesca_local_col_indices(&x->part, x->here.c0, x->here.c1, x->col_index);
    char *at = x->memory;
    for (int k = 0; k < SLOTS; ++k) {
        for (int l = 0; l < x->nsides; ++l) {
            hesca_inverse_side *s = &x->side[l];
            if (s->factor_spec.shared == NULL)
                s->factor_at[k] = at;
            at += own_bytes(x, &s->factor_spec);
            if (s->solution_spec.shared == NULL)
                s->solution_at[k] = at;
            at += own_bytes(x, &s->solution_spec);
        }
        x->transposed_at[k] = at;
        at += x->nsides == 1 ? own_bytes(x, &turned) : 0;
    }
    return HESCA_SUCCESS;
}

/* The transpose, and the triangle, of a symmetric matrix. */
static int
make_symmetric(hesca_inverse_job *x)
{
    const hesca_inverse_side *s = &x->side[0];
    const hesca_layout *layout = x->a.layout;
    const int lines = s->upper ? layout->nprow : layout->npcol;
    const hesca_panel_transpose_spec what = {.layout = layout,
                                             .i = x->a.i,
                                             .j = x->a.j,
                                             .has = s->solution_spec.by,
                                             .extent = x->n,
                                             .width = x->widest,
                                             .esize = (size_t)x->esize,
                                             .shared = s->solution_spec.shared,
                                             .user = s->solution_spec.user};
    int err;
    x->source = malloc((size_t)lines * sizeof *x->source);
    if (x->source == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d ranks", lines);
    x->triangle = (hesca_triangle){.type = x->type,
                                   .upper = s->upper,
                                   .transx = s->upper ? 'N' : 'C',
                                   .transy = s->upper ? 'C' : 'N',
                                   .alpha = hesca_one(x->type)};
    HESCA_TRY(err, hesca_triangle_init(&x->triangle, &x->part, x->n,
                                       x->a.local, x->a.lld));
    HESCA_TRY(err,
              hesca_panel_transpose_create(x->c, &what, TAG_TRANSPOSE,
                                           (int)(2 * x->span), &x->transpose));
fail:
    return err;
}

static int
make(hesca_inverse_job *x)
{
    int err;
    HESCA_TRY(err, make_memory(x));
    for (int k = 0; k < x->nsides; ++k) {
        hesca_inverse_side *s = &x->side[k];
        const int tag = TAG + 2 * s->upper;
        HESCA_TRY(err, hesca_panel_mcast_create(x->c, &s->factor_spec, tag,
                                                SLOTS, &s->factor));
        HESCA_TRY(err,
                  hesca_panel_mcast_create(x->c, &s->solution_spec, tag + 1,
                                           (int)x->span, &s->solution));
    }
    if (x->nsides == 1)
        HESCA_TRY(err, make_symmetric(x));
fail:
    return err;
}

static void
clear(hesca_inverse_job *x)
{
    for (int k = 0; k < x->nsides; ++k) {
        hesca_panel_mcast_free(x->side[k].factor);
        hesca_panel_mcast_free(x->side[k].solution);
    }
    hesca_panel_transpose_free(x->transpose);
    hesca_triangle_clear(&x->triangle);
    hesca_staging_unblock(x->memory);
    free(x->saved);
    free(x->col_index);
    free(x->source);
    free(x->end);
}

/* --- the sweep ---
 * Groups before x->done have updated all; x->now is solved while the one
 * before it is still updating. */

static int
update_strips(hesca_inverse_job *x)
{
    hesca_backoff wait = hesca_comm_backoff(x->c);
    int err = HESCA_SUCCESS;
    while (hesca_inverse_has_strips(x) || !hesca_inverse_is_solved(x)) {
        HESCA_TRY(err, hesca_inverse_progress(x));
        if (hesca_inverse_update_strip(x))
            wait = hesca_comm_backoff(x->c);
        else if (hesca_inverse_has_strips(x) || !hesca_inverse_is_solved(x))
            hesca_comm_pause(x->c, &wait, "a block of the inverse");
    }
fail:
    return err;
}

/* No strips of group x->now - 1 are left. */
static void
release(hesca_inverse_job *x)
{
    x->done = x->now;
    for (int k = 0; k < x->nsides; ++k) {
        hesca_panel_mcast_release(x->side[k].factor, x->done);
        hesca_panel_mcast_release(x->side[k].solution, x->done * x->span);
    }
}

static int
sweep(hesca_inverse_job *x)
{
    int err = HESCA_SUCCESS;
    x->part_of_update = x->nsides + 1; /* none */
    for (x->now = 0; x->now < x->ngroups; ++x->now) {
        HESCA_TRY(err, update_strips(x));
        release(x);
        hesca_inverse_update_next(x);
        x->group = x->now;
        x->part_of_update = 0;
        x->at = 0;
    }
    HESCA_TRY(err, update_strips(x));
    release(x);
    for (int k = 0; k < x->nsides; ++k) {
        HESCA_TRY(err, hesca_panel_mcast_end(x->side[k].factor));
        HESCA_TRY(err, hesca_panel_mcast_end(x->side[k].solution));
    }
    if (x->transpose != NULL) {
        HESCA_TRY(err, hesca_panel_transpose_end(x->transpose));
        /* Rounding may have left imaginary parts. */
        hesca_triangle_scale(&x->triangle, hesca_one(x->type));
    }
fail:
    return err;
}

/* --- the call --- */

/* The first index, from 1, of a diagonal element of this process that is zero;
 * INT64_MAX: there is none. */
static int64_t
find_zero(const hesca_inverse_job *x)
{
    for (int64_t c = x->here.c0; c < x->here.c1; ++c) {
        int64_t j;
        hesca_local_col_indices(&x->part, c, c + 1, &j);
        const int64_t r = hesca_local_row(&x->part, j);
        if (r < hesca_local_row(&x->part, j + 1) &&
            hesca_is_zero(x->type,
                          hesca_at(x->type, x->a.local, x->a.lld, r, c)))
            return j + 1;
    }
    return INT64_MAX;
}

int
hesca_invert(hesca_comm *comm, hesca_args *args, const hesca_factors *f,
             int64_t *info)
{
    hesca_inverse_job x = {.c = comm, .type = f->type, .n = f->n};
    hesca_column_interchange *interchange = NULL;
    int64_t common[2] = {0, INT64_MAX}; /* - room, the first zero */
    int err;
    if (args->err == HESCA_SUCCESS) {
        x.esize = (int64_t)hesca_type_size(f->type);
        x.a = *f->a;
        x.part = hesca_local_make(x.a.layout, x.a.i, x.a.j, comm->rank);
        x.here = hesca_local_rectangle(&x.part, x.n, x.n);
        describe(&x, f);
        common[0] = -room(&x);
        common[1] = find_zero(&x);
    }
    HESCA_TRY(err, hesca_args_agree(args, 2, common));
    *info = common[1] < INT64_MAX ? common[1] : 0;
    if (x.n == 0 || *info > 0)
        return err;
    const int64_t affordable =
        (int64_t)comm->params.buffer / hesca_max(-common[0], 1);
    const hesca_column_interchange_spec columns = {.a = x.a,
                                                   .m = x.n,
                                                   .n = x.n,
                                                   .esize = (size_t)x.esize,
                                                   .ipiv = f->ipiv};
    int made = find_blocks(&x, affordable);
    HESCA_TRY(err, hesca_agree(comm, made, 0, NULL));
    HESCA_TRY(err, share(&x));
    made = make(&x);
    if (made == HESCA_SUCCESS && f->ipiv != NULL)
        made = hesca_column_interchange_create(comm, &columns, TAG_INTERCHANGE,
                                               &interchange);
    HESCA_TRY(err, hesca_agree(comm, made, 0, NULL));
    if (x.part.here) {
        HESCA_TRY(err, sweep(&x));
        if (interchange != NULL)
            err = hesca_column_interchange_run(interchange);
    }
fail:
    hesca_column_interchange_free(interchange);
    clear(&x);
    return err;
}

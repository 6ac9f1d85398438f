/* SPDX-License-Identifier: BSD-3-Clause */
/* Routines on another grid: from the program's arguments to
 * hesca_hohe_on_grid(), or on to the original routine.
 *
 * Sizes of work spaces depend on the grid.  The original routine is asked for
 * them on both grids: on the program's it also checks all arguments, and what
 * the program has beyond that is given there as well. */
#include "shim/pblas/pregrid.h"
#include "shim/integer_width.h"
#include "shim/shim.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DTYPE_, CTXT_, BLOCK_CYCLIC_2D = 1 };

/* Room for what a question about work spaces returns: one element of each, of
 * which P?SYEVX uses three. */
typedef struct {
    double element[8];
} answer;

static const hesca_int minus_one = -1;

static int64_t
most_of(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

static int64_t
least_of(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

/* --- arguments ---
 * A walk over a row of the table finds the first of the program's arguments
 * for each. */

typedef struct {
    const hesca_regrid_argument *argument;
    void **args; /* at it */
} walk;

static int
is_space(hesca_regrid_role role)
{
    return role == REGRID_WORK || role == REGRID_RWORK || role == REGRID_IWORK;
}

/* How many of ScaLAPACK's arguments it takes. */
static int
width(const hesca_regrid_call *r, const hesca_regrid_argument *a)
{
    const int is_real = !(r->type == HESCA_C || r->type == HESCA_Z);
    if (is_real && (a->role == REGRID_RWORK || a->role == REGRID_RWORK_ALONE))
        return 0;
    return a->role == REGRID_MATRIX ? 4 : is_space(a->role) ? 2 : 1;
}

static walk
first(const hesca_regrid_call *r, void **args)
{
    return (walk){r->row->argument, args};
}

static void
next(const hesca_regrid_call *r, walk *w)
{
    w->args += width(r, w->argument);
    ++w->argument;
}

static int
is_end(const walk *w)
{
    return w->argument->role == REGRID_END;
}

/* Whether a call has an argument of this role. */
static int
has(const hesca_regrid_call *r, const walk *w, hesca_regrid_role role)
{
    const hesca_regrid_letter v = w->argument->if_v;
    return w->argument->role == role && width(r, w->argument) > 0 &&
           (v == LETTER_NONE || r->letter[v] == 'V');
}

static size_t
real_size(hesca_type type)
{
    return type == HESCA_S || type == HESCA_C ? sizeof(float) : sizeof(double);
}

static size_t
element_size(hesca_type type)
{
    const int is_complex = type == HESCA_C || type == HESCA_Z;
    return real_size(type) * (is_complex ? 2 : 1);
}

static int
read_letter(hesca_regrid_call *r, hesca_regrid_letter which, const char *text)
{
    static const char *const allowed[NLETTERS] = {
        [LETTER_UPLO] = "UL",         [LETTER_TRANS] = "NTC",
        [LETTER_SIDE] = "LR",         [LETTER_JOBZ] = "NV",
        [LETTER_JOBVT] = "NV",        [LETTER_RANGE] = "AVI",
        [LETTER_OTHER] = "ABCILNRTUV"};
    r->letter[which] = hesca_dense_letter(text, allowed[which]);
    return r->letter[which] != '\0';
}

/* Letters and counts, and the extents that they determine.
 * \return 1, or 0 if a letter is none that the routine knows. */
static int
read_scalars(hesca_regrid_call *r)
{
    int64_t *x = r->extent;
    for (walk w = first(r, r->args); !is_end(&w); next(r, &w)) {
        if (has(r, &w, REGRID_LETTER) &&
            !read_letter(r, (hesca_regrid_letter)w.argument->which, *w.args))
            return 0;
        if (has(r, &w, REGRID_COUNT))
            x[w.argument->which] = *(const hesca_int *)*w.args;
    }
    const int nota = r->letter[LETTER_TRANS] == 'N';
    x[EXTENT_ONE] = 1;
    x[EXTENT_MAX] = most_of(x[EXTENT_M], x[EXTENT_N]);
    x[EXTENT_MIN] = least_of(x[EXTENT_M], x[EXTENT_N]);
    x[EXTENT_SIDE] = x[r->letter[LETTER_SIDE] == 'L' ? EXTENT_M : EXTENT_N];
    x[EXTENT_OP] = x[nota ? EXTENT_N : EXTENT_K];
    x[EXTENT_OTHER] = x[nota ? EXTENT_K : EXTENT_N];
    return 1;
}

/* Whether the program asks for the sizes of work spaces. */
static int
is_question(const hesca_regrid_call *r)
{
    for (walk w = first(r, r->args); !is_end(&w); next(r, &w))
        if (is_space(w.argument->role) && width(r, w.argument) > 0 &&
            *(const hesca_int *)w.args[1] == -1)
            return 1;
    return 0;
}

static int
is_same_start(const hesca_side *a, const hesca_side *b)
{
    return a->mb == b->mb && a->nb == b->nb &&
           (a->i / a->mb + a->rsrc) % a->nprow ==
               (b->i / b->mb + b->rsrc) % b->nprow &&
           (a->j / a->nb + a->csrc) % a->npcol ==
               (b->j / b->nb + b->csrc) % b->npcol;
}

/* Descriptors of 11 entries are for the PBLAS alone. */
static int
is_described(const hesca_regrid_call *r, int k)
{
    return r->row->rule == REGRID_ANY ||
           r->matrix[k].desc[DTYPE_] == BLOCK_CYCLIC_2D;
}

/* Whether the original routine accepts how matrix k is distributed. */
static int
is_accepted(const hesca_regrid_call *r, int k)
{
    const hesca_side *a = &r->side[0], *b = &r->side[k];
    const int is_same = a->m == b->m && a->n == b->n && a->i == b->i &&
                        a->j == b->j && a->rsrc == b->rsrc &&
                        a->csrc == b->csrc;
    return r->row->rule == REGRID_ANY ||
           (hesca_pblas_is_aligned(b) && is_same_start(a, b) &&
            (r->row->rule != REGRID_SAME || is_same));
}

static hesca_part
part_of(const hesca_regrid_call *r, const hesca_regrid_argument *a)
{
    return !a->is_triangle                 ? HESCA_ALL
           : r->letter[LETTER_UPLO] == 'U' ? HESCA_UPPER
                                           : HESCA_LOWER;
}

/* Columns of Z that the call may write. */
static int64_t
copied(const hesca_regrid_call *r, const hesca_regrid_argument *a)
{
    const int64_t n = r->extent[a->cols];
    return a->if_v == LETTER_JOBZ && r->letter[LETTER_RANGE] == 'I'
               ? least_of(n, r->extent[EXTENT_IU] - r->extent[EXTENT_IL] + 1)
               : n;
}

/* The matrices, of the call and of the job.
 * \return 1 if HESCA can serve them, all with elements. */
static int
read_matrices(hesca_regrid_call *r, const hesca_pblas_call *x,
              hesca_hohe_job *job)
{
    int k = 0;
    for (walk w = first(r, r->args); !is_end(&w); next(r, &w)) {
        const hesca_regrid_argument *a = w.argument;
        const int64_t m = r->extent[a->rows], n = r->extent[a->cols];
        if (!has(r, &w, REGRID_MATRIX))
            continue;
        r->matrix[k] =
            (hesca_pblas_matrix){w.args[0], w.args[1], w.args[2], w.args[3]};
        if (m < 1 || n < 1 || copied(r, a) < 1 || !is_described(r, k) ||
            !hesca_pblas_side(x, &r->matrix[k], m, n, &r->side[k]) ||
            !is_accepted(r, k))
            return 0;
        job->argument[k] = (hesca_hohe_argument){
            r->side[k],    m,        n,        copied(r, a),
            part_of(r, a), a->reads, a->writes};
        ++k;
    }
    job->narguments = k;
    return 1;
}

/* Whether it is not known how many eigenvectors there will be, so not what of
 * Z may be written; or whether the work space of P?SYEVR for a few of them may
 * be too short on another grid, which it does not report. */
static int
is_unsure(const hesca_regrid_call *r)
{
    const char range = r->letter[LETTER_RANGE];
    return r->letter[LETTER_JOBZ] == 'V' &&
           (range == 'V' || (range == 'I' && r->routine == PSYEVR));
}

/* What is equal on all processes.
 * \return 1 if HESCA can serve it, and there is something to compute. */
static int
translate(hesca_regrid_call *r, const hesca_pblas_call *x, hesca_hohe_job *job)
{
    const hesca_regrid_extent *terms = r->row->terms;
    r->extent[EXTENT_PROCESSES] = (int64_t)x->nprow * x->npcol;
    r->extent[EXTENT_TWO_PROCESSES] = 2 * r->extent[EXTENT_PROCESSES];
    if (is_question(r) || is_unsure(r) || !read_matrices(r, x, job))
        return 0;
    const int is_vectors =
        r->letter[LETTER_JOBZ] != 'N' || r->letter[LETTER_JOBVT] == 'V';
    job->routine = is_vectors ? r->row->cost : r->row->cost_of_values;
    job->type = r->type;
    job->m = r->extent[terms[0]];
    job->n = r->extent[terms[1]];
    job->k = r->extent[terms[2]];
    return job->m > 0 && job->n > 0 && job->k > 0;
}

/* --- what the call has besides matrices ---
 * TAU and pivots by their global number, then what all processes get, each
 * argument in a segment of its own. */

enum { ALIGNED = 16 };

static size_t
segment(const hesca_regrid_call *r, const hesca_regrid_argument *a)
{
    const size_t size = a->role == REGRID_TAU      ? element_size(r->type)
                        : a->role == REGRID_PIVOTS ? sizeof(int64_t)
                        : a->role == REGRID_REALS  ? real_size(r->type)
                                                   : sizeof(hesca_int);
    const size_t bytes = (size_t)r->extent[a->rows] * size;
    return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static int
is_taken(const hesca_regrid_call *r, const walk *w)
{
    return has(r, w, REGRID_PIVOTS) ||
           (has(r, w, REGRID_TAU) && w->argument->reads);
}

static int
is_given(const hesca_regrid_call *r, const walk *w)
{
    return has(r, w, REGRID_REALS) || has(r, w, REGRID_INTS);
}

static int
is_made(const hesca_regrid_call *r, const walk *w)
{
    return is_given(r, w) || (has(r, w, REGRID_TAU) && w->argument->writes);
}

static int
allocate_vectors(hesca_regrid_call *r)
{
    hesca_hohe_vectors *v = &r->vectors;
    for (walk w = first(r, r->args); !is_end(&w); next(r, &w)) {
        v->ntaken += is_taken(r, &w) ? segment(r, w.argument) : 0;
        v->nmade += is_made(r, &w) ? segment(r, w.argument) : 0;
    }
    v->taken = calloc(1, v->ntaken + 1);
    v->made = calloc(1, v->nmade + 1);
    return v->taken != NULL && v->made != NULL
               ? HESCA_SUCCESS
               : hesca_error_set(HESCA_ERR_NOMEM, 0, "no memory for vectors");
}

/* Copy TAU, or pivots, between a process's part and all of them; the part
 * belongs to rows or columns from `from` on, in blocks of nb. */
typedef struct {
    int64_t from;
    int nb, src, me, np;
} axis;

static void
copy_tau(size_t esize, int64_t n, axis x, char *part, char *all, int is_out)
{
    int64_t at;
    for (int64_t t = 0; t < n; ++t) {
        if (!hesca_pblas_is_here(x.from + t, x.nb, x.src, x.me, x.np, &at))
            continue;
        char *here = part + (size_t)at * esize;
        char *there = all + (size_t)t * esize;
        memcpy(is_out ? there : here, is_out ? here : there, esize);
    }
}

/* Pivots are rows from 1, in `all` of sub(A), in a part of A. */
static void
copy_pivots(int64_t n, axis x, hesca_int *part, int64_t *all, int is_out)
{
    int64_t at;
    for (int64_t t = 0; t < n; ++t) {
        if (!hesca_pblas_is_here(x.from + t, x.nb, x.src, x.me, x.np, &at))
            continue;
        if (is_out)
            all[t] = part[at] - x.from;
        else
            part[at] = (hesca_int)(all[t] + x.from);
    }
}

static axis
rows_of(const hesca_side *s)
{
    return (axis){s->i, s->mb, s->rsrc, s->myrow, s->nprow};
}

static axis
columns_of(const hesca_side *s)
{
    return (axis){s->j, s->nb, s->csrc, s->mycol, s->npcol};
}

/* This process's part of what the call reads; each is on one process alone of
 * a row or column. */
static void
take(hesca_regrid_call *r)
{
    const hesca_side *s = &r->side[0];
    for (walk w = first(r, r->args); !is_end(&w); next(r, &w)) {
        const int64_t n = r->extent[w.argument->rows];
        if (has(r, &w, REGRID_PIVOTS) && s->mycol == 0)
            copy_pivots(n, rows_of(s), *w.args, r->vectors.taken, 1);
        else if (is_taken(r, &w) && w.argument->role == REGRID_TAU &&
                 s->myrow == 0)
            copy_tau(element_size(r->type), n, columns_of(s), *w.args,
                     r->vectors.taken, 1);
    }
}

/* What the call has made, to where the program wants it. */
static void
give(const hesca_regrid_call *r)
{
    char *made = r->vectors.made;
    for (walk w = first(r, r->args); !is_end(&w); next(r, &w)) {
        const int64_t n = r->extent[w.argument->rows];
        if (!is_made(r, &w))
            continue;
        if (w.argument->role == REGRID_TAU)
            copy_tau(element_size(r->type), n, columns_of(&r->side[0]),
                     *w.args, made, 0);
        else
            memcpy(*w.args, made,
                   (size_t)n * (w.argument->role == REGRID_REALS
                                    ? real_size(r->type)
                                    : sizeof(hesca_int)));
        made += segment(r, w.argument);
    }
}

/* --- work spaces --- */

static size_t
space_size(const hesca_regrid_call *r, hesca_regrid_role role)
{
    return role == REGRID_WORK    ? element_size(r->type)
           : role == REGRID_IWORK ? sizeof(hesca_int)
                                  : real_size(r->type);
}

/* A size that has been returned; single precision may have rounded it. */
static hesca_int
read_size(const hesca_regrid_call *r, hesca_regrid_role role, const void *x)
{
    if (role == REGRID_IWORK)
        return *(const hesca_int *)x;
    if (real_size(r->type) == sizeof(double))
        return (hesca_int) * (const double *)x;
    const double size = *(const float *)x;
    return (hesca_int)(size * (1 + 2e-7)) + (size > 1 << 24);
}

/* Store a size where the original routine returns it. */
static void
write_size(const hesca_regrid_call *r, hesca_regrid_role role, hesca_int size,
           void *x)
{
    if (role == REGRID_IWORK)
        *(hesca_int *)x = size;
    else if (real_size(r->type) == sizeof(double))
        *(double *)x = (double)size;
    else
        *(float *)x = (float)size;
}

/* Ask for the sizes that the call has with these arguments.
 * \return INFO. */
static hesca_int
ask(const hesca_regrid_call *r, void *const args[], hesca_int length[NSPACES])
{
    void *asking[NARGS];
    answer room[NSPACES + 1] = {{{0}}};
    hesca_int info = 0;
    int k = 0;
    memcpy(asking, args, (size_t)r->nargs * sizeof *asking);
    for (walk w = first(r, asking); !is_end(&w); next(r, &w)) {
        if (is_space(w.argument->role) && width(r, w.argument) > 0) {
            w.args[0] = &room[k++];
            w.args[1] = (void *)(uintptr_t)&minus_one;
        } else if (has(r, &w, REGRID_RWORK_ALONE)) {
            w.args[0] = &room[NSPACES];
        } else if (has(r, &w, REGRID_INFO)) {
            w.args[0] = &info;
        }
    }
    ++hesca_inside_original;
    hesca_regrid_original(r->routine, r->type, asking);
    --hesca_inside_original;
    k = 0;
    for (walk w = first(r, asking); !is_end(&w); next(r, &w))
        if (is_space(w.argument->role) && width(r, w.argument) > 0) {
            length[k] = read_size(r, w.argument->role, &room[k]);
            ++k;
        }
    return info;
}

/* The least sizes on the program's grid: what the routine returns, but for
 * those that return more than they need.  Source: opening comments of
 * ScaLAPACK SRC/pdsyevx.f, pzheevx.f, pdsyevr.f, pzheevr.f. */
static void
set_least(const hesca_regrid_call *r, int64_t least[NSPACES])
{
    const int64_t *x = r->extent;
    const int64_t n = x[EXTENT_N], nb = r->side[0].nb;
    const int64_t nn = most_of(most_of(n, nb), 2);
    const int64_t found =
        r->letter[LETTER_RANGE] == 'I' ? x[EXTENT_IU] - x[EXTENT_IL] + 1 : n;
    const int64_t some = most_of(most_of(found, nb), 2);
    const int64_t p = hesca_numroc(nn, (int)nb, 0, 0, r->side[0].nprow);
    const int64_t q = hesca_numroc(some, (int)nb, 0, 0, r->side[0].npcol);
    const int64_t each =
        (found + x[EXTENT_PROCESSES] - 1) / x[EXTENT_PROCESSES];
    const int is_complex = r->type == HESCA_C || r->type == HESCA_Z;
    const int is_r = r->routine == PSYEVR,
              vectors = r->letter[LETTER_JOBZ] == 'V';
    for (int k = 0; k < NSPACES; ++k)
        least[k] = r->length[k];
    if (r->letter[LETTER_RANGE] == '\0')
        return;
    int64_t *reals = &least[is_complex];
    if (is_r && vectors)
        *reals = 2 + 5 * n + most_of(18 * nn, p * q + 2 * nb * nb) +
                 (2 + each) * nn;
    else if (is_r)
        *reals = 2 + 5 * n + most_of(12 * nn, nb * (p + 1));
    else if (vectors)
        *reals = (is_complex ? 4 : 5) * n +
                 most_of(5 * nn, p * q + (is_complex ? 0 : 2 * nb * nb)) +
                 each * nn;
    else
        *reals = is_complex ? 4 * n + 5 * nn
                            : 5 * n + most_of(5 * nn, nb * (p + 1));
    if (is_complex)
        least[0] =
            n + (vectors ? (p + q + nb) * nb : most_of(nb * (p + 1), 3 * nb));
    for (int k = 0; k < NSPACES; ++k)
        least[k] = least_of(least[k], r->length[k]);
}

/* Ask on the program's grid; all its processes.
 * \return HESCA_SUCCESS; HESCA_ERR_ARG if the original routine refuses the
 *         call, or has to say whether its work spaces are enough. */
static int
ask_at_home(hesca_regrid_call *r)
{
    int64_t least[NSPACES];
    int k = 0;
    r->refused = (int)ask(r, r->args, r->length);
    if (r->refused != 0)
        return hesca_error_set(HESCA_ERR_ARG, 0,
                               "the routine refuses its arguments");
    set_least(r, least);
    for (walk w = first(r, r->args); !is_end(&w); next(r, &w))
        if (is_space(w.argument->role) && width(r, w.argument) > 0 &&
            *(const hesca_int *)w.args[1] < least[k++])
            return hesca_error_set(HESCA_ERR_ARG, 0,
                                   "a work space is shorter than the size "
                                   "that the routine returns");
    return HESCA_SUCCESS;
}

/* --- the call on another grid --- */

/* ScaLAPACK's arguments there. */
typedef struct {
    void *args[NARGS];
    hesca_int desc[NMATRICES][HESCA_DENSE_ENTRIES];
    hesca_int info;
} there;

static void
set_matrix(void **args, const hesca_pblas_matrix *x)
{
    args[0] = x->local;
    args[1] = (void *)(uintptr_t)x->i;
    args[2] = (void *)(uintptr_t)x->j;
    args[3] = (void *)(uintptr_t)x->desc;
}

/* Matrices that the call does not reference are the first one. */
static void
set_there(hesca_regrid_call *r, hesca_int ictxt, const hesca_hohe_work *work,
          there *t)
{
    char *given = r->given;
    int k = 0, s = 0;
    memcpy(t->args, r->args, (size_t)r->nargs * sizeof *r->args);
    for (walk w = first(r, t->args); !is_end(&w); next(r, &w)) {
        if (w.argument->role == REGRID_MATRIX) {
            const int is_there = has(r, &w, REGRID_MATRIX);
            const hesca_pblas_matrix x = hesca_pblas_describe(
                ictxt, work, is_there ? k : 0, t->desc[is_there ? k : 0]);
            set_matrix(w.args, &x);
            k += is_there;
        } else if (is_space(w.argument->role) && width(r, w.argument) > 0) {
            w.args[0] = r->space[s];
            w.args[1] = &r->length_there[s++];
        } else if (has(r, &w, REGRID_RWORK_ALONE)) {
            w.args[0] = r->space[NSPACES];
        } else if (is_given(r, &w)) {
            w.args[0] = given;
            given += segment(r, w.argument);
        } else if (has(r, &w, REGRID_TAU) || has(r, &w, REGRID_PIVOTS)) {
            w.args[0] = r->local;
        } else if (has(r, &w, REGRID_INFO)) {
            w.args[0] = &t->info;
        }
    }
}

/* Of the first matrix, and a block more. */
static int64_t
local_rows(const hesca_hohe_work *work)
{
    return work->matrix[0].lld + work->nb;
}

static int64_t
local_columns(const hesca_hohe_work *work)
{
    return (work->matrix[0].n / work->nb / work->npcol + 2) * work->nb;
}

static int
allocate_there(hesca_regrid_call *r, const hesca_hohe_work *work)
{
    const size_t local =
        (size_t)most_of(local_rows(work), local_columns(work));
    r->given = calloc(1, r->vectors.nmade + 1);
    r->local = calloc(local, sizeof(answer));
    return r->given != NULL && r->local != NULL
               ? HESCA_SUCCESS
               : hesca_error_set(HESCA_ERR_NOMEM, 0, "no memory for vectors");
}

/* P?SYEVD says less than P?ORMTR in it needs where a block is larger than the
 * matrix; that need is added to all. */
static int64_t
reserve(const hesca_hohe_work *work)
{
    const int64_t nb = work->nb;
    return (local_rows(work) + local_columns(work) + 2 * nb) * nb;
}

static int
allocate_spaces(hesca_regrid_call *r, const hesca_hohe_work *work)
{
    const size_t reals = 1 + 4 * (size_t)r->extent[EXTENT_MAX];
    int k = 0;
    for (walk w = first(r, r->args); !is_end(&w); next(r, &w)) {
        if (has(r, &w, REGRID_RWORK_ALONE) &&
            (r->space[NSPACES] = calloc(reals, real_size(r->type))) == NULL)
            break;
        if (!is_space(w.argument->role) || width(r, w.argument) == 0)
            continue;
        const hesca_int mine = *(const hesca_int *)w.args[1];
        const int64_t wanted =
            r->length_there[k] + most_of((int64_t)mine - r->length[k], 0) +
            (w.argument->role == REGRID_WORK ? reserve(work) : 0);
        if (wanted > (sizeof(hesca_int) == 4 ? INT32_MAX : INT64_MAX / 16))
            return hesca_error_set(HESCA_ERR_ARG, 0,
                                   "a work space is too long to count");
        r->length_there[k] = (hesca_int)most_of(wanted, 1);
        r->space[k] = calloc((size_t)r->length_there[k],
                             space_size(r, w.argument->role));
        if (r->space[k++] == NULL)
            return hesca_error_set(HESCA_ERR_NOMEM, 0,
                                   "no memory for work spaces");
    }
    return HESCA_SUCCESS;
}

static int
has_spaces(const hesca_regrid_call *r)
{
    for (walk w = first(r, r->args); !is_end(&w); next(r, &w))
        if (is_space(w.argument->role))
            return 1;
    return 0;
}

/* hesca_hohe_original's prepare().  All processes that are to call the
 * original routine do so, whatever has failed on one of them. */
static int
prepare_there(void *call, void *handle, const hesca_hohe_work *work)
{
    hesca_regrid_call *r = call;
    const hesca_int ictxt = hesca_pblas_grid_context(handle);
    const int asks = has_spaces(r);
    there t = {.info = 0};
    int err = asks ? ask_at_home(r) : HESCA_SUCCESS;
    if (work == NULL)
        return err;
    const int allocated = allocate_there(r, work);
    if (asks) {
        set_there(r, ictxt, work, &t);
        t.info = ask(r, t.args, r->length_there);
    }
    if (err == HESCA_SUCCESS)
        err = allocated;
    if (err == HESCA_SUCCESS && t.info != 0)
        err = hesca_error_set(HESCA_ERR_ARG, 0,
                              "the routine refuses another grid");
    return err == HESCA_SUCCESS ? allocate_spaces(r, work) : err;
}

/* TAU or pivots that the call reads, to this process's part there. */
static void
take_there(hesca_regrid_call *r, const hesca_hohe_work *work)
{
    void *all = r->vectors.taken;
    for (walk w = first(r, r->args); !is_end(&w); next(r, &w)) {
        const int64_t n = r->extent[w.argument->rows];
        if (has(r, &w, REGRID_PIVOTS))
            copy_pivots(n, (axis){0, work->nb, 0, work->myrow, work->nprow},
                        r->local, all, 0);
        else if (is_taken(r, &w))
            copy_tau(element_size(r->type), n,
                     (axis){0, work->nb, 0, work->mycol, work->npcol},
                     r->local, all, 0);
    }
}

/* What this process makes, each element by one process alone. */
static void
collect(const hesca_regrid_call *r, const hesca_hohe_work *work)
{
    char *made = work->made;
    const char *given = r->given;
    for (walk w = first(r, r->args); !is_end(&w); next(r, &w)) {
        if (!is_made(r, &w))
            continue;
        const size_t bytes = segment(r, w.argument);
        if (w.argument->role == REGRID_TAU && work->myrow == 0)
            copy_tau(element_size(r->type), r->extent[w.argument->rows],
                     (axis){0, work->nb, 0, work->mycol, work->npcol},
                     r->local, made, 1);
        if (is_given(r, &w)) {
            if (work->myrow == 0 && work->mycol == 0)
                memcpy(made, given, bytes);
            given += bytes;
        }
        made += bytes;
    }
}

/* hesca_hohe_original's run(). */
static int
run_there(void *call, void *handle, hesca_hohe_work *work)
{
    hesca_regrid_call *r = call;
    there t = {.info = 0};
    if (work == NULL)
        return HESCA_SUCCESS;
    take_there(r, work);
    set_there(r, hesca_pblas_grid_context(handle), work, &t);
    ++hesca_inside_original;
    hesca_regrid_original(r->routine, r->type, t.args);
    --hesca_inside_original;
    work->info = t.info;
    collect(r, work);
    return HESCA_SUCCESS;
}

/* --- the call --- */

static int
check_local(const hesca_regrid_call *r, int nmatrices)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < nmatrices && err == HESCA_SUCCESS; ++k)
        err = hesca_pblas_check_local(&r->side[k]);
    return err;
}

/* Compute on another grid, if that is decided. */
static int
compute(hesca_regrid_call *r, const hesca_pblas_call *x,
        const hesca_hohe_job *job, const hesca_hohe_original *original,
        hesca_hohe_info *info, int64_t *result)
{
    void *local[NMATRICES];
    int err = check_local(r, job->narguments);
    const int allocated = allocate_vectors(r);
    if (err == HESCA_SUCCESS)
        err = allocated;
    if (err == HESCA_SUCCESS)
        take(r);
    for (int k = 0; k < job->narguments; ++k)
        local[k] = r->matrix[k].local;
    return hesca_hohe_on_grid(err, job, local, x->comm, original, &r->vectors,
                              result, info);
}

/* Store what the original routine would have stored. */
static void
finish(const hesca_regrid_call *r, hesca_int info)
{
    int k = 0;
    give(r);
    for (walk w = first(r, r->args); !is_end(&w); next(r, &w)) {
        if (is_space(w.argument->role) && width(r, w.argument) > 0) {
            if (*(const hesca_int *)w.args[1] > 0)
                write_size(r, w.argument->role, r->length[k], w.args[0]);
            ++k;
        }
        if (has(r, &w, REGRID_INFO))
            *(hesca_int *)*w.args = info;
    }
}

static void
set_info(const hesca_regrid_call *r, hesca_int info)
{
    for (walk w = first(r, r->args); !is_end(&w); next(r, &w))
        if (has(r, &w, REGRID_INFO))
            *(hesca_int *)*w.args = info;
}

static void
clear(hesca_regrid_call *r)
{
    for (int k = 0; k <= NSPACES; ++k)
        free(r->space[k]);
    free(r->given);
    free(r->local);
    free(r->vectors.taken);
    free(r->vectors.made);
}

/* The context of the first matrix. */
static hesca_int
context_of(const hesca_regrid_call *r)
{
    walk w = first(r, r->args);
    while (w.argument->role != REGRID_MATRIX)
        next(r, &w);
    return ((const hesca_int *)w.args[3])[CTXT_];
}

/* \return 1 if it is done, 0 if the original routine is to be called. */
static int
serve(hesca_regrid_call *r, hesca_int ictxt)
{
    const hesca_hohe_original way = {.call = r,
                                     .open = hesca_pblas_grid_create,
                                     .prepare = prepare_there,
                                     .run = run_there,
                                     .close = hesca_pblas_grid_free};
    const int reaches = hesca_pblas_grid_is_possible() &&
                        hesca_pblas_original(r->routine, r->type) != NULL;
    const hesca_hohe_original *original = reaches ? &way : NULL;
    hesca_pblas_call x = {
        .routine = r->routine, .type = r->type, .ictxt = ictxt};
    hesca_hohe_job job = {.routine = r->row->cost};
    hesca_hohe_info info;
    int64_t result = 0;
    const int is_known = read_scalars(r);
    x.m = r->extent[r->row->terms[0]];
    x.n = r->extent[r->row->terms[1]];
    x.k = r->extent[r->row->terms[2]];
    const int begun = hesca_pblas_begin(&x);
    if (begun < 0)
        set_info(r, HESCA_NOT_DONE);
    if (begun <= 0)
        return begun < 0;
    if (!is_known || !translate(r, &x, &job)) {
        hesca_hohe_decline(job.routine, x.comm, original);
        hesca_pblas_refuse(&x);
        return 0;
    }
    const double start = x.params.verbose > 0 ? PMPI_Wtime() : 0;
    const int err = compute(r, &x, &job, original, &info, &result);
    if (err != HESCA_SUCCESS && r->refused != 0) {
        set_info(r, r->refused);
        return 1;
    }
    if (!hesca_pblas_end(&x, err, &info, start))
        return 0;
    if (err == HESCA_SUCCESS)
        finish(r, (hesca_int)result);
    else
        set_info(r, HESCA_NOT_DONE);
    return 1;
}

void
hesca_regrid_serve(hesca_pblas_routine routine, hesca_type type,
                   const void *caller, void *args[], int nargs)
{
    hesca_regrid_call r = {.routine = routine,
                           .type = type,
                           .row = &hesca_regrid_table[routine],
                           .args = args,
                           .nargs = nargs};
    int done = 0;
    if (!hesca_inside_original && hesca_width_fits()) {
        const hesca_int ictxt = context_of(&r);
        if (!hesca_pblas_is_left(ictxt, routine, type) &&
            !hesca_pblas_is_nested(routine, type, caller)) {
            hesca_caller_set(hesca_pblas_name(routine, type));
            done = serve(&r, ictxt);
            hesca_caller_set(NULL);
            clear(&r);
        }
    }
    if (!done)
        hesca_regrid_original(routine, type, args);
}

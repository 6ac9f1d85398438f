/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of a routine on another grid: letters and numbers, and
 * matrices as hesca_hohe_on_grid() has them. */
#include "shim/pblas/pregrid.h"

enum { DTYPE_, CTXT_, BLOCK_CYCLIC_2D = 1 };

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
int
hesca_regrid_read(hesca_regrid_call *r)
{
    int64_t *x = r->extent;
    for (hesca_regrid_walk w = hesca_regrid_first(r, r->args);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w)) {
        if (hesca_regrid_has(r, &w, REGRID_LETTER) &&
            !read_letter(r, (hesca_regrid_letter)w.argument->which, *w.args))
            return 0;
        if (hesca_regrid_has(r, &w, REGRID_COUNT))
            x[w.argument->which] = *(const hesca_int *)*w.args;
    }
    const int nota = r->letter[LETTER_TRANS] == 'N';
    x[EXTENT_ONE] = 1;
    x[EXTENT_MAX] = hesca_regrid_most(x[EXTENT_M], x[EXTENT_N]);
    x[EXTENT_MIN] = hesca_regrid_least(x[EXTENT_M], x[EXTENT_N]);
    x[EXTENT_SIDE] = x[r->letter[LETTER_SIDE] == 'L' ? EXTENT_M : EXTENT_N];
    x[EXTENT_OP] = x[nota ? EXTENT_N : EXTENT_K];
    x[EXTENT_OTHER] = x[nota ? EXTENT_K : EXTENT_N];
    return 1;
}

int
hesca_regrid_is_question(const hesca_regrid_call *r)
{
    for (hesca_regrid_walk w = hesca_regrid_first(r, r->args);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w))
        if (hesca_regrid_is_space(w.argument->role) &&
            hesca_regrid_width(r, w.argument) > 0 &&
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
               ? hesca_regrid_least(n, r->extent[EXTENT_IU] -
                                           r->extent[EXTENT_IL] + 1)
               : n;
}

/* The matrices, of the call and of the job.
 * \return 1 if HESCA can serve them, all with elements. */
static int
read_matrices(hesca_regrid_call *r, const hesca_pblas_call *x,
              hesca_hohe_job *job)
{
    int k = 0;
    for (hesca_regrid_walk w = hesca_regrid_first(r, r->args);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w)) {
        const hesca_regrid_argument *a = w.argument;
        const int64_t m = r->extent[a->rows], n = r->extent[a->cols];
        if (!hesca_regrid_has(r, &w, REGRID_MATRIX))
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
int
hesca_regrid_translate(hesca_regrid_call *r, const hesca_pblas_call *x,
                       hesca_hohe_job *job)
{
    const hesca_regrid_extent *terms = r->row->terms;
    r->extent[EXTENT_PROCESSES] = (int64_t)x->nprow * x->npcol;
    r->extent[EXTENT_TWO_PROCESSES] = 2 * r->extent[EXTENT_PROCESSES];
    if (is_unsure(r) || !read_matrices(r, x, job))
        return 0;
    const int is_vectors =
        r->letter[LETTER_JOBZ] != 'N' || r->letter[LETTER_JOBVT] == 'V';
    job->routine = is_vectors ? r->row->cost : r->row->cost_of_values;
    job->type = r->type;
    job->m = r->extent[terms[0]];
    job->n = r->extent[terms[1]];
    job->k = r->extent[terms[2]];
    if (r->routine == PTRSM) {
        job->right = r->letter[LETTER_SIDE] == 'R';
        job->transa = r->letter[LETTER_TRANS] != 'N';
    }
    return job->m > 0 && job->n > 0 && job->k > 0;
}

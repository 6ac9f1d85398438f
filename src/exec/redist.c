/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls that plan: the arguments are checked once, here, and agreed
 * on. */
#include "hesca/redist.h"
#include "base/arith.h"
#include "base/hash.h"
#include "base/status.h"
#include "exec/agree.h"
#include "exec/plan.h"
#include "exec/plan_cache.h"
#include "exec/staging.h"
#include <stdlib.h>
#include <string.h>

static const char CREATE[] = "hesca_plan_create";
static const char REDIST[] = "hesca_redistribute";

/* A condition on an argument. */
typedef struct {
    const char *name;
    int info;
    int64_t value;
    int ok;
    const char *must;
} rule;

static int
check_rules(const char *routine, const rule *rules, int n)
{
    for (int k = 0; k < n; ++k)
        if (!rules[k].ok)
            return hesca_fail_arg(routine, rules[k].info, rules[k].name,
                                  rules[k].value, rules[k].must);
    return HESCA_SUCCESS;
}

/* --- hesca_plan_create ---
 * Checked locally, then agreed, then compared among the processes. */

typedef struct {
    hesca_part part;
    int64_t m, n;
    const hesca_matrix *a, *b;
    size_t esize;
} request;

static int
ranks_fit(const hesca_layout *x, int size)
{
    for (int k = 0; k < x->nprow * x->npcol; ++k)
        if (x->ranks[k] >= size)
            return 0;
    return 1;
}

/* Fields of hesca_matrix, for hesca_error_info(). */
enum {
    ARG_A = 4,
    ARG_B,
    LAYOUT = 1,
    FIRST_ROW,
    FIRST_COL,
    MATRIX_RESERVED = 6
};

static int
check_matrix(const request *q, int arg, int size)
{
    const hesca_matrix *x = arg == ARG_A ? q->a : q->b;
    const char *name = arg == ARG_A ? "a" : "b";
    const int base = 100 * arg;
    if (x == NULL || x->layout == NULL)
        return hesca_fail_null(CREATE, x == NULL ? arg : base + LAYOUT, name);
    const int64_t m = hesca_layout_m(x->layout), n = hesca_layout_n(x->layout);
    const char *inside = "such that the submatrix lies inside the matrix";
    const rule rules[] = {
        {arg == ARG_A ? "i of a" : "i of b", base + FIRST_ROW, x->i,
         x->i >= 0 && q->m <= m - x->i, inside},
        {arg == ARG_A ? "j of a" : "j of b", base + FIRST_COL, x->j,
         x->j >= 0 && q->n <= n - x->j, inside},
        {arg == ARG_A ? "ranks of a" : "ranks of b", base + LAYOUT, size,
         ranks_fit(x->layout, size), "more than every rank of the layout"},
        {arg == ARG_A ? "reserved of a" : "reserved of b",
         base + MATRIX_RESERVED, hesca_first_nonzero(x->reserved, 2),
         hesca_first_nonzero(x->reserved, 2) == 0, "0"},
    };
    return check_rules(CREATE, rules, sizeof rules / sizeof *rules);
}

static int
check_create(const request *q, int size)
{
    const rule rules[] = {
        {"part", 1, q->part, (unsigned)q->part <= HESCA_LOWER_STRICT,
         "one of hesca_part"},
        {"m", 2, q->m, q->m >= 0, "at least 0"},
        {"n", 3, q->n, q->n >= 0, "at least 0"},
        {"esize", 6, (int64_t)q->esize, q->esize >= 1, "at least 1"},
    };
    int err = check_rules(CREATE, rules, sizeof rules / sizeof *rules);
    for (int arg = ARG_A; arg <= ARG_B && err == HESCA_SUCCESS; ++arg)
        err = check_matrix(q, arg, size);
    return err;
}

/* All processes must have passed the same arguments. */
static int
compare_create(const hesca_comm *c, const request *q)
{
    hesca_common common[] = {
        {"argument 1, part,", 1, 1, q->part},
        {"argument 2, m,", 2, 1, q->m},
        {"argument 3, n,", 3, 1, q->n},
        {"the layout of argument 4, a, (fingerprint)", 100 * ARG_A + LAYOUT, 1,
         hesca_layout_fingerprint(q->a->layout)},
        {"argument 4, i of a,", 100 * ARG_A + FIRST_ROW, 1, q->a->i},
        {"argument 4, j of a,", 100 * ARG_A + FIRST_COL, 1, q->a->j},
        {"the layout of argument 5, b, (fingerprint)", 100 * ARG_B + LAYOUT, 1,
         hesca_layout_fingerprint(q->b->layout)},
        {"argument 5, i of b,", 100 * ARG_B + FIRST_ROW, 1, q->b->i},
        {"argument 5, j of b,", 100 * ARG_B + FIRST_COL, 1, q->b->j},
        {"argument 6, esize,", 6, 1, (int64_t)q->esize},
    };
    return hesca_agree_common(c, CREATE, sizeof common / sizeof *common,
                              common, NULL);
}

int
hesca_plan_create(hesca_part part, int64_t m, int64_t n, const hesca_matrix *a,
                  const hesca_matrix *b, size_t esize, MPI_Comm comm,
                  hesca_plan **plan)
{
    const request q = {part, m, n, a, b, esize};
    hesca_comm *c;
    hesca_plan *made = NULL;
    int err;
    hesca_caller_enter(CREATE);
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    err = check_create(&q, c->size);
    if (err == HESCA_SUCCESS && plan == NULL)
        err = hesca_fail_null(CREATE, 8, "plan");
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err, compare_create(c, &q));
    err = hesca_plan_make_between(part, m, n, a, b, esize, c, &made);
    err = hesca_agree(c, err, 0, NULL);
    if (err < 0) {
        hesca_plan_free(made);
        made = NULL;
    }
fail:
    if (plan != NULL)
        *plan = made;
    return err;
}

/* --- hesca_redistribute ---
 * Views are local; processes in neither grid take part in all agreements. */

/* Fields of hesca_side, counted from 1 in their order, for hesca_error_info():
 * 100 i + field for argument i. */
enum {
    NPROW = 2,
    NPCOL,
    MYROW,
    MYCOL,
    M,
    N,
    MB,
    NB,
    RSRC,
    CSRC,
    I,
    J,
    LLD,
    SIDE_RESERVED
};

static int
check_side(const hesca_side *s, const char *name, int arg, int64_t m,
           int64_t n)
{
    const int base = 100 * arg;
    if (s == NULL)
        return hesca_fail_null(REDIST, arg, name);
    if (!s->member || m == 0 || n == 0)
        return HESCA_SUCCESS; /* as in ScaLAPACK, nothing else is checked */
    const char *inside = "such that the submatrix lies inside the matrix";
    const rule rules[] = {
        {"nprow", base + NPROW, s->nprow, s->nprow >= 1, "at least 1"},
        {"npcol", base + NPCOL, s->npcol, s->npcol >= 1, "at least 1"},
        {"myrow", base + MYROW, s->myrow, s->myrow >= 0 && s->myrow < s->nprow,
         "in 0 ... nprow - 1"},
        {"mycol", base + MYCOL, s->mycol, s->mycol >= 0 && s->mycol < s->npcol,
         "in 0 ... npcol - 1"},
        {"m of the matrix", base + M, s->m, s->m >= 0, "at least 0"},
        {"n of the matrix", base + N, s->n, s->n >= 0, "at least 0"},
        {"mb", base + MB, s->mb, s->mb >= 1, "at least 1"},
        {"nb", base + NB, s->nb, s->nb >= 1, "at least 1"},
        {"rsrc", base + RSRC, s->rsrc, s->rsrc >= 0 && s->rsrc < s->nprow,
         "in 0 ... nprow - 1"},
        {"csrc", base + CSRC, s->csrc, s->csrc >= 0 && s->csrc < s->npcol,
         "in 0 ... npcol - 1"},
        {"i", base + I, s->i, s->i >= 0 && m <= s->m - s->i, inside},
        {"j", base + J, s->j, s->j >= 0 && n <= s->n - s->j, inside},
        {"reserved", base + SIDE_RESERVED, hesca_first_nonzero(s->reserved, 4),
         hesca_first_nonzero(s->reserved, 4) == 0, "0"},
    };
    return check_rules(REDIST, rules, sizeof rules / sizeof *rules);
}

static int
check_view(hesca_part part, int64_t m, int64_t n, const hesca_side *sa,
           const hesca_side *sb, size_t esize)
{
    int err;
    const rule rules[] = {
        {"part", 2, part, (unsigned)part <= HESCA_LOWER_STRICT,
         "one of hesca_part"},
        {"m", 3, m, m >= 0, "at least 0"},
        {"n", 4, n, n >= 0, "at least 0"},
        {"esize", 9, (int64_t)esize, esize >= 1, "at least 1"},
    };
    HESCA_TRY(err, check_side(sa, "sa", 5, m, n));
    HESCA_TRY(err, check_side(sb, "sb", 7, m, n));
    if (sa->member || sb->member)
        HESCA_TRY(err,
                  check_rules(REDIST, rules, sizeof rules / sizeof *rules));
fail:
    return err;
}

/* Copy field by field: padding must stay zero, and lld is not part of a
 * plan. */
static void
copy_side(hesca_side *to, const hesca_side *from)
{
    if (!from->member)
        return;
    to->member = 1;
    to->nprow = from->nprow;
    to->npcol = from->npcol;
    to->myrow = from->myrow;
    to->mycol = from->mycol;
    to->m = from->m;
    to->n = from->n;
    to->mb = from->mb;
    to->nb = from->nb;
    to->rsrc = from->rsrc;
    to->csrc = from->csrc;
    to->i = from->i;
    to->j = from->j;
}

static hesca_view
make_view(hesca_part part, int64_t m, int64_t n, const hesca_side *sa,
          const hesca_side *sb, size_t esize)
{
    hesca_view v;
    memset(&v, 0, sizeof v);
    v.part = part;
    v.m = m;
    v.n = n;
    v.esize = (int64_t)esize;
    copy_side(&v.a, sa);
    copy_side(&v.b, sb);
    return v;
}

static int
is_empty(const hesca_view *v)
{
    return v->m == 0 || v->n == 0;
}

/* Whether a process knows the terms of the call. A process in neither grid
 * need not, unless nothing is copied. */
static int
knows_terms(const hesca_view *v)
{
    return v->a.member || v->b.member || is_empty(v);
}

/* The global terms of one side, as a list. */
enum { SIDE_FIELDS = 10 };

static void
list_side(hesca_common *c, const hesca_side *s, int arg)
{
    static const char *const name[2][SIDE_FIELDS] = {
        {"nprow of A", "npcol of A", "m of the matrix A", "n of the matrix A",
         "mb of A", "nb of A", "rsrc of A", "csrc of A", "i of A (from 0)",
         "j of A (from 0)"},
        {"nprow of B", "npcol of B", "m of the matrix B", "n of the matrix B",
         "mb of B", "nb of B", "rsrc of B", "csrc of B", "i of B (from 0)",
         "j of B (from 0)"}};
    const int field[SIDE_FIELDS] = {NPROW, NPCOL, M,    N, MB,
                                    NB,    RSRC,  CSRC, I, J};
    const int64_t value[SIDE_FIELDS] = {s->nprow, s->npcol, s->m,    s->n,
                                        s->mb,    s->nb,    s->rsrc, s->csrc,
                                        s->i,     s->j};
    for (int k = 0; k < SIDE_FIELDS; ++k)
        c[k] = (hesca_common){name[arg == 7][k], 100 * arg + field[k],
                              s->member, value[k]};
}

/* Terms that may differ. The extents of the matrix beyond the submatrix do not
 * matter. If there is one process row (column), its block size does not matter
 * either, and ScaLAPACK lets each process begin at a row (column) of its own;
 * plans do not support that. first: position of nprow in the list. */
static void
relax_side(hesca_slack *list, int first)
{
    hesca_slack *s = list + first;
    const int nprow = first + 1, npcol = first + 2;
    s[2].where = s[3].where = HESCA_ALWAYS; /* m, n */
    s[4].where = s[8].where = nprow;        /* mb, i */
    s[5].where = s[9].where = npcol;        /* nb, j */
    s[8].err = s[9].err = HESCA_ERR_UNSUPPORTED;
}

static void
unlist_side(hesca_side *s, const hesca_common *c)
{
    s->nprow = (int)c[0].value;
    s->npcol = (int)c[1].value;
    s->m = c[2].value;
    s->n = c[3].value;
    s->mb = (int)c[4].value;
    s->nb = (int)c[5].value;
    s->rsrc = (int)c[6].value;
    s->csrc = (int)c[7].value;
    s->i = c[8].value;
    s->j = c[9].value;
}

/* From the position of every rank in a grid compute the rank of every
 * position. */
static int
invert(const int64_t *position, int size, const hesca_side *s, char name,
       int arg, int *ranks)
{
    const int64_t n = (int64_t)s->nprow * s->npcol;
    int64_t found = 0, k = 0;
    if (n <= size)
        memset(ranks, -1, (size_t)n * sizeof *ranks);
    for (int r = 0; n <= size && r < size; ++r) {
        const int64_t at = position[r];
        if (at >= n)
            continue;
        if (ranks[at] >= 0)
            return hesca_fail(HESCA_ERR_ARG, 100 * arg + MYROW,
                              "%s: processes %d and %d both say that they "
                              "are (%lld, %lld) of %c's grid",
                              REDIST, ranks[at], r, (long long)(at / s->npcol),
                              (long long)(at % s->npcol), name);
        ranks[at] = r;
        ++found;
    }
    if (found == n)
        return HESCA_SUCCESS;
    while (n <= size && ranks[k] >= 0)
        ++k;
    return hesca_fail(HESCA_ERR_ARG, 100 * arg + NPROW,
                      "%s: %c is on a %d x %d grid, but its process (%lld, "
                      "%lld) is not among the %d processes of the call",
                      REDIST, name, s->nprow, s->npcol,
                      (long long)(k / s->npcol), (long long)(k % s->npcol),
                      size);
}

/* Find the positions of all processes in a grid, on all processes. */
static int
locate_side(const hesca_comm *c, const hesca_side *mine,
            const hesca_side *side, char name, int arg, int64_t *position,
            int *ranks)
{
    int err;
    for (int r = 0; r < c->size; ++r)
        position[r] = INT64_MAX;
    if (mine->member)
        position[c->rank] = (int64_t)mine->myrow * mine->npcol + mine->mycol;
    HESCA_TRY(err, hesca_agree_min(c, c->size, position));
    HESCA_TRY(err, invert(position, c->size, side, name, arg, ranks));
fail:
    return err;
}

/* Find the call in global terms: the view of a process in both grids. */
static int
find_terms(const hesca_comm *c, const hesca_view *mine, hesca_view *v,
           int64_t *position, int *a_ranks, int *b_ranks)
{
    enum { NTERMS = 4 };
    const int knows = knows_terms(mine);
    hesca_common common[NTERMS + 2 * SIDE_FIELDS] = {
        {"part", 2, knows, mine->part},
        {"m", 3, knows, mine->m},
        {"n", 4, knows, mine->n},
        {"esize", 9, knows, mine->esize},
    };
    hesca_slack slack[NTERMS + 2 * SIDE_FIELDS] = {{0, 0}};
    int err;
    list_side(common + NTERMS, &mine->a, 5);
    list_side(common + NTERMS + SIDE_FIELDS, &mine->b, 7);
    relax_side(slack, NTERMS);
    relax_side(slack, NTERMS + SIDE_FIELDS);
    HESCA_TRY(err, hesca_agree_common(c, REDIST, NTERMS + 2 * SIDE_FIELDS,
                                      common, slack));
    v->part = common[0].value;
    v->m = common[1].value;
    v->n = common[2].value;
    v->esize = common[3].value;
    unlist_side(&v->a, common + NTERMS);
    unlist_side(&v->b, common + NTERMS + SIDE_FIELDS);
    HESCA_TRY(err, locate_side(c, &mine->a, &v->a, 'A', 5, position, a_ranks));
    HESCA_TRY(err, locate_side(c, &mine->b, &v->b, 'B', 7, position, b_ranks));
fail:
    return err;
}

/* --- planning ---
 * All branches depend on agreed values, so all processes take the same one. */

/* Make the problem of such a view. */
static int
make_problem(const hesca_view *v, const int *a_ranks, const int *b_ranks,
             hesca_problem *problem)
{
    const hesca_side *a = &v->a, *b = &v->b;
    hesca_layout *la = NULL, *lb = NULL;
    int err;
    HESCA_TRY(err, hesca_layout_create_cyclic(a->m, a->n, a->mb, a->nb,
                                              a->rsrc, a->csrc, a->nprow,
                                              a->npcol, a_ranks, &la));
    HESCA_TRY(err, hesca_layout_create_cyclic(b->m, b->n, b->mb, b->nb,
                                              b->rsrc, b->csrc, b->nprow,
                                              b->npcol, b_ranks, &lb));
    HESCA_TRY(err, hesca_problem_init(problem, (hesca_part)v->part, v->m, v->n,
                                      la, a->i, a->j, lb, b->i, b->j,
                                      (size_t)v->esize));
fail:
    hesca_layout_free(la);
    hesca_layout_free(lb);
    return err;
}

/* Find the plan in the cache under another view, or make a new one and add it
 * to the cache if it fits. */
static int
plan_problem(hesca_comm *c, const hesca_view *v, hesca_problem *problem,
             hesca_plan **plan, int *cached)
{
    hesca_plan *made = NULL;
    int64_t memory = 0; /* of the largest plan, negative */
    int err = HESCA_SUCCESS;
    *plan = hesca_cache_find_problem(c->cache, problem, v);
    *cached = *plan != NULL;
    if (*cached)
        return HESCA_SUCCESS;
    err = hesca_plan_make(c, problem, &made);
    if (made != NULL)
        memory = -(int64_t)hesca_plan_memory(made);
    err = hesca_agree(c, err, 1, &memory);
    if (err < 0) {
        hesca_plan_free(made);
        return err;
    }
    hesca_cache_add(c->cache, *plan = made, v, (size_t)-memory,
                    c->params.cache);
    return HESCA_SUCCESS;
}

/* Plan a call that is not in the cache on all processes. */
static int
plan_new(hesca_comm *c, const hesca_view *v, hesca_plan **plan, int *cached)
{
    const size_t size = (size_t)c->size;
    int64_t *position = malloc(size * sizeof *position);
    int *ranks = malloc(2 * size * sizeof *ranks);
    hesca_view all = {0};
    hesca_problem problem = {0};
    int err = HESCA_SUCCESS;
    if (position == NULL || ranks == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "%zu processes", size);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err, find_terms(c, v, &all, position, ranks, ranks + size));
    err = make_problem(&all, ranks, ranks + size, &problem);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err, plan_problem(c, v, &problem, plan, cached));
fail:
    hesca_problem_clear(&problem);
    free(position);
    free(ranks);
    return err;
}

/* Serial number of a call that copies nothing and needs no plan. */
static const int64_t EMPTY = INT64_MAX - 1;

/* A hash of the terms that every process in a grid knows, to distinguish
 * calls; 0 for a call that copies nothing. */
static int64_t
terms(const hesca_view *v)
{
    if (is_empty(v))
        return 0;
    const int64_t term[] = {v->part, v->m, v->n, v->esize};
    uint64_t h = HESCA_HASH;
    for (size_t k = 0; k < sizeof term / sizeof *term; ++k)
        h = hesca_hash_mix(h, (uint64_t)term[k]);
    return hesca_hash_end(h);
}

/* Find the plan of a call; *plan is NULL if it copies nothing, *cached is 1 if
 * it came from the cache. */
static int
find_plan(hesca_comm *c, int status, const hesca_view *view,
          const hesca_arrays *arrays, hesca_plan **plan, int *cached)
{
    /* A process in neither grid cannot identify the call, and uses the plan
     * that all others have found. */
    const int knows = knows_terms(view), empty = knows && is_empty(view);
    const int64_t term = terms(view);
    int64_t serial = 0;
    int err = status;
    *plan = NULL;
    *cached = 1;
    if (err == HESCA_SUCCESS && !empty && knows)
        *plan = hesca_cache_find(c->cache, view);
    if (empty)
        serial = EMPTY;
    else if (*plan != NULL)
        serial = (*plan)->entry.serial;
    if (*plan != NULL)
        err = hesca_plan_check(*plan, arrays);
    int64_t v[4] = {serial, -serial, term, -term};
    for (int k = 0; k < 4 && !knows; ++k)
        v[k] = INT64_MAX;
    HESCA_TRY(err, hesca_agree(c, err, 4, v));
    /* A hit only if all have found the same plan; 0 stands for none. */
    const int hit = v[0] > 0 && v[0] == -v[1] && v[2] == -v[3];
    if (hit && v[0] == EMPTY)
        return HESCA_SUCCESS;
    if (hit && !knows)
        *plan = hesca_cache_get(c->cache, v[0]);
    if (!hit) {
        HESCA_TRY(err, plan_new(c, view, plan, cached));
        err = hesca_plan_check(*plan, arrays);
        HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    }
    if (*cached)
        hesca_cache_hit(c->cache, *plan);
fail:
    if (err < 0)
        hesca_staging_release(c);
    return err;
}

int
hesca_redistribute(int status, hesca_part part, int64_t m, int64_t n,
                   const hesca_side *sa, const void *a, const hesca_side *sb,
                   void *b, size_t esize, MPI_Comm comm, hesca_plan_info *info)
{
    const double start = info != NULL ? PMPI_Wtime() : 0;
    hesca_comm *c;
    hesca_plan *plan = NULL;
    hesca_view view = {0};
    hesca_arrays arrays = {.routine = REDIST};
    int err, cached = 0;
    hesca_caller_enter(REDIST);
    if (info != NULL)
        *info = (hesca_plan_info){.schedule = "none", .transport = "self"};
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    err = status;
    if (err == HESCA_SUCCESS)
        err = check_view(part, m, n, sa, sb, esize);
    if (err == HESCA_SUCCESS) {
        view = make_view(part, m, n, sa, sb, esize);
        arrays = (hesca_arrays){
            a, sa->lld, b, sb->lld, REDIST, {6, 500 + LLD, 8, 700 + LLD}};
    }
    HESCA_TRY(err, find_plan(c, err, &view, &arrays, &plan, &cached));
    if (plan == NULL)
        return HESCA_SUCCESS;
    const double planned = info != NULL ? PMPI_Wtime() : 0;
    HESCA_TRY(err, hesca_plan_run(plan, &arrays));
    if (info != NULL) {
        HESCA_TRY(err, hesca_plan_get_info(plan, info));
        info->cached = cached;
        info->plan_seconds = planned - start;
    }
fail:
    if (plan != NULL && plan->entry.serial == 0)
        hesca_plan_free(plan); /* the cache has no room for it */
    return err;
}

int
hesca_cache_get_info(MPI_Comm comm, hesca_cache_info *info)
{
    hesca_comm *c;
    int err;
    if (info == NULL)
        return hesca_fail_null("hesca_cache_get_info", 2, "info");
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    hesca_cache_report(c->cache, info);
fail:
    return err;
}

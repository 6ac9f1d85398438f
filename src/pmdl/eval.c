/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements, and the sections of a model, by the evaluator. */
#include "pmdl/eval.h"
#include "base/status.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef hesca_evaluation evaluation;

enum { BLOCK_MOST = 1 << 28 };

/* --- variables --- */

int
hesca_eval_room(evaluation *ev, hesca_block *b, size_t size)
{
    if (size <= sizeof b->small) {
        if (b->room > 0)
            free(b->data);
        b->room = 0;
        b->data = b->small.bytes;
    } else if (size > b->room) {
        char *data = NULL;
        if (size <= BLOCK_MOST && ev->memory + size <= BLOCK_MOST)
            data = malloc(size);
        if (data == NULL) {
            if (ev->binding->err == 0)
                ev->binding->err = hesca_fail(
                    HESCA_ERR_NOMEM, 0, "%.80s: arrays of %zu bytes in all",
                    ev->binding->file, ev->memory + size);
            return HESCA_ERR_NOMEM;
        }
        if (b->room > 0)
            free(b->data);
        ev->memory += size - b->room;
        b->data = data;
        b->room = size;
    }
    b->size = size;
    memset(b->data, 0, size);
    return HESCA_SUCCESS;
}

/* Evaluate the extents of an array where it is declared. */
static int
set_extents(evaluation *ev, const hesca_ctype *t, int64_t *count)
{
    int64_t n = 1;
    for (; t->kind == HESCA_C_ARRAY; t = t->base) {
        int64_t extent = t->extent;
        if (t->count != NULL) {
            extent = hesca_eval(ev, t->count).i;
            if (ev->binding->err < 0)
                return 0;
            if (extent < 1 || extent > INT_MAX)
                return hesca_eval_fail(ev, t->count,
                                       "an array of %lld elements",
                                       (long long)extent);
            ev->extent[t->slot] = extent;
        }
        if (__builtin_mul_overflow(n, extent, &n))
            n = INT64_MAX;
    }
    *count = n;
    return 1;
}

static void
declare(evaluation *ev, const hesca_stmt *s)
{
    const hesca_symbol *x = s->symbol;
    hesca_block *b = &ev->block[x->slot];
    int64_t count;
    size_t size = x->type->size;
    const hesca_ctype *t = x->type;
    if (t->kind == HESCA_C_ARRAY) {
        if (!set_extents(ev, t, &count))
            return;
        while (t->kind == HESCA_C_ARRAY)
            t = t->base;
        if (count > BLOCK_MOST)
            count = BLOCK_MOST;
        size = (size_t)count * t->size;
    } else if (t->kind == HESCA_C_POINTER) {
        size = sizeof(hesca_pointer);
    }
    hesca_expr target = {.kind = HESCA_EXPR_NAME,
                         .type = x->type,
                         .symbol = x,
                         .line = s->line,
                         .column = s->column};
    hesca_value v = {.i = 0};
    if (s->expr != NULL) /* before the variable, whose old value it may use */
        v = hesca_eval(ev, s->expr);
    if (hesca_eval_room(ev, b, size) < 0 || s->expr == NULL)
        return;
    hesca_expr given = *s->expr;
    hesca_expr assign = {.kind = HESCA_EXPR_ASSIGN,
                         .type = x->type,
                         .line = s->line,
                         .column = s->column,
                         .a = &target,
                         .b = &given};
    if (x->type->kind == HESCA_C_STRUCT || x->type->kind == HESCA_C_POINTER) {
        hesca_eval(ev, &assign);
        return;
    }
    /* A number: as a constant, so that it is evaluated once. */
    given.kind =
        hesca_ctype_is_whole(x->type) ? HESCA_EXPR_INTEGER : HESCA_EXPR_REAL;
    given.integer = v.i;
    given.real = v.d;
    hesca_eval(ev, &assign);
}

/* --- statements --- */

/* How a statement has ended. */
typedef enum { GO_ON, BREAK, CONTINUE } flow;

static flow run_statement(evaluation *ev, const hesca_stmt *s);

static int
may_go_on(evaluation *ev, const hesca_stmt *s)
{
    hesca_model_run *run = &ev->binding->run;
    run->line = s->line;
    run->column = s->column;
    return run->go(run);
}

static int
point(evaluation *ev, hesca_expr **e, int *at)
{
    for (int k = 0; k < ev->model->ndims; ++k)
        at[k] = (int)hesca_eval(ev, e[k]).i;
    return ev->binding->err == 0;
}

static void
unit(evaluation *ev, const hesca_stmt *s)
{
    hesca_model_run *run = &ev->binding->run;
    int from[HESCA_MODEL_DIMS], to[HESCA_MODEL_DIMS];
    const double percent = hesca_eval(ev, s->expr).d;
    run->line = s->line;
    run->column = s->column;
    if (!point(ev, s->from, from))
        return;
    if (s->kind == HESCA_STMT_COMPUTE)
        run->compute(run, percent, from);
    else if (point(ev, s->to, to))
        run->transfer(run, percent, from, to);
}

static flow
run_loop(evaluation *ev, const hesca_stmt *s)
{
    hesca_model_run *run = &ev->binding->run;
    const int is_par = s->kind == HESCA_STMT_PAR;
    for (const hesca_stmt *x = s->first; x != NULL; x = x->next)
        run_statement(ev, x);
    if (is_par) {
        run->line = s->line;
        run->begin(run);
    }
    if (s->kind == HESCA_STMT_DO && run_statement(ev, s->body) == BREAK)
        return GO_ON;
    while (may_go_on(ev, s) &&
           (s->expr == NULL || hesca_eval_is_true(ev, s->expr))) {
        if (is_par)
            run->action(run);
        if (run_statement(ev, s->body) == BREAK)
            break;
        if (s->step != NULL)
            hesca_eval(ev, s->step);
    }
    if (is_par)
        run->end(run);
    return GO_ON;
}

static flow
run_block(evaluation *ev, const hesca_stmt *s)
{
    flow f = GO_ON;
    for (const hesca_stmt *x = s->first;
         x != NULL && f == GO_ON && ev->binding->err == 0; x = x->next)
        f = run_statement(ev, x);
    return f;
}

static flow
run_statement(evaluation *ev, const hesca_stmt *s)
{
    if (ev->binding->err < 0)
        return BREAK;
    switch (s->kind) {
    case HESCA_STMT_BLOCK:
        return run_block(ev, s);
    case HESCA_STMT_EXPR:
        hesca_eval(ev, s->expr);
        return GO_ON;
    case HESCA_STMT_DECLARE:
        declare(ev, s);
        return GO_ON;
    case HESCA_STMT_COMPUTE:
    case HESCA_STMT_TRANSFER:
        unit(ev, s);
        return GO_ON;
    case HESCA_STMT_PAR:
    case HESCA_STMT_FOR:
    case HESCA_STMT_WHILE:
    case HESCA_STMT_DO:
        return run_loop(ev, s);
    case HESCA_STMT_IF:
        if (hesca_eval_is_true(ev, s->expr))
            return run_statement(ev, s->body);
        return s->other != NULL ? run_statement(ev, s->other) : GO_ON;
    case HESCA_STMT_BREAK:
        return BREAK;
    case HESCA_STMT_CONTINUE:
        return CONTINUE;
    }
    return GO_ON;
}

/* --- sections --- */

static evaluation *
running(hesca_model_run *run)
{
    return ((hesca_binding *)run->self)->evaluation;
}

/* Give the first n parameters their values. */
static void
set_params(evaluation *ev, const void *const *arg, int n)
{
    const hesca_algorithm *m = ev->model;
    for (int k = 0; k < n; ++k) {
        hesca_block *b = &ev->block[m->param[k]->slot];
        const hesca_ctype *t = m->param[k]->type;
        int64_t count;
        b->is_const = 1;
        if (t->kind == HESCA_C_LONG) {
            const int64_t x = *(const int *)arg[k];
            memcpy(b->small.bytes, &x, sizeof x);
            b->data = b->small.bytes;
            b->size = sizeof x;
            continue;
        }
        b->data = (char *)(size_t)arg[k];
        b->size = t->size;
        if (t->kind != HESCA_C_ARRAY || !set_extents(ev, t, &count))
            continue;
        while (t->kind == HESCA_C_ARRAY)
            t = t->base;
        b->size = (size_t)count * t->size;
    }
}

static long long
eval_count(hesca_model_run *run, int k, const void *const *arg)
{
    evaluation *ev = running(run);
    int64_t count = 1;
    set_params(ev, arg, k);
    return set_extents(ev, ev->model->param[k]->type, &count) ? count : -1;
}

static int
extent_of(evaluation *ev, const hesca_coord *c)
{
    const int64_t n = hesca_eval(ev, c->extent).i;
    if (n >= 0 && n <= INT_MAX)
        return (int)n;
    hesca_eval_fail(ev, c->extent, "coordinate %s has %lld values",
                    c->symbol->name, (long long)n);
    return 0;
}

static void
eval_dims(hesca_model_run *run, const void *const *arg, int *dims)
{
    evaluation *ev = running(run);
    set_params(ev, arg, ev->model->nparams);
    for (int k = 0; k < ev->model->ndims; ++k)
        dims[k] = extent_of(ev, &ev->model->coord[k]);
}

static void
set_coord(evaluation *ev, const hesca_symbol *s, int x)
{
    hesca_block *b = &ev->block[s->slot];
    memcpy(b->small.bytes, &x, sizeof x);
    b->data = b->small.bytes;
    b->size = sizeof x;
    b->is_const = 1;
}

static double
eval_node(hesca_model_run *run, const void *const *arg, const int *coord)
{
    evaluation *ev = running(run);
    const hesca_node_item *found = NULL;
    (void)arg;
    if (!ev->model->has_node)
        return 1;
    for (int k = 0; k < ev->model->ndims; ++k)
        set_coord(ev, ev->model->coord[k].symbol, coord[k]);
    for (const hesca_node_item *x = ev->model->node; x != NULL; x = x->next) {
        if (x->guard == NULL) {
            found = found != NULL ? found : x;
        } else if (hesca_eval_is_true(ev, x->guard)) {
            found = x;
            break;
        }
    }
    return found == NULL || found->kind == HESCA_NODE_VOID
               ? HESCA_MODEL_VOID
               : hesca_eval(ev, found->volume).d;
}

static void
eval_link_items(evaluation *ev)
{
    hesca_model_run *run = &ev->binding->run;
    int from[HESCA_MODEL_DIMS], to[HESCA_MODEL_DIMS], item = 0;
    for (const hesca_link_item *x = ev->model->link; x != NULL;
         x = x->next, ++item) {
        if (x->guard != NULL && !hesca_eval_is_true(ev, x->guard))
            continue;
        for (const hesca_link_spec *s = x->spec; s != NULL; s = s->next) {
            const double bytes =
                s->bytes != NULL ? hesca_eval(ev, s->bytes).d : 0;
            run->line = s->line;
            run->column = s->column;
            if (point(ev, s->from, from) && point(ev, s->to, to))
                run->link(run, item, bytes, from, to);
        }
    }
}

/* All values of the coordinates from number k on. */
static void
eval_link_loop(evaluation *ev, int k)
{
    const hesca_algorithm *m = ev->model;
    if (k == m->ndims + m->nlink_coords) {
        eval_link_items(ev);
        return;
    }
    const hesca_coord *c =
        k < m->ndims ? &m->coord[k] : &m->link_coord[k - m->ndims];
    const int n = extent_of(ev, c);
    for (int x = 0; x < n && ev->binding->run.go(&ev->binding->run); ++x) {
        set_coord(ev, c->symbol, x);
        eval_link_loop(ev, k + 1);
    }
}

static void
eval_links(hesca_model_run *run, const void *const *arg)
{
    (void)arg;
    if (running(run)->model->has_link)
        eval_link_loop(running(run), 0);
}

static void
eval_parent(hesca_model_run *run, const void *const *arg, int *coord)
{
    evaluation *ev = running(run);
    (void)arg;
    memset(coord, 0, (size_t)ev->model->ndims * sizeof *coord);
    if (ev->model->parent != NULL) {
        run->line = ev->model->parent[0]->line;
        run->column = ev->model->parent[0]->column;
        point(ev, ev->model->parent, coord);
    }
}

static void
eval_scheme(hesca_model_run *run, const void *const *arg)
{
    evaluation *ev = running(run);
    (void)arg;
    run_statement(ev, ev->model->scheme);
}

/* --- models --- */

int
hesca_eval_init(hesca_parser *p, hesca_algorithm *m)
{
    const size_t n = (size_t)m->nparams + 1;
    hesca_model_param *param = hesca_parser_new(p, n * sizeof *param);
    int *extent = hesca_parser_new(p, (size_t)m->ndims * sizeof *extent);
    if (param == NULL || extent == NULL)
        return HESCA_ERR_NOMEM;
    for (int k = 0; k < m->nparams; ++k) {
        const hesca_ctype *t = m->param[k]->type;
        const int is_vector = t->kind == HESCA_C_ARRAY;
        while (t->kind == HESCA_C_ARRAY)
            t = t->base;
        param[k] = (hesca_model_param){m->param[k]->name,
                                       t->kind == HESCA_C_DOUBLE, is_vector};
    }
    for (int k = 0; k < m->ndims; ++k) {
        const hesca_expr *e = m->coord[k].extent;
        extent[k] = -1;
        for (int j = 0; j < m->nparams; ++j)
            if (e->kind == HESCA_EXPR_NAME && e->symbol == m->param[j])
                extent[k] = j;
    }
    m->code = (hesca_model_code){.version = HESCA_MODEL_VERSION,
                                 .name = m->name,
                                 .file = p->file->path,
                                 .ndims = m->ndims,
                                 .nparams = m->nparams,
                                 .param = param,
                                 .extent = extent,
                                 .is_relative = m->is_relative,
                                 .count = eval_count,
                                 .dims = eval_dims,
                                 .node = eval_node,
                                 .links = eval_links,
                                 .parent = eval_parent,
                                 .scheme = m->has_scheme ? eval_scheme : NULL};
    return HESCA_SUCCESS;
}

int
hesca_eval_owns(const hesca_model_code *code)
{
    return code->dims == eval_dims;
}

hesca_evaluation *
hesca_evaluation_create(const hesca_algorithm *model, hesca_binding *binding)
{
    const size_t n = (size_t)model->nslots + 1;
    evaluation *ev = calloc(1, sizeof *ev);
    if (ev == NULL)
        return NULL;
    ev->model = model;
    ev->binding = binding;
    ev->block = calloc(n, sizeof *ev->block);
    ev->extent = calloc(n, sizeof *ev->extent);
    if (ev->block != NULL && ev->extent != NULL)
        return ev;
    hesca_evaluation_free(ev);
    return NULL;
}

void
hesca_evaluation_free(hesca_evaluation *ev)
{
    if (ev == NULL)
        return;
    for (int k = 0; ev->block != NULL && k < ev->model->nslots; ++k)
        if (ev->block[k].room > 0)
            free(ev->block[k].data);
    free(ev->block);
    free(ev->extent);
    free(ev);
}

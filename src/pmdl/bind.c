/* SPDX-License-Identifier: BSD-3-Clause */
/* Running a model's code, and collecting what it reports. */
#include "pmdl/bind.h"
#include "base/status.h"
#include "pmdl/eval.h"
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS_MOST = 200000000,
    POSITIONS_MOST = 1 << 20,
    ENTRIES_MOST = 1 << 22, /* before they are reduced */
    ARRAYS_MOST = 1 << 28   /* bytes */
};

/** Bytes of a pair of positions, by one declarator. */
typedef struct hesca_link_entry {
    int from, to, item;
    size_t order;
    double bytes;
} hesca_link_entry;

int
hesca_binding_fail(hesca_binding *b, int line, int column, const char *format,
                   ...)
{
    char text[HESCA_TEXT_MAX];
    va_list args;
    if (b->err < 0)
        return 0;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    b->err = hesca_lex_fail(b->file, line, column, "%s", text);
    return 0;
}

static hesca_binding *
binding(hesca_model_run *run)
{
    return run->self;
}

static int
fail(hesca_binding *b, const char *what)
{
    return hesca_binding_fail(b, b->run.line, b->run.column, "%s", what);
}

/* --- what models call --- */

static int
run_go(hesca_model_run *run)
{
    hesca_binding *b = binding(run);
    if (b->err < 0)
        return 0;
    if (++b->steps <= b->steps_most)
        return 1;
    return hesca_binding_fail(b, run->line, run->column,
                              "more than %lld iterations of loops",
                              (long long)b->steps_most);
}

static int
run_zero(hesca_model_run *run, int is_zero)
{
    if (is_zero)
        fail(binding(run), "division by 0");
    return is_zero;
}

/* "[1,2]" */
static const char *
words(const hesca_instance *x, const int *at, char text[120])
{
    size_t n = 0;
    for (int k = 0; k < x->ndims && n < 100; ++k)
        n += (size_t)snprintf(text + n, 120 - n, "%c%d", k > 0 ? ',' : '[',
                              at[k]);
    snprintf(text + n, 120 - n, "]");
    return text;
}

/* The row-major position of coordinates; -1: out of range. */
static int
position(const hesca_instance *x, const int *at)
{
    int k = 0;
    for (int d = 0; d < x->ndims; ++d) {
        if (at[d] < 0 || at[d] >= x->dims[d])
            return -1;
        k = k * x->dims[d] + at[d];
    }
    return k;
}

/* The process at coordinates in a unit. */
static int
process_at(hesca_binding *b, const int *at)
{
    char text[120];
    const int k = position(b->instance, at);
    if (k >= 0 && b->instance->number[k] >= 0)
        return b->instance->number[k];
    hesca_binding_fail(b, b->run.line, b->run.column, "there is no process %s",
                       words(b->instance, at, text));
    return -1;
}

static int
check_percent(hesca_binding *b, double percent)
{
    if (percent >= 0 && percent <= 1e18)
        return 1;
    return hesca_binding_fail(b, b->run.line, b->run.column,
                              "%g percent: must be 0 or more", percent);
}

static void
note(hesca_binding *b, int err)
{
    if (err < 0 && b->err == 0)
        b->err = err;
}

static void
run_compute(hesca_model_run *run, double percent, const int *at)
{
    hesca_binding *b = binding(run);
    if (b->err < 0 || !check_percent(b, percent))
        return;
    const int vp = process_at(b, at);
    if (vp >= 0 && percent > 0 && b->instance->volume[vp] > 0)
        note(b, hesca_scheme_unit(b->trace, HESCA_SCHEME_COMPUTE, vp, percent,
                                  run->line));
}

static void
run_transfer(hesca_model_run *run, double percent, const int *from,
             const int *to)
{
    hesca_binding *b = binding(run);
    if (b->err < 0 || !check_percent(b, percent))
        return;
    const int s = process_at(b, from);
    const int r = s >= 0 ? process_at(b, to) : -1;
    const int link = r >= 0 ? hesca_instance_link(b->instance, s, r) : -1;
    if (link >= 0 && percent > 0)
        note(b, hesca_scheme_unit(b->trace, HESCA_SCHEME_TRANSFER, link,
                                  percent, run->line));
}

static void
run_begin(hesca_model_run *run)
{
    hesca_binding *b = binding(run);
    if (b->err == 0)
        note(b, hesca_scheme_begin(b->trace, run->line));
}

static void
run_action(hesca_model_run *run)
{
    hesca_binding *b = binding(run);
    if (b->err == 0)
        note(b, hesca_scheme_action(b->trace));
}

static void
run_end(hesca_model_run *run)
{
    hesca_binding *b = binding(run);
    if (b->err == 0)
        note(b, hesca_scheme_end(b->trace));
}

/* Space that belongs to the binding, one piece for each slot. */
static void *
run_array(hesca_model_run *run, int slot, long long n, size_t size)
{
    hesca_binding *b = binding(run);
    if (slot >= b->narrays) {
        void **more = realloc(b->array, ((size_t)slot + 16) * sizeof *more);
        if (more == NULL) {
            note(b, hesca_fail(HESCA_ERR_NOMEM, 0, "%s", b->file));
            return NULL;
        }
        b->array = more;
        for (; b->narrays < slot + 16; ++b->narrays)
            b->array[b->narrays] = NULL;
    }
    if (b->err < 0 || n < 1 || size == 0 || (size_t)n > ARRAYS_MOST / size) {
        if (b->err == 0)
            hesca_binding_fail(b, run->line, run->column,
                               "an array of %lld elements", n);
        n = 1;
    }
    free(b->array[slot]);
    b->array[slot] = calloc((size_t)n, size);
    if (b->array[slot] == NULL)
        note(b,
             hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %lld elements", b->file, n));
    return b->array[slot];
}

static double *
run_doubles(hesca_model_run *run, int slot, const int *v, long long n)
{
    double *x = run_array(run, slot, n > 0 ? n : 1, sizeof *x);
    for (long long k = 0; x != NULL && v != NULL && k < n; ++k)
        x[k] = v[k];
    return v != NULL ? x : NULL;
}

/* --- links ---
 * Values of one declarator replace each other, those of several add (trap
 * T-9).  Links to itself and out of range are none. */

static int
by_pair(const void *x, const void *y)
{
    const hesca_link_entry *a = x, *b = y;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->item != b->item)
        return a->item < b->item ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Retain the last entry of each pair and declarator. */
static void
reduce(hesca_binding *b)
{
    size_t n = 0;
    if (b->nentries == 0)
        return;
    qsort(b->entry, b->nentries, sizeof *b->entry, by_pair);
    for (size_t k = 0; k < b->nentries; ++k) {
        const hesca_link_entry *e = &b->entry[k];
        if (k + 1 < b->nentries && e[1].from == e->from && e[1].to == e->to &&
            e[1].item == e->item)
            continue;
        b->entry[n] = *e;
        b->entry[n++].order = 0;
    }
    b->nentries = n;
}

static void
run_link(hesca_model_run *run, int item, double bytes, const int *from,
         const int *to)
{
    hesca_binding *b = binding(run);
    const hesca_instance *x = b->instance;
    const int f = position(x, from), t = position(x, to);
    char text[120];
    if (b->err < 0 || f < 0 || t < 0 || f == t || x->number[f] < 0 ||
        x->number[t] < 0)
        return;
    if (!(bytes >= 0 && bytes <= 1e18)) {
        hesca_binding_fail(b, run->line, run->column,
                           "%g bytes from %s: must be 0 or more", bytes,
                           words(x, from, text));
        return;
    }
    if (b->nentries == b->entry_room) {
        if (b->entry_room >= ENTRIES_MOST)
            reduce(b);
        if (2 * b->nentries > b->entry_room || b->entry_room < ENTRIES_MOST) {
            const size_t room = b->entry_room > 0 ? 2 * b->entry_room : 256;
            void *more = room > 4 * (size_t)ENTRIES_MOST
                             ? NULL
                             : realloc(b->entry, room * sizeof *b->entry);
            if (more == NULL) {
                note(b, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %zu links",
                                   b->file, room));
                return;
            }
            b->entry = more;
            b->entry_room = room;
        }
    }
    b->entry[b->nentries] = (hesca_link_entry){x->number[f], x->number[t],
                                               item, b->nentries + 1, bytes};
    ++b->nentries;
}

static int
collect_links(hesca_binding *b, const void *const *arg)
{
    hesca_instance *x = b->instance;
    b->code->links(&b->run, arg);
    if (b->err < 0)
        return b->err;
    reduce(b);
    x->link = malloc((b->nentries + 1) * sizeof *x->link);
    if (x->link == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%zu links", b->nentries);
    for (size_t k = 0; k < b->nentries; ++k) {
        const hesca_link_entry *e = &b->entry[k];
        hesca_model_link *last =
            x->nlinks > 0 ? &x->link[x->nlinks - 1] : NULL;
        if (last != NULL && last->from == e->from && last->to == e->to)
            last->bytes += e->bytes;
        else
            x->link[x->nlinks++] =
                (hesca_model_link){e->from, e->to, e->bytes};
    }
    int n = 0;
    for (int k = 0; k < x->nlinks; ++k)
        if (x->link[k].bytes > 0)
            x->link[n++] = x->link[k];
    x->nlinks = n;
    return HESCA_SUCCESS;
}

/* --- processes --- */

static int
collect_dims(hesca_binding *b, const void *const *arg)
{
    hesca_instance *x = b->instance;
    x->ndims = b->code->ndims;
    b->code->dims(&b->run, arg, x->dims);
    int64_t n = 1;
    for (int k = 0; k < x->ndims && b->err == 0; ++k) {
        n *= x->dims[k];
        if (x->dims[k] < 1 || n > POSITIONS_MOST)
            return hesca_fail(HESCA_ERR_PARAM, 0,
                              "%.80s: coordinate %d of %s has %d values: must "
                              "be at least 1, and all together at most %d",
                              b->file, k + 1, b->code->name, x->dims[k],
                              POSITIONS_MOST);
    }
    x->npositions = (int)n;
    return b->err;
}

static int
collect_nodes(hesca_binding *b, const void *const *arg)
{
    hesca_instance *x = b->instance;
    const size_t n = (size_t)x->npositions;
    int at[HESCA_MODEL_DIMS] = {0};
    char text[120];
    x->number = malloc(n * sizeof *x->number);
    x->position = malloc(n * sizeof *x->position);
    x->volume = malloc(n * sizeof *x->volume);
    if (x->number == NULL || x->position == NULL || x->volume == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%zu processes", n);
    for (int k = 0; k < x->npositions; ++k) {
        const double v = b->code->node(&b->run, arg, at);
        x->number[k] = -1;
        if (b->err < 0 || !run_go(&b->run))
            return b->err;
        if (v > HESCA_MODEL_VOID) {
            if (!(v >= 0 && v <= 1e200))
                return hesca_fail(HESCA_ERR_PARAM, 0,
                                  "%.80s: the volume of process %s is %g: "
                                  "must be 0 or more",
                                  b->file, words(x, at, text), v);
            x->number[k] = x->nvps;
            x->position[x->nvps] = k;
            x->volume[x->nvps++] = v;
        }
        for (int d = x->ndims - 1; d >= 0 && ++at[d] == x->dims[d]; --d)
            at[d] = 0;
    }
    if (x->nvps == 0)
        return hesca_fail(HESCA_ERR_PARAM, 0, "%.80s: %s has no process",
                          b->file, b->code->name);
    return HESCA_SUCCESS;
}

static int
collect_parent(hesca_binding *b, const void *const *arg)
{
    hesca_instance *x = b->instance;
    int at[HESCA_MODEL_DIMS], sum = 0;
    b->code->parent(&b->run, arg, at);
    if (b->err < 0)
        return b->err;
    for (int k = 0; k < x->ndims; ++k)
        sum |= at[k];
    const int k = position(x, at);
    x->parent = k >= 0 ? x->number[k] : -1;
    if (x->parent < 0 && sum == 0)
        x->parent = 0;
    if (x->parent < 0)
        process_at(b, at);
    return b->err;
}

/* A model without a scheme: all compute, then all send (trap T-16). */
static void
default_scheme(hesca_binding *b)
{
    const hesca_instance *x = b->instance;
    run_begin(&b->run);
    for (int k = 0; k < x->nvps; ++k) {
        run_action(&b->run);
        if (x->volume[k] > 0)
            note(b,
                 hesca_scheme_unit(b->trace, HESCA_SCHEME_COMPUTE, k, 100, 0));
    }
    run_end(&b->run);
    run_begin(&b->run);
    for (int k = 0; k < x->nlinks && b->err == 0; ++k) {
        run_action(&b->run);
        note(b, hesca_scheme_unit(b->trace, HESCA_SCHEME_TRANSFER, k, 100, 0));
    }
    run_end(&b->run);
}

static int
collect_trace(hesca_binding *b, const void *const *arg)
{
    if (b->code->scheme != NULL)
        b->code->scheme(&b->run, arg);
    else
        default_scheme(b);
    if (b->err < 0)
        return b->err;
    return hesca_scheme_finish(b->trace, &b->instance->trace);
}

/* --- binding --- */

static void
binding_clear(hesca_binding *b)
{
    hesca_evaluation_free(b->evaluation);
    hesca_scheme_builder_free(b->trace);
    for (int k = 0; k < b->narrays; ++k)
        free(b->array[k]);
    free(b->array);
    free(b->entry);
}

/* The model of code that the evaluator made. */
static const hesca_algorithm *
model_of(const hesca_model_code *code)
{
    return (const hesca_algorithm *)(const void *)((const char *)code -
                                                   offsetof(hesca_algorithm,
                                                            code));
}

static int
binding_init(hesca_binding *b, const hesca_model_code *code,
             hesca_instance *instance)
{
    *b = (hesca_binding){.run = {.version = HESCA_MODEL_VERSION,
                                 .go = run_go,
                                 .zero = run_zero,
                                 .compute = run_compute,
                                 .transfer = run_transfer,
                                 .begin = run_begin,
                                 .action = run_action,
                                 .end = run_end,
                                 .link = run_link,
                                 .array = run_array,
                                 .doubles = run_doubles},
                         .code = code,
                         .file = code->file,
                         .instance = instance,
                         .steps_most = STEPS_MOST};
    b->run.self = b;
    if (code->version != HESCA_MODEL_VERSION)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "%s was compiled for version %d of models, this is "
                          "%d: compile it again",
                          code->name, code->version, HESCA_MODEL_VERSION);
    b->trace = hesca_scheme_builder_create();
    if (b->trace == NULL)
        return HESCA_ERR_NOMEM;
    if (!hesca_eval_owns(code))
        return HESCA_SUCCESS;
    const hesca_algorithm *m = model_of(code);
    if (m->needs != NULL)
        return hesca_lex_fail(b->file, m->needs_line, m->needs_column,
                              "'%s' is known to C alone: the model must be "
                              "compiled",
                              m->needs);
    b->evaluation = hesca_evaluation_create(m, b);
    return b->evaluation != NULL
               ? HESCA_SUCCESS
               : hesca_fail(HESCA_ERR_NOMEM, 0, "model %s", code->name);
}

/* Every parameter is there, with as many values as the model says. */
static int
check_args(hesca_binding *b, const hesca_model_args *args)
{
    const void *const *arg = (const void *const *)args->value;
    for (int k = 0; k < b->code->nparams; ++k) {
        const hesca_model_param *p = &b->code->param[k];
        if (args->value[k] == NULL)
            return hesca_fail(HESCA_ERR_PARAM, 0,
                              "parameter %s of %s has no value", p->name,
                              b->code->name);
        const long long n = p->is_vector ? b->code->count(&b->run, k, arg) : 1;
        if (b->err < 0)
            return b->err;
        if (n != args->count[k])
            return hesca_fail(HESCA_ERR_PARAM, 0,
                              "parameter %s of %s has %lld values: must be "
                              "%lld",
                              p->name, b->code->name, args->count[k], n);
    }
    return HESCA_SUCCESS;
}

long long
hesca_model_args_count(const hesca_model_args *args, int k)
{
    hesca_binding b;
    long long n = binding_init(&b, args->code, NULL);
    if (n == 0)
        n = args->code->param[k].is_vector
                ? args->code->count(&b.run, k,
                                    (const void *const *)args->value)
                : 1;
    if (b.err < 0)
        n = b.err;
    binding_clear(&b);
    return n;
}

int
hesca_instance_create(const hesca_model_args *args, hesca_instance *instance)
{
    hesca_binding b;
    const void *const *arg = (const void *const *)args->value;
    int err;
    *instance = (hesca_instance){.trace = {.root = -1},
                                 .is_relative = args->code->is_relative};
    HESCA_TRY(err, binding_init(&b, args->code, instance));
    if (args->steps > 0)
        b.steps_most = args->steps;
    HESCA_TRY(err, check_args(&b, args));
    HESCA_TRY(err, collect_dims(&b, arg));
    HESCA_TRY(err, collect_nodes(&b, arg));
    HESCA_TRY(err, collect_links(&b, arg));
    HESCA_TRY(err, collect_parent(&b, arg));
    HESCA_TRY(err, collect_trace(&b, arg));
fail:
    binding_clear(&b);
    if (err < 0)
        hesca_instance_clear(instance);
    return err;
}

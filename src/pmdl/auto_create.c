/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for an arrangement. */
#include "pmdl/auto_create.h"
#include "base/status.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    hesca_model_args *args;
    const hesca_topology *topology;
    const hesca_price_options *price;
    const hesca_search_options *search;
    const hesca_arrange_options *options;
    hesca_arrange_result *result;
    int64_t room;
    int err;
} arranging;

int
hesca_arrange_check(const hesca_model_code *code, int *vector)
{
    int last = -1;
    *vector = -1;
    for (int k = 0; k < code->ndims; ++k) {
        if (code->extent[k] < 0 || (k > 0 && code->extent[k] <= last))
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "%s: the extent of coordinate %d is no "
                              "parameter of its own, so that it cannot be "
                              "chosen",
                              code->name, k + 1);
        last = code->extent[k];
    }
    if (last + 1 < code->nparams && code->param[last + 1].is_vector)
        *vector = last + 1;
    return HESCA_SUCCESS;
}

/* --- output parameters --- */

static int
descending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}

/* Speeds of the processes of a network: those of a computer share its
 * processors.
 * \return How many; the parent's is first, the others descend. */
static int
list_speeds(const hesca_topology *t, int home, double **speed)
{
    int64_t n = 0;
    for (int c = 0; c < t->ncomputers; ++c)
        n += t->computer[c].nprocs;
    *speed = n > 0 && n < INT_MAX ? malloc((size_t)n * sizeof **speed) : NULL;
    if (*speed == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld processes", (long long)n);
    n = 0;
    for (int c = -1; c < t->ncomputers; ++c) {
        const hesca_computer *x = &t->computer[c < 0 ? home : c];
        const double s = x->nprocs > x->nprocessors
                             ? x->speed * x->nprocessors / x->nprocs
                             : x->speed;
        const int count = c < 0 ? 1 : x->nprocs - (c == home);
        for (int k = 0; k < count; ++k)
            (*speed)[n++] = s;
    }
    qsort(*speed + 1, (size_t)n - 1, sizeof **speed, descending);
    return (int)n;
}

static int
set_speeds(hesca_model_args *args, int vector, const hesca_topology *t,
           int home)
{
    const long long n = hesca_model_args_count(args, vector);
    double *speed = NULL;
    int *ints = NULL, err;
    if (n < 0)
        return (int)n;
    const int nprocs = list_speeds(t, home, &speed);
    if (nprocs < 0)
        return nprocs;
    if (n > nprocs || n < 1) {
        err = hesca_fail(HESCA_ERR_ARG, 0, "%lld speeds for %d processes", n,
                         nprocs);
        goto fail;
    }
    if (args->code->param[vector].is_double) {
        err = hesca_model_args_set(args, vector, NULL, speed, n);
        goto fail;
    }
    double least = speed[0];
    for (long long k = 0; k < n; ++k)
        least = speed[k] < least ? speed[k] : least;
    ints = malloc((size_t)n * sizeof *ints);
    if (ints == NULL) {
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "%lld speeds", n);
        goto fail;
    }
    for (long long k = 0; k < n; ++k) {
        const double x = speed[k] / least * 1000 + 0.5;
        ints[k] = x < 1e9 ? (int)x : 1000000000;
    }
    err = hesca_model_args_set(args, vector, ints, NULL, n);
fail:
    free(speed);
    free(ints);
    return err;
}

int
hesca_arrange_set(hesca_model_args *args, const hesca_topology *topology,
                  int parent_computer, const int *dims)
{
    int vector, err = hesca_arrange_check(args->code, &vector);
    for (int k = 0; k < args->code->ndims && err == 0; ++k)
        err = hesca_model_args_set(args, args->code->extent[k], &dims[k], NULL,
                                   1);
    if (err == 0 && vector >= 0)
        err = set_speeds(args, vector, topology, parent_computer);
    return err;
}

/* --- search --- */

static double
estimate(arranging *x, const int *dims)
{
    hesca_instance instance = {.trace = {.root = -1}};
    hesca_search_result found = {.computer = NULL};
    int err = hesca_arrange_set(x->args, x->topology,
                                x->search->parent_computer, dims);
    if (err == 0)
        err = hesca_instance_create(x->args, &instance);
    if (err == 0)
        err =
            hesca_search(&instance, x->topology, x->price, x->search, &found);
    x->result->estimates += found.estimates;
    free(found.computer);
    hesca_instance_clear(&instance);
    if (err == HESCA_ERR_NOMEM)
        x->err = err;
    if (err < 0)
        strncpy(x->result->why, hesca_error_text(), sizeof x->result->why - 1);
    return err < 0 ? -1 : found.seconds;
}

static int
is_chosen(const arranging *x, const int *dims)
{
    const hesca_arrange_options *o = x->options;
    const hesca_model_code *code = x->args->code;
    int copy[HESCA_MODEL_DIMS];
    if (o->is_chosen != NULL && !o->is_chosen(code->ndims, dims, o->nprocs))
        return 0;
    if (o->is_chosen_by_user == NULL)
        return 1;
    memcpy(copy, dims, (size_t)code->ndims * sizeof *dims);
    return o->is_chosen_by_user(code->ndims, copy, (void *)(size_t)o->modelp,
                                o->paramc);
}

static int
visit(void *context, const int *dims)
{
    arranging *x = context;
    hesca_arrange_result *r = x->result;
    const hesca_arrange_options *o = x->options;
    const int ndims = x->args->code->ndims;
    if (!is_chosen(x, dims))
        return 0;
    if (o->progress != NULL &&
        o->progress(o->context, r->ntried, dims,
                    r->best < 0 ? -1 : r->tried[r->best].seconds) != 0)
        return 1;
    if (r->ntried == x->room) {
        const int64_t room = x->room > 0 ? 2 * x->room : 64;
        void *more = realloc(r->tried, (size_t)room * sizeof *r->tried);
        if (more == NULL) {
            x->err = hesca_fail(HESCA_ERR_NOMEM, 0, "%lld arrangements",
                                (long long)room);
            return 1;
        }
        r->tried = more;
        x->room = room;
    }
    hesca_arrangement *a = &r->tried[r->ntried];
    *a = (hesca_arrangement){.seconds = 0};
    memcpy(a->dims, dims, (size_t)ndims * sizeof *dims);
    a->seconds = estimate(x, dims);
    if (a->seconds >= 0 &&
        (r->best < 0 || a->seconds < r->tried[r->best].seconds))
        r->best = r->ntried;
    ++r->ntried;
    return x->err < 0;
}

int
hesca_arrange(hesca_model_args *args, const hesca_topology *topology,
              const hesca_price_options *price,
              const hesca_search_options *search,
              const hesca_arrange_options *options,
              hesca_arrange_result *result)
{
    arranging x = {.args = args,
                   .topology = topology,
                   .price = price,
                   .search = search,
                   .options = options,
                   .result = result};
    int vector;
    *result = (hesca_arrange_result){.best = -1};
    x.err = hesca_arrange_check(args->code, &vector);
    if (x.err < 0)
        return x.err;
    result->nvisited =
        hesca_arrangements(args->code->ndims, options->nprocs, visit, &x);
    if (x.err == 0 && result->best >= 0)
        x.err = hesca_arrange_set(args, topology, search->parent_computer,
                                  result->tried[result->best].dims);
    if (x.err < 0) {
        free(result->tried);
        result->tried = NULL;
        result->ntried = 0;
    }
    return x.err;
}

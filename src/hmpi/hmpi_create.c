/* SPDX-License-Identifier: BSD-3-Clause */
/* Creating groups and predicting times.  The parent knows the model and its
 * parameters, so it maps the model's processes to those that are free; the
 * registry tells these. */
#include "base/status.h"
#include "hmpi/hmpi_params.h"
#include "hmpi/hmpi_state.h"
#include "pmdl/auto_create.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a group is to be made of. */
typedef struct {
    const char *routine;
    const HMPI_Model *model;
    const void *params;
    int paramc;
    int is_auto;
    HMPI_Heuristic_function heuristic;
} request;

/* What is found for it. */
typedef struct {
    double *speed;      /* [nprocs] */
    unsigned char *can; /* [nprocs] run one of its processes */
    int home;           /* the parent's rank */
    hesca_topology topology;
    hesca_model_args args;
    hesca_instance instance;
    hesca_search_result found;
} mapping;

/* As hesca model --by-unit: start-up times of all messages count. */
static const hesca_price_options price = {HESCA_PRICE_THESIS, 1, 1};

static void
mapping_clear(mapping *m)
{
    free(m->speed);
    free(m->can);
    hesca_topology_clear(&m->topology);
    if (m->args.code != NULL)
        hesca_model_args_clear(&m->args);
    hesca_instance_clear(&m->instance);
    free(m->found.computer);
}

/* --- arguments --- */

static int
check_model(const request *r)
{
    if (r->model == NULL)
        return hesca_fail_null(r->routine, 2, "model");
    if (r->model->version != HESCA_MODEL_VERSION)
        return hesca_fail(HESCA_ERR_ARG, 2,
                          "%s: argument 2, model, is of version %d: must be "
                          "of %d",
                          r->routine, r->model->version, HESCA_MODEL_VERSION);
    if (r->params == NULL && r->model->nparams > 0)
        return hesca_fail_null(r->routine, 3, "model_parameters");
    if (r->paramc < 0)
        return hesca_fail_arg(r->routine, 4, "paramc", r->paramc, ">= 0");
    return HESCA_SUCCESS;
}

/* --- mapping --- */

/* Speeds, and one byte for each process. */
static int
parse_state(const hesca_hmpi_message *reply, const char *bytes, double **speed,
            unsigned char **flags)
{
    const size_t n = (size_t)hesca_hmpi.nprocs;
    *speed = malloc(n * sizeof **speed);
    *flags = malloc(n);
    if ((size_t)reply->n != n * (sizeof **speed + 1))
        return hesca_fail(HESCA_ERR_MPI, 0, "hmpi: a state of %d bytes",
                          reply->n);
    if (*speed == NULL || *flags == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "hmpi: %zu processes", n);
    memcpy(*speed, bytes, n * sizeof **speed);
    memcpy(*flags, bytes + n * sizeof **speed, n);
    return HESCA_SUCCESS;
}

int
hesca_hmpi_ask_state(const char *routine, double **speed,
                     unsigned char **is_free)
{
    hesca_hmpi_message reply;
    char *bytes = NULL;
    int err;
    *speed = NULL;
    *is_free = NULL;
    HESCA_TRY(err, hesca_hmpi_check_on(routine));
    HESCA_TRY(err,
              hesca_hmpi_ask(HESCA_HMPI_STATE, 0, NULL, 0, &reply, &bytes));
    err = parse_state(&reply, bytes, speed, is_free);
fail:
    free(bytes);
    if (err < 0) {
        free(*speed);
        free(*is_free);
        *speed = NULL;
        *is_free = NULL;
    }
    return err;
}

/* So that what is chosen can be repeated by hesca model map. */
static void
log_network(const hesca_topology *t)
{
    const char *path = getenv("HMPI_LOG_TOPOLOGY");
    char *text = NULL;
    if (path == NULL || *path == '\0' || hesca_topology_format(t, &text) < 0)
        return;
    FILE *f = fopen(path, "w");
    if (f != NULL) {
        fputs(text, f);
        fclose(f);
    }
    free(text);
}

/* An instance needs a place for each of its processes. */
static int
check_places(const request *r, const mapping *m)
{
    int places = 0;
    for (int c = 0; c < m->topology.ncomputers; ++c)
        places += m->topology.computer[c].nprocs;
    return m->instance.nvps <= places
               ? HESCA_SUCCESS
               : hesca_fail(HMPI_ERR_PROCESSES, 0,
                            "%s: %s has %d processes, but %d are free, with "
                            "the parent",
                            r->routine, r->model->name, m->instance.nvps,
                            places);
}

static int
arrange(const request *r, mapping *m, const hesca_search_options *search)
{
    hesca_arrange_result result;
    hesca_arrange_options how = {.is_chosen_by_user = r->heuristic,
                                 .modelp = r->params,
                                 .paramc = r->paramc};
    for (int c = 0; c < m->topology.ncomputers; ++c)
        how.nprocs += m->topology.computer[c].nprocs;
    int err =
        hesca_arrange(&m->args, &m->topology, &price, search, &how, &result);
    if (err == HESCA_SUCCESS && result.best < 0)
        err = hesca_fail(HESCA_ERR_PARAM, 0,
                         "%s: no arrangement of %s has a value%s%s",
                         r->routine, r->model->name,
                         result.why[0] != '\0' ? ": " : "", result.why);
    if (err == HESCA_SUCCESS)
        hesca_hmpi_debug("%lld of %lld arrangements tried, best %.6g s",
                         (long long)result.ntried, (long long)result.nvisited,
                         result.tried[result.best].seconds);
    free(result.tried);
    return err;
}

/* Find the mapping of a request to the processes that can run. */
static int
find(const request *r, mapping *m)
{
    hesca_search_options search = {.parent_computer =
                                       hesca_hmpi.network.computer[m->home]};
    int err;
    HESCA_TRY(err, hesca_hmpi_network_now(m->speed, m->can, &m->topology));
    log_network(&m->topology);
    HESCA_TRY(err, hesca_model_args_init(&m->args, r->model));
    HESCA_TRY(err,
              hesca_hmpi_unpack(r->routine, r->params, r->paramc,
                                r->is_auto ? hesca_hmpi_count_inputs(r->model)
                                           : r->model->nparams,
                                &m->args));
    if (r->is_auto)
        HESCA_TRY(err, arrange(r, m, &search));
    HESCA_TRY(err, hesca_instance_create(&m->args, &m->instance));
    HESCA_TRY(err, check_places(r, m));
    err = hesca_search(&m->instance, &m->topology, &price, &search, &m->found);
fail:
    return err;
}

/* --- processes of a mapping --- */

typedef struct {
    double value;
    int number;
} ranked;

static int
descending(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return x->number - y->number;
}

/* On each computer the largest volume goes to the fastest process; that of the
 * parent is its own. */
static int
choose_processes(const mapping *m, int *world)
{
    const hesca_instance *x = &m->instance;
    const int nprocs = hesca_hmpi.nprocs;
    ranked *vp = malloc((size_t)x->nvps * sizeof *vp);
    ranked *process = malloc((size_t)nprocs * sizeof *process);
    const int ok = vp != NULL && process != NULL;
    for (int c = 0; ok && c < m->topology.ncomputers; ++c) {
        int nvps = 0, n = 0;
        for (int k = 0; k < x->nvps; ++k)
            if (k != x->parent && m->found.computer[k] == c)
                vp[nvps++] = (ranked){x->volume[k], k};
        for (int k = 0; k < nprocs; ++k)
            if (m->can[k] && k != m->home &&
                hesca_hmpi.network.computer[k] == c)
                process[n++] = (ranked){m->speed[k], k};
        qsort(vp, (size_t)nvps, sizeof *vp, descending);
        qsort(process, (size_t)n, sizeof *process, descending);
        for (int k = 0; k < nvps; ++k)
            world[vp[k].number] = process[k].number;
    }
    world[x->parent] = m->home;
    free(vp);
    free(process);
    return ok ? HESCA_SUCCESS
              : hesca_fail(HESCA_ERR_NOMEM, 0, "hmpi: %d processes", nprocs);
}

/* --- creation --- */

/* Tell the registry, and make the group when all its processes are ready. */
static int
commit(HMPI_Group *gid, const request *r, const mapping *m)
{
    int *world = malloc((size_t)m->instance.nvps * sizeof *world);
    char *bytes = NULL;
    size_t n = 0;
    hesca_hmpi_message reply;
    int err = world == NULL
                  ? hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %d processes",
                               r->routine, m->instance.nvps)
                  : choose_processes(m, world);
    if (err == HESCA_SUCCESS)
        err = hesca_hmpi_group_format(&m->instance, world, &bytes, &n);
    if (err < 0) {
        hesca_hmpi_ask_done(r->routine, HESCA_HMPI_CANCEL, 0, NULL, 0);
        goto fail;
    }
    HESCA_TRY(err,
              hesca_hmpi_ask(HESCA_HMPI_COMMIT, 0, bytes, n, &reply, NULL));
    if (reply.type != HESCA_HMPI_GO)
        HESCA_TRY(err, hesca_fail(HMPI_ERR_PROCESSES, 0,
                                  "%s: the processes are not free any more",
                                  r->routine));
    err = hesca_hmpi_group_join(gid, reply.a, bytes, n);
fail:
    free(world);
    free(bytes);
    return err;
}

/* A failure must not replace the one that is reported. */
static void
cancel(const char *routine)
{
    const hesca_failure failure = *hesca_failure_get();
    hesca_hmpi_ask_done(routine, HESCA_HMPI_CANCEL, 0, NULL, 0);
    hesca_failure_set(&failure);
}

static int
create_as_parent(HMPI_Group *gid, const request *r)
{
    mapping m = {.home = hesca_hmpi.rank, .instance = {.trace = {.root = -1}}};
    hesca_hmpi_message reply;
    char *bytes = NULL;
    int err;
    HESCA_TRY(err,
              hesca_hmpi_ask(HESCA_HMPI_BEGIN, 0, NULL, 0, &reply, &bytes));
    if (reply.type != HESCA_HMPI_CANDIDATES)
        HESCA_TRY(err, hesca_fail(HMPI_ERR_ORDER, 0,
                                  "%s: process %d may not create a group now",
                                  r->routine, hesca_hmpi.rank));
    err = check_model(r);
    if (err == HESCA_SUCCESS)
        err = parse_state(&reply, bytes, &m.speed, &m.can);
    if (err == HESCA_SUCCESS) {
        m.can[hesca_hmpi.rank] = 1;
        err = find(r, &m);
    }
    if (err < 0) {
        cancel(r->routine);
        goto fail;
    }
    hesca_hmpi_debug("%s of %s: %d processes, %.6g s predicted", r->routine,
                     r->model->name, m.instance.nvps, m.found.seconds);
    err = commit(gid, r, &m);
fail:
    free(bytes);
    mapping_clear(&m);
    return err;
}

int
hesca_hmpi_wait_at(const char *routine, hesca_hmpi_place place,
                   HMPI_Group *gid)
{
    hesca_hmpi_message reply, go;
    char *bytes = NULL;
    int err;
    HESCA_TRY(err,
              hesca_hmpi_ask(HESCA_HMPI_WAIT, place, NULL, 0, &reply, &bytes));
    if (reply.type == HESCA_HMPI_LEAVE)
        goto fail;
    if (reply.type != HESCA_HMPI_EMPLOYED || gid == NULL)
        HESCA_TRY(err, hesca_fail(HMPI_ERR_ORDER, 0,
                                  "%s: process %d may not wait here", routine,
                                  hesca_hmpi.rank));
    HESCA_TRY(err,
              hesca_hmpi_ask(HESCA_HMPI_CONFIRM, reply.a, NULL, 0, &go, NULL));
    if (go.type != HESCA_HMPI_GO)
        HESCA_TRY(err,
                  hesca_fail(HMPI_ERR_ORDER, 0, "%s: not confirmed", routine));
    err = hesca_hmpi_group_join(gid, reply.a, bytes, (size_t)reply.n);
fail:
    free(bytes);
    return err;
}

static int
create(HMPI_Group *gid, const request *r)
{
    int err = hesca_hmpi_check_on(r->routine);
    if (err < 0)
        return err;
    if (gid == NULL)
        return hesca_fail_null(r->routine, 1, "gid");
    *gid = (HMPI_Group){0, 0};
    return HMPI_Is_free()
               ? hesca_hmpi_wait_at(r->routine, HESCA_HMPI_AT_CREATE, gid)
               : create_as_parent(gid, r);
}

int
HMPI_Group_create(HMPI_Group *gid, const HMPI_Model *model,
                  const void *model_parameters, int paramc)
{
    return create(gid, &(request){.routine = "HMPI_Group_create",
                                  .model = model,
                                  .params = model_parameters,
                                  .paramc = paramc});
}

int
HMPI_Group_auto_create(HMPI_Group *gid, const HMPI_Model *model,
                       const void *model_parameters, int paramc)
{
    return create(gid, &(request){.routine = "HMPI_Group_auto_create",
                                  .model = model,
                                  .params = model_parameters,
                                  .paramc = paramc,
                                  .is_auto = 1});
}

int
HMPI_Group_heuristic_auto_create(HMPI_Group *gid, const HMPI_Model *model,
                                 HMPI_Heuristic_function hfunc,
                                 const void *model_parameters, int paramc)
{
    return create(gid,
                  &(request){.routine = "HMPI_Group_heuristic_auto_create",
                             .model = model,
                             .params = model_parameters,
                             .paramc = paramc,
                             .is_auto = 1,
                             .heuristic = hfunc});
}

/* --- predefined heuristics --- */

int
HMPI_Heuristic_square(int np, int *dp, void *modelp, int paramc)
{
    (void)modelp, (void)paramc;
    return hesca_filter_find("square")(np, dp, hesca_hmpi.nprocs);
}

int
HMPI_Heuristic_divisors(int np, int *dp, void *modelp, int paramc)
{
    (void)modelp, (void)paramc;
    return hesca_filter_find("divisors")(np, dp, hesca_hmpi.nprocs);
}

int
HMPI_Heuristic_powers(int np, int *dp, void *modelp, int paramc)
{
    (void)modelp, (void)paramc;
    return hesca_filter_find("powers")(np, dp, hesca_hmpi.nprocs);
}

/* --- predictions --- */

double
HMPI_Timeof(const HMPI_Model *model, const void *model_parameters, int paramc)
{
    const request r = {.routine = "HMPI_Timeof",
                       .model = model,
                       .params = model_parameters,
                       .paramc = paramc};
    mapping m = {.instance = {.trace = {.root = -1}}};
    int err = hesca_hmpi_check_on(r.routine);
    if (err == HESCA_SUCCESS)
        err = check_model(&r);
    if (err == HESCA_SUCCESS)
        err = hesca_hmpi_ask_state(r.routine, &m.speed, &m.can);
    if (err == HESCA_SUCCESS) {
        m.home = HMPI_Is_free() ? 0 : hesca_hmpi.rank;
        m.can[m.home] = 1;
        err = find(&r, &m);
    }
    const double seconds = err < 0 ? -1.0 : m.found.seconds;
    mapping_clear(&m);
    return seconds;
}

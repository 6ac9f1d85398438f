/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/speeds.h"
#include "base/status.h"
#include "exec/agree.h"
#include "machine/models.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A model without its knots. */
typedef struct {
    char kernel[HESCA_KERNEL_MAX];
    int host, nknots;
    double limit;
} model_head;

/* All models of a machine, one after another. */
typedef struct {
    int64_t nmodels, nknots;
    model_head *model_head;
    hesca_knot *knot;
} packed_models;

static void
count(const hesca_machine *m, packed_models *p)
{
    p->nmodels = m->nmodels;
    p->nknots = 0;
    for (int i = 0; i < m->nmodels; ++i) {
        int n;
        hesca_speed_knots(m->model[i].speed, &n);
        p->nknots += n;
    }
}

static int
allocate(packed_models *p)
{
    enum { DOUBLES = sizeof *p->knot / sizeof(double) };
    if (p->nknots > INT_MAX / DOUBLES ||
        p->nmodels > (int64_t)(INT_MAX / sizeof *p->model_head))
        return hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                          "%lld models of %lld knots are too many",
                          (long long)p->nmodels, (long long)p->nknots);
    p->model_head = calloc((size_t)p->nmodels, sizeof *p->model_head);
    p->knot = calloc((size_t)p->nknots, sizeof *p->knot);
    if (p->model_head == NULL || p->knot == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld models of a machine",
                          (long long)p->nmodels);
    return HESCA_SUCCESS;
}

static void
pack(const hesca_machine *m, packed_models *p)
{
    hesca_knot *to = p->knot;
    for (int i = 0; i < m->nmodels; ++i) {
        const hesca_model *x = &m->model[i];
        model_head *l = &p->model_head[i];
        const hesca_knot *knot = hesca_speed_knots(x->speed, &l->nknots);
        memcpy(l->kernel, x->kernel, sizeof l->kernel);
        l->host = x->host;
        l->limit = hesca_speed_limit(x->speed);
        memcpy(to, knot, (size_t)l->nknots * sizeof *to);
        to += l->nknots;
    }
}

static int
unpack(const packed_models *p, hesca_machine *m)
{
    const hesca_knot *from = p->knot;
    int err = HESCA_SUCCESS;
    for (int64_t i = 0; i < p->nmodels; ++i) {
        const model_head *l = &p->model_head[i];
        hesca_speed *speed;
        HESCA_TRY(err, hesca_speed_create(l->nknots, from, l->limit, &speed));
        if ((err = hesca_models_enter(m, l->host, l->kernel, speed)) < 0) {
            hesca_speed_free(speed);
            return err;
        }
        from += l->nknots;
    }
fail:
    return err;
}

int
hesca_speeds_share(const hesca_comm *c, hesca_machine *machine)
{
    packed_models p = {0};
    int64_t size[2];
    int err;
    count(machine, &p);
    size[0] = p.nmodels;
    size[1] = p.nknots;
    HESCA_TRY(err, hesca_comm_bcast(c, size, 2, MPI_INT64_T));
    p.nmodels = size[0];
    p.nknots = size[1];
    if (p.nmodels == 0)
        return HESCA_SUCCESS;
    HESCA_TRY(err, hesca_agree(c, allocate(&p), 0, NULL));
    if (c->rank == 0)
        pack(machine, &p);
    HESCA_TRY(err, hesca_comm_bcast(c, p.model_head,
                                    (size_t)p.nmodels * sizeof *p.model_head,
                                    MPI_BYTE));
    HESCA_TRY(err, hesca_comm_bcast(c, p.knot,
                                    (size_t)p.nknots * sizeof *p.knot /
                                        sizeof(double),
                                    MPI_DOUBLE));
    HESCA_TRY(
        err, hesca_agree(c, c->rank == 0 ? HESCA_SUCCESS : unpack(&p, machine),
                         0, NULL));
fail:
    free(p.model_head);
    free(p.knot);
    return err;
}

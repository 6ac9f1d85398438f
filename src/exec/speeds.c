/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/speeds.h"
#include "base/status.h"
#include "machine/models.h"
#include <stdint.h>
#include <string.h>

/* A model without its knots. */
typedef struct {
    char kernel[HESCA_KERNEL_MAX];
    int host, nknots;
    double limit;
} head;

/* Packed: two numbers, the heads, the knots. */
typedef struct {
    int64_t nmodels, nknots;
} numbers;

static numbers
count(const hesca_machine *m)
{
    numbers x = {m->nmodels, 0};
    for (int i = 0; i < m->nmodels; ++i) {
        int n;
        hesca_speed_knots(m->model[i].speed, &n);
        x.nknots += n;
    }
    return x;
}

size_t
hesca_speeds_packed(const hesca_machine *m)
{
    const numbers x = count(m);
    return x.nmodels == 0 ? 0
                          : sizeof x + (size_t)x.nmodels * sizeof(head) +
                                (size_t)x.nknots * sizeof(hesca_knot);
}

void
hesca_speeds_pack(const hesca_machine *m, char *to)
{
    const numbers x = count(m);
    head *h = (head *)(void *)(to + sizeof x);
    hesca_knot *k = (hesca_knot *)(void *)(h + x.nmodels);
    memcpy(to, &x, sizeof x);
    memset(h, 0, (size_t)x.nmodels * sizeof *h); /* and what pads them */
    for (int i = 0; i < m->nmodels; ++i) {
        const hesca_model *model = &m->model[i];
        const hesca_knot *knot = hesca_speed_knots(model->speed, &h[i].nknots);
        memcpy(h[i].kernel, model->kernel, sizeof h[i].kernel);
        h[i].host = model->host;
        h[i].limit = hesca_speed_limit(model->speed);
        memcpy(k, knot, (size_t)h[i].nknots * sizeof *k);
        k += h[i].nknots;
    }
}

int
hesca_speeds_unpack(const char *from, hesca_machine *m)
{
    numbers x;
    memcpy(&x, from, sizeof x);
    const head *h = (const head *)(const void *)(from + sizeof x);
    const hesca_knot *k = (const hesca_knot *)(const void *)(h + x.nmodels);
    int err = HESCA_SUCCESS;
    for (int64_t i = 0; i < x.nmodels; ++i) {
        hesca_speed *speed;
        HESCA_TRY(err, hesca_speed_create(h[i].nknots, k, h[i].limit, &speed));
        err = hesca_models_enter(m, h[i].host, h[i].kernel, speed);
        if (err < 0) {
            hesca_speed_free(speed);
            return err;
        }
        k += h[i].nknots;
    }
fail:
    return err;
}

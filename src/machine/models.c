/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/models.h"
#include "base/status.h"
#include "machine/knots.h"
#include <stdlib.h>
#include <string.h>

/* --- search --- There is at most one model for a host and a kernel. */

int
hesca_kernel_is_name(const char *kernel)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    for (size_t n = 0; n < HESCA_KERNEL_MAX; ++n)
        if (kernel[n] == '\0')
            return n > 0;
        else if (strchr(letters, kernel[n]) == NULL)
            return 0;
    return 0;
}

static int
find(const hesca_machine *m, int host, const char *kernel)
{
    for (int i = 0; i < m->nmodels; ++i)
        if (m->model[i].host == host &&
            strcmp(m->model[i].kernel, kernel) == 0)
            return i;
    return -1;
}

const hesca_speed *
hesca_machine_speed(const hesca_machine *machine, int host, const char *kernel)
{
    const int i = find(machine, host, kernel);
    return i < 0 ? NULL : machine->model[i].speed;
}

/* --- changes ---
 * A machine owns its models.  Each function leaves a machine that can be
 * cleared, also on error. */

void
hesca_models_clear(hesca_machine *machine)
{
    for (int i = 0; i < machine->nmodels; ++i)
        hesca_speed_free(machine->model[i].speed);
    free(machine->model);
    machine->nmodels = 0;
    machine->model = NULL;
}

/* Free and remove model i; nothing for i < 0. */
static void
drop(hesca_machine *m, int i)
{
    if (i < 0)
        return;
    hesca_speed_free(m->model[i].speed);
    --m->nmodels;
    memmove(&m->model[i], &m->model[i + 1],
            (size_t)(m->nmodels - i) * sizeof *m->model);
}

int
hesca_models_enter(hesca_machine *machine, int host, const char *kernel,
                   hesca_speed *speed)
{
    const int i = find(machine, host, kernel), n = machine->nmodels;
    if (i >= 0) {
        hesca_speed_free(machine->model[i].speed);
        machine->model[i].speed = speed;
        return HESCA_SUCCESS;
    }
    hesca_model *more =
        realloc(machine->model, ((size_t)n + 1) * sizeof *more);
    if (more == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d models of a machine", n + 1);
    machine->model = more;
    more[n] = (hesca_model){.host = host, .speed = speed};
    strcpy(more[n].kernel, kernel);
    machine->nmodels = n + 1;
    return HESCA_SUCCESS;
}

int
hesca_models_copy(const hesca_machine *from, hesca_machine *to)
{
    int err = HESCA_SUCCESS;
    for (int i = 0; i < from->nmodels; ++i) {
        const hesca_model *x = &from->model[i];
        hesca_speed *speed;
        HESCA_TRY(err, hesca_speed_copy(x->speed, hesca_speed_limit(x->speed),
                                        &speed));
        if ((err = hesca_models_enter(to, x->host, x->kernel, speed)) < 0) {
            hesca_speed_free(speed);
            return err;
        }
    }
fail:
    return err;
}

void
hesca_models_move(hesca_machine *from, hesca_machine *to)
{
    to->nmodels = from->nmodels;
    to->model = from->model;
    from->nmodels = 0;
    from->model = NULL;
    for (int i = to->nmodels - 1; i >= 0; --i) {
        const char *name = from->host[to->model[i].host].name;
        int host = 0;
        while (host < to->nhosts && strcmp(to->host[host].name, name) != 0)
            ++host;
        to->model[i].host = host;
        if (host == to->nhosts)
            drop(to, i);
    }
}

/* --- checks ---
 * A machine is not changed unless all arguments are valid.  Distances of knots
 * may be smaller in a machine that was read from a file. */

static int
check_name(int argument, const char *kernel)
{
    if (kernel != NULL && hesca_kernel_is_name(kernel))
        return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_ARG, argument,
                      "the kernel '%.40s' must be a name of letters, digits, "
                      "- and _, shorter than 32",
                      kernel == NULL ? "(null)" : kernel);
}

static int
check_knots(const char *host, const char *kernel, const hesca_speed *speed,
            double apart)
{
    int n;
    const hesca_knot *knot = hesca_speed_knots(speed, &n);
    const int j = hesca_knot_crowded(n, knot, apart);
    if (j == 0)
        return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_ARG, 4,
                      "knots %d and %d of the model '%s %s' have sizes, or "
                      "times, that differ by less than 1e-8",
                      j - 1, j, host, kernel);
}

int
hesca_machine_set_speed(hesca_machine *machine, int host, const char *kernel,
                        const hesca_speed *speed)
{
    hesca_speed *copy = NULL;
    int err;
    if (host < 0 || host >= machine->nhosts)
        return hesca_fail_arg("hesca_machine_set_speed", 2, "host", host,
                              "the number of a host");
    HESCA_TRY(err, check_name(3, kernel));
    if (speed == NULL) {
        drop(machine, find(machine, host, kernel));
        return HESCA_SUCCESS;
    }
    HESCA_TRY(err, check_knots(machine->host[host].name, kernel, speed,
                               HESCA_APART_WRITTEN));
    HESCA_TRY(err, hesca_speed_copy(speed, hesca_speed_limit(speed), &copy));
    err = hesca_models_enter(machine, host, kernel, copy);
fail:
    if (err < 0)
        hesca_speed_free(copy);
    return err;
}

int
hesca_models_check(const hesca_machine *m)
{
    int err = HESCA_SUCCESS;
    if (m->nmodels < 0 || (m->nmodels > 0 && m->model == NULL))
        return hesca_fail(HESCA_ERR_ARG, 0, "a machine of %d models%s",
                          m->nmodels, m->nmodels > 0 ? ", without one" : "");
    for (int i = 0; i < m->nmodels; ++i) {
        const hesca_model *x = &m->model[i];
        if (x->host < 0 || x->host >= m->nhosts || x->speed == NULL)
            return hesca_fail(HESCA_ERR_ARG, 0, "model %d is of host %d of %d",
                              i, x->host, m->nhosts);
        HESCA_TRY(err, check_name(0, x->kernel));
        const char *host = m->host[x->host].name;
        if (find(m, x->host, x->kernel) != i)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "the model '%s %s' appears twice", host,
                              x->kernel);
        HESCA_TRY(err,
                  check_knots(host, x->kernel, x->speed, HESCA_APART_READ));
    }
fail:
    return err;
}

static int
is_same(const hesca_model *x, const hesca_model *y)
{
    int n, m;
    const hesca_knot *a = hesca_speed_knots(x->speed, &n);
    const hesca_knot *b = hesca_speed_knots(y->speed, &m);
    const double limit = hesca_speed_limit(x->speed);
    const double other = hesca_speed_limit(y->speed);
    return x->host == y->host && strcmp(x->kernel, y->kernel) == 0 &&
           !(limit < other || limit > other) && n == m &&
           memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

int
hesca_models_are_same(const hesca_machine *x, const hesca_machine *y)
{
    int i = 0;
    while (i < x->nmodels && i < y->nmodels &&
           is_same(&x->model[i], &y->model[i]))
        ++i;
    return i == x->nmodels && i == y->nmodels;
}

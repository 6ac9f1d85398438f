/* SPDX-License-Identifier: BSD-3-Clause */
/* Every process is a processor of its own, also where several share a host. */
#include "base/sort.h"
#include "blas.h"
#include "hohe.h"
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 192, WINDOWS = 3 };

/* ----- speeds ----- */

/* Operations per second of products of small matrices over a window. */
static double
measure(const double *a, double *c, double window)
{
    const double one = 1, zero = 0, start = yield_clock();
    const int n = ORDER;
    double now = start;
    int times = 0;
    while (now - start < window || times == 0) {
        dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
        now = yield_clock();
        ++times;
    }
    return 2.0 * ORDER * ORDER * ORDER * times / (now - start);
}

static double
measure_median(double window)
{
    double speed[WINDOWS], ends[2];
    double *a = calloc(2 * ORDER * ORDER, sizeof *a);
    if (!yield_all(a != NULL)) {
        free(a);
        return 0;
    }
    yield_barrier();
    measure(a, a + ORDER * ORDER, window);
    for (int k = 0; k < WINDOWS; ++k)
        speed[k] = measure(a, a + ORDER * ORDER, window);
    free(a);
    return hesca_median(speed, WINDOWS, ends);
}

/* Speeds: as given, or measured. */
static int
find_speeds(const hohe_options *o, hohe_net *x)
{
    for (int k = 0; k < o->nspeeds; ++k)
        x->speed[k] = (double)o->speed[k] * o->unit;
    if (o->nspeeds > 0)
        return 1;
    x->speed[x->rank] = measure_median(o->window);
    yield_long_barrier();
    yield_allreduce(x->speed, x->nprocs, MPI_DOUBLE, MPI_MAX);
    return x->speed[0] > 0 ||
           (x->rank == 0 && cmdline_fail("no memory for matrices"));
}

/* ----- links ----- */

typedef char host_name[HESCA_HOST_MAX];

/* The links between the hosts of the processes, from the machine file. */
static int
take_wires(const host_name *host, hohe_net *x)
{
    hesca_machine file;
    const char *path = getenv("HESCA_MACHINE");
    int at[HOHE_PROCS_MAX], ok = 1;
    const int n = x->nprocs;
    if (path == NULL || *path == '\0')
        return 1;
    if (hesca_machine_read(path, &file) < 0)
        return cmdline_fail("%s", hesca_error_text());
    for (int k = 0; ok && file.nhosts > 0 && k < n; ++k) {
        at[k] = hesca_machine_find_host(&file, host[k]);
        if (at[k] < 0)
            ok = cmdline_fail("HESCA_MACHINE does not know host %s", host[k]);
    }
    for (int k = 0; ok && file.nhosts > 0 && k < n * n; ++k)
        x->machine.wire[k] = file.wire[at[k / n] * file.nhosts + at[k % n]];
    x->has_file = file.nhosts > 0;
    hesca_machine_clear(&file);
    return ok;
}

static int
make_machine(const hohe_options *o, const host_name *host, hohe_net *x)
{
    const int n = x->nprocs;
    static const char *name[HOHE_PROCS_MAX];
    static host_name own[HOHE_PROCS_MAX];
    hesca_machine *m = &x->machine;
    for (int k = 0; k < n; ++k) {
        snprintf(own[k], sizeof own[k], "p%d", k);
        name[k] = own[k];
    }
    if (hesca_machine_set_hosts(m, n, name) < 0)
        return cmdline_fail("%s", hesca_error_text());
    for (int k = 0; k < n; ++k) {
        hesca_speed *model;
        int err = hesca_speed_create_constant(x->speed[k], INFINITY, &model);
        if (err == HESCA_SUCCESS)
            err = hesca_machine_set_speed(m, k, "dgemm", model);
        hesca_speed_free(model);
        if (err < 0)
            return cmdline_fail("%s", hesca_error_text());
        m->host[k].speed = x->speed[k] / x->speed[0];
        m->host[k].memory = 0;
    }
    if (host != NULL && !take_wires(host, x))
        return 0;
    for (int k = 0; k < n * n; ++k) {
        m->wire[k].startup = o->startup < 0 ? m->wire[k].startup : o->startup;
        m->wire[k].rate = o->rate < 0 ? m->wire[k].rate : o->rate;
    }
    return 1;
}

/* ----- all ----- */

/* There must be a speed for each process, except on paper. */
static int
count(const hohe_options *o, hohe_net *x)
{
    MPI_Comm_size(MPI_COMM_WORLD, &x->nprocs);
    MPI_Comm_rank(MPI_COMM_WORLD, &x->rank);
    if (o->nspeeds > 0 && !o->is_paper && o->nspeeds != x->nprocs)
        return x->rank == 0 && cmdline_fail("%d speeds for %d processes",
                                            o->nspeeds, x->nprocs);
    if (x->nprocs > HOHE_PROCS_MAX)
        return x->rank == 0 &&
               cmdline_fail("%d processes are too many", x->nprocs);
    if (o->is_paper)
        x->nprocs = o->nspeeds;
    return 1;
}

int
hohe_net_find(const hohe_options *o, hohe_net *x)
{
    host_name mine = "", *host = NULL;
    int len, ok;
    *x = (hohe_net){.machine = hesca_machine_default()};
    if (!count(o, x))
        return 0;
    x->speed = calloc((size_t)x->nprocs, sizeof *x->speed);
    if (!o->is_paper) {
        char name[MPI_MAX_PROCESSOR_NAME];
        MPI_Get_processor_name(name, &len);
        snprintf(mine, sizeof mine, "%.*s", HESCA_HOST_MAX - 1, name);
        host = calloc((size_t)x->nprocs, sizeof *host);
    }
    ok = yield_all(x->speed != NULL && (o->is_paper || host != NULL));
    if (!ok && x->rank == 0)
        cmdline_fail("no memory for %d processors", x->nprocs);
    if (ok && host != NULL)
        MPI_Allgather(mine, sizeof mine, MPI_BYTE, host, sizeof mine, MPI_BYTE,
                      MPI_COMM_WORLD);
    ok = ok && find_speeds(o, x);
    if (ok && x->rank == 0)
        ok = make_machine(o, host, x);
    free(host);
    return yield_all(ok);
}

void
hohe_net_clear(hohe_net *x)
{
    free(x->speed);
    hesca_machine_clear(&x->machine);
    *x = (hohe_net){.nprocs = 0};
}

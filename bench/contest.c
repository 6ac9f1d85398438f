/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "grids.h"
#include "hesca/experimental/param.h"
#include "lim.h"
#include "yield.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
fail(contestant *c, const char *why)
{
    snprintf(c->why, sizeof c->why, "%s", why);
    return 0;
}

/* ----- HESCA ----- */

static int
create_layout(const lim_case *x, const distribution *d, hesca_layout **layout)
{
    return hesca_layout_create_cyclic(x->all.m, x->all.n, d->mb, d->nb, 0, 0,
                                      d->nprow, d->npcol, NULL, layout) == 0;
}

/* A plan for the first n columns. */
static int
plan_once(contestant *c, const lim_case *x, int64_t n)
{
    hesca_layout *a = NULL, *b = NULL;
    const int ok =
        create_layout(x, &x->a_at, &a) && create_layout(x, &x->b_at, &b) &&
        hesca_plan_create(HESCA_ALL, x->all.m, n, &(hesca_matrix){.layout = a},
                          &(hesca_matrix){.layout = b}, x->esize, c->comm,
                          &c->plan) == 0;
    hesca_layout_free(a);
    hesca_layout_free(b);
    return ok || fail(c, hesca_error_text());
}

/* The first plan pays for what HESCA does once for a communicator. */
static int
open_hesca(contestant *c, const lim_case *x)
{
    int ok = plan_once(c, x, x->all.n);
    for (int k = 0; ok && k < CONTEST_PLANS; ++k) {
        hesca_plan_free(c->plan);
        const double start = yield_clock();
        ok = plan_once(c, x, x->all.n);
        c->planning[k] = yield_clock() - start;
    }
    return ok && (hesca_plan_get_info(c->plan, &c->info) == 0 ||
                  fail(c, hesca_error_text()));
}

static int
open_nothing(contestant *c, const lim_case *x)
{
    return plan_once(c, x, 0);
}

static int
call_hesca(contestant *c, const lim_case *x)
{
    return hesca_plan_execute(c->plan, x->a.data, x->a.lld, x->b.data,
                              x->b.lld) == 0 ||
           fail(c, hesca_error_text());
}

static void
close_hesca(contestant *c)
{
    hesca_plan_free(c->plan);
    c->plan = NULL;
}

/* ----- ScaLAPACK ----- */

typedef void gemr2d(hesca_int m, hesca_int n, const void *a, hesca_int ia,
                    hesca_int ja, const hesca_int *desca, void *b,
                    hesca_int ib, hesca_int jb, const hesca_int *descb,
                    hesca_int ictxt);

static void
describe(hesca_int desc[9], hesca_int ctxt, const lim_case *x,
         const distribution *at)
{
    const hesca_int lld = (hesca_int)x->a.lld; /* B has as many rows */
    const hesca_int d[9] = {
        1, ctxt, (hesca_int)x->all.m, (hesca_int)x->all.n, at->mb, at->nb, 0,
        0, lld};
    memcpy(desc, d, sizeof d);
}

static int
open_scalapack(contestant *c, const lim_case *x)
{
    const char *name = x->esize == 4   ? "Cpigemr2d"
                       : x->esize == 8 ? "Cpdgemr2d"
                                       : "Cpzgemr2d";
    if (x->n > INT_MAX)
        return fail(c, "the array is too long for ScaLAPACK");
    c->real = hesca_scalapack_original(name);
    if (c->real == NULL)
        return fail(c, "there is no ScaLAPACK");
    describe(c->desca, c->ctxt[x->is_row], x, &x->a_at);
    describe(c->descb, c->ctxt[x->is_row], x, &x->b_at);
    return 1;
}

static int
call_scalapack(contestant *c, const lim_case *x)
{
    ((gemr2d *)c->real)((hesca_int)x->all.m, (hesca_int)x->all.n, x->a.data, 1,
                        1, c->desca, x->b.data, 1, 1, c->descb,
                        c->ctxt[x->is_row]);
    return 1;
}

static void
close_scalapack(contestant *c)
{
    c->real = NULL;
}

/* ----- MPI_Alltoall, packing ----- */

static int
open_packets(contestant *c, const lim_case *x)
{
    if (!bundles_make(&c->packets, x->k, x->nprocs, x->me, x->nsuper,
                      (size_t)x->x * x->esize))
        return fail(c, "no memory for its messages");
    return c->packets.packet <= INT_MAX ||
           fail(c, "its messages are too long for MPI");
}

/* LIM section 5: all messages are made equally long by dummy data. */
static int
call_alltoall(contestant *c, const lim_case *x)
{
    const bundles *p = &c->packets;
    const int bytes = (int)p->packet;
    MPI_Request request;
    bundles_pack(p, (const char *)x->a.data);
    MPI_Ialltoall(p->sent, bytes, MPI_BYTE, p->received, bytes, MPI_BYTE,
                  c->comm, &request);
    yield_wait(&request);
    bundles_unpack(p, p->received, (char *)x->b.data);
    return 1;
}

static int
call_pack(contestant *c, const lim_case *x)
{
    bundles_pack(&c->packets, (const char *)x->a.data);
    bundles_unpack(&c->packets, c->packets.sent, (char *)x->b.data);
    return 1;
}

static void
close_packets(contestant *c)
{
    bundles_free(&c->packets);
}

/* ----- all of them ----- */

static const method methods[] = {
    {"", "", 1, open_hesca, call_hesca, close_hesca},
    {"scalapack", "p?gemr2d of ScaLAPACK", 1, open_scalapack, call_scalapack,
     close_scalapack},
    {"mpi-alltoall", "MPI_Alltoall, messages padded to the same length", 1,
     open_packets, call_alltoall, close_packets},
    {"pack", "packing and unpacking alone, as direct does", 0, open_packets,
     call_pack, close_packets},
    {"none", "no data: what HESCA's executions have in common", 0,
     open_nothing, call_hesca, close_hesca},
};

enum { NMETHODS = sizeof methods / sizeof *methods };

static const method *
method_of(const char *name)
{
    for (int k = 1; k < NMETHODS; ++k)
        if (strcmp(methods[k].name, name) == 0)
            return methods + k;
    return methods;
}

/* A schedule is what HESCA_SCHEDULE may be. */
int
contest_knows(const char *name)
{
    hesca_params p;
    if (method_of(name) != methods)
        return 1;
    setenv("HESCA_SCHEDULE", name, 1);
    const int ok = hesca_params_read(&p) == HESCA_SUCCESS ||
                   strstr(hesca_error_text(), "HESCA_SCHEDULE") == NULL;
    unsetenv("HESCA_SCHEDULE");
    return ok;
}

void
contest_print(void)
{
    for (int k = 1; k < NMETHODS; ++k)
        printf("  %-13s %s\n", methods[k].name, methods[k].help);
}

int
contest_enter(contestant *c, const char *name, MPI_Comm team, int nprocs)
{
    const contestant fresh = {
        .name = name, .how = method_of(name), .comm = MPI_COMM_NULL};
    hesca_params p;
    *c = fresh;
    if (strcmp(name, "scalapack") == 0) {
        c->ctxt[0] = grids_get(GRID_LINE, 0, nprocs, 1);
        c->ctxt[1] = grids_get(GRID_LINE, 0, 1, nprocs);
    }
    if (team == MPI_COMM_NULL)
        return 1;
    MPI_Comm_dup(team, &c->comm);
    if (c->how == methods)
        setenv("HESCA_SCHEDULE", name, 1);
    unsetenv("HESCA_FALLBACK"); /* what does not apply is an error */
    const int err = hesca_params_agreed(c->comm, &p);
    unsetenv("HESCA_SCHEDULE");
    return err == HESCA_SUCCESS || fail(c, hesca_error_text());
}

void
contest_leave(contestant *c)
{
    if (c->comm != MPI_COMM_NULL)
        MPI_Comm_free(&c->comm);
}

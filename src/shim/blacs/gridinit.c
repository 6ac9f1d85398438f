/* SPDX-License-Identifier: BSD-3-Clause */
/* BLACS_GRIDINIT and BLACS_GRIDMAP: hesca_grid_place() chooses the
 * places of processes, and the original BLACS_GRIDMAP makes that grid; so
 * contexts, process numbers and coordinates are the BLACS' own.
 *
 * ScaLAPACK makes grids itself, in P?GEMR2D, P?GESVD, the band solvers and
 * others, of the processes of a grid that there is.  These calls go straight
 * through, as do those of the BLACS' routines to each other: they are known by
 * the library that they return to.  Where all of it is linked into the program
 * that cannot be seen; only grids of MPI_COMM_WORLD are placed then, which
 * ScaLAPACK never makes but where HESCA calls it. */
#include "shim/blacs/gridinit.h"
#include "shim/blacs/blacs.h"
#include "shim/fallback.h"
#include "shim/integer_width.h"
#include "shim/pblas/pblas.h"
#include "shim/shim.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local int init_asks; /* > 0 in SL_INIT */

/* ------------------------------------------------ which calls
 * All processes of the communicator decide the same. */

/* Whether a call is the program's, and one to look at. */
static int
is_asked(const hesca_grid_call *c, MPI_Comm *comm)
{
    const int nested = hesca_inside_original ? 1
                       : init_asks > 0       ? 0
                                             : hesca_grid_is_nested(c);
    int size, same = MPI_IDENT;
    /* All of comm must come to the same: ldmap, of which the BLACS demand
     * nothing, may differ where several grids are made in one call. */
    if (nested > 0 || !hesca_width_fits() || !hesca_grid_has_map(c) ||
        c->nprow < 1 || c->npcol < 1)
        return 0;
    *comm = hesca_grid_comm(c);
    if (*comm == MPI_COMM_NULL)
        return 0;
    PMPI_Comm_size(*comm, &size);
    if (nested < 0)
        PMPI_Comm_compare(*comm, MPI_COMM_WORLD, &same);
    return size > 1 && (int64_t)c->nprow * c->npcol <= size &&
           same == MPI_IDENT;
}

/* ------------------------------------------------ placement
 * The original routine makes every grid, placed or not. */

/* What the program's order is: ranks row by row. */
static void
order(const hesca_grid_call *c, int *ordered)
{
    const int by_columns =
        !hesca_grid_is_map(c) && (*c->order == 'C' || *c->order == 'c');
    for (int p = 0; p < c->nprow; ++p)
        for (int q = 0; q < c->npcol; ++q)
            ordered[p * c->npcol + q] =
                hesca_grid_is_map(c) ? (int)c->map[(ptrdiff_t)q * c->ldmap + p]
                : by_columns         ? q * c->nprow + p
                                     : p * c->npcol + q;
}

/* The BLACS' maps are by columns. */
static void
transpose(int nprow, int npcol, const int *process, hesca_int *map)
{
    for (int p = 0; p < nprow; ++p)
        for (int q = 0; q < npcol; ++q)
            map[q * nprow + p] = process[p * npcol + q];
}

/* Something that HESCA needs for a grid is missing.
 * \return 0 if it is left to the original routine; 1: that is an error, and the
 *         call is done. */
static int
leave(const hesca_grid_call *c, int err, const hesca_params *params,
      MPI_Comm comm)
{
    char why[400];
    const int is_error = hesca_fallback_is_error(err, params);
    hesca_fallback_text(err, why, sizeof why);
    if (!is_error) {
        if (hesca_fallback_is_news(params, why))
            hesca_grid_report_error(c, comm, why);
        return 0;
    }
    hesca_grid_report_error(c, MPI_COMM_SELF, why); /* every process */
    hesca_blacs_stop(params, -1);
    *c->ictxt = -1; /* as outside of a grid */
    return 1;
}

/* Make a placed grid.
 * \param [out] known  1: the hosts of its processes are known.
 * \return 0 if it is left to the original routine. */
static int
place(const hesca_grid_call *c, const hesca_params *params, MPI_Comm comm,
      int *known)
{
    const size_t places = (size_t)c->nprow * (size_t)c->npcol;
    int *ordered = malloc(2 * places * sizeof *ordered);
    hesca_int *map = malloc(places * sizeof *map);
    /* Without memory here, hesca_grid_place() fails for all. */
    int *process = ordered == NULL || map == NULL ? NULL : ordered + places;
    hesca_grid_info info = {0};
    if (ordered != NULL)
        order(c, ordered);
    const int err = hesca_grid_place(comm, c->nprow, c->npcol, ordered,
                                     !hesca_grid_is_map(c), process, &info);
    int done = err < 0 && leave(c, err, params, comm);
    if (err == HESCA_SUCCESS && params->verbose > 0) {
        hesca_params now; /* the job may be known by now */
        hesca_fallback_params(comm, &now);
        hesca_grid_report(c, &now, comm, process, &info);
    }
    *known = err == HESCA_SUCCESS && info.hosts[0] != '\0';
    if (info.placed) {
        transpose(c->nprow, c->npcol, process, map);
        hesca_gridmap_original(c, map);
        done = 1;
    }
    free(map);
    free(ordered);
    return done;
}

/* The same, unless the user has not asked for it. */
static int
serve(const hesca_grid_call *c, MPI_Comm comm, int *known)
{
    const char *name = hesca_grid_is_map(c) ? "gridmap" : "gridinit";
    const hesca_grid_info disabled = {.why = "HESCA_DISABLE"};
    hesca_params params;
    const int missing = hesca_fallback_params(comm, &params);
    if (hesca_grid_is_map(c) && !params.placement_gridmap)
        return 0;
    if (hesca_params_disabled(&params, name)) {
        hesca_grid_report(c, &params, comm, NULL, &disabled);
        return 0;
    }
    return missing < 0 ? leave(c, missing, &params, comm)
                       : place(c, &params, comm, known);
}

/* Make what calls in the new context need, so that the first one takes no
 * longer: that may be ten agreements and, after a placement, connections. What
 * fails here fails, and is reported, in that call. */
static void
prepare_calls(const hesca_grid_call *c)
{
    const hesca_int what = 10; /* the context's communicator */
    const hesca_blacs *blacs = hesca_blacs_find();
    hesca_int handle;
    if (blacs == NULL || *c->ictxt < 0)
        return;
    blacs->get(c->ictxt, &what, &handle);
    (void)hesca_hohe_get_ready(PMPI_Comm_f2c((MPI_Fint)handle));
}

/* ------------------------------------------------ entries
 * Whatever is not served is called as it came. */

void
hesca_grid_serve(const hesca_grid_call *c)
{
    const char *name =
        hesca_grid_is_map(c) ? "blacs_gridmap" : "blacs_gridinit";
    MPI_Comm comm;
    int done = 0, known = 0;
    if (!hesca_inside_original)
        hesca_pblas_forget();
    if (is_asked(c, &comm)) {
        hesca_caller_set(name);
        done = serve(c, comm, &known);
        hesca_caller_set(NULL);
    }
    if (!done)
        hesca_gridinit_call_original(c);
    if (known) {
        hesca_caller_set(name);
        prepare_calls(c);
        hesca_caller_set(NULL);
    }
}

void
hesca_grid_serve_init(hesca_int *ictxt, const hesca_int *nprow,
                      const hesca_int *npcol)
{
    ++init_asks;
    hesca_gridinit_original(ictxt, nprow, npcol);
    --init_asks;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The original BLACS_GRIDINIT, BLACS_GRIDMAP and SL_INIT, and the caller. */
#include "config.h"
#include "shim/blacs/gridinit.h"
#include "shim/find.h"
#include "shim/integer_width.h"
#include "shim/intercept.h"
#include "shim/shim.h"
#include <stdint.h>
#include <stdio.h>

#define TEXT_EXPANDED(x) #x
#define TEXT(x) TEXT_EXPANDED(x)
#define GRIDINIT_NAME FC_FUNC_(blacs_gridinit, BLACS_GRIDINIT)
#define GRIDMAP_NAME FC_FUNC_(blacs_gridmap, BLACS_GRIDMAP)
#define SL_INIT_NAME FC_FUNC_(sl_init, SL_INIT)

const char *const hesca_grid_name[NGRID_ROUTINES] = {
    [GRIDINIT_F] = TEXT(GRIDINIT_NAME),
    [GRIDINIT_C] = "Cblacs_gridinit",
    [GRIDMAP_F] = TEXT(GRIDMAP_NAME),
    [GRIDMAP_C] = "Cblacs_gridmap",
    [SL_INIT] = TEXT(SL_INIT_NAME)};

typedef void pinfo(hesca_int *rank, hesca_int *nprocs);
typedef MPI_Comm sys_handle(hesca_int handle);

#ifdef PIC
static hesca_function
linked(hesca_grid_routine routine)
{
    (void)routine;
    return NULL;
}

int
hesca_grid_sees_all(void)
{
    return 1;
}

static pinfo *
find_pinfo(void)
{
    return (pinfo *)hesca_find("Cblacs_pinfo");
}

static sys_handle *
find_sys_handle(void)
{
    return (sys_handle *)hesca_find("Cblacs2sys_handle");
}
#else
/* Defined by the linker where the program was linked with --wrap. */
#define REAL(name) JOIN(__real_, name)
#define DECLARE(name) extern void REAL(name)(void) __attribute__((weak));
DECLARE(GRIDINIT_NAME)
DECLARE(Cblacs_gridinit)
DECLARE(GRIDMAP_NAME)
DECLARE(Cblacs_gridmap)
DECLARE(SL_INIT_NAME)

static hesca_function
linked(hesca_grid_routine routine)
{
    static const hesca_function original[NGRID_ROUTINES] = {
        [GRIDINIT_F] = REAL(GRIDINIT_NAME),
        [GRIDINIT_C] = REAL(Cblacs_gridinit),
        [GRIDMAP_F] = REAL(GRIDMAP_NAME),
        [GRIDMAP_C] = REAL(Cblacs_gridmap),
        [SL_INIT] = REAL(SL_INIT_NAME)};
    return original[routine];
}

int
hesca_grid_sees_all(void)
{
    return linked(GRIDINIT_F) != NULL && linked(GRIDINIT_C) != NULL &&
           linked(GRIDMAP_F) != NULL && linked(GRIDMAP_C) != NULL;
}

pinfo Cblacs_pinfo;
sys_handle Cblacs2sys_handle;

static pinfo *
find_pinfo(void)
{
    return Cblacs_pinfo;
}

static sys_handle *
find_sys_handle(void)
{
    return Cblacs2sys_handle;
}
#endif

hesca_function
hesca_grid_original(hesca_grid_routine routine)
{
    static _Atomic(hesca_function) found[NGRID_ROUTINES];
    hesca_function f = found[routine];
    if (f != NULL)
        return f;
    f = linked(routine);
    if (f == NULL)
        f = hesca_find_behind(hesca_grid_name[routine]);
    found[routine] = f;
    return f;
}

/* ------------------------------------------------ calls */

/* By the program's INTEGER, of which HESCA may have another. */
typedef void gridinit_f(hesca_int *, const char *, const hesca_integer *,
                        const hesca_integer *, size_t);
typedef void gridinit_c(hesca_int *, const char *, hesca_word, hesca_word);
typedef void gridmap_f(hesca_int *, const hesca_int *, const hesca_integer *,
                       const hesca_integer *, const hesca_integer *);
typedef void gridmap_c(hesca_int *, const hesca_int *, hesca_word, hesca_word,
                       hesca_word);
typedef void sl_init(hesca_int *, const hesca_int *, const hesca_int *);

/* A program without BLACS that calls them all the same gets no grid, as the
 * BLACS report which processes are in none. */
static hesca_function
need(hesca_grid_routine routine, hesca_int *ictxt)
{
    const hesca_function f = hesca_grid_original(routine);
    if (f == NULL) {
        fprintf(stderr, "hesca: no library of this program defines %s\n",
                hesca_grid_name[routine]);
        *ictxt = -1;
    }
    return f;
}

static void
call_map(hesca_grid_routine routine, hesca_int *ictxt, const hesca_int *map,
         hesca_int ldmap, hesca_int nprow, hesca_int npcol)
{
    const hesca_function f = need(routine, ictxt);
    const hesca_integer l = hesca_width_store(ldmap);
    const hesca_integer p = hesca_width_store(nprow);
    const hesca_integer q = hesca_width_store(npcol);
    if (f == NULL)
        return;
    ++hesca_inside_original;
    if (routine == GRIDMAP_F)
        ((gridmap_f *)f)(ictxt, map, &l, &p, &q);
    else
        ((gridmap_c *)f)(ictxt, map, ldmap, nprow, npcol);
    --hesca_inside_original;
}

void
hesca_gridinit_call_original(const hesca_grid_call *c)
{
    if (hesca_grid_is_map(c)) {
        call_map(c->routine, c->ictxt, c->map, c->ldmap, c->nprow, c->npcol);
        return;
    }
    const hesca_function f = need(c->routine, c->ictxt);
    const hesca_integer p = hesca_width_store(c->nprow);
    const hesca_integer q = hesca_width_store(c->npcol);
    if (f == NULL)
        return;
    ++hesca_inside_original;
    if (c->routine == GRIDINIT_F)
        ((gridinit_f *)f)(c->ictxt, c->order, &p, &q, 1);
    else
        ((gridinit_c *)f)(c->ictxt, c->order, c->nprow, c->npcol);
    --hesca_inside_original;
}

/* The BLACS_GRIDMAP of the same language. */
static hesca_grid_routine
map_of(const hesca_grid_call *c)
{
    const int is_fortran = c->routine == GRIDINIT_F || c->routine == GRIDMAP_F;
    return is_fortran ? GRIDMAP_F : GRIDMAP_C;
}

int
hesca_grid_has_map(const hesca_grid_call *c)
{
    return hesca_grid_original(map_of(c)) != NULL;
}

void
hesca_gridmap_original(const hesca_grid_call *c, const hesca_int *map)
{
    call_map(map_of(c), c->ictxt, map, c->nprow, c->nprow, c->npcol);
}

void
hesca_gridinit_original(hesca_int *ictxt, const hesca_int *nprow,
                        const hesca_int *npcol)
{
    const hesca_function f = need(SL_INIT, ictxt);
    if (f != NULL)
        ((sl_init *)f)(ictxt, nprow, npcol);
}

/* ------------------------------------------------ caller and processes */

/* ScaLAPACK and the BLACS are in one library, or in two. */
int
hesca_grid_is_nested(const hesca_grid_call *c)
{
    const hesca_function own[] = {hesca_grid_original(c->routine),
                                  hesca_scalapack_original("Cpdgemr2d")};
    for (size_t k = 0; k < sizeof own / sizeof *own; ++k) {
        const void *there = (const void *)(uintptr_t)own[k];
        if (there != NULL && hesca_find_is_together(c->caller, there))
            return hesca_find_is_program(there) ? -1 : 1;
    }
    return 0;
}

MPI_Comm
hesca_grid_comm(const hesca_grid_call *c)
{
    pinfo *const get_info = find_pinfo();
    sys_handle *const get_comm = find_sys_handle();
    hesca_int rank, nprocs;
    int runs = 0;
    if (get_info == NULL || get_comm == NULL)
        return MPI_COMM_NULL;
    PMPI_Initialized(&runs);
    if (!runs) /* as the original routine does */
        get_info(&rank, &nprocs);
    return c->routine == GRIDINIT_F || c->routine == GRIDMAP_F
               ? PMPI_Comm_f2c((MPI_Fint)*c->ictxt)
               : get_comm(*c->ictxt);
}

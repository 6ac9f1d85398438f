/* SPDX-License-Identifier: BSD-3-Clause */
/* The entry points of BLACS_GRIDINIT, BLACS_GRIDMAP and SL_INIT.  Each takes
 * its own return address, which identifies the caller. */
#include "config.h"
#include "shim/blacs/gridinit.h"
#include "shim/integer_width.h"
#include "shim/intercept.h"
#include "shim/shim.h"

#define L(x) (int)hesca_width_load(x)

void
hesca_Cblacs_gridinit(hesca_int *ictxt, const char *order, hesca_int nprow,
                      hesca_int npcol)
{
    hesca_grid_serve(
        &(hesca_grid_call){GRIDINIT_C, __builtin_return_address(0), ictxt,
                           order, NULL, 0, (int)nprow, (int)npcol});
}

void
hesca_Cblacs_gridmap(hesca_int *ictxt, const hesca_int *map, hesca_int ldmap,
                     hesca_int nprow, hesca_int npcol)
{
    hesca_grid_serve(&(hesca_grid_call){GRIDMAP_C, __builtin_return_address(0),
                                        ictxt, NULL, map, (int)ldmap,
                                        (int)nprow, (int)npcol});
}

static void
f_gridinit(hesca_int *ictxt, const char *order, const hesca_int *nprow,
           const hesca_int *npcol)
{
    hesca_grid_serve(&(hesca_grid_call){GRIDINIT_F,
                                        __builtin_return_address(0), ictxt,
                                        order, NULL, 0, L(nprow), L(npcol)});
}

static void
f_gridmap(hesca_int *ictxt, const hesca_int *map, const hesca_int *ldmap,
          const hesca_int *nprow, const hesca_int *npcol)
{
    hesca_grid_serve(&(hesca_grid_call){GRIDMAP_F, __builtin_return_address(0),
                                        ictxt, NULL, map, L(ldmap), L(nprow),
                                        L(npcol)});
}

static void
f_sl_init(hesca_int *ictxt, const hesca_int *nprow, const hesca_int *npcol)
{
    hesca_grid_serve_init(ictxt, nprow, npcol);
}

/* Scalars of the program's INTEGER, whatever HESCA's is. */
#define V(x) (int)hesca_width_value(x)

static void
c_gridinit(hesca_int *ictxt, const char *order, hesca_word nprow,
           hesca_word npcol)
{
    hesca_grid_serve(&(hesca_grid_call){GRIDINIT_C,
                                        __builtin_return_address(0), ictxt,
                                        order, NULL, 0, V(nprow), V(npcol)});
}

static void
c_gridmap(hesca_int *ictxt, const hesca_int *map, hesca_word ldmap,
          hesca_word nprow, hesca_word npcol)
{
    hesca_grid_serve(&(hesca_grid_call){GRIDMAP_C, __builtin_return_address(0),
                                        ictxt, NULL, map, V(ldmap), V(nprow),
                                        V(npcol)});
}

INTERCEPT(c_gridinit, Cblacs_gridinit)
INTERCEPT(c_gridmap, Cblacs_gridmap)
INTERCEPT(f_gridinit, FC_FUNC_(blacs_gridinit, BLACS_GRIDINIT))
INTERCEPT(f_gridmap, FC_FUNC_(blacs_gridmap, BLACS_GRIDMAP))
INTERCEPT(f_sl_init, FC_FUNC_(sl_init, SL_INIT))
ALIAS_EXPANDED(f_gridinit,
               FC_FUNC_(hesca_blacs_gridinit, HESCA_BLACS_GRIDINIT))
ALIAS_EXPANDED(f_gridmap, FC_FUNC_(hesca_blacs_gridmap, HESCA_BLACS_GRIDMAP))

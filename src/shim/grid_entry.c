/* The entry points of BLACS_GRIDINIT, BLACS_GRIDMAP and SL_INIT.  Each takes
 * its own return address, which tells who calls. */
#include "config.h"
#include "shim/grid.h"
#include "shim/intercept.h"
#include "shim/shim.h"

void
hesca_Cblacs_gridinit(hesca_int *ictxt, const char *order, hesca_int nprow,
                      hesca_int npcol)
{
    hesca_grid_serve(&(hesca_grid_call){GRIDINIT_C,
                                        __builtin_return_address(0), ictxt,
                                        order, NULL, 0, nprow, npcol});
}

void
hesca_Cblacs_gridmap(hesca_int *ictxt, const hesca_int *map, hesca_int ldmap,
                     hesca_int nprow, hesca_int npcol)
{
    hesca_grid_serve(&(hesca_grid_call){GRIDMAP_C, __builtin_return_address(0),
                                        ictxt, NULL, map, ldmap, nprow,
                                        npcol});
}

static void
f_gridinit(hesca_int *ictxt, const char *order, const hesca_int *nprow,
           const hesca_int *npcol)
{
    hesca_grid_serve(&(hesca_grid_call){GRIDINIT_F,
                                        __builtin_return_address(0), ictxt,
                                        order, NULL, 0, *nprow, *npcol});
}

static void
f_gridmap(hesca_int *ictxt, const hesca_int *map, const hesca_int *ldmap,
          const hesca_int *nprow, const hesca_int *npcol)
{
    hesca_grid_serve(&(hesca_grid_call){GRIDMAP_F, __builtin_return_address(0),
                                        ictxt, NULL, map, *ldmap, *nprow,
                                        *npcol});
}

static void
f_sl_init(hesca_int *ictxt, const hesca_int *nprow, const hesca_int *npcol)
{
    hesca_grid_serve_init(ictxt, nprow, npcol);
}

INTERCEPT(hesca_Cblacs_gridinit, Cblacs_gridinit)
INTERCEPT(hesca_Cblacs_gridmap, Cblacs_gridmap)
INTERCEPT(f_gridinit, FC_FUNC_(blacs_gridinit, BLACS_GRIDINIT))
INTERCEPT(f_gridmap, FC_FUNC_(blacs_gridmap, BLACS_GRIDMAP))
INTERCEPT(f_sl_init, FC_FUNC_(sl_init, SL_INIT))
ALIAS_EXPANDED(f_gridinit,
               FC_FUNC_(hesca_blacs_gridinit, HESCA_BLACS_GRIDINIT))
ALIAS_EXPANDED(f_gridmap, FC_FUNC_(hesca_blacs_gridmap, HESCA_BLACS_GRIDMAP))

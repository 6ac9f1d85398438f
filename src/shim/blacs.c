#include "shim/blacs.h"
#include "config.h"
#include "shim/find.h"
#include "shim/grid.h"
#ifdef PIC
#include <pthread.h>
#endif

#define BLACS_GET_NAME FC_FUNC_(blacs_get, BLACS_GET)
#define GRIDMAP_NAME FC_FUNC_(blacs_gridmap, BLACS_GRIDMAP)
#define PXERBLA_NAME FC_FUNC(pxerbla, PXERBLA)
#define TEXT_EXPANDED(x) #x
#define TEXT(x) TEXT_EXPANDED(x)

#ifdef PIC
static hesca_blacs x;

static void
find(void)
{
    if (x.get == NULL) {
        x.gridinfo = (hesca_blacs_gridinfo *)hesca_find("Cblacs_gridinfo");
        x.abort = (hesca_blacs_abort *)hesca_find("Cblacs_abort");
        x.pxerbla = (hesca_pxerbla *)hesca_find(TEXT(PXERBLA_NAME));
        x.gridmap = (hesca_blacs_gridmap *)hesca_grid_real(GRIDMAP_F);
        x.gridexit = (hesca_blacs_gridexit *)hesca_find("Cblacs_gridexit");
        x.get = (hesca_blacs_get *)hesca_find(TEXT(BLACS_GET_NAME));
    }
}

/* Where there is none yet, a later call looks again. */
const hesca_blacs *
hesca_blacs_find(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static _Atomic int is_found;
    if (!is_found) {
        pthread_mutex_lock(&lock);
        find();
        is_found = x.get != NULL;
        pthread_mutex_unlock(&lock);
    }
    return is_found && x.gridinfo && x.abort && x.pxerbla ? &x : NULL;
}
#else
hesca_blacs_get BLACS_GET_NAME;
hesca_blacs_gridinfo Cblacs_gridinfo;
hesca_blacs_abort Cblacs_abort;
hesca_pxerbla PXERBLA_NAME;
hesca_blacs_gridmap GRIDMAP_NAME; /* or hesca_grid_serve(), by ld --wrap */
hesca_blacs_gridexit Cblacs_gridexit;

const hesca_blacs *
hesca_blacs_find(void)
{
    static const hesca_blacs x = {BLACS_GET_NAME, Cblacs_gridinfo,
                                  Cblacs_abort,   PXERBLA_NAME,
                                  GRIDMAP_NAME,   Cblacs_gridexit};
    return &x;
}
#endif

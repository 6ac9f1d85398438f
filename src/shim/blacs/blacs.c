/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "shim/blacs/blacs.h"
#include "config.h"
#include "shim/blacs/gridinit.h"
#include "shim/find.h"
#include "shim/integer_width.h"
#ifdef PIC
#include <pthread.h>
#endif
#include <stdio.h>
#include <time.h>

#define BLACS_GET_NAME FC_FUNC_(blacs_get, BLACS_GET)
#define GRIDMAP_NAME FC_FUNC_(blacs_gridmap, BLACS_GRIDMAP)
#define PXERBLA_NAME FC_FUNC(pxerbla, PXERBLA)
#define TEXT_EXPANDED(x) #x
#define TEXT(x) TEXT_EXPANDED(x)

#ifdef PIC
static hesca_blacs x;

hesca_function
hesca_blacs_gridinfo_function(void)
{
    return hesca_find("Cblacs_gridinfo");
}

static void
find(void)
{
    if (x.get == NULL) {
        x.gridinfo = (hesca_blacs_gridinfo *)hesca_find("Cblacs_gridinfo");
        x.abort = (hesca_blacs_abort *)hesca_find("Cblacs_abort");
        x.pxerbla = (hesca_pxerbla *)hesca_find(TEXT(PXERBLA_NAME));
        x.gridmap = (hesca_blacs_gridmap *)hesca_grid_original(GRIDMAP_F);
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
    if (!hesca_width_fits())
        return NULL;
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

hesca_function
hesca_blacs_gridinfo_function(void)
{
    return (hesca_function)Cblacs_gridinfo;
}

const hesca_blacs *
hesca_blacs_find(void)
{
    static const hesca_blacs x = {BLACS_GET_NAME, Cblacs_gridinfo,
                                  Cblacs_abort,   PXERBLA_NAME,
                                  GRIDMAP_NAME,   Cblacs_gridexit};
    return hesca_width_fits() ? &x : NULL;
}
#endif

void
hesca_blacs_stop(const hesca_params *params, hesca_int ictxt)
{
    const struct timespec t = {.tv_nsec = 200 * 1000000L};
    fflush(NULL);
    if (params->onerror != HESCA_ONERROR_ABORT)
        return;
    nanosleep(&t, NULL); /* for the messages to reach the terminal */
    hesca_blacs_find()->abort(ictxt, 1);
}

void
hesca_blacs_grid(int64_t ictxt, int *nprow, int *npcol, int *myrow, int *mycol)
{
    hesca_int got[4];
    hesca_blacs_find()->gridinfo((hesca_int)ictxt, &got[0], &got[1], &got[2],
                                 &got[3]);
    *nprow = (int)got[0];
    *npcol = (int)got[1];
    *myrow = (int)got[2];
    *mycol = (int)got[3];
}

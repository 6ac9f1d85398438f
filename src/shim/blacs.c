#include "shim/blacs.h"
#include "config.h"
#include "shim/find.h"

#define BLACS_GET_NAME FC_FUNC_(blacs_get, BLACS_GET)
#define PXERBLA_NAME FC_FUNC(pxerbla, PXERBLA)
#define TEXT_EXPANDED(x) #x
#define TEXT(x) TEXT_EXPANDED(x)

#ifdef PIC
const hesca_blacs *
hesca_blacs_find(void)
{
    static hesca_blacs x;
    if (x.get == NULL) {
        x.gridinfo = (hesca_blacs_gridinfo *)hesca_find("Cblacs_gridinfo");
        x.abort = (hesca_blacs_abort *)hesca_find("Cblacs_abort");
        x.pxerbla = (hesca_pxerbla *)hesca_find(TEXT(PXERBLA_NAME));
        x.get = (hesca_blacs_get *)hesca_find(TEXT(BLACS_GET_NAME));
    }
    return x.get && x.gridinfo && x.abort && x.pxerbla ? &x : NULL;
}
#else
hesca_blacs_get BLACS_GET_NAME;
hesca_blacs_gridinfo Cblacs_gridinfo;
hesca_blacs_abort Cblacs_abort;
hesca_pxerbla PXERBLA_NAME;

const hesca_blacs *
hesca_blacs_find(void)
{
    static const hesca_blacs x = {BLACS_GET_NAME, Cblacs_gridinfo,
                                  Cblacs_abort, PXERBLA_NAME};
    return &x;
}
#endif

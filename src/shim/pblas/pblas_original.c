/* The original routines that compute, and their caller. */
#include "config.h"
#include "shim/find.h"
#include "shim/intercept.h"
#include "shim/pblas/pblas.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define TEXT_EXPANDED(x) #x
#define TEXT(x) TEXT_EXPANDED(x)
#define NAMES(r, R)                                                           \
    {                                                                         \
        TEXT(FC_FUNC(ps##r, PS##R)), TEXT(FC_FUNC(pd##r, PD##R)),             \
            TEXT(FC_FUNC(pc##r, PC##R)), TEXT(FC_FUNC(pz##r, PZ##R))          \
    }
#define PLAIN(r)                                                              \
    {                                                                         \
        "ps" #r, "pd" #r, "pc" #r, "pz" #r                                    \
    }

const char *const hesca_pblas_symbol[NDENSE][NDENSE_TYPES] = {
    [PGEMM] = NAMES(gemm, GEMM),    [PPOTRF] = NAMES(potrf, POTRF),
    [PPOSV] = NAMES(posv, POSV),    [PPOTRS] = NAMES(potrs, POTRS),
    [PGETRF] = NAMES(getrf, GETRF), [PGESV] = NAMES(gesv, GESV),
    [PGETRS] = NAMES(getrs, GETRS)};

const char *
hesca_pblas_name(hesca_pblas_routine routine, hesca_type type)
{
    static const char *const names[NDENSE][NDENSE_TYPES] = {
        [PGEMM] = PLAIN(gemm),   [PPOTRF] = PLAIN(potrf),
        [PPOSV] = PLAIN(posv),   [PPOTRS] = PLAIN(potrs),
        [PGETRF] = PLAIN(getrf), [PGESV] = PLAIN(gesv),
        [PGETRS] = PLAIN(getrs)};
    return names[routine][type];
}

#ifdef PIC
static hesca_function
linked(hesca_pblas_routine routine, hesca_type type)
{
    (void)routine, (void)type;
    return NULL;
}
#else
/* Defined by the linker where the program was linked with --wrap. */
#define REAL(name) JOIN(__real_, name)
#define DECLARE(name) extern void REAL(name)(void) __attribute__((weak));
#define DECLARE_ALL(r, R)                                                     \
    DECLARE(FC_FUNC(ps##r, PS##R))                                            \
    DECLARE(FC_FUNC(pd##r, PD##R))                                            \
    DECLARE(FC_FUNC(pc##r, PC##R))                                            \
    DECLARE(FC_FUNC(pz##r, PZ##R))
#define REAL_ALL(r, R)                                                        \
    {                                                                         \
        REAL(FC_FUNC(ps##r, PS##R)), REAL(FC_FUNC(pd##r, PD##R)),             \
            REAL(FC_FUNC(pc##r, PC##R)), REAL(FC_FUNC(pz##r, PZ##R))          \
    }
DECLARE_ALL(gemm, GEMM)
DECLARE_ALL(potrf, POTRF)
DECLARE_ALL(potrs, POTRS)
DECLARE_ALL(posv, POSV)
DECLARE_ALL(getrf, GETRF)
DECLARE_ALL(getrs, GETRS)
DECLARE_ALL(gesv, GESV)

static hesca_function
linked(hesca_pblas_routine routine, hesca_type type)
{
    static const hesca_function original[NDENSE][NDENSE_TYPES] = {
        [PGEMM] = REAL_ALL(gemm, GEMM),    [PPOTRF] = REAL_ALL(potrf, POTRF),
        [PPOSV] = REAL_ALL(posv, POSV),    [PPOTRS] = REAL_ALL(potrs, POTRS),
        [PGETRF] = REAL_ALL(getrf, GETRF), [PGESV] = REAL_ALL(gesv, GESV),
        [PGETRS] = REAL_ALL(getrs, GETRS)};
    return original[routine][type];
}
#endif

hesca_function
hesca_pblas_original(hesca_pblas_routine routine, hesca_type type)
{
    static _Atomic(hesca_function) found[NDENSE][NDENSE_TYPES];
    hesca_function f = found[routine][type];
    if (f != NULL)
        return f;
    f = linked(routine, type);
    if (f == NULL)
        f = hesca_find_behind(hesca_pblas_symbol[routine][type]);
    found[routine][type] = f;
    return f;
}

void
hesca_pblas_missing(hesca_pblas_routine routine, hesca_type type)
{
    fprintf(stderr,
            "hesca: %s: the real routine was asked for, but no library of "
            "this program defines it\n",
            hesca_pblas_name(routine, type));
    fflush(NULL);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ------------------------------------------------ the caller */

int
hesca_pblas_is_nested(hesca_pblas_routine routine, hesca_type type,
                      const void *caller)
{
    /* Where ScaLAPACK is; nowhere if it is linked into the program. */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static hesca_extent own;
    static _Atomic int is_found;
    if (!is_found) {
        const void *there =
            (const void *)(uintptr_t)hesca_pblas_original(routine, type);
        pthread_mutex_lock(&lock);
        if (!is_found && there != NULL && !hesca_find_is_program(there))
            own = hesca_find_extent(there);
        is_found = 1;
        pthread_mutex_unlock(&lock);
    }
    return (uintptr_t)caller - own.begin < own.size;
}

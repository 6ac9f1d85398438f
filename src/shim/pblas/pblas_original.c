/* SPDX-License-Identifier: BSD-3-Clause */
/* The original routines that compute, and their caller. */
#include "config.h"
#include "shim/figures.h"
#include "shim/find.h"
#include "shim/intercept.h"
#include "shim/pblas/pblas.h"
#include "shim/shim.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define TEXT_EXPANDED(x) #x
#define TEXT(x) TEXT_EXPANDED(x)

const char *const hesca_pblas_symbol[NDENSE][NDENSE_TYPES] = {
#define SYMBOL(R, t, name, NAME, ...)                                         \
    [P##R][HESCA_##t] = TEXT(FC_FUNC(name, NAME)),
    HESCA_PBLAS_TYPED(SYMBOL)};

const char *
hesca_pblas_name(hesca_pblas_routine routine, hesca_type type)
{
    static const char *const names[NDENSE][NDENSE_TYPES] = {
#define PLAIN(R, t, name, ...) [P##R][HESCA_##t] = #name,
        HESCA_PBLAS_TYPED(PLAIN)};
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
#define DECLARE(R, t, name, NAME, ...)                                        \
    extern void REAL(FC_FUNC(name, NAME))(void) __attribute__((weak));
HESCA_PBLAS_TYPED(DECLARE)

static hesca_function
linked(hesca_pblas_routine routine, hesca_type type)
{
    static const hesca_function original[NDENSE][NDENSE_TYPES] = {
#define ORIGINAL(R, t, name, NAME, ...)                                       \
    [P##R][HESCA_##t] = REAL(FC_FUNC(name, NAME)),
        HESCA_PBLAS_TYPED(ORIGINAL)};
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
    PMPI_Abort(MPI_COMM_WORLD, 1);
}

/* ------------------------------------------------ their calls
 * Lengths of strings follow all other arguments. */

#define LETTER const char *
#define INT const hesca_int *
#define MATRIX void *, INT, INT, INT
#define OUT hesca_int *
#define GIVEN(x) (x).local, (x).i, (x).j, (x).desc

typedef void pgemm(LETTER, LETTER, INT, INT, INT, const void *, MATRIX, MATRIX,
                   const void *, MATRIX, size_t, size_t);
typedef void potrf(LETTER, INT, MATRIX, OUT, size_t);
typedef void posv(LETTER, INT, INT, MATRIX, MATRIX, OUT, size_t);
typedef void getrf(INT, INT, MATRIX, OUT, OUT);
typedef void gesv(INT, INT, MATRIX, OUT, MATRIX, OUT);
typedef void getrs(LETTER, INT, INT, MATRIX, OUT, MATRIX, OUT, size_t);

void
hesca_dense_original(const hesca_dense_call *c)
{
    const hesca_function f = hesca_pblas_original(c->routine, c->type);
    if (f == NULL) {
        hesca_pblas_missing(c->routine, c->type);
        return;
    }
    /* P?GEMM calls nothing that HESCA serves. */
    const int entered = hesca_figures_original_enter();
    hesca_inside_original += c->routine != PGEMM;
    switch (c->routine) {
    case PGEMM:
        ((pgemm *)f)(c->letter, c->transb, c->m, c->n, c->k, c->alpha,
                     GIVEN(c->a), GIVEN(c->b), c->beta, GIVEN(c->c), 1, 1);
        break;
    case PPOTRF:
        ((potrf *)f)(c->letter, c->n, GIVEN(c->a), c->info, 1);
        break;
    case PPOSV:
    case PPOTRS:
        ((posv *)f)(c->letter, c->n, c->nrhs, GIVEN(c->a), GIVEN(c->b),
                    c->info, 1);
        break;
    case PGETRF:
        ((getrf *)f)(c->m, c->n, GIVEN(c->a), c->ipiv, c->info);
        break;
    case PGESV:
        ((gesv *)f)(c->n, c->nrhs, GIVEN(c->a), c->ipiv, GIVEN(c->b), c->info);
        break;
    default:
        ((getrs *)f)(c->letter, c->n, c->nrhs, GIVEN(c->a), c->ipiv,
                     GIVEN(c->b), c->info, 1);
    }
    hesca_inside_original -= c->routine != PGEMM;
    hesca_figures_original_leave(entered);
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

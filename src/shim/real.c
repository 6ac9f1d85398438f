/* How the real routines are found: by the dynamic linker behind this library,
 * or by the name that ld --wrap gives them. */
#include "shim/dense.h"
#include "shim/find.h"
#include "shim/grid.h"
#include "shim/shim.h"
#include <string.h>

static const char *const names[NTYPES][NKINDS] = {
    {"Cpigemr2d", "Cpigemr2do", "Cpitrmr2d", "Cpitrmr2do"},
    {"Cpsgemr2d", "Cpsgemr2do", "Cpstrmr2d", "Cpstrmr2do"},
    {"Cpdgemr2d", "Cpdgemr2do", "Cpdtrmr2d", "Cpdtrmr2do"},
    {"Cpcgemr2d", "Cpcgemr2do", "Cpctrmr2d", "Cpctrmr2do"},
    {"Cpzgemr2d", "Cpzgemr2do", "Cpztrmr2d", "Cpztrmr2do"},
};

#ifdef PIC
static hesca_function
find(int type, int kind)
{
    return hesca_find_behind(names[type][kind]);
}
#else
/* Defined by the linker where the program was linked with --wrap. */
#define REAL(x)                                                               \
    extern void __real_Cp##x##gemr2d(void) __attribute__((weak));             \
    extern void __real_Cp##x##gemr2do(void) __attribute__((weak));            \
    extern void __real_Cp##x##trmr2d(void) __attribute__((weak));             \
    extern void __real_Cp##x##trmr2do(void) __attribute__((weak));
REAL(i)
REAL(s)
REAL(d)
REAL(c)
REAL(z)

#define ROW(x)                                                                \
    {                                                                         \
        __real_Cp##x##gemr2d, __real_Cp##x##gemr2do, __real_Cp##x##trmr2d,    \
            __real_Cp##x##trmr2do                                             \
    }

static hesca_function
find(int type, int kind)
{
    static const hesca_function real[NTYPES][NKINDS] = {ROW(i), ROW(s), ROW(d),
                                                        ROW(c), ROW(z)};
    /* Without --wrap nothing of that name is HESCA's. */
    return real[type][kind] != NULL ? real[type][kind]
                                    : hesca_find_behind(names[type][kind]);
}
#endif

static hesca_function
real(int type, int kind)
{
    /* Several threads may look for the same and find the same. */
    static _Atomic(hesca_function) found[NTYPES][NKINDS];
    hesca_function f = found[type][kind];
    if (f == NULL)
        found[type][kind] = f = find(type, kind);
    return f;
}

hesca_function
hesca_scalapack_real(const char *name)
{
    for (int t = 0; t < NTYPES; ++t)
        for (int k = 0; k < NKINDS; ++k)
            if (strcmp(names[t][k], name) == 0)
                return real(t, k);
    for (int k = 0; k < NGRID_ROUTINES; ++k)
        if (strcmp(hesca_grid_name[k], name) == 0)
            return hesca_grid_real((hesca_grid_routine)k);
    for (int r = 0; r < NDENSE; ++r)
        for (int t = 0; t < NDENSE_TYPES; ++t)
            if (strcmp(hesca_dense_symbol[r][t], name) == 0)
                return hesca_dense_real((hesca_dense_routine)r, (hesca_type)t);
    return NULL;
}

const char *
hesca_call_name(const hesca_call *call)
{
    return names[call->type][call->kind] + 2;
}

typedef void gemr2d(hesca_int, hesca_int, const void *, hesca_int, hesca_int,
                    const hesca_int *, void *, hesca_int, hesca_int,
                    const hesca_int *, hesca_int);
typedef void gemr2do(hesca_int, hesca_int, const void *, hesca_int, hesca_int,
                     const hesca_int *, void *, hesca_int, hesca_int,
                     const hesca_int *);
typedef void trmr2d(const char *, const char *, hesca_int, hesca_int,
                    const void *, hesca_int, hesca_int, const hesca_int *,
                    void *, hesca_int, hesca_int, const hesca_int *,
                    hesca_int);
typedef void trmr2do(const char *, const char *, hesca_int, hesca_int,
                     const void *, hesca_int, hesca_int, const hesca_int *,
                     void *, hesca_int, hesca_int, const hesca_int *);

int
hesca_call_real(const hesca_call *c)
{
    const hesca_function f = real((int)c->type, (int)c->kind);
    if (f == NULL)
        return 0;
    switch (c->kind) {
    case GEMR2D:
        ((gemr2d *)f)(c->m, c->n, c->a, c->ia, c->ja, c->desca, c->b, c->ib,
                      c->jb, c->descb, c->ictxt);
        break;
    case GEMR2DO:
        ((gemr2do *)f)(c->m, c->n, c->a, c->ia, c->ja, c->desca, c->b, c->ib,
                       c->jb, c->descb);
        break;
    case TRMR2D:
        ((trmr2d *)f)(c->uplo, c->diag, c->m, c->n, c->a, c->ia, c->ja,
                      c->desca, c->b, c->ib, c->jb, c->descb, c->ictxt);
        break;
    default:
        ((trmr2do *)f)(c->uplo, c->diag, c->m, c->n, c->a, c->ia, c->ja,
                       c->desca, c->b, c->ib, c->jb, c->descb);
    }
    return 1;
}

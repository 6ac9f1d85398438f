/* SPDX-License-Identifier: BSD-3-Clause */
/* How the original routines are found: by the dynamic linker behind this
 * library, or by the name that ld --wrap gives them. */
#include "shim/blacs/gridinit.h"
#include "shim/find.h"
#include "shim/integer_width.h"
#include "shim/pblas/pblas.h"
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
    static const hesca_function original[NTYPES][NKINDS] = {
        ROW(i), ROW(s), ROW(d), ROW(c), ROW(z)};
    /* Without --wrap nothing of that name is HESCA's. */
    return original[type][kind] != NULL ? original[type][kind]
                                        : hesca_find_behind(names[type][kind]);
}
#endif

static hesca_function
original(int type, int kind)
{
    /* Several threads may look for the same and find the same. */
    static _Atomic(hesca_function) found[NTYPES][NKINDS];
    hesca_function f = found[type][kind];
    if (f == NULL)
        found[type][kind] = f = find(type, kind);
    return f;
}

hesca_function
hesca_scalapack_original(const char *name)
{
    for (int t = 0; t < NTYPES; ++t)
        for (int k = 0; k < NKINDS; ++k)
            if (strcmp(names[t][k], name) == 0)
                return original(t, k);
    for (int k = 0; k < NGRID_ROUTINES; ++k)
        if (strcmp(hesca_grid_name[k], name) == 0)
            return hesca_grid_original((hesca_grid_routine)k);
    for (int r = 0; r < NDENSE; ++r)
        for (int t = 0; t < NDENSE_TYPES; ++t)
            if (hesca_pblas_symbol[r][t] != NULL &&
                strcmp(hesca_pblas_symbol[r][t], name) == 0)
                return hesca_pblas_original((hesca_pblas_routine)r,
                                            (hesca_type)t);
    return NULL;
}

const char *
hesca_call_name(const hesca_call *call)
{
    return names[call->type][call->kind] + 2;
}

/* By the program's INTEGER, of which HESCA may have another. */
#define DEFINE(I, bits)                                                       \
    typedef void gemr2d##bits(I, I, const void *, I, I, const void *, void *, \
                              I, I, const void *, I);                         \
    typedef void gemr2do##bits(I, I, const void *, I, I, const void *,        \
                               void *, I, I, const void *);                   \
    typedef void trmr2d##bits(const char *, const char *, I, I, const void *, \
                              I, I, const void *, void *, I, I, const void *, \
                              I);                                             \
    typedef void trmr2do##bits(const char *, const char *, I, I,              \
                               const void *, I, I, const void *, void *, I,   \
                               I, const void *);                              \
    static void call##bits(const hesca_call *c, hesca_function f)             \
    {                                                                         \
        const I m = (I)c->m, n = (I)c->n, ia = (I)c->ia, ja = (I)c->ja;       \
        const I ib = (I)c->ib, jb = (I)c->jb, ictxt = (I)c->ictxt;            \
        switch (c->kind) {                                                    \
        case GEMR2D:                                                          \
            ((gemr2d##bits *)f)(m, n, c->a, ia, ja, c->desca, c->b, ib, jb,   \
                                c->descb, ictxt);                             \
            break;                                                            \
        case GEMR2DO:                                                         \
            ((gemr2do##bits *)f)(m, n, c->a, ia, ja, c->desca, c->b, ib, jb,  \
                                 c->descb);                                   \
            break;                                                            \
        case TRMR2D:                                                          \
            ((trmr2d##bits *)f)(c->uplo, c->diag, m, n, c->a, ia, ja,         \
                                c->desca, c->b, ib, jb, c->descb, ictxt);     \
            break;                                                            \
        default:                                                              \
            ((trmr2do##bits *)f)(c->uplo, c->diag, m, n, c->a, ia, ja,        \
                                 c->desca, c->b, ib, jb, c->descb);           \
        }                                                                     \
    }
DEFINE(int32_t, 32)
DEFINE(int64_t, 64)

int
hesca_call_original(const hesca_call *c)
{
    const hesca_function f = original((int)c->type, (int)c->kind);
    if (f == NULL)
        return 0;
    if (hesca_width() == 4)
        call32(c, f);
    else
        call64(c, f);
    return 1;
}

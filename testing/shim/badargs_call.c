/* SPDX-License-Identifier: BSD-3-Clause */
/* Routines of t_badargs: four kinds of five types under four names. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "config.h"
#include "hesca/scalapack.h"
#include "testing/check.h"
#include "testing/shim/badargs.h"
#include <dlfcn.h>
#include <unistd.h>

enum { PATIENCE = 100 };

const char *const kinds[] = {"gemr2d", "gemr2do", "trmr2d", "trmr2do"};
const char letters[] = "isdcz";
const size_t esizes[] = {4, 4, 8, 8, 16};

#define NAMES(x, X, kind, KIND)                                               \
    void Cp##x##kind(void);                                                   \
    void FC_FUNC(p##x##kind, P##X##KIND)(void);                               \
    void FC_FUNC_(hesca_p##x##kind, HESCA_P##X##KIND)(void);
#define TYPE(x, X)                                                            \
    NAMES(x, X, gemr2d, GEMR2D)                                               \
    NAMES(x, X, gemr2do, GEMR2DO)                                             \
    NAMES(x, X, trmr2d, TRMR2D) NAMES(x, X, trmr2do, TRMR2DO)
TYPE(i, I)
TYPE(s, S)
TYPE(d, D)
TYPE(c, C)
TYPE(z, Z)
#undef NAMES
#undef TYPE

#define NAMES(x, X, kind, KIND)                                               \
    {                                                                         \
        (hesca_function) hesca_Cp##x##kind,                                   \
            FC_FUNC_(hesca_p##x##kind, HESCA_P##X##KIND), Cp##x##kind,        \
            FC_FUNC(p##x##kind, P##X##KIND)                                   \
    }
#define TYPE(x, X)                                                            \
    {                                                                         \
        NAMES(x, X, gemr2d, GEMR2D), NAMES(x, X, gemr2do, GEMR2DO),           \
            NAMES(x, X, trmr2d, TRMR2D), NAMES(x, X, trmr2do, TRMR2DO)        \
    }

static hesca_function
routine(const route *r)
{
    static const hesca_function all[5][KINDS][FORMS] = {
        TYPE(i, I), TYPE(s, S), TYPE(d, D), TYPE(c, C), TYPE(z, Z)};
    return all[r->type][r->kind][r->form];
}

int
is_trapezoid(const route *r)
{
    return r->kind == TRMR2D || r->kind == TRMR2DO;
}

int
has_context(const route *r)
{
    return r->kind == GEMR2D || r->kind == TRMR2D;
}

/* "PDGEMR2D" */
void
name_of(const route *r, char *name)
{
    sprintf(name, "P%c%s", letters[r->type], kinds[r->kind]);
    for (; *name != '\0'; ++name)
        if (*name >= 'a' && *name <= 'z')
            *name = (char)(*name - 'a' + 'A');
}

/* The names without prefix are HESCA's, unless it is a static archive. */
int
plain_is_hesca(void)
{
    void *const twin = dlsym(RTLD_DEFAULT, "hesca_Cpdgemr2d");
    void *const plain = dlsym(RTLD_DEFAULT, "Cpdgemr2d");
    Dl_info a, b;
    CHECK(twin == NULL || (dladdr(twin, &a) != 0 && dladdr(plain, &b) != 0 &&
                           a.dli_fbase == b.dli_fbase),
          "HESCA's Cpdgemr2d is hidden by another one");
    return twin != NULL;
}

static void
call_c(hesca_function f, int kind, const args *x, const int *da, const int *db)
{
    typedef void gemr2d(int, int, void *, int, int, const int *, void *, int,
                        int, const int *, int);
    typedef void gemr2do(int, int, void *, int, int, const int *, void *, int,
                         int, const int *);
    typedef void trmr2d(const char *, const char *, int, int, void *, int, int,
                        const int *, void *, int, int, const int *, int);
    typedef void trmr2do(const char *, const char *, int, int, void *, int,
                         int, const int *, void *, int, int, const int *);
    switch (kind) {
    case GEMR2D:
        ((gemr2d *)f)(x->m, x->n, x->a, x->ia, x->ja, da, x->b, x->ib, x->jb,
                      db, x->ictxt);
        break;
    case GEMR2DO:
        ((gemr2do *)f)(x->m, x->n, x->a, x->ia, x->ja, da, x->b, x->ib, x->jb,
                       db);
        break;
    case TRMR2D:
        ((trmr2d *)f)(x->uplo, x->diag, x->m, x->n, x->a, x->ia, x->ja, da,
                      x->b, x->ib, x->jb, db, x->ictxt);
        break;
    default:
        ((trmr2do *)f)(x->uplo, x->diag, x->m, x->n, x->a, x->ia, x->ja, da,
                       x->b, x->ib, x->jb, db);
    }
}

static void
call_fortran(hesca_function f, int kind, const args *x, const int *da,
             const int *db)
{
    typedef void gemr2d(const int *, const int *, void *, const int *,
                        const int *, const int *, void *, const int *,
                        const int *, const int *, const int *);
    typedef void gemr2do(const int *, const int *, void *, const int *,
                         const int *, const int *, void *, const int *,
                         const int *, const int *);
    typedef void trmr2d(const char *, const char *, const int *, const int *,
                        void *, const int *, const int *, const int *, void *,
                        const int *, const int *, const int *, const int *,
                        size_t, size_t);
    typedef void trmr2do(const char *, const char *, const int *, const int *,
                         void *, const int *, const int *, const int *, void *,
                         const int *, const int *, const int *, size_t,
                         size_t);
    switch (kind) {
    case GEMR2D:
        ((gemr2d *)f)(&x->m, &x->n, x->a, &x->ia, &x->ja, da, x->b, &x->ib,
                      &x->jb, db, &x->ictxt);
        break;
    case GEMR2DO:
        ((gemr2do *)f)(&x->m, &x->n, x->a, &x->ia, &x->ja, da, x->b, &x->ib,
                       &x->jb, db);
        break;
    case TRMR2D:
        ((trmr2d *)f)(x->uplo, x->diag, &x->m, &x->n, x->a, &x->ia, &x->ja, da,
                      x->b, &x->ib, &x->jb, db, &x->ictxt, 1, 1);
        break;
    default:
        ((trmr2do *)f)(x->uplo, x->diag, &x->m, &x->n, x->a, &x->ia, &x->ja,
                       da, x->b, &x->ib, &x->jb, db, 1, 1);
    }
}

void
call(const route *r, const args *x)
{
    const int *da = x->no_desca ? NULL : x->desca;
    const int *db = x->no_descb ? NULL : x->descb;
    alarm(PATIENCE);
    if (r->form == TWIN_C || r->form == PLAIN_C)
        call_c(routine(r), r->kind, x, da, db);
    else
        call_fortran(routine(r), r->kind, x, da, db);
    alarm(0);
}

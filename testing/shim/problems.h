/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the routines that HESCA takes to another grid, with all that they
 * read and write, by HESCA or by ScaLAPACK. */
#ifndef HESCA_TESTING_PROBLEMS_H
#define HESCA_TESTING_PROBLEMS_H

#include "config.h"
#include "hesca/scalapack.h"
#include "testing/shim/cyclic.h"

/* X(symbol, real names, complex names, CHARACTERs) */
#define ROUTINES(X)                                                           \
    X(SYRK, syrk, SYRK, syrk, SYRK, 2)                                        \
    X(TRSM, trsm, TRSM, trsm, TRSM, 4)                                        \
    X(POTRI, potri, POTRI, potri, POTRI, 1)                                   \
    X(GETRI, getri, GETRI, getri, GETRI, 0)                                   \
    X(GEQRF, geqrf, GEQRF, geqrf, GEQRF, 0)                                   \
    X(ORMQR, ormqr, ORMQR, unmqr, UNMQR, 2)                                   \
    X(GELS, gels, GELS, gels, GELS, 1)                                        \
    X(SYEV, syev, SYEV, heev, HEEV, 2)                                        \
    X(SYEVD, syevd, SYEVD, heevd, HEEVD, 2)                                   \
    X(SYEVR, syevr, SYEVR, heevr, HEEVR, 3)                                   \
    X(SYEVX, syevx, SYEVX, heevx, HEEVX, 3)                                   \
    X(SYGVX, sygvx, SYGVX, hegvx, HEGVX, 3)                                   \
    X(GESVD, gesvd, GESVD, gesvd, GESVD, 2)
#define SYMBOL(R, r, RR, c, C, l) R,
enum { ROUTINES(SYMBOL) HERK, NROUTINES };

#define DECLARE(R, r, RR, c, C, l)                                            \
    extern void FC_FUNC(ps##r, PS##RR)(void), FC_FUNC(pd##r, PD##RR)(void),   \
        FC_FUNC(pc##c, PC##C)(void), FC_FUNC(pz##c, PZ##C)(void);
ROUTINES(DECLARE)
extern void FC_FUNC(pcherk, PCHERK)(void), FC_FUNC(pzherk, PZHERK)(void);
/* To make what others read. */
extern void FC_FUNC(pspotrf, PSPOTRF)(void), FC_FUNC(pdpotrf, PDPOTRF)(void),
    FC_FUNC(pcpotrf, PCPOTRF)(void), FC_FUNC(pzpotrf, PZPOTRF)(void);
extern void FC_FUNC(psgetrf, PSGETRF)(void), FC_FUNC(pdgetrf, PDGETRF)(void),
    FC_FUNC(pcgetrf, PCGETRF)(void), FC_FUNC(pzgetrf, PZGETRF)(void);
static const hesca_function factors[][4] = {FOUR(potrf, POTRF),
                                            FOUR(getrf, GETRF)};

static const struct {
    hesca_function f[4];
    const char *name[4];
    int letters;
} routines[] = {
#define ROW(R, r, RR, c, C, l)                                                \
    [R] = {{FC_FUNC(ps##r, PS##RR), FC_FUNC(pd##r, PD##RR),                   \
            FC_FUNC(pc##c, PC##C), FC_FUNC(pz##c, PZ##C)},                    \
           {TEXT(FC_FUNC(ps##r, PS##RR)), TEXT(FC_FUNC(pd##r, PD##RR)),       \
            TEXT(FC_FUNC(pc##c, PC##C)), TEXT(FC_FUNC(pz##c, PZ##C))},        \
           l},
    ROUTINES(ROW)[HERK] = {
        {NULL, NULL, FC_FUNC(pcherk, PCHERK), FC_FUNC(pzherk, PZHERK)},
        {NULL, NULL, TEXT(FC_FUNC(pcherk, PCHERK)),
         TEXT(FC_FUNC(pzherk, PZHERK))},
        2}};

/* ------------------------------------------------ calls */

/* Any number of pointers; a callee takes no notice of what is behind its own
 * arguments. */
#define EIGHT void *, void *, void *, void *, void *, void *, void *, void *
typedef void any(EIGHT, EIGHT, EIGHT, EIGHT, EIGHT);

typedef struct {
    void *at[40];
    int n;
} arguments;

static void
push(arguments *a, void *x)
{
    a->at[a->n++] = x;
}

static void
push_matrix(arguments *a, matrix *x)
{
    push(a, x->x);
    push(a, &x->i);
    push(a, &x->j);
    push(a, x->desc);
}

static void
call(hesca_function f, arguments a, int letters)
{
    void **v = a.at;
    for (int k = 0; k < letters; ++k)
        push(&a, (void *)(uintptr_t)1);
    ((any *)f)(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9],
               v[10], v[11], v[12], v[13], v[14], v[15], v[16], v[17], v[18],
               v[19], v[20], v[21], v[22], v[23], v[24], v[25], v[26], v[27],
               v[28], v[29], v[30], v[31], v[32], v[33], v[34], v[35], v[36],
               v[37], v[38], v[39]);
}

/* ------------------------------------------------ problems */

/* A number as the routine of a type has it. */
typedef union {
    float s[2];
    double d[2];
    int i;
} number;

static number
number_of(int type, double re, double im)
{
    number x = {.d = {re, im}};
    if (elements[type].single)
        x = (number){.s = {(float)re, (float)im}};
    return x;
}

enum { MOST_ORDER = 64, NSPACES = 3 };

typedef struct {
    int routine, type, m, n, k, nrhs, il, iu, ibtype, found, nz, info;
    char uplo, trans, side, diag, jobz, jobvt, range;
    number alpha, beta, zero;
    matrix x[3];
    int nx;
    number tau[2 * MOST_ORDER], w[MOST_ORDER], gap[16];
    int ipiv[4 * MOST_ORDER], ifail[MOST_ORDER], iclustr[32];
    int length[NSPACES];
    void *space[NSPACES];
} problem;

static int
is_complex(const problem *p)
{
    return elements[p->type].floats == 2;
}

static void
push_space(arguments *a, problem *p, int k)
{
    push(a, p->space[k]);
    push(a, &p->length[k]);
}

static void
push_spaces(arguments *a, problem *p)
{
    push_space(a, p, 0);
    if (is_complex(p))
        push_space(a, p, 1);
    push_space(a, p, 2);
}

static void
push_eigen(arguments *a, problem *p)
{
    const int selects = p->routine != SYEV && p->routine != SYEVD;
    const int is_x = p->routine == SYEVX || p->routine == SYGVX;
    if (p->routine == SYGVX)
        push(a, &p->ibtype);
    push(a, &p->jobz);
    if (selects)
        push(a, &p->range);
    push(a, &p->uplo);
    push(a, &p->n);
    push_matrix(a, &p->x[0]);
    if (p->routine == SYGVX)
        push_matrix(a, &p->x[2]);
    if (selects) {
        push(a, &p->zero);
        push(a, &p->zero);
        push(a, &p->il);
        push(a, &p->iu);
        if (is_x)
            push(a, &p->zero);
        push(a, &p->found);
        push(a, &p->nz);
    }
    push(a, p->w);
    if (is_x)
        push(a, &p->alpha); /* ORFAC */
    push_matrix(a, &p->x[1]);
    if (p->routine == SYEV) {
        push_space(a, p, 0);
        if (is_complex(p))
            push_space(a, p, 1);
    } else {
        push_spaces(a, p);
    }
    if (is_x) {
        push(a, p->ifail);
        push(a, p->iclustr);
        push(a, p->gap);
    }
    push(a, &p->info);
}

static arguments
arguments_of(problem *p)
{
    arguments a = {.n = 0};
    matrix *x = p->x;
    switch (p->routine) {
    case SYRK:
    case HERK:
        push(&a, &p->uplo), push(&a, &p->trans), push(&a, &p->n);
        push(&a, &p->k), push(&a, &p->alpha), push_matrix(&a, &x[1]);
        push(&a, &p->beta), push_matrix(&a, &x[0]);
        break;
    case TRSM:
        push(&a, &p->side), push(&a, &p->uplo), push(&a, &p->trans);
        push(&a, &p->diag), push(&a, &p->m), push(&a, &p->n);
        push(&a, &p->alpha), push_matrix(&a, &x[1]), push_matrix(&a, &x[0]);
        break;
    case POTRI:
        push(&a, &p->uplo), push(&a, &p->n), push_matrix(&a, &x[0]);
        push(&a, &p->info);
        break;
    case GETRI:
        push(&a, &p->n), push_matrix(&a, &x[0]), push(&a, p->ipiv);
        push_space(&a, p, 0), push_space(&a, p, 2), push(&a, &p->info);
        break;
    case GEQRF:
        push(&a, &p->m), push(&a, &p->n), push_matrix(&a, &x[0]);
        push(&a, p->tau), push_space(&a, p, 0), push(&a, &p->info);
        break;
    case ORMQR:
        push(&a, &p->side), push(&a, &p->trans), push(&a, &p->m);
        push(&a, &p->n), push(&a, &p->k), push_matrix(&a, &x[1]);
        push(&a, p->tau), push_matrix(&a, &x[0]), push_space(&a, p, 0);
        push(&a, &p->info);
        break;
    case GELS:
        push(&a, &p->trans), push(&a, &p->m), push(&a, &p->n);
        push(&a, &p->nrhs), push_matrix(&a, &x[0]), push_matrix(&a, &x[1]);
        push_space(&a, p, 0), push(&a, &p->info);
        break;
    case GESVD:
        push(&a, &p->jobz), push(&a, &p->jobvt), push(&a, &p->m);
        push(&a, &p->n), push_matrix(&a, &x[0]), push(&a, p->w);
        push_matrix(&a, &x[1]), push_matrix(&a, &x[2]), push_space(&a, p, 0);
        if (is_complex(p))
            push(&a, p->space[1]);
        push(&a, &p->info);
        break;
    default:
        push_eigen(&a, p);
    }
    return a;
}

static void
run(problem *p, int real)
{
    const char *name = routines[p->routine].name[p->type];
    call(real ? hesca_scalapack_original(name)
              : routines[p->routine].f[p->type],
         arguments_of(p), routines[p->routine].letters);
}

/* Ask the routine for its work spaces. */
static void
make_spaces(problem *p, int real)
{
    const size_t sizes[NSPACES] = {size_of(p->type),
                                   elements[p->type].single ? 4 : 8, 4};
    number room[NSPACES][3]; /* PDSYEVX uses all */
    for (int k = 0; k < NSPACES; ++k) {
        p->length[k] = -1;
        p->space[k] = room[k];
        memset(room[k], 0, sizeof room[k]);
    }
    if (p->routine != SYRK && p->routine != HERK && p->routine != TRSM &&
        p->routine != POTRI) {
        run(p, real);
        CHECK(p->info == 0, "%s: INFO is %d of a question",
              routines[p->routine].name[p->type], p->info);
    }
    for (int k = 0; k < NSPACES; ++k) {
        const double n = k == 2                     ? room[k][0].i
                         : elements[p->type].single ? (double)room[k][0].s[0]
                                                    : room[k][0].d[0];
        /* More: xSYEVD's own is too short for blocks beyond N. */
        p->length[k] = (int)n + 16384;
        p->space[k] = calloc((size_t)p->length[k], sizes[k]);
        if (p->space[k] == NULL)
            abort();
    }
}

static void
drop_problem(problem *p)
{
    for (int k = 0; k < NSPACES; ++k)
        free(p->space[k]);
    for (int k = 0; k < p->nx; ++k)
        free(p->x[k].x);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Block-cyclic matrices whose elements are functions of their place, and what
 * a routine has made of them; see also placing.h. */
#ifndef HESCA_TESTING_CYCLIC_H
#define HESCA_TESTING_CYCLIC_H

#include "testing/shim/placing.h"
#include <complex.h>

#define TEXT_EXPANDED(x) #x
#define TEXT(x) TEXT_EXPANDED(x)

/* A routine of four types: the functions, and their names. */
#define FOUR(r, R)                                                            \
    {                                                                         \
        FC_FUNC(ps##r, PS##R), FC_FUNC(pd##r, PD##R), FC_FUNC(pc##r, PC##R),  \
            FC_FUNC(pz##r, PZ##R)                                             \
    }
#define NAMES(r, R)                                                           \
    {                                                                         \
        TEXT(FC_FUNC(ps##r, PS##R)), TEXT(FC_FUNC(pd##r, PD##R)),             \
            TEXT(FC_FUNC(pc##r, PC##R)), TEXT(FC_FUNC(pz##r, PZ##R))          \
    }

/* By hesca_type. */
static const struct {
    int floats, single; /* numbers of an element */
    double eps;
} elements[] = {
    {1, 1, 1.2e-7}, {1, 0, 2.3e-16}, {2, 1, 1.2e-7}, {2, 0, 2.3e-16}};

/* What elements are like: of order 1; scaled by rows and columns, over 24
 * decimal powers (single: 9); some of them NaN, infinite or 0. */
typedef enum { ORDINARY, GRADED, NON_FINITE } likeness;

/* A block-cyclic matrix whose elements are functions of their place. */
typedef struct {
    int type, salt;
    likeness like;
    int desc[11], i, j; /* sub(X) begins there, from 1 */
    int nprow, npcol, prow, pcol, locr, locc, lld;
    int mb, nb, rsrc, csrc, m, n;
    char *x;
} matrix;

static inline size_t
size_of(int type)
{
    return (size_t)elements[type].floats * (elements[type].single ? 4 : 8);
}

static inline double complex
value(int type, int salt, int i, int j)
{
    const double re = ((i * 31 + j * 17 + salt * 7) % 23 - 11) / 8.0;
    const double im = ((i * 13 + j * 29 + salt * 5) % 19 - 9) / 8.0;
    return elements[type].floats == 2 ? re + im * I : re;
}

/* A power of 2 for row, or column, i. */
static inline double
grade(int type, int salt, int i)
{
    const int most = elements[type].single ? 15 : 40;
    return ldexp(1, (i * 37 + salt) % (2 * most + 1) - most);
}

static inline double complex
value_of(const matrix *a, int i, int j)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, 0};
    const double complex v = value(a->type, a->salt, i, j);
    const int hash = (i * 101 + j * 61 + a->salt) % 97;
    switch (a->like) {
    case GRADED:
        return v * grade(a->type, a->salt, i) * grade(a->type, a->salt, j + 5);
    case NON_FINITE:
        return hash < 4 ? odd[hash] : v;
    default:
        return v;
    }
}

static inline void
store(const matrix *a, int il, int jl, double complex v)
{
    char *at =
        a->x + ((size_t)jl * (size_t)a->lld + (size_t)il) * size_of(a->type);
    const double part[2] = {creal(v), cimag(v)};
    for (int k = 0; k < elements[a->type].floats; ++k)
        if (elements[a->type].single)
            ((float *)at)[k] = (float)part[k];
        else
            ((double *)at)[k] = part[k];
}

static inline double complex
load(const matrix *a, int il, int jl)
{
    const char *at =
        a->x + ((size_t)jl * (size_t)a->lld + (size_t)il) * size_of(a->type);
    double part[2] = {0, 0};
    for (int k = 0; k < elements[a->type].floats; ++k)
        part[k] = elements[a->type].single ? ((const float *)at)[k]
                                           : ((const double *)at)[k];
    return part[0] + part[1] * I;
}

static inline int
global_of(int local, int nb, int iproc, int isrc, int nprocs)
{
    return (local / nb * nprocs + (nprocs + iproc - isrc) % nprocs) * nb +
           local % nb;
}

static inline int
row_of(const matrix *a, int il)
{
    return global_of(il, a->mb, a->prow, a->rsrc, a->nprow);
}

static inline int
column_of(const matrix *a, int jl)
{
    return global_of(jl, a->nb, a->pcol, a->csrc, a->npcol);
}

static inline int
is_inside(const matrix *a, int i, int j, int m, int n)
{
    return i >= a->i - 1 && i < a->i - 1 + m && j >= a->j - 1 &&
           j < a->j - 1 + n;
}

/* The descriptor, of 9 or 11 entries, and the local array of a matrix whose
 * layout is there. */
static inline void
fill(matrix *a, int ictxt, int entries)
{
    const int type = a->type;
    a->locr = numroc_(&a->m, &a->mb, &a->prow, &a->rsrc, &a->nprow);
    a->locc = numroc_(&a->n, &a->nb, &a->pcol, &a->csrc, &a->npcol);
    a->lld = (a->locr > 0 ? a->locr : 1) + check_uniform(0, 3);
    const int nine[] = {1,     ictxt,   a->m,    a->n,  a->mb,
                        a->nb, a->rsrc, a->csrc, a->lld};
    const int eleven[] = {2,     ictxt, a->m,    a->n,    a->mb, a->nb,
                          a->mb, a->nb, a->rsrc, a->csrc, a->lld};
    memcpy(a->desc, entries == 9 ? nine : eleven,
           (size_t)entries * sizeof(int));
    a->x = calloc((size_t)a->lld * (size_t)(a->locc + 1), size_of(type));
    if (a->x == NULL)
        abort();
    for (int jl = 0; jl < a->locc; ++jl)
        for (int il = 0; il < a->lld; ++il)
            store(a, il, jl,
                  il < a->locr ? value_of(a, row_of(a, il), column_of(a, jl))
                               : -77);
}

/* A matrix that sub(X), m x n, lies in, and what its elements are like;
 * entries 9 or 11. */
static inline void
make(matrix *a, int type, likeness like, int ictxt, int m, int n, int entries)
{
    memset(a, 0, sizeof *a);
    a->type = type;
    a->like = like;
    a->salt = check_uniform(0, 1000);
    a->i = check_uniform(1, 1 + check_uniform(0, 20));
    a->j = check_uniform(1, 1 + check_uniform(0, 20));
    a->m = a->i - 1 + m + check_uniform(0, 9);
    a->n = a->j - 1 + n + check_uniform(0, 9);
    a->mb = check_uniform(1, 12);
    a->nb = check_uniform(1, 12);
    Cblacs_gridinfo(ictxt, &a->nprow, &a->npcol, &a->prow, &a->pcol);
    a->rsrc = check_uniform(0, a->nprow - 1);
    a->csrc = check_uniform(0, a->npcol - 1);
    fill(a, ictxt, entries);
}

static inline void
copy(matrix *to, const matrix *from)
{
    const size_t bytes =
        (size_t)from->lld * (size_t)(from->locc + 1) * size_of(from->type);
    *to = *from;
    to->x = malloc(bytes);
    if (to->x == NULL)
        abort();
    memcpy(to->x, from->x, bytes);
}

static inline int
is_same(const matrix *x, const matrix *y)
{
    return memcmp(x->x, y->x,
                  (size_t)x->lld * (size_t)x->locc * size_of(x->type)) == 0;
}

/* Square blocks, sub(A) at the beginning of one, as these routines need. */
static inline void
make_aligned(matrix *a, int type, int ictxt, int m, int n, int nb, int rsrc)
{
    memset(a, 0, sizeof *a);
    a->type = type;
    a->salt = check_uniform(0, 1000);
    a->mb = a->nb = nb;
    a->i = 1 + nb * check_uniform(0, 2);
    a->j = 1 + nb * check_uniform(0, 2);
    a->m = a->i - 1 + m + check_uniform(0, 9);
    a->n = a->j - 1 + n + check_uniform(0, 9);
    Cblacs_gridinfo(ictxt, &a->nprow, &a->npcol, &a->prow, &a->pcol);
    a->rsrc = rsrc < 0 ? check_uniform(0, a->nprow - 1)
                       : (rsrc + 10 * a->nprow - (a->i - 1) / nb) % a->nprow;
    a->csrc = check_uniform(0, a->npcol - 1);
    fill(a, ictxt, 9);
}

/* A grid whose communicator HESCA has not seen. */
static inline int
new_grid(const char *order, int nprow, int npcol)
{
    int ictxt;
    Cblacs_get(-1, 0, &ictxt);
    Cblacs_gridinit(&ictxt, order, nprow, npcol);
    return ictxt;
}

/* ------------------------------------------------ what HESCA says */

/* What a process prints to stderr goes to a file, from capture_begin() on. */
typedef struct {
    int err, file;
    char path[32], text[4000]; /* how it begins */
} capture;

static inline void
capture_begin(capture *x)
{
    strcpy(x->path, "/tmp/hesca-says-XXXXXX");
    fflush(stderr);
    x->err = dup(2);
    x->file = mkstemp(x->path);
    dup2(x->file, 2);
}

/* \return How many of HESCA's lines hold `says`; NULL: 0.  Those of others go
 * to stderr now. */
static inline int
capture_end_counting(capture *x, const char *says)
{
    char line[1000];
    int count = 0;
    fflush(stderr);
    dup2(x->err, 2);
    close(x->err);
    lseek(x->file, 0, SEEK_SET);
    const ssize_t n = read(x->file, x->text, sizeof x->text - 1);
    x->text[n > 0 ? n : 0] = '\0';
    lseek(x->file, 0, SEEK_SET);
    FILE *f = fdopen(x->file, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "hesca: ", 7) != 0)
            fputs(line, stderr);
        else
            count += says != NULL && strstr(line, says) != NULL;
    if (f != NULL)
        fclose(f);
    unlink(x->path);
    return count;
}

static inline void
capture_end(capture *x)
{
    capture_end_counting(x, NULL);
}

#endif

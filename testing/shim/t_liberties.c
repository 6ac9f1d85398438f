/* SPDX-License-Identifier: BSD-3-Clause */
/* What ScaLAPACK's routines accept beyond what their manuals ask for, and what
 * they never look at (doc/acceptance.md): each liberty is taken in a call of
 * HESCA's routine and in one of ScaLAPACK's own, which must leave the same
 * bits, the same grid or INFO; routines that compute by HoHe, results within
 * the bounds of rounding.
 *
 * First P?GEMR2D and P?TRMR2D, as ScaLAPACK's own testers call them and in
 * other ways; then BLACS_GRIDINIT and BLACS_GRIDMAP; on 3 processes and more
 * the routines that compute. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv, dup2 */
#include "testing/shim/systems.h"
#include <limits.h>
#include <string.h>

#include "testing/shim/products.h"

/* Errors of arguments come by INFO; ScaLAPACK need not print them. */
#define pxerbla FC_FUNC(pxerbla, PXERBLA)
void pxerbla(const int *ictxt, const char *routine, const int *info,
             size_t len);

void
pxerbla(const int *ictxt, const char *routine, const int *info, size_t len)
{
    (void)ictxt, (void)routine, (void)info, (void)len;
}

/* ------------------------------------------------ redistributions */

enum { GEMR2D, GEMR2DO, TRMR2D, TRMR2DO, KINDS, TYPES = 5 };
static const char letters[] = "isdcz";
static const char *const kind_names[] = {"gemr2d", "gemr2do", "trmr2d",
                                         "trmr2do"};
static const size_t esizes[] = {4, 4, 8, 8, 16};

#define ROW(x)                                                                \
    {                                                                         \
        (hesca_function) hesca_Cp##x##gemr2d,                                 \
            (hesca_function)hesca_Cp##x##gemr2do,                             \
            (hesca_function)hesca_Cp##x##trmr2d,                              \
            (hesca_function)hesca_Cp##x##trmr2do                              \
    }
static const hesca_function mine[TYPES][KINDS] = {ROW(i), ROW(s), ROW(d),
                                                  ROW(c), ROW(z)};

typedef struct {
    const char *uplo, *diag;
    int m, n, ia, ja, ib, jb, desca[9], descb[9], ictxt;
    int shape[4];   /* of the grids: A's rows, columns, B's */
    int in_a, in_b; /* this process */
    int together;   /* B begins in A's array, so many elements behind */
    int offset;     /* if it does */
    int absent;     /* this process does not call */
} copy_call;

static void
call_copy(hesca_function f, int kind, const copy_call *x, void *a, void *b)
{
    typedef void gemr2d(int, int, const void *, int, int, const int *, void *,
                        int, int, const int *, int);
    typedef void trmr2d(const char *, const char *, int, int, const void *,
                        int, int, const int *, void *, int, int, const int *,
                        int);
    /* Those without a context ignore one argument more. */
    if (kind == GEMR2D || kind == GEMR2DO)
        ((gemr2d *)f)(x->m, x->n, a, x->ia, x->ja, x->desca, b, x->ib, x->jb,
                      x->descb, x->ictxt);
    else
        ((trmr2d *)f)(x->uplo, x->diag, x->m, x->n, a, x->ia, x->ja, x->desca,
                      b, x->ib, x->jb, x->descb, x->ictxt);
}

static int
is_last(void)
{
    return rank == size - 1;
}

static int freed = -1; /* a context that was freed */

/* A liberty: what is changed of a good call; 0 if nothing can be. */
typedef struct {
    const char *name;
    int (*take)(copy_call *x, int step);
    int nsteps;
    int whats; /* 1: only variants with a context, 2: only P?TRMR2D */
} liberty;

static int
none(copy_call *x, int step)
{
    (void)x, (void)step;
    return 1;
}

/* ScaLAPACK's testers leave it as it is on process 0. */
static int
no_dtype(copy_call *x, int step)
{
    if (step == 0 && rank == 0)
        x->desca[0] = x->descb[0] = 0;
    if (step == 1)
        x->desca[0] = 501 + rank, x->descb[0] = INT_MIN;
    return 1;
}

static int
outsiders_context(copy_call *x, int step)
{
    const int odd[] = {-1, -2, 12345, INT_MAX, INT_MIN, freed};
    if (!x->in_a)
        x->desca[1] = odd[step];
    if (!x->in_b)
        x->descb[1] = odd[step];
    return 1;
}

static int
outsiders_garbage(copy_call *x, int step)
{
    for (int e = 0; e < 9; ++e) {
        if (!x->in_a && e != 1)
            x->desca[e] = step ? INT_MIN : 77 * e;
        if (!x->in_b && e != 1)
            x->descb[e] = step ? INT_MAX : -3 * e;
    }
    if (!x->in_a)
        x->ia = x->ja = step ? INT_MAX : -5;
    if (!x->in_b)
        x->ib = x->jb = step ? 0 : INT_MIN;
    return 1;
}

/* In neither grid. */
static int
outsiders_sizes(copy_call *x, int step)
{
    if (!x->in_a && !x->in_b) {
        x->m = step == 2 ? -1 : 1;
        x->n = step == 0 ? x->n : 1;
        x->uplo = "L";
        x->diag = "?";
    }
    return x->shape[0] * x->shape[1] < size &&
           x->shape[2] * x->shape[3] < size;
}

static int
other_ends(copy_call *x, int step)
{
    if (step == 0 ? is_last() : rank == 0) {
        x->desca[2] += 3;
        x->desca[3] += 11;
        x->descb[2] += 1;
        x->descb[3] += 20;
    }
    return 1;
}

/* Blocks where one process has all rows, or columns. */
static int
other_blocks(copy_call *x, int step)
{
    const int odd[] = {-3, 1, 50, -1000};
    const int here = step < 2 || is_last();
    for (int k = 0; k < 4 && here; ++k)
        if (x->shape[k] == 1)
            (k < 2 ? x->desca : x->descb)[4 + k % 2] = odd[(step + k) % 4];
    return 1;
}

/* Each process begins at its own row, or column, there. */
static int
other_begins(copy_call *x, int step)
{
    const int more = is_last() ? 1 : 0;
    if (x->shape[0] == 1 && step == 0)
        x->ia += more;
    if (x->shape[1] == 1 && step == 1)
        x->ja += more;
    if (x->shape[2] == 1 && step == 2)
        x->ib += more;
    if (x->shape[3] == 1 && step == 3)
        x->jb += more;
    return x->shape[step] == 1;
}

/* Blocks larger than the matrix: most processes own nothing. */
static int
nothing_owned(copy_call *x, int step)
{
    int prow, dummy;
    for (int k = 0; k < 2; ++k) {
        int *d = k ? x->descb : x->desca;
        d[4] = d[5] = 30;
        Cblacs_gridinfo(d[1], &dummy, &dummy, &prow, &dummy);
        if (prow > 0) /* without rows; without columns LLD must be right */
            d[8] = step;
    }
    return 1;
}

static int
letters_of_kinds(copy_call *x, int step)
{
    static const char *const uplo[] = {"U", "u", "L", "l", "X", "N", "Upper"};
    static const char *const diag[] = {"N", "n", "U", "u", "Q", "L", " "};
    x->uplo = uplo[step % 7];
    x->diag = diag[step / 7];
    return 1;
}

/* Nothing to copy: all else may be anything, and differ. */
static int
empty(copy_call *x, int step)
{
    x->m = (rank + step) % 2 ? 0 : 5;
    x->n = (rank + step) % 2 ? (step ? -4 : 5) : 0;
    x->uplo = x->diag = NULL;
    x->ia = x->jb = INT_MIN;
    x->desca[1] = x->descb[1] = x->ictxt = -7;
    x->desca[4] = x->descb[5] = 0;
    x->absent = step == 2 && rank > 0; /* not a collective call */
    return 1;
}

/* One array; the same place, elsewhere in it, and overlapping. */
static int
one_array(copy_call *x, int step)
{
    if (x->shape[0] != x->shape[2] || x->shape[1] != x->shape[3])
        return 0;
    memcpy(x->descb, x->desca, sizeof x->descb);
    x->together = 1;
    x->ib = x->ia;
    x->jb = x->ja;
    if (step == 1) { /* columns behind those of A */
        x->n = 6;
        x->ja = 1;
        x->jb = 13;
    }
    if (step == 2) { /* rows that A has, too */
        x->m = 8;
        x->ib = x->ia + 2;
    }
    if (step == 3)
        x->jb = x->ja + 1;
    if (step == 4) { /* B is an array in A's */
        x->offset = 3;
        x->n = 5;
    }
    return 1;
}

static const liberty liberties[] = {
    {"plain", none, 1, 0},
    {"DTYPE", no_dtype, 2, 0},
    {"CTXT outside", outsiders_context, 6, 1},
    {"garbage outside", outsiders_garbage, 2, 0},
    {"M, N outside", outsiders_sizes, 3, 0},
    {"M_, N_", other_ends, 2, 0},
    {"MB_, NB_", other_blocks, 4, 0},
    {"IA, JA, IB, JB", other_begins, 4, 0},
    {"LLD_", nothing_owned, 2, 0},
    {"UPLO, DIAG", letters_of_kinds, 49, 2},
    {"nothing to copy", empty, 3, 1},
    {"one array", one_array, 5, 0},
};

enum { ROOM = 44 }; /* rows and columns of local arrays */

static copy_call
good_copy(const int *shape, const int *ictxt)
{
    copy_call x = {.uplo = "U",
                   .diag = "N",
                   .m = 10,
                   .n = 11,
                   .ia = 3,
                   .ja = 4,
                   .ib = 2,
                   .jb = 5,
                   .desca = {1, ictxt[1], 20, 21, 3, 4, 0, 0, ROOM - 4},
                   .descb = {1, ictxt[2], 22, 20, 5, 2, 0, 0, ROOM - 4},
                   .ictxt = ictxt[0]};
    memcpy(x.shape, shape, sizeof x.shape);
    x.in_a = ictxt[1] >= 0;
    x.in_b = ictxt[2] >= 0;
    return x;
}

static void
one_copy(const copy_call *x, const char *what, int step, int type, int kind)
{
    const size_t bytes = (size_t)ROOM * ROOM * esizes[type];
    char name[20], *local[4];
    for (int k = 0; k < 4; ++k) {
        local[k] = malloc(bytes);
        if (local[k] == NULL)
            abort();
        for (size_t b = 0; b < bytes; ++b)
            local[k][b] = k % 2 ? (char)0xb5
                                : (char)((b * 131 + (size_t)rank * 17) >> 3);
    }
    sprintf(name, "Cp%c%s", letters[type], kind_names[kind]);
    const size_t at = (size_t)x->offset * esizes[type];
    call_copy(hesca_scalapack_original(name), kind, x, local[0],
              x->together ? local[0] + at : local[1]);
    if (!x->absent)
        call_copy(mine[type][kind], kind, x, local[2],
                  x->together ? local[2] + at : local[3]);
    for (int k = 0; k < 2; ++k)
        CHECK(memcmp(local[k], local[k + 2], bytes) == 0,
              "%s, %d: %s, %d x %d -> %d x %d, rank %d: %c is not the same",
              what, step, name, x->shape[0], x->shape[1], x->shape[2],
              x->shape[3], rank, "AB"[k]);
    for (int k = 0; k < 4; ++k)
        free(local[k]);
    check_barrier(MPI_COMM_WORLD);
}

/* Letters take turns. */
static void
copies(const int *shape, int nth)
{
    static int turn;
    const int ictxt[] = {grid(1, size), grid(shape[0], shape[1]),
                         grid(shape[2], shape[3])};
    freed = grid(1, size);
    Cblacs_gridexit(freed);
    for (size_t l = 0; l < sizeof liberties / sizeof *liberties; ++l)
        for (int step = 0; step < liberties[l].nsteps; ++step)
            for (int k = 0; k < (l == 1 && step == 0 ? TYPES * KINDS : 1);
                 ++k) {
                const int whats = liberties[l].whats;
                const int type = turn % TYPES;
                int kind = (turn++ / TYPES) % KINDS;
                copy_call x = good_copy(shape, ictxt);
                if (whats == 1)
                    kind = kind / 2 * 2;
                if (whats == 2)
                    kind = TRMR2D;
                if ((whats != 2 || step % 6 == nth) &&
                    liberties[l].take(&x, step))
                    one_copy(&x, liberties[l].name, step, type, kind);
            }
    for (int k = 0; k < 3; ++k)
        if (ictxt[k] >= 0)
            Cblacs_gridexit(ictxt[k]);
}

static void
all_copies(void)
{
    const int half = size / 2;
    const int shapes[][4] = {{1, size, size, 1}, {half, 2, 1, size},
                             {half, 2, half, 2}, {1, 1, 1, half},
                             {half, 1, half, 1}, {1, 1, 1, 1}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k)
        copies(shapes[k], (int)k);
}

/* ------------------------------------------------ grids */

typedef void gridinit(int *, const char *, int, int);
typedef void gridmap(int *, int *, int, int, int);

/* Both made the same grid; they go. */
static void
compare_grids(const char *what, int mine_, int real)
{
    int a[4] = {-1, -1, -1, -1}, b[4] = {-1, -1, -1, -1};
    Cblacs_gridinfo(mine_, &a[0], &a[1], &a[2], &a[3]);
    Cblacs_gridinfo(real, &b[0], &b[1], &b[2], &b[3]);
    CHECK(memcmp(a, b, sizeof a) == 0,
          "%s: rank %d is at (%d,%d) of %d x %d, not (%d,%d) of %d x %d", what,
          rank, a[2], a[3], a[0], a[1], b[2], b[3], b[0], b[1]);
    if (mine_ >= 0)
        Cblacs_gridexit(mine_);
    if (real >= 0)
        Cblacs_gridexit(real);
}

/* ORDER is by columns if it is a C; of a map the leading dimension may be
 * larger, and processes outside may have any. */
static void
all_grids(void)
{
    static const char *const orders[] = {"R", "r", "C", "c", "x", "Column"};
    gridinit *const init =
        (gridinit *)hesca_scalapack_original("Cblacs_gridinit");
    gridmap *const map = (gridmap *)hesca_scalapack_original("Cblacs_gridmap");
    int a, b;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; ++k) {
        Cblacs_get(-1, 0, &a);
        b = a;
        Cblacs_gridinit(&a, orders[k], size / 2, 2);
        init(&b, orders[k], size / 2, 2);
        compare_grids(orders[k], a, b);
    }
    int places[] = {1, -9, -9, 0, INT_MAX, -9};
    Cblacs_get(-1, 0, &a);
    b = a;
    Cblacs_gridmap(&a, places, 3, 1, 2);
    map(&b, places, 3, 1, 2);
    compare_grids("LDMAP", a, b);
}

/* ------------------------------------------------ products */

/* The same call, on arrays of its own. */
static void
compare_product(const product *p)
{
    product q = *p;
    copy(&q.c, &p->c);
    product_compare(&q);
    free(q.c.x);
}

/* Where a matrix ends: as near as can be, and further on, on one process. */
static void
change_ends(matrix *x, int m, int n, int entries)
{
    (void)entries;
    x->desc[2] = x->i - 1 + m > 0 ? x->i - 1 + m : 1;
    x->desc[3] += n > 0 ? 7 : 0;
}

static void
all_products(void)
{
    const int ictxt = new_grid("R", 2, size / 2);
    for (int k = 0; k < 16 && ictxt >= 0; ++k) {
        const int entries = k % 4 == 3 ? 11 : 9;
        product p = product_draw(k % 4, ORDINARY, ictxt, 40, entries);
        product q = p;
        const int nota = p.transa == 'N', notb = p.transb == 'N';
        compare_product(&p);
        if (is_last()) {
            change_ends(&q.a, nota ? p.m : p.k, nota ? p.k : p.m, entries);
            change_ends(&q.b, notb ? p.k : p.n, notb ? p.n : p.k, entries);
            change_ends(&q.c, p.m, p.n, entries);
        }
        compare_product(&q);
        compare_product(&p);
        product_drop(&p);
    }
    if (ictxt >= 0)
        Cblacs_gridexit(ictxt);
}

/* ------------------------------------------------ systems */

enum { POTRS = NROUTINES, GETRS, NSYSTEMS };

typedef void getrs(const char *, const int *, const int *, void *, const int *,
                   const int *, const int *, int *, void *, const int *,
                   const int *, const int *, int *, size_t);
posv FC_FUNC(pspotrs, PSPOTRS), FC_FUNC(pdpotrs, PDPOTRS),
    FC_FUNC(pcpotrs, PCPOTRS), FC_FUNC(pzpotrs, PZPOTRS);
getrs FC_FUNC(psgetrs, PSGETRS), FC_FUNC(pdgetrs, PDGETRS),
    FC_FUNC(pcgetrs, PCGETRS), FC_FUNC(pzgetrs, PZGETRS);
static posv *const all_potrs[] = FOUR(potrs, POTRS);
static getrs *const all_getrs[] = FOUR(getrs, GETRS);
static const char *const solver_names[2][4] = {NAMES(potrs, POTRS),
                                               NAMES(getrs, GETRS)};

/* Triangular systems have factors as they come: a dominant diagonal. */
static void
call_system(system_ *s, int real)
{
    matrix *a = &s->a, *b = &s->b;
    if (s->routine < NROUTINES) {
        system_call(s, real);
        return;
    }
    const char *name = solver_names[s->routine - NROUTINES][s->type];
    const hesca_function f = hesca_scalapack_original(name);
    if (s->routine == POTRS)
        (real ? (posv *)f : all_potrs[s->type])(
            &s->uplo, &s->n, &s->nrhs, a->x, &a->i, &a->j, a->desc, b->x,
            &b->i, &b->j, b->desc, &s->info, 1);
    else
        (real ? (getrs *)f : all_getrs[s->type])(
            &s->uplo, &s->n, &s->nrhs, a->x, &a->i, &a->j, a->desc, s->ipiv,
            b->x, &b->i, &b->j, b->desc, &s->info, 1);
}

/* What a call is given: arguments, and from DESCA and DESCB on entries of the
 * descriptors. */
enum { LETTER, SIZE, NRHS, IA, JA, IB, JB, DESCA = 10, DESCB = 20 };

typedef struct {
    int target, value;
} odd;

static const odd odds[] = {
    {LETTER, 'u'}, {LETTER, 'l'}, {LETTER, 'n'}, {LETTER, 't'}, {LETTER, 'X'},
    {LETTER, 0},   {SIZE, -1},    {SIZE, 0},     {SIZE, 99},    {NRHS, -1},
    {NRHS, 99},    {IA, 0},       {IA, 2},       {IA, 500},     {JA, 0},
    {JA, 2},       {JA, 500},     {IB, 0},       {IB, 2},       {IB, 500},
    {JB, 0},       {JB, 500},
};

/* Values of the nine entries. */
static const odd entries[] = {
    {0, 0},  {0, 2},  {0, 501}, {2, 0},     {2, -1}, {2, 1}, {3, 0},
    {3, -4}, {3, 1},  {4, 0},   {4, -2},    {4, 1},  {5, 0}, {5, -2},
    {5, 1},  {6, -1}, {6, 64},  {7, -1},    {7, 64}, {8, 0}, {8, -5},
    {8, 1},  {1, -1}, {1, -2},  {1, 12345},
};

enum {
    NODDS = sizeof odds / sizeof *odds,
    NENTRIES = sizeof entries / sizeof *entries
};

/* \return 0 if it is no argument of the routine. */
static int
spoil(system_ *s, odd x)
{
    const int has_b = s->routine >= NROUTINES || solves(s);
    const int of_b = x.target == NRHS || x.target == IB || x.target == JB ||
                     x.target >= DESCB;
    int *const number[] = {NULL,    &s->n,   &s->nrhs, &s->a.i,
                           &s->a.j, &s->b.i, &s->b.j};
    if ((of_b && !has_b) ||
        (x.target == LETTER && (s->routine == GETRF || s->routine == GESV)))
        return 0;
    if (x.target == LETTER)
        s->uplo = (char)x.value;
    else if (x.target < DESCA)
        *number[x.target] = x.value;
    else
        (of_b ? s->b : s->a).desc[x.target % 10] = x.value;
    return 1;
}

static void
one_system(const system_ *good, odd x, int alone)
{
    system_ s = system_copy(good);
    memcpy(s.ipiv, good->ipiv, (size_t)(s.a.locr + s.a.nb) * sizeof *s.ipiv);
    const int is_one = spoil(&s, x); /* of the routine */
    if (is_one && alone && !is_last()) {
        s.uplo = good->uplo;
        s.n = good->n;
        s.nrhs = good->nrhs;
        s.a.i = good->a.i;
        s.a.j = good->a.j;
        s.b.i = good->b.i;
        s.b.j = good->b.j;
        memcpy(s.a.desc, good->a.desc, sizeof s.a.desc);
        memcpy(s.b.desc, good->b.desc, sizeof s.b.desc);
    }
    system_ real = system_copy(&s);
    memcpy(real.ipiv, s.ipiv, (size_t)(s.a.locr + s.a.nb) * sizeof *s.ipiv);
    if (is_one) {
        call_system(&real, 1);
        call_system(&s, 0);
        CHECK(s.info == real.info && (s.info == 0 || (is_same(&s.a, &real.a) &&
                                                      is_same(&s.b, &real.b))),
              "routine %d, type %d, target %d is %d%s: INFO %d, not %d",
              s.routine, s.type, x.target, x.value,
              alone ? " on the last process" : "", s.info, real.info);
    }
    system_drop(&s);
    system_drop(&real);
}

/* A system that each process has a part of. */
static system_
draw_system(int routine, int type, int ictxt)
{
    system_ s;
    const int factors = routine == POTRS   ? POSV
                        : routine == GETRS ? GESV
                                           : routine;
    for (;;) {
        s = system_draw(factors, type, ictxt, 40, 0);
        if (s.n > 20 && s.m > 20 && s.nrhs > 1 && s.a.nb > 2 && s.a.nb < 9)
            break;
        system_drop(&s);
    }
    s.routine = routine;
    if (routine == GETRS) {
        s.uplo = 'N';
        for (int il = 0; il < s.a.locr; ++il)
            s.ipiv[il] = row_of(&s.a, il) + 1;
    }
    return s;
}

/* Two of six routines have each turn, in a big run all. */
static int
is_turn(int k)
{
    return k % 3 == 0 || check_big();
}

static void
all_systems(void)
{
    const int ictxt = new_grid("R", 2, size / 2);
    for (int r = 0; r < NSYSTEMS && ictxt >= 0; ++r) {
        system_ s = draw_system(r, r % 4, ictxt);
        /* On all processes, or on one. */
        for (int k = 0; k < NODDS; ++k)
            if (is_turn(k + r))
                one_system(&s, odds[k], (k / 3 + r) % 2);
        for (int k = 0; k < 2 * NENTRIES; ++k) {
            if (!is_turn(k + r))
                continue;
            odd x = entries[k % NENTRIES];
            /* Of a context of one process ScaLAPACK never comes back. */
            const int alone = x.target != 1 && (k / 3 + r) % 2;
            x.target += k < NENTRIES ? DESCA : DESCB;
            one_system(&s, x, alone);
        }
        system_drop(&s);
    }
    if (ictxt >= 0)
        Cblacs_gridexit(ictxt);
}

int
main(void)
{
    Cblacs_pinfo(&rank, &size);
    if (size != 2 && size != 4) {
        fprintf(stderr, "start it on 2 or 4 processes\n");
        return 99;
    }
    setenv("HESCA_FALLBACK", "silent", 1);
    setenv("HESCA_PLACEMENT", "off", 1);
    check_state = check_seed(19);
    if (size > 2)
        begin();
    all_copies();
    all_grids();
    if (size == 2)
        return check_done("t_liberties") + MPI_Finalize();
    setenv("HESCA_GEMM", "hohe", 1);
    setenv("HESCA_POTRF", "hohe", 1);
    setenv("HESCA_GETRF", "hohe", 1);
    all_products();
    all_systems();
    return end("t_liberties");
}

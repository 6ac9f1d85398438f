/* Bad arguments of p?gemr2d and p?trmr2d: every process reports the same one,
 * under ScaLAPACK's number for it; nothing is written, nobody hangs, and
 * BLACS_ABORT comes after all have spoken, or not at all if HESCA_ONERROR is
 * return.  Odd but good arguments are served.
 *
 * The program has a pxerbla and a Cblacs_abort of its own, which record and
 * return; what HESCA writes on stderr goes into a file meanwhile. */
#define _GNU_SOURCE /* RTLD_DEFAULT, strcasestr */
#include "config.h"
#include "hesca/scalapack.h"
#include "testing/check.h"
#include "testing/shim/blacs.h"
#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define pxerbla FC_FUNC(pxerbla, PXERBLA)
void pxerbla(const int *ictxt, const char *routine, const int *info,
             size_t len);
void Cblacs_abort(int ictxt, int error);

enum { GUARD = 64, LINE = 240, PROCS = 4, PATIENCE = 100 };

static int rank, nprocs;
static char what[200]; /* the case in hand, for messages */

/* ------------------------------------------------ what a call did */

typedef struct {
    int called;                  /* 0 if this process had no part in it */
    int messages, message_info;  /* of pxerbla */
    int aborts, abort_info;      /* of Cblacs_abort */
    double message_at, abort_at; /* seconds of one clock of the node */
    long written;                /* bytes of B that have changed */
    char routine[16];
    char text[LINE]; /* stderr */
} outcome;

static outcome mine;
static double slow; /* seconds that pxerbla takes */

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void
pxerbla(const int *ictxt, const char *routine, const int *info, size_t len)
{
    const struct timespec t = {.tv_nsec = (long)(slow * 1e9)};
    (void)ictxt;
    nanosleep(&t, NULL);
    snprintf(mine.routine, sizeof mine.routine, "%.*s", (int)len, routine);
    mine.message_info = *info;
    mine.message_at = now();
    ++mine.messages;
}

void
Cblacs_abort(int ictxt, int error)
{
    (void)ictxt;
    mine.abort_info = error;
    mine.abort_at = now();
    ++mine.aborts;
}

static int terminal, paper; /* the real stderr, the file in its place */

static void
capture_begin(void)
{
    memset(&mine, 0, sizeof mine);
    mine.called = 1;
    fflush(stderr);
    if (ftruncate(paper, 0) < 0)
        perror("ftruncate");
    lseek(paper, 0, SEEK_SET);
    dup2(paper, STDERR_FILENO);
}

static void
capture_end(void)
{
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    const ssize_t n = pread(paper, mine.text, sizeof mine.text - 1, 0);
    mine.text[n < 0 ? 0 : n] = '\0';
}

static void
hangs(int sig)
{
    static const char text[] = " hangs\n";
    (void)sig;
    if (write(terminal, what, strlen(what)) < 0 ||
        write(terminal, text, strlen(text)) < 0)
        _exit(2);
    _exit(1);
}

/* Everybody's outcome, on all processes. */
static void
gather(outcome *all)
{
    const struct timespec t = {.tv_nsec = 50000};
    MPI_Request request;
    int done = 0;
    MPI_Iallgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE,
                   MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done)
        nanosleep(&t, NULL);
}

/* ------------------------------------------------ the routines */

enum { GEMR2D, GEMR2DO, TRMR2D, TRMR2DO, KINDS };
enum { TWIN_C, TWIN_FORTRAN, PLAIN_C, PLAIN_FORTRAN, FORMS };

typedef struct {
    int kind, type, form;
} route;

static const char *const kinds[] = {"gemr2d", "gemr2do", "trmr2d", "trmr2do"};
static const char letters[] = "isdcz";
static const size_t esizes[] = {4, 4, 8, 8, 16};

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

static int
is_trapezoid(const route *r)
{
    return r->kind == TRMR2D || r->kind == TRMR2DO;
}

static int
has_context(const route *r)
{
    return r->kind == GEMR2D || r->kind == TRMR2D;
}

/* "PDGEMR2D" */
static void
name_of(const route *r, char *name)
{
    sprintf(name, "P%c%s", letters[r->type], kinds[r->kind]);
    for (; *name != '\0'; ++name)
        if (*name >= 'a' && *name <= 'z')
            *name = (char)(*name - 'a' + 'A');
}

/* The names without prefix are HESCA's, unless it is a static archive. */
static int
plain_is_hesca(void)
{
    void *const twin = dlsym(RTLD_DEFAULT, "hesca_Cpdgemr2d");
    CHECK(twin == NULL || twin == dlsym(RTLD_DEFAULT, "Cpdgemr2d"),
          "HESCA's Cpdgemr2d is hidden by another one");
    return twin != NULL;
}

typedef struct {
    const char *uplo, *diag;
    int m, n;
    void *a;
    int ia, ja;
    int desca[9];
    void *b;
    int ib, jb;
    int descb[9];
    int ictxt;
    int no_desca, no_descb;
} args;

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

static void
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

/* ------------------------------------------------ matrices */

typedef struct {
    int desc[9];
    int nprow, npcol, myrow, mycol, locr, locc;
    size_t esize, nbytes;
    char *x;
} side;

/* lld is enlarged if the process owns more rows. */
static side
side_make(int ictxt, int m, int n, int mb, int nb, int rsrc, int csrc, int lld,
          size_t esize)
{
    side s = {.desc = {1, ictxt, m, n, mb, nb, rsrc, csrc, lld}};
    const int *d = s.desc;
    s.esize = esize;
    s.myrow = s.mycol = -1;
    if (ictxt >= 0)
        Cblacs_gridinfo(ictxt, &s.nprow, &s.npcol, &s.myrow, &s.mycol);
    if (s.myrow >= 0) {
        s.locr = numroc_(&d[2], &d[4], &s.myrow, &d[6], &s.nprow);
        s.locc = numroc_(&d[3], &d[5], &s.mycol, &d[7], &s.npcol);
        s.desc[8] = s.locr > lld ? s.locr : lld;
    }
    s.nbytes = (size_t)s.desc[8] * (size_t)s.locc * esize + GUARD;
    s.x = malloc(s.nbytes);
    memset(s.x, 0xb5, s.nbytes);
    return s;
}

/* Global row or column (from 0) of a local one. */
static int
global(int local, int nb, int iproc, int src, int count)
{
    const int distance = (iproc - src + count) % count;
    return (local / nb * count + distance) * nb + local % nb;
}

/* Byte k of element (i,j) of A. */
static char
byte_of(int i, int j, size_t k)
{
    const uint64_t z = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u ^
                       (uint64_t)(j + 1) * 0xbf58476d1ce4e5b9u;
    return (char)(z >> (8 * (k % 7) + 3));
}

static void
side_fill(side *s)
{
    const int *d = s->desc;
    for (int q = 0; q < s->locc; ++q)
        for (int p = 0; p < s->locr; ++p) {
            const int i = global(p, d[4], s->myrow, d[6], s->nprow);
            const int j = global(q, d[5], s->mycol, d[7], s->npcol);
            char *x = s->x + ((size_t)q * (size_t)d[8] + (size_t)p) * s->esize;
            for (size_t k = 0; k < s->esize; ++k)
                x[k] = byte_of(i, j, k);
        }
}

static int
is_copied(const args *x, const route *r, int i, int j)
{
    if (i < 0 || i >= x->m || j < 0 || j >= x->n)
        return 0;
    if (!is_trapezoid(r))
        return 1;
    const int upper = x->uplo[0] == 'U' || x->uplo[0] == 'u';
    const int unit = x->diag[0] == 'U' || x->diag[0] == 'u';
    /* The trapezoid of an m x n matrix hangs on its longer side. */
    const int below = x->m > x->n ? x->m - x->n : 0;
    const int right = x->n > x->m ? x->n - x->m : 0;
    const int over = upper ? j + below - i : i + right - j;
    return unit ? over > 0 : over >= 0;
}

/* Bytes of the local part of B that are not as they should be after a call
 * that has copied sub(A), or nothing if x is NULL. */
static long
wrong_bytes(const side *s, const args *x, const route *r)
{
    const int *d = s->desc;
    const size_t size = s->nbytes - GUARD;
    long wrong = 0;
    for (size_t k = 0; k < s->nbytes; ++k) {
        const int e = (int)(k / s->esize), p = e % d[8], q = e / d[8];
        int copied = 0, i = 0, j = 0;
        if (x != NULL && k < size && p < s->locr) {
            i = global(p, d[4], s->myrow, d[6], s->nprow) - (x->ib - 1);
            j = global(q, d[5], s->mycol, d[7], s->npcol) - (x->jb - 1);
            copied = is_copied(x, r, i, j);
        }
        const char expected =
            copied ? byte_of(i + x->ia - 1, j + x->ja - 1, k % s->esize)
                   : (char)0xb5;
        wrong += s->x[k] != expected;
    }
    return wrong;
}

static void
side_blank(side *s)
{
    memset(s->x, 0xb5, s->nbytes);
}

/* ------------------------------------------------ good calls */

static args
args_of(int m, int n, const side *a, int ia, int ja, const side *b, int ib,
        int jb, int ictxt)
{
    args x = {.uplo = "U",
              .diag = "N",
              .m = m,
              .n = n,
              .a = a->x,
              .ia = ia,
              .ja = ja,
              .b = b->x,
              .ib = ib,
              .jb = jb,
              .ictxt = ictxt};
    memcpy(x.desca, a->desc, sizeof x.desca);
    memcpy(x.descb, b->desc, sizeof x.descb);
    return x;
}

/* A call with arguments x that must copy what complete ones would, and not
 * say a word. */
static void
good(const route *r, const args *x, const args *complete, side *b)
{
    side_blank(b);
    capture_begin();
    call(r, x);
    capture_end();
    const int empty = x->m == 0 || x->n == 0;
    const long wrong = wrong_bytes(b, empty ? NULL : complete, r);
    CHECK(wrong == 0, "rank %d, form %d of p%c%s, %s: %ld bytes of B", rank,
          r->form, letters[r->type], kinds[r->kind], what, wrong);
    CHECK(mine.messages == 0 && mine.aborts == 0 && mine.text[0] == '\0',
          "rank %d, form %d of p%c%s, %s: %d messages, %d aborts, \"%s\"",
          rank, r->form, letters[r->type], kinds[r->kind], what, mine.messages,
          mine.aborts, mine.text);
    side_blank(b);
    check_barrier(MPI_COMM_WORLD);
}

/* ------------------------------------------------ bad calls */

/* All processes that took part must have said the same, which names routine,
 * argument and value, and have written nothing. */
static void
judge(const char *routine_name, int info, const char *argument,
      const char *value, int aborts)
{
    outcome all[PROCS];
    gather(all);
    if (rank != 0)
        return;
    double spoken = 0, first_abort = 1e300;
    for (int p = 0; p < nprocs; ++p) {
        const outcome *x = &all[p];
        const char *newline = strchr(x->text, '\n');
        char head[32];
        if (!x->called)
            continue;
        snprintf(head, sizeof head, "hesca: %s: ", routine_name);
        CHECK(x->written == 0, "%s: rank %d: %ld bytes of B", what, p,
              x->written);
        CHECK(strncmp(x->text, head, strlen(head)) == 0 && newline != NULL &&
                  newline[1] == '\0',
              "%s: rank %d: not one line of %s: \"%s\"", what, p, routine_name,
              x->text);
        CHECK(strcasestr(x->text, argument) != NULL,
              "%s: rank %d: no \"%s\" in \"%s\"", what, p, argument, x->text);
        CHECK(strstr(x->text, value) != NULL,
              "%s: rank %d: no \"%s\" in \"%s\"", what, p, value, x->text);
        CHECK(x->messages == (info > 0) && x->message_info == info &&
                  (info == 0 || strcmp(x->routine, routine_name) == 0),
              "%s: rank %d: %d calls of pxerbla, last with %s and %d, must be "
              "%s and %d",
              what, p, x->messages, x->routine, x->message_info, routine_name,
              info);
        CHECK(x->aborts == aborts &&
                  (!aborts || x->abort_info == (info > 0 ? info : 1)),
              "%s: rank %d: %d calls of Cblacs_abort, last with %d", what, p,
              x->aborts, x->abort_info);
        CHECK(strcmp(x->text, all[0].text) == 0 || !all[0].called,
              "%s: \"%s\" on rank %d, but \"%s\" on rank 0", what, x->text, p,
              all[0].text);
        if (x->message_at > spoken)
            spoken = x->message_at;
        if (x->aborts > 0 && x->abort_at < first_abort)
            first_abort = x->abort_at;
    }
    CHECK(spoken <= first_abort,
          "%s: a process aborts %g s before the last message", what,
          spoken - first_abort);
}

/* A bad argument.  Arguments have P?GEMR2D's numbers, so that UPLO and DIAG
 * are -1 and 0; entry e of a descriptor i is 100 i + e. */
enum { UPLO = -1, DIAG = 0 };
typedef enum { ALL, FIRST, LAST } who_t;
/* Values known at run time only: number of processes, a context that is no
 * more, the context of the other matrix, a null pointer. */
enum { NPROCS = 1000001, FREED, OTHERS, NIL };

typedef struct {
    int target, value;
    who_t who;
    int blamed; /* if not the target itself */
} bad;

static const bad bads[] = {
    {UPLO, 'X', ALL, UPLO},  {UPLO, 'N', LAST, UPLO},
    {UPLO, NIL, ALL, UPLO},  {DIAG, 'Q', ALL, DIAG},
    {DIAG, 'L', LAST, DIAG}, {1, -1, ALL, 0},
    {1, -1, LAST, 0},        {1, INT_MIN, FIRST, 0},
    {1, 25, ALL, 4}, /* too many rows from IA on */
    {1, INT_MAX, ALL, 4},    {2, -7, ALL, 0},
    {2, -7, FIRST, 0},       {2, 25, ALL, 5},
    {3, NIL, ALL, 0},        {3, NIL, LAST, 0},
    {4, 0, ALL, 0},          {4, 16, ALL, 0},
    {4, 16, LAST, 0},        {4, INT_MAX, FIRST, 0},
    {4, INT_MIN, ALL, 0},    {5, 0, LAST, 0},
    {5, -3, ALL, 0},         {5, 17, ALL, 0},
    {5, INT_MAX, ALL, 0},    {6, NIL, ALL, 0},
    {6, NIL, FIRST, 0},      {7, NIL, ALL, 0},
    {7, NIL, LAST, 0},       {8, 0, ALL, 0},
    {8, 16, LAST, 0},        {8, INT_MAX, ALL, 0},
    {9, -1, FIRST, 0},       {9, 17, ALL, 0},
    {10, NIL, ALL, 0},       {10, NIL, LAST, 0},
    {11, 12345, ALL, 0},     {11, -1, ALL, 0},
    {11, FREED, ALL, 0},     {11, INT_MIN, ALL, 0},
    {601, 2, ALL, 0},        {601, 501, LAST, 0},
    {602, 12345, ALL, 0},    {602, 12345, LAST, 0},
    {602, FREED, ALL, 0},    {602, FREED, FIRST, 0},
    {602, -2, LAST, 0},      {603, -1, ALL, 0},
    {604, -1, LAST, 0},      {605, 0, ALL, 0},
    {605, -2, LAST, 0},      {606, 0, ALL, 0},
    {606, 0, FIRST, 0},      {607, -1, ALL, 0},
    {607, NPROCS, LAST, 0},  {608, -1, ALL, 0},
    {608, 1, ALL, 0},        {609, 1, ALL, 0},
    {609, 1, LAST, 0},       {609, -1, FIRST, 0},
    {1001, 0, ALL, 0},       {1002, 12345, ALL, 0},
    {1002, FREED, LAST, 0},  {1003, -1, ALL, 0},
    {1003, 9, ALL, 8},       {1004, 8, LAST, 9},
    {1005, 0, LAST, 0},      {1006, -1, ALL, 0},
    {1007, 1, ALL, 0},       {1008, NPROCS, ALL, 0},
    {1008, -1, LAST, 0},     {1009, 23, ALL, 0},
    {1009, 0, LAST, 0},
};

/* Good on each process, but not the same on all. */
static const bad mismatches[] = {
    {UPLO, 'L', LAST, UPLO}, {1, 9, LAST, 0},        {1, 0, FIRST, 0},
    {2, 8, FIRST, 0},        {2, 0, LAST, 0},        {4, 2, LAST, 0},
    {5, 3, LAST, 0},         {8, 2, FIRST, 0},       {9, 3, LAST, 0},
    {602, -1, ALL, 0},       {602, OTHERS, LAST, 0}, {602, -1, LAST, 0},
    {603, 30, LAST, 0},      {604, 25, LAST, 0},     {605, 6, LAST, 0},
    {606, 6, FIRST, 0},      {607, 1, LAST, 0},      {1002, -1, ALL, 0},
    {1002, -1, FIRST, 0},    {1003, 23, LAST, 0},    {1004, 22, LAST, 0},
    {1005, 3, LAST, 0},      {1006, 1, LAST, 0},     {1008, 1, FIRST, 0},
};

/* Contexts and matrices that make a good call of which each process owns a
 * part of both submatrices. */
typedef struct {
    int ictxt[3]; /* enclosing, A's, B's */
    int freed;
    side a, b;
    args good;
} setting;

static setting
setting_make(size_t esize)
{
    setting s;
    s.ictxt[0] = grid(1, nprocs);
    s.ictxt[1] = grid(nprocs, 1);
    s.ictxt[2] = grid(1, nprocs);
    s.freed = grid(1, nprocs);
    Cblacs_gridexit(s.freed);
    s.a = side_make(s.ictxt[1], 24, 24, 3, 5, 0, 0, 32, esize);
    s.b = side_make(s.ictxt[2], 24, 24, 4, 2, 0, 0, 32, esize);
    side_fill(&s.a);
    s.good = args_of(10, 9, &s.a, 1, 1, &s.b, 1, 1, s.ictxt[0]);
    return s;
}

static void
setting_free(setting *s)
{
    for (int k = 0; k < 3; ++k)
        Cblacs_gridexit(s->ictxt[k]);
    free(s->a.x);
    free(s->b.x);
}

static int
resolve(const setting *s, const bad *x)
{
    switch (x->value) {
    case NPROCS:
        return nprocs;
    case FREED:
        return s->freed;
    case OTHERS:
        return s->ictxt[x->target / 100 == 6 ? 2 : 1];
    default:
        return x->value;
    }
}

static void
spoil(args *x, int target, int value, char *letter)
{
    int *const number[] = {NULL, &x->m, &x->n,  NULL,   &x->ia, &x->ja,
                           NULL, NULL,  &x->ib, &x->jb, NULL,   &x->ictxt};
    letter[0] = (char)value;
    letter[1] = '\0';
    switch (target) {
    case UPLO:
        x->uplo = value == NIL ? NULL : letter;
        break;
    case DIAG:
        x->diag = value == NIL ? NULL : letter;
        break;
    case 3:
        x->a = NULL;
        break;
    case 6:
        x->no_desca = 1;
        break;
    case 7:
        x->b = NULL;
        break;
    case 10:
        x->no_descb = 1;
        break;
    default:
        if (target < 100)
            *number[target] = value;
        else
            (target / 100 == 6 ? x->desca : x->descb)[target % 100 - 1] =
                value;
    }
}

/* How the error is numbered, named and quoted. */
static int
number_of(const route *r, int target)
{
    const int more = is_trapezoid(r) ? 2 : 0;
    return target + (target < 100 ? more : 100 * more);
}

static void
name_argument(const route *r, int target, int differs, char *text, size_t size)
{
    static const char *const names[] = {"UPLO", "DIAG",  "M",     "N", "A",
                                        "IA",   "JA",    "DESCA", "B", "IB",
                                        "JB",   "DESCB", "CTXT"};
    static const char *const entries[] = {"DTYPE", "CTXT", "M",    "N",  "MB",
                                          "NB",    "RSRC", "CSRC", "LLD"};
    const int info = number_of(r, target);
    if (info < 100 && differs)
        snprintf(text, size, "argument %d, ", info);
    else if (info < 100)
        snprintf(text, size, "argument %d, %s", info, names[target + 1]);
    else if (differs)
        snprintf(text, size, "argument %d, entry %d", info / 100, info % 100);
    else
        snprintf(text, size, "argument %d, entry %d (%s)", info / 100,
                 info % 100, entries[info % 100 - 1]);
}

/* "" where no value is quoted. */
static void
quote_value(const bad *x, int blamed, int value, int differs, char *text,
            size_t size)
{
    const int from_0 =
        x->target == 4 || x->target == 5 || x->target == 8 || x->target == 9;
    text[0] = '\0';
    if (blamed != x->target || x->value == OTHERS ||
        (x->value == NIL && x->target > 0))
        return;
    if (!differs && x->target <= 0)
        snprintf(text, size, "is '%c'", x->value == NIL ? ' ' : x->value);
    else if (!differs)
        snprintf(text, size, "is %d:", value);
    else if (x->target > 0 && x->target % 100 != 2)
        snprintf(text, size, " %d on ", from_0 ? value - 1 : value);
}

static void
one_bad(setting *s, const route *r, const bad *x, int differs, int aborts)
{
    static const char *const whos[] = {"all", "the first", "the last"};
    const int blamed =
        x->blamed != 0 || x->target <= 0 ? x->blamed : x->target;
    const int value = resolve(s, x);
    const int hit = x->who == ALL || (x->who == FIRST && rank == 0) ||
                    (x->who == LAST && rank == nprocs - 1);
    char letter[2], name[16], argument[48], quoted[16];
    args bad_args = s->good;
    if ((x->target <= 0 && !is_trapezoid(r)) ||
        (x->target == 11 && !has_context(r)))
        return;
    if (hit)
        spoil(&bad_args, x->target, value, letter);
    name_of(r, name);
    snprintf(what, sizeof what,
             "form %d of %s, argument or entry %d is %d on %s of %d processes",
             r->form, name, number_of(r, x->target), value, whos[x->who],
             nprocs);
    capture_begin();
    call(r, &bad_args);
    capture_end();
    mine.written = wrong_bytes(&s->b, NULL, r);
    name_argument(r, blamed, differs, argument, sizeof argument);
    quote_value(x, blamed, value, differs, quoted, sizeof quoted);
    judge(name, number_of(r, blamed), argument, quoted, aborts);
}

enum { NBADS = sizeof bads / sizeof *bads };
enum { NMISMATCHES = sizeof mismatches / sizeof *mismatches };

/* All bad cases in new contexts, then between good calls, which have left a
 * plan in the cache and must still be served. */
static void
all_bads(const route *r)
{
    for (int warm = 0; warm < 2; ++warm) {
        setting s = setting_make(esizes[r->type]);
        for (int k = 0; k < NBADS + NMISMATCHES; ++k) {
            const int differs = k >= NBADS;
            const bad *x = differs ? &mismatches[k - NBADS] : &bads[k];
            if (warm) {
                strcpy(what, "a good call between bad ones");
                good(r, &s.good, &s.good, &s.b);
            }
            one_bad(&s, r, x, differs, 0);
        }
        setting_free(&s);
    }
}

/* By default BLACS_ABORT follows, but not before the slowest has spoken. */
static void
aborts(void)
{
    static const bad chosen[] = {
        {1, -1, ALL, 0},     {1, -1, LAST, 0},      {8, 16, LAST, 0},
        {11, FREED, ALL, 0}, {602, 12345, LAST, 0}, {609, 1, FIRST, 0},
    };
    const route r = {GEMR2D, 2, TWIN_FORTRAN};
    unsetenv("HESCA_ONERROR");
    setting s = setting_make(esizes[r.type]);
    for (size_t k = 0; k < sizeof chosen / sizeof *chosen; ++k) {
        /* Without a valid context there is nobody to wait for. */
        const int alone = chosen[k].target == 11;
        slow = !alone && rank == nprocs - 1 ? 0.4 : 0;
        one_bad(&s, &r, &chosen[k], 0, 1);
    }
    one_bad(&s, &r, &mismatches[1], 1, 1);
    slow = 0;
    setting_free(&s);
    setenv("HESCA_ONERROR", "return", 1);
}

/* A parameter with a bad value stops every call, whatever HESCA_ONERROR. */
static void
bad_parameter(void)
{
    const route r = {TRMR2D, 2, TWIN_C};
    setenv("HESCA_BUFFER", "12 apples", 1);
    setting s = setting_make(esizes[r.type]);
    for (int k = 0; k < 2; ++k) {
        snprintf(what, sizeof what, "HESCA_BUFFER is '12 apples', call %d", k);
        capture_begin();
        call(&r, &s.good);
        capture_end();
        mine.written = wrong_bytes(&s.b, NULL, &r);
        judge("PDTRMR2D", 0, "HESCA_BUFFER", "12 apples", 1);
    }
    setting_free(&s);
    unsetenv("HESCA_BUFFER");
}

/* One process calls pzgemr2d, or pdtrmr2d, the others pdgemr2d. */
static void
different_routines(void)
{
    static const route others[] = {{GEMR2D, 4, TWIN_C}, {TRMR2D, 2, TWIN_C}};
    setting s = setting_make(16);
    for (int k = 0; k < 2; ++k) {
        const route usual = {GEMR2D, 2, TWIN_C};
        const route *r = rank == nprocs - 1 ? &others[k] : &usual;
        snprintf(what, sizeof what, "the last process calls p%c%s",
                 letters[others[k].type], kinds[others[k].kind]);
        capture_begin();
        call(r, &s.good);
        capture_end();
        CHECK(wrong_bytes(&s.b, NULL, r) == 0, "%s: B has changed", what);
        check_barrier(MPI_COMM_WORLD);
        CHECK(strstr(mine.text, "differs") != NULL, "%s: \"%s\"", what,
              mine.text);
        /* Which part is copied comes from UPLO, if there is one. */
        CHECK(mine.message_info == (is_trapezoid(r) ? 1 : 0),
              "%s: rank %d: number %d", what, rank, mine.message_info);
    }
    setting_free(&s);
}

/* Enclosing contexts of one process each: A's grid is not inside. */
static void
grid_process_missing(void)
{
    const route r = {GEMR2D, 2, TWIN_C};
    setting s = setting_make(8);
    int alone = -1;
    for (int p = 0; p < nprocs; ++p) {
        const int ictxt = grid_of(&p, 1, 1);
        alone = p == rank ? ictxt : alone;
    }
    for (int callers = 1; callers <= nprocs; callers += nprocs - 1) {
        snprintf(what, sizeof what,
                 "%d processes call in contexts of their "
                 "own, A is on %d",
                 callers, nprocs);
        memset(&mine, 0, sizeof mine);
        if (rank < callers) {
            args x = s.good;
            x.ictxt = alone;
            capture_begin();
            call(&r, &x);
            capture_end();
            mine.written = wrong_bytes(&s.b, NULL, &r);
        }
        outcome all[PROCS];
        gather(all);
        for (int p = 1; p < callers; ++p)
            all[p].called = 0;
        CHECK(rank >= callers ||
                  (mine.written == 0 && mine.message_info == 602 &&
                   mine.messages == 1 &&
                   strstr(mine.text, "not among") != NULL),
              "%s: rank %d: number %d, %ld bytes of B, \"%s\"", what, rank,
              mine.message_info, mine.written, mine.text);
    }
    Cblacs_gridexit(alone);
    setting_free(&s);
}

/* ------------------------------------------------ odd, but good */

/* m = 0 or n = 0: nothing else is looked at. */
static void
empty_copies(const route *r)
{
    const setting s = setting_make(esizes[r->type]);
    setting t = s;
    args x = s.good;
    for (int k = 0; k < 9; ++k)
        x.desca[k] = x.descb[k] = -77 - k;
    x.a = x.b = NULL;
    x.ia = x.ja = x.ib = x.jb = INT_MIN;
    for (int k = 0; k < 8; ++k) {
        x.m = k % 2 ? 0 : 10;
        x.n = k % 2 ? 9 : 0;
        x.no_desca = x.no_descb = k / 2 % 2;
        if (k >= 4) /* different garbage on each process */
            x.desca[1] = x.descb[1] = x.ia = rank * 1000 - 5;
        snprintf(what, sizeof what, "%d x %d with garbage", x.m, x.n);
        good(r, &x, &x, &t.b);
    }
    setting_free(&t);
}

/* Process rows and columns that own nothing: lld and array may be anything. */
static void
owners_of_nothing(const route *r)
{
    static const int llds[] = {1, 0, -9, INT_MIN};
    const size_t esize = esizes[r->type];
    const int all = grid(1, nprocs);
    const int column = grid(nprocs, 1), row = grid(1, nprocs);
    for (int k = 0; k < 8; ++k) {
        side a = side_make(column, 3, 4, 3, 4, nprocs - 1, 0, 1, esize);
        side b = side_make(row, 3, 4, 2, 4, 0, 0, 1, esize);
        side *from = k < 4 ? &a : &b, *to = k < 4 ? &b : &a;
        side_fill(from);
        args x = args_of(3, 4, from, 1, 1, to, 1, 1, all);
        const int lld = llds[k % 4];
        if (from->locr == 0 || from->locc == 0) {
            x.desca[8] = lld;
            x.a = NULL;
        }
        if (to->locr == 0 || to->locc == 0) {
            x.descb[8] = lld;
            x.b = NULL;
        }
        snprintf(what, sizeof what,
                 "lld = %d and no array where nothing is owned, case %d", lld,
                 k);
        good(r, &x, &x, to);
        free(a.x);
        free(b.x);
    }
    Cblacs_gridexit(all);
    Cblacs_gridexit(column);
    Cblacs_gridexit(row);
}

/* Enclosing contexts of every kind around small grids, of which processes
 * outside know nothing but CTXT = -1. */
static void
enclosing_contexts(const route *r)
{
    const size_t esize = esizes[r->type];
    int around[5], first = 0, last = nprocs - 1;
    for (int k = 0; k < 5; ++k)
        Cblacs_get(-1, 0, &around[k]);
    Cblacs_gridinit(&around[0], "R", 1, nprocs);
    Cblacs_gridinit(&around[1], "R", nprocs, 1);
    Cblacs_gridinit(&around[2], "C", nprocs / 2, 2);
    Cblacs_gridinit(&around[3], "R", 2, nprocs / 2);
    around[4] = nprocs == 2 ? grid_of((int[]){1, 0}, 1, 2)
                            : grid_of((int[]){3, 1, 2, 0}, 2, 2);
    const int on_first = grid_of(&first, 1, 1), on_last = grid_of(&last, 1, 1);
    int columns;
    Cblacs_get(-1, 0, &columns);
    Cblacs_gridinit(&columns, "C", 2, nprocs / 2);
    const int grids[] = {on_first, on_last, columns};
    for (int k = 0; k < 5 * 9; ++k) {
        const int ca = grids[k % 3], cb = grids[k / 3 % 3];
        side a = side_make(ca, 11, 13, 2, 3, 0, 0, 1, esize);
        side b = side_make(cb, 12, 15, 5, 1, 0, 0, 1, esize);
        side_fill(&a);
        const args complete =
            args_of(9, 10, &a, 2, 3, &b, 4, 6, around[k / 9]);
        args x = complete;
        for (int e = 0; e < 9; ++e) {
            x.desca[e] = ca < 0 ? -77 : x.desca[e];
            x.descb[e] = cb < 0 ? -78 : x.descb[e];
        }
        x.desca[1] = ca;
        x.descb[1] = cb;
        if (ca < 0)
            x.ia = x.ja = INT_MAX;
        if (cb < 0)
            x.ib = x.jb = 0;
        snprintf(what, sizeof what,
                 "enclosing context %d, grids %d and %d of %d processes",
                 k / 9, k % 3, k / 3 % 3, nprocs);
        good(r, &x, &complete, &b);
        free(a.x);
        free(b.x);
    }
    for (int k = 0; k < 5; ++k)
        Cblacs_gridexit(around[k]);
    for (int k = 0; k < 3; ++k)
        if (grids[k] >= 0)
            Cblacs_gridexit(grids[k]);
}

int
main(int argc, char **argv)
{
    FILE *file = tmpfile();
    if (file == NULL) {
        perror("tmpfile");
        return 99;
    }
    paper = fileno(file);
    terminal = dup(STDERR_FILENO);
    setenv("HESCA_ONERROR", "return", 1);
    MPI_Init(&argc, &argv);
    Cblacs_pinfo(&rank, &nprocs);
    if (nprocs != 2 && nprocs != PROCS) {
        fprintf(stderr, "start it on 2 or 4 processes\n");
        return 99;
    }
    signal(SIGALRM, hangs);
    const int forms = plain_is_hesca() ? FORMS : PLAIN_C;
    for (int k = 0; k < KINDS * forms; ++k) {
        const route r = {k / forms, k % 5, k % forms};
        /* Four processes take turns on most cores. */
        if (nprocs > 2 && r.kind % forms != r.form)
            continue;
        all_bads(&r);
        empty_copies(&r);
        owners_of_nothing(&r);
        if (has_context(&r))
            enclosing_contexts(&r);
    }
    different_routines();
    grid_process_missing();
    bad_parameter();
    aborts();
    const int failed = check_done("t_badargs");
    fclose(file);
    MPI_Finalize();
    return failed;
}

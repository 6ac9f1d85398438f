/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad arguments of p?gemr2d and p?trmr2d: every process reports the same one,
 * under ScaLAPACK's number for it; nothing is written, none hangs, and
 * BLACS_ABORT follows when all have reported, or not at all if HESCA_ONERROR
 * is return.  Odd but good arguments are served.
 *
 * The program has a pxerbla and a Cblacs_abort of its own, which record and
 * return; what HESCA writes on stderr goes into a file meanwhile. */
#define _GNU_SOURCE /* strcasestr */
#include "testing/check.h"
#include "testing/shim/badargs.h"
#include "testing/shim/blacs.h"
#include <limits.h>
#include <string.h>

/* All processes that took part must report the same text, which names routine,
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
/* Values known at run time only: number of processes, a context that was
 * freed, the context of the other matrix, a null pointer. */
enum { NPROCS = 1000001, FREED, OTHERS, NIL };

typedef struct {
    int target, value;
    who_t who;
    int blamed; /* if not the target itself */
} bad;

static const bad bads[] = {
    {UPLO, NIL, ALL, UPLO}, {1, -1, ALL, 0},        {1, -1, LAST, 0},
    {1, INT_MIN, FIRST, 0}, {1, 25, ALL, 4}, /* too many rows from IA on */
    {1, INT_MAX, ALL, 4},   {2, -7, ALL, 0},        {2, -7, FIRST, 0},
    {2, 25, ALL, 5},        {3, NIL, ALL, 0},       {3, NIL, LAST, 0},
    {4, 0, ALL, 0},         {4, 16, ALL, 0},        {4, 16, LAST, 0},
    {4, INT_MAX, FIRST, 0}, {4, INT_MIN, ALL, 0},   {5, 0, LAST, 0},
    {5, -3, ALL, 0},        {5, 17, ALL, 0},        {5, INT_MAX, ALL, 0},
    {6, NIL, ALL, 0},       {6, NIL, FIRST, 0},     {7, NIL, ALL, 0},
    {7, NIL, LAST, 0},      {8, 0, ALL, 0},         {8, 16, LAST, 0},
    {8, INT_MAX, ALL, 0},   {9, -1, FIRST, 0},      {9, 17, ALL, 0},
    {10, NIL, ALL, 0},      {10, NIL, LAST, 0},     {11, 12345, ALL, 0},
    {11, -1, ALL, 0},       {11, FREED, ALL, 0},    {11, INT_MIN, ALL, 0},
    {603, -1, ALL, 0},      {604, -1, LAST, 0},     {605, 0, ALL, 0},
    {605, -2, LAST, 0},     {606, 0, ALL, 0},       {606, 0, FIRST, 0},
    {607, -1, ALL, 0},      {607, NPROCS, LAST, 0}, {608, -1, ALL, 0},
    {608, 1, ALL, 0},       {609, 1, ALL, 0},       {609, 1, LAST, 0},
    {609, -1, FIRST, 0},    {1003, -1, ALL, 0},     {1003, 9, ALL, 8},
    {1004, 8, LAST, 9},     {1005, 0, LAST, 0},     {1006, -1, ALL, 0},
    {1007, 1, ALL, 0},      {1008, NPROCS, ALL, 0}, {1008, -1, LAST, 0},
    {1009, 23, ALL, 0},     {1009, 0, LAST, 0},
};

/* Good on each process, but not together: not the same on all, or a grid that
 * a process is not in.  t_liberties has what may differ. */
static const bad mismatches[] = {
    {UPLO, 'L', LAST, UPLO}, {1, 9, LAST, 0},        {UPLO, 'N', LAST, UPLO},
    {DIAG, 'L', LAST, UPLO}, {2, 8, FIRST, 0},       {4, 2, LAST, 0},
    {9, 3, LAST, 0},         {602, -1, ALL, 0},      {602, OTHERS, LAST, 0},
    {602, -1, LAST, 0},      {602, 12345, ALL, 0},   {602, 12345, LAST, 0},
    {602, FREED, ALL, 0},    {602, FREED, FIRST, 0}, {602, -2, LAST, 0},
    {605, 6, LAST, 0},       {607, 1, LAST, 0},      {1002, -1, ALL, 0},
    {1002, -1, FIRST, 0},    {1002, 12345, ALL, 0},  {1002, FREED, LAST, 0},
    {1006, 1, LAST, 0},      {1008, 1, FIRST, 0},
};

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

/* By default BLACS_ABORT follows, but not before the slowest has reported. */
static void
aborts(void)
{
    static const bad chosen[] = {
        {1, -1, ALL, 0},     {1, -1, LAST, 0},  {8, 16, LAST, 0},
        {11, FREED, ALL, 0}, {605, 0, LAST, 0}, {609, 1, FIRST, 0},
    };
    const route r = {GEMR2D, 2, TWIN_FORTRAN};
    unsetenv("HESCA_ONERROR");
    setting s = setting_make(esizes[r.type]);
    for (size_t k = 0; k < sizeof chosen / sizeof *chosen; ++k) {
        /* Without a valid context there is no process to wait for. */
        const int alone = chosen[k].target == 11;
        slow = !alone && rank == nprocs - 1 ? 0.4 : 0;
        one_bad(&s, &r, &chosen[k], 0, 1);
    }
    one_bad(&s, &r, &mismatches[1], 1, 1);
    slow = 0;
    setting_free(&s);
    setenv("HESCA_ONERROR", "return", 1);
}

/* A parameter with a bad value stops every call, in the way of HESCA_ONERROR,
 * if HESCA_FALLBACK is error; else calls go on, and rank 0 says so once. */
static void
bad_parameter(void)
{
    static const char *const fallback[] = {"error", "error", "print", ""};
    const route r = {TRMR2D, 2, TWIN_C};
    setenv("HESCA_BUFFER", "12 apples", 1);
    for (int way = 0; way < 4; ++way) {
        const int aborts = way == 0;
        setenv("HESCA_FALLBACK", fallback[way], 1);
        setenv("HESCA_ONERROR", aborts ? "abort" : "return", 1);
        setting s = setting_make(esizes[r.type]);
        for (int k = 0; k < 2; ++k) {
            snprintf(what, sizeof what,
                     "HESCA_BUFFER is '12 apples', HESCA_FALLBACK is '%s', "
                     "call %d",
                     fallback[way], k);
            capture_begin();
            call(&r, &s.good);
            capture_end();
            if (way < 2) {
                mine.written = wrong_bytes(&s.b, NULL, &r);
                judge("PDTRMR2D", 0, "HESCA_BUFFER", "12 apples", aborts);
                continue;
            }
            const int speaks = rank == 0 && way == 2 && k == 0;
            CHECK(wrong_bytes(&s.b, &s.good, &r) == 0, "%s: rank %d: B", what,
                  rank);
            CHECK(mine.aborts == 0 && mine.messages == 0, "%s: rank %d", what,
                  rank);
            CHECK(speaks ? strstr(mine.text,
                                  "hesca: HESCA_BUFFER is '12 "
                                  "apples': must be bytes") == mine.text
                         : mine.text[0] == '\0',
                  "%s: rank %d: \"%s\"", what, rank, mine.text);
        }
        setting_free(&s);
    }
    unsetenv("HESCA_BUFFER");
    unsetenv("HESCA_FALLBACK");
    setenv("HESCA_ONERROR", "return", 1);
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

int
main(int argc, char **argv)
{
    if (!capture_open())
        return 99;
    setenv("HESCA_ONERROR", "return", 1);
    MPI_Init(&argc, &argv);
    Cblacs_pinfo(&rank, &nprocs);
    if (nprocs != 2 && nprocs != PROCS) {
        fprintf(stderr, "start it on 2 or 4 processes\n");
        return 99;
    }
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
    capture_close();
    MPI_Finalize();
    return failed;
}

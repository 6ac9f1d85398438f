/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of hesca_redistribute(). */
#include "exec/staging.h"
#include "testing/check.h"
#include "testing/exec/errors.h"
#include <string.h>

/* ------------------------------------------------ hesca_redistribute */

call
good_call(void)
{
    return (call){.status = HESCA_SUCCESS,
                  .part = HESCA_ALL,
                  .m = M,
                  .n = N,
                  .sa = {.member = 1,
                         .nprow = size,
                         .npcol = 1,
                         .myrow = rank,
                         .m = M + 2,
                         .n = N,
                         .mb = 2,
                         .nb = 3,
                         .i = 2,
                         .lld = lda},
                  .sb = {.member = 1,
                         .nprow = 1,
                         .npcol = size,
                         .mycol = rank,
                         .m = M,
                         .n = N + 3,
                         .mb = 4,
                         .nb = 1,
                         .csrc = size - 1,
                         .j = 3,
                         .lld = ldb},
                  .a = a,
                  .b = b,
                  .esize = sizeof(double)};
}

static const char REDIST[] = "hesca_redistribute";

int
redistribute(const call *x, MPI_Comm comm, hesca_plan_info *info)
{
    return hesca_redistribute(
        x->status, (hesca_part)x->part, x->m, x->n, x->no_sa ? NULL : &x->sa,
        x->a, x->no_sb ? NULL : &x->sb, x->b, x->esize, comm, info);
}

static void
call_one(const call *x, MPI_Comm comm, const char *what, int expected,
         int info, const char *word)
{
    hesca_plan_info ignored;
    fill();
    const int err = redistribute(x, comm, &ignored);
    check_failed(what, err, expected, info, REDIST, word);
    check_b(what, 0);
}

/* cached: what the call must say of its plan, -1: either. */
void
check_call_works(const char *what, MPI_Comm comm, int cached)
{
    const call good = good_call();
    hesca_plan_info info;
    fill();
    const int err = redistribute(&good, comm, &info);
    CHECK(err == HESCA_SUCCESS, "after %s, rank %d: %d, %s", what, rank, err,
          hesca_error_text());
    check_b(what, 1);
    CHECK(cached < 0 || info.cached == cached, "after %s, rank %d: cached %d",
          what, rank, info.cached);
}

/* Fields of a side, in their order, as hesca_error_info() counts them. */
enum {
    NPROW = 2,
    NPCOL,
    MYROW,
    MYCOL,
    ROWS,
    COLS,
    MB,
    NB,
    RSRC,
    CSRC,
    I,
    J,
    LLD,
    RESERVED
};

static void
set_side(hesca_side *s, int field, int64_t value)
{
    int *const small[] = {
        [NPROW] = &s->nprow, [NPCOL] = &s->npcol, [MYROW] = &s->myrow,
        [MYCOL] = &s->mycol, [MB] = &s->mb,       [NB] = &s->nb,
        [RSRC] = &s->rsrc,   [CSRC] = &s->csrc,   [RESERVED] = NULL};
    int64_t *const large[] = {
        [ROWS] = &s->m, [COLS] = &s->n,  [I] = &s->i,
        [J] = &s->j,    [LLD] = &s->lld, [RESERVED] = &s->reserved[3]};
    if (small[field] != NULL)
        *small[field] = (int)value;
    else
        *large[field] = value;
}

static void
call_illegal(MPI_Comm comm)
{
    static const struct {
        int field;
        int64_t value;
        const char *word;
    } list[] = {
        {NPROW, 0, "nprow"},
        {NPROW, -3, "nprow"},
        {NPCOL, 0, "npcol"},
        {MYROW, -1, "myrow"},
        {MYROW, 1000, "myrow"},
        {MYCOL, -1, "mycol"},
        {MYCOL, 1000, "mycol"},
        {ROWS, -1, "m of"},
        {COLS, -1, "n of"},
        {MB, 0, "mb"},
        {MB, INT32_MIN, "mb"},
        {NB, 0, "nb"},
        {RSRC, -1, "rsrc"},
        {RSRC, 1000, "rsrc"},
        {CSRC, -1, "csrc"},
        {CSRC, 1000, "csrc"},
        {I, -1, "i"},
        {I, M, "i"},
        {I, INT64_MAX, "i"},
        {J, -1, "j"},
        {J, N, "j"},
        {J, INT64_MAX, "j"},
        {LLD, 0, "leading"},
        {LLD, -1, "leading"},
        {RESERVED, 7, "reserved"},
    };
    char what[200], field[50];
    for (int of_b = 0; of_b < 2; ++of_b)
        for (size_t k = 0; k < sizeof list / sizeof *list; ++k)
            for (int culprit = -1; culprit < size; ++culprit) {
                call x = good_call();
                if (list[k].field == LLD &&
                    !counts(culprit, of_b ? b_count : a_count))
                    continue;
                if (is_culprit(culprit))
                    set_side(of_b ? &x.sb : &x.sa, list[k].field,
                             list[k].value);
                snprintf(field, sizeof field, "%s = %lld of %s", list[k].word,
                         (long long)list[k].value, of_b ? "B" : "A");
                describe(what, sizeof what, REDIST, field, culprit);
                call_one(&x, comm, what, HESCA_ERR_ARG,
                         (of_b ? 700 : 500) + list[k].field, list[k].word);
            }
    check_call_works("illegal sides", comm, -1);
}

static void
call_illegal_scalars(MPI_Comm comm)
{
    static const struct {
        const char *what;
        int info;
        const char *word;
    } list[] = {{"part = 9", 2, "part"},   {"m = -1", 3, "m, is -1"},
                {"n = -4", 4, "n, is -4"}, {"sa = NULL", 5, "sa"},
                {"sb = NULL", 7, "sb"},    {"esize = 0", 9, "esize"},
                {"a = NULL", 6, "NULL"},   {"b = NULL", 8, "NULL"},
                {"m too large", 512, "i"}, {"n too large", 513, "j"}};
    char what[200];
    for (int k = 0; k < 10; ++k)
        for (int culprit = -1; culprit < size; ++culprit) {
            call x = good_call();
            if (k == 6 || k == 7)
                if (!counts(culprit, k == 6 ? a_count : b_count))
                    continue;
            if (is_culprit(culprit)) {
                x.part = k == 0 ? 9 : x.part;
                x.m = k == 1 ? -1 : k == 8 ? M + 1 : x.m;
                x.n = k == 2 ? -4 : k == 9 ? N + 1 : x.n;
                x.no_sa = k == 3;
                x.no_sb = k == 4;
                x.esize = k == 5 ? 0 : x.esize;
                x.a = k == 6 ? NULL : x.a;
                x.b = k == 7 ? NULL : x.b;
            }
            describe(what, sizeof what, REDIST, list[k].what, culprit);
            call_one(&x, comm, what, HESCA_ERR_ARG, list[k].info,
                     list[k].word);
        }
    check_call_works("illegal arguments", comm, -1);
}

static void
call_mismatch(MPI_Comm comm)
{
    static const struct {
        int field, of_b;
        int64_t value;
        const char *word;
    } list[] = {
        {NPROW, 0, 30, "nprow of A"}, {NPCOL, 0, 2, "npcol of A"},
        {MB, 0, 3, "mb of A"},        {RSRC, 0, 1, "rsrc of A"},
        {I, 0, 1, "i of A"},          {NPROW, 1, 2, "nprow of B"},
        {NPCOL, 1, 30, "npcol of B"}, {NB, 1, 4, "nb of B"},
        {CSRC, 1, 0, "csrc of B"},    {J, 1, 0, "j of B"},
    };
    char what[200];
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k)
        for (int culprit = 0; culprit < size; ++culprit) {
            call x = good_call();
            if (is_culprit(culprit))
                set_side(list[k].of_b ? &x.sb : &x.sa, list[k].field,
                         list[k].value);
            describe(what, sizeof what, REDIST, list[k].word, culprit);
            call_one(&x, comm, what, HESCA_ERR_MISMATCH,
                     (list[k].of_b ? 700 : 500) + list[k].field, list[k].word);
        }
    for (int k = 0; k < 6; ++k)
        for (int culprit = 0; culprit < size; ++culprit) {
            static const char *const word[] = {"part",  "m", "n",
                                               "esize", "m", "n"};
            static const int info[] = {2, 3, 4, 9, 3, 4};
            call x = good_call();
            if (is_culprit(culprit)) {
                x.part = k == 0 ? HESCA_UPPER : x.part;
                x.m = k == 1 ? M - 1 : k == 4 ? 0 : x.m;
                x.n = k == 2 ? N - 1 : k == 5 ? 0 : x.n;
                x.esize = k == 3 ? 4 : x.esize;
            }
            describe(what, sizeof what, REDIST,
                     k < 4    ? word[k]
                     : k == 4 ? "m = 0"
                              : "n = 0",
                     culprit);
            call_one(&x, comm, what, HESCA_ERR_MISMATCH, info[k], word[k]);
        }
    check_call_works("a mismatch", comm, -1);
}

/* Positions of a grid that no process of the communicator has. */
static void
call_missing(MPI_Comm comm)
{
    char what[200];
    for (int of_b = 0; of_b < 2; ++of_b) {
        const int info = (of_b ? 700 : 500) + NPROW;
        for (int culprit = -1; culprit < size; ++culprit) {
            call x = good_call();
            if (is_culprit(culprit))
                *(of_b ? &x.sb.member : &x.sa.member) = 0;
            describe(what, sizeof what, REDIST,
                     of_b ? "not in B's grid" : "not in A's grid", culprit);
            /* All outside, or the only one: no process knows the grid. */
            call_one(&x, comm, what, HESCA_ERR_ARG, info,
                     culprit < 0 || size == 1 ? "nprow" : "grid");
        }
        call x = good_call();
        *(of_b ? &x.sb.npcol : &x.sa.nprow) = size + 3;
        describe(what, sizeof what, REDIST, "a grid that is too large", -1);
        call_one(&x, comm, what, HESCA_ERR_ARG, info, "grid");
        x = good_call(); /* two in one place, none in another */
        if (rank == size - 1)
            *(of_b ? &x.sb.mycol : &x.sa.myrow) = 0;
        if (size > 1) {
            describe(what, sizeof what, REDIST, "two in one place", size - 1);
            call_one(&x, comm, what, HESCA_ERR_ARG, info - NPROW + MYROW,
                     "both say");
        }
    }
    check_call_works("missing positions", comm, -1);
}

/* Nothing to copy, for all: nothing is looked at, not even illegal values. */
static void
call_empty(MPI_Comm comm)
{
    for (int k = 0; k < 2; ++k) {
        hesca_plan_info info;
        call x = good_call();
        x.m = k == 0 ? 0 : M;
        x.n = k == 0 ? N : 0;
        x.sa.mb = x.sb.nprow = -1;
        x.sb.lld = -1;
        x.a = x.b = NULL;
        fill();
        const int err = redistribute(&x, comm, &info);
        CHECK(err == HESCA_SUCCESS && strcmp(info.schedule, "none") == 0,
              "empty, rank %d: %d, %s, schedule %s", rank, err,
              hesca_error_text(), info.schedule);
        check_b("empty", 0);
    }
}

/* Where the matrix ends may differ, and blocks on an axis of one process;
 * where the submatrix begins on such an axis is not for HESCA. */
static void
call_lax(MPI_Comm comm)
{
    static const struct {
        int field, of_b;
        int64_t value;
        int err;
    } list[] = {
        {ROWS, 0, M + 7, HESCA_SUCCESS},  {COLS, 0, N + 7, HESCA_SUCCESS},
        {ROWS, 1, M + 7, HESCA_SUCCESS},  {COLS, 1, N + 7, HESCA_SUCCESS},
        {NB, 0, 4, HESCA_SUCCESS},        {MB, 1, 3, HESCA_SUCCESS},
        {J, 0, 2, HESCA_ERR_UNSUPPORTED}, {I, 1, 2, HESCA_ERR_UNSUPPORTED},
    };
    char what[200];
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k)
        for (int culprit = 0; culprit < size; ++culprit) {
            call x = good_call();
            hesca_side *s = list[k].of_b ? &x.sb : &x.sa;
            x.n -= list[k].field == J ? 2 : 0;
            x.m -= list[k].field == I ? 2 : 0;
            if (is_culprit(culprit))
                set_side(s, list[k].field, list[k].value);
            describe(what, sizeof what, REDIST, "what may differ", culprit);
            if (list[k].err < 0) {
                call_one(&x, comm, what, list[k].err,
                         (list[k].of_b ? 700 : 500) + list[k].field,
                         "differs");
                continue;
            }
            fill();
            const int err = redistribute(&x, comm, NULL);
            CHECK(err == HESCA_SUCCESS, "%s: field %d of %d: %d, %s", what,
                  list[k].field, list[k].of_b, err, hesca_error_text());
            check_b(what, 1);
        }
    check_call_works("what may differ", comm, -1);
}

/* Errors that the caller passes as status. */
static void
call_status(MPI_Comm comm)
{
    char what[200], text[100];
    for (int culprit = -1; culprit < size; ++culprit) {
        call x = good_call();
        if (is_culprit(culprit))
            x.status = hesca_error_set(HESCA_ERR_ARG, 602,
                                       "hesca_redistribute received 4711");
        describe(what, sizeof what, REDIST, "a status", culprit);
        call_one(&x, comm, what, HESCA_ERR_ARG, 602, "4711");
    }
    /* The smallest code wins; then the lowest rank. */
    call x = good_call();
    snprintf(text, sizeof text, "hesca_redistribute: reported by %d", rank);
    x.status = hesca_error_set(
        rank == size - 1 ? HESCA_ERR_UNSUPPORTED : HESCA_ERR_ARG, rank, text);
    snprintf(text, sizeof text, "reported by %d", size - 1);
    call_one(&x, comm, "the smallest code", HESCA_ERR_UNSUPPORTED, size - 1,
             text);
    snprintf(text, sizeof text, "hesca_redistribute: reported by %d", rank);
    x.status = rank > 0 || size == 1
                   ? hesca_error_set(HESCA_ERR_MISMATCH, 100 + rank, text)
                   : HESCA_SUCCESS;
    snprintf(text, sizeof text, "reported by %d", size > 1);
    call_one(&x, comm, "the lowest rank", HESCA_ERR_MISMATCH, 100 + (size > 1),
             text);
    check_call_works("a status", comm, -1);
}

/* Errors of calls whose plan is in the cache leave it there. */
void
call_cached(MPI_Comm comm)
{
    char what[200];
    check_call_works("nothing", comm, -1);
    for (int culprit = -1; culprit < size; ++culprit) {
        call x = good_call();
        check_call_works("the last error", comm, 1);
        if (!counts(culprit, b_count))
            continue;
        if (is_culprit(culprit))
            x.sb.lld = ldb - 1;
        describe(what, sizeof what, REDIST, "lld too small, cached", culprit);
        call_one(&x, comm, what, HESCA_ERR_ARG, 700 + LLD, "leading");
        x = good_call();
        x.m = is_culprit(culprit) && culprit >= 0 && size > 1 ? M - 1 : M;
        describe(what, sizeof what, REDIST, "other m, cached", culprit);
        if (culprit >= 0 && size > 1)
            call_one(&x, comm, what, HESCA_ERR_MISMATCH, 3, "m");
    }
    check_call_works("errors of cached calls", comm, 1);
}

/* No staging memory, for a plan that is new and for one from the cache. */
void
call_no_memory(MPI_Comm comm)
{
    char what[200];
    for (int culprit = -1; culprit < size; ++culprit) {
        call x = good_call();
        x.n = N - 1 - (culprit + 1) % 3;
        for (int again = 0; again < 2; ++again) {
            describe(what, sizeof what, REDIST,
                     again ? "no memory, cached" : "no memory", culprit);
            hesca_staging_free();
            fail_alloc = is_culprit(culprit);
            fill();
            const int err = redistribute(&x, comm, NULL);
            fail_alloc = 0;
            check_failed(what, err, HESCA_ERR_NOMEM, 0, "staging", "bytes");
            check_b(what, 0);
        }
        check_call_works(what, comm, -1);
    }
}

void
call_without_comm(void)
{
    const call x = good_call();
    fill();
    const int err = redistribute(&x, MPI_COMM_NULL, NULL);
    check_failed("MPI_COMM_NULL", err, HESCA_ERR_ARG, 0, "", "communicator");
    check_b("MPI_COMM_NULL", 0);
}

static void
call_unsupported(MPI_Comm comm)
{
    call x = good_call();
    x.esize = (size_t)INT32_MAX + 1;
    fill();
    const int err = redistribute(&x, comm, NULL);
    check_failed("elements of 2^31 bytes", err, HESCA_ERR_UNSUPPORTED, 0, "",
                 "2147483648");
    check_b("elements of 2^31 bytes", 0);
    check_call_works("large elements", comm, -1);
}

void
call_errors(MPI_Comm comm)
{
    if (size > 1) {
        call_mismatch(comm);
        call_lax(comm);
    }
    call_illegal(comm);
    call_illegal_scalars(comm);
    call_missing(comm);
    call_empty(comm);
    call_status(comm);
    call_unsupported(comm);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of hesca_plan_create() and hesca_plan_execute(). */
#include "exec/staging.h"
#include "hesca/experimental/param.h"
#include "testing/check.h"
#include "testing/exec/errors.h"
#include <stddef.h>
#include <string.h>

/* ------------------------------------------------ hesca_plan_create */

plan_args
good_args(void)
{
    return (plan_args){.part = HESCA_ALL,
                       .m = M,
                       .n = N,
                       .a = la,
                       .ia = 2,
                       .b = lb,
                       .jb = 3,
                       .esize = sizeof(double)};
}

int
create(const plan_args *x, MPI_Comm comm, hesca_plan **plan)
{
    *plan = (hesca_plan *)(void *)plan; /* must be set, also on errors */
    const hesca_matrix sub_a = {
        .layout = x->a, .i = x->ia, .j = x->ja, .reserved = {0, x->reserved}};
    const hesca_matrix sub_b = {.layout = x->b, .i = x->ib, .j = x->jb};
    const int err =
        hesca_plan_create((hesca_part)x->part, x->m, x->n, &sub_a, &sub_b,
                          x->esize, comm, x->no_plan ? NULL : plan);
    if (x->no_plan)
        *plan = NULL;
    return err;
}

/* A redistribution that is right must work, whatever was before. */
void
check_still_works(const char *what, MPI_Comm comm)
{
    const plan_args good = good_args();
    hesca_plan *plan;
    int err = create(&good, comm, &plan);
    CHECK(err == HESCA_SUCCESS && plan != NULL, "after %s, rank %d: %d, %s",
          what, rank, err, hesca_error_text());
    if (err < 0)
        return;
    fill();
    err = hesca_plan_execute(plan, a, lda, b, ldb);
    CHECK(err == HESCA_SUCCESS, "after %s, rank %d: %d, %s", what, rank, err,
          hesca_error_text());
    check_b(what, 1);
    hesca_plan_free(plan);
}

/* What to do wrong: an illegal value; what must be said of it. */
typedef struct {
    const char *what;
    size_t field; /* in plan_args */
    int64_t value;
    int info;
    const char *word;
} mistake;

#define FIELD(x) offsetof(plan_args, x)

static const mistake illegal[] = {
    {"part = 5", FIELD(part), 5, 1, "part"},
    {"part = -1", FIELD(part), -1, 1, "part"},
    {"m = -1", FIELD(m), -1, 2, "m, is -1"},
    {"m = -2^63", FIELD(m), INT64_MIN, 2, "m, is -9223372036854775808"},
    {"m too large", FIELD(m), M + 1, 402, "i of a, is 2"},
    {"m = 2^63 - 1", FIELD(m), INT64_MAX, 402, "i of a, is 2"},
    {"n = -1", FIELD(n), -1, 3, "n, is -1"},
    {"n too large", FIELD(n), N + 1, 403, "j of a, is 0"},
    {"n = 2^63 - 1", FIELD(n), INT64_MAX, 403, "j of a, is 0"},
    {"a = NULL", FIELD(a), 0, 401, "a, is NULL"},
    {"ia = -1", FIELD(ia), -1, 402, "i of a, is -1"},
    {"ia = -2^63 + M", FIELD(ia), INT64_MIN + M, 402,
     "i of a, is -92233720368"},
    {"ia too large", FIELD(ia), 3, 402, "i of a, is 3"},
    {"ia = 2^63 - 1", FIELD(ia), INT64_MAX, 402,
     "i of a, is 9223372036854775807"},
    {"ja = -1", FIELD(ja), -1, 403, "j of a, is -1"},
    {"ja too large", FIELD(ja), 1, 403, "j of a, is 1"},
    {"reserved", FIELD(reserved), -5, 406, "reserved of a, is -5"},
    {"b = NULL", FIELD(b), 0, 501, "b, is NULL"},
    {"ib = -1", FIELD(ib), -1, 502, "i of b, is -1"},
    {"ib too large", FIELD(ib), 1, 502, "i of b, is 1"},
    {"jb = -1", FIELD(jb), -1, 503, "j of b, is -1"},
    {"jb too large", FIELD(jb), 4, 503, "j of b, is 4"},
    {"jb = 2^63 - 1", FIELD(jb), INT64_MAX, 503,
     "j of b, is 9223372036854775807"},
    {"esize = 0", FIELD(esize), 0, 6, "esize, is 0"},
    {"plan = NULL", FIELD(no_plan), 1, 8, "plan, is NULL"},
};

static void
set_field(plan_args *x, size_t field, int64_t value)
{
    char *at = (char *)x + field;
    const int small = (int)value;
    const size_t bytes = (size_t)value;
    const hesca_layout *none = NULL;
    if (field == FIELD(part) || field == FIELD(no_plan))
        memcpy(at, &small, sizeof small);
    else if (field == FIELD(esize))
        memcpy(at, &bytes, sizeof bytes);
    else if (field == FIELD(a) || field == FIELD(b))
        memcpy(at, &none, sizeof none);
    else
        memcpy(at, &value, sizeof value);
}

/* culprit: the only rank that does it, or -1 for all. */

static const char CREATE[] = "hesca_plan_create";

static void
create_one(const plan_args *x, MPI_Comm comm, const char *what, int expected,
           int info, const char *word)
{
    hesca_plan *plan;
    const int err = create(x, comm, &plan);
    check_failed(what, err, expected, info,
                 expected == HESCA_ERR_UNSUPPORTED ? "" : CREATE, word);
    CHECK(err == HESCA_SUCCESS || plan == NULL, "%s, rank %d: a plan", what,
          rank);
    if (err == HESCA_SUCCESS)
        hesca_plan_free(plan);
}

static void
create_illegal(MPI_Comm comm)
{
    char what[200];
    for (size_t k = 0; k < sizeof illegal / sizeof *illegal; ++k)
        for (int culprit = -1; culprit < size; ++culprit) {
            plan_args x = good_args();
            const mistake *t = &illegal[k];
            if (is_culprit(culprit))
                set_field(&x, t->field, t->value);
            describe(what, sizeof what, CREATE, t->what, culprit);
            create_one(&x, comm, what, HESCA_ERR_ARG, t->info, t->word);
        }
    check_still_works("illegal arguments", comm);
}

/* Layouts on ranks that the communicator does not have. */
static void
create_far_ranks(MPI_Comm comm)
{
    const int ranks[] = {size};
    char what[200];
    hesca_layout *far;
    if (hesca_layout_create_cyclic(M + 2, N + 3, 2, 3, 0, 0, 1, 1, ranks,
                                   &far) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int culprit = -1; culprit < size; ++culprit)
        for (int of_b = 0; of_b < 2; ++of_b) {
            plan_args x = good_args();
            if (is_culprit(culprit) && of_b)
                x.b = far;
            else if (is_culprit(culprit))
                x.a = far;
            describe(what, sizeof what, CREATE,
                     of_b ? "b on far ranks" : "a on far ranks", culprit);
            create_one(&x, comm, what, HESCA_ERR_ARG, of_b ? 501 : 401,
                       "rank");
        }
    hesca_layout_free(far);
}

/* Legal, but not what the others pass. */
static const mistake different[] = {
    {"part", FIELD(part), HESCA_LOWER, 1, "part"},
    {"m", FIELD(m), M - 1, 2, "m"},
    {"m = 0", FIELD(m), 0, 2, "m"},
    {"n", FIELD(n), N - 1, 3, "n"},
    {"n = 0", FIELD(n), 0, 3, "n"},
    {"ia", FIELD(ia), 1, 402, "i of a"},
    {"jb", FIELD(jb), 0, 503, "j of b"},
    {"esize", FIELD(esize), 4, 6, "esize"},
    {"esize = 2^40", FIELD(esize), (int64_t)1 << 40, 6, "esize"},
};

static void
create_mismatch(MPI_Comm comm)
{
    char what[200];
    for (size_t k = 0; k < sizeof different / sizeof *different; ++k)
        for (int culprit = 0; culprit < size; ++culprit) {
            plan_args x = good_args();
            const mistake *t = &different[k];
            if (is_culprit(culprit))
                set_field(&x, t->field, t->value);
            describe(what, sizeof what, CREATE, t->what, culprit);
            create_one(&x, comm, what, HESCA_ERR_MISMATCH, t->info, t->word);
        }
    check_still_works("a mismatch", comm);
}

/* Layouts that differ in one property only, where all others have space for
 * sub(A) in a larger matrix, too. */
static void
create_other_layouts(MPI_Comm comm)
{
    char what[200];
    int swapped[PROCS];
    for (int k = 0; k < size; ++k)
        swapped[k] = k;
    swapped[0] = size - 1;
    swapped[size - 1] = 0;
    for (int k = 0; k < 9; ++k)
        for (int culprit = 0; culprit < size; ++culprit) {
            plan_args x = good_args();
            hesca_layout *other = NULL;
            const int of_b = k >= 5;
            const int err =
                k < 5
                    ? hesca_layout_create_cyclic(
                          M + 2 + (k == 0), N + (k == 1), 2 + (k == 2), 3,
                          k == 3, 0, size, 1, k == 4 ? swapped : NULL, &other)
                    : hesca_layout_create_cyclic(
                          M, N + 3, 4, 1 + (k == 5), 0, k == 6 ? 0 : size - 1,
                          k == 7 ? size : 1, k == 7 ? 1 : size,
                          k == 8 ? swapped : NULL, &other);
            /* csrc does not fit the size x 1 grid of case 7. */
            if (k == 7 && err < 0)
                hesca_layout_create_cyclic(M, N + 3, 4, 1, 0, 0, size, 1, NULL,
                                           &other);
            if (is_culprit(culprit) && of_b)
                x.b = other;
            else if (is_culprit(culprit))
                x.a = other;
            snprintf(what, sizeof what, "%s, layout variant %d on rank %d",
                     CREATE, k, culprit);
            create_one(&x, comm, what, HESCA_ERR_MISMATCH, of_b ? 501 : 401,
                       of_b ? "b" : "a");
            hesca_layout_free(other);
        }
    check_still_works("different layouts", comm);
}

/* Generalized blocks of one size on the same processes, but cut elsewhere. */
static void
create_other_heights(MPI_Comm comm)
{
    int64_t heights[PROCS], widths[1] = {1};
    char what[200];
    for (int p = 0; p < size; ++p)
        heights[p] = p == 0 ? 1 : p == 1 ? 3 : 2;
    for (int culprit = 0; culprit < size && size > 1; ++culprit) {
        plan_args x = good_args();
        hesca_layout *other = NULL;
        hesca_layout_create_generalized(M + 2, N, size, 1, heights, widths,
                                        NULL, &other);
        if (is_culprit(culprit))
            x.a = other;
        snprintf(what, sizeof what, "%s, other heights on rank %d", CREATE,
                 culprit);
        create_one(&x, comm, what, HESCA_ERR_MISMATCH, 401, "a");
        hesca_layout_free(other);
    }
    check_still_works("other heights", comm);
}

/* Several processes fail, each in its own way: the smallest code is returned,
 * and among equal ones that of the lowest rank. */
static void
create_several(MPI_Comm comm)
{
    plan_args x = good_args();
    x.m = rank == 0 ? -77 : M;
    x.esize = rank == 1 ? 0 : sizeof(double);
    x.ia = rank == 2 ? -5 : 2;
    create_one(&x, comm, "different errors, 0 first", HESCA_ERR_ARG, 2,
               "m, is -77");
    x = good_args();
    x.m = rank == size - 1 ? -78 : M;
    x.esize = rank == 0 ? 0 : sizeof(double);
    create_one(&x, comm, "different errors, 0 first", HESCA_ERR_ARG,
               size == 1 ? 2 : 6, size == 1 ? "m, is -78" : "esize");
}

static void
create_unsupported(MPI_Comm comm)
{
    plan_args x = good_args();
    x.esize = (size_t)INT32_MAX + 1;
    create_one(&x, comm, "elements of 2^31 bytes", HESCA_ERR_UNSUPPORTED, 0,
               "2147483648");
    check_still_works("large elements", comm);
}

void
create_errors(MPI_Comm comm)
{
    create_illegal(comm);
    create_far_ranks(comm);
    create_several(comm);
    create_unsupported(comm);
    if (size > 1) {
        create_mismatch(comm);
        create_other_layouts(comm);
        create_other_heights(comm);
    }
}

void
create_without_comm(void)
{
    const plan_args x = good_args();
    hesca_plan *plan;
    int err = create(&x, MPI_COMM_NULL, &plan);
    check_failed("MPI_COMM_NULL", err, HESCA_ERR_ARG, 0, "", "communicator");
    CHECK(plan == NULL, "MPI_COMM_NULL: a plan");
    hesca_params params;
    err = hesca_params_agreed(MPI_COMM_NULL, &params);
    check_failed("MPI_COMM_NULL", err, HESCA_ERR_ARG, 0, "", "communicator");
    err = hesca_params_agreed(MPI_COMM_WORLD, NULL);
    check_failed("no params", err, HESCA_ERR_ARG, 2, "hesca_params_agreed",
                 "params");
}

/* ------------------------------------------------ hesca_plan_execute */

typedef struct {
    const void *a;
    int64_t lda;
    void *b;
    int64_t ldb;
} arrays;

static const char EXECUTE[] = "hesca_plan_execute";

void
execute_illegal(MPI_Comm comm)
{
    static const char *const name[] = {"a = NULL",      "lda too small",
                                       "lda = -1",      "b = NULL",
                                       "ldb too small", "ldb = -2^63"};
    static const int info[] = {2, 3, 3, 4, 5, 5};
    const plan_args good = good_args();
    hesca_plan *plan;
    char what[200];
    int err = create(&good, comm, &plan);
    CHECK(err == HESCA_SUCCESS, "rank %d: %s", rank, hesca_error_text());
    if (err < 0)
        return;
    for (int k = 0; k < 6; ++k)
        for (int culprit = -1; culprit < size; ++culprit) {
            arrays x = {a, lda, b, ldb};
            if (is_culprit(culprit)) {
                x.a = k == 0 ? NULL : x.a;
                x.lda = k == 1 ? lda - 1 : k == 2 ? -1 : lda;
                x.b = k == 3 ? NULL : x.b;
                x.ldb = k == 4 ? ldb - 1 : k == 5 ? INT64_MIN : ldb;
            }
            if (!counts(culprit, k < 3 ? a_count : b_count))
                continue;
            describe(what, sizeof what, EXECUTE, name[k], culprit);
            fill();
            err = hesca_plan_execute(plan, x.a, x.lda, x.b, x.ldb);
            check_failed(what, err, HESCA_ERR_ARG, info[k], EXECUTE,
                         k < 3 ? "a" : "b");
            check_b(what, 0);
        }
    fill();
    err = hesca_plan_execute(plan, a, lda, b, ldb);
    CHECK(err == HESCA_SUCCESS, "rank %d: %s", rank, hesca_error_text());
    check_b("the same plan after its errors", 1);
    hesca_plan_info info_of;
    CHECK(hesca_plan_get_info(NULL, &info_of) == HESCA_ERR_ARG &&
              hesca_error_info() == 1,
          "no plan");
    CHECK(hesca_plan_get_info(plan, NULL) == HESCA_ERR_ARG &&
              hesca_error_info() == 2,
          "no info");
    hesca_plan_free(plan);
    hesca_plan_free(NULL);
    err = hesca_plan_execute(NULL, a, lda, b, ldb);
    check_failed("no plan", err, HESCA_ERR_ARG, 1, EXECUTE, "plan, is NULL");
}

/* No staging memory. */
void
execute_no_memory(MPI_Comm comm)
{
    const plan_args good = good_args();
    hesca_plan *plan;
    char what[200];
    int err = create(&good, comm, &plan);
    CHECK(err == HESCA_SUCCESS, "rank %d: %s", rank, hesca_error_text());
    if (err < 0)
        return;
    for (int culprit = -1; culprit < size; ++culprit) {
        describe(what, sizeof what, EXECUTE, "no memory", culprit);
        fill();
        hesca_staging_free(); /* it is kept from call to call */
        fail_alloc = is_culprit(culprit);
        err = hesca_plan_execute(plan, a, lda, b, ldb);
        fail_alloc = 0;
        check_failed(what, err, HESCA_ERR_NOMEM, 0, "staging", "bytes");
        check_b(what, 0);
        err = hesca_plan_execute(plan, a, lda, b, ldb);
        CHECK(err == HESCA_SUCCESS, "%s, again: %s", what, hesca_error_text());
        check_b(what, 1);
    }
    hesca_plan_free(plan);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "dense/args.h"
#include "base/arith.h"
#include "base/hash.h"
#include "base/status.h"
#include "dense/kernels.h"
#include "exec/agree.h"
#include "layout/layout.h"
#include <string.h>

hesca_args
hesca_args_begin(const char *routine, const hesca_comm *c)
{
    return (hesca_args){.routine = routine, .c = c};
}

/* --- scalars ---
 * Every value that must be equal on all processes is recorded by compare(),
 * also if it is invalid. */

/* Whether no failure is recorded yet: only the first one is. */
static int
is_well(const hesca_args *x)
{
    return x->err == HESCA_SUCCESS;
}

static void
compare(hesca_args *x, int info, const char *name, const char *field,
        int64_t value)
{
    x->common[x->n].info = info;
    x->common[x->n].name = name;
    x->common[x->n].field = field;
    x->common[x->n++].value = value > INT64_MIN ? value : INT64_MIN + 1;
}

hesca_type
hesca_args_type(hesca_args *x, int info, hesca_type type)
{
    const int ok = (unsigned)type <= HESCA_Z;
    if (!ok && is_well(x))
        x->err = hesca_fail_arg(x->routine, info, "type", (int)type,
                                "one of hesca_type");
    compare(x, info, "type", NULL, (int)type);
    return ok ? type : HESCA_D;
}

char
hesca_args_letter(hesca_args *x, int info, const char *name, char letter,
                  const char *allowed)
{
    const char capital =
        (char)(letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter);
    const int ok = capital != '\0' && strchr(allowed, capital) != NULL;
    if (!ok && is_well(x))
        x->err = hesca_fail(HESCA_ERR_ARG, info,
                            "%s: argument %d, %s, is '%c' (%d): must be one "
                            "of %s",
                            x->routine, info, name,
                            letter >= ' ' && letter <= '~' ? letter : '?',
                            letter, allowed);
    compare(x, info, name, NULL, capital);
    return ok ? capital : allowed[0];
}

void
hesca_args_size(hesca_args *x, int info, const char *name, int64_t size)
{
    if (size < 0 && is_well(x))
        x->err = hesca_fail_arg(x->routine, info, name, size, "at least 0");
    compare(x, info, name, NULL, size);
}

void
hesca_args_pointer(hesca_args *x, int info, const char *name,
                   const void *pointer)
{
    if (pointer == NULL && is_well(x))
        x->err = hesca_fail_null(x->routine, info, name);
}

void
hesca_args_scalar(hesca_args *x, hesca_type type, int info, const char *name,
                  const void *scalar)
{
    uint64_t word[2] = {0};
    hesca_args_pointer(x, info, name, scalar);
    if (scalar != NULL)
        memcpy(word, scalar, hesca_type_size(type));
    compare(x, info, name, NULL,
            hesca_hash_end(hesca_hash_bytes(HESCA_HASH, word, sizeof word)));
}

/* --- matrices ---
 * Global members are compared among processes; the local part is checked
 * here only. */

/* Reject field f of a matrix. */
static void
reject(hesca_args *x, int err, int info, const char *name, int f,
       const char *field, int64_t value, const char *must)
{
    if (is_well(x))
        x->err =
            hesca_fail(err, 100 * info + f,
                       "%s: argument %d, %s of %s, is %lld: must be %s",
                       x->routine, info, field, name, (long long)value, must);
}

static void
check_ranks(hesca_args *x, int info, const char *name, const hesca_layout *y)
{
    for (int k = 0; k < y->nprow * y->npcol; ++k)
        if (y->ranks[k] >= x->c->size)
            reject(x, HESCA_ERR_ARG, info, name, HESCA_FIELD_LAYOUT,
                   "a rank of the layout", y->ranks[k],
                   "one of the communicator");
}

/* Check the local part. */
static void
check_local(hesca_args *x, int info, const char *name, const hesca_matrix *a)
{
    int64_t m, n;
    hesca_layout_local_size(a->layout, x->c->rank, &m, &n);
    if (m == 0 || n == 0)
        return;
    if (a->local == NULL && is_well(x))
        x->err =
            hesca_fail(HESCA_ERR_ARG, 100 * info + HESCA_FIELD_LOCAL,
                       "%s: argument %d, local of %s, is NULL, but this "
                       "process owns %lld x %lld elements",
                       x->routine, info, name, (long long)m, (long long)n);
    if (a->lld < m)
        reject(x, HESCA_ERR_ARG, info, name, HESCA_FIELD_LLD, "lld", a->lld,
               "at least the number of local rows");
    const char *fit = "below 2^31, which is what BLAS counts";
    if (a->lld > INT32_MAX)
        reject(x, HESCA_ERR_UNSUPPORTED, info, name, HESCA_FIELD_LLD, "lld",
               a->lld, fit);
    if (n > INT32_MAX)
        reject(x, HESCA_ERR_UNSUPPORTED, info, name, HESCA_FIELD_LAYOUT,
               "the number of local columns", n, fit);
}

void
hesca_args_matrix(hesca_args *x, int info, const char *name,
                  const hesca_matrix *a, int64_t m, int64_t n)
{
    const char *inside = "such that the submatrix lies inside the matrix";
    hesca_args_pointer(x, info, name, a);
    if (a != NULL && a->layout == NULL && is_well(x))
        x->err = hesca_fail_null(x->routine, 100 * info + HESCA_FIELD_LAYOUT,
                                 "layout");
    const int known = a != NULL && a->layout != NULL;
    compare(x, 100 * info + HESCA_FIELD_LAYOUT, name, "layout (fingerprint)",
            known ? hesca_layout_fingerprint(a->layout) : 0);
    compare(x, 100 * info + HESCA_FIELD_I, name, "i", known ? a->i : 0);
    compare(x, 100 * info + HESCA_FIELD_J, name, "j", known ? a->j : 0);
    if (!known || m < 0 || n < 0)
        return;
    if (a->i < 0 || m > hesca_layout_m(a->layout) - a->i)
        reject(x, HESCA_ERR_ARG, info, name, HESCA_FIELD_I, "i", a->i, inside);
    if (a->j < 0 || n > hesca_layout_n(a->layout) - a->j)
        reject(x, HESCA_ERR_ARG, info, name, HESCA_FIELD_J, "j", a->j, inside);
    check_ranks(x, info, name, a->layout);
    check_local(x, info, name, a);
    const int64_t reserved = hesca_first_nonzero(a->reserved, 2);
    if (reserved != 0)
        reject(x, HESCA_ERR_ARG, info, name, HESCA_FIELD_RESERVED, "reserved",
               reserved, "0");
}

/* --- agreement ---
 * All processes make the same calls before it, so the lists have equal
 * length. */

static int
mismatch(const hesca_args *x, int k)
{
    const int arg =
        x->common[k].info > 100 ? x->common[k].info / 100 : x->common[k].info;
    const char *field = x->common[k].field;
    return hesca_fail(HESCA_ERR_MISMATCH, x->common[k].info,
                      "%s: argument %d, %s%s%s, differs among the processes",
                      x->routine, arg, field != NULL ? field : "",
                      field != NULL ? " of " : "", x->common[k].name);
}

int
hesca_args_agree(hesca_args *x, int n, int64_t *value)
{
    int64_t v[2 * HESCA_ARGS_MAX + 8] = {0};
    int err;
    if (is_well(x) && !hesca_kernels_fit())
        x->err = hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                            "%s: the program's BLAS has 64-bit INTEGERs",
                            x->routine);
    for (int k = 0; k < x->n; ++k) {
        v[2 * k] = x->common[k].value;
        v[2 * k + 1] = -x->common[k].value;
    }
    if (n > 0)
        memcpy(v + 2 * x->n, value, (size_t)n * sizeof *v);
    HESCA_TRY(err, hesca_agree(x->c, x->err, 2 * x->n + n, v));
    for (int k = 0; k < x->n; ++k)
        if (v[2 * k] != -v[2 * k + 1])
            return mismatch(x, k);
    if (n > 0)
        memcpy(value, v + 2 * x->n, (size_t)n * sizeof *v);
fail:
    return err;
}

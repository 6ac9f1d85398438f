/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of BLAS and LAPACK, found while the program runs, so that hesca
 * itself needs neither. */
#include "base/status.h"
#include "config.h"
#include "tools/probe/probe_kernel.h"
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

static const probe_kernel kernels[] = {
    {"dgemm", "flop/s", 3, 2.0, 1, TEXT(FC_FUNC(dgemm, DGEMM))},
    {"dgetrf", "flop/s", 2, 2.0 / 3, 1, TEXT(FC_FUNC(dgetrf, DGETRF))},
    {"dpotrf", "flop/s", 2, 1.0 / 3, 1, TEXT(FC_FUNC(dpotrf, DPOTRF))},
    {"copy", "elements/s", 2, 1, 0, NULL}};

typedef void dgemm_t(const char *, const char *, const int *, const int *,
                     const int *, const double *, const double *, const int *,
                     const double *, const int *, const double *, double *,
                     const int *, size_t, size_t);
typedef void dgetrf_t(const int *, const int *, double *, const int *, int *,
                      int *);
typedef void dpotrf_t(const char *, const int *, double *, const int *, int *,
                      size_t);

const probe_kernel *
probe_kernel_find(const char *name)
{
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k)
        if (strcmp(kernels[k].name, name) == 0)
            return &kernels[k];
    return NULL;
}

static double
order_of(double x)
{
    return fmax(1, floor(sqrt(x) + 0.5));
}

double
probe_kernel_volume(const probe_kernel *k, double x)
{
    return k->factor * (k->is_square ? pow(order_of(x), 3) : x);
}

/* ------------------------------------------------ the library
 * A routine is used only after it has been found. */

static int
find_in(probe_work *w, const char *library)
{
    void *symbol = NULL;
    w->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (w->library == NULL)
        return 0;
    symbol = dlsym(w->library, w->kernel->symbol);
    if (symbol == NULL) {
        dlclose(w->library);
        w->library = NULL;
        return 0;
    }
    memcpy(&w->routine, &symbol, sizeof symbol);
    w->blas = library == NULL ? "the program" : library;
    return 1;
}

int
probe_work_open(probe_work *w, const probe_kernel *k, const char *library)
{
    static const char *const usual[] = {
        NULL,           "libopenblas.so.0", "libopenblas.so", "liblapack.so.3",
        "libblas.so.3", "libmkl_rt.so"};
    *w = (probe_work){.kernel = k};
    if (k->symbol == NULL)
        return HESCA_SUCCESS;
    if (library != NULL && find_in(w, library))
        return HESCA_SUCCESS;
    if (library != NULL)
        return hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                          "no %s in %.100s: is it a library of BLAS and "
                          "LAPACK?",
                          k->symbol, library);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; ++i)
        if (find_in(w, usual[i]))
            return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                      "no %s found in libopenblas, liblapack, libblas or "
                      "libmkl_rt: install one, or name it by --blas",
                      k->symbol);
}

static void
drop_arrays(probe_work *w)
{
    for (int i = 0; i < 3; ++i) {
        free(w->array[i]);
        w->array[i] = NULL;
    }
    free(w->pivot);
    w->pivot = NULL;
}

void
probe_work_close(probe_work *w)
{
    drop_arrays(w);
    if (w->library != NULL)
        dlclose(w->library);
    w->library = NULL;
}

/* ------------------------------------------------ arrays
 * All arrays are allocated and filled, or none. */

/* Numbers between -1/2 and 1/2; with a heavy diagonal the matrix is positive
 * definite, and all pivots are on the diagonal. */
static void
fill(double *x, size_t n, size_t order)
{
    uint64_t state = 1;
    for (size_t i = 0; i < n; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x[i] = (double)(state >> 11) / 9007199254740992.0 - 0.5;
    }
    for (size_t i = 0; i < order; ++i)
        x[i * order + i] += (double)order;
}

int
probe_work_size(probe_work *w, double x)
{
    const size_t order = (size_t)order_of(x);
    const size_t n = w->kernel->is_square ? order * order : (size_t)x;
    int good = 1;
    drop_arrays(w);
    w->size = x;
    for (int i = 0; i < w->kernel->arrays; ++i)
        good &= (w->array[i] = malloc(n * sizeof **w->array)) != NULL;
    good &= (w->pivot = malloc(order * sizeof *w->pivot)) != NULL;
    if (!good) {
        drop_arrays(w);
        return 0;
    }
    for (int i = 0; i < w->kernel->arrays; ++i)
        fill(w->array[i], n, w->kernel->is_square ? order : 0);
    return 1;
}

/* ------------------------------------------------ one run
 * Only the routine is timed. */

static void
multiply(const probe_work *w, int n)
{
    const double one = 1, zero = 0;
    dgemm_t *const f = (dgemm_t *)w->routine;
    f("N", "N", &n, &n, &n, &one, w->array[0], &n, w->array[1], &n, &zero,
      w->array[2], &n, 1, 1);
}

double
probe_work_run(probe_work *w)
{
    const int n = (int)order_of(w->size);
    const size_t bytes =
        (w->kernel->is_square ? (size_t)n * (size_t)n : (size_t)w->size) *
        sizeof **w->array;
    const char *name = w->kernel->name;
    int info = 0;
    if (strcmp(name, "dgetrf") == 0 || strcmp(name, "dpotrf") == 0)
        memcpy(w->array[1], w->array[0], bytes);
    const double start = MPI_Wtime();
    if (strcmp(name, "dgemm") == 0)
        multiply(w, n);
    else if (strcmp(name, "dgetrf") == 0)
        ((dgetrf_t *)w->routine)(&n, &n, w->array[1], &n, w->pivot, &info);
    else if (strcmp(name, "dpotrf") == 0)
        ((dpotrf_t *)w->routine)("L", &n, w->array[1], &n, &info, 1);
    else
        memcpy(w->array[1], w->array[0], bytes);
    const double seconds = MPI_Wtime() - start;
    return info == 0 ? seconds : NAN;
}

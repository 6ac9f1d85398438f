/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the speed of a processor depends on the number of elements alone, or
 * on the shape of the matrix, too: Tables 4.9 and 4.10 of the HMPI thesis.
 *
 * Usage: time_shapes [option]...
 *
 *   time_shapes --kernel mm
 *   time_shapes --kernel lu --order 1024,2048 --csv lu.csv
 *   time_shapes --help */
#include "base/sort.h"
#include "bench/blas.h"
#include "harness.h"
#include <stdlib.h>
#include <string.h>

enum { LIST = 16, ASPECTS = 4, TRIES_MOST = 1000, MM = 0, LU = 1 };

typedef struct {
    int kernel, norders;
    int64_t order[LIST];
    double seconds;
} options;

/* Square ones have order rows; others half, a quarter, an eighth of them, as
 * in the tables, and as many elements. */
static const int part[ASPECTS] = {1, 2, 4, 8};

/* ----- the command line -------------------------------------------------- */

static int
set_orders(const cmdline_row *r, const char *value, void *to)
{
    options *o = to;
    if (!cmdline_list(r, value, 8, 20000, o->order, LIST, &o->norders))
        return 0;
    for (int i = 0; i < o->norders; ++i)
        if (o->order[i] % 8 != 0)
            return cmdline_bad(r, value);
    return 1;
}

static int
complete(void *to)
{
    static const int64_t usual[2][4] = {{256, 1024, 2304, 4096},
                                        {1024, 2304, 4096, 6400}};
    options *o = to;
    if (o->norders == 0) {
        memcpy(o->order, usual[o->kernel], sizeof usual[0]);
        o->norders = 4;
    }
    return 1;
}

static const cmdline_row table[] = {
    OPT_CHOICE("kernel", "mm|lu",
               "A B of n1 x n2 and n2 x n1, or LU of n1 x n2 (mm)", kernel),
    OPT_SET("order", "N,...",
            "orders of the square matrices, multiples of 8 (256,", set_orders),
    OPT_MORE("1024,2304,4096; of LU 1024,2304,4096,6400)"),
    OPT_REAL("seconds", "S", "spent on each shape, at least three times (0.5)",
             seconds),
};

/* ----- one shape --------------------------------------------------------- */

/* Three arrays of as many elements; of the LU factors the second keeps the
 * matrix, and the third is for pivots. */
typedef struct {
    double *a, *b, *c;
} arrays;

static void
fill(double *x, size_t n)
{
    unsigned r = 1;
    for (size_t i = 0; i < n; ++i) {
        r = r * 1664525u + 1013904223u;
        x[i] = (double)(r >> 8) / (1 << 24) - 0.5;
    }
}

static double
run_once(int kernel, int rows, int cols, const arrays *x)
{
    static const double one = 1, zero = 0;
    int info;
    if (kernel == LU)
        memcpy(x->a, x->b, (size_t)rows * (size_t)cols * sizeof *x->a);
    const double begin = yield_clock();
    if (kernel == MM)
        dgemm_("N", "N", &rows, &rows, &cols, &one, x->a, &rows, x->b, &cols,
               &zero, x->c, &rows);
    else
        dgetrf_(&rows, &cols, x->a, &rows, (int *)x->c, &info);
    return yield_clock() - begin;
}

/* Operations, in millions: of LU with rows <= cols. */
static double
volume(int kernel, double rows, double cols)
{
    return 1e-6 * (kernel == MM ? 2 * rows * rows * cols
                                : rows * rows * (cols - rows / 3));
}

static double
measure(int kernel, int rows, int cols, double seconds, const arrays *x)
{
    double tries[TRIES_MOST], ends[2], spent = 0;
    int n = 0;
    run_once(kernel, rows, cols, x); /* pages, threads, caches */
    while (n < TRIES_MOST && (n < 3 || spent < seconds))
        spent += tries[n++] = run_once(kernel, rows, cols, x);
    return volume(kernel, rows, cols) / hesca_median(tries, n, ends);
}

/* ----- all of them ------------------------------------------------------- */

typedef struct {
    const char *kernel;
    int rows, cols;
    double speed, spread;
} row;

static void
put(fields *s, const void *of)
{
    const row *r = of;
    fields_text(s, "kernel", r->kernel);
    fields_int(s, "rows", r->rows);
    fields_int(s, "cols", r->cols);
    fields_real(s, "mflops", r->speed);
    fields_real(s, "most_over_least", r->spread);
}

static void
measure_order(const options *o, int order, const arrays *x, fields_files *f)
{
    double speed[ASPECTS], least = 0, most = 0;
    row r = {.kernel = o->kernel == MM ? "mm" : "lu"};
    fprintf(f->table, "%6d", order);
    for (int k = 0; k < ASPECTS; ++k) {
        speed[k] = measure(o->kernel, order / part[k], order * part[k],
                           o->seconds, x);
        least = k == 0 || speed[k] < least ? speed[k] : least;
        most = speed[k] > most ? speed[k] : most;
        fprintf(f->table, "%10.0f", speed[k]);
        fflush(f->table);
    }
    fprintf(f->table, "%12.2f\n", most / least);
    for (int k = 0; k < ASPECTS; ++k) {
        r.rows = order / part[k];
        r.cols = order * part[k];
        r.speed = speed[k];
        r.spread = most / least;
        bench_row(f, &r);
    }
}

static int
run(const void *from, fields_files *f)
{
    const options *o = from;
    fprintf(f->table, "%6s%10s%10s%10s%10s%12s\n", "order", "1:1", "1:4",
            "1:16", "1:64", "most/least");
    for (int i = 0; i < o->norders; ++i) {
        const size_t n = (size_t)o->order[i] * (size_t)o->order[i];
        arrays x = {malloc(n * sizeof *x.a), malloc(n * sizeof *x.b),
                    malloc(n * sizeof *x.c)};
        const int ok = x.a != NULL && x.b != NULL && x.c != NULL;
        if (ok) {
            fill(x.a, n);
            fill(x.b, n);
            measure_order(o, (int)o->order[i], &x, f);
        }
        free(x.a);
        free(x.b);
        free(x.c);
        if (!ok)
            return cmdline_fail("no memory for three matrices of order %lld",
                                (long long)o->order[i]),
                   2;
    }
    return 0;
}

int
main(int argc, char **argv)
{
    static options o = {.seconds = 0.5};
    static const bench_program b = {
        .name = "time_shapes",
        .about =
            "Usage: time_shapes [option]...\n"
            "Speeds of matrices of the same number of elements and different "
            "shapes, in\nMflop/s (medians), and how far those of an order lie "
            "apart.\n\n",
        .notes = "\nExit status: 0, or 2 if it cannot be done.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .put = put,
        .run = run,
        .check = complete};
    return bench_main(&b, argc, argv);
}

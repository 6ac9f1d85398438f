/* Whether the speed of a processor depends on the number of elements alone, or
 * on the shape of the matrix, too: Tables 4.9 and 4.10 of the HMPI thesis.
 *
 * Usage: time_shapes [option]...
 *
 *   time_shapes --kernel mm
 *   time_shapes --kernel lu --order 1024,2048 --csv lu.csv
 *   time_shapes --help
 *
 * Exit status: 0, or 2 if it cannot be done. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "bench/hdpi_blas.h"
#include "stopwatch.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/fields.h"
#include "tools/lib/sort.h"
#include <stdlib.h>
#include <string.h>

enum { LIST = 16, ASPECTS = 4, TRIES_MOST = 1000, MM = 0, LU = 1 };

typedef struct {
    int kernel, norders;
    int64_t order[LIST];
    double seconds;
    const char *csv, *json;
} options;

/* Square ones have order rows; others half, a quarter, an eighth of them, as
 * in the tables, and as many elements. */
static const int part[ASPECTS] = {1, 2, 4, 8};

/* ----- the command line -------------------------------------------------- */

static const cmdline_row table[] = {
    {"help", NULL, "print this", 'h', 0, 0},
    {"kernel", "mm|lu", "A B of n1 x n2 and n2 x n1, or LU of n1 x n2 (mm)",
     'k', 0, 0},
    {"order", "N,...", "orders of the square matrices, multiples of 8 (256,",
     'n', 0, 0},
    {NULL, NULL, "1024,2304,4096; of LU 1024,2304,4096,6400)", 0, 0, 0},
    {"seconds", "S", "spent on each shape, at least three times (0.5)", 's', 0,
     0},
    {"csv", "FILE", "results as CSV too; - is stdout", 'C', 0, 0},
    {"json", "FILE", "results as JSON too; - is stdout", 'J', 0, 0},
};

enum { NROWS = sizeof table / sizeof *table };

static void
help(void)
{
    fputs("Usage: time_shapes [option]...\n"
          "Speeds of matrices of the same number of elements and different "
          "shapes, in\nMflop/s (medians), and how far those of an order lie "
          "apart.\n\n",
          stdout);
    cmdline_print(table, NROWS);
    fputs("\nExit status: 0, or 2 if it cannot be done.\n", stdout);
}

static int
apply(const cmdline_row *r, const char *value, void *to)
{
    options *o = to;
    switch (r->key) {
    case 'k':
        return cmdline_choice(r, value, &o->kernel);
    case 'n':
        if (!cmdline_list(r, value, 8, 20000, o->order, LIST, &o->norders))
            return 0;
        for (int i = 0; i < o->norders; ++i)
            if (o->order[i] % 8 != 0)
                return cmdline_bad(r, value);
        return 1;
    case 's':
        return cmdline_real(r, value, &o->seconds);
    case 'C':
        o->csv = value;
        return 1;
    default:
        o->json = value;
        return 1;
    }
}

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
run(int kernel, int rows, int cols, const arrays *x)
{
    static const double one = 1, zero = 0;
    int info;
    if (kernel == LU)
        memcpy(x->a, x->b, (size_t)rows * (size_t)cols * sizeof *x->a);
    const double begin = stopwatch(CLOCK_MONOTONIC);
    if (kernel == MM)
        dgemm_("N", "N", &rows, &rows, &cols, &one, x->a, &rows, x->b, &cols,
               &zero, x->c, &rows);
    else
        dgetrf_(&rows, &cols, x->a, &rows, (int *)x->c, &info);
    return stopwatch(CLOCK_MONOTONIC) - begin;
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
    run(kernel, rows, cols, x); /* pages, threads, caches */
    while (n < TRIES_MOST && (n < 3 || spent < seconds))
        spent += tries[n++] = run(kernel, rows, cols, x);
    return volume(kernel, rows, cols) / sort_median(tries, n, ends);
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
        fields_row(f, &r);
    }
}

static int
measure_all(const options *o, fields_files *f)
{
    const row any = {.kernel = ""};
    fprintf(f->table, "%6s%10s%10s%10s%10s%12s\n", "order", "1:1", "1:4",
            "1:16", "1:64", "most/least");
    fields_head(f, &any);
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
                                (long long)o->order[i]);
    }
    return 1;
}

int
main(int argc, char **argv)
{
    static const int64_t usual[2][4] = {{256, 1024, 2304, 4096},
                                        {1024, 2304, 4096, 6400}};
    const cmdline line = {"time_shapes", table, NROWS, help, apply};
    options o = {.seconds = 0.5};
    fields_files f;
    const int what = cmdline_read(&line, argc, argv, &o);
    if (what != CMDLINE_GO)
        return what == CMDLINE_HELP ? 0 : 2;
    if (o.norders == 0) {
        memcpy(o.order, usual[o.kernel], sizeof usual[0]);
        o.norders = 4;
    }
    if (!fields_open(&f, o.csv, o.json, put))
        return 2;
    int ok = measure_all(&o, &f);
    ok = fields_close(&f) && ok;
    return ok ? 0 : 2;
}

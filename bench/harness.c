/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, isatty, setenv */
#include "harness.h"
#include "base/splitmix.h"
#include <mpi.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROWS_MOST = 48 };

/* BLAS that has its own threads, if it is OpenBLAS. */
void openblas_set_num_threads(int n) __attribute__((weak));

/* --- options --- */

static const bench_program *program;
static cmdline_row rows[ROWS_MOST];
static int nrows;
static const char *files[2]; /* of --csv, --json */

static int
set_file(const cmdline_row *r, const char *value, void *options)
{
    (void)options;
    files[*r->name == 'j'] = value;
    return 1;
}

static void
make_rows(const bench_program *b)
{
    static const cmdline_row of_files[] = {
        OPT_SET("csv", "FILE", "results as CSV too; - is stdout", set_file),
        OPT_SET("json", "FILE", "results as JSON too; - is stdout", set_file)};
    program = b;
    nrows = 0;
    for (int k = 0; k < b->noptions; ++k)
        rows[nrows++] = b->option[k];
    for (int k = 0; k < 2 && !b->has_no_files; ++k)
        rows[nrows++] = of_files[k];
}

static void
print_help(void)
{
    fputs(program->about, stdout);
    cmdline_print(rows, nrows);
    if (program->notes != NULL)
        fputs(program->notes, stdout);
    if (program->print_notes != NULL)
        program->print_notes();
}

int
bench_bits(const cmdline_row *r, const char *value, const char *(*name)(int k),
           int *bits)
{
    char word[16][16];
    int n;
    if (!cmdline_names(r, value, word[0], sizeof word[0], 16, &n))
        return 0;
    *bits = 0;
    for (int i = 0; i < n; ++i) {
        int k = 0;
        while (name(k) != NULL && strcmp(word[i], name(k)) != 0)
            ++k;
        if (name(k) == NULL)
            return cmdline_bad(r, value);
        *bits |= 1 << k;
    }
    return 1;
}

int
bench_read(const bench_program *b, int argc, char **argv)
{
    make_rows(b);
    const cmdline line = {b->name, rows, nrows, print_help, 0};
    const int what = cmdline_read(&line, argc, argv, b->options, NULL);
    if (what != CMDLINE_GO)
        return what;
    if (files[0] != NULL && files[1] != NULL && strcmp(files[0], "-") == 0 &&
        strcmp(files[1], "-") == 0) {
        cmdline_complain("only one of --csv and --json can go to stdout");
        return CMDLINE_BAD;
    }
    return b->check == NULL || b->check(b->options) ? what : CMDLINE_BAD;
}

/* --- results --- */

int
bench_open(const bench_program *b, fields_files *out)
{
    return fields_open(out, files[0], files[1], b->put);
}

void
bench_row(fields_files *out, const void *row)
{
    fflush(out->table);
    if (out->nrows == 0)
        fields_head(out, row);
    fields_row(out, row);
}

void
bench_print_ratio(FILE *f, int width, int digits, double value)
{
    if (value > 0)
        fprintf(f, " %*.*f", width, digits, value);
    else
        fprintf(f, " %*s", width, "-");
}

void
bench_progress(const char *format, ...)
{
    static double last;
    va_list args;
    if (!isatty(STDERR_FILENO) ||
        (format != NULL && yield_clock() - last < 0.2))
        return;
    last = format != NULL ? yield_clock() : 0;
    fputs("\r\033[K", stderr);
    if (format == NULL)
        return;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
}

void
bench_put_map(fields *s, const int *process, int nprow, int npcol)
{
    char text[16 * 1024] = "";
    size_t n = 0;
    for (int k = 0; k < nprow * npcol && n + 8 < sizeof text; ++k)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%d",
                              k == 0           ? ""
                              : k % npcol == 0 ? "/"
                                               : " ",
                              process[k]);
    fields_text(s, "map", text);
}

/* --- numbers that look random, and clocks --- */

double
bench_element(uint64_t matrix, int64_t i, int64_t j)
{
    uint64_t x = (matrix << 56) + ((uint64_t)i << 28) + (uint64_t)j;
    x = (x + UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return (double)(x >> 11) * 0x1p-53 - 0.5;
}

double
bench_random(uint64_t *state, double low, double high)
{
    return low +
           (high - low) * 0x1p-53 * (double)(hesca_splitmix(state) >> 11);
}

double
bench_cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- main() ---
 * With MPI every process takes part in every collective call, whatever process
 * 0 has found wrong. */

int
bench_main(const bench_program *b, int argc, char **argv)
{
    fields_files out;
    const int what = bench_read(b, argc, argv);
    if (what != CMDLINE_GO)
        return what == CMDLINE_HELP ? 0 : 2;
    if (!bench_open(b, &out))
        return 2;
    const int status = b->run(b->options, &out);
    return fields_close(&out) ? status : 2;
}

int
bench_main_mpi(const bench_program *b, int argc, char **argv)
{
    fields_files out = {.table = stdout};
    int rank, status = 2, what = CMDLINE_BAD;
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    yield_begin(1);
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    if (rank == 0)
        what = bench_read(b, argc, argv);
    yield_broadcast(&what, sizeof what);
    int go = what == CMDLINE_GO;
    if (rank == 0 && go)
        go = bench_open(b, &out);
    if (yield_all(go)) {
        yield_broadcast(b->options, b->size);
        status = b->run(b->options, &out);
        if (rank == 0 && !fields_close(&out))
            status = 2;
    }
    yield_long_barrier();
    MPI_Finalize();
    return what == CMDLINE_HELP ? 0 : status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file harness.h
 * The frame of the programs of bench/: options are a table of cmdline.h, and
 * main() reads them, opens the files of results, calls what measures, and
 * closes the files.
 *
 * --help, --csv and --json are rows of every table.  Results are rows of
 * fields.h; the first one brings the names of the columns. */
#ifndef HESCA_BENCH_HARNESS_H
#define HESCA_BENCH_HARNESS_H

#include "tools/lib/cmdline.h"
#include "tools/lib/fields.h"
#include "yield.h"
#include <stddef.h>

/** A program. */
typedef struct {
    const char *name;
    const char *about;         /* help before the options */
    const char *notes;         /* help after them, may be NULL */
    void (*print_notes)(void); /* the same where it is computed */
    const cmdline_row *option;
    int noptions;
    void *options;
    size_t size;      /* bytes of the options */
    int has_no_files; /* and no options for them */
    /* Whether options agree, on process 0: 1, or 0 after a complaint. */
    int (*check)(void *options);
    void (*put)(fields *s, const void *row);
    int (*run)(const void *options, fields_files *out); /* exit status */
} bench_program;

/** The entries of a program's table, and their number. */
#define BENCH_TABLE(rows)                                                     \
    .option = rows, .noptions = sizeof rows / sizeof *rows
#define BENCH_OPTIONS(o) .options = &(o), .size = sizeof(o)

/** main() of a program without MPI.
 * \return the exit status: 2 if options are wrong or a file is not written. */
int bench_main(const bench_program *b, int argc, char **argv);

/** The same with MPI: process 0 reads the options and has the files.  BLAS has
 * one thread; waiting yields, so processes may outnumber cores. */
int bench_main_mpi(const bench_program *b, int argc, char **argv);

/** Read the options and check them; for a main() of its own.
 * \return CMDLINE_GO, CMDLINE_HELP, CMDLINE_BAD. */
int bench_read(const bench_program *b, int argc, char **argv);

/** Open the files that --csv and --json have named. */
int bench_open(const bench_program *b, fields_files *out);

/** Write a row to the files; the first one below the names of columns. */
void bench_row(fields_files *out, const void *row);

/** A bit for each of the names in a list, by the number of the name.
 * \param [in]  name  The k-th one; NULL: there are no more.
 * \return 1, or 0 after a complaint. */
int bench_bits(const cmdline_row *row, const char *value,
               const char *(*name)(int k), int *bits);

/** Print a ratio, or a dash if it is not above 0. */
void bench_print_ratio(FILE *f, int width, int digits, double value);

/** Write on stderr, in one line that the next call replaces, what goes on;
 * NULL clears the line.  Only on a terminal, and five times a second at
 * most. */
void bench_progress(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/** Fill x with the process at each place of a grid, rows separated by slashes:
 * the column `map`. */
void bench_put_map(fields *s, const int *process, int nprow, int npcol);

/** A number in [-0.5, 0.5) that follows from a matrix and indices
 * (splitmix64): every process can make its elements without a message. */
double bench_element(uint64_t matrix, int64_t i, int64_t j);

/** Random numbers from low to high (splitmix64). */
double bench_random(uint64_t *state, double low, double high);

/** Seconds of CPU time of this process alone: other work on the machine does
 * not count.  For the time of day there is yield_clock(). */
double bench_cpu(void);

#endif

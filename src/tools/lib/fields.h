/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/fields.h
 * Results for programs: the same fields in the same order as CSV and as JSON.
 */
#ifndef HESCA_TOOLS_LIB_FIELDS_H
#define HESCA_TOOLS_LIB_FIELDS_H

#include <stdint.h>
#include <stdio.h>

/** The destination of the fields of one row. */
typedef struct fields fields;

void fields_text(fields *s, const char *name, const char *value);
void fields_int(fields *s, const char *name, int value);
void fields_count(fields *s, const char *name, int64_t value);
/** A number above 0; any other value is unknown. */
void fields_real(fields *s, const char *name, double value);
/** Any finite number, with as many digits as identify it. */
void fields_exact(fields *s, const char *name, double value);

/** Files with rows. */
typedef struct {
    FILE *table; /* the text table: stdout, or stderr if a file is stdout */
    FILE *csv, *json; /* may be NULL */
    const char *csv_path, *json_path;
    void (*put)(fields *s, const void *row);
    int nrows;
} fields_files;

/** Open the files; NULL: none, "-": stdout.  put must write all fields of a
 * row, always the same ones.
 * \return 1, or 0 after an error message. */
int fields_open(fields_files *x, const char *csv, const char *json,
                void (*put)(fields *s, const void *row));

/** Write the header, given any row. */
void fields_head(const fields_files *x, const void *row);
void fields_row(fields_files *x, const void *row);

/** \return 1, or 0 after an error message if output failed. */
int fields_close(fields_files *x);

#endif

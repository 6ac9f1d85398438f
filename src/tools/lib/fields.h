/** \file tools/lib/fields.h
 * Results for programs: the same fields in the same order as CSV and as JSON.
 */
#ifndef HESCA_TOOLS_LIB_FIELDS_H
#define HESCA_TOOLS_LIB_FIELDS_H

#include <stdint.h>
#include <stdio.h>

/** Where the fields of one row go. */
typedef struct fields fields;

void fields_text(fields *s, const char *name, const char *value);
void fields_int(fields *s, const char *name, int value);
void fields_count(fields *s, const char *name, int64_t value);
/** A number above 0; anything else is not known. */
void fields_real(fields *s, const char *name, double value);
/** Any finite number, to all digits that tell it from others. */
void fields_exact(fields *s, const char *name, double value);

/** Files with rows. */
typedef struct {
    FILE *table;      /* for people: stdout, or stderr if a file is stdout */
    FILE *csv, *json; /* may be NULL */
    const char *csv_path, *json_path;
    void (*put)(fields *s, const void *row);
    int nrows;
} fields_files;

/** Open the files; NULL: none, "-": stdout.  put is to name all fields of a
 * row, always the same.
 * \return 1, or 0 after a complaint. */
int fields_open(fields_files *x, const char *csv, const char *json,
                void (*put)(fields *s, const void *row));

/** Write what comes before the first row; any row will do. */
void fields_head(const fields_files *x, const void *row);
void fields_row(fields_files *x, const void *row);

/** \return 1, or 0 after a complaint if something was not written. */
int fields_close(fields_files *x);

#endif

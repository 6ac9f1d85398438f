/** \file tools/lib/cmdline.h
 * Command lines: a table of options, and what they are given.  What
 * is wrong is told in one line on stderr that names the option and its value.
 */
#ifndef HESCA_TOOLS_LIB_CMDLINE_H
#define HESCA_TOOLS_LIB_CMDLINE_H

#include <stddef.h>
#include <stdint.h>

enum {
    CMDLINE_OPTIONAL = 1, /**< the value may be left out */
    CMDLINE_LETTER = 2    /**< its key is an option of one letter, too */
};

/** One option.  In help a row without a name goes on with the one before. */
typedef struct {
    const char *name;
    const char *arg; /* NULL if it takes no value */
    const char *help;
    char key;  /* 'h' prints help */
    int flags; /* of CMDLINE_OPTIONAL and CMDLINE_LETTER */
    int kind;  /* as the program likes */
} cmdline_row;

/** A command line. */
typedef struct {
    const char *program;
    const cmdline_row *rows;
    int nrows;
    void (*help)(void);
    /* Apply an option; value is NULL if there is none.  1, or 0 after a word
     * to stderr. */
    int (*apply)(const cmdline_row *row, const char *value, void *state);
} cmdline;

enum { CMDLINE_GO, CMDLINE_HELP, CMDLINE_BAD };

/** Apply all options.  There must be nothing but options.
 * \return CMDLINE_GO, CMDLINE_HELP (help was printed), CMDLINE_BAD. */
int cmdline_read(const cmdline *c, int argc, char **argv, void *state);

/** The rows of a table whose kind has a bit set, in their order.
 * \param [out] rows  [n]
 * \return How many. */
int cmdline_select(const cmdline_row *table, int n, int bit,
                   cmdline_row *rows);

/** Print a line for each row. */
void cmdline_print(const cmdline_row *rows, int nrows);

/** Complain about the command line, or about something else, on behalf of the
 * program that has called cmdline_read() last.
 * \return 0 always. */
int cmdline_complain(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
int cmdline_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/** \name What options are given
 * Functions return 1, or 0 after a complaint.
 * \{ */

/** The value is not what row->arg says. */
int cmdline_bad(const cmdline_row *row, const char *value);
int cmdline_int(const cmdline_row *row, const char *value, int least, int most,
                int *out);
/** A number, at least 0. */
int cmdline_real(const cmdline_row *row, const char *value, double *out);
/** Bytes, with K, M or G for 1024 and its powers. */
int cmdline_bytes(const cmdline_row *row, const char *value, int64_t least,
                  int64_t *out);
/** Numbers, comma between them; FIRST:LAST and FIRST:LAST:STEP are several.
 * They replace what is in the list, which has room for `room`. */
int cmdline_list(const cmdline_row *row, const char *value, int64_t least,
                 int64_t most, int64_t *list, int room, int *n);
/** Names, comma between them, each shorter than `size` bytes.  They replace
 * what is in the list: room times size bytes. */
int cmdline_names(const cmdline_row *row, const char *value, char *list,
                  size_t size, int room, int *n);
/** PxQ, a process grid: two numbers from 1 to 9999. */
int cmdline_grid(const cmdline_row *row, const char *value, int *nprow,
                 int *npcol);
/** Which of the words between bars in row->arg the value is. */
int cmdline_choice(const cmdline_row *row, const char *value, int *out);
/** \} */

#endif

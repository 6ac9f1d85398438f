/** \file tools/lib/cmdline.h
 * Command lines: a table of options, and their values.  Errors are reported in
 * one line on stderr that names the option and its value.
 */
#ifndef HESCA_TOOLS_LIB_CMDLINE_H
#define HESCA_TOOLS_LIB_CMDLINE_H

#include <stddef.h>
#include <stdint.h>

enum {
    CMDLINE_OPTIONAL = 1, /**< the value may be left out */
    CMDLINE_LETTER = 2    /**< its key is an option of one letter, too */
};

/** One option.  In help a row without a name continues the one before. */
typedef struct {
    const char *name;
    const char *arg; /* NULL if it takes no value */
    const char *help;
    char key;  /* 'h' prints help */
    int flags; /* of CMDLINE_OPTIONAL and CMDLINE_LETTER */
    int kind;  /* for the program to use */
} cmdline_row;

/** A command line. */
typedef struct {
    const char *program;
    const cmdline_row *rows;
    int nrows;
    void (*help)(void);
    /* Apply an option; value is NULL if there is none.  1, or 0 after an error
     * message. */
    int (*apply)(const cmdline_row *row, const char *value, void *state);
} cmdline;

enum { CMDLINE_GO, CMDLINE_HELP, CMDLINE_BAD };

/** Apply all options.
 * \return CMDLINE_GO, CMDLINE_HELP (help was printed), CMDLINE_BAD. */
int cmdline_read(const cmdline *c, int argc, char **argv, void *state);

/** The same for a command of hesca whose messages begin "hesca: COMMAND":
 * c->program is COMMAND.
 *
 * \param [in]  order  "+": options end at the first operand; "": they may be
 *                     anywhere, and operands are moved behind them.
 * \param [out] first  Of the operands in argv; NULL: there must be none.
 * \return -1 to go on, or an exit status: 0 after help, 2 after a message. */
int cmdline_command(const cmdline *c, int argc, char **argv, void *state,
                    const char *order, int *first);

/** The rows of a table whose kind has a bit set, in their order.
 * \param [out] rows  [n]
 * \return How many. */
int cmdline_select(const cmdline_row *table, int n, int bit,
                   cmdline_row *rows);

/** Print a line for each row. */
void cmdline_print(const cmdline_row *rows, int nrows);

/** Print an error message about the command line, or about something else, for
 * the program that has called cmdline_read() last.
 * \return 0 always. */
int cmdline_complain(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
int cmdline_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/** \name Values of options
 * Functions return 1, or 0 after an error message.
 * \{ */

/** Report that the value is not as in row->arg. */
int cmdline_bad(const cmdline_row *row, const char *value);
int cmdline_int(const cmdline_row *row, const char *value, int least, int most,
                int *out);
/** A number, at least 0. */
int cmdline_real(const cmdline_row *row, const char *value, double *out);
/** Bytes, with K, M or G for 1024 and its powers. */
int cmdline_bytes(const cmdline_row *row, const char *value, int64_t least,
                  int64_t *out);
/** Numbers, separated by commas; FIRST:LAST and FIRST:LAST:STEP stand for
 * several.  They replace the list, which has space for `room`. */
int cmdline_list(const cmdline_row *row, const char *value, int64_t least,
                 int64_t most, int64_t *list, int room, int *n);
/** Names, separated by commas, each shorter than `size` bytes.  They replace
 * the list: room times size bytes. */
int cmdline_names(const cmdline_row *row, const char *value, char *list,
                  size_t size, int room, int *n);
/** PxQ, a process grid: two numbers from 1 to 9999. */
int cmdline_grid(const cmdline_row *row, const char *value, int *nprow,
                 int *npcol);
/** The index of the value among the alternatives in row->arg, separated by
 * bars. */
int cmdline_choice(const cmdline_row *row, const char *value, int *out);
/** \} */

#endif

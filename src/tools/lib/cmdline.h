/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/cmdline.h
 * Command lines: a table of options, each with the field of a struct that it
 * sets.  Errors are reported in one line on stderr that names the option and
 * its value.  A program that uses the macros names its struct `options`; every
 * table has --help besides its rows.
 */
#ifndef HESCA_TOOLS_LIB_CMDLINE_H
#define HESCA_TOOLS_LIB_CMDLINE_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    CMDLINE_MORE,     /**< more help on the row before */
    CMDLINE_FLAG,     /**< int, 1 where it is given */
    CMDLINE_INT,      /**< int from least to most */
    CMDLINE_NUMBER,   /**< int64_t from least to most */
    CMDLINE_REAL,     /**< double, at least 0, or from least to most */
    CMDLINE_POSITIVE, /**< double above 0 */
    CMDLINE_CHOICE,   /**< int: which word of arg */
    CMDLINE_TEXT,     /**< const char * */
    CMDLINE_GRID,     /**< int[2] */
    CMDLINE_LIST,     /**< int64_t[] */
    CMDLINE_NAMES,    /**< char[][] */
    CMDLINE_SET       /**< by a function */
} cmdline_kind;

/** One option. */
typedef struct cmdline_row {
    const char *name;
    const char *arg; /**< NULL if it takes no value */
    const char *help;
    cmdline_kind kind;
    size_t at;          /**< offset of the field in the options */
    size_t count;       /**< of the number of entries where it is an array */
    double least, most; /**< of numbers */
    int room;           /**< entries of an array */
    size_t size;        /**< bytes of a name */
    int is_optional;    /**< the value may be left out: NULL then */
    char letter;        /**< an option of one letter for the same, or 0 */
    /** CMDLINE_SET: 1, or 0 after an error message. */
    int (*set)(const struct cmdline_row *row, const char *value, void *field);
    int (*knows)(const char *name); /**< NULL: any name */
} cmdline_row;

#define OPT_ANY(n, a, h, k, field)                                            \
    .name = n, .arg = a, .help = h, .kind = k, .at = offsetof(options, field)
#define OPT_ROOM(field)                                                       \
    (sizeof((options *)0)->field / sizeof *((options *)0)->field)
#define OPT_MORE(text)                                                        \
    {                                                                         \
        .help = text                                                          \
    }
#define OPT_FLAG(n, h, field)                                                 \
    {                                                                         \
        OPT_ANY(n, NULL, h, CMDLINE_FLAG, field)                              \
    }
#define OPT_INT(n, a, h, field, lo, hi)                                       \
    {                                                                         \
        OPT_ANY(n, a, h, CMDLINE_INT, field), .least = lo, .most = hi         \
    }
#define OPT_NUMBER(n, a, h, field, lo, hi)                                    \
    {                                                                         \
        OPT_ANY(n, a, h, CMDLINE_NUMBER, field), .least = lo, .most = hi      \
    }
#define OPT_REAL(n, a, h, field)                                              \
    {                                                                         \
        OPT_ANY(n, a, h, CMDLINE_REAL, field)                                 \
    }
#define OPT_RANGE(n, a, h, field, lo, hi)                                     \
    {                                                                         \
        OPT_ANY(n, a, h, CMDLINE_REAL, field), .least = lo, .most = hi        \
    }
#define OPT_POSITIVE(n, a, h, field)                                          \
    {                                                                         \
        OPT_ANY(n, a, h, CMDLINE_POSITIVE, field)                             \
    }
#define OPT_CHOICE(n, a, h, field)                                            \
    {                                                                         \
        OPT_ANY(n, a, h, CMDLINE_CHOICE, field)                               \
    }
#define OPT_TEXT(n, a, h, field)                                              \
    {                                                                         \
        OPT_ANY(n, a, h, CMDLINE_TEXT, field)                                 \
    }
#define OPT_GRID(n, h, field)                                                 \
    {                                                                         \
        OPT_ANY(n, "PxQ", h, CMDLINE_GRID, field)                             \
    }
#define OPT_LIST(n, a, h, field, number, lo, hi)                              \
    {                                                                         \
        OPT_ANY(n, a, h, CMDLINE_LIST, field),                                \
            .count = offsetof(options, number), .least = lo, .most = hi,      \
            .room = OPT_ROOM(field)                                           \
    }
#define OPT_NAMES(n, a, h, field, number, known)                              \
    {                                                                         \
        OPT_ANY(n, a, h, CMDLINE_NAMES, field),                               \
            .count = offsetof(options, number), .room = OPT_ROOM(field),      \
            .size = sizeof *((options *)0)->field, .knows = known             \
    }
/** By a function of all options, or of one field. */
#define OPT_SET(n, a, h, function)                                            \
    {                                                                         \
        .name = n, .arg = a, .help = h, .kind = CMDLINE_SET, .set = function  \
    }
#define OPT_FIELD(n, a, h, function, field)                                   \
    {                                                                         \
        OPT_ANY(n, a, h, CMDLINE_SET, field), .set = function                 \
    }

/** A command line. */
typedef struct {
    const char *program; /**< as messages begin: "hesca plan" */
    const cmdline_row *rows;
    int nrows;
    void (*help)(void);
    int in_order; /**< options end at the first operand */
} cmdline;

enum { CMDLINE_GO, CMDLINE_HELP, CMDLINE_BAD };

/** Set the options of a command line.
 *
 * \param [out] options  The program's struct.
 * \param [out] first    Of the operands in argv, behind all options (they are
 *                       moved there); NULL: there must be none.
 * \return CMDLINE_GO, CMDLINE_HELP (help was printed), CMDLINE_BAD. */
int cmdline_read(const cmdline *c, int argc, char **argv, void *options,
                 int *first);

/** The exit status for what cmdline_read() has returned; -1 to go on. */
int cmdline_status(int what);

/** Whether the last command line that was read has an option. */
int cmdline_is_given(const char *name);

/** A row of a table that several commands share. */
typedef struct {
    int groups; /**< a bit for each command */
    cmdline_row row;
} cmdline_grouped;

/** The rows of a table with a bit, in their order.
 * \param [out] rows  [n]
 * \return How many. */
int cmdline_select(const cmdline_grouped *table, int n, int bit,
                   cmdline_row *rows);

/** Print a line for --help and for each row. */
void cmdline_print(const cmdline_row *rows, int nrows);

/** Print an error message about the command line, or about something else, for
 * the program that has called cmdline_read() last.
 * \return 0 always. */
int cmdline_complain(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
int cmdline_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/** \name Values of options
 * For functions of CMDLINE_SET; they return 1, or 0 after an error message.
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

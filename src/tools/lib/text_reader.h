/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/text_reader.h
 * Strict reader of text files of numbers: errors are reported in one line on
 * stderr that names file, line and word.
 *
 * Lines that begin with % are comments. */
#ifndef HESCA_TOOLS_LIB_TEXT_READER_H
#define HESCA_TOOLS_LIB_TEXT_READER_H

#include <stddef.h>
#include <stdint.h>

/** A file that is being read. */
typedef struct {
    const char *path;
    char *text, *at, *end; /* the whole file; the next character */
    long line;             /* the current one, from 1 */
} text_reader;

/** Read a file, "-": stdin.
 * \return 1 (close it), or 0 after an error message. */
int text_reader_open(text_reader *w, const char *path);
void text_reader_close(text_reader *w);

/** Go to the next line that is not a comment; the first call goes to the
 * first.
 * \return 0 at the end of the file. */
int text_reader_line(text_reader *w);

/** Whether nothing is left on this line. */
int text_reader_is_end(text_reader *w);

/** Read the next word of this line, a whole number.
 * \param [in] what  Its meaning, for error messages.
 * \return 1, or 0 after an error message. */
int text_reader_count(text_reader *w, const char *what, int64_t least,
                      int64_t most, int64_t *x);

/** Print an error message that the line has more words.
 * \return 1 if it has none, or 0. */
int text_reader_end(text_reader *w);

/** Print an error message about this line.
 * \return 0 always. */
int text_reader_wrong(const text_reader *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Print an error message unless only empty lines and comments are left.
 * \return 1, or 0. */
int text_reader_finish(text_reader *w);

/** Read a file with a number in each line; lines at the end may be empty.
 * \param [out] list  Free with free(), also after an error message; NULL if
 *                    there are none.
 * \return 1, or 0 after an error message. */
int text_reader_list(const char *path, const char *what, int64_t most,
                     int64_t **list, int64_t *n);

#endif

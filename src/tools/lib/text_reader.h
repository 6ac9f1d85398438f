/** \file tools/lib/text_reader.h
 * Files of numbers, read strictly: what is wrong is told in one line on stderr
 * that names file, line and word.
 *
 * Lines that begin with % are comments. */
#ifndef HESCA_TOOLS_LIB_TEXT_READER_H
#define HESCA_TOOLS_LIB_TEXT_READER_H

#include <stddef.h>
#include <stdint.h>

/** A file that is being read. */
typedef struct {
    const char *path;
    char *text, *at, *end; /* all of it; what comes next */
    long line;             /* the one that is read, from 1 */
} text_reader;

/** Read a file, "-": stdin.
 * \return 1 (close it), or 0 after a complaint. */
int text_reader_open(text_reader *w, const char *path);
void text_reader_close(text_reader *w);

/** Go to the next line that is not a comment, before the first one at first.
 * \return 0 at the end of the file. */
int text_reader_line(text_reader *w);

/** Whether nothing is left on this line. */
int text_reader_is_end(text_reader *w);

/** The next word of this line: a whole number.
 * \param [in] what  What it is, for complaints.
 * \return 1, or 0 after a complaint. */
int text_reader_count(text_reader *w, const char *what, int64_t least,
                      int64_t most, int64_t *x);

/** Complain that the line has more words.
 * \return 1 if it has none, or 0. */
int text_reader_end(text_reader *w);

/** Complain about this line.
 * \return 0 always. */
int text_reader_wrong(const text_reader *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Complain unless only empty lines and comments are left.
 * \return 1, or 0. */
int text_reader_finish(text_reader *w);

/** Read a file that has a number in each line, as many as there are; lines at
 * the end may be empty.
 * \param [out] list  To free with free(), also after a complaint; NULL if
 *                    there are none.
 * \return 1, or 0 after a complaint. */
int text_reader_list(const char *path, const char *what, int64_t most,
                     int64_t **list, int64_t *n);

#endif

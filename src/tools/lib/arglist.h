/** \file tools/lib/arglist.h
 * The words of a command, for exec. */
#ifndef HESCA_TOOLS_LIB_ARGLIST_H
#define HESCA_TOOLS_LIB_ARGLIST_H

typedef struct {
    char **word; /**< [n], and NULL behind them */
    int n, failed;
} arglist;

/** Add a word, made as by printf.  Where there is no memory the list has
 * failed. */
void arglist_add(arglist *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Add the words of a text, blanks between them. */
void arglist_split(arglist *x, const char *text);

/** Print it to stdout as a shell would have to be given it. */
void arglist_print(const arglist *x);

/** Print it to stdout as an array of JSON. */
void arglist_json(const arglist *x);

void arglist_free(arglist *x);

#endif

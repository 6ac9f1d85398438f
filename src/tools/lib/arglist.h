/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/arglist.h
 * The arguments of a command, for exec. */
#ifndef HESCA_TOOLS_LIB_ARGLIST_H
#define HESCA_TOOLS_LIB_ARGLIST_H

typedef struct {
    char **word; /**< [n], then NULL */
    int n, failed;
} arglist;

/** Add an argument, formatted as by printf.  Without memory the list has
 * failed. */
void arglist_add(arglist *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Add the arguments of a text, separated by blanks. */
void arglist_split(arglist *x, const char *text);

/** Print it to stdout, quoted for a shell. */
void arglist_print(const arglist *x);

/** Print it to stdout as a JSON array. */
void arglist_json(const arglist *x);

void arglist_free(arglist *x);

#endif

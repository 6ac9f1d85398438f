/* SPDX-License-Identifier: BSD-3-Clause */
/** \file pmdl/builtins.h
 * Functions that the evaluator knows: those of HDPI that models use, and of
 * math.h.  A row says what each argument is and how long its array. */
#ifndef HESCA_PMDL_BUILTINS_H
#define HESCA_PMDL_BUILTINS_H

enum { HESCA_BUILTIN_ARGS = 16 };

/** The kinds of arguments, as letters in hesca_builtin.args. */
enum {
    HESCA_ARG_INT = 'i',
    HESCA_ARG_DOUBLE = 'd',
    HESCA_ARG_SPEEDS = 's', /**< const double *, or int *, which is copied */
    HESCA_ARG_READ = 'r',   /**< const int * */
    HESCA_ARG_WRITE = 'w',  /**< int * */
    HESCA_ARG_OWNER = 'o',  /**< Processor * */
    HESCA_ARG_NULL = 'n'    /**< NULL in the evaluator */
};

/** A value of an argument. */
typedef union {
    int i;
    double d;
    double *speeds;
    int *ints;
    void *pointer;
} hesca_builtin_arg;

typedef struct hesca_builtin {
    const char *name;
    const char *args;  /**< a letter for each */
    const char *sizes; /**< for each array, in order, the arguments whose
                            product is its length: "0*1,4"; plus 1: "0+";
                            "0|5": 5 if the array before it is not NULL */
    double (*call)(const hesca_builtin_arg *arg); /**< an int's value is
                                                       exact */
    int is_double;                                /**< the result, else int */
    int is_math; /**< declared by math.h, else hdpi.h */
} hesca_builtin;

extern const hesca_builtin hesca_builtins[];
extern const int hesca_nbuiltins;

#endif

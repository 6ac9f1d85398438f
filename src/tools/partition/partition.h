/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/partition/partition.h
 * hesca partition: the share of each processor in an object. */
#ifndef HESCA_TOOLS_PARTITION_PARTITION_H
#define HESCA_TOOLS_PARTITION_PARTITION_H

#include "hesca/experimental/speed.h"
#include "tools/lib/fields.h"
#include "tools/partition/partition_options.h"

/* ------------------------------------------------ processors */

/** Processors and their speeds. */
typedef struct {
    int p;
    char (*name)[HESCA_HOST_MAX]; /* [p] */
    hesca_speed **model;          /* [p] with their limits */
    char source[200]; /* a description of the source of the speeds */
} partition_processors;

/** Processors as in the options.
 * \return 1 (clear it), or 0 after an error message. */
int partition_processors_make(partition_processors *x,
                              const partition_options *o);
void partition_processors_clear(partition_processors *x);

/* ------------------------------------------------ shares */

/** The share of one processor. */
typedef struct {
    int64_t count; /* elements */
    double size;   /* their weight, or count */
    double speed,
        time; /* at this size: size / speed, INFINITY beyond limits */
} partition_share;

typedef struct partition_state partition_state;

/** The operations on an object.  Functions that return int return 1, or 0
 * after an error message. */
typedef struct {
    /* Read and partition it; sets the remaining members of the state. */
    int (*solve)(partition_state *s);
    /* Fields of processor i that only this object has. */
    void (*put)(fields *f, const partition_state *s, int i);
    /* For columns that only this object has: the heading and the values of
     * processor i; then the lines below the table. */
    void (*print_head)(const partition_state *s, FILE *f);
    void (*print_columns)(const partition_state *s, int i, FILE *f);
    void (*print_more)(const partition_state *s, FILE *f);
    void (*draw)(const partition_state *s, FILE *f);
    /* The processor of every element, one per line. */
    void (*list)(const partition_state *s, FILE *f);
    void (*clear)(partition_state *s);
} partition_kind;

/** A partition and what it is computed from. */
struct partition_state {
    const partition_options *o;
    partition_processors q;
    fields_files out;
    void *object;           /* the kind's own */
    char heading[200];      /* what was partitioned */
    int64_t elements;       /* of all */
    double total;           /* their size */
    int is_weighted;        /* sizes are not counts */
    partition_share *share; /* [q.p] */
    double time, ideal;     /* the largest, and a lower bound of it */
    int is_exact;           /* the largest time is minimal */
    double equal;  /* the largest time if all speeds were taken as equal, */
    double single; /* or as those at an equal share; INFINITY: limits are
                      exceeded; NAN: not known */
};

extern const partition_kind partition_set, partition_matrix, partition_graph;

/** The time of a processor for elements of that size; INFINITY beyond its
 * limit. */
double partition_time(const hesca_speed *model, int64_t count, double size);

/** Set the share of processor i. */
void partition_take(partition_state *s, int i, int64_t count, double size);

/** Find the times of partitions by simpler models: equal speeds (NULL), and
 * the speeds at an equal share.
 * \param [in] time_by  The largest time of the partition by other models, at
 *                      the true speeds; NAN if there is none.
 * \return 1, or 0 after an error message. */
int partition_compare(partition_state *s,
                      double (*time_by)(const partition_state *s,
                                        hesca_speed *const *model));

/* ------------------------------------------------ results */

/** Open the files of rows.
 * \return 1, or 0 after an error message. */
int partition_open(partition_state *s);

/** Write the rows, and the text table. */
void partition_print(partition_state *s, const partition_kind *kind);

/** A number of seconds, elements ... as text, "-" if it is infinite. */
const char *partition_number(double value, char text[32]);

#endif

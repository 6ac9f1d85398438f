/** \file tools/partition/partition.h
 * hesca partition: how much of an object for whom. */
#ifndef HESCA_TOOLS_PARTITION_PARTITION_H
#define HESCA_TOOLS_PARTITION_PARTITION_H

#include "hesca/experimental/speed.h"
#include "tools/lib/fields.h"
#include "tools/partition/partition_options.h"

/* ------------------------------------------------ who */

/** Processors and their speeds. */
typedef struct {
    int p;
    char (*name)[HESCA_HOST_MAX]; /* [p] */
    hesca_speed **model;          /* [p] with their limits */
    char source[200];             /* where speeds are from, for people */
} partition_processors;

/** As options say.
 * \return 1 (clear it), or 0 after a complaint. */
int partition_processors_make(partition_processors *x,
                              const partition_options *o);
void partition_processors_clear(partition_processors *x);

/* ------------------------------------------------ what for whom */

/** What one processor gets. */
typedef struct {
    int64_t count;      /* elements */
    double size;        /* their weight, or count: what takes time */
    double speed, time; /* there: size / speed, INFINITY beyond limits */
} partition_share;

typedef struct partition_state partition_state;

/** What can be done with an object.  Functions that return int return 1, or 0
 * after a complaint. */
typedef struct {
    /* Read and partition it; sets what is left open in the state. */
    int (*solve)(partition_state *s);
    /* Fields that only this object has, of processor i. */
    void (*put)(fields *f, const partition_state *s, int i);
    /* The heading of columns that only this object has, those of processor i,
     * and lines below the table. */
    void (*tell_head)(const partition_state *s, FILE *f);
    void (*tell)(const partition_state *s, int i, FILE *f);
    void (*tell_more)(const partition_state *s, FILE *f);
    void (*draw)(const partition_state *s, FILE *f);
    /* The part of every element, one per line. */
    void (*list)(const partition_state *s, FILE *f);
    void (*clear)(partition_state *s);
} partition_kind;

/** A partition in the making, and then made. */
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
    double time, ideal;     /* the largest, and a bound that none is below */
    int is_exact;           /* no partition has a smaller largest time */
    double equal;           /* the largest time if all were taken for alike, */
    double single; /* for as fast as at an equal share; INFINITY: limits
                      are exceeded; NAN: not known */
};

extern const partition_kind partition_set, partition_matrix, partition_graph;

/** How long a processor takes for elements of that size; INFINITY if they are
 * more than its limit. */
double partition_time(const hesca_speed *model, int64_t count, double size);

/** Give processor i its share. */
void partition_take(partition_state *s, int i, int64_t count, double size);

/** Find what partitions by simpler models would take: all alike, NULL, and
 * each as fast as it is at an equal share.
 * \param [in] time_by  The largest time that the partition by other models
 *                      really takes, NAN if there is none.
 * \return 1, or 0 after a complaint. */
int partition_compare(partition_state *s,
                      double (*time_by)(const partition_state *s,
                                        hesca_speed *const *model));

/* ------------------------------------------------ what is told of it */

/** Open the files of rows.
 * \return 1, or 0 after a complaint. */
int partition_open(partition_state *s);

/** Write the rows, and the table for people. */
void partition_tell(partition_state *s, const partition_kind *kind);

/** A number of seconds, elements ... for people, "-" if it is infinite. */
const char *partition_number(double value, char text[32]);

#endif

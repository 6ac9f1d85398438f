/** \file sim/generate.h
 * Random machines and message sizes, as the evaluations of heterogeneous
 * schedules draw them.
 *
 * Every process has a host of its own.  The start-up time and the rate of
 * every wire are drawn from ranges; a few kinds of machines are known by name:
 *   het       start-up 0, 10 to 200 MB/s (BHAT-HET 5)
 *   col       10 us to 1 ms, 10 kB/s to 200 MB/s (BHAT-COL 5, Figure 4)
 *   clusters  halves; inside 10 us to 1 ms, 10 to 200 MB/s, between them 1 to
 *             20 ms, 10 to 50 kB/s (BHAT-COL 5, Figure 5)
 *   gusto     12 to 89.5 ms, 246 to 2044 kbit/s, the same both ways: the least
 *             and the most of GUSTO's sites (BHAT-COL Table 1; the tables of
 *             BHAT-EXC 3.1, "the guideline" of its experiments, are lost in
 *             the text that we have)
 * "Chosen in the range" is taken as uniform in it.  kB and MB are powers of
 * 1000, as are rates everywhere. */
#ifndef HESCA_SIM_GENERATE_H
#define HESCA_SIM_GENERATE_H

#include "hesca/experimental/events.h"
#include "machine/network.h"
#include "sim/random.h"

/** What start-up times (s) and rates (bytes/s) are drawn from. */
typedef struct {
    hesca_range startup, rate;
} hesca_wire_range;

/** What a machine is drawn from. */
typedef struct {
    const char *name;
    hesca_wire_range inside;  /* a cluster; all wires with one cluster */
    hesca_wire_range between; /* clusters */
    int nclusters;            /* >= 1; sizes differ by one at most */
    int is_symmetric;         /* a pair is drawn once for both ways */
} hesca_machine_kind;

/** The kinds that have a name; a kind without one ends the list. */
extern const hesca_machine_kind hesca_machine_kinds[];

/** The kind of that name, or NULL. */
const hesca_machine_kind *hesca_machine_kind_find(const char *name);

/** Of p processes, the first ones make up cluster 0, and so on. */
int hesca_machine_cluster(const hesca_machine_kind *kind, int nproc, int p);

/** Draw a machine.  A process sends to itself at the best that wires inside
 * its cluster may have.
 * \param [out] x  Free with hesca_network_clear().
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_generate_network(const hesca_machine_kind *kind, int nproc,
                           hesca_random *r, hesca_network *x);

/** How long messages of a total exchange are. */
typedef enum {
    HESCA_SIZES_FIXED,  /* all are large */
    HESCA_SIZES_MIXED,  /* small or large, each with probability 1/2 */
    HESCA_SIZES_SERVERS /* from a server to a client large, else small */
} hesca_sizes_kind;

typedef struct {
    hesca_sizes_kind kind;
    double small, large; /* bytes, > 0 */
    double servers;      /* share of the processes that are servers, 0 ... 1,
                            rounded; at least one is.  Which is drawn, too */
} hesca_sizes;

/** Draw the bytes of a total exchange.
 * \param [out] bytes  [nproc * nproc] from, to; 0 on the diagonal.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_generate_sizes(const hesca_sizes *sizes, int nproc, hesca_random *r,
                         double *bytes);

/** How reality differs from a plan. */
typedef struct {
    double spread; /* 0 <= spread < 1: every time is multiplied by a factor in
                      1 - spread ... 1 + spread, */
    double slow;   /* >= 1: and by one of its sender and one of its receiver in
                      1 ... slow */
} hesca_drift;

/** Draw what messages really take; factors are uniform.
 * \param [out] real  [x->n] seconds by event.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_generate_drift(const hesca_drift *drift, const hesca_events *x,
                         hesca_random *r, double *real);

#endif

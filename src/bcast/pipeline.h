/** \file bcast/pipeline.h
 * Long messages in segments: while a process sends one on, it receives the
 * next.
 *
 * Every sender takes the segments in turn, and sends each to all its children
 * in their order, before the next one.  A segment of m / s bytes costs T_ij +
 * m / (s B_ij) (BHAT-COL 3.1), so that more segments fill the tree sooner, and
 * cost more start-ups.  What matters is not how deep a tree is but how long
 * its busiest process takes for a segment. */
#ifndef HESCA_BCAST_PIPELINE_H
#define HESCA_BCAST_PIPELINE_H

#include "hesca/experimental/broadcast.h"
#include "hesca/experimental/machine.h"

/** A message and its links; the rest as in hesca_broadcast_problem. */
typedef struct {
    int nproc;
    hesca_wire equal;      /* what all links are if startup is NULL */
    const double *startup; /* [nproc * nproc] T_ij, seconds, >= 0 */
    const double *rate;    /* [nproc * nproc] B_ij, bytes per second, > 0; 0:
                              there is no link */
    double bytes;          /* > 0 */
    int root, ndest;
    const int *dest;
    int relays;
    int nonblocking; /* whether a sender is taken by the start-up alone */
} hesca_cargo;

/** How to send it. */
typedef struct {
    hesca_broadcast tree;  /* of the first segment, in the best order */
    const char *algorithm; /* who found it */
    int segments;
    double seconds; /* predicted, for all of them */
} hesca_pipeline;

/** The costs of one of s segments.
 * \param [out] cost  [nproc * nproc] */
void hesca_cargo_cost(const hesca_cargo *m, int segments, double *cost);

/** When the last process has the last segment, the tree being that of a
 * broadcast (the order of every sender's children counts, the times do not).
 * O(segments x sends).
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_pipeline_seconds(const hesca_cargo *m, const hesca_broadcast *tree,
                           int segments, double *seconds);

/** The same, and all sends of all segments.
 * \param [out] sends  [segments tree->n] segment by segment. */
int hesca_pipeline_list(const hesca_cargo *m, const hesca_broadcast *tree,
                        int segments, hesca_send *sends, double *seconds);

/** The best number of segments, 1 ... most, for this tree.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_pipeline_tune(const hesca_cargo *m, const hesca_broadcast *tree,
                        int most, int *segments, double *seconds);

/** The best tree and number of segments: of a chain, a binary and a binomial
 * tree, and where links differ of several algorithms, for costs of several
 * lengths of segments.
 * \param [in]  most  Largest number of segments, >= 1.
 * \param [out] p     Free with hesca_pipeline_clear(); empty on error.
 * \return HESCA_SUCCESS; HESCA_ERR_ARG: most, bytes, or as
 * hesca_broadcast_problem_check(); HESCA_ERR_NOMEM. */
int hesca_pipeline_init(const hesca_cargo *m, int most, hesca_pipeline *p);

void hesca_pipeline_clear(hesca_pipeline *p);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file bcast/pipeline.h
 * Pipelined broadcasts: a long message is sent in segments, and a process
 * receives a segment while it forwards the previous one.
 *
 * Every sender sends a segment to all its children, in their order, before the
 * next segment.  A segment of m / s bytes costs T_ij + m / (s B_ij)
 * (BHAT-COL 3.1), so more segments fill the tree sooner, but cost more
 * start-ups.  For many segments the time of the busiest process per segment
 * matters, not the depth of the tree. */
#ifndef HESCA_BCAST_PIPELINE_H
#define HESCA_BCAST_PIPELINE_H

#include "hesca/experimental/broadcast.h"
#include "hesca/experimental/machine.h"

/** A message and its links; the rest as in hesca_broadcast_problem. */
typedef struct {
    int nproc;
    hesca_wire equal;      /* all links, if startup is NULL */
    const double *startup; /* [nproc * nproc] T_ij, seconds, >= 0 */
    const double *rate;    /* [nproc * nproc] B_ij, bytes per second, > 0; 0:
                              there is no link */
    double bytes;          /* > 0 */
    int root, ndest;
    const int *dest;
    int relays;
    int nonblocking; /* whether only the start-up occupies a sender */
} hesca_pipeline_problem;

/** A pipelined broadcast. */
typedef struct {
    hesca_broadcast tree;  /* of the first segment, in the best order */
    const char *algorithm; /* that found it */
    int segments;
    double seconds; /* predicted, for all segments */
} hesca_pipeline;

/** The costs of one of several segments.
 * \param [out] cost  [nproc * nproc] seconds; INFINITY: no link. */
void hesca_pipeline_cost(const hesca_pipeline_problem *m, int segments,
                         double *cost);

/** The time at which the last process has the last segment.
 * O(segments x sends).
 * \param [in] tree  Its sends specify the tree and the order of the children
 *                   of every sender; its times are not used.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_pipeline_seconds(const hesca_pipeline_problem *m,
                           const hesca_broadcast *tree, int segments,
                           double *seconds);

/** As hesca_pipeline_seconds(), and list all sends.
 * \param [out] sends  [segments * tree->n] segment by segment; or NULL. */
int hesca_pipeline_list(const hesca_pipeline_problem *m,
                        const hesca_broadcast *tree, int segments,
                        hesca_send *sends, double *seconds);

/** The best number of segments, 1 ... most, for this tree.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_pipeline_tune(const hesca_pipeline_problem *m,
                        const hesca_broadcast *tree, int most, int *segments,
                        double *seconds);

/** The best tree and number of segments.  Candidates are a chain, a binary and
 * a binomial tree and, if links differ, the trees of several algorithms for
 * the costs of several lengths of segments.
 * \param [in]  most  Largest number of segments, >= 1.
 * \param [out] p     Free with hesca_pipeline_clear(); empty on error.
 * \return HESCA_SUCCESS; HESCA_ERR_ARG: most, bytes, or as
 * hesca_broadcast_problem_check(); HESCA_ERR_NOMEM. */
int hesca_pipeline_init(const hesca_pipeline_problem *m, int most,
                        hesca_pipeline *p);

void hesca_pipeline_clear(hesca_pipeline *p);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file bcast/forwarding.h
 * Forwarding tree for a stream of messages from one process to the same
 * receivers.
 *
 * The processes are in a line behind the source, and each receives everything
 * from one process before it, and forwards it in pieces as these arrive.  If
 * links are equal, the receivers form a chain, in which every link transfers
 * each message once, if they are few, or if messages are so long that a chain
 * has delivered them before a binomial tree has.  More receivers form a
 * binomial tree.  If links differ, the line is the tree in which a few
 * messages arrive first (bcast/pipeline.h). */
#ifndef HESCA_BCAST_FORWARDING_H
#define HESCA_BCAST_FORWARDING_H

#include "machine/network.h"

/** Largest number of receivers for which a tree is searched; more are sorted
 * by host. */
enum { HESCA_FORWARDING_SEARCHED = 16 };

/** Make the line of n processes behind a source.  Pure: the same on every
 * process.
 * \param [in]     bytes  Length of a message.
 * \param [in]     pieces Number of pieces of it, >= 1.
 * \param [in,out] rank   [n + 1] In: the source, and the others in the order
 *                        of their grid; out: the same, by place in the line.
 * \param [out]    before [n + 1] Place 0 ... k - 1 of the sender to place k;
 *                        -1 at place 0.  A process with several receivers
 *                        sends to them in the order of their places.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_forwarding_make(const hesca_link_costs *links, double bytes, int n,
                          int pieces, int *rank, int *before);

/** Largest number of receivers to which one process sends, of a line of n. */
int hesca_forwarding_fan(int n);

#endif

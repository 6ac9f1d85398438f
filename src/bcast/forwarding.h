/** \file bcast/forwarding.h
 * Message after message from one process to the same others: who passes them
 * on to whom.
 *
 * The processes stand in a line behind the source, each with one before it
 * from which it gets everything.  Where links are alike, each of up to three
 * passes to the next: every link carries a message once, and messages follow
 * each other like on a conveyor.  More are a binomial tree, since a message
 * that comes late over many links would be waited for.  Where links differ, it
 * is the tree in which a few messages arrive soonest (bcast/pipeline.h). */
#ifndef HESCA_BCAST_FORWARDING_H
#define HESCA_BCAST_FORWARDING_H

#include "machine/network.h"

/** Most processes of a line that a tree is searched for; more stand by host.
 */
enum { HESCA_FORWARDING_SEARCHED = 16 };

/** Make the line of n processes behind a source.  Pure, the same everywhere.
 * \param [in]     bytes  Of a message.
 * \param [in,out] rank   [n + 1] The source, and the others as they follow it
 *                        in their grid; out: in line.
 * \param [out]    before [n + 1] Place 0 ... k - 1 of the one before place k;
 *                        -1 at 0.  Who has several behind it sends to them in
 *                        the order of their places.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_forwarding_make(const hesca_link_costs *links, double bytes, int n,
                          int *rank, int *before);

/** The most that one of n may have behind it. */
int hesca_forwarding_fan(int n);

#endif

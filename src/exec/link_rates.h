/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/link_rates.h
 * The rates that messages from other processes had, for survey/learn.h.
 *
 * The pieces of a message come as fast as the link carries them if its sender
 * and receiver do nothing else.  So only redistributions are measured; panels
 * of products and factorizations come when processes find the time.  Of the
 * messages of a call the median counts. */
#ifndef HESCA_EXEC_LINK_RATES_H
#define HESCA_EXEC_LINK_RATES_H

#include <stdint.h>

enum { HESCA_LINK_RATES_RECENT = 9 };

typedef struct {
    int n;
    struct hesca_link_rate {
        double last;           /* when a piece arrived, seconds */
        double bytes, seconds; /* of the current message without its first
                                  piece */
        double recent[HESCA_LINK_RATES_RECENT]; /* message k in k % RECENT,
                                                   bytes per second */
        int count;
    } * from; /* [n] by rank */
} hesca_link_rates;

/** \return NULL if there is no memory. */
hesca_link_rates *hesca_link_rates_create(int n);
void hesca_link_rates_destroy(hesca_link_rates *r);

/** A piece of a message has arrived.
 * \param [in] r     NULL: nothing is noted.
 * \param [in] piece Its number in the message, from 0. */
void hesca_link_rates_note(hesca_link_rates *r, int rank, int64_t piece,
                           int64_t bytes);

/** Take the rate from a rank, and forget it.
 * \return Bytes per second; 0: none. */
double hesca_link_rates_take(hesca_link_rates *r, int rank);

#endif

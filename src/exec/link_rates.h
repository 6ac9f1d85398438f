/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/link_rates.h
 * The rates that messages from other processes had, for survey/learn.h.
 *
 * Pieces of one message come as fast as the link carries them, if sender and
 * receiver do nothing else; so only redistributions are measured, and products
 * and factorizations, which compute in between, are not.  What counts is the
 * best of all messages, because everything but the link makes one slower. */
#ifndef HESCA_EXEC_LINK_RATES_H
#define HESCA_EXEC_LINK_RATES_H

#include <stdint.h>

typedef struct {
    int n;
    struct hesca_link_rate {
        double last; /* when a piece arrived, seconds */
        double bytes,
            seconds; /* of the current message without its first piece */
        double best; /* bytes per second; 0: none yet */
    } * from;        /* [n] by rank */
} hesca_link_rates;

/** \return NULL if there is no memory. */
hesca_link_rates *hesca_link_rates_create(int n);
void hesca_link_rates_destroy(hesca_link_rates *r);

/** A piece of a message has arrived.
 * \param [in] r     NULL: nothing is noted.
 * \param [in] piece Its number in the message, from 0. */
void hesca_link_rates_note(hesca_link_rates *r, int rank, int64_t piece,
                           int64_t bytes);

/** Take the best rate from a rank, and forget it.
 * \return Bytes per second; 0: none. */
double hesca_link_rates_take(hesca_link_rates *r, int rank);

#endif

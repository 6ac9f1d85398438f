/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/staging.h
 * Staging buffers: blocks of memory that a process reuses from call to call,
 * because allocating and first touching them costs more than most
 * redistributions.
 *
 * A call acquires a set of blocks and releases it at its end, so there are as
 * many sets as threads that are in a call at the same time, usually one. */
#ifndef HESCA_EXEC_STAGING_H
#define HESCA_EXEC_STAGING_H

#include "exec/comm.h"
#include <stddef.h>

/** What a block is for. */
typedef enum {
    HESCA_STAGING_MESSAGES, /**< messages in flight */
    HESCA_STAGING_ODD, /**< local arrays between phases, used alternately */
    HESCA_STAGING_EVEN,
    HESCA_STAGING_USES
} hesca_staging_use;

/** At least n bytes, aligned to a page; NULL if there is no memory. Valid
 * until the next call for the same use of c, or hesca_staging_release(). */
void *hesca_staging_get(hesca_comm *c, hesca_staging_use use, size_t n);

/** Release the staging buffers of c. */
void hesca_staging_release(hesca_comm *c);

/** A block of at least n bytes, aligned to a cache line, for the length of a
 * call; NULL if there is no memory.  Blocks that were given back are used
 * again, because new pages cost a dense routine more than its messages: up to
 * 64 MB of them are kept. Local, for any thread. */
void *hesca_staging_block(size_t n);

/** Give a block back; NULL is allowed. */
void hesca_staging_unblock(void *block);

/** Free all buffers that are not in use; in MPI_Finalize. */
void hesca_staging_free(void);

#endif

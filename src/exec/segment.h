/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/segment.h
 * A segment of memory that the processes of a node share, for operands that
 * one of them writes and others read in place.
 *
 * It belongs to a communicator, all processes of which are on one node, and
 * stays from call to call, at most HESCA_BUFFER bytes of it. Each process has
 * counts in it, which it alone writes and others read: they order the
 * accesses, without messages. */
#ifndef HESCA_EXEC_SEGMENT_H
#define HESCA_EXEC_SEGMENT_H

#include "exec/comm.h"
#include <stdatomic.h>

enum { HESCA_SEGMENT_USERS = 4 /* of a call */ };

/** Counts of one process for one user. They never decrease: counts of later
 * calls are larger. */
typedef struct {
    _Alignas(64) _Atomic uint64_t published;
    _Alignas(64) _Atomic uint64_t released;
} hesca_segment_counts;

struct hesca_segment {
    char *memory;                 /* the same in all processes */
    hesca_segment_counts *counts; /* [processes][HESCA_SEGMENT_USERS] */
    uint64_t serial;              /* calls that used it */
    size_t bytes;                 /* of memory */
    char *head;                   /* where it begins, or NULL */
    size_t size;                  /* of all */
    int refused;                  /* the system has none */
};

/** At least so many bytes for the call in progress; their values are
 * undefined, and they may be written after the next agreement, since other
 * processes may still be in the call before.
 *
 * Collective over c.
 * \param [in]  bytes  (global)
 * \param [out] s      NULL if there is none: on several nodes, one process,
 *                     too many bytes, HESCA_TRANSPORT=mpi, or if the system
 *                     refuses; the same on all processes.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_segment_get(hesca_comm *c, int64_t bytes, hesca_segment **s);

/** The value of a count for n panels, or the like, of the call in progress. */
static inline uint64_t
hesca_segment_stamp(const hesca_segment *s, int64_t n)
{
    return s->serial << 40 | (uint64_t)n;
}

/** Unmap it; NULL is allowed. Local. */
void hesca_segment_free(hesca_segment *s);

#endif

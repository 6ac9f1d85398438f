/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/channel.h
 * One direction between two processes of a node: a ring of records in shared
 * memory.
 *
 * The sender writes a record in place and publishes it; the receiver reads it
 * in place and releases the space. Each side counts bytes and writes its own
 * count only, so no other synchronisation is needed.  A record is contiguous:
 * one that would cross the end of the ring is placed at its start.  Both sides
 * know the size of every record beforehand. */
#ifndef HESCA_EXEC_CHANNEL_H
#define HESCA_EXEC_CHANNEL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HESCA_LINE = 64
}; /* bytes of a cache line; records are aligned to it */

/** The counts, each in its own cache line because two processes poll them. */
typedef struct {
    _Alignas(HESCA_LINE) _Atomic uint64_t head; /* published by the sender */
    int64_t pid;                                /* the sender, */
    uint64_t token; /* and where to read from it; both never change */
    _Alignas(HESCA_LINE) _Atomic uint64_t tail; /* released by the receiver */
    _Atomic int reads;       /* the receiver can read the sender's memory */
    _Atomic float read_cost; /* s per byte; 0: not known */
    _Atomic float unpack_cost;
} hesca_channel_counts;

/** One end. */
typedef struct {
    hesca_channel_counts *counts; /* shared */
    char *ring;                   /* shared */
    size_t size;                  /* of the ring, a power of two */
    uint64_t at;                  /* count of this end */
    uint64_t seen;                /* count of the other end when last read */
    uint64_t records;             /* large records sent */
    double trial[2]; /* s per byte, see pack_timed() in transport_shm.c */
    uint64_t offers; /* messages eligible for single copy, see single_copy.h */
    float pack_cost; /* of these when packed, s per byte */
} hesca_channel;

/** Count at which a record of n bytes begins. */
static inline uint64_t
hesca_channel_place(const hesca_channel *ch, size_t n)
{
    const uint64_t offset = ch->at & (ch->size - 1);
    return offset + n <= ch->size ? ch->at : ch->at + (ch->size - offset);
}

static inline uint64_t
hesca_channel_end(const hesca_channel *ch, size_t n)
{
    return hesca_channel_place(ch, n) +
           ((n + HESCA_LINE - 1) & ~(size_t)(HESCA_LINE - 1));
}

static inline char *
hesca_channel_address(const hesca_channel *ch, size_t n)
{
    return ch->ring + (hesca_channel_place(ch, n) & (ch->size - 1));
}

/** The sender: where to write a record of n bytes, or NULL if there is no
 * space yet. n is at most half the size of the ring: a larger record fits at
 * the beginning of the ring only. */
static inline char *
hesca_channel_room(hesca_channel *ch, size_t n)
{
    const uint64_t end = hesca_channel_end(ch, n);
    if (end - ch->seen > ch->size) {
        ch->seen =
            atomic_load_explicit(&ch->counts->tail, memory_order_acquire);
        if (end - ch->seen > ch->size)
            return NULL;
    }
    return hesca_channel_address(ch, n);
}

/** The sender: publish the record. */
static inline void
hesca_channel_push(hesca_channel *ch, size_t n)
{
    ch->at = hesca_channel_end(ch, n);
    atomic_store_explicit(&ch->counts->head, ch->at, memory_order_release);
}

/** The receiver: a record of n bytes, or NULL if it has not arrived. */
static inline const char *
hesca_channel_peek(hesca_channel *ch, size_t n)
{
    const uint64_t end = hesca_channel_end(ch, n);
    if (end > ch->seen) {
        ch->seen =
            atomic_load_explicit(&ch->counts->head, memory_order_acquire);
        if (end > ch->seen)
            return NULL;
    }
    return hesca_channel_address(ch, n);
}

/** The sender: whether the receiver has released everything up to a count. */
static inline int
hesca_channel_is_past(hesca_channel *ch, uint64_t count)
{
    if (ch->seen < count)
        ch->seen =
            atomic_load_explicit(&ch->counts->tail, memory_order_acquire);
    return ch->seen >= count;
}

/** The receiver: release the space of the record. */
static inline void
hesca_channel_pop(hesca_channel *ch, size_t n)
{
    ch->at = hesca_channel_end(ch, n);
    atomic_store_explicit(&ch->counts->tail, ch->at, memory_order_release);
}

#endif

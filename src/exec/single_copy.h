/** \file exec/single_copy.h
 * One copy instead of two: the sender lends its matrix, and the receiver lets
 * the kernel copy from there to its own (process_vm_readv, Linux).
 *
 * The kernel looks up every page, so this is for long runs, and even then only
 * sometimes the faster way: on an EPYC core it reads 7 GB/s from pages of 4
 * KiB, where packing and unpacking run at 10, and 14 from huge pages.  So the
 * ends of a channel try both and compare.  It is never required: where a
 * process may not read another's memory, or this one's, data are packed. */
#ifndef HESCA_EXEC_SINGLE_COPY_H
#define HESCA_EXEC_SINGLE_COPY_H

#include "exec/channel.h"
#include "exec/pack.h"

/** What a sender tells of a message that may be lent: the first record of
 * each. */
typedef struct {
    uint64_t a; /* address of its part of A; 0: it is packed after all */
    int64_t lda;
} hesca_offer;

/** Whether a message may be lent; the same answer at both ends. */
int hesca_single_copy_serves(const hesca_message *msg);

/** Read some columns of a lent message from *column on, and advance it.
 * \return 1, or 0 if the kernel refuses. */
int hesca_single_copy_read(const hesca_message *msg, int64_t pid,
                           hesca_offer offer, void *b, int64_t ldb,
                           int64_t *column);

/** Tell the receiver of a channel where it may try to read this process's id.
 */
void hesca_single_copy_publish(hesca_channel *out, uint64_t id);

/** Try it, expecting the sender's id, and tell the sender. */
void hesca_single_copy_try(hesca_channel *in, uint64_t id);

#endif

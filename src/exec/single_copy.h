/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/single_copy.h
 * Single copy instead of packing and unpacking: the receiver lets the kernel
 * copy from the sender's matrix to its own (process_vm_readv, Linux).
 *
 * The kernel looks up every page, so this pays for long runs only, and not
 * always for these: on an EPYC core it reads 7 GB/s from pages of 4 KiB, where
 * packing and unpacking run at 10, and 14 from huge pages. So the ends of a
 * channel try both and compare. It is never required: if the operating system
 * does not permit the read, data are packed. */
#ifndef HESCA_EXEC_SINGLE_COPY_H
#define HESCA_EXEC_SINGLE_COPY_H

#include "exec/channel.h"
#include "exec/pack.h"

/** The first record of each message that is eligible for single copy. */
typedef struct {
    uint64_t a; /* address of the sender's part of A; 0: it is packed */
    int64_t lda;
} hesca_offer;

/** Whether a message is eligible for single copy; the same result at both
 * ends. */
int hesca_single_copy_serves(const hesca_message *msg);

/** Read some columns of a message from *column on, and advance *column.
 * \return 1, or 0 if the kernel refuses. */
int hesca_single_copy_read(const hesca_message *msg, int64_t pid,
                           hesca_offer offer, void *b, int64_t ldb,
                           int64_t *column);

/** Publish to the receiver of a channel the address at which it may try to
 * read this process's id. */
void hesca_single_copy_publish(hesca_channel *out, uint64_t id);

/** Try that read, expecting the sender's id, and publish the result to the
 * sender. */
void hesca_single_copy_try(hesca_channel *in, uint64_t id);

#endif

/** \file bundles.h
 * The data of R_x(K,P) in order of their destinations, as every redistribution
 * has to put them in some way; by plain loops.
 *
 * Of every superblock a process has one block for each of K others. */
#ifndef HESCA_BENCH_BUNDLES_H
#define HESCA_BENCH_BUNDLES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int k, nprocs, me;
    int64_t nsuper;        /* superblocks */
    size_t block;          /* bytes of a block, x elements */
    size_t packet;         /* bytes for one process */
    char *sent, *received; /* [nprocs] packets, those that do not exist 0 */
} bundles;

/** Room for the packets of process me; nsuper superblocks, blocks of so many
 * bytes.
 * \return 1, or 0 if no memory is left. */
int bundles_make(bundles *x, int k, int nprocs, int me, int64_t nsuper,
                 size_t block);
void bundles_free(bundles *x);

/** From this process's part of A into x->sent. */
void bundles_pack(const bundles *x, const char *a);

/** From packets, x->received say, into this process's part of B. */
void bundles_unpack(const bundles *x, const char *packets, char *b);

#endif

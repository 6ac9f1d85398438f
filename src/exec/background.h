/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/background.h
 * Copies in the background: a matrix is redistributed to where it is factored
 * and back while the processes compute.
 *
 * It is cut into parts, which move one after the other, to the
 * factorization as they are, and back as soon as they are final; each is a
 * plan whose messages are exchanged directly.  Few bytes are in flight at a
 * time, because messages of the factorization share the links. */
#ifndef HESCA_EXEC_BACKGROUND_H
#define HESCA_EXEC_BACKGROUND_H

#include "exec/comm.h"
#include "hesca/redist.h"

typedef struct hesca_background hesca_background;

/** Plan the copies of an m x n matrix, or of a triangle of order m = n, from A
 * to B and back: in columns, but with part HESCA_UPPER, and back with
 * HESCA_ALL, in rows.
 *
 * Local, with arguments as of hesca_plan_make_between(): agree on the result.
 * \param [out] background  NULL if schedules do not allow it (HESCA_SCHEDULE,
 *                          HESCA_TRACE), on all processes; and on errors.
 * \return As hesca_plan_make(). */
int hesca_background_make(hesca_part part, int64_t m, int64_t n,
                          const hesca_matrix *a, const hesca_matrix *b,
                          size_t esize, hesca_comm *comm,
                          hesca_background **background);
void hesca_background_free(hesca_background *background);

/** Columns (rows) of the first part: the least that arrives at once; 0 for
 * NULL, as there is no copy in all calls below. Global. */
int64_t hesca_background_first(const hesca_background *background);

/** Begin the copies; no other redistribution of this communicator may begin
 * before they end.
 *
 * Collective.
 * \param [in,out] a, lda  This process's part of A: not to be used until the
 *                         end.
 * \param [out]    b, ldb  Of B; columns (rows) are written until they have
 *                         arrived.
 * \return HESCA_SUCCESS; on error none has begun on any process. */
int hesca_background_begin(hesca_background *background, void *a, int64_t lda,
                           void *b, int64_t ldb);

/** Columns (rows) 0 ... k - 1 of this process's part of B have arrived.
 * \return k: not less than in the call before; INT64_MAX for NULL. Local. */
int64_t hesca_background_arrived(const hesca_background *background);

/** Make progress. Local; never waits.
 * \param [in] ready  Columns (rows) 0 ... ready - 1 of this process's part of B
 *                    are final; not less than in the call before. */
int hesca_background_advance(hesca_background *background, int64_t ready);

/** All is final: wait for the rest.  Collective. */
int hesca_background_end(hesca_background *background);

/** Release the buffers of the copies: after their end, or where they cannot go
 * on. */
void hesca_background_release(hesca_background *background);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/background.h
 * A copy in the background: the part of a matrix that a factorization has
 * finished is redistributed while the process computes the rest.
 *
 * The triangle is cut into parts, which move one after the other; each is a
 * plan whose messages are exchanged directly.  Few bytes are in flight at a
 * time, because messages of the factorization share the links. */
#ifndef HESCA_EXEC_BACKGROUND_H
#define HESCA_EXEC_BACKGROUND_H

#include "exec/comm.h"
#include "hesca/redist.h"

typedef struct hesca_background hesca_background;

/** Plan the copy of a triangle of order n from A to B, with part HESCA_LOWER
 * in columns, HESCA_UPPER in rows.
 *
 * Local, with arguments as of hesca_plan_make_between(): agree on the result.
 * \param [out] background  NULL if schedules do not allow it (HESCA_SCHEDULE,
 *                          HESCA_TRACE), on all processes; and on errors.
 * \return As hesca_plan_make(). */
int hesca_background_make(hesca_part part, int64_t n, const hesca_matrix *a,
                          const hesca_matrix *b, size_t esize,
                          hesca_comm *comm, hesca_background **background);
void hesca_background_free(hesca_background *background);

/** Begin a copy; no other redistribution of this communicator may begin before
 * it ends.  NULL: no copy, as in all calls below.
 *
 * Collective.
 * \param [in]  a, lda  This process's part of A; read until the end.
 * \param [out] b, ldb  Of B; written from now on.
 * \return HESCA_SUCCESS; on error none has begun on any process. */
int hesca_background_begin(hesca_background *background, const void *a,
                           int64_t lda, void *b, int64_t ldb);

/** Make progress. Local; never waits.
 * \param [in] ready  Columns (rows) 0 ... ready - 1 of this process's part of A
 *                    are final; not less than in the call before. */
int hesca_background_advance(hesca_background *background, int64_t ready);

/** All is final: wait for the rest.  Collective. */
int hesca_background_end(hesca_background *background);

/** Release the buffers of a copy: after its end, or where it cannot go on. */
void hesca_background_release(hesca_background *background);

#endif

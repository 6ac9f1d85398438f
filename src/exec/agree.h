/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/agree.h
 * Agreement: all processes obtain the same values before any data moves. */
#ifndef HESCA_EXEC_AGREE_H
#define HESCA_EXEC_AGREE_H

#include "exec/comm.h"

/** The most values that are agreed on at once. */
enum { HESCA_AGREE_MAX = 64 };

/** Replace every value[k] by its minimum over all processes; n is global.
 *
 * Collective.  Dissemination in ceil(log2 P) rounds, which is correct for any
 * number of processes because the minimum is idempotent.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_agree_min(const hesca_comm *c, int n, int64_t *value);

/** Return the smallest status on all processes, with the failure of the lowest
 * rank that has it; if all succeed, value becomes the minimum as above.
 *
 * Collective; n < HESCA_AGREE_MAX. */
int hesca_agree(const hesca_comm *c, int err, int n, int64_t *value);

/** An agreement that goes on while the caller does something else: by one
 * operation of MPI, which also advances in the caller's MPI calls. */
typedef struct {
    MPI_Request request; /* MPI_REQUEST_NULL: it is done */
    int n;
    int64_t v[HESCA_AGREE_MAX];
} hesca_agreement;

/** Begin hesca_agree(), and end it: all processes begin it at the same place
 * among the collective operations of HESCA on c, each may end it when it
 * likes, after it has called MPI; a process with err < 0 before its next
 * error. */
int hesca_agree_begin(const hesca_comm *c, int err, int n,
                      const int64_t *value, hesca_agreement *a);
int hesca_agree_end(const hesca_comm *c, hesca_agreement *a, int64_t *value);

/** An argument that must be the same on all processes. */
typedef struct {
    const char *name;
    int info;      /* number of the argument, for hesca_error_info() */
    int known;     /* (local) 0: this process does not know it */
    int64_t value; /* (in) if known; (out) the common value */
} hesca_common;

/** Where the values of an argument may differ. */
typedef struct {
    int where; /* 0: nowhere; HESCA_ALWAYS; k > 0: where value k - 1 of the
                  list is 1 */
    int err;   /* returned then; 0: the minimum is taken */
} hesca_slack;

enum { HESCA_ALWAYS = -1 };

/** Find the common values of n arguments.
 *
 * Collective.
 * \param [in] slack  [n] NULL: none may differ.
 * \return HESCA_SUCCESS; HESCA_ERR_MISMATCH if they differ where they may not,
 *         naming the first; HESCA_ERR_ARG if no process knows one. */
int hesca_agree_common(const hesca_comm *c, const char *routine, int n,
                       hesca_common *common, const hesca_slack *slack);

#endif

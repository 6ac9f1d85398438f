/** \file exec/staging.h
 * Memory of executions: blocks of a process, kept from call to call, because
 * allocating and first touching them costs more than most redistributions.
 *
 * A call borrows a set of blocks and gives it back at its end, so there are as
 * many sets as threads that are in a call at the same time: one as a rule. */
#ifndef HESCA_EXEC_STAGING_H
#define HESCA_EXEC_STAGING_H

#include "exec/comm.h"
#include <stddef.h>

/** What a block is for. */
typedef enum {
    HESCA_STAGE_MESSAGES, /**< messages on their way */
    HESCA_STAGE_ODD,      /**< local arrays between legs, which take turns */
    HESCA_STAGE_EVEN,
    HESCA_STAGES
} hesca_stage;

/** At least n bytes, aligned to a page; NULL if there is no memory.  Valid
 * until the next call for the same stage of c, or hesca_stage_release(). */
void *hesca_stage_get(hesca_comm *c, hesca_stage stage, size_t n);

/** The memory of c is not used any more. */
void hesca_stage_release(hesca_comm *c);

/** Free all that is not used; in MPI_Finalize. */
void hesca_stage_free(void);

#endif

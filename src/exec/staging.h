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
    HESCA_STAGING_MESSAGES, /**< messages on their way */
    HESCA_STAGING_ODD, /**< local arrays between phases, which take turns */
    HESCA_STAGING_EVEN,
    HESCA_STAGING_USES
} hesca_staging_use;

/** At least n bytes, aligned to a page; NULL if there is no memory.  Valid
 * until the next call for the same stage of c, or hesca_staging_release(). */
void *hesca_staging_get(hesca_comm *c, hesca_staging_use stage, size_t n);

/** The memory of c is not used any more. */
void hesca_staging_release(hesca_comm *c);

/** Free all that is not used; in MPI_Finalize. */
void hesca_staging_free(void);

#endif

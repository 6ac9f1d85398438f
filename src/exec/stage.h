/** \file exec/stage.h
 * Memory of executions: blocks of a process, kept from call to call, because
 * allocating and first touching them costs more than most redistributions. */
#ifndef HESCA_EXEC_STAGE_H
#define HESCA_EXEC_STAGE_H

#include <stddef.h>

/** What a block is for. */
typedef enum {
    HESCA_STAGE_MESSAGES, /**< messages on their way */
    HESCA_STAGE_ODD,      /**< local arrays between legs, which take turns */
    HESCA_STAGE_EVEN,
    HESCA_STAGES
} hesca_stage;

/** At least n bytes, aligned to a page; NULL if there is no memory.  Valid
 * until the next call for the same stage. */
void *hesca_stage_get(hesca_stage stage, size_t n);
void hesca_stage_free(void);

#endif

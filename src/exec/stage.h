/** \file exec/stage.h
 * Staging memory: one block per process, kept from call to call, because
 * allocating and first touching it costs more than most redistributions. */
#ifndef HESCA_EXEC_STAGE_H
#define HESCA_EXEC_STAGE_H

#include <stddef.h>

/** At least n bytes, aligned to a page; NULL if there is no memory.  Valid
 * until the next call. */
void *hesca_stage_get(size_t n);
void hesca_stage_free(void);

#endif

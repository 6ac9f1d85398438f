#define _DEFAULT_SOURCE /* madvise */
#include "exec/stage.h"
#include "base/status.h"
#include <stdlib.h>
#include <sys/mman.h>

/* MPI moves large messages inside a node by letting the kernel copy from one
 * process to the other, which looks up every page.  In huge pages that is a
 * fifth to a third less time for a whole redistribution (4 processes on 2
 * cores, 3200 x 3200 doubles).  A smaller block does not fill one. */
enum { PAGE = 4096, HUGE_PAGE = 2 << 20 };

static struct {
    void *memory;
    size_t size;
} block[HESCA_STAGES];

void *
hesca_stage_get(hesca_stage stage, size_t n)
{
    if (n > block[stage].size || block[stage].memory == NULL) {
        /* Not rounded to huge pages: HESCA_BUFFER is a bound. */
        n = (n + PAGE - (n > 0)) / PAGE * PAGE;
        free(block[stage].memory);
        block[stage].memory =
            aligned_alloc(n % HUGE_PAGE == 0 ? HUGE_PAGE : PAGE, n);
        block[stage].size = block[stage].memory == NULL ? 0 : n;
        if (block[stage].memory == NULL)
            hesca_fail(HESCA_ERR_NOMEM, 0, "%zu bytes of staging memory", n);
#ifdef MADV_HUGEPAGE
        else if (n >= HUGE_PAGE)
            madvise(block[stage].memory, n, MADV_HUGEPAGE); /* a wish */
#endif
    }
    return block[stage].memory;
}

void
hesca_stage_free(void)
{
    for (int k = 0; k < HESCA_STAGES; ++k) {
        free(block[k].memory);
        block[k].memory = NULL;
        block[k].size = 0;
    }
}

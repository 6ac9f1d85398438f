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

static void *block;
static size_t size;

void *
hesca_stage_get(size_t n)
{
    if (n > size) {
        /* Not rounded to huge pages: HESCA_BUFFER is a bound. */
        n = (n + PAGE - 1) / PAGE * PAGE;
        free(block);
        block = aligned_alloc(n % HUGE_PAGE == 0 ? HUGE_PAGE : PAGE, n);
        size = block == NULL ? 0 : n;
        if (block == NULL)
            hesca_fail(HESCA_ERR_NOMEM, 0, "%zu bytes of staging memory", n);
#ifdef MADV_HUGEPAGE
        else if (n >= HUGE_PAGE)
            madvise(block, n, MADV_HUGEPAGE); /* a wish, no more */
#endif
    }
    return block;
}

void
hesca_stage_free(void)
{
    free(block);
    block = NULL;
    size = 0;
}

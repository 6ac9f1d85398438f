#include "exec/stage.h"
#include "base/status.h"
#include <stdlib.h>

enum { PAGE = 4096 };

static void *block;
static size_t size;

void *
hesca_stage_get(size_t n)
{
    if (n > size) {
        n = (n + PAGE - 1) / PAGE * PAGE;
        free(block);
        block = aligned_alloc(PAGE, n);
        size = block == NULL ? 0 : n;
        if (block == NULL)
            hesca_fail(HESCA_ERR_NOMEM, 0, "%zu bytes of staging memory", n);
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

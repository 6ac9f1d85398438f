/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE /* madvise */
#include "exec/staging.h"
#include "base/status.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

/* MPI moves large messages inside a node by letting the kernel copy between
 * the processes, which looks up every page. Huge pages reduce the time of a
 * whole redistribution by a fifth to a third (4 processes on 2 cores, 3200 x
 * 3200 doubles). A block smaller than a huge page does not use them. */
enum { PAGE = 4096, HUGE_PAGE = 2 << 20 };

struct hesca_staging_set {
    struct {
        void *memory;
        size_t size;
    } block[HESCA_STAGING_USES];
    hesca_staging_set *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hesca_staging_set *idle; /* sets not in use, last one first */

/* A block begins with this header, of a cache line. */
typedef struct block {
    size_t size; /* of the header, too */
    struct block *next;
    char pad[48];
} block;

static block *kept;
static size_t nkept;                      /* bytes */
static const size_t most_kept = 64 << 20; /* bytes */

/* In whole pages. Not rounded to huge pages: HESCA_BUFFER is a bound. */
static size_t
rounded(size_t n)
{
    return (n + PAGE - (n > 0)) / PAGE * PAGE;
}

static void *
allocate(size_t *n)
{
    *n = rounded(*n);
    void *memory = aligned_alloc(*n % HUGE_PAGE == 0 ? HUGE_PAGE : PAGE, *n);
#ifdef MADV_HUGEPAGE
    if (memory != NULL && *n >= HUGE_PAGE)
        madvise(memory, *n, MADV_HUGEPAGE); /* a hint */
#endif
    return memory;
}

static hesca_staging_set *
acquire(void)
{
    pthread_mutex_lock(&lock);
    hesca_staging_set *s = idle;
    if (s != NULL)
        idle = s->next;
    pthread_mutex_unlock(&lock);
    return s != NULL ? s : calloc(1, sizeof *s);
}

void *
hesca_staging_get(hesca_comm *c, hesca_staging_use use, size_t n)
{
    if (c->staging == NULL)
        c->staging = acquire();
    if (c->staging == NULL) {
        hesca_fail(HESCA_ERR_NOMEM, 0, "staging memory");
        return NULL;
    }
    void **memory = &c->staging->block[use].memory;
    size_t *size = &c->staging->block[use].size;
    if (n > *size || *memory == NULL) {
        free(*memory);
        *memory = allocate(&n);
        *size = *memory == NULL ? 0 : n;
        if (*memory == NULL)
            hesca_fail(HESCA_ERR_NOMEM, 0, "%zu bytes of staging memory", n);
    }
    return *memory;
}

void
hesca_staging_release(hesca_comm *c)
{
    if (c->staging == NULL)
        return;
    pthread_mutex_lock(&lock);
    c->staging->next = idle;
    idle = c->staging;
    pthread_mutex_unlock(&lock);
    c->staging = NULL;
}

/* The smallest that is kept and suffices, unless half of it would be of no
 * use. */
static block *
take(size_t size)
{
    block **best = NULL, *found = NULL;
    pthread_mutex_lock(&lock);
    for (block **at = &kept; *at != NULL; at = &(*at)->next)
        if ((*at)->size >= size && (*at)->size / 2 <= size &&
            (best == NULL || (*at)->size < (*best)->size))
            best = at;
    if (best != NULL) {
        found = *best;
        *best = found->next;
        nkept -= found->size;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

void *
hesca_staging_block(size_t n)
{
    size_t size = rounded(n + sizeof(block));
    block *b = size < n ? NULL : take(size);
    if (size >= n && b == NULL) {
        b = allocate(&size);
        if (b != NULL)
            b->size = size;
    }
    if (b == NULL)
        hesca_fail(HESCA_ERR_NOMEM, 0, "a block of %zu bytes", n);
    return b == NULL ? NULL : b + 1;
}

void
hesca_staging_unblock(void *memory)
{
    if (memory == NULL)
        return;
    block *b = (block *)memory - 1;
    pthread_mutex_lock(&lock);
    const int keep = b->size <= most_kept - nkept;
    if (keep) {
        b->next = kept;
        kept = b;
        nkept += b->size;
    }
    pthread_mutex_unlock(&lock);
    if (!keep)
        free(b);
}

void
hesca_staging_free(void)
{
    while (kept != NULL) {
        block *b = kept;
        kept = b->next;
        free(b);
    }
    nkept = 0;
    while (idle != NULL) {
        hesca_staging_set *s = idle;
        idle = s->next;
        for (int k = 0; k < HESCA_STAGING_USES; ++k)
            free(s->block[k].memory);
        free(s);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory without a name: process 0 makes it, the others open it by way of
 * /proc. So nothing is left behind when a program is killed, /dev/shm may be
 * small, and unmapping it is local, unlike freeing a window of MPI. */
#define _GNU_SOURCE /* memfd_create, fallocate */
#include "exec/segment.h"
#include "base/arith.h"
#include "exec/agree.h"
#include "exec/channel.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Segments grow in such steps, so that sizes that vary make few of them. */
enum { STEP = 4 << 20 };

/* What process 0 tells the others. */
typedef struct {
    int64_t pid, fd; /* fd < 0: none */
    uint64_t token;  /* in the first bytes */
} offer;

/* Bytes before the memory: the token and the counts. */
static size_t
head_size(const hesca_comm *c)
{
    return HESCA_LINE + (size_t)c->size * HESCA_SEGMENT_USERS *
                            sizeof(hesca_segment_counts);
}

static void *
map(int fd, size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
#ifdef MADV_HUGEPAGE
    if (p != MAP_FAILED)
        madvise(p, size, MADV_HUGEPAGE); /* a hint */
#endif
    return p == MAP_FAILED ? NULL : p;
}

/* Its memory is allocated here: a process that touches a page that is not to
 * be had would be killed. */
static char *
make(size_t size, offer *x)
{
    char *p = NULL;
    x->pid = getpid();
    x->fd = -1;
#if defined(__linux__)
    const int fd = memfd_create("hesca", MFD_CLOEXEC);
    if (fd >= 0 && fallocate(fd, 0, 0, (off_t)size) == 0)
        p = map(fd, size);
    if (p != NULL) {
        x->fd = fd;
        x->token = (uint64_t)(uintptr_t)p ^ (uint64_t)x->pid << 32;
        *(uint64_t *)(void *)p = x->token;
    } else if (fd >= 0) {
        close(fd);
    }
#else
    (void)size;
#endif
    return p;
}

/* With namespaces of processes a number may be that of another process, so the
 * token is compared. */
static char *
join(size_t size, const offer *x)
{
    char path[64], *p = NULL;
    if (x->fd < 0)
        return NULL;
    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)x->pid,
             (long long)x->fd);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    if (lseek(fd, 0, SEEK_END) == (off_t)size)
        p = map(fd, size);
    close(fd);
    if (p != NULL && *(const uint64_t *)(void *)p != x->token) {
        munmap(p, size);
        p = NULL;
    }
    return p;
}

/* *p becomes NULL on all processes if one of them cannot have it. */
static int
share(const hesca_comm *c, size_t size, char **p)
{
    offer x = {0};
    int64_t ok;
    int err;
    *p = c->rank == 0 ? make(size, &x) : NULL;
    HESCA_TRY(err, hesca_comm_bcast(c, &x, sizeof x, MPI_BYTE));
    if (c->rank > 0)
        *p = join(size, &x);
    ok = *p != NULL;
    HESCA_TRY(err, hesca_agree_min(c, 1, &ok));
    if (c->rank == 0 && x.fd >= 0)
        close((int)x.fd);
    if (!ok && *p != NULL) {
        munmap(*p, size);
        *p = NULL;
    }
fail:
    return err;
}

void
hesca_segment_free(hesca_segment *s)
{
    if (s == NULL)
        return;
    if (s->head != NULL)
        munmap(s->head, s->size);
    free(s);
}

/* Replace the segment, if there is one. */
static int
grow(hesca_comm *c, size_t bytes)
{
    const size_t head = head_size(c);
    hesca_segment *s = c->segment;
    int err;
    s->bytes = 0;
    if (s->head != NULL)
        munmap(s->head, s->size);
    s->size = (head + bytes + STEP - 1) / STEP * STEP;
    HESCA_TRY(err, share(c, s->size, &s->head));
    if (s->head == NULL)
        return err;
    s->counts = (hesca_segment_counts *)(void *)(s->head + HESCA_LINE);
    s->memory = s->head + head;
    s->bytes = s->size - head;
fail:
    return err;
}

int
hesca_segment_get(hesca_comm *c, int64_t bytes, hesca_segment **result)
{
    int err = HESCA_SUCCESS;
    *result = NULL;
    if (!hesca_comm_is_node(c) || c->size == 1 ||
        bytes > (int64_t)c->params.buffer || c->segment == NULL ||
        c->segment->refused)
        return err;
    if (c->segment->bytes < (size_t)bytes)
        HESCA_TRY(err, grow(c, (size_t)bytes));
    ++c->segment->serial;
    c->segment->refused = c->segment->head == NULL;
    if (!c->segment->refused)
        *result = c->segment;
fail:
    return err;
}

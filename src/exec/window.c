/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE /* madvise */
#include "exec/window.h"
#include "base/arith.h"
#include "base/log.h"
#include "base/status.h"
#include "exec/agree.h"
#include "exec/node.h"
#include "exec/single_copy.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>

enum {
    WINDOWS_MOST = 16, /* of a process: a program rarely needs more than one */
    PAGE = 4096,
    RING_LEAST = 4096
};

/* A ring holds several chunks, so that on a crowded node a process can work
 * for a while before it must wait for another to run; longer rings gain
 * nothing. With many processes the size of all rings together is bounded. */
static const size_t RING_MOST = 1024 * 1024;
static const size_t SEGMENT_MOST = 8 * 1024 * 1024;

/* Protects the list and the users of its windows. It is never held while
 * waiting or calling MPI. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hesca_window *all; /* in the order of their creation */

/* --- the list ---
 * The list is read and changed under lock, except in
 * hesca_windows_free(). */

int
hesca_windows_count(void)
{
    int n = 0;
    pthread_mutex_lock(&lock);
    for (const hesca_window *w = all; w != NULL; w = w->next)
        ++n;
    pthread_mutex_unlock(&lock);
    return n;
}

/* Position of a process in a window, or -1. */
static int
position(const hesca_window *w, uint64_t id)
{
    for (int k = 0; k < w->n; ++k)
        if (w->id[k] == id)
            return k;
    return -1;
}

/* The first window that has all processes of a node and is for several
 * communicators or, if user is given, for a single one and free.
 *
 * A window for several communicators is the same for all processes that
 * search: none of them is under MPI_THREAD_MULTIPLE, and creating a window is
 * collective over its processes, so all have seen the windows that they share
 * created in the same order. With several threads there is no such order: a
 * thread that searches for a window of its own takes it at once, and the
 * processes then agree on whether all have the same. */
static hesca_window *
find(const hesca_node *node, const hesca_comm *user)
{
    hesca_window *w;
    if (user != NULL && node->n < 2)
        return NULL;
    pthread_mutex_lock(&lock);
    for (w = all; w != NULL; w = w->next) {
        int k = 0;
        if (w->is_single != (user != NULL) || w->user != NULL)
            continue;
        while (k < node->n && position(w, node->id[k]) >= 0)
            ++k;
        if (k == node->n)
            break;
    }
    if (w != NULL)
        w->user = user;
    pthread_mutex_unlock(&lock);
    return w;
}

static void
release(hesca_window *w)
{
    if (w == NULL)
        return;
    pthread_mutex_lock(&lock);
    w->user = NULL;
    pthread_mutex_unlock(&lock);
}

/* --- sizes ---
 * All processes of a window compute the same sizes from agreed numbers. */

/* Bytes of the counts of a segment, in whole pages. */
static size_t
counts_size(int n)
{
    const size_t bytes = ((size_t)n - 1) * sizeof(hesca_channel_counts);
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* A chunk stays in the sender's second-level cache while it is packed, with
 * the columns that it comes from, and all chunks of a round read the same
 * columns while they are in cache. A ring holds several chunks. */
static size_t
chunk_of(size_t ring)
{
    const size_t most = 64 * 1024;
    return ring / HESCA_CHUNKS_LEAST < most ? ring / HESCA_CHUNKS_LEAST : most;
}

/* Bytes of a ring in a window of n processes with segments of at most so many
 * bytes; 0 if the window is not possible. */
static size_t
ring_size(size_t segment, int n)
{
    size_t size = RING_MOST;
    if (n < 2)
        return 0;
    while (size >= RING_LEAST && hesca_max(PAGE, (int64_t)chunk_of(size)) +
                                         (int64_t)counts_size(n) +
                                         (n - 1) * (int64_t)size >
                                     (int64_t)segment)
        size /= 2;
    return size < RING_LEAST ? 0 : size;
}

/* Bytes that each of n processes may still take.  MPI libraries keep windows
 * in /dev/shm. */
static int64_t
segment_room(size_t buffer, int n)
{
    struct statvfs fs;
    int64_t room = (int64_t)(buffer < SEGMENT_MOST ? buffer : SEGMENT_MOST);
    int64_t left = (int64_t)buffer;
    pthread_mutex_lock(&lock);
    for (const hesca_window *w = all; w != NULL; w = w->next)
        left -= (int64_t)w->bytes;
    pthread_mutex_unlock(&lock);
    if (statvfs("/dev/shm", &fs) == 0) { /* else the windows are elsewhere */
        const double half = (double)fs.f_bavail * (double)fs.f_frsize / 2 / n;
        left = half < (double)left ? (int64_t)half : left;
    }
    room = left < room ? left : room;
    return room > 0 ? room : 0;
}

/* Allocate the memory before it is written to: a process that touches a page
 * of a full file system gets SIGBUS. */
static int
populate(const hesca_window *w)
{
#ifdef MADV_POPULATE_WRITE
    return madvise(w->base, w->bytes, MADV_POPULATE_WRITE) == 0 ||
           errno == EINVAL; /* Linux before 5.14 */
#else
    (void)w;
    return 1;
#endif
}

/* --- memory ---
 * A window is used only after all of its processes have its memory and all
 * counts are zero. */

/* Segment of process s: its counts for every other process, then the rings. */
static void
point(hesca_channel *ch, char *segment, int n, int from, int to, size_t ring)
{
    const size_t k = (size_t)(to < from ? to : to - 1);
    ch->counts = (hesca_channel_counts *)(void *)segment + k;
    ch->ring = segment + counts_size(n) + k * ring;
    ch->size = ring;
}

/* The first page of a segment. Open MPI's segments begin anywhere in a page,
 * but at the same offset in all processes. */
static char *
aligned(char *segment)
{
    return segment + (PAGE - (uintptr_t)segment % PAGE) % PAGE;
}

static void
destroy(hesca_window *w)
{
    if (w == NULL)
        return;
    if (w->mpi != MPI_WIN_NULL)
        PMPI_Win_free(&w->mpi);
    free(w->id);
    free(w->out);
    free(w->in);
    free(w->scratch);
    free(w);
}

/* Allocate the memory of a new window over the processes of comm. Local
 * failures are returned after all collective steps. */
static int
allocate(hesca_window *w, size_t ring, MPI_Comm comm)
{
    MPI_Info info;
    int err, found = 0, *model = NULL;
    w->bytes = counts_size(w->n) + ((size_t)w->n - 1) * ring;
    PMPI_Info_create(&info);
    /* Each process touches its segment first, so it lies near its cores. */
    PMPI_Info_set(info, "alloc_shared_noncontig", "true");
    err = hesca_mpi(PMPI_Win_allocate_shared((MPI_Aint)w->bytes + PAGE, 1,
                                             info, comm, &w->base, &w->mpi),
                    "MPI_Win_allocate_shared");
    PMPI_Info_free(&info);
    if (err < 0)
        return err;
    PMPI_Win_set_errhandler(w->mpi, MPI_ERRORS_RETURN);
    w->base = aligned(w->base);
    PMPI_Win_get_attr(w->mpi, MPI_WIN_MODEL, &model, &found);
    if (!found || *model != MPI_WIN_UNIFIED)
        return hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                          "MPI's windows do not have the unified model");
    if (!populate(w))
        return hesca_fail(HESCA_ERR_NOMEM, 0, "window of %zu bytes", w->bytes);
    memset(w->base, 0, counts_size(w->n));
    for (int k = 0; k < w->n; ++k) {
        MPI_Aint size;
        int unit;
        char *segment;
        HESCA_MPI(err, Win_shared_query, w->mpi, k, &size, &unit, &segment);
        if (k == w->me)
            continue;
        point(&w->out[k], w->base, w->n, w->me, k, ring);
        point(&w->in[k], aligned(segment), w->n, k, w->me, ring);
        hesca_single_copy_publish(&w->out[k], w->id[w->me]);
    }
fail:
    return err;
}

/* A window without segments; NULL if there is no memory. */
static hesca_window *
blank(const hesca_comm *node)
{
    const size_t n = (size_t)node->size;
    hesca_window *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->mpi = MPI_WIN_NULL;
    w->n = node->size;
    w->me = node->rank;
    w->id = calloc(n, sizeof *w->id);
    w->out = calloc(n, sizeof *w->out);
    w->in = calloc(n, sizeof *w->in);
    if (w->id == NULL || w->out == NULL || w->in == NULL) {
        destroy(w);
        w = NULL;
    }
    return w;
}

static void
append(hesca_window *w)
{
    hesca_window **end = &all;
    pthread_mutex_lock(&lock);
    while (*end != NULL)
        end = &(*end)->next;
    *end = w;
    pthread_mutex_unlock(&lock);
}

static uint64_t
my_id(const hesca_comm *c)
{
    int k = 0;
    while (c->node.rank[k] != c->rank)
        ++k;
    return c->node.id[k];
}

static int
has(const hesca_node *node, uint64_t id)
{
    int k = 0;
    while (k < node->n && node->id[k] != id)
        ++k;
    return k < node->n;
}

/* Fill a blank window: its processes, the memory, and whether single copy
 * works. */
static int
fill(hesca_window *w, const hesca_comm *c, const hesca_comm *node, size_t ring)
{
    MPI_Request request;
    int64_t v[2] = {1, 0};
    int err;
    const uint64_t id = my_id(c);
    HESCA_MPI(err, Iallgather, &id, 1, MPI_UINT64_T, w->id, 1, MPI_UINT64_T,
              node->mpi, &request);
    HESCA_TRY(err, hesca_comm_wait(node, 1, &request));
    w->chunk = chunk_of(ring);
    w->scratch = malloc(w->chunk);
    v[0] = w->scratch != NULL;
    for (int k = 0; k < w->n; ++k)
        v[0] &= has(&c->node, w->id[k]);
    HESCA_TRY(err, hesca_agree_min(node, 1, v));
    if (!v[0])
        return HESCA_ERR_UNSUPPORTED;
    v[0] = allocate(w, ring, node->mpi) == HESCA_SUCCESS;
    v[1] = w->mpi != MPI_WIN_NULL;
    /* This is also the barrier after which all counts are zero. */
    HESCA_TRY(err, hesca_agree_min(node, 2, v));
    if (!v[1]) /* freeing it is collective */
        w->mpi = MPI_WIN_NULL;
    if (!v[0])
        return HESCA_ERR_UNSUPPORTED;
    for (int k = 0; k < w->n; ++k)
        if (k != w->me)
            hesca_single_copy_try(&w->in[k], w->id[k]);
fail:
    return err;
}

/* --- creation ---
 * A window is used by all of its processes or by none. */

/* The id of the process that made a window, the same for all of its processes;
 * shifted so that it fits into int64_t. */
static int64_t
maker(const hesca_window *w)
{
    return (int64_t)(w->id[0] >> 1);
}

/* Make a window over the processes of a communicator of one node, unless all
 * have the same one already. If that is not possible *w is NULL, which is no
 * error. */
static int
create(hesca_comm *c, MPI_Comm comm, int is_single, hesca_window **w)
{
    static _Atomic int64_t serial;
    hesca_comm node = {.mpi = comm, .yields = c->yields};
    hesca_window *made = NULL, *const had = *w;
    const int64_t number = had != NULL ? had->serial : -1;
    const int64_t by = had != NULL ? maker(had) : -1;
    int64_t v[8] = {had != NULL, 0, 0, 0, number, -number, by, -by};
    int err;
    PMPI_Comm_size(comm, &node.size);
    PMPI_Comm_rank(comm, &node.rank);
    if (had == NULL || is_single)
        made = blank(&node);
    if (made != NULL)
        v[1] = hesca_windows_count() < WINDOWS_MOST
                   ? segment_room(c->params.buffer / 2, node.size)
                   : 0;
    /* In containers, MPI may see other nodes than those of the host names. */
    v[2] = node.size == c->node.n;
    v[3] = node.rank == 0 ? ++serial : INT64_MAX;
    HESCA_TRY(err, hesca_agree_min(&node, 8, v));
    const size_t ring = ring_size((size_t)v[1], node.size);
    if (v[0] && v[4] == -v[5] && v[6] == -v[7])
        goto fail;
    *w = NULL; /* not all can use it, so none does */
    if (is_single)
        release(had);
    if (!v[2] || ring == 0)
        goto fail;
    made->serial = v[3];
    made->is_single = is_single;
    made->user = is_single ? c : NULL;
    err = fill(made, c, &node, ring);
    if (err == HESCA_SUCCESS) {
        append(*w = made);
        return HESCA_SUCCESS;
    }
    err = err == HESCA_ERR_UNSUPPORTED ? HESCA_SUCCESS : err;
fail:
    destroy(made);
    return err;
}

/* --- attaching and detaching ---
 * slot, all_local and window change together; the decision is the same on
 * all processes of c. */

/* The communicators of the nodes: those of MPI, or those that HESCA_NODE_SIZE
 * emulates. */
static int
split(const hesca_comm *c, MPI_Comm *node)
{
    MPI_Comm shared = MPI_COMM_NULL;
    int err;
    HESCA_MPI(err, Comm_split_type, c->mpi, MPI_COMM_TYPE_SHARED, c->rank,
              MPI_INFO_NULL, &shared);
    if (c->params.node_size == 0) {
        *node = shared;
    } else {
        err = hesca_mpi(PMPI_Comm_split(shared, c->rank / c->params.node_size,
                                        c->rank, node),
                        "MPI_Comm_split");
        PMPI_Comm_free(&shared);
    }
fail:
    return err;
}

static void
use(hesca_comm *c, hesca_window *w)
{
    int found = 0;
    for (int k = 0; k < c->node.n; ++k) {
        c->slot[c->node.rank[k]] = position(w, c->node.id[k]);
        found += c->slot[c->node.rank[k]] >= 0;
    }
    c->slot[c->rank] = -1;
    c->all_local = found == c->size;
    c->window = w;
}

/* Making a window takes MPI's blocking functions. With a core for each process
 * they need 0.2 ms. On crowded nodes they spin through the time slices of
 * other processes and take as long as some redistributions by ScaLAPACK: 0.1 s
 * with 4 processes on 2 cores, 0.5 s with 8. So crowded processes get a window
 * at their second redistribution: many programs redistribute once, few
 * twice. */
enum { CALLS_LEAST = 1 };

static int
is_worth_it(const hesca_comm *c, int64_t calls)
{
    return !c->crowded || c->params.transport != HESCA_TRANSPORT_AUTO ||
           calls >= CALLS_LEAST;
}

/* Report that the user has asked for shared memory and there is none. */
static void
report_missing(const hesca_comm *c)
{
    static _Atomic int reports;
    const hesca_transport wish = c->params.transport;
    if (c->rank > 0 || c->node.n == 1 ||
        c->params.fallback == HESCA_FALLBACK_SILENT ||
        (wish != HESCA_TRANSPORT_SHM && wish != HESCA_TRANSPORT_SINGLE_COPY) ||
        reports++ > 0)
        return;
    hesca_log("HESCA_TRANSPORT is %s, but there is no shared memory for a "
              "window; messages go by MPI",
              wish == HESCA_TRANSPORT_SHM ? "shm" : "lend");
}

static int
has_threads(void)
{
    int level = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&level);
    return level == MPI_THREAD_MULTIPLE;
}

int
hesca_window_attach(hesca_comm *c)
{
    static _Atomic int64_t calls; /* of this process, in all communicators */
    int is_single = has_threads();
    hesca_window *w = find(&c->node, is_single ? c : NULL);
    int64_t v[4] = {w != NULL || c->node.n == 1, -hesca_windows_count(),
                    calls++, -is_single};
    MPI_Comm node = MPI_COMM_NULL;
    int err = HESCA_SUCCESS;
    c->settled = 1;
    HESCA_TRY(err, hesca_agree_min(c, 4, v));
    if (v[3] != 0 && !is_single) /* another process has threads */
        w = find(&c->node, c);
    is_single = v[3] != 0;
    if (!v[0] && -v[1] >= WINDOWS_MOST)
        goto fail;
    if (!v[0] || (is_single && c->size > 1)) {
        c->settled = is_worth_it(c, v[2]);
        if (!c->settled)
            goto fail;
        v[0] = split(c, &node) == HESCA_SUCCESS;
        HESCA_TRY(err, hesca_agree_min(c, 1, v));
        if (!v[0]) /* MPI has no communicators left */
            goto fail;
        HESCA_TRY(err, create(c, node, is_single, &w));
    }
    if (w != NULL)
        use(c, w);
    else
        report_missing(c);
fail:
    if (node != MPI_COMM_NULL)
        PMPI_Comm_free(&node);
    if (is_single && w != c->window)
        release(w);
    return err;
}

void
hesca_window_detach(hesca_comm *c)
{
    if (c->window != NULL && c->window->is_single)
        release(c->window);
    c->window = NULL;
}

/* --- freeing ---
 * In MPI_Finalize, when no call is in progress. */

/* Whether w must be freed before x. */
static int
comes_before(const hesca_window *w, const hesca_window *x)
{
    return w->serial != x->serial ? w->serial < x->serial
                                  : w->id[0] < x->id[0];
}

/* Freeing a window is collective over its processes, so all processes must
 * free the windows that they share in the same order. With several threads the
 * order of the list is not the same; the order by (serial, maker) is: the
 * first window left in the whole job is the next one of each of its processes,
 * so it can be freed, and so can all. */
void
hesca_windows_free(void)
{
    while (all != NULL) {
        hesca_window **first = &all;
        for (hesca_window **link = &all; *link != NULL; link = &(*link)->next)
            if (comes_before(*link, *first))
                first = link;
        hesca_window *w = *first;
        *first = w->next;
        destroy(w);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows: their processes, when they are created, how many there may be, what
 * goes through them and what does not, and that none of it depends on the
 * order in which communicators come and go.
 *
 * Windows are compared with a model of every process's.  HESCA_NODE_SIZE sets
 * what counts as a node, HESCA_TEST_PERCENT how many communicators come and
 * go.
 */
#define _GNU_SOURCE /* mallinfo2 */
#include "exec/window.h"
#include "hesca/experimental/param.h"
#include "hesca/redist.h"
#include "testing/check.h"
#include "testing/count.h"
#include "testing/memory.h"
#include "testing/trapezoid.h"
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>

enum { PROCS = 16, MOST = 16 /* windows of a process, see window.c */ };

static int rank, size;
static int node_size; /* 0: one node */

/* ------------------------------------------------ in front of the libraries
 */

static int disk_full, fail_query;
static int data_near, data_far; /* data messages by MPI to this node, others */

int
statvfs(const char *path, struct statvfs *fs)
{
    const int file = open(path, O_RDONLY | O_DIRECTORY);
    const int err = file < 0 ? -1 : fstatvfs(file, fs);
    if (file >= 0)
        close(file);
    if (disk_full)
        fs->f_bavail = 1;
    return err;
}

int
PMPI_Win_shared_query(MPI_Win win, int peer, MPI_Aint *bytes, int *unit,
                      void *base)
{
    return fail_query ? MPI_ERR_OTHER
                      : MPI_Win_shared_query(win, peer, bytes, unit, base);
}

/* Whether two ranks of a communicator are on the same node. */
static int
is_near(int p, int q)
{
    return node_size == 0 || p / node_size == q / node_size;
}

int
PMPI_Isend(const void *x, int n, MPI_Datatype type, int dest, int tag,
           MPI_Comm comm, MPI_Request *request)
{
    int me;
    MPI_Comm_rank(comm, &me);
    if (tag == HESCA_TAG_DATA)
        ++*(is_near(me, dest) ? &data_near : &data_far);
    return MPI_Isend(x, n, type, dest, tag, comm, request);
}

/* ------------------------------------------------ the model */

/* Every process's windows, as sets of ranks of MPI_COMM_WORLD. */
static unsigned windows[PROCS][MOST];
static int nwindows[PROCS];

static int
has_window(int p, unsigned set)
{
    for (int k = 0; k < nwindows[p]; ++k)
        if ((windows[p][k] & set) == set)
            return 1;
    return 0;
}

/* The processes of one node of a communicator that begins with rank first. */
static unsigned
node_of(const int *ranks, int n, int first)
{
    unsigned set = 0;
    for (int r = 0; r < n; ++r)
        if (is_near(first, r))
            set |= 1u << ranks[r];
    return set;
}

/* A communicator of these processes is used: windows that are missing are
 * created unless one of its processes has too many already; then none of
 * them is used.  \return Whether they are used. */
static int
model_use(const int *ranks, int n)
{
    int full = 0, missing = 0;
    for (int r = 0; r < n; ++r) {
        const unsigned set = node_of(ranks, n, r);
        full |= nwindows[ranks[r]] == MOST;
        missing |= !has_window(ranks[r], set) && set != 1u << ranks[r];
    }
    for (int r = 0; r < n && missing && !full; ++r) {
        const int p = ranks[r];
        const unsigned set = node_of(ranks, n, r);
        if (!has_window(p, set) && set != 1u << p)
            windows[p][nwindows[p]++] = set;
    }
    return !missing || !full;
}

/* All windows go; no communicator may be left that uses one. */
static void
start_anew(void)
{
    hesca_windows_free();
    CHECK(hesca_windows_count() == 0 && count_opened == count_closed,
          "rank %d: %d windows, %ld opened, %ld closed", rank,
          hesca_windows_count(), count_opened, count_closed);
    memset(nwindows, 0, sizeof nwindows);
}

static void
check_windows(const char *what)
{
    CHECK(hesca_windows_count() == nwindows[rank],
          "%s, rank %d of %d: %d windows, not %d", what, rank, size,
          hesca_windows_count(), nwindows[rank]);
}

/* ------------------------------------------------ redistributions */

/* A is on a column of all processes, B on a row, so that all pairs have to do
 * with each other. */
typedef struct {
    hesca_part part;
    int m, n, mb, nb;
    size_t esize;
} job;

static const job small = {HESCA_ALL, 40, 35, 2, 1, 8};

static void
element(int salt, int i, int j, size_t esize, char *x)
{
    uint64_t bits = check_mix(
        check_mix(check_mix((uint64_t)salt) + (uint64_t)i) + (uint64_t)j);
    for (size_t k = 0; k < esize; k += 8, bits = bits * 5 + 1)
        memcpy(x + k, &bits, esize - k < 8 ? esize - k : 8);
}

/* Local extent and global index, TOOLS/numroc.f and indxl2g.f from 0. */
static int
extent(int n, int nb, int p, int nprocs)
{
    int count = 0;
    for (int k = p * nb; k < n; k += nprocs * nb)
        count += n - k < nb ? n - k : nb;
    return count;
}

static int
global(int il, int nb, int p, int nprocs)
{
    return (il / nb * nprocs + p) * nb + il % nb;
}

/* The way of the messages of this process, given whether its node has a window
 * that serves. */
static const char *
way(int me, int n, int served)
{
    int near = 0, far = 0;
    for (int r = 0; r < n; ++r)
        if (r != me)
            ++*(is_near(me, r) ? &near : &far);
    if (near == 0 || !served)
        return near + far > 0 ? "mpi" : "self";
    return far > 0 ? "shm+mpi" : "shm";
}

/* One redistribution, right in every byte.  served: the near messages must go
 * through a window, else by MPI; -1: either. */
static void
redistribute(MPI_Comm comm, const job *t, int salt, int served,
             const char *what)
{
    int me, n, wrong = 0;
    hesca_plan_info info;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    const int ra = extent(t->m, t->mb, me, n), cb = extent(t->n, t->nb, me, n);
    const size_t na = (size_t)ra * (size_t)t->n * t->esize;
    const size_t nb = (size_t)cb * (size_t)t->m * t->esize;
    char *a = malloc(na + 1), *b = malloc(nb + 1), *x = malloc(t->esize);
    const hesca_side sa = {.member = 1,
                           .nprow = n,
                           .npcol = 1,
                           .myrow = me,
                           .m = t->m,
                           .n = t->n,
                           .mb = t->mb,
                           .nb = 5,
                           .lld = ra};
    const hesca_side sb = {.member = 1,
                           .nprow = 1,
                           .npcol = n,
                           .mycol = me,
                           .m = t->m,
                           .n = t->n,
                           .mb = 3,
                           .nb = t->nb,
                           .lld = t->m};
    for (int j = 0; j < t->n; ++j)
        for (int i = 0; i < ra; ++i)
            element(salt, global(i, t->mb, me, n), j, t->esize,
                    a + (size_t)(j * ra + i) * t->esize);
    memset(b, 0x5c, nb);
    data_near = data_far = 0;
    const int err = hesca_redistribute(HESCA_SUCCESS, t->part, t->m, t->n, &sa,
                                       a, &sb, b, t->esize, comm, &info);
    CHECK(err == HESCA_SUCCESS, "%s, rank %d of %d: %d, %s", what, me, n, err,
          hesca_error_text());
    for (int j = 0; j < cb; ++j)
        for (int i = 0; i < t->m; ++i) {
            const int jg = global(j, t->nb, me, n);
            memset(x, 0x5c, t->esize);
            if (trapezoid_has(t->part, t->m, t->n, i, jg))
                element(salt, i, jg, t->esize, x);
            wrong += memcmp(x, b + (size_t)(j * t->m + i) * t->esize,
                            t->esize) != 0;
        }
    CHECK(wrong == 0, "%s, rank %d of %d, call %d: %d of %d elements", what,
          me, n, salt, wrong, t->m * cb);
    const char *wanted = way(me, n, served != 0);
    CHECK(served < 0 || strcmp(info.transport, wanted) == 0,
          "%s, rank %d of %d: by %s, not %s", what, me, n, info.transport,
          wanted);
    CHECK((data_near > 0) == (strcmp(info.transport, "mpi") == 0 &&
                              strcmp(way(me, n, 1), "mpi") != 0) &&
              (data_far > 0) == (strstr(way(me, n, 1), "mpi") != NULL),
          "%s, rank %d of %d, by %s: %d messages by MPI to this node, %d to "
          "others",
          what, me, n, info.transport, data_near, data_far);
    free(a);
    free(b);
    free(x);
}

/* A communicator of these processes in this order; null elsewhere.  Waits
 * politely: there may be more processes than cores. */
static MPI_Comm
open_comm(const int *ranks, int n)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group world, some;
    int in = 0;
    for (int k = 0; k < n; ++k)
        in |= ranks[k] == rank;
    if (!in)
        return comm;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, n, ranks, &some);
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 1, &comm);
    MPI_Group_free(&world);
    MPI_Group_free(&some);
    return comm;
}

static MPI_Comm
duplicate(MPI_Comm comm)
{
    const struct timespec t = {.tv_nsec = 20000};
    MPI_Comm copy;
    MPI_Request request;
    int done = 0;
    MPI_Comm_idup(comm, &copy, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done)
        nanosleep(&t, NULL);
    return copy;
}

/* The communicator knows its node, and the ranks that share the window. */
static void
check_seats(MPI_Comm comm, int n, int served, const char *what)
{
    hesca_comm *c;
    int near = 0;
    if (hesca_comm_get(comm, &c) < 0)
        MPI_Abort(comm, 1);
    for (int r = 0; r < n; ++r) {
        const int reached = r != c->rank && is_near(r, c->rank) && served;
        near += is_near(r, c->rank);
        CHECK((c->slot[r] >= 0) == reached,
              "%s, rank %d of %d: slot of %d is "
              "%d",
              what, c->rank, n, r, c->slot[r]);
        if (c->slot[r] >= 0)
            CHECK(c->slot[r] < c->window->n && c->slot[r] != c->window->me,
                  "%s, rank %d of %d: slot of %d is %d", what, c->rank, n, r,
                  c->slot[r]);
    }
    CHECK(c->node.n == near, "%s, rank %d of %d: %d on the node, not %d", what,
          c->rank, n, c->node.n, near);
    if (near > 1)
        CHECK(c->all_local == (served && near == n), "%s, rank %d of %d: %d",
              what, c->rank, n, c->all_local);
}

/* A communicator of these processes, twice used and freed, as the model says;
 * to be called by all. */
static void
use(const int *ranks, int n, const char *what)
{
    MPI_Comm comm = open_comm(ranks, n);
    const int served = model_use(ranks, n);
    if (comm == MPI_COMM_NULL)
        return;
    for (int k = 0; k < 2; ++k) {
        redistribute(comm, &small, 10 * n + k, served, what);
        check_windows(what);
    }
    check_seats(comm, n, served, what);
    MPI_Comm_free(&comm);
    check_windows(what);
}

/* ------------------------------------------------ the tests */

/* Communicators over the same processes, and over some of them. */
static void
shared(void)
{
    int all[PROCS], reversed[PROCS];
    start_anew();
    for (int k = 0; k < size; ++k) {
        all[k] = k;
        reversed[size - 1 - k] = k;
    }
    use(all, size, "all");
    const int once = nwindows[rank];
    CHECK(once <= 1, "%d windows", once);
    use(all, size, "all again");
    CHECK(nwindows[rank] == once, "the model itself");
    use(reversed, size, "reversed");
    for (int n = 2; n < size; ++n) {
        use(all, n, "the first ones");
        use(all + size - n, n, "the last ones");
        use(reversed, n, "the last ones, reversed");
    }
    CHECK(node_size > 0 || size == 1 || hesca_windows_count() == 1,
          "rank %d: %d windows on one node", rank, hesca_windows_count());
    CHECK(node_size != 1 || hesca_windows_count() == 0,
          "rank %d: %d windows on nodes of one process", rank,
          hesca_windows_count());
}

/* Sets of processes that are not inside earlier ones: the smallest first. */
static void
many_sets(void)
{
    int reached = 0;
    start_anew();
    for (int n = 2; n <= size; ++n)
        for (unsigned set = 1; set < 1u << size; ++set) {
            int ranks[PROCS], k = 0;
            for (int p = 0; p < size; ++p)
                if (set >> p & 1)
                    ranks[k++] = p;
            if (k == n)
                use(ranks, n, "many sets");
        }
    for (int p = 0; p < size; ++p)
        reached |= nwindows[p] == MOST;
    CHECK(reached || size < 6 || node_size > 0, "the bound is not reached");
    if (rank == 0)
        printf("%d processes: %d windows of rank 0 at most\n", size,
               hesca_windows_count());
}

/* Freed in an order of its own on every process, while others are in use. */
static void
any_order(int rounds)
{
    enum { COMMS = 5 };
    int all[PROCS];
    start_anew();
    for (int k = 0; k < size; ++k)
        all[k] = k;
    model_use(all, size);
    for (int round = 0; round < rounds; ++round) {
        MPI_Comm comm[COMMS];
        for (int k = 0; k < COMMS; ++k) {
            comm[k] = duplicate(MPI_COMM_WORLD);
            redistribute(comm[k], &small, round + k, 1, "any order");
        }
        for (int k = 0; k < COMMS; ++k)
            redistribute(comm[COMMS - 1 - k], &small, round - k, 1,
                         "any order, all alive");
        for (int k = 0; k < COMMS; ++k)
            MPI_Comm_free(
                &comm[rank % 2 ? COMMS - 1 - k : (k + rank + round) % COMMS]);
    }
    check_windows("any order");
}

/* When no process uses the window, and all have read what was sent before:
 * else its memory is not given back. */
static memory
memory_at_rest(void)
{
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    redistribute(comm, &small, 4711, 1, "memory");
    check_barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&comm);
    check_barrier(MPI_COMM_WORLD);
    const memory now = memory_now();
    check_barrier(MPI_COMM_WORLD);
    return now;
}

static void
soak(int ncalls)
{
    enum { RESIDENT_SLACK = 2048, HEAP_SLACK = 128 };
    int all[PROCS];
    memory before = {0, 0};
    start_anew();
    for (int k = 0; k < size; ++k)
        all[k] = k;
    model_use(all, size);
    const long live = count_created - count_freed;
    for (int k = 0; k < ncalls; ++k) {
        if (k == ncalls / 10)
            before = memory_at_rest();
        MPI_Comm comm = duplicate(MPI_COMM_WORLD);
        redistribute(comm, &small, k, 1, "soak");
        MPI_Comm_free(&comm);
        CHECK(count_created - count_freed == live &&
                  hesca_windows_count() == nwindows[rank],
              "rank %d, call %d: %ld communicators left, %d windows", rank, k,
              count_created - count_freed - live, hesca_windows_count());
    }
    const memory after = memory_at_rest();
    CHECK(ncalls < 200 || (after.resident - before.resident < RESIDENT_SLACK &&
                           after.heap - before.heap < HEAP_SLACK),
          "rank %d: from %ld to %ld kB, from malloc from %ld to %ld", rank,
          before.resident, after.resident, before.heap, after.heap);
}

/* Whether the least buffer is enough for rings between all of a node. */
static int
has_rings(const char *buffer)
{
    int near = 0;
    for (int r = 0; r < size; ++r)
        near += is_near(rank, r);
    return near <= 7 || strcmp(buffer, "64K") != 0;
}

/* Elements up to a quarter of a ring go through the window, larger ones by
 * MPI; with chunks of one element on both ways. */
static void
elements(const char *buffer)
{
    hesca_comm *c;
    MPI_Comm comm;
    start_anew();
    setenv("HESCA_BUFFER", buffer, 1);
    comm = duplicate(MPI_COMM_WORLD);
    redistribute(comm, &small, 0, has_rings(buffer), "elements");
    if (hesca_comm_get(comm, &c) < 0)
        MPI_Abort(comm, 1);
    uint64_t mine = 0, most; /* by the rings of this node, of all nodes */
    for (int r = 0; r < size; ++r)
        if (c->slot[r] >= 0)
            mine = c->window->out[c->slot[r]].size / 4;
    MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, comm);
    const size_t esizes[] = {1,        most / 2, most - 1,      most,
                             most + 1, 65535,    65537,         100001,
                             200000,   1 << 20,  (1 << 21) - 1, 1 << 21};
    for (size_t k = 0; k < sizeof esizes / sizeof *esizes; ++k) {
        const job t = {HESCA_ALL, size + 1, size + 2, 1, 1, esizes[k]};
        char what[100];
        snprintf(what, sizeof what, "elements of %zu bytes, HESCA_BUFFER=%s",
                 t.esize, buffer);
        if (t.esize > 0 && t.esize <= (size_t)1 << 21)
            redistribute(comm, &t, (int)k, t.esize <= mine, what);
    }
    MPI_Comm_free(&comm);
    unsetenv("HESCA_BUFFER");
}

/* Many chunks, also such that hold nothing. */
static void
trapezoids(const char *buffer)
{
    static const int extents[][2] = {{300, 200}, {200, 300}, {2000, 31},
                                     {31, 2000}, {1, 77},    {77, 1}};
    start_anew();
    setenv("HESCA_BUFFER", buffer, 1);
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    for (int part = HESCA_ALL; part <= HESCA_LOWER_STRICT; ++part)
        for (int k = 0; k < 6; ++k) {
            const job t = {
                (hesca_part)part, extents[k][0], extents[k][1], 1 + k % 4, 2,
                8 + (size_t)k};
            char what[100];
            snprintf(what, sizeof what, "part %d of %d x %d, HESCA_BUFFER=%s",
                     part, t.m, t.n, buffer);
            const int all_meet = t.m >= size * t.mb && t.n >= 2 * size;
            if (all_meet)
                redistribute(comm, &t, part, has_rings(buffer), what);
        }
    MPI_Comm_free(&comm);
    unsetenv("HESCA_BUFFER");
}

/* Where none can be created all goes by MPI; later ones can be created. */
static void
failures(void)
{
    static const char *const names[] = {"no window", "no window on rank 0",
                                        "the disk is full on the last"};
    for (int k = 0; k < 3; ++k) {
        start_anew();
        MPI_Comm comm = duplicate(MPI_COMM_WORLD);
        count_refuse = k == 0;
        fail_query = k == 1 && rank == 0;
        disk_full = k == 2 && rank == size - 1;
        redistribute(comm, &small, k, -1, names[k]);
        count_refuse = fail_query = disk_full = 0;
        const int spoiled = k == 0 || is_near(rank, k == 1 ? 0 : size - 1);
        CHECK(!spoiled || hesca_windows_count() == 0, "%s, rank %d: %d",
              names[k], rank, hesca_windows_count());
        CHECK(count_opened - count_closed == hesca_windows_count(),
              "%s, rank %d: %ld windows left", names[k], rank,
              count_opened - count_closed);
        redistribute(comm, &small, k + 10, spoiled ? 0 : 1, names[k]);
        MPI_Comm second = duplicate(MPI_COMM_WORLD);
        redistribute(second, &small, k + 20, 1, "a window at last");
        MPI_Comm_free(&comm);
        MPI_Comm_free(&second);
    }
}

/* Windows take shared memory once, however many contexts come and go, and not
 * more than half of HESCA_BUFFER (64 MiB) of each process; pages of others
 * count when they are read, so a few large redistributions come first. */
static void
memory_stays(void)
{
    const job large = {HESCA_ALL, 1500, 1400, 64, 64, 8};
    enum { WARM = 6, SEGMENT_KB = 32 * 1024 };
    long before = 0, after = 0;
    start_anew();
    const long none = memory_status("RssShmem");
    for (int k = 0; k < WARM + 20; ++k) {
        MPI_Comm comm = duplicate(MPI_COMM_WORLD);
        redistribute(comm, &large, k, 1, "large");
        MPI_Comm_free(&comm);
        if (k == WARM)
            before = memory_status("RssShmem");
    }
    after = memory_status("RssShmem");
    CHECK(after - before < 300, "rank %d: from %ld to %ld kB", rank, before,
          after);
    CHECK(after - none < (long)size * SEGMENT_KB,
          "rank %d: from %ld to %ld kB", rank, none, after);
}

/* Crowded processes do their first redistribution that moves data without a
 * window, in whatever communicator; only that one, and only if it is left to
 * HESCA.  The first test: it counts all redistributions of a process. */
static void
when_created(void)
{
    const int alone = strcmp(way(rank, size, 1), "mpi") == 0 || size == 1;
    unsetenv("HESCA_TRANSPORT");
    for (int k = 0; k < 4; ++k) {
        MPI_Comm comm = duplicate(MPI_COMM_WORLD);
        hesca_comm *c;
        hesca_plan_info info;
        double x = k, y = -1;
        const hesca_side side = {.member = 1,
                                 .nprow = size,
                                 .npcol = 1,
                                 .myrow = rank,
                                 .m = 1,
                                 .n = 1,
                                 .mb = 1,
                                 .nb = 1,
                                 .lld = 1};
        /* Moves nothing, so it does not count. */
        CHECK(hesca_redistribute(HESCA_SUCCESS, HESCA_ALL, 1, 1, &side, &x,
                                 &side, &y, sizeof x, comm,
                                 &info) == HESCA_SUCCESS &&
                  strcmp(info.transport, "self") == 0,
              "call %d: by %s", k, info.transport);
        if (hesca_comm_get(comm, &c) < 0)
            MPI_Abort(comm, 1);
        const int yet = !c->crowded || k > 0;
        redistribute(comm, &small, k, yet, "when created");
        CHECK(hesca_windows_count() == (yet && !alone),
              "rank %d, call %d: %d windows, crowded %d", rank, k,
              hesca_windows_count(), c->crowded);
        MPI_Comm_free(&comm);
    }
    setenv("HESCA_TRANSPORT", "mpi", 1);
    start_anew();
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    for (int k = 0; k < 5; ++k)
        redistribute(comm, &small, k, 0, "never created");
    check_windows("never created");
    MPI_Comm_free(&comm);
    setenv("HESCA_TRANSPORT", "shm", 1);
}

int
main(int argc, char **argv)
{
    hesca_params params;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > PROCS || hesca_params_read(&params) < 0) {
        fprintf(stderr, "at most %d processes, good parameters\n", PROCS);
        return 99;
    }
    node_size = params.node_size;
    const int ncalls = check_cases(size > 2 ? 50 : 150);
    when_created();
    shared();
    many_sets();
    any_order(10);
    elements("64K");
    elements("64M");
    trapezoids("64K");
    trapezoids("64M");
    failures();
    memory_stays();
    soak(ncalls);
    const int failed = check_done("t_window");
    MPI_Finalize();
    return failed;
}

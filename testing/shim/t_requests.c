/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of every kind, completed by MPI's own calls, PMPI_..., and by those
 * that wait politely: the same statuses, errors and data.
 *
 * Kinds: null, messages, persistent and partitioned ones, cancelled ones,
 * messages that do not fit, collective calls, generalized requests, file
 * operations, one-sided ones.  Ways: MPI_Wait, MPI_Waitall with and without
 * statuses, MPI_Waitany, MPI_Waitsome, MPI_Test.  A mix has many of them.
 *
 * HESCA_TEST_SECONDS: mixes for so long. */
#include "testing/check.h"
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 40, LONG = 20000, MIXES = 25 };

typedef enum {
    NOTHING,
    SENT,
    RECEIVED,
    TRUNCATED,
    CANCELLED,
    NOBODY,
    IDLE, /* persistent, not started */
    COLLECTIVE,
    GENERAL,
    FILED,
    ONE_SIDED,
    OTHER
} kind;

static const char *const kind_name[] = {
    "null",        "send",       "receive",   "truncated",
    "cancelled",   "no process", "inactive",  "collective",
    "generalized", "file",       "one-sided", "partitioned"};

typedef enum {
    WAIT,
    WAITALL,
    WAITALL_IGNORE,
    WAITANY,
    WAITSOME,
    WAITSOME_IGNORE,
    TEST,
    WAYS
} way;

static const char *const way_name[] = {
    "MPI_Wait",    "MPI_Waitall",  "MPI_Waitall without statuses",
    "MPI_Waitany", "MPI_Waitsome", "MPI_Waitsome without statuses",
    "MPI_Test"};

typedef struct {
    int source, tag, count, cancelled, err;
} record;

typedef struct {
    kind kind;
    int persistent, count, expected; /* of in, from word 0 on */
    int queries, frees, has_no_status;
    record found;
} slot;

static int rank, size, next, last;
static MPI_Comm comm;
static MPI_Win win;
static MPI_File file, common;
static int *ours; /* memory of win: LONG words to read, then what is put */
static int in[SLOTS][LONG], out[LONG];
static slot slots[SLOTS];
static MPI_Request requests[SLOTS];
static int nslots, is_collective_file_used;
static int has_failing; /* this mix has a request that fails */
static way now;         /* how the requests of this mix are completed */

/* MPI's own and those of the library. */
static const struct {
    int (*wait)(MPI_Request *, MPI_Status *);
    int (*waitall)(int, MPI_Request[], MPI_Status[]);
    int (*waitany)(int, MPI_Request[], int *, MPI_Status *);
    int (*waitsome)(int, MPI_Request[], int *, int[], MPI_Status[]);
} calls[2] = {{PMPI_Wait, PMPI_Waitall, PMPI_Waitany, PMPI_Waitsome},
              {MPI_Wait, MPI_Waitall, MPI_Waitany, MPI_Waitsome}};

/* GCC takes MPICH's constant for an array of no elements. */
static MPI_Status *volatile no_statuses = MPI_STATUSES_IGNORE;

/* Open MPI 4.1 does not come back from the MPI_Waitall for the rest, after one
 * request has failed; and it frees all others that have failed, too. */
#ifdef OPEN_MPI
enum { IS_OPEN_MPI = 1 };
#else
enum { IS_OPEN_MPI = 0 };
#endif

static int
class_of(int err)
{
    int class = err;
    if (err != MPI_SUCCESS)
        MPI_Error_class(err, &class);
    return class;
}

/* ------------------------------------------------ requests begin */

static MPI_Request *
add(kind k, int count, int expected)
{
    slot *s = &slots[nslots];
    memset(s, 0, sizeof *s);
    s->kind = k;
    s->count = count;
    s->expected = expected;
    requests[nslots] = MPI_REQUEST_NULL;
    memset(in[nslots], 0xff, sizeof in[0]);
    return &requests[nslots++];
}

/* The word k of what a process sends. */
static int
word(int from, int k)
{
    return 7919 * from + k;
}

static int
draw_count(void)
{
    return check_uniform(0, 2) == 0 ? check_uniform(0, LONG)
                                    : check_uniform(0, 50);
}

static void
message(int persistent, int fits)
{
    const int count = draw_count() / 2 + 2, tag = nslots + 1;
    const int wild = check_uniform(0, 1), synchronous = check_uniform(0, 1);
    const int from = wild ? MPI_ANY_SOURCE : last;
    const int room = fits ? LONG : count / 2;
    int *const to = in[nslots];
    MPI_Request *r = add(fits ? RECEIVED : TRUNCATED, count, fits ? count : 0);
    slots[nslots - 1].persistent = persistent;
    if (persistent) {
        MPI_Recv_init(to, room, MPI_INT, from, tag, comm, r);
        MPI_Start(r);
    } else {
        MPI_Irecv(to, room, MPI_INT, from, tag, comm, r);
    }
    r = add(SENT, count, 0);
    slots[nslots - 1].persistent = persistent;
    if (persistent) {
        (synchronous ? MPI_Ssend_init : MPI_Send_init)(out, count, MPI_INT,
                                                       next, tag, comm, r);
        MPI_Start(r);
    } else {
        (synchronous ? MPI_Issend : MPI_Isend)(out, count, MPI_INT, next, tag,
                                               comm, r);
    }
}

static void
partitioned(void)
{
#if MPI_VERSION >= 4
    enum { PARTS = 4 };
    const int count = check_uniform(1, LONG / PARTS), tag = nslots + 1;
    int *const to = in[nslots];
    MPI_Request *r = add(OTHER, PARTS * count, PARTS * count);
    MPI_Precv_init(to, PARTS, count, MPI_INT, last, tag, comm, MPI_INFO_NULL,
                   r);
    slots[nslots - 1].persistent = 1;
    MPI_Start(r);
    r = add(OTHER, PARTS * count, 0);
    MPI_Psend_init(out, PARTS, count, MPI_INT, next, tag, comm, MPI_INFO_NULL,
                   r);
    slots[nslots - 1].persistent = 1;
    MPI_Start(r);
    for (int k = PARTS - 1; k >= 0; --k)
        MPI_Pready(k, *r);
#endif
}

static void
collective(void)
{
    const int n = check_uniform(1, 999);
    /* MPICH 4.0's MPI_Waitany returns a persistent one repeatedly. */
    const int which = check_uniform(0, now >= WAITANY && now != TEST ? 2 : 3);
    int *const to = in[nslots];
    MPI_Request *r = add(COLLECTIVE, n, 0);
    if (which == 0) {
        MPI_Ibarrier(comm, r);
    } else if (which == 1) {
        MPI_Iallreduce(out, to, n, MPI_INT, MPI_SUM, comm, r);
    } else if (which == 2) {
        if (rank == 0)
            memcpy(to, out, (size_t)n * sizeof *to);
        MPI_Ibcast(to, n, MPI_INT, 0, comm, r);
    } else {
#if MPI_VERSION >= 4
        MPI_Allreduce_init(out, to, n, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                           r);
        slots[nslots - 1].persistent = 1;
        MPI_Start(r);
#else
        MPI_Iallreduce(out, to, n, MPI_INT, MPI_MAX, comm, r);
#endif
    }
}

static int
on_query(void *state, MPI_Status *status)
{
    slot *s = state;
    ++s->queries;
    status->MPI_SOURCE = 3;
    status->MPI_TAG = 4;
    MPI_Status_set_elements(status, MPI_INT, s->count);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int
on_free(void *state)
{
    ++((slot *)state)->frees;
    return MPI_SUCCESS;
}

static int
on_cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static void
generalized(void)
{
    const int n = check_uniform(0, 99);
    MPI_Request *r = add(GENERAL, n, 0);
    MPI_Grequest_start(on_query, on_free, on_cancel, &slots[nslots - 1], r);
    MPI_Grequest_complete(*r); /* MPICH's MPI_Waitall needs that before */
}

static MPI_Offset
place(int process, int which)
{
    return ((MPI_Offset)process * (SLOTS + 1) + which) * LONG *
           (int)sizeof(int);
}

/* Slot 0 of each process has what it sends. */
static void
filed(void)
{
    const int which = check_uniform(0, 3), n = draw_count();
    int *const to = in[nslots];
    if (which >= 2 && is_collective_file_used)
        return;
    is_collective_file_used |= which >= 2;
    MPI_Request *r = add(FILED, n, which % 2 == 1 ? n : 0);
    const MPI_Offset at = place(rank, nslots);
    if (which == 0)
        MPI_File_iwrite_at(file, at, out, n, MPI_INT, r);
    else if (which == 1)
        MPI_File_iread_at(file, place(last, 0), to, n, MPI_INT, r);
    else if (which == 2)
        MPI_File_iwrite_at_all(common, at, out, n, MPI_INT, r);
    else
        MPI_File_iread_at_all(common, place(last, 0), to, n, MPI_INT, r);
}

static void
one_sided(void)
{
    const int which = check_uniform(0, 2), n = check_uniform(1, 99);
    int *const to = in[nslots];
    const MPI_Aint at = LONG + 100 * nslots;
    MPI_Request *r = add(ONE_SIDED, n, which == 1 ? n : 0);
    if (which == 0)
        MPI_Rput(out, n, MPI_INT, next, at, n, MPI_INT, win, r);
    else if (which == 1)
        MPI_Rget(to, n, MPI_INT, last, 0, n, MPI_INT, win, r);
    else
        MPI_Raccumulate(out, n, MPI_INT, next, at, n, MPI_INT, MPI_SUM, win,
                        r);
}

static void
odd(void)
{
    const int which = check_uniform(0, 3);
    int *const to = in[nslots];
    MPI_Request *r;
    if (which == 0) {
        add(NOTHING, 0, 0);
    } else if (which == 1) {
        r = add(CANCELLED, 0, 0);
        MPI_Irecv(to, 9, MPI_INT, last, 9999, comm, r);
        MPI_Cancel(r);
    } else if (which == 2) {
        r = add(NOBODY, 0, 0);
        MPI_Irecv(to, 9, MPI_INT, MPI_PROC_NULL, 5, comm, r);
    } else {
        r = add(IDLE, 0, 0);
        slots[nslots - 1].persistent = 1;
        MPI_Recv_init(to, 9, MPI_INT, last, 9998, comm, r);
    }
}

static void
begin(kind k)
{
    switch (k) {
    case RECEIVED:
        message(0, 1);
        break;
    case SENT:
        message(1, 1);
        break;
    case TRUNCATED:
        message(0, IS_OPEN_MPI && (now == WAITALL || now == WAITALL_IGNORE ||
                                   has_failing));
        has_failing = 1;
        break;
    case COLLECTIVE:
        collective();
        break;
    case GENERAL:
        generalized();
        break;
    case FILED:
        filed();
        break;
    case ONE_SIDED:
        one_sided();
        break;
    case OTHER:
        partitioned();
        break;
    default:
        odd();
    }
}

/* ------------------------------------------------ and end */

static void
note(int at, const MPI_Status *status, int err)
{
    record *x = &slots[at].found;
    if (status == NULL) {
        slots[at].has_no_status = 1;
        return;
    }
    x->err = class_of(err);
    x->source = status->MPI_SOURCE;
    x->tag = status->MPI_TAG;
    MPI_Get_count(status, MPI_INT, &x->count);
    MPI_Test_cancelled(status, &x->cancelled);
}

/* An error ends MPI_Waitall before all is done: ask for the rest. */
static void
end_all(int pass, int ignore)
{
    MPI_Status status[SLOTS];
    int is_done[SLOTS] = {0}, err, tries = 0;
    do {
        /* MPICH 4.0 sets none for null requests. */
        for (int k = 0; k < nslots; ++k)
            status[k].MPI_ERROR = MPI_SUCCESS;
        err = class_of(calls[pass].waitall(nslots, requests,
                                           ignore ? no_statuses : status));
        CHECK(err == MPI_SUCCESS || err == MPI_ERR_IN_STATUS, "class %d", err);
        for (int k = 0; k < nslots; ++k) {
            const int one = ignore || err == MPI_SUCCESS
                                ? MPI_SUCCESS
                                : class_of(status[k].MPI_ERROR);
            if (is_done[k] || one == MPI_ERR_PENDING)
                continue;
            note(k, ignore ? NULL : &status[k], one);
            is_done[k] = 1;
        }
    } while (err != MPI_SUCCESS && ++tries < 2 * SLOTS);
    CHECK(err == MPI_SUCCESS, "MPI_Waitall: class %d", err);
}

static void
end_any(int pass)
{
    for (int k = 0; k <= nslots; ++k) {
        MPI_Status status;
        int which = -1;
        const int err = calls[pass].waitany(nslots, requests, &which, &status);
        if (which == MPI_UNDEFINED)
            return;
        CHECK(which >= 0 && which < nslots, "MPI_Waitany: %d", which);
        note(which, &status, err);
    }
    CHECK(0, "MPI_Waitany finds more than there are");
}

static void
end_some(int pass, int ignore)
{
    for (int k = 0; k <= nslots; ++k) {
        MPI_Status status[SLOTS];
        int which[SLOTS], count = -1;
        const int err = class_of(calls[pass].waitsome(
            nslots, requests, &count, which, ignore ? no_statuses : status));
        if (count == MPI_UNDEFINED)
            return;
        CHECK(count > 0 && count <= nslots, "MPI_Waitsome: %d", count);
        for (int j = 0; j < count; ++j)
            note(which[j], ignore ? NULL : &status[j],
                 ignore || err == MPI_SUCCESS ? MPI_SUCCESS
                                              : status[j].MPI_ERROR);
    }
    CHECK(0, "MPI_Waitsome finds more than there are");
}

static void
end_one(int pass, way w, int k)
{
    MPI_Status status;
    int err, done = 0;
    if (w == WAIT) {
        err = calls[pass].wait(&requests[k], &status);
    } else {
        while (err = MPI_Test(&requests[k], &done, &status),
               err == MPI_SUCCESS && !done)
            usleep(50);
    }
    note(k, &status, err);
}

static void
check_slot(int k, way w, int pass)
{
    const slot *s = &slots[k];
    int wrong = 0;
    for (int i = 0; i < s->expected; ++i)
        wrong += in[k][i] != word(last, i);
    CHECK(wrong == 0, "%s, %s, pass %d: %d words of %d", kind_name[s->kind],
          way_name[w], pass, wrong, s->expected);
    /* Open MPI 4.1 forgets some that are not active. */
    if (!IS_OPEN_MPI || s->kind != IDLE)
        CHECK((requests[k] == MPI_REQUEST_NULL) == !s->persistent,
              "%s, %s, pass %d: request", kind_name[s->kind], way_name[w],
              pass);
    if (s->kind == GENERAL) {
        CHECK(s->frees == 1, "%s, pass %d: %d calls of free", way_name[w],
              pass, s->frees);
        CHECK(pass == 0 || s->queries == 1, "%s: %d calls of query",
              way_name[w], s->queries);
    }
}

static void
end(int pass, way w)
{
    const int turn = check_uniform(0, 1000);
    switch (w) {
    case WAITALL:
    case WAITALL_IGNORE:
        end_all(pass, w == WAITALL_IGNORE);
        break;
    case WAITANY:
        end_any(pass);
        break;
    case WAITSOME:
    case WAITSOME_IGNORE:
        end_some(pass, w == WAITSOME_IGNORE);
        break;
    default:
        for (int k = 0; k < nslots; ++k)
            end_one(pass, w, (k + turn) % nslots);
    }
    for (int k = 0; k < nslots; ++k)
        check_slot(k, w, pass);
    /* What is put goes to a place that the next pass uses, too. */
    MPI_Win_flush_all(win);
    check_barrier(comm);
    for (int k = 0; k < nslots; ++k)
        if (requests[k] != MPI_REQUEST_NULL)
            MPI_Request_free(&requests[k]);
    check_barrier(comm);
}

/* What MPI defines of a status. */
static void
compare(const slot *x, const slot *y, way w)
{
    const record a = x->found, b = y->found;
    const kind k = x->kind;
    if (y->has_no_status)
        return;
    CHECK(a.err == b.err, "%s, %s: class %d, %d", kind_name[k], way_name[w],
          a.err, b.err);
    if (k == RECEIVED || k == CANCELLED || k == GENERAL)
        CHECK(a.cancelled == b.cancelled, "%s, %s", kind_name[k], way_name[w]);
    if (k == CANCELLED)
        CHECK(b.cancelled, "%s", way_name[w]);
    if (k == RECEIVED || k == GENERAL || k == NOBODY || k == TRUNCATED ||
        ((k == NOTHING || k == IDLE) && w != WAITANY && w != WAITSOME))
        CHECK(a.source == b.source && a.tag == b.tag,
              "%s, %s: from %d, %d, tag %d, %d", kind_name[k], way_name[w],
              a.source, b.source, a.tag, b.tag);
    if (k == RECEIVED || k == GENERAL || k == FILED)
        CHECK(a.count == b.count && b.count == x->count,
              "%s, %s: count %d, %d of %d", kind_name[k], way_name[w], a.count,
              b.count, x->count);
}

/* The same requests twice. */
static void
both(kind only, int n, way w)
{
    static slot plain[SLOTS];
    const uint64_t seed = check_state;
    for (int pass = 0; pass < 2; ++pass) {
        check_state = seed;
        nslots = is_collective_file_used = has_failing = 0;
        now = w;
        for (int k = 0; k < n && nslots + 2 <= SLOTS; ++k)
            begin(only == NOTHING ? (kind)check_uniform(0, OTHER) : only);
        end(pass, w);
        if (pass == 0)
            memcpy(plain, slots, sizeof plain);
    }
    for (int k = 0; k < nslots; ++k)
        compare(&plain[k], &slots[k], w);
}

/* ------------------------------------------------ odd cases */

static void *
complete_late(void *request)
{
    usleep(20000);
    MPI_Grequest_complete(*(MPI_Request *)request);
    return NULL;
}

/* A generalized request that another thread completes. */
static void
late(void)
{
    for (way w = WAIT; w < WAYS; ++w) {
        pthread_t other;
        nslots = 0;
        MPI_Request same, *r = add(GENERAL, 7, 0);
        MPI_Grequest_start(on_query, on_free, on_cancel, &slots[0], r);
        same = *r;
        if (pthread_create(&other, NULL, complete_late, &same) != 0)
            complete_late(&same);
        else
            pthread_detach(other);
        end(1, w);
    }
}

static int complaints;

static void
count_complaint(MPI_Comm *which, int *err, ...)
{
    (void)which, (void)err;
    ++complaints;
}

/* One request of a list fails: the handlers are called once. */
static void
one_fails(way w)
{
    int found[2];
    if (IS_OPEN_MPI && (w == WAITALL || w == WAITALL_IGNORE))
        return;
    now = w;
    for (int pass = 0; pass < 2; ++pass) {
        nslots = has_failing = 0;
        begin(RECEIVED);
        begin(TRUNCATED);
        begin(NOTHING);
        check_barrier(comm);
        complaints = 0;
        end(pass, w);
        found[pass] = complaints;
    }
    CHECK(found[0] == 1 && found[1] == 1, "%s: %d, %d complaints", way_name[w],
          found[0], found[1]);
}

static void
no_requests(void)
{
    MPI_Status status;
    int which = 5, count = 5;
    CHECK(MPI_Waitall(0, NULL, no_statuses) == MPI_SUCCESS, "none");
    CHECK(MPI_Waitany(0, NULL, &which, &status) == MPI_SUCCESS &&
              which == MPI_UNDEFINED,
          "%d", which);
    CHECK(MPI_Waitsome(0, NULL, &count, &which, &status) == MPI_SUCCESS &&
              count == MPI_UNDEFINED,
          "%d", count);
}

/* ------------------------------------------------ main */

static MPI_File
open_file(const char *name)
{
    MPI_File f = MPI_FILE_NULL;
    const int err = MPI_File_open(
        comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
        MPI_INFO_NULL, &f);
    CHECK(err == MPI_SUCCESS, "%s: class %d", name, class_of(err));
    if (err == MPI_SUCCESS)
        MPI_File_write_at_all(f, place(rank, 0), out, LONG, MPI_INT,
                              MPI_STATUS_IGNORE);
    return f;
}

static void
set_up(void)
{
    MPI_Errhandler handler;
    const char *folder = getenv("TMPDIR");
    long pid = (long)getpid();
    char name[2][200];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    last = (rank - 1 + size) % size;
    for (int k = 0; k < LONG; ++k)
        out[k] = word(rank, k);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(count_complaint, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    MPI_Win_allocate((MPI_Aint)sizeof(int) * (LONG + 100 * SLOTS), sizeof(int),
                     MPI_INFO_NULL, comm, &ours, &win);
    memset(ours, 0, sizeof(int) * (LONG + 100 * SLOTS));
    memcpy(ours, out, sizeof out);
    MPI_Bcast(&pid, 1, MPI_LONG, 0, comm);
    for (int k = 0; k < 2; ++k)
        snprintf(name[k], sizeof name[k], "%s/hesca_t_requests.%ld.%d",
                 folder != NULL ? folder : "/tmp", pid, k);
    file = open_file(name[0]);
    common = open_file(name[1]);
    check_barrier(comm);
    MPI_Win_lock_all(0, win);
}

static void
tear_down(void)
{
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_File_close(&file);
    MPI_File_close(&common);
    MPI_Comm_free(&comm);
}

static void
mixes(double seconds)
{
    long n = 0;
    const double begin = MPI_Wtime();
    for (int more = 1; more; ++n) {
        both(NOTHING, check_uniform(1, 20), (way)check_uniform(0, WAYS - 1));
        more = seconds > 0 ? MPI_Wtime() - begin < seconds
                           : n + 1 < check_cases(MIXES);
        MPI_Bcast(&more, 1, MPI_INT, 0, comm);
    }
    if (rank == 0)
        printf("t_requests: %ld mixes in %.0f s\n", n, MPI_Wtime() - begin);
}

int
main(int argc, char **argv)
{
    const char *seconds = getenv("HESCA_TEST_SECONDS");
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    set_up();
    check_state = check_seed(19);
    if (rank == 0)
        printf("t_requests: seed %llu\n", (unsigned long long)check_state);
    no_requests();
    for (way w = WAIT; w < WAYS; ++w) {
        one_fails(w);
        for (kind k = SENT; k <= OTHER; ++k)
            both(k, 3, w);
    }
    if (provided == MPI_THREAD_MULTIPLE)
        late();
    mixes(seconds != NULL ? strtod(seconds, NULL) : 0);
    tear_down();
    const int status = check_done("t_requests");
    MPI_Finalize();
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Polite waiting changes how a call waits and nothing else: every call that
 * libhesca_scalapack makes polite against MPI's own, PMPI_..., on random
 * arguments: data, statuses, error codes, communicators.  And a process that
 * waits politely does not use up its core. */
#include "testing/check.h"
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { WORDS = 4000, CASES = 5, NTYPES = 3 };

/* GCC takes MPICH's constant for an array of no elements. */
static MPI_Status *volatile no_statuses = MPI_STATUSES_IGNORE;

static int rank, size, is_polite;
static MPI_Datatype types[NTYPES]; /* one, two, and two of three ints */
static const int extent[NTYPES] = {1, 2, 3};
static int out[WORDS], plain_in[WORDS], polite_in[WORDS];

static int
class_of(int err)
{
    int class = err;
    if (err != MPI_SUCCESS)
        PMPI_Error_class(err, &class);
    return class;
}

/* What processes agree on comes from check_random(); what they send differs.
 */
static void
fill(void)
{
    const int seed = check_uniform(0, 1000000);
    for (int k = 0; k < WORDS; ++k) {
        out[k] = (seed + 7919 * rank + 31 * k) % 1000;
        plain_in[k] = polite_in[k] = (seed + 13 * rank + k) % 77 - 100;
    }
}

/* Both calls, in receives; the same code, the same data. */
#define SAME(name, ...)                                                       \
    do {                                                                      \
        int *in = plain_in;                                                   \
        const int code = PMPI_##name(__VA_ARGS__);                            \
        in = polite_in;                                                       \
        const int again = MPI_##name(__VA_ARGS__);                            \
        CHECK(class_of(code) == class_of(again), "MPI_%s: %d, %d", #name,     \
              class_of(code), class_of(again));                               \
        CHECK(memcmp(plain_in, polite_in, sizeof plain_in) == 0,              \
              "MPI_%s on %d processes: other data", #name, size);             \
        (void)in;                                                             \
    } while (0)

/* ------------------------------------------------ collective calls */

/* Counts for each process of n, and where they begin. */
static void
cut(int n, int most, int count[], int at[])
{
    for (int k = 0, sum = 0; k < n; ++k) {
        count[k] = check_uniform(0, most);
        at[k] = sum;
        sum += count[k] + check_uniform(0, 2);
    }
}

static void
moves(MPI_Comm comm)
{
    int n, me, count[16], at[16], bytes[16], zeros[16] = {0};
    MPI_Comm_size(comm, &n);
    MPI_Comm_rank(comm, &me);
    const int t = check_uniform(0, NTYPES - 1), c = check_uniform(0, 20);
    const int root = check_uniform(0, 15) % n;
    const MPI_Datatype type = types[t];
    MPI_Datatype each[16];
    for (int k = 0; k < n; ++k) {
        each[k] = type;
        bytes[k] = 4 * k * c * extent[t];
        count[k] = c;
    }
    fill();
    SAME(Barrier, comm);
    SAME(Bcast, in, c, type, root, comm);
    SAME(Gather, out, c, type, in, c, type, root, comm);
    SAME(Gather, me == root ? MPI_IN_PLACE : out, c, type, in, c, type, root,
         comm);
    SAME(Scatter, out, c, type, in, c, type, root, comm);
    SAME(Allgather, out, c, type, in, c, type, comm);
    SAME(Allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, c, type, comm);
    SAME(Alltoall, out, c, type, in, c, type, comm);
    SAME(Alltoallw, out, count, bytes, each, in, count, bytes, each, comm);
    cut(n, 9, count, at);
    SAME(Gatherv, out, count[me], type, in, count, at, type, root, comm);
    SAME(Scatterv, out, count, at, type, in, count[me], type, root, comm);
    SAME(Allgatherv, out, count[me], type, in, count, at, type, comm);
    /* Each process sends the same count to all, and receives each one's. */
    for (int k = 0; k < n; ++k)
        bytes[k] = count[me];
    SAME(Alltoallv, out, bytes, zeros, type, in, count, at, type, comm);
}

/* (a, b) after (c, d): x -> a (c x + d) + b; not commutative. */
static void
after(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const unsigned *x = in;
    unsigned *y = inout;
    (void)type;
    for (int k = 0; k < *n; ++k, x += 2, y += 2) {
        const unsigned a = y[0] * x[0];
        y[1] = y[0] * x[1] + y[1];
        y[0] = a;
    }
}

static void
sums(MPI_Comm comm)
{
    int n, me, count[16], at[16];
    MPI_Op op[3] = {MPI_SUM, MPI_MAX, MPI_OP_NULL};
    MPI_Op_create(after, 0, &op[2]);
    MPI_Comm_size(comm, &n);
    MPI_Comm_rank(comm, &me);
    const int which = check_uniform(0, 2), c = check_uniform(0, 20);
    const int root = check_uniform(0, 15) % n;
    const MPI_Datatype type = which == 2 ? types[1] : MPI_INT;
    cut(n, 9, count, at);
    fill();
    SAME(Reduce, out, in, c, type, op[which], root, comm);
    SAME(Reduce, me == root ? MPI_IN_PLACE : out, in, c, type, op[which], root,
         comm);
    SAME(Allreduce, out, in, c, type, op[which], comm);
    SAME(Allreduce, MPI_IN_PLACE, in, c, type, op[which], comm);
    SAME(Reduce_scatter, out, in, count, type, op[which], comm);
    SAME(Reduce_scatter_block, out, in, c, type, op[which], comm);
    SAME(Scan, out, in, c, type, op[which], comm);
    SAME(Exscan, out, in, c, type, op[which], comm);
    MPI_Op_free(&op[2]);
}

/* ------------------------------------------------ messages */

static void
check_status(const MPI_Status *s, int source, int tag, MPI_Datatype type,
             int count, const char *name)
{
    int got = -1;
    MPI_Get_count(s, type, &got);
    CHECK(s->MPI_SOURCE == source && s->MPI_TAG == tag && got == count,
          "%s: from %d tag %d count %d, not %d %d %d", name, s->MPI_SOURCE,
          s->MPI_TAG, got, source, tag, count);
}

typedef int sender(const void *, int, MPI_Datatype, int, int, MPI_Comm);

/* To the partner and back, in each mode of sending; short and long. */
static void
pairs(MPI_Comm comm)
{
    static sender *const send[] = {MPI_Send, MPI_Ssend, MPI_Rsend};
    const int shift = check_uniform(0, 1), t = check_uniform(0, NTYPES - 1);
    const int count = check_uniform(0, WORDS / extent[t]);
    const int tag = check_uniform(0, 99), mode = check_uniform(0, 2);
    const int wild = check_uniform(0, 1), asks = check_uniform(0, 1);
    int other = ((rank + shift) ^ 1) - shift;
    if (other < 0 || other >= size)
        other = MPI_PROC_NULL;
    const int expected = other == MPI_PROC_NULL ? 0 : count;
    MPI_Status status;
    fill();
    for (int turn = 0; turn < 2; ++turn) {
        if (turn == (rank < other)) {
            /* Ready mode: the other has called MPI_Recv long ago, or it is
             * sent in standard mode. */
            CHECK(send[mode == 2 ? 0 : mode](out, count, types[t], other, tag,
                                             comm) == MPI_SUCCESS,
                  "mode %d", mode);
            continue;
        }
        if (asks) {
            MPI_Probe(other, tag, comm, &status);
            check_status(&status, other,
                         other == MPI_PROC_NULL ? MPI_ANY_TAG : tag, types[t],
                         expected, "MPI_Probe");
        }
        const int from = wild && other >= 0 ? MPI_ANY_SOURCE : other;
        MPI_Recv(polite_in, WORDS / extent[t], types[t], from,
                 wild ? MPI_ANY_TAG : tag, comm, &status);
        check_status(&status, other,
                     other == MPI_PROC_NULL ? MPI_ANY_TAG : tag, types[t],
                     expected, "MPI_Recv");
    }
    for (int k = 0; k < expected * extent[t]; ++k) {
        const int sent = out[k] + 7919 * (other - rank);
        if (t < 2 || k % 3 < 2)
            CHECK((polite_in[k] - sent) % 1000 == 0, "word %d of %d", k,
                  expected);
    }
    MPI_Barrier(comm);
    /* In ready mode: the receiver signals that it has begun. */
    MPI_Request request;
    MPI_Irecv(polite_in, count, types[t], other, tag, comm, &request);
    MPI_Sendrecv(NULL, 0, MPI_INT, other, 100, NULL, 0, MPI_INT, other, 100,
                 comm, MPI_STATUS_IGNORE);
    CHECK(send[2](out, count, types[t], other, tag, comm) == MPI_SUCCESS,
          "MPI_Rsend");
    MPI_Wait(&request, &status);
    if (other != MPI_PROC_NULL) /* where MPICH 4.0 is wrong */
        check_status(&status, other, tag, types[t], expected, "MPI_Wait");
    CHECK(request == MPI_REQUEST_NULL, "MPI_Wait leaves a request");
}

static void
shifts(MPI_Comm comm)
{
    const int by = check_uniform(0, size), t = check_uniform(0, NTYPES - 1);
    const int ends = check_uniform(0, 3) == 0; /* no ring */
    const int count = check_uniform(0, WORDS / extent[t]);
    int to = rank + by, from = rank - by;
    if (ends && to >= size)
        to = MPI_PROC_NULL;
    if (ends && from < 0)
        from = MPI_PROC_NULL;
    to = to < 0 ? to : to % size;
    from = from < 0 && ends ? from : (from + size) % size;
    MPI_Status plain, polite, *status = &plain;
    fill();
    for (int k = 0; k < 2; ++k) {
        int *in = k == 0 ? plain_in : polite_in;
        const int err = (k == 0 ? PMPI_Sendrecv : MPI_Sendrecv)(
            out, count, types[t], to, 5, in, WORDS / extent[t], types[t], from,
            MPI_ANY_TAG, comm, status);
        CHECK(err == MPI_SUCCESS, "MPI_Sendrecv: %d", err);
        status = &polite;
    }
    CHECK(memcmp(plain_in, polite_in, sizeof plain_in) == 0, "MPI_Sendrecv");
    check_status(&polite, plain.MPI_SOURCE, plain.MPI_TAG, types[t],
                 from < 0 ? 0 : count, "MPI_Sendrecv");
}

static void
matched(MPI_Comm comm)
{
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;
    int got = -1;
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 8, comm, &request);
    MPI_Mprobe(MPI_ANY_SOURCE, 8, comm, &message, &status);
    MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(got == (rank - 1 + size) % size && got == status.MPI_SOURCE,
          "MPI_Mprobe: %d", got);
}

/* ------------------------------------------------ requests */

/* Some of each kind: null, sends and receives in a ring, and persistent ones,
 * of which the last is not active. */
enum { NREQUESTS = 7 };

static void
begin_some(MPI_Comm comm, MPI_Request r[], int data[])
{
    const int next = (rank + 1) % size, last = (rank - 1 + size) % size;
    r[0] = r[3] = MPI_REQUEST_NULL;
    MPI_Irecv(&data[0], 1, MPI_INT, last, 1, comm, &r[1]);
    MPI_Irecv(&data[1], 1, MPI_INT, last, 2, comm, &r[2]);
    MPI_Isend(&rank, 1, MPI_INT, next, 1, comm, &r[4]);
    MPI_Send_init(&rank, 1, MPI_INT, next, 2, comm, &r[5]);
    MPI_Send_init(&rank, 1, MPI_INT, next, 3, comm, &r[6]);
    MPI_Start(&r[5]);
}

static void
end_some(MPI_Request r[], const int data[], const char *name)
{
    const int last = (rank - 1 + size) % size;
    CHECK(data[0] == last && data[1] == last, "%s: %d %d", name, data[0],
          data[1]);
    for (int k = 0; k < NREQUESTS; ++k)
        CHECK((r[k] == MPI_REQUEST_NULL) == (k < 5), "%s: request %d", name,
              k);
    MPI_Request_free(&r[5]);
    MPI_Request_free(&r[6]);
}

static void
lists(MPI_Comm comm)
{
    MPI_Request r[NREQUESTS];
    MPI_Status status[NREQUESTS];
    int data[2], which[NREQUESTS], found, done[NREQUESTS] = {0};
    begin_some(comm, r, data);
    CHECK(MPI_Waitall(NREQUESTS, r, status) == MPI_SUCCESS, "MPI_Waitall");
    CHECK(status[0].MPI_SOURCE == MPI_ANY_SOURCE && status[2].MPI_TAG == 2,
          "MPI_Waitall: %d %d", status[0].MPI_SOURCE, status[2].MPI_TAG);
    end_some(r, data, "MPI_Waitall");
    begin_some(comm, r, data);
    MPI_Waitall(NREQUESTS, r, no_statuses);
    end_some(r, data, "MPI_Waitall");

    begin_some(comm, r, data);
    for (int k = 0; k < 4; ++k) {
        MPI_Waitany(NREQUESTS, r, &found, status);
        CHECK(found == 1 || found == 2 || found == 4 || found == 5, "%d",
              found);
        CHECK(found < 0 || done[found]++ == 0, "%d twice", found);
    }
    MPI_Waitany(NREQUESTS, r, &found, status);
    CHECK(found == MPI_UNDEFINED, "MPI_Waitany of none: %d", found);
    end_some(r, data, "MPI_Waitany");

    begin_some(comm, r, data);
    for (int left = 4; left > 0; left -= found) {
        MPI_Waitsome(NREQUESTS, r, &found, which, status);
        CHECK(found >= 1 && found <= left, "MPI_Waitsome: %d", found);
        if (found < 1)
            break;
    }
    MPI_Waitsome(NREQUESTS, r, &found, which, status);
    CHECK(found == MPI_UNDEFINED, "MPI_Waitsome of none: %d", found);
    end_some(r, data, "MPI_Waitsome");
    MPI_Waitall(0, NULL, no_statuses);
}

static int
query(void *state, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, *(int *)state);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int
release(void *state)
{
    *(int *)state += 1;
    return MPI_SUCCESS;
}

static int
cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static void
odd_requests(MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    int flag = 0, elements = 5, got = 0;
    CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS &&
              status.MPI_SOURCE == MPI_ANY_SOURCE,
          "null");
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 99, comm, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag, "not cancelled");
    MPI_Grequest_start(query, release, cancel, &elements, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &got);
    CHECK(got == 5 && elements == 6, "generalized: %d %d", got, elements);
}

/* ------------------------------------------------ errors */

static int complaints;

static void
count_complaint(MPI_Comm *comm, int *err, ...)
{
    (void)comm, (void)err;
    ++complaints;
}

/* A call that must fail, by MPI and politely: same class, reported once. */
#define FAILS(name, ...)                                                      \
    do {                                                                      \
        complaints = 0;                                                       \
        const int plain = class_of(PMPI_##name(__VA_ARGS__));                 \
        const int polite = class_of(MPI_##name(__VA_ARGS__));                 \
        CHECK(plain == polite && plain != MPI_SUCCESS, "MPI_%s: %d, %d",      \
              #name, plain, polite);                                          \
        CHECK(complaints == 2, "MPI_%s: %d complaints", #name, complaints);   \
    } while (0)

/* A message that is longer than what is received. */
static void
too_long(MPI_Comm comm, int expected)
{
    MPI_Request request;
    int x[4] = {0};
    for (int k = 0; k < 2; ++k) {
        complaints = 0;
        MPI_Isend(x, 3, MPI_INT, (rank + 1) % size, 0, comm, &request);
        const int err = (k == 0 ? PMPI_Recv : MPI_Recv)(
            x + 3, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
        CHECK(class_of(err) == MPI_ERR_TRUNCATE && complaints == expected,
              "MPI_Recv, %d: class %d, %d complaints", k, class_of(err),
              complaints);
        PMPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void
errors(MPI_Comm world)
{
    MPI_Errhandler handler;
    MPI_Comm comm;
    MPI_Status status;
    int x[4] = {0};
    MPI_Comm_dup(world, &comm);
    MPI_Comm_create_errhandler(count_complaint, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    FAILS(Send, x, 1, MPI_INT, size, 0, comm);
    FAILS(Ssend, x, 1, MPI_INT, 0, -5, comm);
    FAILS(Rsend, x, -1, MPI_INT, 0, 0, comm);
    FAILS(Recv, x, 1, MPI_INT, size, 0, comm, &status);
    FAILS(Recv, x, 1, MPI_DATATYPE_NULL, 0, 0, comm, &status);
    FAILS(Probe, size, 0, comm, &status);
    FAILS(Sendrecv, x, 1, MPI_INT, size, 0, x + 1, 1, MPI_INT, 0, 0, comm,
          &status);
    FAILS(Sendrecv, x, 1, MPI_INT, 0, 0, x + 1, 1, MPI_INT, size, 0, comm,
          &status);
    FAILS(Bcast, x, 1, MPI_INT, size, comm);
    FAILS(Reduce, x, x + 1, 1, MPI_INT, MPI_SUM, -7, comm);
    FAILS(Allreduce, x, x + 1, 1, MPI_INT, MPI_OP_NULL, comm);
    too_long(comm, 1);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    too_long(comm, 0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    too_long(comm, 0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
}

/* ------------------------------------------------ communicators */

static void
check_made(MPI_Comm *plain, MPI_Comm *polite, const char *name)
{
    int result = -1;
    fill();
    CHECK((*plain == MPI_COMM_NULL) == (*polite == MPI_COMM_NULL), "%s", name);
    if (*plain == MPI_COMM_NULL || *polite == MPI_COMM_NULL)
        return;
    MPI_Comm_compare(*plain, *polite, &result);
    CHECK(result == MPI_CONGRUENT, "%s: %d", name, result);
    SAME(Allreduce, out, in, 9, MPI_INT, MPI_SUM, *polite);
    MPI_Comm_free(plain);
    MPI_Comm_free(polite);
}

static int
copy_attribute(MPI_Comm comm, int key, void *extra, void *in, void *copy,
               int *flag)
{
    (void)comm, (void)key, (void)extra;
    *(void **)copy = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static void
makes(MPI_Comm comm)
{
    MPI_Comm plain, polite, plain_row, row;
    MPI_Group all, some;
    const int dims[] = {1, size}, none[] = {0, 0};
    int key, flag = 0, back[1][3] = {{size - 1, 0, -1}};
    char word[2], *value = NULL;
    const int colour = check_uniform(0, 1) * (rank % 2);
    const int leaves = check_uniform(0, 1) && rank == 1;
    const int mine = leaves ? MPI_UNDEFINED : colour;
    PMPI_Comm_split(comm, mine, -rank, &plain);
    MPI_Comm_split(comm, mine, -rank, &polite);
    check_made(&plain, &polite, "MPI_Comm_split");
    PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &plain);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &polite);
    check_made(&plain, &polite, "MPI_Comm_split_type");
    MPI_Comm_group(comm, &all);
    MPI_Group_range_incl(all, 1, back, &some);
    PMPI_Comm_create(comm, some, &plain);
    MPI_Comm_create(comm, some, &polite);
    check_made(&plain, &polite, "MPI_Comm_create");
    PMPI_Comm_create_group(comm, some, 7, &plain);
    MPI_Comm_create_group(comm, some, 7, &polite);
    check_made(&plain, &polite, "MPI_Comm_create_group");
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    PMPI_Cart_create(comm, 2, dims, none, 0, &plain);
    MPI_Cart_create(comm, 2, dims, none, 0, &polite);
    PMPI_Cart_sub(plain, dims, &plain_row);
    MPI_Cart_sub(polite, dims, &row);
    check_made(&plain_row, &row, "MPI_Cart_sub");
    check_made(&plain, &polite, "MPI_Cart_create");
    MPI_Comm_create_keyval(copy_attribute, MPI_COMM_NULL_DELETE_FN, &key,
                           NULL);
    MPI_Comm_set_attr(comm, key, word);
    PMPI_Comm_dup(comm, &plain);
    MPI_Comm_dup(comm, &polite);
    MPI_Comm_get_attr(polite, key, &value, &flag);
    CHECK(flag && value == word + 1, "MPI_Comm_dup copies no attribute");
    check_made(&plain, &polite, "MPI_Comm_dup");
    MPI_Comm_delete_attr(comm, key);
    MPI_Comm_free_keyval(&key);
}

/* Two halves that talk through an intercommunicator. */
static void
halves(MPI_Comm comm)
{
    MPI_Comm half, between, copy;
    const int odd = rank % 2;
    int sum = -1, got = -1;
    if (size < 2)
        return;
    MPI_Comm_split(comm, odd, rank, &half);
    MPI_Intercomm_create(half, 0, comm, !odd, 4, &between);
    MPI_Comm_dup(between, &copy);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_MAX, copy);
    CHECK(sum % 2 != odd && sum >= size - 2, "other half: %d", sum);
    const int root = odd ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    got = rank == 0 ? 17 : -1;
    MPI_Bcast(&got, 1, MPI_INT, root, between);
    CHECK(got == 17 || !odd, "MPI_Bcast: %d", got);
    MPI_Barrier(between);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

/* ------------------------------------------------ threads */

typedef struct {
    MPI_Comm comm;
    int wrong;
} talk;

static void *
chat(void *what)
{
    talk *t = what;
    const int next = (rank + 1) % size, last = (rank - 1 + size) % size;
    for (int k = 0; k < 30; ++k) {
        int got = -1, sum = 0, one = 1, mine = 100 * rank + k;
        MPI_Sendrecv(&mine, 1, MPI_INT, next, k, &got, 1, MPI_INT, last, k,
                     t->comm, MPI_STATUS_IGNORE);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, t->comm);
        t->wrong += got != 100 * last + k || sum != size;
    }
    return NULL;
}

static void
threads(void)
{
    talk t[2] = {{MPI_COMM_NULL, 0}, {MPI_COMM_NULL, 0}};
    pthread_t other;
    for (int k = 0; k < 2; ++k)
        MPI_Comm_dup(MPI_COMM_WORLD, &t[k].comm);
    const int started = pthread_create(&other, NULL, chat, &t[0]) == 0;
    if (!started)
        chat(&t[0]);
    chat(&t[1]);
    if (started)
        pthread_join(other, NULL);
    for (int k = 0; k < 2; ++k) {
        CHECK(t[k].wrong == 0, "thread %d: %d wrong", k, t[k].wrong);
        MPI_Comm_free(&t[k].comm);
    }
}

/* ------------------------------------------------ politeness */

static double
cpu_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* The last process is late by 0.3 s; those that wait for it compute for less
 * than half of that time.  A slow machine makes it less, not more. */
#define LATE(name, call)                                                      \
    do {                                                                      \
        MPI_Barrier(comm);                                                    \
        if (late)                                                             \
            usleep(300000);                                                   \
        const double before = cpu_seconds();                                  \
        call;                                                                 \
        const double used = cpu_seconds() - before;                           \
        CHECK(late || used < 0.15, "%s: %g s of a core to wait 0.3 s", name,  \
              used);                                                          \
    } while (0)

static void
naps(void)
{
    MPI_Comm comm;
    const int late = rank == size - 1;
    int x = 1, y = 0, which;
    MPI_Comm made;
    MPI_Status status;
    MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 || late, rank, &comm);
    if (size > 1 && (rank == 0 || late)) {
        const int peer = late ? 0 : 1;
        LATE("MPI_Ssend and MPI_Recv",
             late ? MPI_Recv(&y, 1, MPI_INT, peer, 0, comm, &status)
                  : MPI_Ssend(&x, 1, MPI_INT, peer, 0, comm));
        LATE("MPI_Recv",
             late ? MPI_Send(&x, 1, MPI_INT, peer, 0, comm)
                  : MPI_Recv(&y, 1, MPI_INT, peer, 0, comm, &status));
        LATE("MPI_Sendrecv", MPI_Sendrecv(&x, 1, MPI_INT, peer, 0, &y, 1,
                                          MPI_INT, peer, 0, comm, &status));
        LATE("MPI_Probe", late ? MPI_Send(&x, 1, MPI_INT, peer, 0, comm)
                               : MPI_Probe(peer, 0, comm, &status));
        if (!late)
            MPI_Recv(&y, 1, MPI_INT, peer, 0, comm, &status);
        for (int k = 0; k < 3; ++k) {
            if (!late)
                MPI_Irecv(&y, 1, MPI_INT, peer, 0, comm, &r[1]);
            LATE(k == 0   ? "MPI_Wait"
                 : k == 1 ? "MPI_Waitall"
                          : "MPI_Waitany",
                 late     ? MPI_Send(&x, 1, MPI_INT, peer, 0, comm)
                 : k == 0 ? MPI_Wait(&r[1], &status)
                 : k == 1 ? MPI_Waitall(2, r, no_statuses)
                          : MPI_Waitany(2, r, &which, &status));
        }
        LATE("MPI_Barrier", MPI_Barrier(comm));
        LATE("MPI_Bcast", MPI_Bcast(&x, 1, MPI_INT, 1, comm));
        LATE("MPI_Allreduce",
             MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm));
        LATE("MPI_Comm_split", MPI_Comm_split(comm, 0, rank, &made));
        MPI_Comm_free(&made);
        LATE("MPI_Comm_dup", MPI_Comm_dup(comm, &made));
        MPI_Comm_free(&made);
    }
    MPI_Comm_free(&comm);
}

int
main(int argc, char **argv)
{
    const char *wait = getenv("HESCA_WAIT");
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    is_polite = wait != NULL && strcmp(wait, "polite") == 0;
    check_state = check_seed(20);
    if (rank == 0)
        printf("t_wait: seed %llu\n", (unsigned long long)check_state);
    types[0] = MPI_INT;
    MPI_Type_contiguous(2, MPI_INT, &types[1]);
    MPI_Type_create_resized(types[1], 0, 3 * sizeof(int), &types[2]);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int k = 0; k < NTYPES; ++k)
        MPI_Type_commit(&types[k]);
    for (int k = 0; k < check_cases(CASES); ++k) {
        moves(k % 2 ? comm : MPI_COMM_WORLD);
        sums(k % 2 ? MPI_COMM_WORLD : comm);
        pairs(comm);
        shifts(comm);
        lists(comm);
        makes(comm);
    }
    sums(MPI_COMM_SELF);
    matched(comm);
    odd_requests(comm);
    errors(comm);
    halves(comm);
    if (provided == MPI_THREAD_MULTIPLE)
        threads();
    if (is_polite)
        naps();
    MPI_Comm_free(&comm);
    MPI_Type_free(&types[1]);
    MPI_Type_free(&types[2]);
    const int status = check_done("t_wait");
    MPI_Finalize();
    return status;
}

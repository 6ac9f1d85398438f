#define _GNU_SOURCE /* sched_getaffinity */
#include "exec/comm.h"
#include "base/status.h"
#include "exec/cache.h"
#include "exec/stage.h"
#include "wait/backoff.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static int key = MPI_KEYVAL_INVALID;      /* on users' communicators */
static int exit_key = MPI_KEYVAL_INVALID; /* on MPI_COMM_SELF */
static hesca_comm *alive;

int
hesca_mpi(int code, const char *function)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int len;
    if (code == MPI_SUCCESS)
        return HESCA_SUCCESS;
    MPI_Error_string(code, text, &len);
    return hesca_fail(HESCA_ERR_MPI, 0, "%s: %.180s", function, text);
}

int
hesca_comm_wait(const hesca_comm *c, int n, MPI_Request *requests)
{
    hesca_backoff wait = hesca_backoff_begin(c->crowded);
    int err = HESCA_SUCCESS;
    for (int k = 0; k < n;) { /* testing one lets MPI advance them all */
        int done;
        HESCA_TRY(err,
                  hesca_mpi(MPI_Test(&requests[k], &done, MPI_STATUS_IGNORE),
                            "MPI_Test"));
        if (done)
            ++k;
        else
            hesca_backoff_pause(&wait);
    }
fail:
    return err;
}

static void
destroy(hesca_comm *c)
{
    hesca_comm **link = &alive;
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    hesca_cache_free(c->cache);
    MPI_Comm_free(&c->mpi);
    free(c);
}

/* The user's communicator is being freed. */
static int
on_free(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    destroy(value);
    return MPI_SUCCESS;
}

/* MPI_Finalize begins by freeing the attributes of MPI_COMM_SELF. */
static int
on_exit_mpi(MPI_Comm self, int keyval, void *value, void *extra)
{
    (void)self, (void)keyval, (void)value, (void)extra;
    while (alive != NULL)
        MPI_Comm_delete_attr(alive->user, key);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free_keyval(&exit_key);
    hesca_stage_free();
    return MPI_SUCCESS;
}

static int
create_keys(void)
{
    int err;
    if (key != MPI_KEYVAL_INVALID)
        return HESCA_SUCCESS;
    HESCA_TRY(err, hesca_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN,
                                                    on_free, &key, NULL),
                             "MPI_Comm_create_keyval"));
    HESCA_TRY(err,
              hesca_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN,
                                               on_exit_mpi, &exit_key, NULL),
                        "MPI_Comm_create_keyval"));
    HESCA_TRY(err, hesca_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, exit_key, NULL),
                             "MPI_Comm_set_attr"));
fail:
    return err;
}

/* Where a process may run: its host, and its cores there. */
typedef struct {
    uint64_t host, mask; /* hashes */
    int64_t ncores;
} seat;

static uint64_t
hash(const void *data, size_t n)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (size_t k = 0; k < n; ++k)
        h = (h ^ ((const unsigned char *)data)[k]) * 1099511628211u;
    return h;
}

static seat
my_seat(void)
{
    char host[MPI_MAX_PROCESSOR_NAME];
    int len = 0;
    cpu_set_t mask;
    seat s = {.ncores = 1};
    MPI_Get_processor_name(host, &len);
    s.host = hash(host, (size_t)len);
    if (sched_getaffinity(0, sizeof mask, &mask) == 0) {
        s.ncores = CPU_COUNT(&mask);
        s.mask = hash(&mask, sizeof mask);
    }
    return s;
}

/* Who is on this node.  It is crowded if more processes share a set of cores
 * than it has. */
static int
find_neighbours(hesca_comm *c)
{
    int err;
    int64_t sharers = 0;
    MPI_Request request;
    const seat mine = my_seat();
    seat *all = malloc((size_t)c->size * sizeof *all);
    if (all == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", c->size);
    HESCA_TRY(
        err, hesca_mpi(MPI_Iallgather(&mine, sizeof mine, MPI_BYTE, all,
                                      sizeof mine, MPI_BYTE, c->mpi, &request),
                       "MPI_Iallgather"));
    HESCA_TRY(err, hesca_comm_wait(c, 1, &request));
    for (int k = 0; k < c->size; ++k) {
        c->nlocal += all[k].host == mine.host;
        sharers += all[k].host == mine.host && all[k].mask == mine.mask;
    }
    c->crowded = sharers > mine.ncores;
fail:
    free(all);
    return err;
}

/* Everybody takes what rank 0 reads, or its failure. */
static int
agree_params(hesca_comm *c)
{
    struct {
        hesca_params params;
        hesca_failure failure;
    } got;
    MPI_Request request;
    int err;
    memset(&got, 0, sizeof got);
    if (c->rank == 0 && hesca_params_read(&got.params) < 0)
        got.failure = *hesca_failure_get();
    HESCA_TRY(err, hesca_mpi(MPI_Ibcast(&got, sizeof got, MPI_BYTE, 0, c->mpi,
                                        &request),
                             "MPI_Ibcast"));
    HESCA_TRY(err, hesca_comm_wait(c, 1, &request));
    c->params = got.params;
    c->params_err = got.failure.err < 0 ? hesca_failure_set(&got.failure) : 0;
fail:
    return err;
}

static int
create(MPI_Comm comm, hesca_comm **result)
{
    int err;
    MPI_Request request;
    hesca_comm *c = calloc(1, sizeof *c);
    if (c == NULL || (c->cache = hesca_cache_create()) == NULL) {
        free(c);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "state of a communicator");
    }
    c->user = comm;
    c->mpi = MPI_COMM_NULL;
    c->crowded = 1; /* until it is known: be polite */
    HESCA_TRY(err, create_keys());
    HESCA_TRY(err, hesca_mpi(MPI_Comm_idup(comm, &c->mpi, &request),
                             "MPI_Comm_idup"));
    HESCA_TRY(err, hesca_comm_wait(c, 1, &request));
    MPI_Comm_set_errhandler(c->mpi, MPI_ERRORS_RETURN);
    MPI_Comm_rank(c->mpi, &c->rank);
    MPI_Comm_size(c->mpi, &c->size);
    HESCA_TRY(err, find_neighbours(c));
    HESCA_TRY(err, agree_params(c));
    HESCA_TRY(err,
              hesca_mpi(MPI_Comm_set_attr(comm, key, c), "MPI_Comm_set_attr"));
    c->next = alive;
    alive = c;
    *result = c;
    return HESCA_SUCCESS;
fail:
    if (c->mpi != MPI_COMM_NULL)
        MPI_Comm_free(&c->mpi);
    hesca_cache_free(c->cache);
    free(c);
    return err;
}

int
hesca_comm_get(MPI_Comm comm, hesca_comm **c)
{
    int err, found = 0;
    *c = NULL;
    if (comm == MPI_COMM_NULL)
        return hesca_fail(HESCA_ERR_ARG, 0, "the communicator is null");
    if (key != MPI_KEYVAL_INVALID)
        HESCA_TRY(err, hesca_mpi(MPI_Comm_get_attr(comm, key, c, &found),
                                 "MPI_Comm_get_attr"));
    if (!found)
        HESCA_TRY(err, create(comm, c));
    else if ((*c)->params_err < 0) /* every use repeats the complaint */
        HESCA_TRY(err, agree_params(*c));
    return (*c)->params_err;
fail:
    return err;
}

int
hesca_params_agreed(MPI_Comm comm, hesca_params *params)
{
    hesca_comm *c;
    int err;
    if (params == NULL)
        return hesca_fail(HESCA_ERR_ARG, 2,
                          "hesca_params_agreed: argument 2, params, is NULL");
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    *params = c->params;
fail:
    return err;
}

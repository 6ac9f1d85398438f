#include "exec/comm.h"
#include "base/log.h"
#include "base/status.h"
#include "exec/agree.h"
#include "exec/cache.h"
#include "exec/cast.h"
#include "exec/directory.h"
#include "exec/node.h"
#include "exec/order.h"
#include "exec/stage.h"
#include "exec/window.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Several threads may be here, each with communicators of its own.  Nobody
 * waits for another process, or calls MPI, with list_lock: MPI may call
 * on_free() with a lock of its own. */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t key_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int key = MPI_KEYVAL_INVALID; /* on users' communicators */
static int exit_key = MPI_KEYVAL_INVALID;    /* on MPI_COMM_SELF */
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

static void
pause_and_tell(const hesca_comm *c, hesca_backoff *wait, const char *what)
{
    hesca_backoff_pause(wait);
    if (hesca_backoff_late(wait, c->params.timeout))
        hesca_log("%s: rank %d of %d has waited %g s for %s",
                  hesca_caller_name(), c->rank, c->size, c->params.timeout,
                  what);
}

int
hesca_comm_is_node(const hesca_comm *c)
{
    return c->node.n == c->size && c->params.transport != HESCA_TRANSPORT_MPI;
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
            pause_and_tell(c, &wait, "the others to take part");
    }
fail:
    return err;
}

void
hesca_comm_pause(const hesca_comm *c, hesca_backoff *wait, const char *what)
{
    enum { OFTEN = 64 };
    pause_and_tell(c, wait, what);
    /* What the program has begun to send before the call goes on only while
     * somebody calls MPI, and a wait for shared memory does not. */
    if (wait->pauses % OFTEN == 0 || !hesca_backoff_is_spinning(wait)) {
        int flag;
        MPI_Iprobe(MPI_ANY_SOURCE, HESCA_TAG_PROGRESS, c->mpi, &flag,
                   MPI_STATUS_IGNORE);
    }
}

int
hesca_comm_cast(const hesca_comm *c, void *data, size_t n, MPI_Datatype type)
{
    MPI_Request request;
    int err;
    HESCA_TRY(err,
              hesca_mpi(MPI_Ibcast(data, (int)n, type, 0, c->mpi, &request),
                        "MPI_Ibcast"));
    HESCA_TRY(err, hesca_comm_wait(c, 1, &request));
fail:
    return err;
}

static void
clear(hesca_comm *c)
{
    if (c->hohe != NULL)
        c->hohe_drop(c);
    hesca_stage_release(c);
    hesca_window_detach(c);
    hesca_cache_free(c->cache);
    hesca_cast_plans_drop(c);
    hesca_order_drop(c);
    hesca_node_clear(&c->node);
    hesca_machine_clear(&c->machine);
    hesca_network_clear(&c->network);
    free(c->host);
    free(c->slot);
    if (c->mpi != MPI_COMM_NULL)
        MPI_Comm_free(&c->mpi);
    free(c);
}

/* HESCA_VERBOSE=2: how the plan cache has served. */
static void
tell_cache(const hesca_comm *c)
{
    hesca_cache_info info;
    hesca_cache_tell(c->cache, &info);
    hesca_log("plans of a context of %d processes: %d kept (%zu of %zu "
              "bytes), %lld calls found theirs, %lld made one, %lld dropped",
              c->size, info.plans, info.bytes, c->params.cache,
              (long long)info.hits, (long long)info.misses,
              (long long)info.dropped);
}

static void
destroy(hesca_comm *c)
{
    hesca_comm **link = &alive;
    if (c->params.verbose >= 2 && c->rank == 0)
        tell_cache(c);
    pthread_mutex_lock(&list_lock);
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    pthread_mutex_unlock(&list_lock);
    clear(c);
}

/* The user's communicator is being freed. */
static int
on_free(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    destroy(value);
    return MPI_SUCCESS;
}

/* MPI_Finalize begins by freeing the attributes of MPI_COMM_SELF.  All other
 * threads are done with MPI then. */
static int
on_exit_mpi(MPI_Comm self, int keyval, void *value, void *extra)
{
    (void)self, (void)keyval, (void)value, (void)extra;
    while (alive != NULL)
        MPI_Comm_delete_attr(alive->user, key);
    int last = key;
    key = MPI_KEYVAL_INVALID;
    MPI_Comm_free_keyval(&last);
    MPI_Comm_free_keyval(&exit_key);
    hesca_windows_free();
    hesca_stage_free();
    return MPI_SUCCESS;
}

static int
create_keys_alone(void)
{
    int made = MPI_KEYVAL_INVALID, err = HESCA_SUCCESS;
    if (key != MPI_KEYVAL_INVALID)
        return err;
    HESCA_TRY(err, hesca_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN,
                                                    on_free, &made, NULL),
                             "MPI_Comm_create_keyval"));
    HESCA_TRY(err,
              hesca_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN,
                                               on_exit_mpi, &exit_key, NULL),
                        "MPI_Comm_create_keyval"));
    HESCA_TRY(err, hesca_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, exit_key, NULL),
                             "MPI_Comm_set_attr"));
    key = made;
    return err;
fail:
    if (made != MPI_KEYVAL_INVALID)
        MPI_Comm_free_keyval(&made);
    return err;
}

static int
create_keys(void)
{
    if (key != MPI_KEYVAL_INVALID)
        return HESCA_SUCCESS;
    pthread_mutex_lock(&key_lock);
    const int err = create_keys_alone();
    pthread_mutex_unlock(&key_lock);
    return err;
}

static int
read_params(hesca_params *params, hesca_machine *machine)
{
    int err;
    HESCA_TRY(err, hesca_params_read(params));
    HESCA_TRY(err, hesca_directory_read(params, machine));
fail:
    return err;
}

/* Everybody takes what rank 0 reads, or its failure. */
static int
agree_params(hesca_comm *c)
{
    struct {
        hesca_params params;
        hesca_machine machine;
        hesca_failure failure;
    } got;
    int err;
    memset(&got, 0, sizeof got);
    if (c->rank == 0 && read_params(&got.params, &got.machine) < 0)
        got.failure = *hesca_failure_get();
    HESCA_TRY(err, hesca_comm_cast(c, &got, sizeof got, MPI_BYTE));
    c->params = got.params;
    c->params_err = got.failure.err < 0
                        ? hesca_failure_set(&got.failure)
                        : hesca_directory_take(c, &got.machine);
    c->strangers =
        got.failure.err == HESCA_SUCCESS && c->params_err == HESCA_ERR_PARAM;
fail:
    return err;
}

static hesca_comm *
allocate(MPI_Comm comm, int size)
{
    hesca_comm *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->user = comm;
    c->mpi = MPI_COMM_NULL;
    c->cache = hesca_cache_create();
    c->slot = malloc((size_t)size * sizeof *c->slot);
    if (c->cache == NULL || c->slot == NULL) {
        clear(c);
        return NULL;
    }
    for (int r = 0; r < size; ++r)
        c->slot[r] = -1;
    return c;
}

static int
create(MPI_Comm comm, hesca_comm **result)
{
    hesca_comm s = {.mpi = MPI_COMM_NULL, .crowded = 1}, *c = NULL;
    MPI_Request request;
    int err;
    MPI_Comm_rank(comm, &s.rank);
    MPI_Comm_size(comm, &s.size);
    hesca_params_read(&s.params); /* until they are agreed: the time limit */
    HESCA_TRY(err, create_keys());
    HESCA_TRY(err, hesca_mpi(MPI_Comm_idup(comm, &s.mpi, &request),
                             "MPI_Comm_idup"));
    HESCA_TRY(err, hesca_comm_wait(&s, 1, &request));
    MPI_Comm_set_errhandler(s.mpi, MPI_ERRORS_RETURN);
    /* Who has no memory says so on the duplicate, before others wait. */
    c = allocate(comm, s.size);
    if (c == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "state of a communicator");
    HESCA_TRY(err, hesca_agree(&s, err, 0, NULL));
    c->mpi = s.mpi;
    c->rank = s.rank;
    c->size = s.size;
    c->crowded = 1; /* until it is known: be polite */
    s.mpi = MPI_COMM_NULL;
    HESCA_TRY(err, agree_params(c));
    HESCA_TRY(err, hesca_node_find(c));
    HESCA_TRY(err,
              hesca_mpi(MPI_Comm_set_attr(comm, key, c), "MPI_Comm_set_attr"));
    pthread_mutex_lock(&list_lock);
    c->next = alive;
    alive = c;
    pthread_mutex_unlock(&list_lock);
    *result = c;
    return HESCA_SUCCESS;
fail:
    if (s.mpi != MPI_COMM_NULL)
        MPI_Comm_free(&s.mpi);
    if (c != NULL)
        clear(c);
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
        return hesca_fail_null("hesca_params_agreed", 2, "params");
    err = hesca_comm_get(comm, &c);
    if (err < 0 && (c == NULL || !c->strangers))
        return err;
    *params = c->params;
    return HESCA_SUCCESS;
}

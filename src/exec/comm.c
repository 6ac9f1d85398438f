/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/comm.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/status.h"
#include "exec/agree.h"
#include "exec/directory.h"
#include "exec/node.h"
#include "exec/plan_cache.h"
#include "exec/segment.h"
#include "exec/staging.h"
#include "exec/window.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Several threads may execute this file, each with communicators of its own.
 * No thread waits for another process or calls MPI while it holds list_lock,
 * because MPI may call on_free() while it holds a lock of its own. */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t key_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int key = MPI_KEYVAL_INVALID; /* on users' communicators */
static int exit_key = MPI_KEYVAL_INVALID;    /* on MPI_COMM_SELF */
static hesca_comm *in_use;

/* --- errors and waits ---
 * MPI errors become statuses in hesca_mpi(); every
 * wait reports after HESCA_TIMEOUT seconds. */

int
hesca_mpi(int code, const char *function)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int len;
    if (code == MPI_SUCCESS)
        return HESCA_SUCCESS;
    PMPI_Error_string(code, text, &len);
    return hesca_fail(HESCA_ERR_MPI, 0, "%s: %.180s", function, text);
}

static void
pause_and_report(const hesca_comm *c, hesca_backoff *wait, const char *what)
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

hesca_backoff
hesca_comm_backoff(const hesca_comm *c)
{
    return hesca_backoff_begin(c->yields || c->slow);
}

int
hesca_comm_wait(const hesca_comm *c, int n, MPI_Request *requests)
{
    hesca_backoff wait = hesca_backoff_begin(c->yields);
    int err = HESCA_SUCCESS;
    for (int k = 0; k < n;) { /* testing one lets MPI advance them all */
        int done;
        HESCA_MPI(err, Test, &requests[k], &done, MPI_STATUS_IGNORE);
        if (done)
            ++k;
        else
            pause_and_report(c, &wait, "the others to take part");
    }
fail:
    return err;
}

void
hesca_comm_pause(const hesca_comm *c, hesca_backoff *wait, const char *what)
{
    enum { OFTEN = 64 };
    pause_and_report(c, wait, what);
    /* Sends that the program began before this call progress only while MPI is
     * called, and a wait for shared memory does not call it. */
    if (wait->pauses % OFTEN == 0 || !hesca_backoff_is_spinning(wait)) {
        int flag;
        PMPI_Iprobe(MPI_ANY_SOURCE, HESCA_TAG_PROGRESS, c->mpi, &flag,
                    MPI_STATUS_IGNORE);
    }
}

int
hesca_comm_bcast(const hesca_comm *c, void *data, size_t n, MPI_Datatype type)
{
    MPI_Request request;
    int err;
    HESCA_MPI(err, Ibcast, data, (int)n, type, 0, c->mpi, &request);
    HESCA_TRY(err, hesca_comm_wait(c, 1, &request));
fail:
    return err;
}

int
hesca_comm_unite(const hesca_comm *c, void *data, size_t n)
{
    enum { MOST = 1 << 30 };
    char *p = data;
    MPI_Request request;
    int err = HESCA_SUCCESS;
    for (size_t left = n; left > 0;) {
        const int now = left < MOST ? (int)left : MOST;
        HESCA_MPI(err, Iallreduce, MPI_IN_PLACE, p, now, MPI_BYTE, MPI_BOR,
                  c->mpi, &request);
        HESCA_TRY(err, hesca_comm_wait(c, 1, &request));
        p += now;
        left -= (size_t)now;
    }
fail:
    return err;
}

/* --- freeing ---
 * A communicator is removed from the list before its state is freed, so
 * that on_exit_mpi() and on_free() do not free it twice. */

void
hesca_comm_drop(hesca_comm *c, hesca_comm_state what)
{
    if (c->drop[what] != NULL)
        c->drop[what](c);
}

void
hesca_comm_each(void (*visit)(hesca_comm *c))
{
    for (hesca_comm *c = in_use; c != NULL; c = c->next)
        visit(c);
}

static void
clear(hesca_comm *c)
{
    for (int k = 0; k < HESCA_STATES; ++k)
        hesca_comm_drop(c, (hesca_comm_state)k);
    hesca_staging_release(c);
    hesca_window_detach(c);
    hesca_segment_free(c->segment);
    hesca_cache_free(c->cache);
    hesca_node_clear(&c->node);
    hesca_machine_clear(&c->machine);
    hesca_network_clear(&c->network);
    free(c->host);
    free(c->slot);
    free(c->world);
    if (c->mpi != MPI_COMM_NULL)
        PMPI_Comm_free(&c->mpi);
    free(c);
}

/* HESCA_VERBOSE=2: print the statistics of the plan cache. */
static void
print_cache(const hesca_comm *c)
{
    hesca_cache_info info;
    hesca_cache_report(c->cache, &info);
    hesca_log("plans of a context of %d processes: %d kept (%zu of %zu "
              "bytes), %lld calls found theirs, %lld made one, %lld dropped",
              c->size, info.plans, info.bytes, c->params.cache,
              (long long)info.hits, (long long)info.misses,
              (long long)info.dropped);
}

static void
destroy(hesca_comm *c)
{
    hesca_comm **link = &in_use;
    if (c->params.verbose >= 2 && c->rank == 0)
        print_cache(c);
    pthread_mutex_lock(&list_lock);
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    pthread_mutex_unlock(&list_lock);
    clear(c);
}

/* Whether a state is there, and that of comm itself. */
static int
is_own(const hesca_comm *c, MPI_Comm comm)
{
    pthread_mutex_lock(&list_lock);
    const hesca_comm *k = in_use;
    while (k != NULL && k != c)
        k = k->next;
    const int own = k != NULL && k->user == comm;
    pthread_mutex_unlock(&list_lock);
    return own;
}

/* The user's communicator is being freed; it may share the state of
 * another. */
static int
on_free(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)keyval, (void)extra;
    if (is_own(value, comm))
        destroy(value);
    return MPI_SUCCESS;
}

/* MPI_Finalize begins by freeing the attributes of MPI_COMM_SELF.  All other
 * threads are done with MPI then. */
static int
on_exit_mpi(MPI_Comm self, int keyval, void *value, void *extra)
{
    (void)self, (void)keyval, (void)value, (void)extra;
    while (in_use != NULL)
        PMPI_Comm_delete_attr(in_use->user, key);
    int last = key;
    key = MPI_KEYVAL_INVALID;
    PMPI_Comm_free_keyval(&last);
    PMPI_Comm_free_keyval(&exit_key);
    hesca_windows_free();
    hesca_staging_free();
    return MPI_SUCCESS;
}

/* --- creation ---
 * After creation, parameters, machine and errors are the same on all
 * processes. */

static int
create_keys_alone(void)
{
    int made = MPI_KEYVAL_INVALID, err = HESCA_SUCCESS;
    if (key != MPI_KEYVAL_INVALID)
        return err;
    HESCA_MPI(err, Comm_create_keyval, MPI_COMM_NULL_COPY_FN, on_free, &made,
              NULL);
    HESCA_MPI(err, Comm_create_keyval, MPI_COMM_NULL_COPY_FN, on_exit_mpi,
              &exit_key, NULL);
    HESCA_MPI(err, Comm_set_attr, MPI_COMM_SELF, exit_key, NULL);
    key = made;
    return err;
fail:
    if (made != MPI_KEYVAL_INVALID)
        PMPI_Comm_free_keyval(&made);
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

/* What rank 0 reads, as a number; 0: not known. */
static uint64_t
hash_source(const hesca_params *params, const hesca_machine *machine)
{
    const uint64_t h = hesca_hash_bytes(HESCA_HASH, params, sizeof *params);
    return params->find_machine ? h : hesca_directory_hash(h, machine);
}

/* All processes get the parameters that rank 0 reads, and the errors that it
 * finds. */
static int
agree_params(hesca_comm *c)
{
    struct {
        hesca_params params;
        hesca_machine machine;
        hesca_failure misread, unusable;
    } got;
    int err;
    memset(&got, 0, sizeof got);
    if (c->rank == 0 && hesca_params_read(&got.params) < 0)
        got.misread = *hesca_failure_get();
    if (c->rank == 0 && hesca_directory_begin(&got.params, &got.machine) < 0)
        got.unusable = *hesca_failure_get();
    if (c->rank == 0)
        c->source = hash_source(&got.params, &got.machine);
    HESCA_TRY(err, hesca_comm_bcast(c, &got, sizeof got, MPI_BYTE));
    c->params = got.params;
    c->misread = got.misread;
    c->unusable = got.unusable;
    if (got.unusable.err == HESCA_SUCCESS &&
        hesca_directory_take(c, &got.machine) < 0) {
        if (hesca_failure_get()->err == HESCA_ERR_NOMEM)
            hesca_fail(HESCA_ERR_NOMEM, 0, "no memory for what it has");
        c->unusable = *hesca_failure_get();
        c->other_hosts = c->unusable.err == HESCA_ERR_PARAM;
    }
    if (c->unusable.err < 0) {
        got.machine = hesca_machine_default();
        HESCA_TRY(err, hesca_directory_take(c, &got.machine));
    }
    if (c->unusable.err == HESCA_ERR_MPI)
        HESCA_TRY(err, hesca_failure_set(&c->unusable));
    if (c->params.find_machine) {
        /* What is kept may be of other hosts. */
        c->unusable.err = HESCA_SUCCESS;
        c->other_hosts = 0;
    }
    c->wants_survey =
        c->params.find_machine || c->params.learn == HESCA_LEARN_ON;
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
    c->segment = calloc(1, sizeof *c->segment);
    if (c->cache == NULL || c->slot == NULL || c->segment == NULL) {
        clear(c);
        return NULL;
    }
    for (int r = 0; r < size; ++r)
        c->slot[r] = -1;
    return c;
}

/* Errors return here, since MPI may have no communicator left; the error
 * handler of a program usually aborts. */
int
hesca_comm_duplicate(const hesca_comm *c, MPI_Comm comm, MPI_Comm *made)
{
    MPI_Errhandler before;
    MPI_Request request;
    int err;
    PMPI_Comm_get_errhandler(comm, &before);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    err = hesca_mpi(PMPI_Comm_idup(comm, made, &request), "MPI_Comm_idup");
    if (err == HESCA_SUCCESS)
        err = hesca_comm_wait(c, 1, &request);
    PMPI_Comm_set_errhandler(comm, before);
    PMPI_Errhandler_free(&before);
    if (err == HESCA_SUCCESS)
        PMPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN);
    else
        *made = MPI_COMM_NULL;
    return err;
}

/* Where the processes are in MPI_COMM_WORLD, if what is sent is recorded.
 * Local: a process without memory records nothing. */
static void
find_world(hesca_comm *c)
{
    MPI_Group all, mine;
    if (hesca_report_bytes() == NULL)
        return;
    int *rank = malloc((size_t)c->size * sizeof *rank);
    c->world = malloc((size_t)c->size * sizeof *c->world);
    for (int k = 0; rank != NULL && k < c->size; ++k)
        rank[k] = k;
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Comm_group(c->mpi, &mine);
    if (rank == NULL || c->world == NULL ||
        PMPI_Group_translate_ranks(mine, c->size, rank, all, c->world) !=
            MPI_SUCCESS) {
        free(c->world);
        c->world = NULL;
    }
    PMPI_Group_free(&all);
    PMPI_Group_free(&mine);
    free(rank);
}

static int
create(MPI_Comm comm, hesca_comm **result)
{
    hesca_comm s = {.mpi = MPI_COMM_NULL, .yields = 1}, *c = NULL;
    int err;
    PMPI_Comm_rank(comm, &s.rank);
    PMPI_Comm_size(comm, &s.size);
    hesca_params_read(&s.params); /* until they are agreed: the time limit */
    HESCA_TRY(err, create_keys());
    HESCA_TRY(err, hesca_comm_duplicate(&s, comm, &s.mpi));
    /* A process without memory reports that on the duplicate, before others
     * wait for it. */
    c = allocate(comm, s.size);
    if (c == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "state of a communicator");
    HESCA_TRY(err, hesca_agree(&s, err, 0, NULL));
    c->mpi = s.mpi;
    c->rank = s.rank;
    c->size = s.size;
    c->yields = 1; /* until it is known */
    s.mpi = MPI_COMM_NULL;
    find_world(c);
    HESCA_TRY(err, agree_params(c));
    HESCA_TRY(err, hesca_node_find(c));
    HESCA_MPI(err, Comm_set_attr, comm, key, c);
    pthread_mutex_lock(&list_lock);
    c->next = in_use;
    in_use = c;
    pthread_mutex_unlock(&list_lock);
    *result = c;
    return HESCA_SUCCESS;
fail:
    if (s.mpi != MPI_COMM_NULL)
        PMPI_Comm_free(&s.mpi);
    if (c != NULL)
        clear(c);
    return err;
}

/* The state of a communicator, or NULL if it has none yet. */
static int
find(MPI_Comm comm, hesca_comm **c)
{
    int err = HESCA_SUCCESS, found = 0;
    *c = NULL;
    if (comm == MPI_COMM_NULL)
        return hesca_fail(HESCA_ERR_ARG, 0, "the communicator is null");
    if (key != MPI_KEYVAL_INVALID)
        HESCA_MPI(err, Comm_get_attr, comm, key, c, &found);
    if (!found)
        *c = NULL;
fail:
    return err;
}

/* --- sharing ---
 * A context of all processes in their order takes over the state of
 * MPI_COMM_WORLD, if that was made from the same parameters and machine: one
 * agreement instead of a dozen, and what calls of earlier contexts have
 * planned and learnt.  Not where threads may call at once, each with a
 * communicator of its own. */

/* Whether comm has the processes of w in their order. */
static int
is_alike(MPI_Comm comm, const hesca_comm *w)
{
    MPI_Group all, group;
    int size, same = MPI_UNEQUAL;
    PMPI_Comm_size(comm, &size);
    if (size != w->size || PMPI_Comm_group(comm, &group) != MPI_SUCCESS)
        return 0;
    PMPI_Comm_group(w->mpi, &all);
    PMPI_Group_compare(group, all, &same);
    PMPI_Group_free(&group);
    PMPI_Group_free(&all);
    return same == MPI_IDENT;
}

/* The state to share, the same on all processes; NULL: none. */
static hesca_comm *
find_shared(MPI_Comm comm)
{
    hesca_comm *w;
    int level = MPI_THREAD_MULTIPLE;
    PMPI_Query_thread(&level);
    if (comm == MPI_COMM_WORLD || level == MPI_THREAD_MULTIPLE ||
        find(MPI_COMM_WORLD, &w) < 0 || w == NULL || w->misread.err < 0 ||
        w->unusable.err < 0)
        return NULL;
    return is_alike(comm, w) ? w : NULL;
}

/* On rank 0: whether w was made from what would be read now. */
static int
is_source(const hesca_comm *w)
{
    hesca_params params;
    hesca_machine machine = {0};
    int is = 0;
    if (hesca_params_read(&params) >= 0 &&
        hesca_directory_begin(&params, &machine) >= 0)
        is = w->source != 0 && hash_source(&params, &machine) == w->source;
    hesca_machine_clear(&machine);
    return is;
}

/* \param [out] result  NULL: nothing to share. */
static int
share(MPI_Comm comm, hesca_comm **result)
{
    hesca_comm *w = find_shared(comm);
    int64_t is = 1;
    int err = HESCA_SUCCESS;
    *result = NULL;
    if (w == NULL)
        return err;
    if (w->rank == 0)
        is = is_source(w);
    HESCA_TRY(err, hesca_agree(w, HESCA_SUCCESS, 1, &is));
    if (is)
        HESCA_MPI(err, Comm_set_attr, comm, key, w);
    *result = is ? w : NULL;
fail:
    return err;
}

/* --- access ---
 * Errors in parameters or machine file are returned by every call, the same
 * on all processes. */

/* The error recorded at creation, if it is one for the caller. */
static int
check(const hesca_comm *c)
{
    if (c->is_lenient)
        return HESCA_SUCCESS;
    if (c->misread.err < 0)
        return hesca_failure_set(&c->misread);
    return c->unusable.err < 0 ? hesca_failure_set(&c->unusable)
                               : HESCA_SUCCESS;
}

int
hesca_comm_get(MPI_Comm comm, hesca_comm **c)
{
    int err = find(comm, c);
    if (err == HESCA_SUCCESS && *c == NULL)
        err = create(comm, c);
    return err == HESCA_SUCCESS ? check(*c) : err;
}

int
hesca_comm_get_anywhere(MPI_Comm comm, hesca_comm **c)
{
    const int err = hesca_comm_get(comm, c);
    return *c != NULL && (*c)->other_hosts &&
                   (*c)->misread.err == HESCA_SUCCESS
               ? HESCA_SUCCESS
               : err;
}

int
hesca_params_agreed(MPI_Comm comm, hesca_params *params)
{
    hesca_comm *c;
    int err;
    if (params == NULL)
        return hesca_fail_null("hesca_params_agreed", 2, "params");
    HESCA_TRY(err, hesca_comm_get_anywhere(comm, &c));
    *params = c->params;
fail:
    return err;
}

int
hesca_params_serve(MPI_Comm comm, hesca_params *params, const char **lacks)
{
    hesca_comm *c;
    int err = find(comm, &c);
    *lacks = NULL;
    if (err == HESCA_SUCCESS && c == NULL && hesca_params_none()) {
        hesca_params_read(params);
        return HESCA_SUCCESS;
    }
    if (err == HESCA_SUCCESS && c == NULL)
        err = share(comm, &c);
    if (err == HESCA_SUCCESS)
        err = hesca_comm_get(comm, &c);
    if (c == NULL) {
        const hesca_failure failure = *hesca_failure_get();
        hesca_params_read(params);
        return hesca_failure_set(&failure);
    }
    *params = c->params;
    if (c->params.fallback != HESCA_FALLBACK_ERROR) {
        c->is_lenient = 1;
        err = HESCA_SUCCESS;
    }
    if (c->unusable.err < 0)
        *lacks = c->unusable.text;
    return err;
}

hesca_link_costs
hesca_comm_link_costs(const hesca_comm *c, int by_mpi)
{
    const int one_node = c->node.n == c->size && !by_mpi;
    const int differ = c->network.nproc > 0 && !one_node;
    return hesca_link_costs_make(
        hesca_machine_costs(&c->machine, one_node, c->load),
        differ ? &c->network : NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of all processes to process 0, in MPI_Finalize.
 *
 * It happens at the beginning of MPI_Finalize, where all processes still
 * answer messages, and before the meeting of mpiwait_finalize.c, after which
 * none may call MPI.  Where MPI_Finalize does not pass by here (Open MPI's
 * Fortran), MPI_COMM_SELF's attributes are the occasion: MPI works until they
 * are freed.  Ours is set in MPI_Init, so that on all processes it is freed
 * after, or on all before, those whose freeing is collective. */
#define _POSIX_C_SOURCE 200809L
#include "base/report_data.h"
#include "shim/figures.h"
#include "shim/mpiwait/mpiwait.h"
#include "shim/shim.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    EARLY = 10,   /* s: then the page is written without those that come
                     later */
    LIMIT = 600,  /* s without a new record: no more will come */
    MESSAGE = 30, /* s: one that has begun is there */
    ROUTINES = 128
};

static hesca_params params;
static double load;
static char path[PATH_MAX]; /* absolute: programs change their folder */
static MPI_Comm world = MPI_COMM_NULL; /* NULL: there are no others */
static int rank, size;
static int is_begun; /* figures are on, or this process has no memory for
                        them */

/* ------------------------------------------------ the beginning */

/* Whether the page can be written; a line if it cannot.  On process 0. */
static int
can_write(void)
{
    char temporary[PATH_MAX + 16], here[PATH_MAX] = "";
    struct stat s;
    FILE *file;
    if (params.report[0] != '/' && getcwd(here, sizeof here - 1) != NULL)
        strcat(here, "/");
    if ((size_t)snprintf(path, sizeof path, "%s%s", here, params.report) >=
        sizeof path)
        errno = ENAMETOOLONG;
    else if (stat(path, &s) == 0 && S_ISDIR(s.st_mode))
        errno = EISDIR;
    else {
        snprintf(temporary, sizeof temporary, "%s.tmp", path);
        file = fopen(temporary, "w");
        if (file != NULL) {
            fclose(file);
            unlink(temporary);
            return 1;
        }
    }
    if (params.fallback != HESCA_FALLBACK_SILENT)
        hesca_report_line("HESCA_REPORT is '%s': %s; there is no report",
                          params.report, strerror(errno));
    return 0;
}

static int
on_exit_mpi(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self, (void)key, (void)value, (void)extra;
    hesca_figures_end();
    return MPI_SUCCESS;
}

/* Duplicate MPI_COMM_WORLD, and learn from process 0 whether there will be a
 * report. */
static int
agree(int can)
{
    MPI_Request request;
    if (PMPI_Comm_idup(MPI_COMM_WORLD, &world, &request) != MPI_SUCCESS)
        return 0;
    hesca_mpiwait_finish(&request);
    PMPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    if (PMPI_Ibcast(&can, 1, MPI_INT, 0, world, &request) != MPI_SUCCESS)
        return 0;
    hesca_mpiwait_finish(&request);
    if (!can)
        PMPI_Comm_free(&world);
    return can;
}

void
hesca_figures_begin(const hesca_params *p, double processes_per_core,
                    int is_agreed)
{
    int key = MPI_KEYVAL_INVALID;
    if (p->report[0] == '\0')
        return;
    params = *p;
    load = processes_per_core;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!is_agreed && rank > 0)
        return;
    int can = rank == 0 ? can_write() : 0;
    if (is_agreed && size > 1)
        can = agree(can);
    if (!can)
        return;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_exit_mpi, &key, NULL);
    PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    is_begun = 1;
    hesca_figures_is_on = hesca_report_record(size);
}

/* ------------------------------------------------ a record */

static size_t
bytes_of(const hesca_figures_record *r)
{
    return sizeof *r + (size_t)r->nroutines * sizeof(hesca_page_routine) +
           (size_t)r->nreasons * sizeof(hesca_page_reason) +
           (size_t)r->npeers * sizeof(hesca_figures_peer);
}

const hesca_page_routine *
hesca_figures_routines(const hesca_figures_record *r)
{
    return (const hesca_page_routine *)(r + 1);
}

const hesca_page_reason *
hesca_figures_reasons(const hesca_figures_record *r)
{
    return (const hesca_page_reason *)(hesca_figures_routines(r) +
                                       r->nroutines);
}

const hesca_figures_peer *
hesca_figures_peers(const hesca_figures_record *r)
{
    return (const hesca_figures_peer *)(hesca_figures_reasons(r) +
                                        r->nreasons);
}

/* As libhesca names hosts. */
static void
name_host(char name[HESCA_PAGE_HOST], int node_size)
{
    char given[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int n = 0;
    if (node_size > 0) {
        snprintf(name, HESCA_PAGE_HOST, "node%d", rank / node_size);
        return;
    }
    PMPI_Get_processor_name(given, &n);
    given[n] = '\0';
    snprintf(name, HESCA_PAGE_HOST, "%.*s", HESCA_PAGE_HOST - 1, given);
}

static int
find_peers(hesca_figures_peer *peer)
{
    const _Atomic int64_t *sent = hesca_report_bytes();
    int n = 0;
    for (int k = 0; sent != NULL && k < size && n < HESCA_FIGURES_PEERS; ++k)
        if (sent[k] > 0)
            peer[n++] = (hesca_figures_peer){k, (double)sent[k]};
    return n;
}

hesca_figures_record *
hesca_figures_pack(size_t *bytes, int node_size)
{
    hesca_figures_record *r = NULL;
    hesca_page_routine *routine = calloc(ROUTINES, sizeof *routine);
    hesca_figures_reason *reason =
        calloc(HESCA_FIGURES_REASONS, sizeof *reason);
    hesca_figures_peer *peer = calloc(HESCA_FIGURES_PEERS, sizeof *peer);
    hesca_figures_record head = {.rank = rank};
    if (routine == NULL || reason == NULL || peer == NULL)
        goto done;
    name_host(head.host, node_size);
    hesca_figures_get(&head.process, reason, &head.nreasons);
    head.process.is_present = 1;
    head.nroutines = hesca_pblas_report_figures(routine, ROUTINES);
    head.nroutines += hesca_report_figures(routine + head.nroutines,
                                           ROUTINES - head.nroutines);
    head.npeers = find_peers(peer);
    hesca_grid_report_figures(head.grids);
    *bytes = bytes_of(&head);
    r = calloc(1, *bytes);
    if (r == NULL)
        goto done;
    *r = head;
    char *at = (char *)(r + 1);
    memcpy(at, routine, (size_t)r->nroutines * sizeof *routine);
    at += (size_t)r->nroutines * sizeof *routine;
    for (int k = 0; k < r->nreasons; ++k, at += sizeof reason->reason)
        memcpy(at, &reason[k].reason, sizeof reason->reason);
    memcpy(at, peer, (size_t)r->npeers * sizeof *peer);
done:
    free(routine);
    free(reason);
    free(peer);
    return r;
}

/* ------------------------------------------------ the messages */

/* A wait with a limit, for hesca_wait_until(). */
typedef struct {
    MPI_Request *request; /* NULL: for a message from any process */
    MPI_Status status;
    double until;
    int has_come;
} wait;

static int
is_over(void *what)
{
    wait *w = what;
    const int err =
        w->request != NULL
            ? PMPI_Test(w->request, &w->has_come, MPI_STATUS_IGNORE)
            : PMPI_Iprobe(MPI_ANY_SOURCE, 0, world, &w->has_come, &w->status);
    return err != MPI_SUCCESS || w->has_come || PMPI_Wtime() > w->until;
}

/* Wait so many seconds for a request.
 * \return 1 if it is complete. */
static int
complete(MPI_Request *request, double seconds)
{
    wait w = {.request = request, .until = PMPI_Wtime() + seconds};
    hesca_wait_until(is_over, &w);
    return w.has_come;
}

/* A process without memory sends an empty message.  One that process 0 has
 * not taken within the limit stays allocated: MPI may still read it. */
static void
send(int has_figures)
{
    static hesca_figures_record *record;
    MPI_Request request;
    size_t bytes = 0;
    if (has_figures)
        record = hesca_figures_pack(&bytes, params.node_size);
    if (PMPI_Isend(record, record != NULL ? (int)bytes : 0, MPI_BYTE, 0, 0,
                   world, &request) == MPI_SUCCESS &&
        complete(&request, LIMIT)) {
        free(record);
        record = NULL;
    }
}

/* Receive a message that has been announced.
 * \param [out] record  NULL if the process has none.
 * \return 1, or 0 if it has not been received. */
static int
receive(const MPI_Status *status, hesca_figures_record **record)
{
    MPI_Request request;
    int bytes = 0;
    PMPI_Get_count(status, MPI_BYTE, &bytes);
    hesca_figures_record *r = malloc((size_t)bytes + 1);
    *record = NULL;
    if (r == NULL || PMPI_Irecv(r, bytes, MPI_BYTE, status->MPI_SOURCE, 0,
                                world, &request) != MPI_SUCCESS) {
        free(r);
        return 0;
    }
    if (!complete(&request, MESSAGE))
        return 0; /* MPI may still write it */
    if ((size_t)bytes < sizeof *r || (size_t)bytes != bytes_of(r)) {
        free(r);
        return 1;
    }
    *record = r;
    return 1;
}

static void
gather(hesca_figures_record **record)
{
    int here = 1, is_written = 0;
    double since = PMPI_Wtime();
    while (here < size && PMPI_Wtime() - since < LIMIT) {
        wait w = {.until = since + (is_written ? LIMIT : EARLY)};
        hesca_wait_until(is_over, &w);
        if (w.has_come) {
            if (!receive(&w.status, &record[w.status.MPI_SOURCE]))
                break;
            ++here;
            since = PMPI_Wtime();
        } else if (!is_written) {
            hesca_figures_write(&params, path, load, size,
                                (const hesca_figures_record *const *)record,
                                0);
            is_written = 1;
        }
    }
}

void
hesca_figures_end(void)
{
    size_t bytes;
    const int has_figures = atomic_exchange(&hesca_figures_is_on, 0);
    if (!is_begun)
        return;
    is_begun = 0;
    if (rank > 0) {
        send(has_figures);
    } else {
        hesca_figures_record **record = calloc((size_t)size, sizeof *record);
        if (record == NULL)
            return;
        if (has_figures)
            record[0] = hesca_figures_pack(&bytes, params.node_size);
        if (world != MPI_COMM_NULL)
            gather(record);
        hesca_figures_write(&params, path, load, size,
                            (const hesca_figures_record *const *)record, 1);
        for (int k = 0; k < size; ++k)
            free(record[k]);
        free(record);
    }
    if (world != MPI_COMM_NULL)
        PMPI_Comm_free(&world);
}

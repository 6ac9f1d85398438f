/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/record.h"
#include "base/log.h"
#include "base/status.h"
#include "exec/agree.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One end of a message; sent as bytes between processes. */
typedef struct {
    int src, dest;
    int sending, number; /* of the note on its process */
    double bytes, start, end;
} note;

struct hesca_record {
    hesca_comm *comm;
    FILE *file;  /* on rank 0 */
    double zero; /* PMPI_Wtime() when it began */
    int n, room, lost;
    note *notes;
};

/* --- recording ---
 * All processes record, or none: the result of the begin is agreed. */

static int
make(hesca_comm *c, hesca_record **record)
{
    const char *path = c->params.trace;
    *record = calloc(1, sizeof **record);
    if (*record == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "HESCA_TRACE: no memory");
    (*record)->comm = c;
    if (c->rank > 0)
        return HESCA_SUCCESS;
    (*record)->file = fopen(path, "w");
    if ((*record)->file == NULL)
        return hesca_fail(HESCA_ERR_PARAM, 0, "HESCA_TRACE is '%.100s': %s",
                          path, strerror(errno));
    return HESCA_SUCCESS;
}

/* No trace, and no further attempt: the same on all processes. */
static void
give_up(hesca_comm *c)
{
    static char last[HESCA_PATH_MAX];
    const int is_news = hesca_log_is_news(last, sizeof last, c->params.trace);
    if (c->rank == 0 && is_news && c->params.fallback == HESCA_FALLBACK_PRINT)
        hesca_log("%s; there is no trace", hesca_error_text());
    c->params.trace[0] = '\0';
}

int
hesca_record_begin(hesca_comm *c, int status, hesca_record **record)
{
    int err = status;
    *record = NULL;
    if (c->params.trace[0] == '\0')
        return HESCA_SUCCESS;
    if (err == HESCA_SUCCESS)
        err = make(c, record);
    err = hesca_agree(c, err, 0, NULL);
    if (err == HESCA_SUCCESS) {
        (*record)->zero = PMPI_Wtime();
        return HESCA_SUCCESS;
    }
    hesca_record_drop(*record);
    *record = NULL;
    if (err == HESCA_ERR_MPI || c->params.fallback == HESCA_FALLBACK_ERROR)
        return err;
    give_up(c);
    return HESCA_SUCCESS;
}

double
hesca_record_now(const hesca_record *record)
{
    return record == NULL ? 0 : hesca_record_at(record, PMPI_Wtime());
}

double
hesca_record_at(const hesca_record *record, double wtime)
{
    return record == NULL ? 0 : wtime - record->zero;
}

void
hesca_record_note(hesca_record *record, int sending, int peer, double bytes,
                  double start, double end)
{
    if (record == NULL)
        return;
    if (record->n == record->room) {
        const int room = 2 * record->room + 64;
        note *more = realloc(record->notes, (size_t)room * sizeof *more);
        if (more == NULL) {
            record->lost = 1; /* reported at the end: data must move */
            return;
        }
        record->notes = more;
        record->room = room;
    }
    const int me = record->comm->rank;
    record->notes[record->n] = (note){.src = sending ? me : peer,
                                      .dest = sending ? peer : me,
                                      .sending = sending,
                                      .number = record->n,
                                      .bytes = bytes,
                                      .start = start,
                                      .end = end};
    ++record->n;
}

void
hesca_record_drop(hesca_record *record)
{
    if (record != NULL)
        free(record->notes);
    if (record != NULL && record->file != NULL)
        fclose(record->file);
    free(record);
}

/* --- writing it ---
 * Each message has one note of the sender and one of the receiver; those of
 * a pair match in order. */

/* By pair; the sender's notes first, in their order. */
static int
compare(const void *x, const void *y)
{
    const note *a = x, *b = y;
    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    if (a->dest != b->dest)
        return a->dest < b->dest ? -1 : 1;
    if (a->sending != b->sending)
        return b->sending - a->sending;
    return a->number - b->number;
}

/* Number of notes of the first pair. */
static int
count_pair(const note *notes, int n)
{
    int k = 1;
    while (k < n && notes[k].src == notes[0].src &&
           notes[k].dest == notes[0].dest)
        ++k;
    return k;
}

/* Messages of a pair arrive in the order in which they were sent. */
static int
add_measured(hesca_trace *t, const char *schedule, note *notes, int n)
{
    hesca_trace_row row = {.kind = HESCA_TRACE_MEASURED};
    int err = HESCA_SUCCESS;
    snprintf(row.schedule, sizeof row.schedule, "%s", schedule);
    qsort(notes, (size_t)n, sizeof *notes, compare);
    for (int k = 0, both; k < n; k += both) {
        both = count_pair(notes + k, n - k);
        for (int i = 0; i < both / 2; ++i) {
            const note *out = &notes[k + i], *in = &notes[k + both / 2 + i];
            row.src = in->src;
            row.dest = in->dest;
            row.bytes = in->bytes;
            row.start = fmax(out->start, in->start);
            /* Clocks of hosts differ by a little. */
            row.end = fmax(row.start, in->end);
            HESCA_TRY(err, hesca_trace_add(t, &row));
        }
    }
fail:
    return err;
}

static int
write_file(FILE *f, const hesca_trace *t)
{
    hesca_trace_put_head(f);
    for (int64_t k = 0; k < t->n; ++k)
        hesca_trace_put(f, &t->row[k]);
    return fflush(f) == 0 && !ferror(f)
               ? HESCA_SUCCESS
               : hesca_fail(HESCA_ERR_PARAM, 0, "it cannot be written");
}

/* --- gathering ---
 * Collective; all processes agree before each step that allocates. */

typedef struct {
    int *count, *offset; /* [size] bytes of every process */
    note *notes;
    int n;
} collected;

static int
allocate(collected *all, const int *count, int size)
{
    int64_t bytes = 0;
    for (int r = 0; r < size; ++r) {
        all->offset[r] = (int)bytes;
        bytes += count[r];
    }
    all->n = (int)(bytes / (int64_t)sizeof *all->notes);
    all->notes = bytes > INT32_MAX ? NULL : malloc((size_t)bytes + 1);
    if (all->notes == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a trace of %lld bytes",
                          (long long)bytes);
    return HESCA_SUCCESS;
}

static int
wait_for(const hesca_comm *c, int code, const char *function,
         MPI_Request *request)
{
    int err;
    HESCA_TRY(err, hesca_mpi(code, function));
    HESCA_TRY(err, hesca_comm_wait(c, 1, request));
fail:
    return err;
}

/* Gather all notes on rank 0. */
static int
collect(const hesca_record *record, collected *all)
{
    const hesca_comm *c = record->comm;
    const int mine = record->n * (int)sizeof *record->notes;
    MPI_Request request;
    int err = HESCA_SUCCESS;
    all->count = calloc(2 * (size_t)c->size, sizeof *all->count);
    if (all->count == NULL || record->lost)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "a trace of %d messages",
                         record->n);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    all->offset = all->count + c->size;
    HESCA_TRY(err, wait_for(c,
                            PMPI_Igather(&mine, 1, MPI_INT, all->count, 1,
                                         MPI_INT, 0, c->mpi, &request),
                            "MPI_Igather", &request));
    if (c->rank == 0)
        err = allocate(all, all->count, c->size);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err, wait_for(c,
                            PMPI_Igatherv(record->notes, mine, MPI_BYTE,
                                          all->notes, all->count, all->offset,
                                          MPI_BYTE, 0, c->mpi, &request),
                            "MPI_Igatherv", &request));
fail:
    return err;
}

/* Data has moved: an error is reported, but the call succeeds. */
static void
report_failure(const hesca_record *record)
{
    static _Atomic int reports;
    if (record->comm->rank == 0 && reports++ == 0)
        hesca_log("HESCA_TRACE is '%s': %s", record->comm->params.trace,
                  hesca_error_text());
}

int
hesca_record_end(hesca_record *record, const char *schedule, hesca_trace *plan)
{
    collected all = {.n = 0};
    int err;
    if (record == NULL)
        return HESCA_SUCCESS;
    err = collect(record, &all);
    if (err == HESCA_SUCCESS && record->comm->rank == 0)
        err = add_measured(plan, schedule, all.notes, all.n);
    if (err == HESCA_SUCCESS && record->comm->rank == 0)
        err = write_file(record->file, plan);
    if (err < 0 && err != HESCA_ERR_MPI) {
        report_failure(record);
        err = HESCA_SUCCESS;
    }
    free(all.notes);
    free(all.count);
    hesca_record_drop(record);
    return err;
}

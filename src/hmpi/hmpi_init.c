/* SPDX-License-Identifier: BSD-3-Clause */
/* Begin and end, and what is allowed before and after. */
#define _GNU_SOURCE /* on_exit */
#include "base/status.h"
#include "exec/directory.h"
#include "hesca/experimental/monitor.h"
#include "hmpi/hmpi_recon.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

hesca_hmpi_state hesca_hmpi = {.comm = MPI_COMM_NULL, .fd = -1, .lost = -1};
MPI_Comm HMPI_COMM_WORLD = MPI_COMM_NULL;
MPI_Comm HMPI_PROC_WORLD = MPI_COMM_NULL;

int
hesca_hmpi_check_on(const char *routine)
{
    if (hesca_hmpi.phase == HESCA_HMPI_ON)
        return HMPI_SUCCESS;
    return hesca_fail(HMPI_ERR_ORDER, 0, "%s is called %s", routine,
                      hesca_hmpi.phase == HESCA_HMPI_BEFORE
                          ? "before HMPI_Init"
                          : "after HMPI_Finalize");
}

/* --- agreement --- */

int
hesca_hmpi_agree(int err)
{
    struct {
        int err, rank;
    } mine = {err < 0 ? err : 0, hesca_hmpi.rank}, least;
    char text[HESCA_TEXT_MAX] = "";
    if (PMPI_Allreduce(&mine, &least, 1, MPI_2INT, MPI_MINLOC,
                       hesca_hmpi.comm) != MPI_SUCCESS)
        return hesca_fail(HESCA_ERR_MPI, 0, "HMPI_Init: MPI_Allreduce failed");
    if (least.err == 0)
        return HESCA_SUCCESS;
    if (least.rank == hesca_hmpi.rank)
        snprintf(text, sizeof text, "%s", hesca_error_text());
    PMPI_Bcast(text, (int)sizeof text, MPI_CHAR, least.rank, hesca_hmpi.comm);
    return hesca_fail(least.err, 0, "%s", text);
}

/* --- begin --- */

/* HMPI_TIMEOUT of process 0. */
static int
read_patience(double *seconds)
{
    const char *text = getenv("HMPI_TIMEOUT");
    char *end;
    *seconds = 60;
    if (text == NULL || *text == '\0')
        return HESCA_SUCCESS;
    errno = 0;
    *seconds = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !(*seconds >= 0) ||
        !isfinite(*seconds))
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "HMPI_Init: HMPI_TIMEOUT is '%.40s': must be a "
                          "number of seconds, 0: no limit",
                          text);
    return HESCA_SUCCESS;
}

/* What a tool that counts calls would miss otherwise: MPI's own names for what
 * the program could have called itself. */
static int
begin_mpi(void)
{
    int runs = 0, is_over = 0, provided;
    PMPI_Initialized(&runs);
    PMPI_Finalized(&is_over);
    if (is_over)
        return hesca_fail(HMPI_ERR_ORDER, 0,
                          "HMPI_Init is called after MPI_Finalize");
    if (!runs && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) !=
                     MPI_SUCCESS)
        return hesca_fail(HESCA_ERR_MPI, 0,
                          "HMPI_Init: MPI_Init_thread "
                          "failed");
    hesca_hmpi.has_begun_mpi = !runs;
    if (PMPI_Comm_dup(MPI_COMM_WORLD, &hesca_hmpi.comm) != MPI_SUCCESS ||
        MPI_Comm_dup(MPI_COMM_WORLD, &HMPI_COMM_WORLD) != MPI_SUCCESS)
        return hesca_fail(HESCA_ERR_MPI, 0, "HMPI_Init: MPI_Comm_dup failed");
    PMPI_Comm_set_errhandler(hesca_hmpi.comm, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(hesca_hmpi.comm, &hesca_hmpi.rank);
    PMPI_Comm_size(hesca_hmpi.comm, &hesca_hmpi.nprocs);
    return HESCA_SUCCESS;
}

static int
make_proc_world(void)
{
    const int number = hesca_hmpi.network.processor[hesca_hmpi.rank];
    return MPI_Comm_split(HMPI_COMM_WORLD, number >= 0 ? 0 : MPI_UNDEFINED,
                          number, &HMPI_PROC_WORLD) == MPI_SUCCESS
               ? HESCA_SUCCESS
               : hesca_fail(HESCA_ERR_MPI, 0,
                            "HMPI_Init: MPI_Comm_split failed");
}

/* Start the server on process 0, and connect. */
static int
begin_registry(void)
{
    const hesca_hmpi_network *x = &hesca_hmpi.network;
    struct {
        hesca_hmpi_contact contact;
        double patience;
    } got;
    int err = HESCA_SUCCESS;
    memset(&got, 0, sizeof got);
    if (hesca_hmpi.rank == 0) {
        for (int k = 0; k < hesca_hmpi.nprocs; ++k)
            x->scratch[k] = x->topology.computer[x->computer[k]].speed;
        err = read_patience(&got.patience);
        if (err == HESCA_SUCCESS)
            err = hesca_hmpi_server_create(hesca_hmpi.nprocs, x->scratch,
                                           x->topology.ncomputers == 1,
                                           got.patience, &got.contact,
                                           &hesca_hmpi.fd, &hesca_hmpi.server);
    }
    HESCA_TRY(err, hesca_hmpi_agree(err));
    if (PMPI_Bcast(&got, (int)sizeof got, MPI_BYTE, 0, hesca_hmpi.comm) !=
        MPI_SUCCESS)
        err = hesca_fail(HESCA_ERR_MPI, 0, "HMPI_Init: MPI_Bcast failed");
    hesca_hmpi.patience = got.patience;
    if (err == HESCA_SUCCESS && hesca_hmpi.rank > 0)
        err = hesca_hmpi_connect(&got.contact);
    memset(&got.contact, 0, sizeof got.contact);
    err = hesca_hmpi_agree(err);
fail:
    return err;
}

static void
end_all(int is_failed)
{
    if (hesca_hmpi.fd >= 0)
        close(hesca_hmpi.fd);
    hesca_hmpi.fd = -1;
    hesca_hmpi_server_free(hesca_hmpi.server, is_failed);
    hesca_hmpi.server = NULL;
    hesca_hmpi_groups_end();
    hesca_hmpi_network_clear(&hesca_hmpi.network);
    if (HMPI_PROC_WORLD != MPI_COMM_NULL)
        MPI_Comm_free(&HMPI_PROC_WORLD);
    if (HMPI_COMM_WORLD != MPI_COMM_NULL)
        MPI_Comm_free(&HMPI_COMM_WORLD);
    if (hesca_hmpi.comm != MPI_COMM_NULL)
        PMPI_Comm_free(&hesca_hmpi.comm);
    hesca_directory_ask_at_once(0);
}

int
HMPI_Init(int argc, char **argv)
{
    const char *debug = getenv("HMPI_DEBUG");
    int err;
    (void)argc, (void)argv;
    if (debug != NULL && strcmp(debug, "1") == 0)
        hesca_hmpi.debug = 1;
    if (hesca_hmpi.phase != HESCA_HMPI_BEFORE)
        return hesca_fail(HMPI_ERR_ORDER, 0, "HMPI_Init is called twice");
    HESCA_TRY(err, begin_mpi());
    HESCA_TRY(
        err, hesca_hmpi_agree(hesca_hmpi_network_create(&hesca_hmpi.network)));
    HESCA_TRY(err, hesca_hmpi_agree(make_proc_world()));
    HESCA_TRY(err, begin_registry());
    HESCA_TRY(err, hesca_hmpi_agree(hesca_hmpi_groups_begin()));
    hesca_machine_set_monitor(hesca_hmpi_monitor, NULL);
    hesca_directory_ask_at_once(1);
    hesca_hmpi.phase = HESCA_HMPI_ON;
    return HMPI_SUCCESS;
fail:
    end_all(1);
    if (hesca_hmpi.has_begun_mpi)
        MPI_Finalize();
    return err;
}

/* --- end --- */

/* What main() has returned counts, if it is not 0. */
static void
set_exit_code(int status, void *code)
{
    const int *wanted = code;
    if (status != 0)
        return;
    fflush(NULL);
    _exit(*wanted);
}

int
HMPI_Finalize(int exitcode)
{
    static int code;
    int err = hesca_hmpi_check_on("HMPI_Finalize");
    if (err < 0)
        return err;
    err = hesca_hmpi_wait_at("HMPI_Finalize", HESCA_HMPI_AT_FINALIZE, NULL);
    hesca_hmpi.phase = HESCA_HMPI_AFTER;
    hesca_machine_set_monitor(NULL, NULL);
    end_all(err < 0);
    if (hesca_hmpi.has_begun_mpi && err == HMPI_SUCCESS &&
        MPI_Finalize() != MPI_SUCCESS)
        err = hesca_fail(HESCA_ERR_MPI, 0,
                         "HMPI_Finalize: MPI_Finalize "
                         "failed");
    if (exitcode != 0) {
        code = exitcode & 255;
        on_exit(set_exit_code, &code);
    }
    return err;
}

/* --- free processes --- */

int
HMPI_Notify_free_processes(void)
{
    const int err = hesca_hmpi_check_on("HMPI_Notify_free_processes");
    return err < 0 ? err
                   : hesca_hmpi_ask_done("HMPI_Notify_free_processes",
                                         HESCA_HMPI_NOTIFY, 0, NULL, 0);
}

int
HMPI_Wait_free_processes(void)
{
    const int err = hesca_hmpi_check_on("HMPI_Wait_free_processes");
    return err < 0 ? err
                   : hesca_hmpi_wait_at("HMPI_Wait_free_processes",
                                        HESCA_HMPI_AT_DESTROY, NULL);
}

int
HMPI_Host_rendezvous(int count)
{
    const int err = hesca_hmpi_check_on("HMPI_Host_rendezvous");
    return err < 0 ? err
                   : hesca_hmpi_ask_done("HMPI_Host_rendezvous",
                                         HESCA_HMPI_MEET, count, NULL, 0);
}

/* --- texts --- */

/* Before HMPI_Init() and after HMPI_Finalize() the process's own stdout. */
int
HMPI_Printf(const char *format, ...)
{
    char line[4096], *text = line;
    va_list args, again;
    int err = HMPI_SUCCESS;
    if (format == NULL)
        return hesca_fail_null("HMPI_Printf", 1, "format");
    va_start(args, format);
    va_copy(again, args);
    const int n = vsnprintf(line, sizeof line, format, args);
    if (n >= (int)sizeof line) {
        text = malloc((size_t)n + 1);
        if (text != NULL)
            vsnprintf(text, (size_t)n + 1, format, again);
    }
    va_end(again);
    va_end(args);
    if (n < 0 || text == NULL)
        return hesca_fail(n < 0 ? HESCA_ERR_ARG : HESCA_ERR_NOMEM, 0,
                          "HMPI_Printf: %d bytes", n);
    if (hesca_hmpi.phase == HESCA_HMPI_ON)
        err = hesca_hmpi_tell(HESCA_HMPI_PRINT, 0, text, (size_t)n);
    else
        fputs(text, stdout);
    if (text != line)
        free(text);
    return err;
}

int
HMPI_Strerror(int errnum, char *message)
{
    static const struct {
        int code;
        const char *text;
    } own[] = {{HMPI_ERR_PARAM, "a variable, a file or a model is wrong"},
               {HMPI_UNDEFINED, "the process is not a member of the group"},
               {HMPI_ERR_PROCESSES, "the group needs more free processes"},
               {HMPI_ERR_ORDER, "the function may not be called now"},
               {HMPI_ERR_LOST, "a process has ended"}};
    const hesca_failure *last = hesca_failure_get();
    const char *text = hesca_strerror(errnum);
    if (message == NULL)
        return hesca_fail_null("HMPI_Strerror", 2, "message");
    for (size_t k = 0; k < sizeof own / sizeof *own; ++k)
        if (own[k].code == errnum)
            text = own[k].text;
    if (errnum < 0 && last->err == errnum && last->text[0] != '\0')
        snprintf(message, HMPI_MAX_ERROR_STRING, "%s: %.400s", text,
                 last->text);
    else
        snprintf(message, HMPI_MAX_ERROR_STRING, "%s", text);
    return HMPI_SUCCESS;
}

void
hesca_hmpi_debug(const char *format, ...)
{
    char line[1000];
    va_list args;
    if (!hesca_hmpi.debug)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fprintf(stderr, "hmpi: %s\n", line);
}

int
HMPI_Debug(int yesno)
{
    hesca_hmpi.debug = yesno != 0;
    return HMPI_SUCCESS;
}

int
HMPI_Get_version(int *version, int *sub_version)
{
    if (version != NULL)
        *version = 1;
    if (sub_version != NULL)
        *sub_version = 0;
    return HMPI_SUCCESS;
}

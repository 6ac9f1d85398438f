/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca doctor: what is wrong with an environment and a command. */
#define _POSIX_C_SOURCE 200809L /* access, strtok_r */
#include "config.h"
#include "hesca/experimental/machine.h"
#include "hesca/experimental/param.h"
#include "tools/check/doctor.h"
#include "tools/lib/binding.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/json.h"
#include "tools/lib/launcher.h"
#include "tools/lib/tools.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
help(void)
{
    printf("Usage: hesca doctor [--no-start] [--json]\n"
           "       [-- LAUNCHER OPTION... PROGRAM ARGUMENT...]\n"
           "Check HESCA's variables, the machine file and what is preloaded, "
           "and with a\n"
           "command also the launcher, the program and its MPI, before they "
           "are used:\n"
           "\n"
           "  hesca doctor -- mpiexec -n 4 ./app\n"
           "\n"
           "The launcher is run, but each of its processes executes hesca "
           "instead of\n"
           "PROGRAM, which is not started.\n"
           "\n"
           "  --no-start  do not run the launcher; check files and variables "
           "only\n"
           "  --json      print JSON\n"
           "\n"
           "Exit status: 0 if nothing is wrong, 1 if something is, 2 for "
           "wrong usage.\n");
}

void
doctor_say(doctor *x, doctor_kind kind, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    x->nproblems += kind == DOCTOR_PROBLEM;
    if (x->json) {
        printf("%s\n  {\"problem\": %s, \"text\": ", x->nlines > 0 ? "," : "",
               kind == DOCTOR_PROBLEM ? "true" : "false");
        json_string(text);
        printf("}");
    } else {
        printf("%s %s\n",
               kind == DOCTOR_PROBLEM ? "problem:" : "fine:   ", text);
    }
    ++x->nlines;
}

/* ------------------------------------------------ the environment */

/* The folder of a page; a page of an earlier run stays as it is. */
static void
check_report(doctor *x, const char *report)
{
    char folder[HESCA_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", report);
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[slash == folder] = '\0';
    if (report[0] != '\0' &&
        access(slash != NULL ? folder : ".", W_OK | X_OK) != 0)
        doctor_say(x, DOCTOR_PROBLEM,
                   "HESCA_REPORT is '%s': %s; there would be no report",
                   report, strerror(errno));
}

static void
check_variables(doctor *x)
{
    char text[400];
    hesca_params params;
    hesca_machine machine;
    int n = 0;
    for (; hesca_params_finding(n, text, sizeof text); ++n)
        doctor_say(x, DOCTOR_PROBLEM, "%s", text);
    if (n == 0)
        doctor_say(x, DOCTOR_FINE, "variables HESCA_*");
    hesca_params_read(&params);
    if (params.machine[0] != '\0' &&
        hesca_machine_read(params.machine, &machine) < 0) {
        doctor_say(x, DOCTOR_PROBLEM,
                   "HESCA_MACHINE cannot be used: %s; redistributions go on "
                   "without it, other routines are left to ScaLAPACK",
                   hesca_error_text());
    } else if (params.machine[0] != '\0') {
        doctor_say(x, DOCTOR_FINE, "machine file %s: %d hosts", params.machine,
                   machine.nhosts);
        hesca_machine_clear(&machine);
    }
    if (params.log[0] != '\0') {
        FILE *f = fopen(params.log, "a");
        if (f == NULL)
            doctor_say(x, DOCTOR_PROBLEM,
                       "HESCA_LOG is '%s': %s; lines go to stderr", params.log,
                       strerror(errno));
        else
            fclose(f);
    }
    check_report(x, params.report);
}

static void
check_preload(doctor *x)
{
    char *save = NULL, *list = x->preload != NULL ? strdup(x->preload) : NULL;
    char *found = x->preload;
    size_t n = 0;
    int has_shim = 0, has_core = 0;
    for (char *p = list != NULL ? strtok_r(list, ": ", &save) : NULL;
         p != NULL; p = strtok_r(NULL, ": ", &save)) {
        has_shim |= strstr(p, "libhesca_scalapack") != NULL;
        has_core |=
            strstr(p, "libhesca.so") != NULL || strstr(p, "libhesca-") != NULL;
        if (strchr(p, '/') != NULL && access(p, R_OK) != 0) {
            doctor_say(x, DOCTOR_PROBLEM,
                       "LD_PRELOAD has %s: %s; the program runs without it", p,
                       strerror(errno));
        } else {
            memmove(found + n, p, strlen(p) + 1);
            n += strlen(p);
            found[n++] = ':';
        }
    }
    if (list != NULL)
        found[n > 0 ? n - 1 : 0] = '\0'; /* the linker warns of others */
    if (has_core && !has_shim)
        doctor_say(x, DOCTOR_PROBLEM,
                   "LD_PRELOAD has libhesca, which replaces nothing; "
                   "libhesca_scalapack.so is the one to preload");
    free(list);
}

/* ------------------------------------------------ the program */

typedef struct {
    int file;        /* the first MPI library, or -1 */
    int is_open_mpi; /* whose */
} mpi_library;

static mpi_library
mpi_of(const binding_process *p)
{
    for (int k = 1; k < p->n; ++k)
        if (p->file[k].exports[NAME_MPI])
            return (mpi_library){
                k, strstr(p->file[k].path, "libmpi.so") != NULL ||
                       strstr(p->file[k].path, "openmpi") != NULL};
    return (mpi_library){-1, 0};
}

/* Integers of 64 bits, as names of libraries say. */
static void
check_width(doctor *x, const binding_process *p)
{
    const char *path = p->scalapack > 0 ? p->file[p->scalapack].path : "";
    const int is_wide =
        strstr(path, "ilp64") != NULL || strstr(path, "64.so") != NULL;
#ifdef HESCA_ILP64
    const int own = 1;
#else
    const int own = 0;
#endif
    if (path[0] != '\0' && is_wide != own)
        doctor_say(x, DOCTOR_PROBLEM,
                   "%s seems to have INTEGERs of %d bits, this HESCA was "
                   "built for %d: all calls would be left to ScaLAPACK",
                   path, is_wide ? 64 : 32, own ? 64 : 32);
}

static void
check_served(doctor *x, const char *path, const binding_process *p)
{
    int served = 0, defined = 0, called = p->scalapack >= 0;
    for (int r = 0; r < NROUTINES; ++r) {
        served += p->is_served[r];
        defined += p->home[r].how != BOUND_NOWHERE;
        called |=
            p->home[r].how == BOUND_BUILTIN || p->home[r].how == BOUND_WRAPPED;
        for (int k = 0; k < p->n; ++k)
            called |= p->file[k].calls[r];
    }
    if (!called)
        doctor_say(x, DOCTOR_PROBLEM,
                   "%s has no ScaLAPACK that can be seen: HESCA has nothing "
                   "to serve, unless it is loaded later (dlopen)",
                   path);
    else if (served == 0)
        doctor_say(x, DOCTOR_PROBLEM,
                   "%s does not use HESCA: preload libhesca_scalapack.so, or "
                   "link it before ScaLAPACK; hesca check %s says more",
                   path, path);
    else
        doctor_say(x, DOCTOR_FINE, "%s: HESCA serves %d of %d routines", path,
                   served, defined);
}

/* \return 1: it uses Open MPI, 0: MPICH, -1: unknown. */
static int
check_mpi(doctor *x, const char *path)
{
    binding_process p;
    int is_open_mpi = -1;
    if (binding_read(path, NULL, &p)) {
        const mpi_library mpi = mpi_of(&p);
        if (mpi.file > 0)
            is_open_mpi = mpi.is_open_mpi;
        if (mpi.file > 0 && is_open_mpi != (strcmp(MPI_NAME, "openmpi") == 0))
            doctor_say(x, DOCTOR_PROBLEM,
                       "%s uses %s, this HESCA was built for %s: the program "
                       "would go on without HESCA",
                       path, p.file[mpi.file].path, MPI_NAME);
    }
    binding_clear(&p);
    return is_open_mpi;
}

/* \return as check_mpi(). */
static int
check_program(doctor *x)
{
    char room[PATH_MAX];
    const char *path = program_find(x->word[x->program], room);
    binding_process p;
    if (path == NULL) {
        doctor_say(x, DOCTOR_PROBLEM, "program '%s' is not found",
                   x->word[x->program]);
        return -1;
    }
    const int is_open_mpi = check_mpi(x, path);
    if (x->preload != NULL)
        setenv("LD_PRELOAD", x->preload, 1);
    if (binding_read(path, NULL, &p)) {
        check_served(x, path, &p);
        check_width(x, &p);
    } else {
        doctor_say(x, DOCTOR_FINE,
                   "%s is not looked at: it may start a program", path);
    }
    binding_clear(&p);
    unsetenv("LD_PRELOAD");
    return is_open_mpi;
}

/* ------------------------------------------------ the launcher */

/* Options of the other family, which it does not know. */
static void
check_options(doctor *x, launcher_kind kind)
{
    static const char *const hydra[] = {"-env", "-genv", "-hosts", "-ppn",
                                        "-f"};
    static const char *const open[] = {"-x", "--oversubscribe", "--mca",
                                       "--allow-run-as-root", "--map-by"};
    for (int k = 1; k < x->program; ++k)
        for (int i = 0; i < 5; ++i) {
            if (kind == LAUNCHER_OPENMPI && strcmp(x->word[k], hydra[i]) == 0)
                doctor_say(x, DOCTOR_PROBLEM,
                           "%s is Open MPI's and does not know %s, an option "
                           "of MPICH's: variables go by -x NAME=VALUE, hosts "
                           "by --host",
                           x->word[0], hydra[i]);
            if (kind == LAUNCHER_HYDRA && strcmp(x->word[k], open[i]) == 0)
                doctor_say(x, DOCTOR_PROBLEM,
                           "%s is MPICH's and does not know %s, an option of "
                           "Open MPI's: variables go by -env NAME VALUE, "
                           "hosts by -hosts",
                           x->word[0], open[i]);
        }
}

/* \return Whether it can be tried. */
static int
check_launcher(doctor *x, int is_open_mpi)
{
    char path[PATH_MAX];
    const arglist ask = {.word = x->word, .n = 1};
    if (program_find(x->word[0], path) == NULL) {
        doctor_say(x, DOCTOR_PROBLEM, "launcher '%s' is not found",
                   x->word[0]);
        return 0;
    }
    const launcher_kind kind = launcher_ask(&ask);
    if (kind == LAUNCHER_UNKNOWN)
        doctor_say(x, DOCTOR_PROBLEM, "%s is not a launcher that HESCA knows",
                   x->word[0]);
    else if (is_open_mpi >= 0 && kind != LAUNCHER_SLURM &&
             (kind == LAUNCHER_OPENMPI) != is_open_mpi)
        doctor_say(x, DOCTOR_PROBLEM,
                   "%s is %s, the program's MPI is %s: each process would be "
                   "alone in MPI_COMM_WORLD",
                   x->word[0],
                   kind == LAUNCHER_OPENMPI ? "Open MPI's" : "MPICH's",
                   is_open_mpi ? "Open MPI" : "MPICH");
    check_options(x, kind);
    /* Where all fits so far even a launcher of another MPI is tried: the
     * processes say whether they found each other. */
    return kind != LAUNCHER_UNKNOWN &&
           (x->nproblems == 0 || launcher_is_own(kind));
}

/* ------------------------------------------------ the command */

typedef struct {
    int json, no_start, process;
} options;

int
doctor_main(int argc, char **argv)
{
    static const cmdline_row table[] = {OPT_FLAG("json", NULL, json),
                                        OPT_FLAG("no-start", NULL, no_start),
                                        OPT_FLAG("process", NULL, process)};
    const cmdline line = {"hesca doctor", table, 3, help, 1};
    options o = {.json = 0};
    int first, can_start = 0, is_open_mpi = -1;
    const int status =
        cmdline_status(cmdline_read(&line, argc, argv, &o, &first));
    if (status >= 0)
        return status;
    if (o.process)
        return doctor_process();
    doctor x = {.json = o.json, .start = !o.no_start, .word = argv + first};
    doctor_command_read(&x);
    if (x.json)
        printf("{\"lines\": [");
    check_variables(&x);
    check_preload(&x);
    if (x.program >= 0) {
        is_open_mpi = check_program(&x);
    } else if (x.word[0] != NULL) {
        doctor_say(&x, DOCTOR_PROBLEM, "no program is found behind %s",
                   x.word[0]);
    }
    if (x.launcher)
        can_start = check_launcher(&x, is_open_mpi);
    if (x.start && can_start && x.program > 0)
        doctor_start(&x);
    if (x.json)
        printf("\n], \"problems\": %d}\n", x.nproblems);
    free(x.preload);
    return x.nproblems == 0 ? TOOL_YES : TOOL_NO;
}

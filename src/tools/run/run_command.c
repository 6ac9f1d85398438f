/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line that starts a program: the launcher, hesca bind with the
 * environment of all processes, the program. */
#define _XOPEN_SOURCE 700 /* readlink */
#include "tools/lib/binding.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/launcher.h"
#include "tools/lib/preload.h"
#include "tools/run/run.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static int
no_program(const char *what, const char *name)
{
    return cmdline_fail("%s '%s' is not found%s", what, name,
                        strchr(name, '/') == NULL && program_is(name)
                            ? "; the one in this folder is written ./NAME"
                            : "");
}

/* ------------------------------------------------ preloading
 * HESCA is preloaded unless the program is static or has it already. */

static int
is_elf(const char *path)
{
    char magic[4] = "";
    FILE *f = fopen(path, "rb");
    const int is = f != NULL && fread(magic, 1, sizeof magic, f) == 4 &&
                   memcmp(magic, "\177ELF", sizeof magic) == 0;
    if (f != NULL)
        fclose(f);
    return is;
}

/* Whether a program is to have HESCA preloaded.  A file that is not a program
 * of this machine, such as a script, may start one.  LD_PRELOAD of this
 * process does not reach other hosts. */
static int
wants_preload(const char *path)
{
    binding_process p;
    int wants = 0;
    if (!is_elf(path))
        return 1;
    if (binding_read(path, NULL, &p)) {
        const int is_static = p.file[0].elf.kind == ELF_STATIC;
        const int has = p.hesca == 0 || p.hesca > p.npreload;
        wants = !has && !is_static;
        if (is_static && !has)
            cmdline_fail("%s is linked statically, without HESCA: its "
                         "processes will be placed as ever",
                         path);
    }
    binding_clear(&p);
    return wants;
}

static int
add_preload(const char *path, arglist *command)
{
    const char *library, *before = getenv("LD_PRELOAD");
    if (!wants_preload(path))
        return 1;
    if ((library = preload_find()) == NULL)
        return cmdline_fail("libhesca_scalapack.so is not found beside this "
                            "program or in " LIBDIR
                            ": --no-preload does without");
    arglist_add(command, "--preload");
    arglist_add(command, "%s%s%s", library,
                before != NULL && before[0] != '\0' ? ":" : "",
                before != NULL ? before : "");
    return 1;
}

/* ------------------------------------------------ environment
 * Settings are passed as arguments of hesca bind, so they reach all hosts. */

static void
add_setting(arglist *command, const char *name, const char *value)
{
    arglist_add(command, "--set");
    arglist_add(command, "%s=%s", name, value);
}

/* HESCA's variables, which launchers may not pass to other hosts. */
static void
add_parameters(const run_layout *x, arglist *command)
{
    static const char prefix[] = "HESCA_";
    char job[HESCA_NAME_MAX + 48];
    for (char **v = environ; *v != NULL; ++v)
        if (strncmp(*v, prefix, strlen(prefix)) == 0 &&
            strncmp(*v, "HESCA_MACHINE=", 14) != 0 &&
            strncmp(*v, "HESCA_JOB=", 10) != 0 &&
            strncmp(*v, "HESCA_PROGRAM=", 14) != 0) {
            arglist_add(command, "--set");
            arglist_add(command, "%s", *v);
        }
    add_setting(command, "HESCA_MACHINE", x->path != NULL ? x->path : "auto");
    if (x->program[0] != '\0')
        add_setting(command, "HESCA_PROGRAM", x->program);
    snprintf(job, sizeof job, "%s,%lld,%d", hesca_routine_name(x->job.routine),
             (long long)x->job.n, x->job.nb);
    if (x->has_job)
        add_setting(command, "HESCA_JOB", job);
}

/* A thread per process, unless the user specifies more.  OpenBLAS reads
 * OpenMP's variable if its own is not set. */
static void
add_threads(arglist *command)
{
    const char *openmp = getenv("OMP_NUM_THREADS");
    const char *openblas = getenv("OPENBLAS_NUM_THREADS");
    add_setting(command, "OMP_NUM_THREADS", openmp != NULL ? openmp : "1");
    if (openblas != NULL || openmp == NULL)
        add_setting(command, "OPENBLAS_NUM_THREADS",
                    openblas != NULL ? openblas : "1");
}

/* ------------------------------------------------ all of it
 * The command is complete, or an error has been reported. */

/* Its words, and its kind in o.
 * \param [out] path  Of the program. */
static int
find_launcher(run_options *o, arglist *command, char path[PATH_MAX])
{
    arglist_split(command, o->mpiexec != NULL   ? o->mpiexec
                           : MPIEXEC[0] != '\0' ? MPIEXEC
                                                : "mpiexec");
    if (command->n == 0)
        return cmdline_complain("--mpiexec is empty");
    const char *found = program_find(command->word[0], path);
    if (found == NULL)
        return no_program("mpiexec", command->word[0]);
    if (found != path)
        snprintf(path, PATH_MAX, "%s", found);
    if (o->launcher == LAUNCHER_UNKNOWN)
        o->launcher = launcher_ask(command);
    return o->launcher != LAUNCHER_UNKNOWN;
}

/* \param [in] count  [x->machine.nhosts], or NULL: one on each of x->hosts. */
static int
add_launcher(run_options *o, const run_layout *x, const int *count,
             arglist *command)
{
    char path[PATH_MAX];
    const int n = count == NULL ? x->hosts.n : x->machine.nhosts;
    const char **name = malloc((size_t)n * sizeof *name);
    int *ones = malloc((size_t)n * sizeof *ones);
    int good = name != NULL && ones != NULL
                   ? find_launcher(o, command, path)
                   : cmdline_fail("no memory for %d hosts", n);
    for (int i = 0; good && i < n; ++i) {
        name[i] = x->hosts.n > 0 ? x->hosts.name[i] : x->machine.host[i].name;
        ones[i] = 1;
    }
    if (good) {
        const launcher_kind kind = (launcher_kind)o->launcher;
        const char *const *names = x->is_named ? name : NULL;
        if (!launcher_is_own(kind))
            cmdline_fail("%s is not of the MPI that this HESCA was built for "
                         "(" MPI_NAME "): its processes will be alone",
                         command->word[0]);
        if (count == NULL)
            count = ones;
        /* A script, or options, may choose another way than ssh. */
        good = names == NULL || (o->dry_run && count != ones) ||
               command->n > 1 || !is_elf(path) ||
               launcher_reach(kind, n, names, count);
        launcher_connect(kind, command);
        launcher_place(kind, n, names, count, command);
    }
    free(name);
    free(ones);
    return good;
}

/* hesca itself, with a path that is good on all hosts. */
static int
add_self(arglist *command)
{
    char self[PATH_MAX];
    const ssize_t len = readlink("/proc/self/exe", self, sizeof self);
    if (len < 1 || len >= (ssize_t)sizeof self)
        return cmdline_fail("cannot find hesca itself in /proc/self/exe");
    arglist_add(command, "%.*s", (int)len, self);
    return 1;
}

static int
add_bind(const run_options *o, const run_layout *x, const char *path,
         arglist *command)
{
    if (!add_self(command))
        return 0;
    arglist_add(command, "bind");
    if (!o->bind)
        arglist_add(command, "--no-bind");
    if (o->preload && !add_preload(path, command))
        return 0;
    add_parameters(x, command);
    add_threads(command);
    arglist_add(command, "--");
    return 1;
}

int
run_command_launcher(run_options *o)
{
    char path[PATH_MAX];
    arglist command = {.n = 0};
    const int good = find_launcher(o, &command, path);
    arglist_free(&command);
    return good;
}

/* With HESCA preloaded waits yield, and MPI_Finalize does. */
int
run_command_probe(run_options *o, const run_layout *x, arglist *command)
{
    const char *library = o->preload ? preload_find() : NULL;
    if (!add_launcher(o, x, NULL, command) || !add_self(command))
        return 0;
    arglist_split(command, "bind --no-bind");
    if (library != NULL) {
        arglist_add(command, "--preload");
        arglist_add(command, "%s", library);
    }
    add_parameters(x, command);
    add_setting(command, "HESCA_VERBOSE", "0"); /* hesca run says it */
    add_threads(command);
    arglist_add(command, "--");
    if (!add_self(command))
        return 0;
    arglist_split(command, "probe --quick");
    return !command->failed || cmdline_fail("no memory left");
}

int
run_command_make(run_options *o, const run_layout *x, arglist *command)
{
    char room[PATH_MAX];
    if (o->program[0] == NULL)
        return 1;
    const char *path = program_find(o->program[0], room);
    if (path == NULL)
        return no_program("program", o->program[0]);
    if (!add_launcher(o, x, x->count, command) ||
        !add_bind(o, x, path, command))
        return 0;
    for (char **word = o->program; *word != NULL; ++word)
        arglist_add(command, "%s", *word);
    return !command->failed || cmdline_fail("no memory left");
}

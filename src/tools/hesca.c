/* SPDX-License-Identifier: BSD-3-Clause */
/* The program hesca: one table of subcommands. */
#include "hesca/version.h"
#include "tools/lib/tools.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} command;

static const command table[] = {
    {"info", "the version, and parameters (HESCA_*) with the values in force",
     info_main},
    {"check", "whether a program would use HESCA, routine by routine",
     check_main},
    {"doctor", "check an environment and a command before a run", doctor_main},
    {"plan", "schedules of a redistribution: steps, bytes, time, pictures",
     plan_main},
    {"sim", "simulate communication schedules on a network of unequal links",
     sim_main},
    {"model", "performance models of algorithms: their time, the best mapping",
     model_main},
    {"partition", "divide a set, matrix, graph or tree in proportion to speed",
     partition_main},
    {"draw", "timing diagrams of what hesca sim or a program recorded",
     draw_main},
    {"probe", "measure what messages cost, and write a machine file",
     probe_main},
    {"run", "start a program with more processes on faster hosts", run_main},
    {"bind", "bind processes to cores, as hesca run does", bind_main},
};

enum { NCOMMANDS = sizeof table / sizeof *table };

static int
help(void)
{
    printf("Usage: hesca COMMAND [option]... [argument]...\n\n");
    for (int k = 0; k < NCOMMANDS; ++k)
        printf("  %-11s%s\n", table[k].name, table[k].help);
    fputs(
        "\n"
        "  help, --help, -h: print this\n"
        "  help COMMAND, COMMAND --help: what COMMAND does\n"
        "  version, --version: the version\n"
        "\n"
        "A program uses HESCA if libhesca_scalapack.so is preloaded, or "
        "linked before\n"
        "ScaLAPACK; parameters are environment variables HESCA_* (hesca "
        "info).  The\n"
        "commands inspect, measure and start programs.  With MPICH, and Open "
        "MPI:\n"
        "  mpiexec -n 4 -env LD_PRELOAD PREFIX/lib/libhesca_scalapack.so "
        "./app\n"
        "  mpiexec -n 4 -x LD_PRELOAD=PREFIX/lib/libhesca_scalapack.so ./app\n"
        "\n"
        "Exit status: 0 if all is well, 1 if the check or the measurement "
        "failed, 2 for\n"
        "wrong usage or a file that cannot be read; of run and bind, that of "
        "the program.\n",
        stdout);
    return TOOL_YES;
}

static int
version(void)
{
    printf("hesca %s\n", HESCA_VERSION);
    return TOOL_YES;
}

static int
is_one_of(const char *word, const char *one, const char *other)
{
    return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

static int
run_command(int argc, char **argv)
{
    for (int k = 0; k < NCOMMANDS; ++k)
        if (strcmp(argv[0], table[k].name) == 0)
            return table[k].run(argc, argv);
    return complain("no command '%s'; see hesca --help", argv[0]);
}

/* The name by which the program was started. */
static const char *
own_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static int
run(int argc, char **argv)
{
    if (argc > 0 && strcmp(own_name(argv[0]), "hmpicc") == 0)
        return hmpicc_main(argc, argv);
    if (argc < 2)
        return complain("a command is missing; see hesca --help");
    if (is_one_of(argv[1], "--help", "-h") ||
        (strcmp(argv[1], "help") == 0 && argc == 2))
        return help();
    if (is_one_of(argv[1], "--version", "version"))
        return version();
    if (strcmp(argv[1], "help") == 0) {
        char *ask[] = {argv[2], "--help", NULL};
        return run_command(2, ask);
    }
    return run_command(argc - 1, argv + 1);
}

/* A result that cannot be printed is an error. */
int
main(int argc, char **argv)
{
    const int status = run(argc, argv);
    const int failed = ferror(stdout) != 0;
    if ((fflush(stdout) != 0 || failed) && status == TOOL_YES)
        return complain("stdout: %s", strerror(errno));
    return status;
}

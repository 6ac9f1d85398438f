/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/tools.h
 * The subcommands of the program hesca, and what they share.
 *
 * A command gets the arguments from its own name on and returns the exit
 * status. Results go to stdout, error messages to stderr. */
#ifndef HESCA_TOOLS_LIB_TOOLS_H
#define HESCA_TOOLS_LIB_TOOLS_H

/** Exit status of the program. */
enum {
    TOOL_YES = 0, /**< done; the condition in question holds */
    TOOL_NO = 1,  /**< it does not hold, or a parameter has a bad value */
    TOOL_BAD = 2  /**< wrong usage, or a file cannot be read */
};

#if defined(__GNUC__)
#define TOOL_PRINTF __attribute__((format(printf, 1, 2)))
#else
#define TOOL_PRINTF
#endif

/** The name of the program in error messages. */
extern const char *tool_name;

/** Print the program's name and a line to stderr.
 * \return TOOL_BAD. */
int complain(const char *format, ...) TOOL_PRINTF;

/** Show the progress of long work on stderr: on a terminal always in the same
 * line, which NULL erases; elsewhere, as under mpiexec, a line at most every 2
 * s. */
void progress(const char *format, ...) TOOL_PRINTF;

/** hesca probe: what messages cost. */
int probe_main(int argc, char **argv);

/** hesca sim: schedules on a simulated clock. */
int sim_main(int argc, char **argv);

/** hesca draw: timing diagrams of traces. */
int draw_main(int argc, char **argv);

/** hesca model: performance models of algorithms. */
int model_main(int argc, char **argv);

/** hmpicc FILE.mpc...: each is compiled to FILE.c. */
int hmpicc_main(int argc, char **argv);

/** hesca partition: the share of each processor. */
int partition_main(int argc, char **argv);

/** hesca info: version and parameters. */
int info_main(int argc, char **argv);

/** hesca check: whether a program would use HESCA. */
int check_main(int argc, char **argv);

/** hesca doctor: what is wrong with a set-up. */
int doctor_main(int argc, char **argv);

/** hesca plan: the schedules of a redistribution. */
int plan_main(int argc, char **argv);

/** hesca run: a program on processes in proportion to speed. */
int run_main(int argc, char **argv);

/** hesca bind: starts each process of hesca run. */
int bind_main(int argc, char **argv);

#endif

/** \file tools/lib/tools.h
 * The subcommands of the program hesca, and what they share.
 *
 * A command gets the words from its own name on and returns the exit status.
 * Answers go to stdout, complaints to stderr. */
#ifndef HESCA_TOOLS_LIB_TOOLS_H
#define HESCA_TOOLS_LIB_TOOLS_H

/** Exit status of the program. */
enum {
    TOOL_YES = 0, /**< done; what was asked is so */
    TOOL_NO = 1,  /**< it is not so, or a parameter has a bad value */
    TOOL_BAD = 2  /**< wrong usage, or a file cannot be read */
};

#if defined(__GNUC__)
#define TOOL_PRINTF __attribute__((format(printf, 1, 2)))
#else
#define TOOL_PRINTF
#endif

/** What programs call themselves when they complain. */
extern const char *tool_name;

/** Print the program's name and a line to stderr.
 * \return TOOL_BAD. */
int complain(const char *format, ...) TOOL_PRINTF;

/** Say on stderr, in the same line again and again, what long work is doing;
 * NULL wipes that away.  Only on a terminal. */
void progress(const char *format, ...) TOOL_PRINTF;

/** hesca probe: what messages cost. */
int probe_main(int argc, char **argv);

/** hesca sim: schedules on a simulated clock. */
int sim_main(int argc, char **argv);

/** hesca draw: pictures of traces. */
int draw_main(int argc, char **argv);

/** hesca partition: how much for whom. */
int partition_main(int argc, char **argv);

/** hesca info: version and parameters. */
int info_main(int argc, char **argv);

/** hesca check: whether a program would use HESCA. */
int check_main(int argc, char **argv);

/** hesca plan: what schedules a redistribution has. */
int plan_main(int argc, char **argv);

/** hesca run: a program on processes in proportion to speed. */
int run_main(int argc, char **argv);

/** hesca bind: what processes of hesca run go through. */
int bind_main(int argc, char **argv);

#endif

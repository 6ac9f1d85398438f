/** \file tools/run/run.h
 * hesca run: an MPI program on a number of processes per host in proportion to
 * its speed.  What is asked for (run_options.c), how many processes are where
 * (run_layout.c, run_counts.c), what that is predicted to gain
 * (run_forecast.c, run_print.c, run_json.c), and the command that starts them
 * (run_command.c). */
#ifndef HESCA_TOOLS_RUN_RUN_H
#define HESCA_TOOLS_RUN_RUN_H

#include "hesca/experimental/param.h"
#include "hesca/experimental/place.h"
#include "tools/lib/arglist.h"

/* ------------------------------------------------ what is asked for */

/** A grid of an option; 0 x 0: not given. */
typedef struct {
    int nprow, npcol;
} run_shape;

typedef struct {
    const char *machine;       /* file, or NULL */
    const char *per_host;      /* NULL: auto */
    hesca_place_limits limits; /* nprocs: of -n, 0 without */
    int has_job;               /* routine, order or block are given */
    int routine, order, block; /* -1 or 0: not given */
    run_shape grid, plain;
    const char *mpiexec; /* NULL: the one that HESCA was built with */
    int launcher;        /* launcher_kind, -1: to be found out */
    int bind, preload, dry_run, json;
    char **program; /* NULL at its end; empty: none */
} run_options;

/** Read the options, up to "--", and the program behind.
 * \return CMDLINE_GO, CMDLINE_HELP, CMDLINE_BAD after a complaint. */
int run_options_read(int argc, char **argv, run_options *o);

/* ------------------------------------------------ how many where */

/** Processes, host by host. */
typedef struct {
    hesca_machine machine; /* of one host at least */
    hesca_machine endless; /* the same with no bound on memory */
    char *path;            /* of its file, absolute; NULL: this host alone */
    int is_named;          /* hosts are to be told to the launcher */
    hesca_job job;
    int has_job;       /* it is the user's */
    int *count;        /* [machine.nhosts] */
    int nprocs, *host; /* [nprocs] the host of each */
} run_layout;

/** Lay processes out.
 * \param [out] x  Clear it, also after a complaint.
 * \return 1, or 0 after a complaint. */
int run_layout_make(const run_options *o, const hesca_params *params,
                    run_layout *x);
void run_layout_clear(run_layout *x);

/** Numbers of processes as people write them: A,B,... for all hosts in order,
 * or HOST=K,... for some.
 * \param [out] count  [machine->nhosts] >= 0, their sum is at least 1.
 * \return 1, or 0 after a complaint. */
int run_counts_parse(const char *text, const hesca_machine *machine,
                     int *count);

/** Bytes that the processes of a host fill, where a part of the matrices lies
 * there. */
double run_layout_bytes(const run_options *o, const run_layout *x, int host,
                        double part);

/* ------------------------------------------------ what that gains */

/** A grid and its prediction. */
typedef struct {
    int nprow, npcol;
    int *process; /* [nprow * npcol] */
    int *host;    /* [nprow * npcol] of each */
    hesca_forecast forecast;
} run_grid;

/** The best grid of these processes, or the one that is asked for, placed. */
int run_grid_place(const run_options *o, const run_layout *x, run_grid *g);

/** The best grid of one process for each core that the layout uses, or the one
 * asked for, in order: ScaLAPACK without HESCA.  0 x 0: the matrices do not
 * fit in equal shares. \return 1 (clear it), or 0 after a complaint. */
int run_grid_plain(const run_options *o, const run_layout *x, run_grid *g);
void run_grid_clear(run_grid *g);

/** One host's parts of all, 0 to 1. */
typedef struct {
    int places;         /* in the grid */
    double work, speed; /* of the matrices; of the speed of all hosts in use */
    double bytes;       /* that its processes fill */
} run_part;

run_part run_part_of(const run_options *o, const run_layout *x,
                     const run_grid *g, int host);

/** Print all of it. */
void run_tell(const run_options *o, const run_layout *x, const run_grid *best,
              const run_grid *plain, const arglist *command);
void run_json(const run_options *o, const run_layout *x, const run_grid *best,
              const run_grid *plain, const arglist *command);

/* ------------------------------------------------ starting */

/** The command that starts the program.
 * \param [out] command  Free it, also after a complaint; empty where there is
 *                       no program.
 * \return 1, or 0 after a complaint. */
int run_command_make(const run_options *o, const run_layout *x,
                     arglist *command);

#endif

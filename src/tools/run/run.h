/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/run/run.h
 * hesca run: an MPI program on a number of processes per host in proportion to
 * its speed.  Options (run_options.c), the hosts (run_hosts.c, run_survey.c),
 * the number of processes on each of them (run_layout.c, run_counts.c,
 * run_choose.c), the predicted gain (run_forecast.c, run_print.c, run_json.c),
 * and the command that starts them (run_command.c).
 */
#ifndef HESCA_TOOLS_RUN_RUN_H
#define HESCA_TOOLS_RUN_RUN_H

#include "hesca/experimental/param.h"
#include "hesca/experimental/place.h"
#include "survey/program.h"
#include "tools/lib/arglist.h"
#include "tools/run/run_hosts.h"

/* ------------------------------------------------ options */

/** A grid of an option; 0 x 0: not given. */
typedef struct {
    int nprow, npcol;
} run_shape;

typedef struct {
    const char *machine;       /* file, or NULL */
    const char *hosts;         /* list or file, or NULL */
    const char *per_host;      /* NULL: auto */
    const char *vpm;           /* file, or NULL */
    hesca_place_limits limits; /* nprocs: of -n, 0 without */
    int has_job;               /* routine, order or block are given */
    int routine, order, block; /* -1 or 0: not given */
    run_shape grid, plain;
    int grid_is_learnt;  /* of the program's last run */
    const char *mpiexec; /* NULL: the one that HESCA was built with */
    int launcher;        /* launcher_kind, -1: found by its --version */
    int bind, preload, dry_run, json;
    char **program; /* NULL at its end; empty: none */
} run_options;

/** Read the options up to "--", and the program after it.
 * \return CMDLINE_GO, CMDLINE_HELP, CMDLINE_BAD after an error message. */
int run_options_read(int argc, char **argv, run_options *o);

/* ------------------------------------------------ processes */

/** Processes, host by host. */
typedef struct {
    hesca_machine machine; /* of one host at least */
    hesca_machine endless; /* the same with no bound on memory */
    char *path;            /* of its file, absolute; NULL: none */
    char source[1024];     /* where the machine is from */
    run_hosts hosts;       /* n > 0: instead of a file */
    int is_named;          /* the launcher needs names of hosts */
    hesca_job job;
    int has_job;                  /* the user has specified it */
    int knows_job;                /* the user, or the program's last run */
    int computes;                 /* HESCA may compute it */
    char program[HESCA_PATH_MAX]; /* its path; empty: none, or too long */
    int *count;                   /* [machine.nhosts] */
    struct hesca_vpm_line *vpm;   /* [nvpm] of --vpm */
    int nvpm;
    int nprocs, *host; /* [nprocs] the host of each */
    run_shape best;    /* the best grid, */
    int best_nprocs;   /* of so many processes */
    int by_speed;      /* in shares in proportion to speed (HoHe) */
    double gain;       /* of the best grid of all over plain ScaLAPACK; 0:
                          there is no such grid */
    const char *why;   /* one per core is started, not best_nprocs; NULL */
} run_layout;

/** Choose the number of processes on each host.
 * \param [out] x  Clear it, also after an error message.
 * \return 1, or 0 after an error message. */
int run_layout_make(run_options *o, const hesca_params *params, run_layout *x);
void run_layout_clear(run_layout *x);

/** Find the machine of x->hosts by hesca probe --quick; sets x->machine and
 * x->source.
 * \return 1, or 0 after an error message. */
int run_survey(run_options *o, run_layout *x);

/** The processes, host by host, of x->count.
 * \return 1, or 0 after an error message. */
int run_layout_list(run_layout *x);

/** Find the best grid, and start one process per core if more of them are not
 * predicted to be faster, or if the program's grid does not use them.
 * \return 1, or 0 after an error message. */
int run_choose(const run_options *o, run_layout *x);

/** Numbers of processes as in --per-host: A,B,... for all hosts in order, or
 * HOST=K,... for some.
 * \param [out] count  [machine->nhosts] >= 0, their sum is at least 1.
 * \return 1, or 0 after an error message. */
int run_counts_parse(const char *text, const hesca_machine *machine,
                     int *count);

/** Bytes that the processes of a host fill if they own a part of the matrices.
 */
double run_layout_bytes(const run_options *o, const run_layout *x, int host,
                        double part);

/* ------------------------------------------------ prediction */

/** A grid and its prediction. */
typedef struct {
    int nprow, npcol;
    int *process; /* [nprow * npcol] */
    int *host;    /* [nprow * npcol] of each */
    hesca_forecast forecast;
    double seconds; /* as of run_grid_seconds(); 0: not asked for */
    int by_speed;
} run_grid;

/** The best grid of these processes, or the requested one, placed. */
int run_grid_place(const run_options *o, const run_layout *x, run_grid *g);

/** The best grid of one process for each core that the layout uses, or the
 * requested one, in order: ScaLAPACK without HESCA.  0 x 0: the matrices do
 * not fit in equal shares.
 * \return 1 (clear it), or 0 after an error message.
 */
int run_grid_plain(const run_options *o, const run_layout *x, run_grid *g);
void run_grid_clear(run_grid *g);

/** The grid that most programs make of so many processes. */
run_shape run_grid_square(int nprocs);

/** The predicted seconds of a grid as called, with processes in the order of
 * host[nprow * npcol]; INFINITY if the matrices do not fit. */
double run_grid_in_order(const run_layout *x, run_shape grid, const int *host);

/** Whether run_grid_seconds() considers shares in proportion to speed. */
int run_grid_may_share(const run_layout *x, int nprocs);

/** The predicted seconds of a grid placed by HESCA, by the way that
 * HESCA_GEMM=auto and the like take, where it is preloaded.
 * \param [in]  host      [nprocs]
 * \param [in]  may       1: also HoHe if its predicted gain is within its
 *                        margin, so that only a trial would show it
 * \param [out] by_speed  1: HoHe, in shares in proportion to speed
 * \return 0 if there is no prediction. */
double run_grid_seconds(const run_layout *x, run_shape grid, int nprocs,
                        const int *host, int may, int *by_speed);

/** The parts of one host, 0 to 1. */
typedef struct {
    int places;         /* in the grid */
    double work, speed; /* of the matrices; of the speed of all hosts in use */
    double bytes;       /* that its processes fill */
} run_part;

run_part run_part_of(const run_options *o, const run_layout *x,
                     const run_grid *g, int host);

/** Print layout, prediction and command. */
void run_print(const run_options *o, const run_layout *x, const run_grid *best,
               const run_grid *plain, const arglist *command);
/** Print on stderr what is started, and what it is predicted to gain. */
void run_announce(const run_options *o, const run_layout *x);
void run_json(const run_options *o, const run_layout *x, const run_grid *best,
              const run_grid *plain, const arglist *command);

/* ------------------------------------------------ command */

/** The command that starts the program.
 * \param [out] command  Free it, also after an error message; empty if there
 *                       is no program.
 * \return 1, or 0 after an error message. */
int run_command_make(run_options *o, const run_layout *x, arglist *command);

/** The command that starts hesca probe --quick on a process of each of
 * x->hosts. */
int run_command_probe(run_options *o, const run_layout *x, arglist *command);

/** Find the kind of launcher, if no option has named it.
 * \return 1, or 0 after an error message. */
int run_command_launcher(run_options *o);

#endif

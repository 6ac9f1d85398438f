/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/sim/sim.h
 * The parts of hesca sim: machines, comparisons of schedules, results. */
#ifndef HESCA_TOOLS_SIM_SIM_H
#define HESCA_TOOLS_SIM_SIM_H

#include "order/trace.h"
#include "tools/lib/fields.h"
#include "tools/sim/sim_options.h"

/** The result of one schedule in one run; 0: not computed. */
typedef struct {
    double real, resched;      /* seconds, with drift; and reordered */
    double changes;            /* number of reorderings */
    double refined, replanned; /* seconds, plans made with the true times */
    double sequential;         /* seconds, problems one after the other */
    double sends;              /* messages of a problem */
    /* share of destinations reached if one process fails: */
    double reached, reached_least; /* mean, least */
    double plan;                   /* seconds of planning */
} sim_result;

/** The results of a schedule in the runs of one configuration: sums over them.
 */
typedef struct {
    char name[HESCA_NAME_MAX];
    int n;                      /* runs that it applies to */
    double finish, least, most; /* seconds; not sums, least and most */
    double ratio, ratio_most;   /* finish to lower bound */
    sim_result sum;
} sim_score;

/** The input and results of hesca sim. */
typedef struct {
    const sim_options *o;
    hesca_machine machine; /* from a file, else without hosts */
    fields_files out;
    /* the configuration: */
    int procs, k, dests;    /* k, dests: 0 if there are none */
    int nruns, nscores;     /* done */
    double bound, messages; /* sums over runs */
    sim_score score[SIM_NAMES];
    /* the trace to draw, of the first configuration: */
    hesca_trace trace;
    int trace_procs;
    double trace_bound; /* seconds; 0: that of the busiest process */
} sim_state;

/** \name Patterns
 * All configurations of a pattern.
 * \return 1, or 0 after an error message.
 * \{ */
int sim_exchange(sim_state *s); /* redist, too */
int sim_bcast(sim_state *s);    /* bcast, multicast */
/** \} */

/** \name Functions for all patterns
 * \{ */

/** The machine of a run, drawn from r or read.
 * \param [out] x  Free with hesca_network_clear().
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_ARG. */
int sim_network(const sim_state *s, int nproc, hesca_random *r,
                hesca_network *x);

/** Begin a configuration: R_x(K,P) has a k, a multicast dests, others 0. */
void sim_begin(sim_state *s, int procs, int k, int dests);

/** Add a schedule to the results; SIM_NAMES at most. */
sim_score *sim_enter(sim_state *s, const char *name);

/** Add a result. */
void sim_count(sim_score *score, double finish, double bound,
               const sim_result *result);

/** Whether true times differ from planned ones. */
int sim_is_real(const sim_options *o);

/** Whether the messages of this run are to be traced. */
int sim_is_shown(const sim_state *s, int run);

/** Open the files of results; close them with fields_close().
 * \return 1, or 0 after an error message. */
int sim_open(sim_state *s);

/** Print the results, and write the rows of files. */
void sim_print(sim_state *s);

/** Seconds since some moment. */
double sim_now(void);
/** \} */

#endif

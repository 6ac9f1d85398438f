/* SPDX-License-Identifier: BSD-3-Clause */
/** \file sched/sched.h
 * Schedules: the order of the messages of a redistribution.
 *
 * A schedule is data.  Solvers are pure functions of the problem and a process
 * number, without MPI and without state, so all processes get the same result.
 * exec/ executes schedules.  To add a schedule, add a file with a solver, and
 * a line in solvtab.c. */
#ifndef HESCA_SCHED_SCHED_H
#define HESCA_SCHED_SCHED_H

#include "hesca/experimental/param.h"
#include "machine/network.h"
#include "sched/store_forward.h"

/** One end of a message. */
typedef struct {
    int rank;       /* -1: none */
    int prow, pcol; /* coordinates in its grid */
    int64_t count;  /* elements of the common rectangle; a trapezoid may have
                       fewer */
} hesca_peer;

/** The partners of one process in one step: dest in the grid of B, src in that
 * of A.  In a schedule of HESCA_ORDER_QUEUED they belong to independent lists.
 */
typedef struct {
    hesca_peer dest, src;
} hesca_step;

/** The dependences between steps. */
typedef enum {
    HESCA_ORDER_STEPWISE,   /**< a step begins after the previous one */
    HESCA_ORDER_FREE,       /**< as fast as staging memory allows */
    HESCA_ORDER_QUEUED,     /**< ordered send-receive: one send and one receive
                               at a time, each beginning when the previous one
                               in its direction has ended */
    HESCA_ORDER_COLLECTIVE, /**< one collective exchange of all data */
    HESCA_ORDER_STORE_FORWARD, /**< packets are combined and forwarded */
    HESCA_ORDER_MULTIPHASE     /**< consecutive redistributions */
} hesca_order;

typedef struct hesca_schedule hesca_schedule;

/** One redistribution of a multiphase schedule, and its schedule. */
typedef struct hesca_phase hesca_phase;

struct hesca_schedule {
    char name[HESCA_NAME_MAX]; /* as in HESCA_SCHEDULE, with its degree */
    hesca_order order;
    int nsteps;       /* global: steps in which some process takes part */
    hesca_step *step; /* [nsteps]; HESCA_ORDER_STORE_FORWARD: only
                         ranks are set; HESCA_ORDER_MULTIPHASE: NULL */
    hesca_store_forward
        *store_forward; /* HESCA_ORDER_STORE_FORWARD; else NULL */
    int nphases;        /* HESCA_ORDER_MULTIPHASE; else 0 */
    hesca_phase *phase; /* [nphases] */
};

struct hesca_phase {
    hesca_problem problem;
    hesca_schedule schedule;
};

/** The work of the process that has most: bytes that stay on it, which cost
 * the same in all schedules and are omitted from their predictions, bytes that
 * leave it, and the number of processes to which it sends or from which it
 * receives. */
typedef struct {
    double local, leaving, partners;
} hesca_workload;
hesca_workload hesca_workload_most(const hesca_problem *problem);

/** An algorithm that orders a redistribution.  Its functions receive the
 * solver itself, so that variants can share them. */
typedef struct hesca_solver hesca_solver;
struct hesca_solver {
    const char *name; /* as accepted by HESCA_SCHEDULE */
    int has_degrees;  /* the name is followed by ":" and a degree */
    int choosable;    /* largest number of processes for which auto may choose
                         it; 0: a baseline, never chosen */
    int unequal;      /* auto chooses it only if links differ */
    int variant;      /* distinguishes solvers that share functions */
    /* Highest degree for the problem, 0 if the solver has no degrees; -1 if it
     * is not applicable. */
    int (*degree)(const hesca_solver *, const hesca_problem *);
    /* Predicted seconds, -1 if there is no memory; the degree is in range. */
    double (*predict)(const hesca_solver *, const hesca_problem *,
                      const hesca_workload *, int degree,
                      const hesca_link_costs *);
    /* The schedule of process iproc; HESCA_SUCCESS or HESCA_ERR_NOMEM. */
    int (*fill)(const hesca_solver *, const hesca_problem *, int degree,
                const hesca_link_costs *, int iproc, hesca_schedule *);
};

extern const hesca_solver hesca_solver_local;
extern const hesca_solver hesca_solver_direct;
extern const hesca_solver hesca_solver_async;
extern const hesca_solver hesca_solver_indirect;
extern const hesca_solver hesca_solver_hybrid;
extern const hesca_solver hesca_solver_bruck;
extern const hesca_solver hesca_solver_lcm;
extern const hesca_solver hesca_solver_gcd;
extern const hesca_solver hesca_solver_multiphase;
extern const hesca_solver hesca_solver_two_phase;
extern const hesca_solver hesca_solver_openshop;
extern const hesca_solver hesca_solver_openshop_lpt;
extern const hesca_solver hesca_solver_best_of;
extern const hesca_solver hesca_solver_maxmatch;
extern const hesca_solver hesca_solver_minmatch;
extern const hesca_solver hesca_solver_greedy;
extern const hesca_solver hesca_solver_caterpillar;
extern const hesca_solver hesca_solver_alltoall;

/** The catalogue; the last entry is NULL. */
extern const hesca_solver *const hesca_solvtab[];

/** A solver with its degree. */
typedef struct {
    const hesca_solver *solver;
    int degree;
    const hesca_link_costs *links; /* for which it was chosen; they must
                                      outlive the choice */
    double seconds;                /* predicted */
    int failed; /* there was no memory for some prediction, so other processes
                   may have made another choice */
} hesca_choice;

/** Choose the schedule with the given name.  "auto" chooses the one with the
 * least predicted time, of several the first in the catalogue.
 * \return 1, or 0 if the name is not applicable to the problem. */
int hesca_choose(const char *name, const hesca_problem *problem,
                 const hesca_link_costs *links, hesca_choice *choice);

/** Write a message that a name is not applicable, with the names that are. */
void hesca_choose_explain(const char *name, const hesca_problem *problem,
                          char *text, size_t size);

/** The name of a choice, with its degree. */
void hesca_choice_name(const hesca_choice *choice, char name[HESCA_NAME_MAX]);

/** The schedule of process iproc.
 * \return HESCA_SUCCESS (clear the schedule) or HESCA_ERR_NOMEM. */
int hesca_schedule_init(const hesca_choice *choice,
                        const hesca_problem *problem, int iproc,
                        hesca_schedule *schedule);
void hesca_schedule_clear(hesca_schedule *schedule);

/** \name Common parts of solvers
 * \{ */

/** The steps of direct schedules, for the solvers that order them. */
int hesca_steps_fill(const hesca_problem *problem, int iproc,
                     hesca_schedule *schedule);
/** The number of these steps, without computing their order. */
int64_t hesca_steps_count(const hesca_problem *problem);
/** degree() of a solver without degrees that is always applicable. */
int hesca_serves_all(const hesca_solver *self, const hesca_problem *problem);
/** Bytes of the longest message, including messages of a process to itself. */
double hesca_longest_bytes(const hesca_problem *problem);
/** \} */

#endif

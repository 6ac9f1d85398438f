/** \file sched/sched.h
 * Schedules: in which order the messages of a redistribution go.
 *
 * A schedule is data.  Solvers are pure functions of the problem and a process
 * number: no MPI, no state, the same answer everywhere.  exec/ carries it
 * out.  A new schedule is one file with one solver, and one line in
 * solvtab.c. */
#ifndef HESCA_SCHED_SCHED_H
#define HESCA_SCHED_SCHED_H

#include "hesca/experimental/param.h"
#include "machine/network.h"
#include "sched/store_forward.h"

/** One end of a message: a rank, where it sits in its grid, and how many
 * elements of the rectangle it shares (the trapezoid may have fewer). */
typedef struct {
    int rank; /* -1: nobody */
    int prow, pcol;
    int64_t count;
} hesca_peer;

/** Whom one process meets in one step: dest in B's grid, src in A's.  Of a
 * queued schedule they belong to lists of their own. */
typedef struct {
    hesca_peer dest, src;
} hesca_step;

/** How steps follow each other. */
typedef enum {
    HESCA_ORDER_STEPWISE,   /**< a step begins when the one before has ended */
    HESCA_ORDER_FREE,       /**< as fast as staging memory allows */
    HESCA_ORDER_QUEUED,     /**< one message out and one in at a time: the next
                               one when that before has ended, either way */
    HESCA_ORDER_COLLECTIVE, /**< one collective exchange of everything */
    HESCA_ORDER_STORE_FORWARD, /**< packets are combined and forwarded */
    HESCA_ORDER_MULTIPHASE     /**< one redistribution after the other */
} hesca_order;

typedef struct hesca_schedule hesca_schedule;

/** A redistribution that is a part of the way, and its schedule. */
typedef struct hesca_phase hesca_phase;

struct hesca_schedule {
    char name[HESCA_NAME_MAX]; /* as in HESCA_SCHEDULE, with its degree */
    hesca_order order;
    int nsteps;       /* global: steps that some process has to do */
    hesca_step *step; /* [nsteps]; of a relay, only ranks; of phases, NULL */
    hesca_store_forward *relay; /* of a relay */
    int nphases;                /* of phases: */
    hesca_phase *phase;         /* [nphases] */
};

struct hesca_phase {
    hesca_problem problem;
    hesca_schedule schedule;
};

/** What a process has to do, the one that has most: bytes that it keeps, which
 * cost all schedules alike and are left out of predictions, bytes that leave
 * it, and the processes that it sends to or receives from. */
typedef struct {
    double kept, leaving, partners;
} hesca_workload;
hesca_workload hesca_workload_most(const hesca_problem *problem);

/** One way to order a redistribution.  Its functions get the solver itself, so
 * that relatives can share them. */
typedef struct hesca_solver hesca_solver;
struct hesca_solver {
    const char *name; /* as accepted by HESCA_SCHEDULE */
    int has_degrees;  /* the name is followed by ":" and a degree */
    int choosable;    /* auto may take it for so many processes at most;
                         0: it is a baseline */
    int unequal;      /* and only where links differ */
    int variant;      /* which of its relatives it is */
    /* Highest degree with which it can serve the problem, 0 if it knows no
     * degrees; -1 if it cannot serve it. */
    int (*degree)(const hesca_solver *, const hesca_problem *);
    /* Predicted seconds, -1 without memory; the degree is in range. */
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
extern const hesca_solver hesca_solver_polished;
extern const hesca_solver hesca_solver_maxmatch;
extern const hesca_solver hesca_solver_minmatch;
extern const hesca_solver hesca_solver_greedy;
extern const hesca_solver hesca_solver_caterpillar;
extern const hesca_solver hesca_solver_alltoall;

/** The whole catalogue, ended by NULL. */
extern const hesca_solver *const hesca_solvtab[];

/** A solver with its degree. */
typedef struct {
    const hesca_solver *solver;
    int degree;
    const hesca_link_costs *links; /* what it was chosen for; it must outlive
                                     the choice */
    double seconds;                /* predicted */
    int failed; /* there was no memory for some prediction, so that other
                   processes may have chosen otherwise */
} hesca_choice;

/** The schedule of that name, "auto" being the one predicted to be fastest,
 * the first in the catalogue of equals.
 * \return 1, or 0 if it cannot serve the problem. */
int hesca_choose(const char *name, const hesca_problem *problem,
                 const hesca_link_costs *links, hesca_choice *choice);

/** Why a name cannot serve a problem, and the names that can. */
void hesca_choose_explain(const char *name, const hesca_problem *problem,
                          char *text, size_t size);

/** Its name with the degree. */
void hesca_choice_name(const hesca_choice *choice, char name[HESCA_NAME_MAX]);

/** The schedule of process iproc.
 * \return HESCA_SUCCESS (clear the schedule) or HESCA_ERR_NOMEM. */
int hesca_schedule_init(const hesca_choice *choice,
                        const hesca_problem *problem, int iproc,
                        hesca_schedule *schedule);
void hesca_schedule_clear(hesca_schedule *schedule);

/** \name What solvers share
 * \{ */

/** The steps of direct schedules, for the solvers that order them. */
int hesca_steps_fill(const hesca_problem *problem, int iproc,
                     hesca_schedule *schedule);
/** How many steps those are, in a time that does not depend on the order. */
int64_t hesca_steps_count(const hesca_problem *problem);
/** degree() of a solver that serves everything. */
int hesca_serves_all(const hesca_solver *self, const hesca_problem *problem);
/** Bytes of the longest message, one to the process itself included. */
double hesca_longest_bytes(const hesca_problem *problem);
/** \} */

#endif

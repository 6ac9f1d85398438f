/** \file sched/sched.h
 * Schedules: in which order the messages of a redistribution go.
 *
 * A schedule is data.  Solvers are pure functions of the problem and a process
 * number: no MPI, no state, the same answer everywhere.  exec/ carries it
 * out.  A new schedule is one file with one solver, and one line in
 * solvtab.c. */
#ifndef HESCA_SCHED_SCHED_H
#define HESCA_SCHED_SCHED_H

#include "overlap/problem.h"

/** One end of a message: a rank, where it sits in its grid, and how many
 * elements of the rectangle it shares (the trapezoid may have fewer). */
typedef struct {
    int rank; /* -1: nobody */
    int prow, pcol;
    int64_t count;
} hesca_peer;

/** Whom one process meets in one step: dest in B's grid, src in A's. */
typedef struct {
    hesca_peer dest, src;
} hesca_step;

/** How steps follow each other. */
typedef enum {
    HESCA_ORDER_STEPWISE,  /**< a step begins when the one before has ended */
    HESCA_ORDER_FREE,      /**< as fast as staging memory allows */
    HESCA_ORDER_COLLECTIVE /**< one collective exchange of everything */
} hesca_order;

typedef struct {
    const char *name;
    hesca_order order;
    int nsteps;       /* global: steps that some process has to do */
    hesca_step *step; /* [nsteps] */
} hesca_schedule;

/** One way to order a redistribution. */
typedef struct {
    const char *name; /* as accepted by HESCA_SCHEDULE */
    /* 1 if fill() can serve the problem. */
    int (*applicable)(const hesca_problem *);
    /* The schedule of process iproc; HESCA_SUCCESS or HESCA_ERR_NOMEM. */
    int (*fill)(const hesca_problem *, int iproc, hesca_schedule *);
} hesca_solver;

extern const hesca_solver hesca_solver_local;
extern const hesca_solver hesca_solver_direct;
extern const hesca_solver hesca_solver_async;
extern const hesca_solver hesca_solver_alltoall;

/** The whole catalogue, ended by NULL; auto takes the first applicable. */
extern const hesca_solver *const hesca_solvtab[];

/** The solver that serves a problem: the named one, or for "auto" the first
 * that is applicable; NULL if there is none. */
const hesca_solver *hesca_solver_find(const char *name,
                                      const hesca_problem *problem);

/** The steps of direct schedules, for the solvers that order them.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_steps_fill(const hesca_problem *problem, int iproc,
                     hesca_schedule *schedule);

void hesca_schedule_clear(hesca_schedule *schedule);

#endif

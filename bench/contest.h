/** \file contest.h
 * What time_lim compares: HESCA's schedules, and others that redistribute the
 * same array. */
#ifndef HESCA_BENCH_CONTEST_H
#define HESCA_BENCH_CONTEST_H

#include "bundles.h"
#include "hesca/redist.h"
#include "hesca/scalapack.h"
#include "lim_case.h"

enum { CONTEST_PLANS = 5 }; /* times that each is planned */

typedef struct contestant contestant;

/** What one of them does.  The functions are called by the processes that take
 * part, all of them, and return 1, or 0 with a text for people. */
typedef struct {
    const char *name, *help;
    int delivers; /* B must be right afterwards */
    int (*open)(contestant *c, const lim_case *x);
    int (*call)(contestant *c, const lim_case *x);
    void (*close)(contestant *c);
} method;

struct contestant {
    const char *name; /* as on the command line */
    const method *how;
    MPI_Comm comm; /* HESCA's, with the parameters of that schedule */
    double planning[CONTEST_PLANS]; /* s, of this process */
    hesca_plan *plan;
    hesca_plan_info info;
    bundles packets;
    hesca_function real;
    hesca_int ctxt[2]; /* P x 1 grid, 1 x P grid */
    hesca_int desca[9], descb[9];
    char why[240]; /* of a 0 */
};

/** 1 if there is one of that name. */
int contest_knows(const char *name);

/** Describe those that are no schedules of HESCA's. */
void contest_print(void);

/** Let one enter; team has the processes that take part, elsewhere it is
 * MPI_COMM_NULL.  Collective over MPI_COMM_WORLD.
 * \return 1, or 0 with a text in c->why. */
int contest_enter(contestant *c, const char *name, MPI_Comm team, int nprocs);
void contest_leave(contestant *c);

#endif

/** \file tools/lib/redist_problem.h
 * The redistribution that hesca plan is about. */
#ifndef HESCA_TOOLS_LIB_REDIST_PROBLEM_H
#define HESCA_TOOLS_LIB_REDIST_PROBLEM_H

#include "sched/sched.h"
#include "tools/lib/redist_request.h"

typedef struct {
    const request *asked;
    hesca_problem problem;
    const char *machine; /* the file that the costs are from, or NULL */
    hesca_link_costs links;
    hesca_network network; /* that it refers to, if the file names hosts */
    int nprocs;
    int *rank; /* [nprocs] of both grids, ascending */
} subject;

/** The redistribution alone, of which m, n, a, b, esize, ia, ja, ib, jb and
 * part are looked at.
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int subject_problem(hesca_problem *p, const request *asked);

/** \param [in] machine  The machine file if none is asked for; "": there is
 *                       none.
 * \return HESCA_SUCCESS (clear the result), HESCA_ERR_PARAM or
 * HESCA_ERR_NOMEM. */
int subject_make(subject *s, const request *asked, const char *machine);
void subject_clear(subject *s);

/** Where a rank is in the list; -1: it is in neither grid. */
int subject_find(const subject *s, int64_t rank);

/** The problem in a few words. */
enum { SUBJECT_TEXT = 400 };
void subject_describe(const subject *s, char text[SUBJECT_TEXT]);

#endif

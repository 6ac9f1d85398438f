/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/redist_problem.h
 * The redistribution that hesca plan analyzes. */
#ifndef HESCA_TOOLS_LIB_REDIST_PROBLEM_H
#define HESCA_TOOLS_LIB_REDIST_PROBLEM_H

#include "sched/sched.h"
#include "tools/lib/redist_request.h"

typedef struct {
    const request *asked;
    hesca_problem problem;
    const char *machine; /* the file with the costs, or NULL */
    hesca_link_costs links;
    hesca_network network; /* referred to by links, if the file names hosts */
    int nprocs;
    int *rank; /* [nprocs] of both grids, ascending */
} redist_problem;

/** The redistribution alone, from m, n, a, b, esize, ia, ja, ib, jb and part.
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int redist_problem_problem(hesca_problem *p, const request *asked);

/** \param [in] machine  The machine file if none is given; "": none.
 * \return HESCA_SUCCESS (clear the result), HESCA_ERR_PARAM or
 *         HESCA_ERR_NOMEM. */
int redist_problem_make(redist_problem *s, const request *asked,
                        const char *machine);
void redist_problem_clear(redist_problem *s);

/** Where a rank is in the list; -1: it is in neither grid. */
int redist_problem_find(const redist_problem *s, int64_t rank);

/** A short description of the problem. */
enum { REDIST_PROBLEM_TEXT = 400 };
void redist_problem_describe(const redist_problem *s,
                             char text[REDIST_PROBLEM_TEXT]);

#endif

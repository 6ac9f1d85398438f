/* SPDX-License-Identifier: BSD-3-Clause */
/** \file survey/facts.h
 * What is known of hosts without measuring. */
#ifndef HESCA_SURVEY_FACTS_H
#define HESCA_SURVEY_FACTS_H

#include "survey/survey.h"
#include <stdint.h>

struct hesca_facts {
    uint64_t processor; /* kind, and the kernels that BLAS has for it */
    double quota;       /* of a core; 0: none */
    double cores;       /* by hesca_facts_gather() */
};

/** Find the facts of the first process of each host, and the cores of the
 * host.
 *
 * Collective over c->mpi.
 * \param [out] of  [x->n] (global)
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM or HESCA_ERR_MPI. */
int hesca_facts_gather(const hesca_comm *c, const hesca_survey *x,
                       hesca_facts *of);

/** What a machine file in the cache depends on.  Speeds are those of a process
 * that has a core, and links are measured between hosts: numbers of processes,
 * and of the cores that they may use, change neither.  Local. */
uint64_t hesca_facts_key(const hesca_survey *x, const hesca_facts *of);

#endif

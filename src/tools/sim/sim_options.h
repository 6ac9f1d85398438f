/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/sim/sim_options.h
 * The options of hesca sim. */
#ifndef HESCA_TOOLS_SIM_SIM_OPTIONS_H
#define HESCA_TOOLS_SIM_SIM_OPTIONS_H

#include "hesca/experimental/param.h"
#include "sim/generate.h"
#include "tools/lib/redist_request.h"

/** The simulated operation; also a bit, 1 << pattern. */
typedef enum {
    SIM_REDIST,
    SIM_EXCHANGE,
    SIM_BCAST,
    SIM_MULTICAST,
    SIM_PATTERNS
} sim_pattern;

extern const char *const sim_pattern_name[SIM_PATTERNS];

enum { SIM_LIST = 512, SIM_NAMES = 32, SIM_PROCS = 1 << 13 };

typedef struct {
    sim_pattern pattern;
    const char *machine; /* file; NULL: random ones of this kind */
    hesca_machine_kind kind;
    int nprocs;
    int64_t procs[SIM_LIST]; /* [nprocs] */
    int seed, runs;
    int nnames; /* 0: all schedules */
    char name[SIM_NAMES][HESCA_NAME_MAX];
    /* redist */
    int nk;
    int64_t k[SIM_LIST]; /* [nk] */
    int x;               /* R_x(K,P) */
    int64_t elements;
    request general; /* m > 0: instead of R_x(K,P) */
    /* exchange; large is also the size of a broadcast message */
    hesca_sizes sizes;
    hesca_drift drift;      /* redist, too */
    int is_refined;         /* also plans made with the true times */
    int is_resched, policy; /* hesca_check_policy */
    double threshold;
    /* bcast, multicast */
    int root, copies, is_nonblocking, relays, problems, failures;
    int ndests;
    int64_t dests[SIM_LIST]; /* [ndests] how many, multicast */
    /* results */
    const char *csv, *json, *events, *svg, *html; /* NULL: none */
    int shown;                                    /* run that is drawn */
} sim_options;

/** Read the options of a pattern, argv[0] being its name.
 * \return CMDLINE_GO, CMDLINE_HELP or CMDLINE_BAD, as cmdline_read(). */
int sim_options_read(sim_options *o, sim_pattern pattern, int argc,
                     char **argv);

#endif

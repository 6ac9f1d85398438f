/* SPDX-License-Identifier: BSD-3-Clause */
/** \file shim/page/page.h
 * The page that HESCA_REPORT asks for: figures of a run -> text of HTML.  A
 * pure function of the figures, without MPI, so that any run can be made up.
 *
 * The page is one file without references to others, readable without scripts,
 * and well-formed as XML, too.  What is not known is left out, or the page
 * says that it is absent. */
#ifndef HESCA_SHIM_PAGE_PAGE_H
#define HESCA_SHIM_PAGE_PAGE_H

#include "hesca/status.h"

/** Lengths of texts, with the final 0. */
enum {
    HESCA_PAGE_NAME = 16,  /**< of a routine */
    HESCA_PAGE_HOST = 64,  /**< of a host */
    HESCA_PAGE_WHY = 240,  /**< why a call is left */
    HESCA_PAGE_VALUE = 256 /**< of a setting */
};

/** Ways of a call. */
typedef enum {
    HESCA_PAGE_ORIGINAL, /**< ScaLAPACK's routine as called */
    HESCA_PAGE_HESCA,    /**< HESCA */
    HESCA_PAGE_GRID,     /**< ScaLAPACK's routine on another grid */
    HESCA_PAGE_WAYS
} hesca_page_way;

/** A routine of one type.  Counts are double, as sums of them are. */
typedef struct {
    char name[HESCA_PAGE_NAME];
    double calls[HESCA_PAGE_WAYS];
    double seconds[HESCA_PAGE_WAYS]; /**< of the first process of each call */
    double cached;                   /**< calls with a plan made earlier */
    /* Of calls that went another way and were predicted. */
    double measured, predicted; /**< seconds */
    double original;            /**< seconds predicted for ScaLAPACK's own */
    /* Of calls that went another way, and with equal arguments once more as
     * called. */
    double both;          /**< calls; 0: none */
    double both_other;    /**< their seconds, measured */
    double both_original; /**< what ScaLAPACK's own took, measured */
    /* Of redistributions. */
    double copied, moved; /**< bytes, and those that changed their process */
    /* Of calls with blocks of fewer than HESCA_PAGE_SMALL_BLOCK rows. */
    double small_calls, small_seconds;
    /* The largest gain predicted of another grid, for calls left. */
    double grid_original, grid_other; /**< seconds of such a call */
    int nprow, npcol;                 /**< 0: none */
} hesca_page_routine;

enum { HESCA_PAGE_SMALL_BLOCK = 16 };

/** Why calls are left. */
typedef struct {
    char name[HESCA_PAGE_NAME];
    char why[HESCA_PAGE_WHY];
    double calls;
} hesca_page_reason;

/** What a process does in intercepted calls. */
typedef enum {
    HESCA_PAGE_COMPUTING, /**< in calls by HESCA */
    HESCA_PAGE_COPYING,
    HESCA_PAGE_WAITING,
    HESCA_PAGE_SCALAPACK,         /**< in ScaLAPACK's routines */
    HESCA_PAGE_SCALAPACK_WAITING, /**< there in MPI's blocking calls */
    HESCA_PAGE_ACTIVITIES
} hesca_page_activity;

typedef struct {
    int is_present; /**< 0: its figures have not arrived */
    int host;       /**< number; -1: not known */
    double seconds[HESCA_PAGE_ACTIVITIES];
    double total;    /**< seconds since the beginning */
    double elements; /**< of results, that it has computed */
} hesca_page_process;

typedef struct {
    char name[HESCA_PAGE_HOST];
    double speed, cores, memory; /**< of the machine file; 0: not known */
} hesca_page_host;

/** A variable that is set, or a version. */
typedef struct {
    char name[32];
    char value[HESCA_PAGE_VALUE];
} hesca_page_setting;

typedef struct {
    const char *program; /**< NULL: not known */
    const char *date;
    const char *version; /**< of HESCA */
    double seconds;      /**< since the beginning */
    double load;         /**< processes per core, at most; 0: not known */
    int waits_known;     /**< 1: waits in ScaLAPACK's routines are measured */
    int machine_known;   /**< 1: there is a machine file in use */
    int is_last;         /**< 0: others may still arrive */
    int nroutines;
    const hesca_page_routine *routine; /**< [nroutines] */
    int nreasons;
    const hesca_page_reason *reason; /**< [nreasons] */
    double grids_placed, grids_left; /**< process grids */
    double grids_seconds,
        grids_unplaced; /**< predicted for HESCA_JOB; 0: not */
    int nprocs;
    const hesca_page_process *process; /**< [nprocs] */
    int nhosts;
    const hesca_page_host *host; /**< [nhosts] */
    const double *sent; /**< [nhosts * nhosts] bytes of HESCA's messages from,
                             to; NULL: not known */
    const double *rate; /**< [nhosts * nhosts] bytes per second, by the machine
                             file; NULL: not known */
    const double *startup; /**< [nhosts * nhosts] seconds */
    int nsamples;
    int nspeeds;             /**< processes with speeds, the first ones */
    const double *sample_at; /**< [nsamples] ascending seconds */
    const double *sample;    /**< [nsamples * nspeeds] 0: not known */
    int nsettings;
    const hesca_page_setting *setting; /**< [nsettings] */
} hesca_page;

/** Make the text.
 *
 * Local, pure; numbers have points whatever the locale.
 * \param [out] text  To be freed with free(); NULL on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_page_make(const hesca_page *page, char **text);

#endif

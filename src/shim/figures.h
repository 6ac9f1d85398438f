/* SPDX-License-Identifier: BSD-3-Clause */
/** \file shim/figures.h
 * Figures of a run, for the page of HESCA_REPORT (page/page.h).
 *
 *   figures.c         what each process records while calls run
 *   figures_gather.c  to process 0 at the end
 *   figures_page.c    from records to the page, and to its file
 *
 * A call sends no message for it.  In MPI_Finalize each process sends one
 * message to process 0 of MPI_COMM_WORLD, on a duplicate that was made in
 * MPI_Init.  Files beside the report would need a common file system, and a
 * collective call would need all processes: of messages those that come are
 * taken.  MPI_Finalize waits for all processes anyway, so that waiting for
 * records costs nothing; should a process never come, a limit ends it, and the
 * page says which figures are missing. */
#ifndef HESCA_SHIM_FIGURES_H
#define HESCA_SHIM_FIGURES_H

#include "hesca/experimental/param.h"
#include "shim/page/page.h"
#include <stdatomic.h>
#include <stdint.h>

extern _Atomic int hesca_figures_is_on;

/** Whether figures are wanted: a test that each call makes. */
#define HESCA_FIGURES                                                         \
    __builtin_expect(                                                         \
        atomic_load_explicit(&hesca_figures_is_on, memory_order_relaxed), 0)

/** Begin, if params asks for a report and its file can be written.
 *
 * Collective over MPI_COMM_WORLD if is_agreed, else local.
 * \param [in] params     Of process 0 if is_agreed, else this process's own.
 * \param [in] load       Processes per core; 0: not known.
 * \param [in] is_agreed  1: all processes call; 0: the page will have the
 *                        figures of process 0 only. */
void hesca_figures_begin(const hesca_params *params, double load,
                         int is_agreed);

/** Gather the figures and write the page, once; in MPI_Finalize, before
 * processes stop to answer messages. */
void hesca_figures_end(void);

/** \name Where the time of a thread goes
 * They do nothing unless HESCA_FIGURES.
 * \{ */

/** Around an intercepted call.
 * \return What to pass to hesca_figures_leave(). */
int hesca_figures_enter(void);
void hesca_figures_leave(int entered);

/** Around a call of an original routine.
 * \return What to pass to hesca_figures_original_leave(). */
int hesca_figures_original_enter(void);
void hesca_figures_original_leave(int entered);

/** Seconds of this thread's last original routine; 0: none since the last
 * call of this function. */
double hesca_figures_original_seconds(void);

/** Around a blocking call of MPI. */
int hesca_figures_wait_enter(void);
void hesca_figures_wait_leave(int entered);
/** \} */

/** This process has computed so many elements of a result. */
void hesca_figures_elements(double n);

/** A call is left to the original routine. */
void hesca_figures_left(const char *name, const char *why);

/** A call of known duration, as called or another way: calls with equal keys
 * that ran both ways show what that gained.  Of more than
 * HESCA_FIGURES_KEYS keys the later ones are not kept.
 * \param [in] routine  A number for the routine, >= 0. */
void hesca_figures_ran(int routine, uint64_t key, int as_called,
                       double seconds);
enum { HESCA_FIGURES_KEYS = 512 };

/** Add what is known of a routine's calls both ways. */
void hesca_figures_add_both(int routine, hesca_page_routine *r);

/** \name The records
 * \{ */
enum { HESCA_FIGURES_REASONS = 64, HESCA_FIGURES_PEERS = 2048 };

/** What a process sends; arrays follow: routines, reasons, peers. */
typedef struct {
    int rank, nroutines, nreasons, npeers;
    char host[HESCA_PAGE_HOST];
    hesca_page_process process; /* host is not set */
    double grids[4];            /* placed, left, seconds, seconds unplaced */
} hesca_figures_record;

/** A process that this one has sent to. */
typedef struct {
    int rank;
    double bytes;
} hesca_figures_peer;

/** A reason as it is counted. */
typedef struct {
    hesca_page_reason reason;
    uint64_t cause;
} hesca_figures_reason;

/** This process's activities and reasons so far. */
void hesca_figures_get(hesca_page_process *process,
                       hesca_figures_reason reason[HESCA_FIGURES_REASONS],
                       int *nreasons);

/** This process's record.
 * \param [out] bytes  Its length.
 * \return NULL without memory, else to be freed with free(). */
hesca_figures_record *hesca_figures_pack(size_t *bytes, int node_size);

const hesca_page_routine *
hesca_figures_routines(const hesca_figures_record *record);
const hesca_page_reason *
hesca_figures_reasons(const hesca_figures_record *record);
const hesca_figures_peer *
hesca_figures_peers(const hesca_figures_record *record);

/** Write the page.
 * \param [in] record   [nprocs] NULL: it has not arrived.
 * \param [in] is_last  0: further records may arrive. */
void hesca_figures_write(const hesca_params *params, const char *path,
                         double load, int nprocs,
                         const hesca_figures_record *const *record,
                         int is_last);
/** \} */

/** \name What others count
 * Rows of routines that this process was rank 0 of a call of.
 * \return How many, at most `most`.
 * \{ */
int hesca_report_figures(hesca_page_routine *routine, int most);
int hesca_pblas_report_figures(hesca_page_routine *routine, int most);
void hesca_grid_report_figures(double grids[4]);
/** \} */

#endif

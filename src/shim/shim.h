/* SPDX-License-Identifier: BSD-3-Clause */
/** \file shim/shim.h
 * One intercepted call, from the entry points to the engine or the original
 * routine.  Only public headers of libhesca are used here. */
#ifndef HESCA_SHIM_SHIM_H
#define HESCA_SHIM_SHIM_H

#include "hesca/experimental/param.h"
#include "hesca/redist.h"
#include "hesca/scalapack.h"
#include <mpi.h>

/** The routines, for each of five types. */
typedef enum { GEMR2D, GEMR2DO, TRMR2D, TRMR2DO, NKINDS } hesca_kind;
typedef enum { TYPE_I, TYPE_S, TYPE_D, TYPE_C, TYPE_Z, NTYPES } hesca_element;

/** A call with ScaLAPACK's arguments; rows and columns count from 1.  Scalars
 * are values of the program's INTEGER (integer_width.h), arrays are its own.
 */
typedef struct {
    hesca_kind kind;
    hesca_element type;
    const char *uplo, *diag; /* TRMR2D* only */
    int64_t m, n;
    const void *a;
    int64_t ia, ja;
    const hesca_int *desca;
    void *b;
    int64_t ib, jb;
    const hesca_int *descb;
    int64_t ictxt; /* not in the variants that end in O */
} hesca_call;

/** While > 0 an original routine runs, and its own calls go straight through.
 */
extern _Thread_local int hesca_inside_original;

/** Serve a call: translate, check, decide, report. */
void hesca_serve(const hesca_call *call);

/** The same call to the original routine.
 * \return 0 if there is none. */
int hesca_call_original(const hesca_call *call);

/** The C name without its "Cp", for example "dgemr2d". */
const char *hesca_call_name(const hesca_call *call);

/** Rows or columns that iproc owns of n: ScaLAPACK TOOLS/numroc.f. */
int64_t hesca_numroc(int64_t n, int64_t nb, int iproc, int isrcproc,
                     int nprocs);

/** Bytes of a line that is put together. */
enum { HESCA_REPORT_LINE = 4096 };

/** Print "hesca: " and such a line (hesca_log_line()). */
void hesca_report_line(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/** The same for a call that is left to the original routine: lines that differ
 * in numbers only are printed once, and counted for the summary, unless
 * verbose is 2.  With HESCA_VERBOSE=summary none is printed; `asked` = 0: it
 * is printed all the same. */
void hesca_report_left(const hesca_params *params, int asked,
                       const char *line);

/** Append to such a text, as far as it fits. */
void hesca_report_append(char *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Show that HESCA is active, if nothing has yet, and a summary at the end. By
 * rank 0 of comm. */
void hesca_report_begin(const hesca_params *params, MPI_Comm comm);

/** Of what is counted and said once, for threads.  MPI is not called in
 * between. */
void hesca_report_lock(void);
void hesca_report_unlock(void);

/** Print that HESCA has served a call, or has left it to the original routine
 * and why: one line, by rank 0 of comm, and the first and last lines around
 * it.
 * \param [in] asked  1: HESCA_VERBOSE asks for it; 0: it is printed anyway. */
void hesca_report_call(const hesca_call *call, const hesca_params *params,
                       MPI_Comm comm, const hesca_plan_info *info,
                       double seconds);
void hesca_report_original(const hesca_call *call, const hesca_params *params,
                           MPI_Comm comm, const char *why, int asked);
/** How long the original routine took for such a call. */
void hesca_report_original_took(const hesca_call *call, MPI_Comm comm,
                                double seconds);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/probe/probe_kernel.h
 * hesca probe --kernel: speed functions of kernels, by wall time.  The kernels
 * (probe_blas.c), their timing (probe_kernel.c), and the results
 * (probe_curve.c). */
#ifndef HESCA_TOOLS_PROBE_PROBE_KERNEL_H
#define HESCA_TOOLS_PROBE_PROBE_KERNEL_H

#include "hesca/experimental/build.h"
#include "tools/probe/probe.h"

/* ------------------------------------------------ kernels */

/** A kernel.  Size x is the elements of one matrix: of order sqrt(x), rounded,
 * or x numbers that are copied. */
typedef struct {
    const char *name;
    const char *unit;   /* of speed */
    int arrays;         /* of x elements each, that it needs */
    double factor;      /* operations: factor * order^3, or factor * x */
    int is_square;      /* it works on matrices */
    const char *symbol; /* of BLAS or LAPACK, or NULL */
} probe_kernel;

/** \return NULL if there is none of this name. */
const probe_kernel *probe_kernel_find(const char *name);

/** The operations of a kernel on x elements. */
double probe_kernel_volume(const probe_kernel *k, double x);

/** A kernel, its routine, and arrays to run it on. */
typedef struct {
    const probe_kernel *kernel;
    void *library;
    const char *blas; /* the name of its library; NULL: none is needed */
    void (*routine)(void);
    double size, *array[3];
    int *pivot;
} probe_work;

/** Find the routine: in `library`, or if that is NULL in the program itself,
 * then in the BLAS and LAPACK libraries of the system.
 * \return HESCA_SUCCESS or HESCA_ERR_UNSUPPORTED. */
int probe_work_open(probe_work *w, const probe_kernel *k, const char *library);

/** Allocate and fill arrays for x elements.
 * \return 1, or 0 if there is no memory for them. */
int probe_work_size(probe_work *w, double x);

/** Seconds of one run.  Arrays that it overwrites are filled again before,
 * which is not timed. */
double probe_work_run(probe_work *w);

void probe_work_close(probe_work *w);

/* ------------------------------------------------ measuring */

typedef struct {
    const probe_kernel *kernel; /* NULL: not requested */
    const char *blas;           /* library, or NULL */
    double from, to; /* elements; to = 0: as far as time and memory allow */
    double eps;
    int points; /* at most */
    int even;   /* number of equal steps; 0: bisection */
    int merge;  /* into the model of the file */
} probe_sizes;

/** The speed function of a host. */
typedef struct {
    hesca_build_report report;
    hesca_speed *speed;
    double limit; /* elements that fit into memory */
} probe_curve;

/** Measure a kernel on all hosts at once, one process of each.
 *
 * Collective over MPI_COMM_WORLD; the other processes yield while they wait.
 * \param [out] curve    [hosts->n] (global) Clear with probe_curves_clear(),
 *                       also on error.
 * \param [out] library  Name of the library on rank 0, or NULL.
 * \return HESCA_SUCCESS, HESCA_ERR_*. */
int probe_curves_measure(const hesca_comm *c, double seconds,
                         const probe_sizes *sizes, const hesca_survey *hosts,
                         probe_curve *curve, const char **library);
void probe_curves_clear(int n, probe_curve *curve);

/** Enter curves into a machine; missing hosts are added.
 * \return HESCA_SUCCESS, HESCA_ERR_*. */
int probe_curves_enter(const probe_sizes *sizes, const hesca_survey *hosts,
                       const probe_curve *curve, hesca_machine *machine);

/** Print what was measured, and write the file; on rank 0.
 * \return the exit status. */
int probe_curves_print(const probe_request *q, const probe_sizes *sizes,
                       const char *library, const hesca_survey *hosts,
                       const probe_curve *curve);

#endif

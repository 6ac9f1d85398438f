/* SPDX-License-Identifier: BSD-3-Clause */
/** \file machine/builder.h
 * Common parts of the procedures that build speed functions: checked options,
 * the record of measured points, and the model made from them. */
#ifndef HESCA_MACHINE_BUILDER_H
#define HESCA_MACHINE_BUILDER_H

#include "hesca/experimental/build.h"

typedef struct {
    hesca_build_options o; /* with defaults in place of zeros */
    hesca_build_kernel kernel;
    void *data;
    hesca_build_report r; /* points so far */
    double peak;          /* highest end of a band */
    hesca_knot end;       /* b, or the least size that was too large */
    int walled;           /* 1 if end is the latter */
    int stopped;          /* a limit was reached, or the kernel stopped */
} hesca_builder;

/** Check the arguments of a procedure and initialize the builder.
 * \param [in] routine  Name of the procedure, for messages.
 * \param [in] first    Number of its argument options; kernel, data and model
 *                      follow.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG; clear the builder in any case. */
int hesca_builder_init(hesca_builder *b, const char *routine, int first,
                       const hesca_build_options *options,
                       hesca_build_kernel kernel, void *data,
                       hesca_speed *const *model);

/** Measure a size, unless the limit of points or seconds is reached.  A size
 * that is too large becomes b->end.
 * \param [out] point  The measured point; its speed is 0 if the size is too
 *                     large.
 * \return HESCA_BUILD_*, or a negative hesca_status. */
int hesca_builder_measure(hesca_builder *b, double size, hesca_knot *point);

/** Make the model if err >= 0, and clear the builder.  model may be NULL if
 * err < 0.
 * \return HESCA_SUCCESS, err if it is negative, or the error of the model. */
int hesca_builder_clear(hesca_builder *b, int err, hesca_speed **model,
                        hesca_build_report *report);

#endif

/** \file machine/builder.h
 * What procedures that build speed functions share: options that are checked,
 * points that are measured once and kept, and the model made of them. */
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
    int walled;           /* it is the latter */
    int stopped;
} hesca_builder;

/** Check what was given.  `routine` is for messages; `first` the number of
 * its argument options. */
int hesca_builder_init(hesca_builder *b, const char *routine, int first,
                       const hesca_build_options *options,
                       hesca_build_kernel kernel, void *data,
                       hesca_speed *const *model);

/** Measure a size, unless it is enough.  b->end becomes a size that is too
 * large, and b itself, where it is measured.
 * \param [out] point  Of speed 0 if it is too large.
 * \return HESCA_BUILD_*, or a negative hesca_status. */
int hesca_builder_measure(hesca_builder *b, double size, hesca_knot *point);

/** Make the model, if err says that all is well, and clear the builder.
 * model may be NULL where err says so.
 * \return err, or what was wrong. */
int hesca_builder_clear(hesca_builder *b, int err, hesca_speed **model,
                        hesca_build_report *report);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hmpi/hmpi_params.h
 * Parameters of models as HMPI's functions take them. */
#ifndef HESCA_HMPI_HMPI_PARAMS_H
#define HESCA_HMPI_HMPI_PARAMS_H

#include "hmpi.h"
#include "pmdl/bind.h"

/** Parameters before the extents of the coordinates; all, if those are no
 * parameters. */
int hesca_hmpi_count_inputs(const hesca_model_code *code);

/** Set the first ninputs parameters from a flat array of paramc ints; if these
 * are all, paramc must be right.
 * \param [in,out] args  Initialized. */
int hesca_hmpi_unpack(const char *routine, const void *flat, int paramc,
                      int ninputs, hesca_model_args *args);

#endif

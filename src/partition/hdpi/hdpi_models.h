/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/hdpi/hdpi_models.h
 * The processors of a call of HDPI: p, pn, speeds, psizes and mlimits, checked
 * and converted to models.  Pure. */
#ifndef HESCA_PARTITION_HDPI_HDPI_MODELS_H
#define HESCA_PARTITION_HDPI_HDPI_MODELS_H

#include "hesca/experimental/speed.h"

/** Models of the processors of a call.
 *
 * \param [in]  routine  The function called, for messages.
 * \param [in]  arg      Number of its argument pn, from 1; p is the one
 *                       before, and speeds, psizes, mlimits are those after
 *                       it.
 * \param [in]  p        Processors; for a grid those of all of it.
 * \param [in]  pn, speeds, psizes, mlimits  As in hdpi.h.  Speeds NULL: all
 *                       models have speed 1.
 * \param [out] models   [p] Free with hesca_hdpi_models_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG with a text that names the routine, the
 *         argument, its index and value, or HESCA_ERR_NOMEM. */
int hesca_hdpi_models(const char *routine, int arg, int p, int pn,
                      const double *speeds, const int *psizes,
                      const int *mlimits, const hesca_speed ***models);

void
hesca_hdpi_models_free(int p,
                       const hesca_speed **models); /**< NULL is allowed. */

/** The return value of HDPI: 0, or -1 for any failure. */
static inline int
hesca_hdpi_status(int err)
{
    return err < 0 ? -1 : 0;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/speeds.h
 * The speed functions of a machine, between processes. */
#ifndef HESCA_EXEC_SPEEDS_H
#define HESCA_EXEC_SPEEDS_H

#include "hesca/experimental/machine.h"
#include <stddef.h>

/** \name The models of a machine as bytes, for a message
 * Local.  They are aligned like a double.
 * \{ */

/** Their number; 0: there are no models. */
size_t hesca_speeds_packed(const hesca_machine *machine);
void hesca_speeds_pack(const hesca_machine *machine, char *to);

/** Add the models to a machine of the same hosts without models.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM; on error machine may hold some. */
int hesca_speeds_unpack(const char *from, hesca_machine *machine);
/** \} */

#endif

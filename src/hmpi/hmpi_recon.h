/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hmpi/hmpi_recon.h
 * HMPI's speeds in HESCA's machine model. */
#ifndef HESCA_HMPI_HMPI_RECON_H
#define HESCA_HMPI_HMPI_RECON_H

#include "hmpi/hmpi_state.h"

/** A hesca_monitor: the speeds that HMPI_Recon() has measured, once it has. */
int hesca_hmpi_monitor(hesca_machine *machine, void *data);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file machine/models.h
 * The speed functions of a machine: hosts times kernels. */
#ifndef HESCA_MACHINE_MODELS_H
#define HESCA_MACHINE_MODELS_H

#include "hesca/experimental/machine.h"

/** Whether a word may name a kernel. */
int hesca_kernel_is_name(const char *kernel);

/** Free all models of a machine. */
void hesca_models_clear(hesca_machine *machine);

/** Copy all models to a machine without models and with the same hosts.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM; some may have been copied. */
int hesca_models_copy(const hesca_machine *from, hesca_machine *to);

/** Move all models to a machine without models.  Hosts are matched by name; a
 * model whose host `to` does not have is freed. */
void hesca_models_move(hesca_machine *from, hesca_machine *to);

/** Enter a model, replacing any of the same host and kernel.
 * \return HESCA_SUCCESS: the machine owns speed; HESCA_ERR_NOMEM: the caller
 * still does. */
int hesca_models_enter(hesca_machine *machine, int host, const char *kernel,
                       hesca_speed *speed);

/** \return HESCA_SUCCESS, or HESCA_ERR_ARG with a text that names the model.
 */
int hesca_models_check(const hesca_machine *machine);

/** Whether two machines of the same hosts have the same models, in the same
 * order. */
int hesca_models_are_same(const hesca_machine *x, const hesca_machine *y);

#endif

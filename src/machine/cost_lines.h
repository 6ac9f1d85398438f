/* SPDX-License-Identifier: BSD-3-Clause */
/** \file machine/cost_lines.h
 * The lines of machine files that contain costs, for reading and writing. */
#ifndef HESCA_MACHINE_COST_LINES_H
#define HESCA_MACHINE_COST_LINES_H

#include "hesca/experimental/machine.h"

enum { HESCA_COST_LINES = 4, HESCA_COST_FIELDS = 4 };

/** Names of the lines, such as "node-crowded". */
extern const char *const hesca_cost_line[HESCA_COST_LINES];

/** Names of the numbers of a line, such as "startup", in their order. */
extern const char *const hesca_cost_field[HESCA_COST_FIELDS];

/** The field of a machine for number k of a line. */
double *hesca_cost_at(hesca_machine *m, int line, int k);

#endif

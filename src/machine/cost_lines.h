/** \file machine/cost_lines.h
 * The lines of machine files that tell costs, for who reads and who writes
 * them. */
#ifndef HESCA_MACHINE_COST_LINES_H
#define HESCA_MACHINE_COST_LINES_H

#include "hesca/experimental/machine.h"

enum { HESCA_COST_LINES = 4, HESCA_COST_FIELDS = 4 };

/** Such as "node-crowded". */
extern const char *const hesca_cost_line[HESCA_COST_LINES];

/** Such as "startup", in their order. */
extern const char *const hesca_cost_field[HESCA_COST_FIELDS];

/** Where a line's number k belongs in a machine. */
double *hesca_cost_at(hesca_machine *m, int line, int k);

#endif

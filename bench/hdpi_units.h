/** \file hdpi_units.h
 * Speed functions in other units. */
#ifndef HESCA_BENCH_HDPI_UNITS_H
#define HESCA_BENCH_HDPI_UNITS_H

#include "hesca/experimental/speed.h"

/** A model in which a unit of size is `unit` of those of `from`; speeds stay.
 * \param [in] limit  In the new unit.
 * \return as hesca_speed_create(). */
int units_change(const hesca_speed *from, double unit, double limit,
                 hesca_speed **to);

/** Free p models and their list; NULL is allowed. */
void units_free(hesca_speed **model, int p);

#endif

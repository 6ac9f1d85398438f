/** \file base/private.h
 * What libhdpi needs of libhesca beyond its public functions.
 *
 * Such functions are exported under the version HESCA_PRIVATE, which
 * src/libhesca.map lists: for the libraries of this package alone, in the very
 * version that they were built with. */
#ifndef HESCA_BASE_PRIVATE_H
#define HESCA_BASE_PRIVATE_H

#include "hesca/status.h"

#define HESCA_PRIVATE HESCA_API

#endif

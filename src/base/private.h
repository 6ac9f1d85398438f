/* SPDX-License-Identifier: BSD-3-Clause */
/** \file base/private.h
 * Functions of libhesca that libhdpi or libhmpi needs and that are not public.
 *
 * They are exported under the symbol version HESCA_PRIVATE, see
 * src/libhesca.map.  Only the other libraries of this package may use them,
 * and only those of the same build. */
#ifndef HESCA_BASE_PRIVATE_H
#define HESCA_BASE_PRIVATE_H

#include "hesca/status.h"

#define HESCA_PRIVATE HESCA_API

#endif

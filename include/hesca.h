/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca.h
 * HESCA: redistribution of matrices between any two block-cyclic layouts, and
 * the drop-in for ScaLAPACK's p?gemr2d and p?trmr2d built on it.
 *
 * This is the stable interface: its contents will be frozen at 1.0.
 * Everything else is in hesca/experimental.h and may change from one version
 * to the next.  A program that knows MPI and layouts uses hesca/layout.h and
 * hesca/redist.h.  A ScaLAPACK program needs no header: it is relinked with
 * hesca_scalapack or preloads it; hesca/scalapack.h serves programs that call
 * both libraries. */
#ifndef HESCA_H
#define HESCA_H

#include "hesca/layout.h"
#include "hesca/redist.h"
#include "hesca/scalapack.h"
#include "hesca/status.h"
#include "hesca/version.h"

#endif

/** \file hesca.h
 * HESCA: redistribution of matrices between any two block-cyclic layouts, and
 * the drop-in for ScaLAPACK's p?gemr2d and p?trmr2d built on it.
 *
 * A program that knows MPI and layouts uses hesca/layout.h and hesca/redist.h,
 * one that exchanges or broadcasts over links that differ hesca/coll.h.  Their
 * schedules as such, without MPI: hesca/events.h, hesca/timetable.h,
 * hesca/heuristics.h, hesca/broadcast.h.
 * A ScaLAPACK program needs no header: it is relinked with hesca_scalapack or
 * preloads it; hesca/scalapack.h serves programs that want both libraries. */
#ifndef HESCA_H
#define HESCA_H

#include "hesca/broadcast.h"
#include "hesca/build.h"
#include "hesca/coll.h"
#include "hesca/cut.h"
#include "hesca/dense.h"
#include "hesca/events.h"
#include "hesca/gblock.h"
#include "hesca/grid.h"
#include "hesca/groups.h"
#include "hesca/heuristics.h"
#include "hesca/layout.h"
#include "hesca/load.h"
#include "hesca/machine.h"
#include "hesca/monitor.h"
#include "hesca/param.h"
#include "hesca/place.h"
#include "hesca/redist.h"
#include "hesca/shares.h"
#include "hesca/speed.h"
#include "hesca/status.h"
#include "hesca/tiling.h"
#include "hesca/timetable.h"
#include "hesca/version.h"
#include "hesca/wait.h"

#endif

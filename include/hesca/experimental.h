/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental.h
 * The interfaces of HESCA beyond redistribution, which may change from one
 * version to the next: collectives over links that differ
 * (experimental/coll.h) and their schedules without MPI (events, timetable,
 * heuristics, broadcast); machines, speeds and loads (machine, speed, build,
 * load, monitor); partitions in proportion to speed (shares, groups, tiling,
 * cut); generalized blocks and dense linear algebra on them (gblock, dense);
 * placement of processes (place, grid); parameters and waiting (param,
 * wait). */
#ifndef HESCA_EXPERIMENTAL_H
#define HESCA_EXPERIMENTAL_H

#include "hesca/experimental/broadcast.h"
#include "hesca/experimental/build.h"
#include "hesca/experimental/coll.h"
#include "hesca/experimental/cut.h"
#include "hesca/experimental/dense.h"
#include "hesca/experimental/events.h"
#include "hesca/experimental/gblock.h"
#include "hesca/experimental/grid.h"
#include "hesca/experimental/groups.h"
#include "hesca/experimental/heuristics.h"
#include "hesca/experimental/load.h"
#include "hesca/experimental/machine.h"
#include "hesca/experimental/monitor.h"
#include "hesca/experimental/param.h"
#include "hesca/experimental/place.h"
#include "hesca/experimental/shares.h"
#include "hesca/experimental/speed.h"
#include "hesca/experimental/tiling.h"
#include "hesca/experimental/timetable.h"
#include "hesca/experimental/wait.h"

#endif

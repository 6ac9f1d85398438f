/* SPDX-License-Identifier: BSD-3-Clause */
/** \file wait/quota.h
 * The CPU time that this process may use. */
#ifndef HESCA_WAIT_QUOTA_H
#define HESCA_WAIT_QUOTA_H

#include "base/private.h"

/** The CPU quota of the control groups that hold this process.
 *
 * Local.  The least quota of its group and the groups that enclose this one,
 * as far as they are visible; Linux cgroups, version 1 or 2.
 * \return Cores, for example 0.4; 0 if there is no quota. */
HESCA_PRIVATE double hesca_quota(void);

/** The same, for files below root instead of "/".
 *
 * \param[out] used seconds of processor time that all processes of the group
 *     that has this quota have used; -1 if that is not known. */
double hesca_quota_below(const char *root, double *used);

#endif

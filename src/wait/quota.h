/** \file wait/quota.h
 * How much of the machine's time this process may use. */
#ifndef HESCA_WAIT_QUOTA_H
#define HESCA_WAIT_QUOTA_H

/** The CPU quota of the control groups that hold this process.
 *
 * Local.  The least of a group and those around it, as far as they can be
 * seen; version 1 or 2 of Linux' cgroups.
 * \return Cores, for example 0.4; 0 if there is no quota. */
double hesca_quota(void);

/** The same, of the files below root instead of "/". */
double hesca_quota_below(const char *root);

#endif

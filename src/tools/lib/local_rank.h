/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/local_rank.h
 * Which of the processes of its host a process is, as reported by the launcher
 * before MPI_Init. */
#ifndef HESCA_TOOLS_LIB_LOCAL_RANK_H
#define HESCA_TOOLS_LIB_LOCAL_RANK_H

/** Read it from the environment.
 * \param [out] rank  0 ... n - 1.
 * \param [out] n     Processes of this program on this host.
 * \return 1, or 0 if no launcher reports both. */
int local_rank_find(int *rank, int *n);

/** Remove it from the environment, so that processes started by another
 * launcher do not read it. */
void local_rank_forget(void);

#endif

/** \file exec/spread_line.h
 * Who passes on what several processes get alike: they stand in a line behind
 * the source, each with one before it from which it gets the message.
 *
 * Of up to three each passes to the next: every link carries the message once,
 * and panels follow each other like on a conveyor.  Of more it is a binomial
 * tree, since a panel that comes late over many links would be waited for.
 * Owners change from panel to panel, so that lines begin behind the source's
 * own place; processes of a host stand together. */
#ifndef HESCA_EXEC_SPREAD_LINE_H
#define HESCA_EXEC_SPREAD_LINE_H

#include "exec/comm.h"

/** Put n processes in line: those at the positions at, ascending, of a grid of
 * ranks, behind a source, which is not among them.
 * \param [in]  source  Its rank; it is number k of its own grid.
 * \param [out] line    [n + 1] ranks, the source first. */
void hesca_spread_line(const hesca_comm *c, int source, int k, int n,
                       const int *at, const int *ranks, int size, int *line);

/** Who gives it to the one at place 1 ... n of a line: 0 ... n - 1.
 * relay = 0: the source. */
int hesca_spread_before(int relay, int n, int place);

/** The most that one of n passes to. */
int hesca_spread_fan(int relay, int n);

#endif

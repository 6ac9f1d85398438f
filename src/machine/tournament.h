/* SPDX-License-Identifier: BSD-3-Clause */
/** \file machine/tournament.h
 * A round-robin tournament: all pairs of n hosts meet, each host at most once
 * per round, in n - 1 rounds, or n if n is odd. */
#ifndef HESCA_MACHINE_TOURNAMENT_H
#define HESCA_MACHINE_TOURNAMENT_H

/** Number of rounds of n hosts, n >= 0. */
static inline int
hesca_tournament_rounds(int n)
{
    return n < 2 ? 0 : n - 1 + n % 2;
}

/** The host that host i of n meets in a round; -1 if it is idle.
 * In round r, i and j meet if i + j = r modulo the (odd) number of rounds.  A
 * host that would meet itself meets host n - 1 if n is even, and is idle if n
 * is odd. */
static inline int
hesca_tournament_partner(int n, int round, int i)
{
    const int m = hesca_tournament_rounds(n); /* 2 (m + 1) / 2 = 1 modulo m */
    const int self = (int)((long long)round * ((m + 1) / 2) % m);
    const int last = n % 2 == 0 ? n - 1 : -1;
    if (i == self)
        return last;
    return i == last ? self : (round - i + m) % m;
}

#endif

/** \file machine/tournament.h
 * Who meets whom, so that all pairs of hosts meet and each host is in one
 * meeting at a time: n hosts need n - 1 rounds, or n if n is odd. */
#ifndef HESCA_MACHINE_TOURNAMENT_H
#define HESCA_MACHINE_TOURNAMENT_H

/** Rounds of n hosts, n >= 0. */
static inline int
hesca_tournament_rounds(int n)
{
    return n < 2 ? 0 : n - 1 + n % 2;
}

/** Whom host i of n meets in a round; -1: nobody.
 * In round r, i and j meet if i + j = r modulo the (odd) number of rounds.
 * One would meet itself then; it meets the last host of an even number. */
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

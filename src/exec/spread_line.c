#include "exec/spread_line.h"

enum { CHAIN = 3 }; /* at most, in a row */

/* Position of a rank in a grid; -1: outside. */
static int
position(int rank, const int *ranks, int size)
{
    for (int k = 0; k < size; ++k)
        if (ranks[k] == rank)
            return k;
    return -1;
}

/* Those on the source's host first, then the next host's, ... */
static int
distance(const hesca_comm *c, int source, int rank)
{
    const int d = c->network.host[rank] - c->network.host[source];
    return d < 0 ? d + c->network.nhosts : d;
}

static void
sort_by_host(const hesca_comm *c, int n, int *line)
{
    for (int k = 2; k <= n; ++k) {
        const int rank = line[k], far = distance(c, line[0], rank);
        int l = k;
        for (; l > 1 && distance(c, line[0], line[l - 1]) > far; --l)
            line[l] = line[l - 1];
        line[l] = rank;
    }
}

void
hesca_spread_line(const hesca_comm *c, int source, int k, int n, const int *at,
                  const int *ranks, int size, int *line)
{
    const int own = position(source, ranks, size);
    int first = n > 0 ? k % n : 0;
    if (own >= 0)
        for (first = 0; first < n && at[first] < own; ++first)
            ;
    line[0] = source;
    for (int l = 0; l < n; ++l)
        line[1 + l] = ranks[at[(first + l) % n]];
    if (c->network.nproc > 0)
        sort_by_host(c, n, line);
}

int
hesca_spread_before(int relay, int n, int place)
{
    if (!relay)
        return 0;
    return n <= CHAIN ? place - 1 : place & (place - 1);
}

int
hesca_spread_fan(int relay, int n)
{
    enum { BITS = 31 };
    if (!relay)
        return n;
    return n <= CHAIN ? 1 : n < BITS ? n : BITS;
}

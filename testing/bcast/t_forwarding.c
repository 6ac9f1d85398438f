/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of processes that pass messages on: each process is in line once and
 * behind another; where links differ, no chain, star or binomial tree delivers
 * a few messages sooner, nor one that goes site by site. */
#include "bcast/forwarding.h"
#include "testing/unit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40, MESSAGES = 4 };

static const double BYTES = 1e5;

/* Processes on hosts; wires are drawn. */
typedef struct {
    int host[MOST];
    hesca_wire wire[MOST * MOST];
    hesca_network network;
    hesca_link_costs links;
} net;

static double
uniform(void)
{
    return (double)(check_random() >> 11) / 9007199254740992.0;
}

/* Rates from rate to spread times that. */
static void
draw(net *x, int nproc, int nhosts, double rate, double spread)
{
    for (int k = 0; k < nproc; ++k)
        x->host[k] = k < nhosts ? k : check_uniform(0, nhosts - 1);
    for (int k = 0; k < nhosts * nhosts; ++k)
        x->wire[k] = (hesca_wire){uniform() * 1e-3,
                                  rate * (1 + uniform() * (spread - 1))};
    x->network = (hesca_network){nproc, nhosts, x->host, x->wire};
    x->links = hesca_link_costs_make(
        (hesca_costs){.startup = 1e-6, .message = 1e-6}, &x->network);
}

static void
make(const net *x, int n, int pieces, int *rank, int *before)
{
    for (int k = 0; k <= n; ++k)
        rank[k] = (k + 2) % (n + 1);
    CHECK(hesca_forwarding_make(&x->links, BYTES, n, pieces, rank, before) ==
              HESCA_SUCCESS,
          "%s", hesca_error_text());
}

static void
check_line(int n, const int *rank, const int *before)
{
    int seen[MOST] = {0}, heirs[MOST] = {0};
    CHECK(rank[0] == 2 % (n + 1) && before[0] == -1, "it begins with %d, %d",
          rank[0], before[0]);
    for (int k = 0; k <= n; ++k)
        CHECK(rank[k] >= 0 && rank[k] <= n && !seen[rank[k]]++,
              "%d of %d: rank %d", k, n, rank[k]);
    for (int k = 1; k <= n; ++k)
        CHECK(before[k] >= 0 && before[k] < k &&
                  ++heirs[before[k]] <= hesca_forwarding_fan(n),
              "%d of %d is behind %d", k, n, before[k]);
}

/* When the last has the last of the messages, each piece of which is sent to
 * all behind a process before the next one. */
static double
seconds(const net *x, int n, int pieces, const int *rank, const int *before)
{
    double there[MOST] = {0}, sends[MOST] = {0}, receives[MOST] = {0};
    double last = 0;
    for (int t = 0; t < MESSAGES * pieces; ++t)
        for (int k = 1; k <= n; ++k) {
            const int b = before[k];
            const double begin = fmax(there[b], fmax(sends[b], receives[k]));
            there[k] = sends[b] = receives[k] =
                begin +
                hesca_link_seconds(&x->links, rank[b], rank[k], BYTES) /
                    pieces;
            last = fmax(last, there[k]);
        }
    return last;
}

/* Chain, star, binomial tree. */
static void
compare(const net *x, int n, int pieces, const int *line, double s)
{
    for (int which = 0; which < 3; ++which) {
        int before[MOST] = {-1};
        for (int k = 1; k <= n; ++k)
            before[k] = which == 0 ? k - 1 : which == 1 ? 0 : k & (k - 1);
        const double t = seconds(x, n, pieces, line, before);
        CHECK(s <= t * (1 + 1e-12), "%d behind one: %g s, shape %d %g s", n, s,
              which, t);
    }
}

static void
beats_shapes(void)
{
    for (int c = 0; c < check_cases(300); ++c) {
        const int n = check_uniform(2, MOST - 1), pieces = 1 + c / 2 % 6;
        int rank[MOST], before[MOST], line[MOST];
        net x;
        draw(&x, n + 1, c % 2 ? n + 1 : check_uniform(1, n + 1), 1e6,
             c % 2 ? 100 : 1.1);
        make(&x, n, pieces, rank, before);
        check_line(n, rank, before);
        for (int k = 0; k <= n; ++k)
            line[k] = (k + 2) % (n + 1);
        if (n <= HESCA_FORWARDING_SEARCHED && c % 2 == 1)
            compare(&x, n, pieces, line, seconds(&x, n, pieces, rank, before));
    }
}

/* Ranks take turns between two sites; the source is of the first. */
static void
knows_sites(void)
{
    for (int n = 3; n <= HESCA_FORWARDING_SEARCHED; ++n) {
        int rank[MOST], before[MOST], line[MOST], k = 0;
        net x;
        draw(&x, n + 1, n + 1, 1e8, 1.1);
        for (int i = 0; i <= n; ++i)
            for (int j = 0; j <= n; ++j)
                if (i % 2 != j % 2)
                    x.wire[i * (n + 1) + j].rate /= 100;
        make(&x, n, 1, rank, before);
        check_line(n, rank, before);
        line[k++] = 2;
        for (int i = 0; i <= n; i += 2)
            if (i != 2)
                line[k++] = i;
        for (int i = 1; i <= n; i += 2)
            line[k++] = i;
        compare(&x, n, 1, line, seconds(&x, n, 1, rank, before));
    }
}

/* Few receivers, or long messages in many pieces: a chain; else a binomial
 * tree. */
static void
is_a_conveyor(void)
{
    static const int tree[] = {-1, 0, 0, 2, 0, 4, 4, 6};
    net x;
    for (int n = 1; n <= 7; ++n)
        for (int pieces = 1; pieces <= 100; pieces += 99) {
            int rank[MOST], before[MOST];
            draw(&x, n + 1, n + 1, 1e6, 1.05);
            for (int k = 0; k < (n + 1) * (n + 1); ++k)
                x.wire[k].startup = 1e-4;
            make(&x, n, pieces, rank, before);
            for (int k = 1; k <= n; ++k)
                CHECK(before[k] == (n <= 3 || pieces > 1 ? k - 1 : tree[k]) &&
                          rank[k] == (k + 2) % (n + 1),
                      "%d of %d in %d pieces is %d, behind %d", k, n, pieces,
                      rank[k], before[k]);
        }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(beats_shapes), UNIT(knows_sites),
                                       UNIT(is_a_conveyor)};
    unit_begin("bcast/t_forwarding", 8);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bcast/forwarding.h"
#include "base/status.h"
#include "bcast/pipeline.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHAIN = 3 }; /* as many processes always form a chain */

/* Seconds until a process that computes notices a piece and forwards it: those
 * of a strip of an update (dense/potrf.c), about. */
static const double DELAY = 1e-3;

/* Number of messages that are in progress at the same time, and the most
 * pieces of each that a search looks at. */
enum { STREAM = 4, PIECES = 8 };

/* Links count as equal if they differ by less than this factor, since measured
 * costs always differ. */
static const double EQUAL = 1.25;

/* --- equal links --- */

/* Distance of hosts in cyclic order, from the host of the source on. */
static int
distance(const hesca_network *x, int source, int rank)
{
    const int d = x->host[rank] - x->host[source];
    return d < 0 ? d + x->nhosts : d;
}

static void
sort_by_host(const hesca_network *x, int n, int *line)
{
    for (int k = 2; k <= n; ++k) {
        const int rank = line[k], far = distance(x, line[0], rank);
        int l = k;
        for (; l > 1 && distance(x, line[0], line[l - 1]) > far; --l)
            line[l] = line[l - 1];
        line[l] = rank;
    }
}

/* Whether a chain delivers a message sooner than a binomial tree, in which the
 * source sends it log2(n + 1) times. */
static int
is_chain(const hesca_link_costs *links, double bytes, int n, int pieces,
         const int *rank)
{
    const double message = hesca_link_seconds(links, rank[0], rank[n], bytes);
    return n <= CHAIN || message + (n - 1) * (DELAY + message / pieces) <
                             message * log2(n + 1);
}

static void
make_line(const hesca_link_costs *links, double bytes, int n, int pieces,
          int *rank, int *before)
{
    if (links->network != NULL)
        sort_by_host(links->network, n, rank);
    const int chain = is_chain(links, bytes, n, pieces, rank);
    before[0] = -1;
    for (int k = 1; k <= n; ++k)
        before[k] = chain ? k - 1 : k & (k - 1);
}

static int
are_equal(const hesca_link_costs *links, double bytes, int n, const int *rank)
{
    double least = INFINITY, most = 0;
    for (int i = 0; links->network != NULL && i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            if (i != j) {
                const double s =
                    hesca_link_seconds(links, rank[i], rank[j], bytes);
                least = fmin(least, s);
                most = fmax(most, s);
            }
    return most <= EQUAL * least;
}

/* --- different links --- */

/* Store a tree as a line.  The processes of the tree are numbered by their
 * places in rank. */
static void
store_line(const hesca_broadcast *tree, int n, int *rank, int *before,
           int *old)
{
    int *place = old + n + 1; /* in the new line */
    memcpy(old, rank, (size_t)(n + 1) * sizeof *old);
    place[0] = 0;
    before[0] = -1;
    for (int k = 0; k < n; ++k) {
        const hesca_send *s = &tree->send[k];
        rank[k + 1] = old[s->dest];
        before[k + 1] = place[s->src];
        place[s->dest] = k + 1;
    }
}

static int
search(const hesca_link_costs *links, double bytes, int n, int pieces,
       int *rank, int *before)
{
    const size_t all = (size_t)n + 1;
    double *startup = malloc(2 * all * all * sizeof *startup);
    int *old = malloc(2 * all * sizeof *old);
    hesca_pipeline p = {.segments = 0};
    int err = HESCA_SUCCESS;
    if (startup == NULL || old == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "links of %zu", all));
    /* The stream is STREAM messages of length 1, which take the seconds of the
     * link, in segments that are forwarded one by one. */
    double *rate = startup + all * all;
    for (size_t k = 0; k < all * all; ++k) {
        startup[k] = 0;
        rate[k] =
            1 / hesca_link_seconds(links, rank[k / all], rank[k % all], bytes);
    }
    HESCA_TRY(err, hesca_pipeline_init(
                       &(hesca_pipeline_problem){.nproc = n + 1,
                                                 .startup = startup,
                                                 .rate = rate,
                                                 .bytes = STREAM},
                       STREAM * (pieces < PIECES ? pieces : PIECES), &p));
    store_line(&p.tree, n, rank, before, old);
fail:
    hesca_pipeline_clear(&p);
    free(startup);
    free(old);
    return err;
}

int
hesca_forwarding_make(const hesca_link_costs *links, double bytes, int n,
                      int pieces, int *rank, int *before)
{
    if (n > 1 && n <= HESCA_FORWARDING_SEARCHED &&
        !are_equal(links, bytes, n, rank))
        return search(links, bytes, n, pieces, rank, before);
    make_line(links, bytes, n, pieces, rank, before);
    return HESCA_SUCCESS;
}

int
hesca_forwarding_fan(int n)
{
    enum { BITS = 31 };
    return n <= HESCA_FORWARDING_SEARCHED || n < BITS ? n : BITS;
}

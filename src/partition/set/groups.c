/* SPDX-License-Identifier: BSD-3-Clause */
#include "hesca/experimental/groups.h"
#include "base/arith.h"
#include "base/status.h"
#include "hesca/experimental/shares.h"
#include "partition/set/speed_lines.h"
#include "partition/set/split.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct hesca_groups {
    int64_t blocks, count;
    int *owner;     /* [blocks] */
    int64_t *first; /* [blocks + 1] */
};

static const char routine[] = "hesca_groups_create";
static const int64_t order_max = 94906265; /* floor(sqrt(2^53)) */

/* A processor in a group: its share of the matrix, its number, and its blocks
 * of the group. */
typedef struct {
    double share;
    int i;
    int64_t blocks;
} participant;

typedef struct {
    int p;
    const hesca_speed *const *speed;
    int is_proportional; /* shares are in the same proportion from here on */
    participant *member; /* [p] */
    double *share;       /* [p] */
    int64_t *count;      /* [p] */
} team;

/* --- one group ---
 * x->share sums up to the remaining matrix; sizes are in blocks, and a group
 * never exceeds the blocks that remain. */

/* Whether shares stay proportional as the remaining matrix shrinks: all speeds
 * are constant and no limit in whole elements binds.  A limit that does not
 * bind now will not bind later; a processor with limit 0 never has
 * elements. */
static int
is_proportional(const team *x)
{
    if (x->speed == NULL)
        return 1;
    for (int i = 0; i < x->p; ++i)
        if (x->share[i] > 0 &&
            x->share[i] >= floor(hesca_speed_limit(x->speed[i])))
            return 0;
    return hesca_set_all_constant(x->p, x->speed);
}

/* The real-valued shares of a matrix of so many elements. */
static int
divide(team *x, double elements)
{
    hesca_shares *shares = NULL;
    int err;
    HESCA_TRY(err,
              hesca_shares_create(x->p, x->speed, (int64_t)elements, &shares));
    for (int i = 0; i < x->p; ++i)
        x->share[i] = x->speed == NULL
                          ? elements / x->p
                          : fmin(hesca_speed_size(x->speed[i],
                                                  hesca_shares_ideal(shares)),
                                 hesca_speed_limit(x->speed[i]));
    x->is_proportional = is_proportional(x);
fail:
    hesca_shares_free(shares);
    return err;
}

/* Blocks of a group, at most `left`.  The added 1e-9 makes floor(1 / (1 / 6))
 * 6 in spite of rounding. */
static int64_t
size_of(const team *x, int64_t left)
{
    double sum = 0, least = INFINITY;
    for (int i = 0; i < x->p; ++i) {
        sum += x->share[i];
        if (x->share[i] > 0)
            least = fmin(least, x->share[i]);
    }
    double size = floor(sum / least + 1e-9);
    if (size / x->p < 2)
        size = floor(2 * sum / least + 1e-9);
    return size < (double)left ? (int64_t)size : left;
}

/* Slowest first; of equal shares the higher number first, so that the lowest
 * number is among the fastest. */
static int
compare(const void *a, const void *b)
{
    const participant *x = a, *y = b;
    if (x->share < y->share || x->share > y->share)
        return x->share < y->share ? -1 : 1;
    return x->i > y->i ? -1 : 1;
}

/* Assign the blocks of a group. */
static void
fill(team *x, int64_t size, int *owner)
{
    hesca_split(size, x->p, x->share, x->count);
    for (int i = 0; i < x->p; ++i)
        x->member[i] = (participant){x->share[i], i, x->count[i]};
    qsort(x->member, (size_t)x->p, sizeof *x->member, compare);
    for (int k = 0; k < x->p; ++k)
        for (int64_t j = 0; j < x->member[k].blocks; ++j)
            *owner++ = x->member[k].i;
}

static int
check(int p, const hesca_speed *const *speed, int64_t n, int64_t nb,
      hesca_groups **groups)
{
    int err;
    if (groups == NULL)
        return hesca_fail_null(routine, 5, "groups");
    if (p < 1 || p > (1 << 28))
        return hesca_fail_arg(routine, 1, "p", p, "1 ... 2^28");
    HESCA_TRY(err, hesca_set_check_speeds(routine, 2, p, speed));
    if (n < 0 || n > order_max)
        return hesca_fail_arg(routine, 3, "n", n, "0 ... 94906265");
    if (nb < 1)
        return hesca_fail_arg(routine, 4, "nb", nb, "at least 1");
fail:
    return err;
}

static int
allocate(team *x, hesca_groups *g)
{
    const size_t p = (size_t)x->p, blocks = (size_t)g->blocks;
    x->member = malloc(p * sizeof *x->member);
    x->share = malloc(p * sizeof *x->share);
    x->count = malloc(p * sizeof *x->count);
    g->owner = malloc((blocks + 1) * sizeof *g->owner);
    g->first = malloc((blocks + 1) * sizeof *g->first);
    if (!x->member || !x->share || !x->count || !g->owner || !g->first)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %lld blocks for %d",
                          routine, (long long)g->blocks, x->p);
    return HESCA_SUCCESS;
}

/* --- all groups ---
 * Blocks before `done` are assigned, and first[k] is the first block of group
 * k, up to first[count] = blocks. */

/* Group by group.  The thesis prints the order of the remaining matrix as n -
 * g; it is n less the columns of the blocks assigned so far.  Once shares are
 * proportional, groups repeat the one before, except the last, which may be
 * shorter. */
static int
make(team *x, int64_t n, int64_t nb, hesca_groups *g)
{
    int err = HESCA_SUCCESS;
    int64_t done = 0, size = 0;
    for (; done < g->blocks; done += size, ++g->count) {
        const double left = (double)(n - done * nb);
        int *owner = g->owner + done;
        g->first[g->count] = done;
        if (x->is_proportional && size <= g->blocks - done) {
            memcpy(owner, owner - size, (size_t)size * sizeof *owner);
            continue;
        }
        if (!x->is_proportional)
            HESCA_TRY(err, divide(x, left * left));
        size = size_of(x, g->blocks - done);
        fill(x, size, owner);
    }
    g->first[g->count] = done;
fail:
    return err;
}

int
hesca_groups_create(int p, const hesca_speed *const *speed, int64_t n,
                    int64_t nb, hesca_groups **groups)
{
    team x = {.p = p, .speed = speed};
    hesca_groups *g = NULL;
    int err;
    HESCA_TRY(err, check(p, speed, n, nb, groups));
    g = calloc(1, sizeof *g);
    if (g == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: groups", routine));
    g->blocks = n / nb + (n % nb > 0);
    HESCA_TRY(err, allocate(&x, g));
    HESCA_TRY(err, make(&x, n, nb, g));
fail:
    free(x.member);
    free(x.share);
    free(x.count);
    if (err < 0) {
        hesca_groups_free(g);
        g = NULL;
    }
    if (groups != NULL)
        *groups = g;
    return err;
}

void
hesca_groups_free(hesca_groups *groups)
{
    if (groups == NULL)
        return;
    free(groups->owner);
    free(groups->first);
    free(groups);
}

int64_t
hesca_groups_blocks(const hesca_groups *groups)
{
    return groups->blocks;
}

int64_t
hesca_groups_count(const hesca_groups *groups)
{
    return groups->count;
}

int64_t
hesca_groups_first(const hesca_groups *groups, int64_t k)
{
    return groups->first[k];
}

int
hesca_groups_owner(const hesca_groups *groups, int64_t block)
{
    return block < 0 || block >= groups->blocks ? -1 : groups->owner[block];
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The methods by name: each finds a line, which is then rounded to integers in
 * the same way. */
#include "base/status.h"
#include "partition/set/speed_lines.h"
#include <stdlib.h>

typedef int solver(const hesca_set *, const hesca_shares_options *,
                   int64_t *count, int64_t *steps);
static solver by_root, by_lines, by_assignment;

static const struct {
    const char *name;
    solver *solve;
    void (*narrow)(hesca_lines *); /* of by_lines */
} methods[HESCA_SHARES_METHODS] = {
    [HESCA_SHARES_ROOT] = {"root", by_root, NULL},
    [HESCA_SHARES_BASIC] = {"basic", by_lines, hesca_lines_basic},
    [HESCA_SHARES_MODIFIED] = {"modified", by_lines, hesca_lines_modified},
    [HESCA_SHARES_COMBINED] = {"combined", by_lines, hesca_lines_combined},
    [HESCA_SHARES_GREEDY] = {"greedy", by_assignment, NULL},
};

const char *
hesca_shares_method_name(int method)
{
    return method >= 0 && method < HESCA_SHARES_METHODS ? methods[method].name
                                                        : NULL;
}

/* The target is n less half an element for each processor, on average; the
 * integer rounding assigns the rest. */
static int
by_root(const hesca_set *set, const hesca_shares_options *options,
        int64_t *count, int64_t *steps)
{
    const double n = (double)set->n, short_by = 0.5 * set->p;
    double time = 0;
    if (n > 2 * short_by)
        time = hesca_root_find(set, options, n - short_by, short_by, steps);
    return hesca_integer_improve(set, time, count);
}

static int
by_lines(const hesca_set *set, const hesca_shares_options *options,
         int64_t *count, int64_t *steps)
{
    const size_t p = (size_t)set->p;
    double *at = malloc(3 * p * sizeof *at);
    hesca_lines x = {.set = set,
                     .options = options,
                     .at_low = at,
                     .at_high = at + p,
                     .at_mid = at + 2 * p};
    if (at == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "lines of %d", set->p);
    hesca_lines_begin(&x);
    methods[options->method].narrow(&x);
    *steps += x.steps;
    free(at);
    return hesca_integer_improve(set, 1 / x.high, count);
}

static int
by_assignment(const hesca_set *set, const hesca_shares_options *options,
              int64_t *count, int64_t *steps)
{
    (void)options;
    (void)steps;
    return hesca_integer_assign(set, count);
}

int
hesca_set_solve(const hesca_set *set, const hesca_shares_options *options,
                int64_t *count, int64_t *steps)
{
    if (set->n > 0)
        return methods[options->method].solve(set, options, count, steps);
    return hesca_integer_assign(set, count);
}

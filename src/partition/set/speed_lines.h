/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/set/speed_lines.h
 * Lines through the origin: where they meet speed functions, and the search
 * for the line on which sizes sum to n.
 *
 * A line of slope c meets the curve of each processor once, at the size that
 * takes the time 1 / c.  The steeper the line, the smaller the sum of sizes.
 * Source: HMPI thesis 4.7.1; the two lines of the thesis are a bracket
 * here. */
#ifndef HESCA_PARTITION_SET_SPEED_LINES_H
#define HESCA_PARTITION_SET_SPEED_LINES_H

#include "base/private.h"
#include "hesca/experimental/shares.h"

/** The problem: n elements for p processors. */
typedef struct {
    int p;
    const hesca_speed *const *speed; /* [p] */
    const int64_t *most;             /* [p] capacities, elements */
    int64_t n;                       /* <= sum of most */
    int is_constant;                 /* all speeds are constant */
} hesca_set;

/** A search. */
typedef struct {
    const hesca_set *set;
    const hesca_shares_options *options;
    int64_t steps;                     /* lines that were tried */
    double low, high;                  /* slopes; n is between their sums */
    double *at_low, *at_high, *at_mid; /* [p] sizes there */
} hesca_lines;

/** Check that no model of argument `arg` of a routine is NULL; the array
 * itself may be. */
int hesca_set_check_speeds(const char *routine, int arg, int p,
                           const hesca_speed *const *speed);

/** Whether all speeds are constant. */
int hesca_set_all_constant(int p, const hesca_speed *const *speed);

/** Whether the times of 1 to 2^53 elements at this speed, and their ratios,
 * are within the range of double precision. */
static inline int
hesca_set_can_use(double speed)
{
    return 1e-250 <= speed && speed <= 1e250;
}

/** Whole elements that a processor can take, at most n: bounded by its limit
 * (if is_limited) and by a knot of speed 0. */
HESCA_PRIVATE int64_t hesca_set_capacity(const hesca_speed *speed,
                                         int is_limited, int64_t n);

/** Time of x elements, regardless of the limit; 0 for x = 0. */
double hesca_set_time(const hesca_speed *speed, int64_t x);

/** Whole elements that can be finished within a time, at most `most`: the
 * largest x with hesca_set_time(x) <= time. */
int64_t hesca_set_within(const hesca_speed *speed, int64_t most, double time);

/** Sum of the sizes that take a time, each bounded by its capacity. */
double hesca_set_sum(const hesca_set *set, double time);

/** The initial bracket (thesis 4.7.1): the lines through the fastest and the
 * slowest speed at n / p elements. */
void hesca_lines_begin(hesca_lines *x);

/** Try a line, which becomes an end of the bracket; the step is counted and
 * reported to options->line.
 * \return 0 if it is not between the two, which means that double precision is
 *         exhausted. */
int hesca_lines_cut(hesca_lines *x, double slope);

/** The processor with the largest gap between the lines, and that gap. */
double hesca_lines_gap(const hesca_lines *x, int *widest);

/** \name Methods
 * Narrow the bracket until all gaps are less than 1, or double precision is
 * exhausted. Cost in steps of O(p log knots) each.
 * \{ */
void hesca_lines_basic(hesca_lines *x);    /* O(log n) steps, worst O(n) */
void hesca_lines_modified(hesca_lines *x); /* at most p log n steps */
void hesca_lines_combined(hesca_lines *x);
int
hesca_lines_bisect(hesca_lines *x); /* a step of basic; 0: no precision left */
int hesca_lines_divide(hesca_lines *x); /* a step of modified */
/** \} */

/** A time at which sizes sum to target within slack, or as nearly as double
 * precision allows; 0 < target <= sum of most.  Counts lines in *steps, and
 * reports them to options->line. */
double hesca_root_find(const hesca_set *set,
                       const hesca_shares_options *options, double target,
                       double slack, int64_t *steps);

/** The time of the real-valued optimum, as accurate as a sum of p numbers. */
double hesca_set_ideal(const hesca_set *set);

/** The optimal integer partition, from a time close to that of the real-valued
 * optimum.
 * \param [out] count  [p].
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_integer_improve(const hesca_set *set, double time, int64_t *count);

/** The same, element by element: O(n log p). */
int hesca_integer_assign(const hesca_set *set, int64_t *count);

/** Whether x / s is less than (-1), equal to (0) or more than (1) y / t,
 * exactly; x, y = 1 ... 2^53, s, t > 0, and the quotients differ by less than
 * a factor of two. */
int hesca_exact_compare(int64_t x, double s, int64_t y, double t);

/** Partition a set by the method in options, without rounds.
 * \param [out]    count  [p].
 * \param [in,out] steps  The number of lines tried is added.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_set_solve(const hesca_set *set, const hesca_shares_options *options,
                    int64_t *count, int64_t *steps);

/** The same with limits in rounds (thesis 4.7.2.2, HMPA): set->most counts
 * only for processors that exceed it.
 * \param [out] rounds  1 ... p. */
int hesca_set_solve_rounds(const hesca_set *set,
                           const hesca_shares_options *options, int64_t *count,
                           int64_t *steps, int *rounds);

#endif

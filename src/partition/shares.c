#include "hesca/shares.h"
#include "base/arith.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct hesca_shares {
    int p;
    double time, ideal;
    int64_t count[];
};

static const int64_t elements_max = (int64_t)1 << 53;

/* Whole elements that a processor can hold, at most n. */
static int64_t
capacity(const hesca_speed *speed, int64_t n)
{
    int knots;
    const hesca_knot *k = hesca_speed_knots(speed, &knots);
    double most = floor(hesca_speed_limit(speed));
    /* At a last knot of speed 0 nothing is ever finished. */
    if (!(k[knots - 1].speed > 0) && most >= k[knots - 1].size)
        most = ceil(k[knots - 1].size) - 1;
    return most < (double)n ? (int64_t)most : n;
}

static double
sum_at(int p, const hesca_speed *const *speed, const int64_t *most, double t)
{
    double sum = 0;
    for (int i = 0; i < p; ++i)
        sum += fmin(hesca_speed_size(speed[i], t), (double)most[i]);
    return sum;
}

/* The time at which all together have solved n elements, by bisection: the
 * larger end of the last bracket is not below it. */
static void
bracket(int p, const hesca_speed *const *speed, const int64_t *most, int64_t n,
        double *low, double *high)
{
    *low = *high = 0;
    for (int i = 0; i < p; ++i) {
        const double t =
            most[i] > 0 ? hesca_speed_time(speed[i], (double)most[i]) : 0;
        *high = fmax(*high, t);
    }
    for (;;) {
        const double mid =
            *low > 0 ? sqrt(*low) * sqrt(*high) : *high / 4294967296.;
        if (!(mid > *low && mid < *high))
            return;
        if (sum_at(p, speed, most, mid) <= (double)n)
            *low = mid;
        else
            *high = mid;
        if (*high - *low <= 1e-15 * *high)
            return;
    }
}

/* The first that is free next: a heap of processors by the time that one more
 * element would make them take. */
typedef struct {
    double time;
    int i;
} turn;

static int
is_before(turn x, turn y)
{
    return x.time < y.time || (x.time <= y.time && x.i < y.i);
}

static void
sink(turn *heap, int n, int k)
{
    const turn x = heap[k];
    for (int child = 2 * k + 1; child < n; child = 2 * k + 1) {
        if (child + 1 < n && is_before(heap[child + 1], heap[child]))
            ++child;
        if (is_before(x, heap[child]))
            break;
        heap[k] = heap[child];
        k = child;
    }
    heap[k] = x;
}

static turn
turn_of(const hesca_speed *const *speed, const int64_t *count,
        const int64_t *most, int i)
{
    const double x = (double)count[i] + 1;
    return (turn){
        count[i] < most[i] ? hesca_speed_time(speed[i], x) : INFINITY, i};
}

static void
deal(int p, const hesca_speed *const *speed, const int64_t *most,
     int64_t *count, int64_t left, turn *heap)
{
    for (int i = 0; i < p; ++i)
        heap[i] = turn_of(speed, count, most, i);
    for (int k = p / 2 - 1; k >= 0; --k)
        sink(heap, p, k);
    for (; left > 0; --left) {
        const int i = heap[0].i;
        ++count[i];
        heap[0] = turn_of(speed, count, most, i);
        sink(heap, p, 0);
    }
}

static int
check(int p, int64_t n, hesca_shares **shares)
{
    if (p < 1)
        return hesca_fail_arg("hesca_shares_create", 1, "p", p, "at least 1");
    if (n < 0 || n > elements_max)
        return hesca_fail_arg("hesca_shares_create", 3, "n", n, "0 ... 2^53");
    if (shares == NULL)
        return hesca_fail(HESCA_ERR_ARG, 4,
                          "hesca_shares_create: argument 4, shares, is NULL");
    return HESCA_SUCCESS;
}

/* Fill x with the optimum: what the ideal time allows, and then one by one. */
static int
solve(int p, const hesca_speed *const *speed, int64_t n, hesca_shares *x)
{
    int64_t left = n, total = 0, *most = malloc((size_t)p * sizeof *most);
    turn *heap = malloc((size_t)p * sizeof *heap);
    double low;
    int err = HESCA_SUCCESS;
    if (most == NULL || heap == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "shares of %d", p));
    for (int i = 0; i < p; ++i) {
        most[i] = capacity(speed[i], n);
        total += hesca_min(most[i], n - total);
    }
    if (total < n)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_ARG, 2,
                                  "hesca_shares_create: argument 2, speed: "
                                  "the limits hold fewer than %lld elements",
                                  (long long)n));
    bracket(p, speed, most, n, &low, &x->ideal);
    for (int i = 0; i < p; ++i) {
        x->count[i] = hesca_min(
            most[i], (int64_t)floor(hesca_speed_size(speed[i], low)));
        left -= x->count[i];
    }
    deal(p, speed, most, x->count, left, heap);
    for (int i = 0; i < p; ++i)
        x->time =
            fmax(x->time, hesca_speed_time(speed[i], (double)x->count[i]));
fail:
    free(most);
    free(heap);
    return err;
}

int
hesca_shares_create(int p, const hesca_speed *const *speed, int64_t n,
                    hesca_shares **shares)
{
    int err;
    hesca_shares *x = NULL;
    HESCA_TRY(err, check(p, n, shares));
    x = calloc(1, sizeof *x + (size_t)p * sizeof *x->count);
    if (x == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "shares of %d", p));
    x->p = p;
    if (speed != NULL)
        HESCA_TRY(err, solve(p, speed, n, x));
    for (int i = 0; speed == NULL && i < p; ++i)
        x->count[i] = n / p + (i < n % p);
fail:
    if (err < 0) {
        free(x);
        x = NULL;
    }
    if (shares != NULL)
        *shares = x;
    return err;
}

void
hesca_shares_free(hesca_shares *shares)
{
    free(shares);
}

int
hesca_shares_parts(const hesca_shares *shares)
{
    return shares->p;
}

int64_t
hesca_shares_count(const hesca_shares *shares, int i)
{
    return shares->count[i];
}

double
hesca_shares_time(const hesca_shares *shares)
{
    return shares->time;
}

double
hesca_shares_ideal(const hesca_shares *shares)
{
    return shares->ideal;
}

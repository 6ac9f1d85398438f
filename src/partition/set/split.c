#include "partition/set/split.h"
#include "partition/set/speed_lines.h"
#include <math.h>

/* Who is done first with one more; what rounding may have made alike is
 * compared exactly. */
static int
next(int k, const double *speed, const int64_t *count)
{
    double least = INFINITY;
    int who = 0;
    for (int i = 0; i < k; ++i) {
        const double t = ((double)count[i] + 1) / speed[i];
        if (fabs(t - least) <= 0x1p-50 * fmin(t, least)
                ? hesca_exact_compare(count[i] + 1, speed[i], count[who] + 1,
                                      speed[who]) < 0
                : t < least) {
            least = t;
            who = i;
        }
    }
    return who;
}

/* What each is due, rounded down, and then one by one (Beaumont, Boudet,
 * Petitet, Rastello, Robert 2001).  A quotient that rounding has made one too
 * large would not be taken back, so all are taken a little smaller.  At most
 * about k lines are dealt one by one: O(k^2). */
void
hesca_split(int64_t n, int k, const double *speed, int64_t *count)
{
    double sum = 0;
    for (int i = 0; i < k; ++i)
        sum += speed[i];
    if (!(sum > 0)) {
        for (int i = 0; i < k; ++i)
            count[i] = n / k + (i < n % k);
        return;
    }
    int64_t left = n;
    for (int i = 0; i < k; ++i) {
        count[i] = (int64_t)((double)n * (speed[i] / sum) * (1 - 4e-15));
        left -= count[i];
    }
    for (; left > 0; --left)
        ++count[next(k, speed, count)];
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What has changed, from the notes of all processes. */
#include "base/sort.h"
#include "base/status.h"
#include "survey/learn.h"
#include <math.h>
#include <stdlib.h>

/* The smaller of two changes of one sign; 0 if they disagree. */
static double
sure_of(double x, double y)
{
    return x * y <= 0 ? 0 : fabs(x) < fabs(y) ? x : y;
}

void
hesca_learn_add(hesca_learn_mean *m, double x)
{
    enum { SLOW = 8 };
    const double now = log(x);
    if (m->count == 0) {
        m->usual = m->last = now;
        m->noise = HESCA_LEARN_UNKNOWN;
    }
    const double sure = sure_of(now - m->usual, m->last - m->usual);
    m->last = now;
    if (fabs(sure) > fmax(HESCA_LEARN_CHANGE, HESCA_LEARN_NOISE * m->noise)) {
        m->usual += sure;
        m->count = 2;
        return;
    }
    m->count += m->count < HESCA_LEARN_COUNT;
    m->noise += (fabs(now - m->usual) - m->noise) / fmax(SLOW, m->count);
    m->usual += (now - m->usual) / m->count;
}

double
hesca_learn_doubt(const hesca_learn_mean *m)
{
    enum { LASTS = 3 };
    return m->noise * sqrt(LASTS / fmax(LASTS, m->count));
}

/* Notes relative to the model, and to the median of all processes: only
 * relative speeds matter. */
static int
relate(int n, const double *model, const hesca_learn_note *note,
       double *change)
{
    double *sorted = malloc((size_t)n * sizeof *sorted), ends[2];
    int count = 0;
    if (sorted == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "speeds of %d processes", n);
    for (int p = 0; p < n; ++p)
        if (note[p].mean > 0)
            sorted[count++] = log(note[p].mean / model[p]);
    const double middle = count > 0 ? hesca_median(sorted, count, ends) : 0;
    for (int p = 0; p < n; ++p)
        change[p] =
            note[p].mean > 0 ? log(note[p].mean / model[p]) - middle : 0;
    free(sorted);
    return HESCA_SUCCESS;
}

int
hesca_learn_compare(int n, const int *host, const double *model,
                    const hesca_learn_note *note, int nhosts, double *factor)
{
    double *change = malloc((size_t)(n + nhosts) * sizeof *change);
    int *count = calloc((size_t)nhosts, sizeof *count);
    double *noise = change == NULL ? NULL : change + n, all = 0;
    int err = change == NULL || count == NULL
                  ? hesca_fail(HESCA_ERR_NOMEM, 0, "speeds of %d processes", n)
                  : relate(n, model, note, change);
    int changed = 0, equal = 1;
    HESCA_TRY(err, err);
    for (int h = 0; h < nhosts; ++h)
        factor[h] = noise[h] = 0;
    for (int p = 0; p < n; ++p) {
        factor[host[p]] += change[p];
        noise[host[p]] += note[p].doubt;
        all += note[p].doubt / n;
        ++count[host[p]];
        equal &= fabs(log(model[p] / model[0])) < HESCA_LEARN_SAME;
    }
    for (int h = 0; h < nhosts; ++h) {
        const double in = count[h] > 0 ? count[h] : 1;
        const double limit =
            fmax(equal ? HESCA_LEARN_UNEQUAL : HESCA_LEARN_CHANGE,
                 HESCA_LEARN_NOISE * fmax(noise[h] / in, all));
        const int is = fabs(factor[h] / in) > limit;
        factor[h] = is ? exp(factor[h] / in) : 1;
        changed |= is;
    }
    err = changed;
fail:
    free(change);
    free(count);
    return err;
}

/* ------------------------------------------------ links */

/* The median of what was noted, as a logarithm; 0: nothing. */
static int
find_usual(int n, const hesca_learn_note *note, double *usual)
{
    double *sorted = malloc((size_t)n * sizeof *sorted), ends[2];
    int count = 0;
    if (sorted == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "links of %d processes", n);
    for (int p = 0; p < n; ++p)
        if (note[p].mean > 0)
            sorted[count++] = log(note[p].mean);
    if (count > 0)
        *usual = exp(hesca_median(sorted, count, ends));
    free(sorted);
    return HESCA_SUCCESS;
}

int
hesca_learn_compare_links(int n, const int *host, const hesca_learn_note *note,
                          int nhosts, double *usual, double *factor)
{
    int changed = 0;
    if (*usual == 0 && find_usual(n, note, usual) < 0)
        return HESCA_ERR_NOMEM;
    for (int h = 0; h < nhosts; ++h) {
        double sum = 0, limit = HESCA_LEARN_LINK_CHANGE;
        int count = 0;
        for (int p = 0; p < n; ++p)
            if (host[p] == h && note[p].mean > 0) {
                sum += log(note[p].mean / *usual);
                limit = fmax(limit, HESCA_LEARN_NOISE * note[p].doubt);
                ++count;
            }
        const int is = count > 0 && fabs(sum / count) > limit;
        factor[h] = is ? exp(sum / count) : 1;
        changed |= is;
    }
    return changed;
}

/* A link is as slow as the slower of its ends; if one end recovers, so does
 * the link. */
double
hesca_learn_link(double one, double other)
{
    if ((one < 1 && other < 1) || (one > 1 && other > 1))
        return fabs(log(one)) > fabs(log(other)) ? one : other;
    return one * other;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What has changed, from the notes of all processes. */
#include "base/sort.h"
#include "base/status.h"
#include "survey/learn.h"
#include <math.h>
#include <stdlib.h>

static void
add_noise(hesca_learn_mean *m, double deviation)
{
    enum { SLOW = 16 };
    m->noise += (fabs(deviation) - m->noise) / fmax(SLOW, m->count);
}

void
hesca_learn_add(hesca_learn_mean *m, double x)
{
    if (m->count == 0)
        *m = (hesca_learn_mean){.usual = log(x), .noise = HESCA_LEARN_UNKNOWN};
    const double off = log(x) - m->usual, held = m->held;
    const double limit =
        fmax(HESCA_LEARN_CHANGE, HESCA_LEARN_NOISE * m->noise);
    const int is_beyond = fabs(off) > limit;
    m->held = 0;
    if (is_beyond && held * off > 0) {
        m->usual += fabs(held) < fabs(off) ? held : off;
        m->count = 2;
        return;
    }
    if (held != 0)
        add_noise(m, held);
    if (is_beyond) {
        m->held = off;
        return;
    }
    m->count += m->count < HESCA_LEARN_COUNT;
    add_noise(m, off);
    m->usual += off / m->count;
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

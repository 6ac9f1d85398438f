/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts with the same processors, quota and cores whose speeds hardly differ
 * are equal, and so are links of about the same rate: what is left between
 * them is the noise of a short measurement.  A host that was busy counts as
 * the others of its kind. */
#include "base/sort.h"
#include "base/status.h"
#include "exec/agree.h"
#include "survey/facts.h"
#include "survey/survey.h"
#include <math.h>
#include <stdlib.h>

/* Speeds of equal hosts, and rates of equal links, differ by less from their
 * median; speeds also by less than so many mean widths of those that are
 * certain, and startups by so many seconds, since an exhausted quota delays
 * them. */
static const double EQUAL_SPEED = 0.12, EQUAL_LINK = 0.25, EQUAL_WIDTHS = 3,
                    EQUAL_STARTUP = 2e-4;

/* Half a confidence interval that is too wide to keep the speed, or the rate
 * of a link. */
static const double TOO_WIDE = 0.1, UNSURE = 0.2;

int
hesca_survey_is_certain(const hesca_survey_host *h)
{
    return h->share >= HESCA_SURVEY_BUSY && h->width <= TOO_WIDE;
}

int
hesca_survey_level(int n, const int *kind, const char *certain, double part,
                   double amount, double *value)
{
    double *sorted = malloc((size_t)n * sizeof *sorted), ends[2];
    if (sorted == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d values of a survey", n);
    for (int k = 0; k < n; ++k) {
        int known = 0, count = 0;
        if (kind[k] != k)
            continue;
        for (int i = k; i < n; ++i)
            known += kind[i] == k && certain[i];
        for (int i = k; i < n; ++i)
            if (kind[i] == k && (certain[i] || (known == 0 && value[i] > 0)))
                sorted[count++] = value[i];
        const double middle =
            count > 0 ? hesca_median(sorted, count, ends) : 0;
        for (int i = k; i < n && count > 0; ++i)
            if (kind[i] == k && (!certain[i] || fabs(value[i] - middle) <=
                                                    part * middle + amount))
                value[i] = middle;
    }
    free(sorted);
    return HESCA_SUCCESS;
}

/* What is levelled: of hosts, or of links. */
typedef struct {
    double *value;
    int *kind;
    char *certain;
} levels;

/* Hosts with the same facts are of one kind. */
static int
level_speeds(hesca_survey *x, const hesca_facts *of, levels l)
{
    const int n = x->n;
    double width = 0;
    int known = 0;
    for (int i = 0; i < n; ++i) {
        int first = 0;
        while (of[first].processor != of[i].processor ||
               fabs(of[first].quota - of[i].quota) >= 0.01 ||
               of[first].cores != of[i].cores)
            ++first;
        l.kind[i] = first;
        l.certain[i] = (char)hesca_survey_is_certain(&x->host[i]);
        l.value[i] = x->host[i].speed;
        width += l.certain[i] ? x->host[i].width : 0;
        known += l.certain[i];
    }
    width /= known > 0 ? known : 1;
    const int err = hesca_survey_level(n, l.kind, l.certain,
                                       fmax(EQUAL_SPEED, EQUAL_WIDTHS * width),
                                       0, l.value);
    for (int i = 0; i < n; ++i)
        x->host[i].speed = l.value[i];
    return err;
}

/* Whether a rate is to be believed: it is repeated, or, if there is a reason
 * to expect another one than those of other links, the other direction has it,
 * too. */
static int
is_certain_link(const hesca_survey *x, int from, int to, int expects)
{
    const hesca_survey_link *a = &x->link[from * x->n + to];
    const hesca_survey_link *b = &x->link[to * x->n + from];
    if (a->rate <= 0 || !hesca_survey_is_certain(&x->host[from]) ||
        !hesca_survey_is_certain(&x->host[to]))
        return 0;
    return a->rate_width <= UNSURE ||
           (expects && b->rate > 0 &&
            fabs(log(a->rate / b->rate)) < EQUAL_LINK);
}

/* Links between hosts; those that were not measured are like the others. */
static int
level_links(hesca_survey *x, levels l, int expects)
{
    const int n = x->n, first = 1; /* that of host 0 to 1 */
    int err = HESCA_SUCCESS;
    for (int what = 0; what < 2 && err == HESCA_SUCCESS; ++what) {
        for (int k = 0; k < n * n; ++k) {
            const hesca_survey_link *a = &x->link[k];
            l.kind[k] = k / n == k % n ? -1 : first;
            l.certain[k] = (char)is_certain_link(x, k / n, k % n, expects);
            l.value[k] = what == 0 ? a->startup : a->rate;
        }
        err = hesca_survey_level(n * n, l.kind, l.certain, EQUAL_LINK,
                                 what == 0 ? EQUAL_STARTUP : 0, l.value);
        for (int k = 0; k < n * n; ++k)
            if (l.kind[k] == first)
                *(what == 0 ? &x->link[k].startup : &x->link[k].rate) =
                    l.value[k];
    }
    return err;
}

int
hesca_survey_level_all(hesca_survey *x, const hesca_facts *of)
{
    const size_t n = (size_t)x->n * (size_t)x->n;
    const levels l = {calloc(n, sizeof *l.value), calloc(n, sizeof *l.kind),
                      calloc(n, 1)};
    int err;
    if (l.value == NULL || l.kind == NULL || l.certain == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "links of %d hosts", x->n));
    if (of != NULL)
        HESCA_TRY(err, level_speeds(x, of, l));
    err = level_links(x, l, of == NULL);
fail:
    free(l.value);
    free(l.kind);
    free(l.certain);
    return err;
}

int
hesca_survey_level_speeds(const hesca_comm *c, hesca_survey *x)
{
    const size_t n = (size_t)x->n;
    const levels l = {malloc(n * sizeof *l.value), malloc(n * sizeof *l.kind),
                      malloc(n)};
    hesca_facts *of = malloc(n * sizeof *of);
    int err = HESCA_SUCCESS;
    if (l.value == NULL || l.kind == NULL || l.certain == NULL || of == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "speeds of %d hosts", x->n);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err, hesca_facts_gather(c, x, of));
    HESCA_TRY(err, hesca_agree(c, level_speeds(x, of, l), 0, NULL));
fail:
    free(l.value);
    free(l.kind);
    free(l.certain);
    free(of);
    return err;
}

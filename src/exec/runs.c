#include "exec/runs.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

/* Add a piece to the runs begin ... r->n - 1 of the array, if it continues
 * the last of them, else behind them. */
static void
append(hesca_run *run, int64_t begin, int64_t *end, int64_t src, int64_t dst,
       int64_t len)
{
    hesca_run *last = *end > begin ? &run[*end - 1] : NULL;
    if (last != NULL && last->count == 1 && last->src + last->len == src &&
        last->dst + last->len == dst) {
        last->len += len;
        return;
    }
    if (last != NULL && last->len == len) {
        const int64_t s =
            src - (last->src + (last->count - 1) * last->src_step);
        const int64_t d =
            dst - (last->dst + (last->count - 1) * last->dst_step);
        if (last->count == 1 || (s == last->src_step && d == last->dst_step)) {
            last->src_step = s;
            last->dst_step = d;
            ++last->count;
            return;
        }
    }
    run[(*end)++] =
        (hesca_run){.src = src, .dst = dst, .len = len, .count = 1};
}

static int64_t
src_of(hesca_motion motion, int64_t a, int64_t packed)
{
    return motion == HESCA_UNPACK ? packed : a;
}

static int64_t
dst_of(hesca_motion motion, int64_t b, int64_t packed)
{
    return motion == HESCA_PACK ? packed : b;
}

/* One run that repeats with the period is one run with a larger count, or one
 * long piece if it fills the period. */
static void
flatten(hesca_runs *r)
{
    hesca_run *run = r->run;
    if (r->n != 1 || r->nrep < 2)
        return;
    if (run->count == 1 && run->len == r->src_step &&
        run->len == r->dst_step) {
        run->len *= r->nrep;
    } else if (run->count == 1) {
        run->count = r->nrep;
        run->src_step = r->src_step;
        run->dst_step = r->dst_step;
    } else if (run->count * run->src_step == r->src_step &&
               run->count * run->dst_step == r->dst_step) {
        run->count *= r->nrep;
    } else {
        return;
    }
    r->nrep = 1;
}

/* Plans are kept for long: give back what was not needed. */
static void
shrink(hesca_runs *r)
{
    const size_t n = (size_t)(r->n + r->ntail);
    hesca_run *less = realloc(r->run, (n + 1) * sizeof *less);
    if (less != NULL)
        r->run = less;
}

int
hesca_runs_make(hesca_runs *r, const hesca_overlap *o, hesca_motion motion)
{
    int64_t end = 0;
    memset(r, 0, sizeof *r);
    r->run = malloc((size_t)(o->n + o->ntail + 1) * sizeof *r->run);
    if (r->run == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld runs", (long long)o->n);
    r->nrep = o->nrep;
    r->src_step = src_of(motion, o->a_step, o->count);
    r->dst_step = dst_of(motion, o->b_step, o->count);
    for (int64_t k = 0; k < o->n; ++k) {
        const hesca_interval *iv = &o->iv[k];
        append(r->run, 0, &end, src_of(motion, iv->a, iv->before),
               dst_of(motion, iv->b, iv->before), iv->len);
    }
    r->n = end;
    for (int64_t k = 0; k < o->ntail; ++k) {
        const hesca_interval *iv = &o->iv[k];
        const int64_t packed = o->nrep * o->count + iv->before;
        append(r->run, r->n, &end,
               src_of(motion, iv->a + o->nrep * o->a_step, packed),
               dst_of(motion, iv->b + o->nrep * o->b_step, packed),
               k + 1 < o->ntail ? iv->len : o->tail_len);
    }
    r->ntail = end - r->n;
    flatten(r);
    shrink(r);
    if (r->n == 1 && r->nrep == 1 && r->ntail == 1 && r->run[0].count == 1 &&
        r->run[1].count == 1 &&
        r->run[0].src + r->run[0].len == r->run[1].src &&
        r->run[0].dst + r->run[0].len == r->run[1].dst) {
        r->run[0].len += r->run[1].len;
        r->ntail = 0;
    }
    return HESCA_SUCCESS;
}

void
hesca_runs_clear(hesca_runs *r)
{
    free(r->run);
    memset(r, 0, sizeof *r);
}

int
hesca_runs_is_flat(const hesca_runs *r)
{
    return r->n == 1 && r->nrep == 1 && r->ntail == 0 && r->run[0].count == 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/copy_runs.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

/* Append a run to the runs begin ... *end - 1 of the array; merge it with the
 * last of them if it continues that one. */
static void
append(hesca_run *run, int64_t begin, int64_t *end, hesca_run more)
{
    hesca_run *last = *end > begin ? &run[*end - 1] : NULL;
    if (last != NULL && last->count == 1 && more.count == 1 &&
        last->src + last->len == more.src &&
        last->dst + last->len == more.dst) {
        last->len += more.len;
        return;
    }
    if (last != NULL && last->len == more.len) {
        const int64_t s =
            more.src - (last->src + (last->count - 1) * last->src_step);
        const int64_t d =
            more.dst - (last->dst + (last->count - 1) * last->dst_step);
        if ((last->count == 1 ||
             (s == last->src_step && d == last->dst_step)) &&
            (more.count == 1 || (s == more.src_step && d == more.dst_step))) {
            last->src_step = s;
            last->dst_step = d;
            last->count += more.count;
            return;
        }
    }
    run[(*end)++] = more;
}

/* The inner loop of a pattern, for the motion. */
static hesca_run
run_of(const hesca_pieces *x, hesca_motion motion)
{
    const int to_message = motion == HESCA_PACK;
    const int from_message = motion == HESCA_UNPACK;
    hesca_run r = {.src = from_message ? x->pos : x->a,
                   .dst = to_message ? x->pos : x->b,
                   .len = x->len,
                   .count = x->inner.n};
    if (r.count > 1) {
        r.src_step = from_message ? x->inner.pos : x->inner.a;
        r.dst_step = to_message ? x->inner.pos : x->inner.b;
    }
    if (r.src_step == r.len && r.dst_step == r.len) /* no gap on either side */
        r = (hesca_run){r.src, r.dst, r.len * r.count, 1, 0, 0};
    return r;
}

/* One run that repeats with the period becomes one run with a larger count, or
 * one long piece if it fills the period. */
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

/* Plans live long: release the memory that was not needed. */
static void
shrink(hesca_runs *r)
{
    const size_t n = (size_t)(r->n + r->ntail);
    hesca_run *less = realloc(r->run, (n + 1) * sizeof *less);
    if (less != NULL)
        r->run = less;
}

int
hesca_runs_init(hesca_runs *r, const hesca_overlap *o, hesca_motion motion)
{
    hesca_walk period = {.overlap = o, .end = o->count};
    hesca_walk tail = {
        .overlap = o, .pos = o->nrep * o->count, .end = o->total};
    hesca_pieces x;
    int64_t end = 0;
    memset(r, 0, sizeof *r);
    /* The tail may cut the interval that it ends in. */
    r->run = malloc((size_t)(2 * o->n + 2) * sizeof *r->run);
    if (r->run == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld runs", (long long)o->n);
    r->nrep = o->nrep;
    r->src_step = motion == HESCA_UNPACK ? o->count : o->a_step;
    r->dst_step = motion == HESCA_PACK ? o->count : o->b_step;
    while (hesca_overlap_next(&period, &x))
        append(r->run, 0, &end, run_of(&x, motion));
    r->n = end;
    while (hesca_overlap_next(&tail, &x))
        append(r->run, r->n, &end, run_of(&x, motion));
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

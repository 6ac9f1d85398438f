/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of hesca_redistribute(), whose plans are kept. */
#include "exec/plan_cache.h"
#include "testing/check.h"
#include "testing/exec/plans.h"
#include <string.h>

/* What this process knows of a matrix; nonsense if it is not in the grid. */
static hesca_side
side_of(const place *x, const array *data, int rank)
{
    const int k = position(x, rank);
    if (k < 0)
        return (hesca_side){0,  -7, -7, -7, -7, -7, -7,      -7,
                            -7, -7, -7, -7, -7, -7, {-7, -7}};
    return (hesca_side){.member = 1,
                        .nprow = x->nprow,
                        .npcol = x->npcol,
                        .myrow = k / x->npcol,
                        .mycol = k % x->npcol,
                        .m = x->m,
                        .n = x->n,
                        .mb = x->mb,
                        .nb = x->nb,
                        .rsrc = x->rsrc,
                        .csrc = x->csrc,
                        .i = x->i,
                        .j = x->j,
                        .lld = data->ld};
}

/* One call with new contents; cached: 0, 1, or -1 for either. */
static void
redistribute(const world *w, copy *c, const place *pa, const place *pb,
             int cached, const char *what)
{
    array a, b;
    hesca_plan_info info;
    const int more_a = check_uniform(0, 3), more_b = check_uniform(0, 3);
    c->source = pa;
    c->seed = check_random();
    describe(c, w, -3, pa, pb);
    allocate(&a, pa, w->rank, c, more_a, 0);
    allocate(&b, pb, w->rank, c, more_b, 0);
    fill_source(&a, c);
    fill_target(&b, c);
    const hesca_side sa = side_of(pa, &a, w->rank);
    const hesca_side sb = side_of(pb, &b, w->rank);
    memset(&info, 0x77, sizeof info);
    const int err = hesca_redistribute(
        HESCA_SUCCESS, c->part, c->m, c->n, &sa, a.owned > 0 ? a.data : NULL,
        &sb, b.owned > 0 ? b.data : NULL, c->esize, w->comm,
        check_uniform(0, 3) ? &info : NULL);
    CHECK(err == HESCA_SUCCESS, "%s, %s: %d, %s", c->text, what, err,
          hesca_error_text());
    check_target(&b, c, what);
    if (info.cached != 0x77777777 && c->m > 0 && c->n > 0) {
        CHECK(cached < 0 || info.cached == cached, "%s, %s: cached %d",
              c->text, what, info.cached);
        check_info(&info, c, pa, pb, w->schedule, info.cached);
        check_transport(&info, w, c, pa, pb, 1);
    }
    release(&a);
    release(&b);
}

/* Grids that share no process, so that no process knows both sides. */
void
disjoint_grids(const world *w, int ncases)
{
    for (int k = 0; k < ncases && w->size > 1; ++k) {
        copy c = {.part = (hesca_part)(k % 5), .esize = 8};
        c.m = check_uniform(1, 30);
        c.n = check_uniform(1, 30);
        const int split = check_uniform(1, w->size - 1);
        const int swapped = check_uniform(0, 1);
        place x = random_place(c.m, c.n, 0, split);
        place y = random_place(c.m, c.n, split, w->size);
        const place *a = swapped ? &y : &x, *b = swapped ? &x : &y;
        redistribute(w, &c, a, b, 0, "disjoint grids");
        redistribute(w, &c, a, b, 1, "disjoint grids, again");
        redistribute(w, &c, a, b, 1, "disjoint grids, once more");
        /* B moves, which A's processes cannot see. */
        place z = *b;
        z.nb += 1;
        create(&z);
        redistribute(w, &c, a, &z, 0, "disjoint grids, other B");
        redistribute(w, &c, a, b, -1, "disjoint grids, B as it was");
        redistribute(w, &c, a, &z, -1, "disjoint grids, other B again");
        redistribute(w, &c, b, a, 0, "disjoint grids, back");
        hesca_layout_free(z.layout);
        hesca_layout_free(x.layout);
        hesca_layout_free(y.layout);
    }
}

/* Change one argument at a time: the plan must not be the cached one. */
void
changed_arguments(const world *w)
{
    copy c = {.part = HESCA_ALL, .m = 20, .n = 18, .esize = 8};
    place a = {.m = 30, .n = 31, .i = 3, .j = 4, .mb = 3, .nb = 4};
    place b = {.m = 28, .n = 27, .i = 2, .j = 5, .mb = 5, .nb = 2};
    a.nprow = w->size;
    a.npcol = 1;
    b.nprow = 1;
    b.npcol = w->size;
    a.rsrc = a.nprow - 1;
    b.csrc = b.npcol - 1;
    for (int k = 0; k < w->size; ++k)
        a.ranks[k] = b.ranks[k] = k;
    create(&a);
    create(&b);
    redistribute(w, &c, &a, &b, 0, "first call");
    for (int k = 0; k < 22; ++k) {
        copy cc = c;
        place aa = a, bb = b;
        char what[50];
        int changed = 1;
        snprintf(what, sizeof what, "argument %d changed", k);
        switch (k) {
        case 0:
            cc.part = HESCA_UPPER;
            break;
        case 1:
            cc.m -= 1;
            break;
        case 2:
            cc.n += 1;
            break;
        case 3:
            cc.esize = 4;
            break;
        case 4:
            aa.m += 1;
            break;
        case 5:
            aa.n += 1;
            break;
        case 6:
            aa.mb += 1;
            break;
        case 7:
            aa.nb += 1;
            break;
        case 8:
            aa.i += 1;
            break;
        case 9:
            aa.j += 1;
            break;
        case 10:
            aa.rsrc = 0;
            changed = w->size > 1;
            break;
        case 11:
            bb.m += 1;
            break;
        case 12:
            bb.n += 1;
            break;
        case 13:
            bb.mb += 1;
            break;
        case 14:
            bb.nb += 1;
            break;
        case 15:
            bb.i += 1;
            break;
        case 16:
            bb.j += 1;
            break;
        case 17:
            bb.csrc = 0;
            changed = w->size > 1;
            break;
        case 18: /* two ranks change places */
            aa.ranks[0] = w->size - 1;
            aa.ranks[w->size - 1] = 0;
            changed = w->size > 1;
            break;
        case 19:
            bb.nprow = w->size;
            bb.npcol = 1;
            bb.csrc = 0;
            changed = w->size > 1;
            break;
        case 20:
            cc.part = HESCA_LOWER_STRICT;
            break;
        default:
            aa = b;
            bb = a;
        }
        create(&aa);
        create(&bb);
        /* An axis with one owner is the same for any block size. */
        const int one = (k == 7 || k == 13) ||
                        (w->size == 1 && k < 18 && (k == 6 || k == 14));
        redistribute(w, &cc, &aa, &bb, one ? -1 : !changed, what);
        redistribute(w, &cc, &aa, &bb, 1, what);
        /* Processes that see no difference between both calls take the plan
         * used last: then all look for the right one together. */
        redistribute(w, &c, &a, &b, one || k == 18 ? -1 : 1, "as at first");
        hesca_layout_free(aa.layout);
        hesca_layout_free(bb.layout);
    }
    hesca_layout_free(a.layout);
    hesca_layout_free(b.layout);
}

/* More different calls than the cache keeps. */
void
evictions(const world *w)
{
    enum { CALLS = HESCA_CACHE_PLANS + 6 };
    copy c = {.part = HESCA_ALL, .esize = 5};
    place a = {.m = CALLS, .n = 20, .mb = 2, .nb = 3, .nprow = 1};
    place b = {.m = CALLS, .n = 20, .mb = 4, .nb = 1, .npcol = 1};
    a.npcol = b.nprow = w->size;
    for (int k = 0; k < w->size; ++k)
        a.ranks[k] = b.ranks[k] = k;
    create(&a);
    create(&b);
    for (int k = 0; k < CALLS; ++k) {
        c.m = 1 + k;
        c.n = 7;
        redistribute(w, &c, &a, &b, 0, "a new call");
    }
    /* The last ones are there; used in turn, all stay. */
    for (int k = CALLS - 1; k >= CALLS - HESCA_CACHE_PLANS; --k) {
        c.m = 1 + k;
        redistribute(w, &c, &a, &b, 1, "a kept call");
    }
    for (int k = 0; k < 6; ++k) {
        c.m = 1 + k;
        redistribute(w, &c, &a, &b, 0, "a forgotten call");
    }
    hesca_layout_free(a.layout);
    hesca_layout_free(b.layout);
}

void
random_calls(const world *w, int ncases)
{
    for (int k = 0; k < ncases; ++k) {
        copy c = {.part = (hesca_part)check_uniform(0, HESCA_LOWER_STRICT)};
        c.m = check_uniform(0, 9) ? check_uniform(1, 40) : 0;
        c.n = check_uniform(0, 9) ? check_uniform(1, 40) : 0;
        c.esize = (size_t)check_uniform(1, ESIZE);
        place a = random_place(c.m, c.n, 0, w->size);
        place b = random_place(c.m, c.n, 0, w->size);
        for (int again = 0; again < 2; ++again)
            redistribute(w, &c, &a, &b, again, "a random call");
        hesca_layout_free(a.layout);
        hesca_layout_free(b.layout);
    }
}

/* Communicators come and go, some while others are alive, the older ones
 * first or last. */

/* SPDX-License-Identifier: BSD-3-Clause */
/* Contiguous chunks: the example worked by hand, and the optimum of small
 * cases with and without reordering. */
#include "testing/partition/sets.h"

enum { MOST = 2000 };

static double
time_of(const hesca_speed *speed, int64_t weight)
{
    return weight > 0 ? (double)weight / hesca_speed_at(speed, (double)weight)
                      : 0;
}

/* Chunks fit each other, the limits and the time. */
static void
check_chunks(const models *m, const hesca_shares *s, int64_t n,
             const int64_t *weight)
{
    int64_t from = 0;
    double longest = 0;
    for (int k = 0; k < m->p; ++k) {
        const int i = hesca_shares_place(s, k);
        const int64_t count = hesca_shares_count(s, i);
        int64_t sum = 0;
        CHECK(hesca_shares_first(s, i) == from && count >= 0 &&
                  (double)count <= hesca_speed_limit(m->speed[i]),
              "chunk %d of %d: %lld from %lld, not %lld", k, i,
              (long long)count, (long long)hesca_shares_first(s, i),
              (long long)from);
        for (int64_t e = from; e < from + count && e < n; ++e) {
            CHECK(hesca_shares_owner(s, e) == i, "%d", (int)e);
            sum += weight[e];
        }
        CHECK(sum == hesca_shares_weight(s, i), "weight of %d", i);
        longest = fmax(longest, time_of(m->speed[i], sum));
        from += count;
    }
    CHECK(from == n, "%lld of %lld", (long long)from, (long long)n);
    CHECK(hesca_shares_time(s) == longest && hesca_shares_ideal(s) <= longest,
          "%.17g, not %.17g", hesca_shares_time(s), longest);
}

static hesca_shares *
make(const models *m, int64_t n, const int64_t *weight, int reorder)
{
    hesca_shares *s;
    CHECK(hesca_shares_create_ordered(m->p, m->speed, n, weight, reorder,
                                      &s) == HESCA_SUCCESS,
          "p=%d n=%lld: %s", m->p, (long long)n, hesca_error_text());
    check_chunks(m, s, n, weight);
    return s;
}

static void
by_hand(void)
{
    static const int64_t weight[8] = {4, 1, 3, 2, 6, 2, 5, 1};
    models m = {.p = 0};
    for (int i = 0; i < 3; ++i)
        models_add_constant(&m, (const double[]){3, 1, 2}[i], INFINITY);
    hesca_shares *s = make(&m, 8, weight, 0);
    CHECK(hesca_shares_first(s, 1) == 5 && hesca_shares_first(s, 2) == 5 &&
              hesca_shares_time(s) == 16. / 3 && hesca_shares_is_exact(s),
          "%g", hesca_shares_time(s));
    hesca_shares_free(s);
    s = make(&m, 8, weight, 1);
    CHECK(hesca_shares_time(s) == 4 && hesca_shares_is_exact(s) &&
              hesca_shares_place(s, 0) == 1 && hesca_shares_place(s, 1) == 0 &&
              hesca_shares_count(s, 0) == 4 && hesca_shares_count(s, 1) == 1,
          "%g", hesca_shares_time(s));
    hesca_shares_free(s);
    models_clear(&m);
}

/* ----- small cases ------------------------------------------------------- */

/* The least largest time of elements from ... n - 1, chunks of processors that
 * are not in the set: in order, or of any order. */
static double
optimum(const models *m, int64_t n, const int64_t *weight, int reorder,
        int64_t from, int set)
{
    double best = from == n ? 0 : INFINITY;
    int first = 1;
    for (int i = 0; i < m->p; ++i) {
        if (set & 1 << i || (!first && !reorder))
            continue;
        first = 0;
        int64_t sum = 0;
        for (int64_t end = from;; ++end) {
            const double time = time_of(m->speed[i], sum);
            if ((double)(end - from) > hesca_speed_limit(m->speed[i]) ||
                time >= best)
                break;
            best = fmin(best, fmax(time, optimum(m, n, weight, reorder, end,
                                                 set | 1 << i)));
            if (end == n)
                break;
            sum += weight[end];
        }
    }
    return best;
}

static void
small(void)
{
    for (int c = 0; c < check_cases(3000); ++c) {
        const int p = check_uniform(1, 4), reorder = c % 2;
        const int64_t n = check_uniform(0, p < 4 ? 12 : 9);
        int64_t weight[12];
        hesca_shares *s;
        models m;
        for (int64_t e = 0; e < n; ++e)
            weight[e] = check_uniform(0, c % 3 ? 9 : 1000);
        models_random(&m, p, (models_kind)(c % KINDS), 2. * (double)n + 2,
                      c / KINDS % 2);
        const double best = optimum(&m, n, weight, reorder, 0, 0);
        const int err =
            hesca_shares_create_ordered(p, m.speed, n, weight, reorder, &s);
        CHECK((err == HESCA_SUCCESS) == (best < INFINITY),
              "case %d: %d, optimum %g: %s", c, err, best, hesca_error_text());
        if (s != NULL) {
            check_chunks(&m, s, n, weight);
            CHECK(hesca_shares_time(s) == best && hesca_shares_is_exact(s),
                  "case %d, p=%d n=%lld: %.17g, optimum %.17g", c, p,
                  (long long)n, hesca_shares_time(s), best);
        }
        hesca_shares_free(s);
        models_clear(&m);
    }
}

/* ----- larger ones ------------------------------------------------------- */

/* As many as are reordered exactly, and more: not worse than the order that is
 * given, and as good where a part of the processors is so slow that it does
 * not count. */
static void
reordering(void)
{
    double gained = 0, exact = 0;
    const int cases = check_cases(6);
    for (int c = 0; c < cases; ++c) {
        static int64_t weight[MOST];
        models m;
        for (int64_t e = 0; e < MOST; ++e)
            weight[e] = check_uniform(0, 100) * (e % 7 ? 1 : 20);
        models_random(&m, 12, REAL, 10, 0);
        hesca_shares *fixed = make(&m, MOST, weight, 0),
                     *best = make(&m, MOST, weight, 1);
        CHECK(hesca_shares_is_exact(best) &&
                  hesca_shares_time(best) <= hesca_shares_time(fixed),
              "case %d", c);
        models_add_constant(&m, 1e-12, INFINITY);
        hesca_shares *good = make(&m, MOST, weight, 1);
        CHECK(hesca_shares_time(good) >= hesca_shares_time(best) &&
                  hesca_shares_time(good) <= hesca_shares_time(fixed),
              "case %d", c);
        exact += hesca_shares_time(fixed) / hesca_shares_time(best) - 1;
        gained += hesca_shares_time(fixed) / hesca_shares_time(good) - 1;
        hesca_shares_free(fixed);
        hesca_shares_free(best);
        hesca_shares_free(good);
        models_clear(&m);
    }
    printf("reordering 12 gains %.3f %%, the heuristic %.3f %%\n",
           100 * exact / cases, 100 * gained / cases);
}

static void
many(void)
{
    static int64_t weight[20000];
    const int64_t n = 20000;
    for (int c = 0; c < check_cases(10); ++c) {
        models m;
        int64_t total = 0, heaviest = 0;
        for (int64_t e = 0; e < n; ++e) {
            weight[e] = check_uniform(0, 50);
            total += weight[e];
            heaviest = weight[e] > heaviest ? weight[e] : heaviest;
        }
        models_random(&m, 300, (models_kind)(c % KINDS),
                      2 * (double)total / 300, 0);
        models_add_constant(&m, 10, INFINITY);
        for (int reorder = 0; reorder < 2; ++reorder)
            hesca_shares_free(make(&m, n, weight, reorder));
        models_clear(&m);
        /* All equal: a cut is off by half of an element at most. */
        models_random(&m, 300, ALIKE, 1, 0);
        hesca_shares *s = make(&m, n, weight, 1);
        CHECK(hesca_shares_is_exact(s), "case %d", c);
        CHECK(hesca_shares_time(s) <=
                  hesca_shares_ideal(s) + (double)heaviest / 3,
              "%g, ideal %g", hesca_shares_time(s), hesca_shares_ideal(s));
        hesca_shares_free(s);
        models_clear(&m);
    }
}

/* No processor idles needlessly, as the longest chunks would cause. */
static void
even(void)
{
    static const int64_t ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    hesca_shares *s;
    for (int64_t n = 3; n <= 8; ++n) {
        CHECK(hesca_shares_create_ordered(3, NULL, n, ones, 0, &s) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        for (int i = 0; i < 3; ++i)
            CHECK(hesca_shares_count(s, i) >= n / 3 &&
                      hesca_shares_count(s, i) <= (n + 2) / 3,
                  "n=%d: %d for %d", (int)n, (int)hesca_shares_count(s, i), i);
        hesca_shares_free(s);
    }
    CHECK(hesca_shares_create_ordered(3, NULL, 8, NULL, 1, &s) ==
                  HESCA_SUCCESS &&
              hesca_shares_first(s, 1) == 3 && hesca_shares_first(s, 2) == 6,
          "%s", hesca_error_text());
    hesca_shares_free(s);
}

static void
bad_arguments(void)
{
    static const double size[2] = {2, 10}, speed[2] = {1, 0};
    const int64_t weight[3] = {5, 8, 5};
    models m = {.p = 0};
    hesca_shares *s;
    models_add(&m, 2, size, speed, INFINITY);
    models_add(&m, 2, size, speed, INFINITY);
    sets_bad(hesca_shares_create_ordered(0, m.speed, 3, weight, 0, &s),
             "p, is 0");
    sets_bad(hesca_shares_create_ordered(2, m.speed, -3, weight, 0, &s),
             "n, is");
    sets_bad(hesca_shares_create_ordered(2, m.speed, 3, weight, 0, NULL),
             "argument 6, shares");
    sets_bad(hesca_shares_create_ordered(2, m.speed, 3, (int64_t[]){0, -1, 0},
                                         0, &s),
             "argument 4, weight[1], is -1");
    for (int reorder = 0; reorder < 2; ++reorder)
        sets_bad(
            hesca_shares_create_ordered(2, m.speed, 3, weight, reorder, &s),
            "found no way to fit 3 elements of weight 18");
    models_clear(&m);
    for (int i = 0; i < 13; ++i)
        models_add(&m, 2, size, speed, INFINITY);
    sets_bad(
        hesca_shares_create_ordered(13, m.speed, 2, (int64_t[]){4, 50}, 1, &s),
        "found no way");
    CHECK(s == NULL, "not cleared");
    models_clear(&m);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(by_hand),    UNIT(small),
                                       UNIT(reordering), UNIT(many),
                                       UNIT(even),       UNIT(bad_arguments)};
    unit_begin("partition/t_ordered", 20261127);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

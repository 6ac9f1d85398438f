/* SPDX-License-Identifier: BSD-3-Clause */
/* The Variable Group Block distribution. */
#include "hesca/experimental/groups.h"
#include "testing/partition/sets.h"

/* Owners as one word. */
static void
check_owners(const models *s, int64_t n, int64_t nb, const char *owners,
             const int *first)
{
    hesca_groups *g;
    const int err = hesca_groups_create(s->p, s->speed, n, nb, &g);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    CHECK(hesca_groups_blocks(g) == (int64_t)strlen(owners), "%lld blocks",
          (long long)hesca_groups_blocks(g));
    for (int64_t k = 0; k < hesca_groups_blocks(g); ++k)
        CHECK(hesca_groups_owner(g, k) == owners[k] - '0',
              "block %lld is %d's, not %c's", (long long)k,
              hesca_groups_owner(g, k), owners[k]);
    for (int64_t k = 0; k <= hesca_groups_count(g); ++k)
        CHECK(hesca_groups_first(g, k) == first[k],
              "group %lld begins at %lld", (long long)k,
              (long long)hesca_groups_first(g, k));
    CHECK(hesca_groups_owner(g, -1) == -1 &&
              hesca_groups_owner(g, hesca_groups_blocks(g)) == -1,
          "blocks that are none");
    hesca_groups_free(g);
}

/* Speeds 3:2:1 give the first group of figure 4.38, 2 1 1 0 0 0, again and
 * again; the last is cut off, and its fewer blocks are shared again. */
static void
constant_speeds(void)
{
    static const int three[] = {0, 6, 12, 18}, two[] = {0, 6, 9};
    models s = {.p = 0};
    for (int i = 3; i > 0; --i)
        models_add_constant(&s, i, INFINITY);
    check_owners(&s, 576, 32, "211000211000211000", three);
    check_owners(&s, 257, 32,
                 "211000"
                 "100",
                 two);
    models_clear(&s);
}

/* Fewer than two blocks for each would not do: 2:2:3 makes 3, so 7 are taken,
 * the third group of the figure. */
static void
enough_blocks(void)
{
    static const int first[] = {0, 7, 14};
    models s = {.p = 0};
    models_add_constant(&s, 3, INFINITY);
    models_add_constant(&s, 2, INFINITY);
    models_add_constant(&s, 2, INFINITY);
    check_owners(&s, 14, 1, "22110002211000", first);
    models_clear(&s);
}

/* Processor 0 is three times as fast while what it has fits, and as fast as
 * the others beyond: groups change as the matrix shrinks. */
static void
speeds_at_sizes(void)
{
    static const double size[] = {3000, 4000}, speed[] = {3, .9};
    models s = {.p = 0};
    hesca_groups *g;
    models_add(&s, 2, size, speed, INFINITY);
    models_add_constant(&s, 1, INFINITY);
    CHECK(hesca_groups_create(2, s.speed, 120, 1, &g) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    int64_t fast[2] = {0, 0};
    const int64_t groups = hesca_groups_count(g);
    for (int64_t k = 0; k < 2; ++k) {
        /* The first group, and the last but one, which is whole. */
        const int64_t i = k == 0 ? 0 : groups - 2;
        for (int64_t b = hesca_groups_first(g, i);
             b < hesca_groups_first(g, i + 1); ++b)
            fast[k] += hesca_groups_owner(g, b) == 0;
    }
    CHECK(hesca_groups_first(g, 1) == 4 && fast[0] == 2, "first: %lld of %lld",
          (long long)fast[0], (long long)hesca_groups_first(g, 1));
    CHECK(hesca_groups_first(g, groups - 1) -
                      hesca_groups_first(g, groups - 2) ==
                  4 &&
              fast[1] == 3,
          "last: %lld", (long long)fast[1]);
    hesca_groups_free(g);
    models_clear(&s);
}

/* Groups of constant speeds are copied once no limit binds, those of speed
 * functions are not: here these are constant, too.  Speeds are primes, so no
 * two processors tie, which rounding would decide. */
static void
same_speeds(void)
{
    static const double size[] = {1, 2},
                        prime[] = {307, 101, 601, 211, 503, 401, 823};
    for (int k = 0; k < check_cases(60); ++k) {
        const int64_t n = check_uniform(1, 400), nb = check_uniform(1, 5);
        const int p = check_uniform(2, 6), bound = check_uniform(0, 2 * p);
        models constant = {.p = 0}, function = {.p = 0};
        hesca_groups *x, *y;
        for (int i = 0; i < p; ++i) {
            const double s = prime[(k + i) % 7], speed[] = {s, s};
            const double limit =
                i == bound ? (double)check_uniform(0, (int)(n * n / p))
                           : INFINITY;
            models_add_constant(&constant, s, limit);
            models_add(&function, 2, size, speed, limit);
        }
        CHECK(hesca_groups_create(p, constant.speed, n, nb, &x) ==
                      HESCA_SUCCESS &&
                  hesca_groups_create(p, function.speed, n, nb, &y) ==
                      HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(hesca_groups_count(x) == hesca_groups_count(y),
              "%lld groups, not %lld", (long long)hesca_groups_count(x),
              (long long)hesca_groups_count(y));
        for (int64_t b = 0; b < hesca_groups_blocks(x); ++b)
            CHECK(hesca_groups_owner(x, b) == hesca_groups_owner(y, b),
                  "block %lld is %d's, not %d's", (long long)b,
                  hesca_groups_owner(x, b), hesca_groups_owner(y, b));
        for (int64_t g = 0; g <= hesca_groups_count(x); ++g)
            CHECK(hesca_groups_first(x, g) == hesca_groups_first(y, g),
                  "group %lld", (long long)g);
        hesca_groups_free(x);
        hesca_groups_free(y);
        models_clear(&constant);
        models_clear(&function);
    }
}

/* Every group is in proportion, as nearly as whole blocks allow, and begins
 * with the slowest; a processor that can hold nothing has no blocks. */
static void
random_speeds(void)
{
    for (int k = 0; k < check_cases(100); ++k) {
        const int p = check_uniform(1, 12);
        const int64_t n = check_uniform(0, 3000), nb = check_uniform(1, 40);
        models s;
        hesca_groups *g;
        models_random(&s, p, WHOLE, 1, 0);
        const double none = check_uniform(1, 9);
        models_add_constant(&s, none, 0);
        CHECK(hesca_groups_create(s.p, s.speed, n, nb, &g) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        double all = 0, least = INFINITY;
        for (int i = 0; i < p; ++i) {
            all += hesca_speed_at(s.speed[i], 1);
            least = fmin(least, hesca_speed_at(s.speed[i], 1));
        }
        for (int64_t j = 0; j + 1 < hesca_groups_count(g); ++j) {
            const int64_t begin = hesca_groups_first(g, j);
            const int64_t end = hesca_groups_first(g, j + 1);
            double before = 0;
            int count[16] = {0};
            CHECK(end - begin >= 2 * (p + 1) ||
                      (double)(end - begin) > 2 * all / least - 1,
                  "%lld blocks for %d", (long long)(end - begin), p);
            for (int64_t b = begin; b < end; ++b) {
                const int who = hesca_groups_owner(g, b);
                const double now = hesca_speed_at(s.speed[who], 1);
                CHECK(now >= before && who < p, "block %lld is %d's",
                      (long long)b, who);
                before = now;
                ++count[who];
            }
            for (int i = 0; i < p; ++i)
                CHECK(fabs(count[i] - (double)(end - begin) *
                                          hesca_speed_at(s.speed[i], 1) /
                                          all) < p,
                      "%d has %d", i, count[i]);
        }
        hesca_groups_free(g);
        models_clear(&s);
    }
}

static void
expect(int err, int info, const char *word, hesca_groups *const *g)
{
    CHECK(err == HESCA_ERR_ARG && hesca_error_info() == info && *g == NULL &&
              strstr(hesca_error_text(), word) != NULL,
          "%d, %d: '%s', not %s", err, hesca_error_info(), hesca_error_text(),
          word);
}

static void
bad_arguments(void)
{
    const hesca_speed *hole = NULL;
    hesca_groups *g;
    expect(hesca_groups_create(0, NULL, 1, 1, &g), 1, "p, is 0", &g);
    expect(hesca_groups_create(1, &hole, 1, 1, &g), 2, "speed[0]", &g);
    expect(hesca_groups_create(1, NULL, -1, 1, &g), 3, "n, is -1", &g);
    expect(hesca_groups_create(1, NULL, (int64_t)1 << 40, 1, &g), 3, "n, is",
           &g);
    expect(hesca_groups_create(1, NULL, 1, 0, &g), 4, "nb, is 0", &g);
    CHECK(hesca_groups_create(1, NULL, 1, 1, NULL) == HESCA_ERR_ARG,
          "no groups");
    models s = {.p = 0};
    models_add_constant(&s, 1, 99);
    expect(hesca_groups_create(1, s.speed, 10, 1, &g), 2, "limit", &g);
    models_clear(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(constant_speeds), UNIT(enough_blocks), UNIT(speeds_at_sizes),
        UNIT(same_speeds),     UNIT(random_speeds), UNIT(bad_arguments),
    };
    unit_begin("partition/t_groups", 20261124);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

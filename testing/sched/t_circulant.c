/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of R_x(K,P): those that LIM prints, and for all small K and P
 * against the construction in the proof of its Theorem 1, carried out step by
 * step on the table S. */
#include "base/arith.h"
#include "sched/circulant.h"
#include "testing/unit.h"

enum { MOST = 24 };

typedef struct {
    int k, p, g, k1, p1;
    int s[MOST][MOST];    /* S', K x P */
    int dest[MOST][MOST]; /* P_s */
    int row[MOST][MOST];  /* D_s */
} tables;

/* S, row by row; stage 1, Eq. 4; stage 2, Eq. 8 and 9; then P_s(i,j) =
 * S'(i,j)/K, and D_s(i,j) from S'(i,j) = S(D_s(i,j),j). */
static tables
construct(int k, int p)
{
    static int s[MOST][MOST], s1[MOST][MOST];
    tables t = {.k = k, .p = p, .g = (int)hesca_gcd(k, p)};
    const int g = t.g, k1 = t.k1 = k / g, p1 = t.p1 = p / g;
    for (int i = 0; i < k; ++i)
        for (int j = 0; j < p; ++j)
            s[i][j] = i * p + j;
    for (int i = 0; i < k; ++i)
        for (int j = 0; j < p; ++j)
            s1[i % k1 * g + i / k1][j] = s[i][j];
    memset(t.s, -1, sizeof t.s);
    for (int i = 0; i < k; ++i)
        for (int j = 0; j < p; ++j) {
            const int i1 = (i / g * p1 + j / g) % k1;
            const int i2 = (j % g + i % g) % g;
            CHECK(t.s[i1 * g + i2][j] == -1,
                  "R(%d,%d): the proof moves two elements to (%d,%d)", k, p,
                  i1 * g + i2, j);
            t.s[i1 * g + i2][j] = s1[i][j];
        }
    for (int i = 0; i < k; ++i)
        for (int j = 0; j < p; ++j) {
            t.dest[i][j] = t.s[i][j] / k;
            for (int r = 0; r < k; ++r)
                if (s[r][j] == t.s[i][j])
                    t.row[i][j] = r;
        }
    return t;
}

/* The tables of Theorem 2 are those of the construction. */
static void
check_tables(const tables *t)
{
    const hesca_circulant c = hesca_circulant_make(t->k, t->p);
    CHECK(c.k == t->k && c.p == t->p && c.g == t->g && c.k1 == t->k1 &&
              c.p1 == t->p1 && c.n * c.k1 - c.m * c.p1 == 1,
          "R(%d,%d): G=%lld K'=%lld P'=%lld n=%lld m=%lld", t->k, t->p,
          (long long)c.g, (long long)c.k1, (long long)c.p1, (long long)c.n,
          (long long)c.m);
    for (int i = 0; i < t->k; ++i)
        for (int j = 0; j < t->p; ++j) {
            const int64_t d = hesca_circulant_dest(&c, i, j);
            const int64_t r = hesca_circulant_row(&c, i, j);
            CHECK(d == t->dest[i][j], "R(%d,%d): P_s(%d,%d) = %lld, not %d",
                  t->k, t->p, i, j, (long long)d, t->dest[i][j]);
            CHECK(r == t->row[i][j], "R(%d,%d): D_s(%d,%d) = %lld, not %d",
                  t->k, t->p, i, j, (long long)r, t->row[i][j]);
            CHECK(r * t->p + j == t->s[i][j],
                  "R(%d,%d): S'(%d,%d) = %lld, not %d", t->k, t->p, i, j,
                  (long long)(r * t->p + j), t->s[i][j]);
        }
}

/* LIM Figure 11. */
static void
printed(void)
{
    static const int s[6][9] = {{0, 37, 20, 12, 49, 32, 6, 43, 26},
                                {18, 1, 38, 30, 13, 50, 24, 7, 44},
                                {36, 19, 2, 48, 31, 14, 42, 25, 8},
                                {9, 46, 29, 3, 40, 23, 15, 52, 35},
                                {27, 10, 47, 21, 4, 41, 33, 16, 53},
                                {45, 28, 11, 39, 22, 5, 51, 34, 17}};
    static const int dest[6][9] = {
        {0, 6, 3, 2, 8, 5, 1, 7, 4}, {3, 0, 6, 5, 2, 8, 4, 1, 7},
        {6, 3, 0, 8, 5, 2, 7, 4, 1}, {1, 7, 4, 0, 6, 3, 2, 8, 5},
        {4, 1, 7, 3, 0, 6, 5, 2, 8}, {7, 4, 1, 6, 3, 0, 8, 5, 2}};
    static const int base[2][3] = {{0, 2, 1}, {1, 0, 2}};
    static const int offset[3][3] = {{0, 6, 3}, {3, 0, 6}, {6, 3, 0}};
    const hesca_circulant c = hesca_circulant_make(6, 9);
    const tables t = construct(6, 9);
    CHECK(c.g == 3 && c.k1 == 2 && c.p1 == 3, "G=%lld K'=%lld P'=%lld",
          (long long)c.g, (long long)c.k1, (long long)c.p1);
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 9; ++j) {
            CHECK(t.s[i][j] == s[i][j], "construction: S'(%d,%d) = %d", i, j,
                  t.s[i][j]);
            CHECK(hesca_circulant_row(&c, i, j) * 9 + j == s[i][j],
                  "D_s(%d,%d) = %lld", i, j,
                  (long long)hesca_circulant_row(&c, i, j));
            CHECK(hesca_circulant_dest(&c, i, j) == dest[i][j],
                  "P_s(%d,%d) = %lld", i, j,
                  (long long)hesca_circulant_dest(&c, i, j));
            CHECK(dest[i][j] == base[i / 3][j / 3] + offset[i % 3][j % 3],
                  "Figure 11 at (%d,%d)", i, j);
        }
    check_tables(&t);
}

/* R_x(3,4), LIM Figures 1 to 3: G = 1, so that stage 1 does nothing; worked
 * out by hand. */
static void
three_four(void)
{
    static const int s[3][4] = {{0, 9, 6, 3}, {4, 1, 10, 7}, {8, 5, 2, 11}};
    static const int dest[3][4] = {{0, 3, 2, 1}, {1, 0, 3, 2}, {2, 1, 0, 3}};
    const tables t = construct(3, 4);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j)
            CHECK(t.s[i][j] == s[i][j] && t.dest[i][j] == dest[i][j],
                  "S'(%d,%d) = %d, P_s = %d", i, j, t.s[i][j], t.dest[i][j]);
    check_tables(&t);
}

/* Every row of P_s names each process once: a step without contention. */
static void
check_rows(const tables *t)
{
    for (int i = 0; i < t->k; ++i) {
        int seen[MOST] = {0};
        for (int j = 0; j < t->p; ++j)
            ++seen[t->dest[i][j]];
        for (int q = 0; q < t->p; ++q)
            CHECK(seen[q] == 1, "R(%d,%d): %d is %d times in row %d", t->k,
                  t->p, q, seen[q], i);
        for (int other = 0; other < i && t->k <= t->p; ++other)
            CHECK(memcmp(t->dest[i], t->dest[other],
                         (size_t)t->p * sizeof(int)) != 0,
                  "R(%d,%d): rows %d and %d are the same", t->k, t->p, other,
                  i);
    }
}

/* Every column of D_s names each row of S once: every block is sent. */
static void
check_columns(const tables *t)
{
    for (int j = 0; j < t->p; ++j) {
        int seen[MOST] = {0};
        for (int i = 0; i < t->k; ++i)
            ++seen[t->row[i][j]];
        for (int r = 0; r < t->k; ++r)
            CHECK(seen[r] == 1, "R(%d,%d): %d is %d times in column %d", t->k,
                  t->p, r, seen[r], j);
    }
}

/* Row k of submatrices is row 0 of them shifted right k times, and every
 * submatrix is circulant. */
static void
check_structure(const tables *t)
{
    const int g = t->g;
    for (int i = 0; i < t->k; ++i)
        for (int j = 0; j < t->p; ++j) {
            const int block = (int)hesca_mod(j / g - i / g, t->p1);
            CHECK(t->dest[i][j] == t->dest[i % g][block * g + j % g],
                  "R(%d,%d): (%d,%d) is not from block %d of row 0", t->k,
                  t->p, i, j, block);
            const int first = (int)hesca_mod(j % g - i % g, g);
            CHECK(t->dest[i][j] == t->dest[i - i % g][j - j % g + first],
                  "R(%d,%d): (%d,%d) is not from column %d of its block", t->k,
                  t->p, i, j, first);
        }
}

/* From a destination back to where it is sent from. */
static void
check_sources(const tables *t)
{
    const hesca_circulant c = hesca_circulant_make(t->k, t->p);
    for (int i = 0; i < t->k && t->k <= t->p; ++i)
        for (int j = 0; j < t->p; ++j)
            CHECK(hesca_circulant_source(&c, i, t->dest[i][j]) == j,
                  "R(%d,%d): in step %d, %d receives from %d, not %d", t->k,
                  t->p, i, t->dest[i][j],
                  (int)hesca_circulant_source(&c, i, t->dest[i][j]), j);
}

static void
all_small(void)
{
    for (int k = 1; k <= MOST; ++k)
        for (int p = 1; p <= MOST; ++p) {
            const tables t = construct(k, p);
            check_tables(&t);
            check_rows(&t);
            check_columns(&t);
            check_sources(&t);
            if (k <= p)
                check_structure(&t);
        }
}

/* Corollary 1 as it is printed. */
static int64_t
printed_next(int64_t i, int64_t dest, const hesca_circulant *c)
{
    if ((i + 1) % c->g != 0)
        return (dest + c->p1) % c->p;
    return (dest + c->p1 + hesca_mod(-c->n, c->p1)) % c->p;
}

/* The printed Corollary 1 does not follow from Theorem 2: its last term may
 * carry out of the part of a destination below P' into the part above, which
 * Eq. 12 keeps apart.  It is right only where nothing can carry. */
static void
printed_corollary(void)
{
    const hesca_circulant c = hesca_circulant_make(4, 6);
    const int64_t before = hesca_circulant_dest(&c, 1, 2);
    CHECK(before == 5 && hesca_circulant_dest(&c, 2, 2) == 0 &&
              printed_next(1, before, &c) == 3,
          "R(4,6), p_2: %lld to %lld, printed %lld", (long long)before,
          (long long)hesca_circulant_dest(&c, 2, 2),
          (long long)printed_next(1, before, &c));
    for (int k = 1; k <= MOST; ++k)
        for (int p = 1; p <= MOST; ++p) {
            const hesca_circulant r = hesca_circulant_make(k, p);
            for (int j = 0; j < p; ++j)
                for (int i = 0; i + 1 < k; ++i) {
                    const int64_t d = hesca_circulant_dest(&r, i, j);
                    if ((i + 1) % r.g != 0 || r.g == 1)
                        CHECK(printed_next(i, d, &r) ==
                                  hesca_circulant_dest(&r, i + 1, j),
                              "R(%d,%d): after (%d,%d)", k, p, i, j);
                }
        }
}

/* Factors beyond 32 bits: only the formulas are left as an oracle. */
static void
far_factors(void)
{
    for (int c = 0; c < check_cases(300); ++c) {
        const int64_t p = 1 + (int64_t)(check_random() >> 34);
        const int64_t k = 1 + (int64_t)(check_random() % (uint64_t)p);
        const hesca_circulant t = hesca_circulant_make(k, p);
        for (int q = 0; q < 20; ++q) {
            const int64_t i = (int64_t)(check_random() % (uint64_t)k);
            const int64_t j = (int64_t)(check_random() % (uint64_t)p);
            const int64_t dest = hesca_circulant_dest(&t, i, j);
            const int64_t row = hesca_circulant_row(&t, i, j);
            CHECK(0 <= dest && dest < p && 0 <= row && row < k &&
                      (row * p + j) / k == dest,
                  "R(%lld,%lld): (%lld,%lld): %lld %lld", (long long)k,
                  (long long)p, (long long)i, (long long)j, (long long)dest,
                  (long long)row);
            CHECK(hesca_circulant_source(&t, i, dest) == j,
                  "R(%lld,%lld): source of (%lld,%lld)", (long long)k,
                  (long long)p, (long long)i, (long long)j);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(printed), UNIT(three_four), UNIT(all_small),
        UNIT(printed_corollary), UNIT(far_factors)};
    unit_begin("sched/t_circulant", 20260104);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Random machines and message sizes: the generator's published numbers, ranges
 * and how evenly they are filled, kinds of machines, sizes. */
#include "sim/generate.h"
#include "testing/unit.h"
#include <math.h>

static double
least_of(const double *x, int n)
{
    double least = x[0];
    for (int k = 1; k < n; ++k)
        least = x[k] < least ? x[k] : least;
    return least;
}

static double
most_of(const double *x, int n)
{
    double most = x[0];
    for (int k = 1; k < n; ++k)
        most = x[k] > most ? x[k] : most;
    return most;
}

static double
mean_of(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += x[k];
    return sum / n;
}

/* Source: the numbers that Vigna's splitmix64.c yields from 1234567. */
static void
published(void)
{
    static const uint64_t must[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
        UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
        UINT64_C(16408922859458223821)};
    hesca_random r = {1234567};
    for (int k = 0; k < 5; ++k) {
        const uint64_t is = hesca_random_bits(&r);
        CHECK(is == must[k], "number %d is %llu", k, (unsigned long long)is);
    }
}

/* Mean and ends of many numbers, six deviations wide. */
static void
ranges(void)
{
    enum { N = 20000 };
    static double x[N];
    const hesca_range flat = {10, 200, 0}, steep = {10, 1000, 1};
    hesca_random r = {unit_seed};
    for (int k = 0; k < N; ++k)
        x[k] = hesca_random_in(&r, &flat);
    CHECK(least_of(x, N) >= 10 && least_of(x, N) < 10.2, "%g", x[0]);
    CHECK(most_of(x, N) <= 200 && most_of(x, N) > 199.8, "%g", x[0]);
    CHECK(fabs(mean_of(x, N) - 105) < 6 * 190 / sqrt(12.0 * N), "mean is %g",
          mean_of(x, N));
    for (int k = 0; k < N; ++k)
        x[k] = log10(hesca_random_in(&r, &steep));
    CHECK(least_of(x, N) >= 1 - 1e-12 && most_of(x, N) <= 3 + 1e-12,
          "%g ... %g", least_of(x, N), most_of(x, N));
    CHECK(fabs(mean_of(x, N) - 2) < 6 * 2 / sqrt(12.0 * N), "mean is %g",
          mean_of(x, N));
}

/* Runs have streams of their own, the same each time. */
static void
runs(void)
{
    for (uint64_t k = 0; k < 100; ++k) {
        hesca_random a = hesca_random_run(unit_seed, k);
        hesca_random b = hesca_random_run(unit_seed, k);
        hesca_random other = hesca_random_run(unit_seed, k + 1);
        const uint64_t first = hesca_random_bits(&a);
        CHECK(first == hesca_random_bits(&b), "run %d", (int)k);
        for (int i = 0; i < 100; ++i)
            CHECK(first != hesca_random_bits(&other), "run %d in run %d",
                  (int)k, (int)k + 1);
    }
}

/* Subsets of three of five: all ten come up, each about as often. */
static void
subsets(void)
{
    enum { N = 20000 };
    int count[32] = {0}, all = 0;
    hesca_random r = {unit_seed};
    for (int k = 0; k < N; ++k) {
        int chosen[5], code = 0, size = 0;
        hesca_random_choose(&r, 5, 3, chosen);
        for (int i = 0; i < 5; ++i) {
            code = 2 * code + chosen[i];
            size += chosen[i];
        }
        CHECK(size == 3, "%d of 3", size);
        ++count[code];
    }
    for (int k = 0; k < 32; ++k) {
        all += count[k] > 0;
        CHECK(count[k] == 0 || abs(count[k] - N / 10) < 6 * 45,
              "subset %d came %d times", k, count[k]);
    }
    CHECK(all == 10, "%d subsets", all);
}

static int
is_within(hesca_wire w, const hesca_wire_range *x)
{
    return x->startup.low <= w.startup && w.startup <= x->startup.high &&
           x->rate.low <= w.rate && w.rate <= x->rate.high;
}

static void
check_kind(const hesca_machine_kind *kind, int nproc)
{
    hesca_network x, y;
    hesca_random r = {unit_seed}, again = {unit_seed};
    CHECK(hesca_generate_network(kind, nproc, &r, &x) == 0 &&
              hesca_generate_network(kind, nproc, &again, &y) == 0,
          "%s", hesca_error_text());
    for (int i = 0; i < nproc; ++i)
        for (int j = 0; j < nproc; ++j) {
            const hesca_wire w = hesca_network_wire(&x, i, j);
            const hesca_wire back = hesca_network_wire(&x, j, i);
            const hesca_wire same = hesca_network_wire(&y, i, j);
            const int inside = hesca_machine_cluster(kind, nproc, i) ==
                               hesca_machine_cluster(kind, nproc, j);
            CHECK(is_within(w, inside ? &kind->inside : &kind->between),
                  "%s, %d to %d: %g s, %g bytes/s", kind->name, i, j,
                  w.startup, w.rate);
            CHECK(w.startup == same.startup && w.rate == same.rate,
                  "%s, %d to %d: not the same again", kind->name, i, j);
            CHECK(i == j || (w.rate == back.rate) == kind->is_symmetric,
                  "%s, %d to %d and back: %g and %g", kind->name, i, j, w.rate,
                  back.rate);
        }
    hesca_network_clear(&x);
    hesca_network_clear(&y);
}

static void
kinds(void)
{
    for (const hesca_machine_kind *k = hesca_machine_kinds; k->name; ++k) {
        CHECK(hesca_machine_kind_find(k->name) == k, "%s", k->name);
        for (int nproc = 1; nproc <= 17; nproc += 4)
            check_kind(k, nproc);
    }
    CHECK(hesca_machine_kind_find("") == NULL, "a kind without a name");
}

/* Clusters are contiguous, and of sizes that differ by one at most. */
static void
clusters(void)
{
    hesca_machine_kind kind = hesca_machine_kinds[0];
    for (int nproc = 1; nproc <= 20; ++nproc)
        for (int n = 1; n <= nproc; ++n) {
            int size[20] = {0}, before = 0;
            kind.nclusters = n;
            for (int p = 0; p < nproc; ++p) {
                const int c = hesca_machine_cluster(&kind, nproc, p);
                CHECK(before <= c && c <= before + 1 && c < n,
                      "%d of %d processes is in cluster %d of %d", p, nproc, c,
                      n);
                before = c;
                ++size[c];
            }
            for (int c = 0; c < n; ++c)
                CHECK(size[c] == nproc / n || size[c] == (nproc + n - 1) / n,
                      "cluster %d of %d has %d of %d", c, n, size[c], nproc);
        }
}

static void
sizes(void)
{
    enum { N = 50 };
    static double bytes[N * N];
    hesca_random r = {unit_seed};
    hesca_sizes s = {HESCA_SIZES_FIXED, 1e3, 1e6, 0.2};
    int nlarge = 0, nservers = 0;
    hesca_generate_sizes(&s, N, &r, bytes);
    for (int k = 0; k < N * N; ++k)
        CHECK(bytes[k] == (k % (N + 1) == 0 ? 0 : 1e6), "%g", bytes[k]);
    s.kind = HESCA_SIZES_MIXED;
    hesca_generate_sizes(&s, N, &r, bytes);
    for (int k = 0; k < N * N; ++k) {
        CHECK(k % (N + 1) == 0 ? bytes[k] == 0
                               : bytes[k] == 1e3 || bytes[k] == 1e6,
              "%g", bytes[k]);
        nlarge += bytes[k] > 1e3;
    }
    CHECK(abs(nlarge - N * (N - 1) / 2) < 6 * 25, "%d are large", nlarge);
    /* A server sends large messages to all clients, 4/5 of the others. */
    s.kind = HESCA_SIZES_SERVERS;
    hesca_generate_sizes(&s, N, &r, bytes);
    for (int i = 0; i < N; ++i) {
        int out = 0, in = 0;
        for (int j = 0; j < N; ++j) {
            out += bytes[i * N + j] > 1e3;
            in += bytes[j * N + i] > 1e3;
        }
        CHECK((out == 40 && in == 0) || (out == 0 && in == 10),
              "%d has %d large messages out, %d in", i, out, in);
        nservers += out > 0;
    }
    CHECK(nservers == 10, "%d servers", nservers);
}

/* 101 processes; every message of 2 s. */
static void
drift(void)
{
    enum { P = 101, N = P * (P - 1) };
    static double plan[P * P], real[N];
    hesca_random r = {unit_seed};
    hesca_drift d = {0.25, 1};
    hesca_events x;
    for (int k = 0; k < P * P; ++k)
        plan[k] = k % (P + 1) == 0 ? 0 : 2;
    CHECK(hesca_events_make_dense(&x, P, plan, NULL) == HESCA_SUCCESS &&
              hesca_generate_drift(&d, &x, &r, real) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    CHECK(least_of(real, N) >= 1.5 && most_of(real, N) <= 2.5, "%g ... %g",
          least_of(real, N), most_of(real, N));
    CHECK(fabs(mean_of(real, N) - 2) < 6 / sqrt(12.0 * N), "mean is %g",
          mean_of(real, N));
    d = (hesca_drift){0, 3};
    CHECK(hesca_generate_drift(&d, &x, &r, real) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(least_of(real, N) >= 2 && most_of(real, N) <= 18, "%g ... %g",
          least_of(real, N), most_of(real, N));
    /* Factors of sender and receiver: i to k over j to k is the same for all
     * receivers k. */
    for (int k = 2; k < P; ++k) {
        const double is = real[hesca_events_find(&x, 0, k)] /
                          real[hesca_events_find(&x, 1, k)];
        const double must = real[hesca_events_find(&x, 0, 2)] /
                            real[hesca_events_find(&x, 1, 2)];
        CHECK(fabs(is - must) < 1e-12 * must, "to %d: %g, not %g", k, is,
              must);
    }
    hesca_events_clear(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(published), UNIT(ranges),   UNIT(runs),  UNIT(subsets),
        UNIT(kinds),     UNIT(clusters), UNIT(sizes), UNIT(drift)};
    unit_begin("sim/t_generate", 20261121);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

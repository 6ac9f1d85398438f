/* SPDX-License-Identifier: BSD-3-Clause */
/* Mappings against the best of all there are; arrangements against their
 * printed numbers. */
#include "pmdl/mapping.h"
#include "testing/pmdl/instances.h"
#include <math.h>

typedef struct {
    int cases, best_greedy, best_exchange;
    double worst_greedy, worst_exchange;
} figures;

static double
find(const hesca_instance *x, const hesca_topology *t,
     hesca_search_method method, int home)
{
    const hesca_price_options price = {HESCA_PRICE_THESIS, 0, 1};
    const hesca_search_options o = {.method = method, .parent_computer = home};
    hesca_search_result r;
    CHECK(hesca_search(x, t, &price, &o, &r) == 0, "%s", hesca_error_text());
    if (r.computer == NULL)
        return -1;
    int load[8] = {0};
    for (int k = 0; k < x->nvps; ++k)
        ++load[r.computer[k]];
    for (int c = 0; c < t->ncomputers; ++c)
        CHECK(load[c] <= t->computer[c].nprocs, "%d on computer %d", load[c],
              c);
    CHECK(r.computer[x->parent] == home, "the parent is on %d, not %d",
          r.computer[x->parent], home);
    CHECK(fabs(hesca_price_plainly(x, t, &price, r.computer) - r.seconds) <=
              1e-12 * r.seconds,
          "%.17g", r.seconds);
    if (method == HESCA_SEARCH_GREEDY)
        CHECK(r.estimates <= (int64_t)t->ncomputers * x->nvps + 1,
              "%lld estimates", (long long)r.estimates);
    free(r.computer);
    return r.seconds;
}

static void
compare(double seconds, double best, int *n, double *worst)
{
    const double ratio = best > 0 ? seconds / best : 1;
    CHECK(ratio >= 1 - 1e-12, "%.17g is less than the least, %.17g", seconds,
          best);
    *n += ratio <= 1 + 1e-12;
    *worst = ratio > *worst ? ratio : *worst;
}

static void
random_case(figures *f)
{
    hesca_topology t = instances_network(check_uniform(1, 5));
    const int64_t places = instances_places(&t);
    hesca_instance x =
        instances_make(check_uniform(1, places < 6 ? (int)places : 6));
    const int home = check_uniform(0, t.ncomputers - 1);
    const double best = find(&x, &t, HESCA_SEARCH_EXHAUSTIVE, home);
    compare(find(&x, &t, HESCA_SEARCH_GREEDY, home), best, &f->best_greedy,
            &f->worst_greedy);
    compare(find(&x, &t, HESCA_SEARCH_EXCHANGE, home), best, &f->best_exchange,
            &f->worst_exchange);
    CHECK(find(&x, &t, HESCA_SEARCH_DEFAULT, home) == best, "default");
    ++f->cases;
    hesca_topology_clear(&t);
    hesca_instance_clear(&x);
}

static void
against_all(void)
{
    figures f = {.worst_greedy = 1, .worst_exchange = 1};
    for (int k = check_cases(2000); k > 0; --k)
        random_case(&f);
    printf("%d cases: the optimum is found by greedy in %.1f %% (at worst "
           "%.2f times it), by exchange in %.1f %% (%.3f)\n",
           f.cases, 100.0 * f.best_greedy / f.cases, f.worst_greedy,
           100.0 * f.best_exchange / f.cases, f.worst_exchange);
    CHECK(f.best_exchange >= 0.95 * f.cases, "%d of %d", f.best_exchange,
          f.cases);
}

static int64_t size;

static int
add_size(void *context, const int *dims)
{
    int product = 1;
    for (int k = 0; k < *(int *)context; ++k)
        product *= dims[k];
    size += product;
    return 0;
}

/* HMPI 3.5 prints the first three; the sizes follow from them. */
static void
arrangements(void)
{
    static const int p[] = {5, 9, 12, 16, 51, 128, 256};
    static const int n[] = {10, 23, 35, 50, 211, 645, 1466};
    static const int total[] = {33, 130, 264, 486, 6084, 45612, 204852};
    for (int k = 0; k < 7; ++k) {
        int d = 2;
        size = 0;
        const int64_t found = hesca_arrangements(d, p[k], add_size, &d);
        CHECK(found == n[k] && size == total[k], "p = %d: %lld, %lld", p[k],
              (long long)found, (long long)size);
        d = 1;
        CHECK(hesca_arrangements(d, p[k], add_size, &d) == p[k], "p = %d",
              p[k]);
    }
    int d = 3, count = 0;
    for (int a = 1; a <= 24; ++a)
        for (int b = 1; a * b <= 24; ++b)
            count += 24 / (a * b);
    CHECK(hesca_arrangements(d, 24, add_size, &d) == count, "%d", count);
}

static void
filters(void)
{
    CHECK(hesca_filter_find("square")(2, (const int[]){2, 4}, 9), "2 x 4");
    CHECK(!hesca_filter_find("square")(2, (const int[]){2, 5}, 12), "2 x 5");
    CHECK(hesca_filter_find("divisors")(2, (const int[]){2, 3}, 12), "2 x 3");
    CHECK(!hesca_filter_find("divisors")(2, (const int[]){5, 1}, 12), "5");
    CHECK(hesca_filter_find("powers")(2, (const int[]){8, 1}, 12), "8 x 1");
    CHECK(!hesca_filter_find("powers")(2, (const int[]){6, 2}, 12), "6 x 2");
    CHECK(hesca_filter_find("none") == NULL, "none");
}

static void
refused(void)
{
    hesca_topology t = instances_network(2);
    hesca_instance x = instances_make(6);
    const hesca_price_options price = {HESCA_PRICE_THESIS, 0, 1};
    hesca_search_options o = {.parent_computer = 0};
    hesca_search_result r;
    t.computer[0].nprocs = 2;
    t.computer[1].nprocs = 3;
    CHECK(hesca_search(&x, &t, &price, &o, &r) == HESCA_ERR_ARG, "6 on 5");
    t.computer[0].nprocs = 0;
    t.computer[1].nprocs = 9;
    CHECK(hesca_search(&x, &t, &price, &o, &r) == HESCA_ERR_ARG, "no place");
    o.parent_computer = 2;
    CHECK(hesca_search(&x, &t, &price, &o, &r) == HESCA_ERR_ARG, "computer 2");
    hesca_topology_clear(&t);
    hesca_instance_clear(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(against_all), UNIT(arrangements),
                                       UNIT(filters), UNIT(refused)};
    unit_begin("pmdl/t_mapping", 20261124);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

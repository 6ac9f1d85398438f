/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates: worked by hand from the rules of the HMPI thesis, and the
 * estimator that keeps what it can against the one that keeps nothing. */
#include "pmdl/price.h"
#include "pmdl/price_rules.h"
#include "testing/pmdl/instances.h"
#include <math.h>

static int
is_near(double x, double y, double eps)
{
    return fabs(x - y) <= eps * (fabs(y) > 1e-300 ? fabs(y) : 1);
}

static const hesca_price_options thesis = {HESCA_PRICE_THESIS, 0, 1};
static const hesca_price_options ports = {HESCA_PRICE_PORTS, 0, 1};

/* n computers of one processor, speeds 1, 1/2, 1/4 ..., flat, 1e6 B/s. */
static hesca_topology
flat(int n, int is_parallel, double fb, double fg)
{
    hesca_topology t = {.nlayers = n + 1, .ncomputers = n};
    t.layer = calloc((size_t)n + 1, sizeof *t.layer);
    t.computer = calloc((size_t)n, sizeof *t.computer);
    for (int k = 0; k <= n; ++k) {
        t.layer[k] = (hesca_layer){.is_parallel = is_parallel,
                                   .broadcast = fb,
                                   .gather = fg,
                                   .rate = {1e6, 1e6, 1e6},
                                   .parent = k > 0 ? 0 : -1,
                                   .depth = k > 0};
        hesca_layer_prepare(&t.layer[k]);
    }
    for (int k = 0; k < n; ++k)
        t.computer[k] = (hesca_computer){.nprocessors = 1,
                                         .speed = ldexp(1, -k),
                                         .nprocs = 4,
                                         .layer = k + 1};
    return t;
}

/* Four processes of volume 10, links of 1e6 bytes between all. */
static hesca_instance
four(void)
{
    hesca_instance x = {.ndims = 1,
                        .dims = {4},
                        .nvps = 4,
                        .npositions = 4,
                        .trace = {.root = -1}};
    x.number = malloc(4 * sizeof *x.number);
    x.position = malloc(4 * sizeof *x.position);
    x.volume = malloc(4 * sizeof *x.volume);
    x.link = malloc(16 * sizeof *x.link);
    for (int i = 0; i < 4; ++i) {
        x.number[i] = x.position[i] = i;
        x.volume[i] = 10;
        for (int j = 0; j < 4; ++j)
            if (i != j)
                x.link[x.nlinks++] = (hesca_model_link){i, j, 1e6};
    }
    return x;
}

/* One par, given as text: "0" computes, "01" sends from 0 to 1; blanks part
 * actions, ( ) nested pars. */
static void
scheme(hesca_instance *x, const char *text)
{
    hesca_scheme_builder *b = hesca_scheme_builder_create();
    hesca_scheme_clear(&x->trace);
    hesca_scheme_begin(b, 1);
    hesca_scheme_action(b);
    for (const char *c = text; *c != '\0'; ++c) {
        if (*c == '(') {
            hesca_scheme_begin(b, 1);
            hesca_scheme_action(b);
        } else if (*c == ')') {
            hesca_scheme_end(b);
        } else if (*c == ' ') {
            hesca_scheme_action(b);
        } else if (c[1] >= '0' && c[1] <= '9') {
            hesca_scheme_unit(b, HESCA_SCHEME_TRANSFER,
                              hesca_instance_link(x, c[0] - '0', c[1] - '0'),
                              100, 1);
            ++c;
        } else {
            hesca_scheme_unit(b, HESCA_SCHEME_COMPUTE, *c - '0', 100, 1);
        }
    }
    hesca_scheme_end(b);
    hesca_scheme_finish(b, &x->trace);
    hesca_scheme_builder_free(b);
}

static void
expect(hesca_instance *x, const hesca_topology *t,
       const hesca_price_options *o, const char *text, const int *computer,
       double seconds)
{
    hesca_price *p;
    scheme(x, text);
    CHECK(hesca_price_create(x, t, o, &p) == 0, "%s", hesca_error_text());
    hesca_price_map_all(p, computer);
    const double a = hesca_price_total(p);
    const double b = hesca_price_plainly(x, t, o, computer);
    CHECK(is_near(a, seconds, 1e-12), "'%s': %.17g, not %.17g", text, a,
          seconds);
    CHECK(is_near(b, seconds, 1e-12), "'%s': plainly %.17g, not %.17g", text,
          b, seconds);
    hesca_price_free(p);
}

/* HMPI 3.4, with the decisions on traps A, B and on nested pars. */
static void
by_hand(void)
{
    hesca_instance x = four();
    hesca_topology t = flat(4, 1, 0.49, 0.97);
    static const int apart[] = {0, 1, 2, 3}, pairs[] = {0, 0, 1, 2};
    expect(&x, &t, &thesis, "0 1 2 3", apart, 80);
    expect(&x, &t, &thesis, "0", apart, 10);
    /* Two share a processor: both computations count. */
    expect(&x, &t, &thesis, "0 1", pairs, 20);
    /* Trap A: two actions of one process. */
    expect(&x, &t, &thesis, "0 0 1", apart, 20);
    /* Nested: two rows of a slow process elsewhere and a fast one on computer
     * 0: 40, not 80. */
    expect(&x, &t, &thesis, "(0 2) (1 3)", (const int[]){0, 0, 2, 2}, 80);
    expect(&x, &t, &thesis, "(0 2) (1 3)", (const int[]){0, 0, 1, 2}, 40);
    /* Broadcast, scatter; gather; independent. */
    expect(&x, &t, &thesis, "01 02 03", apart, 0.49 * 1 + 0.51 * 3);
    expect(&x, &t, &thesis, "10 20 30", apart, 0.97 * 1 + 0.03 * 3);
    expect(&x, &t, &thesis, "01 23", apart, 1);
    expect(&x, &t, &thesis, "01", apart, 1);
    /* Trap B: one root in nested pars: f_b once. */
    expect(&x, &t, &thesis, "(01 02) (03)", apart, 0.49 * 1 + 0.51 * 3);
    /* Two roots: two broadcasts at the same time. */
    expect(&x, &t, &thesis, "(01 02) (31 32)", apart, 0.49 * 1 + 0.51 * 2);
    /* Computations hide transfers. */
    expect(&x, &t, &thesis, "0 12", apart, 10);
    /* A process that is not mapped. */
    expect(&x, &t, &thesis, "01 02 03", (const int[]){0, -1, 2, 3},
           0.49 * 1 + 0.51 * 2);
    expect(&x, &t, &ports, "01 02 03", apart, 3);
    expect(&x, &t, &ports, "01 23", apart, 1);
    expect(&x, &t, &ports, "01 12 23", apart, 1);
    hesca_topology_clear(&t);
    t = flat(4, 0, 0, 0);
    expect(&x, &t, &thesis, "01 23 02", apart, 3);
    /* The layer is the lowest around all: inside of a computer. */
    t.layer[0].rate[2] = t.layer[0].rate[1] = 1e3;
    hesca_layer_prepare(&t.layer[0]);
    expect(&x, &t, &thesis, "01 10", pairs, 2);
    hesca_topology_clear(&t);
    hesca_instance_clear(&x);
}

static void
sharing(void)
{
    static const int v[] = {1, 2, 3, 4, 5}, share[] = {1, 1, 2, 2, 3};
    for (int k = 0; k < 5; ++k)
        CHECK(hesca_rules_share(v[k], 2) == share[k], "%d processes, 2", v[k]);
}

/* The estimate is the same however the mapping was reached. */
static void
random_case(void)
{
    const int n = check_uniform(1, 7), m = check_uniform(1, 5);
    hesca_instance x = instances_make(n);
    hesca_topology t = instances_network(m);
    const hesca_price_options o = {
        check_uniform(0, 3) == 0 ? HESCA_PRICE_PORTS : HESCA_PRICE_THESIS,
        check_uniform(0, 1), 2};
    hesca_price *p, *fresh;
    int at[8];
    CHECK(hesca_price_create(&x, &t, &o, &p) == 0, "%s", hesca_error_text());
    for (int k = 0; k < n; ++k)
        at[k] = -1;
    for (int moves = check_uniform(1, 20); moves > 0; --moves) {
        const int vp = check_uniform(0, n - 1), c = check_uniform(-1, m - 1);
        const double tried = hesca_price_try(p, vp, c);
        CHECK(hesca_price_where(p, vp) == at[vp], "a trial moved %d", vp);
        if (check_uniform(0, 2) == 0) {
            CHECK(hesca_price_create(&x, &t, &o, &fresh) == 0, "%s",
                  hesca_error_text());
            hesca_price_map_all(fresh, at);
            CHECK(hesca_price_total(fresh) == hesca_price_total(p),
                  "after a trial %.17g", hesca_price_total(p));
            hesca_price_free(fresh);
        }
        at[vp] = c;
        hesca_price_map(p, vp, c);
        const double total = hesca_price_total(p);
        const double plain = hesca_price_plainly(&x, &t, &o, at);
        CHECK(is_near(tried, total, 1e-12), "tried %.17g, is %.17g", tried,
              total);
        CHECK(is_near(plain, total, 1e-12), "plainly %.17g, is %.17g", plain,
              total);
    }
    CHECK(hesca_price_create(&x, &t, &o, &fresh) == 0, "%s",
          hesca_error_text());
    hesca_price_map_all(fresh, at);
    CHECK(hesca_price_total(fresh) == hesca_price_total(p), "%.17g, %.17g",
          hesca_price_total(fresh), hesca_price_total(p));
    hesca_price_free(fresh);
    hesca_price_free(p);
    hesca_topology_clear(&t);
    hesca_instance_clear(&x);
}

static void
random_cases(void)
{
    for (int k = check_cases(3000); k > 0; --k)
        random_case();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(by_hand), UNIT(sharing),
                                       UNIT(random_cases)};
    unit_begin("pmdl/t_price", 20261124);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

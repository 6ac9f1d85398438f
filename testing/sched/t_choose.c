/* SPDX-License-Identifier: BSD-3-Clause */
/* From names to schedules: what applies, what auto takes, and what is
 * predicted, against LIM's formulas. */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "base/arith.h"
#include "hesca/experimental/param.h"
#include "sched/sched.h"
#include "testing/place.h"
#include "testing/unit.h"
#include <math.h>

/* LIM section 5. */
static const hesca_link_costs sp2 = {.costs = {40e-6, 40e-6, 15e-9, 0}};
static const hesca_link_costs t3d = {.costs = {93e-6, 93e-6, 43e-9, 0}};

/* ------------------------------------------------ the catalogue */

static int
is_listed(const char *list, const char *name)
{
    char words[300], *save = NULL;
    snprintf(words, sizeof words, "%s", list);
    for (char *word = strtok_r(words, "|", &save); word != NULL;
         word = strtok_r(NULL, "|", &save))
        if (strcmp(word, name) == 0)
            return 1;
    return 0;
}

static const hesca_solver *
in_table(const char *name)
{
    const size_t n = strcspn(name, ":");
    for (int k = 0; hesca_solvtab[k] != NULL; ++k)
        if (strlen(hesca_solvtab[k]->name) == n &&
            strncmp(hesca_solvtab[k]->name, name, n) == 0)
            return hesca_solvtab[k];
    return NULL;
}

/* The catalogue and what HESCA_SCHEDULE accepts are the same, but for local,
 * which cannot be requested, and auto, which is no solver. */
static void
catalogue(void)
{
    const char *list = "";
    char words[300], *save = NULL;
    for (int i = 0; hesca_param(i) != NULL; ++i)
        if (strcmp(hesca_param(i)->name, "HESCA_SCHEDULE") == 0)
            list = hesca_param(i)->type;
    CHECK(is_listed(list, "auto") && !is_listed(list, "local"),
          "HESCA_SCHEDULE is %s", list);
    for (int k = 0; hesca_solvtab[k] != NULL; ++k) {
        const hesca_solver *s = hesca_solvtab[k];
        char name[HESCA_NAME_MAX];
        snprintf(name, sizeof name, "%s%s", s->name,
                 s->has_degrees ? ":D" : "");
        CHECK(s->degree != NULL && s->predict != NULL && s->fill != NULL &&
                  in_table(name) == s,
              "solver %d, %s", k, s->name);
        CHECK(is_listed(list, name) == (strcmp(name, "local") != 0),
              "%s is %sin %s", name, is_listed(list, name) ? "" : "not ",
              list);
    }
    snprintf(words, sizeof words, "%s", list);
    for (char *word = strtok_r(words, "|", &save); word != NULL;
         word = strtok_r(NULL, "|", &save))
        CHECK(strcmp(word, "auto") == 0 || in_table(word) != NULL,
              "%s has no solver", word);
}

/* ------------------------------------------------ predictions */

static void
make_circulant(hesca_problem *p, int64_t n, int x, int k, int np)
{
    hesca_layout *a, *b;
    if (hesca_layout_create_cyclic(1, n, 1, x, 0, 0, 1, np, NULL, &a) < 0 ||
        hesca_layout_create_cyclic(1, n, 1, k * x, 0, 0, 1, np, NULL, &b) <
            0 ||
        hesca_problem_init(p, HESCA_ALL, 1, n, a, 0, 0, b, 0, 0, 4) < 0)
        abort();
    hesca_layout_free(a);
    hesca_layout_free(b);
}

static double
predicted(const char *name, const hesca_problem *p,
          const hesca_link_costs *links)
{
    hesca_choice c;
    CHECK(hesca_choose(name, p, links, &c), "%s", name);
    return c.seconds;
}

static int
log2_up(int64_t n)
{
    int bits = 0;
    while ((int64_t)1 << bits < n)
        ++bits;
    return bits;
}

/* LIM Corollary 2 counts all N/P elements as sent, and each process as one of
 * its own K partners; the model leaves out what stays.  So predictions are
 * never above the corollary, and below it by no more than that: one start-up,
 * and 1 / K of every transmission. */
static void
corollary_two(const hesca_link_costs *links, int np, int k)
{
    const int64_t n = 64LL * k * np;
    const double share = (double)n / np * 4 * links->costs.byte,
                 td = links->costs.startup;
    const double steps = ceil(log2(k)) + 2;
    const double direct = k * td + share;
    const double indirect =
        steps * td + (ceil(log2(k)) + 1) * share / 2 + share;
    hesca_problem p;
    make_circulant(&p, n, 64, k, np);
    const double d = predicted("direct", &p, links);
    const double i = predicted("indirect", &p, links);
    CHECK(d <= direct * (1 + 1e-12) && d >= direct - td - share / k * 1.001,
          "R(%d,%d): direct %g, Corollary 2 (i) %g", k, np, d, direct);
    CHECK(i <= indirect * (1 + 1e-12), "R(%d,%d): indirect %g, (ii) %g", k, np,
          i, indirect);
    CHECK(fabs(predicted("direct-async", &p, links) - d) < 1e-12 * d,
          "R(%d,%d): with T_d per message async is direct", k, np);
    const int g = (int)hesca_gcd(k, np), most = log2_up(k / g) + log2_up(g);
    for (int degree = 0; degree <= most; ++degree) {
        char name[20];
        snprintf(name, sizeof name, "hybrid:%d", degree);
        const double h = predicted(name, &p, links);
        hesca_store_forward x;
        hesca_store_forward_init(&x, &p, HESCA_STORE_FORWARD_GRID, degree, -1);
        const double bound = degree + ceil(k / pow(2, degree));
        const double hybrid =
            fmax(bound, most + 1) * td + x.npre * share / 2 + share;
        hesca_store_forward_clear(&x);
        CHECK(h <= hybrid * (1 + 1e-12), "R(%d,%d): %s %g, (iii) %g", k, np,
              name, h, hybrid);
    }
    CHECK(fabs(predicted("hybrid:0", &p, links) - d) <= td + share / k,
          "R(%d,%d): hybrid:0 is direct", k, np);
    hesca_problem_clear(&p);
}

static void
corollaries(void)
{
    for (int np = 3; np <= 64; np += 3)
        for (int k = 2; k < np; k += 1 + np / 8) {
            corollary_two(&sp2, np, k);
            corollary_two(&t3d, np, k);
        }
}

/* LIM section 5: "there always exists a range of message size where the
 * startup costs dominate". */
static void
crossover(void)
{
    hesca_problem small, large;
    hesca_choice c;
    make_circulant(&small, 128 * 127, 1, 127, 128);
    make_circulant(&large, 128LL * 127 * 4000, 4000, 127, 128);
    hesca_choose("auto", &small, &sp2, &c);
    CHECK(c.solver == &hesca_solver_indirect ||
              c.solver == &hesca_solver_bruck ||
              (c.solver == &hesca_solver_hybrid && c.degree >= 5),
          "128 processes, 508 bytes each: %s:%d", c.solver->name, c.degree);
    hesca_choose("auto", &large, &sp2, &c);
    CHECK(c.solver == &hesca_solver_async ||
              c.solver == &hesca_solver_direct ||
              (c.solver == &hesca_solver_hybrid && c.degree <= 1),
          "2 MB each: %s:%d", c.solver->name, c.degree);
    hesca_problem_clear(&small);
    hesca_problem_clear(&large);
}

/* ------------------------------------------------ choices */

/* auto takes the least prediction of those that it may take, the first of
 * equals; names are found again; what does not apply is explained. */
static void
check_choice(const hesca_problem *p, const hesca_link_costs *links,
             const char *text)
{
    hesca_choice best, c;
    char why[400];
    CHECK(hesca_choose("auto", p, links, &best), "%s", text);
    CHECK((best.solver == &hesca_solver_local) == hesca_problem_is_local(p),
          "%s: auto is %s", text, best.solver->name);
    hesca_choose_explain("frobnicate", p, why, sizeof why);
    for (int k = 0; hesca_solvtab[k] != NULL; ++k) {
        const hesca_solver *s = hesca_solvtab[k];
        const int most = s->degree(s, p);
        CHECK((strstr(why, s->name) != NULL) ==
                  (most >= 0 && s != &hesca_solver_local),
              "%s: %s in '%s'", text, s->name, why);
        for (int d = 0; d <= most; ++d) {
            char name[HESCA_NAME_MAX];
            const hesca_choice wanted = {.solver = s, .degree = d};
            hesca_choice_name(&wanted, name);
            CHECK(hesca_choose(name, p, links, &c) && c.solver == s &&
                      c.degree == d,
                  "%s: %s", text, name);
            CHECK(!s->choosable || s->unequal || best.seconds <= c.seconds ||
                      best.solver == &hesca_solver_local,
                  "%s: auto takes %s, %g, not %s, %g", text, best.solver->name,
                  best.seconds, name, c.seconds);
        }
        if (s->has_degrees) {
            char name[HESCA_NAME_MAX];
            snprintf(name, sizeof name, "%s:%d", s->name, most + 1);
            CHECK(!hesca_choose(name, p, links, &c), "%s: %s", text, name);
        }
    }
    CHECK(!hesca_choose("", p, links, &c) &&
              !hesca_choose("fastest", p, links, &c) &&
              !hesca_choose("hybrid", p, links, &c) &&
              !hesca_choose("direct:1", p, links, &c),
          "%s: names without a solver", text);
}

static void
choices(void)
{
    int local = 0;
    for (int n = 0; n < check_cases(300); ++n) {
        const int nprocs = check_uniform(1, 10);
        const int m = check_uniform(1, 20), k = check_uniform(1, 20);
        place a = place_random(m, k, nprocs);
        place b = check_uniform(0, 3) ? place_random(m, k, nprocs) : a;
        const hesca_link_costs links = {
            .costs = {
                1e-6 * check_uniform(1, 100), 1e-7 * check_uniform(1, 100),
                1e-10 * check_uniform(1, 100), 1e-11 * check_uniform(0, 100)}};
        hesca_problem p;
        char text[900];
        snprintf(text, sizeof text, "%dx%d, {%s} to {%s}", m, k, a.text,
                 b.text);
        CHECK(hesca_problem_init(&p, HESCA_ALL, m, k, a.layout, a.i, a.j,
                                 b.layout, b.i, b.j, 8) == HESCA_SUCCESS,
              "%s", text);
        local += hesca_problem_is_local(&p);
        check_choice(&p, &links, text);
        hesca_problem_clear(&p);
        hesca_layout_free(a.layout);
        if (b.layout != a.layout)
            hesca_layout_free(b.layout);
    }
    CHECK(local > 10, "only %d local problems", local);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(catalogue), UNIT(corollaries),
                                       UNIT(crossover), UNIT(choices)};
    unit_begin("sched/t_choose", 20261122);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

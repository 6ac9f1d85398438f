/* SPDX-License-Identifier: BSD-3-Clause */
/* Speed functions in machines and machine files: what is written is read back,
 * everything else is refused with file, line and word. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "testing/machine/file.h"
#include "testing/nomem.h"
#include <math.h>

#define HEAD "hesca-machine 1\nhost a\nhost b.x speed 2\n"
#define KNOT "knot size 100 speed 5\n"

static const char good[] = HEAD "model a dgemm limit 1e6\n"
                                "knot size 100 speed 50 low 40 high 60\n"
                                "knot size 2000 speed 45.5 # flat\n"
                                "knot size 40000 speed 0\n"
                                "host c\n"
                                "model b.x dgemm\n"
                                "  knot size 1 speed 7\n"
                                "model b.x my_own-kernel2 limit 0\n"
                                "\n"
                                "knot size 1 speed 7 low 0 high 7\n"
                                "class slow startup 1 rate 1\n";

static void
reading(void)
{
    hesca_machine m;
    double low, high;
    int n;
    CHECK(read_text(good, &m) == HESCA_SUCCESS, "%s", hesca_error_text());
    if (m.nmodels != 3)
        return;
    const hesca_speed *x = hesca_machine_speed(&m, 0, "dgemm");
    const hesca_knot *k = hesca_speed_knots(x, &n);
    hesca_speed_band(x, 100, &low, &high);
    CHECK(n == 3 && fabs(k[1].speed - 45.5) < 1e-12 && !(k[2].speed > 0) &&
              fabs(low - 40) < 1e-12 && fabs(high - 60) < 1e-12 &&
              fabs(hesca_speed_limit(x) - 40000) < 1e-9,
          "%d knots, limit %g", n, hesca_speed_limit(x));
    CHECK(isinf(hesca_speed_limit(hesca_machine_speed(&m, 1, "dgemm"))),
          "no limit");
    CHECK(
        !(hesca_speed_limit(hesca_machine_speed(&m, 1, "my_own-kernel2")) > 0),
        "limit 0");
    CHECK(hesca_machine_speed(&m, 2, "dgemm") == NULL &&
              hesca_machine_speed(&m, 0, "dgem") == NULL,
          "what is not there");
    CHECK(m.nhosts == 3 && hesca_machine_check(&m) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    /* No line names links: costs give them. */
    CHECK(fabs(m.wire[1].startup - m.net.alone.startup) < 1e-15 &&
              fabs(m.wire[0].startup - m.node.alone.startup) < 1e-15,
          "wires: %g %g", m.wire[1].startup, m.wire[0].startup);
    hesca_machine_clear(&m);
    CHECK(m.nmodels == 0 && m.model == NULL, "cleared");
}

/* A model of knots at random, noisy before it is made monotone. */
static hesca_speed *
draw_speed(void)
{
    hesca_knot knot[20];
    hesca_speed *x;
    const int n = check_uniform(1, 20);
    double size = 0;
    for (int j = 0; j < n; ++j) {
        hesca_knot *k = &knot[j];
        size += check_uniform(1, 1000000) / 7.0;
        k->size = size;
        k->speed = check_uniform(1, 1000000) / 13e5;
        k->low = check_uniform(0, 1) ? k->speed : k->speed * 0.9;
        k->high = k->speed * 1.125;
    }
    if (n > 1 && check_uniform(0, 2) == 0)
        knot[n - 1].speed = knot[n - 1].low = 0;
    const double limit =
        check_uniform(0, 1) ? INFINITY : check_uniform(0, 1000000) * 3.3;
    CHECK(hesca_speed_create_monotone(n, knot, limit, &x, NULL) ==
              HESCA_SUCCESS,
          "%s", hesca_error_text());
    return x;
}

static void
draw(hesca_machine *m, int nhosts, int nmodels)
{
    static const char *const name[] = {"a", "b.x", "c", "d"};
    *m = hesca_machine_default();
    CHECK(hesca_machine_set_hosts(m, nhosts, name) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    for (int i = 0; i < nmodels; ++i) {
        char kernel[HESCA_KERNEL_MAX];
        hesca_speed *x = draw_speed();
        snprintf(kernel, sizeof kernel, "k-%d", check_uniform(0, 3));
        CHECK(hesca_machine_set_speed(m, check_uniform(0, nhosts - 1), kernel,
                                      x) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        hesca_speed_free(x);
    }
}

/* To the digits that are written. */
static int
is_near(double x, double y)
{
    return (isinf(x) && isinf(y)) || fabs(x - y) <= 1e-9 * fabs(y);
}

static void
compare(const hesca_model *x, const hesca_model *y)
{
    int n, m;
    const hesca_knot *a = hesca_speed_knots(x->speed, &n);
    const hesca_knot *b = hesca_speed_knots(y->speed, &m);
    CHECK(
        x->host == y->host && strcmp(x->kernel, y->kernel) == 0 && n == m &&
            is_near(hesca_speed_limit(x->speed), hesca_speed_limit(y->speed)),
        "%d %s, %d knots, not %d %s, %d", y->host, y->kernel, m, x->host,
        x->kernel, n);
    for (int j = 0; j < n && n == m; ++j)
        CHECK(is_near(a[j].size, b[j].size) &&
                  is_near(a[j].speed, b[j].speed) &&
                  is_near(a[j].low, b[j].low) && is_near(a[j].high, b[j].high),
              "knot %d: %.17g %.17g, not %.17g %.17g", j, b[j].size,
              b[j].speed, a[j].size, a[j].speed);
}

static void
writing(void)
{
    for (int c = 0; c < check_cases(300); ++c) {
        hesca_machine m, back, again;
        char *text, *second;
        draw(&m, check_uniform(1, 4), check_uniform(0, 9));
        CHECK(hesca_machine_format(&m, &text) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        CHECK(read_text(text, &back) == HESCA_SUCCESS, "%s: %s",
              hesca_error_text(), text);
        CHECK(back.nmodels == m.nmodels, "%d models, not %d", back.nmodels,
              m.nmodels);
        for (int i = 0; i < m.nmodels && back.nmodels == m.nmodels; ++i)
            compare(&m.model[i], &back.model[i]);
        CHECK(hesca_machine_check(&back) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        /* The second time, it is the same text. */
        CHECK(hesca_machine_format(&back, &second) == HESCA_SUCCESS &&
                  strcmp(text, second) == 0,
              "%s\nbecomes\n%s", text, second);
        CHECK(hesca_machine_copy(&m, &again) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        for (int i = 0; i < m.nmodels; ++i)
            compare(&m.model[i], &again.model[i]);
        free(text);
        free(second);
        hesca_machine_clear(&m);
        hesca_machine_clear(&back);
        hesca_machine_clear(&again);
    }
}

static void
refusing(void)
{
    static const bad_file bad[] = {
        {HEAD "model\n", ":4:", "a host"},
        {HEAD "model x dgemm\n", ":4:", "'x'"},
        {HEAD "model a\n", ":4:", "the name of a kernel"},
        {HEAD "model a d.gemm\n", ":4:", "'d.gemm'"},
        {HEAD "model a a123456789b123456789c123456789d1\n", ":4:", "32"},
        {HEAD "model a dgemm bound 3\n", ":4:", "'bound'"},
        {HEAD "model a dgemm limit\n", ":4:", "a number"},
        {HEAD "model a dgemm limit -1\n", ":4:", "'-1'"},
        {HEAD "model a dgemm limit nan\n", ":4:", "'nan'"},
        {HEAD "model a dgemm limit inf\n", ":4:", "'inf'"},
        {HEAD "model a dgemm limit 1 2\n", ":4:", "'2'"},
        {HEAD "model a dgemm\n", ":4:", "'a dgemm'"},
        {HEAD "model a dgemm\nmodel b.x dgemm\n" KNOT, ":4:", "'a dgemm'"},
        {HEAD "model a dgemm\n" KNOT "model a dgemm\n" KNOT, ":6:", "'dgemm'"},
        {HEAD KNOT, ":4:", "'knot'"},
        {HEAD "model a k\n" KNOT "host c\n" KNOT, ":7:", "'knot'"},
        {HEAD "model a k\nknot\n", ":5:", "size"},
        {HEAD "model a k\nknot speed 1\n", ":5:", "'speed'"},
        {HEAD "model a k\nknot size\n", ":5:", "a number"},
        {HEAD "model a k\nknot size 0 speed 1\n", ":5:", "'0'"},
        {HEAD "model a k\nknot size -3 speed 1\n", ":5:", "'-3'"},
        {HEAD "model a k\nknot size 1e999 speed 1\n", ":5:", "'1e999'"},
        {HEAD "model a k\nknot size 1K speed 1\n", ":5:", "'1K'"},
        {HEAD "model a k\nknot size 1\n", ":5:", "speed"},
        {HEAD "model a k\nknot size 1 speed 0\n", ":5:", "'1': speed"},
        {HEAD "model a k\nknot size 1 speed nan\n", ":5:", "'nan'"},
        {HEAD "model a k\nknot size 1 speed 2 high 3\n", ":5:", "'high'"},
        {HEAD "model a k\nknot size 1 speed 2 low 1\n", ":5:", "high"},
        {HEAD "model a k\nknot size 1 speed 2 low 3 high 4\n", ":5:", "low"},
        {HEAD "model a k\nknot size 1 speed 2 low 1 high 1\n", ":5:", "low"},
        {HEAD "model a k\nknot size 1 speed 2 low -1 high 3\n", ":5:", "'-1'"},
        {HEAD "model a k\n" KNOT KNOT, ":6:", "'100': sizes must ascend"},
        {HEAD "model a k\n" KNOT "knot size 200 speed 10\n",
         ":6:", "size / speed must ascend"},
        {HEAD "model a k\n" KNOT "knot size 100.0000001 speed 4\n",
         ":6:", "1e-8"},
        {HEAD "model a k\n" KNOT "knot size 200 speed 9.99999999\n",
         ":6:", "1e-8"},
        {HEAD "model a k\n" KNOT "knot size 200 speed 0\n"
              "knot size 300 speed 0\n",
         ":7:", "'300'"},
        /* Without models, hosts need links; with links, all of them. */
        {HEAD, ":3:", "'a b.x'"},
        {HEAD "model a k\n" KNOT "link a b.x startup 1 rate 1\n",
         ":6:", "'b.x a'"},
        {HEAD "model a k\n" KNOT "inside a startup 1 rate 1\n",
         ":6:", "'a b.x'"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        check_refused(&bad[k]);
}

/* Bytes changed, dropped and doubled at random: it is refused, or a machine
 * that makes sense. */
static void
hostile(void)
{
    static const char some[] = "\n #-.019e+knosizmdl\t\0\xff";
    long taken = 0;
    for (int c = 0; c < check_cases(5000); ++c) {
        char text[2 * sizeof good];
        hesca_machine m;
        memcpy(text, good, sizeof good);
        for (int k = check_uniform(1, 4); k > 0; --k) {
            const int n = (int)strlen(text), at = check_uniform(0, n - 1);
            const int kind = check_uniform(0, 2);
            if (kind == 0)
                text[at] = some[check_uniform(0, (int)sizeof some - 2)];
            else if (kind == 1)
                memmove(text + at, text + at + 1, (size_t)(n - at));
            else if (n + 2 < (int)sizeof text)
                memmove(text + at + 1, text + at, (size_t)(n - at) + 1);
            if (text[0] == '\0')
                text[0] = '#';
        }
        if (read_text(text, &m) < 0)
            continue;
        ++taken;
        CHECK(hesca_machine_check(&m) == HESCA_SUCCESS, "%s: %s",
              hesca_error_text(), text);
        hesca_machine_clear(&m);
    }
    CHECK(taken > 0, "all are refused");
}

static void
setting(void)
{
    static const char *const others[] = {"c", "b.x", "e"};
    static const char *const bad[] = {"", "a b", "a.b", "\xc3\xa4",
                                      "a123456789b123456789c123456789d1"};
    hesca_machine m;
    hesca_speed *x, *close;
    const hesca_knot near[] = {{1, 1, 1, 1}, {2, 2 - 1e-9, 1, 2}};
    draw(&m, 4, 0);
    CHECK(hesca_speed_create_constant(3, 50, &x) == HESCA_SUCCESS &&
              hesca_speed_create(2, near, 9, &close) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    for (int host = 0; host < 3; ++host)
        CHECK(hesca_machine_set_speed(&m, host, "k", x) == HESCA_SUCCESS, "%s",
              hesca_error_text());
    CHECK(hesca_machine_set_speed(&m, 1, "k", x) == HESCA_SUCCESS &&
              m.nmodels == 3,
          "replaced");
    CHECK(hesca_machine_set_speed(&m, 4, "k", x) == HESCA_ERR_ARG &&
              hesca_machine_set_speed(&m, -1, "k", x) == HESCA_ERR_ARG &&
              hesca_machine_set_speed(&m, 0, NULL, x) == HESCA_ERR_ARG,
          "host 4");
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        CHECK(hesca_machine_set_speed(&m, 0, bad[k], x) == HESCA_ERR_ARG,
              "'%s'", bad[k]);
    CHECK(hesca_machine_set_speed(&m, 0, "k", close) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "1e-8") != NULL,
          "%s", hesca_error_text());
    CHECK(hesca_machine_set_speed(&m, 0, "k", NULL) == HESCA_SUCCESS &&
              m.nmodels == 2 && hesca_machine_speed(&m, 0, "k") == NULL,
          "removed");
    /* Other hosts: b.x and c keep theirs. */
    CHECK(hesca_machine_set_hosts(&m, 3, others) == HESCA_SUCCESS &&
              m.nmodels == 2 && hesca_machine_speed(&m, 0, "k") != NULL &&
              hesca_machine_speed(&m, 1, "k") != NULL,
          "%d models", m.nmodels);
    CHECK(hesca_machine_check(&m) == HESCA_SUCCESS, "%s", hesca_error_text());
    m.model[1].host = m.model[0].host;
    CHECK(hesca_machine_check(&m) == HESCA_ERR_ARG, "twice");
    m.model[1].host = 3;
    CHECK(hesca_machine_check(&m) == HESCA_ERR_ARG,
          "a host that is not there");
    CHECK(hesca_machine_set_hosts(&m, 0, NULL) == HESCA_SUCCESS &&
              m.nmodels == 0,
          "no hosts");
    hesca_machine_clear(&m);
    hesca_speed_free(x);
    hesca_speed_free(close);
}

/* ------------------------------------------------ no memory */

static int
try_reading(void *unused)
{
    hesca_machine m = hesca_machine_default();
    (void)unused;
    const int err = hesca_machine_read(path, &m);
    CHECK(err == HESCA_SUCCESS || m.host == NULL, "changed");
    hesca_machine_clear(&m);
    return err;
}

static int
try_copying(void *machine)
{
    hesca_machine m = hesca_machine_default();
    const int err = hesca_machine_copy(machine, &m);
    CHECK(err == HESCA_SUCCESS || m.host == NULL, "changed");
    hesca_machine_clear(&m);
    return err;
}

static int
try_setting(void *machine)
{
    hesca_machine *m = machine;
    const int before = m->nmodels;
    const hesca_speed *x = hesca_machine_speed(m, 0, "dgemm");
    const int err = hesca_machine_set_speed(m, 2, "fresh", x);
    CHECK(m->nmodels == before + (err == HESCA_SUCCESS), "%d models",
          m->nmodels);
    return err;
}

static int
try_naming(void *machine)
{
    static const char *const name[] = {"b.x", "z"};
    hesca_machine *m = machine;
    const int before = m->nmodels;
    const int err = hesca_machine_set_hosts(m, 2, name);
    CHECK(m->nmodels == (err == HESCA_SUCCESS ? 2 : before), "%d models",
          m->nmodels);
    return err;
}

static int
try_writing(void *machine)
{
    char *text;
    const int err = hesca_machine_format(machine, &text);
    CHECK((text == NULL) == (err < 0), "text without success");
    free(text);
    return err;
}

static void
no_memory(void)
{
    hesca_machine m;
    CHECK(read_text(good, &m) == HESCA_SUCCESS, "%s", hesca_error_text());
    nomem_check("reading", 8, try_reading, NULL);
    nomem_check("copying", 6, try_copying, &m);
    nomem_check("writing", 0, try_writing, &m);
    nomem_check("setting", 2, try_setting, &m);
    nomem_check("naming", 2, try_naming, &m);
    hesca_machine_clear(&m);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(reading),  UNIT(writing),
                                       UNIT(refusing), UNIT(hostile),
                                       UNIT(setting),  UNIT(no_memory)};
    RUN_WITH_FILE("machine/t_models", 20261125, tests);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Topology and VPM files: those that the HMPI thesis prints, wrong ones,
 * written and read again, mutated; times of layers; conversions. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "base/status.h"
#include "machine/topology.h"
#include "testing/unit.h"
#include <math.h>
#include <unistd.h>

static char path[] = "/tmp/hesca-topology-XXXXXX";

static void
write_text(const char *text, size_t n)
{
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(text, 1, n, f) != n || fclose(f) != 0)
        abort();
}

static int
read_text(const char *text, hesca_topology *t)
{
    write_text(text, strlen(text));
    return hesca_topology_read(path, t);
}

static hesca_topology
read_sample(const char *name)
{
    const char *source = getenv("top_srcdir");
    char file[500];
    hesca_topology t = {.nlayers = 0};
    snprintf(file, sizeof file, "%s/testing/machine/topologies/%s.topo",
             source != NULL ? source : ".", name);
    CHECK(hesca_topology_read(file, &t) == 0, "%s", hesca_error_text());
    CHECK(hesca_topology_check(&t) == 0, "%s", hesca_error_text());
    return t;
}

static int
is_computer(const hesca_topology *t, int k, const char *name, int s, double p,
            int n, double c1, double c2, double c3)
{
    const hesca_computer *c = &t->computer[k];
    const hesca_layer *l = &t->layer[c->layer];
    return strcmp(c->name, name) == 0 && c->nprocessors == s &&
           c->speed == p && c->nprocs == n && !l->is_parallel &&
           l->parent == 0 && l->rate[0] == c1 && l->rate[1] == c2 &&
           l->rate[2] == c3;
}

/* HMPI 3.8.1 and 5.3.2. */
static void
printed(void)
{
    hesca_topology t = read_sample("three");
    CHECK(t.ncomputers == 3 && t.nlayers == 4, "%d", t.ncomputers);
    CHECK(t.layer[0].is_parallel && t.layer[0].broadcast == 0.49 &&
              t.layer[0].gather == 0.97,
          "the top layer");
    CHECK(
        is_computer(&t, 0, "alpha", 2, 6667, 5, 2285064, 107326590, 99523787),
        "alpha");
    CHECK(is_computer(&t, 1, "beta", 2, 5556, 5, 1312665, 80473880, 98430419),
          "beta");
    CHECK(is_computer(&t, 2, "gamma", 2, 5556, 5, 1956722, 78885862, 99667528),
          "gamma");
    /* 64, 4096 and 262144 bytes between computers. */
    CHECK(fabs(hesca_layer_seconds(&t.layer[0], 64) - 1.026e-3) < 1e-6, "64");
    CHECK(fabs(hesca_layer_seconds(&t.layer[0], 4096) - 4.236e-3) < 1e-6,
          "4096");
    CHECK(fabs(hesca_layer_seconds(&t.layer[0], 262144) - 327.3e-3) < 1e-4,
          "262144");
    hesca_topology_clear(&t);
    t = read_sample("twelve");
    CHECK(t.ncomputers == 12, "%d", t.ncomputers);
    CHECK(is_computer(&t, 4, "zaphod", 1, 2632, 1, 37569267, 145325990,
                      292140157),
          "zaphod");
    CHECK(is_computer(&t, 11, "cssparc01", 1, 136, 1, 6871230, 39752890,
                      18018695),
          "cssparc01");
    hesca_topology_clear(&t);
    t = read_sample("seven");
    CHECK(t.ncomputers == 7, "%d", t.ncomputers);
    CHECK(is_computer(&t, 2, "pglcluster01", 2, 22501, 2, 1063941, 58484865,
                      99137032),
          "pglcluster01");
    hesca_topology_clear(&t);
}

static void
times(void)
{
    hesca_layer l = {.rate = {1e6, 1e6, 1e6}};
    hesca_layer_prepare(&l);
    CHECK(hesca_layer_seconds(&l, 0) == 0, "0 bytes");
    CHECK(fabs(hesca_layer_seconds(&l, 11200) - 0.0112) < 1e-16, "11200");
    CHECK(hesca_layer_seconds(&l, 1) == 64e-6, "the start-up time");
    CHECK(fabs(hesca_layer_seconds(&l, 1e9) - 1000) < 1e-9, "1e9");
    /* A rate that falls faster than sizes grow: no message is faster. */
    l = (hesca_layer){.rate = {1, 1e6, 1e9}};
    hesca_layer_prepare(&l);
    double before = 0;
    for (double bytes = 1; bytes < 1e7; bytes *= 1.5) {
        const double t = hesca_layer_seconds(&l, bytes);
        CHECK(t >= before, "%g bytes", bytes);
        before = t;
    }
}

#define TOP "parallel(0.5, 1) c1 c2 c3\n"
#define ONE "s1 p1 n1 serial c1 c2 c3\n"

static void
wrong(const char *text, const char *message)
{
    hesca_topology t = {.nlayers = 0};
    char must[300];
    snprintf(must, sizeof must, "%s%s", path, message);
    CHECK(read_text(text, &t) == HESCA_ERR_PARAM, "'%s' is accepted", text);
    CHECK(strcmp(hesca_error_text(), must) == 0, "'%s': %s, not %s", text,
          hesca_error_text(), must);
    CHECK(t.layer == NULL, "'%s' leaves layers", text);
}

static void
wrong_topologies(void)
{
    wrong("", ":1: the file ends where serial or parallel(f_b, f_g) must "
              "follow");
    wrong("fast c1 c2 c3", ":1: 'fast' must be serial or parallel(f_b, f_g)");
    wrong("parallel c1", ":1: 'c1' must be '('");
    wrong("parallel(2, 1) c1 c2 c3", ":1: '2' must be a number 0 ... 1");
    wrong("parallel(0.5; 1)", ":1: '0.5;' must be a number 0 ... 1");
    wrong("parallel(0.5, nan) c1 c2 c3", ":1: 'nan' must be a number 0 ... 1");
    wrong("parallel(0.5, 1 c1 c2 c3", ":1: 'c1' must be ')'");
    wrong("serial c1 c2", ":1: the file ends where c and bytes per second, as "
                          "c62377 must follow");
    wrong("serial c1 c0 c3",
          ":1: 'c0' must be c and bytes per second, as c62377");
    wrong("serial c1 c-2 c3",
          ":1: 'c-2' must be c and bytes per second, as c62377");
    wrong("serial c1 2 c3",
          ":1: '2' must be c and bytes per second, as c62377");
    wrong(TOP, ":2: the file ends where a computer, as s2 p6667 n5 serial c1 "
               "c2 c3, must follow");
    wrong(TOP "p1 s1", ":2: 'p1' must be a computer, as s2 p6667 n5 serial c1 "
                       "c2 c3, or a layer");
    wrong(TOP "s0 p1 n1 serial c1 c2 c3",
          ":2: 's0' must be s and a number of processors, as s2");
    wrong(TOP "s1.5 p1 n1 serial c1 c2 c3",
          ":2: 's1.5' must be s and a number of processors, as s2");
    wrong(TOP "s1 p0 n1 serial c1 c2 c3",
          ":2: 'p0' must be p and a speed, as p6667");
    wrong(TOP "s1 pinf n1 serial c1 c2 c3",
          ":2: 'pinf' must be p and a speed, as p6667");
    wrong(TOP "s1 p1 n-1 serial c1 c2 c3",
          ":2: 'n-1' must be n and a number of processes, as n5");
    wrong(TOP "s1 p1 n9999999999 serial c1 c2 c3",
          ":2: 'n9999999999' must be n and a number of processes, as n5");
    wrong(TOP ONE "}", ":3: '}' must be left out");
    wrong(TOP "serial c1 c2 c3\n" ONE, ":3: 's1' must be '{'");
    wrong(TOP "serial c1 c2 c3 {\n" ONE, ":4: the file ends where '}' must "
                                         "follow");
    wrong(TOP "#a\n" ONE "#a\n" ONE, ":5: a second computer 'a'");
    wrong(TOP "#0123456789012345678901234567890123456789012345678901234567890"
              "123\n" ONE,
          ":2: '0123456789012345678901234567890123456789' must be a name "
          "shorter than 64 bytes");
}

/* --- VPM --- */

static void
wrong_vpm(const char *text, const char *message)
{
    hesca_vpm_line *line = (hesca_vpm_line *)1;
    int n = 7;
    char must[300];
    write_text(text, strlen(text));
    snprintf(must, sizeof must, "%s%s", path, message);
    CHECK(hesca_vpm_read(path, &line, &n) == HESCA_ERR_PARAM && line == NULL,
          "'%s' is accepted", text);
    CHECK(strcmp(hesca_error_text(), must) == 0, "'%s': %s, not %s", text,
          hesca_error_text(), must);
}

static void
vpm(void)
{
    static const char text[] = "# a VPM\n\ngamma 2 [4]\r\n  alpha 3 2 \n"
                               "beta 7\n";
    hesca_topology t = read_sample("three");
    hesca_vpm_line *line = NULL;
    int n = 0;
    write_text(text, strlen(text));
    CHECK(hesca_vpm_read(path, &line, &n) == 0, "%s", hesca_error_text());
    CHECK(n == 3 && line[0].nprocessors == 4 && line[1].nprocessors == 2 &&
              line[2].nprocessors == 0 && line[2].nprocs == 7,
          "%d lines", n);
    CHECK(hesca_topology_apply_vpm(&t, line, 2) == 0, "%s",
          hesca_error_text());
    CHECK(t.ncomputers == 2 && strcmp(t.computer[0].name, "gamma") == 0 &&
              t.computer[0].nprocs == 2 && t.computer[0].nprocessors == 4 &&
              t.computer[1].nprocs == 3 && t.computer[1].speed == 6667,
          "the network of the VPM");
    CHECK(hesca_topology_apply_vpm(&t, line, 3) == HESCA_ERR_ARG,
          "beta was dropped");
    free(line);
    hesca_topology_clear(&t);
    wrong_vpm("", ": no computer");
    wrong_vpm("a\n", ":1: the line ends where a number of processes must "
                     "follow");
    wrong_vpm("a 0\n", ":1: '0' must be a number of processes");
    wrong_vpm("a [2]\n", ":1: '[2]' must be a number of processes");
    wrong_vpm("a 1 [2\n", ":1: '[2' must be a number of processors");
    wrong_vpm("a 1 2 3\n", ":1: '3' must be left out");
    wrong_vpm("a 1\na 2\n", ":2: a second line for 'a'");
    wrong_vpm("a 1e3x\n", ":1: '1e3x' must be a number of processes");
}

/* --- random networks --- */

/* Layers inside of layers, each with computers. */
static hesca_topology
random_network(void)
{
    enum { LAYERS = 60, COMPUTERS = 30 };
    hesca_topology t = {.layer = calloc(LAYERS, sizeof *t.layer),
                        .computer = calloc(COMPUTERS, sizeof *t.computer)};
    int inner[LAYERS], ninner = 0;
    for (int k = check_uniform(2, 40); k > 0; --k) {
        const int parent =
            t.nlayers == 0 ? -1 : inner[check_uniform(0, ninner - 1)];
        const int is_inner = t.nlayers == 0 || check_uniform(0, 3) == 0;
        hesca_layer *l = &t.layer[t.nlayers];
        if (!is_inner && t.ncomputers == COMPUTERS)
            break;
        *l =
            (hesca_layer){.is_parallel = check_uniform(0, 1),
                          .parent = parent,
                          .depth = parent < 0 ? 0 : t.layer[parent].depth + 1};
        if (l->is_parallel) {
            l->broadcast = check_uniform(0, 1000) / 1000.0;
            l->gather = check_uniform(0, 7) / 7.0;
        }
        for (int j = 0; j < HESCA_LAYER_RATES; ++j)
            l->rate[j] = exp(check_uniform(0, 3000) / 100.0);
        hesca_layer_prepare(l);
        if (is_inner) {
            inner[ninner++] = t.nlayers;
        } else {
            hesca_computer *c = &t.computer[t.ncomputers];
            snprintf(c->name, sizeof c->name, "host %d", t.ncomputers++);
            c->nprocessors = check_uniform(1, 64);
            c->nprocs = check_uniform(0, 64);
            c->speed = exp(check_uniform(-500, 500) / 100.0);
            c->layer = t.nlayers;
        }
        ++t.nlayers;
    }
    return t;
}

static int
by_name(const hesca_topology *t, const char *name)
{
    int k = 0;
    while (k < t->ncomputers && strcmp(t->computer[k].name, name) != 0)
        ++k;
    return k;
}

/* Numbers of files are read with an error of some units of the last place. */
static int
is_near(double x, double y)
{
    return fabs(x - y) <= 1e-14 * fabs(y);
}

/* Layers may get other numbers; times between computers stay. */
static void
again(void)
{
    for (int cases = check_cases(300); cases > 0; --cases) {
        hesca_topology t = random_network(), u = {.nlayers = 0};
        char *text = NULL;
        if (t.ncomputers > 0) {
            CHECK(hesca_topology_check(&t) == 0, "%s", hesca_error_text());
            CHECK(hesca_topology_format(&t, &text) == 0, "%s",
                  hesca_error_text());
            CHECK(read_text(text, &u) == 0, "%s", hesca_error_text());
            CHECK(u.ncomputers == t.ncomputers && u.nlayers == t.nlayers, "%d",
                  u.ncomputers);
        }
        for (int i = 0; i < u.ncomputers; ++i) {
            const hesca_computer *a = &u.computer[i];
            const hesca_computer *b = &t.computer[by_name(&t, a->name)];
            CHECK(is_near(a->speed, b->speed) && a->nprocs == b->nprocs &&
                      a->nprocessors == b->nprocessors,
                  "%s", a->name);
            for (int j = 0; j < u.ncomputers; ++j) {
                const int k = by_name(&t, u.computer[j].name);
                const hesca_layer *x = &u.layer[hesca_topology_cover(
                    &u, a->layer, u.computer[j].layer)];
                const hesca_layer *y = &t.layer[hesca_topology_cover(
                    &t, b->layer, t.computer[k].layer)];
                CHECK(is_near(x->rate[0], y->rate[0]) &&
                          is_near(x->rate[1], y->rate[1]) &&
                          is_near(x->rate[2], y->rate[2]) &&
                          x->is_parallel == y->is_parallel &&
                          is_near(x->broadcast, y->broadcast) &&
                          is_near(x->gather, y->gather) &&
                          x->depth == y->depth,
                      "%d %d", i, j);
            }
        }
        free(text);
        hesca_topology_clear(&t);
        hesca_topology_clear(&u);
    }
}

static void
conversions(void)
{
    hesca_topology t = read_sample("seven"), u = {.nlayers = 0};
    hesca_machine m = hesca_machine_default();
    CHECK(hesca_topology_to_machine(&t, &m) == 0, "%s", hesca_error_text());
    CHECK(m.nhosts == 7 && m.host[2].cores == 2 && m.host[2].speed == 22501,
          "%d hosts", m.nhosts);
    CHECK(hesca_machine_check(&m) == 0, "%s", hesca_error_text());
    const hesca_wire w = m.wire[1];
    for (int k = 0; k < 3; k += 2) {
        const double bytes = k == 0 ? 64 : 262144;
        const double must = hesca_layer_seconds(&t.layer[0], bytes);
        CHECK(fabs(w.startup + bytes / w.rate - must) <= 1e-12 * must,
              "%g bytes", bytes);
    }
    CHECK(hesca_topology_of_machine(&m, &u) == 0, "%s", hesca_error_text());
    CHECK(hesca_topology_check(&u) == 0, "%s", hesca_error_text());
    CHECK(u.ncomputers == 7 && u.computer[2].nprocs == 2 &&
              u.computer[2].speed == 22501,
          "back");
    CHECK(fabs(hesca_layer_seconds(&u.layer[0], 262144) /
                   hesca_layer_seconds(&t.layer[0], 262144) -
               1) < 1e-9,
          "the top layer");
    hesca_machine_clear(&m);
    CHECK(hesca_topology_of_machine(&m, &u) == HESCA_ERR_ARG, "no hosts");
    hesca_topology_clear(&t);
    hesca_topology_clear(&u);
}

/* A mutated file is read or refused. */
static void
mutations(void)
{
    static const char *const text[] = {
        "parallel(0.49, 0.97) c62377 c967039 c801049\n#alpha\ns2 p6667 n5 "
        "serial c2285064 c107326590 c99523787\nserial c1 c2 c3 {\n#b\ns1 p.5 "
        "n1 serial c1 c2 c3 }\n",
        "alpha 5\nbeta 5 [2]\n# no\ngamma 5 2\n"};
    static const char bits[] = "0123456789.,-+e#(){}[]spnc \n\tparallelserial";
    for (int cases = check_cases(check_big() ? 100000 : 10000); cases > 0;
         --cases) {
        const int which = cases % 2;
        char copy[400];
        size_t n = strlen(text[which]);
        memcpy(copy, text[which], n);
        for (int k = check_uniform(1, 5); k > 0; --k)
            copy[check_uniform(0, (int)n - 1)] =
                check_uniform(0, 3) > 0
                    ? bits[check_uniform(0, (int)sizeof bits - 2)]
                    : (char)check_uniform(0, 255);
        if (check_uniform(0, 3) == 0)
            n = (size_t)check_uniform(0, (int)n);
        write_text(copy, n);
        hesca_topology t = {.nlayers = 0};
        hesca_vpm_line *line;
        int nlines;
        const int err = which == 0 ? hesca_topology_read(path, &t)
                                   : hesca_vpm_read(path, &line, &nlines);
        CHECK(err == 0 ||
                  (err == HESCA_ERR_PARAM &&
                   strncmp(hesca_error_text(), path, strlen(path)) == 0),
              "%d %s", err, hesca_error_text());
        if (err == 0 && which == 0)
            CHECK(hesca_topology_check(&t) == 0, "%s", hesca_error_text());
        if (err == 0 && which == 1)
            free(line);
        hesca_topology_clear(&t);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(printed), UNIT(times),       UNIT(wrong_topologies), UNIT(vpm),
        UNIT(again),   UNIT(conversions), UNIT(mutations)};
    unit_begin("machine/t_topology", 20261124);
    const int file = mkstemp(path);
    if (file < 0)
        abort();
    close(file);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return unit_end(failed);
}

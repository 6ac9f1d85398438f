/* SPDX-License-Identifier: BSD-3-Clause */
/* Machine files with hosts and links: what is read, what is refused, and
 * the network that processes see; GUSTO's four sites. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "machine/network.h"
#include "machine/tournament.h"
#include "testing/machine/file.h"
#include <math.h>

#define HEAD "hesca-machine 1\n"
#define WIRE "startup 1ms rate 1MB/s\n"

static const hesca_wire *
wire(const hesca_machine *m, int from, int to)
{
    return &m->wire[from * m->nhosts + to];
}

static int
is_near(double x, double y)
{
    return fabs(x - y) <= 1e-9 * fabs(y);
}

static int
is_wire(const hesca_wire *w, double startup, double rate)
{
    return is_near(w->startup, startup) && is_near(w->rate, rate);
}

static const char good[] = "hesca-machine 1 # three hosts, no costs\n"
                           "host a.site.org speed 0.5\n"
                           "host b\n"
                           "class slow startup 20ms rate 8Mbit/s\n"
                           "host c memory 8GB speed 2e0 cores .4\n"
                           "others class slow\n"
                           "links a.site.org b startup 50us rate 1.5GB/s\n"
                           "link c a.site.org startup 1e-3 rate 1000000\n"
                           "inside b startup 300ns rate 2e9B/s\n"
                           "net startup 1us message 1 byte 1 copy 1\n";

static void
reading(void)
{
    const hesca_machine d = hesca_machine_default();
    hesca_machine m;
    CHECK(read_text(good, &m) == HESCA_SUCCESS, "%s", hesca_error_text());
    CHECK(m.nhosts == 3 && is_near(m.host[0].speed, 0.5) &&
              is_near(m.host[1].speed, 1) && is_near(m.host[2].speed, 2) &&
              strcmp(m.host[0].name, "a.site.org") == 0,
          "%d hosts", m.nhosts);
    CHECK(is_near(m.host[2].cores, 0.4) && is_near(m.host[2].memory, 8e9),
          "host c: %g cores, %g bytes", m.host[2].cores, m.host[2].memory);
    CHECK(is_near(m.host[1].cores, 1) && !(m.host[1].memory > 0),
          "host b: %g cores, %g bytes", m.host[1].cores, m.host[1].memory);
    CHECK(is_wire(wire(&m, 0, 1), 5e-5, 1.5e9), "a b");
    CHECK(is_wire(wire(&m, 1, 0), 5e-5, 1.5e9), "b a");
    CHECK(is_wire(wire(&m, 2, 0), 1e-3, 1e6), "c a");
    CHECK(is_wire(wire(&m, 0, 2), 0.02, 1e6), "a c: others");
    CHECK(is_wire(wire(&m, 1, 2), 0.02, 1e6), "b c: others");
    CHECK(is_wire(wire(&m, 1, 1), 3e-7, 2e9), "inside b");
    CHECK(is_wire(wire(&m, 0, 0), d.node.alone.startup, 1 / d.node.alone.byte),
          "inside a: the costs of a node");
    CHECK(is_near(m.node.crowded.startup, d.node.crowded.startup) &&
              is_near(m.net.alone.startup, 1e-6),
          "costs: defaults, but for net");
    CHECK(hesca_machine_check(&m) == HESCA_SUCCESS, "%s", hesca_error_text());
    hesca_machine_clear(&m);
    CHECK(m.nhosts == 0 && m.host == NULL && m.wire == NULL, "cleared");
}

/* Hosts and wires at random, some of them equal in both directions. */
static void
draw(hesca_machine *m)
{
    char text[8][HESCA_HOST_MAX];
    const char *name[8];
    const int n = check_uniform(1, 8);
    for (int i = 0; i < n; ++i) {
        snprintf(text[i], sizeof text[i], "n%d%s", i, i % 2 ? ".x-y_z" : "");
        name[i] = text[i];
    }
    *m = hesca_machine_default();
    CHECK(hesca_machine_set_hosts(m, n, name) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    if (check_uniform(0, 1) == 0)
        m->unit = (hesca_unit){check_uniform(1, 1000000) * 31e3,
                               check_uniform(1, 1000) / 1000.0};
    for (int i = 0; i < n; ++i) {
        m->host[i].speed = check_uniform(1, 1000000) / 977.0;
        m->host[i].cores = check_uniform(1, 8) / 4.0;
        m->host[i].memory = check_uniform(0, 2) * 1.7e10;
        for (int j = 0; j < n; ++j) {
            hesca_wire *w = &m->wire[i * n + j];
            w->startup = check_uniform(0, 1000000) / 3.1e9;
            w->rate = check_uniform(1, 1000000) * 7.3;
            if (i < j && check_uniform(0, 1) == 0)
                m->wire[j * n + i] = *w;
        }
    }
}

static void
writing(void)
{
    for (int c = 0; c < check_cases(200); ++c) {
        hesca_machine m, back;
        char *text;
        draw(&m);
        CHECK(hesca_machine_format(&m, &text) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        CHECK(read_text(text, &back) == HESCA_SUCCESS, "%s: %s",
              hesca_error_text(), text);
        free(text);
        CHECK(back.nhosts == m.nhosts, "%d hosts", back.nhosts);
        CHECK(is_near(back.unit.flops, m.unit.flops) &&
                  is_near(back.unit.part, m.unit.part),
              "unit: %g %g", back.unit.flops, back.unit.part);
        for (int i = 0; i < m.nhosts; ++i)
            CHECK(strcmp(m.host[i].name, back.host[i].name) == 0 &&
                      is_near(m.host[i].speed, back.host[i].speed) &&
                      is_near(m.host[i].cores, back.host[i].cores) &&
                      is_near(m.host[i].memory, back.host[i].memory),
                  "host %d: %s", i, back.host[i].name);
        for (int k = 0; k < m.nhosts * m.nhosts; ++k)
            CHECK(is_wire(&back.wire[k], m.wire[k].startup, m.wire[k].rate),
                  "wire %d: %g %g", k, back.wire[k].startup,
                  back.wire[k].rate);
        hesca_machine_clear(&m);
        hesca_machine_clear(&back);
    }
}

#define AB "host a\nhost b\n"

static void
refusing(void)
{
    static const char long_name[] =
        HEAD "host x123456789x123456789x123456789x123456789x123456789x1234567"
             "89x123\n";
    static const bad_file bad[] = {
        {HEAD "host\n", ":2:", "a name"},
        {long_name, ":2:", "shorter than 64"},
        {HEAD "host a fast\n", ":2:", "'fast'"},
        {HEAD "host a speed\n", ":2:", "number"},
        {HEAD "host a speed 0\n", ":2:", "'0'"},
        {HEAD "host a speed -1\n", ":2:", "'-1'"},
        {HEAD "host a speed nan\n", ":2:", "'nan'"},
        {HEAD "host a speed inf\n", ":2:", "'inf'"},
        {HEAD "host a speed 1s\n", ":2:", "'1s'"},
        {HEAD "host a speed 1 2\n", ":2:", "'2'"},
        {HEAD "host a speed 1 speed 2\n", ":2:", "'speed'"},
        {HEAD "host a cores 0\n", ":2:", "'0'"},
        {HEAD "host a cores\n", ":2:", "number"},
        {HEAD "host a memory 0\n", ":2:", "'0'"},
        {HEAD "host a memory 8G\n", ":2:", "'8G'"},
        {HEAD "unit flops 0 part 1\n", ":2:", "'0'"},
        {HEAD "unit flops 1e10\n", ":2:", "part"},
        {HEAD "unit flops 1e10 part 1.5\n", ":2:", "at most 1"},
        {HEAD "unit part 1 flops 1e10\n", ":2:", "'part'"},
        {HEAD "unit flops 1 part 1\nunit flops 1 part 1\n", ":3:", "once"},
        {HEAD AB "host a\n", ":4:", "'a'"},
        {HEAD AB "links a b " WIRE "host c\n", ":5:", "'c'"},
        {HEAD AB "links a c " WIRE, ":4:", "'c'"},
        {HEAD AB "link c a " WIRE, ":4:", "'c'"},
        {HEAD AB "link a a " WIRE, ":4:", "'a'"},
        {HEAD AB "link a\n", ":4:", "a host"},
        {HEAD AB "link a b\n", ":4:", "startup or class"},
        {HEAD AB "link a b rate 3\n", ":4:", "'rate'"},
        {HEAD AB "link a b startup\n", ":4:", "number of seconds"},
        {HEAD AB "link a b startup -1\n", ":4:", "'-1'"},
        {HEAD AB "link a b startup nan\n", ":4:", "'nan'"},
        {HEAD AB "link a b startup 1 rate\n", ":4:", "bytes per second"},
        {HEAD AB "link a b startup 1 rate 0\n", ":4:", "'0'"},
        {HEAD AB "link a b startup 1 rate 0MB/s\n", ":4:", "'0MB/s'"},
        {HEAD AB "link a b startup 1 rate -5\n", ":4:", "'-5'"},
        {HEAD AB "link a b startup 1 rate nan\n", ":4:", "'nan'"},
        {HEAD AB "link a b startup 1 rate inf\n", ":4:", "'inf'"},
        {HEAD AB "link a b startup 1 rate 1e-400\n", ":4:", "'1e-400'"},
        {HEAD AB "link a b startup 1 rate 1e400\n", ":4:", "'1e400'"},
        {HEAD AB "link a b startup 1 rate 8mbit/s\n", ":4:", "'8mbit/s'"},
        {HEAD AB "link a b startup 1 rate 8Mbit\n", ":4:", "'8Mbit'"},
        {HEAD AB "link a b startup 1kB/s\n", ":4:", "'1kB/s'"},
        {HEAD AB "link a b startup 1 rate 8 MB/s\n", ":4:", "'MB/s'"},
        {HEAD AB "link a b startup 1,5\n", ":4:", "'1,5'"},
        {HEAD AB "link a b class x\n", ":4:", "'x'"},
        {HEAD AB "link a b class\n", ":4:", "a class"},
        {HEAD "class x " WIRE "class x " WIRE, ":3:", "'x'"},
        {HEAD "class x rate 1\n", ":2:", "'rate'"},
        {HEAD "class x startup 1 rate 0\n", ":2:", "'0'"},
        {HEAD "others " WIRE "others " WIRE, ":3:", "'others'"},
        {HEAD "inside a " WIRE, ":2:", "'a'"},
        {HEAD AB "inside a " WIRE "inside a " WIRE, ":5:", "'a a'"},
        {HEAD AB "link a b " WIRE "link a b " WIRE, ":5:", "after line 4"},
        {HEAD AB "link b a " WIRE "links a b " WIRE, ":5:", "'b a'"},
        /* A machine in two parts, and a matrix with a hole. */
        {HEAD AB, ":3:", "'a b'"},
        {HEAD AB "link a b " WIRE, ":4:", "'b a'"},
        {HEAD AB "host c\nlinks a b " WIRE "links b c " WIRE, ":6:", "'a c'"},
        {HEAD "others " WIRE, ":2:", "'node'"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        check_refused(&bad[k]);
}

/* Every cut of a good file is refused or complete: from its link on, the
 * key word `others' gives what is missing. */
static void
cutting(void)
{
    const size_t read = (size_t)(strstr(good, "links") - good) - 1;
    for (size_t n = 0; n + 1 < sizeof good; ++n) {
        char text[sizeof good];
        hesca_machine m;
        memcpy(text, good, n);
        text[n] = '\0';
        if (read_text(text, &m) != HESCA_SUCCESS)
            continue;
        /* One host alone needs no link. */
        CHECK(n >= read || m.nhosts == 1, "%zu bytes are enough", n);
        hesca_machine_clear(&m);
    }
}

/* What a program may write into a machine. */
static void
checking(void)
{
    const char *const name[] = {"a", "b"};
    const double bad[] = {-1, NAN, INFINITY, -INFINITY};
    hesca_machine m = hesca_machine_default();
    CHECK(hesca_machine_set_hosts(&m, 2, name) == HESCA_SUCCESS &&
              hesca_machine_check(&m) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    double *const value[] = {&m.wire[1].startup,     &m.wire[2].rate,
                             &m.host[1].speed,       &m.node.alone.byte,
                             &m.net.crowded.startup, &m.host[1].cores,
                             &m.host[0].memory};
    const char *const word[] = {"startup from a to b", "rate from b to a",
                                "speed of host b",     "node byte",
                                "net-crowded startup", "cores of host b",
                                "memory of host a"};
    for (int k = 0; k < 7; ++k) {
        const double before = *value[k];
        for (int i = 0; i < 5; ++i) {
            if (i == 4 && k != 1 && k != 2 && k != 5)
                continue; /* the others may be 0 */
            *value[k] = i < 4 ? bad[i] : 0;
            CHECK(hesca_machine_check(&m) == HESCA_ERR_ARG &&
                      strstr(hesca_error_text(), word[k]) != NULL,
                  "%s: %s", word[k], hesca_error_text());
        }
        *value[k] = before;
    }
    const char *const bad_name[][2] = {
        {"a", "a"}, {"a", ""}, {"a b", "c"}, {"#a", "b"}};
    for (int k = 0; k < 4; ++k)
        CHECK(hesca_machine_set_hosts(&m, 2, bad_name[k]) == HESCA_ERR_ARG,
              "'%s' and '%s'", bad_name[k][0], bad_name[k][1]);
    CHECK(hesca_machine_set_hosts(&m, -1, name) == HESCA_ERR_ARG, "-1 hosts");
    CHECK(m.nhosts == 2 && strcmp(m.host[1].name, "b") == 0, "unchanged");
    hesca_machine_clear(&m);
}

static void
finding(void)
{
    const char *const name[] = {"n1.x.org", "n2", "n3.x.org", "n3.y.org"};
    const struct {
        const char *name;
        int host;
    } want[] = {{"n1.x.org", 0}, {"n1", 0},  {"n1.y.org", -1}, {"n2", 1},
                {"n2.x.org", 1}, {"n3", -2}, {"n3.y.org", 3},  {"n", -1},
                {"", -1},        {"n22", -1}};
    hesca_machine m = hesca_machine_default();
    hesca_machine_set_hosts(&m, 4, name);
    for (size_t k = 0; k < sizeof want / sizeof *want; ++k)
        CHECK(hesca_machine_find_host(&m, want[k].name) == want[k].host,
              "'%s' is %d", want[k].name,
              hesca_machine_find_host(&m, want[k].name));
    hesca_machine_clear(&m);
}

/* Each pair of processes has the wire of their hosts. */
static void
networks(void)
{
    for (int c = 0; c < check_cases(100); ++c) {
        const int nproc = check_uniform(0, 12);
        hesca_machine m;
        hesca_network x;
        int host[12];
        draw(&m);
        for (int r = 0; r < nproc; ++r)
            host[r] = check_uniform(0, m.nhosts - 1);
        CHECK(hesca_network_of_hosts(&m, nproc, host, &x) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        for (int r = 0; r < nproc; ++r)
            for (int s = 0; s < nproc; ++s) {
                const hesca_wire w = hesca_network_wire(&x, r, s);
                CHECK(memcmp(&w, wire(&m, host[r], host[s]), sizeof w) == 0,
                      "%d to %d", r, s);
            }
        CHECK(x.nproc == nproc && x.nhosts <= nproc, "%d hosts", x.nhosts);
        hesca_network_clear(&x);
        if (nproc > 0) {
            host[nproc - 1] = m.nhosts;
            CHECK(hesca_network_of_hosts(&m, nproc, host, &x) == HESCA_ERR_ARG,
                  "a host that is not there");
        }
        hesca_machine_clear(&m);
    }
}

static void
alike(void)
{
    const hesca_machine m = hesca_machine_default();
    const int node[] = {7, 7, -3, 100};
    hesca_network x;
    CHECK(hesca_network_of_nodes(&m, 2, 4, node, &x) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    for (int r = 0; r < 4; ++r)
        for (int s = 0; s < 4; ++s) {
            const hesca_costs c =
                hesca_machine_costs(&m, node[r] == node[s], 2);
            CHECK(is_near(hesca_network_seconds(&x, r, s, 1000),
                          c.startup + 1000 * c.byte),
                  "%d to %d: %g s", r, s,
                  hesca_network_seconds(&x, r, s, 1000));
        }
    hesca_network_clear(&x);
}

/* Each pair meets once, and no process meets two at a time. */
static void
tournament(void)
{
    enum { MOST = 41 };
    for (int n = 0; n <= MOST; ++n) {
        int met[MOST][MOST] = {{0}};
        const int rounds = hesca_tournament_rounds(n);
        CHECK(rounds == (n < 2        ? 0
                         : n % 2 == 0 ? n - 1
                                      : n),
              "%d: %d rounds", n, rounds);
        for (int r = 0; r < rounds; ++r)
            for (int i = 0; i < n; ++i) {
                const int j = hesca_tournament_partner(n, r, i);
                CHECK(j >= -1 && j < n && j != i, "%d: %d meets %d", n, i, j);
                if (j < 0)
                    continue;
                CHECK(hesca_tournament_partner(n, r, j) == i,
                      "%d, round %d: %d meets %d, which does not", n, r, i, j);
                ++met[i][j];
            }
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                CHECK(met[i][j] == (i != j), "%d: %d and %d meet %d times", n,
                      i, j, met[i][j]);
    }
}

/* BHAT-COL, Eq. (2): seconds of a message of 10 MByte between the sites of
 * Table 1. */
static void
gusto(void)
{
    static const int seconds[4][4] = {{0, 156, 325, 39},
                                      {156, 0, 163, 115},
                                      {325, 163, 0, 257},
                                      {39, 115, 257, 0}};
    static const int host[] = {0, 1, 2, 3};
    char file[4096];
    const char *source = getenv("top_srcdir");
    hesca_machine m;
    hesca_network x;
    snprintf(file, sizeof file, "%s/examples/gusto.machine",
             source != NULL ? source : "..");
    CHECK(hesca_machine_read(file, &m) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    if (m.nhosts != 4)
        return;
    CHECK(hesca_network_of_hosts(&m, 4, host, &x) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (i != j)
                CHECK(lround(hesca_network_seconds(&x, i, j, 1e7)) ==
                          seconds[i][j],
                      "%s to %s: %g s", m.host[i].name, m.host[j].name,
                      hesca_network_seconds(&x, i, j, 1e7));
    hesca_network_clear(&x);
    hesca_machine_clear(&m);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(reading),    UNIT(writing), UNIT(refusing), UNIT(cutting),
        UNIT(checking),   UNIT(finding), UNIT(networks), UNIT(alike),
        UNIT(tournament), UNIT(gusto)};
    RUN_WITH_FILE("machine/t_hosts", 20261124, tests);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Machine files: read back what was written, refuse everything else with file,
 * line and token; costs by the number of processes per core. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "testing/machine/file.h"
#include <math.h>

static const char good[] =
    "# a comment\n"
    "hesca-machine 1\n"
    "\n"
    "net startup 1E-5 message .5e-6 byte 8.5e-10 copy 0 # slow\n"
    "node-crowded startup 2e-6 message 4e-7 byte 2e-10 copy 3e-10\n"
    "net-crowded startup 1 message 2 byte 3 copy 4\n"
    "\tnode  startup 0.000001 message 3e-07 byte 1e-10 copy 1e-10\r\n";

static void
reading(void)
{
    hesca_machine m;
    CHECK(read_text(good, &m) == HESCA_SUCCESS, "%s", hesca_error_text());
    CHECK(fabs(m.node.alone.startup - 1e-6) < 1e-15 && m.net.alone.copy == 0 &&
              fabs(m.net.alone.message - 5e-7) < 1e-15 &&
              fabs(m.net.alone.byte - 8.5e-10) < 1e-18 &&
              fabs(m.node.crowded.copy - 3e-10) < 1e-18 &&
              m.net.crowded.byte == 3,
          "node %g, net %g %g, crowded %g %g", m.node.alone.startup,
          m.net.alone.message, m.net.alone.byte, m.node.crowded.copy,
          m.net.crowded.byte);
}

static int
is_near(double x, double y)
{
    return fabs(x - y) <= 1e-12 + 1e-6 * y;
}

static void
writing(void)
{
    for (int c = 0; c < check_cases(500); ++c) {
        hesca_machine m = hesca_machine_default(), back;
        double *x = (double *)(void *)&m, *y = (double *)(void *)&back;
        const size_t n = (sizeof m.node + sizeof m.net) / sizeof *x;
        char *text;
        for (size_t k = 0; k < n; ++k)
            x[k] = check_uniform(0, 1000000) * 1e-12;
        CHECK(hesca_machine_format(&m, &text) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        CHECK(read_text(text, &back) == HESCA_SUCCESS, "%s: %s",
              hesca_error_text(), text);
        for (size_t k = 0; k < n; ++k)
            CHECK(is_near(x[k], y[k]), "field %zu: %.17g, not %.17g", k, y[k],
                  x[k]);
        free(text);
    }
}

#define NET "net startup 1 message 1 byte 1 copy 1\n"

/* What is wrong, in which line, and which token the text must quote. */
static void
refusing(void)
{
    static const bad_file bad[] = {
        {"", ":0:", "hesca-machine 1"},
        {NET, ":1:", "net"},
        {"hesca-machine 2\n", ":1:", "'2'"},
        {"hesca-machine\n", ":1:", "version"},
        {"hesca-machine 1 2\n", ":1:", "'2'"},
        {"hesca-machine 1\nhesca-machine 1\n", ":2:", "'hesca-machine'"},
        {"hesca-machine 1\nnet startup x", ":2:", "'x'"},
        {"hesca-machine 1\nnet startup -1", ":2:", "'-1'"},
        {"hesca-machine 1\nnet startup 1e", ":2:", "'1e'"},
        {"hesca-machine 1\nnet startup 1e999", ":2:", "'1e999'"},
        {"hesca-machine 1\nnet startup 1,5", ":2:", "'1,5'"},
        {"hesca-machine 1\nnet startup nan", ":2:", "'nan'"},
        {"hesca-machine 1\nnet startup .", ":2:", "'.'"},
        {"hesca-machine 1\nnet startup\n", ":2:", "number"},
        {"hesca-machine 1\n" NET NET, ":3:", "once"},
        {"hesca-machine 1\n\n# x\nwire 1\n", ":4:", "'wire'"},
        {"hesca-machine 1\nnet startup 1 message 1 byte 1ms\n",
         ":2:", "'1ms'"},
        {"hesca-machine 1\nnet startup 1m\n", ":2:", "'1m'"},
        {"hesca-machine 1\nnode startup 1 message 1 byte 1\n", ":2:", "copy"},
        {"hesca-machine 1\nnode startup 1 byte 1\n", ":2:", "'byte'"},
        {"hesca-machine 1\nnet startup 1 message 1 byte 1 copy 1 2\n",
         ":2:", "'2'"},
        {"hesca-machine 1\n" NET, ":2:", "'node'"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        check_refused(&bad[k]);
    hesca_machine m;
    char line[2000];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\0';
    CHECK(read_text(line, &m) == HESCA_ERR_PARAM, "a long line");
    CHECK(hesca_machine_read("/nowhere/at all", &m) == HESCA_ERR_PARAM &&
              strstr(hesca_error_text(), "/nowhere/at all") != NULL,
          "%s", hesca_error_text());
    CHECK(hesca_machine_read("/tmp", &m) == HESCA_ERR_PARAM, "a folder");
}

/* Every cut of a good file is refused or complete. */
static void
cutting(void)
{
    for (size_t n = 0; n + 1 < sizeof good; ++n) {
        char text[sizeof good];
        hesca_machine m;
        memcpy(text, good, n);
        text[n] = '\0';
        if (read_text(text, &m) == HESCA_SUCCESS)
            CHECK(n + 8 > sizeof good, "%zu bytes are enough", n);
    }
}

static void
costs(void)
{
    const hesca_machine m = {
        .node = {{1e-6, 3e-7, 1e-10, 5e-11}, {9, 9, 9, 9}},
        .net = {{9, 9, 9, 9}, {2e-5, 3e-6, 1e-9, 6e-11}}};
    const hesca_costs one = hesca_machine_costs(&m, 1, 1);
    const hesca_costs four = hesca_machine_costs(&m, 0, 4);
    CHECK(one.startup == 1e-6 && one.message == 3e-7 && one.byte == 1e-10 &&
              one.copy == 5e-11,
          "startup %g", one.startup);
    CHECK(is_near(four.startup, 8e-5) && is_near(four.message, 1.2e-5) &&
              is_near(four.byte, 4e-9) && is_near(four.copy, 2.4e-10),
          "startup %g", four.startup);
    const hesca_machine d = hesca_machine_default();
    const hesca_costs all[] = {d.node.alone, d.node.crowded, d.net.alone,
                               d.net.crowded};
    for (int k = 0; k < 4; ++k)
        CHECK(all[k].startup > 0 && all[k].message <= all[k].startup &&
                  all[k].byte > 0 && all[k].copy >= 0,
              "default %d", k);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(reading), UNIT(writing),
                                       UNIT(refusing), UNIT(cutting),
                                       UNIT(costs)};
    RUN_WITH_FILE("machine/t_machine", 20261123, tests);
}

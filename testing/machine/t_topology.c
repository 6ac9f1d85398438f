/* SPDX-License-Identifier: BSD-3-Clause */
/* Topology and VPM files: those that the HMPI thesis prints, wrong ones,
 * written and read again, mutated; times of layers; conversions. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "base/status.h"
#include "machine/topology.h"
#include "testing/unit.h"
#include <locale.h>
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

/* A computer of a printed file; its layer is serial. */
typedef struct {
    const char *name;
    int s;
    double p;
    int n;
    double rate[HESCA_LAYER_RATES];
} printed_computer;

static const printed_computer three[] = {
    {"alpha", 2, 6667, 5, {2285064, 107326590, 99523787}},
    {"beta", 2, 5556, 5, {1312665, 80473880, 98430419}},
    {"gamma", 2, 5556, 5, {1956722, 78885862, 99667528}}};

static const printed_computer twelve[] = {
    {"pglcluster01", 2, 6667, 2, {2285064, 107326590, 99523787}},
    {"pglcluster02", 2, 5556, 2, {1312665, 80473880, 98430419}},
    {"pglcluster03", 2, 5556, 2, {1956722, 78885862, 99667528}},
    {"pglcluster04", 2, 6905, 2, {2540606, 104561354, 100463519}},
    {"zaphod", 1, 2632, 1, {37569267, 145325990, 292140157}},
    {"csparlx02", 1, 2440, 1, {17844657, 192059962, 245767189}},
    {"csserver", 1, 2223, 1, {15790320, 142923824, 213840112}},
    {"csultra01", 1, 736, 1, {55266123, 197956951, 349384270}},
    {"csultra02", 1, 715, 1, {44081312, 201423430, 186310535}},
    {"csultra03", 1, 720, 1, {67108864, 201423430, 295753493}},
    {"csultra04", 1, 720, 1, {44081312, 201831658, 185115801}},
    {"cssparc01", 1, 136, 1, {6871230, 39752890, 18018695}}};

static const printed_computer seven[] = {
    {"afflatus", 1, 32001, 1, {32311675, 946416696, 299734975}},
    {"aries2", 1, 32001, 1, {29252581, 423396943, 200739505}},
    {"pglcluster01", 2, 22501, 2, {1063941, 58484865, 99137032}},
    {"pglcluster02", 2, 20001, 2, {1046987, 59559488, 99244562}},
    {"pglcluster03", 1, 16667, 1, {31480669, 613075737, 406484386}},
    {"linserver", 1, 16667, 1, {19707121, 557314526, 346182102}},
    {"csultra01", 1, 4348, 1, {54681296, 456174810, 426112471}}};

static int
is_serial(const hesca_layer *l, const double rate[HESCA_LAYER_RATES])
{
    return !l->is_parallel && l->broadcast == 0 && l->gather == 0 &&
           l->parent == 0 && l->depth == 1 &&
           memcmp(l->rate, rate, sizeof l->rate) == 0;
}

static void
check_sample(const char *file, const printed_computer *list, int n, double c1,
             double c2, double c3)
{
    hesca_topology t = read_sample(file);
    const hesca_layer *top = t.layer;
    CHECK(t.ncomputers == n && t.nlayers == n + 1, "%s: %d computers", file,
          t.ncomputers);
    CHECK(top->is_parallel && top->broadcast == 0.49 && top->gather == 0.97 &&
              top->rate[0] == c1 && top->rate[1] == c2 && top->rate[2] == c3 &&
              top->parent == -1 && top->depth == 0,
          "%s: the top layer", file);
    for (int k = 0; k < n && k < t.ncomputers; ++k) {
        const hesca_computer *c = &t.computer[k];
        CHECK(strcmp(c->name, list[k].name) == 0 &&
                  c->nprocessors == list[k].s && c->speed == list[k].p &&
                  c->nprocs == list[k].n && c->layer == k + 1 &&
                  is_serial(&t.layer[c->layer], list[k].rate),
              "%s: %s", file, list[k].name);
    }
    hesca_topology_clear(&t);
}

/* HMPI 3.8.1 and 5.3.2. */
static void
printed(void)
{
    check_sample("three", three, 3, 62377, 967039, 801049);
    check_sample("twelve", twelve, 12, 62377, 967039, 801049);
    check_sample("seven", seven, 7, 209824, 3133982, 10859499);
    hesca_topology t = read_sample("three");
    /* 64, 4096 and 262144 bytes between computers. */
    CHECK(hesca_layer_seconds(&t.layer[0], 64) == 64 / 62377.0, "64");
    CHECK(hesca_layer_seconds(&t.layer[0], 4096) == 4096 / 967039.0, "4096");
    CHECK(hesca_layer_seconds(&t.layer[0], 262144) == 262144 / 801049.0,
          "262144");
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
wrong_bytes(const char *text, size_t n, const char *message)
{
    hesca_topology t = {.nlayers = 0};
    char must[300];
    write_text(text, n);
    snprintf(must, sizeof must, "%s%s", path, message);
    CHECK(hesca_topology_read(path, &t) == HESCA_ERR_PARAM,
          "'%.200s' is accepted", text);
    CHECK(strcmp(hesca_error_text(), must) == 0, "'%.200s': %s, not %s", text,
          hesca_error_text(), must);
    CHECK(t.layer == NULL, "'%.200s' leaves layers", text);
    hesca_topology_clear(&t);
}

static void
wrong(const char *text, const char *message)
{
    wrong_bytes(text, strlen(text), message);
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
    wrong(TOP "#a\n" ONE "#a\n" ONE, ":5: 'a' must be there only once");
    wrong(TOP "#0123456789012345678901234567890123456789012345678901234567890"
              "123\n" ONE,
          ":2: '0123456789012345678901234567890123456789' must be a name "
          "shorter than 64 bytes");
    wrong("serial c1e999 c2 c3",
          ":1: 'c1e999' must be c and bytes per second, as c62377");
    wrong("serial c0x10 c2 c3",
          ":1: 'c0x10' must be c and bytes per second, as c62377");
    wrong("parallel(0,5, 1) c1 c2 c3", ":1: '5' must be a number 0 ... 1");
    wrong(TOP ONE "c4\n", ":3: 'c4' must be a computer, as s2 p6667 n5 serial "
                          "c1 c2 c3, or a layer");
    wrong(TOP "\n\n#a\x01\n" ONE,
          ":4: 'a?' must be a name without control characters");
    wrong(TOP "serial c1 c2 c3 {\n}\n",
          ":4: the file ends where a computer, as s2 p6667 n5 serial c1 c2 "
          "c3, must follow");
    wrong(TOP "#computer1\n" ONE ONE,
          ":4: 'computer1' must be there only once");
    wrong_bytes("\0serial", 7,
                ":1: '' must be a line without bytes that are "
                "0");
    wrong_bytes(TOP "s1 p1\0 n1", sizeof TOP - 1 + 9,
                ":2: 's1 p1' must be a line without bytes that are 0");
}

/* A word that is too long is not two words. */
static void
long_words(void)
{
    char text[600];
    for (int zeros = 1; zeros < 300; ++zeros) {
        hesca_topology t = {.nlayers = 0};
        snprintf(text, sizeof text, "serial c%0*d c2 c3\n" ONE, zeros, 1);
        const int err = read_text(text, &t);
        CHECK(zeros < 127 ? err == 0 && t.layer[0].rate[0] == 1
                          : err == HESCA_ERR_PARAM,
              "%d zeros", zeros);
        hesca_topology_clear(&t);
        snprintf(text, sizeof text, "serial c%0*dc2 c3\n" ONE, zeros, 1);
        CHECK(read_text(text, &t) == HESCA_ERR_PARAM, "%d zeros", zeros);
    }
}

/* --- limits --- */

/* n layers around a computer. */
static int
read_nested(int n, hesca_topology *t)
{
    char text[4000] = TOP;
    for (int k = 1; k < n; ++k)
        strcat(text, "serial c1 c2 c3 {\n");
    strcat(text, ONE);
    for (int k = 1; k < n; ++k)
        strcat(text, "}");
    return read_text(text, t);
}

/* n copies of a text behind a top layer. */
static int
read_copies(const char *text, int n, hesca_topology *t)
{
    FILE *f = fopen(path, "wb");
    if (f == NULL || fputs(TOP, f) < 0)
        abort();
    for (int k = 0; k < n; ++k)
        fputs(text, f);
    if (fclose(f) != 0)
        abort();
    return hesca_topology_read(path, t);
}

static void
limits(void)
{
    hesca_topology t = {.nlayers = 0};
    CHECK(read_nested(64, &t) == 0 && t.nlayers == 65, "%s",
          hesca_error_text());
    CHECK(t.layer[t.computer[0].layer].depth == 64, "%d layers", t.nlayers);
    CHECK(read_nested(65, &t) == HESCA_ERR_PARAM &&
              strstr(hesca_error_text(),
                     "66: 's1' must be inside of at most 64 layers") != NULL,
          "%s", hesca_error_text());
    hesca_topology_clear(&t);
    if (check_few())
        return;
    CHECK(read_copies(ONE, 8192, &t) == 0 && t.ncomputers == 8192, "%s",
          hesca_error_text());
    CHECK(read_copies(ONE, 8193, &t) == HESCA_ERR_PARAM &&
              strstr(hesca_error_text(),
                     ":8194: 's1' must be one of at most 8192 computers") !=
                  NULL,
          "%s", hesca_error_text());
    CHECK(read_copies("serial c1 c2 c3 {}\n", 8192, &t) == HESCA_ERR_PARAM &&
              strstr(hesca_error_text(),
                     ":8193: 'serial' must be one of at most 8192 layers "
                     "around computers") != NULL,
          "%s", hesca_error_text());
    hesca_topology_clear(&t);
}

static void
unreadable(void)
{
    hesca_topology t = {.nlayers = 0};
    CHECK(hesca_topology_read("/tmp", &t) == HESCA_ERR_PARAM, "a folder");
    CHECK(hesca_topology_read("/nowhere/at all", &t) == HESCA_ERR_PARAM &&
              strstr(hesca_error_text(), "/nowhere/at all: ") != NULL,
          "%s", hesca_error_text());
}

/* 16 MiB are read, one byte more is not. */
static void
sizes(void)
{
    const size_t n = (size_t)1 << 24, head = strlen(TOP ONE);
    char *text = malloc(n + 1);
    if (text == NULL)
        abort();
    memset(text, '\n', n + 1);
    memcpy(text, TOP ONE, head);
    hesca_topology t = {.nlayers = 0};
    write_text(text, n);
    CHECK(hesca_topology_read(path, &t) == 0 && t.ncomputers == 1, "%s",
          hesca_error_text());
    hesca_topology_clear(&t);
    wrong_bytes(text, n + 1, ": the file has more than 16777216 bytes");
    free(text);
}

/* Layers inside the layer of a computer; numbers with a decimal point. */
static void
inside(void)
{
    hesca_topology t = {.nlayers = 0};
    char *text = NULL;
    CHECK(read_text("serial c1.5 c.5e3 c1e+2 #a\ns1 p0.5 n0 serial c1 c2 c3{\n"
                    "#b\ns2 p.25 n1 parallel ( 0,1. )c1 c2 c3}" ONE,
                    &t) == 0,
          "%s", hesca_error_text());
    CHECK(t.ncomputers == 3 && t.nlayers == 4 && t.layer[2].parent == 1 &&
              t.layer[3].parent == 0,
          "%d layers", t.nlayers);
    CHECK(t.layer[0].rate[0] == 1.5 && t.layer[0].rate[1] == 500 &&
              t.layer[0].rate[2] == 100 && t.computer[0].speed == 0.5 &&
              t.computer[1].speed == 0.25 && t.layer[2].gather == 1,
          "numbers");
    CHECK(strcmp(t.computer[2].name, "computer2") == 0, "%s",
          t.computer[2].name);
    CHECK(hesca_topology_cover(&t, 2, 1) == 1 &&
              hesca_topology_cover(&t, 2, 3) == 0,
          "cover");
    CHECK(hesca_topology_format(&t, &text) == 0 &&
              strcmp(text, "serial c1.5 c500 c100\n"
                           "#a\ns1 p0.5 n0 serial c1 c2 c3 {\n"
                           "#b\ns2 p0.25 n1 parallel(0, 1) c1 c2 c3\n"
                           "}\n"
                           "#computer2\ns1 p1 n1 serial c1 c2 c3\n") == 0,
          "%s", text);
    free(text);
    hesca_topology_clear(&t);
}

/* What hesca_topology_check() refuses. */
static void
checks(void)
{
    hesca_topology t = read_sample("three");
    hesca_layer *l = &t.layer[1];
    hesca_computer *c = &t.computer[1];
#define REFUSED(field, value)                                                 \
    do {                                                                      \
        const __typeof__(field) before = field;                               \
        field = value;                                                        \
        CHECK(hesca_topology_check(&t) == HESCA_ERR_ARG, #field);             \
        field = before;                                                       \
        CHECK(hesca_topology_check(&t) == 0, "%s", hesca_error_text());       \
    } while (0)
    REFUSED(l->broadcast, 1.5);
    REFUSED(l->gather, -0.5);
    REFUSED(l->rate[2], 0);
    REFUSED(l->rate[1], NAN);
    REFUSED(l->rate[0], INFINITY);
    REFUSED(l->parent, 1);
    REFUSED(l->parent, -1);
    REFUSED(l->depth, 2);
    REFUSED(c->nprocessors, 0);
    REFUSED(c->nprocs, -1);
    REFUSED(c->speed, 0);
    REFUSED(c->speed, NAN);
    REFUSED(c->layer, 0);
    REFUSED(c->layer, 4);
    REFUSED(c->layer, 1);
    REFUSED(t.ncomputers, 0);
#undef REFUSED
    hesca_topology_clear(&t);
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

/* Computers are written in their new order, and layers of others are not. */
static void
vpm_order(void)
{
    const hesca_vpm_line line[] = {{"d", 1, 0}, {"b", 2, 3}, {"d", 1, 0}};
    hesca_topology t = {.nlayers = 0};
    char *text = NULL;
    CHECK(read_text(TOP "#a\n" ONE "serial c4 c5 c6 {\n#b\n" ONE "#c\n" ONE
                        "}\nserial c7 c8 c9 {\n}\n#d\n" ONE,
                    &t) == 0,
          "%s", hesca_error_text());
    CHECK(hesca_topology_apply_vpm(&t, line, 3) == HESCA_ERR_ARG &&
              t.ncomputers == 4 && t.nlayers == 7,
          "d is there twice");
    CHECK(hesca_topology_apply_vpm(&t, line, 0) == HESCA_ERR_ARG, "none");
    CHECK(hesca_topology_apply_vpm(&t, line, 2) == 0 &&
              hesca_topology_check(&t) == 0,
          "%s", hesca_error_text());
    CHECK(hesca_topology_format(&t, &text) == 0 &&
              strcmp(text, TOP "#d\n" ONE "serial c4 c5 c6 {\n#b\n"
                               "s3 p1 n2 serial c1 c2 c3\n}\n") == 0,
          "%s", text);
    free(text);
    hesca_topology_clear(&t);
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
    wrong_vpm("", ":1: the file ends where a computer must follow");
    wrong_vpm("# a 1\n\n", ":3: the file ends where a computer must follow");
    wrong_vpm("a 1 [0]\n", ":1: '[0]' must be a number of processors");
    wrong_vpm("a 1 []\n", ":1: '[]' must be a number of processors");
    wrong_vpm("a 2.5\n", ":1: '2.5' must be a number of processes");
    wrong_vpm("a 9999999999\n",
              ":1: '9999999999' must be a number of processes");
    wrong_vpm("\na\x01 1\n",
              ":2: 'a?' must be a name without control characters");
    wrong_vpm("a\n", ":1: the line ends where a number of processes must "
                     "follow");
    wrong_vpm("a 0\n", ":1: '0' must be a number of processes");
    wrong_vpm("a [2]\n", ":1: '[2]' must be a number of processes");
    wrong_vpm("a 1 [2\n", ":1: '[2' must be a number of processors");
    wrong_vpm("a 1 2 3\n", ":1: '3' must be left out");
    wrong_vpm("a 1\na 2\n", ":2: 'a' must be there only once");
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

/* Layers may get other numbers; their fields, and those of
 * computers, stay. */
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
            CHECK(a->speed == b->speed && a->nprocs == b->nprocs &&
                      a->nprocessors == b->nprocessors,
                  "%s", a->name);
            for (int j = 0; j < u.ncomputers; ++j) {
                const int k = by_name(&t, u.computer[j].name);
                const hesca_layer *x = &u.layer[hesca_topology_cover(
                    &u, a->layer, u.computer[j].layer)];
                const hesca_layer *y = &t.layer[hesca_topology_cover(
                    &t, b->layer, t.computer[k].layer)];
                CHECK(x->rate[0] == y->rate[0] && x->rate[1] == y->rate[1] &&
                          x->rate[2] == y->rate[2] &&
                          x->is_parallel == y->is_parallel &&
                          x->broadcast == y->broadcast &&
                          x->gather == y->gather && x->depth == y->depth,
                      "%d %d", i, j);
            }
        }
        free(text);
        hesca_topology_clear(&t);
        hesca_topology_clear(&u);
    }
}

/* Wires of layers that no wire describes: equal times, and a rate that falls
 * with size. */
static void
flat_layers(hesca_topology *t, hesca_machine *m)
{
    static const double rates[][HESCA_LAYER_RATES] = {{1, 64, 4096},
                                                      {1e9, 1e6, 1e3}};
    for (int k = 0; k < 2; ++k) {
        memcpy(t->layer[0].rate, rates[k], sizeof rates[k]);
        hesca_layer_prepare(&t->layer[0]);
        CHECK(hesca_topology_to_machine(t, m) == 0 &&
                  hesca_machine_check(m) == 0,
              "%s", hesca_error_text());
        const hesca_wire w = m->wire[1];
        const double must = hesca_layer_seconds(&t->layer[0], 262144);
        CHECK(w.startup >= 0 &&
                  fabs(w.startup + 262144 / w.rate - must) <= 1e-11 * must,
              "%g s, %g B/s", w.startup, w.rate);
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
    flat_layers(&t, &m);
    hesca_machine_clear(&m);
    CHECK(hesca_topology_of_machine(&m, &u) == HESCA_ERR_ARG, "no hosts");
    hesca_topology_clear(&t);
    hesca_topology_clear(&u);
}

/* Where each computer's link has a rate of its own and a pair has the slower,
 * layers give each pair its time. */
static void
nested(void)
{
    for (int cases = check_cases(300); cases > 0; --cases) {
        enum { MOST = 12 };
        static const double rates[] = {1.25e7, 5e7, 1.25e8, 1.25e9};
        const int n = check_uniform(1, MOST);
        double rate[MOST], seconds[MOST * MOST * HESCA_LAYER_RATES];
        hesca_topology t;
        for (int k = 0; k < n; ++k)
            rate[k] = rates[check_uniform(0, 3)];
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                for (int k = 0; k < HESCA_LAYER_RATES; ++k)
                    seconds[(i * n + j) * HESCA_LAYER_RATES + k] =
                        i == j
                            ? 1e-6 * (k + 1)
                            : 1e-5 * (k + 1) +
                                  262144 * (1 + 0.01 * check_uniform(0, 9)) /
                                      fmin(rate[i], rate[j]);
        CHECK(hesca_topology_nest(n, seconds, &t) == 0, "%s",
              hesca_error_text());
        CHECK(t.nlayers <= n + 4, "%d layers of %d computers", t.nlayers, n);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                const hesca_layer *l = &t.layer[hesca_topology_cover(
                    &t, t.computer[i].layer, t.computer[j].layer)];
                const double is = hesca_layer_seconds(l, 262144);
                const double must =
                    seconds[(i * n + j) * HESCA_LAYER_RATES + 2];
                CHECK(fabs(log(is / must)) < 0.1, "%d, %d of %d: %g s, not %g",
                      i, j, n, is, must);
            }
        for (int i = 0; i < n; ++i) {
            t.computer[i].nprocessors = 1;
            t.computer[i].speed = 1;
        }
        CHECK(hesca_topology_check(&t) == 0, "%s", hesca_error_text());
        hesca_topology_clear(&t);
    }
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
    for (int cases = check_cases(check_big() ? 100000 : 20000); cases > 0;
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

/* Files are the same in a locale with another decimal point. */
static void
locales(void)
{
    static const char *const name[] = {"de_DE.UTF-8", "de_DE.utf8",
                                       "fr_FR.UTF-8"};
    for (size_t k = 0; k < sizeof name / sizeof *name; ++k)
        if (setlocale(LC_ALL, name[k]) != NULL) {
            printf("locale %s\n", name[k]);
            again();
            inside();
            printed();
        }
    setlocale(LC_ALL, "C");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(printed),     UNIT(times),     UNIT(wrong_topologies),
        UNIT(long_words),  UNIT(limits),    UNIT(unreadable),
        UNIT(sizes),       UNIT(inside),    UNIT(checks),
        UNIT(vpm),         UNIT(vpm_order), UNIT(again),
        UNIT(conversions), UNIT(nested),    UNIT(locales),
        UNIT(mutations)};
    unit_begin("machine/t_topology", 20261124);
    const int file = mkstemp(path);
    if (file < 0)
        abort();
    close(file);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return unit_end(failed);
}

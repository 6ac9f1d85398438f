/* SPDX-License-Identifier: BSD-3-Clause */
/* The language: expressions against the C compiler, messages, Appendix A of
 * the HMPI thesis, and mutated files. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "base/status.h"
#include "pmdl/ast.h"
#include "pmdl/bind.h"
#include "pmdl/emit.h"
#include "testing/unit.h"
#include <float.h>
#include <math.h>

/* --- expressions --- */

static double
evaluate(const char *expr)
{
    char text[1000];
    hesca_file *file;
    hesca_model_args args;
    hesca_instance x;
    double v = NAN;
    snprintf(text, sizeof text,
             "typedef struct { char c; double d[3]; int i; } S;\n"
             "algorithm T(int a, int b, double x, int v[3]) {\n"
             "coord I=1; node { default: %s; }; }",
             expr);
    CHECK(hesca_file_parse("t", text, strlen(text), &file) == 0, "%s: %s",
          expr, hesca_error_text());
    if (file == NULL)
        return v;
    hesca_model_args_init(&args, &hesca_file_model(file, NULL)->code);
    static const char *const values[] = {"a=7", "b=3", "x=2.5", "v=4,5,6"};
    for (int k = 0; k < 4; ++k)
        CHECK(hesca_model_args_parse(&args, values[k]) == 0, "%s",
              hesca_error_text());
    CHECK(hesca_instance_create(&args, &x) == 0, "%s: %s", expr,
          hesca_error_text());
    if (x.nvps == 1)
        v = x.volume[0];
    hesca_instance_clear(&x);
    hesca_model_args_clear(&args);
    hesca_file_free(file);
    return v;
}

typedef struct {
    char c;
    double d[3];
    int i;
} S;

#define SAME(e)                                                               \
    do {                                                                      \
        const double is = evaluate(#e), must = (double)(e);                   \
        CHECK(is == must, "%s: %.17g, in C %.17g", #e, is, must);             \
    } while (0)

/* As the compiler of this test understands them. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Woverflow"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#endif
static void
expressions(void)
{
    const long long a = 7, b = 3;
    const double x = 2.5;
    const int v[] = {4, 5, 6};
    SAME(a / b * b + a % b);
    SAME((a + b) * 2 - 1);
    SAME(a << b | 1);
    SAME((a & b) ^ 8);
    SAME(a > b ? x : b);
    SAME(a > b && b > 2 || x > 9);
    SAME(!a + !(a - 7));
    SAME(-a + 20);
    SAME(~a + 20);
    SAME(v[b - 1] * 2 / v[0]);
    SAME(x * v[1] / b);
    SAME(7 / 2 * 1.0 + 7 / 2.0);
    SAME(sizeof(S) + sizeof(double) * a);
    SAME(sizeof(int) - 5 > 0);
    SAME((int)(x * 3) + (char)300);
    SAME((unsigned char)(a * 100));
    SAME((short)40000 + 70000);
    SAME((float)0.1 + 1);
    SAME(1u - 2u > 0u);
    SAME(0x1f + 017 + 'A');
    SAME(log(x) + pow(a, 0.5) + fmod(x, 2) + ceil(x) + floor(-x + 9));
    SAME(100.0 / (a / b));
    SAME(1e3 + .5 + 5.e-1);
    SAME(2147483647 + a);
    SAME((a == 7) + (a != 7) + (a <= 7) * 2 + (a >= 8) * 4);
    SAME(v[1] % 3 == 2 ? a : b ? 1 : 2);
    SAME(4000000000u + 1000000000u);
    SAME(1 ? -1 + 5 : 2u);
}

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* --- messages --- */

static void
refused(const char *text, const char *message)
{
    hesca_file *file = (hesca_file *)1;
    const int err = hesca_file_parse("t", text, strlen(text), &file);
    CHECK(err == HESCA_ERR_PARAM && file == NULL, "'%s': %d", text, err);
    CHECK(strcmp(hesca_error_text(), message) == 0, "'%s': %s, not %s", text,
          hesca_error_text(), message);
    if (err == 0)
        hesca_file_free(file);
}

static void
messages(void)
{
#define HEAD "algorithm T(int p, int n[p]) { coord I=p; "
    refused("", "t:1:1: the file has no model: 'algorithm NAME(...) { ... "
                "}', near the end of the file");
    refused("int", "t:1:4: a name must follow the type, near the end of the "
                   "file");
    refused("algorithm", "t:1:10: a name must follow 'algorithm', near the "
                         "end of the file");
    refused("algorithm T(float x) {}",
            "t:1:13: a parameter is 'int NAME', 'double NAME', or a vector of "
            "these, near 'float'");
    refused("algorithm T(int p, int p) {}",
            "t:1:24: 'p' is declared already, near 'p'");
    refused("algorithm T(int n[q], int q) {}",
            "t:1:19: 'q' is not declared, near 'q'");
    refused("algorithm T(int p) { node { default: 1; } }",
            "t:1:22: a model begins with 'coord', near 'node'");
    refused(HEAD "node { I>0 1; } }",
            "t:1:54: ':' must follow the condition, near '1'");
    refused(HEAD "node { I>0: bench+1; } }",
            "t:1:60: '*' must follow 'bench', near '+'");
    refused(HEAD "link { I>0: length*8 [I]->[0,1]; } }",
            "t:1:69: 2 coordinates; the model has 1, near '['");
    refused(HEAD "link { length*8 [I] [0]; } }",
            "t:1:59: int has no subscripts, near '['");
    refused(HEAD "parent[I]; }", "t:1:50: 'I' is not declared, near 'I'");
    refused(HEAD "scheme { 100%%[q]; } }",
            "t:1:58: 'q' is not declared, near 'q'");
    refused(HEAD "scheme { p = 1; } }",
            "t:1:52: parameter 'p' cannot be changed, near 'p'");
    refused(HEAD "scheme { n[0] += 1; } }",
            "t:1:53: parameter 'n' cannot be changed, near '['");
    refused(HEAD "scheme { int i; par (i = 0; i < p; i++) break; } }",
            "t:1:83: a par has no first iteration to stop after: no break, "
            "near 'break'");
    refused(HEAD "scheme { int i, j; for (i = 0; i < p; j++) 100%[i]; } }",
            "t:1:81: the loop does not end: nothing in it changes 'i', near "
            "'j'");
    refused(HEAD "scheme { int i=0; while (i < p) 100%[i]; } }",
            "t:1:70: the loop does not end: nothing in it changes 'i', near "
            "'<'");
    refused(HEAD "scheme { return; } }",
            "t:1:52: a scheme has no such statement, near 'return'");
    refused(HEAD "scheme { double x; x % 2; } }",
            "t:1:64: an operand is not a whole number, near '%'");
    refused(HEAD "scheme { Processor r; r.I = 1; } }",
            "t:1:67: Processor has no member 'I', near 'I'");
    refused(HEAD "scheme { int i; i = Get_my_partition(0, p, n); } }",
            "t:1:63: Get_my_partition has 4 arguments, 3 are given, near "
            "'Get_my_partition'");
    refused(HEAD "scheme { int i; i = Get_my_partition(0, p, 3, 3); } }",
            "t:1:86: argument 3 of Get_my_partition is int, not an array of "
            "double or int, near '3'");
    refused(HEAD "/* scheme }", "t:1:43: a comment does not end");
    refused(HEAD "scheme { 1e999%[0]; } }",
            "t:1:52: this is not a number in the range of double");
    refused(HEAD "} algorithm T(int q) { coord I=q; }",
            "t:1:55: a second algorithm 'T', near 'T'");
    refused(HEAD "node { default: 1; } node { default: 1; } }",
            "t:1:64: a second section 'node', near 'node'");
}

/* Errors that parameters cause, with their place. */
static void
fails(const char *body, const char *message)
{
    char text[1000];
    hesca_file *file;
    hesca_model_args args;
    hesca_instance x;
    snprintf(text, sizeof text, "algorithm T(int p, int n[p]) {\n%s }", body);
    CHECK(hesca_file_parse("t", text, strlen(text), &file) == 0, "%s: %s",
          body, hesca_error_text());
    if (file == NULL)
        return;
    hesca_model_args_init(&args, &hesca_file_model(file, NULL)->code);
    hesca_model_args_parse(&args, "p=3");
    hesca_model_args_parse(&args, "n=0,1,2");
    args.steps = 1000;
    CHECK(hesca_instance_create(&args, &x) == HESCA_ERR_PARAM, "%s", body);
    CHECK(strcmp(hesca_error_text(), message) == 0, "'%s': %s, not %s", body,
          hesca_error_text(), message);
    hesca_model_args_clear(&args);
    hesca_file_free(file);
}

static void
run_time(void)
{
    fails("coord I=p; node { default: 1/n[I]; }", "t:2:29: division by 0");
    fails("coord I=p; node { default: n[I+2]; }",
          "t:2:29: subscript 3: must be 0 ... 2");
    fails("coord I=p; node { default: n[I]-1; }",
          "t: the volume of process [0] is -1: must be 0 or more");
    fails("coord I=p; scheme { 100%[p]; }", "t:2:21: there is no process [3]");
    fails("coord I=p; scheme { (n[0]-1)%[0]; }",
          "t:2:21: -1 percent: must be 0 or more");
    fails("coord I=p; scheme { int i=0; while (i >= 0) { 100%[0]; i++; i=0; }"
          " }",
          "t:2:30: more than 1000 iterations of loops");
    fails("coord I=p; scheme { int w[n[0]]; w[0] = 1; }",
          "t:2:28: an array of 0 elements");
    fails("coord I=p; scheme { int *w; w[0] = 1; }",
          "t:2:30: this pointer points nowhere");
    fails("coord I=p; scheme { int i=2000000000; i += i; }",
          "t:2:41: the result is beyond int");
    fails("coord I=p-3; ",
          "t: coordinate 1 of T has 0 values: must be at least 1, and all "
          "together at most 1048576");
    fails("coord I=p; parent[p]; ", "t:2:19: there is no process [3]");
    fails("coord I=p; scheme { int np[1]; Partition_unordered_set(p, 1, n, "
          "NULL, NULL, 9, NULL, 0, NULL, NULL, np); }",
          "t:2:101: argument 11 of Partition_unordered_set must have 3 "
          "elements");
}

/* --- Appendix A --- */

/* What the functions of Appendix A return, for p = 3, k = 10 and n = 100,
 * 200, 50: Body has 7 doubles. */
static void
appendix_a(void)
{
    static const char text[] =
        "typedef double Triplet[3];\n"
        "typedef struct { Triplet p; Triplet v; double m; } Body;\n"
        "algorithm Nbody(int p, int k, int n[p]) {\n"
        "  coord I=p;\n"
        "  node { I>=0: bench*((n[I]/k)*(n[I]/k)); };\n"
        "  link { I>0: length*(n[I]*sizeof(Body)) [I]->[0]; };\n"
        "  parent[0];\n"
        "  scheme { int i; par (i = 0; i < p; i++) 100%[i];\n"
        "    par (i = 0; i < p; i++) 100%[i]->[0]; }; };";
    hesca_file *file;
    hesca_model_args args;
    hesca_instance x;
    int coord[1];
    CHECK(hesca_file_parse("t", text, strlen(text), &file) == 0, "%s",
          hesca_error_text());
    hesca_model_args_init(&args, &hesca_file_model(file, "Nbody")->code);
    hesca_model_args_parse(&args, "p=3");
    hesca_model_args_parse(&args, "k=10");
    CHECK(hesca_model_args_count(&args, 2) == 3, "count");
    hesca_model_args_parse(&args, "n=100,200,50");
    CHECK(hesca_instance_create(&args, &x) == 0, "%s", hesca_error_text());
    CHECK(x.nvps == 3, "power %d", x.nvps);
    CHECK(x.parent == 0, "parent %d", x.parent);
    CHECK(x.volume[0] == 100 && x.volume[1] == 400 && x.volume[2] == 25,
          "node");
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const int k = hesca_instance_link(&x, i, j);
            const double bytes = k >= 0 ? x.link[k].bytes : 0;
            const double must = j > 0 || i == 0 ? 0 : i == 1 ? 11200 : 2800;
            CHECK(bytes == must, "link %d -> %d: %g", i, j, bytes);
        }
    for (int i = 0; i < 3; ++i) {
        hesca_instance_coord(&x, i, coord);
        CHECK(coord[0] == i, "number2coord");
        CHECK(hesca_instance_number(&x, coord) == i, "coord2number");
    }
    CHECK(x.trace.units == 5, "%lld units", (long long)x.trace.units);
    hesca_instance_clear(&x);
    hesca_model_args_clear(&args);
    hesca_file_free(file);
}

/* --- mutations --- */

static char *
read_text(const char *name, size_t *length)
{
    const char *source = getenv("top_srcdir");
    char path[500];
    snprintf(path, sizeof path, "%s/%s", source != NULL ? source : ".", name);
    FILE *file = fopen(path, "rb");
    char *text = malloc(20000);
    CHECK(file != NULL, "%s", path);
    *length = file != NULL ? fread(text, 1, 10000, file) : 0;
    if (file != NULL)
        fclose(file);
    return text;
}

static size_t
mutate(char *text, size_t n)
{
    static const char bits[] = "(){}[];,%-><=+*/0123456789IJKpqn.&|!?: \n\"'#"
                               "int par for bench length";
    for (int k = check_uniform(1, 4); k > 0 && n > 1; --k) {
        const size_t at = (size_t)check_uniform(0, (int)n - 1);
        const size_t length = (size_t)check_uniform(1, 12);
        switch (check_uniform(0, 4)) {
        case 0:
            text[at] = bits[check_uniform(0, (int)sizeof bits - 2)];
            break;
        case 1:
            text[at] = (char)check_uniform(0, 255);
            break;
        case 2: /* remove */
            if (at + length < n) {
                memmove(text + at, text + at + length, n - at - length);
                n -= length;
            }
            break;
        case 3: /* repeat */
            if (at + length < n && n + length < 19000) {
                memmove(text + at + length, text + at, n - at);
                n += length;
            }
            break;
        default:
            n = at + 1;
        }
    }
    return n;
}

/* A mutated model is refused or runs; either ends. */
static void
run_mutant(const char *text, size_t n)
{
    hesca_file *file;
    char *c = NULL;
    size_t size;
    const int err = hesca_file_parse("mutant", text, n, &file);
    CHECK(err == 0 || err == HESCA_ERR_PARAM, "%d %s", err,
          hesca_error_text());
    if (err < 0) {
        CHECK(strncmp(hesca_error_text(), "mutant:", 7) == 0, "%s",
              hesca_error_text());
        return;
    }
    FILE *out = open_memstream(&c, &size);
    hesca_emit_file(out, file);
    fclose(out);
    free(c);
    for (const hesca_algorithm *m = file->model; m != NULL; m = m->next) {
        hesca_model_args args;
        hesca_instance x;
        hesca_model_args_init(&args, &m->code);
        args.steps = 20000;
        for (int k = 0; k < m->nparams; ++k) {
            const long long count = hesca_model_args_count(&args, k);
            int ints[100];
            double reals[100];
            for (int i = 0; i < 100; ++i) {
                ints[i] = check_uniform(0, 5);
                reals[i] = ints[i];
            }
            if (count >= 1 && count <= 100)
                hesca_model_args_set(&args, k, ints, reals, count);
        }
        if (hesca_instance_create(&args, &x) == 0)
            hesca_instance_clear(&x);
        hesca_model_args_clear(&args);
    }
    hesca_file_free(file);
}

static void
mutations(void)
{
    static const char *const names[] = {
        "examples/models/axb_1d.mpc",        "examples/models/axb_2d.mpc",
        "examples/models/axb_cartesian.mpc", "examples/models/axb_columns.mpc",
        "examples/models/axbt.mpc",          "examples/models/bcast.mpc",
        "examples/models/cholesky.mpc",      "examples/models/em3d.mpc",
        "examples/models/nbody.mpc",         "examples/models/pdgemm.mpc",
        "examples/models/pdgesv.mpc",        "examples/models/web.mpc"};
    enum { FILES = sizeof names / sizeof *names };
    const int cases = check_cases(check_big() ? 100000 : 6000);
    for (int f = 0; f < FILES; ++f) {
        size_t n;
        char *text = read_text(names[f], &n), *copy = malloc(20000);
        for (int k = 0; k < cases / FILES + 1; ++k) {
            memcpy(copy, text, n);
            const size_t length = mutate(copy, n);
            char *exact = malloc(length > 0 ? length : 1);
            memcpy(exact, copy, length); /* so that a sanitizer sees its end */
            run_mutant(exact, length);
            free(exact);
        }
        free(text);
        free(copy);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(expressions), UNIT(messages),
                                       UNIT(run_time), UNIT(appendix_a),
                                       UNIT(mutations)};
    unit_begin("pmdl/t_model", 20261124);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

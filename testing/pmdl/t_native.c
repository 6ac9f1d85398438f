/* SPDX-License-Identifier: BSD-3-Clause */
/* The two back ends against each other: for random parameters the evaluator
 * and the emitted C, compiled with all warnings as errors, make the same
 * instance, bit for bit, and so the same estimates. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "base/status.h"
#include "hdpi.h"
#include "pmdl/ast.h"
#include "pmdl/emit.h"
#include "testing/pmdl/instances.h"
#include <dlfcn.h>
#include <unistd.h>

/* Random arguments for a model that make sense, so that compiled code stays
 * inside of its arrays. */
typedef struct {
    const char *file, *model;
    void (*fill)(hesca_model_args *args);
} subject;

static void
set(hesca_model_args *args, int k, int value)
{
    CHECK(hesca_model_args_set(args, k, &value, NULL, 1) == 0, "%s",
          hesca_error_text());
}

/* Vector k: values lo ... hi. */
static void
set_vector(hesca_model_args *args, int k, int lo, int hi)
{
    const long long n = hesca_model_args_count(args, k);
    int *v = malloc((size_t)n * sizeof *v);
    for (long long i = 0; i < n; ++i)
        v[i] = check_uniform(lo, hi);
    CHECK(hesca_model_args_set(args, k, v, NULL, n) == 0, "%s",
          hesca_error_text());
    free(v);
}

static void
block_cyclic(hesca_model_args *args)
{
    const int p = check_uniform(1, 4), q = check_uniform(1, 4);
    const int b = check_uniform(1, 9);
    set(args, 0, b * p * q * check_uniform(1, 3) * 2);
    set(args, 1, b);
    set(args, 2, p);
    set(args, 3, q);
}

static void
bodies(hesca_model_args *args)
{
    set(args, 0, check_uniform(1, 9));
    set(args, 1, check_uniform(1, 20));
    set_vector(args, 2, 0, 1000);
}

static void
slices(hesca_model_args *args)
{
    const int r = check_uniform(1, 4), p = check_uniform(1, 6);
    set(args, 1, r);
    set(args, 0, r * p * check_uniform(4, 8));
    set(args, 2, check_uniform(1, 9));
    set(args, 3, p);
    set_vector(args, 4, 50, 100);
}

static void
cartesian(hesca_model_args *args)
{
    const int p = check_uniform(1, 3), q = check_uniform(1, 3);
    const int lp = check_uniform(3 * p, 12), lq = check_uniform(3 * q, 12);
    set(args, 0, lp * lq * check_uniform(1, 2));
    set(args, 1, check_uniform(1, 64));
    set(args, 2, lp);
    set(args, 3, lq);
    set(args, 4, p);
    set(args, 5, q);
    set_vector(args, 6, 60, 100);
}

/* w and h as Partition_matrix_2d() gives them. */
static void
columns(hesca_model_args *args)
{
    const int m = check_uniform(1, 3), l = check_uniform(3 * m, 12);
    double speed[9];
    int w[9], h[81];
    for (int k = 0; k < m * m; ++k)
        speed[k] = check_uniform(60, 100);
    Partition_matrix_2d(m, m, 1, speed, NULL, NULL, l, l, COLUMN_BASED, w, h,
                        NULL, NULL, NULL, NULL);
    set(args, 0, m);
    set(args, 1, check_uniform(1, 9));
    set(args, 2, l * check_uniform(1, 2));
    set(args, 3, l);
    hesca_model_args_set(args, 4, w, NULL, m);
    hesca_model_args_set(args, 5, h, NULL, m * m * m * m);
}

static void
em3d(hesca_model_args *args)
{
    set(args, 0, check_uniform(1, 7));
    set(args, 1, check_uniform(1, 9));
    set_vector(args, 2, 0, 1000);
    set_vector(args, 3, 0, 50);
}

static void
broadcasts(hesca_model_args *args)
{
    const int p = check_uniform(1, 7);
    set(args, 0, p);
    set(args, 1, check_uniform(1, 100));
    set(args, 2, check_uniform(1, 200));
    set(args, 3, check_uniform(0, p - 1));
}

static void
rows(hesca_model_args *args)
{
    set(args, 0, check_uniform(1, 500));
    set(args, 1, check_uniform(1, 7));
    set_vector(args, 2, 1, 100);
}

static void
grids(hesca_model_args *args)
{
    const int p = check_uniform(1, 3), q = check_uniform(1, 3);
    set(args, 0, check_uniform(9, 50));
    set(args, 1, p);
    set(args, 2, q);
    set_vector(args, 3, 1, 100);
}

static void
two(hesca_model_args *args)
{
    set(args, 0, check_uniform(2, 9));
    set(args, 1, check_uniform(0, 1));
}

static void
pair(hesca_model_args *args)
{
    set(args, 0, check_uniform(1, 5));
    set(args, 1, check_uniform(1, 5));
}

static void
web(hesca_model_args *args)
{
    set(args, 0, check_uniform(1, 5));
    set(args, 1, check_uniform(1, 5));
    set_vector(args, 2, 0, 100);
}

static const subject subjects[] = {
    {"pdgemm", "pdgemm", block_cyclic},
    {"pdgesv", "pdgesv", block_cyclic},
    {"pdpotrf", "pdpotrf", block_cyclic},
    {"nbody", "Nbody", bodies},
    {"axbt", "ParallelAxBT", slices},
    {"axb_cartesian", "ParallelAxB", cartesian},
    {"axb_columns", "ParallelAxB", columns},
    {"cholesky", "ParallelCholesky", columns},
    {"em3d", "Em3d", em3d},
    {"bcast", "bcast", broadcasts},
    {"axb_1d", "AxB_1d", rows},
    {"axb_2d", "AxB_2d", grids},
    {"star", "Star", two},
    {"ring", "Ring", two},
    {"tree", "Tree", two},
    {"dynamic_pattern", "DynamicPattern", two},
    {"web", "Web", web},
    {"grid", "grid", pair},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static const char *
source(void)
{
    const char *dir = getenv("top_srcdir");
    return dir != NULL ? dir : ".";
}

/* The compiled code of a model; NULL after a failed check. */
static const hesca_model_code *
compiled(const hesca_file *file, const subject *s, void **library)
{
    char dir[] = "/tmp/hesca-XXXXXX", c[64], so[64], command[2000];
    CHECK(mkdtemp(dir) != NULL, "%s", dir);
    snprintf(c, sizeof c, "%s/m.c", dir);
    snprintf(so, sizeof so, "%s/m.so", dir);
    FILE *out = fopen(c, "w");
    hesca_emit_file(out, file);
    fclose(out);
    snprintf(command, sizeof command,
             "${CC:-cc} -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Werror "
             "-fPIC -shared -I%s/include -Iinclude -o %s %s -lm",
             source(), so, c);
    CHECK(system(command) == 0, "%s: %s", s->file, command);
    *library = dlopen(so, RTLD_NOW | RTLD_LOCAL);
    CHECK(*library != NULL, "%s: %s", s->file, dlerror());
    unlink(c);
    unlink(so);
    rmdir(dir);
    if (*library == NULL)
        return NULL;
    snprintf(command, sizeof command, "hesca_model_%s", s->model);
    const hesca_model_code *code = dlsym(*library, command);
    CHECK(code != NULL, "%s", dlerror());
    return code;
}

static int
is_same(const void *a, const void *b, size_t n)
{
    return n == 0 || memcmp(a, b, n) == 0;
}

/* All but lines, which both know. */
static void
compare(const subject *s, const hesca_instance *a, const hesca_instance *b)
{
    const size_t n = (size_t)a->nvps;
    CHECK(a->ndims == b->ndims && a->nvps == b->nvps &&
              a->nlinks == b->nlinks && a->parent == b->parent &&
              is_same(a->dims, b->dims, sizeof a->dims),
          "%s", s->file);
    if (a->nvps != b->nvps || a->nlinks != b->nlinks)
        return;
    CHECK(is_same(a->volume, b->volume, n * sizeof *a->volume), "%s", s->file);
    for (int k = 0; k < a->nlinks; ++k)
        CHECK(a->link[k].from == b->link[k].from &&
                  a->link[k].to == b->link[k].to &&
                  a->link[k].bytes == b->link[k].bytes,
              "%s: link %d", s->file, k);
    const hesca_scheme *x = &a->trace, *y = &b->trace;
    CHECK(x->nnodes == y->nnodes && x->root == y->root && x->units == y->units,
          "%s: %d and %d nodes", s->file, x->nnodes, y->nnodes);
    for (int k = 0; k < x->nnodes && k < y->nnodes; ++k) {
        const hesca_scheme_node *u = &x->node[k], *v = &y->node[k];
        CHECK(u->kind == v->kind && u->object == v->object &&
                  u->line == v->line && u->percent == v->percent &&
                  u->n == v->n && u->first == v->first,
              "%s: node %d", s->file, k);
        for (size_t i = u->first; u->n == v->n && i < u->first + u->n; ++i)
            CHECK(x->child[i].node == y->child[i].node &&
                      x->child[i].times == y->child[i].times,
                  "%s: child %zu", s->file, i);
    }
}

/* The estimate on a random network. */
static double
estimate(const hesca_instance *x, uint64_t seed)
{
    const uint64_t kept = check_state;
    check_state = seed;
    hesca_topology t = instances_network(check_uniform(1, 4));
    const hesca_price_options o = {HESCA_PRICE_THESIS, check_uniform(0, 1), 1};
    int *at = malloc((size_t)x->nvps * sizeof *at);
    for (int k = 0; k < x->nvps; ++k)
        at[k] = check_uniform(0, t.ncomputers - 1);
    const double seconds = hesca_price_plainly(x, &t, &o, at);
    free(at);
    hesca_topology_clear(&t);
    check_state = kept;
    return seconds;
}

static void
try_one(const subject *s, const hesca_model_code *a, const hesca_model_code *b)
{
    const uint64_t seed = check_state;
    hesca_model_args x, y;
    hesca_instance i, j;
    hesca_model_args_init(&x, a);
    hesca_model_args_init(&y, b);
    s->fill(&x);
    check_state = seed;
    s->fill(&y);
    const int e = hesca_instance_create(&x, &i);
    CHECK(e == 0, "%s: %s", s->file, hesca_error_text());
    const int f = hesca_instance_create(&y, &j);
    CHECK(f == 0, "%s, compiled: %s", s->file, hesca_error_text());
    if (e == 0 && f == 0) {
        const uint64_t network = check_random();
        compare(s, &i, &j);
        const double t = estimate(&i, network), u = estimate(&j, network);
        CHECK(t == u && t >= 0, "%s: %.17g, compiled %.17g", s->file, t, u);
    }
    hesca_instance_clear(&i);
    hesca_instance_clear(&j);
    hesca_model_args_clear(&x);
    hesca_model_args_clear(&y);
}

static void
all(void)
{
    const int cases = check_cases(check_big() ? 10000 : 1000) / SUBJECTS + 1;
    for (int k = 0; k < SUBJECTS; ++k) {
        const subject *s = &subjects[k];
        char path[500];
        hesca_file *file;
        void *library;
        snprintf(path, sizeof path, "%s/examples/models/%s.mpc", source(),
                 s->file);
        CHECK(hesca_file_read(path, &file) == 0, "%s", hesca_error_text());
        if (file == NULL)
            continue;
        const hesca_model_code *code = compiled(file, s, &library);
        for (int n = 0; code != NULL && n < cases; ++n)
            try_one(s, &hesca_file_model(file, s->model)->code, code);
        if (library != NULL)
            dlclose(library);
        hesca_file_free(file);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(all)};
    unit_begin("pmdl/t_native", 20261124);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Models and topology files when allocations fail: each is reported, and
 * nothing leaks. */
#include "pmdl/ast.h"
#include "pmdl/auto_create.h"
#include "testing/nomem.h"
#include <stdlib.h>

typedef struct {
    char path[600];
    hesca_file *file;
    hesca_topology topology;
} setting;

static const char *
in_source(const char *name, char path[600])
{
    const char *top = getenv("top_srcdir");
    snprintf(path, 600, "%.400s/%s", top != NULL ? top : ".", name);
    return path;
}

static int
read_model(void *data)
{
    setting *s = data;
    hesca_file *file = NULL;
    const int err = hesca_file_read(s->path, &file);
    hesca_file_free(file);
    return err;
}

static int
read_topology(void *data)
{
    setting *s = data;
    hesca_topology t = {.nlayers = 0};
    char *text = NULL;
    int err = hesca_topology_read(s->path, &t);
    if (err == HESCA_SUCCESS)
        err = hesca_topology_format(&t, &text);
    free(text);
    hesca_topology_clear(&t);
    return err;
}

/* Parameters as text, then all arrangements, each with its mapping. */
static int
arrange(void *data)
{
    setting *s = data;
    static const char *const word[] = {"n=6", "b=1"};
    const hesca_price_options price = {HESCA_PRICE_THESIS, 0, 1};
    const hesca_search_options search = {.method = HESCA_SEARCH_EXCHANGE};
    const hesca_arrange_options how = {.nprocs = 2};
    hesca_model_args args;
    hesca_arrange_result r = {.tried = NULL};
    int err =
        hesca_model_args_init(&args, &hesca_file_model(s->file, NULL)->code);
    if (err < 0)
        return err;
    for (int k = 0; k < 2 && err == 0; ++k)
        err = hesca_model_args_parse(&args, word[k]);
    if (err == 0)
        err = hesca_arrange(&args, &s->topology, &price, &search, &how, &r);
    CHECK(err < 0 || (r.ntried == 3 && r.best >= 0), "%lld arrangements",
          (long long)r.ntried);
    free(r.tried);
    hesca_model_args_clear(&args);
    return err;
}

/* By ports, and plainly. */
static int
estimate(void *data)
{
    setting *s = data;
    const hesca_price_options price = {HESCA_PRICE_PORTS, 0, 1};
    static const int one = 1, two = 2, six = 6;
    static const int *const value[] = {&six, &one, &two, &one};
    hesca_model_args args;
    hesca_instance x = {.trace = {.root = -1}};
    hesca_search_result r = {.computer = NULL};
    int err =
        hesca_model_args_init(&args, &hesca_file_model(s->file, NULL)->code);
    if (err < 0)
        return err;
    for (int k = 0; k < 4 && err == 0; ++k)
        err = hesca_model_args_set(&args, k, value[k], NULL, 1);
    if (err == 0)
        err = hesca_instance_create(&args, &x);
    if (err == 0)
        err =
            hesca_search(&x, &s->topology, &price,
                         &(hesca_search_options){.exhaustive_most = 100}, &r);
    if (err == 0) {
        const double t =
            hesca_price_plainly(&x, &s->topology, &price, r.computer);
        err = t < 0 ? (int)t : HESCA_SUCCESS;
    }
    free(r.computer);
    hesca_instance_clear(&x);
    hesca_model_args_clear(&args);
    return err;
}

static void
each(void)
{
    static const char *const model[] = {"dynamic_pattern",
                                        "nbody_auto",
                                        "axb_columns",
                                        "cholesky",
                                        "em3d",
                                        "axbt",
                                        "grid",
                                        "pdgemm"};
    setting s = {.file = NULL};
    in_source("testing/machine/topologies/three.topo", s.path);
    nomem_check("a topology", 3, read_topology, &s);
    CHECK(hesca_topology_read(s.path, &s.topology) == 0, "%s",
          hesca_error_text());
    for (size_t k = 0; k < sizeof model / sizeof *model; ++k) {
        char name[80];
        snprintf(name, sizeof name, "examples/models/%s.mpc", model[k]);
        in_source(name, s.path);
        nomem_check(model[k], 50, read_model, &s);
    }
    CHECK(hesca_file_read(s.path, &s.file) == 0, "%s", hesca_error_text());
    nomem_check("arrangements", 50, arrange, &s);
    nomem_check("an estimate", 20, estimate, &s);
    hesca_file_free(s.file);
    hesca_topology_clear(&s.topology);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(each)};
    unit_begin("pmdl/t_model_nomem", 1);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

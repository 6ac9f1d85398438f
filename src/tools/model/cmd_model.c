/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca model: performance models of algorithms, on paper. */
#include "pmdl/emit.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/json.h"
#include "tools/lib/tools.h"
#include "tools/model/model.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef model_options options;

static const cmdline_row rows[] = {
    OPT_TEXT("model", "NAME", "the algorithm (the file's first)", name),
    OPT_TEXT("topology", "FILE", "the network, a topology file", topology),
    OPT_TEXT("machine", "FILE", "the network, a machine file", machine),
    OPT_TEXT("vpm", "FILE", "processes on each computer of the network", vpm),
    OPT_TEXT("parent", "COMPUTER",
             "where the model's parent process runs (the first)", parent),
    OPT_POSITIVE(
        "seconds", "S",
        "that a unit of the model's benchmark takes on a processor of "
        "relative speed 1, p1 in the topology file (1)",
        seconds),
    OPT_CHOICE("rule", "thesis|ports",
               "how messages of a par overlap: as in the thesis, or each "
               "process sends one and receives one at a time (thesis)",
               rule),
    OPT_FLAG("by-unit",
             "e percent of a link take as long as a message of e percent of "
             "its bytes, not e percent of the time of all",
             by_unit),
    OPT_CHOICE("search", "default|greedy|exchange|exhaustive",
               "how a mapping is found: exchange is greedy, then moves and "
               "swaps; default is exhaustive up to 20,000 mappings, else "
               "exchange",
               method),
    OPT_INT("processes", "P",
            "arrange: at most this many (those of the network)", nprocs, 1,
            1000000),
    OPT_TEXT("heuristic", "NAME",
             "arrange: all, square, divisors, powers, or a C function of "
             "--with (all)",
             heuristic),
    OPT_NAMES("with", "FILE.c,...",
              "C files that the model calls; it is then compiled", with, nwith,
              NULL),
    OPT_FLAG("native", "compile the model even if it calls no C", is_native),
    OPT_TEXT("cc", "COMPILER", "for that ($CC, or cc)", cc),
    OPT_TEXT("cflags", "OPTIONS", "more options for the compiler", cflags),
    OPT_TEXT("output", "FILE", "compile, convert: the file to write (stdout)",
             output),
    OPT_TEXT("svg", "FILE", "explain: a picture of the steps", svg),
    OPT_FLAG("json", "the result as JSON", json),
};
enum { NROWS = sizeof rows / sizeof *rows };

static void
help(void)
{
    printf(
        "Usage: hesca model ACTION FILE [PARAMETER=VALUE[,VALUE]...]... "
        "[option]...\n"
        "Performance models of algorithms: what they compute, what they "
        "send, and how long\nthat takes on given computers.\n\n"
        "  check       whether the file's models are right\n"
        "  compile     write them as C; hmpicc FILE is the same\n"
        "  timeof      the time on a network, for the best mapping found\n"
        "  map         that mapping: which process of the model runs where\n"
        "  arrange     the best number of processes in each dimension\n"
        "  explain     where the time goes, and which process waits for "
        "which\n"
        "  convert     without FILE: print --topology as a machine file, or "
        "--machine as a\n"
        "              topology file\n\n"
        "For several values 3x4 is 3,3,3,3 and 1:9:2 is 1,3,5,7,9.  "
        "Parentheses: what holds\nwithout the option.  doc/models.md has "
        "the formats of models, topology and VPM files.\n\n"
        "  hesca model timeof pdgemm.mpc n=9216 b=64 p=3 q=3 --topology "
        "net.topo\n\n");
    cmdline_print(rows, NROWS);
    printf("\nExit status: 0; 1 if the model or its parameters are wrong; 2 "
           "for wrong usage or a\nfile that cannot be read.\n");
}

static int
wrong(void)
{
    complain("%s", hesca_error_text());
    return TOOL_NO;
}

const char *
model_coord(const hesca_instance *x, int vp, char text[120])
{
    int at[HESCA_MODEL_DIMS];
    size_t n = 0;
    hesca_instance_coord(x, vp, at);
    for (int k = 0; k < x->ndims; ++k)
        n += (size_t)snprintf(text + n, 120 - n, "%c%d", k > 0 ? ',' : '[',
                              at[k]);
    snprintf(text + n, 120 - n, "]");
    return text;
}

void
model_print_warnings(const hesca_file *file)
{
    for (const hesca_warning *w = file->warning; w != NULL; w = w->next)
        fprintf(stderr, "%s:%d:%d: warning: %s\n", file->path, w->line,
                w->column, w->text);
}

/* --- the task --- */

/* The network of the options. */
static int
read_network(model_task *t)
{
    const options *o = t->options;
    hesca_vpm_line *line;
    int n, err = HESCA_SUCCESS;
    if (o->topology != NULL && o->machine != NULL)
        return complain("--topology and --machine: one of them");
    if (o->topology != NULL) {
        err = hesca_topology_read(o->topology, &t->topology);
    } else if (o->machine != NULL) {
        hesca_machine m = hesca_machine_default();
        err = hesca_machine_read(o->machine, &m);
        if (err == 0)
            err = hesca_topology_of_machine(&m, &t->topology);
        hesca_machine_clear(&m);
    } else {
        return complain("a network is missing: --topology or --machine");
    }
    if (err == 0 && o->vpm != NULL) {
        err = hesca_vpm_read(o->vpm, &line, &n);
        if (err == 0)
            err = hesca_topology_apply_vpm(&t->topology, line, n);
        if (err == 0)
            free(line);
    }
    if (err < 0)
        return complain("%s", hesca_error_text());
    if (o->parent == NULL)
        return TOOL_YES;
    for (t->home = 0; t->home < t->topology.ncomputers; ++t->home)
        if (strcmp(t->topology.computer[t->home].name, o->parent) == 0)
            return TOOL_YES;
    return complain("--parent '%s' is not a computer of the network",
                    o->parent);
}

static int
show_search(void *context, int64_t estimates, double best)
{
    (void)context;
    progress("hesca: %lld estimates, the best %.6g s", (long long)estimates,
             best);
    return 0;
}

/* The model's code: evaluated, unless it needs C. */
static int
choose_code(model_task *t)
{
    const options *o = t->options;
    const hesca_algorithm *m = hesca_file_model(t->file, o->name);
    if (m == NULL) {
        complain("%s has no model '%s'", t->path, o->name);
        return TOOL_NO;
    }
    t->code = &m->code;
    if (o->is_native || o->nwith > 0 || m->needs != NULL)
        return model_load_native(t, m->name) ? TOOL_YES : TOOL_NO;
    return TOOL_YES;
}

static int
read_args(model_task *t, int n, char **word)
{
    if (hesca_model_args_init(&t->args, t->code) < 0)
        return wrong();
    for (int k = 0; k < n; ++k)
        if (hesca_model_args_parse(&t->args, word[k]) < 0)
            return wrong();
    return TOOL_YES;
}

static int
find_mapping(model_task *t)
{
    if (hesca_instance_create(&t->args, &t->instance) < 0)
        return wrong();
    const int err = hesca_search(&t->instance, &t->topology, &t->price,
                                 &t->search, &t->found);
    progress(NULL);
    return err < 0 ? wrong() : TOOL_YES;
}

static void
task_clear(model_task *t)
{
    free(t->found.computer);
    hesca_instance_clear(&t->instance);
    if (t->args.code != NULL)
        hesca_model_args_clear(&t->args);
    hesca_topology_clear(&t->topology);
    hesca_file_free(t->file);
    if (t->library != NULL)
        dlclose(t->library);
}

/* --- actions --- */

static int
check(model_task *t)
{
    int n = 0;
    if (t->options->json)
        printf("[");
    for (const hesca_algorithm *m = t->file->model; m != NULL;
         m = m->next, ++n) {
        if (t->options->json) {
            printf("%s\n  {\"model\": ", n > 0 ? "," : "");
            json_string(m->name);
            printf(", \"dimensions\": %d, \"parameters\": %d, \"needs\": ",
                   m->ndims, m->nparams);
            json_string(m->needs);
            printf("}");
            continue;
        }
        printf("%s: %d dimension%s, %d parameter%s", m->name, m->ndims,
               m->ndims != 1 ? "s" : "", m->nparams,
               m->nparams != 1 ? "s" : "");
        if (m->needs != NULL)
            printf(", needs C (%s)", m->needs);
        printf("\n");
    }
    if (t->options->json)
        printf("\n]\n");
    return TOOL_YES;
}

/* --output, or stdout; NULL after an error message. */
static FILE *
begin_output(const model_task *t)
{
    const char *path = t->options->output;
    FILE *out = path != NULL ? fopen(path, "w") : stdout;
    if (out == NULL)
        complain("%s: %s", path, strerror(errno));
    return out;
}

static int
end_output(const model_task *t, FILE *out)
{
    const char *path = t->options->output;
    const int bad = ferror(out);
    if (path != NULL && (fclose(out) != 0 || bad))
        return complain("%s cannot be written", path);
    return TOOL_YES;
}

static int
compile(model_task *t)
{
    FILE *out = begin_output(t);
    if (out == NULL)
        return TOOL_BAD;
    hesca_emit_file(out, t->file);
    return end_output(t, out);
}

static int
timeof(model_task *t)
{
    if (t->options->json)
        printf("{\"model\": \"%s\", \"seconds\": %.17g, \"estimates\": %lld, "
               "\"relative\": %s}\n",
               t->code->name, t->found.seconds, (long long)t->found.estimates,
               t->instance.is_relative ? "true" : "false");
    else
        printf("%.12g %s\n", t->found.seconds,
               t->instance.is_relative ? "(relative: no volume is in units of "
                                         "a benchmark)"
                                       : "s");
    return TOOL_YES;
}

static int
map(model_task *t)
{
    char coord[120];
    if (t->options->json)
        printf("{\"model\": \"%s\", \"seconds\": %.17g, \"greedy\": %.17g, "
               "\"estimates\": %lld, \"parent\": %d, \"processes\": [",
               t->code->name, t->found.seconds, t->found.greedy,
               (long long)t->found.estimates, t->instance.parent);
    else
        printf("%8s  %-12s %13s  %s\n", "process", "coordinates", "volume",
               "computer");
    for (int k = 0; k < t->instance.nvps; ++k) {
        const char *name = t->topology.computer[t->found.computer[k]].name;
        model_coord(&t->instance, k, coord);
        if (t->options->json) {
            printf("%s\n  {\"coordinates\": %s, \"volume\": %.17g, "
                   "\"computer\": ",
                   k > 0 ? "," : "", coord, t->instance.volume[k]);
            json_string(name);
            printf("}");
        } else {
            printf("%8d  %-12s %13.6g  %s%s\n", k, coord,
                   t->instance.volume[k], name,
                   k == t->instance.parent ? "  (parent)" : "");
        }
    }
    if (t->options->json) {
        printf("\n]}\n");
        return TOOL_YES;
    }
    printf("%.12g s after %lld estimates", t->found.seconds,
           (long long)t->found.estimates);
    if (t->found.greedy > t->found.seconds)
        printf("; greedy alone: %.12g s", t->found.greedy);
    printf("%s\n", t->found.is_stopped ? "; the search was ended early" : "");
    return TOOL_YES;
}

static int
show_arrangement(void *context, int64_t done, const int *dims, double least)
{
    (void)context;
    progress("hesca: %lld arrangements, now %d x ..., the best %.6g s",
             (long long)done, dims[0], least);
    return 0;
}

static void
print_arrangements(const model_task *t, const hesca_arrange_result *r)
{
    const int ndims = t->code->ndims;
    const int json = t->options->json;
    if (json)
        printf("{\"model\": \"%s\", \"visited\": %lld, \"estimates\": %lld, "
               "\"arrangements\": [",
               t->code->name, (long long)r->nvisited, (long long)r->estimates);
    for (int64_t k = 0; k < r->ntried; ++k) {
        const hesca_arrangement *a = &r->tried[k];
        printf(json ? "%s\n  {\"extents\": [" : "%s",
               json && k > 0 ? "," : "");
        for (int d = 0; d < ndims; ++d)
            printf("%s%d", d == 0 ? "" : json ? ", " : " x ", a->dims[d]);
        if (json && a->seconds >= 0)
            printf("], \"seconds\": %.17g}", a->seconds);
        else if (json)
            printf("], \"seconds\": null}");
        else if (a->seconds >= 0)
            printf(": %.10g s%s\n", a->seconds, k == r->best ? "  best" : "");
        else
            printf(": no value\n");
    }
    if (json)
        printf("\n], \"best\": %lld}\n", (long long)r->best);
    else
        printf("%lld of %lld arrangements, %lld estimates\n",
               (long long)r->ntried, (long long)r->nvisited,
               (long long)r->estimates);
}

/* A predefined heuristic, or a function of the user's C. */
static int
find_heuristic(const model_task *t, hesca_arrange_options *how)
{
    const char *name = t->options->heuristic;
    how->is_chosen = hesca_filter_find(name);
    if (how->is_chosen == NULL && t->library != NULL) {
        void *function = dlsym(t->library, name);
        memcpy(&how->is_chosen_by_user, &function, sizeof function);
    }
    return how->is_chosen != NULL || how->is_chosen_by_user != NULL;
}

static int
arrange(model_task *t)
{
    const options *o = t->options;
    hesca_arrange_options how = {.nprocs = o->nprocs,
                                 .progress = show_arrangement};
    hesca_arrange_result r;
    int64_t places = 0;
    for (int c = 0; c < t->topology.ncomputers; ++c)
        places += t->topology.computer[c].nprocs;
    if (how.nprocs == 0)
        how.nprocs = places < 1000000 ? (int)places : 1000000;
    if (o->heuristic != NULL && !find_heuristic(t, &how))
        return complain("--heuristic '%s': must be one of %s, or a function "
                        "of --with FILE.c",
                        o->heuristic, hesca_filter_names);
    /* What the user's heuristic gets, as from HMPI. */
    int *flat = NULL, ninputs = t->code->ndims > 0 ? t->code->extent[0] : 0;
    for (int k = 0; k < ninputs; ++k)
        if (t->args.value[k] == NULL)
            ninputs = 0; /* hesca_arrange() names it */
    if (hesca_model_args_pack(&t->args, ninputs < 0 ? 0 : ninputs, &flat,
                              &how.paramc) < 0)
        return wrong();
    how.modelp = flat;
    const int err =
        hesca_arrange(&t->args, &t->topology, &t->price, &t->search, &how, &r);
    progress(NULL);
    free(flat);
    if (err < 0)
        return wrong();
    if (r.best < 0) {
        complain("no arrangement has a value: %s", r.why);
        free(r.tried);
        return TOOL_NO;
    }
    print_arrangements(t, &r);
    free(r.tried);
    return TOOL_YES;
}

/* A topology file as a machine file, a machine file as a topology file. */
static int
convert(model_task *t)
{
    hesca_machine m = hesca_machine_default();
    char *text = NULL;
    int status = TOOL_BAD,
        err = t->options->topology != NULL
                  ? hesca_topology_to_machine(&t->topology, &m)
                  : hesca_topology_format(&t->topology, &text);
    if (err == 0 && t->options->topology != NULL)
        err = hesca_machine_format(&m, &text);
    hesca_machine_clear(&m);
    if (err < 0)
        return wrong();
    FILE *out = begin_output(t);
    if (out != NULL) {
        fputs(text, out);
        status = end_output(t, out);
    }
    free(text);
    return status;
}

/* What an action needs: a model file; a network; parameters; a mapping. */
static const struct {
    const char *name;
    int (*run)(model_task *t);
    int needs_file, needs_network, needs_args, needs_mapping;
} actions[] = {
    {"check", check, 1, 0, 0, 0},     {"compile", compile, 1, 0, 0, 0},
    {"timeof", timeof, 1, 1, 1, 1},   {"map", map, 1, 1, 1, 1},
    {"arrange", arrange, 1, 1, 1, 0}, {"explain", model_explain, 1, 1, 1, 1},
    {"convert", convert, 0, 1, 0, 0},
};
enum { NACTIONS = sizeof actions / sizeof *actions };

static int
run(model_task *t, int action, int n, char **word)
{
    int status = TOOL_YES;
    if (actions[action].needs_file) {
        if (hesca_file_read(t->path, &t->file) < 0)
            return wrong();
        model_print_warnings(t->file);
    }
    if (!actions[action].needs_args && n > 0)
        return complain("'%s': %s takes no parameters", word[0],
                        actions[action].name);
    if (actions[action].needs_network &&
        (status = read_network(t)) != TOOL_YES)
        return status;
    if (actions[action].needs_args &&
        ((status = choose_code(t)) != TOOL_YES ||
         (status = read_args(t, n, word)) != TOOL_YES))
        return status;
    t->search.parent_computer = t->home;
    if (actions[action].needs_mapping &&
        (status = find_mapping(t)) != TOOL_YES)
        return status;
    return actions[action].run(t);
}

int
model_main(int argc, char **argv)
{
    const cmdline c = {
        .program = "hesca model", .rows = rows, .nrows = NROWS, .help = help};
    options o = {.seconds = 1};
    int first, action = 0;
    tool_name = "hesca model";
    const int status =
        cmdline_status(cmdline_read(&c, argc, argv, &o, &first));
    if (status >= 0)
        return status;
    if (first >= argc)
        return complain("an action is missing; see hesca model --help");
    while (action < NACTIONS && strcmp(argv[first], actions[action].name) != 0)
        ++action;
    if (action == NACTIONS)
        return complain("no action '%s'; see hesca model --help", argv[first]);
    const int needs_file = actions[action].needs_file;
    if (needs_file && first + 1 >= argc)
        return complain("a model file is missing; see hesca model --help");
    model_task t = {
        .options = &o,
        .path = needs_file ? argv[first + 1] : NULL,
        .price = {o.rule == 1 ? HESCA_PRICE_PORTS : HESCA_PRICE_THESIS,
                  o.by_unit, o.seconds},
        .search = {.method = (hesca_search_method)o.method,
                   .progress = show_search},
        .instance = {.trace = {.root = -1}}};
    first += 1 + needs_file;
    const int result = run(&t, action, argc - first, argv + first);
    task_clear(&t);
    return result;
}

/* The compiler of the HMPI thesis: X.mpc becomes X.c. */
int
hmpicc_main(int argc, char **argv)
{
    char output[1000];
    tool_name = "hmpicc";
    if (argc < 2)
        return complain("a model file is missing: hmpicc FILE.mpc...");
    if (strcmp(argv[1], "--help") == 0) {
        printf("Usage: hmpicc FILE.mpc...\n"
               "Compile models to C: FILE.mpc to FILE.c, as hesca model "
               "compile.\n");
        return TOOL_YES;
    }
    for (int k = 1; k < argc; ++k) {
        const char *dot = strrchr(argv[k], '.');
        const size_t n = dot != NULL && strchr(dot, '/') == NULL
                             ? (size_t)(dot - argv[k])
                             : strlen(argv[k]);
        if (n + 3 > sizeof output)
            return complain("'%s' is too long", argv[k]);
        snprintf(output, sizeof output, "%.*s.c", (int)n, argv[k]);
        if (strcmp(output, argv[k]) == 0)
            return complain("'%s' would be overwritten", argv[k]);
        const options o = {.output = output, .seconds = 1};
        model_task t = {.options = &o, .path = argv[k]};
        t.instance.trace.root = -1;
        int status = hesca_file_read(t.path, &t.file) < 0 ? wrong() : TOOL_YES;
        if (status == TOOL_YES) {
            model_print_warnings(t.file);
            status = compile(&t);
        }
        task_clear(&t);
        if (status != TOOL_YES)
            return status;
    }
    return TOOL_YES;
}

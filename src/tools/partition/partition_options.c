/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/partition/partition_options.h"
#include "hesca/experimental/tiling.h"
#include "tools/lib/cmdline.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const partition_object_name[PARTITION_OBJECTS] = {
    [PARTITION_SET] = "set",
    [PARTITION_MATRIX] = "matrix",
    [PARTITION_GRAPH] = "graph",
    [PARTITION_HYPERGRAPH] = "hypergraph",
    [PARTITION_TREE] = "tree"};

enum {
    SET = 1 << PARTITION_SET,
    MATRIX = 1 << PARTITION_MATRIX,
    GRAPH = 1 << PARTITION_GRAPH,
    HYPERGRAPH = 1 << PARTITION_HYPERGRAPH,
    TREE = 1 << PARTITION_TREE,
    FILES = GRAPH | HYPERGRAPH | TREE,
    ALL = SET | MATRIX | FILES
};

/* ------------------------------------------------ values
 * Each function returns 1, or 0 after an error message. */

typedef partition_options options;

/* strtod() also accepts hexadecimal numbers. */
static int
is_decimal(const char *word)
{
    return strpbrk(word, "xX") == NULL;
}

/* A whole number, at most 2^53, also with an exponent. */
static int
set_count(const cmdline_row *r, const char *value, void *out)
{
    char *end;
    const double most = 9007199254740992., x = strtod(value, &end);
    if (!isdigit((unsigned char)*value) || *end != '\0' || isnan(x) ||
        !is_decimal(value) || (x <= most && x != floor(x)))
        return cmdline_complain("--%s '%s': must be a whole number", r->name,
                                value);
    if (x > most)
        return cmdline_complain("--%s '%s': must be from 0 to 2^53", r->name,
                                value);
    *(int64_t *)out = (int64_t)x;
    return 1;
}

static int
set_grid(const cmdline_row *r, const char *value, void *to)
{
    options *o = to;
    o->grid = strcmp(value, "auto") == 0     ? PARTITION_GRID_AUTO
              : strcmp(value, "linear") == 0 ? PARTITION_GRID_LINEAR
                                             : PARTITION_GRID_GIVEN;
    return o->grid != PARTITION_GRID_GIVEN ||
           cmdline_grid(r, value, &o->nprow, &o->npcol);
}

static int
set_tolerance(const cmdline_row *r, const char *value, void *to)
{
    double *tolerance = to;
    return cmdline_real(r, value, tolerance) &&
           ((*tolerance > 0 && *tolerance < 1) ||
            cmdline_complain("--%s '%s': must be more than 0 and less than 1",
                             r->name, value));
}

/* The next word between commas, "" if it is empty or too long; NULL after the
 * last one. */
static const char *
next_word(const char *list, char word[64])
{
    const size_t n = strcspn(list, ",");
    word[0] = '\0';
    if (n < 64) {
        memcpy(word, list, n);
        word[n] = '\0';
    }
    return list[n] == ',' ? list + n + 1 : NULL;
}

/* Numbers above 0; limits are at least 0 or "-". */
static int
set_reals(const cmdline_row *r, const char *value, int is_limit, double *list,
          int *n)
{
    char word[64], *end;
    *n = 0;
    for (const char *rest = value; rest != NULL;) {
        rest = next_word(rest, word);
        const int is_free = is_limit && strcmp(word, "-") == 0;
        const double x = is_free ? INFINITY : strtod(word, &end);
        if (!is_free &&
            (end == word || *end != '\0' || !isfinite(x) ||
             !is_decimal(word) || x < 0 || (!is_limit && !(x > 0))))
            return cmdline_complain(
                "--%s '%s': '%s' must be a number, %s", r->name, value, word,
                is_limit ? "at least 0, or -" : "more than 0");
        if (*n == HESCA_HOSTS_MAX)
            return cmdline_complain("--%s: more than %d numbers", r->name,
                                    HESCA_HOSTS_MAX);
        list[(*n)++] = x;
    }
    return 1;
}

static int
set_speeds(const cmdline_row *r, const char *value, void *to)
{
    options *o = to;
    return set_reals(r, value, 0, o->speed, &o->nspeeds);
}

static int
set_limits(const cmdline_row *r, const char *value, void *to)
{
    options *o = to;
    return set_reals(r, value, 1, o->limit, &o->nlimits);
}

/* ------------------------------------------------ the table
 * The bits of a row are the objects that it is for. */

static const cmdline_grouped table[] = {
    {SET, OPT_FIELD("n", "N", "elements, 0 to 2^53; also 1e12", set_count, n)},
    {SET,
     OPT_TEXT("weights", "FILE",
              "their weights, a whole number per line; - is stdin", weights)},
    {SET, OPT_FLAG("ordered", "parts are contiguous", is_ordered)},
    {SET, OPT_FLAG("reorder", "and may come in another order than processors",
                   is_reordered)},
    {SET, OPT_CHOICE("method", "root|basic|modified|combined|greedy",
                     "how the line is found that meets the speeds", method)},
    {SET, OPT_MORE("(root); all end in the same partition")},
    {MATRIX, OPT_FIELD("m", "M", "rows of the matrix or generalized block",
                       set_count, m)},
    {MATRIX, OPT_FIELD("n", "N", "its columns", set_count, n)},
    {MATRIX, OPT_SET("grid", "PxQ|auto|linear",
                     "processors, numbered row by row, in a grid;", set_grid)},
    {MATRIX, OPT_MORE("in one that is found; in none (linear).  Px1 and")},
    {MATRIX, OPT_MORE("1xQ are slices")},
    {MATRIX,
     OPT_CHOICE("shape", "cartesian|row|column|recursive",
                "what is aligned: rows and columns, rows, columns,", kind)},
    {MATRIX, OPT_MORE("halves of halves (column)")},
    {MATRIX,
     OPT_CHOICE("cut", "proportional|time",
                "of a grid: areas in proportion to speed as the", cut)},
    {MATRIX, OPT_MORE("thesis has it, or the longest time least (time)")},
    {MATRIX,
     OPT_CHOICE("goal", "time|sum|max|both",
                "what is least: the longest time (auto), the sum of", goal)},
    {MATRIX, OPT_MORE("half perimeters (linear), the largest one, or sum")},
    {MATRIX, OPT_MORE("times longest time")},
    {GRAPH | TREE,
     OPT_TEXT("graph", "FILE", "in the format of METIS; - is stdin", graph)},
    {HYPERGRAPH,
     OPT_TEXT("graph", "FILE", "in the format of hMETIS; - is stdin", graph)},
    {GRAPH,
     OPT_TEXT("subsets", "FILE",
              "0 or 1 for each vertex: each subset is partitioned", subsets)},
    {GRAPH, OPT_MORE("in proportion to speed by itself")},
    {GRAPH | HYPERGRAPH, OPT_CHOICE("engine", "auto|own|metis|scotch",
                                    "what partitions (auto)", engine)},
    {HYPERGRAPH, OPT_CHOICE("objective", "edges|connectivity",
                            "what is small: weight of cut edges, or times the",
                            objective)},
    {HYPERGRAPH, OPT_MORE("parts that they span less 1 (edges)")},
    {GRAPH | HYPERGRAPH,
     OPT_FIELD("tolerance", "X",
               "how far from its target a part may be (0.03)", set_tolerance,
               tolerance)},
    {ALL, OPT_TEXT("machine", "FILE",
                   "a machine file: a processor for each host", machine)},
    {ALL, OPT_MORE("(HESCA_MACHINE)")},
    {ALL,
     OPT_TEXT("kernel", "NAME",
              "by its models in that file (the only one there, or", kernel)},
    {ALL, OPT_MORE("without models, relative speeds)")},
    {ALL, OPT_NAMES("hosts", "A,B,...",
                    "these hosts of the file, in this order (all)", host,
                    nhosts, NULL)},
    {ALL, OPT_SET("speeds", "X,Y,...",
                  "constant speeds, instead of a machine file", set_speeds)},
    {ALL,
     OPT_SET("limits", "N,...",
             "most elements that each can hold, - for no limit", set_limits)},
    {ALL, OPT_MORE("(as models say)")},
    {ALL, OPT_TEXT("csv", "FILE", "results as CSV, too; - is stdout", csv)},
    {ALL, OPT_TEXT("json", "FILE", "results as JSON, too; - is stdout", json)},
    {ALL, OPT_TEXT("svg", "FILE", "a picture; - is stdout", svg)},
    {ALL,
     {OPT_ANY("output", "FILE",
              "the part of every element, one per line; also -o", CMDLINE_TEXT,
              out),
      .letter = 'o'}},
};

enum { NROWS = sizeof table / sizeof *table };

/* ------------------------------------------------ help
 * Help shows the options of the current object only. */

static const char *const what[PARTITION_OBJECTS] = {
    [PARTITION_SET] = "How many elements of a set each processor gets, such "
                      "that all finish at the\nsame time, as nearly as whole "
                      "elements allow.",
    [PARTITION_MATRIX] = "Which rectangle of a matrix each processor gets, "
                         "such that all finish at the\nsame time, as nearly "
                         "as the shape allows, and edges are short.",
    [PARTITION_GRAPH] = "Which vertices of a graph each processor gets, in "
                        "proportion to speed, such that\nfew edges are cut.",
    [PARTITION_HYPERGRAPH] = "Which vertices of a hypergraph each processor "
                             "gets, in proportion to speed, such\nthat few "
                             "hyperedges are cut.",
    [PARTITION_TREE] = "Which connected part of a tree each processor gets, "
                       "such that the longest time\nis small.",
};

static partition_object current;

static void
help(void)
{
    cmdline_row rows[NROWS];
    printf("Usage: hesca partition %s [option]...\n%s\n\n",
           partition_object_name[current], what[current]);
    cmdline_print(rows, cmdline_select(table, NROWS, (int)current, rows));
    fputs("\nTime is size / speed, in the unit of the speeds.\n"
          "Exit status: 0, or 2 for wrong usage or if no partition exists "
          "(memory limits).\n",
          stdout);
}

/* ------------------------------------------------ all of it
 * Options are checked together after all of them have been read. */

static int
check_set(const partition_options *o)
{
    if (o->n < 0 && o->weights == NULL)
        return cmdline_complain("--n or --weights is missing");
    if (o->is_reordered && !(o->is_ordered && o->weights != NULL))
        return cmdline_complain("--reorder goes with --ordered and --weights");
    if (o->method >= 0 && (o->is_ordered || o->weights != NULL))
        return cmdline_complain("--method is for equal elements in no order");
    return 1;
}

static int
check_matrix(const partition_options *o)
{
    const int is_linear = o->grid == PARTITION_GRID_LINEAR;
    const int is_recursive = o->kind == HESCA_TILING_RECURSIVE;
    if (o->m < 0 || o->n < 0)
        return cmdline_complain("--m and --n go together");
    if (is_linear && o->kind == HESCA_TILING_CARTESIAN)
        return cmdline_complain("--shape cartesian needs --grid");
    if (is_recursive && o->grid == PARTITION_GRID_AUTO)
        return cmdline_complain(
            "--shape recursive goes with --grid PxQ or linear");
    if (o->cut >= 0 && o->grid != PARTITION_GRID_GIVEN)
        return cmdline_complain("--cut goes with --grid PxQ");
    if (o->goal >= 0 && (o->grid == PARTITION_GRID_GIVEN || is_recursive))
        return cmdline_complain("--goal goes with --grid auto or linear, and "
                                "not with --shape recursive");
    if (is_linear && o->goal != -1 && o->goal != HESCA_GOAL_SUM &&
        o->goal != HESCA_GOAL_MAX)
        return cmdline_complain("--grid linear has --goal sum or max");
    return 1;
}

static int
check_object(const partition_options *o)
{
    if (o->object == PARTITION_SET)
        return check_set(o);
    if (o->object == PARTITION_MATRIX)
        return check_matrix(o);
    return o->graph != NULL || cmdline_complain("--graph is missing");
}

/* The results that may go to stdout; at most one of them may. */
static int
check_files(const partition_options *o)
{
    const char *const file[] = {o->csv, o->json, o->svg, o->out};
    int n = 0;
    for (int k = 0; k < 4; ++k)
        n += file[k] != NULL && strcmp(file[k], "-") == 0;
    return n < 2 || cmdline_complain("only one of --csv, --json, --svg and "
                                     "--output can go to stdout");
}

static int
check(const partition_options *o)
{
    if (o->nspeeds > 0 &&
        (o->machine != NULL || o->kernel != NULL || o->nhosts > 0))
        return cmdline_complain(
            "--speeds goes without --machine, --kernel and "
            "--hosts");
    return check_files(o) && check_object(o);
}

int
partition_options_read(partition_options *o, partition_object object, int argc,
                       char **argv)
{
    static char program[64];
    cmdline_row rows[NROWS];
    const cmdline line = {program, rows,
                          cmdline_select(table, NROWS, (int)object, rows),
                          help, 0};
    snprintf(program, sizeof program, "hesca partition %s",
             partition_object_name[object]);
    o->object = current = object;
    o->m = o->n = -1;
    o->method = o->cut = o->goal = -1;
    o->kind = HESCA_TILING_COLUMNS;
    const int is = cmdline_read(&line, argc, argv, o, NULL);
    if (is != CMDLINE_GO)
        return is;
    return check(o) ? CMDLINE_GO : CMDLINE_BAD;
}

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

/* The bits of kind are the objects that a row is for. */
static const cmdline_row table[] = {
    {"help", NULL, "print this", 'h', CMDLINE_LETTER, ALL},
    {"n", "N", "elements, 0 to 2^53; also 1e12", 'n', 0, SET},
    {"weights", "FILE", "their weights, a whole number per line; - is stdin",
     'w', 0, SET},
    {"ordered", NULL, "parts are contiguous", 'r', 0, SET},
    {"reorder", NULL, "and may come in another order than processors", 'R', 0,
     SET},
    {"method", "root|basic|modified|combined|greedy",
     "how the line is found that meets the speeds", 'd', 0, SET},
    {NULL, NULL, "(root); all end in the same partition", 0, 0, SET},
    {"m", "M", "rows of the matrix or generalized block", 'm', 0, MATRIX},
    {"n", "N", "its columns", 'n', 0, MATRIX},
    {"grid", "PxQ|auto|linear", "processors, numbered row by row, in a grid;",
     'G', 0, MATRIX},
    {NULL, NULL, "in one that is found; in none (linear).  Px1 and", 0, 0,
     MATRIX},
    {NULL, NULL, "1xQ are slices", 0, 0, MATRIX},
    {"shape", "cartesian|row|column|recursive",
     "what is aligned: rows and columns, rows, columns,", 'S', 0, MATRIX},
    {NULL, NULL, "halves of halves (column)", 0, 0, MATRIX},
    {"cut", "proportional|time",
     "of a grid: areas in proportion to speed as the", 'C', 0, MATRIX},
    {NULL, NULL, "thesis has it, or the longest time least (time)", 0, 0,
     MATRIX},
    {"goal", "time|sum|max|both",
     "what is least: the longest time (auto), the sum of", 'q', 0, MATRIX},
    {NULL, NULL, "half perimeters (linear), the largest one, or sum", 0, 0,
     MATRIX},
    {NULL, NULL, "times longest time", 0, 0, MATRIX},
    {"graph", "FILE", "in the format of METIS; - is stdin", 'f', 0,
     GRAPH | TREE},
    {"graph", "FILE", "in the format of hMETIS; - is stdin", 'f', 0,
     HYPERGRAPH},
    {"subsets", "FILE", "0 or 1 for each vertex: each subset is partitioned",
     'u', 0, GRAPH},
    {NULL, NULL, "in proportion to speed by itself", 0, 0, GRAPH},
    {"engine", "auto|own|metis|scotch", "who partitions (auto)", 'e', 0,
     GRAPH | HYPERGRAPH},
    {"objective", "edges|connectivity",
     "what is small: weight of cut edges, or times the", 'b', 0, HYPERGRAPH},
    {NULL, NULL, "parts that they span less 1 (edges)", 0, 0, HYPERGRAPH},
    {"tolerance", "X", "how far from its target a part may be (0.03)", 't', 0,
     GRAPH | HYPERGRAPH},
    {"machine", "FILE", "a machine file: a processor for each host", 'M', 0,
     ALL},
    {NULL, NULL, "(HESCA_MACHINE)", 0, 0, ALL},
    {"kernel", "NAME", "by its models in that file (the only one there, or",
     'k', 0, ALL},
    {NULL, NULL, "without models, relative speeds)", 0, 0, ALL},
    {"hosts", "A,B,...", "these hosts of the file, in this order (all)", 'H',
     0, ALL},
    {"speeds", "X,Y,...", "constant speeds, instead of a machine file", 's', 0,
     ALL},
    {"limits", "N,...", "most elements that each can hold, - for no limit",
     'l', 0, ALL},
    {NULL, NULL, "(as models say)", 0, 0, ALL},
    {"csv", "FILE", "results as CSV, too; - is stdout", 'v', 0, ALL},
    {"json", "FILE", "results as JSON, too; - is stdout", 'J', 0, ALL},
    {"svg", "FILE", "a picture; - is stdout", 'g', 0, ALL},
    {"output", "FILE", "the part of every element, one per line; also -o", 'o',
     CMDLINE_LETTER, ALL},
};

enum { NROWS = sizeof table / sizeof *table };

/* ------------------------------------------------ help
 * Help shows the options of the current object only. */

static const char *const what[PARTITION_OBJECTS] = {
    [PARTITION_SET] =
        "How many elements of a set for whom, such that all finish at the "
        "same time, as\nnearly as whole elements allow.",
    [PARTITION_MATRIX] =
        "Which rectangle of a matrix for whom, such that all finish at the "
        "same time, as\nnearly as the shape allows, and edges are short.",
    [PARTITION_GRAPH] =
        "Which vertices of a graph for whom, in proportion to speed, such "
        "that few edges\nare cut.",
    [PARTITION_HYPERGRAPH] =
        "Which vertices of a hypergraph for whom, in proportion to speed, "
        "such that few\nhyperedges are cut.",
    [PARTITION_TREE] =
        "Which connected part of a tree for whom, such that the longest time "
        "is small.",
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
          "Exit status: 0, or 2 if it cannot be done.\n",
          stdout);
}

/* ------------------------------------------------ values
 * Each function returns 1, or 0 after an error message. */

/* strtod() also accepts hexadecimal numbers. */
static int
is_decimal(const char *word)
{
    return strpbrk(word, "xX") == NULL;
}

/* A whole number, at most 2^53, also with an exponent. */
static int
set_count(const cmdline_row *r, const char *value, int64_t *out)
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
    *out = (int64_t)x;
    return 1;
}

static int
set_grid(const cmdline_row *r, const char *value, partition_options *o)
{
    o->grid = strcmp(value, "auto") == 0     ? PARTITION_GRID_AUTO
              : strcmp(value, "linear") == 0 ? PARTITION_GRID_LINEAR
                                             : PARTITION_GRID_GIVEN;
    return o->grid != PARTITION_GRID_GIVEN ||
           cmdline_grid(r, value, &o->nprow, &o->npcol);
}

static int
set_tolerance(const cmdline_row *r, const char *value, double *tolerance)
{
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
set_hosts(const cmdline_row *r, const char *value, partition_options *o)
{
    return cmdline_names(r, value, o->host[0], sizeof o->host[0],
                         HESCA_HOSTS_MAX, &o->nhosts);
}

static int
apply_files(const cmdline_row *r, const char *value, partition_options *o)
{
    switch (r->key) {
    case 'M':
        o->machine = value;
        return 1;
    case 'w':
        o->weights = value;
        return 1;
    case 'f':
        o->graph = value;
        return 1;
    case 'u':
        o->subsets = value;
        return 1;
    case 'v':
        o->csv = value;
        return 1;
    case 'J':
        o->json = value;
        return 1;
    case 'g':
        o->svg = value;
        return 1;
    default:
        o->out = value;
        return 1;
    }
}

static int
apply_object(const cmdline_row *r, const char *value, partition_options *o)
{
    switch (r->key) {
    case 'm':
        return set_count(r, value, &o->m);
    case 'n':
        return set_count(r, value, &o->n);
    case 'r':
        return o->is_ordered = 1;
    case 'R':
        return o->is_reordered = 1;
    case 'd':
        return cmdline_choice(r, value, &o->method);
    case 'G':
        return set_grid(r, value, o);
    case 'S':
        return cmdline_choice(r, value, &o->kind);
    case 'C':
        return cmdline_choice(r, value, &o->cut);
    case 'q':
        return cmdline_choice(r, value, &o->goal);
    case 'e':
        return cmdline_choice(r, value, &o->engine);
    case 'b':
        return cmdline_choice(r, value, &o->objective);
    default:
        return set_tolerance(r, value, &o->tolerance);
    }
}

static int
apply(const cmdline_row *r, const char *value, void *to)
{
    partition_options *o = to;
    switch (r->key) {
    case 'k':
        o->kernel = value;
        return 1;
    case 'H':
        return set_hosts(r, value, o);
    case 's':
        return set_reals(r, value, 0, o->speed, &o->nspeeds);
    case 'l':
        return set_reals(r, value, 1, o->limit, &o->nlimits);
    default:
        return strchr("MwfuvJgo", r->key) != NULL ? apply_files(r, value, o)
                                                  : apply_object(r, value, o);
    }
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
                          help, apply};
    snprintf(program, sizeof program, "hesca partition %s",
             partition_object_name[object]);
    o->object = current = object;
    o->m = o->n = -1;
    o->method = o->cut = o->goal = -1;
    o->kind = HESCA_TILING_COLUMNS;
    const int is = cmdline_read(&line, argc, argv, o);
    if (is != CMDLINE_GO)
        return is;
    return check(o) ? CMDLINE_GO : CMDLINE_BAD;
}

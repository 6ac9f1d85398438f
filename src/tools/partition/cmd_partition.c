/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca partition: one table of objects. */
#include "tools/lib/cmdline.h"
#include "tools/lib/tools.h"
#include "tools/partition/partition.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MOST = 1000000000 };

static const partition_kind *const kind_of[PARTITION_OBJECTS] = {
    [PARTITION_SET] = &partition_set,
    [PARTITION_MATRIX] = &partition_matrix,
    [PARTITION_GRAPH] = &partition_graph,
    [PARTITION_HYPERGRAPH] = &partition_graph,
    [PARTITION_TREE] = &partition_graph,
};

static int
help(void)
{
    printf("Usage: hesca partition OBJECT [option]...\n"
           "Compute which part of an object each processor should get, in "
           "proportion to its\n"
           "speed.\n"
           "\n"
           "  set         a one-dimensional set of elements, with or without "
           "weights;\n"
           "              contiguous shares or not\n"
           "  matrix      rectangles of a matrix, or of a generalized block "
           "(the repeating\n"
           "              pattern of a block-cyclic layout with blocks of "
           "unequal sizes)\n"
           "  graph       a graph, such that few edges are cut\n"
           "  hypergraph  a hypergraph\n"
           "  tree        a tree, into connected parts\n"
           "\n"
           "hesca partition OBJECT --help says more.  --speeds 3,2,1: "
           "relative speeds of\n"
           "three processors; --kernel dgemm: speed as a function of size, as "
           "measured by\n"
           "hesca probe --kernel dgemm, in the machine file.\n"
           "\n"
           "Examples:\n"
           "  hesca partition set --n 1e6 --speeds 3,2,1\n"
           "  hesca partition set --n 1e9 --machine lab.machine --kernel "
           "dgemm --svg set.svg\n"
           "  hesca partition matrix --m 96 --n 96 --grid auto --speeds "
           "4,3,2,1 --svg m.svg\n"
           "  hesca partition graph --graph mesh.graph --speeds 3,2,1 -o "
           "mesh.part\n"
           "\n"
           "Exit status: 0, or 2 for wrong usage or if no partition exists "
           "(memory limits).\n");
    return TOOL_YES;
}

/* ------------------------------------------------ files */

static int
write_file(const partition_state *s, const char *path,
           void (*write)(const partition_state *s, FILE *f))
{
    if (path == NULL)
        return 1;
    FILE *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (f == NULL)
        return cmdline_fail("%s: %s", path, strerror(errno));
    write(s, f);
    const int bad = ferror(f);
    return ((f == stdout ? fflush(f) : fclose(f)) == 0 && !bad) ||
           cmdline_fail("%s: cannot be written", path);
}

/* A line for each element. */
static int
can_list(const partition_state *s)
{
    return s->o->out == NULL || s->elements <= LINES_MOST ||
           cmdline_fail("--output: %lld elements are more lines than %d",
                        (long long)s->elements, LINES_MOST);
}

/* ------------------------------------------------ all of it */

static int
run(partition_state *s, const partition_kind *kind)
{
    s->share = calloc((size_t)s->q.p, sizeof *s->share);
    if (s->share == NULL)
        return cmdline_fail("no memory for %d processors", s->q.p);
    if (!kind->solve(s) || !can_list(s) || !partition_open(s))
        return 0;
    partition_print(s, kind);
    return fields_close(&s->out) && write_file(s, s->o->svg, kind->draw) &&
           write_file(s, s->o->out, kind->list);
}

static int
find_object(const char *name)
{
    int k = 0;
    while (k < PARTITION_OBJECTS &&
           strcmp(name, partition_object_name[k]) != 0)
        ++k;
    return k;
}

int
partition_main(int argc, char **argv)
{
    static partition_options o;
    partition_state s = {.o = &o};
    if (argc < 2)
        return complain("partition needs an object; see hesca partition "
                        "--help");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help();
    const int object = find_object(argv[1]);
    if (object == PARTITION_OBJECTS)
        return complain("partition knows no object '%s'; see hesca partition "
                        "--help",
                        argv[1]);
    const int what = partition_options_read(&o, (partition_object)object,
                                            argc - 1, argv + 1);
    if (what != CMDLINE_GO)
        return what == CMDLINE_HELP ? TOOL_YES : TOOL_BAD;
    const partition_kind *kind = kind_of[object];
    int ok = partition_processors_make(&s.q, &o);
    if (ok) {
        ok = run(&s, kind);
        kind->clear(&s);
    }
    free(s.share);
    partition_processors_clear(&s.q);
    return ok ? TOOL_YES : TOOL_BAD;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/probe/probe_options.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/tools.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
help(void)
{
    fputs(
        "Usage: mpiexec -n P hesca probe [-o FILE] [--seconds S] [--json]\n"
        "                               [--only costs|links]\n"
        "       mpiexec -n P hesca probe --topology [-o FILE]\n"
        "       mpiexec -n P hesca probe --quick\n"
        "       mpiexec -n P hesca probe --kernel NAME [-o FILE] [option]...\n"
        "Measure what messages cost between P processes and print a machine "
        "file, for\n"
        "HESCA_MACHINE.  A machine file has (doc/machine.md)\n"
        "- lines `node', `net', `node-crowded', `net-crowded': the costs of a "
        "message\n"
        "  within a node or between nodes, without or with more processes "
        "than cores;\n"
        "- the hosts, their speeds, cores and memory;\n"
        "- links: start-up time and rate between each two hosts, and inside "
        "hosts.\n"
        "\n"
        "Measured are\n"
        "- the line `node' if all processes share one node, else, and with\n"
        "  HESCA_TRANSPORT=mpi, the line `net'; with more processes than "
        "cores\n"
        "  `node-crowded' or `net-crowded';\n"
        "- if they are on several hosts: the links between all pairs of "
        "hosts, by\n"
        "  ping-pong messages, several pairs at once, but each host in one "
        "pair at a\n"
        "  time; and the links inside hosts with two processes or more;\n"
        "- in that case also the speeds of the hosts, by products of small "
        "matrices in C,\n"
        "  relative to the fastest; how many processes compute at that speed "
        "at "
        "once, by\n"
        "  their cores and CPU quota; and their memory.  Speeds are measured "
        "before and\n"
        "  after the links; hosts that were busy, or not as fast both times, "
        "are named\n"
        "  as uncertain, and get the speed of hosts with the same processor "
        "and\n"
        "  quota.\n"
        "Parentheses: defaults.\n"
        "\n"
        "  -o FILE      write the file; if it exists, what was not measured "
        "is kept\n"
        "  --seconds S  time to spend (10), half of it for links; with "
        "--kernel: when the\n"
        "               last measurement begins\n"
        "  --only WHAT  costs: only the lines `node' and so on; links: only "
        "hosts and\n"
        "               links, even if there is only one host\n"
        "  --json       print what was measured and fitted as JSON\n"
        "  --topology   write a topology file for hesca model instead: speeds "
        "in millions\n"
        "               of operations per second, rates of messages of 64, "
        "4096 and\n"
        "               262144 bytes between hosts and inside, and whether "
        "messages\n"
        "               between hosts overlap (parallel or serial), with the "
        "factors f_b\n"
        "               of broadcasts and f_g of gathers (doc/models.md)\n"
        "  --quick      print the machine that HESCA_MACHINE=auto finds: from "
        "the user's\n"
        "               cache, or measured now, within 1.5 s, and kept there; "
        "one process\n"
        "               on each host is enough\n"
        "\n"
        "Messages of a link are repeated until the 95 % confidence intervals "
        "of their\n"
        "times (medians; for startups lower quartiles) are within 5 %, or "
        "their time is\n"
        "over; the columns `within' of the printed table give the width "
        "reached, in\n"
        "percent.\n"
        "\n"
        "Run it twice: with one process per core (here 2), and with as many "
        "processes as\n"
        "your programs use (here 16); each run adds its lines to the file:\n"
        "  mpiexec -n 2 hesca probe -o here.machine\n"
        "  mpiexec -n 16 hesca probe -o here.machine\n"
        "\n"
        "Exit status: 0, 1 if a measurement or the file failed, 2 for wrong "
        "usage.\n"
        "\n"
        "With --kernel: how fast each host carries out a kernel, as a "
        "function of problem\n"
        "size, by wall time: lines `model' and `knot' of the machine file.  "
        "One process\n"
        "of each host measures, all hosts at once; the others wait.  One "
        "process alone\n"
        "is enough.\n"
        "\n"
        "  --kernel K   dgemm, dgetrf, dpotrf of BLAS and LAPACK, on square "
        "matrices, or\n"
        "               copy, of 8-byte numbers\n"
        "  --from X     smallest size, in elements of one matrix (1024); K, "
        "M, G: 10^3,\n"
        "               10^6, 10^9\n"
        "  --to X       largest size (as large as takes about a twelfth of "
        "--seconds, and\n"
        "               fits into four fifths of free memory)\n"
        "  --eps E      stop refining where linear interpolation is within E "
        "times the\n"
        "               highest speed (0.05)\n"
        "  --points N   measure at most N sizes (32)\n"
        "  --even N     measure N sizes in equal steps; without it sizes are "
        "chosen by\n"
        "               bisection\n"
        "  --merge      average what is measured with the speeds already in "
        "the file\n"
        "               (weight 1/2 each) instead of replacing them\n"
        "  --blas LIB   shared library with BLAS and LAPACK (that of the "
        "system)\n"
        "\n"
        "Speeds are operations per second: 2, 2/3 and 1/3 n^3 for matrices of "
        "order n,\n"
        "which have n^2 elements; elements per second of copy.  For x "
        "elements, x /\n"
        "speed(x) is proportional to the time of updating x elements of a "
        "larger matrix;\n"
        "partitioning balances this number.  doc/machine.md has more.\n",
        stdout);
}

/* ------------------------------------------------ values
 * Each function returns 1, or 0 after an error message. */

typedef struct {
    probe_request q;
    probe_sizes sizes;
} options;

static int
set_size(const cmdline_row *r, const char *text, void *to)
{
    static const char units[] = "KMG";
    double *x = to;
    char *end;
    *x = strtod(text, &end);
    const char *unit = strchr(units, toupper((unsigned char)*end));
    if (end != text && isdigit((unsigned char)text[0]) && *end != '\0' &&
        unit != NULL) {
        *x *= pow(1000, (double)(unit - units) + 1);
        ++end;
    }
    *x = floor(*x);
    if (end != text && *end == '\0' && *x >= 1 && *x <= 1e15)
        return 1;
    return cmdline_complain("--%s '%s': must be a number of elements, such as "
                            "4096, 250K or 1.5M",
                            r->name, text);
}

static int
set_only(const cmdline_row *r, const char *text, void *to)
{
    probe_request *q = to;
    int k = 0;
    const int good = cmdline_choice(r, text, &k);
    q->costs = k == 0;
    q->links = k == 1;
    return good;
}

static int
set_kernel(const cmdline_row *r, const char *text, void *to)
{
    const probe_kernel **kernel = to;
    *kernel = probe_kernel_find(text);
    return *kernel != NULL || cmdline_bad(r, text);
}

/* ------------------------------------------------ the line
 * Options are checked together after all of them have been read. */

/* Those from NEEDY on require --kernel. */
enum { NEEDY = 7 };
static const cmdline_row table[] = {
    OPT_FLAG("json", NULL, q.json),
    {OPT_ANY("output", "FILE", NULL, CMDLINE_TEXT, q.out), .letter = 'o'},
    OPT_RANGE("seconds", "S", NULL, q.seconds, 1e-6, 1000),
    OPT_FLAG("topology", NULL, q.topology),
    OPT_FLAG("quick", NULL, q.quick),
    OPT_FIELD("only", "costs|links", NULL, set_only, q),
    OPT_FIELD("kernel", "dgemm|dgetrf|dpotrf|copy", NULL, set_kernel,
              sizes.kernel),
    OPT_FIELD("from", "X", NULL, set_size, sizes.from),
    OPT_FIELD("to", "X", NULL, set_size, sizes.to),
    OPT_RANGE("eps", "E", NULL, sizes.eps, 1e-9, 1),
    OPT_INT("points", "N", NULL, sizes.points, 2, 10000),
    OPT_INT("even", "N", NULL, sizes.even, 2, 10000),
    OPT_FLAG("merge", NULL, sizes.merge),
    OPT_TEXT("blas", "LIB", NULL, sizes.blas),
};

enum { NROWS = sizeof table / sizeof *table };

/* Conflicting options. */
static int
check(const probe_request *q, const probe_sizes *s)
{
    for (int k = NEEDY; k < NROWS && s->kernel == NULL; ++k)
        if (cmdline_is_given(table[k].name))
            return cmdline_complain("--%s needs --kernel", table[k].name);
    if (s->kernel != NULL && !(q->costs && q->links))
        return cmdline_complain("--only and --kernel do not go together");
    if (q->topology && (s->kernel != NULL || !(q->costs && q->links)))
        return cmdline_complain("--topology goes with neither --only nor "
                                "--kernel");
    if (q->topology && q->json)
        return cmdline_complain("--topology and --json do not go together");
    if (q->quick &&
        (s->kernel != NULL || q->topology || q->json || q->out != NULL ||
         cmdline_is_given("seconds") || cmdline_is_given("only")))
        return cmdline_complain("--quick goes with no other option");
    if (s->merge && q->out == NULL)
        return cmdline_complain("--merge needs a file, -o");
    if (s->to > 0 && s->to < 2 * s->from)
        return cmdline_complain("--to '%.0f': must be at least twice --from, "
                                "%.0f",
                                s->to, s->from);
    return 1;
}

int
probe_options_read(int argc, char **argv, probe_request *q, probe_sizes *sizes)
{
    const cmdline line = {"hesca probe", table, NROWS, help, 0};
    options o = {{.seconds = 10, .costs = 1, .links = 1},
                 {.from = 1024, .eps = 0.05, .points = 32}};
    const int status =
        cmdline_status(cmdline_read(&line, argc, argv, &o, NULL));
    *q = o.q;
    *sizes = o.sizes;
    return status < 0 && !check(q, sizes) ? TOOL_BAD : status;
}

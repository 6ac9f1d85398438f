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
    printf(
        "Usage: mpiexec -n P hesca probe [-o FILE] [--seconds S] [--json]\n"
        "                               [--only costs|links]\n"
        "       mpiexec -n P hesca probe --kernel NAME [-o FILE] [option]...\n"
        "Measure what messages cost between P processes and print a machine "
        "file, for\n"
        "HESCA_MACHINE.  Where the processes share one node its line `node' "
        "is measured,\n"
        "else, and with HESCA_TRANSPORT=mpi, its line `net'; with more "
        "processes than\n"
        "cores `node-crowded' or `net-crowded'.  Where they are on several "
        "hosts also the\n"
        "links between all pairs of these, by messages there and back in "
        "rounds that\n"
        "leave each host to one pair; inside hosts with two processes or "
        "more; and the\n"
        "speeds of the hosts, by products of small matrices in C, relative to "
        "the\n"
        "fastest; how many processes compute at that speed at once, by their "
        "cores and\n"
        "CPU quota; and their memory.\n"
        "\n"
        "  -o FILE      write the file; if it exists, what was not measured "
        "is kept\n"
        "  --seconds S  time to spend (10), half of it for links\n"
        "  --only WHAT  costs: no links; links: no schedules, and hosts also "
        "if there is\n"
        "               one\n"
        "  --json       what was measured and fitted, for programs\n"
        "\n"
        "Messages of a link are repeated until the 95 %% confidence intervals "
        "of their\n"
        "times (medians; for startups lower quartiles) are within 5 %%, or "
        "their time\n"
        "is over: columns `within' tell.\n"
        "\n"
        "Run it with as many processes as the programs that it is for, and "
        "with one per\n"
        "core:\n"
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
        "will do.\n"
        "\n"
        "  --kernel K   dgemm, dgetrf, dpotrf of BLAS and LAPACK, on square "
        "matrices, or\n"
        "               copy\n"
        "  --from X     smallest size, in elements of one matrix (1024); K, "
        "M, G: 10^3,\n"
        "               10^6, 10^9\n"
        "  --to X       largest size (as large as takes about a twelfth of "
        "--seconds, and\n"
        "               fits into four fifths of free memory)\n"
        "  --eps E      accuracy, of the highest speed (0.05)\n"
        "  --points N   measure at most N sizes (32)\n"
        "  --even N     measure N sizes in equal steps, instead of bisection\n"
        "  --merge      put what is measured into the model of the file, with "
        "weight 1/2,\n"
        "               instead of taking its place\n"
        "  --blas LIB   shared library with BLAS and LAPACK (that of the "
        "system)\n"
        "\n"
        "Speeds are operations per second: 2, 2/3 and 1/3 n^3 for matrices of "
        "order n,\n"
        "which have n^2 elements; elements per second of copy.  So x / speed "
        "is in\n"
        "proportion to the time of a slice of x elements of a larger matrix.\n"
        "doc/machine.md has more.\n");
}

/* ------------------------------------------------ values
 * Each function returns 1, or 0 after an error message. */

static int
parse_number(const cmdline_row *r, const char *text, double most, double *x)
{
    char *end;
    *x = strtod(text, &end);
    if (end != text && *end == '\0' && *x > 0 && *x <= most)
        return 1;
    return cmdline_fail(
        "probe --%s is '%s': must be a number above 0, at most %g", r->name,
        text, most);
}

static int
parse_count(const cmdline_row *r, const char *text, int *n)
{
    char *end;
    const long x = strtol(text, &end, 10);
    if (end != text && *end == '\0' && x >= 2 && x <= 10000) {
        *n = (int)x;
        return 1;
    }
    return cmdline_fail("probe --%s is '%s': must be from 2 to 10000", r->name,
                        text);
}

static int
parse_size(const cmdline_row *r, const char *text, double *x)
{
    static const char units[] = "KMG";
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
    return cmdline_fail(
        "probe --%s is '%s': must be a number of elements, such "
        "as 4096, 250K or 1.5M",
        r->name, text);
}

static int
parse_only(const char *text, probe_request *q)
{
    q->costs = strcmp(text, "costs") == 0;
    q->links = strcmp(text, "links") == 0;
    if (q->costs || q->links)
        return 1;
    return cmdline_fail("probe --only is '%s': must be costs or links", text);
}

static int
parse_kernel(const char *text, probe_sizes *s)
{
    s->kernel = probe_kernel_find(text);
    if (s->kernel != NULL)
        return 1;
    return cmdline_fail(
        "probe --kernel is '%s': must be dgemm, dgetrf, dpotrf or "
        "copy",
        text);
}

/* ------------------------------------------------ the line
 * Options are checked together after all of them have been read. */

/* The keys of options that require --kernel are capitals. */
static const cmdline_row table[] = {
    {"help", NULL, NULL, 'h', CMDLINE_LETTER, 0},
    {"json", NULL, NULL, 'j', 0, 0},
    {"output", "FILE", NULL, 'o', CMDLINE_LETTER, 0},
    {"seconds", "S", NULL, 's', 0, 0},
    {"only", "costs|links", NULL, 'y', 0, 0},
    {"kernel", "K", NULL, 'k', 0, 0},
    {"from", "X", NULL, 'F', 0, 0},
    {"to", "X", NULL, 'T', 0, 0},
    {"eps", "E", NULL, 'E', 0, 0},
    {"points", "N", NULL, 'P', 0, 0},
    {"even", "N", NULL, 'N', 0, 0},
    {"merge", NULL, NULL, 'M', 0, 0},
    {"blas", "LIB", NULL, 'B', 0, 0},
};

typedef struct {
    probe_request *q;
    probe_sizes *sizes;
    const char *needy; /* an option that requires --kernel */
} reading;

static int
apply(const cmdline_row *r, const char *value, void *state)
{
    reading *x = state;
    probe_request *q = x->q;
    probe_sizes *s = x->sizes;
    if (isupper((unsigned char)r->key))
        x->needy = r->name;
    switch (r->key) {
    case 'j':
        return q->json = 1;
    case 'o':
        q->out = value;
        return 1;
    case 's':
        return parse_number(r, value, 1000, &q->seconds);
    case 'y':
        return parse_only(value, q);
    case 'k':
        return parse_kernel(value, s);
    case 'F':
        return parse_size(r, value, &s->from);
    case 'T':
        return parse_size(r, value, &s->to);
    case 'E':
        return parse_number(r, value, 1, &s->eps);
    case 'P':
        return parse_count(r, value, &s->points);
    case 'N':
        return parse_count(r, value, &s->even);
    case 'M':
        return s->merge = 1;
    default:
        s->blas = value;
        return 1;
    }
}

/* Conflicting options. */
static int
check(const probe_request *q, const probe_sizes *s, const char *needy)
{
    if (s->kernel == NULL && needy != NULL)
        return cmdline_fail("probe --%s needs --kernel", needy);
    if (s->kernel != NULL && !(q->costs && q->links))
        return cmdline_fail("probe --only and --kernel do not go together");
    if (s->merge && q->out == NULL)
        return cmdline_fail("probe --merge needs a file, -o");
    if (s->to > 0 && s->to < 2 * s->from)
        return cmdline_fail("probe --to is %.0f: must be at least twice "
                            "--from, %.0f",
                            s->to, s->from);
    return 1;
}

int
probe_options_read(int argc, char **argv, probe_request *q, probe_sizes *sizes)
{
    const cmdline line = {"probe", table, sizeof table / sizeof *table, help,
                          apply};
    reading x = {q, sizes, NULL};
    int first;
    *q = (probe_request){.seconds = 10, .costs = 1, .links = 1};
    *sizes = (probe_sizes){.from = 1024, .eps = 0.05, .points = 32};
    const int status = cmdline_command(&line, argc, argv, &x, "", &first);
    if (status >= 0)
        return status;
    if (first < argc)
        return complain("probe takes no argument '%s'", argv[first]);
    return check(q, sizes, x.needy) ? status : TOOL_BAD;
}

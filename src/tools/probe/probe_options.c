#include "tools/probe/probe_options.h"
#include "tools/lib/tools.h"
#include <ctype.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
probe_kernel_help(void)
{
    printf(
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

/* ------------------------------------------------ values */

static int
parse_number(const char *name, const char *text, double most, double *x)
{
    char *end;
    *x = strtod(text, &end);
    if (end != text && *end == '\0' && *x > 0 && *x <= most)
        return TOOL_YES;
    return complain("probe --%s is '%s': must be a number above 0, at most %g",
                    name, text, most);
}

static int
parse_count(const char *name, const char *text, int *n)
{
    char *end;
    const long x = strtol(text, &end, 10);
    if (end != text && *end == '\0' && x >= 2 && x <= 10000) {
        *n = (int)x;
        return TOOL_YES;
    }
    return complain("probe --%s is '%s': must be from 2 to 10000", name, text);
}

static int
parse_size(const char *name, const char *text, double *x)
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
        return TOOL_YES;
    return complain("probe --%s is '%s': must be a number of elements, such "
                    "as 4096, 250K or 1.5M",
                    name, text);
}

static int
parse_only(const char *text, probe_request *q)
{
    q->costs = strcmp(text, "costs") == 0;
    q->links = strcmp(text, "links") == 0;
    if (q->costs || q->links)
        return TOOL_YES;
    return complain("probe --only is '%s': must be costs or links", text);
}

static int
parse_kernel(const char *text, probe_sizes *s)
{
    s->kernel = probe_kernel_find(text);
    if (s->kernel != NULL)
        return TOOL_YES;
    return complain("probe --kernel is '%s': must be dgemm, dgetrf, dpotrf or "
                    "copy",
                    text);
}

/* ------------------------------------------------ the line */

/* The keys of options that require --kernel are capitals. */
static const struct option names[] = {
    {"help", no_argument, NULL, 'h'},
    {"json", no_argument, NULL, 'j'},
    {"output", required_argument, NULL, 'o'},
    {"seconds", required_argument, NULL, 's'},
    {"only", required_argument, NULL, 'y'},
    {"kernel", required_argument, NULL, 'k'},
    {"from", required_argument, NULL, 'F'},
    {"to", required_argument, NULL, 'T'},
    {"eps", required_argument, NULL, 'E'},
    {"points", required_argument, NULL, 'P'},
    {"even", required_argument, NULL, 'N'},
    {"merge", no_argument, NULL, 'M'},
    {"blas", required_argument, NULL, 'B'},
    {NULL, 0, NULL, 0}};

static const char *
name_of(int key)
{
    int k = 0;
    while (names[k].val != key)
        ++k;
    return names[k].name;
}

static int
apply(int key, const char *value, probe_request *q, probe_sizes *s)
{
    switch (key) {
    case 'j':
        q->json = 1;
        return TOOL_YES;
    case 'o':
        q->out = value;
        return TOOL_YES;
    case 's':
        return parse_number("seconds", value, 1000, &q->seconds);
    case 'y':
        return parse_only(value, q);
    case 'k':
        return parse_kernel(value, s);
    case 'F':
        return parse_size("from", value, &s->from);
    case 'T':
        return parse_size("to", value, &s->to);
    case 'E':
        return parse_number("eps", value, 1, &s->eps);
    case 'P':
        return parse_count("points", value, &s->points);
    case 'N':
        return parse_count("even", value, &s->even);
    case 'M':
        s->merge = 1;
        return TOOL_YES;
    default:
        s->blas = value;
        return TOOL_YES;
    }
}

/* Conflicting options; `needy` is an option that requires --kernel. */
static int
check(const probe_request *q, const probe_sizes *s, int needy)
{
    if (s->kernel == NULL && needy != 0)
        return complain("probe --%s needs --kernel", name_of(needy));
    if (s->kernel != NULL && !(q->costs && q->links))
        return complain("probe --only and --kernel do not go together");
    if (s->merge && q->out == NULL)
        return complain("probe --merge needs a file, -o");
    if (s->to > 0 && s->to < 2 * s->from)
        return complain("probe --to is %.0f: must be at least twice --from, "
                        "%.0f",
                        s->to, s->from);
    return TOOL_YES;
}

int
probe_options_read(int argc, char **argv, probe_request *q, probe_sizes *sizes)
{
    int key, needy = 0, status = TOOL_YES;
    *q = (probe_request){.seconds = 10, .costs = 1, .links = 1};
    *sizes = (probe_sizes){.from = 1024, .eps = 0.05, .points = 32};
    opterr = 0;
    while (status == TOOL_YES) {
        const char *word = argv[optind];
        if ((key = getopt_long(argc, argv, ":o:h", names, NULL)) == -1)
            break;
        if (key == 'h')
            return -1;
        if (key == ':' || key == '?')
            return complain(key == ':' ? "probe %s needs a value"
                                       : "probe does not know '%s'; see hesca "
                                         "probe --help",
                            word);
        needy = isupper(key) ? key : needy;
        status = apply(key, optarg, q, sizes);
    }
    if (status != TOOL_YES)
        return status;
    if (optind < argc)
        return complain("probe takes no argument '%s'", argv[optind]);
    return check(q, sizes, needy);
}

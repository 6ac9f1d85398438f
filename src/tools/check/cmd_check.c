/* hesca check: whether a program would use HESCA, without running it. */
#define _POSIX_C_SOURCE 200809L
#include "tools/check/check_report.h"
#include "tools/lib/binding.h"
#include "tools/lib/tools.h"
#include <getopt.h>
#include <stdio.h>

static int
help(void)
{
    printf(
        "Usage: hesca check [--preload LIB] [--json] PROGRAM\n"
        "Tell which definition of p?gemr2d, p?gemr2do, p?trmr2d, p?trmr2do, "
        "blacs_gridinit,\nblacs_gridmap, sl_init, p?gemm, p?potrf, p?posv, "
        "p?getrf and p?gesv a program would use,\nin Fortran's and in C's "
        "spelling, and who calls them.  The program is not run; its own\n"
        "dynamic linker is asked for its libraries, so LD_PRELOAD and "
        "LD_LIBRARY_PATH count.  PROGRAM may also be a shared library, such "
        "as an extension "
        "module of Python.\n\n"
        "  --preload LIB  as if LIB were the first word of LD_PRELOAD\n"
        "  --json         for programs\n\n"
        "Exit status: 0 if HESCA serves each of these routines that the "
        "program has, 1 if not\nor if it has none, 2 for wrong usage or a "
        "file that cannot be read.\n");
    return TOOL_YES;
}

static int
check(const char *path, const char *preload, int json)
{
    binding_process p;
    int status = TOOL_BAD;
    if (binding_read(path, preload, &p))
        status = check_report_print(&p, json);
    binding_clear(&p);
    return status;
}

int
check_main(int argc, char **argv)
{
    static const struct option names[] = {
        {"help", no_argument, NULL, 'h'},
        {"json", no_argument, NULL, 'j'},
        {"preload", required_argument, NULL, 'p'},
        {NULL, 0, NULL, 0}};
    const char *preload = NULL;
    int key, json = 0;
    opterr = 0;
    for (;;) {
        const char *word = argv[optind];
        if ((key = getopt_long(argc, argv, "+:", names, NULL)) == -1)
            break;
        if (key == 'h')
            return help();
        if (key == 'j')
            json = 1;
        else if (key == 'p')
            preload = optarg;
        else
            return complain(key == ':' ? "check %s needs a value"
                                       : "check does not know '%s'; see hesca "
                                         "check --help",
                            word);
    }
    if (argc - optind != 1)
        return complain("check needs one program; see hesca check --help");
    return check(argv[optind], preload, json);
}

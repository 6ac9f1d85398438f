/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca check: whether a program would use HESCA, without running it. */
#define _POSIX_C_SOURCE 200809L
#include "tools/check/check_report.h"
#include "tools/lib/binding.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/tools.h"
#include <stdio.h>

static void
help(void)
{
    printf(
        "Usage: hesca check [--preload LIB] [--json] PROGRAM\n"
        "Print which definition of p?gemr2d, p?gemr2do, p?trmr2d, p?trmr2do,\n"
        "blacs_gridinit, blacs_gridmap, sl_init, p?gemm, p?potrf, p?potrs, "
        "p?posv,\n"
        "p?getrf, p?getrs, p?gesv and of those that HESCA_REGRID controls a "
        "program\n"
        "would use, under their Fortran names\n"
        "(pdgemr2d_) and C names (Cpdgemr2d): from which library the "
        "definition comes,\n"
        "and which libraries of the program call it.  The program is not run; "
        "its own\n"
        "dynamic linker is asked for its libraries, so LD_PRELOAD and "
        "LD_LIBRARY_PATH\n"
        "count.  PROGRAM may also be a shared library, such as an extension "
        "module of\n"
        "Python.\n"
        "\n"
        "  --preload LIB  as if LIB were the first entry of LD_PRELOAD\n"
        "  --json         print JSON\n"
        "\n"
        "Example:\n"
        "  hesca check --preload /usr/local/lib/libhesca_scalapack.so ./app\n"
        "\n"
        "Exit status: 0 if HESCA serves each of these routines that the "
        "program has, 1 if\n"
        "not or if it has none, 2 for wrong usage or a file that cannot be "
        "read.\n");
}

typedef struct {
    const char *preload;
    int json;
} options;

int
check_main(int argc, char **argv)
{
    static const cmdline_row table[] = {
        OPT_FLAG("json", NULL, json),
        OPT_TEXT("preload", "LIB", NULL, preload)};
    const cmdline line = {"hesca check", table, 2, help, 1};
    options o = {.json = 0};
    binding_process p;
    int first;
    int status = cmdline_status(cmdline_read(&line, argc, argv, &o, &first));
    if (status >= 0)
        return status;
    if (argc - first != 1)
        return complain("check needs one program; see hesca check --help");
    status = binding_read(argv[first], o.preload, &p)
                 ? check_report_print(&p, o.json)
                 : TOOL_BAD;
    binding_clear(&p);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca info: the version, and every parameter with its value here. */
#include "hesca/experimental/param.h"
#include "hesca/version.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/cores.h"
#include "tools/lib/json.h"
#include "tools/lib/tools.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
help(void)
{
    printf("Usage: hesca info [--json]\n"
           "Print the version of HESCA, the MPI it was built for, and its "
           "parameters: the value\nof each in this environment, its default, "
           "what it accepts and what it means.\n\n"
           "Exit status: 0, or 1 if a variable has a malformed value.  An "
           "unknown variable\nHESCA_*, perhaps misspelt, is reported on "
           "stderr; it does not change the exit\nstatus.\n");
}

/* The value in the environment; an empty variable counts as unset. */
static const char *
setting(const hesca_param_info *p)
{
    const char *value = getenv(p->name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

static const char *
value_of(const hesca_param_info *p)
{
    return setting(p) != NULL ? setting(p) : p->deflt;
}

/* The name that the MPI library reports, without the details that follow. */
static const char *
mpi_name(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int len;
    if (MPI_Get_library_version(text, &len) != MPI_SUCCESS)
        return "unknown";
    text[strcspn(text, "\n")] = '\0';
    for (char *tab = text; (tab = strchr(tab, '\t')) != NULL;)
        *tab = ' ';
    return text;
}

static int
wider(int width, const char *s)
{
    const int n = (int)strlen(s);
    return n > width ? n : width;
}

static void
print_text(void)
{
    const hesca_param_info *p;
    int name = 0, value = 5, deflt = 7;
    for (int i = 0; (p = hesca_param(i)) != NULL; ++i) {
        name = wider(name, p->name);
        value = wider(value, value_of(p));
        deflt = wider(deflt, p->deflt);
    }
    const char *cores = cores_library();
    printf("hesca %s\nMPI   %s\ncores %s\n\n", HESCA_VERSION, mpi_name(),
           cores != NULL ? cores : "no hwloc: hesca run does not bind");
    printf("  %-*s  %-*s  %-*s  accepts\n", name, "parameter", value, "value",
           deflt, "default");
    for (int i = 0; (p = hesca_param(i)) != NULL; ++i)
        printf("%c %-*s  %-*s  %-*s  %s\n      %s\n",
               setting(p) != NULL ? '*' : ' ', name, p->name, value,
               value_of(p), deflt, p->deflt, p->type, p->help);
    printf("\n* set in this environment\n");
}

static void
print_field(const char *name, const char *value)
{
    printf("\"%s\": ", name);
    json_string(value);
    printf(", ");
}

static void
print_json(void)
{
    const hesca_param_info *p;
    printf("{");
    print_field("version", HESCA_VERSION);
    print_field("mpi", mpi_name());
    print_field("cores", cores_library());
    printf("\"params\": [");
    for (int i = 0; (p = hesca_param(i)) != NULL; ++i) {
        printf("%s\n  {", i > 0 ? "," : "");
        print_field("name", p->name);
        print_field("type", p->type);
        print_field("default", p->deflt);
        print_field("value", value_of(p));
        print_field("help", p->help);
        printf("\"set\": %s}", setting(p) != NULL ? "true" : "false");
    }
    printf("\n]}\n");
}

typedef struct {
    int json;
} options;

int
info_main(int argc, char **argv)
{
    static const cmdline_row table[] = {OPT_FLAG("json", NULL, json)};
    const cmdline line = {"hesca info", table, 1, help, 0};
    hesca_params params;
    char text[400];
    options o = {0};
    const int status =
        cmdline_status(cmdline_read(&line, argc, argv, &o, NULL));
    if (status >= 0)
        return status;
    for (int i = 0; hesca_params_finding(i, text, sizeof text); ++i)
        complain("%s", text);
    if (hesca_params_read(&params) < 0)
        return TOOL_NO;
    if (o.json)
        print_json();
    else
        print_text();
    return TOOL_YES;
}

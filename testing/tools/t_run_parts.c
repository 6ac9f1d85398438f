/* SPDX-License-Identifier: BSD-3-Clause */
/* What hesca run is made of: numbers of processes, launchers and their words,
 * local ranks, lists of libraries, cores with quotas. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "testing/unit.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/cores.h"
#include "tools/lib/launcher.h"
#include "tools/lib/local_rank.h"
#include "tools/lib/preload.h"
#include "tools/run/run.h"
#include "tools/run/run_hosts.h"
#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------ --per-host */

static void
counts(void)
{
    static const struct {
        const char *text;
        int good, count[3];
    } cases[] = {{"1,2,3", 1, {1, 2, 3}},
                 {"0,0,100000", 1, {0, 0, 100000}},
                 {"c.org=2", 1, {0, 0, 2}},
                 {"c=2,a=1", 1, {1, 0, 2}},
                 {"b=0,a=4", 1, {4, 0, 0}},
                 {"", 0, {0}},
                 {"1,2", 0, {0}},
                 {"1,2,3,", 0, {0}},
                 {"1,2,3,4", 0, {0}},
                 {"0,0,0", 0, {0}},
                 {"1,2,+3", 0, {0}},
                 {"1,2, 3", 0, {0}},
                 {"1,2,100001", 0, {0}},
                 {"100000,1,0", 0, {0}},
                 {"1,2,99999999999999999999", 0, {0}},
                 {"a=", 0, {0}},
                 {"a=1,", 0, {0}},
                 {"a=1=1", 0, {0}},
                 {"a=1,a=1", 0, {0}},
                 {"d=1", 0, {0}},
                 {"=1", 0, {0}},
                 {"a=-1", 0, {0}},
                 {"a=0", 0, {0}}};
    static const char *const name[] = {"a", "b", "c.org"};
    hesca_machine m = hesca_machine_default();
    CHECK(hesca_machine_set_hosts(&m, 3, name) == HESCA_SUCCESS, "hosts");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        int count[3];
        const int good = run_counts_parse(cases[k].text, &m, count);
        CHECK(good == cases[k].good, "'%s'", cases[k].text);
        for (int i = 0; i < 3 && good; ++i)
            CHECK(count[i] == cases[k].count[i], "'%s', host %d",
                  cases[k].text, i);
    }
    hesca_machine_clear(&m);
}

/* ------------------------------------------------ lists of hosts */

/* A list as "a:2 b:0", names and slots. */
static void
check_hosts(const char *text, run_hosts_form form, const char *expected)
{
    char got[400] = "";
    run_hosts h;
    const int good = run_hosts_parse(text, form, &h);
    for (int i = 0; i < h.n && good; ++i)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s:%d",
                 i > 0 ? " " : "", h.name[i], h.slots[i]);
    CHECK(good == (expected != NULL), "'%s'", text);
    if (good && expected != NULL)
        CHECK(strcmp(got, expected) == 0, "'%s': %s, not %s", text, got,
              expected);
    run_hosts_clear(&h);
}

static void
hosts(void)
{
    static const struct {
        const char *text;
        run_hosts_form form;
        const char *expected; /* NULL: malformed */
    } cases[] = {
        {"a", RUN_HOSTS_WORDS, "a:0"},
        {"a,b.site.org:4,c-1", RUN_HOSTS_WORDS, "a:0 b.site.org:4 c-1:0"},
        {"a,b,a", RUN_HOSTS_WORDS, "a:2 b:0"},
        {"a:3,a", RUN_HOSTS_WORDS, "a:4"},
        {"", RUN_HOSTS_WORDS, NULL},
        {"a,,b", RUN_HOSTS_WORDS, NULL},
        {"a,", RUN_HOSTS_WORDS, NULL},
        {"a:0", RUN_HOSTS_WORDS, NULL},
        {"a:x", RUN_HOSTS_WORDS, NULL},
        {"a:2x", RUN_HOSTS_WORDS, NULL},
        {"a:999999", RUN_HOSTS_WORDS, NULL},
        {":2", RUN_HOSTS_WORDS, NULL},
        {"-n", RUN_HOSTS_WORDS, NULL},
        {"a b", RUN_HOSTS_WORDS, NULL},
        {"a;rm", RUN_HOSTS_WORDS, NULL},
        {"# two\na\n\n  b:2  # old\n", RUN_HOSTS_LINES, "a:0 b:2"},
        {"a slots=4\nb max_slots=9 slots=2\r\n", RUN_HOSTS_LINES, "a:4 b:2"},
        {"a:2 binding=user:0\nb", RUN_HOSTS_LINES, "a:2 b:0"},
        {"a 4 all.q@a UNDEFINED\nb 1 all.q@b UNDEFINED\n", RUN_HOSTS_LINES,
         "a:4 b:1"},
        {"a\na\nb\n", RUN_HOSTS_LINES, "a:2 b:0"},
        {"a\na\nb\n", RUN_HOSTS_SLOTS, "a:2 b:1"},
        {"\n#\n", RUN_HOSTS_LINES, NULL},
        {"a\n$b\n", RUN_HOSTS_LINES, NULL},
        {"a,b", RUN_HOSTS_SLURM, "a:0 b:0"},
        {"n[1-3,07],m-2", RUN_HOSTS_SLURM, "n1:0 n2:0 n3:0 n07:0 m-2:0"},
        {"n[09-11]", RUN_HOSTS_SLURM, "n09:0 n10:0 n11:0"},
        {"n[1-3", RUN_HOSTS_SLURM, NULL},
        {"n[1-3]x", RUN_HOSTS_SLURM, NULL},
        {"n[3-1]", RUN_HOSTS_SLURM, NULL},
        {"n[]", RUN_HOSTS_SLURM, NULL},
        {"n[1-2][1-2]", RUN_HOSTS_SLURM, NULL},
        {"n[1-9999999]", RUN_HOSTS_SLURM, NULL},
        {"", RUN_HOSTS_SLURM, NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
        check_hosts(cases[k].text, cases[k].form, cases[k].expected);
}

/* Variables are those of the launcher; this host alone is no list. */
static void
variables(void)
{
    static const char *const name[] = {"HYDRA_HOST_FILE", "SLURM_JOB_NODELIST",
                                       "PBS_NODEFILE", "PE_HOSTFILE"};
    run_hosts h;
    for (size_t k = 0; k < sizeof name / sizeof *name; ++k)
        unsetenv(name[k]);
    CHECK(run_hosts_found(LAUNCHER_HYDRA, &h) && h.n == 0, "no list");
    setenv("SLURM_JOB_NODELIST", "n[1-2]", 1);
    CHECK(run_hosts_may_be_found() && run_hosts_found(LAUNCHER_SLURM, &h) &&
              h.n == 2 && strcmp(h.from, "SLURM_JOB_NODELIST") == 0,
          "%d hosts", h.n);
    run_hosts_clear(&h);
    setenv("SLURM_JOB_NODELIST", "localhost", 1);
    CHECK(run_hosts_found(LAUNCHER_HYDRA, &h) && h.n == 0, "this host");
    setenv("SLURM_JOB_NODELIST", "n[[", 1);
    CHECK(!run_hosts_found(LAUNCHER_HYDRA, &h), "malformed");
    unsetenv("SLURM_JOB_NODELIST");
    setenv("HYDRA_HOST_FILE", "/nowhere", 1);
    CHECK(run_hosts_found(LAUNCHER_OPENMPI, &h) && h.n == 0, "MPICH's");
    CHECK(!run_hosts_found(LAUNCHER_HYDRA, &h), "no such file");
    unsetenv("HYDRA_HOST_FILE");
}

/* ------------------------------------------------ launchers */

static void
versions(void)
{
    static const struct {
        const char *text;
        launcher_kind kind;
    } cases[] = {
        {"HYDRA build details:\n    Version: 4.0.2\n", LAUNCHER_HYDRA},
        {"mpiexec (OpenRTE) 4.1.4\n", LAUNCHER_OPENMPI},
        {"mpirun (Open MPI) 5.0.3\n", LAUNCHER_OPENMPI},
        {"prterun (PRRTE) 3.0.2\n", LAUNCHER_OPENMPI},
        {"Intel(R) MPI Library for Linux* OS, Version 2021 HYDRA",
         LAUNCHER_UNKNOWN},
        {"slurm 22.05.8\n", LAUNCHER_SLURM},
        {"slurm-wlm 22.05.8\n", LAUNCHER_SLURM},
        {"slurmd\n", LAUNCHER_UNKNOWN},
        {"", LAUNCHER_UNKNOWN}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
        CHECK((int)launcher_of_version(cases[k].text) == (int)cases[k].kind,
              "'%s'", cases[k].text);
}

/* Whether a list has these words, blanks between them. */
static int
is_list(const arglist *x, const char *words)
{
    char text[500] = "";
    for (int k = 0; k < x->n; ++k) {
        strcat(text, k > 0 ? " " : "");
        strcat(text, x->word[k]);
    }
    return strcmp(text, words) == 0 && (x->n == 0 || x->word[x->n] == NULL);
}

static void
words(void)
{
    static const char *const name[] = {"a", "b", "c"};
    static const int count[] = {2, 0, 1};
    arglist x = {.n = 0};
    arglist_split(&x, "  env  A=1\tmpiexec ");
    CHECK(x.n == 3 && is_list(&x, "env A=1 mpiexec"), "%d words", x.n);
    launcher_place(LAUNCHER_HYDRA, 3, name, count, &x);
    CHECK(is_list(&x, "env A=1 mpiexec -hosts a:2,c:1 -n 3"), "Hydra");
    arglist_free(&x);
    launcher_place(LAUNCHER_OPENMPI, 3, name, count, &x);
    CHECK(is_list(&x, "--host a:2,c:1 -n 3 --map-by slot --bind-to none "
                      "--oversubscribe"),
          "Open MPI");
    arglist_free(&x);
    launcher_place(LAUNCHER_SLURM, 3, name, count, &x);
    CHECK(is_list(&x, "--distribution=arbitrary --nodelist=a,a,c -n 3 "
                      "--cpu-bind=none --overcommit"),
          "Slurm");
    arglist_free(&x);
    launcher_place(LAUNCHER_HYDRA, 1, NULL, count, &x);
    CHECK(is_list(&x, "-n 2"), "this host");
    arglist_free(&x);
    arglist_split(&x, " \t");
    CHECK(x.n == 0, "no words");
    CHECK(x.failed == 0, "no words");
    arglist_free(&x);
}

/* ------------------------------------------------ the environment */

static void
local_ranks(void)
{
    static const struct {
        const char *rank, *n;
        int good;
    } cases[] = {{"0", "1", 1},  {"3", "4", 1},     {"4", "4", 0},
                 {"-1", "4", 0}, {"x", "4", 0},     {"1x", "4", 0},
                 {"", "4", 0},   {"1", "4(x2)", 0}, {" 1", "4", 0}};
    int rank = -1, n = -1;
    CHECK(local_rank_find(&rank, &n) == 0, "no launcher");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        setenv("MPI_LOCALRANKID", cases[k].rank, 1);
        setenv("MPI_LOCALNRANKS", cases[k].n, 1);
        CHECK(local_rank_find(&rank, &n) == cases[k].good, "%s of %s",
              cases[k].rank, cases[k].n);
        if (cases[k].good)
            CHECK(rank == atoi(cases[k].rank) && n == atoi(cases[k].n),
                  "%d of %d", rank, n);
    }
    /* Where a launcher sets only one of both, another one is asked. */
    unsetenv("MPI_LOCALNRANKS");
    setenv("OMPI_COMM_WORLD_LOCAL_RANK", "2", 1);
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "5", 1);
    CHECK(local_rank_find(&rank, &n) && rank == 2 && n == 5, "%d of %d", rank,
          n);
    setenv("MPI_LOCALNRANKS", "4", 1);
    local_rank_forget();
    CHECK(local_rank_find(&rank, &n) == 0, "forgotten");
}

static void
preloads(void)
{
    static const struct {
        const char *before, *list, *after;
    } cases[] = {{NULL, "/a/x.so", "/a/x.so"},
                 {"", "x", "x"},
                 {"y", "x", "x:y"},
                 {"x", "x", "x"},
                 {"y x", "x", "x:y"},
                 {"y:x::z", "x", "x:y:z"},
                 {"cluster", "x:cluster", "x:cluster"},
                 {"cluster:y", "x:y", "x:y:cluster"},
                 {"xy", "x", "x:xy"},
                 {"y", "x:x", "x:y"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        if (cases[k].before != NULL)
            setenv("LD_PRELOAD", cases[k].before, 1);
        CHECK(preload_add(cases[k].list) == 1, "case %zu", k);
        CHECK(strcmp(getenv("LD_PRELOAD"), cases[k].after) == 0,
              "case %zu: '%s', not '%s'", k, getenv("LD_PRELOAD"),
              cases[k].after);
        unsetenv("LD_PRELOAD");
    }
}

/* ------------------------------------------------ cores */

static int
is(double x, double y)
{
    return x > y - 1e-12 && x < y + 1e-12;
}

static void
quotas(void)
{
    CHECK(is(cores_at_once(8, 0), 8), "no quota");
    CHECK(is(cores_at_once(8, 0.6), 1), "a quota that slows down one as well");
    CHECK(is(cores_at_once(8, 1.2), 1.2), "one, and a fifth of one");
    CHECK(is(cores_at_once(2, 3), 2), "a quota of more than there are");
    CHECK(is(cores_at_once(1, 0.2), 1), "one core");
    CHECK(cores_allowed() >= 1 && cores_here() >= 1, "this host");
    CHECK(cores_here() <= cores_allowed(), "this host");
    CHECK(cores_unbound(2, 2, 0) == NULL, "a core each");
    CHECK(cores_unbound(1, 8, 0) == NULL, "8 cores for one");
    CHECK(cores_unbound(6, 2, 0) == NULL, "3 on each");
    CHECK(cores_unbound(3, 2, 0) != NULL, "2 and 1");
    CHECK(cores_unbound(2, 2, 1.9) != NULL, "a quota");
    CHECK(cores_unbound(2, 2, 2) == NULL, "a quota of all cores");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(counts),   UNIT(versions), UNIT(words), UNIT(local_ranks),
        UNIT(preloads), UNIT(quotas),   UNIT(hosts), UNIT(variables)};
    unit_begin("t_run_parts", 1);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

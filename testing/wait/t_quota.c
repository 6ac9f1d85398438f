/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU quota of a process, from files as Linux has them: version 1, version
 * 2, groups in groups, containers that see their own group only, no quota. */
#define _GNU_SOURCE /* mkdtemp */
#include "testing/unit.h"
#include "wait/quota.h"
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];

/* Write a file below root, with the directories that it needs. */
static void
put(const char *path, const char *text)
{
    char name[300];
    snprintf(name, sizeof name, "%s%s", root, path);
    for (char *slash = name + strlen(root) + 1;
         (slash = strchr(slash, '/')) != NULL; ++slash) {
        *slash = '\0';
        mkdir(name, 0700);
        *slash = '/';
    }
    FILE *f = fopen(name, "w");
    CHECK(f != NULL, "%s", name);
    if (f == NULL)
        return;
    fputs(text, f);
    fclose(f);
}

static void
begin(const char *cgroup)
{
    char command[100];
    if (root[0] != '\0') {
        snprintf(command, sizeof command, "rm -rf %s", root);
        CHECK(system(command) == 0, "%s", command);
    }
    strcpy(root, "/tmp/t_quota.XXXXXX");
    CHECK(mkdtemp(root) != NULL, "%s", root);
    if (cgroup != NULL)
        put("/proc/self/cgroup", cgroup);
}

static void
check(double cores, const char *what)
{
    double used;
    const double got = hesca_quota_below(root, &used);
    CHECK(fabs(got - cores) < 1e-12, "%s: %g, not %g", what, got, cores);
}

/* Seconds used by the group that has the quota; -1: not known. */
static void
check_used(double seconds, const char *what)
{
    double used;
    hesca_quota_below(root, &used);
    CHECK(fabs(used - seconds) < 1e-12, "%s: %g, not %g", what, used, seconds);
}

static void
version_2(void)
{
    begin("0::/user/job 7\n");
    check(0, "no files");
    put("/sys/fs/cgroup/user/job 7/cpu.max", "max 100000\n");
    check(0, "max");
    put("/sys/fs/cgroup/user/job 7/cpu.max", "40000 100000\n");
    check(0.4, "0.4");
    check_used(-1, "no statistics");
    put("/sys/fs/cgroup/user/job 7/cpu.stat", "usage_usec 2500000\nnice 1\n");
    put("/sys/fs/cgroup/user/cpu.stat", "usage_usec 7000000\n");
    check_used(2.5, "of the group with the quota");
    put("/sys/fs/cgroup/user/cpu.max", "300000 100000\n");
    check(0.4, "the group around has more");
    put("/sys/fs/cgroup/user/cpu.max", "2000 10000\n");
    check(0.2, "the group around has less");
    check_used(7, "of the group around");
    put("/sys/fs/cgroup/user/cpu.max", "x\n");
    check(0.4, "nonsense");
}

static void
container(void)
{
    begin("0::/\n");
    put("/sys/fs/cgroup/cpu.max", "150000 100000\n");
    check(1.5, "a namespace of its own");
    begin("0::/docker/0123\n");
    put("/sys/fs/cgroup/cpu.max", "150000 100000\n");
    check(1.5, "the path is that outside");
}

static void
version_1(void)
{
    begin("9:name=systemd:/\n4:memory:/a\n3:cpuset:/b\n2:cpu,cpuacct:/c/d\n");
    put("/sys/fs/cgroup/cpu,cpuacct/c/d/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu,cpuacct/c/d/cpu.cfs_period_us", "100000\n");
    check(0, "-1");
    put("/sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us", "6000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_period_us", "10000\n");
    check(0.6, "the group around");
    put("/sys/fs/cgroup/cpuset/b/cpu.cfs_quota_us", "1\n");
    put("/sys/fs/cgroup/cpuset/b/cpu.cfs_period_us", "1000\n");
    check(0.6, "another controller");
    check_used(-1, "no accounts");
    put("/sys/fs/cgroup/cpuacct/c/cpuacct.usage", "3000000000\n");
    check_used(3, "accounts elsewhere");
    put("/sys/fs/cgroup/cpu,cpuacct/c/cpuacct.usage", "1500000000\n");
    check_used(1.5, "accounts in the group");
    begin("1:cpu:/\n0::/\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    check(2, "both versions");
}

static void
odd(void)
{
    begin(NULL);
    check(0, "no /proc");
    const char *const lines[] = {"", "\n", ":", "::", "0:", "1:cpu", "x\ny\n"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; ++k) {
        begin(lines[k]);
        check(0, lines[k]);
    }
    CHECK(hesca_quota() >= 0, "here");
    begin(NULL);
    CHECK(rmdir(root) == 0, "%s", root);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(version_2), UNIT(container),
                                       UNIT(version_1), UNIT(odd)};
    unit_begin("t_quota", 1);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

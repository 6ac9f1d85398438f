/* SPDX-License-Identifier: BSD-3-Clause */
/* The control groups of a process are listed in /proc/self/cgroup, one line
 * "NUMBER:CONTROLLERS:PATH" for each hierarchy; in version 2 there is one
 * hierarchy, number 0, without controllers.  Inside a container the path may
 * not be visible; then the mount point is the group.  Therefore all
 * directories from the path up to the mount point are examined. */
#include "wait/quota.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first line of a file, "" if there is none. */
static void
read_line(const char *path, const char *name, char *line, int size)
{
    char file[PATH_MAX];
    FILE *f = NULL;
    line[0] = '\0';
    if (snprintf(file, sizeof file, "%s/%s", path, name) < (int)sizeof file)
        f = fopen(file, "r");
    if (f == NULL)
        return;
    if (fgets(line, size, f) == NULL)
        line[0] = '\0';
    fclose(f);
}

/* Quota divided by period of one directory, both in microseconds; 0 if there
 * is no quota, which is -1 (version 1) or "max" (version 2) in the file. */
static double
cores_of(const char *path)
{
    char line[64];
    double quota = 0, period = 0;
    read_line(path, "cpu.max", line, sizeof line);
    if (sscanf(line, "%lf %lf", &quota, &period) < 2) {
        read_line(path, "cpu.cfs_quota_us", line, sizeof line);
        quota = atof(line);
        read_line(path, "cpu.cfs_period_us", line, sizeof line);
        period = atof(line);
    }
    return quota > 0 && period > 0 ? quota / period : 0;
}

/* Seconds of processor time that the processes of one directory have used,
 * -1 if it does not say: microseconds in version 2, nanoseconds in version 1,
 * where another hierarchy, with groups of the same names, may count them. */
static double
used_of(const char *path, const char *accounts)
{
    char line[64];
    double used = -1;
    read_line(path, "cpu.stat", line, sizeof line);
    if (sscanf(line, "usage_usec %lf", &used) == 1)
        return 1e-6 * used;
    read_line(path, "cpuacct.usage", line, sizeof line);
    if (line[0] == '\0')
        read_line(accounts, "cpuacct.usage", line, sizeof line);
    return sscanf(line, "%lf", &used) == 1 ? 1e-9 * used : -1;
}

typedef struct {
    double cores, used;
} limits;

/* Keep the lesser quota of the two, where there is one. */
static void
take(limits *least, limits other)
{
    if (other.cores > 0 && (least->cores == 0 || other.cores < least->cores))
        *least = other;
}

/* The least quota of the directories from mount/group up to mount. */
static limits
least_of(const char *root, const char *mount, const char *group)
{
    char path[PATH_MAX], accounts[PATH_MAX];
    limits least = {0, -1};
    if (snprintf(path, sizeof path, "%s%s", mount, group) >= (int)sizeof path)
        return least;
    while (strlen(path) >= strlen(mount)) {
        const double cores = cores_of(path);
        char *slash = strrchr(path, '/');
        if (snprintf(accounts, sizeof accounts, "%s/sys/fs/cgroup/cpuacct%s",
                     root, path + strlen(mount)) >= (int)sizeof accounts)
            accounts[0] = '\0';
        if (cores > 0)
            take(&least, (limits){cores, used_of(path, accounts)});
        if (slash == NULL)
            break;
        *slash = '\0';
    }
    return least;
}

/* Whether a list "a,b,c" has the word cpu. */
static int
has_cpu(const char *list)
{
    while (*list != '\0') {
        const size_t n = strcspn(list, ",");
        if (n == 3 && strncmp(list, "cpu", 3) == 0)
            return 1;
        list += n + (list[n] == ',');
    }
    return 0;
}

/* The quota of the group in one line of /proc/self/cgroup. */
static limits
quota_of_line(const char *root, char *line)
{
    static const char *const version1[] = {"cpu", "cpu,cpuacct",
                                           "cpuacct,cpu"};
    static const char *const version2[] = {"", "/unified"};
    char mount[PATH_MAX];
    char *list = strchr(line, ':');
    char *group = list != NULL ? strchr(list + 1, ':') : NULL;
    limits least = {0, -1};
    if (group == NULL)
        return least;
    *group++ = '\0';
    ++list;
    group[strcspn(group, "\n")] = '\0';
    for (size_t k = 0; k < 3 && least.cores == 0 && has_cpu(list); ++k)
        if (snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/%s", root,
                     version1[k]) < (int)sizeof mount)
            least = least_of(root, mount, group);
    for (size_t k = 0; k < 2 && least.cores == 0 && *list == '\0'; ++k)
        if (snprintf(mount, sizeof mount, "%s/sys/fs/cgroup%s", root,
                     version2[k]) < (int)sizeof mount)
            least = least_of(root, mount, group);
    return least;
}

double
hesca_quota_below(const char *root, double *used)
{
    char line[PATH_MAX];
    limits least = {0, -1};
    FILE *f;
    if (snprintf(line, sizeof line, "%s/proc/self/cgroup", root) >=
            (int)sizeof line ||
        (f = fopen(line, "r")) == NULL) {
        *used = -1;
        return 0;
    }
    while (fgets(line, sizeof line, f) != NULL)
        take(&least, quota_of_line(root, line));
    fclose(f);
    *used = least.used;
    return least.cores;
}

double
hesca_quota(void)
{
    double used;
    return hesca_quota_below("", &used);
}

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

/* The least quota of the directories from mount/group up to mount. */
static double
least_of(const char *mount, const char *group)
{
    char path[PATH_MAX];
    double least = 0;
    if (snprintf(path, sizeof path, "%s%s", mount, group) >= (int)sizeof path)
        return 0;
    while (strlen(path) >= strlen(mount)) {
        const double cores = cores_of(path);
        char *slash = strrchr(path, '/');
        if (cores > 0 && (least == 0 || cores < least))
            least = cores;
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
static double
quota_of_line(const char *root, char *line)
{
    static const char *const version1[] = {"cpu", "cpu,cpuacct",
                                           "cpuacct,cpu"};
    static const char *const version2[] = {"", "/unified"};
    char mount[PATH_MAX];
    char *list = strchr(line, ':');
    char *group = list != NULL ? strchr(list + 1, ':') : NULL;
    double cores = 0;
    if (group == NULL)
        return 0;
    *group++ = '\0';
    ++list;
    group[strcspn(group, "\n")] = '\0';
    for (size_t k = 0; k < 3 && cores == 0 && has_cpu(list); ++k)
        if (snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/%s", root,
                     version1[k]) < (int)sizeof mount)
            cores = least_of(mount, group);
    for (size_t k = 0; k < 2 && cores == 0 && *list == '\0'; ++k)
        if (snprintf(mount, sizeof mount, "%s/sys/fs/cgroup%s", root,
                     version2[k]) < (int)sizeof mount)
            cores = least_of(mount, group);
    return cores;
}

double
hesca_quota_below(const char *root)
{
    char line[PATH_MAX];
    double least = 0;
    FILE *f;
    if (snprintf(line, sizeof line, "%s/proc/self/cgroup", root) >=
            (int)sizeof line ||
        (f = fopen(line, "r")) == NULL)
        return 0;
    while (fgets(line, sizeof line, f) != NULL) {
        const double cores = quota_of_line(root, line);
        if (cores > 0 && (least == 0 || cores < least))
            least = cores;
    }
    fclose(f);
    return least;
}

double
hesca_quota(void)
{
    return hesca_quota_below("");
}

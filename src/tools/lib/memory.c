/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that a process may use.  Allocating until allocation fails (HMPI
 * thesis 4.1.1.5) does not work: systems that overcommit never refuse.
 */
#define _POSIX_C_SOURCE 200809L
#include "tools/lib/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_BYTES = 1024 };

/* The number in a file; INFINITY if it is not a number, such as max, or there
 * is no such file. */
static double
number_in(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    double x = INFINITY;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return INFINITY;
    if (fscanf(f, "%lf", &x) != 1)
        x = INFINITY;
    fclose(f);
    return x;
}

static double
available(void)
{
    char line[200];
    double kilobytes = 0;
    FILE *f = fopen("/proc/meminfo", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "MemAvailable: %lf", &kilobytes) == 1)
            break;
    if (f != NULL)
        fclose(f);
    return kilobytes > 0 ? 1024 * kilobytes
                         : (double)sysconf(_SC_PHYS_PAGES) *
                               (double)sysconf(_SC_PAGESIZE);
}

/* ------------------------------------------------ control groups */

/* The least of limit minus usage over a group and its ancestors. */
static double
left_in_group(const char *mount, const char *group, const char *limit,
              const char *usage)
{
    char folder[PATH_BYTES];
    double least = INFINITY;
    snprintf(folder, sizeof folder, "%s%s", mount, group);
    for (;;) {
        const double left =
            number_in(folder, limit) - number_in(folder, usage);
        if (left < least) /* false if there is neither, which gives NaN */
            least = fmax(left, 0);
        char *slash = strrchr(folder, '/');
        if (slash == NULL || strlen(folder) <= strlen(mount))
            return least;
        *slash = '\0';
    }
}

static double
left_in_groups(void)
{
    char line[PATH_BYTES];
    double least = INFINITY;
    FILE *f = fopen("/proc/self/cgroup", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        char *names = strchr(line, ':');
        char *group = names == NULL ? NULL : strchr(names + 1, ':');
        if (group == NULL)
            continue;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        if (names[1] == '\0') /* control groups version 2 */
            least = fmin(least, left_in_group("/sys/fs/cgroup", group,
                                              "memory.max", "memory.current"));
        else if (strstr(names + 1, "memory") != NULL)
            least = fmin(least, left_in_group("/sys/fs/cgroup/memory", group,
                                              "memory.limit_in_bytes",
                                              "memory.usage_in_bytes"));
    }
    if (f != NULL)
        fclose(f);
    return least;
}

/* ------------------------------------------------ resource limits */

static double
left_of_limit(int resource, double used)
{
    struct rlimit r;
    if (getrlimit(resource, &r) != 0 || r.rlim_cur == RLIM_INFINITY)
        return INFINITY;
    return fmax((double)r.rlim_cur - used, 0);
}

static double
left_of_limits(void)
{
    const double page = (double)sysconf(_SC_PAGESIZE);
    double all = 0, data = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f != NULL && fscanf(f, "%lf %*f %*f %*f %*f %lf", &all, &data) != 2)
        all = data = 0;
    if (f != NULL)
        fclose(f);
    return fmin(left_of_limit(RLIMIT_AS, all * page),
                left_of_limit(RLIMIT_DATA, data * page));
}

double
memory_available(void)
{
    return fmin(available(), fmin(left_in_groups(), left_of_limits()));
}

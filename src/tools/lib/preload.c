/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* readlink, setenv */
#include "tools/lib/preload.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The parent of the folder of this program; "" if it is unknown. */
static const char *
folder_above(void)
{
    static char path[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    for (int level = 0; level < 2; ++level) {
        char *slash = strrchr(path, '/');
        if (slash != NULL)
            *slash = '\0';
    }
    return path;
}

const char *
preload_find(void)
{
    static char path[PATH_MAX];
    const char *const folder[][2] = {
        {folder_above(), "/.libs"}, {folder_above(), "/lib"}, {LIBDIR, ""}};
    for (size_t k = 0; k < sizeof folder / sizeof *folder; ++k) {
        const int n = snprintf(path, sizeof path,
                               "%s%s/libhesca_scalapack-" MPI_NAME ".so.0",
                               folder[k][0], folder[k][1]);
        if (n < (int)sizeof path && access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

/* ------------------------------------------------ LD_PRELOAD */

/* Whether a list, separated by colons or blanks, has an entry. */
static int
has(const char *list, const char *entry, size_t len)
{
    while (*list != '\0') {
        const size_t n = strcspn(list, ": ");
        if (n == len && strncmp(list, entry, len) == 0)
            return 1;
        list += n + (list[n] != '\0');
    }
    return 0;
}

/* Append the entries that a list lacks; it has space for them. */
static void
append(char *list, const char *entries)
{
    size_t n = strlen(list);
    while (*entries != '\0') {
        const size_t len = strcspn(entries, ": ");
        if (len > 0 && !has(list, entries, len)) {
            if (n > 0)
                list[n++] = ':';
            memcpy(list + n, entries, len);
            list[n += len] = '\0';
        }
        entries += len + (entries[len] != '\0');
    }
}

int
preload_add(const char *list)
{
    const char *before = getenv("LD_PRELOAD");
    if (before == NULL)
        before = "";
    char *all = calloc(1, strlen(list) + strlen(before) + 2);
    if (all == NULL)
        return 0;
    append(all, list);
    append(all, before);
    const int good = setenv("LD_PRELOAD", all, 1) == 0;
    free(all);
    return good;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "tools/lib/programs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int
program_is(const char *path)
{
    struct stat is;
    return stat(path, &is) == 0 && S_ISREG(is.st_mode) &&
           access(path, X_OK) == 0;
}

const char *
program_find(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/') != NULL)
        return program_is(name) ? name : NULL;
    while (folders != NULL) {
        const size_t n = strcspn(folders, ":");
        const int len = snprintf(path, PATH_MAX, "%.*s%s%s", (int)n, folders,
                                 n > 0 ? "/" : "./", name);
        if (len < PATH_MAX && program_is(path))
            return path;
        folders = folders[n] == ':' ? folders + n + 1 : NULL;
    }
    return NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* fdopen, fsync, mkstemp */
#include "survey/cache.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char last_line[] = "# complete\n";

/* Relative paths in XDG_CACHE_HOME are to be ignored (XDG Base Directory
 * Specification 0.8). */
static int
folder(char path[HESCA_CACHE_PATH])
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const int is_xdg = xdg != NULL && xdg[0] == '/';
    if (!is_xdg && (home == NULL || home[0] != '/'))
        return 0;
    const int n = snprintf(path, HESCA_CACHE_PATH, "%s%s", is_xdg ? xdg : home,
                           is_xdg ? "" : "/.cache");
    return n < HESCA_CACHE_PATH - 64;
}

static int
make_folder(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

int
hesca_cache_path(const char *kind, uint64_t key, char path[HESCA_CACHE_PATH])
{
    if (!folder(path) || !make_folder(path))
        return 0;
    strcat(path, "/hesca");
    if (!make_folder(path))
        return 0;
    const size_t n = strlen(path);
    snprintf(path + n, HESCA_CACHE_PATH - n, "/%s-%016" PRIx64, kind, key);
    return 1;
}

int
hesca_cache_is_whole(const char *path)
{
    enum { SIZE = sizeof last_line - 1 };
    char end[SIZE];
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return 0;
    const int whole = fseek(f, -(long)SIZE, SEEK_END) == 0 &&
                      fread(end, 1, SIZE, f) == SIZE &&
                      memcmp(end, last_line, SIZE) == 0;
    fclose(f);
    return whole;
}

/* A temporary file of its own for every run, on disk before it gets the
 * name. */
int
hesca_cache_write(const char *path, const char *text)
{
    char fresh[HESCA_CACHE_PATH + 8];
    snprintf(fresh, sizeof fresh, "%s.XXXXXX", path);
    const int fd = mkstemp(fresh);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (f == NULL) {
        if (fd >= 0) {
            close(fd);
            remove(fresh);
        }
        return 0;
    }
    int good = fputs(text, f) >= 0 && fputs(last_line, f) >= 0 &&
               fflush(f) == 0 && fsync(fd) == 0;
    good = fclose(f) == 0 && good && rename(fresh, path) == 0;
    if (!good)
        remove(fresh);
    return good;
}

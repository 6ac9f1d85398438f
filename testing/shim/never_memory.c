/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded in front of HESCA: allocations that its libraries make fail if
 * they are of at least NEVER_BYTES bytes; with NEVER_SHM=full shared memory
 * has no room. */
#define _GNU_SOURCE /* dladdr, RTLD_NEXT */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t each);
extern void *__libc_realloc(void *p, size_t n);

static _Thread_local int asks;

/* Whether a call comes from a library of HESCA's. */
static int
is_own(const void *caller)
{
    Dl_info info;
    ++asks;
    const int found = dladdr(caller, &info) != 0 &&
                      strstr(info.dli_fname, "libhesca") != NULL;
    --asks;
    return found;
}

static int
fails(size_t bytes, const void *caller)
{
    static size_t least;
    if (least == 0) {
        const char *value = getenv("NEVER_BYTES");
        least = value != NULL ? strtoul(value, NULL, 10) : (size_t)-1;
    }
    return bytes >= least && asks == 0 && is_own(caller);
}

void *
malloc(size_t n)
{
    return fails(n, __builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t each)
{
    return fails(n * each, __builtin_return_address(0))
               ? NULL
               : __libc_calloc(n, each);
}

void *
realloc(void *p, size_t n)
{
    return fails(n, __builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}

int
statvfs(const char *path, struct statvfs *fs)
{
    int (*const behind)(const char *, struct statvfs *) =
        (int (*)(const char *, struct statvfs *))dlsym(RTLD_NEXT, "statvfs");
    const int err = behind(path, fs);
    if (err == 0 && getenv("NEVER_SHM") != NULL &&
        is_own(__builtin_return_address(0)))
        fs->f_bavail = 0;
    return err;
}

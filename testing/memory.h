/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory a process has.  Needs _GNU_SOURCE for mallinfo2(). */
#ifndef HESCA_TESTING_MEMORY_H
#define HESCA_TESTING_MEMORY_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#if defined __GLIBC__
#include <malloc.h>
#endif

/* Kilobytes of its own in main memory, and from malloc (0 if
 * unknown).  Shared memory is not counted: pages of a window appear as rings
 * turn, up to its size.  The address sanitizer keeps what was freed. */
typedef struct {
    long resident, heap;
} memory;

static inline memory
memory_now(void)
{
    memory now = {0, 0};
#if !defined __SANITIZE_ADDRESS__
    long size, resident = 0, shared = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f != NULL) {
        if (fscanf(f, "%ld %ld %ld", &size, &resident, &shared) != 3)
            resident = shared = 0;
        fclose(f);
    }
    now.resident = (resident - shared) * (sysconf(_SC_PAGESIZE) / 1024);
#if defined __GLIBC__ && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const struct mallinfo2 info = mallinfo2();
    now.heap = (long)((info.uordblks + info.hblkhd) / 1024);
#endif
#endif
    return now;
}

/* A line of /proc/self/status in kilobytes, for example "VmHWM"; -1 if
 * unknown. */
static inline long
memory_status(const char *name)
{
    char line[200];
    long kilobytes = -1;
    const size_t n = strlen(name);
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, name, n) == 0 && line[n] == ':')
            sscanf(line + n + 1, "%ld", &kilobytes);
    if (f != NULL)
        fclose(f);
    return kilobytes;
}

#endif

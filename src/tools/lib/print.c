/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* isatty, clock_gettime */
#include "tools/lib/tools.h"
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

const char *tool_name = "hesca";

int
complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s: ", tool_name);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return TOOL_BAD;
}

/* Whether some seconds have passed since this was last so, or since the first
 * call. */
static int
is_time(double seconds)
{
    static double last;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const double now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    const int is = last > 0 && now - last >= seconds;
    if (is || last == 0)
        last = now;
    return is;
}

void
progress(const char *format, ...)
{
    va_list args;
    const int same_line = isatty(STDERR_FILENO);
    if (same_line)
        fputs("\r\033[K", stderr);
    if (format == NULL || (!same_line && !is_time(2)))
        return;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    if (!same_line)
        fputc('\n', stderr);
    fflush(stderr);
}

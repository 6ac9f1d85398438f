/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* isatty */
#include "tools/lib/tools.h"
#include <stdarg.h>
#include <stdio.h>
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

void
progress(const char *format, ...)
{
    va_list args;
    if (!isatty(STDERR_FILENO))
        return;
    fputs("\r\033[K", stderr);
    if (format == NULL)
        return;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fflush(stderr);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
hesca_log(const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fprintf(stderr, "hesca: %s\n", line);
}

int
hesca_log_is_news(char *last, size_t room, const char *subject)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    const int is = strncmp(last, subject, room - 1) != 0;
    snprintf(last, room, "%s", subject);
    pthread_mutex_unlock(&lock);
    return is;
}

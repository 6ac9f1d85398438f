/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The first process of this program to print opens the file; it is never
 * closed, because the last lines come from MPI_Finalize. */
static FILE *file;

static void
open_file(void)
{
    const char *path = hesca_params_log();
    file = path != NULL ? fopen(path, "a") : stderr;
    if (file == NULL) {
        fprintf(stderr, "hesca: HESCA_LOG is '%.200s': %s; lines go here\n",
                path, strerror(errno));
        file = stderr;
    }
    if (file != stderr)
        setvbuf(file, NULL, _IOLBF, BUFSIZ);
}

void
hesca_log_line(const char *line)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_file);
    fprintf(file, "hesca: %s\n", line);
}

void
hesca_log(const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    hesca_log_line(line);
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

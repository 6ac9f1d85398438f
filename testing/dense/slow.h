/* SPDX-License-Identifier: BSD-3-Clause */
/* HESCA_TEST_SLOW=1, with HESCA_NODE_SIZE=1: between all processes there are
 * links of 1 Gbit/s, by a machine file.  So messages go in short pieces, and
 * panels are forwarded.  Needs _POSIX_C_SOURCE. */
#ifndef HESCA_TESTING_SLOW_H
#define HESCA_TESTING_SLOW_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char slow_file[] = "/tmp/hesca-slow-XXXXXX";

static void
remove_slow_file(void)
{
    unlink(slow_file);
}

/* On rank 0, which reads the file, before the first call of HESCA. */
static inline void
begin_slow(int size)
{
    if (getenv("HESCA_TEST_SLOW") == NULL)
        return;
    const int id = mkstemp(slow_file);
    FILE *f = id >= 0 ? fdopen(id, "w") : NULL;
    if (f == NULL)
        abort();
    atexit(remove_slow_file);
    fprintf(f, "hesca-machine 1\n");
    for (int i = 0; i < size; ++i)
        fprintf(f, "host node%d speed 1\n", i);
    fprintf(f, "others startup 5e-5 rate 1.2e8\n");
    fclose(f);
    setenv("HESCA_MACHINE", slow_file, 1);
}

#endif

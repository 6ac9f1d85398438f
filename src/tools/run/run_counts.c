/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/lib/cmdline.h"
#include "tools/run/run.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_MOST = 100000 };

/* A whole number up to a comma or the end.
 * \return the end of it, NULL if it is malformed. */
static const char *
read_count(const char *word, int *count)
{
    char *end;
    if (!isdigit((unsigned char)*word))
        return NULL;
    const long x = strtol(word, &end, 10);
    if (x > COUNT_MOST || (*end != ',' && *end != '\0'))
        return NULL;
    *count = (int)x;
    return end;
}

static int
bad_word(const char *word)
{
    return cmdline_complain("--per-host '%.*s': must be a number from 0 to "
                            "%d, or HOST=NUMBER",
                            (int)strcspn(word, ","), word, COUNT_MOST);
}

static int
find_host(const hesca_machine *machine, const char *word, size_t n)
{
    char name[HESCA_HOST_MAX];
    int host = -1;
    if (n < sizeof name) {
        memcpy(name, word, n);
        name[n] = '\0';
        host = hesca_machine_find_host(machine, name);
    }
    if (host < 0)
        cmdline_fail("--per-host: %s host '%.*s'",
                     host == -1 ? "the machine has no" : "there are several",
                     (int)n, word);
    return host;
}

/* HOST=K, ... */
static int
read_named(const char *word, const hesca_machine *machine, int *count)
{
    for (;;) {
        const size_t n = strcspn(word, "=,");
        int host;
        if (word[n] != '=')
            return bad_word(word);
        if ((host = find_host(machine, word, n)) < 0)
            return 0;
        if (count[host] >= 0)
            return cmdline_complain("--per-host: host '%.*s' is there twice",
                                    (int)n, word);
        const char *end = read_count(word + n + 1, &count[host]);
        if (end == NULL)
            return bad_word(word);
        if (*end == '\0')
            return 1;
        word = end + 1;
    }
}

/* A,B,... */
static int
read_all(const char *word, const hesca_machine *machine, int *count)
{
    int n = 0;
    for (;;) {
        int x;
        const char *end = read_count(word, &x);
        if (end == NULL)
            return bad_word(word);
        if (n < machine->nhosts)
            count[n] = x;
        ++n;
        if (*end == '\0')
            break;
        word = end + 1;
    }
    return n == machine->nhosts ||
           cmdline_complain("--per-host: %d numbers, for %d hosts", n,
                            machine->nhosts);
}

int
run_counts_parse(const char *text, const hesca_machine *machine, int *count)
{
    int sum = 0;
    for (int i = 0; i < machine->nhosts; ++i)
        count[i] = -1;
    if (!(strchr(text, '=') != NULL ? read_named : read_all)(text, machine,
                                                             count))
        return 0;
    for (int i = 0; i < machine->nhosts; ++i) {
        if (count[i] < 0)
            count[i] = 0;
        if (count[i] > COUNT_MOST - sum)
            return cmdline_complain("--per-host: more than %d processes",
                                    COUNT_MOST);
        sum += count[i];
    }
    return sum > 0 || cmdline_complain("--per-host: no process at all");
}

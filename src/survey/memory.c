/* SPDX-License-Identifier: BSD-3-Clause */
#include "survey/memory.h"
#include "survey/cache.h"
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "hesca-calls 2\n";

/* A line: the key, and the times in exact form, whatever the locale, each with
 * its calls. */
enum { LINE = 160 };

static int
index_of(const hesca_memory *m, uint64_t key)
{
    for (int k = m->n; k-- > 0;)
        if (m->record[k].key == key)
            return k;
    return -1;
}

const hesca_memory_record *
hesca_memory_find(const hesca_memory *m, uint64_t key)
{
    const int k = index_of(m, key);
    return k < 0 ? NULL : &m->record[k];
}

void
hesca_memory_enter(hesca_memory *m, const hesca_memory_record *record)
{
    int k = index_of(m, record->key);
    if (k < 0 && m->n == HESCA_MEMORY_MOST)
        k = 0;
    if (k >= 0) {
        --m->n;
        memmove(&m->record[k], &m->record[k + 1],
                (size_t)(m->n - k) * sizeof *m->record);
    }
    m->record[m->n++] = *record;
    m->changed = 1;
}

/* \return 1, or 0 if a line is none of a record. */
static int
parse(const char *line, hesca_memory_record *r)
{
    char *end;
    r->key = strtoull(line, &end, 16);
    for (int k = 0; k < HESCA_MEMORY_TIMES; ++k) {
        if (*end != ' ')
            return 0;
        uint64_t bits = strtoull(end + 1, &end, 16);
        memcpy(&r->seconds[k], &bits, sizeof bits);
        if (!(r->seconds[k] >= 0 && r->seconds[k] < 1e9) || *end != ' ')
            return 0;
        const long calls = strtol(end + 1, &end, 10);
        if (calls < 0 || calls > INT_MAX)
            return 0;
        r->calls[k] = (int)calls;
    }
    return *end == '\n';
}

void
hesca_memory_read(const char *path, hesca_memory *m)
{
    char line[LINE];
    hesca_memory_record r;
    memset(m, 0, sizeof *m);
    FILE *f = hesca_cache_is_whole(path) ? fopen(path, "r") : NULL;
    if (f == NULL)
        return;
    if (fgets(line, sizeof line, f) != NULL && strcmp(line, first_line) == 0)
        while (fgets(line, sizeof line, f) != NULL && line[0] != '#' &&
               parse(line, &r))
            hesca_memory_enter(m, &r);
    fclose(f);
    m->changed = 0;
}

void
hesca_memory_write(const char *path, const hesca_memory *m)
{
    hesca_memory *all = malloc(sizeof *all);
    char *text = malloc((HESCA_MEMORY_MOST + 1) * LINE);
    if (all != NULL && text != NULL) {
        hesca_memory_read(path, all);
        for (int k = 0; k < m->n; ++k)
            hesca_memory_enter(all, &m->record[k]);
        size_t n = (size_t)sprintf(text, "%s", first_line);
        for (int k = 0; k < all->n; ++k) {
            n += (size_t)sprintf(text + n, "%" PRIx64, all->record[k].key);
            for (int j = 0; j < HESCA_MEMORY_TIMES; ++j) {
                uint64_t bits;
                memcpy(&bits, &all->record[k].seconds[j], sizeof bits);
                n += (size_t)sprintf(text + n, " %" PRIx64 " %d", bits,
                                     all->record[k].calls[j]);
            }
            n += (size_t)sprintf(text + n, "\n");
        }
        hesca_cache_write(path, text);
    }
    free(all);
    free(text);
}

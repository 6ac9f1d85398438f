/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700 /* readlink */
#include "survey/program.h"
#include "base/hash.h"
#include "survey/cache.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int
hesca_program_is_read(const hesca_params *params)
{
    return (params->find_machine || params->program[0] != '\0') &&
           params->learn != HESCA_LEARN_OFF;
}

int
hesca_program_is_written(const hesca_params *params)
{
    return hesca_program_is_read(params) &&
           params->learn != HESCA_LEARN_FROZEN;
}

/* The file of a program.
 * \return 1, or 0 if there is none. */
static int
find_file(const char *name, char path[HESCA_CACHE_PATH])
{
    char self[PATH_MAX];
    ssize_t n = (ssize_t)strlen(name);
    if (n == 0) {
        n = readlink("/proc/self/exe", self, sizeof self);
        name = self;
    }
    return n > 0 &&
           hesca_cache_path(
               "program", hesca_hash_bytes(HESCA_HASH, name, (size_t)n), path);
}

/* \return 1, or 0 if a file is not as format() leaves it. */
static int
parse(FILE *f, hesca_program *p)
{
    char routine[HESCA_NAME_MAX];
    long long n;
    if (fscanf(f, "hesca-program 1\njob %31[a-z] %lld %d\n", routine, &n,
               &p->job.nb) != 3 ||
        fscanf(f, "grid %d %d of %d\n", &p->nprow, &p->npcol, &p->nprocs) != 3)
        return 0;
    p->job.n = n;
    return hesca_routine_find(routine, &p->job.routine) && n >= 1 &&
           n <= 1000000000 && p->job.nb >= 1 && p->job.nb <= 1000000 &&
           p->nprow >= 1 && p->npcol >= 1 &&
           (int64_t)p->nprow * p->npcol <= p->nprocs;
}

int
hesca_program_read(const char *name, hesca_program *program)
{
    char path[HESCA_CACHE_PATH];
    FILE *f = find_file(name, path) && hesca_cache_is_whole(path)
                  ? fopen(path, "r")
                  : NULL;
    memset(program, 0, sizeof *program);
    const int good = f != NULL && parse(f, program);
    if (f != NULL)
        fclose(f);
    if (!good)
        memset(program, 0, sizeof *program);
    return good;
}

static int
is_same(const hesca_program *x, const hesca_program *y)
{
    return x->job.routine == y->job.routine && x->job.n == y->job.n &&
           x->job.nb == y->job.nb && x->nprow == y->nprow &&
           x->npcol == y->npcol && x->nprocs == y->nprocs;
}

void
hesca_program_write(const char *name, const hesca_program *p)
{
    char path[HESCA_CACHE_PATH], text[200];
    hesca_program old;
    if (hesca_program_read(name, &old) && is_same(p, &old))
        return;
    snprintf(text, sizeof text,
             "hesca-program 1\njob %s %lld %d\ngrid %d %d of %d\n",
             hesca_routine_name(p->job.routine), (long long)p->job.n,
             p->job.nb, p->nprow, p->npcol, p->nprocs);
    if (find_file(name, path))
        hesca_cache_write(path, text);
}

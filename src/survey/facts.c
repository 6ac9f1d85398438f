/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* sched_getaffinity, RTLD_DEFAULT */
#include "survey/facts.h"
#include "base/hash.h"
#include "base/status.h"
#include "exec/agree.h"
#include "wait/quota.h"
#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = CPU_SETSIZE / 64 };

/* What a process knows of its host; of its cores, those that it may use. */
typedef struct {
    hesca_facts facts;
    uint64_t cores[WORDS];
    int host;
} knowledge;

static uint64_t
hash_text(uint64_t h, const char *text)
{
    return text == NULL ? h : hesca_hash_bytes(h, text, strlen(text));
}

/* The kind of processor by the system, and the kernels that BLAS has for
 * it. */
static uint64_t
find_processor(void)
{
    char line[200];
    uint64_t h = HESCA_HASH;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "model name", 10) == 0) {
            h = hash_text(h, line);
            break;
        }
    if (f != NULL)
        fclose(f);
    char *(*corename)(void) = NULL;
    *(void **)&corename = dlsym(RTLD_DEFAULT, "openblas_get_corename");
    return hash_text(h, corename != NULL ? corename() : "");
}

static knowledge
know(int host)
{
    knowledge k = {
        .facts = {.processor = find_processor(), .quota = hesca_quota()},
        .host = host};
    cpu_set_t mask;
    CPU_ZERO(&mask);
    if (sched_getaffinity(0, sizeof mask, &mask) == 0)
        for (int i = 0; i < CPU_SETSIZE; ++i)
            if (CPU_ISSET((size_t)i, &mask))
                k.cores[i / 64] |= (uint64_t)1 << i % 64;
    return k;
}

/* The cores of a host: all that its n processes may use, as far as the quota
 * goes; a quota of less than one slows down one process as well as many. */
static double
cores_of(const knowledge *all, int n, int host, double quota)
{
    int cores = 0;
    for (int i = 0; i < WORDS; ++i) {
        uint64_t word = 0;
        for (int r = 0; r < n; ++r)
            if (all[r].host == host)
                word |= all[r].cores[i];
        cores += __builtin_popcountll(word);
    }
    if (cores < 1)
        cores = 1;
    return quota > 0 && fmax(quota, 1) < cores ? fmax(quota, 1) : cores;
}

int
hesca_facts_gather(const hesca_comm *c, const hesca_survey *x, hesca_facts *of)
{
    const knowledge mine = know(x->mine);
    knowledge *all = malloc((size_t)c->size * sizeof *all);
    int err = HESCA_SUCCESS;
    MPI_Request request;
    if (all == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", c->size);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_MPI(err, Iallgather, &mine, sizeof mine, MPI_BYTE, all, sizeof mine,
              MPI_BYTE, c->mpi, &request);
    HESCA_TRY(err, hesca_comm_wait(c, 1, &request));
    for (int i = 0; i < x->n; ++i) {
        of[i] = all[x->host[i].first].facts;
        of[i].cores = cores_of(all, c->size, i, of[i].quota);
    }
fail:
    free(all);
    return err;
}

uint64_t
hesca_facts_key(const hesca_survey *x, const hesca_facts *of)
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    int len;
    uint64_t h = hash_text(HESCA_HASH, "with a unit");
    PMPI_Get_library_version(mpi, &len);
    h = hesca_hash_bytes(h, mpi, strcspn(mpi, "\n"));
    for (int i = 0; i < x->n; ++i) {
        const int quota = (int)lround(100 * of[i].quota);
        h = hash_text(h, x->host[i].name);
        h = hesca_hash_mix(h, of[i].processor);
        h = hesca_hash_mix(h, (uint64_t)quota);
    }
    return h;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A host is a name of MPI_Get_processor_name(); hosts are numbered in order
 * of their first processes. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv */
#include "heho.h"
#include "wait/quota.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    char name[HESCA_HOST_MAX];
    double cores; /* processes that compute at the speed of one alone */
    double share; /* of the cores' time */
} place;

static void
count_cores(place *p)
{
    const double all = (double)sysconf(_SC_NPROCESSORS_ONLN);
    const double quota = hesca_quota();
    p->share = quota > 0 && quota < all ? quota : all;
    p->cores = p->share > 1 ? p->share : 1;
}

static void
describe(place *p)
{
    char name[MPI_MAX_PROCESSOR_NAME];
    int len;
    MPI_Get_processor_name(name, &len);
    memset(p, 0, sizeof *p);
    memcpy(p->name, name,
           (size_t)len < sizeof p->name ? (size_t)len : sizeof p->name - 1);
    count_cores(p);
}

static void
number_hosts(heho_hosts *x, const place *p)
{
    for (int r = 0; r < x->nprocs; ++r) {
        int i = 0;
        while (i < x->nhosts && strcmp(p[x->first[i]].name, p[r].name) != 0)
            ++i;
        if (i == x->nhosts) {
            x->share[i] = p[r].share;
            x->first[x->nhosts++] = r;
        }
        x->host[r] = i;
        ++x->count[i];
    }
}

/* Links and cores from the machine file, if it knows all hosts. */
static int
take_file(const hesca_machine *file, hesca_machine *m)
{
    int at[HEHO_GRID_MAX] = {0};
    for (int i = 0; i < m->nhosts; ++i) {
        at[i] = hesca_machine_find_host(file, m->host[i].name);
        if (at[i] < 0)
            return cmdline_fail("HESCA_MACHINE does not know host %s",
                                m->host[i].name);
    }
    m->node = file->node;
    m->net = file->net;
    /* Of the first host; heho_speeds() measures its speed. */
    m->unit.part = file->unit.part * file->host[at[0]].speed;
    for (int i = 0; i < m->nhosts; ++i)
        for (int j = 0; j < m->nhosts; ++j)
            m->wire[i * m->nhosts + j] =
                file->wire[at[i] * file->nhosts + at[j]];
    return 1;
}

static int
make_machine(heho_hosts *x, const place *p)
{
    const char *name[HEHO_GRID_MAX];
    hesca_machine *m = &x->machine;
    const char *path = getenv("HESCA_MACHINE");
    for (int i = 0; i < x->nhosts; ++i)
        name[i] = p[x->first[i]].name;
    *m = hesca_machine_default();
    if (hesca_machine_set_hosts(m, x->nhosts, name) < 0)
        return cmdline_fail("%s", hesca_error_text());
    for (int i = 0; i < x->nhosts; ++i)
        m->host[i].cores = p[x->first[i]].cores;
    if (path == NULL || *path == '\0')
        return 1;
    hesca_machine file;
    if (hesca_machine_read(path, &file) < 0)
        return cmdline_fail("%s", hesca_error_text());
    x->has_file = file.nhosts > 0;
    const int ok = !x->has_file || take_file(&file, m);
    hesca_machine_clear(&file);
    return ok;
}

int
heho_hosts_find(heho_hosts *x)
{
    place mine;
    *x = (heho_hosts){.nhosts = 0};
    MPI_Comm_size(MPI_COMM_WORLD, &x->nprocs);
    MPI_Comm_rank(MPI_COMM_WORLD, &x->rank);
    const size_t n = (size_t)x->nprocs;
    place *p = calloc(n, sizeof *p);
    x->host = calloc(n, sizeof *x->host);
    x->first = calloc(n, sizeof *x->first);
    x->count = calloc(n, sizeof *x->count);
    x->share = calloc(n, sizeof *x->share);
    int ok =
        p != NULL && x->host != NULL && x->first != NULL && x->count != NULL;
    if (!ok || x->nprocs > HEHO_GRID_MAX)
        ok = cmdline_fail("%d processes are too many", x->nprocs);
    ok = yield_all(ok);
    if (ok) {
        describe(&mine);
        MPI_Allgather(&mine, sizeof mine, MPI_BYTE, p, sizeof mine, MPI_BYTE,
                      MPI_COMM_WORLD);
        number_hosts(x, p);
        if (x->rank == 0)
            ok = make_machine(x, p);
        ok = yield_all(ok);
    }
    free(p);
    return ok;
}

/* HESCA reads the machine where a grid first computes. */
int
heho_hosts_publish(heho_hosts *x)
{
    char *text = NULL;
    FILE *f;
    int ok = 0;
    if (x->path[0] == '\0') {
        strcpy(x->path, "/tmp/hesca-machine-XXXXXX");
        const int fd = mkstemp(x->path);
        if (fd < 0) {
            x->path[0] = '\0';
            return cmdline_fail("no file for the machine in /tmp");
        }
        close(fd);
    }
    f = fopen(x->path, "w");
    if (f != NULL && hesca_machine_format(&x->machine, &text) >= 0)
        ok = fputs(text, f) >= 0;
    free(text);
    ok = f != NULL && fclose(f) == 0 && ok;
    setenv("HESCA_MACHINE", x->path, 1);
    return ok || cmdline_fail("%s: cannot be written", x->path);
}

void
heho_hosts_clear(heho_hosts *x)
{
    free(x->host);
    free(x->first);
    free(x->count);
    free(x->share);
    if (x->path[0] != '\0')
        unlink(x->path);
    hesca_machine_clear(&x->machine);
}

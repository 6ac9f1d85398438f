/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_panel_mcast_*() between random layouts, grids and submatrices: every
 * element of every panel is the owner's, nothing around it is touched, and the
 * sender's matrix may change as soon as a panel has begun.  Panels in memory
 * that the node shares are not overwritten before all have released them. With
 * HESCA_NODE_SIZE=1 links are slow, so that messages go in pieces, and differ,
 * so that they go along trees. */
#define _DEFAULT_SOURCE /* mkstemp, setenv, usleep */
#include "exec/agree.h"
#include "panel/panel_multicast.h"
#include "testing/layouts.h"
#include <string.h>
#include <unistd.h>

enum { EDGE = 3, MOST_PANELS = 40 };

static int rank, size;
static hesca_comm *comm;

/* The library's: of every other look nothing is found.  So messages of a later
 * panel are often found before those of an earlier one that came first. */
int
PMPI_Testsome(int n, MPI_Request request[], int *found, int index[],
              MPI_Status status[])
{
    static uint64_t looks;
    *found = 0;
    return check_mix(++looks * 64 + (uint64_t)rank) % 2 == 0
               ? MPI_SUCCESS
               : MPI_Testsome(n, request, found, index, status);
}

/* ------------------------------------------------ matrices */

static void
write_value(unsigned char *at, size_t esize, int64_t i, int64_t j)
{
    uint64_t z = (uint64_t)(i * 100003 + j) * 0x9e3779b97f4a7c15u + 1;
    for (size_t b = 0; b < esize; ++b) {
        z ^= z >> 29;
        z *= 0xbf58476d1ce4e5b9u;
        at[b] = (unsigned char)(z >> 40);
    }
}

/* A process's part of the source, and a copy of it. */
typedef struct {
    int64_t lld;
    size_t bytes;
    unsigned char *local, *copy;
} part;

static part
fill_part(const hesca_layout *x, size_t esize)
{
    part p = {0};
    int64_t m, n;
    hesca_layout_local_size(x, rank, &m, &n);
    p.lld = m + check_uniform(1, 3);
    p.bytes = (size_t)(p.lld * n) * esize;
    p.local = malloc(p.bytes + 1);
    p.copy = malloc(p.bytes + 1);
    memset(p.copy, 0x77, p.bytes);
    for (int64_t j = 0; j < hesca_layout_n(x); ++j)
        for (int64_t i = 0; i < hesca_layout_m(x); ++i) {
            int owner;
            int64_t il, jl;
            hesca_layout_locate(x, i, j, &owner, &il, &jl);
            if (owner == rank)
                write_value(p.copy + (size_t)(il + jl * p.lld) * esize, esize,
                            i, j);
        }
    return p;
}

/* ------------------------------------------------ one case */

typedef struct {
    uint64_t seed;
    hesca_layout *source, *target;
    hesca_panel_mcast_spec what;
    int depth, npanels;
    int64_t k0[MOST_PANELS], k1[MOST_PANELS], f0[MOST_PANELS];
    /* of this process: */
    int64_t *mine; /* indices across that the target gives it, ascending */
    int nmine;
    part part;
    int64_t ld[MOST_PANELS];
    unsigned char *panel[MOST_PANELS];
} test;

/* sub(S), least x least or larger, and its slices along a dimension. */
static void
draw_slices(hesca_panel_mcast_spec *w, int64_t m, int64_t n, int least)
{
    w->i = check_uniform(0, (int)m - least);
    w->j = check_uniform(0, (int)n - least);
    w->along = check_uniform(0, 1) ? HESCA_COLS : HESCA_ROWS;
    const int64_t rows = check_uniform(least, (int)(m - w->i));
    const int64_t cols = check_uniform(least, (int)(n - w->j));
    w->extent = w->along == HESCA_COLS ? rows : cols;
    w->k = w->along == HESCA_COLS ? cols : rows;
}

static void
draw_panels(test *x)
{
    int64_t k = 0;
    while (k < x->what.k && x->npanels < MOST_PANELS - 1) {
        const int64_t width = check_uniform(0, (int)x->what.width);
        x->k0[x->npanels] = k;
        k = k + width < x->what.k ? k + width : x->what.k;
        x->k1[x->npanels] = k;
        x->f0[x->npanels++] =
            check_uniform(0, 1) ? 0 : check_uniform(0, (int)x->what.extent);
    }
}

static void
draw(test *x)
{
    const int64_t m = check_uniform(0, 70), n = check_uniform(0, 70);
    hesca_panel_mcast_spec *w = &x->what;
    memset(x, 0, sizeof *x);
    x->seed = check_state;
    x->source = draw_layout(size, m, n, 12);
    w->source = x->source;
    draw_slices(w, m, n, 0);
    w->width = check_uniform(1, 30);
    w->width = w->width < w->k ? w->width : w->k;
    w->by = check_uniform(0, 1) ? HESCA_COLS : HESCA_ROWS;
    w->origin = check_uniform(0, 20);
    const int64_t tn = w->origin + w->extent + check_uniform(0, 9);
    const int64_t other = check_uniform(1, 40);
    x->target = w->by == HESCA_ROWS ? draw_layout(size, tn, other, 12)
                                    : draw_layout(size, other, tn, 12);
    w->target = x->target;
    w->need = check_uniform(0, 1) ? 0 : check_uniform(1, (int)other);
    w->need_from = check_uniform(0, (int)(other - w->need));
    w->esize = (size_t)4 << check_uniform(0, 2);
    w->forwards = check_uniform(0, 1);
    x->depth = check_uniform(1, 3);
    draw_panels(x);
}

static int
owner(const hesca_axis *x, int64_t i)
{
    return hesca_axis_piece(x, i % x->period)->owner;
}

/* What the target gives this process, index by index. */
static void
find_mine(test *x)
{
    const hesca_panel_mcast_spec *w = &x->what;
    int prow, pcol, needs = w->need == 0;
    x->mine = malloc((size_t)(w->extent + 1) * sizeof *x->mine);
    if (!hesca_layout_coords(x->target, rank, &prow, &pcol))
        return;
    const hesca_axis *rows = hesca_layout_row_axis(x->target, pcol);
    const hesca_axis *cols = hesca_layout_col_axis(x->target, prow);
    const int by_rows = w->by == HESCA_ROWS;
    for (int64_t k = w->need_from; k < w->need_from + w->need; ++k)
        needs |= by_rows ? owner(cols, k) == pcol : owner(rows, k) == prow;
    for (int64_t f = 0; needs && f < w->extent; ++f)
        if (by_rows ? owner(rows, w->origin + f) == prow
                    : owner(cols, w->origin + f) == pcol)
            x->mine[x->nmine++] = f;
}

static int
first_mine(const test *x, int64_t f0)
{
    int k = 0;
    while (k < x->nmine && x->mine[k] < f0)
        ++k;
    return k;
}

/* Columns of panel t's memory. */
static int64_t
panel_cols(const test *x, int t)
{
    const int64_t width = x->k1[t] - x->k0[t];
    return x->what.along == HESCA_COLS ? width
                                       : x->nmine - first_mine(x, x->f0[t]);
}

static size_t
panel_bytes(const test *x, int t)
{
    return (size_t)(x->ld[t] * (panel_cols(x, t) + 2 * EDGE)) * x->what.esize;
}

static unsigned char *
panel_at(const test *x, int t)
{
    return x->panel[t] + (size_t)(EDGE * x->ld[t]) * x->what.esize;
}

static int
begin(test *x, hesca_panel_mcast *s, int t)
{
    const int64_t count = x->nmine - first_mine(x, x->f0[t]);
    const int64_t rows =
        x->what.along == HESCA_COLS ? count : x->k1[t] - x->k0[t];
    CHECK(hesca_panel_mcast_count(s, x->f0[t]) == count,
          "seed %#llx, rank %d: count %lld, not %lld",
          (unsigned long long)x->seed, rank,
          (long long)hesca_panel_mcast_count(s, x->f0[t]), (long long)count);
    x->ld[t] = rows + (check_uniform(0, 1) ? 0 : 2) + (rows == 0);
    x->panel[t] = malloc(panel_bytes(x, t) + 1);
    memset(x->panel[t], 0x5a, panel_bytes(x, t));
    memcpy(x->part.local, x->part.copy, x->part.bytes);
    const int err =
        hesca_panel_mcast_begin(s, x->k0[t], x->k1[t], x->f0[t], x->part.local,
                                x->part.lld, panel_at(x, t), x->ld[t]);
    memset(x->part.local, 0xee, x->part.bytes);
    return err;
}

static void
check_panel(const test *x, int t)
{
    const hesca_panel_mcast_spec *w = &x->what;
    const size_t bytes = panel_bytes(x, t);
    const int first = first_mine(x, x->f0[t]);
    unsigned char *must = malloc(bytes + 1);
    memset(must, 0x5a, bytes);
    for (int f = first; f < x->nmine; ++f)
        for (int64_t k = x->k0[t]; k < x->k1[t]; ++k) {
            const int cols = w->along == HESCA_COLS;
            const int64_t i = w->i + (cols ? x->mine[f] : k);
            const int64_t j = w->j + (cols ? k : x->mine[f]);
            const int64_t r = cols ? f - first : k - x->k0[t];
            const int64_t c = cols ? k - x->k0[t] : f - first;
            write_value(must + (size_t)((c + EDGE) * x->ld[t] + r) * w->esize,
                        w->esize, i, j);
        }
    CHECK(memcmp(must, x->panel[t], bytes) == 0,
          "seed %#llx, rank %d of %d: panel %d, slices %lld to %lld from %lld",
          (unsigned long long)x->seed, rank, size, t, (long long)x->k0[t],
          (long long)x->k1[t], (long long)x->f0[t]);
    free(must);
}

static void
run(test *x, hesca_panel_mcast *s)
{
    int begun = 0;
    int64_t ready = 0;
    for (int t = 0; t < x->npanels; ++t) {
        while (begun < x->npanels && begun < t + x->depth)
            CHECK(begin(x, s, begun++) == HESCA_SUCCESS, "%s",
                  hesca_error_text());
        if (rank % 2)
            hesca_panel_mcast_advance(s, &ready);
        CHECK(ready <= begun, "%lld of %d are ready", (long long)ready, begun);
        CHECK(hesca_panel_mcast_wait(s) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        hesca_panel_mcast_advance(s, &ready);
        CHECK(ready > t, "%lld are ready after %d", (long long)ready, t);
        check_panel(x, t);
    }
    CHECK(hesca_panel_mcast_end(s) == HESCA_SUCCESS, "%s", hesca_error_text());
    for (int t = 0; t < x->npanels; ++t) /* none of them later */
        check_panel(x, t);
}

static void
one_case(void)
{
    test x;
    hesca_panel_mcast *s;
    draw(&x);
    const uint64_t state = check_state;
    find_mine(&x);
    x.part = fill_part(x.source, x.what.esize);
    const int err =
        hesca_agree(comm,
                    hesca_panel_mcast_create(
                        comm, &x.what, HESCA_TAG_PANEL_MCAST, x.depth, &s),
                    0, NULL);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    run(&x, s);
    hesca_panel_mcast_free(s);
    for (int t = 0; t < x.npanels; ++t)
        free(x.panel[t]);
    free(x.part.local);
    free(x.part.copy);
    free(x.mine);
    hesca_layout_free(x.source);
    hesca_layout_free(x.target);
    check_state = state; /* what followed was local */
}

/* ------------------------------------------------ shared panels */

/* A matrix that is its own target, in panels of the same indices across. */
static void
draw_shared(test *x)
{
    const int64_t m = check_uniform(1, 70), n = check_uniform(1, 70);
    hesca_panel_mcast_spec *w = &x->what;
    memset(x, 0, sizeof *x);
    x->seed = check_state;
    x->source = x->target = draw_layout(size, m, n, 12);
    w->source = w->target = x->source;
    draw_slices(w, m, n, 1);
    w->by = w->along == HESCA_COLS ? HESCA_ROWS : HESCA_COLS;
    w->width = w->k < 9 ? w->k : 9;
    w->origin = w->by == HESCA_ROWS ? w->i : w->j;
    w->esize = (size_t)4 << check_uniform(0, 2);
    w->user = check_uniform(0, 1);
    x->depth = check_uniform(1, 3);
    draw_panels(x);
}

/* The elements of a panel; those around it belong to other panels. */
static void
check_shared(const test *x, int t)
{
    const hesca_panel_mcast_spec *w = &x->what;
    const int cols = w->along == HESCA_COLS, first = first_mine(x, x->f0[t]);
    unsigned char must[16];
    int wrong = 0;
    for (int f = first; f < x->nmine; ++f)
        for (int64_t k = x->k0[t]; k < x->k1[t]; ++k) {
            const int64_t r = cols ? f - first : k - x->k0[t];
            const int64_t c = cols ? k - x->k0[t] : f - first;
            write_value(must, w->esize, w->i + (cols ? x->mine[f] : k),
                        w->j + (cols ? k : x->mine[f]));
            wrong +=
                memcmp(must,
                       x->panel[t] + (size_t)(r + c * x->ld[t]) * w->esize,
                       w->esize) != 0;
        }
    CHECK(wrong == 0, "seed %#llx, rank %d of %d: %d elements of panel %d",
          (unsigned long long)x->seed, rank, size, wrong, t);
}

/* Begin panel t when its memory is free. */
static void
begin_shared(test *x, hesca_panel_mcast *s, int t, char *memory, int slots,
             int64_t bytes)
{
    const int64_t count = hesca_panel_mcast_count(s, x->f0[t]);
    x->ld[t] = x->what.along == HESCA_COLS ? count : x->k1[t] - x->k0[t];
    x->ld[t] += x->ld[t] == 0;
    x->panel[t] = (unsigned char *)memory + t % slots * bytes;
    while (!hesca_panel_mcast_is_released(s, t - slots + 1))
        hesca_panel_mcast_advance(s, NULL);
    memcpy(x->part.local, x->part.copy, x->part.bytes);
    CHECK(hesca_panel_mcast_begin(s, x->k0[t], x->k1[t], x->f0[t],
                                  x->part.local, x->part.lld, x->panel[t],
                                  x->ld[t]) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    memset(x->part.local, 0xee, x->part.bytes);
}

static void
run_shared(test *x, hesca_panel_mcast *s, char *memory, int slots,
           int64_t bytes)
{
    int begun = 0;
    for (int t = 0; t < x->npanels; ++t) {
        while (begun < x->npanels && begun < t + x->depth)
            begin_shared(x, s, begun++, memory, slots, bytes);
        CHECK(hesca_panel_mcast_wait(s) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        check_shared(x, t);
        if ((rank + t) % 3 == 0)
            usleep(100); /* others go on */
        check_shared(x, t);
        hesca_panel_mcast_release(s, t + 1);
    }
    CHECK(hesca_panel_mcast_end(s) == HESCA_SUCCESS, "%s", hesca_error_text());
}

/* \return Whether the panels of the case were shared. */
static int
shared_case(void)
{
    enum { GUARD = 64 };
    test x;
    hesca_panel_mcast *s;
    hesca_segment *memory = NULL;
    int nteams, team, wrong = 0;
    int64_t most;
    draw_shared(&x);
    const uint64_t state = check_state;
    const int slots = x.depth + check_uniform(0, 2);
    if (hesca_panel_mcast_may_share(comm, &x.what)) {
        hesca_panel_mcast_teams(comm, &x.what, &nteams, &team, &most);
        const int64_t bytes =
            (most * x.what.width + 1) * (int64_t)x.what.esize;
        const int64_t all = nteams * slots * bytes;
        CHECK(hesca_segment_get(comm, all + GUARD, &memory) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(memory != NULL, "no segment of %lld bytes", (long long)all);
        find_mine(&x);
        x.part = fill_part(x.source, x.what.esize);
        x.what.shared = memory;
        const int err =
            hesca_agree(comm,
                        hesca_panel_mcast_create(
                            comm, &x.what, HESCA_TAG_PANEL_MCAST, x.depth, &s),
                        0, NULL);
        CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
        if (rank == 0)
            memset(memory->memory + all, 0x5a, GUARD);
        MPI_Barrier(MPI_COMM_WORLD);
        run_shared(&x, s, memory->memory + team * slots * bytes, slots, bytes);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int k = 0; k < GUARD; ++k)
            wrong += memory->memory[all + k] != 0x5a;
        CHECK(wrong == 0, "seed %#llx: %d bytes behind the panels",
              (unsigned long long)x.seed, wrong);
        hesca_panel_mcast_free(s);
        free(x.part.local);
        free(x.part.copy);
        free(x.mine);
    }
    hesca_layout_free(x.source);
    check_state = state;
    return memory != NULL;
}

/* A segment grows, and is not to be had beyond HESCA_BUFFER or on several
 * nodes; the same on all processes. */
static void
check_segment(void)
{
    const int64_t most = (int64_t)comm->params.buffer;
    hesca_segment *a, *b, *c;
    hesca_segment_get(comm, 1000, &a);
    CHECK((a != NULL) == (hesca_comm_is_node(comm) && size > 1),
          "segment %p of a node of %d processes", (void *)a, size);
    if (a == NULL)
        return;
    const int64_t size1 = (int64_t)a->bytes;
    CHECK(hesca_segment_get(comm, size1 + 1, &b) == HESCA_SUCCESS &&
              b != NULL && (int64_t)b->bytes > size1,
          "a segment of %lld bytes does not grow", (long long)size1);
    hesca_segment_get(comm, most + 1, &c);
    CHECK(c == NULL, "a segment of more than %lld bytes", (long long)most);
    hesca_segment_get(comm, size1, &b);
    b->memory[size1 - 1 - rank] = (char)rank;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < size; ++k)
        CHECK(b->memory[size1 - 1 - k] == k, "byte of process %d", k);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ------------------------------------------------ the processes */

static char machine[] = "/tmp/hesca-panel-XXXXXX";

/* Hosts node0, node1, ... with slow links, slower in every other one. */
static void
write_machine(void)
{
    if (rank == 0) {
        FILE *f = fdopen(mkstemp(machine), "w");
        fprintf(f, "hesca-machine 1\n");
        for (int i = 0; i < size; ++i)
            fprintf(f, "host node%d\n", i);
        fprintf(f, "others startup 1ms rate 1MB/s\n");
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < size; j += 2)
                if (i != j)
                    fprintf(f,
                            "link node%d node%d startup 1ms rate %d00kB/s\n",
                            i, j, 1 + (i + j) % 5);
        fclose(f);
    }
    MPI_Bcast(machine, sizeof machine, MPI_CHAR, 0, MPI_COMM_WORLD);
    setenv("HESCA_MACHINE", machine, 1);
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check_state = check_seed(20);
    if (rank == 0)
        printf("HESCA_TEST_SEED=%llu\n", (unsigned long long)check_state);
    if (getenv("HESCA_NODE_SIZE") != NULL)
        write_machine();
    CHECK(hesca_comm_get(MPI_COMM_WORLD, &comm) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    for (int n = 0; n < check_cases(150); ++n)
        one_case();
    check_segment();
    int shared = 0;
    for (int n = 0; n < check_cases(300); ++n)
        shared += shared_case();
    CHECK(shared > 0 || size == 1 || !hesca_comm_is_node(comm),
          "no panels were shared");
    if (rank == 0)
        printf("%d cases with shared panels\n", shared);
    if (rank == 0 && getenv("HESCA_MACHINE") != NULL)
        unlink(machine);
    const int failed = check_done("t_panel_multicast");
    MPI_Finalize();
    return failed;
}

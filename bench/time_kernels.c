/* SPDX-License-Identifier: BSD-3-Clause */
/* Time the kernels of one redistribution on one process, without messages: the
 * floor for an access pattern.
 *
 * Usage: time_kernels [option]...
 *
 *   time_kernels --size 3200 --from 2x1:32x32 --to 2x1:128x128
 *   time_kernels --m 1 --n 2048000 --from 2x1:16x16 --to 1x2:2x2
 *   time_kernels --help
 *
 * A is the part of process (0,0).  Timed are, in GB/s of what is moved:
 *   pack    its message to the last process of B's grid, into a buffer that is
 *           as large as a ring of the shared-memory transport, by plain stores
 *           and past the cache
 *   unpack  that message, out of the buffer into that process's part of B
 *   copy    the same elements straight from A to B: the strided copy that no
 *           transport can beat
 *   memcpy  as many bytes, contiguous */
#include "cases.h"
#include "exec/pack.h"
#include "harness.h"
#include "hesca/layout.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RING = 1 << 20, CHUNK = 64 << 10, REPEAT = 9, MOST = 100000000 };

/* Arrays from malloc() begin 16 bytes after a page's start. */
enum { PAGE = 4096, OFFSET = 16 };

typedef struct {
    int m, n, esize, ld, json; /* ld: least leading dimension */
    distribution a, b;
} options;

/* One pair of processes. */
typedef struct {
    hesca_layout *a, *b;
    hesca_problem problem;
    hesca_overlap rows, cols;
    int64_t lda, ldb;
    char *x, *y, *ring;
    size_t bytes; /* in common */
} pair;

static char *
array(int64_t locr, int64_t locc, int esize)
{
    const size_t bytes = (size_t)(locr * locc * esize) + OFFSET;
    char *p = aligned_alloc(PAGE, (bytes / PAGE + 1) * PAGE);
    if (p == NULL)
        return NULL;
    memset(p, 1, bytes);
    return p;
}

static int
open_pair(pair *p, const options *o)
{
    const distribution *a = &o->a, *b = &o->b;
    const int s = b->nprow - 1, d = b->npcol - 1;
    const int64_t m = o->m, n = o->n;
    int64_t na, nb;
    memset(p, 0, sizeof *p);
    if (hesca_layout_create_cyclic(m, n, a->mb, a->nb, a->rsrc, a->csrc,
                                   a->nprow, a->npcol, NULL, &p->a) < 0 ||
        hesca_layout_create_cyclic(m, n, b->mb, b->nb, b->rsrc, b->csrc,
                                   b->nprow, b->npcol, NULL, &p->b) < 0 ||
        hesca_problem_init(&p->problem, HESCA_ALL, m, n, p->a, 0, 0, p->b, 0,
                           0, (size_t)o->esize) < 0 ||
        hesca_overlap_init(&p->rows, (hesca_share){p->a->rows, 0, 0},
                           (hesca_share){p->b->rows, s, 0}, m) < 0 ||
        hesca_overlap_init(&p->cols, (hesca_share){p->a->cols, 0, 0},
                           (hesca_share){p->b->cols, d, 0}, n) < 0)
        return 0;
    hesca_layout_local_size(p->a, 0, &p->lda, &na);
    hesca_layout_local_size(p->b, s * b->npcol + d, &p->ldb, &nb);
    p->lda = p->lda < o->ld ? o->ld : p->lda;
    p->ldb = p->ldb < o->ld ? o->ld : p->ldb;
    p->x = array(p->lda, na, o->esize);
    p->y = array(p->ldb, nb, o->esize);
    p->ring = array(RING, 1, 1);
    p->bytes = (size_t)(p->rows.total * p->cols.total * o->esize);
    return p->x != NULL && p->y != NULL && p->ring != NULL;
}

static void
close_pair(pair *p)
{
    free(p->x);
    free(p->y);
    free(p->ring);
    hesca_overlap_clear(&p->rows);
    hesca_overlap_clear(&p->cols);
    hesca_problem_clear(&p->problem);
    hesca_layout_free(p->a);
    hesca_layout_free(p->b);
}

/* Move the message once, chunk by chunk; the buffer is used in circles. */
static void
move(const pair *p, const hesca_message *msg)
{
    const size_t esize = p->problem.esize;
    const int64_t cap = CHUNK / (int64_t)esize;
    const int64_t nchunks = hesca_chunk_count(msg, cap);
    size_t at = 0;
    for (int64_t k = 0; k < nchunks; ++k) {
        const hesca_chunk chunk = hesca_chunk_get(msg, cap, k);
        const size_t n = (size_t)hesca_chunk_size(msg, chunk) * esize;
        if (at + n > RING)
            at = 0;
        char *ring = p->ring + at;
        hesca_chunk_move(
            msg, chunk, msg->motion == HESCA_UNPACK ? ring : p->x + OFFSET,
            p->lda, msg->motion == HESCA_PACK ? ring : p->y + OFFSET, p->ldb);
        at += (n + 63) / 64 * 64;
    }
}

/* GB/s of the fastest of some moves; a negative value if memory is short. */
static double
rate(const pair *p, hesca_motion motion, int stream)
{
    hesca_runs runs;
    double best = -1;
    if (hesca_runs_init(&runs, &p->rows, motion) < 0)
        return -1;
    const hesca_message msg = {&p->problem, &p->rows, &p->cols,
                               &runs,       motion,   stream};
    for (int k = 0; k < REPEAT; ++k) {
        const double start = yield_clock();
        move(p, &msg);
        const double t = yield_clock() - start;
        best = best < 0 || t < best ? t : best;
    }
    hesca_runs_clear(&runs);
    return (double)p->bytes / best * 1e-9;
}

static double
rate_of_memcpy(const pair *p)
{
    double best = -1;
    for (int k = 0; k < REPEAT; ++k) {
        const double start = yield_clock();
        memcpy(p->y, p->x, p->bytes);
        const double t = yield_clock() - start;
        best = best < 0 || t < best ? t : best;
    }
    return (double)p->bytes / best * 1e-9;
}

static int
time_pair(const options *o)
{
    static const char *const name[] = {"pack",        "pack_past", "unpack",
                                       "unpack_past", "copy",      "copy_past",
                                       "memcpy"};
    enum { N = sizeof name / sizeof *name };
    double gbs[N];
    pair p;
    if (!open_pair(&p, o)) {
        fprintf(stderr, "time_kernels: %s\n", hesca_error_text());
        close_pair(&p);
        return 2;
    }
    if (p.bytes == 0) {
        fprintf(stderr, "time_kernels: the first process of A and the last of "
                        "B have nothing in common\n");
        close_pair(&p);
        return 2;
    }
    for (int k = 0; k < N - 1; ++k)
        gbs[k] = rate(&p, (hesca_motion)(k / 2), k % 2);
    gbs[N - 1] = rate_of_memcpy(&p);
    if (o->json) {
        printf("{\"bytes\": %zu", p.bytes);
        for (int k = 0; k < N; ++k)
            printf(", \"%s\": %.3f", name[k], gbs[k]);
        printf("}\n");
    } else {
        printf("%zu bytes, %lld x %lld elements; GB/s by plain stores, and "
               "past the cache\n",
               p.bytes, (long long)p.rows.total, (long long)p.cols.total);
        for (int k = 0; k < N - 1; k += 2)
            printf("%-8s %6.1f %6.1f\n", name[k], gbs[k], gbs[k + 1]);
        printf("%-8s %6.1f\n", name[N - 1], gbs[N - 1]);
    }
    close_pair(&p);
    return 0;
}

static int
set_size(const cmdline_row *r, const char *value, void *to)
{
    options *o = to;
    const int ok = cmdline_int(r, value, 1, 100000, &o->m);
    o->n = o->m;
    return ok;
}

static int
set_esize(const cmdline_row *r, const char *value, void *to)
{
    options *o = to;
    return cmdline_int(r, value, 4, 16, &o->esize) &&
           (o->esize == 4 || o->esize == 8 || o->esize == 16 ||
            cmdline_bad(r, value));
}

static int
set_layout(const cmdline_row *r, const char *value, void *to)
{
    options *o = to;
    distribution *d = *r->name == 'f' ? &o->a : &o->b;
    return (distribution_parse(value, d) && d->nprow > 0 && d->npcol > 0) ||
           cmdline_bad(r, value);
}

static const cmdline_row table[] = {
    OPT_SET("size", "N", "rows and columns (3200)", set_size),
    OPT_INT("m", "M", "rows", m, 1, MOST),
    OPT_INT("n", "N", "columns", n, 1, MOST),
    OPT_SET("esize", "BYTES", "of an element, 4, 8 or 16 (8)", set_esize),
    OPT_INT("ld", "LD", "leading dimensions, if the arrays have fewer rows",
            ld, 1, MOST),
    OPT_SET("from", "LAYOUT", "of A, PxQ:MBxNB (2x1:32x32)", set_layout),
    OPT_SET("to", "LAYOUT", "of B (2x1:128x128)", set_layout),
    OPT_FLAG("json", "print JSON", json),
};

static int
run(const void *o, fields_files *unused)
{
    (void)unused;
    return time_pair(o);
}

int
main(int argc, char **argv)
{
    static options o = {.m = 3200,
                        .n = 3200,
                        .esize = 8,
                        .a = {.nprow = 2, .npcol = 1, .mb = 32, .nb = 32},
                        .b = {.nprow = 2, .npcol = 1, .mb = 128, .nb = 128}};
    static const bench_program b = {
        .name = "time_kernels",
        .about = "Usage: time_kernels [option]...\n"
                 "Time packing, unpacking and copying for one pair of "
                 "processes, without messages.\n\n",
        .notes = "\nExit status: 0, or 2 if the timing cannot be done.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .has_no_files = 1,
        .run = run};
    return bench_main(&b, argc, argv);
}

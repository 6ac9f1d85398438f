/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of t_badargs, and good calls. */
#include "testing/check.h"
#include "testing/shim/badargs.h"
#include "testing/shim/blacs.h"
#include <string.h>

enum { GUARD = 64 };

/* lld is enlarged if the process owns more rows. */
side
side_make(int ictxt, int m, int n, int mb, int nb, int rsrc, int csrc, int lld,
          size_t esize)
{
    side s = {.desc = {1, ictxt, m, n, mb, nb, rsrc, csrc, lld}};
    const int *d = s.desc;
    s.esize = esize;
    s.myrow = s.mycol = -1;
    if (ictxt >= 0)
        Cblacs_gridinfo(ictxt, &s.nprow, &s.npcol, &s.myrow, &s.mycol);
    if (s.myrow >= 0) {
        s.locr = numroc_(&d[2], &d[4], &s.myrow, &d[6], &s.nprow);
        s.locc = numroc_(&d[3], &d[5], &s.mycol, &d[7], &s.npcol);
        s.desc[8] = s.locr > lld ? s.locr : lld;
    }
    s.nbytes = (size_t)s.desc[8] * (size_t)s.locc * esize + GUARD;
    s.x = malloc(s.nbytes);
    memset(s.x, 0xb5, s.nbytes);
    return s;
}

/* Global row or column (from 0) of a local one. */
static int
global(int local, int nb, int iproc, int src, int count)
{
    const int distance = (iproc - src + count) % count;
    return (local / nb * count + distance) * nb + local % nb;
}

/* Byte k of element (i,j) of A. */
static char
byte_of(int i, int j, size_t k)
{
    const uint64_t z = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u ^
                       (uint64_t)(j + 1) * 0xbf58476d1ce4e5b9u;
    return (char)(z >> (8 * (k % 7) + 3));
}

void
side_fill(side *s)
{
    const int *d = s->desc;
    for (int q = 0; q < s->locc; ++q)
        for (int p = 0; p < s->locr; ++p) {
            const int i = global(p, d[4], s->myrow, d[6], s->nprow);
            const int j = global(q, d[5], s->mycol, d[7], s->npcol);
            char *x = s->x + ((size_t)q * (size_t)d[8] + (size_t)p) * s->esize;
            for (size_t k = 0; k < s->esize; ++k)
                x[k] = byte_of(i, j, k);
        }
}

static int
is_copied(const args *x, const route *r, int i, int j)
{
    if (i < 0 || i >= x->m || j < 0 || j >= x->n)
        return 0;
    if (!is_trapezoid(r))
        return 1;
    const int upper = x->uplo[0] == 'U' || x->uplo[0] == 'u';
    const int unit = x->diag[0] == 'U' || x->diag[0] == 'u';
    /* The trapezoid of an m x n matrix hangs on its longer side. */
    const int below = x->m > x->n ? x->m - x->n : 0;
    const int right = x->n > x->m ? x->n - x->m : 0;
    const int over = upper ? j + below - i : i + right - j;
    return unit ? over > 0 : over >= 0;
}

/* Bytes of the local part of B that are not as they should be after a call
 * that has copied sub(A), or nothing if x is NULL. */
long
wrong_bytes(const side *s, const args *x, const route *r)
{
    const int *d = s->desc;
    const size_t size = s->nbytes - GUARD;
    long wrong = 0;
    for (size_t k = 0; k < s->nbytes; ++k) {
        const int e = (int)(k / s->esize), p = e % d[8], q = e / d[8];
        int copied = 0, i = 0, j = 0;
        if (x != NULL && k < size && p < s->locr) {
            i = global(p, d[4], s->myrow, d[6], s->nprow) - (x->ib - 1);
            j = global(q, d[5], s->mycol, d[7], s->npcol) - (x->jb - 1);
            copied = is_copied(x, r, i, j);
        }
        const char expected =
            copied ? byte_of(i + x->ia - 1, j + x->ja - 1, k % s->esize)
                   : (char)0xb5;
        wrong += s->x[k] != expected;
    }
    return wrong;
}

static void
side_blank(side *s)
{
    memset(s->x, 0xb5, s->nbytes);
}

args
args_of(int m, int n, const side *a, int ia, int ja, const side *b, int ib,
        int jb, int ictxt)
{
    args x = {.uplo = "U",
              .diag = "N",
              .m = m,
              .n = n,
              .a = a->x,
              .ia = ia,
              .ja = ja,
              .b = b->x,
              .ib = ib,
              .jb = jb,
              .ictxt = ictxt};
    memcpy(x.desca, a->desc, sizeof x.desca);
    memcpy(x.descb, b->desc, sizeof x.descb);
    return x;
}

/* A call with arguments x that must copy what complete ones would, and
 * write no message. */
void
good(const route *r, const args *x, const args *complete, side *b)
{
    side_blank(b);
    capture_begin();
    call(r, x);
    capture_end();
    const int empty = x->m == 0 || x->n == 0;
    const long wrong = wrong_bytes(b, empty ? NULL : complete, r);
    CHECK(wrong == 0, "rank %d, form %d of p%c%s, %s: %ld bytes of B", rank,
          r->form, letters[r->type], kinds[r->kind], what, wrong);
    CHECK(mine.messages == 0 && mine.aborts == 0 && mine.text[0] == '\0',
          "rank %d, form %d of p%c%s, %s: %d messages, %d aborts, \"%s\"",
          rank, r->form, letters[r->type], kinds[r->kind], what, mine.messages,
          mine.aborts, mine.text);
    side_blank(b);
    check_barrier(MPI_COMM_WORLD);
}

setting
setting_make(size_t esize)
{
    setting s;
    s.ictxt[0] = grid(1, nprocs);
    s.ictxt[1] = grid(nprocs, 1);
    s.ictxt[2] = grid(1, nprocs);
    s.freed = grid(1, nprocs);
    Cblacs_gridexit(s.freed);
    s.a = side_make(s.ictxt[1], 24, 24, 3, 5, 0, 0, 32, esize);
    s.b = side_make(s.ictxt[2], 24, 24, 4, 2, 0, 0, 32, esize);
    side_fill(&s.a);
    s.good = args_of(10, 9, &s.a, 1, 1, &s.b, 1, 1, s.ictxt[0]);
    return s;
}

void
setting_free(setting *s)
{
    for (int k = 0; k < 3; ++k)
        Cblacs_gridexit(s->ictxt[k]);
    free(s->a.x);
    free(s->b.x);
}

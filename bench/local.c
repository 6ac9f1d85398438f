/* SPDX-License-Identifier: BSD-3-Clause */
#include "local.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 4096, SENTINEL = 0xA5 };

/* Global indices, from 0, of what process iproc owns of n indices assigned in
 * blocks of nb.  Returns their number; index may be NULL. */
static int64_t
owned(int64_t n, int nb, int iproc, int isrcproc, int nprocs, int64_t *index)
{
    const int64_t offset = (iproc - isrcproc + nprocs) % nprocs;
    int64_t count = 0;
    for (int64_t first = offset * nb; first < n;
         first += (int64_t)nb * nprocs) {
        const int64_t end = first + nb < n ? first + nb : n;
        for (int64_t k = first; index != NULL && k < end; ++k)
            index[count + k - first] = k;
        count += end - first;
    }
    return count;
}

/* Bytes of a x b elements, SIZE_MAX if an array cannot be as large. */
static size_t
bytes_of(int64_t a, int64_t b, size_t esize)
{
    const uint64_t most = PTRDIFF_MAX / 2 / esize;
    if (b > 0 && (uint64_t)a > most / (uint64_t)b)
        return SIZE_MAX;
    return (size_t)a * (size_t)b * esize;
}

int
local_create(local_matrix *x, int64_t m, int64_t n, const distribution *d,
             int myrow, int mycol, size_t esize)
{
    const local_matrix empty = {.lld = 1, .esize = esize};
    *x = empty;
    if (myrow >= 0) {
        x->locr = owned(m, d->mb, myrow, d->rsrc, d->nprow, NULL);
        x->locc = owned(n, d->nb, mycol, d->csrc, d->npcol, NULL);
        x->lld = x->locr > 0 ? x->locr : 1;
    }
    x->bytes = bytes_of(x->locr, x->locc, esize);
    if (x->bytes == SIZE_MAX)
        return 0;
    x->memory = malloc(x->bytes + 2 * GUARD);
    x->row = malloc(((size_t)x->locr + 1) * sizeof *x->row);
    x->col = malloc(((size_t)x->locc + 1) * sizeof *x->col);
    x->expected = malloc(((size_t)x->locr + 1) * esize);
    if (x->memory == NULL || x->row == NULL || x->col == NULL ||
        x->expected == NULL) {
        local_free(x);
        return 0;
    }
    x->data = (unsigned char *)x->memory + GUARD;
    if (myrow >= 0) {
        owned(m, d->mb, myrow, d->rsrc, d->nprow, x->row);
        owned(n, d->nb, mycol, d->csrc, d->npcol, x->col);
    }
    return 1;
}

void
local_free(local_matrix *x)
{
    const local_matrix none = {0};
    free(x->memory);
    free(x->row);
    free(x->col);
    free(x->expected);
    *x = none;
}

/* Rows [*from, *to) of the region that it has in its column c.  Both
 * trapezoids end in the last row and column of the region's diagonal, as those
 * of ScaLAPACK's P?TRMR2D. */
static void
rows_in_column(const region *r, int64_t c, int64_t *from, int64_t *to)
{
    *from = 0;
    *to = r->m;
    if (r->uplo == 'U') {
        const int64_t end =
            (r->m > r->n ? r->m - r->n : 0) + c + (r->diag == 'N');
        *to = end < r->m ? end : r->m;
    } else if (r->uplo == 'L') {
        const int64_t begin =
            c - (r->n > r->m ? r->n - r->m : 0) + (r->diag == 'U');
        *from = begin < 0 ? 0 : begin < r->m ? begin : r->m;
    }
}

/* Rows [*from, *to) of the matrix in the region, for local column jl; none if
 * the region has nothing of it. */
static void
column_rows(const local_matrix *x, const region *r, int64_t jl, int64_t *from,
            int64_t *to)
{
    *from = *to = 0;
    if (r == NULL || x->col[jl] < r->j || x->col[jl] >= r->j + r->n)
        return;
    rows_in_column(r, x->col[jl] - r->j, from, to);
    *from += r->i;
    *to += r->i;
}

/* Bits that differ from element to element: each step can be undone, so no two
 * numbers become the same.  NaNs, infinities and denormals are among them. */
static uint64_t
scatter64(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* The same for 4 bytes: unique as long as there are fewer than 2^32. */
static uint32_t
scatter32(uint32_t x)
{
    x = (x ^ (x >> 16)) * UINT32_C(0x7FEB352D);
    x = (x ^ (x >> 15)) * UINT32_C(0x846CA68B);
    return x ^ (x >> 16);
}

static void
write_element(unsigned char *to, size_t esize, uint64_t number)
{
    const uint32_t small = scatter32((uint32_t)number + 1); /* 0 stays 0 */
    const uint64_t large[2] = {scatter64(number + 1), ~number};
    if (esize == sizeof small)
        memcpy(to, &small, sizeof small);
    else
        memcpy(to, large, esize);
}

/* Local column jl as it must be. */
static void
expect(const local_matrix *x, const region *r, int64_t jl, unsigned char *to)
{
    int64_t from, end;
    column_rows(x, r, jl, &from, &end);
    memset(to, SENTINEL, (size_t)x->locr * x->esize);
    for (int64_t il = 0; il < x->locr; ++il) {
        if (x->row[il] < from || x->row[il] >= end)
            continue;
        const int64_t number =
            x->row[il] - r->i + r->di + (x->col[jl] - r->j + r->dj) * r->rows;
        write_element(to + (size_t)il * x->esize, x->esize, (uint64_t)number);
    }
}

static unsigned char *
column(const local_matrix *x, int64_t jl)
{
    return x->data + (size_t)jl * (size_t)x->locr * x->esize;
}

void
local_fill(local_matrix *x, const region *r)
{
    memset(x->memory, SENTINEL, x->bytes + 2 * GUARD);
    for (int64_t jl = 0; r != NULL && jl < x->locc; ++jl)
        expect(x, r, jl, column(x, jl));
}

static int
guard_broken(const unsigned char *guard)
{
    for (int k = 0; k < GUARD; ++k)
        if (guard[k] != SENTINEL)
            return 1;
    return 0;
}

void
local_check(const local_matrix *x, const region *r, local_errors *e)
{
    const local_errors none = {0};
    *e = none;
    e->guards = guard_broken(x->memory) || guard_broken(x->data + x->bytes);
    for (int64_t jl = 0; jl < x->locc; ++jl) {
        const unsigned char *is = column(x, jl), *must = x->expected;
        expect(x, r, jl, x->expected);
        if (memcmp(is, must, (size_t)x->locr * x->esize) == 0)
            continue;
        for (int64_t il = 0; il < x->locr; ++il) {
            const size_t at = (size_t)il * x->esize;
            if (memcmp(is + at, must + at, x->esize) == 0)
                continue;
            if (e->count++ > 0)
                continue;
            e->i = x->row[il];
            e->j = x->col[jl];
            memcpy(e->is, is + at, x->esize);
            memcpy(e->must, must + at, x->esize);
        }
    }
}

int64_t
local_count(const local_matrix *x, const region *r)
{
    int64_t count = 0;
    for (int64_t jl = 0; jl < x->locc; ++jl) {
        int64_t from, end;
        column_rows(x, r, jl, &from, &end);
        for (int64_t il = 0; il < x->locr; ++il)
            count += from <= x->row[il] && x->row[il] < end;
    }
    return count;
}

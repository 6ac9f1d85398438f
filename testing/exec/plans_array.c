/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of t_plan, and what they hold. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "testing/check.h"
#include "testing/exec/plans.h"
#include "testing/trapezoid.h"
#include <string.h>
#include <sys/mman.h>

enum { GUARD = 64, MARGIN = 8 };

/* The bytes of element (i,j) of A. */
static void
content(uint64_t seed, int64_t i, int64_t j, size_t esize, char *x)
{
    uint64_t bits = check_mix(check_mix(seed + (uint64_t)i) + (uint64_t)j);
    for (size_t k = 0; k < esize; k += 8, bits = check_mix(bits))
        memcpy(x + k, &bits, esize - k < 8 ? esize - k : 8);
}

/* The bytes of local element (il,jl) before and after the copy; il may be
 * beyond locr, which is the gap below a column.  Before, an element that is to
 * be written differs from what it will be in every bit. */
void
local_element(const array *x, const copy *c, int64_t il, int64_t jl,
              char *before, char *after)
{
    const place *p = x->place;
    memset(before, 0, c->esize);
    if (!x->far)
        content(c->seed + 17, il, jl + 1000 * (x->prow * 16 + x->pcol),
                c->esize, before);
    memcpy(after, before, c->esize);
    if (il >= x->locr)
        return;
    const int64_t i = indxl2g(rows_of(p, x->pcol), il, x->prow) - p->i;
    const int64_t j = indxl2g(cols_of(p, x->prow), jl, x->pcol) - p->j;
    if (!trapezoid_has(c->part, c->m, c->n, i, j))
        return;
    content(c->seed, c->source->i + i, c->source->j + j, c->esize, after);
    for (size_t k = 0; k < c->esize; ++k)
        before[k] = (char)~after[k];
}

/* Rows of a column that are filled and looked at. */
static int64_t
rows_to_check(const array *x)
{
    return x->ld < x->locr + MARGIN ? x->ld : x->locr + MARGIN;
}

/* Memory for the local array of a process; 0 if there is none. */
int
allocate(array *x, const place *p, int rank, const copy *c, int64_t more,
         int far)
{
    *x = (array){.place = p, .far = far};
    const int k = position(p, rank);
    if (k < 0)
        return 1;
    x->prow = k / p->npcol;
    x->pcol = k % p->npcol;
    hesca_layout_local_size(p->layout, rank, &x->locr, &x->locc);
    for (int64_t i = 0; i < c->m; ++i)
        for (int64_t j = 0; j < c->n; ++j)
            x->owned += owner_of(p, i, j) == rank;
    x->ld = x->locr + more;
    x->size = (size_t)(x->ld * x->locc) * c->esize + 2 * GUARD;
    if (far) {
        x->memory = mmap(NULL, x->size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (x->memory == MAP_FAILED)
            x->memory = NULL;
    } else {
        x->memory = malloc(x->size);
        memset(x->memory, 0x5c, x->size);
    }
    x->data = x->memory + GUARD - check_mix(c->seed + (uint64_t)rank) % 16;
    return x->memory != NULL;
}

void
release(array *x)
{
    if (x->far && x->memory != NULL)
        munmap(x->memory, x->size);
    else
        free(x->memory);
}

/* All elements of A, those of sub(A) and those around it. */
void
fill_source(array *x, const copy *c)
{
    const place *p = x->place;
    for (int64_t jl = 0; jl < x->locc; ++jl)
        for (int64_t il = 0; il < x->locr; ++il)
            content(c->seed, indxl2g(rows_of(p, x->pcol), il, x->prow),
                    indxl2g(cols_of(p, x->prow), jl, x->pcol), c->esize,
                    x->data + (size_t)(jl * x->ld + il) * c->esize);
}

void
fill_target(array *x, const copy *c)
{
    char after[ESIZE];
    for (int64_t jl = 0; jl < x->locc; ++jl)
        for (int64_t il = 0; il < rows_to_check(x); ++il)
            local_element(x, c, il, jl,
                          x->data + (size_t)(jl * x->ld + il) * c->esize,
                          after);
}

/* Every byte of B: copied, or as it was. */
void
check_target(const array *x, const copy *c, const char *what)
{
    char before[ESIZE], after[ESIZE];
    int64_t wrong = 0, first_i = -1, first_j = -1;
    for (int64_t jl = 0; jl < x->locc; ++jl)
        for (int64_t il = 0; il < rows_to_check(x); ++il) {
            local_element(x, c, il, jl, before, after);
            if (memcmp(x->data + (size_t)(jl * x->ld + il) * c->esize, after,
                       c->esize) == 0)
                continue;
            if (wrong++ == 0) {
                first_i = il;
                first_j = jl;
            }
        }
    CHECK(wrong == 0,
          "%s, %s: %lld wrong elements, the first at local (%lld,%lld) of "
          "(%d,%d), %lld local rows",
          c->text, what, (long long)wrong, (long long)first_i,
          (long long)first_j, x->prow, x->pcol, (long long)x->locr);
    const size_t used = (size_t)(x->ld * x->locc) * c->esize;
    const char *end = x->memory + x->size;
    int touched = 0;
    if (x->far || x->memory == NULL)
        return;
    for (const char *p = x->memory; p < end; ++p)
        touched += (p < x->data || p >= x->data + used) && *p != 0x5c;
    CHECK(touched == 0, "%s, %s: %d bytes of the guards", c->text, what,
          touched);
}

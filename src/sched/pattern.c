/* SPDX-License-Identifier: BSD-3-Clause */
#include "sched/pattern.h"
#include "base/arith.h"

int
hesca_pattern_find(hesca_pattern *t, const hesca_axis *a, int64_t ia,
                   const hesca_axis *b, int64_t ib)
{
    int asrc, bsrc;
    if (hesca_axis_coincide(a, ia, b, ib)) {
        *t = (hesca_pattern){.table = hesca_circulant_make(1, a->nowners)};
        return 1;
    }
    const int64_t x = hesca_axis_is_cyclic(a, &asrc);
    const int64_t y = hesca_axis_is_cyclic(b, &bsrc);
    if (a->nowners != b->nowners || x == 0 || y == 0)
        return 0;
    const int dual = x > y;
    const int64_t fine = dual ? y : x, coarse = dual ? x : y;
    const int64_t diff = dual ? ib - ia : ia - ib;
    if (coarse % fine != 0 || diff % fine != 0 || coarse / fine > a->nowners)
        return 0;
    /* Fine block u, counted from the begin of the coarse axis, is block
     * u + shift of the fine axis; LIM's p_j owns the blocks u = j mod P. */
    const int64_t shift = diff / fine;
    *t = (hesca_pattern){
        .table = hesca_circulant_make(coarse / fine, a->nowners),
        .dual = dual,
        .fine_at = hesca_mod(shift + (dual ? bsrc : asrc), a->nowners),
        .coarse_at = dual ? asrc : bsrc};
    return 1;
}

hesca_pattern
hesca_pattern_shifts(int np)
{
    return (hesca_pattern){.table = {.k = np,
                                     .p = np,
                                     .g = 1,
                                     .k1 = np,
                                     .p1 = np,
                                     .n = 1,
                                     .inverse = 1}};
}

hesca_position
hesca_pattern_position(const hesca_pattern *t, int owner)
{
    const int64_t j = hesca_mod(owner - t->fine_at, t->table.p);
    return (hesca_position){j / t->table.g, j % t->table.g};
}

int
hesca_pattern_owner(const hesca_pattern *t, hesca_position j)
{
    return (int)hesca_mod(j.j1 * t->table.g + j.j2 + t->fine_at, t->table.p);
}

hesca_position
hesca_pattern_move(const hesca_pattern *t, hesca_position j, int64_t d1,
                   int64_t d2)
{
    return (hesca_position){hesca_mod(j.j1 + d1, t->table.p1),
                            hesca_mod(j.j2 + d2, t->table.g)};
}

int
hesca_pattern_coarse(const hesca_pattern *t, int64_t i, hesca_position j)
{
    const int64_t dest =
        hesca_circulant_dest(&t->table, i, j.j1 * t->table.g + j.j2);
    return (int)hesca_mod(dest + t->coarse_at, t->table.p);
}

hesca_position
hesca_pattern_fine(const hesca_pattern *t, int64_t i, int coarse)
{
    const int64_t dest = hesca_mod(coarse - t->coarse_at, t->table.p);
    const int64_t j = hesca_circulant_source(&t->table, i, dest);
    return (hesca_position){j / t->table.g, j % t->table.g};
}

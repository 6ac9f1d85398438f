/* SPDX-License-Identifier: BSD-3-Clause */
/* The search assigns hosts to places, since the processes of one host are
 * equal.  A forecast takes O(pq log pq) steps, so small grids are searched
 * exhaustively and large ones within a budget.  Nothing depends on timing: all
 * processes get the same result. */
#include "place/search.h"
#include "base/status.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM_STARTS = 40 }; /* at most */

static int
places(const hesca_search *s)
{
    return s->site->nprow * s->site->npcol;
}

int
hesca_search_init(const hesca_site *site, int first, double steps,
                  hesca_search *s)
{
    const int p = site->nprow, q = site->npcol;
    const size_t n = (size_t)p * (size_t)q, h = (size_t)site->nhosts;
    *s = (hesca_search){.site = site, .first = first, .seconds = INFINITY};
    s->at = malloc(n * sizeof *s->at);
    s->tried = malloc(n * sizeof *s->tried);
    s->left = malloc(h * sizeof *s->left);
    s->taken = malloc(h * sizeof *s->taken);
    s->order = malloc(h * sizeof *s->order);
    int per_place = 4;
    for (int k = 1; k < p || k < q; k *= 2)
        per_place += (k < p) + (k < q);
    s->budget = steps / ((double)n * per_place + (double)h);
    if (s->at && s->tried && s->left && s->taken && s->order)
        return HESCA_SUCCESS;
    hesca_search_clear(s);
    return hesca_fail(HESCA_ERR_NOMEM, 0, "places of a %d x %d grid", p, q);
}

void
hesca_search_clear(hesca_search *s)
{
    free(s->at);
    free(s->tried);
    free(s->left);
    free(s->taken);
    free(s->order);
    memset(s, 0, sizeof *s);
}

/* ------------------------------------------------ fillings
 * A filling is complete if taken[] sums up to the number of places; at and
 * seconds always belong together. */

/* Speed of a process of host a if `count` processes of the host compute. */
static double
speed_with(const hesca_site *x, int a, int count)
{
    return x->speed[a] * fmin(1, x->cores[a] / count);
}

/* Choose the number of processes of each host that take part: one after the
 * other, from the host whose processes are fastest with one more, or (not
 * by_speed) from the host with the most unused processes. */
static void
choose_counts(hesca_search *s, int by_speed)
{
    const hesca_site *x = s->site;
    memset(s->taken, 0, (size_t)x->nhosts * sizeof *s->taken);
    s->taken[s->first] = 1;
    for (int k = 1; k < places(s); ++k) {
        int best = -1;
        double most = -1;
        for (int a = 0; a < x->nhosts; ++a) {
            const int room = x->room[a] < x->most[a] ? x->room[a] : x->most[a];
            const double gain = by_speed ? speed_with(x, a, s->taken[a] + 1)
                                         : room - s->taken[a];
            if (s->taken[a] < room && gain > most) {
                most = gain;
                best = a;
            }
        }
        if (best < 0)
            return;
        ++s->taken[best];
    }
}

/* Keys by which hosts are sorted, in descending order. */
enum { BY_NUMBER, BY_SPEED, BY_COUNT, KEYS };

static double
sort_key(const hesca_search *s, int key, int a)
{
    const int count = s->taken[a] > 0 ? s->taken[a] : 1;
    return key == BY_SPEED   ? speed_with(s->site, a, count)
           : key == BY_COUNT ? s->taken[a]
                             : 0;
}

/* The host of place 0 is before all others. */
static int
is_before(const hesca_search *s, int key, int a, int b)
{
    if (a == s->first || b == s->first)
        return a == s->first;
    return sort_key(s, key, a) > sort_key(s, key, b);
}

static void
order_hosts(hesca_search *s, int key)
{
    for (int a = 0; a < s->site->nhosts; ++a) {
        int k = a;
        for (; k > 0 && is_before(s, key, a, s->order[k - 1]); --k)
            s->order[k] = s->order[k - 1];
        s->order[k] = a;
    }
}

/* The k-th place along rows or columns, or in alternating directions along
 * either, so that a host that continues in the next line has adjacent
 * places. */
static int
place_of(const hesca_site *x, int k, int direction)
{
    const int along_rows = direction % 2 == 0,
              n = along_rows ? x->npcol : x->nprow;
    int line = k / n, place = k % n;
    if (direction >= 2 && line % 2 == 1)
        place = n - 1 - place;
    return along_rows ? line * x->npcol + place : place * x->npcol + line;
}

/* Fill the grid with the processes chosen by choose_counts(), host by host; 0
 * if there are too few. */
static int
fill(hesca_search *s, int key, int direction)
{
    int k = 0;
    order_hosts(s, key);
    for (int a = 0; a < s->site->nhosts; ++a)
        for (int i = 0; i < s->taken[s->order[a]]; ++i)
            s->tried[place_of(s->site, k++, direction)] = s->order[a];
    return k == places(s);
}

static double
forecast(hesca_search *s)
{
    s->budget -= 1;
    return hesca_site_forecast(s->site, s->tried, NULL);
}

/* Accept the current grid if it is better by more than rounding. */
static void
accept(hesca_search *s, double seconds)
{
    if (seconds < s->seconds * (1 - 1e-12) ||
        (isinf(s->seconds) && isfinite(seconds))) {
        s->seconds = seconds;
        memcpy(s->at, s->tried, (size_t)places(s) * sizeof *s->at);
    }
}

enum { DIRECTIONS = 4, SIMPLE_FILLINGS = 2 * KEYS * DIRECTIONS };

static int
fill_simple(hesca_search *s, int k)
{
    choose_counts(s, k % 2 == 0);
    return fill(s, k / 2 % KEYS, k / 2 / KEYS);
}

void
hesca_search_begin(hesca_search *s)
{
    for (int k = 0; k < SIMPLE_FILLINGS; ++k)
        if (fill_simple(s, k))
            accept(s, forecast(s));
}

/* ------------------------------------------------ all
 * left[] and tried[0 ... k - 1] together hold all processes. */

/* Enumerate all fillings of place k and the places after it. */
static void
fill_all(hesca_search *s, int k)
{
    if (k == places(s)) {
        accept(s, forecast(s));
        return;
    }
    for (int a = 0; a < s->site->nhosts; ++a)
        if (s->left[a] > 0) {
            --s->left[a];
            s->tried[k] = a;
            fill_all(s, k + 1);
            ++s->left[a];
        }
}

int
hesca_search_all(hesca_search *s)
{
    double fillings = 1;
    for (int k = 1; k < places(s) && fillings <= s->budget; ++k)
        fillings *= s->site->nhosts;
    if (fillings > s->budget)
        return 0;
    memcpy(s->left, s->site->room, (size_t)s->site->nhosts * sizeof *s->left);
    --s->left[s->first];
    s->tried[0] = s->first;
    fill_all(s, 1);
    return 1;
}

/* ------------------------------------------------ exchanges
 * left[] counts the processes not in tried; the predicted time of tried never
 * increases within descend(). */

static void
count_left(hesca_search *s)
{
    memcpy(s->left, s->site->room, (size_t)s->site->nhosts * sizeof *s->left);
    for (int k = 0; k < places(s); ++k)
        --s->left[s->tried[k]];
}

/* Try another host at place k, from place l or (l < 0) from unused processes,
 * and undo it unless it is better. */
static int
try_exchange(hesca_search *s, int k, int l, int host, double *seconds)
{
    const int mine = s->tried[k];
    if (mine == host || s->budget < 1)
        return 0;
    s->tried[k] = host;
    if (l >= 0)
        s->tried[l] = mine;
    const double now = forecast(s);
    if (now < *seconds * (1 - 1e-12)) {
        *seconds = now;
        if (l < 0) {
            ++s->left[mine];
            --s->left[host];
        }
        return 1;
    }
    s->tried[k] = mine;
    if (l >= 0)
        s->tried[l] = host;
    return 0;
}

/* One round of exchanges; place 0 is not changed. */
static int
exchange(hesca_search *s, double *seconds)
{
    const int n = places(s);
    int improved = 0;
    for (int k = 1; k < n; ++k) {
        for (int l = k + 1; l < n; ++l)
            improved |= try_exchange(s, k, l, s->tried[l], seconds);
        for (int a = 0; a < s->site->nhosts; ++a)
            if (s->left[a] > 0)
                improved |= try_exchange(s, k, -1, a, seconds);
    }
    return improved;
}

static void
descend(hesca_search *s)
{
    double seconds = forecast(s);
    count_left(s);
    while (s->budget >= 1 && exchange(s, &seconds))
        ;
    accept(s, seconds);
}

static uint32_t
draw(uint32_t *state, uint32_t n)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)*state * n >> 32);
}

/* Exchange some random places of the best grid, with others or with unused
 * processes. */
static void
perturb(hesca_search *s, uint32_t *state)
{
    const int n = places(s);
    memcpy(s->tried, s->at, (size_t)n * sizeof *s->at);
    count_left(s);
    for (int i = 0; i < 2 + n / 3; ++i) {
        const int k = 1 + (int)draw(state, (uint32_t)n - 1);
        const int l = 1 + (int)draw(state, (uint32_t)n - 1);
        const int a = (int)draw(state, (uint32_t)s->site->nhosts);
        const int host = s->tried[k];
        if (s->left[a] > 0 && draw(state, 2) == 0) {
            s->tried[k] = a;
            --s->left[a];
            ++s->left[host];
        } else {
            s->tried[k] = s->tried[l];
            s->tried[l] = host;
        }
    }
}

void
hesca_search_improve(hesca_search *s)
{
    uint32_t state = 1;
    if (isinf(s->seconds) || s->site->nhosts == 1 || places(s) == 1)
        return;
    memcpy(s->tried, s->at, (size_t)places(s) * sizeof *s->at);
    descend(s);
    for (int k = 0; k < SIMPLE_FILLINGS && s->budget >= 1; ++k)
        if (fill_simple(s, k))
            descend(s);
    for (int k = 0; k < RANDOM_STARTS && s->budget >= 1; ++k) {
        perturb(s, &state);
        descend(s);
    }
}

void
hesca_search_assign(const hesca_search *s, int nprocs, const int *host,
                    int *process)
{
    for (int k = 0; k < places(s); ++k) {
        int r = 0;
        for (int l = k - 1; l >= 0 && r == 0;
             --l) /* continue after the last one of this host */
            if (s->at[l] == s->at[k])
                r = process[l] + 1;
        while (r < nprocs && host[r] != s->at[k])
            ++r;
        process[k] = r;
    }
}

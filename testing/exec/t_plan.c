/* Redistributions through the public calls: A to B and back, on random
 * layouts, communicators, schedules and buffers.  What an element holds is a
 * function of its global place, so that every process knows every byte that it
 * must have afterwards, inside sub(B) and around it.  HESCA_TEST_CASES and
 * HESCA_TEST_SEED set how many there are of each kind, and which. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "exec/cache.h"
#include "hesca/param.h"
#include "hesca/redist.h"
#include "sched/sched.h"
#include "testing/check.h"
#include <string.h>
#include <sys/mman.h>

enum { GUARD = 64, PROCS = 16, ESIZE = 24, MARGIN = 8 };

static const char *const part_name[] = {"all", "upper", "strict upper",
                                        "lower", "strict lower"};

/* ------------------------------------------------ layouts */

/* A layout, and where the submatrix begins in it. */
typedef struct {
    int64_t m, n, i, j;
    int mb, nb, rsrc, csrc, nprow, npcol;
    int is_generalized; /* by lengths; then mb, nb are 0 or what all have */
    int64_t heights[PROCS], widths[PROCS];
    int ranks[PROCS];
    hesca_layout *layout;
    char text[350];
} place;

static int
put_lengths(char *text, size_t room, const int64_t *length, int n)
{
    int at = 0;
    for (int p = 0; p < n; ++p)
        at += snprintf(text + at, room - (size_t)at, "%s%d", p > 0 ? "," : "",
                       (int)length[p]);
    return at;
}

/* The layout of x; the text, up to the ranks, and its length. */
static int
create_generalized(place *x, int *at)
{
    const size_t room = sizeof x->text;
    *at = snprintf(x->text, room, "%dx%d at (%d,%d) in ", (int)x->m, (int)x->n,
                   (int)x->i, (int)x->j);
    *at +=
        put_lengths(x->text + *at, room - (size_t)*at, x->heights, x->nprow);
    *at += snprintf(x->text + *at, room - (size_t)*at, " x ");
    *at += put_lengths(x->text + *at, room - (size_t)*at, x->widths, x->npcol);
    return hesca_layout_create_generalized(x->m, x->n, x->nprow, x->npcol,
                                           x->heights, x->widths, x->ranks,
                                           &x->layout);
}

static int
create_cyclic(place *x, int *at)
{
    *at =
        snprintf(x->text, sizeof x->text,
                 "%lldx%lld in %dx%d on %dx%d from (%d,%d) at (%lld,%lld)",
                 (long long)x->m, (long long)x->n, x->mb, x->nb, x->nprow,
                 x->npcol, x->rsrc, x->csrc, (long long)x->i, (long long)x->j);
    return hesca_layout_create_cyclic(x->m, x->n, x->mb, x->nb, x->rsrc,
                                      x->csrc, x->nprow, x->npcol, x->ranks,
                                      &x->layout);
}

static void
create(place *x)
{
    int at;
    const int err =
        x->is_generalized ? create_generalized(x, &at) : create_cyclic(x, &at);
    at += snprintf(x->text + at, sizeof x->text - (size_t)at, ", ranks");
    for (int k = 0; k < x->nprow * x->npcol; ++k)
        at += snprintf(x->text + at, sizeof x->text - (size_t)at, " %d",
                       x->ranks[k]);
    CHECK(err == HESCA_SUCCESS, "{%s}: %s", x->text, hesca_error_text());
    if (err < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static int
random_block(int n)
{
    switch (check_uniform(0, 4)) {
    case 0:
        return 1;
    case 1:
        return 1 << check_uniform(0, 4);
    case 2:
        return check_uniform(1, n + 1);
    case 3:
        return n + check_uniform(1, 9);
    default:
        return check_uniform(1, 9);
    }
}

/* A random grid of some of the ranks first ... end - 1. */
static place
random_place(int m, int n, int first, int end)
{
    const int nprocs = end - first;
    place x = {.i = 0};
    x.i = check_uniform(0, 1) * check_uniform(0, 20);
    x.j = check_uniform(0, 1) * check_uniform(0, 20);
    x.nprow = check_uniform(1, nprocs);
    x.npcol = check_uniform(1, nprocs / x.nprow);
    x.m = x.i + m + check_uniform(0, 1) * check_uniform(0, 5);
    x.n = x.j + n + check_uniform(0, 1) * check_uniform(0, 5);
    x.mb = random_block(m);
    x.nb = random_block(n);
    x.rsrc = check_uniform(0, x.nprow - 1);
    x.csrc = check_uniform(0, x.npcol - 1);
    for (int k = 0; k < nprocs; ++k)
        x.ranks[k] = first + k;
    for (int k = nprocs - 1; k > 0; --k) {
        const int other = check_uniform(0, k), r = x.ranks[k];
        x.ranks[k] = x.ranks[other];
        x.ranks[other] = r;
    }
    create(&x);
    return x;
}

/* The same grid with blocks that are multiples, so that there is a pattern; or
 * with other ones, which share a factor. */
static place
similar_place(const place *x)
{
    place y = *x;
    const int shift = check_uniform(0, 1) ? x->mb : 1;
    y.mb = check_uniform(0, 2) ? x->mb * check_uniform(1, 7)
                               : check_uniform(1, 9);
    y.nb = check_uniform(0, 2) ? x->nb * check_uniform(1, 7)
                               : check_uniform(1, 9);
    if (check_uniform(0, 1) && y.i >= shift)
        y.i -= shift;
    y.rsrc = check_uniform(0, y.nprow - 1);
    create(&y);
    return y;
}

/* Lengths that are equal, or any; what all have, or 0. */
static int
random_lengths(int n, int64_t *length)
{
    const int kind = check_uniform(0, 2), most = check_uniform(1, 9);
    int common = 1;
    for (int p = 0; p < n; ++p)
        length[p] = kind == 0                 ? most
                    : check_uniform(0, 4) > 0 ? check_uniform(1, most)
                                              : 0;
    if (kind > 0)
        length[check_uniform(0, n - 1)] = check_uniform(1, most);
    for (int p = 1; p < n; ++p)
        common = common && length[p] == length[0];
    return common ? (int)length[0] : 0;
}

/* The same grid, and the same submatrix, in generalized blocks. */
static void
generalize(place *x)
{
    hesca_layout_free(x->layout);
    x->is_generalized = 1;
    x->rsrc = x->csrc = 0;
    x->mb = random_lengths(x->nprow, x->heights);
    x->nb = random_lengths(x->npcol, x->widths);
    create(x);
}

/* A in generalized blocks whose widths are equal, and B, whose widths are a
 * multiple: rows stay, however they are cut, so that there is a pattern. */
static place
stretch(place *a)
{
    const int k = check_uniform(1, 7);
    generalize(a);
    hesca_layout_free(a->layout);
    a->nb = check_uniform(1, 4);
    for (int q = 0; q < a->npcol; ++q)
        a->widths[q] = a->nb;
    create(a);
    place b = *a;
    b.nb *= k;
    for (int q = 0; q < b.npcol; ++q)
        b.widths[q] = b.nb;
    create(&b);
    return b;
}

/* Position of a rank in the grid, -1 if it is not in it. */
static int
position(const place *x, int rank)
{
    for (int k = 0; k < x->nprow * x->npcol; ++k)
        if (x->ranks[k] == rank)
            return k;
    return -1;
}

/* One dimension of a matrix: blocks of one length, or lengths. */
typedef struct {
    int64_t nb;
    int src, np;
    const int64_t *length; /* NULL: all are nb */
} cuts;

static cuts
rows_of(const place *x)
{
    return (cuts){x->mb, x->rsrc, x->nprow,
                  x->is_generalized ? x->heights : NULL};
}

static cuts
cols_of(const place *x)
{
    return (cuts){x->nb, x->csrc, x->npcol,
                  x->is_generalized ? x->widths : NULL};
}

/* Where the part of process p begins in a generalized block; p = np: its
 * size. */
static int64_t
begin_of(cuts c, int p)
{
    int64_t sum = 0;
    for (int q = 0; q < p; ++q)
        sum += c.length[q];
    return sum;
}

static int
indxg2p(cuts c, int64_t i)
{
    int p = 0;
    if (c.length == NULL)
        return (int)((i / c.nb + c.src) % c.np);
    for (int64_t left = i % begin_of(c, c.np); left >= c.length[p]; ++p)
        left -= c.length[p];
    return p;
}

static int
owner_of(const place *x, int64_t i, int64_t j)
{
    const int p = indxg2p(rows_of(x), x->i + i);
    const int q = indxg2p(cols_of(x), x->j + j);
    return x->ranks[p * x->npcol + q];
}

/* TOOLS/indxl2g.f, counted from 0. */
static int64_t
indxl2g(cuts c, int64_t il, int iproc)
{
    if (c.length != NULL)
        return il / c.length[iproc] * begin_of(c, c.np) + begin_of(c, iproc) +
               il % c.length[iproc];
    return c.np * c.nb * (il / c.nb) + il % c.nb +
           (c.np + iproc - c.src) % c.np * c.nb;
}

/* ------------------------------------------------ contents */

static uint64_t
mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The bytes of element (i,j) of A. */
static void
content(uint64_t seed, int64_t i, int64_t j, size_t esize, char *x)
{
    uint64_t bits = mix(mix(seed + (uint64_t)i) + (uint64_t)j);
    for (size_t k = 0; k < esize; k += 8, bits = mix(bits))
        memcpy(x + k, &bits, esize - k < 8 ? esize - k : 8);
}

static int
inside(hesca_part part, int64_t m, int64_t n, int64_t i, int64_t j)
{
    const int64_t down = m > n ? m - n : 0, right = n > m ? n - m : 0;
    if (i < 0 || i >= m || j < 0 || j >= n)
        return 0;
    switch (part) {
    case HESCA_UPPER:
        return i <= j + down;
    case HESCA_UPPER_STRICT:
        return i < j + down;
    case HESCA_LOWER:
        return i >= j - right;
    case HESCA_LOWER_STRICT:
        return i > j - right;
    default:
        return 1;
    }
}

/* What is copied. */
typedef struct {
    hesca_part part;
    int m, n;
    size_t esize;
    uint64_t seed;       /* of the contents of A */
    const place *source; /* A: its elements' places tell their contents */
    char text[1200];
} copy;

/* One process's part of a matrix, between guards. */
typedef struct {
    const place *place;
    char *memory, *data;
    size_t size;
    int64_t ld, locr, locc;
    int64_t owned; /* elements of the submatrix */
    int prow, pcol, far;
} array;

/* The bytes of local element (il,jl) before and after the copy; il may be
 * beyond locr, which is the gap below a column.  Before, an element that is to
 * be written differs from what it will be in every bit. */
static void
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
    const int64_t i = indxl2g(rows_of(p), il, x->prow) - p->i;
    const int64_t j = indxl2g(cols_of(p), jl, x->pcol) - p->j;
    if (!inside(c->part, c->m, c->n, i, j))
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
static int
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
    x->data = x->memory + GUARD - mix(c->seed + (uint64_t)rank) % 16;
    return x->memory != NULL;
}

static void
release(array *x)
{
    if (x->far && x->memory != NULL)
        munmap(x->memory, x->size);
    else
        free(x->memory);
}

/* All elements of A, those of sub(A) and those around it. */
static void
fill_source(array *x, const copy *c)
{
    const place *p = x->place;
    for (int64_t jl = 0; jl < x->locc; ++jl)
        for (int64_t il = 0; il < x->locr; ++il)
            content(c->seed, indxl2g(rows_of(p), il, x->prow),
                    indxl2g(cols_of(p), jl, x->pcol), c->esize,
                    x->data + (size_t)(jl * x->ld + il) * c->esize);
}

static void
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
static void
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

/* ------------------------------------------------ what a plan tells */

/* A dimension with one owner is the same for all block sizes: a cached plan
 * may speak of another one. */
static int
same_shape(const hesca_shape *s, const place *x, int fresh_plan)
{
    return s->nprow == x->nprow && s->npcol == x->npcol &&
           (s->mb == x->mb || (x->nprow == 1 && !fresh_plan)) &&
           (s->nb == x->nb || (x->npcol == 1 && !fresh_plan));
}

/* Whether messages go from their origin to their destination. */
static int
is_direct(const char *schedule)
{
    return strcmp(schedule, "auto") == 0 ||
           strncmp(schedule, "direct", 6) == 0 ||
           strcmp(schedule, "alltoall") == 0 ||
           strcmp(schedule, "local") == 0 || strcmp(schedule, "none") == 0;
}

/* Whether it applies to all problems. */
static int
is_for_all(const char *schedule)
{
    return is_direct(schedule) || strcmp(schedule, "indirect") == 0 ||
           strcmp(schedule, "bruck") == 0 ||
           strcmp(schedule, "hybrid:0") == 0 ||
           strcmp(schedule, "openshop") == 0 ||
           strcmp(schedule, "polished") == 0 ||
           strcmp(schedule, "maxmatch") == 0;
}

/* schedule: what HESCA_SCHEDULE is; cached: -1 for plans of their own. */
static void
check_info(const hesca_plan_info *info, const copy *c, const place *a,
           const place *b, const char *schedule, int cached)
{
    int64_t total = 0, moved = 0;
    int leaves = 0, nsteps = 0;
    char meet[PROCS][PROCS] = {{0}};
    for (int64_t i = 0; i < c->m; ++i)
        for (int64_t j = 0; j < c->n; ++j) {
            const int in = inside(c->part, c->m, c->n, i, j);
            const int from = owner_of(a, i, j), to = owner_of(b, i, j);
            leaves = leaves || from != to;
            total += in;
            moved += in && from != to;
            meet[from][to] = 1;
        }
    CHECK(info->bytes_total == total * (int64_t)c->esize &&
              info->bytes_moved == moved * (int64_t)c->esize,
          "%s: %lld bytes, %lld moved, not %lld, %lld", c->text,
          (long long)info->bytes_total, (long long)info->bytes_moved,
          (long long)total * (long long)c->esize,
          (long long)moved * (long long)c->esize);
    CHECK(info->cached == (cached > 0), "%s: cached %d", c->text,
          info->cached);
    CHECK(same_shape(&info->a, a, cached < 0) &&
              same_shape(&info->b, b, cached < 0),
          "%s: %dx%d in %dx%d, %dx%d in %dx%d", c->text, info->a.mb,
          info->a.nb, info->a.nprow, info->a.npcol, info->b.mb, info->b.nb,
          info->b.nprow, info->b.npcol);
    /* What auto takes is for tests of choosing; also where the wish does not
     * apply. */
    const int free_choice =
        strcmp(schedule, "auto") == 0 || !is_for_all(schedule);
    const char *expected = free_choice ? info->schedule : schedule;
    if (c->m == 0 || c->n == 0)
        expected = "none";
    else if (!leaves && strcmp(schedule, "auto") == 0)
        expected = "local";
    CHECK(strcmp(info->schedule, expected) == 0, "%s: schedule %s, not %s",
          c->text, info->schedule, expected);
    if (!is_direct(schedule) || !is_direct(info->schedule))
        return;
    /* As many as the most partners of a process, itself among them. */
    for (int p = 0; p < PROCS; ++p) {
        int sends = 0, receives = 0;
        for (int q = 0; q < PROCS; ++q) {
            sends += meet[p][q];
            receives += meet[q][p];
        }
        nsteps = sends > nsteps ? sends : nsteps;
        nsteps = receives > nsteps ? receives : nsteps;
    }
    CHECK(info->nsteps == nsteps, "%s: %d steps, not %d", c->text,
          info->nsteps, nsteps);
}

/* ------------------------------------------------ communicators */

typedef struct {
    MPI_Comm comm;
    int rank, size;
    const char *schedule;
    char text[100];
} world;

/* What a process has to exchange: with processes of its node, with others. */
typedef struct {
    int near, far;
} exchanges;

/* All processes are on one machine; HESCA_NODE_SIZE parts it. */
static exchanges
find_exchanges(const world *w, const copy *c, const place *a, const place *b,
               const hesca_params *params)
{
    exchanges x = {0, 0};
    const int n = params->node_size > 0 ? params->node_size : w->size;
    for (int64_t i = 0; i < c->m; ++i)
        for (int64_t j = 0; j < c->n; ++j) {
            const int from = owner_of(a, i, j), to = owner_of(b, i, j);
            if (from == to || (from != w->rank && to != w->rank))
                continue;
            x.near |= from / n == to / n;
            x.far |= from / n != to / n;
        }
    return x;
}

/* How this process's messages go: through the window inside a node, by MPI
 * between nodes, and by MPI also where there is no window (yet). */
static void
check_transport(const hesca_plan_info *info, const world *w, const copy *c,
                const place *a, const place *b, int executed)
{
    const char *transport = info->transport;
    hesca_params params;
    if (!is_direct(w->schedule) || !is_direct(info->schedule))
        return; /* others' messages pass through, too */
    if (hesca_params_agreed(w->comm, &params) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    const exchanges x = find_exchanges(w, c, a, b, &params);
    const int collective = strcmp(w->schedule, "alltoall") == 0;
    const char *with = x.near  ? x.far ? "shm+mpi" : "shm"
                       : x.far ? "mpi"
                               : "self";
    const char *without = x.near || x.far ? "mpi" : "self";
    const int never = collective || params.transport == HESCA_TRANSPORT_MPI;
    const int ever = executed && params.transport >= HESCA_TRANSPORT_SHM;
    if (collective && !x.near && !x.far)
        return; /* it takes part in MPI's exchange */
    CHECK((strcmp(transport, with) == 0 && !never) ||
              (strcmp(transport, without) == 0 && (never || !ever)),
          "%s: by %s, not %s%s%s", c->text, transport, never ? without : with,
          never || ever ? "" : " or ", never || ever ? "" : without);
}

/* A communicator that HESCA has not seen, with these parameters: those of its
 * rank 0, whatever the others' environment says. */
static world
fresh(MPI_Comm base, const char *name, const char *schedule,
      const char *buffer)
{
    world w = {.schedule = schedule};
    hesca_params params;
    MPI_Comm_dup(base, &w.comm);
    MPI_Comm_rank(w.comm, &w.rank);
    MPI_Comm_size(w.comm, &w.size);
    snprintf(w.text, sizeof w.text, "%s of %d, %s, buffer %s", name, w.size,
             schedule, buffer == NULL ? "unset" : buffer);
    setenv("HESCA_SCHEDULE", w.rank == 0 ? schedule : "nonsense", 1);
    setenv("HESCA_FALLBACK", "silent", 1); /* what does not apply: auto */
    if (buffer != NULL)
        setenv("HESCA_BUFFER", w.rank == 0 ? buffer : "7 crates", 1);
    memset(&params, 0, sizeof params);
    const int err = hesca_params_agreed(w.comm, &params);
    CHECK(err == HESCA_SUCCESS && strcmp(params.schedule, schedule) == 0,
          "%s: %d, %s, schedule %s", w.text, err, hesca_error_text(),
          params.schedule);
    CHECK(buffer == NULL || params.buffer == 65536, "%s: buffer %zu", w.text,
          params.buffer);
    /* Read once: what comes later does not matter to this communicator. */
    setenv("HESCA_SCHEDULE", "nonsense", 1);
    CHECK(hesca_params_agreed(w.comm, &params) == HESCA_SUCCESS &&
              strcmp(params.schedule, schedule) == 0,
          "%s: %s", w.text, params.schedule);
    unsetenv("HESCA_SCHEDULE");
    unsetenv("HESCA_FALLBACK");
    unsetenv("HESCA_BUFFER");
    return w;
}

static void
describe(copy *c, const world *w, int number, const place *a, const place *b)
{
    snprintf(c->text, sizeof c->text,
             "case %d on %s, rank %d: %s of %dx%d, %zu bytes, {%s} to {%s}",
             number, w->text, w->rank, part_name[c->part], c->m, c->n,
             c->esize, a->text, b->text);
}

/* ------------------------------------------------ plans */

/* Execute; who owns nothing of the submatrix may pass anything. */
static int
execute(hesca_plan *plan, const array *a, array *b)
{
    return hesca_plan_execute(
        plan, a->owned > 0 ? a->data : NULL, a->owned > 0 ? a->ld : -5,
        b->owned > 0 ? b->data : NULL, b->owned > 0 ? b->ld : -7);
}

/* Plan and execute, as often as told, with new contents each time. */
static void
copy_once(const world *w, copy *c, const place *from, const array *a,
          const place *to, array *b, int times, const char *what)
{
    hesca_plan *plan = NULL;
    hesca_plan_info info;
    int err =
        hesca_plan_create(c->part, c->m, c->n, from->layout, from->i, from->j,
                          to->layout, to->i, to->j, c->esize, w->comm, &plan);
    CHECK(err == HESCA_SUCCESS && plan != NULL, "%s, %s: %d, %s", c->text,
          what, err, hesca_error_text());
    if (err < 0)
        return;
    CHECK(hesca_plan_get_info(plan, &info) == HESCA_SUCCESS, "%s", c->text);
    check_info(&info, c, from, to, w->schedule, -1);
    check_transport(&info, w, c, from, to, 0);
    for (int k = 0; k < times; ++k) {
        fill_target(b, c);
        err = execute(plan, a, b);
        CHECK(err == HESCA_SUCCESS, "%s, %s: %d, %s", c->text, what, err,
              hesca_error_text());
        check_target(b, c, what);
    }
    CHECK(hesca_plan_get_info(plan, &info) == HESCA_SUCCESS, "%s", c->text);
    check_transport(&info, w, c, from, to, 1);
    hesca_plan_free(plan);
}

/* A to B, and B to an A' laid out as A. */
static void
there_and_back(const world *w, copy *c, const place *pa, const place *pb)
{
    array a, b, back;
    const int more_a = check_uniform(0, 1) * check_uniform(0, 4);
    const int more_b = check_uniform(0, 1) * check_uniform(0, 4);
    const int times = check_uniform(0, 4) ? 1 : 3;
    c->source = pa;
    allocate(&a, pa, w->rank, c, more_a, 0);
    allocate(&b, pb, w->rank, c, more_b, 0);
    allocate(&back, pa, w->rank, c, more_b, 0);
    fill_source(&a, c);
    copy_once(w, c, pa, &a, pb, &b, times, "A to B");
    copy_once(w, c, pb, &b, pa, &back, 1, "B to A'");
    /* A' is A, bit for bit, by comparing the arrays themselves. */
    for (int64_t jl = 0; jl < a.locc; ++jl)
        for (int64_t il = 0; il < a.locr; ++il) {
            char before[ESIZE], after[ESIZE];
            const size_t esize = c->esize;
            local_element(&back, c, il, jl, before, after);
            if (memcmp(before, after, esize) != 0)
                CHECK(memcmp(a.data + (size_t)(jl * a.ld + il) * esize,
                             back.data + (size_t)(jl * back.ld + il) * esize,
                             esize) == 0,
                      "%s: A' differs from A at local (%lld,%lld)", c->text,
                      (long long)il, (long long)jl);
        }
    release(&a);
    release(&b);
    release(&back);
}

static void
random_cases(const world *w, int ncases, int most)
{
    for (int k = 0; k < ncases; ++k) {
        copy c = {.part = (hesca_part)(check_uniform(0, 1) *
                                       check_uniform(0, HESCA_LOWER_STRICT))};
        c.m = check_uniform(0, 19) ? check_uniform(1, most) : 0;
        c.n = check_uniform(0, 19) ? check_uniform(1, most) : 0;
        c.esize = (size_t)check_uniform(1, ESIZE);
        c.seed = check_random();
        place a = random_place(c.m, c.n, 0, w->size);
        place b = a;
        const int kind = check_uniform(0, 8); /* 0: A itself */
        if (kind == 1)
            b = stretch(&a);
        else if (kind > 4)
            b = similar_place(&a);
        else if (kind > 1)
            b = random_place(c.m, c.n, 0, w->size);
        if (kind > 1 && check_uniform(0, 2) == 0)
            generalize(&b);
        if (kind > 1 && check_uniform(0, 2) == 0)
            generalize(&a);
        describe(&c, w, k, &a, &b);
        there_and_back(w, &c, &a, &b);
        hesca_layout_free(a.layout);
        if (b.layout != a.layout)
            hesca_layout_free(b.layout);
    }
}

/* Messages larger than staging memory, columns longer than a chunk: many
 * rounds of every exchange. */
static void
long_messages(const world *w, hesca_part part, int m, int n, size_t esize)
{
    copy c = {.part = part, .m = m, .n = n, .esize = esize, .seed = 4711};
    place a = {.m = m + 3,
               .n = n + 1,
               .i = 2,
               .j = 1,
               .mb = 37,
               .nb = 3,
               .nprow = w->size};
    place b = {.m = m, .n = n, .mb = 301, .nb = 2, .npcol = 1};
    a.npcol = 1;
    b.nprow = w->size > 1 ? 2 : 1;
    b.npcol = w->size / b.nprow;
    b.rsrc = b.nprow - 1;
    for (int k = 0; k < w->size; ++k) {
        a.ranks[k] = k;
        b.ranks[k] = w->size - 1 - k;
    }
    create(&a);
    create(&b);
    describe(&c, w, -1, &a, &b);
    there_and_back(w, &c, &a, &b);
    hesca_layout_free(a.layout);
    hesca_layout_free(b.layout);
}

/* Onto itself, in the same layout: nothing changes. */
static void
in_place(const world *w)
{
    copy c = {.part = HESCA_ALL, .m = 33, .n = 21, .esize = 7, .seed = 5};
    place p = random_place(c.m, c.n, 0, w->size);
    array a, before;
    hesca_plan *plan = NULL;
    c.source = &p;
    describe(&c, w, -4, &p, &p);
    allocate(&a, &p, w->rank, &c, 2, 0);
    allocate(&before, &p, w->rank, &c, 2, 0);
    fill_source(&a, &c);
    fill_source(&before, &c);
    CHECK(hesca_plan_create(c.part, c.m, c.n, p.layout, p.i, p.j, p.layout,
                            p.i, p.j, c.esize, w->comm,
                            &plan) == HESCA_SUCCESS,
          "%s: %s", c.text, hesca_error_text());
    CHECK(execute(plan, &a, &a) == HESCA_SUCCESS, "%s: %s", c.text,
          hesca_error_text());
    CHECK(a.size == before.size &&
              (a.size == 0 || memcmp(a.memory, before.memory, a.size) == 0),
          "%s: onto itself", c.text);
    hesca_plan_free(plan);
    release(&a);
    release(&before);
    hesca_layout_free(p.layout);
}

/* Leading dimensions beyond 32 bits, in memory that is mostly untouched. */
static void
far_leading_dimensions(const world *w)
{
    copy c = {.part = HESCA_ALL, .m = 40, .n = 3 * w->size, .seed = 99};
    array a, b;
    int mine, all;
    hesca_plan *plan = NULL;
    c.esize = 3;
    place pa = {.m = 40, .n = c.n, .mb = 7, .nb = 1, .nprow = 1};
    place pb = {.m = 45, .n = c.n, .i = 5, .mb = 4, .nb = 2, .nprow = 1};
    pa.npcol = pb.npcol = w->size;
    for (int k = 0; k < w->size; ++k) {
        pa.ranks[k] = k;
        pb.ranks[(k + 1) % w->size] = k;
    }
    create(&pa);
    create(&pb);
    describe(&c, w, -2, &pa, &pb);
    c.source = &pa;
    mine = allocate(&a, &pa, w->rank, &c, ((int64_t)1 << 32) + 17, 1);
    mine = allocate(&b, &pb, w->rank, &c, ((int64_t)1 << 31) + 5, 1) && mine;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, w->comm);
    if (all) {
        fill_source(&a, &c);
        fill_target(&b, &c);
        CHECK(hesca_plan_create(c.part, c.m, c.n, pa.layout, pa.i, pa.j,
                                pb.layout, pb.i, pb.j, c.esize, w->comm,
                                &plan) == HESCA_SUCCESS,
              "%s: %s", c.text, hesca_error_text());
        CHECK(execute(plan, &a, &b) == HESCA_SUCCESS, "%s: %s", c.text,
              hesca_error_text());
        check_target(&b, &c, "leading dimensions of 2^32 and 2^31");
        hesca_plan_free(plan);
    } else if (w->rank == 0) {
        printf("no address space for leading dimensions beyond 32 bits\n");
    }
    release(&a);
    release(&b);
    hesca_layout_free(pa.layout);
    hesca_layout_free(pb.layout);
}

/* ------------------------------------------------ hesca_redistribute */

/* What this process knows of a matrix; nonsense if it is not in the grid. */
static hesca_side
side_of(const place *x, const array *data, int rank)
{
    const int k = position(x, rank);
    if (k < 0)
        return (hesca_side){0,  -7, -7, -7, -7, -7, -7,
                            -7, -7, -7, -7, -7, -7, -7};
    return (hesca_side){.member = 1,
                        .nprow = x->nprow,
                        .npcol = x->npcol,
                        .myrow = k / x->npcol,
                        .mycol = k % x->npcol,
                        .m = x->m,
                        .n = x->n,
                        .mb = x->mb,
                        .nb = x->nb,
                        .rsrc = x->rsrc,
                        .csrc = x->csrc,
                        .i = x->i,
                        .j = x->j,
                        .lld = data->ld};
}

/* One call with new contents; cached: 0, 1, or -1 for either. */
static void
redistribute(const world *w, copy *c, const place *pa, const place *pb,
             int cached, const char *what)
{
    array a, b;
    hesca_plan_info info;
    const int more_a = check_uniform(0, 3), more_b = check_uniform(0, 3);
    c->source = pa;
    c->seed = check_random();
    describe(c, w, -3, pa, pb);
    allocate(&a, pa, w->rank, c, more_a, 0);
    allocate(&b, pb, w->rank, c, more_b, 0);
    fill_source(&a, c);
    fill_target(&b, c);
    const hesca_side sa = side_of(pa, &a, w->rank);
    const hesca_side sb = side_of(pb, &b, w->rank);
    memset(&info, 0x77, sizeof info);
    const int err = hesca_redistribute(
        HESCA_SUCCESS, c->part, c->m, c->n, &sa, a.owned > 0 ? a.data : NULL,
        &sb, b.owned > 0 ? b.data : NULL, c->esize, w->comm,
        check_uniform(0, 3) ? &info : NULL);
    CHECK(err == HESCA_SUCCESS, "%s, %s: %d, %s", c->text, what, err,
          hesca_error_text());
    check_target(&b, c, what);
    if (info.cached != 0x77777777 && c->m > 0 && c->n > 0) {
        CHECK(cached < 0 || info.cached == cached, "%s, %s: cached %d",
              c->text, what, info.cached);
        check_info(&info, c, pa, pb, w->schedule, info.cached);
        check_transport(&info, w, c, pa, pb, 1);
    }
    release(&a);
    release(&b);
}

/* Grids that share no process, so that nobody knows both sides. */
static void
disjoint_grids(const world *w, int ncases)
{
    for (int k = 0; k < ncases && w->size > 1; ++k) {
        copy c = {.part = (hesca_part)(k % 5), .esize = 8};
        c.m = check_uniform(1, 30);
        c.n = check_uniform(1, 30);
        const int split = check_uniform(1, w->size - 1);
        const int swapped = check_uniform(0, 1);
        place x = random_place(c.m, c.n, 0, split);
        place y = random_place(c.m, c.n, split, w->size);
        const place *a = swapped ? &y : &x, *b = swapped ? &x : &y;
        redistribute(w, &c, a, b, 0, "disjoint grids");
        redistribute(w, &c, a, b, 1, "disjoint grids, again");
        redistribute(w, &c, a, b, 1, "disjoint grids, once more");
        /* B moves, which A's processes cannot see. */
        place z = *b;
        z.nb += 1;
        create(&z);
        redistribute(w, &c, a, &z, 0, "disjoint grids, other B");
        redistribute(w, &c, a, b, -1, "disjoint grids, B as it was");
        redistribute(w, &c, a, &z, -1, "disjoint grids, other B again");
        redistribute(w, &c, b, a, 0, "disjoint grids, back");
        hesca_layout_free(z.layout);
        hesca_layout_free(x.layout);
        hesca_layout_free(y.layout);
    }
}

/* Change one argument at a time: the plan must not be the cached one. */
static void
changed_arguments(const world *w)
{
    copy c = {.part = HESCA_ALL, .m = 20, .n = 18, .esize = 8};
    place a = {.m = 30, .n = 31, .i = 3, .j = 4, .mb = 3, .nb = 4};
    place b = {.m = 28, .n = 27, .i = 2, .j = 5, .mb = 5, .nb = 2};
    a.nprow = w->size;
    a.npcol = 1;
    b.nprow = 1;
    b.npcol = w->size;
    a.rsrc = a.nprow - 1;
    b.csrc = b.npcol - 1;
    for (int k = 0; k < w->size; ++k)
        a.ranks[k] = b.ranks[k] = k;
    create(&a);
    create(&b);
    redistribute(w, &c, &a, &b, 0, "first call");
    for (int k = 0; k < 22; ++k) {
        copy cc = c;
        place aa = a, bb = b;
        char what[50];
        int changed = 1;
        snprintf(what, sizeof what, "argument %d changed", k);
        switch (k) {
        case 0:
            cc.part = HESCA_UPPER;
            break;
        case 1:
            cc.m -= 1;
            break;
        case 2:
            cc.n += 1;
            break;
        case 3:
            cc.esize = 4;
            break;
        case 4:
            aa.m += 1;
            break;
        case 5:
            aa.n += 1;
            break;
        case 6:
            aa.mb += 1;
            break;
        case 7:
            aa.nb += 1;
            break;
        case 8:
            aa.i += 1;
            break;
        case 9:
            aa.j += 1;
            break;
        case 10:
            aa.rsrc = 0;
            changed = w->size > 1;
            break;
        case 11:
            bb.m += 1;
            break;
        case 12:
            bb.n += 1;
            break;
        case 13:
            bb.mb += 1;
            break;
        case 14:
            bb.nb += 1;
            break;
        case 15:
            bb.i += 1;
            break;
        case 16:
            bb.j += 1;
            break;
        case 17:
            bb.csrc = 0;
            changed = w->size > 1;
            break;
        case 18: /* two ranks change places */
            aa.ranks[0] = w->size - 1;
            aa.ranks[w->size - 1] = 0;
            changed = w->size > 1;
            break;
        case 19:
            bb.nprow = w->size;
            bb.npcol = 1;
            bb.csrc = 0;
            changed = w->size > 1;
            break;
        case 20:
            cc.part = HESCA_LOWER_STRICT;
            break;
        default:
            aa = b;
            bb = a;
        }
        create(&aa);
        create(&bb);
        /* An axis with one owner is the same for any block size. */
        const int one = (k == 7 || k == 13) ||
                        (w->size == 1 && k < 18 && (k == 6 || k == 14));
        redistribute(w, &cc, &aa, &bb, one ? -1 : !changed, what);
        redistribute(w, &cc, &aa, &bb, 1, what);
        /* Processes that see no difference between both calls take the plan
         * used last: then all look for the right one together. */
        redistribute(w, &c, &a, &b, one || k == 18 ? -1 : 1, "as at first");
        hesca_layout_free(aa.layout);
        hesca_layout_free(bb.layout);
    }
    hesca_layout_free(a.layout);
    hesca_layout_free(b.layout);
}

/* More different calls than the cache keeps. */
static void
evictions(const world *w)
{
    enum { CALLS = HESCA_CACHE_PLANS + 6 };
    copy c = {.part = HESCA_ALL, .esize = 5};
    place a = {.m = CALLS, .n = 90, .mb = 2, .nb = 3, .nprow = 1};
    place b = {.m = CALLS, .n = 90, .mb = 4, .nb = 1, .npcol = 1};
    a.npcol = b.nprow = w->size;
    for (int k = 0; k < w->size; ++k)
        a.ranks[k] = b.ranks[k] = k;
    create(&a);
    create(&b);
    for (int k = 0; k < CALLS; ++k) {
        c.m = 1 + k;
        c.n = 7;
        redistribute(w, &c, &a, &b, 0, "a new call");
    }
    /* The last ones are there; used in turn, all stay. */
    for (int k = CALLS - 1; k >= CALLS - HESCA_CACHE_PLANS; --k) {
        c.m = 1 + k;
        redistribute(w, &c, &a, &b, 1, "a kept call");
    }
    for (int k = 0; k < 6; ++k) {
        c.m = 1 + k;
        redistribute(w, &c, &a, &b, 0, "a forgotten call");
    }
    hesca_layout_free(a.layout);
    hesca_layout_free(b.layout);
}

static void
random_calls(const world *w, int ncases)
{
    for (int k = 0; k < ncases; ++k) {
        copy c = {.part = (hesca_part)check_uniform(0, HESCA_LOWER_STRICT)};
        c.m = check_uniform(0, 9) ? check_uniform(1, 40) : 0;
        c.n = check_uniform(0, 9) ? check_uniform(1, 40) : 0;
        c.esize = (size_t)check_uniform(1, ESIZE);
        place a = random_place(c.m, c.n, 0, w->size);
        place b = random_place(c.m, c.n, 0, w->size);
        for (int again = 0; again < 2; ++again)
            redistribute(w, &c, &a, &b, again, "a random call");
        hesca_layout_free(a.layout);
        hesca_layout_free(b.layout);
    }
}

/* Communicators come and go, some while others are alive, the older ones
 * first or last. */
static void
communicators(MPI_Comm base)
{
    world first = fresh(base, "the first", "auto", NULL);
    world second = fresh(base, "the second", "direct", NULL);
    world third = fresh(base, "the third", "alltoall", NULL);
    random_calls(&second, 2);
    random_calls(&first, 2);
    random_calls(&third, 2);
    MPI_Comm_free(&first.comm);
    random_calls(&second, 2);
    random_calls(&third, 2);
    MPI_Comm_free(&second.comm);
    random_calls(&third, 2);
    MPI_Comm_free(&third.comm);
    world old = fresh(base, "a lasting one", "auto", NULL);
    random_calls(&old, 3);
    for (int k = 0; k < 5; ++k) {
        world w = fresh(k % 2 ? old.comm : base, "a short-lived one",
                        k % 2 ? "alltoall" : "direct", NULL);
        random_calls(&w, 3);
        random_cases(&w, 2, 20);
        changed_arguments(&w);
        MPI_Comm_free(&w.comm);
        random_calls(&old, 1);
    }
    MPI_Comm_free(&old.comm);
}

/* ------------------------------------------------ all of it */

static void
on_subset(int number, MPI_Comm base, int color, int order, const char *name,
          uint64_t seed, int ncases)
{
    MPI_Comm part;
    check_state = seed + (uint64_t)number;
    MPI_Comm_split(base, color, order, &part);
    if (part != MPI_COMM_NULL) {
        world w =
            fresh(part, name, number % 2 ? "direct" : "direct-async", NULL);
        random_cases(&w, ncases, 30);
        random_calls(&w, ncases);
        MPI_Comm_free(&w.comm);
        MPI_Comm_free(&part);
    }
    check_state = seed + (uint64_t)number; /* all alike again */
}

int
main(int argc, char **argv)
{
    static const char *const schedules[] = {"auto", "direct", "direct-async",
                                            "alltoall"};
    static const char *const relays[] = {
        "indirect", "hybrid:0",   "hybrid:1", "hybrid:2",
        "bruck",    "openshop",   "polished", "maxmatch",
        "lcm",      "multiphase", "gcd",      "two-phase"};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > PROCS) {
        if (rank == 0)
            printf("at most %d processes\n", PROCS);
        MPI_Finalize();
        return 77;
    }
    const uint64_t seed = check_seed(20260107) + (uint64_t)size;
    const char *wish = getenv("HESCA_TEST_CASES");
    const int usual = size <= 2 ? 100 : size <= 4 ? 50 : 30;
    const int ncases = wish != NULL ? atoi(wish) : check_cases(usual);
    if (rank == 0)
        printf("%d processes, seed %llu\n", size,
               (unsigned long long)(seed - (uint64_t)size));
    check_state = seed;
    for (int k = 0; k < 8; ++k) {
        world w = fresh(MPI_COMM_WORLD, "all", schedules[k % 4],
                        k < 4 ? NULL : "64K");
        random_cases(&w, ncases, k < 4 ? 30 : 60);
        random_calls(&w, ncases / 2);
        disjoint_grids(&w, 3);
        if (k >= 4) {
            long_messages(&w, HESCA_ALL, 9000, 7, 8);
            long_messages(&w, HESCA_LOWER, 2500, 12, 23);
            long_messages(&w, HESCA_UPPER_STRICT, 60, 900, 16);
        }
        if (k == 0) {
            in_place(&w);
            far_leading_dimensions(&w);
            changed_arguments(&w);
            evictions(&w);
        }
        MPI_Comm_free(&w.comm);
    }
    for (size_t k = 0; k < 2 * sizeof relays / sizeof *relays; ++k) {
        world w =
            fresh(MPI_COMM_WORLD, "all", relays[k / 2], k % 2 ? "64K" : NULL);
        random_cases(&w, ncases / 2, k % 2 ? 60 : 30);
        random_calls(&w, ncases / 8);
        disjoint_grids(&w, 1);
        if (k % 2 && is_for_all(relays[k / 2]))
            long_messages(&w, HESCA_LOWER, 2500, 12, 23);
        MPI_Comm_free(&w.comm);
    }
    on_subset(1, MPI_COMM_WORLD, 0, -rank, "reversed", seed, ncases / 4);
    on_subset(2, MPI_COMM_WORLD, rank % 2, rank, "every other", seed,
              ncases / 4);
    on_subset(3, MPI_COMM_WORLD, rank < size - 1 ? 0 : MPI_UNDEFINED, -rank,
              "all but the last, reversed", seed, ncases / 4);
    communicators(MPI_COMM_WORLD);
    /* One that HESCA has to free in MPI_Finalize. */
    random_calls(&(world){MPI_COMM_WORLD, rank, size, "auto", "the world"}, 2);
    const int failed = check_done("t_plan");
    MPI_Finalize();
    return failed;
}

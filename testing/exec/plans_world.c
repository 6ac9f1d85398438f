/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of t_plan, and what plans must report of themselves there. */
#include "hesca/experimental/param.h"
#include "testing/check.h"
#include "testing/exec/plans.h"
#include "testing/trapezoid.h"
#include <string.h>

static const char *const part_name[] = {"all", "upper", "strict upper",
                                        "lower", "strict lower"};

/* ------------------------------------------------ what a plan reports */

/* A dimension with one owner is the same for all block sizes: a cached plan
 * may report another one. */
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
int
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
void
check_info(const hesca_plan_info *info, const copy *c, const place *a,
           const place *b, const char *schedule, int cached)
{
    int64_t total = 0, moved = 0;
    int leaves = 0, nsteps = 0;
    char meet[PROCS][PROCS] = {{0}};
    for (int64_t i = 0; i < c->m; ++i)
        for (int64_t j = 0; j < c->n; ++j) {
            const int in = trapezoid_has(c->part, c->m, c->n, i, j);
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
void
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
world
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

void
describe(copy *c, const world *w, int number, const place *a, const place *b)
{
    snprintf(c->text, sizeof c->text,
             "case %d on %s, rank %d: %s of %dx%d, %zu bytes, {%s} to {%s}",
             number, w->text, w->rank, part_name[c->part], c->m, c->n,
             c->esize, a->text, b->text);
}

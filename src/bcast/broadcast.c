#include "hesca/broadcast.h"
#include "base/status.h"
#include "bcast/fault_tolerant.h"
#include "bcast/growth.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const hesca_caster *const hesca_casters[] = {
    &hesca_caster_sequential,
    &hesca_caster_binomial,
    &hesca_caster_fnf,
    &hesca_caster_fnf_min,
    &hesca_caster_fef,
    &hesca_caster_ecef,
    &hesca_caster_lookahead,
    &hesca_caster_lookahead_avg,
    &hesca_caster_lookahead_senders,
    &hesca_caster_near_far,
    &hesca_caster_progressive_mst,
    &hesca_caster_two_phase,
    &hesca_caster_balanced_mst,
    &hesca_caster_chain,
    &hesca_caster_graft,
    &hesca_caster_optimum,
    NULL,
};

const hesca_caster *
hesca_caster_find(const char *name)
{
    for (int i = 0; hesca_casters[i] != NULL; ++i)
        if (strcmp(hesca_casters[i]->name, name) == 0)
            return hesca_casters[i];
    return NULL;
}

/* What can be said of a pair without the others.  The costs of all pairs
 * together must be finite: casters add them. */
static int
check_pair(const hesca_cast *x, int i, int j)
{
    const double most = DBL_MAX / 4 / x->nproc / x->nproc;
    const double c = hesca_cast_cost(x, i, j), s = hesca_cast_busy(x, i, j);
    if (!(c > 0))
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: from %d to %d a message costs %g "
                          "seconds: must be > 0",
                          i, j, c);
    if (c > most && !isinf(c))
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: from %d to %d a message costs %g "
                          "seconds: must be at most %g, or infinite",
                          i, j, c, most);
    if (!(s >= 0 && s <= c))
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: from %d to %d the start-up takes %g "
                          "seconds: must be >= 0 and at most %g, the cost",
                          i, j, s, c);
    return HESCA_SUCCESS;
}

static int
check_numbers(const hesca_cast *x)
{
    if (x->nproc < 1)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: %d processes: must be >= 1", x->nproc);
    if (x->root < 0 || x->root >= x->nproc)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: root is %d: must be 0 ... %d", x->root,
                          x->nproc - 1);
    if (x->copies < 0 || x->copies > 2)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: %d copies: must be 0 ... 2", x->copies);
    if (x->dest != NULL && (x->ndest < 0 || x->ndest >= x->nproc))
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: %d destinations of %d processes",
                          x->ndest, x->nproc);
    return HESCA_SUCCESS;
}

static int
check_destinations(const hesca_cast *x, char *seen)
{
    memset(seen, 0, (size_t)x->nproc);
    for (int k = 0; x->dest != NULL && k < x->ndest; ++k) {
        const int j = x->dest[k];
        if (j < 0 || j >= x->nproc || j == x->root)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "broadcast: destination %d is process %d: must "
                              "be 0 ... %d and not root",
                              k, j, x->nproc - 1);
        if (seen[j])
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "broadcast: process %d is a destination twice",
                              j);
        seen[j] = 1;
    }
    return HESCA_SUCCESS;
}

/* Every destination has an earliest reach time. */
static int
check_reach(const hesca_cast *x, char *wanted)
{
    double *ert = malloc((size_t)x->nproc * sizeof *ert);
    int err = HESCA_SUCCESS;
    if (ert == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "times of %d processes",
                          x->nproc);
    HESCA_TRY(err, hesca_cast_reach(x, ert));
    hesca_cast_wanted(x, wanted);
    for (int j = 0; j < x->nproc; ++j)
        if (wanted[j] && isinf(ert[j])) {
            err = hesca_fail(HESCA_ERR_ARG, 0,
                             "broadcast: process %d cannot be reached from "
                             "%d%s",
                             j, x->root,
                             x->dest != NULL && !x->relays
                                 ? " through destinations alone"
                                 : "");
            break;
        }
fail:
    free(ert);
    return err;
}

int
hesca_cast_check(const hesca_cast *x)
{
    int err = check_numbers(x);
    if (err < 0)
        return err;
    char *seen = malloc((size_t)x->nproc);
    if (seen == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", x->nproc);
    HESCA_TRY(err, check_destinations(x, seen));
    for (int i = 0; i < x->nproc; ++i)
        for (int j = 0; j < x->nproc; ++j)
            if (i != j)
                HESCA_TRY(err, check_pair(x, i, j));
    HESCA_TRY(err, check_reach(x, seen));
fail:
    free(seen);
    return err;
}

/* Insertion: it keeps the order of equal ones, needs no memory, and takes no
 * longer than casters do. */
void
hesca_broadcast_sort(hesca_broadcast *b)
{
    for (int k = 1; k < b->n; ++k) {
        const hesca_send s = b->send[k];
        int at = k;
        for (; at > 0 && b->send[at - 1].start > s.start; --at)
            b->send[at] = b->send[at - 1];
        b->send[at] = s;
    }
}

double
hesca_broadcast_finish(const hesca_broadcast *b, const char *wanted)
{
    double finish = 0;
    for (int k = 0; k < b->n; ++k)
        if (wanted[b->send[k].dest] && b->send[k].end > finish)
            finish = b->send[k].end;
    return finish;
}

int
hesca_cast_make(const hesca_caster *caster, const hesca_cast *cast,
                hesca_broadcast *b)
{
    int err;
    char *wanted = NULL;
    *b = (hesca_broadcast){.n = 0};
    HESCA_TRY(err, hesca_cast_check(cast));
    if (cast->nproc > caster->most)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                                  "%s: %d processes: must be at most %d",
                                  caster->name, cast->nproc, caster->most));
    wanted = malloc((size_t)cast->nproc);
    b->send = malloc((size_t)cast->nproc * 2 * sizeof *b->send);
    if (wanted == NULL || b->send == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "sends of %d processes",
                                  cast->nproc));
    HESCA_TRY(err, caster->make(caster, cast, b));
    hesca_cast_wanted(cast, wanted);
    b->finish = hesca_broadcast_finish(b, wanted);
    if (cast->copies == 2)
        HESCA_TRY(err, hesca_redundant_add(cast, b));
    hesca_broadcast_sort(b);
fail:
    free(wanted);
    if (err < 0)
        hesca_broadcast_clear(b);
    return err;
}

void
hesca_broadcast_clear(hesca_broadcast *b)
{
    free(b->send);
    *b = (hesca_broadcast){.n = 0};
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/ready_queue.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>

/* Play the games of sender i up to the root.  A sender without events left has
 * time INFINITY, so it loses to all others. */
static void
play(hesca_ready_queue *s, int i)
{
    const hesca_unscheduled *p = s->p;
    const double time = p->left[i] > 0 ? p->send[i] : INFINITY;
    hesca_ready_sender up = hesca_ready_sender_at(time, i);
    for (int k = (i + p->x->nproc) / 2; k > 0; k /= 2) {
        hesca_ready_sender *here = &s->tree[k];
        const uint64_t lost = -(uint64_t)hesca_ready_before(*here, up);
        const uint64_t time_change = (here->time ^ up.time) & lost;
        const int64_t rank_change = (here->rank ^ up.rank) & (int64_t)lost;
        here->time ^= time_change;
        here->rank ^= rank_change;
        up.time ^= time_change;
        up.rank ^= rank_change;
    }
    s->tree[0] = up;
}

/* Initially all nodes have a dummy, time 0 and number -1, which wins every
 * game; so no dummy is left when all senders have played. */
int
hesca_ready_queue_init(hesca_ready_queue *s, const hesca_unscheduled *p)
{
    const int nproc = p->x->nproc;
    *s = (hesca_ready_queue){.p = p};
    s->tree = malloc((size_t)nproc * sizeof *s->tree);
    if (s->tree == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d senders", nproc);
    for (int k = 0; k < nproc; ++k)
        s->tree[k] = hesca_ready_sender_at(0, -1);
    for (int i = 0; i < nproc; ++i)
        play(s, i);
    return HESCA_SUCCESS;
}

int
hesca_ready_queue_first(const hesca_ready_queue *s)
{
    const hesca_ready_sender first = s->tree[0];
    return hesca_ready_sender_time(first) < INFINITY ? (int)first.rank : -1;
}

void
hesca_ready_queue_update(hesca_ready_queue *s)
{
    play(s, (int)s->tree[0].rank);
}

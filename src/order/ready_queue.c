#include "order/ready_queue.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>

/* Sender i, with nothing left never free again, plays its way up. */
static void
play(hesca_senders *s, int i)
{
    const hesca_pending *p = s->p;
    const double time = p->left[i] > 0 ? p->send[i] : INFINITY;
    hesca_turn up = hesca_turn_at(time, i);
    for (int k = (i + p->x->nproc) / 2; k > 0; k /= 2) {
        hesca_turn *here = &s->tree[k];
        const uint64_t lost = -(uint64_t)hesca_before(*here, up);
        const uint64_t time_change = (here->time ^ up.time) & lost;
        const int64_t who_change = (here->who ^ up.who) & (int64_t)lost;
        here->time ^= time_change;
        here->who ^= who_change;
        up.time ^= time_change;
        up.who ^= who_change;
    }
    s->tree[0] = up;
}

/* At first nodes are held by nobody, who wins every game and so is out of the
 * tree when all have played. */
int
hesca_senders_begin(hesca_senders *s, const hesca_pending *p)
{
    const int nproc = p->x->nproc;
    *s = (hesca_senders){.p = p};
    s->tree = malloc((size_t)nproc * sizeof *s->tree);
    if (s->tree == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d senders", nproc);
    for (int k = 0; k < nproc; ++k)
        s->tree[k] = hesca_turn_at(0, -1);
    for (int i = 0; i < nproc; ++i)
        play(s, i);
    return HESCA_SUCCESS;
}

int
hesca_senders_first(const hesca_senders *s)
{
    const hesca_turn first = s->tree[0];
    return hesca_turn_time(first) < INFINITY ? (int)first.who : -1;
}

void
hesca_senders_renew(hesca_senders *s)
{
    play(s, (int)s->tree[0].who);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/unscheduled.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

static int
alloc(hesca_unscheduled *p, int nproc, int64_t words)
{
    const size_t n = (size_t)nproc;
    p->bits = calloc(words > 0 ? (size_t)words : 1, sizeof *p->bits);
    p->sent = malloc(2 * n * sizeof *p->sent);
    p->left = malloc(n * sizeof *p->left);
    p->send = calloc(2 * n, sizeof *p->send);
    if (p->bits == NULL || p->sent == NULL || p->left == NULL ||
        p->send == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "schedule of %d processes",
                          nproc);
    p->received = p->sent + nproc;
    p->recv = p->send + nproc;
    return HESCA_SUCCESS;
}

int
hesca_unscheduled_init(hesca_unscheduled *p, const hesca_events *x,
                       const hesca_ready *ready, hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    const size_t n = (size_t)x->nproc;
    *p = (hesca_unscheduled){.x = x, .t = t};
    HESCA_TRY(err, hesca_timetable_alloc(t, x));
    p->word = malloc((n + 1) * sizeof *p->word);
    if (p->word == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "sets of %d processes",
                                  x->nproc));
    p->word[0] = 0;
    for (int i = 0; i < x->nproc; ++i)
        p->word[i + 1] =
            p->word[i] + (x->first[i + 1] - x->first[i] + 63) / 64;
    HESCA_TRY(err, alloc(p, x->nproc, p->word[n]));
    memcpy(p->sent, x->first, n * sizeof *p->sent);
    memcpy(p->received, t->recv_first, n * sizeof *p->received);
    if (ready != NULL && ready->send != NULL)
        memcpy(p->send, ready->send, n * sizeof *p->send);
    if (ready != NULL && ready->recv != NULL)
        memcpy(p->recv, ready->recv, n * sizeof *p->recv);
    for (int i = 0; i < x->nproc; ++i) {
        p->left[i] = (int)(x->first[i + 1] - x->first[i]);
        for (int k = 0; k < p->left[i]; ++k)
            p->bits[p->word[i] + (k >> 6)] |= (uint64_t)1 << (k & 63);
    }
fail:
    return err;
}

void
hesca_unscheduled_clear(hesca_unscheduled *p)
{
    free(p->bits);
    free(p->word);
    free(p->sent);
    free(p->left);
    free(p->send);
    *p = (hesca_unscheduled){0};
}

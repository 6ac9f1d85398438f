/* SPDX-License-Identifier: BSD-3-Clause */
#include "hohe/decision_cache.h"
#include "base/hash.h"
#include "base/status.h"
#include "hohe/hohe_decide.h"
#include <stdlib.h>
#include <string.h>

int64_t
hesca_hohe_digest(const hesca_hohe_key *key)
{
    return hesca_hash_end(hesca_hash_bytes(HESCA_HASH, key, sizeof *key));
}

void
hesca_hohe_entry_empty(hesca_hohe_entry *x)
{
    hesca_plan_free(x->in);
    hesca_plan_free(x->out);
    hesca_background_free(x->copies);
    x->in = x->out = NULL;
    x->copies = NULL;
    hesca_hohe_cut_clear(&x->cut);
    hesca_layout_free(x->a);
    hesca_layout_free(x->b);
    x->a = x->b = NULL;
    hesca_hohe_other_grid_clear(&x->other);
}

void
hesca_hohe_entry_free(hesca_hohe_entry *x)
{
    if (x == NULL)
        return;
    for (int w = 0; w < HESCA_WAYS; ++w)
        hesca_hohe_entry_free(x->tried[w]);
    hesca_hohe_entry_empty(x);
    free(x->ranks);
    free(x);
}

static void
free_decisions(hesca_comm *c)
{
    if (c->hohe == NULL)
        return;
    hesca_hohe_end_agreement(c);
    while (c->hohe->first != NULL) {
        hesca_hohe_entry *x = c->hohe->first;
        c->hohe->first = x->next;
        hesca_hohe_entry_free(x);
    }
    hesca_hohe_entry_free(c->hohe->spare);
    free(c->hohe->message);
    free(c->hohe->speed);
    free(c->hohe);
    c->hohe = NULL;
}

int
hesca_hohe_prepare(hesca_comm *c)
{
    if (c->hohe != NULL)
        return HESCA_SUCCESS;
    c->hohe = calloc(1, sizeof *c->hohe);
    c->drop[HESCA_STATE_HOHE] = free_decisions;
    return c->hohe != NULL
               ? HESCA_SUCCESS
               : hesca_fail(HESCA_ERR_NOMEM, 0, "decisions of a communicator");
}

hesca_hohe_entry *
hesca_hohe_find(hesca_comm *c, const hesca_hohe_key *key)
{
    if (c->hohe == NULL)
        return NULL;
    for (hesca_hohe_entry **link = &c->hohe->first, *x; (x = *link) != NULL;
         link = &x->next)
        if (memcmp(&x->key, key, sizeof *key) == 0) {
            *link = x->next;
            x->next = c->hohe->first;
            c->hohe->first = x;
            return x;
        }
    return NULL;
}

void
hesca_hohe_remove(hesca_comm *c, hesca_hohe_entry *entry)
{
    hesca_hohe_entry **link = &c->hohe->first;
    while (*link != entry)
        link = &(*link)->next;
    *link = entry->next;
    if (c->hohe->timed == entry)
        c->hohe->timed = NULL;
    hesca_hohe_entry_free(entry);
    --c->hohe->n;
}

void
hesca_hohe_add(hesca_comm *c, hesca_hohe_entry *entry)
{
    hesca_hohe_entry *last = c->hohe->first;
    if (c->hohe->n == HESCA_HOHE_DECISIONS) {
        while (last->next != NULL)
            last = last->next;
        hesca_hohe_remove(c, last);
    }
    entry->next = c->hohe->first;
    c->hohe->first = entry;
    ++c->hohe->n;
}

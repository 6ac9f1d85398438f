/** \file hohe/decision_cache.h
 * What was decided and planned for calls of one communicator, found again by
 * their global arguments.
 *
 * Entries are added and dropped at the same calls on all processes, so that
 * all find the same. */
#ifndef HESCA_HOHE_DECISION_CACHE_H
#define HESCA_HOHE_DECISION_CACHE_H

#include "hohe/other_grid.h"

/** Most entries of a communicator. */
enum { HESCA_HOHE_DECISIONS = 32 };

/** What a decision depends on; compared byte by byte, so it is zeroed before
 * it is filled. */
typedef struct {
    hesca_hohe_job job; /* sides without what is local; of factorizations A and
                           B are zero */
    int64_t variant;    /* letters */
    int64_t reaches;    /* 1: the real routine, on other grids */
} hesca_hohe_key;

/** A decision, and what it takes to carry it out. */
typedef struct hesca_hohe_entry {
    hesca_hohe_key key;
    hesca_hohe_info info; /* way: that it is to go */
    /* HoHe: */
    hesca_hohe_cut cut;
    hesca_layout *a, *b;  /* where sub(A) and sub(B) are; NULL: nowhere */
    hesca_plan *in, *out; /* of the copies; in may be NULL */
    /* Another grid: */
    hesca_hohe_other_grid there;
    struct hesca_hohe_entry *next;
} hesca_hohe_entry;

struct hesca_hohe_decisions {
    hesca_hohe_entry *first; /* by last use, the latest first */
    int n;
    int differ[HESCA_GESV + 1]; /* by routine: whether hosts do, 1 or -1; 0: it
                                   is not known */
};

/** The entry of a key, which becomes the one used last; NULL: none. */
hesca_hohe_entry *hesca_hohe_find(hesca_comm *c, const hesca_hohe_key *key);

/** Keep a new entry; the one unused for longest goes if there are too many. */
void hesca_hohe_keep(hesca_comm *c, hesca_hohe_entry *entry);

void hesca_hohe_entry_free(hesca_hohe_entry *entry);

/** Free what carrying a call out takes: all but the decision. */
void hesca_hohe_entry_empty(hesca_hohe_entry *entry);

/** Somewhere to keep entries.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM; the communicator frees it. */
int hesca_hohe_prepare(hesca_comm *c);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hohe/decision_cache.h
 * The decisions and plans for calls of one communicator, found by their global
 * arguments.
 *
 * Entries are added and freed at the same calls on all processes, so that all
 * find the same ones. */
#ifndef HESCA_HOHE_DECISION_CACHE_H
#define HESCA_HOHE_DECISION_CACHE_H

#include "exec/agree.h"
#include "exec/background.h"
#include "hohe/other_grid.h"
#include "hohe/trial.h"

/** Most entries of a communicator. */
enum { HESCA_HOHE_DECISIONS = 32 };

/** The arguments that a decision depends on. Keys are compared byte by byte,
 * so a key is zeroed before it is filled. */
typedef struct {
    hesca_hohe_job job; /* sides without local members; of factorizations A and
                           B are zero */
    int64_t variant;    /* letters */
    int64_t reaches;    /* 1: the original routine can run on other grids */
} hesca_hohe_key;

/** A decision, and the plans to execute it. */
typedef struct hesca_hohe_entry {
    hesca_hohe_key key;
    hesca_hohe_info info; /* way: the chosen one */
    /* HoHe: */
    hesca_hohe_cut cut;
    hesca_layout *a, *b;      /* layouts of A and B; NULL: none */
    hesca_plan *in, *out;     /* of the copies; NULL: none */
    hesca_background *copies; /* in place of both, while it is computed */
    /* Another grid: */
    hesca_hohe_other_grid other;
    /* What has been learnt from calls: */
    hesca_hohe_trial trial;
    int is_bounded; /* of other ways only a lower bound was predicted */
    int waits;      /* other ways were not predicted: a short call */
    int uses;       /* found again, so many times */
    double usual;   /* (local) seconds of a call by the way that stays; 0: not
                       known */
    int unusual;    /* (local) the last calls that took another time, so many;
                       negative: less */
    double raw[HESCA_WAYS]; /* predictions before hesca_hohe_correct() */
    int *ranks;             /* [2 * size]: of HoHe's grid if it is not the
                               program's, and of the other grid, row by row */
    struct hesca_hohe_entry *tried[HESCA_WAYS]; /* by way; NULL: not tried, or
                                                   the decision's own */
    struct hesca_hohe_entry *next;
} hesca_hohe_entry;

/** A hash of a key, >= 0. */
int64_t hesca_hohe_digest(const hesca_hohe_key *key);

/** What the process that decides tells the others (decision_share.c). */
typedef struct hesca_hohe_message hesca_hohe_message;

struct hesca_hohe_decisions {
    hesca_hohe_entry *first; /* most recently used first */
    int n;
    hesca_hohe_entry *timed;    /* of the call that is being timed, or NULL */
    double start;               /* when it began */
    int differ[HESCA_ROUTINES]; /* by routine: 1: hosts differ, -1:
                                   they do not, 0: not known */
    double waited[HESCA_ROUTINES]; /* seconds of short calls that were left,
                                      because ways are not predicted yet */
    hesca_hohe_entry *compared;  /* of the call whose arguments are still being
                                    compared, or NULL */
    hesca_agreement agreement;   /* of that */
    hesca_hohe_entry *spare;     /* for the next decision; NULL: none yet */
    int is_reserved;             /* all processes have it, and what follows */
    hesca_hohe_message *message; /* work space of decision_share.c */
    double *speed;               /* [size] likewise */
};

/** The entry of a key, which becomes the most recently used one; NULL:
 * none. */
hesca_hohe_entry *hesca_hohe_find(hesca_comm *c, const hesca_hohe_key *key);

/** Add a new entry; if there are too many, the least recently used one is
 * freed. */
void hesca_hohe_add(hesca_comm *c, hesca_hohe_entry *entry);

/** Remove an entry, and free it. */
void hesca_hohe_remove(hesca_comm *c, hesca_hohe_entry *entry);

void hesca_hohe_entry_free(hesca_hohe_entry *entry);

/** Free the plans of an entry: all but the decision. */
void hesca_hohe_entry_empty(hesca_hohe_entry *entry);

/** Create the cache of a communicator.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM; the communicator frees it. */
int hesca_hohe_prepare(hesca_comm *c);

#endif

/** \file exec/plan.h
 * A plan: one redistribution, scheduled, with all that one process needs to
 * carry it out. */
#ifndef HESCA_EXEC_PLAN_H
#define HESCA_EXEC_PLAN_H

#include "exec/comm.h"
#include "exec/copy_runs.h"
#include "exec/pack.h"
#include "exec/record.h"
#include "exec/single_copy.h"
#include "sched/sched.h"

/** The rows, or the columns, that this process has in common with one process
 * row, or column, of the other grid; in one of the cuts that it has there. */
typedef struct {
    hesca_overlap overlap;
    hesca_runs runs; /* of rows only */
} hesca_lane;

/** This process as a member of one grid. */
typedef struct {
    int member, prow, pcol;
    int64_t locr, locc; /* its local array */
    struct {
        int64_t row, col, rows, cols;
    } sub;         /* the rectangle of it that is the submatrix's */
    int64_t count; /* elements of that */
    int nrow_lanes, ncol_lanes;
    hesca_lane *rows, *cols; /* by the other layout's cut, and in each by its
                                process row, column */
} hesca_end;

/** How messages are cut and staged; the same on all processes, because both
 * ends of a message must cut it alike. */
typedef struct {
    int64_t cap; /* elements of a chunk */
    size_t slot; /* bytes of a chunk */
    int nslots;  /* chunks in flight each way */
    size_t bytes;
    int64_t nrounds; /* chunks of the longest message */
} hesca_staging;

enum { HESCA_SLOTS_MOST = 8 };

/** One way of one message through the window. */
typedef struct {
    int64_t done, n;     /* chunks */
    int offer;           /* its first record is an offer, still to come */
    int lent;            /* it is read from the sender's matrix */
    hesca_offer lender;  /* that matrix */
    int64_t column;      /* the next to be read */
    uint64_t end;        /* count of the channel when that is over */
    double seconds;      /* spent on packing, unpacking or reading */
    double begun, ended; /* by the record, if there is one */
} hesca_progress;

/** What has gone through the window in one step of an execution, or, recorded,
 * by MPI. */
typedef struct {
    hesca_progress out, in;
} hesca_tally;

/** A call of hesca_redistribute() as one process sees it; compared byte by
 * byte, so it is zeroed before it is filled. */
typedef struct {
    int64_t part, m, n, esize;
    hesca_side a, b; /* zero if the process is not in the grid; no lld */
} hesca_view;

/** What the cache knows of a plan that it has. */
typedef struct {
    int64_t serial; /* the same on all processes; 0: not in the cache */
    uint64_t hash;  /* of the view */
    hesca_view view;
    size_t memory; /* bytes, the most on any process */
    hesca_plan *next;
} hesca_kept;

/** A packet that a step of a relay carries. */
typedef struct {
    int64_t rows, cols; /* in common */
    int64_t lane;
    int r, c, s, d; /* its owners in A and B */
    int begins;     /* this process packs it from its part of A, */
    int ends;       /* unpacks it into its part of B */
} hesca_hop;

/** What a process sends, or receives, in one step of a relay. */
typedef struct {
    int64_t n;
    hesca_hop *hop;
} hesca_bundle;

/** One step of a relay: packets out and in, and how far an execution is. */
typedef struct {
    hesca_bundle out, in;
    char *out_at, *in_at;       /* their bytes in staging memory, */
    size_t out_bytes, in_bytes; /* how many, */
    size_t out_done, in_done;   /* and how many have gone through a window */
    MPI_Request out_request, in_request;
} hesca_relayed;

struct hesca_plan {
    hesca_comm *comm;
    hesca_problem problem;
    hesca_schedule schedule;
    hesca_staging staging;
    hesca_end a, b;   /* as sender, as receiver */
    hesca_lane own;   /* rows kept, compiled for the copy of the own share */
    double predicted; /* seconds */
    int in_place;     /* no element changes its place */
    int local;        /* no process needs another one */
    hesca_window *window;   /* for which shm and mpi hold */
    int shm;                /* the window serves it */
    int mpi;                /* this process has messages for MPI */
    hesca_tally *tally;     /* [nsteps] */
    hesca_relayed *relayed; /* [nsteps] of a relay, else NULL, */
    hesca_hop *hops;        /* all packets that its steps carry, */
    char **held;            /* [lanes] where packets are during execution */
    int nphases;            /* of a schedule of phases: */
    hesca_plan **phase;     /* [nphases] */
    size_t between_bytes;   /* of local arrays between phases */
    size_t budget;          /* bytes for its messages */
    int stream;             /* receive past the cache */
    hesca_record *record;   /* of the execution that goes on; NULL: none */
    hesca_kept kept;
};

/** Plan for this process, without communication.  The problem becomes the
 * plan's, also if that fails.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_UNSUPPORTED, or
 * HESCA_ERR_PARAM if HESCA_SCHEDULE does not apply. */
int hesca_plan_make(hesca_comm *comm, hesca_problem *problem,
                    hesca_plan **plan);

/** Find which ways the messages go, as long as the communicator has this
 * window, or none. */
void hesca_plan_route(hesca_plan *plan);

/** Bytes of memory of a plan. */
size_t hesca_plan_memory(const hesca_plan *plan);

/** The arrays of one execution, and how to speak of them in errors. */
typedef struct {
    const void *a;
    int64_t lda;
    void *b;
    int64_t ldb;
    const char *routine;
    int info[4]; /* of a, lda, b, ldb */
} hesca_arrays;

/** Whether this process can execute the plan with these arrays and has the
 * staging memory; records why not.  Local: agree on it before executing. */
int hesca_plan_check(const hesca_plan *plan, const hesca_arrays *x);

/** Execute after all processes have agreed that they can. */
int hesca_plan_run(hesca_plan *plan, const hesca_arrays *x);

/** Which way messages to or from a peer go; neither if it is this process, or
 * nobody. */
int hesca_plan_by_shm(const hesca_plan *plan, const hesca_peer *peer);
int hesca_plan_by_mpi(const hesca_plan *plan, const hesca_peer *peer);

/** The messages of a step; dest and src are not -1. */
hesca_message hesca_plan_sends(const hesca_plan *plan, const hesca_peer *dest);
hesca_message hesca_plan_recvs(const hesca_plan *plan, const hesca_peer *src);
/** What this process keeps; only if it is its own peer in some step. */
hesca_message hesca_plan_keeps(const hesca_plan *plan);

#endif

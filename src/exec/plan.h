/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/plan.h
 * A plan: one redistribution, its schedule, and all that one process needs to
 * execute it. */
#ifndef HESCA_EXEC_PLAN_H
#define HESCA_EXEC_PLAN_H

#include "exec/comm.h"
#include "exec/copy_runs.h"
#include "exec/pack.h"
#include "exec/record.h"
#include "exec/single_copy.h"
#include "sched/sched.h"

/** The rows (columns) that this process has in common with one process row
 * (column) of the other grid, in one of the cuts of the other layout. */
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
    } sub;         /* the part of it that belongs to the submatrix */
    int64_t count; /* elements of that part */
    int nrow_lanes, ncol_lanes;
    hesca_lane *rows, *cols; /* by cut of the other layout, then by its process
                                row (column) */
} hesca_end;

/** How messages are cut into chunks and staged. It is the same on all
 * processes, because both ends of a message must cut it equally. */
typedef struct {
    int64_t cap; /* elements of a chunk */
    size_t slot; /* bytes of a chunk */
    int nslots;  /* chunks in flight each way */
    size_t bytes;
    int64_t nrounds; /* chunks of the longest message */
} hesca_staging;

enum { HESCA_SLOTS_MOST = 8 };

/** Progress of one direction of one message through the window. */
typedef struct {
    int64_t done, n;     /* chunks */
    int offer;           /* its first record is an offer that is still due */
    int single_copy;     /* it is read from the sender's matrix */
    hesca_offer source;  /* that matrix */
    int64_t column;      /* the next column to be read */
    uint64_t end;        /* count of the channel at the end of the offer */
    double seconds;      /* spent on packing, unpacking or reading */
    double begun, ended; /* by the trace record, if there is one */
} hesca_progress;

/** What has gone through the window in one step of an execution; with a trace
 * record, by MPI as well. */
typedef struct {
    hesca_progress out, in;
} hesca_tally;

/** The arguments of hesca_redistribute() on one process. Views are compared
 * byte by byte, so a view is zeroed before it is filled. */
typedef struct {
    int64_t part, m, n, esize;
    hesca_side a, b; /* zero if the process is not in the grid; no lld */
} hesca_view;

/** A plan in the cache. */
typedef struct {
    int64_t serial; /* the same on all processes; 0: not in the cache */
    uint64_t hash;  /* of the view */
    hesca_view view;
    size_t memory; /* bytes, the maximum over the processes */
    hesca_plan *next;
} hesca_cache_entry;

/** A packet in one step of a store-and-forward schedule. */
typedef struct {
    int64_t rows, cols; /* in common */
    int64_t lane;
    int r, c, s, d; /* its owners in A and B */
    int begins;     /* this process packs it from its part of A */
    int ends;       /* this process unpacks it into its part of B */
} hesca_hop;

/** The packets that a process sends, or receives, in one step of a
 * store-and-forward schedule. */
typedef struct {
    int64_t n;
    hesca_hop *hop;
} hesca_bundle;

/** One step of a store-and-forward schedule: packets out and in, and the
 * progress of an execution. */
typedef struct {
    hesca_bundle out, in;
    char *out_at, *in_at;       /* location in the staging buffer */
    size_t out_bytes, in_bytes; /* their bytes */
    size_t out_done, in_done;   /* bytes that have gone through a window */
    MPI_Request out_request, in_request;
} hesca_forward_step;

struct hesca_plan {
    hesca_comm *comm;
    hesca_problem problem;
    hesca_schedule schedule;
    hesca_staging staging;
    hesca_end a, b;       /* as sender, as receiver */
    hesca_lane own;       /* rows of the local share, compiled for its copy */
    double predicted;     /* seconds */
    int in_place;         /* no element changes its place */
    int local;            /* no process needs a message */
    hesca_window *window; /* for which shm and mpi are valid */
    int shm;              /* messages go through the window */
    int mpi;              /* this process has messages that go by MPI */
    hesca_tally *tally;   /* [nsteps] */
    hesca_forward_step *forward; /* [nsteps] of store-and-forward; or NULL */
    hesca_hop *hops;             /* all packets of its steps */
    char **held;        /* [lanes] location of the packets during execution */
    int nphases;        /* of a multiphase schedule, else 0 */
    hesca_plan **phase; /* [nphases] */
    size_t between_bytes; /* of local arrays between phases */
    size_t budget;        /* bytes for its messages */
    size_t chunk;         /* most bytes of a chunk; 0: by links */
    int stream;           /* unpack by streaming stores */
    hesca_record *record; /* of the execution in progress; NULL: none */
    hesca_cache_entry entry;
};

/** Make the plan of this process, without communication. The problem is moved
 * into the plan, also if that fails.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_UNSUPPORTED, or
 * HESCA_ERR_PARAM if HESCA_SCHEDULE does not apply. */
int hesca_plan_make(hesca_comm *comm, hesca_problem *problem,
                    hesca_plan **plan);

/** The same between two matrices, with arguments that are known to be right
 * and equal on all processes, which must agree on the result. */
int hesca_plan_make_between(hesca_part part, int64_t m, int64_t n,
                            const hesca_matrix *a, const hesca_matrix *b,
                            size_t esize, hesca_comm *comm, hesca_plan **plan);

/** The same by messages that go directly from owner to owner, all at once,
 * unless HESCA_SCHEDULE names another schedule. */
int hesca_plan_make_direct(hesca_part part, int64_t m, int64_t n,
                           const hesca_matrix *a, const hesca_matrix *b,
                           size_t esize, hesca_comm *comm, hesca_plan **plan);

/** Cut the messages of a direct plan into chunks of up to so many bytes, also
 * over slow links.  The same on all processes, before the first execution.
 * \return HESCA_SUCCESS or HESCA_ERR_UNSUPPORTED. */
int hesca_plan_set_chunk(hesca_plan *plan, size_t bytes);

/** Determine the transports of the messages; to be repeated when the window of
 * the communicator changes. */
void hesca_plan_route(hesca_plan *plan);

/** Bytes of memory of a plan. */
size_t hesca_plan_memory(const hesca_plan *plan);

/** The arrays of one execution, and how errors name them. */
typedef struct {
    const void *a;
    int64_t lda;
    void *b;
    int64_t ldb;
    const char *routine;
    int info[4]; /* of a, lda, b, ldb */
} hesca_arrays;

/** Whether this process can execute the plan with these arrays and has the
 * staging memory; records the error if not. Local: agree on the result before
 * executing. */
int hesca_plan_check(const hesca_plan *plan, const hesca_arrays *x);

/** Whether its messages go directly from owner to owner, by
 * hesca_exchange_run(). */
int hesca_plan_is_direct(const hesca_plan *plan);

/** Have the window that its messages may go through. Collective. */
int hesca_plan_attach(hesca_plan *plan);

/** Execute after all processes have agreed that they can. */
int hesca_plan_run(hesca_plan *plan, const hesca_arrays *x);

/** Which transport carries messages to or from a peer; neither if the peer is
 * this process or none. */
int hesca_plan_by_shm(const hesca_plan *plan, const hesca_peer *peer);
int hesca_plan_by_mpi(const hesca_plan *plan, const hesca_peer *peer);

/** The messages of a step; dest and src are not -1. */
hesca_message hesca_plan_sends(const hesca_plan *plan, const hesca_peer *dest);
hesca_message hesca_plan_recvs(const hesca_plan *plan, const hesca_peer *src);
/** The local share; only if this process is its own peer in some step. */
hesca_message hesca_plan_own(const hesca_plan *plan);

#endif

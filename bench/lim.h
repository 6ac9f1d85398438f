/* SPDX-License-Identifier: BSD-3-Clause */
/** \file lim.h
 * What time_lim is made of.
 *
 *   lim_case.c     the array that it redistributes
 *   bundles.c      its data in order of their destinations, by plain loops
 *   contest.c      what it compares: HESCA's schedules, and others that
 *                  redistribute the same array
 *   lim_results.c  tables, CSV and JSON
 *   time_lim.c     the command line, and all of it */
#ifndef HESCA_BENCH_LIM_H
#define HESCA_BENCH_LIM_H

#include "facts.h"
#include "harness.h"
#include "hesca/redist.h"
#include "hesca/scalapack.h"
#include "local.h"

/* --- the array --- */

/** R_x(K,P) of an array, from cyclic(x) to cyclic(Kx): an n x 1 matrix, or a
 * 1 x n one. */
typedef struct {
    int k, x, nprocs;
    int is_row;        /* 1 x n */
    int me;            /* of the processes that take part; -1 on others */
    int64_t n, nsuper; /* elements, superblocks */
    size_t esize;
    distribution a_at, b_at;
    local_matrix a, b;
    region all;
} lim_case;

/** The array of a case, of about so many bytes.
 * \return 1, or 0 if no memory is left. */
int lim_case_open(lim_case *x, int is_row, int k, int block, size_t esize,
                  int64_t bytes, int nprocs, int me);
void lim_case_close(lim_case *x);

/* --- bundles: of every superblock a process has one block for each of K
 * others --- */

typedef struct {
    int k, nprocs, me;
    int64_t nsuper;        /* superblocks */
    size_t block;          /* bytes of a block, x elements */
    size_t packet;         /* bytes for one process */
    char *sent, *received; /* [nprocs] packets, those that do not exist 0 */
} bundles;

/** Room for the packets of process me; nsuper superblocks, blocks of so many
 * bytes.
 * \return 1, or 0 if no memory is left. */
int bundles_make(bundles *x, int k, int nprocs, int me, int64_t nsuper,
                 size_t block);
void bundles_free(bundles *x);

/** From this process's part of A into x->sent. */
void bundles_pack(const bundles *x, const char *a);

/** From packets, x->received say, into this process's part of B. */
void bundles_unpack(const bundles *x, const char *packets, char *b);

/* --- contestants --- */

enum { CONTEST_PLANS = 5 }; /* times that each is planned */

typedef struct contestant contestant;

/** What one of them does.  The functions are called by the processes that take
 * part, all of them, and return 1, or 0 with a text for people. */
typedef struct {
    const char *name, *help;
    int delivers; /* B must be right afterwards */
    int (*open)(contestant *c, const lim_case *x);
    int (*call)(contestant *c, const lim_case *x);
    void (*close)(contestant *c);
} method;

struct contestant {
    const char *name; /* as on the command line */
    const method *how;
    MPI_Comm comm; /* HESCA's, with the parameters of that schedule */
    double planning[CONTEST_PLANS]; /* s, of this process */
    hesca_plan *plan;
    hesca_plan_info info;
    bundles packets;
    hesca_function real;
    hesca_int ctxt[2]; /* P x 1 grid, 1 x P grid */
    hesca_int desca[9], descb[9];
    char why[240]; /* of a 0 */
};

/** 1 if there is one of that name. */
int contest_knows(const char *name);

/** Describe those that are no schedules of HESCA's. */
void contest_print(void);

/** Let one enter; team has the processes that take part, elsewhere it is
 * MPI_COMM_NULL.  Collective over MPI_COMM_WORLD.
 * \return 1, or 0 with a text in c->why. */
int contest_enter(contestant *c, const char *name, MPI_Comm team, int nprocs);
void contest_leave(contestant *c);

/* --- results --- */

typedef struct {
    const lim_case *c;
    const facts *f;
    const char *name;          /* as on the command line */
    hesca_plan_info plan;      /* of HESCA's schedules, else nothing */
    int n1, n2;                /* as many as were made */
    double max, avg, med, min; /* s, LIM Figure 13 */
    double planning;           /* s; 0: it makes no plan */
    int checked, right;        /* B was looked at; every element is right */
} lim_result;

void lim_results_head(const fields_files *out, const facts *f, int procs);
void lim_results_row(fields_files *out, const lim_result *x);
void lim_results_skipped(const fields_files *out, const lim_case *c,
                         const char *name, const char *why);

/** For fields_open(). */
void lim_results_put(fields *s, const void *row);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file shim/pblas/pregrid.h
 * Routines that HESCA serves by calling the original one on another grid, some
 * also by a kernel of its own.
 *
 * One row of a table (pregrid_table.c) describes a routine; its cost has a row
 * in machine/routine_costs.h.  All of the rest works from the row. */
#ifndef HESCA_SHIM_PBLAS_PREGRID_H
#define HESCA_SHIM_PBLAS_PREGRID_H

#include "shim/pblas/pblas.h"

/** What an argument is.  A matrix takes four of ScaLAPACK's arguments, a work
 * space that has a length two. */
typedef enum {
    REGRID_END,
    REGRID_OTHER,  /**< passed on: ALPHA, VL, IL, ABSTOL */
    REGRID_LETTER, /**< a CHARACTER; which: one of hesca_regrid_letter */
    REGRID_COUNT,  /**< an INTEGER; which: EXTENT_M, N, K, NRHS, IL, IU */
    REGRID_MATRIX,
    REGRID_TAU,    /**< LOCc(JA+COLS-1) elements, tied to the first matrix */
    REGRID_PIVOTS, /**< LOCr rows of the first matrix; read */
    REGRID_WORK,   /**< elements, and their number */
    REGRID_RWORK,  /**< reals, and their number; in complex types alone */
    REGRID_RWORK_ALONE, /**< 1 + 4 max(M,N) reals; in complex types alone */
    REGRID_IWORK,       /**< INTEGERs, and their number */
    REGRID_REALS,       /**< ROWS reals that all processes get */
    REGRID_INTS,        /**< ROWS INTEGERs that all processes get */
    REGRID_INFO
} hesca_regrid_role;

typedef enum {
    LETTER_NONE,
    LETTER_UPLO,
    LETTER_TRANS,
    LETTER_SIDE,
    LETTER_JOBZ,
    LETTER_JOBVT,
    LETTER_RANGE,
    LETTER_OTHER,
    NLETTERS
} hesca_regrid_letter;

/** Extents. */
typedef enum {
    EXTENT_ONE,
    EXTENT_M,
    EXTENT_N,
    EXTENT_K,
    EXTENT_NRHS,
    EXTENT_MAX,   /**< max(M,N) */
    EXTENT_MIN,   /**< min(M,N) */
    EXTENT_SIDE,  /**< M if SIDE is L, else N */
    EXTENT_OP,    /**< N if TRANS is N, else K */
    EXTENT_OTHER, /**< K if TRANS is N, else N */
    EXTENT_IL,
    EXTENT_IU,
    EXTENT_PROCESSES,
    EXTENT_TWO_PROCESSES,
    NEXTENTS
} hesca_regrid_extent;

/** An argument. */
typedef struct {
    hesca_regrid_role role;
    int which; /**< of REGRID_LETTER a hesca_regrid_letter, of REGRID_COUNT a
                  hesca_regrid_extent */
    hesca_regrid_extent rows, cols;
    int is_triangle;          /**< of a matrix: UPLO's alone is copied */
    int reads, writes;        /**< also of REGRID_TAU */
    hesca_regrid_letter if_v; /**< it is there if this letter is V */
} hesca_regrid_argument;

enum { NARGUMENTS = 26 }; /* with REGRID_END */

/** What the original routine wants of matrices, beyond descriptors. */
typedef enum {
    REGRID_ANY,     /**< nothing, as in the PBLAS */
    REGRID_ALIGNED, /**< the same square blocks, each beginning with one, on
                         the same process */
    REGRID_SAME     /**< the same descriptors as well */
} hesca_regrid_rule;

/** A routine. */
typedef struct {
    hesca_routine cost;
    hesca_routine cost_of_values; /**< of JOBZ, or JOBU and JOBVT, N */
    hesca_regrid_rule rule;
    hesca_regrid_extent terms[3]; /**< m, n and k of hesca_hohe_job */
    hesca_regrid_argument argument[NARGUMENTS];
} hesca_regrid_row;

/** By hesca_pblas_routine, from PSYRK on. */
extern const hesca_regrid_row hesca_regrid_table[NDENSE];

/** Most arguments of ScaLAPACK's. */
enum { NARGS = 36 };

/** Call an original routine; what it redistributes itself HESCA may serve. */
void hesca_regrid_original(hesca_pblas_routine routine, hesca_type type,
                           void *args[]);

/** HESCA's kernel for a routine, as hesca_hohe_kernel has it, of a
 * hesca_regrid_call; NULL: there is none. */
int (*hesca_regrid_kernel(hesca_pblas_routine routine))(
    void *call, const hesca_matrix *matrix, MPI_Comm comm);

enum { NMATRICES = HESCA_HOHE_MATRICES, NSPACES = 3 };

/** A call, and what it needs on the other grid. */
typedef struct {
    hesca_pblas_routine routine;
    hesca_type type;
    const hesca_regrid_row *row;
    void **args; /* the program's */
    int nargs;
    char letter[NLETTERS];
    int64_t extent[NEXTENTS];
    hesca_pblas_matrix matrix[NMATRICES];
    hesca_side side[NMATRICES];
    int refused; /* INFO of the program's call, found by the original */
    hesca_int length[NSPACES]; /* of work spaces on the program's grid */
    hesca_hohe_vectors vectors;
    int64_t singular; /* HESCA's kernel has found zero U(i,i), from 1; 0: no */
    /* There: */
    hesca_int length_there[NSPACES];
    void *space[NSPACES + 1]; /* the last one has no length */
    void *given;              /* what all processes get */
    void *local;              /* TAU or pivots */
} hesca_regrid_call;

/** \name Walk over a row
 * It finds the first of the program's arguments for each argument.
 * \{ */
typedef struct {
    const hesca_regrid_argument *argument;
    void **args; /* at it */
} hesca_regrid_walk;

static inline int
hesca_regrid_is_space(hesca_regrid_role role)
{
    return role == REGRID_WORK || role == REGRID_RWORK || role == REGRID_IWORK;
}

/* How many of ScaLAPACK's arguments it takes. */
static inline int
hesca_regrid_width(const hesca_regrid_call *r, const hesca_regrid_argument *a)
{
    const int is_real = !(r->type == HESCA_C || r->type == HESCA_Z);
    if (is_real && (a->role == REGRID_RWORK || a->role == REGRID_RWORK_ALONE))
        return 0;
    return a->role == REGRID_MATRIX         ? 4
           : hesca_regrid_is_space(a->role) ? 2
                                            : 1;
}

static inline hesca_regrid_walk
hesca_regrid_first(const hesca_regrid_call *r, void **args)
{
    return (hesca_regrid_walk){r->row->argument, args};
}

static inline void
hesca_regrid_next(const hesca_regrid_call *r, hesca_regrid_walk *w)
{
    w->args += hesca_regrid_width(r, w->argument);
    ++w->argument;
}

static inline int
hesca_regrid_is_end(const hesca_regrid_walk *w)
{
    return w->argument->role == REGRID_END;
}

/* Whether a call has an argument of this role. */
static inline int
hesca_regrid_has(const hesca_regrid_call *r, const hesca_regrid_walk *w,
                 hesca_regrid_role role)
{
    const hesca_regrid_letter v = w->argument->if_v;
    return w->argument->role == role &&
           hesca_regrid_width(r, w->argument) > 0 &&
           (v == LETTER_NONE || r->letter[v] == 'V');
}

static inline size_t
hesca_regrid_real_size(hesca_type type)
{
    return type == HESCA_S || type == HESCA_C ? sizeof(float) : sizeof(double);
}

static inline size_t
hesca_regrid_element_size(hesca_type type)
{
    const int is_complex = type == HESCA_C || type == HESCA_Z;
    return hesca_regrid_real_size(type) * (is_complex ? 2 : 1);
}
/** \} */

static inline int64_t
hesca_regrid_most(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

static inline int64_t
hesca_regrid_least(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

/** Read letters and counts, and the extents that they determine.
 * \return 1, or 0 if a letter is none that the routine knows. */
int hesca_regrid_read(hesca_regrid_call *call);

/** Whether the program asks for the sizes of work spaces. */
int hesca_regrid_is_question(const hesca_regrid_call *call);

/** Read the matrices, and describe the job; equal on all processes.
 * \return 1 if HESCA can serve it, and there is something to compute. */
int hesca_regrid_translate(hesca_regrid_call *call, const hesca_pblas_call *x,
                           hesca_hohe_job *job);

/** \name What a call has besides matrices
 * \{ */

/** Allocate call->vectors.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_regrid_allocate(hesca_regrid_call *call);

/** Whether all processes get an argument, and the bytes of its segment. */
int hesca_regrid_is_given(const hesca_regrid_call *call,
                          const hesca_regrid_walk *at);
size_t hesca_regrid_segment(const hesca_regrid_call *call,
                            const hesca_regrid_argument *argument);

/** From the program's arrays, and to them. */
void hesca_regrid_take(hesca_regrid_call *call);
void hesca_regrid_give(const hesca_regrid_call *call);

/** To the arrays on the other grid, and from them. */
void hesca_regrid_take_there(hesca_regrid_call *call,
                             const hesca_hohe_work *work);
void hesca_regrid_collect(const hesca_regrid_call *call,
                          const hesca_hohe_work *work);
/** \} */

#endif

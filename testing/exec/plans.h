/* SPDX-License-Identifier: BSD-3-Clause */
/** \file plans.h
 * The parts of t_plan, a test of several files: plans_place.c has layouts,
 * plans_array.c arrays and their contents, plans_world.c communicators and
 * what plans report, plans_case.c cases of plans and plans_call.c those of
 * hesca_redistribute(). */
#ifndef TESTING_EXEC_PLANS_H
#define TESTING_EXEC_PLANS_H

#include "hesca/redist.h"

enum { PROCS = 16, ESIZE = 24, PERIOD = 160 };

/** \name Layouts
 * \{ */

/** Owners of the indices of a period, in each of the cuts of a dimension. */
typedef struct {
    int period, ncuts;
    signed char owner[PROCS][PERIOD];
} table;

/** A layout, and where the submatrix begins in it. */
typedef struct {
    int64_t m, n, i, j;
    int mb, nb, rsrc, csrc, nprow, npcol;
    int is_generalized; /**< by lengths; mb, nb: 0 or what all have */
    int64_t heights[PROCS], widths[PROCS];
    int is_ragged; /**< 1: by lengths, 2: by blocks; what it has: */
    hesca_layout_kind kind;
    table rows, cols;
    int ranks[PROCS];
    hesca_layout *layout;
    char text[700];
} place;

/** The submatrix at a place, for hesca_plan_create(). */
#define SUB(p)                                                                \
    (&(hesca_matrix){.layout = (p)->layout, .i = (p)->i, .j = (p)->j})

/** Make the layout and the text from the other fields of x. */
void create(place *x);

/** A random grid of some of the ranks first ... end - 1. */
place random_place(int m, int n, int first, int end);

/** The same grid with blocks that are multiples, so that there is a pattern;
 * or with other ones, which share a factor. */
place similar_place(const place *x);

/** The same grid, and the same submatrix, in generalized blocks. */
void generalize(place *x);

/** The same grid, and the same submatrix; process columns cut the rows, or
 * process rows the columns, each in its own way, or not. */
void make_ragged(place *x);

/** Put A in generalized blocks whose widths are equal, and return B, whose
 * widths are a multiple: rows stay, however they are cut, so that there is a
 * pattern. */
place stretch(place *a);

/** Position of a rank in the grid, -1 if it is not in it. */
int position(const place *x, int rank);

/** The owner of element (i,j) of the submatrix. */
int owner_of(const place *x, int64_t i, int64_t j);

/** One dimension of a matrix: blocks of one length, or lengths, or owners. */
typedef struct {
    int64_t nb;
    int src, np;
    const int64_t *length; /**< NULL: all are nb */
    const signed char *owner;
    int period;
} cuts;

/** The rows of process column pcol, the columns of process row prow. */
cuts rows_of(const place *x, int pcol);
cuts cols_of(const place *x, int prow);

/** TOOLS/indxl2g.f, counted from 0. */
int64_t indxl2g(cuts c, int64_t il, int iproc);
/** \}
 * \name Arrays
 * \{ */

/** What is copied. */
typedef struct {
    hesca_part part;
    int m, n;
    size_t esize;
    uint64_t seed;       /**< of the contents of A */
    const place *source; /**< A: determines the contents of its elements */
    char text[2000];
} copy;

/** One process's part of a matrix, between guards. */
typedef struct {
    const place *place;
    char *memory, *data;
    size_t size;
    int64_t ld, locr, locc;
    int64_t owned; /**< elements of the submatrix */
    int prow, pcol, far;
} array;

/** Memory for the local array of a process, `more` rows longer than it must
 * be. \param [in] far  Its rows are too many to touch them all. \return 0 if
 * there is none. */
int allocate(array *x, const place *p, int rank, const copy *c, int64_t more,
             int far);
void release(array *x);

/** All elements of A, those of sub(A) and those around it. */
void fill_source(array *x, const copy *c);

/** B before the copy: an element that is to be written differs from what it
 * will be in every bit. */
void fill_target(array *x, const copy *c);

/** Every byte of B: copied, or as it was. */
void check_target(const array *x, const copy *c, const char *what);

/** The bytes of local element (il,jl) of B before and after the copy; il may
 * be beyond locr, which is the gap below a column. */
void local_element(const array *x, const copy *c, int64_t il, int64_t jl,
                   char *before, char *after);
/** \}
 * \name Communicators, and what plans report there
 * \{ */
typedef struct {
    MPI_Comm comm;
    int rank, size;
    const char *schedule; /**< what HESCA_SCHEDULE is */
    char text[100];
} world;

/** A communicator that HESCA has not seen, with these parameters: those of its
 * rank 0, whatever the others' environment says. */
world fresh(MPI_Comm base, const char *name, const char *schedule,
            const char *buffer);

/** Give a case the text that reproduces it. */
void describe(copy *c, const world *w, int number, const place *a,
              const place *b);

/** Whether a schedule applies to all problems. */
int is_for_all(const char *schedule);

/** \param [in] cached  Whether the plan is; -1 for plans of their own. */
void check_info(const hesca_plan_info *info, const copy *c, const place *a,
                const place *b, const char *schedule, int cached);

/** How this process's messages go: through the window inside a node, by MPI
 * between nodes, and by MPI also where there is no window (yet). */
void check_transport(const hesca_plan_info *info, const world *w,
                     const copy *c, const place *a, const place *b,
                     int executed);
/** \}
 * \name Cases
 * \{ */
void random_cases(const world *w, int ncases, int most);

/** Messages larger than staging memory, columns longer than a chunk: many
 * rounds of every exchange. */
void long_messages(const world *w, hesca_part part, int m, int n,
                   size_t esize);

/** Onto itself, in the same layout: nothing changes. */
void in_place(const world *w);

/** Leading dimensions beyond 32 bits, in memory that is mostly untouched. */
void far_leading_dimensions(const world *w);

void random_calls(const world *w, int ncases);

/** Grids that share no process, so that no process knows both sides. */
void disjoint_grids(const world *w, int ncases);

/** Change one argument at a time: the plan must not be the cached one. */
void changed_arguments(const world *w);

/** More different calls than the cache keeps. */
void evictions(const world *w);
/** \} */

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file badargs.h
 * The parts of t_badargs, a test of several files: badargs_record.c keeps what
 * a call did, badargs_call.c has the routines, badargs_side.c matrices and
 * good calls, badargs_odd.c odd ones, t_badargs.c bad ones. */
#ifndef TESTING_SHIM_BADARGS_H
#define TESTING_SHIM_BADARGS_H

#include <stddef.h>

enum { LINE = 240, PROCS = 4 };

extern int rank, nprocs;
extern char what[200]; /**< the current case, for messages */

/** \name What a call did
 * \{ */
typedef struct {
    int called;                  /**< 0 if this process had no part in it */
    int messages, message_info;  /**< of pxerbla */
    int aborts, abort_info;      /**< of Cblacs_abort */
    double message_at, abort_at; /**< seconds of one clock of the node */
    long written;                /**< bytes of B that have changed */
    char routine[16];
    char text[LINE]; /**< stderr */
} outcome;

extern outcome mine;
extern double slow; /**< seconds that pxerbla takes */

/** Make ready to capture what is written on stderr, and to end what hangs.
 * \return 1, or 0 after a complaint. */
int capture_open(void);
void capture_close(void);

/** Around a call: what it does becomes mine. */
void capture_begin(void);
void capture_end(void);

/** The outcome of each process, on all processes. */
void gather(outcome *all);
/** \}
 * \name The routines
 * \{ */
enum { GEMR2D, GEMR2DO, TRMR2D, TRMR2DO, KINDS };
enum { TWIN_C, TWIN_FORTRAN, PLAIN_C, PLAIN_FORTRAN, FORMS };

typedef struct {
    int kind, type, form;
} route;

extern const char *const kinds[]; /**< [KINDS] "gemr2d" ... */
extern const char letters[];      /**< of types */
extern const size_t esizes[];

typedef struct {
    const char *uplo, *diag;
    int m, n;
    void *a;
    int ia, ja;
    int desca[9];
    void *b;
    int ib, jb;
    int descb[9];
    int ictxt;
    int no_desca, no_descb;
} args;

void call(const route *r, const args *x);

int is_trapezoid(const route *r);
int has_context(const route *r);

/** \param [out] name  "PDGEMR2D"; 9 characters. */
void name_of(const route *r, char *name);

/** The names without prefix are HESCA's, unless it is a static archive. */
int plain_is_hesca(void);
/** \}
 * \name Matrices and good calls
 * \{ */
typedef struct {
    int desc[9];
    int nprow, npcol, myrow, mycol, locr, locc;
    size_t esize, nbytes;
    char *x; /**< free() it */
} side;

/** A blank matrix; lld is enlarged if the process owns more rows. */
side side_make(int ictxt, int m, int n, int mb, int nb, int rsrc, int csrc,
               int lld, size_t esize);

/** Give it the contents of A. */
void side_fill(side *s);

/** Bytes of the local part of B that are not as they should be after a call
 * that has copied sub(A), or nothing if x is NULL. */
long wrong_bytes(const side *s, const args *x, const route *r);

args args_of(int m, int n, const side *a, int ia, int ja, const side *b,
             int ib, int jb, int ictxt);

/** A call with arguments x that must copy what complete ones would, and
 * write no message. */
void good(const route *r, const args *x, const args *complete, side *b);

/** Contexts and matrices that make a good call of which each process owns a
 * part of both submatrices. */
typedef struct {
    int ictxt[3]; /**< enclosing, A's, B's */
    int freed;
    side a, b;
    args good;
} setting;

setting setting_make(size_t esize);
void setting_free(setting *s);
/** \}
 * \name Odd, but good
 * \{ */

/** m = 0 or n = 0: nothing else is looked at. */
void empty_copies(const route *r);

/** Process rows and columns that own nothing: lld and array may be anything.
 */
void owners_of_nothing(const route *r);

/** Enclosing contexts of every kind around small grids, of which processes
 * outside know nothing but CTXT = -1. */
void enclosing_contexts(const route *r);
/** \} */

#endif

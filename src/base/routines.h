/* SPDX-License-Identifier: BSD-3-Clause */
/** \file base/routines.h
 * The routines of PBLAS and ScaLAPACK that libhesca_scalapack intercepts, and
 * the jobs by which their time is predicted.  All other lists of them are made
 * of these: entry points, names that HESCA_DISABLE accepts, what hesca check
 * looks for, options of the linker (m4/hesca_scalapack.m4).
 *
 * To add a routine that runs on another grid: its row here, its arguments in
 * shim/pblas/pregrid_table.c, and unless it takes as long as one that is here,
 * a job here, in hesca/experimental/place.h, and its costs in
 * machine/routine_costs.h. */
#ifndef HESCA_BASE_ROUTINES_H
#define HESCA_BASE_ROUTINES_H

/** The routines, in the order of hesca_pblas_routine; for the macros that are
 * passed, to which X is passed on:
 * ALL(X, name, NAME, n, cn, l)      of four types
 * PAIR(X, name, NAME, cname, CNAME, n, cn, l)
 *                                   with another name for complex types
 * COMPLEX(X, name, NAME, n, l)      of complex types alone
 * n, cn: arguments of real and of complex types; l: CHARACTERs among them.
 * COMPUTED have entry points of their own (pblas_entry.c). */
#define HESCA_COMPUTED(ALL, X)                                                \
    ALL(X, gemm, GEMM, 19, 19, 2)                                             \
    ALL(X, potrf, POTRF, 7, 7, 1)                                             \
    ALL(X, posv, POSV, 12, 12, 1)                                             \
    ALL(X, potrs, POTRS, 12, 12, 1)                                           \
    ALL(X, getrf, GETRF, 8, 8, 0)                                             \
    ALL(X, gesv, GESV, 12, 12, 0)                                             \
    ALL(X, getrs, GETRS, 13, 13, 1)
#define HESCA_REGRIDDED(ALL, PAIR, COMPLEX, X)                                \
    ALL(X, syrk, SYRK, 14, 14, 2)                                             \
    COMPLEX(X, herk, HERK, 14, 2)                                             \
    ALL(X, trsm, TRSM, 15, 15, 4)                                             \
    ALL(X, potri, POTRI, 7, 7, 1)                                             \
    ALL(X, getri, GETRI, 11, 11, 0)                                           \
    ALL(X, geqrf, GEQRF, 10, 10, 0)                                           \
    PAIR(X, ormqr, ORMQR, unmqr, UNMQR, 17, 17, 2)                            \
    ALL(X, gels, GELS, 15, 15, 1)                                             \
    PAIR(X, syev, SYEV, heev, HEEV, 15, 17, 2)                                \
    PAIR(X, syevd, SYEVD, heevd, HEEVD, 17, 19, 2)                            \
    PAIR(X, syevr, SYEVR, heevr, HEEVR, 24, 26, 3)                            \
    PAIR(X, syevx, SYEVX, heevx, HEEVX, 29, 31, 3)                            \
    PAIR(X, sygvx, SYGVX, hegvx, HEGVX, 34, 36, 3)                            \
    ALL(X, gesvd, GESVD, 20, 21, 2)
#define HESCA_PBLAS(ALL, PAIR, COMPLEX, X)                                    \
    HESCA_COMPUTED(ALL, X) HESCA_REGRIDDED(ALL, PAIR, COMPLEX, X)

/** X(NAME, type, typed name, TYPED_NAME, n, l) for every type of them. */
#define HESCA_PBLAS_TYPED(X)                                                  \
    HESCA_COMPUTED(HESCA_TYPED_ALL, X) HESCA_REGRIDDED_TYPED(X)
#define HESCA_REGRIDDED_TYPED(X)                                              \
    HESCA_REGRIDDED(HESCA_TYPED_ALL, HESCA_TYPED_PAIR, HESCA_TYPED_COMPLEX, X)
#define HESCA_TYPED_ALL(X, r, R, n, cn, l)                                    \
    HESCA_TYPED_PAIR(X, r, R, r, R, n, cn, l)
#define HESCA_TYPED_PAIR(X, r, R, cr, CR, n, cn, l)                           \
    X(R, S, ps##r, PS##R, n, l)                                               \
    X(R, D, pd##r, PD##R, n, l)                                               \
    X(R, C, pc##cr, PC##CR, cn, l)                                            \
    X(R, Z, pz##cr, PZ##CR, cn, l)
#define HESCA_TYPED_COMPLEX(X, r, R, n, l)                                    \
    X(R, C, pc##r, PC##R, n, l)                                               \
    X(R, Z, pz##r, PZ##R, n, l)

/** X(name, types) for every routine that HESCA_DISABLE accepts with all types,
 * or with p and one of them in front: "pzheevd". */
#define HESCA_SERVED(X)                                                       \
    X("gemr2d", "isdcz")                                                      \
    X("trmr2d", "isdcz")                                                      \
    X("gemr2do", "isdcz")                                                     \
    X("trmr2do", "isdcz")                                                     \
    HESCA_PBLAS(HESCA_SERVED_ALL, HESCA_SERVED_PAIR, HESCA_SERVED_COMPLEX, X)
#define HESCA_SERVED_ALL(X, r, R, n, cn, l) X(#r, "sdcz")
#define HESCA_SERVED_PAIR(X, r, R, c, C, n, cn, l) X(#r, "sd") X(#c, "cz")
#define HESCA_SERVED_COMPLEX(X, r, R, n, l) X(#r, "cz")

/** The jobs, in the order of hesca_routine: X(ROUTINE, name, another name of
 * about the same time, kernel whose speed counts, operations / n^3, matrices
 * of order n). */
#define HESCA_JOBS(X)                                                         \
    X(GEMM, "gemm", "gemm", "dgemm", 2, 3)                                    \
    X(POTRF, "potrf", "posv", "dpotrf", 1.0 / 3, 1)                           \
    X(GESV, "gesv", "getrf", "dgetrf", 2.0 / 3, 1)                            \
    X(SYRK, "syrk", "herk", "dgemm", 1, 2)                                    \
    X(TRSM, "trsm", "trsm", "dgemm", 1, 2)                                    \
    X(POTRI, "potri", "potri", "dpotrf", 2.0 / 3, 1)                          \
    X(GETRI, "getri", "getri", "dgetrf", 4.0 / 3, 1)                          \
    X(GEQRF, "geqrf", "geqrf", "dgetrf", 4.0 / 3, 1)                          \
    X(ORMQR, "ormqr", "unmqr", "dgemm", 2, 2)                                 \
    X(GELS, "gels", "gels", "dgetrf", 4.0 / 3, 1)                             \
    X(SYTRD, "sytrd", "hetrd", "dgemm", 5, 1)                                 \
    X(SYEV, "syev", "heev", "dgemm", 22, 3)                                   \
    X(SYEVD, "syevd", "heevd", "dgemm", 9, 4)                                 \
    X(SYEVR, "syevr", "heevr", "dgemm", 8, 3)                                 \
    X(SYEVX, "syevx", "heevx", "dgemm", 9, 3)                                 \
    X(SYGVX, "sygvx", "hegvx", "dgemm", 12, 4)                                \
    X(GEBRD, "gebrd", "gebrd", "dgemm", 9, 1)                                 \
    X(GESVD, "gesvd", "gesvd", "dgemm", 40, 5)

/** Their names, as a parameter's type has them, without the first "|". */
#define HESCA_JOB_NAMES HESCA_JOBS(HESCA_JOB_NAME) ""
#define HESCA_JOB_NAME(routine, name, alias, kernel, flops, matrices) "|" name

#endif

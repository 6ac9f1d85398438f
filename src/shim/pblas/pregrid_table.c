/* SPDX-License-Identifier: BSD-3-Clause */
/* The routines that run on another grid.
 *
 * base/routines.h says how to add one.
 * Source of the arguments: opening comments of ScaLAPACK SRC/pdsyevx.f etc.
 * and PBLAS/SRC/pdsyrk_.c. */
#include "shim/pblas/pregrid.h"

/* Members of hesca_regrid_argument. */
#define OTHER                                                                 \
    {                                                                         \
        .role = REGRID_OTHER                                                  \
    }
#define LETTER(x)                                                             \
    {                                                                         \
        .role = REGRID_LETTER, .which = LETTER_##x                            \
    }
#define COUNT(x)                                                              \
    {                                                                         \
        .role = REGRID_COUNT, .which = EXTENT_##x                             \
    }
#define MATRIX(m, n, ...)                                                     \
    {                                                                         \
        .role = REGRID_MATRIX, .rows = EXTENT_##m, .cols = EXTENT_##n,        \
        __VA_ARGS__                                                           \
    }
#define READS .reads = 1
#define WRITES .writes = 1
#define UPDATES .reads = 1, .writes = 1
#define TRIANGLE .is_triangle = 1
#define IF_V(x) .if_v = LETTER_##x
#define TAU(n, ...)                                                           \
    {                                                                         \
        .role = REGRID_TAU, .rows = EXTENT_##n, __VA_ARGS__                   \
    }
#define PIVOTS(n)                                                             \
    {                                                                         \
        .role = REGRID_PIVOTS, .rows = EXTENT_##n                             \
    }
#define REALS(n, ...)                                                         \
    {                                                                         \
        .role = REGRID_REALS, .rows = EXTENT_##n, __VA_ARGS__                 \
    }
#define INTS(n, ...)                                                          \
    {                                                                         \
        .role = REGRID_INTS, .rows = EXTENT_##n, __VA_ARGS__                  \
    }
#define SPACE(x)                                                              \
    {                                                                         \
        .role = REGRID_##x                                                    \
    }
#define INFO                                                                  \
    {                                                                         \
        .role = REGRID_INFO                                                   \
    }
#define TERMS(m, n, k)                                                        \
    {                                                                         \
        EXTENT_##m, EXTENT_##n, EXTENT_##k                                    \
    }
#define COST(x) HESCA_ROUTINE_##x, HESCA_ROUTINE_##x
#define COSTS(x, values) HESCA_ROUTINE_##x, HESCA_ROUTINE_##values

/* sub(A), destroyed, and eigenvectors. */
#define EIGEN_MATRIX MATRIX(N, N, READS, TRIANGLE)
#define VECTORS MATRIX(N, N, WRITES, IF_V(JOBZ))
#define SPACES SPACE(WORK), SPACE(RWORK), SPACE(IWORK)
/* VL, VU, IL, IU. */
#define LIMITS OTHER, OTHER, COUNT(IL), COUNT(IU)
#define FOUND INTS(ONE), INTS(ONE, IF_V(JOBZ))
#define CLUSTERS INTS(TWO_PROCESSES, IF_V(JOBZ)), REALS(PROCESSES, IF_V(JOBZ))

const hesca_regrid_row hesca_regrid_table[NDENSE] = {
    [PSYRK] = {COST(SYRK),
               REGRID_ANY,
               TERMS(N, N, K),
               {LETTER(UPLO), LETTER(TRANS), COUNT(N), COUNT(K), OTHER,
                MATRIX(OP, OTHER, READS), OTHER,
                MATRIX(N, N, UPDATES, TRIANGLE)}},
    [PHERK] = {COST(SYRK),
               REGRID_ANY,
               TERMS(N, N, K),
               {LETTER(UPLO), LETTER(TRANS), COUNT(N), COUNT(K), OTHER,
                MATRIX(OP, OTHER, READS), OTHER,
                MATRIX(N, N, UPDATES, TRIANGLE)}},
    [PTRSM] = {COST(TRSM),
               REGRID_ANY,
               TERMS(M, N, SIDE),
               {LETTER(SIDE), LETTER(UPLO), LETTER(TRANS), LETTER(OTHER),
                COUNT(M), COUNT(N), OTHER, MATRIX(SIDE, SIDE, READS, TRIANGLE),
                MATRIX(M, N, UPDATES)}},
    [PPOTRI] = {COST(POTRI),
                REGRID_ALIGNED,
                TERMS(N, N, N),
                {LETTER(UPLO), COUNT(N), MATRIX(N, N, UPDATES, TRIANGLE),
                 INFO}},
    [PGETRI] = {COST(GETRI),
                REGRID_ALIGNED,
                TERMS(N, N, N),
                {COUNT(N), MATRIX(N, N, UPDATES), PIVOTS(N), SPACE(WORK),
                 SPACE(IWORK), INFO}},
    [PGEQRF] = {COST(GEQRF),
                REGRID_ALIGNED,
                TERMS(M, N, MIN),
                {COUNT(M), COUNT(N), MATRIX(M, N, UPDATES), TAU(MIN, WRITES),
                 SPACE(WORK), INFO}},
    [PORMQR] = {COST(ORMQR),
                REGRID_ALIGNED,
                TERMS(M, N, K),
                {LETTER(SIDE), LETTER(OTHER), COUNT(M), COUNT(N), COUNT(K),
                 MATRIX(SIDE, K, READS), TAU(K, READS), MATRIX(M, N, UPDATES),
                 SPACE(WORK), INFO}},
    [PGELS] = {COST(GELS),
               REGRID_ALIGNED,
               TERMS(M, N, MIN),
               {LETTER(OTHER), COUNT(M), COUNT(N), COUNT(NRHS),
                MATRIX(M, N, UPDATES), MATRIX(MAX, NRHS, UPDATES), SPACE(WORK),
                INFO}},
    [PSYEV] = {COSTS(SYEV, SYTRD),
               REGRID_SAME,
               TERMS(N, N, N),
               {LETTER(JOBZ), LETTER(UPLO), COUNT(N), EIGEN_MATRIX, REALS(N),
                VECTORS, SPACE(WORK), SPACE(RWORK), INFO}},
    [PSYEVD] = {COSTS(SYEVD, SYTRD),
                REGRID_SAME,
                TERMS(N, N, N),
                {LETTER(JOBZ), LETTER(UPLO), COUNT(N), EIGEN_MATRIX, REALS(N),
                 VECTORS, SPACES, INFO}},
    [PSYEVR] = {COSTS(SYEVR, SYTRD),
                REGRID_SAME,
                TERMS(N, N, N),
                {LETTER(JOBZ), LETTER(RANGE), LETTER(UPLO), COUNT(N),
                 EIGEN_MATRIX, LIMITS, FOUND, REALS(N), VECTORS, SPACES,
                 INFO}},
    [PSYEVX] = {COSTS(SYEVX, SYTRD),
                REGRID_SAME,
                TERMS(N, N, N),
                {LETTER(JOBZ), LETTER(RANGE), LETTER(UPLO), COUNT(N),
                 EIGEN_MATRIX, LIMITS, OTHER, FOUND, REALS(N), OTHER, VECTORS,
                 SPACES, INTS(N, IF_V(JOBZ)), CLUSTERS, INFO}},
    [PSYGVX] = {COSTS(SYGVX, SYTRD),
                REGRID_SAME,
                TERMS(N, N, N),
                {OTHER, LETTER(JOBZ), LETTER(RANGE), LETTER(UPLO), COUNT(N),
                 EIGEN_MATRIX, MATRIX(N, N, UPDATES, TRIANGLE), LIMITS, OTHER,
                 FOUND, REALS(N), OTHER, VECTORS, SPACES, INTS(N), CLUSTERS,
                 INFO}},
    [PGESVD] = {COSTS(GESVD, GEBRD),
                REGRID_ALIGNED,
                TERMS(M, N, MIN),
                {LETTER(JOBZ), LETTER(JOBVT), COUNT(M), COUNT(N),
                 MATRIX(M, N, READS), REALS(MIN),
                 MATRIX(M, MIN, WRITES, IF_V(JOBZ)),
                 MATRIX(MIN, N, WRITES, IF_V(JOBVT)), SPACE(WORK),
                 SPACE(RWORK_ALONE), INFO}},
};

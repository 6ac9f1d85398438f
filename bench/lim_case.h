/** \file lim_case.h
 * The array that time_lim redistributes. */
#ifndef HESCA_BENCH_LIM_CASE_H
#define HESCA_BENCH_LIM_CASE_H

#include "local.h"

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

#endif

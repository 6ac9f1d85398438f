#include "dense/dense_fortran.h"

int
hesca_gemm_f(int type, char transa, char transb, int64_t m, int64_t n,
             int64_t k, const void *alpha, const hesca_matrix *a,
             const hesca_matrix *b, const void *beta, const hesca_matrix *c,
             MPI_Fint comm)
{
    return hesca_gemm((hesca_type)type, transa, transb, m, n, k, alpha, a, b,
                      beta, c, MPI_Comm_f2c(comm));
}

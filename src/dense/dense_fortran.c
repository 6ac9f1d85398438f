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

int
hesca_getrf_f(int type, int64_t m, int64_t n, const hesca_matrix *a,
              int64_t *ipiv, MPI_Fint comm, int64_t *info)
{
    return hesca_getrf((hesca_type)type, m, n, a, ipiv, MPI_Comm_f2c(comm),
                       info);
}

int
hesca_getrs_f(int type, char trans, int64_t n, int64_t nrhs,
              const hesca_matrix *a, const int64_t *ipiv,
              const hesca_matrix *b, MPI_Fint comm)
{
    return hesca_getrs((hesca_type)type, trans, n, nrhs, a, ipiv, b,
                       MPI_Comm_f2c(comm));
}

int
hesca_potrf_f(int type, char uplo, int64_t n, const hesca_matrix *a,
              MPI_Fint comm, int64_t *info)
{
    return hesca_potrf((hesca_type)type, uplo, n, a, MPI_Comm_f2c(comm), info);
}

int
hesca_potrs_f(int type, char uplo, int64_t n, int64_t nrhs,
              const hesca_matrix *a, const hesca_matrix *b, MPI_Fint comm)
{
    return hesca_potrs((hesca_type)type, uplo, n, nrhs, a, b,
                       MPI_Comm_f2c(comm));
}

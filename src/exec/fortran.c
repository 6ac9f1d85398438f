/* For the Fortran module: the same functions with a Fortran communicator,
 * which MPI_Comm_f2c() converts in C only. */
#include "exec/fortran.h"

int
hesca_plan_create_f(int part, int64_t m, int64_t n, const hesca_layout *a,
                    int64_t ia, int64_t ja, const hesca_layout *b, int64_t ib,
                    int64_t jb, size_t esize, MPI_Fint comm, hesca_plan **plan)
{
    return hesca_plan_create((hesca_part)part, m, n, a, ia, ja, b, ib, jb,
                             esize, MPI_Comm_f2c(comm), plan);
}

int
hesca_redistribute_f(int status, int part, int64_t m, int64_t n,
                     const hesca_side *sa, const void *a, const hesca_side *sb,
                     void *b, size_t esize, MPI_Fint comm,
                     hesca_plan_info *info)
{
    return hesca_redistribute(status, (hesca_part)part, m, n, sa, a, sb, b,
                              esize, MPI_Comm_f2c(comm), info);
}

int
hesca_cache_get_info_f(MPI_Fint comm, hesca_cache_info *info)
{
    return hesca_cache_get_info(MPI_Comm_f2c(comm), info);
}

int
hesca_params_agreed_f(MPI_Fint comm, hesca_params *params)
{
    return hesca_params_agreed(MPI_Comm_f2c(comm), params);
}

int
hesca_grid_place_f(MPI_Fint comm, int nprow, int npcol, const int *ordered,
                   int choose, int *process, hesca_grid_info *info)
{
    return hesca_grid_place(MPI_Comm_f2c(comm), nprow, npcol, ordered, choose,
                            process, info);
}

int
hesca_machine_refresh_f(MPI_Fint comm)
{
    return hesca_machine_refresh(MPI_Comm_f2c(comm));
}

int
hesca_alltoallv_f(const void *send, const int64_t *sendcounts,
                  const int64_t *sdispls, void *recv,
                  const int64_t *recvcounts, const int64_t *rdispls,
                  size_t esize, MPI_Fint comm, hesca_coll_info *info)
{
    return hesca_alltoallv(send, sendcounts, sdispls, recv, recvcounts,
                           rdispls, esize, MPI_Comm_f2c(comm), info);
}

int
hesca_bcast_f(void *buffer, int64_t bytes, int root, MPI_Fint comm,
              hesca_coll_info *info)
{
    return hesca_bcast(buffer, bytes, root, MPI_Comm_f2c(comm), info);
}

int
hesca_multicast_f(void *buffer, int64_t bytes, int root, int ndest,
                  const int *dest, MPI_Fint comm, hesca_coll_info *info)
{
    return hesca_multicast(buffer, bytes, root, ndest, dest,
                           MPI_Comm_f2c(comm), info);
}

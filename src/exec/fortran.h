/** \file exec/fortran.h
 * Variants for the Fortran module of the functions that take an MPI_Comm,
 * because Fortran's communicators are integers. Not for programs in C. */
#ifndef HESCA_EXEC_FORTRAN_H
#define HESCA_EXEC_FORTRAN_H

#include "hesca/experimental/coll.h"
#include "hesca/experimental/grid.h"
#include "hesca/experimental/monitor.h"
#include "hesca/experimental/param.h"
#include "hesca/redist.h"

/** hesca_plan_create() */
HESCA_API int hesca_plan_create_f(int part, int64_t m, int64_t n,
                                  const hesca_layout *a, int64_t ia,
                                  int64_t ja, const hesca_layout *b,
                                  int64_t ib, int64_t jb, size_t esize,
                                  MPI_Fint comm, hesca_plan **plan);

/** hesca_redistribute() */
HESCA_API int hesca_redistribute_f(int status, int part, int64_t m, int64_t n,
                                   const hesca_side *sa, const void *a,
                                   const hesca_side *sb, void *b, size_t esize,
                                   MPI_Fint comm, hesca_plan_info *info);

/** hesca_cache_get_info() */
HESCA_API int hesca_cache_get_info_f(MPI_Fint comm, hesca_cache_info *info);

/** hesca_params_agreed() */
HESCA_API int hesca_params_agreed_f(MPI_Fint comm, hesca_params *params);

/** hesca_alltoallv() */
HESCA_API int hesca_alltoallv_f(const void *send, const int64_t *sendcounts,
                                const int64_t *sdispls, void *recv,
                                const int64_t *recvcounts,
                                const int64_t *rdispls, size_t esize,
                                MPI_Fint comm, hesca_coll_info *info);

/** hesca_bcast() */
HESCA_API int hesca_bcast_f(void *buffer, int64_t bytes, int root,
                            MPI_Fint comm, hesca_coll_info *info);

/** hesca_multicast() */
HESCA_API int hesca_multicast_f(void *buffer, int64_t bytes, int root,
                                int ndest, const int *dest, MPI_Fint comm,
                                hesca_coll_info *info);

/** hesca_grid_place() */
HESCA_API int hesca_grid_place_f(MPI_Fint comm, int nprow, int npcol,
                                 const int *ordered, int choose, int *process,
                                 hesca_grid_info *info);

/** hesca_machine_refresh() */
HESCA_API int hesca_machine_refresh_f(MPI_Fint comm);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Time a routine of ScaLAPACK in several ways on the same hosts: time_gemm,
 * time_gesv, time_potrf, time_getrs and time_potrs, each compiled for its
 * ROUTINE.
 *
 * Usage: mpiexec -n P time_gemm [option]...
 *
 *   mpiexec -n 8 time_gemm --n 1000,2000 --nb 64 --csv time.csv
 *   mpiexec -n 8 time_gemm --grid 2x4 --profile
 *   mpiexec -n P time_gemm --help */
#include "heho.h"

int
main(int argc, char **argv)
{
    return heho_main(argc, argv, &ROUTINE);
}

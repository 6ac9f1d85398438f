/* Time ScaLAPACK's pdgemm with one process for each processor, and with more
 * of them on faster hosts, beside what the hosts could do at best.
 *
 * Usage: mpiexec -n P time_gemm [option]...
 *
 *   mpiexec -n 8 time_gemm --n 1000,2000,3000 --profile
 *   mpiexec -n 8 time_gemm --n 3000 --grid 2x4 --csv gemm.csv
 *   mpiexec -n 8 time_gemm --help
 *
 * Exit status: 0 if all results are right, 1 if not, 2 if it cannot be done.
 */
#include "heho.h"

int
main(int argc, char **argv)
{
    return heho_main(argc, argv, &heho_gemm);
}

/* Time ScaLAPACK's pdpotrf with one process for each processor, and with more
 * of them on faster hosts, beside what the hosts could do at best.
 *
 * Usage: mpiexec -n P time_potrf [option]...
 *
 *   mpiexec -n 8 time_potrf --n 1000,2000,3000 --profile
 *   mpiexec -n 8 time_potrf --n 3000 --grid 2x4 --csv potrf.csv
 *   mpiexec -n 8 time_potrf --help
 *
 * Exit status: 0 if all results are right, 1 if not, 2 if it cannot be done.
 */
#include "heho.h"

int
main(int argc, char **argv)
{
    return heho_main(argc, argv, &heho_potrf);
}

/* Time ScaLAPACK's pdgetrs, with n right-hand sides, with one process for each
 * processor, by HoHe, and with more processes on faster hosts.
 *
 * Usage: mpiexec -n P time_getrs [option]..., see time_gemm.c
 *
 * Exit status: 0 if all results are right, 1 if not, 2 if it cannot be done.
 */
#include "heho.h"

int
main(int argc, char **argv)
{
    return heho_main(argc, argv, &heho_getrs);
}

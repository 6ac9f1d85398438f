/* SPDX-License-Identifier: BSD-3-Clause */
/* A heuristic for arrangements of pdgemm.mpc, as the thesis has it (HMPI
 * 3.1.3): the numbers of block rows and columns, n / b, are multiples of the
 * extents of the process grid ("blocking factors" in print).
 *     hesca model arrange pdgemm.mpc n=9216 b=64 --heuristic blocks_divide
 *         --with blocks_divide.c --topology ...
 * np extents dp are to be tried; modelp has pointers to the model's
 * parameters, here n, b, p, q. */
int blocks_divide(int np, int *dp, void *modelp, int paramc);

int
blocks_divide(int np, int *dp, void *modelp, int paramc)
{
    const int *param = modelp, n = param[0], b = param[1];
    if (paramc < 2 || b < 1)
        return 0;
    for (int k = 0; k < np; ++k)
        if (n / b % dp[k] != 0)
            return 0;
    return 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The function that nbody_auto.mpc calls: bodies of process I, in proportion
 * to speed; the last process gets the rest. */
int My_allocation_using_function(int I, int p, int *speeds, int n);

int
My_allocation_using_function(int I, int p, int *speeds, int n)
{
    long long sum = 0, before = 0;
    for (int k = 0; k < p; ++k) {
        sum += speeds[k];
        before += k < I ? speeds[k] : 0;
    }
    if (sum <= 0)
        return -1;
    const long long begin = before * n / sum;
    return (int)((I == p - 1 ? n : (before + speeds[I]) * n / sum) - begin);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "shim/integer_width.h"
#include "hesca/experimental/param.h"
#include "shim/blacs/blacs.h"
#include "shim/shim.h"
#include <stdio.h>
#include <string.h>

/* An invalid context is no error: the grid is -1 x -1, in four INTEGERs.
 * \return their width, or 0 if this cannot be seen. */
static int
probe(void)
{
    typedef void gridinfo(int64_t, void *, void *, void *, void *);
    enum { N = 4 };
    const hesca_function f = hesca_blacs_gridinfo_function();
    unsigned char integer[N][8], narrow[8], wide[8];
    if (f == NULL || sizeof(void *) < 8)
        return 0;
    memset(integer, 0x55, sizeof integer);
    memset(wide, 0xff, sizeof wide);
    memcpy(narrow, wide, 4);
    memcpy(narrow + 4, integer[0] + 4, 4);
    ((gridinfo *)f)(-1, integer[0], integer[1], integer[2], integer[3]);
    if (memcmp(integer[0], integer[1], 8) != 0 ||
        memcmp(integer[0], integer[2], 8) != 0 ||
        memcmp(integer[0], integer[3], 8) != 0)
        return 0;
    return memcmp(integer[0], narrow, 8) == 0 ? 4
           : memcmp(integer[0], wide, 8) == 0 ? 8
                                              : 0;
}

int
hesca_width(void)
{
    static _Atomic int width; /* threads come to the same */
    if (width == 0)
        width = probe();
    return width != 0 ? width : (int)sizeof(hesca_int);
}

/* Once MPI runs, its first process says so. */
static void
say(void)
{
    static _Atomic int said;
    hesca_params params;
    int runs = 0, is_over = 0, rank;
    if (said)
        return;
    PMPI_Initialized(&runs);
    PMPI_Finalized(&is_over);
    if (!runs || is_over || said++)
        return;
    if (hesca_params_read(&params) < 0)
        params = (hesca_params){.fallback = HESCA_FALLBACK_PRINT};
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && params.fallback != HESCA_FALLBACK_SILENT) {
        hesca_report_line(
            "the INTEGER of this program's ScaLAPACK has %d bits, "
            "HESCA was built for %d (configure --enable-ilp64: 64): all "
            "calls are left to ScaLAPACK",
            8 * hesca_width(), (int)(8 * sizeof(hesca_int)));
    }
    if (params.fallback == HESCA_FALLBACK_ERROR &&
        params.onerror == HESCA_ONERROR_ABORT)
        PMPI_Abort(MPI_COMM_WORLD, 1);
}

int
hesca_width_fits(void)
{
    if (hesca_width() == (int)sizeof(hesca_int))
        return 1;
    say();
    return 0;
}

int64_t
hesca_width_value(hesca_word word)
{
    return hesca_width() == 4 ? (int32_t)word : word;
}

int64_t
hesca_width_load(const void *integer)
{
    int32_t narrow;
    int64_t wide;
    if (hesca_width() == 4) {
        memcpy(&narrow, integer, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, integer, sizeof wide);
    return wide;
}

hesca_integer
hesca_width_store(int64_t value)
{
    hesca_integer x = {.wide = 0};
    if (hesca_width() == 4)
        x.narrow = (int32_t)value;
    else
        x.wide = value;
    return x;
}

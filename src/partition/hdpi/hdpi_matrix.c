/* SPDX-License-Identifier: BSD-3-Clause */
/* HDPI: a generalized block for a grid of processors. */
#include "base/status.h"
#include "hdpi.h"
#include "partition/hdpi/hdpi_models.h"
#include "partition/hdpi/hdpi_rects.h"
#include "partition/matrix/tiling.h"
#include <stddef.h>

int
Partition_matrix_2d(int p, int q, int pn, const double *speeds,
                    const int *psizes, const int *mlimits, int m, int n,
                    int type_of_distribution, int *w, int *h, int *trow,
                    int *tcol, int *ci, int *cj)
{
    static const char routine[] = "Partition_matrix_2d";
    const hesca_hdpi_rects out = {w, h, trow, tcol};
    hesca_hdpi_rects full = {0};
    const hesca_speed **models = NULL;
    hesca_tiling *t = NULL;
    int err, parts = 0;
    HESCA_TRY(err, hesca_tiling_check_grid(routine, 1, p, q));
    parts = p * q;
    HESCA_TRY(err, hesca_hdpi_check_block(routine, 7, m, n, 10, &out, 0));
    HESCA_TRY(err, hesca_hdpi_check_type(routine, 9, type_of_distribution));
    HESCA_TRY(err, hesca_hdpi_models(routine, 3, parts, pn, speeds, psizes,
                                     mlimits, &models));
    err = hesca_tiling_create_grid(p, q, models, m, n,
                                   (hesca_tiling_kind)type_of_distribution,
                                   HESCA_TILING_PROPORTIONAL, &t);
    if (err < 0)
        HESCA_TRY(err, hesca_hdpi_fail_limits(routine, 6, err));
    HESCA_TRY(err, hesca_hdpi_rects_alloc(routine, parts, &full));
    hesca_hdpi_write(t, &full);
    hesca_hdpi_copy(parts, &full, &out);
    hesca_hdpi_put_owners(parts, &full, n, q, ci, cj);
fail:
    hesca_hdpi_rects_free(&full);
    hesca_tiling_free(t);
    hesca_hdpi_models_free(parts, models);
    return hesca_hdpi_status(err);
}

/* The rectangle of (i,j) alone, for performance models. */
static int
my_rect(const char *routine, int i, int j, int p, int q, const double *speeds,
        int type, int m, int n, hesca_rect *r)
{
    const hesca_speed **models = NULL;
    hesca_tiling *t = NULL;
    int err, parts = 0;
    HESCA_TRY(err, hesca_tiling_check_grid(routine, 3, p, q));
    parts = p * q;
    if (i < 0 || i >= p)
        HESCA_TRY(err, hesca_fail_arg(routine, 1, "i", i, "0 ... p - 1"));
    if (j < 0 || j >= q)
        HESCA_TRY(err, hesca_fail_arg(routine, 2, "j", j, "0 ... q - 1"));
    HESCA_TRY(err, hesca_hdpi_check_type(routine, 6, type));
    HESCA_TRY(err, hesca_hdpi_check_block(routine, 7, m, n, 0, NULL, 0));
    /* These functions have no pn; it would be argument 4, before speeds. */
    HESCA_TRY(err, hesca_hdpi_models(routine, 4, parts, 1, speeds, NULL, NULL,
                                     &models));
    HESCA_TRY(err, hesca_tiling_create_grid(p, q, models, m, n,
                                            (hesca_tiling_kind)type,
                                            HESCA_TILING_PROPORTIONAL, &t));
    *r = hesca_tiling_rect(t, i * q + j);
fail:
    hesca_tiling_free(t);
    hesca_hdpi_models_free(parts, models);
    return err;
}

int
Get_my_width(int i, int j, int p, int q, const double *speeds,
             int type_of_distribution, int m, int n)
{
    hesca_rect r;
    const int err = my_rect("Get_my_width", i, j, p, q, speeds,
                            type_of_distribution, m, n, &r);
    return err < 0 ? -1 : (int)r.width;
}

int
Get_my_height(int i, int j, int p, int q, const double *speeds,
              int type_of_distribution, int m, int n)
{
    hesca_rect r;
    const int err = my_rect("Get_my_height", i, j, p, q, speeds,
                            type_of_distribution, m, n, &r);
    return err < 0 ? -1 : (int)r.height;
}

#include "hdpi_units.h"
#include <stdlib.h>

int
units_change(const hesca_speed *from, double unit, double limit,
             hesca_speed **to)
{
    int n;
    const hesca_knot *knot = hesca_speed_knots(from, &n);
    hesca_knot *scaled = malloc((size_t)n * sizeof *scaled);
    *to = NULL;
    if (scaled == NULL)
        return HESCA_ERR_NOMEM;
    for (int j = 0; j < n; ++j) {
        scaled[j] = knot[j];
        scaled[j].size /= unit;
    }
    const int err = hesca_speed_create(n, scaled, limit, to);
    free(scaled);
    return err;
}

void
units_free(hesca_speed **model, int p)
{
    for (int i = 0; model != NULL && i < p; ++i)
        hesca_speed_free(model[i]);
    free(model);
}

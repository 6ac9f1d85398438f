/* SPDX-License-Identifier: BSD-3-Clause */
#include "gemr2d.h"
#include <math.h>
#include <stdlib.h>

enum { WORST = 10 };

int
ratios_add(ratio_list *list, const timing_case *c, double ratio,
           double real_time)
{
    const size_t n = (size_t)list->n + 1;
    ratio_row *row = realloc(list->row, n * sizeof *row);
    if (row == NULL)
        return 0;
    row[list->n++] = (ratio_row){c, ratio, real_time};
    list->row = row;
    return 1;
}

void
ratios_clear(ratio_list *list)
{
    free(list->row);
    *list = (ratio_list){NULL, 0};
}

static int
slowest_first(const void *a, const void *b)
{
    const double x = ((const ratio_row *)a)->ratio;
    const double y = ((const ratio_row *)b)->ratio;
    return (x > y) - (x < y);
}

/* One class of shapes; the list is sorted. */
static void
print_class(FILE *f, const ratio_list *list, draw_class which)
{
    double *x = malloc((size_t)list->n * sizeof *x), logs = 0;
    int n = 0, slower = 0;
    for (int k = 0; x != NULL && k < list->n; ++k)
        if (draw_class_of(list->row[k].c) == which) {
            x[n] = list->row[k].ratio;
            slower += x[n] < RATIO_SLOWER;
            logs += log(x[n++]);
        }
    if (n > 0)
        fprintf(f, "%-17s %6d %7.2f %7.2f %7.2f %7.2f %7.2f %7.2f %7d\n",
                draw_class_name[which], n, exp(logs / n), x[0], x[n / 20],
                x[n / 4], x[n / 2], x[n - 1], slower);
    free(x);
}

static void
print_side(FILE *f, const char *option, const distribution *d)
{
    fprintf(f, " --%s %dx%d", option, d->nprow, d->npcol);
    if (d->first > 0)
        fprintf(f, "@%d", d->first);
    fprintf(f, ":%dx%d", d->mb, d->nb);
    if (d->rsrc > 0 || d->csrc > 0)
        fprintf(f, ":%d,%d", d->rsrc, d->csrc);
}

static void
print_case(FILE *f, const ratio_row *x)
{
    const timing_case *c = x->c;
    fprintf(f, "%7.2f %10.3f  --type %c --m %d --n %d", x->ratio,
            1e3 * x->real_time, c->type, c->m, c->n);
    print_side(f, "from", &c->a);
    print_side(f, "to", &c->b);
    if (c->a.i > 1 || c->a.j > 1)
        fprintf(f, " --ia %d --ja %d", c->a.i, c->a.j);
    if (c->b.i > 1 || c->b.j > 1)
        fprintf(f, " --ib %d --jb %d", c->b.i, c->b.j);
    if (c->context_a)
        fputs(" --context a", f);
    fputc('\n', f);
}

void
ratios_print(FILE *f, ratio_list *list)
{
    if (list->n == 0)
        return;
    qsort(list->row, (size_t)list->n, sizeof *list->row, slowest_first);
    fprintf(f,
            "\nTimes faster than ScaLAPACK, by the smaller dimension\n"
            "%-17s %6s %7s %7s %7s %7s %7s %7s %7s\n",
            "", "cases", "mean", "least", "5 %", "25 %", "median", "most",
            "< 0.95");
    for (int k = 0; k < DRAW_CLASSES; ++k)
        print_class(f, list, (draw_class)k);
    fputs("mean: geometric\n\nThe slowest: ratio, ScaLAPACK's time in ms, "
          "options\n",
          f);
    for (int k = 0; k < list->n && k < WORST; ++k)
        print_case(f, &list->row[k]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "gemr2d.h"
#include "hesca/version.h"
#include <string.h>

enum { CELL = 80 };

void
routine_name(const timing_case *c, char name[16])
{
    snprintf(name, 16, "p%c%s", c->type, c->triangular ? "trmr2d" : "gemr2d");
}

/* ----- the table ----- */

/* A distribution as on the command line, and where the submatrix begins. */
static void
layout_text(const distribution *d, char text[CELL])
{
    int n = snprintf(text, CELL, "%dx%d", d->nprow, d->npcol);
    if (d->first > 0)
        n += snprintf(text + n, CELL - (size_t)n, "@%d", d->first);
    n += snprintf(text + n, CELL - (size_t)n, ":%dx%d", d->mb, d->nb);
    if (d->rsrc > 0 || d->csrc > 0)
        n += snprintf(text + n, CELL - (size_t)n, ":%d,%d", d->rsrc, d->csrc);
    if (d->i > 1 || d->j > 1)
        snprintf(text + n, CELL - (size_t)n, " (%d,%d)", d->i, d->j);
}

/* What identifies a case: the first columns of the table. */
static void
case_cells(const timing_case *c, char cell[REPORT_CELLS][CELL])
{
    char name[16];
    routine_name(c, name);
    if (c->triangular)
        snprintf(cell[0], CELL, "%s %c%c", name, c->uplo, c->diag);
    else
        snprintf(cell[0], CELL, "%s", name);
    snprintf(cell[1], CELL, "%dx%d", c->m, c->n);
    layout_text(&c->a, cell[2]);
    layout_text(&c->b, cell[3]);
}

static void
print_cells(const report *r, char cell[REPORT_CELLS][CELL])
{
    for (int k = 0; k < REPORT_CELLS; ++k)
        fprintf(r->out->table, "%-*s  ", r->width[k], cell[k]);
}

static void
find_widths(report *r, const case_list *cases)
{
    char cell[REPORT_CELLS][CELL];
    for (int n = 0; n < cases->n; ++n) {
        case_cells(cases->item + n, cell);
        for (int k = 0; k < REPORT_CELLS; ++k)
            if ((int)strlen(cell[k]) > r->width[k])
                r->width[k] = (int)strlen(cell[k]);
    }
}

/* A time in ms, with four digits. */
static void
print_ms(FILE *f, const result *x, int what, double seconds)
{
    const double ms = 1e3 * seconds;
    if (!x->ran[what])
        fprintf(f, " %8s", "-");
    else
        fprintf(f, " %8.*f",
                ms < 10    ? 3
                : ms < 100 ? 2
                : ms < 1e5 ? 1
                           : 0,
                ms);
}

/* x / y where both were measured, else 0. */
static double
ratio(const result *x, int over, int under)
{
    if (!x->ran[over] || !x->ran[under] || x->median[under] <= 0)
        return 0;
    return x->median[over] / x->median[under];
}

static double
rate(const result *x)
{
    if (!x->ran[HESCA] || x->median[HESCA] <= 0)
        return 0;
    return x->bytes / x->median[HESCA] * 1e-9;
}

static void
print_ratio(FILE *f, int width, double value)
{
    if (value > 0)
        fprintf(f, " %*.2f", width, value);
    else
        fprintf(f, " %*s", width, "-");
}

static const char *
yes_no(const result *x)
{
    if (!x->ran[REAL] && !x->ran[HESCA])
        return "-";
    return x->identical ? "yes" : "no";
}

static void
print_row(const report *r, const result *x)
{
    char cell[REPORT_CELLS][CELL];
    case_cells(x->c, cell);
    print_cells(r, cell);
    for (int what = 0; what < NROUTINES; ++what) {
        print_ms(r->out->table, x, what, x->median[what]);
        print_ms(r->out->table, x, what, x->min[what]);
    }
    print_ratio(r->out->table, 9, ratio(x, REAL, HESCA));
    print_ratio(r->out->table, 7, ratio(x, HESCA, FLOOR));
    print_ratio(r->out->table, 6, rate(x));
    if (x->c->name[0] != '\0')
        fprintf(r->out->table, "  %-9s  %s\n", yes_no(x), x->c->name);
    else
        fprintf(r->out->table, "  %s\n", yes_no(x));
    fflush(r->out->table);
}

static void
print_head(const report *r)
{
    const facts *a = r->f;
    char above[REPORT_CELLS][CELL] = {"", "", "", ""};
    char below[REPORT_CELLS][CELL] = {"routine", "size", "from", "to"};
    fprintf(r->out->table, "HESCA %s (schedule %s, transport %s), %s, %s\n",
            HESCA_VERSION, a->schedule, a->transport, a->scalapack, a->mpi);
    fprintf(r->out->table, "%d process%s on %d node%s with %d core%s%s\n",
            a->nprocs, a->nprocs == 1 ? "" : "es", a->nnodes,
            a->nnodes == 1 ? "" : "s", a->cores, a->cores == 1 ? "" : "s",
            a->nnodes == 1 ? "" : " each");
    fputs("Times in ms until the slowest process is done: median and least of "
          "all repetitions.\n"
          "memcpy: every process copies its share once, the floor.\n\n",
          r->out->table);
    print_cells(r, above);
    fprintf(r->out->table, " %17s %17s %17s %9s %7s %6s\n", "ScaLAPACK",
            "HESCA", "memcpy", "ScaLAPACK", "HESCA", "HESCA");
    print_cells(r, below);
    fprintf(r->out->table, " %8s %8s %8s %8s %8s %8s %9s %7s %6s  %s\n",
            "median", "min", "median", "min", "median", "min", "/ HESCA",
            "/memcpy", "GB/s", "identical");
    fflush(r->out->table);
}

/* ----- CSV and JSON ----- */

static void
put_char(fields *s, const char *name, char value)
{
    const char text[2] = {value, '\0'};
    fields_text(s, name, text);
}

static void
put_side(fields *s, const char side, const distribution *d)
{
    const struct {
        const char *name;
        int value;
    } field[] = {{"p_", d->nprow},   {"q_", d->npcol}, {"first_", d->first},
                 {"mb_", d->mb},     {"nb_", d->nb},   {"rsrc_", d->rsrc},
                 {"csrc_", d->csrc}, {"i", d->i},      {"j", d->j}};
    char name[16];
    for (size_t k = 0; k < sizeof field / sizeof *field; ++k) {
        snprintf(name, sizeof name, "%s%c", field[k].name, side);
        fields_int(s, name, field[k].value);
    }
}

void
report_put(fields *s, const void *row)
{
    const result *x = row;
    const facts *f = x->f;
    const timing_case *c = x->c;
    char routine[16];
    routine_name(c, routine);
    fields_text(s, "name", c->name);
    fields_text(s, "routine", routine);
    put_char(s, "type", c->type);
    fields_text(s, "uplo", c->triangular ? (char[]){c->uplo, '\0'} : "");
    fields_text(s, "diag", c->triangular ? (char[]){c->diag, '\0'} : "");
    fields_int(s, "m", c->m);
    fields_int(s, "n", c->n);
    put_side(s, 'a', &c->a);
    put_side(s, 'b', &c->b);
    fields_text(s, "context", x->context_a ? "a" : "line");
    fields_text(s, "schedule", f->schedule);
    fields_text(s, "transport", f->transport);
    fields_int(s, "processes", f->nprocs);
    fields_int(s, "nodes", f->nnodes);
    fields_int(s, "cores", f->cores);
    fields_text(s, "mpi", f->mpi);
    fields_text(s, "scalapack", f->scalapack);
    fields_text(s, "hesca", HESCA_VERSION);
    fields_int(s, "repeats", x->repeats);
    fields_real(s, "bytes", x->bytes);
    fields_real(s, "real_median_s", x->median[REAL]);
    fields_real(s, "real_min_s", x->min[REAL]);
    fields_real(s, "hesca_median_s", x->median[HESCA]);
    fields_real(s, "hesca_min_s", x->min[HESCA]);
    fields_real(s, "floor_median_s", x->median[FLOOR]);
    fields_real(s, "floor_min_s", x->min[FLOOR]);
    fields_real(s, "real_over_hesca", ratio(x, REAL, HESCA));
    fields_real(s, "hesca_over_floor", ratio(x, HESCA, FLOOR));
    fields_real(s, "hesca_gb_per_s", rate(x));
    fields_text(s, "identical", yes_no(x));
}

/* ----- all of them ----- */

void
report_head(report *r, const case_list *cases)
{
    memcpy(r->width, (int[]){8, 4, 4, 2}, sizeof r->width);
    find_widths(r, cases);
    print_head(r);
}

void
report_result(report *r, const result *x)
{
    print_row(r, x);
    bench_row(r->out, x);
}

void
report_skipped(report *r, const timing_case *c, const char *why)
{
    char cell[REPORT_CELLS][CELL];
    case_cells(c, cell);
    print_cells(r, cell);
    fprintf(r->out->table, " skipped: %s\n", why);
}

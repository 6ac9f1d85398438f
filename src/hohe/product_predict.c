/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicted time of P?GEMM by HoHe: of the slowest process, which computes and
 * handles its messages, and of the slowest link.  Where A or B stays
 * (dense/inner_product.c) one follows the other; where C stays, panels move
 * meanwhile. */
#include "base/status.h"
#include "dense/local.h"
#include "dense/product.h"
#include "hohe/hohe_choose.h"
#include "machine/routine_costs.h"
#include <math.h>

typedef struct {
    const hesca_hohe_scales *x;
    hesca_product p; /* without data */
    hesca_matrix a, b, c;
} product;

/* The layout of a factor of m x n elements. */
static int
make_factor(const hesca_hohe_job *job, const hesca_side *s, int64_t m,
            int64_t n, hesca_matrix *x, hesca_layout **layout)
{
    const hesca_side *h = &job->home;
    const hesca_side own = {.m = m, .n = n, .mb = h->mb, .nb = h->nb};
    const hesca_side *of = s->nprow != 0 ? s : &own;
    const int err =
        hesca_layout_create_cyclic(of->m, of->n, of->mb, of->nb, of->rsrc,
                                   of->csrc, h->nprow, h->npcol, NULL, layout);
    *x = (hesca_matrix){.layout = *layout, .i = of->i, .j = of->j};
    return err;
}

/* Bytes per second of the slowest link of place k; infinity: it has none. */
static double
rate_of(const hesca_hohe_scales *x, int n, int k, int *neighbours)
{
    const hesca_machine *m = x->machine;
    double rate = INFINITY;
    *neighbours = 0;
    for (int l = 0; l < n; ++l)
        if (x->host[l] == x->host[k])
            *neighbours += 1;
        else
            rate = fmin(rate, m->wire[(size_t)x->host[k] * (size_t)m->nhosts +
                                      (size_t)x->host[l]]
                                  .rate);
    return rate;
}

/* The part of sub(X) at place k. */
static hesca_rectangle
part_of(const hesca_matrix *x, int64_t m, int64_t n, int k)
{
    const hesca_local part = hesca_local_make(x->layout, x->i, x->j, k);
    return hesca_local_rectangle(&part, m, n);
}

static double
rows_of(hesca_rectangle r)
{
    return (double)(r.r1 - r.r0);
}

static double
cols_of(hesca_rectangle r)
{
    return (double)(r.c1 - r.c0);
}

/* What place k does: operations, and elements that it receives, or sends if
 * these are more. */
typedef struct {
    double operations, moved;
} work;

static work
work_of_outer(const hesca_product *p, int k)
{
    const hesca_panel_mcast_spec a =
        hesca_product_panels(p, 'A', HESCA_STAYS_C);
    const hesca_panel_mcast_spec b =
        hesca_product_panels(p, 'B', HESCA_STAYS_C);
    const hesca_rectangle c = part_of(p->c, p->m, p->n, k);
    const int any = rows_of(c) > 0 && cols_of(c) > 0;
    return (work){2 * rows_of(c) * cols_of(c) * (double)p->k,
                  any ? hesca_product_lacks(&a, rows_of(c)) +
                            hesca_product_lacks(&b, cols_of(c))
                      : 0};
}

static work
work_of_inner(const hesca_product *p, hesca_stays stays, int k)
{
    const hesca_matrix *s = stays == HESCA_STAYS_A ? p->a : p->b;
    const hesca_panel_mcast_spec x =
        hesca_product_panels(p, stays == HESCA_STAYS_A ? 'B' : 'A', stays);
    const int keeps_rows = x.by == HESCA_COLS;
    const int nsums = keeps_rows ? s->layout->npcol : s->layout->nprow;
    const hesca_rectangle r =
        part_of(s, keeps_rows ? x.need : p->k, keeps_rows ? p->k : x.need, k);
    const hesca_rectangle c = part_of(p->c, p->m, p->n, k);
    const double kept = keeps_rows ? rows_of(r) : cols_of(r);
    const double summed = keeps_rows ? cols_of(r) : rows_of(r);
    return (work){
        2 * kept * summed * (double)x.k,
        hesca_product_lacks(&x, summed) +
            fmax(kept * (double)x.k, nsums * rows_of(c) * cols_of(c))};
}

static double
seconds_of(const product *q, hesca_stays stays)
{
    const hesca_product *p = &q->p;
    const hesca_hohe_scales *x = q->x;
    const int n = x->job->home.nprow * x->job->home.npcol;
    const double esize = (double)hesca_type_size(p->type);
    double busy = 0, sending = 0;
    for (int k = 0; k < n; ++k) {
        const work w = stays == HESCA_STAYS_C ? work_of_outer(p, k)
                                              : work_of_inner(p, stays, k);
        int neighbours;
        const double rate = rate_of(x, n, k, &neighbours);
        const double far = n > 1 ? (double)(n - neighbours) / (n - 1) : 0;
        if (w.operations + w.moved > 0)
            busy =
                fmax(busy, w.operations * hesca_hohe_per_operation(p->type) /
                                   hesca_hohe_speed_at(x, k) +
                               HESCA_HANDLING * esize * w.moved /
                                   hesca_hohe_message_speed(x, k));
        sending = fmax(sending, far * neighbours * esize * w.moved / rate);
    }
    return stays == HESCA_STAYS_C ? fmax(busy, sending) : busy + sending;
}

/* The product of a job; its layouts of A and B are to be freed. */
static int
make_product(const hesca_hohe_scales *x, const hesca_hohe_cut *cut, product *q,
             hesca_layout *layout[2])
{
    const hesca_hohe_job *job = x->job;
    const int moves = cut->moved > 0;
    int err;
    q->x = x;
    HESCA_TRY(err,
              make_factor(job, &job->a, job->transa ? job->k : job->m,
                          job->transa ? job->m : job->k, &q->a, &layout[0]));
    HESCA_TRY(err,
              make_factor(job, &job->b, job->transb ? job->n : job->k,
                          job->transb ? job->k : job->n, &q->b, &layout[1]));
    q->c = (hesca_matrix){.layout = moves ? cut->cut : cut->home,
                          .i = moves ? cut->i : job->home.i,
                          .j = moves ? cut->j : job->home.j};
    q->p = (hesca_product){.type = job->type,
                           .transa = job->transa ? 'T' : 'N',
                           .transb = job->transb ? 'T' : 'N',
                           .m = job->m,
                           .n = job->n,
                           .k = job->k,
                           .a = &q->a,
                           .b = &q->b,
                           .c = &q->c};
fail:
    return err;
}

int
hesca_hohe_weigh_product(const hesca_hohe_scales *x, const hesca_hohe_cut *cut,
                         double *seconds, char *stays)
{
    const hesca_hohe_job *job = x->job;
    hesca_layout *layout[2] = {NULL, NULL};
    product q;
    int err;
    *stays = 'C';
    HESCA_TRY(err, make_product(x, cut, &q, layout));
    /* Of transposed factors more moves than of the square job's. */
    if (job->transa || job->transb)
        *seconds = fmax(*seconds, seconds_of(&q, HESCA_STAYS_C));
    for (int k = 0; k < 2 && cut->moved <= 0; ++k) {
        const double inner =
            seconds_of(&q, k == 0 ? HESCA_STAYS_A : HESCA_STAYS_B);
        if (inner < *seconds) {
            *seconds = inner;
            *stays = k == 0 ? 'A' : 'B';
        }
    }
fail:
    hesca_layout_free(layout[0]);
    hesca_layout_free(layout[1]);
    return err;
}

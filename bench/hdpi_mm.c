/* SPDX-License-Identifier: BSD-3-Clause */
#include "blas.h"
#include "hdpi_real.h"
#include "yield.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Rows of matrices are columns here, so that a stripe is in one piece: C^T = B
 * A^T, of which a process has some columns. */
typedef struct {
    int64_t n, rows;
    double *a, *b, *c; /* [n * rows] its stripes */
    double *stripe;    /* [n * most rows] of B, of some process */
} matrices;

static int
open_matrices(matrices *m, int64_t n, int64_t first, int64_t rows,
              int64_t most)
{
    *m = (matrices){.n = n, .rows = rows};
    m->a = hdpi_matrix(n, rows);
    m->b = hdpi_matrix(n, rows);
    m->c = hdpi_matrix(n, rows);
    m->stripe = hdpi_matrix(n, most);
    if (m->a == NULL || m->b == NULL || m->c == NULL || m->stripe == NULL)
        return 0;
    hdpi_fill(m->a, 1, n, first, rows);
    hdpi_fill(m->b, 2, n, first, rows);
    return 1;
}

static void
close_matrices(matrices *m)
{
    free(m->a);
    free(m->b);
    free(m->c);
    free(m->stripe);
}

/* A stripe of B times the own one of A^T. */
typedef struct {
    const double *a, *b;
    double *c;
    int64_t n, rows; /* rows: of B */
} product;

static void
multiply(void *state, int64_t columns, int k)
{
    const product *x = state;
    const int n = (int)x->n, rows = (int)x->rows, cols = (int)columns;
    const double one = 1, zero = 0;
    (void)k;
    if (rows > 0 && cols > 0)
        dgemm_("T", "N", &rows, &cols, &n, &one, x->b, &n, x->a, &n, &zero,
               x->c, &n);
}

/* One after the other sends its stripe of B to all.  Returns seconds of
 * computing. */
static double
all_steps(matrices *m, const int64_t *rows, int rank, int procs,
          const emulation *e)
{
    double seconds = 0;
    int64_t first = 0;
    for (int s = 0; s < procs; ++s) {
        MPI_Request request;
        double *b = s == rank ? m->b : m->stripe;
        MPI_Ibcast(b, (int)(m->n * rows[s]), MPI_DOUBLE, s, MPI_COMM_WORLD,
                   &request);
        yield_wait(&request);
        const double start = yield_clock();
        product x = {m->a, b, m->c + first, m->n, rows[s]};
        hdpi_repeat(e, m->rows, m->n, multiply, &x);
        seconds += yield_clock() - start;
        first += rows[s];
    }
    return seconds;
}

/* The own stripe of C against one call of dgemm. */
static double
residual(const matrices *m, int64_t *ok)
{
    double *whole = hdpi_matrix(m->n, m->n), *c = hdpi_matrix(m->n, m->rows);
    double worst = 0;
    *ok = whole != NULL && c != NULL;
    if (*ok) {
        hdpi_fill(whole, 2, m->n, 0, m->n);
        product x = {m->a, whole, c, m->n, m->n};
        multiply(&x, m->rows, 0);
        /* An element of C is a sum of n products up to 1/4. */
        for (int64_t k = 0; k < m->n * m->rows; ++k)
            worst = fmax(worst, fabs(c[k] - m->c[k]));
        worst /= (double)m->n * DBL_EPSILON * 0.25;
    }
    free(whole);
    free(c);
    return worst;
}

int
mm_run(int64_t n, const int64_t *rows, const emulation *e, int checks,
       taken *t)
{
    int rank, procs;
    int64_t first = 0, most = 0, ok = 1;
    matrices m;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    for (int i = 0; i < procs; ++i) {
        first += i < rank ? rows[i] : 0;
        most = rows[i] > most ? rows[i] : most;
    }
    if (yield_all(open_matrices(&m, n, first, rows[rank], most))) {
        double sum, x[3];
        yield_barrier();
        const double start = yield_clock();
        x[1] = sum = all_steps(&m, rows, rank, procs, e);
        x[0] = yield_clock() - start;
        x[2] = checks ? residual(&m, &ok) : 0;
        yield_allreduce(x, 3, MPI_DOUBLE, MPI_MAX);
        yield_allreduce(&sum, 1, MPI_DOUBLE, MPI_SUM);
        *t = (taken){x[0], x[1], x[1] * procs / sum, x[2]};
    } else {
        ok = 0;
    }
    close_matrices(&m);
    return yield_all(ok != 0);
}

double
mm_probe(int64_t n, int64_t rows, int64_t cols, const emulation *e,
         double least)
{
    matrices m;
    double seconds = -1;
    if (open_matrices(&m, n, 0, rows, cols)) {
        hdpi_fill(m.stripe, 2, n, 0, cols);
        product x = {m.a, m.stripe, m.c, n, cols};
        const double start = yield_clock();
        int times = 0;
        do {
            hdpi_repeat(e, rows, n, multiply, &x);
            ++times;
            seconds = yield_clock() - start;
        } while (seconds < least);
        seconds *= (double)n / (double)cols / times;
    }
    close_matrices(&m);
    return seconds;
}

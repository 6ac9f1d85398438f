/* Two dimensions: a pair of processes exchanges data if their rows meet and
 * their columns meet, so every pair of a round of rows and a round of columns
 * is a step, and contention-free as both are (product of permutations). */
#include "base/status.h"
#include "sched/rounds.h"
#include "sched/sched.h"
#include <stdlib.h>
#include <string.h>

static hesca_peer
peer(const hesca_layout *x, int prow, int pcol, int64_t rows, int64_t cols)
{
    if (prow < 0 || pcol < 0)
        return (hesca_peer){.rank = -1};
    return (hesca_peer){.rank = x->ranks[prow * x->npcol + pcol],
                        .prow = prow,
                        .pcol = pcol,
                        .count = rows * cols};
}

/* Process (r,c) of A, if it is one, in round i of rows and j of columns. */
static hesca_peer
dest(const hesca_problem *p, const hesca_rounds *rows, int i,
     const hesca_rounds *cols, int j, int r, int c)
{
    const int s = rows->to[(int64_t)i * rows->npa + r];
    const int d = cols->to[(int64_t)j * cols->npa + c];
    if (s < 0 || d < 0)
        return (hesca_peer){.rank = -1};
    return peer(p->b, s, d, p->row_count[(int64_t)r * rows->npb + s],
                p->col_count[(int64_t)c * cols->npb + d]);
}

static hesca_peer
source(const hesca_problem *p, const hesca_rounds *rows, int i,
       const hesca_rounds *cols, int j, int s, int d)
{
    const int r = rows->from[(int64_t)i * rows->npb + s];
    const int c = cols->from[(int64_t)j * cols->npb + d];
    if (r < 0 || c < 0)
        return (hesca_peer){.rank = -1};
    return peer(p->a, r, c, p->row_count[(int64_t)r * rows->npb + s],
                p->col_count[(int64_t)c * cols->npb + d]);
}

int
hesca_steps_fill(const hesca_problem *p, int iproc, hesca_schedule *schedule)
{
    int err, r, c, s, d;
    hesca_rounds rows = {0}, cols = {0};
    const int in_a = hesca_layout_coords(p->a, iproc, &r, &c);
    const int in_b = hesca_layout_coords(p->b, iproc, &s, &d);
    HESCA_TRY(err, hesca_rounds_make(&rows, &p->a->rows, p->ia, &p->b->rows,
                                     p->ib, p->row_count));
    HESCA_TRY(err, hesca_rounds_make(&cols, &p->a->cols, p->ja, &p->b->cols,
                                     p->jb, p->col_count));
    schedule->nsteps = rows.n * cols.n;
    schedule->step =
        malloc(((size_t)schedule->nsteps + 1) * sizeof *schedule->step);
    if (schedule->step == NULL)
        HESCA_TRY(
            err, hesca_fail(HESCA_ERR_NOMEM, 0, "%d steps", schedule->nsteps));
    for (int i = 0; i < rows.n; ++i)
        for (int j = 0; j < cols.n; ++j) {
            hesca_step *step = &schedule->step[i * cols.n + j];
            step->dest.rank = step->src.rank = -1;
            if (in_a)
                step->dest = dest(p, &rows, i, &cols, j, r, c);
            if (in_b)
                step->src = source(p, &rows, i, &cols, j, s, d);
        }
fail:
    hesca_rounds_clear(&rows);
    hesca_rounds_clear(&cols);
    return err;
}

void
hesca_schedule_clear(hesca_schedule *schedule)
{
    free(schedule->step);
    memset(schedule, 0, sizeof *schedule);
}

#include "exec/transport.h"

void
hesca_transport_self(const hesca_plan *plan, const hesca_arrays *x)
{
    if (!plan->a.member || !plan->b.member)
        return;
    const hesca_message msg = hesca_plan_keeps(plan);
    const int64_t rows = msg.rows->total, cols = msg.cols->total;
    if (x->a == x->b && plan->in_place && x->lda == x->ldb)
        return; /* every element is where it belongs */
    if (rows > 0 && cols > 0)
        hesca_chunk_move(&msg, (hesca_chunk){0, cols, 0, rows}, x->a, x->lda,
                         x->b, x->ldb);
}

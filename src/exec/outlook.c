#include "exec/outlook.h"

hesca_outlook
hesca_outlook_of(const hesca_comm *c, int by_mpi)
{
    const int one_node = c->node.n == c->size && !by_mpi;
    const int differ = c->network.nproc > 0 && !one_node;
    return hesca_outlook_make(
        hesca_machine_costs(&c->machine, one_node, c->load),
        differ ? &c->network : NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts of the BLACS on other grids of a context's processes, for calls
 * that compute there.
 *
 * They are made of the context's own communicator, so that its processes alone
 * have to be there; by the original BLACS_GRIDMAP, past placement.  Calls that
 * use the same grid share one.  They go with the context, when libhesca
 * forgets what it has kept with its communicator; but BLACS_EXIT takes all
 * contexts in order of their numbers, so one may be gone before. */
#include "shim/blacs/blacs.h"
#include "shim/pblas/pblas.h"
#include "shim/shim.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct kept_grid {
    MPI_Comm comm; /* of the context that is called with */
    hesca_int nprow, npcol;
    hesca_int *map; /* [nprow * npcol] ranks of comm, by columns */
    int users;      /* handles */
    int is_made;
    hesca_int ictxt;  /* -1: this process is outside */
    hesca_int handle; /* of its communicator */
    struct kept_grid *next;
} kept_grid;

/* ------------------------------------------------ the list
 * A grid of a communicator is in the list once, for as long as it has users.
 */

/* The list and the users of its grids.  MPI is not called with it held: it may
 * call hesca_pblas_grid_free() with a lock of its own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static kept_grid *all;

int
hesca_pblas_grid_is_possible(void)
{
    const hesca_blacs *blacs = hesca_blacs_find();
    return blacs != NULL && blacs->gridmap != NULL && blacs->gridexit != NULL;
}

static int
is_same(const kept_grid *x, const hesca_hohe_grid *g, MPI_Comm comm)
{
    if (x->comm != comm || x->nprow != g->nprow || x->npcol != g->npcol)
        return 0;
    for (int p = 0; p < g->nprow; ++p)
        for (int q = 0; q < g->npcol; ++q)
            if (x->map[q * g->nprow + p] != g->process[p * g->npcol + q])
                return 0;
    return 1;
}

static void
free_grid(kept_grid *x)
{
    if (x != NULL)
        free(x->map);
    free(x);
}

static kept_grid *
new_grid(const hesca_hohe_grid *g, MPI_Comm comm)
{
    const size_t places = (size_t)g->nprow * (size_t)g->npcol;
    kept_grid *x = calloc(1, sizeof *x);
    if (x == NULL || (x->map = malloc(places * sizeof *x->map)) == NULL) {
        free_grid(x);
        return NULL;
    }
    x->comm = comm;
    x->nprow = g->nprow;
    x->npcol = g->npcol;
    x->ictxt = -1;
    for (int p = 0; p < g->nprow; ++p)
        for (int q = 0; q < g->npcol; ++q)
            x->map[q * g->nprow + p] = g->process[p * g->npcol + q];
    x->next = all;
    return all = x;
}

int
hesca_pblas_grid_create(const hesca_hohe_grid *grid, MPI_Comm comm,
                        void **handle)
{
    pthread_mutex_lock(&lock);
    kept_grid *x = all;
    while (x != NULL && !is_same(x, grid, comm))
        x = x->next;
    if (x == NULL)
        x = new_grid(grid, comm);
    if (x != NULL)
        ++x->users;
    pthread_mutex_unlock(&lock);
    if (x == NULL)
        return hesca_error_set(HESCA_ERR_NOMEM, 0, "no memory for a grid");
    *handle = x;
    return HESCA_SUCCESS;
}

/* ------------------------------------------------ contexts
 * A context is created with its first use, by all processes of the
 * communicator. */

hesca_int
hesca_pblas_grid_context(void *handle)
{
    const hesca_int what = 10; /* the context's communicator */
    const hesca_blacs *blacs = hesca_blacs_find();
    kept_grid *x = handle;
    if (x->is_made)
        return x->ictxt;
    x->is_made = 1;
    x->ictxt = PMPI_Comm_c2f(x->comm); /* Fortran's system context */
    ++hesca_inside_original;
    blacs->gridmap(&x->ictxt, x->map, &x->nprow, &x->nprow, &x->npcol);
    --hesca_inside_original;
    if (x->ictxt >= 0)
        blacs->get(&x->ictxt, &what, &x->handle);
    return x->ictxt;
}

void
hesca_pblas_grid_connect(void *handle)
{
    (void)hesca_pblas_grid_context(handle);
}

/* Whether the context is still that which was made. */
static int
is_alive(const hesca_blacs *blacs, const kept_grid *x)
{
    const hesca_int what = 10;
    hesca_int nprow, npcol, myrow, mycol, handle;
    if (x->ictxt < 0)
        return 0;
    blacs->gridinfo(x->ictxt, &nprow, &npcol, &myrow, &mycol);
    if (nprow != x->nprow || npcol != x->npcol)
        return 0;
    blacs->get(&x->ictxt, &what, &handle);
    return handle == x->handle;
}

void
hesca_pblas_grid_free(void *handle)
{
    const hesca_blacs *blacs = hesca_blacs_find();
    kept_grid *x = handle, **link = &all;
    pthread_mutex_lock(&lock);
    const int is_used = --x->users > 0;
    if (!is_used) {
        while (*link != x)
            link = &(*link)->next;
        *link = x->next;
    }
    pthread_mutex_unlock(&lock);
    if (is_used)
        return;
    if (is_alive(blacs, x))
        blacs->gridexit(x->ictxt);
    free_grid(x);
}

hesca_pblas_matrix
hesca_pblas_describe(hesca_int ictxt, const hesca_hohe_work *w, int k,
                     hesca_int desc[HESCA_DENSE_ENTRIES])
{
    static const hesca_int one = 1;
    const hesca_hohe_operand *x = &w->matrix[k];
    const hesca_int d[HESCA_DENSE_ENTRIES] = {
        1, ictxt, (hesca_int)x->m,  (hesca_int)x->n, w->nb, w->nb,
        0, 0,     (hesca_int)x->lld};
    memcpy(desc, d, sizeof d);
    return (hesca_pblas_matrix){x->local, &one, &one, desc};
}

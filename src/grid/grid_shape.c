/* SPDX-License-Identifier: BSD-3-Clause */
/* The best shape of a grid for the processes of MPI_COMM_WORLD, by
 * hesca_place_shape(). */
#include "base/status.h"
#include "exec/agree.h"
#include "exec/comm.h"
#include "hesca/experimental/grid.h"
#include <stdlib.h>

static const char routine[] = "hesca_grid_auto";

/* If no machine is known: one host with a core for each process. */
static int
make_homogeneous(int size, hesca_machine *machine)
{
    static const char *const name = "here";
    int err;
    *machine = hesca_machine_default();
    HESCA_TRY(err, hesca_machine_set_hosts(machine, 1, &name));
    machine->host[0].cores = size;
fail:
    return err;
}

static int
check_auto(int64_t n, int nb, const char *name, const int *nprow,
           const int *npcol, hesca_job *job)
{
    *job = (hesca_job){.n = n, .nb = nb};
    if (n < 1)
        return hesca_fail_arg(routine, 1, "n", n, "at least 1");
    if (nb < 1)
        return hesca_fail_arg(routine, 2, "nb", nb, "at least 1");
    if (name == NULL)
        return hesca_fail_null(routine, 3, "routine");
    if (nprow == NULL)
        return hesca_fail_null(routine, 4, "nprow");
    if (npcol == NULL)
        return hesca_fail_null(routine, 5, "npcol");
    if (!hesca_routine_find(name, &job->routine))
        return hesca_fail(HESCA_ERR_ARG, 3,
                          "%s: argument 3, routine, is '%.40s': must be gemm, "
                          "potrf or gesv",
                          routine, name);
    return HESCA_SUCCESS;
}

static int
agree_auto(const hesca_comm *c, const hesca_job *job)
{
    hesca_common common[] = {
        {"argument 1, n,", 1, 1, job->n},
        {"argument 2, nb,", 2, 1, job->nb},
        {"argument 3, routine,", 3, 1, (int64_t)job->routine},
    };
    return hesca_agree_common(c, routine, sizeof common / sizeof *common,
                              common, NULL);
}

int
hesca_grid_auto(int64_t n, int nb, const char *name, int *nprow, int *npcol)
{
    hesca_machine homogeneous = {0};
    hesca_comm *c = NULL;
    hesca_job job;
    int *zero = NULL, err, p = 0, q = 0;
    hesca_caller_enter(routine);
    HESCA_TRY(err, hesca_comm_get(MPI_COMM_WORLD, &c));
    err = check_auto(n, nb, name, nprow, npcol, &job);
    if (err == HESCA_SUCCESS && c->host == NULL) {
        err = make_homogeneous(c->size, &homogeneous);
        zero = calloc((size_t)c->size, sizeof *zero);
        if (err == HESCA_SUCCESS && zero == NULL)
            err = hesca_fail(HESCA_ERR_NOMEM, 0, "hosts of %d processes",
                             c->size);
    }
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err, agree_auto(c, &job));
    err = hesca_place_shape(c->host == NULL ? &homogeneous : &c->machine, &job,
                            c->size, c->host == NULL ? zero : c->host, &p, &q,
                            NULL, NULL);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    *nprow = p;
    *npcol = q;
fail:
    hesca_machine_clear(&homogeneous);
    free(zero);
    return err;
}

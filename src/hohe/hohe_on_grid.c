/* SPDX-License-Identifier: BSD-3-Clause */
/* Routines on another grid, or by HESCA's kernel in place, or left. */
#include "base/status.h"
#include "dense/kernels.h"
#include "hohe/hohe_decide.h"

static const char routine[] = "hesca_hohe_on_grid";

/* Check the global arguments, so that all processes return. */
static int
check(const hesca_hohe_call *x, const hesca_hohe_job *job,
      const hesca_hohe_kernel *kernel, const int64_t *result)
{
    int err = HESCA_SUCCESS;
    if ((unsigned)job->type > HESCA_Z)
        return hesca_fail_arg(routine, 2, "type", (int)job->type,
                              "one of hesca_type");
    if (job->narguments < 1 || job->narguments > HESCA_HOHE_MATRICES)
        return hesca_fail_arg(routine, 2, "narguments", job->narguments,
                              "1 to 4");
    if (hesca_hohe_has_kernel(job->routine) &&
        (kernel == NULL || job->narguments > 2))
        return hesca_fail_null(routine, 6, "kernel");
    if (job->m < 1 || job->n < 1 || job->k < 1)
        return hesca_fail_arg(routine, 2, "m, n or k",
                              job->m < 1   ? job->m
                              : job->n < 1 ? job->n
                                           : job->k,
                              "at least 1");
    if (result == NULL)
        return hesca_fail_null(routine, 8, "result");
    for (int k = 0; k < job->narguments; ++k)
        HESCA_TRY(err, hesca_hohe_check_side(x, 2, "argument",
                                             &job->argument[k].side));
fail:
    return err;
}

/* Keys are compared byte by byte: members alone, not their padding. */
static void
set_key(hesca_hohe_call *x, const hesca_hohe_job *job)
{
    hesca_hohe_job *key = &x->key.job;
    key->type = job->type;
    key->m = job->m;
    key->n = job->n;
    key->k = job->k;
    key->transa = job->transa;
    key->right = job->right;
    key->narguments = job->narguments;
    key->reads = 1;
    /* That of the matrix which a kernel writes, or of the first one. */
    hesca_hohe_common(&job->argument[hesca_hohe_has_kernel(job->routine)
                                         ? job->narguments - 1
                                         : 0]
                           .side,
                      &key->home);
    for (int k = 0; k < job->narguments; ++k) {
        const hesca_hohe_argument *from = &job->argument[k];
        hesca_hohe_argument *to = &key->argument[k];
        hesca_hohe_common(&from->side, &to->side);
        to->m = from->m;
        to->n = from->n;
        to->copied = from->copied;
        to->part = from->part;
        to->reads = from->reads;
        to->writes = from->writes;
    }
}

/* By HESCA's kernel, which gets the union of the vectors that are read. */
static int
compute(hesca_hohe_call *x, const hesca_hohe_entry *e,
        const hesca_hohe_job *job, const hesca_hohe_local *home,
        const hesca_hohe_kernel *kernel, const hesca_hohe_vectors *vectors)
{
    const int last = job->narguments - 1;
    const hesca_side *first = &job->argument[0].side,
                     *side = &job->argument[last].side;
    const int prepared =
        kernel->prepare != NULL ? kernel->prepare(kernel->call) : 0;
    hesca_matrix matrix[2];
    int err;
    if (x->status == HESCA_SUCCESS)
        x->status = prepared;
    matrix[0] = (hesca_matrix){.layout = e->a,
                               .i = first->i,
                               .j = first->j,
                               .local = home[0].local,
                               .lld = home[0].lld};
    HESCA_TRY(err,
              hesca_hohe_copy_in(x, e, side, home[last].local, &matrix[last]));
    if (vectors != NULL && vectors->ntaken > 0)
        HESCA_TRY(err,
                  hesca_comm_unite(x->c, vectors->taken, vectors->ntaken));
    HESCA_TRY(err, kernel->run(kernel->call, matrix, x->c->user));
    err = hesca_hohe_copy_out(e, &matrix[last], side, home[last].local);
fail:
    hesca_hohe_copy_free(e, &matrix[last]);
    return err;
}

int
hesca_hohe_on_grid(int status, const hesca_hohe_job *job, void *const local[],
                   MPI_Comm comm, const hesca_hohe_original *original,
                   const hesca_hohe_kernel *kernel,
                   const hesca_hohe_vectors *vectors, int64_t *result,
                   hesca_hohe_info *info)
{
    hesca_hohe_local home[HESCA_HOHE_MATRICES] = {{0}};
    hesca_hohe_call x;
    hesca_hohe_entry *e;
    int err;
    HESCA_TRY(err, hesca_hohe_begin(&x, routine, status, job->routine, comm,
                                    original, info));
    HESCA_TRY(err, check(&x, job, kernel, result));
    if (!hesca_hohe_is_candidate(&x))
        return HESCA_SUCCESS;
    if (x.status == HESCA_SUCCESS)
        x.status = hesca_hohe_check_place(&x, &job->argument[0].side);
    set_key(&x, job);
    for (int k = 0; k < job->narguments; ++k)
        home[k] = (hesca_hohe_local){local[k], job->argument[k].side.lld};
    if (hesca_hohe_has_kernel(job->routine))
        x.part = job->argument[job->narguments - 1].part;
    HESCA_TRY(err, hesca_hohe_decide(&x, &e));
    if (e->info.way == HESCA_WAY_HOHE)
        err = compute(&x, e, job, home, kernel, vectors);
    else if (e->info.way == HESCA_WAY_GRID)
        err = hesca_hohe_other_grid_run(&e->other, x.c, job->type, original,
                                        x.status, home, vectors, result, NULL);
fail:
    return hesca_hohe_end(&x, err);
}

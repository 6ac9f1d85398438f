/* HoHe under ScaLAPACK's calls: look the call up, or decide and plan; copy,
 * compute, copy back.
 *
 * Until the last copy nothing is written that the program sees, so whatever
 * fails before, the real routine can still do all of it.
 *
 * A decision depends on what all processes know alike, so a process that finds
 * one leaves without asking the others; whoever makes one agrees on it, and
 * all do so in the same call (kept.h). */
#include "hesca/hohe.h"
#include "base/status.h"
#include "dense/kept.h"
#include "dense/kernels.h"
#include "exec/agree.h"
#include "exec/outlook.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A call, as one process has it. */
typedef struct {
    hesca_comm *c;
    int status; /* what the caller has found */
    hesca_compute way;
    hesca_hohe_key key;
    hesca_hohe_info *info;
} call;

/* What all know alike of a side. */
static hesca_side
common(const hesca_side *side)
{
    hesca_side x;
    memset(&x, 0, sizeof x);
    x.nprow = side->nprow;
    x.npcol = side->npcol;
    x.m = side->m;
    x.n = side->n;
    x.mb = side->mb;
    x.nb = side->nb;
    x.rsrc = side->rsrc;
    x.csrc = side->csrc;
    x.i = side->i;
    x.j = side->j;
    return x;
}

static void
leave(call *x, const char *why)
{
    snprintf(x->info->why, sizeof x->info->why, "%s", why);
}

/* ------------------------------------------------ whether to look at it */

/* Speeds of the processes by rank; all 1 where no hosts are known. */
static void
find_speeds(const call *x, double *speed)
{
    const hesca_comm *c = x->c;
    if (c->host != NULL)
        hesca_hohe_speeds(&c->machine, c->host, &x->key.job, speed);
    else
        for (int k = 0; k < c->size; ++k)
            speed[k] = 1;
}

/* Whether processes have hosts of different speed; a job of any size will do
 * to tell, as a rule. */
static int
hosts_differ(const hesca_comm *c)
{
    const hesca_host *host = c->machine.host;
    for (int r = 1; r < c->size; ++r) {
        const int g = c->host[0], h = c->host[r];
        if (g != h &&
            (host[g].speed != host[h].speed || host[g].cores != host[h].cores))
            return 1;
    }
    return 0;
}

/* Hosts with models of their own, or with other numbers of processes. */
static int
shares_differ(const hesca_comm *c)
{
    const int *host = c->host;
    int most = 0, least = c->size;
    for (int h = 0; h < c->machine.nhosts; ++h) {
        int n = 0;
        for (int r = 0; r < c->size; ++r)
            n += host[r] == h;
        if (n > 0) {
            most = n > most ? n : most;
            least = n < least ? n : least;
        }
    }
    return most != least || c->machine.nmodels > 0;
}

/* Whether a call is one for HoHe, with no prediction and no message. */
static int
is_candidate(call *x)
{
    const hesca_comm *c = x->c;
    x->info->settled = !c->strangers; /* whose complaint is shared each time */
    if (x->way == HESCA_COMPUTE_REAL)
        leave(x, "HESCA_GEMM is real");
    else if (c->strangers)
        leave(x, hesca_error_text());
    else if (x->way == HESCA_COMPUTE_HOHE)
        return 1;
    else if (c->size == 1)
        leave(x, "there is one process");
    else if (c->host == NULL)
        leave(x, "no machine is known (HESCA_MACHINE)");
    else if (!hosts_differ(c) && !shares_differ(c))
        leave(x, "the hosts of its processes do not differ");
    else
        return 1;
    return 0;
}

/* ------------------------------------------------ decisions */

static int
make_home(const hesca_side *s, hesca_layout **layout)
{
    return s->nprow == 0
               ? HESCA_SUCCESS
               : hesca_layout_create_cyclic(s->m, s->n, s->mb, s->nb, s->rsrc,
                                            s->csrc, s->nprow, s->npcol, NULL,
                                            layout);
}

/* Predict both ways, if the machine is known, and decide. */
static int
decide(const call *x, const double *speed, hesca_hohe_entry *e)
{
    const hesca_comm *c = x->c;
    const hesca_outlook outlook = hesca_outlook_of(c, 0);
    hesca_hohe_info *info = &e->info;
    int err = HESCA_SUCCESS;
    info->served = x->way == HESCA_COMPUTE_HOHE;
    info->forecast.staging = hesca_hohe_staging(&x->key.job, &e->cut);
    if (c->host == NULL)
        return HESCA_SUCCESS;
    err = hesca_hohe_weigh(&c->machine, c->host, &x->key.job, speed, &e->cut,
                           &outlook, &info->forecast);
    if (err == HESCA_ERR_ARG) { /* memory is too small */
        info->served = 0;
        snprintf(info->why, sizeof info->why, "%s", hesca_error_text());
        return HESCA_SUCCESS;
    }
    if (err < 0)
        return err;
    info->predicted = 1;
    if (!info->served && !hesca_hohe_wins(&info->forecast))
        snprintf(info->why, sizeof info->why, "by prediction");
    else
        info->served = 1;
    return HESCA_SUCCESS;
}

/* What one process does of a decision, without the others. */
static int
make_entry(const call *x, hesca_hohe_entry **result)
{
    double *speed = malloc((size_t)x->c->size * sizeof *speed);
    hesca_hohe_entry *e = calloc(1, sizeof *e);
    int err = HESCA_SUCCESS;
    if (speed == NULL || e == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "a decision"));
    HESCA_TRY(err, hesca_hohe_prepare(x->c));
    e->key = x->key;
    find_speeds(x, speed);
    HESCA_TRY(err, hesca_hohe_cut_make(&x->key.job, speed, &e->cut));
    HESCA_TRY(err, make_home(&x->key.a, &e->a));
    HESCA_TRY(err, make_home(&x->key.b, &e->b));
    HESCA_TRY(err, decide(x, speed, e));
fail:
    free(speed);
    if (err < 0) {
        hesca_hohe_entry_free(e);
        e = NULL;
    }
    *result = e;
    return err;
}

/* The copies; collective. */
static int
make_plans(const call *x, hesca_hohe_entry *e)
{
    const hesca_hohe_job *job = &x->key.job;
    const size_t esize = hesca_type_size(job->type);
    const hesca_hohe_cut *cut = &e->cut;
    int err = HESCA_SUCCESS;
    if (job->reads)
        HESCA_TRY(err,
                  hesca_plan_create(HESCA_ALL, job->m, job->n, cut->home,
                                    job->home.i, job->home.j, cut->cut, cut->i,
                                    cut->j, esize, x->c->user, &e->in));
    HESCA_TRY(err, hesca_plan_create(HESCA_ALL, job->m, job->n, cut->cut,
                                     cut->i, cut->j, cut->home, job->home.i,
                                     job->home.j, esize, x->c->user, &e->out));
fail:
    return err;
}

/* Find the decision of a call, or come to one with the others. */
static int
find_entry(const call *x, hesca_hohe_entry **result)
{
    hesca_hohe_entry *e = hesca_hohe_find(x->c, &x->key);
    int64_t served;
    int err = HESCA_SUCCESS;
    *result = e;
    if (e != NULL) {
        e->info.cached = 1;
        return HESCA_SUCCESS;
    }
    err = make_entry(x, &e);
    served = e != NULL && e->info.served;
    HESCA_TRY(err, hesca_agree(x->c, err, 1, &served));
    if (served)
        HESCA_TRY(err, make_plans(x, e));
    hesca_hohe_keep(x->c, e);
    *result = e;
    return HESCA_SUCCESS;
fail:
    hesca_hohe_entry_free(e);
    return err;
}

/* ------------------------------------------------ carrying out */

/* The copy of sub(C) that this process has. */
typedef struct {
    void *data;
    int64_t lld;
} copy;

static int
allocate(const call *x, const hesca_hohe_entry *e, copy *to)
{
    const size_t esize = hesca_type_size(x->key.job.type);
    int64_t rows = 0, cols = 0;
    size_t bytes;
    hesca_layout_local_size(e->cut.cut, x->c->rank, &rows, &cols);
    to->lld = rows > 0 ? rows : 1;
    if (__builtin_mul_overflow((size_t)rows, (size_t)cols, &bytes) ||
        __builtin_mul_overflow(bytes, esize, &bytes) ||
        (to->data = malloc(bytes > 0 ? bytes : 1)) == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a copy of %lld x %lld elements",
                          (long long)rows, (long long)cols);
    return HESCA_SUCCESS;
}

/* All arguments of hesca_hohe_gemm(). */
typedef struct {
    const void *alpha, *beta;
    const hesca_side *sa, *sb, *sc;
    const void *a, *b;
    void *c;
    char transa, transb;
} product;

static hesca_matrix
operand(const hesca_layout *layout, const hesca_side *s, const void *local)
{
    /* What is only read loses its const. */
    return (hesca_matrix){.layout = layout,
                          .i = s->i,
                          .j = s->j,
                          .local = (void *)(uintptr_t)local,
                          .lld = s->lld};
}

static int
multiply(const call *x, const hesca_hohe_entry *e, const product *p)
{
    const hesca_hohe_job *job = &x->key.job;
    const hesca_matrix a = operand(e->a, p->sa, p->a);
    const hesca_matrix b = operand(e->b, p->sb, p->b);
    copy staged = {0};
    int err = x->status;
    if (err == HESCA_SUCCESS)
        err = allocate(x, e, &staged);
    HESCA_TRY(err, hesca_agree(x->c, err, 0, NULL));
    if (e->in != NULL)
        HESCA_TRY(err, hesca_plan_execute(e->in, p->c, p->sc->lld, staged.data,
                                          staged.lld));
    const hesca_matrix c = {.layout = e->cut.cut,
                            .i = e->cut.i,
                            .j = e->cut.j,
                            .local = staged.data,
                            .lld = staged.lld};
    HESCA_TRY(err,
              hesca_gemm(job->type, p->transa, p->transb, job->m, job->n,
                         job->k, p->alpha, &a, &b, p->beta, &c, x->c->user));
    HESCA_TRY(err, hesca_plan_execute(e->out, staged.data, staged.lld, p->c,
                                      p->sc->lld));
fail:
    free(staged.data);
    return err;
}

/* ------------------------------------------------ the public function */

/* The communicator; the machine may have other hosts than its processes. */
static int
get_comm(MPI_Comm comm, hesca_comm **c)
{
    const int err = hesca_comm_get(comm, c);
    return *c != NULL && (*c)->strangers ? HESCA_SUCCESS : err;
}

/* Arguments that are the same everywhere, so that all return. */
static int
check(const hesca_comm *c, hesca_type type, int64_t m, int64_t n, int64_t k,
      const void *alpha, const hesca_side *const *side, const void *beta)
{
    static const char name[] = "hesca_hohe_gemm";
    if ((unsigned)type > HESCA_Z)
        return hesca_fail_arg(name, 2, "type", (int)type, "one of hesca_type");
    if (m < 1 || n < 1 || k < 1)
        return hesca_fail_arg(name,
                              m < 1   ? 5
                              : n < 1 ? 6
                                      : 7,
                              m < 1   ? "m"
                              : n < 1 ? "n"
                                      : "k",
                              m < 1   ? m
                              : n < 1 ? n
                                      : k,
                              "at least 1");
    if (alpha == NULL || beta == NULL)
        return hesca_fail_null(name, alpha == NULL ? 8 : 13,
                               alpha == NULL ? "alpha" : "beta");
    for (int s = 0; s < 3; ++s) {
        static const int number[] = {9, 11, 14};
        static const char *const names[] = {"sa", "sb", "sc"};
        if (side[s] == NULL)
            return hesca_fail_null(name, number[s], names[s]);
        if (side[s]->nprow != side[2]->nprow ||
            side[s]->npcol != side[2]->npcol ||
            (int64_t)side[s]->nprow * side[s]->npcol != c->size)
            return hesca_fail(HESCA_ERR_ARG, 100 * number[s] + 2,
                              "%s: argument %d, %s, has a grid of %d x %d: "
                              "must be that of sc, of all %d processes",
                              name, number[s], names[s], side[s]->nprow,
                              side[s]->npcol, c->size);
    }
    return HESCA_SUCCESS;
}

/* This process must be where a layout without ranks has it. */
static int
check_place(const hesca_comm *c, const hesca_side *s)
{
    return s->myrow * s->npcol + s->mycol == c->rank
               ? HESCA_SUCCESS
               : hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                            "rank %d of the grid's communicator is at "
                            "(%d,%d)",
                            c->rank, s->myrow, s->mycol);
}

int
hesca_hohe_gemm(int status, hesca_type type, char transa, char transb,
                int64_t m, int64_t n, int64_t k, const void *alpha,
                const hesca_side *sa, const void *a, const hesca_side *sb,
                const void *b, const void *beta, const hesca_side *sc, void *c,
                MPI_Comm comm, hesca_hohe_info *info)
{
    const hesca_side *const sides[] = {sa, sb, sc};
    const product p = {alpha, beta, sa, sb, sc, a, b, c, transa, transb};
    hesca_hohe_info unwanted;
    hesca_hohe_entry *e;
    call x;
    int err;
    hesca_caller_enter("hesca_hohe_gemm");
    memset(&x, 0, sizeof x);
    x.info = info != NULL ? info : &unwanted;
    memset(x.info, 0, sizeof *x.info);
    HESCA_TRY(err, get_comm(comm, &x.c));
    HESCA_TRY(err, check(x.c, type, m, n, k, alpha, sides, beta));
    x.way = x.c->params.gemm;
    if (!is_candidate(&x))
        return HESCA_SUCCESS;
    x.info->settled = 0;
    x.status = status < 0 ? status : check_place(x.c, sc);
    x.key.job.routine = HESCA_GEMM;
    x.key.job.type = type;
    x.key.job.m = m;
    x.key.job.n = n;
    x.key.job.k = k;
    x.key.job.reads = !hesca_is_zero(type, beta);
    x.key.job.home = common(sc);
    x.key.a = common(sa);
    x.key.b = common(sb);
    HESCA_TRY(err, find_entry(&x, &e));
    *x.info = e->info;
    if (e->info.served)
        HESCA_TRY(err, multiply(&x, e, &p));
fail:
    x.info->served = x.info->served && err == HESCA_SUCCESS;
    return err;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The least time of a routine against brute force: every operation of every
 * element is done by its owner, and what it needs is noted, element by
 * element; where it is computing alone, or messages alone; every way to ask
 * wrongly, and no memory. */
#include "base/status.h"
#include "hesca/experimental/gblock.h"
#include "testing/hohe/machines.h"
#include "testing/layouts.h"
#include "testing/nomem.h"
#include <math.h>

enum { ORDER = 14, PROCS = 6, FACTORS = 2 };

typedef struct {
    hesca_job job;
    int nprow, npcol, nprocs;
    int host[PROCS];
    hesca_layout *layout, *source;
    hesca_machine machine;
    char text[200];
} shape;

/* ------------------------------------------------ brute force */

static int
owner(const hesca_layout *x, int i, int j)
{
    int64_t il, jl;
    int rank = -1;
    hesca_layout_locate(x, i, j, &rank, &il, &jl);
    return rank;
}

static int
terms(const shape *s, int i, int j)
{
    const int nb = s->job.nb;
    return s->job.routine == HESCA_ROUTINE_GEMM ? (int)s->job.n
                                                : (i < j ? i : j) / nb * nb;
}

static int
is_computed(const shape *s, int i, int j)
{
    return s->job.routine != HESCA_ROUTINE_POTRF || i >= j;
}

typedef struct {
    double work[PROCS]; /* operations */
    char needs[PROCS][FACTORS][ORDER][ORDER];
} operations;

/* Elements (i,k) and (k,j) of the factors; of a symmetric one (j,k). */
static void
do_all(const shape *s, operations *o)
{
    const int n = (int)s->job.n;
    memset(o, 0, sizeof *o);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const int me = owner(s->layout, i, j);
            for (int k = 0; is_computed(s, i, j) && k < terms(s, i, j); ++k) {
                o->work[me] += 2;
                o->needs[me][0][i][k] = 1;
                if (s->job.routine == HESCA_ROUTINE_POTRF)
                    o->needs[me][0][j][k] = 1;
                else
                    o->needs[me][1][k][j] = 1;
            }
        }
}

/* Whether processes k and l are one unit. */
static int
is_one(const shape *s, int by_host, int k, int l)
{
    return by_host ? s->host[k] == s->host[l] : k == l;
}

/* Whether the unit of process l needs an element, or one of the others. */
static int
is_needed(const shape *s, const operations *o, int by_host, int l, int others,
          const int at[3])
{
    for (int k = 0; k < s->nprocs; ++k)
        if (is_one(s, by_host, k, l) != others &&
            o->needs[k][at[0]][at[1]][at[2]])
            return 1;
    return 0;
}

/* Elements that the unit of process l must receive, or send. */
static int
count(const shape *s, const operations *o, int by_host, int l, int sends)
{
    const hesca_layout *from =
        s->job.routine == HESCA_ROUTINE_GEMM ? s->source : s->layout;
    const int n = (int)s->job.n;
    int sum = 0;
    for (int f = 0; f < FACTORS; ++f)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                sum += is_one(s, by_host, owner(from, i, j), l) == sends &&
                       is_needed(s, o, by_host, l, sends, (int[]){f, i, j});
    return sum;
}

static double
fastest(const shape *s, int by_host, int l, int sends)
{
    const hesca_machine *m = &s->machine;
    double rate = 0;
    for (int a = 0; a < s->nprocs; ++a)
        for (int b = 0; b < s->nprocs; ++b)
            if (is_one(s, by_host, sends ? a : b, l) &&
                !is_one(s, by_host, a, b))
                rate = fmax(rate,
                            m->wire[s->host[a] * m->nhosts + s->host[b]].rate);
    return rate;
}

static double
messages(const shape *s, const operations *o, int sends)
{
    double longest = 0;
    for (int by_host = 0; by_host < 2; ++by_host)
        for (int l = 0; l < s->nprocs; ++l) {
            const int elements = count(s, o, by_host, l, sends);
            if (elements > 0)
                longest = fmax(longest,
                               8.0 * elements / fastest(s, by_host, l, sends));
        }
    return longest;
}

/* Where all that one host has to do is shared by its cores. */
static double
computing(const shape *s, const operations *o, double *ideal)
{
    double longest = 0, all = 0;
    for (int l = 0; l < s->nprocs; ++l) {
        const hesca_host *host = &s->machine.host[s->host[l]];
        const double speed = 1e10 * host->speed;
        double sum = 0;
        int beside = 0;
        for (int k = 0; k < s->nprocs; ++k)
            if (s->host[k] == s->host[l]) {
                sum += o->work[k];
                ++beside;
            }
        const double cores = fmin(host->cores, beside);
        longest = fmax(longest, o->work[l] / speed / fmin(1, host->cores));
        longest = fmax(longest, sum / speed / cores);
        all += speed * cores / beside;
    }
    *ideal = hesca_job_flops(&s->job) / all;
    return fmax(longest, *ideal);
}

/* ------------------------------------------------ any case */

static hesca_layout *
draw(const shape *s)
{
    const hesca_layout_kind kind = (hesca_layout_kind)check_uniform(0, 2);
    hesca_layout *x = NULL;
    int (*const make[])(hesca_layout_kind, int64_t, int64_t, int, int,
                        const int *, int,
                        hesca_layout **) = {draw_dealt, draw_blocks};
    const int err =
        check_uniform(0, 2) == 0
            ? draw_cyclic(s->job.n, s->job.n, s->nprow, s->npcol, NULL, 4, &x)
            : make[check_uniform(0, 1)](kind, s->job.n, s->job.n, s->nprow,
                                        s->npcol, NULL, 4, &x);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    return x;
}

static shape
random_shape(void)
{
    double speed[PROCS];
    shape s = {.job = {(hesca_routine)check_uniform(0, 2),
                       check_uniform(1, ORDER), check_uniform(1, 5)},
               .nprow = check_uniform(1, 3)};
    s.npcol = check_uniform(1, PROCS / s.nprow);
    s.nprocs = s.nprow * s.npcol;
    const int nhosts = check_uniform(1, PROCS);
    for (int h = 0; h < nhosts; ++h)
        speed[h] = check_uniform(1, 9);
    s.machine = make_machine(nhosts, speed, 1, 1);
    for (int h = 0; h < nhosts; ++h)
        s.machine.host[h].cores = check_uniform(1, 12) / 4.0;
    for (int k = 0; k < nhosts * nhosts; ++k)
        s.machine.wire[k].rate = check_uniform(1, 1000);
    for (int l = 0; l < s.nprocs; ++l)
        s.host[l] = check_uniform(0, nhosts - 1);
    s.layout = draw(&s);
    s.source = check_uniform(0, 1) ? draw(&s) : s.layout;
    snprintf(s.text, sizeof s.text,
             "%s of order %d, panels of %d, %dx%d, %d "
             "hosts%s",
             hesca_routine_name(s.job.routine), (int)s.job.n, s.job.nb,
             s.nprow, s.npcol, nhosts, s.source != s.layout ? ", moved" : "");
    return s;
}

static void
clear(shape *s)
{
    if (s->source != s->layout)
        hesca_layout_free(s->source);
    hesca_layout_free(s->layout);
    hesca_machine_clear(&s->machine);
}

static int
find(const shape *s, hesca_bound *b)
{
    return hesca_bound_make(s->layout,
                            s->source != s->layout ? s->source : NULL, &s->job,
                            &s->machine, s->host, b);
}

static void
check_near(const shape *s, const char *what, double is, double must)
{
    CHECK(fabs(is - must) <= 1e-12 * must, "%s: %s is %g, not %g", s->text,
          what, is, must);
}

static void
any_case(void)
{
    static operations o;
    for (int k = 0; k < 600; ++k) {
        hesca_bound b = {0, 0, 0, 0, 0};
        double ideal;
        shape s = random_shape();
        CHECK(find(&s, &b) == HESCA_SUCCESS, "%s: %s", s.text,
              hesca_error_text());
        do_all(&s, &o);
        check_near(&s, "compute", b.compute, computing(&s, &o, &ideal));
        check_near(&s, "ideal", b.ideal, ideal);
        check_near(&s, "receive", b.receive, messages(&s, &o, 0));
        check_near(&s, "send", b.send, messages(&s, &o, 1));
        check_near(&s, "the bound", b.seconds,
                   fmax(b.compute, fmax(b.receive, b.send)));
        clear(&s);
    }
}

/* ------------------------------------------------ what it must be */

/* One process has the ideal time; links without limit, that of computing. */
static void
extremes(void)
{
    for (int k = 0; k < 100; ++k) {
        hesca_bound b = {0, 0, 0, 0, 0};
        shape s = random_shape();
        for (int l = 0; l < s.machine.nhosts * s.machine.nhosts; ++l)
            s.machine.wire[l].rate = INFINITY;
        CHECK(find(&s, &b) == HESCA_SUCCESS, "%s", hesca_error_text());
        CHECK(b.receive == 0 && b.send == 0 && b.seconds == b.compute &&
                  b.compute >= b.ideal,
              "%s: %g of %g, messages %g and %g", s.text, b.seconds, b.compute,
              b.receive, b.send);
        CHECK(s.nprocs > 1 || b.seconds == b.ideal, "%s: %g, ideal %g", s.text,
              b.seconds, b.ideal);
        clear(&s);
    }
}

/* A product of 1 x 2 equal hosts: each receives half of A, and sends it. */
static void
product(void)
{
    static const double speed[] = {1, 1};
    const hesca_job job = {HESCA_ROUTINE_GEMM, 1000, 64};
    hesca_machine m = make_machine(2, speed, 1e-5, 1e6);
    hesca_layout *x = NULL;
    hesca_bound b = {0, 0, 0, 0, 0};
    hesca_layout_create_cyclic(1000, 1000, 50, 50, 0, 0, 1, 2, NULL, &x);
    CHECK(hesca_bound_make(x, NULL, &job, &m, in_order, &b) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    CHECK(fabs(b.receive - 4) < 1e-9 && fabs(b.send - 4) < 1e-9 &&
              b.seconds == b.receive && fabs(b.compute - 0.1) < 1e-9,
          "receives %g s, sends %g s, computes %g s", b.receive, b.send,
          b.compute);
    hesca_layout_free(x);
    hesca_machine_clear(&m);
}

/* A model of the routine slower than that of dgemm does not count. */
static void
speeds(void)
{
    static const double one[] = {1};
    static const struct {
        const char *kernel;
        double speed;
    } model[] = {{"dgetrf", 1e9}, {"dgemm", 2e9}};
    const hesca_job job = {HESCA_ROUTINE_GESV, 100, 64};
    hesca_machine m = make_machine(1, one, 0, 1);
    hesca_layout *x = NULL;
    hesca_bound b = {0, 0, 0, 0, 0};
    m.unit.flops = 1e9;
    hesca_layout_create_cyclic(100, 100, 64, 64, 0, 0, 1, 1, NULL, &x);
    for (int k = 0; k < 2; ++k) {
        hesca_speed *speed;
        hesca_speed_create_constant(model[k].speed, INFINITY, &speed);
        hesca_machine_set_speed(&m, 0, model[k].kernel, speed);
        hesca_speed_free(speed);
        hesca_bound_make(x, NULL, &job, &m, in_order, &b);
        CHECK(fabs(b.seconds * model[k].speed / hesca_job_flops(&job) - 1) <
                  1e-12,
              "%s: %g s", model[k].kernel, b.seconds);
    }
    hesca_layout_free(x);
    hesca_machine_clear(&m);
}

/* ------------------------------------------------ errors */

static int
find_again(void *data)
{
    hesca_bound b;
    return find(data, &b);
}

static void
no_memory(void)
{
    shape s = random_shape();
    nomem_check("hesca_bound_make", 10, find_again, &s);
    clear(&s);
}

static void
errors(void)
{
    static const double speed[] = {1, 2};
    static const int far[] = {0, 2};
    hesca_machine m = make_machine(2, speed, 0, 1),
                  none = hesca_machine_default();
    const hesca_job job = {HESCA_ROUTINE_GEMM, 9, 1},
                    empty = {job.routine, 0, 1};
    hesca_layout *x = NULL, *other = NULL, *larger = NULL;
    hesca_bound b;
    hesca_layout_create_cyclic(9, 9, 1, 1, 0, 0, 1, 2, NULL, &x);
    hesca_layout_create_cyclic(9, 9, 1, 1, 0, 0, 2, 1, NULL, &other);
    hesca_layout_create_cyclic(9, 10, 1, 1, 0, 0, 1, 2, NULL, &larger);
    check_refused(hesca_bound_make(NULL, x, &job, &m, far, &b), 1,
                  "argument 1, layout, is NULL");
    check_refused(hesca_bound_make(larger, x, &job, &m, far, &b), 1,
                  "argument 1, layout, is of order 9 x 10, the job of 9");
    check_refused(hesca_bound_make(x, larger, &job, &m, far, &b), 2,
                  "argument 2, source, is of order 9 x 10, the job of 9");
    check_refused(hesca_bound_make(x, other, &job, &m, far, &b), 2,
                  "argument 2, source, is on a grid of 2 x 1, not 1 x 2");
    check_refused(hesca_bound_make(x, x, NULL, &m, far, &b), 3,
                  "argument 3, job, is NULL");
    check_refused(hesca_bound_make(x, x, &empty, &m, far, &b), 3,
                  "n of the job, is 0: must be at least 1");
    check_refused(hesca_bound_make(x, x, &job, NULL, far, &b), 4,
                  "argument 4, machine, is NULL");
    check_refused(hesca_bound_make(x, x, &job, &none, far, &b), 4,
                  "argument 4, machine, has no hosts");
    check_refused(hesca_bound_make(x, x, &job, &m, NULL, &b), 5,
                  "argument 5, host, is NULL");
    check_refused(hesca_bound_make(x, x, &job, &m, far, &b), 5,
                  "argument 5, host[1], is 2: must be a host");
    check_refused(hesca_bound_make(x, x, &job, &m, in_order, NULL), 6,
                  "argument 6, bound, is NULL");
    hesca_layout_free(x);
    hesca_layout_free(other);
    hesca_layout_free(larger);
    hesca_machine_clear(&m);
    hesca_machine_clear(&none);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(any_case), UNIT(extremes),
                                       UNIT(product),  UNIT(speeds),
                                       UNIT(errors),   UNIT(no_memory)};
    unit_begin("hohe/t_bound", 20261125);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

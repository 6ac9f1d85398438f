/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_gemm() against ScaLAPACK's p?gemm: on block-cyclic layouts, of which
 * those of A, B and C differ in their blocks, both give the same but for
 * rounding. */
#include "testing/dense/matrices.h"

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int nprow, int npcol);
void Cblacs_gridexit(int context);
void descinit_(int *desc, const int *m, const int *n, const int *mb,
               const int *nb, const int *rsrc, const int *csrc,
               const int *context, const int *lld, int *info);
typedef void pgemm(const char *transa, const char *transb, const int *m,
                   const int *n, const int *k, const void *alpha,
                   const void *a, const int *ia, const int *ja,
                   const int *desca, const void *b, const int *ib,
                   const int *jb, const int *descb, const void *beta, void *c,
                   const int *ic, const int *jc, const int *descc);
pgemm psgemm_, pdgemm_, pcgemm_, pzgemm_;
static pgemm *const routine[] = {psgemm_, pdgemm_, pcgemm_, pzgemm_};

static int rank, size, nprow, npcol, context;

typedef struct {
    matrix x;
    int i, j, desc[9];
} operand;

/* Of m x n elements, from (i,j) of a larger matrix, counted from 1. */
static operand
draw(hesca_type type, int m, int n)
{
    operand o = {.i = check_uniform(1, 9), .j = check_uniform(1, 9)};
    const int mm = o.i + m + check_uniform(0, 4);
    const int nn = o.j + n + check_uniform(0, 4);
    const int mb = check_uniform(1, 8), nb = check_uniform(1, 8);
    const int rsrc = check_uniform(0, nprow - 1);
    const int csrc = check_uniform(0, npcol - 1);
    hesca_layout *layout;
    int info;
    hesca_layout_create_cyclic(mm, nn, mb, nb, rsrc, csrc, nprow, npcol, NULL,
                               &layout);
    o.x = make_matrix(type, layout, m, n, o.i - 1, o.j - 1);
    const int lld = o.x.a.lld > 1 ? (int)o.x.a.lld : 1;
    descinit_(o.desc, &mm, &nn, &mb, &nb, &rsrc, &csrc, &context, &lld, &info);
    CHECK(info == 0, "descinit: %d", info);
    return o;
}

/* |re| + |im| of all products and of beta C are at most 2 each. */
static void
compare(const operand *c, const void *theirs, int k, const char *what)
{
    const hesca_type type = c->x.type;
    const double bound = 8 * precision(type) * (k + 4) * (k + 4);
    for (int64_t j = 0; j < c->x.locc; ++j)
        for (int64_t i = 0; i < c->x.locr; ++i) {
            const size_t at = (size_t)(i + j * c->x.a.lld) * size_of(type);
            const number x = get_number(type, (const char *)c->x.a.local + at);
            const number y = get_number(type, (const char *)theirs + at);
            if (memcmp((const char *)c->x.a.local + at, c->x.before + at,
                       size_of(type)) == 0 &&
                memcmp((const char *)theirs + at, c->x.before + at,
                       size_of(type)) == 0)
                continue; /* not in sub(C) */
            CHECK(fabs(creal(x - y)) <= bound && fabs(cimag(x - y)) <= bound,
                  "%s, local (%lld,%lld): %g + %gi, ScaLAPACK %g + %gi", what,
                  (long long)i, (long long)j, creal(x), cimag(x), creal(y),
                  cimag(y));
        }
}

static void
one_case(hesca_type type)
{
    const char letter[] = "NTC";
    const char transa = letter[check_uniform(0, 2)];
    const char transb = letter[check_uniform(0, 2)];
    const int m = check_uniform(0, 50), n = check_uniform(0, 50);
    const int k = check_uniform(0, 50);
    unsigned char alpha[16], beta[16];
    char what[80];
    snprintf(what, sizeof what, "seed %#llx, type %d, %c%c, %d x %d x %d",
             (unsigned long long)check_state, (int)type, transa, transb, m, n,
             k);
    put_number(type, alpha, some_number(type, check_random(), 0, 0));
    put_number(type, beta, some_number(type, check_random(), 0, 0));
    operand a = transa == 'N' ? draw(type, m, k) : draw(type, k, m);
    operand b = transb == 'N' ? draw(type, k, n) : draw(type, n, k);
    operand c = draw(type, m, n);
    CHECK(hesca_gemm(type, transa, transb, m, n, k, alpha, &a.x.a, &b.x.a,
                     beta, &c.x.a, MPI_COMM_WORLD) == HESCA_SUCCESS,
          "%s: %s", what, hesca_error_text());
    void *theirs = malloc(c.x.bytes + 1);
    memcpy(theirs, c.x.before, c.x.bytes);
    routine[type](&transa, &transb, &m, &n, &k, alpha, a.x.a.local, &a.i, &a.j,
                  a.desc, b.x.a.local, &b.i, &b.j, b.desc, beta, theirs, &c.i,
                  &c.j, c.desc);
    compare(&c, theirs, k, what);
    free(theirs);
    free_matrix(&a.x);
    free_matrix(&b.x);
    free_matrix(&c.x);
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check_state = check_seed(9);
    if (rank == 0)
        printf("HESCA_TEST_SEED=%llu\n", (unsigned long long)check_state);
    nprow = size % 2 == 0 ? 2 : 1;
    npcol = size / nprow;
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "R", nprow, npcol);
    for (int n = 0; n < check_cases(40); ++n)
        one_case((hesca_type)(n % 4));
    Cblacs_gridexit(context);
    const int failed = check_done("t_pdgemm");
    MPI_Finalize();
    return failed;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* P?GEMM, P?POTRF, P?POSV, P?GETRF and P?GESV where the machine file is wrong
 * or says what cannot be had, and where HoHe is automatic or forced: the
 * results of ScaLAPACK's own routines, and what HESCA says of it.  And
 * factorizations by some of the processes, arguments that differ among them,
 * a call that is the last one, and grids that are larger than their
 * communicator. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv, dup2 */
#include "hesca/experimental/gblock.h"
#include "hohe/hohe.h"
#include "testing/shim/products.h"
#include "testing/shim/systems.h"

/* ------------------------------------------------ machine files */

typedef struct {
    const char *what, *text; /* NULL: there is no file */
    /* What HESCA must say unasked, once; and of each call if it is asked, HoHe
     * being automatic and forced.  NULL: nothing. */
    const char *unasked, *automatic, *forced;
} file;

#define BEGIN "hesca-machine 1\n"
#define OTHERS "others startup 60us rate 1Gbit/s\n"
#define HOSTS(a, b, c, d)                                                     \
    BEGIN "host node0 " a "\nhost node1 " b "\nhost node2 " c                 \
          "\nhost node3 " d "\n" OTHERS
#define MODEL(host, limit)                                                    \
    "model " host " dgemm limit " limit "\nknot size 1 speed 1e9\n"

#define STRANGER "left to ScaLAPACK: process "
#define UNUSABLE "HESCA_MACHINE cannot be used: "
#define LEFT "left to ScaLAPACK: "

static const file files[] = {
    {"a host of 1/1000 of the speed",
     HOSTS("speed 1", "speed 1", "speed 1", "speed 0.001"), NULL,
     ", predicted", "by HoHe"},
    {"a host that is 1000 times as fast",
     HOSTS("speed 0.001", "speed 0.001", "speed 1", "speed 0.001"), NULL,
     ", predicted", "by HoHe"},
    {"hosts that are others", BEGIN "host a speed 1\nhost b speed 2\n" OTHERS,
     UNUSABLE "process 0 is on host 'node0', which is not among",
     STRANGER "0 is on host 'node0', which is not among",
     STRANGER "0 is on host 'node0', which is not among"},
    {"hosts of which some are others",
     BEGIN "host node0 speed 1\nhost node1 speed 2\n" OTHERS, NULL,
     STRANGER "2 is on host 'node2', which is not among",
     STRANGER "2 is on host 'node2', which is not among"},
    {"too little memory on a host",
     HOSTS("speed 1", "speed 1 memory 100B", "speed 2", "speed 1"),
     "host node1 has memory for 0 of them",
     "host node1 has memory for 0 of them",
     "host node1 has memory for 0 of them"},
    {"a model that ends before",
     HOSTS("speed 1", "speed 1", "speed 1", "speed 1") MODEL("node0", "1e9")
         MODEL("node1", "1e9") MODEL("node2", "1e9") MODEL("node3", "3"),
     NULL, "host node3 has memory for 0 of them",
     "host node3 has memory for 0 of them"},
    {"models that all end before",
     HOSTS("speed 1", "speed 1", "speed 1", "speed 1") MODEL("node0", "3")
         MODEL("node1", "3") MODEL("node2", "3") MODEL("node3", "3"),
     NULL, "left to ScaLAPACK: ", "left to ScaLAPACK: "},
    {"a host of speed 0", HOSTS("speed 1", "speed 0", "speed 1", "speed 1"),
     ":3: '0' must be a number, more than 0; redistributions go on",
     ":3: '0' must be a number, more than 0",
     ":3: '0' must be a number, more than 0"},
    {"a file that is none", "host node0 speed 1\n", ":1: ", ":1: ", ":1: "},
    {"a file that ends too early", BEGIN "host node0 speed\n",
     ":2: the line ends where", ":2: the line ends where",
     ":2: the line ends where"},
    {"an empty file", "", "hesca-machine 1", LEFT, LEFT},
    {"no file", NULL, UNUSABLE "/nowhere/machine: No such file",
     LEFT "/nowhere/machine: No such file",
     LEFT "/nowhere/machine: No such file"},
};

/* A call of P?GEMM and of routine `one`, in a big run of all others.
 * \return How many. */
static int
call_some(int ictxt, int type, int one)
{
    const int big = check_big();
    product p;
    do
        p = product_draw(type, ORDINARY, ictxt, 40, 9);
    while (p.m < 9 || p.n < 9 || p.k < 9 || p.alpha == 0);
    product_compare(&p);
    product_drop(&p);
    for (int r = big ? 0 : one; r <= (big ? NROUTINES - 1 : one); ++r) {
        system_ s;
        do
            s = system_draw(r, type, ictxt, 40, 0);
        while (s.m < 9 || s.n < 9);
        system_compare(&s);
        system_drop(&s);
    }
    return big ? NROUTINES + 1 : 2;
}

/* A new grid reads the file again. */
static void
one_way(const file *f, const char *way, int verbose, const char *says)
{
    capture said;
    int ncalls = 0;
    setenv("HESCA_GEMM", way, 1);
    setenv("HESCA_POTRF", way, 1);
    setenv("HESCA_GETRF", way, 1);
    setenv("HESCA_VERBOSE", verbose ? "2" : "0", 1);
    capture_begin(&said);
    const int ictxt = new_grid("R", 2, size / 2);
    if (ictxt >= 0) {
        ncalls = verbose ? call_some(ictxt, check_uniform(0, 3),
                                     check_uniform(0, NROUTINES - 1))
                         : call_some(ictxt, HESCA_D, POTRF);
        Cblacs_gridexit(ictxt);
    }
    const int count = capture_end_counting(&said, says);
    if (rank == 0 && says == NULL)
        CHECK(strstr(said.text, "hesca: ") == NULL, "%s, %s: '%s'", f->what,
              way, said.text);
    else if (rank == 0)
        CHECK(count >= (verbose ? ncalls : 1), "%s, %s: %d times '%s' in '%s'",
              f->what, way, count, says, said.text);
}

static void
machine_files(void)
{
    for (size_t k = 0; k < sizeof files / sizeof *files; ++k) {
        const file *f = &files[k];
        if (f->text != NULL)
            write_file(machine_path, f->text);
        else
            setenv("HESCA_MACHINE", "/nowhere/machine", 1);
        one_way(f, "hohe", 0, f->unasked);
        one_way(f, "auto", 1, f->automatic);
        one_way(f, "hohe", 1, f->forced);
        setenv("HESCA_MACHINE", machine_path, 1);
    }
}

/* ------------------------------------------------ some of the processes */

/* Factorizations by the fast processes alone: any order of ranks, types and
 * layouts; the others get INFO and pivots, too. */
static void
fast_processes(void)
{
    /* Messages that take longer than computing. */
#define FAR(a, b, c, d)                                                       \
    BEGIN "host node0 speed " a "\nhost node1 speed " b                       \
          "\nhost node2 speed " c "\nhost node3 speed " d                     \
          "\nothers startup 5ms rate 10Mbit/s\n"
    static const char *const machines[] = {
        FAR("2", "2", "0.2", "0.2"), FAR("0.1", "2", "0.2", "3"),
        FAR("0.1", "0.2", "1", "2"), FAR("1", "0.1", "2", "3")};
    capture said;
    int count = 0;
    setenv("HESCA_POTRF", "hohe", 1);
    setenv("HESCA_GETRF", "hohe", 1);
    setenv("HESCA_VERBOSE", "2", 1);
    for (int k = 0; k < 4; ++k) {
        write_file(machine_path, machines[k]);
        capture_begin(&said);
        const int nprow = k == 1 ? 1 : k == 2 ? size : 2;
        const int ictxt = new_grid("R", nprow, size / nprow);
        for (int c = 0; c < (check_big() ? 80 : NROUTINES) && ictxt >= 0;
             ++c) {
            system_ s = system_draw(c % NROUTINES, (c / NROUTINES + k) % 4,
                                    ictxt, check_uniform(1, 3) * 60, 0);
            system_compare(&s);
            system_drop(&s);
        }
        if (ictxt >= 0)
            Cblacs_gridexit(ictxt);
        count += capture_end_counting(&said, "by HoHe on a ");
    }
    if (rank == 0)
        CHECK(count > 4, "%d times on fewer processes", count);
}

/* ------------------------------------------------ arguments that differ */

/* P?POTRF of an identity matrix of one element on each process; the last one
 * passes another order if `bad`.
 * \return INFO. */
static int
factor_one(int ictxt, int bad)
{
    enum { NB = 1 };
    const int n = 2 - (bad && rank == size - 1), one = 1;
    const int desc[9] = {1, ictxt, 2, 2, NB, NB, 0, 0, 1};
    double a = rank == 0 || rank == size - 1;
    int info = -1000;
    FC_FUNC(pdpotrf, PDPOTRF)("L", &n, &a, &one, &one, desc, &info, 1);
    CHECK(bad || a == (rank == 0 || rank == size - 1), "%g", a);
    return info;
}

/* A call that is left need not wait until its arguments are compared: INFO is
 * ScaLAPACK's own, and later calls go on. */
static void
arguments_that_differ(void)
{
    static const char *const ways[] = {"real", "auto"};
    int info[2];
    write_file(machine_path,
               HOSTS("speed 1", "speed 2", "speed 1", "speed 1"));
    setenv("HESCA_VERBOSE", "2", 1);
    for (int k = 0; k < 2; ++k) {
        capture said;
        setenv("HESCA_POTRF", ways[k], 1);
        capture_begin(&said);
        const int ictxt = new_grid("R", 2, 2);
        for (int t = 0; t < 3; ++t)
            CHECK(factor_one(ictxt, 0) == 0, "call %d, %s", t, ways[k]);
        info[k] = factor_one(ictxt, 1);
        for (int t = 0; t < 2; ++t)
            CHECK(factor_one(ictxt, 0) == 0, "later call %d, %s", t, ways[k]);
        Cblacs_gridexit(ictxt);
        const int count = capture_end_counting(&said, "left to ScaLAPACK: ");
        CHECK(rank > 0 || count > 0, "%s: nothing is said", ways[k]);
    }
    CHECK(info[0] < 0 && info[1] == info[0], "INFO is %d, of ScaLAPACK %d",
          info[1], info[0]);
    /* Wrong arguments are ScaLAPACK's matter even then. */
    capture refused;
    setenv("HESCA_FALLBACK", "error", 1);
    setenv("HESCA_ONERROR", "return", 1);
    capture_begin(&refused);
    const int ictxt = new_grid("R", 2, 2);
    CHECK(factor_one(ictxt, 0) == 0 && factor_one(ictxt, 0) == 0, "a call");
    const int refused_info = factor_one(ictxt, 1);
    Cblacs_gridexit(ictxt);
    capture_end(&refused);
    CHECK(refused_info == info[0], "INFO is %d, of ScaLAPACK %d", refused_info,
          info[0]);
    unsetenv("HESCA_FALLBACK");
    unsetenv("HESCA_ONERROR");
}

/* ------------------------------------------------ short calls */

/* P?POTRF of 4 times an identity matrix of order 64. */
static int
factor_four(int ictxt)
{
    enum { N = 64, NB = 16, LOCAL = N / 2 };
    const int n = N, one = 1;
    const int desc[9] = {1, ictxt, N, N, NB, NB, 0, 0, LOCAL};
    const int diagonal = rank == 0 || rank == 3; /* 2 x 2 by rows */
    static double a[LOCAL * LOCAL];
    int info = -1000, wrong = 0;
    for (int k = 0; k < LOCAL * LOCAL; ++k)
        a[k] = diagonal && k % (LOCAL + 1) == 0 ? 4 : 0;
    FC_FUNC(pdpotrf, PDPOTRF)("L", &n, a, &one, &one, desc, &info, 1);
    for (int k = 0; k < LOCAL * LOCAL; ++k)
        wrong += a[k] != (diagonal && k % (LOCAL + 1) == 0 ? 2 : 0);
    CHECK(info == 0 && wrong == 0, "INFO %d, %d wrong elements", info, wrong);
    return wrong;
}

/* Where calls are learnt from, ways of one of less than 20 ms are predicted
 * when such calls of the routine have taken 60 ms: the first ones are left. */
static void
short_calls(void)
{
    enum { CALLS = 40 };
    static const char *const says[] = {
        "short, and other ways not predicted yet", "predicted as called"};
    int count[2] = {0, 0}, first[2] = {CALLS, CALLS};
    write_file(machine_path, BEGIN "host node0 speed 1\nhost node1 speed 2\n"
                                   "host node2 speed 1\nhost node3 speed 1\n"
                                   "others startup 1ms rate 1Gbit/s\n");
    setenv("HESCA_POTRF", "auto", 1);
    setenv("HESCA_LEARN", "on", 1);
    setenv("HESCA_VERBOSE", "2", 1);
    const int ictxt = new_grid("R", 2, 2);
    for (int t = 0; t < CALLS; ++t) {
        capture said;
        capture_begin(&said);
        factor_four(ictxt);
        capture_end(&said);

        for (int k = 0; k < 2; ++k)
            if (strstr(said.text, says[k]) != NULL && count[k]++ == 0)
                first[k] = t;
    }
    Cblacs_gridexit(ictxt);
    unsetenv("HESCA_LEARN");
    if (rank == 0)
        CHECK(first[0] == 0 && first[1] == count[0] && count[0] > 1 &&
                  count[0] + count[1] == CALLS,
              "%d short from call %d on, %d predicted from call %d on",
              count[0], first[0], count[1], first[1]);
}

/* ------------------------------------------------ the last call */

static int is_ending;
static long tests_at_end;

/* As libhesca calls it. */
int
PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    tests_at_end += is_ending;
    return MPI_Test(request, flag, status);
}

static int
begin_end(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self, (void)key, (void)value, (void)extra;
    is_ending = 1;
    return MPI_SUCCESS;
}

/* Calls that are left, on a grid that stays: when MPI_Finalize frees the
 * attributes of MPI_COMM_SELF, the latest first, no message is awaited. */
static void
last_call(void)
{
    int key;
    write_file(machine_path,
               HOSTS("speed 1", "speed 2", "speed 1", "speed 1"));
    setenv("HESCA_POTRF", "auto", 1);
    setenv("HESCA_LEARN", "off", 1);
    const int ictxt = new_grid("R", 2, 2);
    for (int t = 0; t < 3; ++t)
        CHECK(factor_one(ictxt, 0) == 0, "call %d", t);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, begin_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
}

/* ------------------------------------------------ grids too large */

/* More places than processes: an error on all, and nothing is written. */
static void
large_grids(void)
{
    enum { N = 8 };
    const hesca_side side = {.member = 1,
                             .nprow = size,
                             .npcol = 2,
                             .m = N,
                             .n = N,
                             .mb = 2,
                             .nb = 2,
                             .lld = N};
    double x[N * N] = {0}, speed[2 * MOST];
    const double one = 1;
    int64_t info, ipiv[N];
    hesca_gblock *g = NULL;
    for (int k = 0; k < 2 * size; ++k)
        speed[k] = k + 1;
    CHECK(hesca_hohe_gemm(HESCA_SUCCESS, HESCA_D, 'N', 'N', N, N, N, &one,
                          &side, x, &side, x, &one, &side, x, MPI_COMM_WORLD,
                          NULL, NULL) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "must be one of all") != NULL,
          "hesca_hohe_gemm: %s", hesca_error_text());
    CHECK(hesca_hohe_potrf(HESCA_SUCCESS, HESCA_D, 'L', N, &side, x,
                           MPI_COMM_WORLD, NULL, &info, NULL) == HESCA_ERR_ARG,
          "hesca_hohe_potrf: %s", hesca_error_text());
    CHECK(hesca_hohe_getrf(HESCA_SUCCESS, HESCA_D, N, N, &side, x, ipiv,
                           MPI_COMM_WORLD, NULL, &info, NULL) == HESCA_ERR_ARG,
          "hesca_hohe_getrf: %s", hesca_error_text());
    /* A generalized block has no communicator; routines that compute have. */
    CHECK(hesca_gblock_create(HESCA_COLUMN_BASED, HESCA_ASSIGN_RECTANGLES, N,
                              N, 1, 1, N, N, size, 2, speed, NULL,
                              &g) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    const hesca_matrix a = {
        .layout = hesca_gblock_layout(g), .local = x, .lld = N};
    CHECK(hesca_gemm(HESCA_D, 'N', 'N', N, N, N, &one, &a, &a, &one, &a,
                     MPI_COMM_WORLD) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "rank") != NULL,
          "hesca_gemm: %s", hesca_error_text());
    CHECK(hesca_potrf(HESCA_D, 'L', N, &a, MPI_COMM_WORLD, &info) ==
              HESCA_ERR_ARG,
          "hesca_potrf: %s", hesca_error_text());
    CHECK(hesca_getrf(HESCA_D, N, N, &a, ipiv, MPI_COMM_WORLD, &info) ==
              HESCA_ERR_ARG,
          "hesca_getrf: %s", hesca_error_text());
    for (int k = 0; k < N * N; ++k)
        CHECK(x[k] == 0, "a grid that is too large: %d is written", k);
    hesca_gblock_free(g);
    int process[2 * MOST];
    CHECK(hesca_grid_place(MPI_COMM_WORLD, size, 2, NULL, 1, process, NULL) ==
              HESCA_ERR_ARG,
          "hesca_grid_place: %s", hesca_error_text());
}

int
main(void)
{
    begin();
    if (getenv("HESCA_NODE_SIZE") == NULL || size != 4) {
        if (rank == 0)
            printf("for 4 processes and HESCA_NODE_SIZE=1\n");
        remove_files();
        MPI_Finalize();
        return 77;
    }
    setenv("HESCA_PLACEMENT", "off", 1);
    check_state = check_seed(12);
    if (rank == 0)
        printf("HESCA_TEST_SEED=%llu\n", (unsigned long long)check_state);
    write_machine("node", unequal, "");
    large_grids();
    machine_files();
    fast_processes();
    arguments_that_differ();
    short_calls();
    setenv("HESCA_VERBOSE", "0", 1);
    last_call();
    const int failed = end("t_hohe_machine");
    if (!is_ending || tests_at_end > 0)
        fprintf(stderr, "rank %d: %ld tests of messages in MPI_Finalize\n",
                rank, tests_at_end);
    return failed || !is_ending || tests_at_end > 0;
}

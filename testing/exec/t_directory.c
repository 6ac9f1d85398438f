/* SPDX-License-Identifier: BSD-3-Clause */
/* What processes know of the machine under them: hosts and wires of a file,
 * the same on all, also errors; refreshed from the file and by a monitor, with
 * plans made again.  HESCA_NODE_SIZE=1 makes each a host. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv */
#include "exec/comm.h"
#include "exec/speeds.h"
#include "hesca/experimental/monitor.h"
#include "hesca/redist.h"
#include "testing/check.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
static char path[] = "/tmp/hesca-directory-XXXXXX";

/* ------------------------------------------------ memory that fails */

/* Bytes of an allocation that fails; 0: none does. */
static size_t fail_size;

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__
extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t each);

void *
malloc(size_t n)
{
    return n > 0 && n == fail_size ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t each)
{
    return n * each > 0 && n * each == fail_size ? NULL
                                                 : __libc_calloc(n, each);
}
#endif

/* Whether the program calls those above; valgrind puts its own in front. */
static int
can_fail(void)
{
    void *(*volatile allocate)(size_t) = malloc;
    fail_size = 12345;
    void *x = allocate(12345);
    fail_size = 0;
    free(x);
    if (x != NULL && rank == 0)
        printf("skipped: no memory\n");
    return x == NULL;
}

/* ------------------------------------------------ files */

/* Hosts PREFIX0, PREFIX1, ... and rates in steps of `step` from each to the
 * next; the file is there for all when it returns. */
static void
write_hosts(const char *prefix, int n, double step)
{
    if (rank == 0) {
        FILE *f = fopen(path, "w");
        if (f == NULL)
            abort();
        fprintf(f, "hesca-machine 1\n");
        for (int i = 0; i < n; ++i)
            fprintf(f, "host %s%d speed %d\n", prefix, i, i + 1);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                if (i != j)
                    fprintf(f, "link %s%d %s%d startup %de-6 rate %.0f\n",
                            prefix, i, prefix, j, i + j,
                            step * (i * n + j + 1));
        fclose(f);
    }
    check_barrier(MPI_COMM_WORLD);
}

static void
write_text(const char *text)
{
    if (rank == 0) {
        FILE *f = fopen(path, "w");
        if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
            abort();
    }
    check_barrier(MPI_COMM_WORLD);
}

/* ------------------------------------------------ what is known */

/* The network between the processes is what write_hosts() wrote. */
static void
check_network(MPI_Comm comm, double step, const char *what)
{
    hesca_comm *c;
    const int err = hesca_comm_get(comm, &c);
    CHECK(err == HESCA_SUCCESS, "%s: %s", what, hesca_error_text());
    if (err < 0)
        return;
    CHECK(c->network.nproc == size, "%s: %d processes", what,
          c->network.nproc);
    for (int i = 0; i < size && c->network.nproc == size; ++i)
        for (int j = 0; j < size; ++j) {
            const hesca_wire w = hesca_network_wire(&c->network, i, j);
            CHECK(i == j || (fabs(w.rate - step * (i * size + j + 1)) < 1e-3 &&
                             fabs(w.startup - 1e-6 * (i + j)) < 1e-15),
                  "%s, rank %d: %d to %d: %g s, %g bytes/s", what, rank, i, j,
                  w.startup, w.rate);
        }
}

/* The same failure everywhere; its text has both words. */
static void
check_failed(const char *what, int err, int want, const char *word,
             const char *other)
{
    char first[300] = "";
    snprintf(first, sizeof first, "%d %s", err, hesca_error_text());
    CHECK(err == want, "%s, rank %d: %s", what, rank, first);
    CHECK(strstr(first, word) != NULL && strstr(first, other) != NULL,
          "%s, rank %d: no '%s' or '%s' in: %s", what, rank, word, other,
          first);
    MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
    char mine[300];
    snprintf(mine, sizeof mine, "%d %s", err, hesca_error_text());
    CHECK(strcmp(first, mine) == 0, "%s, rank %d: '%s', but on rank 0 '%s'",
          what, rank, mine, first);
}

/* One redistribution, from a column of processes to a row; whether its plan
 * was in the cache. */
static int
redistribute(MPI_Comm comm)
{
    enum { N = 12 };
    double a[N * N], b[N * N];
    hesca_plan_info info = {.cached = -1};
    hesca_side sa = {.member = 1, .nprow = size, .npcol = 1, .myrow = rank};
    hesca_side sb = {.member = 1, .nprow = 1, .npcol = size, .mycol = rank};
    sa.m = sa.n = sb.m = sb.n = sa.lld = sb.lld = N;
    sa.mb = sa.nb = sb.mb = sb.nb = 1;
    int wrong = 0, k = 0;
    for (int i = rank, il = 0; i < N; i += size, ++il)
        for (int j = 0; j < N; ++j)
            a[j * N + il] = 100 * i + j;
    const int err = hesca_redistribute(HESCA_SUCCESS, HESCA_ALL, N, N, &sa, a,
                                       &sb, b, sizeof *a, comm, &info);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    for (int j = rank; j < N && err == HESCA_SUCCESS; j += size, ++k)
        for (int i = 0; i < N; ++i)
            wrong += (int)b[k * N + i] != 100 * i + j;
    CHECK(wrong == 0, "rank %d: %d wrong elements", rank, wrong);
    return info.cached;
}

/* ------------------------------------------------ the tests */

static void
sharing(void)
{
    hesca_machine m = hesca_machine_default();
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    write_hosts("node", size, 1000);
    check_network(comm, 1000, "a file");
    CHECK(hesca_machine_agreed(comm, &m) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(m.nhosts == size && strncmp(m.host[rank].name, "node", 4) == 0 &&
              fabs(m.host[rank].speed - (rank + 1)) < 1e-12,
          "rank %d: %d hosts", rank, m.nhosts);
    hesca_machine_clear(&m);
    redistribute(comm);
    MPI_Comm_free(&comm);
}

/* Speed functions arrive on all processes, and a change of them alone is one;
 * without lines of links, wires follow from costs. */
static void
speeds(void)
{
    char text[4096] = "hesca-machine 1\n";
    hesca_machine m = hesca_machine_default();
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < size; ++i)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "host node%d\nmodel node%d dgemm limit 900\n"
                 "knot size 10 speed %d low 1 high 90\n"
                 "knot size 500 speed 0.5\nmodel node%d copy\n"
                 "knot size 1 speed 3\n",
                 i, i, i + 2, i);
    write_text(text);
    CHECK(hesca_machine_agreed(comm, &m) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(m.nmodels == 2 * size, "rank %d: %d models", rank, m.nmodels);
    for (int i = 0; i < size && m.nmodels == 2 * size; ++i) {
        const hesca_speed *x = hesca_machine_speed(&m, i, "dgemm");
        int n;
        const hesca_knot *k = hesca_speed_knots(x, &n);
        CHECK(n == 2 && fabs(k[0].speed - (i + 2)) < 1e-12 &&
                  fabs(k[0].high - 90) < 1e-12 &&
                  fabs(hesca_speed_limit(x) - 900) < 1e-12 &&
                  isinf(hesca_speed_limit(hesca_machine_speed(&m, i, "copy"))),
              "rank %d: %g of host %d", rank, k[0].speed, i);
    }
    hesca_machine_clear(&m);
    redistribute(comm);
    CHECK(redistribute(comm) == 1, "rank %d: not cached", rank);
    CHECK(hesca_machine_refresh(comm) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(redistribute(comm) == 1, "rank %d: nothing has changed", rank);
    strcat(text, "knot size 2 speed 3\n");
    write_text(text);
    CHECK(hesca_machine_refresh(comm) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(redistribute(comm) == 0, "rank %d: a model has changed", rank);
    MPI_Comm_free(&comm);
}

/* Of the message by which a machine comes. */
static size_t
message_bytes(void)
{
    const size_t n = (size_t)size;
    hesca_machine m;
    CHECK(hesca_machine_read(path, &m) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    const size_t bytes =
        n * sizeof *m.host + n * n * sizeof *m.wire + hesca_speeds_packed(&m);
    hesca_machine_clear(&m);
    return (bytes + 7) / 8 * 8;
}

/* No memory for models: the same error everywhere, and the machine of before
 * stays. */
static void
speeds_without_memory(void)
{
    MPI_Comm comm;
    if (!can_fail())
        return;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    write_hosts("node", size, 1000);
    check_network(comm, 1000, "before");
    char text[4096] = "hesca-machine 1\n";
    for (int i = 0; i < size; ++i)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "host node%d\n", i);
    strcat(text, "model node0 dgemm\n");
    enum { KNOTS = 61 };
    for (int j = 1; j <= KNOTS; ++j)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "knot size %d speed 1\n", j);
    write_text(text);
    const size_t bytes = message_bytes();
    fail_size = rank == size - 1 ? bytes : 0;
    const int err = hesca_machine_refresh(comm);
    fail_size = 0;
    check_failed("a machine", err, HESCA_ERR_NOMEM, "machine", "hosts");
    check_network(comm, 1000, "after");
    redistribute(comm);
    MPI_Comm_free(&comm);
}

/* Hosts have the names that MPI gives them. */
static void
real_names(void)
{
    char name[MPI_MAX_PROCESSOR_NAME + 1], text[3 * sizeof name];
    int len;
    hesca_comm *c;
    MPI_Comm comm;
    MPI_Get_processor_name(name, &len);
    if (len >= HESCA_HOST_MAX)
        return;
    snprintf(text, sizeof text,
             "hesca-machine 1\nhost %s\ninside %s startup 1us rate 5MB/s\n",
             name, name);
    write_text(text);
    unsetenv("HESCA_NODE_SIZE");
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(hesca_comm_get(comm, &c) == HESCA_SUCCESS, "%s", hesca_error_text());
    CHECK(c->network.nproc == size && c->network.nhosts == 1 &&
              fabs(hesca_network_wire(&c->network, 0, size - 1).rate - 5e6) <
                  1,
          "%d hosts", c->network.nhosts);
    MPI_Comm_free(&comm);
    setenv("HESCA_NODE_SIZE", "1", 1);
}

/* A file that is wrong is wrong in every call on a communicator, until it is
 * right and read again; calls that can do without it go on if they are asked
 * to (hesca_params_serve()), with the costs of no file. */
static void
refuse(const char *what, const char *word, const char *other)
{
    const hesca_machine usual = hesca_machine_default();
    for (int serves = 0; serves < 2; ++serves) {
        hesca_params params;
        hesca_comm *c;
        MPI_Comm comm;
        const char *lacks;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (serves) {
            CHECK(hesca_params_serve(comm, &params, &lacks) == HESCA_SUCCESS,
                  "%s: %s", what, hesca_error_text());
            CHECK(lacks != NULL && strstr(lacks, word) != NULL &&
                      strstr(lacks, other) != NULL,
                  "%s: '%s'", what, lacks == NULL ? "" : lacks);
            CHECK(hesca_comm_get(comm, &c) == HESCA_SUCCESS &&
                      c->network.nproc == 0 &&
                      memcmp(&c->machine.net, &usual.net, sizeof usual.net) ==
                          0,
                  "%s: %s", what, hesca_error_text());
            redistribute(comm);
        } else {
            for (int again = 0; again < 2; ++again) {
                hesca_error_set(HESCA_ERR_ARG, rank, "something else");
                check_failed(what, hesca_comm_get(comm, &c), HESCA_ERR_PARAM,
                             word, other);
            }
            check_failed(what, hesca_machine_refresh(comm), HESCA_ERR_PARAM,
                         word, other);
        }
        MPI_Comm_free(&comm);
    }
}

/* Files that are wrong in themselves, or of other hosts; when they are right
 * the same communicator works. */
static void
refusing(void)
{
    MPI_Comm comm;
    write_hosts("other", size, 1000);
    refuse("other hosts", "'node0'", path);
    if (size > 1) {
        write_hosts("node", size - 1, 1000);
        char last[20];
        snprintf(last, sizeof last, "'node%d'", size - 1);
        refuse("a host too few", last, path);
    }
    write_text("hesca-machine 1\nhost node0\nhost node1 speed nan\n");
    refuse("nan", ":3:", "'nan'");
    write_text("hesca-machine 1\nhost node0\nhost node1\n");
    refuse("two parts", ":3:", "'node0 node1'");
    for (int serves = 0; serves < 2; ++serves) {
        hesca_params params;
        hesca_comm *c;
        const char *lacks;
        write_text("hesca-machine 1\nhost node0\nhost node1\n");
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (serves)
            hesca_params_serve(comm, &params, &lacks);
        else
            check_failed("two parts", hesca_comm_get(comm, &c),
                         HESCA_ERR_PARAM, ":3:", "'node0 node1'");
        write_hosts("node", size, 10);
        CHECK(hesca_machine_refresh(comm) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        check_network(comm, 10, "at last");
        CHECK(hesca_params_serve(comm, &params, &lacks) == HESCA_SUCCESS &&
                  lacks == NULL,
              "at last: '%s'", lacks == NULL ? "" : lacks);
        MPI_Comm_free(&comm);
    }
}

static void
rereading(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    write_hosts("node", size, 1000);
    redistribute(comm);
    CHECK(redistribute(comm) == 1, "the second call has a plan");
    CHECK(hesca_machine_refresh(comm) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(redistribute(comm) == 1, "nothing has changed");
    write_hosts("node", size, 2000);
    check_network(comm, 1000, "before the refresh");
    CHECK(hesca_machine_refresh(comm) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    check_network(comm, 2000, "after it");
    /* One process alone has no links. */
    CHECK(redistribute(comm) == (size == 1), "a plan for the old machine");
    CHECK(redistribute(comm) == 1, "the new plan is kept");
    write_text("hesca-machine 1\nhost node0 speed -1\n");
    check_failed("a bad file", hesca_machine_refresh(comm), HESCA_ERR_PARAM,
                 ":2:", "'-1'");
    write_hosts("other", size, 1000);
    check_failed("other hosts", hesca_machine_refresh(comm), HESCA_ERR_PARAM,
                 "'node0'", path);
    check_network(comm, 2000, "after a bad file");
    CHECK(redistribute(comm) == 1, "plans outlive a bad file");
    write_text("hesca-machine 1\nnode startup 1 message 1 byte 1 copy 1\n"
               "node-crowded startup 1 message 1 byte 1 copy 1\n"
               "net startup 1 message 1 byte 1 copy 1\n"
               "net-crowded startup 1 message 1 byte 1 copy 1\n");
    CHECK(hesca_machine_refresh(comm) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    hesca_comm *c;
    hesca_comm_get(comm, &c);
    CHECK(c->network.nproc == 0 && c->machine.nhosts == 0,
          "hosts of an old file: %d", c->machine.nhosts);
    MPI_Comm_free(&comm);
}

/* A monitor that counts its calls, and does what the test requests. */
typedef struct {
    enum { SUPPLY, NAN_RATE, FAIL, FAIL_SILENTLY, NAME_HOSTS } mode;
    int calls;
    double step;
} plan_of_monitor;

static int
monitor(hesca_machine *m, void *data)
{
    plan_of_monitor *p = data;
    char name[16][20];
    const char *names[16];
    ++p->calls;
    if (p->mode == FAIL)
        return hesca_error_set(HESCA_ERR_UNSUPPORTED, 0, "no answer from x");
    if (p->mode == FAIL_SILENTLY)
        return HESCA_ERR_UNSUPPORTED;
    for (int i = 0; i < size && p->mode == NAME_HOSTS; ++i) {
        snprintf(name[i], sizeof name[i], "node%d", i);
        names[i] = name[i];
    }
    if (p->mode == NAME_HOSTS && hesca_machine_set_hosts(m, size, names) < 0)
        return HESCA_ERR_NOMEM;
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j)
            m->wire[i * size + j] =
                (hesca_wire){1e-6 * (i + j), p->step * (i * size + j + 1)};
    if (p->mode == NAN_RATE)
        m->wire[0].rate = NAN;
    return HESCA_SUCCESS;
}

static void
monitoring(void)
{
    plan_of_monitor p = {.mode = SUPPLY, .step = 300};
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    write_hosts("node", size, 1000);
    hesca_machine_set_monitor(monitor, &p);
    check_network(comm, 1000, "a monitor is not asked before the refresh");
    CHECK(hesca_machine_refresh(comm) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    check_network(comm, 300, "the monitor's");
    CHECK(p.calls == (rank == 0), "rank %d: %d calls", rank, p.calls);
    redistribute(comm);
    p.mode = NAN_RATE;
    check_failed("NaN", hesca_machine_refresh(comm), HESCA_ERR_ARG, "nan",
                 "rate from node0 to node0");
    p.mode = FAIL;
    check_failed("a failure", hesca_machine_refresh(comm),
                 HESCA_ERR_UNSUPPORTED, "no answer", "x");
    p.mode = FAIL_SILENTLY;
    check_failed("a silent failure", hesca_machine_refresh(comm),
                 HESCA_ERR_UNSUPPORTED, "the monitor failed", "");
    check_network(comm, 300, "after failures");
    CHECK(redistribute(comm) == 1, "plans outlive failures");
    p.mode = SUPPLY;
    p.step = 400;
    CHECK(hesca_machine_refresh(comm) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(redistribute(comm) == 0, "a plan for the old machine");
    hesca_machine_set_monitor(NULL, NULL);
    CHECK(hesca_machine_refresh(comm) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    check_network(comm, 1000, "without the monitor");
    MPI_Comm_free(&comm);
}

/* A site without a file, whose monitor knows the hosts. */
static void
monitoring_alone(void)
{
    plan_of_monitor p = {.mode = NAME_HOSTS, .step = 700};
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    unsetenv("HESCA_MACHINE");
    hesca_machine_set_monitor(monitor, &p);
    CHECK(hesca_machine_refresh(comm) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    check_network(comm, 700, "without a file");
    hesca_machine_set_monitor(NULL, NULL);
    setenv("HESCA_MACHINE", path, 1);
    MPI_Comm_free(&comm);
}

/* One process has no memory for its part: all return that error, keep what
 * they know, and succeed the next time. */
static void
no_memory(void)
{
    const int n = size + 8; /* some without processes */
    const size_t hosts = (size_t)n;
    /* Sizes that MPI does not use. */
    const size_t fails[] = {hosts * sizeof(hesca_host),
                            hosts * hosts * sizeof(hesca_wire)};
    for (int k = 0; k < 2; ++k)
        for (int culprit = 0; culprit < size; ++culprit) {
            hesca_comm *c;
            MPI_Comm comm;
            /* Rank 0 has its hosts from the file, in an array that grows. */
            if (k == 0 && culprit == 0)
                continue;
            write_hosts("node", size, 1000);
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
            check_network(comm, 1000, "before");
            write_hosts("node", n, 1000);
            fail_size = rank == culprit ? fails[k] : 0;
            const int err = hesca_machine_refresh(comm);
            fail_size = 0;
            check_failed("no memory", err, HESCA_ERR_NOMEM, " of ", "");
            check_network(comm, 1000, "without memory");
            CHECK(hesca_machine_refresh(comm) == HESCA_SUCCESS, "%s",
                  hesca_error_text());
            CHECK(hesca_comm_get(comm, &c) == HESCA_SUCCESS &&
                      c->machine.nhosts == n,
                  "with memory");
            MPI_Comm_free(&comm);
        }
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && mkstemp(path) < 0)
        MPI_Abort(MPI_COMM_WORLD, 99);
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    setenv("HESCA_MACHINE", path, 1);
    setenv("HESCA_NODE_SIZE", "1", 1);
    sharing();
    speeds();
    speeds_without_memory();
    real_names();
    refusing();
    rereading();
    monitoring();
    monitoring_alone();
    if (can_fail())
        no_memory();
    check_barrier(MPI_COMM_WORLD);
    if (rank == 0)
        unlink(path);
    const int failed = check_done("t_directory");
    MPI_Finalize();
    return failed;
}

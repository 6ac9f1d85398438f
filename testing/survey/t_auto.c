/* SPDX-License-Identifier: BSD-3-Clause */
/* HESCA_MACHINE=auto and HESCA_LEARN: the machine is found at the first grid
 * and taken from the cache later; wrong speeds of a machine file are noticed
 * from calls.  HESCA_NODE_SIZE=1 makes each process a host. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, setenv */
#include "exec/comm.h"
#include "exec/directory.h"
#include "hesca/experimental/grid.h"
#include "hesca/experimental/monitor.h"
#include "hohe/hohe.h"
#include "survey/cache.h"
#include "survey/learn.h"
#include "survey/survey.h"
#include "testing/check.h"
#include <dirent.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
static char folder[] = "/tmp/hesca-auto-XXXXXX";

/* ------------------------------------------------ files, on rank 0 */

/* The file of the cache whose name begins so.
 * \return 1, or 0 if there is none. */
static int
find_file(const char *kind, char path[HESCA_CACHE_PATH])
{
    char inside[100];
    int found = 0;
    snprintf(inside, sizeof inside, "%s/hesca", folder);
    DIR *d = opendir(inside);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        if (strncmp(e->d_name, kind, strlen(kind)) == 0) {
            snprintf(path, HESCA_CACHE_PATH, "%s/%.200s", inside, e->d_name);
            found = 1;
        }
    if (d != NULL)
        closedir(d);
    return found;
}

/* The machine's file, also one that was measured while others worked here. */
static int
find_machine(char path[HESCA_CACHE_PATH])
{
    return find_file("machine-", path) || find_file("busy-", path);
}

static void
remove_all(void)
{
    char path[HESCA_CACHE_PATH];
    check_barrier(MPI_COMM_WORLD);
    while (rank == 0 && (find_machine(path) || find_file("calls-", path)))
        if (unlink(path) != 0)
            abort();
    check_barrier(MPI_COMM_WORLD);
}

/* ------------------------------------------------ the machine */

/* Nothing that this program found before counts. */
static void
forget(void)
{
    const hesca_machine none = hesca_machine_default();
    hesca_directory_keep(&none);
}

/* What a new communicator knows after its first grid; free both. */
static MPI_Comm
begin(hesca_machine *m)
{
    MPI_Comm comm;
    int *process = malloc((size_t)size * sizeof *process);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(hesca_grid_place(comm, 1, size, NULL, 1, process, NULL) ==
              HESCA_SUCCESS,
          "%s", hesca_error_text());
    *m = hesca_machine_default();
    CHECK(hesca_machine_agreed(comm, m) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    free(process);
    return comm;
}

static void
end(MPI_Comm comm, hesca_machine *m)
{
    hesca_machine_clear(m);
    MPI_Comm_free(&comm);
}

/* All processes have the same valid hosts. */
static void
check_machine(const hesca_machine *m, const char *what)
{
    double mine[8] = {0}, first[8];
    CHECK(m->nhosts >= size, "%s: %d hosts", what, m->nhosts);
    CHECK(hesca_machine_check(m) == HESCA_SUCCESS, "%s: %s", what,
          hesca_error_text());
    for (int i = 0; i < m->nhosts && i < 4; ++i) {
        char name[20];
        snprintf(name, sizeof name, "node%d", i);
        CHECK(strcmp(m->host[i].name, name) == 0, "%s: host %s", what,
              m->host[i].name);
        CHECK(m->host[i].speed > 0 && m->host[i].speed <= 1, "%s: speed %g",
              what, m->host[i].speed);
        mine[i] = m->host[i].speed;
        mine[4 + i] = m->wire[i].rate;
    }
    memcpy(first, mine, sizeof mine);
    MPI_Bcast(first, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    CHECK(memcmp(first, mine, sizeof mine) == 0,
          "%s: rank %d has another machine", what, rank);
}

static void
finding(void)
{
    hesca_machine m, again;
    char path[HESCA_CACHE_PATH] = "";
    remove_all();
    forget();
    MPI_Comm comm = begin(&m);
    check_machine(&m, "measured");
    if (rank == 0)
        CHECK(find_machine(path) && hesca_cache_is_whole(path),
              "nothing is kept");
    /* A second communicator of the program does not look. */
    remove_all();
    MPI_Comm second = begin(&again);
    check_machine(&again, "second");
    CHECK(again.host != NULL && m.host != NULL &&
              again.host[0].speed == m.host[0].speed,
          "it is measured twice");
    if (rank == 0)
        CHECK(!find_machine(path), "it is kept twice");
    end(second, &again);
    end(comm, &m);
}

/* Another run takes what the file has; one that is torn is none. */
static void
recalling(void)
{
    static const char text[] = "hesca-machine 1\nhost node0 speed 0.125\n"
                               "host node1 speed 1\nhost node2 speed 0.5\n"
                               "host node3 speed 0.25\nothers startup 1e-5 "
                               "rate 1e8\n";
    char path[HESCA_CACHE_PATH] = "";
    hesca_machine m;
    for (int whole = 1; whole >= 0; --whole) {
        forget();
        remove_all();
        end(begin(&m), &m); /* the name of the file */
        if (rank == 0) {
            FILE *f = find_machine(path) ? fopen(path, "w") : NULL;
            if (f == NULL || fputs(text, f) < 0 ||
                (whole && fputs("# complete\n", f) < 0) || fclose(f) != 0)
                abort();
        }
        check_barrier(MPI_COMM_WORLD);
        forget();
        MPI_Comm comm = begin(&m);
        check_machine(&m, whole ? "a whole file" : "a torn file");
        CHECK((m.nhosts > 2 && m.host[0].speed == 0.125 &&
               m.host[2].speed == 0.5) == whole,
              "speeds %g %g", m.host[0].speed, m.host[2].speed);
        end(comm, &m);
        /* the second may have been measured under load, in a file of its own
         */
        if (rank == 0)
            CHECK(
                (find_file("machine-", path) && hesca_cache_is_whole(path)) ||
                    (find_file("busy-", path) && hesca_cache_is_whole(path)),
                "it is torn");
    }
}

/* Frozen: nothing is measured, nothing kept. */
static void
freezing(void)
{
    char path[HESCA_CACHE_PATH];
    hesca_machine m;
    remove_all();
    forget();
    setenv("HESCA_LEARN", "frozen", 1);
    MPI_Comm comm = begin(&m);
    CHECK(m.nhosts == 0, "frozen, but %d hosts", m.nhosts);
    if (rank == 0)
        CHECK(!find_machine(path), "frozen, but kept");
    end(comm, &m);
    unsetenv("HESCA_LEARN");
}

/* Without a folder to write to it works as well. */
static void
homeless(void)
{
    hesca_machine m;
    forget();
    setenv("XDG_CACHE_HOME", "/proc/none", 1);
    MPI_Comm comm = begin(&m);
    check_machine(&m, "homeless");
    end(comm, &m);
    setenv("XDG_CACHE_HOME", folder, 1);
}

/* ------------------------------------------------ learning */

/* A machine file in which host `odd` has another speed than the others. */
static void
write_machine(const char *path, int odd, double speed, double rate)
{
    if (rank == 0) {
        FILE *f = fopen(path, "w");
        if (f == NULL)
            abort();
        fprintf(f, "hesca-machine 1\n");
        for (int i = 0; i < size; ++i)
            fprintf(f, "host node%d speed %g\n", i, i == odd ? speed : 1);
        fprintf(f, "others startup 1e-5 rate %g\n", rate);
        fclose(f);
    }
    check_barrier(MPI_COMM_WORLD);
}

/* Products, until the machine changes or so many were computed.
 * \return The speed of host `odd` relative to another one. */
static double
compute(MPI_Comm comm, int odd, int most, int *count)
{
    enum { N = 640, NB = 32 };
    const int64_t locc = (N / NB + size - 1 - rank) / size * NB;
    const size_t bytes = N * (size_t)(locc + 1) * sizeof(double);
    double *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
    const double one = 1, zero = 0;
    const hesca_side s = {.member = 1,
                          .nprow = 1,
                          .npcol = size,
                          .mycol = rank,
                          .m = N,
                          .n = N,
                          .mb = NB,
                          .nb = NB,
                          .lld = N};
    const int64_t before = hesca_machine_refreshes();
    hesca_comm *state;
    for (int64_t k = 0; k < N * locc; ++k)
        a[k] = b[k] = 1.0 / (double)(1 + k % 17);
    for (*count = 0; *count < most && hesca_machine_refreshes() == before;
         ++*count) {
        hesca_hohe_info info;
        CHECK(hesca_hohe_gemm(HESCA_SUCCESS, HESCA_D, 'N', 'N', N, N, N, &one,
                              &s, a, &s, b, &zero, &s, c, comm, NULL,
                              &info) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(info.way == HESCA_WAY_HOHE && info.timed, "way %d, timed %d",
              (int)info.way, info.timed);
        hesca_hohe_finish(comm);
    }
    free(a);
    free(b);
    free(c);
    CHECK(hesca_comm_get(comm, &state) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    return state->machine.host[odd].speed / state->machine.host[0].speed;
}

/* A speed that is not so is found out; the file stays as it is. */
static void
learning(void)
{
    char path[HESCA_CACHE_PATH];
    int count = 0;
    MPI_Comm comm;
    snprintf(path, sizeof path, "%s/file", folder);
    setenv("HESCA_MACHINE", path, 1);
    setenv("HESCA_GEMM", "hohe", 1);
    write_machine(path, size - 1, 0.2, 1e9);
    for (int on = 1; on >= 0; --on) {
        setenv("HESCA_LEARN", on ? "on" : "off", 1);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (!on) {
            hesca_comm *state;
            CHECK(hesca_comm_get(comm, &state) == HESCA_SUCCESS &&
                      state->learning == NULL,
                  "HESCA_LEARN=off learns");
        } else {
            /* One disturbed note makes a change smaller than it is; the next
             * notes find the rest. */
            double speed = 0.2;
            for (int k = 0; k < 10 && fabs(log(speed)) >= 0.5; ++k)
                speed = compute(comm, size - 1, 400, &count);
            CHECK(
                fabs(log(speed)) < 0.5,
                "after %d more calls host %d has %g times the speed of host 0",
                count, size - 1, speed);
        }
        MPI_Comm_free(&comm);
    }
    unsetenv("HESCA_LEARN");
    unsetenv("HESCA_GEMM");
    setenv("HESCA_MACHINE", "auto", 1);
}

/* Rates that are not so are measured, on all processes; those that are stay as
 * they are. */
static void
links(void)
{
    const double thousand = 7; /* as a logarithm */
    char path[HESCA_CACHE_PATH];
    hesca_comm *state;
    MPI_Comm comm;
    snprintf(path, sizeof path, "%s/file", folder);
    setenv("HESCA_MACHINE", path, 1);
    write_machine(path, 0, 1, 1e3);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(hesca_comm_get(comm, &state) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    for (int again = 0; again < 2; ++again) {
        int changed = -1;
        CHECK(hesca_survey_links_again(state, thousand, &changed) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(changed == !again, "time %d: changed %d", again, changed);
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < size; ++j) {
                const double rate =
                    state->machine.wire[i * state->machine.nhosts + j].rate;
                double first = rate;
                MPI_Bcast(&first, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
                CHECK(i == j || (rate > 1e6 && rate == first),
                      "rate from %d to %d: %g, on rank 0 %g", i, j, rate,
                      first);
            }
    }
    MPI_Comm_free(&comm);
    setenv("HESCA_MACHINE", "auto", 1);
}

int
main(int argc, char **argv)
{
    char command[100];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && mkdtemp(folder) == NULL)
        MPI_Abort(MPI_COMM_WORLD, 99);
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
    setenv("HESCA_MACHINE", "auto", 1);
    setenv("HESCA_NODE_SIZE", "1", 1);
    setenv("XDG_CACHE_HOME", folder, 1);
    unsetenv("HOME");
    finding();
    recalling();
    freezing();
    homeless();
    learning();
    links();
    check_barrier(MPI_COMM_WORLD);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (rank == 0 && system(command) != 0)
        MPI_Abort(MPI_COMM_WORLD, 99);
    const int failed = check_done("t_auto");
    MPI_Finalize();
    return failed;
}

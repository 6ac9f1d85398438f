/* SPDX-License-Identifier: BSD-3-Clause */
/* Redistributions through the public calls: A to B and back, on random
 * layouts, communicators, schedules and buffers.  What an element holds is a
 * function of its global place, so that every process knows every byte that it
 * must have afterwards, inside sub(B) and around it.  HESCA_TEST_PERCENT
 * and HESCA_TEST_SEED set how many there are of each kind, and which. */
#include "testing/check.h"
#include "testing/exec/plans.h"

static void
communicators(MPI_Comm base)
{
    world first = fresh(base, "the first", "auto", NULL);
    world second = fresh(base, "the second", "direct", NULL);
    world third = fresh(base, "the third", "alltoall", NULL);
    random_calls(&second, 2);
    random_calls(&first, 2);
    random_calls(&third, 2);
    MPI_Comm_free(&first.comm);
    random_calls(&second, 2);
    random_calls(&third, 2);
    MPI_Comm_free(&second.comm);
    random_calls(&third, 2);
    MPI_Comm_free(&third.comm);
    world old = fresh(base, "a lasting one", "auto", NULL);
    random_calls(&old, 3);
    for (int k = 0; k < 5; ++k) {
        world w = fresh(k % 2 ? old.comm : base, "a short-lived one",
                        k % 2 ? "alltoall" : "direct", NULL);
        random_calls(&w, 3);
        random_cases(&w, 2, 20);
        changed_arguments(&w);
        MPI_Comm_free(&w.comm);
        random_calls(&old, 1);
    }
    MPI_Comm_free(&old.comm);
}

/* ------------------------------------------------ all of it */

static void
on_subset(int number, MPI_Comm base, int color, int order, const char *name,
          uint64_t seed, int ncases)
{
    MPI_Comm part;
    check_state = seed + (uint64_t)number;
    MPI_Comm_split(base, color, order, &part);
    if (part != MPI_COMM_NULL) {
        world w =
            fresh(part, name, number % 2 ? "direct" : "direct-async", NULL);
        random_cases(&w, ncases, 30);
        random_calls(&w, ncases);
        MPI_Comm_free(&w.comm);
        MPI_Comm_free(&part);
    }
    check_state = seed + (uint64_t)number; /* equal on all again */
}

int
main(int argc, char **argv)
{
    static const char *const schedules[] = {"auto", "direct", "direct-async",
                                            "alltoall"};
    static const char *const relays[] = {
        "indirect", "hybrid:0",   "hybrid:1", "hybrid:2",
        "bruck",    "openshop",   "polished", "maxmatch",
        "lcm",      "multiphase", "gcd",      "two-phase"};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > PROCS) {
        if (rank == 0)
            printf("at most %d processes\n", PROCS);
        MPI_Finalize();
        return 77;
    }
    const uint64_t seed = check_seed(20260107) + (uint64_t)size;
    const int ncases = check_cases(size <= 2 ? 50 : size <= 4 ? 25 : 15);
    if (rank == 0)
        printf("%d processes, seed %llu\n", size,
               (unsigned long long)(seed - (uint64_t)size));
    check_state = seed;
    for (int k = 0; k < 8; ++k) {
        world w = fresh(MPI_COMM_WORLD, "all", schedules[k % 4],
                        k < 4 ? NULL : "64K");
        random_cases(&w, ncases, k < 4 ? 30 : 60);
        random_calls(&w, ncases / 2);
        disjoint_grids(&w, 3);
        if (k >= 4) {
            long_messages(&w, HESCA_ALL, 9000, 7, 8);
            long_messages(&w, HESCA_LOWER, 2500, 12, 23);
            long_messages(&w, HESCA_UPPER_STRICT, 60, 900, 16);
        }
        if (k == 0) {
            in_place(&w);
            far_leading_dimensions(&w);
            changed_arguments(&w);
            evictions(&w);
        }
        MPI_Comm_free(&w.comm);
    }
    for (size_t k = 0; k < 2 * sizeof relays / sizeof *relays;
         k += ncases < 4 ? 3 : 1) {
        world w =
            fresh(MPI_COMM_WORLD, "all", relays[k / 2], k % 2 ? "64K" : NULL);
        random_cases(&w, ncases / 2, k % 2 ? 60 : 30);
        random_calls(&w, ncases / 8);
        disjoint_grids(&w, 1);
        if (k % 2 && is_for_all(relays[k / 2]))
            long_messages(&w, HESCA_LOWER, 2500, 12, 23);
        MPI_Comm_free(&w.comm);
    }
    on_subset(1, MPI_COMM_WORLD, 0, -rank, "reversed", seed, ncases / 4);
    on_subset(2, MPI_COMM_WORLD, rank % 2, rank, "every other", seed,
              ncases / 4);
    on_subset(3, MPI_COMM_WORLD, rank < size - 1 ? 0 : MPI_UNDEFINED, -rank,
              "all but the last, reversed", seed, ncases / 4);
    communicators(MPI_COMM_WORLD);
    /* One that HESCA has to free in MPI_Finalize. */
    random_calls(&(world){MPI_COMM_WORLD, rank, size, "auto", "the world"}, 2);
    const int failed = check_done("t_plan");
    MPI_Finalize();
    return failed;
}

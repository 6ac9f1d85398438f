#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Polite waiting under unmodified programs: ScaLAPACK's LU tester
# on more processes than most machines have cores; a profiling library behind
# HESCA; a program linked statically with wrappers of its own; and what
# HESCA_VERBOSE says.  Times are reported, but decide nothing.

[ "$sanitizers" = no ] ||
    { echo 'a library with sanitizers cannot be preloaded'; exit 77; }
[ -n "$MPIEXEC" ] || { echo 'configure found no mpiexec'; exit 77; }
. "$top_srcdir/testing/program.sh"
lib=$top_builddir/src/.libs
cores=$(env -u OMP_NUM_THREADS nproc)

# ------------------------------------------------ programs

cat >"$dir/app.c" <<'END'
#include <mpi.h>
#include <stdio.h>
/* Known numbers of calls, and whether their data is right. */
int
main(int argc, char **argv)
{
    int rank, size, x = 0, sum = 0;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Pcontrol(1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 0; k < 3; ++k) {
        if (rank == 0)
            MPI_Send(&k, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        else if (rank == 1)
            MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += rank == 1 && x != k;
    }
    for (int k = 0; k < 5; ++k)
        MPI_Bcast(&x, 1, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, half);
    MPI_Comm_free(&half);
    printf("process %d: %s\n", rank, x == 2 && sum == 0 ? "right" : "wrong");
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
END
# What a profiling library does: count, and pass on.
cat >"$dir/count.c" <<'END'
#include <mpi.h>
#include <stdio.h>
static int sends, isends, bcasts, ibcasts, splits;
#define MESSAGE                                                              \
    const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c
int MPI_Send(MESSAGE) { ++sends; return PMPI_Send(b, n, t, to, tag, c); }
int MPI_Isend(MESSAGE, MPI_Request *r)
{
    ++isends;
    return PMPI_Isend(b, n, t, to, tag, c, r);
}
int MPI_Bcast(void *b, int n, MPI_Datatype t, int root, MPI_Comm c)
{
    ++bcasts;
    return PMPI_Bcast(b, n, t, root, c);
}
int MPI_Ibcast(void *b, int n, MPI_Datatype t, int root, MPI_Comm c,
               MPI_Request *r)
{
    ++ibcasts;
    return PMPI_Ibcast(b, n, t, root, c, r);
}
int MPI_Comm_split(MPI_Comm c, int colour, int key, MPI_Comm *made)
{
    ++splits;
    return PMPI_Comm_split(c, colour, key, made);
}
/* The program signals its begin; HESCA has its own calls in MPI_Init. */
int MPI_Pcontrol(const int level, ...)
{
    sends = isends = bcasts = ibcasts = splits = level - 1;
    return MPI_SUCCESS;
}
int MPI_Finalize(void)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("profile %d: Send %d Isend %d Bcast %d Ibcast %d split %d\n", rank,
           sends, isends, bcasts, ibcasts, splits);
    fflush(stdout);
    return PMPI_Finalize();
}
END
$CC -g -o "$dir/app" "$dir/app.c" || exit 99
app="$MPIEXEC -n 4 env HESCA_VERBOSE=1"

# ------------------------------------------------ a profiler behind HESCA
if [ "$shared" = yes ]; then
    $CC -g -shared -fPIC -o "$dir/libcount.so" "$dir/count.c" || exit 99
    behind=LD_PRELOAD=$preload:$dir/libcount.so

    run 0 $app HESCA_WAIT=polite "$behind" "$dir/app"
    says_times 4 '^process [0-3]: right'
    says err "^hesca: MPI's blocking calls yield: HESCA_WAIT is polite"
    [ "$(grep -c '^hesca: ' "$dir/err")" -eq 1 ] || complain 'not one line'
    says out '^profile 0: Send 0 Isend 3 Bcast 0 Ibcast 5 split 1'
    says out '^profile 1: Send 0 Isend 0 Bcast 0 Ibcast 5 split 1'

    for off in HESCA_WAIT=spin HESCA_DISABLE=wait HESCA_DISABLE=all; do
        run 0 $app "$off" "$behind" "$dir/app"
        says_times 4 '^process [0-3]: right'
        silent err
        says out '^profile 0: Send 3 Isend 0 Bcast 5 Ibcast 0 split 1'
        says out '^profile 3: Send 0 Isend 0 Bcast 5 Ibcast 0 split 1'
    done

    # In front it sees what the program calls.
    run 0 $app HESCA_WAIT=polite "LD_PRELOAD=$dir/libcount.so:$preload" \
        "$dir/app"
    says_times 4 '^process [0-3]: right'
    says out '^profile 0: Send 3 Isend 0 Bcast 5 Ibcast 0 split 1'

    run 0 env "LD_PRELOAD=$dir/libcount.so:$preload" \
        "$top_builddir/src/tools/hesca" check "$dir/app"
    says out "libcount.so comes before HESCA: MPI's blocking calls do not yield"
    run 0 "$top_builddir/src/tools/hesca" check --preload "$preload" "$dir/app"
    grep -q 'comes before HESCA' "$dir/out" && complain 'HESCA is first'

    # More processes than cores.
    run 0 $MPIEXEC -n $((cores + 1)) env HESCA_VERBOSE=1 \
        "LD_PRELOAD=$preload" "$dir/app"
    says err "calls yield: [0-9.]+ processes per core"
    run 0 $MPIEXEC -n 2 env HESCA_WAIT=rude "LD_PRELOAD=$preload" "$dir/app"
    says err "^hesca: HESCA_WAIT is 'rude': must be auto.*its default holds$"
    says_times 2 '^process [01]: right'
fi

# ------------------------------------------------ static archives
if [ "$static" = yes ]; then
    archives="$lib/libhesca_scalapack.a $lib/libhesca.a"
    rest="$SCALAPACK_LIBS $BLAS_LIBS $DL_LIBS $GRAPH_LIBS -lm"

    # Wrappers of the program's own, all of HESCA's members linked.
    run 0 $CC -o "$dir/own" "$dir/app.c" "$dir/count.c" -Wl,--whole-archive \
        $archives -Wl,--no-whole-archive $rest
    run 0 $app HESCA_WAIT=polite "$dir/own"
    says_times 4 '^process [0-3]: right'
    says out '^profile 0: Send 3 Isend 0 Bcast 5 Ibcast 0 split 1'
    silent err

    # Polite on demand, in front of them.
    wrap=
    for name in Init Finalize Send Recv Bcast Allreduce Comm_split; do
        wrap="$wrap -Wl,--wrap=MPI_$name"
    done
    run 0 $CC -o "$dir/wrapped" "$dir/app.c" $wrap "$dir/count.c" $archives \
        $rest
    run 0 $app HESCA_WAIT=polite "$dir/wrapped"
    says_times 4 '^process [0-3]: right'
    says err "^hesca: MPI's blocking calls yield"
    says out '^profile 0: Send 0 '
fi

# ------------------------------------------------ ScaLAPACK's LU tester
bin=$(ls -d /usr/lib/*/scalapack/"$mpi"-tests 2>/dev/null | head -n 1)
for data in /usr/share/scalapack "$bin" none; do
    [ ! -f "$data/LU.dat" ] || break
done
if [ "$shared" = no ] || [ ! -x "$bin/xdlu" ] || [ "$data" = none ]; then
    echo 'the LU tester is missing: install scalapack-mpi-test'
    exit $failed
fi
cd "$dir" || exit 99
# Four processes; two of seven sizes, or all in a big run.
if [ -n "$HESCA_TEST_BIG" ]; then
    cp "$data/LU.dat" .
else
    sed -e '/number of problems/s/^[0-9]*/2/' "$data/LU.dat" >LU.dat
fi
begin=$(date +%s)
run 0 timeout -k 5 400 $MPIEXEC -n 4 env HESCA_VERBOSE=1 HESCA_WAIT=polite \
    "LD_PRELOAD=$preload" "$bin/xdlu"
echo "xdlu on 4 processes and $cores cores: $(($(date +%s) - begin)) s"
says out 'tests completed and passed'
says out '^ *0 tests completed and failed'
[ "$(grep -c PASSED "$dir/out")" -ge 30 ] || complain 'few tests'
exit $failed

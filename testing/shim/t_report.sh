#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What HESCA says in a run: levels of HESCA_VERBOSE, HESCA_LOG, set-ups that
# are wrong from the start; and that with HESCA_DISABLE=all it sends nothing.

. "$top_srcdir/testing/program.sh"
[ "$sanitizers" = no ] && [ "$shared" = yes ] ||
    { echo 'needs a library that can be preloaded'; exit 77; }
[ -n "$MPIEXEC" ] || { echo 'configure found no mpiexec'; exit 77; }
unset LD_PRELOAD HESCA_LOG HESCA_PLACEMENT HESCA_GEMM
app=$top_builddir/examples/01_gemr2d

# with [VARIABLE=VALUE]...: the example under HESCA.
with() {
    run 0 timeout 60 $MPIEXEC -n 2 env "$@" "LD_PRELOAD=$preload" "$app"
    says out ': 0 wrong elements$'
}

# lines N: of HESCA's in the error output.
lines() {
    [ "$(grep -c '^hesca: ' "$dir/err")" -eq "$1" ] || complain "not $1 lines"
}

# ------------------------------------------------ levels
with HESCA_WAIT=spin
lines 0
with HESCA_WAIT=spin HESCA_VERBOSE=summary
says err '^hesca: summary: pdgemr2d: 1 calls by HESCA'
says err '; calls of 1 MB and more: 1, .* s, by ScaLAPACK .* s, predicted'
lines "$(grep -c '^hesca: summary: ' "$dir/err")"
with HESCA_WAIT=spin HESCA_VERBOSE=1
says err '^hesca: version .* is active'
says err '^hesca: pdgemr2d 500 x 500, '
with HESCA_WAIT=polite HESCA_VERBOSE=summary
says err '^hesca: summary: waiting: .* slept [0-9.e-]+ s in waits, measured'

# ------------------------------------------------ a file
with HESCA_VERBOSE=1 "HESCA_LOG=$dir/log"
lines 0
cp "$dir/log" "$dir/err"
says err '^hesca: version .* is active'
says err '^hesca: summary: '
with HESCA_VERBOSE=summary "HESCA_LOG=$dir/no/folder"
says err '^hesca: HESCA_LOG is .*/no/folder.: No such file'
says err '^hesca: summary: '

# ------------------------------------------------ calls that are left
# ScaLAPACK's tester makes many calls with one reason each.
for tester in /usr/lib/*/scalapack/"$mpi"-tests/xdhseqr; do
    [ -x "$tester" ] || continue
    run 0 timeout 120 $MPIEXEC -n 2 env HESCA_VERBOSE=1 HESCA_GEMM=real \
        "LD_PRELOAD=$preload" "$tester"
    command="xdhseqr, HESCA_VERBOSE=1 HESCA_GEMM=real"
    [ "$(grep -c '^hesca: pdgemm .*left to ScaLAPACK' "$dir/err")" -eq 1 ] ||
        complain 'not one line of pdgemm'
    says err '^hesca: summary: pdgemm: [0-9]+ calls, left to ScaLAPACK'
    says err '^hesca: summary: [0-9]+ more like: pdgemm '
    ! grep -q 'calls of 1 MB' "$dir/err" || complain 'calls are smaller'
done

# ------------------------------------------------ messages
# A library that counts what is sent by MPI's names stands behind HESCA, as a
# profiler does, and one that counts by the PMPI names under both.
cat >"$dir/count.c" <<'END'
#include <mpi.h>
#include <stdio.h>
static int sends, made;
int MPI_Isend(const void *b, int n, MPI_Datatype t, int to, int tag,
              MPI_Comm c, MPI_Request *r)
{
    ++sends;
    return PMPI_Isend(b, n, t, to, tag, c, r);
}
int MPI_Comm_idup(MPI_Comm c, MPI_Comm *d, MPI_Request *r)
{
    ++made;
    return PMPI_Comm_idup(c, d, r);
}
int MPI_Finalize(void)
{
    fprintf(stderr, "tool: %d sends, %d communicators\n", sends, made);
    return PMPI_Finalize();
}
END
run 0 $CC -shared -fPIC -o "$dir/count.so" "$dir/count.c"
for disable in none all; do
    [ $disable = none ] && off= || off=all
    run 0 timeout 60 $MPIEXEC -n 2 env HESCA_WAIT=spin HESCA_TRANSPORT=mpi \
        HESCA_DISABLE=$off "LD_PRELOAD=$dir/count.so:$preload" "$app"
    grep '^tool: ' "$dir/err" | sort >"$dir/tool.$disable"
done
run 0 timeout 60 $MPIEXEC -n 2 env "LD_PRELOAD=$dir/count.so" "$app"
grep '^tool: ' "$dir/err" | sort >"$dir/tool.without"
command='a profiler'
cmp "$dir/tool.all" "$dir/tool.without" >/dev/null ||
    complain 'sees other calls with HESCA_DISABLE=all than without HESCA'
grep -q ' 0 communicators' "$dir/tool.none" ||
    complain "sees HESCA's own: $(cat "$dir/tool.none")"

# ------------------------------------------------ wrong from the start
# Said when MPI starts, and not once more by the first call.
run 0 timeout 60 $MPIEXEC -n 2 env "HESCA_MACHINE=$dir/none" \
    "LD_PRELOAD=$preload" "$app"
says err '^hesca: HESCA_MACHINE cannot be used: .*/none: No such file'
lines 1
printf 'hesca-machine 1\nhost node0\nhost other\n' >"$dir/other.machine"
printf 'others startup 1ms rate 1e6\n' >>"$dir/other.machine"
run 0 timeout 60 $MPIEXEC -n 2 env "HESCA_MACHINE=$dir/other.machine" \
    HESCA_NODE_SIZE=1 "LD_PRELOAD=$preload" "$app"
says err "^hesca: HESCA_MACHINE cannot be used: process 1 is on host 'node1',"
lines 1
run 0 timeout 60 $MPIEXEC -n 2 env \
    "LD_PRELOAD=$top_builddir/src/.libs/libhesca.so" "$app"
says err '^hesca: LD_PRELOAD has libhesca, which replaces nothing'
lines 1
cat >"$dir/rank.c" <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("rank %d of %d, %d arguments\n", rank, size, argc - 1);
    MPI_Finalize();
    return 0;
}
END
[ "$mpi" = mpich ] && other=openmpi || other=mpich
if command -v mpicc.$other >/dev/null && command -v mpiexec.$other >/dev/null
then
    run 0 mpicc.$other -o "$dir/rank" "$dir/rank.c"
    [ $other = mpich ] && launch= || launch=--oversubscribe
    run 0 timeout 60 mpiexec.$other $launch -n 2 env "LD_PRELOAD=$preload" \
        "$dir/rank" a b
    says out '^rank 1 of 2, 2 arguments'
    says err '^hesca: .*/rank uses .*; it goes on without HESCA'
    lines 1
    # Its launcher starts a program of this MPI.
    run 0 $CC -o "$dir/rank" "$dir/rank.c"
    run 0 timeout 60 mpiexec.$other $launch -n 2 env "LD_PRELOAD=$preload" \
        "$dir/rank"
    says err '^hesca: .* started 2 processes, but each is alone'
    lines 1
fi
exit $failed

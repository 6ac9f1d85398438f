#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# INTEGERs of 64 bits: the shim built for them serves a program that has them,
# and one that is built for others passes its calls on as they are.

[ -n "$MPIEXEC" ] || { echo 'configure found no mpiexec'; exit 77; }
[ "$shared" = yes ] || { echo 'there are no shared libraries'; exit 77; }
[ "$sanitizers" = no ] ||
    { echo 'libraries are preloaded here without sanitizers'; exit 77; }
program=$top_builddir/testing/shim/ilp64/t_ilp64
wide=$top_builddir/testing/shim/ilp64/.libs/libhesca_scalapack64.so
out=$(mktemp) || exit 99
trap 'rm -f "$out"' EXIT
failed=0
unset HESCA_VERBOSE HESCA_MACHINE

# run PROCESSES LIBRARY COMMAND...
run() {
    title="$*"
    n=$1 library=$2
    shift 2
    timeout -k 5 60 $MPIEXEC -n "$n" env HESCA_ONERROR=return HESCA_GEMM=hohe \
        HESCA_GETRF=hohe "LD_PRELOAD=$library" "$@" >"$out" 2>&1 </dev/null ||
        complain "exit status $?"
}

complain() {
    echo "$title: $1"
    cat "$out"
    failed=1
}

# says NUMBER TEXT
says() {
    [ "$(grep -c -- "$2" "$out")" -eq "$1" ] || complain "not $1 times '$2'"
}

left='INTEGER of this program.s ScaLAPACK has'
for n in 1 3; do
    run $n "$wide" "$program" served
    says 0 "$left"
    says $n 'IA, is 4294967297'
done
run 2 "$wide" STANDIN_BLAS=wide "$program" blas
says 0 "$left"
if [ "$ilp64" = no ]; then
    run 2 "$preload" "$program" passed
    says 1 "$left 64 bits, HESCA was built for 32"
    run 2 "$preload" HESCA_FALLBACK=silent "$program" passed
    says 0 "$left"
    # The other way round: programs with 32 bits.
    run 4 "$wide" HESCA_VERBOSE=1 "$top_builddir/examples/01_gemr2d"
    says 1 "$left 32 bits, HESCA was built for 64"
    says 1 ': 0 wrong elements'
    run 2 "$wide" "$top_builddir/examples/02_gemr2d"
    says 1 "$left 32 bits, HESCA was built for 64"
    says 1 ': 0 wrong elements'
    run 2 "$wide" "$top_builddir/examples/13_pdgemm" 2 1 100
    says 1 ': 0 wrong elements'
fi
exit $failed

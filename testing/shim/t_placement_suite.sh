#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ScaLAPACK's own testers, unmodified, with HESCA preloaded: the same verdicts
# from grids whose processes are placed as from grids in order.  6 processes on
# hosts of unequal speed; most grids of the testers have 1 to 4.
# Redistribution is left to ScaLAPACK, so that its own grids are tried, too;
# waiting is polite in both runs, as there are few cores.
#
# In make check one tester, in make bigcheck all.

. "$top_srcdir/testing/shim/testers.sh"

testers=${HESCA_TEST_TESTERS:-}
if [ -z "$testers" ] && [ -n "$HESCA_TEST_BIG" ]; then
    testers=$(cd "$bin" && ls -d x* PBLAS/?pb?tst)
elif [ -z "$testers" ]; then
    testers='xdinv'
fi

input
unequal_hosts >machine

# run HOW VARIABLE=VALUE...: output goes to HOW
run() {
    how=$1
    shift
    timeout -k 5 "${HESCA_TEST_LIMIT:-120}" $MPIEXEC -n 6 env "$@" \
        HESCA_MACHINE="$dir/machine" HESCA_NODE_SIZE=1 HESCA_WAIT=polite \
        LD_PRELOAD="$preload" HESCA_VERBOSE=1 "$bin/$tester" \
        >"$how" 2>"$how.err" </dev/null
    status=$?
    # The last thing that the BLACS testers try is BLACS_ABORT.
    case $tester in
        x[CF]btest) grep -q 'final auxiliary test is for BLACS_ABORT' "$how" ;;
        *) return $status ;;
    esac
}

# How many grids were placed.
placed() {
    grep -c '^hesca: blacs_gridinit .* placed: by prediction' "$1"
}

fail() {
    echo "$tester, $how: $1"
    tail -n 12 "$how" "$how.err"
    failed=1
}

failed=0 ran=0

# A grid that is too large: the BLACS say so themselves.  On a busy machine
# mpiexec may lose what a process wrote just before it aborted.
tester=t_placement how=too-large
for try in 1 2 3; do
    HESCA_NODE_SIZE=1 timeout -k 5 60 $MPIEXEC -n 3 \
        "$top_builddir/testing/shim/t_placement" too-large \
        >"$how" 2>"$how.err" && fail 'ends without an error'
    grep -q 'Illegal grid (3 x 2), #procs=3' "$how" "$how.err" && break
    [ "$try" -lt 3 ] || fail 'no error of the BLACS'
done

for tester in $testers; do
    [ -x "$bin/$tester" ] || continue
    if ! run order HESCA_PLACEMENT=off HESCA_DISABLE=gemr2d,trmr2d; then
        echo "$tester: ends with an error in order, too"
        continue
    fi
    [ "$(placed order.err)" -eq 0 ] || fail 'grids are placed'
    run placed HESCA_PLACEMENT=auto HESCA_DISABLE=gemr2d,trmr2d ||
        fail "exit status $status"
    verdicts order >expected
    verdicts placed >found
    cmp -s found expected ||
        fail "other verdicts: $(diff expected found)"
    count=$(placed placed.err)
    echo "$tester: $count grids placed, $(tail -n 1 expected)"
    case $tester in
        x[CF]btest) ;; # perhaps only BLACS_GRIDMAP
        *) [ "$count" -gt 0 ] || fail 'no grid is placed' ;;
    esac
    ran=$((ran + 1))
done
[ $ran -gt 0 ] || { echo 'the testers do not run here, even in order'; exit 77; }
exit $failed

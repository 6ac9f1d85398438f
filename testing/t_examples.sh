#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every example runs, and says what its reader should see; those that know only
# ScaLAPACK say the same with HESCA preloaded.

if [ -z "$MPIEXEC" ]; then
    echo 'configure found no mpiexec'
    exit 77
fi
args=
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
failed=0
printf 'hesca-machine 1\nhost %s\n' "$(uname -n)" >"$dir/machine"

complain() {
    printf '%s\n' "$1"
    sed 's/^/    /' "$dir/out" "$dir/err"
    failed=1
}

# start EXAMPLE PROCESSES [VARIABLE=VALUE...]: with the arguments $args; its
# output goes to $dir.  The variables are set behind mpiexec, which is not to be preloaded itself.
start() {
    example=$1 processes=$2
    shift 2
    $MPIEXEC -n "$processes" env "$@" "$top_builddir/examples/$example" $args \
        >"$dir/out" 2>"$dir/err"
}

# expect EXAMPLE PROCESSES LINE: LINE is an extended regular expression.
expect() {
    start "$1" "$2" || complain "$1 on $2: exit status $?"
    grep -Eqx "$3" "$dir/out" || complain "$1 on $2: no line '$3' in"
}

# alone EXAMPLE LINE [ARGUMENT...]: without mpiexec.
alone() {
    example=$1 line=$2
    shift 2
    "$top_builddir/examples/$example" "$@" >"$dir/out" 2>"$dir/err" ||
        complain "$example: exit status $?"
    grep -Eqx "$line" "$dir/out" || complain "$example: no line '$line' in"
}

# The same result with HESCA, which says that it served the call.
expect_preloaded() {
    start "$1" "$2" || complain "$1 on $2: exit status $?"
    cp "$dir/out" "$dir/plain"
    # A sanitized HESCA would insist on being first, before its runtime.
    start "$1" "$2" LD_PRELOAD="$preload" HESCA_VERBOSE=1 \
        ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0" ||
        complain "$1 on $2, preloaded: exit status $?"
    cmp "$dir/plain" "$dir/out" || complain "$1 on $2: preloaded it prints"
    for line in 'hesca: version .* is active' 'hesca: pdgemr2d 500 x 500, ' \
        'hesca: summary: pdgemr2d: 1 calls? by HESCA '; do
        grep -Eq "^$line" "$dir/err" ||
            complain "$1 on $2, preloaded: no line '$line' in"
    done
}

# It is right with HESCA, too, which places its processes.
expect_placed() {
    start "$1" "$2" LD_PRELOAD="$preload" HESCA_VERBOSE=1 \
        HESCA_PLACEMENT=speed HESCA_MACHINE="$dir/machine" \
        ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0" ||
        complain "$1 on $2, placed: exit status $?"
    grep -Eqx "$3" "$dir/out" || complain "$1 on $2, placed: no line '$3' in"
    grep -q '^hesca: ' "$dir/err" || complain "$1 on $2: no HESCA in"
}

# It is right, and says that HoHe served it, where processes are hosts of
# unequal speed.
expect_hohe() {
    start "$1" "$2" LD_PRELOAD="$preload" HESCA_VERBOSE=1 HESCA_NODE_SIZE=1 \
        HESCA_GEMM=hohe HESCA_MACHINE="$dir/hosts" HESCA_PLACEMENT=off \
        ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0" ||
        complain "$1 on $2, by HoHe: exit status $?"
    grep -Eqx "$3" "$dir/out" || complain "$1 on $2, by HoHe: no line '$3' in"
    grep -q '^hesca: pdgemm .* by HoHe (new plan), predicted ' "$dir/err" ||
        complain "$1 on $2: not by HoHe in"
}

for n in 1 4; do
    expect 08_unequal_links $n 'one to everybody: .* fef 317 s .* optimum 296 s'
    expect 08_unequal_links $n 'exchange by .*, broadcast by .*: 0 wrong .*'
    expect 03_plan $n 'schedule .*; .* change their process; 0 wrong elements'
    expect 04_plan $n '.* steps; .* change their process; 0 wrong elements'
    expect 06_trapezoid $n '179400 bytes for 44850 elements .*; 0 wrong .*'
done
expect 01_gemr2d 4 '500 x 500 from 1x4 to 2x2 processes: 0 wrong elements'
expect 02_gemr2d 4 '500 x 500 from 1x4 to 2x2 processes: 0 wrong elements'
expect 09_unequal_speeds 1 '1000 rows here, 1000 on .*; 0 wrong elements'
expect 09_unequal_speeds 4 '256 rows here, 256 on .*; 0 wrong elements'
# 64 rows as 8 : 16 : 32 : 8, of the last 40 the first three have 8, 16, 16.
args='1 2 4 1'
expect 09_unequal_speeds 4 '128 rows here, 496 on .*; 0 wrong elements'
args=
expect 05_redistribute 4 '2x1 -> 1x2 .* cached plan: 0 wrong elements'
expect 05_redistribute 2 '1x1 -> 1x1 .* cached plan: 0 wrong elements'
expect 07_twins 4 'ScaLAPACK .* ms, HESCA .* ms .*, identical: yes'
expect 07_twins 2 'ScaLAPACK .* ms, HESCA .* ms .*, identical: yes'
expect 13_pdgemm 4 'order 600 on 2x2 processes in .* ms: 0 wrong elements'
args='3 1 201'
expect 13_pdgemm 4 'order 201 on 3x1 processes in .* ms: 0 wrong elements'
args=
expect 14_hohe_gemm 4 'order 500 on 2x2 processes in .* ms: 0 wrong elements'
args='201 5 1 2'
expect 14_hohe_gemm 3 'process 0, speed 1, has .* x 201 of C'
expect 14_hohe_gemm 3 'order 201 on 3x1 processes in .* ms: 0 wrong elements'
args=
expect 15_hohe_gemm 4 'order 500 on 2x2 processes in .* ms: 0 wrong elements'
for example in 16_hohe_cholesky 17_hohe_cholesky; do
    expect $example 4 'order 500 on 2x2 processes.* ms: residual small'
done
args='201 5 1 2'
expect 15_hohe_gemm 3 'order 201 on 1x3 processes in .* ms: 0 wrong elements'
expect 16_hohe_cholesky 3 'order 201 on 3x1 processes, .* residual small'
expect 17_hohe_cholesky 3 'order 201 on 1x3 processes .* residual small'
args=
alone 10_shares '48000000 elements in .* s, by one number each in .* s' \
    "$top_srcdir/examples/lab.machine"
alone 10_shares 'a matrix of 6000 x 8000 in .* s' \
    "$top_srcdir/examples/lab.machine"
alone 11_chunks '600 rows, .* % above the ideal time, 0 wrong'
alone 12_mesh '[a-z]* cuts .* edges, strips of rows 180; .*'

# The same program started by hesca run.
"$top_builddir/src/tools/hesca" run --machine "$dir/machine" -n 4 \
    --mpiexec "$MPIEXEC" --no-preload -- "$top_builddir/examples/13_pdgemm" \
    4 1 300 >"$dir/out" 2>"$dir/err" || complain "hesca run: exit status $?"
grep -Eqx 'order 300 on 4x1 processes in .* ms: 0 wrong elements' "$dir/out" ||
    complain '13_pdgemm under hesca run'

if [ "$shared" = no ]; then
    echo 'without shared libraries nothing can be preloaded'
else
    expect_preloaded 01_gemr2d 4
    expect_preloaded 02_gemr2d 2
    if [ "$(nproc)" -ge 2 ]; then # HESCA's kernels, without a machine file
        args='1 2 1536'
        start 13_pdgemm 2 HESCA_VERBOSE=1 LD_PRELOAD="$preload" \
            ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0" ||
            complain "13_pdgemm on a node: exit status $?"
        grep -q ': 0 wrong elements' "$dir/out" &&
            grep -q 'by HoHe (new plan), in place' "$dir/err" ||
            complain '13_pdgemm on a node'
        args=
    fi
    expect_placed 13_pdgemm 4 'order 600 on 2x2 processes in .*: 0 wrong .*'
    {
        echo 'hesca-machine 1'
        for host in 'node0 speed 3' 'node1 speed 1' 'node2 speed 1' \
            'node3 speed 2'; do
            echo "host $host"
        done
        echo 'others startup 50us rate 1Gbit/s'
        for n in 0 1 2 3; do
            echo "inside node$n startup 1us rate 1GB/s"
        done
    } >"$dir/hosts"
    expect_hohe 13_pdgemm 4 'order 600 on 2x2 processes in .*: 0 wrong .*'
fi

# ------------------------------------------------ HMPI
counts='1 4'
[ -z "$HESCA_TEST_BIG" ] || counts='1 2 3 4 5 6 7 8 9'
for n in $counts; do
    args=
    expect 18_hmpi_group "$n" "a group of $n processes, 0 are free"
    expect 19_hmpi_nbody "$n" "$n groups of bodies in .* s: 0 wrong"
    expect 20_hmpi_axbt "$n" 'order 256 on [1-9] processes in .* s: 0 wrong elements'
    expect 21_hmpi_axb "$n" '4 x 4 blocks on .*: 0 wrong elements'
    expect 22_hmpi_blacs "$n" '[1-3] x [1-5] grid: 0 processes elsewhere'
    expect 25_hmpi_em3d "$n" "$n sub-bodies, 20 iterations in .* s: 0 wrong"
    p=$(((n + 1) / 2))
    expect 26_hmpi_group "$n" "$p processes.* is $((p * (p + 1) / 2))"
    expect 23_hmpi_in_turn "$n" "groups of $(((n + 1) / 2)) and $n processes"
    expect 24_hmpi_nested "$n" 'inside a group of .*: groups of .*'
done
# A machine on which HESCA places the processes of other grids otherwise.
{
    printf 'hesca-machine 1\nhost node0\nhost node1 speed 0.1\n'
    printf 'host node2 speed 3\nhost node3 speed 2\n'
    printf 'others startup 1ms rate 1e6\n'
} >"$dir/four.machine"
start 22_hmpi_blacs 4 HESCA_NODE_SIZE=1 "HESCA_MACHINE=$dir/four.machine" \
    HESCA_PLACEMENT=speed HESCA_VERBOSE=1 LD_PRELOAD="$preload" \
    ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0" ||
    complain "22_hmpi_blacs: exit status $?"
grep -q 'keeps its order (HMPI)' "$dir/err" &&
    grep -qx '2 x 2 grid: 0 processes elsewhere' "$dir/out" ||
    complain '22_hmpi_blacs: the grid has another order than the group'
# The exit code that HMPI_Finalize() gets.
args=9
start 18_hmpi_group 2 && complain '18_hmpi_group 9: exit status 0'
grep -q 'no group: the group needs more free processes: ' "$dir/out" ||
    complain '18_hmpi_group 9: does not say why'
args=

for example in "$top_srcdir"/examples/[0-9]*; do
    grep -q "(${example##*/})" "$top_srcdir/examples/README.md" || {
        echo "examples/README.md does not list ${example##*/}"
        failed=1
    }
done
exit $failed

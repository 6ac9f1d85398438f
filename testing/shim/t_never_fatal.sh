#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Whatever is missing, a valid program ends with the right results, and one
# line of one process names it; with HESCA_FALLBACK=error it is an error in
# each routine.  A big run tries every cause in every routine.

[ "$shared" = yes ] || { echo 'there is no shared library to preload'; exit 77; }
[ "$sanitizers" = no ] ||
    { echo 'a library with sanitizers cannot be preloaded'; exit 77; }
[ -n "$MPIEXEC" ] || { echo 'configure found no mpiexec'; exit 77; }

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
source=$top_srcdir/testing/shim
$CC -o "$dir/program" "$source/never_program.c" $SCALAPACK_LIBS $BLAS_LIBS \
    -lm || exit 99
failed=0
first=$preload routines='gemr2d gemm potrf gesv'

complain() {
    echo "$what: $1"
    sed 's/^/    /' "$dir/out" "$dir/err"
    failed=1
}

# start VARIABLE=VALUE...: 2 processes; what they print goes to out and err.
start() {
    what="$* $routines"
    timeout -k 5 60 $MPIEXEC -n 2 env "LD_PRELOAD=$first" "$@" \
        "$dir/program" $routines >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
}

# The program ends as without HESCA, and prints $1 lines.
right() {
    [ $status -eq 0 ] || complain "exit status $status"
    [ "$(grep -c 'is right' "$dir/out")" -eq 2 ] || complain 'wrong results'
    [ "$(grep -c '^hesca: ' "$dir/err")" -eq "$1" ] || complain "not $1 lines"
}

# good LINE VARIABLE=VALUE...: right, and one line, which matches.
good() {
    line=$1
    shift
    start "$@"
    right 1
    grep -q "^hesca: $line" "$dir/err" || complain "no '$line'"
}

# silent VARIABLE=VALUE...: right, and no message.
silent() {
    start "$@"
    right 0
}

# bad LINE VARIABLE=VALUE...: an error that names the cause.
bad() {
    line=$1
    shift
    start "$@" HESCA_FALLBACK=error
    [ $status -ne 0 ] && [ $status -ne 124 ] || complain "exit status $status"
    grep -q "^hesca: .*$line" "$dir/err" || complain "no '$line'"
}

printf 'hesca-machine 1\nhost a speed 1\nhost b speed 2\n%s\n' \
    'others startup 60us rate 1Gbit/s' >"$dir/strangers"
echo 'host node0' >"$dir/malformed"
none=/nowhere/machine map=HESCA_PLACEMENT=map

# ------------------------------------------------ files

good 'HESCA_MACHINE cannot be used: /nowhere/machine: No such' \
    HESCA_MACHINE=$none HESCA_GEMM=hohe HESCA_POTRF=hohe HESCA_GETRF=grid
good 'HESCA_MACHINE cannot be used: process 0 is on host .*, which is not' \
    "HESCA_MACHINE=$dir/strangers" HESCA_GEMM=hohe
good 'HESCA_MACHINE cannot be used: .*/malformed:1: ' \
    "HESCA_MACHINE=$dir/malformed"
good "HESCA_TRACE is '/nowhere/trace': .*; there is no trace" \
    HESCA_TRACE=/nowhere/trace
good "HESCA_REPORT is '/nowhere/page': .*; there is no report" \
    HESCA_REPORT=/nowhere/page
good 'blacs_gridinit 1 x 2: /nowhere/map: No such file' $map:/nowhere/map
good "HESCA_SCHEDULE is 'hybrid:99', which does not apply.*; instead: " \
    HESCA_SCHEDULE=hybrid:99

# ------------------------------------------------ variables

malformed='VERBOSE=7 DISABLE=pdgmer2d FALLBACK=foo ONERROR=exit SCHEDULE=foo
EXCHANGE=x CHECKPOINT=x BCAST=x TRANSPORT=x BUFFER=1 CACHE=x TIMEOUT=-1 WAIT=x
PLACEMENT=x JOB=x GEMM=x POTRF=x GETRF=x REGRID=x NODE_SIZE=-2'
unknown='VERBOS SCHEDUL GEM'
settings=
for setting in $malformed; do
    settings="$settings HESCA_$setting"
done
for name in $unknown; do
    settings="$settings HESCA_$name=1"
done
start $settings HESCA_ROOT=/opt/hesca HESCA_TEST_SEED=1
right 23
for setting in $malformed; do
    name=HESCA_${setting%%=*} value=${setting#*=}
    [ "$(grep -c "^hesca: $name is '$value': must be .* hold" \
        "$dir/err")" -eq 1 ] || complain "not one line on $name"
done
for name in $unknown; do
    [ "$(grep -c "^hesca: HESCA_$name is not a parameter of HESCA; did you \
mean HESCA_$name[A-Z]*?" "$dir/err")" -eq 1 ] ||
        complain "not one line on $name"
done
grep -q 'HESCA_BUFFER.*at least 64K' "$dir/err" || complain 'no least value'
grep -q 'HESCA_DISABLE.*all|wait|gridinit' "$dir/err" || complain 'no names'
silent $settings HESCA_FALLBACK=silent
silent HESCA_DISABLE=pdgemr2d_,PDGEMM_ HESCA_MACHINE=

# What processes other than the first have does not count.
what='two environments'
timeout -k 5 60 $MPIEXEC -n 1 env "LD_PRELOAD=$preload" HESCA_SCHEDULE=direct \
    "$dir/program" $routines : -n 1 env "LD_PRELOAD=$preload" $settings \
    HESCA_FALLBACK=error HESCA_MACHINE=$none "$dir/program" $routines \
    >"$dir/out" 2>"$dir/err" </dev/null
status=$?
right 0

# ------------------------------------------------ memory

if $CC -shared -fPIC -o "$dir/memory.so" "$source/never_memory.c" $DL_LIBS \
    2>/dev/null; then
    first="$dir/memory.so $preload"
    good 'pdgemr2d .* left to ScaLAPACK: no memory left: ' NEVER_BYTES=1 \
        HESCA_DISABLE=gridinit,gemm,potrf,gesv,wait
    start NEVER_BYTES=1
    [ $status -eq 0 ] || complain "exit status $status"
    good 'HESCA_TRANSPORT is shm, but there is no shared memory' \
        NEVER_SHM=full HESCA_TRANSPORT=shm
    silent NEVER_SHM=full
    first=$preload
fi

# ------------------------------------------------ errors, if wanted

for routines in gemr2d gesv; do
    bad /nowhere/machine HESCA_MACHINE=$none HESCA_DISABLE=gridinit
done
routines='gemr2d'
bad HESCA_TRACE HESCA_TRACE=/nowhere/trace
bad hybrid:99 HESCA_SCHEDULE=hybrid:99
bad HESCA_VERBOSE HESCA_VERBOSE=7
bad /nowhere/map $map:/nowhere/map
[ -n "$HESCA_TEST_BIG" ] || exit $failed

# ------------------------------------------------ every cause, every routine

for routines in '' gemr2d gemm potrf gesv; do
    for setting in $malformed; do
        case $setting in
            FALLBACK=*) continue ;;
        esac
        good "HESCA_${setting%%=*}" "HESCA_$setting"
        [ -n "$routines" ] || continue
        case $setting in
            DISABLE=*) bad HESCA_DISABLE "HESCA_$setting,gridinit" ;;
            *) bad "HESCA_${setting%%=*}" "HESCA_$setting" \
                HESCA_DISABLE=gridinit ;;
        esac
    done
    for file in "$none" "$dir/strangers" "$dir/malformed"; do
        good HESCA_MACHINE "HESCA_MACHINE=$file"
        bad ': ' "HESCA_MACHINE=$file"
        [ -z "$routines" ] ||
            bad ': ' "HESCA_MACHINE=$file" HESCA_DISABLE=gridinit
    done
    first="$dir/memory.so $preload"
    for bytes in 1 64 300 1000 5000 20000 100000; do
        start NEVER_BYTES=$bytes HESCA_GEMM=hohe HESCA_POTRF=hohe \
            HESCA_GETRF=hohe HESCA_TRANSPORT=shm
        [ $status -eq 0 ] || complain "exit status $status"
        [ "$(grep -c 'is right' "$dir/out")" -eq 2 ] ||
            complain 'wrong results'
    done
    first=$preload
done
exit $failed

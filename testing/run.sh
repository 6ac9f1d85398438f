#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Run a test as often as testing/testlist says, and report in TAP.
#
#   run.sh PROGRAM            in the build directory: those of its lines in
#                             testlist that belong to the suite
#   run.sh --list SUITE PROGRAM...
#                             only print the programs that have such lines
#   run.sh --count SUITE PROGRAM...
#                             only print how many runs that is
#
# HESCA_TEST_SUITE is small, check (the default) or big: lines marked small,
# lines not marked big, lines marked big.  In a big run HESCA_TEST_BIG is 1.
# HESCA_TEST_PERCENT is how many random cases there are: 12, 32 or 2000, times
# the line's cases=N%.
# A test that cannot run here says why, as its last line, and exits with 77.
# The log has the seconds that each run took.  Under make -j tests run beside
# each other, but for lines marked alone.

testlist=$(dirname "$0")/testlist
suite=${HESCA_TEST_SUITE:-check}

# Name of a test in testlist: its path below testing/.
name_of() {
    printf '%s\n' "${1##*testing/}"
}

# Lines of a test in the suite.
lines_of() {
    awk -v name="$1" -v suite="$suite" '
        { sub(/#.*/, "") }
        $1 == name {
            small = big = 0
            for (i = 2; i <= NF; ++i) {
                small += $i == "small"
                big += $i == "big"
            }
            if (suite == "small" ? small : suite == "big" ? big : !big)
                print
        }' "$testlist"
}

if [ "$1" = --count ]; then
    suite=$2
    shift 2
    for program; do
        lines_of "$(name_of "$program")"
    done | awk '
        {
            runs = 0
            for (i = 2; i <= NF; ++i)
                runs += $i ~ /^[0-9]+$/
            n += runs ? runs : 1
        }
        END { print n + 0 }'
    exit 0
fi
if [ "$1" = --list ]; then
    suite=$2
    shift 2
    for program; do
        [ -z "$(lines_of "$(name_of "$program")")" ] || echo "$program"
    done
    exit 0
fi

. testing/env.sh
case $suite in
    small) percent=12 ;;
    check) percent=32 ;;
    big) percent=2000 HESCA_TEST_BIG=1 ;;
esac
export HESCA_TEST_BIG HESCA_TEST_PERCENT
program=$1
name=$(name_of "$program")
out=$(mktemp) || exit 99
trap 'rm -f "$out"' EXIT
trap 'exit 99' HUP INT TERM

# The others of make -j wait for each other at a lock that tests hold: flock
# -o keeps it from processes that outlive their test.
hold=$(command -v flock)

# More processes than cores wait politely, in the library under test.
polite=
[ "$shared $sanitizers" != 'yes no' ] || polite="env LD_PRELOAD=$preload"

# Start the test on $1 processes, 0 meaning without mpiexec, for $2 seconds,
# with the variables $3, and alone if $4 says so.
start() (
    case $program:$1 in
        *.sh:*) launch=sh ;;
        *:0) launch= ASAN_OPTIONS= ;; # no MPI, so every leak is ours
        *) launch="$MPIEXEC -n $1 $polite" ;;
    esac
    for setting in $3; do
        export "$setting"
    done
    exec ${hold:+"$hold" -o "-$4" testing/env.sh} timeout -k 10 "$2" $launch "$program" </dev/null >"$out" 2>&1
)

# Why a test skips itself: its last line, before what mpiexec says about 77.
reason() {
    awk '/^(===|---)/ { exit } NF { last = $0 } END { print last }' "$out"
}

# run_once PROCESSES SECONDS VARIABLES ALONE
run_once() {
    case $1 in
        0) title=$name ;;
        1) title="$name on 1 process" ;;
        *) title="$name on $1 processes" ;;
    esac
    [ -z "$3" ] || title="$title,$3"
    if [ "$1" -gt 0 ] && [ -z "$MPIEXEC" ]; then
        echo "ok $count - $title # SKIP configure found no mpiexec"
        return
    fi
    began=$(date +%s)
    start "$1" "$2" "$3" "$4"
    status=$?
    sed 's/^/# /' "$out"
    echo "# $title: $(($(date +%s) - began)) s"
    case $status in
        0) echo "ok $count - $title" ;;
        77) echo "ok $count - $title # SKIP $(reason)" ;;
        124 | 137) echo "not ok $count - $title: no end within $2 s" ;;
        *) echo "not ok $count - $title: exit status $status" ;;
    esac
}

lines=$(lines_of "$name")
if [ -z "$lines" ]; then
    if awk -v name="$name" '$1 == name { found = 1 } END { exit !found }' \
        "$testlist"; then
        echo "1..0 # SKIP not a part of make ${suite%check}check"
    else
        echo "Bail out! $name has no line in $testlist"
    fi
    exit 0
fi
count=0
while read -r line; do
    limit=300 numbers= settings= alone=s HESCA_TEST_PERCENT=$percent
    for word in ${line#"$name"}; do
        case $word in
            timeout=*) limit=${word#timeout=} ;;
            alone) alone=x ;;
            cases=*%)
                share=${word#cases=}
                HESCA_TEST_PERCENT=$((percent * ${share%\%} / 100))
                ;;
            small | big) ;;
            *=*) settings="$settings $word" ;;
            *) numbers="$numbers $word" ;;
        esac
    done
    for n in ${numbers:-0}; do
        count=$((count + 1))
        run_once "$n" "$limit" "$settings" $alone
    done
done <<EOF
$lines
EOF
echo "1..$count"

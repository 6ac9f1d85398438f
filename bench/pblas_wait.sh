#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What libhesca_scalapack costs, or gains, in ScaLAPACK's own PBLAS timers; see
# usage below.

usage() {
    cat <<'EOT'
usage: sh pblas_wait.sh [OPTION]...

Run ScaLAPACK's timers of PBLAS, unmodified, with libhesca_scalapack preloaded
and without, in turn, and compare.  PBLAS calls MPI all the time and never
p?gemr2d, so what differs is how it waits.

  -n P        processes (2); the grids are 1 x P and P x 1
  -r PAIRS    runs of each timer with, and as many without (5)
  -l LEVELS   of PBLAS: some of 123 (123)
  -t TYPE     of elements: s, d, c or z (d)
  --sizes "N..."  orders of the matrices (32 64 128 256)
  --control   without HESCA both times: shows how well times repeat
  --csv FILE  write every time there
  -b BUILD    where HESCA was built (here, in build, or in build in the sources)

Set HESCA_WAIT to say how it waits.  The timers are those of Debian's
scalapack-mpi-test.  A case is a routine on a grid with one size; a timer
times it three times in a run, of which the median counts.  The ratio of a case
is the median over the pairs of the seconds with HESCA by those without; which
runs first changes from pair to pair.  What is printed for a level, and for all, is
the median of the ratios of its cases, and their quartiles.

Exit status: 0 done; 1 a timer failed; 2 wrong usage; 77 there are no timers.
EOT
}

. "$(dirname "$0")/figures.sh"
read_options --control '-n -r -l -t --sizes --csv' "$@"
no_words
n=${n:-2} pairs=${r:-5} levels=${l:-123} type=${t:-d}
sizes=${sizes:-32 64 128 256} control=${control:-no}
for number in "$n" "$pairs" $sizes; do
    case $number in
        '' | 0* | *[!0-9]*) die "'$number': expected a number from 1" ;;
    esac
done
case $levels in
    '' | *[!123]*) die "-l '$levels': expected some of 123" ;;
esac
case $type in
    [sdcz]) ;;
    *) die "-t '$type': expected s, d, c or z" ;;
esac
set -- $sizes
case $# in
    [1-6]) ;; # a timer takes 20 problems at most
    *) die "--sizes '$sizes': expected one to six" ;;
esac

# --- what is there ---------------------------------------------------------

dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
trap 'exit 2' HUP INT TERM
find_build testing/env.sh
[ -n "$launcher" ] || die 'configure found no mpiexec'
[ -f "$preload" ] || die "there is no $preload"
for bin in /usr/lib/*/scalapack/"$mpi"-tests/PBLAS/TIMING none; do
    [ ! -x "$bin/${type}pb3tim" ] || break
done
for data in /usr/share/scalapack/PBLAS/TIMING "$bin" none; do
    [ ! -f "$data/PDBLAS3TIM.dat" ] || break
done
if [ "$bin" = none ] || [ "$data" = none ]; then
    echo 'the timers are missing: install scalapack-mpi-test'
    exit 77
fi
if [ -n "$csv" ]; then # the timers run elsewhere
    : >"$csv" || exit 2
    csv=$(cd "$(dirname "$csv")" && pwd)/$(basename "$csv")
fi

cd "$dir" || exit 2

# --- runs ------------------------------------------------------------------

# The timers' input, with our grids and sizes.
for level in 1 2 3; do
    input=P$(echo "$type" | tr sdcz SDCZ)BLAS${level}TIM.dat
    awk -v n="$n" -v sizes="$sizes" '
        function all(value, k, line) {
            for (k = 1; k <= problems; ++k)
                line = line value " "
            return line
        }
        BEGIN {
            count = split(sizes, size)
            problems = 3 * count
            for (k = 1; k <= problems; ++k)
                orders = orders size[(k - 1) % count + 1] " "
        }
        /blocksize NB/ { $0 = "32" }
        /number of process grids/ { $0 = "2" }
        /values of P$/ { $0 = "1 " n }
        /values of Q$/ { $0 = n " 1" }
        /number of tests problems/ { $0 = problems "" }
        /values of (DIAG|SIDE|TRANS|TRANSA|TRANSB|UPLO)$/ { $0 = all($1) }
        /values of [MNK](_[ABCXY])?[ \t]*$/ { $0 = orders }
        /values of (IMB|INB|MB|NB)_/ { $0 = all(32) }
        /values of [RC]SRC_/ { $0 = all(0) }
        /values of ([IJ][ABCXY]|INC[XY])[ \t]*$/ { $0 = all(1) }
        { print }' "$data/$input" >"$input"
done

# once PAIR LEVEL with|without: adds its times to the file results.  Megaflop/s
# have more digits than the seconds; what has no flops is left out.
once() {
    library=$preload
    [ "$3" = with ] && [ $control = no ] || library=
    timeout -k 5 300 $launcher -n "$n" env LD_PRELOAD="$library" \
        "$bin/${type}pb${2}tim" >out 2>err </dev/null || {
        echo "pblas_wait.sh: ${type}pb${2}tim $3 HESCA: exit status $?" >&2
        cat out err >&2
        exit 1
    }
    awk -v head="$1,$2,$3" -v sizes="$sizes" '
        BEGIN { count = split(sizes, size) }
        /started on a/ { test = $3; grid = $7 "x" $9 }
        $1 == "|" && $4 > 0 {
            print head "," $2 "," grid "," size[(test - 1) % count + 1] "," $4
        }' out >>results
}

echo pair,level,hesca,routine,grid,n,mflops >results
pair=1 first=with second=without
while [ "$pair" -le "$pairs" ]; do
    for level in $(echo "$levels" | sed 's/./& /g'); do
        once "$pair" "$level" $first
        once "$pair" "$level" $second
    done
    pair=$((pair + 1)) other=$first
    first=$second second=$other
done
[ -z "$csv" ] || cp results "$csv" || exit 2

# --- ratios ----------------------------------------------------------------

echo 'level  cases  ratio of seconds: median (quartiles)'
awk -F , '
    # The q-th quartile of the numbers in a text; sorts by insertion.
    function quartile(text, q, v, k, j, x, count, at) {
        count = split(text, v, " ")
        for (k = 2; k <= count; ++k) {
            x = v[k] + 0
            for (j = k - 1; j >= 1 && v[j] + 0 > x; --j)
                v[j + 1] = v[j]
            v[j + 1] = x
        }
        at = 1 + (count - 1) * q / 4
        k = int(at)
        return v[k] + (k < count ? (at - k) * (v[k + 1] - v[k]) : 0)
    }
    function report(level) {
        printf "%5s  %5d  %.4f (%.4f, %.4f)\n", level,
            split(ratios[level], unused, " "), quartile(ratios[level], 2),
            quartile(ratios[level], 1), quartile(ratios[level], 3)
    }
    NR > 1 {
        c = $2 "," $4 "," $5 "," $6
        speeds[c "," $1 "," $3] = speeds[c "," $1 "," $3] " " $7
        cases[c] = $2
        pairs = $1
    }
    END {
        for (c in cases) {
            text = ""
            for (k = 1; k <= pairs; ++k)
                text = text " " quartile(speeds[c "," k ",without"], 2) / \
                    quartile(speeds[c "," k ",with"], 2)
            r = quartile(text, 2)
            ratios[cases[c]] = ratios[cases[c]] " " r
            ratios["all"] = ratios["all"] " " r
        }
        for (level = 1; level <= 3; ++level)
            if (level in ratios)
                report(level)
        report("all")
    }' results

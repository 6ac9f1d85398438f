#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Sweep with several numbers of processes; see usage below.

usage() {
    cat <<'EOF'
usage: sh sweep.sh [--quick] [-n "P..."] [-o DIR] [-b BUILD] [-- OPTION...]

Run time_gemr2d --sweep on 2, 4, 8 and 16 processes, one number after the other,
and draw bandwidth against size.

  --quick     in about a minute: at most 8 MB, 0.1 s for a case, and with more
              than two processes for a core only the part size; without it a
              sweep takes some 15 minutes
  -n "P..."   numbers of processes (2 4 8 16)
  -o DIR      for the results (sweep)
  -b BUILD    where HESCA was built (here, in build, or in build in the sources)
  OPTION...   for time_gemr2d, after those of the sweep: --sweep=size, ...

What is found as $MPIEXEC, or else by configure, starts the processes.
DIR gets sweep-P.csv for each P, sweep.csv with all of them, and bandwidth.svg.
Compare two sweeps with compare.py DIR1/sweep.csv DIR2/sweep.csv.

Exit status: 0 if all results are right and bitwise identical, 1 if not, 2 if
the sweep cannot be done.
EOF
}

. "$(dirname "$0")/figures.sh"
dir=sweep
read_options '' '-n' "$@"
shift $used
no_words
numbers=${n:-2 4 8 16}
case " $numbers" in
    *[!0-9\ ]* | *' 0'*) die "-n '$numbers': expected numbers of processes" ;;
    *[1-9]*) ;;
    *) die '-n needs at least one number of processes' ;;
esac

find_build bench/time_gemr2d
[ -n "$launcher" ] || die 'configure found no mpiexec'

# --- one number of processes after the other -------------------------------

# The options of a sweep on $1 processes.
limits() {
    [ $quick = yes ] || return
    echo --max-bytes 8M --seconds 0.1
    [ "$1" -le $((2 * $(getconf _NPROCESSORS_ONLN))) ] || echo --sweep=size
}

rm -f "$dir/sweep.csv" "$dir/sweep.txt"
for n in $numbers; do
    echo "== $n processes, $(date +%H:%M:%S)"
    rm -f "$dir/sweep-$n".???
    where=" on $n processes"
    record "sweep-$n" $launcher -n "$n" "$programs/time_gemr2d" --sweep \
        $(limits "$n") "$@" --csv "$dir/part.csv"
    cp "$dir/sweep-$n.csv" "$dir/part.csv" || exit 2
    join sweep "$dir/part.csv"
    echo
done

echo "$dir/sweep.csv: all results"
if ! has_python; then
    :
elif python3 "$sources/plot.py" --bandwidth "$dir/sweep.csv" \
    -o "$dir/bandwidth.svg"; then
    echo "$dir/bandwidth.svg: bandwidth against size"
fi
exit $worst

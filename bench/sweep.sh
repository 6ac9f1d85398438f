#!/bin/sh
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
quick=no numbers='2 4 8 16' dir=sweep build=
while [ $# -gt 0 ]; do
    case $1 in
        --quick) quick=yes ;;
        -h | --help) usage; exit 0 ;;
        -n | -o | -b)
            [ $# -gt 1 ] || die "$1 needs a value; see --help"
            case $1 in
                -n) numbers=$2 ;;
                -o) dir=$2 ;;
                -b) build=$2 ;;
            esac
            shift ;;
        --) shift; break ;;
        *) die "'$1' is not an option; see --help" ;;
    esac
    shift
done
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

names=yes
for n in $numbers; do
    echo "== $n processes, $(date +%H:%M:%S)"
    part=$dir/sweep-$n.csv
    rm -f "$part"
    $launcher -n "$n" "$programs/time_gemr2d" --sweep $(limits "$n") "$@" \
        --csv "$part" </dev/null
    status=$?
    # A launcher that cannot start anything may well exit with 1, too.
    [ $status -le 1 ] && [ -s "$part" ] ||
        die "time_gemr2d on $n processes: exit status $status"
    [ $status -eq 0 ] || worst=1
    echo
    # All results stand below one line of names.
    if [ $names = yes ]; then
        cat "$part" >"$dir/sweep.csv"
    else
        tail -n +2 "$part" >>"$dir/sweep.csv"
    fi || exit 2
    names=no
done

echo "$dir/sweep.csv: all results"
if ! command -v python3 >/dev/null; then
    echo 'no python3: no picture'
elif python3 "$sources/plot.py" --bandwidth "$dir/sweep.csv" \
    -o "$dir/bandwidth.svg"; then
    echo "$dir/bandwidth.svg: bandwidth against size"
fi
exit $worst

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Reproduce the figures of BHAT-HET 5, BHAT-EXC 5 and BHAT-COL 5; see usage.

usage() {
    cat <<'END'
usage: sh het.sh --figure FIGURE [--quick] [-o DIR] [-b BUILD] [-- OPTION...]

Simulate redistributions, total exchanges, broadcasts and multicasts where
links differ, as the papers do, and draw what comes out.

  --figure FIGURE  het-4        R_x(K,16) and R_x(K,64), K varied
                   het-5a       R_x(K,64) with the lower bound
                   het-5b       R_x(40,64), rates more and more unequal
                   exc-small    total exchange of 1 kB
                   exc-large    ... of 1 MB
                   exc-mixed    ... of 1 kB or 1 MB at random
                   exc-servers  ... of 1 MB from servers to clients, else 1 kB
                   col-4        broadcast of 1 MB
                   col-5        the same, two clusters
                   col-6        multicast of 1 MB among 100 processes
                   het, exc, col: all of a paper; all
  --quick          few runs, few points
  -o DIR           for the results (het)
  -b BUILD         where HESCA was built (here, in build, or in build in the
                   sources)
  OPTION...        for hesca sim, after those of the figure: --seed 2, --log

DIR gets CSV and SVG files named after the figure, and tables as text.

Exit status: 0, or 2 if it cannot be done.
END
}

. "$(dirname "$0")/figures.sh"
het='het-4 het-5a het-5b'
exc='exc-small exc-large exc-mixed exc-servers'
col='col-4 col-5 col-6'
dir=het
read_options '' '--figure' "$@"
shift $used
no_words
[ -n "$figure" ] || die '--figure is needed; see --help'
case $figure in
    all) figures="$het $exc $col" ;;
    het) figures=$het ;;
    exc) figures=$exc ;;
    col) figures=$col ;;
    *) one_of "$figure" "$het $exc $col" "--figure '$figure': no such figure"
        figures=$figure ;;
esac

find_build src/tools/hesca
hesca=$place/src/tools/hesca

# --- steps of a figure -----------------------------------------------------

# simulate NAME PATTERN OPTION...: add rows to $dir/NAME.csv.
simulate() {
    name=$1
    shift
    "$hesca" sim "$@" --csv "$dir/$name.part" >>"$dir/$name.txt" ||
        die "hesca sim $*: exit status $?"
    join "$name" "$dir/$name.part"
}

# --- what the figures vary -------------------------------------------------

# Redistributions: K, rates in MB/s.
redist() {
    name=$1 p=$2 k=$3 rates=$4
    shift 4
    simulate "$name" redist --procs "$p" --k "$k" --rate "$rates" \
        --runs "$(few 20 2)" --schedule direct,openshop,polished "$@"
}

exchange() {
    name=$1
    shift
    simulate "$name" exchange --runs "$(few 20 5)" \
        --procs "$(few 5:50:5,60,80,100 20:50:15)" "$@"
}

# Up to ten processes there is the optimum.
broadcast() {
    name=$1
    shift
    algorithms=fnf,fef,ecef,lookahead,near-far,graft
    simulate "$name" bcast --procs "$(few 3:10 3:5)" \
        --schedule "$algorithms,optimum" --runs "$(few 1000 20)" "$@"
    simulate "$name" bcast --procs "$(few 15:50:5,60:100:10 15)" \
        --schedule "$algorithms" --runs "$(few 1000 20)" "$@"
}

for f in $figures; do
    echo "== Figure $f, $(date +%H:%M:%S)"
    rm -f "$dir/$f.csv" "$dir/$f.txt" "$dir/$f"-[0-9]*.csv "$dir/$f"-[0-9]*.txt
    case $f in
        het-4) redist het-4-16 16 "$(few 2:15 3:15:6)" 10MB/s:200MB/s "$@"
            redist het-4-64 64 "$(few 3:63:3 9:63:27)" 10MB/s:200MB/s "$@" ;;
        het-5a) redist $f 64 "$(few 9:63:2 9:63:27)" 10MB/s:200MB/s "$@" ;;
        het-5b)
            for high in $(few '20 30 40 50 60 70 80 90 100 110 120 130 140 150
                160 170 180 190 200' '20 200'); do
                redist $f 64 40 10MB/s:${high}MB/s "$@"
            done ;;
        exc-small) exchange $f --bytes 1000 "$@" ;;
        exc-large) exchange $f --bytes 1e6 "$@" ;;
        exc-mixed) exchange $f --sizes mixed "$@" ;;
        exc-servers) exchange $f --sizes servers "$@" ;;
        col-4) broadcast $f "$@" ;;
        col-5) broadcast $f --random clusters "$@" ;;
        col-6) simulate $f multicast --procs 100 \
            --dests "$(few 5:90:5 5:90:40)" --runs "$(few 1000 20)" \
            --schedule fnf,fef,ecef,lookahead,near-far,graft "$@" ;;
    esac
    if [ $f = het-4 ]; then
        draw het.py $f $f het-4-16 het-4-64
    else
        draw het.py $f $f $f
    fi
    echo
done

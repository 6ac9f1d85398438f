#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# More processes on faster hosts, on real processes: the HMPI thesis' Figure
# 3.8 and Tables 3.4 and 3.5; see usage.

usage() {
    cat <<'END'
usage: sh heho.sh [--hosts FILE] [--blocks] [--quick] [-o DIR] [-b BUILD]
                  [-- OPTION...]

Bring up an emulated cluster of hosts of unequal speed (testing/hetcluster;
wants root and MPICH), measure its links by hesca probe, and time ScaLAPACK's
pdgemm, pdgesv and pdpotrf with one process for each processor, with more of them
on faster hosts, placed by HESCA (HeHo), and with one for each and work in
proportion to speed (HoHe) or on the best other grid, all results verified; the
first on a homogeneous cluster of the same speed in all, too, for comparison.
Print, write and draw the speedup over the order of the matrices, as measured and
predicted, and that of ideal shares (HMPI thesis, Figure 3.8).

  --hosts FILE  the cluster, as hetcluster wants it (four hosts of 0.6, 0.6,
                0.2 and 0.2 of a core, 1 Gbit/s, 3, 3, 1 and 1 processes)
  --blocks      instead, pdgemm and pdgesv on a grid of 3 x 3, one process for
                each of nine processors of three speeds, with blocks of 18 to
                180 (HMPI thesis, Tables 3.3 to 3.5); smaller matrices
  --quick       small and short
  -o DIR        for the results (heho)
  -b BUILD      where HESCA was built (here, in build, or in build in the
                sources)
  OPTION...     for time_gemm, time_gesv and time_potrf, after those of this
                script: --n 4000

DIR gets cluster.csv and homogeneous.csv, the same as text, what hesca probe
found, and heho.svg; with --blocks blocks.csv, ..., blocks.svg.  The machine
should have nothing else to do.  OPENBLAS_CORETYPE=Prescott, say, makes kernels
slower, and so links faster in proportion.

Exit status: 0 if all results are right, 1 if not, 2 if it cannot be done, 77 if
this machine cannot run the cluster.
END
}

. "$(dirname "$0")/figures.sh"
dir=heho
read_options '--blocks' '--hosts' "$@"
shift $used
no_words
[ -z "$hosts" ] || [ -r "$hosts" ] || die "--hosts '$hosts': cannot be read"

find_build bench/time_gemm
prepare_cluster || exit

# --- clusters --------------------------------------------------------------

# bring_up NAME: the cluster of NAME.hosts; its links go to NAME.machine.
bring_up() {
    rm -f "$dir/$1.csv" "$dir/$1.txt" "$dir/$1.machine"
    raise_cluster "$dir/$1.hosts"
    probe_links "$1" "$(few 8 0.5)"
}

# measure NAME ROUTINE OPTION...: across the cluster that is up; NAME.csv gets
# the rows of all routines.
measure() {
    name=$1 routine=$2
    shift 2
    stamp "$name: pd$routine"
    record "$name" "$cluster" run --spin -- env HESCA_MACHINE="$dir/$name.machine" \
        "$programs/time_$routine" --csv "$dir/part.csv" \
        --window "$(few 0.4 0.02)" --runs "$(few 5 1)" "$@"
    echo
}

# picture WHAT CSV...: tables and a picture of what was measured.
picture() {
    has_python 'summary, no picture' || return 0
    python3 "$sources/heho.py" "$@" -o "$dir/$1.svg" || exit 2
    echo
    echo "$dir/$1.svg: picture"
}

# --- Figure 3.8 ------------------------------------------------------------

figure() {
    if [ -n "$hosts" ]; then
        cat "$hosts" >"$dir/cluster.hosts" || exit 2
    else
        cat >"$dir/cluster.hosts" <<'END'
a 0.6 1gbit 3
b 0.6 1gbit 3
c 0.2 1gbit 1
d 0.2 1gbit 1
END
    fi
    # As fast in all, with the same links and processes.
    awk '!/^ *#/ && NF { line[++n] = $0; sum += $2 }
         END { for (i = 1; i <= n; ++i) {
                   split(line[i], word)
                   print word[1], sum / n, word[3], word[4] } }' \
        "$dir/cluster.hosts" >"$dir/homogeneous.hosts" || exit 2
    orders=$(few 1000,2000,3000 200)
    for name in cluster homogeneous; do
        bring_up $name
        for routine in $(few 'gemm gesv potrf' 'gemm gesv'); do
            if [ $name = cluster ]; then
                measure $name $routine --n "$orders" --profile "$@"
            else
                measure $name $routine --n "$orders" --cases plain "$@"
            fi
        done
    done
    "$cluster" down || worst=1
    picture heho "$dir/cluster.csv" "$dir/homogeneous.csv"
}

# --- Tables 3.4 and 3.5 ----------------------------------------------------

# Table 3.3 has eight processors of 2429 MFlops, one of 563 and one of 412;
# nine of them make a grid.  Here they share 1.6 cores.
tables() {
    if [ -n "$hosts" ]; then
        cat "$hosts" >"$dir/blocks.hosts" || exit 2
    else
        cat >"$dir/blocks.hosts" <<'END'
x1 0.216 1gbit 1
x2 0.216 1gbit 1
x3 0.216 1gbit 1
x4 0.216 1gbit 1
x5 0.216 1gbit 1
x6 0.216 1gbit 1
x7 0.216 1gbit 1
zaphod 0.05 1gbit 1
maxft 0.037 1gbit 1
END
    fi
    bring_up blocks
    for routine in gemm gesv; do
        measure blocks $routine --n "$(few 540,1080,2160 90)" \
            --nb "$(few 18,36,54,72,90,180 18,36)" \
            --cases plain --plain 3x3 "$@"
    done
    "$cluster" down || worst=1
    picture blocks "$dir/blocks.csv"
}

if [ -n "$blocks" ]; then
    tables "$@"
else
    figure "$@"
fi
exit $worst

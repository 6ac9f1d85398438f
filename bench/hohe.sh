#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The HMPI thesis' heterogeneous matrix multiplication and Cholesky
# factorization on its networks, emulated: Figures 5.12 to 5.17, Tables 3.9 to
# 3.13; see usage.

usage() {
    cat <<'USAGE'
usage: sh hohe.sh [--quotas | --local] [--quick] [-o DIR] [-b BUILD]
                  FIGURE... [-- OPTION...]

Repeat experiments of the HMPI thesis with hesca_gemm() and hesca_potrf(): the
same code with shares cut by speeds and with equal shares, results verified.
Print, write and draw times and their ratio, beside what is ideal, what is
predicted and what the thesis claims: shown or not shown.

  fig5.12     MM, net A, 4 x 4, r = 8, l = 96; (c): time over l
  fig5.13     Cholesky, net A, r = 8, l = 72
  fig5.14     EM3D, net B: sub-bodies as they come, or where they fit
  fig5.15     MM, net B, 3 x 3, r = 16, l = 96
  fig5.16     Cholesky, net B, r = 8, l = 72
  fig5.17     MM on speeds 26, 20, 5 x 14, 9, 1 against equal shares on 9 x 14
  table3.10   MM, net C, all arrangements and the best, r = 32, l = 48;
              with table3.9, equal shares
  table3.12   the same with l = 72; with table3.11
  table3.13   estimates for net C, l = 72: nothing is run
  all         all of them, and what compares figures

Processors are hosts of testing/hetcluster (wants root and MPICH) with links of
1 Gbit/s.  The BLAS of each process takes as long as at its speed, a Xeon of
the thesis at 500 MFLOP/s: so all is ten times as fast as there, also the links.

  --quotas    speeds are CPU quotas instead, in the same proportions, so that
              messages take longer on slow hosts, too: for few processors that
              differ little; not for fig5.14
  --local     processes of this machine instead of hosts
  --quick     small and short
  -o DIR      for the results (hohe)
  -b BUILD    where HESCA was built (here, in build, or in build in the
              sources)
  OPTION...   for time_hohe, after those of the figure: --runs 5

DIR gets CSV, text and SVG files named after the figure.  The machine should
have nothing else to do.

Exit status: 0 if all results are right, 1 if not, 2 if it cannot be done, 77
if this machine cannot run the cluster.  What is shown decides nothing.
USAGE
}

. "$(dirname "$0")/figures.sh"
known='fig5.12 fig5.13 fig5.14 fig5.15 fig5.16 fig5.17'
known="$known table3.10 table3.12 table3.13"
figures= how=kernels dir=hohe
read_options '--quotas --local' '' "$@"
shift $used
for word in $words; do
    case $word in
        all) figures="$figures $known" ;;
        table3.9) figures="$figures table3.10" ;;
        table3.11) figures="$figures table3.12" ;;
        *) one_of "$word" "$known" "'$word': no such figure"
            figures="$figures $word" ;;
    esac
done
[ -z "$quotas" ] || how=quotas
[ -z "$local" ] || how=local
[ -n "$figures" ] || die 'which figure? see --help'

find_build bench/time_hohe

# --- processors ------------------------------------------------------------

cluster= # not needed by all figures
unset HESCA_MACHINE HESCA_WAIT

# net XEON SPEED...: the network that is meant from now on, of so many times a
# speed ("8*269"), and which of them is a Xeon's; a Xeon makes 500 MFLOP/s.
net() {
    unit=$(awk "BEGIN { printf \"%.10g\", 5e8 / $1 }")
    shift
    speeds=$(echo "$*" | awk '{
        for (i = 1; i <= NF; ++i) {
            n = split($i, part, "*")
            for (k = 0; k < (n > 1 ? part[1] : 1); ++k)
                list = list "," part[n]
        }
        print substr(list, 2) }')
    processors=$(echo "$speeds" | tr , '\n' | wc -l)
}

# The hosts of the cluster.  Where kernels wait, a host may use its share of
# the machine at any time of a second; of quotas, a fifth of the machine is
# left to it.
list_hosts() {
    echo "$speeds" | tr , '\n' | awk -v how=$how '
        { speed[NR] = $1; sum += $1 }
        END {
            for (i = 1; i <= NR; ++i) {
                share = 1.8 / NR
                if (how == "quotas")
                    share = 1.6 * speed[i] / sum
                printf "p%d %.5f 1gbit 1\n", i - 1, share
            }
        }'
}

# The cluster for this network, unless it is up; its links are probed.
bring_up() {
    [ $how != local ] || return
    [ -n "$cluster" ] || prepare_cluster || exit
    list_hosts >"$dir/hosts.new"
    if cmp -s "$dir/hosts.new" "$dir/hosts"; then
        rm -f "$dir/hosts.new"
        [ ! -e "$dir/up" ] || return
    else
        mv "$dir/hosts.new" "$dir/hosts"
    fi
    rm -f "$dir/up"
    "$cluster" down
    [ $how = quotas ] || export HETCLUSTER_PERIOD_US=1000000
    raise_cluster "$dir/hosts"
    probe_links net "$(few 8 0.5)"
    : >"$dir/up"
}

# em3d NAME OPTION...: the same of time_em3d, where each wait is for kernels.
em3d() {
    name=$1
    shift
    bring_up
    set -- "$programs/time_em3d" --speeds "$speeds" --unit "$unit" \
        --csv "$dir/part.csv" "$@"
    case $how in
        kernels) record "$name" "$cluster" run --spin -- "$@" ;;
        quotas) die 'fig5.14 is not for --quotas' ;;
        local) record "$name" $launcher -n "$processors" "$@" ;;
    esac
}

# start OPTION...: time_hohe, with a process for each processor.
start() {
    case $how in
        kernels) "$cluster" run --spin -- env HESCA_MACHINE="$dir/net.machine" \
            "$programs/time_hohe" --speeds "$speeds" --unit "$unit" "$@" ;;
        quotas) "$cluster" run --spin -- env HESCA_MACHINE="$dir/net.machine" \
            "$programs/time_hohe" --window "$(few 1 0.3)" "$@" ;;
        local) $launcher -n "$processors" "$programs/time_hohe" \
            --speeds "$speeds" --unit "$unit" --startup 2e-5 --rate 1e9 "$@" ;;
    esac
}

# measure NAME OPTION...: add rows to NAME.csv, text to NAME.txt.
measure() {
    name=$1
    shift
    bring_up
    record "$name" start --csv "$dir/part.csv" --runs "$(few 3 1)" "$@"
}

# --- figures ---------------------------------------------------------------

net_a() {
    case $1 in
        gemm) net 269 '8*269' 170 121 105 '4*46' 7 ;;
        potrf) net 341 '8*341' 215 170 175 '4*100' 16 ;;
    esac
}

# As csultra01 nine times slower than a Xeon: Table 5.2 has 46 of 269, Figure
# 5.17 1 of 14, and Table 3.13 fits 1 of 9.
net_b() {
    case $1 in
        gemm) net 269 499 384 '5*269' 172 30 ;;
        potrf) net 239 527 446 '5*239' 351 100 ;;
    esac
}

# Speeds that fit Table 3.13, in thousandths of a Xeon's.
net_c() {
    net 1000 '5*1000' 2145 1450 '5*113'
}

# factor NAME GRID OPTION...
factor() {
    name=$1 grid=$2
    shift 2
    measure "$name" --routine potrf --r "$(few 8 4)" --l "$(few 72 36)" \
        --grids "$grid" --n "$(few 1152,2304 144)" "$@"
}

# arrange NAME L ORDERS QUICK_ORDERS OPTION...
arrange() {
    name=$1 l=$2 orders=$(few "$3" "$4")
    shift 4
    net_c
    for n in $(echo "$orders" | tr , ' '); do
        measure "$name" --r "$(few 32 4)" --l "$l" --n "$n" --grids 3x4 \
            --ways cyclic "$@"
        measure "$name" --r "$(few 32 4)" --l "$l" --n "$n" \
            --grids 1x12,2x6,3x4,4x3,6x2,12x1,auto --ways cut "$@"
    done
}

run_figure() {
    figure=$1
    shift
    case $figure in
        fig5.12) net_a gemm
            measure $figure --r "$(few 8 2)" --l 96 --grids 4x4 \
                --n "$(few 768 192)" "$@"
            [ $quick = yes ] || measure $figure --r 8 --l 96 --grids 4x4 \
                --n 1536 --ways cyclic,cut "$@"
            measure $figure-c --r "$(few 8 2)" --grids 4x4 \
                --n "$(few 1536 384)" --ways cut \
                --l "$(few 4,8,12,16,24,32,48,64,96,192 4,8,96)" "$@" ;;
        fig5.13) net_a potrf
            factor $figure 4x4 "$@" ;;
        # The thesis has no sizes: these are made up, a tenth as fast, as
        # such loops are slower than products of matrices.
        fig5.14) net 2690 499 384 '5*269' 172 30
            em3d $figure --nodes \
                14000,11000,17000,12000,18000,10000,15000,13000,16000 \
                --iterations "$(few 100 5)" --runs "$(few 3 1)" "$@" ;;
        fig5.15) net_b gemm
            for n in $(few '1536 3072' 192); do
                measure $figure --r "$(few 16 2)" --l 96 --grids 3x3 \
                    --n "$n" --ways cyclic,cut "$@"
            done ;;
        fig5.16) net_b potrf
            factor $figure 3x3 "$@" ;;
        fig5.17)
            for n in $(few '1536 3072' 192); do
                net 14 26 20 '5*14' 9 1
                measure $figure --r "$(few 16 2)" --l 96 --grids 3x3 \
                    --n "$n" --ways cut "$@"
                net 14 '9*14'
                measure $figure --r "$(few 16 2)" --l 96 --grids 3x3 \
                    --n "$n" --ways cyclic "$@"
            done ;;
        table3.10) arrange $figure 48 1536 192 "$@" ;;
        table3.12) arrange $figure 72 2304 288 "$@" ;;
        table3.13) net_c
            for link in '0 1e300' '1e-4 1.25e7'; do
                "$programs/time_hohe" --paper --speeds "$speeds" \
                    --unit 45877 --r 32 --l 72 --n 6912 --ways cut --in-order \
                    --startup "${link% *}" --rate "${link#* }" --grids \
1x2,1x3,1x4,1x6,1x8,1x9,1x12,2x1,2x2,2x3,2x4,2x6,3x1,3x2,3x3,3x4,\
4x1,4x2,4x3,6x1,6x2,8x1,9x1,12x1 \
                    --csv "$dir/part.csv" "$@" >>"$dir/$figure.txt" ||
                    die "time_hohe --paper: exit status $?"
                join $figure "$dir/part.csv"
            done ;;
    esac
}

rm -f "$dir/up" "$dir/hosts"
for f in $figures; do
    stamp "$f"
    rm -f "$dir/$f.csv" "$dir/$f.txt" "$dir/$f-c.csv" "$dir/$f-c.txt"
    run_figure "$f" "$@"
    if has_python 'summary, no picture'; then
        python3 "$sources/hohe.py" "$f" "$dir" >"$dir/part.txt" || exit 2
        tee "$dir/$f-shown.txt" <"$dir/part.txt"
        rm -f "$dir/part.txt"
    fi
    echo
done
if [ "$figures" = " $known" ] && command -v python3 >/dev/null; then
    python3 "$sources/hohe.py" all "$dir" || exit 2
fi
[ -z "$cluster" ] || "$cluster" down || worst=1
exit $worst

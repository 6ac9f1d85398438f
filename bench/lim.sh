#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Reproduce the figures of LIM's section 5, one after the other; see usage.

usage() {
    cat <<'END'
usage: sh lim.sh --figure FIGURE [--procs P] [--quick] [--paper]
                 [--transport T] [-o DIR] [-b BUILD] [-- OPTION...]

Time the redistribution of an array from cyclic(x) to cyclic(Kx) as LIM's
section 5 does, and draw what comes out.

  --figure FIGURE  14  maximum, average, median, minimum over K of direct,
                       indirect, hybrid
                   15  with multiphase
                   16  a smaller array; and planning and packing alone
                   17  direct and hybrid asynchronous, in both sizes
                   18  with a collective exchange, padded and not
                   19  array size fixed, K = P, over P
                   20  by the cost model: P = K = 128, T_d and tau_d reduced
                   sim by simulated clocks: up to 16384 processes, K = P
                   all
  --procs P        processes (16; 19: the most of them, 32)
  --quick          few repetitions, every third K; sim: up to 1024
  --paper          LIM's own sizes: 128 processes, its arrays.  Without it
                   arrays are as much smaller as there are fewer processes
  --transport T    auto, mpi, shm or lend, inside a node (auto)
  -o DIR           for the results (lim)
  -b BUILD         where HESCA was built (here, in build, or in build in the
                   sources)
  OPTION...        for time_lim, after those of the figure: --real, --x 4, ...

DIR gets CSV and SVG files named after the figure.  What is found as $MPIEXEC,
or else by configure, starts the processes.

Exit status: 0 if all results are right, 1 if not, 2 if it cannot be done.
END
}

. "$(dirname "$0")/figures.sh"
dir=lim
read_options '--paper' '--figure --procs --transport' "$@"
shift $used
no_words
case $figure in
    1[4-9] | 20 | sim) figures=$figure ;;
    all) figures='14 15 16 17 18 19 20 sim' ;;
    '') die '--figure is needed; see --help' ;;
    *) die "--figure '$figure': expected 14 ... 20, sim or all; see --help" ;;
esac
case $procs in
    *[!0-9]* | 0* | 1) die "--procs '$procs': expected a number above 1" ;;
esac
case $transport in
    '' | auto | mpi | shm | lend) ;;
    *) die "--transport '$transport': expected auto, mpi, shm or lend" ;;
esac

find_build bench/time_lim

# --- steps of a figure -----------------------------------------------------

# measure NAME P OPTION...: add rows to $dir/NAME.csv.
measure() {
    name=$1 n=$2
    shift 2
    [ -n "$launcher" ] || die 'configure found no mpiexec'
    where=" on $n processes"
    record "$name" $launcher -n "$n" "$programs/time_lim" "$@" \
        ${transport:+--transport "$transport"} --csv "$dir/part.csv"
    echo
}

# model NAME OPTION...: the same without processes.
model() {
    name=$1
    shift
    where=
    record "$name" "$programs/model_lim" "$@" --csv "$dir/part.csv"
    echo
}

# --- what the figures vary -------------------------------------------------

# LIM's arrays are those of 128 processes; BYTES of such a one on $p.
scaled() {
    [ -n "$paper" ] && echo "$1" || echo $(($1 * p / 128))
}

# Options that all of them share; K from 3 on, where direct and indirect part.
often() {
    step=1
    [ $quick = no ] || step=3
    first=3
    [ "$p" -ge 3 ] || first=$p
    echo --k "$first:$p:$step"
    [ $quick = no ] || echo --n1 5 --n2 4 --seconds 0.2
}

sync=direct,hybrid:1,multiphase,indirect
async=direct-async,hybrid:1,multiphase,indirect

# over_k NAME BYTES SCHEDULES OPTION...
over_k() {
    name=$1 bytes=$(scaled "$2") schedules=$3
    shift 3
    measure "$name" "$p" $(often) --bytes "$bytes" --schedules "$schedules" \
        "$@"
}

# Figure 19: K = P.
over_p() {
    most=$1
    shift
    for p in 1 2 4 8 12 16 24 32 48 64 96 128; do
        [ $p -le "$most" ] || break
        measure 19 $p $(often) --k $p --bytes 400000 \
            --schedules "direct,$async" "$@"
    done
}

# Figure 20: the panels are T_d and tau_d divided by 1:1, 2:4, 4:2 and 32:8.
advances() {
    for faster in 1:1 2:4 4:2 32:8; do
        model "20-$1" --machine "$1" --faster "${faster%:*}" \
            --wider "${faster#*:}" --procs 128 --k 128 \
            --schedules direct,hybrid:2,indirect \
            --elements 16384,32768,65536,131072,262144,524288,1048576,2097152,4194304,8388608
    done
    draw lim.py 20 "20-$1" "20-$1"
}

simulations() {
    many=64,128,256,512,1024
    [ $quick = yes ] || many=$many,2048,4096,8192,16384
    names=direct,hybrid:2,hybrid:4,indirect
    model sim-fixed --simulate --procs $many --elements 268435456 \
        --schedules $names
    model sim-share --simulate --procs $many --share 16384 --schedules $names
    draw lim.py sim sim sim-fixed sim-share
}

for f in $figures; do
    echo "== Figure $f, $(date +%H:%M:%S)"
    rm -f "$dir/$f".??? "$dir/$f"[ab].??? "$dir/$f"-*.???
    p=${procs:-16}
    [ -z "$paper" ] || p=${procs:-128}
    case $f in
        14) over_k 14 1600000 direct,indirect,hybrid:1 "$@" ;;
        15) over_k 15 400000 $sync "$@" ;;
        16) over_k 16 800000 $sync,pack,none "$@" ;;
        17) over_k 17a 800000 direct,$async "$@"
            over_k 17b 400000 direct,$async "$@" ;;
        18) over_k 18 800000 alltoall,mpi-alltoall,$async "$@" ;;
        19) [ -n "$paper" ] && over_p "${procs:-128}" "$@" ||
            over_p "${procs:-32}" "$@" ;;
        20) for machine in sp2-35 sp2 t3d; do advances $machine; done ;;
        sim) simulations ;;
    esac
    case $f in
        17) draw lim.py 17 17 17a 17b ;;
        20 | sim) ;;
        *) draw lim.py $f $f $f ;;
    esac
    echo
done
exit $worst

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Reproduce the experiments of the HMPI thesis, chapter 4; see usage.

usage() {
    cat <<'END'
usage: sh hdpi.sh --figure FIGURE | --real [--quick] [-o DIR] [-b BUILD]
                  [-- OPTION...]

Repeat experiments of the HMPI thesis, chapter 4, and draw what comes out: by
its networks on paper, or with real processes here.

  --figure FIGURE  4.3   Table 4.3: models built by GBBP, and naively
                   4.13  ... and their curves
                   4.14  load functions
                   4.40  cost of finding shares
                   4.41  functional over single-number models: MM, LU
                   4.47  the same with memory bounds
                   local    MM and LU on processes of this machine, one of them
                            slower by emulation
                   cluster  the same across an emulated cluster of four hosts,
                            0.6, 0.6, 0.2 and 0.2 of a core (testing/hetcluster;
                            wants root and MPICH)
                   all   those of the thesis
  --real           local and cluster
  --quick          few points; small and short
  --history FILE   4.14: of loads, one at the beginning of each line, a minute
                   apart, besides that made up
  -o DIR           for the results (hdpi)
  -b BUILD         where HESCA was built (here, in build, or in build in the
                   sources)
  OPTION...        for model_hdpi or time_hdpi, after those of the figure

DIR gets CSV and SVG files named after the figure, and tables as text.  The
machine should have nothing else to do for --real.

Exit status: 0 if all results are right, 1 if not, 2 if it cannot be done, 77 if
this machine cannot run the cluster and nothing else was asked for.
END
}

. "$(dirname "$0")/figures.sh"
paper='4.3 4.13 4.14 4.40 4.41 4.47'
dir=hdpi
read_options '--real' '--figure --history' "$@"
shift $used
no_words
[ -n "$figure$real" ] || die '--figure or --real is needed; see --help'
case $figure in
    all) figures=$paper ;;
    '') figures='local cluster' ;;
    *) one_of "$figure" "$paper local cluster" \
        "--figure '$figure': no such figure"
        figures=$figure ;;
esac

find_build bench/time_hdpi

# --- steps of a figure -----------------------------------------------------

# model NAME OPTION...: add rows to $dir/NAME.csv, a table to $dir/NAME.txt.
model() {
    name=$1
    shift
    "$programs/model_hdpi" "$@" --csv "$dir/part.csv" >>"$dir/$name.txt" ||
        die "model_hdpi $*: exit status $?"
    join "$name" "$dir/part.csv"
}

# building NAME OPTION...: of all curves of Table 4.2.
building() {
    name=$1
    shift
    for kernel in dgemm dpotrf naive; do
        model "$name" --show building --machine "$dir/hmpi-2.machine" \
            --kernel $kernel "$@"
    done
}

# speedup NAME MACHINE KERNEL OPTION...
speedup() {
    name=$1 machine=$2 kernel=$3
    shift 3
    references=500,4000
    [ "$kernel" = dgemm ] || references=2000,5000
    model "$name" --show speedup --machine "$dir/$machine.machine" \
        --kernel "$kernel" --references $references \
        --orders "$(few 2000:30000:500 4000:28000:8000)" "$@"
}

loads() {
    model 4.14 --show load --window 60 \
        --past "$(few 60,90,120,180,240,360,480,720,960 60,240)" "$@"
    model 4.14 --show load --window "$(few 1440 120)" \
        --past "$(few 1440,2880,4320 240)" "$@"
    [ -z "$history" ] || model 4.14-real --show load --window 10 \
        --past 10,15,20,30,40 --history "$history" \
        --cores "$(getconf _NPROCESSORS_ONLN)" "$@"
}

# --- real processes --------------------------------------------------------

# on_processes P PROGRAM OPTION...; on_hosts the same across the cluster.
on_processes() {
    processes=$1
    shift
    OPENBLAS_NUM_THREADS=1 $launcher -n "$processes" "$@" </dev/null
}

on_hosts() {
    processes=$1
    shift
    "$cluster" run -n "$processes" --map cyclic -- \
        env OPENBLAS_NUM_THREADS=1 "$@" </dev/null
}

# measure WHERE P NAME ORDERS OPTION...: a row for each order.
measure() {
    where=$1 processes=$2 name=$3 orders=$4
    shift 4
    rm -f "$dir/$name.csv" "$dir/$name.txt"
    for order in $orders; do
        stamp "$name, order $order"
        record "$name" $where "$processes" "$programs/time_hdpi" \
            --order $order --repeat "$(few 5 1)" "$@" --csv "$dir/part.csv"
        echo
    done
}

local_processes() {
    [ -n "$launcher" ] || die 'configure found no mpiexec'
    orders=$(few '500 1000 1500 2000' 120)
    for kernel in mm lu; do
        measure on_processes 2 local-$kernel "$orders" --kernel $kernel \
            --slow 1,3 "$@"
        measure on_processes 2 paging-$kernel "$orders" --kernel $kernel \
            --onset "1000000000,$(few 500000 3000)" "$@"
    done
    draw hdpi.py real local local-mm local-lu
    draw hdpi.py real paging paging-mm paging-lu
}

hosts() {
    prepare_cluster || return
    cat >"$dir/hosts" <<'END'
a 0.6 1gbit 1
b 0.6 1gbit 1
c 0.2 1gbit 1
d 0.2 1gbit 1
END
    "$cluster" up "$dir/hosts" || return $?
    for kernel in mm lu; do
        measure on_hosts 4 cluster-$kernel "$(few '2000 3000 4000' 120)" \
            --kernel $kernel "$@"
    done
    "$cluster" down || worst=1
    trap - EXIT
    draw hdpi.py real cluster cluster-mm cluster-lu
}

# --- all of them -----------------------------------------------------------

# networks: the machine files of the thesis' networks, in $dir.
networks() {
    command -v python3 >/dev/null ||
        die 'no python3: it makes the networks of the thesis'
    python3 "$sources/hmpi_networks.py" -o "$dir" || exit 2
}

for f in $figures; do
    echo "== $f, $(date +%H:%M:%S)"
    case $f in
        4.3 | 4.13 | 4.4?) networks ;;
    esac
    case $f in
        local | cluster) ;;
        *) rm -f "$dir/$f.csv" "$dir/$f.txt" "$dir/$f"-*.csv "$dir/$f"-*.txt ;;
    esac
    case $f in
        4.3) building 4.3 "$@"
            cat "$dir/4.3.txt" ;;
        4.13) building 4.13 --curves "$@"
            draw hdpi.py $f $f 4.13 ;;
        4.14) loads "$@"
            [ -z "$history" ] && draw hdpi.py $f $f 4.14 ||
                draw hdpi.py $f $f 4.14 4.14-real ;;
        4.40) model $f --show cost --machine "$dir/hmpi-12.machine" \
                --procs "$(few 12,24,48,96,192,384,768,1536,3072,6144 12,48)" \
                --orders "$(few 1000,10000,100000,1000000 10000)" "$@"
            model $f-limits --show cost --machine "$dir/hmpi-11.machine" \
                --procs 11,44,176 --orders "$(few 10000,20000 20000)" "$@"
            draw hdpi.py $f $f $f ;;
        4.41) speedup $f-mm hmpi-12 dgemm "$@"
            speedup $f-lu hmpi-12 dgetrf --distribution group "$@"
            speedup $f-lu-backwards hmpi-12 dgetrf --distribution backwards \
                "$@"
            draw hdpi.py $f $f $f-mm $f-lu $f-lu-backwards ;;
        4.47) speedup $f-mm hmpi-11 dgemm "$@"
            speedup $f-lu hmpi-11 dgetrf "$@"
            draw hdpi.py $f $f $f-mm $f-lu ;;
        local) local_processes "$@" ;;
        cluster) hosts "$@"
            status=$?
            case $status in
                0) ;;
                77) [ "$figures" != cluster ] || exit 77 ;;
                *) die 'the cluster does not come up' ;;
            esac ;;
    esac
    echo
done
exit $worst

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What HESCA's schedules gain where links differ, on real processes; see usage.

usage() {
    cat <<'END'
usage: sh cluster.sh [--hosts FILE] [--size N] [--bytes B] [--seconds S]
                     [--quick] [-o DIR] [-b BUILD]

Bring up an emulated cluster of unequal links (testing/hetcluster; wants root
and MPICH), one process on each host; measure its links by hesca probe; time
redistributions in several schedules beside ScaLAPACK's pdgemr2d, broadcasts and
total exchanges beside MPI's, all verified; and print, write and draw what came
out beside what was predicted, and the lower bounds.

  --hosts FILE  the cluster, as hetcluster wants it: 2 hosts at least (four
                hosts, 0.4 of a core each, of 100, 100, 400 and 800 Mbit/s)
  --size N      rows and columns of the matrices (2000)
  --bytes B     of a broadcast, and twice what a process sends in a total
                exchange (8000000)
  --seconds S   time to spend on each schedule, and on the links (12)
  --quick       small and short: --size 400 --bytes 500000 --seconds 0.5
  -o DIR        for the results (cluster)
  -b BUILD      where HESCA was built (here, in build, or in build in the
                sources)

DIR gets cluster.machine; what every program printed and wrote, redist-K.* and
coll-*.*; plan-K.json, what hesca plan predicts; trace-K.csv, .svg and .html,
when each message went, planned and real; summary.csv and cluster.svg.

Exit status: 0 if all results are right, 1 if not, 2 if it cannot be done, 77 if
this machine cannot run the cluster.
END
}

. "$(dirname "$0")/figures.sh"
dir=cluster
read_options '' '--hosts --size --bytes --seconds' "$@"
shift $used
no_words
[ -z "$hosts" ] || [ -r "$hosts" ] || die "--hosts '$hosts': cannot be read"
: "${size:=$(few 2000 400)}" "${bytes:=$(few 8000000 500000)}"
: "${seconds:=$(few 12 0.5)}"
for number in "--size $size" "--bytes $bytes"; do
    case ${number#* } in
        *[!0-9]* | 0*) die "${number% *} '${number#* }': expected a number" ;;
    esac
done
case $seconds in
    . | *[!0-9.]* | *.*.*) die "--seconds '$seconds': expected a number" ;;
esac

find_build bench/time_coll
hesca=$place/src/tools/hesca

# --- the cluster -----------------------------------------------------------

prepare_cluster || exit
show=no
unset HESCA_SCHEDULE HESCA_EXCHANGE HESCA_BCAST HESCA_TRACE \
    HESCA_TRANSPORT HESCA_BUFFER HESCA_NODE_SIZE HESCA_DISABLE

if [ -n "$hosts" ]; then
    cat "$hosts" >"$dir/hosts" || exit 2
else
    cat >"$dir/hosts" <<'END'
a 0.4 100mbit 1
b 0.4 100mbit 1
c 0.4 400mbit 1
d 0.4 800mbit 1
END
fi
raise_cluster "$dir/hosts"
p=$("$cluster" status | sed 1d | wc -l)
[ "$p" -gt 1 ] || die "--hosts '$hosts': fewer than two hosts"

# on_hosts [VARIABLE=VALUE]... PROGRAM [OPTION]...: one process on each host.
on_hosts() {
    "$cluster" run -n "$p" --map cyclic -- env "$@" </dev/null
}

# --- steps -----------------------------------------------------------------

# redistribute K FROM TO: in all schedules; what is predicted; a trace.
redistribute() {
    k=$1 from=$2 to=$3
    stamp "$from to $to"
    "$hesca" plan --m "$size" --n "$size" --from "$from" --to "$to" --json \
        --between nodes --machine "$dir/cluster.machine" \
        >"$dir/plan-$k.json" || die "hesca plan: exit status $?"
    for schedule in direct direct-async greedy openshop polished auto; do
        record "redist-$k" on_hosts HESCA_MACHINE="$dir/cluster.machine" \
            HESCA_SCHEDULE=$schedule "$programs/time_gemr2d" --size "$size" \
            --from "$from" --to "$to" --seconds "$seconds" \
            --csv "$dir/part.csv"
    done
    trace=$dir/trace-$k
    on_hosts HESCA_MACHINE="$dir/cluster.machine" HESCA_SCHEDULE=polished \
        HESCA_TRACE="$trace.csv" "$programs/time_gemr2d" --size "$size" \
        --from "$from" --to "$to" --only hesca --repeat 3 \
        >>"$dir/redist-$k.txt" || worst=1
    for picture in svg html; do
        "$hesca" draw --title "$from to $to, $size x $size" \
            -o "$trace.$picture" "$trace.csv" ||
            die "hesca draw: exit status $?"
    done
}

# collective NAME SCHEDULES OPTION...
collective() {
    name=coll-$1 schedules=$2
    shift 2
    stamp "$*"
    # All in turn, so that each has its seconds.
    record "$name" on_hosts HESCA_MACHINE="$dir/cluster.machine" \
        "$programs/time_coll" "$@" --schedules "$schedules" \
        --csv "$dir/part.csv" --seconds "$(awk "BEGIN { print 5 * $seconds }")"
}

# --- all of it -------------------------------------------------------------

for old in redist plan trace coll; do
    rm -f "$dir/$old"-*.csv "$dir/$old"-*.txt "$dir/$old"-*.json \
        "$dir/$old"-*.svg "$dir/$old"-*.html
done
rm -f "$dir/cluster.machine" "$dir/summary.csv" "$dir/cluster.svg"
probe_links cluster "$(few "$seconds" 3)"

redistribute 1 "1x$p:64x128" "1x$p:64x32"
redistribute 2 "1x$p:64x50" "1x$p:64x200"
if [ $((p % 2)) -eq 0 ]; then
    redistribute 3 "2x$((p / 2)):32x32" "1x$p:100x100"
else
    redistribute 3 "${p}x1:32x32" "1x$p:100x100"
fi
collective bcast-first auto,ecef,lookahead,binomial \
    --what bcast --bytes "$bytes" --root 0
collective bcast-last auto,ecef,lookahead,binomial \
    --what bcast --bytes "$bytes" --root $((p - 1))
collective exchange auto,openshop,greedy,caterpillar \
    --what alltoallv --bytes $((bytes / 2)) --shape random
rm -f "$dir/part.csv"
"$cluster" down || worst=1

echo
if ! has_python 'summary, no picture'; then
    cat "$dir"/redist-?.txt "$dir"/coll-*.txt
else
    python3 "$sources/cluster.py" "$dir" || exit 2
    echo
    echo "$dir/summary.csv, $dir/cluster.svg: all of it"
    echo "$dir/trace-1.html: when messages went, planned and real"
fi
exit $worst

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What HESCA_MACHINE=auto and learning are worth, on emulated clusters; see
# usage.

usage() {
    cat <<'END'
usage: sh learn.sh [--runs N] [--quick] [-o DIR] [-b BUILD] [WHAT]...

A program that knows nothing of HESCA (time_calls) calls pdgemm, pdpotrf or
pdgetrf again and again on emulated clusters (testing/hetcluster; wants root
and MPICH), with libhesca_scalapack preloaded.  WHAT is some of:

  begin   hosts of .6, .6, .2, .2 of a core, nothing known of them: ScaLAPACK;
          HESCA_MACHINE=auto with an empty cache, and again; a careful probe
  equal   four equal hosts: whole runs, ScaLAPACK and auto
  change  a host's quota is halved, or its link five times as slow, before
          call 8 of 20: auto, the machine file from before, and an oracle that
          has the right file at every call
  noise   four equal hosts, while a competitor works on one after the other:
          runs in which HESCA finds them unequal
  steady  six other clusters: the first call of auto, the way that it settles on
          in two runs, and all ways

Without WHAT, all of them.

  --runs N   of each, in turn; medians (5; steady: 2, and medians of calls)
  --quick    small and short
  -o DIR     for the results (learn)
  -b BUILD   where HESCA was built (here, in build, or in build in the sources)

DIR/calls.csv has the seconds of every call.

Exit status: 0, 2 if it cannot be done, 77 if this machine cannot run the
cluster.
END
}

. "$(dirname "$0")/figures.sh"
dir=learn
read_options '' --runs "$@"
for word in $words; do
    one_of "$word" 'begin equal change noise steady' "'$word' is no part of it"
done
: "${words:=begin equal change noise steady}"
: "${runs:=$(few 5 1)}"
case $runs in
    *[!0-9]* | 0*) die "--runs '$runs': expected a number" ;;
esac
find_build bench/time_calls
prepare_cluster || exit
preload=$place/src/.libs/libhesca_scalapack.so
[ -e "$preload" ] || die "no $preload: configure with --enable-shared"
rm -rf "$dir/calls.csv" "$dir/cache"

# --- runs ------------------------------------------------------------------

# hosts RATE SHARE...: brings up a cluster of these.
hosts() {
    rate=$1 nhosts=0
    shift
    for share; do
        nhosts=$((nhosts + 1))
        echo "h$nhosts $share $rate 1"
    done >"$dir/hosts"
    raise_cluster "$dir/hosts"
}

# calls WHAT WAY RUN OPTION... [-- VARIABLE=VALUE...]: one run of the program;
# HESCA is preloaded unless WAY is plain.  Its calls go to calls.csv.
calls() {
    what=$1 way=$2 run=$3 options=
    shift 3
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    [ $# -eq 0 ] || shift
    [ "$way" = plain ] || set -- "LD_PRELOAD=$preload" "$@"
    rm -f "$dir/part.csv" "$dir/part.log"
    # shellcheck disable=SC2086 # words
    "$cluster" run -- env XDG_CACHE_HOME="$dir/cache" HESCA_VERBOSE=1 \
        HESCA_LOG="$dir/part.log" "$@" "$programs/time_calls" \
        --csv "$dir/part.csv" $options </dev/null >"$dir/part.txt" ||
        die "time_calls: exit status $?"
    awk -v what="$what,$way,$run," 'NR == 1 { print "what,way,run," $0; next }
        { print what $0 }' "$dir/part.csv" >"$dir/part"
    join calls "$dir/part"
    cat "$dir/part.log" >>"$dir/log" 2>/dev/null
}

# middle WHAT WAY FROM TO: the median over runs of the sum of calls FROM to TO.
middle() {
    awk -F, -v what="$1" -v way="$2" -v from="$3" -v to="$4" '
        NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
        $1 == what && $2 == way && $at["call"] >= from && $at["call"] <= to {
            sum[$3] += $at["seconds"]
        }
        END {
            for (run in sum) x[++n] = sum[run]
            for (i = 2; i <= n; ++i)
                for (j = i; j > 1 && x[j] < x[j - 1]; --j) {
                    t = x[j]; x[j] = x[j - 1]; x[j - 1] = t
                }
            print n ? (x[int((n + 1) / 2)] + x[int(n / 2) + 1]) / 2 : 0
        }' "$dir/calls.csv"
}

# row WHAT WAY FROM TO...: a line of the table, for each pair of bounds.
row() {
    what=$1 way=$2
    printf '%-24s %-10s' "$what" "$way"
    shift 2
    while [ $# -gt 1 ]; do
        printf ' %9.3f' "$(middle "$what" "$way" "$1" "$2")"
        shift 2
    done
    echo
}

# careful NAME: what a probe finds on the cluster that is up.
careful() {
    probe_links "$1" "$(few 6 1)"
}

# --- parts -----------------------------------------------------------------

order=$(few 3000 300)
last=$(few 9 3)

part_begin() {
    hosts 1gbit .6 .6 .2 .2
    careful begin
    run=0
    while [ $((run += 1)) -le "$runs" ]; do
        rm -rf "$dir/cache"
        o="--routine gemm --n $order --grid 2x2 --calls $((last + 1))"
        # shellcheck disable=SC2086
        {
            calls begin plain $run $o
            calls begin auto $run $o -- HESCA_MACHINE=auto
            calls begin again $run $o -- HESCA_MACHINE=auto
            calls begin probe $run $o -- HESCA_MACHINE="$dir/begin.machine"
        }
    done
    echo 'pdgemm, seconds of the first call, of the second, of all:'
    for way in plain auto again probe; do
        row begin $way 0 0 1 1 0 "$last"
    done
}

part_equal() {
    hosts 1gbit .4 .4 .4 .4
    rm -rf "$dir/cache"
    for routine in gemm potrf getrf; do
        run=0
        while [ $((run += 1)) -le "$runs" ]; do
            o="--routine $routine --n $(few 1500 300) --grid 2x2 --calls 20"
            # shellcheck disable=SC2086
            {
                calls "equal $routine" plain $run $o
                calls "equal $routine" auto $run $o -- HESCA_MACHINE=auto
            }
        done
        row "equal $routine" plain 0 19
        row "equal $routine" auto 0 19
    done
}

# change_at NAME share|rate HOST BEFORE AFTER SHARE...
change_at() {
    name=$1 change=$2 host=$3 before=$4 after=$5
    shift 5
    hosts 1gbit "$@"
    careful "$name-before"
    "$cluster" "$change" "$host" "$after"
    careful "$name-after"
    o="--routine gemm --n $(few 2400 300) --grid 2x2 --calls 20"
    run=0
    while [ $((run += 1)) -le "$runs" ]; do
        rm -rf "$dir/cache"
        for way in auto file; do
            "$cluster" "$change" "$host" "$before"
            rm -f "$dir/mark"
            (
                while [ ! -e "$dir/mark" ]; do sleep 0.05; done
                "$cluster" "$change" "$host" "$after"
            ) &
            case $way in
                auto) set -- HESCA_MACHINE=auto ;;
                *) set -- "HESCA_MACHINE=$dir/$name-before.machine" ;;
            esac
            # shellcheck disable=SC2086
            calls "$name" $way $run $o --mark "$dir/mark" --at 8 -- "$@"
            wait
        done
        # The oracle: each part with the file that is right there.
        # shellcheck disable=SC2086
        calls "$name" after $run $o -- \
            HESCA_MACHINE="$dir/$name-after.machine"
        "$cluster" "$change" "$host" "$before"
        # shellcheck disable=SC2086
        calls "$name" before $run $o -- \
            HESCA_MACHINE="$dir/$name-before.machine"
    done
    echo "$name: seconds of calls 0 to 7, 8 and 9, 10 to 19"
    for way in auto file before after; do
        row "$name" $way 0 7 8 9 10 19
    done
    echo "(oracle: calls 0 to 7 of before, 8 to 19 of after)"
}

part_change() {
    change_at 'change unequal' share h2 .6 .3 .6 .6 .2 .2
    change_at 'change equal' share h2 .4 .2 .4 .4 .4 .4
    change_at 'change link' rate h4 1gbit 200mbit .6 .6 .2 .2
}

part_noise() {
    hosts 1gbit .3 .3 .3 .3
    run=0 changed=0
    n=$(few 20 2)
    rm -f "$dir/log"
    while [ $((run += 1)) -le "$n" ]; do
        rm -rf "$dir/cache" "$dir/log"
        host=h$((run % 4 + 1))
        "$cluster" enter $host "timeout 4 sh -c 'while :; do :; done'" &
        calls noise auto $run --routine gemm --n "$(few 1500 300)" \
            --grid 2x2 --calls 20 -- HESCA_MACHINE=auto
        wait
        ! grep -q 'machine: changed\|by HoHe.* moves.*, a copy' "$dir/log" ||
            changed=$((changed + 1))
    done
    echo "noise: in $changed of $n runs a host was found slower"
}

# usual WHAT WAY FROM TO: the median of the calls FROM to TO of all runs.
usual() {
    awk -F, -v what="$1" -v way="$2" -v from="$3" -v to="$4" '
        NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
        $1 == what && $2 == way && $at["call"] >= from && $at["call"] <= to {
            print $at["seconds"]
        }' "$dir/calls.csv" | sort -g | awk '{ x[NR] = $1 }
        END { print (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'
}

part_steady() {
    k=0
    rm -f "$dir/steady"
    while read -r rate shape shares; do
        k=$((k + 1))
        # shellcheck disable=SC2086
        hosts "$rate" $shares
        rm -rf "$dir/cache"
        for case in gemm,1000 gemm,2000 potrf,1000 potrf,2000 getrf,1000 \
            getrf,2000; do
            routine=${case%,*}
            o="--routine $routine --n ${case#*,} --grid $shape --calls 4"
            [ $quick = no ] || o="--routine $routine --n 200 --grid $shape"
            name="steady $k $routine ${case#*,}"
            v=$(echo "$routine" | tr a-z A-Z)
            # shellcheck disable=SC2086
            {
                # the second run may have another placement than the first
                calls "$name" learn 1 $o --calls 14 -- HESCA_MACHINE=auto
                calls "$name" again 1 $o --calls 14 -- HESCA_MACHINE=auto
                for run in 1 2; do
                    calls "$name" plain $run $o
                    for way in real hohe grid; do
                        calls "$name" $way $run $o -- HESCA_MACHINE=auto \
                            HESCA_LEARN=frozen HESCA_$v=$way
                    done
                    calls "$name" auto $run $o -- HESCA_MACHINE=auto
                done
            }
            echo "$name, $shape: $(usual "$name" plain 0 0)" \
                "$(usual "$name" learn 0 0)" \
                "$(for way in plain real hohe grid auto; do
                    usual "$name" $way 1 3
                done | tr '\n' ' ')" | tee -a "$dir/steady"
        done
    done <<'END'
1gbit 1x3 .7 .35 .35
1gbit 2x2 .5 .5 .5 .15
1gbit 1x5 .48 .4 .32 .24 .16
300mbit 2x2 .7 .3 .3 .3
1gbit 3x2 .2 .4 .1 .35 .3 .25
1gbit 2x1 .9 .4
END
    echo 'Above: seconds of the first call, plain and auto, of later ones, plain,' \
        'real, hohe, grid and auto (medians).'
    awk -F ': ' '{
        split($2, t, " ")
        best = t[3]
        for (i = 4; i < 7; ++i) if (t[i] < best) best = t[i]
        n += 1
        near += t[7] <= 1.05 * best
        slow += t[7] > 1.03 * t[3]
        late += t[2] > 1.1 * t[1]
        gain += log(t[3] / t[7])
    }
    END {
        printf "%d cases: in %d auto within 5 %% of the best way, in %d more " \
            "than 3 %% slower than plain, in %d the first call more than 10 " \
            "%%; mean gain %.2f\n", n, near, slow, late, exp(gain / n)
    }' "$dir/steady"
}

for word in $words; do
    stamp "$word"
    "part_$word"
done
echo "$dir/calls.csv: results"

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
  noise   four equal hosts, while a competitor works on one after the other, for
          less than a call: runs in which HESCA finds them unequal
  steady  six other clusters, ten calls: the first call of a program, then all
          ways in turn, auto after two runs that learn; where auto is beyond its
          bounds, once more for three times as long

Without WHAT, all of them.

  --runs N   of each, in turn; medians (5; steady: 2, of first calls one more,
             of orders 500 and 1000 7)
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
# HESCA is preloaded unless WAY is plain.  Either it or the cluster keeps waits
# from using up quotas: both together sleep too often.  Its calls go to calls.csv;
# those of --ways with the way.
calls() {
    what=$1 way=$2 run=$3 options=
    shift 3
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    [ $# -eq 0 ] || shift
    front= waits=
    [ "$way" = plain ] || { front=$preload waits=--spin; }
    rm -f "$dir/part.csv" "$dir/part.log"
    # shellcheck disable=SC2016,SC2086 # words; by that shell
    "$cluster" run $waits -- env XDG_CACHE_HOME="$dir/cache" HESCA_VERBOSE=1 \
        HESCA_LOG="$dir/part.log" "$@" sh -c '
            [ -z "$0" ] || export LD_PRELOAD="$0${LD_PRELOAD:+:$LD_PRELOAD}"
            exec "$@"' "$front" "$programs/time_calls" \
        --csv "$dir/part.csv" $options </dev/null >"$dir/part.txt" ||
        die "time_calls: exit status $?"
    awk -F, -v OFS=, -v what="$what" -v way="$way" -v run="$run" '
        NR == 1 {
            for (i = 1; i <= NF; ++i) at[$i] = i
            print "what,way,run,call,seconds"
            next
        }
        {
            print what, $at["way"] == "" ? way : $at["way"], run,
                $at["call"], $at["seconds"]
        }' "$dir/part.csv" >"$dir/part"
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
        touch "$dir/disturbed"
        while [ -e "$dir/disturbed" ] && kill -0 $$; do
            for host in h1 h3 h2 h4; do
                "$cluster" enter $host "timeout 0.25 sh -c 'while :; do :; done'"
                sleep 0.1
            done
        done &
        calls noise auto $run --routine gemm --n "$(few 1500 300)" \
            --grid 2x2 --calls 40 -- HESCA_MACHINE=auto
        rm "$dir/disturbed"
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

# Routine and options of the cases of one cluster.
steady_cases() {
    for n in 500 1000 2000; do
        for routine in gemm potrf getrf; do
            echo "$routine --n $(few $n 200)"
        done
    done
    echo "gemm --m $(few 4000 400) --n 300 --k 300"
}

# The first call of a program where the machine is known, but not the call, in
# turn with that of ScaLAPACK; then a program that learns; then all ways.  Before
# a first call quotas rest: MPI spins while it makes the communicators of a grid,
# but where the cluster has its waits sleep.
steady_case() {
    name=$1
    shift
    case $name in
        *' 500') firsts=7 seconds=30 ;; # of some ms, most of the noise
        *' 1000') firsts=7 seconds=12 ;;
        *) firsts=$((runs + 1)) seconds=12 ;;
    esac
    run=0
    while [ $((run += 1)) -le "$firsts" ]; do
        rm -rf "$dir/cache"
        cp -R "$dir/known" "$dir/cache"
        calls "$name first" plain $run "$@" --calls 1 --mark "$dir/rest" --at 0
        calls "$name first" auto $run "$@" --calls 1 --mark "$dir/rest" --at 0 \
            -- HESCA_MACHINE=auto
    done
    # the second run may have another placement than the first
    calls "$name" learn 1 "$@" --calls 14 -- HESCA_MACHINE=auto
    calls "$name" again 1 "$@" --calls 14 -- HESCA_MACHINE=auto
    # short calls more often: quotas alone have them differ by half
    firsts="$(usual "$name first" plain 0 0) $(usual "$name first" auto 0 0)"
    for times in 1 3; do
        calls "$name$times" ways 1 "$@" --calls $(($(few 8 3) * times)) \
            --seconds $(($(few "$seconds" 0) * times)) \
            --ways plain,real,hohe,grid,auto -- HESCA_MACHINE=auto
        echo "$name, $shape, $times: $firsts $(
            for way in plain real hohe grid auto; do
                usual "$name$times" $way 1 999999
            done | tr '\n' ' ')" | tee -a "$dir/steady"
        tail -n 1 "$dir/steady" | awk -F ': ' "$verdict"'
            { exit near($2) && !slow($2) }' || break
    done
}

# Of the numbers of a line: whether auto is near the best way, and slower than
# plain.
verdict='
    function near(numbers,    t, i, best) {
        split(numbers, t, " ")
        best = t[3]
        for (i = 4; i < 7; ++i) if (t[i] < best) best = t[i]
        return t[7] <= 1.05 * best
    }
    function slow(numbers,    t) {
        split(numbers, t, " ")
        return t[7] > 1.03 * t[3]
    }'

part_steady() {
    k=0
    rm -f "$dir/steady"
    while read -r rate shape shares; do
        k=$((k + 1))
        # shellcheck disable=SC2086
        hosts "$rate" $shares
        rm -rf "$dir/cache" "$dir/known"
        calls "steady $k" begin 1 --n 64 --grid "$shape" --calls 1 \
            -- HESCA_MACHINE=auto
        mv "$dir/cache" "$dir/known"
        steady_cases >"$dir/cases"
        while read -r routine options; do
            # shellcheck disable=SC2086
            steady_case "steady $k $routine $options" --routine "$routine" \
                $options --grid "$shape"
        done <"$dir/cases"
    done <<'END'
1gbit 1x3 .7 .35 .35
1gbit 2x2 .5 .5 .5 .15
1gbit 1x5 .48 .4 .32 .24 .16
300mbit 2x2 .7 .3 .3 .3
1gbit 3x2 .2 .4 .1 .35 .3 .25
1gbit 2x1 .9 .4
END
    echo 'Above: cluster, call, grid, 1 or 3 times as long; seconds of the first' \
        'call, plain and auto, of later ones, plain, real, hohe, grid and auto' \
        '(medians).'
    awk -F ': ' "$verdict"'
    {
        split($2, t, " ")
        if ($1 ~ /3$/) {
            mended += near($2) - near(last)
            faster += slow(last) - slow($2)
            next
        }
        last = $2
        n += 1
        all_near += near($2)
        all_slow += slow($2)
        late += t[2] > 1.1 * t[1]
        gain += log(t[3] / t[7])
    }
    END {
        printf "%d cases: in %d auto within 5 %% of the best way (%d with the " \
            "longer measurement), in %d (%d) more than 3 %% slower than " \
            "plain, in %d the first call more than 10 %%; mean gain %.2f\n",
            n, all_near, all_near + mended, all_slow, all_slow - faster, late,
            exp(gain / n)
    }' "$dir/steady"
}

for word in $words; do
    stamp "$word"
    "part_$word"
done
echo "$dir/calls.csv: results"

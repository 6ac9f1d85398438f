#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hesca probe across an emulated cluster of unequal links: it finds the rate of
# every pair, which is that of the slower link, in each direction its own; and
# HESCA takes the file on these hosts.  A busy machine makes a link look
# slower, never faster: make check requires at least half of the rate, as links
# still differ by it, and make bigcheck, with nothing else running, 85 %.

. "$top_srcdir/testing/cluster.sh"

cluster_up <<'EOF'
a 0.4 100mbit 1
b 0.4 100mbit 1
c 0.4 400mbit 1
d 0.4 800mbit 1
EOF

hesca=$top_builddir/src/tools/hesca
timing=$top_builddir/bench
file=$dir/cluster.machine

least=0.5
[ -z "$HESCA_TEST_BIG" ] || least=0.85

# wrong PAIRS RATE-OF-A: every pair whose rate or startup in $file is not what
# the cluster has, in Mbit/s, where a sends at its own rate; and how many pairs
# there are.  A message takes some 50 us there, and a turn of the processor's
# some ms.
wrong() {
    awk -v want_pairs="$1" -v from_a="$2" -v least=$least '
        BEGIN { mbit["a"] = mbit["b"] = 100; mbit["c"] = 400; mbit["d"] = 800 }
        function is_wrong(from, to) {
            out = from == "a" ? from_a : mbit[from]
            want = (out < mbit[to] ? out : mbit[to]) * 125000
            ++pairs
            if ($7 < least * want || $7 > 1.15 * want || $5 <= 0 || $5 > 5e-3)
                printf "%s to %s: startup %g s, rate %g, want %g\n",
                       from, to, $5, $7, want
        }
        $1 == "link" || $1 == "links" { is_wrong($2, $3) }
        $1 == "links" { is_wrong($3, $2) }
        END { if (pairs != want_pairs) print pairs + 0 " pairs" }' "$file"
}

# probe PAIRS RATE-OF-A SECONDS OPTION...: measured twice if the machine was busy.
probe() {
    pairs=$1 rate=$2 seconds=$3
    shift 3
    rm -f "$file"
    run 0 "$cluster" run "$@" -- "$hesca" probe --only links \
        --seconds "$seconds" -o "$file"
    says_times "$pairs" '^# [abcd] +[abcd] '
    [ -n "$(wrong "$pairs" "$rate")" ] || return
    echo 'once more, since the machine may have been busy:'
    wrong "$pairs" "$rate"
    rm -f "$file"
    run 0 "$cluster" run "$@" -- "$hesca" probe --only links \
        --seconds $((2 * seconds)) -o "$file"
    [ -z "$(wrong "$pairs" "$rate")" ] || complain "$(wrong "$pairs" "$rate")"
}

# The two directions of a link that is slower in one: a sends at 40 Mbit/s.
tc -n "$HETCLUSTER_NAME-a" qdisc change dev eth0 root \
    tbf rate 40mbit burst 16k latency 100ms || exit 99
probe 2 40 4 -n 2 --map a,c
tc -n "$HETCLUSTER_NAME-a" qdisc change dev eth0 root \
    tbf rate 100mbit burst 25k latency 100ms || exit 99
probe 12 100 10 -n 4
run 0 "$cluster" run -n 4 -- "$hesca" probe --topology -o "$dir/net"
run 0 "$hesca" model map "$top_srcdir/examples/models/star.mpc" p=4 comm=100 \
    --topology "$dir/net"
says out ' d$'

# Processes find themselves in the file by their hosts' names; on a host that
# it does not name all report so.
run 0 "$cluster" run -n 4 -- env HESCA_MACHINE="$file" \
    "$timing/time_schedules" --k 2 --bytes 64 --seconds 0.1 --schedules direct
grep -v ' d ' "$file" | grep -v ' d$' >"$dir/abc"
run 1 "$cluster" run -n 4 -- env HESCA_MACHINE="$dir/abc" \
    "$timing/time_schedules" --k 2 --bytes 64 --seconds 0.1 --schedules direct
says err "'d'.* 3 hosts of .*/abc"

run 0 "$cluster" down
run 3 "$cluster" status
exit $failed

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hesca probe, and the programs that time schedules: what they print and write.
# No measured time decides anything here.

[ -n "$MPIEXEC" ] || { echo 'configure found no mpiexec'; exit 77; }
. "$top_srcdir/testing/program.sh"
hesca=$top_builddir/src/tools/hesca
timing=$top_builddir/bench

# ------------------------------------------------ probe
run 0 "$hesca" probe --help
says out 'mpiexec -n P hesca probe'
run 2 "$hesca" probe --frobnicate
says err ' --frobnicate;'
run 2 "$hesca" probe --seconds
says err 'needs a value'
run 2 "$hesca" probe --seconds 1x
says err "'1x'"
run 2 "$hesca" probe --only some
says err "'some'"
run 2 "$hesca" probe here
says err "'here'"
run 2 $MPIEXEC -n 1 "$hesca" probe
says err 'at least two processes'
run 0 $MPIEXEC -n 4 "$hesca" probe --seconds 0.1 -o "$dir/machine"
says out '^hesca-machine 1$'
says out '^#   4 +64  direct '
says out '^#   2 +131072  bruck '
run 0 grep -c . "$dir/machine"
says out '^5$'
run 0 $MPIEXEC -n 4 "$hesca" probe --seconds 0.1 --json
json 'len(d["cases"]) >= 24 and d["link"][:4] == "node"'
json 'all(c["seconds"] > 0 for c in d["cases"])'
json 'min(d[k] for k in ("startup", "message", "byte", "copy")) >= 0'
# The least squares: no other common factor comes closer.
json 'abs(sum(c["fitted"] / c["seconds"] - (c["fitted"] / c["seconds"])**2
              for c in d["cases"])) < 1e-3 * len(d["cases"])'
cp "$dir/machine" "$dir/before"
run 0 $MPIEXEC -n 2 env HESCA_TRANSPORT=mpi "$hesca" probe --seconds 0.1 \
    -o "$dir/machine"
# What was not measured stays.
run 0 grep -F "$(sed -n '/^node-crowded/p' "$dir/before")" "$dir/machine"
run 0 grep -F "$(sed -n '/^node /p' "$dir/before")" "$dir/machine"
run 1 $MPIEXEC -n 2 "$hesca" probe --seconds 0.1 -o "$dir/no/where"
says err 'no/where'
echo 'hesca-machine 3' >"$dir/machine"
run 1 $MPIEXEC -n 2 "$hesca" probe --seconds 0.1 -o "$dir/machine"
says err "machine:1: '3'"
run 0 cat "$dir/machine"
says out '^hesca-machine 3$'

# ------------------------------------------------ probe, several hosts
# HESCA_NODE_SIZE takes every so many ranks for a host.
run 0 $MPIEXEC -n 3 env HESCA_NODE_SIZE=1 "$hesca" probe --seconds 0.3 \
    --only links -o "$dir/links"
says_times 6 '^# node[012] +node[012] '
says_times 6 '^link node[012] node[012] startup [0-9.e-]+ rate [0-9.e+]+$'
says_times 3 '^host node[012] speed '
says out '^host node[012] speed 1 ' # of equal hosts all may be the fastest
says_times 3 '^host node[012] speed [0-9.]+( cores [0-9.]+)? memory [0-9.e+]+$'
says_times 3 '^# node[012] +[0-9.]+ GFLOP/s within [0-9.]+%, [0-9]+% of its time, on each of [0-9.]+ cores, '
# The costs were not measured: the defaults.
says out '^net +startup 1e-05 message 2e-06 byte 5e-10 copy 1e-10$'
grep -v '^#' "$dir/out" >"$dir/want"
run 0 cmp "$dir/want" "$dir/links"
run 1 test -e "$dir/links.new"
# HESCA takes the file, where it is about these hosts.
run 0 $MPIEXEC -n 3 env HESCA_NODE_SIZE=1 HESCA_MACHINE="$dir/links" \
    "$timing/time_schedules" --k 3 --bytes 64 --seconds 0.1 --schedules direct
run 1 $MPIEXEC -n 4 env HESCA_NODE_SIZE=1 HESCA_MACHINE="$dir/links" \
    "$timing/time_schedules" --k 3 --bytes 64 --seconds 0.1 --schedules direct
says err "'node3'.* 3 hosts of .*/links"
# Another machine file in the environment is of no account, and what is not
# measured stays: inside hosts, with one process each.
sed 's/^inside node1 .*/inside node1 startup 0.25 rate 3/' "$dir/links" \
    >"$dir/before2"
cp "$dir/before2" "$dir/links"
run 0 $MPIEXEC -n 2 env HESCA_NODE_SIZE=1 HESCA_MACHINE=/nowhere \
    "$hesca" probe --seconds 0.2 --only links -o "$dir/links"
says out '^inside node1 startup 0.25 rate 3$'
says_times 0 node2
run 0 $MPIEXEC -n 4 env HESCA_NODE_SIZE=2 "$hesca" probe --seconds 0.4 --json
json 'len(d["cases"]) >= 24 and d["link"][:3] == "net"'
json '[h["name"] for h in d["hosts"]] == ["node0", "node1"]'
json 'sorted((l["from"], l["to"]) for l in d["links"]) == [
    ("node0", "node0"), ("node0", "node1"), ("node1", "node0"),
    ("node1", "node1")]'
json 'all(l["rate"] > 0 and l["startup"] > 0 and l["times"] >= 3
    for l in d["links"]) and all(h["flops"] > 0 for h in d["hosts"])'
json 'all(h["cores"] >= 1 and h["memory"] > 0 for h in d["hosts"])'
run 0 $MPIEXEC -n 2 "$hesca" probe --seconds 0.1 --only costs --json
json '"links" not in d'

# ------------------------------------------------ time_schedules
run 0 "$timing/time_schedules" --help
run 2 "$timing/time_schedules" --k 0
says err "'0'"
run 2 "$timing/time_schedules" --bytes 1,,2
run 2 "$timing/time_schedules" --frobnicate
run 2 "$timing/time_schedules" here
run 0 $MPIEXEC -n 4 env HESCA_MACHINE="$dir/before" "$timing/time_schedules" \
    --k 3,4 --bytes 64,4096 --seconds 0.2 --csv "$dir/schedules.csv" \
    --schedules 'direct|direct-async|indirect|hybrid:1'
says out '^auto is within 10 % of the best in [0-4] of 4 cases '
says_times 4 ' [0-9]+\.[0-9]{2}  (direct|indirect|hybrid|bruck)'
holds "$dir/schedules.csv" 'len(rows) == 20'
holds "$dir/schedules.csv" '[r["steps"] for r in rows
    if r["k"] == "3" and r["bytes"] == "64"][:4] == ["3", "3", "3", "3"]'
holds "$dir/schedules.csv" 'all(float(r["median_s"]) > 0 for r in rows)'
run 1 $MPIEXEC -n 2 "$timing/time_schedules" --schedules fastest
says err "HESCA_SCHEDULE is 'fastest'"

# ------------------------------------------------ topology files
models=$top_srcdir/examples/models
run 0 $MPIEXEC -n 3 "$hesca" probe --topology --seconds 0.1 -o "$dir/topology"
run 0 "$hesca" model map "$models/ring.mpc" p=3 comm=1000 \
    --topology "$dir/topology"
run 0 $MPIEXEC -n 4 env HESCA_NODE_SIZE=1 "$hesca" probe --topology \
    --seconds 0.1
says_times 4 '^s[0-9]+ p[0-9]+ n1 serial c[0-9]+ c[0-9]+ c[0-9]+$'
says out '^(serial|parallel\([0-9.e-]+, [0-9.e-]+\)) c[0-9]+ c[0-9]+ c[0-9]+$'
run 2 $MPIEXEC -n 2 "$hesca" probe --topology --only links
says err '\-\-topology goes with neither --only nor --kernel'

# ------------------------------------------------ time_planning
run 0 "$timing/time_planning" --help
run 2 "$timing/time_planning" --k 5 --procs 4
says err '--k 5: there are 4 processes'
run 2 "$timing/time_planning" --procs many
run 2 "$timing/time_planning" --frobnicate
run 0 "$timing/time_planning" --procs 64 --k 31,32
says out '^ +64 +31  direct +0 +31 '
says out '^ +64 +31  indirect +5 +6 '
says out '^ +64 +32  indirect +5 +6 '
run 0 "$timing/time_planning" --csv "$dir/planning.csv"
holds "$dir/planning.csv" 'len(rows) == 12'
exit $failed

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hesca probe --kernel: what is refused, what is printed, and that the file is
# read back.  No measured time decides anything here.

. "$top_srcdir/testing/program.sh"
hesca=$top_builddir/src/tools/hesca

# bad WORD OPTION...: exit status 2, and a line that has WORD.
bad() {
    word=$1
    shift
    run 2 "$hesca" probe "$@"
    says err "$word"
}

run 0 "$hesca" probe --help
says out 'hesca probe --kernel NAME'
bad "'sgemm': expected dgemm.dgetrf.dpotrf.copy" --kernel sgemm
bad 'needs a value' --kernel
bad "to '12T'" --kernel copy --to 12T
bad "from '-3'" --kernel copy --from -3
bad "from '0'" --kernel copy --from 0
bad "from 'nan'" --kernel copy --from nan
bad "to '1e99'" --kernel copy --to 1e99
bad "eps '0'" --kernel copy --eps 0
bad "points '1'" --kernel copy --points 1
bad "even '1'" --kernel copy --even 1
bad "even '5x'" --kernel copy --even 5x
bad "seconds '0'" --kernel copy --seconds 0
bad 'twice --from' --kernel copy --from 1000 --to 1999
bad 'do not go together' --kernel copy --only links
bad 'merge needs a file' --kernel copy --merge
bad 'even needs --kernel' --even 5
bad 'blas needs --kernel' --blas libm.so
run 1 "$hesca" probe --kernel copy --to 1e15
says err "to '1000000000000000': [0-9]+ elements fit into memory"
run 1 "$hesca" probe --kernel dgemm --blas "$dir/no.so"
says err "no [dD].* in $dir/no.so"
run 1 "$hesca" probe --kernel copy --to 4K --seconds 0.1 -o "$dir/no/where"
says err 'no/where'

# ------------------------------------------------ one process
run 0 "$hesca" probe --kernel copy --from 1K --to 64K --seconds 0.3 \
    -o "$dir/machine"
says out '^# .* copy: [0-9]+ points in .* by bisection'
says out '^hesca-machine 1$'
says_times 1 '^model .* copy limit [0-9.e+]+$'
says out '^knot size 1000 speed '
says out '^knot size 64000 speed '
grep -v '^#' "$dir/out" >"$dir/want"
run 0 cmp "$dir/want" "$dir/machine"
# Another kernel leaves the first alone; the same one takes its place.
if "$hesca" probe --kernel dgemm --from 100 --to 400 --seconds 0.1 \
    >"$dir/out" 2>"$dir/err"; then
    for kernel in dgemm dgetrf dpotrf; do
        run 0 "$hesca" probe --kernel $kernel --from 100 --to 10000 \
            --seconds 0.2 --points 5 -o "$dir/machine"
        says out "^# $kernel of "
        says out 'flop/s'
    done
    models=4
else
    run 1 "$hesca" probe --kernel dgemm
    says err 'name it by --blas'
    models=1
fi
run 0 "$hesca" probe --kernel copy --from 2K --to 32K --seconds 0.2 \
    --even 4 -o "$dir/machine"
says_times $models '^model '
says out ' 4 points in .* equal steps'
says_times 0 '^knot size 1000 '
says_times 1 '^knot size 32000 '
# Into the model: 1000 is new, 2000 is not.
run 0 "$hesca" probe --kernel copy --from 1K --to 2K --seconds 0.2 --even 2 \
    --merge -o "$dir/machine"
says_times $models '^model '
says_times 1 '^knot size 1000 '
says_times 1 '^knot size 2000 '
says_times 1 '^knot size 32000 '
run 0 "$hesca" probe --kernel copy --from 1K --to 8K --seconds 0.2 --json
json 'd["kernel"] == "copy" and d["unit"] == "elements/s"'
json 'len(d["hosts"]) == 1 and d["library"] is None'
json 'all(0 < p["low"] <= p["speed"] <= p["high"] and p["seconds"] >= 0
    for h in d["hosts"] for p in h["points"])'
json 'd["hosts"][0]["limit"] > 8000 and d["hosts"][0]["naive_seconds"] > 0'
# A limit of the shell's makes less fit.
(
    ulimit -v 4000000 2>/dev/null &&
        run 0 "$hesca" probe --kernel copy --from 1K --to 8K --seconds 0.1 \
            --json && json 'd["hosts"][0]["limit"] < 4e9 / 16'
    exit $failed
) || failed=1
echo 'hesca-machine 1
host a
model a copy' >"$dir/bad"
run 1 "$hesca" probe --kernel copy --to 8K --seconds 0.1 -o "$dir/bad"
says err "bad:3: the model 'a copy' has no line 'knot'"
# That is found before time is spent.
run 1 "$hesca" probe --kernel copy --to 1e15 -o "$dir/bad"
says err 'bad:3: '
run 0 "$hesca" probe --kernel copy --to 8K --seconds 0.1 -o /dev/null

# ------------------------------------------------ several hosts
[ -n "$MPIEXEC" ] || exit $failed
# HESCA_NODE_SIZE takes every so many ranks for a host.
run 0 $MPIEXEC -n 3 env HESCA_NODE_SIZE=1 "$hesca" probe --kernel copy \
    --to 16K --seconds 0.2 -o "$dir/hosts"
says_times 3 '^model node[012] copy limit '
says_times 3 '^host node[012] speed 1$'
sed 's/^links node0 node1 .*/links node0 node1 startup 0.25 rate 3/' \
    "$dir/hosts" >"$dir/before"
sed 's/^host node1 .*/host node1 speed 0.5/' "$dir/before" >"$dir/hosts"
# What is not measured stays, and hosts that take no part do, too; another one
# comes to them.
run 0 $MPIEXEC -n 4 env HESCA_NODE_SIZE=1 "$hesca" probe --kernel copy \
    --to 8K --seconds 0.2 -o "$dir/hosts"
says_times 4 '^model node[0123] copy limit '
says out '^links node0 node1 startup 0.25 rate 3$'
says out '^host node1 speed 0.5$'
run 0 $MPIEXEC -n 4 env HESCA_NODE_SIZE=2 "$hesca" probe --kernel copy \
    --to 8K --seconds 0.2 --json -o "$dir/hosts"
json '[h["name"] for h in d["hosts"]] == ["node0", "node1"]'
run 0 grep -c '^model' "$dir/hosts"
says out '^4$'
# Links measured later keep the models of their hosts.
run 0 $MPIEXEC -n 2 env HESCA_NODE_SIZE=1 "$hesca" probe --only links \
    --seconds 0.2 -o "$dir/hosts"
says_times 2 '^model node[01] copy limit '
run 1 $MPIEXEC -n 2 env HESCA_NODE_SIZE=1 "$hesca" probe --kernel copy \
    --to 1e15
says err 'elements fit into memory'
exit $failed

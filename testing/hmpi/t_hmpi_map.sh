#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The group that HMPI creates is the one that hesca model map finds for the
# network that it has logged, speeds included.

. "$top_srcdir/testing/program.sh"
[ -n "$MPIEXEC" ] || { echo 'configure found no mpiexec'; exit 77; }
export HESCA_NODE_SIZE=1 HMPI_DEBUG=1 HMPI_LOG_TOPOLOGY="$dir/net"
for run in 1 2 3; do
    command="run $run"
    $MPIEXEC -n 5 "$top_builddir/examples/19_hmpi_nbody" >"$dir/out" \
        2>"$dir/err" </dev/null || complain "exit status $?"
    # Process k is alone on host nodek: "process 3 has rank 1 of 5 in group 1".
    sed -n 's/.*process \([0-9]*\) has rank \([0-9]*\) of 5.*/\2 node\1/p' \
        "$dir/err" | sort -n >"$dir/created"
    "$top_builddir/src/tools/hesca" model map --by-unit --parent node0 \
        --topology "$dir/net" "$top_srcdir/examples/models/nbody.mpc" p=5 \
        k=200 n=200,400,600,200,400 >"$dir/map" 2>"$dir/err2" ||
        complain "hesca model: $(cat "$dir/err2")"
    sed -n 's/^ *\([0-9]\)  \[[0-9]\] *[0-9.]*  \(node[0-9]\).*/\1 \2/p' \
        "$dir/map" >"$dir/mapped"
    [ "$(grep -c node "$dir/created")" -eq 5 ] || complain 'has no 5 members'
    cmp "$dir/created" "$dir/mapped" ||
        complain "$(cat "$dir/created"; cat "$dir/map")"
done
exit $failed

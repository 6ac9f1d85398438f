# SPDX-License-Identifier: BSD-3-Clause
# ScaLAPACK's ready testers, for scripts that source this: $bin and $data are
# where they and their input are, the working directory is a new one.

[ "$shared" = yes ] || { echo 'there is no shared library to preload'; exit 77; }
[ "$sanitizers" = no ] ||
    { echo 'a library with sanitizers cannot be preloaded'; exit 77; }
for bin in /usr/lib/*/scalapack/"$mpi"-tests none; do
    [ ! -x "$bin/xdsep" ] || break
done
for data in /usr/share/scalapack "$bin" none; do
    [ ! -f "$data/SEP.dat" ] || break
done
[ "$bin" != none ] && [ "$data" != none ] ||
    { echo 'the testers are missing: install scalapack-mpi-test'; exit 77; }

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir" || exit 99

# What a tester found, without times.
verdicts() {
    grep -E '(Finished|tests completed|tests skipped|tests resulted|TESTS;)' "$1" |
        tr -s ' '
    echo "$(grep -ciw passed "$1") times 'passed', $(
        grep -ciw failed "$1") times 'failed'"
}

# input [AWK PROGRAM]: the testers' input, with smaller problems of what takes
# long, and after AWK PROGRAM.  P?PORFS is left out: P?LACON decides by what it
# never set (see valgrind), so that its processes now and then wait for each
# other for ever, without HESCA too (3 of 8 runs of xdllt on 2 processes,
# orders 4, 10 and 17).
input() {
    for file in "$data"/*.dat "$data"/PBLAS/*.dat "$bin"/PBLAS/*.dat \
        "$bin"/BLACS/*.dat; do
        [ ! -f "$file" ] || awk -v file="${file##*/}" '
            /^500[ \t]/ { sub(/500/, "120") }
            file == "LLT.dat" && /Test Cond. Est./ { sub(/^T/, "F") }
            '"${1-}"' { print }' "$file" >"${file##*/}"
    done
}

# Hosts of unequal speed, for 6 processes with HESCA_NODE_SIZE=1.
unequal_hosts() {
    cat <<'HOSTS'
hesca-machine 1
host node0 speed 0.3
host node1 speed 0.2
host node2 speed 1
host node3 speed 0.9
host node4 speed 0.5
host node5 speed 0.7
others startup 60us rate 1Gbit/s
HOSTS
}

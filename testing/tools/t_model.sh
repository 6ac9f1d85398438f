#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hesca model: the models that the HMPI thesis prints, as printed and
# corrected; its worked example; compiled models; arrangements; pictures.

. "$top_srcdir/testing/program.sh"
hesca=$top_builddir/src/tools/hesca
models=$top_srcdir/examples/models
printed=$top_srcdir/testing/pmdl/printed
topologies=$top_srcdir/testing/machine/topologies
cflags="-I$(cd "$top_srcdir" && pwd)/include -I$(cd "$top_builddir" && pwd)/include"

# model STATUS WORD...
model() {
    want=$1
    shift
    run "$want" "$hesca" model "$@"
}

# ------------------------------------------------ as printed
top=$(pwd)
case $hesca in /*) ;; *) hesca=$top/$hesca ;; esac
for f in "$printed"/*.mpc; do
    echo "== ${f##*/}"
    (cd "$printed" && "$hesca" model check "${f##*/}" 2>&1)
done >"$dir/printed"
command="models as printed"
cmp -s "$dir/printed" "$printed/golden.txt" || {
    diff "$printed/golden.txt" "$dir/printed" >"$dir/out"
    complain "other messages"
}

# ------------------------------------------------ corrected
for f in "$models"/*.mpc; do
    model 0 check "$f"
    silent err
done

# Three computers of one processor, 1, 2 and 4 s per unit.
cat >"$dir/abc" <<END
parallel(0.49, 0.97) c1000000 c1000000 c1000000
#A
s1 p1 n1 serial c1000000 c1000000 c1000000
#B
s1 p0.5 n1 serial c1000000 c1000000 c1000000
#C
s1 p0.25 n1 serial c1000000 c1000000 c1000000
END
nbody="$models/nbody.mpc p=3 k=10 n=100,200,50 --topology $dir/abc"
model 0 timeof $nbody
says out '^800\.011284 s$'
model 0 timeof $nbody --json
json 'abs(d["seconds"] - 800.011284) < 1e-9'
model 0 map $nbody --search greedy
says out '^ +1  \[1\] +400  B$'
model 0 map $nbody --json
json '[x["computer"] for x in d["processes"]] == ["A", "B", "C"]'
model 0 timeof $nbody --seconds 0.5
says out '^400\.011284 s$'
model 0 timeof $nbody --rule ports
says out '^800\.014 s$'
model 0 timeof $nbody --parent B
model 0 explain $nbody --svg "$dir/svg"
says out '^ +[0-9]+ +1 +800 .* B$'
command="the picture"
grep -q '</svg>' "$dir/svg" && grep -q 'computes 800 s from 0 s' "$dir/svg" ||
    complain 'is not complete'
model 0 explain $nbody --json
json 'len(d["lines"]) == 2 and d["lines"][0]["slowest"] == "B"'
# B computes 800 s, A 100 of them, C 200.
json '[(w["process"], w["for"]) for w in d["waits"][:2]] == [([0], [1]),
    ([2], [1])] and abs(d["waits"][0]["seconds"] - 700) < 0.1'

# ------------------------------------------------ compiled
cc=${CC:-cc}
model 0 timeof $nbody --native --cc "${cc%% *}" --cflags "$cflags"
says out '^800\.011284 s$'
auto="$models/nbody_auto.mpc n=1000 p=3 speeds=4,2,1 --topology $dir/abc"
model 0 timeof $auto --with "$models/allocation.c" --cc "${cc%% *}" \
    --cflags "$cflags"
says out ' s$'
model 1 timeof $auto --cc "${cc%% *}" --cflags "$cflags"
says err 'My_allocation_using_function'
model 1 timeof $nbody --native --cc "$dir/none"
says err 'none: the compiler cannot be started'
model 0 compile "$models/pdgemm.mpc" --output "$dir/pdgemm.c"
command="pdgemm.c"
grep -q 'HMPI_Model_pdgemm' "$dir/pdgemm.c" || complain 'has no model'

# ------------------------------------------------ arrangements
model 0 arrange "$models/pdgemm.mpc" n=9000 b=100 --json \
    --topology "$topologies/twelve.topo" --processes 9
json 'd["visited"] == 23 and len(d["arrangements"]) == 23'
model 0 arrange "$models/axb_2d.mpc" n=48 --heuristic square \
    --topology "$topologies/twelve.topo"
says out '  best$'
model 0 arrange "$models/axb_1d.mpc" n=480 --processes 5 \
    --topology "$topologies/seven.topo"
says out '^5 of 5 arrangements'
model 1 arrange "$models/pdgemm.mpc" b=100 --topology "$dir/abc"
says err 'parameter n of pdgemm has no value'
model 2 arrange "$models/pdgemm.mpc" n=900 b=100 --heuristic odd \
    --topology "$dir/abc"
says err "'odd': must be one of all|square|divisors|powers, or a function"
# HMPI 3.1.3: numbers of blocks are multiples of the extents.
model 0 arrange "$models/pdgemm.mpc" n=900 b=100 --processes 9 --json \
    --topology "$topologies/twelve.topo" --heuristic blocks_divide \
    --with "$models/blocks_divide.c" --cc "${cc%% *}" --cflags "$cflags"
json 'd["visited"] == 23 and [x["extents"] for x in d["arrangements"]] == [
    [1, 1], [1, 3], [1, 9], [3, 1], [3, 3], [9, 1]]'
model 2 arrange "$models/pdgemm.mpc" n=900 b=100 --heuristic odd \
    --topology "$dir/abc" --with "$models/blocks_divide.c" --cc "${cc%% *}" \
    --cflags "$cflags"

# ------------------------------------------------ VPM files, machine files
printf 'gamma 1\nalpha 1 [1]\n' >"$dir/vpm"
model 0 map "$models/star.mpc" p=2 comm=100 --vpm "$dir/vpm" \
    --topology "$topologies/three.topo"
says out '^ +0 +\[0\] +1  gamma  \(parent\)$'
printf 'hesca-machine 1\nhost a speed 2 cores 2\nhost b\n' >"$dir/machine"
printf 'others startup 1ms rate 1e6\ninside a startup 1us rate 1e9\n' \
    >>"$dir/machine"
printf 'inside b startup 1us rate 1e9\n' >>"$dir/machine"
model 0 map "$models/star.mpc" p=3 comm=100 --machine "$dir/machine"
model 1 map "$models/star.mpc" p=4 comm=100 --machine "$dir/machine"
says err 'the model has 4 processes, the network 3'

model 0 convert --machine "$dir/machine" --output "$dir/net"
model 0 convert --topology "$dir/net" --output "$dir/machine2"
command='a network converted there and back'
grep -qx 'links a b startup 0.001 rate 1000000' "$dir/machine2" ||
    complain 'has another link'
model 0 map "$models/star.mpc" p=3 comm=100 --machine "$dir/machine2"
model 2 convert "$dir/net"
says err 'convert takes no parameters'

# ------------------------------------------------ wrong usage
model 2
says err 'an action is missing'
model 2 sing
says err "no action 'sing'"
model 2 check
model 1 check "$dir/none"
says err 'none: No such file'
model 2 timeof "$models/star.mpc" p=2
says err 'a network is missing'
model 2 timeof "$models/star.mpc" --topology "$dir/vpm"
says err "vpm:1: 'gamma' must be serial or parallel"
model 1 timeof "$models/star.mpc" q=2 --topology "$dir/abc"
says err "Star has no parameter 'q'"
model 1 timeof "$models/star.mpc" p=2.5 --topology "$dir/abc"
says err 'p is of type int, not 2.5'
model 1 timeof $nbody n=1
says err 'parameter n of Nbody has 1 values: must be 3'
model 2 timeof $nbody --parent D
says err "'D' is not a computer"
model 0 --help
says out 'PARAMETER=VALUE'

# ------------------------------------------------ hmpicc
ln -s "$hesca" "$dir/hmpicc"
cp "$models/ring.mpc" "$dir/ring.mpc"
if [ "$shared" != yes ] || ! head -c 2 "$hesca" | grep -q '#!'; then
    run 0 "$dir/hmpicc" "$dir/ring.mpc"
    command=ring.c
    grep -q 'hesca_model_Ring' "$dir/ring.c" || complain 'has no model'
    run 1 "$dir/hmpicc" "$printed/tree.mpc"
    run 2 "$dir/hmpicc"
fi
exit $failed

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hesca plan: figures against LIM's and against the elements themselves
# (check_plan.py), drawings, what the library does, bad options.

. "$top_srcdir/testing/program.sh"
hesca=$top_builddir/src/tools/hesca
checker=$top_srcdir/testing/tools/check_plan.py
COLUMNS=200
export COLUMNS

# call STATUS OPTION...: of hesca plan.
call() {
    want=$1
    shift
    run "$want" "$hesca" plan "$@"
}

# refuses STATUS MESSAGE OPTION...: one line on stderr, which begins so.
refuses() {
    message=$2
    run_status=$1
    shift 2
    call "$run_status" "$@"
    says err "^hesca( plan)?: $message"
    [ "$(wc -l <"$dir/err")" -eq 1 ] || complain 'not one line'
    [ ! -s "$dir/out" ] || complain 'prints to stdout'
}

# Of s, too, the schedules by name.
json() {
    [ -n "$python" ] || return
    $python -c "import json, sys; d = json.load(open(sys.argv[1]))
s = {row['name']: row for row in d['schedules']}
sys.exit(not ($1))" "$dir/out" 2>/dev/null || complain "not so in JSON: $1"
}

nine='--m 1 --n 54 --from 1x9:1x1 --to 1x9:1x6'

# ------------------------------------------------ for people
call 0 --help
says out '^Examples:$'
call 0 $nine
says out '^1 x 54 elements of 8 bytes, 1x9 grid 1x1 blocks -> 1x9 grid 1x6 '
says out '^costs between cores of a node, load 1, defaults: startup 4e-07 s, '
says out '^  indirect +4 +33 +96 +720 '
says out '^  direct +6 +48 +48 +384 '
says out '^not applicable: local$'
[ "$(grep -Ec '^\* .* (us|ns)$' "$dir/out")" -eq 1 ] || complain 'not one choice'
call 0 $nine --schedule multiphase --rank 3
says out '^multiphase: what process 3 does'
says out '^  phase 2 of 2$'
call 0 --m 40 --n 40 --from 3x2@1:5x4 --to 3x2:0,3,2x4,1
says out ', 3x2 grid from rank 1 on 5x4 blocks -> 3x2 grid 0,3,2x4,1 blocks, 7 '
call 0 --m 9 --n 9 --from 1x2:5x4 --to 9x1:10000,20000,3000,4,5,600000,7,8,9x4
says out '-> 9x1 grid 10000,20000,3000,4,5,600000,7,\.\.\.x4 blocks, 9 '
call 0 $nine --part lower
says out '^bytes: those of whole rectangles'
COLUMNS=19 call 0 $nine
says out '^ +0 \. 3 6 1 4 7$'
COLUMNS=18 call 0 $nine
says out '9 processes x 6 steps are too many .* in 18 columns'

# ------------------------------------------------ LIM's cases
call 0 --m 1 --n 1984 --from 1x64:1x1 --to 1x64:1x31 --json
json '[s[x]["steps"] for x in ("indirect", "direct", "multiphase")] == [6, 31, 31]'
json 'd["not_applicable"] == ["local"]'
call 0 $nine --json
json 's["indirect"]["steps"] == 4 and s["direct"]["steps"] == 6'
json 's["hybrid:1"]["steps"] == 4 and s["hybrid:0"]["steps"] == 6'
json 'd["process"] is None and d["shown"]["phases"] == [6]'
call 0 --m 900 --n 900 --from 2x3:5x3 --to 3x2:7x9 --json
json 'd["not_applicable"] == ["local", "lcm", "gcd", "multiphase", "two-phase"]'
call 0 --m 900 --n 900 --from 2x3:5x3 --to 2x3:9,1x7,0,2 --json
json 'd["not_applicable"] == ["local", "lcm", "gcd", "multiphase", "two-phase"]'
json 'd["problem"]["b"]["heights"] == [9, 1]'
json 'd["problem"]["b"]["widths"] == [7, 0, 2] and "nb" in d["problem"]["a"]'
json 's["indirect"]["steps"] == s["bruck"]["steps"] == 3'
# Rows stay, however they are cut; columns are R_1(6,9).
call 0 --m 9 --n 54 --from 2x9:5,03x1 --to 2x9:5,3x6 --json
json 's["indirect"]["steps"] == 4 and d["problem"]["a"]["heights"] == [5, 3]'
json 'd["problem"]["b"]["widths"] == 9 * [6] and s["multiphase"]["steps"] == 5'
call 0 --m 9 --n 9 --from 2x3:5x3 --to 2x3:5x3 --json
json 'd["shown"] == {"schedule": "local", "phases": [1], "messages": []}'

# ------------------------------------------------ costs
cat >"$dir/machine" <<'END'
hesca-machine 1
node startup 2 message 0 byte 0 copy 0
node-crowded startup 3 message 0 byte 0 copy 0
net startup 1 message 0 byte 0 copy 0
net-crowded startup 5 message 0 byte 0 copy 0
END
call 0 $nine --machine "$dir/machine" --json
json 's["direct"]["seconds"] == 10 and s["direct-async"]["seconds"] == 2'
json 'd["costs"]["machine"].endswith("/machine")'
call 0 $nine --machine "$dir/machine" --between nodes --json
json 's["direct"]["seconds"] == 5 and d["costs"]["between"] == "nodes"'
HESCA_MACHINE=$dir/machine call 0 $nine --load 1.5 --json
json 's["direct"]["seconds"] == 22.5 and d["costs"]["load"] == 1.5'
echo 'hesca-machine 1
node startup soon' >"$dir/bad"
refuses 2 ".*/bad:2: 'soon' must be a number" $nine --machine "$dir/bad"
refuses 2 '.*/missing: No such file' $nine --machine "$dir/missing"

# ------------------------------------------------ what is refused
refuses 1 "HESCA_SCHEDULE is 'gcd'.* these do: direct-async " --m 9 --n 9 \
    --from 2x3:5x3 --to 3x2:5x3 --schedule gcd
refuses 1 "HESCA_SCHEDULE is 'hybrid:9'" $nine --schedule hybrid:9
HESCA_BUFFER=lots refuses 1 "HESCA_BUFFER.*'lots'" $nine
refuses 2 '--m is missing'
refuses 2 '--to is missing' --m 1 --n 54 --from 1x9:1x1
refuses 2 '--to needs a value' --m 1 --to
refuses 2 "unknown option --frobnicate" --frobnicate
refuses 2 "'more' is not an option" $nine more
refuses 2 "--m '0': must be from 1 " --m 0
refuses 2 "--n '5x': expected N" --n 5x
refuses 2 "--esize '': expected BYTES" --esize ''
refuses 2 "--ia '99999999999999999999': expected IA" \
    --ia 99999999999999999999
refuses 2 "--ja '2147483600' puts the submatrix outside" $nine \
    --ja 2147483600
refuses 2 '--m .*: must be at most 2\^50 bytes' $nine --m 2147483647 \
    --n 2147483647
for layout in '' 2x2 2x2:4 2x2:4x4: 2x2:4x4:1 2x2@:4x4 4x4 2x2:4x4:0,0x \
    2x2:4,x4 2x2:4x,4 2x2:4,-1x4 2x2:4,4,4 2x2:4x4,4,; do
    refuses 2 "--from '$layout': must be PxQ\[@FIRST\]:" --from "$layout"
done
refuses 2 "--to '0x2:4x4': must be a grid" --to 0x2:4x4
for layout in 2x2:4,4,4x4 2x2:4x1,2,3 2x3:4x1,2 2x3:0,0x1,2,3 2x2:4x0,0; do
    refuses 2 "--to '$layout': must be a layout with a number for every" \
        --to "$layout"
done
refuses 2 "--to '2x2:4,1x0': must be a grid and" --to 2x2:4,1x0
refuses 2 "--to '2x2:4,1x4:0,0': must be a layout without RSRC,CSRC" \
    --to 2x2:4,1x4:0,0
refuses 2 "--to '2x2:4x2147483648,1': must be PxQ" --to 2x2:4x2147483648,1
refuses 2 "--to '2x2:4x4:2,0': must be a layout whose first" \
    --to 2x2:4x4:2,0
refuses 2 "--to '99x99:1x1': must be a grid of at most" --to 99x99:1x1
refuses 2 "--part 'low': expected all\|upper" --part low
refuses 2 "--between 'all': expected nodes" --between all
refuses 2 "--load '0.5': must be from 1" --load 0.5
refuses 2 "--rank '-1': must be from 0" $nine --rank -1
refuses 2 "--rank '9': must be a process of one" $nine --rank 9
refuses 2 "--svg '$dir/no/x' cannot be written: No such" $nine \
    --svg "$dir/no/x"
many='--m 1 --n 90000 --from 1x300:1x1 --to 1x300:1x300 --schedule direct'
refuses 2 "--svg 'x.svg': must be left out: 300 processes x 300 steps" \
    $many --svg x.svg
if [ -n "$HESCA_TEST_BIG" ]; then
    call 0 $many --json
    json 'd["shown"]["messages"] is None'
fi
[ -n "$python" ] || exit $failed

# ------------------------------------------------ element by element
# check OPTION...: all schedules of a redistribution; see check_plan.py.
check() {
    $python "$checker" "$hesca" "$@" || failed=1
}

check $nine
check --m 30 --n 60 --from 3x5:2x3 --to 3x5:3x2 --ia 7 --ib 7 # lcm, gcd
if [ -n "$HESCA_TEST_BIG" ]; then
    check --m 37 --n 41 --from 2x3:5x3 --to 3x2@1:7x9:1,1 --ia 4 --ja 3 --ib 11 --jb 2
    check --m 30 --n 1 --from 5x1:6x1 --to 5x1:2x1                # dual
    check --m 96 --n 72 --from 4x2:2x3:3,1 --to 4x2:8x6           # two patterns
    check --m 24 --n 60 --from 2x5:2x3 --to 2x5:3x12              # one pattern
    check --m 1 --n 720 --from 1x15:1x2 --to 1x15:1x24            # many phases
    check --m 29 --n 33 --from 2x2:2x3 --to 2x2:4x1:1,0 --part lower-strict --esize 16
    check --m 24 --n 60 --from 6x1:2x3 --to 1x6:12x5
    check --m 40 --n 40 --from 2x2@7:3x3 --to 2x2:5x5             # none in both
    check --m 1 --n 1 --from 2x3:1x1 --to 3x2:1x1:1,0
    check --m 20 --n 20 --from 2x3:4x4 --to 2x3:4x4
    check --m 20 --n 20 --from 1x1@3:4x4 --to 1x1@3:2x2
    check --m 37 --n 41 --from 2x3:5x3 --to 2x3@1:4,1x0,7,2 --ia 4 --jb 2
    check --m 30 --n 24 --from 3x2:3,0,2x5,1 --to 2x3:2,7x3 --ib 3
    check --m 23 --n 48 --from 3x4:5,2,1x2 --to 3x4:5,2,1x6       # rows stay
fi

# ------------------------------------------------ what the library does
if [ -n "$MPIEXEC" ]; then
    options='--m 24 --n 36 --from 2x2:2x3 --to 2x2:4x6 --ia 3 --ib 3'
    driver="$top_builddir/bench/time_gemr2d --only hesca --repeat 1"
    schedules=direct,hybrid:1,bruck,multiphase
    [ -z "$HESCA_TEST_BIG" ] || schedules=all
    $python "$checker" --run "$MPIEXEC -n 4 $driver $options" $schedules \
        "$hesca" $options || failed=1
else
    echo 'configure found no mpiexec: not compared with a run'
fi
exit $failed

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A sweep of time_gemr2d, and what compare.py and plot.py make of its results.
# No measured time decides anything here.

if [ -z "$MPIEXEC" ]; then
    echo 'configure found no mpiexec'
    exit 77
fi
. "$top_srcdir/testing/program.sh"
timing=$top_srcdir/bench
driver=$top_builddir/bench/time_gemr2d

# ------------------------------------------------ pblas_wait.sh
pblas=$timing/pblas_wait.sh
run 0 sh "$pblas" --help
for bad in '-n 0' '-r' '-l 4' '-t i' '--sizes 1,2' '-x'; do
    run 2 sh "$pblas" $bad
    says err '^pblas_wait.sh: .*see --help$|expected'
done
run 2 sh "$pblas" --sizes '1 2 3 4 5 6 7'
run 2 sh "$pblas" -b "$dir"
if [ "$shared" = yes ] && [ "$sanitizers" = no ] &&
    ls /usr/lib/*/scalapack/"$mpi"-tests/PBLAS/TIMING/dpb3tim \
        >"$dir/out" 2>&1; then
    run 0 sh "$pblas" -b "$top_builddir" -r 1 --sizes '16 48' \
        --csv "$dir/pblas.csv"
    says out '^ +3 +32 +[0-9.]+ \([0-9.]+, [0-9.]+\)$'
    holds "$dir/pblas.csv" '{r["hesca"] for r in rows} == {"with", "without"}'
    holds "$dir/pblas.csv" '{r["level"] for r in rows} == set("123")'
    holds "$dir/pblas.csv" '{r["grid"] for r in rows} == {"1x2", "2x1"}'
    holds "$dir/pblas.csv" '{r["n"] for r in rows} == {"16", "48"}'
fi

# ------------------------------------------------ sweeps
run 2 "$driver" --sweep=frobnicate
says err "'frobnicate'"
run 2 "$driver" --sweep --demo
run 2 "$driver" --sweep --size 100
run 2 "$driver" --max-bytes 1M
run 2 "$driver" --sweep --max-bytes 8191
run 2 "$driver" --sweep --max-bytes=-3
run 2 "$driver" --sweep --max-bytes 1T
run 0 $MPIEXEC -n 2 "$driver" --sweep=size --memory 300K --only hesca --repeat 1
says_times 4 ' yes  '
says_times 8 ' skipped: needs .* GB of a node, '

# ------------------------------------------------ cases drawn at random
run 2 "$driver" --seed 3
run 2 "$driver" --random 3 --only hesca
run 2 "$driver" --random 3 --size 100
run 0 $MPIEXEC -n 2 "$driver" --random 6 --seed 3 --max-bytes 20000 --repeat 1
says_times 1 '^identical: yes$'
says out '^(vectors|thin|12 x 12 and more) +[1-6] '
says_times 6 '^ *[0-9.]+ +[0-9.]+  --type [isdcz] --m [0-9]+ --n [0-9]+ --from '

run 0 sh "$timing/sweep.sh" --help
run 2 sh "$timing/sweep.sh" -n two
run 2 sh "$timing/sweep.sh" -b "$dir"
run 2 env MPIEXEC=false sh "$timing/sweep.sh" -n 2 -o "$dir" -b "$top_builddir"
says err 'time_gemr2d on 2 processes: exit status 1$'
run 0 sh "$timing/sweep.sh" -n '1 2' -o "$dir/sweep" -b "$top_builddir" -- \
    --max-bytes 100K --repeat 1
says_times 2 '^identical: yes$'
says_times 0 ' no  '

[ -n "$python" ] || exit $failed
csv=$dir/sweep/sweep.csv
[ -s "$dir/sweep/bandwidth.svg" ] || complain 'no bandwidth.svg'

holds "$csv" '{r["processes"] for r in rows} == {"1", "2"}'
holds "$csv" '{r["identical"] for r in rows} == {"yes"}'
holds "$csv" '{r["mb_a"] for r in rows} >= {"1", "2", "8", "32", "100"}'
holds "$csv" '{r["p_a"] + r["q_a"] for r in rows} == {"11", "12", "21"}'
holds "$csv" '{r["bytes"] for r in rows} >= {"8192", "80000"}'
holds "$csv" 'any(r["m"] == "1000" and r["n"] == "10" for r in rows)'
holds "$csv" 'all(float(r[x + "_median_s"]) > 0 for r in rows
                  for x in ("real", "hesca", "floor"))'

# ------------------------------------------------ compare.py
# edit NAME STATEMENT: $csv with STATEMENT done to each row in Python, k is its
# number, as $dir/NAME.csv.
edit() {
    python3 -c "import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
kept = []
def scale(row, factor, *names):
    for x in names:
        for column in (x + '_median_s', x + '_min_s'):
            row[column] = repr(factor * float(row[column]))
for k, row in enumerate(rows):
    $2
    kept.append(row)
out = csv.DictWriter(open(sys.argv[2], 'w'), kept[0], lineterminator='\n')
out.writeheader()
out.writerows(kept)" "$csv" "$dir/$1.csv" || complain "edit $1 fails"
}

# compare STATUS NAME [OPTION...]: the sweep with $dir/NAME.csv.
compare() {
    want=$1 name=$2
    shift 2
    run "$want" python3 "$timing/compare.py" "$csv" "$dir/$name.csv" "$@"
}

edit same 'pass'
compare 0 same
says out ' 0 slower by more than 25 %, 0 faster, 0 not identical, 0 without'
edit slow 'scale(row, 2, "hesca")'
compare 1 slow
says_times "$(($(wc -l <"$csv") - 1))" ' 2\.000 .* 2\.000  SLOWER$'
compare 0 slow --tolerance 150
compare 1 slow --json -
says err 'SLOWER'
command='JSON of compare.py'
python3 -c "import json, sys
d = json.load(open(sys.argv[1]))
assert d['slower'] == len(d['cases']) > 0
assert all(round(c['new_over_old'], 6) == 2 for c in d['cases'])
assert d['cases'][0]['verdict'] == 'slower'" "$dir/out" || complain 'wrong'
edit drift 'scale(row, 2, "hesca", "real", "floor")'
compare 0 drift
says out 'memcpy 2\.000, ScaLAPACK 2\.000$'
edit fast 'scale(row, 0.5, "hesca")'
compare 0 fast
says out ' 0 slower .* [1-9][0-9]* faster'
edit wrong 'row["identical"] = "no" if k == 1 else "yes"'
compare 1 wrong
says_times 1 'NOT IDENTICAL$'
edit wider 'row["added"] = "later"'
compare 0 wider
edit fewer 'kept = kept[:1]'
compare 0 fewer
says out "^only in $csv: pdgemr2d .* on 2\$"
edit other 'row["schedule"] = "direct"'
compare 2 other
says err 'no case in common'

# bad NAME STATEMENT MESSAGE: a file that cannot be used, and what is said.
bad() {
    edit "$1" "$2"
    compare 2 "$1"
    says err "^compare.py: .*/$1.csv:$3"
}

bad token 'row["hesca_median_s"] = "abc" if k == 1 else "1"' \
    "3: hesca_median_s: 'abc' is not a number above 0"
bad word 'row["identical"] = "perhaps"' "2: identical: 'perhaps' is not yes"
bad size 'row["m"] = "-3"' "2: m: '-3' is not a number"
bad nan 'row["floor_median_s"] = "nan"' "2: floor_median_s: 'nan'"
bad column 'del row["nb_b"]' "1: no column 'nb_b'"
bad twice 'kept += [row]' "3: .*is also in .*:2"
{ head -n 1 "$csv" && echo larger blocks,pdgemr2d,d; } >"$dir/cut.csv"
compare 2 cut
says err '^compare.py: .*/cut.csv:2: end of line: '
: >"$dir/empty.csv"
compare 2 empty
says err "^compare.py: .*/empty.csv:1: "
compare 2 missing
says err 'missing.csv: No such file'
compare 2 same --tolerance much
says err "'much'"

# ------------------------------------------------ plot.py
# draws ELEMENT COUNT [OPTION...] FILE: a picture with so many of an element.
draws() {
    element=$1 count=$2
    shift 2
    run 0 python3 "$timing/plot.py" "$@" -o "$dir/out.svg"
    has "$dir/out.svg" "$element" "$count"
}

# Two redistributions on 1 and on 2 processes; three lines with two marks each.
draws polyline 12 --bandwidth "$csv"
draws circle 24 --bandwidth "$csv"
draws polyline 6 --bandwidth "$dir/sweep/sweep-2.csv" --title '<&>'
draws polyline 12 --bandwidth "$dir/wider.csv"
edit hesca 'row.update(real_median_s="", floor_median_s="")'
draws polyline 4 --bandwidth "$dir/hesca.csv"
draws rect $((4 + 3 * ($(wc -l <"$csv") - 1))) "$csv"
edit one 'kept = []'
run 1 python3 "$timing/plot.py" --bandwidth "$dir/one.csv"
says err 'plot.py: .*--sweep=size'
run 1 python3 "$timing/plot.py" "$dir/token.csv"
says err "token.csv:3: hesca_median_s: 'abc'"
run 1 python3 "$timing/plot.py" --bandwidth "$csv" "$dir/same.csv"
says err 'same size'
exit $failed

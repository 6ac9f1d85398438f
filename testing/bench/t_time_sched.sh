#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# time_heuristics, time_broadcasts, time_tiling, time_coll, time_build, time_graph
# and growth.py in small, and messages about bad options.
# No measured time decides anything here.

. "$top_srcdir/testing/program.sh"
timing=$top_srcdir/bench
timer=$top_builddir/bench/time_heuristics

# bad WORD OPTION...: exit status 2, one line that has WORD.
bad() {
    word=$1
    shift
    run 2 "$timer" "$@"
    says err "$word"
    [ "$(wc -l <"$dir/err")" -eq 1 ] || complain 'not one line'
}

bad "^time_heuristics: --pattern 'all'" --pattern all
bad "--procs '1': must be from 2" --procs 1
bad "--schedules 'open'" --schedules open
bad "--schedules '" --schedules greedy,,openshop
bad "--k '9': must not exceed P = 8" --pattern redist --procs 8 --k 9
bad "--runs '0'" --runs 0
bad "'frob' is not an option" frob
bad "$dir/no/where: No such file" --csv "$dir/no/where"
run 0 "$timer" --help
says out 'BHAT-EXC'

algorithms=$top_builddir/bench/time_broadcasts
run 2 "$algorithms" --procs 0
says err "^time_broadcasts: --procs '0'"
run 2 "$algorithms" --algorithms optimum,frob
says err ": 'frob' is no such name"
run 0 "$algorithms" --procs 5,8 --runs 2 --csv "$dir/algorithms.csv"
says out 'graft'
tiling=$top_builddir/bench/time_tiling
run 2 "$tiling" --procs 0
says err "^time_tiling: --procs '0'"
run 2 "$tiling" --spread 0.5
says err "^time_tiling: --spread '0.5'"
run 0 "$tiling" --help
says out 'half perimeters'
run 0 "$tiling" --procs 5,8 --order 60 --runs 2 --csv "$dir/tiling.csv"
says out 'recursive'
run 0 "$tiling" --procs 6 --order 60 --runs 1 --functions
says out 'free-cartesian'
if [ -n "$MPIEXEC" ]; then
    for what in bcast alltoallv; do
        run 0 $MPIEXEC -n 3 "$top_builddir/bench/time_coll" \
            --what $what --bytes 1000,200000 --seconds 0.2 --shape random \
            --csv "$dir/$what.csv"
        [ "$(grep -c ',yes$' "$dir/$what.csv")" -eq 4 ] ||
            complain "time_coll --what $what: not four right results"
    done
fi

run 0 "$timer" --procs 4,8 --runs 2 --csv "$dir/large.csv"
says out 'polished'
run 0 "$timer" --pattern redist --procs 8 --k 3,7 --schedules run,refine \
    --csv "$dir/redist.csv" --json "$dir/redist.json"
[ -n "$python" ] || exit $failed
"$python" - "$dir" <<'EOF' || complain 'the files are not as they should be'
import csv, json, sys
large = list(csv.DictReader(open(sys.argv[1] + "/large.csv")))
redist = list(csv.DictReader(open(sys.argv[1] + "/redist.csv")))
algorithms = list(csv.DictReader(open(sys.argv[1] + "/algorithms.csv")))
tiling = list(csv.DictReader(open(sys.argv[1] + "/tiling.csv")))
assert len(tiling) == 22 and {r["processors"] for r in tiling} == {"5", "8"}
assert all(float(r["imbalance"]) > 1 - 1e-9 for r in tiling)
best = {}
for r in algorithms:
    if r["finish_over_optimum"]:
        assert float(r["finish_over_optimum"]) > 1 - 1e-9, r
    best.setdefault(r["processes"], set()).add(r["algorithm"])
assert set(best) == {"5", "8"} and "optimum" in best["8"], best
assert len(large) == 14 and len(redist) == 4
assert {r["events"] for r in large} == {"12", "56"}
assert all(float(r["finish_over_bound"]) > 1 - 1e-9 for r in large + redist)
assert all((r["growth"] == "") == (r["processes"] == "4") or
           float(r["seconds"]) > 0 for r in large)
assert len(json.load(open(sys.argv[1] + "/redist.json"))) == 4
EOF
run 0 "$python" "$timing/growth.py" "$dir/large.csv" "$dir/redist.csv" \
    -o "$dir/both.svg"
[ "$(grep -c '<polyline' "$dir/both.svg")" -eq 9 ] || complain 'not 9 curves'
run 0 "$python" "$timing/growth.py" "$dir/algorithms.csv" -o "$dir/algorithms.svg"
grep -q '<polyline' "$dir/algorithms.svg" || complain 'no curves of algorithms'
run 1 "$python" "$timing/growth.py" missing.csv
says err 'missing.csv: No such file'
run 2 "$python" "$timing/growth.py"
# ------------------------------------------------ time_build
timer=$top_builddir/bench/time_build
bad "unknown option --frob" --frob
bad "--eps 'x'" --eps x
bad "has minlen 0.5" --minlen 0.5
bad "--confirm '0'" --confirm 0
bad "$dir/no/where: No such file" --csv "$dir/no/where"
run 0 "$timer" --help
says out 'equal steps'
run 0 "$timer" --csv "$dir/build.csv"
says out '^polyline +17 '
holds "$dir/build.csv" 'len(rows) == 6'
holds "$dir/build.csv" 'all(3 * int(r["points"]) <= int(r["one_for_all"])
    for r in rows if r["one_for_all"] != "0")'
# ------------------------------------------------ time_graph
timer=$top_builddir/bench/time_graph
bad "^time_graph: --graphs 'frob'" --graphs frob
bad "--vertices '7': must be from 8" --vertices 7
bad "--engines 'frob'" --vertices 8 --engines frob
bad "--speeds 'frob'" --vertices 8 --speeds frob
bad "--parts '0'" --parts 0
bad "--tolerance 'x'" --tolerance x
bad "$dir/no/where: No such file" --csv "$dir/no/where"
run 0 "$timer" --help
says out 'power'
run 0 "$timer" --vertices 1000 --engines own --parts 4 --csv "$dir/graph.csv"
says out '^geometric +1000 .* skewed +4 own '
holds "$dir/graph.csv" 'len({(r["graph"], r["speeds"]) for r in rows}) == 12 ==
    len(rows) and {r["used"] for r in rows} == {"own"}'
# Within the tolerance, or one vertex of the least target, 1 of 36 of 1000.
holds "$dir/graph.csv" 'all(float(r["deviation"]) <= 0.036 and
    0 < int(r["cut"]) < int(r["edges"]) for r in rows)'
exit $failed

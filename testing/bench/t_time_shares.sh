#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# time_shares and shares.py in small, and messages about bad options.
# No measured time decides anything here.

. "$top_srcdir/testing/program.sh"
timing=$top_srcdir/bench
timer=$top_builddir/bench/time_shares

# bad WORD OPTION...: exit status 2, one line that has WORD.
bad() {
    word=$1
    shift
    run 2 "$timer" "$@"
    says err "$word"
    [ "$(wc -l <"$dir/err")" -eq 1 ] || complain 'not one line'
}

bad "^time_shares: --shape 'round'" --shape round
bad "--procs '0': must be from 1" --procs 0
bad "--powers '16'" --powers 16
bad "--methods 'root,frob'" --methods root,frob
bad "--knots '0'" --knots 0
bad "'frob' is not an option" frob
bad "$dir/no/where: No such file" --csv "$dir/no/where"
run 0 "$timer" --help
says out 'basic-log'

# Methods that disagree would be reported.
run 0 "$timer" --procs 1,3,40 --powers 0,3 --runs 2 --csv "$dir/plain.csv" \
    --json "$dir/plain.json"
says out 'combined'
run 0 "$timer" --procs 7 --powers 2:5 --limits --shape falling --knots 5 \
    --csv "$dir/limits.csv"
run 0 "$timer" --procs 3 --powers 9 --shape flat
says out 'greedy *left out'
[ -n "$python" ] || exit $failed
"$python" - "$dir" <<'END' || complain 'the files are not as they should be'
import csv, json, sys
plain = list(csv.DictReader(open(sys.argv[1] + "/plain.csv")))
limits = list(csv.DictReader(open(sys.argv[1] + "/limits.csv")))
assert len(plain) == 3 * 2 * 7 and len(limits) == 4 * 7, len(plain)
assert {r["limits"] for r in limits} == {"yes"}
assert all(1 <= float(r["rounds"]) <= 7 for r in limits)
assert all(r["method"] == "rounds" or r["rounds"] == "1" for r in limits)
assert any(float(r["rounds"]) > 1 for r in limits)
assert len(json.load(open(sys.argv[1] + "/plain.json"))) == len(plain)
END
run 0 "$python" "$timing/shares.py" "$dir/plain.csv" "$dir/limits.csv" \
    -o "$dir/time.svg"
# Seven curves for two numbers of elements, three of processors, and limits.
[ "$(grep -c '<polyline' "$dir/time.svg")" -eq 42 ] ||
    complain "$(grep -c '<polyline' "$dir/time.svg") curves"
run 0 "$python" "$timing/shares.py" --what steps "$dir/limits.csv" \
    -o "$dir/steps.svg"
grep -q '<polyline' "$dir/steps.svg" || complain 'no curves of steps'
run 1 "$python" "$timing/shares.py" missing.csv
says err 'missing.csv: No such file'
run 2 "$python" "$timing/shares.py"
exit $failed

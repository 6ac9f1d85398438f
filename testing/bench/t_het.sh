#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The figures of BHAT-HET, BHAT-EXC and BHAT-COL in small: which schedule is
# fastest, and by how much, as the papers claim; messages about bad options.

. "$top_srcdir/testing/program.sh"
timing=$top_srcdir/bench

# het STATUS OPTION...
het() {
    want=$1
    shift
    run "$want" sh "$timing/het.sh" -b "$top_builddir" -o "$dir/het" "$@"
}

# of FIGURE EXPRESSION: true of t, times, and r, ratios to the bound, of
# schedules by name, at every point of the figure.
of() {
    [ -n "$python" ] || return
    command="$2 in $1"
    $python -c "import csv, sys
points = {}
for row in csv.DictReader(open(sys.argv[1])):
    key = tuple(row[c] for c in ('processes', 'k', 'dests', 'rate_high'))
    points.setdefault(key, []).append(row)
for key, rows in points.items():
    t = {row['schedule']: float(row['finish_s']) for row in rows}
    r = {row['schedule']: float(row['ratio']) for row in rows}
    if not ($2):
        sys.exit('%s: %s' % (key, r))
sys.exit(not points)" "$dir/het/$1.csv" 2>"$dir/err" || complain 'not so'
}

het 0 --help
het 2
says err '^het.sh: --figure is needed'
het 2 --figure lim
says err "^het.sh: --figure 'lim': no such figure"
het 2 --figure
het 2 --figure het-4 more
het 2 --figure het-5b -- --k 99
says err 'must not exceed P = 64'
run 2 sh "$timing/het.sh" -b "$dir" --figure het-4
says err "^het.sh: no src/tools/hesca in "

het 0 --figure all --quick
[ -n "$python" ] || exit $failed
for f in het-4 het-5a het-5b exc-small exc-large exc-mixed exc-servers col-4 \
    col-5 col-6; do
    $python -c "import sys, xml.etree.ElementTree as tree
tree.parse(sys.argv[1])" "$dir/het/$f.svg" || complain "$f.svg is not XML"
done
# BHAT-HET 5: 10 to 60 % below direct; within 10 % of the bound.
of het-4-64 '0.4 <= t["openshop"] / t["direct"] <= 0.9'
of het-5a '1 <= r["openshop"] <= 1.1'
of het-5b '1 <= r["openshop"] <= 1.1 and t["openshop"] < t["direct"]'
# BHAT-EXC 5: open shop is best of the papers' algorithms; the matchings, too,
# beat the baseline.
for f in exc-large exc-mixed exc-servers; do
    of $f 'max(t["minmatch"], t["maxmatch"]) < t["caterpillar"]'
    of $f 't["openshop"] < min(t[s] for s in ("greedy", "minmatch", "maxmatch",
        "caterpillar"))'
done
# BHAT-COL 5: the baseline is worst, look-ahead and ECEF before FEF.
for f in col-4 col-6; do
    of $f 'max(t["ecef"], t["lookahead"]) <= t["fef"] * 1.000001'
    of $f 'max(t, key=t.get) == "fnf"'
done
# Ours: never later than the best that they have, in the mean of any runs.
for f in exc-small exc-large exc-mixed exc-servers; do
    of $f 't["polished"] <= t["openshop"] * 1.000001'
done
for f in col-4 col-5 col-6; do
    of $f 't["graft"] <= min(t["ecef"], t["lookahead"]) * 1.000001'
    of $f '"optimum" not in t or t["optimum"] <= min(t.values()) * 1.000001'
done

# What pictures cannot be made of.
echo 'pattern' >"$dir/bad.csv"
run 1 $python "$timing/het.py" --figure het-5a "$dir/bad.csv"
says err '^het.py: .*bad.csv'
exit $failed

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The figures of LIM's section 5 in small, and messages about bad options.  No
# measured time decides anything here.

if [ -z "$MPIEXEC" ]; then
    echo 'configure found no mpiexec'
    exit 77
fi
. "$top_srcdir/testing/program.sh"
timing=$top_srcdir/bench
timer=$top_builddir/bench/time_lim
model=$top_builddir/bench/model_lim

lim() {
    want=$1
    shift
    run "$want" sh "$timing/lim.sh" -b "$top_builddir" -o "$dir/lim" "$@"
}

# bad PROGRAM WORD OPTION...: exit status 2, one line that has WORD.
bad() {
    program=$1 word=$2
    shift 2
    run 2 "$program" "$@"
    says err "$word"
    [ "$(wc -l <"$dir/err")" -eq 1 ] || complain 'not one line'
}

# ------------------------------------------------ bad options
bad "$timer" "^time_lim: --k 'x': expected" --k x
bad "$timer" "--k '1:'" --k 1:
bad "$timer" "--k '1:2:0'" --k 1:2:0
bad "$timer" "--k '0': must be from 1" --k 0
bad "$timer" "--k '2': must not exceed the 1 proc" --k 2
bad "$timer" "--schedules 'hybrid': no such" --schedules direct,hybrid
bad "$timer" "--schedules '" --schedules direct,,auto
bad "$timer" "--procs '2': there are 1" --procs 2
bad "$timer" "--bytes '1Q'" --bytes 1Q
bad "$timer" "--esize '5'" --esize 5
bad "$timer" "--n1 '0'" --n1 0
bad "$timer" "--seconds '-1'" --seconds -1
bad "$timer" "--transport 'tcp'" --transport tcp
bad "$timer" "--array 'cube'" --array cube
bad "$timer" "$dir/no/where: No such file" --csv "$dir/no/where"
bad "$timer" 'only one of --csv' --csv - --json -
bad "$timer" "'frob' is not an option" frob
bad "$model" "^model_lim: --machine 'cm5'" --machine cm5
bad "$model" "--procs '1'" --procs 1
bad "$model" "--faster '0'" --faster 0
bad "$model" "--byte '0'" --byte 0
bad "$model" "--k '9': must not exceed P = 8" --procs 8 --k 9
bad "$model" "--schedules 'frob': not for" --schedules frob
bad "$model" "--schedules 'auto': not for" --simulate --schedules auto
bad "$model" "--schedules 'hybrid:99': not" --simulate --schedules hybrid:99
run 0 "$timer" --help
run 0 "$model" --help
lim 2
lim 2 --figure 13
says err "--figure '13'"
lim 2 --figure 14 --procs 1
says err "--procs '1'"
lim 2 --figure 14 --transport tcp
lim 2 --figure
lim 2 frob
lim 0 --help
run 2 sh "$timing/lim.sh" --figure 14 -b "$dir"

# ------------------------------------------------ measured
# On three of four processes, all there is to compare, in both shapes.
run 0 $MPIEXEC -n 4 "$timer" --procs 3 --k 1:3 --n1 4 --n2 2 --bytes 5000 \
    --schedules direct,direct-async,indirect,hybrid:0,hybrid:1,multiphase,two-phase,alltoall,auto,bruck,mpi-alltoall,pack,none \
    --csv "$dir/three.csv" --json "$dir/three.json"
says out '^ +1 .* hybrid:1 .*skipped: HESCA_SCHEDULE is'
run 0 $MPIEXEC -n 2 "$timer" --k 2 --n1 3 --n2 1 --bytes 1 --x 3 --esize 8 \
    --array row --real --transport shm --csv -
says_times 1 '^2,2,96,12,row,3,8,scalapack,'
says err '^ +2 +96  scalapack .* yes$'

# A library whose executions do nothing is found out.
if [ "$sanitizers" != yes ] && [ "$shared" = yes ]; then
    echo 'int hesca_plan_execute(void); int hesca_plan_execute(void)
        { return 0; }' >"$dir/lazy.c"
    run 0 $CC -shared -fPIC -o "$dir/lazy.so" "$dir/lazy.c"
    run 1 env LD_PRELOAD="$dir/lazy.so" "$timer" --k 1 --schedules direct \
        --n1 1 --n2 1
    says err 'direct: process 0 has 50000 wrong elements of B'
    says out ' no$'
fi

if ! command -v python3 >/dev/null; then
    echo 'no python3: results and pictures are not checked'
    exit $failed
fi

command='JSON of time_lim'
python3 -c "import json, sys
rows = json.load(open(sys.argv[1]))
assert rows[0]['k'] == 1 and rows[0]['processes'] == 3" "$dir/three.json" ||
    complain 'wrong'

# What every file of time_lim must be.
measured() {
    holds "$1" 'len(rows) > 0 and all(
        0 < float(r["t_min_s"]) <= float(r["t_med_s"]) <= float(r["t_max_s"])
        and float(r["t_min_s"]) * 0.999999 <= float(r["t_avg_s"])
        and float(r["t_avg_s"]) <= float(r["t_max_s"]) * 1.000001
        for r in rows)'
    holds "$1" '{r["right"] for r in rows} <= {"yes", "-"}'
    holds "$1" 'all((r["right"] == "-") == (r["schedule"] in ("pack", "none"))
                    for r in rows)'
    holds "$1" 'all(int(r["elements"]) % (int(r["k"]) * int(r["processes"])
                    * int(r["x"])) == 0 and
                    int(r["bytes"]) == int(r["elements"]) * int(r["esize"])
                    for r in rows)'
    # Steps: LIM's Theorem 3 and Table 1, where messages are needed at all.
    python3 - "$1" <<'END' || complain "steps in $1"
import csv, math, sys

def log(n):
    return (n - 1).bit_length()

def factors(k):
    f = 2
    while k > 1:
        while k % f == 0:
            yield f
            k //= f
        f += 1

def least_pair(k):
    pairs = [a + k // a for a in range(2, k) if k % a == 0]
    return min(pairs + [k])

for row in csv.DictReader(open(sys.argv[1])):
    k, p, name = int(row["k"]), int(row["processes"]), row["schedule"]
    if k == 1 or name in ("auto", "bruck", "scalapack", "mpi-alltoall",
                          "pack", "none"):
        continue
    g = math.gcd(k, p)
    degree = log(k // g) + log(g)
    must = {"direct": k, "direct-async": k, "alltoall": k,
            "multiphase": sum(factors(k)), "two-phase": least_pair(k),
            "indirect": degree + 1}.get(name)
    if must is None:
        d = int(name.split(":")[1])
        must = d + -(-k // 2 ** d)
    assert int(row["steps"]) == must <= max(k, log(k) + 2), row
    assert float(row["plan_s"]) > 0, row
END
}

measured "$dir/three.csv"
lim 0 --figure all --procs 4 --quick -- --n1 3 --n2 2
for f in 14 15 16 17a 17b 18 19; do
    measured "$dir/lim/$f.csv"
done
holds "$dir/lim/14.csv" '{r["schedule"] for r in rows} ==
                         {"direct", "indirect", "hybrid:1"}'
holds "$dir/lim/15.csv" '"multiphase" in {r["schedule"] for r in rows}'
holds "$dir/lim/18.csv" '{"alltoall", "mpi-alltoall", "direct-async"} <
                         {r["schedule"] for r in rows}'
holds "$dir/lim/19.csv" '{(r["k"], r["processes"]) for r in rows} ==
                         {("1", "1"), ("2", "2"), ("4", "4")}'
has "$dir/lim/14.svg" polyline 12
has "$dir/lim/15.svg" polyline 4
has "$dir/lim/16.svg" polyline 9
has "$dir/lim/17.svg" polyline 10
has "$dir/lim/18.svg" polyline 6
has "$dir/lim/19.svg" polyline 5

# ------------------------------------------------ models
# corollary N K P D TD TAU: LIM's Corollary 2 (iii), (i) being D = 0.
corollary='(lambda n, k, p, d, t, b: (d + -(-k // 2 ** d)) * t +
           (d / 2 + 1) * n / p * 4 * b)(float(r["elements"]),
           int(r["k"]), int(r["processes"]), {"direct": 0, "hybrid:2": 2,
           "hybrid:4": 4, "indirect": int(math.log2(int(r["k"])))}[
           r["schedule"]], float(r["startup_s"]), float(r["byte_s"]))'
for f in 20-sp2 20-sp2-35 20-t3d; do
    holds "$dir/lim/$f.csv" 'len(rows) == 120 and
        len({(r["startup_s"], r["byte_s"]) for r in rows}) == 4'
    # A prediction leaves out what stays, 1/P, and direct the step for that.
    holds "$dir/lim/$f.csv" "all(abs(float(r['seconds']) / (127 / 128 *
        ($corollary) + (r['schedule'] != 'direct') *
        float(r['steps']) * float(r['startup_s']) / 128) - 1) < 1e-6
        for r in rows)"
    has "$dir/lim/$f.svg" polyline 12
done
holds "$dir/lim/20-sp2-35.csv" 'rows[0]["startup_s"] == "4e-05" and
                                rows[0]["byte_s"] == "3.5e-08"'
for f in sim-fixed sim-share; do
    holds "$dir/lim/$f.csv" "len(rows) == 20 and all(
        abs(float(r['seconds']) / ($corollary) - 1) < 1e-6 for r in rows)"
done
has "$dir/lim/sim.svg" polyline 8
# Two shifts, where one would take 7 and LIM's Theorem 3 (iii) says 6; and as
# many steps as indirect, where it says 5.  See testing/sched/t_store_forward.c.
run 0 "$model" --simulate --procs 12 --k 9 --startup 1 --byte 1e-12 \
    --schedules hybrid:1 --json -
says out '"steps": 5'
run 0 "$model" --simulate --procs 18 --k 15 --startup 1 --byte 1e-12 \
    --schedules hybrid:3 --json -
says out '"steps": 6'

# ------------------------------------------------ lim.py
# edit NAME STATEMENT: 14.csv with STATEMENT done to each row, as $dir/NAME.csv.
edit() {
    python3 -c "import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
for row in rows:
    $2
out = csv.DictWriter(open(sys.argv[2], 'w'), rows[0], lineterminator='\n')
out.writeheader()
out.writerows(rows)" "$dir/lim/14.csv" "$dir/$1.csv"
}

# unusable NAME STATEMENT MESSAGE
unusable() {
    edit "$1" "$2"
    run 1 python3 "$timing/lim.py" --figure 14 "$dir/$1.csv"
    says err "^lim.py: .*/$1.csv:$3"
}

unusable token 'row["t_min_s"] = "abc"' "2: t_min_s: 'abc' is not a number"
unusable word 'row["right"] = "perhaps"' "2: right: 'perhaps' is not yes"
unusable column 'del row["k"]' "1: no column 'k'"
edit wrong 'row["right"] = "no"'
run 0 python3 "$timing/lim.py" --figure 14 "$dir/wrong.csv"
says out 'results are not right'
run 0 python3 "$timing/lim.py" --figure 14 "$dir/lim/14.csv" --title '<&>' \
    -o "$dir/title.svg"
has "$dir/title.svg" polyline 12
run 2 python3 "$timing/lim.py" --figure 13 "$dir/lim/14.csv"
says err "'13'"
run 2 python3 "$timing/lim.py" "$dir/lim/14.csv"
run 1 python3 "$timing/lim.py" --figure 20 "$dir/lim/14.csv"
run 1 python3 "$timing/lim.py" --figure 14 missing.csv
says err 'missing.csv: No such file'
exit $failed

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hesca sim: examples by hand, runs that repeat themselves, what processes can
# carry out, pictures, bad options.

. "$top_srcdir/testing/program.sh"
. "$top_srcdir/testing/tools/page.sh"
hesca=$top_builddir/src/tools/hesca

sim() {
    run 0 "$hesca" sim "$@"
}

# refuses MESSAGE OPTION...: one line on stderr, which begins so.
refuses() {
    message=$1
    shift
    run 2 "$hesca" sim "$@"
    says err "^hesca( sim)?: $message"
    [ "$(wc -l <"$dir/err")" -eq 1 ] || complain 'not one line'
    silent out
}

# possible FILE [exchange|cast]: see check_events.py.
possible() {
    [ -n "$python" ] || return
    command="check_events.py $*"
    $python "$top_srcdir/testing/tools/check_events.py" "$@" \
        >"$dir/out" 2>"$dir/err" || complain 'not possible'
}

# ------------------------------------------------ help, bad options
sim --help
says out '^  multicast  a broadcast to some of the processes$'
for pattern in redist exchange bcast multicast; do
    sim $pattern --help
    says out "^Usage: hesca sim $pattern "
    [ "$(awk 'length > 99' "$dir/out")" = '' ] || complain 'long lines'
done
refuses 'sim needs a pattern'
refuses "sim knows no pattern 'all'" all
refuses "'more' is not an option" exchange more
refuses 'unknown option --k;' exchange --k 3
refuses 'unknown option --dests;' bcast --dests 3
refuses '--procs needs a value' exchange --procs
refuses "--procs '1': must be from 2 to" exchange --procs 1
refuses "--procs '3:2': expected P" exchange --procs 3:2
refuses "--k '5': must not exceed P = 4" redist --procs 4 --k 5
refuses "--random 'lan': expected het" exchange --random lan
refuses "--rate '1': expected LOW:HIGH" exchange --rate 1
refuses "--rate '0:1': both must be a number of bytes" exchange --rate 0:1
refuses "--rate '2:1': the first is more" exchange --rate 2:1
refuses "--startup '-1:1': both must be a number of sec" bcast --startup -1:1
refuses "--startup 'nan:1': both must be" bcast --startup nan:1
refuses '--log needs start-up times above 0' bcast --startup 0:1ms --log
refuses "--sizes 'any': expected fixed" exchange --sizes any
refuses "--bytes '0': must be from 1" exchange --bytes 0
refuses "--servers '1.5': must be from 0 to 1" exchange --servers 1.5
refuses "--drift '1': must be from 0 to 0.99" exchange --drift 1
refuses "--slow '0.5': must be from 1" exchange --slow 0.5
refuses "--reschedule 'now': expected event" exchange --reschedule now
refuses '--casts does not go with' multicast --casts 2 --failures
refuses "--casts '0': must be from 1" multicast --casts 0
refuses "--runs '0': must be from 1" exchange --runs 0
refuses "--run '3': there are 3 runs" exchange --runs 3 --run 3
refuses "--schedule 'best': no such" exchange --schedule openshop,best
refuses "--schedule 'direct': no such" exchange --schedule direct
refuses "--schedule 'best': no such" bcast --schedule best
refuses "--schedule 'a,': expected NAME" bcast --schedule a,
refuses "--root '4': must be below P = 4" bcast --procs 4 --root 4
refuses "--dests '4': must be below P = 4" multicast --procs 4 --dests 4
refuses '--m, --n, --from and --to go together' redist --m 4
refuses "--from '2x2': must be PxQ" redist --from 2x2
general='--m 40 --n 60 --from 2x2:4x4 --to 1x3@2:8x8'
refuses '--procs and --k do not go with' redist $general --procs 4
refuses 'only one of --csv|.*--json' exchange --csv - --json -
refuses "$dir/no/x: No such file" exchange --procs 3 --csv "$dir/no/x"
refuses ".*/none: No such file" exchange --machine "$dir/none"
echo 'hesca-machine 1' >"$dir/alike"
refuses ".*alike.*" exchange --machine "$dir/alike"

# ------------------------------------------------ examples by hand
# 0 to 1 takes 2 + 6 / 3 = 4 s, 1 to 0 takes 1 + 6 / 6 = 2 s.
cat >"$dir/two" <<'END'
hesca-machine 1
host a
host b
link a b startup 2 rate 3
link b a startup 1 rate 6
inside a startup 1 rate 1
inside b startup 1 rate 1
END
csv=$dir/result.csv
sim exchange --machine "$dir/two" --procs 2 --bytes 6 --csv "$csv"
holds "$csv" 'len(rows) >= 6 and all(float(r["finish_s"]) == float(r["bound_s"]) == 4 for r in rows)'
# Four processes: 0 and 1 on a.  0 sends to 1 in 7 s, to 2 and 3 in 4 s each;
# 2 in 2 s each, and to 3 in 7 s.
sim exchange --machine "$dir/two" --procs 4 --bytes 6 --csv "$csv"
holds "$csv" 'all(float(r["bound_s"]) == 15 for r in rows)'
sim bcast --machine "$dir/two" --procs 2 --bytes 6 --root 1 --csv "$csv"
holds "$csv" 'all(float(r["finish_s"]) == float(r["bound_s"]) == 2 for r in rows)'
# One row of four blocks of a double to one block of four, on two processes:
# 0 keeps its first and sends one, 1 sends one and keeps its last.
sim redist --machine "$dir/two" --m 1 --n 4 --from 1x2:1x1 --to 1x2:1x2 \
    --csv "$csv"
holds "$csv" 'all(abs(float(r["finish_s"]) - 2 - 8 / 3) < 1e-8 for r in rows)'
# BHAT-COL Eq. 2, 10 MB among four sites of GUSTO: FEF ends at 317 s, the
# optimum at 296, both cut to whole seconds as the entries are.
sim bcast --machine "$top_srcdir/examples/gusto.machine" --procs 4 \
    --bytes 1e7 --schedule fef,optimum --csv "$csv"
holds "$csv" '[int(float(r["finish_s"])) for r in rows] == [317, 296]'

# ------------------------------------------------ runs
# Results but the time that planning took.
results() {
    sed 's/,[^,]*$//' "$1"
}
for options in 'redist --procs 8 --k 3,7' 'exchange --procs 5,9 --sizes mixed' \
    'exchange --procs 10 --sizes servers --drift 0.3' \
    'bcast --procs 3:6 --random clusters' \
    'multicast --procs 9 --dests 3,8 --relays --log --schedule fnf,fef,ecef,lookahead,near-far,graft'; do
    sim $options --runs 20 --csv "$dir/one"
    sim $options --runs 20 --csv "$dir/two.csv"
    results "$dir/one" >"$dir/a"
    results "$dir/two.csv" >"$dir/b"
    cmp -s "$dir/a" "$dir/b" || complain 'another result when repeated'
    sim $options --runs 20 --seed 2 --csv "$dir/two.csv"
    results "$dir/two.csv" | cmp -s - "$dir/a" && complain 'seeds are alike'
    holds "$dir/one" 'len(rows) > 5 and all(0.999999 * float(r["bound_s"]) <=
        float(r["finish_s"]) and 0.999999 <= float(r["ratio"]) <=
        float(r["ratio_max"]) and float(r["finish_min_s"]) <=
        1.000001 * float(r["finish_s"]) <= 1.000002 * float(r["finish_max_s"])
        for r in rows)'
done
# BHAT-HET 4.3: open shop is within twice the bound.
sim exchange --procs 4:20:4 --runs 50 --random col --csv "$csv"
holds "$csv" 'all(float(r["ratio_max"]) <= 2 for r in rows
    if r["schedule"].startswith("openshop"))'
# Means are those of the runs.
sim exchange --procs 6 --runs 3 --schedule openshop --csv "$csv"
holds "$csv" 'float(rows[0]["finish_min_s"]) < float(rows[0]["finish_s"])'
sim bcast --procs 12 --csv "$csv"
says out '^optimum +-$'
holds "$csv" 'not any(r["schedule"] == "optimum" for r in rows)'
sim exchange --procs 4 --json -
json 'len(d) > 5 and d[0]["pattern"] == "exchange" and d[0]["k"] is None'

# Where processes are slower than assumed, ordering again on the way
# helps in the mean; where nothing differs nothing is done.
sim exchange --procs 12 --slow 4 --runs 20 --reschedule half \
    --schedule openshop,polished --csv "$csv"
holds "$csv" 'all(float(r["resched_s"]) < float(r["real_s"]) and
    float(r["changes"]) > 0 for r in rows)'
sim exchange --procs 12 --runs 5 --reschedule event --schedule openshop \
    --csv "$csv"
holds "$csv" 'rows[0]["changes"] == "" and abs(float(rows[0]["resched_s"]) /
    float(rows[0]["finish_s"]) - 1) < 1e-8'
# Known before, the plan is refined: no worse than it would have been.
sim exchange --procs 12 --slow 4 --runs 20 --refine --csv "$csv" \
    --schedule caterpillar,openshop
holds "$csv" 'all(float(r["refined_s"]) <= float(r["real_s"]) * 1.000001
    for r in rows) and float(rows[1]["anew_s"]) < float(rows[1]["real_s"])'
# Casts together take no longer than in turn, nor less than the longest.
sim multicast --procs 12 --dests 5 --casts 3 --runs 20 --csv "$csv" \
    --schedule fef,ecef,graft
holds "$csv" 'all(float(r["bound_s"]) <= float(r["finish_s"]) <=
    float(r["turn_s"]) for r in rows)'
# Of 5 processes one fails before it sends: of the 3 others all are reached
# where root sends to all, and with two copies.
sim bcast --procs 5 --failures --schedule sequential --csv "$csv"
holds "$csv" 'float(rows[0]["reached"]) == float(rows[0]["sends"]) / 4 == 1'
sim bcast --procs 8 --failures --schedule ecef --runs 20 --csv "$dir/one"
sim bcast --procs 8 --failures --schedule ecef --runs 20 --copies 2 --csv "$csv"
holds "$dir/one" 'float(rows[0]["reached"]) < 1'
holds "$csv" 'float(rows[0]["reached"]) == float(rows[0]["reached_least"]) == 1'

# ------------------------------------------------ events and pictures
events=$dir/events.csv
sim exchange --procs 6 --runs 4 --run 2 --sizes mixed --drift 0.2 \
    --schedule caterpillar,openshop --events "$events" --svg "$dir/x.svg" \
    --html "$dir/x.html"
possible "$events" exchange
says out '^real caterpillar '
# White, and 4 panels of 6 columns and 30 messages.
has "$dir/x.svg" rect $((1 + 4 * 36))
works "$dir/x.html"
sim redist $general --drift 0.2 --events "$events"
possible "$events" exchange
sim redist --procs 7 --k 5 --events "$events"
possible "$events" exchange
# What the table says is when the last message ends.
sim redist --procs 7 --k 5 --csv "$csv" --events "$events"
possible "$events"
cp "$dir/out" "$dir/ends"
holds "$csv" 'all("predicted %s %.6g\n" % (r["schedule"], float(r["finish_s"])) in
    open("'"$dir"'/ends").readlines() for r in rows)'
sim bcast --procs 8 --root 5 --events "$events" --schedule ecef,lookahead,fef \
    --svg "$dir/x.svg"
possible "$events" cast
has "$dir/x.svg" rect $((1 + 3 * 15))
sim multicast --procs 20 --dests 7 --relays --events "$events"
possible "$events"
exit $failed

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cluster.sh in small, on real processes across an emulated cluster: what is
# delivered is right, its files are there, and tables and picture follow from
# them.  Times decide nothing.  And what it says of bad options and files.

. "$top_srcdir/testing/program.sh"
timing=$top_srcdir/bench
out=$dir/cluster

# cluster STATUS OPTION...
cluster() {
    want=$1
    shift
    run "$want" sh "$timing/cluster.sh" -b "$top_builddir" -o "$out" "$@"
}

# ------------------------------------------------ what is refused
cluster 0 --help
says out '^usage: sh cluster.sh'
cluster 2 frob
says err "^cluster.sh: 'frob' is not an option"
cluster 2 --size
says err '^cluster.sh: --size needs a value'
cluster 2 --size -3
says err "^cluster.sh: --size '-3': expected a number"
cluster 2 --bytes 0
cluster 2 --seconds 1.2.3
cluster 2 --hosts "$dir/none"
says err "^cluster.sh: --hosts '$dir/none': cannot be read"
run 2 sh "$timing/cluster.sh" -b "$dir"
says err '^cluster.sh: no bench/time_coll in '

# ------------------------------------------------ a run
command='cluster.sh --quick'
sh "$timing/cluster.sh" -b "$top_builddir" -o "$out" --quick --seconds 0.3 \
    >"$dir/out" 2>"$dir/err" </dev/null
case $? in
    0) ;;
    77) cat "$dir/out" "$dir/err"; exit $((failed ? 1 : 77)) ;;
    *) complain 'fails'; exit 1 ;;
esac
if [ -n "$python" ]; then
    # The table of links, and one of each case.
    says_times 12 '^[abcd] +[abcd] .* (100|400) '
    says_times 36 ' yes$'
    says_times 6 ' MB$| kB$'
fi
run 0 "$top_builddir/src/tools/hesca" plan --m 9 --n 9 --from 1x4:2x2 \
    --to 1x4:3x3 --between nodes --machine "$out/cluster.machine"
for k in 1 2 3; do
    [ "$(grep -c '^identical: yes' "$out/redist-$k.txt")" -eq 7 ] ||
        complain "redist-$k.txt: not seven times identical"
    has "$out/trace-$k.svg" svg 1
    grep -q '</html>' "$out/trace-$k.html" || complain "no trace-$k.html"
done
grep -q WRONG "$out"/coll-*.txt && complain 'wrong data'
[ -n "$python" ] || exit $failed

all='{"direct", "direct-async", "greedy", "openshop", "polished", "auto"}'
# Messages of the three: block columns of B that each block column of A meets.
k=0
for messages in 10 6 12; do
    k=$((k + 1))
    holds "$out/redist-$k.csv" "len(rows) == 6 and
        {r['schedule'] for r in rows} == $all and
        all(r['identical'] == 'yes' and r['nodes'] == '4' and
            float(r['real_median_s']) > 0 for r in rows)"
    # Each pair meets once, in the plan as in fact, with the same bytes.
    holds "$out/trace-$k.csv" "len(rows) == 2 * $messages"
    holds "$out/trace-$k.csv" 'len({r["schedule"] for r in rows}) == 1 and
        sorted((r["src"], r["dest"], float(r["bytes"])) for r in rows
               if r["kind"] == "predicted") ==
        sorted((r["src"], r["dest"], float(r["bytes"])) for r in rows
               if r["kind"] == "real")'
done
holds "$out/coll-bcast-first.csv" '{r["case"] for r in rows} == {"root 0"} and
    {r["by"] for r in rows} ==
    {"MPI", "auto", "ecef", "lookahead", "binomial"}'
holds "$out/coll-bcast-last.csv" '{r["case"] for r in rows} == {"root 3"}'
holds "$out/coll-exchange.csv" '{r["case"] for r in rows} == {"random"} and
    {r["by"] for r in rows} ==
    {"MPI", "auto", "openshop", "greedy", "caterpillar"}'
for name in bcast-first bcast-last exchange; do
    holds "$out/coll-$name.csv" 'all(r["right"] == "yes" for r in rows)'
done
# 3 redistributions by 7, 3 collectives by 5.  Nothing is predicted to end
# before its bound.
holds "$out/summary.csv" 'len(rows) == 36 and all(r["right"] == "yes" and
    float(r["median_s"]) > 0 and float(r["bound_s"]) > 0 for r in rows)'
holds "$out/summary.csv" 'all(
    (r["predicted_s"] == "") == (r["by"] in ("pdgemr2d", "MPI")) and
    float(r["predicted_s"] or 9) >= 0.999999 * float(r["bound_s"])
    for r in rows)'
# A bar each, and a mark where it was predicted to end; legend, background.
has "$out/cluster.svg" rect $((36 + 30 + 6 + 1))

# ------------------------------------------------ files that are wrong
# refuses FILE MESSAGE: FILE of the results is spoilt by what stdin has.
refuses() {
    mv "$out/$1" "$dir/kept"
    cat >"$out/$1"
    run 1 "$python" "$timing/cluster.py" "$out"
    says err "^cluster.py: $2"
    mv "$dir/kept" "$out/$1"
}
refuses plan-1.json '.*/plan-1.json: not of hesca plan' <<'END'
{"schedules": []}
END
refuses trace-2.csv '.*/trace-2.csv: nothing was predicted' <<'END'
kind,schedule,src,dest,bytes,start,end
real,openshop,0,1,10,0,1
END
refuses coll-exchange.csv ".*/coll-exchange.csv:1: no column 'rounds'" <<'END'
collective,processes
bcast,4
END
refuses coll-bcast-first.csv '.*/coll-bcast-first.csv: nothing by MPI' <<'END'
collective,case,processes,bytes,by,schedule,segments,rounds,median_s,min_s,predicted_s,bound_s,right
bcast,root 0,4,80,auto,ecef,1,3,0.1,0.1,0.1,0.1,yes
END
refuses hosts ".*/hosts:1: 'a 0.4' is not a host" <<'END'
a 0.4
END
refuses cluster.machine ".*/cluster.machine: host 'e' is not in the file hosts" <<'END'
link e a startup 1 rate 1
END
run 1 "$python" "$timing/cluster.py" "$dir/none"
says err "^cluster.py: .*/none/hosts: No such file"
run 2 "$python" "$timing/cluster.py"
exit $failed

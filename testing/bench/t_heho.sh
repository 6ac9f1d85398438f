#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# time_gemm, time_potrf, time_gesv, time_potrs, time_getrs and heho.sh in small:
# results are verified, and found wrong where they are; tables follow from what
# was measured.  Times decide nothing.

. "$top_srcdir/testing/program.sh"
timing=$top_srcdir/bench
programs=$top_builddir/bench
out=$dir/heho

# time ROUTINE PROCESSES STATUS OPTION...
time_it() {
    program=$programs/time_$1 processes=$2 want=$3
    shift 3
    run "$want" $MPIEXEC -n "$processes" env "$program" --window 0.01 "$@"
}

# ------------------------------------------------ what is refused
heho() {
    want=$1
    shift
    run "$want" sh "$timing/heho.sh" -b "$top_builddir" -o "$out" "$@"
}
heho 0 --help
says out '^usage: sh heho.sh'
heho 2 frob
says err "^heho.sh: 'frob' is not an option"
heho 2 --hosts
says err '^heho.sh: --hosts needs a value'
heho 2 --hosts "$dir/none"
says err "^heho.sh: --hosts '$dir/none': cannot be read"
run 2 sh "$timing/heho.sh" -b "$dir"
says err '^heho.sh: no bench/time_gemm in '
[ -n "$MPIEXEC" ] || exit $failed
for routine in gemm potrf gesv; do
    time_it $routine 1 0 --help
    says out "Time pd$routine of ScaLAPACK"
done
while read -r message options; do
    time_it gemm 2 2 $options
    says err "^time_gemm: $(echo "$message" | tr _ ' ')"
done <<'END'
--grid_'2x': --grid 2x
--grid_'2x2':_there_are_2_processes --grid 2x2
--plain_'3x3':_there_are_[12]_processors --plain 3x3
--cases_'plain,frob': --cases plain,frob
--n_'0': --n 0
--map_names_1_processes,_the_grid_1x2_wants_2 --grid 1x2 --map 0
--map:_process_1_is_named_twice --grid 1x2 --map 1,1
--map:_process_2_is_not_there --grid 1x2 --map 0,2
only_one_of_--csv_and_--json --csv - --json -
END

# ------------------------------------------------ runs
n=0
while read -r routine processes options; do
    n=$((n + 1))
    time_it "$routine" "$processes" 0 $options --csv "$dir/$n.csv"
    holds "$dir/$n.csv" 'all(r["right"] == "yes" and
        0 <= float(r["residual"]) < 1 and r["hosts"] == "1" and
        r["bytes_between"] == "" for r in rows)'
    # What follows from other columns.
    holds "$dir/$n.csv" 'all(
        abs(float(r["efficiency"]) * float(r["seconds"]) /
            float(r["ideal_s"]) - 1) < 1e-6 and
        abs(float(r["lost_shares_s"]) + float(r["lost_kernels_s"]) +
            float(r["lost_messages_s"]) + float(r["lost_waiting_s"]) +
            float(r["ideal_s"]) -
            float(r["seconds"])) < 1e-6 and
        float(r["ideal_s"]) <= 1.000001 * float(r["homogeneous_s"]) and
        float(r["predicted_s"]) > 0 for r in rows)'
    holds "$dir/$n.csv" 'all(
        abs(float(r["bound_over_measured"]) * float(r["seconds"]) /
            float(r["bound_s"]) - 1) < 1e-6 and
        float(r["bound_s"]) >= float(r["bound_compute_s"]) > 0 and
        float(r["bound_s"]) >= float(r["bound_receive_s"] or 0) and
        float(r["bound_s"]) >= float(r["bound_send_s"] or 0) for r in rows)'
    # What a process does adds up to its time.
    holds "$dir/$n.csv" 'all(
        abs(max(sum(map(float, one)) for one in zip(*(
            r[name + "_s"].replace("/", " ").split() for name in
            ("panel", "update", "waiting", "copies", "rest")))) /
        float(r["seconds"]) - 1) < 1e-2 for r in rows if r["runs"] != "2")'
    # Grids have each process once.
    holds "$dir/$n.csv" 'all(
        len(set(r["map"].replace("/", " ").split())) ==
        int(r["nprow"]) * int(r["npcol"]) for r in rows)'
done <<'END'
gemm 4 --n 150 --nb 16 --grid 2x2 --runs 2 --profile
gemm 3 --n 1,5 --nb 4 --grid 1x3
potrf 4 --n 101 --nb 8,32 --grid 2x2 --map 3,1,2,0
gesv 3 --n 77 --nb 9 --grid 3x1 --cases heho,unplaced
potrs 4 --n 70 --nb 8 --cases plain,hohe --runs 1
getrs 3 --n 70 --nb 8 --cases plain,hohe --runs 1
END
run 0 $MPIEXEC -n 4 "$top_builddir/bench/time_regrid" --n 40 --nb 8 --runs 1 \
    --routines syev,syevd,syevr,syevx,gesvd,gels,geqrf,ormqr,potri,syrk,trsm \
    --csv "$dir/regrid.csv"
holds "$dir/regrid.csv" 'len(rows) == 44 and all(
    float(r["difference"] or 0) < 1e-12 for r in rows)'
holds "$dir/1.csv" '[r["way"] for r in rows] ==
    ["plain", "heho", "unplaced", "hohe", "grid"] and
    rows[3]["map"] == rows[0]["map"] == rows[4]["map"] and abs(float(rows[1]["gain"]) * float(rows[1]["seconds"]) /
            float(rows[0]["seconds"]) - 1) < 1e-6 and
    rows[2]["map"] == "0 1/2 3" and rows[1]["map"].startswith("0 ")'
holds "$dir/2.csv" '[r["n"] for r in rows] == ["1"] * 5 + ["5"] * 5'
holds "$dir/3.csv" 'len(rows) == 12 and rows[11]["map"] == "3 1/2 0"'
# Of solves no bytes are counted.
holds "$dir/5.csv" 'all(r["bound_receive_s"] == "" and
    r["bound_s"] == r["bound_compute_s"] for r in rows)'
holds "$dir/4.csv" 'len(rows) == 2 and all(r["gain"] == "" for r in rows)'

# A bar of four activities and the rest for each process and case.
if [ -n "$python" ]; then
    run 0 "$python" "$timing/heho.py" where "$dir/1.csv" "$dir/4.csv" \
        -o "$dir/where.svg"
    # And the background, and six names.
    has "$dir/where.svg" rect $((7 + 5 * $("$python" -c "
import csv, sys
print(sum(int(r['nprow']) * int(r['npcol']) for f in sys.argv[1:]
          for r in csv.DictReader(open(f))))" "$dir/1.csv" "$dir/4.csv")))
    sed 's/^\(routine.*\)panel_s/\1other/' "$dir/4.csv" >"$dir/bad.csv"
    run 1 "$python" "$timing/heho.py" where "$dir/bad.csv" \
        -o "$dir/bad.svg"
    says err "^heho.py: .*bad.csv:1: no column 'panel_s'"
fi

# A product with one wrong element is found out.
if [ "$sanitizers" != yes ]; then
    cat >"$dir/wrong.c" <<'END'
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <string.h>
void
dgemm_(const char *ta, const char *tb, const int *m, const int *n,
       const int *k, const double *alpha, const double *a, const int *lda,
       const double *b, const int *ldb, const double *beta, double *c,
       const int *ldc)
{
    static __typeof__(&dgemm_) real;
    void *found = dlsym(RTLD_NEXT, "dgemm_");
    memcpy(&real, &found, sizeof found);
    real(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    if (*m > 0 && *n > 0)
        c[0] += 1e-6;
}
END
    run 0 $CC -shared -fPIC -o "$dir/wrong.so" "$dir/wrong.c" -ldl
    for routine in gemm potrf gesv potrs getrs; do
        run 1 $MPIEXEC -n 2 env LD_PRELOAD="$dir/wrong.so" \
            "$programs/time_$routine" --n 150 --nb 16 --grid 2x1 \
            --cases heho --runs 1 --window 0.01
        says out ' WRONG$'
    done
fi

# ------------------------------------------------ across a cluster
# quick OPTION...: or the end, where that cannot be.
quick() {
    command="heho.sh --quick $*"
    sh "$timing/heho.sh" -b "$top_builddir" -o "$out" --quick "$@" \
        >"$dir/out" 2>"$dir/err" </dev/null
    case $? in
        0) ;;
        77) cat "$dir/out" "$dir/err"; exit $((failed ? 1 : 77)) ;;
        *) complain 'fails'; exit 1 ;;
    esac
}

quick -- --grid 2x4
[ -n "$python" ] || exit $failed
says_times 2 'speedup over plain ScaLAPACK'
has "$out/heho.svg" polyline 14
holds "$out/cluster.csv" '[(r["routine"], r["way"], r["nprow"], r["npcol"])
    for r in rows] == [(routine, *rest) for routine in ("pdgemm", "pdgesv")
    for rest in (("plain", "2", "2"), ("heho", "2", "4"),
                 ("unplaced", "2", "4"), ("hohe", "2", "2"), ("grid", "2", "2"))]'
# n^2 numbers to each other host of a row, and of a column: aaab, bbcd.
holds "$out/cluster.csv" 'abs(float(rows[2]["bytes_between"]) / 8 / 200 ** 2 -
    (1 + 2) / 2 - 3 * 1 / 4 - 1 / 4) < 1e-6'
holds "$out/cluster.csv" 'all(r["right"] == "yes" and r["hosts"] == "4" and
    r["processes"] == "8" for r in rows)'
holds "$out/homogeneous.csv" '[(r["routine"], r["way"]) for r in rows] ==
    [("pdgemm", "plain"), ("pdgesv", "plain")]'
echo 'a 0.8 - 2
b 0.4 - 2' >"$dir/hosts"
quick --hosts "$dir/hosts" --blocks -- --plain 1x2
says_times 2 'seconds by block size'
holds "$out/blocks.csv" '[(r["routine"], r["nb"], r["map"]) for r in rows] ==
    [(routine, nb, "0 2") for routine in ("pdgemm", "pdgesv")
     for nb in ("18", "36")]'

echo 'routine,n' >"$dir/bad.csv"
run 1 "$python" "$timing/heho.py" heho "$dir/bad.csv" -o "$dir/bad.svg"
says err "^heho.py: .*bad.csv:1: no column 'way'"
run 1 "$python" "$timing/heho.py" heho "$out/blocks.csv" -o "$dir/bad.svg"
says err '^heho.py: pdgemm, n = 90: not both plain and heho'
exit $failed

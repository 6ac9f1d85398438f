#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# time_hohe, time_em3d and hohe.sh in small: results are verified, and found
# wrong where they are; tables follow from what was measured.  Times decide
# nothing, nor does what is shown.

. "$top_srcdir/testing/program.sh"
timing=$top_srcdir/bench
program=$top_builddir/bench/time_hohe
em3d=$top_builddir/bench/time_em3d
out=$dir/hohe

# ------------------------------------------------ what is refused
hohe() {
    want=$1
    shift
    run "$want" sh "$timing/hohe.sh" -b "$top_builddir" -o "$out" "$@"
}
hohe 0 --help
says out '^usage: sh hohe.sh'
hohe 2
says err '^hohe.sh: which figure'
hohe 2 fig5.18
says err "^hohe.sh: 'fig5.18': no such figure"
hohe 2 --frob
says err "^hohe.sh: '--frob' is not an option"
hohe 2 -o
says err '^hohe.sh: -o needs a value'
run 2 sh "$timing/hohe.sh" -b "$dir" fig5.17
says err '^hohe.sh: no bench/time_hohe in '
[ -n "$MPIEXEC" ] || exit $failed

# time_it PROCESSES STATUS OPTION...
time_it() {
    processes=$1 want=$2
    shift 2
    run "$want" $MPIEXEC -n "$processes" env "$program" "$@"
}
time_it 1 0 --help
says out 'Time hesca_gemm.. or hesca_potrf'
while read -r message options; do
    time_it 2 2 $options
    says err "^time_hohe: $(echo "$message" | tr _ ' ')"
done <<'END_OF_LIST'
--routine_'gesv': --routine gesv
--ways_'cut,frob': --ways cut,frob
--grids_'2x2':_there_are_2_processors --grids 2x2 --speeds 1,2
3_speeds_for_2_processes --speeds 1,2,3
--paper_wants_--speeds --paper
only_one_of_--csv_and_--json --csv - --json -
END_OF_LIST

# ------------------------------------------------ runs
# With given speeds, all ideal values follow from them.
time_it 4 0 --n 96,100 --r 4 --l 6,24 --grids 2x2,1x4,auto --unit 1e9 \
    --speeds 6,3,2,1 --csv "$dir/gemm.csv"
holds "$dir/gemm.csv" '[(r["way"], r["l"], r["nprow"]) for r in rows
    if r["n"] == "96" and r["chosen"] == "no"] == [("cyclic", "2", "2"),
    ("equal", "6", "2"), ("equal", "24", "2"), ("cut", "6", "2"),
    ("cut", "6", "1"), ("cut", "24", "2"), ("cut", "24", "1")]'
holds "$dir/gemm.csv" 'len(rows) == 18 and all(r["right"] == "yes" and
    0 <= float(r["residual"]) < 16 and float(r["predicted_s"]) > 0 and
    float(r["least_s"]) <= float(r["seconds"]) and
    abs(float(r["ideal_s"]) / (2 * int(r["n"]) ** 3 / 12e9) - 1) < 1e-6 and
    abs(float(r["bound_s"]) / float(r["ideal_s"]) - 3) < 1e-6 and
    float(r["seconds"]) > 0.5 * float(r["ideal_s"]) for r in rows)'
# The fastest first where shares are cut, else in order.
holds "$dir/gemm.csv" 'all(r["map"] == ("0 1/2 3" if r["nprow"] == "2" else
    "0 1 2 3") for r in rows if r["chosen"] == "no")'
time_it 3 0 --routine potrf --n 65 --r 4 --l 5 --speeds 1,3,2 --unit 1e9 \
    --runs 2 --csv "$dir/potrf.csv"
holds "$dir/potrf.csv" '[(r["way"], r["map"], r["right"], r["runs"])
    for r in rows] == [("cyclic", "0 1 2", "yes", "2"),
    ("equal", "0 1 2", "yes", "2"), ("cut", "1 2 0", "yes", "2")]'
time_it 1 0 --n 32 --l 4 --window 0.01 --csv "$dir/measured.csv"
holds "$dir/measured.csv" 'all(r["speeds"] == "measured" and
    r["right"] == "yes" for r in rows)'

# EM3D: what is predicted follows from sizes and speeds.
run 2 $MPIEXEC -n 2 env "$em3d" --nodes 5 --speeds 1,2
says err '^time_em3d: 1 sub-bodies and 2 speeds for [12] processes'
run 0 $MPIEXEC -n 3 env "$em3d" --nodes 400,200,600 --speeds 3,1,2 \
    --iterations 4 --halo 30 --csv "$dir/em3d.csv"
holds "$dir/em3d.csv" '[r["way"] for r in rows] == ["order", "mapped", "cut"]
    and all(r["right"] == "yes" and
    abs(float(r["ideal_s"]) / (8 * 16 * 1200 / 6e6) - 1) < 1e-6 and
    abs(float(r["predicted_s"]) / (8 * (16 * share / 1e6 + 1e-4 + 240 / 1e8))
        - 1) < 1e-6 for r, share in zip(rows, (300, 200, 200)))'

# A product with one wrong element is found out.
if [ "$sanitizers" != yes ] && [ "$shared" != no ]; then
    cat >"$dir/wrong.c" <<'END_OF_C'
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
END_OF_C
    run 0 $CC -shared -fPIC -o "$dir/wrong.so" "$dir/wrong.c" -ldl
    for routine in gemm potrf; do
        run 1 $MPIEXEC -n 2 env LD_PRELOAD="$dir/wrong.so" "$program" \
            --routine $routine --n 200 --l 8 --ways cut --window 0.01
        says out ' WRONG$'
    done
fi

# ------------------------------------------------ figures
[ -n "$python" ] || exit $failed
hohe 0 --local table3.13
holds "$out/table3.13.csv" 'len(rows) == 48 and all(r["right"] == "-" and
    r["seconds"] == "" for r in rows) and
    abs(float(rows[0]["predicted_s"]) / 7198 - 1) < 1e-3'
says out '^ +3x4 +1651 +1[0-9]+ '
says out '^(shown|not shown) +4x3 is the best'
has "$out/table3.13.svg" polyline 2
hohe 0 --local --quick fig5.14
says out '^shown +as much as|^not shown +as much as'
holds "$out/fig5.14.csv" 'len(rows) == 3 and
    all(r["right"] == "yes" for r in rows)'
has "$out/fig5.14.svg" polyline 3
run 1 "$python" "$timing/hohe.py" fig5.15 "$out"
says err '^hohe.py: .*fig5.15.csv: '

command='hohe.sh --quick fig5.17'
sh "$timing/hohe.sh" -b "$top_builddir" -o "$out" --quick fig5.17 \
    >"$dir/out" 2>"$dir/err" </dev/null
case $? in
    0) ;;
    77) cat "$dir/out" "$dir/err"; exit $((failed ? 1 : 77)) ;;
    *) complain 'fails'; exit 1 ;;
esac
says_times 2 '^n = 192: '
says out '^(shown|not shown) +the same time'
has "$out/fig5.17.svg" polyline 4
holds "$out/fig5.17.csv" '[(r["way"], r["n"], r["nprow"], r["npcol"],
    r["speeds"], r["right"]) for r in rows] ==
    [(way, "192", "3", "3", "kernels", "yes") for way in ("cut", "cyclic")]
    and abs(float(rows[0]["ideal_s"]) / float(rows[1]["ideal_s"]) - 1) < 1e-6
    and abs(float(rows[0]["bound_s"]) / float(rows[0]["ideal_s"]) - 14) < 1e-6'
exit $failed

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which way HESCA takes, and which would have been the fastest: what is
# predicted beside what is measured, on real processes; see usage.

usage() {
    cat <<'END'
usage: sh choice.sh [--quick] [--runs N] [-o DIR] [-b BUILD] [SET...]

Bring up emulated clusters (testing/hetcluster; wants root and MPICH), one after
the other, measure their links by hesca probe, and time ScaLAPACK's pdgemm,
pdgesv and pdpotrf with one process for each processor in all ways that HESCA
chooses from: ScaLAPACK's routine as it is called (real), HoHe (hohe), ScaLAPACK's
routine on the best other grid (grid), and on those of the second group also as
HESCA serves the call (auto), and pdgetrs and pdpotrs with as many right-hand sides
as equations; all verified, in turn, medians of 3.
Print for each case what was predicted, which way HESCA takes, which was the
fastest, and what is lost; at the end how often the choice is right and how good
predictions are.  Write the same as CSV, and draw predicted over measured.

  --quick   small and short; sets two and pair only, if none is named
  --runs N  calls of which the median is taken (3; in set worst 15)
  -o DIR    for the results (choice)
  -b BUILD  where HESCA was built (here, in build, or in build in the sources)

SET is one or more of
  two       hosts of .6, .6, .2 and .2 of a core, 1 Gbit/s
  slow      the same at 200 Mbit/s
  one       .7, .3, .3 and .3, 1 Gbit/s
  six       .5, .5, .25, .25, .15 and .15, 1 Gbit/s
  equal     four of .4, 1 Gbit/s: equal hosts, where HESCA computes in place, and
            calls do not count as choices; there also calls
            as HESCA serves them (auto) beside ScaLAPACK's, medians of 7
  first     all of these
of a second group, which is reported apart, with auto beside ScaLAPACK's routine
as it is called.  The constants of pdgemm, pdgesv and pdpotrf are fitted to one
group, and the other checks them (doc/hohe-measured.md says which):
  row5      .48, .4, .32, .24 and .16, 1 x 5 grid, 1 Gbit/s
  onefast   .8, .25, .25 and .25, 1 Gbit/s
  onelag    .4, .4, .4 and .2, 1 Gbit/s
  column3   .25, .8 and .55, 3 x 1 grid, 1 Gbit/s
  pair      .9 and .3, 1 Gbit/s
  mixed6    .2, .4, .1, .35, .3 and .25, 1 Gbit/s
  thin      .5, .4, .3 and .2, 100 Mbit/s
  second    all of these
and of
  worst     of the results of the second group that are in DIR the two cases in
            which auto was slowest beside ScaLAPACK's call: both again, medians
            of 15
  summary   nothing: only read the results that are in DIR
first and second if none is named; each set takes up to 3 minutes.  Results in DIR
of sets that are not named are read again.  The machine should have nothing else
to do.  OPENBLAS_CORETYPE=Prescott, say, makes kernels slower, and so links faster
in proportion.

Exit status: 0 if all results are right, 1 if not, 2 if it cannot be done, 77 if
this machine cannot run the cluster.
END
}

. "$(dirname "$0")/figures.sh"
first='two slow one six equal'
second='row5 onefast onelag column3 pair mixed6 thin'
dir=choice sets=
read_options '' --runs "$@"
for word in $words; do
    case $word in
        first) sets="$sets $first" ;;
        second) sets="$sets $second" ;;
        *) one_of "$word" "$first $second worst summary" \
            "'$word' is not a set of hosts"
            sets="$sets $word" ;;
    esac
done
case $runs in
    *[!0-9]* | 0*) die "--runs '$runs': expected a number" ;;
esac
if [ -z "$sets" ]; then
    sets="$first $second"
    [ $quick = no ] || sets='two pair'
fi

find_build bench/time_gemm
prepare_cluster || exit
show=no

# --- clusters --------------------------------------------------------------

# hosts SET: as hetcluster wants them.
hosts() {
    rate=1gbit
    case $1 in
        two) shares='0.6 0.6 0.2 0.2' ;;
        slow) shares='0.6 0.6 0.2 0.2' rate=200mbit ;;
        one) shares='0.7 0.3 0.3 0.3' ;;
        six) shares='0.5 0.5 0.25 0.25 0.15 0.15' ;;
        equal) shares='0.4 0.4 0.4 0.4' ;;
        row5) shares='0.48 0.4 0.32 0.24 0.16' ;;
        onefast) shares='0.8 0.25 0.25 0.25' ;;
        onelag) shares='0.4 0.4 0.4 0.2' ;;
        column3) shares='0.25 0.8 0.55' ;;
        pair) shares='0.9 0.3' ;;
        mixed6) shares='0.2 0.4 0.1 0.35 0.3 0.25' ;;
        thin) shares='0.5 0.4 0.3 0.2' rate=100mbit ;;
    esac
    i=0
    for share in $shares; do
        i=$((i + 1))
        echo "h$i $share $rate 1"
    done
}

# shape SET: the option for its grid, where that is not the most square one.
shape() {
    [ "$1" != column3 ] || echo --plain 3x1
}

# bring_up SET: its cluster; its links go to SET.machine.
bring_up() {
    rm -f "$dir/$1.machine"
    hosts "$1" >"$dir/$1.hosts"
    raise_cluster "$dir/$1.hosts"
    probe_links "$1" "$(few 4 0.5)"
}

# measure SET NAME ROUTINE OPTION...: across the cluster that is up; NAME.csv
# gets the rows of all routines.
measure() {
    set=$1 name=$2 routine=$3
    shift 3
    stamp "$name: pd$routine $*"
    # shellcheck disable=SC2046 # an option and its value, or nothing
    record "$name" "$cluster" run --spin -- env HESCA_MACHINE="$dir/$set.machine" \
        "$programs/time_$routine" --csv "$dir/part.csv" \
        --window "$(few 0.3 0.02)" $(shape "$set") "$@"
}

# --- cases -----------------------------------------------------------------

# cases_first SET ROUTINE: all cases of it on hosts that are up.
cases_first() {
    set -- "$1" "$2" --runs "${runs:-3}" --cases plain,hohe,grid
    measure "$1" "$@" --n 500,1000,2000 --nb 64
    measure "$1" "$@" --n 1000 --nb 32
    [ "$1" = slow ] || measure "$1" "$@" --n 3000 --nb 64
    [ "$1" != equal ] ||
        measure "$1" "$1-auto" "$2" --n 500,1000,2000 --runs "${runs:-7}" \
            --cases plain,auto
}

# cases_second SET ROUTINE: the same of the second group.
cases_second() {
    case $1.$2 in
        *.*rs) orders=1000,1500 ;;
        thin.*) orders=1000,1500,2000 ;;
        *.gemm) orders=1500,2000 ;;
        *) orders=1500,2000,3000 ;;
    esac
    ways=plain,hohe,grid,auto
    [ "$2" = "${2%rs}" ] || ways=plain,hohe,auto # no other grids
    measure "$1" "$1" "$2" --runs "${runs:-3}" --n $orders --nb 64 \
        --cases $ways
}

# is_second SET: whether it is in the second group.
is_second() {
    case " $second " in
        *" $1 "*) ;;
        *) false ;;
    esac
}

# small SET ROUTINE: one case, so that the script itself can be tested.
small() {
    ways=plain,hohe,grid
    ! is_second "$1" || ways=$ways,auto
    measure "$1" "$1" "$2" --n 200 --nb 32 --runs "${runs:-1}" --cases $ways
}

# all_cases SET
all_cases() {
    rm -f "$dir/$1.csv" "$dir/$1.txt" "$dir/$1-auto.csv" "$dir/$1-worst.csv"
    bring_up "$1"
    cases=cases_first
    ! is_second "$1" || cases=cases_second
    [ $quick = no ] || cases=small
    for kind in gemm gesv potrf; do
        $cases "$1" $kind
    done
    [ $cases != cases_second ] ||
        for kind in getrs potrs; do
            cases_second "$1" $kind
        done
}

# repeat_worst: the two cases of the second group in which auto was slowest.
repeat_worst() {
    rm -f "$dir"/*-worst.csv
    set --
    for name in $second; do
        [ ! -e "$dir/$name.csv" ] || set -- "$@" "$dir/$name.csv"
    done
    [ $# -gt 0 ] || die "no results of the second group in $dir"
    python3 "$sources/choice.py" --worst 2 "$@" >"$dir/worst" || exit 2
    while read -r of kind n nb; do
        bring_up "$of"
        measure "$of" "$of-worst" "${kind#pd}" --runs "${runs:-15}" \
            --n "$n" --nb "$nb" --cases plain,auto
    done <"$dir/worst"
}

for set_of in $sets; do
    case $set_of in
        summary) ;;
        worst) repeat_worst ;;
        *) all_cases "$set_of" ;;
    esac
done
"$cluster" down >/dev/null 2>&1

# --- the choice ------------------------------------------------------------

has_python 'summary, no picture' || exit $worst
set --
for name in $first $second; do
    for file in "$dir/$name.csv" "$dir/$name-auto.csv" \
        "$dir/$name-worst.csv"; do
        [ ! -e "$file" ] || set -- "$@" "$file"
    done
done
[ $# -gt 0 ] || die "no results in $dir"
echo
python3 "$sources/choice.py" "$@" --csv "$dir/choice.csv" \
    --second "$(echo "$second" | tr ' ' ,)" -o "$dir/choice.svg" || exit 2
echo
echo "$dir/choice.csv: cases"
echo "$dir/choice.svg: picture"
exit $worst

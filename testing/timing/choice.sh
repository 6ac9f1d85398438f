#!/bin/sh
# Which way HESCA takes, and which would have been the fastest: what is
# predicted beside what is measured, on real processes; see usage.

usage() {
    cat <<'END'
usage: sh choice.sh [--quick] [-o DIR] [-b BUILD] [SET...]

Bring up emulated clusters (testing/hetcluster; wants root and MPICH), one after
the other, measure their links by hesca probe, and time ScaLAPACK's pdgemm,
pdgesv and pdpotrf with one process for each processor in all ways that HESCA
chooses from: ScaLAPACK's routine as it is called (real), HoHe (hohe), ScaLAPACK's
routine on the best other grid (grid), all verified, in turn, medians of 3.
Print for each case what was predicted, which way HESCA takes, which was the
fastest, and what is lost; at the end how often the choice is right and how good
predictions are.  Write the same as CSV, and draw predicted over measured.

  --quick   small and short; the first set only, if none is named
  -o DIR    for the results (choice)
  -b BUILD  where HESCA was built (here, in build, or in build in the sources)

SET is one or more of
  two       hosts of .6, .6, .2 and .2 of a core, 1 Gbit/s
  slow      the same at 200 Mbit/s
  one       .7, .3, .3 and .3, 1 Gbit/s
  six       .5, .5, .25, .25, .15 and .15, 1 Gbit/s
  equal     four of .4, 1 Gbit/s: hosts that are alike, whose calls are
            ScaLAPACK's by rule and do not count as choices; there also calls
            as HESCA serves them (auto) beside ScaLAPACK's, medians of 7
  summary   nothing: only read the results that are in DIR
all of them if none is named; each takes up to 3 minutes.  Results in DIR of
sets that are not named are read again.  The machine should have nothing else to
do.  OPENBLAS_CORETYPE=Prescott, say, makes kernels slower, and so links faster
in proportion.

Exit status: 0 if all results are right, 1 if not, 2 if it cannot be done, 77 if
this machine cannot run the cluster.
END
}

. "$(dirname "$0")/figures.sh"
all='two slow one six equal'
quick=no dir=choice build= sets=
while [ $# -gt 0 ]; do
    case $1 in
        --quick) quick=yes ;;
        -h | --help) usage; exit 0 ;;
        -o | -b)
            [ $# -gt 1 ] || die "$1 needs a value; see --help"
            case $1 in
                -o) dir=$2 ;;
                -b) build=$2 ;;
            esac
            shift ;;
        -*) die "'$1' is not an option; see --help" ;;
        *)
            case " $all summary " in
                *" $1 "*) sets="$sets $1" ;;
                *) die "'$1' is not a set of hosts; see --help" ;;
            esac ;;
    esac
    shift
done
if [ -z "$sets" ]; then
    sets=$all
    [ $quick = no ] || sets=two
fi

find_build testing/timing/time_gemm
prepare_cluster || exit

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
    esac
    i=0
    for share in $shares; do
        i=$((i + 1))
        echo "h$i $share $rate 1"
    done
}

# bring_up SET: its cluster; its links go to SET.machine.
bring_up() {
    rm -f "$dir/$1.csv" "$dir/$1.txt" "$dir/$1.machine" "$dir/$1-auto.csv"
    hosts "$1" >"$dir/$1.hosts"
    raise_cluster "$dir/$1.hosts"
    stamp "$1: links"
    "$cluster" run -- "$place/src/tools/hesca" probe \
        --only links --seconds "$(few 4 0.5)" -o "$dir/$1.machine" \
        </dev/null >"$dir/$1.probe" || die "hesca probe fails"
}

# measure SET NAME ROUTINE OPTION...: across the cluster that is up; NAME.csv
# gets the rows of all routines.
measure() {
    set=$1 name=$2 routine=$3
    shift 3
    stamp "$name: pd$routine $*"
    rm -f "$dir/part.csv"
    "$cluster" run -- env HESCA_MACHINE="$dir/$set.machine" \
        "$programs/time_$routine" --csv "$dir/part.csv" \
        --window "$(few 0.3 0.02)" "$@" </dev/null >"$dir/part.txt"
    status=$?
    [ $status -le 1 ] && [ -s "$dir/part.csv" ] ||
        die "time_$routine: exit status $status"
    [ $status -eq 0 ] || worst=1
    cat "$dir/part.txt" >>"$dir/$set.txt"
    rm -f "$dir/part.txt"
    join "$name" "$dir/part.csv"
}

# cases SET ROUTINE: all cases of it on hosts that are up.
cases() {
    ways=plain,hohe,grid
    if [ $quick = yes ]; then
        measure "$1" "$1" "$2" --n 200 --nb 32 --runs 1 --cases $ways
        return
    fi
    measure "$1" "$1" "$2" --n 500,1000,2000 --nb 64 --cases $ways
    measure "$1" "$1" "$2" --n 1000 --nb 32 --cases $ways
    [ "$1" = slow ] || measure "$1" "$1" "$2" --n 3000 --nb 64 --cases $ways
    [ "$1" != equal ] ||
        measure "$1" "$1-auto" "$2" --n 500,1000,2000 --runs 7 \
            --cases plain,auto
}

for cluster_of in $sets; do
    [ "$cluster_of" != summary ] || continue
    bring_up "$cluster_of"
    for kind in gemm gesv potrf; do
        cases "$cluster_of" $kind
    done
done
"$cluster" down >/dev/null 2>&1

# --- the choice ------------------------------------------------------------

if ! command -v python3 >/dev/null; then
    echo 'no python3: no summary, no picture'
    exit $worst
fi
set --
for name in $all; do
    [ ! -e "$dir/$name.csv" ] || set -- "$@" "$dir/$name.csv"
    [ ! -e "$dir/$name-auto.csv" ] || set -- "$@" "$dir/$name-auto.csv"
done
[ $# -gt 0 ] || die "no results in $dir"
echo
python3 "$sources/choice.py" "$@" --csv "$dir/choice.csv" \
    -o "$dir/choice.svg" || exit 2
echo
echo "$dir/choice.csv: cases"
echo "$dir/choice.svg: picture"
exit $worst

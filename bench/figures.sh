# What scripts that measure have in common, to be read by them first.  Their
# options set $quick, $build (where HESCA was built, if told) and $dir (for
# results).

sources=$(cd "$(dirname "$0")" && pwd) || exit 2
worst=0 # exit status, if all goes on

die() {
    echo "${0##*/}: $*" >&2
    exit 2
}

# few A B: A, or B with --quick.
few() {
    [ "$quick" = no ] && echo "$1" || echo "$2"
}

# stamp WHAT: what begins; when, and how busy the machine is.
stamp() {
    echo "== $*, $(date +%H:%M:%S), load $(cut -d' ' -f1 /proc/loadavg)"
}

# find_build PROGRAM: the build that has it is in $place, $programs are its
# timers, and what it is like is known.
find_build() {
    for place in ${build:+"$build"} . build "$sources/../build"; do
        [ ! -x "$place/$1" ] || break
        [ -z "$build" ] || die "no $1 in $build"
    done
    [ -x "$place/$1" ] || die "no ${1##*/}: make HESCA, or say where with -b"
    place=$(cd "$place" && pwd) || exit 2
    programs=$place/bench
    launcher=$MPIEXEC
    . "$place/testing/env.sh"
    launcher=${launcher:-$MPIEXEC}
    mkdir -p "$dir" && dir=$(cd "$dir" && pwd) || exit 2
}

# --- emulated clusters -----------------------------------------------------

# prepare_cluster: after find_build.  77: not with this MPI.
prepare_cluster() {
    if [ "$mpi" != mpich ]; then
        echo 'the emulated cluster is for MPICH'
        return 77
    fi
    cluster=$sources/../testing/hetcluster
    : "${HETCLUSTER_MPIEXEC:=${MPIEXEC%% *}}"
    HETCLUSTER_NAME=hesca-$$
    # A sanitized program insists on its runtime's being first, before what the
    # cluster preloads.
    ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
    export HETCLUSTER_NAME HETCLUSTER_MPIEXEC ASAN_OPTIONS
    unset HESCA_MACHINE HESCA_WAIT HESCA_PLACEMENT
    trap '"$cluster" down >/dev/null 2>&1' EXIT
    trap 'exit 2' HUP INT TERM
}

# raise_cluster HOSTS: as they are in this file.
raise_cluster() {
    "$cluster" up "$1"
    case $? in
        0) ;;
        77) exit 77 ;;
        *) die 'the cluster does not come up' ;;
    esac
}

# --- results ---------------------------------------------------------------

# join NAME PART: all results of a name stand below one line of names.
join() {
    if [ -e "$dir/$1.csv" ]; then
        tail -n +2 "$2" >>"$dir/$1.csv"
    else
        cat "$2" >"$dir/$1.csv"
    fi || exit 2
    rm -f "$2"
}

# draw SCRIPT FIGURE SVG NAME...: of the results of these names.
draw() {
    script=$1 what=$2 svg=$dir/$3.svg
    shift 3
    for name; do
        echo "$dir/$name.csv: results"
        set -- "$@" "$dir/$name.csv"
        shift
    done
    if ! command -v python3 >/dev/null; then
        echo 'no python3: no picture'
    elif python3 "$sources/$script" --figure "$what" "$@" -o "$svg"; then
        echo "$svg: picture"
    else
        exit 2
    fi
}

# SPDX-License-Identifier: BSD-3-Clause
# What scripts that measure have in common, to be read by them first.  Their
# options set $quick, $build (where HESCA was built, if specified) and $dir (for
# results); usage() prints help.

sources=$(cd "$(dirname "$0")" && pwd) || exit 2
worst=0 # exit status, if all goes on

die() {
    echo "${0##*/}: $*" >&2
    exit 2
}

# read_options FLAGS VALUES WORD...: of each option in the list VALUES, the
# variable of its name gets the word that follows it, of each in FLAGS it gets
# yes.  Words that are no options go to $words.  $used is how many words that
# were, including a -- that ends them.
read_options() {
    flags=" --quick $1 " values=" -o -b $2 " words= build=
    quick=no
    for option in $1 $2; do
        eval "$(variable "$option")="
    done
    shift 2
    used=$#
    while [ $# -gt 0 ]; do
        case $1 in
            -h | --help) usage; exit 0 ;;
            --) shift; break ;;
            -*)
                case $flags in
                    *" $1 "*) eval "$(variable "$1")=yes" ;;
                    *)
                        case $values in
                            *" $1 "*) ;;
                            *) die "'$1' is not an option; see --help" ;;
                        esac
                        [ $# -gt 1 ] || die "$1 needs a value; see --help"
                        eval "$(variable "$1")=\$2"
                        shift ;;
                esac ;;
            *) words="$words $1" ;;
        esac
        shift
    done
    used=$((used - $#))
}

# variable OPTION: its name.
variable() {
    case $1 in
        -o) echo dir ;;
        -b) echo build ;;
        --*) echo "${1#--}" ;;
        *) printf '%s\n' "${1#-}" ;;
    esac
}

# no_words: where a script takes nothing but options.
no_words() {
    [ -z "$words" ] || die "'${words# }' is not an option; see --help"
}

# one_of WORD LIST MESSAGE
one_of() {
    case " $2 " in
        *" $1 "*) ;;
        *) die "$3; see --help" ;;
    esac
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
        [ ! -e "$place/$1" ] || break
        [ -z "$build" ] || die "no $1 in $build"
    done
    [ -e "$place/$1" ] || die "no ${1##*/}: make HESCA, or say where with -b"
    place=$(cd "$place" && pwd) || exit 2
    programs=$place/bench
    launcher=$MPIEXEC
    . "$place/testing/env.sh"
    launcher=${launcher:-$MPIEXEC}
    mkdir -p "$dir" && dir=$(cd "$dir" && pwd) || exit 2
}

# --- emulated clusters -----------------------------------------------------

# prepare_cluster: after find_build.  77: not with this MPI.  Programs that are
# linked to libhesca_scalapack run with --spin: their blocking calls yield by
# themselves, and what the cluster preloads naps inside MPI_Test, too.
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

# probe_links NAME SECONDS: of the cluster that is up, to NAME.machine; what
# hesca probe prints, to NAME.probe.
probe_links() {
    stamp "$1: links"
    "$cluster" run -n "$("$cluster" status | sed 1d | wc -l)" --map cyclic \
        -- "$place/src/tools/hesca" probe --only links --seconds "$2" \
        -o "$dir/$1.machine" </dev/null >"$dir/$1.probe" ||
        die "hesca probe fails"
}

# --- results ---------------------------------------------------------------

show=yes # whether record prints what a timer does
where= # what it adds to the name of a timer that fails

# record NAME COMMAND...: a timer, which writes $dir/part.csv; NAME.csv gets its
# rows, NAME.txt what it prints.  Its exit status 1 is a wrong result, if it has
# written one: a launcher that cannot start anything may well exit with 1, too.
record() {
    recorded=$1 timer=$2
    shift
    for word; do
        case $word in
            "$programs"/*) timer=${word##*/} ;;
        esac
    done
    rm -f "$dir/part.csv"
    "$@" </dev/null >"$dir/part.txt"
    status=$?
    [ $status -le 1 ] && [ -s "$dir/part.csv" ] ||
        die "$timer$where: exit status $status"
    [ $status -eq 0 ] || worst=1
    [ $show = no ] || cat "$dir/part.txt"
    cat "$dir/part.txt" >>"$dir/$recorded.txt"
    rm -f "$dir/part.txt"
    join "$recorded" "$dir/part.csv"
}

# has_python: 1, after a message, if there is none.
has_python() {
    command -v python3 >/dev/null || {
        echo "no python3: no ${1:-picture}"
        false
    }
}

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
    if ! has_python; then
        :
    elif python3 "$sources/$script" --figure "$what" "$@" -o "$svg"; then
        echo "$svg: picture"
    else
        exit 2
    fi
}

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# HESCA from a fresh checkout to a working demonstration; see usage below.

usage() {
    cat <<'EOF'
usage: sh quickstart.sh [demo | check | --help]

  demo    (default) install missing Debian packages, build in build/, time
          ScaLAPACK's p?gemr2d beside HESCA's, and run one of ScaLAPACK's own
          test programs, unmodified, with HESCA preloaded
  check   the same packages and Open MPI, then make check in build/, a few
          tests in build-openmpi/ and, with sanitizers, make smallcheck in
          build-asan/; the last line says how many tests passed and failed

Run again, it only does what is not up to date.  JOBS=N sets make's -jN.
EOF
}

packages='mpich libmpich-dev libscalapack-mpich-dev libopenblas-dev
    scalapack-mpi-test scalapack-test-common autoconf automake libtool gfortran
    gcc g++ make pkg-config libcmocka-dev python3 valgrind binutils iproute2
    libmetis-dev libscotch-dev libhwloc-dev'
packages_openmpi='openmpi-bin libopenmpi-dev libscalapack-openmpi-dev'

say() {
    echo "== $*"
}

die() {
    echo "quickstart.sh: $*" >&2
    exit 1
}

# --- packages --------------------------------------------------------------

# Those of the named packages that are not installed.
missing() {
    for p; do
        dpkg-query -W -f '${Status}' "$p" 2>/dev/null |
            grep -q 'ok installed' || printf '%s ' "$p"
    done
}

install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say 'not a Debian system: configure will say what is missing'
        return
    fi
    wanted=$(missing "$@")
    [ -n "$wanted" ] || return 0
    if [ "$(id -u)" -eq 0 ]; then
        root=
    elif sudo -n true 2>/dev/null; then
        root='sudo -n'
    else
        echo 'Packages are missing.  Install them, and start again:' >&2
        echo "  sudo apt-get update && sudo apt-get install -y $wanted" >&2
        exit 1
    fi
    say "installing $wanted"
    apt="$root env DEBIAN_FRONTEND=noninteractive apt-get -q"
    logged "$log/packages" sh -c "$apt update &&
        $apt install -y --no-install-recommends $wanted" ||
        die 'apt-get failed'
    rm -f build*/Makefile # configure again, with what is there now
}

# --- building --------------------------------------------------------------

# Run a command with its output in file $1; show the end of that if it fails.
logged() {
    file=$1
    shift
    "$@" >"$file" 2>&1 </dev/null && return 0
    echo "-- failed: $*; the end of $file:"
    tail -n 60 "$file"
    return 1
}

# setup DIRECTORY CONFIGURE-OPTION...: configure there.  Without static
# libraries, with which it would take twice as long to build.
setup() {
    dir=$1
    shift
    [ ! -f "$dir/Makefile" ] || return 0
    mkdir -p "$dir" && logged "$log/$dir.configure" \
        sh -c 'cd "$0" && CONFIG_SHELL=/bin/sh exec ../configure "$@"' \
        "$dir" --disable-static "$@"
}

find_configure() {
    [ -f configure ] || logged "$log/autoreconf" autoreconf -i
}

# Build in $1, which is set up.  make brings configure and Makefile up to date
# later on.  Timing drivers and examples are built in build/ only.
build() {
    dir=$1
    say "building in $dir/"
    logged "$log/$dir.build" make_in $only
}

# make_in VARIABLE|TARGET...: in $dir, where mpicc is a script with what that
# runs: the script itself takes as long as to compile a small file.
make_in() {
    cc=$(sed -n 's/^CC = //p' "$dir/Makefile")
    show=
    case $cc in
        mpicc.*) show=$($cc -show) ;;
    esac
    compile= link=$(sed -n 's/^LIBS = //p' "$dir/Makefile")
    for word in $show; do
        case $word in
            -I*) compile="$compile $word" ;;
            -*) link="$link $word" ;;
        esac
    done
    # configure, if it has to run again, is to see its own CC.
    make -s -C "$dir" am--refresh || return 1
    [ -z "$show" ] || set -- "CC=${show%% *}$compile" "LIBS=$link" "$@"
    make -C "$dir" -j"$jobs" "$@"
}

# --- demonstration ---------------------------------------------------------

demo() {
    find_configure && setup build && build build || exit 1
    . build/testing/env.sh

    say 'ScaLAPACK and HESCA on 4 processes, the same calls'
    timeout 600 $MPIEXEC -n 4 build/bench/time_gemr2d --demo ||
        die 'the timing driver failed'

    # PDHSEQR calls PDGEMR2D some 170 times; its tester reads no input file.
    for tester in /usr/lib/*/scalapack/"$mpi"-tests/xdhseqr; do
        if [ ! -x "$tester" ]; then
            say 'no xdhseqr (package scalapack-mpi-test): not shown'
            return
        fi
        say "$tester, unmodified, with HESCA preloaded"
        timeout 300 $MPIEXEC -n 2 env HESCA_VERBOSE=1 \
            "LD_PRELOAD=$preload" "$tester" >"$log/xdhseqr" 2>&1 </dev/null ||
            { cat "$log/xdhseqr"; die "$tester failed"; }
        grep -E 'Test for|N +NB|PASSED|FAILED' "$log/xdhseqr"
        grep '^hesca: summary' "$log/xdhseqr" && ! grep -q FAILED "$log/xdhseqr" ||
            die "see $log/xdhseqr"
    done
    say 'the same for a program of yours, and what is wrong if it does not work:'
    echo "  $MPIEXEC -n 4 env HESCA_VERBOSE=1 LD_PRELOAD=$preload ./app"
    echo "  build/src/tools/hesca doctor -- $MPIEXEC -n 4 env LD_PRELOAD=$preload ./app"
}

# --- tests -----------------------------------------------------------------

passed=0 failed=0 skipped=0 only= tests_cflags=-O0

# The number behind "# $1:" in the summary of the last run in $dir, which comes
# before what tests have printed.
tally() {
    sed -n "s/^# $1: *\([0-9][0-9]*\)$/\1/p" "$dir/test-suite.log" | head -n 1
}

# Show, of the output of make, how many of $1 runs are done; on a terminal also
# which was the last.
progress() {
    done=0
    while IFS= read -r line; do
        case $line in
            PASS:* | FAIL:* | SKIP:* | XPASS:* | ERROR:*) ;;
            *) continue ;;
        esac
        done=$((done + 1))
        name=${line#*: }
        if [ -t 1 ]; then
            printf '\r\033[K%d of %d: %s' $done "$1" "${name%% *}"
        elif [ $((done % 20)) -eq 0 ]; then
            echo "$done of $1"
        fi
    done
    [ ! -t 1 ] || printf '\r\033[K'
}

# run_tests TARGET DIRECTORY
# $only: variables for make, what to build and to run.  Tests are compiled with
# $tests_cflags: to optimize them takes longer than it saves.
run_tests() {
    target=$1
    if ! build "$2"; then
        failed=$((failed + 1))
        return
    fi
    say "make $target in $dir/"
    rm -f "$dir/test-suite.log"
    suite=${target%check}
    make_in check $only TESTS= CFLAGS="$tests_cflags" \
        FCFLAGS=-O0 >"$log/$dir.programs" 2>&1 </dev/null
    {
        make_in "$target" $only 2>&1 </dev/null
        echo $? >"$log/status"
    } | tee "$log/$dir.$target" |
        progress "$(make -s -C "$dir" count $only HESCA_TEST_SUITE="${suite:-check}")"
    status=$(cat "$log/status")
    if [ ! -f "$dir/test-suite.log" ]; then
        tail -n 60 "$log/$dir.$target"
        failed=$((failed + 1))
        return
    fi
    bad=$(($(tally FAIL) + $(tally ERROR) + $(tally XPASS)))
    [ $status -eq 0 ] || [ $bad -gt 0 ] || bad=1
    passed=$((passed + $(tally PASS)))
    skipped=$((skipped + $(tally SKIP)))
    failed=$((failed + bad))
    grep -E '^(SKIP|FAIL|ERROR|XPASS):' "$log/$dir.$target"
    [ $bad -eq 0 ] || cat "$dir/test-suite.log"
}

check() {
    say 'configuring'
    find_configure # without it no build succeeds, which counts
    setup build CFLAGS=-O2 FCFLAGS=-O2 &
    unset CC FC MPIEXEC # the user's are of one MPI
    command -v mpicc.openmpi >/dev/null && openmpi=yes || openmpi=no
    [ $openmpi = no ] ||
        setup build-openmpi --with-mpi=openmpi CFLAGS=-O0 FCFLAGS=-O0 &
    setup build-asan --enable-sanitizers CFLAGS='-O1 -g1' &
    wait
    run_tests check build
    if [ $openmpi = yes ]; then
        only='noinst_PROGRAMS= check_LTLIBRARIES=
            check_PROGRAMS=$(smoke_tests) TESTS=$(smoke_tests)'
        run_tests smallcheck build-openmpi
    else
        say 'no mpicc.openmpi: not tested with Open MPI'
        skipped=$((skipped + 1))
    fi
    only='noinst_PROGRAMS= check_LTLIBRARIES=
        check_PROGRAMS=$(sanitized_programs) TESTS=$(sanitized_tests)'
    # What is undefined in the tests alone is not looked for.
    tests_cflags='-O0 -g1 -fno-sanitize=undefined'
    run_tests smallcheck build-asan
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}

# ---------------------------------------------------------------------------

case ${1:-demo} in
    demo | check) mode=${1:-demo} ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
esac
cd "$(dirname "$0")" || exit 1
log=build/log
mkdir -p $log || exit 1
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
if [ $mode = check ]; then
    install_packages $packages $packages_openmpi
    check
else
    install_packages $packages
    demo
fi

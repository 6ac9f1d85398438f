#!/bin/sh
# The program hesca: what it prints, and how it exits.

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
failed=0
hesca=$top_builddir/src/tools/hesca
unset HESCA_VERBOSE HESCA_DISABLE HESCA_FALLBACK HESCA_ONERROR \
    HESCA_SCHEDULE HESCA_BUFFER LD_PRELOAD

# run STATUS ARGUMENT...: hesca exits with STATUS; its output goes to $dir.
run() {
    want=$1
    shift
    command="hesca $*"
    "$hesca" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    [ $status -eq "$want" ] || complain "exit status $status, not $want"
}

complain() {
    printf '%s: %s\n' "$command" "$1"
    sed 's/^/    /' "$dir/out" "$dir/err"
    failed=1
}

# says FILE LINE: a regular expression somewhere in out or err.
says() {
    grep -Eq -e "$2" "$dir/$1" || complain "no '$2' in std$1"
}

silent() {
    [ ! -s "$dir/$1" ] || complain "prints to std$1"
}

# json EXPRESSION: true of d, the output, in Python.
json() {
    [ -n "$python" ] || return
    $python -c "import json, sys; d = json.load(open(sys.argv[1]))
sys.exit(not ($1))" "$dir/out" 2>/dev/null || complain "not so in JSON: $1"
}

python=$(command -v python3) || echo 'no python3: JSON is not checked'

# ------------------------------------------------ main
run 2
says err 'a command is missing'
run 2 frobnicate
says err "no command 'frobnicate'"
silent out
run 0 --help
says out '^  check '
run 0 --version
says out '^hesca [0-9]+\.[0-9]'

# ------------------------------------------------ info
run 0 info
silent err
says out '^  HESCA_SCHEDULE +auto +auto '
says out '^  HESCA_BUFFER +64M +64M '
HESCA_SCHEDULE=direct HESCA_BUFFER='' run 0 info
says out '^\* HESCA_SCHEDULE +direct +auto '
says out '^  HESCA_BUFFER +64M +64M '
HESCA_BUFFER=lots run 1 info
says err "HESCA_BUFFER.*'lots'"
silent out
HESCA_VERBOSE=2 run 0 info --json
json 'len(d["params"]) >= 6'
json '[p["value"] for p in d["params"] if p["set"]] == ["2"]'
HESCA_VERBOSE=3 run 1 info --json
run 2 info --frobnicate
run 0 info --help

# ------------------------------------------------ check: what is no program
echo 'not a program' >"$dir/text"
printf '#!/usr/bin/python3\n' >"$dir/script"
: >"$dir/empty"
printf '\177ELF\002\001\001' >"$dir/cut"
run 2 check
run 2 check --preload
run 2 check --frobnicate x
run 0 check --help
run 2 check "$dir/text"
says err 'text: not a program'
run 2 check "$dir/script"
says err 'script: a script, run by /usr/bin/python3;.*--preload'
run 2 check "$dir/missing"
says err 'missing: No such file'
run 2 check "$dir"
says err 'not a file'
run 2 check "$dir/empty"
run 2 check "$dir/cut"
silent out

# ------------------------------------------------ check: without ScaLAPACK
run 1 check /bin/sh
says out 'define none of the routines'
run 1 check --json /bin/sh
json 'd["defined"] == 0 and not d["ok"] and d["hesca"] is None'

# ------------------------------------------------ check: linked with HESCA
if [ "$shared" = no ]; then
    echo 'without shared libraries nothing can be preloaded'
    exit $failed
fi
run 0 check "$top_builddir/examples/07_twins"
says out '^HESCA serves 40 of 40 routines\.$'
says out '^Cp\[isdcz\]gemr2d +HESCA \(.*/libhesca_scalapack\.so'
run 0 check --json "$top_builddir/examples/07_twins"
json 'd["ok"] and d["served"] == 40 and len(d["routines"]) == 40'
json 'all("libhesca_scalapack" in r["path"] for r in d["routines"])'
json '{r["name"][-7:] for r in d["routines"]} >= {"gemr2d_", "trmr2do"}'

# ------------------------------------------------ check: to be preloaded
plain=$top_builddir/examples/01_gemr2d
run 1 check "$plain"
says out '^Cp\[isdcz\]gemr2d +ScaLAPACK '
says out '^HESCA serves 0 of 40 routines\.$'
says out "LD_PRELOAD=$(cd "$top_builddir" && pwd -P)/src/.libs/${preload##*/} $plain\$"
run 0 check --preload "$preload" "$plain"
says out '^HESCA serves 40 of 40 routines\.$'
says out "^  $plain:\$"
says out '^    Cpdgemr2d$'
LD_PRELOAD=$preload
ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
export LD_PRELOAD
run 0 check "$plain"
unset LD_PRELOAD
says out '^HESCA serves 40 of 40 routines\.$'
run 2 check --preload "$dir/missing.so" "$plain"
says err 'cannot be preloaded'
silent out

# Debian's testers of ScaLAPACK, programs that nobody built for HESCA.
for tester in /usr/lib/*/scalapack/"$mpi"-tests/xdsep; do
    [ -x "$tester" ] || continue
    run 1 check "$tester"
    says out '^HESCA serves 0 of 40 routines\.$'
    run 0 check --preload "$preload" "$tester"
    says out '^HESCA serves 40 of 40 routines\.$'
    run 0 check --json --preload "$preload" "$tester"
    json 'any("libscalapack" in c for c in d["routines"][2]["called_by"])'
done

# ------------------------------------------------ check: linked otherwise
# A stand-in for ScaLAPACK: its routines are looked up, never called.
for x in i s d c z; do
    for r in gemr2d gemr2do trmr2d trmr2do; do
        echo "void Cp$x$r(void) {} void p$x${r}_(void) { Cp$x$r(); }"
    done
done >"$dir/fake.c"
echo 'void numroc_(void) {} void pdsyev_(void) { pdgemr2d_(); }' >>"$dir/fake.c"
echo 'void pdgemr2d_(void); int main(int n, char **v)
{ (void)v; if (n > 9) pdgemr2d_(); return 0; }' >"$dir/app.c"
libs="-L$top_builddir/src/.libs -Wl,-rpath,$top_builddir/src/.libs
    -Wl,--no-as-needed"

# build NAME FLAG...: a program in $dir.  Only sanitized libraries may refuse
# to be linked, with programs that are not.
build() {
    out=$dir/$1
    shift
    $CC -o "$out" "$@" >"$dir/out" 2>"$dir/err" && return
    command="$CC -o $out $*"
    [ "$sanitizers" != no ] || complain 'fails'
    return 1
}

if ! nm "$plain" 2>/dev/null | grep -q numroc_; then
    : # Fortran's names have another form here
elif build libfake.so -shared -fPIC "$dir/fake.c"; then
    fake="-L$dir -Wl,-rpath,$dir -lfake"
    build late "$dir/app.c" $libs $fake -lhesca_scalapack -lhesca && {
        run 1 check "$dir/late"
        says out 'libfake.so comes before HESCA: link -lhesca_scalapack'
    }
    build static "$dir/app.c" "$dir/fake.c" && {
        run 1 check "$dir/static"
        says out '^ScaLAPACK +linked into the program$'
        says out 'relink it .* --wrap'
    }
    build wrapped "$dir/app.c" $WRAP_FLAGS $libs $fake -lhesca_scalapack \
        -lhesca && {
        run 1 check "$dir/wrapped"
        says out '^pdgemr2d_ +HESCA, linked by --wrap$'
        says out 'libfake.so calls its own routines, which HESCA does not see'
    }
    build libfake.so -shared -fPIC -Wl,-Bsymbolic "$dir/fake.c" &&
        build symbolic "$dir/app.c" $fake && {
        run 0 check --preload "$preload" "$dir/symbolic"
        says out 'libfake.so is linked -Bsymbolic'
    }
    rm "$dir/libfake.so"
    run 2 check "$dir/symbolic"
    says err 'libfake.so'
fi
exit $failed

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The program hesca: what it prints, and how it exits.

. "$top_srcdir/testing/program.sh"
hesca=$top_builddir/src/tools/hesca

# call STATUS ARGUMENT...: of hesca.
call() {
    want=$1
    shift
    run "$want" "$hesca" "$@"
}

# ------------------------------------------------ main
call 2
says err 'a command is missing'
call 2 frobnicate
says err "no command 'frobnicate'"
silent out
call 0 --help
says out '^  check '
call 0 --version
says out '^hesca [0-9]+\.[0-9]'
if [ -w /dev/full ]; then
    command='hesca --help >/dev/full'
    "$hesca" --help >/dev/full 2>"$dir/err"
    [ $? -eq 2 ] || complain 'not exit status 2'
    says err '^hesca: stdout: '
fi

# ------------------------------------------------ info
call 0 info
silent err
says out '^  HESCA_SCHEDULE +auto +auto '
says out '^  HESCA_BUFFER +64M +64M '
HESCA_SCHEDULE=direct HESCA_BUFFER='' call 0 info
says out '^\* HESCA_SCHEDULE +direct +auto '
says out '^  HESCA_BUFFER +64M +64M '
HESCA_BUFFER=lots call 1 info
says err "HESCA_BUFFER.*'lots'"
silent out
HESCA_BUFFER=lots HESCA_VERBOSE=7 HESCA_VERBOS=1 call 1 info
says err 'HESCA_BUFFER is .lots.: must be .* at least 64K'
says err "HESCA_VERBOSE is '7': must be 0.1.2.summary"
says err 'HESCA_VERBOS is not a parameter .* did you mean HESCA_VERBOSE'
HESCA_VERBOS=1 call 0 info
says err 'HESCA_VERBOS is not a parameter .* did you mean HESCA_VERBOSE'
HESCA_VERBOSE=2 call 0 info --json
json 'len(d["params"]) >= 6'
json '[p["value"] for p in d["params"] if p["set"]] == ["2"]'
HESCA_VERBOSE=3 call 1 info --json
call 2 info --frobnicate
call 0 info --help

# ------------------------------------------------ check: what is no program
echo 'not a program' >"$dir/text"
printf '#!/usr/bin/python3\n' >"$dir/script"
: >"$dir/empty"
printf '\177ELF\002\001\001' >"$dir/cut"
call 2 check
call 2 check --preload
call 2 check --frobnicate x
call 0 check --help
call 2 check "$dir/text"
says err 'text: not a program'
call 2 check "$dir/script"
says err 'script: a script, run by /usr/bin/python3;.*--preload'
call 2 check "$dir/missing"
says err 'missing: No such file'
call 2 check "$dir"
says err 'not a file'
call 2 check "$dir/empty"
call 2 check "$dir/cut"
silent out

# ------------------------------------------------ check: without ScaLAPACK
call 1 check /bin/sh
says out 'define none of the routines'
call 1 check --json /bin/sh
json 'd["defined"] == 0 and not d["ok"] and d["hesca"] is None'

# ------------------------------------------------ check: linked with HESCA
if [ "$shared" = no ]; then
    echo 'without shared libraries nothing can be preloaded'
    exit $failed
fi
call 0 check "$top_builddir/examples/07_twins"
says out '^HESCA serves 127 of 127 routines\.$'
says out "^Cp\\[isdcz\\]gemr2d +HESCA \\(.*/libhesca_scalapack-$mpi\\.so"
call 0 check --json "$top_builddir/examples/07_twins"
json 'd["ok"] and d["served"] == 127 and len(d["routines"]) == 127'
json 'all("libhesca_scalapack" in r["path"] for r in d["routines"])'
json '{r["name"][-7:] for r in d["routines"]} >= {"gemr2d_", "trmr2do"}'

# ------------------------------------------------ check: to be preloaded
plain=$top_builddir/examples/01_gemr2d
call 1 check "$plain"
says out '^Cp\[isdcz\]gemr2d +ScaLAPACK '
says out '^HESCA serves 0 of 127 routines\.$'
says out "LD_PRELOAD=$(cd "$top_builddir" && pwd -P)/src/.libs/${preload##*/} $plain\$"
call 0 check --preload "$preload" "$plain"
says out '^HESCA serves 127 of 127 routines\.$'
says out "^  $plain:\$"
says out '^    Cpdgemr2d Cblacs_gridinit$'
LD_PRELOAD=$preload
ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
export LD_PRELOAD
call 0 check "$plain"
unset LD_PRELOAD
says out '^HESCA serves 127 of 127 routines\.$'
call 2 check --preload "$dir/missing.so" "$plain"
says err 'cannot be preloaded'
silent out

# A program that has nothing for HESCA.
call 1 check --preload "$preload" /bin/ls
says out 'HESCA has nothing to serve here'

# Debian's testers of ScaLAPACK, programs that were not built for HESCA.
for tester in /usr/lib/*/scalapack/"$mpi"-tests/xdsep; do
    [ -x "$tester" ] || continue
    call 1 check "$tester"
    says out '^HESCA serves 0 of 127 routines\.$'
    call 0 check --preload "$preload" "$tester"
    says out '^HESCA serves 127 of 127 routines\.$'
    call 0 check --json --preload "$preload" "$tester"
    json 'any("libscalapack" in c for c in d["routines"][2]["called_by"])'
done

# ------------------------------------------------ check: linked otherwise
# A stand-in for ScaLAPACK: its routines are looked up, never called.
for x in i s d c z; do
    for r in gemr2d gemr2do trmr2d trmr2do; do
        echo "void Cp$x$r(void) {} void p$x${r}_(void) { Cp$x$r(); }"
    done
done >"$dir/fake.c"
for r in blacs_gridinit_ blacs_gridmap_ sl_init_ Cblacs_gridinit \
    Cblacs_gridmap; do
    echo "void $r(void) {}"
done >>"$dir/fake.c"
echo 'void numroc_(void) {} void pdgebal_(void) { pdgemr2d_(); }' >>"$dir/fake.c"
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
        call 1 check "$dir/late"
        says out 'libfake.so comes before HESCA: link -lhesca_scalapack'
    }
    build static "$dir/app.c" "$dir/fake.c" && {
        call 1 check "$dir/static"
        says out '^ScaLAPACK +linked into the program$'
        says out 'relink it .* --wrap'
    }
    [ "$static" = yes ] && build wrapped "$dir/app.c" $WRAP_FLAGS \
        "$top_builddir/src/.libs/libhesca_scalapack.a" \
        "$top_builddir/src/.libs/libhesca.a" $SCALAPACK_LIBS $BLAS_LIBS \
        $DL_LIBS $GRAPH_LIBS -lm && {
        call 1 check "$dir/wrapped"
        says out '^p\[isdcz\]gemr2d_ +HESCA, linked by --wrap$'
        says out 'libscalapack.* calls its own routines, which HESCA does not'
    }
    build libfake.so -shared -fPIC -Wl,-Bsymbolic "$dir/fake.c" &&
        build symbolic "$dir/app.c" $fake && {
        call 0 check --preload "$preload" "$dir/symbolic"
        says out 'libfake.so is linked -Bsymbolic'
    }
    # Nothing of a program or of its libraries is run.
    echo "#include <stdio.h>
    __attribute__((constructor)) static void begin(void)
    { FILE *f = fopen(\"$dir/ran\", \"w\"); if (f) fclose(f); }
    int main(void) { return 0; }" >"$dir/run.c"
    build run "$dir/run.c" $fake && {
        call 1 check "$dir/run"
        [ ! -e "$dir/ran" ] || complain 'the program was run'
    }
    rm "$dir/libfake.so"
    call 2 check "$dir/symbolic"
    says err 'libfake.so'
fi
exit $failed

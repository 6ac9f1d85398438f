#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every function that a public header declares with HESCA_API has a public
# Fortran name in the modules of fortran/, which calls it, or its twin with _f
# for Fortran communicators; types have the size that they have in C.

modules=$top_builddir/fortran
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
failed=0
complain() {
    echo "$*"
    failed=1
}

# declared HEADER...: the functions of headers, with the twins of scalapack.h.
declared() {
    sed 's/\\$//' "$@" | grep -v '^ *#' | tr '\n' ' ' |
        grep -o 'HESCA_API [^;(]*(' | sed 's/ *($//; s/.*[ *]//' |
        while read -r name; do
            case $name in
            *'##x##'*) for x in i s d c z; do
                echo "${name%%'##x##'*}$x${name##*'##x##'}"
            done ;;
            *) echo "$name" ;;
            esac
        done | LC_ALL=C sort -u
}

# C names that public Fortran names stand for.  An interface c_NAME is called
# by a procedure hesca_NAME.
awk '
    function flush_module(k) {
        for (k in symbol)
            if (tolower(k) in public)
                print symbol[k]
        split("", symbol)
        split("", public)
    }
    /^ *!/ { next }
    sub(/ *&$/, " ") { line = line $0; next }
    {
        line = line $0
        if (line ~ /^ *public ::/) {
            sub(/^ *public :: */, "", line)
            n = split(line, part, / *, */)
            for (i = 1; i <= n; i++)
                public[tolower(part[i])] = 1
        } else if (line ~ /bind\(C, *name=/) {
            name = line
            sub(/.*(function|subroutine) /, "", name)
            sub(/\(.*/, "", name)
            sub(/^c_/, "hesca_", name)
            sub(/.*name=\47/, "", line)
            sub(/\47.*/, "", line)
            symbol[name] = line
        } else if (line ~ /^end module/) {
            flush_module()
        }
        line = ""
    }' "$modules"/h*.f90 | sed 's/_f$//' | LC_ALL=C sort -u >"$dir/names"

# missing HEADER...: functions without a name.
missing() {
    declared "$@" >"$dir/declared"
    LC_ALL=C comm -23 "$dir/declared" "$dir/names"
}

include=$top_srcdir/include
set -- "$include"/hdpi.h "$include"/hesca/*.h "$include"/hesca/*.h.in \
    "$include"/hesca/experimental/*.h
lacks=$(missing "$@")
[ -z "$lacks" ] || complain "no Fortran names: $lacks"
count=$(grep -c . "$dir/declared")
[ "$count" -ge 219 ] || complain "the headers declare $count functions only"

# This test would notice.
cat >"$dir/more.h" <<'END'
HESCA_API const char *
hesca_no_such_function(int i);
END
missing "$@" "$dir/more.h" | grep -qx hesca_no_such_function ||
    complain 'a function without a name is not noticed'

# So would make, if no module had a header or two names became one.
mkdir -p "$dir/include" "$dir/fortran" "$dir/out"
refuses() { # what generate.pl says of $dir/include/a.h, with more options
    perl "$top_srcdir/fortran/generate.pl" "$dir" "$dir/out" include/a.h \
        2>&1 | grep -q "$1" || complain "generate.pl does not say '$1'"
}
cp "$dir/more.h" "$dir/include/a.h"
refuses 'no template .* has a.h'
printf '@headers a.h\nmodule a\n@declarations\nend module\n' \
    >"$dir/fortran/a.f90.in"
echo 'enum { HESCA_NO_SUCH_FUNCTION = 1 };' >>"$dir/include/a.h"
refuses 'are one name in Fortran'
echo 'HESCA_API int hesca_f(struct unknown *u);' >"$dir/include/a.h"
refuses 'is not known'
echo 'union u { int i; };' >"$dir/include/a.h"
refuses 'is not understood'

# What interfaces call with a Fortran communicator is there.
for name in $(sed -n "s/.*name='\(.*_f\)'.*/\1/p" "$modules"/h*.f90); do
    grep -q "^[^ ].*$name(" "$modules/comm.c" || complain "comm.c lacks $name"
done

# The modules for 64-bit INTEGERs differ in one kind.
mkdir "$dir/ilp64"
(cd "$top_srcdir" && set -- include/hdpi.h include/hesca/*.h \
    include/hesca/version.h include/hesca/experimental/*.h \
    include/hmpi.h &&
    perl fortran/generate.pl --ilp64 . "$dir/ilp64" "$@") ||
    complain 'generate.pl --ilp64 fails'
grep -q 'hesca_int = c_int64_t$' "$dir/ilp64/hesca_scalapack.f90" ||
    complain 'generate.pl --ilp64: hesca_int is not of 64 bits'

# Types of the same size.
types=$(sed -n 's/^ *type, bind(C), public :: //p' "$modules"/h*.f90)
{
    echo '#include <hdpi.h>'
    echo '#include <hesca.h>'
    echo '#include <hesca/experimental.h>'
    echo '#include <hmpi.h>'
    echo '#include <stdio.h>'
    echo 'int main(void) {'
    for t in $types; do
        echo "(void)printf(\"$t %d\", (int)sizeof($t)), (void)puts(\"\");"
    done
    echo 'return 0; }'
} >"$dir/c.c"
{
    echo 'program sizes'
    echo 'use, intrinsic :: iso_c_binding'
    echo 'use hesca'
    echo 'use hdpi'
    echo 'use hmpi'
    for t in $types; do echo "type($t) :: x_$t"; done
    for t in $types; do
        echo "print '(a,1x,i0)', '$t', c_sizeof(x_$t)"
    done
    echo 'end program'
} >"$dir/f.f90"
if $CC -I"$include" -I"$top_builddir/include" -o "$dir/c" "$dir/c.c" &&
    $FC "$FC_MODINC$modules" -o "$dir/f" "$dir/f.f90"; then
    "$dir/c" >"$dir/c.out"
    "$dir/f" >"$dir/f.out"
    diff "$dir/c.out" "$dir/f.out" ||
        complain 'types differ in size (< C, > Fortran)'
else
    complain 'the programs that print sizes of types cannot be made'
fi
exit $failed

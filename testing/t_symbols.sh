#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the shared libraries define for others: libhesca hesca_* alone, libhdpi
# the names of hdpi.h alone, libhesca_scalapack hesca_* and the names that it
# intercepts alone; with versions, where the linker has them.

[ "$shared" = yes ] || { echo 'there are no shared libraries'; exit 77; }
command -v readelf >/dev/null || { echo 'there is no readelf'; exit 77; }
lib=$top_builddir/src/.libs
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
failed=0
complain() {
    echo "$*"
    failed=1
}

# symbols LIBRARY: NAME VERSION of all that it defines for others, - for no
# version, in the order of names.
symbols() {
    readelf --dyn-syms -W "$lib/$1.so" | awk '
        $7 ~ /^[0-9]+$/ && $5 != "LOCAL" {
            n = split($8, part, "@")
            print part[1], (n > 1 ? part[n] : "-")
        }' | LC_ALL=C sort -u
}

# compare LIBRARY: what it has with what it should have, $dir/wanted.
compare() {
    LC_ALL=C sort -u "$dir/wanted" >"$dir/sorted"
    diff "$dir/sorted" "$dir/found" >"$dir/diff" ||
        complain "$1 (< missing, > too many):
$(cat "$dir/diff")"
}

# Functions that the public headers declare with HESCA_API.
declared() {
    (cd "$top_srcdir/include" &&
        cat "$@" "$top_builddir/include/hesca/version.h") |
        grep -v '^ *#' | tr '\n' ' ' | grep -o 'HESCA_API [^;(]*(' |
        sed 's/ *($//; s/.*[ *]//'
}

version=HESCA_0.1 private=HESCA_PRIVATE hdpi=HDPI_0.1 hmpi=HMPI_1.0
[ "$version_script" = yes ] || version=- private=- hdpi=- hmpi=-

# ------------------------------------------------ libhesca
symbols libhesca >"$dir/found"
grep -v '^hesca_' "$dir/found" >"$dir/other" &&
    complain "libhesca defines names without hesca_: $(cat "$dir/other")"
awk -v want="$version" '$2 != want' "$dir/found" >"$dir/rest"
if [ "$version_script" = yes ]; then
    # What is private is so by src/libhesca.map, and needed by the two.
    sed -n '/^HESCA_PRIVATE/,$s/^ *\(hesca_[a-z_]*\);$/\1 HESCA_PRIVATE/p' \
        "$top_srcdir/src/libhesca.map" >"$dir/wanted"
    readelf --dyn-syms -W "$lib/libhdpi.so" "$lib/libhmpi.so" |
        awk '$7 == "UND" { print $8 }' |
        sed -n 's/^\(hesca_.*\)@HESCA_PRIVATE$/\1 HESCA_PRIVATE/p' |
        LC_ALL=C sort -u >"$dir/needed"
    mv "$dir/found" "$dir/all"
    mv "$dir/rest" "$dir/found"
    compare 'private functions of libhesca'
    cp "$dir/needed" "$dir/found"
    compare 'private functions that libhdpi and libhmpi use'
    mv "$dir/all" "$dir/found"
fi
# All that is declared is there.
(cd "$top_srcdir/include" && ls hesca/*.h) | grep -v scalapack.h >"$dir/headers"
declared $(cat "$dir/headers") | sort -u >"$dir/declared"
awk '{ print $1 }' "$dir/found" | sort -u >"$dir/names"
missing=$(comm -23 "$dir/declared" "$dir/names")
[ -z "$missing" ] || complain "libhesca lacks $missing"

# ------------------------------------------------ libhdpi
symbols libhdpi >"$dir/found"
tr '\n' ' ' <"$top_srcdir/include/hdpi.h" |
    grep -o 'HESCA_API [^;(]*(' | sed 's/ *($//; s/.*[ *]//' |
    sed "s/\$/ $hdpi/" >"$dir/wanted"
[ "$(grep -c . "$dir/wanted")" -eq 19 ] ||
    complain "hdpi.h declares $(grep -c . "$dir/wanted") functions, not 19"
compare libhdpi

# ------------------------------------------------ libhmpi
symbols libhmpi >"$dir/found"
tr '\n' ' ' <"$top_srcdir/include/hmpi.h" | grep -o 'HESCA_API [^;(]*[;(]' |
    sed 's/ *[(;]//; s/^.*extern //; s/.*[ *]MPI_Comm //' |
    sed 's/, / /g; s/.*[ *]const *//' | tr ' ' '\n' | grep '^\**HMPI_[A-Z]' |
    sed 's/^\**//' | sed "s/\$/ $hmpi/" | LC_ALL=C sort -u >"$dir/wanted"
compare libhmpi

# ------------------------------------------------ libhesca_scalapack
# The names that ld --wrap has to know, and those of MPI's calls that
# HESCA_MPIWAIT_ORIGINAL has: without a version, so that they stand for definitions
# with any.
symbols libhesca_scalapack >"$dir/found"
{
    echo "$WRAP_FLAGS" | tr ' ' '\n' | sed -n 's/^-Wl,--wrap=\(.*\)/\1 -/p'
    grep -o 'X([A-Z][A-Za-z_]*)' "$top_srcdir/src/shim/mpiwait/mpiwait.h" |
        sed 's/X(\(.*\))/MPI_\1 -/' | grep -Fx -f "$dir/found"
    grep "^hesca_.* $version\$" "$dir/found"
} >"$dir/wanted"
compare libhesca_scalapack
grep -qx 'MPI_Wait -' "$dir/found" ||
    complain 'libhesca_scalapack does not define MPI_Wait'

# ------------------------------------------------ names and versions
for name in libhesca libhdpi libhmpi libhesca_scalapack; do
    readelf -d "$lib/$name.so" | grep -q "(SONAME).*\[$name-$mpi\.so\.0\]" ||
        complain "$name: not $name-$mpi.so.0 by name"
done
readelf -d "$lib/libhesca_scalapack.so" | grep -q 'NEEDED.*libhdpi' &&
    complain 'libhesca_scalapack needs libhdpi'

# The version that a program runs with is that which it was compiled with.
cat >"$dir/v.c" <<'EOF'
#include "hesca/version.h"
#include <stdio.h>
#include <string.h>
int main(void)
{
    return puts(hesca_version()) < 0 ||
           strcmp(hesca_version(), HESCA_VERSION) != 0;
}
EOF
if [ "$sanitizers" = no ]; then
    $CC -I"$top_srcdir/include" -I"$top_builddir/include" -o "$dir/v" \
        "$dir/v.c" -L"$lib" -Wl,-rpath,"$lib" -lhesca && "$dir/v" ||
        complain 'hesca_version() is not HESCA_VERSION'
fi
exit $failed

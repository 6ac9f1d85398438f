#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every public header compiles alone, without a warning, in C11 and C++11.

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
failed=0

# compile LANGUAGE STANDARD HEADER
compile() {
    printf '#include "%s"\n' "$3" "$3" 'stddef.h' >"$dir/t.c"
    echo 'extern size_t unit;' >>"$dir/t.c" # C wants one declaration at least
    $CC -x "$1" "-std=$2" -c -o "$dir/t.o" -pedantic -Wall -Wextra -Werror \
        -DMPICH_SKIP_MPICXX -DOMPI_SKIP_MPICXX \
        -I"$top_srcdir/include" -I"$top_builddir/include" "$dir/t.c" ||
        { echo "$3 does not compile in $2"; failed=1; }
}

echo 'int x;' >"$dir/t.c"
languages='c:c11'
if $CC -x c++ -c -o "$dir/t.o" "$dir/t.c" 2>/dev/null; then
    languages="$languages c++:c++11"
else
    echo 'there is no C++ compiler behind CC: only C is checked'
fi
for header in hdpi.h hmpi.h hesca.h hesca/version.h \
    $(cd "$top_srcdir/include" && ls hesca/*.h hesca/*/*.h); do
    for language in $languages; do
        compile "${language%:*}" "${language#*:}" "$header"
    done
done
exit $failed

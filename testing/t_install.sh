#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What make install leaves under a prefix other than configure's: programs are
# built and run with it by pkg-config and CMake, and by preloading.

. "$top_srcdir/testing/program.sh"
[ "$shared" = yes ] || { echo 'no shared libraries'; exit 77; }
prefix=$dir/prefix
unset MAKEFLAGS MFLAGS MAKELEVEL

# installed FILE: there is one.
installed() {
    command=installed
    [ -e "$prefix/$1" ] || complain "no $1"
}

run 0 make -C "$top_builddir" prefix="$prefix" install-exec-am install-data-am
installed "lib/libhesca_scalapack-$mpi.so.0"
installed "lib/hesca-$mpi/libhesca.so"
installed lib/libhesca.so
installed "lib/pkgconfig/hesca-scalapack-$mpi.pc"
installed "lib/cmake/hesca/hesca-config.cmake"
installed share/bash-completion/completions/hesca
installed share/doc/hesca/doc/parameters.md
installed include/hesca/redist.h
for command in $("$top_builddir/src/tools/hesca" --help |
    sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    installed "share/man/man1/hesca-$command.1"
done
command='the build folder'
{ grep -r "$top_builddir" "$prefix/lib/pkgconfig" "$prefix/lib/cmake"
readelf -d "$prefix"/lib/*.so "$prefix/bin/hesca" |
    grep "PATH.*$top_builddir"; } >"$dir/out"
[ ! -s "$dir/out" ] || complain 'is in what is installed'
run 0 "$prefix/bin/hesca.$mpi" --version
run 0 bash -c ". $prefix/share/bash-completion/completions/hesca
    COMP_WORDS=(hesca pl) COMP_CWORD=1
    _hesca $prefix/bin/hesca; echo \"\${COMPREPLY[*]}\""
says out '^plan$'
if command -v groff >/dev/null; then
    for page in "$prefix"/share/man/man?/hesca*; do
        run 0 groff -I "$prefix/share/man" -man -Tascii -ww "$page"
        silent err
    done
fi

# ------------------------------------------------ programs
command -v pkg-config >/dev/null || { echo 'no pkg-config'; exit $failed; }
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH
for name in "hesca-$mpi" hesca; do
    run 0 $CC -o "$dir/plan" "$top_srcdir/examples/03_plan.c" \
        $(pkg-config --cflags --libs $name) -Wl,-rpath,"$prefix/lib" -lm
    [ -z "$MPIEXEC" ] || run 0 timeout 60 $MPIEXEC -n 2 "$dir/plan"
done
command='ldd plan'
ldd "$dir/plan" >"$dir/out"
says out "libhesca-$mpi\.so\.0 => $prefix/lib/"
command='pkg-config --variable=preload'
[ -r "$(pkg-config --variable=preload "hesca-scalapack-$mpi")" ] ||
    complain 'names no file'
[ -z "$MPIEXEC" ] || run 0 timeout 60 $MPIEXEC -n 2 env HESCA_VERBOSE=summary \
    "LD_PRELOAD=$(pkg-config --variable=preload hesca-scalapack)" \
    "$top_builddir/examples/01_gemr2d"
[ -z "$MPIEXEC" ] || says err '^hesca: summary: '

command -v cmake >/dev/null || { echo 'no cmake'; exit $failed; }
mkdir "$dir/c"
cat >"$dir/c/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.13)
project(plan C)
find_package(hesca-$mpi 0.1 REQUIRED)
find_package(hesca 0.1 REQUIRED)
add_executable(plan $top_srcdir/examples/03_plan.c)
target_link_libraries(plan PRIVATE hesca::hesca m)
END
run 0 cmake -S "$dir/c" -B "$dir/c/b" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="${CC%% *}" -DCMAKE_C_FLAGS="${CC#"${CC%% *}"}"
run 0 cmake --build "$dir/c/b"
[ -z "$MPIEXEC" ] || run 0 timeout 60 $MPIEXEC -n 2 "$dir/c/b/plan"

run 0 make -C "$top_builddir" prefix="$prefix" uninstall
command='make uninstall'
[ -z "$(find "$prefix" ! -type d)" ] ||
    complain "leaves $(find "$prefix" ! -type d | head -3)"
exit $failed

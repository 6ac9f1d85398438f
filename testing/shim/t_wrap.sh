#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# HESCA linked, not preloaded: static archives by ld --wrap, in front of a
# shared ScaLAPACK and of a static one, and shared libraries by link order.
#
# Debian has no static ScaLAPACK, so one is made: an archive whose members
# define what those of libscalapack.a do, and say on stderr that they were
# called before they call the shared library behind.

[ "$sanitizers" = no ] ||
    { echo 'programs are linked here without sanitizers'; exit 77; }
[ -n "$MPIEXEC" ] || { echo 'configure found no mpiexec'; exit 77; }
lib=$top_builddir/src/.libs
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
failed=0
fail() {
    echo "$title: $1"
    failed=1
}

# The flags as pkg-config has them.
wrap=$(sed -n 's/^wrapflags=//p' "$top_builddir/src/hesca-scalapack.pc")
title=wrapflags
[ "$wrap" = "$WRAP_FLAGS" ] || fail "not those of configure: $wrap"
[ "$(echo "$wrap" | tr ' ' '\n' | grep -c -- '^-Wl,--wrap=')" -eq 127 ] ||
    fail "not 127 names: $wrap"

# ------------------------------------------------ the sources

cat >"$dir/redist.h" <<'EOF'
#include "config.h"
#define pdgemr2d FC_FUNC(pdgemr2d, PDGEMR2D)
#define pdgemr2do FC_FUNC(pdgemr2do, PDGEMR2DO)
#define pdtrmr2d FC_FUNC(pdtrmr2d, PDTRMR2D)
#define pdtrmr2do FC_FUNC(pdtrmr2do, PDTRMR2DO)
#define MATRICES_C                                                           \
    int m, int n, double *a, int ia, int ja, int *da, double *b, int ib,     \
        int jb, int *db
#define MATRICES_FORTRAN                                                     \
    int *m, int *n, double *a, int *ia, int *ja, int *da, double *b, int *ib, \
        int *jb, int *db
#define PASS_C m, n, a, ia, ja, da, b, ib, jb, db
#define PASS_FORTRAN *m, *n, a, *ia, *ja, da, b, *ib, *jb, db
void Cpdgemr2d(MATRICES_C, int ictxt);
void Cpdgemr2do(MATRICES_C);
void pdgemr2d(MATRICES_FORTRAN, int *ictxt);
void pdgemr2do(MATRICES_FORTRAN);
void Cpdtrmr2d(char *uplo, char *diag, MATRICES_C, int ictxt);
void Cpdtrmr2do(char *uplo, char *diag, MATRICES_C);
void pdtrmr2d(char *uplo, char *diag, MATRICES_FORTRAN, int *ictxt);
void pdtrmr2do(char *uplo, char *diag, MATRICES_FORTRAN);
void Cdgelacpy(int m, int n, double *a, int lda, double *b, int ldb);
void inner(MATRICES_FORTRAN, int *ictxt);
EOF

# The members of the static ScaLAPACK.
cat >"$dir/real.h" <<'EOF'
#define _GNU_SOURCE
#include "redist.h"
#include <dlfcn.h>
#include <stdio.h>
#define CALL(type, name, ...)                                                \
    (fprintf(stderr, "real: " name "\n"),                                    \
     ((type *)dlsym(RTLD_NEXT, name))(__VA_ARGS__))
#define LACPY                                                                \
    for (int j = 0; j < n; ++j)                                              \
        for (int i = 0; i < m; ++i)                                          \
            b[j * ldb + i] = a[j * lda + i];
EOF
cat >"$dir/pdgemr.c" <<'EOF'
#include "real.h"
typedef void plain(MATRICES_C);
typedef void with(MATRICES_C, int);
void Cpdgemr2d(MATRICES_C, int c) { CALL(with, "Cpdgemr2d", PASS_C, c); }
void Cpdgemr2do(MATRICES_C) { CALL(plain, "Cpdgemr2do", PASS_C); }
void pdgemr2d(MATRICES_FORTRAN, int *c) { Cpdgemr2d(PASS_FORTRAN, *c); }
void pdgemr2do(MATRICES_FORTRAN) { Cpdgemr2do(PASS_FORTRAN); }
void Cdgelacpy(int m, int n, double *a, int lda, double *b, int ldb)
{
    LACPY
}
EOF
cat >"$dir/pdtrmr.c" <<'EOF'
#include "real.h"
typedef void plain(char *, char *, MATRICES_C);
typedef void with(char *, char *, MATRICES_C, int);
void Cpdtrmr2d(char *u, char *d, MATRICES_C, int c) { CALL(with, "Cpdtrmr2d", u, d, PASS_C, c); }
void Cpdtrmr2do(char *u, char *d, MATRICES_C) { CALL(plain, "Cpdtrmr2do", u, d, PASS_C); }
void pdtrmr2d(char *u, char *d, MATRICES_FORTRAN, int *c) { Cpdtrmr2d(u, d, PASS_FORTRAN, *c); }
void pdtrmr2do(char *u, char *d, MATRICES_FORTRAN) { Cpdtrmr2do(u, d, PASS_FORTRAN); }
void Cdtrlacpy(int m, int n, double *a, int lda, double *b, int ldb)
{
    LACPY
}
EOF
# As p?gesvd: a member that calls another one.
cat >"$dir/inner.c" <<'EOF'
#include "redist.h"
void inner(MATRICES_FORTRAN, int *ictxt)
{
    pdgemr2d(m, n, a, ia, ja, da, b, ib, jb, db, ictxt);
}
EOF

cat >"$dir/app.c" <<'EOF'
#include "redist.h"
#include <stdio.h>
#include <string.h>
void Cblacs_pinfo(int *, int *);
void Cblacs_get(int, int, int *);
void Cblacs_gridinit(int *, const char *, int, int);
void Cblacs_exit(int);

enum { N = 12 };
static int rank, nprocs;

/* Columns of a local array of blocks of nb: fill or check A(i,j) = 100 i + j
 * where i <= j or lower is set. */
static int
visit(double *x, int nb, int lower, int fill)
{
    int wrong = 0, q = 0;
    for (int j = 0; j < N; ++j) {
        if (j / nb % nprocs != rank)
            continue;
        for (int i = 0; i < (lower ? N : j + 1); ++i)
            if (fill)
                x[q * N + i] = 100 * i + j;
            else
                wrong += x[q * N + i] != 100 * i + j;
        ++q;
    }
    return wrong;
}

int
main(void)
{
    static double a[N * N], b[6][N * N];
    int ictxt, n = N, one = 1, wrong = 0;
    Cblacs_pinfo(&rank, &nprocs);
    Cblacs_get(-1, 0, &ictxt);
    Cblacs_gridinit(&ictxt, "R", 1, nprocs);
    int da[] = {1, ictxt, N, N, 3, 3, 0, 0, N};
    int db[] = {1, ictxt, N, N, 2, 2, 0, 0, N};
    visit(a, 3, 1, 1);
    pdgemr2d(&n, &n, a, &one, &one, da, b[0], &one, &one, db, &ictxt);
    Cpdgemr2d(n, n, a, 1, 1, da, b[1], 1, 1, db, ictxt);
    inner(&n, &n, a, &one, &one, da, b[2], &one, &one, db, &ictxt);
    pdgemr2do(&n, &n, a, &one, &one, da, b[3], &one, &one, db);
    pdtrmr2d("U", "N", &n, &n, a, &one, &one, da, b[4], &one, &one, db,
             &ictxt);
    Cpdtrmr2d("U", "N", n, n, a, 1, 1, da, b[5], 1, 1, db, ictxt);
    for (int k = 0; k < 6; ++k)
        wrong += visit(b[k], 2, k < 4, 0);
#ifdef LACPY
    double copy[N] = {0};
    Cdgelacpy(N, 1, a, N, copy, N);
    wrong += memcmp(a, copy, sizeof copy) != 0;
#endif
    printf("process %d: %s\n", rank, wrong ? "wrong" : "right");
    Cblacs_exit(0);
    return 0;
}
EOF

compile() {
    $CC -g -I"$top_builddir" -c "$dir/$1.c" -o "$dir/${2:-$1}.o" $3 || exit 99
}
for file in app inner pdgemr pdtrmr; do
    compile $file
done
compile app app_lacpy -DLACPY
ar cr "$dir/libstatic.a" "$dir/inner.o" "$dir/pdgemr.o" "$dir/pdtrmr.o" ||
    exit 99

# ------------------------------------------------ the programs

# link NAME ARGUMENTS...: the program $dir/NAME
link() {
    name=$1
    shift
    $CC -o "$dir/$name" "$@" $SCALAPACK_LIBS $BLAS_LIBS $DL_LIBS \
        $GRAPH_LIBS -lm \
        >"$dir/out" 2>&1 || {
        fail "does not link"
        head -n 20 "$dir/out"
        return 1
    }
}

# run DISABLE: the program $name, what it says goes to out
run() {
    timeout -k 5 60 $MPIEXEC -n 2 env HESCA_VERBOSE=2 "HESCA_DISABLE=$1" \
        "$dir/$name" >"$dir/out" 2>&1 </dev/null || fail "exit status $?"
    [ "$(lines ': right$')" -eq 2 ] || fail 'B is wrong'
}

lines() {
    grep -c -- "$1" "$dir/out"
}

# expect NUMBER TEXT WHAT
expect() {
    found=$(lines "$2")
    [ "$found" -eq "$1" ] || {
        fail "$found lines of $3, not $1:"
        head -n 20 "$dir/out"
    }
}

# Six calls, all through HESCA; or all through it to the real routine, which
# in the static archive says so on both processes.
behaves() {
    run ''
    expect 3 '^hesca: pdgemr2d 12 x 12,' 'pdgemr2d by HESCA'
    expect 1 '^hesca: pdgemr2do 12 x 12,' 'pdgemr2do by HESCA'
    expect 2 '^hesca: pdtrmr2d 12 x 12,' 'pdtrmr2d by HESCA'
    expect 1 '^hesca: blacs_gridinit 1 x 2 of 2 processes, not placed: no mach' \
        'blacs_gridinit through HESCA'
    expect 0 '^real: ' 'calls of the real routine'
    run all
    expect 1 '^hesca: blacs_gridinit .* not placed: HESCA_DISABLE' \
        'blacs_gridinit left'
    expect 6 '^hesca: .* left to ScaLAPACK: HESCA_DISABLE' 'calls left'
    expect 0 '^hesca: .* steps,' 'calls by HESCA'
    if [ "$1" = archive ]; then
        expect 2 '^real: Cpdgemr2do' 'the real Cpdgemr2do'
        expect 4 '^real: Cpdtrmr2d$' 'the real Cpdtrmr2d'
        # Perhaps also under pdgemr2do.
        [ "$(lines '^real: Cpdgemr2d$')" -ge 6 ] ||
            fail "$(lines '^real: Cpdgemr2d$') calls of the real Cpdgemr2d"
    fi
}

# Whether hesca check finds HESCA in a program: yes or no.
check_says() {
    [ -x "$top_builddir/src/tools/hesca" ] || return
    "$top_builddir/src/tools/hesca" check "$dir/$name" >"$dir/out" 2>&1
    status=$?
    case $1$status in
        yes0 | no1) ;;
        *)
            fail "hesca check returns $status, should say $1:"
            cat "$dir/out"
            ;;
    esac
}

apps=app_lacpy # it calls all that app does
[ -z "$HESCA_TEST_BIG" ] || apps='app app_lacpy'
archives="$lib/libhesca_scalapack.a $lib/libhesca.a"
if [ "$static$ilp64" = nono ] && [ "$shared" = yes ]; then
    # Of what is in an archive, only the shim is compiled in another way.
    archives="$dir/shim.a $dir/core.a"
    mkdir "$dir/shim"
    (cd "$dir/shim" && $CC -DHAVE_CONFIG_H -I"$top_builddir" \
        -I"$top_srcdir/include" -I"$top_builddir/include" \
        -I"$top_srcdir/src" -c $(find "$top_srcdir/src/shim" -name '*.c')) &&
        cp "$lib/libcore.a" "$dir/core.a" &&
        ar r "$dir/core.a" "$dir/shim/no_shim.o" && rm "$dir/shim/no_shim.o" &&
        ar cr "$dir/shim.a" "$dir"/shim/*.o || exit 99
    static=yes
fi
if [ "$static" = yes ]; then
    for app in $apps; do
        title="$app, static HESCA, shared ScaLAPACK"
        link $app "$dir/$app.o" "$dir/inner.o" $wrap $archives && behaves

        title="$app, static HESCA, static ScaLAPACK"
        link $app "$dir/$app.o" $wrap $archives "$dir/libstatic.a" &&
            behaves archive

        # inner.o asks for HESCA after the linker has seen HESCA's archives.
        title="$app, static ScaLAPACK before static HESCA"
        link $app "$dir/$app.o" $wrap "$dir/libstatic.a" $archives \
            "$dir/libstatic.a" && behaves archive
    done
fi

if [ "$shared" = yes ]; then
    order="-L$lib -Wl,-rpath,$lib -lhesca_scalapack -lhesca"
    for app in $apps; do
        title="$app, HESCA before ScaLAPACK, both shared"
        link $app "$dir/$app.o" "$dir/inner.o" $order && {
            behaves
            check_says yes
        }
    done

    title='app, HESCA after ScaLAPACK, both shared'
    link app "$dir/app.o" "$dir/inner.o" -Wl,--no-as-needed $SCALAPACK_LIBS \
        $order && {
        run ''
        expect 0 '^hesca: .* steps,' 'calls by HESCA'
        check_says no
    }

    title='app, ScaLAPACK alone'
    link app "$dir/app.o" "$dir/inner.o" && {
        run ''
        expect 0 '^hesca: ' 'HESCA'
        check_says no
    }
fi
exit $failed

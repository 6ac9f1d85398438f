#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program with a bad argument, HESCA preloaded, stops: soon, with an exit
# status, and with the reason from every process.  With HESCA_ONERROR=return
# it goes on.

[ "$shared" = yes ] || { echo 'there is no shared library to preload'; exit 77; }
[ "$sanitizers" = no ] ||
    { echo 'a library with sanitizers cannot be preloaded'; exit 77; }
[ -n "$MPIEXEC" ] || { echo 'configure found no mpiexec'; exit 77; }

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM

cat >"$dir/bad.c" <<'EOF'
#include <limits.h>
#include <stdio.h>
#include <string.h>
void Cblacs_pinfo(int *, int *);
void Cblacs_get(int, int, int *);
void Cblacs_gridinit(int *, const char *, int, int);
void Cblacs_exit(int);
void Cpdgemr2d(int, int, double *, int, int, int *, double *, int, int, int *,
               int);
void Cpdtrmr2do(const char *, const char *, int, int, double *, int, int,
                int *, double *, int, int, int *);

/* The first argument names what is wrong; it is wrong on the last process
 * only, or on all. */
int
main(int argc, char **argv)
{
    static double a[100], b[100];
    int rank, nprocs, ictxt, m = 10;
    const char *wrong = argc > 1 ? argv[1] : "";
    Cblacs_pinfo(&rank, &nprocs);
    Cblacs_get(-1, 0, &ictxt);
    Cblacs_gridinit(&ictxt, "R", 1, nprocs);
    int desca[] = {1, ictxt, 10, 10, 3, 3, 0, 0, 10};
    int descb[] = {1, ictxt, 10, 10, 2, 2, 0, 0, 10};
    const int last = rank == nprocs - 1;
    if (strcmp(wrong, "lld") == 0 && last)
        descb[8] = 9;
    else if (strcmp(wrong, "m") == 0)
        m = -1;
    else if (strcmp(wrong, "differs") == 0 && last)
        m = 9;
    else if (strcmp(wrong, "context") == 0)
        ictxt = 12345;
    if (strcmp(wrong, "uplo") == 0)
        Cpdtrmr2do(last ? "?" : "U", "N", m, 10, a, 1, 1, desca, b, 1, 1,
                   descb);
    else
        Cpdgemr2d(m, 10, a, 1, 1, desca, b, 1, 1, descb, ictxt);
    printf("process %d goes on\n", rank);
    Cblacs_exit(0);
    return 0;
}
EOF
$CC -o "$dir/bad" "$dir/bad.c" $SCALAPACK_LIBS $BLAS_LIBS || exit 99

fail() {
    echo "$what, HESCA_ONERROR=$onerror, $n processes: $1"
    cat "$dir/out" "$dir/err"
    failed=1
}

# Lines of the file $1 that match $2.
lines() {
    grep -c "$2" "$dir/$1"
}

# try WHAT N TEXT: N processes must all say TEXT.
try() {
    what=$1 n=$2 text=$3
    for onerror in abort return; do
        begin=$(date +%s)
        timeout -k 5 60 $MPIEXEC -n "$n" env "LD_PRELOAD=$preload" \
            HESCA_ONERROR=$onerror "$dir/bad" "$what" \
            >"$dir/out" 2>"$dir/err" </dev/null
        status=$?
        took=$(($(date +%s) - begin))
        [ $took -le 20 ] || fail "it takes $took s"
        [ "$(lines err "^hesca: $text")" -eq "$n" ] ||
            fail "$(lines err "^hesca: $text") processes say '$text'"
        # PXERBLA writes on Fortran's unit 6 or 0.
        [ "$(cat "$dir/out" "$dir/err" | grep -c 'parameter number')" -eq \
            "$n" ] || fail "not $n lines of PXERBLA"
        if [ $onerror = abort ]; then
            [ $status -ne 0 ] && [ $status -ne 124 ] ||
                fail "exit status $status"
            [ "$(lines out 'goes on')" -eq 0 ] || fail 'a process goes on'
        else
            [ $status -eq 0 ] || fail "exit status $status"
            [ "$(lines out 'goes on')" -eq "$n" ] ||
                fail "$(lines out 'goes on') processes go on"
        fi
    done
}

failed=0
try lld 2 'PDGEMR2D: argument 10, entry 9 (LLD), is 9: '
try m 2 'PDGEMR2D: argument 1, M, is -1: '
try differs 2 'PDGEMR2D: argument 1, m differs '
try context 2 'PDGEMR2D: argument 11, CTXT, is 12345: '
try uplo 2 'PDTRMR2DO: argument 1, part differs '
try lld 4 'PDGEMR2D: argument 10, entry 9 (LLD), is 9: '
exit $failed

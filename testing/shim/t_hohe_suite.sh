#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ScaLAPACK's own testers, unmodified, with HESCA preloaded and HoHe forced:
# the same verdicts as from ScaLAPACK alone.  6 processes on hosts of unequal
# speed; waiting is polite in both runs, as there are few cores.  And what
# ScaLAPACK reports of bad arguments, it reports with HESCA, too.
#
# In make check one tester, in make bigcheck all that compute what HoHe serves.
# With HESCA_TEST_WAY=grid ScaLAPACK on the grid that is predicted best, instead
# of HoHe; with regrid that of the routines of HESCA_REGRID.

. "$top_srcdir/testing/shim/testers.sh"

way=${HESCA_TEST_WAY:-hohe}
testers=${HESCA_TEST_TESTERS:-}
if [ -n "$testers" ]; then
    :
elif [ "$way" = regrid ] && [ -n "$HESCA_TEST_BIG" ]; then
    # Without xzheevr: for one of its matrices of order 5 the vectors of
    # PZHEEVR on one process are off orthogonal by 2.4e-12, without HESCA, too.
    testers=$(cd "$bin" && ls -d PBLAS/?pb3tst x[sdcz]sep x[sdcz]gsep \
        x[sd]syevr xcheevr x[sd]svd x[sdcz]ls x[sdcz]qr x[sdcz]inv)
elif [ "$way" = regrid ]; then
    testers='PBLAS/zpb3tst xdsvd'
elif [ -n "$HESCA_TEST_BIG" ]; then
    testers=$(cd "$bin" && ls -d PBLAS/?pb3tst x[sdcz]lu x[sdcz]llt)
    [ "$way" = grid ] || testers="$testers $(cd "$bin" &&
        ls -d x[sdcz]qr x[sdcz]inv)"
elif [ "$way" = hohe ]; then
    testers='PBLAS/dpb3tst xdqr xdinv'
else
    testers='PBLAS/dpb3tst'
fi

# Unless in a big run, of PBLAS only the routine that is served.  In a big run
# all problems and all grids of up to 6 processes; larger matrices and blocks.
if [ "$way" = regrid ]; then
    input
elif [ -n "$HESCA_TEST_BIG" ]; then
    input 'function list(values) { sub(/^[0-9][0-9 ]*/, values " ") }
        /^4[ \t].*number of process grids/ {
            list(file ~ /BLAS3TST/ ? 7 : 6)
        }
        /^4[ \t].*number of tests problems/ { list(8) }
        file == "LU.dat" && /values of M$/ { list("4 10 17 57") }
        file == "LU.dat" && /values of N$/ { list("4 12 13 50") }
        file == "LLT.dat" && /values of N$/ { list("4 10 17 57") }
        file ~ /^(LU|LLT).dat$/ && /values of NB[ \t]*$/ { list("2 5 16") }'
else
    input '/^P[SDCZ]/ && !/^P.GEMM/ { sub(/ T/, " F") }'
fi
unequal_hosts >machine

# In regrid factors of QR are ScaLAPACK's in testers of eigenvalues, which make
# their matrices by them and have limits that depend on the last bits.
own=gemr2d,trmr2d,gridinit

# run real|hohe|grid|regrid VARIABLE=VALUE...: output goes to a file of this name
run() {
    how=$1 kernels=$1 regrid=real
    shift
    [ "$how" != regrid ] || { kernels=real regrid=grid; }
    [ "$how" != hohe ] || regrid=hohe
    timeout -k 5 "${HESCA_TEST_LIMIT:-200}" $MPIEXEC -n 6 env "$@" \
        HESCA_GEMM="$kernels" HESCA_POTRF="$kernels" HESCA_GETRF="$kernels" \
        HESCA_REGRID="$regrid" \
        HESCA_MACHINE="$dir/machine" HESCA_NODE_SIZE=1 HESCA_WAIT=polite \
        HESCA_PLACEMENT=off HESCA_VERBOSE=1 LD_PRELOAD="$preload" \
        "$bin/$tester" >"$how" 2>"$how.err" </dev/null
    status=$?
    [ $status -eq 0 ]
}

# How many calls went another way than the program's.
by_hesca() {
    grep -cE '^hesca: p.*, by (HoHe|ScaLAPACK on a) ' "$1"
}

fail() {
    echo "$tester, $how: $1"
    tail -n 12 "$how" "$how.err"
    failed=1
}

failed=0 ran=0

# What ScaLAPACK says of the arguments that t_gemm has wrong, on all processes
# or on one.  On a busy machine mpiexec may lose what a process wrote just
# before it aborted.
tester=t_gemm
mistakes='8:-1 1409:1'
[ -z "$HESCA_TEST_BIG" ] || mistakes="$mistakes 1:-1 3:-1 906:-1 1409:-1"
for what in $mistakes; do
    how="bad-$what"
    for try in 1 2 3; do
        HESCA_NODE_SIZE=1 timeout -k 5 60 $MPIEXEC -n 3 \
            "$top_builddir/testing/shim/t_gemm" ${what%:*} ${what#*:} \
            >"$how" 2>"$how.err" && fail 'ends without an error'
        grep -q "PBLAS ERROR 'Parameter number" "$how" "$how.err" && break
        [ $try -lt 3 ] || fail 'no error of PDGEMM'
    done
done

for tester in $testers; do
    [ -x "$bin/$tester" ] || continue
    case $tester in # both triangles
        x[sz]llt) sed "s/^'U'/'L'/" LLT.dat >lower && mv lower LLT.dat ;;
        x[dc]llt) sed "s/^'L'/'U'/" LLT.dat >upper && mv upper LLT.dat ;;
    esac
    case $tester in
        x*sep | x*evr) disable=$own,geqrf,ormqr,unmqr ;;
        *) disable=$own ;;
    esac
    if ! run real HESCA_DISABLE=$disable; then
        echo "$tester: ends with an error without HoHe, too"
        continue
    fi
    [ "$(by_hesca real.err)" -eq 0 ] || fail 'calls by HESCA'
    run "$way" HESCA_DISABLE=$disable ||
        fail "exit status $status"
    verdicts real >expected
    verdicts "$way" | cmp -s - expected ||
        fail "other verdicts than $(cat expected)"
    count=$(by_hesca "$way.err")
    echo "$tester: $count calls by HESCA ($way), $(tail -n 1 expected)"
    [ "$count" -gt 0 ] || fail 'no call by HESCA'
    ran=$((ran + 1))
done
[ $ran -gt 0 ] || { echo 'the testers do not run here, even alone'; exit 77; }
exit $failed

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ScaLAPACK's own testers, unmodified, with HESCA preloaded: the same verdicts
# as without, from calls that HESCA has served.
#
# Of the testers in Debian's scalapack-mpi-test these call p?gemr2d or
# p?trmr2d, always from inside ScaLAPACK (HESCA_VERBOSE=1 on 2 processes):
#
#   x?sep    p?gemr2d from p?syev, p?heev and p?lamr1d (p?syevd), p?trmr2d
#            from p?syntrd and p?hentrd (p?syevx, p?heevx)
#   x?gsep   the same, under p?sygvx and p?hegvx
#   x?syevr, x?heevr   the same, under p?syevr and p?heevr
#   x?svd    p?gemr2d from p?gesvd
#   x?hseqr  p?gemr2d from p?laqr0 ... p?laqr4 and p?lamve
#
# The others never do: x?brd x?dblu x?dtlu x?evc x?gblu x?hrd x?inv x?llt x?ls
# x?lu x?nep x?pbllt x?ptllt x?qr x?trd, and those of BLACS and PBLAS.

. "$top_srcdir/testing/shim/testers.sh"

# Leave the grids that 2 processes can form, or 2 x 1, and no large matrices.
fit() {
    awk '
        /number of processor configurations/ {
            getline p; getline q; getline nb
            n = split(p, P); split(q, Q); split(nb, NB)
            count = 0; p = q = nb = ""
            for (i = 1; i <= n && P[i] ~ /^[0-9]+$/; ++i)
                if (P[i] * Q[i] <= 2) {
                    ++count; p = p P[i] " "; q = q Q[i] " "; nb = nb NB[i] " "
                }
            if (count == 0) {
                count = 1; p = "2 "; q = "1 "; nb = NB[1] " "
            }
            print count " configurations"
            print p "P"; print q "Q"; print nb "NB"
            next
        }
        /^500[ \t]/ { sub(/500/, "120") }
        { print }' "$data/$1"
}
for file in SEP.dat SEPR.dat SVD.dat; do
    fit $file >$file
done

# run TESTER HOW [VARIABLE=VALUE...]: output goes to TESTER.HOW
run() {
    timeout -k 5 100 $MPIEXEC -n 2 env "$@" "$bin/$tester" \
        >"$tester.$how" 2>"$tester.$how.err" </dev/null
}

# Calls by HESCA, or left to ScaLAPACK, in all lines of summaries.
calls() {
    awk -v by="$1" '
        /^hesca: summary: / {
            for (i = 2; i <= NF; ++i)
                if ($i == "by" && $(i + 1) ~ "^" by)
                    n += $(i - 1) == "calls" ? $(i - 2) : $(i - 1)
        }
        END { print n + 0 }' "$2"
}

# Of x?syevr and x?heevr without the first case, which they now and then call
# FAILED without HESCA, too, whatever its order (10 of 40 runs of xcheevr).
found() {
    case $tester in
        *evr)
            grep -E '^ +[0-9].*(PASSED|FAILED)' "$1" | tail -n +2 >"$1.cases"
            echo "$(grep -c PASSED "$1.cases") cases passed, $(
                grep -c FAILED "$1.cases") failed"
            ;;
        *) verdicts "$1" ;;
    esac
}

fail() {
    echo "$tester, $how: $1"
    tail -n 15 "$tester.$how" "$tester.$how.err"
    failed=1
}

failed=0 ran=0
testers='xdsep xcheevr xdhseqr'
[ -z "$HESCA_TEST_BIG" ] || testers='xssep xdsep xcsep xzsep xsgsep xdgsep
    xcgsep xzgsep xssyevr xdsyevr xcheevr xzheevr xssvd xdsvd xshseqr xdhseqr'
for tester in $testers; do
    [ -x "$bin/$tester" ] || continue
    how=alone
    if ! run "HESCA_VERBOSE=0"; then
        echo "$tester fails without HESCA, too"
        continue
    fi
    ran=$((ran + 1))
    for how in hesca disabled; do
        disable=
        [ $how = hesca ] || disable=all
        run "LD_PRELOAD=$preload" HESCA_VERBOSE=1 "HESCA_DISABLE=$disable" ||
            fail "exit status $?"
        found "$tester.alone" >"$tester.expected"
        found "$tester.$how" | cmp -s - "$tester.expected" ||
            fail "other verdicts than $(cat "$tester.expected")"
        served=$(calls HESCA "$tester.$how.err")
        left=$(calls ScaLAPACK "$tester.$how.err")
        case $how in
            hesca)
                [ "$served" -gt 0 ] && [ "$left" -eq 0 ] ||
                    fail "$served calls by HESCA, $left by ScaLAPACK"
                echo "$tester: $served calls by HESCA"
                ;;
            disabled)
                [ "$served" -eq 0 ] && [ "$left" -gt 0 ] ||
                    fail "$served calls by HESCA, $left by ScaLAPACK"
                # One is enough.
                ;;
        esac
        [ $tester = xdsep ] || break
    done
done
[ $ran -gt 0 ] || { echo 'the testers do not run here, even alone'; exit 77; }
exit $failed

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Processes of an HMPI program that end or stop: the others end with a message.

. "$top_srcdir/testing/program.sh"
[ -n "$MPIEXEC" ] || { echo 'configure found no mpiexec'; exit 77; }
program=$top_builddir/testing/hmpi/t_hmpi_die

# lose TEXT RANK SIGNAL WHERE: the program ends soon, not well, and says TEXT.
lose() {
    text=$1
    shift
    command="t_hmpi_die $*"
    begin=$(date +%s)
    HMPI_TIMEOUT=2 timeout -k 1 28 $MPIEXEC -n 3 "$program" "$@" \
        >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
    [ $status -ne 0 ] || complain 'ends well'
    [ $(($(date +%s) - begin)) -lt 25 ] || complain "runs too long ($status)"
    [ -z "$text" ] || cat "$dir/out" "$dir/err" | grep -q -e "$text" ||
        complain "does not say '$text'"
}

# The code that HMPI_Finalize() gets is the program's.
$MPIEXEC -n 2 "$program" 1 7 leaving >"$dir/out" 2>"$dir/err" </dev/null
status=$?
command='t_hmpi_die 1 7 leaving'
[ $status -eq 7 ] || complain "exit status $status, not 7"

# Launchers end a program of which one process is killed, and may be first.
lose '' 1 9 computing
lose '' 0 9 computing
lose '' 2 14 waiting
# Stopped, a process is found by its silence: the registry's, or that of it.
lose 'hmpi: process 1 does not answer' 1 19 waiting
lose 'hmpi: process 0 does not answer' 0 19 computing
pkill -9 -x t_hmpi_die 2>/dev/null
exit $failed

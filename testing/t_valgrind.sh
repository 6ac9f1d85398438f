#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A few tests under valgrind: no invalid read or write, no use of what was not
# set, nothing lost, wherever HESCA is on the stack.  What MPI does among
# itself is not looked at.
#
# The search in valgrind's reports is first tried on one of each kind.

command -v valgrind >/dev/null || { echo 'there is no valgrind'; exit 77; }
[ "$sanitizers" = no ] || { echo 'not together with sanitizers'; exit 77; }
[ "$mpi" = mpich ] || { echo 'tried with MPICH only'; exit 77; }
[ -n "$MPIEXEC" ] || { echo 'configure found no mpiexec'; exit 77; }

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM

# Print the errors in the reports $@ that have HESCA on the stack: a function
# hesca_..., a file of src/, or a library of ours.
errors() {
    awk '
        # MPICH asks msync() for addresses that are free, to put a window there.
        function end() {
            if (ours && block !~ /Syscall param msync\(start\)/)
                print block
            block = ""
            ours = theirs = 0
        }
        { sub(/^==[0-9]+== ?/, "") }
        /^ *$/ { end(); next }
        { block = block $0 "\n" }
        # The shim hands calls of MPI on: what MPI does then is its own.
        /^ +by 0x[0-9A-F]+: MPI_[A-Z][a-z_]+ / { next }
        # So are contexts, which it hands on to the BLACS.
        /^ +by 0x[0-9A-F]+: Cblacs_[a-z]+ \(in / && block ~ / lost in loss / {
            theirs = 1
        }
        # MPICH 4.0.2 loses one block of its own, however many groups are made.
        /^ +by 0x[0-9A-F]+: PMPI_Comm_group \(in / && block ~ / lost in loss / {
            theirs = 1
        }
        !theirs && /^ +(at|by) 0x[0-9A-F]+: / {
            if ($0 ~ /: hesca_/ || $0 ~ /libhesca[a-z_]*\.(so|a)/ ||
                $0 ~ /\/src\/[a-z]+\/([a-z]+\/)?[a-z0-9_]+\.[ch]:/)
                ours = 1
        }
        END { end() }' "$@"
}

cat >"$dir/sample" <<'EOF'
==1== Command: /home/me/hesca/testing/exec/t_plan
==1== 
==1== 16 bytes in 1 blocks are definitely lost in loss record 1 of 2
==1==    at 0x484: malloc (in /usr/libexec/valgrind/vgpreload.so)
==1==    by 0x73D: ??? (in /usr/lib/libmpich.so.12)
==1==    by 0x10A: main (/home/me/hesca/build/../testing/exec/t_plan.c:273)
==1== 
==1== Syscall param msync(start) points to unaddressable byte(s)
==1==    at 0x99F: msync (in /usr/lib/libc.so.6)
==1==    by 0x72A: PMPI_Win_allocate_shared (in /usr/lib/libmpich.so.12)
==1==    by 0x2A6: hesca_window_attach (window.c:374)
==1== 
==1== Invalid write of size 4
==1==    at 0x2A6: unpack (/home/me/hesca/build/../src/exec/pack.c:10)
==1==    by 0x10A: main (/home/me/hesca/build/../testing/exec/t_plan.c:273)
==1== 
==1== 24 bytes in 1 blocks are definitely lost in loss record 2 of 2
==1==    at 0x484: malloc (in /usr/libexec/valgrind/vgpreload.so)
==1==    by 0x2A6: hesca_plan_make (plan.c:200)
==1== 
==1== 32 bytes in 1 blocks are definitely lost in loss record 2 of 2
==1==    at 0x484: calloc (in /usr/libexec/valgrind/vgpreload.so)
==1==    by 0x724: PMPI_Init (in /usr/lib/libmpich.so.12)
==1==    by 0x485: MPI_Init (/home/me/hesca/build/../src/shim/mpiwait/mpiwait_init.c:64)
==1==    by 0x10A: main (/home/me/hesca/build/../testing/exec/t_plan.c:273)
==1== 
==1== 36 bytes in 1 blocks are definitely lost in loss record 2 of 2
==1==    at 0x484: malloc (in /usr/libexec/valgrind/vgpreload.so)
==1==    by 0x73D: PMPI_Comm_split (in /usr/lib/libmpich.so.12)
==1==    by 0x492: Cblacs_gridmap (in /usr/lib/libscalapack-mpich.so.2.2.1)
==1==    by 0x485: call_map (/home/me/hesca/build/../src/shim/blacs/gridinit_original.c:130)
==1== 
==1== Conditional jump or move depends on uninitialised value(s)
==1==    at 0x2A6: ??? (in /usr/lib/libhesca.so.0)
==1== 
==1== ERROR SUMMARY: 4 errors from 4 contexts (suppressed: 0 from 0)
EOF
[ "$(errors "$dir/sample" | grep -c '^ *at ')" -eq 3 ] || {
    echo 'the search itself is broken, it finds:'
    errors "$dir/sample"
    exit 1
}

# try N PROGRAM [VARIABLE=VALUE]: N processes of testing/PROGRAM
failed=0
try() {
    n=$1 program=$2
    shift 2
    rm -f "$dir"/log.*
    [ -x "$top_builddir/testing/$program" ] || {
        echo "$program is missing"
        failed=1
        return
    }
    timeout -k 5 280 $MPIEXEC -n "$n" env "$@" \
        valgrind --leak-check=full --num-callers=40 --fullpath-after= \
        --log-file="$dir/log.%p" "$top_builddir/testing/$program" \
        >"$dir/out" 2>&1 </dev/null || {
        echo "$program $*, $n processes: exit status $?"
        tail -n 30 "$dir/out"
        failed=1
    }
    [ "$(cat "$dir"/log.* | grep -c 'ERROR SUMMARY')" -eq "$n" ] || {
        echo "$program $*, $n processes: not $n reports"
        failed=1
    }
    errors "$dir"/log.* >"$dir/errors"
    [ ! -s "$dir/errors" ] || {
        echo "$program $*, $n processes:"
        cat "$dir/errors"
        failed=1
    }
    echo "$program, $n processes: $(cat "$dir"/log.* |
        grep 'ERROR SUMMARY' | sed 's/.*SUMMARY: \([0-9]*\).*/\1/' |
        awk '{ n += $1 } END { print n }') errors, $(
        grep -c '^ *at ' "$dir/errors") with HESCA on the stack"
}

try 2 shim/t_gemr2d HESCA_TEST_PERCENT=3
[ -n "$HESCA_TEST_BIG" ] || exit $failed

try 2 shim/t_contexts HESCA_TEST_PERCENT=2
try 2 exec/t_directory
try 2 exec/t_errors
try 2 dense/t_gemm_nomem
try 2 dense/t_getrf_errors
try 2 shim/t_badargs
try 2 dense/t_potrf_errors
try 2 hohe/t_hohe_nomem HESCA_NODE_SIZE=1
try 2 exec/t_plan HESCA_TRANSPORT=shm HESCA_TEST_PERCENT=12
exit $failed

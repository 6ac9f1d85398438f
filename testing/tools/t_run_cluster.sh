#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hesca run across an emulated cluster: hosts and what they can do as hesca
# probe finds them; with hosts alone, measured, and what a program calls learnt
# for the next run; processes run on the hosts requested, are not bound where a
# host has a quota, and wait politely by HESCA alone.  Measured speeds
# decide nothing.

. "$top_srcdir/testing/cluster.sh"

cluster_up <<'EOF'
a 0.6 1gbit 3
b 0.6 1gbit 3
c 0.2 1gbit 1
d 0.2 1gbit 1
EOF
hesca=$top_builddir/src/tools/hesca
XDG_CACHE_HOME=$dir/cache
export XDG_CACHE_HOME
unset HESCA_MACHINE HESCA_PROGRAM HESCA_LEARN HESCA_JOB

# ------------------------------------------------ mpiexec of the cluster
run 0 "$cluster" mpiexec --version
says out HYDRA
run 2 "$cluster" mpiexec
says err 'wants options and a program'
run 0 "$cluster" mpiexec -hosts c,a:2 -n 3 uname -n
says_times 2 '^a$'
says_times 1 '^c$'
run 0 "$cluster" mpiexec -n 8 sh -c 'uname -n' -hosts # a word of the program
says_times 3 '^b$'
run 0 "$cluster" mpiexec --plain -n 8 uname -n
says_times 3 '^b$'
says_times 1 '^d$'
run 0 "$cluster" mpiexec --plain -n 1 env
[ "$(grep -c '^LD_PRELOAD=' "$dir/out")" -eq 0 ] || complain 'preloads'
run 0 "$cluster" mpiexec --spin -n 1 env
says out '^HETCLUSTER_SPIN=1'
says out '^LD_PRELOAD=.*/preload.so'

# ------------------------------------------------ probe
# A quota below one core makes a host slower, not a part of a core.
run 0 "$cluster" run -n 4 --map a:1,b:1,c:1,d:1 -- "$hesca" probe \
    --only links --seconds 4 -o "$dir/measured"
says_times 4 '^host [abcd] speed [0-9.]+ memory [0-9.e+]+$'
says_times 4 '^# [abcd] .* on each of 1 cores, [0-9.]+ GB free$'
run 0 "$hesca" run --dry-run --machine "$dir/measured" --json
json '[h["name"] for h in d["hosts"]] == list("abcd")'
json 'all(h["cores"] == 1 and h["memory"] > 1e8 for h in d["hosts"])'
json 'd["gain"] > 0.9'

# ------------------------------------------------ run
cat >"$dir/machine" <<'EOF'
hesca-machine 1
host a speed .6
host b speed .6
host c speed .2
host d speed .2
others startup 50us rate 940Mbit/s
EOF
cat >"$dir/show.c" <<'EOF'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
/* Each process prints its host. */
int
main(int argc, char **argv)
{
    char host[MPI_MAX_PROCESSOR_NAME];
    int rank, size, len, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_processor_name(host, &len);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d of %d on %s: %s, sum %d\n", rank, size, host,
           getenv("HESCA_JOB"), sum);
    fflush(stdout);
    MPI_Finalize();
    return argc - 1;
}
EOF
$CC -o "$dir/show" "$dir/show.c" || exit 99
plain=--plain preloaded=
if [ "$shared" != yes ] || [ "$sanitizers" != no ]; then
    plain='' preloaded=--no-preload # MPI_Finalize needs one of both
fi

# start STATUS ARGUMENT...: of hesca run, in the cluster.
start() {
    want=$1
    shift
    # shellcheck disable=SC2086 # an option or nothing
    run "$want" timeout 100 "$hesca" run $preloaded --mpiexec \
        "$cluster mpiexec $plain" "$@"
}

HESCA_VERBOSE=1 start 0 --machine "$dir/machine" --order 3000 \
    --per-host 3,3,1,1 -- "$dir/show"
says_times 8 'of 8 on [abcd]: gemm,3000,64, sum 28$'
for host in a:3 b:3 c:1 d:1; do
    says_times "${host#*:}" "on ${host%:*}:"
done
says out '^rank 0 of 8 on a:'
says out '^rank 7 of 8 on d:'
says err '^hesca: a: process 0 of 3 here is not bound: (the CPU quota|hesca was)'
[ -n "$preloaded" ] || says err 'calls yield: [0-9.]+ processes per core of a CPU quota'
start 0 --machine "$dir/machine" --order 3000 -- "$dir/show"
says_times 4 'of 4 on [abcd]: gemm,3000,64, sum 6$'
says err 'not predicted to be faster; best grid [0-9]x[0-9] of 4 processes, in shares in '
start 2 --machine "$dir/machine" --per-host d=2,b=1 -- "$dir/show" 1 2
says_times 1 'of 3 on b:'
says_times 2 'of 3 on d:'

# ------------------------------------------------ from nothing
# The program takes over what has been measured, and the next run its grid.
if [ -z "$preloaded" ]; then
    app=$top_builddir/examples/13_pdgemm
    HESCA_VERBOSE=1 start 0 --hosts a,b,c,d --grid 2x2 -- "$app"
    says err '^hesca run: 4 hosts of --hosts, measured in [0-9.]+ s, .*: speeds a [01]'
    says err '4 processes: a 1, b 1, c 1, d 1, one per core: --grid uses no more'
    says err '^hesca: machine: 4 hosts, .*; from '
    grep -q '^grid 2 2 of 4$' "$dir"/cache/hesca/program-* ||
        complain 'the grid is not kept'
    start 0 --hosts a,b,c,d -- "$app"
    says err '^hesca run: 4 hosts of --hosts, from '
    says err "one per core: the grid of the program's last run uses no more"
fi

run 0 "$cluster" down
exit $failed

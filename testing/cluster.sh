# SPDX-License-Identifier: BSD-3-Clause
# For scripts that test programs on an emulated cluster, to be read by them:
# what program.sh has, and a cluster of their own, which goes when they end.

[ "$mpi" = mpich ] || { echo 'the emulated cluster is for MPICH'; exit 77; }
[ -n "$MPIEXEC" ] || { echo 'configure found no mpiexec'; exit 77; }
. "$top_srcdir/testing/program.sh"
cluster=$top_srcdir/testing/hetcluster
HETCLUSTER_NAME=hesca-$$
HETCLUSTER_MPIEXEC=${MPIEXEC%% *}
# A sanitized program insists on its runtime's being first, before what the
# cluster preloads.
ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
export HETCLUSTER_NAME HETCLUSTER_MPIEXEC ASAN_OPTIONS
trap '"$cluster" down >/dev/null 2>&1; rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM

# cluster_up: of the hosts that stdin describes; ends the script, where this
# machine cannot do it as one that is skipped.
cluster_up() {
    cat >"$dir/hosts"
    "$cluster" up "$dir/hosts" >"$dir/out" 2>&1 && return
    case $? in
        77) cat "$dir/out"; exit 77 ;;
        *) cat "$dir/out"; exit 1 ;;
    esac
}

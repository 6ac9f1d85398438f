#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hesca doctor: wrong set-ups, each of which it names, and right ones.

. "$top_srcdir/testing/program.sh"
[ "$sanitizers" = no ] && [ "$shared" = yes ] ||
    { echo 'needs a library that can be preloaded'; exit 77; }
[ -n "$MPIEXEC" ] || { echo 'configure found no mpiexec'; exit 77; }
unset LD_PRELOAD
hesca=$top_builddir/src/tools/hesca
app=$top_builddir/examples/01_gemr2d

# doctor STATUS WORD...
doctor() {
    want=$1
    shift
    run "$want" "$hesca" doctor "$@"
}

# wrong TEXT WORD...: the command has a problem with that text.
wrong() {
    text=$1
    shift
    doctor 1 -- "$@"
    says out "^problem: .*$text"
}

# ------------------------------------------------ right
doctor 0
says out '^fine: +variables'
silent err
doctor 0 -- $MPIEXEC -n 3 env "LD_PRELOAD=$preload" "$app" -n 10
says out '^fine: +3 processes started: '
says out "01_gemr2d: HESCA serves 127 of 127 routines"
silent err
doctor 0 --no-start --json -- $MPIEXEC -n 3 env "LD_PRELOAD=$preload" "$app"
json 'd["problems"] == 0 and len(d["lines"]) == 2'
doctor 2 --frobnicate
doctor 0 --help

# ------------------------------------------------ wrong
HESCA_SCHEDUL=direct doctor 1
says out '^problem: HESCA_SCHEDUL is not .* HESCA_SCHEDULE'
HESCA_DISABLE=pdgmer2d HESCA_LOG=/no/such/folder/log doctor 1
says out "^problem: HESCA_DISABLE is 'pdgmer2d'.*gemr2d"
says out '^problem: HESCA_LOG is .*No such file'
HESCA_REPORT=/no/such/folder/page.html doctor 1
says out '^problem: HESCA_REPORT is .*No such file'
wrong 'HESCA_BUFFER is .1.: must be' $MPIEXEC -n 2 env HESCA_BUFFER=1 \
    "LD_PRELOAD=$preload" "$app"
HESCA_MACHINE=$dir/none doctor 1
says out '^problem: HESCA_MACHINE cannot be used: .*none: No such file'
printf 'hesca-machine 1\nhost elsewhere\n' >"$dir/foreign"
HESCA_MACHINE=$dir/foreign
export HESCA_MACHINE
wrong 'host .* of process 0 is not in it' $MPIEXEC -n 2 env \
    "LD_PRELOAD=$preload" "$app"
unset HESCA_MACHINE
wrong 'does not use HESCA' $MPIEXEC -n 2 "$app"
wrong 'libhesca, which replaces nothing' $MPIEXEC -n 2 env \
    "LD_PRELOAD=$top_builddir/src/.libs/libhesca.so" "$app"
wrong '/no/such.so: No such file.*runs without' $MPIEXEC -n 2 env \
    LD_PRELOAD=/no/such.so "$app"
silent err
wrong "program '\\./nothing' is not found" $MPIEXEC -n 2 ./nothing
wrong "launcher 'mpiexec.none' is not found" mpiexec.none -n 2 "$app"
wrong 'no ScaLAPACK' $MPIEXEC -n 2 env "LD_PRELOAD=$preload" /bin/ls
cat >"$dir/mpiexec" <<'END'
#!/bin/sh
[ "$1" = --version ] && echo "$KIND" && exit
while [ $# -gt 0 ] && [ "$1" != env ]; do shift; done
exec "$@"
END
chmod +x "$dir/mpiexec"
if [ "$mpi" = mpich ]; then
    KIND='mpiexec (OpenRTE) 4.1.4' bad='-env A B'
else
    KIND='HYDRA build details:' bad='-x A=B'
fi
export KIND
wrong 'MPI is .* alone in MPI_COMM_WORLD' "$dir/mpiexec" -n 2 "$app"
wrong "does not know ${bad%% *}, an option" "$dir/mpiexec" $bad -n 2 "$app"
# Processes that are alone say so themselves.
KIND=$([ "$mpi" = mpich ] && echo 'HYDRA build details:' ||
    echo 'mpiexec (OpenRTE) 4.1.4')
cat >"$dir/two" <<'END'
#!/bin/sh
[ "$1" = --version ] && echo "$KIND" && exit
while [ $# -gt 0 ] && [ "$1" != env ]; do shift; done
SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1 "$@"
SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0 exec "$@"
END
mv "$dir/two" "$dir/mpiexec.two"
chmod +x "$dir/mpiexec.two"
wrong 'srun started 2 processes, but each is alone' "$dir/mpiexec.two" -n 2 \
    "$app"
exit $failed

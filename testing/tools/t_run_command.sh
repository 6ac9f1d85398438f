#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hesca run and hesca bind: options, layouts and predictions against numbers
# made by hand, the commands that launchers are given, what processes find, and
# how it ends.

. "$top_srcdir/testing/program.sh"
unset HESCA_JOB HESCA_PLACEMENT OMP_NUM_THREADS OPENBLAS_NUM_THREADS
unset MPI_LOCALRANKID MPI_LOCALNRANKS HESCA_MACHINE HESCA_PROGRAM HESCA_LEARN
unset HYDRA_HOST_FILE OMPI_MCA_orte_default_hostfile SLURM_JOB_NODELIST
unset PRTE_MCA_prte_default_hostfile PBS_NODEFILE PE_HOSTFILE
XDG_CACHE_HOME=$dir/cache
export XDG_CACHE_HOME
hesca=$top_builddir/src/tools/hesca

# call STATUS ARGUMENT...: of hesca run.
call() {
    want=$1
    shift
    run "$want" "$hesca" run "$@"
}

# machine NAME LINE...: a file of hosts with equal links.
machine() {
    file=$dir/$1
    shift
    { echo 'hesca-machine 1'; printf 'host %s\n' "$@"
      echo 'others startup 50us rate 940Mbit/s'; } >"$file"
}

# dry ARGUMENT...: what hesca run plans to do.
dry() {
    call 0 --dry-run --launcher hydra "$@"
    silent err
}

# counts HOST=N...: processes of hosts in the table.
counts() {
    for pair; do
        says out "^${pair%=*} +[0-9.]+ +[0-9.]+ +${pair#*=} "
    done
}

# ------------------------------------------------ options
run 0 "$hesca" run --help
says out '^Usage: hesca run '
for bad in '-n' '-n 0' '-n 3x' '-n 1e9' '--frobnicate' '--per-core 0' \
    '--per-core -1' '--per-core nan' '--memory 1T' '--memory -1' '--order 0' \
    '--order 1e4' '--block x' '--routine qr' '--grid 2' '--grid 0x2' \
    '--grid 2x2x2' '--grid ax2' '--plain 1x' '--launcher pbs' '--most 0' \
    '--json' '-n 4 --most 2' '-n 2 --per-host 2' '--most 2 --per-host 2' '--mpiexec' \
    '--hosts a, ' '--hosts a:0' '--hosts a;b' '--hosts a --machine m'; do
    # shellcheck disable=SC2086 # several words
    call 2 $bad -- true
    silent out
    says err '^hesca run: .*see --help'
done
call 2 -n 1
says err 'a program is missing'
call 2 --per-host 2 -- no-such-program
says err "program 'no-such-program' is not found$"
call 2 no-such-program -- x
says err "program 'no-such-program' is not found$"
call 2 -- "$dir"
says err 'is not found'
call 2 --hosts "$dir/no-such-file" -- true
says err 'no-such-file: No such file'
: >"$dir/empty"
call 2 --hosts "$dir/empty" -- true
says err 'empty is not a list of hosts'
call 2 --mpiexec no-such-mpiexec -- true
says err "mpiexec 'no-such-mpiexec' is not found"
call 2 --mpiexec ' ' -- true
says err 'is empty'
(cd "$dir" && echo : >here && chmod +x here && "$hesca" run -- here) 2>"$dir/err"
says err 'the one in this folder is written ./NAME'
HESCA_WAIT=rude call 1 --dry-run
says err 'HESCA_WAIT'

# ------------------------------------------------ machine files
machine zero 'a speed 0'
call 2 --machine "$file" --dry-run
says err "zero:2: '0' must be a number.*more than 0"
call 2 --machine "$dir/none" --dry-run
says err 'none'
machine three 'fast speed 2429 cores 8' 'mid speed 563' 'slow.site.org speed 412'
three=$file
for bad in '1' '1,2' '1,2,3,4' '0,0,0' '1,,1' '1,2,-3' 'fast=x' 'fast=1,2' \
    'fast' 'fast=1,fast=2' '=1' '1,2,999999'; do
    call 2 --machine "$three" --dry-run --per-host "$bad"
    says err '^hesca run: --per-host'
done
call 2 --machine "$three" --dry-run --per-host nobody=2
says err "the machine has no host 'nobody'"
call 2 --machine "$three" --dry-run -n 500
says err 'is 500: .* allow 80$' # 8 on each of 10 cores
call 2 --machine "$three" --dry-run --grid 4x13
says err '4x13 has 52 places, for 51 processes'
call 2 --machine "$three" --dry-run --plain 2x6
says err '2x6 has 12 places, for 10 processes, one per core'

# ------------------------------------------------ ceil(speed / slowest)
# ceilings SPEED...: computed by awk.
ceilings() {
    echo "$@" | awk '{
        least = $1
        for (i = 2; i <= NF; ++i) if ($i < least) least = $i
        for (i = 1; i <= NF; ++i)
            printf "%d ", int($i / least) + ($i / least > int($i / least))
        print "" }'
}
for speeds in '2429 563 412' '2139 494 392'; do
    # shellcheck disable=SC2086 # three words
    set -- $speeds $(ceilings $speeds)
    [ "$4/$5/$6" = 6/2/1 ] || complain "ceilings are $4/$5/$6"
    machine ceil "a speed $1" "b speed $2" "c speed $3"
    dry --machine "$file"
    counts "a=$4" "b=$5" "c=$6"
done
dry --machine "$three"
counts fast=48 mid=2 slow.site.org=1
says out '^all +51 '
HESCA_MACHINE=$three dry
counts fast=48 mid=2 slow.site.org=1
dry --machine "$three" --per-host slow=3,fast=2
counts fast=2 mid=0 slow.site.org=3
dry --machine "$three" --per-host 1,2,3
counts fast=1 mid=2 slow.site.org=3
dry --machine "$three" --per-core 2
counts fast=16 mid=2 slow.site.org=1
dry --machine "$three" -n 8 --json
json 'd["processes"] == 8 == sum(h["processes"] for h in d["hosts"])'
dry --machine "$three" --most 12 --json
json 'd["processes"] <= 12'

# ------------------------------------------------ memory
machine memory 'a speed 3 memory 1GB' 'b speed 1 memory 100MB'
call 0 --launcher hydra --dry-run --machine "$file" --memory 300M
says err 'host b gets 0 instead of 1 processes: it has memory for 0.1 GB only'
counts a=3 b=0
machine small 'a memory 1MB' 'b memory 1MB'
call 2 --dry-run --machine "$file"
says err 'no host has memory for a process'
call 0 --launcher hydra --dry-run --machine "$dir/memory" --per-host 2,2 \
    --order 100 --memory 64M
says err 'host b has memory for 0.1 GB, its 2 processes need 0.134 GB'
counts a=2 b=2
# The job that predictions take where none is given needs no memory.
machine tiny 'a memory 200MB'
dry --machine "$file" --json
json 'd["hosts"][0]["bytes"] == 64e6'
call 2 --dry-run --machine "$file" --routine gemm
says err 'no host has memory for a process of this job'
# A sixth of 864 MB fits into b, a third does not.
machine equal 'b speed 1 memory 250MB' 'a speed 2 cores 2.5 memory 10GB'
dry --machine "$file" --routine gemm --order 6000
counts a=5 b=1
says out '^plain +in equal shares, .* do not fit$'
dry --machine "$file" --routine gemm --order 6000 --json
json 'd["plain"] is None and d["gain"] is None and d["grid"]["seconds"] > 0'
call 2 --machine "$file" --routine gemm --order 6000 --dry-run --plain 1x3
says err 'host b has memory for 0'

# ------------------------------------------------ predictions
# Four hosts, 2 n^3 operations, 1e10 per second at speed 1: with 3/3/1/1
# processes each host has work in proportion to its speed.
machine four 'a speed .6' 'b speed .6' 'c speed .2' 'd speed .2'
four=$file
dry --machine "$four" --routine pdgemm --order 4000 --block 50 --grid 2x4 \
    --plain 2x2
counts a=3 b=3 c=1 d=1
says out '^job +gemm of order 4000, blocks of 50$'
says out '^grid +2 x 4$'
says out '^plain .* 2 x 2$'
says out '^gain +1\.[0-9]+ '
says out 'speed 1 is taken for$'
dry --json --machine "$four" --routine pdgemm --order 4000 --block 50 \
    --grid 2x4 --plain 2x2
json 'd["machine"].endswith("/four") and d["processes"] == 8'
json '[h["processes"] for h in d["hosts"]] == [3, 3, 1, 1]'
json '[h["work_share"] for h in d["hosts"]] == [.375, .375, .125, .125]'
json 'all(abs(h["work_share"] - h["speed_share"]) < 1e-5 for h in d["hosts"])'
json 'abs(d["hosts"][0]["bytes"] - 3 * 64e6 - .375 * 3 * 8 * 4000**2) < 1'
json 'd["job"] == {"routine": "gemm", "order": 4000, "block": 50}'
json '(d["grid"]["nprow"], d["grid"]["npcol"]) == (2, 4)'
json 'sorted(d["grid"]["process"]) == list(range(8))'
json 'd["grid"]["process"][0] == 0'
json '[[0, 0, 0, 1, 1, 1, 2, 3][p] for p in d["grid"]["process"]]
    == d["grid"]["host"]'
json 'd["plain"]["host"] == [0, 1, 2, 3]'
json 'abs(d["grid"]["compute"] / 8 - 1) < 0.03 and d["grid"]["ideal"] == 8'
json 'abs(d["plain"]["compute"] / 16 - 1) < 0.03 and d["plain"]["bound"] == 16'
json 'all(abs(g["compute"] + g["communicate"] - g["seconds"]) < 1e-4
    for g in (d["grid"], d["plain"]))'
json 'abs(d["gain"] - d["plain"]["seconds"] / d["grid"]["seconds"]) < 1e-5'
json 'd["command"] == []'
# No shape of the user's is better than the one that is found.
cp "$dir/out" "$dir/given.json"
dry --json --machine "$four" --routine gemm --order 4000 --block 50
[ -z "$python" ] || for shape in 1x8 2x4 4x2 8x1 1x6 2x3; do
    cp "$dir/out" "$dir/best.json"
    dry --json --machine "$four" --routine gemm --order 4000 --block 50 \
        --grid $shape
    cp "$dir/out" "$dir/one.json"
    run 0 $python -c 'import json, sys
best, one = (json.load(open(f)) for f in sys.argv[1:])
sys.exit(best["seconds"] > one["seconds"] * 1.0001)' \
        "$dir/best.json" "$dir/one.json"
    cp "$dir/best.json" "$dir/out"
done
# Without an option HESCA_JOB counts; options override parts of it.
HESCA_JOB=gesv,2000,32 dry --json --machine "$four"
json 'd["job"] == {"routine": "gesv", "order": 2000, "block": 32}'
HESCA_JOB=gesv,2000,32 dry --json --machine "$four" --order 500
json 'd["job"] == {"routine": "gesv", "order": 500, "block": 32}'
# A model of the kernel takes the place of relative speeds.
{ cat "$four"; for host in a b c d; do
    printf 'model %s dgemm\nknot size 1e6 speed 5e9\n' $host
done; } >"$dir/models"
dry --machine "$dir/models" --routine gemm --order 4000
counts a=1 b=1 c=1 d=1
[ "$(grep -c 'is taken for' "$dir/out")" -eq 0 ] || complain 'there are models'
sed 's/^model d dgemm/& limit 1e6/' "$dir/models" >"$dir/limited"
call 0 --dry-run --machine "$dir/limited" --routine gemm --order 4000
counts a=1 b=1 c=1 d=0
says err 'host d gets no process: its model'

# ------------------------------------------------ what launchers are given
# Takes the place of mpiexec: prints its words, then is one process of one.
cat >"$dir/mpiexec" <<'END'
#!/bin/sh
if [ "$1" = --version ]; then
    cat >/dev/null # input is the program's
    echo "$FAKE_VERSION"
    exit 0
fi
printf '%s\n' "$@" >"$FAKE_WORDS"
while [ "${1##*/}" != hesca ]; do shift; done
export MPI_LOCALRANKID=0 MPI_LOCALNRANKS=1
exec "$@"
END
chmod +x "$dir/mpiexec"
printf '#!/bin/sh\nenv; printf "word <%%s>\\n" "$@"; exit 42\n' >"$dir/app"
chmod +x "$dir/app"
FAKE_WORDS=$dir/words
export FAKE_WORDS FAKE_VERSION

# words LINE...: the first words that mpiexec was given.
words() {
    printf '%s\n' "$@" >"$dir/want"
    head -n $# "$FAKE_WORDS" | cmp -s - "$dir/want" ||
        complain "mpiexec was given $(tr '\n' ' ' <"$FAKE_WORDS")"
}

# launch ARGUMENT...: through the stand-in, its program ends with 42.
launch() {
    call 42 --mpiexec "$dir/mpiexec" "$@" -- "$dir/app" 'a b' '$x' "'" ''
    says out '^word <a b>$'
    says out '^word <\$x>$'
    says out "^word <'>\$"
    says out '^word <>$'
}

none=--no-preload
FAKE_VERSION='HYDRA build details:'
launch $none --machine "$four"
words -hosts a:3,b:3,c:1,d:1 -n 8 "$hesca" bind
says out "^HESCA_MACHINE=$four\$"
says out '^OMP_NUM_THREADS=1$'
says out '^OPENBLAS_NUM_THREADS=1$'
says out "^HESCA_PROGRAM=$(realpath "$dir/app")\$"
HESCA_PROGRAM=mine launch $none --machine "$four"
says out '^HESCA_PROGRAM=mine$'
[ "$(grep -c '^HESCA_JOB=' "$dir/out")" -eq 0 ] || complain 'no job was given'
launch $none --machine "$four" --per-host d=2,b=1
words -hosts b:1,d:2 -n 3
launch $none
words -n "$(sed -n 2p "$FAKE_WORDS")" "$hesca" bind
says out '^HESCA_MACHINE=auto$'
HESCA_MACHINE=auto launch $none
says out '^HESCA_MACHINE=auto$'
launch $none -n 1 --no-bind
words -n 1 "$hesca" bind --no-bind
FAKE_VERSION='mpiexec (Open MPI) 5.0.3'
launch $none --machine "$four"
words --host a:3,b:3,c:1,d:1 -n 8 --map-by slot --bind-to none --oversubscribe
FAKE_VERSION='mpiexec (OpenRTE) 4.1.4'
launch $none --machine "$four"
words --host a:3,b:3,c:1,d:1 -n 8 --map-by slot
FAKE_VERSION='Intel(R) MPI Library for Linux, HYDRA'
call 2 --mpiexec "$dir/mpiexec" -- "$dir/app"
says err "says 'Intel\(R\) MPI Library for Linux, HYDRA', which is not MPICH"
launch $none --launcher hydra --machine "$four"
words -hosts a:3,b:3,c:1,d:1 -n 8
call 2 --mpiexec false -- "$dir/app"
says err 'false --version says'

# One process per core, where --grid has no place for more, or more are
# not predicted to be faster.
FAKE_VERSION=HYDRA
launch $none --machine "$four" --grid 2x2
words -hosts a:1,b:1,c:1,d:1 -n 4
says err '4 processes: a 1, .*, one per core: --grid uses no more; best grid 4x2 of 8 '
launch $none --machine "$four" --grid 1x6
words -hosts a:3,b:3,c:1,d:1 -n 8
launch $none --machine "$four" --grid 2x2 --per-host 2,2,1,1
words -hosts a:2,b:2,c:1,d:1 -n 6
dry --machine "$four" --json --order 4000
json 'd["processes"] == d["best"]["processes"] == 4 and d["best"]["by_speed"]'
json '"faster" in d["one_per_core"] and d["by_speed"] and 1.5 < d["gain"] < 2'
dry --machine "$four" --json --routine syevd --order 4000
json 'not d["by_speed"] and not d["best"]["by_speed"]'
dry --machine "$four" --json --order 4000 --no-preload
json 'd["one_per_core"] is None and d["processes"] == d["best"]["processes"] == 8'
HESCA_GEMM=real dry --machine "$four" --json --order 4000
json 'd["one_per_core"] is None and d["processes"] == d["best"]["processes"] == 8'
# Two thirds of the work for 1.2 of 2.2 is worse than a half.
machine near 'a speed 1.2' 'b speed 1'
dry --machine "$file"
counts a=2 b=1
dry --machine "$file" --json --order 8000
json '"faster" in d["one_per_core"] and d["processes"] == 2'
json 'd["best"]["processes"] == 3 and d["grid"]["nprow"] * d["grid"]["npcol"] == 2'
dry --machine "$file" --order 8000
counts a=1 b=1
says out '^One process per core: more processes than cores are not predicted'
says out '^best +[0-9]+ x [0-9]+ of 3 processes$'
dry --machine "$file" --order 8000 -n 3
counts a=2 b=1

# Hosts that no machine file describes: this one by its name, and two that are
# made of this one, which mpiexec does not know by their names.
launch $none --hosts "$(uname -n):1"
words -hosts "$(uname -n):1" -n 1 "$hesca" bind
says out '^HESCA_MACHINE=auto$'
says err '^hesca run: 1 host of --hosts, one host, nothing to measure: speeds '
if [ -n "$MPIEXEC" ] && [ "$sanitizers" = no ]; then
    cat >"$dir/two" <<END
#!/bin/sh
[ "\$1" = --version ] && { echo HYDRA; exit; }
unset HYDRA_HOST_FILE
while [ "\$1" != -n ]; do shift; done
exec $MPIEXEC "\$@"
END
    chmod +x "$dir/two"
    printf 'node0\nnode1 slots=1\n' >"$dir/list"
    for hosts in node0,node1 "$dir/list"; do
        HESCA_NODE_SIZE=1 call 0 --mpiexec "$dir/two" $none --hosts "$hosts" \
            --grid 1x2 --json --dry-run -- "$dir/app"
        json '[h["name"] for h in d["hosts"]] == ["node0", "node1"]'
        json 'all(h["speed"] > 0 for h in d["hosts"]) and d["machine"] is None'
        says err '^hesca run: 2 hosts of --hosts, .*: speeds node0 [0-9.]+, node1 '
    done
    says err 'of --hosts, from ' # the cache
    json 'd["hosts"][1]["cores"] == 1'
    HESCA_NODE_SIZE=1 HYDRA_HOST_FILE=$dir/list call 0 --mpiexec "$dir/two" \
        $none --dry-run -- "$dir/app"
    says err '^hesca run: 2 hosts of HYDRA_HOST_FILE, from '
    call 2 --mpiexec "$dir/two" $none --hosts node0,node1 --dry-run
    says err '--hosts has 2 hosts, but processes were started on 1'
    call 2 --mpiexec 'env false' --launcher hydra --hosts node0,node1 --dry-run
    says err 'the hosts could not be measured'
fi

# What the last run of a program called is the default of job and grid.
if [ -n "$MPIEXEC" ] && [ "$shared" = yes ] && [ "$sanitizers" = no ]; then
    HESCA_NODE_SIZE=0 run 0 "$hesca" run --mpiexec "$MPIEXEC" -n 2 \
        "$top_builddir/examples/13_pdgemm"
    kept=$(echo "$XDG_CACHE_HOME"/hesca/program-*)
    grep -q '^job gemm [0-9]* [0-9]*$' "$kept" || complain "$kept: no job"
    job=$(sed -n 's/^job //p' "$kept" | tr ' ' ,)
    dry --json -- "$top_builddir/examples/13_pdgemm"
    json '",".join(map(str, d["job"].values())) == "'"$job"'"'
    HESCA_JOB=gesv dry --json -- "$top_builddir/examples/13_pdgemm"
    json 'd["job"] == {"routine": "gesv", "order": 4000, "block": 64}'
    HESCA_LEARN=off dry --json -- "$top_builddir/examples/13_pdgemm"
    json 'd["job"] == {"routine": "gemm", "order": 4000, "block": 64}'
    printf 'hesca-program 1\njob gesv 700 32\ngrid 2 2 of 8\n# complete\n' >"$kept"
    dry --machine "$four" -- "$top_builddir/examples/13_pdgemm"
    counts a=1 b=1 c=1 d=1
    says out "the grid of the program's last run uses no more"
    says out "^job +gesv of order 700, blocks of 32, by the program's last run"
    dry --machine "$four" --grid 2x4 -- "$top_builddir/examples/13_pdgemm"
    counts a=3 b=3 c=1 d=1
    HESCA_LEARN=frozen run 0 "$hesca" run --mpiexec "$MPIEXEC" -n 2 \
        "$top_builddir/examples/13_pdgemm"
    grep -q '^job gesv 700' "$kept" || complain 'frozen, and changed'
fi

# Relative names of machine files become absolute, long ones are refused.
FAKE_VERSION=HYDRA
echo input | "$hesca" run --mpiexec "$dir/mpiexec" $none -- cat >"$dir/out"
says out '^input$'
(cd "$dir" && launch $none --machine ./four; exit $failed) || failed=1
long=$dir/$(printf '%0250d' 0)
mkdir "$long" && cp "$four" "$long/m"
call 2 --machine "$long/m" -- "$dir/app"
says err 'shorter than 256 bytes'

# HESCA's variables go to all processes, threads stay as the user has them.
HESCA_VERBOSE=1 HESCA_WAIT='spin' OMP_NUM_THREADS=3 launch $none --routine potrf \
    --order 700 --block 20
says out '^HESCA_JOB=potrf,700,20$'
says out '^HESCA_WAIT=spin$'
says out '^OMP_NUM_THREADS=3$'
[ "$(grep -c '^OPENBLAS_NUM' "$dir/out")" -eq 0 ] || complain 'OpenMP says 3'
grep -q '^HESCA_WAIT=spin$' "$FAKE_WORDS" || complain 'HESCA_WAIT is not set'
OPENBLAS_NUM_THREADS=2 launch $none
says out '^OMP_NUM_THREADS=1$'
says out '^OPENBLAS_NUM_THREADS=2$'

# The command that is printed is the one that is run, also by a shell.
call 0 --dry-run --mpiexec "$dir/mpiexec" $none --machine "$four" -- \
    "$dir/app" 'a b' '$x' "'" ''
tail -n 1 "$dir/out" >"$dir/command"
run 42 sh "$dir/command"
says out "^word <'>\$"
words -hosts a:3,b:3,c:1,d:1 -n 8

# ------------------------------------------------ preloading
if [ "$shared" = yes ] && [ "$sanitizers" = no ]; then
    launch
    library=$(sed -n 's/^LD_PRELOAD=//p' "$dir/out")
    [ "${library##*/}" = "libhesca_scalapack-$mpi.so.0" ] || complain 'not preloaded'
    # Another library stays behind it, once.
    LD_PRELOAD=$top_builddir/src/.libs/libhesca.so launch
    says out "^LD_PRELOAD=$library:$top_builddir/src/.libs/libhesca.so\$"
    LD_PRELOAD=$library launch
    says out "^LD_PRELOAD=$library\$"
    # Not where a program has it already.
    call 0 --dry-run --launcher hydra -- "$top_builddir/examples/07_twins"
    [ "$(grep -c -e --preload "$dir/out")" -eq 0 ] || complain 'preloaded'
    call 0 --dry-run --launcher hydra -- "$top_builddir/examples/01_gemr2d"
    says out "bind --preload [^ ]*/libhesca_scalapack-$mpi\.so\.0 "
    # Launchers may keep LD_PRELOAD from other hosts.
    LD_PRELOAD=$library call 0 --dry-run --launcher hydra -- \
        "$top_builddir/examples/01_gemr2d"
    says out "bind --preload $library:$library "
fi
echo 'int main(void) { return 0; }' >"$dir/static.c"
if [ "$shared" = yes ] && $CC -static -o "$dir/static" "$dir/static.c" \
    >/dev/null 2>&1; then
    call 0 --dry-run --launcher hydra -- "$dir/static"
    says err 'linked statically, without HESCA'
fi

# ------------------------------------------------ bind
run 0 "$hesca" bind --help
run 2 "$hesca" bind
says err 'needs a program'
run 2 "$hesca" bind --set
says err 'needs a value'
for bad in =x x ''; do
    run 2 "$hesca" bind --set "$bad" -- true
    says err 'expected NAME=VALUE'
done
run 2 "$hesca" bind --frobnicate -- true
run 2 "$hesca" bind --no-bind -- "$dir/nowhere"
says err 'nowhere: No such file'
run 3 "$hesca" bind --no-bind --set A=1=2 --set A=3=4 -- sh -c \
    'echo "A is $A"; exit 3'
says out '^A is 3=4$'
silent err
run 0 "$hesca" info
says out '^cores (hwloc, API [0-9]|no hwloc)'
if grep -q 'no hwloc' "$dir/out"; then
    MPI_LOCALRANKID=0 MPI_LOCALNRANKS=1 HESCA_VERBOSE=1 run 0 "$hesca" bind true
    says err 'not bound: hesca was built without hwloc'
    exit $failed
fi
run 0 "$hesca" bind true
says err 'a process is not bound: the launcher does not say'
cores=$(env -u OMP_NUM_THREADS nproc)
for names in MPI_LOCALRANKID=0:MPI_LOCALNRANKS OMPI_COMM_WORLD_LOCAL_RANK=0:OMPI_COMM_WORLD_LOCAL_SIZE \
    PALS_LOCAL_RANKID=0:PALS_LOCAL_SIZE; do
    run 0 env "${names%:*}" "${names#*:}=$((2 * cores + 1))" HESCA_VERBOSE=1 \
        "$hesca" bind true
    says err "process 0 of $((2 * cores + 1)) here is (not bound|bound)"
    run 0 env "${names%:*}" "${names#*:}=0" HESCA_VERBOSE=1 "$hesca" bind true
    says err 'the launcher does not say'
done
# bind_slurm LOCALID NODEID TASKS_PER_NODE
bind_slurm() {
    run 0 env SLURM_LOCALID="$1" SLURM_NODEID="$2" \
        SLURM_STEP_TASKS_PER_NODE="$3" HESCA_VERBOSE=1 "$hesca" bind true
}
bind_slurm 0 3 '2(x3),9'
says err 'process 0 of 9 here is'
bind_slurm 0 2 '2(x3),9'
says err 'process 0 of 2 here is'
for bad in '2(x3)' '2(x3),' 'x' ''; do
    bind_slurm 0 3 "$bad"
    says err 'the launcher does not say'
done

# ------------------------------------------------ VPM files
printf '# two hosts\nalpha 3 [2]\nbeta 1\n' >"$dir/two.vpm"
run 0 "$hesca" run --vpm "$dir/two.vpm" --dry-run -- true
says out '^[^ ]+ .*(-hosts|--host) alpha:3,beta:1 -n 4'
run 2 "$hesca" run --vpm "$dir/two.vpm" -n 2 --dry-run -- true
says err 'do not go with it'
run 2 "$hesca" run --vpm "$dir/none.vpm" --dry-run -- true
says err 'none.vpm: No such file'
printf 'gamma x\n' >"$dir/bad.vpm"
run 2 "$hesca" run --vpm "$dir/bad.vpm" --dry-run -- true
says err "bad.vpm:1: 'x' must be"

# ------------------------------------------------ Slurm
# A site whose srun connects no processes by itself, and one whose does.
cat >"$dir/srun" <<'END'
#!/bin/sh
echo slurm-wlm 22.05.8
END
cat >"$dir/scontrol" <<'END'
#!/bin/sh
echo "MpiDefault              = $DEFAULT"
END
chmod +x "$dir/srun" "$dir/scontrol"
pmi=pmi2
[ "$mpi" = mpich ] || pmi=pmix
run 0 env PATH="$dir:$PATH" DEFAULT=none "$hesca" run --mpiexec srun -n 2 \
    --dry-run -- true
says out "^srun --mpi=$pmi -n 2 --cpu-bind=none"
run 0 env PATH="$dir:$PATH" DEFAULT=pmix "$hesca" run --mpiexec srun -n 2 \
    --dry-run -- true
says out '^srun -n 2 --cpu-bind=none'

# ------------------------------------------------ processes of this machine
if [ -z "$MPIEXEC" ]; then
    echo 'configure found no mpiexec: nothing is started'
    exit $failed
fi
if command -v ssh >/dev/null && [ -z "$SLURM_JOB_ID$PBS_JOBID" ]; then
    printf 'hesca-machine 1\nhost nowhere.invalid\n' >"$dir/nowhere"
    run 2 timeout 60 "$hesca" run --mpiexec "$MPIEXEC" --no-preload \
        --machine "$dir/nowhere" -- "$dir/app"
    says err 'host nowhere\.invalid does not answer ssh: '
fi
cat >"$dir/show.c" <<'END'
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* Print where and how this process runs, in one line. */
int
main(int argc, char **argv)
{
    char line[512];
    cpu_set_t set;
    int rank, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sched_getaffinity(0, sizeof set, &set);
    n = sprintf(line, "rank %d threads %s job %s word %s cpus", rank,
                getenv("OMP_NUM_THREADS"), getenv("HESCA_JOB"), argv[1]);
    for (int k = 0; k < 64; ++k)
        if (CPU_ISSET(k, &set))
            n += sprintf(line + n, " %d", k);
    strcpy(line + n, "\n");
    fputs(line, stdout); /* in one piece */
    fflush(stdout);
    MPI_Finalize();
    return atoi(argv[2]);
}
END
$CC -o "$dir/show" "$dir/show.c" || exit 99
preloaded=
[ "$shared" = yes ] && [ "$sanitizers" = no ] || preloaded=--no-preload

# start STATUS NPROCS ARGUMENT...: under the real mpiexec.
start() {
    want=$1 nprocs=$2
    shift 2
    # shellcheck disable=SC2086 # an option or nothing
    run "$want" "$hesca" run $preloaded --mpiexec "$MPIEXEC" -n "$nprocs" "$@" \
        -- "$dir/show" 'a  b' "$want"
}

start 0 2 --routine gemm --order 100 --block 10
says_times 2 '^rank [01] threads 1 job gemm,100,10 word a  b cpus [0-9]'
start 7 3
says_times 3 '^rank [012] threads 1 job \(null\) word a  b'
machine self "$(uname -n) cores 2"
start 0 4 --machine "$file"
says_times 4 '^rank [0-3] '

# With as many processes as cores each has its own, with twice as many
# neighbours share one; some quota, or a core less, leaves them free.
dry
cores=$(awk '$1 == "all" { print $2 }' "$dir/out")
# distinct: sets of processors there are.
distinct() {
    sed -n 's/.* cpus //p' "$dir/out" | sort -u | wc -l
}
[ "$cores" -gt 16 ] || HESCA_VERBOSE=2 start 0 "$cores"
if grep -q 'bound to processors' "$dir/err"; then
    [ "$(distinct)" -eq "$cores" ] || complain 'processes share cores'
    HESCA_VERBOSE=2 start 0 $((2 * cores))
    [ "$(distinct)" -eq "$cores" ] || complain 'not two processes on each core'
    says_times 1 "^rank 0 .* $(sed -n 's/^rank 1 .* cpus //p' "$dir/out")\$"
    if [ "$cores" -gt 1 ]; then
        HESCA_VERBOSE=1 start 0 $((cores + 1))
        says err 'not bound: some cores would have more processes'
    fi
fi
# Bound to a part of the host, it starts as many as that has cores.
if command -v taskset >/dev/null && taskset -c 0 true 2>/dev/null; then
    run 0 taskset -c 0 "$hesca" run --dry-run
    says out '^all +1 '
fi
start 0 2 --no-bind
[ "$(distinct)" -eq 1 ] || complain 'bound in spite of --no-bind'

# Bound, two on a core, processes of a communicator that has one of each core
# have to wait politely, too.
cores=$(env -u OMP_NUM_THREADS nproc)
if [ "$shared" = yes ] && [ "$sanitizers" = no ] && [ "$cores" -le 16 ] &&
    [ "$cores" -eq "$(getconf _NPROCESSORS_ONLN)" ]; then
    cat >"$dir/load.c" <<'END'
#include "hesca/experimental/wait.h"
#include <stdio.h>
#include <stdlib.h>
int
main(int argc, char **argv)
{
    hesca_wait_info info;
    MPI_Comm half;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    if (hesca_wait_agree(half, &info) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    printf("load %g\n", info.load);
    fflush(stdout);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
END
    run 0 $CC -I"$top_srcdir/include" -I"$top_builddir/include" -o "$dir/load" \
        "$dir/load.c" -L"$top_builddir/src/.libs" \
        -Wl,-rpath,"$top_builddir/src/.libs" -lhesca
    for option in --no-preload --no-bind; do
        run 0 "$hesca" run $option --mpiexec "$MPIEXEC" -n $((2 * cores)) -- \
            "$dir/load"
        [ "$(grep -c '^load 2' "$dir/out")" -ge 1 ] &&
            [ "$(grep -c 'load 1' "$dir/out")" -eq 0 ] || complain 'not a load of 2'
    done
fi
exit $failed

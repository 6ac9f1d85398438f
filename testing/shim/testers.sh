# ScaLAPACK's ready testers, for scripts that source this: $bin and $data are
# where they and their input are, the working directory is a new one.

[ "$shared" = yes ] || { echo 'there is no shared library to preload'; exit 77; }
[ "$sanitizers" = no ] ||
    { echo 'a library with sanitizers cannot be preloaded'; exit 77; }
for bin in /usr/lib/*/scalapack/"$mpi"-tests none; do
    [ ! -x "$bin/xdsep" ] || break
done
for data in /usr/share/scalapack "$bin" none; do
    [ ! -f "$data/SEP.dat" ] || break
done
[ "$bin" != none ] && [ "$data" != none ] ||
    { echo 'the testers are missing: install scalapack-mpi-test'; exit 77; }

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir" || exit 99

# What a tester found, without times.
verdicts() {
    grep -E '(Finished|tests completed|tests skipped|tests resulted|TESTS;)' "$1" |
        tr -s ' '
    echo "$(grep -ciw passed "$1") times 'passed', $(
        grep -ciw failed "$1") times 'failed'"
}

# What the test scripts of timers share: run a command, look at what it says
# and writes.  $failed ends as the exit status; files may go to $dir.

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
failed=0
timing=$top_srcdir/testing/timing
PYTHONDONTWRITEBYTECODE=1 # the sources stay as they are
export PYTHONDONTWRITEBYTECODE
unset HESCA_VERBOSE HESCA_DISABLE HESCA_FALLBACK HESCA_ONERROR \
    HESCA_SCHEDULE HESCA_TRANSPORT HESCA_BUFFER LD_PRELOAD

# run STATUS COMMAND...: it exits with STATUS; its output goes to $dir.
run() {
    want=$1
    shift
    command="$*"
    "$@" >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
    [ $status -eq "$want" ] || complain "exit status $status, not $want"
}

complain() {
    printf '%s: %s\n' "$command" "$1"
    sed 's/^/    /' "$dir/out" "$dir/err"
    failed=1
}

# says FILE LINE: a regular expression somewhere in out or err.
says() {
    grep -Eq -e "$2" "$dir/$1" || complain "no '$2' in std$1"
}

# says_times N LINE: in N lines of out.
says_times() {
    [ "$(grep -Ec -e "$2" "$dir/out")" -eq "$1" ] || complain "not $1 x '$2'"
}

# holds FILE EXPRESSION: true of rows, the CSV file, in Python.
holds() {
    command="$2 in $1"
    python3 -c "import csv, math, sys
rows = list(csv.DictReader(open(sys.argv[1])))
sys.exit(not ($2))" "$1" || complain 'not so'
}

# has FILE ELEMENT COUNT: a picture with so many of an element.
has() {
    python3 -c "import sys, xml.etree.ElementTree as tree
found = tree.parse(sys.argv[1]).iter('{http://www.w3.org/2000/svg}' +
                                     sys.argv[2])
sys.exit(len(list(found)) != int(sys.argv[3]))" "$@" ||
        complain "not $3 $2 in $1"
}

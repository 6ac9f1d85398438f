# SPDX-License-Identifier: BSD-3-Clause
# For scripts that test programs, to be read by them: run a command, look at
# what it printed.  They end with `exit $failed`.

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
failed=0
# The interpreter itself: where python3 chooses a version first, that takes
# longer than most programs here.
if python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null); then
    PATH=${python%/*}:$PATH
else
    echo 'no python3: files are not looked into'
fi
PYTHONDONTWRITEBYTECODE=1 # the sources stay as they are
export PYTHONDONTWRITEBYTECODE
unset HESCA_VERBOSE HESCA_DISABLE HESCA_FALLBACK HESCA_ONERROR HESCA_MACHINE \
    HESCA_SCHEDULE HESCA_TRANSPORT HESCA_BUFFER HESCA_WAIT LD_PRELOAD

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

silent() {
    [ ! -s "$dir/$1" ] || complain "prints to std$1"
}

# json EXPRESSION: true of d, the output, in Python.
json() {
    [ -n "$python" ] || return
    $python -c "import json, sys; d = json.load(open(sys.argv[1]))
sys.exit(not ($1))" "$dir/out" 2>/dev/null || complain "not so in JSON: $1"
}

# holds FILE EXPRESSION: true of rows, the CSV file, in Python.
holds() {
    [ -n "$python" ] || return
    command="$2 in $1"
    $python -c "import csv, math, sys
rows = list(csv.DictReader(open(sys.argv[1])))
sys.exit(not ($2))" "$1" || complain 'not so'
}

# has FILE ELEMENT COUNT: a picture with so many of an element.
has() {
    [ -n "$python" ] || return
    $python -c "import sys, xml.etree.ElementTree as tree
found = tree.parse(sys.argv[1]).iter('{http://www.w3.org/2000/svg}' +
                                     sys.argv[2])
sys.exit(len(list(found)) != int(sys.argv[3]))" "$@" ||
        complain "not $3 $2 in $1"
}

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The page of HESCA_REPORT after runs of a program of ScaLAPACK: its figures
# are those of HESCA_VERBOSE's summary, it is well-formed and refers to nothing
# outside, and no process is waited for in vain.

. "$top_srcdir/testing/program.sh"
[ "$sanitizers" = no ] && [ "$shared" = yes ] ||
    { echo 'needs a library that can be preloaded'; exit 77; }
[ -n "$MPIEXEC" ] || { echo 'configure found no mpiexec'; exit 77; }
unset LD_PRELOAD HESCA_LOG HESCA_PLACEMENT HESCA_GEMM HESCA_NODE_SIZE \
    HESCA_REPORT
app=$dir/program page=$dir/page.html
$CC -o "$app" "$top_srcdir/testing/shim/report_program.c" $SCALAPACK_LIBS \
    $BLAS_LIBS -lm || exit 99

# started STATUS MODE N RUNS [VARIABLE=VALUE]...: 3 processes under HESCA.
started() {
    status=$1 mode=$2 n=$3 runs=$4
    shift 4
    rm -f "$page"
    run "$status" timeout 100 $MPIEXEC -n 3 env "LD_PRELOAD=$preload" \
        "HESCA_REPORT=$page" HESCA_VERBOSE=summary "$@" \
        "$app" "$mode" "$n" "$runs"
    [ ! -e "$page.tmp" ] || complain 'a temporary file is left'
}

# shows TEXT: in the page; hides TEXT: not there.
shows() {
    grep -qF -e "$1" "$page" || complain "no '$1' in the page"
}
hides() {
    ! grep -qF -e "$1" "$page" || complain "there is '$1' in the page"
}

# formed: it is HTML and XML, and refers to nothing outside.
formed() {
    [ -s "$page" ] || { complain 'no page'; return; }
    for text in http: https: src= href= '<script' nan; do
        hides "$text"
    done
    [ -n "$python" ] || return
    $python - "$page" <<'PY' || complain 'the page is not well-formed'
import html.parser, sys, xml.etree.ElementTree as tree

text = open(sys.argv[1], encoding='utf-8').read()
tree.fromstring(text)

class parser(html.parser.HTMLParser):
    depth = 0
    def handle_starttag(self, tag, attrs):
        self.depth += 1
    def handle_endtag(self, tag):
        self.depth -= 1
    def handle_startendtag(self, tag, attrs):
        pass
p = parser()
p.feed(text)
p.close()
assert p.depth == 0, 'tags %d' % p.depth
PY
}

# good: and its figures are those of the summary.
good() {
    formed
    [ -n "$python" ] || return
    $python - "$page" "$dir/err" <<'PY' || complain 'the page is not so'
import re, sys, xml.etree.ElementTree as tree

text = open(sys.argv[1], encoding='utf-8').read()
def plain(s):
    return ''.join(tree.fromstring('<x>%s</x>' % s).itertext())
rows = {}
for row in re.findall(r'<tr>(.*?)</tr>', text, re.S):
    cell = [plain(x) for x in re.findall(r'<td[^>]*>(.*?)</td>', row, re.S)]
    if len(cell) == 8:
        rows[cell[0]] = cell[2:]

def count(x):
    return 0 if x == '\u2013' else int(x.replace(' ', ''))
unit = {'\u00b5s': 1e-6, 'ms': 1e-3, 's': 1, 'min': 60, 'h': 3600}
def seconds(x):
    if x == '\u2013':
        return 0
    value, name = x.split()
    return float(value) * unit[name]

# What the summary says, of all processes that printed one.
said = {}
def add(name, *figures):
    old = said.get(name, [0] * 5)
    said[name] = [x + y for x, y in zip(old, figures)]
for line in open(sys.argv[2]):
    m = re.match(r'hesca: summary: (p\w+): (\d+) calls by HESCA \((\d+) with a '
                 r'cached plan\), (\d+) by ScaLAPACK; .*?([\d.]+) s, measured',
                 line)
    if m:
        add(m[1], int(m[2]), 0, int(m[4]), int(m[3]), float(m[5]))
    m = re.match(r'hesca: summary: (p\w+): (\d+) calls computed by HESCA, '
                 r'(\d+) by ScaLAPACK on another grid \(of both (\d+) with a '
                 r'cached plan\), (\d+) left to ScaLAPACK; ([\d.]+) s', line)
    if m:
        add(m[1], int(m[2]), int(m[3]), int(m[5]), int(m[4]), float(m[6]))
    m = re.match(r'hesca: summary: (p\w+): (\d+) calls, left to Sc', line)
    if m:
        add(m[1], 0, 0, int(m[2]), 0, 0)
assert set(rows) == set(said), (rows, said)
for name in rows:
    got = [count(x) for x in rows[name][:4]]
    assert got == said[name][:4], (name, got, said[name])
    took = seconds(rows[name][4])
    assert abs(took - said[name][4]) <= 0.006 * took + 2e-6, \
        (name, took, said[name])
    assert (seconds(rows[name][5]) > 0) == (got[2] > 0), rows[name]
PY
}

# ------------------------------------------------ all processes in a grid
cat >"$dir/machine" <<'END'
hesca-machine 1
host node0 speed 1
host node1 speed 2
host node2 speed 3
others startup 60us rate 1Gbit/s
END
started 0 all 200 3 HESCA_WAIT=spin
good
shows '3 processes'
hides 'are missing'
shows 'No machine file is in use'
started 0 all 200 3 HESCA_NODE_SIZE=1 "HESCA_MACHINE=$dir/machine" \
    HESCA_GEMM=hohe HESCA_GETRF=grid HESCA_WAIT=polite
good
shows '3 processes on 3 hosts'
shows 'HESCA&#8217;s messages carried'
shows 'Speeds of the processes'
shows 'Links: '
shows 'What it gained'
shows '125 MB/s'
hides 'no machine is known'
started 0 all 200 3 HESCA_GEMM=real HESCA_GETRF=real HESCA_NODE_SIZE=1
good
shows 'HESCA_GEMM is real'
shows 'Let HESCA choose'
shows 'in ScaLAPACK'

# Where no lines are asked for there are none.
started 0 all 100 2 HESCA_VERBOSE=0
silent err
shows '</html>'

# ------------------------------------------------ not all processes call
started 0 idle 200 2 HESCA_WAIT=spin
good
hides 'are missing'
started 0 idle 200 2 HESCA_WAIT=polite
good
hides 'are missing'
started 0 halves 200 2
good
hides 'are missing'
started 0 none 1 1
good
shows 'none of the routines'
started 0 idle 100 1 HESCA_DISABLE=wait
shows 'of 2 of 3 processes are missing'
started 0 all 100 1 HESCA_DISABLE=all
[ ! -e "$page" ] || complain 'there is a page'
started 3 abort 100 1
[ ! -e "$page" ] || complain 'there is a page'

# A process that comes later is waited for; meanwhile there is a page.  Both
# runs at once: each sleeps.
delayed() (
    page=$dir/$1.html dir=$dir/$1
    mkdir "$dir" && started 0 "$1" 100 1
    good
    hides 'are missing'
    exit $failed
)
delayed late &
delayed early || failed=1
wait $! || failed=1

# ------------------------------------------------ the file
echo old >"$page.old"
run 0 timeout 60 $MPIEXEC -n 2 env "LD_PRELOAD=$preload" \
    "HESCA_REPORT=$page.old" "$app" all 50 1
grep -q '</html>' "$page.old" || complain 'the file is not overwritten'
(cd "$dir" && run 0 timeout 60 $MPIEXEC -n 2 env "LD_PRELOAD=$preload" \
    HESCA_REPORT=relative.html "$app" all 50 1)
grep -q '</html>' "$dir/relative.html" || complain 'no file of that name'
for path in /nowhere/page.html "$dir"; do
    for mode in all none; do
        run 0 timeout 60 $MPIEXEC -n 3 env "LD_PRELOAD=$preload" \
            "HESCA_REPORT=$path" "$app" $mode 50 1
        says err "^hesca: HESCA_REPORT is '$path': .*; there is no report"
        [ "$(grep -c '^hesca: ' "$dir/err")" -eq 1 ] ||
            complain 'not one line'
    done
done
run 0 timeout 60 $MPIEXEC -n 2 env "LD_PRELOAD=$preload" \
    HESCA_REPORT=/nowhere/page.html HESCA_FALLBACK=silent "$app" all 50 1
silent err

# ------------------------------------------------ made-up runs
printed=$top_builddir/testing/shim/t_page
if [ -x "$printed" ]; then
    for run in '1 1' '4 4' '40 3' '256 32' '600 200'; do
        command="a page of $run processes and hosts"
        "$printed" $run >"$page" || complain 'is not made'
        formed
    done
fi
exit $failed

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hesca partition: examples by hand, files that fit together, pictures, bad
# options and bad files.

. "$top_srcdir/testing/program.sh"
hesca=$top_builddir/src/tools/hesca
csv=$dir/result.csv

partition() {
    run 0 "$hesca" partition "$@"
}

# refuses MESSAGE OPTION...: one line on stderr, which begins so.
refuses() {
    message=$1
    shift
    run 2 "$hesca" partition "$@"
    says err "^hesca( partition [a-z]+)?: $message"
    [ "$(wc -l <"$dir/err")" -eq 1 ] || complain 'not one line'
    silent out
}

# picture FILE: it is XML, and all of it is finite and inside.
picture() {
    [ -n "$python" ] || return
    command="picture $1"
    $python - "$1" <<'END' || complain 'a bad picture'
import re, sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
text = open(sys.argv[1]).read()
wide, high = float(root.get("width")), float(root.get("height"))
assert not re.search(r'="-?(nan|inf)', text)
for x in root.iter():
    for name, most in (("x", wide), ("x1", wide), ("x2", wide), ("cx", wide),
                       ("y", high), ("y1", high), ("y2", high), ("cy", high)):
        assert -1 <= float(x.get(name, 0)) <= most + 1, (x.tag, x.attrib)
    if x.tag.endswith("rect"):
        assert float(x.get("x", 0)) + float(x.get("width")) <= wide + 1
END
}

# ------------------------------------------------ help, bad options
partition --help
says out '^  hypergraph  a hypergraph$'
for object in set matrix graph hypergraph tree; do
    partition $object --help
    says out "^Usage: hesca partition $object "
    [ "$(awk 'length > 80' "$dir/out")" = '' ] || complain 'long lines'
    sed -n 2p "$dir/out" | grep -Eq '^(How many|Which) .* each processor gets' ||
        complain 'does not say what it is for'
    cp "$dir/out" "$dir/help"
    partition $object -h
    cmp -s "$dir/out" "$dir/help" || complain '-h is not --help'
done
refuses 'partition needs an object'
refuses "partition knows no object 'all'" all
refuses "'more' is not an option" set more
refuses 'unknown option --m;' set --m 3
refuses '--n needs a value' set --n
refuses '--n or --weights is missing' set --speeds 1
refuses "--n '0x10': must be a whole number" set --n 0x10
refuses "--speeds '1,0x2': '0x2' must be" set --speeds 1,0x2
refuses "--n '-1': must be a whole number" set --n -1
refuses "--n '1.5': must be a whole number" set --n 1.5
refuses "--n 'nan': must be a whole number" set --n nan
refuses "--n '1e16': must be from 0 to 2\^53" set --n 1e16
refuses "--n '': must be a whole number" set --n ''
refuses '--speeds or --machine is missing' set --n 1
refuses "--speeds '1,0': '0' must be a number, more than 0" set --speeds 1,0
refuses "--speeds '1,nan': 'nan' must be" set --speeds 1,nan
refuses "--speeds '1,inf': 'inf' must be" set --speeds 1,inf
refuses "--speeds '-1': '-1' must be" set --speeds -1
refuses "--speeds '1,,2': '' must be" set --speeds 1,,2
refuses "--speeds '': '' must be" set --speeds ''
refuses "--limits '1,x': 'x' must be a number, at least 0" set --limits 1,x
refuses "--limits '-1': '-1' must be" set --limits -1
refuses '--limits: 1 of them, for 2 proc' set --n 1 --speeds 1,2 --limits 1
refuses '.*limits hold (fewer|less|3 ).*' set --n 4 --speeds 1,2 --limits 1,2
refuses '--speeds goes without --machine' set --n 1 --speeds 1 --machine x
refuses '--speeds goes without --machine' set --n 1 --speeds 1 --kernel x
refuses '--reorder goes with --ordered' set --n 1 --reorder --speeds 1
refuses '--method is for equal elements' set --n 1 --ordered --method greedy
refuses "--method 'best': expected root" set --n 1 --method best
refuses '--m and --n go together' matrix --m 1 --speeds 1
refuses "--grid '0x1': expected PxQ" matrix --grid 0x1
refuses "--grid '2x': expected PxQ" matrix --grid 2x
refuses "--grid '2x2x2': expected PxQ" matrix --grid 2x2x2
two='matrix --m 4 --n 4 --speeds 1,2'
refuses '--grid 2x2 has 4 places, for 2' $two --grid 2x2
refuses '--shape cartesian needs --grid' $two --shape cartesian
refuses '--shape recursive goes with' $two --shape recursive --grid auto
refuses '--cut goes with --grid PxQ' $two --cut time
refuses '--goal goes with --grid auto' $two --goal sum --grid 1x2
refuses '--grid linear has --goal sum or max' $two --goal time
refuses '.*keeps the limits of all 2 processors' $two --limits 1,2
refuses '.*2\^53.*' matrix --m 1e9 --n 1e9 --speeds 1
refuses '--graph is missing' graph --speeds 1
refuses "--engine 'best': expected auto" graph --engine best
refuses "--tolerance '0': must be more than 0" graph --tolerance 0
refuses "--tolerance '1': must be more than 0" hypergraph --tolerance 1
refuses 'only one of --csv, --json' set --n 1 --speeds 1 --csv - -o -
refuses '--output: 2000000000 elements are' set --n 2e9 --speeds 1 -o "$dir/x"
for option in csv json svg output; do
    run 2 "$hesca" partition set --n 1 --speeds 1 --$option "$dir/no/x"
    says err "^hesca partition set: $dir/no/x: No such file"
done
if [ -w /dev/full ]; then
    for option in csv json svg output; do
        run 2 "$hesca" partition set --n 1 --speeds 1 --$option /dev/full
        says err '^hesca partition set: /dev/full: '
        [ "$(wc -l <"$dir/err")" -eq 1 ] || complain 'not one line'
    done
fi

# ------------------------------------------------ machine files
refuses ".*/none: No such file" set --n 1 --machine "$dir/none"
echo 'hesca-machine 1' >"$dir/empty"
refuses '.*empty.*' set --n 1 --machine "$dir/empty"
cat >"$dir/three" <<'END'
hesca-machine 1
host paging
host flat speed 0.5
host rising.site.org speed 0.25
others startup 1us rate 1GB/s
inside paging startup 1us rate 1GB/s
inside flat startup 1us rate 1GB/s
inside rising.site.org startup 1us rate 1GB/s
END
partition set --n 7 --machine "$dir/three" --csv "$csv"
holds "$csv" '[r["count"] for r in rows] == ["4", "2", "1"]'
refuses "host paging has no model of kernel 'copy'" set --n 1 \
    --machine "$dir/three" --kernel copy
cat >>"$dir/three" <<'END'
model paging dgemm
knot size 100 speed 200
knot size 400 speed 200
knot size 800 speed 100
knot size 1000 speed 50
model flat dgemm
knot size 100 speed 100
model rising.site.org dgemm limit 1200
knot size 100 speed 40
knot size 400 speed 60
knot size 800 speed 80
END
refuses "--hosts: there is no host 'other'" set --n 1 \
    --machine "$dir/three" --hosts other
{ cat "$dir/three"; printf 'model flat copy\nknot size 1 speed 1\n'; } \
    >"$dir/many"
refuses '.*many has models of dgemm, copy ...: --kernel' set --n 1 \
    --machine "$dir/many"
sed 's/size 800 speed 100/size 800 speed 500/' "$dir/three" >"$dir/steep"
refuses '.*steep.*:12: ' set --n 1 --machine "$dir/steep"
sed 's/size 800 speed 100/size 800 speed nan/' "$dir/three" >"$dir/nan"
refuses ".*nan.*:12: .*'nan'" set --n 1 --machine "$dir/nan"

printf 'hesca-machine 1\nhost a\nhost b\033c\n' >"$dir/control"
refuses ".*control:3: 'b\?c' must be a name without" set --n 1 \
    --machine "$dir/control"
printf 'hesca-machine 1\nhost a\nhost b\000c\n' >"$dir/zero"
refuses ".*zero:3: 'host b' must be a line without bytes that are 0" set \
    --n 1 --machine "$dir/zero"
# Pictures and JSON are UTF-8, whatever names are, and wherever they are cut.
printf 'hesca-machine 1\nhost elevenbytes\303\244\nhost \377q"<&,\nothers %s' \
    'startup 1us rate 1GB/s' >"$dir/names"
partition set --n 9 --machine "$dir/names" --csv "$csv" --svg "$dir/x.svg"
holds "$csv" 'rows[1]["name"] == "\ufffdq\"<&,"'
picture "$dir/x.svg"
partition matrix --m 9 --n 9 --machine "$dir/names" --json - \
    --svg "$dir/x.svg"
json 'd[0]["name"] == "elevenbytes\u00e4"'
picture "$dir/x.svg"

# ------------------------------------------------ sets by hand
# On 0.25 x below 300 - 0.25 x, 100, 100/3 + x/15.
three="--machine $dir/three"
partition set --n 1500 $three --csv "$csv" --svg "$dir/x.svg" -o "$dir/part"
holds "$csv" '[r["count"] for r in rows] == ["687", "535", "278"] and
    all(abs(float(r["longest_time"]) - 5.359897172237) < 1e-9 and
    abs(float(r["ideal_time"]) - 5.354955939726) < 1e-9 and
    r["is_exact"] == "1" and r["limit"] == ("1200" if
    r["name"] == "rising.site.org" else "") for r in rows)'
# 500 each take 500 / 65; by speeds 175, 100, 65 paging gets 772.
holds "$csv" 'abs(float(rows[0]["equal_time"]) - 500 / 65) < 1e-9 and
    abs(float(rows[0]["single_time"]) - 772 / (300 - 0.25 * 772)) < 1e-9'
says out '^longest time 5.3599, ideal 5.35496, ratio 1.000923: no part'
says out '^rising.site.org +278 +18.533 +51.8667 +5.3599  limit 1200$'
[ "$(sort "$dir/part" | uniq -c | tr -s ' \n' ' ')" = ' 687 0 535 1 278 2 ' ] ||
    complain 'another list of parts'
has "$dir/x.svg" circle 3
has "$dir/x.svg" polyline 3
picture "$dir/x.svg"
for line in '300 177 88 35 0.885' '1000 537 325 138 3.25' \
    '2400 832 906 662 9.06' '3000 894 1170 936 11.7'; do
    set -- $line
    for method in root basic modified combined greedy; do
        partition set --n $1 $three --csv "$csv" --method $method
        holds "$csv" "[int(r['count']) for r in rows] == [$2, $3, $4] and
            abs(float(rows[0]['longest_time']) - $5) < 1e-9"
    done
done
HESCA_MACHINE=$dir/three partition set --n 1500 --csv - --limits 300,500,1200
says err '^paging .*  at its limit, 300$'
says out ',paging,300,300,'
says out ',flat,500,500,'
says out ',rising.site.org,700,700,'
partition set --n 1500 $three --hosts rising,paging --csv "$csv"
holds "$csv" '[r["name"] for r in rows] == ["rising.site.org", "paging"] and
    sum(int(r["count"]) for r in rows) == 1500'
partition set --n 1e12 --speeds 2,1 --csv "$csv"
holds "$csv" '[r["count"] for r in rows] == ["666666666667", "333333333333"]'
partition set --n 0 --speeds 2,1 --csv "$csv" --svg "$dir/x.svg"
holds "$csv" 'all(r["count"] == "0" and r["time"] == "0" for r in rows)'
picture "$dir/x.svg"
partition set --n 10 --speeds 4,4,1 --json -
json '[r["count"] for r in d] == [5, 4, 1] and d[0]["limit"] is None and
    d[0]["single_time"] is None and d[0]["is_full"] == 0'

# ------------------------------------------------ weights
printf '4\n1\n3\n2\n6\n2\n5\n1\n' >"$dir/w"
weights="set --weights $dir/w --speeds 3,1,2"
partition $weights -o - --csv "$csv"
holds "$csv" '[r["size"] for r in rows] == ["12", "4", "8"]'
[ "$(paste -d' ' "$dir/w" "$dir/out" |
    awk '{ w[$2] += $1 } END { print w[0], w[1], w[2] }')" = '12 4 8' ] ||
    complain 'other weights of parts'
partition $weights --ordered --csv "$csv" -o -
holds "$csv" '[(r["first"], r["count"]) for r in rows] ==
    [("0", "5"), ("5", "0"), ("5", "3")] and
    abs(float(rows[0]["longest_time"]) - 16 / 3) < 1e-9'
[ "$(tr -d '\n' <"$dir/out")" = 00000222 ] || complain 'another order'
partition $weights --ordered --reorder --csv "$csv" -o - --svg "$dir/x.svg"
holds "$csv" '[(r["first"], r["count"]) for r in rows] ==
    [("1", "4"), ("0", "1"), ("5", "3")] and rows[0]["longest_time"] == "4"'
[ "$(tr -d '\n' <"$dir/out")" = 10000222 ] || complain 'another order'
picture "$dir/x.svg"
partition set --weights - --speeds 1 -o -
silent out
refuses '--n is 7, but .*/w has 8 weights' $weights --n 7
for line in x -1 1.5 '1 2' '' 9007199254740993; do
    printf '4\n%s\n3\n' "$line" >"$dir/bad"
    refuses ".*/bad:2: .*" set --weights "$dir/bad" --speeds 1
done
printf '4\nx7\n' >"$dir/bad"
refuses ".*/bad:2: 'x7' must be a weight" set --weights "$dir/bad" --speeds 1
refuses '/: Is a directory' set --weights / --speeds 1
printf '4\n1\n3\n\n%% the end\n \n' >"$dir/blank"
partition set --weights "$dir/blank" --speeds 1
says out '^set of 3 weighted elements'

# ------------------------------------------------ matrices
# HMPI thesis, figure 5.5.
partition matrix --m 6 --n 6 --grid 3x3 --cut proportional --csv "$csv" \
    --speeds .11,.25,.05,.17,.09,.08,.05,.17,.03 --svg "$dir/x.svg" -o -
holds "$csv" '[tuple(int(r[k]) for k in
    ("row", "column", "height", "width")) for r in rows] == [(0, 0, 2, 2),
    (0, 2, 3, 3), (0, 5, 2, 1), (2, 0, 3, 2), (3, 2, 1, 3), (2, 5, 3, 1),
    (5, 0, 1, 2), (4, 2, 2, 3), (5, 5, 1, 1)] and
    abs(float(rows[0]["longest_time"]) - 40) < 1e-9'
[ "$(tr -d '\n' <"$dir/out")" = 001112001112331115334445337775667778 ] ||
    complain 'other owners'
# White, and a rectangle and a bar for each.
has "$dir/x.svg" rect 19
picture "$dir/x.svg"
# Beaumont et al.: columns {2 3 5} and {6 8}.
strips='matrix --m 24 --n 24 --speeds 2,3,5,6,8'
partition $strips --csv "$csv"
holds "$csv" '[(r["height"], r["width"]) for r in rows] == [("5", "10"),
    ("7", "10"), ("12", "10"), ("10", "14"), ("14", "14")] and
    rows[0]["half_perimeters"] == "106" and
    abs(float(rows[0]["half_perimeters_bound"]) - 24 * 4.35203) < 1e-3'
says out '^sum of half perimeters 106, bound 104.449, ratio 1.0149$'
for shape in '--shape row' '--shape column --goal max' '--shape recursive' \
    '--grid auto' '--grid auto --shape cartesian --goal both' \
    '--grid 5x1 --shape row' '--grid 1x5 --shape cartesian --cut time'; do
    partition $strips $shape --csv "$csv" --svg "$dir/x.svg"
    holds "$csv" 'sum(int(r["height"]) * int(r["width"]) for r in rows) ==
        576 == sum(int(r["count"]) for r in rows) and all(float(r["ratio"]) >=
        0.999999 and int(r["half_perimeters"]) >=
        float(r["half_perimeters_bound"]) - 1e-9 for r in rows)'
    picture "$dir/x.svg"
done
partition matrix --m 30 --n 50 $three --csv "$csv" --svg "$dir/x.svg"
holds "$csv" 'float(rows[0]["longest_time"]) < float(rows[0]["equal_time"])'
partition matrix --m 0 --n 5 --speeds 1,2 --svg "$dir/x.svg"
picture "$dir/x.svg"

# ------------------------------------------------ graphs
# lattice WIDTH HEIGHT: a graph file.
lattice() {
    awk -v w="$1" -v h="$2" 'BEGIN {
        print "% a lattice"
        print w * h, (w - 1) * h + w * (h - 1)
        for (i = 0; i < h; ++i)
            for (j = 0; j < w; ++j)
                print (i > 0 ? i * w - w + j + 1 : ""),
                      (i < h - 1 ? i * w + w + j + 1 : ""),
                      (j > 0 ? i * w + j : ""), (j < w - 1 ? i * w + j + 2 : "")
    }'
}
lattice 40 30 >"$dir/large"
lattice 12 10 >"$dir/small"
partition graph --graph "$dir/large" --speeds 50,30,15,5 --csv "$csv" \
    --svg "$dir/x.svg" -o -
holds "$csv" 'all(abs(int(r["count"]) - float(r["target"])) <=
    max(1, 0.03 * float(r["target"])) for r in rows) and
    int(rows[0]["cut_weight"]) < 130 and
    sum(int(r["leaving"]) for r in rows) == 2 * int(rows[0]["cut_weight"])'
[ "$(wc -l <"$dir/out")" -eq 1200 ] || complain 'not 1200 parts'
picture "$dir/x.svg"
# Edges between parts, counted in another way.
{ cat "$dir/out"; sed 1,2d "$dir/large"; } | awk -v n=1200 '
    NR <= n { part[NR] = $1; next }
    { for (k = 1; k <= NF; ++k) cut += part[NR - n] != part[$k] }
    END { print cut / 2 }' >"$dir/cut"
holds "$csv" "rows[0]['cut_edges'] == '$(cat "$dir/cut")'"
for engine in own auto; do
    partition graph --graph "$dir/small" --speeds 5,3,2 --engine $engine \
        --csv "$csv" --svg "$dir/x.svg"
    holds "$csv" '[abs(int(r["count"]) - n) <= max(1, 0.03 * n) for r, n in
        zip(rows, (60, 36, 24))] == [True] * 3'
    has "$dir/x.svg" circle 120
    picture "$dir/x.svg"
done
awk 'NR > 2 { print int((NR - 3) / 12) % 2 != (NR - 3) % 12 % 2 }' \
    "$dir/small" >"$dir/colours"
partition graph --graph "$dir/small" --subsets "$dir/colours" --speeds 3,1 -o -
[ "$(paste -d' ' "$dir/colours" "$dir/out" | grep -c '1 0')" -eq 45 ] ||
    complain 'subsets are not balanced'
refuses '.*/w: a line|.*/w:1: .4. must be a subset' graph \
    --graph "$dir/small" --subsets "$dir/w" --speeds 1,1
refuses '.*limits hold.*' graph --graph "$dir/small" --speeds 1,1 \
    --limits 50,60

# wrong MESSAGE TEXT [OBJECT]: a file that is refused.
wrong() {
    printf -- "$2" >"$dir/bad"
    refuses ".*/bad$1" "${3:-graph}" --graph "$dir/bad" --speeds 1,1
}
wrong ':1: the first line is missing' ''
wrong ':2: the first line is missing' '%%\n'
wrong ':1: the number of edges is missing' '3\n2\n'
wrong ":1: 'x' must be the number of vertices, a" 'x 2\n'
wrong ":1: '-3' must be the number of vertices, from" '-3 2\n'
wrong ":1: '99999999999999999999' must be the number" '99999999999999999999 1\n'
wrong ":1: '1000000' must be the number of vertices, from 0" '1000000 1\n'
wrong ":1: FMT '7' must be 0, 1, 10 or 11" '3 2 7\n'
wrong ":1: FMT '111' must be" '3 2 111\n'
wrong ":1: '2' must be weights per vertex" '3 2 10 2\n'
wrong ":1: '9' is more than belongs" '3 2 0 1 9\n'
wrong ':4: the line of vertex 3 of 3 is missing' '3 2\n2\n1 3\n'
wrong ":2: 'x' must be a neighbour, a whole" '3 2\nx\n1 3\n2\n'
wrong ":4: '4' must be a neighbour, from 1 to 3" '3 2\n2\n1 3\n4\n'
wrong ":5: '0' must be a neighbour" '3 2\n2\n%%\n1 3\n0\n'
wrong ":3: '2' is a neighbour of itself" '3 2\n2\n1 2\n2\n'
wrong ":2: neighbour '2' is there twice" '3 2\n2 2\n1 1\n\n'
wrong ': vertex 1 lists 2, but not' '3 2\n2\n3\n2\n'
wrong ': vertex 1 lists 3, but not' '3 2\n2 3\n1\n2\n'
wrong ': vertex 3 lists 2, but not' '3 2\n2\n1\n2\n'
wrong ': the first line says 2 edges, but there are 3' \
    '3 2\n2 3\n1 3\n1 2\n'
wrong ': the edge of vertices 2 and 3|: the edge of vertices 3 and 2' \
    '3 2 1\n2 5\n1 5 3 4\n2 3\n'
wrong ':2: the weight of an edge is missing' '3 2 1\n2\n1 5 3 4\n2 3\n'
wrong ":2: '-1' must be the weight of a vertex" '2 1 10\n-1 2\n1 1\n'
wrong ':6: more than the file says' '3 1\n2\n1\n\n\n7\n'
wrong ': a tree of 4 vertices has 3 edges, not 2' '4 2\n2\n1\n4\n3\n' tree
printf '4 3\n2 3\n1 3\n1 2\n\n' >"$dir/bad"
refuses 'hesca_cut_tree: .* is not connected' tree --graph "$dir/bad" --speeds 1,1
wrong ":2: '2\\?\[31m' must be a neighbour" '2 1\n2\033[31m\n1\n'
wrong ":3: '' must be a neighbour" '2 1\n2\n1 \000 1\n'
wrong ':3: the line of edge 2 of 2 is missing' '2 3\n1 2\n' hypergraph
wrong ":3: vertex '3' is there twice" '2 3 1\n5 2\n2 3 3\n' hypergraph
wrong ":3: '4' must be a vertex, from 1 to 3" '2 3\n1 2\n4\n' hypergraph
wrong ':5: the weight of vertex 2 of 3 is' '2 3 11\n1 1\n1 2\n1\n' hypergraph
refuses '.*/none: No such file' graph --graph "$dir/none" --speeds 1

# ------------------------------------------------ hypergraphs, trees
printf '3 6 1\n1 1 2 3\n1 4 5 6\n7 3 4\n' >"$dir/hyper"
for objective in edges connectivity; do
    partition hypergraph --graph "$dir/hyper" --speeds 1,1 -o - --csv "$csv" \
        --objective $objective --svg "$dir/x.svg"
    holds "$csv" '[r["count"] for r in rows] == ["3", "3"]'
    picture "$dir/x.svg"
done
# A path of six of weight 1, but 6 and 2 at its ends: 8 and 5 of 13.
printf '6 5 10\n6 2\n1 1 3\n1 2 4\n1 3 5\n1 4 6\n2 5\n' >"$dir/path"
partition tree --graph "$dir/path" --speeds 2,1 --csv "$csv" --svg "$dir/x.svg" \
    -o -
[ "$(tr -d '\n' <"$dir/out")" = 000111 ] || complain 'another tree'
holds "$csv" '[r["size"] for r in rows] == ["8", "4"] and
    rows[0]["cut_edges"] == "1" and rows[0]["is_exact"] == "1"'
partition tree --graph "$dir/path" --speeds 2,1
says out 'of 6 vertices and 5 edges'
says out '^cut: weight [0-9]+, 1 edge, '
has "$dir/x.svg" circle 6
picture "$dir/x.svg"
exit $failed

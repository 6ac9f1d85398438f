#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hesca draw: what it draws of a few messages, as SVG and as a page, and what
# it says of files that are wrong.

. "$top_srcdir/testing/program.sh"
. "$top_srcdir/testing/tools/page.sh"
hesca=$top_builddir/src/tools/hesca
file=$dir/file.csv

# refuses MESSAGE OPTION...: one line on stderr, which begins so.
refuses() {
    message=$1
    shift
    run 2 "$hesca" draw "$@"
    says err "^hesca( draw)?: $message"
    [ "$(wc -l <"$dir/err")" -eq 1 ] || complain 'not one line'
    silent out
}

# lines LINE...: a file of them, after the right first one.
lines() {
    echo 'kind,schedule,src,dest,bytes,start,end' >"$file"
    for line; do
        printf '%s\n' "$line" >>"$file"
    done
}

# wrong LINE MESSAGE TEXT...: refused because of what line LINE has.
wrong() {
    number=$1 message=$2
    shift 2
    lines "$@"
    refuses "$dir/file.csv:$number: $message" "$file"
}

good='predicted,open#2,0,1,10,0,0.5'

# ------------------------------------------------ what is refused
run 0 "$hesca" draw --help
says out '^Usage: hesca draw'
refuses 'draw needs a file'
refuses "unknown option --frob" --frob
refuses '-o needs a value' -o
refuses "--view 'top': expected send.receive" --view top x
refuses "$dir/none: No such file" "$dir/none"
: >"$dir/empty"
refuses "$dir/empty:1: '' must be the line kind,schedule" "$dir/empty"
echo 'kind,schedule' >"$dir/head"
refuses "$dir/head:1: 'kind,schedule' must be" "$dir/head"
wrong 3 "'' must be the first of seven" "$good" ''
wrong 2 "'predicted' must be the first of seven" 'predicted,a,0,1,10,0'
wrong 2 "'predicted,a,0,1,10,0,1,2'|'predicted' must be the first of seven" \
    'predicted,a,0,1,10,0,1,2'
wrong 2 "'planned' must be predicted or real" 'planned,a,0,1,10,0,1'
wrong 2 "'' must be the name" 'real,,0,1,10,0,1'
wrong 2 "'<b>' must be the name" 'real,<b>,0,1,10,0,1'
wrong 2 "'-1' must be a rank" 'real,a,-1,1,10,0,1'
wrong 2 "' 1' must be a rank" 'real,a,0, 1,10,0,1'
wrong 2 "'1048576' must be a rank" 'real,a,0,1048576,10,0,1'
wrong 2 "'1' must be another rank" 'real,a,1,1,10,0,1'
wrong 2 "'many' must be a number" 'real,a,0,1,many,0,1'
wrong 2 "'nan' must be a number" 'real,a,0,1,10,nan,1'
wrong 2 "'-0.1' must be a number" 'real,a,0,1,10,-0.1,1'
wrong 2 "'1ms' must be a number" 'real,a,0,1,10,0,1ms'
wrong 2 "'1e999' must be a number" 'real,a,0,1,10,0,1e999'
wrong 2 "'0.4' must be at least the start" 'real,a,0,1,10,0.5,0.4'
wrong 2 ".* must be a line of less than 255" \
    "real,$(printf '%0300d' 0),0,1,10,0.5,0.4"
lines
refuses 'a picture has 1 to ' "$file"
lines a,b
refuses "$file:2: " "$file"
for k in 1 2 3 4 5 6 7 8 9; do
    echo "real,s$k,0,1,10,0,1"
done >"$dir/many"
lines "$(cat "$dir/many")"
refuses 'more than 8 schedules' "$file"
lines "$good"
refuses "'$dir/no/x.svg' cannot be written: No such" -o "$dir/no/x.svg" "$file"

# ------------------------------------------------ what is drawn
# Figure 3 of BHAT-HET has R_x(3,4); here is one with idle time.
lines predicted,openshop,0,1,1000000,0,0.5 predicted,openshop,1,2,500000,0,0.25 \
    predicted,openshop,2,0,10,0.25,1 predicted,openshop,1,0,1,1,1.25 \
    predicted,openshop,0,2,0,.5,5e-1 \
    real,openshop,0,1,1000000,0,0.75 real,openshop,1,2,500000,0,0.5
run 0 "$hesca" draw "$file"
silent out
silent err
svg=$dir/file.svg
# 7 messages, the number of each that is long enough; 2 x 3 columns; white.
has "$svg" rect 14
says_in() { grep -Eq -e "$2" "$1" || complain "no '$2' in $1"; }
says_in "$svg" 'openshop, predicted: 1.25 s<'
says_in "$svg" 'openshop, real: 750 ms<'
says_in "$svg" '>lower bound 1 s \(1.250\)<'
says_in "$svg" '<title>0 to 1, 1000000 bytes, from 0 to 0.5 s, 0.5 s</title>'
[ "$(grep -c 'class="bound"' "$svg")" -eq 2 ] || complain 'not two bounds'
run 0 "$hesca" draw -o "$dir/again.svg" --view receive --title 'a < "b"' \
    "$file"
has "$dir/again.svg" rect 14
says_in "$dir/again.svg" 'a &lt; &quot;b&quot;'
says_in "$dir/again.svg" 'columns: receivers; numbers: senders'
# Message 2 to 0, in the column of process 2 or of process 0, is the same
# length down from the same height.
column() {
    sed -n 's/.*class="message" x="\([^"]*\)" \(y=.*\) width.*>2 to 0,.*/\1/p' \
        "$1"
}
[ "$(column "$svg")" != "$(column "$dir/again.svg")" ] ||
    complain 'the same column in both views'

# What overlaps, as real messages may, counts once for the bound.
lines real,open,0,1,1,0,2 real,open,0,2,1,1,3
run 0 "$hesca" draw -o "$dir/overlap.svg" "$file"
says_in "$dir/overlap.svg" '>lower bound 3 s \(1.000\)<'

lines predicted,openshop,0,1,1000000,0,0.5 predicted,openshop,1,2,500000,0,0.25 \
    predicted,openshop,2,0,10,0.25,1 real,openshop,0,1,1000000,0,0.75
run 0 "$hesca" draw -o "$dir/page.html" --title 'a < "b"' "$file"
says_in "$dir/page.html" '^a &lt; &quot;b&quot;'
works "$dir/page.html"
awk 'BEGIN { print "kind,schedule,src,dest,bytes,start,end"
    for (step = 1; step < 64; ++step)
        for (p = 0; p < 64; ++p)
            print "real,caterpillar," p "," (p + step) % 64 ",8," step - 1 \
                "," step - 0.25 }' >"$dir/big.csv"
run 0 "$hesca" draw -o "$dir/big.html" "$dir/big.csv"
works "$dir/big.html"
run 0 "$hesca" draw -o "$dir/big.svg" "$dir/big.csv"
has "$dir/big.svg" rect $((1 + 64 + 64 * 63))
# Times of any size: a tick every 60 units, no more, and numbers.
for end in 0 5e-324 1e-310 1.7e308; do
    lines "real,a,0,1,1,0,$end" "real,a,0,2,1,0,$end"
    run 0 timeout 20 "$hesca" draw -o "$dir/size.svg" "$file"
    has "$dir/size.svg" rect 6
    [ "$(grep -c 'class="tick"' "$dir/size.svg")" -le 12 ] ||
        complain 'too many ticks'
    ! grep -Eq '"-?(nan|inf)' "$dir/size.svg" || complain 'no numbers'
    run 0 "$hesca" draw -o "$dir/size.html" "$file"
    ! grep -Eq '[:,] *(nan|inf)' "$dir/size.html" || complain 'no numbers'
done
works "$dir/size.html"

# Up to 256 processes all have columns; of more, those with messages.
lines real,a,0,255,1,0,1
run 0 "$hesca" draw -o "$dir/all.svg" "$file"
has "$dir/all.svg" rect $((1 + 256 + 1))
lines real,a,0,1048575,1,0,1 real,a,77,500,1,0,1 real,a,0,77,1,1,2
run 0 "$hesca" draw -o "$dir/wide.svg" "$file"
has "$dir/wide.svg" rect $((1 + 4 + 3))
says_in "$dir/wide.svg" 'processes without messages have no columns'
says_in "$dir/wide.svg" '<title>0 to 1048575, 1 bytes, '
run 0 "$hesca" draw -o "$dir/wide.html" "$file"
works "$dir/wide.html"
# What is tried in the browser can fail.
if [ "$browser" != none ]; then
    sed 's/tip.hidden = false/tip.hidden = true/' "$dir/page.html" \
        >"$dir/broken.html"
    before=$failed
    works "$dir/broken.html" >"$dir/said"
    grep -q 'failed: tip: ' "$dir/said" || complain 'a page without tips works'
    failed=$before
fi
exit $failed

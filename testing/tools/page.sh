# SPDX-License-Identifier: BSD-3-Clause
# For scripts that test pages, to be read after program.sh: try them in a
# browser.  $HESCA_BROWSER is one of Chromium's kind, or "none".

find_browser() {
    for name in chromium-headless-shell chrome-headless-shell chromium \
        chromium-browser google-chrome; do
        command -v $name && return
    done
    echo none
}
browser=${HESCA_BROWSER:-$(find_browser)}
[ "$browser" != none ] || echo 'no browser: pages are not tried out'

# works PAGE: messages, tips, zoom and others; see check_page.js.
works() {
    [ "$browser" != none ] || return
    {
        sed '/^<\/body>/,$d' "$1"
        echo '<script>'
        cat "$top_srcdir/testing/tools/check_page.js"
        echo '</script></body></html>'
    } >"$dir/tried.html"
    command="$1 in $browser"
    HOME=$dir timeout 60 "$browser" --headless --no-sandbox --disable-gpu \
        --window-size=1400,900 --virtual-time-budget=5000 --dump-dom \
        "file://$dir/tried.html" >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
    if [ $status -ne 0 ]; then
        # A browser that cannot start here says nothing of the page.
        echo "$browser: exit status $status, pages are not tried out"
        browser=none
    elif ! grep -q '<pre id="check">[0-9]* checks passed' "$dir/out"; then
        printf '%s: %s\n' "$command" \
            "$(sed -n 's/.*<pre id="check">\([^<]*\).*/\1/p' "$dir/out")"
        failed=1
    fi
}

# For scripts that repeat figures, to be read by them; they have $dir, for
# results, and $sources, this folder.

# join NAME PART: all results of a name stand below one line of names.
join() {
    if [ -e "$dir/$1.csv" ]; then
        tail -n +2 "$2" >>"$dir/$1.csv"
    else
        cat "$2" >"$dir/$1.csv"
    fi || exit 2
    rm -f "$2"
}

# draw SCRIPT FIGURE SVG NAME...: of the results of these names.
draw() {
    script=$1 what=$2 svg=$dir/$3.svg
    shift 3
    for name; do
        echo "$dir/$name.csv: results"
        set -- "$@" "$dir/$name.csv"
        shift
    done
    if ! command -v python3 >/dev/null; then
        echo 'no python3: no picture'
    elif python3 "$sources/$script" --figure "$what" "$@" -o "$svg"; then
        echo "$svg: picture"
    else
        exit 2
    fi
}

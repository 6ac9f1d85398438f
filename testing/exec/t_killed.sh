#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A run that is killed in the middle of redistributions leaves nothing behind
# in /dev/shm, in /tmp, or as a System V segment, nor does one that ends.
#
# The comparison is first tried on a file that is left behind.

[ -n "$MPIEXEC" ] || { echo 'configure found no mpiexec'; exit 77; }

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM

# Shared memory of this user by its names.  MPI libraries also keep a directory
# in /tmp for their own sockets, which is not ours and is not looked into.
listing() {
    ls -A /dev/shm 2>/dev/null | sed 's,^,/dev/shm/,'
    ls -A /tmp | grep -i -e hesca -e shm | sed 's,^,/tmp/,'
    # Of segments those to which no process is attached.
    ipcs -m 2>/dev/null | awk '$3 == user && $6 == 0 { print "segment " $2 }' \
        user="$(id -un)"
}

# New lines of the listing, once the launcher has had time to clean up.
left() {
    for second in 1 2 3 4 5 6 7 8; do
        listing | sort >"$dir/after"
        new=$(comm -13 "$dir/before" "$dir/after")
        [ -n "$new" ] || return 0
        sleep 1
    done
    printf '%s\n' "$new"
}

listing | sort >"$dir/before"
touch /dev/shm/hesca-left-behind.$$ 2>/dev/null && {
    listing | sort >"$dir/after"
    new=$(comm -13 "$dir/before" "$dir/after")
    rm -f /dev/shm/hesca-left-behind.$$
    [ "$new" = "/dev/shm/hesca-left-behind.$$" ] || {
        echo "the check itself is broken, it finds: $new"
        exit 1
    }
}

# Processes of the run that is under way: those with our mark.
mark=HESCA_TEST_KILLED=$$
processes() {
    for environ in /proc/[0-9]*/environ; do
        if { tr '\0' '\n' <"$environ"; } 2>/dev/null | grep -qx "$mark"; then
            pid=${environ#/proc/}
            pid=${pid%/environ}
            case $(cat "/proc/$pid/comm" 2>/dev/null) in
                *time_gemr2d*) echo "$pid" ;;
            esac
        fi
    done
}

failed=0
run() {
    env "$mark" HESCA_TRANSPORT=shm HESCA_VERBOSE=2 \
        $MPIEXEC -n 2 bench/time_gemr2d --size 1000 \
        --from 1x2:8x8 --to 2x1:16x16 "$@" >"$dir/out" 2>&1 </dev/null
}

for victims in all one all; do
    : >"$dir/out" # what the run before has reported is not of this one
    run --seconds 60 --only hesca &
    launcher=$!
    # In the middle: some calls have been reported by HESCA_VERBOSE.
    for tenth in $(seq 300); do
        [ "$(grep -c 'hesca: pdgemr2d .* by shm' "$dir/out")" -lt 5 ] || break
        sleep 0.1
    done
    pids=$(processes)
    [ "$victims" = all ] || pids=$(echo "$pids" | head -n 1)
    if [ -z "$pids" ]; then
        echo "the run did not get under way:"
        cat "$dir/out"
        exit 1
    fi
    kill -9 $pids
    wait "$launcher"
    new=$(left)
    [ -z "$new" ] || {
        printf 'after kill -9 of %s these are left:\n%s\n' "$victims" "$new"
        failed=1
    }
done

run --repeat 3 || { cat "$dir/out"; failed=1; }
new=$(left)
[ -z "$new" ] || { printf 'after a normal end:\n%s\n' "$new"; failed=1; }
exit $failed

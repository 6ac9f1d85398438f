#!/bin/sh
# Stages may include stages before them in the way of the data, no others:
#
#   base <- wait, base <- machine <- layout <- overlap <- sched <- exec -> wait,
#   machine <- order <- sched, machine <- bcast <- coll, bcast <- panel,
#   machine <- partition <- place <- tools,
#   exec <- coll, exec <- panel <- dense <- hohe, sched <- sim <- tools; the shim sees public headers and its own.
#
# The check is first tried on a tree with one mistake, which it must find.

# Print FILE:LINE of every forbidden #include in src/ of the tree $1.
violations() {
    (cd "$1" && find src -name '*.[ch]' -exec awk '
        BEGIN {
            may["base"] = "base"
            may["wait"] = "wait base"
            may["machine"] = "machine base"
            may["partition"] = "partition machine base"
            may["place"] = "place partition machine base"
            may["layout"] = "layout machine base"
            may["overlap"] = "overlap layout machine base"
            may["order"] = "order machine base"
            may["bcast"] = "bcast machine base"
            may["sched"] = "sched order overlap layout machine base"
            may["sim"] = "sim bcast sched overlap layout machine base"
            may["exec"] = "exec sched order overlap layout machine wait base"
            may["coll"] = "coll exec sched order bcast overlap layout machine wait base"
            may["panel"] = "panel exec sched bcast overlap layout machine wait base"
            may["hohe"] = "hohe dense panel exec sched overlap layout machine wait base"
            may["dense"] = "dense panel exec sched overlap layout machine wait base"
            may["shim"] = "shim"
            may["tools"] = "tools sim dense coll exec wait sched order bcast overlap layout place partition machine base"
        }
        function is_public(header) {
            sub(/\.h$/, "", header)
            return header ~ /^(hdpi|hesca(\/[a-z]+)?)$/
        }
        /^[ \t]*#[ \t]*include[ \t]*"/ {
            split(FILENAME, path, "/")
            split($0, quoted, "\"")
            header = quoted[2]
            slash = index(header, "/")
            stage = slash ? substr(header, 1, slash - 1) : path[2]
            if (header == "config.h" || is_public(header))
                next
            if (!index(" " may[path[2]] " ", " " stage " "))
                printf "%s:%d: %s/ must not include \"%s\"\n",
                       FILENAME, FNR, path[2], header
        }' {} +)
}

tree=$(mktemp -d) || exit 99
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/layout" "$tree/src/exec"
printf '#include "hesca.h"\n#include "exec/plan.h"\n' >"$tree/src/layout/axis.c"
printf '#include "layout/axis.h"\n#include "plan.h"\n' >"$tree/src/exec/plan.c"
found=$(violations "$tree")
if [ "$found" != 'src/layout/axis.c:2: layout/ must not include "exec/plan.h"' ]
then
    printf 'the check itself is broken, it found: %s\n' "$found"
    exit 1
fi

found=$(violations "$top_srcdir")
[ -z "$found" ] || { printf '%s\n' "$found"; exit 1; }

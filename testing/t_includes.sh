#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stages may include stages before them in the way of the data, no others; the
# shim sees public headers, its own, base/hash.h, what base/ records for its
# report, and hohe/hohe.h.  Rooms of a
# stage are stages of their own.
#
# The check is first tried on a tree with one mistake, which it must find.

# Print FILE:LINE of every forbidden #include in src/ of the tree $1.
violations() {
    (cd "$1" && find src -name '*.[ch]' -exec awk '
        BEGIN {
            may["base"] = ""
            may["wait"] = "base"
            may["machine"] = "base"
            may["layout"] = "base"
            may["overlap"] = "layout base"
            may["order"] = "machine base"
            may["bcast"] = "machine base"
            may["sched"] = "order overlap layout machine base"
            may["exec"] = "sched order overlap layout machine wait base"
            may["survey"] = "exec machine wait base dense/kernels.h"
            may["grid"] = "survey exec machine base"
            may["coll"] = "exec order bcast machine base"
            may["panel"] = "exec bcast overlap layout machine base"
            may["dense"] = "panel exec layout base"
            may["hohe"] = "dense panel survey exec sched overlap layout machine base"
            may["partition/set"] = "machine base"
            may["partition/matrix"] = "partition/set base"
            may["partition/graph"] = "partition/set base"
            may["partition/tree"] = "partition/graph base"
            may["partition/hdpi"] = "partition/set partition/matrix partition/graph base"
            may["pmdl"] = "machine base"
            may["hmpi"] = "pmdl exec wait machine base"
            may["place"] = "machine base"
            may["sim"] = "sched bcast machine base"
            may["shim"] = "shim/blacs shim/pblas shim/mpiwait shim/page base/hash.h base/activity.h base/report_data.h"
            may["shim/page"] = ""
            may["shim/redist"] = "shim shim/blacs"
            may["shim/pblas"] = "shim shim/blacs hohe/hohe.h base/hash.h base/routines.h"
            may["shim/blacs"] = "shim shim/pblas"
            may["shim/mpiwait"] = "shim hohe/hohe.h"
            may["tools"] = "tools/lib"
            may["tools/lib"] = "sched wait base"
            may["tools/check"] = "tools/lib"
            may["tools/model"] = "tools/lib pmdl machine base"
            may["tools/partition"] = "tools/lib base"
            may["tools/plan"] = "tools/lib base"
            may["tools/probe"] = "tools/lib survey exec sched machine wait base"
            may["tools/run"] = "tools/lib survey/program.h hohe/hohe.h machine wait base"
            may["tools/sim"] = "tools/lib sim sched order bcast machine base"
        }
        function is_public(header) {
            sub(/\.h$/, "", header)
            return header ~ /^(hdpi|hmpi|hesca(\/(experimental\/)?[a-z]+)?)$/
        }
        function folder(path) {
            sub(/\/[^\/]*$/, "", path)
            return path
        }
        /^[ \t]*#[ \t]*include[ \t]*"/ {
            room = folder(substr(FILENAME, 5))
            split($0, quoted, "\"")
            header = quoted[2]
            stage = index(header, "/") ? folder(header) : room
            if (header == "config.h" || is_public(header))
                next
            mine = " " room " " may[room] " "
            if (!(room in may) ||
                !(index(mine, " " stage " ") || index(mine, " " header " ")))
                printf "%s:%d: %s/ must not include \"%s\"\n",
                       FILENAME, FNR, room, header
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

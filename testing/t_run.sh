#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh: which lines of a testlist it runs in which suite, on how many
# processes and with which variables, and how it reports what comes of it.

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$dir/testing" "$dir/testing/x" "$dir/suite"
cp "$top_srcdir/testing/run.sh" "$dir/suite" || exit 99

# Takes the place of mpiexec: prints how it was called.
cat >"$dir/launch" <<'END'
echo "launched $*"
shift 2
exec "$@"
END
echo "MPIEXEC='sh $dir/launch'" >"$dir/testing/env.sh"

# The test prints what it finds, and ends as $END says.
cat >"$dir/testing/x/t_one" <<'END'
#!/bin/sh
echo "sees ${FIRST-nothing} ${SECOND-nothing} ${HESCA_TEST_BIG-nothing} $HESCA_TEST_PERCENT"
exit ${END-0}
END
chmod +x "$dir/testing/x/t_one"
cp "$dir/testing/x/t_one" "$dir/testing/t_two.sh"

cat >"$dir/suite/testlist" <<'END'
x/t_one      2 3 cases=50%    small    # a comment
x/t_one      4 FIRST=a/b:1,c  alone
x/t_one      5 SECOND= FIRST=2         timeout=9
x/t_one      FIRST=alone
x/t_one      6 END=77         big
x/t_one      7 END=5 FIRST=x  big
t_two.sh     FIRST=1 SECOND=2 small
t_two.sh                      small
END

failed=0
# reports SUITE PROGRAM: its TAP must be what stdin has, but for the seconds.
reports() {
    cat >"$dir/expected"
    (cd "$dir" && unset FIRST SECOND END HESCA_TEST_BIG shared &&
        HESCA_TEST_SUITE=$1 sh suite/run.sh "testing/$2") 2>&1 |
        sed -e '/^# .*: [0-9]* s$/d' -e "s|$dir|DIR|g" >"$dir/got"
    cmp -s "$dir/got" "$dir/expected" && return
    echo "suite $1, $2:"
    diff "$dir/expected" "$dir/got"
    failed=1
}

reports small x/t_one <<'END'
# launched -n 2 testing/x/t_one
# sees nothing nothing nothing 6
ok 1 - x/t_one on 2 processes
# launched -n 3 testing/x/t_one
# sees nothing nothing nothing 6
ok 2 - x/t_one on 3 processes
1..2
END
reports check x/t_one <<'END'
# launched -n 2 testing/x/t_one
# sees nothing nothing nothing 16
ok 1 - x/t_one on 2 processes
# launched -n 3 testing/x/t_one
# sees nothing nothing nothing 16
ok 2 - x/t_one on 3 processes
# launched -n 4 testing/x/t_one
# sees a/b:1,c nothing nothing 32
ok 3 - x/t_one on 4 processes, FIRST=a/b:1,c
# launched -n 5 testing/x/t_one
# sees 2  nothing 32
ok 4 - x/t_one on 5 processes, SECOND= FIRST=2
# sees alone nothing nothing 32
ok 5 - x/t_one, FIRST=alone
1..5
END
reports big x/t_one <<'END'
# launched -n 6 testing/x/t_one
# sees nothing nothing 1 2000
ok 1 - x/t_one on 6 processes, END=77 # SKIP sees nothing nothing 1 2000
# launched -n 7 testing/x/t_one
# sees x nothing 1 2000
not ok 2 - x/t_one on 7 processes, END=5 FIRST=x: exit status 5
1..2
END
reports small t_two.sh <<'END'
# sees 1 2 nothing 12
ok 1 - t_two.sh, FIRST=1 SECOND=2
# sees nothing nothing nothing 12
ok 2 - t_two.sh
1..2
END
reports big t_two.sh <<'END'
1..0 # SKIP not a part of make bigcheck
END
reports check t_none <<'END'
Bail out! t_none has no line in suite/testlist
END
n=$(sh "$dir/suite/run.sh" --count check testing/x/t_one testing/t_two.sh)
[ "$n" = 7 ] || { echo "--count check: $n, not 7"; failed=1; }
exit $failed

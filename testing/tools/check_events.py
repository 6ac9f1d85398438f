#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check a file of events: every exchange is one that processes can carry out.

Usage: check_events.py FILE.csv [exchange|cast]

Each exchange, the lines of one kind and schedule, must have at most one send
and one receive of a process at a time.  In an exchange every pair sends once,
the same bytes in all of them; in a cast nobody sends what it has not received.

Prints schedule and completion time of each.  Exit status: 0, or 1 with what is
wrong.
"""

import csv
import sys
from collections import defaultdict


def overlaps(spans, room):
    spans = sorted(spans)
    return any(a[1] > b[0] + room for a, b in zip(spans, spans[1:]))


def check(name, rows, what, pairs):
    room = 1e-8 * max(row["end"] for row in rows)
    for column in ("src", "dest"):
        spans = defaultdict(list)
        for row in rows:
            spans[row[column]].append((row["start"], row["end"]))
        for rank, of_rank in spans.items():
            if overlaps(of_rank, room):
                sys.exit(f"{name}: {column} {rank}: messages overlap")
    found = {(row["src"], row["dest"]): row["bytes"] for row in rows}
    if what == "exchange":
        if len(found) != len(rows) or found != pairs:
            sys.exit(f"{name}: other messages than those of the first one")
    elif what == "cast":
        # The process that has not received it before is the root.
        got = {row["dest"]: row["end"] for row in rows}
        roots = {row["src"] for row in rows} - set(got)
        if len(got) != len(rows) or len(roots) != 1:
            sys.exit(f"{name}: not a tree")
        for row in rows:
            if row["start"] < got.get(row["src"], 0) - room:
                sys.exit(f"{name}: {row['src']} sends too early")


def main():
    path, what = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    groups = defaultdict(list)
    with open(path, newline="", encoding="ascii") as file:
        for row in csv.DictReader(file):
            row["src"], row["dest"] = int(row["src"]), int(row["dest"])
            for column in ("bytes", "start", "end"):
                row[column] = float(row[column])
            groups[row["kind"], row["schedule"]].append(row)
    first = next(iter(groups.values()))
    pairs = {(row["src"], row["dest"]): row["bytes"] for row in first}
    for (kind, schedule), rows in groups.items():
        check(f"{path}: {schedule}, {kind}", rows, what, pairs)
        print(kind, schedule, f"{max(row['end'] for row in rows):.6g}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compare two runs of time_gemr2d: has HESCA become slower?

Usage: compare.py OLD.csv NEW.csv [--tolerance PERCENT] [--json FILE]

Cases are matched by routine, type, sizes, grids, blocks, offsets, context,
number of processes, schedule, and transport if both files name it.  For each
the median time of HESCA and its ratio to memcpy's in the same run are shown,
old and new.  The speed of a machine drifts from run to run, and hits both; a
short memcpy is noisy.  So a case is slower if its time and its ratio have both
grown by more than the tolerance; where a file has no time of memcpy the time
of HESCA alone decides.

Exit status: 0 if no case is slower, 1 if one is, or if a new result was not
identical, 2 if the files cannot be compared.
"""

import json
import math
import sys

from timings import (CASE, CASE_IF_ANY, FACTS, FLOOR, HESCA, REAL, Unusable,
                     attempt, distinct, layout, parse, read)

MARKS = {"slower": "SLOWER", "wrong": "NOT IDENTICAL", "faster": "faster",
         "same": "", "unmeasured": "no time of HESCA"}


def index(rows, columns):
    """The rows by what makes their cases different."""
    cases = {}
    for row in rows:
        other = cases.setdefault(tuple(row[c] for c in columns), row)
        if other is not row:
            raise Unusable(f"{row['where']}: '{title(row)}' is also in "
                           f"{other['where']}")
    return cases


def cells(row):
    """A case, for people."""
    routine = f"{row['routine']} {row['uplo']}{row['diag']}".strip()
    modes = [f"context {row['context']}"] if row["context"] != "line" else []
    modes += [row[c] for c in ("schedule",) + CASE_IF_ANY
              if row.get(c, "auto") != "auto"]
    return [str(row["processes"]), routine, f"{row['m']}x{row['n']}",
            layout(row, "a"), layout(row, "b"), " ".join(modes)]


def title(row):
    processes, *rest = cells(row)
    return " ".join(cell for cell in rest if cell) + f" on {processes}"


def over(a, b):
    return None if a is None or b is None else a / b


def compare(old, new, tolerance):
    """One case: times, ratios, and what to think of them."""
    limit = 1 + tolerance / 100
    times = old[HESCA], new[HESCA]
    floors = over(old[HESCA], old[FLOOR]), over(new[HESCA], new[FLOOR])
    result = {"old": old, "new": new, "times": times, "floors": floors,
              "ratio": over(times[1], times[0]),
              "floor_ratio": over(floors[1], floors[0])}
    growth = [r for r in (result["ratio"], result["floor_ratio"]) if r]
    if new["identical"] == "no":
        result["verdict"] = "wrong"
    elif not growth:
        result["verdict"] = "unmeasured"
    elif min(growth) > limit:
        result["verdict"] = "slower"
    else:
        result["verdict"] = "faster" if max(growth) < 1 / limit else "same"
    return result


def count(results, verdict):
    return sum(r["verdict"] == verdict for r in results)


def number(value, scale=1):
    """Four digits, or a dash."""
    if value is None:
        return "-"
    value *= scale
    return f"{value:.{min(6, max(0, 3 - math.floor(math.log10(value))))}f}"


def mean(ratios):
    """Geometric mean of those that there are."""
    ratios = [r for r in ratios if r is not None]
    if not ratios:
        return None
    return math.exp(math.fsum(map(math.log, ratios)) / len(ratios))


def drift(results, column):
    return mean(over(r["new"][column], r["old"][column]) for r in results)


def print_table(results, out):
    head = ["P", "routine", "size", "from", "to", ""]
    rows = [head] + [cells(r["new"]) for r in results]
    widths = [max(map(len, column)) for column in zip(*rows)]

    def put(left, values, mark=""):
        text = "  ".join(f"{c:<{w}}" for c, w in zip(left, widths))
        text += "".join(f" {value:>8}" for value in values)
        print(f"{text}  {mark}".rstrip(), file=out)

    put([""] * len(head), ["HESCA,", "ms", "", "HESCA/", "memcpy", ""])
    put(head, ["old", "new", "new/old", "old", "new", "new/old"])
    for r, left in zip(results, rows[1:]):
        put(left, [number(t, 1e3) for t in r["times"]] + [number(r["ratio"])]
            + [number(f) for f in r["floors"]] + [number(r["floor_ratio"])],
            MARKS[r["verdict"]])
    put(["mean"] + [""] * (len(head) - 1),
        ["", "", number(drift(results, HESCA)), "", "",
         number(mean(r["floor_ratio"] for r in results))],
        f"memcpy {number(drift(results, FLOOR))}, "
        f"ScaLAPACK {number(drift(results, REAL))}")


def print_facts(old, new, out):
    """What differs between where the two were measured."""
    for column in FACTS:
        was, now = (", ".join(map(str, distinct(rows, column)))
                    for rows in (old, new))
        if was != now:
            print(f"measured with different {column}: {was} -> {now}",
                  file=out)


def print_all(args, old, new, results, only, out):
    print(f"old: {args.old}\nnew: {args.new}", file=out)
    print_facts(old, new, out)
    print(file=out)
    print_table(results, out)
    print(file=out)
    for path, rows in zip((args.old, args.new), only):
        for row in rows:
            print(f"only in {path}: {title(row)}", file=out)
    print(f"{len(results)} cases compared: {count(results, 'slower')} slower "
          f"by more than {args.tolerance:g} %, {count(results, 'faster')} "
          f"faster, {count(results, 'wrong')} not identical, "
          f"{count(results, 'unmeasured')} without times", file=out)


def as_json(args, results, only, columns):
    def case(row):
        return {c: row[c] for c in columns}

    return {
        "old": args.old, "new": args.new, "tolerance": args.tolerance,
        "slower": count(results, "slower"), "wrong": count(results, "wrong"),
        "cases": [{**case(r["new"]), "old_median_s": r["times"][0],
                   "new_median_s": r["times"][1], "new_over_old": r["ratio"],
                   "old_over_floor": r["floors"][0],
                   "new_over_floor": r["floors"][1],
                   "floor_ratio_new_over_old": r["floor_ratio"],
                   "verdict": r["verdict"]} for r in results],
        "only_old": [case(row) for row in only[0]],
        "only_new": [case(row) for row in only[1]],
    }


def run(args):
    """Compare, print, and return the exit status."""
    old, new = read(args.old), read(args.new)
    columns = CASE + tuple(c for c in CASE_IF_ANY if c in old[0] and
                           c in new[0])
    was, now = index(old, columns), index(new, columns)
    results = [compare(was[k], now[k], args.tolerance) for k in now
               if k in was]
    if not results:
        raise Unusable(f"{args.old} and {args.new} have no case in common")
    only = ([was[k] for k in was if k not in now],
            [now[k] for k in now if k not in was])
    print_all(args, old, new, results, only,
              sys.stderr if args.json == "-" else sys.stdout)
    if args.json is not None:
        text = json.dumps(as_json(args, results, only, columns), indent=1)
        if args.json == "-":
            print(text)
        else:
            with open(args.json, "w", encoding="utf-8") as file:
                file.write(text + "\n")
    return 1 if count(results, "slower") + count(results, "wrong") else 0


def percent(text):
    value = float(text)
    if not 0 <= value < math.inf:
        raise ValueError
    return value


def main():
    args = parse(
        __doc__.split("\n\nUsage")[0],
        ("old", {"metavar": "OLD.csv"}),
        ("new", {"metavar": "NEW.csv",
                 "help": "files written by time_gemr2d --csv or sweep.sh"}),
        ("--tolerance", {"type": percent, "default": 25, "metavar": "PERCENT",
                         "help": "growth that is no slowdown (default: 25)"}),
        ("--json", {"metavar": "FILE",
                    "help": "the comparison as JSON too; - is stdout"}),
        epilog=__doc__.split("]\n\n")[1])
    status = attempt(lambda: run(args), 2)
    attempt(sys.stdout.flush, 2)
    sys.exit(status)


if __name__ == "__main__":
    main()

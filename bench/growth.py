#!/usr/bin/env python3
"""Draw how the time of finding a schedule grows with the processes, from what
time_heuristics or time_broadcasts has written as CSV.

Usage: growth.py heuristics.csv -o heuristics.svg
       growth.py algorithms.csv -o algorithms.svg

A panel for each kind of exchange or machine; both axes are logarithmic.

Exit status: 0, 1 if a CSV file cannot be used or the picture not written, 2 for
wrong options.
"""

import argparse
import csv
import sys

from svg import (FAINT, MARGIN, WIDTH, Axis, Doubling, curve, frame, legend,
                 picture, readable, short_time, text, write)
from timings import COUNT, MAYBE, POSITIVE, TEXT, Unusable, distinct, read

COMMON = {
    **dict.fromkeys(("processes", "runs"), COUNT),
    **dict.fromkeys(("seconds", "finish_over_bound"), POSITIVE),
    "growth": MAYBE,
}
EXCHANGES = {**COMMON, "k": COUNT, "events": POSITIVE, "pattern": TEXT,
             "schedule": TEXT}
CASTS = {**COMMON, "destinations": COUNT, "machine": TEXT, "algorithm": TEXT}
COLOURS = {
    "openshop": "#1565c0", "openshop-lpt": "#90caf9", "polished": "#2e7d32",
    "maxmatch": "#c62828", "minmatch": "#ef8a17", "greedy": "#7b1fa2",
    "caterpillar": "#52606d", "refine": "#00838f", "run": "#9aa5b1",
    "ecef": "#1565c0", "lookahead": "#2e7d32", "fef": "#c62828",
    "graft": "#ef8a17", "two-phase": "#7b1fa2", "fnf": "#52606d",
    "near-far": "#00838f", "optimum": "#1f2933",
}
OTHER = "#5d4037"
LEFT, TOP, HEIGHT, GAP = 66, 34, 330, 50  # of panels and between them


def load(path):
    """Rows of either kind of file, with a panel and a schedule."""
    with open(path, newline="", encoding="utf-8") as file:
        casts = "algorithm" in (csv.DictReader(file).fieldnames or [])
    rows = read(path, CASTS if casts else EXCHANGES)
    for row in rows:
        row["schedule"] = row["algorithm" if casts else "schedule"]
        row["panel"] = row["machine" if casts else "pattern"]
        row["size"] = (f"{row['destinations']} destinations" if casts
                       else f"K = {row['k']}")
    return rows


def note(row):
    growth = f", growth {row['growth']:.2f}" if row["growth"] else ""
    return (f"{row['schedule']}, P = {row['processes']}, {row['size']}: "
            f"{readable(row['seconds'])}{growth}, finish "
            f"{100 * (row['finish_over_bound'] - 1):.1f} % beyond the bound")


def draw_panel(pattern, rows, y_top):
    x = Doubling([row["processes"] for row in rows], MARGIN + LEFT,
                 WIDTH - MARGIN)
    y = Axis([row["seconds"] for row in rows], y_top + HEIGHT, y_top)
    parts = frame(pattern, x, y, "processes", "", "{:g}".format, short_time)
    for name in distinct(rows, "schedule"):
        points = [(x.place(row["processes"]), y.place(row["seconds"]),
                   note(row)) for row in rows if row["schedule"] == name]
        parts += curve(name, points, COLOURS.get(name, OTHER), 2)
    return parts


def draw(rows, title):
    names = distinct(rows, "schedule")
    entries, top = legend([(n, COLOURS.get(n, OTHER)) for n in names], 80)
    parts = [text(MARGIN, 40, 20, title, weight="bold"),
             text(MARGIN, 62, 13, "CPU time of one process", fill=FAINT)]
    bottom = top + 14
    for pattern in distinct(rows, "panel"):
        members = [row for row in rows if row["panel"] == pattern]
        parts += draw_panel(pattern, members, bottom + TOP)
        bottom += TOP + HEIGHT + GAP
    return picture(title, bottom, parts + entries)


def main():
    parser = argparse.ArgumentParser(
        description="Draw how the time of finding a schedule grows, as SVG.",
        epilog="Exit status: 0, 1 if a CSV file cannot be used or the "
        "picture not written, 2 for wrong options.")
    parser.add_argument("csv", nargs="+",
                        help="files written by time_heuristics --csv or "
                        "time_broadcasts --csv")
    parser.add_argument("-o", "--output", default="-", metavar="SVG",
                        help="picture to write (default: stdout)")
    parser.add_argument("--title", help="headline of the picture",
                        default="Time to find a schedule")
    args = parser.parse_args()
    try:
        rows = [row for path in args.csv for row in load(path)]
        write(draw(rows, args.title), args.output)
    except OSError as error:
        sys.exit(f"growth.py: {error.filename or 'stdout'}: "
                 f"{error.strerror}")
    except Unusable as error:
        sys.exit(f"growth.py: {error}")


if __name__ == "__main__":
    main()

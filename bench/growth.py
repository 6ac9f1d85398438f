#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draw how the time of finding a schedule grows with the processes, from what
time_heuristics or time_broadcasts has written as CSV.

Usage: growth.py heuristics.csv -o heuristics.svg
       growth.py algorithms.csv -o algorithms.svg

A panel for each kind of exchange or machine; both axes are logarithmic.
"""

import csv

from svg import Chart, Doubling, charts, colours, readable, write
from timings import (TITLE, attempt, distinct, files, of, output, parse, read,
                     schema)

COMMON = schema(count="processes runs", positive="seconds finish_over_bound",
                maybe="growth")
EXCHANGES = schema(COMMON, count="k", positive="events",
                   text="pattern schedule")
BROADCASTS = schema(COMMON, count="destinations", text="machine algorithm")
COLOURS = {
    "openshop": "#1565c0", "openshop-lpt": "#90caf9", "polished": "#2e7d32",
    "maxmatch": "#c62828", "minmatch": "#ef8a17", "greedy": "#7b1fa2",
    "caterpillar": "#52606d", "refine": "#00838f", "run": "#9aa5b1",
    "ecef": "#1565c0", "lookahead": "#2e7d32", "fef": "#c62828",
    "graft": "#ef8a17", "two-phase": "#7b1fa2", "fnf": "#52606d",
    "near-far": "#00838f", "optimum": "#1f2933",
}


def load(path):
    """Rows of either kind of file, with a panel and a schedule."""
    with open(path, newline="", encoding="utf-8") as file:
        broadcasts = "algorithm" in (csv.DictReader(file).fieldnames or [])
    rows = read(path, BROADCASTS if broadcasts else EXCHANGES)
    for row in rows:
        row["schedule"] = row["algorithm" if broadcasts else "schedule"]
        row["panel"] = row["machine" if broadcasts else "pattern"]
        row["size"] = (f"{row['destinations']} destinations" if broadcasts
                       else f"K = {row['k']}")
    return rows


def point(row):
    growth = f", growth {row['growth']:.2f}" if row["growth"] else ""
    return row["processes"], row["seconds"], (
        f"{row['schedule']}, P = {row['processes']}, {row['size']}: "
        f"{readable(row['seconds'])}{growth}, finish "
        f"{100 * (row['finish_over_bound'] - 1):.1f} % beyond the bound")


def draw(rows, title):
    panels = []
    for name in distinct(rows, "panel"):
        mine = of(rows, panel=name)
        panels.append(Chart(name, {
            schedule: [point(row) for row in of(mine, schedule=schedule)]
            for schedule in distinct(mine, "schedule")},
            (Doubling, "processes", "{:g}".format)))
    return charts(title, "CPU time of one process", panels,
                  colours(panels, COLOURS), columns=1, height=330)


def main():
    args = parse("Draw how the time of finding a schedule grows, as SVG.",
                 files("files written by time_heuristics --csv or "
                       "time_broadcasts --csv"), output(), TITLE)
    attempt(lambda: write(draw(
        [row for path in args.csv for row in load(path)],
        args.title or "Time to find a schedule"), args.output))


if __name__ == "__main__":
    main()

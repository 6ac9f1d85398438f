#!/usr/bin/env python3
"""Draw how the time to share a set grows with processors and elements, or the
lines that the methods try, from what time_shares has written as CSV.

Usage: shares.py procs.csv powers.csv -o shares.svg
       shares.py --what steps procs.csv powers.csv -o steps.svg

A panel for each shape and number of elements that has several numbers of
processors, and the other way round.

Exit status: 0, 1 if a CSV file cannot be used or the picture not written, 2 for
wrong options.
"""

import argparse
import sys

from svg import Axis, Chart, Linear, charts, readable, short_time, write
from timings import COUNT, MAYBE, POSITIVE, TEXT, Unusable, distinct, read

SCHEMA = {
    **dict.fromkeys(("processes", "knots", "runs"), COUNT),
    **dict.fromkeys(("elements", "seconds"), POSITIVE),
    **dict.fromkeys(("steps", "rounds", "excess"), MAYBE),
    **dict.fromkeys(("shape", "limits", "method"), TEXT),
}
COLOURS = {"root": "#1565c0", "basic": "#c62828", "basic-log": "#ef8a17",
           "modified": "#2e7d32", "combined": "#7b1fa2", "rounds": "#00838f",
           "greedy": "#52606d"}
OTHER = "#5d4037"
# The axis, a headline, and how values are written at it and of a point.
WHAT = {"seconds": (Axis, "Time to share a set", short_time, readable),
        "steps": (Linear, "Lines tried to share a set", "{:g}".format,
                  "{:.1f}".format)}
# What may grow, what stays then, and what the first is called.
SWEEPS = (("processes", "elements", "processors"),
          ("elements", "processes", "elements"))


class Decades(Axis):
    """A logarithmic axis with at most eight ticks."""

    def ticks(self):
        decades = super().ticks()
        return decades[::-(-len(decades) // 8)]


def kind(row):
    limits = ", limits" if row["limits"] == "yes" else ""
    return f"{row['shape']}{limits}"


def points(rows, x_column, y_column):
    """(x, y) of every method, where there is one."""
    return {name: [(row[x_column], row[y_column]) for row in rows
                   if row["method"] == name and row[y_column]]
            for name in distinct(rows, "method")}


def decade(value):
    """A number in powers of ten."""
    return f"{value:.0e}".replace("e+0", "e").replace("e+", "e")


def panels_of(rows, y_column):
    for what in dict.fromkeys(kind(row) for row in rows):
        members = [row for row in rows if kind(row) == what]
        for x_column, fixed, x_name in SWEEPS:
            for value in distinct(members, fixed):
                same = [row for row in members if row[fixed] == value]
                if len(distinct(same, x_column)) > 1:
                    name = "P" if fixed == "processes" else "n"
                    yield Chart(f"{what}, {name} = {decade(value)}",
                                points(same, x_column, y_column),
                                (Decades, x_name, decade), WHAT[y_column][0])


def draw(rows, what, title):
    panels = [p for p in panels_of(rows, what) if p.lines]
    if not panels:
        raise Unusable("nothing grows: no two numbers of processors or of "
                       "elements")
    _, headline, tick, note = WHAT[what]
    knots = ", ".join(str(k) for k in distinct(rows, "knots"))
    facts = f"CPU time of one process; speed functions of {knots} knots"
    colour = {n: COLOURS.get(n, OTHER) for n in distinct(rows, "method")}
    return charts(title or headline, facts, panels, colour, tick, note)


def main():
    parser = argparse.ArgumentParser(
        description="Draw how the time to share a set grows, as SVG.",
        epilog="Exit status: 0, 1 if a CSV file cannot be used or the "
        "picture not written, 2 for wrong options.")
    parser.add_argument("csv", nargs="+",
                        help="files written by time_shares --csv")
    parser.add_argument("--what", choices=list(WHAT), default="seconds",
                        help="seconds (default), or steps: the lines that "
                        "were tried")
    parser.add_argument("-o", "--output", default="-", metavar="SVG",
                        help="picture to write (default: stdout)")
    parser.add_argument("--title", help="headline of the picture")
    args = parser.parse_args()
    try:
        rows = [row for path in args.csv for row in read(path, SCHEMA)]
        write(draw(rows, args.what, args.title), args.output)
    except OSError as error:
        sys.exit(f"shares.py: {error.filename or 'stdout'}: {error.strerror}")
    except Unusable as error:
        sys.exit(f"shares.py: {error}")


if __name__ == "__main__":
    main()

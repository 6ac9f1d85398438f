#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draw how the time to share a set grows with processors and elements, or the
lines that the methods try, from what time_shares has written as CSV.

Usage: shares.py procs.csv powers.csv -o shares.svg
       shares.py --what steps procs.csv powers.csv -o steps.svg

A panel for each shape and number of elements that has several numbers of
processors, and the other way round.
"""

from svg import Axis, Chart, Linear, charts, colours, readable, short_time, write
from timings import (TITLE, Unusable, attempt, distinct, files, lines_of, of,
                     output, parse, read, schema)

SCHEMA = schema(count="processes knots runs", positive="elements seconds",
                maybe="steps rounds excess", text="shape limits method")
COLOURS = {"root": "#1565c0", "basic": "#c62828", "basic-log": "#ef8a17",
           "modified": "#2e7d32", "combined": "#7b1fa2", "rounds": "#00838f",
           "greedy": "#52606d"}
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


def decade(value):
    """A number in powers of ten."""
    return f"{value:.0e}".replace("e+0", "e").replace("e+", "e")


def panels_of(rows, y_column):
    for what in dict.fromkeys(kind(row) for row in rows):
        members = [row for row in rows if kind(row) == what]
        for x_column, fixed, x_name in SWEEPS:
            for value in distinct(members, fixed):
                same = of(members, **{fixed: value})
                if len(distinct(same, x_column)) > 1:
                    name = "P" if fixed == "processes" else "n"
                    yield Chart(f"{what}, {name} = {decade(value)}",
                                lines_of(same, "method", x_column, y_column),
                                (Decades, x_name, decade), WHAT[y_column][0])


def draw(rows, what, title):
    panels = [p for p in panels_of(rows, what) if p.lines]
    if not panels:
        raise Unusable("nothing grows: no two numbers of processors or of "
                       "elements")
    _, headline, tick, note = WHAT[what]
    knots = ", ".join(str(k) for k in distinct(rows, "knots"))
    facts = f"CPU time of one process; speed functions of {knots} knots"
    return charts(title or headline, facts, panels, colours(panels, COLOURS),
                  tick, note)


def main():
    args = parse("Draw how the time to share a set grows, as SVG.",
                 files("files written by time_shares --csv"),
                 ("--what", {"choices": list(WHAT), "default": "seconds",
                             "help": "seconds (default), or steps: the lines "
                             "that were tried"}), output(), TITLE)
    attempt(lambda: write(draw(
        [row for path in args.csv for row in read(path, SCHEMA)], args.what,
        args.title), args.output))


if __name__ == "__main__":
    main()

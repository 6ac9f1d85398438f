#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draw the figures of BHAT-HET 5, BHAT-EXC 5 and BHAT-COL 5 from what hesca sim
has written as CSV; het.sh makes both, the files and the pictures.

Usage: het.py --figure het-5a het-5a.csv -o het-5a.svg

Times are means over the runs, on a logarithmic axis; a second panel has them
as multiples of the lower bound, of broadcasts on a logarithmic axis, too.
"""

from svg import Axis, Chart, Fine, Linear, charts, colours, write
from timings import (Unusable, attempt, distinct, files, lines_of, one_of,
                     output, parse, read, schema)

SCHEMA = schema(
    count="seed runs processes",
    maybe="clusters startup_low_s startup_high_s rate_low rate_high k dests "
    "bytes real_s resched_s changes refined_s anew_s turn_s sends reached "
    "reached_least plan_s",
    positive="messages bound_s finish_s finish_min_s finish_max_s ratio "
    "ratio_max", text="pattern machine sizes schedule")

# Figure: its title, and the column that varies.
FIGURES = {
    "het-4": ("BHAT-HET Figure 4, estimated", "k"),
    "het-5a": ("BHAT-HET Figure 5(a): R_x(K,64)", "k"),
    "het-5b": ("BHAT-HET Figure 5(b): R_x(40,64), rates more and more unequal",
               "spread"),
    "exc-small": ("BHAT-EXC: total exchange, small messages", "processes"),
    "exc-large": ("BHAT-EXC: total exchange, large messages", "processes"),
    "exc-mixed": ("BHAT-EXC: total exchange, small and large messages",
                  "processes"),
    "exc-servers": ("BHAT-EXC: total exchange, 20 % servers", "processes"),
    "col-4": ("BHAT-COL Figure 4: broadcast", "processes"),
    "col-5": ("BHAT-COL Figure 5: broadcast, two clusters", "processes"),
    "col-6": ("BHAT-COL Figure 6: multicast among 100", "dests"),
}
NAMES = {"k": "K", "processes": "processes", "dests": "destinations",
         "spread": "variation of rates, %"}

COLOURS = {
    "lower bound": "#111111", "direct": "#c62828", "direct-barrier": "#9aa5b1",
    "caterpillar": "#c62828", "greedy": "#ef8a17", "minmatch": "#8d6708",
    "maxmatch": "#7b1fa2", "openshop": "#1565c0", "openshop-lpt": "#00838f",
    "polished": "#2e7d32", "fnf": "#c62828", "fef": "#ef8a17",
    "ecef": "#7b1fa2", "lookahead": "#1565c0", "near-far": "#8d6708",
    "graft": "#2e7d32", "optimum": "#e91e63",
}


def panels_of(rows, column, what):
    """BHAT-HET 5: rates of 10 to 20 MB/s vary by 100 %."""
    for row in rows:
        row["spread"] = row["rate_high"] and 100 * (
            row["rate_high"] / row["rate_low"] - 1)
        if not row[column]:
            raise Unusable(f"{row['where']}: there is no {NAMES[column]}")
    x_axis = (Linear, NAMES[column], "{:g}".format)
    is_broadcast = rows[0]["pattern"] in ("bcast", "multicast")
    times = lines_of(rows, "schedule", column, "finish_s")
    first = next(iter(times))
    times = {first: times.pop(first), "lower bound": list({
        (row[column], row["bound_s"]) for row in rows}), **times}
    return [Chart(f"completion time{what}", times, x_axis),
            Chart(f"times lower bound{what}",
                  lines_of(rows, "schedule", column, "ratio"), x_axis,
                  y_axis=Axis if is_broadcast else Fine)]


def facts(rows):
    first = rows[0]
    text = (f"machine {first['machine']}, seed {first['seed']}, mean of "
            f"{first['runs']} run{'' if first['runs'] == 1 else 's'}; seconds")
    if first["bytes"]:
        text += f"; messages of {first['bytes']:g} bytes"
    return text


def draw(figure, tables):
    title, column = FIGURES[figure]
    panels = []
    for rows in tables:
        counts = distinct(rows, "processes")
        what = f", P = {counts[0]}" if len(counts) == 1 else ""
        panels += panels_of(rows, column, what)
    # Of both kinds of panels: small numbers of seconds have decimals, too.
    return charts(title, facts(tables[0]), panels, colours(panels, COLOURS),
                  "{:.4g}".format, "{:.4g}".format)


def main():
    args = parse("Draw a figure of BHAT-HET, BHAT-EXC or BHAT-COL, as SVG.",
                 files("files of hesca sim --csv"),
                 one_of("--figure", FIGURES), output())
    attempt(lambda: write(draw(
        args.figure, [read(path, SCHEMA) for path in args.csv]), args.output))


if __name__ == "__main__":
    main()

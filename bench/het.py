#!/usr/bin/env python3
"""Draw the figures of BHAT-HET 5, BHAT-EXC 5 and BHAT-COL 5 from what hesca sim
has written as CSV; het.sh makes both, the files and the pictures.

Usage: het.py --figure het-5a het-5a.csv -o het-5a.svg

Times are means over the runs, on a logarithmic axis; a second panel has them
as multiples of the lower bound, for casts logarithmic, too.

Exit status: 0, 1 if a CSV file cannot be used or the picture not written, 2 for
wrong options.
"""

import argparse
import sys

from svg import Axis, Chart, Fine, Linear, charts, write
from timings import COUNT, MAYBE, POSITIVE, TEXT, Unusable, distinct, read

SCHEMA = {
    **dict.fromkeys(("seed", "runs", "processes"), COUNT),
    **dict.fromkeys(("clusters", "startup_low_s", "startup_high_s", "rate_low",
                     "rate_high", "k", "dests", "bytes", "real_s", "resched_s",
                     "changes", "refined_s", "anew_s", "turn_s", "sends",
                     "reached", "reached_least", "plan_s"), MAYBE),
    **dict.fromkeys(("messages", "bound_s", "finish_s", "finish_min_s",
                     "finish_max_s", "ratio", "ratio_max"), POSITIVE),
    **dict.fromkeys(("pattern", "machine", "sizes", "schedule"), TEXT),
}

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
OTHERS = ("#5d4037", "#455a64", "#9e9d24", "#ce93d8", "#52606d")


def place(row, column):
    """Where a row stands.  BHAT-HET 5: rates of 10 to 20 MB/s vary by 100 %."""
    if column == "spread":
        return 100 * (row["rate_high"] / row["rate_low"] - 1)
    return row[column]


def lines_of(rows, column, value):
    lines = {}
    for row in rows:
        at = place(row, column)
        if not at:
            raise Unusable(f"{row['where']}: there is no {NAMES[column]}")
        lines.setdefault(row["schedule"], []).append((at, row[value]))
        if value == "finish_s":
            lines.setdefault("lower bound", []).append((at, row["bound_s"]))
    if "lower bound" in lines:
        lines["lower bound"] = list(set(lines["lower bound"]))
    return lines


def panels_of(rows, column, what):
    x_axis = (Linear, NAMES[column], "{:g}".format)
    is_cast = rows[0]["pattern"] in ("bcast", "multicast")
    return [Chart(f"completion time{what}", lines_of(rows, column, "finish_s"),
                  x_axis),
            Chart(f"times lower bound{what}", lines_of(rows, column, "ratio"),
                  x_axis, y_axis=Axis if is_cast else Fine)]


def tick(value):
    """Of both kinds of panels: small numbers of seconds have decimals, too."""
    return f"{value:.4g}"


def facts(rows):
    first = rows[0]
    text = (f"machine {first['machine']}, seed {first['seed']}, mean of "
            f"{first['runs']} run{'' if first['runs'] == 1 else 's'}; seconds")
    if first["bytes"]:
        text += f"; messages of {first['bytes']:g} bytes"
    return text


def draw(figure, files):
    title, column = FIGURES[figure]
    panels = []
    for rows in files:
        counts = distinct(rows, "processes")
        what = f", P = {counts[0]}" if len(counts) == 1 else ""
        panels += panels_of(rows, column, what)
    names = dict.fromkeys(n for p in panels for n in p.lines)
    others = iter(OTHERS * len(names))
    colour = {name: COLOURS.get(name) or next(others) for name in names}
    return charts(title, facts(files[0]), panels, colour, tick, tick)


def main():
    parser = argparse.ArgumentParser(
        description="Draw a figure of BHAT-HET, BHAT-EXC or BHAT-COL, as SVG.",
        epilog="Exit status: 0, 1 if a CSV file cannot be used or the "
        "picture not written, 2 for wrong options.")
    parser.add_argument("csv", nargs="+", help="files of hesca sim --csv")
    parser.add_argument("--figure", required=True, choices=list(FIGURES))
    parser.add_argument("-o", "--output", default="-", metavar="SVG",
                        help="picture to write (default: stdout)")
    args = parser.parse_args()
    try:
        files = [read(path, SCHEMA) for path in args.csv]
        write(draw(args.figure, files), args.output)
    except OSError as error:
        sys.exit(f"het.py: {error.filename or 'stdout'}: {error.strerror}")
    except Unusable as error:
        sys.exit(f"het.py: {error}")


if __name__ == "__main__":
    main()

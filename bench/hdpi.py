#!/usr/bin/env python3
"""Draw the figures of the HMPI thesis, chapter 4, from what model_hdpi and
time_hdpi have written as CSV; hdpi.sh makes both, the files and the pictures.

Usage: hdpi.py --figure 4.41 mm.csv lu.csv -o 4.41.svg

Exit status: 0, 1 if a CSV file cannot be used or the picture not written, 2 for
wrong options.
"""

import argparse
import sys

from svg import Axis, Chart, Fine, Linear, charts, readable, short_time, write
from timings import COUNT, MAYBE, POSITIVE, TEXT, Unusable, distinct, read

SPEEDUP = {
    **dict.fromkeys(("kernel", "distribution", "fails_on"), TEXT),
    **dict.fromkeys(("order", "reference"), POSITIVE),
    **dict.fromkeys(("functional_s", "single_s", "speedup",
                     "bounded_functional_s", "bounded_single_s",
                     "bounded_speedup"), MAYBE),
}
COST = {
    **dict.fromkeys(("network", "limits", "method"), TEXT),
    **dict.fromkeys(("processors", "knots", "rounds"), COUNT),
    **dict.fromkeys(("elements", "steps", "seconds"), POSITIVE),
}
LOAD = {
    "source": TEXT, **dict.fromkeys(("past", "window", "moments"), COUNT),
    **dict.fromkeys(("hit_ratio", "area", "mean_width", "last_width"), MAYBE),
}
REAL = {
    **dict.fromkeys(("kernel", "shares", "right"), TEXT),
    **dict.fromkeys(("order", "processes", "points"), COUNT),
    **dict.fromkeys(("predicted_s", "compute_s", "total_s"), POSITIVE),
}
CURVES = {**dict.fromkeys(("host", "kernel", "curve"), TEXT),
          "order": POSITIVE, "speed": MAYBE}

COLOURS = ("#1565c0", "#c62828", "#2e7d32", "#ef8a17", "#7b1fa2", "#00838f",
           "#8d6708", "#52606d", "#e91e63", "#9e9d24", "#5d4037", "#111111")
NAMES = {"dgemm": "matrix multiplication", "dgetrf": "LU factorization",
         "mm": "C = A Bᵀ", "lu": "LU"}


def thousands(value):
    return f"{value / 1000:g}"


ORDERS = (Linear, "order of the matrix, thousands", thousands)


def kernel_name(row):
    name = NAMES.get(row["kernel"], row["kernel"])
    return name + {"group": ", Variable Group Block",
                   "striped": ", striped",
                   "backwards": ", dealt from the right"}.get(row.get("distribution"), "")


def lines_of(rows, name, column, x):
    lines = {}
    for row in rows:
        if row[column] is not None:
            lines.setdefault(name(row), []).append((row[x], row[column]))
    return lines


def speedups(files, columns):
    """Speedup over the order, a panel for each file."""
    panels = []
    for rows in files:
        lines = {}
        for column, what in columns:
            lines.update(lines_of(
                rows, lambda row: f"{what}single numbers of "
                f"{row['reference']:g}", column, "order"))
        panels.append(Chart(kernel_name(rows[0]), lines,
                            ORDERS, y_axis=Fine))
    return panels


def costs(files):
    x_axis = (Axis, "processors", "{:g}".format)
    return [Chart(f"{elements:g} elements", lines_of(
                [row for row in rows if row["elements"] == elements],
                lambda row: row["method"], "seconds", "processors"), x_axis)
            for rows in files for elements in distinct(rows, "elements")
            if len({r["processors"] for r in rows
                    if r["elements"] == elements}) > 1]


def loads(files):
    x_axis = (Linear, "loads of the past, minutes", "{:g}".format)
    panels = []
    for rows in files:
        for column, title in (("hit_ratio", "loads to come within the band"),
                              ("mean_width", "mean width of the band")):
            panels.append(Chart(
                f"{title}, {rows[0]['source'].rpartition('/')[2]}", lines_of(
                    rows, lambda row: f"window {row['window']}", column,
                    "past"), x_axis, y_axis=Fine))
    return panels


def curves(files):
    for row in (row for rows in files for row in rows):
        row["speed"] = row["speed"] and 1e-6 * row["speed"]
    return [Chart(f"{kernel} on {host}, MFlops", lines_of(
                [r for r in rows if (r["host"], r["kernel"]) ==
                 (host, kernel)], lambda row: row["curve"], "speed", "order"),
                  ORDERS, y_axis=Fine)
            for rows in files
            for host, kernel in dict.fromkeys((r["host"], r["kernel"])
                                              for r in rows)]


def reals(files):
    panels = []
    for rows in files:
        for column, title in (("total_s", "total time"),
                              ("compute_s", "computing, and as predicted")):
            lines = lines_of(rows, lambda row: row["shares"], column, "order")
            if column == "compute_s":
                lines.update(lines_of(
                    rows, lambda row: f"{row['shares']}, predicted",
                    "predicted_s", "order"))
            panels.append(Chart(f"{kernel_name(rows[0])}: {title}", lines,
                                ORDERS))
    return panels


SINGLE = (("speedup", ""),)
LIMITS = (("bounded_speedup", "with limits, "),
          ("speedup", "without limits, "))
# Figure: title, facts, what rows are, how panels are made, seconds or not.
FIGURES = {
    "4.13": ("HMPI thesis, Figure 4.13: models that GBBP builds",
             "curves of hmpi-2.machine; marks are what is measured", CURVES,
             curves, False),
    "4.14": ("HMPI thesis, Figure 4.14: load functions",
             "at moments half an hour apart", LOAD, loads, False),
    "4.40": ("HMPI thesis, Figure 4.40: cost of partitioning",
             "models of 5 knots", COST, costs, True),
    "4.41": ("HMPI thesis, Figure 4.41: functional over single-number models",
             "12 processors, hmpi-12.machine; times by the model", SPEEDUP,
             lambda files: speedups(files, SINGLE), False),
    "4.47": ("HMPI thesis, Figure 4.47: with memory bounds",
             "11 processors, hmpi-11.machine; times by the model", SPEEDUP,
             lambda files: speedups(files, LIMITS), False),
    "real": ("Shares from speed functions, on real processes",
             "medians; predictions are of computing alone", REAL, reals, True),
}


def plain(value):
    return f"{value:.4g}"


def draw(figure, files):
    title, facts, _, panels_of, is_time = FIGURES[figure]
    panels = [p for p in panels_of(files) if p.lines]
    if not panels:
        raise Unusable("there is nothing to draw")
    names = dict.fromkeys(n for p in panels for n in p.lines)
    colour = {name: COLOURS[k % len(COLOURS)] for k, name in enumerate(names)}
    if is_time:
        return charts(title, facts, panels, colour, short_time, readable)
    return charts(title, facts, panels, colour, plain, plain)


def main():
    parser = argparse.ArgumentParser(
        description="Draw a figure of the HMPI thesis, chapter 4, as SVG.",
        epilog="Exit status: 0, 1 if a CSV file cannot be used or the "
        "picture not written, 2 for wrong options.")
    parser.add_argument("csv", nargs="+", help="files of model_hdpi --csv, or "
                        "time_hdpi --csv (real)")
    parser.add_argument("--figure", required=True, choices=list(FIGURES))
    parser.add_argument("-o", "--output", default="-", metavar="SVG",
                        help="picture to write (default: stdout)")
    args = parser.parse_args()
    try:
        files = [read(path, FIGURES[args.figure][2]) for path in args.csv]
        write(draw(args.figure, files), args.output)
    except OSError as error:
        sys.exit(f"hdpi.py: {error.filename or 'stdout'}: {error.strerror}")
    except Unusable as error:
        sys.exit(f"hdpi.py: {error}")


if __name__ == "__main__":
    main()

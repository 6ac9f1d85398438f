#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draw the figures of the HMPI thesis, chapter 4, from what model_hdpi and
time_hdpi have written as CSV; hdpi.sh makes both, the files and the pictures.

Usage: hdpi.py --figure 4.41 mm.csv lu.csv -o 4.41.svg
"""

from svg import (Axis, Chart, Fine, Linear, charts, colours, readable,
                 short_time, write)
from timings import (attempt, distinct, files, lines_of, of, one_of, output,
                     parse, read, schema)

SPEEDUP = schema(text="kernel distribution fails_on",
                 positive="order reference", maybe="functional_s single_s "
                 "speedup bounded_functional_s bounded_single_s "
                 "bounded_speedup")
COST = schema(text="network limits method", count="processors knots rounds",
              positive="elements steps seconds")
LOAD = schema(text="source", count="past window moments",
              maybe="hit_ratio area mean_width last_width")
REAL = schema(text="kernel shares right", count="order processes points",
              positive="predicted_s compute_s total_s")
CURVES = schema(text="host kernel curve", positive="order", maybe="speed")

COLOURS = ("#1565c0", "#c62828", "#2e7d32", "#ef8a17", "#7b1fa2", "#00838f",
           "#8d6708", "#52606d", "#e91e63", "#9e9d24", "#5d4037", "#111111")
NAMES = {"dgemm": "matrix multiplication", "dgetrf": "LU factorization",
         "mm": "C = A Bᵀ", "lu": "LU"}


ORDERS = (Linear, "order of the matrix, thousands",
          lambda value: f"{value / 1000:g}")


def kernel_name(row):
    name = NAMES.get(row["kernel"], row["kernel"])
    return name + {"group": ", Variable Group Block",
                   "striped": ", striped",
                   "backwards": ", assigned from the right"}.get(row.get("distribution"), "")


def speedups(files, columns):
    """Speedup over the order, a panel for each file."""
    for rows in files:
        lines = {}
        for column, what in columns:
            lines.update(lines_of(rows, lambda row: f"{what}single numbers of "
                                  f"{row['reference']:g}", "order", column))
        yield Chart(kernel_name(rows[0]), lines, ORDERS, y_axis=Fine)


def costs(files):
    for rows in files:
        for elements in distinct(rows, "elements"):
            same = of(rows, elements=elements)
            if len(distinct(same, "processors")) > 1:
                yield Chart(f"{elements:g} elements", lines_of(
                    same, "method", "processors", "seconds"),
                    (Axis, "processors", "{:g}".format))


def loads(files):
    for rows in files:
        for column, title in (("hit_ratio", "loads to come within the band"),
                              ("mean_width", "mean width of the band")):
            yield Chart(f"{title}, {rows[0]['source'].rpartition('/')[2]}",
                        lines_of(rows, lambda row: f"window {row['window']}",
                                 "past", column),
                        (Linear, "loads of the past, minutes", "{:g}".format),
                        y_axis=Fine)


def curves(files):
    for row in (row for rows in files for row in rows):
        row["speed"] = row["speed"] and 1e-6 * row["speed"]
    for rows in files:
        for host, kernel in dict.fromkeys((r["host"], r["kernel"])
                                          for r in rows):
            yield Chart(f"{kernel} on {host}, MFlops", lines_of(
                of(rows, host=host, kernel=kernel), "curve", "order", "speed"),
                ORDERS, y_axis=Fine)


def reals(files):
    for rows in files:
        name = kernel_name(rows[0])
        yield Chart(f"{name}: total time",
                    lines_of(rows, "shares", "order", "total_s"), ORDERS)
        lines = lines_of(rows, "shares", "order", "compute_s")
        lines.update(lines_of(rows, lambda row: f"{row['shares']}, predicted",
                              "order", "predicted_s"))
        yield Chart(f"{name}: computing, and as predicted", lines, ORDERS)


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


def draw(figure, tables):
    title, facts, _, panels_of, is_time = FIGURES[figure]
    panels = [p for p in panels_of(tables) if p.lines]
    plain = "{:.4g}".format
    return charts(title, facts, panels, colours(panels, others=COLOURS),
                  *((short_time, readable) if is_time else (plain, plain)))


def main():
    args = parse("Draw a figure of the HMPI thesis, chapter 4, as SVG.",
                 files("files of model_hdpi --csv, or time_hdpi --csv (real)"),
                 one_of("--figure", FIGURES), output())
    attempt(lambda: write(draw(args.figure, [
        read(path, FIGURES[args.figure][2]) for path in args.csv]),
        args.output))


if __name__ == "__main__":
    main()

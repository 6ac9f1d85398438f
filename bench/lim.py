#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draw the figures of LIM's section 5 from what time_lim and model_lim have
written as CSV; lim.sh makes both, the files and the pictures.

Usage: lim.py --figure 14 time.csv -o 14.svg
       lim.py --figure 20 model.csv -o 20.svg

A figure has one panel for each file, or for each quantity that it shows.
Times are on a logarithmic axis.
"""

from svg import (Axis, Chart, Doubling, Linear, charts, colours, short_count,
                 size_text, write)
from timings import (TITLE, attempt, distinct, files, lines_of, one_of, output,
                     parse, read, schema)

TIMES = {"t_max_s": "maximum", "t_avg_s": "average", "t_med_s": "median",
         "t_min_s": "minimum"}
MEASURED = schema({"array": ("column|row", "column or row"),
                   "right": ("yes|no|-", "yes, no or -")},
                  count="k processes x esize n1 n2 nodes cores",
                  positive=" ".join(["bytes elements", *TIMES]),
                  maybe="steps plan_s predicted_s",
                  text="schedule chosen transport mpi hesca")
MODEL = schema({"how": ("predicted|simulated", "predicted or simulated")},
               count="processes k esize",
               positive="startup_s byte_s elements bytes seconds",
               text="machine schedule", maybe="steps")

# Colours of schedules; hybrids share theirs out by degree.
COLOURS = {
    "direct": "#c62828", "direct-async": "#ef8a17", "indirect": "#1565c0",
    "multiphase": "#8d6708", "two-phase": "#c9a227", "bruck": "#00838f",
    "alltoall": "#7b1fa2", "mpi-alltoall": "#ce93d8", "auto": "#111111",
    "scalapack": "#52606d", "pack": "#9aa5b1", "none": "#cbd2d9",
}
HYBRIDS = ("#2e7d32", "#7cb342", "#00695c", "#9e9d24")
OTHERS = ("#5d4037", "#e91e63", "#455a64")

# Figure: its title, where its points stand, and what its panels show.
K, P, N = "k", "processes", "elements"
FIGURES = {
    "14": ("Redistribution times, all four statistics", K, list(TIMES)),
    "15": ("Direct, hybrid, multiphase and indirect", K, ["t_min_s"]),
    "16": ("A smaller array, and what is not communication", K,
           ["t_min_s", "local"]),
    "17": ("Asynchronous direct and hybrid, synchronous indirect", K,
           ["t_min_s"]),
    "18": ("Against a collective exchange of everything", K, ["t_min_s"]),
    "19": ("Array size fixed, processes varied, K = P", P, ["t_min_s"]),
    "20": ("Predicted times as machines advance", N, ["seconds"]),
    "sim": ("Simulated times on many processes, K = P", P, ["seconds"]),
}
AXES = {K: (Linear, "K", "{:g}".format), P: (Doubling, "processes",
                                              "{:g}".format),
        N: (Axis, "elements", short_count)}


def value_of(row, column):
    """Local work is planning, but of `pack` it is all that it does; `pack` and
    `none` deliver nothing that compares with the times of the others."""
    if column == "local":
        column = "t_min_s" if row["schedule"] == "pack" else "plan_s"
    elif column in TIMES and row["schedule"] in ("pack", "none"):
        return None
    return row[column] or None


def panel(figure, title, rows, column):
    x = FIGURES[figure][1]
    wrong = any(row.get("right") == "no" for row in rows)
    return Chart(title, lines_of(rows, "schedule", x,
                                 lambda row: value_of(row, column)), AXES[x],
                 warning="results are not right" if wrong else None)


def ratio_text(base, row):
    """T_d / tau_d against that of the first panel."""
    first = base["startup_s"] / base["byte_s"]
    factor = row["startup_s"] / row["byte_s"] / first
    return "R" if round(factor, 3) == 1 else f"{factor:g} R"


def model_panels(rows):
    found = {}
    for row in rows:
        found.setdefault((row["startup_s"], row["byte_s"]), []).append(row)
    base = rows[0]
    return [panel("20", f"T_d = {1e6 * startup:g} µs, τ_d = {1e9 * byte:g} ns "
                  f"per byte, {ratio_text(base, members[0])}", members,
                  "seconds")
            for (startup, byte), members in found.items()]


def sizes(rows):
    """The array, whose size varies a little with K."""
    largest = max(row["bytes"] for row in rows)
    counts = distinct(rows, "processes")
    array = f"array of {size_text(largest)}"
    if len(counts) > 1:
        per_process = {row["bytes"] / row["processes"] for row in rows}
        if len(per_process) == 1:
            array = f"{size_text(per_process.pop())} for each process"
        return array
    return f"{array}, {counts[0]} processes"


def titles(figure, rows, column):
    if column == "local":
        return "making a plan; packing and unpacking (pack)"
    if figure == "14":
        return f"{TIMES[column]} of tavg"
    return sizes(rows)


def panels_of(figure, tables):
    if figure == "20":
        return [p for rows in tables for p in model_panels(rows)]
    return [panel(figure, titles(figure, rows, column), rows, column)
            for rows in tables for column in FIGURES[figure][2]]


def facts(rows):
    """Where it was measured, or on what machine it is thought of."""
    first = rows[0]
    if "machine" in first:
        return (f"{', '.join(distinct(rows, 'how'))} for machine "
                f"{', '.join(distinct(rows, 'machine'))}, at first T_d = "
                f"{1e6 * first['startup_s']:g} µs and τ_d = "
                f"{1e9 * first['byte_s']:g} ns per byte; elements of "
                f"{first['esize']} bytes")
    return (f"{first['nodes']} node{'' if first['nodes'] == 1 else 's'}, "
            f"{first['cores']} cores per node.  HESCA {first['hesca']}, "
            f"transport {first['transport']}, {first['mpi']}; elements of "
            f"{first['esize']} bytes, x = {first['x']}")


def draw(figure, tables, title):
    panels = [p for p in panels_of(figure, tables) if p.lines]
    hybrids = [n for n in dict.fromkeys(n for p in panels for n in p.lines)
               if n.startswith("hybrid")]
    known = {name: HYBRIDS[k % len(HYBRIDS)]
             for k, name in enumerate(hybrids)}
    return charts(title, facts(tables[0]), panels,
                  colours(panels, {**COLOURS, **known}, OTHERS))


def main():
    args = parse("Draw a figure of LIM's section 5, as SVG.",
                 files("files written by time_lim --csv, or model_lim --csv "
                       "(20, sim)"), one_of("--figure", FIGURES), output(),
                 TITLE)
    headline, _, shown = FIGURES[args.figure]
    prefix = "" if args.figure == "sim" else f"LIM Figure {args.figure}: "
    attempt(lambda: write(draw(
        args.figure, [read(path, MODEL if shown == ["seconds"] else MEASURED)
                      for path in args.csv], args.title or prefix + headline),
        args.output))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Draw the figures of LIM's section 5 from what time_lim and model_lim have
written as CSV; lim.sh makes both, the files and the pictures.

Usage: lim.py --figure 14 time.csv -o 14.svg
       lim.py --figure 20 model.csv -o 20.svg

A figure has one panel for each file, or for each quantity that it shows.
Times are on a logarithmic axis.

Exit status: 0, 1 if a CSV file cannot be used or the picture not written, 2 for
wrong options.
"""

import argparse
import sys

from svg import (Axis, Chart, Doubling, Linear, charts, short_count, size_text,
                 write)
from timings import COUNT, MAYBE, POSITIVE, TEXT, Unusable, distinct, read

TIMES = {"t_max_s": "maximum", "t_avg_s": "average", "t_med_s": "median",
         "t_min_s": "minimum"}
MEASURED = {
    **dict.fromkeys(("k", "processes", "x", "esize", "n1", "n2", "nodes",
                     "cores"), COUNT),
    **dict.fromkeys(("bytes", "elements", *TIMES), POSITIVE),
    **dict.fromkeys(("steps", "plan_s", "predicted_s"), MAYBE),
    **dict.fromkeys(("schedule", "chosen", "transport", "mpi", "hesca"), TEXT),
    "array": ("column|row", "column or row"),
    "right": ("yes|no|-", "yes, no or -"),
}
MODEL = {
    **dict.fromkeys(("processes", "k", "esize"), COUNT),
    **dict.fromkeys(("startup_s", "byte_s", "elements", "bytes", "seconds"),
                    POSITIVE),
    **dict.fromkeys(("machine", "schedule"), TEXT),
    "steps": MAYBE,
    "how": ("predicted|simulated", "predicted or simulated"),
}

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


class Panel:
    """Some rows, and the column that is drawn of each schedule."""

    def __init__(self, title, rows, column):
        self.title, self.rows, self.column = title, rows, column
        self.lines = {}
        for name in distinct(rows, "schedule"):
            values = [(row, self.value(row)) for row in rows
                      if row["schedule"] == name]
            values = [(row, value) for row, value in values if value]
            if values:
                self.lines[name] = values

    def value(self, row):
        """Local work is planning, but of `pack` it is all that it does."""
        if self.column != "local":
            # `pack` and `none` deliver nothing that compares with the others.
            helper = row["schedule"] in ("pack", "none")
            return None if helper and self.column in TIMES else row[self.column]
        return row["t_min_s"] if row["schedule"] == "pack" else row["plan_s"]


def ratio_text(base, row):
    """T_d / tau_d against that of the first panel."""
    first = base["startup_s"] / base["byte_s"]
    factor = row["startup_s"] / row["byte_s"] / first
    return "R" if round(factor, 3) == 1 else f"{factor:g} R"


def model_panels(rows, column):
    found = {}
    for row in rows:
        found.setdefault((row["startup_s"], row["byte_s"]), []).append(row)
    base = rows[0]
    return [Panel(f"T_d = {1e6 * startup:g} µs, τ_d = {1e9 * byte:g} ns per "
                  f"byte, {ratio_text(base, members[0])}", members, column)
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


def panels_of(figure, files):
    _, _, columns = FIGURES[figure]
    if figure == "20":
        return [p for rows in files for p in model_panels(rows, columns[0])]
    return [Panel(titles(figure, rows, column), rows, column)
            for rows in files for column in columns]


def colours(names):
    hybrids = [n for n in names if n.startswith("hybrid")]
    found, others = {}, iter(OTHERS * len(names))
    for name in names:
        if name in hybrids:
            found[name] = HYBRIDS[hybrids.index(name) % len(HYBRIDS)]
        else:
            found[name] = COLOURS.get(name) or next(others)
    return found


def chart(panel, x_column):
    lines = {name: [(row[x_column], value) for row, value in values]
             for name, values in panel.lines.items()}
    wrong = any(row.get("right") == "no" for row in panel.rows)
    return Chart(panel.title, lines, AXES[x_column],
                 warning="results are not right" if wrong else None)


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


def draw(figure, files, title):
    _, x_column, _ = FIGURES[figure]
    panels = [p for p in panels_of(figure, files) if p.lines]
    if not panels:
        raise Unusable("nothing was measured, there are no times")
    names = list(dict.fromkeys(n for p in panels for n in p.lines))
    return charts(title, facts(files[0]),
                  [chart(panel, x_column) for panel in panels], colours(names))


def main():
    parser = argparse.ArgumentParser(
        description="Draw a figure of LIM's section 5, as SVG.",
        epilog="Exit status: 0, 1 if a CSV file cannot be used or the "
        "picture not written, 2 for wrong options.")
    parser.add_argument("csv", nargs="+", help="files written by time_lim "
                        "--csv, or model_lim --csv (20, sim)")
    parser.add_argument("--figure", required=True, choices=list(FIGURES))
    parser.add_argument("-o", "--output", default="-", metavar="SVG",
                        help="picture to write (default: stdout)")
    parser.add_argument("--title", help="headline of the picture")
    args = parser.parse_args()
    schema = MODEL if FIGURES[args.figure][2] == ["seconds"] else MEASURED
    prefix = "" if args.figure == "sim" else f"LIM Figure {args.figure}: "
    title = args.title or prefix + FIGURES[args.figure][0]
    try:
        files = [read(path, schema) for path in args.csv]
        write(draw(args.figure, files, title), args.output)
    except OSError as error:
        sys.exit(f"lim.py: {error.filename or 'stdout'}: {error.strerror}")
    except Unusable as error:
        sys.exit(f"lim.py: {error}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tables and pictures of what time_gemm, time_gesv and time_potrf have written
as CSV; heho.sh makes both.

Usage: heho.py heho cluster.csv homogeneous.csv -o heho.svg
       heho.py blocks blocks.csv -o blocks.svg
"""

from svg import Axis, Chart, Fine, Linear, charts, colours, readable, write
from timings import (Unusable, attempt, distinct, files, of, one_of, output,
                     parse, read, schema)

COLUMNS = schema(text="routine way right",
                 count="n nb nprow npcol processes hosts",
                 positive="seconds bound_s ideal_s", maybe="predicted_s")
COLOURS = {"measured": "#1565c0", "predicted": "#ef8a17",
           "ideal": "#2e7d32", "unplaced": "#7b1fa2",
           "homogeneous": "#52606d", "HoHe": "#c62828",
           "other grid": "#00838f"}
BLOCK_COLOURS = ("#1565c0", "#c62828", "#2e7d32", "#ef8a17", "#7b1fa2",
                 "#00838f")
# Longest over shortest time of all block sizes, for each order (HMPI thesis,
# Tables 3.4 and 3.5).
THESIS = {"pdgemm": {1080: 1.16, 2160: 1.10, 3240: 1.04, 4320: 1.05,
                     5400: 1.12},
          "pdgesv": {1080: 1.13, 2160: 1.17, 3240: 1.37, 4320: 1.24,
                     5400: 1.30}}
NAME, WRITE = "order of the matrix", "{:g}".format


def only(rows, **wanted):
    """The one row; None if there is none."""
    found = of(rows, **wanted)
    return found[0] if found else None


def number(value):
    return f"{value:.3g}"


# ----- more processes on faster hosts ----------------------------------------

def ratio(above, below, column="seconds"):
    """None if one of them is not known."""
    if not above or not below or not above[column] or not below[column]:
        return None
    return above[column] / below[column]


def speedups(rows, level, routine, n):
    """Over plain ScaLAPACK on the same hosts, by name."""
    plain, heho, unplaced, hohe, grid = (
        only(rows, routine=routine, n=n, way=way)
        for way in ("plain", "heho", "unplaced", "hohe", "grid"))
    even = only(level, routine=routine, n=n, way="plain")
    if plain is None or heho is None:
        raise Unusable(f"{routine}, n = {n}: not both plain and heho")
    return {"measured": ratio(plain, heho),
            "predicted": ratio(plain, heho, "predicted_s"),
            "ideal": heho["bound_s"] / heho["ideal_s"],
            "unplaced": ratio(plain, unplaced),
            "homogeneous": ratio(plain, even),
            "HoHe": ratio(plain, hohe),
            "other grid": ratio(plain, grid)}


def tell_speedups(rows, routine, found):
    print(f"\n{routine}: speedup over plain ScaLAPACK on the same hosts")
    print(f"{'n':>7} {'grid':>6} {'plain s':>9} {'HeHo s':>9} "
          + " ".join(f"{name:>11}" for name in COLOURS))
    for n, values in found.items():
        plain, heho = (only(rows, routine=routine, n=n, way=way)
                       for way in ("plain", "heho"))
        grid = f"{heho['nprow']}x{heho['npcol']}"
        print(f"{n:7d} {grid:>6} {plain['seconds']:9.3f} "
              f"{heho['seconds']:9.3f} "
              + " ".join(f"{number(values[name] or 0):>11}"
                         for name in COLOURS))


def draw_speedups(files):
    rows, level = files[0], files[1] if len(files) > 1 else []
    panels = []
    for routine in distinct(rows, "routine"):
        found = {n: speedups(rows, level, routine, n)
                 for n in distinct(of(rows, routine=routine), "n")}
        tell_speedups(rows, routine, found)
        lines = {name: [(n, values[name]) for n, values in found.items()
                        if values[name]] for name in COLOURS}
        panels.append(Chart(routine, lines, (Linear, NAME, WRITE),
                            y_axis=Fine))
    facts = (f"{rows[0]['hosts']} hosts, {rows[0]['processes']} processes; "
             "medians; measured, predicted: HeHo; homogeneous: plain, on hosts "
             "of equal speed")
    return charts("Speedup over plain ScaLAPACK (HMPI thesis, Figure 3.8)",
                  facts, panels, COLOURS, number, number)


# ----- block sizes -----------------------------------------------------------

def tell_blocks(rows, routine):
    mine = of(rows, routine=routine)
    sizes = distinct(mine, "nb")
    print(f"\n{routine}: seconds by block size")
    print(f"{'n':>7} " + " ".join(f"{nb:8d}" for nb in sizes) + "  max/min")
    for n in distinct(mine, "n"):
        times = [only(mine, n=n, nb=nb)["seconds"] for nb in sizes]
        print(f"{n:7d} " + " ".join(f"{t:8.3f}" for t in times)
              + f" {max(times) / min(times):8.2f}")
    print("max/min in the thesis: " + ", ".join(
        f"{n}: {r:.2f}" for n, r in THESIS.get(routine, {}).items()))


def draw_blocks(files):
    rows = files[0]
    names = {nb: f"blocks of {nb}" for nb in distinct(rows, "nb")}
    panels = []
    for routine in distinct(rows, "routine"):
        tell_blocks(rows, routine)
        lines = {names[nb]: [(row["n"], row["seconds"]) for row in
                             of(rows, routine=routine, nb=nb)]
                 for nb in names}
        panels.append(Chart(routine, lines, (Axis, NAME, WRITE)))
    return charts("Block sizes (HMPI thesis, Tables 3.4 and 3.5)",
                  f"{rows[0]['nprow']} x {rows[0]['npcol']} processes, one for "
                  "each processor; medians", panels,
                  colours(panels, others=BLOCK_COLOURS), note=readable)


DRAW = {"heho": draw_speedups, "blocks": draw_blocks}


def main():
    args = parse("Print and draw what time_gemm, time_gesv and time_potrf have "
                 "measured.", one_of("what", DRAW),
                 files("files that they have written"),
                 output(required=True))
    attempt(lambda: write(DRAW[args.what](
        [read(path, COLUMNS) for path in args.csv]), args.output))


if __name__ == "__main__":
    main()

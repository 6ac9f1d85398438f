#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tables and pictures of what time_gemm, time_gesv and time_potrf have written
as CSV; heho.sh makes both.

Usage: heho.py heho cluster.csv homogeneous.csv -o heho.svg
       heho.py blocks blocks.csv -o blocks.svg
       heho.py where time.csv -o where.svg

where: what each process does all the time, a bar for each process and case;
the bound as a line.  Of any file of theirs.
"""

from svg import (FAINT, GRID, MARGIN, WIDTH, Axis, Chart, Fine, Linear,
                 charts, colours, headline, legend, line, picture, readable,
                 rectangle, short_time, text, write)
from timings import (NUMBER, Unusable, attempt, distinct, files, of, one_of,
                     output, parse, read, schema)

# What a process does, in the order of a bar.
ACTIVITIES = {"panel": "#ef8a17", "update": "#1565c0", "copies": "#7b1fa2",
              "waiting": "#c62828", "rest": "#9aa5b1"}
BY_PLACE = f"({NUMBER})([ /]{NUMBER})*", "numbers by process"
COLUMNS = schema({f"{name}_s": BY_PLACE for name in ACTIVITIES},
                 text="routine way right map",
                 count="n nb nprow npcol processes hosts",
                 positive="seconds bound_s homogeneous_s ideal_s",
                 maybe="predicted_s")
COLOURS = {"measured": "#1565c0", "predicted": "#ef8a17",
           "ideal": "#2e7d32", "unplaced": "#7b1fa2",
           "homogeneous": "#52606d", "HoHe": "#c62828",
           "other grid": "#00838f"}
BLOCK_COLOURS = ("#1565c0", "#c62828", "#2e7d32", "#ef8a17", "#7b1fa2",
                 "#00838f")
BOUND = "#1f2933"
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
            "ideal": heho["homogeneous_s"] / heho["ideal_s"],
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


# ----- where the time goes ---------------------------------------------------

LABEL, BAR, STEP, HEAD = 150, 14, 18, 26


def by_process(row):
    """(process, seconds of each activity) for each place of the grid."""
    columns = [row[name].replace("/", " ").split() for name in
               ("map", *(f"{name}_s" for name in ACTIVITIES))]
    return [(process, [float(s) for s in seconds])
            for process, *seconds in zip(*columns)]


def draw_case(row, x, top):
    """The bars of a case; the parts, and where they end."""
    head = (f"{row['routine']}, n = {row['n']}, nb = {row['nb']}: {row['way']} "
            f"on {row['nprow']} × {row['npcol']}, {readable(row['seconds'])}, "
            f"bound / measured {row['bound_s'] / row['seconds']:.2f}")
    parts = [text(MARGIN, top + 16, 13, head, weight="bold")]
    y = top + HEAD
    for process, seconds in by_process(row):
        parts.append(text(x.at - 8, y + 11, 11.5, f"process {process}",
                          fill=FAINT, anchor="end"))
        at = 0
        for value, colour in zip(seconds, ACTIVITIES.values()):
            left, at = x.place(at), at + value
            parts.append(rectangle(left, y, x.place(at) - left, BAR, colour))
        y += STEP
    bound = x.place(row["bound_s"])
    return parts + [line(bound, top + HEAD - 4, bound, y, BOUND)], y + 6


def draw_where(files):
    """Cases of one order have one axis."""
    parts = headline("Where the time goes", "the run nearest to the median; "
                     "lines: bounds; bars of one order have one scale")
    entries, top = legend([*ACTIVITIES.items(), ("bound", BOUND)], 80)
    rows = [row for file in files for row in file]
    for n in distinct(rows, "n"):
        cases = of(rows, n=n)
        x = Fine([0, *(sum(seconds) for row in cases
                       for _, seconds in by_process(row))],
                 MARGIN + LABEL, WIDTH - MARGIN)
        first = top = top + 12
        bars = []
        for row in cases:
            more, top = draw_case(row, x, top)
            bars += more
        for value in x.ticks():
            at = x.place(value)
            parts += [line(at, first + HEAD - 4, at, top, GRID),
                      text(at, top + 14, 11.5,
                           short_time(value) if value else "0", fill=FAINT,
                           anchor="middle")]
        parts += bars
        top += 24
    return picture("Where the time goes", top + 8, parts + entries)


DRAW = {"heho": draw_speedups, "blocks": draw_blocks, "where": draw_where}


def main():
    args = parse("Print and draw what time_gemm, time_gesv and time_potrf have "
                 "measured.", one_of("what", DRAW),
                 files("files that they have written"),
                 output(required=True))
    attempt(lambda: write(DRAW[args.what](
        [read(path, COLUMNS) for path in args.csv]), args.output))


if __name__ == "__main__":
    main()

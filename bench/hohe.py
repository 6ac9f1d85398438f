#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print and draw what time_hohe and time_em3d have written as CSV for figures
and tables of the HMPI thesis, chapters 3.5 and 5.3, beside what the thesis
claims; hohe.sh makes both.

Usage: hohe.py fig5.12 DIR    reads DIR/fig5.12.csv, writes DIR/fig5.12.svg
       hohe.py all DIR        compares the figures that DIR has

A claim is shown if what was measured bears it out, within 10 % where it is a
number.
"""

import os

from svg import Axis, Chart, Fine, Linear, charts, write
from timings import (Unusable, attempt, distinct, of, one_of, parse, read,
                     schema)

COLUMNS = schema(text="routine way chosen speeds right map",
                 count="n r l nprow npcol processes runs",
                 positive="predicted_s bound_s ideal_s imbalance",
                 maybe="seconds choosing_s")
EM3D = schema(text="way right", count="processes halo iterations runs",
              positive="seconds predicted_s ideal_s")
MEASURED, PREDICTED, IDEAL, THESIS = ("measured", "predicted", "ideal",
                                      "thesis")
EQUAL, CUT = "equal shares", "cut by speeds"
COLOURS = {MEASURED: "#1565c0", PREDICTED: "#ef8a17", IDEAL: "#2e7d32",
           THESIS: "#7b1fa2", EQUAL: "#c62828", CUT: "#1565c0"}
TOLERANCE = 0.9
ORDERS = Linear, "order of the matrix", "{:g}".format

# Figure: its title and the speedup in the thesis, "almost" and "more
# than" left out.
GAINS = {"fig5.12": ("Figure 5.12: MM, net A", 18),
         "fig5.13": ("Figure 5.13: Cholesky, net A", 2),
         "fig5.15": ("Figure 5.15: MM, net B", 8),
         "fig5.16": ("Figure 5.16: Cholesky, net B", 1.5)}
# Seconds by arrangement, for each order; of equal shares; of the best one.
GRIDS = ("1x12", "2x6", "3x4", "4x3", "6x2", "12x1")
TABLES = {
    "table3.10": ("Tables 3.9 and 3.10: MM, net C, l = 48",
                  {1536: (86, 47, 35, 42, 48, 87),
                   3072: (347, 208, 164, 178, 197, 351)},
                  {1536: 248, 3072: 1252}, {1536: 35, 3072: 167}),
    "table3.12": ("Tables 3.11 and 3.12: MM, net C, l = 72",
                  {2304: (187, 106, 83, 80, 102, 193)},
                  {2304: 622}, {2304: 97})}
ESTIMATES = {
    "1x2": 7198, "1x3": 4798, "1x4": 3599, "1x6": 2052, "1x8": 1772,
    "1x9": 1772, "1x12": 1772, "2x1": 7198, "2x2": 3599, "2x3": 2043,
    "2x4": 1699, "2x6": 1699, "3x1": 4798, "3x2": 2068, "3x3": 1652,
    "3x4": 1651, "4x1": 3599, "4x2": 1678, "4x3": 1617, "6x1": 2052,
    "6x2": 1652, "8x1": 1772, "9x1": 1772, "12x1": 1772}


# ----- rows ------------------------------------------------------------------

def load(directory, name, columns=None):
    return read(os.path.join(directory, name + ".csv"), columns or COLUMNS)


def fastest(rows, what):
    if not rows:
        raise Unusable(f"there are no rows of {what}")
    return min(rows, key=lambda row: row["seconds"])


def shares(rows, n):
    """Of equal shares the faster way, and the cut."""
    same = of(rows, n=n)
    return (fastest([r for r in same if r["way"] != "cut"], EQUAL),
            fastest(of(same, way="cut"), CUT))


def ideal_gain(row):
    return row["bound_s"] / row["ideal_s"]


def grid(row):
    return f"{row['nprow']}x{row['npcol']}"


def number(value):
    return f"{value:.3g}"


# ----- claims ----------------------------------------------------------------

def say(is_shown, claim, measured):
    print(f"{'shown' if is_shown else 'not shown':<10} {claim}: {measured}")


def say_gain(claimed, measured):
    say(measured >= TOLERANCE * claimed,
        f"speedup about {claimed:g} or more", number(measured))


# ----- Figures 5.12 to 5.16 --------------------------------------------------

def tell_gains(rows):
    """Speedups by order: measured, predicted, ideal."""
    found = {}
    print(f"{'n':>6} {'equal s':>9} {'cut s':>9} {'ideal s':>9} "
          f"{'speedup':>8} {'predicted':>9} {'ideal':>6}")
    for n in distinct(rows, "n"):
        equal, cut = shares(rows, n)
        found[n] = (equal["seconds"] / cut["seconds"],
                    equal["predicted_s"] / cut["predicted_s"],
                    ideal_gain(cut))
        print(f"{n:6d} {equal['seconds']:9.3f} {cut['seconds']:9.3f} "
              f"{cut['ideal_s']:9.3f} {found[n][0]:8.2f} {found[n][1]:9.2f} "
              f"{found[n][2]:6.2f}")
    return found


def chart_of_pairs(pairs):
    """Seconds over the order, of (equal shares, cut) by order."""
    return Chart("seconds", {
        name: [(n, pair[k][column]) for n, pair in pairs.items()]
        for name, k, column in (
            (EQUAL, 0, "seconds"), (CUT, 1, "seconds"),
            (PREDICTED, 1, "predicted_s"), (IDEAL, 1, "ideal_s"))}, ORDERS)


def places(title, names, x_name, lines, y_axis):
    """A chart of values, one at each of the names."""
    return Chart(title, {line: list(enumerate(values))
                         for line, values in lines.items()},
                 (Linear, x_name, lambda at: names[round(at)]), y_axis=y_axis)


def panels_of_gains(rows, found, claimed):
    speedup = {name: [(n, found[n][k]) for n in found]
               for k, name in enumerate((MEASURED, PREDICTED, IDEAL))}
    speedup[THESIS] = [(n, claimed) for n in found]
    return [chart_of_pairs({n: shares(rows, n) for n in found}),
            Chart("speedup", speedup, ORDERS, y_axis=Fine)]


def tell_sizes(rows):
    """Figure 5.12 (c): time over l."""
    print(f"\n{'l':>4} {'seconds':>9} {'predicted':>9} {'imbalance':>9}")
    for row in rows:
        print(f"{row['l']:4d} {row['seconds']:9.3f} "
              f"{row['predicted_s']:9.3f} {row['imbalance']:9.3f}")
    best = fastest(rows, CUT)["seconds"]
    at96 = fastest(of(rows, l=96), "l = 96")["seconds"]
    small = max(row["seconds"] for row in rows if row["l"] <= 16)
    print()
    say(at96 <= 1.05 * best, "least time at l = 96 (within 5 %)",
        f"{at96 / best:.3f} of the least")
    say(at96 < small, "time falls as l grows to 96",
        f"l <= 16 takes up to {small / at96:.2f} times as long")
    lines = {MEASURED: [(row["l"], row["seconds"]) for row in rows],
             PREDICTED: [(row["l"], row["predicted_s"]) for row in rows]}
    return Chart(f"(c) seconds, n = {rows[0]['n']}", lines,
                 (Linear, "l", "{:g}".format), y_axis=Fine)


def tell_equal(rows):
    """The homogeneous program does not depend on l (thesis, 5.3)."""
    pairs = [(of(rows, n=n, way="cyclic"), of(rows, n=n, way="equal"))
             for n in distinct(rows, "n")]
    ratios = [b[0]["seconds"] / a[0]["seconds"] for a, b in pairs if a and b]
    if ratios:
        worst = max(ratios, key=lambda ratio: abs(ratio - 1))
        say(abs(worst - 1) <= 0.1, "equal shares: no matter what l is",
            f"{worst:.3f} of the time of l = 4")


def draw_gains(figure, directory):
    title, claimed = GAINS[figure]
    rows = load(directory, figure)
    found = tell_gains(rows)
    print()
    say_gain(claimed, list(found.values())[-1][0])
    panels = panels_of_gains(rows, found, claimed)
    if figure == "fig5.12":
        tell_equal(rows)
        panels.append(tell_sizes(load(directory, "fig5.12-c")))
    return title, rows, panels


# ----- Figure 5.14 -----------------------------------------------------------

def draw_em3d(figure, directory):
    rows = load(directory, figure, EM3D)
    ways = ("order", "mapped", "cut")
    order, mapped, cut = (fastest(of(rows, way=way), way) for way in ways)
    gain = order["seconds"] / mapped["seconds"]
    bound = order["predicted_s"] / mapped["predicted_s"]
    print()
    say(gain > 1, "faster where sub-bodies are where they fit (thesis: "
        "almost 1.7; its sizes are not known)", number(gain))
    say(gain >= TOLERANCE * bound, "as much as sizes and speeds allow",
        f"{number(gain)} of {number(bound)}")
    print(f"{'':10} split again by speeds: "
          f"{number(order['seconds'] / cut['seconds'])}")
    lines = {name: [row[column] for row in (order, mapped, cut)]
             for name, column in ((MEASURED, "seconds"),
                                  (PREDICTED, "predicted_s"),
                                  (IDEAL, "ideal_s"))}
    return ("Figure 5.14: EM3D, net B", rows,
            [places("seconds", ways, "way", lines, Fine)])


# ----- Figure 5.17 -----------------------------------------------------------

def draw_same_total(figure, directory):
    rows = load(directory, figure)
    ns = distinct(rows, "n")
    pairs = {n: shares(rows, n) for n in ns}
    print(f"{'n':>6} {'9 x 14 s':>9} {'cut s':>9} {'ideal s':>9} "
          f"{'ratio':>6} {'predicted':>9}")
    for n, (equal, cut) in pairs.items():
        print(f"{n:6d} {equal['seconds']:9.3f} {cut['seconds']:9.3f} "
              f"{cut['ideal_s']:9.3f} {cut['seconds'] / equal['seconds']:6.3f}"
              f" {cut['predicted_s'] / equal['predicted_s']:9.3f}")
    equal, cut = pairs[ns[-1]]
    ratio = cut["seconds"] / equal["seconds"]
    print()
    say(abs(ratio - 1) <= 0.15, "the same time (within 15 %)",
        f"{ratio:.3f} of it")
    return ("Figure 5.17: as fast in all, unequal and equal processors", rows,
            [chart_of_pairs(pairs)])


# ----- Tables 3.9 to 3.12 ----------------------------------------------------

def tell_arrangements(rows, n, thesis, equal, best):
    """Claims that one order bears out."""
    time = {grid(row): row["seconds"] for row in of(rows, n=n, way="cut",
                                                    chosen="no")}
    auto = of(rows, n=n, way="cut", chosen="yes")[0]
    cyclic = of(rows, n=n, way="cyclic")[0]
    least = min(time.values())
    print(f"\n{'n = ' + str(n):>10} " + " ".join(f"{g:>7}" for g in GRIDS)
          + f" {'auto':>7} {'equal':>7}")
    values = [time[g] for g in GRIDS] + [auto["seconds"], cyclic["seconds"]]
    print(f"{'seconds':>10} " + " ".join(f"{v:7.2f}" for v in values))
    values = [of(rows, n=n, way="cut", chosen="no", nprow=int(p),
                 npcol=int(q))[0]["predicted_s"]
              for p, q in (g.split("x") for g in GRIDS)]
    values += [auto["predicted_s"], cyclic["predicted_s"]]
    print(f"{'predicted':>10} " + " ".join(f"{v:7.2f}" for v in values))
    known = thesis.get(n)
    if known is not None:
        print(f"{'thesis':>10} " + " ".join(
            f"{v:7d}" for v in (*known, best[n], equal[n])))
    print(f"equal shares at best {cyclic['bound_s']:.2f} s, all processors "
          f"{cyclic['ideal_s']:.2f} s; auto is {grid(auto)}, found in "
          f"{auto['choosing_s'] or 0:.4f} s\n")
    near = min(time["3x4"], time["4x3"])
    line = min(time["1x12"], time["12x1"])
    say(near <= 1.03 * least, "3x4 or 4x3 is the best arrangement",
        f"{near / least:.3f} of the least time")
    say(line / near >= TOLERANCE * 1.8,
        "one row or column takes 1.8 to 2.5 times as long",
        f"{line / near:.2f} times")
    say(auto["seconds"] <= 1.1 * least,
        "auto chooses the best arrangement (within 10 %)",
        f"{grid(auto)}, {auto['seconds'] / least:.3f} of the least time")
    say_gain(equal[n] / best[n] if known is not None else 7.1,
             cyclic["seconds"] / auto["seconds"])
    print(f"{'':10} ideal: {number(ideal_gain(cyclic))}")


def draw_arrangements(figure, directory):
    title, thesis, equal, best = TABLES[figure]
    rows = load(directory, figure)
    panels = []
    for n in distinct(rows, "n"):
        tell_arrangements(rows, n, thesis, equal, best)
        cut = {grid(row): row for row in of(rows, n=n, way="cut",
                                            chosen="no")}
        lines = {MEASURED: [cut[g]["seconds"] for g in GRIDS],
                 PREDICTED: [cut[g]["predicted_s"] for g in GRIDS]}
        panels.append(places(f"seconds, n = {n}", GRIDS, "arrangement", lines,
                             Fine))
    return title, rows, panels


# ----- Table 3.13 ------------------------------------------------------------

def draw_estimates(figure, directory):
    rows = load(directory, figure)
    half = len(rows) // 2
    alone, linked = ({grid(row): row["predicted_s"] for row in part}
                     for part in (rows[:half], rows[half:]))
    print(f"{'grid':>5} {'thesis s':>9} {'estimate':>9} {'/thesis':>8} "
          f"{'100 Mbit/s':>10}")
    for name, seconds in ESTIMATES.items():
        print(f"{name:>5} {seconds:9d} {alone[name]:9.0f} "
              f"{alone[name] / seconds:8.3f} {linked[name]:10.0f}")
    worst = max(ESTIMATES, key=lambda g: abs(alone[g] / ESTIMATES[g] - 1))
    best = min(alone, key=alone.get)
    print()
    say(abs(alone[worst] / ESTIMATES[worst] - 1) < 0.05,
        "estimates are those of computing alone (within 5 %)",
        f"{worst} is {alone[worst] / ESTIMATES[worst]:.3f} of it")
    say(alone["4x3"] <= 1.01 * alone[best],
        "4x3 is the best (within 1 %)", f"{best} is")
    lines = {THESIS: list(ESTIMATES.values()),
             PREDICTED: [alone[g] for g in ESTIMATES]}
    return ("Table 3.13: estimates, messages left out", rows,
            [places("seconds", list(ESTIMATES), "arrangement", lines, Axis)])


# ----- all -------------------------------------------------------------------

def compare(directory):
    """What the thesis says of its figures together."""
    gain = {}
    for figure in GAINS:
        rows = load(directory, figure)
        equal, cut = shares(rows, distinct(rows, "n")[-1])
        gain[figure] = equal["seconds"] / cut["seconds"]
    say(gain["fig5.12"] > 2 * gain["fig5.13"] > 2
        and gain["fig5.15"] > gain["fig5.16"] > 1,
        "MM gains much more than Cholesky, which gains",
        ", ".join(f"{f} {number(g)}" for f, g in gain.items()))
    say(gain["fig5.12"] > gain["fig5.15"]
        and gain["fig5.13"] > gain["fig5.16"],
        "net A gains more than net B", "see above")


DRAW = {**dict.fromkeys(GAINS, draw_gains),
        **dict.fromkeys(TABLES, draw_arrangements),
        "fig5.14": draw_em3d, "fig5.17": draw_same_total,
        "table3.13": draw_estimates}
HOW = {"kernels": "speeds: kernels that wait",
       "measured": "speeds as measured", "paper": "on paper"}


def draw(figure, directory):
    title, rows, panels = DRAW[figure](figure, directory)
    facts = f"{rows[0]['processes']} processors; " + (
        f"blocks of {rows[0]['r']}, {HOW[rows[0]['speeds']]}"
        if "r" in rows[0] else HOW["kernels"])
    path = os.path.join(directory, figure + ".svg")
    write(charts(f"HMPI thesis, {title}", facts, panels, COLOURS, number,
                 number), path)
    print(f"\n{path}: picture")


def main():
    args = parse("Print and draw what time_hohe has measured.",
                 one_of("figure", [*DRAW, "all"]),
                 ("directory", {"metavar": "DIR"}))
    attempt(lambda: compare(args.directory) if args.figure == "all"
            else draw(args.figure, args.directory))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draw the times that time_gemr2d --csv has written, as an SVG picture.

Usage: plot.py time.csv -o time.svg
       plot.py --bandwidth sweep.csv -o bandwidth.svg

One group of bars per case: ScaLAPACK, HESCA, and memcpy, the floor; medians, on
a logarithmic axis.  What was not measured gets no bar.

--bandwidth: bytes of sub(A) against these bytes per second of the median time,
both logarithmic, with a line for each of the three and a panel for each number
of processes and each redistribution that was measured in many sizes, as by
time_gemr2d --sweep=size.  Those with half as many sizes or less are left out.
"""

import math

from svg import (FAINT, GRID, MARGIN, RULE, WIDTH, Axis, curve, frame,
                 headline, legend, line, picture, readable, rectangle,
                 short_time, size_text, text, warning, write)
from timings import (CASE_IF_ANY, FLOOR, HESCA, NAMES, REAL, TITLE, Unusable,
                     attempt, distinct, files, layout, output, parse, read)

SERIES = (  # column, colour, colour of its value
    (REAL, "#9aa5b1", "#52606d"),
    (HESCA, "#1565c0", "#0d47a1"),
    (FLOOR, "#e0b660", "#8d6708"),
)
# What is written for a case if it differs from case to case.
MODES = ("processes", "context", "schedule") + CASE_IF_ANY
TYPES = {"i": "integer", "s": "single", "d": "double", "c": "complex",
         "z": "double complex"}

BAR, GAP = 17, 22  # height of a bar; between two groups
LABEL, PLOT_END = 250, 130  # room left and right of the bars


def blocks(row, side):
    mb, nb = row[f"mb_{side}"], row[f"nb_{side}"]
    size = mb if mb == nb else f"{mb}×{nb}"
    return f"{row[f'p_{side}']}×{row[f'q_{side}']} nb {size}"


def varying(rows, columns):
    """Those of the columns that differ between rows."""
    return [c for c in columns if len({row.get(c) for row in rows}) > 1]


def processes(row):
    count = row["processes"]
    return f"{count} process{'' if count == 1 else 'es'}"


def labels(row, modes):
    """What a group of bars is: a headline and details."""
    size = f"{row['m']} × {row['n']} {TYPES[row['type']]}"
    for column in modes:
        size += ", " + (processes(row) if column == "processes" else
                        row.get(column, ""))
    layouts = f"{blocks(row, 'a')}  →  {blocks(row, 'b')}"
    if row["name"]:
        return row["name"][:1].upper() + row["name"][1:], [size, layouts]
    return layouts, [f"{row['routine']}, {size}"]


def counted(rows, column, one, many):
    values = distinct(rows, column)
    return f"{', '.join(map(str, values))} {one if values == [1] else many}"


def heading(rows, title, shown, note):
    """Title, where it was measured, and the legend."""
    facts = ", ".join((counted(rows, "processes", "process", "processes"),
                       counted(rows, "nodes", "node", "nodes"),
                       counted(rows, "cores", "core", "cores") + " per node"))
    software = ", ".join(
        word + " / ".join(distinct(rows, column)) for column, word in
        (("hesca", "HESCA "), ("scalapack", ""), ("mpi", ""),
         ("schedule", "schedule ")))
    parts = headline(title, f"{facts}.  {software}")
    parts += legend([(NAMES[column], colour) for column, colour, _ in SERIES
                     if column in shown], 80)[0]
    parts.append(text(WIDTH - MARGIN, 92, 13, note,
                      fill=FAINT, anchor="end"))
    return parts


def fitting(label, size):
    """A font size, at most the one given, at which a label fits."""
    return min(size, round(LABEL / (0.66 * len(label)), 1))


def group(row, y, shown, modes, place):
    """One case, its first bar at y."""
    name, details = labels(row, modes)
    right = LABEL + MARGIN - 16
    parts = [text(right, y + 13, fitting(name, 15), name,
                  anchor="end", weight="bold")]
    for k, detail in enumerate(details):
        parts.append(text(right, y + 31 + 17 * k, fitting(detail, 13), detail,
                          fill=FAINT, anchor="end"))
    for k, column in enumerate(shown):
        _, colour, ink = next(s for s in SERIES if s[0] == column)
        value, top = row[column], y + k * BAR
        if value is None:
            continue
        parts.append(rectangle(place(None), top, place(value) - place(None),
                               BAR - 3, colour, 2))
        note = readable(value)
        if column == HESCA and row[REAL] is not None:
            note += f"  ({row[REAL] / value:.1f}×)"
        bold = "bold" if column == HESCA else "normal"
        parts.append(text(place(value) + 6, top + BAR - 5.5, 12.5, note,
                          fill=ink, weight=bold))
    if row["identical"] == "no":
        parts.append(text(place(None) + 6, y + len(shown) * BAR + 10, 12.5,
                          "results are not identical", fill="#c62828",
                          weight="bold"))
    return parts


def series(rows):
    """The columns with times."""
    shown = [c for c, *_ in SERIES if any(row[c] for row in rows)]
    if not shown:
        raise Unusable("nothing was measured, there are no times")
    return shown


def draw_bars(rows, title):
    shown = series(rows)
    modes = varying(rows, MODES)
    times = [row[c] for row in rows for c in shown if row[c]]
    low = math.floor(math.log10(min(times)) - 0.15)
    high = math.log10(max(times)) + 0.05
    left, right = MARGIN + LABEL, WIDTH - MARGIN - PLOT_END
    top = 122
    step = max(len(shown) * BAR, 3 * BAR) + GAP
    bottom = top + step * len(rows) - GAP + 14

    def place(value):
        """Where a time is on the axis; None is where the axis begins."""
        share = 0 if value is None else math.log10(value) - low
        return left + (right - left) * share / (high - low)

    note = "medians, logarithmic scale; shorter is better"
    if {REAL, HESCA} <= set(shown):
        note += "; (×) against ScaLAPACK"
    parts = heading(rows, title, shown, note)
    for exponent in range(low, math.floor(high) + 1):
        x = place(10.0 ** exponent)
        parts.append(line(x, top - 10, x, bottom,
                          RULE if exponent == low else GRID))
        parts.append(text(x, bottom + 18, 12.5, short_time(10.0 ** exponent),
                          fill=FAINT, anchor="middle"))
    for k, row in enumerate(rows):
        parts += group(row, top + k * step, shown, modes, place)
    return picture(title, bottom + 36, parts)


# ----- bandwidth against size ------------------------------------------------

COLUMNS = 2  # panels beside each other
PANEL_LEFT, PANEL_TOP = 58, 34  # room for the axis, for the title
PANEL_HEIGHT, PANEL_GAP = 210, 46  # of the axes; below them
PANEL_WIDTH = (WIDTH - 2 * MARGIN) / COLUMNS


def families(rows):
    """(number of processes, title, rows) of each panel: one redistribution in
    many sizes."""
    modes = varying(rows, ("routine",) + MODES[1:])
    found = {}
    for row in rows:
        name = row["name"] or f"{layout(row, 'a')} → {layout(row, 'b')}"
        label = [f"{processes(row)}: {name}"]
        label += [row[c] for c in modes if row.get(c)]
        found.setdefault((row["processes"], ", ".join(label)), []).append(row)
    sizes = {k: len({row["bytes"] for row in found[k]}) for k in found}
    most = max(sizes.values())
    if most < 2:
        raise Unusable("nothing was measured in more than one size; see "
                       "time_gemr2d --sweep=size")
    chosen = [k for k in found if 2 * sizes[k] > most]
    for key in chosen:
        found[key].sort(key=lambda row: row["bytes"])
        for row, next_row in zip(found[key], found[key][1:]):
            if row["bytes"] == next_row["bytes"]:
                raise Unusable(f"{next_row['where']}: '{key[1]}' was measured "
                               f"in the same size in {row['where']}")
    return [(*key, found[key]) for key in sorted(chosen, key=lambda k: k[0])]


def rate(row, column):
    """GB/s, None if it was not measured."""
    return None if row[column] is None else 1e-9 * row["bytes"] / row[column]


def points(rows, column, x, y):
    """Where the measurements of one line are, and their notes."""
    return [(x.place(row["bytes"]), y.place(rate(row, column)),
             f"{NAMES[column]}, {row['m']} × {row['n']}: "
             f"{rate(row, column):.3g} GB/s, {readable(row[column])}")
            for row in rows if row[column] is not None]


def panel(label, rows, shown, x, y):
    parts = frame(label, x, y, "bytes of sub(A)", "GB/s", size_text,
                  "{:g}".format)
    for column, colour, _ in SERIES:
        if column in shown:
            parts += curve(column, points(rows, column, x, y), colour,
                           3 if column == HESCA else 2)
    if any(row["identical"] == "no" for row in rows):
        parts.append(warning(x, y, "results are not identical"))
    return parts


def draw_bandwidth(rows, title):
    panels = families(rows)
    drawn = [row for _, _, members in panels for row in members]
    shown = series(drawn)
    parts = heading(drawn, title, shown, "bytes of sub(A) over the median "
                    "time; higher is better")
    top, step = 108, PANEL_TOP + PANEL_HEIGHT + PANEL_GAP
    for k, (count, label, members) in enumerate(panels):
        left = MARGIN + k % COLUMNS * PANEL_WIDTH + PANEL_LEFT
        above = top + PANEL_TOP + k // COLUMNS * step
        # Panels of one number of processes can be compared at a glance.
        rates = [rate(row, c) for row in drawn for c in shown
                 if row["processes"] == count and row[c]]
        if not rates:
            continue
        x = Axis([row["bytes"] for row in drawn], left,
                 left + PANEL_WIDTH - PANEL_LEFT - 16)
        y = Axis(rates, above + PANEL_HEIGHT, above)
        parts += panel(label, members, shown, x, y)
    return picture(title, top + math.ceil(len(panels) / COLUMNS) * step, parts)


def main():
    args = parse("Draw what time_gemr2d --csv has written, as SVG.",
                 files("files written by time_gemr2d --csv or sweep.sh"),
                 ("--bandwidth", {
                     "action": "store_true", "help": "draw bandwidth against "
                     "size, for what was measured in many sizes (default: "
                     "times, as bars)"}), output(), TITLE)
    draw, title = draw_bars, "Redistributing a matrix"
    if args.bandwidth:
        draw, title = draw_bandwidth, "Bandwidth of redistributing a matrix"
    attempt(lambda: write(draw(
        [row for path in args.csv for row in read(path)],
        args.title or title), args.output))


if __name__ == "__main__":
    main()

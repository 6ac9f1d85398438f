#!/usr/bin/env python3
"""Draw the times that time_gemr2d --csv has written, as an SVG picture.

Usage: plot.py time.csv -o time.svg

One group of bars per case: ScaLAPACK, HESCA, and memcpy, the floor; medians, on
a logarithmic axis.  What was not measured gets no bar.

Exit status: 0, 1 if the CSV file cannot be used or the picture not written, 2
for wrong options.
"""

import argparse
import csv
import math
import sys
from xml.sax.saxutils import escape

SERIES = (  # column, name, colour, colour of its value
    ("real_median_s", "ScaLAPACK", "#9aa5b1", "#52606d"),
    ("hesca_median_s", "HESCA", "#1565c0", "#0d47a1"),
    ("floor_median_s", "memcpy (floor)", "#e0b660", "#8d6708"),
)
SIDE = ("p_{}", "q_{}", "mb_{}", "nb_{}")
COLUMNS = (
    ["name", "routine", "m", "n", "processes", "nodes", "cores", "mpi",
     "scalapack", "hesca", "schedule", "identical"]
    + [column.format(side) for side in "ab" for column in SIDE]
    + [column for column, *_ in SERIES]
)
TYPES = {"i": "integer", "s": "single", "d": "double", "c": "complex",
         "z": "double complex"}

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
WIDTH, MARGIN = 900, 24
BAR, GAP = 17, 22  # height of a bar; between two groups
LABEL, PLOT_END = 250, 130  # room left and right of the bars


class Unusable(Exception):
    """What is wrong with the input."""


def read(path):
    """The rows of the file, times as floats or None."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = csv.DictReader(file, strict=True)
        missing = [c for c in COLUMNS if c not in (lines.fieldnames or [])]
        if missing:
            raise Unusable(f"{path}: no column {', '.join(missing)}")
        rows = []
        for row in lines:
            where = f"{path}:{lines.line_num}"
            if None in row or None in row.values():
                raise Unusable(f"{where}: not as many values as columns")
            for column, *_ in SERIES:
                row[column] = seconds(row[column], f"{where}: {column}")
            rows.append(row)
    if not any(row[column] for row in rows for column, *_ in SERIES):
        raise Unusable(f"{path}: no times in it")
    return rows


def seconds(text, where):
    if text == "":
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < math.inf:
        raise Unusable(f"{where} is '{text}', not a time")
    return value


def readable(value):
    """Seconds with three digits and a unit."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns")):
        if value * factor >= 0.9995 or unit == "ns":
            break
    value *= factor
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{digits}f} {unit}"


def decade(exponent):
    """10 ** exponent seconds, without needless digits."""
    for least, unit in ((0, "s"), (-3, "ms"), (-6, "µs"), (-9, "ns")):
        if exponent >= least or unit == "ns":
            return f"{10.0 ** (exponent - least):g} {unit}"


def blocks(row, side):
    mb, nb = row[f"mb_{side}"], row[f"nb_{side}"]
    size = mb if mb == nb else f"{mb}×{nb}"
    return f"{row[f'p_{side}']}×{row[f'q_{side}']} nb {size}"


def labels(row):
    """What a group of bars is: a headline and details."""
    kind = TYPES.get(row["routine"][1:2], "")
    size = f"{row['m']} × {row['n']} {kind}".strip()
    layouts = f"{blocks(row, 'a')}  →  {blocks(row, 'b')}"
    if row["name"]:
        return row["name"][:1].upper() + row["name"][1:], [size, layouts]
    return layouts, [f"{row['routine']}, {size}"]


def text(x, y, size, content, fill="#1f2933", anchor="start", weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}" '
            f'text-anchor="{anchor}" font-weight="{weight}">'
            f"{escape(content)}</text>")


def rectangle(x, y, width, height, fill, radius=0):
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}" fill="{fill}" rx="{radius}"/>')


def line(x1, y1, x2, y2, colour):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{colour}"/>')


def counted(row, column, one, many):
    return f"{row[column]} {one if row[column] == '1' else many}"


def heading(row, title, shown):
    """Title, where it was measured, and the legend."""
    facts = ", ".join((counted(row, "processes", "process", "processes"),
                       counted(row, "nodes", "node", "nodes"),
                       counted(row, "cores", "core", "cores") + " per node"))
    software = (f"HESCA {row['hesca']}, {row['scalapack']}, {row['mpi']}, "
                f"schedule {row['schedule']}")
    parts = [text(MARGIN, 40, 20, title, weight="bold"),
             text(MARGIN, 62, 13, f"{facts}.  {software}", fill="#52606d")]
    x = MARGIN
    for column, name, colour, _ in SERIES:
        if column in shown:
            parts.append(rectangle(x, 80, 14, 14, colour, 2))
            parts.append(text(x + 20, 92, 14, name))
            x += 20 + 8.2 * len(name) + 24
    note = "medians, logarithmic scale; shorter is better"
    if {"real_median_s", "hesca_median_s"} <= set(shown):
        note += "; (×) against ScaLAPACK"
    parts.append(text(WIDTH - MARGIN, 92, 13, note,
                      fill="#52606d", anchor="end"))
    return parts


def fitting(label, size):
    """A font size, at most the one given, at which a label fits."""
    return min(size, round(LABEL / (0.66 * len(label)), 1))


def group(row, y, shown, place):
    """One case, its first bar at y."""
    headline, details = labels(row)
    right = LABEL + MARGIN - 16
    parts = [text(right, y + 13, fitting(headline, 15), headline,
                  anchor="end", weight="bold")]
    for k, detail in enumerate(details):
        parts.append(text(right, y + 31 + 17 * k, fitting(detail, 13), detail,
                          fill="#52606d", anchor="end"))
    real, hesca = row["real_median_s"], row["hesca_median_s"]
    for k, column in enumerate(shown):
        _, _, colour, ink = next(s for s in SERIES if s[0] == column)
        value, top = row[column], y + k * BAR
        if value is None:
            continue
        parts.append(rectangle(place(None), top, place(value) - place(None),
                               BAR - 3, colour, 2))
        note = readable(value)
        if column == "hesca_median_s" and real is not None:
            note += f"  ({real / hesca:.1f}×)"
        bold = "bold" if column == "hesca_median_s" else "normal"
        parts.append(text(place(value) + 6, top + BAR - 5.5, 12.5, note,
                          fill=ink, weight=bold))
    if row["identical"] == "no":
        parts.append(text(place(None) + 6, y + len(shown) * BAR + 10, 12.5,
                          "results are not identical", fill="#c62828",
                          weight="bold"))
    return parts


def draw(rows, title):
    shown = [c for c, *_ in SERIES if any(row[c] for row in rows)]
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

    parts = heading(rows[0], title, shown)
    for exponent in range(low, math.floor(high) + 1):
        x = place(10.0 ** exponent)
        parts.append(line(x, top - 10, x, bottom,
                          "#9aa5b1" if exponent == low else "#e4e7eb"))
        parts.append(text(x, bottom + 18, 12.5, decade(exponent),
                          fill="#52606d", anchor="middle"))
    for k, row in enumerate(rows):
        parts += group(row, top + k * step, shown, place)
    height = bottom + 36
    return "\n".join(
        [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
         f'height="{height}" viewBox="0 0 {WIDTH} {height}" '
         f'font-family="{FONT}">', f"<title>{escape(title)}</title>",
         f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>']
        + parts + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(
        description="Draw what time_gemr2d --csv has written, as SVG.",
        epilog="Exit status: 0, 1 if the CSV file cannot be used or the "
        "picture not written, 2 for wrong options.")
    parser.add_argument("csv", help="file written by time_gemr2d --csv")
    parser.add_argument("-o", "--output", default="-", metavar="SVG",
                        help="picture to write (default: stdout)")
    parser.add_argument("--title", default="Redistributing a matrix",
                        help="headline of the picture")
    args = parser.parse_args()
    try:
        picture = draw(read(args.csv), args.title)
        if args.output == "-":
            sys.stdout.buffer.write(picture.encode("utf-8"))
            sys.stdout.buffer.flush()
        else:
            with open(args.output, "w", encoding="utf-8") as file:
                file.write(picture)
    except OSError as error:
        sys.exit(f"plot.py: {error.filename or 'stdout'}: {error.strerror}")
    except (csv.Error, UnicodeDecodeError) as error:
        sys.exit(f"plot.py: {args.csv}: {error}")
    except Unusable as error:
        sys.exit(f"plot.py: {error}")


if __name__ == "__main__":
    main()

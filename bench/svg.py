# SPDX-License-Identifier: BSD-3-Clause
"""What pictures of timings are made of: SVG elements, axes, panels of curves.
"""

import math
import sys
from itertools import groupby
from xml.sax.saxutils import escape

from timings import Unusable

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
WIDTH, MARGIN = 900, 24
FAINT, GRID, RULE = "#52606d", "#e4e7eb", "#9aa5b1"


def readable(value):
    """Seconds with three digits and a unit."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns")):
        if value * factor >= 0.9995 or unit == "ns":
            break
    value *= factor
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{digits}f} {unit}"


def short_time(value):
    """Seconds without needless digits."""
    for least, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")):
        if value >= 0.9999 * least or unit == "ns":
            return f"{value / least:g} {unit}"


def size_text(count):
    """Bytes with at most three digits and a unit."""
    for factor, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B")):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"


def short_count(count):
    """A number in thousands or millions, without needless digits."""
    for factor, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k"), (1, "")):
        if count >= factor:
            return f"{count / factor:g}{unit}"


# ----- elements: (tag, style, place, content) ----------------------------------

def text(x, y, size, content, fill="#1f2933", anchor="start", weight="normal",
         turn=0):
    style = f'font-size="{size}" fill="{fill}"'
    style += f' text-anchor="{anchor}"' if anchor != "start" else ""
    style += f' font-weight="{weight}"' if weight != "normal" else ""
    turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
    return "text", style, f'x="{x:.1f}" y="{y:.1f}"{turned}', escape(content)


def rectangle(x, y, width, height, fill, radius=0):
    return ("rect", f'fill="{fill}" rx="{radius}"', f'x="{x:.1f}" y="{y:.1f}" '
            f'width="{width:.1f}" height="{height:.1f}"', "")


def line(x1, y1, x2, y2, colour):
    return ("line", f'stroke="{colour}"', f'x1="{x1:.1f}" y1="{y1:.1f}" '
            f'x2="{x2:.1f}" y2="{y2:.1f}"', "")


def markup(elements):
    """Lines of markup: elements of one style that follow each other share a
    group and a line."""
    for (tag, style), group in groupby(elements, lambda element: element[:2]):
        marks = [f"<{tag} {place}>{content}</{tag}>" if content else
                 f"<{tag} {place}/>" for _, _, place, content in group]
        yield f"<g {style}>{''.join(marks)}</g>"


def legend(entries, y):
    """Colours and what they stand for, in as many rows as that takes; the
    elements and where the last row ends."""
    boxes, names, x = [], [], MARGIN
    for name, colour in entries:
        width = 20 + 8.2 * len(name) + 24
        if x > MARGIN and x + width > WIDTH - MARGIN:
            x, y = MARGIN, y + 22
        boxes.append(rectangle(x, y, 14, 14, colour, 2))
        names.append(text(x + 20, y + 12, 14, name))
        x += width
    return boxes + names, y + 14


def picture(title, height, parts):
    return "\n".join(
        [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
         f'height="{height}" viewBox="0 0 {WIDTH} {height}" '
         f'font-family="{FONT}">', f"<title>{escape(title)}</title>",
         f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>']
        + [*markup(parts), "</svg>", ""])


def write(content, path):
    if path == "-":
        sys.stdout.buffer.write(content.encode("utf-8"))
        sys.stdout.buffer.flush()
    else:
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)


# ----- axes ------------------------------------------------------------------

class Axis:
    """A logarithmic axis: from place at, a little below the least of the
    values, to place end, a little above the largest."""

    def __init__(self, values, at, end):
        low, high = math.log10(min(values)), math.log10(max(values))
        self.low, self.high = low - 0.1, high + 0.1
        self.at, self.end = at, end

    def place(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.at + (self.end - self.at) * share

    def ticks(self):
        """Decades; on a short axis also 2 and 5 times as much."""
        decades = [10.0 ** e for e in range(math.floor(self.low),
                                            math.floor(self.high) + 1)]
        factors = (1,) if self.high - self.low > 2.5 else (1, 2, 5)
        return [f * d for d in decades for f in factors
                if self.low <= math.log10(f * d) <= self.high]


class Doubling(Axis):
    """The same, with powers of two as its ticks."""

    def ticks(self):
        first = math.ceil(self.low / math.log10(2))
        last = math.floor(self.high / math.log10(2))
        step = (last - first) // 12 + 1
        return [2.0 ** e for e in range(first, last + 1, step)]


class Linear:
    """A linear axis, as Axis."""

    def __init__(self, values, at, end):
        low, high = min(values), max(values)
        room = 0.03 * (high - low) or 1
        self.low, self.high = low - room, high + room
        self.at, self.end = at, end

    def place(self, value):
        share = (value - self.low) / (self.high - self.low)
        return self.at + (self.end - self.at) * share

    least = 0  # power of ten below which no step is

    def ticks(self):
        """Round numbers, at most sixteen of them."""
        span = self.high - self.low
        step = next(f * 10.0 ** e for e in range(self.least, 12)
                    for f in (1, 2, 5) if span <= 16 * f * 10.0 ** e)
        return [step * k for k in range(math.ceil(self.low / step),
                                        math.floor(self.high / step) + 1)]


class Fine(Linear):
    """The same with fractions as ticks."""

    least = -6


# ----- panels ----------------------------------------------------------------

def curve(name, points, colour, width, joined=True):
    """A line, if points are joined, and a mark for each of its points, (x, y,
    note)."""
    path = " ".join(f"{px:.1f},{py:.1f}" for px, py, _ in points)
    parts = [("polyline", f'class="{name}" fill="none" stroke="{colour}" '
              f'stroke-width="{width}" stroke-linejoin="round"',
              f'points="{path}"', "")] if joined else []
    parts += [("circle", f'fill="{colour}"',
               f'cx="{px:.1f}" cy="{py:.1f}" r="{width + 1}"',
               f"<title>{escape(note)}</title>") for px, py, note in points]
    return parts if points else []


def frame(title, x, y, x_name, y_name, x_text, y_text):
    """Axes with their ticks, written by x_text() and y_text(), and names."""
    across = [(x.place(value), x_text(value)) for value in x.ticks()]
    up = [(y.place(value), y_text(value)) for value in y.ticks()]
    parts = [text(x.at, y.end - 12, 14, title, weight="bold")]
    parts += [line(at, y.at, at, y.end, GRID) for at, _ in across]
    parts += [line(x.at, at, x.end, at, GRID) for at, _ in up]
    parts += [line(x.at, y.at, x.end, y.at, RULE),
              line(x.at, y.at, x.at, y.end, RULE)]
    parts += [text(at, y.at + 16, 11.5, number, fill=FAINT, anchor="middle")
              for at, number in across]
    parts.append(text((x.at + x.end) / 2, y.at + 33, 11.5, x_name, fill=FAINT,
                      anchor="middle"))
    if y_name:
        parts.append(text(x.at - 44, (y.at + y.end) / 2, 11.5, y_name,
                          fill=FAINT, anchor="middle", turn=-90))
    return parts + [text(x.at - 6, at + 4, 11.5, number, fill=FAINT,
                         anchor="end") for at, number in up]


def warning(x, y, content):
    return text(x.end, y.at - 8, 12.5, content, fill="#c62828", anchor="end",
                weight="bold")


# ----- charts ----------------------------------------------------------------

CHART_LEFT, CHART_TOP = 66, 34  # room for the axis, for the title
CHART_GAP = 50  # below the axes
OTHERS = ("#5d4037", "#455a64", "#9e9d24", "#ce93d8", "#52606d")


def headline(title, facts):
    return [text(MARGIN, 40, 20, title, weight="bold"),
            text(MARGIN, 62, 13, facts, fill=FAINT)]


def colours(panels, known=None, others=OTHERS):
    """Of each name in the panels; those that are not known get others in
    turn."""
    names = dict.fromkeys(n for p in panels for n in p.lines)
    rest = iter(others * len(names))
    return {name: (known or {}).get(name) or next(rest) for name in names}


class Chart:
    """Times of several schedules over something: lines has a list of (x,
    seconds) for each name, or of (x, seconds, note).  The x axis is of a class,
    a name and a function that writes its values; y_axis is logarithmic by
    default.  Points of the names in apart have nothing to do with each other:
    they are not joined."""

    def __init__(self, title, lines, x_axis, y_axis=Axis, warning=None,
                 apart=()):
        self.title, self.x_axis, self.y_axis = title, x_axis, y_axis
        self.lines = {name: sorted(points) for name, points in lines.items()
                      if points}
        self.warning = warning
        self.apart = apart

    def draw(self, colour, left, right, bottom, top, tick, note):
        kind, x_name, x_text = self.x_axis
        points = [p for line in self.lines.values() for p in line]
        x = kind([p[0] for p in points], left, right)
        y = self.y_axis([p[1] for p in points], bottom, top)
        parts = frame(self.title, x, y, x_name, "", x_text, tick)
        for name, line_points in self.lines.items():
            parts += curve(name, [
                (x.place(at), y.place(value), own[0] if own else
                 f"{name}, {x_name} {at:g}: {note(value)}")
                for at, value, *own in line_points], colour[name], 2,
                name not in self.apart)
        return parts + ([warning(x, y, self.warning)] if self.warning else [])


def charts(title, facts, panels, colour, tick=short_time, note=readable,
           columns=2, height=250):
    """A picture of charts, two in a row, under a headline and a legend; tick
    and note write values at the axis and of a point.  The height is that of the
    axes."""
    panels = [panel for panel in panels if panel.lines]
    if not panels:
        raise Unusable("there is nothing to draw")
    columns = min(len(panels), columns)
    width = (WIDTH - 2 * MARGIN) / columns
    names = dict.fromkeys(n for p in panels for n in p.lines)
    parts = headline(title, facts)
    entries, top = legend([(n, colour[n]) for n in names], 80)
    step = CHART_TOP + height + CHART_GAP
    for k, panel in enumerate(panels):
        left = MARGIN + k % columns * width + CHART_LEFT
        above = top + 14 + CHART_TOP + k // columns * step
        parts += panel.draw(colour, left, left + width - CHART_LEFT - 16,
                            above + height, above, tick, note)
    rows = -(-len(panels) // columns)
    return picture(title, top + 14 + rows * step, parts + entries)

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write machine files with the networks of the HMPI thesis, chapter 4.

Usage: hmpi_networks.py -o DIR

  hmpi-12.machine  Table 4.8: the functional against single-number models
  hmpi-11.machine  Table 4.12: the same with memory bounds, as limits
  hmpi-2.machine   Table 4.2: curves to build models of, by GBBP

Sizes are elements of an n x n matrix, n^2; speeds operations per second, as
hesca probe --kernel has them; below they are in MFlops.  The thesis prints
specifications, paging onsets P, bounds, and some speeds; its curves are lost.
So a curve here is a printed shape, times a printed speed:

speed  MM: 250 of a Xeon of 1977 MHz (X5) and 31 of an Ultra (X10), both at n =
       4500, the fastest and the slowest.  LU: 130 of that Xeon (X6) at 8500,
       19 of a Pentium III (X1) at 4500, again fastest and slowest.  Assumed:
       machines of a kind are equal; others go with their MHz from that Xeon,
       but for the SPARCstation, which goes from the Ultra, and stay between
       the fastest and the slowest.
shape  Tables 4.9 and 4.10, measured on X8, whose MM pages from 5500 on and
       whose LU from 6500 on: MM 67, 67, 67, 59 at n = 256, 1024, 2304, 4096;
       LU 115, 129, 131, 132 at 1024, 2304, 4096, 6400.  Assumed: it is the
       same on all machines in terms of n / P, and flat from the last to P.
paging Assumed: from P on speed falls in a straight line to 5 % at the size at
       which memory cannot be had any more: n = 13000 (MM), 19500 (Cholesky)
       on a Xeon with P = 6000, 8500; 7000, 13000 on an Ultra with P = 4500,
       5000 (Table 4.2); other Linux machines in the ratio of the Xeon.
bounds In Table 4.12 they are squares: P is the root.  Nothing follows P.

The curves of hmpi-2.machine have many points and end with speed 0, as Table
4.2's largest sizes.  MM and Cholesky: assumed to rise from 70 % at n = 100 to
the printed speed at 500, and to fall in a straight line from P to the end, but
for the plateau of Figure 4.13(f), MM on the Ultra from 5000 to 6500, at 40 %.
naive: 67 (1 - (n / b)^e), e such that 59 is left at 4096 (Table 4.9), scaled by
the MM speeds.

Exit status: 0, 1 if a file cannot be written, 2 for wrong options.
"""

import math
import os

from svg import write
from timings import attempt, parse

XEON, XEON_2783, PENTIUM, ULTRA, SPARC = (
    "Xeon 1977", "Xeon 2783", "Pentium III 997", "Ultra 440",
    "SPARCstation 110")
MHZ = {kind: float(kind.split()[-1])
       for kind in (XEON, XEON_2783, PENTIUM, ULTRA, SPARC)}
# Kernel: what is printed of speeds, MFlops at n; the largest order and P of
# the Xeon and of the Ultra; the shape.
PRINTED = {"dgemm": {XEON: (250, 4500), ULTRA: (31, 4500)},
           "dgetrf": {XEON: (130, 8500), PENTIUM: (19, 4500)}}
ENDS = {"dgemm": (13000 / 6000, 7000 / 4500),
        "dgetrf": (19500 / 8500, 13000 / 5000)}
SHAPE = {"dgemm": (5500, [(256, 67), (1024, 67), (2304, 67), (4096, 59)]),
         "dgetrf": (6500, [(1024, 115), (2304, 129), (4096, 131),
                           (6400, 132)])}
TAIL = 0.05

# Kind, paging onsets of MM and LU.
TABLE_4_8 = [
    (PENTIUM, 4500, 6000), (PENTIUM, 4000, 5000),
    (XEON_2783, 6400, 11000), (XEON_2783, 6400, 11000),
    (XEON, 6000, 8500), (XEON, 6000, 8500), (XEON, 6000, 8000),
    (XEON, 5500, 6500), (XEON, 5500, 6500),
    (ULTRA, 4500, 5000), (ULTRA, 4500, 5000), (ULTRA, 4500, 5000)]
# Kind, largest sizes of tasks, MM and LU, in elements.
TABLE_4_12 = [
    (XEON_2783, 116640000, 262440000), (XEON, 36000000, 81000000),
    (XEON, 36000000, 81000000), (XEON, 36000000, 81000000),
    (XEON, 36000000, 81000000), (ULTRA, 31360000, 64000000),
    (ULTRA, 30250000, 59290000), (ULTRA, 30250000, 64000000),
    (ULTRA, 30250000, 59290000), (PENTIUM, 24502500, 30250000),
    (SPARC, 6000000, 6250000)]


def interpolate(points, x):
    """A piecewise linear function, constant outside."""
    if x <= points[0][0]:
        return points[0][1]
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return points[-1][1]


def shape(kernel, onset):
    """Elements and relative speed up to P, elements."""
    paging, measured = SHAPE[kernel]
    points = [((n / paging) ** 2 * onset, speed) for n, speed in measured]
    return points + [(onset, points[-1][1])]


def scale(kernel, kind, onset):
    """The factor of the shape on a kind of machine, and where it is from."""
    printed = PRINTED[kernel]
    source = (kind if kind in printed else
              ULTRA if kind == SPARC and ULTRA in printed else XEON)
    speed, n = printed[source]
    at = (n * n if source == kind else (n / SHAPE[kernel][0]) ** 2 * onset)
    factor = speed / interpolate(shape(kernel, onset), at)
    if source == kind:
        return factor, f"{speed} MFlops at n = {n} printed"
    factor *= MHZ[kind] / MHZ[source]
    low, high = sorted(s for s, _ in printed.values())
    if kind != SPARC:
        speeds = [y for _, y in shape(kernel, onset)]
        factor = min(max(factor, low / min(speeds)), high / speeds[-1])
    return factor, f"speed by MHz from {source}, assumed"


def end_of(kernel, kind):
    linux, sun = ENDS[kernel]
    return sun if kind in (ULTRA, SPARC) else linux


def model(host, kernel, kind, onset, bounded):
    """Lines of five knots."""
    factor, source = scale(kernel, kind, onset)
    points = [(x, y * factor) for x, y in shape(kernel, onset)]
    if bounded:
        what = f"bound {onset:.0f} printed"
    else:
        what = f"P = {math.sqrt(onset):.0f} printed"
        # The 1024 of MM lies between equals, and the 6400 of LU is nearly P.
        del points[1 if kernel == "dgemm" else 3]
        points.append((onset * end_of(kernel, kind) ** 2,
                       TAIL * points[-1][1]))
    limit = f" limit {onset:.0f}" if bounded else ""
    return ([f"# {kind} MHz; {what}; {source}",
             f"model {host} {kernel}{limit}"] + knots(points))


def knots(points):
    return [f"knot size {x:.0f} speed {1e6 * y:.6g}" for x, y in points]


def network(title, table, bounded):
    lines = ["hesca-machine 1", f"# {title}, by hmpi_networks.py, which has "
             "what is assumed", "# Sizes: elements; speeds: operations per second"]
    hosts = [f"x{i + 1}" for i in range(len(table))]
    lines += [f"host {host}" for host in hosts]
    for column, kernel in ((1, "dgemm"), (2, "dgetrf")):
        for host, row in zip(hosts, table):
            onset = row[column] if bounded else row[column] ** 2
            lines += model(host, kernel, row[0], onset, bounded)
    return lines


def curve(speed, onset, end, plateau=()):
    """A fine curve of a kernel that uses its caches well."""
    bends = [(100, 0.7), (500, 1), (onset, 1), *plateau, (end, 0)]
    return [(n * n, speed * interpolate(bends, n))
            for n in range(100, end + 1, 100)]


def naive(speed, end):
    exponent = math.log(1 - 59 / 67) / math.log(4096 / 13000)
    return [(n * n, speed * (1 - (n / end) ** exponent))
            for n in range(100, end + 1, 100)]


def curves():
    """Table 4.2."""
    lines = ["hesca-machine 1", "# HMPI thesis, Table 4.2, by "
             "hmpi_networks.py, which has what is assumed",
             "# Sizes: elements; speeds: operations per second", "host x1", "host x2"]
    ultra = 130 * MHZ[ULTRA] / MHZ[XEON]
    for host, kernel, points in (
            ("x1", "dgemm", curve(250, 6000, 13000)),
            ("x1", "dpotrf", curve(130, 8500, 19500)),
            ("x1", "naive", naive(67, 13000)),
            ("x2", "dgemm", curve(31, 4500, 7000, ((5000, 0.4), (6500, 0.4)))),
            ("x2", "dpotrf", curve(ultra, 5000, 13000)),
            ("x2", "naive", naive(67 * 31 / 250, 7000))):
        lines += [f"model {host} {kernel}"] + knots(points)
    return lines


def save(directory):
    for name, lines in (
            ("hmpi-12", network("HMPI thesis, Table 4.8", TABLE_4_8, False)),
            ("hmpi-11", network("HMPI thesis, Table 4.12", TABLE_4_12, True)),
            ("hmpi-2", curves())):
        write("\n".join(lines) + "\n",
              os.path.join(directory, f"{name}.machine"))


def main():
    args = parse("Write machine files with the networks of the HMPI thesis, "
                 "chapter 4.", ("-o --output", {"required": True,
                                                "metavar": "DIR"}))
    attempt(lambda: save(args.output))


if __name__ == "__main__":
    main()

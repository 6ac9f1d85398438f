#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: hmpi_models.py [--hesca PROGRAM] [--models DIR]

The tables of chapter 3 of the HMPI thesis by hesca model, beside what the
thesis prints: ranks (Spearman) and ratios for each claim.

Speeds of the computers are those of its topology file of seven (5.3.2) and,
for machines that are not in it, of its file of twelve, scaled by their common
ones; the network is the layer of the file of seven.  The time of a unit of the
benchmark is not printed: each table's is such that the geometric mean of its
predictions is that of its measurements, so only ranks and ratios count."""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

TOP = "parallel(0.49, 0.97) c209824 c3133982 c10859499"
INSIDE = "serial c1063941 c58484865 c99137032"
# Table 3.6, Table 3.8, Table 3.3: name, processors, speed.
NET16 = [("afflatus", 1, 32001), ("aries2", 1, 32001),
         ("pglcluster01", 2, 22501), ("pglcluster02", 2, 20001),
         ("pglcluster03", 2, 16667), ("maxft", 1, 8235), ("zaphod", 1, 8883)]
NET16 += [("csultra0%d" % k, 1, 4348) for k in range(1, 7)]
NET12 = [("afflatus", 1, 32001), ("aries2", 1, 32001),
         ("pglcluster01", 2, 22501), ("pglcluster02", 2, 20001),
         ("pglcluster03", 1, 16667)]
NET12 += [("csultra0%d" % k, 1, 4348) for k in range(1, 6)]
# dgemm and dgesv, Mflop/s
NET9 = [[("pglcluster0%d" % k, 2, s[0]) for k in range(1, 5)] +
        [("zaphod", 1, s[1]), ("maxft", 1, s[2])]
        for s in ((2429, 563, 412), (2139, 494, 392))]

GRIDS = [(1, 12), (2, 6), (3, 4), (4, 3), (6, 2), (12, 1)]
TABLE_3_10 = {1536: (86, 47, 35, 42, 48, 87), 3072: (347, 208, 164, 178, 197,
              351), 4608: (843, 651, 442, 507, 543, 813),
              6144: (1723, 1582, 875, 1286, 1229, 1536)}
TABLE_3_12 = {2304: (187, 106, 83, 80, 102, 193),
              4608: (875, 643, 515, 517, 557, 815),
              6912: (2486, 2182, 1800, 1802, 2052, 2236)}
TABLE_3_13 = {(1, 2): 7198, (1, 3): 4798, (1, 4): 3599, (1, 6): 2052,
              (1, 8): 1772, (1, 9): 1772, (1, 12): 1772, (2, 1): 7198,
              (2, 2): 3599, (2, 3): 2043, (2, 4): 1699, (2, 6): 1699,
              (3, 1): 4798, (3, 2): 2068, (3, 3): 1652, (3, 4): 1651,
              (4, 1): 3599, (4, 2): 1678, (4, 3): 1617, (6, 1): 2052,
              (6, 2): 1652, (8, 1): 1772, (9, 1): 1772, (12, 1): 1772}
TABLE_3_7 = {1280: 98, 1536: 134, 1792: 179, 2048: 225, 2304: 280, 2432: 280,
             2560: 308, 3840: 545, 5120: 847, 6400: 1574, 7680: 1815}
BLOCKS = (18, 36, 54, 72, 90, 180)
TABLE_3_4 = {1080: (7.19, 6.52, 7.28, 7.55, 6.98, 7.14),
             2160: (18.39, 19.35, 20.18, 19.83, 18.94, 20.05),
             3240: (48.52, 48.77, 49.38, 48.33, 47.33, 47.35),
             4320: (101.56, 100.43, 100.77, 104.72, 100.44, 104.91),
             5400: (190.81, 188.37, 203.19, 195.60, 189.64, 181.68)}
TABLE_3_5 = {1080: (7.71, 7.49, 8.17, 8.27, 7.78, 8.43),
             2160: (15.30, 13.62, 14.47, 13.21, 13.10, 13.31),
             3240: (30.75, 23.14, 23.54, 22.85, 22.37, 24.66),
             4320: (55.68, 48.41, 48.78, 45.80, 44.96, 45.07),
             5400: (99.22, 86.21, 81.80, 76.05, 82.20, 81.55)}


def topology(folder, net):
    path = os.path.join(folder, "net.topo")
    with open(path, "w") as f:
        print(TOP, file=f)
        for name, s, p in net:
            print("#%s\ns%d p%g n%d %s" % (name, s, p, s, INSIDE), file=f)
    return path


def ranks(values):
    order = sorted(range(len(values)), key=lambda k: values[k])
    rank = [0.0] * len(values)
    k = 0
    while k < len(order):
        end = k
        while end < len(order) and values[order[end]] == values[order[k]]:
            end += 1
        for i in range(k, end):
            rank[order[i]] = (k + end - 1) / 2
        k = end
    return rank


def spearman(a, b):
    x, y = ranks(a), ranks(b)
    mx, my = sum(x) / len(x), sum(y) / len(y)
    top = sum((u - mx) * (v - my) for u, v in zip(x, y))
    low = math.sqrt(sum((u - mx) ** 2 for u in x) *
                    sum((v - my) ** 2 for v in y))
    return top / low if low > 0 else float("nan")


class Tables:
    def __init__(self, hesca, models):
        self.hesca = hesca
        self.models = models
        self.folder = tempfile.mkdtemp()

    def call(self, action, model, net, *words):
        command = [self.hesca, "model", action,
                   os.path.join(self.models, model + ".mpc"), "--json",
                   "--topology", topology(self.folder, net), *words]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True,
                              stderr=subprocess.DEVNULL)
        return json.loads(done.stdout)

    def seconds(self, unit, model, net, **params):
        words = ["%s=%s" % (k, ",".join(map(str, v)) if isinstance(v, list)
                            else v) for k, v in params.items()]
        return self.call("timeof", model, net, "--seconds", repr(unit),
                         *words)["seconds"]

    def grid(self, n, l, p, q, unit):
        speeds = sorted((s for _, count, s in NET12 for _ in range(count)),
                        reverse=True)[:p * q]
        return self.seconds(unit, "axb_cartesian", NET12, n=n // 32, r=32,
                            l_p=l // 32, l_q=l // 32, p=p, q=q, speeds=speeds)

    def fit(self, predict, measured):
        """The unit for which predictions have the mean of measurements."""
        low, high = 1e-9, 1e9
        want = sum(map(math.log, measured))
        for _ in range(40):
            unit = math.sqrt(low * high)
            if sum(math.log(x) for x in predict(unit)) < want:
                low = unit
            else:
                high = unit
        return unit

    def grids(self, name, table, l):
        print("\n%s: grids of 12 processes, l = %d; printed, predicted" %
              (name, l))
        last = max(table)
        unit = self.fit(lambda u: [self.grid(last, l, *g, u) for g in GRIDS],
                        table[last])
        for n in table:
            mine = [self.grid(n, l, *g, unit) for g in GRIDS]
            print("  n = %d: %s\n            %s  Spearman %.2f" % (
                n, "".join("%9d" % x for x in table[n]),
                "".join("%9.1f" % x for x in mine),
                spearman(mine, table[n])))
            best = GRIDS[mine.index(min(mine))]
            at = GRIDS[table[n].index(min(table[n]))]
            print("            best %d x %d, printed best %d x %d; the "
                  "predicted one takes %.2f times the printed best" % (
                      *best, *at, table[n][GRIDS.index(best)] /
                      min(table[n])))

    def table_3_13(self):
        print("\nTable 3.13: estimates of 24 grids, n = 6912, l = 2304")
        grids = list(TABLE_3_13)
        printed = [TABLE_3_13[g] for g in grids]
        six = [TABLE_3_13[g] for g in GRIDS]
        unit = self.fit(lambda u: [self.grid(6912, 2304, *g, u)
                                   for g in GRIDS], six)
        mine = [self.grid(6912, 2304, *g, unit) for g in grids]
        for g, a, b in zip(grids, printed, mine):
            print("  %5s  %6d  %8.1f  %.2f" % ("%dx%d" % g, a, b, b / a))
        print("  Spearman of estimates %.2f; with the measured six %.2f, "
              "printed estimates %.2f" % (
                  spearman(mine, printed),
                  spearman([mine[grids.index(g)] for g in GRIDS],
                           TABLE_3_12[6912]),
                  spearman(six, TABLE_3_12[6912])))

    def table_3_7(self):
        print("\nTable 3.7: processes chosen out of 16 for C = A B^T "
              "(printed: 7 to 8 up to n = 2304, then 16)")
        speeds = sorted((s for _, count, s in NET16 for _ in range(count)),
                        reverse=True)

        def all16(n, unit):
            return self.seconds(unit, "axbt", NET16, n=n, r=32, t=32, p=16,
                                speeds=speeds)
        unit = self.fit(lambda u: [all16(n, u) for n in TABLE_3_7],
                        list(TABLE_3_7.values()))
        mine = []
        for n in TABLE_3_7:
            r = self.call("arrange", "axbt", NET16, "n=%d" % n, "r=32",
                          "t=32", "--seconds", repr(unit))
            best = r["arrangements"][r["best"]]
            mine.append(all16(n, unit))
            print("  n = %d: p = %d, %.1f s; p = 16: %.1f s, printed %d s" % (
                n, best["extents"][0], best["seconds"], mine[-1],
                TABLE_3_7[n]))
        print("  Spearman of the times of 16: %.2f" %
              spearman(mine, list(TABLE_3_7.values())))

    def blocks(self, name, model, net, table):
        print("\n%s: %s on 3 x 3, block sizes %s; largest / smallest time" %
              (name, model, ", ".join(map(str, BLOCKS))))
        # Units are products of blocks: their time goes with b^3.
        last = max(table)

        def row(n, unit):
            return [self.seconds(unit * b ** 3, model, net, n=n, b=b, p=3,
                                 q=3) for b in BLOCKS]
        unit = self.fit(lambda u: row(last, u), table[last])
        for n in table:
            mine = row(n, unit)
            print("  n = %d: printed %.2f, predicted %.2f; Spearman %.2f" % (
                n, max(table[n]) / min(table[n]), max(mine) / min(mine),
                spearman(mine, table[n])))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n", 1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hesca", default="src/tools/hesca",
                        help="the program; default: src/tools/hesca")
    parser.add_argument("--models", help="default: examples/models beside it",
                        default=os.path.join(here, "../examples/models"))
    options = parser.parse_args()
    t = Tables(options.hesca, options.models)
    t.blocks("Table 3.4", "pdgemm", NET9[0], TABLE_3_4)
    t.blocks("Table 3.5", "pdgesv", NET9[1], TABLE_3_5)
    t.table_3_7()
    t.grids("Tables 3.9, 3.10", TABLE_3_10, 1536)
    t.grids("Tables 3.11, 3.12", TABLE_3_12, 2304)
    t.table_3_13()
    return 0


if __name__ == "__main__":
    sys.exit(main())

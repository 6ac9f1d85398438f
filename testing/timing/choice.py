#!/usr/bin/env python3
"""The way that HESCA chooses beside the fastest one, and predictions beside
what was measured, from what time_gemm, time_gesv and time_potrf have written as
CSV; choice.sh makes it.

Usage: choice.py two.csv slow.csv ... [equal-auto.csv] --csv choice.csv
                 -o choice.svg

Files are named after sets of hosts.  Exit status: 0, 1 if a CSV file cannot be
used or a result not written, 2 for wrong options.
"""

import argparse
import csv
import math
import os
import sys

from svg import Axis, Chart, Fine, charts, write
from timings import COUNT, POSITIVE, TEXT, Unusable, distinct, read

COLUMNS = {
    **dict.fromkeys(("routine", "way", "right", "chosen", "other_grid",
                     "alike"), TEXT),
    **dict.fromkeys(("n", "nb", "runs"), COUNT),
    **dict.fromkeys(("seconds", "predicted_s"), POSITIVE),
}
# Names of ways in the files, and what the library calls them.
WAYS = {"plain": "real", "hohe": "hohe", "grid": "grid"}
COLOURS = {"real": "#52606d", "hohe": "#c62828", "grid": "#1565c0",
           "measured = predicted": "#9aa5b1"}
NEAR = 1.10  # what is no slower than the fastest by more than that is right
WITHIN = {"pdgemm": 1.20, "pdpotrf": 1.25, "pdgesv": 1.25}


# ----- cases -----------------------------------------------------------------

def gather(rows, name):
    """Of a file: for each case the way chosen, and the times of all ways.
    Where no other grid is predicted to be better, that way is ScaLAPACK's."""
    found = {}
    for row in rows:
        way = WAYS.get(row["way"])
        if way is None or (way == "grid" and not row["other_grid"]):
            continue
        case = found.setdefault((row["routine"], row["n"], row["nb"]), {
            "set": name, "routine": row["routine"], "n": row["n"],
            "nb": row["nb"], "chosen": row["chosen"], "measured": {},
            "predicted": {}, "grid": row["other_grid"],
            "alike": row["alike"] == "yes"})
        case["measured"][way] = row["seconds"]
        case["predicted"][way] = row["predicted_s"]
    return list(found.values())


def weigh(case):
    """What the choice costs."""
    measured = case["measured"]
    if case["chosen"] not in measured:
        raise Unusable(f"{case['set']}, {case['routine']}, n = {case['n']}: "
                       f"'{case['chosen']}' is chosen and not measured")
    case["fastest"] = min(measured, key=measured.get)
    case["loss"] = measured[case["chosen"]] / measured[case["fastest"]] - 1
    return case


def tell_cases(cases):
    print(f"{'hosts':<6} {'routine':<8} {'n':>5} {'nb':>3} "
          + " ".join(f"{way + ' s':>8} {'/pred.':>6}" for way in
                     WAYS.values())
          + f" {'grid':>5} {'chosen':>7} {'fastest':>7} {'loss':>7}")
    for case in cases:
        text = ""
        for way in WAYS.values():
            if way in case["measured"]:
                seconds, told = case["measured"][way], case["predicted"][way]
                text += f" {seconds:8.4f} {told / seconds:6.2f}"
            else:
                text += f" {'-':>8} {'-':>6}"
        print(f"{case['set']:<6} {case['routine']:<8} {case['n']:5} "
              f"{case['nb']:3}{text} {case['grid'] or '-':>5} "
              f"{case['chosen']:>7} {case['fastest']:>7} "
              f"{100 * case['loss']:5.1f} %"
              + (" alike" if case["alike"]
                 else "" if 1 + case["loss"] <= NEAR else " *"))


# ----- the choice ------------------------------------------------------------

def judge(losses):
    """How many are right, and the mean."""
    return (sum(1 + loss <= NEAR for loss in losses),
            100 * sum(losses) / len(losses))


def tell_choice(cases):
    """Where hosts are alike, there is nothing to choose."""
    near = f"within {100 * NEAR - 100:.0f} %"
    alike = sum(case["alike"] for case in cases)
    cases = [case for case in cases if not case["alike"]]
    print()
    if alike:
        print(f"in {alike} case{'s' * (alike > 1)} hosts are alike: "
              "ScaLAPACK's routine by rule, whatever is predicted")
    if not cases:
        return
    losses = [case["loss"] for case in cases]
    good, mean = judge(losses)
    share = good / len(cases)
    print(f"choice: the fastest way in {losses.count(0)} of {len(cases)} "
          f"cases, {near} of it in {good}, {100 * share:.0f} %; mean loss "
          f"{mean:.1f} %, worst {100 * max(losses):.1f} %")
    print(f"claim, {near} in at least 90 %: "
          + ("shown" if share >= 0.9 else "not shown"))
    for way in WAYS.values():
        good, mean = judge([
            case["measured"].get(way, case["measured"].get("real"))
            / case["measured"][case["fastest"]] - 1 for case in cases])
        print(f"always {way}: {near} in {100 * good / len(cases):.0f} %, mean "
              f"loss {mean:.0f} %")


# ----- predictions -----------------------------------------------------------

def ratios(cases, routine, way):
    return sorted(case["predicted"][way] / case["measured"][way]
                  for case in cases
                  if case["routine"] == routine and way in case["measured"])


def tell_predictions(cases):
    print(f"\npredicted / measured\n{'routine':<8} {'way':<5} {'cases':>5} "
          f"{'least':>6} {'median':>6} {'most':>6} {'off by':>7}  within")
    for routine in distinct(cases, "routine"):
        for way in WAYS.values():
            r = ratios(cases, routine, way)
            if not r:
                continue
            off = sum(abs(math.log(x)) for x in r) / len(r)
            most = WITHIN[routine]
            inside = sum(1 / most <= x <= most for x in r)
            print(f"{routine:<8} {way:<5} {len(r):5} {r[0]:6.2f} "
                  f"{r[len(r) // 2]:6.2f} {r[-1]:6.2f} "
                  f"{100 * math.expm1(off):5.0f} %  {inside} of {len(r)} "
                  f"within {100 * most - 100:.0f} %")


def tell_auto(rows, name):
    """What calls take as HESCA serves them, beside ScaLAPACK's."""
    print(f"\n{name}: calls as HESCA serves them beside ScaLAPACK's routine, "
          f"medians of {rows[0]['runs']}")
    for plain in rows:
        for auto in rows:
            if (plain["way"], auto["way"]) == ("plain", "auto") and all(
                    plain[c] == auto[c] for c in ("routine", "n", "nb")):
                more = 100 * (auto["seconds"] / plain["seconds"] - 1)
                print(f"{plain['routine']:<8} {plain['n']:5} real "
                      f"{plain['seconds']:8.4f} s, auto "
                      f"{auto['seconds']:8.4f} s ({auto['chosen']}), "
                      f"{more:+.1f} %" + ("" if more <= 3 else " *"))


def save(cases, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        key = ["set", "routine", "n", "nb", "grid", "alike"]
        out.writerow(key + [f"{way}{what}" for way in WAYS.values()
                            for what in ("_s", "_predicted_s")]
                     + ["chosen", "fastest", "loss"])
        for case in cases:
            times = [case[what].get(way) for way in WAYS.values()
                     for what in ("measured", "predicted")]
            out.writerow([case[c] for c in key[:-1]]
                         + ["yes" if case["alike"] else "no"]
                         + ["" if t is None else f"{t:.9g}" for t in times]
                         + [case["chosen"], case["fastest"],
                            f"{case['loss']:.6f}"])


def draw(cases):
    panels = []
    for routine in distinct(cases, "routine"):
        mine = [case for case in cases if case["routine"] == routine]
        lines = {way: [(case["measured"][way],
                        case["predicted"][way] / case["measured"][way])
                       for case in mine if way in case["measured"]]
                 for way in WAYS.values()}
        ends = [x for points in lines.values() for x, _ in points]
        lines["measured = predicted"] = [(min(ends), 1), (max(ends), 1)]
        panels.append(Chart(routine, lines,
                            (Axis, "seconds measured", "{:g}".format), Fine,
                            apart=WAYS.values()))
    facts = (f"{len(cases)} cases on {len(distinct(cases, 'set'))} sets of "
             "hosts; medians")
    return charts("Predicted / measured", facts, panels, COLOURS,
                  "{:g}".format, "{:.3g}".format)


def main():
    parser = argparse.ArgumentParser(
        description="Tell how good HESCA's choice and predictions are.",
        epilog="Exit status: 0, 1 if a CSV file cannot be used or a result "
        "not written, 2 for wrong options.")
    parser.add_argument("file", nargs="+", help="CSV, named after its hosts")
    parser.add_argument("--csv", required=True, help="cases to write")
    parser.add_argument("-o", "--output", required=True, metavar="SVG",
                        help="picture to write")
    args = parser.parse_args()
    try:
        cases, autos = [], []
        for path in args.file:
            rows = read(path, COLUMNS)
            name = os.path.splitext(os.path.basename(path))[0]
            if "auto" in distinct(rows, "way"):
                autos.append((rows, name))
            else:
                cases += [weigh(case) for case in gather(rows, name)]
        if not cases:
            raise Unusable("there are no cases")
        tell_cases(cases)
        tell_choice(cases)
        tell_predictions(cases)
        for rows, name in autos:
            tell_auto(rows, name)
        save(cases, args.csv)
        write(draw(cases), args.output)
    except OSError as error:
        sys.exit(f"choice.py: {error.filename or 'stdout'}: {error.strerror}")
    except Unusable as error:
        sys.exit(f"choice.py: {error}")


if __name__ == "__main__":
    main()

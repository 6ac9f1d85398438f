#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The way that HESCA chooses beside the fastest one, and predictions beside
what was measured, from what time_gemm, time_gesv, time_potrf, time_getrs and
time_potrs have written as CSV; choice.sh makes it.

Usage: choice.py two.csv slow.csv ... [equal-auto.csv] --csv choice.csv
                 -o choice.svg [--second row5,pair]
       choice.py row5.csv pair.csv --worst 2

Files are named after sets of hosts; files without other ways than plain and
auto compare these two only.  Sets of the second group are reported apart, since
constants of predictions are fitted to one group alone.  --worst prints the
cases in which calls as HESCA serves them are slowest beside ScaLAPACK's, as set,
routine, n, nb, and nothing else.
"""

import csv
import math
import os
import sys

from svg import Axis, Chart, Fine, charts, write
from timings import (Unusable, attempt, distinct, files, of, output, parse,
                     read, schema)

COLUMNS = schema(text="routine way right chosen other_grid alike",
                 count="n nb runs", positive="seconds first_s predicted_s")
# Names of ways in the files, and what the library calls them.
WAYS = {"plain": "real", "hohe": "hohe", "grid": "grid"}
COLOURS = {"real": "#52606d", "hohe": "#c62828", "grid": "#1565c0",
           "measured = predicted": "#9aa5b1"}
SLOWER = 1.03  # what auto may take of ScaLAPACK's time
STEP = 20  # margins are multiples of 1 / STEP
NEAR = 1.10  # what is no slower than the fastest by more than that is right
WITHIN = {"pdgemm": 1.20, "pdpotrf": 1.25, "pdgesv": 1.25, "pdgetrs": 1.25,
          "pdpotrs": 1.25}


# ----- cases -----------------------------------------------------------------

def gather(rows, name):
    """Of a file: for each case the way chosen, and the times of all ways.
    Where no other grid is predicted to be better, that way is ScaLAPACK's."""
    found = {}
    for row in rows:
        way = WAYS.get(row["way"])
        if way == "grid" and not row["other_grid"]:
            continue
        case = found.setdefault((row["routine"], row["n"], row["nb"]), {
            "set": name, "routine": row["routine"], "n": row["n"],
            "nb": row["nb"], "chosen": row["chosen"], "measured": {},
            "predicted": {}, "first": {}, "grid": row["other_grid"],
            "alike": row["alike"] == "yes"})
        if row["way"] == "auto":
            case["auto"] = row["seconds"]
            case["auto_first"] = row["first_s"]
        elif way is not None:
            case["measured"][way] = row["seconds"]
            case["predicted"][way] = row["predicted_s"]
            case["first"][way] = row["first_s"]
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


def print_cases(cases):
    print(f"{'hosts':<8} {'routine':<8} {'n':>5} {'nb':>3} "
          + " ".join(f"{way + ' s':>8} {'/pred.':>6}" for way in
                     WAYS.values())
          + f" {'grid':>5} {'chosen':>7} {'fastest':>7} {'loss':>7}"
          + (f" {'auto s':>8}" if any("auto" in case for case in cases)
             else ""))
    for case in cases:
        text = ""
        for way in WAYS.values():
            if way in case["measured"]:
                seconds, forecast = case["measured"][way], case["predicted"][way]
                text += f" {seconds:8.4f} {forecast / seconds:6.2f}"
            else:
                text += f" {'-':>8} {'-':>6}"
        print(f"{case['set']:<8} {case['routine']:<8} {case['n']:5} "
              f"{case['nb']:3}{text} {case['grid'] or '-':>5} "
              f"{case['chosen']:>7} {case['fastest']:>7} "
              f"{100 * case['loss']:5.1f} %"
              + (f" {case['auto']:8.4f}" if "auto" in case else "")
              + (" alike" if case["alike"]
                 else "" if 1 + case["loss"] <= NEAR else " *"))


# ----- the choice ------------------------------------------------------------

def judge(losses):
    """How many are right, and the mean."""
    return (sum(1 + loss <= NEAR for loss in losses),
            100 * sum(losses) / len(losses))


def print_choice(cases):
    """Where hosts are equal, there is nothing to choose."""
    near = f"within {100 * NEAR - 100:.0f} %"
    alike = sum(case["alike"] for case in cases)
    cases = [case for case in cases if not case["alike"]]
    print()
    if alike:
        print(f"in {alike} case{'s' * (alike > 1)} hosts are alike, which "
              "does not count as a choice")
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


def print_predictions(cases):
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


# ----- second group ----------------------------------------------------------

def excess(case, way):
    """By what factor the gain of a way was predicted too high; None where
    none was predicted."""
    forecast, took = case["predicted"], case["measured"]
    if way not in forecast or forecast[way] >= forecast["real"]:
        return None
    return forecast["real"] / forecast[way] / (took["real"] / took[way])


def misleading(cases, routine, way):
    """Gains that were predicted where the way was slower, the least first."""
    return sorted(
        (case["predicted"]["real"] / case["predicted"][way] - 1, case["set"],
         case["n"]) for case in cases
        if case["routine"] == routine and excess(case, way) is not None
        and case["measured"][way] > SLOWER * case["measured"]["real"])


def find_margin(cases, routine, way):
    """What a predicted gain must exceed so that none of these is slower, and a
    step more."""
    wrong = misleading(cases, routine, way)
    worst = wrong[-1][0] if wrong else 0
    return (max(math.ceil(STEP * worst - 1e-9), 1) + 1) / STEP


def print_margins(cases):
    print("\ngain predicted / measured, where one was predicted; slower in "
          "spite of that\n"
          f"{'routine':<8} {'way':<5} {'cases':>5} {'median':>6} {'most':>6} "
          f"{'slower':>6}  so a prediction must exceed")
    for routine in distinct(cases, "routine"):
        for way in ("hohe", "grid"):
            off = sorted(excess(case, way) for case in cases
                         if case["routine"] == routine
                         and excess(case, way) is not None)
            wrong = misleading(cases, routine, way)
            if off:
                print(f"{routine:<8} {way:<5} {len(off):5} "
                      f"{off[len(off) // 2]:6.2f} {off[-1]:6.2f} "
                      f"{len(wrong):6}  "
                      f"{100 * find_margin(cases, routine, way):.0f} %"
                      + (f" (worst: {wrong[-1][1]}, n = {wrong[-1][2]})"
                         if wrong else ""))


def print_first(cases):
    """What the first call of a kind takes beyond those that repeat it."""
    print("\nseconds that a first call takes longer, beyond those of "
          f"ScaLAPACK's\n{'routine':<8} {'way':<5} {'cases':>5} "
          f"{'median':>8} {'most':>8}")
    for routine in distinct(cases, "routine"):
        for way in ("hohe", "grid"):
            more = sorted(
                case["first"][way] - case["measured"][way]
                - (case["first"]["real"] - case["measured"]["real"])
                for case in cases
                if case["routine"] == routine and way in case["first"])
            if more:
                print(f"{routine:<8} {way:<5} {len(more):5} "
                      f"{more[len(more) // 2]:8.4f} {more[-1]:8.4f}")


def take(case, margins):
    """The way that is taken with these margins, without those in seconds."""
    forecast = case["predicted"]
    best = [way for way in ("hohe", "grid") if way in forecast
            and forecast["real"] > (1 + margins[way]) * forecast[way]]
    return min(best, key=forecast.get) if best else "real"


def print_crossed(cases):
    """Whether margins hold for hosts that they were not taken from."""
    losses = []
    for case in cases:
        others = [x for x in cases if x["set"] != case["set"]]
        way = take(case, {way: find_margin(others, case["routine"], way)
                          for way in ("hohe", "grid")})
        if way != "real":
            losses.append((case["measured"][way] / case["measured"]["real"],
                           case))
    slower = [loss for loss, _ in losses if loss > SLOWER]
    print(f"by margins from the other sets alone {len(losses)} of "
          f"{len(cases)} calls would go another way, "
          f"{len(slower)} of them slower by more than "
          f"{100 * SLOWER - 100:.0f} %"
          + (f", at most by {100 * max(slower) - 100:.0f} %" if slower
             else ""))


def name_case(case):
    return f"{case['set']}, {case['routine']}, n = {case['n']}"


def print_slowest(what, pairs):
    """Of (quotient, case)."""
    ratios = sorted(ratio for ratio, _ in pairs)
    worst, case = max(pairs, key=lambda pair: pair[0])
    print(f"{what}: {100 * ratios[len(ratios) // 2] - 100:+.1f} % in the "
          f"median, at worst {100 * worst - 100:+.1f} % ({name_case(case)}); "
          f"more than {100 * SLOWER - 100:.0f} % in "
          f"{sum(ratio > SLOWER for ratio in ratios)} of {len(ratios)}")
    return worst


def print_served(cases):
    """Calls as HESCA serves them beside ScaLAPACK's, and what it leaves."""
    served = [case for case in cases if "auto" in case]
    if served:
        print_slowest("\nauto beside ScaLAPACK's call", [
            (case["auto"] / case["measured"]["real"], case)
            for case in served])
        print_slowest("first calls alone", [
            (case["auto_first"] / case["first"]["real"], case)
            for case in served])
    left = [case for case in cases if case["chosen"] == "real"]
    print(f"left to ScaLAPACK: {len(left)} of {len(cases)} cases")
    lost = sorted(((1 + case["loss"], case) for case in left
                   if case["loss"] > 0), key=lambda pair: pair[0])
    if lost:
        mean = math.exp(sum(math.log(gain) for gain, _ in lost) / len(lost))
        print(f"gains given up: in {len(lost)} of these another way would "
              f"have been faster, {mean:.2f} times in the mean, at most "
              f"{lost[-1][0]:.2f} times ({name_case(lost[-1][1])})")
    gains = sorted(case["measured"]["real"] / case["measured"][case["chosen"]]
                   for case in cases if case["chosen"] != "real")
    if gains:
        print(f"calls that go another way: {gains[0]:.2f} to {gains[-1]:.2f} "
              f"times as fast, median {gains[len(gains) // 2]:.2f}")


def print_second(cases):
    print("\n--- second group ---")
    print_cases(cases)
    print_choice(cases)
    print_served(cases)
    print_predictions(cases)
    unlike = [case for case in cases if not case["alike"]]
    print_margins(unlike)
    print_crossed(unlike)
    print_first(cases)


def name_worst(cases, count):
    served = sorted((case for case in cases if "auto" in case),
                    key=lambda case: case["measured"]["real"] / case["auto"])
    for case in served[:count]:
        print(case["set"], case["routine"], case["n"], case["nb"])


def print_auto(rows, name):
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
        out.writerow(key + ["second"]
                     + [f"{way}{what}" for way in WAYS.values()
                        for what in ("_s", "_predicted_s", "_first_s")]
                     + ["auto_s", "auto_first_s", "chosen", "fastest", "loss"])
        for case in cases:
            times = [case[what].get(way) for way in WAYS.values()
                     for what in ("measured", "predicted", "first")]
            times += [case.get("auto"), case.get("auto_first")]
            out.writerow([case[c] for c in key[:-1]]
                         + ["yes" if case[c] else "no"
                            for c in ("alike", "second")]
                         + ["" if t is None else f"{t:.9g}" for t in times]
                         + [case["chosen"], case["fastest"],
                            f"{case['loss']:.6f}"])


def draw(cases):
    panels = []
    kinds = dict.fromkeys((case["second"], case["routine"]) for case in cases)
    for second, routine in kinds:
        mine = of(cases, second=second, routine=routine)
        lines = {way: [(case["measured"][way],
                        case["predicted"][way] / case["measured"][way])
                       for case in mine if way in case["measured"]]
                 for way in WAYS.values()}
        ends = [x for points in lines.values() for x, _ in points]
        lines["measured = predicted"] = [(min(ends), 1), (max(ends), 1)]
        panels.append(Chart(routine + ", second group" * second, lines,
                            (Axis, "seconds measured", "{:g}".format), Fine,
                            apart=WAYS.values()))
    facts = (f"{len(cases)} cases on {len(distinct(cases, 'set'))} sets of "
             "hosts; medians")
    return charts("Predicted / measured", facts, panels, COLOURS,
                  "{:g}".format, "{:.3g}".format)


def run(args):
    cases, pairs = [], []
    for path in args.csv:
        rows = read(path, COLUMNS)
        name = os.path.splitext(os.path.basename(path))[0]
        if set(distinct(rows, "way")) <= {"plain", "auto"}:
            pairs.append((rows, name))
        else:
            cases += [weigh(case) for case in gather(rows, name)]
    if not cases:
        raise Unusable("there are no cases")
    if args.worst is not None:
        name_worst(cases, args.worst)
        return
    for case in cases:
        case["second"] = case["set"] in args.second.split(",")
    cases.sort(key=lambda case: case["second"])
    first = of(cases, second=False)
    if first:
        print_cases(first)
        print_choice(first)
        print_predictions(first)
    if len(first) < len(cases):
        print_second(cases[len(first):])
    for rows, name in pairs:
        print_auto(rows, name)
    save(cases, args.cases)
    write(draw(cases), args.output)


def main():
    args = parse(
        "Print how good HESCA's choice and predictions are.",
        files("CSV, named after its hosts"),
        ("--second", {"default": "", "metavar": "NAME,...",
                       "help": "sets of the second group"}),
        ("--worst", {"type": int, "metavar": "N", "help": "only name the N "
                     "cases in which auto is slowest"}),
        ("--csv", {"dest": "cases", "help": "cases to write"}),
        output(default=None))
    if args.worst is None and not (args.cases and args.output):
        print("choice.py: --csv and -o are needed, or --worst",
              file=sys.stderr)
        sys.exit(2)
    attempt(lambda: run(args))


if __name__ == "__main__":
    main()

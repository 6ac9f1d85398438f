#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print and draw what cluster.sh has measured on an emulated cluster.

Usage: cluster.py DIR

Reads hosts, cluster.machine, redist-K.csv, plan-K.json, trace-K.csv and
coll-*.csv in DIR; prints tables, writes summary.csv and cluster.svg there.
"""

import csv
import json
import pathlib
import re
import statistics

from svg import (MARGIN, RULE, WIDTH, headline, legend, line, picture,
                 readable, rectangle, size_text, text, write)
from timings import (NUMBER, Unusable, attempt, convert, distinct, layout, of,
                     parse, read, schema)

COLL = schema({"right": ("yes|no", "yes or no")},
              count="processes rounds segments", positive="bytes median_s min_s",
              maybe="predicted_s bound_s", text="collective case by schedule")
TRACE = schema(dict.fromkeys(("bytes", "start", "end"), (NUMBER, "a number")),
               count="src dest", text="kind schedule")
OTHERS = "pdgemr2d", "MPI"  # what is not HESCA
UNITS = {"": 1e-6, "k": 1e-3, "m": 1, "g": 1e3}  # of rates, in Mbit/s

# Columns of summary.csv, and of rows here.  base_s is the other library's.
COLUMNS = ("what", "bytes", "by", "chosen", "repeats", "median_s", "base_s",
           "predicted_s", "bound_s", "right")


# ----- links -----------------------------------------------------------------

def lines_of(path):
    """Where a line is and its words, comments left out."""
    with open(path, encoding="utf-8") as file:
        for number, content in enumerate(file, 1):
            words = content.split("#")[0].split()
            if words:
                yield f"{path}:{number}", words


def configured(path):
    """Hosts and the rates of their links, Mbit/s; None: no limit."""
    rates = {}
    for where, words in lines_of(path):
        found = re.fullmatch(r"(.+?)([kmg]?)bit|-",
                             " ".join(words[2:3]).lower())
        if not found or found[1] and not re.fullmatch(NUMBER, found[1]):
            raise Unusable(f"{where}: '{' '.join(words)}' is not a host with "
                           "a rate")
        rates[words[0]] = found[1] and float(found[1]) * UNITS[found[2]]
    return rates


def measured(path, rates):
    """(from, to, startup in s, Mbit/s) of both directions of all links, as
    hesca probe writes them: numbers without units."""
    for where, words in lines_of(path):
        if words[0] not in ("link", "links"):
            continue
        if len(words) != 7:
            raise Unusable(f"{where}: '{words[0]}' is not of hesca probe")
        for host in words[1:3]:
            if host not in rates:
                raise Unusable(f"{where[:where.rindex(':')]}: host '{host}' "
                               "is not in the file hosts")
        startup, rate = (convert((NUMBER, "a number"), name, value, where)
                         for name, value in zip(words[3::2], words[4::2]))
        ends = [words[1:3]] + [words[2:0:-1]] * (words[0] == "links")
        for source, dest in ends:
            yield source, dest, float(startup), 8e-6 * float(rate)


def print_links(rates, links):
    print("from       to         startup us   Mbit/s  configured  found/conf.")
    for source, dest, startup, rate in links:
        ends = [r for r in (rates[source], rates[dest]) if r]
        expected = (f" {min(ends):11g} {rate / min(ends):12.3f}" if ends
                else "           -            -")
        print(f"{source:10} {dest:10} {1e6 * startup:10.1f} {rate:8.1f}"
              + expected)


# ----- times -----------------------------------------------------------------

def busiest(path):
    """Lower bound of an exchange: what the process with most to send or to
    receive needs for it, by the predicted times of its messages."""
    sums = {}
    for row in read(path, TRACE):
        if row["kind"] == "predicted":
            for end in ("src", "dest"):
                key = end, row[end]
                sums[key] = sums.get(key, 0) + float(row["end"]) \
                    - float(row["start"])
    if not sums:
        raise Unusable(f"{path}: nothing was predicted")
    return max(sums.values())


def predictions(path):
    """Schedule: its name and seconds; also for auto."""
    with open(path, encoding="utf-8") as file:
        try:
            table = json.load(file)["schedules"]
            expected = {s["name"]: (s["name"], s["seconds"]) for s in table}
            expected["auto"] = next(expected[s["name"]] for s in table if s["auto"])
        except (ValueError, KeyError, TypeError, StopIteration) as error:
            raise Unusable(f"{path}: not of hesca plan: {error}") from None
    return expected


def redistribution(path, number):
    rows = read(path / f"redist-{number}.csv")
    expected = predictions(path / f"plan-{number}.json")
    bound = busiest(path / f"trace-{number}.csv")
    first = rows[0]
    what = (f"{layout(first, 'a')} to {layout(first, 'b')}, "
            f"{first['m']} x {first['n']}")
    real = statistics.median(r["real_median_s"] for r in rows)
    common = {"what": what, "bytes": first["bytes"], "bound_s": bound,
              "base_s": real}
    yield {**common, "by": "pdgemr2d", "chosen": "", "median_s": real,
           "predicted_s": None,
           "repeats": sum(r["repeats"] for r in rows),
           "right": "yes" if {r["identical"] for r in rows} == {"yes"}
           else "no"}
    for row in rows:
        if row["schedule"] not in expected:
            raise Unusable(f"{row['where']}: schedule: '{row['schedule']}' "
                           "was not predicted")
        chosen, seconds = expected[row["schedule"]]
        yield {**common, "by": row["schedule"], "chosen": chosen,
               "repeats": row["repeats"], "median_s": row["hesca_median_s"],
               "predicted_s": seconds, "right": row["identical"]}


def collective(path):
    rows = read(path, COLL)
    base = {r["bytes"]: r["median_s"] for r in rows if r["by"] == "MPI"}
    if {r["bytes"] for r in rows} != set(base):
        raise Unusable(f"{path}: nothing by MPI")
    bound = max(r["bound_s"] or 0 for r in rows)
    for row in rows:
        name = "broadcast" if row["collective"] == "bcast" else \
            "total exchange"
        yield {"what": f"{name}, {row['case']}", "bytes": row["bytes"],
               "by": row["by"], "chosen": row["schedule"],
               "repeats": row["rounds"], "median_s": row["median_s"],
               "base_s": base[row["bytes"]], "bound_s": bound,
               "predicted_s": row["predicted_s"], "right": row["right"]}


def collect(path):
    rows = []
    for file in sorted(path.glob("redist-*.csv")):
        rows += redistribution(path, file.stem.split("-")[1])
    for file in sorted(path.glob("coll-*.csv")):
        rows += collective(file)
    if not rows:
        raise Unusable(f"{path}: no redist-*.csv, no coll-*.csv")
    return rows


# ----- tables ----------------------------------------------------------------

def name_of(row):
    return row["by"] + (f" ({row['chosen']})" if row["by"] == "auto" else "")


def milliseconds(value):
    return f"{1e3 * value:10.1f}" if value else "         -"


def print_rows(rows):
    for what in distinct(rows, "what"):
        members = of(rows, what=what)
        print(f"\n{what}, {size_text(members[0]['bytes'])}\n"
              f"{'by':26}  median ms  other/it  predicted  it/pred.  "
              "    bound  it/bound  right")
        for row in members:
            expected = row["predicted_s"]
            print(f"{name_of(row):26} {milliseconds(row['median_s'])} "
                  f"{row['base_s'] / row['median_s']:9.2f} "
                  f"{milliseconds(expected)} "
                  + (f"{row['median_s'] / expected:9.2f} " if expected
                     else "        - ")
                  + f"{milliseconds(row['bound_s'])} "
                  f"{row['median_s'] / row['bound_s']:9.2f}  {row['right']}")


def save(rows, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


# ----- picture ---------------------------------------------------------------

COLOURS = {"other library": "#9aa5b1", "links disregarded": "#ef8a17",
           "by their costs": "#1565c0", "auto": "#2e7d32",
           "predicted": "#111111", "lower bound": "#c62828"}
BAR, STEP, HEAD, LEFT, RIGHT = 16, 22, 34, 190, 190


def colour(row):
    if row["by"] in OTHERS:
        return COLOURS["other library"]
    if row["by"] in ("direct", "direct-async", "binomial", "caterpillar"):
        return COLOURS["links disregarded"]
    return COLOURS["auto" if row["by"] == "auto" else "by their costs"]


def draw_panel(what, members, top):
    """Bars, marks where they were predicted to end, a line at the bound."""
    longest = max(max(row["median_s"], row["predicted_s"] or 0)
                  for row in members)
    at, width = MARGIN + LEFT, WIDTH - 2 * MARGIN - LEFT - RIGHT
    bottom = top + HEAD + STEP * len(members)
    parts = [text(MARGIN, top + 18, 14, f"{what}, "
                  + size_text(members[0]["bytes"]), weight="bold")]
    for k, row in enumerate(members):
        y = top + HEAD + k * STEP
        expected, seconds = row["predicted_s"], row["median_s"]
        note = readable(seconds)
        parts += [text(at - 8, y + 12, 12.5, name_of(row), anchor="end"),
                  rectangle(at, y, width * seconds / longest, BAR,
                            colour(row), 2)]
        if expected:
            parts.append(rectangle(at + width * expected / longest - 1.5, y - 2, 3,
                                   BAR + 4, COLOURS["predicted"]))
            note += f", {seconds / expected:.2f} x predicted"
        end = max(seconds, expected or 0)
        parts.append(text(at + width * end / longest + 8, y + 12, 12.5, note))
    x = at + width * members[0]["bound_s"] / longest
    return parts + [line(at, top + HEAD - 4, at, bottom, RULE),
                    line(x, top + HEAD - 4, x, bottom,
                         COLOURS["lower bound"])], bottom + 16


def draw(rows, rates):
    title = "Real processes, unequal links: median times"
    links = ", ".join(f"{host} {rate:g}" if rate else f"{host} no limit"
                      for host, rate in rates.items())
    parts = headline(title, f"hosts and their links, Mbit/s: {links}")
    entries, bottom = legend(COLOURS.items(), 80)
    bottom += 14
    for what in distinct(rows, "what"):
        panel, bottom = draw_panel(what, of(rows, what=what), bottom)
        parts += panel
    return picture(title, bottom + 8, parts + entries)


def run(path):
    rates = configured(path / "hosts")
    print_links(rates, measured(path / "cluster.machine", rates))
    rows = collect(path)
    print_rows(rows)
    save(rows, path / "summary.csv")
    write(draw(rows, rates), path / "cluster.svg")


def main():
    args = parse("Print and draw what cluster.sh has measured.",
                 ("dir", {"type": pathlib.Path, "help": "cluster.sh's -o"}))
    attempt(lambda: run(args.dir))


if __name__ == "__main__":
    main()

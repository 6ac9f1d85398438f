#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check what hesca plan prints against the elements themselves, one by one.

Usage: check_plan.py HESCA OPTION...
       check_plan.py --run COMMAND SCHEDULES HESCA OPTION...

Every schedule that applies to the redistribution is asked for, with its
picture and what each process does.  Owners come from ScaLAPACK's definition of
a layout, and bytes from counting elements; nothing here knows how schedules
are made, but that direct ones send each pair's elements once, and that Bruck's
sends a packet over the powers of two that make up its way round the circle.

--run: compare with what the library does.  COMMAND runs the redistribution,
with HESCA_SCHEDULE and HESCA_VERBOSE=2 in its environment; SCHEDULES is all or
names separated by commas.

Exit status: 0, or 1 with a line that names what is wrong.
"""

import collections
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
DIRECT = ("local", "direct-async", "direct", "alltoall")
QUEUED = {"openshop", "openshop-lpt", "polished", "maxmatch", "minmatch",
          "greedy", "caterpillar"}


def require(true, *what):
    if not true:
        sys.exit("check_plan.py: " + " ".join(map(str, what)))


def ask(hesca, options):
    done = subprocess.run([hesca, "plan", *options], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)
    require(done.returncode == 0 and not done.stderr, *options, done.stderr)
    return done.stdout


def generalized_owner(lengths, i):
    """Owner of the generalized block's index i modulo its size."""
    owners = [p for p, length in enumerate(lengths) for _ in range(length)]
    return owners[i % len(owners)]


def owner(side, i, j):
    """Rank of the owner of element (i,j), which count from 1."""
    if "heights" in side:
        p = generalized_owner(side["heights"], i - 1)
        q = generalized_owner(side["widths"], j - 1)
    else:
        p = ((i - 1) // side["mb"] + side["rsrc"]) % side["nprow"]
        q = ((j - 1) // side["nb"] + side["csrc"]) % side["npcol"]
    return side["first"] + p * side["npcol"] + q


def count_pairs(problem):
    """Bytes of each pair of processes, those of whole rectangles."""
    a, b = problem["a"], problem["b"]
    pairs = collections.Counter()
    for i, j in itertools.product(range(problem["m"]), range(problem["n"])):
        pairs[owner(a, a["i"] + i, a["j"] + j),
              owner(b, b["i"] + i, b["j"] + j)] += problem["esize"]
    return pairs


def ranks(problem):
    return sorted({side["first"] + k for side in (problem["a"], problem["b"])
                   for k in range(side["nprow"] * side["npcol"])})


def figures(sent):
    """Bytes in all and at most, of (process, bytes)."""
    of = collections.Counter()
    for rank, count in sent:
        of[rank] += count
    return sum(of.values()), max(of.values(), default=0)


def partners(pairs):
    """The most of one process, itself included."""
    out = collections.Counter(a for a, _ in pairs)
    into = collections.Counter(b for _, b in pairs)
    return max([*out.values(), *into.values()], default=0)


def check_direct(row, messages, pairs):
    """Each pair once; queues hold only what leaves."""
    moved = {pair: n for pair, n in pairs.items() if pair[0] != pair[1]}
    require(row["messages"] == len(moved), row, "messages", len(moved))
    steps = partners(moved if row["name"] in QUEUED else pairs)
    require(row["steps"] == steps, row, "steps", steps)
    require((row["bytes"], row["bytes_most"]) ==
            figures((a, n) for (a, _), n in moved.items()), row, "bytes")
    require({(m["from"], m["to"]): m["bytes"] for m in messages} == moved,
            row, "pairs")


def check_bruck(row, messages, pairs, circle):
    sent = []
    for (a, b), count in pairs.items():
        at, far = circle.index(a), circle.index(a) - circle.index(b)
        for bit in range(len(circle).bit_length()):
            if far % len(circle) >> bit & 1:
                sent.append((circle[at % len(circle)], count))
                at -= 1 << bit
    require((row["bytes"], row["bytes_most"]) == figures(sent), row, "bytes")
    require(row["steps"] == (len(circle) - 1).bit_length(), row, "steps")
    require(sum(m["packets"] for m in messages) == len(sent), row, "packets")


def check_messages(row, messages, pairs):
    """Contention, sums, and that in the end all is where it belongs."""
    # A step of a queue is a place in the sender's.
    for end in ("from",) if row["name"] in QUEUED else ("from", "to"):
        ends = [(m["step"], m[end]) for m in messages]
        require(len(ends) == len(set(ends)), row, "two messages", end, "one")
    require(row["messages"] == len(messages), row, "messages")
    require((row["bytes"], row["bytes_most"]) ==
            figures((m["from"], m["bytes"]) for m in messages), row, "sums")
    surplus = collections.Counter()
    for (a, b), n in pairs.items():
        surplus[a] += n
        surplus[b] -= n
    for m in messages:
        surplus[m["from"]] -= m["bytes"]
        surplus[m["to"]] += m["bytes"]
    require(not any(surplus.values()), row, "leaves behind", surplus)


def check_text(text, row, messages, phases):
    """The cells of the drawing, and the bars between its phases."""
    lines = text[text.index("\nprocess") + 1:].splitlines()
    require(lines[0].count("|") == len(phases) - 1, row, "bars")
    cells = [line.replace("|", " ").split() for line in lines]
    require(cells[0][1:] == [str(k + 1) for k in range(row["steps"])], row)
    drawn = {(k + 1, int(line[0]), int(cell)) for line in cells[1:]
             for k, cell in enumerate(line[1:]) if cell != "."}
    require(drawn == {(m["step"], m["from"], m["to"]) for m in messages},
            row, "drawing")


def check_picture(path, row, messages, phases):
    def boxes(kind, name):
        return [x for x in picture.iter(SVG + kind) if x.get("class") == name]
    picture = tree.parse(path)
    require(len(boxes("rect", "message")) == row["messages"], row, "boxes")
    require(len(boxes("line", "phase")) == len(phases) - 1, row, "phase boundaries")
    notes = {tuple(map(int, re.findall(r"\d+", box.find(SVG + "title").text)))
             for box in boxes("rect", "message")}
    require(notes == {(m["step"], m["from"], m["to"], m["bytes"], m["packets"])
                      for m in messages}, row, "notes of boxes")


def check_process(row, rank, steps, messages):
    """Both ends report the same message; where the receiver has its own queue,
    but for the step."""
    for end, mine, other in (("to", "from", "to"), ("from", "to", "from")):
        own = end == "from" and row["name"] in QUEUED
        listed = {(own or s["step"], s[end]["rank"], s[end]["bytes"],
                 s[end]["packets"]) for s in steps if s[end]}
        seen = {(own or m["step"], m[other], m["bytes"], m["packets"])
                for m in messages if m[mine] == rank}
        require(listed == seen, "process", rank, end, listed ^ seen)


def check(hesca, options):
    plan = json.loads(ask(hesca, [*options, "--json"]))
    problem = plan["problem"]
    pairs, circle = count_pairs(problem), ranks(problem)
    best = [row["name"] for row in plan["schedules"] if row["auto"]]
    require(best == [plan["shown"]["schedule"]], "auto chooses", *best)
    require(problem["processes"] == len(circle), "processes")
    for row in plan["schedules"]:
        wanted = [*options, "--schedule", row["name"]]
        shown = json.loads(ask(hesca, [*wanted, "--json"]))["shown"]
        messages, phases = shown["messages"], shown["phases"]
        require(sum(phases) == row["steps"], row, "phases", phases)
        check_messages(row, messages, pairs)
        if row["name"] in (*DIRECT, *QUEUED):
            check_direct(row, messages, pairs)
        if row["name"] == "bruck":
            check_bruck(row, messages, pairs, circle)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "plan.svg")
            text = ask(hesca, [*wanted, "--svg", path])
            check_picture(path, row, messages, phases)
        check_text(text, row, messages, phases)
        for rank in (circle[0], circle[len(circle) // 2], circle[-1]):
            listed = json.loads(ask(hesca, [*wanted, "--json", "--rank",
                                          str(rank)]))["process"]
            check_process(row, rank, listed["steps"], messages)


LINE = re.compile(r"hesca: rank (\d+), \S+ step \d+ of \d+: (\d+) elements to "
                  r"(-?\d+), \d+ from ")


def compare(command, schedules, hesca, options):
    """What each rank logs first is its steps, those of all phases in order."""
    plan = json.loads(ask(hesca, [*options, "--json"]))
    for row in plan["schedules"]:
        if schedules != "all" and row["name"] not in schedules.split(","):
            continue
        shown = json.loads(ask(hesca, [*options, "--json", "--schedule",
                                       row["name"]]))["shown"]
        done = subprocess.run(
            shlex.split(command), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, universal_newlines=True,
            env=dict(os.environ, HESCA_VERBOSE="2",
                     HESCA_SCHEDULE=row["name"]))
        require(done.returncode == 0, command, done.stdout)
        step, ran = collections.Counter(), set()
        for rank, count, dest in LINE.findall(done.stdout):
            step[rank] += 1
            if step[rank] <= row["steps"] and int(count) and dest not in (
                    rank, "-1"):
                ran.add((step[rank], int(rank), int(dest),
                         int(count) * plan["problem"]["esize"]))
        require(step and min(step.values()) >= row["steps"], row, "steps")
        planned = {(m["step"], m["from"], m["to"], m["bytes"])
                   for m in shown["messages"]}
        require(ran == planned, row, "the library differs:", ran ^ planned)


if __name__ == "__main__":
    if sys.argv[1] == "--run":
        compare(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
    else:
        check(sys.argv[1], sys.argv[2:])

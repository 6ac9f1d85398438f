# SPDX-License-Identifier: BSD-3-Clause
"""Read what programs have written as CSV, for all scripts that print or draw it;
and what their main programs share.

Columns are found by their names, so files may have more of them, in any order.
What does not fit is reported with file, line, column and value.
"""

import argparse
import csv
import math
import os
import re
import sys

SIDES = ("p_{}", "q_{}", "first_{}", "mb_{}", "nb_{}", "rsrc_{}", "csrc_{}",
         "i{}", "j{}")
LAYOUTS = tuple(column.format(side) for side in "ab" for column in SIDES)
# What makes two measurements ones of the same case.
CASE = ("routine", "type", "uplo", "diag", "m", "n") + LAYOUTS + (
    "context", "processes", "schedule")
# The same, in files that have them.
CASE_IF_ANY = ("transport",)
# Where and on what it was measured.
FACTS = ("nodes", "cores", "mpi", "scalapack", "hesca")
REAL, HESCA, FLOOR = "real_median_s", "hesca_median_s", "floor_median_s"
NAMES = {REAL: "ScaLAPACK", HESCA: "HESCA", FLOOR: "memcpy (floor)"}

NUMBER = r"[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?"

# What a column may hold: a count, a number above 0, the same or nothing, any
# text, or what a pattern says, given with a description.
COUNT, POSITIVE, MAYBE, TEXT = "count", "positive", "maybe", "text"


def schema(also=None, **columns):
    """What the columns of a file hold: schema(count="n nb", text="way")."""
    kinds = {name: kind for kind, names in columns.items()
             for name in names.split()}
    return {**kinds, **(also or {})}


GEMR2D = schema({
    **dict.fromkeys(LAYOUTS, COUNT),
    "routine": ("p[isdcz](ge|tr)mr2d", "a routine"),
    "type": ("[isdcz]", "a type"),
    "uplo": ("[UL]?", "U or L"),
    "diag": ("[NU]?", "N or U"),
    "context": ("line|a", "line or a"),
    "identical": ("yes|no|-", "yes, no or -"),
}, count="m n processes nodes cores repeats", positive="bytes",
    maybe=" ".join(NAMES), text="schedule mpi scalapack hesca name")


class Unusable(Exception):
    """What is wrong with the input."""


def convert(kind, column, text, where):
    """The value of a column: an int, a float, a text, None for nothing."""
    where = f"{where}: {column}: '{text}' is not"
    if kind == COUNT:
        if not re.fullmatch("[0-9]{1,9}", text):
            raise Unusable(f"{where} a number of 1 to 9 digits")
        return int(text)
    if kind in (POSITIVE, MAYBE):
        if text == "" and kind == MAYBE:
            return None
        value = float(text) if re.fullmatch(NUMBER, text) else 0
        if not 0 < value < math.inf:
            raise Unusable(f"{where} a number above 0")
        return value
    pattern, must = (".*", "one line") if kind == TEXT else kind
    if not re.fullmatch(pattern, text):
        raise Unusable(f"{where} {must}")
    return text


def check_header(columns, schema, where):
    columns = columns or []
    for column in schema:
        if column not in columns:
            raise Unusable(f"{where}: no column '{column}'")
    for column in columns:
        if columns.count(column) > 1:
            raise Unusable(f"{where}: more than one column '{column}'")


def read_rows(path, lines, schema):
    check_header(lines.fieldnames, schema, f"{path}:1")
    for row in lines:
        where = f"{path}:{lines.line_num}"
        if None in row:
            raise Unusable(f"{where}: '{row[None][0]}' has no column")
        missing = [column for column, text in row.items() if text is None]
        if missing:
            raise Unusable(f"{where}: end of line: '{missing[0]}' is missing")
        for column, kind in schema.items():
            row[column] = convert(kind, column, row[column], where)
        row["where"] = where
        yield row


def read(path, schema=GEMR2D):
    """The rows of a file, as dictionaries; row["where"] is file and line.
    Raises Unusable or OSError."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = csv.DictReader(file, strict=True)
        try:
            rows = list(read_rows(path, lines, schema))
        except csv.Error as error:
            raise Unusable(f"{path}:{lines.line_num}: {error}") from None
        except UnicodeDecodeError as error:
            raise Unusable(f"{path}: not a text in UTF-8: {error}") from None
    if not rows:
        raise Unusable(f"{path}:1: nothing below the names of the columns")
    return rows


def layout(row, side):
    """A distribution as on time_gemr2d's command line."""
    text = f"{row[f'p_{side}']}x{row[f'q_{side}']}"
    if row[f"first_{side}"] > 0:
        text += f"@{row[f'first_{side}']}"
    text += f":{row[f'mb_{side}']}x{row[f'nb_{side}']}"
    if row[f"rsrc_{side}"] > 0 or row[f"csrc_{side}"] > 0:
        text += f":{row[f'rsrc_{side}']},{row[f'csrc_{side}']}"
    if row[f"i{side}"] > 1 or row[f"j{side}"] > 1:
        text += f" ({row[f'i{side}']},{row[f'j{side}']})"
    return text


def distinct(rows, column):
    """The values of a column, each once, in order of appearance."""
    return list(dict.fromkeys(row[column] for row in rows))


# ----- rows ------------------------------------------------------------------

def of(rows, **wanted):
    """Rows that have the values wanted."""
    return [row for row in rows
            if all(row[name] == value for name, value in wanted.items())]


def lines_of(rows, name, x, y):
    """For each name the points (x, y) of its rows that have a y.  A name, an x
    and a y are columns, or functions of a row."""
    def value(row, what):
        return what(row) if callable(what) else row[what]

    lines = {}
    for row in rows:
        if value(row, y) is not None:
            lines.setdefault(value(row, name), []).append(
                (value(row, x), value(row, y)))
    return lines


# ----- main ------------------------------------------------------------------

STATUS = ("Exit status: 0, 1 if a file cannot be used or written, 2 for wrong "
          "options.")
TITLE = "--title", {"help": "headline of the picture"}


def parse(about, *arguments, epilog=STATUS):
    """The options of a script: of each argument its name and how it is
    parsed."""
    parser = argparse.ArgumentParser(
        description=about, epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter
        if "\n" in epilog else argparse.HelpFormatter)
    for name, how in arguments:
        parser.add_argument(*name.split(), **how)
    return parser.parse_args()


def files(text):
    return "csv", {"nargs": "+", "help": text}


def output(**how):
    return "-o --output", {"metavar": "SVG", "help": "picture to write (default: "
                           "stdout)", "default": "-", **how}


def one_of(name, choices):
    return name, {"required": True, "choices": list(choices)} \
        if name.startswith("-") else {"choices": list(choices)}


def attempt(work, status=1):
    """Do it and return what it returns; what is wrong with a file is one line,
    and the exit status."""
    try:
        return work()
    except OSError as error:
        wrong = f"{error.filename or 'stdout'}: {error.strerror}"
    except Unusable as error:
        wrong = error
    print(f"{os.path.basename(sys.argv[0])}: {wrong}", file=sys.stderr)
    sys.exit(status)

/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "tools/lib/redist_request.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/tools.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIZE_MOST =
        INT32_MAX,        /* rows or columns that a descriptor can represent */
    PROCS_MOST = 1 << 12, /* planning of more takes hours */
    ESIZE_MOST = 1 << 20
};

/* Sums over all steps of all processes do not overflow int64_t. */
static const int64_t bytes_most = (int64_t)1 << 50;

typedef request options;

static int
set_layout(const cmdline_row *r, const char *text, void *layout)
{
    const char *must = request_layout_scan(text, layout);
    return must == NULL ||
           cmdline_complain("--%s '%s': must be %s", r->name, text, must);
}

/* The first NEEDED must be given. */
enum { NEEDED = 4 };
static const cmdline_row table[] = {
    OPT_NUMBER("m", "M", "rows to copy", m, 1, SIZE_MOST),
    OPT_NUMBER("n", "N", "columns to copy", n, 1, SIZE_MOST),
    OPT_FIELD("from", "LAYOUT", "of A, see below", set_layout, a),
    OPT_FIELD("to", "LAYOUT", "of B", set_layout, b),
    OPT_NUMBER("esize", "BYTES", "of an element (8)", esize, 1, ESIZE_MOST),
    OPT_NUMBER("ia", "IA", "first row of sub(A), from 1 (1)", ia, 1,
               SIZE_MOST),
    OPT_NUMBER("ja", "JA", "first column of sub(A) (1)", ja, 1, SIZE_MOST),
    OPT_NUMBER("ib", "IB", "first row of sub(B) (1)", ib, 1, SIZE_MOST),
    OPT_NUMBER("jb", "JB", "first column of sub(B) (1)", jb, 1, SIZE_MOST),
    OPT_CHOICE("part", REQUEST_PARTS, "what to copy (all)", part),
    OPT_TEXT("machine", "FILE",
             "what messages cost (HESCA_MACHINE, or defaults)", machine),
    OPT_CHOICE("between", REQUEST_LINKS,
               "costs between nodes, or between cores of one node", one_node),
    OPT_MORE("(cores)"),
    OPT_RANGE("load", "L", "processes per core (1)", load, 1, 1e6),
    OPT_TEXT("schedule", "NAME",
             "its steps are printed; as HESCA_SCHEDULE (auto)", schedule),
    OPT_NUMBER("rank", "R", "print the messages of process R only", rank, 0,
               SIZE_MOST),
    OPT_TEXT("svg", "FILE", "draw a picture, too", svg),
    OPT_FLAG("json", "print JSON", json),
};

enum { NROWS = sizeof table / sizeof *table };

/* ------------------------------------------------ help */

static const char introduction[] =
    "Usage: hesca plan --m M --n N --from LAYOUT --to LAYOUT [option]...\n"
    "Plan the redistribution of an M x N submatrix sub(A) = A(IA:IA+M-1, "
    "JA:JA+N-1)\n"
    "to sub(B), as of p?gemr2d (of p?trmr2d with --part), without running it: "
    "the\n"
    "schedules (order and routing of the messages) that apply, what each of "
    "them\n"
    "sends, its predicted time, and which one HESCA would choose; then what "
    "is sent\n"
    "in each step of one of them.  Parentheses: defaults.\n"
    "\n";

static const char explanation[] =
    "\n"
    "LAYOUT is PxQ[@FIRST]:MBxNB[:RSRC,CSRC]: process grid (filled by rows "
    "from rank\n"
    "FIRST on), block size, owner of the first block.  If MB is a list of one "
    "number\n"
    "for each process row (or NB of one for each process column), process row "
    "i owns\n"
    "blocks of MB_i rows, repeated cyclically: a generalized block-cyclic "
    "layout.\n"
    "3x1:4,2,1x8: three process rows with blocks of 4, 2 and 1 rows, and 8 "
    "columns.\n"
    "A and B are as large as sub(A) and sub(B) need.\n"
    "\n"
    "Bytes of schedules that combine and forward count every hop.  With "
    "--part they\n"
    "count, for each pair of processes, the whole rectangle of common rows "
    "and\n"
    "columns; direct messages in fact carry only the elements of the "
    "trapezoid,\n"
    "forwarded ones the whole rectangle.  Seconds are predicted from the "
    "costs of a\n"
    "machine file as hesca probe writes it (if it names H hosts, rank r is "
    "assumed to\n"
    "run on host r mod H, in the order of the file); no message is sent here. "
    " Where\n"
    "HESCA_BUFFER is too small for what auto chooses, HESCA takes "
    "direct-async at run\n"
    "time; this is not shown here.\n"
    "\nExamples:\n"
    "  hesca plan --m 1 --n 54 --from 1x9:1x1 --to 1x9:1x6\n"
    "      six blocks from each of nine processes; which of them meet, and "
    "when\n"
    "  hesca plan --m 4000 --n 4000 --from 4x4:32x32 --to 2x8:64x64 "
    "--between nodes\n"
    "      from grid to grid over a network\n"
    "  hesca plan --m 1 --n 1984 --from 1x64:1x1 --to 1x64:1x31 --schedule "
    "indirect \\\n      --svg indirect.svg\n"
    "      a picture of six steps among 64 processes\n"
    "  hesca plan --m 900 --n 900 --from 2x3:5x3 --to 3x2:7x9 --part upper "
    "--rank 4\n"
    "      what process 4 sends and receives\n"
    "  hesca plan --m 900 --n 900 --from 3x2:32x32 --to 3x2:90,50,10x80,20\n"
    "      to processes of unequal speed\n"
    "\nExit status: 0, 1 if the schedule does not apply, 2 for wrong usage or "
    "a file that\ncannot be read or written.\n";

static void
help(void)
{
    fputs(introduction, stdout);
    cmdline_print(table, NROWS);
    fputs(explanation, stdout);
}

/* ------------------------------------------------ values */

const char *
request_item(const char *list, int k, int *length)
{
    for (; k > 0; --k)
        list += strcspn(list, "|") + 1;
    *length = (int)strcspn(list, "|");
    return list;
}

/* Read digits at *s and advance *s; -1: there are none, or too many. */
static int64_t
digits(const char **s)
{
    int64_t value = 0;
    if (**s < '0' || **s > '9')
        return -1;
    for (; **s >= '0' && **s <= '9'; ++*s)
        if ((value = 10 * value + (**s - '0')) > INT32_MAX)
            return -1;
    return value;
}

/* Numbers, each after its separator; those from `missing` on may be omitted
 * together.  If more numbers follow, separated by commas, `list` is their
 * beginning. */
static int
scan_layout(const char *s, request_layout *x)
{
    const struct {
        char before;
        int missing;
        int *value;
        const char **list;
    } part[] = {{'\0', 0, &x->nprow, NULL},   {'x', 0, &x->npcol, NULL},
                {'@', 1, &x->first, NULL},    {':', 0, &x->mb, &x->heights},
                {'x', 0, &x->nb, &x->widths}, {':', 2, &x->rsrc, NULL},
                {',', 0, &x->csrc, NULL}};
    const int n = sizeof part / sizeof *part;
    for (int k = 0; k < n; ++k) {
        if (part[k].before != '\0' && *s != part[k].before) {
            if (part[k].missing == 0)
                return 0;
            k += part[k].missing - 1;
            continue;
        }
        s += part[k].before != '\0';
        const char *begin = s;
        int64_t value = digits(&s);
        while (value >= 0 && *s == ',' && part[k].list != NULL) {
            ++s;
            value = digits(&s);
            *part[k].list = begin;
        }
        if (value < 0)
            return 0;
        *part[k].value = (int)value;
    }
    return *s == '\0';
}

int64_t
request_layout_next(const char **list, int nb)
{
    if (*list == NULL)
        return nb;
    const int64_t value = digits(list);
    *list = **list == ',' ? *list + 1 : NULL;
    return value;
}

int
request_layout_is_generalized(const request_layout *x)
{
    return x->heights != NULL || x->widths != NULL;
}

/* None, or n numbers, not all of them 0. */
static int
is_list(const char *list, int n)
{
    int64_t sum = 0;
    if (list == NULL)
        return 1;
    for (; list != NULL; --n)
        sum += request_layout_next(&list, 0);
    return n == 0 && sum > 0;
}

const char *
request_layout_scan(const char *text, request_layout *layout)
{
    request_layout x = {.rsrc = -1, .csrc = -1};
    if (!scan_layout(text, &x))
        return "PxQ[@FIRST]:MBxNB[:RSRC,CSRC], or with lists for MB, NB";
    if (x.nprow < 1 || x.npcol < 1 || (x.heights == NULL && x.mb < 1) ||
        (x.widths == NULL && x.nb < 1))
        return "a grid and blocks of 1x1 or more";
    if ((int64_t)x.nprow * x.npcol > PROCS_MOST)
        return "a grid of at most 4096 processes";
    if (x.first > INT32_MAX - PROCS_MOST)
        return "a grid whose ranks are below 2^31";
    if (!is_list(x.heights, x.nprow) || !is_list(x.widths, x.npcol))
        return "a layout with a number for every process row or column in "
               "its lists, not all 0";
    if (request_layout_is_generalized(&x) && x.rsrc >= 0)
        return "a layout without RSRC,CSRC where lists give the sizes";
    x.rsrc = x.rsrc < 0 ? 0 : x.rsrc;
    x.csrc = x.csrc < 0 ? 0 : x.csrc;
    if (x.rsrc >= x.nprow || x.csrc >= x.npcol)
        return "a layout whose first block is in its grid";
    *layout = x;
    return NULL;
}

/* ------------------------------------------------ all of it
 * Options are checked together after all of them have been read. */

/* sub(A) and sub(B) lie inside matrices that a descriptor can represent. */
static int
check_extent(const char *name, int64_t first, const char *of, int64_t n)
{
    if (first + n - 1 <= SIZE_MOST)
        return 1;
    return cmdline_complain(
        "--%s '%lld' puts the submatrix outside of any matrix: with --%s "
        "'%lld' it must be at most %lld",
        name, (long long)first, of, (long long)n,
        (long long)SIZE_MOST - n + 1);
}

static int
check(const request *r)
{
    int64_t bytes;
    for (int k = 0; k < NEEDED; ++k)
        if (!cmdline_is_given(table[k].name))
            return cmdline_complain("--%s is missing", table[k].name);
    if (__builtin_mul_overflow(r->m * r->n, r->esize, &bytes) ||
        bytes > bytes_most)
        return cmdline_complain("--m '%lld' --n '%lld' --esize '%lld': must "
                                "be at most 2^50 bytes together",
                                (long long)r->m, (long long)r->n,
                                (long long)r->esize);
    return check_extent("ia", r->ia, "m", r->m) &&
           check_extent("ja", r->ja, "n", r->n) &&
           check_extent("ib", r->ib, "m", r->m) &&
           check_extent("jb", r->jb, "n", r->n);
}

int
request_read(int argc, char **argv, request *r)
{
    const cmdline line = {"hesca plan", table, NROWS, help, 0};
    *r = (request){.esize = 8,
                   .ia = 1,
                   .ja = 1,
                   .ib = 1,
                   .jb = 1,
                   .one_node = 1,
                   .load = 1,
                   .schedule = "auto",
                   .rank = -1};
    const int status =
        cmdline_status(cmdline_read(&line, argc, argv, r, NULL));
    return status < 0 && !check(r) ? TOOL_BAD : status;
}

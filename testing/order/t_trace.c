/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces: what is written is read again, whatever the locale; long ones. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "order/trace.h"
#include "testing/unit.h"
#include <locale.h>
#include <math.h>
#include <unistd.h>

static char path[] = "/tmp/t_traceXXXXXX";

/* Numbers of very different sizes. */
static hesca_trace_row
draw(void)
{
    hesca_trace_row row = {.kind = check_uniform(0, 1) == 0
                                       ? HESCA_TRACE_PREDICTED
                                       : HESCA_TRACE_MEASURED};
    snprintf(row.schedule, sizeof row.schedule, "hybrid:%d#%d",
             check_uniform(0, 9), check_uniform(2, 99));
    row.src = check_uniform(0, HESCA_TRACE_PROCS - 1);
    row.dest = (row.src + 1) % HESCA_TRACE_PROCS;
    row.bytes = check_uniform(0, 1 << 30);
    row.start = check_uniform(0, 1000) * pow(10, check_uniform(-9, 6));
    row.end =
        row.start + check_uniform(0, 999) * pow(10, check_uniform(-9, 6));
    return row;
}

static int
is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static void
compare(const hesca_trace_row *is, const hesca_trace_row *must)
{
    CHECK(is->kind == must->kind && strcmp(is->schedule, must->schedule) == 0,
          "%s, not %s", is->schedule, must->schedule);
    CHECK(is->src == must->src && is->dest == must->dest,
          "%d to %d, not %d to %d", is->src, is->dest, must->src, must->dest);
    CHECK(is_near(is->bytes, must->bytes) && is_near(is->start, must->start) &&
              is_near(is->end, must->end),
          "%g bytes, %g to %g, not %g, %g to %g", is->bytes, is->start,
          is->end, must->bytes, must->start, must->end);
}

static void
round_trip(void)
{
    enum { N = 500 };
    static hesca_trace_row row[N];
    hesca_trace t = {.n = 0};
    FILE *f = fopen(path, "w");
    hesca_trace_put_head(f);
    for (int k = 0; k < N; ++k) {
        row[k] = draw();
        hesca_trace_put(f, &row[k]);
    }
    fclose(f);
    CHECK(hesca_trace_read(path, &t) == HESCA_SUCCESS && t.n == N, "%s",
          hesca_error_text());
    for (int k = 0; k < t.n; ++k)
        compare(&t.row[k], &row[k]);
    hesca_trace_clear(&t);
}

/* Where people write a comma, files have a point. */
static void
locales(void)
{
    static const char *const name[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE",
                                       "C.UTF-8"};
    for (int k = 0; k < 4; ++k)
        if (setlocale(LC_ALL, name[k]) != NULL)
            round_trip();
    setlocale(LC_ALL, "C");
}

/* A timetable of two messages: 0 to 1 in 2 s, then 0 to 2 in 1 s. */
static void
timetables(void)
{
    int64_t first[] = {0, 2, 2, 2}, send[] = {0, 1},
            recv_first[] = {0, 0, 1, 2};
    int src[] = {0, 0}, dest[] = {1, 2};
    double bytes[] = {20, 10}, seconds[] = {2, 1}, start[] = {0, 2},
           end[] = {2, 3};
    const hesca_events x = {3, 2, first, src, dest, bytes, seconds};
    const hesca_timetable when = {2, start, end, 3, send, recv_first, send};
    hesca_trace t = {.n = 0};
    CHECK(hesca_trace_add_timetable(&t, HESCA_TRACE_PREDICTED, "openshop", &x,
                                    &when) == HESCA_SUCCESS &&
              t.n == 2,
          "%lld messages", (long long)t.n);
    for (int k = 0; k < t.n; ++k) {
        hesca_trace_row must = {HESCA_TRACE_PREDICTED,
                                "openshop",
                                0,
                                k + 1,
                                bytes[k],
                                start[k],
                                end[k]};
        compare(&t.row[k], &must);
    }
    hesca_trace_clear(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(round_trip), UNIT(locales),
                                       UNIT(timetables)};
    unit_begin("order/t_trace", 20261121);
    const int file = mkstemp(path);
    if (file < 0)
        return 99;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    close(file);
    unlink(path);
    return unit_end(failed);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* P?POTRF, P?POSV, P?GETRF and P?GESV by HoHe, and on another grid,
 * forced, on hosts of unequal speed: the factors, pivots, INFO and solutions
 * of ScaLAPACK's own routines within the bounds of rounding, nothing written
 * outside of what they write; also where matrices are indefinite or singular,
 * and with arguments that go on to ScaLAPACK. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv, dup2 */
#include "testing/shim/systems.h"

static void
random_systems(const char *order, int nprow, int npcol, int most, int ncases)
{
    const uint64_t state = check_state;
    const int ictxt = new_grid(order, nprow, npcol);
    for (int k = 0; k < ncases && ictxt >= 0; ++k) {
        check_state = state + (uint64_t)k * 7919;
        system_ s = system_draw(k % NROUTINES, k / NROUTINES % 4, ictxt,
                                k % 5 == 4 ? 3 : most, k % 6 == 5);
        system_compare(&s);
        system_drop(&s);
    }
    check_state = state + (uint64_t)ncases * 7919;
    if (ictxt >= 0)
        Cblacs_gridexit(ictxt);
}

/* ------------------------------------------------ the way chosen */

static void
check_report(const char *how, int routine, int least, int most,
             const char *says)
{
    const int nprow = size > 3 ? 2 : 1;
    capture said;
    capture_begin(&said);
    const int ictxt = new_grid("R", nprow, size / nprow);
    if (ictxt >= 0) {
        system_ s = system_draw(routine, 1, ictxt, most, 0);
        while (s.n < least || s.m < least) {
            system_drop(&s);
            s = system_draw(routine, 1, ictxt, most, 0);
        }
        system_compare(&s);
        system_drop(&s);
        Cblacs_gridexit(ictxt);
    }
    capture_end(&said);
    if (rank == 0)
        CHECK(strstr(said.text, says) != NULL, "%s %s: '%s', not '%s'",
              names[routine][1], how, said.text, says);
}

static void
decisions(void)
{
    static const char *const disable[] = {"potrf", "pdposv", "pdgetrf",
                                          "gesv"};
    setenv("HESCA_VERBOSE", "2", 1);
    for (int r = 0; r < NROUTINES; ++r) {
        const char *parameter = r <= POSV ? "HESCA_POTRF" : "HESCA_GETRF";
        check_report("hohe", r, 5, 30, "by HoHe "); /* on any grid */
        setenv("HESCA_DISABLE", disable[r], 1);
        check_report("disabled", r, 5, 30, "left to ScaLAPACK: HESCA_DISABLE");
        unsetenv("HESCA_DISABLE");
        setenv(parameter, "real", 1);
        check_report("real", r, 5, 30,
                     r <= POSV ? "HESCA_POTRF is real" : "HESCA_GETRF is");
        setenv(parameter, "auto", 1);
        check_report("auto", r, 5, 30, ", predicted "); /* any way */
        setenv(parameter, "hohe", 1);
    }
    setenv("HESCA_VERBOSE", "0", 1);
}

/* Mistakes that ScaLAPACK refuses, by INFO on all processes. */
enum { NMISTAKES = 5 };

static void
mistake(system_ *s, int which)
{
    switch (which) {
    case 0:
        s->n = -1;
        break;
    case 1:
        s->a.desc[5] += 1; /* NB is not MB */
        break;
    case 2:
        ++s->a.i; /* not the first row of a block */
        break;
    case 3:
        s->a.desc[0] = 7;
        break;
    default:
        --s->n; /* right, but where others have another one */
    }
}

/* A stays as it was.  alone: the last process only, after a good call of the
 * same shape. */
static void
refused(int alone)
{
    const int ictxt = new_grid("R", 1, size);
    for (int r = 0; r < NROUTINES; ++r)
        for (int k = 0; k < NMISTAKES - !alone; ++k) {
            system_ s = system_draw(r, 1, ictxt, 30, 0);
            if (s.n > 2 && s.m > 2 && s.a.nb > 1) {
                if (alone) {
                    system_ good = system_copy(&s);
                    system_call(&good, 0);
                    system_drop(&good);
                }
                if (!alone || rank == size - 1)
                    mistake(&s, k);
                system_ real = system_copy(&s);
                system_call(&real, 1);
                system_call(&s, 0);
                CHECK(s.info == real.info && s.info < 0 &&
                          is_same(&s.a, &real.a),
                      "%s, mistake %d%s: INFO %d, not %d", system_name(&s), k,
                      alone ? " of one process" : "", s.info, real.info);
                system_drop(&real);
            }
            system_drop(&s);
        }
    Cblacs_gridexit(ictxt);
}

static void
other_grids(void)
{
    setenv("HESCA_POTRF", "grid", 1);
    setenv("HESCA_GETRF", "grid", 1);
    random_systems("R", 2, size / 2, 60, check_cases(16));
    write_machine("node", slow, "");
    random_systems("C", size / 2, 2, 150, check_cases(32));
    random_systems("R", 1, size, 150, check_cases(16));
    setenv("HESCA_VERBOSE", "2", 1);
    for (int r = 0; r < NROUTINES; ++r)
        check_report("grid", r, 5, 30, "by ScaLAPACK on a "); /* any grid */
    setenv("HESCA_VERBOSE", "0", 1);
    refused(0);
    if (size > 1)
        refused(1);
}

/* By HoHe on a grid of the fast processes: factors are copied back while the
 * rest is computed. */
static void
few_processes(void)
{
    static const double fast[MOST] = {1, .005, .8, .005, .005, .5, .005, .005};
    setenv("HESCA_POTRF", "hohe", 1);
    setenv("HESCA_GETRF", "hohe", 1);
    write_machine_with("unit flops 1e7 part 1\n", "node", fast, "");
    random_systems("R", 2, size / 2, 90, check_cases(32));
    random_systems("C", 1, size, 90, check_cases(16));
    setenv("HESCA_VERBOSE", "2", 1);
    for (int r = POTRF; r <= POSV && size > 2; ++r)
        check_report("few", r, 200, 300, "by HoHe on a ");
    setenv("HESCA_VERBOSE", "0", 1);
    refused(0);
}

int
main(void)
{
    begin();
    setenv("HESCA_POTRF", "hohe", 1);
    setenv("HESCA_GETRF", "hohe", 1);
    setenv("HESCA_PLACEMENT", "off", 1);
    check_state = check_seed(8);
    if (rank == 0)
        printf("HESCA_TEST_SEED=%llu\n", (unsigned long long)check_state);
    random_systems("R", 2, size / 2, 60, check_cases(32));
    random_systems("C", size / 2, 2, 60, check_cases(32));
    random_systems("R", 1, size, 60, check_cases(16));
    random_systems("C", size, 1, 60, check_cases(16));
    random_systems("R", 1, 1, 60, check_cases(4));
    decisions();
    refused(0);
    if (size > 1)
        refused(1);
    other_grids();
    few_processes();
    return end("t_factor");
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Which routines HESCA_DISABLE names, and what it refuses. */
#include "testing/base/params.h"

static const char *const family[] = {"gemr2d", "gemr2do", "trmr2d", "trmr2do"};
enum { NFAMILIES = 4, NTYPES = 5 };
static const char letters[] = "isdcz";

/* Whether the list must disable p?family, from the documentation. */
static int
is_named(const char *list, char letter, const char *routine_family)
{
    char words[HESCA_DISABLE_MAX + 100], routine[20], *save = NULL;
    snprintf(words, sizeof words, "%s", list);
    for (char *p = words; *p != '\0'; ++p)
        *p = (char)tolower((unsigned char)*p);
    snprintf(routine, sizeof routine, "p%c%s", letter, routine_family);
    for (char *word = strtok_r(words, ",", &save); word != NULL;
         word = strtok_r(NULL, ",", &save)) {
        if (strlen(word) > 1 && word[strlen(word) - 1] == '_')
            word[strlen(word) - 1] = '\0';
        if (strcmp(word, "1") == 0 || strcmp(word, "all") == 0 ||
            strcmp(word, routine_family) == 0 || strcmp(word, routine) == 0)
            return 1;
    }
    return 0;
}

static void
check_list(const char *list)
{
    hesca_params params;
    check_accepted("HESCA_DISABLE", list, &params);
    CHECK(strcmp(params.disable, list) == 0, "HESCA_DISABLE=%s gives %s", list,
          params.disable);
    static const char *const others[] = {
        "wait",   "gridinit", "gridmap", "psgemm",  "pdgemm", "pcgemm",
        "pzgemm", "pdpotrf",  "pzposv",  "pcgetrf", "psgesv"};
    for (int k = 0; k < 11; ++k)
        CHECK(hesca_params_disabled(&params, others[k]) ==
                  (is_named(list, 'x', others[k]) ||
                   (k >= 3 && is_named(list, others[k][1], others[k] + 2))),
              "HESCA_DISABLE=%s, %s", list, others[k]);
    for (int f = 0; f < NFAMILIES; ++f)
        for (int t = 0; t < NTYPES; ++t) {
            char routine[20];
            snprintf(routine, sizeof routine, "p%c%s", letters[t], family[f]);
            const int got = hesca_params_disabled(&params, routine);
            CHECK(got == is_named(list, letters[t], family[f]),
                  "HESCA_DISABLE=%s, %s: %d", list, routine, got);
        }
}

/* A random element of the lists that users write, in random case. */
static int
append_name(char *list, size_t room)
{
    const char *f = family[check_uniform(0, NFAMILIES - 1)];
    const size_t at = strlen(list);
    int n;
    if (check_uniform(0, 2))
        n = snprintf(list + at, room, "p%c%s",
                     letters[check_uniform(0, NTYPES - 1)], f);
    else if (check_uniform(0, 15))
        n = snprintf(list + at, room, "%s", f);
    else
        n = snprintf(list + at, room, "%s", check_uniform(0, 1) ? "all" : "1");
    if (check_uniform(0, 1))
        for (char *p = list + at; *p != '\0'; ++p)
            if (check_uniform(0, 1))
                *p = (char)toupper((unsigned char)*p);
    return n;
}

static void
disable(void)
{
    static const char *const good[] = {"1",
                                       "all",
                                       "ALL",
                                       "All",
                                       "pdgemr2d",
                                       "PDGEMR2D",
                                       "gemr2d",
                                       "gemr2do",
                                       "trmr2d",
                                       "TRMR2DO",
                                       "pdgemr2d,pstrmr2do",
                                       "pdgemr2d,trmr2d",
                                       "gemr2d,gemr2do,trmr2d,trmr2do",
                                       "pdgemr2d,1",
                                       "all,pdgemr2d",
                                       "pdgemr2d,",
                                       "1,",
                                       "pdgemr2d,pdgemr2d",
                                       "wait",
                                       "WAIT,trmr2d",
                                       "gridinit",
                                       "GridMap,wait",
                                       "gemm",
                                       "PDGEMM,psgemm",
                                       "pzgemm,gemr2d",
                                       "posv,pdpotrf",
                                       "getrf,PZGESV",
                                       "pdgemr2d_,GEMM_,gridinit_"};
    static const char *const bad[] = {"0",
                                      "2",
                                      "11",
                                      "-1",
                                      "none",
                                      "pdgemr2",
                                      "pdgemr2dx",
                                      "dgemr2d",
                                      "pgemr2d",
                                      "pxgemr2d",
                                      "qdgemr2d",
                                      "p?gemr2d",
                                      "pigemm",
                                      "pigetrf",
                                      "pdgetf2",
                                      "dgemm",
                                      "gemr",
                                      "Cpdgemr2d",
                                      "pdgemr2d__",
                                      "_",
                                      "hesca_pdgemr2d",
                                      "pdgemr2d pstrmr2d",
                                      "pdgemr2d, trmr2d",
                                      " pdgemr2d",
                                      "pdgemr2d ",
                                      ",",
                                      ",pdgemr2d",
                                      "pdgemr2d,,trmr2d",
                                      "pdgemr2d;trmr2d",
                                      "waits",
                                      "pdwait",
                                      "pdgridinit",
                                      "blacs_gridinit",
                                      "alll",
                                      "al",
                                      "p",
                                      "pd",
                                      "P,",
                                      "pdgemr2d,foo",
                                      "foo,pdgemr2d",
                                      "p,gemr2d",
                                      "pd,gemr2d"};
    for (size_t k = 0; k < sizeof good / sizeof *good; ++k)
        check_list(good[k]);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        check_refused("HESCA_DISABLE", bad[k]);
    for (int f = 0; f < NFAMILIES; ++f)
        for (int t = 0; t < NTYPES; ++t) {
            char name[20];
            snprintf(name, sizeof name, "p%c%s", letters[t], family[f]);
            check_list(name);
        }
    for (int letter = '!'; letter <= '~'; ++letter) {
        char name[20];
        snprintf(name, sizeof name, "p%cgemr2d", letter);
        if (strchr("isdczISDCZ", letter) != NULL)
            check_list(name);
        else
            check_refused("HESCA_DISABLE", name);
    }
    for (int k = 0; k < check_cases(300); ++k) {
        char list[HESCA_DISABLE_MAX] = "";
        append_name(list, sizeof list);
        while (strlen(list) + 20 < sizeof list && check_uniform(0, 6)) {
            strcat(list, ",");
            append_name(list, sizeof list - strlen(list));
        }
        check_list(list);
    }
}

/* The longest list that fits, and one more. */
static void
disable_longest(void)
{
    char list[HESCA_DISABLE_MAX + 1] = "";
    while (strlen(list) + 9 < HESCA_DISABLE_MAX)
        strcat(list, "psgemr2d,");
    while (strlen(list) + 2 < HESCA_DISABLE_MAX)
        strcat(list, "1,");
    while (strlen(list) + 1 < HESCA_DISABLE_MAX)
        strcat(list, "1");
    if (list[HESCA_DISABLE_MAX - 3] == '1') /* ends in "11" */
        list[HESCA_DISABLE_MAX - 2] = ',';
    CHECK(strlen(list) == HESCA_DISABLE_MAX - 1, "%zu", strlen(list));
    check_list(list);
    char longer[HESCA_DISABLE_MAX + 20];
    snprintf(longer, sizeof longer, "%s%s", list,
             list[HESCA_DISABLE_MAX - 2] == ',' ? "1" : ",");
    CHECK(strlen(longer) == HESCA_DISABLE_MAX, "%zu", strlen(longer));
    check_refused("HESCA_DISABLE", longer);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(disable), UNIT(disable_longest)};
    unit_begin("base/t_disable", 20260101);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of HESCA_REPORT from made-up figures: what is in it, what is left
 * out, that nothing from outside is taken for HTML, and that memory may run
 * out.  With arguments NPROCS NHOSTS it prints a page, which t_report.sh reads
 * with a parser. */
#include "shim/page/page_text.h"
#include "testing/failing.h"
#include "testing/shim/figures.h"
#include "testing/unit.h"
#include <locale.h>

static char *
make(const hesca_page *page)
{
    char *text = NULL;
    const int err = hesca_page_make(page, &text);
    CHECK(err == HESCA_SUCCESS && text != NULL, "returns %d", err);
    return text;
}

/* How often a text is in another. */
static int
count(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)) != NULL; ++text)
        ++n;
    return n;
}

/* ------------------------------------------------ contents */

static void
check_page(int nprocs, int nhosts)
{
    static const char *const words[] = {
        "26.1 s",  "47.9 s", "1.84 \303\227", "1.88 \303\227", "1250",
        "8.19 GB", "pdgesv", "MPICH 4.0.2",   "a &#38; b",     "app"};
    static const char *const outside[] = {
        "http:", "https:", "src=", "href=", "url(", "@import", "<script"};
    figures f;
    make_figures(&f, nprocs, nhosts);
    char *text = make(&f.page);
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
        CHECK(strstr(text, words[k]) != NULL, "%d processes: no '%s'", nprocs,
              words[k]);
    for (size_t k = 0; k < sizeof outside / sizeof *outside; ++k)
        CHECK(strstr(text, outside[k]) == NULL, "%d processes: '%s'", nprocs,
              outside[k]);
    CHECK(strstr(text, "nan") == NULL && strstr(text, "inf%") == NULL,
          "%d processes: a number is none", nprocs);
    CHECK(count(text, "<section>") == count(text, "</section>"),
          "%d processes: sections", nprocs);
    CHECK(count(text, "<section>") >= (nhosts > 1 ? 9 : 8),
          "%d processes: %d sections", nprocs, count(text, "<section>"));
    CHECK(strlen(text) < 2000000, "%d processes: %zu bytes", nprocs,
          strlen(text));
    free(text);
    free_figures(&f);
}

static void
contents(void)
{
    check_page(1, 1);
    check_page(4, 4);
    check_page(33, 3);
    check_page(256, 32);
    check_page(1000, 130);
    check_page(2000, 12);
}

/* Nothing is known but that the program ran. */
static void
absent(void)
{
    static const char *const sections[] = {
        "Calls</h2>",        "gained</h2>", "next</h2>",   "ScaLAPACK</h2>",
        "each process</h2>", "hosts</h2>",  "cesses</h2>", "Settings</h2>"};
    const hesca_page_process process[2] = {{.is_present = 1, .host = -1},
                                           {.is_present = 0, .host = -1}};
    hesca_page page = {
        .date = "now", .version = "0", .nprocs = 2, .process = process};
    char *text = make(&page);
    for (size_t k = 0; k < sizeof sections / sizeof *sections; ++k)
        CHECK(strstr(text, sections[k]) == NULL, "there is '%s'", sections[k]);
    CHECK(strstr(text, "none of the routines") != NULL, "%s", text);
    CHECK(strstr(text, "of 1 of 2 processes are missing (rank 1)") != NULL,
          "%s", text);
    free(text);
}

/* A gain is shown only of what is known of both sides. */
static void
gains(void)
{
    figures f;
    make_figures(&f, 2, 1);
    f.page.grids_seconds = 0;
    for (int k = 0; k < f.page.nroutines; ++k)
        f.routine[k].original = f.routine[k].both = 0;
    char *text = make(&f.page);
    CHECK(strstr(text, "Gains: absent") != NULL, "no word on gains");
    CHECK(strstr(text, "gain: predicted") == NULL, "a gain from nothing");
    free(text);
    free_figures(&f);
}

/* ------------------------------------------------ text */

static void
escapes(void)
{
    static const struct {
        const char *outside, *text;
    } is[] = {{"a<b>&\"'", "a&#60;b&#62;&#38;&#34;&#39;"},
              {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
               "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
              {"\x01\n\x7f\x80\xff", "?????"},
              {"\xc0\xaf\xed\xa0\x80", "?????"}, /* too long; a surrogate */
              {"\xe2\x82", "??"},
              {"\xef\xbf\xbe", "???"},
              {"%s%n", "%s%n"}};
    for (size_t k = 0; k < sizeof is / sizeof *is; ++k) {
        hesca_text t = {.at = NULL};
        hesca_text_escape(&t, is[k].outside);
        CHECK(t.at != NULL && strcmp(t.at, is[k].text) == 0, "case %zu: %s", k,
              t.at);
        free(t.at);
    }
}

static void
numbers(void)
{
    static const struct {
        double x;
        const char *seconds, *bytes, *count;
    } is[] = {{0, "0 s", "0 B", "0"},
              {1.5e-6, "1.50 \302\265s", "0 B", "0"},
              {0.0123, "12.3 ms", "0 B", "0"},
              {0.99949, "999 ms", "1 B", "1"},
              {0.9996, "1.00 s", "1 B", "1"},
              {9.996, "10.0 s", "10 B", "10"},
              {999.4, "16.7 min", "999 B", "999"},
              {9999, "167 min", "10.0 kB", "9999"},
              {1.2345e7, "3429 h", "12.3 MB", "12 345 000"}};
    for (size_t k = 0; k < sizeof is / sizeof *is; ++k) {
        const hesca_words s = hesca_words_seconds(is[k].x);
        const hesca_words b = hesca_words_bytes(is[k].x);
        const hesca_words n = hesca_words_count(is[k].x);
        CHECK(strcmp(s.text, is[k].seconds) == 0, "%g: %s", is[k].x, s.text);
        CHECK(strcmp(b.text, is[k].bytes) == 0, "%g: %s", is[k].x, b.text);
        CHECK(strcmp(n.text, is[k].count) == 0, "%g: %s", is[k].x, n.text);
    }
}

/* Numbers do not follow the locale of the program. */
static void
locales(void)
{
    static const char *const with_comma[] = {"de_DE.UTF-8", "de_DE", "fr_FR"};
    figures f;
    make_figures(&f, 4, 2);
    char *plain = make(&f.page);
    for (size_t k = 0; k < 3; ++k) {
        if (setlocale(LC_ALL, with_comma[k]) == NULL)
            continue;
        char *text = make(&f.page);
        CHECK(strcmp(text, plain) == 0, "another page in %s", with_comma[k]);
        free(text);
    }
    setlocale(LC_ALL, "C");
    free(plain);
    free_figures(&f);
}

static void
memory(void)
{
    figures f;
    int err = HESCA_ERR_NOMEM;
    make_figures(&f, 40, 5);
    for (int n = 0; err != HESCA_SUCCESS && n < 1000; ++n) {
        char *text = NULL;
        nomem_left = n;
        err = hesca_page_make(&f.page, &text);
        nomem_left = -1;
        CHECK(err == HESCA_SUCCESS || (err == HESCA_ERR_NOMEM && text == NULL),
              "allocation %d: %d", n, err);
        free(text);
    }
    CHECK(err == HESCA_SUCCESS, "no page at all");
    free_figures(&f);
}

static int
print(int nprocs, int nhosts)
{
    figures f;
    make_figures(&f, nprocs, nhosts);
    char *text = make(&f.page);
    fputs(text, stdout);
    free(text);
    free_figures(&f);
    return check_failures > 0;
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        UNIT(contents), UNIT(absent),  UNIT(gains), UNIT(escapes),
        UNIT(numbers),  UNIT(locales), UNIT(memory)};
    if (argc == 3)
        return print(atoi(argv[1]), atoi(argv[2]));
    unit_begin("shim/t_page", 1);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

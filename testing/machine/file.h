/* SPDX-License-Identifier: BSD-3-Clause */
/* Machine files of tests: a text becomes a file, and the file a machine. */
#ifndef HESCA_TESTING_MACHINE_FILE_H
#define HESCA_TESTING_MACHINE_FILE_H

#include "hesca/experimental/machine.h"
#include "testing/unit.h"
#include <unistd.h>

static char path[] = "/tmp/hesca-machine-XXXXXX";

static inline int
read_text(const char *text, hesca_machine *machine)
{
    FILE *f = fopen(path, "w");
    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
        abort();
    return hesca_machine_read(path, machine);
}

/* A text, the place in it that the message must name, and a word that it must
 * quote. */
typedef struct {
    const char *text, *place, *word;
} bad_file;

static inline void
check_refused(const bad_file *bad)
{
    hesca_machine m = hesca_machine_default(), before = m;
    char place[sizeof path + 8];
    snprintf(place, sizeof place, "%s%s", path, bad->place);
    CHECK(read_text(bad->text, &m) == HESCA_ERR_PARAM, "'%s' is accepted",
          bad->text);
    const char *text = hesca_error_text();
    CHECK(strncmp(text, place, strlen(place)) == 0 &&
              strstr(text, bad->word) != NULL,
          "'%s': %s", bad->text, text);
    CHECK(memcmp(&m, &before, sizeof m) == 0, "'%s' changes something",
          bad->text);
}

/* All tests of one program. */
#define RUN_WITH_FILE(name, seed, tests)                                      \
    do {                                                                      \
        if (mkstemp(path) < 0)                                                \
            return 99;                                                        \
        unit_begin(name, seed);                                               \
        const int failed =                                                    \
            unit_end(cmocka_run_group_tests(tests, NULL, NULL));              \
        unlink(path);                                                         \
        return failed;                                                        \
    } while (0)

#endif

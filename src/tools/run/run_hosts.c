/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700 /* gethostname */
#include "tools/run/run_hosts.h"
#include "tools/lib/cmdline.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLOTS_MOST = 100000, HOSTS_MOST = 100000 };

void
run_hosts_clear(run_hosts *h)
{
    free(h->name);
    free(h->slots);
    *h = (run_hosts){.n = 0};
}

/* ------------------------------------------------ one host
 * A line without a number is one slot if the host has other lines, too. */

/* \param [in] slots  0: not given.
 * \return 1, or 0 if there are too many, or memory is short. */
static int
add(run_hosts *h, const char *name, size_t length, int slots)
{
    if (length == 0 || length >= HESCA_HOST_MAX || name[0] == '-')
        return 0;
    for (size_t k = 0; k < length; ++k)
        if (!isalnum((unsigned char)name[k]) && strchr("._-", name[k]) == NULL)
            return 0;
    for (int i = 0; i < h->n; ++i)
        if (strlen(h->name[i]) == length &&
            memcmp(h->name[i], name, length) == 0) {
            h->slots[i] =
                (h->slots[i] > 0 ? h->slots[i] : 1) + (slots > 0 ? slots : 1);
            return h->slots[i] <= SLOTS_MOST;
        }
    const size_t n = (size_t)h->n + 1;
    void *names = realloc(h->name, n * sizeof *h->name);
    if (names != NULL)
        h->name = names;
    int *all = realloc(h->slots, n * sizeof *h->slots);
    if (all != NULL)
        h->slots = all;
    if (names == NULL || all == NULL || n > HOSTS_MOST)
        return 0;
    memcpy(h->name[h->n], name, length);
    h->name[h->n][length] = '\0';
    h->slots[h->n++] = slots;
    return 1;
}

/* A number of slots that ends with one of these characters.
 * \return 0 if it is none. */
static int
read_slots(const char *text, const char *ends)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return 0;
    const long x = strtol(text, &end, 10);
    return x >= 1 && x <= SLOTS_MOST &&
                   (*end == '\0' || strchr(ends, *end) != NULL)
               ? (int)x
               : 0;
}

/* A, A:K */
static int
add_word(run_hosts *h, const char *word, size_t length, int slots)
{
    const char *colon = memchr(word, ':', length);
    if (colon == NULL)
        return add(h, word, length, slots);
    slots = read_slots(colon + 1, ", \t\r");
    return slots > 0 && add(h, word, (size_t)(colon - word), slots);
}

/* ------------------------------------------------ lists */

static int
parse_words(const char *text, run_hosts *h)
{
    for (;;) {
        const size_t n = strcspn(text, ",");
        if (!add_word(h, text, n, 0))
            return 0;
        if (text[n] == '\0')
            return 1;
        text += n + 1;
    }
}

/* The slots of a line behind its name; other words are the launcher's. */
static int
find_slots(const char *words)
{
    static const char *const key[] = {"slots=", "cpus=", "count="};
    static const char blanks[] = " \t\r";
    int is_first = 1;
    for (;; is_first = 0) {
        words += strspn(words, blanks);
        if (*words == '\0')
            return 0;
        if (is_first && isdigit((unsigned char)*words))
            return read_slots(words, blanks);
        for (size_t k = 0; k < sizeof key / sizeof *key; ++k)
            if (strncmp(words, key[k], strlen(key[k])) == 0)
                return read_slots(words + strlen(key[k]), blanks);
        words += strcspn(words, blanks);
    }
}

static int
parse_lines(const char *text, int slots, run_hosts *h)
{
    char line[1024];
    for (;;) {
        const size_t n = strcspn(text, "\n");
        if (n >= sizeof line)
            return 0;
        memcpy(line, text, n);
        line[n] = '\0';
        line[strcspn(line, "#")] = '\0';
        const char *word = line + strspn(line, " \t\r");
        const size_t length = strcspn(word, " \t\r");
        const int given = find_slots(word + length);
        if (length > 0 &&
            !add_word(h, word, length, given > 0 ? given : slots))
            return 0;
        if (text[n] == '\0')
            return h->n > 0;
        text += n + 1;
    }
}

/* Numbers of a range, with zeros in front as it has them: "07-12". */
static int
add_range(run_hosts *h, const char *prefix, size_t length, const char **at)
{
    char *end, name[HESCA_HOST_MAX + 32];
    const char *text = *at;
    if (!isdigit((unsigned char)*text) || length >= HESCA_HOST_MAX)
        return 0;
    const long first = strtol(text, &end, 10);
    const int width = (int)(end - text);
    long last = first;
    if (*end == '-') {
        if (!isdigit((unsigned char)end[1]))
            return 0;
        last = strtol(end + 1, &end, 10);
    }
    if (width > 9 || last < first || last - first >= HOSTS_MOST)
        return 0;
    for (long k = first; k <= last; ++k) {
        const int n = snprintf(name, sizeof name, "%.*s%0*ld", (int)length,
                               prefix, width, k);
        if (n >= (int)sizeof name || !add(h, name, (size_t)n, 0))
            return 0;
    }
    *at = end;
    return 1;
}

/* One pair of brackets in a name, at its end. */
static int
parse_slurm(const char *text, run_hosts *h)
{
    for (;;) {
        const size_t n = strcspn(text, "[,");
        const char *prefix = text;
        text += n;
        if (*text == '[') {
            do {
                ++text;
                if (!add_range(h, prefix, n, &text))
                    return 0;
            } while (*text == ',');
            if (*text++ != ']')
                return 0;
        } else if (!add(h, prefix, n, 0)) {
            return 0;
        }
        if (*text == '\0')
            return 1;
        if (*text++ != ',')
            return 0;
    }
}

int
run_hosts_parse(const char *text, run_hosts_form form, run_hosts *h)
{
    *h = (run_hosts){.n = 0};
    switch (form) {
    case RUN_HOSTS_WORDS:
        return parse_words(text, h);
    case RUN_HOSTS_SLURM:
        return parse_slurm(text, h);
    default:
        return parse_lines(text, form == RUN_HOSTS_SLOTS, h);
    }
}

/* ------------------------------------------------ files */

/* The text of a file; free with free().
 * \return NULL after an error message. */
static char *
read_file(const char *what, const char *path)
{
    enum { MOST = 1 << 22 };
    FILE *f = fopen(path, "r");
    char *text = f == NULL ? NULL : malloc(MOST + 1);
    size_t n = 0;
    if (text != NULL) {
        n = fread(text, 1, MOST, f);
        text[n] = '\0';
    }
    if (text == NULL || ferror(f) || n == MOST) {
        cmdline_fail("%s: %s: %s", what, path,
                     n == MOST ? "the file is too long" : strerror(errno));
        free(text);
        text = NULL;
    }
    if (f != NULL)
        fclose(f);
    return text;
}

static int
read_list(const char *what, const char *path, run_hosts_form form,
          run_hosts *h)
{
    char *text = read_file(what, path);
    const int good = text != NULL && run_hosts_parse(text, form, h);
    if (text != NULL && !good)
        cmdline_fail("%s: %s is not a list of hosts, one on each line: NAME, "
                     "NAME:K or NAME slots=K",
                     what, path);
    free(text);
    return good;
}

static int
is_file(const char *value)
{
    struct stat s;
    return strchr(value, '/') != NULL ||
           (strpbrk(value, ",:") == NULL && stat(value, &s) == 0 &&
            S_ISREG(s.st_mode));
}

int
run_hosts_given(const char *value, run_hosts *h)
{
    *h = (run_hosts){.n = 0};
    if (is_file(value)) {
        if (!read_list("--hosts", value, RUN_HOSTS_LINES, h))
            return 0;
    } else if (!run_hosts_parse(value, RUN_HOSTS_WORDS, h)) {
        return cmdline_complain(
            "--hosts '%s': expected NAME,NAME:SLOTS,... or a file", value);
    }
    strcpy(h->from, "--hosts");
    return 1;
}

/* ------------------------------------------------ the environment */

enum {
    HYDRA = 1 << LAUNCHER_HYDRA,
    OPENMPI = 1 << LAUNCHER_OPENMPI,
    SLURM = 1 << LAUNCHER_SLURM
};

static const struct {
    const char *name;
    int kinds; /* of launchers that read it */
    run_hosts_form form;
} variable[] = {
    {"HYDRA_HOST_FILE", HYDRA, RUN_HOSTS_LINES},
    {"OMPI_MCA_orte_default_hostfile", OPENMPI, RUN_HOSTS_LINES},
    {"PRTE_MCA_prte_default_hostfile", OPENMPI, RUN_HOSTS_LINES},
    {"SLURM_JOB_NODELIST", HYDRA | OPENMPI | SLURM, RUN_HOSTS_SLURM},
    {"PBS_NODEFILE", HYDRA | OPENMPI, RUN_HOSTS_SLOTS},
    {"PE_HOSTFILE", HYDRA | OPENMPI, RUN_HOSTS_LINES}};

int
run_hosts_may_be_found(void)
{
    for (size_t k = 0; k < sizeof variable / sizeof *variable; ++k)
        if (getenv(variable[k].name) != NULL)
            return 1;
    return 0;
}

static int
is_this_host(const char *name)
{
    char self[256] = "";
    gethostname(self, sizeof self - 1);
    const size_t n = strcspn(self, ".");
    return strcmp(name, "localhost") == 0 || strcmp(name, self) == 0 ||
           (strcspn(name, ".") == n && strncmp(name, self, n) == 0);
}

int
run_hosts_found(launcher_kind kind, run_hosts *h)
{
    *h = (run_hosts){.n = 0};
    for (size_t k = 0; k < sizeof variable / sizeof *variable; ++k) {
        const char *name = variable[k].name, *value = getenv(name);
        if (value == NULL || value[0] == '\0' ||
            !(variable[k].kinds >> kind & 1))
            continue;
        if (variable[k].form != RUN_HOSTS_SLURM) {
            if (!read_list(name, value, variable[k].form, h))
                return 0;
        } else if (!run_hosts_parse(value, RUN_HOSTS_SLURM, h)) {
            return cmdline_fail("%s=%s is not understood: --hosts has to name "
                                "the hosts",
                                name, value);
        }
        snprintf(h->from, sizeof h->from, "%s", name);
        if (h->n == 1 && is_this_host(h->name[0]))
            run_hosts_clear(h);
        return 1;
    }
    return 1;
}

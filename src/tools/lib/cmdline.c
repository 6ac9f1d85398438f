#include "tools/lib/cmdline.h"
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 64 };

static const char *program = "timer";

/* Always one line: control characters of the input are replaced. */
static void
say(const char *format, va_list args, const char *end)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    for (char *c = text; *c != '\0'; ++c)
        if (iscntrl((unsigned char)*c))
            *c = '?';
    fprintf(stderr, "%s: %s%s", program, text, end);
}

int
cmdline_complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args, "; see --help\n");
    va_end(args);
    return 0;
}

int
cmdline_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args, "\n");
    va_end(args);
    return 0;
}

/* ----- the table ----- */

/* An option that is too long has its own line. */
static void
print_row(const cmdline_row *r)
{
    char left[80] = "";
    if (r->name != NULL && r->flags & CMDLINE_OPTIONAL)
        snprintf(left, sizeof left, "--%s[=%s]", r->name, r->arg);
    else if (r->name != NULL)
        snprintf(left, sizeof left, "--%s%s%s", r->name,
                 r->arg != NULL ? " " : "", r->arg != NULL ? r->arg : "");
    if (strlen(left) > 27) {
        printf("  %s\n", left);
        left[0] = '\0';
    }
    printf("  %-27s %s\n", left, r->help);
}

void
cmdline_print(const cmdline_row *rows, int nrows)
{
    for (int k = 0; k < nrows; ++k)
        print_row(rows + k);
}

int
cmdline_select(const cmdline_row *table, int n, int bit, cmdline_row *rows)
{
    int selected = 0;
    for (int k = 0; k < n; ++k)
        if (table[k].kind >> bit & 1)
            rows[selected++] = table[k];
    return selected;
}

static const cmdline_row *
row_of(const cmdline *c, int key)
{
    for (int k = 0; k < c->nrows; ++k)
        if (c->rows[k].key == key)
            return c->rows + k;
    return NULL;
}

/* The table as getopt's long options. */
static void
list_names(const cmdline *c, struct option names[ROWS_MOST + 1])
{
    memset(names, 0, (ROWS_MOST + 1) * sizeof *names);
    for (int k = 0, to = 0; k < c->nrows && to < ROWS_MOST; ++k) {
        const cmdline_row *r = c->rows + k;
        if (r->name == NULL)
            continue;
        names[to].name = r->name;
        names[to].has_arg = r->flags & CMDLINE_OPTIONAL ? optional_argument
                            : r->arg != NULL            ? required_argument
                                                        : no_argument;
        names[to++].val = r->key;
    }
}

/* The table as getopt's letters, ":" distinguishes a missing value from an
 * unknown option. */
static void
list_letters(const cmdline *c, const char *order,
             char letters[2 * ROWS_MOST + 3])
{
    char *to = letters + sprintf(letters, "%.1s:", order);
    for (int k = 0; k < c->nrows && k < ROWS_MOST; ++k)
        if (c->rows[k].flags & CMDLINE_LETTER) {
            *to++ = c->rows[k].key;
            if (c->rows[k].arg != NULL)
                *to++ = ':';
        }
    *to = '\0';
}

/* What an argument that cannot be applied is; argv[optind] is behind it. */
enum { UNKNOWN = CMDLINE_BAD + 1, NO_VALUE };

static int
apply_all(const cmdline *c, int argc, char **argv, void *state,
          const char *order, const char **word)
{
    struct option names[ROWS_MOST + 1];
    char letters[2 * ROWS_MOST + 3];
    list_names(c, names);
    list_letters(c, order, letters);
    opterr = 0;
    for (;;) {
        *word = argv[optind];
        const int key = getopt_long(argc, argv, letters, names, NULL);
        const cmdline_row *r = row_of(c, key);
        if (key == -1)
            return CMDLINE_GO;
        if (key == 'h') {
            c->help();
            return CMDLINE_HELP;
        }
        if (r == NULL)
            return key == ':' ? NO_VALUE : UNKNOWN;
        if (!c->apply(r, optarg, state))
            return CMDLINE_BAD;
    }
}

int
cmdline_read(const cmdline *c, int argc, char **argv, void *state)
{
    const char *word;
    program = c->program;
    const int what = apply_all(c, argc, argv, state, "+", &word);
    if (what == NO_VALUE)
        cmdline_complain("%s needs a value", word);
    else if (what == UNKNOWN)
        cmdline_complain("unknown option %s", word);
    else if (what == CMDLINE_GO && optind < argc)
        cmdline_complain("'%s' is not an option", argv[optind]);
    else
        return what;
    return CMDLINE_BAD;
}

int
cmdline_command(const cmdline *c, int argc, char **argv, void *state,
                const char *order, int *first)
{
    const char *word;
    program = "hesca";
    int what = apply_all(c, argc, argv, state, order, &word);
    if (what == CMDLINE_GO && first == NULL && optind < argc) {
        word = argv[optind];
        what = UNKNOWN;
    }
    if (what == NO_VALUE)
        cmdline_fail("%s %s needs a value", c->program, word);
    else if (what == UNKNOWN)
        cmdline_fail("%s does not know '%s'; see hesca %s --help", c->program,
                     word, c->program);
    if (first != NULL)
        *first = optind;
    return what == CMDLINE_GO ? -1 : what == CMDLINE_HELP ? 0 : 2;
}

/* ----- values ----- */

int
cmdline_bad(const cmdline_row *r, const char *value)
{
    return cmdline_complain("--%s '%s': expected %s", r->name, value, r->arg);
}

int
cmdline_int(const cmdline_row *r, const char *value, int least, int most,
            int *out)
{
    char *end;
    errno = 0;
    const long v = strtol(value, &end, 10);
    if (end == value || *end != '\0')
        return cmdline_bad(r, value);
    if (errno != 0 || v < least || v > most)
        return cmdline_complain("--%s '%s': must be from %d to %d", r->name,
                                value, least, most);
    *out = (int)v;
    return 1;
}

int
cmdline_real(const cmdline_row *r, const char *value, double *out)
{
    char *end;
    const double v = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(v) || v < 0)
        return cmdline_bad(r, value);
    *out = v;
    return 1;
}

int
cmdline_bytes(const cmdline_row *r, const char *value, int64_t least,
              int64_t *out)
{
    static const char units[] = "KMG";
    char *end;
    errno = 0;
    const long long v = strtoll(value, &end, 10);
    const char *unit = strchr(units, toupper((unsigned char)*end));
    const int power =
        *end == '\0' || unit == NULL ? 0 : 1 + (int)(unit - units);
    if (end == value || end[power > 0] != '\0')
        return cmdline_bad(r, value);
    if (errno != 0 || v < 0 || v > LLONG_MAX >> 10 * power ||
        v << 10 * power < least)
        return cmdline_complain("--%s '%s': must be from %lld to %lld",
                                r->name, value, (long long)least, LLONG_MAX);
    *out = v << 10 * power;
    return 1;
}

/* FIRST[:LAST[:STEP]]; the end of it, NULL if it is malformed. */
static const char *
read_range(const char *word, long long range[3])
{
    char *rest = NULL;
    range[2] = 1;
    errno = 0;
    for (int n = 0; n < 3; ++n) {
        range[n] = strtoll(word, &rest, 10);
        if (rest == word || errno != 0)
            return NULL;
        if (n == 0)
            range[1] = range[0];
        if (*rest != ':')
            break;
        word = rest + 1;
    }
    return range[2] >= 1 && range[0] <= range[1] ? rest : NULL;
}

int
cmdline_list(const cmdline_row *r, const char *value, int64_t least,
             int64_t most, int64_t *list, int room, int *n)
{
    long long range[3];
    *n = 0;
    for (const char *word = value; word != NULL;) {
        const char *end = read_range(word, range);
        if (end == NULL || (*end != ',' && *end != '\0'))
            return cmdline_bad(r, value);
        if (range[0] < least || range[1] > most)
            return cmdline_complain("--%s '%s': must be from %lld to %lld",
                                    r->name, value, (long long)least,
                                    (long long)most);
        if ((range[1] - range[0]) / range[2] >= room - *n)
            return cmdline_complain("--%s '%s': more than %d numbers", r->name,
                                    value, room);
        for (long long v = range[0]; v <= range[1]; v += range[2])
            list[(*n)++] = v;
        word = *end == ',' ? end + 1 : NULL;
    }
    return 1;
}

int
cmdline_names(const cmdline_row *r, const char *value, char *list, size_t size,
              int room, int *n)
{
    *n = 0;
    for (const char *word = value; word != NULL;) {
        const size_t len = strcspn(word, ",");
        if (len == 0 || len >= size || *n == room)
            return cmdline_bad(r, value);
        char *to = list + (size_t)(*n)++ * size;
        memcpy(to, word, len);
        to[len] = '\0';
        word = word[len] == ',' ? word + len + 1 : NULL;
    }
    return 1;
}

int
cmdline_grid(const cmdline_row *r, const char *value, int *nprow, int *npcol)
{
    int p, q, used = 0;
    if (strspn(value, "0123456789x") != strlen(value) ||
        sscanf(value, "%4dx%4d%n", &p, &q, &used) != 2 ||
        value[used] != '\0' || p < 1 || q < 1)
        return cmdline_bad(r, value);
    *nprow = p;
    *npcol = q;
    return 1;
}

int
cmdline_choice(const cmdline_row *r, const char *value, int *out)
{
    const size_t len = strlen(value);
    const char *word = r->arg;
    for (int k = 0;; ++k) {
        const size_t n = strcspn(word, "|");
        if (n == len && strncmp(word, value, n) == 0) {
            *out = k;
            return 1;
        }
        if (word[n] == '\0')
            return cmdline_bad(r, value);
        word += n + 1;
    }
}

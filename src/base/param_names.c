/* SPDX-License-Identifier: BSD-3-Clause */
/* Unknown variables HESCA_*, and the parameter that such a variable may be a
 * misspelling of. */
#include "base/param_names.h"
#include "base/status.h"
#include "hesca/experimental/param.h"
#include <string.h>

extern char **environ;

static const char PREFIX[] = "HESCA_";

enum {
    PREFIX_LEN = sizeof PREFIX - 1,
    MOST = 40 /* characters of a name that are compared */
};

/* Variables that are valid but not parameters: those that HESCA's tests and
 * tools set, and those by which environment modules of clusters specify where
 * a package is installed. */
static const char *const others[] = {
    "HESCA_BIN",    "HESCA_BROWSER", "HESCA_DIR",     "HESCA_HOME",
    "HESCA_INC",    "HESCA_INCLUDE", "HESCA_INSTALL", "HESCA_LIB",
    "HESCA_LIBS",   "HESCA_PATH",    "HESCA_PREFIX",  "HESCA_ROOT",
    "HESCA_VERSION"};
static const char TEST[] = "HESCA_TEST_";

static int
is_name(const char *name, const char *entry, size_t len)
{
    return strlen(name) == len && memcmp(name, entry, len) == 0;
}

static int
is_known(const char *entry, size_t len)
{
    const hesca_param_info *p;
    if (len > strlen(TEST) && strncmp(entry, TEST, strlen(TEST)) == 0)
        return 1;
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
        if (is_name(others[k], entry, len))
            return 1;
    for (int k = 0; (p = hesca_param(k)) != NULL; ++k)
        if (is_name(p->name, entry, len))
            return 1;
    return 0;
}

/* The least number of characters to insert, delete, replace, or exchange with
 * the next one, to get x from y.  Both have at most MOST characters.
 * Source: the restricted Damerau-Levenshtein distance. */
static int
distance(const char *x, int m, const char *y, int n)
{
    int d[MOST + 1][MOST + 1];
    for (int i = 0; i <= m; ++i)
        d[i][0] = i;
    for (int j = 0; j <= n; ++j)
        d[0][j] = j;
    for (int i = 1; i <= m; ++i)
        for (int j = 1; j <= n; ++j) {
            int least = d[i - 1][j - 1] + (x[i - 1] != y[j - 1]);
            if (d[i - 1][j] + 1 < least)
                least = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < least)
                least = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] &&
                x[i - 2] == y[j - 1] && d[i - 2][j - 2] + 1 < least)
                least = d[i - 2][j - 2] + 1;
            d[i][j] = least;
        }
    return d[m][n];
}

/* The parameter at the least distance; NULL if more than one character in
 * three is wrong.  A proper prefix of a parameter has distance 1. */
static const char *
nearest(const char *entry, size_t len)
{
    const hesca_param_info *p;
    const char *found = NULL, *x = entry + PREFIX_LEN;
    const int m = (int)(len - PREFIX_LEN);
    int least = (m + 2) / 3;
    if (len > MOST || m < 2)
        return NULL;
    for (int k = 0; (p = hesca_param(k)) != NULL; ++k) {
        const char *y = p->name + PREFIX_LEN;
        const int n = (int)strlen(y);
        const int apart =
            m < n && strncmp(x, y, (size_t)m) == 0 ? 1 : distance(x, m, y, n);
        if (apart < least || (apart == least && found == NULL)) {
            least = apart;
            found = p->name;
        }
    }
    return found;
}

int
hesca_param_stray(int i)
{
    for (char **e = environ; e != NULL && *e != NULL; ++e) {
        const size_t len = strcspn(*e, "=");
        if (strncmp(*e, PREFIX, PREFIX_LEN) != 0 || (*e)[len] != '=' ||
            (*e)[len + 1] == '\0' || is_known(*e, len) || i-- > 0)
            continue;
        const char *near = nearest(*e, len);
        return near == NULL ? hesca_fail(HESCA_ERR_PARAM, 0,
                                         "%.*s is not a parameter of HESCA",
                                         len < MOST ? (int)len : MOST, *e)
                            : hesca_fail(HESCA_ERR_PARAM, 0,
                                         "%.*s is not a parameter of HESCA; "
                                         "did you mean %s?",
                                         (int)len, *e, near);
    }
    return HESCA_SUCCESS;
}

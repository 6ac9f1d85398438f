/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading parameters with one variable set, for tests of all of them. */
#ifndef HESCA_TESTING_PARAMS_H
#define HESCA_TESTING_PARAMS_H

#include "base/status.h"
#include "hesca/experimental/param.h"
#include "testing/unit.h"
#include <ctype.h>

enum { NVARIABLES = 26 };

static const char *const variable[NVARIABLES] = {
    "HESCA_VERBOSE",   "HESCA_DISABLE", "HESCA_FALLBACK",   "HESCA_ONERROR",
    "HESCA_SCHEDULE",  "HESCA_MACHINE", "HESCA_TRANSPORT",  "HESCA_BUFFER",
    "HESCA_CACHE",     "HESCA_TIMEOUT", "HESCA_NODE_SIZE",  "HESCA_EXCHANGE",
    "HESCA_BCAST",     "HESCA_TRACE",   "HESCA_CHECKPOINT", "HESCA_WAIT",
    "HESCA_PLACEMENT", "HESCA_JOB",     "HESCA_GEMM",       "HESCA_POTRF",
    "HESCA_GETRF",     "HESCA_LOG",     "HESCA_REGRID",     "HESCA_LEARN",
    "HESCA_REPORT",    "HESCA_PROGRAM"};

static inline const hesca_param_info *
info_of(const char *name)
{
    const hesca_param_info *info = NULL;
    for (int i = 0; (info = hesca_param(i)) != NULL; ++i)
        if (strcmp(info->name, name) == 0)
            break;
    return info;
}

/* Read with one variable set and the others not. */
static inline int
read_with(const char *name, const char *value, hesca_params *params)
{
    for (int i = 0; i < NVARIABLES; ++i)
        unsetenv(variable[i]);
    if (name != NULL)
        setenv(name, value, 1);
    const int err = hesca_params_read(params);
    if (name != NULL)
        unsetenv(name);
    return err;
}

static inline void
check_refused(const char *name, const char *value)
{
    hesca_params params;
    hesca_error_set(HESCA_ERR_MPI, 3, "an older failure");
    const int err = read_with(name, value, &params);
    const char *text = hesca_error_text();
    CHECK(err == HESCA_ERR_PARAM, "%s='%s' returns %d", name, value, err);
    CHECK(strstr(text, name) != NULL, "%s='%s': %s", name, value, text);
    CHECK(hesca_error_info() == 0, "%s='%s': %d", name, value,
          hesca_error_info());
    CHECK(strlen(text) < HESCA_TEXT_MAX, "%s='%s'", name, value);
    if (strlen(value) > HESCA_TEXT_MAX / 2)
        return;                 /* the text may be cut */
    char shown[HESCA_TEXT_MAX]; /* ends of lines and the like are not */
    snprintf(shown, sizeof shown, "%s", value);
    for (char *c = shown; *c != '\0'; ++c)
        *c = (unsigned char)*c < ' ' ? '?' : *c;
    CHECK(strstr(text, shown) != NULL, "%s='%s': %s", name, value, text);
    CHECK(strstr(text, info_of(name)->type) != NULL, "%s='%s': %s", name,
          value, text);
}

static inline void
check_accepted(const char *name, const char *value, hesca_params *params)
{
    const int err = read_with(name, value, params);
    CHECK(err == HESCA_SUCCESS, "%s='%s' returns %d: %s", name, value, err,
          hesca_error_text());
}

#endif

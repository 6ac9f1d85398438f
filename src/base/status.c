/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include <stdarg.h>
#include <stdio.h>

static _Thread_local hesca_failure last;
static _Thread_local const char *caller, *entered = "hesca";

static const char *const meaning[HESCA_ERR_COUNT] = {
    [-HESCA_SUCCESS] = "success",
    [-HESCA_ERR_ARG] = "an argument has an illegal value",
    [-HESCA_ERR_NOMEM] = "no memory left",
    [-HESCA_ERR_MPI] = "an MPI function failed",
    [-HESCA_ERR_PARAM] = "a HESCA_* variable has a bad value",
    [-HESCA_ERR_MISMATCH] = "the processes disagree on an argument",
    [-HESCA_ERR_UNSUPPORTED] = "not possible for this problem",
};

const char *
hesca_strerror(int err)
{
    if (err > 0 || -err >= HESCA_ERR_COUNT)
        return "unknown status";
    return meaning[-err];
}

/* Text from a malformed file must neither break the line nor control a
 * terminal. */
static void
make_printable(char *text)
{
    for (; *text != '\0'; ++text)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            *text = '?';
}

int
hesca_fail(int err, int info, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    last.err = err;
    last.info = info;
    vsnprintf(last.text, sizeof last.text, format, args);
    va_end(args);
    make_printable(last.text);
    return err;
}

int
hesca_fail_arg(const char *routine, int info, const char *name,
               long long value, const char *must)
{
    return hesca_fail(HESCA_ERR_ARG, info,
                      "%s: argument %d, %s, is %lld: must be %s", routine,
                      info, name, value, must);
}

int
hesca_fail_null(const char *routine, int info, const char *name)
{
    return hesca_fail(HESCA_ERR_ARG, info, "%s: argument %d, %s, is NULL",
                      routine, info, name);
}

const hesca_failure *
hesca_failure_get(void)
{
    return &last;
}

int
hesca_failure_set(const hesca_failure *failure)
{
    last = *failure;
    return last.err;
}

const char *
hesca_error_text(void)
{
    return last.text;
}

int
hesca_error_info(void)
{
    return last.info;
}

int
hesca_error_set(int err, int info, const char *text)
{
    return hesca_fail(err, info, "%s", text);
}

void
hesca_caller_set(const char *name)
{
    caller = name;
}

void
hesca_caller_enter(const char *function)
{
    entered = function;
}

const char *
hesca_caller_name(void)
{
    return caller != NULL ? caller : entered;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hesca/version.h"

const char *
hesca_version(void)
{
    return HESCA_VERSION;
}

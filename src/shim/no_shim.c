/* SPDX-License-Identifier: BSD-3-Clause */
/* In libhesca: says that it was preloaded by mistake.  It replaces nothing;
 * libhesca_scalapack does. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "config.h"
#include "hesca/experimental/param.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#ifdef PIC

#define TEXT_EXPANDED(name) #name
#define TEXT(name) TEXT_EXPANDED(name)

/* Of programs with ScaLAPACK only, since launchers and shells inherit
 * LD_PRELOAD. */
__attribute__((constructor)) static void
look(void)
{
    const char *list = getenv("LD_PRELOAD");
    hesca_params params;
    if (list == NULL || strstr(list, "libhesca") == NULL ||
        dlsym(RTLD_DEFAULT, TEXT(FC_FUNC_(blacs_gridinit, BLACS_GRIDINIT))) ==
            NULL ||
        dlsym(RTLD_DEFAULT, "hesca_scalapack_original") != NULL)
        return;
    hesca_params_read(&params);
    if (hesca_launch_is_first() && params.fallback != HESCA_FALLBACK_SILENT)
        hesca_log_line("LD_PRELOAD has libhesca, which replaces nothing; "
                       "libhesca_scalapack.so is the one to preload");
}

#endif

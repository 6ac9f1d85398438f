/* SPDX-License-Identifier: BSD-3-Clause */
/* A program whose MPI is another than HESCA was built for.  Handles of MPICH
 * and Open MPI differ in size, so that no call of MPI can be passed on.  As
 * long as nothing has run yet the program is started again, without the
 * preloaded library. */
#define _GNU_SOURCE /* RTLD_DEFAULT, RTLD_NOLOAD, dladdr */
#include "hesca/experimental/param.h"
#include <dlfcn.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef PIC

#ifdef OPEN_MPI
enum { OWN_IS_OPEN_MPI = 1 };
#else
enum { OWN_IS_OPEN_MPI = 0 };
#endif

static const char OWN[] = "libhesca_scalapack";

extern char **environ;

/* Whether the MPI that the program calls is one that this library was not
 * built for.  Open MPI has symbols for its handles; MPICH and its relatives
 * have numbers. */
static int
is_foreign(void)
{
    Dl_info info;
    void *init = dlsym(RTLD_DEFAULT, "PMPI_Init");
    void *library;
    if (init == NULL || dladdr(init, &info) == 0 || info.dli_fname == NULL)
        return 0;
    library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL)
        return 0;
    const int is_open_mpi = dlsym(library, "ompi_mpi_comm_world") != NULL;
    dlclose(library);
    return is_open_mpi != OWN_IS_OPEN_MPI;
}

/* Remove this library from LD_PRELOAD.
 * \return 0 if it is not there. */
static int
forget_preload(void)
{
    const char *list = getenv("LD_PRELOAD");
    size_t n = 0, removed = 0;
    if (list == NULL)
        return 0;
    char *left = malloc(strlen(list) + 1);
    if (left == NULL)
        return 0;
    while (*list != '\0') {
        const size_t len = strcspn(list, ": ");
        const char *name = list;
        for (size_t k = 0; k < len; ++k)
            if (list[k] == '/')
                name = list + k + 1;
        if (strncmp(name, OWN, strlen(OWN)) == 0) {
            ++removed;
        } else if (len > 0) {
            if (n > 0)
                left[n++] = ':';
            memcpy(left + n, list, len);
            n += len;
        }
        list += len + (list[len] != '\0');
    }
    left[n] = '\0';
    if (removed > 0)
        n > 0 ? setenv("LD_PRELOAD", left, 1) : unsetenv("LD_PRELOAD");
    free(left);
    return removed > 0;
}

/* Before the constructors that look for MPI's functions, and before main(). */
__attribute__((constructor(101))) static void
refuse(int argc, char **argv)
{
    char self[PATH_MAX];
    hesca_params params;
    if (argc < 1 || !is_foreign())
        return;
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    /* Not where the dynamic linker was called by name. */
    const char *name = strrchr(self, '/');
    const int again =
        name != NULL && strncmp(name, "/ld-", 4) != 0 && forget_preload();
    hesca_params_read(&params);
    if (hesca_launch_is_first() && params.fallback != HESCA_FALLBACK_SILENT)
        fprintf(stderr,
                "hesca: %s uses %s, but this HESCA was built for %s; %s\n",
                argv[0], OWN_IS_OPEN_MPI ? "MPICH" : "Open MPI",
                OWN_IS_OPEN_MPI ? "Open MPI" : "MPICH",
                again ? "it goes on without HESCA" : "it cannot work with it");
    if (again)
        execve(self, argv, environ);
}

#endif

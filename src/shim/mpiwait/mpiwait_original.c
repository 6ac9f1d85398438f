/* SPDX-License-Identifier: BSD-3-Clause */
#include "shim/find.h"
#include "shim/mpiwait/mpiwait.h"

#define ITSELF(name) .name = PMPI_##name,
hesca_mpiwait_original_calls hesca_mpiwait_original = {
    HESCA_MPIWAIT_ORIGINAL(ITSELF)};

#ifdef PIC
#define FIND(name)                                                            \
    if ((found = hesca_find_behind("MPI_" #name)) != NULL)                    \
        hesca_mpiwait_original.name =                                         \
            (__typeof__(hesca_mpiwait_original.name))found;
#else
/* Defined by the linker for what the program was linked with --wrap for. */
#define DECLARE(name)                                                         \
    extern __typeof__(PMPI_##name) __real_MPI_##name __attribute__((weak));
HESCA_MPIWAIT_ORIGINAL(DECLARE)

#define FIND(name)                                                            \
    if (__real_MPI_##name != NULL)                                            \
        hesca_mpiwait_original.name = __real_MPI_##name;
#endif

/* Before the program calls anything. */
__attribute__((constructor)) static void
find_next(void)
{
#ifdef PIC
    hesca_function found;
#endif
    HESCA_MPIWAIT_ORIGINAL(FIND)
}

#define _POSIX_C_SOURCE 200809L
#include "wait/backoff.h"
#include <time.h>

enum {
    SPINS = 4000,      /* some 0.5 ms of MPI_Test: longer than most steps */
    SPINS_CROWDED = 8, /* long enough for a message that is there already */
    FIRST_NAP = 10,    /* the kernel adds some 50 us */
    LAST_NAP = 200
};

hesca_backoff
hesca_backoff_begin(int crowded)
{
    return (hesca_backoff){.spins = crowded ? SPINS_CROWDED : SPINS,
                           .nap = FIRST_NAP};
}

void
hesca_backoff_pause(hesca_backoff *wait)
{
    if (wait->spins > 0) {
        --wait->spins;
        return;
    }
    const struct timespec t = {.tv_nsec = wait->nap * 1000L};
    nanosleep(&t, NULL);
    if (wait->nap < LAST_NAP)
        wait->nap *= 2;
}

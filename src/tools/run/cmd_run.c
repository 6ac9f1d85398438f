/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca run: start a program on processes in proportion to speed. */
#define _POSIX_C_SOURCE 200809L /* execvp */
#include "tools/lib/cmdline.h"
#include "tools/lib/local_rank.h"
#include "tools/lib/tools.h"
#include "tools/run/run.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int
predict(const run_options *o, const run_layout *x, const arglist *command)
{
    run_grid best = {.nprow = 0}, plain = {.nprow = 0};
    run_options named = *o;
    if (o->grid.nprow == 0 && x->best_nprocs == x->nprocs &&
        (x->by_speed || x->gain >= 1)) /* found already */
        named.grid = x->best;
    const int good =
        run_grid_place(&named, x, &best) && run_grid_plain(o, x, &plain);
    if (good)
        best.seconds = run_grid_seconds(x, (run_shape){best.nprow, best.npcol},
                                        x->nprocs, x->host, 0, &best.by_speed);
    if (best.seconds == 0)
        best.seconds = best.forecast.seconds;
    if (good)
        (o->json ? run_json : run_print)(o, x, &best, &plain, command);
    run_grid_clear(&best);
    run_grid_clear(&plain);
    return good;
}

/* From here on the exit status is that of the command. */
static void
become(const arglist *command)
{
    fflush(NULL);
    local_rank_forget();
    execvp(command->word[0], command->word);
    cmdline_fail("%s: %s", command->word[0], strerror(errno));
}

int
run_main(int argc, char **argv)
{
    run_options o;
    run_layout x = {.nprocs = 0};
    arglist command = {.n = 0};
    hesca_params params;
    const int is = run_options_read(argc, argv, &o);
    if (is != CMDLINE_GO)
        return is == CMDLINE_HELP ? TOOL_YES : TOOL_BAD;
    if (hesca_params_read(&params) < 0) {
        complain("%s", hesca_error_text());
        return TOOL_NO;
    }
    int good =
        run_layout_make(&o, &params, &x) && run_command_make(&o, &x, &command);
    if (good && o.dry_run) {
        good = predict(&o, &x, &command);
    } else if (good) {
        run_announce(&o, &x);
        become(&command);
    }
    arglist_free(&command);
    run_layout_clear(&x);
    return good && o.dry_run ? TOOL_YES : TOOL_BAD;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hohe/hohe.h"
#include "survey/program.h"

int
hesca_hohe_keeps_jobs(const hesca_params *params)
{
    return hesca_program_is_written(params);
}

void
hesca_hohe_keep_job(const hesca_params *params, const hesca_job *job,
                    int nprow, int npcol, int nprocs)
{
    const hesca_program p = {
        .job = *job, .nprow = nprow, .npcol = npcol, .nprocs = nprocs};
    hesca_program_write(params->program, &p);
}

/** \file hohe/gblock_walk.h
 * A job on the processes of a grid, to be walked on any generalized block
 * there: what hesca_gblock_predict() and hesca_gblock_tune() share. */
#ifndef HESCA_HOHE_GBLOCK_WALK_H
#define HESCA_HOHE_GBLOCK_WALK_H

#include "hesca/experimental/gblock.h"

/** What a process's messages cost, to others of one direction of the grid;
 * seconds. */
typedef struct {
    double byte;     /* of the wire */
    double startup;  /* until a message is noticed */
    double handling; /* of the processor, per byte */
} hesca_gblock_link;

/** Seconds of a step that a host's processors are busy with computing and with
 * messages, and its links. */
typedef struct {
    double compute, handling, in, out;
} hesca_gblock_load;

typedef struct {
    const char *routine; /* of the library, for errors */
    const hesca_job *job;
    const hesca_machine *machine;
    const int *host; /* [nprocs] */
    const hesca_gblock *g;
    const hesca_layout *source; /* of the factors of a product; NULL: as g */
    int nprocs;
    double *speed;       /* [nprocs] operations per second */
    double *rows, *cols; /* [nprocs] scratch: what is left of a share */
    double left;         /* scratch: what is left of the order */
    hesca_gblock_link *along_row, *along_col; /* [nprocs] */
    hesca_gblock_load *load;                  /* [nhosts] scratch */
} hesca_gblock_walk;

/** A job is not NULL and makes sense. */
int hesca_gblock_check_job(const char *name, int info, const hesca_job *job);

/** Find speeds; hosts are checked as argument info, the machine as the one
 * before.
 * \return HESCA_SUCCESS (clear the result), HESCA_ERR_ARG, HESCA_ERR_NOMEM. */
int hesca_gblock_walk_init(hesca_gblock_walk *w, const char *name,
                           const hesca_job *job, const hesca_machine *machine,
                           int nprow, int npcol, const int *host, int info);
void hesca_gblock_walk_clear(hesca_gblock_walk *w);

/** The same, for a product whose factors lie in another layout.
 * \param [in] source  On a grid of that shape, of order job->n at least; NULL:
 *                     they lie as the result does. */
int hesca_gblock_predict_from(const hesca_gblock *gblock,
                              const hesca_layout *source, const hesca_job *job,
                              const hesca_machine *machine, const int *host,
                              hesca_forecast *forecast);

/** Predict the job on a generalized block of that grid; the seconds. */
double hesca_gblock_walk_all(hesca_gblock_walk *w, const hesca_gblock *g,
                             hesca_forecast *forecast);

#endif

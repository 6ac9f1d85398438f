/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/redist_request.h
 * The options of hesca plan. */
#ifndef HESCA_TOOLS_LIB_REDIST_REQUEST_H
#define HESCA_TOOLS_LIB_REDIST_REQUEST_H

#include <stdint.h>

/** PxQ[@FIRST]:MBxNB[:RSRC,CSRC].  In generalized blocks MB or NB is one
 * number for every process row or column, separated by commas, and there is no
 * source.
 */
typedef struct {
    int nprow, npcol;
    int first; /* rank of process (0,0); the grid is filled by rows */
    int mb, nb, rsrc, csrc;
    const char *heights, *widths; /* in the text, instead of mb, nb; or NULL */
} request_layout;

/** Read such a layout, which may refer to the text.
 * \return NULL, or a description of a correct text; *layout is unchanged then.
 */
const char *request_layout_scan(const char *text, request_layout *layout);

/** Whether it has generalized blocks. */
int request_layout_is_generalized(const request_layout *x);

/** The next number of heights or widths, of which *list is advanced; nb if
 * there is no list. */
int64_t request_layout_next(const char **list, int nb);

typedef struct {
    int64_t m, n;
    request_layout a, b;
    int64_t esize;
    int64_t ia, ja, ib, jb; /* from 1, as ScaLAPACK's */
    int part;               /* hesca_part */
    const char *machine;    /* file, or NULL */
    int one_node;
    double load; /* processes per core */
    const char *schedule;
    int64_t rank;    /* -1: none */
    const char *svg; /* file, or NULL */
    int json;
} request;

/** The values of --part and --between, in the order of the fields' values. */
#define REQUEST_PARTS "all|upper|upper-strict|lower|lower-strict"
#define REQUEST_LINKS "nodes|cores"

/** Item k of such a list, as bytes for printf's "%.*s". */
const char *request_item(const char *list, int k, int *length);

/** Read the options of hesca plan, or print its help.
 * \return as cmdline_status(). */
int request_read(int argc, char **argv, request *r);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/sim/timeline.h
 * Timing diagrams of exchanges: a column for each process, time downwards, a
 * rectangle for each message.
 * Source: BHAT-HET 4.2, Figure 3. */
#ifndef HESCA_TOOLS_SIM_TIMELINE_H
#define HESCA_TOOLS_SIM_TIMELINE_H

#include "order/trace.h"

enum {
    TIMELINE_PANELS = 8, /* exchanges side by side */
    TIMELINE_ALL = 256, /* up to this many processes all have columns; of more,
                           those that send or receive */
    TIMELINE_MOST = 1 << 18 /* messages of all panels */
};

/** One exchange. */
typedef struct {
    hesca_trace_kind kind;
    const char *schedule; /* in the trace */
    int64_t first, n;     /* its rows: order[first] ... */
    double finish;
    double bound; /* seconds: what the busiest process sends, or receives */
} timeline_panel;

/** The diagram. */
typedef struct {
    const hesca_trace *trace;
    const char *heading;
    int is_receive; /* columns are receivers, numbers are senders */
    int nprocs, npanels;
    int ncolumns;
    int *rank; /* [ncolumns] the process of each column, ascending */
    timeline_panel panel[TIMELINE_PANELS];
    int64_t *order; /* [trace->n] rows, panel by panel, as in the trace */
    double end;     /* the latest end or bound of all panels; > 0 */
} timeline;

/** \param [in] trace, heading  Must outlive the result.
 * \param [in] bound  Seconds before which no schedule ends, if known; else 0.
 * \return HESCA_SUCCESS (clear the result), HESCA_ERR_ARG (no messages, too
 *         many, too many exchanges) or HESCA_ERR_NOMEM. */
int timeline_make(timeline *t, const hesca_trace *trace, const char *heading,
                  double bound);
void timeline_clear(timeline *t);

/** The column of a process that occurs. */
int timeline_column(const timeline *t, int rank);

/** Draw all panels side by side. */
void timeline_svg(const timeline *t, FILE *file);

/** A page that draws them, to zoom, move and look at messages; it needs no
 * other file. */
void timeline_html(const timeline *t, FILE *file);

/** Whether a file of this name is to be a page: it ends in .html or .htm. */
int timeline_is_page(const char *path);

/** Write a page, or else SVG.
 * \return TOOL_YES, or TOOL_BAD after an error message. */
int timeline_write(const timeline *t, const char *path, int is_page);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file machine/reader.h
 * The reader of machine files: its state, and the words of a line.  Functions
 * return HESCA_SUCCESS, HESCA_ERR_NOMEM, or HESCA_ERR_PARAM with file, line
 * and token. */
#ifndef HESCA_MACHINE_READER_H
#define HESCA_MACHINE_READER_H

#include "hesca/experimental/machine.h"
#include "machine/cost_lines.h"
#include "machine/quantity.h"

typedef struct {
    char name[HESCA_HOST_MAX];
    hesca_wire wire;
} hesca_wire_class;

/** The state of the reader. */
typedef struct {
    const char *path;
    int line;   /* number of the current line, from 1 */
    char *rest; /* of the line, for strtok_r() */
    hesca_machine machine;
    int has_head, seen[HESCA_COST_LINES];
    hesca_wire_class *classes;
    int nclasses;
    int *wire_line; /* [nhosts * nhosts] line that specifies a wire, 0: none;
                       NULL before the first: hosts may follow */
    int has_others, has_unit;
    hesca_wire others;
    int last[2];       /* host found last, as the first and as the second end
                          of a link */
    int model_line;    /* line of the model whose knots follow; 0: none */
    hesca_model model; /* this model, without a speed */
    double limit;      /* of this model */
    hesca_knot *knots; /* of this model, so far */
    int nknots;
} hesca_reader;

/** The next word, NULL if there is none.
 * \param [in,out] line  A new line to begin with; NULL: the current line. */
char *hesca_reader_next(hesca_reader *r, char *line);

/** Report that a token is not what must be there; NULL: the line ends.
 * \return HESCA_ERR_PARAM. */
int hesca_reader_complain(const hesca_reader *r, const char *token,
                          const char *must);

/** Read a number, or a name that must be there and its number. */
int hesca_reader_number(hesca_reader *r, hesca_quantity q, double *x);
int hesca_reader_field(hesca_reader *r, const char *name, hesca_quantity q,
                       double *x);

/** Read the name of a host that was listed before.
 * \param [in] end  0 or 1, the end of a link: the search begins at the host
 *                  found last for this end. */
int hesca_reader_host(hesca_reader *r, int end, int *host);

/** Make room for element n of an array whose capacity doubles. */
int hesca_reader_grow(void **array, int n, size_t size);

/** \name Lines of models, after their first word
 * hesca_reader_end_model() enters the model when its knots end.
 * \{ */
int hesca_reader_model(hesca_reader *r, int unused);
int hesca_reader_knot(hesca_reader *r, int unused);
int hesca_reader_end_model(hesca_reader *r);
/** \} */

#endif

/** \file machine/reader.h
 * The reader of machine files: where it stands, and the words of a line.
 * Functions return HESCA_SUCCESS, HESCA_ERR_NOMEM, or HESCA_ERR_PARAM with
 * file, line and token. */
#ifndef HESCA_MACHINE_READER_H
#define HESCA_MACHINE_READER_H

#include "hesca/experimental/machine.h"
#include "machine/cost_lines.h"
#include "machine/quantity.h"

typedef struct {
    char name[HESCA_HOST_MAX];
    hesca_wire wire;
} hesca_wire_class;

/** Where the reader stands. */
typedef struct {
    const char *path;
    int line;
    char *rest; /* of the line, for strtok_r() */
    hesca_machine machine;
    int has_head, seen[HESCA_COST_LINES];
    hesca_wire_class *classes;
    int nclasses;
    int *told; /* [nhosts * nhosts] the line that tells a wire, 0: none; NULL
                  before the first: hosts may follow */
    int has_others;
    hesca_wire others;
    int last[2];       /* hosts that were found last, as the first and the
                          second end of a link */
    int model_line;    /* of the model whose knots follow; 0: none */
    hesca_model model; /* it, without a speed */
    double limit;
    hesca_knot *knots; /* and what it has so far */
    int nknots;
} hesca_reader;

/** The next word of the line, NULL if there is none; of a new line, if one is
 * given. */
char *hesca_reader_next(hesca_reader *r, char *line);

/** The token is not what must be there; NULL: the line ends. */
int hesca_reader_complain(const hesca_reader *r, const char *token,
                          const char *must);

/** A number; and a name with its number. */
int hesca_reader_number(hesca_reader *r, hesca_quantity q, double *x);
int hesca_reader_field(hesca_reader *r, const char *name, hesca_quantity q,
                       double *x);

/** A host told before; `end` 0 or 1: search begins where that of this end
 * ended. */
int hesca_reader_host(hesca_reader *r, int end, int *host);

/** Room for one more than n in an array that doubles. */
int hesca_reader_grow(void **array, int n, size_t size);

/** \name Lines of models, after their first word
 * The model is entered when its knots end.
 * \{ */
int hesca_reader_model(hesca_reader *r, int unused);
int hesca_reader_knot(hesca_reader *r, int unused);
int hesca_reader_end_model(hesca_reader *r);
/** \} */

#endif

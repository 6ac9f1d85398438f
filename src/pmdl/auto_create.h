/* SPDX-License-Identifier: BSD-3-Clause */
/** \file pmdl/auto_create.h
 * The arrangement of processes for which a model takes least: the search of
 * HMPI_Group_auto_create and HMPI_Group_heuristic_auto_create (HMPI 3.5).
 *
 * The output parameters of a model are the extents of its coordinates and, if
 * one follows them, a vector of the relative speeds of the processes. */
#ifndef HESCA_PMDL_AUTO_CREATE_H
#define HESCA_PMDL_AUTO_CREATE_H

#include "pmdl/bind.h"
#include "pmdl/mapping.h"

/** An arrangement that was tried. */
typedef struct {
    int dims[HESCA_MODEL_DIMS];
    double seconds; /**< negative: the model has no value for it */
} hesca_arrangement;

typedef struct {
    int nprocs;             /**< most processes, >= 1 */
    hesca_filter is_chosen; /**< NULL: all */
    /** The user's own, as HMPI_Heuristic_function, or NULL. */
    int (*is_chosen_by_user)(int np, int *dp, void *modelp, int paramc);
    const void *modelp; /**< what it gets: ints, see hmpi.h */
    int paramc;
    /** Called before each, may be NULL; non-zero ends the search. */
    int (*progress)(void *context, int64_t done, const int *dims,
                    double least);
    void *context;
} hesca_arrange_options;

typedef struct {
    hesca_arrangement *tried; /**< [ntried] Free with free(). */
    int64_t ntried, nvisited; /**< nvisited: before the heuristic */
    int64_t best;             /**< index of the first least; -1: none */
    int64_t estimates;
    char why[400]; /**< why the last one without a value has none */
} hesca_arrange_result;

/** Whether a model's extents are parameters of their own, which can be chosen;
 * vector is the one that gets speeds, or -1.
 * \return HESCA_SUCCESS, or HESCA_ERR_ARG with a text. */
int hesca_arrange_check(const hesca_model_code *code, int *vector);

/** Set the output parameters for an arrangement: extents, and the speeds of
 * the fastest processes in descending order, row by row (HMPI 3.5), except
 * that the first is that of the parent (trap T-21); as int, the least is
 * 1000. */
int hesca_arrange_set(hesca_model_args *args, const hesca_topology *topology,
                      int parent_computer, const int *dims);

/** Try all arrangements of at most nprocs processes.
 * \param [in,out] args  Input parameters are set; output parameters are
 *                       those of the best arrangement afterwards.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_ARG. */
int hesca_arrange(hesca_model_args *args, const hesca_topology *topology,
                  const hesca_price_options *price,
                  const hesca_search_options *search,
                  const hesca_arrange_options *options,
                  hesca_arrange_result *result);

#endif

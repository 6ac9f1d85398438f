/* SPDX-License-Identifier: BSD-3-Clause */
/** \file base/param_names.h
 * Environment variables HESCA_* that are not parameters, most of which are
 * misspelt. */
#ifndef HESCA_BASE_PARAM_NAMES_H
#define HESCA_BASE_PARAM_NAMES_H

/** Record, as hesca_fail() does, that a variable is unknown, and name the
 * parameter with the most similar name, if one is similar.
 * \param [in] i  Index of the unknown variable, counted from 0 in the order
 *                of the environment.
 * \return HESCA_ERR_PARAM; HESCA_SUCCESS if there are at most i of them. */
int hesca_param_stray(int i);

#endif

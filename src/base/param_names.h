/** \file base/param_names.h
 * Variables HESCA_* of the environment that are no parameters: most of them
 * are misspelt. */
#ifndef HESCA_BASE_PARAM_NAMES_H
#define HESCA_BASE_PARAM_NAMES_H

/** Record, as hesca_fail() does, that a variable is unknown, with the
 * parameter whose name is nearest if that is near. \param [in] i  Which one,
 * counted from 0 in the order of the environment. \return HESCA_ERR_PARAM;
 * HESCA_SUCCESS: there are not so many. */
int hesca_param_stray(int i);

#endif

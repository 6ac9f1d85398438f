/* SPDX-License-Identifier: BSD-3-Clause */
/** \file survey/cache.h
 * Files in which what was measured is kept from run to run: in the folder
 * hesca of $XDG_CACHE_HOME, or of $HOME/.cache.
 *
 * Runs may write the same file at the same time: a file is replaced as a whole
 * and ends with a line that says so, and one that does not is as good as
 * none.  Local. */
#ifndef HESCA_SURVEY_CACHE_H
#define HESCA_SURVEY_CACHE_H

#include "base/private.h"
#include <stddef.h>
#include <stdint.h>

enum { HESCA_CACHE_PATH = 1024 };

/** The path of a file.
 * \param [in] kind  The beginning of its name: "machine", "calls".
 * \param [in] key   Of what the contents depend on.
 * \return 1, or 0 if there is no such folder and none can be made. */
int hesca_cache_path(const char *kind, uint64_t key,
                     char path[HESCA_CACHE_PATH]);

/** Whether a file is complete. */
int hesca_cache_is_whole(const char *path);

/** Write a file, or replace it, with a last line "# complete".
 * \return 1, or 0 if that failed. */
int hesca_cache_write(const char *path, const char *text);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/json.h
 * JSON strings; the rest of JSON is written by printf. */
#ifndef HESCA_TOOLS_LIB_JSON_H
#define HESCA_TOOLS_LIB_JSON_H

/** Print a string to stdout, quoted; null for NULL.  Bytes that are not UTF-8,
 * as file names may have, are printed as U+FFFD. */
void json_string(const char *s);

#endif

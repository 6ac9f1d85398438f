/* SPDX-License-Identifier: BSD-3-Clause */
/** \file shim/page/page_text.h
 * A text that grows, numbers for people, and the sections of a page. */
#ifndef HESCA_SHIM_PAGE_PAGE_TEXT_H
#define HESCA_SHIM_PAGE_PAGE_TEXT_H

#include "shim/page/page.h"
#include <stddef.h>

/** When memory is missing nothing more is added, and failed is 1. */
typedef struct {
    char *at; /**< ends with 0; NULL at first */
    size_t n, room;
    int failed;
} hesca_text;

/** Append; the texts of arguments must not come from outside. */
void hesca_text_add(hesca_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Append what comes from outside: names of hosts, files, reasons.  What has a
 * meaning in HTML is escaped, what is no character becomes a question mark. */
void hesca_text_escape(hesca_text *text, const char *outside);

/** A number for people. */
typedef struct {
    char text[24];
} hesca_words;

hesca_words hesca_words_seconds(double seconds); /**< "12.3 ms" */
hesca_words hesca_words_bytes(double bytes);     /**< "81.9 MB" */
hesca_words hesca_words_count(double count);     /**< "12 345" */
hesca_words hesca_words_factor(double quotient); /**< "1.8 x" */

/** \name Sections
 * Each appends nothing, or one <section>.
 * \{ */
void hesca_page_style(hesca_text *text);
void hesca_page_routines(hesca_text *text, const hesca_page *page);
void hesca_page_reasons(hesca_text *text, const hesca_page *page);
void hesca_page_advice(hesca_text *text, const hesca_page *page);
void hesca_page_processes(hesca_text *text, const hesca_page *page);
void hesca_page_messages(hesca_text *text, const hesca_page *page);
void hesca_page_speeds(hesca_text *text, const hesca_page *page);
void hesca_page_machine(hesca_text *text, const hesca_page *page);
/** \} */

/** Calls of a routine by all ways, by those but the original, and their
 * seconds. */
double hesca_page_calls(const hesca_page_routine *routine);
double hesca_page_served(const hesca_page_routine *routine);
double hesca_page_seconds(const hesca_page_routine *routine);

/** Append a picture of values of pairs of hosts.
 * \param [in] value  [nhosts * nhosts]; 0 is left empty.
 * \param [in] words  A value for people. */
void hesca_page_matrix(hesca_text *text, const hesca_page *page,
                       const double *value, hesca_words (*words)(double));

#endif

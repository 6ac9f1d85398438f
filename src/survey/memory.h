/* SPDX-License-Identifier: BSD-3-Clause */
/** \file survey/memory.h
 * Times of calls that were measured, kept from run to run: numbers under a
 * key, the most recent ones.  Equal on all processes of a communicator as long
 * as they enter the same. */
#ifndef HESCA_SURVEY_MEMORY_H
#define HESCA_SURVEY_MEMORY_H

#include <stdint.h>

enum { HESCA_MEMORY_TIMES = 3, HESCA_MEMORY_MOST = 256 };

typedef struct {
    uint64_t key;
    double seconds[HESCA_MEMORY_TIMES]; /* 0: not known */
    int calls[HESCA_MEMORY_TIMES];      /* that were measured for these */
} hesca_memory_record;

typedef struct {
    int n, changed; /* 1: a record is not in the file yet */
    hesca_memory_record record[HESCA_MEMORY_MOST]; /* oldest first */
} hesca_memory;

/** The record of a key, NULL: none. */
const hesca_memory_record *hesca_memory_find(const hesca_memory *memory,
                                             uint64_t key);

/** Enter a record, instead of one of the same key, or of the oldest one. */
void hesca_memory_enter(hesca_memory *memory,
                        const hesca_memory_record *record);

/** Read a file, or nothing if it is not complete or not as
 * hesca_memory_write() leaves it. */
void hesca_memory_read(const char *path, hesca_memory *memory);

/** Write the records, and those of the file that are not among them, as far as
 * there is room. */
void hesca_memory_write(const char *path, const hesca_memory *memory);

#endif

/** \file draw.h
 * The cases of time_gemr2d --random: shapes, blocks, grids and offsets that
 * nobody has chosen. */
#ifndef HESCA_BENCH_DRAW_H
#define HESCA_BENCH_DRAW_H

#include "cases.h"

/** Classes of shapes by the smaller dimension: 1, less than DRAW_SQUARE, or
 * more. */
typedef enum { DRAW_VECTOR, DRAW_THIN, DRAW_BLOCK, DRAW_CLASSES } draw_class;

enum { DRAW_SQUARE = 12 };

extern const char *const draw_class_name[DRAW_CLASSES];

draw_class draw_class_of(const timing_case *c);

/** Add n cases of P?GEMR2D on at most nprocs processes, the same ones for the
 * same seed.  No matrix has more than max_bytes.
 * \return 1, or 0 if no memory is left. */
int draw_cases(int n, uint64_t seed, int64_t max_bytes, int nprocs,
               case_list *list);

#endif

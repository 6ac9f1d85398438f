/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* getline */
#include "grid/grid_map.h"
#include "base/status.h"
#include "machine/reader.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State of the reader. */
typedef struct {
    hesca_reader in; /* file, line and word */
    int nprow, npcol,
        size; /* the requested shape, and the bound of its ranks */
    int rows, columns, row; /* of the current grid; row == rows: none */
    int first;              /* offset of its ranks in data */
    int room;               /* numbers that fit into data */
    hesca_grid_map map;
} reader;

/* --- tokens ---
 * Every error names file, line and token; the map holds complete numbers
 * only. */

static int
append(reader *r, int x)
{
    if (r->map.n == r->room) {
        const int room = r->room > INT_MAX / 2 ? 0 : 2 * r->room + 64;
        int *data = realloc(r->map.data, (size_t)room * sizeof *data);
        if (room == 0 || data == NULL)
            return hesca_fail(HESCA_ERR_NOMEM, 0, "%.100s: %d numbers",
                              r->in.path, r->map.n);
        r->map.data = data;
        r->room = room;
    }
    r->map.data[r->map.n++] = x;
    return HESCA_SUCCESS;
}

/* Read at most nine digits; *end points behind them. */
static int
digits(const char *text, const char **end)
{
    int x = 0, n = 0;
    for (; isdigit((unsigned char)*text) && n < 9; ++text, ++n)
        x = 10 * x + (*text - '0');
    *end = text;
    return n > 0 ? x : -1;
}

/* --- lines ---
 * row < rows exactly while rows of a grid are missing, so a line is a row
 * or a head. */

static int
read_head(reader *r, char *line)
{
    const char *token = hesca_reader_next(&r->in, line), *end;
    int err;
    if (strcmp(token, "grid") != 0)
        return hesca_reader_complain(&r->in, token, "grid");
    token = hesca_reader_next(&r->in, NULL);
    const int nprow = token == NULL ? 0 : digits(token, &end);
    const int npcol = nprow > 0 && *end == 'x' ? digits(end + 1, &end) : 0;
    if (npcol < 1 || *end != '\0' || nprow > INT_MAX / npcol)
        return hesca_reader_complain(&r->in, token, "a shape such as 2x3");
    if (hesca_grid_map_find(&r->map, nprow, npcol) != NULL)
        return hesca_reader_complain(&r->in, token, "there only once");
    if ((token = hesca_reader_next(&r->in, NULL)) != NULL)
        return hesca_reader_complain(&r->in, token, "the end of the line");
    HESCA_TRY(err, append(r, nprow));
    HESCA_TRY(err, append(r, npcol));
    r->rows = nprow;
    r->columns = npcol;
    r->row = 0;
    r->first = r->map.n;
fail:
    return err;
}

static int
read_rank(reader *r, const char *token)
{
    const int is_wanted = r->rows == r->nprow && r->columns == r->npcol;
    const char *end;
    char must[60] = "a rank, 0, 1, ...";
    if (is_wanted)
        snprintf(must, sizeof must, "a rank, 0 ... %d", r->size - 1);
    const int rank = token == NULL ? -1 : digits(token, &end);
    if (rank < 0 || *end != '\0' || (is_wanted && rank >= r->size))
        return hesca_reader_complain(&r->in, token, must);
    for (int k = r->first; k < r->map.n; ++k)
        if (r->map.data[k] == rank)
            return hesca_reader_complain(&r->in, token, "in a grid only once");
    return append(r, rank);
}

static int
read_row(reader *r, char *line)
{
    const char *token = hesca_reader_next(&r->in, line);
    int err;
    for (int q = 0; q < r->columns; ++q) {
        HESCA_TRY(err, read_rank(r, token));
        token = hesca_reader_next(&r->in, NULL);
    }
    if (token != NULL)
        return hesca_reader_complain(&r->in, token, "the end of the line");
    ++r->row;
    return HESCA_SUCCESS;
fail:
    return err;
}

/* --- the file ---
 * On error nothing is returned: the caller's map is unchanged. */

static int
read_line(reader *r, char *line)
{
    ++r->in.line;
    line[strcspn(line, "#")] = '\0';
    if (line[strspn(line, " \t\r\n")] == '\0')
        return HESCA_SUCCESS;
    return r->row < r->rows ? read_row(r, line) : read_head(r, line);
}

static int
read_end(const reader *r)
{
    if (r->row < r->rows)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "%.100s:%d: the file ends where row %d of %d of "
                          "the grid %dx%d must follow",
                          r->in.path, r->in.line, r->row + 1, r->rows, r->rows,
                          r->columns);
    if (r->map.n == 0)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "%.100s:%d: the file ends where grid must follow",
                          r->in.path, r->in.line);
    return HESCA_SUCCESS;
}

int
hesca_grid_map_read(const char *path, int nprow, int npcol, int size,
                    hesca_grid_map *map)
{
    reader r = {.in.path = path, .nprow = nprow, .npcol = npcol, .size = size};
    size_t room = 0;
    char *line = NULL;
    int err = HESCA_SUCCESS;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return hesca_fail(HESCA_ERR_PARAM, 0, "%.100s: %s", path,
                          strerror(errno));
    while (err == HESCA_SUCCESS &&
           (errno = 0, getline(&line, &room, file)) >= 0)
        err = read_line(&r, line);
    if (err == HESCA_SUCCESS && !feof(file))
        err = hesca_fail(HESCA_ERR_PARAM, 0, "%.100s:%d: %s", path,
                         r.in.line + 1, strerror(errno));
    if (err == HESCA_SUCCESS)
        err = read_end(&r);
    free(line);
    fclose(file);
    if (err < 0)
        free(r.map.data);
    else
        *map = r.map;
    return err;
}

const int *
hesca_grid_map_find(const hesca_grid_map *map, int nprow, int npcol)
{
    for (int k = 0; k < map->n;) {
        const int *grid = map->data + k;
        if (grid[0] == nprow && grid[1] == npcol)
            return grid + 2;
        k += 2 + grid[0] * grid[1];
    }
    return NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Models: algorithm NAME(...) { coord ... node ... link ... parent ...
 * scheme ... } (HMPI 3.1.2). */
#include "base/status.h"
#include "pmdl/eval.h"
#include "pmdl/parser.h"
#include <string.h>

enum { PARAMS_MOST = 64 };

/* A list that doubles; the items are pointers or structs of the parser. */
static void *
longer(hesca_parser *p, void *list, int n, size_t size)
{
    if ((n & (n - 1)) != 0)
        return list;
    void *more = hesca_parser_new(p, (n > 0 ? 2 * (size_t)n : 1) * size);
    if (more != NULL && n > 0)
        memcpy(more, list, (size_t)n * size);
    return more;
}

/* --- head --- */

static int
parameter(hesca_parser *p, const hesca_symbol *scope)
{
    hesca_algorithm *m = p->model;
    const int is_double = hesca_parser_is(p, "double");
    hesca_token name;
    if (!is_double && !hesca_parser_is(p, "int"))
        return hesca_parser_fail(p, "a parameter is 'int NAME', 'double "
                                    "NAME', or a vector of these");
    if (hesca_parser_advance(p) < 0)
        return HESCA_ERR_PARAM;
    name = p->token;
    const hesca_ctype *type = hesca_parse_declarator(
        p, &hesca_ctypes[is_double ? HESCA_C_DOUBLE : HESCA_C_INT], &name);
    if (type == NULL)
        return HESCA_ERR_PARAM;
    if (type->kind == HESCA_C_POINTER || type->kind == HESCA_C_FUNCTION)
        return hesca_parser_fail_at(p, name.line, name.column,
                                    "a parameter is a number or a vector");
    /* Products of parameters must not overflow (trap T-12). */
    if (type->kind == HESCA_C_INT)
        type = &hesca_ctypes[HESCA_C_LONG];
    if (m->nparams == PARAMS_MOST)
        return hesca_parser_fail(p, "more than %d parameters", PARAMS_MOST);
    hesca_symbol *s =
        hesca_parser_declare(p, HESCA_NAME_PARAMETER, &name, type, scope);
    m->param = longer(p, m->param, m->nparams, sizeof *m->param);
    if (s == NULL || m->param == NULL)
        return HESCA_ERR_PARAM;
    m->param[m->nparams++] = s;
    return HESCA_SUCCESS;
}

static int
parameters(hesca_parser *p, const hesca_symbol *scope)
{
    int err = hesca_parser_expect(p, '(', "the name of the algorithm");
    if (err < 0)
        return err;
    if (p->token.kind != ')')
        do
            if ((err = parameter(p, scope)) < 0)
                return err;
        while (hesca_parser_take(p, ','));
    return hesca_parser_expect(p, ')', "the parameters");
}

/* NAME = expr, ...: coordinate variables.
 * \param [in,out] coord, n  The list. */
static int
coordinates(hesca_parser *p, const hesca_symbol *scope, hesca_coord **coord,
            int *n)
{
    int err;
    do {
        const hesca_token name = p->token;
        if ((err = hesca_parser_expect(p, HESCA_TOKEN_NAME, "this")) < 0 ||
            (err = hesca_parser_expect(p, '=', "a coordinate")) < 0)
            return err;
        hesca_expr *e = hesca_parse_number(p, &hesca_ctypes[HESCA_C_LONG]);
        if (e == NULL)
            return HESCA_ERR_PARAM;
        if (*n == HESCA_MODEL_DIMS)
            return hesca_parser_fail_at(p, name.line, name.column,
                                        "more than %d coordinates",
                                        HESCA_MODEL_DIMS);
        const hesca_symbol *s =
            hesca_parser_declare(p, HESCA_NAME_COORDINATE, &name,
                                 &hesca_ctypes[HESCA_C_INT], scope);
        *coord = longer(p, *coord, *n, sizeof **coord);
        if (s == NULL || *coord == NULL)
            return HESCA_ERR_PARAM;
        (*coord)[(*n)++] = (hesca_coord){s, e};
    } while (hesca_parser_take(p, ','));
    return HESCA_SUCCESS;
}

/* --- node --- */

static int
node_item(hesca_parser *p, hesca_node_item *item)
{
    int err;
    if (!hesca_parser_take_word(p, "default")) {
        hesca_expr *e = hesca_parse_expr(p);
        if (e == NULL || (item->guard = hesca_check_condition(p, e)) == NULL)
            return HESCA_ERR_PARAM;
    }
    if ((err = hesca_parser_expect(p, ':', "the condition")) < 0)
        return err;
    if (hesca_parser_take_word(p, "void")) {
        item->kind = HESCA_NODE_VOID;
        return hesca_parser_expect(p, ';', "'void'");
    }
    item->kind = HESCA_NODE_RELATIVE;
    if (hesca_parser_take_word(p, "bench")) {
        item->kind = HESCA_NODE_BENCH;
        if ((err = hesca_parser_expect(p, '*', "'bench'")) < 0)
            return err;
    }
    hesca_expr *e = item->kind == HESCA_NODE_BENCH ? hesca_parse_product(p)
                                                   : hesca_parse_expr(p);
    if (e == NULL ||
        (item->volume = hesca_check_convert(
             p, e, &hesca_ctypes[HESCA_C_DOUBLE], "the volume")) == NULL)
        return HESCA_ERR_PARAM;
    return hesca_parser_expect(p, ';', "the volume");
}

static int
node_section(hesca_parser *p)
{
    hesca_algorithm *m = p->model;
    hesca_node_item **last = &m->node;
    int err = hesca_parser_expect(p, '{', "'node'"), has_bench = 0;
    while (err == 0 && p->token.kind != '}') {
        hesca_node_item *item = hesca_parser_new(p, sizeof *item);
        if (item == NULL)
            return HESCA_ERR_NOMEM;
        err = node_item(p, item);
        has_bench |= item->kind == HESCA_NODE_BENCH;
        *last = item;
        last = &item->next;
    }
    m->is_relative = !has_bench;
    return err < 0 ? err : hesca_parser_advance(p);
}

/* --- link --- */

/* [length * bytes] point -> point */
static hesca_link_spec *
link_spec(hesca_parser *p, const hesca_link_spec *before)
{
    hesca_link_spec *s = hesca_parser_new(p, sizeof *s);
    if (s == NULL)
        return NULL;
    s->bytes = before != NULL ? before->bytes : NULL;
    if (hesca_parser_take_word(p, "length")) {
        if (hesca_parser_expect(p, '*', "'length'") < 0)
            return NULL;
        p->stops_at_point = 1;
        hesca_expr *e = hesca_parse_product(p);
        p->stops_at_point = 0;
        if (e == NULL ||
            (s->bytes = hesca_check_convert(
                 p, e, &hesca_ctypes[HESCA_C_DOUBLE], "the length")) == NULL)
            return NULL;
    }
    s->line = p->token.line;
    s->column = p->token.column;
    if ((s->from = hesca_parse_point(p)) == NULL ||
        hesca_parser_expect(p, HESCA_TOKEN_ARROW, "the sender") < 0 ||
        (s->to = hesca_parse_point(p)) == NULL)
        return NULL;
    return s;
}

static int
link_item(hesca_parser *p, hesca_link_item *item)
{
    int err;
    if (p->token.kind != '[' && !hesca_parser_is(p, "length")) {
        hesca_expr *e = hesca_parse_expr(p);
        if (e == NULL || (item->guard = hesca_check_condition(p, e)) == NULL)
            return HESCA_ERR_PARAM;
        if ((err = hesca_parser_expect(p, ':', "the condition")) < 0)
            return err;
    }
    hesca_link_spec **last = &item->spec, *before = NULL;
    do {
        if ((before = link_spec(p, before)) == NULL)
            return HESCA_ERR_PARAM;
        *last = before;
        last = &before->next;
    } while (hesca_parser_take(p, ','));
    while (p->token.kind == ';')
        if (hesca_parser_advance(p) < 0)
            return HESCA_ERR_PARAM;
    return p->token.kind == HESCA_TOKEN_ERROR ? HESCA_ERR_PARAM
                                              : HESCA_SUCCESS;
}

static int
link_section(hesca_parser *p)
{
    hesca_algorithm *m = p->model;
    hesca_symbol *const scope = p->scope;
    hesca_link_item **last = &m->link;
    int err = HESCA_SUCCESS;
    if (hesca_parser_take(p, '(')) {
        err = coordinates(p, scope, &m->link_coord, &m->nlink_coords);
        if (err == 0)
            err = hesca_parser_expect(p, ')', "the coordinates");
    }
    if (err == 0)
        err = hesca_parser_expect(p, '{', "'link'");
    while (err == 0 && p->token.kind != '}') {
        hesca_link_item *item = hesca_parser_new(p, sizeof *item);
        if (item == NULL)
            return HESCA_ERR_NOMEM;
        err = link_item(p, item);
        *last = item;
        last = &item->next;
    }
    p->scope = scope;
    return err < 0 ? err : hesca_parser_advance(p);
}

/* --- sections --- */

static int
parent_section(hesca_parser *p)
{
    if ((p->model->parent = hesca_parse_point(p)) == NULL)
        return HESCA_ERR_PARAM;
    return hesca_parser_expect(p, ';', "the parent");
}

static int
scheme_section(hesca_parser *p)
{
    p->model->scheme = hesca_parse_block(p);
    return p->model->scheme != NULL ? HESCA_SUCCESS : HESCA_ERR_PARAM;
}

/* A section that may be there once. */
static int
once(hesca_parser *p, int *seen, const char *name,
     int (*parse)(hesca_parser *))
{
    if (*seen)
        return hesca_parser_fail(p, "a second section '%s'", name);
    *seen = 1;
    const int err = hesca_parser_advance(p);
    return err < 0 ? err : parse(p);
}

static int
sections(hesca_parser *p, const hesca_symbol *coords)
{
    hesca_algorithm *m = p->model;
    int has_parent = 0, err = HESCA_SUCCESS;
    hesca_symbol *const with_coords = p->scope;
    while (err == 0 && p->token.kind != '}') {
        p->scope = with_coords;
        if (hesca_parser_take(p, ';')) {
            continue;
        } else if (hesca_parser_is(p, "node")) {
            err = once(p, &m->has_node, "node", node_section);
        } else if (hesca_parser_is(p, "link")) {
            err = once(p, &m->has_link, "link", link_section);
        } else {
            /* Coordinate variables have values in nodes and links alone. */
            p->scope = (hesca_symbol *)coords;
            if (hesca_parser_is(p, "parent"))
                err = once(p, &has_parent, "parent", parent_section);
            else if (hesca_parser_is(p, "scheme"))
                err = once(p, &m->has_scheme, "scheme", scheme_section);
            else
                err = hesca_parser_fail(p, "a section 'node', 'link', "
                                           "'parent' or 'scheme', or '}', "
                                           "must be here");
        }
    }
    return err;
}

/* coord ...; without the variables in scope, extents see parameters. */
static int
coord_section(hesca_parser *p)
{
    if (!hesca_parser_take_word(p, "coord"))
        return hesca_parser_fail(p, "a model begins with 'coord'");
    const int err =
        coordinates(p, p->scope, &p->model->coord, &p->model->ndims);
    return err < 0 ? err : hesca_parser_expect(p, ';', "the coordinates");
}

static int
check_name(hesca_parser *p, const hesca_token *name)
{
    for (const hesca_algorithm *m = p->file->model; m != NULL; m = m->next)
        if (strlen(m->name) == name->length &&
            memcmp(m->name, name->at, name->length) == 0)
            return hesca_parser_fail_at(p, name->line, name->column,
                                        "a second algorithm '%s'", m->name);
    return HESCA_SUCCESS;
}

static int
append(hesca_parser *p, hesca_algorithm *m)
{
    hesca_algorithm **last = &p->file->model;
    while (*last != NULL)
        last = &(*last)->next;
    *last = m;
    return hesca_eval_init(p, m);
}

int
hesca_parse_model(hesca_parser *p)
{
    hesca_symbol *const scope = p->scope;
    hesca_algorithm *m = hesca_parser_new(p, sizeof *m);
    int err = hesca_parser_advance(p);
    const hesca_token name = p->token;
    if (m == NULL || err < 0 || hesca_parser_enter(p) < 0)
        return m == NULL ? HESCA_ERR_NOMEM : HESCA_ERR_PARAM;
    if ((err = hesca_parser_expect(p, HESCA_TOKEN_NAME, "'algorithm'")) < 0 ||
        (err = check_name(p, &name)) < 0)
        return err;
    *m = (hesca_algorithm){.name = hesca_parser_copy(p, name.at, name.length),
                           .line = name.line,
                           .column = name.column,
                           .is_relative = 1};
    if (m->name == NULL)
        return HESCA_ERR_NOMEM;
    p->model = m;
    HESCA_TRY(err, parameters(p, scope));
    HESCA_TRY(err, hesca_parser_expect(p, '{', "the parameters"));
    const hesca_symbol *const params = p->scope;
    HESCA_TRY(err, coord_section(p));
    HESCA_TRY(err, sections(p, params));
    HESCA_TRY(err, hesca_parser_expect(p, '}', "the sections"));
    while (p->token.kind == ';')
        HESCA_TRY(err, hesca_parser_advance(p));
    p->model = NULL;
    p->scope = scope;
    --p->depth;
    err = append(p, m);
fail:
    return err;
}

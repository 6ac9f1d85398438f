/* SPDX-License-Identifier: BSD-3-Clause */
/* The C of models.  Every function begins by binding the parameters to names,
 * so that expressions need no change.  Scalars are of 64 bits (trap T-12). */
#include "pmdl/emit.h"
#include "pmdl/parser.h"
#include <string.h>

typedef struct {
    FILE *out;
    const hesca_file *file;
    const hesca_algorithm *model;
    int indent;
} emitter;

static void
begin_line(const emitter *x)
{
    fprintf(x->out, "%*s", 4 * x->indent, "");
}

/* The next line is one of the model. */
static void
emit_line(const emitter *x, int line)
{
    fprintf(x->out, "#line %d \"", line);
    for (const char *c = x->file->path; *c != '\0'; ++c)
        fprintf(x->out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    fprintf(x->out, "\"\n");
}

static void
emit_place(const emitter *x, int line, int column)
{
    begin_line(x);
    fprintf(x->out, "run->line = %d; run->column = %d;\n", line, column);
}

/* --- parameters --- */

/* The first n parameters as local names. */
static void
emit_params(const emitter *x, int n)
{
    for (int k = 0; k < n; ++k) {
        const hesca_symbol *s = x->model->param[k];
        const hesca_ctype *t = s->type;
        begin_line(x);
        if (t->kind == HESCA_C_LONG) {
            fprintf(x->out, "const long long %s = *(const int *)arg[%d];\n",
                    s->name, k);
        } else if (t->kind == HESCA_C_DOUBLE) {
            fprintf(x->out, "const double %s = *(const double *)arg[%d];\n",
                    s->name, k);
        } else {
            char name[200];
            const int is_flat = t->base->kind != HESCA_C_ARRAY;
            snprintf(name, sizeof name, is_flat ? "*%s" : "(*%s)", s->name);
            hesca_emit_declaration(x->out, t->base, name);
            fprintf(x->out, " = (void *)(size_t)arg[%d];\n", k);
        }
        begin_line(x);
        fprintf(x->out, "(void)%s;\n", s->name);
    }
}

static void
emit_head(const emitter *x, const char *type, const char *name,
          const char *more)
{
    fprintf(x->out,
            "static %s\nhesca_model_%s_%s(hesca_model_run *run, %sconst void "
            "*const *arg%s)\n{\n    (void)run;\n    (void)arg;\n",
            type, x->model->name, name,
            strcmp(name, "count") == 0 ? "int k, " : "", more);
}

/* Elements of vector parameters: each knows those before it. */
static void
emit_count(emitter *x)
{
    const hesca_algorithm *m = x->model;
    emit_head(x, "long long", "count", "");
    for (int k = 0; k < m->nparams; ++k) {
        const hesca_ctype *t = m->param[k]->type;
        if (t->kind != HESCA_C_ARRAY)
            continue;
        fprintf(x->out, "    if (k == %d) {\n", k);
        x->indent = 2;
        emit_params(x, k);
        emit_place(x, m->param[k]->line, m->param[k]->column);
        begin_line(x);
        fprintf(x->out, "return 1");
        for (; t->kind == HESCA_C_ARRAY; t = t->base) {
            fprintf(x->out, " * (long long)(");
            if (t->count != NULL)
                hesca_emit_expr(x->out, t->count);
            else
                fprintf(x->out, "%lld", (long long)t->extent);
            fputc(')', x->out);
        }
        fprintf(x->out, ";\n    }\n");
    }
    fprintf(x->out, "    (void)k;\n    return 1;\n}\n\n");
}

static void
emit_dims(emitter *x)
{
    const hesca_algorithm *m = x->model;
    emit_head(x, "void", "dims", ", int *dims");
    x->indent = 1;
    emit_params(x, m->nparams);
    for (int k = 0; k < m->ndims; ++k) {
        emit_line(x, m->coord[k].extent->line);
        fprintf(x->out, "    dims[%d] = (int)", k);
        hesca_emit_expr(x->out, m->coord[k].extent);
        fprintf(x->out, ";\n");
    }
    fprintf(x->out, "}\n\n");
}

/* --- nodes and links --- */

static void
emit_volume(const emitter *x, const hesca_node_item *item)
{
    begin_line(x);
    fprintf(x->out, "return ");
    if (item->kind == HESCA_NODE_VOID) {
        fprintf(x->out, "HESCA_MODEL_VOID");
    } else {
        fprintf(x->out, "(double)");
        hesca_emit_expr(x->out, item->volume);
    }
    fprintf(x->out, ";\n");
}

static void
emit_node(emitter *x)
{
    const hesca_algorithm *m = x->model;
    const hesca_node_item *other = NULL;
    emit_head(x, "double", "node", ", const int *coord");
    x->indent = 1;
    emit_params(x, m->nparams);
    for (int k = 0; k < m->ndims; ++k)
        fprintf(x->out, "    const int %s = coord[%d];\n    (void)%s;\n",
                m->coord[k].symbol->name, k, m->coord[k].symbol->name);
    for (const hesca_node_item *n = m->node; n != NULL; n = n->next) {
        if (n->guard == NULL) {
            other = other != NULL ? other : n;
            continue;
        }
        emit_line(x, n->guard->line);
        fprintf(x->out, "    if (");
        hesca_emit_expr(x->out, n->guard);
        fprintf(x->out, ") {\n");
        ++x->indent;
        emit_volume(x, n);
        --x->indent;
        fprintf(x->out, "    }\n");
    }
    if (other != NULL)
        emit_volume(x, other);
    else
        fprintf(x->out, "    return %s;\n",
                m->has_node ? "HESCA_MODEL_VOID" : "1");
    fprintf(x->out, "}\n\n");
}

/* { (int)e, ... } */
static void
emit_point(const emitter *x, hesca_expr **e)
{
    fprintf(x->out, "(const int[]){");
    for (int k = 0; k < x->model->ndims; ++k) {
        fprintf(x->out, k > 0 ? ", (int)" : "(int)");
        hesca_emit_expr(x->out, e[k]);
    }
    fputc('}', x->out);
}

static void
emit_link_spec(const emitter *x, const hesca_link_spec *s, int item)
{
    emit_line(x, s->line);
    begin_line(x);
    fprintf(x->out, "run->line = %d; run->column = %d; run->link(run, %d, ",
            s->line, s->column, item);
    if (s->bytes != NULL) {
        fprintf(x->out, "(double)");
        hesca_emit_expr(x->out, s->bytes);
    } else {
        fputc('0', x->out);
    }
    fprintf(x->out, ", ");
    emit_point(x, s->from);
    fprintf(x->out, ", ");
    emit_point(x, s->to);
    fprintf(x->out, ");\n");
}

static void
emit_link_items(emitter *x)
{
    int item = 0;
    for (const hesca_link_item *i = x->model->link; i != NULL;
         i = i->next, ++item) {
        if (i->guard != NULL) {
            emit_line(x, i->guard->line);
            begin_line(x);
            fprintf(x->out, "if (");
            hesca_emit_expr(x->out, i->guard);
            fprintf(x->out, ") {\n");
            ++x->indent;
        }
        for (const hesca_link_spec *s = i->spec; s != NULL; s = s->next)
            emit_link_spec(x, s, item);
        if (i->guard != NULL) {
            --x->indent;
            begin_line(x);
            fprintf(x->out, "}\n");
        }
    }
}

static void
emit_links(emitter *x)
{
    const hesca_algorithm *m = x->model;
    const int n = m->has_link ? m->ndims + m->nlink_coords : 0;
    emit_head(x, "void", "links", "");
    x->indent = 1;
    emit_params(x, m->nparams);
    for (int k = 0; k < n; ++k) {
        const hesca_coord *c =
            k < m->ndims ? &m->coord[k] : &m->link_coord[k - m->ndims];
        emit_line(x, c->extent->line);
        begin_line(x);
        fprintf(x->out, "for (int %s = 0; %s < (int)", c->symbol->name,
                c->symbol->name);
        hesca_emit_expr(x->out, c->extent);
        fprintf(x->out, " && run->go(run); ++%s) {\n", c->symbol->name);
        ++x->indent;
    }
    emit_link_items(x);
    while (x->indent > 1) {
        --x->indent;
        begin_line(x);
        fprintf(x->out, "}\n");
    }
    fprintf(x->out, "}\n\n");
}

static void
emit_parent(emitter *x)
{
    const hesca_algorithm *m = x->model;
    emit_head(x, "void", "parent", ", int *coord");
    x->indent = 1;
    emit_params(x, m->nparams);
    if (m->parent != NULL) {
        emit_line(x, m->parent[0]->line);
        emit_place(x, m->parent[0]->line, m->parent[0]->column);
    }
    for (int k = 0; k < m->ndims; ++k) {
        fprintf(x->out, "    coord[%d] = (int)", k);
        if (m->parent != NULL)
            hesca_emit_expr(x->out, m->parent[k]);
        else
            fputc('0', x->out);
        fprintf(x->out, ";\n");
    }
    fprintf(x->out, "}\n\n");
}

/* --- schemes --- */

static void emit_statement(emitter *x, const hesca_stmt *s);

/* A local variable.  All begin as 0; arrays of variable size are provided by
 * the caller, because they may not fit on the stack. */
static void
emit_local(const emitter *x, const hesca_stmt *s)
{
    const hesca_ctype *t = s->symbol->type;
    const char *name = s->symbol->name;
    emit_line(x, s->line);
    begin_line(x);
    if (t->kind == HESCA_C_ARRAY && t->size == 0) {
        char pointer[200];
        const int is_flat = t->base->kind != HESCA_C_ARRAY;
        snprintf(pointer, sizeof pointer, is_flat ? "*%s" : "(*%s)", name);
        hesca_emit_declaration(x->out, t->base, pointer);
        fprintf(x->out, " = run->array(run, %d, (long long)(",
                s->symbol->slot);
        if (t->count != NULL)
            hesca_emit_expr(x->out, t->count);
        else
            fprintf(x->out, "%lld", (long long)t->extent);
        fprintf(x->out, "), sizeof *%s)", name);
    } else {
        hesca_emit_declaration(x->out, t, name);
        fprintf(x->out, " = ");
        if (s->expr != NULL)
            hesca_emit_expr(x->out, s->expr);
        else if (hesca_ctype_is_number(t) || t->kind == HESCA_C_POINTER)
            fputc('0', x->out);
        else
            fprintf(x->out, "{0}");
    }
    fprintf(x->out, ";\n");
    begin_line(x);
    fprintf(x->out, "(void)%s;\n", name);
    if (t->kind == HESCA_C_ARRAY && t->size == 0) {
        begin_line(x);
        fprintf(x->out, "if (%s == NULL)\n", name);
        begin_line(x);
        fprintf(x->out, "    return;\n");
    }
}

static void
emit_unit(const emitter *x, const hesca_stmt *s)
{
    emit_line(x, s->line);
    begin_line(x);
    fprintf(x->out, "run->line = %d; run->column = %d; run->%s(run, (double)",
            s->line, s->column,
            s->kind == HESCA_STMT_COMPUTE ? "compute" : "transfer");
    hesca_emit_expr(x->out, s->expr);
    fprintf(x->out, ", ");
    emit_point(x, s->from);
    if (s->kind == HESCA_STMT_TRANSFER) {
        fprintf(x->out, ", ");
        emit_point(x, s->to);
    }
    fprintf(x->out, ");\n");
}

static void
emit_body(emitter *x, const hesca_stmt *s)
{
    ++x->indent;
    emit_statement(x, s);
    --x->indent;
    begin_line(x);
    fprintf(x->out, "}\n");
}

/* What a loop's condition is, behind the count of its iterations. */
static void
emit_condition(const emitter *x, const hesca_stmt *s)
{
    fprintf(x->out, "(run->line = %d, run->column = %d, run->go(run))",
            s->line, s->column);
    if (s->expr != NULL) {
        fprintf(x->out, " && ");
        hesca_emit_expr(x->out, s->expr);
    }
}

static void
emit_for(emitter *x, const hesca_stmt *s)
{
    const int is_par = s->kind == HESCA_STMT_PAR;
    begin_line(x);
    fprintf(x->out, "{\n");
    ++x->indent;
    for (const hesca_stmt *d = s->first; d != NULL; d = d->next)
        emit_statement(x, d);
    if (is_par) {
        begin_line(x);
        fprintf(x->out, "run->line = %d; run->begin(run);\n", s->line);
    }
    emit_line(x, s->line);
    begin_line(x);
    fprintf(x->out, "for (; ");
    emit_condition(x, s);
    fprintf(x->out, "; ");
    if (s->step != NULL) {
        fprintf(x->out, "(void)");
        hesca_emit_expr(x->out, s->step);
    }
    fprintf(x->out, ") {\n");
    if (is_par) {
        begin_line(x);
        fprintf(x->out, "    run->action(run);\n");
    }
    emit_body(x, s->body);
    if (is_par) {
        begin_line(x);
        fprintf(x->out, "run->end(run);\n");
    }
    --x->indent;
    begin_line(x);
    fprintf(x->out, "}\n");
}

static void
emit_while(emitter *x, const hesca_stmt *s)
{
    emit_line(x, s->line);
    begin_line(x);
    if (s->kind == HESCA_STMT_DO) {
        fprintf(x->out, "do {\n");
        ++x->indent;
        emit_statement(x, s->body);
        --x->indent;
        begin_line(x);
        fprintf(x->out, "} while (");
        emit_condition(x, s);
        fprintf(x->out, ");\n");
    } else {
        fprintf(x->out, "while (");
        emit_condition(x, s);
        fprintf(x->out, ") {\n");
        emit_body(x, s->body);
    }
}

static void
emit_if(emitter *x, const hesca_stmt *s)
{
    emit_line(x, s->line);
    begin_line(x);
    fprintf(x->out, "if (");
    hesca_emit_expr(x->out, s->expr);
    fprintf(x->out, ") {\n");
    emit_body(x, s->body);
    if (s->other != NULL) {
        begin_line(x);
        fprintf(x->out, "else {\n");
        emit_body(x, s->other);
    }
}

static void
emit_statement(emitter *x, const hesca_stmt *s)
{
    switch (s->kind) {
    case HESCA_STMT_BLOCK:
        begin_line(x);
        fprintf(x->out, "{\n");
        ++x->indent;
        for (const hesca_stmt *b = s->first; b != NULL; b = b->next)
            emit_statement(x, b);
        --x->indent;
        begin_line(x);
        fprintf(x->out, "}\n");
        break;
    case HESCA_STMT_EXPR:
        emit_line(x, s->line);
        begin_line(x);
        fprintf(x->out, "(void)");
        hesca_emit_expr(x->out, s->expr);
        fprintf(x->out, ";\n");
        break;
    case HESCA_STMT_DECLARE:
        emit_local(x, s);
        break;
    case HESCA_STMT_COMPUTE:
    case HESCA_STMT_TRANSFER:
        emit_unit(x, s);
        break;
    case HESCA_STMT_PAR:
    case HESCA_STMT_FOR:
        emit_for(x, s);
        break;
    case HESCA_STMT_WHILE:
    case HESCA_STMT_DO:
        emit_while(x, s);
        break;
    case HESCA_STMT_IF:
        emit_if(x, s);
        break;
    case HESCA_STMT_BREAK:
    case HESCA_STMT_CONTINUE:
        begin_line(x);
        fprintf(x->out, "%s;\n",
                s->kind == HESCA_STMT_BREAK ? "break" : "continue");
        break;
    }
}

static void
emit_scheme(emitter *x)
{
    emit_head(x, "void", "scheme", "");
    x->indent = 1;
    emit_params(x, x->model->nparams);
    emit_statement(x, x->model->scheme);
    fprintf(x->out, "}\n\n");
}

/* --- models --- */

static void
emit_code(const emitter *x)
{
    const hesca_algorithm *m = x->model;
    const char *name = m->name;
    fprintf(x->out,
            "static const hesca_model_param hesca_model_%s_param[] = "
            "{\n",
            name);
    for (int k = 0; k < m->nparams; ++k)
        fprintf(x->out, "    {\"%s\", %d, %d},\n", m->code.param[k].name,
                m->code.param[k].is_double, m->code.param[k].is_vector);
    if (m->nparams == 0)
        fprintf(x->out, "    {\"\", 0, 0},\n");
    fprintf(x->out, "};\nstatic const int hesca_model_%s_extent[] = {", name);
    for (int k = 0; k < m->ndims; ++k)
        fprintf(x->out, k > 0 ? ", %d" : "%d", m->code.extent[k]);
    fprintf(x->out,
            "};\nextern const hesca_model_code hesca_model_%s;\n"
            "const hesca_model_code hesca_model_%s = {\n"
            "    .version = HESCA_MODEL_VERSION,\n"
            "    .name = \"%s\",\n    .file = \"",
            name, name, name);
    for (const char *c = x->file->path; *c != '\0'; ++c)
        fprintf(x->out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    fprintf(x->out,
            "\",\n    .ndims = %d,\n    .nparams = %d,\n"
            "    .param = hesca_model_%s_param,\n"
            "    .extent = hesca_model_%s_extent,\n"
            "    .is_relative = %d,\n",
            m->ndims, m->nparams, name, name, m->is_relative);
    static const char *const functions[] = {"count", "dims",   "node",
                                            "links", "parent", "scheme"};
    for (int k = 0; k < 5 + (m->scheme != NULL); ++k)
        fprintf(x->out, "    .%s = hesca_model_%s_%s,\n", functions[k], name,
                functions[k]);
    fprintf(x->out,
            "};\n#define HMPI_Model_%s hesca_model_%s\n"
            "#define MPC_NetType_%s hesca_model_%s\n"
            "/* For Fortran. */\n"
            "const hesca_model_code *hesca_model_%s_address(void);\n"
            "const hesca_model_code *\n"
            "hesca_model_%s_address(void)\n"
            "{\n"
            "    return &hesca_model_%s;\n"
            "}\n\n",
            name, name, name, name, name, name, name);
}

static void
emit_model(emitter *x)
{
    emit_count(x);
    emit_dims(x);
    emit_node(x);
    emit_links(x);
    emit_parent(x);
    if (x->model->scheme != NULL)
        emit_scheme(x);
    emit_code(x);
}

void
hesca_emit_file(FILE *out, const hesca_file *file)
{
    emitter x = {.out = out, .file = file};
    fprintf(out,
            "/* Made by hesca model compile from %s. */\n"
            "#include \"hesca/experimental/model.h\"\n"
            "#include <math.h>\n%s"
            "#if defined(__GNUC__)\n"
            "#pragma GCC diagnostic push\n"
            "#pragma GCC diagnostic ignored \"-Wsign-compare\"\n"
            "#pragma GCC diagnostic ignored \"-Wconversion\"\n"
            "#pragma GCC diagnostic ignored \"-Wsign-conversion\"\n"
            "#pragma GCC diagnostic ignored \"-Wshadow\"\n"
            "#endif\n\n",
            file->path, file->uses_hdpi ? "#include \"hdpi.h\"\n" : "");
    for (const hesca_copied *c = file->copied; c != NULL; c = c->next) {
        emit_line(&x, c->line);
        fwrite(c->text, 1, c->length, out);
        fputc('\n', out);
    }
    fputc('\n', out);
    for (x.model = file->model; x.model != NULL; x.model = x.model->next)
        emit_model(&x);
    fprintf(out, "#if defined(__GNUC__)\n"
                 "#pragma GCC diagnostic pop\n"
                 "#endif\n");
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The trace of a scheme, as it is executed: equal nodes are found by a hash
 * table of all nodes, so that a scheme of n equal steps needs one. */
#include "base/hash.h"
#include "base/status.h"
#include "pmdl/bind.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 256, NODES_MOST = 1 << 26 };

/* A sequence or par that has begun. */
typedef struct {
    hesca_scheme_kind kind;
    int line;
    size_t first; /* of its children, on the stack */
} level;

struct hesca_scheme_builder {
    hesca_scheme trace;
    size_t node_room, child_room, nchildren;
    hesca_scheme_child *stack; /* children of what has begun */
    size_t nstack, stack_room;
    level levels[DEPTH_MOST];
    int depth;
    int *table; /* [slots] node + 1, 0: none */
    size_t slots;
};

static int
grow(void **list, size_t *room, size_t n, size_t size)
{
    if (n < *room)
        return HESCA_SUCCESS;
    const size_t more = *room > 0 ? 2 * *room : 64;
    void *new = more > NODES_MOST ? NULL : realloc(*list, more * size);
    if (new == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a trace of %zu nodes", more);
    *list = new;
    *room = more;
    return HESCA_SUCCESS;
}

hesca_scheme_builder *
hesca_scheme_builder_create(void)
{
    hesca_scheme_builder *b = calloc(1, sizeof *b);
    if (b == NULL) {
        hesca_fail(HESCA_ERR_NOMEM, 0, "a trace");
        return NULL;
    }
    b->depth = 1;
    b->levels[0].kind = HESCA_SCHEME_SEQUENCE;
    b->trace.root = -1;
    return b;
}

void
hesca_scheme_clear(hesca_scheme *trace)
{
    free(trace->node);
    free(trace->child);
    *trace = (hesca_scheme){.root = -1};
}

void
hesca_scheme_builder_free(hesca_scheme_builder *b)
{
    if (b == NULL)
        return;
    hesca_scheme_clear(&b->trace);
    free(b->stack);
    free(b->table);
    free(b);
}

/* --- nodes --- */

static uint64_t
hash(const hesca_scheme_node *x, const hesca_scheme_child *child)
{
    uint64_t h = hesca_hash_mix(HESCA_HASH, (uint64_t)x->kind), bits = 0;
    memcpy(&bits, &x->percent, sizeof bits);
    h = hesca_hash_mix(h, (uint64_t)(int64_t)x->object);
    h = hesca_hash_mix(h, bits);
    for (size_t k = 0; k < x->n; ++k) {
        h = hesca_hash_mix(h, (uint64_t)child[k].node);
        h = hesca_hash_mix(h, (uint64_t)child[k].times);
    }
    return h;
}

static int
is_equal(const hesca_scheme_node *x, const hesca_scheme_child *a,
         const hesca_scheme_node *y, const hesca_scheme_child *b)
{
    if (x->kind != y->kind || x->object != y->object ||
        memcmp(&x->percent, &y->percent, sizeof x->percent) != 0 ||
        x->n != y->n)
        return 0;
    for (size_t k = 0; k < x->n; ++k)
        if (a[k].node != b[k].node || a[k].times != b[k].times)
            return 0;
    return 1;
}

static void
enter(hesca_scheme_builder *b, int node)
{
    const hesca_scheme_node *x = &b->trace.node[node];
    size_t at = hash(x, b->trace.child + x->first) & (b->slots - 1);
    while (b->table[at] != 0)
        at = (at + 1) & (b->slots - 1);
    b->table[at] = node + 1;
}

static int
grow_table(hesca_scheme_builder *b)
{
    if (2 * (size_t)(b->trace.nnodes + 1) <= b->slots)
        return HESCA_SUCCESS;
    const size_t slots = b->slots > 0 ? 2 * b->slots : 256;
    int *table = calloc(slots, sizeof *table);
    if (table == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a trace");
    free(b->table);
    b->table = table;
    b->slots = slots;
    for (int k = 0; k < b->trace.nnodes; ++k)
        enter(b, k);
    return HESCA_SUCCESS;
}

/* The number of a node with these children, new or known; or an error. */
static int
intern(hesca_scheme_builder *b, hesca_scheme_node x,
       const hesca_scheme_child *child)
{
    hesca_scheme *t = &b->trace;
    int err = grow_table(b);
    if (err < 0)
        return err;
    for (size_t at = hash(&x, child) & (b->slots - 1); b->table[at] != 0;
         at = (at + 1) & (b->slots - 1)) {
        const int k = b->table[at] - 1;
        if (is_equal(&x, child, &t->node[k], t->child + t->node[k].first))
            return k;
    }
    if ((err = grow((void **)&t->node, &b->node_room, (size_t)t->nnodes,
                    sizeof x)) < 0)
        return err;
    x.first = b->nchildren;
    for (size_t k = 0; k < x.n; ++k) {
        if ((err = grow((void **)&t->child, &b->child_room, b->nchildren,
                        sizeof *child)) < 0)
            return err;
        t->child[b->nchildren++] = child[k];
    }
    t->node[t->nnodes] = x;
    enter(b, t->nnodes);
    return t->nnodes++;
}

/* --- what has begun --- */

/* Append a node to what has begun last; an equal one before it is repeated. */
static int
append(hesca_scheme_builder *b, int node, int64_t times)
{
    const level *x = &b->levels[b->depth - 1];
    if (b->nstack > x->first && b->stack[b->nstack - 1].node == node) {
        b->stack[b->nstack - 1].times += times;
        return HESCA_SUCCESS;
    }
    const int err =
        grow((void **)&b->stack, &b->stack_room, b->nstack, sizeof *b->stack);
    if (err == 0)
        b->stack[b->nstack++] = (hesca_scheme_child){node, times};
    return err;
}

static int
begin(hesca_scheme_builder *b, hesca_scheme_kind kind, int line)
{
    if (b->depth == DEPTH_MOST)
        return hesca_fail(HESCA_ERR_PARAM, 0, "pars are nested too deep");
    b->levels[b->depth++] = (level){kind, line, b->nstack};
    return HESCA_SUCCESS;
}

/* Append what a sequence has: its children to a sequence, else a node. */
static int
append_sequence(hesca_scheme_builder *b, const hesca_scheme_child *child,
                size_t n, int line)
{
    const int parent_is_sequence =
        b->levels[b->depth - 1].kind == HESCA_SCHEME_SEQUENCE;
    int err = HESCA_SUCCESS;
    if (parent_is_sequence) {
        for (size_t k = 0; k < n && err == 0; ++k)
            err = append(b, child[k].node, child[k].times);
        return err;
    }
    if (n == 0)
        return HESCA_SUCCESS;
    int node = child[0].node;
    if (n > 1 || child[0].times > 1)
        node = intern(b,
                      (hesca_scheme_node){.kind = HESCA_SCHEME_SEQUENCE,
                                          .object = -1,
                                          .line = line,
                                          .n = n},
                      child);
    return node < 0 ? node : append(b, node, 1);
}

/* End what has begun last. */
static int
end(hesca_scheme_builder *b)
{
    const level x = b->levels[--b->depth];
    const size_t n = b->nstack - x.first;
    if (n == 0)
        return HESCA_SUCCESS;
    hesca_scheme_child *child = malloc(n * sizeof *child);
    if (child == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a trace");
    memcpy(child, b->stack + x.first, n * sizeof *child);
    b->nstack = x.first;
    int err;
    if (x.kind == HESCA_SCHEME_SEQUENCE) {
        err = append_sequence(b, child, n, x.line);
    } else {
        const int node = intern(b,
                                (hesca_scheme_node){.kind = HESCA_SCHEME_PAR,
                                                    .object = -1,
                                                    .line = x.line,
                                                    .n = n},
                                child);
        err = node < 0 ? node : append(b, node, 1);
    }
    free(child);
    return err;
}

int
hesca_scheme_unit(hesca_scheme_builder *b, hesca_scheme_kind kind, int object,
                  double percent, int line)
{
    ++b->trace.units;
    const int node = intern(
        b,
        (hesca_scheme_node){
            .kind = kind, .object = object, .line = line, .percent = percent},
        NULL);
    return node < 0 ? node : append(b, node, 1);
}

int
hesca_scheme_begin(hesca_scheme_builder *b, int line)
{
    const int err = begin(b, HESCA_SCHEME_PAR, line);
    return err < 0 ? err : begin(b, HESCA_SCHEME_SEQUENCE, line);
}

/* An iteration of a par is a sequence, and the next one begins. */
int
hesca_scheme_action(hesca_scheme_builder *b)
{
    const int line = b->levels[b->depth - 1].line, err = end(b);
    return err < 0 ? err : begin(b, HESCA_SCHEME_SEQUENCE, line);
}

int
hesca_scheme_end(hesca_scheme_builder *b)
{
    const int err = end(b);
    return err < 0 ? err : end(b);
}

int
hesca_scheme_finish(hesca_scheme_builder *b, hesca_scheme *trace)
{
    hesca_scheme *t = &b->trace;
    if (b->nstack == 1 && b->stack[0].times == 1) {
        t->root = b->stack[0].node;
    } else if (b->nstack > 0) {
        t->root = intern(b,
                         (hesca_scheme_node){.kind = HESCA_SCHEME_SEQUENCE,
                                             .object = -1,
                                             .n = b->nstack},
                         b->stack);
        if (t->root < 0)
            return t->root;
    }
    *trace = *t;
    *t = (hesca_scheme){.root = -1};
    b->node_room = b->child_room = b->nchildren = b->nstack = b->slots = 0;
    free(b->table);
    b->table = NULL;
    return HESCA_SUCCESS;
}

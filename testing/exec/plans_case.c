/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans that are made and executed: A to B and back. */
#include "testing/check.h"
#include "testing/exec/plans.h"
#include <string.h>

/* Execute; a process that owns none of the submatrix may pass anything. */
static int
execute(hesca_plan *plan, const array *a, array *b)
{
    return hesca_plan_execute(
        plan, a->owned > 0 ? a->data : NULL, a->owned > 0 ? a->ld : -5,
        b->owned > 0 ? b->data : NULL, b->owned > 0 ? b->ld : -7);
}

/* Plan once and execute `times` times, with new contents each time. */
static void
copy_once(const world *w, copy *c, const place *from, const array *a,
          const place *to, array *b, int times, const char *what)
{
    hesca_plan *plan = NULL;
    hesca_plan_info info;
    int err = hesca_plan_create(c->part, c->m, c->n, SUB(from), SUB(to),
                                c->esize, w->comm, &plan);
    CHECK(err == HESCA_SUCCESS && plan != NULL, "%s, %s: %d, %s", c->text,
          what, err, hesca_error_text());
    if (err < 0)
        return;
    CHECK(hesca_plan_get_info(plan, &info) == HESCA_SUCCESS, "%s", c->text);
    check_info(&info, c, from, to, w->schedule, -1);
    check_transport(&info, w, c, from, to, 0);
    for (int k = 0; k < times; ++k) {
        fill_target(b, c);
        err = execute(plan, a, b);
        CHECK(err == HESCA_SUCCESS, "%s, %s: %d, %s", c->text, what, err,
              hesca_error_text());
        check_target(b, c, what);
    }
    CHECK(hesca_plan_get_info(plan, &info) == HESCA_SUCCESS, "%s", c->text);
    check_transport(&info, w, c, from, to, 1);
    hesca_plan_free(plan);
}

/* A to B, and B to an A' laid out as A. */
static void
there_and_back(const world *w, copy *c, const place *pa, const place *pb)
{
    array a, b, back;
    const int more_a = check_uniform(0, 1) * check_uniform(0, 4);
    const int more_b = check_uniform(0, 1) * check_uniform(0, 4);
    const int times = check_uniform(0, 4) ? 1 : 3;
    c->source = pa;
    allocate(&a, pa, w->rank, c, more_a, 0);
    allocate(&b, pb, w->rank, c, more_b, 0);
    allocate(&back, pa, w->rank, c, more_b, 0);
    fill_source(&a, c);
    copy_once(w, c, pa, &a, pb, &b, times, "A to B");
    copy_once(w, c, pb, &b, pa, &back, 1, "B to A'");
    /* A' is A, bit for bit, by comparing the arrays themselves. */
    for (int64_t jl = 0; jl < a.locc; ++jl)
        for (int64_t il = 0; il < a.locr; ++il) {
            char before[ESIZE], after[ESIZE];
            const size_t esize = c->esize;
            local_element(&back, c, il, jl, before, after);
            if (memcmp(before, after, esize) != 0)
                CHECK(memcmp(a.data + (size_t)(jl * a.ld + il) * esize,
                             back.data + (size_t)(jl * back.ld + il) * esize,
                             esize) == 0,
                      "%s: A' differs from A at local (%lld,%lld)", c->text,
                      (long long)il, (long long)jl);
        }
    release(&a);
    release(&b);
    release(&back);
}

void
random_cases(const world *w, int ncases, int most)
{
    for (int k = 0; k < ncases; ++k) {
        copy c = {.part = (hesca_part)(check_uniform(0, 1) *
                                       check_uniform(0, HESCA_LOWER_STRICT))};
        c.m = check_uniform(0, 19) ? check_uniform(1, most) : 0;
        c.n = check_uniform(0, 19) ? check_uniform(1, most) : 0;
        c.esize = (size_t)check_uniform(1, ESIZE);
        c.seed = check_random();
        place a = random_place(c.m, c.n, 0, w->size);
        place b = a;
        const int kind = check_uniform(0, 8); /* 0: A itself */
        if (kind == 1)
            b = stretch(&a);
        else if (kind > 4)
            b = similar_place(&a);
        else if (kind > 1)
            b = random_place(c.m, c.n, 0, w->size);
        if (kind > 1 && check_uniform(0, 2) == 0)
            generalize(&b);
        if (kind > 1 && check_uniform(0, 2) == 0)
            generalize(&a);
        if (kind > 1 && check_uniform(0, 2) == 0)
            make_ragged(&b);
        if (kind != 1 && check_uniform(0, 2) == 0)
            make_ragged(&a);
        if (kind == 0)
            b = a;
        describe(&c, w, k, &a, &b);
        there_and_back(w, &c, &a, &b);
        hesca_layout_free(a.layout);
        if (b.layout != a.layout)
            hesca_layout_free(b.layout);
    }
}

/* Messages larger than staging memory, columns longer than a chunk: many
 * rounds of every exchange. */
void
long_messages(const world *w, hesca_part part, int m, int n, size_t esize)
{
    copy c = {.part = part, .m = m, .n = n, .esize = esize, .seed = 4711};
    place a = {.m = m + 3,
               .n = n + 1,
               .i = 2,
               .j = 1,
               .mb = 37,
               .nb = 3,
               .nprow = w->size};
    place b = {.m = m, .n = n, .mb = 301, .nb = 2, .npcol = 1};
    a.npcol = 1;
    b.nprow = w->size > 1 ? 2 : 1;
    b.npcol = w->size / b.nprow;
    b.rsrc = b.nprow - 1;
    for (int k = 0; k < w->size; ++k) {
        a.ranks[k] = k;
        b.ranks[k] = w->size - 1 - k;
    }
    create(&a);
    create(&b);
    describe(&c, w, -1, &a, &b);
    there_and_back(w, &c, &a, &b);
    hesca_layout_free(a.layout);
    hesca_layout_free(b.layout);
}

/* Onto itself, in the same layout: nothing changes. */
void
in_place(const world *w)
{
    copy c = {.part = HESCA_ALL, .m = 33, .n = 21, .esize = 7, .seed = 5};
    place p = random_place(c.m, c.n, 0, w->size);
    array a, before;
    hesca_plan *plan = NULL;
    c.source = &p;
    describe(&c, w, -4, &p, &p);
    allocate(&a, &p, w->rank, &c, 2, 0);
    allocate(&before, &p, w->rank, &c, 2, 0);
    fill_source(&a, &c);
    fill_source(&before, &c);
    CHECK(hesca_plan_create(c.part, c.m, c.n, SUB(&p), SUB(&p), c.esize,
                            w->comm, &plan) == HESCA_SUCCESS,
          "%s: %s", c.text, hesca_error_text());
    CHECK(execute(plan, &a, &a) == HESCA_SUCCESS, "%s: %s", c.text,
          hesca_error_text());
    CHECK(a.size == before.size &&
              (a.size == 0 || memcmp(a.memory, before.memory, a.size) == 0),
          "%s: onto itself", c.text);
    hesca_plan_free(plan);
    release(&a);
    release(&before);
    hesca_layout_free(p.layout);
}

/* Leading dimensions beyond 32 bits, in memory that is mostly untouched. */
void
far_leading_dimensions(const world *w)
{
    copy c = {.part = HESCA_ALL, .m = 40, .n = 3 * w->size, .seed = 99};
    array a, b;
    int mine, all;
    hesca_plan *plan = NULL;
    c.esize = 3;
    place pa = {.m = 40, .n = c.n, .mb = 7, .nb = 1, .nprow = 1};
    place pb = {.m = 45, .n = c.n, .i = 5, .mb = 4, .nb = 2, .nprow = 1};
    pa.npcol = pb.npcol = w->size;
    for (int k = 0; k < w->size; ++k) {
        pa.ranks[k] = k;
        pb.ranks[(k + 1) % w->size] = k;
    }
    create(&pa);
    create(&pb);
    describe(&c, w, -2, &pa, &pb);
    c.source = &pa;
    mine = allocate(&a, &pa, w->rank, &c, ((int64_t)1 << 32) + 17, 1);
    mine = allocate(&b, &pb, w->rank, &c, ((int64_t)1 << 31) + 5, 1) && mine;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, w->comm);
    if (all) {
        fill_source(&a, &c);
        fill_target(&b, &c);
        CHECK(hesca_plan_create(c.part, c.m, c.n, SUB(&pa), SUB(&pb), c.esize,
                                w->comm, &plan) == HESCA_SUCCESS,
              "%s: %s", c.text, hesca_error_text());
        CHECK(execute(plan, &a, &b) == HESCA_SUCCESS, "%s: %s", c.text,
              hesca_error_text());
        check_target(&b, &c, "leading dimensions of 2^32 and 2^31");
        hesca_plan_free(plan);
    } else if (w->rank == 0) {
        printf("no address space for leading dimensions beyond 32 bits\n");
    }
    release(&a);
    release(&b);
    hesca_layout_free(pa.layout);
    hesca_layout_free(pb.layout);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The ring of a channel: against a model of the contents of every line, and
 * between two threads and two processes that pass records of all
 * sizes. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "exec/channel.h"
#include "testing/unit.h"
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GUARD = 4096, LEAST = 4096, MOST = 65536, CANARY = 0x5a };

/* Both ends of a channel, in memory that a child shares; guards around the
 * ring. */
typedef struct {
    char *memory;
    size_t bytes;
    hesca_channel out, in;
} tube;

/* start: what both sides have counted so far, a multiple of the ring's size.
 */
static tube
create(size_t size, uint64_t start)
{
    tube t = {.bytes = size + 3 * (size_t)GUARD};
    t.memory = mmap(NULL, t.bytes, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (t.memory == MAP_FAILED)
        abort();
    memset(t.memory + GUARD, CANARY, t.bytes - GUARD);
    t.out = (hesca_channel){.counts = (hesca_channel_counts *)(void *)t.memory,
                            .ring = t.memory + 2 * (size_t)GUARD,
                            .size = size,
                            .at = start,
                            .seen = start};
    atomic_store(&t.out.counts->head, start);
    atomic_store(&t.out.counts->tail, start);
    t.in = t.out;
    return t;
}

/* Looks at the guards, too. */
static void
release(tube *t, const char *what)
{
    int touched = 0;
    const char *ring = t->out.ring, *end = ring + t->out.size;
    for (int k = 0; k < GUARD; ++k)
        touched += ring[k - GUARD] != CANARY || end[k] != CANARY;
    CHECK(touched == 0, "%s: %d bytes of the guards", what, touched);
    munmap(t->memory, t->bytes);
}

/* The bytes of record k. */
static void
write_record(char *x, size_t n, uint64_t k)
{
    uint64_t bits = check_mix(k);
    for (size_t i = 0; i < n; i += 8, bits = bits * 3 + 1)
        memcpy(x + i, &bits, n - i < 8 ? n - i : 8);
}

static int
is_record(const char *x, size_t n, uint64_t k)
{
    uint64_t bits = check_mix(k);
    int same = 1;
    for (size_t i = 0; same && i < n; i += 8, bits = bits * 3 + 1)
        same = memcmp(x + i, &bits, n - i < 8 ? n - i : 8) == 0;
    return same;
}

/* The size of record k, which begins at this place of the ring: nothing, a
 * byte, whole and half lines, up to half of the ring, which always finds room
 * at last; all of it where it fits. */
static size_t
size_of(uint64_t k, uint64_t at, size_t size)
{
    const uint64_t bits = check_mix(~k);
    const size_t less = (size_t)(bits >> 8);
    switch (bits % 8) {
    case 0:
        return less % 16 != 0; /* hardly ever 0 */
    case 1:
        return 0;
    case 2:
        return less % 8 * HESCA_LINE;
    case 3:
        return size / 2 - less % 3;
    case 4:
        return at % size == 0 ? size : 1 + less % HESCA_LINE;
    case 5:
        return (size - at % size) <= size / 2 ? size - at % size : 63;
    default:
        return less % (size / 2);
    }
}

/* ------------------------------------------------ the model */

enum { PENDING = MOST / HESCA_LINE + 1 };

/* What the model knows: records that are on their way, and of every line of
 * the ring whether one of them is there. */
typedef struct {
    tube t;
    uint64_t head, tail; /* bytes, those skipped at the end included */
    uint64_t nsent, ngot;
    char taken[MOST / HESCA_LINE];
} model;

/* Where a record goes that is written after so many bytes, by definition:
 * aligned, and not across the end. */
static uint64_t
begin_of(uint64_t at, size_t n, size_t size)
{
    return at % size + n > size ? (at / size + 1) * size : at;
}

static uint64_t
end_of(uint64_t at, size_t n, size_t size)
{
    return begin_of(at, n, size) +
           (n + HESCA_LINE - 1) / HESCA_LINE * HESCA_LINE;
}

static void
model_send(model *m, const char *what)
{
    hesca_channel *ch = &m->t.out;
    const size_t size = ch->size, n = size_of(m->nsent, m->head, size);
    const uint64_t begin = begin_of(m->head, n, size);
    const uint64_t end = end_of(m->head, n, size);
    const int fits = end - m->tail <= size;
    char *room = hesca_channel_room(ch, n);
    int held = 0;
    CHECK((room != NULL) == fits,
          "%s: record %llu of %zu bytes at %llu, given back %llu: room %d",
          what, (unsigned long long)m->nsent, n, (unsigned long long)m->head,
          (unsigned long long)m->tail, room != NULL);
    if (room == NULL)
        return;
    CHECK(room == ch->ring + begin % size,
          "%s: record %llu of %zu bytes at %llu begins at %td", what,
          (unsigned long long)m->nsent, n, (unsigned long long)m->head,
          room - ch->ring);
    for (uint64_t x = begin; x < end; x += HESCA_LINE)
        held += m->taken[x % size / HESCA_LINE]++;
    CHECK(held == 0, "%s: record %llu of %zu bytes is on %d lines of others",
          what, (unsigned long long)m->nsent, n, held);
    write_record(room, n, m->nsent);
    /* Not there before it is published. */
    const int early = hesca_channel_peek(&m->t.in, n) != NULL;
    CHECK(!early || n == 0 || m->ngot < m->nsent, "%s: record %llu is early",
          what, (unsigned long long)m->nsent);
    hesca_channel_push(ch, n);
    m->head = end;
    ++m->nsent;
}

static void
model_receive(model *m, const char *what)
{
    hesca_channel *ch = &m->t.in;
    const size_t size = ch->size, n = size_of(m->ngot, m->tail, size);
    const int there = m->ngot < m->nsent;
    if (!there && n == 0)
        return; /* nothing is there at any time */
    const char *record = hesca_channel_peek(ch, n);
    CHECK((record != NULL) == there, "%s: record %llu of %llu: found %d", what,
          (unsigned long long)m->ngot, (unsigned long long)m->nsent,
          record != NULL);
    if (record == NULL)
        return;
    CHECK(is_record(record, n, m->ngot), "%s: record %llu of %zu bytes", what,
          (unsigned long long)m->ngot, n);
    const uint64_t begin = begin_of(m->tail, n, size);
    m->tail = end_of(m->tail, n, size);
    for (uint64_t x = begin; x < m->tail; x += HESCA_LINE)
        --m->taken[x % size / HESCA_LINE];
    hesca_channel_pop(ch, n);
    ++m->ngot;
}

static void
one_side_after_the_other(void)
{
    static const uint64_t starts[] = {0, (uint64_t)1 << 31, (uint64_t)1 << 32,
                                      (uint64_t)1 << 40, (uint64_t)1 << 63};
    model *m = malloc(sizeof *m);
    for (int k = 0; k < check_cases(20); ++k) {
        const size_t size = (size_t)LEAST << check_uniform(0, 4);
        const uint64_t start = starts[k % 5] - (k % 5 && k % 2 ? size : 0);
        char what[100];
        *m = (model){.t = create(size, start), .head = start, .tail = start};
        snprintf(what, sizeof what, "case %d, ring of %zu bytes from %llu", k,
                 size, (unsigned long long)start);
        /* Bursts of both sides, so that it runs full, and empty. */
        while (m->nsent < 3000 && check_failures < 20) {
            for (int n = check_uniform(0, 40); n > 0; --n)
                model_send(m, what);
            for (int n = check_uniform(0, 40); n > 0; --n)
                model_receive(m, what);
        }
        while (m->ngot < m->nsent && check_failures < 20)
            model_receive(m, what);
        release(&m->t, what);
    }
    free(m);
}

/* Half of the ring finds room in an empty one wherever it stands; all of it at
 * the beginning only. */
static void
largest_records(void)
{
    for (size_t size = LEAST; size <= MOST; size *= 2)
        for (size_t offset = 0; offset < size; offset += HESCA_LINE) {
            tube t = create(size, 0);
            char what[100];
            snprintf(what, sizeof what, "ring of %zu bytes at %zu", size,
                     offset);
            t.out.at = t.out.seen = t.in.at = t.in.seen = offset;
            atomic_store(&t.out.counts->head, offset);
            atomic_store(&t.out.counts->tail, offset);
            CHECK((hesca_channel_room(&t.out, size) != NULL) == (offset == 0),
                  "%s: all of it", what);
            char *room = hesca_channel_room(&t.out, size / 2);
            CHECK(room != NULL, "%s: half of it", what);
            if (room == NULL)
                continue;
            write_record(room, size / 2, offset);
            hesca_channel_push(&t.out, size / 2);
            const char *record = hesca_channel_peek(&t.in, size / 2);
            CHECK(record != NULL && is_record(record, size / 2, offset),
                  "%s: half of it arrives", what);
            hesca_channel_pop(&t.in, size / 2);
            release(&t, what);
        }
}

/* ------------------------------------------------ both sides at once */

typedef struct {
    tube *t;
    uint64_t nrecords;
    long wrong; /* records that were not as they were sent */
} side;

static void *
send_all(void *argument)
{
    side *s = argument;
    hesca_channel *ch = &s->t->out;
    for (uint64_t k = 0; k < s->nrecords; ++k) {
        const size_t n = size_of(k, ch->at, ch->size);
        char *room;
        while ((room = hesca_channel_room(ch, n)) == NULL)
            sched_yield();
        write_record(room, n, k);
        hesca_channel_push(ch, n);
    }
    return NULL;
}

/* Looks at a record twice, with time in between for the sender to write where
 * it must not. */
static void *
receive_all(void *argument)
{
    side *s = argument;
    hesca_channel *ch = &s->t->in;
    for (uint64_t k = 0; k < s->nrecords; ++k) {
        const size_t n = size_of(k, ch->at, ch->size);
        const char *record;
        while ((record = hesca_channel_peek(ch, n)) == NULL)
            sched_yield();
        int good = is_record(record, n, k);
        if (check_mix(k + 5) % 8 == 0) {
            sched_yield();
            good = good && is_record(record, n, k);
        }
        s->wrong += !good;
        hesca_channel_pop(ch, n);
    }
    return NULL;
}

static void
check_sides(const side *s, const char *what)
{
    const hesca_channel *out = &s->t->out, *in = &s->t->in;
    CHECK(s->wrong == 0, "%s, ring of %zu bytes: %ld of %llu records wrong",
          what, in->size, s->wrong, (unsigned long long)s->nrecords);
    CHECK(atomic_load(&in->counts->head) == in->at &&
              atomic_load(&in->counts->tail) == in->at,
          "%s, ring of %zu bytes: counts %llu and %llu, not %llu", what,
          in->size, (unsigned long long)atomic_load(&out->counts->head),
          (unsigned long long)atomic_load(&out->counts->tail),
          (unsigned long long)in->at);
}

static void
two_threads(void)
{
    for (size_t size = LEAST; size <= MOST; size *= 4) {
        tube t = create(size, 0);
        side sender = {&t, (uint64_t)check_cases(15000), 0};
        side receiver = sender;
        pthread_t thread;
        if (pthread_create(&thread, NULL, send_all, &sender) != 0)
            abort();
        receive_all(&receiver);
        pthread_join(thread, NULL);
        check_sides(&receiver, "two threads");
        release(&t, "two threads");
    }
}

static void
two_processes(void)
{
    for (size_t size = LEAST; size <= MOST; size *= 4) {
        tube t = create(size, 0);
        side s = {&t, (uint64_t)check_cases(15000), 0};
        int status = -1;
        fflush(NULL);
        const pid_t child = fork();
        if (child < 0)
            abort();
        if (child == 0) {
            send_all(&s);
            _exit(0);
        }
        receive_all(&s);
        waitpid(child, &status, 0);
        CHECK(status == 0, "the sender ends with %d", status);
        check_sides(&s, "two processes");
        release(&t, "two processes");
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(one_side_after_the_other),
                                       UNIT(largest_records),
                                       UNIT(two_threads), UNIT(two_processes)};
    unit_begin("exec/t_channel", 20261122);
    alarm(250); /* where a side waits in vain */
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}

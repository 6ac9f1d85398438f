/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* process_vm_readv */
#include "exec/single_copy.h"
#include "base/activity.h"
#include "base/arith.h"
#include <sys/uio.h>
#include <unistd.h>

/* Shorter messages and columns, and columns of more than CALL_BYTES, are
 * packed. */
static const int64_t MESSAGE_LEAST = 256 * 1024, COLUMN_LEAST = 4096;

/* Most bytes and pieces of one system call. */
static const int64_t CALL_BYTES = 1024 * 1024;
enum { PIECES_MOST = 64 };

/* This process's id. A process that reads this value by the process number
 * reads from the right process: with pid namespaces, numbers repeat. */
static _Atomic uint64_t token;

int
hesca_single_copy_serves(const hesca_message *msg)
{
    const int64_t column = msg->rows->total * (int64_t)msg->problem->esize;
    return msg->problem->part == HESCA_ALL && column >= COLUMN_LEAST &&
           column <= CALL_BYTES &&
           msg->cols->total >= (MESSAGE_LEAST - 1) / column + 1 &&
           hesca_overlap_is_flat(msg->rows);
}

#if defined(__linux__)

void
hesca_single_copy_publish(hesca_channel *out, uint64_t id)
{
    token = id;
    out->counts->pid = getpid();
    out->counts->token = (uintptr_t)&token;
}

/* Read n bytes from another process. */
static int
read_all(int64_t pid, const struct iovec *to, int nto,
         const struct iovec *from, int nfrom, int64_t n)
{
    const hesca_activity before = hesca_activity_enter(HESCA_ACTIVITY_COPIES);
    const int64_t done = process_vm_readv((pid_t)pid, to, (unsigned long)nto,
                                          from, (unsigned long)nfrom, 0);
    hesca_activity_leave(before);
    return done == n;
}

void
hesca_single_copy_try(hesca_channel *in, uint64_t id)
{
    uint64_t got = 0;
    const struct iovec to = {&got, sizeof got};
    const struct iovec from = {(void *)(uintptr_t)in->counts->token,
                               sizeof got};
    const int may =
        read_all(in->counts->pid, &to, 1, &from, 1, sizeof got) && got == id;
    atomic_store_explicit(&in->counts->reads, may, memory_order_release);
}

/* List ncols columns of m bytes in as few pieces as possible. */
static int
list(struct iovec *v, uintptr_t first, int64_t m, int64_t ld, int64_t ncols)
{
    const int dense = ld == m;
    const int n = dense ? 1 : (int)ncols;
    for (int k = 0; k < n; ++k) {
        v[k].iov_base = (void *)(first + (uintptr_t)(k * ld));
        v[k].iov_len = (size_t)(dense ? m * ncols : m);
    }
    return n;
}

int
hesca_single_copy_read(const hesca_message *msg, int64_t pid,
                       hesca_offer offer, void *b, int64_t ldb,
                       int64_t *column)
{
    const int64_t esize = (int64_t)msg->problem->esize;
    const int64_t m = msg->rows->total * esize;
    struct iovec to[PIECES_MOST], from[PIECES_MOST];
    const hesca_stretch x = hesca_overlap_at(msg->cols, *column);
    const int64_t n = hesca_min(hesca_min(x.len, PIECES_MOST), CALL_BYTES / m);
    const int64_t lda = offer.lda * esize;
    const int64_t ia = msg->rows->iv->a * esize;
    const int64_t ib = msg->rows->iv->b * esize;
    ldb *= esize;
    const int nfrom = list(
        from, (uintptr_t)offer.a + (uintptr_t)(ia + x.a * lda), m, lda, n);
    const int nto =
        list(to, (uintptr_t)b + (uintptr_t)(ib + x.b * ldb), m, ldb, n);
    *column += n;
    return read_all(pid, to, nto, from, nfrom, m * n);
}

#else

void
hesca_single_copy_publish(hesca_channel *out, uint64_t id)
{
    (void)out, (void)id;
}

void
hesca_single_copy_try(hesca_channel *in, uint64_t id)
{
    (void)in, (void)id; /* reads stays 0 */
}

int
hesca_single_copy_read(const hesca_message *msg, int64_t pid,
                       hesca_offer offer, void *b, int64_t ldb,
                       int64_t *column)
{
    (void)msg, (void)pid, (void)offer, (void)b, (void)ldb, (void)column;
    return 0;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* P?GEMR2D and P?TRMR2D: from ScaLAPACK's arguments to hesca_redistribute().
 *
 * Whatever one process finds wrong goes into the call as its status, so that
 * all processes return together.  Source of the arguments' meaning: ScaLAPACK
 * REDIST/SRC/pdgemr.c and pdtrmr.c, opening comments; of what they accept:
 * their code, and paramcheck() of pgemraux.c.  doc/acceptance.md compares. */
#define _POSIX_C_SOURCE 200809L
#include "shim/blacs/blacs.h"
#include "shim/fallback.h"
#include "shim/figures.h"
#include "shim/shim.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Entries of a descriptor, counted from 0 as in C. */
enum { CTXT_ = 1, M_, N_, MB_, NB_, RSRC_, CSRC_, LLD_ };
enum { TEXT = 200 };

/* Arguments of P?GEMR2D by number; P?TRMR2D has two more in front. */
enum {
    ARG_M = 1,
    ARG_N,
    ARG_A,
    ARG_IA,
    ARG_JA,
    ARG_DESCA,
    ARG_B,
    ARG_CTXT = 11
};

_Thread_local int hesca_inside_original;

static int
is_trapezoid(const hesca_call *c)
{
    return c->kind == TRMR2D || c->kind == TRMR2DO;
}

static int
has_context(const hesca_call *c)
{
    return c->kind == GEMR2D || c->kind == TRMR2D;
}

/* "PDGEMR2D" */
static void
upper_name(const hesca_call *c, char *name)
{
    const char *lower = hesca_call_name(c);
    *name++ = 'P';
    while ((*name++ = (char)toupper((unsigned char)*lower++)) != '\0')
        ;
}

/* ------------------------------------------------ checks */

/* Number of an argument, or of entry e (from 0) of a descriptor. */
static int
number(const hesca_call *c, int arg)
{
    return arg + (is_trapezoid(c) ? 2 : 0);
}

static int
entry(const hesca_call *c, int arg, int e)
{
    return 100 * number(c, arg) + e + 1;
}

static int
complain(int info, const char *name, long long value, const char *must)
{
    char text[TEXT];
    if (info < 100)
        snprintf(text, sizeof text, "argument %d, %s, is %lld: must be %s",
                 info, name, value, must);
    else
        snprintf(text, sizeof text,
                 "argument %d, entry %d (%s), is %lld: must be %s", info / 100,
                 info % 100, name, value, must);
    return hesca_error_set(HESCA_ERR_ARG, info, text);
}

static int
complain_letter(int info, const char *name, const char *value,
                const char *must)
{
    char text[TEXT];
    snprintf(text, sizeof text, "argument %d, %s, is '%c': must be %s", info,
             name, value == NULL ? ' ' : *value, must);
    return hesca_error_set(HESCA_ERR_ARG, info, text);
}

static int
letter(const char *s)
{
    return toupper((unsigned char)*s);
}

static int
check_part(const hesca_call *c, hesca_part *part)
{
    *part = HESCA_ALL;
    if (!is_trapezoid(c))
        return HESCA_SUCCESS;
    if (c->uplo == NULL)
        return complain_letter(1, "UPLO", c->uplo, "U or L");
    if (c->diag == NULL)
        return complain_letter(2, "DIAG", c->diag, "U or N");
    /* DIAG = 'U': the diagonal is taken for ones and not copied.  Of other
     * letters ScaLAPACK makes the same as here. */
    if (letter(c->uplo) == 'U')
        *part = letter(c->diag) == 'N' ? HESCA_UPPER : HESCA_UPPER_STRICT;
    else
        *part = letter(c->diag) == 'U' ? HESCA_LOWER_STRICT : HESCA_LOWER;
    return HESCA_SUCCESS;
}

int64_t
hesca_numroc(int64_t n, int64_t nb, int iproc, int isrcproc, int nprocs)
{
    const int64_t mydist = (nprocs + iproc - isrcproc) % nprocs;
    const int64_t nblocks = n / nb, extra = nblocks % nprocs;
    int64_t count = nblocks / nprocs * nb;
    if (mydist < extra)
        count += nb;
    else if (mydist == extra)
        count += n % nb;
    return count;
}

/* Rows or columns of a block.  Of one process row, or column, only 0 matters:
 * ScaLAPACK's routine takes what is below it, too. */
static hesca_int
block_size(hesca_int nb, int nprocs)
{
    return nprocs == 1 && nb < 0 ? 1 : nb;
}

/* Translate one matrix; i and j count from 1.  Of a process that is not in its
 * grid, as far as the BLACS know, nothing else is looked at. */
static int
check_side(const hesca_call *c, const hesca_int *desc, int is_b, int64_t i,
           int64_t j, hesca_side *side)
{
    const int arg = is_b ? ARG_DESCA + 4 : ARG_DESCA;
    const int arg_i = arg - 2, arg_j = arg - 1;
    if (desc == NULL)
        return complain(number(c, arg), is_b ? "DESCB" : "DESCA", 0,
                        "a descriptor, not NULL");
    hesca_blacs_grid(desc[CTXT_], &side->nprow, &side->npcol, &side->myrow,
                     &side->mycol);
    if (side->nprow < 1 || side->myrow < 0 || side->myrow >= side->nprow ||
        side->mycol < 0 || side->mycol >= side->npcol)
        return HESCA_SUCCESS;
    const hesca_int mb = block_size(desc[MB_], side->nprow);
    const hesca_int nb = block_size(desc[NB_], side->npcol);
    const struct {
        int info;
        const char *name;
        int64_t value;
        int ok;
        const char *must;
    } rule[] = {
        {entry(c, arg, M_), "M", desc[M_], desc[M_] >= 0, "at least 0"},
        {entry(c, arg, N_), "N", desc[N_], desc[N_] >= 0, "at least 0"},
        {entry(c, arg, MB_), "MB", desc[MB_], mb >= 1, "at least 1"},
        {entry(c, arg, NB_), "NB", desc[NB_], nb >= 1, "at least 1"},
        {entry(c, arg, RSRC_), "RSRC", desc[RSRC_],
         desc[RSRC_] >= 0 && desc[RSRC_] < side->nprow, "a process row"},
        {entry(c, arg, CSRC_), "CSRC", desc[CSRC_],
         desc[CSRC_] >= 0 && desc[CSRC_] < side->npcol, "a process column"},
        {number(c, arg_i), is_b ? "IB" : "IA", i,
         i >= 1 && c->m <= (int64_t)desc[M_] - i + 1,
         "such that M rows from it lie in the matrix"},
        {number(c, arg_j), is_b ? "JB" : "JA", j,
         j >= 1 && c->n <= (int64_t)desc[N_] - j + 1,
         "such that N columns from it lie in the matrix"},
    };
    for (size_t k = 0; k < sizeof rule / sizeof *rule; ++k)
        if (!rule[k].ok)
            return complain(rule[k].info, rule[k].name, rule[k].value,
                            rule[k].must);
    if (!hesca_blacs_is_int(desc[MB_]) || !hesca_blacs_is_int(desc[NB_]))
        return hesca_error_set(HESCA_ERR_UNSUPPORTED, 0,
                               "a block has 2^31 rows or columns or more");
    side->member = 1;
    side->m = desc[M_];
    side->n = desc[N_];
    side->mb = (int)mb;
    side->nb = (int)nb;
    side->rsrc = (int)desc[RSRC_];
    side->csrc = (int)desc[CSRC_];
    side->i = i - 1;
    side->j = j - 1;
    side->lld = desc[LLD_];
    const int64_t locr =
        hesca_numroc(side->m, side->mb, side->myrow, side->rsrc, side->nprow);
    const int64_t locc =
        hesca_numroc(side->n, side->nb, side->mycol, side->csrc, side->npcol);
    /* A process that owns nothing needs no lld. */
    if (locr > 0 && locc > 0 && side->lld < locr)
        return complain(entry(c, arg, LLD_), "LLD", desc[LLD_],
                        "at least the local number of rows");
    return HESCA_SUCCESS;
}

/* Keeps the first complaint. */
static int
check_call(const hesca_call *c, hesca_part *part, hesca_side *sa,
           hesca_side *sb)
{
    memset(sa, 0, sizeof *sa);
    memset(sb, 0, sizeof *sb);
    *part = HESCA_ALL;
    int err = check_side(c, c->desca, 0, c->ia, c->ja, sa);
    if (err == HESCA_SUCCESS)
        err = check_side(c, c->descb, 1, c->ib, c->jb, sb);
    /* A process in neither grid need not know what the others copy. */
    if (err < 0 || (!sa->member && !sb->member))
        return err;
    err = check_part(c, part);
    if (err == HESCA_SUCCESS && c->m < 0)
        err = complain(number(c, ARG_M), "M", c->m, "at least 0");
    if (err == HESCA_SUCCESS && c->n < 0)
        err = complain(number(c, ARG_N), "N", c->n, "at least 0");
    return err;
}

/* The communicator of the enclosing context, or of all processes of the BLACS
 * for the variants without a context. */
static int
enclosing(const hesca_call *c, MPI_Comm *comm)
{
    const hesca_int zero = 0, what = 10, ictxt = (hesca_int)c->ictxt;
    const hesca_blacs *blacs = hesca_blacs_find();
    hesca_int handle;
    int nprow, dummy;
    if (has_context(c)) {
        hesca_blacs_grid(ictxt, &nprow, &dummy, &dummy, &dummy);
        if (nprow < 1)
            return complain(number(c, ARG_CTXT), "CTXT", c->ictxt,
                            "a BLACS context that holds this process");
        blacs->get(&ictxt, &what, &handle);
    } else {
        blacs->get(&zero, &zero, &handle);
    }
    *comm = MPI_Comm_f2c((MPI_Fint)handle);
    return HESCA_SUCCESS;
}

/* ------------------------------------------------ errors */

/* The argument of ScaLAPACK's routine that an argument of
 * hesca_redistribute() comes from; fields of hesca_side count from 1. */
static int
translate(const hesca_call *c, int info)
{
    enum { I = 12, J = 13 };
    static const int descriptor[] = {
        [2] = CTXT_,  [3] = CTXT_,  [4] = CTXT_, [5] = CTXT_,
        [6] = M_,     [7] = N_,     [8] = MB_,   [9] = NB_,
        [10] = RSRC_, [11] = CSRC_, [14] = LLD_};
    const int arg = info / 100, field = info % 100;
    const int desc = arg == 7 ? ARG_DESCA + 4 : ARG_DESCA;
    if (arg == 0)
        switch (info) {
        case 2:
            return is_trapezoid(c) ? 1 : 0; /* UPLO */
        case 3:
            return number(c, ARG_M);
        case 4:
            return number(c, ARG_N);
        case 6:
            return number(c, ARG_A);
        case 8:
            return number(c, ARG_B);
        default:
            return 0;
        }
    if (field == I || field == J)
        return number(c, desc - (field == I ? 2 : 1));
    return field >= 2 && field <= 14 ? entry(c, desc, descriptor[field]) : 0;
}

static void
nap(long ms)
{
    const struct timespec t = {.tv_nsec = ms * 1000000L};
    nanosleep(&t, NULL);
}

/* No process aborts before all have printed. */
static void
wait_for_all(MPI_Comm comm)
{
    MPI_Request request;
    int done = 0;
    if (PMPI_Ibarrier(comm, &request) == MPI_SUCCESS)
        while (PMPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
               !done)
            nap(1);
}

/* Report an error in ScaLAPACK's way, and stop as the user wishes.  comm is
 * null if the processes have not agreed on the error. */
static void
fail(const hesca_call *c, int agreed_info, hesca_onerror onerror,
     MPI_Comm comm)
{
    static const char own[] = "hesca_redistribute: ";
    const char *text = hesca_error_text();
    int info = hesca_error_info();
    const hesca_int ictxt = has_context(c) ? (hesca_int)c->ictxt : -1;
    char name[16], place[32] = "";
    upper_name(c, name);
    if (strncmp(text, own, strlen(own)) == 0) {
        text += strlen(own);
        info = translate(c, info);
        if (info >= 100)
            snprintf(place, sizeof place,
                     "argument %d, entry %d: ", info / 100, info % 100);
        else if (info > 0)
            snprintf(place, sizeof place, "argument %d, ", info);
    }
    fprintf(stderr, "hesca: %s: %s%s\n", name, place, text);
    const hesca_int reported = info;
    if (info > 0)
        hesca_blacs_find()->pxerbla(&ictxt, name, &reported, strlen(name));
    fflush(NULL);
    if (onerror != HESCA_ONERROR_ABORT)
        return;
    if (agreed_info)
        wait_for_all(comm);
    nap(200); /* for the messages to reach the terminal */
    hesca_blacs_find()->abort(ictxt, info > 0 ? info : 1);
}

/* Without a valid context there are no processes to agree with. */
static void
fail_alone(const hesca_call *c)
{
    hesca_params params;
    const int info = hesca_error_info();
    char text[TEXT];
    snprintf(text, sizeof text, "%s", hesca_error_text());
    hesca_params_read(&params);
    hesca_error_set(HESCA_ERR_ARG, info, text);
    fail(c, 0, params.onerror, MPI_COMM_NULL);
}

/* ------------------------------------------------ the call */

static void
leave_to_real(const hesca_call *c, const hesca_params *params, MPI_Comm comm,
              const char *why, int is_news)
{
    int found;
    if (params->verbose > 0 || HESCA_FIGURES || is_news)
        hesca_report_original(c, params, comm, why, !is_news);
    const int entered = hesca_figures_original_enter();
    ++hesca_inside_original;
    found = hesca_call_original(c);
    --hesca_inside_original;
    hesca_figures_original_leave(entered);
    if (entered)
        hesca_report_original_took(c, comm, hesca_figures_original_seconds());
    if (!found) {
        hesca_error_set(HESCA_ERR_UNSUPPORTED, 0,
                        "the real routine was asked for, but no library of "
                        "this program defines it");
        fail(c, 1, params->onerror, comm);
    }
}

/* Something that HESCA needs for a valid call is missing; nothing is
 * written. */
static void
recover(const hesca_call *c, int err, const hesca_params *params,
        MPI_Comm comm)
{
    char why[2 * TEXT];
    if (hesca_fallback_is_error(err, params)) {
        fail(c, err != HESCA_ERR_MPI, params->onerror, comm);
        return;
    }
    hesca_fallback_text(err, why, sizeof why);
    const int is_news = hesca_fallback_is_news(params, why);
    leave_to_real(c, params, comm, why, is_news);
}

/* After an error: the original routine, unless the arguments are wrong, or
 * data may have moved. */
static void
end(const hesca_call *c, int err, const hesca_params *params, MPI_Comm comm)
{
    if (err == HESCA_ERR_ARG || err == HESCA_ERR_MISMATCH ||
        err == HESCA_ERR_MPI)
        fail(c, err != HESCA_ERR_MPI, params->onerror, comm);
    else
        recover(c, err, params, comm);
}

/* Serve a call in a communicator. */
static void
serve(const hesca_call *c, const char *name, MPI_Comm comm)
{
    static const size_t esize[NTYPES] = {sizeof(hesca_int), 4, 8, 8, 16};
    hesca_params params;
    hesca_plan_info info;
    hesca_side sa, sb;
    hesca_part part;
    const int missing = hesca_fallback_params(comm, &params);
    if (hesca_params_disabled(&params, name)) {
        leave_to_real(c, &params, comm, "HESCA_DISABLE", 0);
        return;
    }
    if (missing < 0) {
        recover(c, missing, &params, comm);
        return;
    }
    const int reports = params.verbose > 0 || HESCA_FIGURES;
    const double start = reports ? PMPI_Wtime() : 0;
    const int status = check_call(c, &part, &sa, &sb);
    const int err =
        hesca_redistribute(status, part, c->m, c->n, &sa, c->a, &sb, c->b,
                           esize[c->type], comm, reports ? &info : NULL);
    if (err < 0)
        end(c, err, &params, comm);
    else if (reports)
        hesca_report_call(c, &params, comm, &info, PMPI_Wtime() - start);
}

void
hesca_serve(const hesca_call *c)
{
    MPI_Comm comm = MPI_COMM_NULL;
    char name[16] = "p";
    /* As the original routine: nothing else is read, and no process is waited
     * for, so that not all processes need to call. */
    if (c->m == 0 || c->n == 0)
        return;
    if (hesca_inside_original || hesca_blacs_find() == NULL) {
        hesca_call_original(c);
        return;
    }
    if (enclosing(c, &comm) < 0) {
        fail_alone(c);
        return;
    }
    strcpy(name + 1, hesca_call_name(c));
    hesca_caller_set(name);
    const int entered = hesca_figures_enter();
    serve(c, name, comm);
    hesca_figures_leave(entered);
    hesca_caller_set(NULL);
}

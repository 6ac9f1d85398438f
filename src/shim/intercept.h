/* SPDX-License-Identifier: BSD-3-Clause */
/** \file shim/intercept.h
 * How functions get the names of those that they replace.
 *
 * In the shared library ScaLAPACK's names are defined as they are, for preload
 * and link order.  The static archive has them as __wrap_NAME, for ld --wrap:
 * an archive member that defined ScaLAPACK's own names would collide with, or
 * hide, the member of libscalapack.a that it stands for. */
#ifndef HESCA_SHIM_INTERCEPT_H
#define HESCA_SHIM_INTERCEPT_H

#define ALIAS(function, name)                                                 \
    extern __typeof__(function) name                                          \
        __attribute__((alias(#function), visibility("default")));
#define ALIAS_EXPANDED(function, name) ALIAS(function, name)
#define JOIN_EXPANDED(x, y) x##y
#define JOIN(x, y) JOIN_EXPANDED(x, y)

#ifdef PIC
#define INTERCEPT(function, name) ALIAS_EXPANDED(function, name)
#else
#define INTERCEPT(function, name) ALIAS_EXPANDED(function, JOIN(__wrap_, name))
#endif

#endif

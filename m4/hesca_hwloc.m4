# SPDX-License-Identifier: BSD-3-Clause
# HESCA_CHECK_HWLOC
# -----------------
# hwloc 2, by which the program hesca binds processes to cores; it is optional.
# Set hesca_hwloc to yes or no, HWLOC_CFLAGS and HWLOC_LIBS, and the conditional
# HAVE_HWLOC.
AC_DEFUN([HESCA_CHECK_HWLOC], [
AC_ARG_WITH([hwloc],
  [AS_HELP_STRING([--with-hwloc@<:@=yes|no|check@:>@],
     [bind processes by hwloc 2, as pkg-config finds it (default: if it is
     there)])], [], [with_hwloc=check])
AS_CASE([$with_hwloc], [yes|no|check], [],
  [AC_MSG_ERROR([--with-hwloc=$with_hwloc: must be yes, no or check; set PKG_CONFIG_PATH to where hwloc.pc is])])
hesca_hwloc=no
AS_IF([test $with_hwloc != no],
  [PKG_CHECK_MODULES([HWLOC], [hwloc >= 2], [hesca_hwloc=yes],
     [AS_IF([test $with_hwloc = yes],
        [AC_MSG_ERROR([no hwloc 2 found: install libhwloc-dev])],
        [AC_MSG_WARN([no hwloc 2 found, hesca run will not bind processes: install libhwloc-dev])])])])
AM_CONDITIONAL([HAVE_HWLOC], [test $hesca_hwloc = yes])
AC_SUBST([hesca_hwloc])
])

# SPDX-License-Identifier: BSD-3-Clause
# HESCA_CHECK_GRAPHS
# ------------------
# The libraries that partition graphs, METIS 5 and SCOTCH 7; both are optional.
# Define HAVE_METIS, HAVE_SCOTCH and SCOTCH_HEADER, set hesca_metis and
# hesca_scotch to yes or no, GRAPH_CPPFLAGS and GRAPH_LIBS to what they need,
# and GRAPH_LIBS_PRIVATE to the same for hesca.pc.
AC_DEFUN([HESCA_CHECK_GRAPHS], [
GRAPH_CPPFLAGS= GRAPH_LIBS= GRAPH_LIBS_PRIVATE=
# SCOTCH comes with a look-alike of METIS, which has the same names of header
# and library, but not all functions.
_HESCA_GRAPH_LIBRARY([metis], [METIS 5], [libmetis-dev], [-lmetis],
  ['<metis.h>'], [[
#if METIS_VER_MAJOR < 5
#error "older than METIS 5"
#endif
int main(void) {
    idx_t options[METIS_NOPTIONS];
    return METIS_SetDefaultOptions(options) + METIS_Free(options);
}]])
_HESCA_GRAPH_LIBRARY([scotch], [SCOTCH 7], [libscotch-dev],
  [-lscotch -lscotcherr], ['<scotch.h>' '<scotch/scotch.h>'], [[
#if SCOTCH_VERSION < 7
#error "older than SCOTCH 7"
#endif
int main(void) {
    SCOTCH_Arch arch;
    SCOTCH_Context context;
    SCOTCH_Num weight = 1;
    return SCOTCH_archCmpltw(&arch, 1, &weight) +
        SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMDETERMINISTIC, 1);
}]])
AS_IF([test $hesca_metis = yes],
  [AC_DEFINE([HAVE_METIS], [1], [Whether METIS 5 was found.])])
AS_IF([test $hesca_scotch = yes],
  [AC_DEFINE([HAVE_SCOTCH], [1], [Whether SCOTCH 7 was found.])
   AC_DEFINE_UNQUOTED([SCOTCH_HEADER], [$hesca_scotch_header],
     [The header of SCOTCH.])])
AC_SUBST([GRAPH_CPPFLAGS])
AC_SUBST([GRAPH_LIBS])
AC_SUBST([GRAPH_LIBS_PRIVATE])
AC_SUBST([hesca_metis])
AC_SUBST([hesca_scotch])
])

# _HESCA_GRAPH_LIBRARY(NAME, WHAT, PACKAGE, LIBS, HEADERS, PROGRAM)
# Set hesca_NAME, and hesca_NAME_header to the first of HEADERS with which
# PROGRAM links with LIBS, if --with-NAME allows.
AC_DEFUN([_HESCA_GRAPH_LIBRARY], [
AC_ARG_WITH([$1],
  [AS_HELP_STRING([--with-$1@<:@=yes|no|check|DIR@:>@],
     [partition graphs by $2, in the default folders or in DIR
     (default: if it is there)])], [], [with_$1=check])
hesca_$1=no
AS_IF([test "x$with_$1" != xno], [
  AC_MSG_CHECKING([for $2])
  hesca_save_LIBS=$LIBS hesca_save_CPPFLAGS=$CPPFLAGS
  hesca_flags= hesca_dir=
  AS_CASE([$with_$1], [yes|check], [],
    [hesca_flags="-I$with_$1/include"
     hesca_dir="-L$with_$1/lib -Wl,-rpath,$with_$1/lib "])
  CPPFLAGS="$CPPFLAGS $hesca_flags"
  LIBS="$hesca_dir$4 -lm $hesca_save_LIBS"
  for hesca_$1_header in $5; do
    AC_LINK_IFELSE([AC_LANG_SOURCE([
#include <stdint.h>
#include <stdio.h>
#include $hesca_$1_header
$6])], [hesca_$1=yes; break])
  done
  CPPFLAGS=$hesca_save_CPPFLAGS LIBS=$hesca_save_LIBS
  AC_MSG_RESULT([$hesca_$1])
])
AS_IF([test $hesca_$1 = yes], [
  GRAPH_CPPFLAGS="$GRAPH_CPPFLAGS $hesca_flags"
  GRAPH_LIBS="$GRAPH_LIBS $hesca_dir$4"
  _HESCA_PRIVATE_LIBS([$hesca_dir], [$4])
], [
  AS_CASE([$with_$1],
    [no], [],
    [check], [AC_MSG_WARN([no $2 found, graphs will be partitioned without: install $3])],
    [AC_MSG_ERROR([no $2 found: install $3 or give --with-$1=DIR])])
])
])

# _HESCA_PRIVATE_LIBS(FLAGS, LIBS)
# Add to GRAPH_LIBS_PRIVATE.  Who links static archives between -Bstatic and
# -Bdynamic wants the shared libraries of those that have no archive, or one
# that wants more libraries.
AC_DEFUN([_HESCA_PRIVATE_LIBS], [
hesca_save_LIBS=$LIBS LIBS="$1-Wl,-Bstatic -Wl,--whole-archive $2 -Wl,--no-whole-archive -lm -Wl,-Bdynamic"
AC_LINK_IFELSE([AC_LANG_SOURCE([int main(void) { return 0; }])],
  [GRAPH_LIBS_PRIVATE="$GRAPH_LIBS_PRIVATE $1$2"],
  [GRAPH_LIBS_PRIVATE="$GRAPH_LIBS_PRIVATE $1-Wl,--push-state,-Bdynamic $2 -Wl,--pop-state"])
LIBS=$hesca_save_LIBS
])

# SPDX-License-Identifier: BSD-3-Clause
# HESCA_ARG_SANITIZERS
# --------------------
# --enable-sanitizers.  Sets the default of CFLAGS, so call it first.
AC_DEFUN([HESCA_ARG_SANITIZERS], [
AC_ARG_ENABLE([sanitizers],
  [AS_HELP_STRING([--enable-sanitizers], [find wrong memory accesses and
     undefined behaviour at run time])], [], [enable_sanitizers=no])
SANITIZE_FLAGS=
AS_IF([test $enable_sanitizers != no],
  [SANITIZE_FLAGS='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'
   : ${CFLAGS='-g -O1'} ${FCFLAGS='-g -O1'}])
AC_SUBST([SANITIZE_FLAGS])
])

# HESCA_COMPILER_FLAGS
# --------------------
# Flags that HESCA compiles itself with: WARN_CFLAGS (as far as the compiler
# knows them), VISIBILITY_CFLAGS (HESCA_API exports, nothing else), WERROR.
AC_DEFUN([HESCA_COMPILER_FLAGS], [
AC_ARG_ENABLE([werror],
  [AS_HELP_STRING([--enable-werror], [treat warnings as errors])],
  [], [enable_werror=no])
WARN_CFLAGS= VISIBILITY_CFLAGS= NOFMA_CFLAGS= WERROR=
for hesca_flag in -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes \
                  -Wstrict-prototypes; do
  _HESCA_TRY_CFLAG([$hesca_flag], [WARN_CFLAGS="$WARN_CFLAGS $hesca_flag"])
done
# A model must give the same shares on every host of a mixed cluster.
_HESCA_TRY_CFLAG([-ffp-contract=off], [NOFMA_CFLAGS=-ffp-contract=off])
_HESCA_TRY_CFLAG([-fvisibility=hidden], [VISIBILITY_CFLAGS=-fvisibility=hidden])
AS_IF([test $enable_werror != no], [WERROR=-Werror])
AC_SUBST([WARN_CFLAGS])
AC_SUBST([VISIBILITY_CFLAGS])
AC_SUBST([NOFMA_CFLAGS])
AC_SUBST([WERROR])
])

# HESCA_RELOCATABLE
# -----------------
# Libraries find each other in their own folder, ORIGIN_FLAGS, where the linker
# can say so.  Then libtool need not link them once more at installation, for
# which it refuses a prefix other than configure's.
AC_DEFUN([HESCA_RELOCATABLE], [
AC_CACHE_CHECK([whether the linker takes -rpath \$ORIGIN], [hesca_cv_origin],
  [hesca_save_LDFLAGS=$LDFLAGS hesca_cv_origin=no
   LDFLAGS="$LDFLAGS -shared -fPIC -Wl,-rpath,'\$ORIGIN'"
   AC_LINK_IFELSE([AC_LANG_SOURCE([int hesca_x(void) { return 0; }])],
     [hesca_cv_origin=yes])
   LDFLAGS=$hesca_save_LDFLAGS])
ORIGIN_FLAGS=
AS_IF([test $hesca_cv_origin = yes],
  [ORIGIN_FLAGS="-Wl,-rpath,'\$\$ORIGIN'"
   AC_CONFIG_COMMANDS([libtool-origin],
     [sed -e 's/^hardcode_into_libs=yes/hardcode_into_libs=no/' \
          -e 's/need_relink=yes/need_relink=no/' libtool >libtool.new &&
      cat libtool.new >libtool && rm -f libtool.new])])
AC_SUBST([ORIGIN_FLAGS])
])

# HESCA_VERSION_SCRIPT
# --------------------
# Whether the linker gives symbols versions; conditional HAVE_VERSION_SCRIPT,
# hesca_version_script for the tests.
AC_DEFUN([HESCA_VERSION_SCRIPT], [
AC_CACHE_CHECK([whether the linker takes --version-script],
  [hesca_cv_version_script],
  [hesca_save_LDFLAGS=$LDFLAGS hesca_cv_version_script=no
   echo 'HESCA_0.1 { global: hesca_*; local: *; };' >conftest.map
   LDFLAGS="$LDFLAGS -shared -Wl,--version-script=conftest.map"
   AC_LINK_IFELSE([AC_LANG_SOURCE([int hesca_x(void) { return 0; }])],
     [hesca_cv_version_script=yes])
   LDFLAGS=$hesca_save_LDFLAGS
   rm -f conftest.map])
hesca_version_script=$hesca_cv_version_script
AC_SUBST([hesca_version_script])
AM_CONDITIONAL([HAVE_VERSION_SCRIPT], [test $hesca_version_script = yes])
])

# _HESCA_TRY_CFLAG(FLAG, IF-ACCEPTED)
# -Werror because clang only warns of flags it does not know.
AC_DEFUN([_HESCA_TRY_CFLAG], [
AC_MSG_CHECKING([whether $CC accepts $1])
hesca_save_CFLAGS=$CFLAGS CFLAGS="$CFLAGS -Werror $1"
AC_COMPILE_IFELSE([AC_LANG_SOURCE([int main(void) { return 0; }])],
  [AC_MSG_RESULT([yes])
   $2],
  [AC_MSG_RESULT([no])])
CFLAGS=$hesca_save_CFLAGS
])

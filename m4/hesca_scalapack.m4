# SPDX-License-Identifier: BSD-3-Clause
# HESCA_CHECK_SCALAPACK
# ---------------------
# Set SCALAPACK_LIBS and BLAS_LIBS.  libhesca links the latter.  Only tests,
# timers and examples link ScaLAPACK: libhesca does not need it,
# libhesca_scalapack takes the application's.
AC_DEFUN([HESCA_CHECK_SCALAPACK], [
AC_REQUIRE([AC_FC_LIBRARY_LDFLAGS])
AC_ARG_WITH([blas],
  [AS_HELP_STRING([--with-blas=LIBS], [link BLAS and LAPACK by LIBS
     (default: -llapack -lblas, then -lopenblas)])], [], [with_blas=])
AC_ARG_WITH([scalapack],
  [AS_HELP_STRING([--with-scalapack=LIBS|DIR], [link ScaLAPACK by LIBS, or by
     the libscalapack in DIR or DIR/lib
     (default: -lscalapack-mpich or -lscalapack-openmpi, then -lscalapack)])],
  [], [with_scalapack=])
AC_ARG_ENABLE([ilp64],
  [AS_HELP_STRING([--enable-ilp64], [libhesca_scalapack for programs whose
     ScaLAPACK has 64-bit INTEGERs])], [], [enable_ilp64=no])
AS_IF([test $enable_ilp64 != no], [ILP64_CPPFLAGS=-DHESCA_ILP64],
  [ILP64_CPPFLAGS=])
AC_SUBST([ILP64_CPPFLAGS])
AC_SUBST([enable_ilp64])
AM_CONDITIONAL([ILP64], [test $enable_ilp64 != no])
AC_FC_FUNC([dgemm])
AC_FC_FUNC([dgetrf])
AC_FC_FUNC([pdgemr2d])

AS_CASE([$with_blas],
  # What ScaLAPACK itself is linked with, so that a program has one BLAS.
  [''|yes], [set dummy '-llapack -lblas' -lopenblas],
  [set dummy "$with_blas"])
_HESCA_FIRST_LIBS([BLAS_LIBS], [BLAS and LAPACK], [], [$dgemm $dgetrf],
  [install libopenblas-dev or give --with-blas=LIBS])

AS_CASE([$with_scalapack],
  [''|yes], [set dummy -lscalapack-$hesca_mpi -lscalapack],
  [-*|*.a|*.so*], [set dummy "$with_scalapack"],
  [set dummy
   for hesca_dir in "$with_scalapack" "$with_scalapack/lib" "$with_scalapack/lib64"; do
     set "$[@]" "-L$hesca_dir -Wl,-rpath,$hesca_dir -lscalapack"
   done])
_HESCA_FIRST_LIBS([SCALAPACK_LIBS], [ScaLAPACK for this MPI], [$BLAS_LIBS],
  [$pdgemr2d Cpdgemr2d Cblacs_gridinit],
  [install libscalapack-$hesca_mpi-dev or give --with-scalapack=LIBS])
])

# _HESCA_FIRST_LIBS(VARIABLE, WHAT, NEEDS, SYMBOLS, ADVICE)
# Set VARIABLE to the first of "$2", "$3", ... that defines SYMBOLS, with the
# libraries NEEDS behind it, and perhaps FCLIBS, as static archives want.
AC_DEFUN([_HESCA_FIRST_LIBS], [
shift
AC_MSG_CHECKING([for $2])
hesca_save_LIBS=$LIBS hesca_tried= $1=
hesca_declare= hesca_use=
for hesca_symbol in $4; do
  hesca_declare="$hesca_declare void $hesca_symbol(void);"
  hesca_use="$hesca_use $hesca_symbol();"
done
for hesca_libs in "$[@]"; do
  hesca_tried="$hesca_tried${hesca_tried:+, }$hesca_libs"
  for hesca_more in '' "$FCLIBS"; do
    LIBS="$hesca_libs $3 $hesca_more $hesca_save_LIBS"
    AC_LINK_IFELSE([AC_LANG_SOURCE([$hesca_declare
int main(void) { $hesca_use return 0; }])],
      [$1="$hesca_libs${hesca_more:+ }$hesca_more"; break 2])
  done
done
LIBS=$hesca_save_LIBS
AC_MSG_RESULT([${$1:-none}])
AS_IF([test -z "$$1"],
  [AC_MSG_ERROR([no $2 found (tried $hesca_tried): $5])])
AC_SUBST([$1])
])

# HESCA_WRAP_FLAGS
# ----------------
# Set WRAP_FLAGS: what makes the linker send every ScaLAPACK name that the shim
# replaces to the shim, when ScaLAPACK is a static archive, and take the real
# routines from it, too: the shim's references to them are weak.
AC_DEFUN([HESCA_WRAP_FLAGS], [
WRAP_FLAGS=
m4_foreach_w([hesca_type], [i s d c z],
  [m4_foreach_w([hesca_name], [gemr2d gemr2do trmr2d trmr2do],
    [AC_FC_FUNC([p]hesca_type[]hesca_name, [hesca_f])
WRAP_FLAGS="$WRAP_FLAGS -Wl,--wrap=$hesca_f -Wl,--wrap=Cp[]hesca_type[]hesca_name -Wl,-u,Cp[]hesca_type[]hesca_name"
])])
m4_foreach_w([hesca_name], m4_esyscmd_s([sed -n \
    -e 's/^    ALL.X, \(\w*\),.*/ps\1 pd\1 pc\1 pz\1/p' \
    -e 's/^    PAIR.X, \(\w*\), \w*, \(\w*\),.*/ps\1 pd\1 pc\2 pz\2/p' \
    -e 's/^    COMPLEX.X, \(\w*\),.*/pc\1 pz\1/p' src/base/routines.h]),
  [AC_FC_FUNC(hesca_name, [hesca_f])
WRAP_FLAGS="$WRAP_FLAGS -Wl,--wrap=$hesca_f -Wl,-u,$hesca_f"
])
m4_foreach_w([hesca_name], [blacs_gridinit blacs_gridmap sl_init],
  [AC_FC_FUNC(hesca_name, [hesca_f])
WRAP_FLAGS="$WRAP_FLAGS -Wl,--wrap=$hesca_f -Wl,-u,$hesca_f"
])
for hesca_f in Cblacs_gridinit Cblacs_gridmap; do
  WRAP_FLAGS="$WRAP_FLAGS -Wl,--wrap=$hesca_f -Wl,-u,$hesca_f"
done
WRAP_FLAGS=${WRAP_FLAGS# }
AC_SUBST([WRAP_FLAGS])
])

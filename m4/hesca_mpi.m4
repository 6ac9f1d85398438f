# SPDX-License-Identifier: BSD-3-Clause
# HESCA_FIND_MPI
# --------------
# Choose one MPI and set CC, FC and MPIEXEC to members of it, and hesca_mpi to
# openmpi, or to mpich for every relative of MPICH.  It is plain shell because
# it has to precede AC_PROG_CC.  A CC or FC of the user's stays if it can link
# an MPI program.
AC_DEFUN([HESCA_FIND_MPI], [
AC_ARG_WITH([mpi],
  [AS_HELP_STRING([--with-mpi=WHICH],
     [mpich, openmpi, the prefix of an MPI or the path of its mpicc
      (default: mpicc.mpich, then mpicc)])], [], [with_mpi=])
AC_ARG_VAR([MPIEXEC], [command that starts MPI programs])
hesca_want=any hesca_deb=libmpich-dev
AS_CASE([$with_mpi],
  [''|yes], [hesca_list='mpicc.mpich mpicc'],
  [mpich], [hesca_list='mpicc.mpich mpicc' hesca_want=mpich],
  [openmpi], [hesca_list='mpicc.openmpi mpicc' hesca_want=openmpi
              hesca_deb=libopenmpi-dev],
  [no], [AC_MSG_ERROR([HESCA cannot do without MPI])],
  [hesca_list=$with_mpi
   AS_IF([test -d "$with_mpi"], [hesca_list=$with_mpi/bin/mpicc])])

cat >conftest.c <<'_HESCA'
#include <mpi.h>
#if defined WANT_mpich && defined OPEN_MPI
#error "this is Open MPI"
#elif defined WANT_openmpi && !defined OPEN_MPI
#error "this is not Open MPI"
#endif
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    return MPI_Finalize();
}
_HESCA
_HESCA_FIRST_COMPILER([CC], [MPI compiler], [$CPPFLAGS $CFLAGS -DWANT_$hesca_want],
  [conftest.c], [no MPI], [$hesca_deb or give --with-mpi=PREFIX])
hesca_mpi=mpich
_HESCA_TRY_LINK([$CC $CPPFLAGS $CFLAGS -DWANT_openmpi], [conftest.c],
  [hesca_mpi=openmpi])

# Sisters lie beside mpicc and have its suffix: mpicc.mpich, mpifort.mpich.  A
# compiler of another name has none; then Debian's names are the safer ones.
set dummy $CC
AS_CASE([$[2]],
  [*/*], [hesca_dir=`AS_DIRNAME(["$[2]"])`/],
  [hesca_dir=])
hesca_suffix=`AS_BASENAME(["$[2]"])`
AS_CASE([$hesca_suffix],
  [mpicc*], [hesca_suffixes=:`echo "$hesca_suffix" | sed 's/^mpicc//'`],
  [hesca_dir= hesca_suffixes=":.$hesca_mpi :"])

hesca_list=
for hesca_suffix in $hesca_suffixes; do
  hesca_suffix=${hesca_suffix#:}
  hesca_list="$hesca_list ${hesca_dir}mpifort$hesca_suffix ${hesca_dir}mpif90$hesca_suffix"
done
cat >conftest.f90 <<'_HESCA'
program conftest
    use mpi
    integer :: ierr
    call MPI_Init(ierr)
    call MPI_Finalize(ierr)
end program
_HESCA
_HESCA_FIRST_COMPILER([FC], [Fortran compiler of the same MPI], [$FCFLAGS],
  [conftest.f90], [no Fortran compiler for this MPI], [gfortran or set FC])
rm -f conftest*

# Only tests start programs, so HESCA can be built without a starter.
AC_MSG_CHECKING([for an mpiexec of the same MPI])
for hesca_suffix in $hesca_suffixes; do
  hesca_suffix=${hesca_suffix#:}
  for hesca_name in mpiexec mpirun; do
    AS_IF([test -z "$MPIEXEC" && command -v ${hesca_dir}$hesca_name$hesca_suffix >/dev/null],
      [MPIEXEC=${hesca_dir}$hesca_name$hesca_suffix])
  done
done
AC_MSG_RESULT([${MPIEXEC:-none}])
AS_IF([test -z "$MPIEXEC"],
  [AC_MSG_WARN([no mpiexec found, most tests will be skipped: install mpich or set MPIEXEC])])
])

# _HESCA_TRY_LINK(COMMAND, FILE, IF-IT-LINKS)
AC_DEFUN([_HESCA_TRY_LINK], [
  echo "trying: $1 $2" >&AS_MESSAGE_LOG_FD
  AS_IF([$1 -o conftest$EXEEXT $2 $LDFLAGS $LIBS >&AS_MESSAGE_LOG_FD 2>&1], [$3])])

# _HESCA_FIRST_COMPILER(VARIABLE, WHAT, FLAGS, FILE, NOTHING, ADVICE)
# Set VARIABLE to the first of itself and the words of hesca_list that links
# FILE, or stop.
AC_DEFUN([_HESCA_FIRST_COMPILER], [
AC_MSG_CHECKING([for a $2])
hesca_user=$$1 $1=
for hesca_compiler in "$hesca_user" $hesca_list; do
  test -n "$hesca_compiler" || continue
  _HESCA_TRY_LINK([$hesca_compiler $3], [$4], [$1=$hesca_compiler; break])
done
AC_MSG_RESULT([${$1:-none}])
hesca_list=`echo $hesca_list | sed 's/ /, /g'`
AS_IF([test -z "$$1"],
  [AC_MSG_ERROR([$5 found (tried $hesca_list): install $6])])
AS_IF([test -n "$hesca_user" && test "$$1" != "$hesca_user"],
  [AC_MSG_WARN([$1=$hesca_user cannot link an MPI program: using $$1])])
])

# HESCA_CHECK_MPI
# ---------------
# Stop if the MPI behind CC is too old.
AC_DEFUN([HESCA_CHECK_MPI], [
AC_CACHE_CHECK([for MPI 3], [hesca_cv_mpi3],
  [AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#if MPI_VERSION < 3
#error
#endif]])], [hesca_cv_mpi3=yes], [hesca_cv_mpi3=no])])
AS_IF([test $hesca_cv_mpi3 = no],
  [AC_MSG_ERROR([the MPI of $CC is older than MPI 3: install libmpich-dev or give --with-mpi=PREFIX])])
])

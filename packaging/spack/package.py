# SPDX-License-Identifier: BSD-3-Clause
# A recipe for Spack: copy it to packages/hesca/package.py of a repository.
from spack.package import *


class Hesca(AutotoolsPackage):
    """A drop-in redistribution layer for ScaLAPACK and BLACS, which also gives
    faster hosts of unequal clusters more of the work."""

    homepage = "https://hesca.example.org"
    url = "https://hesca.example.org/hesca-0.1.0.tar.gz"
    license("BSD-3-Clause")

    version("main", branch="main", git="https://hesca.example.org/hesca.git")

    variant("ilp64", default=False, description="INTEGERs of 64 bits")
    variant("hwloc", default=True, description="bind processes to cores")

    depends_on("c", type="build")
    depends_on("fortran", type="build")
    depends_on("autoconf", type="build", when="@main")
    depends_on("automake", type="build", when="@main")
    depends_on("libtool", type="build", when="@main")
    depends_on("perl", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3:")
    depends_on("scalapack")
    depends_on("blas")
    depends_on("lapack")
    depends_on("metis")
    depends_on("scotch")
    depends_on("hwloc", when="+hwloc")
    depends_on("cmocka", type="test")

    def configure_args(self):
        spec = self.spec
        blas = spec["lapack"].libs + spec["blas"].libs
        args = [
            "--with-mpi=" + spec["mpi"].mpicc,
            "--with-scalapack=" + spec["scalapack"].libs.ld_flags,
            "--with-blas=" + blas.ld_flags,
        ]
        if "+ilp64" in spec:
            args.append("--enable-ilp64")
        return args

    def check(self):
        with working_dir(self.build_directory):
            make("smallcheck")

    def setup_run_environment(self, env):
        env.set("HESCA", join_path(self.prefix.lib, "libhesca_scalapack.so"))

# A recipe for Spack: spack repo add packaging/spack && spack install cairn
import os

from spack.package import *


class Cairn(CMakePackage):
    """Distributed linear algebra that moves the fewest words and says how close it came."""

    # The clone that this recipe lies in.
    git = "file://" + os.path.abspath(os.path.join(os.path.dirname(__file__), "../../../.."))
    license("BSD-3-Clause")

    version("main", branch="main")

    variant("shared", default=True, description="Build libcairn.so (libcairn.a otherwise)")
    variant("tools", default=True, description="Build the program cairn")
    variant("fortran", default=True, description="Build the Fortran module")
    variant("python", default=False, description="Build the Python package")
    variant("hdf5", default=True, description="Read and write HDF5 files")

    depends_on("cmake@3.24:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("blas")
    depends_on("lapack")
    depends_on("fmt")
    depends_on("zlib-api")
    depends_on("hdf5+mpi", when="+hdf5")
    with when("+tools"):
        depends_on("cli11", type="build")
        depends_on("nlohmann-json", type="build")
        depends_on("hwloc")
        depends_on("ginac")
    with when("+python"):
        extends("python")
        depends_on("py-pybind11", type="build")
        depends_on("py-numpy", type=("build", "run"))
        depends_on("py-mpi4py", type=("build", "run"))

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define_from_variant("CAIRN_SHARED", "shared"),
            self.define("CAIRN_STATIC", self.spec.satisfies("~shared")),
            self.define_from_variant("CAIRN_BUILD_PROGRAM", "tools"),
            self.define("CAIRN_BUILD_TESTS", False),
            self.define_from_variant("CAIRN_FORTRAN", "fortran"),
            self.define_from_variant("CAIRN_PYTHON", "python"),
            self.define_from_variant("CAIRN_HDF5", "hdf5"),
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
        ]
        if self.spec.satisfies("+python"):
            args.append(self.define("Python_EXECUTABLE", self.spec["python"].command.path))
            args.append(self.define("CAIRN_PYTHON_DIR", python_platlib))
        return args

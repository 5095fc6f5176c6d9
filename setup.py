"""Builds the Python package by CMake. Options for CMake come from the environment: CMAKE_ARGS="-DMPI_C_COMPILER=..."."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
OPTIONS = ["-DCMAKE_BUILD_TYPE=Release", "-DCAIRN_BUILD_PROGRAM=OFF", "-DCAIRN_FORTRAN=OFF", "-DCAIRN_SHARED=OFF",
           "-DCAIRN_UNITY=ON", "-DCAIRN_PRECOMPILE=ON", f"-DPython_EXECUTABLE={sys.executable}"]


def version():
    return re.search(r"project\(cairn VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


class BuildByCMake(build_ext):
    def build_extension(self, ext):
        target = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve()
        build = pathlib.Path(self.build_temp).resolve() / "cairn"
        build.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", *OPTIONS,
                        *shlex.split(os.environ.get("CMAKE_ARGS", ""))], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "cairn_python"], check=True)
        made = next((build / "python/cairn").glob("_cairn*.so"))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(made, target)


setup(version=version(), packages=["cairn"], package_dir={"cairn": "src/doors/python/cairn"},
      package_data={"cairn": ["py.typed"]}, ext_modules=[Extension("cairn._cairn", sources=[])],
      cmdclass={"build_ext": BuildByCMake})

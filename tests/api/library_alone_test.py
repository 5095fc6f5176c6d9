#!/usr/bin/env python3
"""The library builds where what only the program needs is not installed: CLI11, hwloc, GiNaC, nlohmann-json.

usage: library_alone_test.py CMAKE SOURCE MPI_C_COMPILER BLA_VENDOR
"""
import pathlib
import subprocess
import sys
import tempfile

CMAKE, SOURCE, MPI_C_COMPILER, BLA_VENDOR = sys.argv[1:]
# hwloc and GiNaC are found through pkg-config.
PACKAGES = ["CLI11", "nlohmann_json", "PkgConfig", "GTest"]
HEADERS = ["CLI/CLI.hpp", "CLI11.hpp", "nlohmann/json.hpp", "nlohmann/json_fwd.hpp", "hwloc.h", "ginac/ginac.h"]
LIBRARIES = ["hwloc", "ginac", "hdf5"]


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(w) for w in words)}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def write_traps(folder):
    """The headers are in the compiler's own path, where no option of CMake hides them: others are found first."""
    for header in HEADERS:
        (folder / header).parent.mkdir(parents=True, exist_ok=True)
        (folder / header).write_text(f"#error the library includes {header}\n")


def configure(build, *options):
    run(CMAKE, "-G", "Ninja", "-S", SOURCE, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
        f"-DMPI_C_COMPILER={MPI_C_COMPILER}", f"-DBLA_VENDOR={BLA_VENDOR}", *options)


with tempfile.TemporaryDirectory() as temporary:
    base = pathlib.Path(temporary)
    write_traps(base / "traps")
    configure(base / "build", "-DCAIRN_BUILD_PROGRAM=OFF", "-DCAIRN_UNITY=ON", f"-DCMAKE_CXX_FLAGS=-I{base / 'traps'}",
              *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in PACKAGES))
    run(CMAKE, "--build", base / "build")
    run(CMAKE, "--install", base / "build", "--prefix", base / "installed")
    library = next((base / "installed").rglob("libcairn.so"))
    needed = run("readelf", "-d", library)  # of the library itself: MPI may have hwloc of its own
    wrong = [name for name in LIBRARIES if f"[lib{name}" in needed]
    if wrong or "[libmpi" not in needed:
        sys.exit(f"{library} needs {wrong}:\n{needed}")
print("ok")

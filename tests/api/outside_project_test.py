#!/usr/bin/env python3
"""Uses Cairn as others do: the examples as a project of their own against the build tree; against an installed Cairn that
was moved elsewhere afterwards, projects in C++, C and Fortran, with the shared and the static library, by CMake and by
pkg-config, and one that includes each public header alone.

usage: outside_project_test.py CMAKE EXAMPLES BUILD_TREE
"""
import os
import pathlib
import subprocess
import sys
import tempfile

CMAKE, EXAMPLES, BUILD_TREE = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
MPIEXEC = os.environ["CAIRN_MPIEXEC"].split()

# What the guide tells users to write, and a file a header.
CXX_PROJECT = """
cmake_minimum_required(VERSION 3.24)
project(outside LANGUAGES CXX)
find_package(cairn 0.1 REQUIRED COMPONENTS static)
add_library(object OBJECT {example})
target_link_libraries(object PRIVATE cairn::cairn)
add_executable(program $<TARGET_OBJECTS:object>)
target_link_libraries(program PRIVATE cairn::cairn)
add_executable(program_static $<TARGET_OBJECTS:object>)
target_link_libraries(program_static PRIVATE cairn::cairn_static)
add_library(headers OBJECT {headers})
target_link_libraries(headers PRIVATE cairn::cairn)
target_compile_options(headers PRIVATE -Wall -Wextra -Werror)
"""
C_PROJECT = """
cmake_minimum_required(VERSION 3.24)
project(outside LANGUAGES C)
find_package(Cairn 0.1 CONFIG REQUIRED COMPONENTS c static)
add_executable(program {example})
target_link_libraries(program PRIVATE cairn::cairn m)
add_executable(program_static {example})
target_link_libraries(program_static PRIVATE cairn::cairn_static m)
"""
FORTRAN_PROJECT = """
cmake_minimum_required(VERSION 3.24)
project(outside LANGUAGES Fortran)
find_package(Cairn 0.1 CONFIG REQUIRED COMPONENTS fortran)
add_executable(program {example})
target_link_libraries(program PRIVATE cairn::fortran)
"""
MISSING_COMPONENT = """
cmake_minimum_required(VERSION 3.24)
project(outside LANGUAGES C)
find_package(Cairn CONFIG REQUIRED COMPONENTS no_such_component)
"""


def run(*words, fails=False, **environment):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, env={**os.environ, **environment})
    if (done.returncode != 0) != fails:
        sys.exit(f"{' '.join(str(w) for w in words)}\n{done.stdout}\n{done.stderr}")
    return done.stdout + (done.stderr if fails else "")


def configure(source, folder, config, **kwargs):
    return run(CMAKE, "-G", "Ninja", "-S", source, "-B", folder, f"-Dcairn_DIR={config}", f"-DCairn_DIR={config}",
               "-DCMAKE_BUILD_TYPE=Debug", **kwargs)


def build(source, folder, config, *targets):
    configure(source, folder, config)
    run(CMAKE, "--build", folder, "--target", *targets)


def write_project(folder, text, **words):
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(text.format(**words))
    return folder


def check_product(program):
    """examples/multiply.cpp checks its result itself."""
    output = run(*MPIEXEC, "-n", "3", program, "20", "30", "40")
    if "20 x 30 x 40 double NN" not in output:
        sys.exit(f"unexpected output: {output}")


def check_program(program, **environment):
    """So do examples/from_c.c and examples/from_fortran.f90."""
    output = run(*MPIEXEC, "-n", "3", program, OPENBLAS_NUM_THREADS="1", **environment)
    if "ranks idle" not in output:
        sys.exit(f"unexpected output: {output}")


def needs(program, library):
    return library in run("readelf", "-d", program)


def check_linked(folder):
    """The one with libcairn.so, the other without."""
    if not needs(folder / "program", "libcairn.so.1") or needs(folder / "program_static", "libcairn.so"):
        sys.exit(f"{folder}: not linked as wanted")


def install(base):
    """Installs, moves the tree, and returns where it is, where the package file is, and the public headers."""
    run(CMAKE, "--install", BUILD_TREE, "--prefix", base / "first")
    prefix = (base / "first").rename(base / "moved")
    headers = sorted(p for p in (prefix / "include/cairn").iterdir() if p.is_file())
    others = [p for p in (prefix / "include").iterdir() if p.name != "cairn"]
    if len(headers) < 9 or others:
        sys.exit(f"installed headers: {headers} {others}")
    if (BUILD_TREE / "bin/cairn").exists() and not run(prefix / "bin/cairn", "--version").startswith("cairn "):
        sys.exit("the program is not installed")
    for text in [*prefix.rglob("*.cmake"), *prefix.rglob("*.pc")]:
        if str(BUILD_TREE) in text.read_text() or str(base) in text.read_text():
            sys.exit(f"{text} names a place that is no longer there")
    return prefix, next(prefix.rglob("cairn-config.cmake")).parent, headers


def try_cxx(base, config, headers):
    files = []
    for header in (h for h in headers if h.name != "scalapack.h"):
        files.append(f"{header.name}.cpp")
    project = write_project(base / "cxx", CXX_PROJECT, example=EXAMPLES / "multiply.cpp", headers=" ".join(files))
    for name in files:
        (project / name).write_text(f"#include <cairn/{name.removesuffix('.cpp')}>\n")
    build(project, base / "cxx-build", config, "program", "program_static", "headers")
    check_linked(base / "cxx-build")
    check_product(base / "cxx-build/program")
    check_product(base / "cxx-build/program_static")


def try_c(base, config):
    build(write_project(base / "c", C_PROJECT, example=EXAMPLES / "from_c.c"), base / "c-build", config, "all")
    check_linked(base / "c-build")
    check_program(base / "c-build/program")
    check_program(base / "c-build/program_static")
    text = configure(write_project(base / "no", MISSING_COMPONENT), base / "no-build", config, fails=True)
    if "no_such_component" not in text:
        sys.exit(f"a component that is not there: {text}")


def try_fortran(base, config):
    build(write_project(base / "f", FORTRAN_PROJECT, example=EXAMPLES / "from_fortran.f90"), base / "f-build", config, "all")
    check_program(base / "f-build/program")


def try_pkg_config(base, prefix, fortran):
    library = next(prefix.rglob("libcairn.so")).parent
    path = str(library / "pkgconfig")
    for package in ("cairn", "cairn-static"):
        flags = run("pkg-config", "--cflags", "--libs", package, PKG_CONFIG_PATH=path).split()
        run("cc", "-std=c99", EXAMPLES / "from_c.c", "-o", base / package, *flags, "-lm")
        check_program(base / package, LD_LIBRARY_PATH=str(library))
    if fortran:
        flags = run("pkg-config", "--cflags", "--libs", "cairn-fortran", PKG_CONFIG_PATH=path).split()
        run(os.environ["CAIRN_MPIFORT"], f"-J{base}", EXAMPLES / "from_fortran.f90", "-o", base / "fortran", *flags)
        check_program(base / "fortran", LD_LIBRARY_PATH=str(library))


def main():
    with tempfile.TemporaryDirectory() as temporary:
        base = pathlib.Path(temporary)
        build(EXAMPLES, base / "examples", BUILD_TREE / "cmake", "example_multiply", "example_from_c")
        check_product(base / "examples/example_multiply")
        check_program(base / "examples/example_from_c")
        prefix, config, headers = install(base)
        fortran = bool(list(prefix.rglob("cairn.mod"))) and bool(os.environ.get("CAIRN_MPIFORT"))
        try_c(base, config)
        try_cxx(base, config, headers)
        if fortran:
            try_fortran(base, config)
        try_pkg_config(base, prefix, fortran)
    print("ok, Fortran too" if fortran else "ok, without Fortran")


main()

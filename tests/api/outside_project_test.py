#!/usr/bin/env python3
"""Uses Cairn as others do: the examples as a project of their own against the build tree, and against an installed
Cairn a project that includes each public header alone.

usage: outside_project_test.py CMAKE EXAMPLES BUILD_TREE
"""
import os
import pathlib
import subprocess
import sys
import tempfile

CMAKE, EXAMPLES, BUILD_TREE = sys.argv[1:]
MPIEXEC = os.environ["CAIRN_MPIEXEC"].split()

# What the guide tells users to write, and a file a header.
PROJECT = """
cmake_minimum_required(VERSION 3.24)
project(outside LANGUAGES CXX)
find_package(cairn 0.1 REQUIRED)
add_executable(program {example})
target_link_libraries(program PRIVATE cairn::cairn)
add_library(headers OBJECT {headers})
target_link_libraries(headers PRIVATE cairn::cairn)
target_compile_options(headers PRIVATE -Wall -Wextra -Werror)
"""


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(w) for w in words)}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def build(source, folder, config, *targets):
    run(CMAKE, "-G", "Ninja", "-S", source, "-B", folder, f"-Dcairn_DIR={config}", "-DCMAKE_BUILD_TYPE=Debug")
    for target in targets:
        run(CMAKE, "--build", folder, "--target", target)


def check_product(program):
    """examples/multiply.cpp checks its result itself."""
    output = run(*MPIEXEC, "-n", "3", program, "20", "30", "40")
    if "20 x 30 x 40 double NN" not in output:
        sys.exit(f"unexpected output: {output}")


def write_project(folder, headers):
    folder.mkdir()
    for header in headers:
        (folder / f"{header.name}.cpp").write_text(f"#include <cairn/{header.name}>\n")
    files = " ".join(f"{h.name}.cpp" for h in headers)
    (folder / "CMakeLists.txt").write_text(
        PROJECT.format(example=pathlib.Path(EXAMPLES) / "multiply.cpp", headers=files))


def installed(base):
    """Installs, and returns where the package file is and the public headers."""
    run(CMAKE, "--install", BUILD_TREE, "--prefix", base)
    headers = sorted((base / "include/cairn").iterdir())
    others = [p for p in (base / "include").iterdir() if p.name != "cairn"]
    if len(headers) < 9 or others:
        sys.exit(f"installed headers: {headers} {others}")
    return next(base.rglob("cairnConfig.cmake")).parent, headers


with tempfile.TemporaryDirectory() as temporary:
    base = pathlib.Path(temporary)
    build(EXAMPLES, base / "examples", pathlib.Path(BUILD_TREE) / "cmake", "example_multiply")
    check_product(base / "examples/example_multiply")
    config, headers = installed(base / "installed")
    write_project(base / "project", headers)
    build(base / "project", base / "built", config, "program", "headers")
    check_product(base / "built/program")
print("ok")

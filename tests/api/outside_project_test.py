#!/usr/bin/env python3
"""Builds examples/ as a project of its own against the build tree, and against an installed Cairn, and runs one of them.

usage: outside_project_test.py CMAKE EXAMPLES BUILD_TREE LIBRARY
"""
import os
import pathlib
import subprocess
import sys
import tempfile

CMAKE, EXAMPLES, BUILD_TREE, LIBRARY = sys.argv[1:]
MPIEXEC = os.environ["CAIRN_MPIEXEC"].split()


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(w) for w in words)}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def build_and_run(config, folder):
    """The examples, with Cairn found in `config`."""
    run(CMAKE, "-S", EXAMPLES, "-B", folder, f"-Dcairn_DIR={config}", "-DCMAKE_BUILD_TYPE=Debug")
    run(CMAKE, "--build", folder, "--target", "example_multiply")
    output = run(*MPIEXEC, "-n", "3", folder / "example_multiply", "20", "30", "40")
    if "20 x 30 x 40 double NN" not in output:
        sys.exit(f"unexpected output: {output}")


with tempfile.TemporaryDirectory() as temporary:
    base = pathlib.Path(temporary)
    run(CMAKE, "--install", BUILD_TREE, "--prefix", base / "installed")
    config = next((base / "installed").rglob("cairnConfig.cmake")).parent
    headers = sorted(p.name for p in (base / "installed/include/cairn").iterdir())
    if "cairn.hpp" not in headers or (base / "installed/include/gemm").exists():
        sys.exit(f"installed headers: {headers}")
    build_and_run(pathlib.Path(BUILD_TREE) / "cmake", base / "from_build_tree")
    build_and_run(config, base / "from_installed")
print("ok")

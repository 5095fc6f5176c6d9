#!/usr/bin/env python3
"""`pip install .` of the sources into a fresh virtual environment, offline, and the package used from there.

usage: pip_install_test.py PYTHON SOURCE MPI_C_COMPILER BLA_VENDOR     (ends with 77 where pip, venv or wheel are missing)
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PYTHON, SOURCE, MPI_C_COMPILER, BLA_VENDOR = sys.argv[1:]
MPIEXEC = os.environ["CAIRN_MPIEXEC"].split()
USE = """
import cairn, numpy
from mpi4py import MPI
rank, size = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
whole = numpy.arange(36.0).reshape(6, 6) % 7
mine = whole[rank * 6 // size:(rank + 1) * 6 // size]
assert numpy.array_equal(cairn.matmul(mine, mine), (whole @ whole)[rank * 6 // size:(rank + 1) * 6 // size])
if rank == 0: print(cairn.__file__)
"""


def run(*words, **kwargs):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, **kwargs)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(w) for w in words)}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def has(*modules):
    """Looked for, not imported: pip and setuptools may not be imported one after the other."""
    code = f"import importlib.util, sys; sys.exit(not all(importlib.util.find_spec(m) for m in {modules}))"
    return subprocess.run([PYTHON, "-c", code], capture_output=True).returncode == 0


def main():
    if not has("pip", "venv", "wheel", "setuptools", "ensurepip"):
        print(f"{PYTHON} has no pip, venv, wheel or setuptools")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        base = pathlib.Path(temporary)
        # What git knows, as in a clone.
        files = run("git", "-C", SOURCE, "ls-files", "-co", "--exclude-standard").splitlines()
        for name in (f for f in files if (pathlib.Path(SOURCE) / f).is_file()):
            (base / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(pathlib.Path(SOURCE) / name, base / "clone" / name)
        run(PYTHON, "-m", "venv", "--system-site-packages", base / "venv")
        python = base / "venv/bin/python3"
        environment = {**os.environ, "CMAKE_ARGS": f"-DMPI_C_COMPILER={MPI_C_COMPILER} -DBLA_VENDOR={BLA_VENDOR}",
                       "PIP_NO_INDEX": "1"}
        run(python, "-m", "pip", "install", "--no-build-isolation", "--no-deps", base / "clone", env=environment)
        for ranks in ("1", "3"):
            where = run(*MPIEXEC, "-n", ranks, python, "-c", USE, cwd=base, env={**os.environ, "PYTHONPATH": ""})
            if str(base / "venv") not in where:
                sys.exit(f"another cairn was imported: {where}")
    print("ok")
    return 0


sys.exit(main())

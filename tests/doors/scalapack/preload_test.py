"""libcairn_scalapack.so from outside: its names, what it needs, programs that never call it, and PETSc under LD_PRELOAD.

CAIRN_SCALAPACK_LIBRARY names it. What needs petsc4py is skipped without it.
"""
import glob
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

LIBRARY = os.environ["CAIRN_SCALAPACK_LIBRARY"]
SOURCE = pathlib.Path(os.environ["CAIRN_SOURCE"])
MPIEXEC = shlex.split(os.environ["CAIRN_MPIEXEC"])
PROGRAM = SOURCE / "tests/doors/scalapack/petsc_program.py"

EVERY_TYPE = ["gemm", "geadd", "gemr2d", "gemr2do", "trsm", "getrf", "getrs", "getri", "gesv", "potrf", "potrs", "potri",
              "posv", "trmm", "symm", "syrk"]
FORTRAN = ([f"p{t}{name}" for t in "sdcz" for name in EVERY_TYPE] + ["pstran", "pdtran"] +
           [f"p{t}{name}" for t in "cz" for name in ("tranu", "tranc", "hemm", "herk")] + ["blacs_gridexit", "blacs_exit"])
BY_VALUE = [f"Cp{t}gemr2d{o}" for t in "sdcz" for o in ("", "o")] + ["Cblacs_gridexit", "Cblacs_exit"]


def run(*words, **more):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=240, **more)


def petsc_path():
    found = sorted(glob.glob("/usr/lib/petscdir/*/*-real/lib/python3/dist-packages"))
    return found[-1] if found else None


def petsc(n, **environment):
    """The program's line of JSON, and what is written beside it."""
    everything = {**os.environ, "PYTHONPATH": petsc_path(), "OPENBLAS_NUM_THREADS": "1", **environment}
    launch = ["env"] + [f"{name}={value}" for name, value in environment.items()]  # the ranks alone, not the launcher
    everything.pop("LD_PRELOAD", None)
    done = run(*MPIEXEC, "-n", 4, *launch, sys.executable, PROGRAM, n, env=everything)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout.strip().splitlines()[-1]), done.stderr


def typical_machine(folder):
    """The file of a machine: what is decided does not depend on what was measured here."""
    file = pathlib.Path(folder) / "machine.json"
    file.write_text(json.dumps({"format": "cairn-machine", "version": 1, "alpha": 2e-6, "beta": 8e-10, "gamma": 1e-10,
                                "memory_words": 1e9}))
    return file


class Library(unittest.TestCase):
    def test_every_name_and_nothing_else(self):
        names = {line.split()[-1] for line in run("nm", "-D", "--defined-only", LIBRARY).stdout.splitlines()}
        wanted = {"cairn_scalapack_set_mode", "cairn_scalapack_mode", "cairn_scalapack_counts"}
        for name in FORTRAN:
            for prefixed in (name, "cairn_" + name):
                wanted |= {prefixed, prefixed + "_", prefixed + "__", prefixed.upper()}
        for name in BY_VALUE:
            wanted |= {name, "cairn_" + name}
        self.assertEqual(wanted - names, set())
        # Templates of the standard library may be merged across libraries; nothing else is visible.
        self.assertEqual([n for n in names - wanted if not n.startswith("_Z")], [])

    def test_needs_no_scalapack(self):
        needed = "".join(line for line in run("readelf", "-d", LIBRARY).stdout.splitlines() if "(NEEDED)" in line)
        self.assertIn("libcairn.so", needed)
        for name in ("scalapack", "blacs", "ginac", "gmp"):
            self.assertNotIn(name, needed)

    def test_a_program_that_never_calls_it_is_not_touched(self):
        plain = run("/bin/echo", "hello")
        for mode in ("auto", "on", "report"):
            loaded = run("/bin/echo", "hello", env={**os.environ, "LD_PRELOAD": LIBRARY, "CAIRN_SCALAPACK": mode})
            self.assertEqual((loaded.returncode, loaded.stdout, loaded.stderr), (0, plain.stdout, ""))
            threads = run("grep", "Threads", "/proc/self/status",
                          env={**os.environ, "LD_PRELOAD": LIBRARY, "CAIRN_SCALAPACK": mode, "OPENBLAS_NUM_THREADS": "1"})
            self.assertEqual(threads.stdout.split(), ["Threads:", "1"])


@unittest.skipUnless(petsc_path(), "petsc4py is not installed")
class Petsc(unittest.TestCase):
    def test_same_results(self):
        plain, _ = petsc(200)
        for mode in ("auto", "on"):
            ours, said = petsc(200, LD_PRELOAD=LIBRARY, CAIRN_SCALAPACK=mode)
            self.assertNotIn("cairn", said)
            for name, residual in ours["residuals"].items():
                self.assertLess(abs(residual), 1e-13, (mode, name))
                self.assertLess(abs(plain["residuals"][name]), 1e-13, name)

    def test_report(self):
        with tempfile.TemporaryDirectory() as folder:
            _, said = petsc(600, LD_PRELOAD=LIBRARY, CAIRN_SCALAPACK="report", CAIRN_MACHINE=typical_machine(folder))
        # The first goes by the prediction, the second by what the first took, which a busy machine makes long.
        self.assertRegex(said, r"pdgemm +600 x 600 x 600 +cairn +[12] ")
        self.assertRegex(said, r"pdgetrs +600 x 64 x 600 +passed on +1 ")
        self.assertEqual(said.count("cairn: ScaLAPACK calls"), 1)

    def test_an_unknown_mode_is_named(self):
        _, said = petsc(50, LD_PRELOAD=LIBRARY, CAIRN_SCALAPACK="maybe")
        self.assertIn("CAIRN_SCALAPACK is 'maybe', expected auto, on, off or report", said)


if __name__ == "__main__":
    unittest.main()

"""cairn spmm: a sparse matrix times a dense one, from generators and files, against NumPy and against what was counted."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy
import scipy.sparse

CAIRN = os.environ["CAIRN_PROGRAM"]
ENVIRONMENT = {**os.environ, "XDG_CONFIG_HOME": "/dev/null/none", "OPENBLAS_NUM_THREADS": "1"}
# With this setting Open MPI fails at once: for what is done before any rank is started.
NO_MPI = {**ENVIRONMENT, "OMPI_MCA_pml": "none_of_them"}


def run(*words, env=None, command=("spmm",)):
    return subprocess.run([CAIRN, *command, *map(str, words)], capture_output=True, text=True, timeout=100,
                          env=env or ENVIRONMENT)


class Spmm(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def report(self, *words):
        r = run(*words, "--json", "--repeat", 1, "--machine", "built-in")
        self.assertEqual(r.returncode, 0, r.stderr)
        return json.loads(r.stdout)

    def test_words_are_as_planned_without_mpi(self):
        for layout, ranks in (("rows", 5), ("columns", 4), ("2d 2x3", 6)):
            words = ("--gen", "rmat scale=8 d=4", "--columns", 3, "--ranks", ranks, "--layout", layout)
            r = run(*words, "--json", "--machine", "built-in", env=NO_MPI, command=("plan", "spmm"))
            self.assertEqual(r.returncode, 0, r.stderr)
            planned, measured = json.loads(r.stdout), self.report(*words)
            self.assertEqual(planned["words"]["counted"], measured["words"]["counted"])
            for way in ("total", "max"):
                self.assertEqual(measured["words"]["received"][way], planned["words"]["counted"][way], layout)
            self.assertTrue(measured["verified"])

    def test_files_are_multiplied_as_numpy_does(self):
        a = scipy.sparse.random(40, 31, 0.2, format="csr", random_state=1)
        scipy.sparse.save_npz(self.folder / "a.npz", a)
        x = numpy.random.default_rng(2).random((31, 4))
        numpy.save(self.folder / "x.npy", x)
        for ranks in (1, 3, 7):
            r = run("--a", self.folder / "a.npz", "--x", self.folder / "x.npy", "--columns", 4, "--out", self.folder / "y.npy",
                    "--ranks", ranks)
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertLess(abs(numpy.load(self.folder / "y.npy") - a @ x).max(), 1e-14 * 40)

    def test_semirings_and_empty_matrices(self):
        for semiring in ("min-plus", "max-plus", "or-and", "plus-pair"):
            self.assertTrue(self.report("--gen", "er n=60 d=2", "--ranks", 4, "--semiring", semiring)["verified"])
        self.assertTrue(self.report("--gen", "er n=20 d=0", "--ranks", 3)["verified"])
        self.assertTrue(self.report("--gen", "er rows=3 columns=50 d=4", "--ranks", 5, "--type", "c")["verified"])

    def test_wrong_arguments_before_any_rank(self):
        for words, text in ((("--gen", "er n=10 d=2", "--columns", 0), "--columns"), ((), "--gen or --a"),
                            (("--gen", "er n=10 d=2", "--out", "y.txt"), "--out"),
                            (("--gen", "er n=10 d=2", "--type", "z", "--semiring", "min-plus"), "min-plus")):
            r = run(*words, env=NO_MPI)
            self.assertNotEqual(r.returncode, 0)
            self.assertIn(text, r.stderr)


if __name__ == "__main__":
    unittest.main()

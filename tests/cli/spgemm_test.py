"""cairn spgemm: files in and out against products computed here, JSON, errors; against scipy.sparse where it is installed."""
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

try:
    import scipy.io
except ImportError:
    scipy = None

CAIRN = os.environ["CAIRN_PROGRAM"]
ENVIRONMENT = {**os.environ, "XDG_CONFIG_HOME": "/dev/null/none", "OPENBLAS_NUM_THREADS": "1"}
# With this setting Open MPI fails at once: for errors that are found before any rank is started.
NO_MPI = {**ENVIRONMENT, "OMPI_MCA_pml": "none_of_them"}


def run(*words, env=None):
    return subprocess.run([CAIRN, "spgemm", *map(str, words)], capture_output=True, text=True, timeout=100,
                          env=env or ENVIRONMENT)


def made(rows, columns, entries):
    return {(random.randrange(rows), random.randrange(columns)): random.randint(1, 9) for _ in range(entries)}


def write(path, rows, columns, matrix):
    lines = [f"{i + 1} {j + 1} {v}" for (i, j), v in sorted(matrix.items())]
    path.write_text("%%MatrixMarket matrix coordinate real general\n" + f"{rows} {columns} {len(lines)}\n" +
                    "\n".join(lines) + "\n")


def read(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("%")]
    return {(int(i) - 1, int(j) - 1): float(v) for i, j, v in (line.split() for line in lines[1:])}


def product(a, b, plus=lambda x, y: x + y, times=lambda x, y: x * y):
    c = {}
    for (i, k), x in a.items():
        for (l, j), y in b.items():
            if k == l:
                v = times(x, y)
                c[i, j] = plus(c[i, j], v) if (i, j) in c else v
    return c


class Spgemm(unittest.TestCase):
    def setUp(self):
        random.seed(5)
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def files(self, m, k, n):
        a, b = made(m, k, 90), made(k, n, 80)
        write(self.folder / "a.mtx", m, k, a)
        write(self.folder / "b.mtx", k, n, b)
        return a, b

    def multiplied(self, *words):
        r = run("--a", self.folder / "a.mtx", "--b", self.folder / "b.mtx", "--out", self.folder / "c.mtx", "--json",
                "--repeat", 1, *words)
        self.assertEqual(r.returncode, 0, r.stderr)
        return json.loads(r.stdout), read(self.folder / "c.mtx")

    def test_products_of_files(self):
        a, b = self.files(40, 50, 30)
        for ranks, algorithm in ((1, "auto"), (6, "auto"), (6, "aware-3d"), (4, "summa")):
            report, c = self.multiplied("--ranks", ranks, "--algorithm", algorithm)
            self.assertEqual(c, product(a, b))
            self.assertTrue(report["verified"])
            self.assertEqual(report["ranks"], ranks)
            self.assertEqual(report["nnz"], report["nnz"] | {"a": len(a), "b": len(b), "c": len(c)})
            self.assertEqual(report["flops"], 2 * sum(1 for (_, k) in a for (l, _) in b if k == l))

    def test_semiring_and_mask(self):
        a, b = self.files(30, 30, 30)
        _, c = self.multiplied("--ranks", 4, "--semiring", "min-plus")
        self.assertEqual(c, product(a, b, min, lambda x, y: x + y))
        mask = made(30, 30, 200)
        write(self.folder / "m.mtx", 30, 30, mask)
        _, c = self.multiplied("--ranks", 4, "--mask", self.folder / "m.mtx", "--algorithm", "aware-3d", "--layers", 4)
        self.assertEqual(c, {at: v for at, v in product(a, b).items() if at in mask})
        _, c = self.multiplied("--ranks", 4, "--mask", self.folder / "m.mtx", "--mask-complement")
        self.assertEqual(c, {at: v for at, v in product(a, b).items() if at not in mask})

    def test_generated_plan_and_text(self):
        r = run("--gen", "er n=2000 d=4", "--ranks", 9, "--plan-only", "--json")
        self.assertEqual(r.returncode, 0, r.stderr)
        plan = json.loads(r.stdout)
        self.assertGreater(len(plan["candidates"]), 3)
        self.assertGreater(plan["words"]["bound"], 0)
        r = run("--gen", "er n=2000 d=4", "--ranks", 4, "--layout", "rows", "--algorithm", "outer-product")
        self.assertIn("checked: right", r.stdout)
        self.assertIn("convert", r.stdout)

    def test_errors_before_any_rank(self):
        for words, text in ((("--gen", "er n=10 d=2", "--algorithm", "cannon"), "algorithm is 'cannon'"),
                            (("--gen", "circle n=4"), "circle"), ((), "--gen or --a"),
                            (("--gen", "er n=10 d=2", "--semiring", "x"), "semiring")):
            r = run(*words, env=NO_MPI)
            self.assertNotEqual(r.returncode, 0)
            self.assertIn(text, r.stderr)

    def test_shapes_that_do_not_match(self):
        self.files(40, 50, 30)
        r = run("--a", self.folder / "a.mtx", "--b", self.folder / "a.mtx", "--ranks", 2)
        self.assertNotEqual(r.returncode, 0)
        self.assertIn("as many rows of B as columns of A", r.stderr)

    @unittest.skipIf(scipy is None, "no scipy")
    def test_scipy_agrees(self):
        self.files(40, 50, 30)
        _, c = self.multiplied("--ranks", 6)
        theirs = (scipy.io.mmread(self.folder / "a.mtx").tocsr() @ scipy.io.mmread(self.folder / "b.mtx").tocsr()).tocoo()
        self.assertEqual(c, {(i, j): v for i, j, v in zip(theirs.row, theirs.col, theirs.data)})


if __name__ == "__main__":
    unittest.main()

"""cairn spgemm: files in and out against products computed here, plans, reports,
traces, errors; against scipy.sparse."""
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

import scipy.io
import scipy.sparse

CAIRN = os.environ["CAIRN_PROGRAM"]
ENVIRONMENT = {**os.environ, "XDG_CONFIG_HOME": "/dev/null/none", "OPENBLAS_NUM_THREADS": "1"}
# With this setting Open MPI fails at once: for errors that are found before any rank is started.
NO_MPI = {**ENVIRONMENT, "OMPI_MCA_pml": "none_of_them"}


def run(*words, env=None):
    return subprocess.run([CAIRN, "spgemm", *map(str, words)], capture_output=True, text=True, timeout=100,
                          env=env or ENVIRONMENT)


def plan(*words, env=None):
    return subprocess.run([CAIRN, "plan", "spgemm", *map(str, words)], capture_output=True, text=True, timeout=100,
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

    def test_plan_without_mpi_is_the_plan_of_the_run(self):
        for generator in ("er n=2000 d=4", "rmat scale=9 d=4", "stencil5 nx=30"):
            words = ("--gen", generator, "--ranks", 6, "--json", "--machine", "built-in")
            r = plan(*words, env=NO_MPI)
            self.assertEqual(r.returncode, 0, r.stderr)
            planned = json.loads(r.stdout)
            r = run(*words, "--repeat", 1)
            self.assertEqual(r.returncode, 0, r.stderr)
            measured = json.loads(r.stdout)
            for key in ("method", "grid", "layers", "flops", "memory_bytes_per_rank"):
                self.assertEqual(planned[key], measured[key], key)
            self.assertEqual(planned["bytes"]["counted"], measured["bytes"]["counted"])
            self.assertGreater(len(planned["candidates"]), 3)
            self.assertGreater(len(planned["algorithms"]), 6)
            self.assertTrue(measured["verified"])

    def test_the_busiest_rank_is_planned_in_both_directions(self):
        # Few vertices of R-MAT are asked for by all: who has them sends several times the mean. All k are in the sample.
        for words in (("--algorithm", "block-row"), ("--algorithm", "block-column"), ("--algorithm", "aware-2d")):
            r = run("--gen", "rmat scale=10 d=6", "--ranks", 6, "--json", "--repeat", 1, *words)
            self.assertEqual(r.returncode, 0, r.stderr)
            moved = json.loads(r.stdout)["words"]
            self.assertEqual(moved["counted"]["max"], moved["received"]["max"])
            self.assertEqual(moved["counted"]["max_sent"], moved["sent"]["max"])
            if "block-row" in words:
                self.assertGreater(moved["sent"]["max"], 2 * moved["sent"]["mean"])

    def test_words_are_entries_and_bytes_stand_beside(self):
        r = run("--gen", "er n=4000 d=6 seed=1", "--gen-b", "er n=4000 d=6 seed=2", "--ranks", 4, "--json", "--repeat", 1)
        self.assertEqual(r.returncode, 0, r.stderr)
        report = json.loads(r.stdout)
        words, moved = report["words"], report["bytes"]
        self.assertEqual(words["received"]["total"], words["sent"]["total"])
        self.assertEqual(moved["received"]["total"], moved["sent"]["total"])
        self.assertEqual(moved["received"]["total"], sum(phase["total"] for phase in moved["phases"].values()))
        for what in (words, moved):  # expected of random matrices: within 6 %
            self.assertLess(abs(what["received"]["mean"] / what["counted"]["mean"] - 1), 0.06)
        self.assertGreater(words["bound"], 0)
        # A value of 8 bytes and its place, one to two: no entry takes more than 12 bytes.
        self.assertTrue(9 < moved["received"]["total"] / words["received"]["total"] < 12)
        self.assertAlmostEqual(report["compression"], report["flops"] / 2 / report["nnz"]["c"])

    def test_report_and_trace(self):
        page, trace = self.folder / "r.html", self.folder / "t.json"
        r = run("--gen", "rmat scale=8 d=4", "--ranks", 4, "--report", page, "--trace", trace, "--layout", "rows",
                "--algorithm", "outer-product")
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn(": right", r.stdout)
        self.assertIn("convert", r.stdout)
        text = page.read_text()
        for matrix in "ABC":
            self.assertRegex(text, rf"{matrix}: 256 x 256, \d+ entries")
        self.assertEqual(len(re.findall("by owner", text)), 3)
        self.assertIn("busiest rank has", text)  # advice: R-MAT is uneven
        events = [e for e in json.loads(trace.read_text())["traceEvents"] if e["ph"] == "X"]
        self.assertEqual({e["pid"] for e in events}, {0, 1, 2, 3})
        names = {e["name"] for e in events}
        self.assertTrue({"multiply", "merge", "combine C", "wait for combine C"} <= names, names)
        entries = sum(e["args"].get("words_received", 0) for e in events)
        self.assertEqual(entries, sum(e["args"].get("words_sent", 0) for e in events))
        self.assertGreater(entries, 0)
        r = plan("--gen", "rmat scale=8 d=4", "--ranks", 4, "--report", page)
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertEqual(len(re.findall("by owner", page.read_text())), 2)

    def test_shuffled_product_is_the_product(self):
        a, b = self.files(40, 50, 30)
        _, c = self.multiplied("--ranks", 4, "--shuffle")
        self.assertEqual(c, product(a, b))

    def test_transposed_operands(self):
        a, b = self.files(40, 50, 30)
        turned_a, turned_b = ({(j, i): v for (i, j), v in x.items()} for x in (a, b))
        for x, y, words, expected in (("a", "a", ("--op-a", "T"), product(turned_a, a)),
                                      ("a", "a", ("--op-b", "T"), product(a, turned_a)),
                                      ("b", "a", ("--op-a", "T", "--op-b", "C", "--shuffle"), product(turned_b, turned_a))):
            r = run("--a", self.folder / f"{x}.mtx", "--b", self.folder / f"{y}.mtx", *words, "--out", self.folder / "c.mtx",
                    "--ranks", 6, "--json", "--repeat", 1)
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertEqual(read(self.folder / "c.mtx"), expected)

    def test_transposed_generators_are_planned_as_they_run(self):
        made_twice = {}
        for shuffle in ((), ("--shuffle",)):
            words = ("--gen", "er rows=300 columns=200 d=4", "--op-a", "T", "--ranks", 6, "--json", *shuffle)
            planned = json.loads(plan(*words, env=NO_MPI).stdout)
            self.assertEqual([planned[x] for x in ("m", "k", "n", "op_a")], [200, 300, 200, "T"])
            out = self.folder / f"c{len(shuffle)}.mtx"
            r = run(*words, "--out", out, "--repeat", 1)
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertEqual(planned["flops"], json.loads(r.stdout)["flops"])
            made_twice[shuffle] = read(out)
        plain, shuffled = made_twice.values()
        self.assertEqual(set(plain), set(shuffled))
        self.assertEqual({at for at in plain}, {(j, i) for i, j in plain})  # A^T A is symmetric
        self.assertTrue(all(abs(v - shuffled[at]) < 1e-12 for at, v in plain.items()))

    def test_nothing_is_said_to_be_written_that_is_not(self):
        (self.folder / "nan.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 nan\n2 2 inf\n")
        words = ("--a", self.folder / "nan.mtx", "--ranks", 2, "--out", self.folder / "c.mtx")
        r = run(*words)
        self.assertEqual(r.returncode, 1)
        self.assertIn("not finite", r.stderr)
        self.assertNotIn("written", r.stdout)
        self.assertFalse((self.folder / "c.mtx").exists())
        self.assertIsNone(json.loads(run(*words, "--json").stdout)["nnz"]["c"])
        r = run(*words, "--no-verify")
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn("nnz(C) 2", r.stdout)
        self.assertEqual(len(read(self.folder / "c.mtx")), 2)

    def test_plan_of_files(self):
        a, b = self.files(40, 50, 30)
        r = plan("--a", self.folder / "a.mtx", "--b", self.folder / "b.mtx", "--ranks", 12, "--json")
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertEqual(json.loads(r.stdout)["nnz"]["a"], len(a))
        r = plan("--a", self.folder / "none.mtx", "--ranks", 12)
        self.assertNotEqual(r.returncode, 0)
        self.assertIn("none.mtx", r.stderr)

    def test_memory_is_kept_to(self):
        words = ("--gen", "er n=3000 d=10", "--ranks", 4, "--json", "--repeat", 1)
        free = json.loads(run(*words).stdout)
        r = run(*words, "--memory", int(0.6 * free["memory_bytes_per_rank"]))
        self.assertEqual(r.returncode, 0, r.stderr)
        tight = json.loads(r.stdout)
        self.assertGreater(tight["column_phases"], 1)
        self.assertTrue(tight["verified"])
        r = run(*words, "--memory", 1000)
        self.assertNotEqual(r.returncode, 0)
        self.assertIn("a rank may hold 1000 bytes", r.stderr)

    def test_products_that_know_the_pattern_send_values_alone(self):
        words = ("--gen", "er n=3000 d=6", "--ranks", 4, "--json", "--algorithm", "summa-improved", "--repeat", 2)
        plain, again = (json.loads(run(*words, *more).stdout) for more in ((), ("--reuse",)))
        self.assertEqual(plain["words"]["received"], again["words"]["received"])
        self.assertEqual(again["bytes"]["received"]["total"], 8 * again["words"]["received"]["total"])
        self.assertGreater(plain["bytes"]["received"]["total"], again["bytes"]["received"]["total"])
        self.assertTrue(again["verified"])
        planned = json.loads(plan(*words[:-2], "--reuse").stdout)
        self.assertEqual(planned["bytes"]["counted"], again["bytes"]["counted"])
        a, b = self.files(40, 50, 30)
        _, c = self.multiplied("--ranks", 6, "--reuse")
        self.assertEqual(c, product(a, b))

    def test_what_no_node_holds_is_refused_before_it_is_made(self):
        for generator in ("er n=1000000000000 d=100", "rmat scale=40 d=64", "stencil5 nx=1048576", "banded n=4000000000 width=9999999"):
            for r in (plan("--gen", generator, "--ranks", 64, env=NO_MPI), run("--gen", generator, "--ranks", 3)):
                self.assertEqual(r.returncode, 3, r.stderr)
                self.assertIn("expected a smaller matrix, or ranks on more nodes", r.stderr)
                self.assertIn(f"'{generator}' with about", r.stderr)

    def test_errors_before_any_rank(self):
        for words, text in ((("--gen", "er n=10 d=2", "--algorithm", "cannon"), "algorithm is 'cannon'"),
                            (("--gen", "circle n=4"), "circle"), ((), "--gen or --a"),
                            (("--gen", "er n=10 d=2", "--semiring", "x"), "semiring"),
                            (("--gen", "er n=10 d=2", "--type", "z", "--semiring", "min-plus"), "complex"),
                            (("--gen", "er n=10 d=2", "--mask-complement"), "without --mask"),
                            (("--gen", "er n=10 d=2", "--mask", "m.mtx", "--reuse"), "--reuse is given with --mask"),
                            (("--gen", "er n=10 d=2", "--out", "c.txt"), "is 'c.txt', expected .mtx, .mtx.gz or .npz"),
                            (("--gen", "er n=10 d=2", "--out", self.folder / "none" / "c.mtx"), "none': No such file or directory"),
                            (("--gen", "er n=10 d=2", "--op-b", "X"), "--op-b is 'X', expected N, T or C"),
                            (("--gen", "er n=10 d=2", "--b", "b.mtx"), "without --a")):
            r = run(*words, env=NO_MPI)
            self.assertNotEqual(r.returncode, 0)
            self.assertIn(text, r.stderr)

    def test_shapes_that_do_not_match(self):
        self.files(40, 50, 30)
        r = run("--a", self.folder / "a.mtx", "--b", self.folder / "a.mtx", "--ranks", 2)
        self.assertNotEqual(r.returncode, 0)
        self.assertIn("as many rows of B as columns of A", r.stderr)

    def test_scipy_agrees(self):
        self.files(40, 50, 30)
        a, b = (scipy.io.mmread(self.folder / name).tocsr() for name in ("a.mtx", "b.mtx"))
        theirs = (a @ b).tocoo()
        expected = {(i, j): v for i, j, v in zip(theirs.row, theirs.col, theirs.data)}
        for ranks in (1, 6):
            _, c = self.multiplied("--ranks", ranks)
            self.assertEqual(c, expected)

    def test_scipy_reads_and_writes_the_same_files(self):
        a = scipy.sparse.random(70, 50, 0.1, format="csr", random_state=1)
        b = scipy.sparse.random(50, 60, 0.1, format="csr", random_state=2)
        scipy.sparse.save_npz(self.folder / "a.npz", a)
        scipy.sparse.save_npz(self.folder / "b.npz", b)
        r = run("--a", self.folder / "a.npz", "--b", self.folder / "b.npz", "--out", self.folder / "c.npz", "--ranks", 5,
                "--repeat", 1)
        self.assertEqual(r.returncode, 0, r.stderr)
        ours, theirs = scipy.sparse.load_npz(self.folder / "c.npz"), a @ b
        self.assertEqual(ours.nnz, theirs.nnz)
        self.assertLess(abs(ours - theirs).max(), 1e-14)


if __name__ == "__main__":
    unittest.main()

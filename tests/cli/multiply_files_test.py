"""cairn multiply on matrices in files, against products computed here, element by element."""
import json
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import unittest

from dense_files import npy_of, numbers, read_npy

CAIRN = os.environ["CAIRN_PROGRAM"]
ENVIRONMENT = {**os.environ, "XDG_CONFIG_HOME": "/dev/null/none", "OPENBLAS_NUM_THREADS": "1"}
# With this setting Open MPI fails at once: for errors that are found before any rank is started.
NO_MPI = {**ENVIRONMENT, "OMPI_MCA_pml": "none_of_them"}


def run(*words, env=None):
    return subprocess.run([CAIRN, "multiply", *map(str, words)], capture_output=True, text=True, timeout=100, env=env or ENVIRONMENT)


# Small whole numbers: every product is exact in every type, whatever the order of its sums.
def whole(rows, columns, complex_=False):
    number = lambda: random.randint(-9, 9)
    return [[complex(number(), number()) if complex_ else float(number()) for _ in range(columns)] for _ in range(rows)]


def applied(op, x):
    if op == "N":
        return x
    return [[v.conjugate() if op == "C" else v for v in column] for column in zip(*x)]


def product(alpha, a, b, beta=0, c=None):
    columns = list(zip(*b))
    result = [[alpha * sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]
    if beta != 0:
        result = [[x + beta * y for x, y in zip(*rows)] for rows in zip(result, c)]
    return result


def matrix_market(x, complex_=False):
    body = "".join(" ".join(str(p) for p in ((v.real, v.imag) if complex_ else (v,))) + "\n" for column in zip(*x) for v in column)
    return f"%%MatrixMarket matrix array {'complex' if complex_ else 'real'} general\n{len(x)} {len(x[0])}\n{body}"


class Files(unittest.TestCase):
    def setUp(self):
        random.seed(4)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def put(self, name, content):
        file = self.path / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def multiply(self, *words, ranks=3):
        result = run(*words, "--ranks", ranks, "--repeat", 1, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads(result.stdout)
        self.assertIs(found["verified"], True)
        return found

    def expect_error(self, *words, parts, env=None):
        result = run(*words, env=env)
        self.assertNotEqual(result.returncode, 0, words)
        self.assertEqual(result.stdout, "")
        lines = [line for line in result.stderr.splitlines() if line.startswith("cairn:")]
        self.assertEqual(len(lines), 1, result.stderr)
        for part in parts:
            self.assertIn(part, lines[0])

    def test_types_ops_and_grids(self):
        cases = (("<f8", "N", "N", (), 1, 0), ("<f4", "T", "N", ("--grid", "2,1,2"), 2, 0),
                 ("<c16", "C", "T", ("--grid", "1,2,2", "--rounds", "3,n"), 1, 2), ("<c8", "N", "C", ("--grid", "2,2,1", "--rounds", "4,m"), -1, 1),
                 ("<f8", "T", "T", ("--algorithm", "2.5d"), 0, 3))
        for descr, op_a, op_b, how, alpha, beta in cases:
            complex_ = "c" in descr
            a, b, c = whole(7, 5, complex_), whole(5, 9, complex_), whole(7, 9, complex_)
            files = {"a": applied(op_a, a), "b": applied(op_b, b), "c": c}
            names = []
            for name in "abc" if beta else "ab":
                self.put(f"{name}.npy", npy_of(files[name], descr, fortran=random.random() < 0.5))
                names += [f"--{name}", self.path / f"{name}.npy"]
            found = self.multiply(*names, "--out", self.path / "out.npy", "--op-a", op_a, "--op-b", op_b, *how, f"--alpha={alpha}",
                                  f"--beta={beta}", ranks=5)
            self.assertEqual((found["m"], found["n"], found["k"]), (7, 9, 5))
            self.assertEqual(found["files"]["out"], str(self.path / "out.npy"))
            self.assertEqual(read_npy((self.path / "out.npy").read_bytes()), (product(alpha, a, b, beta, c), descr, True))

    def test_formats(self):
        a, b = whole(4, 6), whole(6, 3)
        expected = product(1, a, b)
        text = self.put("a.mtx", matrix_market(a))
        raw = self.put("b.bin", struct.pack("<18d", *numbers(b, fortran=True)))
        # The text says m and k, only n is missing for the raw file.
        self.multiply("--a", text, "--b", raw, "-n", 3, "--out", self.path / "c.bin", "--order", "F")
        self.assertEqual(struct.unpack("<12d", (self.path / "c.bin").read_bytes()), tuple(numbers(expected, fortran=True)))
        self.put("b.bin", struct.pack("<18d", *numbers(b)))
        self.multiply("--a", text, "--b", raw, "-n", 3, "--out", self.path / "c.npy", "--order", "C")
        self.assertEqual(read_npy((self.path / "c.npy").read_bytes()), (expected, "<f8", False))
        self.multiply("--a", text, "--b", raw, "-n", 3, "--order", "C", "--out", self.path / "c.mtx")
        words = (self.path / "c.mtx").read_text().split()
        self.assertEqual([float(w) for w in words[5:]], [4, 3, *numbers(expected, fortran=True)])
        # Complex text makes the product complex.
        z = whole(6, 3, True)
        self.multiply("--a", text, "--b", self.put("z.mtx", matrix_market(z, True)), "--out", self.path / "z.npy")
        self.assertEqual(read_npy((self.path / "z.npy").read_bytes())[:2], (product(1, a, z), "<c16"))

    def test_hdf5(self):
        a, b = whole(4, 6), whole(6, 3)
        file = self.put("a.npy", npy_of(a))
        converted = subprocess.run([CAIRN, "convert", file, self.path / "a.h5"], capture_output=True, text=True, timeout=60)
        if "built without HDF5" in converted.stderr:
            self.skipTest("built without HDF5")
        self.multiply("--a", self.path / "a.h5", "--b", self.put("b.npy", npy_of(b)), "--out", self.path / "c.h5")
        subprocess.run([CAIRN, "convert", self.path / "c.h5", self.path / "c.npy"], check=True, capture_output=True, timeout=60)
        self.assertEqual(read_npy((self.path / "c.npy").read_bytes())[0], product(1, a, b))

    def test_a_dataset_of_hdf5_by_its_name(self):
        a, b = whole(4, 6), whole(6, 3)
        converted = subprocess.run([CAIRN, "convert", self.put("a.npy", npy_of(a)), self.path / "d.h5", "--dataset", "/run/a"],
                                   capture_output=True, text=True, timeout=60)
        if "built without HDF5" in converted.stderr:
            self.skipTest("built without HDF5")
        self.multiply("--a", f"{self.path}/d.h5:/run/a", "--b", self.put("b.npy", npy_of(b)), "--out", f"{self.path}/c.h5:/run/c")
        subprocess.run([CAIRN, "convert", self.path / "c.h5", self.path / "c.npy", "--from-dataset", "/run/c"], check=True,
                       capture_output=True, timeout=60)
        self.assertEqual(read_npy((self.path / "c.npy").read_bytes())[0], product(1, a, b))
        self.expect_error("--a", f"{self.path}/d.h5:/run/none", "--b", self.path / "b.npy", "--ranks", 2, parts=("/run/none",))

    def test_types_are_widened(self):
        single, double, z = whole(3, 4), whole(4, 5), whole(4, 5, True)
        a = self.put("a.npy", npy_of(single, "<f4"))
        self.multiply("--a", a, "--b", self.put("b.npy", npy_of(double)), "--out", self.path / "c.npy")
        self.assertEqual(read_npy((self.path / "c.npy").read_bytes())[:2], (product(1, single, double), "<f8"))
        self.multiply("--a", a, "--b", self.put("z.npy", npy_of(z, "<c8")), "--out", self.path / "c.npy")
        self.assertEqual(read_npy((self.path / "c.npy").read_bytes())[:2], (product(1, single, z), "<c8"))

    def test_files_in_layouts(self):
        a, b = whole(7, 5), whole(5, 4)
        names = ["--a", self.put("a.npy", npy_of(a)), "--b", self.put("b.npy", npy_of(b)), "--out", self.path / "c.npy"]
        found = self.multiply(*names, "--layout-a", "block-cyclic 2x2 mb=2 nb=1", "--layout-b", "rows 3", "--layout-c", "rank 1", ranks=4)
        self.assertIn("rank 1", json.dumps(found["layouts"]))
        self.assertEqual(read_npy((self.path / "c.npy").read_bytes())[0], product(1, a, b))

    def test_files_are_multiplied_once(self):
        a, b = self.put("a.npy", npy_of(whole(3, 3))), self.put("b.npy", npy_of(whole(3, 3)))
        result = run("--a", a, "--b", b, "--ranks", 2, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads(result.stdout)
        self.assertEqual(found["repeat"], 1)
        self.assertNotIn("local_blas", found["seconds"])

    def test_a_full_disk_is_seen_before_the_product(self):
        needed = 8 * 10**12  # more than the disk of a temporary folder has
        if os.statvfs(self.path).f_bavail * os.statvfs(self.path).f_frsize > needed:
            self.skipTest("a very large disk")
        self.expect_error("-m", 10**6, "-n", 10**6, "-k", 1, "--out", self.path / "c.npy", "--ranks", 2, parts=("C needs",), env=NO_MPI)

    def test_not_finite_is_not_called_right(self):
        nan, inf = float("nan"), float("inf")
        ones = [[1.0] * 3] * 3
        b = self.put("b.npy", npy_of(ones))
        partly = self.put("partly.npy", npy_of([[1.0, 2.0, 3.0], [1.0, nan, 1.0], [4.0, 5.0, inf]]))
        result = run("--a", partly, "--b", b, "--ranks", 2, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads(result.stdout)
        self.assertEqual((found["verified"], found["unchecked_rows"]), ("partly", 2))
        self.assertIn("partly right", run("--a", partly, "--b", b, "--ranks", 2).stdout)
        nothing = run("--a", self.put("n.npy", npy_of([[nan] * 3] * 3)), "--b", b, "--ranks", 2)
        self.assertEqual(nothing.returncode, 1)
        self.assertIn("none of the 3 rows of C could be checked", nothing.stderr)

    def test_more_ranks_than_elements_and_a_result_over_its_input(self):
        a, b = whole(1, 2), whole(2, 1)
        first, second = self.put("a.npy", npy_of(a)), self.put("b.npy", npy_of(b))
        self.multiply("--a", first, "--b", second, "--out", first, ranks=7)
        self.assertEqual(read_npy(first.read_bytes())[0], product(1, a, b))

    def test_result_of_random_matrices_is_written_as_well(self):
        self.multiply("-m", 3, "-n", 4, "-k", 5, "--type", "s", "--out", self.path / "c.npy", ranks=2)
        found, descr, _ = read_npy((self.path / "c.npy").read_bytes())
        self.assertEqual((len(found), len(found[0]), descr), (3, 4, "<f4"))

    def test_text_names_the_file(self):
        a, b = self.put("a.npy", npy_of(whole(3, 3))), self.put("b.npy", npy_of(whole(3, 3)))
        result = run("--a", a, "--b", b, "--out", self.path / "c.npy", "--ranks", 2, "--repeat", 1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("files read in", result.stdout)
        self.assertIn(f"C written to {self.path / 'c.npy'} in", result.stdout)

    def test_files_that_do_not_fit(self):
        a, b = self.put("a.npy", npy_of(whole(4, 6))), self.put("b.npy", npy_of(whole(5, 3)))
        good, c = self.put("good.npy", npy_of(whole(6, 3))), self.put("c.npy", npy_of(whole(3, 4)))
        z = self.put("z.mtx", matrix_market(whole(6, 3, True), True))
        whole_numbers = self.put("i.npy", npy_of(whole(6, 3)).replace(b"<f8", b"<i8"))
        raw = self.put("b.bin", bytes(8 * 17))
        out = self.path / "out.npy"
        for words, parts in (
                (("--a", a, "--b", b), ("--b is '", "b.npy', which holds 5 x 3, expected 6 x 3: k is 6 by --a")),
                (("--a", a, "--b", b, "--op-a", "T"), ("b.npy', which holds 5 x 3, expected 4 x 3: k is 4 by --a",)),
                (("--a", a, "--b", good, "-m", 7), ("--a is '", "a.npy', which holds 4 x 6, expected 7 x 6: m is 7 by -m")),
                (("--a", a, "--b", good, "-N", 6), ("a.npy', which holds 4 x 6, expected 6 x 6: m is 6 by -N",)),
                (("--a", a, "--b", good, "-k", 1, "-n", 2), ("a.npy', which holds 4 x 6, expected 4 x 1: k is 1 by -k",)),
                (("--a", a, "--b", good, "--c", c, "--beta", 1), ("c.npy', which holds 3 x 4, expected 4 x 3: m is 4 by --a, n is 3 by --b",)),
                (("--a", a, "--b", z, "--type", "d"), ("z.mtx', which holds complex<double>, expected double: the type by --type",)),
                (("--a", a, "--b", whole_numbers), ("i.npy'", "'<i8', expected f4, f8, c8 or c16: NumPy's .astype('f8')")),
                (("--a", a, "--b", raw), ("b.bin', a raw file, which does not store its shape: expected -n",)),
                (("--a", a, "--b", raw, "-n", 3), ("read '", "b.bin'", "136")),
                (("--a", a, "--b", self.path / "none.npy"), ("none.npy'", "No such file or directory")),
                (("--a", a, "--b", good, "--grid", "3,1,1"), ("the grid [3, 1, 1] has 3 ranks, expected at most 2",)),
                (("--a", a, "--b", good, "--alpha", "1,2"), ("--alpha is '1,2', expected one number: --type is real",))):
            self.expect_error(*words, "--out", out, "--ranks", 2, parts=parts)
            self.assertFalse(out.exists())

    def test_wrong_options_are_found_before_ranks_start(self):
        a = self.put("a.npy", npy_of(whole(2, 2)))
        for words, part in (
                (("--a", a), "--a is '"), (("-N", 3, "--b", a), "expected both or none"),
                (("--a", a, "--b", a, "--beta", 2), "--beta is not 0, expected --c FILE as well"),
                (("--a", a, "--b", a, "--c", a), "--beta is 0, so C would not be read: expected another --beta"),
                (("-N", 2, "--c", a, "--beta", 1), "expected --a and --b as well"),
                (("--a", a, "--b", a, "--out", self.path / "c.xyz"), "whose extension is unknown: expected .npy, .mtx, .h5 or .bin"),
                (("--a", a, "--b", a, "--out", self.path / "no" / "c.npy"), "expected a folder that exists and can be written to"),
                (("--a", a, "--b", a, "--order", "X"), "--order is 'X', expected C (row-major) or F (column-major)"),
                (("--a", a, "--b", a, "--algorithm", "magic"), "--algorithm is 'magic', expected one of")):
            self.expect_error(*words, parts=(part,), env=NO_MPI)


if __name__ == "__main__":
    unittest.main()

"""cairn lu, cairn cholesky and cairn solve as a user meets them."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

CAIRN = os.environ["CAIRN_PROGRAM"]
ENVIRONMENT = {**os.environ, "XDG_CONFIG_HOME": "/dev/null/none", "XDG_CACHE_HOME": "/dev/null/none", "OPENBLAS_NUM_THREADS": "1"}


def run(*words):
    return subprocess.run([CAIRN, *(str(w) for w in words)], capture_output=True, text=True, timeout=100, env=ENVIRONMENT)


def write_npy(path, rows):
    """Rows of doubles, column-major."""
    m, n = len(rows), len(rows[0])
    header = f"{{'descr': '<f8', 'fortran_order': True, 'shape': ({m}, {n}), }}"
    header += " " * ((-(len(header) + 11)) % 64) + "\n"
    values = [rows[i][j] for j in range(n) for i in range(m)]
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{m * n}d", *values))


def read_npy(path):
    data = path.read_bytes()
    length = struct.unpack("<H", data[8:10])[0]
    return list(struct.unpack(f"<{(len(data) - 10 - length) // 8}d", data[10 + length:]))


class Factor(unittest.TestCase):
    def json(self, *words):
        result = run(*words, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_lu(self):
        r = self.json("lu", "-N", 200, "--ranks", 4, "--repeat", 1, "--objective", "words")
        self.assertEqual(r["info"], 0)
        self.assertLess(r["residual"], 3)
        self.assertEqual((r["pattern"], r["layers"]), ("2x2", 1))
        self.assertIn("step", r)
        self.assertGreater(r["growth"], 1)
        self.assertEqual(r["words"]["sent"]["total"], r["words"]["received"]["total"])
        self.assertLess(abs(r["words"]["sent"]["total"] / r["words"]["counted"]["total"] - 1), 0.03)

    def test_hard_matrices(self):
        for matrix in ("hilbert", "gfpp:0.02", "spd"):
            self.assertTrue(self.json("lu", "-N", 100, "--ranks", 3, "--repeat", 1, "--matrix", matrix)["verified"])

    def test_cholesky(self):
        for triangle in ("lower", "upper"):
            r = self.json("cholesky", "-N", 150, "--ranks", 5, "--repeat", 1, "--triangle", triangle, "--type", "z")
            self.assertLess(r["residual"], 3)
            counted, words = r["words"]["counted"], r["words"]
            self.assertEqual((counted["total"], counted["max"], counted["max_sent"]),
                             (words["sent"]["total"], words["received"]["max"], words["sent"]["max"]))
            self.assertEqual(r["messages"]["counted"]["max_received"], r["messages"]["received"]["max"])
        r = self.json("cholesky", "-N", 50, "--ranks", 2, "--repeat", 1, "--matrix", "gfpp:1")
        self.assertEqual((r["info"], r["verified"]), (2, None))
        text = run("cholesky", "-N", 50, "--ranks", 2, "--repeat", 1, "--matrix", "gfpp:1").stdout
        self.assertIn("not positive definite: the leading minor of order 2 is not positive", text)
        self.assertNotIn("right", text)

    def test_pivoting(self):
        words = {}
        for pivoting in ("tournament", "partial"):
            r = self.json("lu", "-N", 240, "--ranks", 4, "--repeat", 1, "--objective", "words", "--step", 16,
                          "--pivoting", pivoting)
            self.assertTrue(r["verified"])
            self.assertLess(abs(r["words"]["sent"]["total"] / r["words"]["counted"]["total"] - 1), 0.03)
            words[pivoting] = r["words"]["sent"]["total"]
        self.assertLess(words["partial"], words["tournament"])

    def test_grids_of_the_paper(self):
        r = self.json("lu", "-N", 200, "--ranks", 9, "--repeat", 1, "--algorithm", "conflux", "--layers", 2)
        self.assertEqual((r["pattern"], r["layers"], r["verified"]), ("2x2", 2, True))
        r = self.json("cholesky", "-N", 200, "--ranks", 9, "--repeat", 1, "--algorithm", "confchox", "--layers", 2)
        self.assertEqual((r["pattern"], r["layers"], r["verified"]), ("2x2", 2, True))
        text = run("plan", "lu", "-N", 2048, "--ranks", 64, "--algorithm", "conflux", "--layers", 4).stdout
        self.assertRegex(text, r"a layer applies one step in 4 whole .* about 49152 words per rank more")
        self.assertNotIn("the paper's", run("plan", "lu", "-N", 2048, "--ranks", 64).stdout)
        r = self.json("cholesky", "-N", 200, "--ranks", 6, "--repeat", 1, "--algorithm", "2d")
        self.assertEqual((r["pattern"], r["layers"], r["verified"]), ("2x3", 1, True))

    def test_volume_of_the_papers_scenarios(self):
        result = run("bench", "volume", "--only", "lu,cholesky", "--factor-ranks", "16", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = json.loads(result.stdout)["factors"]
        self.assertEqual({row["kind"] for row in rows}, {"lu", "cholesky"})
        for row in rows:
            self.assertLess(row["ours"]["words"], row["printed"]["conflux"], row)
            self.assertLessEqual(row["ours"]["words"], row["2d"]["words"] * 1.0001, row)
            self.assertGreaterEqual(row["ours"]["words"], row["bounds"]["resident"], row)

    def test_plan(self):
        r = self.json("plan", "lu", "-N", 2048, "--ranks", 16, "--objective", "words")
        self.assertLess(r["words"]["counted"]["mean"], 795e3)
        self.assertLess(self.json("plan", "cholesky", "-N", 2048, "--ranks", 16, "--objective", "words")
                        ["words"]["counted"]["mean"], 462e3)

    def test_where_the_matrix_lies(self):
        for operation in ("lu", "cholesky"):
            common = (operation, "-N", 400, "--ranks", 4, "--objective", "words", "--layout-a")
            grid = self.json("plan", *common, "block-cyclic 2x2 mb=32 nb=32")
            if operation == "lu":  # a symmetric pattern saves Cholesky more words than moving there costs
                self.assertIn("where A lies", grid["pattern"])
                self.assertEqual((grid["step"], grid["moved_in"]["total"]), (32, 0))
            else:
                self.assertGreater(grid["moved_in"]["total"], 0)
            moves = self.json("plan", *common, "rows 4")
            self.assertGreater(moves["moved_in"]["total"], 400 * 400 / 4)
            self.assertIn("moving A", run("plan", *common, "rows 4").stdout)
            self.assertTrue(self.json(*common, "block-cyclic 2x2 mb=32 nb=32 grid=row-major", "--repeat", 1)["verified"])

    def test_solve_files(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            n = 30
            a = [[5.0 if i == j else 1.0 / (1 + i + 2 * j) for j in range(n)] for i in range(n)]
            write_npy(folder / "a.npy", a)
            write_npy(folder / "b.npy", [[sum(row)] for row in a])
            result = run("solve", "--a", folder / "a.npy", "--b", folder / "b.npy", "--out", folder / "x.npy", "--ranks", 3)
            self.assertEqual(result.returncode, 0, result.stderr)
            for x in read_npy(folder / "x.npy"):
                self.assertAlmostEqual(x, 1, places=12)

    def test_errors_say_what_was_expected(self):
        for words, part in ((["lu", "--ranks", 2], "-N is missing"), (["lu", "-N", 10, "--matrix", "no"], "expected uniform"),
                            (["lu", "-N", 10, "--pivoting", "some"], "expected tournament, partial or none"),
                            (["lu", "-N", 10, "--algorithm", "confchox"], "expected auto, 2d or conflux"),
                            (["lu", "-N", 1000, "--ranks", 2, "--memory", 10], "at least"),
                            (["solve", "-N", 10, "--a", "x"], "expected both or neither")):
            result = run(*words)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(part, result.stderr)


if __name__ == "__main__":
    unittest.main()

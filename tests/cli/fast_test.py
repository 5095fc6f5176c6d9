"""cairn fast, cairn tune and cairn multiply --fast."""
import json
import os
import random
import subprocess
import tempfile
import unittest

from dense_files import npy_of, read_npy

PROGRAM = os.environ["CAIRN_PROGRAM"]
CATALOGUE = os.path.join(os.environ["CAIRN_SOURCE"], "src", "gemm", "fast", "catalogue")


def cairn(*arguments, **environment):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, env={**os.environ, **environment})


class Fast(unittest.TestCase):
    def json_of(self, *arguments, **environment):
        run = cairn(*arguments, "--json", **environment)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_list(self):
        by_name = {entry["name"]: entry for entry in self.json_of("fast", "list")}
        self.assertEqual((by_name["strassen"]["rank"], by_name["strassen"]["additions"]), (7, 18))
        self.assertEqual((by_name["winograd"]["rank"], by_name["winograd"]["additions"]), (7, 15))
        self.assertEqual(by_name["laderman"]["rank"], 23)
        self.assertAlmostEqual(by_name["winograd"]["exponent"], 2.807355, 5)
        self.assertEqual(by_name["winograd"]["stability_factor"], 18)

    def test_verify(self):
        self.assertEqual(self.json_of("fast", "verify", "winograd*2x3x2")[0]["rank"], 77)
        with open(os.path.join(CATALOGUE, "strassen.txt")) as file:
            lines = file.read().split("\n")
        at = next(i for i, line in enumerate(lines) if "|" in line and not line.startswith("#"))
        lines[at] = lines[at].replace("1", "3", 1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "wrong.txt")
            with open(path, "w") as file:
                file.write("\n".join(lines))
            run = cairn("fast", "verify", path)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn(f"line {at + 1}, product 1: the coefficient of A(1,1) is 3, expected 1", run.stderr)

    def test_plan(self):
        best = self.json_of("fast", "plan", "-N", "4096", "--ranks", "49", "--fast", "BB")["best"]
        self.assertEqual(best["schedule"], "BB")
        self.assertAlmostEqual(best["words"] / (4096 ** 2 / 49), 12.375, 9)
        refused = cairn("fast", "plan", "-N", "4096", "--ranks", "6", "--algorithm", "caps")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("no schedule of caps", refused.stderr)

    def test_multiply(self):
        for extra in (["--fast", "B"], ["--fast", "DB", "--type", "c"], ["--fast", "auto"], ["--algorithm", "strassen-2d"]):
            row = self.json_of("fast", "multiply", "-m", "100", "-n", "90", "-k", "110", "--ranks", "7", *extra)
            self.assertTrue(row["counted_is_traffic"])
            self.assertLessEqual(row["error_over_bound"], 1)

    def test_multiply_operation(self):
        row = self.json_of("multiply", "-N", "112", "--ranks", "7", "--fast", "B", "--op-a", "T", "--beta", "2")
        self.assertEqual((row["schedule"], row["levels"], row["verified"]), ("B", 1, True))
        self.assertEqual(row["words"]["sent"]["max"], 4.5 * 112 * 112 / 7)
        self.assertGreater(row["error_bound"], 0)

    def test_any_layout_by_the_same_path(self):
        cyclic = "block-cyclic 7x1 mb=8 nb=8"
        row = self.json_of("multiply", "-N", "112", "--ranks", "7", "--fast", "B", "--layout-a", cyclic, "--layout-c", cyclic)
        self.assertEqual((row["schedule"], row["levels"], row["verified"]), ("B", 1, True))
        self.assertGreater(row["words"]["sent"]["max"], 4.5 * 112 * 112 / 7)
        inside = self.json_of("multiply", "-N", "128", "--ranks", "4", "--algorithm", "2d-strassen", "--layout-b", "blocked 2x2")
        self.assertEqual((inside["schedule"], inside["levels"], inside["verified"]), ("", 1, True))

    def test_files(self):
        draw = random.Random(18)
        a, b = ([[draw.randint(-9, 9) for _ in range(26)] for _ in range(26)] for _ in range(2))
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("a.npy", "b.npy", "c.npy")]
            for path, matrix in zip(paths, (a, b)):
                with open(path, "wb") as file:
                    file.write(npy_of(matrix))
            found = self.json_of("multiply", "--a", paths[0], "--b", paths[1], "--out", paths[2], "--ranks", "7", "--fast", "BD")
            self.assertEqual(found["schedule"], "BD")
            with open(paths[2], "rb") as file:
                c = read_npy(file.read())[0]
        # Sums of small integers are exact.
        self.assertEqual(c, [[sum(a[i][k] * b[k][j] for k in range(26)) for j in range(26)] for i in range(26)])

    def test_report_and_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            report, trace = os.path.join(folder, "r.html"), os.path.join(folder, "t.json")
            run = cairn("multiply", "-N", "64", "--ranks", "7", "--fast", "B", "--report", report, "--trace", trace)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("error bound", run.stdout)
            with open(report) as file:
                self.assertIn("BFS A", file.read())
            with open(trace) as file:
                self.assertIn("BFS A", file.read())

    def test_plan_says_what_fast_would_bring(self):
        row = self.json_of("plan", "multiply", "-N", "16384", "--ranks", "49", "--fast", "auto", "--machine", "built-in")
        self.assertGreater(row["levels"], 0)
        text = cairn("plan", "multiply", "-N", "16384", "--ranks", "49", "--machine", "built-in").stdout
        self.assertRegex(text, r"--fast auto +.*times as fast, error bound")
        for name in ("caps", "strassen-2d", "strassen-2.5d", "2d-strassen", "2.5d-strassen"):
            self.assertGreater(self.json_of("plan", "multiply", "-N", "4096", "--ranks", "49", "--algorithm", name)["levels"], 0)

    @unittest.skipUnless(os.environ.get("CAIRN_TRIALS") == "all", "49 ranks take long: with CAIRN_TRIALS=all")
    def test_49_ranks(self):
        draw = random.Random(49)
        for order in ("BB", "BDB", "DBB", "B", "auto", "BD"):
            sizes = [str(draw.randint(1, 200)) for _ in range(3)]
            layout = draw.choice([[], ["--layout-a", "block-cyclic 7x7 mb=3 nb=5"], ["--layout-c", "elemental 7x7"]])
            row = self.json_of("multiply", "-m", sizes[0], "-n", sizes[1], "-k", sizes[2], "--ranks", "49", "--fast", order,
                               "--op-a", draw.choice("NT"), "--type", draw.choice("sdcz"), *layout)
            self.assertTrue(row["verified"], (order, sizes, layout))

    def test_tune(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = self.json_of("tune", "--seconds", "0.1", "--threads", "1", XDG_CACHE_HOME=folder)
            self.assertTrue(kept["file"].startswith(folder))
            self.assertEqual(kept["rates"][0]["threads"], 1)
            self.json_of("fast", "plan", "-N", "4096", XDG_CACHE_HOME=folder)
            with open(kept["file"], "w") as file:
                file.write("{}")
            broken = cairn("fast", "plan", "-N", "4096", XDG_CACHE_HOME=folder)
            self.assertIn("not a file of rates", broken.stderr)


if __name__ == "__main__":
    unittest.main()

"""cairn fast, cairn tune and cairn multiply --fast."""
import json
import os
import subprocess
import tempfile
import unittest

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

    def test_tune(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = self.json_of("tune", "--seconds", "0.1", "--threads", "1", XDG_CACHE_HOME=folder)
            self.assertTrue(kept["file"].startswith(folder))
            self.assertEqual(kept["rates"][0]["threads"], 1)
            self.json_of("fast", "plan", "-N", "4096", XDG_CACHE_HOME=folder)
            with open(kept["file"], "w") as file:
                file.write("{}")
            broken = cairn("fast", "plan", "-N", "4096", XDG_CACHE_HOME=folder)
            self.assertIn("is no file of rates", broken.stderr)


if __name__ == "__main__":
    unittest.main()

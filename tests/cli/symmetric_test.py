"""cairn syrk, cairn symm and cairn trmm as a user meets them."""
import json
import os
import subprocess
import unittest

CAIRN = os.environ["CAIRN_PROGRAM"]
ENVIRONMENT = {**os.environ, "XDG_CONFIG_HOME": "/dev/null/none", "XDG_CACHE_HOME": "/dev/null/none", "OPENBLAS_NUM_THREADS": "1"}


def run(*words):
    return subprocess.run([CAIRN, *(str(w) for w in words)], capture_output=True, text=True, timeout=100, env=ENVIRONMENT)


class Symmetric(unittest.TestCase):
    def json(self, *words):
        result = run(*words, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def check(self, *words):
        r = self.json(*words, "--repeat", 1)
        self.assertTrue(r["verified"])
        self.assertLess(r["error_over_allowed"], 1)
        counted = r["words"]["counted"]
        self.assertEqual((counted["total"], counted["max"], counted["max_sent"]),
                         (r["words"]["sent"]["total"], r["words"]["received"]["max"], r["words"]["sent"]["max"]))
        return r

    def test_runs(self):
        self.check("syrk", "-n", 100, "-k", 70, "--ranks", 4, "--beta", 0.5)
        self.check("syrk", "-n", 60, "-k", 90, "--ranks", 3, "--type", "z", "--hermitian", "--op", "C", "--triangle", "upper")
        self.check("syrk", "-n", 50, "-k", 20, "--ranks", 2, "--type", "c", "--op", "C")
        self.check("symm", "-n", 90, "-k", 30, "--ranks", 5, "--layout-b", "rows 5", "--objective", "words")
        self.check("symm", "-n", 40, "-k", 31, "--ranks", 3, "--type", "z", "--hermitian", "--side", "right")
        self.check("trmm", "-n", 80, "-k", 50, "--ranks", 4, "--op", "T", "--diagonal", "unit")
        self.check("trmm", "-n", 33, "-k", 47, "--ranks", 3, "--side", "right", "--type", "c", "--op", "C")
        self.check("trmm", "-n", 1, "-k", 1, "--ranks", 3)
        self.check("syrk", "-n", 0, "-k", 5, "--ranks", 2)
        self.assertEqual(self.check("symm", "-n", 64, "-k", 8, "--ranks", 1)["words"]["sent"]["total"], 0)

    def test_plans_use_the_symmetry(self):
        r = self.json("plan", "syrk", "-n", 2048, "-k", 2048, "--ranks", 16, "--objective", "words")
        general = 2048 * 2048 / 4 * (2 - 1 / 4 - 1 / 16)  # the same grid, A and A^T as two matrices
        self.assertLess(r["words"]["counted"]["mean"], 0.75 * general)
        self.assertGreater(r["words"]["counted"]["max"], r["words"]["bound"])
        self.assertGreater(len(r["candidates"]), 1)
        self.assertGreater(self.json("plan", "trmm", "-n", 8192, "-k", 8192, "--ranks", 1024)["words"]["counted"]["mean"], 0)

    def test_bound(self):
        self.assertIn("words", run("bound", "syrk", "-n", 1000, "-k", 1000, "--ranks", 64).stdout)

    def test_wrong_arguments(self):
        for words, part in ((("syrk", "-n", 10, "-k", 3, "--op", "X"), "--op is 'X'"),
                            (("symm", "-n", 10, "-k", 3, "--side", "top"), "--side is 'top'"),
                            (("trmm", "-n", 10, "-k", 3, "--algorithm", "best"), "algorithm is best"),
                            (("syrk", "-n", 10, "-k", 3, "--ranks", 2, "--layout-c", "rows 9"), "rank 8"),
                            (("syrk", "-n", -1, "-k", 3), "-1")):
            result = run(*words)
            self.assertNotEqual(result.returncode, 0, words)
            self.assertIn(part, result.stderr)


if __name__ == "__main__":
    unittest.main()

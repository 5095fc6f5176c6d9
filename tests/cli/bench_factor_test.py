"""cairn bench factor on small matrices. Skipped where ScaLAPACK is not installed."""
import json
import os
import subprocess
import sys
import unittest

SKIPPED = 77  # what CTest takes for skipped
CAIRN = os.environ["CAIRN_PROGRAM"]
SOURCE = os.environ["CAIRN_SOURCE"]
ENVIRONMENT = {**os.environ, "XDG_CONFIG_HOME": "/dev/null/none", "OPENBLAS_NUM_THREADS": "1"}


def bench(*words):
    return subprocess.run([CAIRN, "bench", "factor", "--machine", "built-in", *words], capture_output=True, text=True, timeout=200,
                          env=ENVIRONMENT, cwd=SOURCE)


class BenchFactor(unittest.TestCase):
    def rows(self, *words):
        result = bench(*words, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)["rows"]

    def test_times_and_results(self):
        rows = self.rows("-N", "96", "--ranks", "2", "--blocks", "16,32", "--nrhs", "3", "--seconds", "0.01")
        self.assertEqual([row["peer"] for row in rows], ["pdgetrf", "pdgetrs", "pdgesv", "pdpotrf", "pdpotrs", "pdposv"])
        for row in rows:
            self.assertLess(row["residual"], 100)
            self.assertIn(row["peer_block"], (16, 32))
            for key in ("seconds", "peer_seconds", "times_faster"):
                self.assertGreater(row[key], 0, key)
            self.assertEqual("local_seconds" in row, row["peer"].endswith("trf"))

    def test_words_on_the_wire(self):
        rows = self.rows("-N", "200", "--ranks", "4", "--blocks", "16", "--tasks", "factor", "--objective", "words", "--seconds", "0",
                         "--words")
        for row in rows:
            self.assertTrue(row["wire_as_counted"], row)
            self.assertLess(row["words"]["mean"], row["peer_words"]["mean"])

    def test_bad_arguments(self):
        for words, part in ((["--only", "qr"], "qr"), (["--blocks", "0"], "--blocks"), (["--algorithm", "best"], "expected auto, 2d")):
            result = bench("-N", "16", "--ranks", "1", "--seconds", "0", *words)
            self.assertNotEqual(result.returncode, 0, words)
            self.assertIn(part, result.stderr + result.stdout)


if __name__ == "__main__":
    first = bench("-N", "8", "--ranks", "1", "--blocks", "4", "--seconds", "0.001")
    if first.returncode != 0 and "ScaLAPACK for this MPI is not installed" in first.stderr:
        print("skipped: " + first.stderr)
        sys.exit(SKIPPED)
    unittest.main()

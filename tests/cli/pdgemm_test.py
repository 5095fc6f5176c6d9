"""cairn bench pdgemm on a small product. Skipped where ScaLAPACK is not installed."""
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
    return subprocess.run([CAIRN, "bench", "pdgemm", *words], capture_output=True, text=True, timeout=200, env=ENVIRONMENT,
                          cwd=SOURCE)


class Pdgemm(unittest.TestCase):
    def rows(self, *words):
        result = bench("--shapes", "96x64x128", "--ranks", "4", "--blocks", "16", *words, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)["rows"]

    def test_times_and_results(self):
        rows = self.rows("--seconds", "0.01")
        self.assertEqual([row["process_grid"] for row in rows], ["2x2", "1x4", "4x1"])
        for row in rows:
            self.assertLess(row["difference_over_allowed"], 1)
            for key in ("seconds", "pdgemm_seconds", "local_seconds", "over_local", "pdgemm_over_local", "times_faster"):
                self.assertGreater(row[key], 0, key)

    def test_words_on_the_wire(self):
        rows = self.rows("--words", "--seconds", "0", "--objective", "words", "--grids", "Px1")
        (row,) = rows
        self.assertTrue(row["wire_as_counted"])
        # On 4x1 only B, 128 x 64, must move if C stays: three quarters to every rank. pdgemm does just that.
        self.assertEqual(row["pdgemm_words"]["mean"], 128 * 64 * 3 / 4)
        self.assertLessEqual(row["words"]["mean"], row["pdgemm_words"]["mean"])

    def test_random_products(self):
        rows = self.rows("--words", "--seconds", "0", "--objective", "volume", "--random", "4")
        self.assertEqual(len(rows), 4)
        for row in rows:
            self.assertTrue(row["wire_as_counted"], row)
            self.assertLess(row["difference_over_allowed"], 1)
            self.assertLessEqual(row["words"]["mean"], row["pdgemm_words"]["mean"])
        parts = [m for row in rows for m in row["matrices"].values() if m["first_row"] + m["first_column"] > 0]
        self.assertTrue(parts)
        self.assertGreater(len({m["mb"] for m in rows[0]["matrices"].values()}), 1)
        # The same once more, and others with another seed.
        self.assertEqual(self.rows("--seconds", "0", "--random", "1")[0]["blocks"], rows[0]["blocks"])
        self.assertNotEqual(self.rows("--seconds", "0", "--random", "1", "--seed", "2")[0]["blocks"], rows[0]["blocks"])

    def test_bad_arguments(self):
        for words, part in ((["--shapes", "3x4"], "expected MxNxK"), (["--grids", "round"], "round"), (["--random", "0"], "--random"),
                            (["--objective", "beauty"], "expected time, words or volume"),
                            (["--words", "--wirecount", "/nowhere"], "/nowhere")):
            result = bench("--ranks", "2", "--seconds", "0", *words)
            self.assertNotEqual(result.returncode, 0, words)
            self.assertIn(part, result.stderr + result.stdout)


if __name__ == "__main__":
    first = bench("--shapes", "8x8x8", "--ranks", "1", "--grids", "1xP", "--seconds", "0")
    if first.returncode != 0 and "ScaLAPACK for this MPI is not installed" in first.stderr:
        print("skipped: " + first.stderr)
        sys.exit(SKIPPED)
    unittest.main()

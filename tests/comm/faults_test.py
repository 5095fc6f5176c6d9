"""Ranks that die or stop, and handles that live too long."""
import os
import re
import subprocess
import time
import unittest

LAUNCH = os.environ["CAIRN_MPIEXEC"].split()
PROBE = os.environ["CAIRN_PROGRAM"]


def run(kind, seconds="0", ranks=5, limit=60):
    start = time.monotonic()
    result = subprocess.run([*LAUNCH, "-n", str(ranks), PROBE, kind, seconds], capture_output=True, text=True,
                            timeout=limit)
    return result, time.monotonic() - start


class Faults(unittest.TestCase):
    def test_a_killed_rank_ends_the_run_within_five_seconds(self):
        result, seconds = run("killed")
        self.assertNotEqual(result.returncode, 0)
        self.assertLess(seconds, 5.0)

    def test_a_stopped_rank_is_reported_by_every_other_rank(self):
        result, _ = run("stopped", "1.5")
        self.assertNotEqual(result.returncode, 0)
        reports = dict(re.findall(r"\[rank (\d)\] (no progress for .*)", result.stderr))
        self.assertEqual(sorted(reports), ["0", "1", "3", "4"], result.stderr)
        for text in reports.values():
            self.assertIn("in phase 'work", text)
            self.assertIn("waiting for rank", text)
        self.assertTrue(any("waiting for rank 2" in text for text in reports.values()), result.stderr)

    def test_a_window_does_not_keep_the_watchdog_from_ending_the_run(self):
        result, seconds = run("window", "1.5")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("no progress for", result.stderr)
        self.assertLess(seconds, 30)

    def test_handles_that_outlive_mpi_do_no_harm(self):
        result, _ = run("after_finalize", ranks=3)
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()

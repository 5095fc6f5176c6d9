"""Counted == Traffic == wire for LU (with the pivots that were chosen) and Cholesky, on every rank, byte for byte and
message for message; and the words that were planned for LU are within 3 % of those that moved."""
import json
import os
import subprocess
import sys
import unittest

PROBE = os.environ["CAIRN_PROGRAM"]
WIRECOUNT = os.path.join(os.environ["CAIRN_SOURCE"], "tools", "wirecount")
MPIRUN = os.environ["CAIRN_MPIEXEC"].split()[0]


def measure(ranks, n, kind):
    """(what the ranks printed, what was on the wire by rank)."""
    run = subprocess.run([sys.executable, WIRECOUNT, "-n", str(ranks), "--json", "--mpirun", MPIRUN, "--", PROBE, str(n), kind],
                         capture_output=True, text=True)
    if run.returncode != 0:
        raise AssertionError(f"{kind} on {ranks} ranks:\n{run.stdout[-2000:]}\n{run.stderr[-2000:]}")
    printed = next(line for line in run.stdout.splitlines() if line.startswith("TRAFFIC "))
    return json.loads(printed.split(" ", 1)[1]), json.loads(run.stdout.splitlines()[-1])["ranks"]


class Wire(unittest.TestCase):
    def check(self, ranks, n, kind):
        printed, wire = measure(ranks, n, kind)
        moved = active = 0  # the mean is over the ranks that take part: a plan may leave some idle
        for rank, (ours, seen) in enumerate(zip(printed["ranks"], wire)):
            self.assertEqual(ours["counted"], ours["traffic"], f"rank {rank}: counted and Traffic")
            moved += ours["traffic"]["sent_bytes"]
            active += ours["traffic"]["sent_bytes"] > 0
            for key, value in ours["all_traffic"].items():
                self.assertEqual(value, seen["messages"][key], f"rank {rank}: {key} on the wire")
        if ranks > 1:
            self.assertAlmostEqual(moved / 8 / active / printed["planned_mean"], 1, delta=0.03)

    def test_lu(self):
        for ranks in (1, 2, 5, 8, 16):
            with self.subTest(ranks=ranks):
                self.check(ranks, 300, "lu")

    def test_cholesky(self):
        for ranks in (1, 2, 5, 8, 16):
            with self.subTest(ranks=ranks):
                self.check(ranks, 300, "cholesky")


if __name__ == "__main__":
    unittest.main()

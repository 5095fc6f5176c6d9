"""Counted == Traffic == wire: for every named algorithm, 12 shapes, and on each number of ranks ten random trees and five on
block-cyclic matrices (220 and 105 with CAIRN_TRIALS=all), on both transports, what was counted before the run is what
Traffic counted and what Open MPI's monitoring saw, on every rank, byte for byte and message for message."""
import json
import os
import subprocess
import sys
import unittest

PROBE = os.environ["CAIRN_PROGRAM"]
WIRECOUNT = os.path.join(os.environ["CAIRN_SOURCE"], "tools", "wirecount")
MPIRUN = os.environ["CAIRN_MPIEXEC"].split()[0]
EVERY = os.environ.get("CAIRN_TRIALS") == "all"
RANKS = [*range(1, 18), 22, 24, 30, 36, 64] if EVERY else [1, 2, 3, 4, 6, 7, 9, 13, 16, 36]


def measure(ranks, transport):
    """(what the ranks printed, what was on the wire), a list of ranks each."""
    run = subprocess.run([sys.executable, WIRECOUNT, "-n", str(ranks), "--json", "--mpirun", MPIRUN, "--", PROBE, transport],
                         capture_output=True, text=True)
    if run.returncode != 0:
        raise AssertionError(f"{transport} on {ranks} ranks:\n{run.stdout[-2000:]}\n{run.stderr[-2000:]}")
    printed = next(line for line in run.stdout.splitlines() if line.startswith("TRAFFIC "))
    return json.loads(printed.split(" ", 1)[1]), json.loads(run.stdout.splitlines()[-1])["ranks"]


class Wire(unittest.TestCase):
    def check(self, ranks, transport):
        printed, wire = measure(ranks, transport)
        self.assertEqual(len(printed), ranks)
        for rank, (ours, seen) in enumerate(zip(printed, wire)):
            self.assertEqual(ours["counted"], ours["traffic"], f"rank {rank}: counted before and Traffic")
            self.assertEqual(ours["wrong_plans"], 0, "busiest rank of a plan")
            for key, value in ours["all_traffic"].items():
                self.assertEqual(value, seen["messages"][key] + seen["one_sided"][key], f"rank {rank}: {key} on the wire")
        if ranks > 1:
            self.assertGreater(sum(rank["counted"]["sent_bytes"] for rank in printed), 0)
        if ranks > 1 and transport == "one-sided":
            self.assertGreater(sum(rank["one_sided"]["received_bytes"] for rank in wire), 0)

    def check_all(self, transport):
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                self.check(ranks, transport)

    def test_two_sided(self):
        self.check_all("two-sided")

    def test_one_sided(self):
        self.check_all("one-sided")


if __name__ == "__main__":
    unittest.main()

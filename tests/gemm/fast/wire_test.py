"""Fast steps: counted == Traffic == wire on every rank, byte for byte and message for message, and equal to the formulas
of paper 001 (halved: it counts sent plus received)."""
import json
import os
import subprocess
import sys
import unittest

PROBE = os.environ["CAIRN_PROGRAM"]
WIRECOUNT = os.path.join(os.environ["CAIRN_SOURCE"], "tools", "wirecount")
MPIRUN = os.environ["CAIRN_MPIEXEC"].split()[0]
# Words sent per rank in units of n^2/P on P = 7^k ranks, measured on the original code.
ORIGINAL = {"B": 4.5, "DB": 7.875, "BB": 12.375, "BDB": 18.28125, "DBB": 21.65625}
CASES = [(7, 112, ["B", "DB", "BD"]), (14, 112, ["B", "DB", "BD"]), (21, 168, ["B", "DB", "BD"]),
         (28, 112, ["B", "DB", "BD"]), (42, 168, ["B", "DB", "BD"]), (49, 392, ["BB", "DBB", "BDB"]),
         (8, 97, ["B", "DB", "BD"]), (11, 101, ["B", "DB"]), (50, 103, ["BB", "B"])]


def measure(ranks, n, orders):
    """(what the ranks printed, what was on the wire), a list of ranks each."""
    run = subprocess.run([sys.executable, WIRECOUNT, "-n", str(ranks), "--json", "--mpirun", MPIRUN, "--", PROBE, str(n), *orders],
                         capture_output=True, text=True)
    if run.returncode != 0:
        raise AssertionError(f"{orders} on {ranks} ranks:\n{run.stdout[-2000:]}\n{run.stderr[-2000:]}")
    printed = next(line for line in run.stdout.splitlines() if line.startswith("TRAFFIC "))
    return json.loads(printed.split(" ", 1)[1]), json.loads(run.stdout.splitlines()[-1])["ranks"]


class FastWire(unittest.TestCase):
    def check_rank(self, ranks, n, ours, seen):
        for row in ours["orders"]:
            self.assertTrue(row["right"], row["order"])
            self.assertEqual(row["counted"], row["traffic"], row["order"])
            if ranks in (7, 49) and row["order"] in ORIGINAL:
                self.assertEqual(row["traffic"]["sent_bytes"], 8 * ORIGINAL[row["order"]] * n * n / ranks, row["order"])
                self.assertEqual(row["traffic"]["received_bytes"], row["traffic"]["sent_bytes"], row["order"])
        for key, value in ours["all_traffic"].items():
            self.assertEqual(value, seen["messages"][key] + seen["one_sided"][key], f"{key} on the wire")

    def test_all(self):
        for ranks, n, orders in CASES:
            printed, wire = measure(ranks, n, orders)
            self.assertEqual(len(printed), ranks)
            for rank, (ours, seen) in enumerate(zip(printed, wire)):
                with self.subTest(ranks=ranks, rank=rank):
                    self.check_rank(ranks, n, ours, seen)


if __name__ == "__main__":
    unittest.main()

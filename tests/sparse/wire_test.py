"""Traffic == wire for sparse products: what the ranks counted is what Open MPI's monitoring saw, on every rank, byte for
byte and message for message."""
import json
import os
import subprocess
import sys
import unittest

PROBE = os.environ["CAIRN_PROGRAM"]
WIRECOUNT = os.path.join(os.environ["CAIRN_SOURCE"], "tools", "wirecount")
MPIRUN = os.environ["CAIRN_MPIEXEC"].split()[0]


class SparseWire(unittest.TestCase):
    def check(self, ranks):
        run = subprocess.run([sys.executable, WIRECOUNT, "-n", str(ranks), "--json", "--mpirun", MPIRUN, "--", PROBE],
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout[-2000:] + run.stderr[-2000:])
        printed = next(line for line in run.stdout.splitlines() if line.startswith("TRAFFIC "))
        wire = json.loads(run.stdout.splitlines()[-1])["ranks"]
        ours = json.loads(printed.split(" ", 1)[1])
        self.assertEqual(len(ours), ranks)
        for rank, (counted, seen) in enumerate(zip(ours, wire)):
            for key, value in counted.items():
                self.assertEqual(value, seen["messages"][key], f"rank {rank}: {key}")
        if ranks > 1:
            self.assertGreater(sum(rank["received_bytes"] for rank in ours), 0)

    def test_ranks(self):
        for ranks in (1, 4, 7, 12):
            with self.subTest(ranks=ranks):
                self.check(ranks)


if __name__ == "__main__":
    unittest.main()

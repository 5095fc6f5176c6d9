"""Counted == Traffic == wire for products with triangles, on every rank, byte for byte and message for message."""
import json
import os
import subprocess
import sys
import unittest

PROBE = os.environ["CAIRN_PROGRAM"]
WIRECOUNT = os.path.join(os.environ["CAIRN_SOURCE"], "tools", "wirecount")
MPIRUN = os.environ["CAIRN_MPIEXEC"].split()[0]


class Wire(unittest.TestCase):
    def check(self, ranks, n, k, kind):
        run = subprocess.run([sys.executable, WIRECOUNT, "-n", str(ranks), "--json", "--mpirun", MPIRUN, "--", PROBE, str(n),
                              str(k), kind], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout[-2000:] + run.stderr[-2000:])
        printed = next(line for line in run.stdout.splitlines() if line.startswith("TRAFFIC "))
        wire = json.loads(run.stdout.splitlines()[-1])["ranks"]
        moved = 0
        for rank, (ours, seen) in enumerate(zip(json.loads(printed.split(" ", 1)[1]), wire)):
            self.assertEqual(ours["counted"], ours["traffic"], f"rank {rank}: counted and Traffic")
            moved += ours["counted"]["sent_bytes"]
            for key, value in ours["all_traffic"].items():
                self.assertEqual(value, seen["messages"][key], f"rank {rank}: {key} on the wire")
        self.assertEqual(moved > 0, ranks > 1)

    def test_all(self):
        for kind in ("syrk", "symm", "trmm"):
            for ranks, n, k in ((2, 200, 200), (5, 150, 90), (16, 200, 300)):
                with self.subTest(kind=kind, ranks=ranks):
                    self.check(ranks, n, k, kind)


if __name__ == "__main__":
    unittest.main()

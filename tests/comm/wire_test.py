"""Traffic against the wire: for every operation, on every rank, what Traffic counted is what Open MPI's monitoring saw,
byte for byte and message for message."""
import json
import os
import subprocess
import sys
import unittest

PROBE = os.environ["CAIRN_PROGRAM"]
WIRECOUNT = os.path.join(os.environ["CAIRN_SOURCE"], "tools", "wirecount")
MPIRUN = os.environ["CAIRN_MPIEXEC"].split()[0]


def operations():
    listed = subprocess.run([*os.environ["CAIRN_MPIEXEC"].split(), "-n", "1", PROBE, "--list"],
                            capture_output=True, text=True, check=True)
    return listed.stdout.split()


def measure(operation):
    """(what Traffic counted, what was on the wire), a list of ranks each."""
    run = subprocess.run([sys.executable, WIRECOUNT, "-n", "16", "--json", "--mpirun", MPIRUN, "--", PROBE, operation],
                         capture_output=True, text=True, check=True)
    traffic = next(line for line in run.stdout.splitlines() if line.startswith("TRAFFIC "))
    wire = json.loads(run.stdout.splitlines()[-1])
    return json.loads(traffic.split(" ", 1)[1]), wire["ranks"]


class Wire(unittest.TestCase):
    def check_operation(self, operation):
        traffic, wire = measure(operation)
        self.assertEqual(len(traffic), 16)
        for rank, (counted, seen) in enumerate(zip(traffic, wire)):
            for key, value in counted.items():
                on_wire = seen["messages"][key] + seen["one_sided"][key]
                self.assertEqual(value, on_wire, f"{operation}: {key} of rank {rank}")
        moved = sum(rank["sent_bytes"] for rank in traffic)
        if operation != "barrier":
            self.assertGreater(moved, 0)
        if operation.startswith("one_sided"):
            self.assertGreater(sum(rank["one_sided"]["received_bytes"] for rank in wire), moved // 2)

    def test_every_operation(self):
        names = operations()
        self.assertGreaterEqual(len(names), 16)
        for operation in names:
            with self.subTest(operation):
                self.check_operation(operation)


if __name__ == "__main__":
    unittest.main()

"""Traffic == wire for sparse products: what the ranks counted is what Open MPI's monitoring saw, on every rank, byte for
byte and message for message; and one product minus none beside what other libraries move."""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

PROBE = os.environ["CAIRN_PROGRAM"]
WIRECOUNT = os.path.join(os.environ["CAIRN_SOURCE"], "tools", "wirecount")
MPIRUN = os.environ["CAIRN_MPIEXEC"].split()[0]
EVERYTHING = os.environ.get("CAIRN_TRIALS") == "all"


def peers():
    """What other libraries receive and the model's target, bytes per rank and row of ER(d): the table of the benchmark."""
    text = pathlib.Path(os.environ["CAIRN_SOURCE"], "bench", "spgemm_peers.hpp").read_text()
    rows = re.findall(r"\{(\d+), (\d+), ([\d.]+), ([\d.]+), ([\d.]+), ([\d.]+)\}", text)
    return {(int(p), int(d)): (min(map(float, others)), float(target)) for p, d, *others, target in rows}


class SparseWire(unittest.TestCase):
    def check(self, ranks, *words):
        """Bytes that the ranks received, on the wire."""
        run = subprocess.run([sys.executable, WIRECOUNT, "-n", str(ranks), "--json", "--mpirun", MPIRUN, "--", PROBE,
                              *words], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout[-2000:] + run.stderr[-2000:])
        printed = next(line for line in run.stdout.splitlines() if line.startswith("TRAFFIC "))
        wire = json.loads(run.stdout.splitlines()[-1])["ranks"]
        ours = json.loads(printed.split(" ", 1)[1])
        self.assertEqual(len(ours), ranks)
        for rank, (counted, seen) in enumerate(zip(ours, wire)):
            for key, value in counted.items():
                self.assertEqual(value, seen["messages"][key], f"rank {rank}: {key}")
        received = [rank["messages"]["received_bytes"] for rank in wire]
        if ranks > 1:
            self.assertGreater(sum(received), 0)
        return received

    def product(self, ranks, generator):
        """Bytes per rank of the planner's choice: one product minus none."""
        none, one = (self.check(ranks, generator, times) for times in "01")
        return [y - x for x, y in zip(none, one)]

    def test_random_matrices_beside_other_libraries(self):
        n = 65536
        for (ranks, d), (peer, target) in peers().items():
            if not EVERYTHING and (ranks, d) not in ((4, 2), (16, 8)):
                continue
            with self.subTest(ranks=ranks, d=d):
                moved = self.product(ranks, f"er n={n} d={d}")
                mean = sum(moved) / ranks
                print(f"ER d={d} P={ranks}: {mean / n:.2f} bytes/n, {mean / n / peer:.2f} of the best peer, "
                      f"{mean / n / target:.2f} of the model, busiest/mean {max(moved) / mean:.2f}")
                self.assertLessEqual(mean / n, (0.75 if ranks < d * d < 16 * ranks else 1) * peer)
                self.assertLessEqual(max(moved), 1.25 * mean)
                if target > 20:
                    self.assertLessEqual(mean / n, 1.1 * target)

    @unittest.skipUnless(EVERYTHING, "only with all trials")
    def test_other_numbers_of_ranks_stay_on_the_trend(self):
        n = 65536
        for d in (4, 16):
            known = {p: sum(self.product(p, f"er n={n} d={d}")) / p / n for p in (4, 9, 16, 36)}
            for ranks, below, above in ((6, 4, 9), (7, 4, 9), (8, 4, 9), (11, 9, 16), (32, 16, 36)):
                moved = sum(self.product(ranks, f"er n={n} d={d}")) / ranks / n
                print(f"ER d={d} P={ranks}: {moved:.2f} bytes/n between {known[below]:.2f} and {known[above]:.2f}")
                self.assertLessEqual(moved, 1.1 * max(known[below], known[above]))

    def test_laplacian_and_rmat(self):
        for generator, most in (("stencil5 nx=256", 0.85e6), ("rmat scale=14 d=8", 13.5e6)):
            if not EVERYTHING and generator.startswith("rmat"):
                continue
            moved = sum(self.product(16, generator))
            print(f"{generator}: {moved / 1e6:.2f} MB")
            self.assertLessEqual(moved, most)

    def test_ranks(self):
        for ranks in (1, 4, 7, 12):
            with self.subTest(ranks=ranks):
                self.check(ranks)


if __name__ == "__main__":
    unittest.main()

"""Traffic == wire for sparse products: what the ranks counted is what Open MPI's monitoring saw, on every rank, byte for
byte and message for message; and one product minus none beside what other libraries move (tools/sparse_wire.py)."""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(os.environ["CAIRN_SOURCE"], "tools")))
import sparse_wire  # noqa: E402

PROBE = os.environ["CAIRN_PROGRAM"]
MPIRUN = os.environ["CAIRN_MPIEXEC"].split()[0]
EVERYTHING = os.environ.get("CAIRN_TRIALS") == "all"


class SparseWire(unittest.TestCase):
    def expect_met(self, row):
        print(sparse_wire.text_of(row))
        self.assertEqual(row["misses"], [])

    def test_random_matrices_beside_other_libraries(self):
        ranks = sparse_wire.RANKS if EVERYTHING else (4, 16)
        known = {}
        for p in ranks:
            for d in sparse_wire.DEGREES:
                if not EVERYTHING and (p, d) not in ((4, 2), (16, 8)):
                    continue
                with self.subTest(ranks=p, d=d):
                    known[p, d] = sparse_wire.random_product(PROBE, p, d, MPIRUN)
                    self.expect_met(sparse_wire.judge(known[p, d], known))
        if not EVERYTHING:
            return
        for p in sparse_wire.TREND:
            for d in sparse_wire.DEGREES:
                with self.subTest(ranks=p, d=d):
                    self.expect_met(sparse_wire.judge(sparse_wire.random_product(PROBE, p, d, MPIRUN), known))

    def test_laplacian_and_rmat(self):
        for name in ("laplacian", "rmat") if EVERYTHING else ("laplacian",):
            with self.subTest(name=name):
                self.expect_met(sparse_wire.whole(PROBE, name, MPIRUN))

    def test_ranks(self):
        for ranks in (1, 4, 7, 12):
            with self.subTest(ranks=ranks):
                received, _ = sparse_wire.run(PROBE, ranks, mpirun=MPIRUN)
                self.assertEqual(sum(received) > 0, ranks > 1)


if __name__ == "__main__":
    unittest.main()

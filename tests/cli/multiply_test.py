"""cairn plan multiply, cairn multiply and their benchmarks as a user meets them. Words are counted again here, from the grid."""
import itertools
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

LAUNCH = os.environ["CAIRN_MPIEXEC"].split()
CAIRN = os.environ["CAIRN_PROGRAM"]
# Without a saved machine: plans must not depend on the user's configuration.
ENVIRONMENT = {**os.environ, "XDG_CONFIG_HOME": "/dev/null/none", "XDG_CACHE_HOME": "/dev/null/none", "OPENBLAS_NUM_THREADS": "1"}
# For commands that must not start MPI: with this setting Open MPI would fail at once.
NO_MPI = {**ENVIRONMENT, "OMPI_MCA_pml": "none_of_them"}


def run(*words, launch=(), env=None):
    command = [*launch, CAIRN, *(str(w) for w in words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, env=env or ENVIRONMENT)


def parts(size, count):  # longer ones first
    return [size // count + (1 if i < size % count else 0) for i in range(count)]


def total_words(m, n, k, grid):
    pm, pn, pk = grid
    return m * k * (pn - 1) + k * n * (pm - 1) + m * n * (pk - 1)


def largest_brick(m, n, k, grid):
    return parts(m, grid[0])[0] * parts(n, grid[1])[0] * parts(k, grid[2])[0]


class Command(unittest.TestCase):
    def text(self, *words, **kwargs):
        result = run(*words, **kwargs)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def json(self, *words, **kwargs):
        return json.loads(self.text(*words, "--json", **kwargs))

    def expect_error(self, words, *expected, **kwargs):
        result = run(*words, **kwargs)
        self.assertNotEqual(result.returncode, 0, words)
        self.assertEqual(result.stdout, "", words)
        for part in expected:
            self.assertIn(part, result.stderr, words)
        self.assertEqual(result.stderr.count(expected[0]), 1, result.stderr)


class Plan(Command):
    def plan(self, *words):
        return self.json("plan", "multiply", *words, env=NO_MPI)

    def test_fewest_words_of_all_grids(self):
        for m, n, k, ranks in ((60, 60, 60, 12), (30, 200, 7, 17), (1, 50, 50, 9), (48, 48, 480, 8)):
            plan = self.plan("-m", m, "-n", n, "-k", k, "--ranks", ranks, "--algorithm", "cosma")
            self.assertEqual(plan["words"]["counted"]["total"], total_words(m, n, k, plan["grid"]))
            # Where a slice is the same for all, the busiest rank has the mean.
            grids = [g for g in itertools.product(range(1, ranks + 1), repeat=3) if g[0] * g[1] * g[2] <= ranks]
            limit = max(1.1 * m * n * k / ranks, min(largest_brick(m, n, k, g) for g in grids))
            allowed = [g for g in grids if largest_brick(m, n, k, g) <= limit * (1 + 1e-9)]
            self.assertIn(tuple(plan["grid"]), allowed)
            least_mean = min(total_words(m, n, k, g) / (g[0] * g[1] * g[2]) for g in allowed)
            self.assertGreaterEqual(plan["words"]["counted"]["max"], least_mean - 1)

    def test_fields(self):
        plan = self.plan("-m", 400, "-n", 300, "-k", 200, "--ranks", 6, "--type", "z", "--op-a", "T", "--op-b", "C",
                         "--algorithm", "cosma")
        for key in ("m", "n", "k", "ranks", "type", "algorithm", "grid", "bricks", "work", "rounds", "idle_ranks", "words", "messages",
                    "memory_bytes_per_rank", "seconds", "candidates", "algorithms"):
            self.assertIn(key, plan)
        self.assertEqual((plan["m"], plan["n"], plan["k"], plan["ranks"]), (400, 300, 200, 6))
        self.assertEqual((plan["type"], plan["op_a"], plan["op_b"]), ("z", "T", "C"))
        self.assertNotIn("verified", plan)
        pm, pn, pk = plan["grid"]
        self.assertEqual(plan["idle_ranks"], 6 - pm * pn * pk)
        words = plan["words"]
        self.assertAlmostEqual(words["counted"]["mean"], words["counted"]["total"] / (pm * pn * pk))
        self.assertAlmostEqual(words["max_to_bound"], words["counted"]["max"] / words["bound"])
        self.assertAlmostEqual(sum(plan["seconds"]["predicted_phases"].values()), plan["seconds"]["predicted"])
        self.assertGreater(plan["seconds"]["planning"], 0)
        self.assertIn("planned in", self.text("plan", "multiply", "-N", 40, "--ranks", 6, env=NO_MPI))
        # At least its parts of the three matrices, 16 bytes per element.
        self.assertGreaterEqual(plan["memory_bytes_per_rank"], 16 * (400 * 200 + 200 * 300 + 400 * 300) / 6)

    def test_candidates_are_sorted_and_explained(self):
        plan = self.plan("-N", 1000, "--ranks", 30)
        candidates = plan["candidates"]
        self.assertGreater(len(candidates), 3)
        self.assertEqual(candidates[0]["grid"], plan["grid"])
        seconds = [c["seconds"] for c in candidates]
        self.assertEqual(seconds, sorted(seconds))
        self.assertIn("chosen", candidates[0]["why"])
        self.assertTrue(all("more time" in c["why"] or "the same time" in c["why"] for c in candidates[1:]))
        for name, entry in plan["algorithms"].items():
            if entry["grid"] is not None:  # a tree has none
                self.assertEqual(entry["words_total"], total_words(1000, 1000, 1000, entry["grid"]), name)
            self.assertGreaterEqual(entry["seconds"], seconds[0] * (1 - 1e-9), name)
        text = self.text("plan", "multiply", "-N", 1000, "--ranks", 30, env=NO_MPI)
        self.assertIn(candidates[1]["why"], text)
        self.assertIn("summa3d-b", text)

    def test_given_grid_and_rounds(self):
        plan = self.plan("-m", 100, "-n", 90, "-k", 80, "--ranks", 9, "--grid", "2,2,2", "--rounds", "5,n")
        self.assertEqual((plan["algorithm"], plan["grid"], plan["idle_ranks"]), ("grid", [2, 2, 2], 1))
        self.assertEqual((plan["rounds"], plan["rounds_along"]), (5, "n"))
        self.assertEqual(plan["words"]["counted"]["total"], total_words(100, 90, 80, (2, 2, 2)))
        layers = self.plan("-N", 64, "--ranks", 32, "--algorithm", "2.5d", "--layers", 2)
        self.assertEqual(layers["grid"], [4, 4, 2])
        self.assertEqual(self.plan("-N", 64, "--ranks", 32, "--algorithm", "cosma")["objective"], "words")

    def test_memory_is_kept(self):
        free = self.plan("-N", 512, "--ranks", 8)
        limit = free["memory_bytes_per_rank"] * 2 // 3
        tight = self.plan("-N", 512, "--ranks", 8, "--memory", limit)
        self.assertLessEqual(tight["memory_bytes_per_rank"], limit)
        self.assertGreaterEqual(tight["words"]["bound"], free["words"]["bound"])
        for text, count in (("3M", 3 * 2**20), ("3MiB", 3 * 2**20), ("3 MB", 3e6), ("0.003G", 0.003 * 2**30), ("3145728B", 3 * 2**20)):
            self.assertEqual(self.plan("-N", 512, "--ranks", 8, "--memory", text)["grid"],
                             self.plan("-N", 512, "--ranks", 8, "--memory", int(count))["grid"], text)
            self.assertLessEqual(self.plan("-N", 512, "--ranks", 8, "--memory", text)["memory_bytes_per_rank"], count)
        self.expect_error(["plan", "multiply", "-N", 512, "--memory", "3X"], "--memory is '3X', expected a number above 0, of bytes")

    def test_many_ranks_and_none_to_multiply(self):
        self.assertEqual(self.plan("-N", 20000, "--ranks", "1e5")["ranks"], 100000)
        for sizes in (("-m", 0, "-n", 5, "-k", 5), ("-m", 5, "-n", 5, "-k", 0), ("-N", 0)):
            plan = self.plan(*sizes, "--ranks", 4)
            self.assertEqual(plan["words"]["counted"]["total"], 0)
            self.assertIsNone(plan["words"]["max_to_bound"])

    def test_machine_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "machine.json"
            # Messages so dear that one rank does it all.
            file.write_text(json.dumps({"format": "cairn-machine", "version": 1, "alpha": 10, "beta": 1e-9, "gamma": 1e-10,
                                        "memory_words": 1e9}))
            plan = self.plan("-N", 100, "--ranks", 8, "--machine", file)
            self.assertEqual((plan["grid"], plan["idle_ranks"]), ([1, 1, 1], 7))
            self.assertEqual(plan["machine"]["source"], str(file))
            self.expect_error(["plan", "multiply", "-N", 9, "--machine", folder + "/none"], folder + "/none: cannot open")

    def test_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            for words in (("-N", 64, "--ranks", 12), ("-m", 1, "-n", 1, "-k", 100000, "--ranks", 7), ("-N", 0),
                          ("-N", 9000, "--ranks", 5000)):
                file = pathlib.Path(folder) / "bricks.svg"
                self.text("plan", "multiply", *words, "--draw", file, env=NO_MPI)
                self.assertEqual(xml.etree.ElementTree.parse(file).getroot().tag, "{http://www.w3.org/2000/svg}svg")
                self.assertNotIn("nan", file.read_text())
            self.text("plan", "multiply", "-N", 64, "--ranks", 12, "--grid", "2,2,3", "--draw", file, env=NO_MPI)
            svg = file.read_text()
            self.assertEqual(svg.count("<polygon"), 3 * 12)  # three sides a brick
            bars = [int(words) for words in re.findall(r"rank \d+: (\d+) words", svg)]
            self.assertEqual(sum(bars), total_words(64, 64, 64, (2, 2, 3)))
        self.expect_error(["plan", "multiply", "-N", 8, "--draw", "/no/such/x.svg"], "--draw is '/no/such/x.svg'")

    def test_trees(self):
        for ranks in (7, 11, 13, 14, 17, 22):  # without a good grid: every rank works, and few words move
            plan = self.plan("-N", 2048, "--ranks", ranks, "--machine", "built-in")
            self.assertLess(plan["words"]["max_to_bound"], 1.35, plan["bricks"])
            self.assertLess(plan["work"], 1.03)
            self.assertEqual((plan["idle_ranks"], plan["grid"]), (0, None))
            again = self.plan("-N", 2048, "--ranks", ranks, "--machine", "built-in", "--grid", plan["bricks"])
            self.assertEqual((again["bricks"], again["words"]["counted"]["max"]), (plan["bricks"], plan["words"]["counted"]["max"]))
        self.assertEqual(self.plan("-N", 64, "--ranks", 12, "--grid", "m2n2k3")["grid"], [2, 2, 3])
        self.assertEqual(self.plan("-N", 64, "--ranks", 7, "--algorithm", "carma")["bricks"], "k(3:4){n(1:2){1, m2}, m2n2}")
        self.assertIn("tree", self.text("plan", "multiply", "-N", 640, "--ranks", 11, "--algorithm", "tree", env=NO_MPI))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "tree.svg"
            self.text("plan", "multiply", "-N", 640, "--ranks", 17, "--grid", "k(8:9){m2n2k2, m3n3}", "--draw", file, env=NO_MPI)
            self.assertEqual(file.read_text().count("<polygon"), 3 * 17)
            self.assertEqual(xml.etree.ElementTree.parse(file).getroot().tag, "{http://www.w3.org/2000/svg}svg")

    def test_errors(self):
        def wrong(*words):
            self.expect_error(["plan", "multiply", *words[:-1]], words[-1], env=NO_MPI)
            self.expect_error(["multiply", *words[:-1]], words[-1], env=NO_MPI)  # before any rank is started

        wrong("-m", 4, "-n", 4, "-k is missing")
        wrong("-N", -3, "-N is '-3', expected a whole number from 0 to")
        wrong("-N", "4.5", "-N is '4.5', expected a whole number")
        wrong("-N", 4, "--ranks", 0, "--ranks is '0', expected a whole number from 1 to")
        wrong("-N", 4, "--ranks", "many", "--ranks is 'many', expected a whole number")
        wrong("-N", 4, "--algorithm", "magic", "--algorithm is 'magic', expected one of auto, cosma, tree, summa2d-a")
        wrong("-N", 4, "--grid", "2,2", "--grid is '2,2', expected pm,pn,pk")
        wrong("-N", 4, "--grid", "2,0,1", "--grid is '2,0,1', expected pm,pn,pk")
        wrong("-N", 4, "--grid", "k(8:9){m2n2k2}", "--grid: tree 'k(8:9){m2n2k2}' at character 13, expected ','")
        wrong("-N", 4, "--grid", "k(2:3){m2, m2}", "has 2 bricks, expected 3")
        wrong("-N", 64, "--ranks", 3, "--grid", "k(2:2){m2, n2}", "the tree k(2:2){m2, n2} has 4 ranks, expected at most 3")
        wrong("-N", 64, "--ranks", 5, "--grid", "k(2:3){m2, n3}", "--transport", "one-sided", "one-sided transport for bricks of the tree")
        wrong("-N", 4, "--ranks", 3, "--grid", "2,2,1", "the grid [2, 2, 1] has 4 ranks, expected at most 3")
        wrong("-N", 4, "--grid", "1,1,1", "--algorithm", "carma", "--grid is '1,1,1' and --algorithm is 'carma'")
        wrong("-N", 4, "--objective", "beauty", "objective is 'beauty', expected time, words or volume")
        wrong("-N", 4, "--type", "q", "--type is 'q', expected s (float)")
        wrong("-N", 4, "--op-a", "X", "--op-a is 'X', expected N, T or C")
        wrong("-N", 4, "--op-b", "t", "--op-b is 't', expected N, T or C")
        wrong("-N", 4, "--memory", -1, "--memory is '-1', expected a number above 0")
        wrong("-N", 400, "--ranks", 4, "--memory", 1000, "memory is 1000 bytes per rank, and the least that would do is ")
        wrong("-N", 400, "--ranks", 4, "--grid", "2,2,1", "--memory", 1000, "--memory is 1000 bytes per rank, and 400 x 400")
        wrong("-N", 4, "--rounds", 2, "--rounds is '2' with algorithm auto")
        wrong("-N", 4, "--grid", "1,1,1", "--rounds", "2,z", "--rounds is '2,z', expected")
        wrong("-N", 4, "--grid", "1,1,1", "--rounds", 5, "5 rounds along k, expected 1 to 4")
        wrong("-N", 4, "--algorithm", "carma", "--layers", 2, "--layers is 2 with algorithm carma")
        wrong("-N", 4, "--ranks", 4, "--algorithm", "2.5d", "--layers", 9, "layers is 9, expected 1 to 4")
        wrong("-N", "4e9", "--ranks", 4, "4000000000 * 4000000000 exceeds 64 bits")


class Multiply(Command):
    def multiply(self, *words, ranks=4, **kwargs):
        return self.json("multiply", *words, "--ranks", ranks, "--repeat", 1, **kwargs)

    def expect_right(self, result):
        self.assertIs(result["verified"], True, result)
        words = result["words"]
        self.assertEqual(words["received"]["max"], words["counted"]["max"])
        self.assertEqual(words["sent"]["max"], words["counted"]["max_sent"])
        if result["grid"] is None:  # a tree
            self.assertEqual(words["received"]["total"], words["counted"]["total"])
            return
        grid_ranks = result["grid"][0] * result["grid"][1] * result["grid"][2]
        expected = total_words(result["m"], result["n"], result["k"], result["grid"])
        for direction in ("counted", "sent", "received"):
            self.assertEqual(words[direction]["total"], expected)
            self.assertAlmostEqual(words[direction]["mean"], expected / grid_ranks)

    def test_fields(self):
        result = self.multiply("-m", 120, "-n", 90, "-k", 70, "--algorithm", "cosma", ranks=3)
        self.expect_right(result)
        for key in ("m", "n", "k", "ranks", "type", "algorithm", "grid", "rounds", "idle_ranks", "words", "messages",
                    "memory_bytes_per_rank", "seconds", "gflops", "verified", "share_of_local_blas"):
            self.assertIn(key, result)
        self.assertEqual(set(result["seconds"]["phases"]), {"gather A", "gather B", "multiply", "combine C"})
        self.assertLessEqual(result["seconds"]["min"], result["seconds"]["median"])
        self.assertAlmostEqual(result["gflops"], 2e-9 * 120 * 90 * 70 / result["seconds"]["median"])
        self.assertLess(result["error_over_allowed"], 1)

    def test_types_ops_scalars_and_algorithms(self):
        cases = (("s", "N", "T", "cosma", "1.5", "0"), ("d", "T", "N", "2.5d", "-1", "1"), ("c", "C", "T", "summa2d-a", "1,2", "0,1"),
                 ("z", "T", "C", "carma", "0.5,-1", "2"), ("d", "N", "N", "cannon", "0", "3"), ("d", "T", "T", "summa3d-b", "1", "0"))
        for type_, op_a, op_b, algorithm, alpha, beta in cases:
            result = self.multiply("-m", 53, "-n", 41, "-k", 67, "--type", type_, "--op-a", op_a, "--op-b", op_b, "--algorithm",
                                   algorithm, f"--alpha={alpha}", f"--beta={beta}", ranks=6)
            self.assertIs(result["verified"], True, result)
            self.assertEqual(result["algorithm"], algorithm)
            if alpha != "0":
                self.expect_right(result)

    def test_shapes_that_are_hard(self):
        for m, n, k in ((1, 1, 1), (0, 5, 5), (5, 5, 0), (2, 3, 997), (1, 40, 1)):
            result = self.multiply("-m", m, "-n", n, "-k", k, "--beta", 2, "--objective", "words", ranks=5)
            self.assertIs(result["verified"], True, result)

    def test_given_grid_with_rounds_and_idle_ranks(self):
        result = self.multiply("-N", 60, "--grid", "2,1,2", "--rounds", "3,m", ranks=5)
        self.expect_right(result)
        self.assertEqual((result["grid"], result["idle_ranks"], result["rounds"]), ([2, 1, 2], 1, 3))

    def test_trees(self):
        for words in (("--algorithm", "tree"), ("--grid", "k(2:3){n2, m(1:2){1, n2}}", "--rounds", "3,m"),
                      ("--grid", "m(2:3){n2, k3}", "--rounds", 4, "--overlap", "on"),
                      ("--algorithm", "tree", "--type", "z", "--op-a", "C", "--op-b", "T", "--alpha=1,2", "--beta=2")):
            result = self.multiply("-m", 160, "-n", 130, "-k", 150, *words, ranks=5)
            self.expect_right(result)
            self.assertEqual((result["grid"], result["idle_ranks"]), (None, 0))

    def test_under_a_launcher_uses_its_ranks(self):
        result = self.json("multiply", "-N", 30, "--ranks", 9, "--repeat", 1, launch=[*LAUNCH, "-n", "2"])
        self.assertEqual(result["ranks"], 2)
        self.expect_error(["multiply", "-N", 30, "--grid", "3,1,1"], "the grid [3, 1, 1] has 3 ranks, expected at most 2",
                          launch=[*LAUNCH, "-n", "2"])

    def test_text_and_no_verify(self):
        text = self.text("multiply", "-N", 100, "--ranks", 2, "--repeat", 2)
        for part in ("counted before", "received", "busiest/bound", "gather A", "combine C", "2 runs", "verified with 2 random vectors: right",
                     "the local BLAS alone"):
            self.assertIn(part, text)
        self.assertIn("not verified", self.text("multiply", "-N", 30, "--ranks", 2, "--no-verify"))
        self.assertIsNone(self.multiply("-N", 30, "--no-verify", ranks=2)["verified"])
        self.assertIn("verified with 1 random vector: right", self.text("multiply", "-N", 30, "--ranks", 2, "--verify-rounds", 1))
        result = self.multiply("-N", 30, "--verify-rounds", 5, "--beta", 2, ranks=2)
        self.assertEqual((result["verified"], result["verify_rounds"]), (True, 5))

    def test_what_cannot_fit_is_an_error_before_any_rank_starts(self):
        for words in (["-N", 200000, "--ranks", 2], ["-N", 200000, "--ranks", 4, *Layouts.GRID]):
            self.expect_error(["multiply", *words], "per rank", "of this node, which has", "free", env=NO_MPI)
            self.expect_error(["multiply", *words], "per rank", "of this node, which has", "free", launch=[*LAUNCH, "-n", "4"])
        self.assertGreater(self.json("plan", "multiply", "-N", 200000, "--ranks", 2, env=NO_MPI)["memory_bytes_per_rank"], 1e11)

    def test_threads(self):
        self.assertEqual(self.multiply("-N", 30, "--threads", 2, ranks=2)["threads_per_rank"], 2)
        self.expect_error(["multiply", "-N", 30, "--threads", 0], "--threads", "is '0', expected a whole number, 1 or more")

    def test_errors(self):
        self.expect_error(["multiply", "-N", 4, "--alpha", "one"], "--alpha is 'one', expected a number")
        self.expect_error(["multiply", "-N", 4, "--beta", "1,2"], "--beta is '1,2', expected one number: --type is real")
        self.expect_error(["multiply", "-N", 4, "--type", "z", "--beta", "1,x"], "--beta is '1,x', expected")
        self.expect_error(["multiply", "-N", 4, "--repeat", 0], "--repeat", "is '0', expected a whole number, 1 or more")
        self.expect_error(["multiply", "-N", 4, "--verify-rounds", 0], "--verify-rounds", "is '0', expected a whole number, 1 or more")
        self.expect_error(["multiply", "-N", 4, "--verify-rounds", 1001], "--verify-rounds is 1001, expected 1 to 1000")


class Layouts(Command):
    """Matrices that already lie somewhere."""

    GRID = ["--layout-a", "block-cyclic 2x2 mb=8 nb=8", "--layout-b", "block-cyclic 2x2 mb=8 nb=8",
            "--layout-c", "block-cyclic 2x2 mb=8 nb=8"]

    def test_c_stays_where_it_is(self):
        m, n, k = 96, 64, 16
        plan = self.json("plan", "multiply", "-m", m, "-n", n, "-k", k, "--ranks", 4, "--objective", "words",
                         *self.GRID, env=NO_MPI)
        self.assertEqual((plan["grid"], plan["in_place"]), ([2, 2, 1], ["C"]))
        self.assertEqual(plan["words"]["counted"]["total"], m * k + k * n)
        self.assertIn("C in place", [c["cut"] for c in plan["candidates"]])

    def test_runs_as_planned(self):
        for words in (["--beta", 0.5, *self.GRID], ["--op-a", "T", "--type", "z", "--layout-c", "rows 3"],
                      ["--layout-a", "elemental 1x4", "--layout-b", "rank 2"]):
            run_ = self.json("multiply", "-m", 50, "-n", 41, "-k", 33, "--ranks", 4, "--objective", "words",
                             "--repeat", 1, *words)
            self.assertTrue(run_["verified"])
            self.assertEqual(run_["words"]["received"]["total"], run_["words"]["counted"]["total"])
            self.assertEqual(run_["words"]["received"]["max"], run_["words"]["counted"]["max"])
            self.assertEqual(run_["words"]["sent"]["total"], run_["words"]["received"]["total"])

    def test_the_names_are_those_without_layouts(self):
        def names(value, path=""):
            inner = [n for key, v in value.items() for n in names(v, f"{path}.{key}")] if isinstance(value, dict) else []
            return {path, *inner}

        words = ["-N", 40, "--ranks", 4, "--repeat", 1]
        # What only one of them has: bricks that follow no matrix have no layouts, and phases go by other names.
        own = (".layouts", ".in_place", ".cut", ".counted", ".rounds_along", ".combines", ".algorithms", ".seconds.p", ".words.phases.",
               ".seconds.local_blas", ".share_of_local_blas")
        for verb in (["plan", "multiply"], ["multiply"]):
            native, placed = (names(self.json(*verb, *words[:4 if verb[0] == "plan" else 6], *layouts)) for layouts in ([], self.GRID))
            self.assertEqual({n for n in native ^ placed if not n.startswith(own)}, set(), verb)

    def test_trees(self):
        plan = self.json("plan", "multiply", "-N", 2048, "--ranks", 7, "--machine", "built-in", "--layout-a", "block-cyclic 7x1 mb=64 nb=64",
                         "--layout-b", "block-cyclic 7x1 mb=64 nb=64", "--layout-c", "block-cyclic 1x7 mb=64 nb=64", env=NO_MPI)
        self.assertEqual((plan["grid"], plan["idle_ranks"], plan["cut"]), (None, 0, "bricks of a tree"))
        words = ["multiply", "-m", 130, "-n", 150, "-k", 140, "--ranks", 5, "--repeat", 1, "--layout-a", "rows 5", "--layout-c", "columns 5"]
        for given in (["--algorithm", "tree"], ["--grid", "k(2:3){n2, m(1:2){1, n2}}"]):
            result = self.json(*words, *given, "--type", "z", "--op-a", "C", "--beta=2")
            self.assertIs(result["verified"], True)
            self.assertEqual((result["grid"], result["words"]["counted"]["max"]), (None, result["words"]["received"]["max"]), result["bricks"])
        self.assertEqual(self.json(*words, "--grid", "2,1,2")["grid"], [2, 1, 2])
        for given in (["--algorithm", "tree"], ["--grid", "2,1,2"]):
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "bricks.svg"
                self.text("plan", *words[:9], *words[11:], *given, "--draw", file, env=NO_MPI)
                self.assertEqual(file.read_text().count("<polygon"), 3 * (5 if given[0] == "--algorithm" else 4))
                received = [int(x) for x in re.findall(r">rank \d+: (\d+) words", file.read_text())]
                plan = self.json("plan", *words[:9], *words[11:], *given, env=NO_MPI)
                self.assertEqual(sum(received), plan["words"]["counted"]["total"])

    def test_errors(self):
        plan = ["plan", "multiply", "-N", 20, "--ranks", 4]
        self.expect_error([*plan, "--layout-a", "blokced 2x2"], "--layout-a", "blokced")
        self.expect_error([*plan, "--layout-b", "blocked 2x3"], "the layout of B names rank 5, expected ranks below 4")
        self.expect_error([*plan, "--layout-c", "rows 2", "--algorithm", "carma"], "--layout-* with --algorithm carma")
        self.expect_error([*plan, "--layout-c", "rows 2", "--grid", "2,2,1", "--rounds", 2], "--layout-* with --rounds")


class Overlap(Command):
    def test_words_move_while_rounds_multiply(self):
        words = ["multiply", "-N", 150, "--ranks", 4, "--grid", "2,2,1", "--rounds", "5,k", "--repeat", 1]
        plain, ahead = self.json(*words), self.json(*words, "--overlap", "on")
        self.assertEqual((plain["lookahead"], ahead["lookahead"]), (0, 1))
        self.assertTrue(ahead["verified"])
        self.assertEqual(ahead["words"]["received"], plain["words"]["received"])
        self.assertGreater(ahead["memory_bytes_per_rank"], plain["memory_bytes_per_rank"])

    def test_c_is_combined_in_parts(self):
        words = ["multiply", "-N", 150, "--ranks", 4, "--grid", "1,2,2", "--rounds", "6,k", "--repeat", 1]
        whole, parts, usual = (self.json(*words, "--overlap", x) for x in ("1", "2,3", "on"))
        self.assertEqual([(p["lookahead"], p["combines"]) for p in (whole, parts, usual)], [(1, 1), (2, 3), (1, 4)])
        self.assertTrue(parts["verified"] and usual["verified"])
        self.assertEqual(parts["words"]["received"]["total"], whole["words"]["received"]["total"])
        self.assertEqual(parts["words"]["received"]["max"], parts["words"]["counted"]["max"])
        self.expect_error(["plan", "multiply", "-N", 9, "--overlap", "2,4"], "--overlap is '2,4', expected off or on")
        self.expect_error([*words, "--overlap", "1,x"], "--overlap is '1,x'")
        self.expect_error([*words[:-4], "--rounds", "6,m", "--overlap", "1,2"], "C is combined in 2 parts, expected 1 to 1")

    def test_transport(self):
        self.assertTrue(self.json("multiply", "-N", 90, "--ranks", 3, "--transport", "one-sided", "--repeat", 1)["verified"])
        self.expect_error(["plan", "multiply", "-N", 9, "--transport", "carrier"],
                          "--transport is 'carrier', expected two-sided or one-sided")
        self.expect_error(["plan", "multiply", "-N", 9, "--overlap", "yes"], "--overlap is 'yes', expected off or on")


class Benchmarks(Command):
    def test_multiply(self):
        bench = self.json("bench", "multiply", "--ranks", "2,3", "--shapes", "60x50x40,64x64x64", "--seconds", 0, "--no-peer")
        self.assertEqual([(r["ranks"], r["m"]) for r in bench["rows"]], [(2, 60), (2, 64), (3, 60), (3, 64)])
        for row in bench["rows"]:
            self.assertLess(row["error_over_allowed"], 1)
            self.assertGreater(row["share_of_local"], 0)
            self.assertGreater(row["over_one_rank"], 0)
        self.expect_error(["bench", "multiply", "--shapes", "60x50"], "--shapes is '60x50', expected MxNxK")

    def test_volume(self):
        words = 2**18
        bench = self.json("bench", "volume", "--ranks", "8,12,64", "--words-per-core", words, env=NO_MPI)
        rows = {(r["shape"], r["benchmark"]): r for r in bench["scenarios"]}
        self.assertEqual(len(rows), 12)
        self.assertEqual(rows["square", "strong scaling"]["paper_megabytes"], {"scalapack": 203, "ctf": 222, "carma": 195, "cosma": 107})
        self.assertEqual([len(rows[s, "strong scaling"]["points"]) for s in ("square", "largeK", "largeM", "flat")], [3, 0, 0, 3])
        for (shape, benchmark), row in rows.items():
            for point in row["points"]:
                m, n, k, ranks = (point[x] for x in ("m", "n", "k", "ranks"))
                self.assertTrue({"square": m == n == k, "largeK": k > m == n, "largeM": m > n == k, "flat": m == n > k}[shape], point)
                if benchmark == "limited memory":  # the input grows with the ranks, and a rank has room for twice its share
                    self.assertAlmostEqual((m * n + m * k + n * k) / (words * ranks), 1, delta=0.05)
                    self.assertAlmostEqual(point["memory_words"], 2 * words)
                for name in ("cosma", "2d", "2.5d", "carma"):
                    found = point[name]
                    if found["mean_words"] is None:
                        self.assertIn("does not fit", found["how"])
                        continue
                    times, grid = re.fullmatch(r"(?:(\d+) times )?\[([\d, ]+)\]", found["how"]).groups()
                    grid = [int(x) for x in grid.split(",")]
                    used = grid[0] * grid[1] * grid[2]
                    self.assertLessEqual(used, ranks)
                    self.assertGreaterEqual(found["busiest_words"], found["mean_words"] * (1 - 1e-12))
                    if times is None:
                        self.assertAlmostEqual(found["mean_words"], total_words(m, n, k, grid) / used, delta=1e-6 * m * n)
                    if name == "2d":
                        self.assertEqual(grid[2], 1)
                        best = min(total_words(m, n, k, (x, y, 1)) / x / y for x in range(1, ranks + 1) for y in range(1, ranks // x + 1)
                                   if largest_brick(m, n, k, (x, y, 1)) <= 1.1 * m * n * k / ranks)
                        self.assertLessEqual(found["mean_words"], 1.02 * best)
                    if name == "carma":
                        self.assertEqual(used & (used - 1), 0)
            for name, mean in row["mean"].items():
                fitting = [p[name]["mean_words"] for p in row["points"] if p[name]["mean_words"] is not None]
                self.assertEqual(mean["points"], len(fitting))
                if fitting:
                    self.assertAlmostEqual(mean["megabytes"], 8e-6 * sum(fitting) / len(fitting))
        text = self.text("bench", "volume", "--ranks", "8", "--words-per-core", words, "--only", "flat", "--points", env=NO_MPI)
        for part in ("flat, limited memory", "cosma/bound", "| paper: COSMA", "131072 x 131072 x 512", "Comparable with Table 3"):
            self.assertIn(part, text)
        self.expect_error(["bench", "volume", "--only", "round"], "--only")


if __name__ == "__main__":
    unittest.main()

"""cairn bound and cairn pebble as a user meets them. Numbers are counted again here, from loops where that is possible."""
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

CAIRN = os.environ["CAIRN_PROGRAM"]
EXAMPLES = pathlib.Path(os.environ["CAIRN_SOURCE"]) / "examples" / "daap"

# MPI must not be started: with this setting Open MPI would fail at once.
ENVIRONMENT = {**os.environ, "OMPI_MCA_pml": "none_of_them"}


def run(*words, text=None):
    command = [CAIRN, *(str(w) for w in words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, input=text, env=ENVIRONMENT)


class Command(unittest.TestCase):
    def run_text(self, *words, text=None):
        result = run(*words, text=text)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def run_json(self, *words, text=None):
        return json.loads(self.run_text(*words, "--json", text=text))

    def expect_error(self, words, *parts, text=None):
        result = run(*words, text=text)
        self.assertNotEqual(result.returncode, 0, words)
        self.assertEqual(result.stdout, "", words)
        for part in parts:
            self.assertIn(part, result.stderr, words)


class ClosedForms(Command):
    def expect_keys(self, bound):
        self.assertIsInstance(bound["bound"], (int, float))
        self.assertGreater(len(bound["formula"]), 0)
        self.assertGreater(len(bound["latex"]), 0)
        for part in bound["parts"]:
            self.assertEqual(set(part), {"name", "value", "formula", "latex"})
        self.assertAlmostEqual(self.value(bound["formula"], bound["symbols"]), bound["bound"], delta=1e-6 * bound["bound"])

    @staticmethod
    def value(formula, symbols):  # the printed formula has the printed value
        names = {"sqrt": math.sqrt, "min": min, "max": max, "log2": math.log2, "ceil": math.ceil, **symbols}
        return eval(formula.replace("^", "**"), {"__builtins__": {}}, names)

    def part(self, bound, name):
        return next(p["value"] for p in bound["parts"] if p["name"] == name)

    def test_multiply_between_ranks(self):
        # A cube cut into 4 x 4 x 4 cubes touches three faces of 1024^2 and owns a 64th of three matrices.
        bound = self.run_json("bound", "multiply", "-N", 4096, "--ranks", 64, "--memory", "1e9")
        self.expect_keys(bound)
        self.assertAlmostEqual(bound["bound"], 3 * 1024**2 - 3 * 4096**2 / 64, delta=1)
        same = self.run_json("bound", "multiply", "-m", 4096, "--n", 4096, "-k", "4.096e3", "--ranks", 64)
        self.assertEqual(same["bound"], bound["bound"])
        # Rows of A cut in four: B is touched as a whole, and three quarters of it are received.
        rows = self.run_json("bound", "multiply", "-m", 4000, "-n", 100, "-k", 50, "--ranks", 4)
        self.expect_keys(rows)
        self.assertAlmostEqual(rows["bound"], 0.75 * 100 * 50, delta=1e-6)
        self.assertEqual(self.run_json("bound", "multiply", "-N", 100, "--ranks", 1)["bound"], 0)

    def test_multiply_on_one_processor(self):
        bound = self.run_json("bound", "multiply", "-N", 60, "--memory", 120)
        self.expect_keys(bound)
        played = self.run_json("pebble", "multiply", "-N", 60, "--red", 120, "--order", "fitted-tile")
        self.assertLess(bound["bound"], played["games"][0]["moved"])
        self.assertGreater(bound["bound"], 0.8 * played["games"][0]["moved"])
        self.assertEqual(self.run_json("bound", "multiply", "-N", 10, "--memory", 1e6)["bound"], 300)

    def test_multiply_that_does_not_fit_is_said(self):
        self.assertIn("does not fit", self.run_text("bound", "multiply", "-N", 4096, "--ranks", 64, "--memory", 1000))

    def test_strassen(self):
        bound = self.run_json("bound", "strassen", "-N", 2**14, "--ranks", 49)
        self.expect_keys(bound)
        self.assertAlmostEqual(bound["bound"], 2.0**28 / 16, delta=1)  # 49^(2 / log2 7) = 2^4
        # Two BFS steps: 36/4 n^2/P words, then 9 (n/2)^2/(P/7).
        words = 9 * 2.0**28 / 49 + 9 * 2.0**26 / 7
        self.assertAlmostEqual(self.part(bound, "CAPS, words sent plus received"), words, delta=1)

    def test_lu(self):
        n, ranks, memory = 300, 4, 40000
        bound = self.run_json("bound", "lu", "-N", n, "--ranks", ranks, "--memory", memory)
        self.expect_keys(bound)
        # Section 6.1 counts one column less than the loops have.
        updates = sum((n - k - 1) * (n - k - 2) for k in range(n))
        self.assertAlmostEqual(self.part(bound, "S2"), updates / (ranks * math.sqrt(memory) / 2), delta=1e-6)
        self.assertAlmostEqual(self.part(bound, "S1"), sum(n - k - 1 for k in range(n)) / ranks, delta=1e-6)
        self.assertAlmostEqual(bound["bound"], self.part(bound, "S1") + self.part(bound, "S2"), delta=1e-6)

    def test_without_memory_it_is_the_bound_of_plans(self):
        for op in ("lu", "cholesky"):
            bound = self.run_json("bound", op, "-N", 1000, "--ranks", 16)
            self.expect_keys(bound)
            plan = self.run_json("plan", op, "-N", 1000, "--ranks", 16, "--machine", "built-in")
            self.assertGreater(bound["bound"], 0)
            self.assertAlmostEqual(bound["bound"], plan["words"]["bound"], delta=1e-6)
            self.expect_error(["bound", op, "-N", 1000], "--ranks and --memory are missing")

    def test_cholesky_is_not_the_printed_bound(self):
        # Left-looking Cholesky moves N(N+1) words with this memory; the printed formula asks for more.
        n, memory = 80, 1642
        bound = self.run_json("bound", "cholesky", "-N", n, "--memory", memory)
        self.expect_keys(bound)
        played = self.run_json("pebble", "cholesky", "-n", n, "--red", memory, "--order", "jki")
        moved = played["games"][0]["moved"]
        self.assertEqual(moved, n * (n + 1))
        self.assertLess(bound["bound"], moved)
        printed = self.part(bound, "S1") + self.part(bound, "S2") + self.part(bound, "S3 as printed")
        self.assertGreater(printed, moved)
        self.assertAlmostEqual(played["paper_bound"], printed, delta=1e-6)

    def test_spgemm(self):
        bound = self.run_json("bound", "spgemm", "-N", "1e6", "-d", 16, "--ranks", 64)
        self.expect_keys(bound)
        self.assertAlmostEqual(bound["bound"], 16e6 / 8, delta=1e-3)
        self.assertAlmostEqual(self.run_json("bound", "spgemm", "-N", "1e6", "-d", 4, "--ranks", 64)["bound"], 16e6 / 64)

    def test_text_has_the_number(self):
        self.assertIn("2359296\n", self.run_text("bound", "multiply", "-N", 4096, "--ranks", 64))

    def test_errors(self):
        self.expect_error(["bound"], "subcommand")
        self.expect_error(["bound", "qr"], "cairn bound: unknown command 'qr'", "The commands are: multiply, strassen, lu")
        self.expect_error(["bound", "lu", "-N", "1e19", "--memory", 10], "-N is '1e19', expected a whole number from 1 to 9223372036854775807")
        self.expect_error(["bound", "lu", "-N", 4, "--memory", 0.5], "--memory is '0.5'")
        self.expect_error(["bound", "spgemm", "-N", 10, "-d", 0], "-d is '0', expected a number above 0")
        self.expect_error(["bound", "lu", "-N", 10], "--memory")
        self.expect_error(["bound", "lu", "-N", "abc", "--memory", 10], "-N is 'abc', expected a whole number")
        self.expect_error(["bound", "lu", "-N", "-5", "--memory", 10], "-N is '-5'")
        self.expect_error(["bound", "lu", "-N", "1e99", "--memory", 10], "-N is '1e99'")
        self.expect_error(["bound", "lu", "-N", "4.5", "--memory", 10], "-N is '4.5'")
        self.expect_error(["bound", "cholesky", "-N", 4, "--memory", 0], "--memory is '0', expected a number from 1 on")
        self.expect_error(["bound", "cholesky", "-N", 4, "--memory", "inf"], "--memory is 'inf'")
        self.expect_error(["bound", "strassen", "-N", 4, "--ranks", 0], "--ranks is '0'")
        self.expect_error(["bound", "multiply", "-m", 4, "--ranks", 2], "-n is missing")
        self.expect_error(["bound", "multiply", "-N", 4], "--ranks", "--memory")
        self.expect_error(["bound", "spgemm", "-N", 10, "-d", 20, "--ranks", 4], "d is 20, expected 0 < d <= n = 10")

    def test_huge_and_least_sizes(self):
        for words in (["multiply", "-N", "1e15"], ["strassen", "-N", "1e15"], ["lu", "-N", "1e15"], ["cholesky", "-N", "9e18"]):
            bound = self.run_json("bound", *words, "--ranks", "1e15", "--memory", "1e6")
            self.expect_keys(bound)
            self.assertGreater(bound["bound"], 1e10)
        # Of one element nothing has to be computed but a root.
        self.assertEqual(self.run_json("bound", "lu", "-N", 1, "--memory", 1)["bound"], 0)
        self.assertEqual(self.run_json("bound", "cholesky", "-N", 1, "--memory", 1)["bound"], 1)
        self.assertNotIn("-0", self.run_text("bound", "lu", "-N", 1, "--memory", 1))

    def test_one_rank_moves_nothing_to_others(self):
        self.assertEqual(self.run_json("bound", "spgemm", "-N", 100, "-d", 3)["bound"], 0)
        self.assertIn("loads and stores", self.run_json("bound", "strassen", "-N", 64, "--memory", 48)["what"])

    def test_strassen_says_why_caps_is_missing(self):
        self.assertIn("CAPS is not shown", self.run_text("bound", "strassen", "-N", 64, "--ranks", 8))
        self.assertIn("does not fit", self.run_text("bound", "strassen", "-N", 64, "--ranks", 7, "--memory", 10))

    def test_help_has_an_example_that_runs(self):
        for name in ("multiply", "strassen", "lu", "cholesky", "spgemm"):
            example = self.run_text("bound", name, "--help").split("example:\n")[1].split()
            self.assertEqual(example[:3], ["cairn", "bound", name])
            self.assertGreater(self.run_json(*example[1:])["bound"], 0)


class Programs(Command):
    def test_lu_from_its_loops(self):
        n, ranks, memory = 60, 4, 1024
        lu = self.run_json("bound", "program", EXAMPLES / "lu.daap", "--set", f"N={n}", "--ranks", ranks, "--memory", memory)
        updates = sum(1 for k in range(n) for i in range(k + 1, n) for j in range(k + 1, n))
        divisions = sum(1 for k in range(n) for i in range(k + 1, n))
        self.assertAlmostEqual(lu["bound"], (updates / (math.sqrt(memory) / 2) + divisions) / ranks, delta=1e-6)
        self.assertEqual(lu["leading"]["formula"], "2*N^3/(3*P*sqrt(M))")
        self.assertIn("\\sqrt{M}", lu["latex"])
        s1, s2 = lu["parts"]
        self.assertEqual((s1["name"], s2["name"]), ("S1", "S2"))
        self.assertEqual(s2["vertices"]["value"], updates)
        self.assertEqual(s2["rho"]["formula"], "sqrt(M)/2")
        self.assertEqual(s2["rho"]["value"], 16)
        self.assertEqual(s2["x0"]["formula"], "3*M")
        self.assertEqual(s2["tiles"]["j"]["value"], 32)
        self.assertIsNone(s1["x0"]["value"])  # infinite
        self.assertAlmostEqual(s1["value"] + s2["value"], lu["bound"], delta=1e-6)

    def test_standard_input(self):
        text = "for i in 0..m { for j in 0..n { for p in 0..k { C[i,j] = f(C[i,j], A[i,p], B[p,j]); } } }"
        sizes = ["--set", "m=10", "--set", "n=20", "--set", "k=30"]
        mmm = self.run_json("bound", "program", "-", *sizes, "--memory", 25, text=text)
        self.assertEqual(mmm["formula"], "2*k*m*n/(P*sqrt(M))")
        self.assertAlmostEqual(mmm["bound"], 2 * 6000 / 5)

    def test_formulas_alone(self):
        out = self.run_text("bound", "program", EXAMPLES / "cholesky.daap")
        self.assertIn("~ N^3/(3*P*sqrt(M))", out)
        self.assertIn("exploits the overlap", out)
        self.assertIsNone(self.run_json("bound", "program", EXAMPLES / "cholesky.daap")["bound"])
        shared = self.run_json("bound", "program", EXAMPLES / "cholesky.daap", "--overlap", "shared")
        self.assertEqual(shared["leading"]["formula"], "N^3/(6*P*sqrt(M))")

    def test_every_example_is_a_program_or_says_why_not(self):
        outside = {"convolution", "heat_3d", "jacobi_2d"}
        for file in sorted(EXAMPLES.glob("*.daap")):
            if file.stem in outside:
                self.expect_error(["bound", "program", file], f"{file}:", "^")
            else:
                self.assertGreater(len(self.run_json("bound", "program", file)["parts"]), 0, file)

    def test_errors_point_at_the_place(self):
        self.expect_error(["bound", "program", "-"], "standard input:1:21:", "expected ']'", "\n                      ^",
                          text="for i in 0..N { C[i = f(); }")
        lu = ["bound", "program", EXAMPLES / "lu.daap"]
        self.expect_error([*lu, "--memory", 100], "the size N", "has no value")
        self.expect_error([*lu, "--set", "N=4"], "--memory is missing")
        self.expect_error([*lu, "--set", "N=0", "--memory", 100], "--set N is '0'")
        self.expect_error([*lu, "--set", "N", "--memory", 100], "--set is 'N', expected NAME=SIZE")
        self.expect_error([*lu, "--set", "N=4", "--set", "N=5", "--memory", 100], "--set N is given twice")
        self.expect_error([*lu, "--set", "N=4", "--set", "Q=5", "--memory", 100], "Q = 5")
        self.expect_error([*lu, "--set", "n=4", "--memory", 100], "n = 4 is set", "has no size n")
        self.expect_error([*lu, "--overlap", "some"], "--overlap is 'some', expected disjoint or shared")
        self.expect_error(["bound", "program", "/no/such/file"], "/no/such/file: cannot open")
        self.expect_error(["bound", "program", "/"], "/: cannot read")
        self.expect_error(["bound", "program", "/dev/zero"], "expected at most 65536")


class Tables(Command):
    def cells(self, *words):
        table = self.run_json("bound", "table", *words)
        return {row["name"]: {c: cell["value"] for c, cell in row["cells"].items()} for row in table["rows"]}

    def test_000_2(self):
        rows = self.cells("000.2", "-N", 4096, "--ranks", 64, "--memory", 4096**2 * 2 // 64)
        self.assertAlmostEqual(rows["2D, general"]["Q"], 2 * 4096 * 512 + 512**2)  # a panel of A, one of B, a block of C
        self.assertAlmostEqual(rows["recursive, square, limited memory"]["Q"], rows["recursive, general"]["Q"], delta=1)
        tall = self.cells("000.2", "-m", 8, "-n", 8, "-k", 128, "--ranks", 64, "--memory", 2 * 8 * 128 / 16)
        self.assertAlmostEqual(tall["COSMA, tall, extra memory, less owned inputs"]["Q"] / 64, 0.69, delta=0.005)
        self.assertAlmostEqual(tall["recursive, tall, extra memory, less owned inputs"]["Q"] / 64, 0.75, delta=1e-9)

    def test_001_1(self):
        rows = self.cells("001.1", "-N", 4096, "--ranks", 49, "--memory", 1e6, "--steps", 2)
        self.assertAlmostEqual(rows["Strassen-2D"]["flops"], 49 / 64 * 4096**3 / 49, delta=1)
        self.assertAlmostEqual(rows["Strassen-2D"]["messages"], 49 * 7)
        self.assertLess(rows["CAPS"]["words"], rows["2.5D"]["words"])
        none = self.cells("001.1", "-N", 4096, "--ranks", 49, "--memory", 1e6, "--steps", 0)
        self.assertEqual(none["Strassen-2D"], none["2D"])

    def test_002_2(self):
        rows = self.cells("002.2", "-N", 4096, "--ranks", 64, "--memory", 2**20)
        conflux = 4096**3 / 64 / 1024
        self.assertAlmostEqual(rows["COnfLUX / COnfCHOX, 1D and 2.5D"]["words"], conflux)
        self.assertAlmostEqual(rows["CANDMC, nested 2.5D"]["words"], 5 * conflux)
        self.assertLess(rows["LU lower bound"]["words"], conflux)
        self.assertLess(rows["Cholesky lower bound, triangles"]["words"], rows["Cholesky lower bound, printed"]["words"])

    def test_004_1(self):
        rows = self.cells("004.1", "-N", 1000, "-d", 4, "--ranks", 16, "--memory", 1e4)
        self.assertAlmostEqual(rows["2D SpSUMMA"]["words"], 1000)
        self.assertAlmostEqual(rows["1D outer product*"]["words"], 1000)
        self.assertAlmostEqual(rows["1D naive block row"]["words"], 4000)

    def test_text(self):
        words = ["bound", "table", "002.2", "-N", 4096, "--ranks", 64, "--memory", 2**20]
        self.assertIn("1048576\n", self.run_text(*words))
        self.assertIn("5*N^3/(P*sqrt(M))\n", self.run_text(*words, "--formulas"))

    def test_errors(self):
        numbers = ["--ranks", 4, "--memory", 100]
        self.expect_error(["bound", "table", "000.3", "-N", 4, *numbers], "table is '000.3', expected 000.2, 001.1")
        self.expect_error(["bound", "table", "000.2", "-m", 4, *numbers], "-n is missing")
        self.expect_error(["bound", "table", "001.1", *numbers], "-N is missing")
        self.expect_error(["bound", "table", "004.1", "-N", 4, *numbers], "-d is missing")
        self.expect_error(["bound", "table", "002.2", "-N", 4, "--ranks", 4], "--memory")


class Pebble(Command):
    def test_listing_1_is_near_and_loops_are_far(self):
        game = self.run_json("pebble", "multiply", "--m", 60, "--n", 60, "--k", 60, "--red", 120, "--order", "listing1,ijk,random")
        self.assertEqual(game["vertices"], 60**3 + 2 * 60**2)
        listing1, loops, random = (g["moved"] for g in game["games"])
        tiles = 60 // 10  # a = sqrt(121) - 1 = 10
        self.assertLessEqual(listing1, 2 * tiles * 60**2 + 60**2)
        self.assertGreater(loops, 4 * listing1)
        self.assertGreater(random, 10 * listing1)
        self.assertLess(game["bound"], listing1)
        self.assertAlmostEqual(game["games"][0]["ratio"], listing1 / game["bound"])

    def test_no_order_is_below_the_bound(self):
        orders = "ijk,ikj,jik,jki,kij,kji,blocked,blocked:2,random:1,random:2"
        for kernel, size in (("multiply", ["-N", 12]), ("lu", ["-n", 14]), ("cholesky", ["-n", 14]), ("syrk", ["-n", 12, "-k", 9])):
            for red in (4, 12, 40):
                game = self.run_json("pebble", kernel, *size, "--red", red, "--order", orders)
                self.assertEqual(len(game["games"]), 10)
                for g in game["games"]:
                    self.assertGreaterEqual(g["moved"], game["bound"] - 1e-9, (kernel, red, g["order"]))
                    self.assertLessEqual(g["peak_red"], red)

    def test_the_optimum_of_a_tiny_product(self):
        orders = ["optimal", "ijk", "kij", "random:1"]
        game = self.run_json("pebble", "multiply", "-m", 3, "-n", 3, "-k", 1, "--red", 4, "--order", ",".join(orders))
        least, *others = (g["moved"] for g in game["games"])
        self.assertEqual(least, 17)  # Theorem 1 says 18
        self.assertGreater(game["paper_bound"], least)
        self.assertLessEqual(least, min(others))
        self.expect_error(["pebble", "multiply", "-N", 3, "--red", 8, "--order", "optimal"], "45 vertices", "at most 32")

    def test_bricks_of_several_ranks_move_their_faces(self):
        m, n, k, grid = 6, 8, 9, (2, 4, 3)
        game = self.run_json("pebble", "multiply", "-m", m, "-n", n, "-k", k, "--red", 1000, "--ranks", 24, "--grid", "2x4x3", "--order", "kij")
        (played,) = game["games"]
        self.assertEqual((len(played["ranks"]), played["grid"]), (24, "2x4x3"))
        faces = {}  # what the voxels of each rank touch, counted
        for i in range(m):
            for j in range(n):
                for l in range(k):
                    rank = (i * grid[0] // m * grid[1] + j * grid[1] // n) * grid[2] + l * grid[2] // k
                    faces.setdefault(rank, set()).update({("A", i, l), ("B", l, j), ("C", i, j)})
        for rank, account in enumerate(played["ranks"]):
            c = sum(1 for matrix, _, _ in faces[rank] if matrix == "C")
            self.assertEqual(account["inputs_received"], len(faces[rank]) - c)
            self.assertEqual(account["values_received"], 0 if rank % 3 == 0 else c)
            self.assertEqual(account["values_sent"] + account["outputs_stored"], c)
        self.assertEqual(played["busiest"], max(a["words"] for a in played["ranks"]))
        self.assertAlmostEqual(played["ratio"], played["busiest"] / game["bound"])

    def test_no_deal_of_the_work_is_below_the_bound(self):
        sizes = {"multiply": ["-N", 12], "lu": ["-n", 14], "cholesky": ["-n", 14], "syrk": ["-n", 12, "-k", 9]}
        for kernel, size in sizes.items():
            for ranks, red in ((1, 12), (4, 6), (6, 20), (12, 200)):
                deals = [[]] if kernel == "multiply" else [[], ["--block", 2], ["--grid", f"1x{ranks}"]]
                for deal in deals:
                    game = self.run_json("pebble", kernel, *size, "--red", red, "--ranks", ranks, "--order", "kij,blocked,random:3", *deal)
                    for g in game["games"]:
                        self.assertGreaterEqual(g["busiest"], game["bound"] - 1e-9, (kernel, ranks, red, g["order"]))
                        self.assertLessEqual(max(a["peak_red"] for a in g["ranks"]), red)
                        self.assertEqual(sum(a["computes"] for a in g["ranks"]), game["vertices"] - self.inputs(kernel, *size[1::2]))

    @staticmethod
    def inputs(kernel, n, k=0):
        return {"multiply": 2 * n * n, "lu": n * n, "cholesky": n * (n + 1) // 2, "syrk": n * k}[kernel]

    def test_one_rank_is_the_game_of_one_processor(self):
        alone = self.run_json("pebble", "lu", "-n", 12, "--red", 15, "--order", "jki")
        ranks = self.run_json("pebble", "lu", "-n", 12, "--red", 15, "--order", "jki", "--ranks", 1)
        self.assertEqual(ranks["games"][0]["busiest"], alone["games"][0]["moved"])
        self.assertEqual(ranks["bound"], alone["bound"])

    def test_text_of_several_ranks(self):
        text = self.run_text("pebble", "multiply", "-N", 8, "--red", 64, "--ranks", 8, "--order", "kij")
        self.assertIn("8 ranks as 2x2x2 with 64 red pebbles each", text)
        self.assertIn("bound           48.0   busiest / bound 1.3333", text)  # 3 (512 / 8)^(2/3)

    def test_symmetric_update_beats_separate_operands(self):
        game = self.run_json("pebble", "syrk", "-n", 20, "-k", 120, "--red", 231, "--order", "kij")
        self.assertEqual(game["games"][0]["moved"], 20 * 120 + 20 * 21 // 2)
        self.assertLess(game["games"][0]["paper_ratio"], 0.9)

    def test_accumulate_loads_c(self):
        plain = self.run_json("pebble", "multiply", "-N", 4, "--red", 1000)
        added = self.run_json("pebble", "multiply", "-N", 4, "--red", 1000, "--accumulate")
        self.assertEqual(added["games"][0]["moved"], plain["games"][0]["moved"] + 16)

    def test_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "game.svg"
            text = self.run_text("pebble", "lu", "-n", 12, "--red", 20, "--draw", file)
            moved = next(line.split()[1] for line in text.splitlines() if line.strip().startswith("moved"))
            self.assertEqual(xml.etree.ElementTree.parse(file).getroot().tag, "{http://www.w3.org/2000/svg}svg")
            self.assertIn(f"{moved} words moved", file.read_text())

    def test_errors(self):
        self.expect_error(["pebble", "lu", "-n", 5], "--red")
        self.expect_error(["pebble", "lu", "--red", 5], "-n is missing")
        self.expect_error(["pebble", "lu", "-n", 5, "--red", 3], "red pebbles is 3, expected 4 or more")
        self.expect_error(["pebble", "lu", "-n", 5, "--red", 9, "--order", "abc"], "'abc'", "permutation of 'ijk'")
        self.expect_error(["pebble", "lu", "-n", 5, "--red", 9, "--order", "best"], "order is 'best', expected")
        self.expect_error(["pebble", "lu", "-n", 5, "--red", 9, "--order", "listing1"], "listing1 is for multiply")
        self.expect_error(["pebble", "multiply", "-N", 10000, "--red", 9], "1e+12 vertices, expected at most")
        self.expect_error(["pebble", "multiply", "-N", 4, "--red", "4e15"], "--red is 4000000000000000, expected at most")
        self.expect_error(["pebble", "syrk", "-n", 5, "--red", 9], "-k is missing")
        self.expect_error(["pebble", "qr", "-n", 5], "cairn pebble: unknown command 'qr'")
        ranks = ["pebble", "lu", "-n", 5, "--red", 9, "--ranks"]
        self.expect_error([*ranks, 4, "--grid", "2x"], "--grid is '2x', expected whole numbers")
        self.expect_error([*ranks, 4, "--grid", "2xa"], "--grid is '2xa'")
        self.expect_error([*ranks, 4, "--grid", "3x1"], "grid is 3x1, expected extents whose product is 4")
        self.expect_error([*ranks, 4, "--grid", "2x2x1"], "grid is 2x2x1, expected 2 extents for lu")
        self.expect_error([*ranks, "1e9"], "--ranks is 1000000000, expected at most")
        self.expect_error([*ranks, 0], "--ranks is '0'")
        self.expect_error([*ranks, 2, "--draw", "x.svg"], "--draw shows one processor, but --ranks is 2")
        self.expect_error(["pebble", "lu", "-n", 5, "--red", 9, "--grid", "1x1"], "--grid is given without --ranks")
        self.expect_error(["pebble", "multiply", "-N", 3, "--red", 9, "--ranks", 5], "ranks is 5, expected a product of three numbers")
        self.expect_error(["pebble", "lu", "-n", 5, "--red", 9, "--draw", "/no/such/x.svg"], "--draw is '/no/such/x.svg'")
        self.expect_error(["pebble", "lu", "-n", 5, "--red", 9, "--order", "ijk,jki", "--draw", "x.svg"], "--draw shows one game")


if __name__ == "__main__":
    unittest.main()

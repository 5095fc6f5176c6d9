"""The command line as a user meets it."""
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

LAUNCH = os.environ["CAIRN_MPIEXEC"].split()
CAIRN = os.environ["CAIRN_PROGRAM"]


def run(*words, launch=None, **environment):
    command = [*(launch or []), CAIRN, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env={**os.environ, **environment})


class CommandLine(unittest.TestCase):
    def run_json(self, *words, **kwargs):
        result = run(*words, "--json", **kwargs)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_version_and_help(self):
        self.assertRegex(run("--version").stdout, r"^cairn \d+\.\d+\.\d+\n$")
        self.assertIn("info", run("--help").stdout)
        self.assertIn("--save", run("info", "--help").stdout)

    def test_bad_words_get_a_clear_error(self):
        for words in (["nonsense"], [], ["info", "--ranks", "0"], ["collectives", "--words", "-5"], ["demo", "--ranks", "0"], ["info", "--nonsense"]):
            result = run(*words)
            self.assertNotEqual(result.returncode, 0, words)
            self.assertNotEqual(result.stderr + result.stdout, "", words)

    def test_a_slip_gets_a_suggestion(self):
        for words, meant in ((["multiply", "-N", "8", "--rank", "2"], "'--ranks'"), (["plan", "mutliply"], "'multiply'"),
                             (["choleski"], "'cholesky'"), (["bench", "colectives"], "'collectives'")):
            result = run(*words)
            self.assertEqual(result.returncode, 2, words)
            self.assertIn(f"did you mean {meant}?", result.stderr, words)
        self.assertNotIn("did you mean", run("xyzzy").stderr)

    def test_a_bad_value_is_named_as_it_was_typed(self):
        for words, said in ((["multiply", "-N"], "cairn multiply: -N needs a value"),
                            (["spgemm", "--a"], "cairn spgemm: --a needs a value"),
                            (["spgemm", "--a", "x.mtx", "--a", "y.mtx"], "cairn spgemm: --a is given more than once"),
                            (["completion", "tcsh"], "cairn completion: shell is 'tcsh', expected bash, zsh or fish"),
                            (["layout", "rows 2", "--rows", "-3"], "cairn layout: --rows is '-3', expected a whole number, 0 or more"),
                            (["redistribute", "--rows", "4"], "cairn redistribute: --from is required")):
            result = run(*words)
            self.assertEqual(result.returncode, 2, words)
            self.assertEqual(result.stderr.splitlines()[0], said)
        self.assertIn("--watchdog is '-1', expected a number, 0 or more", run("info", "--watchdog", "-1").stderr)

    def test_exit_codes(self):
        codes = {0: ["plan", "multiply", "-N", "8"],
                 1: ["multiply", "-N", "8", "--ranks", "2", "--alpha", "nan"],
                 2: ["multiply", "-N", "-3"],
                 3: ["multiply", "--a", "/nonexistent.npy", "--b", "/nonexistent.npy", "--ranks", "2"]}
        for code, words in codes.items():
            self.assertEqual(run(*words).returncode, code, words)

    def test_an_error_on_ranks_is_one_line(self):
        result = run("multiply", "--a", "/nonexistent.npy", "--b", "/nonexistent.npy", "--ranks", "3")
        self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
        self.assertIn("/nonexistent.npy", result.stderr)

    def test_a_killed_rank_ends_the_run_with_a_word(self):
        for operation in ("multiply", "lu", "cholesky", "solve"):
            with self.subTest(operation):
                self.kill_a_rank_of(operation, "-N", "1500", "--ranks", "2", "--repeat", "1000")

    def kill_a_rank_of(self, *words):
        with subprocess.Popen([CAIRN, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
            rank = self.a_rank_of(started.pid)
            started.stdout.readline()  # the plan is printed: the ranks are at work
            self.assertIsNone(started.poll(), "it was over before a rank could be killed")
            os.kill(rank, 9)
            errors = started.communicate(timeout=60)[1]
        self.assertEqual(started.returncode, 3, errors)
        self.assertIn("signal 9", errors)

    def a_rank_of(self, program):
        """A process below the launcher that `program` has started, or below a proxy of the launcher's."""
        children = lambda pid: pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        below = lambda pids: [child for pid in pids for child in children(pid)]
        for _ in range(600):
            near = below(children(program))
            ranks = [rank for rank in near + below(near) if pathlib.Path(f"/proc/{rank}/comm").read_text() == "cairn\n"]
            if len(ranks) == 2:
                return int(ranks[-1])
            time.sleep(0.05)
        self.fail("no ranks were started")

    def test_the_plan_is_printed_before_the_run(self):
        with subprocess.Popen([CAIRN, "multiply", "-N", "1000", "--ranks", "2", "--repeat", "1000000"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as started:
            lines = [started.stdout.readline() for _ in range(3)]
            running = started.poll() is None
            started.terminate()
        self.assertTrue(running)
        self.assertIn("1000 x 1000 x 1000", lines[0])
        self.assertIn("schedule", lines[2])

    def test_many_ranks_on_few_cores_are_announced(self):
        cores = os.cpu_count()
        if cores > 4:
            self.skipTest("this many ranks would take long here")
        result = run("multiply", "-N", "8", "--ranks", str(16 * cores + 1), "--repeat", "1", "--machine", "built-in")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"starting {16 * cores + 1} ranks on {cores} core", result.stderr)

    def test_too_many_ranks(self):
        result = run("multiply", "-N", "8", "--ranks", "900000")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--ranks is 900000, expected at most", result.stderr)

    def test_info_starts_ranks_itself(self):
        info = self.run_json("info", "--ranks", "3", OPENBLAS_NUM_THREADS=str(os.cpu_count()))
        self.assertEqual(info["ranks"], 3)
        self.assertEqual(info["ranks_on_node"], 3)
        self.assertIn("blas", info["blas"]["dgemm_"])
        self.assertIn("mpi", info["mpi"]["MPI_Init"])
        self.assertIn(info["blas"]["integer_bits"], (32, 64))
        self.assertEqual(info["threads_per_rank"], max(1, os.cpu_count() // 3))
        for key in ("gemm_flops_per_second", "copy_bytes_per_second", "alpha_seconds", "beta_seconds_per_word",
                    "gamma_seconds_per_flop", "memory_bytes", "cores"):
            self.assertGreater(info[key], 0, key)

    def test_info_under_a_launcher_uses_its_ranks(self):
        self.assertEqual(self.run_json("info", "--ranks", "7", launch=[*LAUNCH, "-n", "2"])["ranks"], 2)

    def test_info_saves_the_machine(self):
        with tempfile.TemporaryDirectory() as folder:
            info = self.run_json("info", "--save", XDG_CONFIG_HOME=folder)
            file = pathlib.Path(folder) / "cairn" / "machine.json"
            self.assertEqual(info["saved"], str(file))
            machine = json.loads(file.read_text())
            self.assertAlmostEqual(machine["alpha"] / info["alpha_seconds"], 1)
            self.assertAlmostEqual(machine["beta"] / info["beta_seconds_per_word"], 1)
            self.assertAlmostEqual(machine["gamma"] / info["gamma_seconds_per_flop"], 1)
            result = run("info", "--save", folder + "/cairn/machine.json/below")
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("machine.json/below", result.stderr)

    def test_demo_is_a_tour_of_five_commands(self):
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([CAIRN, "demo", "--ranks", "3"], capture_output=True, text=True, timeout=60, cwd=folder,
                                    stdin=subprocess.DEVNULL)
            self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
            commands = [line[4:] for line in result.stdout.splitlines() if line.startswith("  $ ")]
            self.assertEqual(len(commands), 5)
            for word in ("multiply", "plan multiply", "solve", "spgemm", "bound program"):
                self.assertTrue(any(f"cairn {word}" in c and "--ranks 3" in c for c in commands), word)
            self.assertEqual(result.stdout.count(": right ("), 3)
            self.assertIn("<svg", (pathlib.Path(folder) / "cairn-bricks.svg").read_text())

    def test_collectives_move_the_fewest_words(self):
        for ranks in (1, 2, 5):
            demo = self.run_json("collectives", "--ranks", str(ranks), "--words", "300000")
            self.assertEqual(demo["ranks"], ranks)
            self.assertEqual(len(demo["optimum_total"]), 6)
            for name, optimum in demo["optimum_total"].items():
                words = demo["words"]["phases"].get(name, {d: {"total": 0} for d in ("sent", "received")})
                self.assertEqual(words["sent"]["total"], words["received"]["total"])
                self.assertAlmostEqual(words["received"]["total"], optimum, delta=ranks)
                self.assertIn(name, demo["seconds"]["phases"])
            self.assertAlmostEqual(demo["words"]["counted"]["total"], demo["words"]["received"]["total"], delta=6 * ranks)
            self.assertGreaterEqual(demo["words"]["received"]["max"], demo["words"]["bound"] - 6 * ranks)

    def test_bench_collectives_runs(self):
        bench = self.run_json("bench", "collectives", "--ranks", "2,3", "--bytes", "1024,1048576", "--seconds", "0",
                              "--launches", "3")
        self.assertEqual(len(bench["rows"]), 2 * 2 * 11)
        for row in bench["rows"]:
            self.assertEqual(len(row["launch_ratios"]), 3)
            self.assertEqual(row["time_ratio"], sorted(row["launch_ratios"])[1])
        self.assertEqual(bench["summary"]["rows_with_more_words_than_stated"], 0)


if __name__ == "__main__":
    unittest.main()

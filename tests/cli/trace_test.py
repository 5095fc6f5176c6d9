"""--trace of cairn multiply and cairn plan multiply: files that a viewer can show, with the words that were counted."""
import collections
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

LAUNCH = os.environ["CAIRN_MPIEXEC"].split()
CAIRN = os.environ["CAIRN_PROGRAM"]
# Without a saved machine: plans must not depend on the user's configuration.
ENVIRONMENT = {**os.environ, "XDG_CONFIG_HOME": "/dev/null/none", "XDG_CACHE_HOME": "/dev/null/none", "OPENBLAS_NUM_THREADS": "1"}
# With this setting Open MPI fails at once: for what must not start MPI.
NO_MPI = {**ENVIRONMENT, "OMPI_MCA_pml": "none_of_them"}
CYCLIC = ["--layout-a", "block-cyclic 2x2 mb=8 nb=8", "--layout-b", "block-cyclic 2x2 mb=8 nb=8",
          "--layout-c", "block-cyclic 2x2 mb=8 nb=8"]


def run(*words, launch=(), env=None):
    command = [*launch, CAIRN, *(str(w) for w in words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, env=env or ENVIRONMENT)


class Trace:
    def __init__(self, file):
        self.content = json.loads(pathlib.Path(file).read_text())
        self.about = self.content["otherData"]
        everything = self.content["traceEvents"]
        self.events = [e for e in everything if e["ph"] == "X"]
        names = lambda kind: {(e["pid"], e["tid"]): e["args"]["name"] for e in everything if e["name"] == kind}
        self.processes = {pid: name for (pid, _), name in names("process_name").items()}
        self.threads = names("thread_name")

    def of(self, pid, name):
        return [e for e in self.events if e["pid"] == pid and e["name"] == name]

    def words(self, direction):  # by rank
        sums = collections.Counter({pid: 0 for pid in self.processes})
        for e in self.events:
            sums[e["pid"]] += e["args"].get("words_" + direction, 0)
        return sums


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "trace.json"

    def traced(self, *words, **kwargs):
        result = run(*words, "--json", "--trace", self.file, **kwargs)
        self.assertEqual(result.returncode, 0, result.stderr)
        trace = Trace(self.file)
        self.expect_shown(trace)
        return json.loads(result.stdout), trace

    def expect_shown(self, trace):
        """Every event is in a lane with a name, and the events of a lane do not overlap."""
        lanes = collections.defaultdict(list)
        for e in trace.events:
            self.assertGreaterEqual(e["dur"], 0)
            lanes[e["pid"], e["tid"]].append((round(1000 * e["ts"]), round(1000 * (e["ts"] + e["dur"])), e["name"]))
        for lane, spans in lanes.items():
            self.assertTrue(trace.threads[lane].startswith("link" if lane[1] else "core"), lane)
            for before, after in zip(sorted(spans), sorted(spans)[1:]):
                self.assertLessEqual(before[1], after[0], (lane, before, after))
        for e in trace.events:  # words move beside the core, not on it
            self.assertEqual("words_sent" in e["args"], e["tid"] > 0, e)

    def expect_words(self, trace, words):
        for direction in ("received", "sent"):
            found = trace.words(direction)
            self.assertEqual(sum(found.values()), words[direction]["total"])
            self.assertEqual(max(found.values()), words[direction]["max"])

    def expect_error(self, words, expected, **kwargs):
        result = run(*words, **kwargs)
        self.assertNotEqual(result.returncode, 0, words)
        self.assertEqual(result.stdout, "", words)
        self.assertEqual(result.stderr.count(expected), 1, result.stderr)


class Multiply(Case):
    def multiply(self, *words, ranks):
        result, trace = self.traced("multiply", "-m", 90, "-n", 70, "-k", 110, "--ranks", ranks, "--repeat", 2, *words)
        self.assertTrue(result["verified"])
        self.assertEqual(result["trace"], str(self.file))
        self.assertEqual(sorted(trace.processes), list(range(ranks)))
        self.expect_words(trace, result["words"])
        self.assertEqual(trace.about["grid"], result["grid"])
        self.assertEqual((trace.about["m"], trace.about["n"], trace.about["k"], trace.about["ranks"]), (90, 70, 110, ranks))
        self.assertEqual((trace.about["times"], trace.about["rounds"]), ("measured", result["rounds"]))
        return result, trace

    def test_native(self):
        for ranks in (1, 3, 4):
            for transport in ("two-sided", "one-sided"):
                result, trace = self.multiply("--transport", transport, "--beta", 2, ranks=ranks)
                self.assertEqual(trace.about["transport"], transport)
                for rank in range(ranks):  # the last repetition alone
                    self.assertEqual(len(trace.of(rank, "multiply")), result["rounds"])

    def test_rounds_that_overlap(self):
        for transport in ("two-sided", "one-sided"):
            result, trace = self.multiply("--grid", "2,2,1", "--rounds", "5,k", "--overlap", "on", "--transport", transport, ranks=5)
            self.assertEqual((result["lookahead"], trace.about["lookahead"]), (1, 1))
            self.assertIn("idle", trace.processes[4])
            self.assertEqual(trace.words("received")[4], 0)
            for rank in range(4):
                for what in ("gather A", "gather B", "multiply"):
                    self.assertEqual([e["args"]["round"] for e in trace.of(rank, what)], list(range(5)), what)
                gathers = {e["args"]["round"]: e for e in trace.of(rank, "gather A")}
                for multiply in trace.of(rank, "multiply")[:-1]:
                    self.assertLess(gathers[multiply["args"]["round"] + 1]["ts"], multiply["ts"] + multiply["dur"])

    def test_layouts(self):
        for ranks, words in ((1, ["--layout-a", "rows 1"]), (3, ["--layout-a", "rows 3", "--layout-c", "elemental 1x3"]),
                             (4, CYCLIC), (4, ["--layout-a", "rank 2", "--type", "z"])):
            _, trace = self.multiply("--objective", "words", *words, ranks=ranks)
            self.assertEqual(set(trace.about["layouts"]), {"a", "b", "c"})
            self.assertGreater(sum(len(trace.of(rank, "multiply")) for rank in range(ranks)), 0)

    def test_nothing_to_multiply(self):
        for words in (("-N", 0), ("-m", 4, "-n", 4, "-k", 0, "--beta", 2)):
            for layouts in ([], ["--layout-c", "rows 3"]):
                _, trace = self.traced("multiply", *words, *layouts, "--ranks", 3, "--repeat", 1)
                self.assertEqual(sorted(trace.processes), [0, 1, 2])
                self.assertEqual(sum(trace.words("received").values()), 0)

    def test_text_names_the_file(self):
        for layouts in ([], CYCLIC):
            result = run("multiply", "-N", 40, "--ranks", 4, "--repeat", 1, *layouts, "--trace", self.file)
            self.assertIn(f"trace of the last run written to {self.file}", result.stdout)

    def test_errors(self):
        nowhere = self.file.parent / "none" / "t.json"
        for words in (["-N", 40, "--ranks", 3], ["-N", 40, "--ranks", 4, *CYCLIC]):
            # Before any rank is started, and on ranks that somebody else has started.
            self.expect_error(["multiply", *words, "--trace", nowhere], f"--trace is '{nowhere}', expected a file", env=NO_MPI)
            self.expect_error(["multiply", *words, "--trace", nowhere], f"--trace is '{nowhere}', expected a file",
                              launch=[*LAUNCH, "-n", "4"])
        self.expect_error(["multiply", "-N", 40, "--trace", self.file.parent], f"--trace is '{self.file.parent}', a folder", env=NO_MPI)
        self.expect_error(["multiply", "-N", 40, "--ranks", 2, "--json", "--trace", "/dev/full"], "--trace is '/dev/full', which cannot be written")


class Plan(Case):
    def plan(self, *words):
        plan, trace = self.traced("plan", "multiply", *words, env=NO_MPI)
        self.assertEqual(trace.about["times"], "simulated")
        self.assertEqual((trace.about["grid"], trace.about["ranks"]), (plan["grid"], plan["ranks"]))
        return plan, trace

    def test_every_rank_and_its_words(self):
        for ranks in (1, 3, 4, 64):
            for transport in ("two-sided", "one-sided"):
                plan, trace = self.plan("-m", 900, "-n", 700, "-k", 1100, "--ranks", ranks, "--transport", transport)
                self.assertEqual(len(trace.processes), ranks - plan["idle_ranks"])
                words = plan["words"]["counted"]
                self.assertEqual(sum(trace.words("received").values()), words["total"])
                self.assertEqual(max(trace.words("received").values()), words["max"])
                self.assertEqual(max(trace.words("sent").values()), words["max_sent"])

    def test_many_ranks(self):
        plan, trace = self.plan("-m", 1001, "-n", 777, "-k", 5003, "--ranks", 1000)
        self.assertIn(0, trace.processes)
        self.assertLessEqual(len(trace.processes), 2)
        self.assertEqual(max(trace.words("received").values()), plan["words"]["counted"]["max"])

    def test_overlap(self):
        words = ["-N", 3000, "--ranks", 4, "--grid", "2,2,1", "--rounds", "6,k"]
        for overlap in ("off", "on"):
            plan, trace = self.plan(*words, "--overlap", overlap)
            ahead = [(g, m) for g in trace.of(0, "gather B") for m in trace.of(0, "multiply")
                     if g["args"]["round"] > m["args"]["round"] and g["ts"] < m["ts"] + m["dur"]]
            self.assertEqual(len(ahead), 5 if overlap == "on" else 0)
            if overlap == "on":
                end = max(e["ts"] + e["dur"] for e in trace.events if e["pid"] == 0)
                self.assertAlmostEqual(1e-6 * end, plan["seconds"]["predicted"], delta=2e-9)

    def test_layouts(self):
        plan, trace = self.plan("-m", 96, "-n", 64, "-k", 16, "--ranks", 4, "--objective", "words", *CYCLIC)
        self.assertEqual(sorted(trace.processes), [0, 1, 2, 3])
        self.assertEqual(sum(trace.words("received").values()), plan["words"]["counted"]["total"])
        self.assertEqual(max(trace.words("received").values()), plan["words"]["counted"]["max"])
        plan, trace = self.plan("-N", 200, "--ranks", 70, "--objective", "words", "--layout-a", "rows 70")
        self.assertIn(0, trace.processes)
        self.assertLessEqual(len(trace.processes), 2)
        self.assertTrue(plan["counted"])
        self.assertEqual(max(trace.words("received").values()), plan["words"]["counted"]["max"])

    def test_errors(self):
        nowhere = self.file.parent / "none" / "t.json"
        for layouts in ([], CYCLIC):
            words = ["plan", "multiply", "-N", 40, "--ranks", 4, *layouts, "--trace"]
            self.expect_error([*words, nowhere], f"--trace is '{nowhere}', expected a file", env=NO_MPI)
            self.expect_error([*words, "/dev/full"], "--trace is '/dev/full', which cannot be written", env=NO_MPI)


if __name__ == "__main__":
    unittest.main()

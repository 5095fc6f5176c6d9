"""The machine that plans are made for: measured once for this many ranks, kept in the cache, said in the output."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

LAUNCH = os.environ["CAIRN_MPIEXEC"].split()
CAIRN = os.environ["CAIRN_PROGRAM"]
RATES = ("alpha", "beta", "gamma", "copy")


class Machine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder / "config"), "XDG_CACHE_HOME": str(self.folder / "cache"),
                            "OPENBLAS_NUM_THREADS": "1"}

    def json(self, *words, launch=(), **environment):
        command = [*launch, CAIRN, *(str(w) for w in words), "--json"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=100, env={**self.environment, **environment})
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def kept(self):
        return sorted((self.folder / "cache" / "cairn").glob("machine-*.json"))

    def test_the_first_run_measures_and_the_next_one_finds_it(self):
        words = ["multiply", "-N", 64, "--ranks", 3, "--repeat", 1]
        machine = self.json(*words)["machine"]
        self.assertEqual((machine["ranks"], machine["cores"]), (3, os.cpu_count()))
        self.assertIn(f"measured here with 3 ranks on {os.cpu_count()} core", machine["source"])
        (file,) = self.kept()
        self.assertIn(str(file), machine["source"])
        for rate in RATES:
            self.assertGreater(machine[rate], 0)
            self.assertAlmostEqual(json.loads(file.read_text())[rate] / machine[rate], 1)
        # Written over, so that it shows which one is taken: the links as they are, the rate of a product not.
        file.write_text(json.dumps({**json.loads(file.read_text()), "gamma": 1}))
        self.assertEqual(self.json(*words)["machine"]["gamma"], 1)
        self.assertEqual(self.json("plan", *words[:5])["machine"]["gamma"], 1)  # without ranks, too

    def test_another_network_is_noticed(self):
        words = ["multiply", "-N", 64, "--ranks", 2, "--repeat", 1]
        self.json(*words)
        (file,) = self.kept()
        file.write_text(json.dumps({**json.loads(file.read_text()), "alpha": 10, "beta": 1}))
        self.assertLess(self.json(*words)["machine"]["alpha"], 1)
        self.assertLess(json.loads(file.read_text())["alpha"], 1)

    def test_a_plan_has_ranks_measure(self):
        machine = self.json("plan", "multiply", "-N", 64, "--ranks", 1000)["machine"]
        self.assertEqual(machine["ranks"], max(2, os.cpu_count()))
        self.assertEqual(len(self.kept()), 1)

    def test_what_was_given_is_taken(self):
        built_in = self.json("plan", "multiply", "-N", 64, "--machine", "built-in")["machine"]
        self.assertEqual(built_in["source"], "built in")
        self.assertEqual(self.kept(), [])
        saved = self.json("info", "--ranks", 2, "--save")["saved"]
        plan = self.json("plan", "multiply", "-N", 64)
        self.assertEqual(plan["machine"]["source"], saved)
        self.assertEqual(plan["machine"]["copy"], json.loads(pathlib.Path(saved).read_text())["copy"])
        self.assertEqual(self.json("multiply", "-N", 64, "--repeat", 1, "--machine", "built-in")["machine"], built_in)

    def test_nowhere_to_keep_it(self):
        for words in (["plan", "multiply", "-N", 64], ["multiply", "-N", 64, "--ranks", 2, "--repeat", 1]):
            self.assertEqual(self.json(*words, XDG_CACHE_HOME="/dev/null/none")["machine"]["source"], "built in")
        (self.folder / "cache" / "cairn").mkdir(parents=True)
        self.json("multiply", "-N", 64, "--ranks", 2, "--repeat", 1)
        (file,) = self.kept()
        file.write_text("nonsense")  # is measured again
        self.assertEqual(self.json("multiply", "-N", 64, "--ranks", 2, "--repeat", 1)["machine"]["ranks"], 2)
        json.loads(file.read_text())


if __name__ == "__main__":
    unittest.main()

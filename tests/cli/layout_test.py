"""cairn layout and cairn redistribute."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

LAUNCH = os.environ["CAIRN_MPIEXEC"].split()
CAIRN = os.environ["CAIRN_PROGRAM"]


def run(*words, launch=None):
    return subprocess.run([*(launch or []), CAIRN, *words], capture_output=True, text=True, timeout=60)


def owner_block_cyclic(i, j, rows, columns, mb, nb):
    return (i // mb) % rows + rows * ((j // nb) % columns)


class Layouts(unittest.TestCase):
    def run_json(self, *words, **kwargs):
        result = run(*words, "--json", **kwargs)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_layout_counts_what_each_rank_owns(self):
        found = self.run_json("layout", "block-cyclic 2x3 mb=4 nb=2", "--rows", "17", "--cols", "20")
        expected = [0] * 6
        for i in range(17):
            for j in range(20):
                expected[owner_block_cyclic(i, j, 2, 3, 4, 2)] += 1
        self.assertEqual([r["elements"] for r in found["ranks"]], expected)

    def test_the_picture_shows_every_block(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "who.svg"
            self.assertEqual(run("layout", "blocked 2x3", "--rows", "8", "--cols", "9", "--draw", str(file)).returncode, 0)
            root = xml.etree.ElementTree.parse(file).getroot()
            titles = [e.text for e in root.iter() if e.tag.endswith("title")]
            self.assertEqual(len(titles), 6)
            self.assertIn("rows 4..7, columns 3..5: rank 3", titles)
            for text in ("rank 0", "replicated 3", "[(0),()] 2x2", "cuts rows=0,3,16 columns=0,16"):
                self.assertEqual(run("layout", text, "--draw", str(file)).returncode, 0, text)
                xml.etree.ElementTree.parse(file)
            result = run("layout", "rank 0", "--draw", folder + "/nowhere/x.svg")
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("--draw is", result.stderr)

    def test_redistribute_moves_exactly_what_must_move(self):
        moved = self.run_json("redistribute", "--rows", "50", "--cols", "40", "--from", "block-cyclic 2x2 mb=8 nb=4",
                              "--to", "elemental 2x2")
        expected = sum(owner_block_cyclic(i, j, 2, 2, 8, 4) != i % 2 + 2 * (j % 2) for i in range(50) for j in range(40))
        for words in (moved["words"]["counted"], moved["words"]["received"], moved["words"]["sent"]):
            self.assertEqual(words["total"], expected)
        self.assertEqual(moved["words"]["counted"]["max"], moved["words"]["received"]["max"])
        self.assertEqual(moved["words"]["counted"]["max_sent"], moved["words"]["sent"]["max"])
        self.assertEqual(moved["messages"]["counted"]["max_received"], moved["messages"]["received"]["max"])
        self.assertIs(moved["verified"], True)
        self.assertIn("redistribute", moved["seconds"]["phases"])
        self.assertEqual(moved["ranks"], 4)

    def test_redistribute_every_op_and_type(self):
        for op, kind in (("N", "s"), ("T", "d"), ("C", "z"), ("T", "c")):
            result = run("redistribute", "--rows", "30", "--cols", "7", "--from", "rows 3", "--to", "elemental 1x2",
                         "--op", op, "--type", kind)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("verified element by element: right", result.stdout)

    def test_relabelling_brings_words_home(self):
        words = ["redistribute", "--rows", "40", "--cols", "40", "--from", "blocked 2x2", "--to", "blocked 2x2 ranks=3,0,1,2"]
        self.assertEqual(self.run_json(*words)["words"]["received"]["total"], 1600)
        relabelled = self.run_json(*words, "--relabel")
        self.assertEqual(relabelled["words"]["received"]["total"], 0)
        self.assertEqual(relabelled["words_without_relabelling"], 1600)
        self.assertEqual(relabelled["relabelling"], "exact")

    def test_redistribute_is_planned_without_ranks(self):
        words = ["redistribute", "--rows", "50", "--cols", "40", "--from", "rows 6", "--to", "elemental 2x3"]
        plan, moved = self.run_json("plan", *words), self.run_json(*words, "--repeat", "1")
        self.assertEqual(plan["words"]["counted"], moved["words"]["counted"])
        self.assertEqual(plan["words"]["counted"]["max"], moved["words"]["received"]["max"])
        self.assertEqual(plan["words"]["bound"], moved["words"]["bound"])

    def test_under_a_launcher(self):
        moved = self.run_json("redistribute", "--rows", "9", "--cols", "9", "--from", "rank 0", "--to", "rows 2",
                              launch=[*LAUNCH, "-n", "3"])
        self.assertEqual(moved["ranks"], 3)

    def test_wrong_words_are_named(self):
        good = {"--from": "rows 2", "--to": "rows 2"}
        for change, part in (({"--from": "diagonal 2"}, "'diagonal' is not a kind of layout"),
                             ({"--to": "blocked 2"}, "has 1 dimensions, expected 2"),
                             ({"--op": "X"}, "--op is 'X', expected N, T or C"),
                             ({"--type": "q"}, "q"),
                             ({"--rows": "-3"}, "-3"),
                             ({"--ranks": "0"}, "0")):
            words = [w for pair in {**good, **change}.items() for w in pair]
            result = run("redistribute", *words)
            self.assertNotEqual(result.returncode, 0, change)
            self.assertIn(part, result.stderr + result.stdout, change)
        result = run("redistribute", "--from", "rows 4", "--to", "rows 4", launch=[*LAUNCH, "-n", "2"])
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("names rank 3, expected ranks below 2", result.stderr)


if __name__ == "__main__":
    unittest.main()

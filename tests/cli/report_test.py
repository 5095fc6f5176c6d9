"""--report: one page that needs nothing else, with the figures of the run."""
import html
import html.parser
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

CAIRN = os.environ["CAIRN_PROGRAM"]
ENVIRONMENT = {**os.environ, "XDG_CONFIG_HOME": "/dev/null/none", "XDG_CACHE_HOME": "/dev/null/none", "OPENBLAS_NUM_THREADS": "1"}
NO_MPI = {**ENVIRONMENT, "OMPI_MCA_pml": "none_of_them"}
VOID = {"meta", "br", "img", "input", "link"}


class Page(html.parser.HTMLParser):
    """Checks that every element is closed where it was opened, and gathers titles, links and headings."""

    def __init__(self, text):
        super().__init__()
        self.open, self.problems, self.links, self.headings, self.titles = [], [], [], [], []
        self.feed(text)
        self.problems += [f"{tag} is not closed" for tag in self.open]

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes another element")

    def handle_data(self, data):
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)
        if self.open and self.open[-1] == "title":
            self.titles.append(data)


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "report.html"

    def report(self, *words, env=ENVIRONMENT):
        command = [CAIRN, *(str(w) for w in words), "--json", "--report", str(self.file)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=100, env=env)
        self.assertEqual(result.returncode, 0, result.stderr)
        text = self.file.read_text()
        page = Page(text)
        self.assertEqual((page.problems, page.links), ([], []))  # nothing is fetched
        self.assertNotRegex(text.replace("http://www.w3.org/2000/svg", ""), r"https?://|url\(|@import|<script")
        self.assertNotRegex(text, r"\b(nan|inf)%")
        return json.loads(result.stdout), text, page

    def test_run(self):
        for words in (["multiply", "-m", 70, "-n", 90, "-k", 110, "--ranks", 5], ["multiply", "-N", 40, "--ranks", 3, "--layout-a", "rows 3"],
                      ["redistribute", "--from", "rows 3", "--to", "elemental 1x2"], ["multiply", "-N", 9, "--ranks", 1], ["multiply", "-N", 0, "--ranks", 2]):
            run, text, page = self.report(*words, "--repeat", 1)
            self.assertEqual(run["report"], str(self.file))
            for part in ("Words per rank", "Machine", "What was planned, and why"):
                self.assertIn(part, page.headings, words)
            received = [int(x) for x in re.findall(r"rank \d+ receives (\d+) words", text)]
            sent = [int(x) for x in re.findall(r"rank \d+ sends (\d+) words", text)]
            self.assertEqual((len(received), sum(received), max(received)),
                             (run["ranks"], run["words"]["received"]["total"], run["words"]["received"]["max"]), words)
            self.assertEqual((sum(sent), max(sent)), (run["words"]["sent"]["total"], run["words"]["sent"]["max"]))
            self.assertIn("The run moved exactly that.", text)
            self.assertEqual(json.loads(html.unescape(re.search(r"<pre>(.*)</pre>", text, re.S).group(1)))["words"], run["words"])
            if run["words"]["received"]["total"] > 0:
                self.assertIn("Measured, the last run", text)

    def test_plan(self):
        plan, text, page = self.report("plan", "multiply", "-N", 500, "--ranks", 12, env=NO_MPI)
        self.assertEqual(page.headings, ["What was planned, and why", "Words per rank", "Timelines", "Phases", "Candidates", "Machine"])
        self.assertIn("Simulated on the machine", text)
        self.assertNotIn("Measured", text)
        received = [int(x) for x in re.findall(r"rank \d+ receives (\d+) words", text)]
        self.assertEqual(sum(received), plan["words"]["counted"]["total"])
        for candidate in plan["candidates"]:
            self.assertIn(candidate["why"], html.unescape(text))
        self.report("plan", "multiply", "-N", 5000, "--ranks", 2000, env=NO_MPI)
        self.assertLess(self.file.stat().st_size, 2e6)

    def test_errors(self):
        nowhere = self.file.parent / "none" / "r.html"
        for words in (["multiply", "-N", 9], ["plan", "multiply", "-N", 9]):
            result = subprocess.run([CAIRN, *(str(w) for w in words), "--report", str(nowhere)], capture_output=True, text=True, env=NO_MPI)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(f"--report is '{nowhere}', expected a file that can be written", result.stderr)
            self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    unittest.main()

"""cairn bench all: the pages it writes, and that a benchmark that fails does not stop the others."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

CAIRN = os.environ["CAIRN_PROGRAM"]


def run(folder, *words, **environment):
    return subprocess.run([CAIRN, "bench", "all", "--quick", "--report", folder, *words], capture_output=True, text=True,
                          timeout=300, env={**os.environ, **environment})


class Results(unittest.TestCase):
    def check_pages(self, folder, names):
        folder = pathlib.Path(folder)
        markdown, html = (folder / "README.md").read_text(), (folder / "index.html").read_text()
        pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", markdown)
        self.assertGreaterEqual(len(pictures), len(names))
        self.assertEqual(html.count("<svg"), len(pictures))
        for picture in pictures:
            root = xml.etree.ElementTree.parse(folder / picture).getroot()
            width = float(root.get("viewBox").split()[2])
            for text in root.iter("{http://www.w3.org/2000/svg}text"):
                self.assertLess(float(text.get("x")), width, picture)
                self.assertNotIn("nan", text.text or "", picture)
        for what in ("Date", "Commit", "Processor", "Cores", "BLAS"):
            self.assertIn(f"| {what} | ", markdown)
        figures = json.loads((folder / "results.json").read_text())["figures"]
        self.assertEqual([f["name"] for f in figures], names)
        return {f["name"]: f for f in figures}

    def test_pages_and_pictures(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run(folder, "--only", "relabel,symmetric")
            self.assertEqual(result.returncode, 0, result.stderr)
            figures = self.check_pages(folder, ["symmetric", "relabel"])
            for figure in figures.values():
                self.assertEqual(figure["problems"], [])
            for series in figures["symmetric"]["charts"][0]["series"]:
                known = [y for y in series["y"] if y is not None]  # null: the bound is 0 there
                self.assertGreater(len(known), 20)
                self.assertGreater(min(known), 0.99)
            given, chosen = (s["y"] for s in figures["relabel"]["charts"][0]["series"])
            self.assertTrue(all(c <= g for g, c in zip(given, chosen)))

    def test_a_failure_is_on_the_page_and_the_rest_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run(folder, "--only", "memory,relabel", OMPI_MCA_pml="none_of_them", MPIR_CVAR_OFI_USE_PROVIDER="none")
            self.assertEqual(result.returncode, 0, result.stderr)
            pages = pathlib.Path(folder)
            figures = {f["name"]: f for f in json.loads((pages / "results.json").read_text())["figures"]}
            self.assertEqual(len(figures["memory"]["problems"]), 1)
            self.assertIn("bench memory", figures["memory"]["problems"][0])
            self.assertEqual(figures["relabel"]["problems"], [])
            self.assertIn("Failed", (pages / "README.md").read_text())
            self.assertIn("Failed", (pages / "index.html").read_text())

    def test_wrong_names(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run(folder, "--only", "nonsense")
            self.assertEqual(result.returncode, 2)
            self.assertIn("expected some of products", result.stderr)


if __name__ == "__main__":
    unittest.main()

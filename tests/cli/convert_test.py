"""cairn convert as a user meets it, against files that plain Python writes and reads."""
import array
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

from dense_files import npy

LAUNCH = os.environ["CAIRN_MPIEXEC"].split()
CAIRN = os.environ["CAIRN_PROGRAM"]


def run(*words, launch=None):
    command = [*(launch or []), CAIRN, "convert", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


class Convert(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def put(self, name, content):
        file = self.path / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def convert(self, *words, **kwargs):
        result = run(*words, "--json", **kwargs)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def error(self, *words):
        result = run(*words)
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(result.stdout, "")
        lines = [line for line in result.stderr.splitlines() if line.startswith("cairn:")]
        self.assertEqual(len(lines), 1, result.stderr)
        return lines[0]

    def doubles(self, file):
        return list(array.array("d", file.read_bytes()))

    def test_npy_to_raw_in_both_orders(self):
        source = self.put("a.npy", npy(2, 3, [1, 2, 3, 4, 5, 6]))
        for ranks in (1, 3):
            result = self.convert(source, self.path / "c.bin", "--ranks", ranks)
            self.assertEqual((result["to"]["rows"], result["to"]["columns"], result["ranks"]), (2, 3, ranks))
            self.assertEqual(result["to"]["bytes"], 48)
            self.assertEqual(self.doubles(self.path / "c.bin"), [1, 2, 3, 4, 5, 6])
            self.convert(source, self.path / "f.bin", "--to-order", "F", "--ranks", ranks)
            self.assertEqual(self.doubles(self.path / "f.bin"), [1, 4, 2, 5, 3, 6])

    def test_raw_to_npy(self):
        source = self.put("a.bin", b"head" + struct.pack(">6d", 1, 2, 3, 4, 5, 6))
        result = self.convert(source, self.path / "a.npy", "--rows", 3, "--cols", 2, "--type", "d", "--order", "F",
                              "--offset", 4, "--byte-order", "big", "--to-type", "s")
        self.assertEqual(result["to"]["type"], "float")
        written = (self.path / "a.npy").read_bytes()
        self.assertIn(b"'descr': '<f4', 'fortran_order': True, 'shape': (3, 2), }", written[:128])
        self.assertEqual(struct.unpack("<6f", written[128:]), (1, 2, 3, 4, 5, 6))

    def test_text_to_npy_and_back(self):
        source = self.put("a.mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n1.5\n-2\n4e3\n")
        self.convert(source, self.path / "a.npy")
        self.assertEqual(struct.unpack("<4d", (self.path / "a.npy").read_bytes()[-32:]), (1.5, -2, -2, 4000))
        self.convert(self.path / "a.npy", self.path / "b.mtx")
        words = (self.path / "b.mtx").read_text().split()
        self.assertEqual(words[:5], ["%%MatrixMarket", "matrix", "array", "real", "general"])
        self.assertEqual([float(w) for w in words[7:]], [1.5, -2, -2, 4000])

    def test_hdf5_there_and_back(self):
        source = self.put("a.npy", npy(2, 3, [1, 2, 3, 4, 5, 6], fortran=True))
        result = run(source, self.path / "a.h5", "--dataset", "/some/where", "--json")
        if "built without HDF5" in result.stderr:
            self.skipTest("built without HDF5")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["to"]["dataset"], "/some/where")
        self.convert(self.path / "a.h5", self.path / "b.bin", "--to-order", "F", "--from-dataset", "/some/where")
        self.assertEqual(self.doubles(self.path / "b.bin"), [1, 2, 3, 4, 5, 6])
        self.assertIn("cannot open the dataset '/other'",
                      self.error(self.path / "a.h5", self.path / "b.bin", "--from-dataset", "/other"))

    def test_a_result_line_names_shape_type_and_bytes(self):
        source = self.put("a.npy", npy(2, 3, [1, 2, 3, 4, 5, 6]))
        result = run(source, self.path / "b.npy", launch=[*LAUNCH, "-n", "2"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"a\.npy \(npy, double, \d+ B\) -> .*b\.npy \(npy, double, 176 B\): 2 x 3 in "
                                        r"\d+\.\d+ s on 2 ranks\n$")
        self.assertEqual(result.stderr, "")

    def test_a_file_onto_itself(self):
        source = self.put("a.npy", npy(2, 3, [1, 2, 3, 4, 5, 6], descr=">f8"))
        self.convert(source, source, "--to-order", "F")
        self.assertEqual(struct.unpack("<6d", source.read_bytes()[-48:]), (1, 4, 2, 5, 3, 6))
        self.assertEqual(os.listdir(self.path), ["a.npy"])

    def test_errors_name_the_file_the_place_and_what_was_expected(self):
        good = self.put("a.npy", npy(2, 3, [1, 2, 3, 4, 5, 6]))
        short = self.put("short.npy", good.read_bytes()[:-1])
        text = self.put("bad.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\nx\n4\n")
        out = self.path / "out.npy"
        for words, part in (
                ((self.path / "none.npy", out), "none.npy': rank 0: cannot open it: No such file or directory"),
                ((short, out), "the file ends here, expected"),
                ((text, out), "line 5 (byte 49): found 'x', expected a number"),
                ((good, self.path / "a.xyz"), "the extension is unknown, expected .npy, .mtx, .h5 or .bin"),
                ((good, self.path / "no" / "a.npy"), "cannot write into"),
                ((good, out, "--rows", "2"), "a raw input needs all of --rows, --cols, --type and --order"),
                ((good, out, "--to-type", "q"), "type is 'q', expected s (float)"),
                ((good, out, "--to-order", "X"), "--to-order is 'X', expected C (row-major) or F (column-major)"),
                ((good, out, "--from", "xls"), "format is 'xls', expected npy, mtx, raw or hdf5"),
                ((self.put("c.npy", npy(1, 1, [1, 2], descr="<c16")), out, "--to-type", "d"),
                 "the file holds complex<double> and the matrix double, expected a complex type")):
            self.assertIn(part, self.error(*words))
            self.assertFalse(out.exists())
        self.assertEqual(run(good, out, "--rows", "-1").returncode != 0, True)

    def test_what_no_node_holds_is_refused_before_it_is_read(self):
        side = 1 << 19
        large = self.put("large.npy", npy(side, side, []))
        os.truncate(large, large.stat().st_size + 8 * side * side)  # 2 TiB of nothing
        self.assertIn(f"a matrix of {side} x {side} elements takes 2 TiB on this node", self.error(large, self.path / "out.npy"))
        self.assertFalse((self.path / "out.npy").exists())

    def test_help_lists_the_options(self):
        text = run("--help").stdout
        for option in ("--dataset", "--from-dataset", "--rows", "--cols", "--type", "--order", "--ranks", "--to-type"):
            self.assertIn(option, text)


if __name__ == "__main__":
    unittest.main()

"""tools/vcluster: two hosts, a multiply between them that is verified, and nothing left behind. Skipped where network
namespaces may not be made."""
import json
import os
import subprocess
import sys
import unittest

SKIPPED = 77  # what CTest takes for skipped
CAIRN = os.environ["CAIRN_PROGRAM"]
VCLUSTER = os.path.join(os.environ["CAIRN_SOURCE"], "tools", "vcluster")
NAME = f"t{os.getpid()}"  # another test, or the user, may have one up


def vcluster(*words, name=NAME):
    return subprocess.run([sys.executable, VCLUSTER, "--name", name, *(str(w) for w in words)], capture_output=True, text=True,
                          timeout=100)


def namespaces():
    shown = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
    return [line for line in shown.splitlines() if line.startswith(NAME + "-")]


class VirtualCluster(unittest.TestCase):
    def setUp(self):
        self.addCleanup(vcluster, "down")

    def expect(self, *words):
        result = vcluster(*words)
        self.assertEqual(result.returncode, 0, f"{words}: {result.stdout}\n{result.stderr}")
        return result.stdout

    def expect_error(self, words, *parts):
        result = vcluster(*words)
        self.assertEqual(result.returncode, 2, words)
        for part in parts:
            self.assertIn(part, result.stderr)
        return result.stderr

    def received(self):
        """Bytes that reached each host."""
        return [int(line.split()[3]) for line in self.expect("status").splitlines()[2:]]

    def test_multiply_between_two_hosts(self):
        self.expect("up", 2, "200mbit")
        self.assertEqual(len(namespaces()), 3)
        self.assertIn("2 hosts, 200 Mbit/s", self.expect("status"))
        before = self.received()
        # 1 x 2 x 1: A, 120 x 100 words, is needed whole on both ranks; each has a half.
        shown = json.loads(self.expect("run", 2, CAIRN, "multiply", "-m", 120, "-n", 80, "-k", 100, "--grid", "1,2,1", "--json"))
        self.assertTrue(shown["verified"])
        self.assertEqual(shown["words"]["received"]["total"], 120 * 100)
        for earlier, now in zip(before, self.received()):
            self.assertGreaterEqual(now - earlier, 4 * 8 * 120 * 100 / 2, "the multiplies did not go over the links")
        self.expect("down")
        self.assertEqual(namespaces(), [])

    def test_ranks_are_dealt_to_the_hosts(self):
        self.expect("up", 2, "none")
        self.assertIn("unlimited", self.expect("status"))
        self.assertEqual(sorted(self.expect("run", 4, "hostname").split()), 2 * [NAME + "-0"] + 2 * [NAME + "-1"])
        self.assertEqual(vcluster("run", 1, "--", "sh", "-c", "exit 7").returncode, 7)
        self.expect_error(("up", 2, "none"), "is up already with 2 hosts", "down")
        self.assertEqual(len(namespaces()), 3)

    def test_bad_arguments_make_nothing(self):
        self.expect_error(("up", 0, "none"), "HOSTS is '0'", "from 1 to 250")
        self.expect_error(("up", 2, "fast"), "RATE is 'fast'", "100mbit")
        self.expect_error(("run", 2, "hostname"), "no cluster", "up HOSTS RATE")
        self.expect_error(("status",), "no cluster")
        self.assertEqual(namespaces(), [])


def possible():
    """A cluster of one host can be made here."""
    result = vcluster("up", 1, "1mbit")
    vcluster("down")
    return result.returncode == 0, result.stderr.strip()


if __name__ == "__main__":
    can, why = possible()
    if not can:
        print(f"skipped: {why}")
        sys.exit(SKIPPED)
    unittest.main()

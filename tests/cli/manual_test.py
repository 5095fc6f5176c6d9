"""cairn man and cairn completion: made of the commands themselves, so nothing may be missing."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

CAIRN = os.environ["CAIRN_PROGRAM"]


def run(*words):
    done = subprocess.run([CAIRN, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def options_of(help_text):
    return set(re.findall(r"(?<![\w-])--[a-z][\w-]*", help_text))


def complete_in_bash(*words):
    """What bash offers after these words; the last may be begun."""
    script = ('source <("$0" completion bash); COMP_WORDS=(cairn "$@"); COMP_CWORD=$#; _cairn; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-c", script, CAIRN, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


class Manual(unittest.TestCase):
    def test_every_command_has_a_page_with_its_options(self):
        with tempfile.TemporaryDirectory() as folder:
            run("man", folder)
            pages = {p.stem: p.read_text() for p in pathlib.Path(folder).iterdir()}
            for name in ("cairn", "cairn-multiply", "cairn-plan-multiply", "cairn-bound-lu", "cairn-spgemm"):
                self.assertIn(name, pages)
            for name in ("multiply", "plan multiply", "bound lu", "solve"):
                page = pages["cairn-" + name.replace(" ", "-")].replace("\\-", "-").replace("\\fB", " ")
                wanted = options_of(run(*name.split(), "--help").split("\nexample")[0])
                self.assertGreater(len(wanted), 2)
                self.assertLessEqual(wanted, options_of(page) | {"--help"}, name)
            if shutil.which("groff"):
                for name in pages:
                    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", f"{folder}/{name}.1"], capture_output=True, text=True)
                    self.assertEqual(done.stderr, "", name)
        done = subprocess.run([CAIRN, "man", "/no/such/folder"], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("/no/such/folder", done.stderr)

    def test_bash_completes_commands_and_options(self):
        self.assertEqual(complete_in_bash("plan", "mult"), ["multiply"])
        self.assertEqual(complete_in_bash("mult"), ["multiply"])
        self.assertIn("--ranks", complete_in_bash("plan", "multiply", "--r"))
        self.assertIn("--ranks", complete_in_bash("plan", "multiply", "-N", "3000", "--ra"))
        self.assertEqual(complete_in_bash("bound", "no-such"), [])
        commands = set(complete_in_bash(""))
        self.assertGreaterEqual(commands, {"info", "bench", "multiply", "plan", "bound", "lu", "completion"})

    def test_other_shells_know_every_command(self):
        commands = {word for word in complete_in_bash("plan", "") if not word.startswith("-")}
        self.assertIn("multiply", commands)
        for shell in ("zsh", "fish"):
            text = run("completion", shell)
            for command in commands:
                self.assertTrue(command in text, f"{shell}: {command}")
            if shutil.which(shell):
                done = subprocess.run([shell, "-n"], input=text, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)

    def test_unknown_shell(self):
        done = subprocess.run([CAIRN, "completion", "csh"], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("csh", done.stderr)


if __name__ == "__main__":
    unittest.main()

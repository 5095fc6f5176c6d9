"""The commands of the README and the guide: those marked <!-- checked --> print what the page shows, all others exist.

A checked block has commands behind `$ ` and below each what it prints; a line `...` stands for any number of lines.
"""
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

CAIRN = pathlib.Path(os.environ["CAIRN_PROGRAM"])
SOURCE = pathlib.Path(os.environ["CAIRN_SOURCE"])
PAGES = [SOURCE / "README.md", *sorted((SOURCE / "docs/guide").glob("*.md"))]
BLOCK = re.compile(r"^(<!-- checked -->\n)?```(\w*)\n(.*?)^```", re.S | re.M)
INLINE = re.compile(r"(?<!`)`((?:\./run|cairn) [^`]+)`(?!`)")


def blocks():
    for page in PAGES:
        for mark, language, text in BLOCK.findall(page.read_text()):
            if language in ("", "sh", "console"):
                yield page, bool(mark), text


def inline_commands(page):
    """The commands within the sentences and tables of a page."""
    for text in INLINE.findall(BLOCK.sub("", page.read_text())):
        if "..." in text:  # any of several
            continue
        yield " ".join(text.replace("\\|", "|").split()).replace("./run ", "cairn ")


def joined_lines(text):
    return text.replace("\\\n", " ").splitlines()


def commands(text):
    """The command lines of a block, without $, comments and ./run."""
    for line in joined_lines(text):
        line = line.removeprefix("$ ").replace("./run ", "cairn ")
        if line.startswith("cairn "):
            yield re.split(r"\s+#\s|\s+[|>]\s", line)[0].strip()


def sessions(text):
    """[command, lines that it prints] of a checked block."""
    found = []
    for line in joined_lines(text):
        if line.startswith("$ "):
            found.append([line[2:].replace("./run ", "cairn "), []])
        elif found:
            found[-1][1].append(line)
    return found


def matches(shown, printed):
    """Whether the lines are those shown, where `...` is any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line.rstrip()) + r"\n" for line in shown)
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in printed)) is not None


class Guide(unittest.TestCase):
    def test_checked_commands_print_what_is_shown(self):
        checked = [(page, *session) for page, mark, text in blocks() if mark for session in sessions(text)]
        self.assertGreaterEqual(len(checked), 10)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "examples").symlink_to(SOURCE / "examples")
            environment = {**os.environ, "PATH": f"{CAIRN.parent}:{os.environ['PATH']}", "XDG_CACHE_HOME": folder}
            for page, command, shown in checked:
                with self.subTest(page=page.name, command=command):
                    result = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, timeout=120,
                                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    while shown and not shown[-1]:
                        shown.pop()
                    printed = result.stdout.rstrip("\n").splitlines()
                    self.assertTrue(matches(shown, printed), f"{command} prints\n{result.stdout}")

    def test_every_command_and_option_exists(self):
        helps = {}

        def help_of(words):
            if words not in helps:
                helps[words] = subprocess.run([CAIRN, *words, "--help"], capture_output=True, text=True, timeout=60)
            return helps[words]

        # Checked blocks are run by the other test, and may show errors on purpose.
        shown = [(page, command) for page, mark, text in blocks() if not mark for command in commands(text)]
        shown += [(page, command) for page in PAGES for command in inline_commands(page)]
        for page, command in shown:
            with self.subTest(page=page.name, command=command):
                words = shlex.split(command)[1:]
                if not words or words[0] in ("build", "test", "lint", "docs", "format", "help"):  # of ./run itself
                    continue
                names = []
                for word in words:  # the sub-commands, then arguments
                    if word.startswith("-") or help_of((*names, word)).returncode != 0:
                        break
                    names.append(word)
                self.assertTrue(names or words[0].startswith("-"), command)
                described = help_of(tuple(names)).stdout + help_of(()).stdout
                for word in words[len(names):]:
                    if re.fullmatch(r"--?[a-zA-Z][\w-]*", word):
                        self.assertRegex(described, rf"(?m)(^|[\s,]){re.escape(word)}\b", f"{word} of {command}")
        self.assertGreater(len(shown), 80)


if __name__ == "__main__":
    unittest.main()

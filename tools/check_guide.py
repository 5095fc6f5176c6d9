#!/usr/bin/env python3
"""Checks that the code shown in the guide is the code of the examples, which the tests run.

A comment <!-- FILE [REGION] --> before a block of code says where it comes from: the lines of FILE between
`// [REGION]` and `// [end]`.

usage: check_guide.py [ROOT]
"""
import pathlib
import re
import sys
import textwrap

SHOWN = re.compile(r"<!-- (\S+) \[([^\]]+)\] -->\n```\w*\n(.*?)```", re.S)


def region(text, name):
    match = re.search(rf"^ *// \[{re.escape(name)}\]\n(.*?)^ *// \[end\]", text, re.S | re.M)
    return textwrap.dedent(match.group(1)) if match else None


def check(root):
    blocks = 0
    for page in sorted((root / "docs/guide").glob("*.md")):
        for file, name, shown in SHOWN.findall(page.read_text()):
            blocks += 1
            code = region((root / file).read_text(), name)
            if code is None:
                yield f"{page.name}: {file} has no region [{name}]"
            elif code != shown:
                yield f"{page.name}: [{name}] of {file} is not what the page shows; it is:\n{code}"
    if blocks == 0:
        yield "no page shows an example"


def main():
    problems = list(check(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
    print("\n".join(problems) if problems else "ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

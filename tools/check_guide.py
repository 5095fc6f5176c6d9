#!/usr/bin/env python3
"""Checks that the C++, C and Fortran code shown in the guide is the code of the examples, which the tests run.

A comment <!-- FILE [REGION] --> before a block of code says where it comes from: the lines of FILE between
`// [REGION]` and `// [end]` (`! [REGION]` and `! [end]` in Fortran). A block of such code without one is an error.

usage: check_guide.py [--write] [ROOT]      --write puts the code of the examples into the pages
"""
import pathlib
import re
import sys
import textwrap

SHOWN = re.compile(r"(<!-- (\S+) \[([^\]]+)\] -->\n```(?:cpp|c|fortran)\n)(.*?)(?=```)", re.S)
CODE = re.compile(r"^```(?:cpp|c\+\+|c|fortran)$", re.M)


def region(text, name):
    match = re.search(rf"^ *(?://|!) \[{re.escape(name)}\]\n(.*?)^ *(?://|!) \[end\]", text, re.S | re.M)
    return textwrap.dedent(match.group(1)) if match else None


def code_of(root, file, name):
    source = root / file
    return region(source.read_text(), name) if source.exists() else None


def check_page(root, page):
    text = page.read_text()
    shown = SHOWN.findall(text)
    if len(CODE.findall(text)) != len(shown):
        yield f"{page.name}: a block of code does not say which example it comes from"
    for _, file, name, block in shown:
        code = code_of(root, file, name)
        if code is None:
            yield f"{page.name}: {file} has no region [{name}]"
        elif code != block:
            yield f"{page.name}: [{name}] of {file} is not what the page shows; it is:\n{code}"


def write_page(root, page):
    text = page.read_text()
    page.write_text(SHOWN.sub(lambda m: m.group(1) + (code_of(root, m.group(2), m.group(3)) or m.group(4)), text))


def main():
    words = [w for w in sys.argv[1:] if w != "--write"]
    root = pathlib.Path(words[0] if words else ".").resolve()
    pages = sorted((root / "docs/guide").glob("*.md"))
    if "--write" in sys.argv[1:]:
        for page in pages:
            write_page(root, page)
    problems = [problem for page in pages for problem in check_page(root, page)]
    if not any(SHOWN.search(page.read_text()) for page in pages):
        problems.append("no page shows an example")
    print("\n".join(problems) if problems else "ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

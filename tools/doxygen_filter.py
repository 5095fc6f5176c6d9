#!/usr/bin/env python3
"""What Doxygen reads instead of a header or a page: the headers' plain comments become its own.

usage: doxygen_filter.py FILE          (INPUT_FILTER of docs/Doxyfile)
"""
import os
import re
import sys

CODE = re.compile(r"^(.*?[;,{}(])\s+// ?(.*)$")  # code with a comment behind it


def header(text):
    """// above a declaration describes it, // behind a member describes that; code within comments is indented by 3."""
    head, behind = True, None  # the comment at the top is the file's; the column of a comment behind code
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith("//"):
            column = line.index("//")
            said = bare[2:].removeprefix(" ")
            said = "    " + said if said.startswith("  ") else said
            if behind is not None and column >= behind - 2:
                yield f"{' ' * column}///< {said}"
            elif head is True:
                head = "open"
                yield f"/// \\file\n/// {said}"
            else:
                yield f"{' ' * column}/// {said}"
            continue
        head = False
        match = CODE.match(line)
        behind = line.index("//") if match else None
        yield f"{match.group(1)}  ///< {match.group(2)}" if match else line


def page(name, text):
    """Links to a heading go to its page; what only our own tools read is left out; README.md of the root is the first."""
    text = re.sub(r"^<!-- .*? -->\n", "", text, flags=re.M)
    if name == "README.md":
        text = re.sub(r"^# (.*)$", r"# \1 {#mainpage}", text, count=1, flags=re.M)
    elif name.endswith("/README.md"):  # else Doxygen takes it for the first page, too
        text = re.sub(r"^# (.*)$", rf"# \1 {{#{name.split('/')[-2]}}}", text, count=1, flags=re.M)
    text = re.sub(r"\[([^\]]*)\]\(#[\w-]+\)", r"\1", text)
    return re.sub(r"\]\(([\w./-]+\.md)#[\w-]+\)", r"](\1)", text)


def main():
    name = sys.argv[1]
    with open(name, encoding="utf-8") as file:
        text = file.read()
    sys.stdout.write(page(os.path.relpath(name), text) if name.endswith(".md") else "\n".join(header(text)) + "\n")


if __name__ == "__main__":
    main()

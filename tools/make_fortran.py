#!/usr/bin/env python3
"""Writes the Fortran interfaces of include/cairn/cairn.h and the headers that it includes: src/doors/fortran/cairn_c.f90.

usage: make_fortran.py [--check] [ROOT]      --check only says whether the file is what it should be
"""
import pathlib
import re
import sys

HANDLES = ["context", "layout", "matrix", "plan", "lu", "cholesky", "sparse", "pattern"]
# Arguments that are arrays; other addresses of numbers are those of one.
ARRAYS = {"permutation", "swaps", "entry_rows", "entry_columns", "descriptor", "rectangles"}
KINDS = {"int": "integer(c_int)", "int64_t": "integer(c_int64_t)", "size_t": "integer(c_size_t)", "double": "real(c_double)",
         "MPI_Fint": "integer(c_int)"}
BYTES = {"int": 4, "int64_t": 8, "size_t": 8, "double": 8}
HEAD = """! The functions, constants and structs of cairn.h, under the same names. Made by tools/make_fortran.py.
!
! Handles are types of their own. Addresses of numbers, texts and structs are optional: one that is absent is NULL in C.
! Whatever has elements of any type is a c_ptr. Texts for C end in c_null_char.
module cairn_c
  use, intrinsic :: iso_c_binding
  implicit none
  public
"""


def without_comments(text):
    return re.sub(r"//.*", "", text)


def with_includes(include, name, seen):
    """The text of a header of ours, those that it includes before it, each once."""
    if name in seen:
        return ""
    seen.add(name)
    text = (include / name).read_text()
    others = re.findall(r'^#include "(cairn/c/\w+\.h)"', text, re.M)
    return "".join(with_includes(include, other, seen) for other in others) + text


def enumerations(text):
    """(NAME, value) of every constant, and the names of the types."""
    constants = [(m.group(1), m.group(2)) for body in re.findall(r"\benum \{(.*?)\};", text, re.S)
                 for m in re.finditer(r"(CAIRN_\w+) = (\d+)", body)]
    return constants, set(re.findall(r"typedef int (cairn_\w+);", text))


def members(body):
    """(type, name, array length or None) of a struct."""
    for line in (part.strip() for part in body.split(";")):
        if not line:
            continue
        kind, names = re.match(r"((?:const )?\w+\*?)\s+(.*)", line, re.S).groups()
        for name in names.split(","):
            found = re.match(r"(\w+)(?:\[(\d+)\])?", name.strip())
            yield kind, found.group(1), found.group(2)


class Header:
    def __init__(self, text):
        text = without_comments(text)
        self.constants, self.enums = enumerations(text)
        self.structs = {name: list(members(body))
                        for body, name in re.findall(r"typedef struct cairn_\w+ \{(.*?)\} (cairn_\w+);", text, re.S)}
        self.functions = [(kind.strip(), name, [" ".join(a.split()) for a in arguments.split(",")])
                          for kind, name, arguments in
                          re.findall(r"CAIRN_C_EXPORT ([\w\s*]+?)\b(cairn_\w+)\(([^)]*)\);", text)]

    def size(self, kind):
        """Bytes and alignment where addresses have 8 bytes."""
        if kind in self.structs:
            total = 0
            for member, _, length in self.structs[kind]:
                each, alignment = self.size(member)
                total = -(-total // alignment) * alignment + each * int(length or 1)
            return -(-total // 8) * 8 if self.alignment(kind) == 8 else total, self.alignment(kind)
        if kind == "char":
            return 1, 1
        bytes_ = 4 if kind in self.enums else BYTES.get(kind, 8)
        return bytes_, bytes_

    def alignment(self, kind):
        return max(self.size(member)[1] for member, _, _ in self.structs[kind])

    def value(self, kind):
        """The Fortran type of a value of C."""
        if kind in self.enums:
            return KINDS["int"]
        if kind in KINDS:
            return KINDS[kind]
        if kind in self.structs or kind.endswith("_t"):
            return f"type({kind})"
        return {"char": "character(kind=c_char)"}.get(kind, "type(c_ptr)")

    def struct(self, name):
        lines = [f"  type, bind(c) :: {name}"]
        for kind, member, length in self.structs[name]:
            fortran = self.value(kind)
            shape = f"({length})" if length else ""
            if member == "struct_size":
                initial = f" = {self.size(name)[0]}_c_size_t"
            elif fortran == "type(c_ptr)":
                initial = " = c_null_ptr"
            elif fortran.startswith("type"):
                initial = f" = {fortran[5:-1]}()"
            else:
                initial = {"character(kind=c_char)": " = c_null_char", "real(c_double)": " = 0"}.get(fortran, " = 0")
            lines.append(f"    {fortran} :: {member}{shape}{initial}")
        return lines + [f"  end type {name}", ""]

    def argument(self, text):
        """The Fortran declaration of one argument."""
        constant, kind, stars, name = re.match(r"(const )?(\w+)\s?(\**) ?(\w+)$", text).groups()
        if kind in ("cairn_element_function", "cairn_strip_function"):
            return f"type(c_funptr), value :: {name}"
        if not stars:
            return f"{self.value(kind)}, value :: {name}"
        if kind == "void":
            return f"type(c_ptr), value :: {name}" if stars == "*" else f"type(c_ptr), intent(out), optional :: {name}"
        if kind == "char":
            return f"character(kind=c_char), intent({'in' if constant else 'out'}), optional :: {name}(*)"
        intent = "in" if constant else "inout" if kind.endswith("_t") and kind not in KINDS or kind in self.structs else "out"
        shape = "(*)" if name in ARRAYS else ""
        return f"{self.value(kind)}, intent({intent}), optional :: {name}{shape}"

    def function(self, kind, name, arguments):
        arguments = [] if arguments == ["void"] else arguments
        declared = [self.argument(a) for a in arguments]
        names = [re.search(r":: (\w+)", d).group(1) for d in declared]
        result = "type(c_ptr)" if "*" in kind else "integer(c_int)"
        head = wrap(f"    {result} function {name}({', '.join(names)}) bind(c)")
        return [*head, "      import", *(f"      {d}" for d in declared), f"    end function {name}", ""]

    def module(self):
        lines = [f"  integer(c_int), parameter :: {name} = {value}" for name, value in self.constants]
        lines.append("")
        for handle in HANDLES:
            lines += [f"  type, bind(c) :: cairn_{handle}_t", "    type(c_ptr) :: handle = c_null_ptr",
                      f"  end type cairn_{handle}_t", ""]
        for name in self.structs:
            lines += self.struct(name)
        lines.append("  interface")
        for function in self.functions:
            if function[1] != "cairn_context_create":  # of a communicator of C
                lines += self.function(*function)
        return HEAD + "\n" + "\n".join(lines + ["  end interface", "end module cairn_c", ""])


def wrap(line):
    """Lines of at most 120 characters."""
    lines = []
    while len(line) > 118:
        cut = line.rfind(" ", 0, 116)
        lines.append(line[:cut] + " &")
        line = "        " + line[cut + 1:]
    return lines + [line]


def main():
    words = [w for w in sys.argv[1:] if w != "--check"]
    root = pathlib.Path(words[0] if words else ".")
    text = Header(with_includes(root / "include", "cairn/cairn.h", set())).module()
    file = root / "src/doors/fortran/cairn_c.f90"
    if "--check" in sys.argv[1:]:
        if file.read_text() != text:
            print("src/doors/fortran/cairn_c.f90 is not what cairn.h says: run tools/make_fortran.py")
            return 1
        print("ok")
        return 0
    file.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

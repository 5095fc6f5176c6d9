#!/usr/bin/env python3
"""The library exports what include/cairn/ declares, C++ and C, and nothing else.

usage: symbols_test.py NM LIBRARY INCLUDE
"""
import pathlib
import re
import subprocess
import sys

EXPORTED_CLASS = re.compile(r"\b(?:class|struct)\s+CAIRN_EXPORT\s+(\w+)")
EXPORTED_FUNCTION = re.compile(r"\bCAIRN_EXPORT\s+(?!class|struct)[^;{}()]*?(operator\S+|\w+)\s*\(")
C_FUNCTION = re.compile(r"\bCAIRN_C_EXPORT\s+[\w\s*]*?\b(cairn_\w+)\(")
ABOUT_A_TYPE = re.compile(r"^(vtable|typeinfo|typeinfo name|VTT|guard variable|construction vtable) for ")
OWN_NAME = re.compile(r"\bcairn::(operator[^(\s]+|\w+)")


def public_names(include):
    """Names at namespace level that the public headers mark for export."""
    text = "\n".join(p.read_text() for p in sorted(include.glob("*.hpp")) if p.name != "export.hpp")
    return set(EXPORTED_CLASS.findall(text)) | set(EXPORTED_FUNCTION.findall(text))


def c_names(include):
    return {name for header in include.glob("c/*.h") for name in C_FUNCTION.findall(header.read_text())}


def exported_symbols(nm, library):
    lines = subprocess.run([nm, "-D", "--defined-only", "-C", library], capture_output=True, text=True, check=True)
    return sorted({line.split(maxsplit=2)[2] for line in lines.stdout.splitlines()})


def without_brackets(text):
    """`cairn::Matrix<double>::at(long, long) const` -> `cairn::Matrix::at(long, long) const`"""
    while (shorter := re.sub(r"<[^<>]*>", "", text)) != text:
        text = shorter
    return text


def qualified_name(symbol):
    """The name of a function or an object, without template arguments, parameters and type."""
    symbol = ABOUT_A_TYPE.sub("", symbol).replace("(anonymous namespace)", "anonymous")
    symbol = re.sub(r"\boperator(?:[<>-]+=?>?| )", "operator_", symbol)  # these would be taken for brackets or blanks
    return without_brackets(symbol).split("(")[0].split()[-1]


def is_allowed(symbol, public, c_public):
    if symbol in c_public:
        return True
    if ABOUT_A_TYPE.match(symbol) and not OWN_NAME.search(symbol):
        return True  # of a type that is not ours: every library that uses it has the same
    name = qualified_name(symbol)
    if name.startswith("cairn::"):
        return OWN_NAME.match(name).group(1) in public
    # An instantiation of the standard library: not for types of ours that nobody outside can name.
    return name.startswith("std::") and set(OWN_NAME.findall(symbol)) <= public


def main():
    nm, library, include = sys.argv[1:]
    public = public_names(pathlib.Path(include))
    c_public = c_names(pathlib.Path(include))
    symbols = exported_symbols(nm, library)
    wrong = [s for s in symbols if not is_allowed(s, public, c_public)]
    named = {OWN_NAME.match(qualified_name(s)).group(1) for s in symbols if qualified_name(s).startswith("cairn::")}
    missing = sorted(public - named) + sorted(c_public - set(symbols))
    for symbol in wrong:
        print(f"exported, and not declared in include/cairn/: {symbol}")
    for name in missing:
        print(f"declared in include/cairn/ for export, and not in the library: {name}")
    print(f"{len(symbols)} symbols of {len(public)} public names and {len(c_public)} of C, {len(wrong)} wrong, {len(missing)} missing")
    return 1 if wrong or missing or not public or not c_public else 0


if __name__ == "__main__":
    sys.exit(main())

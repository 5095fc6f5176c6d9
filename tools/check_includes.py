#!/usr/bin/env python3
"""Checks that each folder of src/ includes only folders above it, and that only comm calls MPI and only base calls BLAS.
bench/ is held to what cli may do; of the folders of src/ only cli may include bench/.

usage: check_includes.py [ROOT]
"""
import pathlib
import re
import sys

# From the bottom up: a folder may include itself and those before it.
LAYERS = ["base", "comm", "layout", "io", "bounds", "program", "check", "gemm", "factor", "symmetric", "sparse", "plan", "api",
          "doors", "daap", "pebble", "cli"]
# Leaf tools, linked by the program alone: they use little, and only the command line uses them.
LEAVES = {"daap": ["base", "bounds", "daap"], "pebble": ["base", "bounds", "pebble"]}
# Folders beside src/ that are held to the directions: the layer whose place they share. Benchmarks compare with MPI's
# own collectives, and measure over MPI what Cairn must not count.
BESIDE = {"bench": "cli"}
# The layer a public header belongs to; all others belong to api.
PUBLIC = {f"cairn/{name}.hpp": "base" for name in ("choices", "error", "export", "pivoting", "semiring", "types", "verification", "version")}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]')
MPI_CALL = re.compile(r"\bMPI_[A-Z][a-z]\w*\s*\(")
# Doors are given communicators by programs that are not C++: they turn handles into each other.
MPI_HANDLE = re.compile(r"\bMPI_Comm_(f2c|c2f)\s*\(")
MPI_ALLOWED = {"src/cli/session.cpp"}  # MPI_Init and MPI_Finalize have to be somewhere
BLAS_CALL = re.compile(r"\b[sdcz](gemm|gemv|ger|geru|gerc|trsm|syrk|herk|getrf|potrf)_\b")


def layer_of(include):
    if include in PUBLIC:
        return PUBLIC[include]
    head = include.split("/")[0]
    head = BESIDE.get(head, head)
    if head == "cairn":
        return "api"
    return head if head in LAYERS else None


def folder_of(name):
    words = name.split("/")
    return BESIDE[words[0]] if words[0] in BESIDE else words[1]


def may_call_mpi(name):
    return name.startswith("src/comm/") or name in MPI_ALLOWED or name.split("/")[0] in BESIDE


def check_file(root, path):
    name = path.relative_to(root).as_posix()
    folder = folder_of(name)
    allowed = LEAVES.get(folder)
    if folder not in LAYERS:
        yield f"{name}: the folder '{folder}' is not a layer (known: {', '.join(LAYERS)})"
        return
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code = line.split("//")[0]
        match = INCLUDE.match(line)
        target = layer_of(match.group(1)) if match else None
        if target and LAYERS.index(target) > LAYERS.index(folder):
            yield f"{name}:{number}: {folder} may not include {match.group(1)}: {target} is above it"
        if target and allowed and target not in allowed:
            yield f"{name}:{number}: {folder} may include only {', '.join(allowed)}, not {match.group(1)}"
        if folder == "doors":
            code = MPI_HANDLE.sub("", code)
        if match and match.group(1) == "mpi.h" and folder != "doors" and not may_call_mpi(name):
            yield f"{name}:{number}: only comm includes mpi.h"
        if not may_call_mpi(name) and MPI_CALL.search(code):
            yield f"{name}:{number}: only comm calls MPI"
        if folder != "base" and BLAS_CALL.search(code) and '"' not in code:
            yield f"{name}:{number}: only base calls BLAS and LAPACK"


def check_public(root, path):
    """Users see only public headers: none of src/ may be included there."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match and "/" in match.group(1) and not match.group(1).startswith("cairn/"):
            yield f"{path.relative_to(root)}:{number}: a public header may not include {match.group(1)}"


def check(root):
    folders = [root / "src", *(root / name for name in BESIDE)]
    files = sorted(p for folder in folders for p in folder.rglob("*") if p.suffix in (".hpp", ".cpp"))
    problems = [problem for path in files for problem in check_file(root, path)]
    public = sorted((root / "include").rglob("*.hpp"))
    problems += [problem for path in public for problem in check_public(root, path)]
    return files + public, problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    files, problems = check(root)
    for problem in problems:
        print(problem)
    print(f"{len(files)} files, {len(problems)} problems")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())

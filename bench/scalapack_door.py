#!/usr/bin/env python3
"""libcairn_scalapack.so beside plain ScaLAPACK: random cells of (routine, size, grid), each called in turn with
CAIRN_SCALAPACK=auto and =off in one process. Prints the median of each, plain / auto, and what was Cairn's.

usage: mpirun -n P python3 scalapack_door.py LIBRARY [--cells 40] [--seed 1] [--seconds 2] [--smallest 16] [--largest 3000]
                                             [--mode auto|on|report] [--only getrf,potrf] [--grid 2x2] [--size 2000]
                                             [--each] [--json]
                                             [--scalapack libscalapack-openmpi.so.2.2]

--mode on shows what Cairn takes where auto would pass a call on; report is auto with its table of estimates at the end.
--each prints the milliseconds of each call as well, so that one sees which way they went.
"""
import argparse
import ctypes
import json
import math
import random
import statistics
import time

import numpy
from mpi4py import MPI

WORLD = MPI.COMM_WORLD
ROUTINES = ["gemm", "tran", "geadd", "gemr2d", "trsm", "getrf", "gesv", "getrs", "getri", "potrf", "posv", "potrs", "potri"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--cells", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2, help="of each cell, both ways together")
    parser.add_argument("--smallest", type=int, default=16)
    parser.add_argument("--largest", type=int, default=3000)
    parser.add_argument("--mode", choices=["auto", "on", "report"], default="auto")
    parser.add_argument("--only", default=",".join(ROUTINES), help="routines, with commas between them")
    parser.add_argument("--grid", help="rows x columns of all cells, as 2x2")
    parser.add_argument("--size", type=int, help="of all cells")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--scalapack", default="libscalapack-openmpi.so.2.2")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def reference(value):
    return ctypes.byref(ctypes.c_int(value))


class Grid:
    """A process grid of the first ranks."""

    def __init__(self, blacs, rows, columns):
        self.blacs, self.rows, self.columns = blacs, rows, columns
        context = ctypes.c_int()
        blacs.blacs_get_(reference(-1), reference(0), ctypes.byref(context))
        blacs.blacs_gridinit_(ctypes.byref(context), b"R", reference(rows), reference(columns))
        self.row = self.column = -1
        if WORLD.rank < rows * columns:
            self.row, self.column = divmod(WORLD.rank, columns)
        self.context = context.value if self.row >= 0 else -1

    def end(self, library):
        if self.row >= 0:
            library.blacs_gridexit_(reference(self.context))


def share(n, block, process, processes):
    full, left = divmod(n // block, processes)
    return full * block + (block if process < left else n % block if process == left else 0)


class Matrix:
    def __init__(self, grid, m, n, block, dominant=False):
        rows = share(m, block, grid.row, grid.rows) if grid.row >= 0 else 0
        columns = share(n, block, grid.column, grid.columns) if grid.row >= 0 else 0
        self.start = numpy.random.default_rng(WORLD.rank + m).random((max(columns, 1), max(rows, 1))) - 0.5
        if dominant:
            mine = numpy.arange(max(rows, 1)) if rows else numpy.arange(0)
            for local in mine:
                i = (local // block * grid.rows + grid.row) * block + local % block
                if i // block % grid.columns == grid.column:
                    self.start[i // block // grid.columns * block + i % block, local] += 2 * n
        self.data = self.start.copy()
        self.descriptor = (ctypes.c_int * 9)(1, grid.context, m, n, block, block, 0, 0, max(rows, 1))

    def reset(self):
        self.data[...] = self.start

    @property
    def arguments(self):
        return self.data.ctypes.data_as(ctypes.c_void_p), reference(1), reference(1), self.descriptor


class Cell:
    """One routine on one size and grid: `call` is the call, `before` what is put back first."""

    def __init__(self, library, routine, n, grid, other, everybody, block):
        i, one, zero = reference, ctypes.byref(ctypes.c_double(1)), ctypes.byref(ctypes.c_double(0))
        sides = min(n, 64)
        # LU meets a matrix whose rows it must exchange; Cholesky wants a definite one, a solve a triangle that is no danger.
        a = Matrix(grid, n, n, block, dominant=routine.startswith("po"))
        b, c = Matrix(grid, n, n, block, dominant=True), Matrix(grid, n, n, block)
        x = Matrix(grid, n, sides, block)
        x.reset()
        self.changed = [a, x, c]
        pivots = (ctypes.c_int * (2 * n + 2 * block))()
        work = numpy.zeros(8 * (n + 2 * block) * block + 64)
        iwork = (ctypes.c_int * (16 * n + 1024))()
        info = ctypes.byref(ctypes.c_int())
        buffer = work.ctypes.data_as(ctypes.c_void_p)
        f = getattr(library, f"pd{routine}_")
        self.prepare = lambda: None
        if routine in ("getrs", "getri"):
            self.prepare = lambda: library.pdgetrf_(i(n), i(n), *a.arguments, pivots, info)
        if routine in ("potrs", "potri"):
            self.prepare = lambda: library.pdpotrf_(b"L", i(n), *a.arguments, info)
        self.inside = grid.row >= 0
        calls = {
            "gemm": lambda: f(b"N", b"N", i(n), i(n), i(n), one, *a.arguments, *b.arguments, zero, *c.arguments),
            "tran": lambda: f(i(n), i(n), one, *a.arguments, zero, *c.arguments),
            "geadd": lambda: f(b"T", i(n), i(n), one, *a.arguments, one, *c.arguments),
            "trsm": lambda: f(b"L", b"L", b"N", b"N", i(n), i(n), one, *b.arguments, *c.arguments),
            "getrf": lambda: f(i(n), i(n), *a.arguments, pivots, info),
            "gesv": lambda: f(i(n), i(sides), *a.arguments, pivots, *x.arguments, info),
            "getrs": lambda: f(b"N", i(n), i(sides), *a.arguments, pivots, *x.arguments, info),
            "getri": lambda: f(i(n), *a.arguments, pivots, buffer, i(work.size), iwork, i(len(iwork)), info),
            "potrf": lambda: f(b"L", i(n), *a.arguments, info),
            "posv": lambda: f(b"L", i(n), i(sides), *a.arguments, *x.arguments, info),
            "potrs": lambda: f(b"L", i(n), i(sides), *a.arguments, *x.arguments, info),
            "potri": lambda: f(b"L", i(n), *a.arguments, info),
        }
        if routine == "gemr2d":
            to = Matrix(other, n, n, max(1, block // 2))
            self.inside = True
            self.call = lambda: f(i(n), i(n), *a.arguments, *to.arguments, i(everybody.context))
        else:
            self.call = calls[routine]

    def seconds(self):
        for matrix in self.changed:
            matrix.reset()
        if self.inside:
            self.prepare()
        WORLD.Barrier()
        start = time.perf_counter()
        if self.inside:
            self.call()
        return WORLD.allreduce(time.perf_counter() - start, MPI.MAX)


def measure(cell, library, mode, budget):
    """Medians of both ways, called in turn, each as often the first of the two."""
    ways = {mode.encode(): [], b"off": []}
    start = time.perf_counter()
    for repetition in range(1000):
        for way, kept in list(ways.items())[::1 if repetition % 2 else -1]:
            library.cairn_scalapack_set_mode(way)
            kept.append(cell.seconds())
        if WORLD.bcast(repetition >= 4 and time.perf_counter() - start > budget):
            break
    library.cairn_scalapack_set_mode(mode.encode())
    return {way.decode(): kept for way, kept in ways.items()}


def median(kept):
    return statistics.median(kept[1:])  # the first call plans


def some_cell(dice, wanted):
    rows = dice.randint(1, WORLD.size)
    columns = dice.randint(1, WORLD.size // rows)
    if wanted.grid:
        rows, columns = (int(x) for x in wanted.grid.split("x"))
    n = wanted.size or round(math.exp(dice.uniform(math.log(wanted.smallest), math.log(wanted.largest))))
    return dice.choice(wanted.only.split(",")), n, rows, columns, dice.choice([32, 64])


def main():
    wanted = arguments()
    library = ctypes.CDLL(wanted.library, ctypes.RTLD_GLOBAL)
    scalapack = ctypes.CDLL(wanted.scalapack, ctypes.RTLD_GLOBAL)
    dice = random.Random(wanted.seed)
    everybody = Grid(scalapack, 1, WORLD.size)
    rows = []
    for _ in range(wanted.cells):
        routine, n, r, c, block = some_cell(dice, wanted)
        grid, other = Grid(scalapack, r, c), Grid(scalapack, c, r)
        ours, after = ctypes.c_longlong(), ctypes.c_longlong()
        library.cairn_scalapack_counts(ctypes.byref(ours), None)
        each = measure(Cell(library, routine, n, grid, other, everybody, block), library, wanted.mode,
                        wanted.seconds)
        times = {way: median(kept) for way, kept in each.items()}
        library.cairn_scalapack_counts(ctypes.byref(after), None)
        by_cairn = WORLD.bcast(after.value > ours.value)
        rows.append({"routine": "pd" + routine, "n": n, "grid": f"{r}x{c}", "block": block, "auto": times[wanted.mode],
                     "plain": times["off"], "ratio": times["off"] / times[wanted.mode], "by": "cairn" if by_cairn else "scalapack"})
        if WORLD.rank == 0 and not wanted.json:
            row = rows[-1]
            print(f"{row['routine']:10} n={n:5} {row['grid']:>5} block {block:3}  {wanted.mode} {row['auto']:.6f} s  plain "
                  f"{row['plain']:.6f} s  plain/{wanted.mode} {row['ratio']:.3f}  {row['by']}", flush=True)
            if wanted.each:
                for way, kept in each.items():
                    print(f"    {way}:", *(f"{1000 * seconds:.3g}" for seconds in kept), flush=True)
        grid.end(library)
        other.end(library)
    large = [row["ratio"] for row in rows if row["n"] >= 1000]
    summary = {"cells": len(rows), "slower by more than 5 %": sum(row["ratio"] < 1 / 1.05 for row in rows),
               "worst": min(row["ratio"] for row in rows),
               "geometric mean, n >= 1000": math.exp(statistics.fmean(map(math.log, large))) if large else None}
    if WORLD.rank == 0:
        print(json.dumps({"rows": rows, "summary": summary}) if wanted.json else summary)


main()

"""Products, LU, Cholesky and solves on PETSc's dense parallel matrices (MATSCALAPACK), an unchanged program that calls
ScaLAPACK. Prints one line of JSON: residuals of the results, and the seconds of each step on the slowest rank.

usage: mpirun -n P python3 petsc_program.py [N]
"""
import json
import sys
import time

import numpy
from petsc4py import PETSc

comm = PETSc.COMM_WORLD
n = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
columns = 64
seconds = {}


def timed(name, step):
    comm.barrier()
    start = time.perf_counter()
    result = step()
    comm.barrier()
    seconds[name] = round(time.perf_counter() - start, 4)
    return result


def norm(matrix):
    return matrix.norm(PETSc.NormType.FROBENIUS)


def residual(a, x, b):
    """|A X - B| / (|A| |X|)"""
    r = a.matMult(x)
    r.axpy(-1, b)
    return norm(r) / (norm(a) * norm(x))


def dense(rows, cols, seed, symmetric=False):
    """Elements that look random, the same on any number of ranks."""
    matrix = PETSc.Mat().createDense([rows, cols], comm=comm)
    matrix.setUp()
    first, end = matrix.getOwnershipRange()
    i = numpy.arange(first, end)[:, None]
    j = numpy.arange(cols)[None, :]
    low, high = (numpy.minimum(i, j), numpy.maximum(i, j)) if symmetric else (i + 0 * j, j + 0 * i)
    values = numpy.sin(low * 12.9898 + high * 78.233 + seed) * 43758.5453
    values -= numpy.floor(values) + 0.5
    if symmetric:
        values += numpy.where(i == j, n, 0)
    matrix.getDenseArray()[:, :] = values
    matrix.assemble()
    return matrix.convert("scalapack")


def factored(a, kind):
    factor = a.copy()
    order = PETSc.IS().createStride(n, 0, 1, comm=PETSc.COMM_SELF)  # ScaLAPACK pivots by itself
    if kind == "lu":
        factor.factorLU(order, order)
    else:
        factor.factorCholesky(order)
    return factor


a, b = dense(n, n, 1), dense(n, n, 2)
spd, sides = dense(n, n, 3, symmetric=True), dense(n, columns, 4)
results = {}

c = timed("product", lambda: a.matMult(b))
check = a.matMult(b.matMult(sides))
results["product"] = residual(c, sides, check)
d = timed("second product", lambda: a.matMult(b))
results["again"] = norm(d) - norm(c)

for kind, matrix in (("lu", a), ("cholesky", spd)):
    factor = timed(kind, lambda: factored(matrix, kind))
    x = sides.duplicate()
    timed(kind + " solve", lambda: factor.matSolve(sides, x))
    results[kind] = residual(matrix, x, sides)

if comm.getRank() == 0:
    print(json.dumps({"n": n, "ranks": comm.getSize(), "residuals": results, "seconds": seconds}))

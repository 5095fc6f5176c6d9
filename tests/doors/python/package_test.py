"""The package cairn on the ranks of one launch: doctests, random calls against NumPy and SciPy, copies, errors, and the
refusal of another MPI.

usage: mpirun -n P package_test.py
"""
import doctest
import importlib
import os
import pathlib
import re
import sys
import types

import numpy as np
import scipy.linalg
import scipy.sparse
from mpi4py import MPI

import cairn
from cairn import _mpi

COMM = MPI.COMM_WORLD
DTYPES = [np.float32, np.float64, np.complex64, np.complex128]
ALL = 500
TRIALS = ALL if os.environ.get("CAIRN_TRIALS") == "all" else ALL // 8


def random_matrix(rng, rows, columns, dtype):
    x = rng.standard_normal((rows, columns))
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal((rows, columns))
    return x.astype(dtype)


def my_rows(rng, whole):
    """A random cut of the rows, the same on every rank: some ranks may have none."""
    cuts = np.sort(rng.integers(0, whole.shape[0] + 1, COMM.size - 1))
    edges = [0, *(int(c) for c in cuts), whole.shape[0]]
    return np.ascontiguousarray(whole[edges[COMM.rank]:edges[COMM.rank + 1]]), edges


def check(what, got, expected, tolerance):
    assert got.shape == expected.shape, (what, got.shape, expected.shape)
    error = float(np.max(np.abs(got - expected), initial=0))
    assert error <= tolerance, f"{what}: error {error}, at most {tolerance} expected"


def product_tolerance(a, b):
    """|fl(AB) - AB| <= gamma_k |A| |B| elementwise, twice for the reference, 4 for complex arithmetic."""
    return 8 * (a.shape[1] + 2) * np.finfo(a.dtype).eps * float(np.max(np.abs(a) @ np.abs(b), initial=0))


def random_product(rng, dtype):
    m, n, k = (int(x) for x in rng.integers(0, 40, 3))
    a, b = random_matrix(rng, m, k, dtype), random_matrix(rng, k, n, dtype)
    (mine_a, edges), (mine_b, _) = my_rows(rng, a), my_rows(rng, b)
    before = cairn.copies()
    c = cairn.matmul(mine_a, mine_b)
    assert cairn.copies() == before, "an array in C order was copied"
    check("matmul", c, (a @ b)[edges[COMM.rank]:edges[COMM.rank + 1]], product_tolerance(a, b))


def random_matrices(rng, dtype):
    m, n, k = (int(x) for x in rng.integers(1, 40, 3))
    ops = [(lambda x: x, lambda x: x), (lambda x: x.T, lambda x: x.T), (lambda x: x.conj(), lambda x: x.conj()),
           (lambda x: x.H, lambda x: x.conj().T)]
    (op_a, np_a), (op_b, np_b) = (ops[int(rng.integers(4))] for _ in range(2))
    layouts = [None, "rank 0", f"block-cyclic 1x{COMM.size} mb=3 nb=2", f"elemental {COMM.size}x1"]
    a, b = random_matrix(rng, m, k, dtype), random_matrix(rng, k, n, dtype)
    da, db = (np.ascontiguousarray(f(x) if f(x).shape == x.shape else f(x)) for f, x in ((np_a, a), (np_b, b)))
    da, db = op_a(cairn.Matrix.scatter(da, 0, layouts[int(rng.integers(4))])), op_b(
        cairn.Matrix.scatter(db, COMM.size - 1, layouts[int(rng.integers(4))]))
    c = (da @ db).gather()
    if COMM.rank == 0:
        check("Matrix @ Matrix", c, a @ b, product_tolerance(a, b))


def random_solve(rng, dtype):
    n, r = int(rng.integers(1, 30)), int(rng.integers(1, 4))
    a, b = random_matrix(rng, n, n, dtype) + 2 * n * np.eye(n, dtype=dtype), random_matrix(rng, n, r, dtype)
    mine_a, edges = my_rows(rng, a)
    x = cairn.solve(mine_a, b[edges[COMM.rank]:edges[COMM.rank + 1]])
    # A is strongly diagonally dominant: its condition is below 10.
    check("solve", x, np.linalg.solve(a, b)[edges[COMM.rank]:edges[COMM.rank + 1]], 100 * n * np.finfo(dtype).eps)
    f = cairn.lu(mine_a)
    lower, upper = f.L.gather(), f.U.gather()
    if COMM.rank == 0:
        check("L U", lower @ upper, a[f.permutation], 20 * n * np.finfo(dtype).eps * float(np.abs(a).max()))
    assert np.isclose(f.log_determinant()[1], np.linalg.slogdet(a)[1], rtol=1e-3)


def random_cholesky(rng, dtype):
    n = int(rng.integers(1, 30))
    g = random_matrix(rng, n, n, dtype)
    a = (g @ g.conj().T + 2 * n * np.eye(n)).astype(dtype)
    f = cairn.cholesky(cairn.Matrix.scatter(a))
    factor = f.factor.gather()
    if COMM.rank == 0:
        check("cholesky", factor, np.linalg.cholesky(a), 200 * n * np.finfo(dtype).eps * float(np.abs(a).max()) ** 0.5)


def random_sparse(rng, dtype):
    m, n, k = (int(x) for x in rng.integers(1, 50, 3))
    wholes = [scipy.sparse.csr_matrix(random_matrix(rng, *s, dtype) * (rng.random(s) < 0.2)) for s in ((m, k), (k, n))]
    parts = [cairn.SparseMatrix.from_rows(x if COMM.rank == 0 else x[:0]) for x in wholes]
    c, mine = (parts[0] @ parts[1]).gather(), (parts[0] @ parts[1]).to_rows()
    rows = sum(COMM.allgather(mine.shape[0]))
    assert rows == m
    if COMM.rank == 0:
        check("spgemm", c.toarray(), (wholes[0] @ wholes[1]).toarray(),
              product_tolerance(wholes[0].toarray(), wholes[1].toarray()))


def random_sparse_operations(rng, dtype):
    m, k = (int(x) for x in rng.integers(2, 30, 2))
    a, b = (scipy.sparse.csr_matrix(random_matrix(rng, m, k, dtype) * (rng.random((m, k)) < 0.3)) for _ in "ab")
    square = scipy.sparse.csr_matrix(random_matrix(rng, m, m, dtype) * (rng.random((m, m)) < 0.3))
    x, y, z = (cairn.SparseMatrix.from_rows(w if COMM.rank == 0 else w[:0]) for w in (a, b, square))
    rows, columns = [m - 1, 0], [0, k - 1, 0]
    turned = np.arange(m)[::-1]
    eps = 100 * k * m * m * float(np.finfo(dtype).eps) * (1 + float(np.abs(square.toarray()).max())) ** 3
    for name, ours, theirs in (
            ("add", x + y, a + b), ("multiply", x.multiply(y), a.multiply(b)), ("H", x.H, a.conj().T),
            ("extract", x.extract(rows, columns), a[rows][:, columns]), ("permuted", x.permuted(turned), a[turned]),
            ("shuffled", x.shuffled(7).unshuffled(7), a), ("power", z ** 3, square @ square @ square),
            ("galerkin", cairn.galerkin(z, x), a.conj().T @ square @ a),
            ("spgemm", cairn.spgemm(z, x, shuffle=True), square @ a)):
        whole = ours.gather()
        if COMM.rank == 0:
            check(name, whole.toarray(), theirs.toarray(), eps)
    for axis in (0, 1):
        sums = np.concatenate(COMM.allgather(x.sum(axis)))
        check("sum", sums, np.asarray(a.sum(axis=axis)).reshape(-1), eps)


def raises(kinds, words, call):
    try:
        call()
    except kinds as e:
        assert all(word in str(e) for word in words), f"'{e}' does not name {words}"
        return
    raise AssertionError(f"no {kinds} that names {words}")


def test_errors():
    ones = np.ones((2, 3))
    raises(TypeError, ["a", "int64"], lambda: cairn.matmul(ones.astype(np.int64), ones))
    raises(TypeError, ["a", "list"], lambda: cairn.matmul([[1.0]], ones))
    raises(TypeError, ["float64", "float32"], lambda: cairn.matmul(ones, ones.astype(np.float32)))
    raises(ValueError, ["3 dimensions"], lambda: cairn.matmul(np.ones((1, 1, 1)), ones))
    raises(cairn.ArgumentError, ["expected as many rows of b"], lambda: cairn.matmul(np.ones((1, 99)), ones))
    raises(TypeError, ["bool"], lambda: cairn.matmul(ones.astype(bool) if COMM.rank == COMM.size - 1 else ones, ones))
    raises(MemoryError, [], lambda: cairn.plan(1000, 1000, 1000, ranks=4, memory_bytes=1000))
    raises(ValueError, ["nonsense"], lambda: cairn.plan(10, 10, 10, ranks=4, algorithm="nonsense"))
    singular = cairn.Matrix.zeros((3, 3))
    raises(cairn.ResultError, [], lambda: cairn.solve(singular, cairn.Matrix.zeros((3, 1))))
    # NumPy would take a Matrix for one object.
    raises(TypeError, [".gather()", ".local"], lambda: np.asarray(singular))
    raises(TypeError, ["numpy array", "Matrix.from_rows"], lambda: singular @ ones)
    for mixed in (lambda: ones @ singular, lambda: ones + singular, lambda: 2 * singular):
        raises(TypeError, [], mixed)


def test_what_numpy_users_try():
    """Odd arrays, the same sum on any number of ranks; wrong on one rank only is an error on all of them."""
    rank, last, rng = COMM.rank, COMM.size - 1, np.random.default_rng(1)
    rows, k = 3, 3 * COMM.size
    a, b = rng.random((k, k)), rng.random((k, 4))
    mine = slice(rank * rows, (rank + 1) * rows)
    for name, x, y in (("strided", np.repeat(a, 2, 1)[mine, ::2], np.repeat(b, 2, 0)[2 * mine.start:2 * mine.stop:2]),
                       ("backwards", a[:, ::-1][mine, ::-1], b[mine]), ("by columns", np.asfortranarray(a[mine]), b[mine])):
        check(name, cairn.matmul(x, y), a[mine] @ b, 1e-13 * k)
    check("vector", cairn.matmul(a[mine], b[mine, 0].copy()), a[mine] @ b[:, 0], 1e-13 * k)
    uneven = slice(0, 0) if rank < last else slice(0, k)  # all rows on the last rank
    check("no rows here", cairn.matmul(a[uneven], b[uneven]), a[uneven] @ b, 1e-13 * k)
    assert cairn.matmul(np.zeros((0, 0)), np.zeros((0, 3))).shape == (0, 3)
    definite = a + 2 * k * np.eye(k)
    check("1-d right-hand side", definite @ np.concatenate(COMM.allgather(cairn.solve(definite[mine], b[mine, 1].copy()))),
          b[:, 1], 1e-12 * k)
    assert cairn.solve(definite[mine], np.zeros((rows, 0))).shape == (rows, 0)
    single, more, fewer = a[mine].astype(np.float32), np.vstack([b[mine], b[mine]]), b[mine, :3]
    raises((TypeError, cairn.ArgumentError), ["float32", "float64"],
           lambda: cairn.matmul(single if rank == last else a[mine], b[mine]))
    raises(TypeError, ["str"], lambda: cairn.matmul("a" if rank == last else a[mine], b[mine]))
    raises(cairn.ArgumentError, ["expected"], lambda: cairn.solve(a[mine], more if rank == last else b[mine]))
    if COMM.size > 1:
        raises(cairn.ArgumentError, ["number of columns", "same"],
               lambda: cairn.matmul(a[mine], fewer if rank == last else b[mine]))


def test_copies():
    rows = np.ones((4, 2 * COMM.size + 5))
    before = cairn.copies()
    view = rows[:, :2 * COMM.size]  # rows with a gap between them
    matrix = cairn.Matrix.from_rows(view)
    cairn.Matrix.from_rows(np.asfortranarray(rows))
    assert cairn.copies() == before and np.shares_memory(matrix.local, rows)
    cairn.Matrix.from_rows(rows[:, ::2])
    assert cairn.copies() == before + 1


def test_other_mpi_is_refused():
    other = types.SimpleNamespace(Get_library_version=lambda: "MPICH Version: 4.0.2", Comm=MPI.Comm, _sizeof=MPI._sizeof)
    raises(ImportError, ["MPICH Version: 4.0.2", "Open MPI"], lambda: _mpi.check_same_mpi(other))


def test_communicators():
    part = COMM.Split(COMM.rank % 2)
    mine = np.ones((1, part.size))
    assert (cairn.matmul(mine, mine, comm=part) == part.size).all()
    assert _mpi.context(part) is _mpi.context(part)
    part.Free()


def test_doctests():
    for name in ("cairn", *(f"cairn.{x}" for x in ("_layout", "_matrix", "_linalg", "_plan", "_sparse"))):
        result = doctest.testmod(importlib.import_module(name))
        assert result.failed == 0, name


def test_fast_steps():
    plan = cairn.plan(256, 256, 256, ranks=7, fast="B")
    assert plan.steps == "B" and plan.levels >= 1
    assert plan.error_bound > cairn.plan(256, 256, 256, ranks=7).error_bound
    assert cairn.plan(256, 256, 256, ranks=7).steps == ""


def test_readme():
    """The lines of Python in the README, as they stand there, on these ranks."""
    text = (pathlib.Path(__file__).parents[3] / "README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert blocks, "the README has no lines of Python"
    for block in blocks:
        names = {}
        exec(compile(block, "README.md", "exec"), names)
        wholes = [np.vstack(COMM.allgather(names[x])) for x in ("mine", "product")]
        check("README", wholes[1], wholes[0] @ wholes[0], product_tolerance(wholes[0], wholes[0]))


def test_operations_take_matrices():
    """What takes rows takes a cairn.Matrix in any layout, and gives one back."""
    n = 4 * COMM.size
    whole = np.arange(n * n, dtype=float).reshape(n, n) % 7 + 2 * n * np.eye(n)
    spd = whole @ whole.T
    a, s, b = (cairn.Matrix.scatter(x if COMM.rank == 0 else None, 0, f"block-cyclic 1x{COMM.size} mb=2 nb=2")
               for x in (whole, spd, whole[:, :2].copy()))
    results = {"solve": (cairn.solve(a, b), np.linalg.solve(whole, whole[:, :2])),
               "lu": (cairn.lu(a).solve(b), np.linalg.solve(whole, whole[:, :2])),
               "lu, transposed": (cairn.lu(a.T).solve(b), np.linalg.solve(whole.T, whole[:, :2])),
               "cholesky": (cairn.cholesky(s).solve(b), np.linalg.solve(spd, whole[:, :2])),
               "product": (a @ a.T, whole @ whole.T)}
    for name, (ours, expected) in results.items():
        assert isinstance(ours, cairn.Matrix), name
        gathered = ours.gather()
        if COMM.rank == 0:  # strongly diagonally dominant; of the square the condition is that squared
            check(name, gathered, expected, 1e4 * n * np.finfo(float).eps * max(1, float(np.abs(expected).max())))


def test_plan_html():
    page = cairn.plan(100, 200, 300, ranks=7)._repr_html_()
    assert "<svg" in page and "<table>" in page and "http://" not in page.replace("http://www.w3.org/2000/svg", "")


def test_random_calls():
    kinds = [random_product, random_matrices, random_solve, random_cholesky, random_sparse, random_sparse_operations]
    for trial in range(TRIALS):
        rng = np.random.default_rng(trial)  # the same on every rank
        try:
            kinds[trial % len(kinds)](rng, DTYPES[(trial // len(kinds)) % 4])
        except Exception as e:
            raise AssertionError(f"trial {trial}: {type(e).__name__}: {e}") from e


def main():
    failed = 0
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            try:
                test()
            except Exception as e:  # noqa: BLE001, a rank that stops makes the others wait
                print(f"rank {COMM.rank}: {name}: {type(e).__name__}: {e}", flush=True)
                failed = 1
            failed = COMM.allreduce(failed, MPI.MAX)
    if COMM.rank == 0:
        print("failed" if failed else f"ok: {TRIALS} random calls on {COMM.size} ranks")
    return failed


if __name__ == "__main__":
    sys.exit(main())

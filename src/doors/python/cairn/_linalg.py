"""Products, factors and solves of dense matrices."""
from __future__ import annotations

from typing import Any, Optional, Tuple, Union

import numpy as np

from . import _arrays, _cairn, _mpi
from ._errors import ArgumentError
from ._layout import Layout
from ._matrix import LayoutLike, Matrix
from ._plan import Report, options_from

Operand = Union[Matrix, np.ndarray]


def _column(array: Any) -> Any:
    """A vector as a matrix of one column, in the same memory."""
    return array.reshape(-1, 1) if isinstance(array, np.ndarray) and array.ndim == 1 else array


def _pair(a: Operand, b: Operand, comm: Any) -> Tuple[Matrix, Matrix, bool]:
    """Two matrices, and whether they were arrays. What one of them is must the other be."""
    if isinstance(a, Matrix) != isinstance(b, Matrix):
        raise TypeError(f"a is {type(a).__name__} and b is {type(b).__name__}, expected two arrays or two matrices")
    if isinstance(a, Matrix):
        if comm is not None and comm != a.comm:
            raise ArgumentError("comm is not the communicator of the matrices, expected None or that one")
        if a.dtype != b.dtype:
            raise TypeError(f"a has dtype {a.dtype} and b has {b.dtype}, expected the same")
        return a, b, False
    left = Matrix.from_rows(a, comm, name="a")
    right = Matrix.from_rows(b, comm, name="b")
    if left.dtype != right.dtype:
        raise TypeError(f"a has dtype {left.dtype} and b has {right.dtype}, expected the same")
    return left, right, True


def _result_layout(a: Matrix, b: Matrix, layout: LayoutLike) -> Layout:
    rows, columns = a.shape[0], b.shape[1]
    if layout is None and not a._transposed:
        layout = a.layout.like(rows, columns)
    return Layout.of(layout, rows, columns, a.comm.size)


def matmul(a: Operand, b: Operand, comm: Any = None, *, layout: LayoutLike = None, out: Optional[Operand] = None,
           alpha: complex = 1, beta: complex = 0, verify: int = 0, threads: int = 0, **planning: Any) -> Operand:
    """alpha A B (+ beta out), by the schedule that moves the fewest words or takes the least time. Collective.

    With arrays: `a` and `b` are this rank's rows of A and of B, and so is the result of C; rows of rank 0 come first,
    then those of rank 1 and so on. Arrays in C order are read where they are. With `cairn.Matrix`, any layouts; C is in
    that of A, or in `layout`.

    out      an array or a matrix for the result, as numpy.matmul has it
    verify   rounds of Freivalds' check; a result that does not pass is a ResultError
    threads  of the BLAS of this rank, during this call; 0: as it is
    planning algorithm=, objective=, grid=, memory_bytes=, ... as in `cairn.plan`

    >>> import numpy as np, cairn
    >>> from mpi4py import MPI
    >>> comm = MPI.COMM_WORLD
    >>> mine = np.full((2, 2 * comm.size), 1.0)            # two rows on each rank
    >>> bool((cairn.matmul(mine, mine) == 2 * comm.size).all())
    True
    """
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and b.ndim == 1:
        column = matmul(a, _column(b), comm, out=_column(out), alpha=alpha, beta=beta, verify=verify,
                        threads=threads, **planning)
        return column.reshape(-1) if out is None else out
    options = options_from(planning)
    left, right, arrays = _pair(a, b, comm)
    if arrays and layout is not None:
        raise TypeError("layout is for matrices; the rows of an array's product are where those of a are")
    if left.shape[1] != right.shape[0]:
        raise ArgumentError(f"a is {left.shape[0]} x {left.shape[1]} and b is {right.shape[0]} x {right.shape[1]}, "
                            f"expected as many rows of b as columns of a")
    if out is None:
        result = Matrix._zeros(left.comm, _result_layout(left, right, layout), left.dtype)
    else:
        result = _given_result(left, right, out, arrays)
    (core_a, op_a), (core_b, op_b) = left._operand(), right._operand()
    result.report = Report(_cairn.multiply(alpha, op_a, core_a, op_b, core_b, beta, result._core, options, verify,
                                           threads))
    return result if not arrays else result.local if out is None else out


def _given_result(a: Matrix, b: Matrix, out: Operand, arrays: bool) -> Matrix:
    if isinstance(out, Matrix) == arrays:
        raise TypeError(f"out is {type(out).__name__}, expected the same kind as a and b")

    def look() -> None:
        _arrays.check_array(out, "out")
        if not out.flags.writeable or "C" not in _arrays.order_of(out):
            raise ValueError("out is read-only or not in C order, expected an array whose rows can be written in place")

    if arrays:
        _mpi.agreed(a.comm, look)
        out = Matrix.from_rows(out, a.comm, name="out")
    if out.shape != (a.shape[0], b.shape[1]) or out.dtype != a.dtype or out._transposed or out._conjugated:
        raise ArgumentError(f"out is {out.shape[0]} x {out.shape[1]} {out.dtype}, expected {a.shape[0]} x {b.shape[1]} "
                            f"{a.dtype}, neither transposed nor conjugated")
    return out


def _factor_options(given: dict) -> Any:
    options = _cairn.FactorOptions()
    for name, value in given.items():
        if name not in ("algorithm", "layers", "step", "memory_bytes", "check_finite"):
            raise TypeError(f"unknown option '{name}', expected algorithm, layers, step, memory_bytes or check_finite")
        setattr(options, name, value)
    return options


def _plain(a: Operand, comm: Any) -> Matrix:
    """As a matrix that is neither transposed nor conjugated."""
    a = Matrix.from_rows(a, comm, name="a") if not isinstance(a, Matrix) else a
    return a.to_layout() if a._transposed or a._conjugated else a


class _Factors:
    """What LU and Cholesky factors share."""

    def __init__(self, core: Any, a: Matrix):
        self._core, self._a = core, a

    @property
    def info(self) -> int:
        """0, or where the factorization met a zero pivot (LU), or a minor that is not positive, counted from 1."""
        return self._core.info()

    @property
    def reciprocal_condition(self) -> float:
        """An estimate in the 1-norm; 0 where A is singular. Collective."""
        return self._core.reciprocal_condition()

    def _solved(self, b: Operand, *op: Any) -> Operand:
        if isinstance(b, Matrix):
            x = b.copy()
        else:
            x = Matrix.from_rows(_column(b), self._a.comm, name="b")
            x = x._with_memory(np.array(x._array, order=x.layout.order))
        if x.dtype != self._a.dtype:
            raise TypeError(f"b has dtype {x.dtype} and a has {self._a.dtype}, expected the same")
        self._core.solve(x._core, *op)
        return x if isinstance(b, Matrix) else x.local.reshape(b.shape)

    def _part(self, copy: Any, rows: int, columns: int) -> Matrix:
        layout = self._a.layout.like(rows, columns)
        part = Matrix._zeros(self._a.comm, Layout.of(layout, rows, columns, self._a.comm.size), self._a.dtype)
        copy(part._core)
        return part

    def __repr__(self) -> str:
        return f"<cairn.{type(self).__name__} {self._core.describe()}>"


class LU(_Factors):
    """P A = L U, made by `cairn.lu`. Its functions, `L` and `U` are collective."""

    def solve(self, b: Operand, trans: str = "N") -> Operand:
        """X of op(A) X = B; `trans` is N, T or C. B: a matrix, or this rank's rows (or part of a vector)."""
        ops = {"N": _cairn.Op.none, "T": _cairn.Op.transpose, "C": _cairn.Op.adjoint}
        if trans not in ops:
            raise ArgumentError(f"trans is '{trans}', expected N, T or C")
        return self._solved(b, ops[trans])

    @property
    def permutation(self) -> np.ndarray:
        """Row r of P A is row permutation[r] of A."""
        return self._core.permutation()

    @property
    def pivots(self) -> np.ndarray:
        """As LAPACK's ipiv and scipy.linalg.lu_factor: row i changed places with row pivots[i]."""
        return self._core.swaps()

    @property
    def growth(self) -> float:
        """max |U| / max |A|"""
        return self._core.growth()

    def log_determinant(self) -> Tuple[complex, float]:
        """Sign and logarithm of |det A|, as numpy.linalg.slogdet."""
        return self._core.log_determinant()

    @property
    def L(self) -> Matrix:  # noqa: N802
        """m x min(m, n), ones on its diagonal, rows in the order of the pivots."""
        rows, columns = self._core.rows, self._core.columns
        return self._part(self._core.copy_lower, rows, min(rows, columns))

    @property
    def U(self) -> Matrix:  # noqa: N802
        """min(m, n) x n."""
        rows, columns = self._core.rows, self._core.columns
        return self._part(self._core.copy_upper, min(rows, columns), columns)


class Cholesky(_Factors):
    """A = L L^H (or U^H U), made by `cairn.cholesky`. Its functions and `factor` are collective."""

    def solve(self, b: Operand) -> Operand:
        """X of A X = B. B: a matrix, or this rank's rows (or part of a vector)."""
        return self._solved(b)

    @property
    def factor(self) -> Matrix:
        """L, or U where the upper triangle was read; zeros in the other half."""
        return self._part(self._core.copy_factor, self._core.order, self._core.order)

    def log_determinant(self) -> float:
        """The logarithm of det A."""
        return self._core.log_determinant()


def lu(a: Operand, comm: Any = None, **options: Any) -> LU:
    """LU factors of a matrix, or of the one that has these rows on this rank. Collective. A is not changed.

    Options: algorithm ("auto" or "2d"), layers, step, memory_bytes, check_finite.

    >>> import numpy as np, cairn
    >>> f = cairn.lu(cairn.Matrix.scatter(np.array([[1.0, 2.0], [4.0, 6.0]])))
    >>> f.permutation
    array([1, 0])
    >>> sign, log = f.log_determinant()
    >>> sign, round(float(np.exp(log)), 12)
    (-1.0, 2.0)
    """
    a = _plain(a, comm)
    return LU(_cairn.lu(a._core, _factor_options(options)), a)


def cholesky(a: Operand, comm: Any = None, *, lower: bool = True, **options: Any) -> Cholesky:
    """The Cholesky factor of a Hermitian positive definite matrix, of which one triangle is read. Collective.

    A matrix that is not positive definite is a ResultError when it is solved with; `info` says where.

    >>> import numpy as np, cairn
    >>> f = cairn.cholesky(cairn.Matrix.scatter(np.array([[4.0, 0.0], [2.0, 5.0]])))
    >>> f.factor[1, 0], f.factor[1, 1]
    (1.0, 2.0)
    """
    a = _plain(a, comm)
    triangle = _cairn.Triangle.lower if lower else _cairn.Triangle.upper
    return Cholesky(_cairn.cholesky(a._core, triangle, _factor_options(options)), a)


def solve(a: Operand, b: Operand, comm: Any = None, **options: Any) -> Operand:
    """X of A X = B by LU, as numpy.linalg.solve. Collective. A and B are not changed.

    >>> import numpy as np, cairn
    >>> from mpi4py import MPI
    >>> r, p = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
    >>> a = 2 * np.eye(p)[r:r + 1]                 # one row on each rank
    >>> cairn.solve(a, np.array([6.0]))
    array([3.])
    """
    if isinstance(a, Matrix) != isinstance(b, Matrix):
        raise TypeError(f"a is {type(a).__name__} and b is {type(b).__name__}, expected two arrays or two matrices")
    return lu(a, comm, **options).solve(b)

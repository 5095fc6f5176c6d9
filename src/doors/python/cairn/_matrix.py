"""A distributed matrix over NumPy arrays."""
from __future__ import annotations

from typing import Any, Optional, Tuple, Union

import numpy as np

from . import _arrays, _cairn, _mpi
from ._errors import ArgumentError
from ._layout import Layout

LayoutLike = Union[Layout, str, None]


def _facts(array: Any, name: str) -> Tuple[Tuple[int, ...], str, str]:
    """What the other ranks must know of a local array: shape, type, orders it is in."""
    _arrays.check_array(array, name)
    return array.shape, array.dtype.newbyteorder("=").name, _arrays.order_of(array)


def same(values: list, what: str) -> Any:
    """The value that all ranks have."""
    for rank, value in enumerate(values):
        if value != values[0]:
            raise ArgumentError(f"{what} is {value} on rank {rank} and {values[0]} on rank 0, expected the same")
    return values[0]


class Matrix:
    """A matrix that is spread over the ranks of a communicator. Made by `from_rows`, `from_block_cyclic`, `scatter`
    or `zeros`, all of which are collective, as are products, `gather` and `to_layout`.

    >>> import numpy as np, cairn
    >>> a = cairn.Matrix.scatter(np.arange(6.0).reshape(2, 3))
    >>> a.shape, a.T.shape, a.dtype
    ((2, 3), (3, 2), dtype('float64'))
    >>> c = a @ a.T                      # 2 x 2, on all ranks together
    >>> whole = c.gather()               # on rank 0; None elsewhere
    >>> whole if whole is not None else np.array([[5.0, 14.0], [14.0, 50.0]])
    array([[ 5., 14.],
           [14., 50.]])
    """

    __array_priority__ = 1000  # numpy_array @ matrix is ours to refuse

    def __init__(self, comm: Any, layout: Layout, array: np.ndarray, leading_dimension: int = 0):
        """For this package: `array` lies as `layout` says. Users call one of the constructors named above."""
        self._comm, self._layout, self._array = comm, layout, array
        name = _arrays.dtype_name(array.dtype)
        self._core = getattr(_cairn, f"Matrix_{name}")(_mpi.context(comm), layout._core, array, leading_dimension)
        self._transposed = self._conjugated = False
        #: What the product that made this matrix planned and moved, or None.
        self.report: Optional[Any] = None

    # ---- making one -----------------------------------------------------------------------------
    @classmethod
    def from_rows(cls, local: np.ndarray, comm: Any = None, *, name: str = "local") -> "Matrix":
        """The matrix whose rows are those of rank 0, then those of rank 1 and so on. Collective.

        `local` is used where it is, and must not be resized while the matrix lives: nothing is copied if its rows
        (C order) or, on all ranks, its columns (Fortran order) are contiguous. Any number of rows on any rank.

        >>> import numpy as np, cairn
        >>> mine = np.ones((3, 2))
        >>> a = cairn.Matrix.from_rows(mine)
        >>> a.local is mine
        True
        """
        comm = _mpi.communicator(comm)
        facts = _mpi.agreed(comm, lambda: _facts(local, name))
        same([f[1] for f in facts], f"dtype of {name}")
        columns = same([f[0][1] for f in facts], f"number of columns of {name}")
        rows_lie = [("C" in f[2]) for f in facts]
        order = "F" if not all(rows_lie) and all("F" in f[2] for f in facts) else "C"
        local = _arrays.in_order(local, order)
        layout = Layout.rows([f[0][0] for f in facts], columns, order)
        return cls(comm, layout, local, _arrays.leading_dimension(local, order))

    @classmethod
    def from_block_cyclic(cls, local: np.ndarray, shape: Tuple[int, int], grid: Tuple[int, int],
                          block: Tuple[int, int], comm: Any = None, *, source: Tuple[int, int] = (0, 0),
                          row_major_grid: bool = True) -> "Matrix":
        """A matrix as ScaLAPACK keeps it: blocks of block[0] x block[1] dealt round a grid of ranks. Collective.

        `local` has the rows and columns that fall to this rank, in Fortran order (used where it is) or any other
        (copied).

        >>> import numpy as np, cairn
        >>> layout = cairn.Layout.block_cyclic(4, 6, (1, 1), (2, 2))
        >>> from mpi4py import MPI
        >>> mine = np.ones(layout.local_shape(MPI.COMM_WORLD.rank), order="F")
        >>> cairn.Matrix.from_block_cyclic(mine, (4, 6), (1, 1), (2, 2)).shape
        (4, 6)
        """
        comm = _mpi.communicator(comm)

        def look() -> Tuple[Any, ...]:
            layout = Layout.block_cyclic(shape[0], shape[1], grid, block, source, row_major_grid)
            facts = _facts(local, "local")
            if local.shape != layout.local_shape(comm.rank) and 0 not in layout.local_shape(comm.rank):
                raise ArgumentError(f"local has shape {local.shape} on rank {comm.rank}, expected "
                                    f"{layout.local_shape(comm.rank)}")
            return facts[1], tuple(shape), tuple(grid), tuple(block), tuple(source), row_major_grid

        same(_mpi.agreed(comm, look), "dtype, shape, grid, block, source, order of the grid")
        local = _arrays.in_order(local, "F")
        layout = Layout.block_cyclic(shape[0], shape[1], grid, block, source, row_major_grid)
        return cls(comm, layout, local, _arrays.leading_dimension(local, "F"))

    @classmethod
    def zeros(cls, shape: Tuple[int, int], dtype: Any = np.float64, layout: LayoutLike = None,
              comm: Any = None) -> "Matrix":
        """All zeros, in even blocks of rows or the layout given. Collective. Fill it through `.local`."""
        comm = _mpi.communicator(comm)

        def look() -> Tuple[Any, ...]:
            _arrays.dtype_name(dtype)
            found = Layout.of(layout, int(shape[0]), int(shape[1]), comm.size)
            return np.dtype(dtype).str, tuple(shape), str(found)

        same(_mpi.agreed(comm, look), "dtype, shape, layout")
        return cls._zeros(comm, Layout.of(layout, int(shape[0]), int(shape[1]), comm.size), dtype)

    @classmethod
    def _zeros(cls, comm: Any, layout: Layout, dtype: Any) -> "Matrix":
        return cls(comm, layout, np.zeros(layout.local_shape(comm.rank), dtype, order=layout.order))

    @classmethod
    def scatter(cls, array: Optional[np.ndarray], root: int = 0, layout: LayoutLike = None,
                comm: Any = None) -> "Matrix":
        """Deals out an array that is whole on rank `root` (it is not looked at elsewhere). Collective.

        >>> import numpy as np, cairn
        >>> cairn.Matrix.scatter(np.eye(3)).shape
        (3, 3)
        """
        comm = _mpi.communicator(comm)

        def look() -> Any:
            if not 0 <= root < comm.size:
                raise ArgumentError(f"root is {root}, expected 0 <= root < {comm.size}")
            if comm.rank != root:
                return root, None
            facts = _facts(array, "array")
            Layout.of(layout, *facts[0], comm.size)
            return root, facts

        found = _mpi.agreed(comm, look)
        same([f[0] for f in found], "root")
        (rows, columns), dtype, orders = found[root][1]
        result = cls._zeros(comm, Layout.of(layout, rows, columns, comm.size), np.dtype(dtype))
        order = "F" if "F" in orders and "C" not in orders else "C"
        text = f"rank {root}" + (" order=row-major" if order == "C" else "")
        whole = (_arrays.in_order(array, order) if comm.rank == root else np.zeros((0, columns), np.dtype(dtype)))
        there = cls(comm, Layout.parse(text, rows, columns), whole,
                    _arrays.leading_dimension(whole, order) if comm.rank == root else 0)
        _cairn.redistribute(_cairn.Op.none, there._core, result._core)
        return result

    # ---- looking at it --------------------------------------------------------------------------
    @property
    def comm(self) -> Any:
        """The communicator of mpi4py."""
        return self._comm

    @property
    def layout(self) -> Layout:
        """Of the memory as it is: `.T` and `.conj()` move nothing and leave it."""
        return self._layout

    @property
    def dtype(self) -> np.dtype:
        return self._array.dtype

    @property
    def shape(self) -> Tuple[int, int]:
        rows, columns = self._layout.shape
        return (columns, rows) if self._transposed else (rows, columns)

    @property
    def local(self) -> np.ndarray:
        """This rank's part: the memory itself, two-dimensional for rows and block-cyclic layouts."""
        if self._transposed or self._conjugated:
            raise ArgumentError("a matrix that is transposed or conjugated has no memory of its own: take .to_layout()")
        return self._array

    def gather(self, root: int = 0) -> Optional[np.ndarray]:
        """The whole matrix on one rank, None elsewhere. Collective."""
        flat = self._core.gather(root)
        if self._comm.rank != root:
            return None
        whole = flat.reshape(self._layout.shape, order="F")
        whole = whole.T if self._transposed else whole
        return whole.conj() if self._conjugated else whole

    def __getitem__(self, where: Tuple[int, int]) -> Any:
        """One element, on every rank. Collective."""
        i, j = where[::-1] if self._transposed else where
        value = self._core.at(i, j)
        return np.conj(value) if self._conjugated else value

    def __repr__(self) -> str:
        marks = (".T" if self._transposed else "") + (".conj()" if self._conjugated else "")
        return (f"<cairn.Matrix {self.shape[0]} x {self.shape[1]} {self.dtype}{marks}, "
                f"{self._layout}, on {self._comm.size} rank{'s' if self._comm.size > 1 else ''}>")

    # ---- op(A), other layouts -------------------------------------------------------------------
    def _marked(self, transposed: bool, conjugated: bool) -> "Matrix":
        other = object.__new__(Matrix)
        other.__dict__.update(self.__dict__)
        other._transposed, other._conjugated = transposed, conjugated
        return other

    @property
    def T(self) -> "Matrix":  # noqa: N802, as NumPy has it
        """The transpose. Nothing moves: products take it as it is."""
        return self._marked(not self._transposed, self._conjugated)

    def conj(self) -> "Matrix":
        """The conjugate; of a real matrix the matrix itself. Nothing moves."""
        return self._marked(self._transposed, not self._conjugated) if self.dtype.kind == "c" else self

    @property
    def H(self) -> "Matrix":  # noqa: N802
        """The conjugate transpose. Nothing moves."""
        return self.T.conj()

    def _operand(self) -> Tuple[Any, Any]:
        """The core and its op. There is no op that conjugates alone: then the conjugate is made, on each rank."""
        if self._transposed:
            return self._core, _cairn.Op.adjoint if self._conjugated else _cairn.Op.transpose
        if self._conjugated:
            return self._with_memory(np.conj(self._array))._core, _cairn.Op.none
        return self._core, _cairn.Op.none

    def _with_memory(self, array: np.ndarray) -> "Matrix":
        """Of the same layout, over an array that NumPy has made in the same order."""
        order = self._layout.order
        two = array.ndim == 2
        array = np.asarray(array, order=order) if two else array
        return Matrix(self._comm, self._layout, array, _arrays.leading_dimension(array, order) if two else 0)

    def to_layout(self, layout: LayoutLike = None) -> "Matrix":
        """A copy in another layout, a text or a `cairn.Layout`; even blocks of rows by default. Collective. Words: those
        that are not where they must be, once each.

        >>> import numpy as np, cairn
        >>> a = cairn.Matrix.scatter(np.arange(6.0).reshape(2, 3))
        >>> a.T.to_layout("rank 0").layout.owner(2, 1)
        0
        """
        core, op = self._operand()
        result = Matrix._zeros(self._comm, Layout.of(layout, *self.shape, self._comm.size), self.dtype)
        _cairn.redistribute(op, core, result._core)
        return result

    def copy(self) -> "Matrix":
        """A copy in the same layout; what was lazily transposed is now in even blocks of rows."""
        return self.to_layout(None if self._transposed else self._layout)

    # NumPy neither computes with a Matrix nor makes an array of one object of it: both are refused.
    __array_ufunc__ = None

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise TypeError("a cairn.Matrix is spread over ranks, expected an array: .gather() brings all of it to one rank, "
                        ".local is the part of this one")

    def __matmul__(self, other: Any) -> "Matrix":
        from ._linalg import matmul
        if isinstance(other, np.ndarray):
            raise TypeError("the right operand of @ is a numpy array, expected a cairn.Matrix: Matrix.from_rows makes one")
        if not isinstance(other, Matrix):
            return NotImplemented
        return matmul(self, other)

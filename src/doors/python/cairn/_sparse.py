"""Sparse matrices, from and to SciPy."""
from __future__ import annotations

from typing import Any, Optional, Tuple, Union

import numpy as np

from . import _arrays, _cairn, _mpi
from ._errors import ArgumentError
from ._matrix import same


def _csr_facts(local: Any) -> Tuple[Tuple[int, int], str]:
    import scipy.sparse
    if not scipy.sparse.issparse(local):
        raise TypeError(f"local is {type(local).__name__}, expected a sparse matrix of SciPy")
    _arrays.dtype_name(local.dtype)
    return local.shape, local.dtype.str


class SparseMatrix:
    """A sparse matrix that is spread over the ranks of a communicator; its entries never change. Made by `from_rows`.

    >>> import numpy as np, scipy.sparse, cairn
    >>> mine = scipy.sparse.csr_matrix(np.ones((1, 2)))
    >>> a = cairn.SparseMatrix.from_rows(mine)
    >>> a.shape[1], a.local_entries
    (2, 2)
    """

    def __init__(self, core: Any, comm: Any, dtype: Any, report: Any = None):
        """For this package; users call `from_rows`."""
        self._core, self._comm, self._dtype = core, comm, np.dtype(dtype)
        #: What the product that made this matrix chose and moved, or None.
        self.report = report

    @classmethod
    def from_rows(cls, local: Any, comm: Any = None, layout: str = "rows") -> "SparseMatrix":
        """The matrix whose rows are those of rank 0, then those of rank 1 and so on, each a sparse block of SciPy.
        Collective. `layout`: rows, columns, "2d PRxPC", "on R". Duplicates are added up."""
        comm = _mpi.communicator(comm)
        facts = _mpi.agreed(comm, lambda: _csr_facts(local))
        dtype = same([f[1] for f in facts], "dtype of local")
        columns = same([f[0][1] for f in facts], "number of columns of local")
        counts = [f[0][0] for f in facts]
        block = local.tocoo()
        rows = block.row.astype(np.int64) + sum(counts[:comm.rank])
        make = getattr(_cairn, f"SparseMatrix_{_arrays.dtype_name(dtype)}")
        core = make(_mpi.context(comm), sum(counts), columns, rows, block.col.astype(np.int64),
                    np.ascontiguousarray(block.data), layout)
        return cls(core, comm, dtype)

    @property
    def comm(self) -> Any:
        return self._comm

    @property
    def shape(self) -> Tuple[int, int]:
        return (self._core.rows, self._core.columns)

    @property
    def dtype(self) -> np.dtype:
        return self._dtype

    @property
    def layout(self) -> str:
        return self._core.layout

    @property
    def local_entries(self) -> int:
        """Entries on this rank."""
        return self._core.local_entries

    @property
    def nnz(self) -> int:
        """Entries on all ranks together. Collective."""
        return self._core.entries()

    @property
    def local(self) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """This rank's entries as a copy: rows and columns in the whole matrix, and values."""
        return self._core.local()

    def to_rows(self) -> Any:
        """This rank's rows as scipy.sparse.csr_matrix: even blocks of rows, rank after rank. Collective."""
        import scipy.sparse
        first, count = _cairn.dense_rows(_mpi.context(self._comm), self.shape[0])
        rows, columns, values = self._core.in_layout("rows").local()
        return scipy.sparse.csr_matrix((values, (rows - first, columns)), shape=(count, self.shape[1]))

    def gather(self, root: int = 0) -> Optional[Any]:
        """The whole matrix on one rank as scipy.sparse.csr_matrix, None elsewhere. Collective."""
        import scipy.sparse
        rows, columns, values = self._core.gather(root)
        if self._comm.rank != root:
            return None
        return scipy.sparse.csr_matrix((values, (rows, columns)), shape=self.shape)

    def to_layout(self, layout: str) -> "SparseMatrix":
        """The same matrix in another layout. Collective."""
        return SparseMatrix(self._core.in_layout(layout), self._comm, self._dtype)

    @property
    def T(self) -> "SparseMatrix":  # noqa: N802
        """The transpose: entries stay where they are."""
        return SparseMatrix(self._core.transposed(), self._comm, self._dtype)

    def __matmul__(self, other: Any) -> Union["SparseMatrix", np.ndarray]:
        """Times a sparse matrix, or times this rank's rows of a dense one (those that `to_rows` would give)."""
        if isinstance(other, SparseMatrix):
            return spgemm(self, other)
        if isinstance(other, np.ndarray):
            return self._times_dense(other)
        return NotImplemented

    def _times_dense(self, x: np.ndarray) -> np.ndarray:
        def look() -> Tuple[str, int]:
            _arrays.check_array(x, "x", (1, 2))
            count = _cairn.dense_rows(_mpi.context(self._comm), self.shape[1])[1]
            if x.shape[0] != count or x.dtype != self._dtype:
                raise ArgumentError(f"x has {x.shape[0]} rows of {x.dtype} on rank {self._comm.rank}, expected {count} "
                                    f"of {self._dtype}")
            return x.shape[1:]

        columns = same(_mpi.agreed(self._comm, look), "columns of x")
        whole = _arrays.in_order(x if x.ndim == 2 else x.reshape(-1, 1), "C")
        flat = np.ascontiguousarray(whole).reshape(-1)
        y = _cairn.spmm(self._core, flat, columns[0] if columns else 1)
        return y.reshape((-1, *columns) if not columns or columns[0] > 0 else (self._rows_here(), 0))

    def _rows_here(self) -> int:
        return _cairn.dense_rows(_mpi.context(self._comm), self.shape[0])[1]

    @property
    def H(self) -> "SparseMatrix":  # noqa: N802
        """The conjugate transpose: entries stay where they are."""
        return self._like(self._core.adjoint())

    def prune(self, threshold: float = 0.0) -> "SparseMatrix":
        """Entries whose absolute value is above the threshold; 0 drops stored zeros."""
        return self._like(self._core.prune(threshold))

    def extract(self, rows: Any, columns: Any) -> "SparseMatrix":
        """Entry (r, c) is entry (rows[r], columns[c]): any order, also twice; the same lists on every rank. Collective."""
        return self._like(self._core.extract(_indices(rows), _indices(columns)))

    def permuted(self, new_row: Any = (), new_column: Any = ()) -> "SparseMatrix":
        """Entry (i, j) goes to (new_row[i], new_column[j]); an empty permutation changes nothing. Collective."""
        return self._like(self._core.permuted(_indices(new_row), _indices(new_column)))

    def shuffled(self, seed: int = 1) -> "SparseMatrix":
        """Rows and columns permuted at random, a square matrix alike on both sides; `unshuffled` undoes it. Collective."""
        return self._like(self._core.shuffled(seed))

    def unshuffled(self, seed: int = 1) -> "SparseMatrix":
        return self._like(self._core.unshuffled(seed))

    def sum(self, axis: int, semiring: str = "plus-times") -> np.ndarray:
        """This rank's part of the sums over axis 1 (of every row) or 0 (of every column), cut like the rows that
        `to_rows` gives of as many. Collective."""
        if axis not in (0, 1):
            raise ArgumentError(f"axis is {axis!r}, expected 0 or 1")
        return self._core.sums(axis == 1, semiring)

    def multiply(self, other: "SparseMatrix", semiring: str = "plus-times") -> "SparseMatrix":
        """Entry by entry, where both have one. Collective."""
        _check_pair(self, other, "other")
        return self._like(_cairn.multiply_elements(self._core, other._core, semiring))

    def add(self, other: "SparseMatrix", semiring: str = "plus-times") -> "SparseMatrix":
        """Entries of either, those of both added up. Collective."""
        _check_pair(self, other, "other")
        return self._like(_cairn.add(self._core, other._core, semiring))

    def __add__(self, other: Any) -> "SparseMatrix":
        return self.add(other) if isinstance(other, SparseMatrix) else NotImplemented

    def __pow__(self, exponent: int) -> "SparseMatrix":
        """By repeated squaring. Collective."""
        core, report = _cairn.power(self._core, exponent, _cairn.SpgemmOptions())
        return SparseMatrix(core, self._comm, self._dtype, report)

    def _like(self, core: Any) -> "SparseMatrix":
        return SparseMatrix(core, self._comm, self._dtype)

    def __repr__(self) -> str:
        return (f"<cairn.SparseMatrix {self.shape[0]} x {self.shape[1]} {self._dtype}, {self.local_entries} entries "
                f"here, {self.layout}>")


def _indices(values: Any) -> np.ndarray:
    return np.ascontiguousarray(values, dtype=np.int64).reshape(-1)


def _check_pair(a: SparseMatrix, b: Any, name: str) -> None:
    if not isinstance(b, SparseMatrix):
        raise TypeError(f"{name} is {type(b).__name__}, expected a cairn.SparseMatrix")
    if a.dtype != b.dtype:
        raise TypeError(f"{name} has dtype {b.dtype}, expected {a.dtype}")


def galerkin(a: SparseMatrix, p: SparseMatrix) -> SparseMatrix:
    """P^H A P, the coarse matrix of a multigrid step. Collective.

    >>> import scipy.sparse, cairn
    >>> a, p = (cairn.SparseMatrix.from_rows(scipy.sparse.csr_matrix(x), cairn.self_comm())
    ...         for x in ([[2.0, -1.0], [-1.0, 2.0]], [[1.0], [1.0]]))
    >>> cairn.galerkin(a, p).gather().toarray()
    array([[2.]])
    """
    _check_pair(a, p, "p")
    core, report = _cairn.galerkin(a._core, p._core, _cairn.SpgemmOptions())
    return SparseMatrix(core, a.comm, a.dtype, report)


def spgemm(a: SparseMatrix, b: SparseMatrix, *, algorithm: str = "auto", semiring: str = "plus-times",
           layers: Optional[int] = None, memory_bytes: Optional[int] = None, verify: int = 0, threads: int = 1,
           mask: Optional[SparseMatrix] = None, complement: bool = False, shuffle: bool = False) -> SparseMatrix:
    """A B, both sparse, by the algorithm that moves the fewest bytes for these matrices. Collective.

    semiring   plus-times, min-plus, max-plus, or-and, plus-pair
    shuffle    permutes rows and columns at random on the way, so that ranks have equal shares
    mask       only entries where it has one (complement=True: has none) are computed

    >>> import scipy.sparse, cairn
    >>> a = cairn.SparseMatrix.from_rows(scipy.sparse.csr_matrix([[2.0]]), cairn.self_comm())
    >>> cairn.spgemm(a, a).gather().toarray()
    array([[4.]])
    """
    for name, x in (("a", a), ("b", b), ("mask", mask)):
        if not isinstance(x, SparseMatrix) and not (x is None and name == "mask"):
            raise TypeError(f"{name} is {type(x).__name__}, expected a cairn.SparseMatrix")
        if x is not None and x.dtype != a.dtype:
            raise TypeError(f"{name} has dtype {x.dtype} and a has {a.dtype}, expected the same")
    options = _cairn.SpgemmOptions()
    options.algorithm, options.semiring, options.layers = algorithm, semiring, layers
    options.memory_bytes, options.verify, options.threads = memory_bytes, verify, threads
    options.shuffle = shuffle
    if mask is None:
        core, report = _cairn.spgemm(a._core, b._core, options)
    else:
        core, report = _cairn.spgemm_masked(a._core, b._core, mask._core, complement, options)
    return SparseMatrix(core, a.comm, a.dtype, report)

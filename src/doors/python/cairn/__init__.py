"""Distributed linear algebra that moves the fewest words and says how close it came.

Every rank of an MPI program has a part of each matrix, usually some of its rows, as a NumPy array. `matmul`, `solve`,
`lu`, `cholesky` and `spgemm` work on all parts together: call them on every rank. Without mpirun there is one rank, which
has all rows. `plan` says what a product would move, without running it.

>>> import numpy as np, cairn
>>> cairn.plan(2000, 2000, 2000, ranks=4, objective="words").grid
(1, 2, 2)
"""
from typing import Any

from . import _arrays, _mpi
from ._cairn import version as __version__
from ._errors import (ArgumentError, CommError, Error, IoError, MemoryError, MpiMismatchError, OverflowError,
                      ResultError, TimeoutError)
from ._layout import Layout
from ._linalg import LU, Cholesky, cholesky, lu, matmul, solve
from ._matrix import Matrix
from ._plan import Plan, Report, plan
from ._sparse import SparseMatrix, galerkin, spgemm

__all__ = ["ArgumentError", "Cholesky", "CommError", "Error", "IoError", "LU", "Layout", "Matrix", "MemoryError",
           "MpiMismatchError", "OverflowError", "Plan", "Report", "ResultError", "SparseMatrix", "TimeoutError",
           "cholesky", "copies", "galerkin", "lu", "matmul", "mpi_library", "plan", "self_comm", "solve", "spgemm"]


def copies() -> int:
    """How many arrays given to Cairn were copied so far, because of how they lie in memory: not contiguous, or of
    another byte order. For programs that want to be sure that theirs are not.

    >>> import cairn
    >>> cairn.copies() >= 0
    True
    """
    return _arrays.copies()


def mpi_library() -> str:
    """What the MPI that Cairn is linked with says of itself; mpi4py must use the same."""
    return _mpi.library_version()


def self_comm() -> Any:
    """mpi4py's COMM_SELF: for matrices that one rank has alone."""
    from mpi4py import MPI
    return _mpi.communicator(MPI.COMM_SELF)

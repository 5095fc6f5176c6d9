"""What Cairn asks of NumPy arrays: one of four types, rows or columns that lie one after the other."""
from __future__ import annotations

from typing import Any, Tuple

import numpy as np

from . import _cairn

NAMES = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64", np.dtype(np.complex64): "c32",
         np.dtype(np.complex128): "c64"}

_copies = 0


def copies() -> int:
    """How many of the arrays given to Cairn in this process had to be copied, because of how they lie in memory."""
    return _copies


def dtype_name(dtype: Any) -> str:
    """f32, f64, c32 or c64; TypeError for anything else."""
    try:
        return NAMES[np.dtype(dtype)]
    except (KeyError, TypeError):
        raise TypeError(f"dtype is {dtype}, expected float32, float64, complex64 or complex128") from None


def scalar_type(dtype: Any) -> _cairn.ScalarType:
    return getattr(_cairn.ScalarType, dtype_name(dtype))


def check_array(array: Any, name: str, dimensions: Tuple[int, ...] = (2,)) -> None:
    """TypeError or ValueError unless it is an array of one of the four types with this many dimensions."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name} is {type(array).__name__}, expected a numpy array")
    if array.dtype not in NAMES:
        raise TypeError(f"{name} has dtype {array.dtype}, expected float32, float64, complex64 or complex128")
    if array.ndim not in dimensions:
        expected = " or ".join(str(d) for d in dimensions)
        raise ValueError(f"{name} has {array.ndim} dimensions, expected {expected}")


def _lines_lie_together(array: np.ndarray, line: int) -> bool:
    """Whether elements along `line` are neighbours, and lines follow each other with any gap."""
    other = 1 - line
    length, step = array.shape[line], array.strides[other]
    return ((length <= 1 or array.strides[line] == array.itemsize)
            and (array.shape[other] <= 1 or (step % array.itemsize == 0 and step >= length * array.itemsize)))


def order_of(array: np.ndarray) -> str:
    """Which orders a two-dimensional array is in: C, F, CF or none."""
    if not array.dtype.isnative or not array.flags.aligned:
        return ""
    return "".join(name for name, line in (("C", 1), ("F", 0)) if _lines_lie_together(array, line))


def in_order(array: np.ndarray, order: str) -> np.ndarray:
    """The array itself if it is in this order; else a copy that is, which is counted."""
    if order in order_of(array):
        return array
    global _copies
    _copies += 1
    return np.array(array, dtype=array.dtype.newbyteorder("="), order=order, copy=True)


def leading_dimension(array: np.ndarray, order: str) -> int:
    """Elements from one row (column, if order is F) to the next; 0, the least possible, where there are no gaps."""
    if array.flags.c_contiguous if order == "C" else array.flags.f_contiguous:
        return 0
    line, other = (1, 0) if order == "C" else (0, 1)
    return max(1, array.shape[line], array.strides[other] // array.itemsize if array.shape[other] > 1 else 0)

"""mpi4py's communicators as contexts of Cairn."""
from __future__ import annotations

import atexit
import ctypes
from typing import Any, Callable, List, Optional

from . import _cairn
from ._errors import MpiMismatchError

_keyval: Optional[int] = None  # of the attribute that keeps a communicator's context


def library_version() -> str:
    """What the MPI that Cairn is linked with says of itself. Needs no MPI_Init."""
    text = ctypes.create_string_buffer(65536)  # more than any MPI_MAX_LIBRARY_VERSION_STRING
    length = ctypes.c_int()
    ctypes.CDLL(_cairn.__file__).MPI_Get_library_version(text, ctypes.byref(length))
    return text.value.decode()


def check_same_mpi(mpi: Any) -> None:
    """Raises MpiMismatchError unless `mpi`, the module mpi4py.MPI, stands on the MPI that Cairn stands on."""
    theirs, ours = mpi.Get_library_version().strip("\0 \n"), library_version().strip("\0 \n")
    if theirs != ours or mpi._sizeof(mpi.Comm) != _cairn.size_of_communicator:
        raise MpiMismatchError(
            f"mpi4py uses '{theirs.splitlines()[0]}', and Cairn was built with '{ours.splitlines()[0]}': expected one "
            "MPI for both. Build Cairn with the MPI of mpi4py (-DMPI_C_COMPILER=...), or mpi4py with Cairn's.")


def _start() -> Any:
    """The module mpi4py.MPI, which starts MPI when it is imported first."""
    global _keyval
    try:
        from mpi4py import MPI
    except ImportError as e:
        raise ImportError("Cairn talks over communicators of mpi4py, which cannot be imported: " + str(e)) from e
    if _keyval is None:
        check_same_mpi(MPI)
        _keyval = MPI.Comm.Create_keyval()
        # mpi4py ends MPI after this: what Cairn keeps for them must be gone before.
        for comm in (MPI.COMM_WORLD, MPI.COMM_SELF):
            atexit.register(_forget, comm)
    return MPI


def _forget(comm: Any) -> None:
    if comm.Get_attr(_keyval) is not None:
        comm.Delete_attr(_keyval)


def communicator(comm: Any = None) -> Any:
    """`comm`, or all ranks. The same on every rank or an error on every rank is the caller's part."""
    mpi = _start()
    if comm is None:
        return mpi.COMM_WORLD
    if not isinstance(comm, mpi.Comm):
        raise TypeError(f"comm is {type(comm).__name__}, expected a communicator of mpi4py")
    return comm


def context(comm: Any) -> _cairn.Context:
    """What Cairn keeps for a communicator: made once, collectively, dropped when the communicator is freed."""
    kept = comm.Get_attr(_keyval) if comm else None
    if kept is None:
        kept = _cairn.Context(_start()._addressof(comm))
        comm.Set_attr(_keyval, kept)
    return kept


def agreed(comm: Any, look: Callable[[], Any]) -> List[Any]:
    """What look() gives on every rank. If it raises on one of them, all ranks raise that: nobody waits for ever."""
    try:
        mine = (look(), None)
    except Exception as e:  # noqa: BLE001, it is raised below, on every rank
        mine = (None, e)
    all_of_them = comm.allgather(mine)
    for _, error in all_of_them:
        if error is not None:
            raise error
    return [value for value, _ in all_of_them]

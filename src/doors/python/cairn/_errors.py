"""The exceptions of Cairn. Each is a `cairn.Error` and, where Python has a name for it, that built-in one as well."""
import builtins


class Error(Exception):
    """All errors that Cairn finds. Every rank raises the same one, with the same text."""


class ArgumentError(Error, ValueError):
    """An argument is wrong; the text names it, its value and what was expected."""


class OverflowError(Error, builtins.OverflowError):
    """A size does not fit the integer type that MPI or the BLAS takes."""


class MemoryError(Error, builtins.MemoryError):
    """An allocation failed, or nothing fits into the memory that was allowed."""


class CommError(Error, RuntimeError):
    """MPI returned an error."""


class TimeoutError(Error, builtins.TimeoutError):
    """The other ranks made no progress."""


class IoError(Error, OSError):
    """A file cannot be read or written, or does not hold what it should."""


class ResultError(Error, ArithmeticError):
    """There is no result (a singular matrix), or it did not pass its check."""


class MpiMismatchError(Error, ImportError):
    """mpi4py uses another MPI than Cairn: their communicators are not the same thing."""


# As cairn::ErrorKind counts them.
BY_KIND = {1: ArgumentError, 2: OverflowError, 3: MemoryError, 4: CommError, 5: TimeoutError, 6: IoError,
           7: ResultError}

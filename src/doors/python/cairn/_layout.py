"""Layouts as Python sees them: the library's, and which shape this rank's part has."""
from __future__ import annotations

from typing import Any, Sequence, Tuple, Union

from . import _cairn
from ._errors import ArgumentError


def _dealt(n: int, block: int, part: int, source: int, parts: int) -> int:
    """How many of n, dealt in blocks round the parts from `source` on, fall to `part`."""
    distance = (part - source) % parts
    whole, rest = divmod(n, block)
    rounds, extra = divmod(whole, parts)
    return rounds * block + (block if distance < extra else rest if distance == extra else 0)


class Layout:
    """Which rank holds which elements of a matrix, and where. A value, without data or communicator.

    >>> Layout.parse("block-cyclic 2x2 mb=2 nb=2", 5, 7).local_shape(0)
    (3, 4)
    >>> Layout.rows([3, 0, 4], 5).local_shape(2)
    (4, 5)
    """

    def __init__(self, core: _cairn.Layout, kind: str = "other", detail: Any = None, order: str = "C"):
        self._core, self._kind, self._detail, self.order = core, kind, detail, order

    @classmethod
    def rows(cls, counts: Sequence[int], columns: int, order: str = "C") -> "Layout":
        """Consecutive rows: counts[r] of them on rank r."""
        counts = tuple(int(c) for c in counts)
        total, ranks = sum(counts), len(counts)
        even = tuple(total // ranks + (r < total % ranks) for r in range(ranks))
        if counts == even and order == "C" or total == 0 or columns == 0:
            core = _cairn.Layout.row_blocks(total, columns, ranks)
        else:
            core = _cairn.Layout.parse(cls._cuts(counts, columns, order), total, columns)
        return cls(core, "rows", counts, order)

    @staticmethod
    def _cuts(counts: Tuple[int, ...], columns: int, order: str) -> str:
        edges, owners = [0], []
        for rank, count in enumerate(counts):
            if count > 0:
                edges.append(edges[-1] + count)
                owners.append(rank)
        text = f"cuts rows={','.join(map(str, edges))} columns=0,{columns} ranks={','.join(map(str, owners))}"
        return text + (" order=row-major" if order == "C" else "")

    @classmethod
    def even_rows(cls, rows: int, columns: int, ranks: int) -> "Layout":
        """Consecutive rows, as many on each rank as can be."""
        return cls.rows([rows // ranks + (r < rows % ranks) for r in range(ranks)], columns)

    @classmethod
    def block_cyclic(cls, rows: int, columns: int, grid: Tuple[int, int], block: Tuple[int, int],
                     source: Tuple[int, int] = (0, 0), row_major_grid: bool = True) -> "Layout":
        """Blocks dealt round a grid of ranks, as ScaLAPACK keeps its matrices; BLACS numbers along the rows."""
        core = _cairn.Layout.block_cyclic(rows, columns, tuple(grid), tuple(block), tuple(source), row_major_grid)
        return cls(core, "cyclic", (tuple(grid), tuple(block), tuple(source), row_major_grid), "F")

    @classmethod
    def parse(cls, text: str, rows: int, columns: int) -> "Layout":
        """From a text: `rows 4`, `block-cyclic 2x3 mb=64 nb=32`, `elemental 2x3`, `rank 0`, ... (see the guide)."""
        words = text.split()
        if len(words) == 2 and words[0] == "rows" and words[1].isdigit() and int(words[1]) > 0:
            return cls.even_rows(rows, columns, int(words[1]))
        core = _cairn.Layout.parse(text, rows, columns)
        plain = len(words) == 4 and words[0] == "block-cyclic" and words[2][:3] == "mb=" and words[3][:3] == "nb="
        if plain:
            grid = tuple(int(x) for x in words[1].split("x"))
            return cls(core, "cyclic", (grid, (int(words[2][3:]), int(words[3][3:])), (0, 0), False), "F")
        return cls(core)

    @classmethod
    def of(cls, layout: Union["Layout", str, None], rows: int, columns: int, ranks: int) -> "Layout":
        """A layout as it is, from its text, or even rows."""
        if layout is None:
            return cls.even_rows(rows, columns, ranks)
        if isinstance(layout, str):
            return cls.parse(layout, rows, columns)
        if not isinstance(layout, Layout):
            raise TypeError(f"layout is {type(layout).__name__}, expected a cairn.Layout or its text")
        if layout.shape != (rows, columns):
            raise ArgumentError(f"layout is of a {layout.shape[0]} x {layout.shape[1]} matrix, expected {rows} x {columns}")
        return layout

    @property
    def shape(self) -> Tuple[int, int]:
        return (self._core.rows, self._core.columns)

    def local_shape(self, rank: int) -> Tuple[int, ...]:
        """Of this rank's array: two-dimensional for rows and block-cyclic layouts, else all its elements in a row."""
        rows, columns = self.shape
        if self._kind == "rows":
            return (self._detail[rank] if rank < len(self._detail) else 0, columns)
        if self._kind == "cyclic":
            (pr, pc), (mb, nb), (rs, cs), row_major = self._detail
            if rank >= pr * pc:
                return (0, 0)
            i, j = divmod(rank, pc) if row_major else divmod(rank, pr)[::-1]
            return (_dealt(rows, mb, i, rs, pr), _dealt(columns, nb, j, cs, pc))
        return (self._core.local_elements(rank),)

    def owner(self, i: int, j: int) -> int:
        """The rank that holds element (i, j)."""
        return self._core.owner(i, j)

    def like(self, rows: int, columns: int) -> "Layout":
        """The same way of dealing for a matrix of another size: rows stay where they are, if there are as many."""
        if self._kind == "cyclic":
            grid, block, source, row_major = self._detail
            return Layout.block_cyclic(rows, columns, grid, block, source, row_major)
        if self._kind == "rows" and rows == self.shape[0]:
            return Layout.rows(self._detail, columns)
        return Layout.even_rows(rows, columns, len(self._detail)) if self._kind == "rows" else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self._core == other._core

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return self._core.text

    def __repr__(self) -> str:
        return f"<cairn.Layout {self.shape[0]} x {self.shape[1]}: {self._core.text}>"

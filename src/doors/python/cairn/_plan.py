"""Plans: what a product will move, without running it."""
from __future__ import annotations

import html
from typing import Any, Dict, List, Optional, Tuple

from . import _arrays, _cairn

_PLANNING = ("algorithm", "objective", "grid", "tree", "layers", "memory_bytes", "overlap", "candidates", "fast", "fast_entry",
             "max_error_growth", "scaled")


def options_from(given: Dict[str, Any]) -> Any:
    """PlanOptions of keyword arguments."""
    options = _cairn.PlanOptions()
    for name, value in given.items():
        if name not in _PLANNING:
            raise TypeError(f"unknown option '{name}', expected one of {', '.join(_PLANNING)}")
        try:
            setattr(options, name, value)
        except TypeError:
            raise TypeError(f"{name} is {value!r}, which is not of the type expected") from None
    return options


def _bar(y: int, label: str, value: float, most: float, colour: str) -> str:
    width = 360 * value / most if most > 0 else 0
    return (f'<text x="0" y="{y + 13}" font-size="12">{label}</text>'
            f'<rect x="110" y="{y}" width="{width:.1f}" height="17" fill="{colour}"/>'
            f'<text x="{115 + width:.1f}" y="{y + 13}" font-size="12">{value:,.0f}</text>')


class Plan:
    """How a product will be done and what it will move. Made by `cairn.plan`, and found in `Matrix.report.plan`."""

    def __init__(self, core: Any):
        self._core = core

    @property
    def ranks(self) -> int:
        return self._core.ranks

    @property
    def idle_ranks(self) -> int:
        return self._core.idle_ranks

    @property
    def grid(self) -> Tuple[int, int, int]:
        """[pm, pn, pk]: the bricks that m x n x k is cut into; [1, 1, 1] where a tree cuts them."""
        return tuple(self._core.grid)

    @property
    def bricks(self) -> str:
        """The grid or the tree as text: "[2, 3, 1]", "k(8:9){m2n2k2, m3n3}"."""
        return self._core.bricks

    @property
    def rounds(self) -> str:
        return self._core.rounds

    @property
    def words(self) -> int:
        """Of the busiest rank: the larger of what it sends and what it receives."""
        return max(self._core.words.busiest, self._core.words.sent)

    @property
    def mean_words(self) -> float:
        """Received per rank."""
        return self._core.words.mean

    @property
    def bound(self) -> float:
        """Some rank must send or receive this many words, whatever the algorithm."""
        return self._core.words.bound

    @property
    def ratio(self) -> float:
        """words / bound"""
        return self._core.words.ratio

    @property
    def messages(self) -> int:
        return self._core.messages

    @property
    def memory_bytes(self) -> int:
        """Of the rank that holds most: its parts of A, B, C and work memory."""
        return self._core.memory_bytes

    @property
    def seconds(self) -> float:
        """Predicted."""
        return self._core.seconds

    @property
    def steps(self) -> str:
        """Strassen-like steps between ranks, such as "BD"; empty without."""
        return self._core.steps

    @property
    def levels(self) -> int:
        """Of Strassen-like products: the steps, and the levels inside a rank."""
        return self._core.levels

    @property
    def error_bound(self) -> float:
        """No element of C is farther from the exact one than this times max|A| max|B|."""
        return self._core.error_bound

    @property
    def stays(self) -> str:
        """Which of A, B and C are neither moved nor copied."""
        return self._core.stays

    @property
    def candidates(self) -> List[Dict[str, Any]]:
        """What was considered, best first, and why it lost."""
        return self._core.candidates

    def explain(self) -> str:
        """Several lines: what was chosen, what it costs, the next best and why they lost."""
        return self._core.explain()

    def __repr__(self) -> str:
        return (f"{self._core.describe()}: {self.words:,} words on the busiest rank, "
                f"{self.ratio:.3f} of the bound {self.bound:,.0f}")

    def _chart(self) -> str:
        bars = [("busiest rank", self.words, "#4477aa"), ("mean", self.mean_words, "#88aacc"),
                ("bound", self.bound, "#cc6677")]
        most = max(value for _, value, _ in bars)
        rows = "".join(_bar(24 * i, *bar[:2], most, bar[2]) for i, bar in enumerate(bars))
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="600" height="72" role="img">{rows}</svg>'

    def _table(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("bricks", "rounds", "words", "seconds", "memory", "why"))
        lines = []
        for c in self.candidates:
            cells = (c["bricks"], c["rounds"], f"{c['words']:,}", f"{c['seconds']:.3g}",
                     f"{c['memory_bytes'] / 1e6:,.1f} MB", c["why"])
            lines.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"

    def _repr_html_(self) -> str:
        """For notebooks: words against the bound, and the candidates. Self-contained."""
        return (f"<div><p><b>{html.escape(self._core.describe())}</b>: {self.words:,} words on the busiest rank, "
                f"{self.ratio:.3f} of the bound</p>{self._chart()}{self._table()}</div>")


class Report:
    """What a product did: its plan, and the words that this rank sent and received."""

    def __init__(self, core: Any):
        self.plan = Plan(core.plan)
        self.words_sent: int = core.words_sent
        self.words_received: int = core.words_received

    def __repr__(self) -> str:
        return f"{self.plan!r}; this rank sent {self.words_sent:,} and received {self.words_received:,}"


def plan(m: int, n: int, k: int, ranks: Optional[int] = None, dtype: Any = "float64", **options: Any) -> Plan:
    """The best schedule for a product of an m x k and a k x n matrix on this many ranks. Needs no MPI and no memory.

    ranks    those of mpi4py's COMM_WORLD by default
    options  algorithm ("auto", "cosma", "2.5d", "carma", ...), objective ("time", "words", "volume"), grid, tree, layers,
             memory_bytes, overlap, candidates; Strassen-like steps: fast ("off", "auto", or an order such as "BBD"),
             fast_entry, max_error_growth, scaled

    >>> import cairn
    >>> round(cairn.plan(4096, 4096, 4096, ranks=64, objective="words").ratio, 6)
    1.0
    """
    if ranks is None:
        from ._mpi import communicator
        ranks = communicator().size
    op = _cairn.Op.none
    return Plan(_cairn.plan_multiply(m, n, k, op, op, _arrays.scalar_type(dtype), ranks, options_from(options)))

// How LU chooses its pivots.
#pragma once

namespace cairn {

// tournament: the winners of a tree of partial pivotings, one tree per step of columns: few messages.
// none: the diagonal as it
// is. partial: the largest of each column, as LAPACK and ScaLAPACK choose them: fewer words, a few messages per column.
enum class PivotChoice { tournament, none, partial };

}  // namespace cairn

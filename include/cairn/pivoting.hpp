// How LU chooses its pivots.
#pragma once

namespace cairn {

// tournament: the winners of a tree of partial pivotings, one a step of columns: few messages. partial: the largest of
// each column, as LAPACK and ScaLAPACK choose them: fewer words, a few messages a column. none: the diagonal as it is.
enum class PivotChoice { tournament, partial, none };

}  // namespace cairn

// A sub-matrix as a ScaLAPACK program names it: a descriptor, and the row and column it begins with.
#pragma once

#include <optional>

#include "cairn/layout.hpp"
#include "doors/scalapack/blacs.hpp"

namespace cairn::scalapack {

// {1, CTXT, M, N, MB, NB, RSRC, CSRC, LLD} or {2, CTXT, M, N, IMB, INB, MB, NB, RSRC, CSRC, LLD}, whose first block
// has IMB rows and INB columns.
struct Descriptor {
  int type = 1;
  int context = -1;
  Index rows = 0, columns = 0;
  Index first_rows = 1, first_columns = 1;
  Index mb = 1, nb = 1;
  int row_source = 0, column_source = 0;
  Index leading_dimension = 1;
};
std::optional<Descriptor> read_descriptor(const int* descriptor);  // none: of another type

// Rows i .. i + m - 1 and columns j .. j + n - 1, counted from 0.
struct SubMatrix {
  Descriptor whole;
  Index i = 0, j = 0;
  Index m = 0, n = 0;

  bool starts_blocks() const;  // at the first row of a block and at the first column of one
  bool square_blocks() const { return whole.mb == whole.nb; }
  int first_process_row(int process_rows) const;  // that has row i
};

// Indices that a process has of the first `count` of a dimension.
Index local_count(Index count, Index first, Index block, int process, int source, int processes);

// Whether ScaLAPACK takes it without doubt: all that its own checks look at, and sub-matrices that are not empty. What
// is doubtful is passed on.
bool is_sound(const SubMatrix& x, const ProcessGrid& grid);

// Rows and columns of each process that lie in the whole cycles of blocks before the sub-matrix. Positions that differ
// in them alone have one layout, so that one plan serves them all.
struct Skipped {
  Index rows = 0, columns = 0;
};
Skipped whole_cycles(const SubMatrix& x, int process_rows, int process_columns);

// Where it lies, in memory that begins after the whole cycles.
struct Placed {
  Layout layout;
  Skipped skipped;
  Index offset(Index leading_dimension) const { return skipped.rows + skipped.columns * leading_dimension; }
};
Placed place(const SubMatrix& x, int process_rows, int process_columns);

}  // namespace cairn::scalapack

#include "doors/scalapack/descriptor.hpp"

#include <algorithm>

namespace cairn::scalapack {
namespace {

// Indices of each process that lie in the whole cycles before index i.
Index skipped_before(Index i, Index first, Index block, int processes) {
  return i < first ? 0 : (i - first) / (block * processes) * block;
}

bool at_block(Index i, Index first, Index block) {
  return i == 0 || (i >= first && (i - first) % block == 0);
}

}  // namespace

std::optional<Descriptor> read_descriptor(const int* d) {
  if (d == nullptr) return {};
  if (d[0] == 1) return Descriptor{1, d[1], d[2], d[3], d[4], d[5], d[4], d[5], d[6], d[7], d[8]};
  if (d[0] == 2) return Descriptor{2, d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8], d[9], d[10]};
  return {};
}

bool SubMatrix::starts_blocks() const {
  return at_block(i, whole.first_rows, whole.mb) && at_block(j, whole.first_columns, whole.nb);
}

int SubMatrix::first_process_row(int process_rows) const {
  const Index blocks = i < whole.first_rows ? 0 : 1 + (i - whole.first_rows) / whole.mb;
  return static_cast<int>((whole.row_source + blocks) % process_rows);
}

Index local_count(Index count, Index first, Index block, int process, int source, int processes) {
  const int turn = (process - source + processes) % processes;
  if (count <= first) return turn == 0 ? count : 0;
  const Index rest = count - first, blocks = rest / block;  // whole ones after the first, which is turn 0's
  const int after = (turn + processes - 1) % processes;     // whose turn it is among those
  const Index mine = blocks / processes * block + (after < blocks % processes    ? block
                                                   : after == blocks % processes ? rest % block
                                                                                 : 0);
  return mine + (turn == 0 ? first : 0);
}

bool is_sound(const SubMatrix& x, const ProcessGrid& grid) {
  const Descriptor& d = x.whole;
  const bool within =
      x.i >= 0 && x.j >= 0 && x.m >= 1 && x.n >= 1 && x.i + x.m <= d.rows && x.j + x.n <= d.columns;
  const bool blocks = d.first_rows >= 1 && d.first_columns >= 1 && d.mb >= 1 && d.nb >= 1;
  const bool sources =
      d.row_source >= 0 && d.row_source < grid.rows && d.column_source >= 0 && d.column_source < grid.columns;
  if (!within || !blocks || !sources) return false;
  const Index rows = local_count(d.rows, d.first_rows, d.mb, grid.row, d.row_source, grid.rows);
  return d.leading_dimension >= std::max<Index>(1, rows);
}

Skipped whole_cycles(const SubMatrix& x, int process_rows, int process_columns) {
  const Descriptor& d = x.whole;
  return {skipped_before(x.i, d.first_rows, d.mb, process_rows),
          skipped_before(x.j, d.first_columns, d.nb, process_columns)};
}

Placed place(const SubMatrix& x, int process_rows, int process_columns) {
  const Descriptor& d = x.whole;
  const Skipped skipped = whole_cycles(x, process_rows, process_columns);
  const Index i = x.i - skipped.rows * process_rows, j = x.j - skipped.columns * process_columns;
  const Layout whole = Layout::block_cyclic(i + x.m, j + x.n,
                                            {.process_rows = process_rows,
                                             .process_columns = process_columns,
                                             .mb = d.mb,
                                             .nb = d.nb,
                                             .row_source = d.row_source,
                                             .column_source = d.column_source,
                                             .row_major = true,
                                             .first_rows = d.first_rows,
                                             .first_columns = d.first_columns});
  return {whole.sub_matrix(i, j, x.m, x.n), skipped};
}

}  // namespace cairn::scalapack

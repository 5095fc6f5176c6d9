#include "sparse/local/spgemm.hpp"

#include "sparse/local/spgemm_body.hpp"

namespace cairn::sparse {

void check_sides(const Sides& a, const Sides& b, const SpgemmOptions& options) {
  require(a.columns == b.rows, "A is {} x {} and B is {} x {}, expected as many columns of A as rows of B",
          a.rows, a.columns, b.rows, b.columns);
  if (!options.mask) return;
  const PatternView& m = options.mask->pattern;
  require(m.rows == a.rows && m.columns == b.columns,
          "the mask is {} x {}, expected {} x {} like the product", m.rows, m.columns, a.rows, b.columns);
}

Array<Index> spgemm_voxels(const PatternView& a, const PatternView& b) {
  Array<Index> voxels(a.rows);
  for (Index i = 0; i < a.rows; ++i) {
    Index sum = 0;
    for (const Local k : a.row(i)) sum += b.entries_of(k);
    voxels[i] = sum;
  }
  return voxels;
}

std::optional<Stretch> few_columns(const PatternView& a, const PatternView& b, Index i, Index voxels) {
  constexpr Index columns_of_a_voxel = 64;
  const Index most = columns_of_a_voxel * voxels;
  if (b.columns <= most) return Stretch{0, b.columns};
  const std::span<const Local> row = a.row(i);
  if (!a.sorted || !b.sorted || row.back() - row.front() > most) return {};
  Stretch columns{b.columns, 0};
  for (const Local k : row) {
    const std::span<const Local> terms = b.row(k);
    if (terms.empty()) continue;
    columns.first = std::min<Index>(columns.first, terms.front());
    columns.end = std::max<Index>(columns.end, terms.back() + 1);
  }
  if (columns.size() > most) return {};
  return columns;
}

RowFinder::RowFinder(std::span<const Local> row_of, Index rows, Index questions) : row_of_(row_of) {
  if (rows > 4 * (questions + static_cast<Index>(row_of.size()))) return;
  place_.assign(rows, -1);
  for (std::size_t r = 0; r < row_of.size(); ++r) place_[row_of[r]] = static_cast<Local>(r);
}

Local RowFinder::find(Local row) const {
  if (!place_.empty()) return place_[row];
  const auto at = std::lower_bound(row_of_.begin(), row_of_.end(), row);
  return at == row_of_.end() || *at != row ? -1 : static_cast<Local>(at - row_of_.begin());
}

PatternRows::PatternRows(const PatternView& pattern, std::span<const Local> rows) : starts{0} {
  for (const Local row : rows) {
    for (const Local column : pattern.row(row)) columns_of.push_back(column);
    starts.push_back(columns_of.size());
  }
  view = {static_cast<Index>(rows.size()), pattern.columns, starts.data(), columns_of.data(), pattern.sorted};
}

#define CAIRN_INSTANTIATE(S) CAIRN_SPGEMM_OF(, S)
CAIRN_FOR_EACH_SEMIRING(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::sparse

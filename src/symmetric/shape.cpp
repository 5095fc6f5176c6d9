#include "symmetric/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "comm/agreement.hpp"

namespace cairn::symmetric {

using layout::IndexMap;

namespace {

// The same parts; places are counted from the first index on, not from where a larger matrix begins.
IndexMap by_itself(const IndexMap& map) {
  if (!map.is_sub_matrix()) return map;
  if (map.size() == 0) return IndexMap::balanced(0, map.parts());
  std::vector<Index> cuts{0};
  std::vector<int> owners;
  while (cuts.back() < map.size()) {
    const layout::Run run = map.run_at(cuts.back());
    cuts.push_back(run.end);
    owners.push_back(run.part);
  }
  return IndexMap::of_intervals(cuts, owners, map.parts());
}

}  // namespace

// Run by run of the columns: the rows of the part below (above) them are counted by the map.
Index elements_inside(Triangle triangle, const IndexMap& rows, int row_part, const IndexMap& columns,
                      int column_part) {
  const Index all = rows.count(row_part);
  // Rows of the part before `index`.
  const auto before = [&](Index index) {
    const Index next = rows.next_of(row_part, index);
    return next == rows.size() ? all : rows.local_of(next);
  };
  Index sum = 0;
  columns.for_each_run(column_part, [&](const layout::Run& run) {
    const bool meets = before(run.begin) != before(run.end);
    if (!meets) {
      sum += run.count() * (triangle == Triangle::lower ? all - before(run.begin) : before(run.begin));
      return;
    }
    for (Index j = run.begin; j < run.end; ++j)
      sum += triangle == Triangle::lower ? all - before(j) : before(j + 1);
  });
  return sum;
}

void Shape::set_positions(int positions) {
  positions_ = positions;
  blocks_.resize(static_cast<std::size_t>(positions));
  elements_.resize(blocks_.size());
  work_.resize(blocks_.size());
}

void Shape::add_cell(const Problem& problem, int position, int row_part, int column_part, const Way& way) {
  const Index inside = elements_inside(problem.triangle, rows_, row_part, columns_, column_part);
  if (inside == 0) return;
  const auto q = static_cast<std::size_t>(position);
  const Index height = std::max<Index>(1, rows_.count(row_part));
  blocks_[q].push_back({row_part, column_part, way, block_elements(position), height});
  elements_[q] += inside;
  work_[q] += inside * (problem.updates() ? uses(problem) : way.count());
}

void Shape::sit_in_order() {
  ranks_.resize(static_cast<std::size_t>(ranks()));
  std::iota(ranks_.begin(), ranks_.end(), 0);
}

Shape Shape::of_pattern(const Problem& problem, const factor::SymmetricCells& cells, const IndexMap& parts) {
  const IndexMap classes = IndexMap::balanced(problem.n, cells.classes);
  Shape s(classes, classes, by_itself(parts));
  s.pattern_ = fmt::format("S{} r={}", cells.positions, cells.classes);
  s.set_positions(cells.positions);
  for (int b = 0; b < cells.classes; ++b)
    for (int a = 0; a < cells.classes; ++a)
      if (problem.triangle == Triangle::lower ? a >= b : a <= b)
        s.add_cell(problem, cells.at(a, b), a, b, way_of(problem));
  s.sit_in_order();
  return s;
}

std::optional<Shape> Shape::in_place(const Problem& problem, const layout::Layout& triangle) {
  const layout::Mesh* mesh = triangle.mesh();
  if (mesh == nullptr || triangle.is_replicated() || triangle.order() != layout::Order::column_major)
    return {};
  Shape s(by_itself(triangle.row_map()), by_itself(triangle.column_map()), IndexMap::whole(problem.k));
  const int rows = s.rows_.parts(), columns = s.columns_.parts();
  s.stays_ = s.seated_ = true;
  s.pattern_ = fmt::format("{}x{} in place", rows, columns);
  s.set_positions(rows * columns);
  for (int b = 0; b < columns; ++b)
    for (int a = 0; a < rows; ++a) {
      s.add_cell(problem, a + rows * b, a, b, way_of(problem));
      s.ranks_.push_back(triangle.owner(a, b));
    }
  return s;
}

Shape Shape::of_grid(const Problem& problem, const IndexMap& rows, const IndexMap& parts) {
  Shape s(by_itself(rows), by_itself(rows), by_itself(parts));
  s.pattern_ = fmt::format("{}x{} of the result", rows.parts(), parts.parts());
  s.set_positions(rows.parts());
  const Way all = way_of(problem);
  for (int a = 0; a < rows.parts(); ++a)
    for (int b = 0; b < rows.parts(); ++b) {
      if (a == b) s.add_cell(problem, a, a, a, all);
      if (a != b && all.straight) s.add_cell(problem, a, a, b, {true, false});
      if (a != b && all.mirrored) s.add_cell(problem, a, b, a, {false, true});
    }
  s.sit_in_order();
  return s;
}

std::optional<Shape> Shape::result_in_place(const Problem& problem, const layout::Layout& result) {
  if (result.mesh() == nullptr || result.is_replicated()) return {};
  Shape s = of_grid(problem, result.row_map(), result.column_map());
  s.seated_ = true;
  s.pattern_ += " in place";
  for (int part = 0; part < s.parts(); ++part)
    for (int a = 0; a < s.positions(); ++a)
      s.ranks_[static_cast<std::size_t>(a + s.positions() * part)] = result.owner(a, part);
  return s;
}

Index Shape::block_elements(int position) const {
  const std::vector<Block>& mine = blocks(position);
  if (mine.empty()) return 0;
  return mine.back().offset + mine.back().leading_dimension * columns_.count(mine.back().column_part);
}

std::vector<Face> Shape::faces(const Problem& problem, int position, Use use) const {
  std::set<std::pair<int, int>> touched;
  for (const Block& b : blocks(position)) {
    const bool reads = use == Use::read, updates = problem.updates();
    const bool rows = updates ? reads : reads ? b.way.mirrored : b.way.straight;
    const bool columns = updates ? reads : reads ? b.way.straight : b.way.mirrored;
    if (rows) touched.insert({0, b.row_part});
    if (columns) touched.insert({column_map(), b.column_part});
  }
  std::vector<Face> all;
  for (const auto& [which, part] : touched)
    all.push_back({which, part, map(which).count(part), rows_of(all)});
  return all;
}

std::vector<layout::Layout> Shape::triangle_layouts(int part) const {
  const int rows = rows_.parts();
  const auto cells_in_all = static_cast<std::size_t>(Index{rows} * columns_.parts());
  std::vector<std::size_t> holders(cells_in_all, 0);
  std::vector<std::vector<layout::PartCell>> by_holder;
  for (int q = 0; q < positions_; ++q)
    for (const Block& b : blocks(q)) {
      const auto cell = static_cast<std::size_t>(b.row_part + Index{rows} * b.column_part);
      const std::size_t i = holders[cell]++;
      if (i == by_holder.size()) by_holder.emplace_back(cells_in_all);
      by_holder[i][cell] = {rank(q, part), b.offset, b.leading_dimension};
    }
  std::vector<layout::Layout> all;
  for (const auto& cells : by_holder) all.push_back(layout::Layout::of_parts(rows_, columns_, cells));
  return all;
}

Index Shape::rows_of(const std::vector<Face>& faces) {
  return faces.empty() ? 0 : faces.back().first + faces.back().rows;
}

std::optional<Shape::Seat> Shape::seat(int rank) const {
  const auto found = std::ranges::find(ranks_, rank);
  if (found == ranks_.end()) return {};
  const auto at = static_cast<int>(found - ranks_.begin());
  return Seat{at % positions_, at / positions_};
}

Index Shape::fingerprint() const {
  std::vector<Index> values{rows_.fingerprint(), columns_.fingerprint(), parts_.fingerprint(),
                            stays_ ? 1 : 0};
  for (const int r : ranks_) values.push_back(r);
  for (const auto& list : blocks_)
    for (const Block& b : list) values.insert(values.end(), {b.row_part, b.column_part, b.offset});
  return comm::fingerprint(values);
}

}  // namespace cairn::symmetric

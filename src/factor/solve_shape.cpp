#include "factor/solve_shape.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "factor/lu_step.hpp"
#include "factor/moving.hpp"

namespace cairn::factor {
namespace {

std::vector<int> tournament_ends(const LuShape& s, std::span<const Index> order) {
  std::vector<int> homes;
  RowsLeft left(s);
  for (int t = 0; t < s.steps(); ++t) {
    homes.push_back(s.rank(s.layer(t), tournament_of(s, t, left).order.front()));
    left.consume(s, order.subspan(at_index(s.start(t)), at_index(s.width(t))));
  }
  return homes;
}

layout::IndexMap block_cuts(const LuShape& s) {
  std::vector<Index> cuts;
  for (int t = 0; t <= s.steps(); ++t) cuts.push_back(s.start(t));
  return layout::IndexMap::of_cuts(cuts);
}

}  // namespace

SolveShape::SolveShape(std::shared_ptr<const LuShape> shape, std::vector<Index> order, std::vector<int> homes,
                       std::vector<Index> of_sides)
    : shape_(std::move(shape)),
      order_(std::move(order)),
      homes_(std::move(homes)),
      of_sides_(std::move(of_sides)) {
  const LuShape& s = *shape_;
  if (homes_.empty()) homes_ = tournament_ends(s, order_);
  for (int q = 0; q < s.positions(); ++q) {
    firsts_.push_back(0);
    for (int t = 0; t < s.steps(); ++t) {
      const auto rows = std::span<const Index>(order_).subspan(at_index(s.start(t)), at_index(s.width(t)));
      firsts_.push_back(firsts_.back() + pivots_of(s, q, rows));
    }
  }
  std::map<int, Index> rows, corners;
  for (int t = 0; t < s.steps(); ++t) {
    rows_before_.push_back(rows[home(t)]);
    corners_before_.push_back(corners[home(t)]);
    rows[home(t)] += s.width(t);
    corners[home(t)] += s.width(t) * s.width(t);
  }
}

Index SolveShape::rows_at_home(int rank) const {
  Index sum = 0;
  for (int t = 0; t < steps(); ++t) sum += home(t) == rank ? width(t) : 0;
  return sum;
}

Index SolveShape::corners_at_home(int rank) const {
  Index sum = 0;
  for (int t = 0; t < steps(); ++t) sum += home(t) == rank ? width(t) * width(t) : 0;
  return sum;
}

std::vector<Index> SolveShape::numbers(int q, int t) const {
  std::vector<Index> mine;
  for (Index g = 0; g < width(t); ++g)
    if (shape_->has_row_class(q, shape_->row_class(order_[at_index(shape_->start(t) + g)])))
      mine.push_back(g);
  return mine;
}

layout::Layout SolveShape::unknowns_layout(Index columns) const {
  if (steps() == 0 || columns == 0) return {};
  std::vector<layout::PartCell> cells;
  for (int t = 0; t < steps(); ++t) cells.push_back({home(t), right_side_offset(t, columns), width(t)});
  return layout::Layout::of_parts(block_cuts(*shape_), layout::IndexMap::whole(columns), cells);
}

layout::Layout SolveShape::right_sides_layout(Index columns) const {
  if (steps() == 0 || columns == 0) return {};
  const std::vector<Index>& order = order_of_sides();
  std::vector<Index> cuts(order.size() + 1);
  std::iota(cuts.begin(), cuts.end(), Index{0});
  std::vector<int> block(order.size());
  for (std::size_t r = 0; r < order.size(); ++r)
    block[at_index(order[r])] = static_cast<int>(static_cast<Index>(r) / shape_->step());
  std::vector<layout::PartCell> cells;
  for (int t = 0; t < steps(); ++t) cells.push_back({home(t), right_side_offset(t, columns), width(t)});
  return layout::Layout::of_parts(layout::IndexMap::of_intervals(cuts, block, steps()),
                                  layout::IndexMap::whole(columns), cells);
}

layout::Layout SolveShape::corners_layout() const {
  if (steps() == 0) return {};
  std::vector<layout::PartCell> cells(at_index(Index{steps()} * steps()));
  for (int t = 0; t < steps(); ++t)
    cells[at_index(Index{t} * (steps() + 1))] = {home(t), corner_offset(t), width(t)};
  return layout::Layout::of_parts(block_cuts(*shape_), block_cuts(*shape_), cells);
}

std::shared_ptr<const LuShape> triangle_shape_of(const layout::Layout& t, int ranks) {
  constexpr Index narrowest = 16, widest = 256;
  std::optional<UserGrid> grid = grid_of_user(t, ranks);
  if (!grid || grid->step < narrowest || grid->step > widest) return nullptr;
  LuPattern pattern = LuPattern::grid_of(grid->rows, grid->columns, std::move(grid->owners));
  return std::make_shared<const LuShape>(t.rows(), t.columns(), grid->step, std::move(pattern), 1,
                                         grid->row_block);
}

std::shared_ptr<const LuShape> triangle_shape(Index n, int ranks) {
  int rows = static_cast<int>(std::sqrt(static_cast<double>(ranks)));
  while (ranks % rows != 0) --rows;
  if (rows * 4 < ranks / rows)
    rows = static_cast<int>(std::sqrt(static_cast<double>(ranks)));  // some stay idle
  const Index step = std::clamp<Index>(ceil_div(n, 4 * Index{ranks}), 1, 64);
  return std::make_shared<const LuShape>(n, n, step, LuPattern::grid(rows, ranks / rows), 1);
}

std::vector<Index> identity_order(Index n) {
  std::vector<Index> order(at_index(n));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

}  // namespace cairn::factor

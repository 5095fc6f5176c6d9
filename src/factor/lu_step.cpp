#include "factor/lu_step.hpp"

#include <algorithm>

namespace cairn::factor {
namespace {

std::vector<int> common(const std::vector<int>& x, const std::vector<int>& y) {
  std::vector<int> both;
  std::ranges::set_intersection(x, y, std::back_inserter(both));
  return both;
}

template <class C>
void rotate_by(C& list, Index by) {
  if (!list.empty()) std::ranges::rotate(list, list.begin() + by % std::ssize(list));
}

std::vector<std::vector<Tournament::Match>> bracket(std::vector<Index> have, Index most) {
  std::vector<std::vector<Tournament::Match>> rounds;
  const auto n = static_cast<int>(have.size());
  for (int apart = 1; apart < n; apart *= 2) {
    rounds.emplace_back();
    for (int i = 0; i + apart < n; i += 2 * apart) {
      Index& mine = have[at_index(i)];
      const Index theirs = have[at_index(i + apart)];
      rounds.back().push_back({i, i + apart, theirs, mine});
      mine = std::min(most, mine + theirs);
    }
  }
  return rounds;
}

}  // namespace

RowsLeft::RowsLeft(const LuShape& shape) {
  for (int a = 0; a < shape.pattern().row_classes(); ++a) left_.push_back(shape.rows_in_class(a));
}

Index RowsLeft::of_position(const LuShape& shape, int q) const {
  Index sum = 0;
  for (const int a : shape.pattern().rows_of(q)) sum += of_class(a);
  return sum;
}

void RowsLeft::consume(const LuShape& shape, std::span<const Index> pivots) {
  for (const Index row : pivots) --left_[at_index(shape.row_class(row))];
}

Tournament tournament_of(const LuShape& shape, int step, const RowsLeft& left) {
  Tournament t;
  for (int q = 0; q < shape.positions(); ++q)
    if (shape.has_column(q, step) && left.of_position(shape, q) > 0) t.order.push_back(q);
  rotate_by(t.order,
            step / shape.pattern().turn());  // so that no position ends up with all of them
  for (const int q : t.order) t.candidates.push_back(std::min(shape.width(step), left.of_position(shape, q)));
  t.rounds = bracket(t.candidates, shape.width(step));
  return t;
}

std::vector<int> row_tree(const LuShape& shape, int step, const RowsLeft& left, Index row) {
  std::vector<int> order = tournament_of(shape, step, left).order;
  const auto owner =
      std::ranges::find_if(order, [&](int q) { return shape.has_row_class(q, shape.row_class(row)); });
  rotate_by(order, owner - order.begin());
  return order;
}

Spread spread_of(const LuShape& shape, int step, const Tournament& tournament, PivotChoice pivoting) {
  const Index w = shape.width(step), with_l = w + w * (w - 1) / 2, all = w + w * w;
  const int layer = shape.layer(step);
  Spread spread;
  for (const int q : tournament.order)
    if (pivoting != PivotChoice::partial || q == tournament.order.front())
      spread.stops.push_back({shape.rank(layer, q), all});
  std::vector<Spread::Stop> solving, marking;
  for (int rank = 0; rank < shape.ranks(); ++rank) {
    const int q = rank % shape.positions();
    const bool here = rank / shape.positions() == layer;
    if (here && std::ranges::find(tournament.order, q) != tournament.order.end()) continue;
    const bool solves = here && shape.local_columns(q) > shape.local_column(q, step + 1);
    (solves ? solving : marking).push_back({rank, solves ? with_l : w});
  }
  rotate_by(solving, step);
  rotate_by(marking, step);
  spread.stops.insert(spread.stops.end(), solving.begin(), solving.end());
  spread.stops.insert(spread.stops.end(), marking.begin(), marking.end());
  return spread;
}

std::vector<PartMove> panel_moves(const LuShape& shape, int step, const RowsLeft& left, int only) {
  std::vector<PartMove> moves;
  for (int h = 0; h < shape.positions(); ++h) {
    if (!shape.has_column(h, step)) continue;
    for (int d = 0; d < shape.positions(); ++d) {
      if (only >= 0 && h != only && d != only) continue;
      // A position that has the column has all of its rows there already.
      if (d == h || shape.has_column(d, step)) continue;
      if (shape.local_columns(d) == shape.local_column(d, step + 1)) continue;
      PartMove move{h, d, common(shape.pattern().rows_of(h), shape.pattern().rows_of(d)), 0,
                    shape.width(step)};
      for (const int a : move.classes) move.rows += left.of_class(a);
      if (move.rows > 0) moves.push_back(std::move(move));
    }
  }
  return moves;
}

Index pivots_of(const LuShape& shape, int q, std::span<const Index> pivots) {
  return std::ranges::count_if(pivots,
                               [&](Index row) { return shape.has_row_class(q, shape.row_class(row)); });
}

std::vector<Index> pivots_of_positions(const LuShape& shape, std::span<const Index> pivots) {
  std::vector<Index> in_class(at_index(shape.pattern().row_classes()), 0), have;
  for (const Index row : pivots) ++in_class[at_index(shape.row_class(row))];
  for (int q = 0; q < shape.positions(); ++q) {
    have.push_back(0);
    for (const int a : shape.pattern().rows_of(q)) have.back() += in_class[at_index(a)];
  }
  return have;
}

std::vector<PartMove> pivot_row_moves(const LuShape& shape, int step, const RowsLeft& left,
                                      std::span<const Index> pivots, int only) {
  const std::vector<Index> mine = pivots_of_positions(shape, pivots);
  std::vector<Index> columns;
  for (int b = 0; b < shape.pattern().column_classes(); ++b)
    columns.push_back(shape.columns_in_class_from(b, step + 1));
  std::vector<PartMove> moves;
  for (int o = 0; o < shape.positions(); ++o)
    for (int d = 0; d < shape.positions(); ++d) {
      if (o == d || mine[at_index(o)] == 0 || (only >= 0 && o != only && d != only)) continue;
      if (mine[at_index(d)] == 0 && left.of_position(shape, d) == 0) continue;
      PartMove move{o, d, common(shape.pattern().columns_of(o), shape.pattern().columns_of(d)),
                    mine[at_index(o)], 0};
      for (const int b : move.classes) move.columns += columns[at_index(b)];
      if (move.columns > 0) moves.push_back(std::move(move));
    }
  return moves;
}

}  // namespace cairn::factor
